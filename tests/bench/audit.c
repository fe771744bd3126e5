/* The audit against what it cannot do without: the signatures, proofs and hashes as bare calls of libsodium,
 * and the turns played again.
 *
 *     audit make DIR COUNT
 *         COUNT finished games in DIR, of all rulesets in turn; every order signed by its player
 *
 *     audit long DIR ORDERS
 *         one game in DIR, whose first turn has so many orders that replace each other
 *
 *     audit bare DIR
 *         prints processor seconds: of the turns played again (with their proofs, as game/apply.h does it),
 * and of all other calls of libsodium that the audit of these games makes
 */
#include "bench.h"
#include "../sits.h"

#include "base/file.h"
#include "game/apply.h"
#include "audit/audit.h"
#include "game/turn.h"
#include "base/encode.h"
#include "orders/frame.h"
#include "bare.h"

#define TURNS_MOST 300

static const unsigned char no_master[32]; /* of the league that makes the games */

struct maker {
    struct secret league, player[SEATS_MAX + 1];
    unsigned char vrf_secret[VRF_SECRET], vrf_public[VRF_PUBLIC], master[32];
    struct step_keys keys;
    struct str journal;
    int mails;
};

static void maker_init(struct maker *maker)
{
    static const unsigned char vrf_secret[VRF_SECRET] = "the dice of the benchmark";
    memset(maker, 0, sizeof *maker);
    player_secret(&maker->league, 1000);
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        player_secret(&maker->player[seat], seat);
    memcpy(maker->vrf_secret, vrf_secret, VRF_SECRET);
    if (!vrf_public(maker->vrf_public, maker->vrf_secret))
        exit(EXIT_FAILURE);
    str_init(&maker->journal);
    maker->keys =
        (struct step_keys){&maker->league, maker->vrf_secret, maker->vrf_public, maker->master, NULL};
}

static void take(struct maker *maker, struct step *step)
{
    str_addslice(&maker->journal, slice_str(&step->records));
    step_release(step);
}

static void new_game(struct maker *maker, const struct ruleset *ruleset, int seats, const char *id,
                     struct game *game)
{
    struct err err = ERR_INIT;
    struct step step;
    char names[SEATS_MAX + 1][PLAYER_NAME];
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    struct new_game how = {.id = id, .ruleset = ruleset, .seats = seats, .turn_length = DAY};
    for (int i = 0; i < GAME_OPTIONS && ruleset->options[i].name; i++)
        how.options[i] = bench_option(&ruleset->options[i]);
    for (int seat = 1; seat <= seats; seat++) {
        (void)snprintf(names[seat], PLAYER_NAME, "p%d", seat);
        how.seat[seat].player = names[seat];
        by[seat].secret = &maker->player[seat];
    }
    step_init(&step, &maker->keys, NOW);
    if (sits_create(&step, game, &how, by, &err))
        fail(&err);
    take(maker, &step);
}

/* As intake keeps a signature (intake/intake.c). */
static json_t *signature_of(const struct maker *maker, int seat, const struct str *text)
{
    struct err err = ERR_INIT;
    struct str armored = STR_INIT, line = STR_INIT, bytes = STR_INIT;
    struct signature sig;
    struct pubkey key;
    sshsig_sign(&armored, maker->player[seat].key, NS_ORDERS, slice_str(text));
    if (signature_parse(slice_str(&armored), &sig, &err))
        fail(&err);
    secret_public(&maker->player[seat], &key);
    pubkey_format(&line, &key);
    base64_encode(&bytes, sig.sig, sizeof sig.sig);
    json_t *json = json_pack("{s:s,s:s,s:s,s:s}", "key", line.p, "sig", bytes.p, "hash", "sha512",
                             "namespace", NS_ORDERS);
    str_release(&armored);
    str_release(&line);
    str_release(&bytes);
    return json;
}

static void give_orders(struct maker *maker, struct game *game, int seat, int seq)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct frame frame;
    struct step step;
    unsigned char mail[32] = {0};
    enum orders_fate fate;
    orders_begin(&text, game);
    if (seq)
        str_addf(&text, "seq: %d\nwait: yes\n", seq);
    size_t head = text.len;
    game->ruleset->robot(game->cards, game->state, seat, &text);
    str_adds(&text, text.len == head ? "auto\n#end\n" : "#end\n");
    json_t *signature = signature_of(maker, seat, &text);
    memcpy(mail, &(int){++maker->mails}, sizeof(int));
    if (frame_parse(slice_str(&text), &frame, &err))
        fail(&err);
    struct orders_input input = {.seat = seat,
                                 .frame = &frame,
                                 .key = &game->seat[seat].keys[0],
                                 .exact = slice_str(&text),
                                 .canonical = slice_str(&text),
                                 .signature = signature,
                                 .mail = mail};
    step_init(&step, &maker->keys, NOW);
    game->seat[seat].texts = 0; /* as many as come */
    game->seat[seat].text_bytes = 0;
    if (step_orders(&step, game, &input, &fate, &err))
        fail(&err);
    if (fate != ORDERS_TAKEN)
        exit(EXIT_FAILURE);
    take(maker, &step);
    json_decref(signature);
    str_release(&text);
}

static void save(struct maker *maker, const char *dir, const char *id)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    str_addf(&path, "%s/%s", dir, id);
    if (file_mkdirs(path.p, 0700, &err))
        fail(&err);
    str_adds(&path, "/journal.jsonl");
    if (file_write_soft(path.p, slice_str(&maker->journal), 0600, &err))
        fail(&err);
    str_release(&path);
    str_clear(&maker->journal);
}

static void make(struct maker *maker, const char *dir, int count)
{
    size_t turns = 0;
    for (int i = 0; i < count; i++) {
        const struct ruleset *ruleset = rulesets[0];
        int rulesets_count = 0;
        while (rulesets[rulesets_count])
            rulesets_count++;
        ruleset = rulesets[i % rulesets_count];
        struct game game;
        char id[GAME_NAME];
        int seats = ruleset->seats_max < 3 ? ruleset->seats_max : 3;
        (void)snprintf(id, sizeof id, "b-%d", i);
        new_game(maker, ruleset, seats, id, &game);
        while (!game.over && game.turn <= TURNS_MOST) {
            uint32_t missing = game_missing(&game);
            for (int seat = 1; seat <= game.seats; seat++)
                if (missing & SEAT_BIT(seat))
                    give_orders(maker, &game, seat, 0);
        }
        turns += (size_t)game.turn - 1;
        game_release(&game);
        save(maker, dir, id);
    }
    printf("games %d\nturns %zu\n", count, turns);
}

static void make_long(struct maker *maker, const char *dir, int orders)
{
    struct game game;
    new_game(maker, ruleset_newest("galaxy-command"), 2, "long", &game);
    for (int i = 1; i <= orders; i++)
        give_orders(maker, &game, 1, i);
    game_release(&game);
    save(maker, dir, "long");
}

/* ---- the reference ---- */

static void tally_add(const size_t calls[CALLS], const size_t bytes[CALLS], size_t sum[2][CALLS])
{
    for (int i = 0; i < CALLS; i++) {
        sum[0][i] += used[i].calls - calls[i];
        sum[1][i] += used[i].bytes - bytes[i];
    }
}

struct bare {
    double played;           /* seconds */
    size_t inside[2][CALLS]; /* calls and bytes while turns were played */
    struct game game;
    struct seal_keys keys;
};

static void play(struct bare *bare, const struct record *record)
{
    struct err err = ERR_INIT;
    struct turn_result result = {0};
    bool turn = strcmp(record->type, "turn") == 0 || strcmp(record->type, "start") == 0;
    struct sealed_set opened = {NULL, 0, 0};
    struct apply_input input = {record, bare->game.journal.length + 1, &opened, turn ? &result : NULL, NULL,
                                false};
    sealed_open(&opened, &bare->keys, record->json);
    size_t calls[CALLS], bytes[CALLS];
    for (int i = 0; i < CALLS; i++) {
        calls[i] = used[i].calls;
        bytes[i] = used[i].bytes;
    }
    double began = seconds();
    counting = true;
    if (turn && game_recompute(&bare->game, &input, NULL, &result, &err))
        fail(&err);
    counting = false;
    if (turn) {
        bare->played += seconds() - began;
        tally_add(calls, bytes, bare->inside);
    }
    if (game_apply(&bare->game, &input, &err))
        fail(&err);
    began = seconds();
    turn_result_release(&result);
    bare->played += seconds() - began;
    sealed_set_release(&opened);
}

static void play_game(struct bare *bare, const char *id, struct slice journal)
{
    struct err err = ERR_INIT;
    struct slice rest = journal;
    struct slice line;
    game_init(&bare->game);
    memcpy(bare->game.id, id, strlen(id) + 1);
    bare->keys = (struct seal_keys){.seals = false};
    while (slice_line(&rest, &line)) {
        struct record record;
        if (record_parse((struct slice){line.p, line.len + 1}, &record, &err))
            fail(&err);
        struct seal_promise promise;
        if (record.seq == 1 && seal_promise_read(&promise, id, record.json))
            seal_keys_of(&bare->keys, no_master, &promise);
        play(bare, &record);
        record_release(&record);
    }
    game_release(&bare->game);
}

static void audit_game(struct slice journal)
{
    struct err err = ERR_INIT;
    struct lines one;
    struct audit audit;
    struct audit_result result;
    lines_memory(&one, journal);
    audit_init(&audit, &one);
    audit.master = no_master;
    counting = true;
    if (audit_run(&audit, &result, &err))
        fail(&err);
    counting = false;
    if (result.verdict != AUDIT_PROVED) {
        (void)fprintf(stderr, "bench: %s, record %lld: %s\n", result.game, (long long)result.first.seq,
                      result.first.text);
        exit(EXIT_FAILURE);
    }
}

static void compare(const char *dir)
{
    struct err err = ERR_INIT;
    struct store *store;
    struct file_names names;
    struct bare bare = {0};
    struct secret key;
    double audited = 0;
    player_secret(&key, 1000);
    store = store_open(dir);
    if (store_games(store, &names, &err))
        fail(&err);
    for (size_t i = 0; i < names.count; i++) {
        struct str journal = STR_INIT;
        if (store_read(store, names.name[i], STORE_BEGIN, &journal, &err))
            fail(&err);
        play_game(&bare, names.name[i], slice_str(&journal));
        double began = seconds();
        audit_game(slice_str(&journal));
        audited += seconds() - began;
        str_release(&journal);
    }
    /* What was counted: the turns twice, alone and within the audit; they are in `played` already. */
    for (int i = 0; i < CALLS; i++) {
        used[i].calls -= 2 * bare.inside[0][i];
        used[i].bytes -= 2 * bare.inside[1][i];
    }
    double bare_seconds = bare_sodium(1, 1, &key);
    printf("games %zu\naudit %.3f\nplayed %.3f\nsodium %.3f\n", names.count, audited, bare.played,
           bare_seconds);
    file_names_free(&names);
    store_close(store);
}

int main(int argc, char **argv)
{
    struct maker *maker = calloc(1, sizeof *maker);
    const char *what = argc > 2 ? argv[1] : "";
    if (!maker || sodium_init() < 0)
        return EXIT_FAILURE;
    maker_init(maker);
    if (strcmp(what, "make") == 0 && argc == 4)
        make(maker, argv[2], (int)strtol(argv[3], NULL, 10));
    else if (strcmp(what, "long") == 0 && argc == 4)
        make_long(maker, argv[2], (int)strtol(argv[3], NULL, 10));
    else if (strcmp(what, "bare") == 0 && argc == 3)
        compare(argv[2]);
    else
        return 64;
    free(maker);
    return 0;
}
