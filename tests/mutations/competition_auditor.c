/* The audit of competitions as a server: `competition_auditor GAMES RESULTS`, a folder of games and the journal
 * of the league's results; on stdin "LENGTH KEY\n", the league's
 * key in hex, then the bytes of a competition's journal; on stdout a line of JSON for each. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/audit_compete.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "league/league.h"

#define MOST (64L << 20)

static struct audit_played *games;
static struct str results; /* what is known of who enters where there are conditions */
static size_t count, cap;

static void passed(void *arg, const struct record *record, const struct game *game,
                   const struct sealed_set *opened)
{
    (void)opened;
    audit_played_take(arg, record, game);
}

/* A game in lockstep is played by its rules, as robots play its deal. */
static bool in_lockstep(const char *path)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT;
    bool is = file_read(path, MOST, &text, &ignored) == 0 &&
              slice_find(slice_str(&text), "\"lockstep\":{") != (size_t)-1;
    str_release(&text);
    return is;
}

static int take_game(const char *path, struct err *err)
{
    struct lines lines;
    unsigned char master[32];
    struct audit audit;
    struct audit_result result;
    if (lines_open(path, RECORD_MAX + 1, &lines, err))
        return -1;
    games = mem_grow(games, count, &cap, sizeof *games);
    memset(&games[count], 0, sizeof *games);
    audit_init(&audit, &lines);
    if (in_lockstep(path) && league_master_of(path, master))
        audit.master = master;
    else
        audit.shut = true;
    audit.passed = passed;
    audit.arg = &games[count++];
    int rc = audit_run(&audit, &result, err);
    lines_close(&lines);
    return rc;
}

static int take_games(const char *dir, struct err *err)
{
    struct file_names names;
    int rc = file_list(dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct str path = STR_INIT;
        str_addf(&path, "%s/%s/journal.jsonl", dir, names.name[i]);
        rc = take_game(path.p, err);
        str_release(&path);
    }
    return rc;
}

static int answer(const struct str *journal, const unsigned char key[32], struct err *err)
{
    struct lines lines;
    struct audit_competition_result result;
    const struct audit_competition in = {.journal = &lines,
                                         .league_key = key,
                                         .games = games,
                                         .count = count,
                                         .results = slice_str(&results),
                                         .whole = true};
    lines_memory(&lines, slice_str(journal));
    if (audit_competition_run(&in, &result, err))
        return -1;
    bool broken = result.verdict >= AUDIT_REFUTED;
    struct str out = STR_INIT;
    json_t *json = json_pack("{s:i,s:I,s:s,s:o}", "verdict", (int)result.verdict, "record",
                             (json_int_t)(broken ? result.first.seq : 0), "kind",
                             broken ? audit_kind_name(result.first.kind) : "", "why",
                             json_text(slice_of(broken ? result.first.text : "")));
    json_write(&out, json);
    str_addc(&out, '\n');
    (void)fputs(out.p, stdout);
    json_decref(json);
    str_release(&out);
    return fflush(stdout);
}

int main(int argc, char **argv)
{
    struct str journal = STR_INIT;
    struct err err = ERR_INIT;
    char line[128];
    str_init(&results);
    int rc = argc != 3 || sodium_init() < 0 || take_games(argv[1], &err) ||
                     file_read(argv[2], MOST, &results, &err)
                 ? -1
                 : 0;
    while (rc == 0 && fgets(line, sizeof line, stdin)) {
        unsigned char key[32];
        char *end;
        long len = strtol(line, &end, 10);
        str_clear(&journal);
        if (len < 0 || len > MOST || !hex_decode(key, sizeof key, slice_trim(slice_of(end))))
            rc = -1;
        if (rc == 0 && len) {
            str_reserve(&journal, (size_t)len);
            journal.len = fread(journal.p, 1, (size_t)len, stdin);
            journal.p[journal.len] = '\0';
        }
        if (rc == 0)
            rc = answer(&journal, key, &err);
    }
    if (rc)
        fprintf(stderr, "competition_auditor: %s\n", err.text);
    str_release(&journal);
    str_release(&results);
    return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}
