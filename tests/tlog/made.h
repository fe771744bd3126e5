/* Logs, keys and witnesses for the suites of the log. */
#ifndef TESTS_TLOG_MADE_H
#define TESTS_TLOG_MADE_H

#include <sodium.h>

#include "suite.h"
#include "tlog/checkpoint.h"
#include "tlog/entry.h"
#include "tlog/policy.h"
#include "tlog/proof.h"
#include "tlog/tree.h"

#define LOG_NAME "orion.example/turnpost"

struct made_key {
    struct vkey key;
    unsigned char secret[VKEY_SECRET];
};

static inline void make_key(struct made_key *key, const char *name, enum vkey_type type)
{
    unsigned char public[VKEY_PUBLIC], seed[crypto_sign_SEEDBYTES] = {0};
    crypto_generichash(seed, sizeof seed, (const unsigned char *)name, strlen(name), NULL, 0);
    crypto_sign_seed_keypair(public, key->secret, seed);
    vkey_make(&key->key, slice_of(name), type, public);
}

/* Entry `n` of every made log. A close now and then, else receipts. */
static inline void make_entry(struct log_entry *entry, int64_t n)
{
    *entry = (struct log_entry){.kind = n % 7 == 6 ? ENTRY_CLOSE : ENTRY_RECEIPT,
                                .time = 1796115720 + n,
                                .name = "gc",
                                .seq = n + 1,
                                .turn = {(int)(n / 7) + 1, 0},
                                .seat = (int)(n % 7) + 1};
    crypto_generichash(entry->head, ENTRY_DIGEST, (const unsigned char *)&n, sizeof n, NULL, 0);
    memcpy(entry->mark, entry->head, ENTRY_DIGEST);
    memcpy(entry->alpha, entry->head, ENTRY_DIGEST);
    entry->mark[0] ^= 1;
    entry->alpha[0] ^= 2;
}

static inline void make_line(struct str *out, int64_t n)
{
    struct log_entry entry;
    make_entry(&entry, n);
    log_entry_write(out, &entry);
}

/* A log in memory: the hashes of all full subtrees. */
#define MADE_MOST   1024
#define MADE_LEVELS 11
struct made_log {
    struct made_key key;
    int64_t size;
    struct tree_hash hash[MADE_LEVELS][MADE_MOST];
};

static inline int made_read(void *arg, int level, int64_t index, struct tree_hash *out, struct err *err)
{
    const struct made_log *log = arg;
    if (level < 0 || level >= MADE_LEVELS || index < 0 || (index + 1) << level > log->size)
        ck_abort_msg("no hash (%d, %lld) in %lld leaves", level, (long long)index, (long long)log->size);
    *out = log->hash[level][index];
    (void)err;
    return 0;
}

static inline struct tree_reader made_reader(struct made_log *log)
{
    return (struct tree_reader){made_read, log};
}

static inline void made_append(struct made_log *log)
{
    struct str line = STR_INIT;
    make_line(&line, log->size);
    str_addc(&line, '\n');
    int64_t at = log->size++;
    tree_leaf(&log->hash[0][at], slice_str(&line));
    for (int level = 1; at & 1; level++, at >>= 1)
        tree_node(&log->hash[level][at >> 1], &log->hash[level - 1][at - 1], &log->hash[level - 1][at]);
    str_release(&line);
}

/* The caller frees it. */
static inline struct made_log *make_log(int64_t size)
{
    struct made_log *log = calloc(1, sizeof *log);
    ck_assert(log != NULL);
    make_key(&log->key, LOG_NAME, VKEY_SIGNER);
    while (log->size < size)
        made_append(log);
    return log;
}

/* Its checkpoint at that size, as a note. */
static inline void made_note(struct made_log *log, int64_t size, struct str *out)
{
    struct err err = ERR_INIT;
    struct tree_reader reader = made_reader(log);
    struct checkpoint checkpoint = {.origin = LOG_NAME, .size = size};
    ck_ok(tree_root(&reader, size, &checkpoint.root, &err), err);
    checkpoint_note(out, &checkpoint, &log->key.key, log->key.secret);
}

static inline void made_cosign(struct str *note, const struct made_key *witness, int64_t time)
{
    struct slice text, signatures;
    struct str line = STR_INIT;
    ck_assert(note_split(slice_str(note), &text, &signatures));
    note_cosign(&line, text, &witness->key, witness->secret, time);
    str_addslice(note, slice_str(&line));
    str_release(&line);
}

/* `note` has to live as long as the proof. */
static inline void made_proof(struct made_log *log, int64_t index, int64_t size, const struct str *note,
                              struct str *out)
{
    struct err err = ERR_INIT;
    struct tree_reader reader = made_reader(log);
    struct log_proof proof = LOG_PROOF_INIT;
    proof.index = index;
    proof.note = slice_str(note);
    ck_ok(tree_inclusion(&reader, index, size, &proof.path, &err), err);
    log_proof_write(out, &proof);
    log_proof_release(&proof);
}

#endif
