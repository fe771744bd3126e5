/* What a mail server's refusal is about: its receiver, the mail, or us. That decides what becomes of the mail (README, "What a
 * refusal is about"). By the enhanced status code (mail/status.h, RFC 2034); where there is none, by the command that
 * was refused (RFC 5321 section 4.2.2). Private to mail/. */
#ifndef MAIL_ANSWER_H
#define MAIL_ANSWER_H

#include "mail/dial.h"

enum answer_about {
    ABOUT_RECIPIENT, /* there is no such mailbox, or it takes no mail */
    ABOUT_MAIL,      /* it is too large, or of a wrong form */
    ABOUT_NOW,       /* not now, or not yet: only this mail */
    ABOUT_US, /* our address, our login, the day's limit, the server itself: no other mail would fare better */
    ABOUT_UNSURE /* policy, or nothing that can be told: this mail, or us */
};
/* Of a refusal (4xx, 5xx) in a session: `words` begin with the three digits. */
enum answer_about answer_about(struct slice words, enum dial_stage stage);
/* Of what a program printed that sends mail: the first answer with an enhanced status code in it. False: there is
 * none. */
bool answer_printed(struct slice text, enum answer_about *about);

#endif
