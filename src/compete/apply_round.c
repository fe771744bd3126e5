/* Rounds: fixed for their witnesses, drawn, made into games, and how these ended. */
#include "compete/apply.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "compete/berger.h"
#include "compete/draw.h"
#include "compete/ranking.h"

/* ---- fixed, witness, late ---- */

int compete_apply_fixed(struct competition *c, const struct record *record, struct err *err)
{
    int64_t round;
    if (json_need_int(record->json, "round", 1, c->round_count, &round, "fixed", err))
        return -1;
    if (!c->witnesses.count || c->fixed.seq || !compete_round_drawable(c, round, record->time))
        return compete_broken(record, err, "it has no witnesses, or it is not the time of this round");
    c->fixed.seq = record->seq;
    c->fixed.at = record->time;
    memcpy(c->fixed.head, record->head, HEAD_BYTES);
    quorum_ask(&c->witnesses);
    return 0;
}

static bool is_asked(const struct competition *c, const struct record *record)
{
    return c->fixed.seq && json_integer_value(json_object_get(record->json, "round")) == c->round + 1;
}

int compete_apply_witness(struct competition *c, const struct record *record, struct err *err)
{
    struct log_entry fixed;
    struct err why = ERR_INIT;
    if (!is_asked(c, record))
        return compete_broken(record, err, "no witness is waited for");
    compete_fixed_entry(&fixed, c);
    return quorum_answer(&c->witnesses, &fixed, record->json, &why) ? compete_broken(record, err, why.text)
                                                                    : 0;
}

int compete_apply_late(struct competition *c, const struct record *record, struct err *err)
{
    if (!is_asked(c, record))
        return compete_broken(record, err, "no witness is waited for");
    if (c->witnesses.late || !quorum_lacks(&c->witnesses) || record->time < c->fixed.at + WITNESS_LATE)
        return compete_broken(record, err,
                              "it is not three days, or enough witnesses have answered, or all were told");
    c->witnesses.late = true;
    return 0;
}

/* ---- round ---- */

static void add_tables(struct competition *c, struct compete_round *round, const struct drawn *drawn)
{
    round->first = c->table_count;
    round->count = drawn->count;
    for (size_t i = 0; i < drawn->count; i++) {
        c->tables = mem_grow(c->tables, c->table_count, &c->table_cap, sizeof *c->tables);
        struct compete_table *table = &c->tables[c->table_count++];
        memset(table, 0, sizeof *table);
        table->round = c->round;
        table->number = (int)i + 1;
        table->seats = drawn->tables[i].seats;
        memcpy(table->player, drawn->tables[i].player, sizeof table->player);
        for (int seat = 1; seat <= table->seats; seat++) {
            struct entrant *entrant = competition_entrant(c, table->player[seat]);
            entrant->seated = true;
            if (!entrant->in)
                table->gone |= SEAT_BIT(seat);
        }
    }
}

static void add_byes(struct competition *c, struct compete_round *round, struct drawn *drawn)
{
    round->byes = drawn->byes;
    round->bye_count = drawn->bye_count;
    drawn->byes = NULL;
    for (size_t i = 0; i < round->bye_count; i++)
        competition_entrant(c, round->byes[i])->seated = true;
}

static bool byes_fit(const json_t *list, const struct drawn *drawn)
{
    bool fit = json_array_size(list) == drawn->bye_count;
    for (size_t i = 0; fit && i < drawn->bye_count; i++) {
        const char *name = json_string_value(json_array_get(list, i));
        fit = name && strcmp(name, drawn->byes[i]) == 0;
    }
    return fit;
}

int64_t compete_opens(int64_t drawn)
{
    int64_t least = drawn + COMPETE_NOTICE + HOUR_SECONDS - 1;
    return least - least % HOUR_SECONDS;
}

/* Whom `create` names is outside for that reason, and nobody else for the operator's. */
static bool outside_fits(const struct competition *c)
{
    const struct compete_round *round = &c->rounds[c->round - 1];
    bool fits = true;
    for (size_t i = 0; i < round->count && c->kind == COMPETE_DUPLICATE; i++) {
        const struct compete_table *table = &c->tables[round->first + i];
        enum compete_outside fixed = compete_outside_fixed(c, table->player[1]);
        fits &= fixed ? table->outside == fixed : table->outside != OUTSIDE_OPERATOR;
    }
    return fits;
}

/* Who plays this deal outside of the ranking: by name, each in the round, and in any case those whom `create` names. */
static int read_outside(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *list = json_object_get(record->json, "outside");
    const char *before = "";
    size_t i;
    json_t *one;
    if (list && (c->kind != COMPETE_DUPLICATE || json_array_size(list) == 0))
        return compete_broken(record, err, "\"outside\" names nobody, or this is no deal");
    json_array_foreach (list, i, one) {
        const char *name = json_string_value(json_object_get(one, "player"));
        const char *why = json_string_value(json_object_get(one, "why"));
        struct compete_table *table = name && why ? competition_table_of(c, c->round, name) : NULL;
        if (!table || json_object_size(one) != 2 || strcmp(name, before) <= 0 ||
            !compete_outside_read(why, &table->outside))
            return compete_broken(record, err,
                                  "\"outside\" is no list of who plays, and why they do not count");
        before = name;
    }
    return outside_fits(c) ? 0 : compete_broken(record, err, "\"outside\" is not what `create` says of them");
}

/* When the deal of the round opens, and when it ends: it keeps its length, however late it opens. */
static int read_opens(struct competition *c, const struct record *record, struct err *err)
{
    struct compete_round *round = &c->rounds[c->round - 1];
    bool has = json_object_get(record->json, "opens") != NULL;
    if (c->kind != COMPETE_DUPLICATE)
        return has ? compete_broken(record, err, "only duplicate deals open") : 0;
    if (!has || !compete_time(record, "opens", &round->opens) || round->opens != compete_opens(record->time))
        return compete_broken(record, err, "its deal does not open at the hour that follows from its time");
    round->end = round->opens + (round->end - round->draw);
    return 0;
}

bool compete_round_drawable(const struct competition *c, int64_t round, int64_t now)
{
    return round == c->round + 1 && round <= competition_rounds(c) && compete_round_done(c, c->round) &&
           now >= c->rounds[round - 1].draw;
}

/* The round is drawn, by which attempt: its witnesses have done what they are asked for, or are given up. */
static void settle_witnesses(struct competition *c, int attempt)
{
    memset(&c->fixed, 0, sizeof c->fixed);
    if (attempt == 1) {
        quorum_settle(&c->witnesses);
        return;
    }
    quorum_release(&c->witnesses);
    c->gave_up = c->round;
}

static bool output_of(const struct competition *c, unsigned char beta[VRF_OUTPUT],
                      const unsigned char proof[VRF_PROOF], const struct str *alpha)
{
    return c->believed ? vrf_output(beta, proof) : vrf_verify(beta, c->keys.vrf, proof, slice_str(alpha));
}

static int draw_again(const struct competition *c, const struct record *record, struct quorum_dice *dice,
                      struct drawn *drawn, struct err *err)
{
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT], digest[32];
    int number = c->round + 1;
    int64_t tables, attempt;
    struct str alpha = STR_INIT;
    if (json_need_int(record->json, "attempt", 1, 2, &attempt, "round", err) ||
        json_need_int(record->json, "tables", 0, COMPETE_PLAYERS, &tables, "round", err))
        return -1;
    if (attempt != compete_attempt(c, record->time))
        return compete_broken(record, err,
                              "too few witnesses have answered, or the others have had no day for it");
    compete_alpha(&alpha, c, number, (int)attempt);
    bool proved = compete_hex(record, "pi", proof, sizeof proof) && output_of(c, beta, proof, &alpha);
    str_release(&alpha);
    if (!proved)
        return compete_broken(record, err, "its proof is not that of this draw");
    compete_mix(dice, c, (int)attempt, beta);
    if (c->believed && compete_drawn_before(c, record, drawn))
        return 0;
    if (compete_draw(c, number, dice, drawn, err))
        return -1;
    if (!compete_hex(record, "digest", digest, sizeof digest) || memcmp(digest, drawn->digest, 32) != 0 ||
        (size_t)tables != drawn->count || !byes_fit(json_object_get(record->json, "byes"), drawn))
        return compete_broken(record, err, "the draw gives other tables");
    return 0;
}

int compete_apply_round(struct competition *c, const struct record *record, struct err *err)
{
    struct drawn drawn = {0};
    int64_t number;
    if (json_need_int(record->json, "round", 1, c->round_count, &number, "round", err))
        return -1;
    struct compete_round *round = &c->rounds[number - 1];
    if (!compete_round_drawable(c, number, record->time))
        return compete_broken(record, err, "it is not the time of this round");
    int rc = draw_again(c, record, &round->dice, &drawn, err);
    if (rc == 0) {
        c->round = (int)number;
        round->attempt = (int)json_integer_value(json_object_get(record->json, "attempt"));
        settle_witnesses(c, round->attempt);
        round->seq = record->seq;
        memcpy(round->head, record->head, HEAD_BYTES);
        memcpy(round->digest, drawn.digest, sizeof round->digest);
        add_tables(c, round, &drawn);
        add_byes(c, round, &drawn);
        if (drawn.divisions) {
            c->divisions = drawn.divisions;
            c->division_count = drawn.division_count;
            drawn.divisions = NULL;
            drawn.division_count = 0;
        }
    }
    drawn_release(&drawn);
    return rc || read_outside(c, record, err) || read_opens(c, record, err) ? -1 : 0;
}

/* ---- made ---- */

static int made_one(struct competition *c, const struct record *record, int round, const json_t *one,
                    struct err *err)
{
    const char *game = json_string_value(json_object_get(one, "game"));
    const char *head = json_string_value(json_object_get(one, "head"));
    const char *pi = json_string_value(json_object_get(one, "pi"));
    int64_t number = json_integer_value(json_object_get(one, "table"));
    struct compete_table *table =
        number < 1 || number > COMPETE_PLAYERS ? NULL : competition_table(c, round, (int)number);
    unsigned char proof[VRF_PROOF], beta[VRF_OUTPUT];
    struct str alpha = STR_INIT;
    char name[GAME_NAME];
    if (!table || table->made || !game || !head || !pi || json_object_size(one) != 5)
        return compete_broken(record, err, "a game is of no table that lacks one");
    compete_game_name(name, c, round, table->number);
    if (!c->believed)
        compete_table_alpha(&alpha, c, round, table->number);
    bool good = strcmp(game, name) == 0 && hex_decode(table->create, HEAD_BYTES, slice_of(head)) &&
                hex_decode(proof, sizeof proof, slice_of(pi)) && output_of(c, beta, proof, &alpha);
    const json_t *players = json_object_get(one, "players");
    good = good && json_array_size(players) == (size_t)table->seats;
    for (int seat = 1; good && seat <= table->seats; seat++) {
        const char *player = json_string_value(json_array_get(players, (size_t)seat - 1));
        good = player && strcmp(player, table->player[seat]) == 0;
    }
    str_release(&alpha);
    if (!good)
        return compete_broken(record, err, "a game's name, players, proof or head is not that of its table");
    table->made = true;
    c->rounds[round - 1].made++;
    return 0;
}

int compete_apply_made(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *games = json_object_get(record->json, "games");
    int64_t round;
    size_t i;
    json_t *one;
    json_int_t before = 0;
    if (json_need_int(record->json, "round", 1, c->round, &round, "made", err))
        return -1;
    if (round != c->round || !json_array_size(games) || json_array_size(games) > COMPETE_MADE)
        return compete_broken(record, err, "it names no game, or those of another round");
    json_array_foreach (games, i, one) {
        json_int_t table = json_integer_value(json_object_get(one, "table"));
        if (table <= before)
            return compete_broken(record, err, "its tables are not in their order");
        before = table;
        if (made_one(c, record, (int)round, one, err))
            return -1;
    }
    return 0;
}

/* ---- result ---- */

bool compete_numbers(const json_t *list, int count, int most, int out[SEATS_MAX + 1])
{
    size_t i;
    json_t *item;
    if (json_array_size(list) != (size_t)count)
        return false;
    json_array_foreach (list, i, item) {
        if (!json_is_integer(item) || json_integer_value(item) > most || json_integer_value(item) < -most)
            return false;
        out[i + 1] = (int)json_integer_value(item);
    }
    return true;
}

/* 1 is best, equal ranks tie, and each rank says how many are better. */
bool compete_ranks_good(const int rank[SEATS_MAX + 1], int seats)
{
    for (int seat = 1; seat <= seats; seat++) {
        int better = 0;
        for (int other = 1; other <= seats; other++)
            better += rank[other] < rank[seat];
        if (rank[seat] != better + 1)
            return false;
    }
    return true;
}

static bool read_left(const json_t *list, int seats, uint32_t *left)
{
    size_t i;
    json_t *item;
    *left = 0;
    if (list && json_array_size(list) == 0)
        return false;
    json_array_foreach (list, i, item) {
        int64_t seat = json_integer_value(item);
        if (seat < 1 || seat > seats || *left >> seat)
            return false;
        *left |= 1U << seat;
    }
    return true;
}

/* The ranks of a table fit how it ended: nobody is before another where it is void; who left comes after all that stayed,
 * and these tie where the league has adjudged it. */
static bool fits_end(const struct competition *c, const struct compete_table *table, bool adjudged,
                     bool voided)
{
    if (adjudged && (voided || c->terms.adjudge != ADJUDGE_TIE || table->left != table->gone))
        return false;
    for (int a = 1; a <= table->seats; a++)
        for (int b = 1; b <= table->seats; b++) {
            if ((adjudged || voided) && table->points[a])
                return false;
            bool gone = table->left & SEAT_BIT(a), stayed = !(table->left & SEAT_BIT(b));
            if (!voided && gone && stayed && table->rank[a] <= table->rank[b])
                return false;
            if ((voided || (adjudged && gone != stayed)) && table->rank[a] != table->rank[b])
                return false;
        }
    return true;
}

int compete_apply_result(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    unsigned char create[HEAD_BYTES];
    int64_t round, number;
    if (json_need_int(json, "round", 1, c->round, &round, "result", err) ||
        json_need_int(json, "table", 1, COMPETE_PLAYERS, &number, "result", err))
        return -1;
    struct compete_table *table = competition_table(c, (int)round, (int)number);
    if (!table || !table->made || table->fate != TABLE_PLAYS)
        return compete_broken(record, err, "this table has no game, or a result already");
    bool adjudged = json_object_get(json, "adjudged") != NULL, voided = json_object_get(json, "void") != NULL;
    bool deal = c->kind == COMPETE_DUPLICATE;
    if (deal && record->time < c->rounds[round - 1].end)
        return compete_broken(record, err, "a deal is sealed until its round is over");
    if (adjudged == (json_object_get(json, "end") != NULL) ||
        adjudged == (json_object_get(json, "head") != NULL) ||
        (!adjudged && json_integer_value(json_object_get(json, "end")) < 1) ||
        (adjudged && record->time < c->rounds[round - 1].end + (deal ? COMPETE_PATIENCE : 0)))
        return compete_broken(record, err, "it is neither of a game that has ended, nor of a round that has");
    if (!compete_hex(record, "create", create, sizeof create) ||
        memcmp(create, table->create, sizeof create) != 0)
        return compete_broken(record, err, "its game is not the one that was made for this table");
    if (!compete_numbers(json_object_get(json, "ranks"), table->seats, SEATS_MAX, table->rank) ||
        !compete_numbers(json_object_get(json, "points"), table->seats, COMPETE_SCORE, table->points) ||
        !read_left(json_object_get(json, "left"), table->seats, &table->left) ||
        !compete_ranks_good(table->rank, table->seats) || !fits_end(c, table, adjudged, voided))
        return compete_broken(record, err, "its ranks cannot be");
    table->adjudged = adjudged;
    table->fate = voided ? TABLE_VOID : TABLE_DONE;
    table->seq = record->seq;
    c->rounds[round - 1].done++;
    return 0;
}

/* ---- field ---- */

int compete_apply_field(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *scores = json_object_get(record->json, "scores");
    int64_t number;
    size_t i;
    json_t *one;
    if (json_need_int(record->json, "round", 1, c->round, &number, "field", err))
        return -1;
    struct compete_round *round = &c->rounds[number - 1];
    if (!c->terms.field || number != c->round || round->field || (size_t)round->done != round->count)
        return compete_broken(record, err, "the robots play a deal once, when it has all its results");
    if (json_array_size(scores) != (size_t)c->terms.field)
        return compete_broken(record, err, "there are not as many scores as robots");
    json_array_foreach (scores, i, one)
        if (!json_is_integer(one) || json_integer_value(one) > COMPETE_SCORE ||
            json_integer_value(one) < -COMPETE_SCORE)
            return compete_broken(record, err, "a score is none");
    round->field = mem_array(i, sizeof *round->field);
    json_array_foreach (scores, i, one)
        round->field[i] = (int)json_integer_value(one);
    return 0;
}

/* ---- adjust ---- */

bool compete_final(const struct competition *c, int round, int64_t now)
{
    return now >= c->rounds[round - 1].end + c->terms.protest;
}

static int adjust_rank(struct competition *c, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    int64_t round, number;
    int rank[SEATS_MAX + 1] = {0};
    if (json_need_int(json, "round", 1, c->round, &round, "adjust", err) ||
        json_need_int(json, "table", 1, COMPETE_PLAYERS, &number, "adjust", err))
        return -1;
    struct compete_table *table = competition_table(c, (int)round, (int)number);
    if (c->kind == COMPETE_DUPLICATE)
        return compete_broken(record, err, "who plays alone has no rank");
    if (c->fixed.seq)
        return compete_broken(record, err, "a rank changes the draw of a round whose players are fixed");
    bool waits =
        table && table->made && table->fate == TABLE_PLAYS && record->time >= c->rounds[round - 1].end;
    if (!table || (!waits && (table->fate == TABLE_PLAYS || compete_final(c, (int)round, record->time))))
        return compete_broken(record, err,
                              "this table waits for no ruling, and its result is final or not there");
    if (strcmp(compete_text(record, "by"), c->terms.director) == 0 &&
        compete_seat_of(table, c->terms.director))
        return compete_broken(record, err, "the director sits at this table; somebody else has to rule");
    if (!compete_numbers(json_object_get(json, "ranks"), table->seats, SEATS_MAX, rank) ||
        !compete_ranks_good(rank, table->seats))
        return compete_broken(record, err, "its ranks cannot be");
    memcpy(table->rank, rank, sizeof rank);
    c->rounds[round - 1].done += table->fate == TABLE_PLAYS;
    table->adjudged |= table->fate == TABLE_PLAYS;
    table->fate = TABLE_DONE;
    table->seq = record->seq;
    return 0;
}

/* Does it say what its kind says, and nothing of the others? */
static bool adjust_fits(const json_t *json, const char *what)
{
    static const struct {
        const char *what, *members; /* of player, halves, round, table, ranks: p h r t k */
    } kinds[] = {{"remove", "p"}, {"points", "ph"}, {"rank", "rtk"}};
    static const char *const members[] = {"player", "halves", "round", "table", "ranks"};
    static const char letters[] = "phrtk";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        bool fits = strcmp(kinds[i].what, what) == 0;
        for (size_t k = 0; fits && k < sizeof members / sizeof *members; k++)
            fits =
                (json_object_get(json, members[k]) != NULL) == (strchr(kinds[i].members, letters[k]) != NULL);
        if (fits)
            return true;
    }
    return false;
}

int compete_apply_adjust(struct competition *c, const struct record *record, struct err *err)
{
    const char *what = compete_text(record, "do");
    struct entrant *entrant = competition_entrant(c, compete_text(record, "player"));
    int64_t halves;
    if (!*compete_text(record, "reason"))
        return compete_broken(record, err, "it gives no reason");
    if (!name_valid(slice_of(compete_text(record, "by"))))
        return compete_broken(record, err, "\"by\" is no name");
    if (!adjust_fits(record->json, what))
        return compete_broken(record, err, "its \"do\" is unknown, or it has not what that says");
    if (strcmp(what, "rank") == 0)
        return adjust_rank(c, record, err);
    if (!entrant)
        return compete_broken(record, err, "this player has not entered");
    if (strcmp(what, "remove") == 0) {
        compete_leave(c, entrant, record);
        entrant->removed = true;
        return 0;
    }
    if (c->fixed.seq)
        return compete_broken(record, err, "points change the draw of a round whose players are fixed");
    if (json_need_int(record->json, "halves", -1000, 1000, &halves, "adjust", err))
        return -1;
    if (llabs(entrant->adjusted + halves) > COMPETE_ADJUSTED)
        return compete_broken(record, err, "a player has been given or taken too many points");
    entrant->adjusted += (int)halves;
    return 0;
}

/* ---- close ---- */

bool compete_may_close(const struct competition *c, int64_t now)
{
    bool last = c->round >= competition_rounds(c) || competition_players(c) < (size_t)compete_least(c);
    return c->round > 0 ? last && compete_round_done(c, c->round) && compete_final(c, c->round, now)
                        : now >= c->rounds[0].draw && competition_players(c) < (size_t)compete_least(c);
}

int compete_apply_close(struct competition *c, const struct record *record, struct err *err)
{
    unsigned char digest[32], named[32];
    int64_t players;
    if (!compete_may_close(c, record->time))
        return compete_broken(record, err, "rounds are still to come, or results are not final");
    struct ranking ranking;
    ranking_make(&ranking, c);
    ranking_digest(digest, &ranking);
    json_t *best = ranking_best(&ranking);
    bool good = json_need_int(record->json, "players", 0, COMPETE_PLAYERS, &players, "close", err) == 0 &&
                (size_t)players == ranking.count && compete_hex(record, "table", named, sizeof named) &&
                memcmp(named, digest, sizeof digest) == 0 &&
                json_equal(best, json_object_get(record->json, "best"));
    json_decref(best);
    ranking_release(&ranking);
    if (!good)
        return compete_broken(record, err, "the results give another table");
    c->closed = true;
    return 0;
}
