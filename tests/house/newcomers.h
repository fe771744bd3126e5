/* A league with one player, anna, and the texts in its mails that are ready to be signed. */
#ifndef TESTS_HOUSE_NEWCOMERS_H
#define TESTS_HOUSE_NEWCOMERS_H

#include "house/house.h"

static struct house house;

static inline void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = anna dora mona");
    house_player(&house, "anna");
    house_restart(&house);
}

static inline void end(void)
{
    house_close(&house);
}

/* The text that a mail to that person holds, ready to be signed: from "#turnpost" to "#end". */
static inline void take_form(const char *name, struct str *text)
{
    struct str mails;
    ck_assert_int_eq(house_mails(&house, name, &mails), 1);
    const char *at = strstr(mails.p, "#turnpost "), *end = at ? strstr(at, "#end\n") : NULL;
    ck_assert_msg(end != NULL, "no text in\n%s", mails.p);
    str_init(text);
    str_addf(text, "%.*s", (int)(end + 5 - at), at);
    str_release(&mails);
    house_empty_spool(&house);
}

/* The text with one line in another form. */
static inline void changed(const struct str *text, const char *line, const char *value, struct str *out)
{
    const char *at = strstr(text->p, line);
    ck_assert_ptr_nonnull(at);
    str_init(out);
    str_addf(out, "%.*s%s%s%s", (int)(at - text->p), text->p, line, value, at + strcspn(at, "\n"));
}

static inline size_t count_files(const char *folder)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *dir = path_join(house.dir, folder);
    ck_ok(file_list(dir, &names, &err), err);
    size_t count = names.count;
    file_names_free(&names);
    free(dir);
    return count;
}

#endif
