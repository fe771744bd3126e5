/* Everything that ends by time, under a clock that jumps eight days ahead and back, and a service that stood
 * still: nothing ends at the first round after the jump, what was left is given again, and finally everything
 * ends. */
#include "house/clock.h"
#include "house/watcher.h"

#include "base/json.h"
#include "base/log.h"
#include "batch/confirm.h"
#include "petitions/rekey.h"
#include "batch/stuck.h"
#include "game/witness.h"

static struct confirm what = {.use = CONFIRM_ADDRESS, .player = "anna", .address = "anna@example.com"};
static char word[TOKEN_TEXT], token[TOKEN_NAME];
static struct incoming stuck;

static void sign(const char *name, const char *text)
{
    (void)house_signed(&house, name, name, text);
    house_empty_spool(&house);
}

static void make(struct new_game how, const char *const *names)
{
    how.id = "gc-1";
    how.ruleset = ruleset_newest("galaxy-command");
    how.clock = &clock_of;
    house_game_of(&house, how, names);
    house_empty_spool(&house);
}

/* ---- the valve's hold: seven days ---- */

static void begin_hold(void)
{
    clock_of.length = DAY;
    make((struct new_game){.seats = 2}, players);
    for (int hours = 0; hours < 24; hours += 4)
        run_at(house.now + 4 * HOUR, false);
    ck_assert(game_now()->clock.held);
}

static bool hold_waits(void)
{
    return game_now()->turn == 1;
}

/* ---- the shortest turn ---- */

static void begin_minimum(void)
{
    clock_of.length = 60 * DAY;
    clock_of.minimum = 3 * DAY;
    make((struct new_game){.seats = 2}, players);
    orders("anna", 1);
    orders("bob", 1);
}

/* ---- kept seats ---- */

static void begin_kept(void)
{
    struct new_game how = {.seats = 2, .answer_by = house.now + 6 * DAY};
    static const char *const names[] = {"anna", "bob"};
    how.seat[1].kept = how.seat[2].kept = true;
    make(how, names);
    ck_assert_int_eq(game_now()->turn, 0);
}

static bool kept_waits(void)
{
    return !game_now()->over;
}

/* ---- an offer ---- */

static void begin_offer(void)
{
    clock_of.length = 60 * DAY;
    make((struct new_game){.seats = 2, .missed_standby = 1}, players);
    sign("carol", "#turnpost standby\ngame: gc-1\n#end\n");
    orders("anna", 1);
    house_rules(&house, "gc-1", "do: resolve\nreason: x\n");
    ck_assert_str_eq(game_now()->seat[2].offered, "carol");
    house_empty_spool(&house);
}

static bool offer_waits(void)
{
    return strcmp(game_now()->seat[2].offered, "carol") == 0;
}

/* ---- a witness ---- */

static void begin_witness(void)
{
    struct new_game how = {.seats = 2};
    struct watcher watcher;
    watcher_new(&watcher, "wanda");
    watcher_named(&how.witnesses, &watcher);
    how.witnesses.log = league_log_policy(house.batch.tlog)->log[0].key;
    make(how, players);
    orders("anna", 1);
    orders("bob", 1);
    ck_assert(game_now()->closed);
}

static bool witness_waits_now(void)
{
    return !game_now()->witnesses.late;
}

/* ---- another key for a player ---- */

/* The line of a key that belongs to nobody; by its fingerprint where that is enough. */
static void fresh_key(struct str *text, bool whole)
{
    struct pubkey key;
    char print[KEY_FINGERPRINT];
    secret_public(house_person(&house, "zoe"), &key);
    pubkey_fingerprint(print, &key);
    if (whole)
        pubkey_format(text, &key);
    else
        str_adds(text, print);
}

static void begin_rekey(void)
{
    struct str text = STR_INIT;
    str_adds(&text, "#turnpost rekey\nplayer: anna\nkey: ");
    fresh_key(&text, true);
    str_adds(&text, "\nwhy: lost\n#end\n");
    sign("mona", text.p);
    ck_assert_int_ne(registry_find(&house.batch.registry, "anna")->rekey.time, 0);
    str_release(&text);
}

static bool rekey_waits(void)
{
    return registry_find(&house.batch.registry, "anna")->rekey.time != 0;
}

/* ---- words and documents ---- */

static void find_token_of(char kind)
{
    struct err err = ERR_INIT;
    struct file_names names;
    ck_ok(registry_log_tokens(&house.batch.log, kind, &names, &err), err);
    ck_assert_uint_eq(names.count, 1);
    (void)snprintf(token, sizeof token, "%s", names.name[0]);
    file_names_free(&names);
}

static void begin_invitation(void)
{
    sign("mona", "#turnpost invite\nfor: a friend\n#end\n");
    find_token_of(TOKEN_INVITE);
}

static void begin_key(void)
{
    struct str text = STR_INIT;
    str_adds(&text, "#turnpost key\nplayer: anna\nadd: ");
    fresh_key(&text, false);
    str_adds(&text, "\n#end\n");
    sign("anna", text.p);
    find_token_of(TOKEN_KEY);
    str_release(&text);
}

static bool token_waits(void)
{
    struct err err = ERR_INIT;
    json_t *document = NULL;
    ck_ok(batch_token(&house.batch, token, &document, &err), err);
    json_decref(document);
    return document != NULL;
}

static void begin_word(void)
{
    confirm_word(word, &house.league, &what, house.now);
}

static bool word_waits(void)
{
    return confirm_good(&house.batch, &what, slice_of(word));
}

/* ---- a mail that fails ---- */

static void begin_stuck(void)
{
    str_adds(&stuck.raw, "From: anna@example.net\n\nHello\n");
}

/* Tried in each round, in vain. */
static bool stuck_waits(void)
{
    struct err err = ERR_INIT, why = ERR_INIT;
    struct reading reading = {0};
    enum stuck_plan plan;
    unsigned char digest[32];
    message_digest(digest, slice_str(&stuck.raw));
    ck_ok(stuck_plan(&house.batch, digest, &plan, &err), err);
    if (plan == STUCK_GIVE)
        return false;
    err_set(&why, ERR_INPUT, "poisoned");
    ck_ok(stuck_mail(&house.batch, &stuck, &reading, &why, &err), err);
    return true;
}

/* ---- all of them ---- */

static const struct wait {
    const char *name;
    void (*begin)(void);
    bool (*waits)(void);
    int64_t length;
} all[] = {
    {"the hold of the valve", begin_hold, hold_waits, 7 * DAY},
    {"the shortest turn", begin_minimum, hold_waits, 3 * DAY},
    {"a kept seat", begin_kept, kept_waits, 6 * DAY},
    {"an offer", begin_offer, offer_waits, 2 * DAY},
    {"a witness", begin_witness, witness_waits_now, WITNESS_LATE},
    {"a new key for a player", begin_rekey, rekey_waits, REKEY_WAIT},
    {"an invitation", begin_invitation, token_waits, 7 * DAY},
    {"a key that is to sign, too", begin_key, token_waits, 7 * DAY},
    {"a word that proves an address", begin_word, word_waits, 7 * DAY + 12 * HOUR},
    {"a mail that fails", begin_stuck, stuck_waits, STUCK_MOST},
};
#define WAITS (int)(sizeof all / sizeof *all)

static const struct wait *row;
static int64_t since;

static void begin_wait(int number)
{
    row = &all[number];
    log_set_level(LOG_QUIET);
    scene("mona");
    house_option(&house, "[clock]", "outage = 6h\nreminder = 0");
    house_restart(&house);
    stuck = (struct incoming){.raw = STR_INIT};
    run_at(house.now, false);
    row->begin();
    since = house.now;
    for (int i = 1; i <= 2; i++)
        run_at(since + i * 3 * HOUR, false);
}

static void end_wait(void)
{
    str_release(&stuck.raw);
    end();
}

static void must_wait(int64_t now, const char *when)
{
    run_at(now, false);
    ck_assert_msg(row->waits(), "%s ended %s", row->name, when);
}

/* The rounds go on, every five hours, until it is over: not before, and soon enough. */
static void must_end(int64_t before, int64_t after)
{
    for (int64_t now = house.now + 5 * HOUR;; now += 5 * HOUR) {
        run_at(now, false);
        if (!row->waits()) {
            ck_assert_msg(now >= before, "%s ended after %lld hours", row->name,
                          (long long)(now - since) / HOUR);
            return;
        }
        ck_assert_msg(now < after, "%s does not end", row->name);
    }
}

START_TEST(it_ends_in_time)
{
    begin_wait(_i);
    must_end(since + row->length, since + row->length + 2 * DAY);
    end_wait();
}
END_TEST

/* What was left before the outage is left behind it. */
START_TEST(an_outage_ends_nothing)
{
    begin_wait(_i);
    int64_t back = house.now + 8 * DAY;
    house_restart(&house);
    must_wait(back, "at once behind an outage");
    house_restart(&house);
    must_wait(back + HOUR, "soon behind an outage");
    must_end(back + row->length - 6 * HOUR - DAY, back + row->length + 2 * DAY);
    end_wait();
}
END_TEST

/* The same when the catalog is lost in it, and the memory of rounds with it. */
START_TEST(an_outage_ends_nothing_without_a_catalog)
{
    const bool rounds_too = _i % 2;
    begin_wait(FEW ? _i : _i / 2);
    int64_t back = house.now + 8 * DAY;
    house_end(&house);
    house_remove_catalog(&house);
    if (rounds_too)
        house_remove(&house, "registry/rounds");
    house_begin(&house);
    must_wait(back, "at once behind an outage that took the catalog");
    must_wait(back + HOUR, "soon behind an outage that took the catalog");
    must_end(back + row->length - 6 * HOUR - DAY, back + row->length + 2 * DAY);
    end_wait();
}
END_TEST

static void rounds_until(int64_t end)
{
    while (house.now < end)
        run_at(house.now + 3 * HOUR, false);
}

/* The service stands still for three days, soon or late, and then anna's file is damaged for one: her key has its seven days
 * beside them, no less and no more. */
START_TEST(an_outage_and_an_absence_add_up)
{
    begin_wait(5);
    ck_assert_str_eq(row->name, "a new key for a player");
    rounds_until(since + (_i ? 3 * DAY : 6 * HOUR));
    house_restart(&house);
    run_at(house.now + 3 * DAY, false);
    rounds_until(since + 9 * DAY);
    house_end(&house);
    house_shell(&house, "cp players/anna.json . && echo '{' >players/anna.json");
    house_begin(&house);
    rounds_until(since + 10 * DAY);
    house_end(&house);
    house_shell(&house, "mv anna.json players/");
    house_begin(&house);
    rounds_until(since + 11 * DAY - 3 * HOUR);
    ck_assert_msg(row->waits(), "she has not had what was left");
    run_at(since + 11 * DAY, false);
    ck_assert(!row->waits());
    end_wait();
}
END_TEST

START_TEST(a_jump_of_the_clock_ends_nothing)
{
    begin_wait(FEW ? 2 * _i + 1 : _i);
    int64_t right = house.now;
    for (int i = 1; i <= 3; i++)
        must_wait(right + 8 * DAY + i * HOUR, "by a clock that was put ahead");
    house_restart(&house);
    must_wait(right + 4 * HOUR, "by a clock that was put back");
    for (int i = 5; i < row->length / HOUR - 6; i += 4)
        must_wait(right + i * HOUR, "before its time, by a clock that had been wrong");
    must_end(since + row->length, right + 8 * DAY + 2 * row->length);
    end_wait();
}
END_TEST

/* What would keep it may be in the mailbox. */
START_TEST(an_unread_mailbox_ends_nothing)
{
    begin_wait(FEW ? 2 * _i : _i);
    int64_t from = house.now;
    for (int64_t now = from + 5 * HOUR; now < from + 8 * DAY; now += 5 * HOUR) {
        run_at(now, true);
        ck_assert_msg(row->waits(), "%s ended while the mailbox could not be read", row->name);
    }
    must_wait(from + 8 * DAY, "as soon as the mailbox was read");
    must_end(from + 8 * DAY, from + 8 * DAY + 2 * row->length + DAY);
    end_wait();
}
END_TEST

/* A service that stands still again and again: nothing waits for ever. */
START_TEST(many_outages_end_it_all_the_same)
{
    begin_wait(_i);
    int64_t now = house.now;
    int count = 0;
    for (; row->waits() && count < 60; count++) {
        now += DAY + count * 2 * HOUR;
        run_at(now, false);
        run_at(now + 60, false);
    }
    ck_assert_msg(count < 60, "%s does not end", row->name);
    end_wait();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, it_ends_in_time, 0, WAITS);
    tcase_add_loop_test(tc, an_outage_ends_nothing, 0, WAITS);
    tcase_add_loop_test(tc, an_outage_ends_nothing_without_a_catalog, 0, FEW ? WAITS : 2 * WAITS);
    tcase_add_loop_test(tc, an_outage_and_an_absence_add_up, 0, 2);
    tcase_add_loop_test(tc, a_jump_of_the_clock_ends_nothing, 0, FEW ? WAITS / 2 : WAITS);
    tcase_add_loop_test(tc, an_unread_mailbox_ends_nothing, 0, FEW ? WAITS / 2 : WAITS);
    tcase_add_loop_test(tc, many_outages_end_it_all_the_same, 0, WAITS);
}
TEST_MAIN("batch/waits", cases)
