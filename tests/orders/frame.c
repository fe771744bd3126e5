#include "orders/frame.h"

#include <string.h>

#include "suite.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

START_TEST(a_whole_frame)
{
    struct frame frame;
    struct err err = ERR_INIT;
    const char *text =
        "#turnpost orders\ngame: gc-17\nturn: 5\nhead: 4F9a0c2b7d1e8a63\nseq: 2\nwait: yes\njson: YES\n"
        "explore near or bide\nbuild\n#end\n";
    ck_ok(frame_parse(slice_of(text), &frame, &err), err);
    ck_assert_int_eq(frame.kind, FRAME_ORDERS);
    ck_assert_str_eq(frame.verb, "orders");
    ck_assert_str_eq(frame.game, "gc-17");
    ck_assert_int_eq(frame.turn, 5);
    ck_assert_str_eq(frame.head, "4f9a0c2b7d1e8a63");
    ck_assert_int_eq(frame.seq, 2);
    ck_assert(frame.wait);
    ck_assert(frame.json);
    ck_assert_str_eq(frame.nonce, "");
    ck_slice_eq(frame.body, "explore near or bide\nbuild\n");
}
END_TEST

START_TEST(nothing_but_the_frame)
{
    struct frame frame;
    struct err err = ERR_INIT;
    ck_ok(frame_parse(slice_of("#turnpost orders\n#end"), &frame, &err), err);
    ck_assert_str_eq(frame.game, "");
    ck_assert_int_eq(frame.turn, -1);
    ck_assert_int_eq(frame.seq, 0);
    ck_assert_str_eq(frame.head, "");
    ck_assert(!frame.wait);
    ck_slice_eq(frame.body, "");
}
END_TEST

static const struct {
    const char *text, *body;
} bodies[] = {
    /* the first line that is no field begins the body; what looks like a field after it is an order */
    {"#turnpost orders\ngame: a\nbuild\nturn: 5\n#end\n", "build\nturn: 5\n"},
    {"#TURNPOST Orders\r\n  Game : a\r\n\r\n  build \r\n #END \r\n", "  build \r\n"},
    {"\n#turnpost orders\n# a note\ngame: a\n# another\nturn 5\n#end\n\n \n", "turn 5\n"},
    {"#turnpost orders\nSAY: all hello\n#end\n", "SAY: all hello\n"},
    {"#turnpost orders\nPass:\n#end\n", "Pass:\n"},
    {"#turnpost orders\nSAY anna: hello\n#end\n", "SAY anna: hello\n"},
    {"#turnpost orders\nmove : x\n#end\n", "move : x\n"},
    {"#turnpost orders\n# only a note\n#end\n", ""},
    {"#turnpost join\ngame: a\nplayer: anna\nnonce: Q7 z\n#end\n", "player: anna\nnonce: Q7 z\n"},
    {"#turnpost orders\nbuild\n#endless\n#end\n", "build\n#endless\n"},
};

START_TEST(where_the_body_begins)
{
    struct frame frame;
    struct err err = ERR_INIT;
    ck_ok(frame_parse(slice_of(bodies[_i].text), &frame, &err), err);
    ck_slice_eq(frame.body, bodies[_i].body);
}
END_TEST

START_TEST(other_texts)
{
    struct frame frame;
    struct err err = ERR_INIT;
    ck_ok(frame_parse(slice_of("#turnpost Join\nnonce: a B-9\ngame: GC-17\n#end\n"), &frame, &err), err);
    ck_assert_int_eq(frame.kind, FRAME_OTHER);
    ck_assert_str_eq(frame.verb, "join");
    ck_assert_str_eq(frame.nonce, "a B-9");
    ck_assert_str_eq(frame.game, "gc-17");
}
END_TEST

#define LEAGUE "SHA256:QMC1M4fcTREpetpY8vYCsNs42g6F+ZPy+ofiV7YHtG4"
#define HEX64  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Mail programs that wrap what they quote leave "head:" alone on its line. */
static const struct {
    const char *text, *head, *league, *body;
} wrapped[] = {
    {"orders\nhead:\n" HEX64 "\nbuild\n", HEX64, "", "build\n"},
    {"orders\nhead: \n  " HEX64 " \nturn: 5\nbuild\n", HEX64, "", "build\n"},
    {"orders\nbuild\nhead:\n" HEX64 "\n", "", "", "build\nhead:\n" HEX64 "\n"},
    {"press\nto: bob\nhead:\n" HEX64 "\nHello\n", HEX64, "", "to: bob\nhead:\n" HEX64 "\nHello\n"},
    {"prefs\nleague:\n" LEAGUE "\njson: yes\n", "", LEAGUE, "json: yes\n"},
    {"prefs\nleague: " LEAGUE "\njson: yes\n", "", LEAGUE, "json: yes\n"},
    {"prefs\njson: yes\nLeague: " LEAGUE "\n", "", LEAGUE, "json: yes\nLeague: " LEAGUE "\n"},
    /* a line of the text's own, as it was before there was such a field */
    {"press\nleague: of nations\n", "", "", "league: of nations\n"},
    {"press\nleague:\nof nations\n", "", "", "league:\nof nations\n"},
    {"press\nleague: SHA256:" HEX64 "\n", "", "", "league: SHA256:" HEX64 "\n"},
};

START_TEST(values_on_the_next_line)
{
    struct frame frame;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost %s#end\n", wrapped[_i].text);
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    ck_assert_str_eq(frame.head, wrapped[_i].head);
    ck_assert_str_eq(frame.league, wrapped[_i].league);
    ck_slice_eq(frame.body, wrapped[_i].body);
    str_release(&text);
}
END_TEST

START_TEST(lines_that_are_the_frame_s)
{
    struct frame frame = {.kind = FRAME_OTHER};
    struct slice rest = slice_of(HEX64 "\nHello\n");
    ck_assert(frame_owns(&frame, slice_of("turn"), slice_of("5"), &rest));
    ck_slice_eq(rest, HEX64 "\nHello\n");
    ck_assert(frame_owns(&frame, slice_of("Head"), slice_of(""), &rest));
    ck_slice_eq(rest, "Hello\n");
    ck_assert(!frame_owns(&frame, slice_of("wait"), slice_of("yes"), &rest));
    ck_assert(!frame_owns(&frame, slice_of("league"), slice_of(""), &rest));
    ck_assert(frame_owns(&frame, slice_of("league"), slice_of(LEAGUE), &rest));
    ck_slice_eq(rest, "Hello\n");
}
END_TEST

static const struct {
    const char *fields, *error;
} good_or_bad[] = {
    {"turn: 0", NULL},
    {"turn: 9999", NULL},
    {"turn: 10000",
     "the field \"turn:\" has the value \"10000\"; it takes the number of the turn, such as 5"},
    {"turn: -1", "the field \"turn:\" has the value \"-1\"; it takes the number of the turn, such as 5"},
    {"turn: 5a", "the field \"turn:\" has the value \"5a\"; it takes the number of the turn, such as 5"},
    {"turn:", "the field \"turn:\" has the value \"\"; it takes the number of the turn, such as 5"},
    {"turn: 00000000000000000005", "the field \"turn:\" has the value \"00000000000000000005\"; it takes the "
                                   "number of the turn, such as 5"},
    {"turn: 5\nturn: 5", "the field \"turn:\" is given twice"},
    {"seq: 1", NULL},
    {"seq: 999999", NULL},
    {"seq: 0", "the field \"seq:\" has the value \"0\"; it takes a number from 1 to 999999"},
    {"seq: 1000000", "the field \"seq:\" has the value \"1000000\"; it takes a number from 1 to 999999"},
    {"game: a/b", "the field \"game:\" has the value \"a/b\"; it takes the name of a game, such as gc-17"},
    {"game: ..", "the field \"game:\" has the value \"..\"; it takes the name of a game, such as gc-17"},
    {"game: abcdefghijklmnopqrstuvwxyz123456", NULL},
    {"game: abcdefghijklmnopqrstuvwxyz1234567",
     "the field \"game:\" has the value \"abcdefghijklmnopqrstuvwxyz1234567\"; it takes the name of a game, "
     "such as "
     "gc-17"},
    {"head: 01234567", NULL},
    {"head: " HEX64, NULL},
    {"head: 0123456", "the field \"head:\" has the value \"0123456\"; it takes 8 to 64 hexadecimal digits, "
                      "copied from the report"},
    {"head: " HEX64 "0",
     "the field \"head:\" has the value \"0123456789abcdef0123456789abcdef01234567\"; it takes 8 to 64 "
     "hexadecimal digits, copied from the report"},
    {"head: 0123456g", "the field \"head:\" has the value \"0123456g\"; it takes 8 to 64 hexadecimal digits, "
                       "copied from the report"},
    {"head:",
     "the field \"head:\" has the value \"\"; it takes 8 to 64 hexadecimal digits, copied from the report"},
    {"head:\nturn: 5",
     "the field \"head:\" has the value \"turn: 5\"; it takes 8 to 64 hexadecimal digits, copied "
     "from the report"},
    {"head:\n" HEX64 "\nhead: " HEX64, "the field \"head:\" is given twice"},
    {"league: " LEAGUE,
     "there is no field \"league:\" (fields are game, turn, head, seq, wait, final, json, nonce); an "
     "order is written without a colon"},
    {"wait: no\njson: No", NULL},
    {"final: yes", NULL},
    {"final: perhaps", "the field \"final:\" has the value \"perhaps\"; it takes yes or no"},
    {"wait: maybe", "the field \"wait:\" has the value \"maybe\"; it takes yes or no"},
    {"nonce: " HEX64, NULL},
    {"nonce: " HEX64 "0", "the field \"nonce:\" has the value \"0123456789abcdef0123456789abcdef01234567\"; "
                          "it takes 1 to 64 plain characters"},
    {"nonce: \xC3\xA9", "the field \"nonce:\" has the value \"\xC3\xA9\"; it takes 1 to 64 plain characters"},
    {"trun: 5", "there is no field \"trun:\"; did you mean \"turn:\"?"},
    {"colour: red",
     "there is no field \"colour:\" (fields are game, turn, head, seq, wait, final, json, nonce); an "
     "order is written "
     "without a colon"},
    {"#turnpost orders", "there is a second \"#turnpost\" line before \"#end\""},
    {"build\n#turnpost orders", "there is a second \"#turnpost\" line before \"#end\""},
    {"#end\nbuild", "there is text after \"#end\""},
};

START_TEST(fields_are_checked)
{
    struct frame frame;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\n%s\n#end\n", good_or_bad[_i].fields);
    int result = frame_parse(slice_str(&text), &frame, &err);
    if (good_or_bad[_i].error) {
        ck_assert_int_eq(result, -1);
        ck_assert_int_eq(err.code, ERR_INPUT);
        ck_assert_str_eq(err.text, good_or_bad[_i].error);
    } else {
        ck_assert_msg(result == 0, "%s", err.text);
    }
    str_release(&text);
}
END_TEST

static const struct {
    const char *text, *error;
} frames[] = {
    {"", "the text does not begin with \"#turnpost orders\""},
    {"\n\n", "the text does not begin with \"#turnpost orders\""},
    {"hello\n", "the text does not begin with \"#turnpost orders\""},
    {"#turnpostorders\n#end\n", "the text does not begin with \"#turnpost orders\""},
    {"#turnpost\n#end\n", "after #turnpost comes one word that says what the text is: \"#turnpost orders\""},
    {"#turnpost 0rders\n#end\n",
     "after #turnpost comes one word that says what the text is: \"#turnpost orders\""},
    {"#turnpost abcdefghijklmnopq\n#end\n",
     "after #turnpost comes one word that says what the text is: \"#turnpost orders\""},
    {"#turnpost orders now\n#end\n", "the first line has more words than \"#turnpost\" and what the text is"},
    {"#turnpost orders\n", "the text has no \"#end\" line"},
    {"#turnpost orders", "the text has no \"#end\" line"},
    {"#turnpost orders\ngame: a\nbuild\n", "the text has no \"#end\" line"},
};

START_TEST(frames_are_checked)
{
    struct frame frame;
    struct err err = ERR_INIT;
    ck_assert_int_eq(frame_parse(slice_of(frames[_i].text), &frame, &err), -1);
    ck_assert_str_eq(err.text, frames[_i].error);
}
END_TEST

START_TEST(size_is_limited)
{
    struct frame frame;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    str_adds(&text, "#turnpost orders\n");
    for (int i = 0; i < 398; i++)
        str_adds(&text, "build\n");
    str_adds(&text, "#end\n");
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    str_adds(&text, "\n");
    ck_assert_int_eq(frame_parse(slice_str(&text), &frame, &err), -1);
    ck_assert_str_eq(err.text, "the text has more than 400 lines");

    err_clear(&err);
    str_clear(&text);
    str_adds(&text, "#turnpost orders\n");
    while (text.len < 65536 - 6)
        str_addc(&text, 'x');
    str_adds(&text, "\n#end\n");
    ck_assert_uint_eq(text.len, 65536);
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    str_adds(&text, "\n");
    ck_assert_int_eq(frame_parse(slice_str(&text), &frame, &err), -1);
    ck_assert_str_eq(err.text, "the text is longer than 65536 bytes");

    err_clear(&err);
    ck_assert_int_eq(frame_parse((struct slice){"#turnpost orders\na\0b\n#end\n", 26}, &frame, &err), -1);
    ck_assert_str_eq(err.text, "the text has a byte 0 in it");
    str_release(&text);
}
END_TEST

/* ---- texts that come in now ---- */

static const struct {
    const char *line, *error; /* the third line of a text */
} controls[] = {
    {"say all\tgood \"morning\"", NULL},
    {"say all good morning\r", NULL},
    {"say all \xC3\xA4 \xE2\x80\xAE \xF0\x9F\x98\x80", NULL}, /* made safe where it is shown */
    {"say all \001", "line 3 has a control character (U+0001) at column 9"},
    {"say \xC3\xA4ll \033[31m", "line 3 has a control character (U+001B) at column 9"},
    {"say all a\rb", "line 3 has a control character (U+000D) at column 10"},
    {"\177", "line 3 has a control character (U+007F) at column 1"},
    {"say all \xC2\x85", "line 3 has a control character (U+0085) at column 9"},
};

START_TEST(control_characters)
{
    struct frame frame;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    const char *error = controls[_i].error;
    str_addf(&text, "#turnpost orders\ngame: gc-17\n%s\n#end\n", controls[_i].line);
    int rc = frame_receive(slice_str(&text), slice_str(&text), &frame, &err);
    ck_assert_msg((rc != 0) == (error != NULL), "%s", err.text);
    ck_assert_msg(!error || str_starts(err.text, error), "not \"%s\" but \"%s\"", error ? error : "",
                  err.text);
    err_clear(&err);
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err); /* an old journal may hold it */
    str_release(&text);
}
END_TEST

/* 64 KB as JSON, whatever it is made of. */
START_TEST(the_longest_text)
{
    static const char *const fillings[] = {"x", "\"", "\\", "\xE2\x80\xA8", "\xF0\x9F\x98\x80"};
    static const size_t sizes[] = {1, 2, 2, 3, 4};
    struct frame frame;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    str_adds(&text, "#turnpost orders\n# ");
    size_t size = text.len + 1 + strlen("\n#end\n") + 2; /* a line end takes two */
    for (; size + sizes[_i] <= FRAME_BYTES; size += sizes[_i])
        str_adds(&text, fillings[_i]);
    str_adds(&text, "\n#end\n");
    ck_ok(frame_receive(slice_str(&text), slice_str(&text), &frame, &err), err);
    str_cut(&text, text.len - 6);
    str_addf(&text, "%s\n#end\n", fillings[_i]);
    ck_assert_int_eq(frame_receive(slice_str(&text), slice_str(&text), &frame, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "65536"));
    str_release(&text);
}
END_TEST

/* From language 3 on the fields of orders may be anywhere; in older games they are lines that are not
 * understood. */
static const struct {
    const char *lines, *body; /* of language 3 */
    bool wait, final, json;
} spread[] = {
    {"build\nfinal: yes\n", "build\n", false, true, false},
    {"build\nWait : Yes\nexplore near\njson: yes\n", "build\nexplore near\n", true, false, true},
    {"final: yes\nbuild\nwait: yes\n", "build\n", true, false, false}, /* the later one */
    {"turn 5\nbuild\njson: no\n", "turn 5\nbuild\n", false, false, false},
    {"build\nturn: 5\nsay all final: yes\n# final: yes\n",
     "build\nturn: 5\nsay all final: yes\n# final: yes\n", false, false, false},
    {"", "", false, false, false},
};

START_TEST(lines_of_other_texts)
{
    struct slice value = slice_of("as it was");
    ck_assert(frame_line(slice_of("seat: 2\nhours: 12\n"), "hours", &value) && slice_eq(value, "12"));
    ck_assert(!frame_line(slice_of("seat: 2\nhours: 24\n"), "ship", &value) && slice_eq(value, "12"));
    ck_assert(!frame_line(slice_of("Hello\nship: swift\n"), "ship", &value) && slice_eq(value, "12"));
}
END_TEST

START_TEST(fields_among_the_lines)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT, body = STR_INIT;
    struct frame frame;
    str_addf(&text, "#turnpost orders\ngame: a\n%s#end\n", spread[_i].lines);
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    ck_ok(frame_spread(&frame, &body, &err), err);
    ck_slice_eq(frame.body, spread[_i].body);
    ck_assert(frame.wait == spread[_i].wait && frame.final == spread[_i].final &&
              frame.json == spread[_i].json);
    str_release(&text);
    str_release(&body);
}
END_TEST

START_TEST(fields_among_the_lines_are_checked)
{
    static const struct {
        const char *lines, *words;
    } bad[] = {{"build\nfinal: maybe\n", "it takes yes or no"},
               {"json: yes\nbuild\njson: yes\n", "\"json:\" is given twice"}};
    for (int i = 0; i < COUNT(bad); i++) {
        struct err err = ERR_INIT;
        struct str text = STR_INIT, body = STR_INIT;
        struct frame frame;
        str_addf(&text, "#turnpost orders\ngame: a\n%s#end\n", bad[i].lines);
        ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
        ck_assert_int_eq(frame_spread(&frame, &body, &err), -1);
        ck_assert_int_eq(err.code, ERR_INPUT);
        ck_assert_ptr_nonnull(strstr(err.text, bad[i].words));
        str_release(&text);
        str_release(&body);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, a_whole_frame);
    tcase_add_test(tc, nothing_but_the_frame);
    tcase_add_loop_test(tc, where_the_body_begins, 0, COUNT(bodies));
    tcase_add_test(tc, other_texts);
    tcase_add_loop_test(tc, values_on_the_next_line, 0, COUNT(wrapped));
    tcase_add_test(tc, lines_that_are_the_frame_s);
    tcase_add_loop_test(tc, fields_are_checked, 0, COUNT(good_or_bad));
    tcase_add_loop_test(tc, frames_are_checked, 0, COUNT(frames));
    tcase_add_test(tc, lines_of_other_texts);
    tcase_add_loop_test(tc, fields_among_the_lines, 0, COUNT(spread));
    tcase_add_test(tc, fields_among_the_lines_are_checked);
    tcase_add_test(tc, size_is_limited);
    tcase_add_loop_test(tc, control_characters, 0, COUNT(controls));
    tcase_add_loop_test(tc, the_longest_text, 0, 5);
}

TEST_MAIN_TOGETHER("orders/frame", cases)
