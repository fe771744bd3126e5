#include "publish/receipts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "game/entry.h"
#include "letters/reading.h"
#include "publish/claims.h"
#include "publish/receipts_parts.h"
#include "mail/mbox.h"
#include "report/render.h"

static struct ledger *add_ledger(struct receipts *receipts)
{
    receipts->ledger =
        mem_grow(receipts->ledger, receipts->ledger_count, &receipts->ledger_cap, sizeof *receipts->ledger);
    return &receipts->ledger[receipts->ledger_count++];
}

void receipts_init(struct receipts *receipts, struct ledger *ledgers, size_t count, const struct pubkey *key)
{
    memset(receipts, 0, sizeof *receipts);
    for (size_t at = 0; at < count; at++)
        *add_ledger(receipts) = ledgers[at];
    receipts->key = key;
    for (size_t at = 0; at < count; at++) {
        for (size_t i = 0; i < ledgers[at].count; i++)
            ledgers[at].record[i].used = false;
        for (size_t i = 0; i < ledgers[at].key_count; i++)
            ledgers[at].key[i].known = false;
    }
}

void receipts_release(struct receipts *receipts)
{
    for (size_t i = 0; i < receipts->mail_count; i++) {
        free(receipts->mail[i].label);
        free(receipts->mail[i].id);
        free(receipts->mail[i].parent);
        free(receipts->mail[i].subject);
    }
    for (size_t i = 0; i < receipts->text_count; i++) {
        str_release(&receipts->text[i].canonical);
        str_release(&receipts->text[i].payload);
    }
    json_decref(receipts->digests);
    free(receipts->ledger);
    free(receipts->mail);
    free(receipts->claim);
    free(receipts->text);
    free(receipts->board);
    templates_close(receipts->templates);
    free(receipts->finding);
    receipts_init(receipts, NULL, 0, NULL);
}

void receipts_key(const struct receipts *receipts, const struct ledger *ledger, struct pubkey *key)
{
    pubkey_of_league(key, ledger->file.key);
    if (receipts->key)
        *key = *receipts->key;
}

/* ---- mails ---- */

/* The id before the mail's own in its references: that of the mail it answers. */
static char *parent_of(const struct message *msg)
{
    const char *last = strrchr(msg->references, '<');
    if (!last || last == msg->references)
        return mem_strdup("");
    const char *at = last;
    while (at > msg->references && at[-1] != '<')
        at--;
    const char *end = strchr(at, '>');
    return end && end < last ? slice_dup((struct slice){at, (size_t)(end - at)}) : mem_strdup("");
}

/* Was it there before? Adds it. */
static bool seen(struct receipts *receipts, const unsigned char digest[32])
{
    char hex[65];
    hex_to(hex, digest, 32);
    if (!receipts->digests)
        receipts->digests = json_object();
    if (json_object_get(receipts->digests, hex))
        return true;
    json_object_set_new(receipts->digests, hex, json_true());
    return false;
}

static size_t add_mail(struct receipts *receipts, const char *label, const struct message *msg,
                       const unsigned char digest[32])
{
    receipts->mail =
        mem_grow(receipts->mail, receipts->mail_count, &receipts->mail_cap, sizeof *receipts->mail);
    struct receipts_mail *mail = &receipts->mail[receipts->mail_count];
    *mail = (struct receipts_mail){.label = mem_strdup(label)};
    mail->id = mem_strdup(msg ? msg->message_id : "");
    mail->parent = msg ? parent_of(msg) : mem_strdup("");
    mail->subject = mem_strdup(msg ? msg->subject : "");
    memcpy(mail->digest, digest, sizeof mail->digest);
    return receipts->mail_count++;
}

/* ---- heads ---- */

static void forged(struct receipts *receipts, const struct ledger *ledger, const struct claim *claim,
                   size_t mail, const struct err *why)
{
    struct receipts_finding *finding =
        receipts_find(receipts, RECEIPTS_ASK, RECEIPTS_FORGED, ledger, claim->entry.seq, mail);
    (void)snprintf(finding->text, sizeof finding->text,
                   "something is there to prove record %lld, but does not: %s", (long long)claim->entry.seq,
                   why->text);
}

static void tell_wrong_marks(struct receipts *receipts, const struct ledger *ledger,
                             const struct claim *claim, size_t mail)
{
    struct receipts_finding *finding =
        receipts_find(receipts, RECEIPTS_WRONG, RECEIPTS_FORGED, ledger, claim->entry.seq, mail);
    (void)snprintf(
        finding->text, sizeof finding->text,
        "the marks that this mail names for the close of turn %d are not those that the league's log "
        "has there: its ALPHA does not follow from them",
        claim->entry.turn.turn);
}

/* Which marks counted, by what the proof of a close has beside it; false: ALPHA does not follow from that. */
static bool take_marks(struct receipts_claim *claim, const struct claim *found)
{
    if (!found->extra.len)
        return true;
    if (!game_entry_opens(&found->entry, slice_str(&found->extra), &claim->marks))
        return false;
    const size_t len = (size_t)claim->marks * SEAL_BYTES;
    memcpy(claim->counted[1], found->extra.p + found->extra.len - len, len);
    return true;
}

static uint32_t cosigners(const struct policy *policy, const struct policy_seen *seen)
{
    uint32_t bits = 0;
    for (int i = 0; policy && i < policy->witnesses; i++)
        bits |= (uint32_t)(seen->time[i] != 0) << i;
    return bits;
}

static void take_claim(struct receipts *receipts, struct claim *found, size_t mail, bool *foreign)
{
    size_t at = 0;
    struct pubkey key;
    struct err why = ERR_INIT;
    const struct log_entry *entry = &found->entry;
    if (!*entry->name || entry->kind == ENTRY_LOST)
        return;
    while (at < receipts->ledger_count && !ledger_is_called(&receipts->ledger[at], entry->name))
        at++;
    if (at == receipts->ledger_count && !receipts->policy) {
        *foreign = true;
        return;
    }
    if (at == receipts->ledger_count)
        ledger_bare(add_ledger(receipts), entry->name);
    receipts_key(receipts, &receipts->ledger[at], &key);
    if (receipts->policy ? claim_verify(found, receipts->policy, &why)
                         : claim_verify_key(found, key.point, &why)) {
        forged(receipts, &receipts->ledger[at], found, mail, &why);
        return;
    }
    const uint32_t seen = cosigners(receipts->policy, &found->seen);
    struct receipts_claim opened = {.marks = 0};
    if (!take_marks(&opened, found)) {
        tell_wrong_marks(receipts, &receipts->ledger[at], found, mail);
        opened.marks = 0;
    }
    for (size_t i = receipts->claim_count; i-- > 0 && receipts->claim[i].mail == mail;)
        if (receipts->claim[i].ledger == at && receipts->claim[i].seq == entry->seq &&
            memcmp(receipts->claim[i].head, entry->head, HEAD_BYTES) == 0) {
            receipts->claim[i].cosigners |= seen;
            return;
        }
    receipts->claim =
        mem_grow(receipts->claim, receipts->claim_count, &receipts->claim_cap, sizeof *receipts->claim);
    struct receipts_claim *claim = &receipts->claim[receipts->claim_count++];
    *claim = (struct receipts_claim){.ledger = at,
                                     .mail = mail,
                                     .seq = entry->seq,
                                     .time = entry->time,
                                     .kind = entry->kind,
                                     .turn = entry->turn,
                                     .seat = entry->seat};
    claim->checkpoint = found->checkpoint;
    claim->cosigners = seen;
    claim->marks = opened.marks;
    memcpy(claim->counted, opened.counted, sizeof claim->counted);
    memcpy(claim->head, entry->head, HEAD_BYTES);
    memcpy(claim->mark, entry->mark, SEAL_BYTES);
}

static void take_parts(struct receipts *receipts, size_t mail, const struct evidence *parts, size_t count)
{
    bool foreign = false;
    for (size_t i = 0; i < count; i++) {
        struct slice text = parts[i].shown.len ? parts[i].shown : parts[i].exact;
        struct claim claim;
        struct err why = ERR_INIT;
        enum claim_found found;
        receipts_take_keys(receipts, text);
        while ((found = claim_next(&text, &claim, &why)) != CLAIM_NONE) {
            if (found == CLAIM_FOUND)
                take_claim(receipts, &claim, mail, &foreign);
            claim_release(&claim);
        }
        claim_release(&claim);
    }
    receipts->foreign += foreign;
    receipts_take_texts(receipts, mail, parts, count);
    receipts_take_boards(receipts, mail, parts, count);
}

void receipts_mail(struct receipts *receipts, const char *label, struct slice raw)
{
    unsigned char digest[MESSAGE_DIGEST];
    struct message msg;
    struct err why = ERR_INIT;
    message_digest(digest, raw);
    if (seen(receipts, digest)) {
        receipts->doubles++;
        return;
    }
    if (!mail_likely(raw)) {
        struct evidence part = {"", raw, raw, {NULL, 0}};
        take_parts(receipts, add_mail(receipts, label, NULL, digest), &part, 1);
        return;
    }
    if (message_parse(raw, &message_limits_default, &(struct message_identity){0}, &msg, &why) == 0) {
        struct evidence *parts = reading_parts(&msg);
        size_t mail = add_mail(receipts, label, &msg, digest);
        receipts->mail[mail].date = mail_date(raw);
        receipts->mail[mail].arrived = mail_arrival(raw);
        take_parts(receipts, mail, parts, msg.part_count);
        free(parts);
    } else {
        receipts->unreadable++;
    }
    message_release(&msg);
}

/* ---- judging ---- */

static void judge_ledger(struct receipts *receipts, const struct ledger *ledger)
{
    struct pubkey named;
    pubkey_of_league(&named, ledger->file.key);
    if (ledger->broken.code) {
        struct receipts_finding *finding = receipts_find(receipts, RECEIPTS_WRONG, RECEIPTS_JOURNAL, ledger,
                                                         (int64_t)ledger->count + 1, RECEIPTS_NOWHERE);
        (void)snprintf(finding->text, sizeof finding->text, "the journal is good up to record %zu only: %s",
                       ledger->count, ledger->broken.text);
    }
    if (ledger->count && receipts->key && !pubkey_equal(receipts->key, &named)) {
        char is[KEY_FINGERPRINT], want[KEY_FINGERPRINT];
        pubkey_fingerprint(is, &named);
        pubkey_fingerprint(want, receipts->key);
        struct receipts_finding *finding =
            receipts_find(receipts, RECEIPTS_WRONG, RECEIPTS_JOURNAL, ledger, 1, RECEIPTS_NOWHERE);
        (void)snprintf(finding->text, sizeof finding->text,
                       "the journal is signed by the key %s, and not by the league's, which is %s", is, want);
    }
}

/* The league's own words account for it. */
static bool judge_loss(struct receipts *receipts, const struct receipts_claim *claim)
{
    const int64_t loss = receipts_loss(receipts, claim);
    if (!loss)
        return false;
    struct receipts_finding *finding = receipts_find(receipts, RECEIPTS_ASK, RECEIPTS_GONE,
                                                     &receipts->ledger[claim->ledger], loss, claim->mail);
    finding->lost = claim->seq;
    (void)snprintf(
        finding->text, sizeof finding->text,
        "the league signed another record %lld, which is gone: it says that it lost its records from "
        "%lld on. Its log has to say so, too: turnpost audit --log",
        (long long)claim->seq, (long long)loss);
    return true;
}

/* What the log's entry says by itself. */
static void judge_bare(struct receipts *receipts, const struct receipts_claim *claim)
{
    char time[CLOCK_TEXT], what[80] = "";
    struct receipts_finding *finding = receipts_find(
        receipts, RECEIPTS_GOOD, RECEIPTS_HEAD, &receipts->ledger[claim->ledger], claim->seq, claim->mail);
    clock_utc(time, claim->time);
    if (claim->kind == ENTRY_RECEIPT || claim->kind == ENTRY_KEPT)
        (void)snprintf(what, sizeof what, ": orders of seat %d for turn %d were accepted", claim->seat,
                       claim->turn.turn);
    else if (claim->turn.turn)
        (void)snprintf(what, sizeof what, ": %s of turn %d", entry_word(claim->kind), claim->turn.turn);
    (void)snprintf(finding->text, sizeof finding->text, "the league's log has record %lld since %s%s",
                   (long long)claim->seq, time, what);
}

/* After the end of the journal mails can still contradict each other. */
static const struct receipts_claim *other_head(const struct receipts *receipts,
                                               const struct receipts_claim *claim)
{
    for (const struct receipts_claim *other = receipts->claim; other < claim; other++)
        if (other->ledger == claim->ledger && other->seq == claim->seq &&
            memcmp(other->head, claim->head, HEAD_BYTES) != 0 && !receipts_loss(receipts, other))
            return other;
    return NULL;
}

static void judge_beyond(struct receipts *receipts, const struct receipts_claim *claim)
{
    const struct ledger *ledger = &receipts->ledger[claim->ledger];
    const struct receipts_claim *other = other_head(receipts, claim);
    if (other) {
        /* A log that says "lost" between them may have both, and no mail shows that. */
        const bool bare = ledger_is_bare(ledger);
        struct receipts_finding *finding = receipts_find(receipts, bare ? RECEIPTS_ASK : RECEIPTS_WRONG,
                                                         RECEIPTS_FORK, ledger, claim->seq, claim->mail);
        (void)snprintf(finding->text, sizeof finding->text,
                       "the league signed two different records %lld: one in this mail, one in %s%s",
                       (long long)claim->seq, receipts->mail[other->mail].label,
                       bare ? ". If it was restored from an older copy between the two, its log says so: "
                              "turnpost audit --log"
                            : "");
        return;
    }
    if (ledger->broken.code)
        return;
    if (ledger_is_bare(ledger)) {
        judge_bare(receipts, claim);
        return;
    }
    /* Also after `open`: appeals, rulings and reports that were sent again may follow it. */
    struct receipts_finding *finding =
        receipts_find(receipts, RECEIPTS_ASK, RECEIPTS_BEYOND, ledger, claim->seq, claim->mail);
    (void)snprintf(finding->text, sizeof finding->text,
                   "the league signed record %lld, but the journal ends with record %zu: it was fetched "
                   "before the mail came, or records were taken away since. Fetch the journal again.",
                   (long long)claim->seq, ledger->count);
}

/* What the entry says of its record beside the head. */
static bool says_the_same(const struct ledger_record *record, const struct receipts_claim *claim)
{
    switch (claim->kind) {
    case ENTRY_RECEIPT:
    case ENTRY_KEPT:
        return strcmp(record->type, "orders") == 0 && record->seat == claim->seat &&
               record->turn == claim->turn.turn && memcmp(record->seal, claim->mark, SEAL_BYTES) == 0;
    case ENTRY_CLOSE:
    case ENTRY_START:
    case ENTRY_TURN:
        return strcmp(record->type, entry_word(claim->kind)) == 0 && record->turn == claim->turn.turn;
    case ENTRY_END: return strcmp(record->type, entry_word(claim->kind)) == 0;
    case ENTRY_HEAD:
    case ENTRY_LOST:
    case ENTRY_PROGRAM:
    case ENTRY_LOG: break;
    }
    return true;
}

static void tell_entry(struct receipts *receipts, const struct receipts_claim *claim, const char *what)
{
    struct receipts_finding *finding = receipts_find(
        receipts, RECEIPTS_WRONG, RECEIPTS_FORK, &receipts->ledger[claim->ledger], claim->seq, claim->mail);
    (void)snprintf(finding->text, sizeof finding->text, "the log has record %lld %s", (long long)claim->seq,
                   what);
}

/* The first claim of that key; it is noted, if this is the first. */
static const struct receipts_claim *first_of(const struct receipts *receipts, json_t *firsts,
                                             const struct str *key, size_t i)
{
    const json_t *first = json_object_get(firsts, key->p);
    if (!first)
        json_object_set_new(firsts, key->p, json_integer((json_int_t)i));
    return &receipts->claim[first ? (size_t)json_integer_value(first) : i];
}

static bool says_else(const struct receipts_claim *a, const struct receipts_claim *b)
{
    return a->kind != b->kind || a->seat != b->seat || a->turn.turn != b->turn.turn ||
           a->turn.rollbacks != b->turn.rollbacks || memcmp(a->mark, b->mark, SEAL_BYTES) != 0;
}

/* Two trees of one size, or two entries of one record, in the log of one name. */
static void judge_trees(struct receipts *receipts)
{
    json_t *trees = json_object(), *records = json_object();
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i], *other;
        const struct ledger *ledger = &receipts->ledger[claim->ledger];
        struct str tree = STR_INIT, record = STR_INIT;
        str_addf(&tree, "%lld %s", (long long)claim->checkpoint.size, claim->checkpoint.origin);
        str_addf(&record, "%zu %lld ", claim->ledger, (long long)claim->seq);
        hex_encode(&record, claim->head, HEAD_BYTES);
        str_addf(&record, " %s", claim->checkpoint.origin);
        other = first_of(receipts, trees, &tree, i);
        if (!tree_hash_equal(&claim->checkpoint.root, &other->checkpoint.root)) {
            struct receipts_finding *finding =
                receipts_find(receipts, RECEIPTS_WRONG, RECEIPTS_FORK, ledger, claim->seq, claim->mail);
            (void)snprintf(
                finding->text, sizeof finding->text,
                "the league signed two different logs of %lld entries: one in this mail, one in %s",
                (long long)claim->checkpoint.size, receipts->mail[other->mail].label);
        } else if (says_else(claim, first_of(receipts, records, &record, i))) {
            tell_entry(receipts, claim, "twice, and differently: the two proofs contradict each other");
        }
        str_release(&tree);
        str_release(&record);
    }
    json_decref(trees);
    json_decref(records);
}

static void judge_claim(struct receipts *receipts, const struct receipts_claim *claim)
{
    const struct ledger *ledger = &receipts->ledger[claim->ledger];
    if (judge_loss(receipts, claim))
        return;
    if ((size_t)claim->seq > ledger->count) {
        judge_beyond(receipts, claim);
        return;
    }
    const struct ledger_record *record = &ledger->record[claim->seq - 1];
    bool same = receipts_is_of(ledger, claim);
    if (same && !says_the_same(record, claim))
        tell_entry(receipts, claim, "as of another kind, turn, seat or text than it is");
    if (same && record->time > claim->time)
        tell_entry(receipts, claim,
                   "earlier than the record itself says: the journal's clock was put forward");
    char was[17], is[17];
    hex_to(was, claim->head, 8);
    hex_to(is, record->head, 8);
    struct receipts_finding *finding =
        receipts_find(receipts, same ? RECEIPTS_GOOD : RECEIPTS_WRONG, same ? RECEIPTS_HEAD : RECEIPTS_FORK,
                      ledger, claim->seq, claim->mail);
    if (same)
        (void)snprintf(finding->text, sizeof finding->text, "its signed head is that of record %lld (%s)",
                       (long long)claim->seq, record->type);
    else
        (void)snprintf(
            finding->text, sizeof finding->text,
            "the league signed another record %lld (head %s...) than the one in the journal (%s...): "
            "this record, or one before it, was changed, added or taken away since",
            (long long)claim->seq, was, is);
}

/* No mail tells of what has not happened yet. */
static void judge_clock(struct receipts *receipts, const struct receipts_claim *claim)
{
    const int64_t arrived = receipts->mail[claim->mail].arrived;
    char logged[CLOCK_TEXT], came[CLOCK_TEXT];
    if (!arrived || claim->time <= arrived + RECEIPTS_CLOCK_SLACK)
        return;
    clock_utc(logged, claim->time);
    clock_utc(came, arrived);
    struct receipts_finding *finding = receipts_find(
        receipts, RECEIPTS_WRONG, RECEIPTS_CLOCK, &receipts->ledger[claim->ledger], claim->seq, claim->mail);
    (void)snprintf(finding->text, sizeof finding->text,
                   "by the league's log record %lld is of %s, and your mail server had this mail that proves "
                   "it at %s. One of "
                   "the two clocks was wrong. If the league's was ahead, turns ended before their time",
                   (long long)claim->seq, logged, came);
}

static int by_weight(const void *a, const void *b)
{
    const struct receipts_finding *one = a, *two = b;
    if (one->weight != two->weight)
        return one->weight < two->weight ? -1 : 1;
    int game = strcmp(one->game, two->game);
    if (game)
        return game;
    if (one->kind != two->kind)
        return one->kind < two->kind ? -1 : 1;
    if (one->seq != two->seq)
        return one->seq < two->seq ? -1 : 1;
    return one->mail < two->mail ? -1 : one->mail > two->mail;
}

/* A report is complete with the cosignatures that its reader wants: of the close of its turn, in whichever mail they came. A receipt needs none. */
static void judge_witnesses(struct receipts *receipts, const struct receipts_claim *claim)
{
    uint32_t seen = 0;
    if (!receipts->policy || (claim->kind != ENTRY_TURN && claim->kind != ENTRY_START))
        return;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *close = &receipts->claim[i];
        if (close->kind == ENTRY_CLOSE && close->ledger == claim->ledger &&
            close->turn.turn == claim->turn.turn && close->turn.rollbacks == claim->turn.rollbacks)
            seen |= close->cosigners;
        if (close < claim && close->kind == claim->kind && close->ledger == claim->ledger &&
            close->seq == claim->seq)
            return; /* said before */
    }
    if (policy_agrees(receipts->policy, seen))
        return;
    struct receipts_finding *finding = receipts_find(
        receipts, RECEIPTS_ASK, RECEIPTS_ALONE, &receipts->ledger[claim->ledger], claim->seq, claim->mail);
    (void)snprintf(finding->text, sizeof finding->text,
                   "of the policy's witnesses %d have seen that turn %d was closed before it was played, "
                   "which are too few",
                   __builtin_popcount(seen), claim->turn.turn);
}

void receipts_end(struct receipts *receipts)
{
    for (size_t i = 0; i < receipts->ledger_count; i++)
        judge_ledger(receipts, &receipts->ledger[i]);
    for (size_t i = 0; i < receipts->claim_count; i++)
        judge_claim(receipts, &receipts->claim[i]);
    for (size_t i = 0; i < receipts->claim_count; i++)
        judge_witnesses(receipts, &receipts->claim[i]);
    judge_trees(receipts);
    for (size_t i = 0; i < receipts->claim_count; i++)
        judge_clock(receipts, &receipts->claim[i]);
    receipts_judge_marks(receipts);
    receipts_judge_boards(receipts);
    receipts_judge_texts(receipts);
    receipts_judge_seats(receipts);
    if (receipts->finding_count)
        qsort(receipts->finding, receipts->finding_count, sizeof *receipts->finding, by_weight);
}
