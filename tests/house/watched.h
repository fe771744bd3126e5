/* A house whose log is cosigned by watchers (house/watcher.h): it asks them by mail, and they answer. */
#ifndef TESTS_HOUSE_WATCHED_H
#define TESTS_HOUSE_WATCHED_H

#include "batch/witnessing.h"
#include "house/house.h"
#include "house/watcher.h"
#include "tlog/armor.h"

static inline const struct vkey *watched_log(struct house *h)
{
    return &league_log_policy(h->batch.tlog)->log[0].key;
}

static inline void watched_ask(struct house *h)
{
    struct err err = ERR_INIT;
    h->batch.now = h->now;
    ck_ok(witnessing_ask(&h->batch, &err), err);
}

/* The league has their lines in keys/witnesses. */
static inline void watched_know(struct house *h, const struct watcher *watchers, int count)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char *path = house_path(h, LEAGUE_WITNESSES);
    for (int i = 0; i < count; i++)
        watcher_line(&lines, &watchers[i]);
    ck_ok(file_write_soft(path, slice_str(&lines), 0600, &err), err);
    free(path);
    str_release(&lines);
}

/* The question in the spool to that witness; false: there is none. The last one, if there are several. */
static inline bool watched_question(struct house *h, const struct watcher *w, struct str *out)
{
    struct err err = ERR_INIT;
    struct str mails;
    bool found = false;
    ck_assert_int_ge(house_mails(h, w->name, &mails), 0);
    struct slice rest = slice_str(&mails);
    struct str one = STR_INIT;
    while (armored_next(&rest, WITNESS_REQUEST, &one, &err) == ARMORED_GOOD) {
        str_clear(out);
        str_addslice(out, slice_str(&one));
        found = true;
    }
    str_release(&one);
    str_release(&mails);
    return found;
}

/* What they answer to such a question; as a mail. */
static inline void watched_reply(struct house *h, struct watcher *w, const struct str *asked,
                                 struct str *mail)
{
    struct str said = STR_INIT;
    int status = watcher_answers(w, watched_log(h), slice_str(asked), h->now, &said);
    ck_assert_msg(status == 200 || status == 409, "%d", status);
    armored_write(mail, WITNESS_ANSWER, slice_str(&said));
    str_release(&said);
}

/* They answer what they were asked. */
static inline void watched_answer(struct house *h, struct watcher *w)
{
    struct str asked = STR_INIT, mail = STR_INIT;
    ck_assert_msg(watched_question(h, w, &asked), "%s is not asked", w->name);
    watched_reply(h, w, &asked, &mail);
    house_empty_spool(h);
    (void)house_mail(h, w->name, "dice", mail.p);
    str_release(&asked);
    str_release(&mail);
}

/* So many of them do, of those who were asked. */
static inline void watched_answers(struct house *h, struct watcher *watchers, int count)
{
    for (int i = 0; i < count; i++) {
        struct str asked = STR_INIT, mail = STR_INIT;
        ck_assert_msg(watched_question(h, &watchers[i], &asked), "%s is not asked", watchers[i].name);
        watched_reply(h, &watchers[i], &asked, &mail);
        (void)house_mail(h, watchers[i].name, "dice", mail.p);
        str_release(&asked);
        str_release(&mail);
    }
    house_empty_spool(h);
}

#endif
