/* The parts of `turnpost compete`. */
#ifndef COMMANDS_COMPETE_H
#define COMMANDS_COMPETE_H

#include "batch/competing.h"
#include "commands/deed.h"

/* What the command line says. What is NULL, or 0, or false, was not said (of `promote` and `field` -1). */
struct compete_clock_wishes {
    const char *schedule, *holidays;
    int64_t deadline, grace, minimum;
    bool weekends_off, no_early;
};
struct compete_new_wishes {
    const char *kind, *ruleset, *entries, *bye, *walkover, *adjudge, *trust, *director, *invite, *after,
        *outside, *witness;
    struct flag_list options;
    int64_t quorum, unwitnessed;
    int64_t seats, confirm, rounds, round_length, pause, starts, protest, most;
    struct compete_clock_wishes clock;
    int64_t division_size, promote, again, field;
    bool rated, cut_short, always_witnessed;
};
/* Of these the conditions of entering. */
struct compete_condition_wishes {
    const char *rating, *invited;
    int64_t games, prompt, running;
    bool key_only, open; /* open: none, though the season before had some */
};
struct compete_call {
    struct deed *deed; /* NULL of those that change nothing */
    const struct compete_new_wishes *new;
    const struct compete_condition_wishes *conditions;
    const char *reason, *by; /* or NULL */
    char **args;             /* after the subcommand's name */
};

int compete_command_new(const struct compete_call *call, struct err *err) __attribute__((warn_unused_result));
int compete_command_invite(const struct compete_call *call, struct err *err)
    __attribute__((warn_unused_result));
int compete_command_withdraw(const struct compete_call *call, struct err *err)
    __attribute__((warn_unused_result));
int compete_command_remove(const struct compete_call *call, struct err *err)
    __attribute__((warn_unused_result));
int compete_command_points(const struct compete_call *call, struct err *err)
    __attribute__((warn_unused_result));
int compete_command_forget(const struct compete_call *call, struct err *err)
    __attribute__((warn_unused_result));
int compete_command_rank(const struct compete_call *call, struct err *err)
    __attribute__((warn_unused_result));

/* Mails these, "alice,bob", an invitation to a competition of the batch. */
int compete_invite_all(const struct compete_call *call, struct batch_competition *entry, const char *names,
                       struct err *err) __attribute__((warn_unused_result));
/* "1.5", "-1": points as tables show them, in halves. */
bool compete_halves(const char *text, int64_t *halves);

/* What is said of the conditions, into `conditions`, which hold those of the season before if there was one; ERR_INPUT.
 * `rated`: the league keeps ratings. */
int compete_read_conditions(struct conditions *conditions, const struct compete_condition_wishes *wishes,
                            bool rated, struct err *err) __attribute__((warn_unused_result));

/* Those of a league that nobody needs to hold; printed. `name` NULL: all, in short. */
int compete_print(const struct league *league, const char *name, bool json, int64_t now, struct err *err)
    __attribute__((warn_unused_result));

/* For `status` and `doctor`: what is wrong with competitions, a sentence each; `found` has how many there are and
 * how many of them are over. */
struct compete_found {
    size_t all, over;
};
/* `broken`: one cannot be read; else it waits for something. */
typedef void compete_trouble(void *arg, const char *words, bool broken);
int compete_troubles(const struct league *league, int64_t now, struct compete_found *found,
                     compete_trouble *tell, void *arg, struct err *err) __attribute__((warn_unused_result));

#endif
