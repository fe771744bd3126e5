#include "letters/opening.h"

#include <zlib.h>

#define OPENING_ARMOR "REPORT"
#define OPENING_MOST  ((uLongf)1 << 20) /* bytes, unpacked */
#define OPENING_LEVEL 3                 /* of zlib: within a fourth of its best, in half the time */

void opening_write(struct str *out, struct slice opens)
{
    uLongf len = compressBound(opens.len);
    struct str packed = STR_INIT;
    str_reserve(&packed, len);
    if (compress2((Bytef *)packed.p, &len, (const Bytef *)opens.p, opens.len, OPENING_LEVEL) == Z_OK)
        armored_write(out, OPENING_ARMOR, (struct slice){packed.p, len});
    str_release(&packed);
}

enum armored opening_next(struct slice *text, struct str *opens, struct err *err)
{
    struct str packed = STR_INIT;
    uLongf len = OPENING_MOST;
    enum armored found = armored_next(text, OPENING_ARMOR, &packed, err);
    str_clear(opens);
    str_reserve(opens, len);
    if (found == ARMORED_GOOD &&
        uncompress((Bytef *)opens->p, &len, (const Bytef *)packed.p, packed.len) != Z_OK) {
        found = ARMORED_DAMAGED;
        err_set(err, ERR_INPUT, "a block BEGIN TURNPOST " OPENING_ARMOR " is cut or changed");
    } else if (found == ARMORED_GOOD) {
        opens->len = len;
        opens->p[len] = '\0';
    }
    str_release(&packed);
    return found;
}
