/* What trust/dkim says of a mail, as a server for thousands of them in one process: on stdin "MAIL RECORD
 * ARRIVED\n", the lengths of a mail and of the key's record and when the mail came, then their bytes; on stdout
 * a line for each: "believed" and the digests of content and key, or the code of the last refusal. With an
 * argument, the nonce of the mail that is answered, a line goes on with what the cutter makes of a mail that is
 * believed: its fate as a number (mail/reply.h), and what was typed, in hex. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/encode.h"
#include "base/reason.h"
#include "mail/reply.h"
#include "trust/dkim.h"

#define MOST (4L << 20)

static bool read_bytes(struct str *out, long len)
{
    str_clear(out);
    str_reserve(out, (size_t)len);
    out->len = fread(out->p, 1, (size_t)len, stdin);
    out->p[out->len] = '\0';
    return out->len == (size_t)len;
}

static void cut(const struct dkim_claim *claim, struct slice raw, const char *nonce)
{
    struct reply_mail mail;
    struct reply reply;
    struct str body = STR_INIT, hex = STR_INIT;
    struct err err = ERR_INIT;
    reply_fields(raw, &mail);
    dkim_body(&body, raw, claim);
    mail.body = slice_str(&body);
    mail.type_signed = !(claim->open & DKIM_OPEN_TYPE);
    mail.encoding_signed = !(claim->open & DKIM_OPEN_ENCODING);
    if (reply_cut(REPLY_VERSION, &mail, slice_of(nonce), &reply, &err))
        exit(EXIT_FAILURE);
    str_reserve(&hex, 2 * reply.typed.len + 1);
    hex_to(hex.p, (const unsigned char *)reply.typed.p, reply.typed.len);
    (void)printf(" %d %s", (int)reply.fate, hex.p);
    reply_release(&reply);
    str_release(&body);
    str_release(&hex);
}

struct asked {
    const struct str *mail, *record;
    const char *nonce; /* or NULL */
};

static bool believe(const struct dkim_claims *claims, const struct asked *asked, json_t **refusal)
{
    struct dkim_key key;
    char content[2 * DKIM_DIGEST + 1], digest[2 * DKIM_DIGEST + 1];
    if (dkim_key_read(slice_str(asked->record), &key, refusal) != OUTCOME_DONE)
        return false;
    for (size_t i = 0; i < claims->count; i++) {
        reason_clear(refusal);
        if (dkim_holds(&claims->list[i], &key, refusal) != OUTCOME_DONE)
            continue;
        hex_to(content, claims->list[i].content, DKIM_DIGEST);
        hex_to(digest, key.digest, DKIM_DIGEST);
        (void)printf("believed %s %s", content, digest);
        if (asked->nonce)
            cut(&claims->list[i], slice_str(asked->mail), asked->nonce);
        (void)printf("\n");
        return true;
    }
    return false;
}

static void judge(const struct asked *asked, long long arrived)
{
    static struct dkim_claims claims;
    struct work work = WORK_INIT;
    json_t *refusal = NULL;
    if (dkim_read(slice_str(asked->mail), arrived, &work, &claims, &refusal) != OUTCOME_DONE ||
        !believe(&claims, asked, &refusal))
        (void)printf("%s\n", json_object_iter_key(json_object_iter(refusal)));
    reason_clear(&refusal);
    (void)fflush(stdout);
}

int main(int argc, char **argv)
{
    struct str mail = STR_INIT, record = STR_INIT;
    long mail_len, record_len;
    long long arrived;
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    while (scanf("%ld %ld %lld", &mail_len, &record_len, &arrived) == 3 &&
           getchar() == '\n') { // NOLINT(cert-err34-c)
        if (mail_len < 0 || mail_len > MOST || record_len < 0 || record_len > MOST ||
            !read_bytes(&mail, mail_len) || !read_bytes(&record, record_len))
            return EXIT_FAILURE;
        judge(&(struct asked){&mail, &record, argc > 1 ? argv[1] : NULL}, arrived);
    }
    str_release(&mail);
    str_release(&record);
    return EXIT_SUCCESS;
}
