/* People whom the league does not know yet: valid texts signed with unknown keys, public keys pasted into a
 * mail, and "register" without a signature. */
#ifndef PETITIONS_NEWCOMER_H
#define PETITIONS_NEWCOMER_H

#include "batch/batch.h"
#include "petitions/petition.h"
#include "petitions/requests.h"
#include "league/token.h"
#include "trust/envelope.h"

/* Opens a text with a key that comes with it: in its SSH signature or, for minisign and signify, whole on a
 * line "key:" or "add:" of the very text that was signed. */
bool newcomer_open(struct envelope *envelope, struct pubkey *key, struct str *exact, struct str *text);

/* Is it a text to register that newcomer_open could not open because the key, of which the signature gives
 * the number alone, is not in the text? */
bool newcomer_lacks_key(struct envelope *envelope);

/* A mail without a signed text from somebody who wants to register, or who has pasted their public key: gives
 * the answer "ask_register" or, for a player's address, "ask_key", with a text that is ready to be signed. */
void newcomer_request(struct batch *batch, const struct message *msg, const struct player *sender,
                      bool *found, struct request *request);

/* Does the mail hold a key, or an unsigned "#turnpost register", so that its sender wants to sign? */
bool newcomer_pastes(const struct message *msg);
/* "Re: register anna" -> "anna", for "register". */
bool newcomer_word(struct slice line, const char *word, struct slice *value);

/* What they want to be called who ask to register so, up to what ends a sentence; "" where the name says it, or it cannot be shown. */
void newcomer_display(char display[PLAYER_DISPLAY], struct slice wish);

/* The lines of "#turnpost register" for the sender of the mail, with what it says of them: as petition_form;
 * NULL when there is no mail. */
json_t *newcomer_form(const struct hearing *hearing);

/* Does the mail hold the word of a valid invitation? Then `name` is that of its document. */
bool newcomer_invited(const struct batch *batch, const struct message *msg, char name[TOKEN_NAME]);

#endif
