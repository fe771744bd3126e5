/* What can be read in a mail before the league is asked anything: its parts, its signed texts, and which of
 * these verify with the keys that the signatures name, or whether its domain vouches for it. Nothing here
 * depends on players or games, so it may be done ahead of the mail's turn, in another thread. */
#ifndef LETTERS_READING_H
#define LETTERS_READING_H

#include "league/league.h"
#include "letters/vouching.h"
#include "mail/message.h"
#include "mail/source.h"
#include "trust/envelope.h"

/* The parts of a mail as envelope_find takes them; borrowed from it. The caller frees. */
struct evidence *reading_parts(const struct message *msg) __attribute__((warn_unused_result));

/* Empty, {0}, until reading_make. */
struct reading {
    bool made;
    struct message msg;         /* `to` is `written_to` where the domain has signed that (vouching_to_us) */
    bool spare;                 /* set before: it may take WORK_SPARE alone, else WORK_MAIL. If that is over
                                   (reading_is_dear) nothing follows from what was found: the mail has to wait */
    struct work work;           /* what may still be spent on the mail; the envelopes borrow it */
    struct work fresh;          /* the same right after reading: a mail may be processed more than once */
    struct envelope *envelopes; /* at most ENVELOPES_MAX */
    size_t envelope_count, unsigned_frames;
    char vouched[MESSAGE_DOMAIN]; /* the domain that sent it, according to our mail server; "" = unknown */
    bool unreadable;              /* message_parse found nothing; `why` says what it said */
    bool broken;                  /* the same of envelope_find */
    json_t *why;                  /* then as reason_said gives it, else NULL; owned */
    struct vouching *domain;      /* of a mail that a person may have written and nobody has signed, or that
                                     asks for a key: what its sender's domain says of it; NULL: not asked */
};

/* Reads the mail, which is borrowed until reading_release; calling it again does nothing. */
void reading_make(struct reading *reading, const struct incoming *mail, const struct league *league);
/* Does it take more than it may in this run? */
bool reading_is_dear(const struct reading *reading);
/* What it has taken so far. */
size_t reading_cost(const struct reading *reading);
/* Does one of its texts ask that nobody learns who wrote it (press_hides)? Nothing about its sender is written
 * down then where people look. */
bool reading_hides_sender(const struct reading *reading);
/* Leaves it empty. */
void reading_release(struct reading *reading);

#endif
