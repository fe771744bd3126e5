/* Turns a second on one core: orders taken up, resolved with proof and seals, records signed, reports
 * rendered and composed; no file is written. Beside it the bare libsodium operations that such a turn needs.
 * Prints "name ours reference" lines.
 *
 *     turns SECONDS
 */
#include "bench.h"

#include "base/mem.h"
#include "base/pool.h"
#include "engine/letters.h"
#include "mail/message.h"
#include "orders/frame.h"
#include "trust/canon.h"

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

/* What a player mails; no work of the league's. */
static void write_orders(const struct bench *bench, const struct game *game, struct str *text,
                         struct str *armored)
{
    str_addf(text,
             "#turnpost orders\ngame: %s\nturn: %d\nexplore near or conquer best or bide\nbuild\n#end\n",
             game->id, game->turn);
    sshsig_sign(armored, bench->player.key, NS_ORDERS, slice_str(text));
}

/* One player's signed orders, verified, and the turn that follows from them. */
__attribute__((noinline)) static void play_turn(struct bench *bench, struct game *game, struct slice text,
                                                struct slice armored)
{
    struct err err = ERR_INIT;
    struct step step;
    struct signature sig;
    struct frame frame;
    unsigned char mail[32];
    enum orders_fate fate;
    json_t *facts = json_pack("{s:s}", "key", "bench");
    message_digest(mail, armored);
    if (signature_parse(armored, &sig, &err) ||
        signature_verify(&sig, &bench->player_key, NS_ORDERS, text, &err) || frame_parse(text, &frame, &err))
        fail(&err);
    struct orders_input input = {1, &frame, &bench->player_key, text, text, facts, mail};
    step_init(&step, &bench->keys, NOW);
    if (step_orders(&step, game, NULL, &input, &fate, &err))
        fail(&err);
    take_posts(bench, game, &step);
    bench->turns += step.turns;
    step_release(&step);
    json_decref(facts);
}

/* One game from its deal to its end; seconds spent in its turns. */
static double run_game(struct bench *bench, int number)
{
    struct game game;
    double spent = 0;
    new_game(bench, &game, number);
    while (!game.over && (game_awaited(&game) & SEAT_BIT(1))) {
        struct str text = STR_INIT, armored = STR_INIT;
        write_orders(bench, &game, &text, &armored);
        double began = seconds();
        play_turn(bench, &game, slice_str(&text), slice_str(&armored));
        spent += seconds() - began;
        str_release(&text);
        str_release(&armored);
    }
    game_release(&game);
    return spent;
}

/* What one such turn needs of libsodium: one order signature verified, three records and two heads signed,
 * one VRF proof. */
static double run_bare(const struct bench *bench, int rounds)
{
    unsigned char message[1500] = {0}, sig[64], proof[VRF_PROOF], output[VRF_OUTPUT], hash[32];
    double began = seconds();
    (void)crypto_sign_detached(sig, NULL, message, 200, bench->player.key);
    for (int round = 0; round < rounds; round++) {
        if (crypto_sign_verify_detached(sig, message, 200, bench->player.point) != 0)
            exit(EXIT_FAILURE);
        for (int i = 0; i < 5; i++) {
            unsigned char own[64];
            (void)crypto_sign_detached(own, NULL, message, sizeof message, bench->league.key.key);
            (void)crypto_generichash(hash, sizeof hash, message, sizeof message, NULL, 0);
        }
        if (!vrf_prove(proof, output, bench->league.vrf_secret, message, 150))
            exit(EXIT_FAILURE);
    }
    return seconds() - began;
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    double limit = argc > 1 ? strtod(argv[1], NULL) : 2, bares = 0;
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    mail_begin();
    pool_begin();
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
    double turn = 0, bare = 0;
    for (int number = 0; turn < limit; number++) {
        turn += run_game(&bench, number);
        bare += run_bare(&bench, 10);
        bares += 10;
    }
    turn /= (double)bench.turns;
    bare /= bares;
    printf("turns_per_second %.0f\n", 1 / turn);
    printf("turn_microseconds %.0f\n", turn * 1e6);
    printf("sodium_microseconds %.0f\n", bare * 1e6);
    printf("turns %zu\n", bench.turns);
    printf("ratio %.2f\n", turn / bare);
    printf("record_bytes %zu\n", bench.record_bytes / bench.turns);
    printf("report_bytes %zu\n", bench.report_bytes / bench.turns);
    templates_close(bench.letters.templates);
    mail_end();
    return 0;
}
