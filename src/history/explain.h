/* A turn as a story with evidence: each event with the order line and the mail that caused it, its dice with
 * their draws, the rule's section, and what changed in the state. All as facts for templates (explain.txt,
 * explain.html) and programs.
 *
 * The game is replayed record by record, so what is shown is what the journal proves, and an inconsistent
 * journal is refused. Where something is sealed to the reader there is no replay: then the facts are only the
 * records of the turn and the proof of its draws, and "blind" says so. With `told` the game is replayed
 * nevertheless, and the reader gets what the reports told them: events that they may know, dice of these
 * events, what their view shows; for moderators who answer a question in a running game. */
#ifndef HISTORY_EXPLAIN_H
#define HISTORY_EXPLAIN_H

#include "history/casefile.h"
#include "report/render.h"

#define EXPLAIN_LAST (-1) /* the last turn that was played and not undone */

/* A record or a turn: "r70" is record 70, "5" turn 5. ERR_INPUT. */
struct explain_point {
    bool record;
    int64_t number; /* for a turn also EXPLAIN_LAST */
};
int explain_point_read(const char *text, struct explain_point *point, struct err *err)
    __attribute__((warn_unused_result));

/* The reader, and whether they get what the reports told them, as above. */
struct explain_for {
    const struct reader *reader;
    bool told;
};

/* Facts of a turn (0: the deal), or of the play of a turn by a record: turns that were undone are played more
 * than once, and then a turn means the play in force, else the last one. `event` 0 = all of it, else that
 * event alone (its number in the story). The file may be at any record. NULL on error; ERR_INPUT: no such
 * turn or event. New reference.
 *
 *   heading (chronicle_heading), "turn", "records": [..] (chronicle.h),
 *   "plays": {"list": [{"record","time","here","holds","fates":[{"record","time","by","back",..}]}]} for a
 *     turn of which a play was undone,
 *   "closing": {"record","time","deadline"},
 *   "given": {"seats": [{"seat","who","sent":{"record","time","mail","key",..},"also","also_too","set","set_too",
 *     "undone","missed","lines":[{"number","text",fate,"changes"}],..}]},
 *   "story": [{"number","type","news","rule","to":[..],"cause":{..},"dice":[..],"changes":[..]}],
 *   "rest": {"changes"}: what no event made, "draws": [..], "proof": {..}, "mails": whole digests,
 *   "difference": [{"path","before","after"}] (base/changes.h)
 *
 * Changes of fields also have what players read, "place", "was", "is" (rules/spelling.h), unless "spelled" is
 * false: then they follow from others. */
json_t *explain_turn(struct casefile *file, const struct explain_for *who, const struct explain_point *at,
                     int event, struct err *err) __attribute__((warn_unused_result));
/* Adds words and texts of values to the facts, for templates: "words" of each event (and "html", and "svg", the
 * board after the turn, as everybody may see it); "was",
 * "is", "whose" of each change that is not spelled; long digits in lines. */
int explain_words(json_t *facts, struct templates *templates, const char *folder, bool html, struct err *err)
    __attribute__((warn_unused_result));

/* What differs between the states at two points: heading, "from", "to" (records), "difference": of the
 * state's fields where nothing is sealed to the reader, else (told) of what their view shows. New reference;
 * NULL on error. */
json_t *explain_difference(struct casefile *file, const struct explain_for *who,
                           const struct explain_point *from, const struct explain_point *to, struct err *err)
    __attribute__((warn_unused_result));

#endif
