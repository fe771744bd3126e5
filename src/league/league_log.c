#include "league/league_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "journal/record.h"
#include "league/league_log_parts.h"
#include "league/program.h"

#define PIECE        ((size_t)1 << 20)
#define TAIL         2000 /* bytes, more than the longest entry */
#define AHEAD        3600 /* seconds */
#define PLACE_MOST   64
#define ALL_MAY_READ 0644

int64_t league_log_size(const struct league_log *log)
{
    return tiles_size(log->tiles);
}

const struct policy *league_log_policy(const struct league_log *log)
{
    return &log->policy;
}

/* ---- opening ---- */

int league_log_read(const char *path, int64_t from, const struct piece_reader *reader, int64_t *end,
                    struct err *err)
{
    struct str piece = STR_INIT;
    int fd, rc = 0;
    *end = from;
    if (!file_exists(path))
        return 0;
    if (file_open(path, &fd, err))
        return -1;
    char *block = mem_array(PIECE, 1);
    ssize_t got = 1;
    while (rc == 0 && got > 0) {
        got = pread(fd, block, PIECE, (off_t)(*end + (int64_t)piece.len));
        if (got < 0)
            rc = err_sys(err, ERR_IO, "cannot read %s", path);
        str_add(&piece, block, got > 0 ? (size_t)got : 0);
        const char *last = piece.len ? memrchr(piece.p, '\n', piece.len) : NULL;
        const size_t whole = last ? (size_t)(last - piece.p) + 1 : 0;
        if (rc == 0 && whole)
            rc = reader->take(reader->arg, slice_sub(slice_str(&piece), 0, whole), err);
        *end += (int64_t)whole;
        struct str rest = STR_INIT;
        str_addslice(&rest, slice_sub(slice_str(&piece), whole, piece.len));
        str_release(&piece);
        piece = rest;
    }
    free(block);
    str_release(&piece);
    close(fd);
    return rc;
}

static int take_time(void *arg, struct slice lines, struct err *err)
{
    struct slice line;
    struct log_entry entry;
    (void)err;
    while (slice_line(&lines, &line)) {
        struct err half = ERR_INIT; /* the first one may be no whole line */
        if (log_entry_parse(line, &entry, &half) == 0)
            *(int64_t *)arg = entry.time;
    }
    return 0;
}

bool league_log_ahead(const struct league *league, int64_t now, struct str *words)
{
    struct err ignored = ERR_INIT; /* a log that cannot be read has other voices */
    char *log = league_path(league, LEAGUE_LOG_FOLDER), *path = path_join(log, "entries");
    char last[CLOCK_TEXT];
    const int64_t size = file_size(path);
    int64_t time = 0, end;
    (void)league_log_read(path, size > TAIL ? size - TAIL : 0, &(struct piece_reader){take_time, &time}, &end,
                          &ignored);
    free(log);
    free(path);
    if (time < now + AHEAD)
        return false;
    clock_utc(last, time);
    str_addf(
        words,
        "the clock was ahead: records are dated up to %s, and in their games time stands still until then. "
        "Turns are played when all orders are in, and nobody misses one before its deadline has really "
        "come; what should not wait so long a moderator can have played (resolve)",
        last);
    return true;
}

/* Does this line end at that byte of the entries? */
static bool ends_at(const struct league_log *log, struct slice line, int64_t at)
{
    char bytes[ENTRY_MOST + 1];
    int fd;
    struct err ignored = ERR_INIT;
    const size_t length = line.len + 1;
    if (length > sizeof bytes || at < (int64_t)length || file_open(log->path, &fd, &ignored))
        return false;
    const bool whole = pread(fd, bytes, length, (off_t)(at - (int64_t)length)) == (ssize_t)length;
    close(fd);
    return whole && bytes[line.len] == '\n' && memcmp(bytes, line.p, line.len) == 0;
}

/* Where the entries begin that the tiles do not have, by log/place; 0: it is not known. With it come the last `program` and `lost`. */
static int64_t find_place(struct league_log *log)
{
    struct str text = STR_INIT, last = STR_INIT;
    struct err ignored = ERR_INIT;
    int64_t count = 0, bytes = 0, program = 0, lost = 0;
    char *path = path_join(log->dir, "place");
    bool found = tiles_size(log->tiles) > 0 && file_read(path, PLACE_MOST, &text, &ignored) == 0;
    struct slice rest = slice_str(&text);
    found = found && slice_number(&rest, &count) && slice_number(&rest, &bytes) &&
            slice_number(&rest, &program) && slice_number(&rest, &lost) && program <= count &&
            lost <= count && count == tiles_size(log->tiles) &&
            tiles_entry(log->tiles, count - 1, &last, &ignored) == 0 && ends_at(log, slice_str(&last), bytes);
    str_release(&text);
    str_release(&last);
    free(path);
    log->program = found ? program : 0;
    log->lost = found ? lost : 0;
    return found ? bytes : 0;
}

/* Entries that follow the first `before` ones: is one a `program`, or a `lost`? Gives how many there are then. */
static int64_t note_kinds(struct league_log *log, int64_t before, struct slice lines)
{
    struct slice line;
    while (slice_line(&lines, &line)) {
        before++;
        if (slice_starts(line, "program "))
            log->program = before;
        else if (slice_starts(line, "lost "))
            log->lost = before;
    }
    return before;
}

/* The entries, line by line: those that the tiles have are held against these, the others are given to them. */
struct feeding {
    struct league_log *log;
    int64_t size; /* entries that the tiles have */
    int64_t at;   /* entries so far */
    struct tree_range range;
    bool differs;
};

static void look_at_first(struct feeding *feeding, struct slice *lines)
{
    struct tree_hash leaf, root, ours;
    struct slice line;
    while (feeding->range.size < feeding->size && slice_whole_line(lines, &line)) {
        tree_leaf(&leaf, line);
        tree_append(&feeding->range, &leaf);
    }
    if (feeding->range.size < feeding->size)
        return;
    tree_range_root(&feeding->range, &root);
    tiles_root(feeding->log->tiles, &ours);
    feeding->differs = !tree_hash_equal(&root, &ours);
}

int league_log_entry(const struct league_log *log, int64_t index, struct str *line, struct log_entry *entry,
                     struct err *err)
{
    str_clear(line);
    return tiles_entry(log->tiles, index, line, err) || log_entry_parse(slice_str(line), entry, err) ? -1 : 0;
}

static int feed(void *arg, struct slice lines, struct err *err)
{
    struct feeding *feeding = arg;
    feeding->at = note_kinds(feeding->log, feeding->at, lines);
    if (feeding->range.size < feeding->size)
        look_at_first(feeding, &lines);
    return feeding->differs || !lines.len ? 0 : tiles_append(feeding->log->tiles, lines, err);
}

static int look_at(void *arg, struct slice lines, struct err *err)
{
    struct feeding *feeding = arg;
    (void)err;
    if (feeding->range.size < feeding->size)
        look_at_first(feeding, &lines);
    return 0;
}

#define AT_ONCE 1000

/* All entries as the tiles have them, whose checkpoint the league has signed: the file was cut, changed, or is another one. */
static int write_again(struct league_log *log, struct err *err)
{
    const int64_t size = tiles_size(log->tiles);
    log_warn("%s is not what the league has signed: it is written again from the tiles beside it", log->path);
    int rc = file_exists(log->path) ? file_truncate(log->path, 0, err) : 0;
    log->bytes = log->program = log->lost = 0;
    for (int64_t i = 0; rc == 0 && i < size;) {
        struct str lines = STR_INIT;
        const int64_t before = i;
        for (int64_t end = i + AT_ONCE; rc == 0 && i < size && i < end; i++) {
            rc = tiles_entry(log->tiles, i, &lines, err);
            str_addc(&lines, '\n');
        }
        if (rc == 0)
            rc = file_append(log->path, slice_str(&lines), ALL_MAY_READ, err);
        log->bytes += (int64_t)lines.len;
        (void)note_kinds(log, before, slice_str(&lines));
        str_release(&lines);
    }
    return rc;
}

static int read_entries(struct league_log *log, struct err *err)
{
    const int64_t from = find_place(log);
    struct feeding feeding = {
        .log = log, .size = from ? 0 : tiles_size(log->tiles), .at = from ? tiles_size(log->tiles) : 0};
    struct str last = STR_INIT;
    struct log_entry entry = {.time = 0};
    int rc = league_log_read(log->path, from, &(struct piece_reader){feed, &feeding}, &log->bytes, err);
    if (rc == 0 && file_size(log->path) > log->bytes) /* half a line */
        rc = file_truncate(log->path, log->bytes, err);
    if (rc == 0 && (feeding.differs || feeding.range.size < feeding.size))
        rc = write_again(log, err);
    const int64_t size = tiles_size(log->tiles);
    if (rc == 0 && size)
        rc = league_log_entry(log, size - 1, &last, &entry, err);
    log->time = log->settled_time = entry.time;
    str_release(&last);
    return rc;
}

/* Tiles under a checkpoint that the league has not signed are not its own. */
static bool is_signed(struct league_log *log)
{
    struct str note = STR_INIT;
    struct checkpoint checkpoint;
    struct policy_seen seen;
    struct err ignored = ERR_INIT;
    char *path = path_join(log->dir, "checkpoint");
    const bool good = file_read(path, NOTE_MOST, &note, &ignored) == 0 &&
                      policy_verify(&log->policy, slice_str(&note), &checkpoint, &seen, &ignored) == 0 &&
                      seen.log == 0;
    log->published = good ? checkpoint.size : 0;
    free(path);
    str_release(&note);
    return good;
}

static int open_tiles(struct league_log *log, struct err *err)
{
    if (tiles_open(log->dir, &log->tiles, err))
        return -1;
    if (!is_signed(log))
        tiles_reset(log->tiles);
    return 0;
}

int league_log_compare(struct league_log *log, struct err *err)
{
    struct feeding feeding = {.log = log, .size = tiles_size(log->tiles)};
    int64_t end;
    const struct piece_reader reader = {look_at, &feeding};
    if (league_log_read(log->path, 0, &reader, &end, err))
        return -1;
    return feeding.differs
               ? err_set(err, ERR_BROKEN,
                         "%s is not what the league has signed: the next run writes it again from the "
                         "tiles beside it",
                         log->path)
               : 0;
}

/* The policy that is there, or a new one. */
static int need_policy(struct league_log *log, struct err *err)
{
    const struct league *league = log->league;
    bool there;
    int rc = policy_file_find(league->dir, &there, err);
    if (rc == 0 && !there)
        rc = policy_file_make(league->dir, league->config.league.address, league->key.point, NULL, err);
    return rc ? rc : policy_file_read(league->dir, league->key.point, &log->policy, err);
}

static struct league_log *make(const struct league *league)
{
    struct league_log *log = mem_alloc(sizeof *log);
    *log = (struct league_log){.league = league, .pending = STR_INIT};
    (void)pthread_mutex_init(&log->lock, NULL);
    log->dir = league_path(league, LEAGUE_LOG_FOLDER);
    log->path = path_join(log->dir, "entries");
    return log;
}

int league_log_open(struct league_log **out, const struct league *league, struct err *err)
{
    struct league_log *log = *out = make(league);
    if (file_mkdirs(log->dir, 0755, err) == 0 && need_policy(log, err) == 0 && open_tiles(log, err) == 0 &&
        read_entries(log, err) == 0)
        return 0;
    league_log_close(log);
    *out = NULL;
    return -1;
}

int league_log_look(struct league_log **out, const struct league *league, struct err *err)
{
    struct league_log *log = *out = make(league);
    if (policy_file_read(league->dir, league->key.point, &log->policy, err) == 0 &&
        open_tiles(log, err) == 0) {
        if (!find_place(log))
            log->lost = tiles_size(log->tiles); /* it may be anywhere */
        return 0;
    }
    league_log_close(log);
    *out = NULL;
    return -1;
}

void league_log_close(struct league_log *log)
{
    if (!log)
        return;
    tiles_close(log->tiles);
    (void)pthread_mutex_destroy(&log->lock);
    str_release(&log->pending);
    free(log->dir);
    free(log->path);
    free(log);
}

/* ---- a commit ---- */

static void put_entry(struct league_log *log, const struct log_entry *entry)
{
    log_entry_write(&log->pending, entry);
    str_addc(&log->pending, '\n');
}

/* Which program writes what comes now, unless the last one that did is the same. */
static void name_program(struct league_log *log, int64_t time)
{
    struct str line = STR_INIT;
    struct log_entry last, own;
    struct err ignored = ERR_INIT; /* what cannot be read is named again */
    log->named =
        !program_entry(&own, time) ||
        (log->program && league_log_entry(log, log->program - 1, &line, &last, &ignored) == 0 &&
         memcmp(last.digest, own.digest, ENTRY_DIGEST) == 0 && strcmp(last.version, own.version) == 0);
    str_release(&line);
    if (!log->named)
        put_entry(log, &own);
}

void league_log_add_entry(struct league_log *log, const struct log_entry *entry)
{
    struct log_entry timed = *entry;
    log->time = timed.time = entry->time > log->time ? entry->time : log->time;
    if (!log->named && !log->pending.len)
        name_program(log, timed.time);
    put_entry(log, &timed);
}

void league_log_add(struct league_log *log, struct slice entries)
{
    struct slice line;
    while (slice_line(&entries, &line)) {
        struct log_entry entry;
        struct err why = ERR_INIT;
        if (log_entry_parse(line, &entry, &why)) { /* never: it is what log_entry_write has written */
            log_error("the entry \"%.*s\": %s", (int)line.len, line.p, why.text);
            continue;
        }
        league_log_add_entry(log, &entry);
    }
}

void league_log_add_one(struct league_log *log, const char *name, int64_t seq, int64_t time,
                        const unsigned char head[32])
{
    struct log_entry entry = {.kind = ENTRY_HEAD, .seq = seq, .time = time};
    (void)snprintf(entry.name, sizeof entry.name, "%s", name);
    memcpy(entry.head, head, sizeof entry.head);
    league_log_add_entry(log, &entry);
}

int league_log_add_heads(struct league_log *log, struct slice records, struct err *err)
{
    struct slice line;
    while (slice_whole_line(&records, &line)) {
        struct record record;
        if (record_parse(line, &record, err))
            return -1;
        league_log_add_one(log, record.game, record.seq, record.time, record.head);
        record_release(&record);
    }
    return 0;
}

void league_log_drop(struct league_log *log)
{
    str_clear(&log->pending);
    log->time = log->settled_time;
}

static bool entries_fit(const struct file_end *end, int64_t length)
{
    return end->size == length;
}

int league_log_append(struct league_log *log, struct err *err)
{
    struct file_condition condition = {.fits = entries_fit, .arg = log->bytes};
    if (!log->pending.len)
        return 0;
    int rc = file_append_if(log->path, slice_str(&log->pending), ALL_MAY_READ, &condition, err);
    if (rc == 0 && !condition.fitted)
        rc = err_set(err, ERR_STALE, "%s has changed while it was worked on", log->path);
    log->appended = rc == 0 ? (int64_t)log->pending.len : 0;
    return rc;
}

int league_log_unappend(struct league_log *log, struct err *err)
{
    int rc = log->appended ? file_truncate(log->path, log->bytes, err) : 0;
    log->appended = 0;
    league_log_drop(log);
    return rc;
}

void league_log_sign(const struct league_log *log, struct checkpoint *checkpoint, struct str *note)
{
    const struct vkey *key = &log->policy.log[0].key;
    (void)snprintf(checkpoint->origin, sizeof checkpoint->origin, "%s", key->name);
    checkpoint_note(note, checkpoint, key, log->league->key.key);
}

/* Tiles and checkpoint of all that is settled. */
static int publish(struct league_log *log, struct err *err)
{
    struct checkpoint checkpoint = {.size = tiles_size(log->tiles)};
    struct str note = STR_INIT, place = STR_INIT;
    if (checkpoint.size == log->published && checkpoint.size == tiles_shown(log->tiles))
        return 0;
    tiles_root(log->tiles, &checkpoint.root);
    league_log_sign(log, &checkpoint, &note);
    int rc = tiles_publish(log->tiles, slice_str(&note), err);
    char *path = path_join(log->dir, "place");
    str_addf(&place, "%lld %lld %lld %lld\n", (long long)checkpoint.size, (long long)log->bytes,
             (long long)log->program, (long long)log->lost);
    if (rc == 0)
        rc = file_write_soft(path, slice_str(&place), ALL_MAY_READ, err);
    if (rc == 0)
        log->published = checkpoint.size;
    free(path);
    str_release(&note);
    str_release(&place);
    return rc;
}

int league_log_settle(struct league_log *log, struct err *err)
{
    struct err why = ERR_INIT;
    int rc = 0;
    if (log->appended) {
        log->named |= slice_starts(slice_str(&log->pending), "program ");
        (void)note_kinds(log, tiles_size(log->tiles), slice_str(&log->pending));
        rc = tiles_append(log->tiles, slice_str(&log->pending), err);
    }
    log->bytes += log->appended;
    log->appended = 0;
    log->settled_time = log->time;
    str_clear(&log->pending);
    if (rc == 0 && publish(log, &why))
        log_warn("%s; until it can be written, the league's log shows nobody what is new", why.text);
    return rc;
}

/* ---- a start ---- */

static int take_ends(void *arg, struct slice lines, struct err *err)
{
    json_t *ends = arg;
    struct slice line;
    while (slice_line(&lines, &line)) {
        struct log_entry entry;
        if (log_entry_parse(line, &entry, err))
            return -1;
        const int64_t last = json_integer_value(json_array_get(json_object_get(ends, entry.name), 0));
        if (*entry.name && entry.kind != ENTRY_LOST)
            json_object_set_new(
                ends, entry.name,
                json_pack("[I,o]", (json_int_t)entry.seq, json_hex(entry.head, sizeof entry.head)));
        else if (*entry.name && last >= entry.seq) /* not of what an older log had alone */
            json_object_set_new(ends, entry.name, json_pack("[I]", (json_int_t)entry.seq - 1));
    }
    return 0;
}

int league_log_ends(struct league_log *log, json_t **ends, struct err *err)
{
    int64_t end;
    *ends = json_object();
    return league_log_read(log->path, 0, &(struct piece_reader){take_ends, *ends}, &end, err)
               ? err_prefix(err, "%s", log->path)
               : 0;
}

static int take_losses(void *arg, struct slice lines, struct err *err)
{
    struct slice line;
    while (slice_line(&lines, &line)) {
        struct log_entry entry;
        if (!slice_starts(line, "lost "))
            continue;
        if (log_entry_parse(line, &entry, err))
            return -1;
        json_object_set_new(arg, entry.name, json_integer(entry.seq));
    }
    return 0;
}

int league_log_losses(struct league_log *log, json_t **losses, struct err *err)
{
    int64_t end;
    *losses = json_object();
    return log->lost ? league_log_read(log->path, 0, &(struct piece_reader){take_losses, *losses}, &end, err)
                     : 0;
}

struct counting {
    const char *name;
    int most;
};

static int count_rollbacks(void *arg, struct slice lines, struct err *err)
{
    struct counting *counting = arg;
    struct slice line;
    while (slice_line(&lines, &line)) {
        struct log_entry entry;
        if (log_entry_parse(line, &entry, err))
            return -1;
        if (strcmp(entry.name, counting->name) == 0 && entry.turn.rollbacks > counting->most)
            counting->most = entry.turn.rollbacks;
    }
    return 0;
}

int league_log_rollbacks(struct league_log *log, const char *name, int *most, struct err *err)
{
    struct counting counting = {.name = name};
    int64_t end;
    int rc = league_log_read(log->path, 0, &(struct piece_reader){count_rollbacks, &counting}, &end, err);
    *most = counting.most;
    return rc;
}

/* Does a later `lost` say of the entry that its journal has it no more? `lost`: the lowest number of each name that one has said. */
static bool is_lost(json_t *lost, const struct log_entry *entry)
{
    const json_t *from = json_object_get(lost, entry->name);
    if (entry->kind == ENTRY_LOST && (!from || json_integer_value(from) > entry->seq))
        json_object_set_new(lost, entry->name, json_integer(entry->seq));
    return entry->kind == ENTRY_LOST || (from && entry->seq >= json_integer_value(from));
}

int league_log_cut(struct league_log *log, league_log_has *has, void *arg, struct err *err)
{
    const int64_t size = tiles_size(log->tiles);
    int64_t kept = size, bytes = 0, gone = 0; /* bytes: of the entries from here on */
    int rc = 0;
    struct str line = STR_INIT;
    json_t *lost = json_object();
    for (int64_t i = size; rc == 0 && i-- > log->published;) {
        struct log_entry entry;
        rc = league_log_entry(log, i, &line, &entry, err);
        bytes += (int64_t)line.len + 1;
        if (rc == 0 && *entry.name && !is_lost(lost, &entry) && !has(arg, entry.name, entry.seq)) {
            kept = i;
            gone = bytes;
        }
    }
    json_decref(lost);
    str_release(&line);
    if (rc || !gone)
        return rc;
    log_info("%s: %lld entries that no journal has are cut", log->path, (long long)(size - kept));
    rc = file_truncate(log->path, log->bytes - gone, err);
    tiles_reset(log->tiles);
    return rc ? rc : read_entries(log, err);
}
