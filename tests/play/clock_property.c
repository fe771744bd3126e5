/* Many games with different clocks, under crashes, outages, a mailbox that cannot be read and a clock that
 * jumps. Whatever happens: no timer is lost, none fires twice, no mail goes out twice, and every deadline in
 * a journal is explained. */
#include "house/clock.h"

#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "game/game_load.h"

#define GAMES 6
#define MOST  4000

static const struct {
    const char *schedule;
    int64_t grace, minimum;
    bool early, weekends_off;
    int seats;
} kinds[GAMES] = {
    {"1d", 0, 0, true, false, 2},
    {"3d Europe/Berlin", 12 * HOUR, 0, true, true, 3},
    {"mon wed fri 20:00 Europe/Berlin", 0, 6 * HOUR, true, false, 3},
    {"daily 02:30 America/New_York", HOUR, 0, false, false, 4},
    {"5d", 0, 2 * DAY, true, false, 1},
    {"sun 12:00 Asia/Kathmandu", DAY, 0, true, false, 2},
};

/* When each record was really made, by the clock of then. */
struct made {
    int64_t now[MOST];
    int64_t count;
};
static struct made made[GAMES];
static char **sent; /* ids of all mails that may have left */
static size_t sent_count, sent_cap;
/* Games that stayed due kept others from the clock in the same round. */
static const uint64_t found_before[] = {1795403032192938U, 1795430389275010U};
#define FOUND_BEFORE ((int)(sizeof found_before / sizeof *found_before))
static uint64_t seed;

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

static void name_of(char *out, int i)
{
    (void)snprintf(out, GAME_NAME, "gc-%d", i + 1);
}

/* A file or folder of the league as it is now, in its folder "aside". */
static void keep(const char *name)
{
    char *kept = path_join("aside", name), *path = house_path(&house, name);
    house_remove(&house, kept);
    if (file_exists(path))
        house_copy(&house, name, kept);
    free(path);
    free(kept);
}

/* It is again as it was kept; gone, if it was not there. */
static void put_back(const char *name)
{
    char *kept = path_join("aside", name), *path = house_path(&house, kept);
    house_remove(&house, name);
    if (file_exists(path))
        house_copy(&house, kept, name);
    free(path);
    free(kept);
}

static void keep_catalog(void)
{
    char *path = house_path(&house, "aside");
    struct err err = ERR_INIT;
    ck_ok(file_mkdirs(path, 0700, &err), err);
    free(path);
    for (size_t i = 0; i < sizeof house_catalog / sizeof *house_catalog; i++)
        keep(house_catalog[i]);
}

static void put_catalog_back(void)
{
    for (size_t i = 0; i < sizeof house_catalog / sizeof *house_catalog; i++)
        put_back(house_catalog[i]);
}

/* Every mail of a record leaves once. (An answer to a mail that came again after a crash is the same mail
 * again.) */
static void collect_mails(void)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    ck_ok(spool_due(house.batch.spool, INT32_MAX * (int64_t)8, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        for (size_t k = 0; k < sent_count && !str_starts(mail.id, "mail."); k++)
            ck_assert_msg(strcmp(sent[k], mail.id) != 0, "mail %s left twice", mail.id);
        sent = mem_grow(sent, sent_count, &sent_cap, sizeof *sent);
        sent[sent_count++] = mem_strdup(mail.id);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    house_empty_spool(&house);
}

/* Notes when records were made that are new. */
static void note_records(void)
{
    for (int i = 0; i < GAMES; i++) {
        char name[GAME_NAME];
        name_of(name, i);
        const struct game *game = house_find(&house, name);
        while (made[i].count < game->seq) {
            ck_assert_int_lt(made[i].count, MOST);
            made[i].now[made[i].count++] = house.now;
        }
    }
}

static void note_made(void)
{
    note_records();
    collect_mails();
}

/* The process dies: nothing of the batch was committed. */
static void crash_before(void)
{
    house_restart(&house);
}

/* The journals are committed, the process dies before the catalog is: what the catalog was is put aside
 * before the commit, and is there again after it. */
static void put_aside(void)
{
    struct err err = ERR_INIT;
    if (!house.batch.mark.set)
        ck_ok(catalog_working(house.batch.catalog, true, &err), err);
    house.batch.mark.set = true;
    keep_catalog();
}

static void crash_after(void)
{
    note_records();
    house.batch.torn = true;
    house_end(&house);
    put_catalog_back();
    house_begin(&house);
}

static void commit_and_crash(void)
{
    struct err err = ERR_INIT;
    put_aside();
    ck_ok(batch_commit(&house.batch, &err), err);
    crash_after();
}

/* The same for the clock, which commits by itself. */
static void clock_and_crash(bool committed)
{
    struct err err = ERR_INIT;
    bool more;
    put_aside();
    if (!committed) {
        keep("games");
        keep("spool");
    }
    ck_ok(rekey_clock(&house.batch, &err), err);
    ck_ok(batch_clock(&house.batch, 3, &more, &err), err);
    if (committed) {
        crash_after();
        return;
    }
    house.batch.torn = true;
    house_end(&house);
    put_catalog_back();
    put_back("games");
    put_back("spool");
    house_begin(&house);
}

/* ---- what happens ---- */

static void check_nothing_due(void)
{
    for (int i = 0; i < GAMES; i++) {
        struct err err = ERR_INIT;
        char name[GAME_NAME];
        struct catalog_game row;
        bool found;
        name_of(name, i);
        const struct game *game = house_find(&house, name);
        int64_t due = game_due(game, &house.batch.outside);
        ck_assert_msg(due == 0 || due > house.now, "%s: due at %lld is left at %lld", name, (long long)due,
                      (long long)house.now);
        ck_ok(catalog_get_game(house.batch.catalog, name, &row, &found, &err), err);
        ck_assert(found);
        ck_assert_msg(row.due == due || (row.due && row.due < due), "%s: the catalog says %lld, not %lld",
                      name, (long long)row.due, (long long)due);
        ck_assert(game->over || due > 0 || !game_awaited(game));
    }
}

static void round_of_work(void)
{
    struct err err = ERR_INIT;
    uint32_t fate = roll(8);
    bool deaf = roll(10) == 0;
    bool more = true;
    ck_ok(batch_round(&house.batch, house.now, &err), err);
    note_made();
    /* What was made when a game was opened is committed before the clock looks, as after mails. */
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house.batch.outside.deaf = deaf;
    while (more) {
        if (fate <= 1) {
            clock_and_crash(fate == 1);
            note_made();
            return;
        }
        ck_ok(rekey_clock(&house.batch, &err), err);
        ck_ok(batch_clock(&house.batch, 3, &more, &err), err);
    }
    note_made();
    if (deaf)
        return;
    ck_ok(batch_round_done(&house.batch, &err), err);
    check_nothing_due();
    if (fate == 2)
        crash_before(); /* there is nothing that could be lost */
}

/* A mail; it may come, the process die, and come again. */
static void mail_of(const char *name, const char *text)
{
    struct err err = ERR_INIT;
    struct str body = STR_INIT, raw = STR_INIT;
    house_sign(&house, name, text, &body);
    str_addf(&raw,
             "From: %s@example.net\r\nTo: " HOUSE_ADDRESS
             "\r\nSubject: x\r\nMessage-ID: <%d@x.net>\r\n\r\n%s",
             name, ++house.mails, body.p);
    for (uint32_t tries = roll(6) ? 1 : 2; tries > 0; tries--) {
        (void)house_take(&house, slice_str(&raw));
        if (tries == 2 && roll(2)) {
            crash_before();
        } else if (tries == 2) {
            commit_and_crash();
        } else {
            ck_ok(batch_commit(&house.batch, &err), err);
            batch_reset(&house.batch, true);
        }
        note_made();
    }
    str_release(&body);
    str_release(&raw);
}

static void some_mail(void)
{
    static const char *const verbs[] = {"orders", "orders", "orders", "extend", "vacation"};
    const char *verb = verbs[roll(sizeof verbs / sizeof *verbs)];
    const char *player = players[roll(3)];
    struct str text = STR_INIT;
    char name[GAME_NAME];
    name_of(name, (int)roll(GAMES));
    const struct game *game = house_find(&house, name);
    str_addf(&text, "#turnpost %s\nseq: %d\n", verb, house.mails + 1);
    if (strcmp(verb, "vacation") == 0) {
        int64_t day = house.now / DAY + roll(6);
        int64_t days = 2 + roll(5);
        if (roll(4))
            vacation_lines(&text, day, days);
        else
            str_adds(&text, "cancel: yes\n");
    } else {
        str_addf(&text, "game: %s\nturn: %d\n", name, game->turn);
        if (strcmp(verb, "extend") == 0)
            str_addf(&text, "hours: %u\n", roll(48));
        else
            str_adds(&text, roll(5) ? "bide\n" : "wait: yes\nbide\n");
    }
    str_adds(&text, "#end\n");
    mail_of(player, text.p);
    str_release(&text);
}

static void time_goes_on(void)
{
    switch (roll(40)) {
    case 0: house.now += (1 + roll(5)) * DAY + roll(86400); break; /* nobody works */
    case 1: house.now += 40 * DAY; break;
    case 2: house.now -= 2 * HOUR; break;
    case 3: house.now -= 5 * DAY; break;
    case 4: house.now += (roll(2) ? 1 : -1) * (int64_t)8 * DAY; break;
    default: house.now += roll(5 * 3600); break;
    }
}

/* ---- what the journals say ---- */

struct watch {
    int game;
    struct schedule clock;
    int64_t seq, time, deadline, from_close;
    int turn, voted_turn;
    uint32_t reminded;
    int64_t reminders, shifts;
};

static int64_t time_member(const json_t *json, const char *key)
{
    int64_t time = 0;
    const char *text = json_string_value(json_object_get(json, key));
    if (text)
        ck_assert(clock_parse(slice_of(text), &time));
    return time;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Time never runs back in a journal: where a clock was ahead, deadlines are counted from its last record. */
static void read_turn(struct watch *r, const struct record *record, int64_t made_at)
{
    int64_t want = schedule_next(&r->clock, later(r->time, made_at));
    r->deadline = time_member(record->json, "deadline");
    r->turn = (int)json_integer_value(json_object_get(record->json, "turn")) + 1;
    r->reminded = 0;
    if (json_object_get(record->json, "away"))
        ck_assert_int_gt(r->deadline, want);
    else if (r->deadline)
        ck_assert_msg(r->deadline == want, "gc-%d, record %lld: deadline %lld, not %lld", r->game + 1,
                      (long long)record->seq, (long long)r->deadline, (long long)want);
}

/* Were there orders? Where none are awaited, only robots are left, and they need no time. */
static bool has_orders(const struct record *record)
{
    size_t i;
    json_t *seal;
    json_array_foreach (json_object_get(record->json, "seals"), i, seal)
        if (*json_string_value(seal))
            return true;
    return false;
}

/* Turns that lack orders are not closed before their deadline and grace. */
static void read_close(struct watch *r, const struct record *record, int64_t now)
{
    size_t missed = json_array_size(json_object_get(record->json, "missed"));
    if (missed)
        ck_assert_msg(now >= r->deadline + r->clock.grace, "gc-%d, record %lld: closed too soon", r->game + 1,
                      (long long)record->seq);
    else if (!r->clock.early && has_orders(record))
        ck_assert_int_ge(now, r->deadline);
}

static void read_shift(struct watch *r, const struct record *record, int64_t now)
{
    const char *why = json_string_value(json_object_get(record->json, "why"));
    int64_t deadline = time_member(record->json, "deadline");
    ck_assert_int_eq(time_member(record->json, "from"), r->deadline);
    if (strcmp(why, "vacation") == 0) {
        ck_assert(json_array_size(json_object_get(record->json, "away")) > 0);
        ck_assert_int_gt(deadline, r->deadline);
    } else if (strcmp(why, "outage") == 0) {
        int64_t down = json_integer_value(json_object_get(record->json, "seconds"));
        ck_assert_int_gt(down, 6 * HOUR);
        ck_assert_int_le(r->deadline, now); /* it was due meanwhile */
        ck_assert_int_gt(r->deadline + r->clock.grace, now - down);
        ck_assert_int_gt(deadline, later(r->time, now));
        ck_assert_int_le(deadline, schedule_next(&r->clock, later(r->time, now)));
    } else {
        ck_abort_msg("moved by %s", why);
    }
    r->deadline = deadline;
    r->reminded = 0;
    r->shifts++;
}

/* The latest that votes for at most three days can lead to, which in the grace count from the vote: a weekend off is
 * left at the same hour, so a shorter extension may well end later than a longer one. */
static int64_t latest_vote(const struct watch *r, int64_t voted)
{
    int64_t latest = 0, from = r->deadline > voted ? r->deadline : voted;
    for (int64_t hours = 1; hours <= 72; hours++) {
        int64_t settled = schedule_settle(&r->clock, from + hours * HOUR);
        latest = settled > latest ? settled : latest;
    }
    return latest;
}

static void read_note(struct watch *r, const struct record *record, int64_t now)
{
    const char *kind = json_string_value(json_object_get(record->json, "kind"));
    size_t i;
    json_t *seat;
    if (strcmp(kind, "reminder") == 0) {
        ck_assert_int_eq(time_member(record->json, "deadline"), r->deadline);
        ck_assert_int_lt(now, r->deadline + r->clock.grace);
        ck_assert_int_ge(now, r->deadline - DAY);
        json_array_foreach (json_object_get(record->json, "seats"), i, seat) {
            ck_assert(!(r->reminded & SEAT_BIT(json_integer_value(seat))));
            r->reminded |= SEAT_BIT(json_integer_value(seat));
        }
        r->reminders++;
    } else if (strcmp(kind, "shift") == 0) {
        read_shift(r, record, now);
    } else if (strcmp(kind, "vote") == 0 && time_member(record->json, "deadline")) {
        int64_t deadline = time_member(record->json, "deadline");
        ck_assert_int_ne(r->voted_turn, r->turn);
        r->voted_turn = r->turn;
        ck_assert_int_gt(deadline, r->deadline);
        ck_assert_int_le(deadline, latest_vote(r, later(r->time, now)));
        r->deadline = deadline;
        r->reminded = 0;
    }
}

static void read_journal(int number, int64_t *reminders, int64_t *shifts)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char name[GAME_NAME];
    struct watch r = {.game = number};
    name_of(name, number);
    ck_ok(store_read(house.batch.store, name, STORE_BEGIN, &lines, &err), err);
    struct slice rest = slice_str(&lines);
    while (rest.len) {
        struct slice line;
        struct record record;
        const char *from = rest.p;
        ck_assert(slice_line(&rest, &line));
        ck_ok(record_parse((struct slice){from, line.len + 1}, &record, &err), err);
        int64_t now = made[number].now[r.seq++];
        if (strcmp(record.type, "create") == 0) {
            ck_ok(schedule_read(json_object_get(record.json, "clock"), &r.clock, &err), err);
        } else if (strcmp(record.type, "start") == 0 || strcmp(record.type, "turn") == 0) {
            read_turn(&r, &record, now);
        } else if (strcmp(record.type, "close") == 0) {
            read_close(&r, &record, now);
        } else if (strcmp(record.type, "note") == 0) {
            read_note(&r, &record, now);
        }
        ck_assert_int_ge(record.time, r.time);
        r.time = record.time;
        record_release(&record);
    }
    *reminders += r.reminders;
    *shifts += r.shifts;
    str_release(&lines);
}

static void check_all(void)
{
    int64_t reminders = 0, shifts = 0, turns = 0;
    for (int i = 0; i < GAMES; i++) {
        struct err err = ERR_INIT;
        struct game again;
        char name[GAME_NAME];
        name_of(name, i);
        read_journal(i, &reminders, &shifts);
        ck_ok(game_load(house.batch.store, name, NULL, &again, &err), err);
        check_same(house_find(&house, name), &again);
        turns += again.turn;
        game_release(&again);
    }
    printf("%lld turns, %lld reminders, %lld moved deadlines, %zu mails\n", (long long)turns,
           (long long)reminders, (long long)shifts, sent_count);
    ck_assert_int_gt(reminders, 0);
    ck_assert_int_gt(shifts, 0);
}

START_TEST(no_timer_is_lost_and_none_fires_twice)
{
    seed = _i < FOUND_BEFORE ? found_before[_i] : luck_seed(_i);
    (void)fprintf(stderr, "SEED=%llu\n", (unsigned long long)luck_number);
    for (int i = 0; i < GAMES; i++) {
        struct err err = ERR_INIT;
        char name[GAME_NAME];
        name_of(name, i);
        schedule_init(&clock_of);
        ck_ok(schedule_parse(slice_of(kinds[i].schedule), "UTC", &clock_of, &err), err);
        clock_of.grace = kinds[i].grace;
        clock_of.minimum = kinds[i].minimum;
        clock_of.early = kinds[i].early;
        clock_of.weekends_off = kinds[i].weekends_off;
        house_game(&house, name, "galaxy-command", 0, kinds[i].seats, players);
    }
    note_made();
    const char *rounds = getenv("ROUNDS");
    long most = rounds ? strtol(rounds, NULL, 10) : !FEW ? 60 : _i < FOUND_BEFORE ? 30 : 20;
    for (long i = 0; i < most; i++) {
        time_goes_on();
        for (uint32_t n = roll(3); n > 0; n--)
            some_mail();
        round_of_work();
    }
    /* Quiet at last: whatever was due comes to pass, and the games go on. */
    int64_t before[GAMES];
    for (int i = 0; i < GAMES; i++) {
        char name[GAME_NAME];
        name_of(name, i);
        house.now = later(house.now, house_find(&house, name)->time); /* time stood still until then */
        before[i] = house_find(&house, name)->over ? -1 : house_find(&house, name)->turn;
    }
    const int pause = FEW ? 23 : 11;
    for (int hours = 0; hours < 24 * 45; hours += pause) {
        struct err err = ERR_INIT;
        house.now += pause * HOUR;
        ck_ok(batch_round(&house.batch, house.now, &err), err);
        house_clock(&house, house.now);
        ck_ok(batch_round_done(&house.batch, &err), err);
        note_made();
        check_nothing_due();
    }
    for (int i = 0; i < GAMES; i++) {
        char name[GAME_NAME];
        name_of(name, i);
        const struct game *game = house_find(&house, name);
        ck_assert_msg(before[i] < 0 || game->turn > before[i],
                      "%s hangs at %lld: turn %d, deadline %lld, %s until %lld, journal %lld", name,
                      (long long)house.now, game->turn, (long long)game->clock.deadline,
                      game->clock.held ? "held" : "not held", (long long)game->clock.hold_until,
                      (long long)game->time);
    }
    check_all();
    for (size_t i = 0; i < sent_count; i++)
        free(sent[i]);
    free(sent);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, no_timer_is_lost_and_none_fires_twice, 0,
                        getenv("CK_DEFAULT_TIMEOUT") ? 12 : FOUND_BEFORE + 1);
}
TEST_MAIN("play/clock_property", cases)
