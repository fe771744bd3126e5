/* Keeps the registry's journal from growing without limit: a record "checkpoint" names all documents by one
 * digest, and the journal starts again with it. What came before is kept in registry/archive-SEQ.jsonl, SEQ
 * being its last record, byte for byte as the journal was; the checkpoint's `prev` is the head of that
 * record, so journal and archives are still one chain. An archive is read when the index of marks is rebuilt,
 * and by a start that finds documents older than it (a backup that was made meanwhile); otherwise never.
 *
 *   1. registry/applied says that all files of records are written
 *   2. archive-SEQ.jsonl is written, durably        a crash here leaves a copy that the next time replaces
 *   3. journal.jsonl is replaced, durably           a crash here leaves an old registry/applied, which
 *   4. registry/applied is written                  registry_log_open sees by its number */
#ifndef LEAGUE_REGISTRY_COMPACT_H
#define LEAGUE_REGISTRY_COMPACT_H

#include "league/registry_log.h"

#define REGISTRY_LONG  ((int64_t)8 << 20) /* bytes of a journal that has grown too long */
#define REGISTRY_MANY  10000              /* records */
#define REGISTRY_FRONT "archive-"         /* archives' names, in registry/ */

/* Nothing may be waiting for its commit. Does nothing if the journal is not long enough. */
int registry_compact_due(struct registry_log *log, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* The same however short it is. */
int registry_compact(struct registry_log *log, int64_t now, struct err *err)
    __attribute__((warn_unused_result));
/* "archive-123.jsonl" -> 123; 0 = it is none. */
int64_t registry_archive_seq(const char *name);
/* The archive whose last record is `seq`, from byte `from` on. ERR_MISSING when it is not there. */
int registry_archive_read(const struct registry_log *log, int64_t seq, int64_t from, struct str *lines,
                          struct err *err) __attribute__((warn_unused_result));

/* The archive that record log->seq + 1 is in, from byte `from` on. ERR_BROKEN: it is not there. */
int registry_archive_find(const struct registry_log *log, int64_t from, struct str *lines, struct err *err)
    __attribute__((warn_unused_result));

#endif
