/* One piece of work that fails, linked only into turnpost-fault (Makefile, FAULT_CALLS): calls within one
 * mail or one game's clock get numbers, and one of them fails whenever that piece is worked on, however
 * often.
 *
 *   TURNPOST_PIECE=mail:TEXT:N:CODE   of the mail that holds this text, call N fails with this enum err_code;
 * 99 = the process dies TURNPOST_PIECE=game:ID:N:CODE     of this game's clock N = 0 counts: how many there
 * are stands in the file that TURNPOST_PIECES names
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch.h"
#include "intake/intake.h"
#include "petitions/petition.h"
#include "journal/record.h"

#define MARKS 64
#define CRASH 99

static char kind, what[64];
static long chosen;
static enum err_code code;

static bool hot;          /* the piece is being worked on */
static long points;       /* since it began, up to its commit */
static long highest;      /* of all times */
static char *mark[MARKS]; /* ids of the piece's mails, which are staged later */
static int marks;
static const struct outgoing *at_desk[MARKS]; /* those that are finished there */
static int waiting;

static FILE *count_file; /* opened at the start: the worker may not open it later */

/* The process that works has counted, not the one that began it. */
static void say_count(void)
{
    if (highest)
        (void)fprintf(count_file, "%ld\n", highest);
    (void)fclose(count_file);
}

__attribute__((constructor)) static void read_wish(void)
{
    const char *wish = getenv("TURNPOST_PIECE");
    const char *end = wish ? strrchr(wish, ':') : NULL;
    if (!end)
        return;
    kind = *wish;
    code = (enum err_code)atoi(end + 1);
    while (*--end != ':') {
    }
    chosen = atol(end + 1);
    wish = strchr(wish, ':') + 1;
    (void)snprintf(what, sizeof what, "%.*s", (int)(end - wish), wish);
    const char *path = getenv("TURNPOST_PIECES");
    count_file = path ? fopen(path, "w") : NULL;
    if (count_file)
        (void)atexit(say_count);
}

static bool fails(struct err *err)
{
    long number = __atomic_add_fetch(&points, 1, __ATOMIC_SEQ_CST);
    if (number > highest)
        highest = number;
    if (number == chosen && code == CRASH)
        __builtin_trap();
    return number == chosen && err_set(err, code, "call %ld of the piece was made to fail", number) != 0;
}

static void begin(bool is_it)
{
    hot = is_it;
    if (!is_it)
        return;
    points = 0;
    while (marks)
        free(mark[--marks]);
    waiting = 0;
}

/* ---- where the piece begins and ends ---- */

int __real_intake_mail(struct batch *, const struct incoming *, struct reading *, enum intake_fate *,
                       struct err *);
int __wrap_intake_mail(struct batch *, const struct incoming *, struct reading *, enum intake_fate *,
                       struct err *);
int __wrap_intake_mail(struct batch *batch, const struct incoming *mail, struct reading *reading,
                       enum intake_fate *fate, struct err *err)
{
    begin(kind == 'm' && slice_find(slice_str(&mail->raw), what) != (size_t)-1);
    int rc = __real_intake_mail(batch, mail, reading, fate, err);
    hot = false;
    return rc;
}

int __real_step_clock(struct step *, struct game *, struct err *);
int __wrap_step_clock(struct step *, struct game *, struct err *);
int __wrap_step_clock(struct step *step, struct game *game, struct err *err)
{
    begin(kind == 'g' && strcmp(game->id, what) == 0);
    if (hot && fails(err))
        return -1;
    return __real_step_clock(step, game, err); /* and batch_take, which comes after it */
}

int __real_batch_commit(struct batch *, struct err *);
int __wrap_batch_commit(struct batch *, struct err *);
int __wrap_batch_commit(struct batch *batch, struct err *err)
{
    hot = false;
    return __real_batch_commit(batch, err);
}

/* ---- what fails ---- */

#define WRAP(name, params, args)                            \
    int __real_##name params;                               \
    int __wrap_##name params;                               \
    int __wrap_##name params                                \
    {                                                       \
        return hot && fails(err) ? -1 : __real_##name args; \
    }

WRAP(petition_hear, (struct hearing * hearing, enum petition_fate *fate, struct err *err),
     (hearing, fate, err))
WRAP(step_orders,
     (struct step * step, struct game *game, const struct orders_input *input, enum orders_fate *fate,
      struct err *err),
     (step, game, input, fate, err))
WRAP(step_resolve, (struct step * step, struct game *game, struct err *err), (step, game, err))
WRAP(record_make,
     (struct str * out, const struct record_text *text, const unsigned char *secret, struct record *record,
      struct err *err),
     (out, text, secret, record, err))
WRAP(batch_take,
     (struct batch * batch, struct batch_game *game, struct step *step, const struct message *answered,
      struct err *err),
     (batch, game, step, answered, err))
WRAP(letters_post,
     (const struct letters *letters, const struct game *game, struct post *post, struct outgoing *mail,
      struct err *err),
     (letters, game, post, mail, err))
WRAP(letters_answer,
     (const struct letters *letters, const struct answer *answer, struct outgoing *mail, struct err *err),
     (letters, answer, mail, err))
WRAP(catalog_seen, (struct catalog * catalog, const unsigned char digest[32], bool *seen, struct err *err),
     (catalog, digest, seen, err))
WRAP(catalog_budget,
     (struct catalog * catalog, const struct catalog_reply *reply, bool *allowed, struct err *err),
     (catalog, reply, allowed, err))
WRAP(catalog_put_unread,
     (struct catalog * catalog, const struct catalog_unread *unread, int64_t until, struct err *err),
     (catalog, unread, until, err))
WRAP(catalog_past_unread, (struct catalog * catalog, const char *who, struct err *err), (catalog, who, err))
WRAP(registry_log_add,
     (struct registry_log * log, struct registry *registry, struct keyring *keyring,
      const struct registry_change *change, int64_t now, struct err *err),
     (log, registry, keyring, change, now, err))

/* ---- at the commit ---- */

void __real_batch_mail_add(struct batch *, struct outgoing *);
void __wrap_batch_mail_add(struct batch *, struct outgoing *);
void __wrap_batch_mail_add(struct batch *batch, struct outgoing *mail)
{
    if (hot && marks < MARKS)
        mark[marks++] = strdup(mail->id);
    __real_batch_mail_add(batch, mail);
}

int __real_spool_stage(const char *, struct outgoing *, struct err *);
int __wrap_spool_stage(const char *, struct outgoing *, struct err *);
int __wrap_spool_stage(const char *dir, struct outgoing *mail, struct err *err)
{
    for (int i = 0; i < marks; i++)
        if (strcmp(mark[i], mail->id) == 0 && fails(err))
            return -1;
    return __real_spool_stage(dir, mail, err);
}

void __real_desk_put(struct desk *, struct outgoing *);
void __wrap_desk_put(struct desk *, struct outgoing *);
void __wrap_desk_put(struct desk *desk, struct outgoing *mail)
{
    if (hot && waiting < MARKS)
        at_desk[waiting++] = mail;
    __real_desk_put(desk, mail);
}

int __real_letters_finish(const struct letters *, struct outgoing *, struct err *);
int __wrap_letters_finish(const struct letters *, struct outgoing *, struct err *);
int __wrap_letters_finish(const struct letters *letters, struct outgoing *mail, struct err *err)
{
    for (int i = 0; i < waiting; i++)
        if (at_desk[i] == mail && fails(err))
            return -1;
    return __real_letters_finish(letters, mail, err);
}
