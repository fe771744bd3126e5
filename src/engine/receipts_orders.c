/* The player's own signed orders, and whether the journal holds them. */
#include "engine/receipts_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "engine/letters.h"
#include "orders/frame.h"
#include "orders/script.h"

/* ---- in the mails ---- */

/* Questions and dry runs are stored nowhere. */
static void look_into(struct receipts_text *text, const struct ledger *ledger, struct slice body)
{
    if (!ledger->ruleset)
        return;
    struct script *script = script_parse(body, ledger->ruleset->language);
    size_t count = script_line_count(script);
    text->questions = count > 0;
    for (size_t i = 0; i < count; i++) {
        const struct script_line *line = script_line(script, i);
        bool common = line->kind == LINE_COMMON;
        text->questions = text->questions && common && strcmp(line->verb, "resign") != 0;
        text->dry |= common && strcmp(line->verb, "try") == 0;
    }
    script_free(script);
}

static void add_text(struct receipts *receipts, size_t mail, size_t ledger, const struct ledger_key *key,
                     const struct envelope *envelope, struct slice exact, struct slice canonical,
                     const struct frame *frame)
{
    receipts->text =
        mem_grow(receipts->text, receipts->text_count, &receipts->text_cap, sizeof *receipts->text);
    struct receipts_text *text = &receipts->text[receipts->text_count++];
    *text = (struct receipts_text){.ledger = ledger,
                                   .mail = mail,
                                   .key = key,
                                   .turn = frame->turn,
                                   .canonical = STR_INIT,
                                   .payload = STR_INIT};
    str_addslice(&text->canonical, canonical);
    json_t *json = json_pack("{s:o,s:o}", "text", json_text(exact), "signature",
                             signature_json(&envelope->sig, &key->key));
    json_write(&text->payload, json);
    json_decref(json);
    look_into(text, &receipts->ledger[ledger], frame->body);
}

/* Opens it with one of the keys that ever counted in the game. */
static bool open_with(const struct ledger *ledger, struct envelope *envelope, struct str *exact,
                      struct str *text, const struct ledger_key **key)
{
    for (size_t i = 0; i < ledger->key_count; i++) {
        struct err why = ERR_INIT;
        if (envelope_open(envelope, &ledger->key[i].key, NS_ORDERS, exact, text, &why) == 0) {
            *key = &ledger->key[i];
            return true;
        }
    }
    return false;
}

static void take_envelope(struct receipts *receipts, size_t mail, struct envelope *envelope)
{
    struct str exact = STR_INIT, text = STR_INIT;
    for (size_t at = 0; at < receipts->ledger_count; at++) {
        const struct ledger *ledger = &receipts->ledger[at];
        const struct ledger_key *key;
        struct err why = ERR_INIT;
        struct frame frame;
        if (!open_with(ledger, envelope, &exact, &text, &key) || frame_parse(slice_str(&text), &frame, &why))
            continue;
        if (frame.kind != FRAME_ORDERS)
            receipts->mail[mail].petitions = true;
        else if (strcmp(frame.game, ledger->file.id) == 0)
            add_text(receipts, mail, at, key, envelope, slice_str(&exact), slice_str(&text), &frame);
    }
    str_release(&exact);
    str_release(&text);
}

void receipts_take_texts(struct receipts *receipts, size_t mail, const struct evidence *parts, size_t count)
{
    struct envelope envelopes[ENVELOPES_MAX];
    size_t found = 0, unsigned_frames = 0;
    struct err why = ERR_INIT;
    struct work work = WORK_INIT;
    if (envelope_find(parts, count, &work, envelopes, &found, &unsigned_frames, &why))
        return;
    for (size_t i = 0; i < found; i++) {
        take_envelope(receipts, mail, &envelopes[i]);
        envelope_release(&envelopes[i]);
    }
}

/* ---- in the journal ---- */

/* A seat that this key ever counted for. */
static bool may_sit(const struct ledger *ledger, const struct receipts_text *text, int seat)
{
    for (size_t i = 0; i < ledger->key_count; i++)
        if (ledger->key[i].seat == seat && pubkey_equal(&ledger->key[i].key, &text->key->key))
            return true;
    return false;
}

static bool could_be(const struct ledger *ledger, const struct receipts_text *text, size_t at)
{
    const struct ledger_record *record = &ledger->record[at];
    return strcmp(record->type, "orders") == 0 && record->turn == text->turn &&
           may_sit(ledger, text, record->seat);
}

/* The record that certainly holds the text. */
static bool find_record(const struct receipts *receipts, const struct receipts_text *text, size_t *at)
{
    const struct ledger *ledger = &receipts->ledger[text->ledger];
    for (*at = 0; *at < ledger->count; (*at)++) {
        bool known = false;
        if (!could_be(ledger, text, *at))
            continue;
        if (ledger_holds(ledger, *at, slice_str(&text->payload), &known))
            return true;
        if (!known && memcmp(ledger->record[*at].mail, receipts->mail[text->mail].digest, 32) == 0)
            return true;
    }
    return false;
}

/* The league's answer to that mail which names a record: a receipt, if it was no answer to something else.
 * Dry runs and refusals have other ids. */
static const struct receipts_claim *find_receipt(const struct receipts *receipts,
                                                 const struct receipts_text *text)
{
    const struct receipts_mail *sent = &receipts->mail[text->mail];
    for (size_t i = 0; *sent->id && i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        const struct receipts_mail *answer = &receipts->mail[claim->mail];
        char game[GAME_NAME];
        int64_t seq;
        int seat;
        char *id = slice_dup((struct slice){answer->id, strcspn(answer->id, "@")});
        bool names = letters_parse_id(id, game, &seq, &seat) &&
                     strcmp(game, receipts->ledger[text->ledger].file.id) == 0;
        free(id);
        if (claim->ledger == text->ledger && names && seq == claim->seq && !sent->petitions &&
            strcmp(answer->parent, sent->id) == 0)
            return claim;
    }
    return NULL;
}

/* The record that the receipt is of: the seat's last orders, at most two records (a deal, a resignation)
 * before the one that it names. */
static bool receipt_record(const struct ledger *ledger, const struct receipts_text *text,
                           const struct receipts_claim *receipt, size_t *at)
{
    if ((size_t)receipt->seq > ledger->count ||
        memcmp(ledger->record[receipt->seq - 1].head, receipt->head, HEAD_BYTES) != 0)
        return false;
    size_t last = (size_t)receipt->seq - 1;
    for (*at = last; *at + 2 >= last; (*at)--) {
        if (could_be(ledger, text, *at))
            return !ledger->record[*at].used;
        if (*at == 0)
            break;
    }
    return false;
}

/* Whatever key signed it. */
static bool same_text(const struct receipts_text *a, const struct receipts_text *b)
{
    return a->ledger == b->ledger && strcmp(a->key->player, b->key->player) == 0 &&
           strcmp(a->canonical.p, b->canonical.p) == 0;
}

/* A player's text counts once in a turn, which it names: one record holds it, with one of its signatures. */
static bool is_double(const struct receipts *receipts, const struct receipts_text *text)
{
    for (const struct receipts_text *other = receipts->text; other < receipts->text + receipts->text_count;
         other++)
        if (other != text && same_text(other, text) && (other->found || other < text))
            return true;
    return false;
}

static void tell_missing(struct receipts *receipts, const struct receipts_text *text,
                         const struct receipts_claim *receipt)
{
    const struct ledger *ledger = &receipts->ledger[text->ledger];
    bool missed = false;
    for (size_t i = 0; i < ledger->count; i++)
        missed |= strcmp(ledger->record[i].type, "close") == 0 && ledger->record[i].turn == text->turn &&
                  (ledger->record[i].missed & SEAT_BIT(text->key->seat));
    struct receipts_finding *finding = receipts_find(receipts, receipt ? RECEIPTS_WRONG : RECEIPTS_OPEN,
                                                     receipt ? RECEIPTS_DROPPED : RECEIPTS_LOST, ledger,
                                                     receipt ? receipt->seq : 0, text->mail);
    finding->seat = text->key->seat;
    if (receipt)
        (void)snprintf(
            finding->text, sizeof finding->text,
            "the orders for turn %d in this mail are in no record%s, but the league answered them with "
            "a receipt for record %lld (%s)",
            text->turn, missed ? ", which says that the seat missed the turn" : "", (long long)receipt->seq,
            receipts->mail[receipt->mail].label);
    else
        (void)snprintf(
            finding->text, sizeof finding->text,
            "the orders for turn %d in this mail are in no record%s, and no receipt for them is here: "
            "they never came, came too late, or were refused",
            text->turn, missed ? ", which says that the seat missed the turn" : "");
}

static void judge_found(struct receipts *receipts, struct receipts_text *text, size_t at, bool sure)
{
    struct ledger *ledger = &receipts->ledger[text->ledger];
    struct receipts_finding *finding =
        receipts_find(receipts, sure ? RECEIPTS_GOOD : RECEIPTS_OPEN,
                      sure ? RECEIPTS_ORDERS : RECEIPTS_SEALED, ledger, (int64_t)at + 1, text->mail);
    ledger->record[at].used = true;
    text->found = true;
    finding->seat = ledger->record[at].seat;
    (void)snprintf(finding->text, sizeof finding->text,
                   sure
                       ? "the orders for turn %d in this mail are record %zu"
                       : "the orders for turn %d in this mail are record %zu by their receipt; that its seal "
                         "stands for this very text can be checked when the game is over",
                   text->turn, at + 1);
}

void receipts_judge_texts(struct receipts *receipts)
{
    size_t at;
    for (size_t i = 0; i < receipts->text_count; i++)
        if (find_record(receipts, &receipts->text[i], &at))
            judge_found(receipts, &receipts->text[i], at, true);
    for (size_t i = 0; i < receipts->text_count; i++) {
        struct receipts_text *text = &receipts->text[i];
        const struct ledger *ledger = &receipts->ledger[text->ledger];
        const struct receipts_claim *receipt = text->found ? NULL : find_receipt(receipts, text);
        bool sealed = ledger->format < 2 && !ledger->opened; /* marks are read at once */
        if (receipt && sealed && receipt_record(ledger, text, receipt, &at))
            judge_found(receipts, text, at, false);
    }
    for (size_t i = 0; i < receipts->text_count; i++) {
        struct receipts_text *text = &receipts->text[i];
        const struct ledger *ledger = &receipts->ledger[text->ledger];
        if (text->found || text->dry || text->questions || is_double(receipts, text))
            continue;
        const struct receipts_claim *receipt = find_receipt(receipts, text);
        /* Where the journal is broken off, what stands behind is not known. */
        bool known = receipt && (size_t)receipt->seq <= ledger->count;
        tell_missing(receipts, text, known ? receipt : NULL);
    }
}
