/* The parts of `turnpost player`. */
#ifndef COMMANDS_PLAYER_H
#define COMMANDS_PLAYER_H

#include "commands/deed.h"

struct player_call {
    const char *dir; /* the league's */
    bool json, no_html, at_once;
    const char *reason; /* or NULL */
    struct deed *deed;  /* of those that change something; NULL of the others */
};

/* A change that is asked for, if `check` (NULL: none) lets it: ERR_BROKEN when there are games that cannot be
 * read, because whom it asks for may have a seat there. Part of the deed's batch. */
struct player_check {
    int (*ask)(void *arg, struct catalog *catalog, struct err *err);
    void *arg;
};
int player_change(const struct player_call *call, const struct registry_change *change,
                  const struct player_check *check, struct err *err) __attribute__((warn_unused_result));

int player_list(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));
int player_show(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));
int player_restore(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));
/* Another key or address in place of theirs: asked for, so that they can say no, or at once. */
int player_replace_keys(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));
int player_replace_address(const struct player_call *call, char **args, struct err *err)
    __attribute__((warn_unused_result));

struct own_keys {
    struct pubkey list[KEYS_PER_PLAYER];
    size_t count;
};
/* Reads and checks the key file that the operator named, as the keys of that player. */
int player_read_keys(const struct player_call *call, const char *name, struct own_keys *keys, struct err *err)
    __attribute__((warn_unused_result));
void player_say_keys(struct deed *deed, const struct pubkey *keys, size_t count);
/* The address as it is kept; ERR_INPUT when it is none, or another player has it in another case. */
int player_take_address(const struct player_call *call, const struct player *player, char out[PLAYER_ADDRESS],
                        const char *address, struct err *err) __attribute__((warn_unused_result));
/* ERR_INPUT when one of the keys is another player's. */
int player_refuse_shared(const struct player_call *call, const char *name, const struct pubkey *keys,
                         size_t count, struct err *err) __attribute__((warn_unused_result));

#endif
