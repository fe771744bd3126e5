/* The table of record kinds (game/record_kinds.h) and the page on the game file (src/journal/README.md,
 * section 3) say the same: which kinds there are, their members and of which type, the signed texts that lead
 * to them. */
#include "game/record_kinds.h"

#include <string.h>

#include "base/file.h"
#include "game/members.h"
#include "suite.h"

#define PAGE "src/journal/README.md"

static struct str page;

/* What the page writes about in a table of its own, under "Signed texts". */
#define EVIDENCE " by signed text mail for typed request said vouched "
/* What it says of all that moderators do, and of all kinds of notes. */
#define MODERATED " do reason by turn request "
/* Words in backticks beside members, in the columns of members. */
#define NO_MEMBERS " seq note name "

static void begin(void)
{
    struct err err = ERR_INIT;
    str_init(&page);
    ck_ok(file_read(PAGE, 1 << 20, &page, &err), err);
}

static void end(void)
{
    str_release(&page);
}

static bool listed(const char *list, struct slice word)
{
    struct str spaced = STR_INIT;
    str_addf(&spaced, " %.*s ", (int)word.len, word.p);
    bool found = strstr(list, spaced.p) != NULL;
    str_release(&spaced);
    return found;
}

/* The text under "### heading", up to the next one. */
static struct slice section(const char *heading)
{
    struct str line = STR_INIT;
    str_addf(&line, "\n### %s\n", heading);
    size_t at = slice_find(slice_str(&page), line.p);
    ck_assert_msg(at != (size_t)-1, "the page has no section \"%s\"", heading);
    struct slice text = slice_sub(slice_str(&page), at + line.len, page.len);
    size_t next = slice_find(text, "\n#");
    str_release(&line);
    return slice_sub(text, 0, next == (size_t)-1 ? text.len : next);
}

/* The column of a line of a table, from 0 on. */
static bool column(struct slice line, int number, struct slice *out)
{
    if (!slice_starts(line, "| "))
        return false;
    for (int i = 0; i <= number; i++) {
        line = slice_sub(line, 1, line.len);
        size_t bar = slice_find(line, "|");
        if (bar == (size_t)-1)
            return false;
        *out = slice_trim(slice_sub(line, 0, bar));
        line = slice_sub(line, bar, line.len);
    }
    return true;
}

/* The next word in backticks; what comes before it is `before`. */
static bool quoted(struct slice *text, struct slice *before, struct slice *word)
{
    size_t from = slice_find(*text, "`");
    if (from == (size_t)-1)
        return false;
    *before = slice_sub(*text, 0, from);
    struct slice rest = slice_sub(*text, from + 1, text->len);
    size_t to = slice_find(rest, "`");
    if (to == (size_t)-1)
        return false;
    *word = slice_sub(rest, 0, to);
    *text = slice_sub(rest, to + 1, rest.len);
    return true;
}

/* ---- what the page says of a kind ---- */

struct told {
    struct str members, verbs; /* " seat keys " */
};

static void told_add(struct str *list, struct slice word)
{
    if (!list->len)
        str_addc(list, ' ');
    str_addf(list, "%.*s ", (int)word.len, word.p);
}

/* The members are told in the first sentence. Words after "a signed text" are verbs. */
static void tell_words(struct told *told, struct slice text)
{
    struct slice before, word;
    bool verbs = false;
    size_t stop = slice_find(text, ". ");
    text.len = stop == (size_t)-1 ? text.len : stop;
    while (quoted(&text, &before, &word)) {
        if (slice_find(before, "signed text") != (size_t)-1 && slice_find(before, "sealed") == (size_t)-1)
            verbs = true;
        else if (!slice_eq(before, " or "))
            verbs = false;
        bool one = slice_find(word, " ") == (size_t)-1 && slice_find(word, ":") == (size_t)-1;
        if (one && !listed(NO_MEMBERS, word))
            told_add(verbs ? &told->verbs : &told->members, word);
    }
}

/* All lines of a table whose first column names the kind: "wait" or "ban", before `start`. */
static void tell_lines(struct told *told, struct slice text, const char *word)
{
    struct slice line, first, second;
    struct str name = STR_INIT;
    const struct slice whole = text;
    str_addf(&name, "\"%s\"", word);
    while (slice_line(&text, &line)) {
        if (!column(line, 0, &first) || !slice_starts(first, name.p))
            continue;
        ck_assert(column(line, 1, &second));
        if (slice_eq(second, "likewise") || slice_starts(second, "likewise")) {
            tell_lines(told, whole, "observe");
            str_clear(&told->verbs);
        }
        if (slice_starts(second, "the same"))
            continue;
        tell_words(told, second);
    }
    str_release(&name);
}

/* The first column of a table of members, or the members' column of one by what happened. */
static void tell_table(struct told *told, struct slice text, int number)
{
    struct slice line, cell;
    while (slice_line(&text, &line))
        if (column(line, number, &cell))
            tell_words(told, cell);
}

static void tell_of(struct told *told, const struct record_kind *kind)
{
    static const struct {
        enum record_id id;
        const char *heading;
        int column;
    } tables[] = {{RECORD_CREATE, "create", 0},     {RECORD_SEAT, "seat", 1},
                  {RECORD_START, "start, turn", 0}, {RECORD_TURN, "start, turn", 0},
                  {RECORD_ORDERS, "orders", 0},     {RECORD_CLOSE, "close", 0}};
    str_init(&told->members);
    str_init(&told->verbs);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i].id == record_id_of(kind)) {
            tell_table(told, section(tables[i].heading), tables[i].column);
            return;
        }
    if (kind->word)
        tell_lines(told, section(kind->type), kind->word);
    else
        tell_words(told, section(kind->type));
}

/* The text mentions other words beside the members. */
static bool in_prose(const struct record_kind *kind)
{
    return strcmp(kind->type, "seat") == 0 || strcmp(kind->type, "key") == 0 ||
           strcmp(kind->type, "end") == 0 || strcmp(kind->type, "open") == 0 ||
           strcmp(kind->type, "excuse") == 0;
}

/* ---- the two are compared with each other ---- */

START_TEST(the_page_tells_every_member)
{
    const struct record_kind *kind = &record_kinds[_i];
    struct told told;
    struct slice rest = slice_of(kind->members), word;
    tell_of(&told, kind);
    while (slice_word(&rest, &word)) {
        word.len = slice_find(word, ":");
        if (listed(EVIDENCE, word) || (strcmp(kind->type, "moderate") == 0 && listed(MODERATED, word)))
            continue;
        bool apart = strcmp(kind->type, "create") == 0 && slice_eq(word, "witnesses"); /* a paragraph */
        ck_assert_msg(apart || listed(told.members.p, word),
                      "%s %s: the page does not tell its \"%.*s\"; it has%s", kind->type,
                      kind->word ? kind->word : "", (int)word.len, word.p, told.members.p);
    }
    str_release(&told.members);
    str_release(&told.verbs);
}
END_TEST

START_TEST(what_the_page_tells_is_a_member)
{
    const struct record_kind *kind = &record_kinds[_i];
    struct told told;
    struct slice word;
    tell_of(&told, kind);
    struct slice rest = slice_str(&told.members);
    while (!in_prose(kind) && slice_word(&rest, &word)) {
        char name[32] = "";
        memcpy(name, word.p, word.len < sizeof name ? word.len : 0);
        bool other =
            (kind == &record_kinds[RECORD_TURN] && slice_eq(word, "drawn")) || /* "only in `start`" */
            (kind == &record_kinds[RECORD_START] && (slice_eq(word, "waits") || slice_eq(word, "told")));
        ck_assert_msg(other || members_kind(kind->members, name), "%s %s: the page tells a member \"%s\"",
                      kind->type, kind->word ? kind->word : "", name);
    }
    str_release(&told.members);
    str_release(&told.verbs);
}
END_TEST

START_TEST(the_signed_texts_are_those_of_the_page)
{
    const struct record_kind *kind = &record_kinds[_i];
    struct told told;
    struct slice word;
    tell_of(&told, kind);
    struct slice rest = slice_str(&told.verbs);
    while (slice_word(&rest, &word)) {
        bool found = false;
        for (size_t i = 0; i < RECORD_TEXTS && kind->texts[i].verb; i++)
            found |= slice_eq(word, kind->texts[i].verb);
        ck_assert_msg(found, "%s %s: the page names a signed text \"%.*s\"", kind->type,
                      kind->word ? kind->word : "", (int)word.len, word.p);
    }
    for (size_t i = 0; i < RECORD_TEXTS && kind->texts[i].verb; i++)
        ck_assert_msg(strcmp(kind->type, "moderate") == 0 ||
                          listed(told.verbs.p, slice_of(kind->texts[i].verb)),
                      "%s %s: the page does not name the signed text \"%s\"; it has%s", kind->type,
                      kind->word ? kind->word : "", kind->texts[i].verb, told.verbs.p);
    str_release(&told.members);
    str_release(&told.verbs);
}
END_TEST

/* "text", "hex32", "number" of the column "type", and which letters those are. */
static const struct {
    const char *type, *letters;
} types[] = {{"text", "sp"},       {"hex32", "hv"}, {"number", "i"},        {"object", "oV"},
             {"true, false", "b"}, {"true", "T"},   {"list of seats", "n"}, {"list", "ledwkW"},
             {"time", "t"},        {"turn", "i"},   {"seat", "SP"}};

START_TEST(the_types_are_those_of_the_page)
{
    static const struct {
        enum record_id id;
        const char *heading;
    } tables[] = {{RECORD_CREATE, "create"},
                  {RECORD_START, "start, turn"}, /* with what only turns have */
                  {RECORD_ORDERS, "orders"},
                  {RECORD_CLOSE, "close"}};
    struct slice text = section(tables[_i].heading), line, name, type, before, word;
    int told = 0;
    while (slice_line(&text, &line)) {
        if (!column(line, 0, &name) || !column(line, 1, &type) || !quoted(&name, &before, &word))
            continue;
        char member[32] = "", letter;
        memcpy(member, word.p, word.len);
        letter = members_kind(record_kinds[tables[_i].id].members, member);
        if (!letter && tables[_i].id == RECORD_START)
            letter = members_kind(record_kinds[RECORD_TURN].members, member);
        size_t i = 0;
        while (i < sizeof types / sizeof *types && !slice_starts(type, types[i].type))
            i++;
        ck_assert_msg(i < sizeof types / sizeof *types && letter && strchr(types[i].letters, letter),
                      "%s: \"%s\" is %.*s on the page, and '%c' in the table", tables[_i].heading, member,
                      (int)type.len, type.p, letter ? letter : '-');
        told++;
    }
    ck_assert_int_gt(told, 3);
}
END_TEST

/* Every note and act of a moderator that the page has is in the table. */
START_TEST(the_table_has_every_kind_of_the_page)
{
    static const char *const types_with_words[] = {"note", "moderate"};
    struct slice text = section(types_with_words[_i]), line, name;
    int found = 0;
    while (slice_line(&text, &line)) {
        if (!column(line, 0, &name) || !slice_starts(name, "\""))
            continue;
        name = slice_sub(name, 1, name.len);
        name.len = slice_find(name, "\"");
        const struct record_kind *kind = record_kinds;
        while (kind < record_kinds + RECORD_IDS &&
               !(strcmp(kind->type, types_with_words[_i]) == 0 && slice_eq(name, kind->word)))
            kind++;
        ck_assert_msg(kind < record_kinds + RECORD_IDS, "the page has a %s \"%.*s\"", types_with_words[_i],
                      (int)name.len, name.p);
        found++;
    }
    ck_assert_int_gt(found, 10);
}
END_TEST

/* The paragraph that begins so. */
static struct slice paragraph(const char *begin)
{
    size_t at = slice_find(slice_str(&page), begin);
    ck_assert_msg(at != (size_t)-1, "the page has no paragraph \"%s\"", begin);
    struct slice text = slice_sub(slice_str(&page), at + strlen(begin), page.len);
    size_t item = slice_find(text, "\n* "), end = slice_find(text, "\n\n");
    return slice_sub(text, 0, item < end ? item : end);
}

static void is_named(struct slice text, const char *in, const char *name, char quote)
{
    struct str quoted_name = STR_INIT;
    str_addf(&quoted_name, "%c%s%c", quote, name, quote);
    ck_assert_msg(slice_find(text, quoted_name.p) != (size_t)-1, "\"%s\" does not name %s", in,
                  quoted_name.p);
    str_release(&quoted_name);
}

/* Where the page lists kinds and texts, those of the table are there. */
START_TEST(the_lists_of_the_page_are_whole)
{
    static const char mailed[] = "\n*Said by mail.*",
                      closed[] = "\n* A `close` comes right before its `turn`",
                      lockstep[] = "\n* *Lockstep.*";
    const struct record_kind *kind = &record_kinds[_i];
    const char *name = kind->word ? kind->word : kind->type;
    char quote = kind->word ? '"' : '`';
    for (size_t i = 0; members_kind(kind->members, "said") && i < RECORD_TEXTS && kind->texts[i].verb; i++)
        is_named(paragraph(mailed), mailed + 1, kind->texts[i].verb, '`');
    if (kind->place & PLACE_CLOSED)
        is_named(paragraph(closed), closed + 1, name, quote);
    if (kind->bends)
        is_named(paragraph(lockstep), lockstep + 1, name, quote);
}
END_TEST

/* ---- the rows are whole ---- */

START_TEST(every_row_is_whole)
{
    const struct record_kind *kind = &record_kinds[_i];
    ck_assert_ptr_nonnull(kind->type);
    ck_assert_ptr_nonnull(kind->members);
    ck_assert(kind->apply);
    ck_assert_uint_ne(kind->place, 0);
    ck_assert_int_eq(record_id_of(kind), _i);
    bool sealed = members_kind(kind->members, "seal") != 0;
    ck_assert_msg(sealed == (kind->secret != SECRET_NONE), "%s %s: what does its seal open to?", kind->type,
                  kind->word ? kind->word : "");
    for (size_t i = 0; i < RECORD_TEXTS && kind->texts[i].verb; i++) {
        const struct record_signed *text = &kind->texts[i];
        ck_assert_msg(members_kind(kind->members, text->signer), "%s: it has no \"%s\"", kind->type,
                      text->signer);
        ck_assert(!text->member || members_kind(kind->members, text->member));
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, every_row_is_whole, 0, RECORD_IDS);
    tcase_add_loop_test(tc, the_page_tells_every_member, 0, RECORD_IDS);
    tcase_add_loop_test(tc, what_the_page_tells_is_a_member, 0, RECORD_IDS);
    tcase_add_loop_test(tc, the_signed_texts_are_those_of_the_page, 0, RECORD_IDS);
    tcase_add_loop_test(tc, the_types_are_those_of_the_page, 0, 4);
    tcase_add_loop_test(tc, the_table_has_every_kind_of_the_page, 0, 2);
    tcase_add_loop_test(tc, the_lists_of_the_page_are_whole, 0, RECORD_IDS);
}
TEST_MAIN_TOGETHER("game/record_kinds", cases)
