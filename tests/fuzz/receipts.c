/* Fuzz target: a player's mails, an mbox or a single one, compared with a published game. */
#include "need.h"

#include <sodium.h>
#include <string.h>

#include "base/utf8.h"
#include "publish/claims.h"
#include "publish/receipts.h"
#include "mail/mbox.h"
#include "mail/message.h"

static struct ledger ledger;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct err err = ERR_INIT;
    (void)argc;
    (void)argv;
    need(sodium_init() >= 0);
    mail_begin();
    need(ledger_open("games/galaxy-command", &ledger, &err) == 0);
    return 0;
}

/* The mails of an mbox are its bytes, in their order, without what divides them. */
static void split(struct receipts *receipts, struct slice rest)
{
    struct slice mail;
    const char *before = rest.p;
    while (mbox_next(&rest, &mail)) {
        need(mail.p >= before && mail.p + mail.len <= rest.p);
        before = rest.p;
        receipts_mail(receipts, "mbox", mail);
    }
    need(rest.len == 0);
}

static void find_claims(struct slice text)
{
    static const unsigned char key[VKEY_PUBLIC] = {1};
    enum claim_found found;
    struct claim claim;
    struct err err = ERR_INIT;
    while ((found = claim_next(&text, &claim, &err)) != CLAIM_NONE) {
        need(found == CLAIM_FOUND || err.code == ERR_INPUT);
        need(found != CLAIM_FOUND || claim_verify_key(&claim, key, &err) != 0);
        claim_release(&claim);
        err_clear(&err);
    }
    claim_release(&claim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data, size};
    struct receipts receipts;
    receipts_init(&receipts, &ledger, 1, NULL);
    find_claims(text);
    if (mbox_likely(text))
        split(&receipts, text);
    else
        receipts_mail(&receipts, "mail", text);
    receipts_end(&receipts);
    for (size_t i = 0; i < receipts.finding_count; i++)
        need(receipts.finding[i].text[0] && utf8_valid(slice_of(receipts.finding[i].text)));
    json_decref(receipts_json(&receipts));
    receipts_release(&receipts);
    return 0;
}
