/* What a report says first: of all that a seat was told, the event that matters most to it. One row a kind of event;
 * its words are in templates/<ruleset>/headline_news.txt, under `kind`. */
#ifndef RULES_HEADLINE_H
#define RULES_HEADLINE_H

/* What the reader has to do with it. */
enum headline_whose {
    HEADLINE_OWN,    /* it is the event's seat */
    HEADLINE_TARGET, /* it is the event's "target_seat" or "to_seat" */
    HEADLINE_OTHERS, /* neither */
    HEADLINE_ANY
};
struct headline {
    const char *event; /* its type; NULL ends a table */
    enum headline_whose whose;
    const char *kind;
    const char *only; /* a parameter that the event must have, or NULL */
};

#endif
