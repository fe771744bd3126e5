#include "journal/catalog.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "journal/catalog_private.h"

#define PAGE        64 /* games read at a time, so that no statement stays open while the caller works */
#define ADDRESS_MAX 254

/* ---- games ---- */

#define DIGEST_BEGIN 14695981039346656037U /* FNV-1a, 64 bits */
#define DIGEST_PRIME 1099511628211U

static bool same_seats(const struct catalog_game *a, const struct catalog_game *b)
{
    bool same = a->seats == b->seats;
    for (int seat = 1; same && seat <= a->seats && seat < 9; seat++)
        same = strcmp(a->player[seat], b->player[seat]) == 0;
    return same;
}

int catalog_put_game(struct catalog *catalog, const struct catalog_game *game,
                     const struct catalog_game *before, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_PUT_GAME);
    catalog_text(stmt, 1, game->id);
    catalog_text(stmt, 2, game->ruleset);
    catalog_int(stmt, 3, game->turn);
    catalog_int(stmt, 4, game->over);
    catalog_int(stmt, 5, game->deadline);
    catalog_int(stmt, 6, game->seq);
    catalog_int(stmt, 7, game->seats);
    catalog_int(stmt, 8, game->awaited);
    catalog_int(stmt, 9, game->due);
    catalog_int(stmt, 10, game->ended);
    catalog_int(stmt, 11, game->withheld);
    catalog_int(stmt, 12, game->witnessed);
    if (catalog_run(catalog, Q_PUT_GAME, err) != 0)
        return -1;
    if (before && same_seats(game, before))
        return 0;
    stmt = catalog_stmt(catalog, Q_PUT_SEAT);
    for (int seat = 1; seat <= game->seats && seat < 9; seat++) {
        catalog_text(stmt, 1, game->id);
        catalog_int(stmt, 2, seat);
        catalog_text(stmt, 3, game->player[seat]);
        if (catalog_run(catalog, Q_PUT_SEAT, err) != 0)
            return -1;
    }
    stmt = catalog_stmt(catalog, Q_DROP_SEATS);
    catalog_text(stmt, 1, game->id);
    catalog_int(stmt, 2, game->seats);
    return catalog_run(catalog, Q_DROP_SEATS, err);
}

static void read_game(sqlite3_stmt *stmt, struct catalog_game *game)
{
    *game = (struct catalog_game){0};
    catalog_column(game->id, sizeof game->id, stmt, 0);
    catalog_column(game->ruleset, sizeof game->ruleset, stmt, 1);
    game->turn = sqlite3_column_int(stmt, 2);
    game->over = sqlite3_column_int(stmt, 3) != 0;
    game->deadline = sqlite3_column_int64(stmt, 4);
    game->seq = sqlite3_column_int64(stmt, 5);
    game->seats = sqlite3_column_int(stmt, 6);
    game->awaited = (uint32_t)sqlite3_column_int64(stmt, 7);
    game->due = sqlite3_column_int64(stmt, 8);
    game->ended = sqlite3_column_int64(stmt, 9);
    game->withheld = sqlite3_column_int(stmt, 10) != 0;
    game->witnessed = sqlite3_column_int(stmt, 11) != 0;
}

static int read_seats(struct catalog *catalog, struct catalog_game *game, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_GET_SEATS);
    int rc;
    catalog_text(stmt, 1, game->id);
    while ((rc = catalog_row(catalog, Q_GET_SEATS, err)) == 1) {
        int seat = sqlite3_column_int(stmt, 0);
        if (seat >= 1 && seat < 9)
            catalog_column(game->player[seat], sizeof game->player[seat], stmt, 1);
    }
    return rc;
}

int catalog_get_game(struct catalog *catalog, const char *id, struct catalog_game *game, bool *found,
                     struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_GET_GAME);
    catalog_text(stmt, 1, id);
    int rc = catalog_row(catalog, Q_GET_GAME, err);
    *found = rc == 1;
    if (rc != 1)
        return rc;
    read_game(stmt, game);
    (void)sqlite3_reset(stmt);
    return read_seats(catalog, game, err);
}

int catalog_ended(struct catalog *catalog, struct catalog_game *list, size_t max, size_t *count,
                  struct err *err)
{
    int rc;
    *count = 0;
    catalog_int(catalog_stmt(catalog, Q_ENDED), 1, (int64_t)max);
    while ((rc = catalog_row(catalog, Q_ENDED, err)) == 1)
        if (*count < max)
            read_game(catalog_stmt(catalog, Q_ENDED), &list[(*count)++]);
    for (size_t i = 0; i < *count && rc == 0; i++)
        rc = read_seats(catalog, &list[i], err);
    return rc;
}

/* Up to PAGE games; `after` is the last id of the page before. */
struct page {
    char after[CATALOG_NAME];
    struct catalog_game *list;
    size_t count;
};

static int read_page(struct catalog *catalog, const struct catalog_filter *filter, struct page *page,
                     struct err *err)
{
    enum query query = filter->player ? Q_OF_PLAYER : filter->running_only ? Q_RUNNING : Q_ALL;
    sqlite3_stmt *stmt = catalog_stmt(catalog, query);
    int rc;
    catalog_text(stmt, 1, page->after);
    catalog_int(stmt, 2, PAGE);
    if (filter->player) {
        catalog_text(stmt, 3, filter->player);
        catalog_int(stmt, 4, filter->running_only ? 0 : 1);
    }
    page->count = 0;
    while ((rc = catalog_row(catalog, query, err)) == 1)
        if (page->count < PAGE)
            read_game(stmt, &page->list[page->count++]);
    for (size_t i = 0; i < page->count && rc == 0; i++)
        rc = read_seats(catalog, &page->list[i], err);
    if (page->count)
        memcpy(page->after, page->list[page->count - 1].id, sizeof page->after);
    return rc;
}

int catalog_each_game(struct catalog *catalog, const struct catalog_filter *filter,
                      int (*each)(void *arg, const struct catalog_game *game, struct err *err), void *arg,
                      struct err *err)
{
    struct page page = {.after = "", .list = mem_array(PAGE, sizeof *page.list)};
    int rc;
    do {
        rc = read_page(catalog, filter, &page, err);
        for (size_t i = 0; i < page.count && rc == 0; i++)
            rc = each(arg, &page.list[i], err);
    } while (rc == 0 && page.count == PAGE);
    free(page.list);
    return rc ? -1 : 0;
}

int catalog_pass(struct catalog *catalog, const char *game, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_PASS), 1, game);
    return catalog_run(catalog, Q_PASS, err);
}

int catalog_new_round(struct catalog *catalog, struct err *err)
{
    return catalog_run(catalog, Q_PASS_NONE, err);
}

/* The ids that a query gives; *digest, unless it is NULL, is of what stands beside them, too. */
static int read_ids(struct catalog *catalog, enum query query, struct file_names *names, uint64_t *digest,
                    struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, query);
    size_t cap = 0;
    int rc;
    *names = (struct file_names){NULL, 0};
    while ((rc = catalog_row(catalog, query, err)) == 1) {
        char id[CATALOG_NAME];
        catalog_column(id, sizeof id, stmt, 0);
        names->name = mem_grow(names->name, names->count, &cap, sizeof *names->name);
        names->name[names->count++] = mem_strdup(id);
        for (const char *c = id; digest && *c; c++)
            *digest = (*digest ^ (unsigned char)*c) * DIGEST_PRIME;
        if (digest)
            *digest = (*digest ^ (uint64_t)sqlite3_column_int64(stmt, 1)) * DIGEST_PRIME;
    }
    if (rc == 0)
        return 0;
    file_names_free(names);
    *names = (struct file_names){NULL, 0};
    return -1;
}

int catalog_due(struct catalog *catalog, int64_t now, size_t max, struct file_names *names, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_DUE);
    catalog_int(stmt, 1, now);
    catalog_int(stmt, 2, max > INT32_MAX ? INT32_MAX : (int64_t)max);
    return read_ids(catalog, Q_DUE, names, NULL, err);
}

int catalog_witnessed(struct catalog *catalog, struct file_names *names, uint64_t *digest, struct err *err)
{
    *digest = DIGEST_BEGIN;
    return read_ids(catalog, Q_WITNESSED, names, digest, err);
}

/* Reads the one row of a statement without arguments; missing numbers leave theirs unchanged. */
static int read_numbers(struct catalog *catalog, enum query query, int64_t *numbers, int count,
                        struct err *err)
{
    int rc = catalog_row(catalog, query, err);
    for (int i = 0; i < count && rc == 1; i++)
        numbers[i] = sqlite3_column_int64(catalog_stmt(catalog, query), i);
    (void)sqlite3_reset(catalog_stmt(catalog, query));
    return rc < 0 ? -1 : 0;
}

int catalog_next_due(struct catalog *catalog, int64_t *due, struct err *err)
{
    *due = 0;
    return read_numbers(catalog, Q_NEXT, due, 1, err);
}

int catalog_wake(struct catalog *catalog, const char *player, struct err *err)
{
    enum query query = player ? Q_WAKE : Q_WAKE_ALL;
    if (player)
        catalog_text(catalog_stmt(catalog, query), 1, player);
    return catalog_run(catalog, query, err);
}

int catalog_clock(struct catalog *catalog, struct catalog_clock *clock, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_CLOCK);
    int rc = catalog_row(catalog, Q_CLOCK, err);
    *clock = (struct catalog_clock){0};
    if (rc == 1) {
        *clock = (struct catalog_clock){.done = sqlite3_column_int64(stmt, 0),
                                        .usual = sqlite3_column_int64(stmt, 1),
                                        .rhythm = sqlite3_column_int64(stmt, 2),
                                        .waits = sqlite3_column_int64(stmt, 3),
                                        .deaf = sqlite3_column_int64(stmt, 4),
                                        .tried = sqlite3_column_int64(stmt, 5)};
        catalog_column(clock->why, sizeof clock->why, stmt, 6);
    }
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_set_clock(struct catalog *catalog, const struct catalog_clock *clock, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_SET_CLOCK);
    catalog_int(stmt, 1, clock->done);
    catalog_int(stmt, 2, clock->usual);
    catalog_int(stmt, 3, clock->rhythm);
    catalog_int(stmt, 4, clock->waits);
    catalog_int(stmt, 5, clock->deaf);
    catalog_int(stmt, 6, clock->tried);
    catalog_text(stmt, 7, clock->why);
    return catalog_run(catalog, Q_SET_CLOCK, err);
}

int catalog_count_games(struct catalog *catalog, size_t *running, size_t *over, struct err *err)
{
    int64_t numbers[2] = {0, 0};
    int rc = read_numbers(catalog, Q_COUNT, numbers, 2, err);
    *running = (size_t)numbers[0];
    *over = (size_t)(numbers[1] - numbers[0]);
    return rc;
}

int catalog_put_tally(struct catalog *catalog, const char *game, const char *player,
                      const struct catalog_tally *tally, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_PUT_TALLY);
    catalog_text(stmt, 1, player);
    catalog_text(stmt, 2, game);
    catalog_int(stmt, 3, tally->awaited);
    catalog_int(stmt, 4, tally->missed);
    catalog_int(stmt, 5, tally->resigned);
    return catalog_run(catalog, Q_PUT_TALLY, err);
}

int catalog_reliability(struct catalog *catalog, const char *player, struct catalog_tally *sum,
                        struct err *err)
{
    int64_t numbers[3] = {0, 0, 0};
    catalog_text(catalog_stmt(catalog, Q_RELIABILITY), 1, player);
    int rc = read_numbers(catalog, Q_RELIABILITY, numbers, 3, err);
    *sum = (struct catalog_tally){numbers[0], numbers[1], numbers[2]};
    return rc;
}

/* ---- mails ---- */

int catalog_seen(struct catalog *catalog, const unsigned char digest[32], bool *seen, struct err *err)
{
    catalog_digest(catalog_stmt(catalog, Q_SEEN), digest);
    int rc = catalog_row(catalog, Q_SEEN, err);
    *seen = rc == 1;
    (void)sqlite3_reset(catalog_stmt(catalog, Q_SEEN));
    return rc < 0 ? -1 : 0;
}

int catalog_see(struct catalog *catalog, const unsigned char digest[32], int64_t now, struct err *err)
{
    catalog_digest(catalog_stmt(catalog, Q_SEE), digest);
    catalog_int(catalog_stmt(catalog, Q_SEE), 2, now);
    return catalog_run(catalog, Q_SEE, err);
}

/* The day since 1970 in UTC, also for times before. */
static int64_t day_of(int64_t time)
{
    return (time - (time < 0 ? 86399 : 0)) / 86400;
}

int catalog_budget(struct catalog *catalog, const struct catalog_reply *reply, bool *allowed, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_BUDGET);
    *allowed = false;
    if (reply->limit <= 0)
        return 0;
    (void)sqlite3_bind_text(stmt, 1, reply->address, (int)strnlen(reply->address, ADDRESS_MAX),
                            SQLITE_STATIC);
    catalog_int(stmt, 2, day_of(reply->now));
    catalog_int(stmt, 3, reply->limit);
    if (catalog_run(catalog, Q_BUDGET, err) != 0)
        return -1;
    *allowed = sqlite3_changes(catalog->db) > 0;
    return 0;
}

int catalog_budget_given(struct catalog *catalog, const char *address, int64_t now, int *given,
                         struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_GIVEN);
    (void)sqlite3_bind_text(stmt, 1, address, (int)strnlen(address, ADDRESS_MAX), SQLITE_STATIC);
    catalog_int(stmt, 2, day_of(now));
    int rc = catalog_row(catalog, Q_GIVEN, err);
    *given = rc == 1 ? sqlite3_column_int(stmt, 0) : 0;
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_bounce_add(struct catalog *catalog, const struct catalog_bounce *bounce, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_BOUNCE_ADD);
    catalog_text(stmt, 1, bounce->player);
    catalog_text(stmt, 2, bounce->mail);
    catalog_text(stmt, 3, bounce->status);
    catalog_text(stmt, 4, bounce->words);
    catalog_int(stmt, 5, bounce->when);
    catalog_int(stmt, 6, bounce->permanent);
    catalog_int(stmt, 7, bounce->temporary);
    return catalog_run(catalog, Q_BOUNCE_ADD, err);
}

int catalog_bounce_clear(struct catalog *catalog, const char *player, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_BOUNCE_CLEAR), 1, player);
    return catalog_run(catalog, Q_BOUNCE_CLEAR, err);
}

static void get_bounce(sqlite3_stmt *stmt, struct catalog_bounce *bounce)
{
    catalog_column(bounce->player, sizeof bounce->player, stmt, 0);
    catalog_column(bounce->mail, sizeof bounce->mail, stmt, 1);
    catalog_column(bounce->status, sizeof bounce->status, stmt, 2);
    catalog_column(bounce->words, sizeof bounce->words, stmt, 3);
    bounce->when = sqlite3_column_int64(stmt, 4);
    bounce->permanent = sqlite3_column_int(stmt, 5);
    bounce->temporary = sqlite3_column_int(stmt, 6);
    (void)sqlite3_reset(stmt);
}

int catalog_get_bounce(struct catalog *catalog, const char *player, struct catalog_bounce *bounce,
                       bool *found, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_BOUNCE);
    catalog_text(stmt, 1, player);
    int rc = catalog_row(catalog, Q_BOUNCE, err);
    *found = rc == 1;
    *bounce = (struct catalog_bounce){.permanent = 0};
    if (rc == 1)
        get_bounce(stmt, bounce);
    return rc < 0 ? -1 : 0;
}

int catalog_each_bounce(struct catalog *catalog,
                        int (*each)(void *arg, const struct catalog_bounce *bounce, struct err *err),
                        void *arg, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_BOUNCES);
    char after[CATALOG_NAME] = "";
    for (;;) {
        catalog_text(stmt, 1, after);
        int rc = catalog_row(catalog, Q_BOUNCES, err);
        if (rc != 1)
            return rc;
        struct catalog_bounce bounce = {0};
        get_bounce(stmt, &bounce);
        memcpy(after, bounce.player, sizeof after);
        if (each(arg, &bounce, err) != 0)
            return -1;
    }
}

/* ---- deliveries ---- */

int catalog_deliver(struct catalog *catalog, const struct catalog_delivery *delivery, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_DELIVER);
    catalog_text(stmt, 1, delivery->mail);
    catalog_text(stmt, 2, delivery->player);
    catalog_int(stmt, 3, (int64_t)delivery->state);
    catalog_int(stmt, 4, delivery->when);
    catalog_text(stmt, 5, delivery->words);
    return catalog_run(catalog, Q_DELIVER, err);
}

static void read_delivery(sqlite3_stmt *stmt, struct catalog_delivery *delivery)
{
    *delivery = (struct catalog_delivery){.state = DELIVERY_SENT};
    catalog_column(delivery->mail, sizeof delivery->mail, stmt, 0);
    catalog_column(delivery->player, sizeof delivery->player, stmt, 1);
    int state = sqlite3_column_int(stmt, 2);
    if (state >= DELIVERY_SENT && state <= DELIVERY_DROPPED)
        delivery->state = (enum catalog_delivery_state)state;
    delivery->when = sqlite3_column_int64(stmt, 3);
    catalog_column(delivery->words, sizeof delivery->words, stmt, 4);
}

int catalog_get_delivery(struct catalog *catalog, const char *mail, struct catalog_delivery *delivery,
                         bool *found, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_DELIVERY), 1, mail);
    int rc = catalog_row(catalog, Q_DELIVERY, err);
    *found = rc == 1;
    if (rc != 1)
        return rc;
    read_delivery(catalog_stmt(catalog, Q_DELIVERY), delivery);
    (void)sqlite3_reset(catalog_stmt(catalog, Q_DELIVERY));
    return 0;
}

int catalog_deliveries(struct catalog *catalog, const char *player, struct catalog_deliveries *mails,
                       struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_DELIVERIES);
    int rc = 1;
    mails->count = 0;
    catalog_text(stmt, 1, player);
    catalog_int(stmt, 2, (int64_t)mails->max);
    while (mails->count < mails->max && (rc = catalog_row(catalog, Q_DELIVERIES, err)) == 1)
        read_delivery(stmt, &mails->list[mails->count++]);
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_last_sent(struct catalog *catalog, int64_t *time, struct err *err)
{
    *time = 0;
    return read_numbers(catalog, Q_LAST_SENT, time, 1, err);
}

int catalog_each_delivery(struct catalog *catalog, const struct catalog_wanted *wanted,
                          int (*each)(void *arg, const struct catalog_delivery *delivery, struct err *err),
                          void *arg, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_SENT_MAILS);
    int rc;
    catalog_ask_for(stmt, wanted);
    while ((rc = catalog_row(catalog, Q_SENT_MAILS, err)) == 1) {
        struct catalog_delivery delivery;
        read_delivery(stmt, &delivery);
        if (each(arg, &delivery, err) != 0) {
            rc = -1;
            break;
        }
    }
    (void)sqlite3_reset(stmt);
    return rc;
}

int catalog_path(struct catalog *catalog, const char *player, int64_t time,
                 const unsigned char digest[CATALOG_PATH], struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_PATH), 1, player);
    catalog_int(catalog_stmt(catalog, Q_PATH), 2, time);
    (void)sqlite3_bind_blob(catalog_stmt(catalog, Q_PATH), 3, digest, CATALOG_PATH, SQLITE_STATIC);
    return catalog_run(catalog, Q_PATH, err);
}

int catalog_each_path(struct catalog *catalog, const char *player,
                      int (*each)(void *arg, int64_t time, const unsigned char digest[CATALOG_PATH],
                                  struct err *err),
                      void *arg, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_PATHS);
    int rc;
    catalog_text(stmt, 1, player);
    while ((rc = catalog_row(catalog, Q_PATHS, err)) == 1) {
        unsigned char digest[CATALOG_PATH] = {0};
        if (sqlite3_column_bytes(stmt, 1) == CATALOG_PATH)
            memcpy(digest, sqlite3_column_blob(stmt, 1), CATALOG_PATH);
        if (each(arg, sqlite3_column_int64(stmt, 0), digest, err) != 0) {
            rc = -1;
            break;
        }
    }
    (void)sqlite3_reset(stmt);
    return rc;
}

int catalog_path_users(struct catalog *catalog, const unsigned char digest[CATALOG_PATH], int64_t *users,
                       struct err *err)
{
    (void)sqlite3_bind_blob(catalog_stmt(catalog, Q_PATH_USERS), 1, digest, CATALOG_PATH, SQLITE_STATIC);
    *users = 0;
    return read_numbers(catalog, Q_PATH_USERS, users, 1, err);
}

int catalog_tidy_paths(struct catalog *catalog, int64_t before, struct err *err)
{
    catalog_int(catalog_stmt(catalog, Q_TIDY_PATHS), 1, before);
    return catalog_run(catalog, Q_TIDY_PATHS, err);
}

int catalog_tidy(struct catalog *catalog, int64_t now, int64_t from, struct err *err)
{
    catalog_int(catalog_stmt(catalog, Q_TIDY_SEEN), 1, from);
    if (catalog_run(catalog, Q_TIDY_SEEN, err) != 0)
        return -1;
    catalog_int(catalog_stmt(catalog, Q_TIDY_BUDGET), 1, day_of(now));
    if (catalog_run(catalog, Q_TIDY_BUDGET, err) != 0)
        return -1;
    catalog_int(catalog_stmt(catalog, Q_TIDY_UNREAD), 1,
                (day_of(now) - 1) * 86400); /* a pause goes over midnight */
    if (catalog_run(catalog, Q_TIDY_UNREAD, err) != 0)
        return -1;
    catalog_int(catalog_stmt(catalog, Q_TIDY_HELD), 1, from);
    if (catalog_run(catalog, Q_TIDY_HELD, err) != 0)
        return -1;
    catalog_int(catalog_stmt(catalog, Q_TIDY_STUCK), 1, from);
    if (catalog_run(catalog, Q_TIDY_STUCK, err) != 0)
        return -1;
    catalog_int(catalog_stmt(catalog, Q_TIDY_DELIVERIES), 1, from);
    return catalog_run(catalog, Q_TIDY_DELIVERIES, err);
}
