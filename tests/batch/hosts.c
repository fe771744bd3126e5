/* Hosts that work some hours a day, on some days, in other zones: every turn ends soon after its deadline,
 * games end, and no outage is announced that was none. A real one is. */
#include "house/clock.h"

#include "base/log.h"

#define SPRING ((int64_t)20514) /* 2026-03-02, a Monday; the clocks change on the 29th */

/* When a host works, by a clock on the wall: from `begin` for `length`, on `days`, or with a period of
 * days. */
struct host {
    const char *name;
    unsigned days; /* bit 0 = Monday */
    int every;     /* days */
    int64_t begin, length;
    const char *zone;
    int64_t moves;     /* on this day to New York, 0 = never */
    const char *works; /* declared */
    int known;         /* from this day on nothing that is usual is an outage */
    const char *schedule;
};
static const struct host hosts[] = {
    {"half an hour", 0x7f, 1, 19 * HOUR, HOUR / 2, "Europe/Berlin", 0, NULL, 4, "2d"},
    {"an evening", 0x7f, 1, 18 * HOUR, 5 * HOUR + HOUR / 2, "Europe/Berlin", 0, NULL, 4,
     "daily 03:00 Europe/Berlin"},
    {"half a day", 0x7f, 1, 8 * HOUR, 12 * HOUR, "Europe/Berlin", 0, NULL, 4, "1d"},
    {"a long day", 0x7f, 1, 8 * HOUR, 16 * HOUR, "Asia/Kolkata", 0, NULL, 4,
     "mon wed fri 04:00 Europe/Berlin"},
    {"weekends", 0x60, 1, 10 * HOUR, 12 * HOUR, "Europe/Berlin", 0, NULL, 27, "5d"},
    {"weekdays", 0x1f, 1, 18 * HOUR, 5 * HOUR, "Europe/Berlin", 0, NULL, 28, "3d"},
    {"every third day", 0x7f, 3, 20 * HOUR, 2 * HOUR, "Europe/Berlin", 0, NULL, 12, "1d"},
    {"on a journey", 0x7f, 1, 18 * HOUR, 5 * HOUR, "Europe/Berlin", 30, NULL, 4, "2d"},
    {"declared", 0x1f, 1, 18 * HOUR, 5 * HOUR, "Europe/Berlin", 0, "weekdays 18:00-23:00", 0, "2d"},
};
#define HOSTS (int)(sizeof hosts / sizeof *hosts)

static int64_t told_outages; /* rounds that took their pause for one */
static int64_t last_round;

static int number; /* of the game */

static struct game *current(void)
{
    char id[GAME_NAME];
    (void)snprintf(id, sizeof id, "gc-%d", number);
    return house_find(&house, id);
}

static void begin_game(int seats)
{
    char id[GAME_NAME];
    (void)snprintf(id, sizeof id, "gc-%d", ++number);
    house_game(&house, id, "galaxy-command", 0, seats, players);
    house_empty_spool(&house);
}

static void send_orders(void)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-%d\nturn: %d\nseq: %d\nbide\n#end\n", number, current()->turn,
             house.mails + 1);
    (void)house_signed(&house, "anna", "anna", text.p);
    str_release(&text);
}

static void one_round(int64_t now)
{
    struct err err = ERR_INIT;
    ck_ok(batch_round(&house.batch, now, &err), err);
    const struct outside *outside = &house.batch.outside;
    told_outages += house.batch.pauses.open && outside->pauses[outside->pause_count - 1].outage;
    house.batch.outside.deaf = false;
    house_clock(&house, now);
    ck_ok(batch_round_done(&house.batch, &err), err);
    ck_assert_int_gt(now, last_round);
    last_round = now;
    house_empty_spool(&house);
}

/* The session of that day: some rounds, and anna's orders now and then in the first. False: there is none. */
static bool session(const struct host *host, int64_t day)
{
    struct err err = ERR_INIT;
    bool moved = host->moves && day >= host->moves;
    const struct zone *zone = zones_find(&house.batch.zones, moved ? "America/New_York" : host->zone, &err);
    int64_t date = SPRING + day;
    if (!(host->days & (1U << date_weekday(date))) || day % host->every)
        return false;
    int64_t begin = zone_time(zone, date, (int)host->begin) + day * 7 % 11 * 60;
    int64_t last = begin + host->length - 15 * 60;
    for (int64_t now = begin; now < last - 300; now += 5 * HOUR) {
        one_round(now);
        if (now == begin && day % 3 == 0 && !current()->over)
            send_orders();
    }
    one_round(last - 300);
    one_round(last);
    return true;
}

static void begin_host(const struct host *host, int seats)
{
    struct err err = ERR_INIT;
    struct str line = STR_INIT;
    log_set_level(LOG_QUIET);
    scene("");
    str_addf(&line, "reminder = 0\n%s%s", host->works ? "works = " : "", host->works ? host->works : "");
    house_option(&house, "[clock]", line.p);
    house_option(&house, "[league]", "timezone = Europe/Berlin");
    str_release(&line);
    house.now = SPRING * DAY + 2 * HOUR;
    house_restart(&house);
    schedule_init(&clock_of);
    ck_ok(schedule_parse(slice_of(host->schedule), "Europe/Berlin", &clock_of, &err), err);
    last_round = told_outages = number = 0;
    begin_game(seats);
}

/* No turn outlives three sessions after its deadline, from the time on at which the host is known. */
START_TEST(every_turn_ends_and_nobody_is_told_of_outages)
{
    const struct host *host = &hosts[_i];
    int late = 0, turn = 0;
    begin_host(host, 2);
    const int64_t days = host->known + (host->moves ? 45 : 24);
    for (int64_t day = 0; day < days; day++) {
        bool journey = host->moves && day >= host->moves && day < host->moves + 4;
        int64_t before = told_outages;
        const struct game *game = current();
        late = game->turn == turn ? late : 0;
        turn = game->turn;
        int64_t deadline = game->clock.deadline;
        if (!session(host, day))
            continue;
        ck_assert_msg(told_outages == before || day < host->known || journey,
                      "%s: a pause before day %lld is taken for an outage", host->name, (long long)day);
        late += !current()->over && current()->turn == turn && deadline <= last_round;
        ck_assert_msg(late <= 4, "%s: turn %d does not end, on day %lld", host->name, turn, (long long)day);
        if (day >= host->known + 8 && !host->moves)
            ck_assert_msg(late == 0, "%s: turn %d is late on day %lld", host->name, turn, (long long)day);
    }
    check_replay();
    ck_assert(told_outages > 0 || host->works);
    ck_assert(current()->over || current()->turn > 4);
    end();
}
END_TEST

/* Three days of silence of a host that works in the evening. */
START_TEST(an_outage_is_told)
{
    const struct host *host = &hosts[_i];
    begin_host(host, 2);
    for (int64_t day = 0; day < 12; day++)
        (void)session(host, day);
    ck_assert(!current()->over);
    int64_t before = told_outages, turn = current()->turn;
    house.now = last_round + 60;
    send_orders(); /* bob is missing */
    ck_assert_int_lt(current()->clock.deadline, last_round + 3 * DAY);
    ck_assert(session(host, 15));
    ck_assert_int_eq(told_outages, before + 1);
    ck_assert_int_eq(current()->turn, turn);
    ck_assert_int_gt(current()->clock.deadline, last_round);
    ck_assert_int_gt(current()->clock.spared, 0);
    (void)session(host, 16); /* what was moved into the night is honoured after it */
    (void)session(host, 17);
    ck_assert_int_gt(current()->turn, turn);
    ck_assert_int_eq(told_outages, before + 1);
    end();
}
END_TEST

/* What was learnt survives the loss of the catalog, and evenings by a clock that is a year ahead, or
 * behind. */
START_TEST(what_was_learnt_stays)
{
    static const int64_t wrong[] = {0, 365 * DAY, -20 * DAY};
    begin_host(&hosts[1], 2);
    for (int64_t day = 0; day < 20; day++)
        (void)session(&hosts[1], day);
    int64_t now = last_round;
    for (int evening = 1; evening <= 3 && wrong[_i]; evening++)
        for (int hour = 0; hour < 5; hour++) {
            last_round = 0;
            one_round(now + wrong[_i] + evening * DAY - (5 - hour) * HOUR);
        }
    last_round = 0;
    if (!wrong[_i]) {
        house_end(&house);
        house_remove_catalog(&house);
        house_begin(&house);
    }
    int64_t day = wrong[_i] ? 23 : 20;
    for (int64_t known = day + (wrong[_i] ? 2 : 0); day < known; day++)
        (void)session(&hosts[1], day); /* whether the clock is right is not known at once */
    int64_t before = told_outages;
    for (int64_t last = day + 20; day < last; day++)
        (void)session(&hosts[1], day);
    ck_assert_int_eq(told_outages, before);
    end();
}
END_TEST

/* A year, or the first half of it: anna plays now and then, bob and carol never. When a game is over, the next begins. */
START_TEST(a_year)
{
    const struct host *host = &hosts[_i];
    const int64_t days = FEW ? 182 : 365;
    begin_host(host, 3);
    int64_t began = 0, longest = 0;
    for (int64_t day = 0; day < days; day++) {
        int64_t before = told_outages;
        bool journey = host->moves && day >= host->moves && day < host->moves + 4;
        (void)session(host, day);
        ck_assert(told_outages == before || day < host->known || journey);
        if (!current()->over)
            continue;
        longest = day - began > longest ? day - began : longest;
        began = day;
        begin_game(3);
    }
    printf("%s: %d games over, the longest after %lld days; %lld pauses taken for outages\n", host->name,
           number - 1, (long long)longest, (long long)told_outages);
    ck_assert_int_ge(number, FEW ? 2 : 3);
    ck_assert_int_lt(days - began, longest + 30);
    end();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, every_turn_ends_and_nobody_is_told_of_outages, 0, HOSTS);
    tcase_add_loop_test(tc, an_outage_is_told, 1, 2);
    tcase_add_loop_test(tc, what_was_learnt_stays, 0, 3);
    tcase_add_loop_test(tc, a_year, FEW ? 2 : 1, 2);
    tcase_add_loop_test(tc, a_year, 4, 5);
    tcase_add_loop_test(tc, a_year, 7, 8);
}
TEST_MAIN("batch/hosts", cases)
