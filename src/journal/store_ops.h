/* What a store is made of: one table of functions, each of which keeps the promise of the function of its name in
 * journal/store.h. For those who bring a store; all others use that header. */
#ifndef JOURNAL_STORE_OPS_H
#define JOURNAL_STORE_OPS_H

#include "journal/store.h"

struct store_ops {
    void (*close)(struct store *store);
    int (*games)(struct store *store, struct file_names *names, struct err *err);
    int (*stamp)(struct store *store, int64_t *stamp, struct err *err);
    bool (*has)(struct store *store, const char *game);
    int (*read)(struct store *store, const char *game, struct store_pos from, struct str *lines,
                struct err *err);
    int (*read_mending)(struct store *store, const char *game, struct store_pos from, struct str *lines,
                        struct err *err);
    int (*line)(struct store *store, const char *game, struct store_pos from, struct str *line,
                struct err *err);
    int (*line_before)(struct store *store, const char *game, struct store_pos end, struct str *line,
                       struct err *err);
    bool (*ends)(struct store *store, const char *game, struct store_pos end);
    int (*read_state)(struct store *store, const char *game, struct str *state, struct err *err);
    int (*write_state)(struct store *store, const char *game, struct slice state, struct err *err);
    int (*drop_state)(struct store *store, const char *game, struct err *err);
    int (*append)(struct store *store, const struct store_append *part, struct err *err);
    int (*unappend)(struct store *store, const struct store_append *part, struct err *err);
    int (*mend)(struct store *store, const char *game, struct store_pos end, bool *cut, struct err *err);
    const char *(*folder)(const struct store *store);
};

/* The first member of every store. */
struct store {
    const struct store_ops *ops;
    bool keyed; /* store_give_master */
    unsigned char master[32];
};

#endif
