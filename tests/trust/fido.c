/* Signatures of FIDO keys, made by the stock ssh-keygen with a software token (data/sk_provider.c). */
#include "trust/signature.h"

#include "kept.h"
#include "tools.h"

static const char text_plain[] = "#turnpost orders\ngame: gc-17\nturn: 5\nbide\n#end\n";

/* Two tokens: one that is touched, one that signs by itself; a key from each application name. */
static void token_begin(void)
{
    tools_begin();
    tools_run("cc -shared -fPIC -o touched.so '%s/tests/trust/data/sk_provider.c' -lsodium", tools_start);
    tools_run(
        "cc -shared -fPIC -DTOKEN_FLAGS=0x00 -o untouched.so '%s/tests/trust/data/sk_provider.c' -lsodium",
        tools_start);
    tools_run("ssh-keygen -q -t ed25519-sk -N '' -w \"$PWD/touched.so\" -f sk");
    tools_run(
        "ssh-keygen -q -t ed25519-sk -N '' -O application=ssh:turnpost -w \"$PWD/touched.so\" -f named");
}

static void read_key(const char *path, struct pubkey *key)
{
    struct str text = STR_INIT;
    struct err err = ERR_INIT;
    bool found;
    tools_read(path, &text);
    struct slice rest = slice_str(&text);
    ck_ok(pubkey_next(&rest, key, &found, &err), err);
    ck_assert(found);
    str_release(&text);
}

static void sign(const char *name, const char *token, struct signature *sig)
{
    struct str armor = STR_INIT;
    struct err err = ERR_INIT;
    tools_write("t", slice_of(text_plain));
    tools_run("rm -f t.sig; SSH_SK_PROVIDER=\"$PWD/%s\" ssh-keygen -q -Y sign -n " NS_ORDERS " -f %s t",
              token, name);
    tools_read("t.sig", &armor);
    ck_ok(signature_parse(slice_str(&armor), sig, &err), err);
    str_release(&armor);
}

START_TEST(touched_token_verifies)
{
    static const char *const names[] = {"sk", "named"};
    static const char *const applications[] = {"ssh:", "ssh:turnpost"};
    struct pubkey key, other;
    struct signature sig;
    struct err err = ERR_INIT;
    struct str line = STR_INIT;
    char path[16], print[KEY_FINGERPRINT];
    (void)snprintf(path, sizeof path, "%s.pub", names[_i]);
    read_key(path, &key);
    ck_assert_int_eq(key.kind, KEY_SSH_SK);
    ck_assert_str_eq(key.application, applications[_i]);
    sign(names[_i], "touched.so", &sig);
    ck_assert_int_eq(sig.kind, KEY_SSH_SK);
    ck_assert_uint_eq(sig.flags, 1);
    ck_assert_uint_eq(sig.counter, 0x01020304);
    ck_ok(signature_verify(&sig, &key, NS_ORDERS, slice_of(text_plain), &err), err);
    json_t *json = signature_json(&sig, &key);
    kept_in_one_form(json);
    json_decref(json);
    ck_assert_int_eq(signature_verify(&sig, &key, NS_ORDERS, slice_of("other"), &err), -1);
    /* Written again it is what ssh-keygen wrote. */
    struct str armor = STR_INIT;
    sshsig_armor(&armor, &sig);
    tools_write("again.sig", slice_str(&armor));
    tools_run("cmp again.sig t.sig");
    str_release(&armor);
    pubkey_format(&line, &key);
    struct slice rest = slice_str(&line);
    bool found;
    err_clear(&err);
    ck_ok(pubkey_next(&rest, &other, &found, &err), err);
    ck_assert(pubkey_equal(&key, &other));
    pubkey_fingerprint(print, &key);
    tools_run("ssh-keygen -l -f %s | grep -F '%s'", path, print);
    str_release(&line);
}
END_TEST

START_TEST(untouched_token_is_refused)
{
    struct pubkey key;
    struct signature sig;
    struct err err = ERR_INIT;
    read_key("sk.pub", &key);
    sign("sk", "untouched.so", &sig);
    ck_assert_uint_eq(sig.flags, 0);
    ck_assert_int_eq(signature_verify(&sig, &key, NS_ORDERS, slice_of(text_plain), &err), -1);
    ck_assert_msg(strstr(err.text, "touched") != NULL, "%s", err.text);
    sig.flags = 1; /* and it cannot be claimed afterwards */
    err_clear(&err);
    ck_assert_int_eq(signature_verify(&sig, &key, NS_ORDERS, slice_of(text_plain), &err), -1);
}
END_TEST

START_TEST(all_fields_are_signed)
{
    struct pubkey key, other;
    struct signature sig, forged;
    struct err err = ERR_INIT;
    read_key("sk.pub", &key);
    sign("sk", "touched.so", &sig);
    forged = sig;
    forged.counter++;
    ck_assert_int_eq(signature_verify(&forged, &key, NS_ORDERS, slice_of(text_plain), &err), -1);
    forged = sig;
    forged.flags |= 4;
    ck_assert_int_eq(signature_verify(&forged, &key, NS_ORDERS, slice_of(text_plain), &err), -1);
    other = key;
    memcpy(other.application, "ssh:x", 6);
    forged = sig;
    forged.key = other;
    ck_assert_int_eq(signature_verify(&forged, &other, NS_ORDERS, slice_of(text_plain), &err), -1);
    /* The same point as a plain key is another key and another format. */
    other = key;
    other.kind = KEY_SSH;

    memset(other.application, 0, sizeof other.application);
    ck_assert_int_eq(signature_verify(&sig, &other, NS_ORDERS, slice_of(text_plain), &err), -1);
    forged = sig;
    forged.kind = KEY_SSH;
    forged.key = other;
    ck_assert_int_eq(signature_verify(&forged, &other, NS_ORDERS, slice_of(text_plain), &err), -1);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, token_begin, tools_end);
    tcase_add_loop_test(tc, touched_token_verifies, 0, 2);
    tcase_add_test(tc, untouched_token_is_refused);
    tcase_add_test(tc, all_fields_are_signed);
}
TEST_MAIN("trust/fido", cases)
