/* What a mail may cost: the mails that cost most, and that no player's mail comes near the limit. */
#include <time.h>

#include "repeat.h"
#include "suite.h"

#include "trust/envelope.h"
#include "trust/secret.h"

#define SIGNATURES 8
#define LESS       (FEW ? 4 : 1)

static struct secret player;
static struct pubkey key;

static void make_key(void)
{
    secret_new(&player);
    secret_public(&player, &key);
}

/* Eight signatures, of the same key, of a text that is in no mail. */
static void add_signatures(struct str *out)
{
    for (int i = 0; i < SIGNATURES; i++) {
        char text[] = "0\n";
        text[0] = (char)('0' + i);
        sshsig_sign(out, player.key, NS_ORDERS, slice_of(text));
    }
}

/* Finds and tries all there is, as intake does; how many of them opened. */
static size_t try_all(const struct str *mail, struct work *work, struct err *err)
{
    struct evidence part = {"", slice_str(mail), slice_str(mail), {NULL, 0}};
    struct envelopes found;
    size_t opened = 0;
    struct str exact = STR_INIT, text = STR_INIT;
    if (envelope_find(&part, 1, work, &found, err))
        return 0;
    for (size_t i = 0; i < found.count; i++)
        envelope_foresee(&found.list[i]);
    for (size_t i = 0; i < found.count; i++) {
        struct err why = ERR_INIT;
        opened +=
            envelope_open(&found.list[i], &key, NS_ORDERS, &(struct envelope_text){&exact, &text}, &why) == 0;
        if (why.code)
            err_pass(err, &why);
        envelope_release(&found.list[i]);
    }
    str_release(&exact);
    str_release(&text);
    return opened;
}

/* An indent of half the text that every line is looked at for, or what costs most for each byte. */
static void add_flood(struct str *mail, int kind)
{
    static const char *const bits[] = {"\n", " \n", "\xE2\x80\x94", "\xFF", ">\n", "From \n", "\xC2\xA0'\n"};
    size_t start = mail->len;
    if (kind == 0)
        repeat_until(mail, " ", start + 31 * 1024);
    str_adds(mail, "#turnpost orders\n");
    repeat_until(mail, bits[kind], start + 62 * 1024);
    str_adds(mail, "\n#end\n");
}

/* The indent cost 168 s of processor time. In the short form of a quarter of the work, so in a quarter of the time. */
START_TEST(a_flood_costs_little)
{
    struct str mail = STR_INIT;
    struct work work = {WORK_MAIL / LESS};
    struct err err = ERR_INIT;
    for (int i = 0; i < 3; i++)
        add_flood(&mail, _i);
    add_signatures(&mail);
    clock_t start = clock();
    ck_assert_uint_eq(try_all(&mail, &work, &err), 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_msg(seconds < 0.5 * SLOWER / LESS, "flood %d took %.2f s", _i, seconds);
    str_release(&mail);
}
END_TEST

/* Lines that look like the beginning of a signature, with spaces between: each is looked for far ahead. */
START_TEST(beginnings_cost_little)
{
    struct str mail = STR_INIT;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    while (mail.len < 1 << 20) {
        str_adds(&mail, "RWQ\n");
        repeat_until(&mail, " ", mail.len + 10000);
    }
    clock_t start = clock();
    ck_assert_uint_eq(try_all(&mail, &work, &err), 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(seconds < 0.5 * SLOWER, "took %.2f s", seconds);
    str_release(&mail);
}
END_TEST

/* When there is no more to spend, nothing opens, not even what was found before, so that other texts in a
 * mail cannot decide which of its texts count. */
START_TEST(used_up_is_said)
{
    const char text[] = "#turnpost orders\ngame: gc-1\nturn: 1\n\nbide\n#end\n";
    struct str mail = STR_INIT, exact = STR_INIT, canonical = STR_INIT;
    struct work work = WORK_INIT;
    struct envelopes found;
    struct err err = ERR_INIT;
    str_adds(&mail, text);
    sshsig_sign(&mail, player.key, NS_ORDERS, slice_of(text));
    struct evidence part = {"", slice_str(&mail), slice_str(&mail), {NULL, 0}};
    ck_ok(envelope_find(&part, 1, &work, &found, &err), err);
    ck_assert_uint_eq(found.count, 1);
    envelope_foresee(&found.list[0]);
    ck_assert_uint_gt(found.list[0].good, 0);
    ck_ok(envelope_open(&found.list[0], &key, NS_ORDERS, &(struct envelope_text){&exact, &canonical}, &err),
          err);
    (void)work_take(&work, work.left);
    ck_assert_int_eq(
        envelope_open(&found.list[0], &key, NS_ORDERS, &(struct envelope_text){&exact, &canonical}, &err),
        -1);
    ck_assert_ptr_nonnull(strstr(err.text, "send the signed text alone"));
    envelope_release(&found.list[0]);
    err_clear(&err);
    work = (struct work){100};
    ck_assert_int_eq(envelope_find(&part, 1, &work, &found, &err), -1);
    ck_assert_uint_eq(found.count, 0);
    ck_assert_ptr_nonnull(strstr(err.text, "send the signed text alone"));
    str_release(&mail);
    str_release(&exact);
    str_release(&canonical);
}
END_TEST

/* The longest text that is taken, quoted, with two signatures that do not fit and an attachment of a
 * megabyte. */
START_TEST(players_never_come_near)
{
    struct str text = STR_INIT, mail = STR_INIT;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    struct slice rest, line;
    str_adds(&text, "#turnpost orders\ngame: gc-1\nturn: 1\n\n");
    while (text.len < 50000)
        str_adds(&text, "say all it's a long way - \xE2\x80\x94 really\n");
    str_adds(&text, "#end\n");
    rest = slice_str(&text);
    while (slice_line(&rest, &line))
        str_addf(&mail, "> %.*s  \n", (int)line.len, line.p);
    sshsig_sign(&mail, player.key, NS_ORDERS, slice_of("another"));
    sshsig_sign(&mail, player.key, NS_ORDERS, slice_str(&text));
    while (mail.len < 1 << 20)
        str_adds(&mail, "what else there is to say\n");
    ck_assert_uint_eq(try_all(&mail, &work, &err), 1);
    ck_assert_msg(work.left > WORK_MAIL / 4, "%zu are left of %zu", work.left, WORK_MAIL);
    str_release(&text);
    str_release(&mail);
}
END_TEST

/* A text that shows every kind of damage, and so is guessed at most, with a signature that fits no guess and
 * one that fits. As long as mixtures are tried for. */
START_TEST(mixtures_cost_a_part)
{
    struct str text = STR_INIT, mail = STR_INIT;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    struct slice rest, line;
    size_t most = _i ? 2000 : VARIANT_SMALL - 2200; /* it grows when it is damaged */
    str_adds(&text, "#turnpost orders\ngame: gc-1\nturn: 1\n\n");
    while (text.len < most)
        str_adds(&text, "  say all it's a long way -- really - so it is\nbide\n\n");
    str_adds(&text, "#end\n");
    rest = slice_str(&text);
    while (slice_line(&rest, &line))
        for (size_t i = 0; i <= line.len; i++) {
            bool first = i < line.len && line.p[i] != ' ' && (i == 0 || line.p[i - 1] == ' ') && i < 3;
            if (i == line.len)
                str_adds(&mail, "\n\n");
            else if (slice_starts(slice_sub(line, i, line.len), "--") && ++i)
                str_adds(&mail, "\xE2\x80\x94");
            else if (line.p[i] == '-' && i && line.p[i - 1] == ' ')
                str_adds(&mail, "\xE2\x80\x93");
            else
                str_addc(&mail, first && line.p[i] >= 'a' ? (char)(line.p[i] - 32) : line.p[i]);
        }
    sshsig_sign(&mail, player.key, NS_ORDERS, slice_of("another"));
    sshsig_sign(&mail, player.key, NS_ORDERS, slice_str(&text));
    ck_assert_uint_eq(try_all(&mail, &work, &err), 1);
    ck_assert_msg(work.left > WORK_MAIL / (_i ? 2 : 8), "%zu are left of %zu", work.left, WORK_MAIL);
    str_release(&text);
    str_release(&mail);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, make_key, NULL);
    tcase_add_loop_test(tc, a_flood_costs_little, 0, 7);
    tcase_add_test(tc, beginnings_cost_little);
    tcase_add_test(tc, used_up_is_said);
    tcase_add_test(tc, players_never_come_near);
    tcase_add_loop_test(tc, mixtures_cost_a_part, 0, 2);
}
TEST_MAIN_TOGETHER("trust/work", cases)
