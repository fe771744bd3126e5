/* The journal of one game, for reading it, with what its boxes hold as far as there are keys to them.
 * Needs no league, no configuration and no network; changes nothing.
 *
 *     casefile_open(...)
 *     while ((got = casefile_next(&file, &record, &err)) > 0) { ...; record_release(&record); }
 *     casefile_close(&file)
 */
#ifndef HISTORY_CASEFILE_H
#define HISTORY_CASEFILE_H

#include "game/game.h"

/* The reader. Nobody learns what is still sealed to them. When the game has ended and its key is published
 * (the record `open`), only press is. */
enum reader_kind { READER_PUBLIC, READER_SEAT, READER_MODERATOR };
struct reader {
    enum reader_kind kind;
    int seat; /* READER_SEAT */
};
/* "public", "moderator", "seat 2" or "seat2"; NULL = public. ERR_INPUT for anything else. */
int reader_parse(const char *text, struct reader *reader, struct err *err)
    __attribute__((warn_unused_result));

struct casefile {
    char id[GAME_NAME]; /* as the first record names it */
    struct str lines;   /* the journal, complete lines only */
    bool torn;          /* half a line came after them */
    bool keyed;         /* all boxes but those of press can be opened, or some of them (openings) */
    struct sealed_set sealed;
    unsigned char key[32]; /* the league's, as the first record names it */
    int seats;             /* 0 = the first record does not say */
    bool opened;           /* the journal holds the key to all seals, and no turns come after it */
    bool known;            /* casefile_known */
    unsigned char last[HEAD_BYTES];
    /* State of casefile_next. */
    size_t at;
    int64_t seq;
    unsigned char head[HEAD_BYTES];
    unsigned char create[HEAD_BYTES];
};

/* Is this a journal, or a folder that holds one? Otherwise it can only be the name of a game in a league. */
bool casefile_is_path(const char *what);
/* Opens a journal FILE or a game's FOLDER. Boxes open by the key that the journal publishes, by the league's secret
 * (`master`; NULL: it is not known), and by the lines of a file OPENED_NAME beside the journal (journal/seal.h). */
#define OPENED_NAME "opened.txt"
int casefile_open(const char *path, const unsigned char *master, struct casefile *file, struct err *err)
    __attribute__((warn_unused_result));
/* The lines beside this journal; none, if there is no such file. */
int casefile_opened(const char *journal, struct str *lines, struct err *err)
    __attribute__((warn_unused_result));
/* Opens a game of a league, by the secret of its store. */
int casefile_open_game(struct store *store, const char *id, struct casefile *file, struct err *err)
    __attribute__((warn_unused_result));
/* The same for lines in memory. */
int casefile_open_lines(struct slice journal, const unsigned char *master, struct casefile *file,
                        struct err *err) __attribute__((warn_unused_result));
void casefile_close(struct casefile *file);
/* Sets the zone of the process to the game's own (its clock), else UTC: where there is no league. */
void casefile_zone(const struct casefile *file);

/* The journal is one that this league has loaded (game/game_load.h): it ends where that game's does, and must lead to its
 * head. Then it is what was checked before, so that proofs of draws are not checked again when it is
 * replayed. Read it to its end before you use what is in it. */
void casefile_known(struct casefile *file, const struct game *game);
/* The next record, checked to follow the last one: 1; at the end 0; -1: ERR_BROKEN. `line` (may be NULL) gets its line. */
int casefile_next(struct casefile *file, struct record *record, struct slice *line, struct err *err)
    __attribute__((warn_unused_result));
void casefile_rewind(struct casefile *file);
/* A payload that replay needs for this record could not be opened (so that this is no damage, but still secret). */
bool casefile_lacks(const struct casefile *file, const struct record *record);

/* Checks that the game has such a seat and that a moderator has a key (ERR_INPUT), and forgets all
 * payloads that the reader may not know, so that nothing that is shown afterwards can depend on them.
 * (Messages stay: their records say for whom they are.) `told`: they are kept, because the game will be
 * replayed and the reader shown what they were told by mail; the caller has to check what is theirs. */
int casefile_choose(struct casefile *file, const struct reader *reader, bool told, struct err *err)
    __attribute__((warn_unused_result));
/* May the reader know what the seals of this seat's orders cover? 0 = hidden draws, which belong to no seat.
 */
bool casefile_open_to(const struct casefile *file, const struct reader *reader, int seat);

#endif
