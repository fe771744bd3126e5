/* What people other than some see of a league, with what is random by nature masked: for tests that compare.
 */
#ifndef TESTS_HOUSE_MASKED_H
#define TESTS_HOUSE_MASKED_H

#include "house/house.h"
#include "letters/opening.h"

/* Runs of 12 and more hex digits. */
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
        if (run >= 12)
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

/* What opens reports, as it is when it is unpacked. */
static inline void unpack_openings(struct str *text)
{
    static const char begin[] = "-----BEGIN TURNPOST REPORT";
    struct str out = STR_INIT, opens = STR_INIT;
    struct slice rest = slice_str(text);
    struct err err = ERR_INIT;
    for (size_t at; (at = slice_find(rest, begin)) != (size_t)-1;) {
        str_addslice(&out, slice_sub(rest, 0, at));
        rest = slice_sub(rest, at, rest.len);
        ck_assert_int_eq(opening_next(&rest, &opens, &err), ARMORED_GOOD);
        str_addslice(&out, slice_str(&opens));
    }
    str_addslice(&out, rest);
    str_release(text);
    *text = out;
    str_release(&opens);
    mask_between(text, "\"box\":\"", "\"");
}

static inline int by_text(const void *a, const void *b)
{
    return strcmp(((const struct str *)a)->p, ((const struct str *)b)->p);
}

/* The raw mails in the spool that are not for these two, masked, with their envelopes. They are sorted by what is not masked, as
 * the spool's order is that of their ids. */
static inline void others_mails(struct house *h, const char *one, const char *two, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    struct str *texts;
    size_t count = 0;
    ck_ok(spool_due(h->batch.spool, h->now, &list, &err), err);
    texts = mem_array(list.count + 1, sizeof *texts);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(h->batch.spool, list.path[i], &mail, &err), err);
        if (!str_starts(mail.envelope_to, one) && !str_starts(mail.envelope_to, two)) {
            struct str *text = &texts[count++];
            *text = (struct str)STR_INIT;
            str_addf(text, "%s %s %s\n%s\n", mail.id, mail.envelope_from, mail.envelope_to, mail.mail.p);
            unpack_openings(text);
            mask_hex(text);
        }
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    qsort(texts, count, sizeof *texts, by_text);
    for (size_t i = 0; i < count; i++) {
        str_addslice(out, slice_str(&texts[i]));
        str_release(&texts[i]);
    }
    free(texts);
}

#endif
