#include "game/view.h"
#include "game/correction.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "rules/field_path.h"

/* ---- reading ---- */

/* A number, true, "a text", [1,2]; one word is a text. */
static json_t *read_value(struct slice text)
{
    struct err ignored = ERR_INIT;
    struct str wrapped = STR_INIT;
    struct slice rest = text;
    struct slice word;
    str_addf(&wrapped, "[%.*s]", (int)text.len, text.p);
    json_t *list = json_read(slice_str(&wrapped), "value", &ignored);
    json_t *value = json_array_size(list) == 1 ? json_incref(json_array_get(list, 0)) : NULL;
    if (!value && slice_word(&rest, &word) && !slice_trim(rest).len)
        value = json_text(word);
    json_decref(list);
    str_release(&wrapped);
    return value;
}

json_t *correction_read(const struct game *game, struct slice line, struct err *err)
{
    size_t len = 0;
    while (len < line.len && line.p[len] != ' ' && line.p[len] != '=' && line.p[len] != '\t')
        len++;
    struct slice path = slice_sub(line, 0, len);
    struct slice rest = slice_trim(slice_sub(line, len, line.len));
    if (rest.len && rest.p[0] == '=')
        rest = slice_trim(slice_sub(rest, 1, rest.len));
    json_t *document = fields_json(game->ruleset->fields, game->state);
    json_t *before = field_path_get(document, path, err);
    json_t *after = before && rest.len && rest.len < 2000 ? read_value(rest) : NULL;
    json_t *change = NULL;
    if (before && !after)
        (void)err_set(err, ERR_INPUT,
                      "The correction of \"%.*s\" does not say what the value is to be: \"%.*s = 3\".",
                      (int)path.len, path.p, (int)path.len, path.p);
    else if (before)
        change = json_pack("{s:o,s:O,s:O}", "path", json_text(path), "before", before, "after", after);
    json_decref(after);
    json_decref(document);
    return change;
}

/* ---- the state ---- */

static int put(json_t *document, const json_t *change, struct err *err)
{
    const char *path = json_string_value(json_object_get(change, "path"));
    json_t *before = json_object_get(change, "before");
    json_t *after = json_object_get(change, "after");
    if (!path || !before || !after)
        return err_set(err, ERR_INPUT, "A correction lacks its path, or its values.");
    json_t *now = field_path_get(document, slice_of(path), err);
    if (!now)
        return -1;
    if (!json_equal(now, before))
        return err_set(err, ERR_INPUT, "\"%s\" is corrected twice, or is not what it was taken for.", path);
    return field_path_set(document, slice_of(path), after, err);
}

int correction_state(const struct game *game, const json_t *changes, void *state, struct err *err)
{
    const struct ruleset *ruleset = game->ruleset;
    json_t *document = fields_json(ruleset->fields, game->state);
    size_t i;
    json_t *change;
    json_int_t seats = json_integer_value(json_object_get(document, "seats"));
    int rc = ruleset->check ? 0
                            : err_set(err, ERR_INPUT, "The rules of %s do not say which tables are possible.",
                                      ruleset->title);
    json_array_foreach ((json_t *)(uintptr_t)changes, i, change)
        rc = rc ? rc : put(document, change, err);
    memset(state, 0, ruleset->state_size);
    if (rc == 0 && json_integer_value(json_object_get(document, "seats")) != seats)
        rc = err_set(err, ERR_INPUT, "The number of seats cannot be corrected.");
    if (rc == 0)
        rc = fields_read(ruleset->fields, state, document, 1, err);
    if (rc == 0)
        rc = ruleset->check(game->cards, state, err);
    if (rc == 0 && ruleset->awaits(state) == 0)
        rc = err_set(err, ERR_INPUT, "The game would be over with that.");
    json_decref(document);
    return rc;
}

/* ---- who sees it ---- */

uint32_t correction_visible(const struct game *game, const json_t *change)
{
    const struct ruleset *ruleset = game->ruleset;
    const json_t *before = json_object_get(change, "before");
    struct err ignored = ERR_INIT;
    uint32_t visible = 0;
    if (json_is_array(before) || json_is_object(before))
        return 0;
    json_t *document = fields_json(ruleset->fields, game->state);
    void *state = mem_alloc(ruleset->state_size);
    memset(state, 0, ruleset->state_size);
    bool good = put(document, change, &ignored) == 0 &&
                fields_read(ruleset->fields, state, document, 1, &ignored) == 0;
    for (int seat = 0; good && seat <= game->seats; seat++) {
        json_t *old = view_json(ruleset, game->cards, game->state, seat);
        json_t *new = view_json(ruleset, game->cards, state, seat);
        if (!json_equal(old, new))
            visible |= SEAT_BIT(seat);
        json_decref(old);
        json_decref(new);
    }
    free(state);
    json_decref(document);
    return visible;
}
