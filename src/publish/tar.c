#include "publish/tar.h"

#include <stdio.h>
#include <string.h>

#define BLOCK 512

struct header {
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type;
    char link[100], magic[6], version[2], owner[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a header is one block");

static void put_sum(struct header *header)
{
    unsigned sum = 0;
    memset(header->sum, ' ', sizeof header->sum);
    for (size_t i = 0; i < sizeof *header; i++)
        sum += ((const unsigned char *)header)[i];
    (void)snprintf(header->sum, sizeof header->sum, "%06o", sum); /* and its NUL before the blank */
}

static bool put_file(struct str *out, const struct bundle_file *file, const char *folder, int64_t time)
{
    static const char zeros[BLOCK];
    struct header header = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
    int len = snprintf(header.name, sizeof header.name, "%s/%s", folder, file->name);
    (void)snprintf(header.mode, sizeof header.mode, "%07o", 0644U);
    (void)snprintf(header.uid, sizeof header.uid, "%07o", 0U);
    (void)snprintf(header.gid, sizeof header.gid, "%07o", 0U);
    (void)snprintf(header.size, sizeof header.size, "%011zo", file->bytes.len);
    (void)snprintf(header.mtime, sizeof header.mtime, "%011llo", (unsigned long long)time);
    put_sum(&header);
    if (len < 0 || (size_t)len >= sizeof header.name)
        return false;
    str_addslice(out, (struct slice){(const char *)&header, sizeof header});
    str_addslice(out, slice_str(&file->bytes));
    str_addslice(out, (struct slice){zeros, (BLOCK - file->bytes.len % BLOCK) % BLOCK});
    return true;
}

bool tar_write(struct str *out, const struct bundle *bundle, const char *folder, int64_t time)
{
    static const char end[2 * BLOCK];
    bool all = true;
    for (size_t i = 0; i < bundle->count; i++)
        all &= put_file(out, &bundle->file[i], folder, time);
    str_addslice(out, (struct slice){end, sizeof end});
    return all;
}
