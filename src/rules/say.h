/* What the rules tell of what happens, an event (rules/event.h) by one line:
 *
 *     say(events, seat, RULE_BUILD, "built military_now=%d lost+=%d", military, lost);
 *
 * Type and parameters are a format as in base/reason.h, where "+" leaves out a number that is 0, and a text that is empty
 * or NULL, so that templates can ask for it. */
#ifndef RULES_SAY_H
#define RULES_SAY_H

#include "chance/draw.h"
#include "rules/brief.h"
#include "rules/event.h"

/* To all, or only to those who may know of it (a bit a seat). The event gets the dice rolled since the one before it. */
void say(struct events *events, int seat, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void say_to(struct events *events, uint32_t visible, int seat, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Rolls a die for the next event, which has the first EVENT_DICE: 1..sides. The label is a format of printf's (chance/draw.h). */
int event_roll(struct events *events, struct chance *chance, int sides, const char *label, ...)
    __attribute__((format(printf, 4, 5)));
/* The next event will have the dice of the last one, too: it tells others of the same. */
void event_same_dice(struct events *events);
/* The last event also has the parameters of a refusal, and 1 for its reason, by which words are chosen. */
void event_refusal(struct events *events, const struct refusal *why);

#endif
