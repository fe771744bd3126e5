/* A witness in memory: what `turnpost witness` does on a host of its own (commands/witness.c), and a log to show them where there is no league. */
#ifndef TESTS_HOUSE_WATCHER_H
#define TESTS_HOUSE_WATCHER_H

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "chance/vrf.h"
#include "league/witnesses.h"
#include "play/step.h"
#include "suite.h"
#include "tlog/proof.h"
#include "tlog/witness.h"

struct watcher {
    const char *name;
    struct vkey key;
    unsigned char secret[VKEY_SECRET], vrf[VRF_PUBLIC], vrf_secret[VRF_SECRET];
    struct witness_state state;
};

static inline void watcher_new(struct watcher *w, const char *name)
{
    unsigned char public[VKEY_PUBLIC];
    struct str long_name = STR_INIT;
    *w = (struct watcher){.name = name, .state = WITNESS_STATE_INIT};
    str_addf(&long_name, "example.net/%s", name);
    crypto_sign_keypair(public, w->secret);
    vkey_make(&w->key, slice_str(&long_name), VKEY_COSIGNER, public);
    vrf_keygen(w->vrf_secret, w->vrf);
    str_release(&long_name);
}

/* Their line of keys/witnesses, with its LF. */
static inline void watcher_line(struct str *out, const struct watcher *w)
{
    struct league_witness line = {.key = w->key};
    (void)snprintf(line.name, sizeof line.name, "%s", w->name);
    (void)snprintf(line.address, sizeof line.address, "%s@example.net", w->name);
    memcpy(line.vrf, w->vrf, VRF_PUBLIC);
    witness_line(out, &line);
    str_addc(out, '\n');
}

/* One more of those that a `create` names, all of whom have to answer. */
static inline void watcher_named(struct quorum *quorum, const struct watcher *w)
{
    struct witness *out = &quorum->list[quorum->count++];
    quorum->need = quorum->count;
    *out = (struct witness){.key = w->key};
    (void)snprintf(out->name, sizeof out->name, "%s", w->name);
    memcpy(out->vrf, w->vrf, VRF_PUBLIC);
}

static inline void watcher_dice(const struct watcher *w, const struct vkey *log,
                                const struct log_entry *close, unsigned char proof[VRF_PROOF])
{
    unsigned char beta[VRF_OUTPUT];
    struct str input = STR_INIT;
    witness_dice_input(&input, log, close);
    ck_assert(vrf_prove(proof, beta, w->vrf_secret, w->vrf, slice_str(&input)));
    str_release(&input);
}

/* What they answer to this question of that log, at that time; the status of their ruling. */
static inline int watcher_answers(struct watcher *w, const struct vkey *log, struct slice question,
                                  int64_t now, struct str *out)
{
    struct err err = ERR_INIT;
    struct witness_request request = {.closes = 0};
    struct witness_ruling ruling;
    struct witness_answer answer = {.count = 0};
    struct str text = STR_INIT, signature = STR_INIT;
    ck_ok(witness_request_parse(question, &request, &err), err);
    witness_decide(&w->state, log, &request, now, &ruling);
    struct checkpoint checkpoint = {.size = w->state.size, .root = w->state.root};
    (void)snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", log->name);
    if (!checkpoint.size)
        tree_empty(&checkpoint.root);
    checkpoint_text(&text, &checkpoint);
    note_cosign(&signature, slice_str(&text), &w->key, w->secret, now);
    answer.size = checkpoint.size;
    answer.signatures = slice_str(&signature);
    answer.dice = calloc(WITNESS_CLOSES, sizeof *answer.dice);
    for (size_t i = 0; ruling.status == 200 && i < request.closes; i++) {
        struct witness_dice *dice = &answer.dice[answer.count++];
        const struct log_entry *close = &request.close[i].entry;
        *dice = (struct witness_dice){.turn = close->turn, .given = ruling.dice[i]};
        memcpy(dice->name, close->name, sizeof dice->name);
        memcpy(dice->no, ruling.no[i], sizeof dice->no);
        if (dice->given)
            watcher_dice(w, log, close, dice->proof);
    }
    if (ruling.status == 200 || ruling.status == 409)
        witness_answer_write(out, &answer);
    witness_answer_release(&answer);
    witness_request_release(&request);
    str_release(&text);
    str_release(&signature);
    return ruling.status;
}

/* ---- a small log ---- */

#define SHOWN_MOST 4096
struct shown_log {
    struct vkey key;
    unsigned char secret[VKEY_SECRET];
    int64_t size;
    struct tree_hash leaf[SHOWN_MOST];
};

static inline int shown_read(void *arg, int level, int64_t index, struct tree_hash *out, struct err *err)
{
    const struct shown_log *log = arg;
    struct tree_hash left, right;
    (void)err;
    if (level == 0) {
        *out = log->leaf[index];
        return 0;
    }
    (void)shown_read(arg, level - 1, 2 * index, &left, err);
    (void)shown_read(arg, level - 1, 2 * index + 1, &right, err);
    tree_node(out, &left, &right);
    return 0;
}

/* `secret` is the league's key. */
static inline void shown_begin(struct shown_log *log, const struct secret *secret)
{
    memcpy(log->secret, secret->key, VKEY_SECRET);
    vkey_make(&log->key, slice_of("example.org/turnpost/0011223344556677"), VKEY_SIGNER, secret->point);
    log->size = 0;
}

static inline void shown_add(struct shown_log *log, struct slice lines)
{
    struct slice line;
    while (slice_whole_line(&lines, &line)) {
        ck_assert_int_lt(log->size, SHOWN_MOST);
        tree_leaf(&log->leaf[log->size++], line);
    }
}

static inline void shown_note(struct shown_log *log, struct str *note)
{
    struct err err = ERR_INIT;
    const struct tree_reader reader = {shown_read, log};
    struct checkpoint checkpoint = {.size = log->size};
    (void)snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", log->key.name);
    ck_ok(tree_root(&reader, log->size, &checkpoint.root, &err), err);
    checkpoint_note(note, &checkpoint, &log->key, log->secret);
}

/* The witness is asked about the last entry, which is a close. What they say of it: "", and then the proof with their cosignature and their dice;
 * or why not. */
static inline const char *shown_ask(struct shown_log *log, struct watcher *w, struct slice close, int64_t now,
                                    struct str *proof, unsigned char dice[VRF_PROOF])
{
    static char no[WITNESS_REASON];
    struct err err = ERR_INIT;
    const struct tree_reader reader = {shown_read, log};
    struct witness_close one = {.line = close, .index = log->size - 1};
    struct witness_request request = {.old = w->state.size, .close = &one, .closes = 1};
    struct witness_answer answer = {.count = 0};
    struct str note = STR_INIT, question = STR_INIT, said = STR_INIT;
    shown_note(log, &note);
    request.note = slice_str(&note);
    ck_ok(tree_consistency(&reader, request.old, log->size, &request.consistency, &err), err);
    ck_ok(tree_inclusion(&reader, one.index, log->size, &one.path, &err), err);
    witness_request_write(&question, &request);
    ck_assert_int_eq(watcher_answers(w, &log->key, slice_str(&question), now, &said), 200);
    ck_ok(witness_answer_parse(slice_str(&said), &answer, &err), err);
    ck_assert_uint_eq(answer.count, 1);
    (void)snprintf(no, sizeof no, "%s", answer.dice[0].no);
    if (answer.dice[0].given) {
        struct log_proof made = LOG_PROOF_INIT;
        memcpy(dice, answer.dice[0].proof, VRF_PROOF);
        str_addslice(&note, answer.signatures);
        made.index = one.index;
        made.path = one.path;
        made.note = slice_str(&note);
        str_clear(proof);
        str_addslice(proof, close);
        str_addc(proof, '\n');
        log_proof_write(proof, &made);
        log_proof_release(&made);
    }
    witness_answer_release(&answer);
    str_release(&note);
    str_release(&question);
    str_release(&said);
    return no;
}

#endif
