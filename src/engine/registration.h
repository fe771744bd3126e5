/* New players, and addresses that have to be proved: what `#turnpost register`, `#turnpost prefs` and a mail
 * "confirm TOKEN" have in common.
 *
 * An address is proved by a token that was mailed to it (double opt-in). Until then a document tokens/r...
 * holds what was asked for:
 *   {"what":"register","name":"anna","key":"ssh-ed25519 ...","address":"...","signed":{...},"expires":"..."}
 *   {"what":"address","player":"anna","address":"...","second":true,"expires":"..."} */
#ifndef ENGINE_REGISTRATION_H
#define ENGINE_REGISTRATION_H

#include "engine/batch.h"
#include "engine/petition.h"

#define PENDING_MOST 200 /* addresses that are to be confirmed, at a time */

struct applicant {
    char name[PLAYER_NAME];
    char address[PLAYER_ADDRESS];
    struct pubkey key;
};

/* May there be a player of that name, key and address? ERR_INPUT with a sentence for the applicant; the name
 * is made small. */
int registration_judge(const struct batch *batch, struct applicant *applicant, struct err *refusal)
    __attribute__((warn_unused_result));
/* Makes the player and removes the document `token`. */
int registration_enter(struct batch *batch, const struct applicant *applicant, const char *token,
                       const json_t *evidence, struct err *err) __attribute__((warn_unused_result));
/* Keeps a document (taken over; its "address" is to be proved) and mails the token there. One for an address
 * or key replaces an older one. *full: too many are waiting, nothing was done. Quiet when the address has had
 * its share of mails for today. */
int registration_pend(struct batch *batch, json_t *document, const struct message *answered, bool *full,
                      struct err *err) __attribute__((warn_unused_result));
/* Only the record that registration_pend makes: who asks must not see by the numbers of the records whether a
 * mail went out. */
int registration_pend_nothing(struct batch *batch, const struct message *answered, struct err *err)
    __attribute__((warn_unused_result));
/* The facts of the mail that greets a new player. New reference. */
json_t *registration_facts(const struct batch *batch, const char *player);
/* A token came back. `refusal` is set when it is good for nothing; `key`, where given, must be the one of the
 * registration. Else it is done, and the player is told. `evidence` goes into the record. */
int registration_confirm(struct batch *batch, struct slice token, const struct pubkey *key,
                         const json_t *evidence, const struct message *answered, struct err *refusal,
                         struct err *err) __attribute__((warn_unused_result));

#endif
