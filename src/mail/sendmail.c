#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/mem.h"
#include "mail/nap.h"
#include "base/clock.h"
#include "mail/sink_parts.h"

#define DEFAULT_SECONDS 120
#define WORDS_MAX       2000

/* A running command. Its standard input, output and error are one end of a socket pair: so that writing to a
 * command that has ended is an error and not a SIGPIPE. */
struct child {
    pid_t pid;
    int fd;
    struct str words; /* what it printed */
    int64_t end;      /* clock_milliseconds */
};

static int spawn(struct child *child, const char *command, const char *from, const char *to, struct err *err)
{
    static char shell[] = "sh";
    static char flag[] = "-c";
    int pair[2];
    struct str line = STR_INIT;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return err_sys(err, ERR_TEMP, "cannot run %s", command);
    /* The addresses are arguments and never part of the shell's text. */
    str_addf(&line, "%s -i -f \"$1\" -- \"$2\"", command);
    char *argv[] = {shell, flag, line.p, shell, mem_strdup(from), mem_strdup(to), NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t none;
    sigset_t all;
    (void)sigemptyset(&none);
    (void)sigfillset(&all);
    int rc = posix_spawn_file_actions_init(&actions);
    rc = rc ? rc : posix_spawnattr_init(&attr);
    for (int fd = 0; fd <= 2 && rc == 0; fd++)
        rc = posix_spawn_file_actions_adddup2(&actions, pair[1], fd);
    /* A process group of its own, so that a time-out ends the shell's children too. */
    if (rc == 0)
        rc = posix_spawnattr_setflags(&attr,
                                      POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (rc == 0)
        rc = posix_spawnattr_setsigmask(&attr, &none);
    if (rc == 0)
        rc = posix_spawnattr_setsigdefault(&attr, &all);
    if (rc == 0)
        rc = posix_spawn(&child->pid, "/bin/sh", &actions, &attr, argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    (void)posix_spawnattr_destroy(&attr);
    close(pair[1]);
    child->fd = pair[0];
    if (rc != 0) {
        close(child->fd);
        errno = rc;
        (void)err_sys(err, ERR_TEMP, "cannot run %s", command);
    }
    free(argv[4]);
    free(argv[5]);
    str_release(&line);
    return rc ? -1 : 0;
}

/* Collects what the command printed. False at its end of file. */
static bool take_words(struct child *child)
{
    char buf[1024];
    ssize_t n = recv(child->fd, buf, sizeof buf, MSG_DONTWAIT);
    if (n > 0 && child->words.len < WORDS_MAX)
        str_add(&child->words, buf, (size_t)n);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Feeds the mail and reads what comes back, until the command has closed its end or the time is over. */
static void feed(struct child *child, struct slice mail)
{
    bool writing = true;
    bool reading = true;
    while (reading && clock_milliseconds() < child->end) {
        if (writing && mail.len == 0) {
            (void)shutdown(child->fd, SHUT_WR);
            writing = false;
        }
        struct pollfd p = {.fd = child->fd, .events = (short)(POLLIN | (writing ? POLLOUT : 0))};
        int64_t left = child->end - clock_milliseconds();
        if (poll(&p, 1, left > 0 ? (left > 60000 ? 60000 : (int)left) : 0) <= 0)
            continue;
        if (p.revents & (POLLIN | POLLHUP | POLLERR))
            reading = take_words(child);
        if (writing && (p.revents & POLLOUT)) {
            ssize_t n = send(child->fd, mail.p, mail.len, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (n > 0)
                mail = slice_sub(mail, (size_t)n, mail.len);
            else if (n < 0 && errno != EAGAIN && errno != EINTR)
                writing = false; /* it wants no more; its exit code says why */
        }
    }
}

/* The exit code, or -1 after a signal or the end of the time. */
static int collect(struct child *child)
{
    int status = 0;
    pid_t got = 0;
    for (int ms = 1; clock_milliseconds() < child->end; ms = ms < 20 ? ms * 2 : 20) {
        got = waitpid(child->pid, &status, WNOHANG);
        if (got != 0 && !(got < 0 && errno == EINTR))
            break;
        (void)nap(clock_milliseconds() + ms, NULL);
    }
    if (got == 0) {
        (void)kill(-child->pid, SIGKILL);
        while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
            continue;
        str_adds(&child->words, " (it took too long and was ended)");
        return -1;
    }
    return got == child->pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* What an exit code means (sysexits.h): false when the command itself is unusable. When in doubt a mail is tried
 * again; the spool gives it up in the end. A program that has asked a server itself shows the answer, which says more
 * than the few codes do. */
static bool read_end(const struct sendmail_end *end, enum answer_about *about)
{
    switch (end->code) {
    case EX_USAGE:
    case EX_NOPERM:
    case EX_CONFIG:
    case 126: /* the shell: not executable, not found */
    case 127: return false;
    default: break;
    }
    if (!answer_printed(slice_str(&end->words), about))
        *about = end->code == EX_NOUSER ? ABOUT_RECIPIENT : end->code == EX_DATAERR ? ABOUT_MAIL : ABOUT_NOW;
    if (end->code == EX_TEMPFAIL && *about != ABOUT_US)
        *about = ABOUT_NOW;
    return true;
}

int sendmail_run(const struct sink *sink, const struct sendmail_mail *mail, struct sendmail_end *end,
                 struct err *err)
{
    int seconds = sink->smtp.timeout > 0 ? sink->smtp.timeout : DEFAULT_SECONDS;
    struct child child = {.words = STR_INIT, .end = clock_milliseconds() + (int64_t)seconds * 1000};
    if (!address_valid(mail->to) || (*mail->from && !address_valid(mail->from)))
        return err_set(err, ERR_INPUT, "\"%s\" or \"%s\" is no mail address", mail->from, mail->to);
    if (spawn(&child, sink->command, mail->from, mail->to, err))
        return -1;
    feed(&child, mail->text);
    end->code = collect(&child);
    close(child.fd);
    str_trim(&child.words);
    end->words = child.words;
    return 0;
}

static int send_one(struct sink_run *run, size_t index, enum spool_fate *became, struct err *err)
{
    const struct sink *sink = run->sink;
    struct outgoing mail;
    int rc = sink_load(run, index, &mail, err);
    *became = SPOOL_REFUSED; /* or gone */
    if (rc != 0)
        return rc > 0 ? 0 : -1;
    struct sendmail_end end = {0, STR_INIT};
    struct str text = STR_INIT;
    sink_lf(&text, slice_str(&mail.mail));
    const struct sendmail_mail one = {mail.envelope_from, mail.envelope_to, slice_str(&text)};
    rc = (sink->run ? sink->run : sendmail_run)(sink, &one, &end, err);
    enum answer_about about = ABOUT_NOW;
    bool settle = true;
    if (rc == 0 && end.code == EX_OK) {
        *became = SPOOL_SENT;
        sink_taken(run->answers);
    } else if (rc == 0 && !read_end(&end, &about)) {
        rc = err_set(err, ERR_CONFIG, "the command \"%s\" cannot be used (exit code %d): %s", sink->command,
                     end.code, end.words.p);
    } else if (rc == 0) {
        str_addf(&end.words, "%s(exit code %d)", end.words.len ? " " : "", end.code);
        settle = sink_refused(run->answers, &mail, about, end.words.p, became);
    }
    if (rc == 0 && settle)
        rc = sink_settle(run, index, *became, end.words.p, err);
    str_release(&end.words);
    str_release(&text);
    outgoing_release(&mail);
    return rc;
}

int sendmail_send(struct sink_run *run, struct err *err)
{
    enum spool_fate became;
    size_t index;
    int rc = 0;
    while (rc == 0 && !run->answers->paused && order_take(run->order, &index)) {
        rc = send_one(run, index, &became, err);
        order_done(run->order, index, became);
    }
    return rc;
}

int sendmail_check(const struct sink *sink, struct err *err)
{
    struct slice rest = slice_of(sink->command ? sink->command : "");
    struct slice word;
    if (!slice_word(&rest, &word))
        return err_set(err, ERR_CONFIG, "no command to send mail with is set");
    char *program = slice_dup(word);
    int rc = 0;
    /* A bare name is looked up by the shell. */
    if (strchr(program, '/') && access(program, X_OK) != 0)
        rc = err_sys(err, ERR_CONFIG, "cannot run %s to send mail", program);
    free(program);
    return rc;
}
