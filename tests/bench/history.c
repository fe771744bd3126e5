/* What a long history costs.
 *
 *     history verify RECORDS
 *         the records of a journal parsed and checked one after the other (chain and signature), against
 *         bare Ed25519 verification of the same bytes; prints records a second
 *
 *     history turns DIR RULESET GAMES LATE
 *         turn LATE of games against turn 2 of as many others, one by one: loaded from disk, orders of all
 *         seats, resolved, committed (without sync) and saved; prints milliseconds of processor time. DIR: a
 *         league with players p0, p1 ...
 */
#include "bench.h"
#include "../sits.h"

#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "batch/batch.h"
#include "journal/record.h"
#include "mail/message.h"
#include "trust/canon.h"

#define AT_ONCE 500 /* records */

/* In place of the C library's: what the disk does is not measured here. */
int syncfs(int fd)
{
    (void)fd;
    return 0;
}

/* ---- verify ---- */

/* Three records a turn, of the sizes that a game of three seats has. */
static json_t *record_fields(int number, const char **type)
{
    char hex[2 * 80 + 1], seal[65];
    unsigned char bytes[80];
    randombytes_buf(bytes, sizeof bytes);
    (void)sodium_bin2hex(hex, sizeof hex, bytes, sizeof bytes);
    (void)sodium_bin2hex(seal, sizeof seal, bytes, 32);
    int turn = 1 + number / 3;
    if (number % 3 == 0) {
        *type = "orders";
        return json_pack("{s:s,s:s,s:i,s:i}", "mail", seal, "seal", seal, "seat", 1, "turn", turn);
    }
    if (number % 3 == 1) {
        *type = "close";
        return json_pack("{s:[],s:[s,s,s],s:i}", "missed", "seals", seal, "", "", "turn", turn);
    }
    *type = "turn";
    return json_pack("{s:s,s:s,s:[],s:s,s:[s,s,s],s:s,s:i}", "deadline", "2026-12-01T08:00:00Z", "events",
                     seal, "hidden", "pi", hex, "reports", seal, "", "", "state", seal, "turn", turn);
}

static void write_journal(struct str *journal, int count)
{
    unsigned char head[HEAD_BYTES] = {0};
    for (int i = 0; i < count; i++) {
        const char *type;
        json_t *fields = record_fields(i, &type);
        record_write(journal, &(struct record_text){{"gc-1", i + 1, head}, type, NOW + i, fields}, head);
        json_decref(fields);
    }
}

struct journal {
    struct slice *line;
    unsigned char (*sig)[crypto_sign_BYTES]; /* of each line as it is */
};

/* The records from..to, parsed and checked. */
static double check_records(const struct journal *journal, int from, int to, unsigned char prev[HEAD_BYTES])
{
    double began = seconds();
    struct err err = ERR_INIT;
    for (int i = from; i < to; i++) {
        struct record record;
        if (record_parse(journal->line[i], &record, &err) ||
            record_follows(&record, &(struct record_place){"gc-1", i + 1, prev}, &err))
            fail(&err);
        memcpy(prev, record.head, HEAD_BYTES);
        record_release(&record);
    }
    return seconds() - began;
}

/* The same lines, verified by libsodium alone. */
static double check_bare(const struct journal *journal, int from, int to, const struct secret *key)
{
    double began = seconds();
    for (int i = from; i < to; i++)
        if (crypto_sign_verify_detached(journal->sig[i], (const unsigned char *)journal->line[i].p,
                                        journal->line[i].len, key->point) != 0)
            exit(EXIT_FAILURE);
    return seconds() - began;
}

/* Both in turns, so that what else the machine does is felt by both. */
static void verify(int count)
{
    struct str text = STR_INIT;
    struct secret key;
    double ours = 0, bare = 0;
    unsigned char prev[HEAD_BYTES] = {0};
    secret_new(&key);
    write_journal(&text, count);
    struct journal journal = {mem_array((size_t)count, sizeof *journal.line),
                              mem_array((size_t)count, sizeof *journal.sig)};
    struct slice rest = slice_str(&text);
    for (int i = 0; i < count; i++) {
        size_t len = (size_t)((const char *)memchr(rest.p, '\n', rest.len) - rest.p) + 1;
        journal.line[i] = slice_sub(rest, 0, len);
        (void)crypto_sign_detached(journal.sig[i], NULL, (const unsigned char *)rest.p, len, key.key);
        rest = slice_sub(rest, len, rest.len);
    }
    for (int from = 0; from < count; from += AT_ONCE) {
        int to = from + AT_ONCE < count ? from + AT_ONCE : count;
        ours += check_records(&journal, from, to, prev);
        bare += check_bare(&journal, from, to, &key);
    }
    printf("ours %.0f\nbare %.0f\nbytes %zu\n", count / ours, count / bare, text.len / (size_t)count);
    free(journal.line);
    free(journal.sig);
    str_release(&text);
}

/* ---- turns ---- */

static void name_game(char name[GAME_NAME], int n)
{
    (void)snprintf(name, GAME_NAME, "g%d", n);
}

static void create(struct batch *batch, const char *ruleset, int n)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    char id[GAME_NAME];
    struct secret secret[3];
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    struct new_game how = {.id = id, .ruleset = ruleset_newest(ruleset), .seats = 2};
    struct step_keys keys = batch_keys(batch);
    name_game(id, n);
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = bench_option(&how.ruleset->options[i]);
    for (int seat = 1; seat <= how.seats; seat++) {
        how.seat[seat].player = seat == 1 ? "p0" : "p1";
        player_secret(&secret[seat], seat - 1);
        by[seat].secret = &secret[seat];
    }
    step_init(&step, &keys, batch->now);
    if (sits_create(&step, &game, &how, by, &err))
        fail(&err);
    struct batch_game *entry = batch_add(batch, &game);
    str_addslice(&entry->records, slice_str(&step.records));
    step_release(&step);
    if (batch_commit(batch, &err))
        fail(&err);
    batch_reset(batch, true);
    if (batch_rest(batch, 0, &err))
        fail(&err);
}

static void give_orders(struct batch *batch, struct batch_game *entry, int seat)
{
    struct err err = ERR_INIT;
    struct secret secret;
    struct pubkey key;
    struct str text = STR_INIT;
    struct frame frame;
    struct step step;
    unsigned char mail[32];
    enum orders_fate fate;
    player_secret(&secret, seat - 1);
    secret_public(&secret, &key);
    orders_begin(&text, &entry->game);
    str_addf(&text, "move 9 fleets from h1 to h2\nsay all turn %d\n#end\n", entry->game.turn);
    message_digest(mail, slice_str(&text));
    json_t *facts = signature_facts((const unsigned char[crypto_sign_BYTES]){0});
    struct str line = STR_INIT;
    pubkey_format(&line, &key);
    json_object_set_new(facts, "key", json_string(line.p)); /* the gate asks whose it is */
    str_release(&line);
    struct orders_input input = {.seat = seat,
                                 .frame = &frame,
                                 .key = &key,
                                 .exact = slice_str(&text),
                                 .canonical = slice_str(&text),
                                 .signature = facts,
                                 .mail = mail};
    batch_step(batch, entry, &step);
    if (frame_parse(slice_str(&text), &frame, &err) ||
        step_orders(&step, &entry->game, &input, &fate, &err) || step_finish(&step, &entry->game, &err) ||
        batch_take(batch, entry, &step, NULL, &err))
        fail(&err);
    step_release(&step);
    json_decref(facts);
    str_release(&text);
}

static void empty_spool(const struct batch *batch)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *dir = path_join(batch->spool, "new");
    if (file_list(dir, &names, &err))
        fail(&err);
    for (size_t i = 0; i < names.count; i++) {
        char *path = path_join(dir, names.name[i]);
        (void)unlink(path);
        free(path);
    }
    file_names_free(&names);
    free(dir);
}

/* Plays game n on to the turn after `turn`; processor time. */
static double play(struct batch *batch, int n, int turn)
{
    struct err err = ERR_INIT;
    char id[GAME_NAME];
    struct batch_game *entry;
    name_game(id, n);
    double began = seconds();
    if (batch_game(batch, id, &entry, &err))
        fail(&err);
    while (entry->game.turn <= turn && !entry->game.over) {
        uint32_t missing = game_missing(&entry->game);
        for (int seat = 1; seat <= entry->game.seats; seat++)
            if (missing & SEAT_BIT(seat))
                give_orders(batch, entry, seat);
    }
    if (entry->game.over) {
        (void)fprintf(stderr, "bench: the game was over at turn %d\n", entry->game.turn);
        exit(EXIT_FAILURE);
    }
    if (batch_commit(batch, &err))
        fail(&err);
    batch_reset(batch, true);
    if (batch_rest(batch, 0, &err))
        fail(&err);
    double spent = seconds() - began;
    empty_spool(batch);
    return spent;
}

static void turns(const char *dir, const char *ruleset, int games, int late)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    double old = 0, fresh = 0;
    if (league_open(dir, true, &league, &err) || batch_open(&batch, &league, NOW, &err))
        fail(&err);
    for (int n = 0; n < 2 * games; n++)
        create(&batch, ruleset, n);
    for (int n = 0; n < games; n++)
        for (int turn = 1; turn < late; turn++)
            (void)play(&batch, n, turn);
    for (int n = 0; n < games; n++)
        (void)play(&batch, games + n, 1);
    for (int n = 0; n < games; n++) {
        old += play(&batch, n, late);
        fresh += play(&batch, games + n, 2);
    }
    printf("late %.4f\nearly %.4f\n", 1000 * old / games, 1000 * fresh / games);
    batch_close(&batch);
    league_close(&league);
}

int main(int argc, char **argv)
{
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    mail_begin();
    if (argc == 3 && strcmp(argv[1], "verify") == 0)
        verify((int)strtol(argv[2], NULL, 10));
    else if (argc == 6 && strcmp(argv[1], "turns") == 0)
        turns(argv[2], argv[3], (int)strtol(argv[4], NULL, 10), (int)strtol(argv[5], NULL, 10));
    else
        return 64;
    return 0;
}
