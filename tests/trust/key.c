#include "trust/key.h"

#include "tools.h"

#include "base/encode.h"
#include "base/mem.h"

static int parse(const char *text, struct pubkey *key, struct err *err)
{
    struct slice rest = slice_of(text);
    bool found = false;
    err_clear(err);
    int rc = pubkey_next(&rest, key, &found, err);
    if (!rc && !found)
        rc = err_set(err, ERR_MISSING, "nothing found");
    return rc;
}

static void refuses(const char *text, const char *words)
{
    struct pubkey key;
    struct err err = ERR_INIT;
    ck_assert_msg(parse(text, &key, &err) == -1, "taken: %s", text);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_msg(strstr(err.text, words) != NULL, "\"%s\" lacks \"%s\"", err.text, words);
}

START_TEST(keys_of_all_tools)
{
    static const enum key_kind kinds[TOOLS] = {KEY_SSH, KEY_MINISIGN, KEY_SIGNIFY};
    struct pubkey key, back;
    struct err err = ERR_INIT;
    struct str line = STR_INIT;
    tools_key((enum tool)_i, &key);
    ck_assert_int_eq(key.kind, kinds[_i]);
    pubkey_format(&line, &key);
    ck_ok(parse(line.p, &back, &err), err);
    ck_assert(pubkey_equal(&key, &back));
    str_adds(&line, " a comment\r\n");
    ck_ok(parse(line.p, &back, &err), err);
    ck_assert(pubkey_equal(&key, &back));
    str_release(&line);
}
END_TEST

START_TEST(fingerprints_are_the_tools_own)
{
    struct pubkey key;
    struct str seen = STR_INIT;
    char print[KEY_FINGERPRINT];
    tools_key(TOOL_SSH, &key);
    pubkey_fingerprint(print, &key);
    tools_run("ssh-keygen -l -f ssh.pub > print");
    tools_read("print", &seen);
    ck_assert(str_starts(print, "SHA256:"));
    ck_assert_msg(strstr(seen.p, print) != NULL, "%s is not in %s", print, seen.p);
    tools_key(TOOL_MINISIGN, &key);
    pubkey_fingerprint(print, &key);
    ck_assert(str_starts(print, "minisign:"));
    tools_read("mini.pub", &seen);
    ck_assert_msg(strstr(seen.p, print + 9) != NULL, "%s is not in %s", print, seen.p);
    tools_key(TOOL_SIGNIFY, &key);
    pubkey_fingerprint(print, &key);
    ck_assert(str_starts(print, "signify:"));
    ck_assert_uint_eq(strlen(print), 8 + 16);
    key = (struct pubkey){.kind = KEY_MINISIGN, .id = {0x1F, 0xAB, 0x09}};
    pubkey_fingerprint(print, &key);
    ck_assert_str_eq(print, "minisign:9AB1F");
    str_release(&seen);
}
END_TEST

START_TEST(numbered_keys_by_word_and_comment)
{
    struct pubkey key;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct slice rest, line, base64 = {NULL, 0};
    tools_read("mini.pub", &text);
    rest = slice_str(&text);
    while (slice_line(&rest, &line))
        base64 = line;
    char *word = slice_dup(base64);
    static const struct {
        const char *before;
        enum key_kind kind;
    } table[] = {
        {"", KEY_MINISIGN},
        {"minisign ", KEY_MINISIGN},
        {"minisign:", KEY_MINISIGN},
        {"signify:", KEY_SIGNIFY},
        {"signify \t", KEY_SIGNIFY},
        {"# mine\n\n  ", KEY_MINISIGN},
        {"\xEF\xBB\xBFuntrusted comment: minisign public key E592\n", KEY_MINISIGN},
        {"untrusted comment: alice public key\r\n", KEY_SIGNIFY},
        {"untrusted comment: my own words\n", KEY_MINISIGN},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char line_text[256];
        (void)snprintf(line_text, sizeof line_text, "%s%s\n", table[i].before, word);
        ck_ok(parse(line_text, &key, &err), err);
        ck_assert_msg(key.kind == table[i].kind, "row %zu", i);
    }
    free(word);
    str_release(&text);
}
END_TEST

START_TEST(walks_over_a_file)
{
    struct str text = STR_INIT;
    struct slice rest;
    struct pubkey key;
    struct err err = ERR_INIT;
    bool found;
    tools_run("{ echo '# keys'; cat ssh.pub; echo; cat mini.pub signify.pub; } > all");
    tools_read("all", &text);
    rest = slice_str(&text);
    for (int i = 0; i < 3; i++) {
        ck_ok(pubkey_next(&rest, &key, &found, &err), err);
        ck_assert(found);
    }
    ck_ok(pubkey_next(&rest, &key, &found, &err), err);
    ck_assert(!found);
    ck_assert_uint_eq(rest.len, 0);
    str_release(&text);
}
END_TEST

START_TEST(foreign_keys_are_named)
{
    static const char *const table[][2] = {
        {"-t rsa -b 1024", "an RSA key"},
        {"-t ecdsa -b 384", "an ECDSA key"},
    };
    struct str text = STR_INIT;
    for (size_t i = 0; i < 2; i++) {
        tools_run("rm -f foreign*; ssh-keygen -q %s -N '' -f foreign", table[i][0]);
        tools_read("foreign.pub", &text);
        refuses(text.p, table[i][1]);
        refuses(text.p, "ssh-keygen -t ed25519");
        tools_run("ssh-keygen -e -f foreign.pub > rfc4716");
        tools_read("rfc4716", &text);
        refuses(text.p, "ssh-keygen -i");
    }
    refuses("sk-ecdsa-sha2-nistp256@openssh.com AAAA", "damaged");
    refuses("ssh-dss AAAA", "a DSA key");
    refuses("ssh-ed25519-cert-v01@openssh.com AAAA", "a certificate");
    refuses("alice ssh-rsa AAAA", "an RSA key");
    refuses("-----BEGIN PGP PUBLIC KEY BLOCK-----", "PGP");
    str_release(&text);
}
END_TEST

START_TEST(secrets_and_nonsense_are_refused)
{
    struct str text = STR_INIT;
    tools_read("ssh", &text);
    refuses(text.p, "secret key");
    tools_read("mini.sec", &text);
    refuses(text.p, "secret key");
    tools_read("signify.sec", &text);
    refuses(text.p, "secret key");
    tools_sign(TOOL_MINISIGN, slice_of("x"), &text);
    refuses(strchr(text.p, '\n') + 1, "a signature and not a public key");
    tools_read("ssh.pub", &text);
    char *line = mem_strdup(text.p);
    str_clear(&text);
    str_addf(&text, "alice %s", line);
    refuses(text.p, "in front of the key");
    str_clear(&text);
    str_addf(&text, "restrict,no-pty %s", line);
    refuses(text.p, "in front of the key");
    line[40] = '\0';
    refuses(line, "ssh-ed25519");
    free(line);
    refuses("ssh-ed25519", "nothing follows");
    refuses("ssh-ed25519 ????", "damaged");
    refuses("untrusted comment: minisign public key\n", "missing");
    refuses("hello", "no public key");
    refuses("RWQhello", "never send");
    refuses("RWQhell", "56 characters");
    str_release(&text);
}
END_TEST

/* The points of order 1, 2, 4 and 8, one that is not on the curve, and ones that are written non-canonically.
 */
START_TEST(unsafe_points_are_refused)
{
    static const char *const points[] = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "0200000000000000000000000000000000000000000000000000000000000000",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    };
    static const enum key_kind kinds[] = {KEY_SSH, KEY_SSH_SK, KEY_MINISIGN, KEY_SIGNIFY};
    struct str line = STR_INIT;
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct pubkey key = {.kind = kinds[k]};
            if (kinds[k] == KEY_SSH_SK)
                memcpy(key.application, "ssh:", 5);
            ck_assert(hex_decode(key.point, sizeof key.point, slice_of(points[p])));
            str_clear(&line);
            pubkey_format(&line, &key);
            refuses(line.p, "not a safe point");
        }
    }
    str_release(&line);
}
END_TEST

/* Every changed bit of a key is refused or makes another key. */
START_TEST(changed_keys_are_other_keys)
{
    struct str text = STR_INIT;
    struct pubkey key, other;
    struct err err = ERR_INIT;
    static const char *const files[] = {"ssh.pub", "mini.pub", "signify.pub"};
    tools_read(files[_i], &text);
    tools_key((enum tool)_i, &key);
    struct slice rest = slice_str(&text);
    struct slice line = {NULL, 0};
    struct slice word = {NULL, 0};
    while (slice_line(&rest, &line))
        word = line;
    if (_i == TOOL_SSH) {
        (void)slice_word(&line, &word);
        (void)slice_word(&line, &word);
    }
    size_t from = (size_t)(word.p - text.p);
    size_t same = 0;
    for (size_t at = from; at < from + word.len; at++) {
        for (int bit = 0; bit < 8; bit++) {
            text.p[at] = (char)(text.p[at] ^ (1 << bit));
            if (parse(text.p, &other, &err) == 0)
                same += pubkey_equal(&key, &other);
            text.p[at] = (char)(text.p[at] ^ (1 << bit));
        }
    }
    ck_assert_uint_eq(same, 0);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, tools_begin, tools_end);
    tcase_add_loop_test(tc, keys_of_all_tools, 0, TOOLS);
    tcase_add_test(tc, fingerprints_are_the_tools_own);
    tcase_add_test(tc, numbered_keys_by_word_and_comment);
    tcase_add_test(tc, walks_over_a_file);
    tcase_add_test(tc, foreign_keys_are_named);
    tcase_add_test(tc, secrets_and_nonsense_are_refused);
    tcase_add_test(tc, unsafe_points_are_refused);
    tcase_add_loop_test(tc, changed_keys_are_other_keys, 0, TOOLS);
}
TEST_MAIN_TOGETHER("trust/key", cases)
