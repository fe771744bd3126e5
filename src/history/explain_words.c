/* Facts of a turn made ready for templates. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "board/board.h"
#include "history/explain.h"

#define DIGITS 64 /* hex digits on a line */

/* The event in words, as one line: what a report has as "* words". */
static int add_words(json_t *item, struct templates *templates, const char *folder, struct err *err)
{
    struct str text = STR_INIT;
    struct str words = STR_INIT;
    struct slice word;
    const json_t *news = json_object_get(item, "news");
    int rc = templates_piece(templates, &(struct template_name){folder, "news.txt"}, news, &text, err);
    struct slice rest = slice_trim(slice_str(&text));
    if (slice_starts(rest, "* "))
        rest = slice_sub(rest, 2, rest.len);
    while (slice_word(&rest, &word)) {
        if (words.len)
            str_addc(&words, ' ');
        str_addslice(&words, word);
    }
    if (!words.len) /* reports leave it out */
        str_addf(&words, "(%s)", json_string_value(json_object_get(item, "type")));
    json_object_set_new(item, "words", json_text(slice_str(&words)));
    str_release(&text);
    str_release(&words);
    return rc;
}

/* A value for people: 5, [3, 0], {card 30, number 1}. */
/* NOLINTNEXTLINE(misc-no-recursion): states nest a few deep. */
static void write_value(struct str *out, const json_t *value)
{
    const char *name;
    size_t i;
    json_t *item;
    bool more = false;
    if (json_is_string(value)) {
        str_adds(out, json_string_value(value));
    } else if (json_is_array(value)) {
        str_addc(out, '[');
        json_array_foreach (value, i, item) {
            str_adds(out, i ? ", " : "");
            write_value(out, item);
        }
        str_addc(out, ']');
    } else if (json_is_object(value)) {
        str_addc(out, '{');
        json_object_foreach ((json_t *)(uintptr_t)value, name, item) {
            str_addf(out, "%s%s ", more ? ", " : "", name);
            write_value(out, item);
            more = true;
        }
        str_addc(out, '}');
    } else {
        json_write(out, value);
    }
}

/* `single`: what changed is one element of a list, or its coming or going. */
static void add_value(json_t *change, const char *from, const char *to, bool single)
{
    const json_t *value = json_object_get(change, from);
    struct str text = STR_INIT;
    if (json_is_array(value) && json_array_size(value) < 2 && single)
        value = json_array_get(value, 0);
    if (!value || (json_is_array(value) && !json_array_size(value)))
        str_adds(&text, "none");
    else
        write_value(&text, value);
    json_object_set_new(change, to, json_text(slice_str(&text)));
    str_release(&text);
}

/* "player[1]" is the second seat: its player's name. */
static void add_whose(json_t *change, const json_t *seats)
{
    const char *path = json_string_value(json_object_get(change, "path"));
    static const char player[] = "player[";
    if (!str_starts(path, player))
        return;
    const json_t *seat = json_array_get(seats, (size_t)strtoul(path + sizeof player - 1, NULL, 10));
    json_t *name = json_object_get(seat, "name");
    if (name)
        json_object_set(change, "whose", name);
}

static void add_values(json_t *changes, const json_t *facts)
{
    size_t i;
    json_t *change;
    bool fields = json_is_true(json_object_get(facts, "fields"));
    json_array_foreach (changes, i, change) {
        if (json_object_get(change, "spelled"))
            continue;
        bool single = json_array_size(json_object_get(change, "before")) < 2 &&
                      json_array_size(json_object_get(change, "after")) < 2;
        add_value(change, "before", "was", single);
        add_value(change, "after", "is", single);
        if (fields)
            add_whose(change, json_object_get(facts, "seats"));
    }
}

/* Long hex in lines: "<key>_lines". */
static void add_lines(json_t *facts, const char *key)
{
    struct str name = STR_INIT;
    const json_t *text = json_object_get(facts, key);
    json_t *list = json_array();
    struct slice rest = slice_of(json_is_string(text) ? json_string_value(text) : "");
    for (; rest.len; rest = slice_sub(rest, DIGITS, rest.len))
        json_array_append_new(list, json_pack("{s:o}", "line", json_text(slice_sub(rest, 0, DIGITS))));
    str_addf(&name, "%s_lines", key);
    json_object_set_new(facts, name.p, list);
    str_release(&name);
}

/* A record as the log has it, for a page: "paragraph", its lines, with "quote" for those that are shown
 * verbatim.
 */
static int add_paragraph(json_t *record, struct templates *templates, const char *folder, struct err *err)
{
    struct str text = STR_INIT;
    struct slice line;
    json_t *list = json_array();
    int rc =
        templates_piece(templates, &(struct template_name){folder, "log_record.txt"}, record, &text, err);
    struct slice rest = slice_str(&text);
    while (slice_line(&rest, &line)) {
        bool quote = slice_starts(line, "|");
        struct slice words = slice_trim(quote ? slice_sub(line, 1, line.len) : line);
        if (words.len)
            json_array_append_new(list, json_pack("{s:o,s:b}", "line", json_text(words), "quote", quote));
    }
    json_object_set_new(record, "paragraph", list);
    str_release(&text);
    return rc;
}

/* The picture, for pages alone; what it is made of is no fact of its own. */
static int add_board(json_t *facts, struct templates *templates, bool html, struct err *err)
{
    const json_t *board = json_object_get(facts, "board");
    struct str svg = STR_INIT;
    int rc = board && html ? board_draw(board, templates, &svg, err) : 0;
    if (rc == 0 && svg.len)
        json_object_set_new(facts, "svg", json_text(slice_str(&svg)));
    json_object_del(facts, "board");
    str_release(&svg);
    return rc;
}

int explain_words(json_t *facts, struct templates *templates, const char *folder, bool html, struct err *err)
{
    json_t *proof = json_object_get(facts, "proof");
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(facts, "story"), i, item) {
        if (add_words(item, templates, folder, err))
            return -1;
        add_values(json_object_get(item, "changes"), facts);
    }
    json_array_foreach (json_object_get(facts, "records"), i, item)
        if (html && add_paragraph(item, templates, folder, err))
            return -1;
    add_values(json_object_get(json_object_get(facts, "rest"), "changes"), facts);
    add_values(json_object_get(facts, "difference"), facts);
    json_object_set_new(facts, "differs",
                        json_boolean(json_array_size(json_object_get(facts, "difference"))));
    if (proof) {
        add_lines(proof, "pi");
        add_lines(proof, "root");
    }
    return add_board(facts, templates, html, err);
}
