#include "game/entry.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "game/turn.h"
#include "tlog/entry.h"

static const struct {
    const char *type;
    enum entry_kind kind;
} kinds[] = {{"orders", ENTRY_RECEIPT},
             {"close", ENTRY_CLOSE},
             {"start", ENTRY_START},
             {"turn", ENTRY_TURN},
             {"end", ENTRY_END}};

static enum entry_kind kind_of(const char *type)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].type, type) == 0)
            return kinds[i].kind;
    return ENTRY_HEAD;
}

static void take_text(const struct game *game, const struct record *record, struct log_entry *entry)
{
    entry->seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    const char *mark = json_string_value(json_object_get(record->json, "seal"));
    if (!mark || !hex_decode(entry->mark, sizeof entry->mark, slice_of(mark)))
        memset(entry->mark, 0, sizeof entry->mark);
    if (game->seat[entry->seat].orders.record != record->seq)
        entry->kind = ENTRY_KEPT;
}

static void take_alpha(const struct game *game, struct log_entry *entry)
{
    struct str alpha = STR_INIT;
    turn_alpha(&alpha, game);
    crypto_generichash(entry->alpha, sizeof entry->alpha, (const unsigned char *)alpha.p, alpha.len, NULL, 0);
    str_release(&alpha);
}

void game_entry(struct str *out, const struct game *game, const struct record *record)
{
    struct log_entry entry = {.kind = kind_of(record->type), .time = record->time, .seq = record->seq};
    const json_t *turn = json_object_get(record->json, entry.kind == ENTRY_END ? "turns" : "turn");
    entry.turn = (struct turn_number){(int)json_integer_value(turn), game->draws.rollbacks};
    memcpy(entry.name, record->game, strlen(record->game) + 1);
    memcpy(entry.head, record->head, HEAD_BYTES);
    if (entry.kind == ENTRY_RECEIPT)
        take_text(game, record, &entry);
    else if (entry.kind == ENTRY_CLOSE)
        take_alpha(game, &entry);
    log_entry_write(out, &entry);
    str_addc(out, '\n');
}
