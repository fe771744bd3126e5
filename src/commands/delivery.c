#include "commands/delivery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

void delivery_begin(struct delivery_log *log, int64_t now)
{
    *log = (struct delivery_log){.now = now};
    pthread_mutex_init(&log->lock, NULL);
}

static enum catalog_delivery_state state_of(const struct sink_news *news)
{
    if (news->fate == SPOOL_SENT)
        return DELIVERY_SENT;
    return news->gave_up ? DELIVERY_GIVEN_UP : DELIVERY_LATER;
}

void delivery_note(void *arg, const struct sink_news *news)
{
    struct delivery_log *log = arg;
    struct catalog_delivery delivery = {.state = state_of(news), .when = log->now};
    struct str words = STR_INIT;
    utf8_safe(&words, slice_sub(slice_of(news->words), 0, sizeof delivery.words / 2), false);
    (void)snprintf(delivery.mail, sizeof delivery.mail, "%s", news->id);
    (void)snprintf(delivery.words, sizeof delivery.words, "%s", words.p);
    str_release(&words);
    pthread_mutex_lock(&log->lock);
    log->list = mem_grow(log->list, log->count, &log->cap, sizeof *log->list);
    log->list[log->count++] = delivery;
    pthread_mutex_unlock(&log->lock);
}

/* The player whose mail it is; "" when the id names no seat of a game. */
static int find_player(struct catalog *catalog, struct catalog_delivery *delivery, struct catalog_game *last,
                       struct err *err)
{
    char game[GAME_NAME];
    int64_t seq;
    int seat;
    bool found = true;
    if (!letters_parse_id(delivery->mail, game, &seq, &seat))
        return 0;
    if (strcmp(last->id, game) != 0 && catalog_get_game(catalog, game, last, &found, err))
        return -1;
    if (!found)
        *last = (struct catalog_game){.turn = 0};
    else if (seat >= 1 && seat <= last->seats)
        (void)snprintf(delivery->player, sizeof delivery->player, "%s", last->player[seat]);
    return 0;
}

static int save_all(struct delivery_log *log, struct catalog *catalog, struct err *err)
{
    struct catalog_game last = {.turn = 0};
    for (size_t i = 0; i < log->count; i++)
        if (find_player(catalog, &log->list[i], &last, err) || catalog_deliver(catalog, &log->list[i], err))
            return -1;
    return 0;
}

int delivery_end(struct delivery_log *log, struct catalog *catalog, struct err *err)
{
    int rc = 0;
    if (log->count)
        rc = catalog_begin(catalog, err) || save_all(log, catalog, err) || catalog_commit(catalog, err) ? -1
                                                                                                        : 0;
    free(log->list);
    pthread_mutex_destroy(&log->lock);
    *log = (struct delivery_log){.count = 0};
    return rc;
}
