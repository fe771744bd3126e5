/* Whether the domain of a mail's sender vouches for the mail: its DKIM signature (trust/dkim.h) and the key that
 * the domain publishes (dns/resolver.h). Asked while the mail is read ahead, so that nobody waits for it later. */
#ifndef LETTERS_VOUCHING_H
#define LETTERS_VOUCHING_H

#include <jansson.h>

#include "game/game.h"
#include "league/league.h"
#include "league/registry.h"
#include "mail/message.h"
#include "mail/reply.h"
#include "trust/dkim.h"
#include "trust/mail_proof.h"

enum vouching_state {
    VOUCHING_REFUSED, /* `why` */
    VOUCHING_LATER, /* the domain's key is not known now: to be asked again (`unasked`: it could not be asked for yet) */
    VOUCHING_GOOD
};

struct vouching {
    enum vouching_state state;
    bool unasked;
    json_t
        *why; /* VOUCHING_REFUSED: base/reason.h; VOUCHING_LATER: the same, for the log; owned, else NULL */
    struct dkim_claim claim; /* VOUCHING_GOOD: the one that holds */
    struct mail_proof proof; /* the same; borrows from the claim, `record` and the mail */
    struct str record;       /* what the domain publishes */
    struct reply_mail body;  /* for the cutter; borrows from `canonical` and the mail */
    struct str canonical;    /* the body as the signature has it */
};

/* What the cutter may know of a mail by that claim of it. `mail` borrows from `canonical`, to which the signed body
 * is appended, and from `raw`. */
void vouching_body(struct reply_mail *mail, struct str *canonical, struct slice raw,
                   const struct dkim_claim *claim);

/* Of the records of the open turn, the last whose head the mail names, by its first digits (REPLY_HEAD), in its subject or
 * in all ways to read it: it was written after that. False: it names none. */
bool vouching_names(char head[2 * HEAD_BYTES + 1], const struct game *game, const char *subject,
                    const struct reply_whole *whole) __attribute__((warn_unused_result));

/* The same of the game's first record, which questions about seats name, and invitations. */
bool vouching_names_create(const struct game *game, const char *subject, const struct reply_whole *whole);
/* Does it answer a mail of that game, of whatever turn? That is enough for messages. */
bool vouching_names_game(const struct game *game, const char *subject, const struct reply_whole *whole);

/* Is the mailbox one for which the operator could sign whatever they like ([league] own_domains, address): at a domain of the
 * league's own, or the league's own mailbox at a domain where anybody can have one (shared_domains), by whatever spelling of it
 * such providers deliver? Its domain's word counts for nothing then. */
bool vouching_own(const struct league *league, const char *local, const char *domain);

/* Asks, as far as there is time to wait for name servers (dns/resolver.h). `raw` is borrowed until vouching_free. NULL
 * only where the league asks no domains (league->resolver). */
struct vouching *vouching_make(const struct league *league, struct slice raw, int64_t arrived,
                               struct work *work);
void vouching_free(struct vouching *vouching); /* NULL is left alone */
/* Does the domain vouch that it comes from this very mailbox? The case of the domain does not matter, all else
 * does. NULL vouches for nobody. */
bool vouching_from(const struct vouching *vouching, const char *address);
/* Has it signed that its writer wrote to us: to the league's address, or to one that begins with it (orders+word@)?
 * Whoever else got the mail can send it in, and decides where it is delivered (Delivered-To, Cc, an unsigned To). */
bool vouching_to_us(const struct vouching *vouching, const struct message *msg, const struct league *league);
/* Does it come from one of the player's addresses? Telephones write Anna@ for anna@, and few servers have two mailboxes
 * that differ by this: so case does not matter, unless another player's address is the same but for it. */
bool vouching_player(const struct vouching *vouching, const struct registry *registry,
                     const struct player *player);

#endif
