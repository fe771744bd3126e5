/* What people other than some see of a league, with what is random by nature masked: for tests that compare.
 */
#ifndef TESTS_HOUSE_MASKED_H
#define TESTS_HOUSE_MASKED_H

#include "house/house.h"

/* Runs of 16 and more hex digits. */
static inline void mask_hex(struct str *text)
{
    size_t run = 0;
    for (size_t i = 0; i <= text->len; i++) {
        char c = i < text->len ? text->p[i] : ' ';
        bool digit = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
        if (digit) {
            run++;
            continue;
        }
        if (run >= 16)
            memset(text->p + i - run, '#', run);
        run = 0;
    }
}

static inline void mask_between(struct str *text, const char *from, const char *to)
{
    char *at = text->p;
    while ((at = strstr(at, from))) {
        at += strlen(from);
        char *stop = strstr(at, to);
        ck_assert_ptr_nonnull(stop);
        for (; at < stop; at++)
            if (*at != '\n' && *at != '\r')
                *at = '#';
    }
}

/* The raw mails in the spool that are not for these two, with their envelopes and in their order. */
static inline void others_mails(struct house *h, const char *one, const char *two, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    ck_ok(spool_due(h->batch.spool, h->now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(h->batch.spool, list.path[i], &mail, &err), err);
        if (!str_starts(mail.envelope_to, one) && !str_starts(mail.envelope_to, two))
            str_addf(out, "%s %s %s\n%s\n", mail.id, mail.envelope_from, mail.envelope_to, mail.mail.p);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    mask_hex(out);
    mask_between(out, "-----BEGIN SSH SIGNATURE-----", "-----END");
}

#endif
