/* Journals that were given, held against the log: record by record, as the log has them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "audit/audit_results.h"
#include "compete/competition.h"
#include "game/entry.h"
#include "game/game.h"
#include "league/registry_log.h"
#include "publish/claims.h"
#include "publish/log_audit_parts.h"

#define PIECE       8192
#define CLOCK_SLACK 60 /* seconds by which clocks of one league may differ */

/* ---- a journal ---- */

/* The record that begins at that byte, with its LF; empty: there is none, or half of one. */
static int line_at(const char *path, int64_t offset, struct str *line, struct err *err)
{
    char block[PIECE];
    const char *end = NULL;
    ssize_t got = 1;
    int fd;
    str_clear(line);
    if (file_open(path, &fd, err))
        return -1;
    while (!end && got > 0 && line->len <= RECORD_MAX) {
        got = pread(fd, block, sizeof block, (off_t)(offset + (int64_t)line->len));
        end = got > 0 ? memchr(block, '\n', (size_t)got) : NULL;
        str_add(line, block, end ? (size_t)(end - block) + 1 : got > 0 ? (size_t)got : 0);
    }
    if (!end)
        str_clear(line);
    int rc = got < 0 ? err_sys(err, ERR_IO, "cannot read %s", path) : 0;
    close(fd);
    return rc;
}

/* A journal need not be a published one. */
static void keep_proof(struct log_audit *audit, const char *journal)
{
    struct str path = STR_INIT, proof = STR_INIT;
    if (claim_beside(journal, "HEAD.tlog-proof", &path, &proof))
        log_audit_keep(audit, path.p, slice_str(&proof));
    str_release(&path);
    str_release(&proof);
}

int log_audit_journal(struct log_audit *audit, const char *path, struct err *err)
{
    struct str line = STR_INIT;
    struct record record;
    int rc = line_at(path, 0, &line, err);
    if (rc == 0 && record_parse(slice_str(&line), &record, err))
        rc = err_prefix(err, "%s", path);
    if (rc == 0) {
        const bool game = json_object_get(record.json, "ruleset") && json_object_get(record.json, "table");
        struct log_journal *journal = mem_alloc(sizeof *journal);
        *journal = (struct log_journal){.path = mem_strdup(path), .game = game};
        memcpy(journal->id, record.game, sizeof journal->id);
        game_log_hidden_name(journal->hidden, record.head);
        for (size_t i = 0; rc == 0 && i < audit->journal_count; i++)
            if (strcmp(audit->journal[i]->id, journal->id) == 0)
                rc = err_set(err, ERR_INPUT, "%s is there twice (%s and %s); name one folder of it",
                             journal->id, audit->journal[i]->path, path);
        audit->journal =
            mem_grow(audit->journal, audit->journal_count, &audit->journal_cap, sizeof *audit->journal);
        audit->journal[audit->journal_count++] = journal;
        record_release(&record);
    }
    str_release(&line);
    if (rc == 0)
        keep_proof(audit, path);
    return rc;
}

/* ---- a record and its entry ---- */

/* Its bytes are those that the league logged, so members stand where the league writes them. */
static bool says(struct slice line, const char *member, const char *value)
{
    struct str text = STR_INIT;
    str_addf(&text, "\"%s\":\"%s\"", member, value);
    const bool there = slice_find(line, text.p) != (size_t)-1;
    str_release(&text);
    return there;
}

static bool says_number(struct slice line, const char *member, int value)
{
    struct str text = STR_INIT;
    str_addf(&text, "\"%s\":%d", member, value);
    const size_t at = slice_find(line, text.p), end = at + text.len;
    str_release(&text);
    return at != (size_t)-1 && end < line.len && (line.p[end] < '0' || line.p[end] > '9');
}

/* Is it a record of a game that the log tells from mere heads? */
static bool has_own_kind(struct slice line)
{
    static const enum entry_kind kinds[] = {ENTRY_RECEIPT, ENTRY_CLOSE, ENTRY_START, ENTRY_TURN, ENTRY_END};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (says(line, "type", game_entry_type(kinds[i])))
            return true;
    return false;
}

/* What a receipt or a report proves by its entry alone is what the record says. */
static bool agrees(const struct log_journal *journal, struct slice line, const struct log_entry *entry)
{
    char mark[2 * ENTRY_DIGEST + 1];
    const char *type = game_entry_type(entry->kind);
    hex_to(mark, entry->mark, ENTRY_DIGEST);
    if (!journal->game && entry->kind == ENTRY_CLOSE) /* of a competition's draw */
        return says(line, "type", COMPETE_FIXED) && says_number(line, "round", entry->turn.turn);
    if (type && !says(line, "type", type))
        return false;
    switch (entry->kind) {
    case ENTRY_RECEIPT:
    case ENTRY_KEPT:
        return says(line, "seal", mark) && says_number(line, "seat", entry->seat) &&
               says_number(line, "turn", entry->turn.turn);
    case ENTRY_CLOSE:
    case ENTRY_TURN: return says_number(line, "turn", entry->turn.turn);
    case ENTRY_END: return says_number(line, "turns", entry->turn.turn);
    case ENTRY_HEAD: return journal->game ? !has_own_kind(line) : !says(line, "type", COMPETE_FIXED);
    case ENTRY_START:
    case ENTRY_LOST:
    case ENTRY_PROGRAM:
    case ENTRY_LOG: break;
    }
    return true;
}

/* The league dates an entry as its record, unless the log stands at a later time. */
static void look_at_time(struct log_audit *audit, struct slice line, const struct log_entry *entry,
                         const struct log_place *place)
{
    static const char member[] = "\"time\":\"";
    const size_t at = slice_find(line, member);
    int64_t time;
    if (at == (size_t)-1 || !clock_parse(slice_sub(line, at + strlen(member), CLOCK_TEXT - 1), &time))
        return;
    if (entry->time < time)
        log_find(audit, LOG_WRONG, LOG_CLOCK, place,
                 "the log had it before the time that it says: the journal's clock was put forward, and "
                 "turns ended before "
                 "their time. Compare the deadlines with the log");
    if (entry->time - time <= CLOCK_SLACK)
        return;
    audit->dated_back++;
    if (entry->time - time > audit->dated_back_most)
        audit->dated_back_most = entry->time - time;
}

/* Was that record lost later? Then another one has its number. */
static bool is_lost(const struct log_name *name, const struct log_entry *entry, int64_t number)
{
    for (size_t i = 0; i < name->lost_count; i++)
        if (name->lost[i].entry > number && name->lost[i].seq <= entry->seq)
            return true;
    return false;
}

static int hold(struct log_audit *audit, const struct log_entry *entry, int64_t number, struct err *err)
{
    const struct log_place place = {entry->name, entry->seq, number};
    struct log_name *name = *entry->name ? log_name_find(audit, entry->name) : NULL;
    struct log_journal *journal = name ? name->journal : NULL;
    struct str line = STR_INIT;
    unsigned char head[HEAD_BYTES];
    int rc = 0;
    if (!journal || entry->kind == ENTRY_LOST || journal->differs || journal->lacks ||
        entry->seq <= journal->seq || is_lost(name, entry, number))
        return 0;
    while (rc == 0 && journal->seq < entry->seq && !journal->lacks) {
        rc = line_at(journal->path, journal->offset, &line, err);
        journal->lacks = line.len ? 0 : journal->seq + 1;
        journal->seq += line.len > 0;
        journal->offset += (int64_t)line.len;
    }
    if (rc == 0 && !journal->lacks) {
        record_head(head, slice_str(&line));
        journal->differs = memcmp(head, entry->head, HEAD_BYTES) != 0;
        if (journal->differs) {
            log_find(audit, LOG_WRONG, LOG_JOURNAL, &place,
                     "%s has another record here than the log: the journal was changed after it was logged. "
                     "Players' mails show which one they were told of: turnpost receipt-check",
                     journal->path);
        } else {
            if (!agrees(journal, slice_str(&line), entry))
                log_find(audit, LOG_WRONG, LOG_JOURNAL, &place,
                         "the log has it as %s of another kind, text, turn or seat than the record says. "
                         "Players hold "
                         "proofs of it: compare their mails, turnpost receipt-check",
                         entry_word(entry->kind));
            look_at_time(audit, slice_str(&line), entry, &place);
        }
    }
    str_release(&line);
    return rc;
}

/* ---- where it ends ---- */

/* Records after the last one that the log has: new ones, or such as were never logged. */
static int look_beyond(struct log_audit *audit, const struct log_journal *journal, struct err *err)
{
    struct str line = STR_INIT;
    struct record record;
    struct err why = ERR_INIT; /* the game's own audit says it */
    char time[CLOCK_TEXT], last[CLOCK_TEXT];
    int rc = line_at(journal->path, journal->offset, &line, err);
    if (rc == 0 && line.len && record_parse(slice_str(&line), &record, &why) == 0) {
        const struct log_place place = {journal->id, record.seq, 0};
        clock_utc(time, record.time);
        clock_utc(last, audit->last);
        if (record.time + AUDIT_RESULTS_LATE < audit->last)
            log_find(
                audit, LOG_WRONG, LOG_JOURNAL, &place,
                "it is dated %s, and the log, which goes on to %s, does not have it: it was never logged. "
                "Nobody has a proof of it",
                time, last);
        else
            log_find(audit, LOG_ASK, LOG_JOURNAL, &place,
                     "this copy of the log does not have it yet: it is older than the journal. Fetch the log "
                     "again");
        record_release(&record);
    }
    str_release(&line);
    return rc;
}

static int look_at_end(struct log_audit *audit, const struct log_journal *journal, struct err *err)
{
    const struct log_name *name = log_name_find(audit, journal->id);
    if (!name)
        name = log_name_find(audit, journal->hidden);
    if (!journal->differs && !journal->lacks)
        return look_beyond(audit, journal, err);
    if (journal->lacks && !journal->differs)
        log_find(audit, LOG_ASK, LOG_JOURNAL, &(struct log_place){journal->id, journal->lacks, 0},
                 "%s ends before it, and the log goes on to record %lld: it is an older copy, or its end was "
                 "cut. Ask for the whole of it: turnpost publish",
                 journal->path, (long long)name->seq);
    return 0;
}

/* ---- what is not there ---- */

static void say_unpublished(struct log_audit *audit)
{
    int64_t running = 0, hidden = 0;
    for (size_t i = 0; i < audit->name_count; i++) {
        const struct log_name *name = audit->name[i];
        char ended[CLOCK_TEXT];
        clock_utc(ended, name->ended);
        running += !name->journal && name->game && !name->end;
        hidden += !name->journal && name->end && game_log_is_hidden(name->name);
        if (!name->journal && name->end && !game_log_is_hidden(name->name))
            log_find(audit, LOG_ASK, LOG_UNPUBLISHED,
                     &(struct log_place){name->name, name->end, name->end_entry},
                     "the game ended on %.10s, and its journal is not there. Ask for it: turnpost publish %s",
                     ended, name->name);
        else if (!name->journal && !name->game && strcmp(name->name, REGISTRY_GAME) != 0)
            log_find(audit, LOG_NOTE, LOG_UNPUBLISHED, &(struct log_place){name->name, 0, 0},
                     "no journal of this %s is there, so it was not compared: turnpost publish %s",
                     strcmp(name->name, RESULTS_NAME) == 0 ? "list"
                                                           : "competition, or game that has not begun,",
                     name->name);
    }
    if (running)
        log_find(audit, LOG_NOTE, LOG_UNPUBLISHED, LOG_NOWHERE,
                 "%lld game%s still run%s, of which no journal is there", (long long)running, PLURAL(running),
                 running == 1 ? "s" : "");
    if (hidden)
        log_find(
            audit, LOG_NOTE, LOG_UNPUBLISHED, LOG_NOWHERE,
            "%lld game%s that ended %s private, or of a deal that others may still play: the log does not "
            "name %s, and those who played can compare",
            (long long)hidden, PLURAL(hidden), hidden == 1 ? "is" : "are", hidden == 1 ? "it" : "them");
}

int log_journals(struct log_audit *audit, struct err *err)
{
    char longest[64];
    struct str text = STR_INIT;
    if (!audit->journal_count) {
        log_find(audit, LOG_NOTE, LOG_UNPUBLISHED, LOG_NOWHERE,
                 "no journal was given, so none was compared: name the folders of published games and "
                 "competitions");
        return 0;
    }
    for (size_t i = 0; i < audit->journal_count; i++) {
        struct log_journal *journal = audit->journal[i];
        struct log_name *name = log_name_find(audit, journal->id),
                        *hidden = log_name_find(audit, journal->hidden);
        if (name && hidden)
            log_find(audit, LOG_WRONG, LOG_HISTORIES, &(struct log_place){hidden->name, 1, hidden->entry},
                     "two histories: this is %s, under a second name. Ask for both journals", journal->id);
        name = name ? name : hidden;
        if (name)
            name->journal = journal;
    }
    int rc = log_read(audit, hold, err);
    for (size_t i = 0; rc == 0 && i < audit->journal_count; i++)
        rc = look_at_end(audit, audit->journal[i], err);
    if (rc == 0)
        say_unpublished(audit);
    if (rc == 0 && audit->dated_back) {
        duration_add(&text, audit->dated_back_most);
        (void)snprintf(longest, sizeof longest, "%s", text.p);
        log_find(audit, LOG_ASK, LOG_CLOCK, LOG_NOWHERE,
                 "%lld record%s dated before what the log had already, by %s at most: the league's clock was "
                 "put back, or had been ahead. Ask why, and which orders came then",
                 (long long)audit->dated_back, audit->dated_back == 1 ? " is" : "s are", longest);
    }
    str_release(&text);
    return rc;
}
