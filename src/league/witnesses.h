/* keys/witnesses: the witnesses whom the operator knows (game/witness.h), a line each, as `turnpost witness --enroll` prints it on the
 * witness's host:
 *
 *     NAME ADDRESS VKEY DICE      carol carol@example.org example.org/carol+6d3bd687+BD... 84d9bc4b...
 *
 * NAME is how games name them; ADDRESS where they are asked; VKEY the key of their cosignatures (tlog/note.h), DICE the public key of their
 * draws, 64 hex digits. Empty lines and those that begin with # are passed over. Games keep the keys that they were made with. */
#ifndef LEAGUE_WITNESSES_H
#define LEAGUE_WITNESSES_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "chance/vrf.h"
#include "league/player.h"
#include "tlog/note.h"

#define LEAGUE_WITNESSES "keys/witnesses"
#define WITNESSES_KNOWN  32

struct league_witness {
    char name[PLAYER_NAME], address[PLAYER_ADDRESS];
    struct vkey key; /* VKEY_COSIGNER */
    unsigned char vrf[VRF_PUBLIC];
};
struct league_witnesses {
    struct league_witness list[WITNESSES_KNOWN];
    size_t count;
};
/* No file: there are none. ERR_CONFIG: says which line is wrong. */
int witnesses_read(const char *league_dir, struct league_witnesses *witnesses, struct err *err)
    __attribute__((warn_unused_result));
/* The line, without LF. */
void witness_line(struct str *out, const struct league_witness *witness);
/* NULL: there is none of that name. */
const struct league_witness *witnesses_find(const struct league_witnesses *witnesses, const char *name);

#endif
