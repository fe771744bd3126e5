#include "mail/imap.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mail/nap.h"
#include "base/clock.h"

#define IDLE_MS    1740000 /* 29 minutes: servers may hang up after 30 (RFC 2177) */
#define SLICE_MS   250     /* how soon it is seen that the wait is over */
#define LINE_BYTES 65536
#define TAG        "idle"

/* libetpan's own mailimap_idle loses an EXISTS that comes before the "+", and waits with select(): so the
 * four lines of IDLE are spoken here, over the same stream. */

struct waiting {
    struct imap *imap;
    MMAPString *buffer;          /* of one line */
    const struct nap_ends *ends; /* or NULL */
    bool news;                   /* a new mail has been told of */
    bool signal;                 /* a signal came */
};

/* Reads one line, and notes whether it announces a new mail. NULL when the connection broke. */
static const char *read_line(struct waiting *waiting)
{
    struct imap *imap = waiting->imap;
    const char *text = mailstream_read_line_remove_eol(imap->session->imap_stream, waiting->buffer);
    if (!text)
        return NULL;
    struct slice rest = slice_of(text);
    struct slice star;
    struct slice number;
    struct slice word;
    if (slice_word(&rest, &star) && slice_eq(star, "*") && slice_word(&rest, &number)) {
        if (slice_caseeq(number, "BYE")) {
            imap_stream_break(imap->stream, "it said goodbye");
            return NULL;
        }
        if (slice_word(&rest, &word) && (slice_caseeq(word, "EXISTS") || slice_caseeq(word, "RECENT")))
            waiting->news = true;
    }
    return text;
}

/* Reads up to the tagged answer. */
static int read_answer(struct waiting *waiting)
{
    const char *line;
    while ((line = read_line(waiting)))
        if (slice_starts(slice_of(line), TAG " "))
            return 0;
    return -1;
}

/* Something has happened: a mail, a signal, or what else ends the wait. */
static bool is_over(const struct waiting *waiting)
{
    return waiting->news || waiting->signal || nap_is_over(waiting->ends);
}

static bool is_stopped(const struct nap_ends *ends)
{
    return ends && ends->stop && *ends->stop;
}

/* Waits within IDLE until then, or until the time is over. */
static int listen_for_news(struct waiting *waiting, int64_t until)
{
    struct imap *imap = waiting->imap;
    while (!is_over(waiting)) {
        int64_t left = until - clock_milliseconds();
        if (left <= 0)
            return 0;
        /* A line may already be in libetpan's buffer. */
        int rc = 1;
        if (imap->session->imap_stream->read_buffer_len == 0)
            rc = imap_stream_wait(imap->stream, left < SLICE_MS ? (int)left : SLICE_MS);
        waiting->signal = rc < 0;
        imap_stream_expect(imap->stream, LINE_BYTES);
        if (rc > 0 && !read_line(waiting))
            return -1;
    }
    return 0;
}

/* One IDLE until `until`. */
static int idle(struct waiting *waiting, int64_t until)
{
    struct imap *imap = waiting->imap;
    imap_stream_expect(imap->stream, LINE_BYTES);
    if (imap_send(imap, TAG, "IDLE"))
        return -1;
    for (;;) {
        const char *line = read_line(waiting);
        if (!line)
            return -1;
        if (line[0] == '+')
            break;
        if (slice_starts(slice_of(line), TAG " ")) {
            imap->can_idle = false; /* IDLE was refused */
            return 0;
        }
    }
    if (listen_for_news(waiting, until))
        return -1;
    if (is_stopped(waiting->ends))
        imap_stream_expect_soon(imap->stream, LINE_BYTES, 500);
    else
        imap_stream_expect(imap->stream, LINE_BYTES);
    if (imap_send(imap, "", "DONE"))
        return -1;
    return read_answer(waiting);
}

int imap_wait(struct imap *imap, int seconds, const struct nap_ends *ends, struct err *err)
{
    if (imap_stream_broken(imap->stream))
        return imap_lost(imap, err);
    uids_clear(&imap->skipped);
    struct waiting waiting = {.imap = imap,
                              .buffer = mmap_string_new(""),
                              .ends = ends,
                              .news = imap->session->imap_selection_info->sel_has_exists};
    if (!waiting.buffer)
        exit(EXIT_NO_MEMORY);
    int64_t end = clock_milliseconds() + (int64_t)seconds * 1000;
    int rc = 0;
    while (rc == 0 && imap->can_idle && !is_over(&waiting) && clock_milliseconds() < end) {
        int64_t until = clock_milliseconds() + IDLE_MS;
        rc = idle(&waiting, until < end ? until : end);
    }
    mmap_string_free(waiting.buffer);
    if (rc != 0) {
        imap_stream_break(imap->stream, "its answer is not IMAP");
        /* When we are stopping, a slow server no longer matters. */
        return is_stopped(ends) ? 0 : imap_lost(imap, err);
    }
    if (!imap->can_idle && !waiting.news && !waiting.signal) {
        int64_t poll_end = clock_milliseconds() + (int64_t)imap->poll * 1000;
        (void)nap(poll_end < end ? poll_end : end, ends);
    }
    return 0;
}
