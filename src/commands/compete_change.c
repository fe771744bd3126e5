/* `turnpost compete invite`, `withdraw`, `remove`, `points`, `rank`. */
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/nearest.h"
#include "batch/competing_mails.h"
#include "batch/season.h"
#include "commands/compete.h"
#include "commands/game.h"
#include "compete/apply.h"

/* ---- people ---- */

/* Why that cannot be: codes of compete_entry_wrong. */
static const struct {
    const char *code, *words;
} wrong[] = {
    {"closed", "the competition is over"}, {"removed", "they were removed from it"},
    {"not_in", "they are not in it"},      {"is_in", "they are in it already"},
    {"too_late", "it is too late"},        {"full", "it is full"},
};

static const char *words_of(const char *code)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (strcmp(wrong[i].code, code) == 0)
            return wrong[i].words;
    return code;
}

static json_t *evidence(const struct compete_call *call)
{
    char hex[65];
    json_t *json = json_pack("{s:s}", "by", call->by ? call->by : OPERATOR);
    if (call->deed->batch->cause.request) {
        hex_to(hex, call->deed->batch->cause.request, 32);
        json_object_set_new(json, "request", json_string(hex));
    }
    return json;
}

static int find(const struct compete_call *call, struct batch_competition **entry, struct err *err)
{
    const char *name = call->args[0];
    struct batch *batch = call->deed->batch;
    struct nearest search = NEAREST_INIT(name);
    if (competing_find(batch, name, entry, err) == 0)
        return 0;
    if (err->code != ERR_MISSING)
        return -1;
    struct err none = ERR_INIT; /* then nothing is offered */
    if (competing_all(batch, &none) == 0)
        for (size_t i = 0; i < batch->competitions.count; i++)
            nearest_offer(&search, batch->competitions.list[i]->c.name);
    if (search.best) {
        err_clear(err);
        (void)err_set(err, ERR_MISSING, "there is no competition \"%s\"; did you mean %s?", name,
                      search.best);
    }
    return -1;
}

/* Nobody but they themselves puts a player into a competition: they are mailed how to enter. */
static int invite_one(const struct compete_call *call, struct batch_competition *entry, const char *player,
                      struct err *err)
{
    struct batch *batch = call->deed->batch;
    if (!registry_find(&batch->registry, player))
        return err_set(err, ERR_INPUT, "there is no player \"%s\"", player);
    const char *code = compete_entry_wrong(&entry->c, "enter", player, NULL, batch->now);
    if (code)
        return err_set(err, ERR_INPUT, "%s cannot enter: %s", player, words_of(code));
    if (!season_takes(batch, &entry->c, player))
        return err_set(err, ERR_INPUT,
                       "%s cannot be seated: they are banned, or have no key where one is needed", player);
    return competing_tell_invitation(batch, entry, player, false, err);
}

int compete_invite_all(const struct compete_call *call, struct batch_competition *entry, const char *names,
                       struct err *err)
{
    struct slice rest = slice_of(names);
    int rc = 0;
    while (rc == 0 && rest.len) {
        size_t len = 0;
        while (len < rest.len && rest.p[len] != ',')
            len++;
        char *name = slice_dup(slice_trim(slice_sub(rest, 0, len)));
        rest = slice_sub(rest, len + (len < rest.len), rest.len);
        rc = invite_one(call, entry, name, err);
        free(name);
    }
    if (rc == 0)
        deed_say(call->deed, "Invited: %s. Who wants to play answers by entering.\n", names);
    return rc;
}

int compete_command_invite(const struct compete_call *call, struct err *err)
{
    struct batch_competition *entry;
    return find(call, &entry, err) || compete_invite_all(call, entry, call->args[1], err) ? -1 : 0;
}

int compete_command_withdraw(const struct compete_call *call, struct err *err)
{
    struct batch *batch = call->deed->batch;
    const char *player = call->args[1];
    struct batch_competition *entry;
    struct compete_step step;
    if (find(call, &entry, err))
        return -1;
    const char *code = compete_entry_wrong(&entry->c, "withdraw", player, NULL, batch->now);
    if (code)
        return err_set(err, ERR_INPUT, "%s cannot withdraw: %s", player, words_of(code));
    json_t *fields = evidence(call);
    competing_step(batch, &step);
    int rc = compete_entry(&step, &entry->c, "withdraw", player, fields, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    json_decref(fields);
    if (rc || competing_tell_entry(batch, entry, &(struct competing_told){player, "withdraw", NULL}, err))
        return -1;
    deed_say(call->deed, "%s is out of %s.\n", player, entry->c.name);
    return 0;
}

/* ---- rulings ---- */

static int check_by(const struct compete_call *call, struct err *err)
{
    const struct config *config = &call->deed->batch->league->config;
    if (!call->by || config_moderator(config, call->by))
        return 0;
    return err_set(err, ERR_INPUT, "--by: %s is no moderator ([league] moderators)", call->by);
}

/* Who leads a competition and plays in it does not rule about themselves. */
static int check_director(const struct compete_call *call, const struct competition *c, struct err *err)
{
    if (call->by && strcmp(call->by, c->terms.director) != 0)
        return 0;
    return err_set(
        err, ERR_INPUT,
        "%s leads this competition and plays here: name the other moderator who has decided (--by NAME)",
        c->terms.director);
}

/* Takes ownership of `fields`. */
static int adjust(const struct compete_call *call, struct batch_competition *entry, json_t *fields,
                  struct err *err)
{
    struct compete_step step;
    struct err why = ERR_INIT;
    json_t *whose = evidence(call);
    json_object_update(fields, whose);
    json_object_set_new(fields, "reason", json_string(call->reason));
    json_decref(whose);
    competing_step(call->deed->batch, &step);
    int rc = compete_adjust(&step, &entry->c, fields, &why);
    competing_take(entry, &step);
    compete_step_release(&step);
    return rc ? err_set(err, why.code == ERR_UNSOUND ? ERR_INPUT : why.code, "%s", why.text) : 0;
}

static int tell(const struct compete_call *call, const struct batch_competition *entry,
                struct competing_ruling ruling, struct err *err)
{
    ruling.by = call->by ? call->by : OPERATOR;
    ruling.reason = call->reason;
    return competing_tell_ruling(call->deed->batch, entry, &ruling, err);
}

/* What is about a player. */
static int about_player(const struct compete_call *call, struct batch_competition **entry, struct err *err)
{
    const char *player = call->args[1];
    if (find(call, entry, err) || check_by(call, err))
        return -1;
    if (!competition_entrant(&(*entry)->c, player))
        return err_set(err, ERR_INPUT, "%s has never entered %s", player, (*entry)->c.name);
    if (strcmp(player, (*entry)->c.terms.director) == 0)
        return check_director(call, &(*entry)->c, err);
    return 0;
}

int compete_command_remove(const struct compete_call *call, struct err *err)
{
    struct batch_competition *entry;
    if (about_player(call, &entry, err) ||
        adjust(call, entry, json_pack("{s:s,s:s}", "do", "remove", "player", call->args[1]), err) ||
        tell(call, entry, (struct competing_ruling){.player = call->args[1]}, err))
        return -1;
    deed_say(
        call->deed,
        "%s is removed from %s, and is in no table of it any more. A game that they are in goes on: turnpost "
        "moderate GAME replace ... gives their seat to somebody else.\n",
        call->args[1], entry->c.name);
    return 0;
}

int compete_command_points(const struct compete_call *call, struct err *err)
{
    struct batch_competition *entry;
    int64_t halves;
    if (!compete_halves(call->args[2], &halves) || !halves || halves > 1000 || halves < -1000)
        return err_set(err, ERR_INPUT, "points are 1, 0.5, -1 and so on, up to 500");
    if (about_player(call, &entry, err) ||
        adjust(
            call, entry,
            json_pack("{s:s,s:s,s:I}", "do", "points", "player", call->args[1], "halves", (json_int_t)halves),
            err) ||
        tell(call, entry, (struct competing_ruling){.player = call->args[1], .halves = halves}, err))
        return -1;
    deed_say(call->deed, "%s: %s points for %s.\n", entry->c.name, call->args[2], call->args[1]);
    return 0;
}

/* "1,2,2" */
static json_t *ranks_of(const char *text)
{
    json_t *list = json_array();
    while (*text) {
        char *end;
        long rank = strtol(text, &end, 10);
        if (end == text || (*end && *end != ','))
            break;
        json_array_append_new(list, json_integer(rank));
        text = end + (*end == ',');
    }
    if (*text) {
        json_decref(list);
        return NULL;
    }
    return list;
}

int compete_command_rank(const struct compete_call *call, struct err *err)
{
    struct batch_competition *entry;
    int round = (int)strtol(call->args[1], NULL, 10), number = (int)strtol(call->args[2], NULL, 10);
    if (find(call, &entry, err) || check_by(call, err))
        return -1;
    const struct compete_table *table = competition_table(&entry->c, round, number);
    if (!table)
        return err_set(err, ERR_INPUT, "%s has no table %s in round %s; see turnpost compete show %s",
                       entry->c.name, call->args[2], call->args[1], entry->c.name);
    if (*entry->c.terms.director && compete_seat_of(table, entry->c.terms.director) &&
        check_director(call, &entry->c, err))
        return -1;
    json_t *ranks = ranks_of(call->args[3]);
    if (!ranks)
        return err_set(err, ERR_INPUT, "ranks are numbers by seats: 1,2,2");
    if (adjust(call, entry,
               json_pack("{s:s,s:i,s:i,s:o}", "do", "rank", "round", round, "table", number, "ranks", ranks),
               err) ||
        tell(call, entry, (struct competing_ruling){.table = table}, err))
        return -1;
    deed_say(call->deed, "%s, round %d, table %d:", entry->c.name, round, number);
    for (int seat = 1; seat <= table->seats; seat++)
        deed_say(call->deed, " %s %d%s", table->player[seat], table->rank[seat],
                 seat < table->seats ? "," : ".\n");
    return 0;
}

int compete_command_forget(const struct compete_call *call, struct err *err)
{
    return game_forget(call->deed, ROSTER_COMPETITION, call->args[0], err);
}
