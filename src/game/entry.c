#include "game/entry.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "game/turn.h"

#define HIDDEN_DIGITS 24

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

const char *game_entry_type(enum entry_kind kind)
{
    if (kind == ENTRY_KEPT)
        kind = ENTRY_RECEIPT;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].kind == kind)
            return kinds[i].type;
    return NULL;
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

void game_entry_alpha(unsigned char digest[ENTRY_DIGEST], const struct game *game)
{
    struct str alpha = STR_INIT;
    turn_alpha(&alpha, game);
    crypto_generichash(digest, ENTRY_DIGEST, (const unsigned char *)alpha.p, alpha.len, NULL, 0);
    str_release(&alpha);
}

size_t game_entry_extra(unsigned char extra[ENTRY_EXTRA_MOST], const struct game *game, int turn)
{
    memcpy(extra, game_root(game), HEAD_BYTES);
    if (turn)
        memcpy(extra + HEAD_BYTES, game->draws.deal, GAME_DEAL);
    else
        memset(extra + HEAD_BYTES, 0, GAME_DEAL);
    memcpy(extra + HEAD_BYTES + GAME_DEAL, game->close.marks[1], (size_t)game->seats * SEAL_BYTES);
    return HEAD_BYTES + GAME_DEAL + (size_t)game->seats * SEAL_BYTES;
}

bool game_entry_opens(const struct log_entry *close, struct slice extra, int *seats)
{
    const unsigned char *bytes = (const unsigned char *)extra.p;
    unsigned char digest[ENTRY_DIGEST];
    struct str alpha = STR_INIT;
    if (close->kind != ENTRY_CLOSE || extra.len <= HEAD_BYTES + GAME_DEAL || extra.len > ENTRY_EXTRA_MOST ||
        extra.len % ENTRY_DIGEST)
        return false;
    *seats = (int)((extra.len - HEAD_BYTES - GAME_DEAL) / SEAL_BYTES);
    const struct alpha_parts parts = {bytes,
                                      bytes + HEAD_BYTES,
                                      close->turn.rollbacks,
                                      close->turn.turn,
                                      *seats,
                                      bytes + HEAD_BYTES + GAME_DEAL};
    turn_alpha_of(&alpha, &parts);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)alpha.p, alpha.len, NULL, 0);
    str_release(&alpha);
    return memcmp(digest, close->alpha, sizeof digest) == 0;
}

void game_log_hidden_name(char name[GAME_NAME], const unsigned char create_head[HEAD_BYTES])
{
    static const char domain[] = "turnpost/name";
    unsigned char digest[crypto_generichash_BYTES];
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, sizeof digest);
    crypto_generichash_update(&st, (const unsigned char *)domain, sizeof domain);
    crypto_generichash_update(&st, create_head, HEAD_BYTES);
    crypto_generichash_final(&st, digest, sizeof digest);
    name[0] = 'h';
    hex_to(name + 1, digest, HIDDEN_DIGITS / 2);
}

bool game_log_is_hidden(const char *name)
{
    unsigned char digits[HIDDEN_DIGITS / 2];
    return *name == 'h' && hex_decode(digits, sizeof digits, slice_of(name + 1));
}

void game_log_name(char name[GAME_NAME], const struct game *game)
{
    if (game->clock.lockstep.on || game->observers.barred)
        game_log_hidden_name(name, game->journal.create_head);
    else
        memcpy(name, game->id, strlen(game->id) + 1);
}

void game_entry(struct str *out, const struct game *game, const struct record *record)
{
    struct log_entry entry = {.kind = kind_of(record->type), .time = record->time, .seq = record->seq};
    const json_t *turn = json_object_get(record->json, entry.kind == ENTRY_END ? "turns" : "turn");
    entry.turn = (struct turn_number){(int)json_integer_value(turn), game->draws.rollbacks};
    game_log_name(entry.name, game);
    memcpy(entry.head, record->head, HEAD_BYTES);
    if (entry.kind == ENTRY_RECEIPT)
        take_text(game, record, &entry);
    else if (entry.kind == ENTRY_CLOSE)
        game_entry_alpha(entry.alpha, game);
    log_entry_write(out, &entry);
    str_addc(out, '\n');
}
