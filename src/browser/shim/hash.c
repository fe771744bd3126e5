/* BLAKE2b, SHA-512, SHA-256, SipHash-2-4 and ChaCha20 (shim/sodium.h). */
#include "sodium.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static uint64_t right(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

static uint32_t right32(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static uint64_t get64(const unsigned char *in)
{
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--)
        x = x << 8 | in[i];
    return x;
}

static void put64(unsigned char *out, uint64_t x)
{
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(x >> (8 * i));
}

static uint64_t get64_big(const unsigned char *in)
{
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x = x << 8 | in[i];
    return x;
}

static void put64_big(unsigned char *out, uint64_t x)
{
    for (int i = 0; i < 8; i++)
        out[i] = (unsigned char)(x >> (56 - 8 * i));
}

/* ---- BLAKE2b ---- */

static const uint64_t start512[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b,
                                     0xa54ff53a5f1d36f1, 0x510e527fade682d1, 0x9b05688c2b3e6c1f,
                                     0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};

static void mix(uint64_t v[16], const int at[4], uint64_t x, uint64_t y)
{
    const int a = at[0], b = at[1], c = at[2], d = at[3];
    v[a] += v[b] + x;
    v[d] = right(v[d] ^ v[a], 32);
    v[c] += v[d];
    v[b] = right(v[b] ^ v[c], 24);
    v[a] += v[b] + y;
    v[d] = right(v[d] ^ v[a], 16);
    v[c] += v[d];
    v[b] = right(v[b] ^ v[c], 63);
}

static void blake_block(crypto_generichash_state *st, bool last)
{
    static const unsigned char order[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                                {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                                {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                                {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                                {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                                {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                                {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                                {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                                {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                                {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};
    static const int places[8][4] = {{0, 4, 8, 12},  {1, 5, 9, 13},  {2, 6, 10, 14}, {3, 7, 11, 15},
                                     {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13},  {3, 4, 9, 14}};
    uint64_t v[16], m[16];
    for (int i = 0; i < 16; i++)
        m[i] = get64(st->block + 8 * i);
    memcpy(v, st->h, sizeof st->h);
    memcpy(v + 8, start512, sizeof start512);
    v[12] ^= st->count;
    v[14] ^= last ? ~(uint64_t)0 : 0;
    for (int round = 0; round < 12; round++)
        for (int i = 0; i < 8; i++)
            mix(v, places[i], m[order[round % 10][2 * i]], m[order[round % 10][2 * i + 1]]);
    for (int i = 0; i < 8; i++)
        st->h[i] ^= v[i] ^ v[i + 8];
}

int crypto_generichash_update(crypto_generichash_state *st, const unsigned char *in, unsigned long long len)
{
    while (len) {
        if (st->used == sizeof st->block) {
            st->count += sizeof st->block;
            blake_block(st, false);
            st->used = 0;
        }
        size_t part = sizeof st->block - st->used;
        part = len < part ? (size_t)len : part;
        memcpy(st->block + st->used, in, part);
        st->used += part;
        in += part;
        len -= part;
    }
    return 0;
}

int crypto_generichash_init(crypto_generichash_state *st, const unsigned char *key, size_t key_len,
                            size_t size)
{
    memset(st, 0, sizeof *st);
    memcpy(st->h, start512, sizeof start512);
    key_len = key ? key_len : 0;
    st->h[0] ^= 0x01010000 ^ key_len << 8 ^ size;
    st->size = size;
    if (key_len) {
        memcpy(st->block, key, key_len);
        st->used = sizeof st->block;
    }
    return 0;
}

int crypto_generichash_final(crypto_generichash_state *st, unsigned char *out, size_t size)
{
    unsigned char whole[64];
    st->count += st->used;
    memset(st->block + st->used, 0, sizeof st->block - st->used);
    blake_block(st, true);
    for (int i = 0; i < 8; i++)
        put64(whole + 8 * i, st->h[i]);
    memcpy(out, whole, size);
    return 0;
}

int crypto_kdf_derive_from_key(unsigned char *out, size_t len, uint64_t id, const char *context,
                               const unsigned char *key)
{
    crypto_generichash_state st;
    (void)crypto_generichash_init(&st, key, crypto_kdf_KEYBYTES, len);
    st.h[4] ^= id;
    st.h[6] ^= get64((const unsigned char *)context);
    return crypto_generichash_final(&st, out, len);
}

int crypto_generichash(unsigned char *out, size_t size, const unsigned char *in, unsigned long long len,
                       const unsigned char *key, size_t key_len)
{
    crypto_generichash_state st;
    (void)crypto_generichash_init(&st, key, key_len, size);
    (void)crypto_generichash_update(&st, in, len);
    return crypto_generichash_final(&st, out, size);
}

/* ---- SHA-512 ---- */

static const uint64_t k512[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

static void sha512_block(crypto_hash_sha512_state *st)
{
    uint64_t w[80], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = get64_big(st->block + 8 * i);
    for (int i = 16; i < 80; i++)
        w[i] = w[i - 16] + w[i - 7] + (right(w[i - 15], 1) ^ right(w[i - 15], 8) ^ w[i - 15] >> 7) +
               (right(w[i - 2], 19) ^ right(w[i - 2], 61) ^ w[i - 2] >> 6);
    memcpy(s, st->h, sizeof s);
    for (int i = 0; i < 80; i++) {
        uint64_t one = s[7] + (right(s[4], 14) ^ right(s[4], 18) ^ right(s[4], 41)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + k512[i] + w[i];
        uint64_t two = (right(s[0], 28) ^ right(s[0], 34) ^ right(s[0], 39)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        st->h[i] += s[i];
}

int crypto_hash_sha512_init(crypto_hash_sha512_state *st)
{
    memcpy(st->h, start512, sizeof start512);
    st->count = 0;
    return 0;
}

int crypto_hash_sha512_update(crypto_hash_sha512_state *st, const unsigned char *in, unsigned long long len)
{
    while (len) {
        size_t used = (size_t)(st->count % sizeof st->block), part = sizeof st->block - used;
        part = len < part ? (size_t)len : part;
        memcpy(st->block + used, in, part);
        st->count += part;
        in += part;
        len -= part;
        if (used + part == sizeof st->block)
            sha512_block(st);
    }
    return 0;
}

int crypto_hash_sha512_final(crypto_hash_sha512_state *st, unsigned char *out)
{
    unsigned char end[16] = {0};
    static const unsigned char pad[128] = {0x80};
    put64_big(end, st->count >> 61);
    put64_big(end + 8, st->count << 3);
    (void)crypto_hash_sha512_update(st, pad, 1 + (239 - st->count % 128) % 128);
    (void)crypto_hash_sha512_update(st, end, sizeof end);
    for (int i = 0; i < 8; i++)
        put64_big(out + 8 * i, st->h[i]);
    return 0;
}

int crypto_hash_sha512(unsigned char *out, const unsigned char *in, unsigned long long len)
{
    crypto_hash_sha512_state st;
    (void)crypto_hash_sha512_init(&st);
    (void)crypto_hash_sha512_update(&st, in, len);
    return crypto_hash_sha512_final(&st, out);
}

/* ---- SHA-256 ---- */

/* The constants are the first halves of those of SHA-512. */
static void sha256_block(crypto_hash_sha256_state *st)
{
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)(get64_big(st->block + 4 * (i & ~1)) >> (i % 2 ? 0 : 32));
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (right32(w[i - 15], 7) ^ right32(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (right32(w[i - 2], 17) ^ right32(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(s, st->h, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t one = s[7] + (right32(s[4], 6) ^ right32(s[4], 11) ^ right32(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + (uint32_t)(k512[i] >> 32) + w[i];
        uint32_t two = (right32(s[0], 2) ^ right32(s[0], 13) ^ right32(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        st->h[i] += s[i];
}

int crypto_hash_sha256_init(crypto_hash_sha256_state *st)
{
    for (int i = 0; i < 8; i++)
        st->h[i] = (uint32_t)(start512[i] >> 32);
    st->count = 0;
    return 0;
}

int crypto_hash_sha256_update(crypto_hash_sha256_state *st, const unsigned char *in, unsigned long long len)
{
    while (len) {
        size_t used = (size_t)(st->count % sizeof st->block), part = sizeof st->block - used;
        part = len < part ? (size_t)len : part;
        memcpy(st->block + used, in, part);
        st->count += part;
        in += part;
        len -= part;
        if (used + part == sizeof st->block)
            sha256_block(st);
    }
    return 0;
}

int crypto_hash_sha256_final(crypto_hash_sha256_state *st, unsigned char *out)
{
    static const unsigned char pad[64] = {0x80};
    unsigned char end[8];
    put64_big(end, st->count << 3);
    (void)crypto_hash_sha256_update(st, pad, 1 + (119 - st->count % 64) % 64);
    (void)crypto_hash_sha256_update(st, end, sizeof end);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = (unsigned char)(st->h[i] >> (24 - 8 * j));
    return 0;
}

int crypto_hash_sha256(unsigned char *out, const unsigned char *in, unsigned long long len)
{
    crypto_hash_sha256_state st;
    (void)crypto_hash_sha256_init(&st);
    (void)crypto_hash_sha256_update(&st, in, len);
    return crypto_hash_sha256_final(&st, out);
}

/* ---- SipHash-2-4 ---- */

static void sip_rounds(uint64_t v[4], int count)
{
    while (count--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = right(v[1], 51) ^ v[0];
        v[3] = right(v[3], 48) ^ v[2];
        v[0] = right(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = right(v[3], 43) ^ v[0];
        v[1] = right(v[1], 47) ^ v[2];
        v[2] = right(v[2], 32);
    }
}

int crypto_shorthash(unsigned char *out, const unsigned char *in, unsigned long long len,
                     const unsigned char *key)
{
    uint64_t v[4] = {0x736f6d6570736575 ^ get64(key), 0x646f72616e646f6d ^ get64(key + 8),
                     0x6c7967656e657261 ^ get64(key), 0x7465646279746573 ^ get64(key + 8)};
    uint64_t last = (uint64_t)len << 56;
    for (; len >= 8; len -= 8, in += 8) {
        v[3] ^= get64(in);
        sip_rounds(v, 2);
        v[0] ^= get64(in);
    }
    for (unsigned i = 0; i < len; i++)
        last |= (uint64_t)in[i] << (8 * i);
    v[3] ^= last;
    sip_rounds(v, 2);
    v[0] ^= last;
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    put64(out, v[0] ^ v[1] ^ v[2] ^ v[3]);
    return 0;
}

/* Against files that are made to make tables slow: the one thing that is not the same in two runs, and it
 * changes no result. */
void crypto_shorthash_keygen(unsigned char key[crypto_shorthash_KEYBYTES])
{
    if (getentropy(key, crypto_shorthash_KEYBYTES))
        __builtin_trap();
}

/* ---- ChaCha20 ---- */

static void quarter(uint32_t s[16], int a, int b, int c, int d)
{
    s[a] += s[b];
    s[d] = right32(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = right32(s[b] ^ s[c], 20);
    s[a] += s[b];
    s[d] = right32(s[d] ^ s[a], 24);
    s[c] += s[d];
    s[b] = right32(s[b] ^ s[c], 25);
}

static uint32_t get32(const unsigned char *in)
{
    return (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static void chacha_block(unsigned char out[64], const uint32_t start[16])
{
    uint32_t s[16];
    memcpy(s, start, sizeof s);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++)
            quarter(s, i, i + 4, i + 8, i + 12);
        for (int i = 0; i < 4; i++)
            quarter(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = (unsigned char)((s[i] + start[i]) >> (8 * j));
}

int crypto_stream_chacha20_ietf_xor_ic(unsigned char *out, const unsigned char *in, unsigned long long len,
                                       const unsigned char *nonce, uint32_t block, const unsigned char *key)
{
    uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    unsigned char bytes[64];
    for (int i = 0; i < 8; i++)
        start[4 + i] = get32(key + 4 * i);
    for (int i = 0; i < 3; i++)
        start[13 + i] = get32(nonce + 4 * i);
    for (unsigned long long i = 0; i < len; i++) {
        if (i % 64 == 0) {
            start[12] = block++;
            chacha_block(bytes, start);
        }
        out[i] = in[i] ^ bytes[i % 64];
    }
    return 0;
}
