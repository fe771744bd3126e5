/* Is this entry in the log? By libsodium alone, from the texts of c2sp.org: what a stranger needs to check a receipt or a report.
 *
 *     proof KEYS PROOF [K]     KEYS: the log's vkey, the witnesses', and last the entry, a line each
 *
 * Ends with 0 when PROOF (a .tlog-proof) shows it, signed by the log and cosigned by K witnesses at least. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8;
struct key {
    char name[256];
    u8 raw[33], id[4];
    int good;
};
static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    char *s = calloc(1, 1 << 20);
    if (!f || !s || !fread(s, 1, (1 << 20) - 1, f))
        exit(2);
    return s;
}
static void no(const char *why)
{
    puts(why);
    exit(1);
}
static char *line(char **s)
{
    char *at = *s, *end = strchr(at, '\n');
    if (!end)
        no("a line is missing");
    *end = 0;
    *s = end + 1;
    return at;
}
static size_t b64(const char *s, u8 *out, size_t most)
{
    size_t n = 0;
    if (sodium_base642bin(out, most, s, strlen(s), 0, &n, 0, sodium_base64_VARIANT_ORIGINAL))
        no("no base64");
    return n;
}
static void node(u8 *out, const u8 *l, const u8 *r)
{
    u8 b[65] = {1};
    memcpy(b + 1, l, 32);
    memcpy(b + 33, r, 32);
    crypto_hash_sha256(out, b, 65);
}
int main(int argc, char **argv)
{
    static struct key keys[40];
    u8 h[32], hash[32], root[32], raw[512], said[4096];
    int n = 0, cosigned = 0;
    if (argc < 3 || sodium_init() < 0)
        return 2;
    char *k = slurp(argv[1]), *t = slurp(argv[2]), *entry = line(&k);
    for (; *k && n < 40; entry = line(&k), n++) { /* the line before was a key */
        char *plus = strchr(entry, '+');
        if (!plus || plus - entry > 200 || b64(strchr(plus + 1, '+') + 1, keys[n].raw, 33) != 33)
            no("no vkey");
        int len = sprintf((char *)said, "%.*s\n", (int)(plus - entry), entry);
        memcpy(keys[n].name, said, (size_t)len - 1);
        memcpy(said + len, keys[n].raw, 33), crypto_hash_sha256(hash, said, (size_t)len + 33),
            memcpy(keys[n].id, hash, 4);
    }
    size_t len = (size_t)sprintf((char *)said, "%c%s\n", 0, entry);
    crypto_hash_sha256(h, said, len); /* the leaf */
    char *s = line(&t);
    if (strcmp(s, "c2sp.org/tlog-proof@v1"))
        no("no proof");
    s = line(&t);
    if (!strncmp(s, "extra ", 6))
        s = line(&t);
    if (strncmp(s, "index ", 6))
        no("no index");
    unsigned long long at = strtoull(s + 6, 0, 10), size, last;
    char *path = t, *note = strstr(t, "\n\n"); /* hashes, an empty line, and the checkpoint */
    if (*t == '\n')
        path = 0, note = t + 1;
    else if (note)
        note[1] = 0, note += 2;
    else
        no("no checkpoint");
    char *sigs = strstr(note, "\n\n");
    if (!sigs)
        no("no signatures");
    size_t text = (size_t)(sigs + 1 - note);
    sigs += 2;
    char *copy = strdup(note), *c = copy, *origin = line(&c);
    size = strtoull(line(&c), 0, 10);
    if (b64(line(&c), root, 32) != 32)
        no("no root");
    if (at >= size)
        no("no such entry");
    for (last = size - 1; path && *path; at >>= 1, last >>= 1) { /* RFC 9162, 2.1.3.2 */
        if (!last || b64(line(&path), hash, 32) != 32)
            no("wrong hashes");
        if (!(at & 1) && at != last) {
            node(h, h, hash);
            continue;
        }
        for (node(h, hash, h); at && !(at & 1); at >>= 1)
            last >>= 1;
    }
    if (last || memcmp(h, root, 32))
        no("not in the log");
    while (*sigs) { /* — NAME base64(id, [time,] signature) */
        char *l = line(&sigs), *b = strrchr(l, ' ');
        if (strncmp(l, "\xE2\x80\x94 ", 4) || b < l + 4)
            no("no signature line");
        *b++ = 0;
        size_t m = b64(b, raw, sizeof raw);
        for (int i = 0; i < n; i++) {
            if (strcmp(l + 4, keys[i].name) || m < 4 || memcmp(raw, keys[i].id, 4))
                continue;
            unsigned long long time = 0;
            for (int j = 4; j < 12; j++)
                time = time << 8 | raw[j];
            size_t head = keys[i].raw[0] == 4
                              ? (size_t)sprintf((char *)said, "cosignature/v1\ntime %llu\n", time)
                              : 0,
                   skip = head ? 12 : 4;
            memcpy(said + head, note, text < 3000 ? text : 3000);
            if (m != skip + 64 || crypto_sign_verify_detached(raw + skip, said, head + text, keys[i].raw + 1))
                no("a wrong signature");
            cosigned += head && !keys[i].good;
            keys[i].good = 1;
        }
    }
    if (!keys[0].good || strcmp(origin, keys[0].name))
        no("not signed by the log");
    if (cosigned < (argc > 3 ? atoi(argv[3]) : 0))
        no("cosigned by too few");
    return 0;
}
