#include "work/showing.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "board/board.h"

static bool stopped(const struct showing *showing)
{
    return showing->stop && *showing->stop;
}

/* In the easel's thread. */
static int draw(void *arg, struct slice shows, struct str *svg, struct err *err)
{
    json_t *facts = json_read(shows, "what a picture shows", err);
    int rc = facts ? board_draw(facts, arg, svg, err) : -1;
    json_decref(facts);
    return rc;
}

int showing_begin(struct showing *showing, struct batch *batch, const volatile bool *stop, struct err *err)
{
    *showing = (struct showing){.batch = batch, .stop = stop};
    if (undecided_read(batch->spool, &showing->undecided, err))
        return -1;
    size_t count = showing->undecided.count;
    if (!count)
        return 0;
    showing->dir = league_path(batch->league, PICTURES_FOLDER);
    showing->end = clock_milliseconds() + (int64_t)SHOWING_SECONDS * 1000;
    showing->digests = mem_array(count, sizeof *showing->digests);
    showing->copies = mem_array(count, sizeof *showing->copies);
    for (size_t i = 0; i < count; i++) {
        memcpy(showing->copies[i], showing->undecided.list[i].digest, PICTURE_DIGEST);
        showing->digests[i] = showing->copies[i];
    }
    char *templates = league_path(batch->league, "templates");
    templates_open(templates, &showing->templates);
    free(templates);
    showing->easel = easel_begin(&(struct easel_work){.dir = showing->dir,
                                                      .digests = showing->digests,
                                                      .count = count,
                                                      .painter = batch->league->painter,
                                                      .draw = draw,
                                                      .arg = showing->templates});
    if (!showing->easel)
        log_warn("no picture can be painted now; mails leave without");
    return 0;
}

static void decide_one(const struct showing *showing, struct undecided *one)
{
    struct str png = STR_INIT;
    struct err err = ERR_INIT;
    if (pictures_get(showing->dir, one->digest, &png, &err) == 0)
        undecided_illustrate(showing->batch->spool, one, slice_str(&png), &err);
    if (err.code && err.code != ERR_MISSING)
        log_warn("%s; a mail leaves without its picture", err.text);
    str_release(&png);
}

int showing_decide(struct showing *showing, struct err *err)
{
    size_t left = showing->undecided.count;
    if (!left)
        return 0;
    bool late = !showing->easel || clock_milliseconds() >= showing->end;
    size_t known = late ? left : easel_done(showing->easel) - showing->settled;
    for (size_t i = 0; i < known; i++)
        decide_one(showing, &showing->undecided.list[i]);
    showing->settled += known;
    return undecided_settle(showing->batch->spool, &showing->undecided, known, showing->batch->now, err);
}

bool showing_wait(struct showing *showing)
{
    size_t left = showing->undecided.count;
    size_t some =
        showing->settled + (left + 1) / 2; /* so that few are sent alone, and there are few rounds */
    if (!left || !showing->easel)
        return false;
    while (!stopped(showing) && easel_done(showing->easel) < some && clock_milliseconds() < showing->end)
        easel_wait(showing->easel, some, showing->end);
    return !stopped(showing);
}

void showing_end(struct showing *showing)
{
    struct err err = ERR_INIT;
    bool dead = false;
    if (showing->easel) {
        easel_end(showing->easel, stopped(showing), &dead);
        if (dead)
            showing->batch->league->painter = -1;
        if (pictures_tidy(showing->dir, PICTURES_MOST, &err))
            log_warn("%s", err.text);
    }
    undecided_free(&showing->undecided);
    templates_close(showing->templates);
    free(showing->digests);
    free(showing->copies);
    free(showing->dir);
}
