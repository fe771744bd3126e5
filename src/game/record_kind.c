#include "game/record_kinds.h"

#include <string.h>

#include "journal/seal.h"

static const char *text_of(const struct record *record, const char *name)
{
    const char *text = json_string_value(json_object_get(record->json, name));
    return text ? text : "";
}

const char *record_word(const struct record *record)
{
    if (strcmp(record->type, "moderate") == 0)
        return text_of(record, "do");
    return strcmp(record->type, "note") == 0 ? text_of(record, "kind") : "";
}

const struct record_kind *record_kind_of(const struct record *record)
{
    const char *word = record_word(record);
    for (const struct record_kind *kind = record_kinds; kind < record_kinds + RECORD_IDS; kind++)
        if (strcmp(record->type, kind->type) == 0 && (!kind->word || strcmp(word, kind->word) == 0))
            return kind;
    return NULL;
}

enum record_id record_id_of(const struct record_kind *kind)
{
    return (enum record_id)(kind - record_kinds);
}

static bool leads_to(const struct record_signed *text, const struct record *record)
{
    const json_t *value = text->member ? json_object_get(record->json, text->member) : NULL;
    if (!text->member || !text->value)
        return !text->member || value;
    return json_is_string(value) ? strcmp(json_string_value(value), text->value) == 0
                                 : json_is_true(value) && strcmp(text->value, "true") == 0;
}

const struct record_signed *record_signed_of(const struct record_kind *kind, const struct record *record)
{
    for (size_t i = 0; kind && i < RECORD_TEXTS && kind->texts[i].verb; i++)
        if (leads_to(&kind->texts[i], record))
            return &kind->texts[i];
    return NULL;
}

int record_sealed_item(const struct record *record)
{
    const struct record_kind *kind = record_kind_of(record);
    bool sealed = json_object_get(record->json, "seal");
    if (!sealed || !kind || kind->secret == SECRET_NONE || kind->secret == SECRET_PRESS)
        return -1;
    return kind->secret == SECRET_CHANGES ? SEAL_HIDDEN : SEAL_ORDERS;
}
