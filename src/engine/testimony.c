#include "engine/testimony.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "engine/witness.h"
#include "journal/record.h"

#define LINE_HEX 64 /* hex digits of the proof in a line, so that no mail program breaks it */

static bool read_number(struct slice *line, int64_t *number)
{
    struct slice word;
    char text[16];
    char *end;
    if (!slice_word(line, &word) || word.len >= sizeof text)
        return false;
    (void)snprintf(text, sizeof text, "%.*s", (int)word.len, word.p);
    *number = strtoll(text, &end, 10);
    return end != text && !*end;
}

int testimony_read(struct slice lines, struct testimony *memory, struct err *err)
{
    struct slice line, head;
    unsigned char bytes[HEAD_BYTES];
    memset(memory, 0, sizeof *memory);
    for (int number = 1; slice_line(&lines, &line); number++) {
        if (!read_number(&line, &memory->seq) || !read_number(&line, &memory->turn) ||
            !slice_word(&line, &head) || !hex_decode(bytes, sizeof bytes, head))
            return err_set(err, ERR_BROKEN, "line %d must be \"SEQ TURN HEAD\"", number);
        memcpy(memory->before, memory->last, sizeof memory->last);
        hex_to(memory->last, bytes, sizeof bytes);
    }
    return 0;
}

int testimony_close(struct slice line, const unsigned char league[32], struct close_seen *seen,
                    struct err *err)
{
    struct record record;
    int rc = record_parse(line, &record, err);
    if (rc == 0) {
        json_t *turn = json_object_get(record.json, "turn");
        if (strcmp(record.type, "close") != 0 || !json_is_integer(turn))
            rc = err_set(err, ERR_INPUT, "the record is no close of a turn");
        else
            rc = record_check(&record, line, record.game, record.seq, record.prev, league, err);
        memcpy(seen->game, record.game, sizeof seen->game);
        memcpy(seen->head, record.head, HEAD_BYTES);
        seen->seq = record.seq;
        seen->turn = json_integer_value(turn);
        record_release(&record);
    }
    if (rc)
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
    unsigned char alpha[WITNESS_ALPHA], proof[VRF_PROOF], beta[VRF_OUTPUT];
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
    witness_alpha(alpha, seen->head);
    if (!vrf_prove(proof, beta, vrf_secret, vrf_public, alpha, sizeof alpha))
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
