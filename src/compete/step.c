#include "compete/step.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/mem.h"
#include "compete/apply.h"
#include "compete/draw.h"
#include "compete/ranking.h"

void compete_step_init(struct compete_step *step, int64_t now)
{
    memset(step, 0, sizeof *step);
    step->now = now;
    str_init(&step->records);
    str_init(&step->entries);
}

void compete_step_release(struct compete_step *step)
{
    str_release(&step->records);
    str_release(&step->entries);
}

/* A clock behind the journal does not turn it back. */
static int64_t record_time(const struct compete_step *step, const struct competition *c)
{
    return step->now > c->time ? step->now : c->time;
}

/* Takes ownership of `fields`. */
static int make_record(struct compete_step *step, struct competition *c, const char *type, json_t *fields,
                       struct err *err)
{
    struct record record;
    const struct record_text text = {{c->name, c->seq + 1, c->head}, type, record_time(step, c), fields};
    if (record_make(&step->records, &text, &record, err))
        return -1;
    int rc = step->judge ? step->judge(c, &record, err) : 0;
    if (rc == 0)
        rc = compete_apply(c, &record, err);
    if (rc && err->code == ERR_BROKEN)
        err->code = ERR_UNSOUND;
    if (rc == 0)
        competition_entry(&step->entries, c, &record);
    record_release(&record);
    return rc;
}

/* ---- create ---- */

static json_t *rounds_json(const struct new_competition *how)
{
    json_t *list = json_array();
    for (int i = 0; i < how->round_count; i++)
        json_array_append_new(list, json_pack("{s:o,s:o}", "draw", json_time(how->rounds[i][0]), "end",
                                              json_time(how->rounds[i][1])));
    return list;
}

static void add_rare(json_t *fields, const struct new_competition *how)
{
    if (how->confirm_until)
        json_object_set_new(fields, "confirm_until", json_time(how->confirm_until));
    if (how->most)
        json_object_set_new(fields, "most", json_integer(how->most));
    if (how->rated)
        json_object_set_new(fields, "rated", json_true());
    if (how->by_mail)
        json_object_set_new(fields, "trust", json_string("mail"));
    if (how->director)
        json_object_set_new(fields, "director", json_string(how->director));
    json_t *conditions = how->conditions ? conditions_json(how->conditions) : NULL;
    if (conditions)
        json_object_set_new(fields, "conditions", conditions);
    if (how->request)
        json_object_set_new(fields, "request", json_hex(how->request, 32));
    if (how->previous) {
        json_object_set_new(fields, "previous", json_string(how->previous->name));
        json_object_set_new(fields, "previous_head", json_hex(how->previous->head, HEAD_BYTES));
    }
    if (how->next)
        json_object_set_new(fields, "next", json_integer(how->next));
    if (how->kind == COMPETE_DUPLICATE)
        json_object_set_new(fields, "field", json_integer(how->field));
    if (how->outside)
        json_object_set_new(fields, "outside", json_deep_copy(how->outside));
    quorum_write(fields, &how->witnesses);
    if (how->unwitnessed)
        json_object_set_new(fields, "unwitnessed", json_integer(how->unwitnessed));
    if (how->kind != COMPETE_DIVISIONS)
        return;
    if (how->divisions)
        json_object_set_new(fields, "divisions", json_deep_copy(how->divisions));
    json_object_set_new(fields, "promote", json_integer(how->promote));
    json_object_set_new(fields, "division_size", json_integer(how->division_size));
    json_object_set_new(fields, "walkover", json_integer(how->walkover));
}

int compete_create(struct compete_step *step, struct competition *c, const struct new_competition *how,
                   struct err *err)
{
    struct err why = ERR_INIT;
    json_t *options = json_object();
    for (int i = 0; i < GAME_OPTIONS && how->ruleset->options[i].name; i++)
        json_object_set_new(options, how->ruleset->options[i].name, json_integer(how->options[i]));
    json_t *fields = json_pack(
        "{s:s,s:s,s:i,s:o,s:i,s:o,s:o,s:o,s:i,s:s,s:o,s:o,s:I,s:i,s:s,s:o}", "kind",
        compete_kind_name(how->kind), "ruleset", how->ruleset->name, "version", how->ruleset->version,
        "options", options, "seats", how->seats, "league_key", json_hex(step->key->point, 32), "vrf_key",
        json_hex(step->vrf_public, VRF_PUBLIC), "nonce", json_hex(how->nonce, 32), "pairing", COMPETE_PAIRING,
        "zone", how->zone, "entries_until", json_time(how->entries_until), "rounds", rounds_json(how),
        "protest", (json_int_t)how->protest, "bye", how->bye, "adjudge", compete_adjudge_name(how->adjudge),
        "clock", schedule_json(how->clock));
    add_rare(fields, how);
    competition_init(c);
    memcpy(c->name, how->name, strlen(how->name) + 1);
    if (make_record(step, c, "create", fields, &why) == 0)
        return 0;
    return err_set(err, why.code == ERR_UNSOUND ? ERR_INPUT : why.code, "%s", why.text);
}

/* ---- people ---- */

int compete_entry(struct compete_step *step, struct competition *c, const char *type, const char *player,
                  const json_t *evidence, struct err *err)
{
    unsigned char mark[SEAL_BYTES];
    json_t *fields = evidence ? json_deep_copy(evidence) : json_object();
    json_object_set_new(fields, "player", json_string(player));
    if (!json_object_get(fields, "mark")) { /* of a mail's word the caller has made it */
        if (compete_mark(mark, c, fields)) {
            json_decref(fields);
            return err_set(err, ERR_BROKEN, "%s: the text of %s cannot be marked", c->name, player);
        }
        json_object_set_new(fields, "mark", json_hex(mark, SEAL_BYTES));
    }
    return make_record(step, c, type, fields, err);
}

/* ---- rounds ---- */

static int prove(const struct compete_step *step, struct slice alpha, unsigned char proof[VRF_PROOF],
                 unsigned char beta[VRF_OUTPUT], struct err *err)
{
    return vrf_prove(proof, beta, step->vrf_secret, step->vrf_public, alpha)
               ? 0
               : err_set(err, ERR_CONFIG, "keys/secret/vrf is no key of draws");
}

static json_t *names_json(char (*names)[PLAYER_NAME], size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, json_string(names[i]));
    return list;
}

int compete_fix(struct compete_step *step, struct competition *c, struct err *err)
{
    return make_record(step, c, COMPETE_FIXED, json_pack("{s:i}", "round", c->round + 1), err);
}

int compete_witness(struct compete_step *step, struct competition *c, const struct witness_said *said,
                    struct err *err)
{
    json_t *fields = quorum_record(&c->witnesses, said);
    json_object_set_new(fields, "round", json_integer(c->round + 1));
    return make_record(step, c, "witness", fields, err);
}

int compete_late(struct compete_step *step, struct competition *c, struct err *err)
{
    return make_record(step, c, "late", json_pack("{s:i}", "round", c->round + 1), err);
}

int compete_round(struct compete_step *step, struct competition *c, struct err *err)
{
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT];
    struct str alpha = STR_INIT;
    struct drawn drawn = {0};
    struct quorum_dice dice;
    const int round = c->round + 1, attempt = compete_attempt(c, record_time(step, c));
    compete_alpha(&alpha, c, round, attempt);
    int rc = prove(step, slice_str(&alpha), proof, beta, err);
    str_release(&alpha);
    if (rc)
        return -1;
    compete_mix(&dice, c, attempt, beta);
    if (compete_draw(c, round, &dice, &drawn, err))
        return -1;
    json_t *fields = json_pack("{s:i,s:i,s:o,s:i,s:o,s:o}", "round", round, "attempt", attempt, "pi",
                               json_hex(proof, sizeof proof), "tables", (int)drawn.count, "byes",
                               names_json(drawn.byes, drawn.bye_count), "digest", json_hex(drawn.digest, 32));
    drawn_release(&drawn);
    if (c->kind == COMPETE_DUPLICATE)
        json_object_set_new(fields, "opens", json_time(compete_opens(record_time(step, c))));
    if (json_array_size(step->outside))
        json_object_set_new(fields, "outside", json_deep_copy(step->outside));
    return make_record(step, c, "round", fields, err);
}

int compete_prove_table(const struct compete_step *step, const struct competition *c, int round, int table,
                        unsigned char proof[VRF_PROOF], unsigned char nonce[SEAL_NONCE], struct err *err)
{
    unsigned char beta[VRF_OUTPUT];
    struct str alpha = STR_INIT;
    compete_table_alpha(&alpha, c, round, table);
    int rc = prove(step, slice_str(&alpha), proof, beta, err);
    str_release(&alpha);
    if (rc == 0)
        compete_game_nonce(nonce, beta);
    return rc;
}

int compete_made(struct compete_step *step, struct competition *c, int round, json_t *games, struct err *err)
{
    return make_record(step, c, "made", json_pack("{s:i,s:o}", "round", round, "games", games), err);
}

static json_t *numbers_json(const int list[SEATS_MAX + 1], int count)
{
    json_t *json = json_array();
    for (int seat = 1; seat <= count; seat++)
        json_array_append_new(json, json_integer(list[seat]));
    return json;
}

int compete_result(struct compete_step *step, struct competition *c, const struct compete_outcome *outcome,
                   struct err *err)
{
    const struct compete_table *table = competition_table(c, outcome->round, outcome->table);
    if (!table)
        return err_set(err, ERR_BROKEN, "%s has no table %d in round %d", c->name, outcome->table,
                       outcome->round);
    json_t *fields =
        json_pack("{s:i,s:i,s:o,s:o,s:o}", "round", outcome->round, "table", outcome->table, "create",
                  json_hex(table->create, HEAD_BYTES), "ranks", numbers_json(outcome->rank, table->seats),
                  "points", numbers_json(outcome->points, table->seats));
    if (outcome->seq) {
        json_object_set_new(fields, "end", json_integer(outcome->seq));
        json_object_set_new(fields, "head", json_hex(outcome->head, HEAD_BYTES));
    } else {
        json_object_set_new(fields, "adjudged", json_true());
    }
    if (outcome->voided)
        json_object_set_new(fields, "void", json_true());
    if (outcome->left) {
        json_t *left = json_array();
        for (int seat = 1; seat <= table->seats; seat++)
            if (outcome->left >> seat & 1)
                json_array_append_new(left, json_integer(seat));
        json_object_set_new(fields, "left", left);
    }
    return make_record(step, c, "result", fields, err);
}

int compete_field(struct compete_step *step, struct competition *c, const int *scores, struct err *err)
{
    json_t *list = json_array();
    for (int i = 0; i < c->terms.field; i++)
        json_array_append_new(list, json_integer(scores[i]));
    return make_record(step, c, "field", json_pack("{s:i,s:o}", "round", c->round, "scores", list), err);
}

int compete_adjust(struct compete_step *step, struct competition *c, json_t *fields, struct err *err)
{
    return make_record(step, c, "adjust", fields, err);
}

int compete_close(struct compete_step *step, struct competition *c, struct err *err)
{
    unsigned char digest[32];
    struct ranking ranking;
    ranking_make(&ranking, c);
    ranking_digest(digest, &ranking);
    json_t *fields = json_pack("{s:i,s:o,s:o}", "players", (int)ranking.count, "table", json_hex(digest, 32),
                               "best", ranking_best(&ranking));
    ranking_release(&ranking);
    return make_record(step, c, "close", fields, err);
}

/* ---- when ---- */

/* A deal is sealed until it is over; then its games are. */
static enum compete_due due_in_deal(const struct compete_round *round, int64_t now, int64_t *when)
{
    bool over = now >= round->end;
    *when = over ? round->end + COMPETE_PATIENCE : round->end;
    if (over && now >= *when)
        *when = 0;
    return !over ? COMPETE_WAITS : *when ? COMPETE_PLAYS : COMPETE_ENDS;
}

static enum compete_due due_in_round(const struct competition *c, int64_t now, int64_t *when)
{
    const struct compete_round *round = &c->rounds[c->round - 1];
    if ((size_t)round->made < round->count)
        return COMPETE_MAKES;
    if ((size_t)round->done < round->count && c->kind == COMPETE_DUPLICATE)
        return due_in_deal(round, now, when);
    if ((size_t)round->done < round->count) {
        *when = now < round->end ? round->end : 0;
        return *when ? COMPETE_PLAYS : COMPETE_ENDS;
    }
    return compete_round_done(c, c->round) ? COMPETE_WAITS : COMPETE_FIELDS;
}

/* The next round's time has come. */
static enum compete_due due_to_draw(const struct competition *c, int64_t now, int64_t *when)
{
    const int64_t time = now > c->time ? now : c->time;
    if (compete_attempt(c, time))
        return COMPETE_DRAWS;
    if (!c->fixed.seq)
        return COMPETE_FIXES;
    *when = quorum_due(&c->witnesses, c->fixed.at);
    if (*when && time >= *when)
        return COMPETE_LACKS;
    if (!*when && c->terms.unwitnessed)
        *when = c->fixed.at + c->terms.unwitnessed;
    return COMPETE_WAITS;
}

enum compete_due compete_due(const struct competition *c, int64_t now, int64_t *when)
{
    *when = 0;
    if (c->closed)
        return COMPETE_WAITS;
    enum compete_due due = c->round ? due_in_round(c, now, when) : COMPETE_WAITS;
    if (due != COMPETE_WAITS || *when)
        return due;
    if (compete_may_close(c, now))
        return COMPETE_CLOSES;
    if (c->round < competition_rounds(c) && competition_players(c) >= (size_t)compete_least(c)) {
        *when = c->rounds[c->round].draw;
        return now < *when ? COMPETE_WAITS : due_to_draw(c, now, when);
    }
    *when = c->round ? c->rounds[c->round - 1].end + c->terms.protest : c->rounds[0].draw;
    return COMPETE_WAITS;
}
