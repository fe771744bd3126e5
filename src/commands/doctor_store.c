/* A league that several hosts share: its database, the lease, and what a takeover needs of the mail server. */
#include "commands/doctor.h"

#include <string.h>

#include "league/shared.h"

#define CHECK        "store"
#define OLDEST       120000 /* PostgreSQL 12 */
#define CLOCK_SLACK  5      /* seconds */
#define LATENCY_MOST 50000  /* microseconds */

static void say_host(struct findings *findings, const struct cluster_state *state)
{
    if (!state->ready)
        findings_add(
            findings, FINDING_FAILED, CHECK,
            "the copy into the database was interrupted: run turnpost store copy files postgres again");
    else if (strcmp(state->closed, "moved") == 0)
        findings_add(
            findings, FINDING_FAILED, CHECK,
            "the league has moved from the database into the files of %s, so no host decides from here: "
            "turnpost-store(1), \"The way back\"",
            state->closer);
    else if (*state->closed)
        findings_add(
            findings, FINDING_FAILED, CHECK,
            "the database has lost commits that %s has seen, so no host decides until you say what counts: "
            "turnpost-store(1), \"After a loss\"",
            state->closer);
    else if (state->held)
        findings_add(findings, FINDING_OK, CHECK, "%s decides; this host's copy lacks %lld of %lld commits",
                     state->host, (long long)(state->behind < 0 ? state->commits : state->behind),
                     (long long)state->commits);
    else
        findings_add(findings, FINDING_OK, CHECK, "no host decides at the moment; there are %lld commits",
                     (long long)state->commits);
}

static void say_server(struct findings *findings, const struct cluster_state *state)
{
    if (state->version < OLDEST)
        findings_add(findings, FINDING_WARNING, CHECK,
                     "the database is PostgreSQL %d.%d: 12 or later is needed", state->version / 10000,
                     state->version % 10000);
    else
        findings_add(findings, state->latency > LATENCY_MOST ? FINDING_WARNING : FINDING_OK, CHECK,
                     "the database is PostgreSQL %d.%d, %lld.%03lld ms away%s", state->version / 10000,
                     state->version % 10000, (long long)(state->latency / 1000),
                     (long long)(state->latency % 1000),
                     state->latency > LATENCY_MOST ? ": each commit waits for that twice or more" : "");
    if (state->clock > CLOCK_SLACK || state->clock < -CLOCK_SLACK)
        findings_add(findings, FINDING_WARNING, CHECK,
                     "the database's clock, by which all hosts work, is %lld seconds from this host's: set "
                     "both by NTP",
                     (long long)state->clock);
}

/* What a commit is worth, by what the operator and the server say. */
static void say_commits(struct findings *findings, const struct league *league,
                        const struct cluster_state *state)
{
    int safe = league->config.store.synchronous;
    if (safe == SYNCHRONOUS_YES && !*state->names)
        findings_add(
            findings, FINDING_FAILED, CHECK,
            "[store] synchronous = yes, but the database names no second server that commits wait for, so "
            "nothing is decided: set synchronous_standby_names there");
    else if (safe == SYNCHRONOUS_YES)
        findings_add(findings, FINDING_OK, CHECK,
                     "a commit counts when the standbys have it that the server names: %s", state->names);
    else if (safe == SYNCHRONOUS_STORAGE)
        findings_add(findings, FINDING_OK, CHECK,
                     "[store] synchronous = storage: you have said that a failover keeps each commit, as the "
                     "disk itself is "
                     "replicated; nothing here can see whether that is so");
    else if (*state->names)
        findings_add(findings, FINDING_WARNING, CHECK,
                     "commits wait for a second server (%s): with [store] synchronous = yes hosts go on by "
                     "themselves after "
                     "a failover",
                     state->names);
    else
        findings_add(
            findings, FINDING_OK, CHECK,
            "no second server has each commit: a failover may lose the last ones, and hosts stop after it");
    if (*state->commit && strcmp(state->commit, "on") != 0)
        findings_add(
            findings, FINDING_OK, CHECK,
            "synchronous_commit is %s for this user of the database: each commit of the league asks for on",
            state->commit);
}

/* What no commit can ask for. */
static void say_disk(struct findings *findings, const struct cluster_state *state)
{
    if (!state->fsync)
        findings_add(findings, FINDING_FAILED, CHECK,
                     "the server runs with fsync = off: a power cut, or a crash of its system, can lose what "
                     "players were "
                     "told, or destroy the database. Set fsync = on");
    if (!state->full_pages)
        findings_add(findings, FINDING_WARNING, CHECK,
                     "the server runs with full_page_writes = off: a power cut can leave half-written pages, "
                     "which nothing "
                     "mends, unless its file system never writes half a page (ZFS does not). Set "
                     "full_page_writes = on");
}

/* Mails that were decided on are moved by whoever decides, perhaps by two hosts at once. */
static void say_mail(struct findings *findings, const struct league *league)
{
    if (league->config.incoming.type == IN_MAILDIR)
        findings_add(findings, FINDING_WARNING, CHECK,
                     "[incoming] type = maildir is a folder of this host alone: another host that takes over "
                     "needs the same mailbox, so set type = imap");
}

void doctor_store(struct findings *findings, const struct league *league)
{
    struct shared_way way;
    struct cluster *cluster = NULL;
    struct cluster_state state;
    struct err err = ERR_INIT;
    if (league->config.store.type != STORE_POSTGRES)
        return;
    int rc = shared_way(league, &way, &err);
    if (rc == 0)
        rc = cluster_open(&way.way, &cluster, &err);
    if (rc == 0)
        rc = cluster_state(cluster, &state, &err);
    if (rc)
        findings_fail(findings, CHECK, &err);
    else {
        say_host(findings, &state);
        say_server(findings, &state);
        say_commits(findings, league, &state);
        say_disk(findings, &state);
    }
    say_mail(findings, league);
    cluster_close(cluster);
    shared_way_release(&way);
}
