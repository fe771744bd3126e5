/* The findings, ready to be printed. */
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "publish/receipts_parts.h"

enum receipts_weight receipts_verdict(const struct receipts *receipts)
{
    enum receipts_weight gravest = receipts->finding_count ? receipts->finding[0].weight : RECEIPTS_GOOD;
    if (gravest == RECEIPTS_WRONG || gravest == RECEIPTS_ASK)
        return gravest;
    return receipts->claim_count ? RECEIPTS_GOOD : RECEIPTS_ASK;
}

const char *receipts_verdict_name(enum receipts_weight verdict)
{
    return verdict == RECEIPTS_WRONG ? "contradicted"
           : verdict == RECEIPTS_ASK ? "holds, with questions"
                                     : "holds";
}

const char *receipts_kind_name(enum receipts_kind kind)
{
    static const char *const names[] = {
        [RECEIPTS_JOURNAL] = "journal", [RECEIPTS_FORK] = "fork",         [RECEIPTS_BEYOND] = "beyond",
        [RECEIPTS_HEAD] = "head",       [RECEIPTS_FORGED] = "forged",     [RECEIPTS_ORDERS] = "orders",
        [RECEIPTS_DROPPED] = "dropped", [RECEIPTS_REPLACED] = "replaced", [RECEIPTS_LOST] = "lost",
        [RECEIPTS_MISSED] = "missed",   [RECEIPTS_KEY] = "key",           [RECEIPTS_UNSENT] = "unsent",
        [RECEIPTS_REPORT] = "report",   [RECEIPTS_LATE] = "late",         [RECEIPTS_GONE] = "gone",
        [RECEIPTS_CLOCK] = "clock",     [RECEIPTS_ALONE] = "alone",       [RECEIPTS_BOARD] = "board"};
    return names[kind];
}

/* That of the last turn is of `open`. */
static bool is_report(const struct ledger_record *record)
{
    return record->told || strcmp(record->type, "open") == 0;
}

const struct receipts_claim *receipts_last(const struct receipts *receipts, size_t ledger, bool *report)
{
    const struct ledger *file = &receipts->ledger[ledger];
    const struct receipts_claim *last = NULL, *told = NULL;
    bool all_in = true;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if (claim->ledger != ledger)
            continue;
        bool in = receipts_is_of(file, claim);
        if (!in && receipts_loss(receipts, claim))
            continue;
        all_in = all_in && in;
        if (!last || claim->seq > last->seq)
            last = claim;
        if (in && is_report(&file->record[claim->seq - 1]) && (!told || claim->seq > told->seq))
            told = claim;
    }
    *report = all_in && told;
    return *report ? told : last;
}

size_t receipts_count(const struct receipts *receipts, enum receipts_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < receipts->finding_count; i++)
        count += receipts->finding[i].kind == kind;
    return count;
}

size_t receipts_lost(const struct receipts *receipts, size_t ledger)
{
    size_t count = 0;
    for (size_t i = 0; i < receipts->finding_count; i++) {
        const struct receipts_finding *one = &receipts->finding[i];
        bool first = one->kind == RECEIPTS_GONE && strcmp(one->game, receipts->ledger[ledger].file.id) == 0;
        for (size_t k = 0; first && k < i; k++)
            first = receipts->finding[k].kind != RECEIPTS_GONE || receipts->finding[k].lost != one->lost ||
                    strcmp(receipts->finding[k].game, one->game) != 0;
        count += first;
    }
    return count;
}

static json_t *ledger_json(const struct receipts *receipts, const struct ledger *ledger)
{
    struct pubkey key;
    char print[KEY_FINGERPRINT], head[2 * HEAD_BYTES + 1] = "";
    receipts_key(receipts, ledger, &key);
    pubkey_fingerprint(print, &key);
    if (ledger->count)
        hex_to(head, ledger->record[ledger->count - 1].head, HEAD_BYTES);
    size_t at = (size_t)(ledger - receipts->ledger);
    json_t *json =
        json_pack("{s:s,s:I,s:s,s:b,s:s,s:b,s:I}", "game", ledger->file.id, "records",
                  (json_int_t)ledger->count, "head", head, "opened", ledger->opened, "key", print,
                  "key_given", receipts->key != NULL, "lost", (json_int_t)receipts_lost(receipts, at));
    bool report;
    const struct receipts_claim *last = receipts_last(receipts, at, &report);
    if (last) {
        hex_to(head, last->head, HEAD_BYTES);
        json_object_set_new(json, "compare",
                            json_pack("{s:I,s:s}", "record", (json_int_t)last->seq, "head", head));
    }
    return json;
}

json_t *receipts_json(const struct receipts *receipts)
{
    static const char *const weights[] = {[RECEIPTS_WRONG] = "wrong",
                                          [RECEIPTS_ASK] = "ask",
                                          [RECEIPTS_NOTE] = "note",
                                          [RECEIPTS_GOOD] = "good"};
    json_t *games = json_array();
    json_t *findings = json_array();
    for (size_t i = 0; i < receipts->ledger_count; i++)
        json_array_append_new(games, ledger_json(receipts, &receipts->ledger[i]));
    for (size_t i = 0; i < receipts->finding_count; i++) {
        const struct receipts_finding *one = &receipts->finding[i];
        json_t *json =
            json_pack("{s:s,s:s,s:s,s:I,s:i,s:o}", "weight", weights[one->weight], "kind",
                      receipts_kind_name(one->kind), "game", one->game, "record", (json_int_t)one->seq,
                      "seat", one->seat, "text", json_text(slice_of(one->text)));
        if (one->mail != RECEIPTS_NOWHERE) {
            const struct receipts_mail *mail = &receipts->mail[one->mail];
            json_object_set_new(json, "mail", json_text(slice_of(mail->label)));
            json_object_set_new(json, "message_id", json_text(slice_of(mail->id)));
            json_object_set_new(json, "subject", json_text(slice_of(mail->subject)));
        }
        json_array_append_new(findings, json);
    }
    return json_pack("{s:s,s:o,s:I,s:I,s:I,s:o}", "verdict",
                     receipts_verdict_name(receipts_verdict(receipts)), "games", games, "mails",
                     (json_int_t)receipts->mail_count, "foreign", (json_int_t)receipts->foreign, "unreadable",
                     (json_int_t)receipts->unreadable, "findings", findings);
}
