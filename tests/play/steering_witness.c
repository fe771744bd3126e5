/* What an operator with all keys can do with a friend at the table, and what a witness changes: see
 * play/steering. */
#include "house/steering.h"

#include "house/watcher.h"
#include "game/entry.h"
#include "game/witness.h"

static struct watcher watchers[3];
static struct shown_log shown;

/* The close of the open turn, as the log has it. */
static void close_line(const struct history *h, struct str *out)
{
    struct slice rest = slice_str(&h->step.entries), line;
    str_clear(out);
    while (slice_whole_line(&rest, &line))
        if (slice_starts(line, "close ")) {
            str_clear(out);
            str_addslice(out, slice_sub(line, 0, line.len - 1));
        }
    ck_assert_uint_gt(out->len, 0);
}

/* Puts the history into the log, and asks that witness. "": they have answered, and it is recorded if it `counts`. */
static const char *ask(struct history *h, int i, bool counts)
{
    struct err err = ERR_INIT;
    struct str line = STR_INIT, proof = STR_INIT;
    unsigned char dice[VRF_PROOF];
    close_line(h, &line);
    str_addc(&line, '\n');
    shown_add(&shown, slice_str(&line));
    str_cut(&line, line.len - 1);
    const char *no = shown_ask(&shown, &watchers[i], slice_str(&line), h->step.now, &proof, dice);
    if (!*no && counts)
        ck_ok(step_witness(&h->step, &h->game, &(struct witness_said){i, slice_str(&proof), dice}, &err),
              err);
    str_release(&line);
    str_release(&proof);
    return no;
}

static void answer(struct history *h)
{
    ck_assert_str_eq(ask(h, 0, true), "");
}

/* A game of alice, who is honest, and bob, the operator's friend; dealt. */
static void begin_friends(int witnesses, int quorum)
{
    struct new_game how;
    struct history h;
    table_open(&table);
    shown_begin(&shown, &table.key);
    steer_how(&how, "ab");
    for (int i = 0; i < witnesses; i++) {
        watcher_new(&watchers[i], steer_names[i]);
        watcher_named(&how.witnesses, &watchers[i]);
    }
    how.witnesses.need = quorum;
    how.witnesses.log = shown.key;
    history_create(&h, &how, NOON);
    for (int i = 0; i < witnesses; i++)
        ck_assert_str_eq(ask(&h, i, true), "");
    table.game = h.game;
    table_commit(&table, &h.step, 0, 0);
}

static void end_friends(void)
{
    for (int i = 0; i < 3; i++)
        witness_state_release(&watchers[i].state);
    table_close(&table);
}

/* The die that the first event of the friend's seat shows. */
static int friends_die(const struct history *h)
{
    size_t i;
    json_t *event;
    json_array_foreach (h->game.told.events, i, event) {
        const json_t *die = json_array_get(json_object_get(event, "dice"), 0);
        if (die && json_integer_value(json_object_get(event, "seat")) == 2)
            return (int)json_integer_value(json_object_get(die, "value"));
    }
    return 0;
}

/* The turn with the friend's text of this number, closed. */
static void friend_signs(struct history *h, const struct signed_text *from_a, int number)
{
    struct signed_text text;
    char more[40];
    (void)snprintf(more, sizeof more, "# %d\n", number);
    text_orders(&text, 2, more);
    history_begin(h);
    ck_assert_int_eq((int)history_take(h, from_a), ORDERS_TAKEN);
    ck_assert_int_eq((int)history_take(h, &text), ORDERS_TAKEN);
    text_release(&text);
}

static int tries_of_a_friend(struct tally *tally)
{
    struct signed_text from_a;
    struct history h;
    int tries = 1;
    begin_friends(0, 0);
    text_orders(&from_a, 1, "");
    for (friend_signs(&h, &from_a, 0); friends_die(&h) != 6; friend_signs(&h, &from_a, tries++)) {
        ck_assert_int_lt(tries, 500);
        history_end(&h);
    }
    tally_add(tally, &h);
    history_end(&h);
    text_release(&from_a);
    end_friends();
    return tries;
}

START_TEST(a_friend_who_signs_last)
{
    struct tally tally = {.histories = 0};
    int tries = tries_of_a_friend(&tally);
    steer_row("has a friend who signs last and wants a six, without a witness",
              "a six after %d tries; audit: %s", tries, tally.choice);
}
END_TEST

/* With a witness the friend learns of no text what it would bring: it is closed once. */
static bool one_try(struct tally *tally)
{
    struct signed_text from_a;
    struct history h;
    begin_friends(1, 1);
    text_orders(&from_a, 1, "");
    friend_signs(&h, &from_a, 0);
    ck_assert(h.game.closed);
    answer(&h);
    tally_add(tally, &h);
    const bool six = friends_die(&h) == 6;
    history_end(&h);
    text_release(&from_a);
    end_friends();
    return six;
}

START_TEST(a_friend_and_an_honest_witness)
{
    struct tally tally = {.histories = 0};
    int games = steer_long() ? 40 : 2, sixes = 0;
    for (int i = 0; i < games; i++)
        sixes += one_try(&tally);
    if (games >= 40) /* by chance a sixth; as many as that once in ten thousand million */
        ck_assert_int_lt(sixes, 26);
    ck_assert_ptr_nonnull(strstr(tally.choice, "Witness: alice."));
    steer_row("the same with an honest witness", "a six in %d of %d turns", sixes, games);
}
END_TEST

/* The league shows the witness one close after the other and takes the answer that it likes. */
START_TEST(a_witness_asked_for_many_closes)
{
    struct signed_text from_a;
    struct history h;
    begin_friends(1, 1);
    text_orders(&from_a, 1, "");
    friend_signs(&h, &from_a, 0);
    ck_assert_str_eq(ask(&h, 0, false), "");
    history_end(&h);
    friend_signs(&h, &from_a, 1);
    const char *no = ask(&h, 0, false);
    ck_assert_ptr_nonnull(strstr(no, "a second close"));
    steer_row("shows a witness many closes and takes the best", "witness: %s", no);
    history_end(&h);
    text_release(&from_a);
    end_friends();
}
END_TEST

/* The dice that the witness has given for another game, of the same marks. */
START_TEST(dice_of_another_game)
{
    struct err err = ERR_INIT;
    struct signed_text from_a;
    struct history h;
    struct witness_answered ignored;
    struct str line = STR_INIT, proof = STR_INIT;
    struct log_entry other;
    unsigned char dice[VRF_PROOF], theirs[VRF_PROOF];
    begin_friends(1, 1);
    text_orders(&from_a, 1, "");
    friend_signs(&h, &from_a, 0);
    close_line(&h, &line);
    ck_ok(log_entry_parse(slice_str(&line), &other, &err), err);
    memcpy(other.name, "gc-2", sizeof "gc-2");
    watcher_dice(&watchers[0], &shown.key, &other, theirs);
    str_addc(&line, '\n');
    shown_add(&shown, slice_str(&line));
    str_cut(&line, line.len - 1);
    ck_assert_str_eq(shown_ask(&shown, &watchers[0], slice_str(&line), h.step.now, &proof, dice), "");
    struct witness_said said = {0, slice_str(&proof), dice};
    struct log_entry close;
    witness_entry(&close, &h.game);
    ck_ok(quorum_check(&h.game.witnesses, &close, &said, &ignored, &err), err);
    said.dice = theirs;
    ck_assert_int_eq(quorum_check(&h.game.witnesses, &close, &said, &ignored, &err), -1);
    steer_row("asks a witness in the name of another game", "audit: %s", err.text);
    history_end(&h);
    text_release(&from_a);
    str_release(&line);
    str_release(&proof);
    end_friends();
}
END_TEST

/* Of three witnesses two are enough: which of the answers is dropped, the operator can choose, a day later. */
START_TEST(an_answer_that_is_dropped)
{
    struct signed_text from_a;
    struct tally tally = {.histories = 0};
    begin_friends(3, 2);
    text_orders(&from_a, 1, "");
    for (int dropped = 0; dropped < 4; dropped++) {
        struct err err = ERR_INIT;
        struct history h;
        friend_signs(&h, &from_a, 0);
        shown.size = 0; /* as if nothing else had been shown */
        for (int i = 0; i < 3; i++) {
            witness_state_release(&watchers[i].state);
            if (i != dropped)
                ck_assert_str_eq(ask(&h, i, true), "");
        }
        ck_assert(dropped == 3 || h.game.closed);
        h.step.now += WITNESS_DAY;
        if (dropped < 3)
            ck_ok(step_clock(&h.step, &h.game, &err), err);
        ck_assert_int_eq(h.game.turn, 2);
        tally_add(&tally, &h);
        if (dropped < 3)
            ck_assert_ptr_nonnull(strstr(tally.choice, "Turn 1 was played without one of the witnesses"));
        history_end(&h);
    }
    ck_assert_int_le(tally.event_kinds, 4);
    steer_row("drops one of three witnesses' answers",
              "%d results of the same texts, each a day late; audit: %s", tally.event_kinds, tally.choice);
    text_release(&from_a);
    end_friends();
}
END_TEST

/* One answer less than the quorum plays nothing, ever. */
START_TEST(too_few_answers)
{
    struct err err = ERR_INIT;
    struct signed_text from_a;
    struct history h;
    begin_friends(3, 2);
    text_orders(&from_a, 1, "");
    friend_signs(&h, &from_a, 0);
    answer(&h);
    h.step.now += 30 * WITNESS_DAY;
    ck_ok(step_clock(&h.step, &h.game, &err), err);
    ck_assert(h.game.closed);
    history_end(&h);
    text_release(&from_a);
    end_friends();
    steer_row("drops two of three witnesses' answers", "the turn is not played");
}
END_TEST

/* Only the operator says whose the keys of a witness are. */
START_TEST(a_witness_whom_nobody_asked)
{
    struct tally tally = {.histories = 0};
    struct signed_text from_a;
    struct history h;
    begin_friends(1, 1);
    text_orders(&from_a, 1, "");
    for (int number = 0;; number++) {
        ck_assert_int_lt(number, 500);
        friend_signs(&h, &from_a, number);
        shown.size = 0; /* all keys are the operator's */
        witness_state_release(&watchers[0].state);
        answer(&h);
        if (friends_die(&h) == 6)
            break;
        history_end(&h);
    }
    tally_add(&tally, &h);
    ck_assert_ptr_nonnull(strstr(tally.choice, "Witness: alice."));
    history_end(&h);
    text_release(&from_a);
    end_friends();
    steer_row("enters keys of their own for a witness", "a six; audit: %s", tally.choice);
}
END_TEST

static void ban(struct history *h, int seat)
{
    struct err err = ERR_INIT;
    json_t *fields = json_pack("{s:s,s:i,s:i,s:s,s:s,s:s}", "do", "ban", "turn", h->game.turn, "seat", seat,
                               "robot", h->game.seat[seat].player, "by", "operator", "reason", "rude");
    ck_ok(step_record(&h->step, &h->game, "moderate", fields, NULL, &err), err);
}

/* When the witness has answered all dice are known, and the answer can wait until a player is banned: then a
 * robot would play by these dice in the player's place. */
static int banned_behind_the_close(void)
{
    struct tally tally = {.histories = 0};
    struct signed_text from_a, bides = {.seat = 2, .exact = STR_INIT};
    char head[2 * HEAD_BYTES + 1];
    begin_friends(1, 1);
    text_orders(&from_a, 1, "");
    game_answer_head(head, &table.game);
    str_addf(&bides.exact, "#turnpost orders\ngame: gc-1\nturn: 1\nhead: %s\nbide\n#end\n", head);
    text_finish(&bides, &table.players[1]);
    for (int i = 0; i < 2; i++) {
        struct history h;
        history_begin(&h);
        (void)history_take(&h, &from_a);
        (void)history_take(&h, &bides);
        ck_assert(h.game.closed);
        shown.size = 0;
        witness_state_release(&watchers[0].state);
        if (i)
            ban(&h, 2);
        answer(&h);
        tally_add(&tally, &h);
        history_end(&h);
    }
    ck_assert_int_eq(tally.draw_kinds, 1);
    text_release(&from_a);
    text_release(&bides);
    end_friends();
    return tally.event_kinds;
}

START_TEST(a_player_banned_when_the_dice_are_known)
{
    int courses = banned_behind_the_close();
    ck_assert_int_eq(courses, 1);
    steer_row("bans a player when the witness has answered",
              "%d course: the ban counts from the next turn on", courses);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, a_friend_who_signs_last);
    tcase_add_test(tc, a_friend_and_an_honest_witness);
    tcase_add_test(tc, an_answer_that_is_dropped);
    tcase_add_test(tc, too_few_answers);
    tcase_add_test(tc, dice_of_another_game);
    tcase_add_test(tc, a_witness_asked_for_many_closes);
    tcase_add_test(tc, a_witness_whom_nobody_asked);
    tcase_add_test(tc, a_player_banned_when_the_dice_are_known);
}

TEST_MAIN("play/steering_witness", cases)
