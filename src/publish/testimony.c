#include "publish/testimony.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/version.h"
#include "game/members.h"
#include "game/turn.h"
#include "game/witness.h"
#include "journal/record.h"

#define TURN_MOST 9999 /* what a text can name */
#define LINE_HEX  64   /* hex digits of the proof in a line, so that no mail program breaks it */

int testimony_read(struct slice lines, struct testimony *memory, struct err *err)
{
    struct slice line, head;
    unsigned char bytes[HEAD_BYTES];
    memset(memory, 0, sizeof *memory);
    for (int number = 1; slice_line(&lines, &line); number++) {
        if (!slice_number(&line, &memory->seq) || !slice_number(&line, &memory->turn) ||
            !slice_word(&line, &head) || !hex_decode(bytes, sizeof bytes, head))
            return err_set(err, ERR_BROKEN, "line %d must be \"SEQ TURN HEAD\"", number);
        if (slice_word(&line, &head))
            return version_newer(err, "line %d: \"%.*s\" after the head", number,
                                 (int)(head.len < 40 ? head.len : 40), head.p);
        memcpy(memory->before, memory->last, sizeof memory->last);
        hex_to(memory->last, bytes, sizeof bytes);
    }
    return 0;
}

/* A line that is a record of this type and signed by the league. */
static int read_signed(struct slice line, const char *type, const unsigned char league[32],
                       struct record *record, struct err *err)
{
    if (record_parse(line, record, err))
        return -1;
    if (strcmp(record->type, type) != 0)
        return err_set(err, ERR_INPUT, "the record is no \"%s\"", type);
    if (record_check(record, line, &(struct record_place){record->game, record->seq, record->prev}, league,
                     err))
        return -1;
    const char *stranger = members_stranger(record);
    return stranger ? version_newer(err, "record %lld of game %s (%s): its member \"%.40s\"",
                                    (long long)record->seq, record->game, type, stranger)
                    : 0;
}

/* The alpha of the closed turn, from `create` and the marks that the `close` names. */
static int alpha_of_marks(struct slice create, const struct record *close, const unsigned char league[32],
                          struct str *alpha, struct err *err)
{
    unsigned char marks[SEATS_MAX][SEAL_BYTES] = {{0}}, deal[GAME_DEAL];
    struct record record = {.json = NULL};
    const json_t *seals = json_object_get(close->json, "seals");
    size_t i;
    json_t *item;
    int rc = create.len ? read_signed(create, "create", league, &record, err)
                        : err_set(err, ERR_INPUT, "the game's first record is missing");
    size_t seats = (size_t)json_integer_value(json_object_get(record.json, "seats"));
    json_int_t format = json_integer_value(json_object_get(record.json, "format"));
    if (rc == 0 && format > GAME_FORMAT)
        rc = version_newer(err, "record 1 of game %s (create): its \"format\": %lld", close->game,
                           (long long)format);
    if (rc == 0 && (record.seq != 1 || strcmp(record.game, close->game) != 0 || seats > SEATS_MAX ||
                    format != GAME_FORMAT || json_array_size(seals) != seats))
        rc = err_set(err, ERR_INPUT, "the first record is not of this game");
    json_array_foreach (seals, i, item) {
        const char *hex = json_string_value(item);
        if (rc == 0 && (!hex || (*hex && !hex_decode(marks[i], SEAL_BYTES, slice_of(hex)))))
            rc = err_set(err, ERR_INPUT, "its seals cannot be read");
    }
    const char *dealt = json_string_value(json_object_get(close->json, "deal"));
    if (rc == 0 && (!dealt || !hex_decode(deal, sizeof deal, slice_of(dealt))))
        rc = err_set(err, ERR_INPUT, "it names no deal");
    const struct alpha_parts parts = {record.head,
                                      deal,
                                      (int)json_integer_value(json_object_get(close->json, "rollbacks")),
                                      (int)json_integer_value(json_object_get(close->json, "turn")),
                                      (int)seats,
                                      marks[0]};
    if (rc == 0)
        turn_alpha_of(alpha, &parts);
    record_release(&record);
    return rc;
}

void testimony_release(struct close_seen *seen)
{
    str_release(&seen->alpha);
}

int testimony_close(struct slice lines, const unsigned char league[32], struct close_seen *seen,
                    struct err *err)
{
    struct record record = {.json = NULL};
    struct str over = STR_INIT;
    struct slice line = lines, rest = lines, create = {NULL, 0};
    (void)slice_line(&rest, &line);
    if (rest.len)
        create = slice_sub(lines, 0, lines.len - rest.len);
    line = rest.len ? rest : lines;
    *seen = (struct close_seen){.alpha = STR_INIT};
    int rc = read_signed(line, "close", league, &record, err);
    bool is_signed = record.json != NULL; /* otherwise anybody may have written it */
    const json_t *turn = json_object_get(record.json, "turn");
    json_int_t number = json_integer_value(turn);
    bool marked = json_object_get(record.json, "set") != NULL;
    if (rc == 0 && (!json_is_integer(turn) || number < 0 || number > TURN_MOST))
        rc = err_set(err, ERR_INPUT, "the record names no turn");
    if (rc == 0 && marked)
        rc = alpha_of_marks(create, &record, league, &over, err);
    if (rc == 0) {
        if (!marked)
            str_add(&over, record.head, HEAD_BYTES);
        memcpy(seen->game, record.game, sizeof seen->game);
        memcpy(seen->head, record.head, HEAD_BYTES);
        seen->seq = record.seq;
        seen->turn = number;
        witness_alpha_of(&seen->alpha, slice_str(&over));
    }
    record_release(&record);
    str_release(&over);
    if (rc && !(err->code == ERR_NEWER && is_signed))
        err->code = ERR_INPUT;
    return rc;
}

static void add_proof(struct str *text, const unsigned char proof[VRF_PROOF])
{
    struct str hex = STR_INIT;
    hex_encode(&hex, proof, VRF_PROOF);
    for (size_t at = 0; at < hex.len; at += LINE_HEX) {
        str_addslice(text, slice_sub(slice_str(&hex), at, LINE_HEX));
        str_addc(text, '\n');
    }
    str_release(&hex);
}

int testimony_answer(const struct close_seen *seen, const struct testimony *memory,
                     const unsigned char vrf_secret[VRF_SECRET], const unsigned char vrf_public[VRF_PUBLIC],
                     struct str *text, struct str *line, struct err *err)
{
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT];
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, seen->head, HEAD_BYTES);
    bool again = strcmp(head, memory->last) == 0;
    const char *last = again ? memory->before : memory->last;
    if (!again && seen->seq <= memory->seq)
        return err_set(err, ERR_BROKEN,
                       "game %s: record %lld closes turn %lld with the head %.16s..., but record %lld was "
                       "answered before (%.16s...): the league shows two histories. It gets no answer; keep "
                       "both mails",
                       seen->game, (long long)seen->seq, (long long)seen->turn, head, (long long)memory->seq,
                       memory->last);
    if (!vrf_prove(proof, beta, vrf_secret, vrf_public, slice_str(&seen->alpha)))
        return err_set(err, ERR_CONFIG, "keys/secret/vrf is not a usable key");
    if (!again)
        str_addf(line, "%lld %lld %s\n", (long long)seen->seq, (long long)seen->turn, head);
    str_addf(text, "#turnpost witness\ngame: %s\nturn: %lld\nhead: %s\n", seen->game, (long long)seen->turn,
             head);
    if (*last)
        str_addf(text, "last: %s\n", last);
    add_proof(text, proof);
    str_adds(text, "#end\n");
    return 0;
}
