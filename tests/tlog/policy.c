/* Policies: who has to agree, as files say it, and what they say when something is wrong. */
#include "tlog/made.h"

static void add_line(struct str *out, const char *words, const char *name, enum vkey_type type)
{
    struct made_key key;
    make_key(&key, name, type);
    str_addf(out, "%s ", words);
    vkey_write(out, &key.key);
    str_addc(out, '\n');
}

/* The example of c2sp.org/tlog-policy. */
static void example(struct str *out)
{
    static const char *const names[] = {"X1", "X2", "X3", "Y1", "Y2", "Y3"};
    str_adds(out, "# two organisations\n");
    add_line(out, "log", LOG_NAME, VKEY_SIGNER);
    for (int i = 0; i < 6; i++) {
        char words[32], name[32];
        (void)snprintf(words, sizeof words, " \twitness\t %s ", names[i]);
        (void)snprintf(name, sizeof name, "%s.example/w", names[i]);
        add_line(out, words, name, VKEY_COSIGNER);
    }
    str_adds(out, "group X-witnesses 2 X1 X2 X3\n"
                  "\n"
                  "group Y-witnesses any Y1 Y2 Y3\n"
                  " \t\n"
                  "group X-and-Y all X-witnesses Y-witnesses\n"
                  "quorum X-and-Y\n");
}

/* Which of the six cosigned, a bit each; they did so at 1000 + number. Gives when that was enough, or 0. */
static int64_t enough(const struct policy *policy, int who)
{
    static const char *const names[] = {"X1", "X2", "X3", "Y1", "Y2", "Y3"};
    struct made_log *log = make_log(5);
    struct str note = STR_INIT;
    struct checkpoint checkpoint;
    struct policy_seen seen;
    struct err err = ERR_INIT;
    made_note(log, 5, &note);
    for (int i = 0; i < 6; i++) {
        struct made_key key;
        char name[32];
        (void)snprintf(name, sizeof name, "%s.example/w", names[i]);
        make_key(&key, name, VKEY_COSIGNER);
        if (who >> i & 1)
            made_cosign(&note, &key, 1000 + i);
    }
    ck_ok(policy_verify(policy, slice_str(&note), &checkpoint, &seen, &err), err);
    ck_assert_int_eq(checkpoint.size, 5);
    ck_assert_int_eq(seen.count, __builtin_popcount((unsigned)who));
    ck_assert_int_eq(seen.quorum, seen.enough > 0);
    str_release(&note);
    free(log);
    return seen.enough;
}

START_TEST(groups_of_groups)
{
    struct str text = STR_INIT;
    struct policy policy;
    struct err err = ERR_INIT;
    example(&text);
    ck_ok(policy_parse(slice_str(&text), "league.policy", &policy, &err), err);
    for (int who = 0; who < 64; who++) {
        int x = __builtin_popcount(who & 7), y = who >> 3;
        int64_t when = enough(&policy, who);
        ck_assert_int_eq(when > 0, x >= 2 && y > 0);
        if (when) /* the second X is always before the first Y */
            ck_assert_int_eq(when, 1003 + __builtin_ctz((unsigned)y));
    }
    str_release(&text);
}
END_TEST

START_TEST(written_again_it_is_the_same)
{
    struct str text = STR_INIT, written = STR_INIT, again = STR_INIT;
    struct policy policy, other;
    struct err err = ERR_INIT;
    example(&text);
    ck_ok(policy_parse(slice_str(&text), "league.policy", &policy, &err), err);
    (void)snprintf(policy.log[0].url, POLICY_URL, "https://orion.example/log/");
    (void)snprintf(policy.witness[5].url, POLICY_URL, "https://y3.example/");
    policy_write(&written, &policy);
    ck_ok(policy_parse(slice_str(&written), "league.policy", &other, &err), err);
    policy_write(&again, &other);
    ck_assert_str_eq(again.p, written.p);
    ck_assert_str_eq(other.log[0].url, "https://orion.example/log/");
    ck_assert_str_eq(other.witness[5].url, "https://y3.example/");
    ck_assert(slice_find(slice_str(&written),
                         "\ngroup X-and-Y 2 X-witnesses Y-witnesses\nquorum X-and-Y\n") != (size_t)-1);
    policy_need(&policy, 4);
    str_clear(&written);
    policy_write(&written, &policy);
    ck_assert(slice_find(slice_str(&written), "\ngroup quorum 4 X1 X2 X3 Y1 Y2 Y3\nquorum quorum\n") !=
              (size_t)-1);
    policy_need(&policy, 0);
    str_clear(&written);
    policy_write(&written, &policy);
    ck_assert(slice_find(slice_str(&written), "\nquorum none\n") != (size_t)-1);
    ck_ok(policy_parse(slice_str(&written), "league.policy", &other, &err), err);
    ck_assert_int_eq(other.quorum, POLICY_NONE);
    str_release(&text);
    str_release(&written);
    str_release(&again);
}
END_TEST

/* What stands after the example's witnesses, and what is said of it. */
static const struct {
    const char *lines, *error;
} wrong[] = {
    {"", "league.policy has no line \"quorum\"; add one with a group, a witness or none"},
    {"quorum none", "league.policy, line 9: the file ends within a line; it may have been cut off"},
    {"quorum none\nquorum none\n",
     "league.policy, line 10: there is a second quorum; take one of the two lines out"},
    {"quorum\n", "league.policy, line 9: after \"quorum\" comes the name of a witness or group, or none"},
    {"quorum Z\n", "league.policy, line 9: no line before this one has a witness or group Z"},
    {"quorum X1 X2\n", "league.policy, line 9: there is more in this line than belongs there, from X2 on"},
    {"group g 2 X1 Z\n", "league.policy, line 9: no line before this one has a witness or group Z"},
    {"group g 2 X1 none\n", "league.policy, line 9: no line before this one has a witness or group none"},
    {"group g 2 X1 g\n", "league.policy, line 9: no line before this one has a witness or group g"},
    {"group g 2 X1\n", "league.policy, line 9: the group has fewer members than must agree; add some"},
    {"group g all\n", "league.policy, line 9: the group has fewer members than must agree; add some"},
    {"group g 0 X1\n",
     "league.policy, line 9: after the group's name comes how many must agree: a number, any or all"},
    {"group g 01 X1\n",
     "league.policy, line 9: after the group's name comes how many must agree: a number, any or all"},
    {"group g\n",
     "league.policy, line 9: after the group's name comes how many must agree: a number, any or all"},
    {"group\n", "league.policy, line 9: a name of 1 to 63 bytes is missing"},
    {"group g 1 X1 X1\n", "league.policy, line 9: X1 is in a group already, and may be in one only"},
    {"group g 1 X1\ngroup h 1 X1\n",
     "league.policy, line 10: X1 is in a group already, and may be in one only"},
    {"group X1 1 X2\n", "league.policy, line 9: the name X1 is taken; choose another one"},
    {"group none 1 X2\n", "league.policy, line 9: the name none is taken; choose another one"},
    {"witness Z\n",
     "league.policy, line 9: the key is missing; write NAME+ID+KEY, as the log or the witness shows it"},
    {"witness Z foo\n",
     "league.policy, line 9: a key is written NAME+ID+KEY, as the log or the witness shows it"},
    {"witness Z example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k\n",
     "league.policy, line 9: this is the key of a log, and a witness's is needed"},
    {"log example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k\n",
     "league.policy, line 9: the key of example.com/foo has been changed: its ID is another one"},
    {"policy\n", "league.policy, line 9: a line begins with log, witness, group, quorum or #"},
    {"quorum none\r\n", "league.policy, line 9: a control character is in this line; write it anew"},
    {"# \xFF\n", "league.policy, line 9: this line is not UTF-8; write it anew"},
};

START_TEST(what_is_wrong)
{
    struct str text = STR_INIT;
    struct policy policy;
    struct err err = ERR_INIT;
    example(&text);
    str_cut(&text, slice_find(slice_str(&text), "group"));
    str_adds(&text, wrong[_i].lines);
    ck_assert(policy_parse(slice_str(&text), "league.policy", &policy, &err) != 0);
    ck_assert_str_eq(err.text, wrong[_i].error);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    str_release(&text);
}
END_TEST

/* One key under two names would count twice. */
START_TEST(keys_stand_there_once)
{
    struct str text = STR_INIT;
    struct policy policy;
    struct err err = ERR_INIT;
    struct made_key key;
    struct vkey other;
    make_key(&key, "X1.example/w", VKEY_COSIGNER);
    vkey_make(&other, slice_of("z.example/w"), VKEY_COSIGNER, key.key.public);
    example(&text);
    str_adds(&text, "witness Z ");
    vkey_write(&text, &other);
    str_addc(&text, '\n');
    ck_assert(policy_parse(slice_str(&text), "p", &policy, &err) != 0);
    ck_assert_str_eq(err.text, "p, line 15: this is the key of X1, too; take one of the two lines out");
    str_release(&text);
}
END_TEST

START_TEST(as_many_as_the_format_asks_for)
{
    struct str text = STR_INIT;
    struct policy policy;
    struct err err = ERR_INIT;
    char words[32], name[32];
    for (int i = 0; i < POLICY_MOST; i++) {
        (void)snprintf(name, sizeof name, "l%d.example", i);
        add_line(&text, "log", name, VKEY_SIGNER);
        (void)snprintf(name, sizeof name, "w%d.example", i);
        (void)snprintf(words, sizeof words, "witness w%d", i);
        add_line(&text, words, name, VKEY_COSIGNER);
        str_addf(&text, "group g%d any w%d\n", i, i);
    }
    str_adds(&text, "quorum g31\n");
    ck_ok(policy_parse(slice_str(&text), "p", &policy, &err), err);
    ck_assert(policy.logs == 32 && policy.witnesses == 32 && policy.groups == 32);
    add_line(&text, "witness more", "more.example", VKEY_COSIGNER);
    ck_assert(policy_parse(slice_str(&text), "p", &policy, &err) != 0);
    ck_assert_str_eq(err.text, "p, line 98: there are more than 32 witnesses; take some out");
    str_release(&text);
}
END_TEST

static void add_cases(TCase *tc)
{
    tcase_add_test(tc, groups_of_groups);
    tcase_add_test(tc, written_again_it_is_the_same);
    tcase_add_loop_test(tc, what_is_wrong, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tc, keys_stand_there_once);
    tcase_add_test(tc, as_many_as_the_format_asks_for);
}

TEST_MAIN_TOGETHER("tlog/policy", add_cases)
