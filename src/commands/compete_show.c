/* `turnpost compete list` and `show`, and what `status` and `doctor` say of competitions. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/json.h"
#include "batch/competing_mails.h"
#include "batch/rounds.h"
#include "commands/compete.h"
#include "commands/season_audit.h"
#include "compete/apply.h"
#include "compete/ranking.h"
#include "compete/walkover.h"

#define LATE ((int64_t)30 * 60) /* seconds after which what is due should have been done */

/* ---- reading ---- */

static int load(struct store *store, const char *name, struct competition *c, struct err *err)
{
    struct str lines = STR_INIT;
    competition_init(c);
    int rc = store_read(store, name, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = competition_read(c, name, slice_str(&lines), err);
    str_release(&lines);
    if (rc)
        competition_release(c);
    return rc;
}

typedef int each_fn(void *arg, const struct competition *c, const struct err *why, struct err *err);

/* All, by name; of one that cannot be read `c` is NULL and `why` says so. */
static int each(const struct league *league, each_fn *take, void *arg, struct err *err)
{
    struct file_names names = {NULL, 0};
    char *dir = league_path(league, COMPETE_FOLDER);
    struct store *store = store_open(dir);
    int rc = store_games(store, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct competition c;
        struct err why = ERR_INIT;
        if (!store_has(store, names.name[i]) || !compete_name_valid(slice_of(names.name[i])))
            continue;
        bool good = load(store, names.name[i], &c, &why) == 0;
        rc = take(arg, good ? &c : NULL, &why, err);
        if (good)
            competition_release(&c);
    }
    file_names_free(&names);
    store_close(store);
    free(dir);
    return rc;
}

/* ---- where it stands ---- */

static const char *state_of(const struct competition *c, int64_t now)
{
    if (c->closed)
        return "over";
    if (!c->round)
        return now < c->terms.entries_until   ? "entries"
               : c->terms.confirm_until > now ? "confirming"
                                              : "to be drawn";
    const struct compete_round *round = &c->rounds[c->round - 1];
    if (!compete_round_done(c, c->round))
        return now < round->end ? "playing" : c->kind == COMPETE_DUPLICATE ? "results" : "rulings";
    return c->round >= competition_rounds(c) ? "protests" : "break";
}

/* What comes next, and when; 0 = when people have done something. `rests`: until when nothing is done after an outage
 * (rounds_shaken_by). */
static int64_t next_of(const struct competition *c, int64_t now, int64_t rests, const char **what)
{
    int64_t when;
    enum compete_due due = compete_due(c, now, &when);
    *what = "";
    if (c->closed)
        return 0;
    if (!c->round && now < c->terms.entries_until) {
        *what = "entries close";
        return c->terms.entries_until;
    }
    if (c->kind == COMPETE_DUPLICATE && due != COMPETE_MAKES && !compete_round_done(c, c->round)) {
        *what = now < c->rounds[c->round - 1].end ? "the deal closes" : "its results are taken";
        return when;
    }
    if (due == COMPETE_MAKES)
        *what = "games are made";
    else if (due == COMPETE_PLAYS)
        *what = "the round ends";
    else if (due == COMPETE_ENDS)
        *what =
            c->terms.adjudge == ADJUDGE_MODERATOR ? "rulings (turnpost compete rank)" : "games are adjudged";
    else if (due == COMPETE_CLOSES)
        *what = "it closes";
    else
        *what = c->round >= competition_rounds(c) ? "it closes" : "the next draw";
    if (due == COMPETE_WAITS || due == COMPETE_PLAYS)
        return when;
    return due == COMPETE_MAKES || (due == COMPETE_ENDS && c->terms.adjudge == ADJUDGE_MODERATOR) ? 0 : rests;
}

static json_t *time_json(int64_t time)
{
    char text[CLOCK_TEXT];
    if (!time)
        return json_null();
    clock_utc(text, time);
    return json_string(text);
}

static size_t count_in(const struct competition *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->entrant_count; i++)
        count += c->entrants[i].in;
    return count;
}

static json_t *head_json(const struct competition *c)
{
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, c->head, HEAD_BYTES);
    return json_string(head);
}

static json_t *short_json(const struct competition *c, int64_t now, int64_t rests)
{
    const char *what;
    int64_t when = next_of(c, now, rests, &what);
    return json_pack("{s:s,s:s,s:s,s:i,s:s,s:i,s:i,s:i,s:i,s:s,s:o,s:o}", "name", c->name, "kind",
                     compete_kind_name(c->kind), "ruleset", c->ruleset->name, "seats", c->seats, "state",
                     state_of(c, now), "round", c->round, "rounds", competition_rounds(c), "entered",
                     (int)count_in(c), "playing", (int)competition_players(c), "next", what, "next_at",
                     time_json(when), "head", head_json(c));
}

/* ---- list ---- */

struct listing {
    json_t *list;
    int64_t now, rests;
};

static int add_short(void *arg, const struct competition *c, const struct err *why, struct err *err)
{
    struct listing *listing = arg;
    (void)err;
    json_array_append_new(listing->list, c ? short_json(c, listing->now, listing->rests)
                                           : json_pack("{s:s,s:s}", "state", "broken", "words", why->text));
    return 0;
}

static const char *text(const json_t *json, const char *member)
{
    const char *value = json_string_value(json_object_get(json, member));
    return value ? value : "";
}

static int whole(const json_t *json, const char *member)
{
    return (int)json_integer_value(json_object_get(json, member));
}

static void print_short(const json_t *one)
{
    if (strcmp(text(one, "state"), "broken") == 0) {
        printf("! %s\n", text(one, "words"));
        return;
    }
    printf("%-16s %-9s %-18s %-11s round %d of %d, %d in", text(one, "name"), text(one, "kind"),
           text(one, "ruleset"), text(one, "state"), whole(one, "round"), whole(one, "rounds"),
           whole(one, "entered"));
    if (*text(one, "next"))
        printf("; %s %s", text(one, "next"), text(one, "next_at"));
    printf("\n");
}

/* ---- one ---- */

static const char *fate_name(enum table_fate fate)
{
    return fate == TABLE_PLAYS ? "plays" : fate == TABLE_VOID ? "void" : "done";
}

static json_t *table_json(const struct competition *c, const struct compete_table *table, int64_t now)
{
    char game[GAME_NAME];
    json_t *players = json_array();
    compete_game_name(game, c, table->round, table->number);
    for (int seat = 1; seat <= table->seats; seat++)
        json_array_append_new(players, json_pack("{s:s,s:i,s:i,s:b}", "name", table->player[seat], "rank",
                                                 table->rank[seat], "points", table->points[seat], "left",
                                                 (int)(table->left >> seat & 1)));
    return json_pack("{s:i,s:s,s:o,s:s,s:b,s:b,s:b}", "table", table->number, "game", game, "players",
                     players, "state", table->made ? fate_name(table->fate) : "to be made", "adjudged",
                     table->adjudged, "awaits_ruling",
                     table->fate == TABLE_PLAYS && c->terms.adjudge == ADJUDGE_MODERATOR &&
                         now >= c->rounds[table->round - 1].end,
                     "final", table->fate != TABLE_PLAYS && compete_final(c, table->round, now));
}

static json_t *field_json(const struct competition *c, const struct compete_round *round)
{
    json_t *list = json_array();
    for (int i = 0; i < c->terms.field; i++)
        json_array_append_new(list, json_integer(round->field[i]));
    return list;
}

static json_t *rounds_json(const struct competition *c, int64_t now)
{
    json_t *list = json_array();
    int rounds = competition_rounds(c);
    for (int i = 0; i < rounds; i++) {
        const struct compete_round *round = &c->rounds[i];
        json_t *tables = json_array(), *byes = json_array();
        for (size_t k = 0; i < c->round && k < round->count; k++)
            json_array_append_new(tables, table_json(c, &c->tables[round->first + k], now));
        for (size_t k = 0; i < c->round && k < round->bye_count; k++)
            json_array_append_new(byes, json_string(round->byes[k]));
        json_t *json =
            json_pack("{s:i,s:o,s:o,s:o,s:b,s:o,s:o}", "round", i + 1, "draw", time_json(round->draw), "end",
                      time_json(round->end), "final", time_json(round->end + c->terms.protest), "drawn",
                      i < c->round, "tables", tables, "byes", byes);
        if (round->opens)
            json_object_set_new(json, "opens", time_json(round->opens));
        if (round->field)
            json_object_set_new(json, "field", field_json(c, round));
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *entrants_json(const struct competition *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->entrant_count; i++) {
        const struct entrant *one = &c->entrants[i];
        json_array_append_new(list, json_pack("{s:s,s:b,s:b,s:b,s:b,s:i}", "name", one->name, "in", one->in,
                                              "confirmed", one->confirmed, "plays", entrant_plays(c, one),
                                              "removed", one->removed, "adjusted", one->adjusted));
    }
    return list;
}

static json_t *full_json(const struct competition *c, const struct league *league, int64_t now)
{
    struct ranking ranking;
    json_t *json = short_json(c, now, rounds_shaken_by(league->dir, now));
    ranking_make(&ranking, c);
    json_object_set_new(json, "entries_until", time_json(c->terms.entries_until));
    json_object_set_new(json, "confirm_until", time_json(c->terms.confirm_until));
    json_t *conditions = conditions_json(&c->conditions);
    json_object_set_new(json, "conditions", conditions ? conditions : json_null());
    json_object_set_new(json, "director", json_string(c->terms.director));
    json_object_set_new(json, "previous", json_incref(json_object_get(c->create, "previous")));
    json_object_set_new(json, "entrants", entrants_json(c));
    json_object_set_new(json, "groups", competing_table(&ranking, "", ranking.count));
    json_object_set_new(json, "calendar", rounds_json(c, now));
    ranking_release(&ranking);
    return json;
}

static void print_time(const char *what, int64_t time)
{
    struct str when = STR_INIT;
    clock_both(&when, time);
    printf("  %-22s %s\n", what, when.p);
    str_release(&when);
}

static void print_calendar(const struct competition *c)
{
    int rounds = competition_rounds(c);
    print_time("entries until", c->terms.entries_until);
    if (c->terms.confirm_until)
        print_time("to be confirmed until", c->terms.confirm_until);
    for (int i = 0; i < rounds; i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "round %d%s", i + 1, i < c->round ? ", drawn" : ", draw");
        print_time(what, c->rounds[i].draw);
        print_time("         games end", c->rounds[i].end);
    }
    if (rounds)
        print_time("results are final", c->rounds[rounds - 1].end + c->terms.protest);
}

static void print_conditions(const struct conditions *asked)
{
    char rating[RATING_TEXT];
    if (asked->invited_count)
        printf("  only those invited:    %zu player%s\n", asked->invited_count, PLURAL(asked->invited_count));
    if (asked->key)
        printf("  entries by key only\n");
    rating_text(rating, asked->rating);
    if (asked->rated)
        printf("  rating at least:       %s\n", rating);
    if (asked->games)
        printf("  games at least:        %d\n", asked->games);
    if (asked->prompt)
        printf("  orders in time:        %d%% at least\n", asked->prompt);
    if (asked->running)
        printf("  running games at most: %d\n", asked->running);
}

static void print_names(const struct competition *c, const char *what, bool plays)
{
    size_t count = 0;
    for (size_t i = 0; i < c->entrant_count; i++) {
        const struct entrant *one = &c->entrants[i];
        if (!one->in || entrant_plays(c, one) != plays)
            continue;
        printf("%s%s", count++ ? " " : what, one->name);
    }
    if (count)
        printf("\n");
}

/* How one got on against the others of the division, in their order: points of the meetings; "." = none yet. */
static void print_cross(const struct competition *c, const json_t *rows, const char *name)
{
    size_t i;
    json_t *other;
    json_array_foreach (rows, i, other) {
        char points[16] = ".";
        if (strcmp(text(other, "name"), name) == 0)
            memcpy(points, "x", 2);
        for (size_t k = 0; k < c->table_count; k++) {
            const struct compete_table *table = &c->tables[k];
            int own = compete_seat_of(table, name), their = compete_seat_of(table, text(other, "name"));
            if (own && their && own != their && table->fate == TABLE_DONE)
                competing_points(points, 1 + (table->rank[own] < table->rank[their]) -
                                             (table->rank[own] > table->rank[their]));
        }
        printf(" %3s", points);
    }
}

/* Where the table of a season that is over leads. */
static const char *move_text(const json_t *row)
{
    static const char *const moves[][2] = {
        {"rises", "  goes up"}, {"falls", "  goes down"}, {"by_lot", "  up or down by lot"}};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        if (json_is_true(json_object_get(row, moves[i][0])))
            return moves[i][1];
    return "";
}

static void print_groups(const struct competition *c, const json_t *groups)
{
    size_t i, k;
    json_t *group, *row;
    json_array_foreach (groups, i, group) {
        const json_t *rows = json_object_get(group, "rows");
        if (whole(group, "division"))
            printf("\nDivision %d\n", whole(group, "division"));
        else
            printf("\n");
        bool deals = c->kind == COMPETE_DUPLICATE;
        printf("Place Player          %s\n",
               deals ? "Matchpoints Played     Share" : "     Points Played Opponents");
        json_array_foreach (rows, k, row) {
            printf("%5d %-15s %11s %6d %9s", whole(row, "place"), text(row, "name"), text(row, "points"),
                   whole(row, "played"), text(row, deals ? "share" : "opponents"));
            if (whole(group, "division"))
                print_cross(c, rows, text(row, "name"));
            printf("%s%s\n", move_text(row), json_is_true(json_object_get(row, "gone")) ? "  (gone)" : "");
        }
    }
}

static void print_seats(const struct competition *c, const struct compete_table *table)
{
    for (int seat = 1; seat <= table->seats; seat++) {
        printf("%s%s", seat > 1 ? ", " : " ", table->player[seat]);
        if (table->fate == TABLE_DONE)
            printf(" %d", c->kind == COMPETE_DUPLICATE ? table->points[1] : table->rank[seat]);
    }
}

/* Nobody is named where the catalog does not know the game. */
static void print_awaited(struct catalog *catalog, const char *game)
{
    struct catalog_game row;
    struct err ignored = ERR_INIT;
    bool found = false;
    int awaited = 0;
    if (!catalog || catalog_get_game(catalog, game, &row, &found, &ignored) || !found)
        return;
    for (int seat = 1; seat <= row.seats && seat <= SEATS_MAX; seat++)
        if (row.awaited & SEAT_BIT(seat))
            printf("%s%s", awaited++ ? ", " : "; awaits ", row.player[seat]);
}

static void print_table(const struct competition *c, const struct compete_table *table,
                        struct catalog *catalog, int64_t now)
{
    char game[GAME_NAME];
    compete_game_name(game, c, table->round, table->number);
    printf("  %-20s", game);
    print_seats(c, table);
    if (table->outside)
        printf(" (outside of the ranking: %s)", compete_outside_name(table->outside));
    if (!table->made)
        printf("; to be made");
    else if (table->fate == TABLE_VOID)
        printf("; void");
    else if (table->fate == TABLE_DONE)
        printf("%s", table->adjudged ? "; adjudged" : "");
    else if (now >= c->rounds[table->round - 1].end && c->kind != COMPETE_DUPLICATE)
        printf("; waits for a ruling (turnpost compete rank %s %d %d ...)", c->name, table->round,
               table->number);
    else
        print_awaited(catalog, game);
    printf("\n");
}

static void print_round(const struct competition *c, const struct league *league, int64_t now)
{
    struct catalog *catalog = NULL;
    struct err ignored = ERR_INIT;
    bool fresh;
    char *path = league_path(league, "catalog.sqlite");
    if (file_exists(path) && catalog_open(path, &catalog, &fresh, &ignored))
        catalog = NULL;
    free(path);
    const struct compete_round *round = &c->rounds[c->round - 1];
    printf("\nRound %d\n", c->round);
    for (size_t i = 0; i < round->count; i++)
        print_table(c, &c->tables[round->first + i], catalog, now);
    for (size_t i = 0; i < round->bye_count; i++)
        printf("%s%s%s%s", i ? ", " : "  bye: ", round->byes[i],
               walkover_of(c, c->round, round->byes[i]) ? " (a walk-over)" : "",
               i + 1 == round->bye_count ? "\n" : "");
    catalog_close(catalog);
}

/* The first line of what the audit said when it closed. */
static void print_audit(const struct competition *c, const struct league *league)
{
    struct str path = STR_INIT, text = STR_INIT;
    struct slice rest, line;
    struct err ignored = ERR_INIT; /* then it says less */
    str_addf(&path, "%s/%s/%s/" SEASON_AUDIT, league->dir, COMPETE_FOLDER, c->name);
    if (c->closed && file_exists(path.p) && file_read(path.p, 1 << 20, &text, &ignored) == 0) {
        rest = slice_str(&text);
        if (slice_line(&rest, &line))
            printf("\nAudited when it closed: %.*s\n", (int)line.len, line.p);
    }
    str_release(&path);
    str_release(&text);
}

static void print_full(const struct competition *c, const struct league *league, int64_t now)
{
    json_t *json = full_json(c, league, now);
    printf("%s: %s, %s, %d at a table; %s, round %d of %d\n", c->name, compete_kind_name(c->kind),
           c->ruleset->title, c->seats, state_of(c, now), c->round, competition_rounds(c));
    if (*text(json, "next"))
        printf("Next: %s %s\n", text(json, "next"), text(json, "next_at"));
    print_calendar(c);
    print_conditions(&c->conditions);
    print_names(c, "In: ", true);
    print_names(c, "In, and have not confirmed: ", false);
    if (c->round) {
        print_groups(c, json_object_get(json, "groups"));
        print_round(c, league, now);
    }
    print_audit(c, league);
    printf("\nRecord %lld, head %s\n", (long long)c->seq, text(json, "head"));
    json_decref(json);
}

/* ---- the command ---- */

static void print_json(const json_t *json)
{
    struct str out = STR_INIT;
    json_write_pretty(&out, json);
    fputs(out.p, stdout);
    str_release(&out);
}

static int print_all(const struct league *league, bool json, int64_t now, struct err *err)
{
    struct listing listing = {json_array(), now, rounds_shaken_by(league->dir, now)};
    size_t i;
    json_t *one;
    int rc = each(league, add_short, &listing, err);
    if (rc == 0 && json) {
        json_t *all = json_pack("{s:O}", "competitions", listing.list);
        print_json(all);
        json_decref(all);
    } else if (rc == 0) {
        if (!json_array_size(listing.list))
            printf("No competitions yet: `turnpost help compete` says how to make one.\n");
        json_array_foreach (listing.list, i, one)
            print_short(one);
    }
    json_decref(listing.list);
    return rc;
}

static int print_one(const struct league *league, const char *name, bool json, int64_t now, struct err *err)
{
    struct competition c;
    char *dir = league_path(league, COMPETE_FOLDER);
    struct store *store = store_open(dir);
    int rc = 0;
    if (!compete_name_valid(slice_of(name)) || !store_has(store, name))
        rc = err_set(err, ERR_MISSING, "there is no competition \"%.40s\"; turnpost compete list", name);
    if (rc == 0)
        rc = load(store, name, &c, err);
    if (rc == 0) {
        json_t *full = json ? full_json(&c, league, now) : NULL;
        if (json)
            print_json(full);
        else
            print_full(&c, league, now);
        json_decref(full);
        competition_release(&c);
    }
    store_close(store);
    free(dir);
    return rc;
}

int compete_print(const struct league *league, const char *name, bool json, int64_t now, struct err *err)
{
    return name ? print_one(league, name, json, now, err) : print_all(league, json, now, err);
}

/* ---- what is wrong ---- */

struct looking {
    struct store *games; /* NULL: they are not compared */
    int64_t now, rests;  /* rounds_shaken_by */
    struct compete_found *found;
    compete_trouble *tell;
    void *arg;
    const unsigned char *key; /* the league's; NULL: it was not read */
};

static void tell(const struct looking *looking, bool broken, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void tell(const struct looking *looking, bool broken, const char *fmt, ...)
{
    struct str words = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&words, fmt, args);
    va_end(args);
    looking->tell(looking->arg, words.p, broken);
    str_release(&words);
}

static int look_at(void *arg, const struct competition *c, const struct err *why, struct err *err)
{
    const struct looking *looking = arg;
    int64_t when;
    (void)err;
    looking->found->all++;
    if (!c) {
        tell(looking, true, "%s; it stands still", why->text);
        return 0;
    }
    looking->found->over += c->closed;
    struct err other = ERR_INIT;
    if (looking->key && memcmp(c->keys.league, looking->key, sizeof c->keys.league) != 0) {
        tell(looking, true, "competition %s was made with another league key; it stands still", c->name);
        return 0;
    }
    if (!c->closed && competing_compare(&(struct competing_files){looking->games, NULL}, c, &other))
        tell(looking, true, "competition %s: %s", c->name, other.text);
    enum compete_due due = compete_due(c, looking->now, &when);
    int64_t since = c->round ? c->rounds[c->round - 1].end : c->rounds[0].draw;
    bool rulings = due == COMPETE_ENDS && c->terms.adjudge == ADJUDGE_MODERATOR;
    if (looking->rests && due != COMPETE_MAKES && !rulings)
        return 0; /* what is due waits: `compete show` says until when */
    if (due == COMPETE_DRAWS && looking->now >= when + LATE)
        tell(looking, false,
             "competition %s: round %d was to be drawn and has not been: is turnpost running?", c->name,
             c->round + 1);
    else if (due == COMPETE_MAKES && looking->now >= c->time + LATE)
        tell(looking, false, "competition %s: games of round %d are lacking; the log of turnpost says why",
             c->name, c->round);
    else if (rulings)
        tell(looking, false, "competition %s waits for rulings of round %d (turnpost compete show %s)",
             c->name, c->round, c->name);
    else if ((due == COMPETE_ENDS && looking->now >= since + LATE) ||
             (due == COMPETE_CLOSES && looking->now >= since + c->terms.protest + LATE))
        tell(looking, false, "competition %s was to go on and has not: is turnpost running?", c->name);
    return 0;
}

int compete_troubles(const struct league *league, int64_t now, struct compete_found *found,
                     compete_trouble *tell_one, void *arg, struct err *err)
{
    bool keys = !sodium_is_zero(league->key.point, sizeof league->key.point); /* were read */
    struct looking looking = {NULL,     now, rounds_shaken_by(league->dir, now), found,
                              tell_one, arg, keys ? league->key.point : NULL};
    *found = (struct compete_found){0, 0};
    looking.games = league_games(league);
    int rc = each(league, look_at, &looking, err);
    store_close(looking.games);
    return rc;
}
