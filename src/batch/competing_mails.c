#include "batch/competing_mails.h"

#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "base/moment.h"
#include "batch/competing_deals.h"
#include "batch/season.h"
#include "batch/tell.h"
#include "compete/walkover.h"
#include "play/replies.h"

#define TOP_ROWS      10
#define LISTED        40 /* names of a list of entrants */
#define CONFIRM_AHEAD DAY_SECONDS

void competing_points(char out[16], int64_t halves)
{
    int64_t whole = halves < 0 ? -halves : halves;
    (void)snprintf(out, 16, "%s%lld%s", halves < 0 ? "-" : "", (long long)(whole / 2), whole % 2 ? ".5" : "");
}

/* ---- what it is ---- */

static void add_time(json_t *facts, const char *name, int64_t time)
{
    json_object_set_new(facts, name, time ? moment_json(time, NULL) : json_false());
}

/* What comes next: a draw, if there is one left. */
static void add_next(json_t *facts, const struct competition *c)
{
    bool more = !c->closed && c->round < competition_rounds(c);
    add_time(facts, "next_draw", more ? c->rounds[c->round].draw : 0);
    add_time(facts, "next_end", more ? c->rounds[c->round].end : 0);
    json_object_set_new(facts, "next_round", more ? json_integer(c->round + 1) : json_false());
}

/* What is asked of those who enter: false = nothing. */
static json_t *conditions_facts(const struct conditions *asked)
{
    char rating[RATING_TEXT];
    json_t *named = conditions_json(asked);
    if (!named)
        return json_false();
    json_decref(named);
    rating_text(rating, asked->rating);
    json_t *facts = json_pack("{s:b,s:b}", "key_only", asked->key, "invited", asked->invited_count > 0);
    json_object_set_new(facts, "least_rating", asked->rated ? json_string(rating) : json_false());
    json_object_set_new(facts, "least_games", asked->games ? json_integer(asked->games) : json_false());
    json_object_set_new(facts, "least_prompt", asked->prompt ? json_integer(asked->prompt) : json_false());
    json_object_set_new(facts, "most_running", asked->running ? json_integer(asked->running) : json_false());
    return facts;
}

json_t *competing_facts(const struct batch *batch, const struct competition *c)
{
    int64_t until = c->closed ? 0 : compete_entries_end(c);
    json_t *facts = json_pack(
        "{s:s,s:s,s:i,s:i,s:b,s:b,s:b,s:i,s:i,s:b,s:b}", "competition", c->name, "ruleset", c->ruleset->title,
        "round", c->round, "rounds", competition_rounds(c), "begun", c->round > 0, "closed", c->closed,
        "divisions", c->kind == COMPETE_DIVISIONS, "players", (int)competition_players(c), "seats", c->seats,
        "one_round", competition_rounds(c) == 1, "takes_mail", c->terms.by_mail);
    add_time(facts, "entries_until", until > batch->now ? until : 0);
    json_object_set_new(facts, "confirm", json_boolean(c->terms.confirm_until != 0));
    add_time(facts, "confirm_until", c->terms.confirm_until > batch->now ? c->terms.confirm_until : 0);
    json_object_set_new(facts, "conditions", conditions_facts(&c->conditions));
    add_next(facts, c);
    add_time(facts, "ends", c->round ? c->rounds[c->round - 1].end : 0);
    add_time(facts, "opens", c->round ? c->rounds[c->round - 1].opens : 0);
    json_object_set_new(facts, "duplicate", json_boolean(c->kind == COMPETE_DUPLICATE));
    json_object_set_new(facts, "moves", json_boolean(compete_moves(c)));
    json_object_set_new(facts, "turn_hours", json_integer(c->clock.length / HOUR_SECONDS));
    json_object_set_new(facts, "one_hour", json_boolean(c->clock.length == HOUR_SECONDS));
    return facts;
}

json_t *competing_entrants(const struct competition *c, size_t most)
{
    json_t *names = json_array();
    size_t left = 0;
    for (size_t i = 0; i < c->entrant_count; i++) {
        const struct entrant *entrant = &c->entrants[i];
        if (!entrant->in)
            continue;
        if (json_array_size(names) == most)
            left++;
        else
            json_array_append_new(names, json_pack("{s:s,s:b,s:b}", "name", entrant->name, "unconfirmed",
                                                   c->terms.confirm_until && !entrant->confirmed, "more", 1));
    }
    size_t count = json_array_size(names);
    if (count)
        json_object_set_new(json_array_get(names, count - 1), "more", json_false());
    return json_pack("{s:o,s:o,s:i}", "names", names, "left",
                     left ? json_integer((json_int_t)left) : json_false(), "count", (int)(count + left));
}

/* ---- the table ---- */

static void total_of(char out[24], const struct ranking *ranking, const struct ranking_row *row)
{
    char halves[16];
    if (ranking->duplicate) {
        competing_thousandths(out, row->points);
        return;
    }
    competing_points(halves, row->points);
    memcpy(out, halves, sizeof halves);
}

/* Who has played no deal that counts has no share. */
static void share_text(char out[16], const struct ranking_row *row)
{
    memcpy(out, "-", 2);
    if (!row->games)
        return;
    competing_percent(out, row->share);
    size_t len = strlen(out);
    memcpy(out + len, " %", 3);
}

/* Whether the table leads up or down; what it says only where `moves` of the competition is true. */
static json_t *move_json(const struct ranking_row *row)
{
    return json_pack("{s:b,s:b,s:b}", "rises", row->move == DIVISION_UP, "falls", row->move == DIVISION_DOWN,
                     "by_lot", row->move == DIVISION_LOT);
}

static json_t *row_json(const struct ranking *ranking, const struct ranking_row *row)
{
    char points[24], opponents[16];
    total_of(points, ranking, row);
    if (ranking->duplicate)
        share_text(opponents, row);
    else
        competing_points(opponents, row->opponents);
    json_t *json = json_pack("{s:i,s:s,s:s,s:s,s:i,s:b}", "place", row->place, "name", row->name, "points",
                             points, ranking->duplicate ? "share" : "opponents", opponents, "played",
                             row->games, "gone", row->gone);
    json_object_update_new(json, move_json(row));
    return json;
}

json_t *competing_table(const struct ranking *ranking, const char *player, size_t most)
{
    const struct ranking_row *own = ranking_of(ranking, player);
    size_t at = own ? (size_t)(own - ranking->rows) : ranking->count + 1, in_group = 0;
    json_t *groups = json_array(), *rows = NULL;
    int division = -1;
    bool gap = false;
    for (size_t i = 0; i < ranking->count; i++) {
        const struct ranking_row *row = &ranking->rows[i];
        if (row->division != division) {
            rows = json_array();
            json_array_append_new(groups, json_pack("{s:i,s:b,s:o}", "division", row->division, "numbered",
                                                    row->division > 0, "rows", rows));
            division = row->division;
            in_group = 0;
            gap = false;
        }
        if (in_group++ < most || (i + 1 >= at && i <= at + 1)) {
            json_t *json = row_json(ranking, row);
            json_object_update_new(json, json_pack("{s:b,s:b}", "own", i == at, "gap", gap));
            json_array_append_new(rows, json);
            gap = false;
        } else {
            gap = true;
        }
    }
    return groups;
}

/* The player's own division alone, if they are in one: its rows follow each other. Borrowed. */
static struct ranking own_part(const struct ranking *ranking, const struct ranking_row *own)
{
    struct ranking part = *ranking;
    if (!own || !own->division)
        return part;
    const struct ranking_row *end = ranking->rows + ranking->count;
    for (part.rows = ranking->rows; part.rows->division != own->division;)
        part.rows++;
    for (part.count = 0; part.rows + part.count < end && part.rows[part.count].division == own->division;)
        part.count++;
    return part;
}

static void add_groups(json_t *facts, const struct ranking *ranking, const char *player)
{
    const struct ranking part = own_part(ranking, ranking_of(ranking, player));
    json_t *groups = competing_table(&part, player, TOP_ROWS);
    json_object_set_new(facts, "has_table", json_boolean(json_array_size(groups) > 0));
    json_object_set_new(facts, "groups", groups);
    json_object_set_new(facts, "other_divisions", json_boolean(part.count < ranking->count));
}

/* ---- one's own games ---- */

static json_t *others_json(const struct compete_table *table, const char *player)
{
    json_t *others = json_array();
    for (int seat = 1; seat <= table->seats; seat++)
        if (strcmp(table->player[seat], player) != 0)
            json_array_append_new(others, json_pack("{s:s,s:b}", "name", table->player[seat], "more", 1));
    json_object_set_new(json_array_get(others, json_array_size(others) - 1), "more", json_false());
    return others;
}

static bool had_bye(const struct compete_round *round, const char *player)
{
    for (size_t i = 0; i < round->bye_count; i++)
        if (strcmp(round->byes[i], player) == 0)
            return true;
    return false;
}

/* Not so in a division whose games are all played, while larger ones play on. */
static bool has_place(const struct competition *c, int round, const char *player)
{
    return round > 0 && (competition_table_of(c, round, player) || had_bye(&c->rounds[round - 1], player));
}

/* Who does not play any more, and is why the player has a bye; false = nobody. */
static void add_walkover(json_t *facts, const struct competition *c, int round, const char *player)
{
    const char *over = walkover_of(c, round, player);
    json_object_set_new(facts, "walkover", over ? json_pack("{s:s}", "over", over) : json_false());
}

static void add_pairing(json_t *facts, const struct batch *batch, const struct competition *c,
                        const char *player)
{
    const struct compete_table *table = competition_table_of(c, c->round, player);
    bool bye = had_bye(&c->rounds[c->round - 1], player);
    json_object_set_new(facts, "bye", json_boolean(bye));
    json_object_set_new(facts, "played_out", json_boolean(!table && !bye));
    if (bye) {
        char points[16];
        const int halves = walkover_points(c, c->round, player);
        competing_points(points, halves);
        json_object_set_new(facts, "bye_points", halves ? json_string(points) : json_false());
        json_object_set_new(facts, "one_bye_point", json_boolean(halves == 2));
        add_walkover(facts, c, c->round, player);
    }
    if (!table)
        return;
    char game[GAME_NAME];
    compete_game_name(game, c, table->round, table->number);
    json_object_set_new(facts, "game", json_string(game));
    json_object_set_new(facts, "seat", json_integer(compete_seat_of(table, player)));
    json_object_set_new(facts, "table", json_integer(table->number));
    json_object_set_new(facts, "others", others_json(table, player));
    json_object_set_new(facts, "outside", competing_outside_json(table->outside));
    json_object_set_new(facts, "lacking",
                        json_boolean(!season_counts(batch, competition_entrant(c, player))));
}

/* How a table ended for one of its seats. */
static void add_result(json_t *facts, const struct compete_table *table, int seat)
{
    int same = 0;
    for (int other = 1; other <= table->seats; other++)
        same += table->rank[other] == table->rank[seat];
    bool done = table->fate == TABLE_DONE, tie = same == table->seats;
    bool first = table->rank[seat] == 1 && same == 1, last = table->rank[seat] + same > table->seats;
    json_object_set_new(facts, "plays", json_boolean(table->fate == TABLE_PLAYS));
    json_object_set_new(facts, "void", json_boolean(table->fate == TABLE_VOID));
    json_object_set_new(facts, "won", json_boolean(done && first));
    json_object_set_new(facts, "tied", json_boolean(done && tie));
    json_object_set_new(facts, "lost", json_boolean(done && !tie && last && table->seats == 2));
    json_object_set_new(facts, "ranked", json_boolean(done && !first && !tie && table->seats > 2));
    json_object_set_new(facts, "shared", json_boolean(same > 1));
    json_object_set_new(facts, "rank", json_integer(table->rank[seat]));
    json_object_set_new(facts, "of", json_integer(table->seats));
    json_object_set_new(facts, "adjudged", json_boolean(table->adjudged));
    json_object_set_new(facts, "left", json_boolean((table->left & SEAT_BIT(seat)) != 0));
}

/* What a round was for the player; NULL = they were not in it. */
static json_t *round_json(const struct competition *c, int number, const char *player)
{
    const struct compete_table *table = competition_table_of(c, number, player);
    bool bye = had_bye(&c->rounds[number - 1], player);
    if (!table && !bye)
        return NULL;
    json_t *facts = json_pack("{s:i,s:b,s:b}", "number", number, "bye", bye, "played", table != NULL);
    if (!table) {
        add_walkover(facts, c, number, player);
        return facts;
    }
    char game[GAME_NAME];
    compete_game_name(game, c, table->round, table->number);
    json_object_set_new(facts, "game", json_string(game));
    json_object_set_new(facts, "others", others_json(table, player));
    json_t *deal = c->kind == COMPETE_DUPLICATE ? competing_deal_json(c, number, player) : NULL;
    json_object_set_new(facts, "deal", deal ? deal : json_false());
    if (c->kind != COMPETE_DUPLICATE)
        add_result(facts, table, compete_seat_of(table, player));
    return facts;
}

static void add_history(json_t *facts, const struct competition *c, const char *player)
{
    json_t *list = json_array();
    for (int number = 1; number <= c->round; number++) {
        json_t *one = round_json(c, number, player);
        if (one)
            json_array_append_new(list, one);
    }
    json_object_set_new(facts, "has_history", json_boolean(json_array_size(list) > 0));
    json_object_set_new(facts, "history", list);
}

/* ---- mails ---- */

/* What all mails of one record have in common. */
struct telling {
    struct batch *batch;
    const struct batch_competition *entry;
    const char *words;
    struct ranking now, before; /* without the last round's results */
    bool paired, deal;
};

static struct tell tell_of(const struct batch_competition *entry, const char *words, json_t *facts)
{
    return (struct tell){
        .words = words, .facts = facts, .of = entry->c.name, .seq = entry->c.seq, .time = entry->c.time};
}

/* Where the player stands, and what the last round has changed of it. */
static void add_change(json_t *facts, const struct telling *telling, const char *player)
{
    const struct competition *c = &telling->entry->c;
    const struct ranking_row *now = ranking_of(&telling->now, player),
                             *before = ranking_of(&telling->before, player);
    int last = telling->paired ? c->round - 1 : c->round;
    char points[24];
    json_t *result = last ? round_json(c, last, player) : NULL;
    json_object_set_new(facts, "last", result ? result : json_false());
    if (!now || (telling->paired && !now->games && !now->points))
        return;
    total_of(points, &telling->now, now);
    json_t *own =
        json_pack("{s:i,s:b,s:s,s:b,s:i,s:b,s:b,s:b,s:i}", "place", now->place, "won", now->place == 1,
                  "points", points, "one_point", now->points == (telling->now.duplicate ? 1000 : 2),
                  "division", now->division, "moved", 0, "up", 0, "stayed", 0, "was", 0);
    json_object_update_new(own, move_json(now));
    json_object_set_new(own, "above", json_integer(now->division - 1));
    json_object_set_new(own, "below", json_integer(now->division + 1));
    if (before && last > 1 && before->division == now->division) {
        json_object_set_new(own, "was", json_integer(before->place));
        json_object_set_new(own, "moved", json_boolean(before->place != now->place));
        json_object_set_new(own, "up", json_boolean(before->place > now->place));
        json_object_set_new(own, "stayed", json_boolean(before->place == now->place));
    }
    json_object_set_new(facts, "own", own);
}

static int tell_one(const struct telling *telling, const char *player, struct err *err)
{
    const struct competition *c = &telling->entry->c;
    json_t *facts = competing_facts(telling->batch, c);
    struct tell what = tell_of(telling->entry, telling->words, facts);
    what.news = true;
    json_object_set_new(facts, "you", json_string(player));
    if (!telling->paired || c->round > 1)
        add_groups(facts, &telling->now, player);
    else
        json_object_set_new(facts, "entrants", competing_entrants(c, LISTED));
    add_change(facts, telling, player);
    if (telling->paired)
        add_pairing(facts, telling->batch, c, player);
    else
        add_history(facts, c, player);
    if (telling->deal)
        json_object_set_new(facts, "deal", competing_deal_rows(c, c->round, player, TOP_ROWS));
    int rc = tell_player(telling->batch, &what, player, err);
    json_decref(facts);
    return rc;
}

/* Whoever is in the round; and once whoever is not any more, as they have met everybody. */
static bool hears_of_round(const struct competition *c, const struct entrant *entrant)
{
    return entrant_plays(c, entrant) &&
           (has_place(c, c->round, entrant->name) || has_place(c, c->round - 1, entrant->name));
}

static int tell_all(struct telling *telling, struct err *err)
{
    const struct competition *c = &telling->entry->c;
    int rounds = telling->paired ? c->round - 1 : c->round;
    int rc = 0;
    ranking_until(&telling->now, c, rounds);
    ranking_until(&telling->before, c, rounds ? rounds - 1 : 0);
    for (size_t i = 0; rc == 0 && i < c->entrant_count; i++) {
        const struct entrant *entrant = &c->entrants[i];
        if (telling->paired ? hears_of_round(c, entrant) : entrant->seated || entrant->in)
            rc = tell_one(telling, entrant->name, err);
    }
    ranking_release(&telling->now);
    ranking_release(&telling->before);
    return rc;
}

int competing_tell_round(struct batch *batch, const struct batch_competition *entry, struct err *err)
{
    const struct competition *c = &entry->c;
    struct telling telling = {.batch = batch, .entry = entry, .words = "compete_round", .paired = true};
    return c->round && c->rounds[c->round - 1].seq == c->seq ? tell_all(&telling, err) : 0;
}

int competing_tell_deal(struct batch *batch, const struct batch_competition *entry, struct err *err)
{
    struct telling telling = {.batch = batch, .entry = entry, .words = "compete_deal", .deal = true};
    return tell_all(&telling, err);
}

int competing_tell_end(struct batch *batch, const struct batch_competition *entry, struct err *err)
{
    struct telling telling = {.batch = batch, .entry = entry, .words = "compete_end"};
    return tell_all(&telling, err);
}

/* ---- entries ---- */

static json_t *entry_facts(const struct batch *batch, const struct competition *c, const char *player)
{
    const struct entrant *entrant = competition_entrant(c, player);
    json_t *facts = competing_facts(batch, c);
    json_object_set_new(facts, "you", json_string(player));
    json_object_set_new(
        facts, "must_confirm",
        json_boolean(c->terms.confirm_until > batch->now && entrant && entrant->in && !entrant->confirmed));
    json_object_set_new(facts, "late", json_boolean(entrant && !entrant->in && entrant_plays(c, entrant)));
    json_object_set_new(facts, "entrants", competing_entrants(c, LISTED));
    return facts;
}

int competing_tell_entry(struct batch *batch, const struct batch_competition *entry,
                         const struct competing_told *told, struct err *err)
{
    const struct player *player = registry_find(&batch->registry, told->player);
    if (!player)
        return 0;
    json_t *facts = entry_facts(batch, &entry->c, told->player);
    struct tell what = tell_of(entry, "compete_entry", facts);
    what.answered = told->answered;
    json_object_set_new(facts, "entered", json_boolean(strcmp(told->type, "enter") == 0));
    json_object_set_new(facts, "withdrew", json_boolean(strcmp(told->type, "withdraw") == 0));
    json_object_set_new(facts, "confirmed", json_boolean(strcmp(told->type, "confirm") == 0));
    json_object_set_new(facts, "by_other", json_boolean(told->answered == NULL));
    int rc = tell_player(batch, &what, player->name, err);
    json_decref(facts);
    return rc;
}

int64_t competing_remind_at(const struct competition *c)
{
    return c->terms.confirm_until ? c->terms.confirm_until - CONFIRM_AHEAD : 0;
}

int competing_tell_confirm(struct batch *batch, const struct batch_competition *entry, struct err *err)
{
    const struct competition *c = &entry->c;
    struct str about = STR_INIT;
    int rc = 0;
    str_addf(&about, "confirm %s", c->name);
    for (size_t i = 0; rc == 0 && i < c->entrant_count; i++) {
        if (!c->entrants[i].in || c->entrants[i].confirmed)
            continue;
        json_t *facts = entry_facts(batch, c, c->entrants[i].name);
        struct tell what = tell_of(entry, "compete_asked", facts);
        what.about = about.p;
        rc = tell_player(batch, &what, c->entrants[i].name, err);
        json_decref(facts);
    }
    str_release(&about);
    return rc;
}

int competing_tell_late(struct batch *batch, const struct batch_competition *entry, struct err *err)
{
    const struct competition *c = &entry->c;
    const int64_t until = c->terms.unwitnessed ? c->fixed.at + c->terms.unwitnessed : 0;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < c->entrant_count; i++) {
        if (!entrant_plays(c, &c->entrants[i]))
            continue;
        json_t *facts = competing_facts(batch, c);
        json_object_set_new(facts, "late", quorum_names(&c->witnesses, true));
        json_object_set_new(facts, "several", json_boolean(c->witnesses.count > 1));
        add_time(facts, "unwitnessed", until);
        const struct tell what = tell_of(entry, "compete_late", facts);
        rc = tell_player(batch, &what, c->entrants[i].name, err);
        json_decref(facts);
    }
    return rc;
}

int competing_tell_invitation(struct batch *batch, const struct batch_competition *entry, const char *player,
                              bool again, struct err *err)
{
    json_t *facts = entry_facts(batch, &entry->c, player);
    struct tell what = tell_of(entry, "compete_invitation", facts);
    what.news = true;
    json_t *previous = again ? json_object_get(entry->c.create, "previous") : NULL;
    json_object_set_new(facts, "previous", previous ? json_incref(previous) : json_false());
    const struct player *who = registry_find(&batch->registry, player);
    struct reply_place place;
    struct answer_game asks = {.held = slice_of("enter"), .place = &place};
    if (who && who->by_mail &&
        entry->c.terms.by_mail) { /* "ok" and the word enter, as if we had been asked */
        char word[REPLY_OK_LETTERS + 1];
        reply_place_compete(&place, entry->c.name, entry->c.create_head, who->name, "enter");
        reply_ok_word(word, batch->league->master, &place);
        json_object_set_new(facts, "ok_word", json_pack("{s:s}", "word", word));
        what.asks = &asks;
    }
    struct str about = STR_INIT;
    str_addf(&about, "invite %s %lld", entry->c.name, (long long)batch->now);
    if (!again) /* whom else its last record was told, is told by that record's mails */
        what.about = about.p;
    int rc = tell_player(batch, &what, player, err);
    json_decref(facts);
    str_release(&about);
    return rc;
}
