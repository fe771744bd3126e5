/* New players, and addresses that have to be proved: what `#turnpost register` and `#turnpost prefs` have in common.
 *
 * An address is proved by a word that was mailed to it (batch/confirm.h): the same text comes again, signed,
 * with one more line, "confirm: WORD". So two mails prove address and key, and between them the league stores
 * nothing. */
#ifndef PETITIONS_REGISTRATION_H
#define PETITIONS_REGISTRATION_H

#include "batch/batch.h"
#include "batch/confirm.h"
#include "petitions/petition.h"

struct applicant {
    char name[PLAYER_NAME];
    char display[PLAYER_DISPLAY]; /* what they want to be called, "" = nothing beside the name */
    char address[PLAYER_ADDRESS];
    struct pubkey key; /* by_mail: unused */
    bool by_mail;      /* their mail domain vouches for them (petitions/keyless.h) */
};

/* May there be a player of that name, key and address? If not, *refusal is set (base/reason.h), a new
 * reference that is NULL before; `err` when that cannot be determined. The name is converted to small
 * letters. */
enum outcome registration_judge(struct batch *batch, struct applicant *applicant, json_t **refusal,
                                struct err *err) __attribute__((warn_unused_result));
/* May a new player be called that? The same. */
enum outcome registration_name(struct batch *batch, const char *name, json_t **refusal, struct err *err)
    __attribute__((warn_unused_result));
/* What the word for this applicant proves; borrows from it. */
struct confirm registration_confirms(const struct applicant *applicant);

/* The lines of a text to register with: "" where there is none, NULL where its reader has to complete it;
 * without a `key` NULL. */
struct registration_lines {
    const char *name, *display, *address;
    const struct pubkey *key;
    const char *invite, *confirm; /* confirm is not NULL */
};
/* As petition_form gives them. New reference. */
json_t *registration_form(const struct batch *batch, const struct registration_lines *own);
/* The facts of the mail "confirm", which holds the text with the word for its address: of a registration
 * (`invite` is the word of an invitation or ""), or of a player's address. New references. */
json_t *registration_asked(const struct batch *batch, const struct applicant *applicant, const char *invite);
json_t *registration_asked_address(const struct batch *batch, const struct confirm *what);

/* The lines of a text by which a player with a key moves their mail to the address. New reference. */
json_t *registration_address_form(const struct batch *batch, const char *address);

/* Makes the player, and removes the invitation `token` (NULL = none). */
int registration_enter(struct batch *batch, const struct applicant *applicant, const char *token,
                       const json_t *evidence, struct err *err) __attribute__((warn_unused_result));
/* Of a passkey "made_in": {"host","by_operator"}: the page that it was made in, and whether it is the league's own. */
void registration_page(json_t *facts, const struct league *league, const struct pubkey *key);
/* Keys as mails list them: [{"key", and what registration_page adds}, ...]. New reference. */
json_t *registration_keys(const struct league *league, const struct pubkey *keys, size_t count);
/* The welcome mail of a new player. */
int registration_greet(struct batch *batch, const char *player, const char *joins,
                       const struct message *answered, struct err *err) __attribute__((warn_unused_result));
/* The player has proved an address that `who` has asked for: makes the record of this new version of them, tells their games, and
 * them, including at an address that is dropped. */
int registration_move(struct batch *batch, const struct player *changed, const char *who,
                      const json_t *evidence, const struct message *answered, struct err *err)
    __attribute__((warn_unused_result));
/* Tells each address that the player had and has no more what their addresses are now; `more`: facts besides, or NULL. Call it after
 * the record. */
int registration_tell_lost(struct batch *batch, const struct player *old, const struct player *now,
                           const json_t *more, struct err *err) __attribute__((warn_unused_result));
/* The same at those that they have. */
int registration_tell_addresses(struct batch *batch, const struct player *old, const struct player *now,
                                const json_t *more, const struct message *answered, struct err *err)
    __attribute__((warn_unused_result));
#endif
