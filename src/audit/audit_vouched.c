/* Texts that no key has signed: what a mail domain's word is worth, and, where the mail itself may be opened,
 * whether the domain gave it. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "audit/audit_parts.h"
#include "game/game_seats.h"
#include "trust/canon.h"
#include "trust/dkim.h"

/* Is this the signature that the record speaks of, and its seal? (A record whose text is open keeps none.) */
static bool same_claim(const struct dkim_claim *claim, const struct vouched *vouched, const json_t *signature)
{
    char content[65];
    struct str sig = STR_INIT;
    hex_to(content, claim->content, sizeof claim->content);
    base64_encode(&sig, claim->sig, claim->sig_len);
    const char *said = json_string_value(json_object_get(signature, "content"));
    const char *made = json_string_value(json_object_get(signature, "dkim"));
    bool same = strcmp(claim->from.domain, vouched->domain) == 0 &&
                strcmp(claim->selector, vouched->selector) == 0 &&
                (!signature || (said && strcmp(said, content) == 0 && made && strcmp(made, sig.p) == 0));
    str_release(&sig);
    return same;
}

/* A text that somebody is said to have mailed, and where its mail is sealed. */
struct mailed {
    int seat; /* of the evidence, and for findings */
    bool orders;
    const struct vouched *vouched;
    const json_t *signature;   /* of the domain, as a seal has it; NULL: the record keeps none */
    const struct frame *frame; /* of the text; NULL: none was made of it, as it was not understood */
};

/* The mail, what its domain published of its key, and what record and mark say of them; borrowed. */
struct evidence {
    struct slice raw, record;
    const struct vouched *vouched;
    const json_t *signature;
};

/* Which of its signatures did the recorded key make, as the record and the mark speak of it? NULL: none. */
static const struct dkim_claim *find_claim(const struct dkim_claims *claims, const struct dkim_key *key,
                                           const struct vouched *vouched, const json_t *signature)
{
    json_t *refusal = NULL;
    const struct dkim_claim *found = NULL;
    for (size_t i = 0; i < claims->count && !found; i++)
        if (same_claim(&claims->list[i], vouched, signature) &&
            dkim_holds(&claims->list[i], key, &refusal) == OUTCOME_DONE)
            found = &claims->list[i];
    json_decref(refusal);
    return found;
}

/* Does the domain's signature hold? NULL: yes, and it is *claim, a part of `claims`; else what is wrong with the
 * mail. */
static const char *domain_fault(const struct evidence *mail, struct dkim_claims *claims,
                                const struct dkim_claim **claim)
{
    struct work work = WORK_INIT;
    struct dkim_key key;
    json_t *refusal = NULL;
    const char *fault = NULL;
    if (dkim_read(mail->raw, DKIM_ANY_TIME, &work, claims, &refusal) != OUTCOME_DONE)
        fault = "has no signature of its sender's domain that could be believed";
    else if (dkim_key_read(mail->record, &key, &refusal) != OUTCOME_DONE ||
             memcmp(key.digest, mail->vouched->key, sizeof key.digest) != 0)
        fault = "comes with another key than the record names";
    else if (!(*claim = find_claim(claims, &key, mail->vouched, mail->signature)))
        fault = "is not signed by that domain and key";
    json_decref(refusal);
    return fault;
}

/* What there is to say of it, of orders and of other texts. */
static const struct {
    const char *among, *agreed, *other, *nowhere;
} words[2] = {
    {"the mail holds this text among lines that are none, or says that a machine wrote it: that it was to "
     "count rests on the operator's word",
     "the mail agrees to what is not in it: what that was rests on the operator's word",
     "the mail that vouches for its text says something else than the text does",
     "the mail that vouches for its text names no head of the game: it may be an answer to anything"},
    {"the mail holds these orders among lines that are none, or says that a machine wrote it: that "
     "they were to count rests on the operator's word",
     "the mail agrees to orders that are not in it: what they were rests on the operator's word",
     "the mail that vouches for its orders says something else than they do",
     "the mail that vouches for its orders does not name the record that they answer, or a later one as "
     "well: "
     "it may be an answer to anything"}};

/* Does the mail say what the orders, or the text, do? One that asks a question (no frame) was sent when its record says. */
static int check_words(struct auditing *a, const struct mailed *mailed, struct slice raw,
                       const struct dkim_claim *claim)
{
    const int seat = mailed->seat;
    const struct audit_mail mail = {raw,      claim, mailed->vouched->sent, mailed->vouched->cutter,
                                    &a->game, seat,  mailed->frame};
    const enum audit_says says = a->in->says(&mail);
    if (!mailed->frame)
        return says == AUDIT_SAYS_SAME
                   ? 0
                   : audit_broken(a, AUDIT_TEXT, seat,
                                  "its mail was sent at another time than the record says");
    switch (says) {
    case AUDIT_SAYS_SAME: a->out->counts.mails_say++; return 0;
    case AUDIT_SAYS_AMONG: audit_word(a, AUDIT_AGREED, seat, "%s", words[mailed->orders].among); return 0;
    case AUDIT_SAYS_AGREED: audit_word(a, AUDIT_AGREED, seat, "%s", words[mailed->orders].agreed); return 0;
    case AUDIT_SAYS_OTHER: return audit_broken(a, AUDIT_TEXT, seat, "%s", words[mailed->orders].other);
    case AUDIT_SAYS_NOWHERE: return audit_broken(a, AUDIT_TEXT, seat, "%s", words[mailed->orders].nowhere);
    case AUDIT_SAYS_NEWER: break;
    }
    return audit_newer(a, "the mail that vouches for it was read by version %d of the reader of mails",
                       mailed->vouched->cutter);
}

/* Which addresses are whose is only in the league's files; but mails of one player come from one mailbox, whatever its
 * case, and those of two from two. */
static void compare_mailboxes(struct auditing *a, int seat, const struct mailbox *from)
{
    struct audit_mailbox now;
    struct str address = STR_INIT;
    str_addf(&address, "%s@%s", from->local, from->domain);
    for (size_t i = 0; i < address.len; i++)
        if (address.p[i] >= 'A' && address.p[i] <= 'Z')
            address.p[i] = (char)(address.p[i] - 'A' + 'a');
    crypto_generichash(now.from, sizeof now.from, (const unsigned char *)address.p, address.len, NULL, 0);
    memcpy(now.player, a->game.seat[seat].player, sizeof now.player);
    for (int i = 1; i <= SEATS_MAX; i++) {
        const struct audit_mailbox *known = &a->mailbox[i];
        bool same = memcmp(known->from, now.from, sizeof now.from) == 0;
        bool own = strcmp(known->player, now.player) == 0;
        if (*known->player && !own && same)
            audit_note(
                a, AUDIT_NOTE, AUDIT_DOMAIN, seat,
                "the mail that vouches for its orders is from the mailbox whose mails vouch for seat %d", i);
        if (i == seat && own && !same)
            audit_note(a, AUDIT_NOTE, AUDIT_DOMAIN, seat,
                       "the mail that vouches for its orders is from another mailbox than this player's mail "
                       "before it: who changed the address is only in the league's files");
    }
    a->mailbox[seat] = now;
    str_release(&address);
}

static int check_mail(struct auditing *a, const struct mailed *mailed, const struct evidence *mail)
{
    struct dkim_claims *claims = mem_alloc(sizeof *claims);
    const struct dkim_claim *claim = NULL;
    const char *fault = domain_fault(mail, claims, &claim);
    int rc = fault ? audit_broken(a, AUDIT_SIGNATURE, mailed->seat, "the mail that vouches for its %s %s",
                                  mailed->orders ? "orders" : "text", fault)
                   : 0;
    if (rc == 0 && mailed->orders)
        compare_mailboxes(a, mailed->seat, &claim->from);
    if (rc == 0 && a->in->says)
        rc = check_words(a, mailed, mail->raw, claim);
    free(claims);
    return rc;
}

static int read_mail(struct auditing *a, const struct mailed *mailed, const struct sealed *sealed)
{
    struct str record = STR_INIT;
    struct slice raw;
    int rc;
    if (!vouched_mail(slice_str(&sealed->payload), &record, &raw))
        rc = audit_broken(a, AUDIT_SIGNATURE, mailed->seat, "the mail that vouches for its %s cannot be read",
                          mailed->orders ? "orders" : "text");
    else
        rc = check_mail(a, mailed,
                        &(struct evidence){raw, slice_str(&record), mailed->vouched, mailed->signature});
    str_release(&record);
    return rc;
}

/* The mail is private: like press, its box opens to nobody but the league. */
static int check_evidence(struct auditing *a, const struct mailed *mailed)
{
    char hex[65];
    hex_to(hex, mailed->vouched->evidence, SEAL_BYTES);
    const struct sealed *sealed = audit_may_open(a, mailed->seat, SEAL_EVIDENCE)
                                      ? audit_payload(a, mailed->seat, SEAL_EVIDENCE, hex)
                                      : NULL;
    if (sealed && !a->live && read_mail(a, mailed, sealed))
        return -1;
    if (!sealed && mailed->vouched->boxed && audit_may_open(a, mailed->seat, SEAL_EVIDENCE))
        return audit_box_wrong(a, mailed->seat, SEAL_EVIDENCE);
    a->out->counts.mails += sealed != NULL;
    a->out->counts.mails_sealed += !sealed;
    return 0;
}

/* The text is not in the mark that its draws follow from: else the league, which makes it, could choose among
 * draws. */
static int check_made(struct auditing *a, int seat, const json_t *payload)
{
    unsigned char made[SEAL_BYTES], named[SEAL_BYTES];
    return seal_made(made, payload) && audit_hex(a, "made", named) && memcmp(made, named, SEAL_BYTES) == 0
               ? 0
               : audit_broken(a, AUDIT_SEAL, seat,
                              "its text is not the one to which the record binds the league (\"made\")");
}

static void tell_domain(struct auditing *a, int seat, const struct vouched *vouched, const char *what)
{
    char key[65];
    hex_to(key, vouched->key, sizeof vouched->key);
    audit_word(a, AUDIT_DOMAIN, seat,
               "no key has signed %s: the mail domain %s vouches for %s, with its key %.16s... under %s, %s",
               what, vouched->domain, strcmp(what, "these orders") == 0 ? "them" : "it", key,
               vouched->selector,
               vouched->learned == LEARNED_DNSSEC
                   ? "which the league says it got by a chain of signatures from the root of the names"
                   : "which the league says the domain published");
}

int audit_arrived(struct auditing *a, int seat, const struct vouched *vouched, int64_t since)
{
    if (vouched->arrived > a->record->time)
        return audit_broken(a, AUDIT_TIME, seat,
                            "the mail that vouches for it is said to have come after the record was made");
    return vouched->arrived >= since
               ? 0
               : audit_broken(a, AUDIT_TIME, seat,
                              "the mail that vouches for it is said to have come before "
                              "the record that it answers was made");
}

/* Its clock was ahead of the one by which it came. */
static void count_ahead(struct audit_orders *orders, const struct vouched *vouched)
{
    int64_t ahead = vouched->sent - vouched->arrived;
    orders->ahead += ahead > 0;
    orders->ahead_most = ahead > orders->ahead_most ? ahead : orders->ahead_most;
}

int audit_vouched(struct auditing *a, int seat)
{
    struct vouched vouched;
    const json_t *json = json_object_get(a->record->json, "vouched");
    if (!json != !audit_has(a, "made"))
        return audit_broken(a, AUDIT_FORM, seat,
                            "\"made\" and \"vouched\" go together, and one of them is not there");
    if (!json)
        return 0;
    if (!game_takes_mail(&a->game, seat))
        return audit_broken(
            a, AUDIT_SIGNATURE, seat,
            "a mail domain vouches for its orders, and in this game, or for a player who has a "
            "key, that does not count");
    if (!vouched_read(json, &vouched))
        return audit_broken(a, AUDIT_FORM, seat, "its member \"vouched\" cannot be read");
    if (audit_arrived(a, seat, &vouched, a->game.opened.at))
        return -1;
    count_ahead(&a->out->orders[seat], &vouched);
    a->out->orders[seat].mails++;
    memcpy(a->out->orders[seat].player, a->game.seat[seat].player, sizeof a->out->orders[seat].player);
    memcpy(a->out->orders[seat].domain, vouched.domain, sizeof a->out->orders[seat].domain);
    a->out->orders[seat].dnssec += vouched.learned == LEARNED_DNSSEC;
    tell_domain(a, seat, &vouched, "these orders");
    return 0;
}

/* The text that the league made of a mail, in canonical form. */
static int read_made(struct auditing *a, int seat, const json_t *text, struct audit_signed *out)
{
    struct err err = ERR_INIT;
    struct slice exact = {json_string_value(text), json_string_length(text)};
    str_init(&out->text);
    canon_text(&out->text, exact);
    if (out->text.len != exact.len || memcmp(out->text.p, exact.p, exact.len) != 0)
        return audit_broken(a, AUDIT_TEXT, seat,
                            "the text that was made of its mail is not in canonical form");
    if (frame_parse(slice_str(&out->text), &out->frame, &err))
        return audit_broken(a, AUDIT_TEXT, seat, "the text is none of ours: %s", err.text);
    return 0;
}

int audit_vouched_text(struct auditing *a, const json_t *vouched, const json_t *payload,
                       const struct audit_mailed *how, struct audit_signed *out)
{
    const json_t *text = json_object_get(payload, "text"), *signature = json_object_get(payload, "signature");
    bool orders = strcmp(how->verb, "orders") == 0;
    str_init(&out->text);
    if (!vouched_read(vouched, &out->vouched) || !json_is_string(text))
        return audit_broken(a, AUDIT_FORM, how->seat, "what it keeps of a text cannot be read");
    if (signature && !json_is_string(json_object_get(signature, "dkim")))
        return audit_broken(
            a, AUDIT_SIGNATURE, how->seat,
            "a mail domain is said to vouch for a text, and its signature is none of a domain's");
    if (orders && check_made(a, how->seat, payload))
        return -1;
    if (read_made(a, how->seat, text, out) || audit_signed_frame(a, &out->frame, how->verb, how->seat) ||
        audit_arrived(a, how->seat, &out->vouched, orders ? game_head_time(&a->game, out->frame.head) : 0))
        return -1;
    if (!orders)
        tell_domain(a, how->seat, &out->vouched, "the text");
    return check_evidence(
        a, &(struct mailed){orders ? how->seat : 0, orders, &out->vouched, signature, &out->frame});
}

int audit_vouched_counts(struct auditing *a, int seat, size_t key_count)
{
    return a->game.table.by_mail && !key_count
               ? 0
               : audit_broken(
                     a, AUDIT_SIGNATURE, seat,
                     "a mail domain vouches for its text, and in this game, or for a player who has a "
                     "key, that does not count");
}

/* What it says was not understood, and counts for nothing: it is asked only whether it is the player's. */
int audit_question(struct auditing *a)
{
    struct vouched vouched;
    unsigned char mail[32];
    int seat = audit_seat(a);
    if (audit_vouched_counts(a, seat, a->game.seat[seat].key_count))
        return -1;
    if (!vouched_read(json_object_get(a->record->json, "vouched"), &vouched) || !audit_hex(a, "mail", mail))
        return audit_broken(a, AUDIT_FORM, seat, "its mail, or who vouches for it, cannot be read");
    if (audit_arrived(a, seat, &vouched, 0))
        return -1;
    if (!digests_add(&a->seen.mails, mail))
        return audit_broken(a, AUDIT_TEXT, seat, "the same mail has opened a question before");
    audit_note(a, AUDIT_NOTE, AUDIT_DOMAIN, seat,
               "a mail of %s by the domain %s was not understood, as the league says, and the turn waited "
               "for another one",
               a->game.seat[seat].player, vouched.domain);
    return check_evidence(a, &(struct mailed){.vouched = &vouched});
}
