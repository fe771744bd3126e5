#include "trust/secret.h"

#include <sodium.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/private.h"
#include "tools.h"

START_TEST(ssh_keygen_reads_ours)
{
    struct secret secret, back;
    struct pubkey key;
    struct str line = STR_INIT;
    struct str seen = STR_INIT;
    struct err err = ERR_INIT;
    /* comments of all lengths: the padding runs through 0..7 */
    static const char *const comments[] = {"",      "a",      "ab",         "abc",     "abcd",
                                           "abcde", "abcdef", "league key", "12345678"};
    secret_new(&secret);
    (void)unlink("ours");
    (void)unlink("ours.pub");
    ck_ok(secret_save("ours", &secret, comments[_i], true, &err), err);
    struct stat st;
    ck_assert_int_eq(stat("ours", &st), 0);
    ck_assert_uint_eq(st.st_mode & 07777, 0600);
    tools_run("ssh-keygen -y -P '' -f ours > seen");
    tools_read("seen", &seen);
    secret_public(&secret, &key);
    pubkey_format(&line, &key);
    ck_assert_msg(str_starts(seen.p, line.p), "%s is not %s", seen.p, line.p);
    tools_read("ours.pub", &seen);
    ck_assert(str_starts(seen.p, line.p));
    ck_ok(secret_load("ours", &back, &err), err);
    ck_assert_mem_eq(back.key, secret.key, sizeof secret.key);
    ck_assert_mem_eq(back.point, secret.point, sizeof secret.point);
    str_release(&line);
    str_release(&seen);
}
END_TEST

START_TEST(we_read_ssh_keygens)
{
    struct secret secret;
    struct pubkey key, want;
    struct err err = ERR_INIT;
    ck_ok(secret_load("ssh", &secret, &err), err);
    secret_public(&secret, &key);
    tools_key(TOOL_SSH, &want);
    ck_assert(pubkey_equal(&key, &want));
    secret_wipe(&secret);
    ck_assert(sodium_is_zero((const unsigned char *)&secret, sizeof secret));
}
END_TEST

START_TEST(stock_tool_verifies_ours)
{
    struct secret secret;
    struct err err = ERR_INIT;
    struct str armor = STR_INIT;
    static char big[70000];
    memset(big, 'x', sizeof big);
    const struct slice texts[] = {
        slice_of("#turnpost orders\ngame: gc-17\n#end\n"), slice_of(""), {big, sizeof big}};
    ck_ok(secret_load("ssh", &secret, &err), err);
    tools_run("printf 'league %%s\\n' \"$(cat ssh.pub)\" > allowed");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        str_clear(&armor);
        sshsig_sign(&armor, secret.key, NS_ORDERS, texts[i]);
        tools_write("head.sig", slice_str(&armor));
        tools_write("head", texts[i]);
        tools_run("ssh-keygen -Y verify -f allowed -I league -n " NS_ORDERS " -s head.sig < head");
        ck_assert_int_ne(
            tools_try("ssh-keygen -Y verify -f allowed -I league -n " NS_KEY " -s head.sig < head"), 0);
    }
    /* The armor is the stock tool's, byte by byte: Ed25519 is deterministic. */
    struct str theirs = STR_INIT;
    tools_sign(TOOL_SSH, texts[0], &theirs);
    str_clear(&armor);
    sshsig_sign(&armor, secret.key, NS_ORDERS, texts[0]);
    ck_assert_str_eq(armor.p, theirs.p);
    str_release(&theirs);
    str_release(&armor);
}
END_TEST

static void refuses(const char *path, enum err_code code, const char *words)
{
    struct secret secret;
    struct err err = ERR_INIT;
    ck_assert_msg(secret_load(path, &secret, &err) == -1, "taken: %s", path);
    ck_assert_msg(strstr(err.text, words) != NULL, "\"%s\" lacks \"%s\"", err.text, words);
    ck_assert_int_eq(err.code, code);
    ck_assert(sodium_is_zero((const unsigned char *)&secret, sizeof secret));
}

START_TEST(refuses_with_a_reason)
{
    refuses("nothing", ERR_MISSING, "nothing");
    refuses("/", ERR_CONFIG, "not a plain file");
    tools_run("cp ssh loose; chmod 640 loose");
    refuses("loose", ERR_CONFIG, "chmod 600");
    tools_run("chmod 604 loose");
    refuses("loose", ERR_CONFIG, "chmod 600");
    tools_run("rm -f locked*; ssh-keygen -q -t ed25519 -a 1 -N 'pass word' -f locked");
    refuses("locked", ERR_CONFIG, "passphrase");
    tools_run("rm -f rsa*; ssh-keygen -q -t rsa -b 1024 -N '' -f rsa");
    refuses("rsa", ERR_CONFIG, "not an Ed25519 key");
    tools_run("cp ssh.pub notsecret; chmod 600 notsecret");
    refuses("notsecret", ERR_CONFIG, "ssh-keygen -t ed25519");
    tools_run("umask 077; head -3 ssh > cut");
    refuses("cut", ERR_CONFIG, "no secret key");
    tools_run("umask 077; : > empty");
    refuses("empty", ERR_CONFIG, "no secret key");
}
END_TEST

/* The owner of a file can change it, whatever its mode is. */
START_TEST(of_nobody_else)
{
    struct secret secret;
    struct err err = ERR_INIT;
    tools_run("cp ssh theirs; chmod 600 theirs");
    if (geteuid() != 0) {
        puts("not run: files that belong to another user, as only root can give them away");
        return;
    }
    ck_assert_int_eq(chown("theirs", 65534, 65534), 0);
    refuses("theirs", ERR_CONFIG, "theirs belongs to another user (number 65534)");
    refuses("theirs", ERR_CONFIG, "or: chown 0 theirs");
    ck_assert_int_eq(chown("theirs", 0, 0), 0);
    ck_ok(secret_load("theirs", &secret, &err), err);
}
END_TEST

/* In a process of its own, before which nothing has been read. */
START_TEST(who_reads_a_key_leaves_no_core)
{
    struct secret secret;
    struct err err = ERR_INIT;
    struct rlimit limit;
    ck_ok(secret_load("ssh", &secret, &err), err);
    ck_assert_int_eq(getrlimit(RLIMIT_CORE, &limit), 0);
    ck_assert_uint_eq(limit.rlim_cur, 0);
    ck_assert_uint_eq(limit.rlim_max, 0);
    ck_assert_int_eq(prctl(PR_GET_DUMPABLE), SANITIZED ? 1 : 0);
}
END_TEST

static long locked_kb(void)
{
    char line[256];
    long kb = -1;
    FILE *f = fopen("/proc/self/status", "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof line, f))
        if (strncmp(line, "VmLck:", 6) == 0)
            kb = strtol(line + 6, NULL, 10);
    (void)fclose(f);
    return kb;
}

/* With and without the right to lock memory: 0 is what a strict host allows. */
START_TEST(keys_are_locked_in_memory_where_that_may_be)
{
    static unsigned char key[128];
    const struct rlimit none = {0, 0};
    memset(key, 7, sizeof key);
    if (_i) {
        ck_assert_int_eq(setrlimit(RLIMIT_MEMLOCK, &none), 0);
        ck_assert(geteuid() != 0 || setuid(65534) == 0); /* root may lock whatever it likes */
    }
    private_lock(key, sizeof key);
    ck_assert_uint_eq(key[5], 7);
    if (_i == 0 && !SANITIZED) /* a sanitizer locks nothing */
        ck_assert_int_gt(locked_kb(), 0);
    private_unlock(key, sizeof key);
    ck_assert_int_eq(locked_kb(), 0);
    ck_assert(sodium_is_zero(key, sizeof key));
}
END_TEST

START_TEST(never_overwrites)
{
    struct secret secret;
    struct err err = ERR_INIT;
    struct str before = STR_INIT;
    struct str after = STR_INIT;
    secret_new(&secret);
    tools_read("ssh", &before);
    ck_assert_int_eq(secret_save("ssh", &secret, "", false, &err), -1);
    err_clear(&err);
    tools_write("half.pub", slice_of("x"));
    ck_assert_int_eq(secret_save("half", &secret, "", true, &err), -1);
    ck_assert(!file_exists("half"));
    err_clear(&err);
    ck_assert_int_eq(secret_save("line", &secret, "two\nlines", true, &err), -1);
    ck_assert(!file_exists("line"));
    tools_read("ssh", &after);
    ck_assert_str_eq(before.p, after.p);
    str_release(&before);
    str_release(&after);
}
END_TEST

/* One-byte changes of the file: refused, or the same key (the comment, the check numbers and the outer public
 * key are not of it). In the short form each byte by two or three of its bits. */
START_TEST(changed_files)
{
    struct str text = STR_INIT;
    struct secret want, got;
    struct err err = ERR_INIT;
    ck_ok(secret_load("ssh", &want, &err), err);
    tools_read("ssh", &text);
    size_t taken = 0;
    for (size_t at = 0; at < text.len; at++) {
        for (int bit = FEW ? (int)(at % 3) * 3 + _i : _i; bit < 8; bit += FEW ? 8 : 3) {
            text.p[at] = (char)(text.p[at] ^ (1 << bit));
            (void)unlink("changed");
            err_clear(&err);
            ck_ok(file_create("changed", slice_str(&text), 0600, &err), err);
            if (secret_load("changed", &got, &err) == 0) {
                taken++;
                ck_assert_mem_eq(got.key, want.key, sizeof want.key);
            }
            text.p[at] = (char)(text.p[at] ^ (1 << bit));
        }
    }
    ck_assert_uint_lt(taken, text.len);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, tools_begin, tools_end);
    tcase_add_loop_test(tc, ssh_keygen_reads_ours, 0, 9);
    tcase_add_test(tc, we_read_ssh_keygens);
    tcase_add_test(tc, stock_tool_verifies_ours);
    tcase_add_test(tc, refuses_with_a_reason);
    tcase_add_test(tc, of_nobody_else);
    tcase_add_test(tc, who_reads_a_key_leaves_no_core);
    tcase_add_loop_test(tc, keys_are_locked_in_memory_where_that_may_be, 0, 2);
    tcase_add_test(tc, never_overwrites);
    tcase_add_loop_test(tc, changed_files, 0, 3);
}
TEST_MAIN("trust/secret", cases)
