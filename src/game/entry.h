/* The entry of the league's log that a record of a game has: one a record (tlog/entry.h). */
#ifndef GAME_ENTRY_H
#define GAME_ENTRY_H

#include "game/game.h"
#include "tlog/entry.h"

/* How the log calls the game: by its name; but a private one, and one that is withheld (game/lockstep.h), by 25 characters that follow from the head of its
 * `create`. So the log does not show who plays there, and shows it to all who have the journal. */
void game_log_name(char name[GAME_NAME], const struct game *game);
void game_log_hidden_name(char name[GAME_NAME], const unsigned char create_head[HEAD_BYTES]);
/* Has it the form of such a name? */
bool game_log_is_hidden(const char *name);

/* Appends the line, with its LF, of the record that was just applied to the game. */
void game_entry(struct str *out, const struct game *game, const struct record *record);
/* ALPHA of the `close` of the open turn. */
void game_entry_alpha(unsigned char digest[ENTRY_DIGEST], const struct game *game);
/* What the proof of a close has as `extra` (tlog/proof.h): base, D, and of each seat the mark that counted, 32 bytes each. The rest of alpha is in
 * the entry. */
#define ENTRY_EXTRA_MOST ((2 + SEATS_MAX) * ENTRY_DIGEST)
/* Of the turn that was played last; bytes. */
size_t game_entry_extra(unsigned char extra[ENTRY_EXTRA_MOST], const struct game *game, int turn);
/* Does ALPHA of that entry of a close follow from it? Then there are *seats marks. */
bool game_entry_opens(const struct log_entry *close, struct slice extra, int *seats)
    __attribute__((warn_unused_result));
/* The type of records that have such entries; NULL: any other. */
const char *game_entry_type(enum entry_kind kind);

#endif
