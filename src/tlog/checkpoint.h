/* Checkpoints (c2sp.org/tlog-checkpoint): the signed note of a log about its tree.
 *
 *     ORIGIN LF size LF base64(root) LF
 *
 * Lines after these ("extensions") are refused: no log of ours has any, and no signature of a witness vouches for
 * them. */
#ifndef TLOG_CHECKPOINT_H
#define TLOG_CHECKPOINT_H

#include "tlog/note.h"
#include "tlog/tree.h"

struct checkpoint {
    char origin[VKEY_NAME]; /* the name of the log's key */
    int64_t size;           /* leaves, >= 0 */
    struct tree_hash root;
};

/* Its text: what is signed. */
void checkpoint_text(struct str *out, const struct checkpoint *checkpoint);
/* The whole note, signed by the log: its key is of VKEY_SIGNER and has the name `origin`. */
void checkpoint_note(struct str *out, const struct checkpoint *checkpoint, const struct vkey *log,
                     const unsigned char secret[VKEY_SECRET]);
/* Reads the text of a note, whose signatures are not looked at. ERR_INPUT. */
int checkpoint_parse(struct slice note, struct checkpoint *checkpoint, struct err *err)
    __attribute__((warn_unused_result));

#endif
