/* The audit as a server, for thousands of journals in one process: on stdin "LENGTH KEY MASTER [GAME OPENED]\n", the length of a
 * journal, the league's key in hex and its secret, which opens the boxes ("-": not known), and the game and the length of lines
 * that open some of them; then the journal, and these lines; on stdout a line of JSON for each: verdict, and what rests on the
 * operator's word. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/encode.h"
#include "base/json.h"
#include "audit/audit.h"
#include "publish/reply_says.h"

#define MOST (64L << 20)

static int read_bytes(struct str *out, long len)
{
    str_clear(out);
    if (len <= 0)
        return 0;
    str_reserve(out, (size_t)len);
    size_t got = fread(out->p, 1, (size_t)len, stdin);
    out->len = got;
    out->p[got] = '\0';
    return got == (size_t)len ? 0 : -1;
}

static int answer(const struct str *journal, const unsigned char *key, const unsigned char *master,
                  const struct seal_openings *only)
{
    struct err err = ERR_INIT;
    struct lines of_journal;
    struct audit audit;
    struct audit_result result;
    struct str out = STR_INIT;
    lines_memory(&of_journal, slice_str(journal));
    audit_init(&audit, &of_journal);
    audit.master = master;
    audit.only = only;
    audit.league_key = key;
    audit.says = reply_says;
    if (audit_run(&audit, &result, &err)) {
        fprintf(stderr, "auditor: %s\n", err.text);
        return -1;
    }
    bool broken = result.verdict >= AUDIT_REFUTED;
    json_t *json = json_pack(
        "{s:i,s:I,s:s,s:o,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "verdict", (int)result.verdict, "record",
        (json_int_t)(broken ? result.first.seq : 0), "kind", broken ? audit_kind_name(result.first.kind) : "",
        "why", json_text(slice_of(broken ? result.first.text : "")), "missed",
        (json_int_t)result.word[AUDIT_MISSED], "deadlines", (json_int_t)result.word[AUDIT_DEADLINE],
        "interventions", (json_int_t)result.word[AUDIT_INTERVENTION], "keys",
        (json_int_t)result.word[AUDIT_KEYS], "strangers", (json_int_t)result.word[AUDIT_SIGNATURE], "acts",
        (json_int_t)result.word[AUDIT_ACT], "mailboxes", (json_int_t)result.word[AUDIT_MAILBOX]);
    json_write(&out, json);
    str_addc(&out, '\n');
    (void)fputs(out.p, stdout);
    json_decref(json);
    str_release(&out);
    return fflush(stdout);
}

int main(void)
{
    struct str journal = STR_INIT, opened = STR_INIT;
    char line[256];
    unsigned char key[32], master[32];
    int rc = sodium_init() < 0 ? -1 : 0;
    while (rc == 0 && fgets(line, sizeof line, stdin)) {
        char *end;
        long len = strtol(line, &end, 10);
        struct slice rest = slice_of(end), word;
        bool known = slice_word(&rest, &word) && hex_decode(key, sizeof key, word);
        bool opens = slice_word(&rest, &word) && hex_decode(master, sizeof master, word);
        char game[64] = "", length[16] = "";
        if (slice_word(&rest, &word))
            (void)snprintf(game, sizeof game, "%.*s", (int)word.len, word.p);
        if (slice_word(&rest, &word))
            (void)snprintf(length, sizeof length, "%.*s", (int)word.len, word.p);
        struct seal_openings only = {NULL, 0, 0};
        if (len < 0 || len > MOST || read_bytes(&journal, len) ||
            read_bytes(&opened, strtol(length, NULL, 10)))
            return EXIT_FAILURE;
        seal_openings_read(&only, game, slice_str(&opened));
        rc = answer(&journal, known ? key : NULL, opens ? master : NULL, *game ? &only : NULL);
        seal_openings_release(&only);
    }
    str_release(&journal);
    str_release(&opened);
    return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}
