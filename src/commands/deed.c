#include "commands/deed.h"
#include "commands/believed.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/missing.h"
#include "commands/queue.h"
#include "league/registry_marks.h"
#include "mail/message.h"

/* ---- what the command line says ---- */

void deed_init(struct deed *deed, const struct deed_kind *kind)
{
    memset(deed, 0, sizeof *deed);
    deed->kind = kind;
    deed->wishes = mem_alloc(kind->size ? kind->size : 1);
    str_init(&deed->text);
    str_init(&deed->said);
    deed->warned = json_array();
}

void deed_release(struct deed *deed)
{
    free(deed->wishes);
    str_release(&deed->text);
    str_release(&deed->said);
    json_decref(deed->warned);
}

int deed_flags(struct deed *deed, int *argc, char **argv, const struct flag *flags, const int range[2],
               const char *details)
{
    size_t count = 0;
    while (flags[count].name)
        count++;
    struct flag *all = mem_array(count + 2, sizeof *all); /* the last one is the end */
    memcpy(all, flags, count * sizeof *all);
    all[count] = (struct flag){"request", FLAG_TEXT, &deed->again, "ID", FLAG_REQUEST_HELP};
    int code = deed->checked ? flags_again(argc, argv, all, range[0], range[1])
                             : flags_parse(argc, argv, all, range[0], range[1], details);
    free(all);
    if (code < 0 && deed->again && !hex_decode(deed->id, sizeof deed->id, slice_of(deed->again)) &&
        !hex_decode(deed->id, sizeof deed->id / 2, slice_of(deed->again))) {
        log_error("%s: --request needs the 64 digits that were printed, or 32 of your own", deed->kind->name);
        code = EXIT_USAGE;
    }
    return code;
}

int deed_flags_alone(struct deed *deed, int *argc, char **argv, const int range[2], const char *details)
{
    const struct flag flags[] = {
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    return deed_flags(deed, argc, argv, flags, range, details);
}

void deed_about(struct deed *deed, struct slice game)
{
    if (game.len < sizeof deed->game && name_valid(game))
        memcpy(deed->game, game.p, game.len);
}

void deed_compete(struct deed *deed, struct slice competition)
{
    if (compete_name_valid(competition))
        memcpy(deed->competition, competition.p, competition.len);
}

void deed_say(struct deed *deed, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    str_vaddf(&deed->said, fmt, args);
    va_end(args);
}

void deed_warn(struct deed *deed, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    json_array_append_new(deed->warned, json_vtext(fmt, args));
    va_end(args);
}

/* ---- what was done before, and what has changed since ---- */

int deed_head(struct store *store, const char *game, char head[2 * HEAD_BYTES + 1], struct err *err)
{
    unsigned char bytes[HEAD_BYTES];
    struct str lines = STR_INIT;
    *head = '\0';
    if (!*game || !store_has(store, game))
        return 0;
    int rc = store_read(store, game, STORE_BEGIN, &lines, err);
    const char *end = lines.len ? memrchr(lines.p, '\n', lines.len) : NULL;
    if (rc == 0 && end) {
        size_t len = (size_t)(end - lines.p);
        const char *before = len ? memrchr(lines.p, '\n', len) : NULL;
        size_t from = before ? (size_t)(before - lines.p) + 1 : 0;
        record_head(bytes, slice_sub(slice_str(&lines), from, len + 1 - from));
        hex_to(head, bytes, sizeof bytes);
    }
    str_release(&lines);
    return rc;
}

/* In the journal of the game or the competition, the registry's, or, of what makes no record, among the mails that were answered. */
static int was_done(const struct deed *deed, const unsigned char id[32], bool *done, struct err *err)
{
    const struct batch *batch = deed->batch;
    enum registry_seen seen = REGISTRY_NEW;
    struct str lines = STR_INIT;
    int rc = batch_has_seen(batch, id, done, err);
    if (rc == 0 && !*done) {
        rc = registry_log_seen(&batch->log, id, id, &seen, err);
        *done = seen != REGISTRY_NEW;
    }
    if (rc == 0 && !*done && *deed->game && store_has(batch->store, deed->game)) {
        rc = store_read(batch->store, deed->game, STORE_BEGIN, &lines, err);
        *done = rc == 0 && record_lines_hold(slice_str(&lines), "request", id);
    }
    struct store *competitions = batch->competitions.store;
    if (rc == 0 && !*done && *deed->competition && store_has(competitions, deed->competition)) {
        str_clear(&lines);
        rc = store_read(competitions, deed->competition, STORE_BEGIN, &lines, err);
        *done = rc == 0 && record_lines_hold(slice_str(&lines), "request", id);
    }
    str_release(&lines);
    return rc;
}

static int check_head(const struct deed *deed, const struct deed_request *request, struct err *err)
{
    char head[2 * HEAD_BYTES + 1];
    if (deed_head(deed->batch->store, deed->game, head, err))
        return -1;
    if (strcmp(head, request->head) == 0)
        return 0;
    return err_set(
        err, ERR_STALE,
        "nothing was done: game %s has gone on since you typed this; look at it (turnpost show %s) "
        "and, if you still want it, repeat the command",
        deed->game, deed->game);
}

/* ---- doing it ---- */

/* It is committed: a state.json that cannot be written is made another time. */
static void put_down(struct batch *batch)
{
    struct err why = ERR_INIT;
    if (batch_rest(batch, 0, &why) == 0)
        return;
    log_warn("%s", why.text);
    batch_reset(batch, false);
}

static int act(struct deed *deed, const struct deed_request *request, struct err *err)
{
    struct batch *batch = deed->batch;
    size_t broken = batch->broken;
    int rc = batch_begin(batch, err);
    if (rc)
        return rc;
    rc = deed->kind->act(deed, err);
    if (rc == 0)
        batch_see(batch, request->id);
    if (rc == 0)
        rc = batch_commit(batch, err);
    if (rc && !batch->torn) {
        struct err own = ERR_INIT;
        if (batch_rewind(batch, &own))
            log_error("%s", own.text);
    }
    if (rc == 0 && batch->broken > broken)
        rc = err_set(err, ERR_IO, "the game could not be written; nothing has changed in it");
    if (rc == 0 && deed->kind->say)
        deed->kind->say(deed);
    if (!batch->torn)
        batch_reset(batch, true);
    if (rc == 0)
        put_down(batch);
    return rc;
}

int deed_do(struct deed *deed, struct batch *batch, const struct deed_request *request, struct err *err)
{
    bool done = false;
    deed->batch = batch;
    if (was_done(deed, request->id, &done, err))
        return -1;
    if (done) {
        deed_say(deed, "It is done. What it said is lost, because the program was ended right after it.\n");
        return 0;
    }
    if (request->why_not.code)
        return err_pass(err, &request->why_not);
    if ((request->waited && check_head(deed, request, err)) || batch_wait_desk(batch, err))
        return -1;
    struct desk *desk = batch->desk; /* `as` reads its answer, which the desk would still have to write */
    batch->desk = NULL;
    batch->cause.request = request->id;
    int rc = act(deed, request, err);
    batch->cause.request = NULL;
    struct err later = ERR_INIT; /* the next start does it */
    if (rc == 0 && missing_work(batch, &later)) {
        log_warn("%s", later.text);
        rc = batch->torn ? err_pass(err, &later) : 0;
    }
    batch->desk = desk;
    if (rc)
        str_clear(&deed->said);
    deed->unknown = rc && batch->torn;
    return rc;
}

/* The last commit has failed when nobody can say how far it had come: the league is opened as after a crash, and asked. */
static int find_out(struct deed *deed, struct league *league, const struct deed_request *request,
                    struct err *err)
{
    struct batch batch;
    struct err why = ERR_INIT;
    bool done = false;
    char *dir = mem_strdup(league->dir);
    league_close(league);
    int rc = league_open(dir, true, league, &why);
    free(dir);
    if (rc == 0 && batch_open(&batch, league, flag_now(deed->now), &why) == 0) {
        deed->batch = &batch;
        rc = was_done(deed, request->id, &done, &why);
        deed->unknown = rc != 0;
        deed->batch = NULL;
        batch_close(&batch);
    }
    if (!done)
        return -1;
    log_info("%s", err->text);
    err_clear(err);
    deed_say(deed, "It is done. What it said is lost, because something went wrong right after it.\n");
    return 0;
}

int deed_alone(struct deed *deed, struct league *league, const struct deed_request *request, struct err *err)
{
    struct batch batch;
    league->mends_file = deed->mends_file;
    league->mends_keys = deed->mends_keys;
    if (deed->now ? believed_typed(league, deed->now, err) : believed_begin(league, err))
        return -1;
    mail_begin();
    int rc = batch_open(&batch, league, flag_now(deed->now), err);
    if (rc == 0) {
        rc = deed_do(deed, &batch, request, err);
        deed->batch = NULL;
        batch_close(&batch);
    }
    if (rc && deed->unknown)
        rc = find_out(deed, league, request, err);
    return rc;
}

/* ---- the command ---- */

/* One half of an id is luck, or the operator's own, the other follows from it, from the words and from the file that goes along. So no
 * two commands have one id. */
static int name(struct deed *deed, int argc, char **argv, struct err *err)
{
    enum { HALF = sizeof deed->id / 2 };
    unsigned char other[HALF];
    struct str all = STR_INIT;
    if (!deed->again)
        randombytes_buf(deed->id, HALF);
    str_add(&all, deed->id, HALF);
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--request") == 0)
            i++;
        else if (!str_starts(argv[i], "--request="))
            str_add(&all, argv[i], strlen(argv[i]) + 1);
    str_addslice(&all, slice_str(&deed->text));
    crypto_generichash(other, sizeof other, (const unsigned char *)all.p, all.len, NULL, 0);
    str_release(&all);
    if (deed->again && deed->again[(size_t)2 * HALF] && memcmp(deed->id + HALF, other, HALF) != 0)
        return err_set(
            err, ERR_CONFIG,
            "nothing was done: --request %s is the number of another command; repeat that one exactly "
            "as it was typed, or leave --request out",
            deed->again);
    memcpy(deed->id + HALF, other, HALF);
    return 0;
}

static int bring(struct deed *deed, int argc, char **argv, struct err *err)
{
    if (deed->file && command_read(deed->file, deed->most, &deed->text, err))
        return -1;
    if (name(deed, argc, argv, err))
        return -1;
    if (deed->kind->bring && deed->kind->bring(deed, err))
        return -1;
    if (deed->kind->about)
        deed->kind->about(deed);
    return 0;
}

static int do_or_ask(struct deed *deed, int argc, char **argv, struct err *err)
{
    struct league league;
    struct deed_request request = {.why_not = ERR_INIT};
    const char *dir = flag_league(deed->dir);
    memcpy(request.id, deed->id, sizeof request.id);
    if (league_open(dir, true, &league, err) == 0) {
        int rc = deed_alone(deed, &league, &request, err);
        league_close(&league);
        return rc;
    }
    if (err->code != ERR_TEMP)
        return -1;
    err_clear(err);
    if (deed->now)
        return err_set(err, ERR_TEMP,
                       "somebody works on this league, by the system's clock: --now is possible only while "
                       "nobody does, so stop the daemon first");
    return queue_ask(deed, argc, argv, err);
}

static void print(const struct deed *deed)
{
    size_t i;
    json_t *item;
    json_array_foreach (deed->warned, i, item)
        log_warn("%s", json_string_value(item));
    (void)fwrite(deed->said.p, 1, deed->said.len, deed->kind->makes ? command_made() : stdout);
}

/* What can be repeated, is: as the same command, which is done once. With --now it was a trial. */
static int fail(const struct deed *deed, const struct err *err)
{
    char id[65];
    hex_to(id, deed->id, sizeof deed->id);
    int code = command_fail(err);
    if (deed->unknown)
        log_error(
            "whether it was done is not known: repeat the command with --request %s, and it is done once",
            id);
    else if (!deed->now && (err->code == ERR_TEMP || err->code == ERR_IO))
        log_error(
            "to repeat the command: --request %s (it is done once, whatever has happened to the first one)",
            id);
    return code;
}

int deed_run(const struct deed_kind *kind, int argc, char **argv)
{
    struct deed deed;
    struct err err = ERR_INIT;
    char **typed = mem_copy(argv, ((size_t)argc + 1) * sizeof *argv); /* reading moves them */
    int typed_count = argc;
    deed_init(&deed, kind);
    int code = kind->read(&deed, argc, argv);
    if (code < 0) {
        bool tried = bring(&deed, typed_count, typed, &err) == 0;
        int rc = tried ? do_or_ask(&deed, typed_count, typed, &err) : -1;
        print(&deed);
        code = rc == 0 ? 0 : tried ? fail(&deed, &err) : command_fail(&err);
    }
    deed_release(&deed);
    free(typed);
    return code;
}
