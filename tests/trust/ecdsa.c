/* Keys on P-256: numbers and points; OpenSSH's own vectors and keys; tokens and passkeys of which everything may be wrong.
 * Whatever is accepted here the stock ssh-keygen accepts as well. */
#include "softkey.h"
#include "kept.h"
#include "tools.h"

#include "trust/client_data.h"
#include "trust/format.h"
#include "trust/keyring.h"
#include "trust/p256.h"

#define HOST  "orders.example.org"
#define ORDER "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
#define PRIME "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"
#define ZERO  "0000000000000000000000000000000000000000000000000000000000000000"
#define ONE   "0000000000000000000000000000000000000000000000000000000000000001"
/* FIPS 186-4, D.1.2.3 */
#define BASE_X "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
#define BASE_Y "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

static const char text_plain[] = "#turnpost orders\ngame: gc-17\nturn: 5\nbide\n#end\n";

/* Is it this refusal? "" and NULL: none. */
static bool is_why(const struct err *err, const char *code)
{
    return code && *code ? str_starts(err->why, "{\"") && str_starts(err->why + 2, code) : !*err->why;
}

static void unhex(void *out, size_t len, const char *text)
{
    ck_assert_msg(hex_decode(out, len, slice_of(text)), "%s", text);
}

/* ---- numbers and points ---- */

START_TEST(points)
{
    static const struct {
        const char *x, *y;
        bool on;
    } rows[] = {
        {BASE_X, BASE_Y, true},
        /* its negative */
        {BASE_X, "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a", true},
        /* RFC 6979, A.2.5 */
        {"60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6",
         "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299", true},
        {BASE_X, "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f4", false},
        {BASE_Y, BASE_X, false},
        {ZERO, ZERO, false},
        {ONE, ONE, false},
        {PRIME, BASE_Y, false},
        {BASE_X, PRIME, false},
        /* x = 5 has a point; x + p is the same number in no form that counts */
        {"ffffffff00000001000000000000000000000001000000000000000000000004",
         "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc", false},
        {"0000000000000000000000000000000000000000000000000000000000000005",
         "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc", true},
        {"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
         "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char sec1[66] = {4}, x[32], y[32];
        struct slice form = {(const char *)sec1, 65};
        unhex(sec1 + 1, 32, rows[i].x);
        unhex(sec1 + 33, 32, rows[i].y);
        ck_assert_msg(p256_on_curve(sec1 + 1, sec1 + 33) == rows[i].on, "row %zu", i);
        ck_assert_msg(p256_point_read(form, x, y) == rows[i].on, "row %zu", i);
        for (int first = 0; first < 8; first++) { /* infinity, compressed, hybrid */
            sec1[0] = (unsigned char)first;
            ck_assert_msg(p256_point_read(form, x, y) == (rows[i].on && first == 4), "row %zu", i);
        }
        sec1[0] = 4;
        for (size_t len = 0; len <= 66; len++)
            ck_assert(p256_point_read((struct slice){(const char *)sec1, len}, x, y) ==
                      (rows[i].on && len == 65));
    }
}
END_TEST

/* Every point of a key that GnuTLS makes is one, and none next to it. */
START_TEST(made_points)
{
    for (int i = 0; i < 50; i++) {
        struct softkey key = softkey_new();
        ck_assert(p256_on_curve(key.x, key.y));
        for (int bit = 0; bit < 256; bit += 5) {
            key.y[bit / 8] ^= (unsigned char)(1 << bit % 8);
            ck_assert(!p256_on_curve(key.x, key.y));
            key.y[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        softkey_free(&key);
    }
}
END_TEST

START_TEST(ranges)
{
    static const struct {
        const char *r, *s;
        bool in, normal;
    } rows[] = {
        {ONE, ONE, true, true},
        {ZERO, ONE, false, false},
        {ONE, ZERO, false, false},
        {ORDER, ONE, false, false},
        {ONE, ORDER, false, false},
        {"ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", ONE, true, true},
        {ONE, "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", true, false},
        {ONE, "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8", true, true},
        {ONE, "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a9", true, false},
        {"ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff", ONE, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char sig[64], low[64];
        unhex(sig, 32, rows[i].r);
        unhex(sig + 32, 32, rows[i].s);
        ck_assert_msg(p256_signature_in_range(sig) == rows[i].in, "row %zu", i);
        ck_assert_msg(p256_signature_is_normal(sig) == rows[i].normal, "row %zu", i);
        if (!rows[i].in)
            continue;
        memcpy(low, sig, sizeof low);
        p256_signature_normalise(low);
        ck_assert(p256_signature_is_normal(low));
        ck_assert((memcmp(low, sig, sizeof low) == 0) == rows[i].normal);
        soft_flip(low + 32);
        p256_signature_normalise(low);
        ck_assert(p256_signature_is_normal(low));
    }
}
END_TEST

/* RFC 6979, A.2.5, with SHA-256. */
START_TEST(rfc6979)
{
    static const char *const rows[][3] = {
        {"sample", "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
         "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"},
        {"test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
         "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083"},
    };
    unsigned char x[32], y[32], digest[32], sig[64];
    unhex(x, 32, "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6");
    unhex(y, 32, "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299");
    for (size_t i = 0; i < 2; i++) {
        crypto_hash_sha256(digest, (const unsigned char *)rows[i][0], strlen(rows[i][0]));
        unhex(sig, 32, rows[i][1]);
        unhex(sig + 32, 32, rows[i][2]);
        ck_assert(p256_verify(x, y, sig, digest));
        soft_flip(sig + 32);
        ck_assert(p256_verify(x, y, sig, digest));
        p256_signature_normalise(sig);
        ck_assert(p256_verify(x, y, sig, digest));
        for (size_t bit = 0; bit < 8 * sizeof sig; bit += 7) {
            sig[bit / 8] ^= (unsigned char)(1 << bit % 8);
            ck_assert(!p256_verify(x, y, sig, digest));
            sig[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        digest[31] ^= 1;
        ck_assert(!p256_verify(x, y, sig, digest));
        y[31] ^= 1; /* not on the curve */
        ck_assert(!p256_verify(x, y, sig, digest));
        y[31] ^= 1;
    }
}
END_TEST

/* ---- OpenSSH's own ---- */

static void read_key(struct slice text, struct pubkey *key)
{
    struct err err = ERR_INIT;
    bool found = false;
    ck_ok(pubkey_next(&text, key, &found, &err), err);
    ck_assert(found);
}

static void data_file(const char *name, struct str *out)
{
    char path[PATH_MAX];
    struct err err = ERR_INIT;
    (void)snprintf(path, sizeof path, "%s/tests/trust/data/openssh/%s", tools_start, name);
    str_clear(out);
    ck_ok(file_read(path, 1 << 16, out, &err), err);
}

START_TEST(openssh_vectors)
{
    static const struct {
        const char *name, *form, *why; /* it is refused though the signature holds */
    } rows[] = {{"ecdsa", "", NULL},
                {"ecdsa_sk", "", NULL},
                {"ecdsa_sk_webauthn", " webauthn", "passkey_origin\":{\"page\":\"https://mindrot.org\"}"}};
    struct str text = STR_INIT, line = STR_INIT, armor = STR_INIT;
    char name[64];
    data_file("signed-data", &text);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pubkey key;
        struct signature sig;
        struct err err = ERR_INIT;
        (void)snprintf(name, sizeof name, "%s.pub", rows[i].name);
        data_file(name, &line);
        line.len = strcspn(line.p, "\n");
        str_cut(&line, strcspn(line.p, "=") + strspn(line.p + strcspn(line.p, "="), "="));
        str_adds(&line, rows[i].form);
        read_key(slice_str(&line), &key);
        (void)snprintf(name, sizeof name, "%s.sig", rows[i].name);
        data_file(name, &armor);
        ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
        ck_assert_int_eq(sig.kind, key.kind);
        ck_assert(key_format(key.kind)->holds(&sig, &key, slice_str(&text)));
        ck_assert(!key_format(key.kind)->holds(&sig, &key, slice_of("another text")));
        int rc = signature_verify(&sig, &key, "unittest", slice_str(&text), &err);
        ck_assert_int_eq(rc, rows[i].why ? -1 : 0);
        ck_assert_msg(is_why(&err, rows[i].why), "%s", err.why);
    }
    str_release(&text);
    str_release(&line);
    str_release(&armor);
}
END_TEST

/* Does the stock ssh-keygen find the signature good? */
static bool stock_accepts(struct slice line, struct slice armor, const char *text)
{
    struct str allowed = STR_INIT;
    str_adds(&allowed, "anna ");
    str_addslice(&allowed, line);
    tools_write("allowed", slice_str(&allowed));
    tools_write("t.sig", armor);
    tools_write("t", slice_of(text));
    str_release(&allowed);
    return tools_try("ssh-keygen -Y verify -f allowed -I anna -n " NS_ORDERS " -s t.sig < t") == 0;
}

START_TEST(stock_key)
{
    struct str line = STR_INIT, armor = STR_INIT, again = STR_INIT, back = STR_INIT;
    struct pubkey key, other;
    struct err err = ERR_INIT;
    char print[KEY_FINGERPRINT];
    tools_run("rm -f e e.pub; ssh-keygen -q -t ecdsa -b 256 -N '' -C webauthn -f e");
    tools_read("e.pub", &line);
    read_key(slice_str(&line), &key);
    ck_assert_int_eq(key.kind, KEY_ECDSA);
    ck_assert_str_eq(key_commands(key.kind), "ssh_ecdsa");
    pubkey_fingerprint(print, &key);
    tools_run("ssh-keygen -l -f e.pub | grep -F '%s'", print);
    pubkey_format(&back, &key);
    read_key(slice_str(&back), &other);
    ck_assert(pubkey_equal(&key, &other));
    /* Every other signature is high, by chance: 12, or as many as show both kinds. */
    int high = 0, count = 0;
    for (; count < 12 || (count < 64 && (high == 0 || high == count)); count++) {
        struct signature sig;
        char text[100];
        (void)snprintf(text, sizeof text, "%s%d", text_plain, count);
        tools_write("t", slice_of(text));
        tools_run("rm -f t.sig; ssh-keygen -q -Y sign -n " NS_ORDERS " %s -f e t",
                  count % 2 ? "-O hashalg=sha256" : "");
        tools_read("t.sig", &armor);
        ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
        ck_ok(signature_verify(&sig, &key, NS_ORDERS, slice_of(text), &err), err);
        ck_assert(p256_signature_is_normal(sig.sig));
        str_clear(&again); /* the same, or its normal form: good for ssh-keygen as well */
        sshsig_armor(&again, &sig);
        high += strcmp(again.p, armor.p) != 0;
        ck_assert(stock_accepts(slice_str(&line), slice_str(&again), text));
        ck_assert_int_eq(signature_verify(&sig, &key, NS_ORDERS, slice_of(text_plain), &err), -1);
        err_clear(&err);
        ck_assert_int_eq(signature_verify(&sig, &key, NS_KEY, slice_of(text), &err), -1);
        err_clear(&err);
    }
    ck_assert_int_gt(high, 0);
    ck_assert_int_lt(high, count);
    str_release(&line);
    str_release(&armor);
    str_release(&again);
    str_release(&back);
}
END_TEST

START_TEST(other_curves)
{
    static const char *const rows[][2] = {
        {"-t ecdsa -b 384", "ecdsa_key"}, {"-t ecdsa -b 521", "ecdsa_key"}, {"-t rsa -b 1024", "rsa_key"}};
    for (size_t i = 0; i < 3; i++) {
        struct str line = STR_INIT, armor = STR_INIT;
        struct pubkey key;
        struct signature sig;
        struct err err = ERR_INIT;
        bool found;
        tools_run("rm -f o o.pub t.sig; ssh-keygen -q %s -N '' -f o", rows[i][0]);
        tools_read("o.pub", &line);
        struct slice rest = slice_str(&line);
        ck_assert_int_eq(pubkey_next(&rest, &key, &found, &err), -1);
        ck_assert_msg(is_why(&err, rows[i][1]), "%s", err.why);
        ck_assert(strstr(err.text, "ssh-keygen -t ed25519") != NULL);
        err_clear(&err);
        tools_write("t", slice_of(text_plain));
        tools_run("ssh-keygen -q -Y sign -n " NS_ORDERS " -f o t");
        tools_read("t.sig", &armor);
        ck_assert_int_eq(signature_parse(slice_str(&armor), &sig, &err), -1);
        ck_assert_msg(strstr(err.text, "in the signature: this is an ") != NULL, "%s", err.text);
        str_release(&line);
        str_release(&armor);
    }
}
END_TEST

/* ---- keys that are no keys ---- */

static void refuse_key(const char *words, const struct str *blob, const char *why)
{
    struct str line = STR_INIT;
    struct pubkey key;
    struct err err = ERR_INIT;
    bool found;
    const char *after = strchr(words, ' ');
    str_addf(&line, "%.*s ", (int)(after ? after - words : (long)strlen(words)), words);
    base64_encode(&line, blob->p, blob->len);
    str_adds(&line, after ? after : "");
    struct slice rest = slice_str(&line);
    ck_assert_msg(pubkey_next(&rest, &key, &found, &err) == -1, "%s", why);
    ck_assert_msg(is_why(&err, why), "%s: %s", why, err.why);
    str_release(&line);
}

static void put_blob(struct str *out, const char *word, const char *curve, struct slice point)
{
    str_clear(out);
    wire_put_text(out, word);
    wire_put_text(out, curve);
    wire_put_string(out, point.p, point.len);
}

START_TEST(damaged_keys)
{
    struct softkey soft = softkey_new();
    struct str blob = STR_INIT;
    unsigned char point[65] = {4};
    memcpy(point + 1, soft.x, 32);
    memcpy(point + 33, soft.y, 32);
    const struct slice good = {(const char *)point, 65};
    put_blob(&blob, SOFT_ECDSA, "nistp384", good);
    refuse_key(SOFT_ECDSA, &blob, "damaged_ssh_key");
    put_blob(&blob, SOFT_ECDSA, "nistp256", (struct slice){"\0", 1}); /* infinity */
    refuse_key(SOFT_ECDSA, &blob, "damaged_ssh_key");
    point[0] = (unsigned char)(2 + (point[64] & 1)); /* compressed: OpenSSH has no such keys either */
    put_blob(&blob, SOFT_ECDSA, "nistp256", (struct slice){(const char *)point, 33});
    refuse_key(SOFT_ECDSA, &blob, "damaged_ssh_key");
    point[0] = 4;
    put_blob(&blob, SOFT_ECDSA, "nistp256", (struct slice){(const char *)point, 64});
    refuse_key(SOFT_ECDSA, &blob, "damaged_ssh_key");
    put_blob(&blob, SOFT_ECDSA, "nistp256", good);
    str_addc(&blob, 'x');
    refuse_key(SOFT_ECDSA, &blob, "damaged_ssh_key");
    put_blob(&blob, SOFT_TOKEN, "nistp256", good); /* without its application */
    refuse_key(SOFT_TOKEN, &blob, "damaged_ssh_key");
    wire_put_text(&blob, "");
    refuse_key(SOFT_TOKEN, &blob, "damaged_ssh_key");
    put_blob(&blob, SOFT_ECDSA, "nistp256", good);
    refuse_key(SOFT_TOKEN, &blob, "two_ssh_kinds");
    refuse_key("ecdsa-sha2-nistp384", &blob, "ecdsa_key");
    refuse_key("ecdsa-sha2-nistp256-cert-v01@openssh.com", &blob, "certificate");
    refuse_key("sk-ecdsa-sha2-nistp256-cert-v01@openssh.com", &blob, "certificate");
    point[64] ^= 1;
    put_blob(&blob, SOFT_ECDSA, "nistp256", good);
    refuse_key(SOFT_ECDSA, &blob, "damaged_ssh_key");
    point[64] ^= 1;
    static const char *const no_hosts[] = {"ssh:",
                                           "ssh:turnpost",
                                           "Orders.example.org",
                                           "orders.example.org:443",
                                           "-a",
                                           "a-",
                                           "a..b",
                                           ".a",
                                           "a.",
                                           "a/b",
                                           "a_b",
                                           "https://a.org",
                                           "*"};
    for (size_t i = 0; i < sizeof no_hosts / sizeof *no_hosts; i++) {
        put_blob(&blob, SOFT_TOKEN, "nistp256", good);
        wire_put_text(&blob, no_hosts[i]);
        refuse_key(SOFT_TOKEN " webauthn", &blob, "passkey_page");
        refuse_key(SOFT_TOKEN " webauthn-verified", &blob, "passkey_page");
    }
    str_release(&blob);
    softkey_free(&soft);
}
END_TEST

/* ---- signatures: right and wrong in one thing ---- */

#define FLAGS_TOUCHED  0x01
#define FLAGS_VERIFIED 0x05
#define GOOD           "{\"type\":\"webauthn.get\",\"challenge\":\"%s\",\"origin\":\"https://" HOST "\""
#define AT(origin) \
    "{\"type\":\"webauthn.get\",\"challenge\":\"%s\",\"origin\":\"" origin "\",\"crossOrigin\":false}"
#define PASSKEY(...)                                            \
    {                                                           \
        .word = SOFT_WEBAUTHN, .application = HOST, __VA_ARGS__ \
    }
#define TOKEN(...)                                             \
    {                                                          \
        .word = SOFT_TOKEN, .application = "ssh:", __VA_ARGS__ \
    }

static const struct {
    const char *what;
    const char *after; /* the form of the registered key; NULL: it is no passkey */
    const char *why;   /* NULL: accepted */
    struct soft soft;
} rows[] = {
    {"plain", NULL, NULL, {.word = SOFT_ECDSA}},
    {"plain, low S", NULL, NULL, {.word = SOFT_ECDSA, .low = true}},
    {"plain, high S", NULL, NULL, {.word = SOFT_ECDSA, .high = true}},
    {"plain, for another use", NULL, "namespace", {.word = SOFT_ECDSA, .ns = "file"}},
    {"plain, for a key", NULL, "namespace", {.word = SOFT_ECDSA, .ns = NS_KEY}},
    {"plain key, token's signature", NULL, "ssh_cut", {.word = SOFT_TOKEN}},
    {"plain key, passkey's signature", NULL, "ssh_cut", {.word = SOFT_WEBAUTHN}},
    {"token", NULL, NULL, TOKEN(.flags = FLAGS_TOUCHED, .counter = 7)},
    {"token, high S", NULL, NULL, TOKEN(.flags = FLAGS_TOUCHED, .high = true)},
    {"token, its own counter again", NULL, NULL, TOKEN(.flags = FLAGS_TOUCHED, .counter = 0)},
    {"token, untouched", NULL, "untouched_token", TOKEN(.flags = 0)},
    {"token, named plain", NULL, "ssh_cut", {.word = SOFT_ECDSA, .application = "ssh:", .flags = 1}},
    {"token key, signs in a browser", NULL, "key_form", PASSKEY(.flags = FLAGS_TOUCHED)},
    {"passkey, signs as a token",
     "webauthn",
     "key_form",
     {.word = SOFT_TOKEN, .application = HOST, .flags = FLAGS_TOUCHED}},
    {"verified passkey, signs as a token",
     "webauthn-verified",
     "key_form",
     {.word = SOFT_TOKEN, .application = HOST, .flags = FLAGS_VERIFIED}},
    {"passkey", "webauthn", NULL, PASSKEY(.flags = FLAGS_TOUCHED, .counter = 3)},
    {"passkey, high S", "webauthn", NULL, PASSKEY(.flags = FLAGS_TOUCHED, .high = true)},
    {"passkey, low S", "webauthn", NULL, PASSKEY(.flags = FLAGS_TOUCHED, .low = true)},
    {"passkey, synchronised", "webauthn", NULL, PASSKEY(.flags = FLAGS_TOUCHED, .counter = 0)},
    {"passkey, verified without need", "webauthn", NULL, PASSKEY(.flags = FLAGS_VERIFIED)},
    {"passkey, backed up", "webauthn", NULL, PASSKEY(.flags = 0x1D)},
    {"passkey, untouched", "webauthn", "untouched_token", PASSKEY(.flags = 0)},
    {"passkey, only verified", "webauthn", "untouched_token", PASSKEY(.flags = 0x04)},
    {"verified passkey", "webauthn-verified", NULL, PASSKEY(.flags = FLAGS_VERIFIED)},
    {"verified passkey, not verified", "webauthn-verified", "passkey_unverified",
     PASSKEY(.flags = FLAGS_TOUCHED)},
    {"attested data", "webauthn", "passkey_data", PASSKEY(.flags = 0x41)},
    {"extensions said, none there", "webauthn", "passkey_data", PASSKEY(.flags = 0x81)},
    {"extensions", "webauthn", "passkey_data", PASSKEY(.flags = 0x81, .extensions = "\xA0")},
    {"extensions not said", "webauthn", "passkey_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .extensions = "\xA0")},
    {"no crossOrigin", "webauthn", NULL, PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD "}")},
    {"crossOrigin", "webauthn", "passkey_frame",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"crossOrigin\":true}")},
    {"topOrigin", "webauthn", "passkey_frame",
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data = GOOD ",\"crossOrigin\":false,\"topOrigin\":\"https://evil.example\"}")},
    {"crossOrigin, a text", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"crossOrigin\":\"false\"}")},
    {"crossOrigin, null", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"crossOrigin\":null}")},
    {"crossOrigin twice", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"crossOrigin\":false,\"crossOrigin\":true}")},
    {"more members", "webauthn", NULL,
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data = GOOD
             ",\"crossOrigin\":false,\"other_keys_can_be_added_here\":\"do not compare clientDataJSON "
             "against a template. See https://goo.gl/yabPex\"}")},
    {"eight members", "webauthn", NULL,
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data = GOOD ",\"a\":1,\"b\":true,\"c\":null,\"d\":\"\",\"e\":123456789012345}")},
    {"nine members", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data = GOOD ",\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6}")},
    {"a member twice", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":1,\"a\":1}")},
    {"origin twice", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"origin\":\"https://evil.example\"}")},
    {"no name", "webauthn", "client_data", PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"\":1}")},
    {"nested", "webauthn", "client_data", PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":{}}")},
    {"a list", "webauthn", "client_data", PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":[]}")},
    {"a fraction", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":1.5}")},
    {"a leading zero", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":01}")},
    {"a long number", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":1234567890123456}")},
    {"an escape", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":\"\\u0041\"}")},
    {"an escaped quote", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":\"\\\"\"}")},
    {"UTF-8", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":\"\xC3\xA4\"}")},
    {"a line feed", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",\"a\":\"\n\"}")},
    {"a blank", "webauthn", "client_data", PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ", \"a\":1}")},
    {"bytes after it", "webauthn", "client_data", PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD "}}")},
    {"a line feed after it", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD "}\n")},
    {"a comma after all", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD ",}")},
    {"cut", "webauthn", "client_data", PASSKEY(.flags = FLAGS_TOUCHED, .client_data = GOOD)},
    {"nothing", "webauthn", "client_data", PASSKEY(.flags = FLAGS_TOUCHED, .client_data = "")},
    {"another order", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data =
                 "{\"challenge\":\"%s\",\"type\":\"webauthn.get\",\"origin\":\"https://" HOST "\"}")},
    {"webauthn.create", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data =
                 "{\"type\":\"webauthn.create\",\"challenge\":\"%s\",\"origin\":\"https://" HOST "\"}")},
    {"payment.get", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data =
                 "{\"type\":\"payment.get\",\"challenge\":\"%s\",\"origin\":\"https://" HOST "\"}")},
    {"another challenge", "webauthn", "changed_text",
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data =
                 "{\"type\":\"webauthn.get\",\"challenge\":\"U1NIU0lH\",\"origin\":\"https://" HOST "\"}")},
    {"padded challenge", "webauthn", "changed_text",
     PASSKEY(.flags = FLAGS_TOUCHED,
             .client_data =
                 "{\"type\":\"webauthn.get\",\"challenge\":\"%s=\",\"origin\":\"https://" HOST "\"}")},
    {"another page", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("https://evil.example"),
             .origin = "https://evil.example")},
    {"a subdomain", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("https://www." HOST), .origin = "https://www." HOST)},
    {"a port", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("https://" HOST ":8443"),
             .origin = "https://" HOST ":8443")},
    {"the usual port", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("https://" HOST ":443"),
             .origin = "https://" HOST ":443")},
    {"http", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("http://" HOST), .origin = "http://" HOST)},
    {"a slash", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("https://" HOST "/"), .origin = "https://" HOST "/")},
    {"capitals", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("https://Orders.example.org"),
             .origin = "https://Orders.example.org")},
    {"an app", "webauthn", "passkey_origin",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("android:apk-key-hash:abc"),
             .origin = "android:apk-key-hash:abc")},
    {"two origins", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .origin = "https://evil.example")},
    {"the other origin", "webauthn", "client_data",
     PASSKEY(.flags = FLAGS_TOUCHED, .client_data = AT("https://evil.example"))},
    {"for another use", "webauthn", "namespace", PASSKEY(.flags = FLAGS_TOUCHED, .ns = "file")},
};

START_TEST(judged)
{
    struct softkey key = softkey_new();
    struct str line = STR_INIT, armor = STR_INIT, again = STR_INIT;
    struct soft soft = rows[_i].soft;
    const char *form = rows[_i].after ? rows[_i].after : "";
    const char *application = soft.application;
    struct pubkey registered;
    struct signature sig;
    struct err err = ERR_INIT;
    soft.text = text_plain;
    /* What OpenSSH calls the key of a wrong signature is for each test to say. */
    if (!soft.application && strcmp(soft.word, SOFT_ECDSA) != 0)
        application = NULL;
    soft_line(&line, &key, application, form);
    read_key(slice_str(&line), &registered);
    soft_sign(&armor, &key, &soft);
    bool parsed = signature_parse(slice_str(&armor), &sig, &err) == 0;
    bool good = parsed && signature_verify(&sig, &registered, NS_ORDERS, slice_of(text_plain), &err) == 0;
    ck_assert_msg(good == !rows[_i].why, "%s: %s", rows[_i].what, err.text);
    if (!good)
        ck_assert_msg(is_why(&err, rows[_i].why), "%s: %s", rows[_i].what, err.why);
    if (good) {
        ck_assert_msg(stock_accepts(slice_str(&line), slice_str(&armor), text_plain), "%s", rows[_i].what);
        ck_assert(p256_signature_is_normal(sig.sig));
        sshsig_armor(&again, &sig);
        ck_assert_msg(stock_accepts(slice_str(&line), slice_str(&again), text_plain), "%s", rows[_i].what);
        ck_assert_int_eq(signature_verify(&sig, &registered, NS_ORDERS, slice_of("x"), &err), -1);
    }
    str_release(&line);
    str_release(&armor);
    str_release(&again);
    softkey_free(&key);
}
END_TEST

/* Client data of exactly the length that is allowed, and of one byte more. */
START_TEST(long_client_data)
{
    struct softkey key = softkey_new();
    struct str data = STR_INIT, challenge = STR_INIT, form = STR_INIT, armor = STR_INIT;
    struct err err = ERR_INIT;
    struct signature sig;
    soft_data(&data, NS_ORDERS, text_plain);
    base64url_encode(&challenge, data.p, data.len);
    for (size_t more = 0; more < 2; more++) {
        struct soft soft = PASSKEY(.flags = FLAGS_TOUCHED, .text = text_plain);
        str_clear(&form);
        str_adds(&form, GOOD ",\"a\":\"");
        while (form.len - 2 + challenge.len + 2 < CLIENT_DATA_MAX + more)
            str_addc(&form, 'x');
        str_adds(&form, "\"}");
        soft.client_data = form.p;
        soft_sign(&armor, &key, &soft);
        int rc = signature_parse(slice_str(&armor), &sig, &err);
        ck_assert_int_eq(rc, more ? -1 : 0);
        if (!more)
            ck_assert_uint_eq(strlen(sig.client_data), CLIENT_DATA_MAX);
    }
    ck_assert_msg(is_why(&err, "client_data"), "%s", err.why);
    str_release(&data);
    str_release(&challenge);
    str_release(&form);
    str_release(&armor);
    softkey_free(&key);
}
END_TEST

/* ---- numbers on the wire ---- */

START_TEST(wire_numbers)
{
    static const struct {
        const char *r, *s; /* hex, as they are on the wire */
        bool good;
    } numbers[] = {
        {"01", "01", true},
        {"7f", "0080", true},
        {"", "01", false},
        {"01", "", false},
        {"00", "01", false},
        {"0001", "01", false},
        {"01", "0001", false},
        {"80", "01", false},
        {"ff", "01", false},
        {"00" ORDER, "01", false},
        {"01", "00" ORDER, false},
        {ORDER, "01", false}, /* negative */
        {"00ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550", "01", true},
        {"0100000000000000000000000000000000000000000000000000000000000000000000", "01", false},
        {"01" ONE, "01", false},
    };
    struct softkey key = softkey_new();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (int more = 0; more < 2; more++) {
            struct str rs = STR_INIT, inner = STR_INIT, armor = STR_INIT;
            const struct soft soft = {.word = SOFT_ECDSA};
            const char *const both[] = {numbers[i].r, numbers[i].s};
            struct signature sig;
            struct err err = ERR_INIT;
            for (size_t k = 0; k < 2; k++) {
                unsigned char bytes[40];
                size_t len = strlen(both[k]) / 2;
                unhex(bytes, len, both[k]);
                wire_put_string(&rs, bytes, len);
            }
            str_add(&rs, "x", (size_t)more); /* a byte after it */
            soft_inner(&inner, &soft, &rs, NULL);
            soft_armor(&armor, &key, &soft, &inner);
            int rc = signature_parse(slice_str(&armor), &sig, &err);
            ck_assert_msg(rc == (numbers[i].good && !more ? 0 : -1), "row %zu: %s", i, err.text);
            ck_assert_msg(is_why(&err, rc ? "ssh_cut" : ""), "%s", err.why);
            str_release(&rs);
            str_release(&inner);
            str_release(&armor);
        }
    }
    softkey_free(&key);
}
END_TEST

/* ---- what is kept ---- */

static const char *const forms[] = {NULL, "", "webauthn", "webauthn-verified"};

/* Both forms of a signature are one in files, and the other one is no signature there. */
START_TEST(kept)
{
    struct softkey key = softkey_new();
    struct str line = STR_INIT, armor = STR_INIT;
    const char *application = forms[_i] ? (*forms[_i] ? HOST : "ssh:") : NULL;
    struct soft soft = {.application = application,
                        .text = text_plain,
                        .flags = application ? FLAGS_VERIFIED : 0,
                        .counter = 9,
                        .high = true};
    struct pubkey registered, back_key;
    struct signature sig, back;
    struct err err = ERR_INIT;
    soft.word = !application ? SOFT_ECDSA : *forms[_i] ? SOFT_WEBAUTHN : SOFT_TOKEN;
    soft_line(&line, &key, application, forms[_i] ? forms[_i] : "");
    read_key(slice_str(&line), &registered);
    soft_sign(&armor, &key, &soft);
    ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
    ck_ok(signature_verify(&sig, &registered, NS_ORDERS, slice_of(text_plain), &err), err);
    json_t *json = signature_json(&sig, &registered);
    kept_in_one_form(json);
    ck_ok(signature_read_json(json, &back, &back_key, &err), err);
    ck_assert(pubkey_equal(&registered, &back_key));
    ck_assert_mem_eq(back.sig, sig.sig, sizeof sig.sig);
    ck_assert_str_eq(back.client_data, sig.client_data);
    ck_ok(signature_verify(&back, &back_key, NS_ORDERS, slice_of(text_plain), &err), err);
    ck_assert((json_object_get(json, "client_data") != NULL) == (forms[_i] && *forms[_i]));
    struct str high = STR_INIT;
    soft_flip(sig.sig + 32);
    base64_encode(&high, sig.sig, sizeof sig.sig);
    json_object_set_new(json, "sig", json_string(high.p));
    ck_assert_int_eq(signature_read_json(json, &back, &back_key, &err), -1);
    err_clear(&err);
    soft_flip(sig.sig + 32);
    json_decref(json);
    json = signature_json(&sig, &registered);
    if (json_object_get(json, "client_data")) {
        static const char *const bad[] = {"", "{}",
                                          "{\"type\":\"webauthn.get\",\"challenge\":\"\",\"origin\":\"\"} "};
        for (size_t i = 0; i < 3; i++) {
            json_object_set_new(json, "client_data", json_string(bad[i]));
            ck_assert_int_eq(signature_read_json(json, &back, &back_key, &err), -1);
            err_clear(&err);
        }
        json_object_del(json, "client_data");
    } else {
        json_object_set_new(json, "client_data", json_string("{}"));
    }
    ck_assert_int_eq(signature_read_json(json, &back, &back_key, &err), -1);
    json_decref(json);
    str_release(&high);
    str_release(&line);
    str_release(&armor);
    softkey_free(&key);
}
END_TEST

/* A signature names its key without its form: the registered one is found, whichever it is, and stays as strict. */
START_TEST(found_in_ring)
{
    struct softkey key = softkey_new(), other = softkey_new();
    struct str line = STR_INIT, armor = STR_INIT;
    struct keyring ring = {.entries = NULL};
    struct pubkey registered, seen;
    struct signature sig;
    const struct keyring_entry *entry;
    struct err err = ERR_INIT;
    struct soft soft = PASSKEY(.flags = FLAGS_TOUCHED, .text = text_plain);
    char shown[KEY_SHOWN];
    soft_line(&line, &key, HOST, forms[_i]);
    read_key(slice_str(&line), &registered);
    ck_ok(keyring_set(&ring, "anna", &registered, 1, &err), err);
    soft_sign(&armor, &key, &soft);
    ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
    ck_assert_int_eq(sig.key.kind, KEY_WEBAUTHN);
    ck_assert_uint_eq(keyring_lookup(&ring, &sig, &entry, 1), 1);
    ck_assert_int_eq(entry->key.kind, registered.kind);
    ck_assert_int_eq(signature_verify(&sig, &entry->key, NS_ORDERS, slice_of(text_plain), &err),
                     registered.kind == KEY_WEBAUTHN ? 0 : -1);
    /* One point is one key: in no other form, and nobody else's. */
    for (size_t i = 0; i < 4; i++) {
        struct pubkey twin[2] = {registered, registered};
        str_clear(&line);
        soft_line(&line, &key, forms[i] ? HOST : NULL, forms[i] ? forms[i] : "");
        read_key(slice_str(&line), &twin[1]);
        ck_assert_str_eq(keyring_owner(&ring, &twin[1]), "anna");
        ck_assert_int_eq(keyring_set(&ring, "bert", &twin[1], 1, &err), -1);
        err_clear(&err);
        ck_assert_int_eq(keyring_set(&ring, "anna", twin, 2, &err), -1);
        err_clear(&err);
    }
    ck_assert(signature_key(&sig, &seen));
    ck_assert(pubkey_names(&seen, &registered));
    ck_assert(pubkey_demand_verified(&seen));
    pubkey_show(shown, &seen);
    ck_assert(str_ends(shown, " verified"));
    soft_sign(&armor, &other, &soft);
    ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
    ck_assert_uint_eq(keyring_lookup(&ring, &sig, &entry, 1), 0);
    soft.application = "other.example.org"; /* the same point for another page is another key */
    soft_sign(&armor, &key, &soft);
    if (signature_parse(slice_str(&armor), &sig, &err) == 0)
        ck_assert_uint_eq(keyring_lookup(&ring, &sig, &entry, 1), 0);
    keyring_release(&ring);
    str_release(&line);
    str_release(&armor);
    softkey_free(&key);
    softkey_free(&other);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, tools_begin, tools_end);
    tcase_add_test(tc, points);
    tcase_add_test(tc, made_points);
    tcase_add_test(tc, ranges);
    tcase_add_test(tc, rfc6979);
    tcase_add_test(tc, openssh_vectors);
    tcase_add_test(tc, stock_key);
    tcase_add_test(tc, other_curves);
    tcase_add_test(tc, damaged_keys);
    tcase_add_loop_test(tc, judged, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tc, long_client_data);
    tcase_add_test(tc, wire_numbers);
    tcase_add_loop_test(tc, kept, 0, 4);
    tcase_add_loop_test(tc, found_in_ring, 1, 4);
}
TEST_MAIN_TOGETHER("trust/ecdsa", cases)
