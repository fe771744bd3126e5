/* The player's own signed orders, and whether the journal holds them. */
#include "publish/receipts_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "letters/letters.h"
#include "game/turn.h"
#include "orders/frame.h"
#include "orders/script.h"

/* ---- in the mails ---- */

/* Questions and dry runs are not stored anywhere. */
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
    struct slice later;
    script = script_parse(turn_block(body, text->turn, &later), ledger->ruleset->language);
    text->orders = turn_content(script) == CONTENT_ORDERS;
    script_free(script);
}

/* A text that one of the keys signed. */
struct found_text {
    const struct ledger_key *key;
    const struct envelope *envelope;
    struct str exact, canonical;
    struct frame frame;
    struct str body; /* of frame_spread */
};

static void add_text(struct receipts *receipts, size_t mail, size_t ledger, const struct found_text *found)
{
    receipts->text =
        mem_grow(receipts->text, receipts->text_count, &receipts->text_cap, sizeof *receipts->text);
    struct receipts_text *text = &receipts->text[receipts->text_count++];
    *text = (struct receipts_text){.ledger = ledger,
                                   .mail = mail,
                                   .key = found->key,
                                   .turn = found->frame.turn,
                                   .canonical = STR_INIT,
                                   .payload = STR_INIT};
    str_addslice(&text->canonical, slice_str(&found->canonical));
    json_t *json = json_pack("{s:o,s:o}", "text", json_text(slice_str(&found->exact)), "signature",
                             signature_json(&found->envelope->sig, &found->key->key));
    json_write(&text->payload, json);
    json_decref(json);
    look_into(text, &receipts->ledger[ledger], found->frame.body);
}

/* Opens it with one of the keys that ever counted in the game, for one seat or several. */
static bool open_with(struct ledger *ledger, struct envelope *envelope, struct str *exact, struct str *text,
                      const struct ledger_key **key)
{
    *key = NULL;
    for (size_t i = 0; i < ledger->key_count; i++) {
        struct ledger_key *one = &ledger->key[i];
        struct err why = ERR_INIT;
        if (*key ? !pubkey_equal(&one->key, &(*key)->key)
                 : envelope_open(envelope, &one->key, NS_ORDERS, &(struct envelope_text){exact, text},
                                 &why) != 0)
            continue;
        *key = *key ? *key : one;
        one->known = true;
    }
    return *key != NULL;
}

static void take_envelope(struct receipts *receipts, size_t mail, struct envelope *envelope)
{
    struct found_text found = {
        .envelope = envelope, .exact = STR_INIT, .canonical = STR_INIT, .body = STR_INIT};
    for (size_t at = 0; at < receipts->ledger_count; at++) {
        struct ledger *ledger = &receipts->ledger[at];
        struct err why = ERR_INIT;
        if (!open_with(ledger, envelope, &found.exact, &found.canonical, &found.key) ||
            frame_parse(slice_str(&found.canonical), &found.frame, &why))
            continue;
        str_clear(&found.body);
        if (found.frame.kind != FRAME_ORDERS)
            receipts->mail[mail].petitions = true;
        else if (strcmp(found.frame.game, ledger->file.id) == 0 &&
                 frame_spread(&found.frame, &found.body, &why) == 0)
            add_text(receipts, mail, at, &found);
    }
    str_release(&found.exact);
    str_release(&found.canonical);
    str_release(&found.body);
}

void receipts_take_texts(struct receipts *receipts, size_t mail, const struct evidence *parts, size_t count)
{
    struct envelopes found;
    struct err why = ERR_INIT;
    struct work work = WORK_INIT;
    if (envelope_find(parts, count, &work, &found, &why))
        return;
    for (size_t i = 0; i < found.count; i++) {
        take_envelope(receipts, mail, &found.list[i]);
        envelope_release(&found.list[i]);
    }
}

/* The name that mails call it by: its fingerprint, or the whole key. */
static bool names_key(struct slice text, const struct pubkey *key)
{
    char shown[KEY_SHOWN];
    pubkey_show(shown, key);
    const char *blank = strchr(shown, ' ');
    return slice_find(text, blank ? blank + 1 : shown) != (size_t)-1;
}

void receipts_take_keys(struct receipts *receipts, struct slice text)
{
    for (size_t at = 0; at < receipts->ledger_count; at++)
        for (size_t i = 0; i < receipts->ledger[at].key_count; i++) {
            struct ledger_key *key = &receipts->ledger[at].key[i];
            bool asked = strcmp(receipts->ledger[at].record[key->seq - 1].type, "key") == 0;
            key->known = key->known || (asked && names_key(text, &key->key));
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

/* The record that holds the text. */
static bool find_record(const struct receipts *receipts, const struct receipts_text *text, size_t *at)
{
    const struct ledger *ledger = &receipts->ledger[text->ledger];
    for (*at = 0; *at < ledger->count; (*at)++)
        if (could_be(ledger, text, *at) && ledger_holds(ledger, *at, slice_str(&text->payload)))
            return true;
    return false;
}

static bool accepts(const struct receipts *receipts, const struct receipts_text *text,
                    const struct receipts_claim *claim)
{
    unsigned char mark[SEAL_BYTES];
    return claim->ledger == text->ledger && (claim->kind == ENTRY_RECEIPT || claim->kind == ENTRY_KEPT) &&
           ledger_mark(&receipts->ledger[text->ledger], claim->seat, slice_str(&text->payload), mark) &&
           memcmp(mark, claim->mark, SEAL_BYTES) == 0;
}

/* The receipt for that text: by its mark, which nobody but its signer can have made. */
static const struct receipts_claim *find_receipt(const struct receipts *receipts,
                                                 const struct receipts_text *text)
{
    const struct receipts_claim *first = NULL;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if (!accepts(receipts, text, claim))
            continue;
        if (receipts_is_of(&receipts->ledger[text->ledger], claim))
            return claim;
        first = first ? first : claim;
    }
    return first;
}

const struct receipts_claim *receipts_receipt(const struct receipts *receipts,
                                              const struct receipts_text *text)
{
    const struct receipts_claim *receipt = text->record ? find_receipt(receipts, text) : NULL;
    return receipt && receipts_is_of(&receipts->ledger[text->ledger], receipt) ? receipt : NULL;
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
        if (other != text && same_text(other, text) && (other->record || other < text))
            return true;
    return false;
}

/* The last `close` of the turn of these orders at which their player had the seat; NULL = none. */
static const struct ledger_close *closed_with(const struct ledger *ledger, const struct receipts_text *text)
{
    const struct ledger_close *found = NULL;
    for (size_t i = 0; i < ledger->close_count; i++) {
        const struct ledger_close *close = &ledger->close[i];
        if (ledger->record[close->seq - 1].turn == text->turn &&
            strcmp(ledger_sits(ledger, close->seq, text->key->seat), text->key->player) == 0)
            found = close;
    }
    return found;
}

/* Any answer to the mail; NULL = none. */
static const struct receipts_mail *find_answer(const struct receipts *receipts,
                                               const struct receipts_mail *sent)
{
    for (size_t i = 0; *sent->id && i < receipts->mail_count; i++)
        if (strcmp(receipts->mail[i].parent, sent->id) == 0)
            return &receipts->mail[i];
    return NULL;
}

static void tell_dropped(struct receipts *receipts, const struct receipts_text *text, bool missed,
                         const struct receipts_claim *receipt)
{
    struct receipts_finding *finding =
        receipts_find(receipts, RECEIPTS_WRONG, RECEIPTS_DROPPED, &receipts->ledger[text->ledger],
                      receipt->seq, text->mail);
    finding->seat = text->key->seat;
    (void)snprintf(
        finding->text, sizeof finding->text,
        "the orders for turn %d in this mail are in no record%s, but the league answered them with "
        "a receipt for record %lld (%s)",
        text->turn, missed ? ", which says that the seat missed the turn" : "", (long long)receipt->seq,
        receipts->mail[receipt->mail].label);
}

/* What is known of orders that are in no record. */
struct missing {
    const struct receipts_mail *answer; /* to their mail, or NULL */
    bool missed;                        /* the turn was closed, as missed by the seat */
    bool in_time, late;                 /* by the mail's own date; neither: unknown */
};

static struct missing missing_of(const struct receipts *receipts, const struct receipts_text *text,
                                 const struct ledger_close *close)
{
    const struct ledger *ledger = &receipts->ledger[text->ledger];
    const struct receipts_mail *sent = &receipts->mail[text->mail];
    int64_t due = close ? ledger->record[close->seq - 1].deadline : 0;
    due += due ? ledger->grace : 0; /* a turn that lacks orders is held open this long */
    return (struct missing){find_answer(receipts, sent), close && (close->missed & SEAT_BIT(text->key->seat)),
                            sent->date && due && sent->date <= due, sent->date && due && sent->date > due};
}

/* Is it worth asking the league about? */
static bool missing_asks(const struct missing *missing, const struct ledger *ledger, int turn, bool closed)
{
    bool unanswered = !missing->answer && !missing->late;
    if (missing->missed)
        return missing->in_time || unanswered;
    bool open = turn > 0 && !closed && ledger->count && ledger->record[ledger->count - 1].turn <= turn;
    return (closed || open) && unanswered;
}

static void missing_words(const struct missing *missing, char *to, size_t room)
{
    const struct receipts_mail *answer = missing->answer;
    if (missing->missed && missing->in_time)
        (void)snprintf(
            to, room,
            ", and this one says that the seat missed the turn. By its own date the mail was written "
            "before the turn was due. Mails can be held up on their way. Ask when yours came.%s%.120s%s",
            answer ? " What it was answered: " : "", answer ? answer->label : "", answer ? "." : "");
    else if (answer)
        (void)snprintf(to, room, "; what it was answered: %.120s", answer->label);
    else if (missing->late)
        (void)snprintf(to, room, "; by its own date the mail was written after the turn was due");
    else
        (void)snprintf(to, room,
                       "%s, and no answer to them is here: the mail never came, or its answer did not",
                       missing->missed ? ", which says that the seat missed the turn" : "");
}

/* Without a receipt nothing is proved: it never came, came too late, or was refused. */
static void tell_missing(struct receipts *receipts, const struct receipts_text *text,
                         const struct ledger_close *close)
{
    struct ledger *ledger = &receipts->ledger[text->ledger];
    const struct missing missing = missing_of(receipts, text, close);
    bool asks = missing_asks(&missing, ledger, text->turn, close != NULL);
    struct receipts_finding *finding =
        receipts_find(receipts, asks ? RECEIPTS_ASK : RECEIPTS_NOTE,
                      missing.missed && missing.in_time ? RECEIPTS_MISSED : RECEIPTS_LOST, ledger,
                      missing.missed ? close->seq : 0, text->mail);
    finding->seat = text->key->seat;
    int len = snprintf(finding->text, sizeof finding->text,
                       "the orders for turn %d in this mail are in no record", text->turn);
    missing_words(&missing, finding->text + len, sizeof finding->text - (size_t)len);
}

/* No receipt is older than the orders that it is for. Copies of sent mails have the time of the player's own computer. */
static void judge_clock(struct receipts *receipts, const struct receipts_text *text)
{
    const struct receipts_mail *sent = &receipts->mail[text->mail];
    const struct receipts_claim *receipt = sent->date && !sent->arrived ? find_receipt(receipts, text) : NULL;
    char logged[CLOCK_TEXT], written[CLOCK_TEXT];
    if (!receipt || sent->date <= receipt->time + RECEIPTS_CLOCK_SLACK)
        return;
    clock_utc(logged, receipt->time);
    clock_utc(written, sent->date);
    struct receipts_finding *finding = receipts_find(
        receipts, RECEIPTS_ASK, RECEIPTS_CLOCK, &receipts->ledger[text->ledger], receipt->seq, text->mail);
    (void)snprintf(finding->text, sizeof finding->text,
                   "by the league's log these orders came at %s, and your computer wrote them at %s. One of "
                   "the two clocks was "
                   "wrong. If the league's was behind, orders counted that came too late",
                   logged, written);
}

static void judge_found(struct receipts *receipts, struct receipts_text *text, size_t at)
{
    struct ledger *ledger = &receipts->ledger[text->ledger];
    struct receipts_finding *finding =
        receipts_find(receipts, RECEIPTS_GOOD, RECEIPTS_ORDERS, ledger, (int64_t)at + 1, text->mail);
    ledger->record[at].used = true;
    text->record = (int64_t)at + 1;
    finding->seat = ledger->record[at].seat;
    (void)snprintf(finding->text, sizeof finding->text,
                   "the orders for turn %d in this mail are record %zu%s", text->turn, at + 1,
                   ledger->record[at].waits ? ", and a line of them was wrong: the turn waited for it to be "
                                              "corrected"
                                            : "");
}

/* Their receipt is for a record that was lost, and no record has them since. */
static void tell_gone(struct receipts *receipts, const struct receipts_text *text,
                      const struct ledger_close *close, const struct receipts_claim *receipt)
{
    const int64_t loss = receipts_loss(receipts, receipt);
    struct receipts_finding *finding = receipts_find(receipts, RECEIPTS_ASK, RECEIPTS_GONE,
                                                     &receipts->ledger[text->ledger], loss, text->mail);
    finding->seat = text->key->seat;
    finding->lost = receipt->seq;
    (void)snprintf(
        finding->text, sizeof finding->text,
        "the orders for turn %d in this mail had a receipt for record %lld, which the league says it "
        "lost (record %lld), and are in none since: %s",
        text->turn, (long long)receipt->seq, (long long)loss,
        close && close->seq > loss ? "the turn was played without them. Ask what became of your mail"
                                   : "send them again if no other receipt comes");
}

void receipts_judge_texts(struct receipts *receipts)
{
    size_t at;
    for (size_t i = 0; i < receipts->text_count; i++)
        if (find_record(receipts, &receipts->text[i], &at))
            judge_found(receipts, &receipts->text[i], at);
    for (size_t i = 0; i < receipts->text_count; i++)
        judge_clock(receipts, &receipts->text[i]);
    for (size_t i = 0; i < receipts->text_count; i++) {
        struct receipts_text *text = &receipts->text[i];
        const struct ledger *ledger = &receipts->ledger[text->ledger];
        if (text->record || text->dry || text->questions || is_double(receipts, text))
            continue;
        const struct receipts_claim *receipt = find_receipt(receipts, text);
        const struct ledger_close *close = closed_with(ledger, text);
        if (receipt && receipts_loss(receipts, receipt)) {
            tell_gone(receipts, text, close, receipt);
            continue;
        }
        /* Where the journal breaks off, what came after is unknown. */
        if (receipt && (size_t)receipt->seq <= ledger->count)
            tell_dropped(receipts, text, close && (close->missed & SEAT_BIT(text->key->seat)), receipt);
        else
            tell_missing(receipts, text, close);
    }
}
