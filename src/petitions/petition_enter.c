/* "enter", "withdraw" and "confirm": a player and a competition. The record is the competition's own; it knows the
 * text and its mail again by what its journal has seen, for ever. */
#include <stdlib.h>
#include <string.h>

#include "base/reason.h"
#include "batch/competing.h"
#include "batch/competing_mails.h"
#include "batch/entering.h"
#include "league/address.h"
#include "petitions/bound.h"
#include "petitions/petition.h"

enum { COMPETITION };

/* How often one can enter the same competition by mail: each time leaves records that stay for ever, and the changes of a
 * day (limits) come to hundreds over the weeks of a calendar. */
#define ENTRIES_MOST 5

/* ---- which one ---- */

static enum outcome refuse_name(struct hearing *hearing, const char *name)
{
    char meant[COMPETE_NAME];
    if (store_has(hearing->batch->store, name))
        return hearing_refuse(hearing, "compete_game verb=%s name=%s", hearing->petition->verb, name);
    if (competing_meant(hearing->batch, name, meant))
        return hearing_refuse(hearing, "compete_meant name=%s meant=%s", name, meant);
    return hearing_refuse(hearing, "compete_none name=%s", name);
}

static enum outcome find(struct hearing *hearing, struct batch_competition **entry, struct err *err)
{
    char name[PLAYER_NAME];
    struct err why = ERR_INIT;
    const char *game = hearing->frame->game;
    if (*game && strcmp(game, "any") != 0) /* no seat of the competition's games could have the text */
        return hearing_refuse(hearing, "compete_one_game game=%s", game);
    if (!hearing->value[COMPETITION].p)
        return hearing_refuse(hearing, "compete_missing");
    if (!hearing_name(hearing, COMPETITION, name))
        return OUTCOME_REFUSED;
    if (!competing_has(hearing->batch, name))
        return refuse_name(hearing, name);
    if (competing_find(hearing->batch, name, entry, &why) == 0)
        return OUTCOME_DONE;
    if (why.code != ERR_BROKEN)
        return (enum outcome)err_pass(err, &why);
    hearing->known.kept = true;
    return hearing_refuse(hearing, "compete_broken name=%s", name);
}

/* ---- whether they can ---- */

/* Was this very mail, or this very text, obeyed before? */
static enum outcome check_new(struct hearing *hearing, const struct competition *c)
{
    hearing->known.again = hearing->msg && competition_seen(c, hearing->mail);
    hearing->known.copy = hearing->msg && !hearing->known.again && competition_seen(c, hearing->text);
    hearing->known.stale |= hearing->known.copy;
    return hearing->known.again || hearing->known.copy ? hearing_refuse(hearing, "obeyed_before")
                                                       : OUTCOME_DONE;
}

/* In competitions that were made so, mail domains are believed; in all others players have keys. */
static enum outcome check_key(struct hearing *hearing, const struct competition *c)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    if (c->terms.by_mail || keyring_of(&hearing->batch->keyring, hearing->player, keys))
        return OUTCOME_DONE;
    return hearing_refuse(hearing, "compete_signed name=%s", c->name);
}

static enum outcome check_time(struct hearing *hearing, const struct competition *c)
{
    const char *verb = hearing->petition->verb;
    json_t *text = hearing->proof ? json_object()
                                  : json_pack("{s:{s:o,s:O}}", "signed", "text", json_text(hearing->exact),
                                              "signature", hearing->signature);
    const char *wrong = compete_entry_wrong(c, verb, hearing->player, text, hearing->batch->now);
    const struct entrant *entrant = competition_entrant(c, hearing->player);
    bool enters = strcmp(verb, "enter") == 0;
    json_decref(text);
    if (!wrong && enters && entrant && entrant->entered >= ENTRIES_MOST)
        return hearing_refuse(hearing, "compete_often name=%s most=%d", c->name, ENTRIES_MOST);
    if (!wrong)
        return OUTCOME_DONE;
    if (strcmp(wrong, "closed") == 0)
        return hearing_refuse(hearing, "compete_closed name=%s", c->name);
    if (strcmp(wrong, "removed") == 0)
        return hearing_refuse(hearing, "compete_removed name=%s", c->name);
    if (strcmp(wrong, "not_in") == 0)
        return hearing_refuse(hearing, "compete_not_in name=%s", c->name);
    if (strcmp(wrong, "is_in") == 0)
        return hearing_refuse(hearing, "compete_is_in name=%s", c->name);
    if (strcmp(wrong, "full") == 0)
        return hearing_refuse(hearing, "compete_full name=%s", c->name);
    if (strcmp(wrong, "no_confirm") == 0)
        return hearing_refuse(hearing, "compete_no_confirm name=%s", c->name);
    if (strcmp(wrong, "is_confirmed") == 0)
        return hearing_refuse(hearing, "compete_is_confirmed name=%s", c->name);
    if (strcmp(wrong, "is_drawn") == 0 || (!enters && (!c->terms.confirm_until || entrant->confirmed)))
        return hearing_refuse(hearing, "compete_drawn name=%s", c->name);
    return enters ? hearing_refuse(hearing, "compete_late name=%s", c->name)
                  : hearing_refuse(hearing, "compete_confirm_late name=%s when@=%lld", c->name,
                                   (long long)c->terms.confirm_until);
}

/* *found, a new reference: what `create` asks for, as it is now; NULL = nothing. */
static enum outcome check_conditions(struct hearing *hearing, const struct competition *c, json_t **found,
                                     struct err *err)
{
    struct err why = ERR_INIT;
    const struct entering who = {c, hearing->player, !hearing->proof};
    if (strcmp(hearing->petition->verb, "confirm") == 0 && c->conditions.key && hearing->proof)
        return hearing_refuse(hearing, "compete_signed name=%s", c->name);
    if (strcmp(hearing->petition->verb, "enter") != 0 ||
        entering_look(hearing->batch, &who, found, &why) == 0)
        return OUTCOME_DONE;
    if (why.code != ERR_INPUT)
        return (enum outcome)err_pass(err, &why);
    reason_err(&hearing->refusal, &why);
    return OUTCOME_REFUSED;
}

/* ---- the record ---- */

static int record(struct hearing *hearing, struct batch_competition *entry, json_t *found, struct err *err)
{
    struct compete_step step;
    hearing->competition = entry;
    competing_step(hearing->batch, &step);
    json_t *evidence = hearing_evidence(hearing);
    if (found)
        json_object_set(evidence, "found", found);
    int rc = compete_entry(&step, &entry->c, hearing->petition->verb, hearing->player, evidence, err);
    json_decref(evidence);
    competing_take(entry, &step);
    compete_step_release(&step);
    hearing->recorded = rc == 0;
    return rc;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct batch_competition *entry = NULL;
    json_t *found = NULL;
    enum outcome outcome = find(hearing, &entry, err);
    if (outcome != OUTCOME_DONE || !entry)
        return outcome;
    outcome = check_new(hearing, &entry->c);
    if (outcome == OUTCOME_DONE)
        outcome = check_key(hearing, &entry->c);
    if (outcome == OUTCOME_DONE)
        outcome = check_time(hearing, &entry->c);
    if (outcome == OUTCOME_DONE && address_within(hearing->exact))
        outcome = hearing_refuse(hearing, "compete_address");
    if (outcome == OUTCOME_DONE)
        outcome = check_conditions(hearing, &entry->c, &found, err);
    if (outcome != OUTCOME_DONE)
        return outcome;
    const struct competing_told told = {hearing->player, hearing->petition->verb, hearing->msg};
    bool failed =
        record(hearing, entry, found, err) || competing_tell_entry(hearing->batch, entry, &told, err) != 0;
    json_decref(found);
    return failed ? OUTCOME_FAILED : OUTCOME_DONE;
}

/* ---- the form ---- */

/* The name in the text, if that is read: "competition: spring"; or in the subject. */
static struct slice named(const struct hearing *hearing)
{
    struct slice rest = hearing->frame->body, line;
    if (*hearing->frame->game)
        return slice_of(hearing->frame->game);
    while (slice_line(&rest, &line)) {
        size_t colon = slice_find(line, ":");
        struct slice value =
            slice_trim(slice_sub(line, colon == (size_t)-1 ? line.len : colon + 1, line.len));
        if (colon != (size_t)-1 && slice_caseeq(slice_trim(slice_sub(line, 0, colon)), "competition") &&
            compete_name_valid(value))
            return value;
    }
    return (struct slice){NULL, 0};
}

static json_t *write(const struct hearing *hearing)
{
    const struct petition *petition = petition_find(hearing->frame->verb);
    struct slice name = named(hearing);
    char code[32];
    json_t *lines = json_array();
    bound_line(lines, "#turnpost %s", petition->verb);
    bound_form(lines, hearing, petition);
    (void)snprintf(code, sizeof code, "form_%s", petition->verb);
    if (name.len)
        bound_line(lines, "competition: %.*s", (int)name.len, name.p);
    else
        bound_words(lines, code, true);
    bound_line(lines, "#end");
    return lines;
}

const struct petition petition_enter = {
    .verb = "enter",
    .needs = PETITION_MAIL | PETITION_COMPETES,
    .fields = {[COMPETITION] = "competition"},
    .keys = true,
    .write = write,
    .act = act,
};

const struct petition petition_withdraw = {
    .verb = "withdraw",
    .needs = PETITION_MAIL | PETITION_COMPETES,
    .fields = {[COMPETITION] = "competition"},
    .write = write,
    .act = act,
};

const struct petition petition_confirm = {
    .verb = "confirm",
    .needs = PETITION_MAIL | PETITION_COMPETES,
    .fields = {[COMPETITION] = "competition"},
    .keys = true,
    .write = write,
    .act = act,
};
