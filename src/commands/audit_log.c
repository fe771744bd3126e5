/* `turnpost audit --log`: the league's whole log, and what was published of its games. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/audit_log.h"
#include "commands/policy.h"
#include "commands/saved_mails.h"
#include "mail/message.h"
#include "publish/log_audit.h"
#include "report/textfmt.h"

#define PROGRAMS_SHOWN 5
#define NOTES_SHOWN    10

/* ---- what is read ---- */

/* The log that was named; of a league, or of a copy of its site, the one that is in it. The caller frees it. */
static int find_log(const char *given, char **dir, struct err *err)
{
    char *inside = path_join(given, "log");
    char *candidates[] = {mem_strdup(given), inside};
    *dir = NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        char *checkpoint = path_join(candidates[i], "checkpoint");
        if (!*dir && file_exists(checkpoint))
            *dir = candidates[i];
        else
            free(candidates[i]);
        free(checkpoint);
    }
    return *dir ? 0
                : err_set(err, ERR_MISSING,
                          "%s has no checkpoint: that is no copy of a league's log, which is in its folder "
                          "log, and on "
                          "its site below log/",
                          given);
}

/* In the log's folder, or beside it, as sites and leagues have it. */
static int find_policy(const char *dir, struct policy *policy, struct err *err)
{
    static const char *const places[] = {"league.policy", "../league.policy", "../keys/league.policy"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char *path = path_join(dir, places[i]);
        const bool there = file_exists(path);
        const int rc = there ? command_policy(path, policy, err) : 0;
        free(path);
        if (there)
            return rc;
    }
    return err_set(
        err, ERR_MISSING,
        "there is no league.policy in %s or beside it: name it with --policy. A league's site shows it, "
        "and every published game has it",
        dir);
}

static void keep(void *arg, const char *label, struct slice raw)
{
    log_audit_keep(arg, label, raw);
}

/* Those that are named; else those of the league whose log it is, or of the folder that it lies in. */
static int list_games(struct audit_games *games, const struct audit_log_how *how, const char *dir,
                      struct err *err)
{
    struct err none = ERR_INIT;
    char *beside = path_join(dir, "..");
    int rc = 0;
    for (int i = 0; rc == 0 && i < how->named; i++)
        rc = audit_games_add(games, how->name[i], how->league, err);
    if (!how->named && audit_games_add(games, beside, beside, &none))
        rc = none.code == ERR_MISSING ? 0 : err_pass(err, &none);
    free(beside);
    return rc;
}

static int read_all(struct log_audit *audit, const struct audit_log_how *how, struct err *err)
{
    struct audit_games games = {NULL, 0, 0};
    int rc = list_games(&games, how, audit->dir, err);
    for (size_t i = 0; rc == 0 && i < games.count; i++)
        rc = log_audit_journal(audit, games.list[i].journal, err);
    mail_begin();
    for (int i = 0; rc == 0 && i < how->kept->count; i++)
        rc = saved_mails(how->kept->item[i], keep, audit, err);
    audit_games_release(&games);
    return rc ? rc : log_audit_run(audit, err);
}

/* ---- in words ---- */

static void add_verdict(struct str *out, const struct log_audit *audit)
{
    const int64_t wrong = audit->count[LOG_WRONG], ask = audit->count[LOG_ASK];
    char begun[CLOCK_TEXT], last[CLOCK_TEXT];
    clock_utc(begun, audit->begun);
    clock_utc(last, audit->last);
    if (wrong)
        str_addf(out, "The log is broken: %lld thing%s in it or beside it cannot be.\n", (long long)wrong,
                 PLURAL(wrong));
    else if (ask)
        str_addf(out, "The log holds as far as it goes, and %lld thing%s to be asked.\n", (long long)ask,
                 ask == 1 ? " is" : "s are");
    else
        str_adds(
            out,
            "The log holds: its entries are those that the league signed, in order, each record once.\n");
    str_addf(out, "%lld entr%s from %.10s to %.10s; %zu journal%s and %zu kept checkpoint%s compared.\n",
             (long long)audit->entries, audit->entries == 1 ? "y" : "ies", begun, last, audit->journal_count,
             PLURAL(audit->journal_count), audit->kept_count, PLURAL(audit->kept_count));
}

/* "WRONG  gc-1, record 8 (entry 57): ..." */
static void add_finding(struct str *out, const struct log_finding *one)
{
    static const char *const words[] = {[LOG_WRONG] = "WRONG", [LOG_ASK] = "ask", [LOG_NOTE] = "note"};
    struct str place = STR_INIT;
    if (*one->name)
        str_adds(&place, one->name);
    if (one->seq)
        str_addf(&place, "%srecord %lld", place.len ? ", " : "", (long long)one->seq);
    if (one->entry)
        str_addf(&place, place.len ? " (entry %lld)" : "entry %lld", (long long)one->entry);
    str_addf(out, "%s: %s%s%s.\n", words[one->weight], place.p, place.len ? ": " : "", one->text);
    str_release(&place);
}

/* Notes are many where many mails were kept. */
static void add_findings(struct str *out, const struct log_audit *audit, bool all)
{
    int64_t shown = 0;
    for (int weight = 0; weight < LOG_WEIGHTS; weight++) {
        int64_t most = weight == LOG_NOTE && !all ? NOTES_SHOWN : LOG_FINDINGS;
        for (size_t i = 0; i < audit->finding_count && most > 0; i++)
            if (audit->finding[i].weight == (enum log_weight)weight) {
                add_finding(out, &audit->finding[i]);
                shown++;
                most--;
            }
    }
    const int64_t left = audit->count[LOG_WRONG] + audit->count[LOG_ASK] + audit->count[LOG_NOTE] - shown;
    if (left)
        str_addf(out, "And %lld more: --verbose or --json.\n", (long long)left);
}

static void add_programs(struct str *out, const struct log_audit *audit)
{
    const size_t from = audit->program_count > PROGRAMS_SHOWN ? audit->program_count - PROGRAMS_SHOWN : 0;
    if (audit->program_count)
        str_addf(out, "Decided by %s", from ? "(the last programs) " : "");
    for (size_t i = from; i < audit->program_count; i++)
        str_addf(out, "%sTurnpost %s from entry %lld on", i > from ? ", " : "", audit->program[i].version,
                 (long long)audit->program[i].entry);
    str_adds(out, audit->program_count ? ".\n" : "");
}

static void add_text(struct str *out, const struct log_audit *audit, const struct audit_how *how)
{
    add_verdict(out, audit);
    add_findings(out, audit, how->verbose);
    str_addf(out, "Log: %s. ", audit->policy->log[audit->seen.log].key.name);
    audit_key_text(out, how, audit->policy->log[audit->seen.log].key.public);
    if (!audit->seen.count)
        str_adds(
            out,
            "No witness has cosigned it: that everybody is shown this log, only checkpoints and mails of "
            "others show (--kept).\n");
    else
        str_addf(out, "%d witness%s of the policy cosigned it.\n", audit->seen.count,
                 audit->seen.count == 1 ? "" : "es");
    if (audit->silence_entry) {
        str_adds(out, "The longest time without an entry: ");
        duration_add(out, audit->silence);
        str_addf(out, ", before entry %lld.\n", (long long)audit->silence_entry);
    }
    add_programs(out, audit);
}

static void print(struct str *text)
{
    struct str lines = STR_INIT;
    if (isatty(STDOUT_FILENO))
        textfmt(&lines, slice_str(text), TEXTFMT_WIDTH);
    (void)fputs(lines.len ? lines.p : text->p, stdout);
    str_release(&lines);
}

static void say(const struct log_audit *audit, const struct audit_how *how, int code)
{
    struct str text = STR_INIT;
    if (how->json) {
        json_t *json = log_audit_json(audit);
        json_object_set_new(json, "exit", json_integer(code));
        json_object_set_new(json, "key_given", json_boolean(how->league_key != NULL));
        json_write_pretty(&text, json);
        json_decref(json);
        (void)fputs(text.p, stdout);
    } else {
        add_text(&text, audit, how);
        print(&text);
    }
    str_release(&text);
}

/* ---- the command ---- */

/* Is it the key that was given? */
static int hold_key(const struct policy *policy, const unsigned char *key, struct err *err)
{
    for (int i = 0; key && i < policy->logs; i++)
        if (memcmp(policy->log[i].key.public, key, VKEY_PUBLIC) != 0)
            return err_set(err, ERR_INPUT,
                           "the policy names another key than --key: the log of another league, or one that "
                           "somebody else made");
    return 0;
}

static int say_missing(const char *dir, struct err *err)
{
    struct str names = STR_INIT;
    const int rc = log_audit_lacks(dir, &names, err);
    (void)fputs(names.p, stdout);
    str_release(&names);
    return rc;
}

static int look(const struct audit_log_how *how, const char *dir, int *code, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct audit_how as = *how->how;
    struct log_audit audit;
    int rc = how->policy ? command_policy(how->policy, policy, err) : find_policy(dir, policy, err);
    if (rc == 0)
        rc = hold_key(policy, as.league_key, err);
    if (how->policy)
        as.league_key = policy->log[0].key.public;
    log_audit_init(&audit, dir, policy);
    if (rc == 0)
        rc = read_all(&audit, how, err);
    *code = audit.count[LOG_WRONG] ? 2 : audit.count[LOG_ASK] ? 1 : 0;
    if (rc == 0)
        say(&audit, &as, *code);
    log_audit_release(&audit);
    free(policy);
    return rc;
}

int audit_log(const struct audit_log_how *how)
{
    struct err err = ERR_INIT;
    char *dir = NULL;
    int code = 0;
    int rc = find_log(how->folder, &dir, &err);
    if (rc == 0)
        rc = how->missing ? say_missing(dir, &err) : look(how, dir, &code, &err);
    free(dir);
    return rc ? command_fail(&err) : code;
}
