/* The evidence of a turn for a moderator who looks into an appeal, as attachments of a mail: what the records
 * say, what their seals cover, the turn as a story with its dice and proofs; and nothing that the reader may
 * not know. */
#ifndef PETITIONS_EVIDENCE_H
#define PETITIONS_EVIDENCE_H

#include <jansson.h>

#include "batch/batch.h"
#include "history/casefile.h"

/* A moderator's own part in the game. */
enum evidence_view {
    EVIDENCE_ALL,   /* none: they see what a moderator sees */
    EVIDENCE_SEAT,  /* they play in it, and see what their seat was told */
    EVIDENCE_PUBLIC /* they may come to play in it (waiting list, standing in, a seat that they may take
                     * back) */
};
enum evidence_view evidence_view_of(const struct batch *batch, const struct game *game, const char *moderator,
                                    int *seat);

struct evidence_wish {
    int turn; /* 0 = the deal; at most the open one, of which only the appellant's own seals are opened */
    int appellant; /* his seat */
    enum evidence_view view;
    int seat; /* EVIDENCE_SEAT */
};
/* [{"name","type","text"}]: turn-5.txt (a turn that was played), journal.jsonl (all of it: it is public, and can be
 * checked from its first record on alone), opened.txt (a line that opens each of the turn's boxes, if any may be opened):
 * in one folder they are what `turnpost audit journal.jsonl` reads. What is too long for a mail is not there. The
 * journal as it is in the batch, committed or not. New reference; NULL with an error. */
json_t *evidence_attachments(struct batch *batch, struct batch_game *entry, const struct evidence_wish *wish,
                             struct err *err);
/* The journal of a game as it is in the batch. */
int evidence_journal(struct batch *batch, const struct batch_game *entry, struct str *lines, struct err *err)
    __attribute__((warn_unused_result));

#endif
