#include "mail/imap_sieve.h"

static const char head[] = "* SEARCH";
#define HEAD (sizeof head - 1)

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* One byte of the beginning of a line. */
static void start(struct imap_sieve *sieve, char c)
{
    if (sieve->matched < HEAD && upper(c) == head[sieve->matched])
        sieve->matched++;
    else
        sieve->state = sieve->matched == HEAD && (c == ' ' || c == '\r') ? SIEVE_NUMBERS : SIEVE_PASS;
}

/* One byte after "* SEARCH": false when it belongs to no number. */
static bool count(struct imap_sieve *sieve, char c)
{
    if (c >= '0' && c <= '9') {
        sieve->number = sieve->number * 10 + (uint64_t)(c - '0');
        return sieve->number > 0 && sieve->number <= UINT32_MAX;
    }
    if (sieve->number)
        uids_add(sieve->into, (uint32_t)sieve->number);
    sieve->number = 0;
    return c == ' ' || c == '\r' || c == '\n';
}

bool imap_sieve(struct imap_sieve *sieve, char *bytes, size_t *len)
{
    size_t left = 0;
    for (size_t i = 0; sieve->into && i < *len; i++) {
        char c = bytes[i];
        if (sieve->state == SIEVE_START)
            start(sieve, c);
        if (sieve->state == SIEVE_NUMBERS && !count(sieve, c))
            return false;
        if (sieve->state != SIEVE_NUMBERS || c == '\r' || c == '\n')
            bytes[left++] = c;
        if (c == '\n') {
            sieve->state = SIEVE_START;
            sieve->matched = 0;
        }
    }
    if (sieve->into)
        *len = left;
    return true;
}
