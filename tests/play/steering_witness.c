/* What an operator with all keys can do with a friend at the table, and what a witness changes: see
 * play/steering. */
#include "house/steering.h"

#include "publish/testimony.h"
#include "game/witness.h"

static struct secret wanda;
static unsigned char wanda_vrf[VRF_SECRET], wanda_public[VRF_PUBLIC];
static struct testimony memory;

static void line_of(const struct history *h, const char *type, struct str *out)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct slice rest, line;
    char want[32];
    (void)snprintf(want, sizeof want, "\"type\":\"%s\"", type);
    if (!h->fresh)
        ck_ok(store_read(table.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    str_addslice(&lines, slice_str(&h->step.records));
    str_clear(out);
    for (rest = slice_str(&lines); rest.len && slice_line(&rest, &line);)
        if (slice_find(line, want) != (size_t)-1) {
            str_clear(out);
            str_addslice(out, line);
            str_addc(out, '\n');
        }
    str_release(&lines);
}

/* The witness's program answers what the league shows it. */
static void witness_text(const struct history *h, struct signed_text *text, char proof[2 * VRF_PROOF + 1])
{
    struct err err = ERR_INIT;
    struct str shown = STR_INIT, close = STR_INIT, keep = STR_INIT;
    struct testimony before = memory;
    struct close_seen seen;
    unsigned char bytes[VRF_PROOF], beta[VRF_OUTPUT];
    line_of(h, "create", &shown);
    line_of(h, "close", &close);
    str_addslice(&shown, slice_str(&close));
    ck_ok(testimony_close(slice_str(&shown), table.key.point, &seen, &err), err);
    *text = (struct signed_text){.exact = STR_INIT};
    ck_ok(testimony_answer(&seen, &before, wanda_vrf, wanda_public, &text->exact, &keep, &err), err);
    ck_assert(vrf_prove(bytes, beta, wanda_vrf, wanda_public, slice_str(&seen.alpha)));
    hex_to(proof, bytes, VRF_PROOF);
    text_finish(text, &wanda);
    testimony_release(&seen);
    str_release(&shown);
    str_release(&close);
    str_release(&keep);
}

static void answer(struct history *h)
{
    struct err err = ERR_INIT;
    struct signed_text text;
    char proof[2 * VRF_PROOF + 1];
    witness_text(h, &text, proof);
    json_t *members = text_evidence("wanda", &text);
    struct witness_input input = {.proof = proof, .last = memory.last, .members = members};
    json_t *refusal = NULL;
    ck_ok(step_witness(&h->step, &h->game, &input, &refusal, &err), err);
    json_decref(members);
    text_release(&text);
}

/* The operator has an answer to excuse the witness in spite of. */
static void excuse(struct history *h)
{
    struct err err = ERR_INIT;
    struct signed_text text = {.exact = STR_INIT};
    char head[2 * HEAD_BYTES + 1];
    game_answer_head(head, &h->game);
    str_addf(&text.exact,
             "#turnpost excuse\ngame: gc-1\nturn: %d\nhead: %s\nwitness: wanda\nreason: ill\n#end\n",
             h->game.turn, head);
    text_finish(&text, &table.players[2]);
    json_t *members = text_evidence("mona", &text);
    json_object_set_new(members, "reason", json_string("ill"));
    ck_ok(step_excuse(&h->step, &h->game, 0, members, &err), err);
    json_decref(members);
    text_release(&text);
}

/* A game of alice, who is honest, and bob, the operator's friend; dealt. */
static void begin_friends(bool witnessed)
{
    struct new_game how;
    struct history h;
    table_open(&table);
    memset(&memory, 0, sizeof memory);
    secret_new(&wanda);
    vrf_keygen(wanda_vrf, wanda_public);
    steer_how(&how, "ab");
    how.witness[0] = (struct new_witness){.player = "wanda", .key_count = 1};
    secret_public(&wanda, &how.witness[0].keys[0]);
    memcpy(how.witness[0].vrf, wanda_public, VRF_PUBLIC);
    how.witness_count = witnessed;
    history_create(&h, &how, NOON);
    if (witnessed) {
        char head[2 * HEAD_BYTES + 1];
        int64_t seq = 0;
        hex_to(head, h.game.close.head, HEAD_BYTES);
        seq = h.game.seq;
        answer(&h);
        memory.seq = seq;
        memcpy(memory.last, head, sizeof head);
    }
    table.game = h.game;
    table_commit(&table, &h.step, 0, 0);
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

/* The friend signs until the die is a six, as it will be without a witness. The number of tries. */
static int aim(struct history *h, const struct signed_text *from_a, bool witnessed, int *number)
{
    for (int tries = 1;; tries++, (*number)++) {
        ck_assert_int_lt(tries, 500);
        friend_signs(h, from_a, *number);
        if (witnessed)
            excuse(h);
        if (friends_die(h) == 6)
            return tries;
        history_end(h);
    }
}

static int tries_of_a_friend(struct tally *tally)
{
    struct signed_text from_a;
    struct history h;
    int number = 0;
    begin_friends(false);
    text_orders(&from_a, 1, "");
    int tries = aim(&h, &from_a, false, &number);
    tally_add(tally, &h);
    history_end(&h);
    text_release(&from_a);
    table_close(&table);
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

/* Games in which the friend aims at a six, as if the witness were excused: how many sixes when the witness
 * answers, how many when they are excused? */
struct aimed {
    int games, answered, excused;
    struct tally tally;
    char choice[400];
};

static void aim_with_witness(struct aimed *aimed)
{
    struct signed_text from_a;
    struct history h;
    struct tally tally = {.histories = 0};
    int number = 0;
    begin_friends(true);
    text_orders(&from_a, 1, "");
    (void)aim(&h, &from_a, true, &number);
    tally_add(&tally, &h);
    memcpy(aimed->choice, tally.choice, sizeof tally.choice);
    aimed->excused += friends_die(&h) == 6;
    history_end(&h);
    friend_signs(&h, &from_a, number);
    answer(&h);
    tally_add(&tally, &h);
    aimed->answered += friends_die(&h) == 6;
    ck_assert_ptr_nonnull(strstr(tally.choice, "Witness: wanda."));
    history_end(&h);
    aimed->games++;
    text_release(&from_a);
    table_close(&table);
}

START_TEST(a_friend_and_an_honest_witness)
{
    struct aimed done = {.games = 0};
    int games = steer_long() ? 40 : 2;
    for (int i = 0; i < games; i++)
        aim_with_witness(&done);
    ck_assert_int_eq(done.excused, games);
    if (games >= 40) /* by chance a sixth; as many as that once in ten thousand million */
        ck_assert_int_lt(done.answered, 26);
    ck_assert_ptr_nonnull(strstr(done.choice, "In turn 1 a witness was excused"));
    steer_row("the same with an honest witness who answers", "a six in %d of %d turns", done.answered, games);
    steer_row("the same, and then excuses the witness", "a six in %d of %d turns; audit: %s", done.excused,
              games, done.choice);
}
END_TEST

/* An answer with the wrong "last" is refused; a record of it all the same is found. */
static const char *answer_refused(struct history *h)
{
    struct err err = ERR_INIT, why = ERR_INIT;
    struct signed_text text;
    char proof[2 * VRF_PROOF + 1];
    witness_text(h, &text, proof);
    json_t *members = text_evidence("wanda", &text);
    struct witness_input input = {.proof = proof, .last = memory.last, .members = members};
    json_t *refusal = NULL;
    ck_assert_int_eq(step_witness(&h->step, &h->game, &input, &refusal, &err), OUTCOME_REFUSED);
    ck_assert_ptr_nonnull(json_object_get(refusal, "last_other"));
    json_decref(refusal);
    json_object_update_new(members,
                           json_pack("{s:s,s:i,s:s,s:s,s:s}", "kind", "witness", "turn", h->game.turn,
                                     "witness", "wanda", "pi", proof, "last", memory.last));
    int rc = step_record(&h->step, &h->game, "note", members, NULL, &why);
    text_release(&text);
    return rc ? steer_say("replay: %s", why.text) : history_broken(h, "answered");
}

/* By the same texts: what the witness answers, or nothing of it. The most results of one choice of texts. */
static int excused_or_not(struct tally *all)
{
    struct signed_text from_a;
    int most = 0;
    begin_friends(true);
    text_orders(&from_a, 1, "");
    for (int number = 0; number < 12 && most < 2; number++) {
        struct tally tally = {.histories = 0};
        for (int i = 0; i < 4; i++) {
            struct history h;
            friend_signs(&h, &from_a, number);
            h.step.now += i * 1000;
            (i % 2 ? excuse : answer)(&h);
            tally_add(&tally, &h);
            history_end(&h);
        }
        ck_assert_int_le(tally.event_kinds, 2);
        most = tally.event_kinds > most ? tally.event_kinds : most;
        *all = tally;
    }
    text_release(&from_a);
    table_close(&table);
    return most;
}

START_TEST(an_answer_that_is_dropped)
{
    struct tally done;
    int results = excused_or_not(&done);
    ck_assert_int_eq(results, 2);
    ck_assert_ptr_nonnull(strstr(done.choice, "In turn 1 a witness was excused"));
    steer_row("drops a witness's answer and excuses them", "%d results of the same texts; audit: %s", results,
              done.choice);
}
END_TEST

/* The witness has answered turn 1 and was excused all the same; the turn after it names that answer. */
static void next_answer(void)
{
    struct signed_text from_a, from_b;
    struct history h;
    char head[2 * HEAD_BYTES + 1];
    begin_friends(true);
    text_orders(&from_a, 1, "");
    friend_signs(&h, &from_a, 0);
    hex_to(memory.last, h.game.close.head, HEAD_BYTES);
    memory.seq = h.game.seq;
    excuse(&h);
    game_answer_head(head, &h.game);
    text_release(&from_a);
    text_orders_of(&from_a, &h.game, 1, head, "");
    text_orders_of(&from_b, &h.game, 2, head, "");
    ck_assert_int_eq((int)history_take(&h, &from_a), ORDERS_TAKEN);
    ck_assert_int_eq((int)history_take(&h, &from_b), ORDERS_TAKEN);
    ck_assert(h.game.closed);
    ck_assert(witness_last_fits(&h.game, 0, memory.last));
    text_release(&from_a);
    text_release(&from_b);
    history_end(&h);
    table_close(&table);
}

START_TEST(a_dropped_answer_shows_in_the_next)
{
    next_answer();
    steer_row("the same, and takes up the witness's next answer",
              "taken up; it names the close of the dropped one");
}
END_TEST

/* ---- what a witness is asked ---- */

static const char *asked_for_another(void)
{
    struct err err = ERR_INIT;
    struct str shown = STR_INIT, close = STR_INIT;
    struct new_game how;
    struct signed_text from_a;
    struct history h, other;
    struct close_seen seen;
    begin_friends(true);
    text_orders(&from_a, 1, "");
    friend_signs(&h, &from_a, 0);
    line_of(&h, "close", &close);
    steer_how(&how, "ab");
    how.id = "gc-2";
    history_create(&other, &how, NOON);
    line_of(&other, "create", &shown);
    int rc = testimony_close(slice_str(&close), table.key.point, &seen, &err);
    ck_assert_int_eq(rc, -1);
    testimony_release(&seen);
    err_clear(&err);
    str_addslice(&shown, slice_str(&close));
    rc = testimony_close(slice_str(&shown), table.key.point, &seen, &err);
    ck_assert_int_eq(rc, -1);
    testimony_release(&seen);
    history_end(&h);
    history_end(&other);
    text_release(&from_a);
    table_close(&table);
    str_release(&shown);
    str_release(&close);
    return steer_say("witness: %s", err.text);
}

START_TEST(a_witness_asked_for_another_game)
{
    steer_row("asks a witness in the name of another game", "%s", asked_for_another());
}
END_TEST

/* The operator shows the witness one close after the other and takes the answer that they like: none but the
 * first has the "last" that the journal needs. */
static const char *asked_twice(void)
{
    struct signed_text from_a;
    struct history h;
    begin_friends(true);
    text_orders(&from_a, 1, "");
    friend_signs(&h, &from_a, 0);
    hex_to(memory.last, h.game.close.head, HEAD_BYTES);
    memory.seq = h.game.seq - 1;
    history_end(&h);
    friend_signs(&h, &from_a, 1);
    const char *words = answer_refused(&h);
    text_release(&from_a);
    history_end(&h);
    table_close(&table);
    return words;
}

START_TEST(a_witness_asked_for_many_closes)
{
    steer_row("shows a witness many closes and takes the best", "refused by the step; %s", asked_twice());
}
END_TEST

/* Only the operator says whose the keys of a witness are. */
START_TEST(a_witness_whom_nobody_asked)
{
    struct tally tally = {.histories = 0};
    struct signed_text from_a;
    struct history h;
    begin_friends(true);
    text_orders(&from_a, 1, "");
    for (int number = 0;; number++) {
        ck_assert_int_lt(number, 500);
        friend_signs(&h, &from_a, number);
        answer(&h); /* all keys are the operator's */
        if (friends_die(&h) == 6)
            break;
        history_end(&h);
    }
    tally_add(&tally, &h);
    ck_assert_ptr_nonnull(strstr(tally.choice, "Witness: wanda."));
    history_end(&h);
    text_release(&from_a);
    table_close(&table);
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
    begin_friends(true);
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
        if (i)
            ban(&h, 2);
        answer(&h);
        tally_add(&tally, &h);
        history_end(&h);
    }
    ck_assert_int_eq(tally.draw_kinds, 1);
    text_release(&from_a);
    text_release(&bides);
    table_close(&table);
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
    tcase_add_test(tc, a_dropped_answer_shows_in_the_next);
    tcase_add_test(tc, a_witness_asked_for_another_game);
    tcase_add_test(tc, a_witness_asked_for_many_closes);
    tcase_add_test(tc, a_witness_whom_nobody_asked);
    tcase_add_test(tc, a_player_banned_when_the_dice_are_known);
}

TEST_MAIN("play/steering_witness", cases)
