/* "#turnpost moderate": finds the action, judges what all actions have in common, makes the record and tells
 * everybody. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "engine/facts.h"
#include "engine/moderate.h"
#include "engine/name_list.h"
#include "engine/petitions.h"
#include "engine/step_parts.h"
#include "orders/nearest.h"

enum { DO, REASON };

#define TURN (MODERATE_GAME | MODERATE_BEGUN)

const struct moderate_action moderate_actions[] = {
    {"pause", "do: pause", "no turn is played and the deadline stands still", MODERATE_GAME, moderate_pause},
    {"resume", "do: resume", "ends a pause or a hold; the deadline moves by the pause", MODERATE_GAME,
     moderate_resume},
    {"extend", "do: extend 24h", "moves the deadline: by a time (12h, 2d), or to one (2026-12-01 18:00)",
     TURN, moderate_extend},
    {"hold", "do: hold", "the turn is not played, whatever comes, until you resume or resolve", MODERATE_GAME,
     moderate_hold},
    {"resolve", "do: resolve", "plays the turn now; seats without orders miss it", TURN, moderate_resolve},
    {"replace", "do: replace bob by dora", "another player for a seat, or \"by robot\"", TURN,
     moderate_replace},
    {"orders", "do: orders bob", "orders for a seat, in the lines below", TURN | MODERATE_TEXT,
     moderate_orders},
    {"resend", "do: resend bob", "a seat's last report once more", TURN | MODERATE_OVER | MODERATE_CLOSED,
     moderate_resend},
    {"rollback", "do: rollback turn 5", "opens a turn again that was played, or goes back to a record", TURN,
     moderate_rollback},
    {"correct", "do: correct player[1].metal = 3",
     "a value of the table, where player[0] is seat 1; more of them below, one a line",
     TURN | MODERATE_MAYBE_TEXT, moderate_correct},
    {"void", "do: void", "ends the game without a result", MODERATE_GAME | MODERATE_CLOSED, moderate_void},
    {"ban", "do: ban bob",
     "a player, from all games; with the line league: in place of game:, turn: and head:", 0, moderate_ban},
    {"unban", "do: unban bob", "ends that, in the same way", 0, moderate_unban},
    {NULL, NULL, NULL, 0, NULL},
};

/* ---- for the actions ---- */

int ruling_refuse(struct ruling *ruling, const char *fmt, ...)
{
    char text[sizeof ruling->hearing->refusal.text];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return hearing_refuse(ruling->hearing, "%s", text);
}

json_t *ruling_seal(struct ruling *ruling, int seat, int item, json_t *json)
{
    if (ruling->hearing->msg) {
        json_object_set_new(json, "text", json_text(ruling->hearing->exact));
        json_object_set(json, "signature", (json_t *)(uintptr_t)ruling->hearing->signature);
    }
    return step_seal_json(ruling->step, ruling->game, seat, item, json);
}

int ruling_record(struct ruling *ruling, json_t *fields, struct err *err)
{
    json_t *all = fields ? fields : json_object();
    const struct hearing *hearing = ruling->hearing;
    json_t *evidence = ruling->secret && hearing->msg ? hearing_marks(hearing) : hearing_evidence(hearing);
    json_object_set_new(evidence, "by", json_string(ruling->by));
    json_object_update_missing(all, evidence);
    json_decref(evidence);
    json_object_set_new(all, "do", json_string(ruling->action->word));
    json_object_set_new(all, "reason", json_text(ruling->reason));
    if (!json_object_get(all, "turn"))
        json_object_set_new(all, "turn", json_integer(ruling->game->turn));
    return step_record(ruling->step, ruling->game, "moderate", all, NULL, err);
}

void ruling_time(json_t *facts, const char *key, int64_t time)
{
    struct str text = STR_INIT;
    clock_both(&text, time);
    json_object_set_new(facts, key, json_string(text.p));
    str_release(&text);
}

json_t *ruling_facts(const struct ruling *ruling, int seat, json_t *what)
{
    json_t *facts = facts_game(ruling->game, seat);
    bool operator= strcmp(ruling->by, OPERATOR) == 0;
    json_t *own = json_pack("{s:s,s:b,s:o}", "by", ruling->by, "by_operator", operator, "reason",
                            json_text(ruling->reason));
    json_object_set(own, ruling->action->word, what ? what : json_true());
    json_object_set_new(facts, "undealt", json_boolean(ruling->game->turn == 0));
    json_object_set_new(facts, "ruling", own); /* apart, so that no board takes it for its own */
    return facts;
}

void ruling_tell(struct ruling *ruling, int seat, const char *player, json_t *facts)
{
    const char *name = seat ? ruling->game->seat[seat].player : player;
    bool own = ruling->hearing->msg && !ruling->aside && strcmp(name, ruling->by) == 0;
    step_tell(ruling->step, ruling->game, own ? POST_ANSWER : POST_TOLD, "moderated", seat, player, facts);
}

void ruling_moderators(struct ruling *ruling,
                       void (*each)(struct ruling *ruling, const char *player, void *arg), void *arg)
{
    struct slice rest = slice_of(ruling->batch->league->config.moderators);
    struct slice name;
    while (slice_word(&rest, &name)) {
        char *player = slice_dup(name);
        if (strlen(player) < PLAYER_NAME && !game_seat_of(ruling->game, player))
            each(ruling, player, arg);
        free(player);
    }
}

static void tell_moderator(struct ruling *ruling, const char *player, void *what)
{
    ruling_tell(ruling, 0, player, ruling_facts(ruling, 0, what));
}

void ruling_announce(struct ruling *ruling, json_t *what)
{
    const struct game *game = ruling->game;
    for (int seat = 1; seat <= game->seats; seat++)
        if (*game->seat[seat].player && !game->seat[seat].robot)
            ruling_tell(ruling, seat, "", ruling_facts(ruling, seat, what));
    ruling_moderators(ruling, tell_moderator, what);
    json_decref(what);
}

bool moderator_involved(const struct game *game, const char *player)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (strcmp(game->seat[seat].owner, player) == 0 || strcmp(game->seat[seat].offered, player) == 0)
            return true;
    return game_seat_of(game, player) || game_waits(game, player) || names_hold(game->standby.p, player);
}

int ruling_go_on(struct ruling *ruling, struct err *err)
{
    struct game *game = ruling->game;
    if (game->turn == 0)
        return step_begin(ruling->step, game, err);
    return !game->over && step_ripe(ruling->step, game) ? step_resolve(ruling->step, game, err) : 0;
}

/* ---- the petition ---- */

static const struct moderate_action *action_named(struct slice word)
{
    for (int i = 0; moderate_actions[i].word; i++)
        if (slice_caseeq(word, moderate_actions[i].word))
            return &moderate_actions[i];
    return NULL;
}

static int refuse_action(struct hearing *hearing, struct slice word)
{
    struct str all = STR_INIT;
    char *name = slice_dup(slice_sub(word, 0, 40));
    struct nearest nearest = NEAREST_INIT(name);
    for (int i = 0; moderate_actions[i].word; i++) {
        nearest_offer(&nearest, moderate_actions[i].word);
        str_addf(&all, "%s%s", i ? ", " : "", moderate_actions[i].word);
    }
    if (!word.len)
        (void)hearing_refuse(hearing,
                             "The text does not say what is to be done: put in a line \"do:\" with one of "
                             "these words: %s.",
                             all.p);
    else if (nearest.best)
        (void)hearing_refuse(hearing, "A moderator cannot \"%s\"; did you mean \"do: %s\"?", name,
                             nearest.best);
    else
        (void)hearing_refuse(hearing, "A moderator cannot \"%s\". The line \"do:\" takes one of: %s.", name,
                             all.p);
    free(name);
    str_release(&all);
    return 0;
}

/* What is wrong whatever the action is. */
static void judge(struct ruling *ruling)
{
    struct hearing *hearing = ruling->hearing;
    const struct moderate_action *action = ruling->action;
    const struct game *game = ruling->game;
    if (hearing->msg)
        hearing_check_length(hearing);
    if (hearing->refusal.code)
        return;
    if ((action->needs & MODERATE_GAME) && !game)
        (void)ruling_refuse(ruling,
                            "The text does not name its game: put in a line such as \"game: gc-17\".");
    else if (!(action->needs & MODERATE_GAME) && game)
        (void)ruling_refuse(ruling,
                            "\"%s\" is about a player in all games; leave the line \"game:\" out (a mail "
                            "with the subject \"moderate\" brings the form).",
                            action->word);
    else if (game && hearing->msg && hearing->frame->turn < 0)
        (void)ruling_refuse(ruling,
                            "The text does not say in which turn it was written: put in the line \"turn: "
                            "%d\".",
                            game->turn);
    else if (game && game->over && !(action->needs & MODERATE_OVER))
        (void)ruling_refuse(ruling, "Game %s is over.", game->id);
    else if (game && game->turn == 0 && (action->needs & MODERATE_BEGUN))
        (void)ruling_refuse(ruling, "Game %s has not begun.", game->id);
    else if (game && game->closed && !game->over && !(action->needs & MODERATE_CLOSED))
        (void)ruling_refuse(
            ruling,
            "Turn %d of game %s is closed and waits for a witness; let it go on first (\"#turnpost "
            "excuse\").",
            game->turn, game->id);
    else if (!ruling->reason.len)
        (void)ruling_refuse(ruling,
                            "The text does not say why: put in a line such as \"reason: bob has no mail this "
                            "week\". All players are told.");
    else if (ruling->reason.len > REASON_LONGEST)
        (void)ruling_refuse(ruling, "The reason has %zu bytes; %d are enough.", ruling->reason.len,
                            REASON_LONGEST);
    else if (ruling->text.len && !(action->needs & (MODERATE_TEXT | MODERATE_MAYBE_TEXT)))
        (void)ruling_refuse(ruling, "\"do: %s\" takes no further lines below it.", action->word);
    else if (!ruling->text.len && (action->needs & MODERATE_TEXT))
        (void)ruling_refuse(ruling, "\"do: %s\" needs the lines below it.", action->word);
}

static int act(struct hearing *hearing, struct err *err)
{
    struct ruling ruling = {
        .hearing = hearing,
        .batch = hearing->batch,
        .by = hearing->player,
        .words = hearing->value[DO],
        .reason = hearing->value[REASON],
        .text = hearing->rest,
        .game = hearing->entry ? &hearing->entry->game : NULL,
        .step = &hearing->step,
        .seat = hearing->seat,
    };
    struct slice word = {"", 0};
    (void)slice_word(&ruling.words, &word);
    ruling.words = slice_trim(ruling.words);
    ruling.action = action_named(word);
    if (!ruling.action)
        return refuse_action(hearing, word);
    judge(&ruling);
    return hearing->refusal.code ? 0 : ruling.action->act(&ruling, err);
}

static json_t *choices(void)
{
    json_t *list = json_array();
    for (int i = 0; moderate_actions[i].word; i++)
        json_array_append_new(
            list, json_pack("{s:s,s:s}", "form", moderate_actions[i].form, "help", moderate_actions[i].help));
    return list;
}

const struct petition petition_moderate = {
    .verb = "moderate",
    .help = "moderators: pause, extend, resolve, roll back and more; the form brings the whole list",
    .form = "do: extend 24h\nreason: why; all players are told",
    .anywhere = "do: ban bob\nreason: why; all players are told",
    .needs = PETITION_MODERATOR | PETITION_MAYBE_GAME | PETITION_TEXT | PETITION_SECRET | PETITION_CLOSED,
    .fields = {[DO] = "do", [REASON] = "reason"},
    .choices = choices,
    .act = act,
};
