/* A journal for reading: each record as facts for templates/common/log_record.txt, which says who did what
 * and when. Needs no replay, so it also reads journals whose rules this program does not know.
 *
 * Facts of a record: "seq", "time" (zone and UTC), "utc", "type", "head", "turn" (0 = none), "by" and
 * "signed" (the lines of a text that a person signed for it), "mailed" (of one that no key has signed: the domain
 * that vouches for it, and its lines, if they are not sealed), "aside" (not what every turn has), and one
 * object that is named by the type, of notes "note_<kind>", with what templates need. Unknown records are
 * "other": {"members": [{"name","value"}]}.
 */
#ifndef HISTORY_CHRONICLE_H
#define HISTORY_CHRONICLE_H

#include "history/casefile.h"

struct chronicle {
    const struct casefile *file;
    struct reader reader;
    int seats, turn;                       /* the open turn, 0 before the deal */
    char name[SEATS_MAX + 1][PLAYER_NAME]; /* "" = free */
    bool robot[SEATS_MAX + 1];
    const struct ruleset *ruleset; /* NULL = unknown */
};

/* Both are borrowed. */
void chronicle_init(struct chronicle *chronicle, const struct casefile *file, const struct reader *reader);
/* The facts of the next record; also tracks who has which seat and which turn it is. New reference. */
json_t *chronicle_take(struct chronicle *chronicle, const struct record *record);

/* What a seal of this record covers, as JSON; NULL when the reader may not know it or it is missing. New
 * reference. */
json_t *chronicle_payload(const struct chronicle *chronicle, const struct record *record, int seat, int item,
                          const char *seal);
/* {"title","game","reader":{..},"opened","keyed","seats":[{"seat","name","robot"}]}: the heading above the
 * records, as the journal is now. New reference. */
json_t *chronicle_heading(const struct chronicle *chronicle);
/* "SHA256:..", the fingerprint of a key as it is in journals; "" when it cannot be read. */
void chronicle_fingerprint(char out[KEY_FINGERPRINT], const char *key);
/* Adds "made_in" where such a line is a passkey's: the host of its page. */
void chronicle_page(json_t *facts, const char *key);

#endif
