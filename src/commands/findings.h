/* What `turnpost doctor` finds: a list, a line for each check. */
#ifndef COMMANDS_FINDINGS_H
#define COMMANDS_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

enum finding_state { FINDING_OK, FINDING_WARNING, FINDING_FAILED };

struct finding {
    enum finding_state state;
    const char *check; /* static: "league.ini", "incoming" */
    char *text;        /* one sentence; for trouble also what to do */
};
struct findings {
    struct finding *list;
    size_t count, cap;
    bool temporary; /* something failed that may work later */
    bool lasting;   /* something fails until the operator fixes it */
};

/* `fmt` gives the sentence. */
void findings_add(struct findings *findings, enum finding_state state, const char *check, const char *fmt,
                  ...) __attribute__((format(printf, 4, 5)));
/* A failure: its code decides whether it is temporary. */
void findings_fail(struct findings *findings, const char *check, const struct err *err);
void findings_release(struct findings *findings);

#endif
