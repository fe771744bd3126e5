/* What the files of the letters share (letters.c, letters_gather.c, letters_later.c); for no others. */
#ifndef LETTERS_LETTERS_PARTS_H
#define LETTERS_LETTERS_PARTS_H

#include "letters/letters.h"
#include "mail/compose.h"

/* What the words of a mail are made of. Borrowed, unless draft_keep made it. */
struct draft {
    const char *name; /* template without ending; a constant, as is the next */
    const char *folder;
    json_t *facts;
    struct view *view; /* more of them, in `told`; or NULL */
    const struct value *told;
    struct trial **trial; /* still more; owned by the letter if the words are left for later; or NULL */
    bool html, json;
    bool unread;          /* it shows what stands in the mail that it answers and was not read */
    bool elsewhere;       /* the mail that it answers came from no address of the reader's ("from_other") */
    const json_t *attach; /* files as in struct answer, one or a list; or NULL */
    size_t most;       /* bytes of text in an answer to whom nobody knows, 0 = known; and it repeats little */
    struct trial *own; /* of draft_keep */
};

#define LETTERS_PROOF "proof.txt" /* the attachment with what proves a mail */

/* The files of a mail; borrowed. */
struct files {
    const struct letter_file *list;
    size_t count;
};

/* What every template may say about the league, and the day (UTC) for forms. */
void letters_add_league(const struct letters *letters, json_t *facts);

/* The order page, if the league has one, for the partial page_link: "page": {"link", "version", "sha256"}; the last two only
 * where the page that is written is the one that league.ini names. */
void letters_add_page(const struct letters *letters, const struct page_place *place, json_t *facts);

/* Whether a mail can be answered (play/replies.h), for its templates and its address:
 *   "keyless": true      its reader has no key, so it shows no signing
 *   "by_reply": {"boundary", "game", "turn", "digits", "can_press": {"other": "bob"}, "can_hide"}
 *                        and an answer to it can be orders: what its first line and its subject are to say, and
 *                        whether it can hold messages
 * Both are taken out of facts that have served another reader. `about` NULL: it is about no game. A report of a
 * turn that is over (facts "again", "old") cannot be answered. */
void letters_reply(const struct letters *letters, const struct answer_game *about, const char *player,
                   json_t *facts, struct outgoing *mail);
/* The picture for a report whose reader wants one, with what it shows, and the fact "picture": its page has a place
 * for it. Without one the mail is as good. */
void letters_picture(const struct letters *letters, const struct player *player, const struct game *game,
                     struct post *post, struct outgoing *mail);
/* The same for somebody who is no player yet, with a board that is not theirs. */
void letters_example(const struct letters *letters, const struct game *game, json_t *facts,
                     struct outgoing *mail);
/* Once it has its words: without a page that has a place for it there is no picture. */
void letters_picture_fits(const struct letters *letters, struct outgoing *mail);
/* A subject without the digits that such a mail adds: the answer to an answer has its own. */
struct slice letters_reply_subject(struct slice subject);
/* The same of a digest of such mails, which hold their own first lines. */
void letters_reply_digest(const struct letters *letters, const char *player, json_t *facts,
                          struct outgoing *mail);

/* Id, thread and return path of a mail that has its reader, its game and `reply`. `number` is that of its
 * thread in the game; `answered` may be NULL. */
struct addressing {
    struct mail_id id;
    int number;
    const struct message *answered;
};
void letters_address(const struct letters *letters, const struct addressing *how, struct outgoing *mail);
/* WORDED -> COMPOSED: signature and MIME form. */
void letters_compose(const struct letters *letters, const struct files *files, struct outgoing *mail);
/* ASKED -> WORDED: renders the templates of the draft. */
int letters_render(struct templates *templates, const struct draft *draft, struct outgoing *mail,
                   struct err *err) __attribute__((warn_unused_result));
/* Does its text end with foot.txt: with a limit of answers (facts_limit), or whom to ask? */
bool draft_has_foot(const struct draft *draft);
/* Can its words be made later? Files and the views in them are made at once. */
bool draft_keeps(const struct draft *draft);
/* A copy that may be kept until then; the trial is taken over. */
struct draft *draft_keep(const struct draft *draft);

#endif
