#include "tlog/witness.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "tlog/strict.h"

/* ---- the request ---- */

void witness_request_write(struct str *out, const struct witness_request *request)
{
    str_addf(out, "old %lld\n", (long long)request->old);
    tree_path_lines(out, &request->consistency);
    str_addc(out, '\n');
    str_addslice(out, request->note);
    for (size_t i = 0; i < request->closes; i++) {
        const struct witness_close *close = &request->close[i];
        str_addc(out, '\n');
        str_addslice(out, close->line);
        str_addf(out, "\nindex %lld\n", (long long)close->index);
        tree_path_lines(out, &close->path);
    }
}

/* Cuts the note off `*rest`, and the empty line after it: a checkpoint has one before its signatures and no other. */
static bool cut_note(struct slice *rest, struct slice *note)
{
    size_t text = slice_find(*rest, "\n\n");
    if (text == (size_t)-1)
        return false;
    text += 2;
    size_t end = slice_find(slice_sub(*rest, text, rest->len), "\n\n");
    *note = slice_sub(*rest, 0, end == (size_t)-1 ? rest->len : text + end + 1);
    *rest = end == (size_t)-1 ? slice_sub(*rest, rest->len, 0) : slice_sub(*rest, text + end + 2, rest->len);
    return end == (size_t)-1 || rest->len;
}

static int read_close(struct slice *rest, struct witness_close *close, struct err *err)
{
    struct slice index;
    if (!strict_line(rest, &close->line))
        return err_set(err, ERR_INPUT, "a witness's request ends within an entry");
    if (log_entry_parse(close->line, &close->entry, err))
        return -1;
    if (close->entry.kind != ENTRY_CLOSE || !strict_line(rest, &index) || !strict_prefix(&index, "index ") ||
        !strict_number(index, 0, STRICT_MOST, &close->index))
        return err_set(err, ERR_INPUT,
                       "an entry of a witness's request is no close, or its index is missing");
    const char *before = rest->p;
    if (!tree_path_read(rest, &close->path))
        return err_set(err, ERR_INPUT, "the hashes of a close in a witness's request are wrong");
    /* An empty line stands between two closes, and not after the last one. */
    size_t read = (size_t)(rest->p - before);
    bool empty = read && before[read - 1] == '\n' && (read == 1 || before[read - 2] == '\n');
    return empty == (rest->len > 0) ? 0
                                    : err_set(err, ERR_INPUT, "a witness's request ends in an empty line");
}

int witness_request_parse(struct slice text, struct witness_request *request, struct err *err)
{
    struct slice line;
    if (!strict_line(&text, &line) || !strict_prefix(&line, "old ") ||
        !strict_number(line, 0, STRICT_MOST, &request->old))
        return err_set(err, ERR_INPUT, "a witness's request does not begin with \"old\" and a size");
    if (!tree_path_read(&text, &request->consistency) || !cut_note(&text, &request->note))
        return err_set(err, ERR_INPUT, "a witness's request has wrong hashes, or no checkpoint after them");
    if (checkpoint_parse(request->note, &request->checkpoint, err))
        return -1;
    while (text.len) {
        if (request->closes == WITNESS_CLOSES)
            return err_set(err, ERR_INPUT, "a witness's request has more than %d closes", WITNESS_CLOSES);
        if (!request->close)
            request->close = mem_array(WITNESS_CLOSES, sizeof *request->close);
        if (read_close(&text, &request->close[request->closes++], err))
            return -1;
    }
    return 0;
}

void witness_request_release(struct witness_request *request)
{
    free(request->close);
    *request = (struct witness_request){0};
}

/* ---- what a witness knows ---- */

void witness_state_release(struct witness_state *state)
{
    free(state->last);
    *state = (struct witness_state)WITNESS_STATE_INIT;
}

/* Where a NAME stands, or where it belongs: then `*found` is false. */
static size_t find_last(const struct witness_state *state, const char *name, bool *found)
{
    size_t from = 0, to = state->count;
    *found = false;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        int order = strcmp(state->last[middle].name, name);
        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static void put_last(struct witness_state *state, const struct witness_last *last)
{
    bool found;
    size_t at = find_last(state, last->name, &found);
    if (!found) {
        state->last = mem_grow(state->last, state->count, &state->cap, sizeof *state->last);
        memmove(&state->last[at + 1], &state->last[at], (state->count - at) * sizeof *state->last);
        state->count++;
    }
    state->last[at] = *last;
}

void witness_state_write(struct str *out, const struct witness_state *state)
{
    str_addf(out, "size %lld ", (long long)state->size);
    tree_hash_line(out, &state->root);
    for (size_t i = 0; i < state->count; i++) {
        const struct witness_last *last = &state->last[i];
        str_addf(out, "%s ", last->name);
        turn_number_add(out, &last->turn);
        str_addf(out, " %lld\n", (long long)last->index);
    }
}

static bool read_name(struct slice text, char name[ENTRY_NAME])
{
    if (!name_valid(text))
        return false;
    memcpy(name, text.p, text.len);
    name[text.len] = '\0';
    return true;
}

static bool read_last(struct slice line, struct witness_last *last)
{
    struct slice field;
    return strict_field(&line, &field) && read_name(field, last->name) && strict_field(&line, &field) &&
           turn_number_read(field, &last->turn) && strict_field(&line, &field) &&
           strict_number(field, 0, STRICT_MOST, &last->index) && !line.p;
}

int witness_state_parse(struct slice text, struct witness_state *state, struct err *err)
{
    struct slice line, field;
    struct witness_last last;
    bool good = strict_line(&text, &line) && strict_prefix(&line, "size ") && strict_field(&line, &field) &&
                strict_number(field, 0, STRICT_MOST, &state->size) && strict_field(&line, &field) &&
                tree_hash_read(&state->root, field) && !line.p;
    while (good && text.len) {
        good = strict_line(&text, &line) && read_last(line, &last) &&
               (!state->count || strcmp(state->last[state->count - 1].name, last.name) < 0);
        if (good)
            put_last(state, &last);
    }
    return good ? 0 : err_set(err, ERR_BROKEN, "what the witness knows of the log is damaged");
}

/* ---- the decision ---- */

/* As c2sp.org/tlog-witness orders these checks. */
static int judge_checkpoint(const struct witness_state *state, const struct vkey *log,
                            const struct witness_request *request)
{
    const struct checkpoint *checkpoint = &request->checkpoint;
    struct note_seen seen;
    struct tree_hash empty;
    struct err ignored = ERR_INIT;
    if (strcmp(checkpoint->origin, log->name) != 0)
        return 404;
    if (note_verify(request->note, log, 1, &seen, &ignored) || !seen.good)
        return 403;
    if (request->old > checkpoint->size)
        return 400;
    /* The same question once more, as the answer was lost: by mail nobody waits for it. */
    if (checkpoint->size == state->size && tree_hash_equal(&checkpoint->root, &state->root) && state->size)
        return 200;
    if (request->old != state->size)
        return 409;
    tree_empty(&empty);
    if (checkpoint->size == 0 && !tree_hash_equal(&checkpoint->root, &empty))
        return 422;
    return tree_extends(request->old, &state->root, &request->consistency, checkpoint->size,
                        &checkpoint->root)
               ? 200
               : 422;
}

static bool is_later(const struct turn_number *a, const struct turn_number *b)
{
    return a->rollbacks != b->rollbacks ? a->rollbacks > b->rollbacks : a->turn > b->turn;
}

/* An empty text: dice are given. */
static void judge_close(struct witness_state *state, const struct checkpoint *checkpoint,
                        const struct witness_close *close, int64_t now, char no[WITNESS_REASON])
{
    const struct log_entry *entry = &close->entry;
    struct str line = STR_INIT;
    struct tree_hash leaf;
    bool found;
    str_addslice(&line, close->line);
    str_addc(&line, '\n');
    tree_leaf(&leaf, slice_str(&line));
    str_release(&line);
    size_t at = find_last(state, entry->name, &found);
    const struct witness_last *before = found ? &state->last[at] : NULL;
    if (!tree_includes(&leaf, close->index, &close->path, checkpoint->size, &checkpoint->root)) {
        (void)snprintf(no, WITNESS_REASON, "the close is not in the checkpoint");
        return;
    }
    if (before && before->index == close->index)
        return; /* asked once more */
    if (before && (close->index < before->index || !is_later(&entry->turn, &before->turn))) {
        (void)snprintf(no, WITNESS_REASON, "a second close (entry %lld after %lld)", (long long)close->index,
                       (long long)before->index);
        return;
    }
    if (entry->time > now + WITNESS_AHEAD) {
        (void)snprintf(no, WITNESS_REASON, "the close is dated ahead of my clock");
        return;
    }
    struct witness_last last = {.turn = entry->turn, .index = close->index};
    memcpy(last.name, entry->name, ENTRY_NAME);
    put_last(state, &last);
}

void witness_decide(struct witness_state *state, const struct vkey *log,
                    const struct witness_request *request, int64_t now, struct witness_ruling *ruling)
{
    memset(ruling, 0, sizeof *ruling);
    ruling->status = judge_checkpoint(state, log, request);
    ruling->size = state->size;
    if (ruling->status != 200)
        return;
    state->size = ruling->size = request->checkpoint.size;
    state->root = request->checkpoint.root;
    for (size_t i = 0; i < request->closes; i++) {
        judge_close(state, &request->checkpoint, &request->close[i], now, ruling->no[i]);
        ruling->dice[i] = !ruling->no[i][0];
    }
}

void witness_dice_input(struct str *out, const struct vkey *log, const struct log_entry *close)
{
    static const char domain[] = "turnpost/witness";
    str_add(out, domain, sizeof domain);
    vkey_write(out, log);
    str_addf(out, "\nclose %s turn ", close->name);
    turn_number_add(out, &close->turn);
    str_adds(out, " alpha ");
    hex_encode(out, close->alpha, ENTRY_DIGEST);
    str_addc(out, '\n');
}

/* ---- the answer ---- */

void witness_answer_write(struct str *out, const struct witness_answer *answer)
{
    str_addf(out, "size %lld\n", (long long)answer->size);
    str_addslice(out, answer->signatures);
    for (size_t i = 0; i < answer->count; i++) {
        const struct witness_dice *dice = &answer->dice[i];
        str_addf(out, "%s %s ", dice->given ? "dice" : "no", dice->name);
        turn_number_add(out, &dice->turn);
        str_addc(out, ' ');
        if (dice->given)
            hex_encode(out, dice->proof, WITNESS_DICE);
        else
            str_adds(out, dice->no);
        str_addc(out, '\n');
    }
}

static bool read_dice(struct slice line, struct witness_dice *dice)
{
    struct slice word, field;
    if (!strict_field(&line, &word) || !(slice_eq(word, "dice") || slice_eq(word, "no")) ||
        !strict_field(&line, &field) || !read_name(field, dice->name) || !strict_field(&line, &field) ||
        !turn_number_read(field, &dice->turn) || !line.p)
        return false;
    dice->given = slice_eq(word, "dice");
    if (dice->given)
        return hex_decode(dice->proof, WITNESS_DICE, line);
    if (!line.len || line.len >= WITNESS_REASON || utf8_printable(line) != line.len)
        return false;
    memcpy(dice->no, line.p, line.len);
    return true;
}

int witness_answer_parse(struct slice text, struct witness_answer *answer, struct err *err)
{
    struct slice rest = text, line;
    bool good = strict_line(&rest, &line) && strict_prefix(&line, "size ") &&
                strict_number(line, 0, STRICT_MOST, &answer->size);
    const size_t from = text.len - rest.len;
    while (good && slice_starts(rest, NOTE_DASH) && strict_line(&rest, &line))
        ;
    answer->signatures = slice_sub(text, from, text.len - rest.len - from);
    good = good && answer->signatures.len;
    while (good && rest.len) {
        if (!answer->dice)
            answer->dice = mem_array(WITNESS_CLOSES, sizeof *answer->dice);
        good = answer->count < WITNESS_CLOSES && strict_line(&rest, &line) &&
               read_dice(line, &answer->dice[answer->count]);
        answer->count += good;
    }
    return good ? 0
                : err_set(
                      err, ERR_INPUT,
                      "this is no answer of a witness: a size, signature lines, then a line for each close");
}

void witness_answer_release(struct witness_answer *answer)
{
    free(answer->dice);
    *answer = (struct witness_answer){0};
}
