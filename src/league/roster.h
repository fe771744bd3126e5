/* Which games and competitions the league has made, and which of them the operator has taken away: documents of the
 * registry, registry/games/NAME.json and registry/competitions/NAME.json (the league's results are among these):
 *
 *   {"made":"2026-11-20T08:00:00Z"}    or, when the operator has said so,    {"forgotten":"2026-12-24T08:00:00Z"}
 *
 * So one that vanished from the disk is missed. Its name is never given out again, not even when it was forgotten: the ids
 * of its mails would come again. */
#ifndef LEAGUE_ROSTER_H
#define LEAGUE_ROSTER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define ROSTER_GAMES        "registry/games"
#define ROSTER_COMPETITIONS "registry/competitions"

enum roster_kind { ROSTER_GAME, ROSTER_COMPETITION };
enum roster_state {
    ROSTER_NEW,  /* never heard of */
    ROSTER_MADE, /* or its document cannot be read */
    ROSTER_FORGOTTEN
};

/* registry/games/NAME.json; the caller frees. */
char *roster_document(enum roster_kind kind, const char *name);
enum roster_state roster_state(const char *league_dir, enum roster_kind kind, const char *name);
/* Is its journal there, and not empty? */
bool roster_there(const char *league_dir, enum roster_kind kind, const char *name);
/* Made, not forgotten, and not there. */
bool roster_gone(const char *league_dir, enum roster_kind kind, const char *name);
/* Was there ever a game or a competition of that name? Then no other one may have it. */
bool roster_had(const char *league_dir, const char *name);
/* Takes away what a crash has left of one that it kept from being made: a folder without a record, of which the registry, in
 * which it is entered after that, has never heard. Nobody was told of it. *cleared: it was one, and another may have its name. */
int roster_clear(const char *league_dir, enum roster_kind kind, const char *name, bool *cleared,
                 struct err *err) __attribute__((warn_unused_result));
/* A sentence about one that is gone: which file, and the ways back. */
void roster_gone_words(struct str *out, enum roster_kind kind, const char *name);

/* Compares all of a kind with the disk: those that are gone, and then those on the disk that no document names; each in order.
 * NULL: nobody asks. */
typedef void roster_each_fn(void *arg, enum roster_kind kind, const char *name);
struct roster_look {
    roster_each_fn *gone, *fresh;
    void *arg;
};
int roster_each(const char *league_dir, enum roster_kind kind, const struct roster_look *look,
                struct err *err) __attribute__((warn_unused_result));
/* The sentence about each that is gone. */
typedef void roster_tell(void *arg, const char *words);
int roster_tell_gone(const char *league_dir, enum roster_kind kind, roster_tell *tell, void *arg,
                     struct err *err) __attribute__((warn_unused_result));

#endif
