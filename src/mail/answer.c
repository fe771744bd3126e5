#include "mail/answer.h"

#include "mail/status.h"

/* "550 5.4.5 words" or "550-5.4.5 words": the reply code, 0 = none, and the status, of class 0 where there is none. */
static int read_answer(struct slice words, struct mail_status *status)
{
    int reply = 0;
    *status = (struct mail_status){0};
    for (size_t i = 0; i < 3; i++) {
        if (i >= words.len || words.p[i] < '0' || words.p[i] > '9')
            return 0;
        reply = reply * 10 + (words.p[i] - '0');
    }
    if (words.len > 4 && (words.p[3] == ' ' || words.p[3] == '-'))
        (void)status_read(slice_sub(words, 4, words.len), status);
    return reply;
}

/* Without a status that says more. The server has not seen the recipient before RCPT, nor the mail before its text. */
static enum answer_about by_stage(int reply, enum dial_stage stage)
{
    if (stage <= DIAL_MAIL)
        return reply == 552 ? ABOUT_MAIL : reply == 452 ? ABOUT_NOW : ABOUT_US; /* its SIZE is said there */
    if (reply < 500)
        return ABOUT_NOW;
    if (stage == DIAL_RCPT)
        return reply == 552 ? ABOUT_NOW
               : reply == 501 || reply == 550 || reply == 551 || reply == 553 || reply == 556
                   ? ABOUT_RECIPIENT
               : reply == 521 ? ABOUT_US
                              : ABOUT_UNSURE;
    return reply == 552 ? ABOUT_MAIL : ABOUT_UNSURE;
}

/* What a code says by itself: the first row that fits. */
static const struct {
    int subject, from, to; /* details */
    enum answer_about about;
} codes[] = {
    {1, 7, 8, ABOUT_US},                                /* the sender's address */
    {1, 0, 999, ABOUT_RECIPIENT}, {2, 2, 2, ABOUT_NOW}, /* it is full */
    {2, 3, 3, ABOUT_MAIL},        {2, 0, 4, ABOUT_RECIPIENT},
    {3, 0, 0, ABOUT_UNSURE},      {3, 1, 1, ABOUT_NOW}, /* the server's disk is full */
    {3, 3, 4, ABOUT_MAIL},        {3, 0, 999, ABOUT_US},
    {4, 3, 3, ABOUT_NOW},                              /* the server's directory */
    {4, 5, 5, ABOUT_US},                               /* too much in a time */
    {4, 0, 999, ABOUT_RECIPIENT}, {5, 3, 3, ABOUT_US}, /* too many recipients: each mail of ours has one */
    {5, 6, 6, ABOUT_MAIL},        {6, 0, 999, ABOUT_MAIL},
    {7, 2, 2, ABOUT_RECIPIENT},   /* lists */
    {7, 3, 7, ABOUT_MAIL},        /* conversion, encryption, integrity of the text */
    {7, 8, 14, ABOUT_US},         /* login and account */
    {7, 15, 16, ABOUT_MAIL},      /* its priority */
    {7, 17, 19, ABOUT_RECIPIENT}, /* the mailbox, or its domain, has another owner */
    {7, 20, 29, ABOUT_US},        /* DKIM, SPF, reverse DNS, floods (RFC 7372 and others) */
    {7, 30, 30, ABOUT_MAIL},      {7, 60, 60, ABOUT_US}, /* "may not send as this sender" */
};

static enum answer_about by_code(const struct mail_status *status)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (status->subject == codes[i].subject && status->detail >= codes[i].from &&
            status->detail <= codes[i].to)
            return codes[i].about;
    return ABOUT_UNSURE;
}

enum answer_about answer_about(struct slice words, enum dial_stage stage)
{
    struct mail_status status;
    int reply = read_answer(words, &status);
    bool now = reply < 500 || status.class == 4;
    if (!status.class || status.subject == 0)
        return by_stage(reply, stage);
    enum answer_about about = by_code(&status);
    if (stage == DIAL_RCPT && status.subject == 5 && (status.detail == 2 || status.detail == 4))
        about = ABOUT_RECIPIENT; /* its address is no address to them */
    if (stage <= DIAL_MAIL && about != ABOUT_MAIL && about != ABOUT_NOW)
        return reply == 452 ? ABOUT_NOW : ABOUT_US; /* a recipient is not known yet */
    if (!now)
        return about;
    /* For now: what is about one mail or its receiver is only put off. Nobody sends too much to one of ours (X.5.3). */
    return about == ABOUT_US && status.subject != 5 ? ABOUT_US : ABOUT_NOW;
}

bool answer_printed(struct slice text, enum answer_about *about)
{
    struct mail_status status;
    for (size_t i = 0; i + 8 < text.len; i++) {
        struct slice rest = slice_sub(text, i, text.len);
        bool whole = i == 0 || text.p[i - 1] < '0' || text.p[i - 1] > '9';
        if (whole && (text.p[i] == '4' || text.p[i] == '5') && read_answer(rest, &status) >= 400 &&
            status.class) {
            *about = answer_about(rest, DIAL_RCPT); /* which command it answers is not known */
            return true;
        }
    }
    return false;
}
