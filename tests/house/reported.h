/* Anna's answers to the report of the open turn (house/answers.h), and how one may differ from an honest one. */
#ifndef TESTS_HOUSE_REPORTED_H
#define TESTS_HOUSE_REPORTED_H

#include "house/answers.h"

/* How an answer differs from an honest one; all zero: not at all. */
struct form {
    const char *local; /* of From, NULL = anna */
    const char *token; /* NULL = that of anna's place */
    const char *held;  /* the token of the mail that asked whether these lines were meant */
    int seq;           /* 0 = the next one */
    bool no_quote, no_head;
    bool bare;           /* the mail that is answered shows no suggestions: a receipt, say, or a message */
    const char *extra;   /* fields above the mail, which nobody has signed */
    const char *subject; /* NULL = that of a report */
    int64_t later;       /* seconds after the last one */
    const char *date;    /* NULL = now */
};

/* Anna's answer to the report of the open turn, into `mail`. */
static inline void write_answer(const struct form *form, const char *typed)
{
    struct game *game = house_find(&house, "gc-1");
    struct reply_place place = place_of(game);
    struct suggestions suggestions;
    char token[REPLY_TOKEN_TEXT], nonce[REPLY_TOKEN_TEXT], head[17], to[99], subject[99];
    struct str body = STR_INIT;
    place.seq = form->seq ? form->seq : place.seq;
    suggestions_make(&suggestions, game, 1);
    reply_nonce(nonce, house.league.master, &place, form->bare ? NULL : &suggestions);
    place.also = form->held ? slice_of(form->held) : (struct slice){"", 0};
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    hex_to(head, game->opened.head, 8);
    (void)snprintf(to, sizeof to, "league+%s@example.org", form->token ? form->token : token);
    (void)snprintf(subject, sizeof subject, "Re: [gc-1] Turn is played #%s", form->no_head ? "0000" : head);
    str_addf(&body, "%s\r\n", typed);
    if (!form->no_quote) {
        str_adds(&body, "\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> ");
        reply_boundary(&body, slice_of(nonce));
        str_addf(&body, " gc-1, turn %d, %s\r\n> explore far\r\n", game->turn, form->no_head ? "0000" : head);
    }
    house.now += form->later ? form->later : 60;
    str_clear(&mail);
    if (form->extra)
        str_adds(&mail, form->extra);
    domain_letter(&domain,
                  &(struct domain_letter){form->local ? form->local : "anna", "mail.test", to,
                                          form->subject ? form->subject : subject, house.now, body.p,
                                          form->date, 0},
                  &mail);
    house.mails++;
    suggestions_release(&suggestions);
    str_release(&body);
}

static inline enum intake_fate answer(const struct form *form, const char *typed)
{
    write_answer(form, typed);
    return house_raw(&house, slice_str(&mail));
}

__attribute__((unused)) static const struct form honest, receipt = {.bare = true};

/* From now on only that counts. */
static inline void anna_has_a_key(void)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    secret_public(house_person(&house, "anna"), &key);
    struct player signs = *registry_find(&house.batch.registry, "anna");
    signs.by_mail = false;
    ck_ok(
        batch_change(&house.batch,
                     &(struct registry_change){
                         .what = "key", .player = &signs, .key_owner = "anna", .keys = &key, .key_count = 1},
                     &err),
        err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

#endif
