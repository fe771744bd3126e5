/* state.json keeps every member of struct game except those marked as passing: the tables (game/game_rows.c)
 * are compared with the header, and a game with something in each member is written and read. */
#include "game/keep.h"

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "game/game.h"
#include "game/game_rows.h"
#include "suite.h"

/* ---- every member has a row ---- */

static struct str header;

/* The text between the braces of "struct name {". */
static bool body_of(struct slice name, struct slice *body)
{
    struct str start = STR_INIT;
    str_addf(&start, "\nstruct %.*s {\n", (int)name.len, name.p);
    size_t at = slice_find(slice_str(&header), start.p);
    bool found = at != (size_t)-1;
    if (found) {
        *body = slice_sub(slice_str(&header), at + start.len, header.len);
        body->len = slice_find(*body, "\n};");
    }
    str_release(&start);
    return found;
}

static const struct keep *row_named(const struct keep *table, struct slice name)
{
    for (; table->name; table++)
        if (slice_eq(name, table->name))
            return table;
    return NULL;
}

static bool counts_a_list(const struct keep *table, struct slice name)
{
    bool list = false;
    for (; table->name; table++)
        list |= table->many == KEEP_LIST || table->many == KEEP_COUNTED;
    return list && (slice_find(name, "count") != (size_t)-1 || slice_find(name, "cap") != (size_t)-1);
}

static size_t members_have_rows(struct slice name, const struct keep *table);

/* "const struct ruleset *ruleset" and "bool robot, json" alike: the last word of each is a member. */
static size_t line_has_rows(struct slice line, const struct keep *table)
{
    size_t rows = 0;
    struct slice word = {"", 0}, of = {"", 0};
    bool of_struct = false, more = true;
    for (size_t i = 0; more; i++) {
        char c = i < line.len ? line.p[i] : ';';
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (letter) {
            word = word.len && word.p + word.len == line.p + i ? (struct slice){word.p, word.len + 1}
                                                               : (struct slice){line.p + i, 1};
            continue;
        }
        if (of_struct && c == ' ' && word.len && !of.len)
            of = word;
        of_struct |= slice_eq(word, "struct");
        more = c != ';';
        if (c == '[') { /* its room is none of ours */
            while (i < line.len && line.p[i] != ',' && line.p[i] != ';')
                i++;
            more = i < line.len && line.p[i] == ',';
        } else if (c != ',' && c != ';') {
            continue;
        }
        const struct keep *row = row_named(table, word);
        ck_assert_msg(row || counts_a_list(table, word),
                      "%.*s: no row in game_rows.c says whether it is kept", (int)word.len, word.p);
        rows += row != NULL;
        if (row && row->sub)
            rows += members_have_rows(of, row->sub);
    }
    return rows;
}

static void without_comments(struct str *out, struct slice text)
{
    while (text.len) {
        size_t at = slice_find(text, "/*");
        str_addslice(out, slice_sub(text, 0, at == (size_t)-1 ? text.len : at));
        text = slice_sub(text, at == (size_t)-1 ? text.len : at, text.len);
        at = slice_find(text, "*/");
        text = slice_sub(text, at == (size_t)-1 ? text.len : at + 2, text.len);
    }
}

static size_t members_have_rows(struct slice name, const struct keep *table)
{
    size_t rows = 0;
    struct slice body;
    struct str one = STR_INIT;
    if (!body_of(name, &body)) /* not of this header: keys */
        return 0;
    for (size_t i = 0; i < body.len; i++) {
        if (body.p[i] != '\n' && body.p[i] != ';')
            str_addc(&one, body.p[i]);
        if (body.p[i] != ';')
            continue;
        rows += line_has_rows(slice_trim(slice_str(&one)), table);
        str_clear(&one);
    }
    str_release(&one);
    return rows;
}

START_TEST(every_member_has_a_row)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    str_init(&header);
    ck_ok(file_read("src/game/game.h", 1 << 20, &text, &err), err);
    without_comments(&header, slice_str(&text));
    ck_assert_uint_gt(members_have_rows(slice_of("game"), game_rows), 100);
    str_release(&header);
    str_release(&text);
}
END_TEST

/* ---- what is kept comes back ---- */

struct part {
    char name[16];
    int64_t number;
    bool yes;
};
struct whole {
    int small;
    int64_t large;
    unsigned char bytes[4];
    struct str text;
    json_t *json;
    struct part first[3];
    int first_count;
    int seats[4];
    int all[2];
    struct part *list;
    size_t list_count, list_cap;
    int passing;
    struct str words;
};
static const struct keep part_rows[] = {
    KEEP(struct part, KEEP_TEXT, name),
    KEEP(struct part, KEEP_NUMBER, number),
    KEEP(struct part, KEEP_BOOL, yes),
    KEEP_END,
};
static const struct keep whole_rows[] = {
    KEEP(struct whole, KEEP_NUMBER, small),
    KEEP(struct whole, KEEP_NUMBER, large),
    KEEP(struct whole, KEEP_BYTES, bytes),
    KEEP(struct whole, KEEP_STR, text),
    KEEP(struct whole, KEEP_JSON, json),
    KEEP_FIRST(struct whole, first, first_count, part_rows),
    KEEP_ARRAY(struct whole, KEEP_NUMBER, seats, KEEP_SEATS, NULL),
    KEEP_ARRAY(struct whole, KEEP_NUMBER, all, KEEP_ALL, NULL),
    KEEP_OWN(struct whole, list, list_count, list_cap, part_rows),
    KEEP_PASSING(struct whole, KEEP_NUMBER, passing),
    KEEP_PASSING(struct whole, KEEP_STR, words),
    KEEP_END,
};

static const char kept[] =
    "{\"all\":[7,8],\"bytes\":\"00ff0110\",\"first\":[{\"name\":\"anna\",\"number\":-1,\"yes\":true}],"
    "\"json\":{\"a\":[1]},\"large\":1099511627776,\"list\":[{\"name\":\"\",\"number\":5,\"yes\":false},"
    "{\"name\":\"bob\",\"number\":6,\"yes\":true}],\"seats\":[3,4],\"small\":-2,\"text\":\"two\\nlines\"}";

static int read_whole(struct whole *whole, const char *text, struct err *err)
{
    memset(whole, 0, sizeof *whole);
    keep_init(whole_rows, whole);
    json_t *json = json_read(slice_of(text), "kept", err);
    ck_assert_ptr_nonnull(json);
    int rc = keep_read(whole_rows, whole, json, err);
    json_decref(json);
    return rc;
}

START_TEST(what_is_kept_comes_back)
{
    struct err err = ERR_INIT;
    struct whole whole;
    struct str again = STR_INIT;
    ck_ok(read_whole(&whole, kept, &err), err);
    ck_assert_int_eq(whole.small, -2);
    ck_assert_int_eq(whole.large, (int64_t)1 << 40);
    ck_assert_mem_eq(whole.bytes, "\0\xff\1\x10", 4);
    ck_assert_str_eq(whole.text.p, "two\nlines");
    ck_assert_int_eq(whole.first_count, 1);
    ck_assert_str_eq(whole.first[0].name, "anna");
    ck_assert_int_eq(whole.first[0].number, -1);
    ck_assert(whole.first[0].yes);
    ck_assert_int_eq(whole.seats[0], 0);
    ck_assert_int_eq(whole.seats[2], 4);
    ck_assert_uint_eq(whole.list_count, 2);
    ck_assert_uint_ge(whole.list_cap, 2);
    ck_assert_str_eq(whole.list[1].name, "bob");
    whole.passing = 9;
    str_adds(&whole.words, "never written");
    json_t *json = keep_json(whole_rows, &whole, 2);
    json_write(&again, json);
    ck_assert_str_eq(again.p, kept);
    json_decref(json);
    str_release(&again);
    keep_release(whole_rows, &whole);
}
END_TEST

/* Each as the text above with one thing changed, and what is said of it. */
static const struct {
    const char *from, *to, *says;
} broken[] = {
    {"\"small\":-2", "\"smell\":-2", "\"small\""},
    {"\"small\":-2", "\"small\":4294967296", "\"small\""},
    {"\"small\":-2", "\"small\":\"2\"", "\"small\""},
    {"00ff0110", "00ff01", "\"bytes\""},
    {"\"text\":\"two\\nlines\"", "\"text\":3", "\"text\""},
    {"\"all\":[7,8]", "\"all\":[7]", "\"all\""},
    {"\"seats\":[3,4]", "\"seats\":[3,4,5,6]", "\"seats\""},
    {"\"name\":\"anna\"", "\"name\":\"anna of the long name\"", "\"name\""},
    {"\"yes\":false", "\"yes\":0", "\"yes\""},
    {"\"list\":[", "\"list\":3,\"more\":[", "\"list\""},
};

START_TEST(what_is_missing_or_of_another_kind_is_named)
{
    struct err err = ERR_INIT;
    struct whole whole;
    struct str text = STR_INIT;
    const char *at = strstr(kept, broken[_i].from);
    ck_assert_ptr_nonnull(at);
    str_addf(&text, "%.*s%s%s", (int)(at - kept), kept, broken[_i].to, at + strlen(broken[_i].from));
    ck_assert_int_eq(read_whole(&whole, text.p, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_msg(strstr(err.text, broken[_i].says), "%s", err.text);
    keep_release(whole_rows, &whole);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, every_member_has_a_row);
    tcase_add_test(tc, what_is_kept_comes_back);
    tcase_add_loop_test(tc, what_is_missing_or_of_another_kind_is_named, 0,
                        (int)(sizeof broken / sizeof *broken));
}
TEST_MAIN("game/keep", cases)
