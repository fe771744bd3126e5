/* A deed: a command that changes a league. Whoever holds the league's lock does it: this process, or, while a
 * daemon or another command is at work, that one, between two of its batches (commands/queue.h). So what a deed
 * does is given an open batch and what the command line says, and nothing else: it opens no file that is named
 * there (the text comes along) and prints nothing (deed_say).
 *
 * Each has an id, which the records that it makes hold. Where it ends before it is known whether it was committed, that is looked up
 * by the id before anything is said; where it cannot be, the id is printed, and the command with --request ID is the same one once
 * more: what was done is not done again. With other words, or another file, it is refused (78). */
#ifndef COMMANDS_DEED_H
#define COMMANDS_DEED_H

#include "batch/batch.h"
#include "commands/commands.h"
#include "compete/competition.h"

#define DEED_TEXT_MOST ((size_t)1 << 20) /* bytes of a file that goes along */

struct deed;
struct deed_kind {
    const char *name; /* of the command */
    size_t size;      /* of deed->wishes */
    /* Reads the command line (deed_flags) into the wishes, and says which file goes along and which game it is
     * about. The arguments stay as long as the deed. Returns -1 to go on, else the exit code. */
    int (*read)(struct deed *deed, int argc, char **argv);
    /* Makes what else goes along, where the command was typed; NULL = nothing. */
    int (*bring)(struct deed *deed, struct err *err);
    /* When the text is there: which game it is about, if read() cannot know that; NULL. */
    void (*about)(struct deed *deed);
    /* Judges it, and puts what follows into the batch. The caller commits. */
    int (*act)(struct deed *deed, struct err *err);
    bool makes;                     /* what it says is what it makes (command_made) */
    void (*say)(struct deed *deed); /* what is said when it is committed; NULL = act() has said it */
};

struct deed {
    const struct deed_kind *kind;
    void *wishes;         /* what the command line says, the kind's own; zeroed at first */
    const char *dir;      /* --league; or NULL */
    const char *again;    /* --request: 64 digits that were printed, or 32 of the operator's own; or NULL */
    unsigned char id[32]; /* that of --request, or a new one */
    int64_t now;          /* --now; 0 = not given */
    const char *file;     /* that is named there and goes along, "-" = standard input; NULL = none */
    size_t most;          /* bytes of it */
    struct str text;      /* what is in it */
    char game[GAME_NAME]; /* that it is about; "" = none */
    char competition[COMPETE_NAME]; /* likewise */
    /* Whose file and keys it mends (struct league); or NULL */
    const char *mends_file, *mends_keys;
    bool checked; /* its command line was read before, by the process that asks */
    /* While it is done: */
    struct batch *batch;
    struct str said;
    json_t *warned; /* list of sentences */
    bool unknown;   /* it has failed, and may have been done all the same */
};

/* A request of a command: by its id it is known again when it was done before, whatever crashed. */
struct deed_request {
    unsigned char id[32];
    bool waited;                   /* in the queue: the head counts */
    char head[2 * HEAD_BYTES + 1]; /* of the game when the command was typed; "" = there was none */
    struct err why_not;            /* it is not done any more, unless it was; code ERR_NONE: it is */
};

/* The whole of a command: the exit code. */
int deed_run(const struct deed_kind *kind, int argc, char **argv);

void deed_init(struct deed *deed, const struct deed_kind *kind);
void deed_release(struct deed *deed);
/* As flags_parse, with --request besides. */
int deed_flags(struct deed *deed, int *argc, char **argv, const struct flag *flags, const int range[2],
               const char *details);
/* The same of a command that has no flags but those of every deed. */
int deed_flags_alone(struct deed *deed, int *argc, char **argv, const int range[2], const char *details);
/* The game that it is about, if that can be the name of one. */
void deed_about(struct deed *deed, struct slice game);
/* Likewise the competition. */
void deed_compete(struct deed *deed, struct slice competition);
void deed_say(struct deed *deed, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void deed_warn(struct deed *deed, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The head of a game's last record in hex; "" when there is no such game. */
int deed_head(struct store *store, const char *game, char head[2 * HEAD_BYTES + 1], struct err *err)
    __attribute__((warn_unused_result));
/* Does it in a batch that holds nothing else, and commits. If it was done before, that is said and nothing happens; ERR_STALE when
 * its game has another head by now. On error nothing has changed, unless batch->torn is set. */
int deed_do(struct deed *deed, struct batch *batch, const struct deed_request *request, struct err *err)
    __attribute__((warn_unused_result));
/* Does it in a league that this process has just opened for work, and opens once more if it has to look whether it was done. */
int deed_alone(struct deed *deed, struct league *league, const struct deed_request *request, struct err *err)
    __attribute__((warn_unused_result));

#endif
