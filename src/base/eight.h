/* Looking through text eight bytes at a time. */
#ifndef BASE_EIGHT_H
#define BASE_EIGHT_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

#define EIGHT_ONES 0x0101010101010101ULL /* times a byte: that byte in all eight places */
#define EIGHT_TOPS 0x8080808080808080ULL

/* Eight bytes, the first in memory lowest. */
static inline uint64_t eight_bytes(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return le64toh(word);
}

/* Fewer than eight; 0 in place of those that are missing. */
static inline uint64_t eight_few(struct slice s)
{
    const unsigned char *c = (const unsigned char *)s.p;
    uint32_t low, high;
    if (s.len < 4)
        return s.len ? (uint64_t)c[0] | (uint64_t)c[s.len / 2] << 8 * (s.len / 2) |
                           (uint64_t)c[s.len - 1] << 8 * (s.len - 1)
                     : 0;
    memcpy(&low, c, sizeof low);
    memcpy(&high, c + s.len - 4, sizeof high); /* some bytes are in both */
    return (uint64_t)le32toh(low) | (uint64_t)le32toh(high) << 8 * (s.len - 4);
}

/* Marks all bytes but printable ASCII, for eight_run: a borrow or carry spoils only marks above a right one. */
static inline uint64_t eight_unprintable(uint64_t bytes)
{
    return (bytes | (bytes - EIGHT_ONES * ' ') | (bytes + EIGHT_ONES)) & EIGHT_TOPS;
}

/* Marks this byte, likewise. */
static inline uint64_t eight_equal(uint64_t bytes, unsigned char byte)
{
    uint64_t differs = bytes ^ EIGHT_ONES * byte;
    return (differs - EIGHT_ONES) & ~differs & EIGHT_TOPS;
}

/* How many bytes `s` begins with before an odd one. `odd` sets the top bit of each odd byte's place; above the
 * first of them it may be wrong. 0 must be odd: it stands for what comes after the end. */
__attribute__((always_inline)) static inline size_t eight_run(struct slice s, uint64_t (*odd)(uint64_t bytes))
{
    size_t at = 0;
    uint64_t marks = 0;
    for (; at + 8 <= s.len && !marks; at += 8)
        marks = odd(eight_bytes(s.p + at));
    if (marks)
        at -= 8;
    else if (at < s.len)
        marks = odd(eight_few((struct slice){s.p + at, s.len - at}));
    return marks ? at + (size_t)__builtin_ctzll(marks) / 8 : at;
}

#endif
