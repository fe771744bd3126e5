/* From facts to mails: renders templates, composes, addresses.
 *
 * Every mail about a game ends with a place for the proof of its record (league/proof_place.h), which is filled when it leaves. One
 * that can be answered has the closing of its boundary below that, and above (mail/reply.h). */
#ifndef LETTERS_LETTERS_H
#define LETTERS_LETTERS_H

#include "league/league.h"
#include "league/proof_place.h"
#include "league/registry.h"
#include "play/step.h"
#include "mail/mail_id.h"
#include "mail/message.h"
#include "mail/spool.h"
#include "report/render.h"

/* The board that was shown last: most reports of one turn show the same, and the first of them has what that is; so
 * forget it when the mails are not to leave. Begin with zeros. */
struct drawn_board {
    struct str key, shows, cid, page; /* as in struct outgoing_picture */
    char digest[PICTURE_DIGEST];      /* of what it shows */
};

struct letters {
    const struct league *league;
    struct templates *templates;
    const struct registry *registry;
    const struct keyring *keyring; /* whose tools mails explain (letters/tools.h); NULL: all tools */
    struct drawn_board *drawn;     /* NULL: no mail has a picture */
    bool later;                    /* mails without files are left ASKED or WORDED, for letters_finish */
    bool second;                   /* letters_post: to the reader's second address, which they have */
    int64_t now;
    const struct message *answered; /* the mail that is answered, or NULL */
    /* The recipient is known by a From line only, which anybody may have written: the answer is not much
     * longer than the mail, of `came` bytes, and repeats little of it. */
    bool unproved;
    size_t came; /* bytes */
};

void drawn_board_release(struct drawn_board *drawn);
/* Brings a mail that was left for later to COMPOSED. In any thread, with templates of its own; of
 * `letters` only these and the league are looked at. The draft stays. */
int letters_finish(const struct letters *letters, struct outgoing *mail, struct err *err)
    __attribute__((warn_unused_result));
/* What the words were made of; in the thread that had the mail made. None is no error. */
void letters_drop_draft(struct outgoing *mail);
/* Releases all of it. NULL is left alone. */
void letters_free(struct outgoing *mail);
size_t letters_weight(const struct outgoing *mail); /* bytes, about */

/* Whom a post is for; NULL when they are not registered any more. */
const struct player *letters_reader(const struct registry *registry, const struct post *post);
/* The mail that a step asked for, COMPOSED unless letters->later; the post's trial may be taken over.
 * OUTGOING_NONE when none is to leave: the player has no address any more, or does not want to read it.
 * OUTGOING_INIT on error. */
int letters_post(const struct letters *letters, const struct game *game, struct post *post,
                 struct outgoing *mail, struct err *err) __attribute__((warn_unused_result));

/* A game that an answer is about: its reader, who has that seat and no key, can answer it (play/replies.h). */
struct answer_game {
    const struct game *game; /* NULL: it asks whether they want something of no game, */
    int seat;
    struct slice held;               /* orders that their "ok" takes, each with its LF; else empty */
    const struct reply_place *place; /* and this is where their "ok" belongs */
    bool offers; /* it shows the seat's suggestions, of which "ok" and numbers take some */
};

/* An answer that belongs to no record of a game; all borrowed. */
struct answer {
    const char *kind;   /* a template of its own ("prefs" for prefs.txt and prefs.subject.txt) or a section of
                           templates/common/answers ("unsigned", "old_turn") */
    const char *folder; /* with the words of a game's ruleset; "" = none */
    json_t *facts;      /* parameters of `kind` */
    json_t *
        attach; /* files: [{"name", "type", "text"}], where they are no text "base64" in its place; or NULL */
    const char *to;
    const char *to_name;             /* "" = nobody who is registered */
    const char *reply_to;            /* where what they answer goes; NULL = to the league's own address */
    const struct answer_game *about; /* or NULL */
    const struct game *shows; /* its page has a picture of this board, where mails have some; or NULL */
    struct mail_id id;
    const char *of;    /* the journal of a record that is proved at its end as that of a game is; or NULL */
    int64_t seq, time; /* of that record */
};
/* Tells a player that their mail came from an address that is not theirs. */
int letters_answer(const struct letters *letters, const struct answer *answer, struct outgoing *mail,
                   struct err *err) __attribute__((warn_unused_result));

/* Mails to one player that letters_post made. */
struct letters_gathered {
    const struct player *player;
    const struct outgoing *mails;
    size_t count;
};
/* One mail that holds all of these: a table of contents, each text in turn with its place for a proof,
 * the pages, the files. Its id is made of them. ERR_BROKEN when one cannot be read. */
int letters_gather(const struct letters *letters, const struct letters_gathered *gathered,
                   struct outgoing *mail, struct err *err) __attribute__((warn_unused_result));

#endif
