/* The id of a mail of ours: its name in the spool, and before the "@" in its Message-ID. It is derived from
 * what the mail is about, so a mail made again after a crash is the same mail to every client. (In a league that was
 * restored, where numbers of records come again, LEAGUE_LIFE_FILE is in front of the domain.)
 *
 *   <game>.<seq>.<number>      of a record: of a game, or of the registry
 *   mail.<16 hex>.<number>     of no record: by a digest of the mail that is answered, or of what is told, and of what it says
 *   digest.<player>.m<10 hex>  gathers other mails of that player, by a digest of them */
#ifndef MAIL_MAIL_ID_H
#define MAIL_MAIL_ID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#define MAIL_ID_NAME   33 /* bytes of a name (name_valid), with NUL */
#define MAIL_ID_TEXT   72 /* of an id, with NUL */
#define MAIL_ID_DIGEST 8  /* of a digest that count */

enum mail_id_kind { MAIL_ID_NONE, MAIL_ID_RECORD, MAIL_ID_DIGESTED, MAIL_ID_GATHERS };
struct mail_id {
    enum mail_id_kind kind;
    char name[MAIL_ID_NAME];              /* RECORD: the game; GATHERS: the player */
    int64_t seq;                          /* RECORD; 0 begins the thread of a game's mails */
    int number;                           /* RECORD, DIGESTED: distinguishes mails about the same thing; >=
                                           * 0 */
    unsigned char digest[MAIL_ID_DIGEST]; /* DIGESTED; GATHERS: its first 5 bytes */
};

struct mail_id mail_id_record(const char *game, int64_t seq, int number);
/* `digest` has MAIL_ID_DIGEST bytes or more. */
struct mail_id mail_id_digested(const unsigned char *digest, int number);
/* A mail that answers none and is of no record: by words that tell what it is about. */
struct mail_id mail_id_about(struct slice what, int number);
struct mail_id mail_id_gathers(const char *player, const unsigned char *digest);

void mail_id_write(char out[MAIL_ID_TEXT], const struct mail_id *id);
/* What kind of id this is; MAIL_ID_NONE for everything that mail_id_write would not write. */
enum mail_id_kind mail_id_read(struct mail_id *id, struct slice text);
/* The same, for those who ask about one kind only. */
static inline bool mail_id_is(struct mail_id *id, const char *text, enum mail_id_kind kind)
{
    return mail_id_read(id, slice_of(text)) == kind;
}

#endif
