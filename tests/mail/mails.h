/* What the suites of mail/ share: parsing a mail written down in C. */
#ifndef TESTS_MAIL_MAILS_H
#define TESTS_MAIL_MAILS_H

#include <string.h>
#include <time.h>

#include "mail/message.h"
#include "suite.h"

#define MAILS_LOOP "league.example.org"

static const char *const mails_own[] = {"league@example.org", "bounces@example.org"};

/* A parsed mail; the suite releases it with mail_free. */
struct parsed {
    struct message msg;
    struct err err;
    int result;
};

static inline struct parsed mail_read_limited(struct slice raw, const struct message_limits *limits)
{
    struct parsed p = {.err = ERR_INIT};
    p.result =
        message_parse(raw, limits, &(struct message_identity){mails_own, 2, MAILS_LOOP, 0}, &p.msg, &p.err);
    return p;
}

static inline struct parsed mail_read(struct slice raw)
{
    return mail_read_limited(raw, &message_limits_default);
}

/* As mail_read, and the mail must be readable. */
static inline struct parsed mail_good(const char *text)
{
    struct parsed p = mail_read(slice_of(text));
    ck_ok(p.result, p.err);
    return p;
}

static inline void mail_free(struct parsed *p)
{
    message_release(&p->msg);
}

/* A person's mail with these further fields and this body. */
static inline struct parsed mail_with(const char *fields, const char *body)
{
    struct str text = STR_INIT;
    str_addf(&text, "From: alice@example.org\n%s\n%s", fields, body);
    struct parsed p = mail_good(text.p);
    str_release(&text);
    return p;
}

/* Called twice: leaves the processor seconds between the two calls. */
static inline void mails_clock(double *seconds)
{
    *seconds = (double)clock() / CLOCKS_PER_SEC - *seconds;
}

#define ck_str_eq(s, text) ck_slice_eq(slice_str(&(s)), text)

#endif
