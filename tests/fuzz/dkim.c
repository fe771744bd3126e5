/* Fuzz target: a mail with the signature of its domain, and the record of the domain's key. The bytes are a line,
 * the record, and then the mail. What is believed with a key of
 * RFC 8463 must be the sample there, the one mail of this age that it signed. */
#include "need.h"

#include <string.h>
#include <time.h>

#include "base/reason.h"
#include "base/utf8.h"
#include "mail/message.h"
#include "trust/dkim.h"
#include "trust/dkim_parts.h"

#define ARRIVED 1795000000

/* The keys of RFC 8463. */
static const char *const keys[] = {
    "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=",
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/"
    "byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT"
    "+l/K4w3QIDAQAB"};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    mail_begin();
    return 0;
}

static void need_reason(json_t *refusal)
{
    need(json_object_size(refusal) == 1);
    need(strncmp(json_object_iter_key(json_object_iter(refusal)), "dkim_", 5) == 0);
}

static void check_claim(const struct dkim_claim *claim, struct slice mail)
{
    struct mailbox again;
    char address[MAILBOX_LOCAL + MAILBOX_DOMAIN];
    (void)snprintf(address, sizeof address, "%s@%s", claim->from.local, claim->from.domain);
    need(mailbox_parse(slice_of(address), &again) && mailbox_equal(&again, &claim->from));
    need(slice_find(mail, claim->from.local) < mail.len);
    need(*claim->selector && *claim->names && utf8_valid(slice_of(claim->names)));
    need(claim->expires < 0 || claim->expires >= ARRIVED);
    need(claim->made <= ARRIVED + DKIM_SLOP);
    need(claim->sig_len > 0 && claim->sig_len <= sizeof claim->sig);
}

/* Who wrote it is read twice in this program; where a signature may count, both are of one mind, or the other one
 * knows nobody. */
static void check_sender(const struct dkim_claim *claim, struct slice mail)
{
    struct message msg;
    struct err err = ERR_INIT;
    char address[MAILBOX_LOCAL + MAILBOX_DOMAIN];
    (void)snprintf(address, sizeof address, "%s@%s", claim->from.local, claim->from.domain);
    (void)!message_parse(mail, &message_limits_default, &(struct message_identity){NULL, 0, NULL, 0}, &msg,
                         &err);
    need(!*msg.from || strcmp(msg.from, address) == 0);
    message_release(&msg);
}

/* Nobody but its owner signs with it; the sample of RFC 8463 is the one mail that there is. */
static void check_believed(const struct dkim_claim *claim, struct slice record)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (slice_find(record, keys[i]) < record.len)
            need(strcmp(claim->from.local, "joe") == 0 && claim->made == 1528637909);
}

static void try_mail(struct slice mail, const struct dkim_key *key, struct slice record)
{
    static struct dkim_claims claims;
    struct work work = WORK_INIT;
    json_t *refusal = NULL;
    enum outcome rc = dkim_read(mail, ARRIVED, &work, &claims, &refusal);
    need((rc == OUTCOME_DONE) == (claims.count > 0) && claims.count <= DKIM_SIGNATURES);
    if (rc == OUTCOME_REFUSED)
        need_reason(refusal);
    for (size_t i = 0; i < claims.count; i++) {
        json_t *why = NULL;
        check_claim(&claims.list[i], mail);
        if (i == 0)
            check_sender(&claims.list[i], mail);
        if (!key)
            continue;
        if (dkim_holds(&claims.list[i], key, &why) == OUTCOME_DONE)
            check_believed(&claims.list[i], record);
        else
            need_reason(why);
        reason_clear(&why);
    }
    reason_clear(&refusal);
}

/* A canonical body is its own canonical form. */
static void check_canon(struct slice body)
{
    struct str once = STR_INIT, twice = STR_INIT;
    for (int relaxed = 0; relaxed < 2; relaxed++) {
        str_clear(&once);
        str_clear(&twice);
        dkim_canon_body(&once, body, relaxed);
        dkim_canon_body(&twice, slice_str(&once), relaxed);
        need(once.len == twice.len && memcmp(once.p, twice.p, once.len) == 0);
    }
    str_release(&once);
    str_release(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice mail = {(const char *)data, size}, record = {"", 0};
    struct dkim_key key;
    json_t *refusal = NULL;
    clock_t start = clock();
    (void)slice_line(&mail, &record);
    bool good = dkim_key_read(record, &key, &refusal) == OUTCOME_DONE;
    if (!good)
        need_reason(refusal);
    reason_clear(&refusal);
    try_mail(mail, good ? &key : NULL, record);
    check_canon(mail);
    need((double)(clock() - start) / CLOCKS_PER_SEC < 1 + (double)size / 20000);
    return 0;
}
