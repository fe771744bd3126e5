#include "batch/stuck.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/at_hand.h"
#include "batch/mail_log.h"
#include "batch/signer.h"

#define FIRST_PAUSE ((int64_t)300)
#define DEADLY      "the program was ended"
#define LAST_PAUSE  ((int64_t)6 * 3600)

static pthread_once_t printed = PTHREAD_ONCE_INIT;
static char print_of_code[17];

static void make_print(void)
{
    extern const char __executable_start, etext;
    unsigned char digest[32];
    const char *from = &__executable_start;
    crypto_generichash(digest, sizeof digest, (const unsigned char *)from, (size_t)(&etext - from), NULL, 0);
    hex_to(print_of_code, digest, 8);
}

/* Identifies this very program: the digest of its code, which is megabytes and made once. */
static void program_print(char print[17])
{
    (void)pthread_once(&printed, make_print);
    memcpy(print, print_of_code, sizeof print_of_code);
}

static bool is_ours(const struct err *why)
{
    return why->code == ERR_CONFIG || why->code == ERR_IO || why->code == ERR_TEMP || why->code == ERR_NEWER;
}

static int64_t pause_after(int tries)
{
    int64_t pause = FIRST_PAUSE;
    while (tries-- > 1 && pause < LAST_PAUSE)
        pause *= 2;
    return pause < LAST_PAUSE ? pause : LAST_PAUSE;
}

/* The games of whose orders it is have to be looked at. */
static int wake(struct batch *batch, const struct catalog_stuck *stuck, struct err *err)
{
    return *stuck->player && *stuck->game ? catalog_wake(batch->catalog, stuck->player, err) : 0;
}

/* ---- what waits ---- */

/* A player who was absent and is back (batch/absent.h), or orders that have been given up. */
static void add_returned(struct batch *batch, const struct catalog_stuck *stuck)
{
    size_t count = batch->outside.returned_count++;
    batch->unheard.returned = mem_grow(batch->unheard.returned, count, &batch->unheard.returned_cap,
                                       sizeof *batch->unheard.returned);
    batch->unheard.returned[count] =
        (struct returned){.from = stuck->first, .to = stuck->next, .turn = stuck->turn};
    (void)snprintf(batch->unheard.returned[count].player, PLAYER_NAME, "%s", stuck->player);
    (void)snprintf(batch->unheard.returned[count].game, GAME_NAME, "%s", stuck->game);
    batch->outside.returned = batch->unheard.returned;
}

/* What ended, and whose games have not all been looked at since. */
static bool is_news(const struct catalog_stuck *stuck)
{
    return stuck->next &&
           (stuck->state == STUCK_PLAYER || (stuck->state == STUCK_GIVEN && *stuck->player && *stuck->game));
}

/* A mail waits until its sender is told that it is given up. */
static bool is_waiting(const struct catalog_stuck *stuck)
{
    return *stuck->player &&
           (stuck->state == STUCK_WAITS || stuck->state == STUCK_OVER || stuck->state == STUCK_UNTOLD);
}

static int add_orders(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    struct batch *batch = arg;
    if (is_news(stuck))
        add_returned(batch, stuck);
    if (!is_waiting(stuck))
        return 0;
    struct outside *outside = &batch->outside;
    batch->unheard.stuck = mem_grow(batch->unheard.stuck, outside->stuck_count, &batch->unheard.stuck_cap,
                                    sizeof *batch->unheard.stuck);
    struct stuck_orders *orders = &batch->unheard.stuck[outside->stuck_count++];
    (void)snprintf(orders->game, sizeof orders->game, "%s", stuck->game);
    (void)snprintf(orders->player, sizeof orders->player, "%s", stuck->player);
    orders->turn = stuck->turn;
    memcpy(orders->digest, stuck->digest, sizeof orders->digest);
    outside->stuck = batch->unheard.stuck;
    return 0;
}

/* A mail that is being tried again does not count as waiting. */
static void lift(struct batch *batch, const unsigned char digest[32])
{
    struct outside *outside = &batch->outside;
    for (size_t i = 0; i < outside->stuck_count; i++)
        if (memcmp(batch->unheard.stuck[i].digest, digest, 32) == 0)
            batch->unheard.stuck[i--] = batch->unheard.stuck[--outside->stuck_count];
}

int stuck_read(struct batch *batch, struct err *err)
{
    batch->outside.stuck_count = batch->outside.returned_count = 0;
    return catalog_each_stuck(batch->catalog, add_orders, batch, err);
}

struct digest_list {
    unsigned char (*list)[32];
    size_t count, cap;
};

static int add_digest(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    struct digest_list *all = arg;
    if (stuck->state == STUCK_GAME || stuck->state == STUCK_PLAYER)
        return 0;
    all->list = mem_grow(all->list, all->count, &all->cap, sizeof *all->list);
    memcpy(all->list[all->count++], stuck->digest, sizeof *all->list);
    return 0;
}

int stuck_digests(struct batch *batch, unsigned char (**list)[32], size_t *count, struct err *err)
{
    struct digest_list all = {NULL, 0, 0};
    int rc = catalog_each_stuck(batch->catalog, add_digest, &all, err);
    *list = all.list;
    *count = all.count;
    return rc;
}

static int find_next(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    int64_t *next = arg;
    bool mail = stuck->state != STUCK_GAME && stuck->state != STUCK_PLAYER;
    if (mail && stuck->state != STUCK_GIVEN && (*next == 0 || stuck->next < *next))
        *next = stuck->next;
    return 0;
}

int stuck_next(struct batch *batch, int64_t *next, struct err *err)
{
    *next = 0;
    return catalog_each_stuck(batch->catalog, find_next, next, err);
}

/* ---- a mail ---- */

static int make_plan(struct batch *batch, const unsigned char digest[32], enum stuck_plan *plan,
                     struct err *err)
{
    struct catalog_stuck stuck;
    char print[17];
    bool found = false;
    *plan = STUCK_NEW;
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    if (!found)
        return 0;
    program_print(print);
    bool other = strcmp(print, stuck.program) != 0;
    bool due = stuck.next <= batch->now || stuck.next > batch->now + LAST_PAUSE; /* or the clock was wrong */
    bool over = stuck.state == STUCK_OVER || stuck.state == STUCK_UNTOLD || stuck.state == STUCK_GIVEN;
    *plan = over ? STUCK_GIVE : other || due ? STUCK_AGAIN : STUCK_LEAVE;
    return 0;
}

int stuck_plan(struct batch *batch, const unsigned char digest[32], enum stuck_plan *plan, struct err *err)
{
    if (make_plan(batch, digest, plan, err))
        return -1;
    if (*plan == STUCK_AGAIN || *plan == STUCK_GIVE)
        lift(batch, digest);
    return 0;
}

bool stuck_by_itself(struct batch *batch, const unsigned char digest[32])
{
    struct catalog_stuck stuck;
    struct err ignored = ERR_INIT;
    bool found = false;
    return catalog_get_stuck(batch->catalog, digest, &stuck, &found, &ignored) == 0 && found &&
           stuck.tries > 0;
}

bool stuck_rests(struct batch *batch, const unsigned char digest[32])
{
    struct err why = ERR_INIT;
    enum stuck_plan plan;
    return make_plan(batch, digest, &plan, &why) == 0 && plan == STUCK_LEAVE;
}

struct older {
    struct batch *batch;
    const char *player, *game;
};

static int supersede_one(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    const struct older *older = arg;
    struct catalog_stuck over = *stuck;
    if (stuck->state != STUCK_WAITS || strcmp(stuck->player, older->player) != 0 ||
        strcmp(stuck->game, older->game) != 0)
        return 0;
    over.state = STUCK_OVER;
    over.next = older->batch->now;
    lift(older->batch, stuck->digest);
    return catalog_put_stuck(older->batch->catalog, &over, err) || wake(older->batch, stuck, err) ? -1 : 0;
}

int stuck_supersede(struct batch *batch, const char *player, const char *game, struct err *err)
{
    struct older older = {batch, player, game};
    return batch->outside.stuck_count ? catalog_each_stuck(batch->catalog, supersede_one, &older, err) : 0;
}

int stuck_mended(struct batch *batch, const unsigned char digest[32], struct err *err)
{
    struct catalog_stuck stuck;
    bool found = false;
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    if (!found)
        return 0;
    return catalog_drop_stuck(batch->catalog, digest, err) || wake(batch, &stuck, err) ? -1 : 0;
}

int stuck_give(struct batch *batch, const unsigned char digest[32], struct stuck_given *given,
               struct err *err)
{
    struct catalog_stuck stuck;
    bool found = false;
    *given = (struct stuck_given){.tell = false};
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    if (!found)
        return 0;
    given->tell = stuck.state == STUCK_OVER;
    given->since = stuck.first;
    (void)snprintf(given->player, sizeof given->player, "%s", stuck.player);
    bool again = stuck.state == STUCK_GIVEN; /* a copy of it */
    stuck.state = STUCK_GIVEN;
    if (!again) {
        stuck.next = batch->now;
        if (is_news(&stuck))
            add_returned(batch, &stuck);
    }
    return catalog_put_stuck(batch->catalog, &stuck, err) || wake(batch, &stuck, err) ? -1 : 0;
}

/* Whose key signed the first of its texts, of any kind; and whose orders it has, for which game. */
static void claim(struct batch *batch, const struct reading *reading, struct envelope *envelope,
                  struct catalog_stuck *stuck)
{
    const struct player *sender = registry_by_address(&batch->registry, reading->msg.from);
    struct signer signer = {.sender = sender ? sender->name : NULL, .exact = STR_INIT, .text = STR_INIT};
    struct err why = ERR_INIT;
    struct frame frame;
    if (signer_find(&batch->keyring, envelope, &signer) == SIGNER_GOOD) {
        bool orders = frame_parse(slice_str(&signer.text), &frame, &why) == 0 && frame.kind == FRAME_ORDERS;
        if (orders || !*stuck->player)
            memcpy(stuck->player, signer.player, sizeof stuck->player);
        if (orders) {
            (void)snprintf(stuck->game, sizeof stuck->game, "%s", frame.game);
            stuck->turn = frame.turn;
        }
    }
    str_release(&signer.exact);
    str_release(&signer.text);
}

static void claim_all(struct batch *batch, struct reading *reading, struct catalog_stuck *stuck)
{
    for (size_t i = 0; reading->made && i < reading->envelope_count && !*stuck->game; i++)
        claim(batch, reading, &reading->envelopes[i], stuck);
}

/* Its state after one more failure. */
static void grow_old(const struct batch *batch, struct catalog_stuck *stuck, const struct err *why)
{
    int64_t now = batch->now, end = stuck->first + STUCK_MOST;
    (void)snprintf(stuck->words, sizeof stuck->words, "%.200s", why->text);
    if (is_ours(why)) {
        stuck->first = stuck->next = now;
        stuck->tries = 0;
        return;
    }
    if (stuck->state == STUCK_OVER || stuck->state == STUCK_UNTOLD)
        stuck->state = STUCK_UNTOLD;
    else if (why->code == ERR_UNSOUND)
        stuck->state = stuck->tries ? STUCK_OVER : STUCK_WAITS;
    else
        stuck->state = elapsed_over(&batch->outside, stuck->first, end, now) ? STUCK_OVER : STUCK_WAITS;
    stuck->tries++;
    stuck->next =
        stuck->state == STUCK_WAITS && why->code != ERR_UNSOUND ? now + pause_after(stuck->tries) : now;
}

/* A mail; its owner is found in `reading`, or was in `hand`; either may be NULL. */
struct stuck_one {
    const unsigned char *digest;
    const struct incoming *incoming; /* or NULL */
    struct reading *reading;
    const struct at_hand *hand;
};

/* In the log of mails it waits, or is about to be given up. */
static int log_stuck(struct batch *batch, const struct stuck_one *mail, const struct catalog_stuck *stuck,
                     struct err *err)
{
    struct catalog_mail line;
    bool named = mail->reading || *stuck->game; /* else it may be grey press */
    mail_log_line(batch,
                  &(struct logged_mail){.digest = mail->digest,
                                        .incoming = mail->incoming,
                                        .reading = mail->reading,
                                        .signer = named ? stuck->player : ""},
                  &line);
    (void)snprintf(line.words, sizeof line.words, "%s%s%s failed, and is %s: %s",
                   *stuck->game ? "orders" : "it", *stuck->game ? " " : "", stuck->game,
                   stuck->state == STUCK_WAITS ? "tried again" : "given up", stuck->words);
    return mail_log_put(batch, &line, err);
}

static int put_mail(struct batch *batch, const struct stuck_one *mail, const struct err *why, struct err *err)
{
    const unsigned char *digest = mail->digest;
    const struct at_hand *hand = mail->hand;
    struct catalog_stuck stuck;
    char name[17];
    bool found = false;
    if (catalog_get_stuck(batch->catalog, digest, &stuck, &found, err))
        return -1;
    if (!found || stuck.state == STUCK_GIVEN) {
        stuck = (struct catalog_stuck){.state = STUCK_WAITS, .first = batch->now};
        memcpy(stuck.digest, digest, sizeof stuck.digest);
    }
    if (mail->reading && !*stuck.player)
        claim_all(batch, mail->reading, &stuck);
    if (hand && *hand->player) {
        memcpy(stuck.player, hand->player, sizeof stuck.player);
        (void)snprintf(stuck.game, sizeof stuck.game, "%s", hand->game);
        stuck.turn = hand->turn;
    }
    const struct catalog_stuck claimed = stuck;
    if (why->code == ERR_UNSOUND) /* no turn waits for it, nor has time because of it */
        stuck.game[0] = '\0';
    grow_old(batch, &stuck, why);
    program_print(stuck.program);
    hex_to(name, digest, 8);
    log_error("mail %s%s%s could not be worked on and %s, the others go on: %s", name,
              *stuck.player ? " of " : "", stuck.player,
              stuck.state == STUCK_WAITS ? "stays where it is" : "is given up", why->text);
    if (catalog_put_stuck(batch->catalog, &stuck, err) || wake(batch, &claimed, err) ||
        log_stuck(batch, mail, &stuck, err))
        return -1;
    lift(batch, digest);
    if (add_orders(batch, &stuck, err))
        return -1;
    return why->code == ERR_UNSOUND && stuck.state != STUCK_UNTOLD;
}

int stuck_mail(struct batch *batch, const struct incoming *mail, struct reading *reading,
               const struct err *why, struct err *err)
{
    unsigned char digest[32];
    message_digest(digest, slice_str(&mail->raw));
    return put_mail(batch, &(struct stuck_one){digest, mail, reading, NULL}, why, err);
}

/* ---- a game ---- */

static void name_digest(unsigned char digest[32], const char *game)
{
    crypto_generichash(digest, 32, (const unsigned char *)game, strlen(game), NULL, 0);
}

/* What is noted of it; a new one, unless *found. */
static int get_named(struct batch *batch, const char *name, struct catalog_stuck *stuck, bool *found,
                     struct err *err)
{
    unsigned char digest[32];
    name_digest(digest, name);
    if (catalog_get_stuck(batch->catalog, digest, stuck, found, err))
        return -1;
    if (*found)
        return 0;
    *stuck = (struct catalog_stuck){.state = STUCK_GAME, .first = batch->now};
    memcpy(stuck->digest, digest, sizeof stuck->digest);
    (void)snprintf(stuck->game, sizeof stuck->game, "%s", name);
    return 0;
}

int stuck_note(struct batch *batch, const char *game, const struct err *why, struct err *err)
{
    struct catalog_stuck stuck;
    bool found = false;
    if (get_named(batch, game, &stuck, &found, err))
        return -1;
    grow_old(batch, &stuck, why);
    stuck.state = STUCK_GAME;
    program_print(stuck.program);
    if (catalog_put_stuck(batch->catalog, &stuck, err))
        return -1;
    return catalog_defer(batch->catalog, game, batch->now + STUCK_GAME_PAUSE, err);
}

int stuck_game(struct batch *batch, const char *game, const struct err *why, struct err *err)
{
    log_error("game %s stands still, the others go on: %s", game, why->text);
    return stuck_note(batch, game, why, err);
}

int stuck_unread(struct batch *batch, struct err *err)
{
    const char *game;
    json_t *words;
    int rc = 0;
    json_object_foreach (batch->unread, game, words) {
        struct err why = ERR_INIT;
        (void)err_set(&why, ERR_BROKEN, "%s", json_string_value(words));
        rc = rc ? rc : stuck_note(batch, game, &why, err);
    }
    if (rc == 0)
        json_object_clear(batch->unread);
    return rc;
}

static int add_untold(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    struct file_names *names = arg;
    size_t cap = names->count; /* few, so each time by one */
    if (stuck->state != STUCK_GAME || stuck->told)
        return 0;
    names->name = mem_grow(names->name, names->count, &cap, sizeof *names->name);
    names->name[names->count++] = mem_strdup(stuck->game);
    return 0;
}

int stuck_untold(struct batch *batch, struct file_names *names, struct err *err)
{
    *names = (struct file_names){NULL, 0};
    return catalog_each_stuck(batch->catalog, add_untold, names, err);
}

int stuck_told(struct batch *batch, const char *name, struct err *err)
{
    struct catalog_stuck stuck;
    bool found = false;
    if (get_named(batch, name, &stuck, &found, err))
        return -1;
    stuck.told = true;
    return found ? catalog_put_stuck(batch->catalog, &stuck, err) : 0;
}

int stuck_game_mended(struct batch *batch, const char *game, struct err *err)
{
    unsigned char digest[32];
    name_digest(digest, game);
    return catalog_drop_stuck(batch->catalog, digest, err);
}

/* ---- a process that died ---- */

int stuck_suspects(struct batch *batch, struct err *err)
{
    struct at_hands *hands = batch->league->hands;
    struct err why = ERR_INIT;
    if (!hands || !hands->signal)
        return 0;
    err_set(&why, ERR_BROKEN, DEADLY " by signal %d (%s) while it worked on it", hands->signal,
            strsignal(hands->signal));
    const struct at_hand *hand = &hands->before;
    hands->signal = 0;
    batch->broken++;
    if (hand->kind == HAND_MAIL)
        return put_mail(batch, &(struct stuck_one){hand->digest, NULL, NULL, hand}, &why, err);
    return stuck_game(batch, hand->game, &why, err);
}

bool stuck_is_deadly(struct batch *batch, const char *game)
{
    struct catalog_stuck stuck;
    struct err ignored = ERR_INIT; /* then it will be looked at */
    unsigned char digest[32];
    bool found = false;
    name_digest(digest, game);
    return catalog_get_stuck(batch->catalog, digest, &stuck, &found, &ignored) == 0 && found &&
           str_starts(stuck.words, DEADLY) && stuck.next > batch->now;
}

/* ---- at once ---- */

static int retry_one(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    struct catalog *catalog = arg;
    struct catalog_stuck now = *stuck;
    if (stuck->state == STUCK_GIVEN)
        return catalog_drop_stuck(catalog, stuck->digest, err);
    now.next = 0;
    now.state = STUCK_WAITS;
    return stuck->state == STUCK_GAME || stuck->state == STUCK_PLAYER ? 0
                                                                      : catalog_put_stuck(catalog, &now, err);
}

int stuck_retry(struct catalog *catalog, struct err *err)
{
    return catalog_each_stuck(catalog, retry_one, catalog, err);
}
