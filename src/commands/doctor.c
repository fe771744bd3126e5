#include "commands/doctor.h"
#include "commands/people_check.h"
#include "league/cosigning.h"
#include "league/league_log.h"
#include "league/own_secrets.h"
#include "league/registry_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/sandbox.h"
#include "cluster/cluster.h"
#include "commands/apart.h"
#include "commands/believed.h"
#include "commands/commands.h"
#include "commands/watched.h"
#include "picture/painter.h"

#define DISK_LEAST_MB 100
#define PROBE_WAIT    120        /* seconds */
#define CLOCK_LEAST   1704067200 /* 2024-01-01: a host with an earlier clock has lost its time */

static const char details[] =
    "Checks the league's folder, league.ini, clock, keys, players, games, competitions, own templates, "
    "spool, mail that came back, disk and backups. It connects to the mail servers: how they speak TLS, how "
    "long their certificates are valid, what they offer, and what is known of large providers. No mail is "
    "read or sent without --send or --probe.\n"
    "One line a check: ok, warning, or FAILED with what to do.\n"
    "Exit codes: 0 it will work (there may be warnings); 75 only something temporary failed; 78 fix what is "
    "reported.\n";

/* ---- printing ---- */

static const char *state_name(enum finding_state state)
{
    switch (state) {
    case FINDING_OK: return "ok";
    case FINDING_WARNING: return "warning";
    case FINDING_FAILED: return "FAILED";
    }
    return "";
}

static void print_json(const struct findings *findings)
{
    struct str text = STR_INIT;
    json_t *list = json_array();
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        const char *state = finding->state == FINDING_FAILED ? "failed" : state_name(finding->state);
        (void)json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "check", finding->check, "state",
                                                    state, "text", finding->text));
    }
    json_t *json = json_pack("{s:b, s:o}", "ok", !findings->temporary && !findings->lasting, "checks", list);
    json_write_pretty(&text, json);
    (void)printf("%s", text.p);
    json_decref(json);
    str_release(&text);
}

static void print_lines(const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        (void)printf("%-8s %-10s %s\n", state_name(findings->list[i].state), findings->list[i].check,
                     findings->list[i].text);
}

/* ---- the place ---- */

static void check_folder(struct findings *findings, const struct league *league)
{
    struct stat st;
    struct err err = ERR_INIT;
    if (stat(league->dir, &st) != 0) {
        err_sys(&err, ERR_CONFIG, "cannot examine %s", league->dir);
        findings_fail(findings, "folder", &err);
    } else if (st.st_mode & 07) {
        findings_add(
            findings, FINDING_WARNING, "folder",
            "everybody on this host can look into %s, where the players' addresses are; run: chmod o= %s",
            league->dir, league->dir);
    } else {
        findings_add(findings, FINDING_OK, "folder", "%s", league->dir);
    }
}

static void check_address(struct findings *findings, const struct league *league)
{
    const struct config *config = &league->config;
    if (!strchr(strrchr(config->league.address, '@'), '.') && config->outgoing.type != SINK_MAILDIR)
        findings_add(findings, FINDING_WARNING, "league.ini",
                     "players elsewhere cannot answer to %s; set [league] address", config->league.address);
    else
        findings_add(findings, FINDING_OK, "league.ini", "\"%s\" <%s>", config->league.name,
                     config->league.address);
}

static void check_keys(struct findings *findings, struct league *league)
{
    struct err err = ERR_INIT;
    char print[KEY_FINGERPRINT];
    if (league_keys(league, &err) != 0) {
        findings_fail(findings, "keys", &err);
        return;
    }
    bool lacking;
    if (registry_log_look(league->dir, &err) || own_secrets_check(league, &lacking, &err) ||
        registry_check(league->dir, &err)) {
        findings->lasting = true;
        findings_fail(findings, "keys", &err);
        return;
    }
    league_fingerprint(league, print);
    findings_add(findings, FINDING_OK, "keys", "private and whole; the league signs with %s", print);
}

static void check_log(struct findings *findings, const struct league *league)
{
    struct err err = ERR_INIT;
    struct league_log *log = NULL;
    if (league_log_look(&log, league, &err) || league_log_compare(log, &err)) {
        if (err.code == ERR_MISSING) /* nobody has worked yet */
            findings_add(findings, FINDING_OK, "log", "empty");
        else
            findings_fail(findings, "log", &err);
    } else if (*league->config.site.folder) {
        findings_add(findings, FINDING_OK, "log", "%lld entries, as they were signed; the site has them, too",
                     (long long)league_log_size(log));
    } else {
        findings_add(findings, FINDING_WARNING, "log",
                     "%lld entries, as they were signed, and nobody else has them: set [site] folder, and "
                     "anyone can audit the "
                     "whole league (turnpost audit --log)",
                     (long long)league_log_size(log));
    }
    league_log_close(log);
}

/* Those whom the policy names with a URL are asked as a round of work asks them. */
static void check_cosigners(struct findings *findings, const struct league *league)
{
    struct err err = ERR_INIT;
    struct league_log *log = NULL;
    if (league_log_look(&log, league, &err)) /* said of the log */
        return;
    const struct policy *policy = league_log_policy(log);
    for (int i = 0; league_log_size(log) && i < policy->witnesses; i++) {
        struct err why = ERR_INIT;
        if (!*policy->witness[i].url)
            continue;
        if (cosigning_try(log, league, i, &why) == 0)
            findings_add(findings, FINDING_OK, "witness", "%s cosigns the log over https (%s)",
                         policy->witness[i].name, policy->witness[i].url);
        else
            findings_fail(findings, "witness", &why);
    }
    league_log_close(log);
}

static void check_disk(struct findings *findings, const struct league *league)
{
    struct statvfs disk;
    struct err err = ERR_INIT;
    if (statvfs(league->dir, &disk) != 0) {
        err_sys(&err, ERR_TEMP, "cannot ask for the free space of %s", league->dir);
        findings_fail(findings, "disk", &err);
        return;
    }
    unsigned long long free_mb = (unsigned long long)disk.f_bavail * disk.f_frsize / 1000000U;
    if (free_mb < DISK_LEAST_MB) {
        err_set(&err, ERR_TEMP, "only %llu MB are free; Turnpost wants %d MB", free_mb, DISK_LEAST_MB);
        findings_fail(findings, "disk", &err);
    } else {
        findings_add(findings, FINDING_OK, "disk", "%llu MB free", free_mb);
    }
}

static void check_clock(struct findings *findings, const struct league *league, int64_t now)
{
    struct str text = STR_INIT;
    struct err err = ERR_INIT;
    struct believed believed;
    struct str ahead = STR_INIT;
    clock_both(&text, now);
    believed_look(league, &believed);
    if (now < CLOCK_LEAST) {
        err_set(&err, ERR_CONFIG, "the host's clock says %s; set it before turns run late or never", text.p);
        findings_fail(findings, "clock", &err);
    } else if (believed_check(&believed, &err)) {
        findings_fail(findings, "clock", &err);
    } else if (league_log_ahead(league, now, &ahead)) {
        findings_add(findings, FINDING_WARNING, "clock", "it is %s; %s", text.p, ahead.p);
    } else {
        findings_add(findings, FINDING_OK, "clock", "%s, time zone %s", text.p,
                     league->config.league.timezone);
    }
    str_release(&ahead);
    str_release(&text);
}

static void check_sandbox(struct findings *findings, const struct league *league)
{
    struct err err = ERR_INIT;
    unsigned got = 0;
    if (!league->config.limits.sandbox)
        findings_add(findings, FINDING_WARNING, "sandbox",
                     "[limits] sandbox = off: run, daemon and witness keep all that their user may do");
    else if (apart_try(league, &got, &err) != 0)
        findings_fail(findings, "sandbox", &err);
    else
        findings_add(findings, got ? FINDING_OK : FINDING_WARNING, "sandbox",
                     "run, daemon and witness give up %s", sandbox_words(got));
}

/* Whether pictures can be painted, by painting one. */
static void check_pictures(struct findings *findings, const struct league *league)
{
    struct painter painter;
    struct err err = ERR_INIT;
    struct str png = STR_INIT;
    static const char drawing[] = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 2 1'/>";
    if (!league->config.outgoing.pictures) {
        if (!painter_installed())
            findings_add(findings, FINDING_OK, "pictures",
                         "none in mails: turnpost-picture, which paints them, is not beside turnpost");
        return;
    }
    int rc = painter_begin(NULL, &painter, &err);
    if (rc == 0)
        rc = painter_paint(painter.fd, slice_of(drawing), 600, &png, &err);
    if (rc)
        findings_add(findings, FINDING_WARNING, "pictures",
                     "%s; mails leave without pictures until turnpost-picture works", err.text);
    else
        findings_add(findings, FINDING_OK, "pictures", "turnpost-picture paints the boards of reports");
    painter_end(&painter);
    str_release(&png);
}

struct wish {
    int64_t now;
    const char *address; /* that a mail is sent to; NULL = none */
    bool probe;
    int64_t wait; /* seconds, for the probe */
    struct doctor_visit page;
};

/* Is the league shared, and this host still to fetch it? */
static bool is_to_come(const struct league *league)
{
    char *games = league_path(league, "games");
    bool comes =
        league->config.store.type == STORE_POSTGRES && !cluster_has_copy(league->dir) && !file_exists(games);
    free(games);
    return comes;
}

/* What a witness watches, and how far they have come. */
static void check_watched(struct findings *findings, const struct league *league)
{
    struct err err = ERR_INIT;
    struct vkey log;
    struct witness_state state = WITNESS_STATE_INIT;
    char *path = NULL;
    if (watched_log(league, &log, &err) || watched_state(league, &log, &state, &path, &err))
        findings_fail(findings, "witness", &err);
    else if (state.size)
        findings_add(findings, FINDING_OK, "witness", "of %s; %lld entries of %s are cosigned",
                     league->config.witness.league, (long long)state.size, log.name);
    else
        findings_add(findings, FINDING_OK, "witness",
                     "of %s; nothing of %s is cosigned yet. Has the line of turnpost witness --enroll been "
                     "mailed to the operator?",
                     league->config.witness.league, log.name);
    witness_state_release(&state);
    free(path);
}

static void examine_league(struct findings *findings, const struct league *league, int64_t now)
{
    if (is_to_come(league)) {
        findings_add(findings, FINDING_OK, "league",
                     "nothing of it is here yet: the first run or daemon on this host fetches it");
        return;
    }
    doctor_players(findings, league);
    doctor_games(findings, league);
    doctor_competitions(findings, league, now);
    doctor_spool(findings, league);
    doctor_bounces(findings, league);
    doctor_unanswered(findings, league, now);
}

/* What only a league has. */
static void examine_work(struct findings *findings, const struct league *league, const struct wish *wish)
{
    check_log(findings, league);
    check_cosigners(findings, league);
    examine_league(findings, league, wish->now);
    doctor_templates(findings, league);
    check_pictures(findings, league);
    doctor_backups(findings, league, wish->now);
    doctor_store(findings, league);
    doctor_site(findings, league);
    doctor_page(findings, league, &wish->page);
    doctor_replies(findings, league);
}

static void examine(struct findings *findings, const char *dir, const struct wish *wish)
{
    struct league league;
    struct err err = ERR_INIT;
    if (league_open(dir, false, &league, &err) != 0) {
        findings_fail(findings, err.code == ERR_MISSING ? "folder" : "league.ini", &err);
        return;
    }
    check_folder(findings, &league);
    check_address(findings, &league);
    check_clock(findings, &league, wish->now);
    check_keys(findings, &league);
    check_disk(findings, &league);
    check_sandbox(findings, &league);
    if (watched_any(&league))
        check_watched(findings, &league);
    else
        examine_work(findings, &league, wish);
    doctor_servers(findings, &league, wish->now);
    if (wish->address)
        doctor_send(findings, &league, wish->address);
    if (wish->probe)
        doctor_probe(findings, &league, wish->wait);
    league_close(&league);
}

int command_doctor(int argc, char **argv)
{
    const char *dir = NULL;
    bool json = false;
    struct wish wish = {.wait = PROBE_WAIT};
    struct findings findings = {0};
    const struct flag flags[] = {
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {"send", FLAG_TEXT, &wish.address, "ADDRESS", "send a real mail there, the way players' mails go"},
        {"probe", FLAG_SWITCH, &wish.probe, NULL,
         "send two mails to the league itself and read them back through its mailbox"},
        {"page", FLAG_SWITCH, &wish.page.fetch, NULL,
         "fetch the page on which players sign, and compare it with what was written"},
        {"ca-file", FLAG_TEXT, &wish.page.ca_file, "FILE",
         "the authorities to trust for --page (default: the system's)"},
        {"wait", FLAG_DURATION, &wish.wait, "2m", "how long --probe waits for its mails (default: 2m)"},
        {"now", FLAG_TIME, &wish.now, "TIME", "the time to judge by (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    wish.now = flag_now(wish.now);
    wish.page.fetch |= wish.probe;
    examine(&findings, flag_league(dir), &wish);
    if (json)
        print_json(&findings);
    else
        print_lines(&findings);
    code = findings.lasting ? 78 : findings.temporary ? 75 : 0;
    findings_release(&findings);
    return code;
}
