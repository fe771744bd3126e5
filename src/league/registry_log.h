/* What happened to players, keys and tokens: registry/journal.jsonl, a journal like a game's (same records,
 * same chain, signed by the league; game "registry", type "player"), but private: it holds addresses.
 *
 * A record holds new versions of a few small documents, or removes them:
 *
 *   {"what":"prefs","player":"anna","files":{"players/anna.json":{...},"keys/anna.pub":"ssh-ed25519 ...\n",
 *    "tokens/4f9a...json":null},"mail":"<64 hex>","text":"<64 hex>","signed":{...}}
 *   {"what":"page","files":{"registry/page.json":{"version":3,"sha256":"<64 hex>","url":"https://play.example.org/"}},"by":"operator"}
 *
 * The record is committed with its batch; the files are written after it. registry/applied says how far that
 * got, and the next start writes what a crash has left out. So the operator may edit the files by hand while
 * nothing else works on them; the journal says what was done by mail and by commands. */
#ifndef LEAGUE_REGISTRY_LOG_H
#define LEAGUE_REGISTRY_LOG_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "league/registry.h"
#include "journal/catalog.h"
#include "journal/record.h"
#include "journal/store.h"
#include "trust/keyring.h"

/* The name in the records (no game may have it), and `what` of the record with which a journal begins that
 * does not begin with record 1. */
#define REGISTRY_GAME       "registry"
#define REGISTRY_CHECKPOINT "checkpoint"

/* The digest of a mail or text that was obeyed (league/registry_marks.h). */
struct registry_mark {
    unsigned char digest[32];
    int64_t time;
};
struct registry_log {
    char *dir; /* the league's folder */
    struct store *store;
    int64_t seq, time;              /* of the last record, also one that is not committed yet */
    int64_t base;                   /* the record before the journal's first: 0, or an archive's last */
    int64_t settled;                /* the record up to which the files are written */
    int64_t length;                 /* of the committed journal */
    unsigned char head[HEAD_BYTES]; /* of the last record */
    bool doubt;                     /* while opening: it was not known how far the files are */
    struct str records;             /* not committed yet */
    json_t *files;                  /* their documents: path -> object, string or null */
    json_t *names;                  /* who is in it (registry_log_names); NULL = not read yet */
    struct catalog *catalog;        /* keeps the marks; borrowed */
    struct catalog_marks marked;    /* how far its marks reach */
    struct registry_mark *marks;    /* marks of records that it does not have yet */
    size_t mark_count, mark_cap;
};

/* Opens it and writes the files of records that a crash left unwritten. To be called before the registry and
 * the keyring are loaded. ERR_BROKEN names the record. */
int registry_log_open(struct registry_log *log, const char *league_dir, struct err *err)
    __attribute__((warn_unused_result));
/* Would it open, as far as can be seen without reading all of it? Changes nothing: for checks beside a worker. */
int registry_log_look(const char *league_dir, struct err *err) __attribute__((warn_unused_result));
/* Safe on a zeroed struct. */
void registry_log_close(struct registry_log *log);

/* A change; everything borrowed. */
struct registry_change {
    const char *what;            /* a word: "register", "prefs", "key" */
    const struct player *player; /* its new version, or NULL */
    const char *key_owner;       /* whose keys are replaced, or NULL */
    const struct pubkey *keys;
    size_t key_count;    /* 0: the file with them is removed, and the player is by_mail */
    const char *removed; /* a player who is removed with their keys, or NULL; then the ones above are NULL */
    const struct page_written *page; /* the order page that is written, or NULL */
    const json_t
        *own; /* {"<path>": document, ...}: what the league keeps of its games (league/roster.h) and of
                        * its secrets (league/own_secrets.h), or NULL */
    const json_t *tokens;   /* {"<name>": document or null, ...}: files in tokens/, or NULL */
    const json_t *evidence; /* further members of the record ("mail", "text", "signed", "by", "why", ...), or
                             * NULL */
};
/* Makes the record and changes the registry and the keyring in memory. ERR_INPUT: a key is somebody else's; ERR_UNSOUND: what
 * is read when a league starts would refuse it; nothing has changed. */
int registry_log_add(struct registry_log *log, struct registry *registry, struct keyring *keyring,
                     const struct registry_change *change, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* The names of all documents in tokens/ that begin with this letter, as they are after the last change. */
int registry_log_tokens(const struct registry_log *log, char kind, struct file_names *names, struct err *err)
    __attribute__((warn_unused_result));
/* The document tokens/<name>.json as it is after the last change; NULL when there is none. New reference.
 * ERR_IO: it is there but damaged or unreadable, which the operator has to fix; ERR_NEWER. */
int registry_log_token(const struct registry_log *log, const char *name, json_t **document, struct err *err)
    __attribute__((warn_unused_result));
/* The same from the file on disk, and from nothing but the file. */
int registry_token_read(const char *league_dir, const char *name, json_t **document, struct err *err)
    __attribute__((warn_unused_result));
/* Which players have a document in the journal or its archives, or had one, after the last change
 * (registry_document_names); borrowed. They are read on the first call. */
int registry_log_names(struct registry_log *log, const json_t **names, struct err *err)
    __attribute__((warn_unused_result));
/* The commit (batch/batch.c): append; [sync]; settle, which writes the files. */
int registry_log_append(struct registry_log *log, struct err *err) __attribute__((warn_unused_result));
int registry_log_settle(struct registry_log *log, struct err *err) __attribute__((warn_unused_result));

/* ---- for league/registry_compact.c ---- */

#endif
