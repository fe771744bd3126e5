/* What is decided about a mail, for the log of mails (batch/mail_log.h): what was said about each of its
 * texts, gathered on the mail's way through intake, and at its end one verdict. No mail is without: the
 * verdict follows from where the mail goes, and what was said only explains it. */
#ifndef INTAKE_VERDICT_H
#define INTAKE_VERDICT_H

#include <jansson.h>

#include "intake/intake.h"
#include "intake/silence.h"
#include "journal/catalog.h"
#include "orders/frame.h"

struct verdict {
    struct str words;     /* "orders gc-1 turn 5: taken; press gc-1: refused_petition (press_long)" */
    struct str about;     /* the text at hand, "" = the mail */
    bool told;            /* something was said about it */
    enum silence silence; /* what was said of why nobody is answered; SILENCE_NONE: nothing */
};
void verdict_init(struct verdict *verdict);
void verdict_release(struct verdict *verdict);
/* The next text: what is said from here on is about that one. */
void verdict_about(struct verdict *verdict, const struct frame *frame);
/* What was decided about the text at hand, or what it is answered with: the first word counts. `why` is the
 * reason of a refusal (base/reason.h), borrowed, or NULL. */
void verdict_say(struct verdict *verdict, const char *word, const json_t *why);

/* Where the mail goes. */
struct verdict_end {
    enum intake_fate fate;
    enum message_kind kind;
    bool ours;  /* a player's signature was good in it */
    bool known; /* it, or the same mail before it, was dealt with in an earlier visit */
    bool
        answered; /* a mail leaves because of it to its writer or to whom it concerns: an answer, a receipt */
    bool spent;   /* a mail to its writer was made and did not leave, as the day's were used up */
};
/* Why nobody is answered: each end has an answer or a reason. */
enum silence verdict_silence(const struct verdict *verdict, const struct verdict_end *end);
/* Does somebody wait for an answer who gets none? */
bool verdict_is_felt(const struct verdict *verdict, const struct verdict_end *end);
enum catalog_verdict verdict_of(const struct verdict *verdict, const struct verdict_end *end);
/* The words of the line: safe text of at most `size` - 1 bytes. */
void verdict_words(const struct verdict *verdict, const struct verdict_end *end, char *out, size_t size);

#endif
