/* From facts to mails: renders templates, signs the head line, composes, addresses.
 *
 * Every mail about a game ends with the line "head: GAME SEQ HEX64" and the league's signature of that line
 * (with its LF) as an SSHSIG in the namespace head@turnpost, which `ssh-keygen -Y verify` accepts. */
#ifndef LETTERS_LETTERS_H
#define LETTERS_LETTERS_H

#include "league/league.h"
#include "league/registry.h"
#include "play/step.h"
#include "mail/mail_id.h"
#include "mail/message.h"
#include "mail/spool.h"
#include "report/render.h"

/* The head line that was signed last, and its signature: the mails of one record all have the same. Begin
 * with zeros. */
struct signed_head {
    struct str line, armored;
};

/* A mail without files that has neither signature nor MIME form yet, and maybe no words either: then it has
 * the facts, and the trial to be played, from which they are made. It belongs to the thread that made it. */
struct wording;

struct letters {
    const struct league *league;
    struct templates *templates;
    const struct registry *registry;
    struct signed_head *head;
    struct wording **later; /* where letters_post may leave the words unfinished; or NULL */
    int64_t now;
    const struct message *answered; /* the mail that is answered, or NULL */
    /* The recipient is known by a From line only, which anybody may have written: the answer is not much
     * longer than the mail, of `came` bytes, and repeats little of it. */
    bool unproved;
    size_t came; /* bytes */
};

void signed_head_release(struct signed_head *head);
/* The bytes of the mail; what letters_post would have made. In any thread, with templates and a head of its
 * own; of `letters` only these and the league are used. */
int wording_finish(struct wording *words, const struct letters *letters, struct str *mail, struct err *err)
    __attribute__((warn_unused_result));
size_t wording_size(const struct wording *words); /* bytes, about */
void wording_free(struct wording *words);

/* Whom a post is for; NULL when they are no longer registered. */
const struct player *letters_reader(const struct registry *registry, const struct post *post);
/* The mail that a step asked for, ready for the spool; it may take ownership of the post's trial. mail->id is
 * NULL when none is to be sent: the player no longer has an address, or does not want to read it. */
int letters_post(const struct letters *letters, const struct game *game, struct post *post,
                 struct spool_mail *mail, struct err *err) __attribute__((warn_unused_result));

/* An answer that belongs to no record of a game; all borrowed. */
struct answer {
    const char *kind;   /* a template of its own ("prefs" for prefs.txt and prefs.subject.txt) or a section of
                           templates/common/answers ("unsigned", "old_turn") */
    const char *folder; /* with the words of a game's ruleset; "" = none */
    json_t *facts;      /* parameters of `kind` */
    json_t *attach;     /* files: [{"name", "type", "text"}]; or NULL */
    const char *to;
    const char *to_name; /* "" = nobody who is registered */
    struct mail_id id;
    bool typed; /* it answers what the operator typed in the player's name */
};
/* Tells a player that their mail came from an address that is not theirs. */
int letters_answer(const struct letters *letters, const struct answer *answer, struct spool_mail *mail,
                   struct err *err) __attribute__((warn_unused_result));

/* Mails to one player that letters_post made. */
struct letters_gathered {
    const struct player *player;
    const struct spool_mail *mails;
    size_t count;
};
/* One mail that holds all of these: a table of contents, each text in turn with its head line and signature,
 * the pages, the files. Its id is made of them. ERR_BROKEN when one cannot be read. */
int letters_gather(const struct letters *letters, const struct letters_gathered *gathered,
                   struct spool_mail *mail, struct err *err) __attribute__((warn_unused_result));

#endif
