/* What the files of the spool share (spool.c, spool_gather.c); for no other file. */
#ifndef MAIL_SPOOL_PARTS_H
#define MAIL_SPOOL_PARTS_H

#include <jansson.h>

#include "mail/spool.h"

/* The parts of a file's relative name: "new/<id>.eml", "wait/<due>,<tries>,<id>.eml" or
 * "digest/<due>,<player>,<id>.eml". */
struct place {
    struct slice id, player;
    int64_t due;
    int tries;
    bool alone; /* it was put off for what it says */
};
bool spool_place(const char *path, struct place *place);
/* May it be tried now? */
bool spool_place_due(const struct place *place, int64_t now);
/* The first line of a file; false when it cannot be read. */
struct spool_envelope {
    char *to; /* the caller frees */
    bool ordered;
    int64_t until, past;
    bool undecided; /* it names a picture, and it is not decided yet whether it leaves with it */
};
bool spool_envelope(const char *dir, const char *path, struct spool_envelope *envelope);
#define SPOOL_PAUSE      "pause.json"
#define SPOOL_DELAY_MOST 21600
/* Seconds from this failed try to the next one: five minutes, twice as many after each, at most SPOOL_DELAY_MOST. */
int64_t spool_delay(int tries);

/* "<due>,<player>," off the front; false, and nothing is taken, when it is not there. */
bool spool_place_waiting(struct slice *rest, struct place *place);

/* <dir>/<folder>/<name><ending>; the caller frees. */
char *spool_path(const char *dir, const char *folder, const char *name, const char *ending)
    __attribute__((warn_unused_result));
/* Renames; a file that is gone from its old place has been dealt with already. */
int spool_move(const char *from, const char *to, struct err *err) __attribute__((warn_unused_result));
/* Appends the files of one folder that are due as relative paths, in the order of records. */
int spool_add_folder(const char *dir, const char *folder, int64_t now, struct spool_list *list,
                     struct err *err) __attribute__((warn_unused_result));

/* A mail with its envelope, as a new file without sync; one of that name is replaced. */
int spool_write(const char *dir, const char *folder, const char *name, const struct outgoing *mail,
                struct err *err) __attribute__((warn_unused_result));

/* The picture that its page shows, in its envelope; NULL for what is none. */
json_t *spool_picture_json(const struct outgoing_picture *picture);
struct outgoing_picture *spool_take_picture(const json_t *json);

/* Which mails a mail replaces, according to its envelope. */
void spool_take_gathers(struct outgoing *mail, const json_t *list);
json_t *spool_gathers_json(const struct outgoing *mail);

#endif
