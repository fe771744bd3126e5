#include "mail/imap_text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/utf8.h"

#define SET_BYTES 6000

/* UTF-16 units as base64 with "," for "/" and no padding, between "&" and "-" (RFC 3501 section 5.1.3). */
struct shift {
    struct str *out;
    uint32_t bits;
    int count;
    bool open;
};

static void put_unit(struct shift *s, uint32_t unit)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";
    if (!s->open)
        str_addc(s->out, '&');
    s->open = true;
    s->bits = (s->bits << 16 | unit) & 0xFFFFFF;
    s->count += 16;
    for (; s->count >= 6; s->count -= 6)
        str_addc(s->out, digits[s->bits >> (s->count - 6) & 63]);
}

static void close_shift(struct shift *s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";
    if (!s->open)
        return;
    if (s->count)
        str_addc(s->out, digits[s->bits << (6 - s->count) & 63]);
    str_addc(s->out, '-');
    *s = (struct shift){.out = s->out};
}

void imap_encode_name(struct str *out, const char *name)
{
    struct shift shift = {.out = out};
    struct slice rest = slice_of(name);
    while (rest.len) {
        size_t len;
        uint32_t c = utf8_next(rest, &len);
        rest = slice_sub(rest, len, rest.len);
        if (c >= 0x20 && c <= 0x7E) {
            close_shift(&shift);
            str_addc(out, (char)c);
            if (c == '&')
                str_addc(out, '-');
        } else if (c == UTF8_BAD || c <= 0xFFFF) {
            put_unit(&shift, c == UTF8_BAD ? 0xFFFD : c);
        } else {
            put_unit(&shift, 0xD800 + ((c - 0x10000) >> 10));
            put_unit(&shift, 0xDC00 + ((c - 0x10000) & 0x3FF));
        }
    }
    close_shift(&shift);
}

void imap_quote_name(struct str *out, const char *name)
{
    struct str code = STR_INIT;
    imap_encode_name(&code, name);
    str_addc(out, '"');
    for (size_t i = 0; i < code.len; i++) {
        if (code.p[i] == '"' || code.p[i] == '\\')
            str_addc(out, '\\');
        str_addc(out, code.p[i]);
    }
    str_addc(out, '"');
    str_release(&code);
}

static int compare_uids(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;
    return one < two ? -1 : one > two;
}

void uids_settle(struct uids *set)
{
    if (set->sorted == set->count)
        return;
    qsort(set->uid, set->count, sizeof *set->uid, compare_uids);
    size_t kept = 1;
    for (size_t i = 1; i < set->count; i++)
        if (set->uid[i] != set->uid[kept - 1])
            set->uid[kept++] = set->uid[i];
    set->count = set->sorted = kept;
}

/* The index of the first member that is not smaller. */
static size_t find(struct uids *set, uint32_t uid)
{
    uids_settle(set);
    size_t low = 0;
    size_t high = set->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (set->uid[mid] < uid)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool uids_has(struct uids *set, uint32_t uid)
{
    size_t i = find(set, uid);
    return i < set->count && set->uid[i] == uid;
}

void uids_add(struct uids *set, uint32_t uid)
{
    bool next = set->sorted == set->count && (!set->count || set->uid[set->count - 1] < uid);
    set->uid = mem_grow(set->uid, set->count, &set->cap, sizeof *set->uid);
    set->uid[set->count++] = uid;
    set->sorted += next;
}

void uids_remove(struct uids *set, uint32_t uid)
{
    size_t i = find(set, uid);
    if (i == set->count || set->uid[i] != uid)
        return;
    set->sorted = --set->count;
    memmove(set->uid + i, set->uid + i + 1, (set->count - i) * sizeof *set->uid);
}

void uids_clear(struct uids *set)
{
    set->count = set->sorted = 0;
}

void uids_free(struct uids *set)
{
    free(set->uid);
    *set = (struct uids){0};
}

bool uids_ranges(struct str *out, struct uids *set, size_t *from)
{
    uids_settle(set);
    size_t start = out->len;
    size_t i = *from;
    while (i < set->count && out->len - start < SET_BYTES) {
        size_t last = i;
        while (last + 1 < set->count && set->uid[last + 1] == set->uid[last] + 1)
            last++;
        str_addf(out, "%s%u", out->len == start ? "" : ",", (unsigned)set->uid[i]);
        if (last > i)
            str_addf(out, ":%u", (unsigned)set->uid[last]);
        i = last + 1;
    }
    bool some = i > *from;
    *from = i;
    return some;
}

int64_t imap_time(const struct mailimap_date_time *date)
{
    struct tm tm = {0};
    if (!date || date->dt_year < 1970 || date->dt_year > 9999)
        return 0;
    tm.tm_year = date->dt_year - 1900;
    tm.tm_mon = date->dt_month - 1;
    tm.tm_mday = date->dt_day;
    tm.tm_hour = date->dt_hour;
    tm.tm_min = date->dt_min;
    tm.tm_sec = date->dt_sec;
    int zone = date->dt_zone; /* +0130 is 130 */
    return (int64_t)timegm(&tm) - (zone / 100 * 3600 + zone % 100 * 60);
}
