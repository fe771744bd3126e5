/* The entries of a log, as its format has them: what is read is, written again, the same line, and nothing else is read. */
#include "tlog/made.h"

#define H1 "02e45dd6aa11223344556677889900aabbccddeeff00112233445566778965f0"
#define H2 "90ed08c2aa11223344556677889900aabbccddeeff001122334455667789aa70"
#define H3 "f7059b81aa11223344556677889900aabbccddeeff001122334455667789e26c"
#define T  "2026-12-01T09:02:00Z"
/* c2sp.org/signed-note */
#define VKEY "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
#define ROOT "wXKXQD9Sw/dnC72e3sXZKWyZ0Y1UhvWN5lLENUTsO2c="

static const char *const good[] = {
    "head gc 5 " T " " H1,
    "receipt gc 6 " T " " H1 " turn 1.0 seat 1 mark " H2,
    "receipt gc 6 " T " " H1 " turn 1.0 seat 1 mark " H2 " mail " H3,
    "receipt registry 6 " T " " H1 " mark " H2,
    "receipt cup 6 " T " " H1 " mark " H2 " mail " H3,
    "kept gc 999999999999999 " T " " H1 " turn 999999999.999999999 seat 999 mark " H2 " mail " H3,
    "close gc 8 " T " " H1 " turn 1.0 alpha " H3,
    "start gc 4 " T " " H1 " turn 0.0",
    "turn cup.2.1 9 " T " " H1 " turn 1.2",
    "end gc 40 " T " " H1 " turn 12.0",
    "lost gc 30 " T,
    "program " T " 1.0.0-3-gabcdef " H1,
    "log " T " " VKEY " 100007 " ROOT,
};
#define GOOD ((int)(sizeof good / sizeof *good))

START_TEST(written_again_it_is_the_same)
{
    struct log_entry entry, other;
    struct err err = ERR_INIT;
    struct str line = STR_INIT;
    ck_ok(log_entry_parse(slice_of(good[_i]), &entry, &err), err);
    log_entry_write(&line, &entry);
    ck_assert_str_eq(line.p, good[_i]);
    ck_assert(slice_starts(slice_str(&line), entry_word(entry.kind)));
    ck_assert_uint_le(line.len, ENTRY_MOST);
    /* cut anywhere, with anything more, with other blanks: it is another line or none */
    for (size_t len = 0; len < line.len; len++) {
        struct err why = ERR_INIT;
        struct slice cut = slice_sub(slice_str(&line), 0, len);
        struct str again = STR_INIT;
        if (!log_entry_parse(cut, &other, &why)) {
            log_entry_write(&again, &other);
            ck_slice_eq(cut, again.p);
        } else
            ck_assert(why.code == ERR_INPUT && why.text[0]);
        str_release(&again);
    }
    for (size_t at = 0; at <= line.len; at++)
        for (const char *more = " 0\n\t\r\xC2"; *more; more++) {
            struct err why = ERR_INIT;
            struct str odd = STR_INIT, again = STR_INIT;
            str_addslice(&odd, slice_sub(slice_str(&line), 0, at));
            str_addc(&odd, *more);
            str_addslice(&odd, slice_sub(slice_str(&line), at, line.len));
            if (!log_entry_parse(slice_str(&odd), &other, &why)) {
                log_entry_write(&again, &other);
                ck_assert_str_eq(again.p, odd.p);
            }
            str_release(&odd);
            str_release(&again);
        }
    str_release(&line);
}
END_TEST

static const char *const bad[] = {
    "",
    "receipt",
    "heads gc 5 " T " " H1,
    "HEAD gc 5 " T " " H1,
    " head gc 5 " T " " H1,
    "head gc 5 " T " " H1 " ",
    "head  gc 5 " T " " H1,
    "head gc 05 " T " " H1,
    "head gc 0 " T " " H1,
    "head gc -5 " T " " H1,
    "head gc 1000000000000000 " T " " H1,
    "head GC 5 " T " " H1,
    "head ../x 5 " T " " H1,
    "head gc 5 2026-13-01T09:02:00Z " H1,
    "head gc 5 2026-12-01 09:02:00Z " H1,
    "head gc 5 1969-12-31T23:59:59Z " H1,
    "head gc 5 " T " 02E45dd6aa11223344556677889900aabbccddeeff00112233445566778965f0",
    "head gc 5 " T " 02e4",
    "head gc 5 " T " " H1 " turn 1.0",
    "receipt gc 6 " T " " H1 " turn 1.0 mark " H2,
    "receipt gc 6 " T " " H1 " seat 1 mark " H2,
    "receipt gc 6 " T " " H1 " turn 1.0 seat 0 mark " H2,
    "receipt gc 6 " T " " H1 " turn 1.0 seat 1 mail " H3,
    "receipt gc 6 " T " " H1 " turn 1.0 seat 1 mark " H2 " mail " H3 " mail " H3,
    "receipt gc 6 " T " " H1 " turn 1.0 seat 1 mark " H2 " ",
    "close gc 8 " T " " H1 " turn 1 alpha " H3,
    "close gc 8 " T " " H1 " turn 1.00 alpha " H3,
    "close gc 8 " T " " H1 " turn 01.0 alpha " H3,
    "close gc 8 " T " " H1 " turn 1.0 mark " H3,
    "close gc 8 " T " " H1 " alpha " H3,
    "turn gc 8 " T " " H1,
    "lost gc 30 " T " " H1,
    "key " T " + " H1,
    "program " T " " H1,
    "log " T " " VKEY " 7",
    "log " T " example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k 7 " ROOT,
    "log " T " " VKEY " 7 wXKXQD9Sw/dnC72e3sXZKWyZ0Y1UhvWN5lLENUTsO2d=", /* padding that is no zero */
};
#define BAD ((int)(sizeof bad / sizeof *bad))

START_TEST(nothing_else_is_read)
{
    struct log_entry entry;
    struct err err = ERR_INIT;
    ck_assert_msg(log_entry_parse(slice_of(bad[_i]), &entry, &err) != 0, "%s", bad[_i]);
    ck_assert_int_eq(err.code, ERR_INPUT);
}
END_TEST

START_TEST(fields_are_where_they_belong)
{
    struct log_entry entry;
    struct err err = ERR_INIT;
    ck_ok(log_entry_parse(slice_of(good[2]), &entry, &err), err);
    ck_assert_int_eq(entry.kind, ENTRY_RECEIPT);
    ck_assert_str_eq(entry.name, "gc");
    ck_assert_int_eq(entry.seq, 6);
    ck_assert_int_eq(entry.time, 1796115720);
    ck_assert_int_eq(entry.head[0], 0x02);
    ck_assert_int_eq(entry.turn.turn, 1);
    ck_assert_int_eq(entry.turn.rollbacks, 0);
    ck_assert_int_eq(entry.seat, 1);
    ck_assert_int_eq(entry.mark[0], 0x90);
    ck_assert(entry.has_mail && entry.mail[0] == 0xF7);
    ck_ok(log_entry_parse(slice_of(good[3]), &entry, &err), err);
    ck_assert(entry.seat == 0 && !entry.has_mail);
    ck_ok(log_entry_parse(slice_of(good[6]), &entry, &err), err);
    ck_assert(entry.kind == ENTRY_CLOSE && entry.alpha[0] == 0xF7);
    ck_ok(log_entry_parse(slice_of(good[GOOD - 1]), &entry, &err), err);
    ck_assert_str_eq(entry.log.name, "example.com/foo");
    ck_assert_int_eq(entry.size, 100007);
}
END_TEST

static void add_cases(TCase *tc)
{
    tcase_add_loop_test(tc, written_again_it_is_the_same, 0, GOOD);
    tcase_add_loop_test(tc, nothing_else_is_read, 0, BAD);
    tcase_add_test(tc, fields_are_where_they_belong);
}

TEST_MAIN_TOGETHER("tlog/entry", add_cases)
