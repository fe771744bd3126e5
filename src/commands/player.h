/* The parts of `turnpost player`. */
#ifndef COMMANDS_PLAYER_H
#define COMMANDS_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "league/league.h"
#include "league/registry.h"

struct player_call {
    const char *dir; /* the league's */
    bool json, no_html;
    int64_t now;
};

int player_list(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));
int player_show(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));
int player_restore(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));
/* ERR_INPUT when one of the keys is another player's. */
int player_refuse_shared(const struct player_call *call, const char *name, const struct pubkey *keys,
                         size_t count, struct err *err) __attribute__((warn_unused_result));

#endif
