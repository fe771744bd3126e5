/* What trust/dkim says of a mail, as a server for thousands of them in one process: on stdin "MAIL RECORD
 * ARRIVED\n", the lengths of a mail and of the key's record and when the mail came, then their bytes; on stdout
 * a line for each: "believed" and the digests of content and key, or the code of the last refusal. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/encode.h"
#include "base/reason.h"
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

static bool believe(const struct dkim_claims *claims, const struct str *record, json_t **refusal)
{
    struct dkim_key key;
    char content[2 * DKIM_DIGEST + 1], digest[2 * DKIM_DIGEST + 1];
    if (dkim_key_read(slice_str(record), &key, refusal) != OUTCOME_DONE)
        return false;
    for (size_t i = 0; i < claims->count; i++) {
        reason_clear(refusal);
        if (dkim_holds(&claims->list[i], &key, refusal) != OUTCOME_DONE)
            continue;
        hex_to(content, claims->list[i].content, DKIM_DIGEST);
        hex_to(digest, key.digest, DKIM_DIGEST);
        (void)printf("believed %s %s\n", content, digest);
        return true;
    }
    return false;
}

static void judge(const struct str *mail, const struct str *record, long long arrived)
{
    static struct dkim_claims claims;
    struct work work = WORK_INIT;
    json_t *refusal = NULL;
    if (dkim_read(slice_str(mail), arrived, &work, &claims, &refusal) != OUTCOME_DONE ||
        !believe(&claims, record, &refusal))
        (void)printf("%s\n", json_object_iter_key(json_object_iter(refusal)));
    reason_clear(&refusal);
    (void)fflush(stdout);
}

int main(void)
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
        judge(&mail, &record, arrived);
    }
    str_release(&mail);
    str_release(&record);
    return EXIT_SUCCESS;
}
