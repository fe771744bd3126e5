/* What may follow what: see the journal's format in src/journal/README.md, "the order of records". */
#include <string.h>

#include "audit/audit_parts.h"
#include "game/seating.h"
#include "game/witness.h"
#include "play/deadline.h"

static bool last_was(const struct auditing *a, const char *type)
{
    return strcmp(a->game.journal.last_type, type) == 0;
}

/* After a turn that ended the game there is nothing but `end` and `open`. */
static int place_at_end(struct auditing *a)
{
    bool ended = last_was(a, "end");
    if (ended != audit_is(a, "open") || (!ended && !audit_is(a, "end")))
        return audit_broken(a, AUDIT_ORDER, 0, "the game is over: here must be \"%s\"",
                            ended ? "open" : "end");
    return 0;
}

/* Robots, and players whom a competition seats, follow `create` at once, in the order of seats, and never
 * later. */
static int place_of_entered(struct auditing *a)
{
    int next = seating_next(&a->game);
    bool entered = audit_is(a, "seat") && a->game.turn == 0 && !audit_has(a, "mark") && !audit_has(a, "left");
    if (next && !(entered && audit_seat(a) == next))
        return audit_broken(a, AUDIT_ORDER, next,
                            "the first record gives seat %d away: that record must be here", next);
    if (!next && entered)
        return audit_broken(a, AUDIT_ORDER, audit_seat(a),
                            "it fills a seat that the first record does not give away");
    return 0;
}

/* After the close of the deal nobody comes or goes. */
static int place_of_ban(struct auditing *a)
{
    return audit_kind_is(a, RECORD_DO_BAN) && a->game.turn == 0 && a->closed
               ? audit_broken(a, AUDIT_ORDER, audit_seat(a), "the deal is closed: nobody comes or goes")
               : 0;
}

static int place_before(struct auditing *a)
{
    if (place_of_entered(a) || place_of_ban(a))
        return -1;
    if (audit_is(a, "start") && game_free_seats(&a->game))
        return audit_broken(a, AUDIT_ORDER, 0, "the game begins before all seats are taken");
    if (audit_is(a, "start") && a->game.witnesses.count && !a->closed)
        return audit_broken(a, AUDIT_ORDER, 0, "the game begins and was not closed for its witnesses");
    if (audit_is(a, "close") && game_free_seats(&a->game))
        return audit_broken(a, AUDIT_ORDER, 0, "the deal is closed before all seats are taken");
    if (audit_is(a, "close") && (a->closed || (a->game.turn == 0 && !a->game.witnesses.count)))
        return audit_broken(a, AUDIT_ORDER, 0, "there is nothing to close");
    const bool within = a->closed && !audit_is(a, "moderate"); /* audit_place has judged it by PLACE_CLOSED */
    if (!within && !(a->kind->place & (a->game.turn ? PLACE_TURN : PLACE_DEAL)))
        return audit_broken(a, AUDIT_ORDER, 0, "the game has %sbegun", a->game.turn ? "" : "not ");
    return 0;
}

/* After the key: appeals, rulings on them, reports that a moderator sent again. */
static bool is_over(const struct auditing *a)
{
    return a->out->opened;
}

/* Deals of an orders text are carried out at once, after a seat's resignation in the same text. */
static int place_of_deals(struct auditing *a)
{
    bool deals = audit_kind_is(a, RECORD_INSTANT);
    bool resigned = a->resigns && audit_is(a, "seat") && audit_seat(a) == a->resigns;
    if (a->resigns && !resigned)
        return audit_broken(a, AUDIT_ORDER, a->resigns,
                            "the orders before it say RESIGN, and the record of that is missing");
    if (resigned)
        return 0;
    if (a->instant && !(deals && audit_seat(a) == a->instant))
        return audit_broken(a, AUDIT_ORDER, a->instant,
                            "the orders before it hold deals, and they are not carried out");
    if (!a->instant && deals && (a->full || a->led != audit_seat(a)))
        return audit_broken(a, AUDIT_ORDER, audit_seat(a),
                            "deals are carried out that no orders before it hold");
    return 0;
}

/* A turn was played when the round was over: nothing but `end` may follow. */
static bool round_ended(const struct auditing *a)
{
    return a->game.turn > 0 && (last_was(a, "turn") || last_was(a, "start")) &&
           game_round_over(&a->game, a->game.time);
}

/* The end of a game whose round is over. */
static bool cuts_short(const struct auditing *a)
{
    return audit_is(a, "end") && strcmp(audit_text(a, "reason"), GAME_ROUND_OVER) == 0 && a->game.turn > 0 &&
           !a->closed && game_round_over(&a->game, a->record->time);
}

/* Where the rules are not played, and the schedule gives no deadline: nothing says whether a turn was the last one. */
static bool may_be_over(const struct auditing *a)
{
    return !a->full && (last_was(a, "turn") || last_was(a, "start")) && !a->game.clock.deadline;
}

/* After the record that opens the seals. */
static int place_opened(struct auditing *a)
{
    if (a->kind->place & PLACE_OPENED)
        return 0;
    return audit_broken(a, AUDIT_ORDER, 0, "nothing but appeals may follow the record that opens the seals");
}

int audit_place(struct auditing *a)
{
    const struct game *game = &a->game;
    if (game->seq == 0)
        return 0;
    if (audit_is(a, "create"))
        return audit_broken(a, AUDIT_ORDER, 0, "only the first record creates a game");
    if (is_over(a))
        return place_opened(a);
    if (last_was(a, "end") || game->over)
        return place_at_end(a);
    if (round_ended(a) && !audit_is(a, "end"))
        return audit_broken(a, AUDIT_ORDER, 0, "its round is over: here must be \"end\"");
    if (cuts_short(a))
        return 0;
    bool unanswered = audit_is(a, "end") && strcmp(audit_text(a, "reason"), "unanswered") == 0;
    if (unanswered && game->turn == 0 && game->table.answer_by && !a->closed)
        return place_before(a);
    if (audit_is(a, "end") && may_be_over(a))
        return 0;
    if (audit_is(a, "open") || audit_is(a, "end"))
        return audit_broken(a, AUDIT_ORDER, 0, "the game is not over");
    if (a->closed && !audit_is(a, a->game.turn ? "turn" : "start") &&
        !(a->game.witnesses.count && (a->kind->place & PLACE_CLOSED)))
        return audit_broken(a, AUDIT_ORDER, 0, "the turn was closed: here it must be played");
    if (audit_is(a, "turn") && game->turn > 0 && !a->closed)
        return audit_broken(a, AUDIT_ORDER, 0, "the turn is played and was not closed");
    return place_before(a) || place_of_deals(a) ? -1 : 0;
}

int audit_ending(struct auditing *a)
{
    static const char words[] =
        "must follow and is missing: the journal was cut off, or a run was, which the next "
        "one mends";
    if (is_over(a))
        return 0;
    if (seating_next(&a->game))
        return audit_broken(a, AUDIT_ORDER, seating_next(&a->game), "the seat that the operator fills %s",
                            words);
    if (last_was(a, "end") && game_withheld(&a->game)) /* others may still play the deal */
        return 0;
    if (last_was(a, "end") || a->game.over || round_ended(a))
        return audit_broken(a, AUDIT_ORDER, 0, "\"%s\" %s", last_was(a, "end") ? "open" : "end", words);
    if (a->closed && !witness_waits(&a->game, a->game.time))
        return audit_broken(a, AUDIT_ORDER, 0, "\"turn\" %s", words);
    if (a->resigns || a->instant)
        return audit_broken(a, AUDIT_ORDER, a->resigns ? a->resigns : a->instant,
                            "the record of what the last orders ask for at once %s", words);
    if (a->full && a->game.turn && !a->game.clock.lockstep.on && !game_awaited(&a->game) &&
        game_all_in(&a->game))
        return audit_broken(a, AUDIT_ORDER, 0, "nobody is awaited any more: \"close\" %s", words);
    return 0;
}
