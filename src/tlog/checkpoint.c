#include "tlog/checkpoint.h"

#include <string.h>

#include "tlog/strict.h"

void checkpoint_text(struct str *out, const struct checkpoint *checkpoint)
{
    str_addf(out, "%s\n%lld\n", checkpoint->origin, (long long)checkpoint->size);
    tree_hash_line(out, &checkpoint->root);
}

void checkpoint_note(struct str *out, const struct checkpoint *checkpoint, const struct vkey *log,
                     const unsigned char secret[VKEY_SECRET])
{
    struct str text = STR_INIT;
    checkpoint_text(&text, checkpoint);
    str_addslice(out, slice_str(&text));
    str_addc(out, '\n');
    note_sign(out, slice_str(&text), log, secret);
    str_release(&text);
}

int checkpoint_parse(struct slice note, struct checkpoint *checkpoint, struct err *err)
{
    struct slice text, signatures, origin, size, root;
    memset(checkpoint, 0, sizeof *checkpoint);
    if (!note_split(note, &text, &signatures) || !strict_line(&text, &origin) || !vkey_name_valid(origin) ||
        !strict_line(&text, &size) || !strict_number(size, 0, STRICT_MOST, &checkpoint->size) ||
        !strict_line(&text, &root) || !tree_hash_read(&checkpoint->root, root) || text.len)
        return err_set(err, ERR_INPUT,
                       "this is no checkpoint: a note of a log's name, its size and its root");
    memcpy(checkpoint->origin, origin.p, origin.len);
    return 0;
}
