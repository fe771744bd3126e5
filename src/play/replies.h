/* Answers to our mails by players without keys: what an answer to a mail of the open turn is known by, and what it
 * can choose from. The letters write it, intake reads it. */
#ifndef PLAY_REPLIES_H
#define PLAY_REPLIES_H

#include "game/game.h"
#include "league/reply_token.h"
#include "trust/mail_proof.h"

#define REPLY_HEAD 16 /* hex digits of a head that our mails show: 64 bits bind an answer to it */

/* The lines of the form, as mails show them: "explore near"; none of no seat (0). Owned. */
struct suggestions {
    char **lines; /* NULL ends them; never NULL */
    size_t count;
    struct str all; /* each with its LF */
};
void suggestions_make(struct suggestions *suggestions, const struct game *game, int seat);
void suggestions_release(struct suggestions *suggestions);

/* Where an answer of the seat's player would belong now, with the number that its orders would have: one more than the
 * seat has sent texts for the turn; false when none
 * counts: the game is over or not begun, the turn is closed, the seat is out, or its player has a key.
 * `place` borrows from the game. */
bool reply_place_now(struct reply_place *place, const struct game *game, int seat);
/* Where the "ok" of a player belongs who was asked whether they want that: `verb` is "join", "take", ...
 * (petitions/reply_petition.h); false where mail does not count, or the game is over. It belongs to no turn, so that turns
 * may be played before it comes. `place` borrows all of it. */
bool reply_place_wish(struct reply_place *place, const struct game *game, const char *player,
                      const char *verb);
/* The same of a competition: its name and the head of its first record. */
void reply_place_compete(struct reply_place *place, const char *name, const unsigned char head[HEAD_BYTES],
                         const char *player, const char *verb);
/* The word that an "ok" needs for what cannot be taken back, which place->also says: the first letters of
 * REPLY_WORD_OK, as somebody has to type them. */
#define REPLY_OK_LETTERS 6
void reply_ok_word(char text[REPLY_OK_LETTERS + 1], const unsigned char master[32],
                   const struct reply_place *place);
/* The same for the boundary of a mail that shows these suggestions, or none (NULL): what "ok" and a number mean is bound
 * to it, so that they choose nothing in answer to a mail that offers nothing, a message of a co-player's, say. */
void reply_nonce(char text[REPLY_TOKEN_TEXT], const unsigned char master[32], const struct reply_place *place,
                 const struct suggestions *suggestions);

/* The line that "ok" takes in answer to a mail that asks for a vote: "extend 24". */
void reply_vote(struct str *out, int64_t hours);

/* Where an answer to a digest (batch/digest.h) belongs, whose lines name their games: `day` ("2026-11-24", UTC) is
 * that on which it was made. Its boundary is that of the place alone. `place` borrows both. */
void reply_digest_place(struct reply_place *place, const char *player, const char *day);

enum reply_manner { REPLY_PLAIN, REPLY_WAIT /* `wait: yes` */, REPLY_FINAL /* `final: yes` */ };
/* Orders that came by mail. */
struct reply_orders {
    int seq;
    const unsigned char
        *content; /* 32 bytes: of the mail (struct mail_proof), so that the text is of no other one */
    enum reply_manner manner;
    struct slice lines; /* each with its LF */
    const char
        *head; /* 64 digits: of the last record that the mail names; NULL: of the one that opened the turn */
};
/* The text as which they enter the game, as a signed one is written (orders/frame.h). */
void reply_text(struct str *out, const struct game *game, const struct reply_orders *orders);
/* Has the seat given orders by this mail, whatever text was made of it, and whatever fields are on top of it by now?
 * `journal`: the game's lines. */
bool reply_counted(const struct game *game, int seat, const struct mail_proof *proof, struct slice journal);

#endif
