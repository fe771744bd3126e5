/* What a petition is bound to, so that nobody can send it again somewhere else: a text whose record is in a
 * game names a head of that game; every other text that makes a record names the league and the day.
 *
 *     the game's record     head: 64 digits
 *     the registry's        date: YYYY-MM-DD; and the league, or the game with its head, as the text names it
 *     none                  nothing: it asks
 *
 * The registry's texts are valid for 60 days, so their marks need not be kept for ever (registry_log.h). */
#ifndef PETITIONS_BOUND_H
#define PETITIONS_BOUND_H

#include "petitions/petition.h"

/* The head in a text that names a game; `hearing->entry` is that game. Refuses. */
void bound_head(struct hearing *hearing, const struct petition *petition);
/* The league in a text that names none. Refuses. */
void bound_league(struct hearing *hearing, const struct petition *petition);
/* May such a text have the line "date:" among its fields? In a game's text it is the text's own. */
bool bound_takes_date(const struct hearing *hearing, const struct petition *petition);
/* The day that was written (hearing->others.date), when all fields have been read. Refuses. */
void bound_date(struct hearing *hearing, const struct petition *petition);
/* Is its record in the registry's journal? */
bool bound_registers(const struct hearing *hearing, const struct petition *petition);
/* The lines that such a text needs, for a form, as petition_form gives them. */
void bound_form(json_t *lines, const struct hearing *hearing, const struct petition *petition);
/* The same for a text that names no game: the league and the day. */
void bound_form_league(json_t *lines, const struct league *league, int64_t now);
/* Appends such a line: {"line":"head: ..."}. */
void bound_line(json_t *lines, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends lines whose words are under this code in templates/common/forms.txt; `anywhere`: the text names no
 * game. */
void bound_words(json_t *lines, const char *code, bool anywhere);

#endif
