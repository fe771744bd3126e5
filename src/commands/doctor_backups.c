/* Backups: whether there is one, and whether one was ever tried. */
#include "commands/doctor.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "commands/backup_log.h"

#define DAY        ((int64_t)86400)
#define OLD        (7 * DAY)   /* a backup */
#define UNTRIED    (30 * DAY)  /* since the first backup, without a try */
#define TRIED_LONG (365 * DAY) /* ago */

/* How old the league is, by its public key. */
static int64_t age_of(const struct league *league, int64_t now)
{
    struct stat st;
    char *path = league_path(league, "keys/league.pub");
    int64_t age = stat(path, &st) == 0 ? now - (int64_t)st.st_mtime : 0;
    free(path);
    return age;
}

static void say_none(struct findings *findings, const struct league *league, int64_t now)
{
    bool late = age_of(league, now) > OLD;
    findings_add(findings, late ? FINDING_WARNING : FINDING_OK, "backup",
                 "none was made%s; run: turnpost backup DIR, each day",
                 late ? ", and a lost disk would be the end of every game" : " yet");
}

static void say_tried(struct findings *findings, const struct backup_times *times, int64_t now)
{
    if (times->tried)
        findings_add(findings, now - times->tried > TRIED_LONG ? FINDING_WARNING : FINDING_OK, "backup",
                     "one was last restored, as a test or in earnest, %lld days ago",
                     (long long)((now - times->tried) / DAY));
    else
        findings_add(findings, now - times->first > UNTRIED ? FINDING_WARNING : FINDING_OK, "backup",
                     "none was tried yet; run: turnpost restore %s DIR, and remove DIR again", times->path);
}

void doctor_backups(struct findings *findings, const struct league *league, int64_t now)
{
    struct backup_times times;
    struct err err = ERR_INIT;
    if (backup_log_read(league->dir, &times, &err)) {
        findings_fail(findings, "backup", &err);
    } else if (!times.last) {
        say_none(findings, league, now);
    } else {
        findings_add(findings, now - times.last > OLD ? FINDING_WARNING : FINDING_OK, "backup",
                     "the last one is %lld days old (%s)", (long long)((now - times.last) / DAY), times.path);
        say_tried(findings, &times, now);
    }
    free(times.path);
}
