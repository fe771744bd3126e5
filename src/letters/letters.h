/* From facts to mails: renders templates, signs the head line, composes, addresses.
 *
 * Every mail about a game ends with the line "head: GAME SEQ HEX64" and the league's signature of that line
 * (with its LF) as an SSHSIG in the namespace head@turnpost, which `ssh-keygen -Y verify` accepts. */
#ifndef LETTERS_LETTERS_H
#define LETTERS_LETTERS_H

#include "league/league.h"
#include "league/registry.h"
#include "play/step.h"
#include "mail/message.h"
#include "mail/spool.h"
#include "report/render.h"

/* The head line that was signed last, and its signature: the mails of one record all have the same. Begin
 * with zeros. */
struct signed_head {
    struct str line, armored;
};

/* A mail without files that has neither signature nor MIME form yet, and maybe no words either: then it has
 * the facts, and the trial that is to be played, for them. It belongs to the thread that made it. */
struct wording;

struct letters {
    const struct league *league;
    struct templates *templates;
    const struct registry *registry;
    struct signed_head *head;
    struct wording **later; /* where letters_post may leave the words unfinished; or NULL */
    /* Who is answered is known by a From line alone, which anybody may have written: the answer is not much
     * longer than the mail, of `came` bytes, and repeats little of what stands in it. */
    bool unproved;
    size_t came;
};

void signed_head_release(struct signed_head *head);
/* The bytes of the mail; what letters_post would have made. In any thread, with templates of its own. */
int wording_finish(struct wording *words, const struct league *league, struct templates *templates,
                   struct signed_head *head, struct str *mail, struct err *err)
    __attribute__((warn_unused_result));
size_t wording_size(const struct wording *words); /* bytes, about */
void wording_free(struct wording *words);

/* Whom a post is for; NULL when he is not registered any more. */
const struct player *letters_reader(const struct registry *registry, const struct post *post);
/* The mail that a step asked for, ready for the spool; the post's trial may be taken over. `answered` (may be
 * NULL) is the mail it replies to. *made is false when the player has no address any more. */
int letters_post(const struct letters *letters, const struct game *game, struct post *post, int64_t now,
                 const struct message *answered, struct spool_mail *mail, bool *made, struct err *err)
    __attribute__((warn_unused_result));

/* An answer that belongs to no record of a game: `kind` is a template of its own ("prefs" for
 * prefs.txt and prefs.subject.txt) or a section of templates/common/answers ("unsigned", "old_turn"), facts
 * its parameters (borrowed). `folder` finds the words of a game's ruleset ("" for none). `id` is that of a
 * registry's record ("registry.12.0"), or NULL: then it comes from the mail that is answered. `answered` may
 * be NULL when there is an id. A player whose mail came from an address that is not his is told so.
 */
int letters_answer(const struct letters *letters, const char *kind, const char *folder, json_t *facts,
                   const char *to, const char *to_name, const char *id, int number, int64_t now,
                   const struct message *answered, struct spool_mail *mail, struct err *err)
    __attribute__((warn_unused_result));

/* One mail that holds all of these, which were made by letters_post for that player: a table of contents,
 * each text in turn with its head line and signature, the pages, the files. Its id is made of them.
 * ERR_BROKEN when one cannot be read. */
int letters_gather(const struct letters *letters, const struct player *player, const struct spool_mail *mails,
                   size_t count, int64_t now, struct spool_mail *mail, struct err *err)
    __attribute__((warn_unused_result));

/* The player that a digest's id names: "digest.anna.m1f2e3d4c5b" -> true. */
bool letters_parse_digest(const char *id, char player[PLAYER_NAME]);
/* The game and seat that a bounced mail's id or envelope token names: "gc-17.12.2" -> true. */
bool letters_parse_id(const char *id, char game[GAME_NAME], int64_t *seq, int *seat);

#endif
