/* Turns a second on one core: orders taken up, resolved with proof and seals, records signed, reports
 * rendered and composed; no file is written. Beside it the bare libsodium operations that such a turn needs.
 * Prints "name ours reference" lines.
 *
 *     turns SECONDS
 */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "engine/letters.h"
#include "engine/step.h"
#include "mail/message.h"
#include "orders/frame.h"
#include "trust/canon.h"
#include "trust/signature.h"

#define NOW ((int64_t)1795176000)

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void fail(const struct err *err)
{
    (void)fprintf(stderr, "bench: %s\n", err->text);
    exit(EXIT_FAILURE);
}

struct bench {
    struct league league;
    struct registry registry;
    struct letters letters;
    struct step_keys keys;
    struct secret player;
    struct pubkey player_key;
    size_t turns, mails, record_bytes, report_bytes;
};

static void take_posts(struct bench *bench, const struct game *game, struct step *step)
{
    struct err err = ERR_INIT;
    for (size_t i = 0; i < step->post_count; i++) {
        struct spool_mail mail;
        bool made;
        if (letters_post(&bench->letters, game, &step->posts[i], NOW, NULL, &mail, &made, &err))
            fail(&err);
        if (!made)
            continue;
        bench->mails++;
        if (step->posts[i].kind == POST_REPORT)
            bench->report_bytes += mail.mail.len;
        spool_mail_release(&mail);
    }
    bench->record_bytes += step->records.len;
}

static void new_game(struct bench *bench, struct game *game, int number)
{
    struct err err = ERR_INIT;
    struct step step;
    char id[GAME_NAME];
    (void)snprintf(id, sizeof id, "b-%d", number);
    struct new_game how = {
        .id = id, .ruleset = ruleset_find("galaxy-command"), .seats = 3, .turn_length = 86400};
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    how.seat[1] = (struct new_seat){.player = "alice", .key_count = 1};
    how.seat[1].keys[0] = bench->player_key;
    how.seat[2] = (struct new_seat){.player = "hal", .robot = true};
    how.seat[3] = (struct new_seat){.player = "marvin", .robot = true};
    step_init(&step, &bench->keys, NOW);
    if (step_create(&step, game, &how, &err))
        fail(&err);
    step_release(&step);
}

/* One player's signed orders, verified, and the turn that follows from them. */
static void play_turn(struct bench *bench, struct game *game)
{
    struct err err = ERR_INIT;
    struct step step;
    struct str text = STR_INIT, armored = STR_INIT;
    struct signature sig;
    struct frame frame;
    unsigned char mail[32];
    enum orders_fate fate;
    json_t *facts = json_pack("{s:s}", "key", "bench");
    str_addf(&text,
             "#turnpost orders\ngame: %s\nturn: %d\nexplore near or conquer best or bide\nbuild\n#end\n",
             game->id, game->turn);
    sshsig_sign(&armored, bench->player.key, NS_ORDERS, slice_str(&text));
    message_digest(mail, slice_str(&armored));
    if (signature_parse(slice_str(&armored), &sig, &err) ||
        signature_verify(&sig, &bench->player_key, NS_ORDERS, slice_str(&text), &err) ||
        frame_parse(slice_str(&text), &frame, &err))
        fail(&err);
    struct orders_input input = {1,     &frame, &bench->player_key, slice_str(&text), slice_str(&text),
                                 facts, mail};
    step_init(&step, &bench->keys, NOW);
    if (step_orders(&step, game, NULL, &input, &fate, &err))
        fail(&err);
    take_posts(bench, game, &step);
    bench->turns += step.turns;
    step_release(&step);
    str_release(&text);
    str_release(&armored);
    json_decref(facts);
}

static double run_turns(struct bench *bench, double limit)
{
    double began = seconds();
    for (int number = 0; seconds() - began < limit; number++) {
        struct game game;
        new_game(bench, &game, number);
        while (!game.over && (game_awaited(&game) & SEAT_BIT(1)))
            play_turn(bench, &game);
        game_release(&game);
    }
    return (seconds() - began) / (double)bench->turns;
}

/* What one such turn needs of libsodium: one order signature verified, three records and two heads signed,
 * one VRF proof. */
static double run_bare(const struct bench *bench, double limit)
{
    unsigned char message[1500] = {0}, sig[64], proof[VRF_PROOF], output[VRF_OUTPUT], hash[32];
    double began = seconds();
    size_t rounds = 0;
    (void)crypto_sign_detached(sig, NULL, message, 200, bench->player.key);
    while (seconds() - began < limit) {
        if (crypto_sign_verify_detached(sig, message, 200, bench->player.point) != 0)
            exit(EXIT_FAILURE);
        for (int i = 0; i < 5; i++) {
            unsigned char own[64];
            (void)crypto_sign_detached(own, NULL, message, sizeof message, bench->league.key.key);
            (void)crypto_generichash(hash, sizeof hash, message, sizeof message, NULL, 0);
        }
        if (!vrf_prove(proof, output, bench->league.vrf_secret, message, 150))
            exit(EXIT_FAILURE);
        rounds++;
    }
    return (seconds() - began) / (double)rounds;
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    double limit = argc > 1 ? strtod(argv[1], NULL) : 2;
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    mail_begin();
    secret_new(&bench.league.key);
    secret_new(&bench.player);
    secret_public(&bench.player, &bench.player_key);
    vrf_keygen(bench.league.vrf_secret, bench.league.vrf_public);
    bench.league.config.name = mem_strdup("Bench");
    bench.league.config.address = mem_strdup("orders@bench.example");
    bench.league.config.bounce_address = mem_strdup("");
    struct player alice = {.name = "alice", .address = "alice@bench.example", .html = true};
    size_t by_address = 0;
    bench.registry = (struct registry){&alice, 1, &by_address};
    templates_open(NULL, &bench.letters.templates);
    bench.letters.league = &bench.league;
    bench.letters.registry = &bench.registry;
    bench.keys = (struct step_keys){&bench.league.key, bench.league.vrf_secret, bench.league.vrf_public,
                                    bench.league.master};
    double turn = run_turns(&bench, limit);
    double bare = run_bare(&bench, limit / 4);
    printf("turns_per_second %.0f\n", 1 / turn);
    printf("turn_microseconds %.0f\n", turn * 1e6);
    printf("sodium_microseconds %.0f\n", bare * 1e6);
    printf("record_bytes %zu\n", bench.record_bytes / bench.turns);
    printf("report_bytes %zu\n", bench.report_bytes / bench.turns);
    templates_close(bench.letters.templates);
    mail_end();
    return 0;
}
