/* What the files of the letters share (letters.c, letters_gather.c, letters_later.c); for nobody else. */
#ifndef LETTERS_LETTERS_PARTS_H
#define LETTERS_LETTERS_PARTS_H

#include "letters/letters.h"
#include "mail/compose.h"

/* What has to be rendered and sent; all borrowed. */
struct draft {
    const char *name; /* template without ending */
    const char *folder;
    json_t *facts;
    struct view *view; /* more of them, in `told`; or NULL */
    const struct value *told;
    const struct view *before; /* what the reader was shown last: what has changed is marked; or NULL */
    struct trial **trial;      /* still more; it is taken over where the words are left for later; or NULL */
    const char *head;          /* the head line with LF, or NULL */
    struct mail_id id;
    const char *game; /* for List-Id and threads, or NULL */
    int seat;
    const char *to, *to_name;
    bool html, json, reply;
    bool typed;           /* it answers what the operator typed in the reader's name */
    bool elsewhere;       /* the mail that it answers came from no address of the reader's ("from_other") */
    const json_t *attach; /* files: {"name", "type", "text"}, or a list of such; or NULL */
    int64_t now;
    const struct message *answered;
    size_t most; /* bytes of text in an answer to whom nobody knows, 0 = known; and it repeats little */
};

/* A rendered mail. */
struct parts {
    struct str subject, text, html; /* html empty = none */
    const struct letter_file *files;
    size_t file_count;
};

/* What every template may say about the league, and the day (UTC), which forms have. */
void letters_add_league(const struct letters *letters, json_t *facts);
void letters_compose(const struct letters *letters, const struct draft *draft, const struct parts *parts,
                     struct spool_mail *mail);

/* Adds the head line and its signature to the text of a mail. */
void letters_sign(struct str *text, const char *line, const struct league *league, struct signed_head *head);
/* Sender, reader and return path of the mail. */
void letter_address(const struct config *config, const struct draft *draft, struct spool_mail *mail);
/* The MIME form. */
void letters_write(const struct config *config, const struct draft *draft, const struct parts *parts,
                   struct str *out);
/* Renders the templates of a draft. */
int letters_render(struct templates *templates, const struct draft *draft, struct parts *parts,
                   struct err *err) __attribute__((warn_unused_result));
void parts_release(struct parts *parts);
/* Keeps what letters_sign and letters_write look at; the texts of a mail without files are taken over.
 * `parts` NULL: it is to be rendered yet, and the facts and the trial are kept for it. */
struct wording *wording_new(const struct draft *draft, struct parts *parts);

#endif
