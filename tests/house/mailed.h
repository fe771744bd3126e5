/* Texts and orders that no key has signed, but the domain of the player's mail, into a league (house.h). */
#ifndef TESTS_HOUSE_MAILED_H
#define TESTS_HOUSE_MAILED_H

#include "house/domain.h"
#include "house/house.h"
#include "play/replies.h"

/* A registered player without a key, NAME@example.net. */
static inline void house_mailer(struct house *h, const char *name)
{
    struct err err = ERR_INIT;
    struct player player;
    player_init(&player);
    player.html = false;
    player.by_mail = true;
    player.since = h->now;
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    (void)snprintf(player.address, sizeof player.address, "%s@example.net", name);
    ck_ok(batch_change(&h->batch, &(struct registry_change){.what = "register", .player = &player}, &err),
          err);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

/* What became of a text. */
struct mailed {
    enum petition_fate fate;
    char why[40]; /* the code of its refusal, or "" */
    bool copy;
    char answer[40]; /* the template, if it is answered by one */
};

/* The mail in which that text would be typed: a message and hours as such, all else as "ok". */
static inline void mailed_write(const struct domain *domain, const char *who, int64_t now,
                                const struct frame *frame, struct str *mail)
{
    struct str body = STR_INIT;
    struct slice rest = frame->body, to = {"", 0}, words = {"", 0};
    char subject[64];
    bool message = strcmp(frame->verb, "press") == 0 && slice_line(&rest, &to) &&
                   slice_casestarts(to, "to:") && slice_line(&rest, &words);
    bool nameless = message && slice_eq(words, "from: nobody") && slice_line(&rest, &words);
    if (message)
        str_addf(&body, "press %.*s%s: %.*s\r\n", (int)to.len - 3, to.p + 3, nameless ? " from nobody" : "",
                 (int)words.len, words.p);
    else if (frame_line(frame->body, "hours", &words))
        str_addf(&body, "extend %.*s\r\n", (int)words.len, words.p);
    else
        str_adds(&body, "ok\r\n");
    str_adds(&body, "\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> a mail\r\n");
    (void)snprintf(subject, sizeof subject, "Re: a mail #%.16s", frame->head);
    domain_letter(domain,
                  &(struct domain_letter){who, "example.org", "orders@game.test", subject, now, body.p, NULL,
                                          now + 3 * 3600},
                  mail);
    str_release(&body);
}

/* The petition by a mail of its own, as its league wants it (house_headed); what it led to is committed. */
static inline struct mailed house_says_by_mail(struct house *h, const struct domain *domain, const char *who,
                                               const char *text, bool agreed)
{
    struct err err = ERR_INIT;
    struct str headed = STR_INIT, exact = STR_INIT, mail = STR_INIT;
    struct frame frame;
    struct dkim_claims claims;
    char from[PLAYER_ADDRESS], nothing[] = "";
    struct message msg = {.kind = MAIL_PERSON,
                          .from = from,
                          .from_name = nothing,
                          .to = nothing,
                          .subject = nothing,
                          .message_id = nothing,
                          .references = nothing};
    struct mailed mailed = {.fate = PETITION_KEPT};
    h->batch.now = h->now;
    (void)snprintf(from, sizeof from, "%s@example.net", who);
    memset(msg.digest, ++h->mails, sizeof msg.digest);
    house_headed(h, text, &headed);
    canon_text(&exact, slice_str(&headed));
    ck_ok(frame_receive(slice_str(&exact), slice_str(&exact), &frame, &err), err);
    mailed_write(domain, who, h->now, &frame, &mail);
    const struct mail_proof proof = domain_proof(domain, &mail, h->now, &claims);
    struct hearing hearing = {.batch = &h->batch,
                              .msg = &msg,
                              .player = who,
                              .proof = &proof,
                              .came.agreed = agreed,
                              .frame = &frame,
                              .exact = slice_str(&exact),
                              .canonical = slice_str(&exact)};
    ck_ok(petition_hear(&hearing, &mailed.fate, &err), err);
    const char *why = hearing.refusal ? json_object_iter_key(json_object_iter(hearing.refusal)) : "";
    (void)snprintf(mailed.why, sizeof mailed.why, "%s", why);
    (void)snprintf(mailed.answer, sizeof mailed.answer, "%s", hearing.answer ? hearing.answer : "");
    mailed.copy = hearing.known.copy;
    hearing_release(&hearing);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
    str_release(&headed);
    str_release(&exact);
    str_release(&mail);
    return mailed;
}

/* Orders of the seat, to which its player agrees ("ok") in such a mail; `seq` is their number. */
static inline enum orders_fate house_orders_by_mail(struct house *h, const struct domain *domain,
                                                    const char *id, int seat, int seq, const char *lines)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT, mail = STR_INIT;
    struct frame frame;
    struct step step;
    struct dkim_claims claims;
    struct batch_game *entry;
    unsigned char digest[32];
    char head[17], subject[64], body[160];
    enum orders_fate fate = ORDERS_TAKEN;
    h->batch.now = h->now;
    ck_ok(batch_game(&h->batch, id, &entry, &err), err);
    memset(digest, ++h->mails, sizeof digest);
    hex_to(head, entry->game.opened.head, 8);
    (void)snprintf(subject, sizeof subject, "Re: [%s] #%s", id, head);
    (void)snprintf(body, sizeof body,
                   "ok\r\n\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> mail %d\r\n", h->mails);
    domain_letter(domain,
                  &(struct domain_letter){entry->game.seat[seat].player, "example.org", HOUSE_ADDRESS,
                                          subject, h->now, body, NULL, h->now + 3 * 3600},
                  &mail);
    const struct mail_proof proof = domain_proof(domain, &mail, h->now, &claims);
    const struct reply_orders orders = {.seq = seq, .content = proof.content, .lines = slice_of(lines)};
    reply_text(&text, &entry->game, &orders);
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    const struct orders_input input = {.seat = seat,
                                       .frame = &frame,
                                       .exact = slice_str(&text),
                                       .canonical = slice_str(&text),
                                       .mail = digest,
                                       .proof = &proof};
    batch_step(&h->batch, entry, &step);
    ck_ok(step_orders(&step, &entry->game, &input, &fate, &err), err);
    ck_ok(step_finish(&step, &entry->game, &err), err);
    ck_ok(batch_take(&h->batch, entry, &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
    str_release(&text);
    str_release(&mail);
    return fate;
}

/* The seat's player answers in words that nobody understands, sent at that time. Does it leave a question open? */
static inline bool house_question(struct house *h, const struct domain *domain, const char *id, int seat)
{
    struct err err = ERR_INIT;
    struct str mail = STR_INIT;
    struct dkim_claims claims;
    struct batch_game *entry;
    struct step step;
    unsigned char digest[32];
    char body[64];
    h->batch.now = h->now;
    ck_ok(batch_game(&h->batch, id, &entry, &err), err);
    int64_t before = entry->game.seq;
    memset(digest, ++h->mails, sizeof digest);
    (void)snprintf(body, sizeof body, "What do you mean by mail %d?\r\n", h->mails);
    domain_letter(domain,
                  &(struct domain_letter){entry->game.seat[seat].player, "example.org", HOUSE_ADDRESS,
                                          "Re: it", h->now, body, NULL, h->now + 3 * 3600},
                  &mail);
    const struct mail_proof proof = domain_proof(domain, &mail, h->now, &claims);
    batch_step(&h->batch, entry, &step);
    int rc = step_question(&step, &entry->game, &(struct question_input){seat, digest, &proof}, &err);
    bool opened = entry->game.seq > before;
    ck_ok(batch_end_step(&h->batch, entry, &step, rc, &err), err);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
    str_release(&mail);
    return opened;
}

#endif
