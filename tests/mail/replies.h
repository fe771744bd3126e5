/* Replies as mail programs write them (tests/mail/replies): X.eml, and in X.json what must come of it. */
#ifndef TESTS_MAIL_REPLIES_H
#define TESTS_MAIL_REPLIES_H

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "suite.h"

#define REPLIES "tests/mail/replies"

/* Calls `see` with each mail and its expectations, all borrowed. */
static inline void replies_each(void (*see)(const char *name, struct slice raw, const json_t *want))
{
    struct file_names names;
    struct err err = ERR_INIT;
    size_t seen = 0;
    ck_ok(file_list(REPLIES, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        if (!str_ends(names.name[i], ".eml"))
            continue;
        struct str raw = STR_INIT, path = STR_INIT;
        str_addf(&path, REPLIES "/%s", names.name[i]);
        ck_ok(file_read(path.p, 1 << 20, &raw, &err), err);
        str_cut(&path, path.len - strlen("eml"));
        str_adds(&path, "json");
        json_t *want = json_read_file(path.p, &err);
        ck_assert_msg(want != NULL, "%s", err.text);
        see(names.name[i], slice_str(&raw), want);
        seen++;
        json_decref(want);
        str_release(&raw);
        str_release(&path);
    }
    ck_assert_uint_gt(seen, 12);
    file_names_free(&names);
}

static inline const char *replies_text(const json_t *want, const char *name)
{
    const char *text = json_string_value(json_object_get(want, name));
    ck_assert_ptr_nonnull(text);
    return text;
}

/* Appends the strings of a list as lines; none where there is none. */
static inline void replies_lines(struct str *out, const json_t *want, const char *name)
{
    const json_t *list = json_object_get(want, name);
    for (size_t i = 0; i < json_array_size(list); i++)
        str_addf(out, "%s\n", json_string_value(json_array_get(list, i)));
}

#endif
