/* People whom the league does not know yet: unknown keys under good texts, public keys pasted into a mail,
 * "register" without a signature, and "confirm TOKEN". */
#ifndef ENGINE_NEWCOMER_H
#define ENGINE_NEWCOMER_H

#include "engine/batch.h"
#include "engine/petition.h"
#include "engine/requests.h"
#include "engine/token.h"
#include "trust/envelope.h"

/* The key that an unknown signature claims to be from: an SSH signature holds it; for minisign and signify it
 * stands in the text, on a line "key:" or "add:". False when there is none. Proves nothing by itself. */
bool newcomer_key(struct envelope *envelope, struct pubkey *key);

/* A mail without a signed text from somebody who wants to register, or who has pasted his public key: gives
 * the answer "ask_register" or, for a player's address, "ask_key", with a text that is ready to be signed. */
void newcomer_request(const struct batch *batch, const struct message *msg, const struct player *sender,
                      bool *found, struct request *request);

/* The lines of "#turnpost register" for whoever sent the mail, with what it says of them: as petition_form.
 */
json_t *newcomer_form(const struct hearing *hearing);

/* Does the mail hold the word of an invitation that is good? Then `name` is that of its document. */
bool newcomer_invited(const struct batch *batch, const struct message *msg, char name[TOKEN_NAME]);

/* "confirm TOKEN" as the subject or the first line, which was enough while older programs kept a document for
 * it. *found: it was one, and was obeyed unless `refusal` is
 * set. */
int newcomer_confirm(struct batch *batch, const struct message *msg, bool *found, struct err *refusal,
                     struct err *err) __attribute__((warn_unused_result));

#endif
