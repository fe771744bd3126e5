/* Turns a second on one core, a game after the other from its deal to its end: the signed orders of all seats
 * verified and accepted with their receipts, resolved with proof and seals, records signed, the reports of
 * all seats rendered and composed; no file is written. The orders are written by the ruleset's robot and
 * signed before the time is taken; seats without a player are played by robots as ever. Beside it the same
 * libsodium calls alone. Prints "name value" lines.
 *
 *     turns RULESET SEATS PLAYERS SECONDS
 */
#include "bench.h"
#include "../sits.h"

#include "audit/gate.h"
#include "base/mem.h"
#include "letters/letters.h"
#include "mail/message.h"
#include "orders/frame.h"
#include "bare.h"
#include "trust/canon.h"

#define TURNS_MAX 300 /* of a game */

struct bench {
    const struct ruleset *ruleset;
    int seats, players;
    struct league league;
    struct registry registry;
    struct letters letters;
    struct step_keys keys;
    struct gate *gate;               /* which judges each record, as a league's does */
    struct player player[SEATS_MAX]; /* of seat 1, 2 ... */
    struct secret secret[SEATS_MAX];
    struct pubkey key[SEATS_MAX];
    double spent;
    size_t turns, mails, reports, record_bytes, report_bytes, state_bytes;
};

static void take_posts(struct bench *bench, const struct game *game, struct step *step)
{
    struct err err = ERR_INIT;
    for (size_t i = 0; i < step->post_count; i++) {
        struct outgoing mail;
        if (letters_post(&bench->letters, game, &step->posts[i], &mail, &err))
            fail(&err);
        if (!mail.id)
            continue;
        bench->mails++;
        if (step->posts[i].kind == POST_REPORT) {
            bench->reports++;
            bench->report_bytes += mail.mail.len;
        }
        outgoing_release(&mail);
    }
    bench->record_bytes += step->records.len;
}

static void new_game(const struct bench *bench, struct game *game, int number)
{
    struct err err = ERR_INIT;
    struct step step;
    char id[GAME_NAME];
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    (void)snprintf(id, sizeof id, "b-%d", number);
    struct new_game how = {.id = id, .ruleset = bench->ruleset, .seats = bench->seats, .turn_length = DAY};
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = bench_option(&how.ruleset->options[i]);
    for (int seat = 1; seat <= bench->seats; seat++) {
        how.seat[seat] =
            (struct new_seat){.player = bench->player[seat - 1].name, .robot = seat > bench->players};
        by[seat].secret = &bench->secret[seat - 1];
    }
    step_init(&step, &bench->keys, NOW);
    step.gate = gate_of(bench->gate);
    if (sits_create(&step, game, &how, by, &err))
        fail(&err);
    step_release(&step);
}

/* What a player mails; no work of the league's. */
static void write_orders(const struct bench *bench, const struct game *game, int seat, struct str *text,
                         struct str *armored)
{
    orders_begin(text, game);
    size_t head = text->len;
    game->ruleset->robot(game->cards, game->state, seat, text);
    str_adds(text, text->len == head ? "auto\n#end\n" : "#end\n");
    sshsig_sign(armored, bench->secret[seat - 1].key, NS_ORDERS, slice_str(text));
}

/* One player's signed orders, verified, and what follows from them: the turn, when they are the last. */
__attribute__((noinline)) static void play_orders(struct bench *bench, struct game *game, int seat,
                                                  struct slice text, struct slice armored)
{
    struct err err = ERR_INIT;
    struct step step;
    struct signature sig;
    struct frame frame;
    unsigned char mail[32];
    enum orders_fate fate;
    const struct pubkey *key = &bench->key[seat - 1];
    message_digest(mail, armored);
    if (signature_parse(armored, &sig, &err) || signature_verify(&sig, key, NS_ORDERS, text, &err) ||
        frame_parse(text, &frame, &err))
        fail(&err);
    json_t *facts = signature_json(&sig, key);
    struct orders_input input = {.seat = seat,
                                 .frame = &frame,
                                 .key = key,
                                 .exact = text,
                                 .canonical = text,
                                 .signature = facts,
                                 .mail = mail};
    step_init(&step, &bench->keys, NOW);
    step.gate = gate_of(bench->gate);
    if (step_orders(&step, game, &input, &fate, &err))
        fail(&err);
    if (fate != ORDERS_TAKEN) {
        (void)fprintf(stderr, "bench: the robot's orders were not taken:\n%.*s", (int)text.len, text.p);
        exit(EXIT_FAILURE);
    }
    take_posts(bench, game, &step);
    bench->turns += step.turns;
    step_release(&step);
    json_decref(facts);
}

static void give_orders(struct bench *bench, struct game *game, int seat)
{
    bool count_calls = counting;
    struct str text = STR_INIT, armored = STR_INIT;
    counting = false;
    write_orders(bench, game, seat, &text, &armored);
    counting = count_calls;
    double began = seconds();
    play_orders(bench, game, seat, slice_str(&text), slice_str(&armored));
    bench->spent += seconds() - began;
    str_release(&text);
    str_release(&armored);
}

static void run_game(struct bench *bench, int number)
{
    struct game game;
    struct str state = STR_INIT;
    bool count_calls = counting;
    counting = false;
    new_game(bench, &game, number);
    counting = count_calls;
    while (!game.over && game.turn <= TURNS_MAX) {
        uint32_t missing = game_missing(&game);
        for (int seat = 1; seat <= game.seats; seat++)
            if (missing & SEAT_BIT(seat))
                give_orders(bench, &game, seat);
        str_clear(&state);
        fields_write(&state, game.ruleset->fields, game.state);
        bench->state_bytes += state.len;
    }
    str_release(&state);
    game_release(&game);
}

static void begin(struct bench *bench, const char *ruleset, int seats, int players)
{
    static size_t by_address[SEATS_MAX];
    bench->ruleset = ruleset_newest(ruleset);
    bench->seats = seats;
    bench->players = players;
    if (!bench->ruleset || seats < bench->ruleset->seats_min || seats > bench->ruleset->seats_max ||
        players < 1 || players > seats)
        exit(64);
    for (int i = 0; i < seats; i++) {
        struct player *player = &bench->player[i];
        *player = (struct player){.html = true, .since = NOW};
        (void)snprintf(player->name, sizeof player->name, "p%d", i);
        (void)snprintf(player->address, sizeof player->address, "p%d@bench.example", i);
        player_secret(&bench->secret[i], i);
        secret_public(&bench->secret[i], &bench->key[i]);
        by_address[i] = (size_t)i;
    }
    /* Always the same keys, so that two runs play the same games. */
    static const unsigned char vrf_secret[VRF_SECRET] = "the dice of the benchmark";
    struct league *league = &bench->league;
    player_secret(&league->key, 1000);
    memcpy(league->vrf_secret, vrf_secret, VRF_SECRET);
    if (!vrf_public(league->vrf_public, league->vrf_secret))
        exit(EXIT_FAILURE);
    league->config.league.name = mem_strdup("Bench");
    league->config.league.address = mem_strdup("orders@bench.example");
    league->config.league.page_url = mem_strdup("");
    league->config.league.contact = mem_strdup("");
    league->config.outgoing.bounce_address = mem_strdup("");
    bench->registry = (struct registry){.players = bench->player,
                                        .count = (size_t)seats,
                                        .by_address = by_address,
                                        .address_count = (size_t)seats};
    templates_open(NULL, &bench->letters.templates);
    bench->letters.league = league;
    bench->letters.registry = &bench->registry;
    bench->letters.now = NOW;
    bench->keys =
        (struct step_keys){&league->key, league->vrf_secret, league->vrf_public, league->master, NULL};
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    if (argc != 5 || sodium_init() < 0)
        return 64;
    mail_begin();
    bench.gate = getenv("NO_GATE") ? NULL : gate_open();
    begin(&bench, argv[1], (int)strtol(argv[2], NULL, 10), (int)strtol(argv[3], NULL, 10));
    double limit = strtod(argv[4], NULL), bare = 0;
    int number = 0;
    counting = true;
    while (bench.turns < 100)
        run_game(&bench, number++);
    counting = false;
    size_t counted = bench.turns;
    bench.spent = 0;
    while (bench.spent < limit) {
        size_t before = bench.turns;
        run_game(&bench, number++);
        bare += bare_sodium(counted, bench.turns - before, &bench.league.key);
    }
    double turns = (double)(bench.turns - counted);
    printf("turns_per_second %.0f\n", turns / bench.spent);
    printf("turn_microseconds %.0f\n", 1e6 * bench.spent / turns);
    printf("sodium_microseconds %.0f\n", 1e6 * bare / turns);
    printf("turns %zu\ngames %d\n", bench.turns, number);
    printf("mails_per_turn %.2f\n", (double)bench.mails / (double)bench.turns);
    printf("state_bytes %zu\n", bench.state_bytes / bench.turns);
    printf("record_bytes %zu\n", bench.record_bytes / bench.turns);
    printf("report_bytes %zu\n", bench.report_bytes / bench.reports);
    templates_close(bench.letters.templates);
    gate_close(bench.gate);
    return 0;
}
