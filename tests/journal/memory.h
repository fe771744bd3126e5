/* A store in memory. It finds places by their numbers alone and never looks at a hint, so whatever works with it keeps the
 * promise that a place is a record's number. */
#ifndef TESTS_JOURNAL_MEMORY_H
#define TESTS_JOURNAL_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "journal/store_ops.h"

struct memory_game {
    char *name;
    struct str journal, state;
    bool journaled, stated; /* there is one, if an empty one */
};
struct memory {
    struct store store;
    struct memory_game *games; /* sorted by name */
    size_t count, cap;
    int64_t stamp;
};

static inline struct memory_game *memory_find(struct store *store, const char *name)
{
    struct memory *memory = (struct memory *)store;
    for (size_t i = 0; i < memory->count; i++)
        if (strcmp(memory->games[i].name, name) == 0)
            return &memory->games[i];
    return NULL;
}

static inline struct memory_game *memory_make(struct store *store, const char *name)
{
    struct memory *memory = (struct memory *)store;
    struct memory_game *found = memory_find(store, name);
    size_t place = 0;
    if (found)
        return found;
    memory->games = mem_grow(memory->games, memory->count, &memory->cap, sizeof *memory->games);
    while (place < memory->count && strcmp(memory->games[place].name, name) < 0)
        place++;
    memmove(memory->games + place + 1, memory->games + place,
            (memory->count++ - place) * sizeof *memory->games);
    memory->games[place] = (struct memory_game){.name = mem_strdup(name)};
    memory->stamp++;
    return &memory->games[place];
}

static inline void memory_close(struct store *store)
{
    struct memory *memory = (struct memory *)store;
    for (size_t i = 0; i < memory->count; i++) {
        free(memory->games[i].name);
        str_release(&memory->games[i].journal);
        str_release(&memory->games[i].state);
    }
    free(memory->games);
    free(memory);
}

static inline int memory_games(struct store *store, struct file_names *names, struct err *err)
{
    struct memory *memory = (struct memory *)store;
    (void)err;
    *names = (struct file_names){mem_array(memory->count + 1, sizeof(char *)), memory->count};
    for (size_t i = 0; i < memory->count; i++)
        names->name[i] = mem_strdup(memory->games[i].name);
    return 0;
}

static inline int memory_stamp(struct store *store, int64_t *stamp, struct err *err)
{
    (void)err;
    *stamp = ((struct memory *)store)->stamp;
    return 0;
}

static inline bool memory_has(struct store *store, const char *name)
{
    const struct memory_game *game = memory_find(store, name);
    return game && game->journal.len;
}

/* Where the line after record `seq` begins; false: there is no such record. */
static inline bool memory_at(const struct memory_game *game, int64_t seq, size_t *at)
{
    struct slice rest = slice_str(&game->journal), line;
    while (seq > 0 && slice_line(&rest, &line))
        seq--;
    *at = game->journal.len - rest.len;
    return seq == 0;
}

static inline int memory_journal(struct store *store, const char *name, struct memory_game **game,
                                 struct err *err)
{
    *game = memory_find(store, name);
    return *game && (*game)->journaled ? 0 : err_set(err, ERR_MISSING, "there is no journal of %s", name);
}

static inline int memory_read(struct store *store, const char *name, struct store_pos from, struct str *lines,
                              struct err *err)
{
    struct memory_game *game;
    size_t at;
    if (memory_journal(store, name, &game, err))
        return -1;
    if (memory_at(game, from.seq, &at))
        str_addslice(lines, slice_sub(slice_str(&game->journal), at, game->journal.len));
    return 0;
}

static inline int memory_line(struct store *store, const char *name, struct store_pos from, struct str *line,
                              struct err *err)
{
    struct memory_game *game;
    size_t at, end;
    if (memory_journal(store, name, &game, err))
        return -1;
    if (memory_at(game, from.seq, &at) && memory_at(game, from.seq + 1, &end))
        str_addslice(line, slice_sub(slice_str(&game->journal), at, end - at));
    return 0;
}

static inline int memory_line_before(struct store *store, const char *name, struct store_pos end,
                                     struct str *line, struct err *err)
{
    return memory_line(store, name, (struct store_pos){end.seq - 1, 0}, line, err);
}

static inline bool memory_ends(struct store *store, const char *name, struct store_pos end)
{
    const struct memory_game *game = memory_find(store, name);
    size_t at;
    return end.seq > 0 && game && memory_at(game, end.seq, &at) && at == game->journal.len;
}

static inline int memory_read_state(struct store *store, const char *name, struct str *state, struct err *err)
{
    const struct memory_game *game = memory_find(store, name);
    if (!game || !game->stated)
        return err_set(err, ERR_MISSING, "there is no state of %s", name);
    str_addslice(state, slice_str(&game->state));
    return 0;
}

static inline int memory_write_state(struct store *store, const char *name, struct slice state,
                                     struct err *err)
{
    struct memory_game *game = memory_find(store, name);
    if (!game)
        return err_set(err, ERR_IO, "there is no game %s", name);
    str_clear(&game->state);
    str_addslice(&game->state, state);
    game->stated = true;
    return 0;
}

static inline int memory_drop_state(struct store *store, const char *name, struct err *err)
{
    struct memory_game *game = memory_find(store, name);
    (void)err;
    if (game)
        game->stated = false;
    return 0;
}

static inline int memory_append(struct store *store, const struct store_append *part, struct err *err)
{
    struct memory_game *game = memory_make(store, part->game);
    size_t at;
    if (!memory_at(game, part->after.seq, &at) || at != game->journal.len)
        return err_set(err, ERR_STALE, "%s has changed while it was worked on", part->game);
    str_addslice(&game->journal, part->records);
    game->journaled = true;
    return 0;
}

static inline int memory_unappend(struct store *store, const struct store_append *part, struct err *err)
{
    struct memory_game *game = memory_find(store, part->game);
    size_t at;
    if (!game || !memory_at(game, part->after.seq, &at))
        return err_set(err, ERR_IO, "%s was cut", part->game);
    str_cut(&game->journal, at);
    game->journaled = part->after.seq > 0;
    return 0;
}

static inline int memory_mend(struct store *store, const char *name, struct store_pos end, bool *cut,
                              struct err *err)
{
    struct memory_game *game = memory_find(store, name);
    size_t at;
    if (!game)
        return err_set(err, ERR_MISSING, "there is no game %s", name);
    *cut = memory_at(game, end.seq, &at) && at < game->journal.len;
    str_cut(&game->journal, at);
    return 0;
}

static inline const char *memory_folder(const struct store *store)
{
    (void)store;
    return NULL;
}

static inline struct store *memory_open(void)
{
    static const struct store_ops ops = {.close = memory_close,
                                         .games = memory_games,
                                         .stamp = memory_stamp,
                                         .has = memory_has,
                                         .read = memory_read,
                                         .read_mending = memory_read,
                                         .line = memory_line,
                                         .line_before = memory_line_before,
                                         .ends = memory_ends,
                                         .read_state = memory_read_state,
                                         .write_state = memory_write_state,
                                         .drop_state = memory_drop_state,
                                         .append = memory_append,
                                         .unappend = memory_unappend,
                                         .mend = memory_mend,
                                         .folder = memory_folder};
    struct memory *memory = mem_alloc(sizeof *memory);
    memory->store.ops = &ops;
    return &memory->store;
}

#endif
