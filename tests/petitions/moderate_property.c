/* Random games in which moderators do whatever comes to their minds, between orders, outages, clocks that are
 * put forward and back, and restarts: the journal alone gives the same game, with and without the cache, the
 * rules accept every table, the audit calls no game broken (house_close), and no player's mails contradict
 * what the league has signed. GAMES: how many; make honest plays a thousand. */
#include "house/ruling.h"

#include <stdio.h>
#include <time.h>

#include "base/json.h"
#include "play/preview.h"
#include "publish/receipts.h"

static uint64_t seed;
static int done, tried, asked;

/* What each of them sent and the league mailed them, one mail after the other, NUL between. */
static const char *const people[] = {"anna", "bob", "carol", "dora", "mona"};
#define PEOPLE (sizeof people / sizeof *people)
static struct str box[PEOPLE];

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

static const char *pick(const char *const *words, uint32_t count)
{
    return words[roll(count)];
}

/* ---- mails, and time ---- */

static void keep(size_t who, struct slice mail)
{
    str_addslice(&box[who], mail);
    str_addc(&box[who], '\0');
}

/* Everybody keeps what came for them; some mails are lost. */
static void keep_mails(void)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    ck_ok(spool_due(house.batch.spool, INT32_MAX * (int64_t)8, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        for (size_t who = 0; who < PEOPLE; who++)
            if (roll(20) && str_starts(mail.envelope_to, people[who]) &&
                mail.envelope_to[strlen(people[who])] == '@')
                keep(who, slice_str(&mail.mail));
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    house_empty_spool(&house);
}

/* A copy of what was sent is not the mail as it arrived: servers put lines in front. */
static void keep_sent(const char *name)
{
    struct str copy = STR_INIT;
    str_adds(&copy, "X-Mailer: theirs\r\n");
    str_addslice(&copy, slice_str(&house.last_raw));
    for (size_t who = 0; who < PEOPLE; who++)
        if (strcmp(people[who], name) == 0)
            keep(who, slice_str(&copy));
    str_release(&copy);
}

static void hold_mails(size_t who, struct ledger *ledger)
{
    struct receipts receipts;
    receipts_init(&receipts, ledger, 1, NULL);
    for (const char *at = box[who].p; at < box[who].p + box[who].len; at += strlen(at) + 1)
        receipts_mail(&receipts, people[who], slice_of(at));
    receipts_end(&receipts);
    for (size_t i = 0; i < receipts.finding_count; i++)
        ck_assert_msg(receipts.finding[i].weight != RECEIPTS_WRONG, "%s is told: record %lld: %s",
                      people[who], (long long)receipts.finding[i].seq, receipts.finding[i].text);
    receipts_release(&receipts);
}

/* The journal as it is now, and as somebody fetched it some time before. */
static void hold_all(void)
{
    struct err err = ERR_INIT;
    static const char *const folders[] = {"games/gc-1", "older"};
    for (size_t i = 0; i < 2; i++) {
        struct ledger ledger;
        char *path = house_path(&house, folders[i]);
        if (i == 0 || file_exists(path)) {
            ck_ok(ledger_open(path, &ledger, &err), err);
            for (size_t who = 0; who < PEOPLE; who++)
                hold_mails(who, &ledger);
            ledger_close(&ledger);
        }
        free(path);
    }
}

/* Time goes on by hours or days; the clock is put forward or back; the service stands still; in some rounds
 * the mailbox cannot be read. */
static void random_time(void)
{
    static const int64_t jumps[] = {3 * DAY, 3 * DAY, 9 * DAY, -HOUR, -30 * HOUR, -9 * DAY, 30 * DAY};
    struct err err = ERR_INIT;
    uint32_t kind = roll(14);
    house.now += kind < 7 ? (int64_t)roll(2 * (uint32_t)DAY) : jumps[kind - 7];
    for (uint32_t rounds = 1 + roll(4); rounds > 0; rounds--) {
        bool deaf = roll(8) == 0, more = true;
        ck_ok(batch_round(&house.batch, house.now, &err), err);
        ck_ok(batch_commit(&house.batch, &err), err);
        batch_reset(&house.batch, true);
        house.batch.outside.deaf = deaf;
        while (more)
            ck_ok(batch_clock(&house.batch, 10, &more, &err), err);
        if (!deaf)
            ck_ok(batch_round_done(&house.batch, &err), err);
        house.now += (int64_t)roll((uint32_t)DAY);
        house.batch.now = house.now;
    }
}

/* ---- what people do ---- */

/* A plain value somewhere in the state, and perhaps a possible one for it. */
static void random_correction(struct str *out)
{
    struct str path = STR_INIT;
    json_t *document = fields_json(game_now()->ruleset->fields, game_now()->state);
    json_t *at = document;
    while (json_object_size(at) || json_array_size(at)) {
        if (json_is_object(at)) {
            void *item = json_object_iter(at);
            for (uint32_t skip = roll((uint32_t)json_object_size(at)); skip > 0; skip--)
                item = json_object_iter_next(at, item);
            str_addf(&path, "%s%s", path.len ? "." : "", json_object_iter_key(item));
            at = json_object_iter_value(item);
        } else {
            uint32_t index = roll((uint32_t)json_array_size(at));
            str_addf(&path, "[%u]", index);
            at = json_array_get(at, index);
        }
    }
    str_addf(out, "do: correct %s = %u\n", path.p, roll(4));
    str_release(&path);
    json_decref(document);
}

static void random_orders_of(struct str *out)
{
    int seat = 1 + (int)roll((uint32_t)game_now()->seats);
    str_addf(out, "do: orders %d\nreason: Number %u.\n", seat, roll(100000));
    if (game_now()->turn && (game_now()->ruleset->awaits(game_now()->state) & SEAT_BIT(seat)))
        game_now()->ruleset->robot(game_now()->cards, game_now()->state, seat, out);
    else
        str_adds(out, "ALWAYS auto\n");
}

static void random_ruling(void)
{
    static const char *const seats[] = {"anna", "bob", "carol", "dora", "robot", "1", "2", "3"};
    static const char *const plain[] = {"pause", "resume", "resume", "hold", "resolve", "resolve"};
    struct str fields = STR_INIT;
    const char *who = roll(4) ? "mona" : "carol";
    switch (roll(10)) {
    case 0:
    case 1: str_addf(&fields, "do: %s\n", pick(plain, 6)); break;
    case 2: str_addf(&fields, "do: extend %uh\n", 1 + roll(60)); break;
    case 3: str_addf(&fields, "do: replace %s by %s\n", pick(seats, 8), pick(seats, 5)); break;
    case 4:
    case 5: random_orders_of(&fields); break;
    case 6: str_addf(&fields, "do: rollback turn %u\n", 1 + roll((uint32_t)game_now()->turn)); break;
    case 7: str_addf(&fields, "do: rollback %u\n", 1 + roll((uint32_t)game_now()->seq)); break;
    case 8: str_addf(&fields, "do: resend %s\n", pick(seats, 8)); break;
    default: random_correction(&fields);
    }
    if (slice_find(slice_str(&fields), "reason:") == (size_t)-1)
        str_addf(&fields, "reason: Number %u.\n", roll(100000));
    int64_t seq = game_now()->seq;
    rule(who, fields.p);
    tried++;
    done += game_now()->seq > seq;
    str_release(&fields);
}

static void random_ban(void)
{
    static const char *const banned[] = {"anna", "bob", "dora"};
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost moderate\ndo: %s %s\nreason: Number %u.\n#end\n", roll(3) ? "unban" : "ban",
             pick(banned, 3), roll(100000));
    (void)house_signed(&house, "mona", "mona", text.p);
    str_release(&text);
}

static void random_play(void)
{
    const char *name = pick(people, 4);
    int seat = game_seat_of(game_now(), name);
    struct str lines = STR_INIT;
    if (seat && game_now()->turn && (game_now()->ruleset->awaits(game_now()->state) & SEAT_BIT(seat)))
        game_now()->ruleset->robot(game_now()->cards, game_now()->state, seat, &lines);
    str_adds(&lines, roll(5) ? "" : "say all hello\n");
    orders(name, lines.len ? lines.p : "pass\n");
    keep_sent(name);
    str_release(&lines);
}

/* What players may ask for, sensible or not. */
static void random_petition(void)
{
    static const char *const verbs[] = {"resign", "standby", "take",   "back",     "observe", "unobserve",
                                        "press",  "appeal",  "extend", "vacation", "mute",    "unmute",
                                        "ruling", "leave",   "prefs",  "resend"};
    const char *verb = pick(verbs, sizeof verbs / sizeof *verbs);
    const char *name = pick(people, 5);
    struct str text = STR_INIT;
    int turn = game_now()->turn;
    str_addf(&text, "#turnpost %s\nseq: %d\n", verb, house.mails + 1);
    if (strcmp(verb, "vacation") == 0) {
        int64_t day = house.now / DAY + roll(4);
        vacation_lines(&text, day, 2 + roll(3));
    } else if (strcmp(verb, "prefs") == 0) {
        str_adds(&text, roll(2) ? "digest: 06:00\n" : "digest: no\n");
    } else if (strstr(verb, "mute")) {
        str_addf(&text, "player: %s\n", pick(people, 5));
    } else {
        str_addf(&text, "game: gc-1\n");
        if (strcmp(verb, "appeal") == 0)
            str_addf(&text, "turn: %d\nMy ships were lost.\n", turn - 1);
        else if (strcmp(verb, "ruling") == 0)
            str_addf(&text, "appeal: %u\nAll is well.\n", 1 + roll((uint32_t)game_now()->seq));
        else if (strcmp(verb, "press") == 0)
            str_addf(&text, "turn: %d\nto: %s\nHello %u\n", turn, pick(people, 5), roll(100));
        else if (strcmp(verb, "take") == 0)
            str_addf(&text, "turn: %d\nseat: %u\n", turn, 1 + roll(3));
        else if (strcmp(verb, "extend") == 0)
            str_addf(&text, "turn: %d\nhours: %u\n", turn, roll(48));
        else if (strcmp(verb, "back") == 0)
            str_addf(&text, "turn: %d\n", turn);
    }
    str_adds(&text, "#end\n");
    int64_t seq = game_now()->seq;
    (void)house_signed(&house, name, name, text.p);
    asked += game_now()->seq > seq;
    str_release(&text);
}

/* Whatever is asked of the game gives an answer. */
static void look(void)
{
    struct err err = ERR_INIT;
    const struct game *game = game_now();
    if (!game->turn)
        return;
    if (game->ruleset->check && game->ruleset->check(game->cards, game->state, &err))
        ck_abort_msg("%s", err.text);
    for (int seat = 0; !game->over && seat <= game->seats; seat++)
        if (!seat || !game->seat[seat].robot)
            json_decref(preview_facts(game, seat));
}

static const char *const rules_of[] = {"galaxy-command", "galactic-supremacy", "galactic-contract",
                                       "galaxy-farmer"};

static void something(void)
{
    uint32_t what = roll(16);
    if (what < 5)
        random_ruling();
    else if (what < 10)
        random_play();
    else if (what < 13)
        random_petition();
    else if (what == 13)
        random_time();
    else if (roll(3))
        house_restart(&house);
    else
        random_ban();
}

/* Turns of three days; some wait for late orders, for a shortest time, or always for their deadline. */
static void random_schedule(void)
{
    clock_of.grace = roll(2) * 3 * HOUR;
    clock_of.minimum = roll(3) ? 0 : (1 + roll(48)) * HOUR;
    clock_of.early = roll(5) != 0;
}

START_TEST(replay_equals_run)
{
    const char *rounds = getenv("ROUNDS");
    int most = rounds ? atoi(rounds) : FEW ? 40 : 70;
    uint32_t fetched;
    seed = luck_seed(_i);
    printf("%s SEED=%llu\n", rules_of[_i % 4], (unsigned long long)luck_number);
    fetched = roll((uint32_t)most);
    random_schedule();
    house_game(&house, "gc-1", rules_of[_i % 4], 0, _i % 4 == 3 ? 1 : 3, players);
    for (int i = 0; (i < most || (done <= 3 && i < 9 * most)) && !game_now()->over; i++) {
        house.now += (int64_t)roll(6 * 3600);
        something();
        if (roll(6) == 0)
            house_same(&house, "gc-1");
        look();
        keep_mails();
        if ((uint32_t)i == fetched)
            house_copy(&house, "games/gc-1", "older");
    }
    house_same(&house, "gc-1");
    hold_all();
    printf("%s: %d of %d rulings were carried out, %d petitions; turn %d, %lld records\n", rules_of[_i % 4],
           done, tried, asked, game_now()->turn, (long long)game_now()->seq);
    ck_assert(done > 3 || game_now()->over || getenv("GAMES"));
}
END_TEST

static void begin_random(void)
{
    scene("mona carol");
    house_option(&house, "[clock]", "valve = 40\nhold = 2d\nreminder = 12h");
    house_restart(&house);
    house_player(&house, "dora");
    for (size_t who = 0; who < PEOPLE; who++)
        str_init(&box[who]);
}

static void end_random(void)
{
    for (size_t who = 0; who < PEOPLE; who++)
        str_release(&box[who]);
    end();
}

static void cases(TCase *tc)
{
    const char *games = getenv("GAMES");
    tcase_add_checked_fixture(tc, begin_random, end_random);
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, replay_equals_run, 0, games ? atoi(games) : 4);
}
TEST_MAIN("petitions/moderate_property", cases)
