/* The servers of incoming and outgoing mail: do they let us in, what do they offer, and how long? */
#include "commands/doctor.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands/provider.h"
#include "journal/catalog.h"
#include "mail/look.h"
#include "mail/sink.h"
#include "mail/source.h"

#define DAY         ((int64_t)86400)
#define CERTIFICATE 14 /* days: with fewer left, somebody should have renewed it */
#define WEEK        7
#define NEARLY      80 /* per cent of a provider's limit */

/* One side that is on a server. */
struct side {
    enum league_side side;
    enum dial_protocol protocol;
    const char *name; /* the check's, and the section's */
    bool token;
    struct server server;
    char *secret;
};

static void wipe(struct side *side)
{
    if (side->secret)
        sodium_memzero(side->secret, strlen(side->secret));
    free(side->secret);
    side->secret = NULL;
}

static int find_server(const struct league *league, enum league_side which, struct side *side,
                       struct err *err)
{
    bool in = which == LEAGUE_INCOMING;
    const struct config *config = &league->config;
    *side = (struct side){
        .side = which,
        .protocol = in ? DIAL_IMAP : DIAL_SMTP,
        .name = in ? "incoming" : "outgoing",
        .token = *(in ? config->incoming.server.token_command : config->outgoing.server.token_command)};
    return league_server(league, which, &side->server, &side->secret, err);
}

/* ---- TLS ---- */

static int say_mixed_up(const struct side *side, struct err *err)
{
    const struct server *server = &side->server;
    bool imap = side->protocol == DIAL_IMAP;
    err_clear(err);
    if (server->tls == TLS_IMPLICIT)
        return err_set(
            err, ERR_CONFIG,
            "%s:%d begins in plain text and wants STARTTLS, but [%s] says tls = implicit: set tls = "
            "starttls, or the port for TLS at once (usually %d)",
            server->host, server->port, side->name, imap ? 993 : 465);
    return err_set(
        err, ERR_CONFIG,
        "%s:%d speaks TLS at once, but [%s] says tls = starttls: set tls = implicit, or the port for "
        "STARTTLS (usually %d)",
        server->host, server->port, side->name, imap ? 143 : 587);
}

/* With STARTTLS it is asked before: a server that waits for TLS would be waited for until the time-out. */
static int check_tls(const struct side *side, struct err *err)
{
    return side->server.tls == TLS_STARTTLS && look_is_mixed_up(side->protocol, &side->server)
               ? say_mixed_up(side, err)
               : 0;
}

/* ---- what the server says of itself ---- */

static void check_certificate(struct findings *findings, const struct side *side, const struct look *look,
                              int64_t now)
{
    if (!look->expires)
        return;
    int64_t days = (look->expires - now) / DAY;
    findings_add(findings, days < CERTIFICATE ? FINDING_WARNING : FINDING_OK, side->name,
                 "the certificate of %s:%d is valid for %lld more day%s%s", side->server.host,
                 side->server.port, (long long)(days > 0 ? days : 0), PLURAL(days),
                 days < CERTIFICATE ? "; who runs the server has to renew it" : "");
}

static const struct {
    const char *word, *without;
} capabilities[] = {
    {"MOVE", "mails are copied, marked and expunged instead"},
    {"UIDPLUS", "a mail that somebody else has marked as deleted keeps ours from being expunged"},
    {"IDLE", "the daemon looks for mail as often as [incoming] poll says"},
};

static void check_capabilities(struct findings *findings, const struct side *side, const struct look *look)
{
    struct str has = STR_INIT;
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
        if (look_offers(look, capabilities[i].word))
            str_addf(&has, "%s%s", has.len ? ", " : "", capabilities[i].word);
        else
            findings_add(findings, FINDING_OK, side->name, "the server has no %s: %s", capabilities[i].word,
                         capabilities[i].without);
    }
    if (has.len)
        findings_add(findings, FINDING_OK, side->name, "the server has %s", has.p);
    str_release(&has);
}

/* ---- the provider ---- */

static void check_login(struct findings *findings, const struct side *side, const struct provider *provider)
{
    bool warns = !side->token && provider->passwords != PASSWORDS_FINE;
    findings_add(findings, warns ? FINDING_WARNING : FINDING_OK, side->name, "%s (checked %s): %s%s",
                 provider->name, provider->checked, provider->login,
                 warns ? "; [incoming] and [outgoing] take token_command" : "");
}

struct volume {
    int64_t from;
    size_t all, day[WEEK];
};

static int count_sent(void *arg, const struct catalog_delivery *mail, struct err *err)
{
    (void)err;
    struct volume *volume = arg;
    int64_t day = (mail->when - volume->from) / DAY;
    if (day < 0 || day >= WEEK || (mail->state != DELIVERY_SENT && mail->state != DELIVERY_BOUNCED))
        return 0;
    volume->all++;
    volume->day[day]++;
    return 0;
}

static int measure(const struct league *league, struct volume *volume, struct err *err)
{
    struct catalog *catalog = NULL;
    bool fresh = false;
    char *path = league_path(league, "catalog.sqlite");
    int rc = 0;
    if (file_exists(path))
        rc = catalog_open(path, &catalog, &fresh, err);
    if (rc == 0 && catalog)
        rc = catalog_each_delivery(catalog, &(struct catalog_wanted){.since = volume->from}, count_sent,
                                   volume, err);
    catalog_close(catalog);
    free(path);
    return rc;
}

static void check_volume(struct findings *findings, const struct league *league,
                         const struct provider *provider, int64_t now)
{
    struct volume volume = {.from = now - WEEK * DAY};
    struct err err = ERR_INIT;
    size_t most = 0;
    if (measure(league, &volume, &err)) {
        findings_fail(findings, "catalog", &err);
        return;
    }
    for (int i = 0; i < WEEK; i++)
        most = volume.day[i] > most ? volume.day[i] : most;
    bool near = provider->sends_a_day && most * 100 > (size_t)provider->sends_a_day * NEARLY;
    findings_add(findings, near ? FINDING_WARNING : FINDING_OK, "outgoing",
                 "%zu mail%s sent in the last week, %zu on the busiest day; %s (checked %s): %s%s",
                 volume.all, PLURAL(volume.all), most, provider->name, provider->checked, provider->limits,
                 near ? "; a server of your own, or a relay, has more room" : "");
}

static const struct provider *check_provider(struct findings *findings, const struct side *side,
                                             const struct look *look)
{
    const struct provider *provider = provider_of(side->server.host, look ? look->greeting.p : "");
    if (provider && *provider->login)
        check_login(findings, side, provider);
    return provider;
}

/* ---- both sides ---- */

/* After the connection itself was found to be good. */
static const struct provider *look_around(struct findings *findings, const struct side *side, int64_t now)
{
    struct look look;
    struct err err = ERR_INIT;
    const struct provider *provider = NULL;
    if (look_at(side->protocol, &side->server, &look, &err)) {
        findings_fail(findings, side->name, &err);
    } else {
        check_certificate(findings, side, &look, now);
        if (side->protocol == DIAL_IMAP)
            check_capabilities(findings, side, &look);
        provider = check_provider(findings, side, &look);
    }
    look_release(&look);
    return provider;
}

static void say_failure(struct findings *findings, const struct side *side, struct err *err)
{
    if (side->server.host && side->server.tls == TLS_IMPLICIT &&
        look_is_mixed_up(side->protocol, &side->server))
        (void)say_mixed_up(side, err);
    findings_fail(findings, side->name, err);
    if (side->server.host)
        (void)check_provider(findings, side, NULL);
}

static void check_imap(struct findings *findings, const struct league *league, int64_t now)
{
    struct side side;
    struct source *source = NULL;
    struct err err = ERR_INIT;
    if (find_server(league, LEAGUE_INCOMING, &side, &err) || check_tls(&side, &err) ||
        league_source(league, &source, &err)) {
        say_failure(findings, &side, &err);
    } else {
        findings_add(findings, FINDING_OK, "incoming", "%s", source_describe(source));
        source_close(source);
        (void)look_around(findings, &side, now);
    }
    wipe(&side);
}

static void check_incoming(struct findings *findings, const struct league *league, int64_t now)
{
    struct source *source = NULL;
    struct err err = ERR_INIT;
    if (league->config.incoming.type == IN_IMAP) {
        check_imap(findings, league, now);
    } else if (league_source(league, &source, &err) != 0) {
        findings_fail(findings, "incoming", &err);
    } else {
        findings_add(findings, FINDING_OK, "incoming", "%s", source_describe(source));
        source_close(source);
    }
}

static int check_sink(const struct league *league, struct sink *sink, char **secret, struct err *err)
{
    return league_sink(league, sink, secret, err) || sink_check(sink, err) ? -1 : 0;
}

static void check_smtp(struct findings *findings, const struct league *league, int64_t now)
{
    struct side side;
    struct sink sink;
    struct err err = ERR_INIT;
    char *secret = NULL;
    if (find_server(league, LEAGUE_OUTGOING, &side, &err) || check_tls(&side, &err) ||
        check_sink(league, &sink, &secret, &err)) {
        say_failure(findings, &side, &err);
    } else {
        findings_add(findings, FINDING_OK, "outgoing", "SMTP %s:%d%s%s", sink.smtp.host, sink.smtp.port,
                     sink.smtp.user ? " as " : "", sink.smtp.user ? sink.smtp.user : "");
        const struct provider *provider = look_around(findings, &side, now);
        if (provider)
            check_volume(findings, league, provider, now);
    }
    if (secret)
        sodium_memzero(secret, strlen(secret));
    free(secret);
    wipe(&side);
}

static void check_outgoing(struct findings *findings, const struct league *league, int64_t now)
{
    struct sink sink;
    struct err err = ERR_INIT;
    char *secret = NULL;
    if (league->config.outgoing.type == SINK_SMTP)
        check_smtp(findings, league, now);
    else if (check_sink(league, &sink, &secret, &err))
        findings_fail(findings, "outgoing", &err);
    else if (sink.kind == SINK_MAILDIR)
        findings_add(findings, FINDING_OK, "outgoing", "Maildirs below %s: mail stays on this host",
                     sink.maildir);
    else
        findings_add(findings, FINDING_OK, "outgoing", "by the command %s", sink.command);
    free(secret);
}

/* Does mail that cannot be delivered come back, and to us? */
static void check_bounces(struct findings *findings, const struct league *league)
{
    const struct config *config = &league->config;
    const char *bounce = config->outgoing.bounce_address, *address = config->league.address;
    if (config->outgoing.type == SINK_MAILDIR)
        return;
    if (!*bounce)
        findings_add(
            findings, FINDING_WARNING, "outgoing",
            "[outgoing] bounce_address is empty, so all mail leaves with the null sender: what cannot be "
            "delivered never comes back, nobody is told of players whose mailbox is gone, and some servers "
            "refuse such mail; set bounce_address = %s",
            address);
    else if (strcasecmp(strrchr(bounce, '@'), strrchr(address, '@')) != 0)
        findings_add(
            findings, FINDING_WARNING, "outgoing",
            "[outgoing] bounce_address is %s, at another domain than %s: mail that comes back has to reach "
            "the mailbox that is read, and servers trust mail more whose sender is of one domain; unless "
            "that "
            "is meant, set bounce_address = %s",
            bounce, address, address);
    else
        findings_add(findings, FINDING_OK, "outgoing", "what cannot be delivered comes back to %s", bounce);
}

void doctor_servers(struct findings *findings, const struct league *league, int64_t now)
{
    check_incoming(findings, league, now);
    check_outgoing(findings, league, now);
    check_bounces(findings, league);
}
