/* Fuzz target: a player's mails, an mbox or a single one, compared with a published game. */
#include "need.h"

#include <sodium.h>
#include <string.h>

#include "base/utf8.h"
#include "publish/receipts.h"
#include "mail/mbox.h"
#include "mail/message.h"
#include "trust/head.h"

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

static void find_heads(struct slice text)
{
    struct head_claim claim;
    const char *before = text.p;
    while (head_next(&text, &claim)) {
        need(claim.seq > 0 && claim.game[0] && strlen(claim.line) < HEAD_LINE);
        need(claim.armor.p > before && claim.armor.p + claim.armor.len <= text.p);
        before = text.p;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data, size};
    struct receipts receipts;
    receipts_init(&receipts, &ledger, 1, NULL);
    find_heads(text);
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
