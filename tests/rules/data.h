/* What the suites of all card files and templates ask: mistakes in cards.json are reported with card and
 * field; every event and refusal of the golden cases has its words, and all words are used. */
#ifndef TESTS_RULES_DATA_H
#define TESTS_RULES_DATA_H

#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "rules/ruleset.h"
#include "suite.h"

/* ---- cards.json ---- */

struct mistake {
    const char *path;  /* members and indices to the member to change, '/' between */
    const char *value; /* JSON */
    const char *error; /* NULL: no mistake, operators may say so */
};

/* The built-in cards.json; new reference. */
static inline json_t *card_file(const struct ruleset *rules)
{
    struct err err = ERR_INIT;
    json_t *json = json_read(ruleset_cards(rules), "cards.json", &err);
    ck_assert_msg(json, "%s", err.text);
    return json;
}

static inline void card_file_change(json_t *root, const char *path, const char *value)
{
    json_t *at = root;
    json_t *new_value = json_loads(value, JSON_DECODE_ANY, NULL);
    ck_assert_ptr_nonnull(new_value);
    for (;;) {
        size_t len = strcspn(path, "/");
        char *key = mem_strndup(path, len);
        bool last = path[len] == '\0';
        if (json_is_array(at) && last)
            json_array_set_new(at, strtoul(key, NULL, 10), new_value);
        else if (last)
            json_object_set_new(at, key, new_value);
        else
            at = json_is_array(at) ? json_array_get(at, strtoul(key, NULL, 10)) : json_object_get(at, key);
        free(key);
        if (last)
            return;
        ck_assert_ptr_nonnull(at);
        path += len + 1;
    }
}

static inline void check_mistake(const struct ruleset *rules, const struct mistake *mistake)
{
    void *cards = mem_alloc(rules->cards_size);
    struct err err = ERR_INIT;
    json_t *json = card_file(rules);
    card_file_change(json, mistake->path, mistake->value);
    int rc = rules->cards_load(json, cards, &err);
    if (mistake->error) {
        ck_assert_int_lt(rc, 0);
        ck_assert_str_eq(err.text, mistake->error);
    } else {
        ck_ok(rc, err);
    }
    json_decref(json);
    free(cards);
}

/* ---- templates ---- */

static inline bool has_section(const char *folder, const char *file, const char *name)
{
    struct str path = STR_INIT, tag = STR_INIT;
    str_addf(&path, "templates/%s/%s", folder, file);
    str_addf(&tag, "\n{{#%s}}\n", name);
    struct slice text = embed_find(path.p);
    ck_assert_msg(text.len > 0, "no template %s", path.p);
    bool found = slice_find(text, tag.p) != (size_t)-1;
    str_release(&path);
    str_release(&tag);
    return found;
}

static inline bool has_refusal(const struct ruleset *rules, const char *reason)
{
    return has_section("common", "refusals_all.txt", reason) ||
           has_section(rules->folder, "refusals.txt", reason);
}

/* The reason of a refused answer is a parameter with the value 1. */
static inline void check_answer_words(const struct ruleset *rules, const json_t *event, json_t *used)
{
    const char *key;
    json_t *value;
    bool found = false;
    json_object_foreach ((json_t *)(uintptr_t)event, key, value) {
        if (json_integer_value(value) != 1 || !has_refusal(rules, key))
            continue;
        json_object_set_new(used, key, json_true());
        found = true;
    }
    ck_assert_msg(found, "an answer is refused without words");
}

/* The words that an event needs have to be there; those it uses go to `used`. */
static inline void check_event_words(const struct ruleset *rules, const json_t *event, json_t *used)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    const char *reason = json_string_value(json_object_get(event, "reason"));
    json_object_set_new(used, type, json_true());
    if (reason) {
        json_object_set_new(used, reason, json_true());
        ck_assert_msg(has_refusal(rules, reason), "refusals.txt has no words for %s", reason);
    }
    if (strcmp(type, "answer_refused") == 0)
        check_answer_words(rules, event, used);
    else if (json_object_get(event, "order")) /* the fate of a line: its words are common ones */
        return;
    ck_assert_msg(has_section(rules->folder, "events.txt", type), "events.txt has no words for %s", type);
}

static inline void check_golden_words(const struct ruleset *rules, json_t *used)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *dir = path_join("tests/golden", rules->folder);
    ck_ok(file_list(dir, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        if (!str_ends(names.name[i], ".out"))
            continue;
        char *path = path_join(dir, names.name[i]);
        json_t *steps = json_read_file(path, &err);
        ck_assert_msg(steps, "%s", err.text);
        size_t s, e;
        json_t *step, *event;
        json_array_foreach (steps, s, step) {
            json_array_foreach (json_object_get(step, "events"), e, event) {
                check_event_words(rules, event, used);
            }
        }
        json_decref(steps);
        free(path);
    }
    file_names_free(&names);
    free(dir);
}

/* `elsewhere`: words that no golden case shows, NULL at their end. */
static inline void check_all_words(const struct ruleset *rules, const char *const *elsewhere)
{
    static const char *const files[] = {"events.txt", "refusals.txt"};
    json_t *used = json_object();
    check_golden_words(rules, used);
    for (; *elsewhere; elsewhere++)
        json_object_set_new(used, *elsewhere, json_true());
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct str path = STR_INIT;
        str_addf(&path, "templates/%s/%s", rules->folder, files[i]);
        struct slice rest = embed_find(path.p);
        struct slice line;
        while (slice_line(&rest, &line)) {
            if (!slice_starts(line, "{{#") || slice_find(line, "}}") != line.len - 2)
                continue;
            char *name = slice_dup(slice_sub(line, 3, line.len - 5));
            ck_assert_msg(json_object_get(used, name), "%s: no golden case shows %s", path.p, name);
            free(name);
        }
        str_release(&path);
    }
    json_decref(used);
}

#endif
