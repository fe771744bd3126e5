/* The work that is due in competitions. */
#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/competing.h"
#include "batch/competing_deals.h"
#include "batch/competing_mails.h"
#include "batch/competing_proved.h"
#include "batch/making.h"
#include "batch/season.h"
#include "compete/apply.h"
#include "compete/draw.h"
#include "compete/outcome.h"
#include "game/past.h"
#include "league/roster.h"

/* ---- people who are gone ---- */

/* Who has left the league, was banned, or has no key any more is out of it. Whom nobody took out before the players of the
 * next round were fixed is still drawn, and a robot has their seat. */
static int leave_out(struct batch *batch, struct batch_competition *entry, struct compete_step *step,
                     struct err *err)
{
    json_t *evidence = json_pack("{s:s}", "by", "league");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < entry->c.entrant_count; i++) {
        const struct entrant *entrant = &entry->c.entrants[i];
        if (entrant->in && !season_takes(batch, &entry->c, entrant->name))
            rc = compete_entry(step, &entry->c, "withdraw", entrant->name, evidence, err);
    }
    json_decref(evidence);
    return rc;
}

/* In the last hour before the players of the next round are fixed those who are gone are taken out. */
#define LEAVING 3600
static bool fixes_soon(const struct batch *batch, const struct competition *c)
{
    int64_t fixed = competition_fixed_at(c);
    return !c->closed && fixed && batch->now >= fixed - LEAVING && batch->now < fixed;
}

static int take_out(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct compete_step step;
    competing_step(batch, &step);
    int rc = leave_out(batch, entry, &step, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    return rc;
}

static bool somebody_is_gone(const struct batch *batch, const struct competition *c)
{
    bool gone = false;
    for (size_t i = 0; !gone && i < c->entrant_count; i++)
        gone = c->entrants[i].in && !season_takes(batch, c, c->entrants[i].name);
    return gone;
}

/* ---- a round is drawn ---- */

/* Who plays in the round is fixed: from here on its witnesses are asked. */
static int fix_round(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct compete_step step;
    int64_t when;
    competing_step(batch, &step);
    int rc = leave_out(batch, entry, &step, err);
    if (rc == 0 && compete_due(&entry->c, batch->now, &when) == COMPETE_FIXES)
        rc = compete_fix(&step, &entry->c, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    return rc;
}

static int tell_lacking(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct compete_step step;
    competing_step(batch, &step);
    int rc = compete_late(&step, &entry->c, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    return rc ? rc : competing_tell_late(batch, entry, err);
}

static int draw_round(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct compete_step step;
    int64_t when;
    competing_step(batch, &step);
    int rc = leave_out(batch, entry, &step, err);
    json_t *outside = competing_outside(batch, &entry->c);
    step.outside = outside;
    if (rc == 0 && compete_due(&entry->c, batch->now, &when) == COMPETE_DRAWS)
        rc = compete_round(&step, &entry->c, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    json_decref(outside);
    return rc ? rc : competing_tell_round(batch, entry, err);
}

/* ---- its games are made ---- */

/* Is the game that is there the one of this table? */
static int check_game(struct batch *batch, const struct batch_competition *entry,
                      const struct compete_table *table, const unsigned char nonce[SEAL_NONCE],
                      struct batch_game **game, struct err *err)
{
    const struct competition *c = &entry->c;
    char name[GAME_NAME];
    compete_game_name(name, c, table->round, table->number);
    if (batch_game(batch, name, game, err))
        return -1;
    const struct game_place *place = &(*game)->game.table.place;
    if (place->until == compete_until(c, table->round) && strcmp(place->name, c->name) == 0 &&
        place->round == table->round && place->table == table->number &&
        memcmp(place->head, c->rounds[table->round - 1].head, HEAD_BYTES) == 0 &&
        memcmp((*game)->game.draws.nonce, nonce, SEAL_NONCE) == 0)
        return 0;
    return err_set(err, ERR_BROKEN,
                   "there is a game %s that is not that of table %d of round %d: move it out of games/", name,
                   table->number, table->round);
}

/* A seat of somebody who has left, or cannot play any more by the text that they have entered with, is a robot's from the start. */
static void seat_all(struct batch *batch, const struct competition *c, const struct compete_table *table,
                     struct new_game *how)
{
    how->seats = table->seats;
    for (int seat = 1; seat <= table->seats; seat++) {
        const struct entrant *entrant = competition_entrant(c, table->player[seat]);
        how->seat[seat].player = entrant->name;
        how->seat[seat].entry = entrant->entry;
        how->seat[seat].robot =
            !entrant->in || !season_takes(batch, c, entrant->name) || !season_counts(batch, entrant);
    }
}

static int make_game(struct batch *batch, const struct batch_competition *entry,
                     const struct compete_table *table, const unsigned char nonce[SEAL_NONCE],
                     struct err *err)
{
    const struct competition *c = &entry->c;
    struct batch_game *made;
    struct new_game how = {.ruleset = c->ruleset, .clock = &c->clock, .press = PRESS_NONE};
    struct game_place place = {.round = table->round,
                               .table = table->number,
                               .attempt = c->rounds[table->round - 1].attempt,
                               .until = compete_until(c, table->round)};
    struct lockstep lockstep;
    char name[GAME_NAME];
    compete_lockstep(&lockstep, c, table->round);
    compete_game_name(name, c, table->round, table->number);
    memcpy(place.name, c->name, strlen(c->name) + 1);
    memcpy(place.head, c->rounds[table->round - 1].head, HEAD_BYTES);
    how.id = name;
    making_begin(batch, &how);
    memcpy(how.options, c->options, sizeof how.options);
    memcpy(how.nonce, nonce, sizeof how.nonce);
    how.place = &place;
    how.by_mail = c->terms.by_mail;
    seat_all(batch, c, table, &how);
    if (c->kind == COMPETE_DUPLICATE && making_lockstep(&how, &lockstep, err))
        return -1;
    return making_take(batch, &how, &(struct making_asked){NULL, NULL}, &made, err);
}

static json_t *made_json(const struct compete_table *table, const struct batch_game *game,
                         const unsigned char proof[VRF_PROOF])
{
    char head[2 * HEAD_BYTES + 1], pi[2 * VRF_PROOF + 1];
    json_t *players = json_array();
    for (int seat = 1; seat <= table->seats; seat++)
        json_array_append_new(players, json_string(table->player[seat]));
    hex_to(head, game->game.journal.create_head, HEAD_BYTES);
    hex_to(pi, proof, VRF_PROOF);
    return json_pack("{s:i,s:o,s:s,s:s,s:s}", "table", table->number, "players", players, "game",
                     game->game.id, "head", head, "pi", pi);
}

/* Makes what is lacking of the next tables; when they are all there, `made` names them. */
static int make_games(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    const struct compete_round *round = &entry->c.rounds[entry->c.round - 1];
    struct compete_step step;
    json_t *games = json_array();
    size_t lacking = 0, looked_at = 0;
    int rc = 0;
    competing_step(batch, &step);
    for (size_t i = 0; rc == 0 && i < round->count && looked_at < COMPETE_MADE; i++) {
        const struct compete_table *table = &entry->c.tables[round->first + i];
        unsigned char proof[VRF_PROOF], nonce[SEAL_NONCE];
        struct batch_game *game;
        char name[GAME_NAME];
        if (table->made)
            continue;
        looked_at++;
        compete_game_name(name, &entry->c, table->round, table->number);
        rc = compete_prove_table(&step, &entry->c, table->round, table->number, proof, nonce, err);
        if (rc == 0 && !store_has(batch->store, name) &&
            !roster_gone(batch->league->dir, ROSTER_GAME, name)) {
            lacking++;
            rc = make_game(batch, entry, table, nonce, err);
        } else if (rc == 0 && lacking == 0) {
            rc = check_game(batch, entry, table, nonce, &game, err);
            if (rc == 0)
                json_array_append_new(games, made_json(table, game, proof));
        }
    }
    if (rc == 0 && lacking == 0)
        rc = compete_made(&step, &entry->c, entry->c.round, games, err);
    else
        json_decref(games);
    competing_take(entry, &step);
    compete_step_release(&step);
    return rc;
}

/* ---- games have ended ---- */

/* What the record `end` of a game that is over says of its table; `open` follows it at once. */
static int read_end(struct batch *batch, const struct game *game, const struct compete_table *table,
                    struct compete_outcome *outcome, unsigned char head[HEAD_BYTES], struct err *err)
{
    struct str lines = STR_INIT;
    struct slice rest, line;
    int rc = store_read(batch->store, game->id, STORE_BEGIN, &lines, err);
    rest = slice_str(&lines);
    while (rc == 0 && !outcome->seq && slice_whole_line(&rest, &line)) {
        struct record record;
        if (slice_find(line, "\"type\":\"end\"") == (size_t)-1)
            continue;
        rc = record_parse(line, &record, err);
        if (rc == 0 && strcmp(record.type, "end") == 0) {
            rc = compete_outcome(outcome, &record, game, table, err);
            memcpy(head, record.head, HEAD_BYTES);
        }
        if (rc == 0)
            record_release(&record);
    }
    str_release(&lines);
    if (rc == 0 && !outcome->seq)
        rc = err_set(err, ERR_BROKEN, "game %s is over and has no `end`", game->id);
    outcome->head = head;
    return rc;
}

static int take_one(struct batch *batch, struct batch_competition *entry, struct compete_step *step,
                    const struct compete_table *table, struct err *err)
{
    struct compete_outcome outcome = {.round = table->round, .table = table->number};
    unsigned char head[HEAD_BYTES];
    struct catalog_game row;
    struct batch_game *game;
    bool found;
    char name[GAME_NAME];
    compete_game_name(name, &entry->c, table->round, table->number);
    if (catalog_get_game(batch->catalog, name, &row, &found, err))
        return -1;
    if (!found || !row.over)
        return 0;
    if (batch_game(batch, name, &game, err))
        return -1;
    if (memcmp(game->game.journal.create_head, table->create, HEAD_BYTES) != 0)
        return err_set(err, ERR_BROKEN, "game %s is not the one that was made for its table", name);
    if (game_withheld(&game->game))
        return 0;
    return read_end(batch, &game->game, table, &outcome, head, err) ||
                   compete_result(step, &entry->c, &outcome, err)
               ? -1
               : 0;
}

/* Results of games that are over. When the round is, who plays on decides nothing any more. */
static int take_results(struct batch *batch, struct batch_competition *entry, bool ends, struct err *err)
{
    struct compete_round *round = &entry->c.rounds[entry->c.round - 1];
    struct compete_step step;
    int rc = 0;
    competing_step(batch, &step);
    for (size_t i = 0; rc == 0 && i < round->count; i++) {
        const struct compete_table *table = &entry->c.tables[round->first + i];
        if (table->fate == TABLE_PLAYS)
            rc = take_one(batch, entry, &step, table, err);
        if (rc == 0 && table->fate == TABLE_PLAYS && ends && entry->c.terms.adjudge == ADJUDGE_TIE) {
            struct compete_outcome tie;
            compete_tie(&tie, table);
            rc = compete_result(&step, &entry->c, &tie, err);
            if (rc == 0)
                rc = competing_tell_ruling(batch, entry, &(struct competing_ruling){.table = table}, err);
        }
    }
    competing_take(entry, &step);
    compete_step_release(&step);
    bool told = entry->c.kind == COMPETE_DUPLICATE && compete_round_done(&entry->c, entry->c.round);
    return rc == 0 && told ? competing_tell_deal(batch, entry, err) : rc;
}

/* The last that a deal needs: then its players are told how it went. */
static int play_field(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    return competing_play_field(batch, entry, err) || competing_tell_deal(batch, entry, err) ? -1 : 0;
}

static int close_it(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct compete_step step;
    competing_step(batch, &step);
    int rc = compete_close(&step, &entry->c, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    return rc ? rc : competing_tell_end(batch, entry, err);
}

/* ---- who has not confirmed is reminded, once ---- */

/* By this the catalog knows that it was done: it remembers for longer than the day that is left to confirm. */
static void reminder_mark(const struct competition *c, unsigned char mark[32])
{
    static const char what[] = "turnpost: confirm";
    crypto_generichash(mark, 32, (const unsigned char *)what, sizeof what, c->create_head, HEAD_BYTES);
}

static int must_remind(const struct batch *batch, const struct competition *c, bool *must, struct err *err)
{
    unsigned char mark[32];
    int64_t at = competing_remind_at(c);
    bool seen = true;
    *must = false;
    if (c->closed || !at || batch->now < at || batch->now >= c->terms.confirm_until)
        return 0;
    reminder_mark(c, mark);
    if (batch_has_seen(batch, mark, &seen, err))
        return -1;
    *must = !seen;
    return 0;
}

static int remind(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    unsigned char mark[32];
    reminder_mark(&entry->c, mark);
    batch_see(batch, mark);
    return competing_tell_confirm(batch, entry, err);
}

/* ---- all of them ---- */

static int act(struct batch *batch, struct batch_competition *entry, enum compete_due due, bool *made,
               struct err *err)
{
    switch (due) {
    case COMPETE_FIXES: return fix_round(batch, entry, err);
    case COMPETE_LACKS: return tell_lacking(batch, entry, err);
    case COMPETE_DRAWS: return draw_round(batch, entry, err);
    case COMPETE_MAKES: return make_games(batch, entry, err);
    case COMPETE_PLAYS: return take_results(batch, entry, false, err);
    case COMPETE_FIELDS: return play_field(batch, entry, err);
    case COMPETE_ENDS: return take_results(batch, entry, true, err);
    case COMPETE_CLOSES: return close_it(batch, entry, err);
    case COMPETE_WAITS:
        return entry->c.closed ? season_go_on(batch, entry, made, err) : remind(batch, entry, err);
    }
    return 0;
}

/* What is due and may be done now. After an outage nothing but the games of a round that is drawn is made for a day
 * (batch_shaken): the clock may be ahead, and a record bears its time, before which no later one can be; *when is then the
 * end of that day. */
static enum compete_due due_now(const struct batch *batch, const struct competition *c, int64_t *when)
{
    enum compete_due due = compete_due(c, batch->now, when);
    int64_t shaken = batch_shaken(batch);
    if (!shaken || due == COMPETE_WAITS || due == COMPETE_MAKES)
        return due;
    *when = shaken;
    return COMPETE_WAITS;
}

/* Its next action, committed; *acted: something has changed. */
static int advance(struct batch *batch, const char *name, bool *acted, struct err *err)
{
    struct batch_competition *entry;
    struct err why = ERR_INIT;
    int64_t when;
    *acted = false;
    if (competing_find(batch, name, &entry, &why))
        return 0;
    enum compete_due due = due_now(batch, &entry->c, &when);
    bool reminds = false;
    if (due == COMPETE_WAITS && must_remind(batch, &entry->c, &reminds, err))
        return -1;
    bool leaves = fixes_soon(batch, &entry->c) && somebody_is_gone(batch, &entry->c);
    if (due == COMPETE_WAITS && !reminds && !leaves && !season_ends(&entry->c))
        return 0;
    bool made = false;
    int rc = batch_begin(batch, err);
    if (rc)
        return rc;
    size_t games = batch->games.count;
    rc = leaves ? take_out(batch, entry, &why) : act(batch, entry, due, &made, &why);
    *acted = rc == 0 && (made || entry->records.len || batch->games.count > games || due == COMPETE_MAKES);
    if (rc == 0)
        rc = batch_commit(batch, &why);
    if (rc == 0) {
        batch_reset(batch, true);
        return 0;
    }
    *acted = false;
    if (batch->torn)
        return err_pass(err, &why);
    log_error("competition %s: %s; it stands still, the others go on", name, why.text);
    batch->broken++;
    if (batch_rewind(batch, err))
        return -1;
    if (competing_find(batch, name, &entry, &why) == 0)
        entry->broken = true;
    return 0;
}

/* Once, before anything is done in it: it goes with its games. False: it stands still, and that is told. */
static bool goes_with_games(struct batch *batch, struct batch_competition *entry)
{
    const struct competing_files files = {batch->store, batch->catalog};
    struct err why = ERR_INIT;
    if (entry->compared || competing_compare(&files, &entry->c, &why) == 0) {
        entry->compared = true;
        return true;
    }
    log_error("competition %s: %s; it stands still, the others go on", entry->c.name, why.text);
    entry->broken = true;
    batch->broken++;
    return false;
}

/* All that is due in one; *next becomes the time of what comes next, if that is sooner. */
static int work_on(struct batch *batch, const char *name, int64_t *next, struct err *err)
{
    struct batch_competition *entry;
    struct err why = ERR_INIT;
    bool acted = true;
    int64_t when;
    int rc = 0;
    if (competing_is_closed(batch, name))
        return 0;
    if (competing_find(batch, name, &entry, &why) == 0 && !goes_with_games(batch, entry))
        return 0;
    err_clear(&why);
    while (rc == 0 && acted)
        rc = advance(batch, name, &acted, err);
    if (rc || competing_find(batch, name, &entry, &why))
        return rc;
    (void)due_now(batch, &entry->c, &when);
    if (when && (!*next || when < *next))
        *next = when;
    const int64_t others[] = {competing_remind_at(&entry->c), competition_fixed_at(&entry->c) - LEAVING};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] > batch->now && (!*next || others[i] < *next))
            *next = others[i];
    batch->competitions.waiting += entry->c.fixed.seq > 0;
    if (entry->c.closed && batch->league->closed)
        batch->league->closed(batch->league, name);
    return competing_keep_proved(batch, entry, err);
}

int competing_work(struct batch *batch, struct err *err)
{
    struct batch_competitions *all = &batch->competitions;
    struct file_names names;
    if (batch->outside.deaf) {
        all->look = true; /* somebody's text may wait in the mailbox: nothing ends */
        return 0;
    }
    if (!all->look && (!all->next || batch->now < all->next))
        return 0;
    if (store_games(all->store, &names, err))
        return -1;
    int rc = 0;
    all->look = false;
    all->next = 0;
    all->waiting = 0;
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        if (competing_has(batch, names.name[i]))
            rc = work_on(batch, names.name[i], &all->next, err);
    file_names_free(&names);
    return rc;
}
