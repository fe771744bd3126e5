/* Facts of a turn made ready for templates. */
#include <string.h>

#include "base/json.h"
#include "engine/explain.h"

#define DIGITS 64 /* hex digits on a line */

/* The event in words, as one line: what a report has as "* words". */
static int add_words(json_t *item, struct templates *templates, const char *folder, struct err *err)
{
    struct str text = STR_INIT;
    struct str words = STR_INIT;
    struct slice word;
    int rc = templates_piece(templates, folder, "news.txt", json_object_get(item, "news"), &text, err);
    struct slice rest = slice_trim(slice_str(&text));
    if (slice_starts(rest, "* "))
        rest = slice_sub(rest, 2, rest.len);
    while (slice_word(&rest, &word)) {
        if (words.len)
            str_addc(&words, ' ');
        str_addslice(&words, word);
    }
    json_object_set_new(item, "words", json_text(slice_str(&words)));
    str_release(&text);
    str_release(&words);
    return rc;
}

static void add_value(json_t *change, const char *from, const char *to)
{
    const json_t *value = json_object_get(change, from);
    struct str text = STR_INIT;
    if (json_is_string(value))
        str_adds(&text, json_string_value(value));
    else if (json_array_size(value) == 1 && json_is_integer(json_array_get(value, 0)))
        json_write(&text, json_array_get(value, 0));
    else if (value && (!json_is_array(value) || json_array_size(value)))
        json_write(&text, value);
    json_object_set_new(change, to, json_text(slice_of(text.len ? text.p : "nothing")));
    str_release(&text);
}

static void add_values(json_t *changes)
{
    size_t i;
    json_t *change;
    json_array_foreach (changes, i, change) {
        add_value(change, "before", "was");
        add_value(change, "after", "is");
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

int explain_words(json_t *facts, struct templates *templates, const char *folder, struct err *err)
{
    json_t *proof = json_object_get(facts, "proof");
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(facts, "story"), i, item) {
        if (add_words(item, templates, folder, err))
            return -1;
        add_values(json_object_get(item, "changes"));
    }
    add_values(json_object_get(json_object_get(facts, "rest"), "changes"));
    add_values(json_object_get(facts, "changes"));
    if (proof) {
        add_lines(proof, "pi");
        add_lines(proof, "root");
    }
    return 0;
}
