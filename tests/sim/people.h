/* What the files about people share (people.c, acts.c, letters.c, heard.c, witness.c). */
#ifndef TESTS_SIM_PEOPLE_H
#define TESTS_SIM_PEOPLE_H

#include "sim/sim.h"

/* ---- the table (acts.c) ---- */

struct ours;

enum when {
    ORDERS, /* a mail asks for orders */
    GAME,   /* a mail is about a game */
    DAY,    /* a day has passed, for whoever is a player */
    RULES   /* the same, for who moderates the league */
};
/* Somebody without a key types `typed` above our mail, or as a subject, where a day has passed; somebody with a key signs `text`.
 * NULL: they do not do that. {game} {head} {turn} {seat} are those of the mail; {me} {other} are players, {same} the one of the line "player:"; {today} {day} {later} dates;
 * {n} a small number; {nonce} a large one; {past} the turn before; {print} the fingerprint of their key, {old} of the one before; {line} an order; {league} its fingerprint; {cup} a competition;
 * {example} what our digest says one may type, {which} which of its mails that is about; {spare} a new key of theirs, which signs along, {slow} one that signs when it is asked for, {pub} a new one as its tool wrote it; {free} a game that has a free seat, as they were told;
 * {value} one of a game's table; {loser} who has lost theirs, and {found} what they have now; {record} that of an appeal; {else} anybody. What the world does not have for them is not
 * done. A text without "#turnpost" is a plain mail, of whoever has a key as well. */
struct act {
    const char *name;
    enum when when;
    unsigned often; /* per mille of the times when it could be done */
    const char *typed, *text;
};
extern const struct act people_does[]; /* people_acts.count of them */
/* What stands in braces, too; `ours`: the mail that it is about, or NULL. False: for some there is nothing. */
bool people_fill(struct str *out, const char *text, struct person *me, const struct ours *ours,
                 struct dice *luck);
/* An order: one of the lines that our mail says make sense, or one of any game's. */
void people_add_line(struct str *out, const struct ours *ours, struct dice *luck);
struct person *people_loser(void); /* who has lost their key; or NULL */

/* ---- letters.c ---- */

/* A mail of the league's, as its reader sees it. */
struct ours {
    const struct str *raw;
    char id[200], subject[300], to[160],
        mine[160]; /* where an answer goes; to which of their addresses it came */
    char game[GAME_NAME], head[65], turn[12], seat[4];
    long long again;       /* the day on which it is answered once more; 0 = it was just read */
    struct str text, flat; /* the latter without regard to how its lines are broken */
    struct str page;       /* HTML, where it has one */
    struct str asked;      /* of a mail to a witness: the question */
};
void ours_read(const struct str *raw, struct ours *ours);
void ours_release(struct ours *ours);
/* The word that comes after `front`; unchanged where that is missing. */
void ours_line(const char *text, const char *front, char *out, size_t size);
/* Its public half; `whole`: as its tool writes it, and not the fingerprint. */
void people_add_key(struct str *out, const struct person *me, const struct secret *secret, bool whole);
/* Perhaps one line of what is to be sent is not as it should be. */
void letter_slip(struct str *text, const char *event);
/* A mail that its domain signs: above our mail, if that is answered. */
void letter_type(struct person *me, const char *event, const char *typed, const struct ours *ours);
/* A mail with signed texts, each from its "#turnpost" to its "#end". */
void letter_sign(struct person *me, const char *event, const char *text, const char *game);

/* ---- people.c ---- */

/* "anna-press-5f3a01": who does what about which mail, or on which day. */
bool people_decide(char event[60], const struct person *me, const char *what, const struct ours *ours);

/* ---- heard.c, witness.c ---- */

/* An answer to a mail of theirs. */
void people_hear(const struct person *me, const struct ours *ours);
/* The league's question to its witness. */
void witness_answers(struct person *me, const struct ours *ours);
/* What it has cosigned since then is not known to a league that was restored. */
void witness_forget(int64_t since);

#endif
