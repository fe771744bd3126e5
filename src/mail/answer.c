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

/* X.7: who refuses for a reason of theirs. */
static enum answer_about by_policy(int detail)
{
    switch (detail) {
    case 2:  /* lists */
    case 17: /* the mailbox, or its domain, has another owner */
    case 18:
    case 19: return ABOUT_RECIPIENT;
    case 3: /* conversion, encryption, integrity of the text */
    case 4:
    case 5:
    case 6:
    case 7:
    case 15: /* its priority */
    case 16:
    case 30: return ABOUT_MAIL;
    default: break;
    }
    /* Login and account; DKIM, SPF, reverse DNS, floods (RFC 7372 and others); "may not send as this sender". */
    return (detail >= 8 && detail <= 14) || (detail >= 20 && detail <= 29) || detail == 60 ? ABOUT_US
                                                                                           : ABOUT_UNSURE;
}

/* What the code says by itself; UNSURE: nothing more than the stage. */
static enum answer_about by_code(const struct mail_status *status, enum dial_stage stage)
{
    int detail = status->detail;
    switch (status->subject) {
    case 1: return detail == 7 || detail == 8 ? ABOUT_US : ABOUT_RECIPIENT;
    case 2:
        return detail == 2   ? ABOUT_NOW
               : detail == 3 ? ABOUT_MAIL
               : detail < 5  ? ABOUT_RECIPIENT
                             : ABOUT_UNSURE;
    case 3:
        return detail == 1                  ? ABOUT_NOW
               : detail == 3 || detail == 4 ? ABOUT_MAIL
               : detail == 0                ? ABOUT_UNSURE
                                            : ABOUT_US;
    case 4: return detail == 5 ? ABOUT_US : detail == 3 ? ABOUT_NOW : ABOUT_RECIPIENT;
    case 5:
        return detail == 3                                          ? ABOUT_US
               : detail == 6                                        ? ABOUT_MAIL
               : stage == DIAL_RCPT && (detail == 2 || detail == 4) ? ABOUT_RECIPIENT
                                                                    : ABOUT_UNSURE;
    case 6: return ABOUT_MAIL;
    case 7: return by_policy(detail);
    default: return ABOUT_UNSURE;
    }
}

enum answer_about answer_about(struct slice words, enum dial_stage stage)
{
    struct mail_status status;
    int reply = read_answer(words, &status);
    bool now = reply < 500 || status.class == 4;
    if (!status.class || status.subject == 0)
        return by_stage(reply, stage);
    enum answer_about about = by_code(&status, stage);
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
