/* The files of a game gc-1 out of the bytes of a fuzzer: "+type {...}" is a
 * record that is given its number and chain here; any other line is one of the journal as it
 * is. */
#ifndef TESTS_FUZZ_GAME_LINES_H
#define TESTS_FUZZ_GAME_LINES_H

#include "base/json.h"
#include "fixed.h" /* NOON */
#include "journal/record.h"

#define LINES_MOST 60

static void add_chained(struct str *journal, struct slice text, int64_t *seq, unsigned char head[HEAD_BYTES])
{
    char type[12] = "";
    struct slice word;
    struct err err = ERR_INIT;
    unsigned char prev[HEAD_BYTES];
    if (!slice_word(&text, &word) || word.len >= sizeof type)
        return;
    for (size_t i = 0; i < word.len; i++)
        if (word.p[i] < 'a' || word.p[i] > 'z')
            return;
    memcpy(type, word.p, word.len);
    json_t *fields = json_read(slice_trim(text), "fields", &err);
    if (json_is_object(fields)) {
        memcpy(prev, head, sizeof prev);
        record_write(journal, &(struct record_text){{"gc-1", ++*seq, prev}, type, NOON, fields}, head);
    }
    json_decref(fields);
}

static inline void game_lines(struct slice text, struct str *journal)
{
    unsigned char head[HEAD_BYTES] = {0};
    int64_t seq = 0;
    struct slice line;
    for (int count = 0; count < LINES_MOST && slice_line(&text, &line); count++) {
        if (line.len && line.p[0] == '+')
            add_chained(journal, slice_sub(line, 1, line.len), &seq, head);
        else
            str_addf(journal, "%.*s\n", (int)line.len, line.p);
    }
}

#endif
