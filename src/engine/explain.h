/* A turn as a story with evidence: each event with the order line and the mail that caused it, its dice with
 * their draws, the rule's section, and what changed in the state. All as facts for templates (explain.txt,
 * explain.html) and programs.
 *
 * The game is replayed record by record, so what is told is what the journal proves, and a journal that does
 * not hold together is refused. Where something is sealed to the reader there is no replay: then the facts
 * are the records of the turn and the proof of its draws alone, and "blind" says so. With `told` the game is
 * replayed in spite of that, and the reader gets what the reports told him: events that he may know, dice of
 * these events, what his view shows; for moderators who answer a question in a running game. */
#ifndef ENGINE_EXPLAIN_H
#define ENGINE_EXPLAIN_H

#include "engine/casefile.h"
#include "report/render.h"

#define EXPLAIN_LAST (-1) /* the last turn that was played */

/* Facts of a turn (0: the deal); `event` 0 = all of it, else that event alone (its number in the story). The
 * file stands anywhere. NULL on error; ERR_INPUT: no such turn or event. New reference.
 *
 *   heading (chronicle_heading), "turn", "records": [..] (chronicle.h),
 *   "given": {"seats": [{"seat","who","sent":{"record","time","mail","key"},"lines":[{"number","text",fate}],
 * ..}]}, "story": [{"number","type","news","rule","to":[..],"cause":{..},"dice":[..],"changes":[..]}],
 *   "draws": [..], "proof": {..}, "difference": [{"path","before","after"}] (base/changes.h) */
json_t *explain_turn(struct casefile *file, const struct reader *reader, bool told, int turn, int event,
                     struct err *err) __attribute__((warn_unused_result));
/* Puts words and texts of values beside the facts, for templates: "words" of each event (and "html"); "was",
 * "is", "whose" of each change; long digits in lines. */
int explain_words(json_t *facts, struct templates *templates, const char *folder, bool html, struct err *err)
    __attribute__((warn_unused_result));

/* The point behind a record or a turn: "r70" is record 70, "5" turn 5. ERR_INPUT. */
struct explain_point {
    bool record;
    int64_t number;
};
int explain_point_read(const char *text, struct explain_point *point, struct err *err)
    __attribute__((warn_unused_result));
/* What differs between the states at two points: heading, "from", "to" (records), "difference": of the
 * state's fields where nothing is sealed to the reader, else (told) of what his view shows. New reference;
 * NULL on error. */
json_t *explain_difference(struct casefile *file, const struct reader *reader, bool told,
                           const struct explain_point *from, const struct explain_point *to, struct err *err)
    __attribute__((warn_unused_result));

#endif
