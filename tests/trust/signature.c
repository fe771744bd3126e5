#include "trust/signature.h"

#include "matrix.h"
#include "kept.h"
#include "tools.h"

#include "trust/secret.h"

static const char text_plain[] =
    "#turnpost orders\ngame: gc-17\nturn: 5\n\nexplore near or bide\nbuild\n#end\n";

static int verify(const char *armor, const struct pubkey *key, const char *ns, const char *text,
                  struct err *err)
{
    struct signature sig;
    err_clear(err);
    if (signature_parse(slice_of(armor), &sig, err))
        return -1;
    return signature_verify(&sig, key, ns, slice_of(text), err);
}

static void refuses(const char *armor, const struct pubkey *key, const char *text, const char *words)
{
    struct err err = ERR_INIT;
    ck_assert_int_eq(verify(armor, key, NS_ORDERS, text, &err), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_msg(strstr(err.text, words) != NULL, "\"%s\" lacks \"%s\"", err.text, words);
}

START_TEST(stock_signatures_verify)
{
    enum tool tool = (enum tool)_i;
    struct pubkey key, other;
    struct err err = ERR_INIT;
    struct str armor = STR_INIT;
    tools_key(tool, &key);
    tools_sign(tool, slice_of(text_plain), &armor);
    ck_ok(verify(armor.p, &key, NS_ORDERS, text_plain, &err), err);
    struct signature sig;
    ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
    json_t *json = signature_json(&sig, &key);
    kept_in_one_form(json);
    json_decref(json);
    refuses(armor.p, &key, "#turnpost orders\n#end\n", "does not belong");
    refuses(armor.p, &key, "", "does not belong");
    tools_key(tool == TOOL_SSH ? TOOL_MINISIGN : TOOL_SSH, &other);
    refuses(armor.p, &other, text_plain, "another key");
    tools_sign(tool, slice_of(""), &armor);
    ck_ok(verify(armor.p, &key, NS_ORDERS, "", &err), err);
    str_release(&armor);
}
END_TEST

START_TEST(namespace_and_hash)
{
    struct pubkey key;
    struct err err = ERR_INIT;
    struct str armor = STR_INIT;
    struct signature sig;
    tools_key(TOOL_SSH, &key);
    tools_write("t", slice_of(text_plain));
    tools_run("rm -f t.sig; ssh-keygen -q -Y sign -O hashalg=sha256 -n " NS_ORDERS " -f ssh t");
    tools_read("t.sig", &armor);
    ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
    ck_assert_int_eq(sig.hash, SIG_SHA256);
    ck_ok(signature_verify(&sig, &key, NS_ORDERS, slice_of(text_plain), &err), err);
    tools_run("rm -f t.sig; ssh-keygen -q -Y sign -n file -f ssh t");
    tools_read("t.sig", &armor);
    refuses(armor.p, &key, text_plain, "sign with -n " NS_ORDERS);
    str_release(&armor);
}
END_TEST

START_TEST(legacy_minisign_only_for_signify_keys)
{
    struct pubkey key;
    struct err err = ERR_INIT;
    struct str armor = STR_INIT;
    tools_key(TOOL_MINISIGN, &key);
    tools_write("t", slice_of(text_plain));
    tools_run("minisign -S -l -s mini.sec -m t -x t.minisig");
    tools_read("t.minisig", &armor);
    refuses(armor.p, &key, text_plain, "without -l");
    key.kind = KEY_SIGNIFY;
    ck_ok(verify(armor.p, &key, NS_ORDERS, text_plain, &err), err);
    tools_sign(TOOL_MINISIGN, slice_of(text_plain), &armor);
    refuses(armor.p, &key, text_plain, "minisign RW");
    str_release(&armor);
}
END_TEST

START_TEST(foreign_signatures_are_named)
{
    static const char *const kinds[][2] = {{"-t rsa -b 1024", "an RSA key"},
                                           {"-t ecdsa -b 384", "an ECDSA key"}};
    struct pubkey key;
    struct str armor = STR_INIT;
    tools_key(TOOL_SSH, &key);
    tools_write("t", slice_of(text_plain));
    for (size_t i = 0; i < 2; i++) {
        tools_run("rm -f foreign* t.sig; ssh-keygen -q %s -N '' -f foreign", kinds[i][0]);
        tools_run("ssh-keygen -q -Y sign -n " NS_ORDERS " -f foreign t");
        tools_read("t.sig", &armor);
        refuses(armor.p, &key, text_plain, kinds[i][1]);
        refuses(armor.p, &key, text_plain, "ssh-keygen -t ed25519");
    }
    refuses("-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n", &key, text_plain, "PGP");
    refuses("", &key, text_plain, "no signature");
    refuses("Dear sir,\nRWQ is a name.\n", &key, text_plain, "no signature");
    refuses("untrusted comment: signature from minisign secret key\n", &key, text_plain,
            "missing or damaged");
    str_release(&armor);
}
END_TEST

/* What mail does to the lines of a signature. */
static void wrap(struct str *out, struct slice text, size_t width, const char *quote, const char *eol)
{
    struct slice line;
    while (slice_line(&text, &line)) {
        do {
            str_addf(out, "%s%.*s%s", quote, (int)(line.len < width ? line.len : width), line.p, eol);
            line = slice_sub(line, width, line.len);
        } while (line.len);
    }
}

START_TEST(damaged_armor_is_read)
{
    static const struct {
        size_t width;
        const char *quote, *eol;
    } table[] = {{200, "", "\r\n"},
                 {72, "", "\n"},
                 {76, "> ", "\n"},
                 {40, ">> ", "\r\n"},
                 {50, "  ", " \n"},
                 {72, "", "\n\n"},
                 {30, "\xC2\xA0", "\xC2\xA0\n"},
                 {200, "", "\r\r\n"}};
    enum tool tool = (enum tool)_i;
    struct pubkey key;
    struct err err = ERR_INIT;
    struct str armor = STR_INIT;
    struct str damaged = STR_INIT;
    tools_key(tool, &key);
    tools_sign(tool, slice_of(text_plain), &armor);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        str_clear(&damaged);
        str_adds(&damaged, "Hello,\n\nhere it is:\n");
        wrap(&damaged, slice_str(&armor), table[i].width, table[i].quote, table[i].eol);
        str_adds(&damaged, "\n-- \nJohn\n");
        ck_assert_msg(verify(damaged.p, &key, NS_ORDERS, text_plain, &err) == 0, "row %zu: %s", i, err.text);
    }
    if (tool != TOOL_SSH) { /* all the comments lost */
        struct slice rest = slice_str(&armor);
        struct slice line;
        (void)slice_line(&rest, &line);
        (void)slice_line(&rest, &line);
        char *alone = slice_dup(line);
        ck_ok(verify(alone, &key, NS_ORDERS, text_plain, &err), err);
        alone[80] = '\0';
        refuses(alone, &key, text_plain, "cut or damaged");
        free(alone);
    } else {
        armor.p[armor.len / 2] = '\0';
        refuses(armor.p, &key, text_plain, "cut or damaged");
    }
    str_release(&damaged);
    str_release(&armor);
}
END_TEST

static bool same_signature(const struct signature *a, const struct signature *b)
{
    return pubkey_equal(&a->key, &b->key) && strcmp(a->ns, b->ns) == 0 && a->hash == b->hash &&
           a->prehashed == b->prehashed && memcmp(a->sig, b->sig, sizeof a->sig) == 0 &&
           a->flags == b->flags && a->counter == b->counter;
}

/* Every changed bit of the armor: nothing verifies, or the bit was in bytes that carry nothing (comments,
 * line ends, dashes) and what was read is the same signature. */
START_TEST(changed_armor)
{
    enum tool tool = (enum tool)_i;
    struct pubkey key;
    struct err err = ERR_INIT;
    struct signature want, got;
    struct str armor = STR_INIT;
    size_t ignored = 0;
    tools_key(tool, &key);
    tools_sign(tool, slice_of(text_plain), &armor);
    ck_ok(signature_parse(slice_str(&armor), &want, &err), err);
    for (size_t bit = 0; bit < 8 * armor.len; bit++) {
        char *p = &armor.p[bit / 8];
        *p = (char)(*p ^ (1 << bit % 8));
        matrix.changes++;
        err_clear(&err);
        if (signature_parse(slice_str(&armor), &got, &err) == 0 &&
            signature_verify(&got, &key, NS_ORDERS, slice_of(text_plain), &err) == 0) {
            ignored++;
            if (tool != TOOL_SSH) /* the look of it is a comment's */
                got.key.kind = want.key.kind;
            ck_assert(same_signature(&want, &got));
        }
        *p = (char)(*p ^ (1 << bit % 8));
    }
    ck_assert_uint_lt(ignored, 8 * armor.len);
    str_release(&armor);
}
END_TEST

START_TEST(changed_text_and_key)
{
    enum tool tool = (enum tool)_i;
    struct pubkey key, other;
    struct err err = ERR_INIT;
    struct signature sig;
    struct str armor = STR_INIT;
    struct str text = STR_INIT;
    tools_key(tool, &key);
    tools_sign(tool, slice_of(text_plain), &armor);
    ck_ok(signature_parse(slice_str(&armor), &sig, &err), err);
    str_adds(&text, text_plain);
    for (size_t bit = 0; bit < 8 * text.len; bit++) {
        text.p[bit / 8] = (char)(text.p[bit / 8] ^ (1 << bit % 8));
        matrix.changes++;
        ck_assert_int_eq(signature_verify(&sig, &key, NS_ORDERS, slice_str(&text), &err), -1);
        text.p[bit / 8] = (char)(text.p[bit / 8] ^ (1 << bit % 8));
    }
    for (size_t bit = 0; bit < 8 * sizeof key.point; bit++) {
        other = key;
        other.point[bit / 8] = (unsigned char)(other.point[bit / 8] ^ (1 << bit % 8));
        ck_assert_int_eq(signature_verify(&sig, &other, NS_ORDERS, slice_of(text_plain), &err), -1);
        struct signature forged = sig; /* also when the signature brings the changed key along */
        if (tool == TOOL_SSH)
            forged.key = other;
        ck_assert_int_eq(signature_verify(&forged, &other, NS_ORDERS, slice_of(text_plain), &err), -1);
        matrix.changes++;
    }
    for (size_t bit = 0; bit < 8 * sizeof sig.sig; bit++) {
        struct signature forged = sig;
        forged.sig[bit / 8] = (unsigned char)(forged.sig[bit / 8] ^ (1 << bit % 8));
        ck_assert_int_eq(signature_verify(&forged, &key, NS_ORDERS, slice_of(text_plain), &err), -1);
        matrix.changes++;
    }
    str_release(&armor);
    str_release(&text);
}
END_TEST

/* What a hostile sender may write into the blob. */
START_TEST(hostile_blobs)
{
    static const char *const armors[] = {
        "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n",
        "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n",
        "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAf////8=\n-----END SSH SIGNATURE-----\n",
        "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAg==\n-----END SSH SIGNATURE-----\n",
        "-----BEGIN SSH SIGNATURE-----\n====\n-----END SSH SIGNATURE-----\n",
        "-----BEGIN SSH SIGNATURE-----",
    };
    struct pubkey key;
    tools_key(TOOL_SSH, &key);
    for (size_t i = 0; i < sizeof armors / sizeof *armors; i++)
        refuses(armors[i], &key, text_plain, "SSH signature");
}
END_TEST

static void end(void)
{
    tools_end();
    matrix_end();
    /* In processes of their own, as without MATRIX, the cases cannot count together. */
    ck_assert(!matrix.on || matrix.changes >= 10000);
}

static void cases(TCase *tc)
{
    matrix_begin();
    tcase_add_unchecked_fixture(tc, tools_begin, end);
    tcase_add_loop_test(tc, stock_signatures_verify, 0, TOOLS);
    tcase_add_test(tc, namespace_and_hash);
    tcase_add_test(tc, legacy_minisign_only_for_signify_keys);
    tcase_add_test(tc, foreign_signatures_are_named);
    tcase_add_loop_test(tc, damaged_armor_is_read, 0, TOOLS);
    tcase_add_loop_test(tc, changed_armor, 0, TOOLS);
    tcase_add_loop_test(tc, changed_text_and_key, 0, TOOLS);
    tcase_add_test(tc, hostile_blobs);
}
TEST_MAIN_TOGETHER("trust/signature", cases)
