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
 *     show                                    resend
 *     vacation 2026-12-24 to 2027-01-02       vacation; "vacation cancel", "vacation cancel 2026-12-24"
 *     digest, digest 18, digest off           prefs
 *     stop                                    prefs: no mails that need not be
 *
 * What is wrong in it (a day that is none) stands in the text, for whoever obeys it to refuse. No other mail makes
 * the same text. False: the line is none of these, or asks for a game and there is none, or the words of a message
 * would be read as something else. */
bool reply_petition(struct str *out, const struct typed_line *line, const struct reply_about *about)
    __attribute__((warn_unused_result));

#endif
