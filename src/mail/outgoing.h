/* A mail of ours on its way out: one struct, from what it is to say until it may leave. Each state adds
 * members to those of the state before it.
 *
 *   ASKED      whom it goes to and in which thread; its words are still to be made, of its `draft`
 *   WORDED     subject, text, html
 *   COMPOSED   `mail`, signed and in MIME form; the words are gone
 *   STAGED     it lies in the spool's tmp/, and leaves with its record or not at all (mail/spool.h)
 *   PROMOTED   it may leave, or waits for its reader's digest
 *
 * letters/ brings it to COMPOSED, batch/ and the spool do the rest. What steers it is a member here, never a
 * fact of its templates. */
#ifndef MAIL_OUTGOING_H
#define MAIL_OUTGOING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum outgoing_state {
    OUTGOING_NONE, /* none is to leave: nobody reads it */
    OUTGOING_ASKED,
    OUTGOING_WORDED,
    OUTGOING_COMPOSED,
    OUTGOING_STAGED,
    OUTGOING_PROMOTED
};

/* What the words are made of; letters/ makes, reads and frees it (letters_free). */
struct draft;

/* The picture that a mail's page shows, if it is ready when the mail is to leave (mail/undecided.h). */
#define PICTURE_DIGEST 65 /* hex, with NUL */
struct outgoing_picture {
    char digest[PICTURE_DIGEST]; /* of what it shows */
    struct str cid;              /* its Content-ID, without <> */
    struct str page;             /* HTML with LF that shows it, for where the page has ILLUSTRATE_HERE */
    struct str
        shows; /* what it shows, of which it is drawn: of the first mail that has it, until it is kept */
};

/* All owned. */
struct outgoing {
    enum outgoing_state state;
    char *id;            /* of mail/mail_id.h; the name in the spool, without ".eml" */
    char *envelope_from; /* "" = null return path */
    char *envelope_to;
    char *to_name;     /* NULL or "" = none */
    char *game;        /* whose list and thread it belongs to; NULL = none */
    char *in_reply_to; /* without <>, or NULL */
    char *references;  /* ids with <>, or NULL */
    char *reply_to;    /* where answers go; NULL = to the league's own address */
    char *proof;       /* lines with LF where its records' proofs will be, below the text, or NULL */
    char *
        named; /* the same of the record whose head its texts name if they name any, for the page; or NULL, */
    char *named_head; /* and that head, in hex */
    bool reply;       /* somebody's mail is answered */
    int64_t date;
    struct draft *draft;            /* ASKED, else NULL */
    struct str subject, text, html; /* LF; html empty = none */
    struct str mail;                /* CRLF */

    bool of_record; /* it may leave only if its game's record was committed */
    bool ordered;   /* mails of its game to this address leave one after the other (mail/order.h) */
    /* When something runs out for its reader: from shortly before on, it waits for no other. 0 = nothing does;
     * 1 = they have asked for it, and it never waits. */
    int64_t until;
    int64_t past;   /* then its matter is past, and it is dropped (mail/order.h); 0 = never */
    bool at_desk;   /* which words, composes and stages it (batch/desk.h) */
    char *player;   /* when it waits to be gathered: whose it is; else NULL */
    int64_t due;    /* and until when; of a mail that was tried before: the next try */
    char **gathers; /* paths of the mails that it stands for, as spool_gathered gives them */
    size_t gather_count;
    struct outgoing_picture *picture; /* or NULL */
    int tries;                        /* failed ones so far */
    bool taken;                       /* it is the desk's, to be promoted and freed there */
    struct outgoing *next;            /* on the desk */
};
#define OUTGOING_INIT                                                             \
    {                                                                             \
        .subject = STR_INIT, .text = STR_INIT, .html = STR_INIT, .mail = STR_INIT \
    }

/* Leaves OUTGOING_INIT. Not for a mail that has a draft still. */
void outgoing_release(struct outgoing *mail);
/* A new one. */
struct outgoing_picture *outgoing_picture_new(void) __attribute__((returns_nonnull, warn_unused_result));
void outgoing_picture_free(struct outgoing_picture *picture); /* NULL is left alone */
/* The words, which are in `mail` now. */
void outgoing_drop_words(struct outgoing *mail);

#endif
