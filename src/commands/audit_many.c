/* Many games over all processors: a few processes, each takes the next game as soon as it has done one. Their
 * findings come back through pipes and are printed in the order of the command line. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "commands/audit.h"
#include "report/textfmt.h"

/* What a process sends for a game, before the words. */
struct head {
    size_t game, len;
    enum audit_verdict verdict;
    struct err err; /* code 0: none */
};

struct answer {
    bool there;
    struct str text;
    enum audit_verdict verdict;
};

/* In memory that all processes see. */
struct shared {
    atomic_size_t next; /* game */
};

struct crowd {
    const struct audit_games *games;
    const struct audit_how *how;
    struct shared *shared;
    int jobs, running;
    pid_t pid[AUDIT_JOBS];
    int pipe[AUDIT_JOBS]; /* -1 = it has ended */
    struct str in[AUDIT_JOBS];
    struct answer *answers;
    size_t printed, done;
    size_t *counts;
};

/* ---- in a process of its own ---- */

static bool send_all(int fd, const void *bytes, size_t len)
{
    const char *at = bytes;
    while (len) {
        ssize_t n = write(fd, at, len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static void work(const struct crowd *crowd, int fd)
{
    bool sent = true;
    for (size_t i = atomic_fetch_add(&crowd->shared->next, 1); sent && i < crowd->games->count;
         i = atomic_fetch_add(&crowd->shared->next, 1)) {
        struct str text = STR_INIT;
        struct head head;
        memset(&head, 0, sizeof head);
        head.game = i;
        if (audit_one(&crowd->games->list[i], crowd->how, &text, &head.verdict, &head.err))
            str_clear(&text);
        head.len = text.len;
        sent = send_all(fd, &head, sizeof head) && send_all(fd, text.p, text.len);
        str_release(&text);
    }
    _exit(sent ? 0 : 1);
}

/* ---- in the one that prints ---- */

static int begin(struct crowd *crowd, struct err *err)
{
    for (int i = 0; i < crowd->jobs; i++) {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0)
            return err_sys(err, ERR_IO, "cannot make a pipe");
        pid_t pid = fork();
        if (pid < 0) {
            close(ends[0]);
            close(ends[1]);
            return err_sys(err, ERR_TEMP, "cannot begin a process");
        }
        if (pid == 0) {
            close(ends[0]);
            work(crowd, ends[1]);
        }
        close(ends[1]);
        crowd->pid[i] = pid;
        crowd->pipe[i] = ends[0];
        crowd->running++;
    }
    return 0;
}

static void print_ready(struct crowd *crowd)
{
    while (crowd->printed < crowd->games->count && crowd->answers[crowd->printed].there) {
        struct answer *answer = &crowd->answers[crowd->printed++];
        log_progress_end();
        fputs(answer->text.p, stdout);
        str_release(&answer->text);
        crowd->counts[answer->verdict]++;
    }
    if (crowd->done < crowd->games->count)
        log_progress("%zu of %zu games", crowd->done, crowd->games->count);
}

/* Takes whole answers from what has come. */
static int take(struct crowd *crowd, struct str *in, struct err *err)
{
    struct head head;
    size_t at = 0;
    while (in->len - at >= sizeof head) {
        memcpy(&head, in->p + at, sizeof head);
        if (in->len - at < sizeof head + head.len)
            break;
        if (head.err.code)
            return err_pass(err, &head.err);
        struct answer *answer = &crowd->answers[head.game];
        answer->there = true;
        answer->verdict = head.verdict;
        str_add(&answer->text, in->p + at + sizeof head, head.len);
        crowd->done++;
        at += sizeof head + head.len;
    }
    memmove(in->p, in->p + at, in->len - at);
    str_cut(in, in->len - at);
    return 0;
}

static int listen_to(struct crowd *crowd, int i, struct err *err)
{
    char bytes[65536];
    ssize_t n = read(crowd->pipe[i], bytes, sizeof bytes);
    if (n < 0 && errno == EINTR)
        return 0;
    if (n > 0) {
        str_add(&crowd->in[i], bytes, (size_t)n);
        return take(crowd, &crowd->in[i], err);
    }
    close(crowd->pipe[i]);
    crowd->pipe[i] = -1;
    crowd->running--;
    return 0;
}

static int gather(struct crowd *crowd, struct err *err)
{
    while (crowd->running) {
        struct pollfd fds[AUDIT_JOBS];
        for (int i = 0; i < crowd->jobs; i++)
            fds[i] = (struct pollfd){crowd->pipe[i], POLLIN, 0}; /* -1 is passed over */
        if (poll(fds, (nfds_t)crowd->jobs, -1) < 0 && errno != EINTR)
            return err_sys(err, ERR_IO, "cannot wait for a process");
        for (int i = 0; i < crowd->jobs; i++)
            if (crowd->pipe[i] >= 0 && fds[i].revents && listen_to(crowd, i, err))
                return -1;
        print_ready(crowd);
    }
    return crowd->done == crowd->games->count
               ? 0
               : err_set(err, ERR_IO, "a process of the audit has ended too soon");
}

static void end(struct crowd *crowd)
{
    for (int i = 0; i < crowd->jobs; i++) {
        if (crowd->pipe[i] >= 0)
            close(crowd->pipe[i]); /* its next write ends it */
        if (crowd->pid[i] > 0)
            (void)waitpid(crowd->pid[i], NULL, 0);
        str_release(&crowd->in[i]);
    }
    for (size_t i = 0; i < crowd->games->count; i++)
        str_release(&crowd->answers[i].text);
    free(crowd->answers);
    (void)munmap(crowd->shared, sizeof *crowd->shared);
    log_progress_end();
}

static int by_crowd(const struct audit_games *games, const struct audit_how *how, size_t *counts,
                    struct err *err)
{
    struct crowd crowd = {.games = games, .how = how, .counts = counts, .jobs = how->jobs};
    void *shared =
        mmap(NULL, sizeof *crowd.shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return err_sys(err, ERR_IO, "cannot share memory");
    crowd.shared = shared;
    atomic_init(&crowd.shared->next, 0);
    crowd.answers = mem_array(games->count, sizeof *crowd.answers);
    for (size_t i = 0; i < games->count; i++)
        str_init(&crowd.answers[i].text);
    for (int i = 0; i < AUDIT_JOBS; i++) {
        crowd.pipe[i] = -1;
        str_init(&crowd.in[i]);
    }
    (void)fflush(stdout);
    int rc = begin(&crowd, err) || gather(&crowd, err) ? -1 : 0;
    end(&crowd);
    return rc;
}

int audit_many(const struct audit_games *games, const struct audit_how *how, size_t counts[AUDIT_VERDICTS],
               struct err *err)
{
    struct audit_how less = *how;
    if ((size_t)less.jobs > games->count)
        less.jobs = (int)games->count;
    if (less.jobs > 1)
        return by_crowd(games, &less, counts, err);
    for (size_t i = 0; i < games->count; i++) {
        struct str text = STR_INIT;
        enum audit_verdict verdict;
        int rc = audit_one(&games->list[i], how, &text, &verdict, err);
        if (rc == 0 && !how->json && isatty(STDOUT_FILENO)) {
            struct str lines = STR_INIT;
            textfmt(&lines, slice_str(&text), TEXTFMT_WIDTH);
            fputs(lines.p, stdout);
            str_release(&lines);
        } else if (rc == 0) {
            fputs(text.p, stdout);
        }
        str_release(&text);
        if (rc)
            return -1;
        counts[verdict]++;
    }
    return 0;
}
