/* What the journal says of the player's seat, during the time they had it, and their mails do not show.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/str.h"
#include "letters/letters.h"
#include "publish/receipts_parts.h"

/* Whose mails these are, in one game. */
struct owner {
    struct receipts *receipts;
    struct ledger *ledger;
    size_t at; /* of receipts.ledger */
    char player[PLAYER_NAME];
    int *seat;           /* [seq - 1], 0 = none then */
    bool *shown;         /* [seq - 1]: a mail has the signed head of this record */
    int64_t first, last; /* the first and last record that the league's mails cover, 0 = none */
};

static struct receipts_finding *find(const struct owner *owner, enum receipts_weight weight,
                                     enum receipts_kind kind, int64_t seq, int seat, size_t mail)
{
    struct receipts_finding *finding = receipts_find(owner->receipts, weight, kind, owner->ledger, seq, mail);
    finding->seat = seat;
    return finding;
}

/* Numbers in a sentence: "3, 4 and 7", the first dozen of them. */
struct numbers {
    struct str words;
    int64_t first, last; /* the last is not in `words` yet */
    int count;
};
#define NUMBERS_MOST 12

static void numbers_add(struct numbers *numbers, int64_t number)
{
    if (numbers->count > 0 && numbers->count < NUMBERS_MOST)
        str_addf(&numbers->words, "%s%lld", numbers->count > 1 ? ", " : "", (long long)numbers->last);
    numbers->first = numbers->count ? numbers->first : number;
    numbers->last = number;
    numbers->count++;
}

static const char *numbers_end(struct numbers *numbers)
{
    if (numbers->count > NUMBERS_MOST)
        str_addf(&numbers->words, " and %d more", numbers->count - NUMBERS_MOST + 1);
    else
        str_addf(&numbers->words, "%s%lld", numbers->count > 1 ? " and " : "", (long long)numbers->last);
    return numbers->words.p;
}

/* ---- orders ---- */

static bool is_orders(const struct ledger_record *record)
{
    return strcmp(record->type, "orders") == 0;
}

/* Something between two records that takes orders out of force, or puts others in: a new player, a rollback
 * of the turn, a moderator's word. */
static bool is_break(const struct ledger_record *record, int seat)
{
    bool moderate = strcmp(record->type, "moderate") == 0;
    return ((moderate || strcmp(record->type, "seat") == 0) && record->seat == seat) ||
           record->id == RECORD_DO_ROLLBACK;
}

/* The orders of the player that are in force at this close, if nothing came between, and what the league
 * signed for them; NULL = their mails do not show it. */
static const struct receipts_text *last_orders(const struct owner *owner, const struct ledger_close *close,
                                               const struct receipts_claim **receipt)
{
    const struct ledger *ledger = owner->ledger;
    const struct receipts_text *last = NULL;
    int turn = ledger->record[close->seq - 1].turn, seat = owner->seat[close->seq - 1];
    for (size_t i = 0; i < owner->receipts->text_count; i++) {
        const struct receipts_text *text = &owner->receipts->text[i];
        if (text->ledger == owner->at && text->record && text->record < close->seq && text->turn == turn &&
            ledger->record[text->record - 1].seat == seat && (!last || text->record > last->record))
            last = text;
    }
    if (!last || !last->orders)
        return NULL;
    for (int64_t seq = last->record + 1; seq < close->seq; seq++)
        if (is_break(&ledger->record[seq - 1], seat))
            return NULL;
    *receipt = receipts_receipt(owner->receipts, last);
    return *receipt ? last : NULL;
}

static bool ordered_since(const struct ledger *ledger, int64_t from, int64_t to, int seat)
{
    for (int64_t seq = from + 1; seq < to; seq++)
        if (is_orders(&ledger->record[seq - 1]) && ledger->record[seq - 1].seat == seat)
            return true;
    return false;
}

/* What a close says of orders that came before it. */
static void tell_close(struct receipts_finding *finding, const struct receipts_text *text, bool missed,
                       int64_t other)
{
    int len =
        snprintf(finding->text, sizeof finding->text,
                 "your orders for turn %d are record %lld, as this receipt says, and no later ones of your "
                 "seat are in the journal; but this record closes the turn ",
                 text->turn, (long long)text->record);
    char *rest = finding->text + len;
    size_t room = sizeof finding->text - (size_t)len;
    if (missed)
        (void)snprintf(rest, room, "as if none had come");
    else if (other)
        (void)snprintf(rest, room, "with those of record %lld", (long long)other);
    else
        (void)snprintf(rest, room, "with none of yours, and does not say that you missed it. Ask why.");
}

/* The close names orders other than those that the receipt was for, or none, and there are no later ones. It
 * may silently skip a seat that is not awaited: where seats take turns only the rules say whose turn it is,
 * and nothing is asked. */
static void judge_close(const struct owner *owner, const struct ledger_close *close)
{
    const struct receipts_claim *receipt = NULL;
    const struct ruleset *ruleset = owner->ledger->ruleset;
    int seat = owner->seat[close->seq - 1];
    const struct receipts_text *text = seat ? last_orders(owner, close, &receipt) : NULL;
    if (!text || ordered_since(owner->ledger, text->record, close->seq, seat) ||
        (close->set & SEAT_BIT(seat)))
        return;
    bool missed = close->missed & SEAT_BIT(seat);
    int64_t other = close->in_force[seat];
    if (!missed && (other ? other == text->record : !ruleset || ruleset->early))
        return;
    enum receipts_weight weight = missed || other ? RECEIPTS_WRONG : RECEIPTS_ASK;
    tell_close(find(owner, weight, RECEIPTS_REPLACED, close->seq, seat, receipt->mail), text, missed, other);
}

/* Orders of the seat that neither a copy of the player's nor a receipt knows, between their first and last
 * mail of the league. */
static void ask_unsent(const struct owner *owner)
{
    struct numbers numbers = {.words = STR_INIT};
    int seat = 0;
    for (size_t at = 0; at < owner->ledger->count; at++) {
        const struct ledger_record *record = &owner->ledger->record[at];
        if (!is_orders(record) || !owner->seat[at] || owner->seat[at] != record->seat || record->used ||
            owner->shown[at] || (int64_t)at + 1 < owner->first || (int64_t)at + 1 > owner->last)
            continue;
        seat = record->seat;
        numbers_add(&numbers, (int64_t)at + 1);
    }
    if (numbers.count) {
        const char *words = numbers_end(&numbers);
        struct receipts_finding *finding =
            find(owner, RECEIPTS_ASK, RECEIPTS_UNSENT, numbers.first, seat, RECEIPTS_NOWHERE);
        (void)snprintf(
            finding->text, sizeof finding->text,
            "orders of your seat (record%s %.200s) are in none of these mails, nor is a receipt for "
            "them: did you send them, perhaps from another device?",
            numbers.count > 1 ? "s" : "", words);
    }
    str_release(&numbers.words);
}

/* ---- keys ---- */

/* Orders that this key signed were in force in a turn for which the player has a receipt of their own. */
static const struct receipts_claim *signed_for_them(const struct owner *owner, const struct ledger_key *key,
                                                    const struct ledger_close **close)
{
    for (size_t i = 0; i < owner->ledger->close_count; i++) {
        const struct receipts_claim *receipt;
        struct pubkey signer;
        *close = &owner->ledger->close[i];
        int64_t other = (*close)->in_force[key->seat];
        if (owner->seat[(*close)->seq - 1] == key->seat && other && !owner->ledger->record[other - 1].used &&
            !owner->shown[other - 1] && ledger_signer(owner->ledger, other, &signer) &&
            pubkey_equal(&signer, &key->key) && last_orders(owner, *close, &receipt))
            return receipt;
    }
    return NULL;
}

/* A key that came in the place of others, and that no mail names and that signed nothing here. */
static void judge_key(const struct owner *owner, const struct ledger_key *key)
{
    const struct ledger_close *close;
    char shown[KEY_SHOWN];
    if (key->known || !key->replaces || owner->seat[key->seq - 1] != key->seat)
        return;
    const struct receipts_claim *receipt = signed_for_them(owner, key, &close);
    struct receipts_finding *finding = find(owner, receipt ? RECEIPTS_WRONG : RECEIPTS_ASK, RECEIPTS_KEY,
                                            key->seq, key->seat, receipt ? receipt->mail : RECEIPTS_NOWHERE);
    pubkey_show(shown, &key->key);
    if (receipt)
        (void)snprintf(
            finding->text, sizeof finding->text,
            "your seat got the key %s, which none of these mails knows; it signed record %lld, and the "
            "orders in that were in force for turn %d in the place of yours, for which you have this "
            "receipt",
            shown, (long long)close->in_force[key->seat], owner->ledger->record[close->seq - 1].turn);
    else
        (void)snprintf(finding->text, sizeof finding->text,
                       "your seat got the key %s, which none of these mails knows: did you ask for it?",
                       shown);
}

/* ---- reports ---- */

/* The report of the last turn has the head of `open`, which follows with `end` at the same moment. */
static bool report_shown(const struct owner *owner, int64_t seq)
{
    const struct ledger *ledger = owner->ledger;
    bool shown = owner->shown[seq - 1];
    for (size_t at = (size_t)seq; !shown && at < ledger->count && at < (size_t)seq + 2; at++) {
        if (strcmp(ledger->record[at].type, "end") != 0 && strcmp(ledger->record[at].type, "open") != 0)
            break;
        shown = owner->shown[at];
    }
    return shown;
}

/* Between the first and the last mail of the league that is here. */
static void ask_reports(const struct owner *owner)
{
    struct numbers numbers = {.words = STR_INIT};
    int64_t seq = 0;
    int seat = 0;
    for (int64_t at = owner->first; at && at < owner->last; at++) {
        const struct ledger_record *record = &owner->ledger->record[at - 1];
        int mine = owner->seat[at - 1];
        if (!mine || !(record->told & SEAT_BIT(mine)) || report_shown(owner, at))
            continue;
        seq = seq ? seq : at;
        seat = mine;
        numbers_add(&numbers, record->turn);
    }
    if (numbers.count) {
        const char *words = numbers_end(&numbers);
        struct receipts_finding *finding =
            find(owner, RECEIPTS_ASK, RECEIPTS_REPORT, seq, seat, RECEIPTS_NOWHERE);
        (void)snprintf(finding->text, sizeof finding->text,
                       "no mail here brought the report%s of turn%s %.200s: %s lost? The text \"resend\" "
                       "brings one again.",
                       numbers.count > 1 ? "s" : "", numbers.count > 1 ? "s" : "", words,
                       numbers.count > 1 ? "were they" : "was it");
    }
    str_release(&numbers.words);
}

/* ---- others ---- */

/* Somebody or something has moved this turn, and the journal says so. */
static bool was_moved(const struct ledger *ledger, int turn)
{
    for (size_t at = 0; at < ledger->count; at++) {
        const struct ledger_record *record = &ledger->record[at];
        bool note = record->id == RECORD_HOLD || record->id == RECORD_SHIFT;
        if (record->turn == turn && (note || strcmp(record->type, "moderate") == 0))
            return true;
    }
    return false;
}

static void ask_late(const struct owner *owner)
{
    const struct ledger *ledger = owner->ledger;
    struct str words = STR_INIT;
    int64_t first = 0;
    int turn = 0, count = 0;
    for (size_t at = 0; at < ledger->count && count <= 3; at++) {
        const struct ledger_record *record = &ledger->record[at];
        if (!is_orders(record) || !owner->seat[at] || record->seat == owner->seat[at] || !record->deadline ||
            record->time <= record->deadline + ledger->grace || record->turn == turn)
            continue;
        turn = record->turn; /* one a turn */
        if (was_moved(ledger, turn))
            continue;
        first = first ? first : (int64_t)at + 1;
        str_addf(&words, "%s%s in turn %d (record %zu, %lld minutes)", count ? ", " : "",
                 ledger_sits(ledger, (int64_t)at + 1, record->seat), turn, at + 1,
                 (long long)(record->time - record->deadline - ledger->grace) / 60);
        count++;
    }
    if (count) {
        struct receipts_finding *finding =
            find(owner, RECEIPTS_ASK, RECEIPTS_LATE, first, 0, RECEIPTS_NOWHERE);
        (void)snprintf(finding->text, sizeof finding->text,
                       "orders of others were accepted after the deadline and its grace, without a hold or a "
                       "shift: %.280s. A league that works once an hour is that late now and then.",
                       words.p);
    }
    str_release(&words);
}

/* ---- whose mails they are ---- */

static void look_at_mails(struct owner *owner)
{
    const struct ledger *ledger = owner->ledger;
    owner->seat = ledger_seats_of(ledger, owner->player);
    owner->shown = mem_array(ledger->count + 1, sizeof *owner->shown);
    for (size_t i = 0; i < owner->receipts->claim_count; i++) {
        const struct receipts_claim *claim = &owner->receipts->claim[i];
        if (claim->ledger != owner->at || (size_t)claim->seq > ledger->count ||
            memcmp(claim->head, ledger->record[claim->seq - 1].head, HEAD_BYTES) != 0)
            continue;
        owner->shown[claim->seq - 1] = true;
        owner->first = owner->first && owner->first < claim->seq ? owner->first : claim->seq;
        owner->last = owner->last > claim->seq ? owner->last : claim->seq;
    }
}

static void judge_owner(struct owner *owner)
{
    look_at_mails(owner);
    for (size_t i = 0; i < owner->ledger->close_count; i++)
        judge_close(owner, &owner->ledger->close[i]);
    for (size_t i = 0; i < owner->ledger->key_count; i++)
        judge_key(owner, &owner->ledger->key[i]);
    ask_unsent(owner);
    ask_reports(owner);
    ask_late(owner);
    free(owner->seat);
    free(owner->shown);
}

/* Who had the seat that the id of this mail of the league names; "" = it names none. */
static const char *addressed(const struct receipts *receipts, const struct receipts_claim *claim)
{
    const struct ledger *ledger = &receipts->ledger[claim->ledger];
    const char *id = receipts->mail[claim->mail].id;
    struct mail_id about;
    const struct slice local = {id, strcspn(id, "@")};
    bool names = mail_id_read(&about, local) == MAIL_ID_RECORD && strcmp(about.name, ledger->file.id) == 0 &&
                 about.seq == claim->seq && (size_t)about.seq <= ledger->count && about.number >= 1 &&
                 about.number <= SEATS_MAX;
    return names ? ledger_sits(ledger, about.seq, about.number) : "";
}

/* Where no signed text of theirs shows it (a Sent folder is easily lost): the one to whom most reports
 * went. */
static bool most_told(const struct receipts *receipts, size_t at, char player[PLAYER_NAME])
{
    json_t *count = json_object();
    json_int_t most = 0;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const char *who = receipts->claim[i].ledger == at ? addressed(receipts, &receipts->claim[i]) : "";
        json_int_t now = *who ? json_integer_value(json_object_get(count, who)) + 1 : 0;
        if (*who)
            json_object_set_new(count, who, json_integer(now));
        if (now > most)
            memcpy(player, who, strlen(who) + 1);
        most = now > most ? now : most;
    }
    json_decref(count);
    return most > 0;
}

void receipts_judge_seats(struct receipts *receipts)
{
    for (size_t at = 0; at < receipts->ledger_count; at++) {
        struct owner owner = {.receipts = receipts, .ledger = &receipts->ledger[at], .at = at};
        json_t *judged = json_object();
        for (size_t i = 0; i < receipts->text_count; i++) {
            const char *player = receipts->text[i].key->player;
            if (receipts->text[i].ledger != at || !*player || json_object_get(judged, player))
                continue;
            json_object_set_new(judged, player, json_true());
            struct owner one = owner;
            memcpy(one.player, player, strlen(player) + 1);
            judge_owner(&one);
        }
        if (!json_object_size(judged) && most_told(receipts, at, owner.player))
            judge_owner(&owner);
        json_decref(judged);
    }
}
