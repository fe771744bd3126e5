/* Turns a second on one core: orders verified and taken up with their receipt, resolved with proof and seals,
 * records signed, reports rendered and composed; no file is written. Beside it the same libsodium calls
 * alone. Prints "name value" lines.
 *
 *     turns SECONDS
 */
#include "bench.h"

#include <dlfcn.h>

#include "base/mem.h"
#include "base/pool.h"
#include "engine/letters.h"
#include "mail/message.h"
#include "orders/frame.h"
#include "trust/canon.h"

static bool counting; /* the calls of libsodium */

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
    bool count_turns = counting;
    counting = false;
    new_game(bench, &game, number);
    while (!game.over && (game_awaited(&game) & SEAT_BIT(1))) {
        struct str text = STR_INIT, armored = STR_INIT;
        write_orders(bench, &game, &text, &armored);
        counting = count_turns;
        double began = seconds();
        play_turn(bench, &game, slice_str(&text), slice_str(&armored));
        spent += seconds() - began;
        counting = false;
        str_release(&text);
        str_release(&armored);
    }
    game_release(&game);
    counting = count_turns;
    return spent;
}

/* ---- libsodium alone ---- */

/* The calls of libsodium that turns make, counted while `counting` is set: each function stands here in the
 * place of the library's and calls it. Not counted: comparing, wiping, base64, scalar arithmetic. */
enum call { SIGN, VERIFY, HASH, HASH_PARTS, STREAM, POINT, BASE_POINT, FROM_HASH, CALLS };
static struct {
    size_t calls, bytes;
} used[CALLS];
static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        exit(EXIT_FAILURE);
    return found;
}

static void count(enum call call, unsigned long long bytes)
{
    if (!counting)
        return;
    used[call].calls++;
    used[call].bytes += (size_t)bytes;
}

#define REAL(name)                              \
    static __typeof__(name) *name##_;           \
    if (!name##_) {                             \
        void *found = real(#name);              \
        memcpy(&name##_, &found, sizeof found); \
    }

int crypto_sign_detached(unsigned char *sig, unsigned long long *siglen, const unsigned char *m,
                         unsigned long long len, const unsigned char *key)
{
    REAL(crypto_sign_detached)
    count(SIGN, len);
    return crypto_sign_detached_(sig, siglen, m, len, key);
}

int crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *m, unsigned long long len,
                                const unsigned char *key)
{
    REAL(crypto_sign_verify_detached)
    count(VERIFY, len);
    return crypto_sign_verify_detached_(sig, m, len, key);
}

int crypto_generichash(unsigned char *out, size_t outlen, const unsigned char *in, unsigned long long len,
                       const unsigned char *key, size_t keylen)
{
    REAL(crypto_generichash)
    count(HASH, len);
    return crypto_generichash_(out, outlen, in, len, key, keylen);
}

int crypto_generichash_update(crypto_generichash_state *state, const unsigned char *in,
                              unsigned long long len)
{
    REAL(crypto_generichash_update)
    if (counting)
        used[HASH_PARTS].bytes += (size_t)len;
    return crypto_generichash_update_(state, in, len);
}

int crypto_generichash_final(crypto_generichash_state *state, unsigned char *out, size_t len)
{
    REAL(crypto_generichash_final)
    count(HASH_PARTS, 0);
    return crypto_generichash_final_(state, out, len);
}

int crypto_stream_chacha20_ietf_xor_ic(unsigned char *c, const unsigned char *m, unsigned long long len,
                                       const unsigned char *n, uint32_t ic, const unsigned char *k)
{
    REAL(crypto_stream_chacha20_ietf_xor_ic)
    count(STREAM, len);
    return crypto_stream_chacha20_ietf_xor_ic_(c, m, len, n, ic, k);
}

int crypto_scalarmult_ristretto255(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    REAL(crypto_scalarmult_ristretto255)
    count(POINT, 0);
    return crypto_scalarmult_ristretto255_(q, n, p);
}

int crypto_scalarmult_ristretto255_base(unsigned char *q, const unsigned char *n)
{
    REAL(crypto_scalarmult_ristretto255_base)
    count(BASE_POINT, 0);
    return crypto_scalarmult_ristretto255_base_(q, n);
}

int crypto_core_ristretto255_from_hash(unsigned char *p, const unsigned char *r)
{
    REAL(crypto_core_ristretto255_from_hash)
    count(FROM_HASH, 0);
    return crypto_core_ristretto255_from_hash_(p, r);
}

static void call_bare(enum call call, size_t len, const struct bench *bench)
{
    static unsigned char in[65536], out[65536], sig[64], point[32];
    static const unsigned char nonce[12] = "bench";
    crypto_generichash_state state;
    int bad = 0;
    static size_t signed_len = SIZE_MAX;
    if (call == VERIFY && signed_len != len) {
        (void)crypto_sign_detached(sig, NULL, in, len, bench->player.key);
        signed_len = len;
    }
    if (call == POINT && !point[0])
        bad = crypto_scalarmult_ristretto255_base(point, bench->league.vrf_secret);
    switch (call) {
    case SIGN: (void)crypto_sign_detached(out, NULL, in, len, bench->league.key.key); break;
    case VERIFY: bad = crypto_sign_verify_detached(sig, in, len, bench->player.point); break;
    case HASH: (void)crypto_generichash(out, 32, in, len, NULL, 0); break;
    case HASH_PARTS:
        (void)crypto_generichash_init(&state, in, 32, 32);
        (void)crypto_generichash_update(&state, in, len);
        (void)crypto_generichash_final(&state, out, 32);
        break;
    case STREAM: (void)crypto_stream_chacha20_ietf_xor_ic(out, in, len, nonce, 0, in); break;
    case POINT: bad = crypto_scalarmult_ristretto255(out, bench->league.vrf_secret, point); break;
    case BASE_POINT: bad = crypto_scalarmult_ristretto255_base(out, bench->league.vrf_secret); break;
    case FROM_HASH: (void)crypto_core_ristretto255_from_hash(out, in); break;
    case CALLS: break;
    }
    if (bad)
        exit(EXIT_FAILURE);
}

/* What `turns` turns need of libsodium: as many calls as were counted, with their mean lengths. */
static double run_bare(const struct bench *bench, size_t counted, size_t turns)
{
    double began = seconds();
    for (enum call call = 0; call < CALLS; call++)
        for (size_t n = used[call].calls * turns / counted; n; n--)
            call_bare(call, used[call].bytes / used[call].calls, bench);
    return seconds() - began;
}

int main(int argc, char **argv)
{
    struct bench bench = {0};
    double limit = argc > 1 ? strtod(argv[1], NULL) : 2;
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
                                    bench.league.master, NULL};
    double turn = 0, bare = 0;
    counting = true;
    for (int number = 0; number < 5; number++)
        (void)run_game(&bench, number);
    counting = false;
    size_t counted = bench.turns;
    for (int number = 5; turn < limit; number++) {
        size_t before = bench.turns;
        turn += run_game(&bench, number);
        bare += run_bare(&bench, counted, bench.turns - before);
    }
    turn /= (double)(bench.turns - counted);
    bare /= (double)(bench.turns - counted);
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
