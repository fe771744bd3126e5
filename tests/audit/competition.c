/* Competitions that the league itself draws, makes, plays and closes, proved by the audit (audit/audit_compete.h); and what
 * an operator with all keys can do to one afterwards, which it finds. With EVERY_COMPETITION=DIR the league is kept there,
 * with its secrets: `make mutations` changes its journals in every way (tests/mutations). */
#include "audit/audit_compete.h"

#include <sodium.h>
#include <stdlib.h>

#include "batch/competing.h"
#include "batch/results.h"
#include "compete/experience.h"
#include "compete/ranking.h"
#include "house/watched.h"
#include "house/compete.h"
#include "rules/ruleset.h"

#define DAY DAY_SECONDS

static struct house house;
static struct schedule turns;
static const char *const people[] = {"anna", "bob", "carl", "dora", "emil", "fred", "gina", "hans"};
#define PEOPLE (sizeof people / sizeof *people)

/* ---- a league with a competition ---- */

static struct batch_competition *entry_of(const char *name)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    house.batch.now = house.now;
    ck_ok(competing_find(&house.batch, name, &entry, &err), err);
    return entry;
}

static struct watcher watchers[3];

static void commit(struct batch_competition *entry, struct compete_step *step)
{
    struct err err = ERR_INIT;
    competing_take(entry, step);
    compete_step_release(step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

static void create(struct new_competition how, int rounds)
{
    struct err err = ERR_INIT;
    struct competition c;
    struct compete_step step;
    int64_t times[COMPETE_ROUNDS][2];
    for (int i = 0; i < rounds; i++) {
        times[i][0] = house.now + (4 + 10 * i) * DAY;
        times[i][1] = times[i][0] + 9 * DAY;
    }
    bool deals = how.kind == COMPETE_DUPLICATE;
    how.entries_until = house.now + 2 * DAY;
    how.ruleset = ruleset_newest(deals ? "galaxy-farmer" : "galaxy-command");
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        if (!how.options[i])
            how.options[i] = how.ruleset->options[i].initial;
    how.rounds = (const int64_t(*)[2])times;
    how.round_count = rounds;
    how.protest = 2 * DAY;
    how.bye = deals ? 0 : 2;
    how.zone = "UTC";
    how.clock = &turns;
    randombytes_buf(how.nonce, sizeof how.nonce);
    house.batch.now = house.now;
    competing_step(&house.batch, &step);
    ck_ok(compete_create(&step, &c, &how, &err), err);
    commit(competing_add(&house.batch, &c), &step);
}

/* `found`: where there are conditions; taken. */
static void enters(const char *verb, const char *name, const char *competition, json_t *found)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry = entry_of(competition);
    json_t *evidence = house_entry_text(&house, name, verb, competition);
    if (found)
        json_object_set_new(evidence, "found", found);
    competing_step(&house.batch, &step);
    ck_ok(compete_entry(&step, &entry->c, verb, name, evidence, &err), err);
    commit(entry, &step);
    json_decref(evidence);
}

static void does(const char *verb, const char *name, const char *competition)
{
    enters(verb, name, competition, NULL);
}

static void rules(const char *competition, json_t *fields)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry = entry_of(competition);
    competing_step(&house.batch, &step);
    json_object_set_new(fields, "by", json_string("operator"));
    json_object_set_new(fields, "reason", json_string("The rulebook says so."));
    ck_ok(compete_adjust(&step, &entry->c, fields, &err), err);
    commit(entry, &step);
}

static void at(int64_t now)
{
    struct err err = ERR_INIT;
    house.now = house.batch.now = now;
    house.batch.competitions.look = true;
    ck_ok(competing_work(&house.batch, &err), err);
    house_clock(&house, now);
    house.batch.competitions.look = true;
    ck_ok(competing_work(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.broken, 0);
    house_empty_spool(&house);
}

/* The clock goes on, by hours, as long as this game runs. */
static void play(const char *id)
{
    for (int i = 0; i < 400 && !house_find(&house, id)->over; i++)
        at(house.now + 1800);
    ck_assert(house_find(&house, id)->over);
}

/* Three rounds of tables for four. The first is played by robots in the seats of those who never answer, the others
 * last longer than their rounds, but for a game that is void. */
static void play_spring(void)
{
    int64_t began = house.now;
    create((struct new_competition){.name = "spring", .kind = COMPETE_TABLES, .seats = 4}, 3);
    for (size_t i = 0; i < PEOPLE; i++)
        does("enter", people[i], "spring");
    does("withdraw", "hans", "spring");
    does("enter", "hans", "spring");
    at(began + 4 * DAY);
    play("spring.1.1");
    at(began + 13 * DAY);
    at(began + 14 * DAY);
    house_rules(&house, "spring.2.2", "do: void\nreason: Two tables were mixed up.\n");
    at(began + 14 * DAY + 60);
    at(began + 23 * DAY);
    rules("spring", json_pack("{s:s,s:s,s:i}", "do", "points", "player", "gina", "halves", -1));
    at(began + 24 * DAY);
    at(began + 33 * DAY);
    at(began + 36 * DAY);
    ck_assert(entry_of("spring")->c.closed);
}

/* They have one more key now, and are in by that one from here on. */
static void confirms_again(const char *name, const char *person, const char *competition)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct pubkey keys[2];
    struct str text = STR_INIT;
    secret_public(house_key(&house, name), &keys[0]);
    secret_public(house_person(&house, person), &keys[1]);
    const struct registry_change change = {.what = "key", .key_owner = name, .keys = keys, .key_count = 2};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    struct batch_competition *entry = entry_of(competition);
    house_entry_words(&house, &text, "confirm", competition);
    json_t *signature = sits_signature(house_key(&house, person), slice_str(&text));
    json_t *evidence = sits_evidence(name, slice_str(&text), signature);
    competing_step(&house.batch, &step);
    ck_ok(compete_entry(&step, &entry->c, "confirm", name, evidence, &err), err);
    commit(entry, &step);
    json_decref(signature);
    json_decref(evidence);
    str_release(&text);
}

/* A season of one division, whose players confirm; one does so again, by another key. */
static void play_season(void)
{
    int64_t began = house.now;
    create((struct new_competition){.name = "s1",
                                    .kind = COMPETE_DIVISIONS,
                                    .seats = 2,
                                    .promote = 1,
                                    .division_size = 4,
                                    .confirm_until = began + 3 * DAY,
                                    .walkover = 2},
           3);
    for (size_t i = 0; i < 4; i++)
        does("enter", people[i], "s1");
    for (size_t i = 0; i < 4; i++)
        does("confirm", people[i], "s1");
    at(began + 4 * DAY);
    confirms_again("carl", "carl's other key", "s1");
    at(began + 13 * DAY);
    rules("s1", json_pack("{s:s,s:i,s:i,s:[i,i]}", "do", "rank", "round", 1, "table", 1, "ranks", 1, 2));
    does("withdraw", "dora", "s1");
    at(began + 14 * DAY);
    at(began + 23 * DAY);
    at(began + 24 * DAY);
    at(began + 33 * DAY);
    at(began + 36 * DAY);
    ck_assert(entry_of("s1")->c.closed);
}

/* Two deals for five, with turns of an hour: two are outside of the ranking, one leaves too late, and nobody says anything. */
static void play_week(void)
{
    int64_t began = house.now;
    json_t *own = json_pack("[s]", "carl");
    create((struct new_competition){.name = "week",
                                    .kind = COMPETE_DUPLICATE,
                                    .seats = 1,
                                    .field = 5,
                                    .director = "bob",
                                    .outside = own},
           2);
    json_decref(own);
    for (size_t i = 0; i < 5; i++)
        does("enter", people[i], "week");
    at(began + 3 * DAY + DAY / 2);
    does("withdraw", "dora", "week"); /* too late for the first deal */
    for (int round = 1; round <= 2; round++) {
        at(began + (4 + 10 * (round - 1)) * DAY);
        const struct competition *c = &entry_of("week")->c;
        int64_t opens = c->rounds[round - 1].opens, end = c->rounds[round - 1].end;
        at(opens);
        for (int hour = 1; hour <= 24; hour++)
            at(opens + hour * 3600);
        at(end);
        if (round == 1)
            rules("week", json_pack("{s:s,s:s,s:i}", "do", "points", "player", "anna", "halves", 1));
    }
    at(house.now + 3 * DAY);
    ck_assert(entry_of("week")->c.closed);
}

/* ---- one with conditions ---- */

static void orders(const char *name, const char *id, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: %s\nturn: %d\nfinal: yes\n%s\n#end\n", id,
             house_find(&house, id)->turn, lines);
    if (!house_find(&house, id)->over)
        (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* A game that both play to its end, which the ratings count. */
static void play_rated(const char *id, const char *one, const char *two)
{
    house_game(&house, id, "galaxy-command", DAY, 2, (const char *const[]){one, two});
    for (int i = 0; i < 60 && !house_find(&house, id)->over; i++) {
        orders(one, id, "explore near\nbuild");
        orders(two, id, "bide");
    }
    ck_assert(house_find(&house, id)->over);
}

/* What the league finds of somebody who enters now: by its results, and as it says. */
static json_t *found_of(const char *player)
{
    struct err err = ERR_INIT;
    struct experience experience;
    struct str journal = STR_INIT;
    struct entry_found found = {.turns = 20, .missed = 1, .running = 2};
    ck_ok(store_read(house.batch.competitions.store, "results", STORE_BEGIN, &journal, &err), err);
    experience_begin(&experience, "galaxy-command", slice_str(&journal));
    ck_ok(experience_until(&experience, INT64_MAX, &err), err);
    experience_of(&experience, player, house.now, &found);
    json_t *json = found_json(&found, &entry_of("guild")->c.conditions);
    experience_release(&experience);
    str_release(&journal);
    return json;
}

/* Two rounds of tables for two, by another option than usual and whose games end with them, for those who are asked for
 * all that can be asked. */
static void play_guild(void)
{
    struct err err = ERR_INIT;
    struct conditions asked = {
        .rated = true, .rating = -50000000, .games = 1, .prompt = 90, .running = 2, .key = true};
    play_rated("first", "anna", "bob");
    play_rated("second", "carl", "dora");
    ck_ok(results_work(&house.batch, &err), err);
    for (size_t i = 0; i < 5; i++)
        conditions_invite(&asked, people[i]);
    int64_t began = house.now;
    create((struct new_competition){.name = "guild",
                                    .kind = COMPETE_TABLES,
                                    .seats = 2,
                                    .options = {0, 3},
                                    .adjudge = ADJUDGE_SCORES,
                                    .conditions = &asked},
           2);
    conditions_release(&asked);
    for (size_t i = 0; i < 4; i++)
        enters("enter", people[i], "guild", found_of(people[i]));
    for (int round = 0; round < 2; round++) {
        at(began + (4 + 10 * round) * DAY);
        at(began + (13 + 10 * round) * DAY);
    }
    at(house.now + 3 * DAY);
    ck_assert(entry_of("guild")->c.closed);
}

/* Its next round, whose players are fixed then, with the answers of so many of its witnesses. */
static void seen_round(int64_t drawn, int answers)
{
    at(drawn);
    ck_assert_int_gt(entry_of("seen")->c.fixed.seq, 0);
    watched_ask(&house);
    watched_answers(&house, watchers, answers);
    at(house.now + 60);
    for (int hours = 0; entry_of("seen")->c.fixed.seq && hours < 100; hours++)
        at(house.now + 3600);
}

/* Three rounds of tables for two before three witnesses, of whom two have to answer: all do; one is away; nobody answers any more. */
static void play_seen(void)
{
    static const char *const names[] = {"wanda", "walter", "wim"};
    struct new_competition how = {.name = "seen", .kind = COMPETE_TABLES, .seats = 2, .unwitnessed = 3 * DAY};
    const int64_t began = house.now;
    for (int i = 0; i < 3; i++) {
        watcher_new(&watchers[i], names[i]);
        watcher_named(&how.witnesses, &watchers[i]);
    }
    how.witnesses.need = 2;
    how.witnesses.log = *watched_log(&house);
    watched_know(&house, watchers, 3);
    create(how, 3);
    for (size_t i = 0; i < 4; i++)
        does("enter", people[i], "seen");
    for (int round = 0; round < 3; round++) {
        seen_round(began + (4 + 10 * round) * DAY, 3 - round - (round > 1));
        at(began + (13 + 10 * round) * DAY);
    }
    at(house.now + 3 * DAY);
    ck_assert(entry_of("seen")->c.closed);
    ck_assert_int_eq(entry_of("seen")->c.gave_up, 3);
}

/* ---- the audit ---- */

static struct audit_played games[48];
static size_t game_count;

static void passed(void *arg, const struct record *record, const struct game *game,
                   const struct sealed_set *opened)
{
    (void)opened;
    audit_played_take(arg, record, game);
}

static void take_games(void)
{
    struct err err = ERR_INIT;
    struct file_names names;
    ck_ok(store_games(house.batch.store, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        struct str journal = STR_INIT;
        struct lines lines;
        struct audit audit;
        struct audit_result result;
        bool deal = str_starts(names.name[i], "week.");
        ck_ok(store_read(house.batch.store, names.name[i], STORE_BEGIN, &journal, &err), err);
        lines_memory(&lines, slice_str(&journal));
        audit_init(&audit, &lines);
        audit.master = house.league.master;
        audit.shut = !deal;
        audit.passed = passed;
        audit.arg = &games[game_count++];
        ck_ok(audit_run(&audit, &result, &err), err);
        ck_assert_msg(result.verdict == (deal ? AUDIT_PROVED : AUDIT_PARTLY), "%s: %s", names.name[i],
                      result.first.text);
        str_release(&journal);
    }
    file_names_free(&names);
}

static void drop_games(void)
{
    while (game_count)
        audit_played_release(&games[--game_count]);
}

static struct audit_competition_result result;
static const struct competition *previous;
static struct str results; /* of the league, or nothing */

static void look(struct slice journal, const char *name)
{
    struct err err = ERR_INIT;
    struct lines lines;
    const struct audit_competition in = {.name = name,
                                         .games = games,
                                         .count = game_count,
                                         .results = slice_str(&results),
                                         .previous = previous,
                                         .whole = true,
                                         .journal = &lines};
    lines_memory(&lines, journal);
    ck_ok(audit_competition_run(&in, &result, &err), err);
}

static void look_at(const char *name)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    ck_ok(store_read(house.batch.competitions.store, name, STORE_BEGIN, &journal, &err), err);
    look(slice_str(&journal), name);
    str_release(&journal);
}

static void proved(const char *name)
{
    look_at(name);
    ck_assert_msg(result.verdict == AUDIT_PROVED, "%s: %s at record %lld (%s): %s", name,
                  audit_verdict_name(result.verdict), (long long)result.first.seq, result.first.type,
                  result.first.text);
}

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "ratings = signed");
    house_restart(&house);
    for (size_t i = 0; i < PEOPLE; i++)
        house_player(&house, people[i]);
    str_init(&results);
    schedule_init(&turns);
    turns.length = 3600;
    play_spring();
    play_season();
    play_week();
    play_guild();
    play_seen();
    take_games();
}

static void end(void)
{
    const char *keep = getenv("EVERY_COMPETITION");
    if (keep) {
        struct str to = STR_INIT;
        str_addf(&to, "%s/competitions", keep);
        scratch_remove(to.p);
        scratch_copy(house.dir, to.p);
        str_release(&to);
    }
    drop_games();
    str_release(&results);
    house.unproved = true;
    house_close(&house);
    for (int i = 0; i < 3; i++)
        witness_state_release(&watchers[i].state);
}

START_TEST(what_the_league_did_is_proved)
{
    proved("seen");
    ck_assert_int_eq(result.witnesses, 3);
    ck_assert_int_eq(result.counts.absent, 1);
    ck_assert_int_eq(result.gave_up, 3);
    proved("spring");
    ck_assert_int_eq(result.counts.games, 6);
    ck_assert_int_eq(result.counts.signatures, 10);
    proved("s1");
    proved("week");
    ck_assert_int_eq(result.counts.games, 9);
    ck_assert_int_eq(result.counts.fields, 2);
    ck_assert_int_eq(result.counts.outside, 4);
    ck_assert_int_eq(result.counts.uneven, 0);
}
END_TEST

/* ---- games that are not those of the tables ---- */

static struct audit_played *game_of(const char *id)
{
    for (size_t i = 0; i < game_count; i++)
        if (strcmp(games[i].id, id) == 0)
            return &games[i];
    ck_abort_msg("there is no game %s", id);
    return NULL;
}

static void other_head(struct audit_played *game)
{
    game->create_head[0] ^= 1;
}

static void other_round(struct audit_played *game)
{
    game->place.head[0] ^= 1;
}

static void other_table(struct audit_played *game)
{
    game->place.table++;
}

static void other_nonce(struct audit_played *game)
{
    game->nonce[0] ^= 1;
}

static void other_players(struct audit_played *game)
{
    memcpy(game->player[1], game->player[2], sizeof game->player[1]);
}

static void other_clock(struct audit_played *game)
{
    json_t *create = json_deep_copy(game->create);
    json_object_del(create, "clock");
    json_decref(game->create);
    game->create = create;
}

static void own_witnesses(struct audit_played *game)
{
    json_t *create = json_deep_copy(game->create);
    json_object_set_new(create, "witnesses", json_array());
    json_decref(game->create);
    game->create = create;
}

static void is_broken(struct audit_played *game)
{
    game->broken = true;
}

static void not_over(struct audit_played *game)
{
    game->ended = false;
}

static void other_end(struct audit_played *game)
{
    game->outcome.seq++;
}

static void other_end_head(struct audit_played *game)
{
    game->end_head[0] ^= 1;
}

static void other_winner(struct audit_played *game)
{
    game->outcome.rank[1]++;
}

static void other_points(struct audit_played *game)
{
    game->outcome.points[2]++;
}

static void other_score(struct audit_played *game)
{
    game->outcome.points[1]++;
}

static void somebody_left(struct audit_played *game)
{
    game->outcome.left ^= SEAT_BIT(1);
}

static void is_void(struct audit_played *game)
{
    game->outcome.voided = true;
}

static void over_before(struct audit_played *game)
{
    game->ended = true;
    game->end_time = 1;
}

static void other_deal(struct audit_played *game)
{
    game->deal.digest[0] ^= 1;
}

static void other_hours(struct audit_played *game)
{
    json_t *create = json_deep_copy(game->create);
    json_object_set_new(json_object_get(create, "lockstep"), "hours", json_integer(2));
    json_decref(game->create);
    game->create = create;
}

static void other_name(struct audit_played *game)
{
    (void)snprintf(game->id, sizeof game->id, "another");
}

/* Signed by another key, or withdrawn. */
static void other_text(struct audit_played *game)
{
    json_t *other = json_deep_copy(game->entered[1]);
    json_object_set_new(json_object_get(other, "signed"), "signature", json_object());
    game->entered[1] = other;
}

/* What a game is in place of what it should be; the type of the record that shows it, and why. */
static const struct {
    const char *game;
    void (*change)(struct audit_played *game);
    const char *type, *words;
} wrong[] = {
    {"spring.1.1", other_head, "made", "is another one"},
    {"spring.2.1", other_round, "made", "does not name this table"},
    {"spring.1.2", other_table, "made", "does not name this table"},
    {"spring.3.1", other_nonce, "made", "nonce"},
    {"s1.1.1", other_players, "made", "other players"},
    {"s1.1.1", other_text, "made", "by another text than the last one here"},
    {"week.1.1", other_text, "made", "by another text than the last one here"},
    {"spring.1.1", other_clock, "made", "another \"clock\""},
    {"spring.1.1", own_witnesses, "made", "witnesses of its own"},
    {"spring.1.1", is_broken, "made", "is broken itself"},
    {"spring.1.1", not_over, "result", "has not ended"},
    {"spring.1.1", other_end, "result", "another end"},
    {"spring.1.1", other_end_head, "result", "another end"},
    {"spring.1.1", other_winner, "result", "has ended otherwise"},
    {"spring.1.1", other_points, "result", "has ended otherwise"},
    {"spring.1.1", somebody_left, "result", "has ended otherwise"},
    {"spring.1.1", is_void, "result", "has ended otherwise"},
    {"spring.2.1", over_before, "result", "had ended before"},
    {"s1.2.1", other_name, "made", "is not there"},
    {"week.1.2", other_deal, "made", "another deal"},
    {"week.1.1", other_hours, "made", "open at other times"},
    {"week.2.1", other_nonce, "made", "nonce"},
    {"week.1.1", other_score, "result", "has ended otherwise"},
    {"week.1.3", other_players, "made", "other players"},
};

static void refuted(const char *name, const char *type, const char *words)
{
    look_at(name);
    ck_assert_int_eq(result.verdict, AUDIT_REFUTED);
    ck_assert_msg(strcmp(result.first.type, type) == 0 && strstr(result.first.text, words),
                  "%s at record %lld (%s): %s", name, (long long)result.first.seq, result.first.type,
                  result.first.text);
}

START_TEST(a_game_is_that_of_its_table)
{
    struct audit_played *game = game_of(wrong[_i].game);
    struct audit_played kept = *game;
    kept.create = json_incref(game->create);
    wrong[_i].change(game);
    refuted(kept.place.name, wrong[_i].type, wrong[_i].words);
    json_decref(game->create);
    if (game->entered[1] != kept.entered[1])
        json_decref(game->entered[1]);
    *game = kept;
    if (!FEW || _i % 6 == 0)
        proved(kept.place.name);
}
END_TEST

START_TEST(a_game_too_many_is_found)
{
    struct audit_played *hidden = &games[game_count++];
    memset(hidden, 0, sizeof *hidden);
    hidden->place = game_of("spring.3.2")->place;
    (void)snprintf(hidden->id, sizeof hidden->id, "hidden");
    refuted("spring", "", "knows nothing of it");
    ck_assert_int_eq(result.first.seq, result.records + 1);
    proved("s1");
    game_count--;
}
END_TEST

START_TEST(without_its_games_it_is_proved_in_part)
{
    size_t all = game_count;
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct lines lines;
    const struct audit_competition in = {.name = "spring", .journal = &lines};
    ck_ok(store_read(house.batch.competitions.store, "spring", STORE_BEGIN, &journal, &err), err);
    lines_memory(&lines, slice_str(&journal));
    game_count = 0;
    ck_ok(audit_competition_run(&in, &result, &err), err);
    ck_assert_int_eq(result.verdict, AUDIT_PARTLY);
    ck_assert_int_eq(result.counts.missing, 6);
    ck_assert_int_eq(result.counts.strangers, 0);
    game_count = all;
    str_release(&journal);
}
END_TEST

/* Whoever had left when a round was drawn is played by a robot, and by nobody else. */
static void plays_on(struct audit_played *game)
{
    json_t *table = json_object_get(game->create, "table");
    for (size_t i = 0; i < json_array_size(table); i++)
        if (str_starts(json_string_value(json_array_get(table, i)), "robot:"))
            json_array_set_new(table, i, json_string("dora"));
}

START_TEST(a_robot_has_the_seat_of_who_left)
{
    bool found = false;
    proved("s1");
    ck_assert_int_eq(result.counts.late, 1);
    ck_assert_int_eq(result.counts.robots, 0);
    for (size_t i = 0; i < game_count; i++) {
        if (!str_starts(games[i].id, "s1.2."))
            continue;
        json_t *kept = json_deep_copy(games[i].create);
        plays_on(&games[i]);
        if (!json_equal(kept, games[i].create)) {
            refuted("s1", "made", "dora has a seat, who had left");
            found = true;
        }
        json_decref(games[i].create);
        games[i].create = kept;
    }
    ck_assert(found);
}
END_TEST

/* The others tie where their games have outlasted the round. */
START_TEST(who_left_loses_what_is_adjudged)
{
    const struct competition *c = &entry_of("s1")->c;
    const struct compete_table *table = competition_table_of(c, 2, "dora");
    int seat = compete_seat_of(table, "dora");
    ck_assert(table->adjudged);
    ck_assert_uint_eq(table->left, SEAT_BIT(seat));
    ck_assert_int_eq(table->rank[seat], 2);
    ck_assert_int_eq(table->rank[3 - seat], 1);
}
END_TEST

/* What the operator decided about games is said, though each of them is good. */
START_TEST(choices_are_told)
{
    proved("spring");
    ck_assert_int_eq(result.counts.moderated, 1);
    ck_assert_int_eq(result.counts.unlike, 0);
    struct audit_played *game = game_of("spring.2.1");
    json_t *usual = json_incref(json_object_get(game->create, "missed_robot"));
    json_object_set_new(game->create, "missed_robot", json_integer(json_integer_value(usual) + 1));
    proved("spring");
    ck_assert_int_eq(result.counts.unlike, 1);
    json_object_set_new(game->create, "missed_robot", usual);
    ck_assert_int_eq(result.counts.overtime, 0);
    game = game_of("spring.1.1");
    int64_t ended = game->end_time;
    game->end_time = entry_of("spring")->c.rounds[0].end + 1;
    proved("spring");
    ck_assert_int_eq(result.counts.overtime, 1);
    game->end_time = ended;
}
END_TEST

/* ---- deals ---- */

/* The journal with another score of a robot, signed anew. */
static void with_another_robot(struct str *out)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct slice rest, line;
    ck_ok(store_read(house.batch.competitions.store, "week", STORE_BEGIN, &journal, &err), err);
    rest = slice_str(&journal);
    while (slice_line(&rest, &line)) {
        struct record record;
        unsigned char head[HEAD_BYTES];
        if (slice_find(line, "\"type\":\"field\"") == (size_t)-1) {
            str_addslice(out, line);
            str_addc(out, '\n');
            continue;
        }
        ck_ok(record_parse((struct slice){line.p, line.len + 1}, &record, &err), err);
        json_t *scores = json_deep_copy(json_object_get(record.json, "scores"));
        json_array_set_new(scores, 1, json_integer(json_integer_value(json_array_get(scores, 1)) + 1));
        json_t *fields =
            json_pack("{s:O,s:o}", "round", json_object_get(record.json, "round"), "scores", scores);
        const struct record_text text = {{"week", record.seq, record.prev}, "field", record.time, fields};
        record_write(out, &text, head);
        json_decref(fields);
        record_release(&record);
        break;
    }
    str_release(&journal);
}

START_TEST(robots_play_again)
{
    struct str journal = STR_INIT;
    void *states[48];
    with_another_robot(&journal);
    look(slice_str(&journal), "week");
    ck_assert_int_eq(result.verdict, AUDIT_REFUTED);
    ck_assert_str_eq(result.first.type, "field");
    ck_assert_ptr_nonnull(strstr(result.first.text, "otherwise"));
    for (size_t i = 0; i < game_count; i++) { /* as long as no seal is open */
        states[i] = games[i].deal.state;
        games[i].deal.state = NULL;
    }
    proved("week");
    ck_assert_int_eq(result.counts.unplayed, 2);
    ck_assert_int_eq(result.counts.fields, 0);
    for (size_t i = 0; i < game_count; i++)
        games[i].deal.state = states[i];
    str_release(&journal);
}
END_TEST

/* Who gets more time for a turn than others is named. */
START_TEST(turns_end_together)
{
    struct audit_played *game = game_of("week.1.3");
    int64_t kept = game->deal.closed[2];
    ck_assert_int_gt(kept, 0);
    game->deal.closed[2] += 3 * 3600;
    proved("week");
    ck_assert_int_eq(result.counts.uneven, 1);
    game->deal.closed[2] = kept;
}
END_TEST

/* ---- conditions ---- */

/* With the results of the league what was found is computed again; without them all of it is the operator's word. */
START_TEST(who_enters_is_looked_up_again)
{
    struct err err = ERR_INIT;
    proved("guild");
    ck_assert_int_eq(result.counts.figures, 4);
    ck_ok(store_read(house.batch.competitions.store, "results", STORE_BEGIN, &results, &err), err);
    proved("guild");
    ck_assert_int_eq(result.counts.figures, 4); /* turns and running games still are */
    ck_assert_int_eq(result.counts.signatures, 4);
    ck_assert_int_eq(entry_of("guild")->c.options[1], 3);
    ck_assert_int_eq(game_of("guild.1.1")->place.until, entry_of("guild")->c.rounds[0].end);
}
END_TEST

/* ---- the season before ---- */

/* A season after s1, by these divisions and that head. */
static void season_after(struct str *journal, const json_t *divisions, bool other_head)
{
    struct err err = ERR_INIT;
    struct competition c, *before = &entry_of("s1")->c;
    struct compete_step step;
    const int64_t times[1][2] = {{house.now + 4 * DAY, house.now + 9 * DAY}};
    struct new_competition how = {.name = "s2",
                                  .kind = COMPETE_DIVISIONS,
                                  .seats = 2,
                                  .promote = 1,
                                  .division_size = 4,
                                  .ruleset = before->ruleset,
                                  .rounds = times,
                                  .round_count = 1,
                                  .entries_until = house.now + 2 * DAY,
                                  .zone = "UTC",
                                  .clock = &turns,
                                  .divisions = divisions,
                                  .previous = before};
    unsigned char kept = before->head[0];
    memcpy(how.options, before->options, sizeof how.options);
    before->head[0] ^= other_head;
    house.batch.now = house.now;
    competing_step(&house.batch, &step);
    ck_ok(compete_create(&step, &c, &how, &err), err);
    before->head[0] = kept;
    str_addslice(journal, slice_str(&step.records));
    compete_step_release(&step);
    competition_release(&c);
}

START_TEST(divisions_are_the_table_of_the_season_before)
{
    struct str journal = STR_INIT;
    json_t *divisions = ranking_divisions(&entry_of("s1")->c), *first = json_array_get(divisions, 0);
    previous = _i == 3 ? NULL : &entry_of("s1")->c;
    if (_i == 1) {
        json_t *one = json_incref(json_array_get(first, 0));
        json_array_remove(first, 0);
        json_array_append_new(first, one);
    }
    season_after(&journal, divisions, _i == 2);
    look(slice_str(&journal), "s2");
    ck_assert_int_eq(result.verdict, _i == 1 || _i == 2 ? AUDIT_REFUTED : AUDIT_PROVED);
    if (result.verdict == AUDIT_REFUTED)
        ck_assert_ptr_nonnull(strstr(result.first.text, _i == 1
                                                            ? "are not the table of s1"
                                                            : "does not name the end of the season before"));
    previous = NULL;
    json_decref(divisions);
    str_release(&journal);
}
END_TEST

START_TEST(what_is_published_is_the_whole)
{
    struct err err = ERR_INIT;
    struct bundle bundle = {NULL, 0, 0};
    struct str journal = STR_INIT;
    const struct publish how = {.store = house.batch.store,
                                .league = &house.league,
                                .log = house.batch.tlog,
                                .templates = house.batch.templates,
                                .game = "spring"};
    ck_ok(publish_competition(&how, house.batch.competitions.store, &bundle, &err), err);
    ck_ok(store_read(house.batch.competitions.store, "spring", STORE_BEGIN, &journal, &err), err);
    ck_assert(slice_eq(bundle_file(&bundle, "journal.jsonl"), journal.p));
    ck_assert_uint_eq(bundle_lines(&bundle, "HEAD", "head spring ", NULL), 1);
    size_t journals = 0;
    for (size_t i = 0; i < bundle.count; i++) {
        const char *name = bundle.file[i].name;
        journals += str_starts(name, "games/spring.") &&
                    strcmp(name + strlen("games/spring.1.1"), "/journal.jsonl") == 0;
        ck_assert_msg(slice_find(slice_str(&bundle.file[i].bytes), "@example.net") == (size_t)-1, "%s", name);
    }
    ck_assert_uint_eq(journals, 6);
    bundle_release(&bundle);
    str_release(&journal);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, what_the_league_did_is_proved);
    tcase_add_loop_test(tc, a_game_is_that_of_its_table, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(tc, a_game_too_many_is_found);
    tcase_add_test(tc, who_enters_is_looked_up_again);
    tcase_add_test(tc, without_its_games_it_is_proved_in_part);
    tcase_add_test(tc, a_robot_has_the_seat_of_who_left);
    tcase_add_test(tc, who_left_loses_what_is_adjudged);
    tcase_add_test(tc, choices_are_told);
    tcase_add_test(tc, robots_play_again);
    tcase_add_test(tc, turns_end_together);
    tcase_add_loop_test(tc, divisions_are_the_table_of_the_season_before, 0, 4);
    tcase_add_test(tc, what_is_published_is_the_whole);
}
TEST_MAIN_TOGETHER("audit/competition", cases)
