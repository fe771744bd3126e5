/* Rounds of work: whether the service stood still before one, and whether the clock of the host can be right.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "batch/absent.h"
#include "batch/at_hand.h"
#include "batch/batch_parts.h"
#include "league/registry_marks.h"
#include "batch/rounds.h"
#include "batch/stuck.h"
#include "league/usual.h"

#define USUAL_LEAST  3600
#define USUAL_KEPT   ((USUAL_DAYS + 14) * DAY_SECONDS) /* the pauses before the last 28 days' are no use */
#define JUMP         DAY_SECONDS
#define RHYTHM_FIRST DAY_SECONDS
#define RHYTHM_FADES (3 * DAY_SECONDS)
#define OUTAGES_KEPT (200 * DAY_SECONDS) /* longer than anything ever waits */

/* ---- pauses ---- */

static void add_pause(void *arg, const struct catalog_pause *pause)
{
    struct batch *batch = arg;
    batch->pauses.cut |= pause->from < batch->now && pause->to > batch->now;
    if (pause->to > batch->now + DAY_SECONDS || pause->from > batch->now)
        return; /* made by a clock that was ahead */
    batch->pauses.list = mem_grow(batch->pauses.list, batch->outside.pause_count, &batch->pauses.cap,
                                  sizeof *batch->pauses.list);
    batch->pauses.list[batch->outside.pause_count++] = (struct pause){pause->from, pause->to, pause->outage};
    batch->outside.pauses = batch->pauses.list;
}

/* Is it one of the pauses of this host: learnt, declared, or one round left out? */
static bool is_usual(struct batch *batch, const struct catalog_clock *clock, const struct pause *pause)
{
    const struct config *config = &batch->league->config;
    struct err ignored = ERR_INIT; /* league.ini names the zone, and is checked */
    const struct zone *zone = zones_find(&batch->zones, config->league.timezone, &ignored);
    return pause->to - pause->from <= 2 * clock->usual ||
           pause_explained(config, zone, batch->pauses.list, batch->outside.pause_count, pause);
}

/* The pause before now, and those before it. */
static int look_back(struct batch *batch, const struct catalog_clock *clock, struct err *err)
{
    int64_t outage = batch->league->config.clock.outage;
    struct catalog_pause pause = {clock->done, batch->now, false};
    batch->outside.pause_count = 0;
    batch->pauses.open = batch->pauses.cut = false;
    if (catalog_each_pause(batch->catalog, add_pause, batch, err))
        return -1;
    if (!clock->done || !outage || batch->now - clock->done <= outage)
        return 0;
    pause.outage = !is_usual(batch, clock, &(struct pause){pause.from, pause.to, false});
    add_pause(batch, &pause);
    batch->pauses.open = true;
    return 0;
}

int64_t batch_since(const struct batch *batch, int64_t keep)
{
    int64_t since = batch->now - keep;
    for (size_t i = batch->outside.pause_count; i > 0 && batch->pauses.list[i - 1].to > since; i--) {
        const struct pause *pause = &batch->pauses.list[i - 1];
        int64_t length = pause->to - pause->from;
        since -= pause->outage && pause->to <= batch->now && length > JUMP ? length - JUMP : 0;
    }
    return since;
}

int64_t batch_shaken(const struct batch *batch)
{
    int64_t until = 0;
    for (size_t i = 0; i < batch->outside.pause_count; i++) {
        const int64_t one = rounds_shaken(&batch->pauses.list[i], batch->now);
        until = one > until ? one : until;
    }
    return until;
}

/* According to the clock that was ahead they went on; but a round was done within them. Games that one of
 * them has put off are due sooner. */
static int end_pauses(struct batch *batch, struct err *err)
{
    bool counted = false;
    for (size_t i = 0; i < batch->outside.pause_count; i++)
        counted |= batch->pauses.list[i].from < batch->now && batch->pauses.list[i].to > batch->now;
    if (catalog_end_pauses(batch->catalog, batch->now, err))
        return -1;
    return counted ? catalog_wake(batch->catalog, NULL, err) : 0;
}

/* The pause has ended. */
static int keep_pause(struct batch *batch, struct err *err)
{
    if (!batch->pauses.open && !batch->pauses.cut)
        return 0;
    if (batch->pauses.open) {
        const struct pause *last = &batch->pauses.list[batch->outside.pause_count - 1];
        const struct catalog_pause pause = {last->from, last->to, last->outage};
        if (catalog_put_pause(batch->catalog, &pause, err))
            return -1;
        char text[CLOCK_TEXT];
        clock_utc(text, last->from);
        if (last->outage)
            log_warn("no round of work was completed since %s; turns that were due meanwhile got more time",
                     text);
    }
    if (batch->pauses.cut && end_pauses(batch, err))
        return -1;
    batch->pauses.open = batch->pauses.cut = false;
    return catalog_keep_pauses(batch->catalog, batch_since(batch, USUAL_KEPT),
                               batch_since(batch, OUTAGES_KEPT), err);
}

/* Also kept outside of the catalog, which is a cache. A failure here stops no work: without this copy only a
 * new catalog would not know of this round. */
static int set_clock(struct batch *batch, const struct catalog_clock *clock, struct err *err)
{
    struct err why = ERR_INIT;
    if (catalog_set_clock(batch->catalog, clock, err))
        return -1;
    if (rounds_write(batch->catalog, batch->league->dir, &why))
        log_warn("%s; work goes on, but if catalog.sqlite is lost as well, the time since the last record "
                 "counts as an outage: see to it that " ROUNDS_FILE " can be written",
                 why.text);
    return 0;
}

/* ---- rounds ---- */

int batch_look(struct batch *batch, int64_t now, struct catalog_clock *clock, struct err *err)
{
    batch->now = now;
    batch->outside.deaf = false;
    return catalog_clock(batch->catalog, clock, err) || look_back(batch, clock, err) ? -1 : 0;
}

/* The clock was put back: what it has dated before is for ever, and games go on from there. */
static void say_ahead(const struct batch *batch)
{
    struct str words = STR_INIT;
    if (league_log_ahead(batch->league, batch->now, &words))
        log_warn("%s", words.p);
    str_release(&words);
}

int batch_round(struct batch *batch, int64_t now, struct err *err)
{
    struct catalog_clock clock;
    if (batch_look(batch, now, &clock, err) || registry_marks_check(&batch->log, now, err) ||
        catalog_new_round(batch->catalog, err) || stuck_read(batch, err))
        return -1;
    if (now >= clock.done)
        return 0;
    say_ahead(batch);
    batch->competitions.look = batch->witnessing.look = true; /* what is due was counted by another time */
    return catalog_wake(batch->catalog, NULL, err);
}

/* What is usual grows in steps with the pauses that are too short for an outage, so that leaving out a single
 * round is not an outage yet. Longer pauses never count, or each outage would hide the next: those are usual
 * only if they come with a period (league/usual.h). */
static int64_t usual_after(const struct batch *batch, int64_t usual, int64_t pause)
{
    int64_t most = 4 * (usual > USUAL_LEAST ? usual : USUAL_LEAST);
    return pause < 0 || pause > batch->league->config.clock.outage ? usual : pause < most ? pause : most;
}

/* How far rounds are apart at most, for whoever asks how the league is (turnpost status): a day until something is
 * known, at once as much as the last pause, and back to less within days, as rounds done by hand between those of a
 * timer say little. What is too long for `usual` does not count either. */
static int64_t rhythm_after(const struct batch *batch, int64_t rhythm, int64_t pause)
{
    int64_t outage = batch->league->config.clock.outage, most = outage ? outage : RHYTHM_FIRST;
    rhythm = rhythm ? rhythm : RHYTHM_FIRST;
    if (pause < 0 || pause > most)
        return rhythm;
    return pause >= rhythm ? pause : rhythm - 1 - (rhythm - 1 - pause) * pause / RHYTHM_FADES;
}

int batch_round_deaf(struct batch *batch, const struct err *why, struct err *err)
{
    struct catalog_clock clock;
    if (catalog_clock(batch->catalog, &clock, err))
        return -1;
    if (!clock.deaf || clock.deaf > batch->now)
        clock.deaf = batch->now;
    clock.tried = batch->now;
    struct str words = STR_INIT;
    utf8_safe(&words, slice_of(why->text), false);
    utf8_cut(&words, sizeof clock.why - 1);
    (void)snprintf(clock.why, sizeof clock.why, "%s", words.p);
    str_release(&words);
    return set_clock(batch, &clock, err);
}

int batch_round_done(struct batch *batch, struct err *err)
{
    struct catalog_clock clock;
    if (catalog_clock(batch->catalog, &clock, err) || stuck_read(batch, err))
        return -1;
    if (keep_pause(batch, err) || absent_round_done(batch, err))
        return -1;
    if (batch->league->hands)
        batch->league->hands->careful = false; /* everything was processed */
    if (clock.done == batch->now && !clock.deaf && clock.waits == batch->unheard.waits)
        return 0;
    if (clock.done)
        clock.rhythm = rhythm_after(batch, clock.rhythm, batch->now - clock.done);
    clock.usual = clock.done ? usual_after(batch, clock.usual, batch->now - clock.done) : 0;
    clock.done = batch->now;
    clock.waits = batch->unheard.waits;
    clock.deaf = clock.tried = 0;
    clock.why[0] = '\0';
    return set_clock(batch, &clock, err);
}
