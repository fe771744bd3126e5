/* The network that a mail came from: the lowest Received field that names a public address in its "from"
 * clause. RFC 5321 section 4.4, and the ways in which qmail, Exim and others write it. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "mail/facts.h"

/* 10/8, 127/8, 100.64/10, 169.254/16, 172.16/12, 192.168/16, 0/8, multicast and above say nothing. */
static bool public4(const unsigned char a[4])
{
    return a[0] != 0 && a[0] != 10 && a[0] != 127 && a[0] < 224 && !(a[0] == 100 && (a[1] & 0xc0) == 64) &&
           !(a[0] == 169 && a[1] == 254) && !(a[0] == 172 && (a[1] & 0xf0) == 16) &&
           !(a[0] == 192 && a[1] == 168);
}

/* Global unicast (2000::/3). */
static bool public6(const unsigned char a[16])
{
    return (a[0] & 0xe0) == 0x20;
}

/* What is between brackets, as a network: an IPv4 address, or the first half of an IPv6 one. */
static bool read_address(struct slice word, struct str *out)
{
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    char text[INET6_ADDRSTRLEN];
    unsigned char bytes[16];
    if (slice_casestarts(word, "IPv6:"))
        word = slice_sub(word, 5, word.len);
    if (!word.len || word.len >= sizeof text)
        return false;
    memcpy(text, word.p, word.len);
    text[word.len] = '\0';
    bool four = inet_pton(AF_INET, text, bytes) == 1;
    if (!four && inet_pton(AF_INET6, text, bytes) != 1)
        return false;
    if (!four && memcmp(bytes, mapped, sizeof mapped) == 0) {
        memmove(bytes, bytes + sizeof mapped, 4);
        four = true;
    }
    if (four ? !public4(bytes) : !public6(bytes))
        return false;
    if (!four)
        memset(bytes + 8, 0, 8);
    str_clear(out);
    str_adds(out, inet_ntop(four ? AF_INET : AF_INET6, bytes, text, sizeof text) ? text : "");
    if (!four)
        str_adds(out, "/64");
    return out->len > 0;
}

/* The last address in brackets before " by ": the server wrote it; anything before may be the client's claim.
 */
static bool read_received(struct slice value, struct str *out)
{
    struct slice word;
    bool found = false;
    bool from = slice_word(&value, &word) && slice_caseeq(word, "from");
    while (from && slice_word(&value, &word) && !slice_caseeq(word, "by")) {
        while (word.len && strchr("([", word.p[0]))
            word = slice_sub(word, 1, word.len);
        while (word.len && strchr(")],;", word.p[word.len - 1]))
            word = slice_sub(word, 0, word.len - 1);
        found |= read_address(word, out);
    }
    return found;
}

void facts_origin(struct str *out, const struct header *top)
{
    const struct field *field;
    for (size_t from = 0; (field = header_next(top, "Received", &from));) {
        struct str value = STR_INIT;
        field_unfold(&value, field);
        (void)read_received(slice_str(&value), out);
        str_release(&value);
    }
}
