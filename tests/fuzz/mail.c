/* Fuzz target: whole mails into the engine, as `turnpost run` takes them in: a league with fixed keys, a game
 * of Galaxy Command, bob's orders in already. The bytes are up to four mails divided by lines "@@@@";
 * "@@@clock" instead lets the deadline pass. Within a mail some words stand for what cannot be guessed:
 *
 *   @head@          the head that orders of the open turn answer
 *   @turn@          the open turn
 *   @end-alice@     the last line of orders, and the signature of alice over all from the last "#turnpost"
 * on; before
 *   @end-bob@       it a comment that nobody else may ever see
 *
 * Checked after each mail: the commit went well; the journal alone gives the same game; every mail that left
 * is one of ours, and holds no other player's sealed text or signature; the journal holds none at all. */
#include "fixed.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/batch.h"
#include "intake/intake.h"
#include "keys_alone.h"
#include "petitions/rekey.h"
#include "mail/message.h"
#include "trust/envelope.h"
#include "game/game_load.h"

#define MAILS_MOST 4
#define ADDRESS    "league@example.org"

struct player_fixture {
    const char *name, *address, *secret;
    const struct secret *key;
    struct str sigs[2 * MAILS_MOST + 1]; /* signatures of sealed texts, base64 */
    size_t sig_count;
};

static struct fixed fixed;
static struct player_fixture people[] = {
    {"alice", "alice@example.net", "zyx-alice-private", &fixed.alice, {{0}}, 0},
    {"bob", "bob@example.com", "zyx-bob-private", &fixed.bob, {{0}}, 0}};
#define PEOPLE (sizeof people / sizeof *people)
static char dir[64];
static struct league league;
static struct batch batch;
/* The league as every input finds it. */
static struct str journal, state;

/* ---- making mails ---- */

static void add_armor(struct str *out, struct player_fixture *who, struct slice text)
{
    struct str armor = STR_INIT;
    struct signature sig;
    struct err err = ERR_INIT;
    sshsig_sign(&armor, who->key->key, NS_ORDERS, text);
    need(signature_parse(slice_str(&armor), &sig, &err) == 0);
    if (who->sig_count < sizeof who->sigs / sizeof *who->sigs) {
        struct str *kept = &who->sigs[who->sig_count++];
        str_init(kept);
        base64_encode(kept, sig.sig, sizeof sig.sig);
    }
    str_addslice(out, slice_str(&armor));
    str_release(&armor);
}

static void end_orders(struct str *out, struct player_fixture *who)
{
    str_addf(out, "# %s\n#end\n", who->secret);
    struct slice text = slice_str(out);
    size_t from = 0;
    for (size_t at = 0; at != (size_t)-1;) {
        at = slice_find(slice_sub(text, from + 1, text.len), "#turnpost");
        if (at != (size_t)-1)
            from += 1 + at;
    }
    struct str block = STR_INIT;
    str_addslice(&block, slice_sub(text, from, text.len));
    add_armor(out, who, slice_str(&block));
    str_release(&block);
}

static const struct game *game_now(void)
{
    struct batch_game *entry;
    struct err err = ERR_INIT;
    need(batch_game(&batch, "gc-1", &entry, &err) == 0);
    return &entry->game;
}

/* Signed texts are in bodies, on lines of their own: in a subject they would be the sender's own words,
 * which an answer may well quote. */
static bool in_body(const struct str *mail)
{
    return str_ends(mail->p, "\n") && slice_find(slice_str(mail), "\n\n") != (size_t)-1;
}

static void expand(struct str *out, struct slice mail)
{
    static const char *const words[] = {"@head@", "@turn@", "@end-alice@", "@end-bob@"};
    while (mail.len) {
        size_t n = 0;
        while (n < 4 && !(mail.p[0] == '@' && slice_starts(mail, words[n])))
            n++;
        if (n == 4) {
            str_addc(out, *mail.p);
            mail = slice_sub(mail, 1, mail.len);
            continue;
        }
        if (n == 0) {
            char head[2 * HEAD_BYTES + 1];
            game_answer_head(head, game_now());
            str_adds(out, head);
        } else if (n == 1) {
            str_addf(out, "%d", game_now()->turn);
        } else if (in_body(out)) {
            end_orders(out, &people[n - 2]);
        }
        mail = slice_sub(mail, strlen(words[n]), mail.len);
    }
}

/* ---- what must hold ---- */

static void check_replay(const struct game *game)
{
    struct err err = ERR_INIT;
    struct game again;
    unsigned char one[32], two[32];
    need(game_load(batch.store, "gc-1", NULL, &again, &err) == 0);
    need(again.seq == game->seq && again.turn == game->turn && again.over == game->over &&
         again.clock.deadline == game->clock.deadline && memcmp(again.head, game->head, HEAD_BYTES) == 0);
    fields_digest(game->ruleset->fields, game->state, one);
    fields_digest(again.ruleset->fields, again.state, two);
    need(memcmp(one, two, sizeof one) == 0);
    for (int seat = 1; seat <= game->seats; seat++) {
        need(strcmp(again.seat[seat].standing.p, game->seat[seat].standing.p) == 0);
        need(strcmp(again.seat[seat].orders.text.p, game->seat[seat].orders.text.p) == 0);
        need(again.seat[seat].robot == game->seat[seat].robot &&
             again.seat[seat].missed == game->seat[seat].missed);
    }
    game_release(&again);
}

static bool holds(struct slice text, const char *what)
{
    return slice_find(text, what) != (size_t)-1;
}

static void check_private(const struct player_fixture *who, struct slice text)
{
    need(!holds(text, who->secret));
    for (size_t i = 0; i < who->sig_count; i++)
        need(!holds(text, who->sigs[i].p));
}

/* An outgoing mail: recognisably ours, to one person, with nobody else's secrets. */
static void check_mail(const struct outgoing *mail)
{
    const char *own[] = {ADDRESS};
    struct message msg;
    struct err err = ERR_INIT;
    need(message_parse(slice_str(&mail->mail), &message_limits_default,
                       &(struct message_identity){own, 1, ADDRESS, 0}, &msg, &err) == 0);
    need(msg.kind == MAIL_OWN && msg.part_count >= 1);
    for (size_t i = 0; i < PEOPLE; i++) {
        if (strcmp(mail->envelope_to, people[i].address) == 0)
            continue;
        check_private(&people[i], slice_of(msg.subject));
        for (size_t k = 0; k < msg.part_count; k++) {
            check_private(&people[i], slice_str(&msg.parts[k].exact));
            check_private(&people[i], slice_str(&msg.parts[k].shown));
        }
    }
    for (const char *p = msg.part_count ? msg.parts[0].shown.p : ""; *p; p++)
        need(*p == '\n' || (unsigned char)*p >= ' ');
    message_release(&msg);
}

static void check_all(size_t before)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    for (size_t i = 0; i < batch.mails.count; i++)
        check_mail(batch.mails.list[i]);
    need(store_read(batch.store, "gc-1", STORE_BEGIN, &lines, &err) == 0);
    need(lines.len >= before && lines.len == (size_t)game_now()->journal.length);
    for (size_t i = 0; i < PEOPLE; i++)
        check_private(&people[i], slice_str(&lines));
    if (lines.len > before)
        check_replay(game_now());
    str_release(&lines);
}

/* ---- the league ---- */

static void write_file(const char *name, mode_t mode, struct slice text)
{
    struct err err = ERR_INIT;
    char *path = path_join(dir, name);
    need(file_write_soft(path, text, mode, &err) == 0);
    free(path);
}

static void write_hex(const char *name, const unsigned char bytes[32])
{
    struct str text = STR_INIT;
    hex_encode(&text, bytes, 32);
    write_file(name, 0600, slice_str(&text));
    str_release(&text);
}

static void write_public(const char *name, const struct secret *secret)
{
    struct str text = STR_INIT;
    struct pubkey key;
    secret_public(secret, &key);
    pubkey_format(&text, &key);
    write_file(name, 0644, slice_str(&text));
    str_release(&text);
}

static void make_league(void)
{
    struct err err = ERR_INIT;
    (void)snprintf(dir, sizeof dir, "%s/turnpost-fuzz-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    need(mkdtemp(dir) != NULL);
    need(league_init(dir, "Orion League", ADDRESS, &err) == 0 && keys_alone(dir));
    char *path = path_join(dir, "keys/secret/league");
    need(unlink(path) == 0 && secret_save(path, &fixed.league, "league", false, &err) == 0);
    free(path);
    write_public("keys/league.pub", &fixed.league);
    write_hex("keys/secret/vrf", fixed.vrf_secret);
    write_hex("keys/secret/master", fixed.master);
    for (size_t i = 0; i < PEOPLE; i++) {
        struct player player = {.html = true, .since = NOON};
        char name[64];
        (void)snprintf(player.name, sizeof player.name, "%s", people[i].name);
        (void)snprintf(player.address, sizeof player.address, "%s", people[i].address);
        (void)snprintf(name, sizeof name, "keys/%s.pub", people[i].name);
        need(player_save(dir, &player, &err) == 0);
        write_public(name, people[i].key);
    }
    need(league_open(dir, true, &league, &err) == 0);
    need(batch_open(&batch, &league, NOON, &err) == 0);
}

static void remove_league(void)
{
    struct str command = STR_INIT;
    str_addf(&command, "rm -rf %s", dir);
    (void)!system(command.p);
    str_release(&command);
}

static void one_mail(struct slice raw)
{
    struct err err = ERR_INIT;
    struct incoming incoming = {.id = NULL, .arrived = batch.now, .size = raw.len, .raw = STR_INIT};
    struct reading reading = {0};
    enum intake_fate fate;
    size_t before = (size_t)game_now()->journal.length;
    expand(&incoming.raw, raw);
    incoming.size = incoming.raw.len;
    need(intake_mail(&batch, &incoming, &reading, &fate, &err) == 0);
    reading_release(&reading);
    need(fate != INTAKE_KEPT && fate != INTAKE_WAITS);
    need(batch_commit(&batch, &err) == 0 && batch.broken == 0);
    check_all(before);
    batch_reset(&batch, true);
    str_release(&incoming.raw);
}

static void one_clock(void)
{
    struct err err = ERR_INIT;
    size_t before = (size_t)game_now()->journal.length;
    bool more;
    batch.now += 2 * 86400;
    need(rekey_clock(&batch, &err) == 0);
    need(batch_clock(&batch, 10, &more, &err) == 0);
    need(batch_commit(&batch, &err) == 0 && batch.broken == 0);
    check_all(before);
    batch_reset(&batch, true);
}

static void begin_game(void)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    fixed_game(&fixed, ruleset_newest("galaxy-command"), &step, &game);
    struct batch_game *entry = batch_add(&batch, &game);
    need(batch_take(&batch, entry, &step, NULL, &err) == 0 && batch_commit(&batch, &err) == 0);
    step_release(&step);
    batch_reset(&batch, true);
    one_mail(
        slice_of("From: bob@example.com\nMessage-ID: <1@example.com>\n\n#turnpost orders\ngame: gc-1\n"
                 "turn: @turn@\nhead: @head@\nexplore near or conquer best or bide\nbuild\nsay alice hello\n"
                 "always explore near\n@end-bob@"));
    need(game_now()->seat[2].orders.in);
    need(batch_rest(&batch, 0, &err) == 0);
    char *folder = path_join(dir, "games/gc-1");
    need(store_read(batch.store, "gc-1", STORE_BEGIN, &journal, &err) == 0 &&
         store_read_state(batch.store, "gc-1", &state, &err) == 0);
    free(folder);
}

/* ---- the fuzzer's side ---- */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    log_set_level(LOG_QUIET);
    mail_begin();
    fixed_init(&fixed);
    make_league();
    (void)atexit(remove_league);
    begin_game();
    return 0;
}

static void empty_spool(void)
{
    static const char *const folders[] = {"new", "tmp"};
    for (size_t i = 0; i < 2; i++) {
        struct file_names names;
        struct err err = ERR_INIT;
        char *path = path_join(batch.spool, folders[i]);
        need(file_list(path, &names, &err) == 0);
        for (size_t k = 0; k < names.count; k++) {
            char *name = path_join(path, names.name[k]);
            (void)unlink(name);
            free(name);
        }
        file_names_free(&names);
        free(path);
    }
}

static void restore(void)
{
    struct err err = ERR_INIT;
    struct catalog_game row;
    batch_reset(&batch, false);
    write_file("games/gc-1/journal.jsonl", 0600, slice_str(&journal));
    write_file("games/gc-1/state.json", 0600, slice_str(&state));
    empty_spool();
    batch.now = NOON;
    /* Forgets seen mails and budgets. */
    need(catalog_tidy(batch.catalog, NOON + 1000 * 86400, NOON + 1000 * 86400, &err) == 0);
    batch_catalog_row(game_now(), &row);
    need(catalog_begin(batch.catalog, &err) == 0 && catalog_put_game(batch.catalog, &row, NULL, &err) == 0 &&
         catalog_commit(batch.catalog, &err) == 0);
    for (size_t i = 0; i < PEOPLE; i++)
        while (people[i].sig_count > (i == 1)) /* bob's first stays */
            str_release(&people[i].sigs[--people[i].sig_count]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice rest = {(const char *)data, size};
    for (size_t i = 0; i < PEOPLE; i++)
        if (holds(rest, people[i].secret))
            return -1; /* a secret that a player writes in press is no leak */
    restore();
    for (int n = 0; n < MAILS_MOST && rest.len; n++) {
        size_t end = slice_find(rest, "\n@@@@\n");
        struct slice mail = end == (size_t)-1 ? rest : slice_sub(rest, 0, end);
        rest = end == (size_t)-1 ? (struct slice){NULL, 0} : slice_sub(rest, end + 6, rest.len);
        if (slice_starts(mail, "@@@clock"))
            one_clock();
        else
            one_mail(mail);
    }
    return 0;
}
