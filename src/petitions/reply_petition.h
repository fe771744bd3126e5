/* Petitions as players without keys type them into answers to our mails (orders/typed.h), as the texts that they
 * stand for. */
#ifndef PETITIONS_REPLY_PETITION_H
#define PETITIONS_REPLY_PETITION_H

#include "game/game.h"
#include "league/league.h"
#include "orders/typed.h"
#include "trust/mail_proof.h"

/* What the line was typed in; borrowed. */
struct reply_about {
    const struct league *league;
    const struct mail_proof *proof; /* of the mail */
    const struct game *game;        /* that the answered mail is about; NULL: of none */
};

/* Writes the text, in canonical form, for a line that says one:
 *
 *     press bob: Shall we?                    press
 *     join                                    join
 *     show, map, board                        resend: of that game, or of all of theirs
 *     vacation 2026-12-24 to 2027-01-02       vacation; "vacation cancel", "vacation cancel 2026-12-24"
 *     digest, digest 18, digest off           prefs
 *     stop                                    prefs: no mails that need not be
 *     extend 24                               extend, by so many hours
 *
 * What is wrong in it (a day that is none) stands in the text, for whoever obeys it to refuse. No other mail makes
 * the same text. False: the line is none of these, or asks for a game and there is none, or the words of a message
 * would be read as something else. */
bool reply_petition(struct str *out, const struct typed_line *line, const struct reply_about *about)
    __attribute__((warn_unused_result));

struct petition;
/* Begins a text of that verb: about the game, or else about no game. */
void reply_begin(struct str *out, const struct petition *petition, const struct reply_about *about);

/* What a player without a key asks for in a mail of its own, "join gc-17", and then says "ok" to: join, take, leave,
 * observe, unobserve, back, standby, unstandby (which takes them off the list), resign, unwitness. NULL ends them. */
extern const char *const reply_wishes[];
/* "gc-17", "gc-17, please": the name that it is about, in small letters; false: no name, or more than one. */
bool reply_wish_name(char name[GAME_NAME], struct slice what);
/* Does it need a word, as it cannot be taken back? */
bool reply_wish_binds(const char *verb);
/* The seat of the game that is offered to them; 0 = none. */
int reply_offered_seat(const struct game *game, const char *player);
/* "seat_already": they have a seat, and for whom the game waits. New reference. */
json_t *reply_seated(const struct game *game, const char *player);
struct reply_wish {
    const char *verb, *player;
    struct slice
        names; /* of join: "swift, steadfast", the ships that they would like; empty: they did not say */
};
/* Facts for the question: "waits", where who joins gets a place on the waiting list, "begun"; "wish",
 * {"line":"ship","names":"Swift, Steadfast"}, where who joins may wish. New reference. */
json_t *reply_wish_facts(const struct reply_wish *wish, const struct game *game);
/* The text for it, about the game, in canonical form. */
void reply_wish(struct str *out, const struct reply_wish *wish, const struct reply_about *about);
/* The same of a competition: enter, withdraw, confirm. */
extern const char *const reply_compete_wishes[];
void reply_wish_compete(struct str *out, const char *verb, const char *competition,
                        const struct reply_about *about);

#endif
