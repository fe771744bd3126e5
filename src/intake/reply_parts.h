/* What the files of replies share; for no others. intake_reply.c finds out what is answered, and calls the others. */
#ifndef INTAKE_REPLY_PARTS_H
#define INTAKE_REPLY_PARTS_H

#include "intake/intake_parts.h"
#include "orders/typed.h"
#include "play/replies.h"

/* An answer to a mail of ours for which its domain vouches; the player is visit->sender. */
struct answering {
    struct visit *visit;
    struct batch_game *entry; /* the game */
    int seat;
    struct reply_place place; /* of the mail that is answered */
    bool digest;              /* it is one, of several games (reply_digest.c) */
    const char *wish;         /* it asked whether they want that (reply_wish.c); NULL: it did not */
    struct batch_competition *competition; /* of which it asked that, in place of a game; else NULL */
    bool own;  /* of neither: it asked whether they want what `held` says (reply_own.c) */
    bool done; /* and an earlier "ok" has done it */
    unsigned char own_head[HEAD_BYTES]; /* to which the place of that borrows */
    struct str held;                    /* it asked whether these lines were meant; else empty */
    size_t open;                        /* games that wait for an answer, as far as they were looked at */
    struct suggestions suggestions;
    struct reply reply;
    /* Of the last record of the open turn that the mail names; "" = it names none. */
    char head[2 * HEAD_BYTES + 1];
    bool bound;   /* the signed part of the mail names that, or what it asked about */
    bool heard;   /* the turn of that mail is over, but messages in it were sent */
    bool offered; /* and the mail that is answered shows the suggestions, as a report does */
    struct typed_game game;
    const char *others[SEATS_MAX + 1]; /* to which that borrows (reply_game) */
    struct typed typed,
        below;      /* what was typed above the quote, and below it, where it is only asked about */
    json_t *unread; /* reply_unread; owned */
    bool goes_on;   /* there is unread matter beside lines that were understood, and it may belong to them */
};

/* The player's running games; those that the mail's subject names come first. The caller frees `id`. */
struct reply_games {
    char (*id)[GAME_NAME];
    size_t count, cap;
    const char *subject;
};
int reply_games(struct visit *visit, struct reply_games *games, struct err *err)
    __attribute__((warn_unused_result));
/* The game that the subject names: "Re: [gc-17] Join?" */
bool reply_subject_game(const struct visit *visit, char id[GAME_NAME]) __attribute__((warn_unused_result));
/* Which mail of ours about the place's open turn is quoted, by its boundary? Sets the number of the place and `offered`,
 * which bind what "ok" and numbers mean; `suggestions` are there. */
bool reply_find_quoted(struct answering *a, const struct reply_whole *whole)
    __attribute__((warn_unused_result));
/* Has the domain signed that the mail is for us? Else somebody to whom its sender has written it could send it here. */
bool reply_is_for_us(const struct visit *visit);
/* Has the mail given orders to the game? Servers deliver a mail twice, and a crash leaves it in the mailbox. */
int reply_was_given(const struct visit *visit, struct batch_game *entry, bool *given, struct err *err)
    __attribute__((warn_unused_result));
/* Nothing is said to it: it counted before. */
void reply_seen(struct visit *visit);
/* Has it opened a question in the game, or given orders to it? By what has come since, it would now mean something else. */
int reply_was_decided(const struct visit *visit, struct batch_game *entry, bool *decided, struct err *err)
    __attribute__((warn_unused_result));
/* Does more than one of the lines ask for something? Orders are one thing. */
bool reply_asks_several(const struct typed *typed);
/* Its game cannot be read now: it stays where it is. */
void reply_keep(struct visit *visit);
/* Sets a->game: the language of the game's text, what `suggestions` offer, and to whom one can write. `wish`: or NULL. */
void reply_game(struct answering *a, const char *wish);
/* What was typed, with the names under which its writer signs mails. */
void reply_read(const struct visit *visit, struct slice text, const struct typed_game *games, size_t count,
                struct typed *typed);

/* Is the mailbox for which the domain vouches one of the sender's? */
bool reply_is_from(const struct visit *visit);
/* Does the mail's domain vouch for it, from such a mailbox, and has its sender no key? */
bool reply_may_speak(const struct visit *visit);
/* From here on it is the player's mail. `ours`: it is an answer to a mail of ours, whatever its domain has signed. */
int reply_claim(struct visit *visit, bool ours, struct err *err) __attribute__((warn_unused_result));

/* ---- reply_domain.c ---- */

/* The domain does not vouch for the sender's mail, or not for this mailbox: they are told why, or it waits for the
 * domain's key. `tokened`: it has the token of a mail of ours, which a forger does not know. */
int reply_unvouched(struct visit *visit, bool tokened, struct err *err) __attribute__((warn_unused_result));

/* ---- reply_wish.c ---- */

/* Is it the token of a mail that asked for a wish? */
int reply_find_wish(struct answering *a, struct slice token, bool *found, struct err *err)
    __attribute__((warn_unused_result));
int reply_act_wish(struct answering *a, struct err *err) __attribute__((warn_unused_result));
/* What is asked for in a mail of its own may as well be typed into an answer: "join gc-17", "games". *found: the line is that,
 * and is answered. */
int reply_request(struct visit *visit, struct slice line, bool *found, struct err *err)
    __attribute__((warn_unused_result));
/* Was the word of that place typed after "ok"? */
bool reply_ok_is(const struct answering *a, const struct reply_place *place);

/* What is asked about, the verb that the words are under, and whether there is no way back: then the "ok" takes a word. */
struct asked_wish {
    const char *verb;
    bool binds;
    json_t *facts; /* taken over */
};
/* Asks whether it is meant, or says that it was declined; an "ok" belongs to that place. */
int reply_ask_wish(struct visit *visit, const struct reply_place *place, const struct answer_game *about,
                   const struct asked_wish *wish, struct err *err) __attribute__((warn_unused_result));
/* The verb by which the player takes the seat in the game that is kept for them, or offered to them; NULL: there is none. */
const char *reply_seat_wish(const struct game *game, const char *player);
/* Asks whether they want the seat that is kept for them in that game, or offered to them; *asked: there is one. */
int reply_ask_seat(struct visit *visit, const struct game *game, bool *asked, struct err *err)
    __attribute__((warn_unused_result));
/* It is not done; takes ownership of the reason. */
int reply_not_done(struct visit *visit, const char *verb, json_t *why, struct err *err)
    __attribute__((warn_unused_result));

/* ---- reply_own.c ---- */

/* Does it name two games to be played again? */
bool reply_own_several(const struct visit *visit, struct slice line);
/* Does it, or asks. *found: the line, with what is typed below it, is whole. */
int reply_own(struct visit *visit, struct slice line, bool *found, struct err *err)
    __attribute__((warn_unused_result));
/* Is it the token of a mail that asked about such a wish? */
int reply_find_own(struct answering *a, struct slice token, bool *found, struct err *err)
    __attribute__((warn_unused_result));
int reply_act_own(struct answering *a, bool agreed, struct err *err) __attribute__((warn_unused_result));

/* ---- reply_digest.c ---- */

/* Is it the token of a digest of the last weeks? */
bool reply_is_digest(const struct visit *visit, struct slice token);
/* Does what was typed for several games, each line of which names its own; all of it, or nothing. */
int reply_to_digest(struct visit *visit, struct err *err) __attribute__((warn_unused_result));

/* ---- reply_act.c ---- */

/* Does what was typed, or asks. */
int reply_act(struct answering *a, struct err *err) __attribute__((warn_unused_result));

/* Answers a mail of a turn that is over. Messages depend on no turn, and go out (a->heard). Where seats
 * take turns, and the player has got no report since, as others have moved, orders in words are as good as before, and so is an
 * UNDO of those that wait: these are asked about, as the mail names no record of the open turn. What numbers meant is not known any
 * more. *done: there is nothing more to say. */
int reply_act_past(struct answering *a, bool *done, struct err *err) __attribute__((warn_unused_result));
/* Has the player of the seat got no report of the open turn, as it is not theirs? */
bool reply_moved(const struct game *game, int seat);
/* Did it come more than a day after it was written, as far as is known? Servers are not that slow: it may be an old one
 * that its writer has given up, and somebody else delivers. */
bool reply_is_late(const struct answering *a);
/* Can these orders be taken without asking? */
bool reply_is_plain(const struct answering *a, struct slice lines);
/* Puts orders into the game, as a signed text. */
int reply_give(struct answering *a, struct slice lines, enum reply_manner manner, struct err *err)
    __attribute__((warn_unused_result));
/* Lines and why they are asked about, for words: [{"line","doubt"}]. New references. */
json_t *reply_doubts(const struct typed *typed);
/* The same of orders that have words left over: most likely such a line is a sentence, "build trust with bob". Besides, the
 * reason of the rules ("why"), or of the language ("unread"). *wrong: something is wrong with any of the orders, or some of them
 * stand for later. */
json_t *reply_extra_words(const struct answering *a, struct slice lines, bool *wrong);
/* Lines of which it is said why they are asked about need not be shown as unread matter, too. */
void reply_drop_doubted(struct visit *visit, const json_t *doubts);

/* ---- reply_offer.c ---- */

/* Takes out of the lines that an "ok" would take what cannot work, and words that nothing reads; `doubts` (reply_doubts) get
 * the reasons. */
void reply_offer(const struct answering *a, struct str *lines, json_t *doubts);

/* ---- reply_hints.c ---- */

/* Of what was not understood: {"explains": {"word"}, "status", "vacation", "extend", "resign", "undo", "back"}, as far as its words ask for that. New
 * reference. */
json_t *reply_hints(const struct answering *a);

/* ---- reply_asks.c ---- */

/* Questions in a text. Borrowed. */
struct reply_asked {
    const struct typed *typed;
    const struct game *const *games; /* that its lines may be about, by their index */
    size_t count;
    bool
        given; /* orders beside them were taken, or tried: with the receipt come those that the language has */
};
/* Answers each of them; what is said twice once. */
int reply_questions(struct visit *visit, const struct reply_asked *asked, struct err *err)
    __attribute__((warn_unused_result));

/* The same of a text that no mail of an open turn gives a meaning to; they may be about that game (NULL: none). *asked:
 * there are some; those that only the language of a game has are none here. */
int reply_questions_in(struct visit *visit, struct slice text, const struct game *about, bool *asked,
                       struct err *err) __attribute__((warn_unused_result));

/* ---- reply_past.c ---- */

/* An answer that no mail of an open turn is found for. *past: nothing is to be said to it: it counted when it had its
 * time, or its game cannot be read, and it waits. Of the game that its subject names. */
int reply_is_past(struct visit *visit, bool *past, struct err *err) __attribute__((warn_unused_result));
/* A mail whose writer is no player without a key: they have one by now, or another address, or have left. *copy: it
 * counted before that, and nothing is to be said to it. */
int reply_is_copy(struct visit *visit, bool *copy, struct err *err) __attribute__((warn_unused_result));

/* ---- reply_unread.c ---- */

/* What was typed and says nothing to us, for the answer ("Not read: ..."): lines of a->typed and a->below, but for
 * attributions, and for what the player's mails have ended with before. Sets a->unread and a->goes_on, and says what was
 * written (visit_typed). */
int reply_unread(struct answering *a, struct err *err) __attribute__((warn_unused_result));
/* Mails from this mailbox end like this one: the next time that is no news. */
void reply_know_ending(struct visit *visit, const struct typed *typed);
/* The same of a mail by which somebody registers, before they have a game. */
int reply_meet(struct visit *visit, struct err *err) __attribute__((warn_unused_result));

/* ---- reply_parts.c ---- */

/* Is it the first answer to `what` on this day? */
int reply_ask_once(struct visit *visit, const char *what, bool *first, struct err *err)
    __attribute__((warn_unused_result));
/* Each text that is made of a mail keeps the whole mail as its proof, for ever: may this one do so today? Else they
 * are told. */
int reply_room(struct visit *visit, bool *kept, struct err *err) __attribute__((warn_unused_result));
/* An answer to the player; where nobody vouches for the mail, one a day for `what`. Takes ownership of the facts. */
int reply_answer(struct visit *visit, const char *what, const struct words *words, struct err *err)
    __attribute__((warn_unused_result));
/* The same where the answer asks what was meant in these games (NULL ends them): if it leaves, the question is open in each
 * until it is settled (step_question), and a mail that comes again is asked nothing. */
int reply_ask(struct visit *visit, struct answering *const *asks, const char *what, const struct words *words,
              struct err *err) __attribute__((warn_unused_result));
/* For the answer that is about to be made, which belongs to the first record that leaves its question open. There is none where
 * a question is open, or it is not about the open turn, or no more mail of the player's may be kept today. */
int reply_leave_open(struct answering *a, struct err *err) __attribute__((warn_unused_result));

#endif
