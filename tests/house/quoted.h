/* Mails of ours, answered as they came: nothing about them has to be known (house/answers.h). */
#ifndef TESTS_HOUSE_QUOTED_H
#define TESTS_HOUSE_QUOTED_H

#include "house/answers.h"

/* A mail of ours. */
struct ours {
    char to[128], subject[200]; /* where an answer goes, and its subject */
    struct str text;
};

/* The mails in the spool that are Anna's, with these words in their text or subject (NULL: any); the last of them. How
 * many. The caller releases `text`, if there are any. */
static inline int find_ours(struct ours *ours, const char *words)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    int found = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing letter;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &letter, &err), err);
        ck_ok(message_parse(slice_str(&letter.mail), &message_limits_default, &(struct message_identity){0},
                            &msg, &err),
              err);
        bool is = strcmp(letter.envelope_to, "anna@mail.test") == 0 &&
                  (!words || house_says(msg.parts[0].shown.p, words) || house_says(msg.subject, words));
        if (is && found++)
            str_release(&ours->text);
        if (is) {
            const char *at = strstr(letter.mail.p, "\r\nReply-To: ");
            (void)snprintf(ours->to, sizeof ours->to, "%.*s", (int)strcspn(at + 12, "\r"), at + 12);
            (void)snprintf(ours->subject, sizeof ours->subject, "Re: %s", msg.subject);
            str_init(&ours->text);
            str_addslice(&ours->text, slice_str(&msg.parts[0].shown));
        }
        message_release(&msg);
        outgoing_release(&letter);
    }
    spool_list_free(&list);
    return found;
}

/* The only one. */
static inline void read_ours(struct ours *ours)
{
    ck_assert_int_eq(find_ours(ours, NULL), 1);
}

static inline void add_quote(struct str *body, const struct ours *ours)
{
    struct slice rest = slice_str(&ours->text), line;
    str_adds(body, "\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n");
    while (slice_line(&rest, &line))
        str_addf(body, "> %.*s\r\n", (int)line.len, line.p);
}

/* Anna's mail, with that mail of ours quoted below. */
static inline enum intake_fate write_mail(const char *to, const char *subject, const char *typed,
                                          const struct ours *quoted)
{
    struct str body = STR_INIT;
    str_addf(&body, "%s\r\n", typed);
    if (quoted)
        add_quote(&body, quoted);
    house.now += 60;
    str_clear(&mail);
    domain_letter(&domain,
                  &(struct domain_letter){"anna", "mail.test", to, subject, house.now, body.p, NULL, 0},
                  &mail);
    house.mails++;
    str_release(&body);
    return house_raw(&house, slice_str(&mail));
}

/* The answer to it; what was in the spool is gone. */
static inline enum intake_fate answer_ours(const struct ours *ours, const char *typed)
{
    house_empty_spool(&house);
    return write_mail(ours->to, ours->subject, typed, ours);
}

/* A mail of her own. */
static inline enum intake_fate write_plain(const char *subject, const char *text)
{
    house_empty_spool(&house);
    return write_mail(HOUSE_ADDRESS, subject, text, NULL);
}

#endif
