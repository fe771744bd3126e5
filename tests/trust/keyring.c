#include "trust/keyring.h"

#include "tools.h"

/* ring/: anna has three keys, bert one of a tool of his own. */
static void ring_begin(void)
{
    tools_begin();
    tools_run("mkdir ring && { echo '# keys of anna'; echo; cat ssh.pub; cat mini.pub signify.pub; } > "
              "ring/anna.pub");
    tools_run(
        "ssh-keygen -q -t ed25519 -N '' -f bert && cp bert.pub ring/bert.pub && cp bert.pub ring/league.pub");
    tools_run("echo notes > ring/README.md; cp ssh ring/secret; : > ring/empty.pub");
}

static void sign_with(const char *command, struct signature *sig)
{
    struct str armor = STR_INIT;
    struct err err = ERR_INIT;
    tools_write("t", slice_of("text"));
    tools_run("rm -f t.sig; %s", command);
    tools_read("t.sig", &armor);
    ck_ok(signature_parse(slice_str(&armor), sig, &err), err);
    str_release(&armor);
}

START_TEST(finds_the_signer)
{
    static const struct {
        const char *command, *player;
    } table[] = {
        {"ssh-keygen -q -Y sign -n " NS_ORDERS " -f ssh t", "anna"},
        {"minisign -S -s mini.sec -m t -x t.sig", "anna"},
        {"signify-openbsd -S -s signify.sec -m t -x t.sig", "anna"},
        {"ssh-keygen -q -Y sign -n " NS_ORDERS " -f bert t", "bert"},
    };
    struct keyring ring;
    struct err err = ERR_INIT;
    struct signature sig;
    const struct keyring_entry *found[4];
    struct pubkey keys[KEYS_PER_PLAYER];
    ck_ok(keyring_load("ring", NULL, &ring, &err), err);
    ck_assert_uint_eq(ring.count, 4);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        sign_with(table[i].command, &sig);
        ck_assert_uint_eq(keyring_lookup(&ring, &sig, found, 4), 1);
        ck_assert_str_eq(found[0]->player, table[i].player);
        ck_ok(signature_verify(&sig, &found[0]->key, NS_ORDERS, slice_of("text"), &err), err);
        ck_assert_uint_eq(keyring_lookup(&ring, &sig, found, 0), 0);
    }
    tools_run("rm -f stranger*; ssh-keygen -q -t ed25519 -N '' -f stranger");
    sign_with("ssh-keygen -q -Y sign -n " NS_ORDERS " -f stranger t", &sig);
    ck_assert_uint_eq(keyring_lookup(&ring, &sig, found, 4), 0);
    ck_assert_uint_eq(keyring_of(&ring, "anna", keys), 3);
    ck_assert_uint_eq(keyring_of(&ring, "bert", keys), 1);
    ck_assert(keyring_has(&ring, "bert", &keys[0]) && !keyring_has(&ring, "anna", &keys[0]));
    ck_assert_uint_eq(keyring_of(&ring, "nobody", keys), 0);
    ck_assert(!keyring_has(&ring, "nobody", &keys[0]));
    keyring_release(&ring);
}
END_TEST

/* Anybody may make a minisign key with another one's number: both are found, only the right one verifies. */
START_TEST(key_numbers_prove_nothing)
{
    struct keyring ring;
    struct err err = ERR_INIT;
    struct signature sig;
    struct pubkey key, double_key;
    struct str line = STR_INIT;
    const struct keyring_entry *found[4];
    tools_key(TOOL_MINISIGN, &key);
    tools_key(TOOL_SIGNIFY, &double_key);
    double_key.kind = KEY_MINISIGN;
    memcpy(double_key.id, key.id, sizeof key.id);
    tools_run("rm -rf twins; mkdir twins; cp mini.pub twins/anna.pub");
    pubkey_format(&line, &double_key);
    tools_write("twins/zoe.pub", slice_str(&line));
    ck_ok(keyring_load("twins", NULL, &ring, &err), err);
    sign_with("minisign -S -s mini.sec -m t -x t.sig", &sig);
    ck_assert_uint_eq(keyring_lookup(&ring, &sig, found, 4), 2);
    ck_assert_str_eq(found[0]->player, "anna");
    ck_ok(signature_verify(&sig, &found[0]->key, NS_ORDERS, slice_of("text"), &err), err);
    ck_assert_int_eq(signature_verify(&sig, &found[1]->key, NS_ORDERS, slice_of("text"), &err), -1);
    keyring_release(&ring);
    str_release(&line);
}
END_TEST

/* Such a file leaves its player without keys, and says why; nobody else is affected. */
static void leaves_out(const char *script, const char *words)
{
    struct keyring ring;
    struct err err = ERR_INIT;
    struct pubkey keys[KEYS_PER_PLAYER];
    tools_run("rm -rf bad; mkdir bad; cp mini.pub bad/zoe.pub; %s", script);
    ck_ok(keyring_load("bad", NULL, &ring, &err), err);
    ck_assert_uint_eq(ring.fault_count, 1);
    ck_assert_msg(strstr(ring.faults[0], words) != NULL, "\"%s\" lacks \"%s\"", ring.faults[0], words);
    ck_assert_uint_eq(ring.count, 1);
    ck_assert_uint_eq(keyring_of(&ring, "zoe", keys), 1);
    ck_assert(!keyring_damaged(&ring, "zoe"));
    ck_assert_uint_eq(ring.damaged_count, 1);
    keyring_release(&ring);
}

START_TEST(bad_files_are_left_out)
{
    leaves_out("{ echo '# x'; echo; echo nonsense; } > bad/anna.pub", "anna.pub line 3");
    leaves_out("printf nonsense > bad/anna.pub", "anna.pub line 1");
    leaves_out("cp ssh.pub 'bad/Anna B.pub'", "name");
    leaves_out("cp ssh bad/anna.pub", "secret key");
    leaves_out("for i in 1 2 3 4 5; do rm -f k k.pub; ssh-keygen -q -t ed25519 -N '' -f k; cat k.pub; done > "
               "bad/anna.pub",
               "line 5: a player has at most 4 keys");
    leaves_out("mkdir bad/anna.pub", "not a plain file");
}
END_TEST

/* What the league itself once wrote makes no league unreadable: it is left out, and reported. */
static void loads(const char *script, size_t entries, const char *fault)
{
    struct keyring ring;
    struct err err = ERR_INIT;
    tools_run("rm -rf bad; mkdir bad; %s", script);
    ck_ok(keyring_load("bad", NULL, &ring, &err), err);
    ck_assert_uint_eq(ring.count, entries);
    ck_assert_uint_eq(ring.fault_count, 1);
    ck_assert_msg(strstr(ring.faults[0], fault) != NULL, "\"%s\" lacks \"%s\"", ring.faults[0], fault);
    keyring_release(&ring);
}

START_TEST(a_point_that_stands_twice_in_a_file_counts_once)
{
    loads("cat ssh.pub ssh.pub > bad/anna.pub", 1, "bad/anna.pub line 2: this key is here twice");
    loads("grep -h RW mini.pub > x; { echo; printf 'minisign '; cat x; printf 'signify '; cat x; cat "
          "ssh.pub; } > "
          "bad/anna.pub; cp bert.pub bad/",
          3, "bad/anna.pub line 3: this key is here twice; a key serves one format");
    loads("{ cat ssh.pub ssh.pub mini.pub signify.pub; printf 'ssh-ed25519 '; cut -d' ' -f2 bert.pub; } > "
          "bad/anna.pub",
          4, "line 2"); /* four are left: those that do not count are no more than may be */
    struct pubkey keys[KEYS_PER_PLAYER];
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    size_t count;
    tools_run("cat ssh.pub ssh.pub > twice.pub");
    tools_read("twice.pub", &text);
    ck_assert_int_eq(keys_parse(slice_str(&text), "twice.pub", keys, &count, &err), -1);
    ck_assert_str_eq(err.text, "twice.pub line 2: this key is here twice; a key serves one format");
    str_release(&text);
}
END_TEST

START_TEST(a_point_in_two_files_counts_for_nobody)
{
    struct keyring ring;
    struct err err = ERR_INIT;
    struct pubkey key, other, keys[KEYS_PER_PLAYER];
    struct signature sig;
    const struct keyring_entry *found[4];
    tools_key(TOOL_SSH, &key);
    tools_key(TOOL_MINISIGN, &other);
    loads("cp ssh.pub bad/anna.pub; cp ssh.pub bad/bert.pub", 2,
          "bad: anna.pub and bert.pub hold the same key");
    loads("cp ssh.pub bad/anna.pub; cat bert.pub ssh.pub > bad/bert.pub; cat ssh.pub mini.pub > bad/carl.pub",
          5, "bad: anna.pub, bert.pub and carl.pub hold the same key");
    ck_ok(keyring_load("bad", NULL, &ring, &err), err);
    ck_assert_uint_eq(keyring_of(&ring, "anna", keys), 0);
    ck_assert_uint_eq(keyring_of(&ring, "bert", keys), 1);
    ck_assert_uint_eq(keyring_of(&ring, "carl", keys), 1);
    ck_assert(pubkey_equal(&keys[0], &other));
    sign_with("ssh-keygen -q -Y sign -n " NS_ORDERS " -f ssh t", &sig);
    ck_assert_uint_eq(keyring_lookup(&ring, &sig, found, 4), 0);
    ck_assert_ptr_nonnull(keyring_owner(&ring, &key)); /* nor may anybody else take it */
    ck_assert_int_eq(keyring_set(&ring, "dora", &key, 1, &err), -1);
    err_clear(&err);
    const struct pubkey twice[] = {other, other};
    ck_assert_int_eq(keyring_set(&ring, "carl", twice, 2, &err), -1);
    err_clear(&err);
    ck_ok(keyring_set(&ring, "carl", &other, 1, &err), err);
    ck_ok(keyring_set(&ring, "bert", NULL, 0, &err), err);
    ck_ok(keyring_set(&ring, "anna", &key, 1, &err), err); /* it is in her file alone now */
    ck_assert_uint_eq(keyring_lookup(&ring, &sig, found, 4), 1);
    ck_assert_str_eq(found[0]->player, "anna");
    keyring_release(&ring);
}
END_TEST

static struct pubkey key_of(int player, int number)
{
    struct pubkey key = {.kind = KEY_SSH};
    key.point[0] = (unsigned char)(7 * player + 101 * number); /* not in the order of names */
    key.point[1] = (unsigned char)player;
    key.point[2] = (unsigned char)number;
    return key;
}

static const char *name_of(char name[16], int player)
{
    (void)snprintf(name, 16, "p%d", player);
    return name;
}

static void give(struct keyring *ring, int player, size_t count)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    struct err err = ERR_INIT;
    char name[16];
    for (size_t i = 0; i < count; i++)
        keys[i] = key_of(player, (int)i);
    ck_ok(keyring_set(ring, name_of(name, player), keys, count, &err), err);
}

/* The keys of each player are theirs, all of them, and in the order of the ring. */
static void check_all(const struct keyring *ring, int players, size_t (*has)(int player))
{
    struct pubkey keys[KEYS_PER_PLAYER];
    char name[16];
    for (int player = 0; player < players; player++) {
        size_t count = keyring_of(ring, name_of(name, player), keys), at = 0;
        ck_assert_uint_eq(count, has(player));
        for (size_t i = 0; i < ring->count; i++)
            if (strcmp(ring->entries[i].player, name) == 0)
                ck_assert(pubkey_equal(&ring->entries[i].key, &keys[at++]));
        ck_assert_uint_eq(at, count);
    }
    ck_assert_uint_eq(keyring_of(ring, "", keys) + keyring_of(ring, "a", keys) + keyring_of(ring, "q", keys),
                      0);
}

static size_t some(int player)
{
    return (size_t)player % (KEYS_PER_PLAYER + 1);
}

static size_t others(int player)
{
    return player % 3 ? some(player) : some(player + 1);
}

START_TEST(each_player_of_many_has_their_keys)
{
    const int players = 150;
    struct keyring ring = {0};
    for (int player = 0; player < players; player++)
        give(&ring, player * 7 % players, some(player * 7 % players));
    check_all(&ring, players, some);
    for (int player = 0; player < players; player += 3)
        give(&ring, player, others(player));
    check_all(&ring, players, others);
    keyring_release(&ring);
}
END_TEST

START_TEST(empty_rings)
{
    struct keyring ring;
    struct err err = ERR_INIT;
    struct signature sig;
    const struct keyring_entry *found[1];
    memset(&sig, 0, sizeof sig);
    ck_ok(keyring_load("no/such/folder", NULL, &ring, &err), err);
    ck_assert_uint_eq(ring.count, 0);
    ck_assert_uint_eq(keyring_lookup(&ring, &sig, found, 1), 0);
    keyring_release(&ring);
}
END_TEST

START_TEST(parses_text)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    struct str text = STR_INIT;
    struct err err = ERR_INIT;
    size_t count;
    tools_read("ring/anna.pub", &text);
    ck_ok(keys_parse(slice_str(&text), "the key text", keys, &count, &err), err);
    ck_assert_uint_eq(count, 3);
    ck_ok(keys_parse(slice_of(""), "nothing", keys, &count, &err), err);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(keys_parse(slice_of("\n\nssh-rsa AAAA\n"), "the key text", keys, &count, &err), -1);
    ck_assert_msg(str_starts(err.text, "the key text line 3: this is an RSA key"), "%s", err.text);
    ck_assert_int_eq(err.code, ERR_INPUT);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, ring_begin, tools_end);
    tcase_add_test(tc, finds_the_signer);
    tcase_add_test(tc, key_numbers_prove_nothing);
    tcase_add_test(tc, bad_files_are_left_out);
    tcase_add_test(tc, a_point_that_stands_twice_in_a_file_counts_once);
    tcase_add_test(tc, a_point_in_two_files_counts_for_nobody);
    tcase_add_test(tc, each_player_of_many_has_their_keys);
    tcase_add_test(tc, empty_rings);
    tcase_add_test(tc, parses_text);
}
TEST_MAIN("trust/keyring", cases)
