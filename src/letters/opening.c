#include "letters/opening.h"

#include <libdeflate.h>

#define OPENING_ARMOR "REPORT"
#define OPENING_MOST  ((size_t)1 << 20) /* bytes, unpacked */
#define OPENING_LEVEL 1                 /* the fastest: the best is a fourth smaller, in ten times the time */

void opening_write(struct str *out, struct slice opens)
{
    struct libdeflate_compressor *packer = libdeflate_alloc_compressor(OPENING_LEVEL);
    struct str packed = STR_INIT;
    const size_t room = libdeflate_zlib_compress_bound(packer, opens.len);
    str_reserve(&packed, room);
    const size_t len = packer ? libdeflate_zlib_compress(packer, opens.p, opens.len, packed.p, room) : 0;
    if (len)
        armored_write(out, OPENING_ARMOR, (struct slice){packed.p, len});
    libdeflate_free_compressor(packer);
    str_release(&packed);
}

enum armored opening_next(struct slice *text, struct str *opens, struct err *err)
{
    struct str packed = STR_INIT;
    size_t len = 0;
    enum armored found = armored_next(text, OPENING_ARMOR, &packed, err);
    str_clear(opens);
    str_reserve(opens, OPENING_MOST);
    struct libdeflate_decompressor *opener = libdeflate_alloc_decompressor();
    if (found == ARMORED_GOOD &&
        (!opener || libdeflate_zlib_decompress(opener, packed.p, packed.len, opens->p, OPENING_MOST, &len) !=
                        LIBDEFLATE_SUCCESS)) {
        found = ARMORED_DAMAGED;
        err_set(err, ERR_INPUT, "a block BEGIN TURNPOST " OPENING_ARMOR " is cut or changed");
    } else if (found == ARMORED_GOOD) {
        opens->len = len;
        opens->p[len] = '\0';
    }
    libdeflate_free_decompressor(opener);
    str_release(&packed);
    return found;
}
