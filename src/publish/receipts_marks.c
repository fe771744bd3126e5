/* What receipts promise, against what the turns were closed with, by the proofs alone. */
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "publish/receipts_parts.h"

#define DIGITS 12 /* of a mark, as mails show it */

static bool is_turn(const struct receipts_claim *a, const struct receipts_claim *b)
{
    return a->ledger == b->ledger && a->turn.turn == b->turn.turn && a->turn.rollbacks == b->turn.rollbacks;
}

/* The last text of the seat that the league promised before that close; NULL = no mail has one. */
static const struct receipts_claim *promised(const struct receipts *receipts,
                                             const struct receipts_claim *close, int seat)
{
    const struct receipts_claim *last = NULL;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if (claim->kind == ENTRY_RECEIPT && claim->seat == seat && is_turn(claim, close) &&
            claim->seq < close->seq && (!last || claim->seq > last->seq))
            last = claim;
    }
    return last;
}

/* Has the league accepted a text with that mark, for this turn or, with lines for this one, an earlier one? */
static bool was_accepted(const struct receipts *receipts, const struct receipts_claim *close, int seat)
{
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if ((claim->kind == ENTRY_RECEIPT || claim->kind == ENTRY_KEPT) && claim->seat == seat &&
            claim->ledger == close->ledger && claim->seq < close->seq &&
            memcmp(claim->mark, close->counted[seat], SEAL_BYTES) == 0)
            return true;
    }
    return false;
}

static bool is_mark(const unsigned char mark[SEAL_BYTES])
{
    static const unsigned char none[SEAL_BYTES] = {0};
    return memcmp(mark, none, SEAL_BYTES) != 0;
}

/* Where seats take turns, only the one whose turn it is has a mark, and what the others sent waits. A turn (not the deal) with two marks
 * shows a game in which all play at once. */
static bool plays_at_once(const struct receipts *receipts, size_t ledger)
{
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *close = &receipts->claim[i];
        int count = 0;
        for (int seat = 1; close->ledger == ledger && close->turn.turn && seat <= close->marks; seat++)
            count += is_mark(close->counted[seat]);
        if (count > 1)
            return true;
    }
    return false;
}

/* Something else that the player was told of between the two: a moderator's word, or a new player, may have taken orders out. */
static int64_t between(const struct receipts *receipts, const struct receipts_claim *receipt,
                       const struct receipts_claim *close)
{
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if (claim->kind == ENTRY_HEAD && claim->ledger == close->ledger && claim->seq > receipt->seq &&
            claim->seq < close->seq)
            return claim->seq;
    }
    return 0;
}

static struct receipts_finding *find(struct receipts *receipts, const struct receipts_claim *close, int seat,
                                     enum receipts_weight weight, enum receipts_kind kind)
{
    struct receipts_finding *finding =
        receipts_find(receipts, weight, kind, &receipts->ledger[close->ledger], close->seq, close->mail);
    finding->seat = seat;
    return finding;
}

static void tell_none(struct receipts *receipts, const struct receipts_claim *close,
                      const struct receipts_claim *receipt)
{
    char mark[DIGITS + 1], reason[160] = "";
    const int64_t other = between(receipts, receipt, close);
    const bool at_once = plays_at_once(receipts, close->ledger);
    struct receipts_finding *finding = find(
        receipts, close, receipt->seat, at_once && !other ? RECEIPTS_WRONG : RECEIPTS_ASK, RECEIPTS_REPLACED);
    hex_to(mark, receipt->mark, DIGITS / 2);
    if (!at_once)
        (void)snprintf(reason, sizeof reason, ". Where seats take turns, that is so while it is not yours");
    else if (other)
        (void)snprintf(reason, sizeof reason, ". Did record %lld, in between, take them out?",
                       (long long)other);
    else
        (void)snprintf(reason, sizeof reason,
                       ". Only a moderator's word, a new player or a robot could have taken them out, and no "
                       "mail here tells of one");
    (void)snprintf(
        finding->text, sizeof finding->text,
        "a receipt (record %lld, %.120s) promises the mark %s for turn %d, and the turn was closed with "
        "no text of seat %d%s",
        (long long)receipt->seq, receipts->mail[receipt->mail].label, mark, close->turn.turn, receipt->seat,
        reason);
}

static void tell_another(struct receipts *receipts, const struct receipts_claim *close,
                         const struct receipts_claim *receipt)
{
    const bool older = was_accepted(receipts, close, receipt->seat);
    char mark[DIGITS + 1], is[DIGITS + 1];
    struct receipts_finding *finding =
        find(receipts, close, receipt->seat, older ? RECEIPTS_WRONG : RECEIPTS_ASK, RECEIPTS_REPLACED);
    hex_to(mark, receipt->mark, DIGITS / 2);
    hex_to(is, close->counted[receipt->seat], DIGITS / 2);
    (void)snprintf(
        finding->text, sizeof finding->text,
        "a receipt (record %lld, %.120s) promises the mark %s for turn %d, and the turn was closed with "
        "another text of seat %d, %s%s",
        (long long)receipt->seq, receipts->mail[receipt->mail].label, mark, close->turn.turn, receipt->seat,
        is, older ? ", which that one had replaced" : ". Its receipt is not here: did you send it?");
}

static void tell_unknown(struct receipts *receipts, const struct receipts_claim *close, int seat)
{
    char is[DIGITS + 1];
    struct receipts_finding *finding = find(receipts, close, seat, RECEIPTS_ASK, RECEIPTS_UNSENT);
    hex_to(is, close->counted[seat], DIGITS / 2);
    (void)snprintf(
        finding->text, sizeof finding->text,
        "turn %d was closed with a text of your seat, with the mark %s, and no receipt for it is in "
        "these mails: did you send it, perhaps from another device?",
        close->turn.turn, is);
}

/* One seat that these mails are of, in this game; 0 = several, or unknown: somebody may have put several players' mails together. */
static int own_seat(const struct receipts *receipts, size_t ledger)
{
    int own = 0;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if (claim->ledger != ledger || (claim->kind != ENTRY_RECEIPT && claim->kind != ENTRY_KEPT))
            continue;
        if (own && own != claim->seat)
            return 0;
        own = claim->seat;
    }
    return own;
}

/* Several mails may prove one close. */
static bool is_first(const struct receipts *receipts, const struct receipts_claim *close)
{
    for (const struct receipts_claim *other = receipts->claim; other < close; other++)
        if (other->marks && other->ledger == close->ledger && other->seq == close->seq &&
            memcmp(other->head, close->head, HEAD_BYTES) == 0)
            return false;
    return true;
}

static void judge_close(struct receipts *receipts, const struct receipts_claim *close)
{
    const int own = own_seat(receipts, close->ledger);
    for (int seat = 1; seat <= close->marks; seat++) {
        const struct receipts_claim *receipt = promised(receipts, close, seat);
        if (!receipt && seat == own && is_mark(close->counted[seat]) && !was_accepted(receipts, close, seat))
            tell_unknown(receipts, close, seat);
        if (!receipt || memcmp(receipt->mark, close->counted[seat], SEAL_BYTES) == 0)
            continue;
        if (is_mark(close->counted[seat]))
            tell_another(receipts, close, receipt);
        else
            tell_none(receipts, close, receipt);
    }
}

void receipts_judge_marks(struct receipts *receipts)
{
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *close = &receipts->claim[i];
        if (close->marks && close->turn.turn && ledger_is_bare(&receipts->ledger[close->ledger]) &&
            is_first(receipts, close))
            judge_close(receipts, close);
    }
}
