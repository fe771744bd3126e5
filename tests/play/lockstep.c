/* Games in lockstep: each turn is played when the next one opens and never before, nothing moves that, and nobody is
 * shown the deal before it closes. Every game is audited at the end. */
#include "game/lockstep.h"

#include "base/mem.h"
#include "game/record_kinds.h"
#include "house/clock.h"
#include "rules/galaxy_farmer/turn.h"

#define OPENS  (HOUSE_NOON + DAY)
#define CLOSES (OPENS + 20 * DAY)
#define WHY    "reason: The dog ate it.\n"

static struct lockstep times;

static struct new_game lockstep_game(const char *id)
{
    return (struct new_game){.id = id,
                             .ruleset = ruleset_newest("galaxy-farmer"),
                             .seats = 1,
                             .turn_length = lockstep_length(&times),
                             .lockstep = &times,
                             .by_mail = house.by_mail,
                             .missed_robot = 0};
}

static void open_house(void)
{
    begin();
    times = (struct lockstep){.on = true, .opens = OPENS, .hours = 24, .closes = CLOSES};
}

static struct game *make(const char *id)
{
    house_game_of(&house, lockstep_game(id), players);
    return house_find(&house, id);
}

static struct game *dealt(void)
{
    (void)make("gc-1");
    house_clock(&house, OPENS);
    house_empty_spool(&house);
    return game_now();
}

static void send_for(int turn, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s#end\n", turn, lines);
    (void)house_signed(&house, "anna", "anna", text.p);
    str_release(&text);
}

static void send(const char *lines)
{
    send_for(game_now()->turn, lines);
}

static void ask(const char *name, const char *text)
{
    (void)house_signed(&house, name, name, text);
}

/* The records of that type in the journal. */
static int records(const char *id, const char *type)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT, what = STR_INIT;
    struct slice rest, line;
    int count = 0;
    ck_ok(store_read(house.batch.store, id, STORE_BEGIN, &lines, &err), err);
    str_addf(&what, "\"type\":\"%s\"", type);
    for (rest = slice_str(&lines); slice_line(&rest, &line);)
        count += slice_find(line, what.p) != (size_t)-1;
    str_release(&lines);
    str_release(&what);
    return count;
}

#define ck_turn(n) ck_assert_int_eq(game_now()->turn, n)

/* The end of a test: the deal closes, and everything is open. */
static void close_deal(void)
{
    house_clock(&house, CLOSES);
    ck_assert(!game_withheld(game_now()));
    house_same(&house, "gc-1");
}

/* ---- times ---- */

START_TEST(when_turns_open)
{
    ck_assert_int_eq(lockstep_opens(&times, 1), OPENS);
    ck_assert_int_eq(lockstep_opens(&times, 2), OPENS + DAY);
    ck_assert_int_eq(lockstep_opens(&times, 20), OPENS + 19 * DAY);
    ck_assert_int_eq(lockstep_opens(&times, 21), CLOSES);
    ck_assert_int_eq(lockstep_opens(&times, 9999), CLOSES);
    ck_assert_int_eq(lockstep_length(&times), DAY);
}
END_TEST

START_TEST(the_member_of_create)
{
    static const char *const wrong[] = {
        "{}",
        "{\"opens\":\"2026-11-21T12:00:00Z\",\"hours\":24}",
        "{\"opens\":\"2026-11-21T12:00:00Z\",\"hours\":0,\"closes\":\"2026-12-11T12:00:00Z\"}",
        "{\"opens\":\"2026-11-21T12:00:00Z\",\"hours\":745,\"closes\":\"2026-12-11T12:00:00Z\"}",
        "{\"opens\":\"2026-11-21\",\"hours\":24,\"closes\":\"2026-12-11T12:00:00Z\"}",
        "{\"opens\":\"2026-12-11T12:00:00Z\",\"hours\":24,\"closes\":\"2026-12-11T12:00:00Z\"}",
        "{\"opens\":\"2026-11-21T12:00:00Z\",\"hours\":24,\"closes\":\"2026-12-11T12:00:00Z\",\"more\":1}"};
    struct err err = ERR_INIT;
    struct lockstep again;
    json_t *json = lockstep_json(&times);
    ck_ok(lockstep_read(json, &again, &err), err);
    ck_assert(again.on && !again.shown);
    ck_assert_int_eq(again.opens, OPENS);
    ck_assert_int_eq(again.hours, 24);
    ck_assert_int_eq(again.closes, CLOSES);
    json_decref(json);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err why = ERR_INIT;
        json = json_loads(wrong[i], 0, NULL);
        ck_assert_int_eq(lockstep_read(json, &again, &why), -1);
        ck_assert_int_eq(why.code, ERR_BROKEN);
        json_decref(json);
    }
}
END_TEST

/* ---- the deal ---- */

START_TEST(the_deal_waits_for_its_time)
{
    (void)make("gc-1");
    ck_turn(0);
    ck_assert_int_eq(row_due(), OPENS);
    send_for(1, "wait\n");
    told_all("anna", 1, "its turn 1 opens Sat 21 Nov, 12:00 UTC, for everybody who plays this deal");
    house_clock(&house, OPENS - 1);
    ck_turn(0);
    house_restart(&house);
    house_clock(&house, OPENS);
    ck_turn(1);
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + DAY);
    told_all("anna", 1, "each turn opens for all of them at one time");
    house_same(&house, "gc-1");
    close_deal();
}
END_TEST

/* Whoever takes the last seat by a signed text is told when the deal comes, and it comes then. */
START_TEST(a_seat_that_is_taken_by_mail)
{
    static const char *const nobody[] = {NULL};
    house_game_of(&house, lockstep_game("gc-1"), nobody);
    ask("anna", "#turnpost join\ngame: gc-1\n#end\n");
    ck_turn(0);
    ck_assert_int_eq(game_free_seats(game_now()), 0);
    ck_assert_int_eq(row_due(), OPENS);
    told_all("anna", 1, "The cards are dealt Sat 21 Nov, 12:00 UTC, when turn 1 opens for everybody");
    house_restart(&house);
    house_clock(&house, OPENS - 1);
    ck_turn(0);
    house_clock(&house, OPENS);
    ck_turn(1);
    house_same(&house, "gc-1");
    close_deal();
}
END_TEST

/* A game that is made late has no more time than the others. */
START_TEST(a_game_that_is_made_late)
{
    house.now = OPENS + DAY + HOUR;
    house.batch.now = house.now;
    (void)make("gc-1");
    ck_turn(1);
    house_clock(&house, house.now);
    ck_turn(2);
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + 2 * DAY);
    close_deal();
}
END_TEST

/* The same nonce, as a competition draws it, gives the same deal, whoever sits there. */
START_TEST(the_same_deal_for_all)
{
    static const char *const other[] = {"bob"};
    const struct game_place place = {.name = "week", .head = {1}, .round = 1, .table = 1, .attempt = 1};
    struct game_place second = place;
    unsigned char one[32], two[32];
    struct new_game how = lockstep_game("gc-1");
    second.table = 2;
    memset(how.nonce, 5, sizeof how.nonce);
    how.place = &place;
    house_game_of(&house, how, players);
    how.id = "gc-2";
    how.place = &second;
    house_game_of(&house, how, other);
    house_clock(&house, OPENS);
    const struct game *a = house_find(&house, "gc-1"), *b = house_find(&house, "gc-2");
    fields_digest(a->ruleset->fields, a->state, one);
    fields_digest(b->ruleset->fields, b->state, two);
    ck_assert_mem_eq(one, two, sizeof one);
    for (int turn = 1; turn <= 3; turn++)
        house_clock(&house, OPENS + turn * DAY);
    a = house_find(&house, "gc-1");
    b = house_find(&house, "gc-2");
    ck_assert_int_eq(a->turn, 4);
    fields_digest(a->ruleset->fields, a->state, one);
    fields_digest(b->ruleset->fields, b->state, two);
    ck_assert_mem_eq(one, two, sizeof one); /* no orders of either, and nothing was drawn */
    close_deal();
}
END_TEST

/* ---- turns ---- */

START_TEST(orders_that_are_in_wait_for_the_next_turn)
{
    (void)dealt();
    send("stay\n");
    ck_turn(1);
    told_all("anna", 1, "It is played then, not before, as all who play this deal go together");
    house_clock(&house, OPENS + DAY - 1);
    ck_turn(1);
    house_same(&house, "gc-1");
    house_clock(&house, OPENS + DAY);
    ck_turn(2);
    ck_assert_int_eq(game_now()->seat[1].missed, 0);
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + 2 * DAY);
    house_same(&house, "gc-1");
    close_deal();
}
END_TEST

START_TEST(missing_orders_are_not_waited_for)
{
    (void)dealt();
    house_clock(&house, OPENS + DAY);
    ck_turn(2);
    ck_assert_int_eq(game_now()->seat[1].missed, 1);
    house_clock(&house, OPENS + 2 * DAY);
    ck_turn(3);
    close_deal();
}
END_TEST

/* All that came before the deadline counts, also when it is read with the first orders after it. */
START_TEST(better_orders_in_the_same_round)
{
    (void)dealt();
    house.now = house.batch.now = OPENS + DAY + HOUR / 12;
    send_for(1, "seq: 1\nstay\n");
    ck_turn(1);
    send_for(1, "seq: 2\nstay\n");
    ck_assert_int_eq(game_now()->seat[1].orders.seq, 2);
    house_restart(&house);
    ck_turn(1);
    house_clock(&house, house.now);
    ck_turn(2);
    close_deal();
}
END_TEST

START_TEST(one_turn_in_a_mail)
{
    (void)dealt();
    send("stay\nturn 2\nstay\n");
    ck_assert(!game_now()->seat[1].orders.in);
    told_all("anna", 1, "that turn opens Sun 22 Nov, 12:00 UTC, for everybody who plays this deal");
    send("try\nstay\nturn 2\nstay\n");
    told_all("anna", 1, "send one turn in a mail, when it is open");
    close_deal();
}
END_TEST

START_TEST(a_turn_that_is_not_open)
{
    (void)dealt();
    send_for(3, "stay\n");
    ck_assert(!game_now()->seat[1].orders.in);
    told_all("anna", 1, "that turn opens Mon 23 Nov, 12:00 UTC");
    send_for(21, "stay\n");
    told_all("anna", 1, "that turn never opens: the deal closes before");
    close_deal();
}
END_TEST

/* A wrong line, or "wait", keeps nothing open. */
START_TEST(nothing_keeps_a_turn_open)
{
    (void)dealt();
    send("wait: yes\nstai\nstay\n");
    house_clock(&house, OPENS + DAY);
    ck_turn(2);
    close_deal();
}
END_TEST

START_TEST(the_deadline_is_reminded_of)
{
    house_option(&house, "[clock]", "reminder = 4h");
    house_restart(&house);
    (void)dealt();
    house_clock(&house, OPENS + 20 * HOUR);
    told_all("anna", 1, "Sun 22 Nov, 12:00 UTC");
    ck_turn(1);
    close_deal();
}
END_TEST

/* ---- what would give somebody more time, or less ---- */

START_TEST(a_vacation_moves_nothing)
{
    struct str text = STR_INIT;
    (void)dealt();
    str_adds(&text, "#turnpost vacation\n");
    vacation_lines(&text, OPENS / DAY, 5);
    str_adds(&text, "#end\n");
    ask("anna", text.p);
    house_clock(&house, house.now);
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + DAY);
    house_clock(&house, OPENS + DAY);
    ck_turn(2);
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + 2 * DAY);
    str_release(&text);
    close_deal();
}
END_TEST

START_TEST(a_vote_moves_nothing)
{
    (void)dealt();
    ask("anna", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 5\n#end\n");
    told_all("anna", 1, "Game gc-1 is played by several tables at one time: others play the same deal");
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + DAY);
    close_deal();
}
END_TEST

/* The hours of an outage are lost for all. */
START_TEST(an_outage_moves_nothing)
{
    (void)make("gc-1");
    run_at(OPENS, false);
    ck_turn(1);
    run_at(OPENS + DAY + 6 * HOUR, false);
    ck_turn(2);
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + 2 * DAY);
    ck_assert_int_eq(records("gc-1", "note"), 0);
    close_deal();
}
END_TEST

/* What lies in a mailbox that cannot be read has come in time. */
START_TEST(a_mailbox_that_cannot_be_read)
{
    (void)make("gc-1");
    run_at(OPENS, false);
    run_at(OPENS + DAY, true);
    ck_turn(1);
    send("stay\n");
    ck_turn(1);
    run_at(OPENS + DAY + HOUR, false);
    ck_turn(2);
    ck_assert_int_eq(game_now()->seat[1].missed, 0);
    ck_assert_int_eq(game_now()->clock.deadline, OPENS + 2 * DAY);
    close_deal();
}
END_TEST

static const char *const bends[] = {"pause",       "resume",          "extend 24h",
                                    "hold",        "resolve",         "replace anna by bob",
                                    "orders anna", "rollback turn 1", "correct score = 3"};

START_TEST(what_moderators_cannot_do)
{
    struct str text = STR_INIT;
    (void)dealt();
    house_clock(&house, OPENS + DAY);
    house_empty_spool(&house);
    int64_t seq = game_now()->seq;
    str_addf(&text, "#turnpost moderate\ngame: gc-1\nturn: 2\ndo: %s\n" WHY "%s#end\n", bends[_i],
             strstr(bends[_i], "orders") ? "stay\n" : "");
    ask("mona", text.p);
    ck_assert_int_eq(game_now()->seq, seq);
    told_all("mona", 1, "nobody moves its turns, changes its table or plays for others");
    str_release(&text);
    close_deal();
}
END_TEST

/* Replay goes by the table of kinds: what petitions refuse is not in a journal either. */
START_TEST(no_record_bends_it)
{
    static const enum record_id all[] = {
        RECORD_OBSERVE,    RECORD_STANDBY,    RECORD_OFFER,     RECORD_SHIFT,       RECORD_HOLD,
        RECORD_VOTE,       RECORD_DO_PAUSE,   RECORD_DO_RESUME, RECORD_DO_EXTEND,   RECORD_DO_HOLD,
        RECORD_DO_RESOLVE, RECORD_DO_REPLACE, RECORD_DO_ORDERS, RECORD_DO_ROLLBACK, RECORD_DO_CORRECT};
    const struct record record = {.time = CLOSES};
    (void)dealt();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ck_assert(record_kinds[all[i]].bends);
        ck_assert_ptr_nonnull(lockstep_fault(game_now(), &record, &record_kinds[all[i]]));
    }
    ck_assert_ptr_nonnull(lockstep_fault(game_now(), &record, &record_kinds[RECORD_APPEAL]));
    ck_assert_ptr_null(lockstep_fault(game_now(), &record, &record_kinds[RECORD_ORDERS]));
    ck_assert_ptr_null(lockstep_fault(game_now(), &record, &record_kinds[RECORD_DO_VOID]));
    close_deal();
}
END_TEST

/* Neither the clock nor replay lets a turn be played too soon. */
START_TEST(a_turn_is_not_played_too_soon)
{
    struct err err = ERR_INIT;
    struct step step;
    struct batch_game *entry;
    (void)dealt();
    struct step_keys keys = batch_keys(&house.batch);
    step_init(&step, &keys, OPENS + DAY - 1);
    ck_ok(batch_game(&house.batch, "gc-1", &entry, &err), err);
    struct game copy;
    ck_ok(game_copy(&entry->game, &copy, &err), err);
    ck_assert_int_eq(step_resolve(&step, &copy, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "before the next one opens for all"));
    step_release(&step);
    game_release(&copy);
    close_deal();
}
END_TEST

/* The robot of who has resigned plays at the same times as all others. */
START_TEST(a_robot_plays_in_lockstep)
{
    (void)dealt();
    ask("anna", "#turnpost resign\ngame: gc-1\nturn: 1\n#end\n");
    ck_turn(1);
    ck_assert(game_now()->seat[1].robot);
    house_clock(&house, OPENS + DAY - 1);
    ck_turn(1);
    house_clock(&house, OPENS + DAY);
    ck_turn(2);
    house_clock(&house, OPENS + 2 * DAY);
    ck_turn(3);
    house_same(&house, "gc-1");
    close_deal();
}
END_TEST

/* ---- what is shown ---- */

START_TEST(nobody_else_is_shown_the_table)
{
    (void)dealt();
    house_mail(&house, "bob", "status gc-1", "");
    told_all("bob", 1, "Others may still play the same deal, so its table is not shown before Fri 11 Dec");
    house_clock(&house, OPENS + DAY);
    house_empty_spool(&house);
    struct str text;
    house_mail(&house, "bob", "status gc-1", "");
    ck_assert_int_eq(house_mails(&house, "bob", &text), 1);
    ck_assert_ptr_null(strstr(text.p, "ORDERS ON OFFER"));
    ck_assert_ptr_null(strstr(text.p, "turn 2"));
    str_release(&text);
    close_deal();
}
END_TEST

static const char *const shows[] = {"observe", "journal", "publish", "appeal", "preview", "rematch"};

/* While it runs, and when it is over before the deal closes. */
START_TEST(what_would_show_it_is_refused)
{
    const char *verb = shows[_i];
    bool moderates = strcmp(verb, "preview") == 0,
         own = strcmp(verb, "appeal") == 0 || strcmp(verb, "rematch") == 0;
    const char *who = moderates ? "mona" : own ? "anna" : "bob";
    struct str text = STR_INIT;
    (void)dealt();
    if (strcmp(verb, "observe") != 0 && !moderates && strcmp(verb, "appeal") != 0)
        house_rules(&house, "gc-1", "do: void\n" WHY);
    house_empty_spool(&house);
    int64_t seq = game_now()->seq;
    str_addf(&text, "#turnpost %s\ngame: gc-1\n%s%s#end\n", verb,
             strcmp(verb, "rematch") == 0 ? "" : "turn: 1\n",
             strcmp(verb, "appeal") == 0 ? "\nThe deal is wrong.\n" : "");
    ask(who, text.p);
    ck_assert_int_eq(game_now()->seq, seq);
    told_all(who, 1, "Others may still play the deal of game gc-1, so nothing of it is shown before");
    str_release(&text);
    close_deal();
}
END_TEST

START_TEST(it_is_not_published_before)
{
    struct err err = ERR_INIT;
    struct bundle bundle = {NULL, 0, 0};
    const struct publish how = {.store = house.batch.store,
                                .league = &house.league,
                                .templates = house.batch.templates,
                                .game = "gc-1"};
    (void)dealt();
    ck_assert_int_eq(publish_game(&how, &bundle, &err), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_ptr_nonnull(
        strstr(err.text, "it can be published when it is open, after 2026-12-11T12:00:00Z"));
    struct err none = ERR_INIT;
    ck_ok(publish_shown(&how, &bundle, &none), none);
    ck_assert_uint_eq(bundle.count, 0);
    close_deal();
    ck_ok(publish_shown(&how, &bundle, &none), none);
    ck_assert_uint_gt(bundle.count, 0);
    bundle_release(&bundle);
}
END_TEST

/* Lost early: how it ended is told, and not what was hidden. */
START_TEST(a_game_that_is_over_before_the_deal_closes)
{
    int day = 0;
    struct str text;
    (void)dealt();
    while (!game_now()->over && ++day < 20) {
        house_empty_spool(&house);
        house_clock(&house, OPENS + day * DAY);
    }
    ck_assert(game_now()->over);
    ck_assert_int_lt(day, 19);
    ck_assert(game_withheld(game_now()));
    ck_assert_int_eq(records("gc-1", "end"), 1);
    ck_assert_int_eq(records("gc-1", "open"), 0);
    ck_assert_int_eq(house_mails(&house, "anna", &text), 1);
    ck_assert(house_says(text.p, "It is over: "));
    ck_assert(house_says(text.p, "Others may still play this deal, so tell nobody of it."));
    ck_assert_ptr_null(strstr(text.p, "WHAT WAS HIDDEN"));
    ck_assert_ptr_null(strstr(text.p, "turnpost rematch"));
    str_release(&text);
    house_empty_spool(&house);
    ck_assert_int_eq(row_due(), CLOSES);
    (void)audited(house.batch.store, "gc-1", true);
    house_same(&house, "gc-1");
    house_restart(&house);
    house_clock(&house, CLOSES - 1);
    told_all(NULL, 0, NULL);
    ask("anna", "#turnpost resend\ngame: gc-1\n#end\n");
    ck_assert_int_eq(house_mails(&house, "anna", &text), 1);
    ck_assert_ptr_null(strstr(text.p, "WHAT WAS HIDDEN"));
    str_release(&text);
    house_empty_spool(&house);
    house_clock(&house, CLOSES);
    ck_assert_int_eq(records("gc-1", "open"), 1);
    told("anna", 1, "WHAT WAS HIDDEN");
    told_all("anna", 1, "The game's journal is open now, and attached");
    house_same(&house, "gc-1");
    house_clock(&house, CLOSES + DAY);
    ck_assert_int_eq(records("gc-1", "open"), 1);
    told_all(NULL, 0, NULL);
}
END_TEST

/* For lists, results and ratings it is over when all may see it. */
START_TEST(its_end_counts_when_it_is_open)
{
    struct err err = ERR_INIT;
    struct catalog_game row;
    bool found;
    (void)dealt();
    house_rules(&house, "gc-1", "do: void\n" WHY);
    ck_assert(game_now()->over);
    ck_ok(catalog_get_game(house.batch.catalog, "gc-1", &row, &found, &err), err);
    ck_assert(found && !row.over);
    house_clock(&house, CLOSES);
    ck_ok(catalog_get_game(house.batch.catalog, "gc-1", &row, &found, &err), err);
    ck_assert(found && row.over);
    house_same(&house, "gc-1");
}
END_TEST

/* What is left when the deal closes is played with what is there. */
START_TEST(the_close_ends_what_still_runs)
{
    times.closes = OPENS + 3 * DAY;
    (void)dealt();
    for (int day = 1; day <= 2; day++)
        house_clock(&house, OPENS + day * DAY);
    ck_turn(3);
    ck_assert_int_eq(game_now()->clock.deadline, times.closes);
    house_empty_spool(&house);
    house_clock(&house, times.closes);
    ck_assert(game_now()->over);
    ck_assert(!game_withheld(game_now()));
    ck_assert_int_eq(records("gc-1", "open"), 1);
    house_same(&house, "gc-1");
}
END_TEST

/* ---- a whole game ---- */

/* What a sensible farmer would order, under the player's own key. */
static void send_sensible(const char *id, int turn)
{
    const struct game *game = house_find(&house, id);
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: %s\nturn: %d\n", id, turn);
    game->ruleset->robot(game->cards, game->state, 1, &text);
    str_adds(&text, "#end\n");
    (void)house_signed(&house, "anna", "anna", text.p);
    str_release(&text);
}

/* With LOCKSTEP_RECORD=DIR its league is kept there: games/lockstep was published from it. */
START_TEST(a_whole_game)
{
    const char *keep = getenv("LOCKSTEP_RECORD");
    times = (struct lockstep){.on = true, .opens = OPENS, .hours = 8, .closes = OPENS + 9 * DAY};
    (void)make("lockstep");
    for (int turn = 1; turn <= 27; turn++) {
        house_clock(&house, lockstep_opens(&times, turn));
        const struct game *game = house_find(&house, "lockstep");
        ck_assert(game->over || game->turn == turn);
        house.now = house.batch.now = house.now + HOUR;
        if (!game->over && turn % 7 != 3) /* some are missed */
            send_sensible("lockstep", turn);
        house_empty_spool(&house);
    }
    ck_assert(house_find(&house, "lockstep")->over);
    ck_assert(game_withheld(house_find(&house, "lockstep")));
    house_clock(&house, times.closes);
    ck_assert(!game_withheld(house_find(&house, "lockstep")));
    house_same(&house, "lockstep");
    if (keep)
        scratch_copy(house.dir, keep);
}
END_TEST

/* The recorded game replays, and each of its turns was played at its time. */
START_TEST(the_recorded_game)
{
    struct err err = ERR_INIT;
    struct store *store;
    struct game game;
    struct str lines = STR_INIT;
    struct slice rest, line;
    int turns = 0;
    store = store_open("games");
    ck_ok(game_load(store, "lockstep", NULL, &game, &err), err);
    const struct lockstep *recorded = &game.clock.lockstep;
    ck_assert(recorded->on && recorded->shown && game.over);
    ck_ok(store_read(store, "lockstep", STORE_BEGIN, &lines, &err), err);
    for (rest = slice_str(&lines); slice_line(&rest, &line);) {
        struct record record;
        ck_ok(record_parse((struct slice){line.p, line.len + 1}, &record, &err), err);
        int turn = (int)json_integer_value(json_object_get(record.json, "turn"));
        if (strcmp(record.type, "start") == 0)
            ck_assert_int_eq(record.time, recorded->opens);
        if (strcmp(record.type, "turn") == 0) {
            ck_assert_int_eq(record.time, lockstep_opens(recorded, turn + 1));
            turns++;
        }
        if (strcmp(record.type, "open") == 0)
            ck_assert_int_eq(record.time, recorded->closes);
        record_release(&record);
    }
    ck_assert_int_gt(turns, 10);
    (void)audited(store, "lockstep", true);
    game_release(&game);
    store_close(store);
    str_release(&lines);
}
END_TEST

/* ---- which games ---- */

static void not_made(const struct new_game *how, const char *words)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys = batch_keys(&house.batch);
    step_init(&step, &keys, house.now);
    ck_assert_int_eq(step_create(&step, &game, how, &err), -1);
    ck_assert_msg(strstr(err.text, words) != NULL, "%s", err.text);
    step_release(&step);
    game_release(&game);
}

START_TEST(games_that_cannot_be_made)
{
    struct new_game how = lockstep_game("gc-1");
    for (int i = 0; rulesets[i]; i++) {
        ck_assert_int_eq(rulesets[i]->draws_nothing, strcmp(rulesets[i]->name, "galaxy-farmer") == 0);
        how.ruleset = rulesets[i];
        how.seats = how.ruleset->seats_min;
        if (!how.ruleset->draws_nothing)
            not_made(&how, "draws dice or cards after the deal, so it cannot be played in lockstep");
    }
    how = lockstep_game("gc-1");
    how.typo_wait = true;
    not_made(&how, "nothing else says when turns end");
    how = lockstep_game("gc-1");
    how.missed_standby = 2;
    not_made(&how, "nothing else says when turns end");
    how = lockstep_game("gc-1");
    how.turn_length = HOUR;
    not_made(&how, "its turns have not the length");
}
END_TEST

/* The flag is true: a hundred games of the robot (in the short form twelve: each difficulty with and without
 * its orders), in which nothing can be drawn after the deal. */
START_TEST(nothing_is_drawn_after_the_deal)
{
    const struct ruleset *ruleset = ruleset_newest("galaxy-farmer");
    struct game game;
    struct err err = ERR_INIT;
    unsigned char root[64], secret[VRF_SECRET], public[VRF_PUBLIC];
    vrf_keygen(secret, public);
    game_init(&game);
    game.ruleset = ruleset;
    ck_ok(game_set_cards(&game, NULL, &err), err);
    for (int round = 0; round < (FEW ? 12 : 100); round++) {
        const struct wish_list wishes[SEATS_MAX + 1] = {{{0}}};
        void *state = mem_alloc(ruleset->state_size);
        int options[GAME_OPTIONS] = {0};
        struct chance chance;
        struct events events;
        for (int i = 0; ruleset->options[i].name; i++)
            options[i] = ruleset->options[i].initial;
        options[GF_OPTION_DIFFICULTY] = round % 3;
        memset(root, round, sizeof root);
        events_init(&events);
        ck_ok(ruleset->init(game.cards, 1, options, state, &err), err);
        chance_live(&chance, root, secret, public);
        ruleset->deal(game.cards, state, wishes, &chance, &events);
        int turn = 1;
        for (; ruleset->awaits(state); turn++) {
            struct str lines = STR_INIT;
            ruleset->robot(game.cards, state, 1, &lines);
            struct script *script = script_parse(slice_str(&lines), ruleset->language);
            struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
            orders[1].script = round % 4 ? script : NULL;
            /* A draw would need the chance that is not there. */
            ruleset->play(game.cards, state, &(struct resolution){orders, turn, NULL, &events});
            script_free(script);
            str_release(&lines);
        }
        ck_assert_int_gt(turn, 3);
        events_release(&events);
        free(state);
    }
    game_release(&game);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_house, end);
    tcase_add_test(tc, when_turns_open);
    tcase_add_test(tc, the_member_of_create);
    tcase_add_test(tc, the_deal_waits_for_its_time);
    tcase_add_test(tc, a_seat_that_is_taken_by_mail);
    tcase_add_test(tc, a_game_that_is_made_late);
    tcase_add_test(tc, the_same_deal_for_all);
    tcase_add_test(tc, orders_that_are_in_wait_for_the_next_turn);
    tcase_add_test(tc, missing_orders_are_not_waited_for);
    tcase_add_test(tc, better_orders_in_the_same_round);
    tcase_add_test(tc, one_turn_in_a_mail);
    tcase_add_test(tc, a_turn_that_is_not_open);
    tcase_add_test(tc, nothing_keeps_a_turn_open);
    tcase_add_test(tc, the_deadline_is_reminded_of);
    tcase_add_test(tc, a_vacation_moves_nothing);
    tcase_add_test(tc, a_vote_moves_nothing);
    tcase_add_test(tc, an_outage_moves_nothing);
    tcase_add_test(tc, a_mailbox_that_cannot_be_read);
    tcase_add_loop_test(tc, what_moderators_cannot_do, 0, sizeof bends / sizeof *bends);
    tcase_add_test(tc, no_record_bends_it);
    tcase_add_test(tc, a_turn_is_not_played_too_soon);
    tcase_add_test(tc, a_robot_plays_in_lockstep);
    tcase_add_test(tc, nobody_else_is_shown_the_table);
    tcase_add_loop_test(tc, what_would_show_it_is_refused, 0, sizeof shows / sizeof *shows);
    tcase_add_test(tc, it_is_not_published_before);
    tcase_add_test(tc, a_game_that_is_over_before_the_deal_closes);
    tcase_add_test(tc, its_end_counts_when_it_is_open);
    tcase_add_test(tc, the_close_ends_what_still_runs);
    tcase_add_test(tc, a_whole_game);
    tcase_add_test(tc, the_recorded_game);
    tcase_add_test(tc, games_that_cannot_be_made);
    tcase_add_loop_test(tc, nothing_is_drawn_after_the_deal, 0, ruleset_newest("galaxy-farmer")->version);
}
TEST_MAIN("play/lockstep", cases)
