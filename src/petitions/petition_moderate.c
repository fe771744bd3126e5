/* "#turnpost moderate": finds the action, checks what all actions have in common, makes the record and tells
 * everybody. */

#include "petitions/moderate.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/nearest.h"

enum { DO, REASON };

#define TURN (MODERATE_GAME | MODERATE_BEGUN)

const struct moderate_action moderate_actions[] = {
    {"pause", "do: pause", MODERATE_GAME | MODERATE_BENDS, moderate_pause},
    {"resume", "do: resume", MODERATE_GAME | MODERATE_BENDS, moderate_resume},
    {"extend", "do: extend 24h", TURN | MODERATE_BENDS, moderate_extend},
    {"hold", "do: hold", MODERATE_GAME | MODERATE_BENDS, moderate_hold},
    {"resolve", "do: resolve", TURN | MODERATE_BENDS, moderate_resolve},
    {"replace", "do: replace bob by dora", TURN | MODERATE_BENDS, moderate_replace},
    {"orders", "do: orders bob", TURN | MODERATE_TEXT | MODERATE_BENDS, moderate_orders},
    {"resend", "do: resend bob", TURN | MODERATE_OVER | MODERATE_CLOSED, moderate_resend},
    {"rollback", "do: rollback turn 5", TURN | MODERATE_BENDS, moderate_rollback},
    {"correct", "do: correct player[1].metal = 3", TURN | MODERATE_MAYBE_TEXT | MODERATE_BENDS,
     moderate_correct},
    {"void", "do: void", MODERATE_GAME | MODERATE_CLOSED, moderate_void},
    {"ban", "do: ban bob", 0, moderate_ban},
    {"unban", "do: unban bob", 0, moderate_unban},
    {NULL, NULL, 0, NULL},
};

/* ---- the petition ---- */

static const struct moderate_action *action_named(struct slice word)
{
    for (int i = 0; moderate_actions[i].word; i++)
        if (slice_caseeq(word, moderate_actions[i].word))
            return &moderate_actions[i];
    return NULL;
}

static enum outcome refuse_action(struct hearing *hearing, struct slice word)
{
    struct str all = STR_INIT;
    char *name = slice_dup(slice_sub(word, 0, 40));
    struct nearest nearest = NEAREST_INIT(name);
    for (int i = 0; moderate_actions[i].word; i++) {
        nearest_offer(&nearest, moderate_actions[i].word);
        str_addf(&all, "%s%s", i ? ", " : "", moderate_actions[i].word);
    }
    if (!word.len)
        (void)hearing_refuse(hearing, "do_missing words=%s", all.p);
    else if (nearest.best)
        (void)hearing_refuse(hearing, "do_meant word=%s meant=%s", name, nearest.best);
    else
        (void)hearing_refuse(hearing, "do_unknown word=%s words=%s", name, all.p);
    free(name);
    str_release(&all);
    return OUTCOME_REFUSED;
}

/* What is wrong with any action. */
static void judge(struct ruling *ruling)
{
    struct hearing *hearing = ruling->hearing;
    const struct moderate_action *action = ruling->action;
    const struct game *game = ruling->game;
    if (hearing->msg)
        hearing_check_length(hearing, PETITION_LONGEST);
    if (hearing->refusal)
        return;
    if ((action->needs & MODERATE_GAME) && !game)
        (void)hearing_refuse(ruling->hearing, "game_missing");
    else if (!(action->needs & MODERATE_GAME) && game)
        (void)hearing_refuse(ruling->hearing, "do_no_game word=%s", action->word);
    else if (game && hearing->msg && hearing->frame->turn < 0)
        (void)hearing_refuse(ruling->hearing, "turn_missing turn=%d", game->turn);
    else if (game && game->over && !(action->needs & MODERATE_OVER))
        (void)hearing_refuse(ruling->hearing, "over game=%s", game->id);
    else if (game && game->over && game_withheld(game))
        (void)hearing_withheld(ruling->hearing, game);
    else if (game && game->clock.lockstep.on && (action->needs & MODERATE_BENDS))
        (void)hearing_refuse(ruling->hearing, "lockstep game=%s", game->id);
    else if (game && game->turn == 0 && (action->needs & MODERATE_BEGUN))
        (void)hearing_refuse(ruling->hearing, "not_begun game=%s", game->id);
    else if (game && game->closed && !game->over && !(action->needs & MODERATE_CLOSED))
        (void)hearing_refuse(ruling->hearing, "closed turn=%d game=%s", game->turn, game->id);
    else if (!ruling->reason.len)
        (void)hearing_refuse(ruling->hearing, "reason_missing");
    else if (ruling->reason.len > REASON_LONGEST)
        (void)hearing_refuse(ruling->hearing, "reason_long size=%zu most=%d", ruling->reason.len,
                             REASON_LONGEST);
    else if (ruling->text.len && !(action->needs & (MODERATE_TEXT | MODERATE_MAYBE_TEXT)))
        (void)hearing_refuse(ruling->hearing, "do_no_lines do=%s", action->word);
    else if (!ruling->text.len && (action->needs & MODERATE_TEXT))
        (void)hearing_refuse(ruling->hearing, "do_lines do=%s", action->word);
}

static enum outcome act(struct hearing *hearing, struct err *err)
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
    return hearing->refusal ? OUTCOME_REFUSED : ruling.action->act(&ruling, err);
}

json_t *moderate_about(const struct moderate_action *action)
{
    char code[32];
    (void)snprintf(code, sizeof code, "action_%s", action->word);
    return json_pack("{s:{}}", code);
}

static json_t *choices(void)
{
    json_t *list = json_array();
    for (int i = 0; moderate_actions[i].word; i++)
        json_array_append_new(list, json_pack("{s:s,s:o}", "form", moderate_actions[i].form, "about",
                                              moderate_about(&moderate_actions[i])));
    return list;
}

const struct petition petition_moderate = {
    .verb = "moderate",
    .needs = PETITION_MODERATOR | PETITION_MAYBE_GAME | PETITION_TEXT | PETITION_SECRET | PETITION_CLOSED,
    .fields = {[DO] = "do", [REASON] = "reason"},
    .choices = choices,
    .act = act,
};
