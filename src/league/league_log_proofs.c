#include "league/league_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "league/league_log_parts.h"
#include "tlog/armor.h"
#include "tlog/proof.h"
#include "tlog/witness.h"

/* ---- proofs ---- */

/* The first entry at that time or later: looked for from the end, as nearly all that is asked for is new. */
static int first_at(struct league_log *log, int64_t time, struct str *line, int64_t *index, struct err *err)
{
    struct log_entry entry;
    int64_t high = tiles_size(log->tiles), low = high, step = 1;
    while (low > 0) {
        low = low > step ? low - step : 0;
        step *= 2;
        if (league_log_entry(log, low, line, &entry, err))
            return -1;
        if (entry.time < time)
            break;
        high = low;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (league_log_entry(log, middle, line, &entry, err))
            return -1;
        if (entry.time < time)
            low = middle + 1;
        else
            high = middle;
    }
    *index = high;
    return 0;
}

/* Has the journal lost the record of this entry, so that there may be another one with its number? */
struct losing {
    const struct proof_place *place;
    int64_t after, at; /* entries up to this one; so far */
    bool lost;
};

static int look_for_loss(void *arg, struct slice lines, struct err *err)
{
    struct losing *losing = arg;
    struct slice line;
    while (slice_line(&lines, &line)) {
        struct log_entry entry;
        if (losing->at++ < losing->after || !slice_starts(line, "lost "))
            continue;
        if (log_entry_parse(line, &entry, err))
            return -1;
        losing->lost |= entry.seq <= losing->place->seq && strcmp(entry.name, losing->place->name) == 0;
    }
    return 0;
}

static int find(struct league_log *log, const struct proof_place *place, struct str *line, int64_t *index,
                struct err *err)
{
    struct log_entry entry;
    if (first_at(log, place->time, line, index, err))
        return -1;
    for (; *index < tiles_size(log->tiles); (*index)++) {
        if (league_log_entry(log, *index, line, &entry, err))
            return -1;
        if (entry.seq != place->seq || entry.kind == ENTRY_LOST || strcmp(entry.name, place->name) != 0)
            continue;
        struct losing losing = {.place = place, .after = *index};
        int64_t end;
        if (*index < log->lost &&
            league_log_read(log->path, 0, &(struct piece_reader){look_for_loss, &losing}, &end, err))
            return -1;
        if (!losing.lost)
            return 0;
    }
    return err_set(err, ERR_MISSING, "the log has no record %lld of %s", (long long)place->seq, place->name);
}

/* The checkpoint of the first `size` entries, with these signatures beside ours. */
static int write_note(struct league_log *log, int64_t size, struct slice signatures, struct str *note,
                      struct err *err)
{
    const struct tree_reader reader = tiles_reader(log->tiles);
    struct checkpoint checkpoint = {.size = size};
    if (!size)
        tree_empty(&checkpoint.root);
    else if (tree_root(&reader, size, &checkpoint.root, err))
        return -1;
    league_log_sign(log, &checkpoint, note);
    str_addslice(note, signatures);
    return 0;
}

/* The tree of which the entry is the last leaf, or a larger one. */
struct proof_in {
    int64_t size;
    struct slice signatures, extra;
};

static int write_proof_in(struct league_log *log, int64_t index, const struct proof_in *in, struct str *out,
                          struct err *err)
{
    const struct tree_reader reader = tiles_reader(log->tiles);
    struct log_proof proof = LOG_PROOF_INIT;
    struct str note = STR_INIT;
    proof.index = index;
    str_addslice(&proof.extra, in->extra);
    int rc = write_note(log, in->size, in->signatures, &note, err) ||
                     tree_inclusion(&reader, index, in->size, &proof.path, err)
                 ? -1
                 : 0;
    proof.note = slice_str(&note);
    if (rc == 0)
        log_proof_write(out, &proof);
    log_proof_release(&proof);
    str_release(&note);
    return rc;
}

int league_log_proof(struct league_log *log, const struct proof_place *place, struct str *entry,
                     struct str *proof, struct err *err)
{
    struct str line = STR_INIT;
    int64_t index;
    (void)pthread_mutex_lock(&log->lock);
    int rc = find(log, place, &line, &index, err);
    if (rc == 0)
        rc = write_proof_in(
            log, index,
            &(struct proof_in){.size = index + 1, .extra = {(const char *)place->extra, place->extra_len}},
            proof, err);
    (void)pthread_mutex_unlock(&log->lock);
    if (rc == 0) {
        str_addslice(entry, slice_str(&line));
        str_addc(entry, '\n');
    }
    str_release(&line);
    return rc;
}

int league_log_prove(struct league_log *log, const struct proof_place *place, struct str *out,
                     struct err *err)
{
    struct str text = STR_INIT, proof = STR_INIT;
    int rc = league_log_proof(log, place, &text, &proof, err);
    str_addslice(&text, slice_str(&proof));
    if (rc == 0)
        armored_write(out, PROOF_ARMOR, slice_str(&text));
    str_release(&text);
    str_release(&proof);
    return rc;
}

/* ---- witnesses ---- */

int league_log_holds(struct league_log *log, const struct proof_place *place, const unsigned char head[32],
                     struct err *err)
{
    struct str line = STR_INIT;
    struct log_entry entry;
    int64_t index;
    (void)pthread_mutex_lock(&log->lock);
    int rc = find(log, place, &line, &index, err) || log_entry_parse(slice_str(&line), &entry, err) ? -1 : 0;
    (void)pthread_mutex_unlock(&log->lock);
    str_release(&line);
    return rc || memcmp(entry.head, head, sizeof entry.head) == 0
               ? rc
               : err_set(err, ERR_BROKEN,
                         "the league's log has another record %lld of %s: its journal was changed",
                         (long long)place->seq, place->name);
}

int league_log_agrees(struct league_log *log, const struct proof_place *place, const unsigned char head[32],
                      struct err *err)
{
    struct err why = ERR_INIT;
    return league_log_holds(log, place, head, &why) == 0 || why.code == ERR_MISSING
               ? 0
               : err_set(err, why.code, "%s", why.text);
}

int64_t league_log_index(struct league_log *log, const struct proof_place *place)
{
    struct str line = STR_INIT;
    struct err ignored = ERR_INIT;
    int64_t index;
    (void)pthread_mutex_lock(&log->lock);
    int rc = find(log, place, &line, &index, &ignored);
    (void)pthread_mutex_unlock(&log->lock);
    str_release(&line);
    return rc ? -1 : index;
}

static int add_close(struct league_log *log, int64_t index, struct str *line, struct witness_close *close,
                     struct err *err)
{
    const struct tree_reader reader = tiles_reader(log->tiles);
    close->index = index;
    return tiles_entry(log->tiles, index, line, err) ||
                   tree_inclusion(&reader, index, tiles_size(log->tiles), &close->path, err)
               ? -1
               : 0;
}

static int write_request(struct league_log *log, int64_t old, const int64_t *closes, size_t count,
                         struct str *out, struct err *err)
{
    const struct tree_reader reader = tiles_reader(log->tiles);
    const int64_t size = tiles_size(log->tiles);
    struct witness_request request = {.old = old, .closes = count};
    struct str note = STR_INIT, *lines = mem_array(count + 1, sizeof *lines);
    request.close = mem_array(count + 1, sizeof *request.close);
    int rc = write_note(log, size, (struct slice){"", 0}, &note, err);
    if (rc == 0)
        rc = tree_consistency(&reader, old, size, &request.consistency, err);
    for (size_t i = 0; i < count; i++) {
        str_init(&lines[i]);
        if (rc == 0)
            rc = add_close(log, closes[i], &lines[i], &request.close[i], err);
        request.close[i].line = slice_str(&lines[i]);
    }
    request.note = slice_str(&note);
    if (rc == 0)
        witness_request_write(out, &request);
    for (size_t i = 0; i < count; i++)
        str_release(&lines[i]);
    free(lines);
    str_release(&note);
    witness_request_release(&request);
    return rc;
}

int league_log_request(struct league_log *log, int64_t old, const int64_t *closes, size_t count,
                       struct str *out, struct err *err)
{
    if (old > tiles_size(log->tiles))
        return err_set(err, ERR_STALE, "the witness has cosigned %lld entries, and the log has %lld",
                       (long long)old, (long long)tiles_size(log->tiles));
    (void)pthread_mutex_lock(&log->lock);
    int rc = write_request(log, old, closes, count, out, err);
    (void)pthread_mutex_unlock(&log->lock);
    return rc;
}

int league_log_lines(struct league_log *log, int64_t first, int64_t end, struct str *out, struct err *err)
{
    int rc = 0;
    (void)pthread_mutex_lock(&log->lock);
    for (int64_t i = first; rc == 0 && i < end && i < tiles_size(log->tiles); i++) {
        rc = tiles_entry(log->tiles, i, out, err);
        str_addc(out, '\n');
    }
    (void)pthread_mutex_unlock(&log->lock);
    return rc;
}

bool league_log_vouched(struct league_log *log, const struct vkey *key, int64_t size, struct slice lines,
                        struct str *own)
{
    struct str note = STR_INIT, found = STR_INIT;
    struct err ignored = ERR_INIT;
    struct note_seen seen = {.good = false};
    note_own_lines(&found, lines, key);
    const bool good = league_log_cosigned(log, size, slice_str(&found), &note, &ignored) == 0 &&
                      note_verify(slice_str(&note), key, 1, &seen, &ignored) == 0 && seen.good;
    if (good)
        str_addslice(own, slice_str(&found));
    str_release(&note);
    str_release(&found);
    return good;
}

static bool has_line(struct slice text, struct slice wanted)
{
    struct slice line;
    while (slice_whole_line(&text, &line))
        if (line.len == wanted.len && memcmp(line.p, wanted.p, line.len) == 0)
            return true;
    return false;
}

void league_log_show_cosigned(struct league_log *log, int64_t size, struct slice lines)
{
    struct str note = STR_INIT;
    struct err why = ERR_INIT;
    struct slice text, signatures;
    struct checkpoint checkpoint;
    char *path = path_join(log->dir, "checkpoint");
    (void)pthread_mutex_lock(&log->lock);
    int rc = size != log->published || size != tiles_size(log->tiles)
                 ? 1
                 : file_read(path, NOTE_MOST, &note, &why);
    if (rc == 0 && (!note_split(slice_str(&note), &text, &signatures) ||
                    checkpoint_parse(slice_str(&note), &checkpoint, &why) || checkpoint.size != size ||
                    note.len + lines.len > NOTE_MOST))
        rc = 1;
    struct slice line;
    size_t before = note.len;
    while (rc == 0 && slice_whole_line(&lines, &line))
        if (!has_line(slice_str(&note), line))
            str_addslice(&note, line);
    if (rc == 0 && note.len > before)
        rc = tiles_publish(log->tiles, slice_str(&note), &why);
    (void)pthread_mutex_unlock(&log->lock);
    if (rc < 0)
        log_warn("%s; the log's checkpoint is shown without those who have cosigned it", why.text);
    free(path);
    str_release(&note);
}

static int has_so_many(const struct league_log *log, int64_t size, struct err *err)
{
    return size <= tiles_size(log->tiles)
               ? 0
               : err_set(err, ERR_MISSING, "the log has no %lld entries", (long long)size);
}

int league_log_cosigned(struct league_log *log, int64_t size, struct slice signatures, struct str *note,
                        struct err *err)
{
    if (has_so_many(log, size, err))
        return -1;
    (void)pthread_mutex_lock(&log->lock);
    int rc = write_note(log, size, signatures, note, err);
    (void)pthread_mutex_unlock(&log->lock);
    return rc;
}

int league_log_cosigned_proof(struct league_log *log, int64_t index, int64_t size, struct slice signatures,
                              struct str *out, struct err *err)
{
    if (has_so_many(log, size, err))
        return -1;
    (void)pthread_mutex_lock(&log->lock);
    int rc = tiles_entry(log->tiles, index, out, err);
    str_addc(out, '\n');
    if (rc == 0)
        rc = write_proof_in(log, index, &(struct proof_in){size, signatures, {"", 0}}, out, err);
    (void)pthread_mutex_unlock(&log->lock);
    return rc;
}

/* As a mail has them: with CRLF between. */
static void add_lines(struct str *out, struct slice text)
{
    struct slice line;
    for (const char *between = ""; slice_line(&text, &line); between = "\r\n")
        str_addf(out, "%s%.*s", between, (int)line.len, line.p);
}

void league_log_complete(struct league_log *log, struct str *mail)
{
    struct slice rest = slice_str(mail), before;
    struct proof_place place;
    struct str out = STR_INIT;
    bool any = false;
    while (proof_place_next(&rest, &before, &place, log->league->master)) {
        struct err why = ERR_INIT;
        struct str armor = STR_INIT;
        any = true;
        str_addslice(&out, before);
        if (league_log_prove(log, &place, &armor, &why)) {
            log_error("a mail leaves without the proof of record %lld of %s: %s", (long long)place.seq,
                      place.name, why.text);
            str_addf(&armor, "(The log cannot prove record %lld of %s now.)\n", (long long)place.seq,
                     place.name);
        }
        add_lines(&out, slice_str(&armor));
        str_release(&armor);
    }
    if (any) {
        str_addslice(&out, rest);
        str_release(mail);
        *mail = out;
    } else {
        str_release(&out);
    }
}
