#include "work/delivery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/keep.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/log.h"
#include "batch/bounced.h"
#include "batch/pieces.h"

#define KEEP_MS 1000 /* between two such times */

void delivery_begin(struct delivery_log *log, int64_t now)
{
    *log = (struct delivery_log){.now = now, .kept = clock_milliseconds()};
    pthread_mutex_init(&log->lock, NULL);
}

static enum catalog_delivery_state state_of(const struct sink_news *news)
{
    if (news->fate == SPOOL_SENT)
        return DELIVERY_SENT;
    if (news->fate == SPOOL_DROPPED)
        return DELIVERY_DROPPED;
    return news->fate == SPOOL_REFUSED ? DELIVERY_REFUSED : news->gave_up ? DELIVERY_EXPIRED : DELIVERY_LATER;
}

/* So that another host that takes over sends little again. Where that fails, it will fail at the end as well. */
static void keep_now(void)
{
    struct err err = ERR_INIT;
    if (keep_sync(&err))
        log_debug("%s", err.text);
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
    log->list[log->count++] = (struct delivery){delivery, mem_strdup(news->to)};
    bool keep = clock_milliseconds() - log->kept > KEEP_MS;
    if (keep)
        log->kept = clock_milliseconds();
    pthread_mutex_unlock(&log->lock);
    if (keep)
        keep_now();
}

static bool has_address(const struct batch *batch, const char *player, const char *address)
{
    const struct player *who = registry_find(&batch->registry, player);
    return who && player_has_address(who, address);
}

/* The player whose mail it is: the one who has the seat that its id names, unless somebody else has the
 * address that it went to; "" when there is none. */
static int find_player(struct batch *batch, struct delivery *delivery, struct catalog_game *last,
                       struct err *err)
{
    struct mail_id about;
    bool found = true;
    struct catalog_delivery *what = &delivery->what;
    const struct player *player = registry_by_address(&batch->registry, delivery->to);
    if (mail_id_is(&about, what->mail, MAIL_ID_GATHERS)) {
        memcpy(what->player, about.name, sizeof what->player);
        return 0;
    }
    if (player)
        (void)snprintf(what->player, sizeof what->player, "%s", player->name);
    if (about.kind != MAIL_ID_RECORD)
        return 0;
    int seat = about.number;
    if (strcmp(last->id, about.name) != 0 && catalog_get_game(batch->catalog, about.name, last, &found, err))
        return -1;
    if (!found)
        *last = (struct catalog_game){.turn = 0};
    else if (seat >= 1 && seat <= last->seats && *last->player[seat] &&
             (!player || has_address(batch, last->player[seat], delivery->to)))
        (void)snprintf(what->player, sizeof what->player, "%s", last->player[seat]);
    return 0;
}

static int save_all(struct delivery_log *log, struct batch *batch, struct err *err)
{
    struct catalog_game last = {.turn = 0};
    for (size_t i = 0; i < log->count; i++)
        if (find_player(batch, &log->list[i], &last, err) ||
            catalog_deliver(batch->catalog, &log->list[i].what, err))
            return -1;
    return 0;
}

/* Our own server refused it, or none accepted it in time: for the player that is a mail that came back. */
static bool came_back(const struct catalog_delivery *what)
{
    return (what->state == DELIVERY_REFUSED || what->state == DELIVERY_EXPIRED) && *what->player;
}

struct telling {
    struct delivery_log *log;
    struct batch *batch;
};

static int tell_one(void *arg, size_t i, struct err *err)
{
    const struct telling *telling = arg;
    const struct catalog_delivery *what = &telling->log->list[i].what;
    struct catalog_bounce bounce = {.when = what->when, .permanent = 1};
    if (!came_back(what))
        return 0;
    memcpy(bounce.player, what->player, sizeof bounce.player);
    memcpy(bounce.mail, what->mail, sizeof bounce.mail);
    memcpy(bounce.words, what->words, sizeof bounce.words);
    return bounced_note(telling->batch, &bounce, telling->log->list[i].to, true, err);
}

static int not_told(void *arg, size_t i, const struct err *why, struct err *err)
{
    (void)err;
    const struct telling *telling = arg;
    log_error("%s could not be told that mail came back: %s", telling->log->list[i].what.player, why->text);
    return 0;
}

static int tell_all(struct delivery_log *log, struct batch *batch, struct err *err)
{
    struct telling telling = {log, batch};
    const struct pieces pieces = {tell_one, NULL, not_told, &telling};
    bool any = false;
    for (size_t i = 0; i < log->count; i++)
        any |= came_back(&log->list[i].what);
    return any ? pieces_work(batch, &pieces, log->count, err) : 0;
}

int delivery_end(struct delivery_log *log, struct batch *batch, struct err *err)
{
    struct catalog *catalog = batch->catalog;
    int rc = 0;
    if (log->count)
        rc = catalog_begin(catalog, err) || save_all(log, batch, err) || catalog_commit(catalog, err) ||
                     tell_all(log, batch, err)
                 ? -1
                 : 0;
    for (size_t i = 0; i < log->count; i++)
        free(log->list[i].to);
    free(log->list);
    pthread_mutex_destroy(&log->lock);
    *log = (struct delivery_log){.count = 0};
    return rc;
}
