/* Orders by a reply for which the mail's domain vouches, against signed orders: processor time a mail from its bytes
 * to the record and the receipt, both with the same quote, and the domain's key in memory. Folders and the commit,
 * which both have alike, are left out. Prints "name value" lines.
 *
 *     replies COUNT
 */
#include "bench.h"
#include "../sits.h"

#include "base/clock.h"
#include "base/mem.h"
#include "dns/resolver.h"
#include "letters/letters.h"
#include "letters/reading.h"
#include "mail/source.h"
#include "orders/typed.h"
#include "play/replies.h"
#include "trust/canon.h"

#define OF_A_GAME 40 /* mails; a seat may send 50 texts a turn */
#define LINES     "explore near or bide\r\nif metal >= 3 swap metal\r\nbuild\r\n"

struct bench {
    struct league league;
    struct player player[2];
    struct registry registry;
    struct letters letters;
    struct step_keys keys;
    struct secret secret[2]; /* of the players */
    unsigned char domain[crypto_sign_SECRETKEYBYTES];
    struct str journal; /* of the game */
    double spent[2];    /* by key, by reply */
};

static int read_journal(void *arg, struct str *lines, struct err *err)
{
    (void)err;
    str_addslice(lines, slice_str(&((struct bench *)arg)->journal));
    return 0;
}

/* Whoever sends by replies sits down by one, of which nobody asks more than that it is there. */
static int sit_by_reply(const struct domain *domain, struct step *step, struct game *game,
                        struct join_input *input, struct err *err)
{
    const struct mail_proof proof = {.domain = "mail.test",
                                     .selector = "mail",
                                     .sig = slice_of("signed"),
                                     .raw = slice_of("ok"),
                                     .record = slice_of("p="),
                                     .cutter = 1,
                                     .sent = NOW,
                                     .arrived = NOW};
    (void)domain;
    return sits_said(step, game, input, &proof, err);
}

/* Seat 1 sends, by a key or without; seat 2 never does. */
static void new_game(struct bench *bench, struct game *game, bool by_reply)
{
    struct err err = ERR_INIT;
    struct step step;
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    struct new_game how = {.id = "b-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 2,
                           .turn_length = DAY,
                           .by_mail = by_reply};
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = bench_option(&how.ruleset->options[i]);
    for (int seat = 1; seat <= 2; seat++) {
        how.seat[seat].player = seat == 1 ? "p0" : "p1";
        by[seat].secret = seat == 2 || !by_reply ? &bench->secret[seat - 1] : NULL;
        by[seat].mails = sit_by_reply;
    }
    step_init(&step, &bench->keys, NOW);
    if (sits_create(&step, game, &how, by, &err))
        fail(&err);
    str_clear(&bench->journal);
    str_addslice(&bench->journal, slice_str(&step.records));
    step_release(&step);
}

/* ---- what comes ---- */

static void begin_mail(struct str *head, const char *subject, int second)
{
    str_addf(head,
             "From: Paula <p0@mail.test>\r\nDate: Fri, 20 Nov 2026 12:00:%02d +0000\r\nSubject: %s\r\n"
             "Message-ID: <%d@mail.test>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n",
             second, subject, second);
}

/* The quote of a mail of ours, as mail programs send it. */
static void add_quote(struct str *body, const char *opened)
{
    str_adds(body, "\r\nOn Fri, Nov 20, 2026 at 11:00 AM Bench <orders@bench.example> wrote:\r\n\r\n> ");
    reply_boundary(body, slice_of("k3v7q2m5xwtrabcd"));
    str_addf(body, " b-1, turn 1, %s\r\n", opened);
    for (int i = 0; i < 60; i++)
        str_addf(body, "> Sector %d of the report, with what is in it and what can be done there.\r\n", i);
}

static void write_signed(const struct bench *bench, const struct game *game, int seq, struct str *mail)
{
    struct str text = STR_INIT, armored = STR_INIT;
    orders_begin(&text, game);
    str_addf(&text, "seq: %d\nexplore near or bide\nif metal >= 3 swap metal\nbuild\n#end\n", seq);
    sshsig_sign(&armored, bench->secret[0].key, NS_ORDERS, slice_str(&text));
    begin_mail(mail, "Re: b-1", seq);
    str_addf(mail, "To: orders@bench.example\r\n\r\n%s%s", text.p, armored.p);
    add_quote(mail, "0123456789abcdef");
    str_release(&text);
    str_release(&armored);
}

static void write_reply(const struct bench *bench, const struct game *game, int seq, struct str *mail)
{
    struct str head = STR_INIT, field = STR_INIT, body = STR_INIT, all = STR_INIT;
    unsigned char hash[32], sig[crypto_sign_BYTES];
    char subject[64], opened[17];
    hex_to(opened, game->opened.head, 8);
    (void)snprintf(subject, sizeof subject, "Re: [b-1] Turn 1 #%s", opened);
    begin_mail(&head, subject, seq);
    str_adds(&body, LINES);
    add_quote(&body, opened);
    crypto_hash_sha256(hash, (const unsigned char *)body.p, body.len);
    str_adds(&field, "DKIM-Signature: v=1; a=ed25519-sha256; d=mail.test; s=mail; "
                     "h=from:date:subject:message-id:mime-version:content-type; bh=");
    base64_encode(&field, hash, sizeof hash);
    str_adds(&field, "; b=");
    str_addf(&all, "%s%s", head.p, field.p);
    crypto_hash_sha256(hash, (const unsigned char *)all.p, all.len);
    crypto_sign_detached(sig, NULL, hash, sizeof hash, bench->domain);
    base64_encode(&field, sig, sizeof sig);
    str_addf(mail, "%s\r\n%sTo: orders@bench.example\r\n\r\n%s", field.p, head.p, body.p);
    str_release(&head);
    str_release(&field);
    str_release(&body);
    str_release(&all);
}

/* ---- what is done with it ---- */

static void give(struct bench *bench, struct game *game, struct orders_input input, struct slice text)
{
    struct err err = ERR_INIT;
    struct str canonical = STR_INIT;
    struct frame frame;
    struct step step;
    enum orders_fate fate;
    canon_text(&canonical, text);
    if (frame_receive(text, slice_str(&canonical), &frame, &err))
        fail(&err);
    input.seat = 1;
    input.frame = &frame;
    input.exact = text;
    input.canonical = slice_str(&canonical);
    step_init(&step, &bench->keys, NOW);
    step.before = (struct step_before){.arg = bench, .journal = read_journal};
    if (step_orders(&step, game, &input, &fate, &err))
        fail(&err);
    if (fate != ORDERS_TAKEN) {
        (void)fprintf(stderr, "bench: orders were not taken (%d):\n%s", (int)fate, canonical.p);
        exit(EXIT_FAILURE);
    }
    str_addslice(&bench->journal, slice_str(&step.records));
    for (size_t i = 0; i < step.post_count; i++) {
        struct outgoing mail;
        if (letters_post(&bench->letters, game, &step.posts[i], &mail, &err))
            fail(&err);
        outgoing_release(&mail);
    }
    step_release(&step);
    str_release(&canonical);
}

static void take_signed(struct bench *bench, struct game *game, struct reading *reading,
                        struct orders_input *input)
{
    struct err err = ERR_INIT;
    struct str exact = STR_INIT, canonical = STR_INIT;
    const struct pubkey *key = &game->seat[1].keys[0];
    struct envelope_text text = {&exact, &canonical};
    if (reading->envelope_count != 1 || envelope_open(&reading->envelopes[0], key, NS_ORDERS, &text, &err))
        fail(&err);
    json_t *facts = signature_facts(reading->envelopes[0].sig.sig);
    input->key = key;
    input->signature = facts;
    give(bench, game, *input, slice_str(&exact));
    json_decref(facts);
    str_release(&exact);
    str_release(&canonical);
}

static void take_reply(struct bench *bench, struct game *game, struct reading *reading,
                       struct orders_input *input)
{
    struct err err = ERR_INIT;
    struct suggestions suggestions;
    struct reply reply;
    struct typed typed;
    struct reply_place place;
    struct str lines = STR_INIT, text = STR_INIT;
    char nonce[REPLY_TOKEN_TEXT], head[17];
    const struct vouching *domain = reading->domain;
    if (!domain || domain->state != VOUCHING_GOOD || !reply_place_now(&place, game, 1))
        exit(EXIT_FAILURE);
    suggestions_make(&suggestions, game, 1);
    reply_nonce(nonce, bench->keys.master, &place, &suggestions);
    if (reply_cut(REPLY_VERSION, &domain->body, slice_of(nonce), &reply, &err))
        fail(&err);
    hex_to(head, game->opened.head, 8);
    if (!strstr(reading->msg.subject, head))
        exit(EXIT_FAILURE);
    const char *const names[] = {"p0", "Paula", NULL};
    const struct typed_game about = {game->id, game->ruleset->language,
                                     (const char *const *)suggestions.lines, NULL, NULL};
    typed_read(slice_str(&reply.typed), &(struct typed_by){&about, 1, names}, &typed);
    typed_orders(&lines, &typed, &about, 0);
    reply_text(
        &text, game,
        &(struct reply_orders){place.seq, domain->proof.content, REPLY_PLAIN, slice_str(&lines), NULL});
    input->proof = &domain->proof;
    give(bench, game, *input, slice_str(&text));
    suggestions_release(&suggestions);
    reply_release(&reply);
    typed_release(&typed);
    str_release(&lines);
    str_release(&text);
}

static void one_mail(struct bench *bench, struct game *game, bool by_reply, int seq)
{
    struct incoming mail = {.arrived = NOW, .raw = STR_INIT};
    struct reading reading = {0};
    unsigned char digest[32];
    (by_reply ? write_reply : write_signed)(bench, game, seq, &mail.raw);
    mail.size = mail.raw.len;
    double began = seconds();
    message_digest(digest, slice_str(&mail.raw));
    struct orders_input input = {.mail = digest};
    reading_make(&reading, &mail, &bench->league);
    (by_reply ? take_reply : take_signed)(bench, game, &reading, &input);
    bench->spent[by_reply] += seconds() - began;
    reading_release(&reading);
    str_release(&mail.raw);
}

static void begin(struct bench *bench)
{
    static const unsigned char vrf_secret[VRF_SECRET] = "the dice of the benchmark", seed[32] = {1};
    unsigned char public[crypto_sign_PUBLICKEYBYTES];
    struct league *league = &bench->league;
    struct str record = STR_INIT;
    struct err err = ERR_INIT;
    for (int i = 0; i < 2; i++) {
        static size_t by_address[2];
        struct player *player = &bench->player[i];
        player_secret(&bench->secret[i], i);
        *player = (struct player){.since = NOW};
        (void)snprintf(player->name, sizeof player->name, "p%d", i);
        (void)snprintf(player->address, sizeof player->address, "p%d@mail.test", i);
        by_address[i] = (size_t)i;
        bench->registry = (struct registry){
            .players = bench->player, .count = 2, .by_address = by_address, .address_count = 2};
    }
    player_secret(&league->key, 1000);
    memcpy(league->vrf_secret, vrf_secret, VRF_SECRET);
    if (!vrf_public(league->vrf_public, league->vrf_secret))
        exit(EXIT_FAILURE);
    league->config.league.address = mem_strdup("orders@bench.example");
    league->config.league.page_url = mem_strdup("");
    league->config.league.contact = mem_strdup("");
    league->config.league.own_domains = mem_strdup("");
    league->config.league.shared_domains = mem_strdup("");
    league->config.incoming.authserv = mem_strdup("");
    league->config.limits.mail_size = 1 << 20;
    league->config.league.name = mem_strdup("Bench");
    league->config.outgoing.bounce_address = mem_strdup("");
    templates_open(NULL, &bench->letters.templates);
    bench->letters.league = league;
    bench->letters.registry = &bench->registry;
    bench->letters.now = NOW;
    bench->keys =
        (struct step_keys){&league->key, league->vrf_secret, league->vrf_public, league->master, NULL};
    crypto_sign_seed_keypair(public, bench->domain, seed);
    str_adds(&record, "v=DKIM1; k=ed25519; p=");
    base64_encode(&record, public, sizeof public);
    if (resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &league->resolver, &err))
        fail(&err);
    resolver_tell(league->resolver, "mail._domainkey.mail.test", record.p, clock_system());
    str_release(&record);
}

int main(int argc, char **argv)
{
    struct bench bench = {.journal = STR_INIT};
    if (argc != 2 || sodium_init() < 0)
        return 64;
    mail_begin();
    begin(&bench);
    long count = strtol(argv[1], NULL, 10);
    for (long done = 0; done < count; done += OF_A_GAME)
        for (int by_reply = 0; by_reply < 2; by_reply++) {
            struct game game;
            new_game(&bench, &game, by_reply);
            for (int seq = 1; seq <= OF_A_GAME; seq++)
                one_mail(&bench, &game, by_reply, seq);
            game_release(&game);
        }
    long mails = (count + OF_A_GAME - 1) / OF_A_GAME * OF_A_GAME;
    (void)printf("signed %.2f\nreply %.2f\n", 1e6 * bench.spent[0] / (double)mails,
                 1e6 * bench.spent[1] / (double)mails);
    resolver_close(bench.league.resolver);
    return 0;
}
