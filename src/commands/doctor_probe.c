/* Real mails: one to an address, or two to the league itself that are read back through its mailbox. */
#include "commands/doctor.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "league/registry.h"
#include "league/reply_token.h"
#include "mail/compose.h"
#include "mail/mail_id.h"
#include "mail/outgoing.h"
#include "mail/received.h"
#include "mail/sink.h"
#include "mail/source.h"
#include "mail/spool.h"

#define FETCH_MOST 100
#define LOOK_EVERY 2   /* seconds */
#define CLOCK_OFF  120 /* seconds that two clocks may differ */
#define NONCE      16  /* bytes */

/* ---- sending ---- */

struct sent {
    enum spool_fate fate;
    char words[400];
};

/* From the sink's threads; but there is one mail. */
static void hear(void *arg, const struct sink_news *news)
{
    struct sent *sent = arg;
    sent->fate = news->fate;
    (void)snprintf(sent->words, sizeof sent->words, "%s", news->words);
}

static void remove_spool(const char *spool)
{
    static const char *const folders[] = {"tmp", "new", "wait", "digest", "failed"};
    struct err ignored = ERR_INIT;
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        struct file_names names = {NULL, 0};
        char *dir = path_join(spool, folders[f]);
        if (file_list(dir, &names, &ignored) == 0)
            for (size_t i = 0; i < names.count; i++) {
                char *path = path_join(dir, names.name[i]);
                (void)unlink(path);
                free(path);
            }
        file_names_free(&names);
        (void)rmdir(dir);
        free(dir);
    }
    (void)rmdir(spool);
}

/* One mail of ours to `to`, with these words as its subject. */
struct note {
    const char *to, *subject, *text;
};

static void write_note(const struct league *league, const struct note *note, struct outgoing *mail)
{
    const struct config *config = &league->config;
    char id[MAIL_ID_TEXT];
    struct str name = STR_INIT, message_id = STR_INIT, path = STR_INIT;
    unsigned char dice[8];
    randombytes_buf(dice, sizeof dice);
    str_addf(&name, "doctor %s %s", note->to, note->subject);
    str_add(&name, (const char *)dice, sizeof dice);
    const struct mail_id about = mail_id_about(slice_str(&name), 0);
    mail_id_write(id, &about);
    str_addf(&message_id, "%s%s", id, strrchr(config->league.address, '@'));
    *mail = (struct outgoing)OUTGOING_INIT;
    mail->state = OUTGOING_COMPOSED;
    mail->id = mem_strdup(id);
    if (*config->outgoing.bounce_address) /* as with reports */
        reply_token_address(&path, config->outgoing.bounce_address, config_detail(config), id);
    mail->envelope_from = str_detach(&path);
    mail->envelope_to = mem_strdup(note->to);
    const struct letter letter = {.from = config->league.address,
                                  .from_name = config->league.name,
                                  .to = note->to,
                                  .subject = note->subject,
                                  .message_id = message_id.p,
                                  .loop = config->league.address,
                                  .date = clock_system(),
                                  .text = note->text};
    compose(&mail->mail, &letter);
    str_release(&name);
    str_release(&message_id);
}

static int send_spooled(const struct league *league, const char *spool, struct sent *sent, struct err *err)
{
    struct sink sink;
    struct sink_counts counts = {0};
    char *secret = NULL;
    int rc = league_sink(league, &sink, &secret, err);
    if (rc == 0)
        rc = sink_send(&sink,
                       &(struct sink_round){.spool = spool, .now = clock_system(), .told = hear, .arg = sent},
                       &counts, err);
    if (secret)
        sodium_memzero(secret, strlen(secret));
    free(secret);
    return rc;
}

/* By the way of all mails, from a spool of its own, so that nothing else leaves with it. ERR_TEMP or ERR_INPUT
 * with the server's words when it was not taken. */
static int send_note(const struct league *league, const struct note *note, struct sent *sent, struct err *err)
{
    char spool[] = "/tmp/turnpost-doctor-XXXXXX";
    struct outgoing mail;
    *sent = (struct sent){.fate = SPOOL_LATER};
    if (!mkdtemp(spool))
        return err_sys(err, ERR_IO, "cannot make a folder in /tmp");
    write_note(league, note, &mail);
    int rc = spool_init(spool, err);
    if (rc == 0)
        rc = spool_stage(spool, &mail, err);
    if (rc == 0)
        rc = spool_promote(spool, mail.id, err);
    if (rc == 0)
        rc = send_spooled(league, spool, sent, err);
    if (rc == 0 && sent->fate != SPOOL_SENT)
        rc = err_set(err, sent->fate == SPOOL_REFUSED ? ERR_CONFIG : ERR_TEMP,
                     "a mail to %s was not taken%s%s", note->to, *sent->words ? ": " : "", sent->words);
    outgoing_release(&mail);
    remove_spool(spool);
    return rc;
}

void doctor_send(struct findings *findings, const struct league *league, const char *address)
{
    struct sent sent;
    struct err err = ERR_INIT;
    const struct note note = {
        address, "A test mail",
        "The operator of this league has sent this mail to see whether its mails arrive.\n"};
    if (send_note(league, &note, &sent, &err))
        findings_fail(findings, "send", &err);
    else
        findings_add(findings, FINDING_OK, "send",
                     "the mail to %s was taken%s%s; look whether it has arrived, and not among spam", address,
                     *sent.words ? ": " : "", sent.words);
}

/* ---- reading back ---- */

/* One of the two mails. */
struct probe {
    char address[PLAYER_ADDRESS + 8];
    char nonce[2 * NONCE + 1];
    int64_t sent, arrived, found; /* found 0 = not yet */
    struct str raw;
};

struct watch {
    const struct league *league;
    struct probe probe[2];    /* to the address itself, and with a detail */
    struct source *source[2]; /* the mailbox; where a daemon puts them, if one is at work. NULL = none */
    struct err err;
};

static bool is_probe(struct probe *probe, const struct incoming *mail)
{
    if (probe->found || !probe->sent || slice_find(slice_str(&mail->raw), probe->nonce) >= mail->raw.len)
        return false;
    probe->found = clock_system();
    probe->arrived = mail->arrived;
    str_addslice(&probe->raw, slice_str(&mail->raw));
    return true;
}

/* What is found is put where intake would put it. */
static int look_into(struct watch *watch, struct source *source, struct err *err)
{
    struct incoming mails[FETCH_MOST];
    const enum disposition how = MAIL_REJECTED;
    size_t count = 0;
    int rc;
    do {
        rc = source_fetch(source, mails, FETCH_MOST, &count, err);
        for (size_t i = 0; i < count; i++) {
            bool ours = is_probe(&watch->probe[0], &mails[i]) || is_probe(&watch->probe[1], &mails[i]);
            if (rc == 0 && ours && source == watch->source[0])
                rc = source_dispose(source, &mails[i], &how, 1, err);
            incoming_release(&mails[i]);
        }
    } while (rc == 0 && count);
    return rc;
}

static bool all_found(const struct watch *watch)
{
    return (watch->probe[0].found || !watch->probe[0].sent) &&
           (watch->probe[1].found || !watch->probe[1].sent);
}

static int watch_for(struct watch *watch, int64_t until, struct err *err)
{
    for (;;) {
        for (int i = 0; i < 2; i++)
            if (watch->source[i] && look_into(watch, watch->source[i], err))
                return -1;
        if (all_found(watch) || clock_system() >= until)
            return 0;
        if (source_wait(watch->source[0], LOOK_EVERY, NULL, err))
            return -1;
    }
}

/* Does a daemon, or a run, work on the league? Then it may be quicker than we are. */
static bool is_at_work(const struct league *league)
{
    struct err why = ERR_INIT;
    char *path = league_path(league, "lock");
    int fd = -1;
    bool works = file_exists(path) && file_lock(path, &fd, &why) != 0;
    if (fd >= 0)
        close(fd);
    free(path);
    return works;
}

/* The mailbox of mails that could not be used, read as the usual one is. */
static void open_rejected(struct watch *watch)
{
    struct league other = *watch->league;
    struct str path = STR_INIT;
    struct err ignored = ERR_INIT; /* it may not be there yet */
    if (other.config.incoming.type == IN_MAILDIR)
        str_addf(&path, "%s/.%s", other.config.incoming.maildir, other.config.incoming.rejected);
    other.config.incoming.maildir = path.p;
    other.config.incoming.mailbox = other.config.incoming.rejected;
    if (league_source(&other, &watch->source[1], &ignored))
        watch->source[1] = NULL;
    str_release(&path);
}

static int send_probe(struct watch *watch, struct probe *probe, const char *detail, struct err *err)
{
    unsigned char dice[NONCE];
    struct sent sent;
    const char *address = watch->league->config.league.address;
    const char *at = strrchr(address, '@');
    struct str subject = STR_INIT;
    (void)snprintf(probe->address, sizeof probe->address, "%.*s%s%s", (int)(at - address), address, detail,
                   at);
    randombytes_buf(dice, sizeof dice);
    hex_to(probe->nonce, dice, sizeof dice);
    str_addf(&subject, "turnpost probe %s", probe->nonce);
    const struct note note = {probe->address, subject.p,
                              "A mail of this league to itself: it may be deleted.\n"};
    int64_t began = clock_system();
    int rc = send_note(watch->league, &note, &sent, err);
    if (rc == 0)
        probe->sent = began;
    str_release(&subject);
    return rc;
}

/* ---- what it tells ---- */

static void say_clock(struct findings *findings, const struct probe *probe)
{
    int64_t early = probe->sent - probe->arrived, late = probe->arrived - probe->found;
    int64_t off = early > late ? early : late;
    if (off > CLOCK_OFF)
        findings_add(
            findings, FINDING_WARNING, "probe",
            "the mail server says that the mail arrived %lld seconds %s: the clock of this host or of "
            "the server is wrong, and deadlines are judged by the server's time of arrival",
            (long long)off, off == early ? "before it was sent" : "after it was found");
    else
        findings_add(findings, FINDING_OK, "probe", "the clocks of this host and of the mail server agree");
}

static void say_results(struct findings *findings, const struct league *league, const struct received *got)
{
    const char *ours = league->config.incoming.authserv;
    bool bad = strstr(got->results.p, "=fail") || strstr(got->results.p, "=softfail") ||
               strstr(got->results.p, "=permerror");
    findings_add(
        findings, bad ? FINDING_WARNING : FINDING_OK, "probe", "%s says of it: %s%s", got->authserv.p,
        got->results.len ? got->results.p : "nothing",
        bad ? "; mails to players are likely to be taken for spam: mend SPF, DKIM or DMARC of the domain"
            : "");
    if (!*ours)
        findings_add(
            findings, FINDING_OK, "probe",
            "if your server takes away what strangers write under its name, set [incoming] authserv = "
            "%s: mails that it vouches for are then known from forged ones",
            got->authserv.p);
    else if (strcasecmp(ours, got->authserv.p) != 0)
        findings_add(findings, FINDING_WARNING, "probe",
                     "[incoming] authserv is %s, but the server writes as %s: nothing is vouched for", ours,
                     got->authserv.p);
}

static void say_path(struct findings *findings, const struct league *league, const struct received *got)
{
    const char *bounce = league->config.outgoing.bounce_address;
    const char *at = strrchr(bounce, '@');
    if (!at || !got->return_path.len)
        return;
    bool ours = strncasecmp(got->return_path.p, bounce, (size_t)(at - bounce)) == 0 &&
                got->return_path.p[at - bounce] == config_detail(&league->config);
    findings_add(findings, ours ? FINDING_OK : FINDING_WARNING, "probe",
                 ours
                     ? "its envelope sender %s is ours: mail that comes back names its player"
                     : "its envelope sender was changed to %s: mail that comes back will not name its player",
                 got->return_path.p);
}

static void say_found(struct findings *findings, const struct league *league, const struct probe *probe)
{
    struct received got;
    findings_add(findings, FINDING_OK, "probe", "a mail to %s came back after %lld seconds", probe->address,
                 (long long)(probe->found - probe->sent));
    say_clock(findings, probe);
    received_read(&got, slice_str(&probe->raw));
    say_path(findings, league, &got);
    if (got.authserv.len)
        say_results(findings, league, &got);
    else
        findings_add(
            findings, FINDING_OK, "probe",
            "the server adds no Authentication-Results: who wrote a mail is known by signatures alone");
    received_release(&got);
    doctor_dkim(findings, league, slice_str(&probe->raw), probe->arrived);
}

static void say_missing(struct findings *findings, const struct probe *probe, int64_t wait)
{
    struct err err = ERR_INIT;
    err_set(
        &err, ERR_TEMP,
        "a mail to %s was taken, and did not come back within %lld seconds: look for the subject \"turnpost "
        "probe %.8s...\" in the mailbox, among spam and in the server's log, or wait longer (--wait 10m)",
        probe->address, (long long)wait, probe->nonce);
    findings_fail(findings, "probe", &err);
}

static void say_detail(struct findings *findings, const struct watch *watch)
{
    const struct probe *probe = &watch->probe[1];
    const char detail = config_detail(&watch->league->config);
    const bool mail = watch->league->config.league.trust == TRUST_MAIL;
    if (probe->found)
        findings_add(findings, FINDING_OK, "probe", "%s arrives as well: addresses with %cdetail work%s",
                     probe->address, detail, mail ? ", by which players without keys answer" : "");
    else
        findings_add(findings, FINDING_WARNING, "probe",
                     "a mail to %s does not arrive: addresses with %cdetail do not work here, so [outgoing] "
                     "bounce_address needs a mailbox where they do%s%s%s",
                     probe->address, detail,
                     mail ? ", and players without keys cannot answer; try another [incoming] detail" : "",
                     watch->err.code ? "; " : "", watch->err.text);
}

static void say_all(struct findings *findings, const struct watch *watch, int64_t wait)
{
    if (!watch->probe[0].found) {
        say_missing(findings, &watch->probe[0], wait);
        return;
    }
    say_found(findings, watch->league, &watch->probe[0]);
    say_detail(findings, watch);
}

void doctor_probe(struct findings *findings, const struct league *league, int64_t wait)
{
    struct watch watch = {.league = league, .probe = {{.raw = STR_INIT}, {.raw = STR_INIT}}, .err = ERR_INIT};
    struct err err = ERR_INIT;
    int rc = 0;
    if (league->config.outgoing.type == SINK_MAILDIR)
        rc = err_set(
            &err, ERR_CONFIG,
            "[outgoing] type = maildir: no mail leaves this host, so none can come back; set a way out "
            "first");
    if (rc == 0)
        rc = league_source(league, &watch.source[0], &err);
    if (rc == 0 && is_at_work(league))
        open_rejected(&watch);
    if (rc == 0)
        rc = send_probe(&watch, &watch.probe[0], "", &err);
    const char detail[] = {config_detail(&league->config), 'p', 'r', 'o', 'b', 'e', '\0'};
    if (rc == 0 && send_probe(&watch, &watch.probe[1], detail, &watch.err))
        watch.probe[1].sent = 0;
    if (rc == 0)
        rc = watch_for(&watch, clock_system() + wait, &err);
    if (rc)
        findings_fail(findings, "probe", &err);
    else
        say_all(findings, &watch, wait);
    for (int i = 0; i < 2; i++) {
        str_release(&watch.probe[i].raw);
        if (watch.source[i])
            source_close(watch.source[i]);
    }
}
