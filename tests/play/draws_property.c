/* Draws follow from `create`, the turn and the signed text in force of each seat, and from nothing else
 * (src/journal/README.md, section 6): random histories of a turn, and of a table before its deal, made of the
 * same signed texts in any order, some of them withheld, with all records between them that need no new
 * signature. */
#include "house/table.h"

#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "game/seating.h"
#include "play/step_parts.h"

#define TEXTS     3 /* at most, of a seat for a turn */
#define HISTORIES 8
#define ALPHA     512

struct text {
    int seat, seq;
    struct str exact, canonical;
    struct frame frame;
    json_t *signature;
};
/* What a history led to: the text in force of each seat (its number from 1, 0 = none), and what is drawn
 * over. */
struct drawn {
    int in_force[SEATS_MAX + 1];
    unsigned char alpha[ALPHA];
    size_t len;
    char seated[4 * PLAYER_NAME]; /* before the deal: who gets which seat */
};

static struct table t;
static uint64_t seed;
static struct text texts[SEATS_MAX * TEXTS];
static int text_count, of_seat[SEATS_MAX + 1];
static const char *const names[] = {"alice", "bob", "carol"};

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

static void shuffle(int *list, int count)
{
    for (int i = count; i > 1; i--) {
        int k = (int)roll((uint32_t)i), saved = list[i - 1];
        list[i - 1] = list[k];
        list[k] = saved;
    }
}

static void drop_texts(void)
{
    for (int i = 0; i < text_count; i++) {
        str_release(&texts[i].exact);
        str_release(&texts[i].canonical);
        json_decref(texts[i].signature);
    }
    text_count = 0;
    memset(of_seat, 0, sizeof of_seat);
}

static void add_text(int seat, int seq, const struct secret *secret, const char *lines)
{
    struct err err = ERR_INIT;
    struct text *text = &texts[text_count++];
    *text = (struct text){.seat = seat, .seq = seq, .exact = STR_INIT, .canonical = STR_INIT};
    str_adds(&text->exact, lines);
    canon_text(&text->canonical, slice_str(&text->exact));
    ck_ok(frame_parse(slice_str(&text->canonical), &text->frame, &err), err);
    text->signature = sits_signature(secret, slice_str(&text->exact));
    of_seat[seat]++;
}

/* Is the draw the same for the same texts, another one for others? */
static bool follows(const struct drawn *list, int count)
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            bool texts_same = memcmp(list[i].in_force, list[k].in_force, sizeof list[i].in_force) == 0;
            bool alpha_same =
                list[i].len == list[k].len && memcmp(list[i].alpha, list[k].alpha, list[i].len) == 0;
            if (texts_same != alpha_same || (alpha_same && strcmp(list[i].seated, list[k].seated) != 0))
                return false;
        }
    return true;
}

static int different(const struct drawn *list, int count)
{
    int kinds = 0;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int k = 0; k < i && !seen; k++)
            seen = memcmp(list[i].alpha, list[k].alpha, list[i].len) == 0;
        kinds += !seen;
    }
    return kinds;
}

static void look(struct drawn *out, const struct game *game)
{
    struct str alpha = STR_INIT;
    turn_alpha(&alpha, game);
    ck_assert_uint_le(alpha.len, sizeof out->alpha);
    memcpy(out->alpha, alpha.p, alpha.len);
    out->len = alpha.len;
    str_release(&alpha);
}

/* ---- a turn ---- */

static void write_texts(bool one_each)
{
    char head[2 * HEAD_BYTES + 1];
    drop_texts();
    hex_to(head, t.game.opened.head, HEAD_BYTES);
    for (int seat = 1; seat <= t.game.seats; seat++) {
        int count = t.game.seat[seat].robot ? 0 : one_each ? 1 : (int)roll(TEXTS + 1);
        for (int i = 0; i < count; i++) {
            struct str text = STR_INIT;
            int seq = (int)roll(4);
            str_addf(&text, "#turnpost orders\n# %d\ngame: gc-1\nturn: %d\nhead: %s\n", i, t.game.turn, head);
            if (seq)
                str_addf(&text, "seq: %d\n", seq);
            str_adds(&text, "auto\n#end\n");
            add_text(seat, seq, table_player(&t, seat), text.p);
            str_release(&text);
        }
    }
}

/* A record that needs no text of a player. */
static void meddle(struct step *step, struct game *game, struct drawn *out)
{
    struct err err = ERR_INIT;
    int seat = 1 + (int)roll((uint32_t)game->seats);
    char name[16];
    (void)snprintf(name, sizeof name, "puppet%u", roll(1000));
    json_t *fields;
    switch (roll(5)) {
    case 0: /* another key that is asked for, as if theirs were lost */
        if (!game->seat[seat].robot) {
            struct pubkey key;
            struct secret another;
            secret_new(&another);
            secret_public(&another, &key);
            ck_ok(step_rekey(step, game, seat, &key, OPERATOR, &err), err);
        }
        return;
    case 1:
        fields =
            json_pack("{s:s,s:i,s:s,s:b}", "kind", "observe", "turn", game->turn, "player", name, "stop", 0);
        if (!strstr(game->observers.names.p ? game->observers.names.p : "", name))
            ck_ok(step_record(step, game, "note", fields, NULL, &err), err);
        else
            json_decref(fields);
        return;
    case 2:
        fields = json_pack("{s:s,s:i,s:i,s:s,s:s}", "do", "resend", "turn", game->turn, "seat", seat, "by",
                           "operator", "reason", name);
        ck_ok(step_record(step, game, "moderate", fields, NULL, &err), err);
        return;
    case 3:
        if (!game->seat[seat].robot && roll(3) == 0) {
            json_t *lines = json_pack("{s:o}", "lines", json_sprintf("# %s\nauto\n", name));
            fields = json_pack("{s:s,s:i,s:i,s:s,s:s}", "do", "orders", "turn", game->turn, "seat", seat,
                               "by", "operator", "reason", name);
            step_box_json(step, game, &(struct step_boxed){.seat = seat, .item = SEAL_ORDERS, .round = 1},
                          lines, fields);
            ck_ok(step_record(step, game, "moderate", fields, NULL, &err), err);
            out->in_force[seat] = 0;
        }
        return;
    default: step->now += roll(50);
    }
}

/* Some or all of the texts, in any order. */
static void turn_history(struct drawn *out, bool all, bool meddled)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys = table_keys(&t);
    int order[SEATS_MAX * TEXTS];
    memset(out, 0, sizeof *out);
    ck_ok(game_copy(&t.game, &game, &err), err);
    game.clock.schedule.early = false; /* the turn stays open whatever is in */
    step_init(&step, &keys, NOON + roll(1000));
    step.before = table_before(&t);
    for (int i = 0; i < text_count; i++)
        order[i] = i;
    shuffle(order, text_count);
    for (int i = 0; i < text_count; i++) {
        struct text *text = &texts[order[i]];
        enum orders_fate fate = ORDERS_TAKEN;
        unsigned char mail[32] = {(unsigned char)++t.mails, (unsigned char)(t.mails >> 8)};
        struct orders_input input = {.seat = text->seat,
                                     .frame = &text->frame,
                                     .key = &game.seat[text->seat].keys[0],
                                     .exact = slice_str(&text->exact),
                                     .canonical = slice_str(&text->canonical),
                                     .signature = text->signature,
                                     .mail = mail};
        if (!all && roll(3) == 0)
            continue;
        while (meddled && roll(3))
            meddle(&step, &game, out);
        ck_ok(step_orders(&step, &game, &input, &fate, &err), err);
        if (fate == ORDERS_TAKEN)
            out->in_force[text->seat] = 1 + order[i];
    }
    look(out, &game);
    step_release(&step);
    game_release(&game);
}

/* How many of the seats' own marks may be in alpha: those that are awaited. */
static int most_alphas(void)
{
    uint32_t awaited = game_awaited(&t.game);
    int most = 1;
    for (int seat = 1; seat <= t.game.seats; seat++)
        if (awaited & SEAT_BIT(seat))
            most *= of_seat[seat] + 1;
    return most;
}

/* Texts of seats that are not awaited have no part in the draws yet. */
static void forget_early(struct drawn *list, int count)
{
    uint32_t awaited = game_awaited(&t.game);
    for (int i = 0; i < count; i++)
        for (int seat = 1; seat <= t.game.seats; seat++)
            if (!(awaited & SEAT_BIT(seat)))
                list[i].in_force[seat] = 0;
}

static bool highest_counts(const struct drawn *out)
{
    for (int i = 0; i < text_count; i++) {
        int in_force = out->in_force[texts[i].seat];
        if (in_force && texts[in_force - 1].seq < texts[i].seq)
            return false;
    }
    return true;
}

static bool turn_holds(void)
{
    struct drawn list[HISTORIES];
    bool good = true;
    write_texts(false);
    for (int i = 0; i < HISTORIES; i++)
        turn_history(&list[i], false, true);
    forget_early(list, HISTORIES);
    good = follows(list, HISTORIES) && different(list, HISTORIES) <= most_alphas();
    for (int i = 0; i < HISTORIES; i++) {
        turn_history(&list[i], true, false);
        good = good && highest_counts(&list[i]);
    }
    write_texts(true);
    for (int i = 0; i < HISTORIES; i++)
        turn_history(&list[i], true, false);
    return good && different(list, HISTORIES) == 1;
}

/* ---- the deal ---- */

static const char *player_of(const struct text *text)
{
    return names[text->seat - 1];
}

/* Texts that ask for a seat: `seat` of a text is the number of its player here. */
static void write_joins(bool one_each)
{
    char head[2 * HEAD_BYTES + 1];
    drop_texts();
    hex_to(head, t.game.journal.create_head, HEAD_BYTES);
    for (int who = 1; who <= 3; who++)
        for (int i = 0; i < (one_each ? 1 : 1 + (int)roll(2)); i++) {
            struct str text = STR_INIT;
            str_addf(&text, "#turnpost join\ngame: gc-1\nhead: %s\nnonce: %d\n", head, i);
            if (roll(4) == 0)
                str_addf(&text, "seat: %d\n", 1 + who);
            str_adds(&text, "#end\n");
            add_text(who, 0, &t.players[who - 1], text.p);
            str_release(&text);
        }
}

static int seat_asked(const struct text *text)
{
    size_t at = slice_find(slice_str(&text->canonical), "seat: ");
    return at == (size_t)-1 ? 0 : text->canonical.p[at + 6] - '0';
}

static void leave(struct step *step, struct game *game, const char *player)
{
    struct err err = ERR_INIT;
    json_t *members = json_pack("{s:s}", "by", player);
    ck_ok(step_leave(step, game, player, members, &err), err);
    json_decref(members);
}

static void join(struct step *step, struct game *game, const struct text *text, struct drawn *out, int number)
{
    struct err err = ERR_INIT;
    char hex[65];
    unsigned char digest[32] = {(unsigned char)++t.mails, (unsigned char)(t.mails >> 8)};
    struct join_input input = {
        .player = player_of(text), .exact = slice_str(&text->exact), .signature = text->signature};
    if (out->in_force[text->seat])
        leave(step, game, player_of(text));
    out->in_force[text->seat] = 0;
    input.seat = seating_place(game, player_of(text), seat_asked(text), &input.drawn);
    hex_to(hex, digest, 32);
    json_t *members = json_pack("{s:s,s:s,s:{s:s,s:O}}", "mail", hex, "text", hex, "signed", "text",
                                text->exact.p, "signature", text->signature);
    input.members = members;
    ck_ok(step_join(step, game, &input, &err), err);
    json_decref(members);
    out->in_force[text->seat] = number;
}

static void deal_history(struct drawn *out)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys = table_keys(&t);
    struct chance chance;
    int order[SEATS_MAX * TEXTS], from[SEATS_MAX + 1];
    memset(out, 0, sizeof *out);
    ck_ok(game_copy(&t.game, &game, &err), err);
    step_init(&step, &keys, NOON + roll(1000));
    step.before = table_before(&t);
    for (int i = 0; i < text_count; i++)
        order[i] = i;
    shuffle(order, text_count);
    for (int i = 0; i < text_count; i++) {
        step.now += roll(60);
        join(&step, &game, &texts[order[i]], out, 1 + order[i]);
    }
    look(out, &game);
    chance_seeded(&chance, out->alpha, out->len);
    seating_draw(&game, &chance, from);
    seating_take(&game, from);
    for (int seat = 1; seat <= game.seats; seat++)
        (void)snprintf(out->seated + strlen(out->seated), PLAYER_NAME, "%s ", game.seat[seat].player);
    step_release(&step);
    game_release(&game);
}

static bool deal_holds(void)
{
    struct drawn list[HISTORIES];
    write_joins(false);
    for (int i = 0; i < HISTORIES; i++)
        deal_history(&list[i]);
    bool good = follows(list, HISTORIES);
    write_joins(true);
    for (int i = 0; i < HISTORIES; i++)
        deal_history(&list[i]);
    return good && different(list, HISTORIES) == 1 && follows(list, HISTORIES);
}

/* ---- games ---- */

/* Seats as table_new has them, '-' = free. */
static void make(const char *ruleset, const char *seats)
{
    static const char *const robots[] = {"hal", "marvin", "robby", "ash"};
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(&t);
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    struct new_game how = {
        .id = "gc-1", .ruleset = ruleset_newest(ruleset), .missed_robot = 3, .turn_length = 60};
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    for (size_t i = 0; i < sizeof how.nonce; i++)
        how.nonce[i] = (unsigned char)roll(256);
    for (; *seats; seats++) {
        struct new_seat *seat = &how.seat[++how.seats];
        seat->robot = *seats == 'r';
        if (*seats != '-')
            seat->player = seat->robot ? robots[how.seats - 1] : names[*seats - 'a'];
        if (*seats >= 'a' && *seats <= 'c')
            by[how.seats].secret = &t.players[*seats - 'a'];
    }
    step_init(&step, &keys, NOON);
    ck_ok(sits_create(&step, &t.game, &how, by, &err), err);
    table_commit(&t, &step, 0, 0);
}

/* A table before its deal, and some turns of a game. */
static bool holds(uint64_t of)
{
    static const char *const games[][2] = {{"galaxy-command", "abc"},
                                           {"galaxy-command", "abr"},
                                           {"galactic-supremacy", "abc"},
                                           {"galactic-contract", "abc"},
                                           {"galaxy-farmer", "a"}};
    bool good = true;
    seed = of * 0x9e3779b97f4a7c15ULL;
    const char *const *game = games[roll(5)];
    table_open(&t);
    make("galaxy-command", "r---");
    good = deal_holds();
    drop_texts();
    table_close(&t);
    table_open(&t);
    make(game[0], game[1]);
    for (int turn = 0; turn < 3 && !t.game.over && good; turn++) {
        good = turn_holds();
        table_clock(&t, NOON + 60 * (turn + 1));
    }
    drop_texts();
    if (good)
        table_check_replay(&t);
    table_close(&t);
    return good;
}

START_TEST(draws_follow_from_what_players_signed)
{
    const char *given = getenv("DRAW_SEEDS");
    const uint64_t first = luck_seed(0);
    const uint64_t count = given ? strtoull(given, NULL, 10) : FEW ? 4 : 24;
    for (uint64_t i = 0; i < count; i++)
        ck_assert_msg(holds(first + i), "SEED=%llu", (unsigned long long)luck_number);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_set_timeout(tc, 3600);
    tcase_add_test(tc, draws_follow_from_what_players_signed);
}

TEST_MAIN("play/draws_property", cases)
