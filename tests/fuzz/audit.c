/* Fuzz target: the audit of a game that its own league may have written as it likes. A line "+TYPE
 * {...}" is a record that is signed and chained here by the league's key; every other line is a journal's line as
 * it stands (tests/fuzz/journal.c). Whatever they hold: an answer, one sentence, and the same for the public with
 * and without the league's secret.
 *
 * FUZZ_SEEDS=DIR writes a game of every ruleset as seeds there and ends. */
#include "game_lines.h"

#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "audit/audit.h"
#include "orders/frame.h"
#include "trust/canon.h"

static struct fixed fixed;

/* ---- seeds ---- */

static json_t *signature_of(const struct secret *secret, const struct str *text)
{
    struct err err = ERR_INIT;
    struct str armored = STR_INIT, line = STR_INIT, bytes = STR_INIT;
    struct signature sig;
    struct pubkey key;
    sshsig_sign(&armored, secret->key, NS_ORDERS, slice_str(text));
    need(signature_parse(slice_str(&armored), &sig, &err) == 0);
    secret_public(secret, &key);
    pubkey_format(&line, &key);
    base64_encode(&bytes, sig.sig, sizeof sig.sig);
    json_t *json = json_pack("{s:s,s:s,s:s,s:s}", "key", line.p, "sig", bytes.p, "hash", "sha512",
                             "namespace", NS_ORDERS);
    str_release(&armored);
    str_release(&line);
    str_release(&bytes);
    return json;
}

static void give_orders(struct step *step, struct game *game, int seat)
{
    struct err err = ERR_INIT;
    struct str exact = STR_INIT, text = STR_INIT;
    struct frame frame;
    enum orders_fate fate;
    unsigned char mail[32] = {9, (unsigned char)game->seq};
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, game->opened.head, HEAD_BYTES);
    str_addf(&exact, "#turnpost orders\ngame: gc-1\nturn: %d\nhead: %s\nsay all hello\nalways auto\n",
             game->turn, head);
    game->ruleset->robot(game->cards, game->state, seat, &exact);
    str_adds(&exact, "#end\n");
    json_t *signature = signature_of(seat == 1 ? &fixed.alice : &fixed.bob, &exact);
    canon_text(&text, slice_str(&exact));
    need(frame_parse(slice_str(&text), &frame, &err) == 0);
    struct orders_input input = {.seat = seat,
                                 .frame = &frame,
                                 .key = &game->seat[seat].keys[0],
                                 .exact = slice_str(&exact),
                                 .canonical = slice_str(&text),
                                 .signature = signature,
                                 .mail = mail};
    need(step_orders(step, game, &input, &fate, &err) == 0 && fate == ORDERS_TAKEN);
    json_decref(signature);
    str_release(&exact);
    str_release(&text);
}

/* What the harness adds again is left out. */
static void unsigned_line(struct str *out, struct slice line)
{
    static const char *const common[] = {"game", "seq", "prev", "type", "time"};
    struct err err = ERR_INIT;
    struct record record;
    need(record_parse(line, &record, &err) == 0);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        (void)json_object_del(record.json, common[i]);
    str_addf(out, "+%s ", record.type);
    json_write(out, record.json);
    str_addc(out, '\n');
    record_release(&record);
}

static void write_seeds(const char *dir)
{
    for (size_t i = 0; rulesets[i]; i++) {
        struct game game;
        struct step step;
        struct err err = ERR_INIT;
        struct str text = STR_INIT, path = STR_INIT;
        struct slice rest, line;
        game_init(&game);
        fixed_game(&fixed, rulesets[i], &step, &game);
        for (int turn = 0; turn < 2 && !game.over; turn++)
            for (int seat = 1; seat <= game.seats; seat++)
                if (game_missing(&game) & SEAT_BIT(seat))
                    give_orders(&step, &game, seat);
        for (rest = slice_str(&step.records); slice_line(&rest, &line);)
            unsigned_line(&text, (struct slice){line.p, line.len + 1});
        str_addf(&path, "%s/%s.txt", dir, rulesets[i]->name);
        need(file_write(path.p, slice_str(&text), 0644, &err) == 0);
        step_release(&step);
        game_release(&game);
        str_release(&text);
        str_release(&path);
    }
    exit(0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *seeds = getenv("FUZZ_SEEDS");
    (void)argc;
    (void)argv;
    fixed_init(&fixed);
    if (seeds)
        write_seeds(seeds);
    return 0;
}

/* ---- the audit ---- */

static void found(void *arg, const struct audit_finding *finding)
{
    struct str *out = arg;
    need(finding->text[0] && utf8_valid(slice_of(finding->text)) && !strchr(finding->text, '\n'));
    need(finding->kind < AUDIT_KINDS && finding->seq >= 0);
    str_addf(out, "%lld %d %s\n", (long long)finding->seq, (int)finding->kind, finding->text);
}

static void look(const struct str *journal, const unsigned char *master, enum audit_view view,
                 struct str *out)
{
    struct lines one;
    struct audit audit;
    struct audit_result result;
    struct err err = ERR_INIT;
    lines_memory(&one, slice_str(journal));
    audit_init(&audit, &one);
    audit.master = master;
    audit.view = view;
    audit.seat = 1;
    audit.found = found;
    audit.arg = out;
    need(audit_run(&audit, &result, &err) == 0);
    need(result.findings[AUDIT_BROKEN] == (result.verdict >= AUDIT_REFUTED));
    if (view == AUDIT_PUBLIC && result.opened)
        str_adds(out, "opened\n");
    json_decref(audit_json(&result, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str journal = STR_INIT, out = STR_INIT, again = STR_INIT;
    game_lines((struct slice){(const char *)data, size}, &journal);
    look(&journal, fixed.master, AUDIT_MODERATOR, &out);
    str_clear(&out);
    look(&journal, fixed.master, AUDIT_SEAT, &out);
    str_clear(&out);
    look(&journal, fixed.master, AUDIT_PUBLIC, &out);
    look(&journal, NULL, AUDIT_PUBLIC, &again);
    /* With the key in the journal all is public; without it nothing that is in boxes may matter. */
    if (slice_find(slice_str(&journal), "\"type\":\"open\"") == (size_t)-1)
        need(strcmp(out.p, again.p) == 0);
    str_release(&journal);
    str_release(&out);
    str_release(&again);
    return 0;
}
