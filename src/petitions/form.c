/* What a text should look like, for answers and help: petition_form, petition_about and petition_help of petition.h. */
#include <stdio.h>
#include <string.h>

#include "petitions/bound.h"
#include "petitions/petition.h"
#include "play/facts.h"

/* Which game, turn and head, or which league and day. */
static void add_frame(json_t *lines, const struct hearing *hearing, const struct petition *petition)
{
    const struct game *game = hearing->entry ? &hearing->entry->game : NULL;
    bool moderator = (petition->needs & PETITION_MODERATOR) && game;
    if (game || (petition->needs & PETITION_GAME))
        bound_line(lines, "game: %s",
                   game                    ? game->id
                   : *hearing->frame->game ? hearing->frame->game
                                           : "gc-17");
    if (((petition->needs & PETITION_TURN) || moderator) && game)
        bound_line(lines, "turn: %d", game->turn);
    bound_form(lines, hearing, petition);
}

/* Can the text wish for something in a game that has not begun? */
static bool may_wish(const struct hearing *hearing)
{
    const struct petition *petition = petition_find(hearing->frame->verb);
    const struct game *game = hearing->entry ? &hearing->entry->game : NULL;
    return petition && petition->wishes && game && facts_may_wish(game, 0);
}

json_t *petition_form(const struct hearing *hearing)
{
    const struct petition *petition = petition_find(hearing->frame->verb);
    json_t *lines = petition && petition->write ? petition->write(hearing) : NULL;
    if (lines)
        return lines;
    lines = json_array();
    if (!petition)
        return lines;
    bound_line(lines, "#turnpost %s", petition->verb);
    add_frame(lines, hearing, petition);
    char code[32];
    (void)snprintf(code, sizeof code, "form_%s", petition->verb);
    bound_words(lines, code, !hearing->entry);
    if (may_wish(hearing))
        bound_line(lines, "%s: " WISH_ANY, hearing->entry->game.ruleset->words.wish.line);
    bound_line(lines, "#end");
    return lines;
}

json_t *petition_about(const struct petition *petition)
{
    char code[32];
    (void)snprintf(code, sizeof code, "verb_%s", petition->verb);
    return json_pack("{s:{}}", code);
}

void petition_help(json_t *facts, const struct hearing *hearing)
{
    const struct petition *petition = petition_find(hearing->frame->verb);
    bool barred = petition && (petition->needs & PETITION_MODERATOR) && hearing->player &&
                  !petition_moderator(hearing->batch->league, hearing->player);
    json_t *form = barred ? json_array() : petition_form(hearing);
    json_object_set_new(facts, "has_form", json_boolean(json_array_size(form) > 0));
    json_object_set_new(facts, "form", form);
    if (hearing->entry)
        facts_named(facts, &hearing->entry->game, petition && strcmp(petition->verb, "join") == 0);
    if (may_wish(hearing))
        facts_wish(facts, &hearing->entry->game, 0);
    if (petition && petition->choices && !barred)
        json_object_set_new(facts, "choices", json_pack("{s:o}", "list", petition->choices()));
}
