/* What the files of typed.h share. */
#ifndef ORDERS_TYPED_PARTS_H
#define ORDERS_TYPED_PARTS_H

#include "orders/typed.h"

/* Is it a greeting or closing of the list, perhaps with a name, or one of the writer's names (NULL ends them)? `line` has no
 * space or sign at its ends; what may be a word of the game (NULL: none is known) is no name. */
bool typed_greets(struct slice line, const char *const *names, const struct typed_game *game);

/* Of a line that orders: its one order, or the nth suggestion that its numbers stand for; `asks` is not looked at. False: it has no
 * such, or it does not order. */
bool typed_nth_order(const struct typed_line *line, const struct typed_game *game, size_t n,
                     struct slice *order);
/* ---- typed_orders.c ---- */

/* What it orders (script_plays). */
unsigned typed_plays(struct slice order, const struct language *language);
/* Appends the order without what is AUTO in it. */
void typed_without_auto(struct str *out, struct slice order, const struct language *language);

/* Is it courtesy, each word of which is of a list, or a player's name, and none a verb of the game? "thanks for the game all",
 * "sorry, busy week", "hello?", "thanks bob you too!" */
bool typed_courteous(struct slice line, const struct typed_game *game);

/* Without the signs at its end that mean nothing. */
struct slice typed_bare(struct slice line);
bool typed_among(struct slice word, const char *const *list);
/* Without a bullet, or a "please", in front. */
struct slice typed_unbulleted(struct slice line);
#define TYPED_FOLD 60 /* columns; no mail program folds shorter lines */
/* From here on the line is understood as this text, and asked about. `mended` is owned by it. */
void typed_is_meant(struct typed_line *line, char *mended, enum typed_doubt doubt);
void typed_unread(struct typed_line *line, enum typed_doubt doubt);

/* ---- typed_agree.c: is the text such a line? Then `line` is filled. ---- */

/* "ok", "ok falcon", "Yes, that is right", "Ja bitte" */
bool typed_agrees(struct typed_line *line, struct slice text);
/* "No", "no, thank you", "Nein danke": to a question. */
bool typed_refuses(struct typed_line *line, struct slice text);

/* ---- typed_pick.c; game: NULL where it is not known of which ---- */

/* "2", "#2", "2.", "2)"; and with the text of the suggestion after it, which is an order of the language. */
bool typed_pick(struct typed_line *line, struct slice text, const struct typed_game *game);
/* "1 and 3", "1, 3": the choices with these numbers, in this order. */
bool typed_picks(struct typed_line *line, struct slice text, const struct typed_game *game);
/* "1 [ ] explore near", "[x] explore near" */
bool typed_form(struct typed_line *line, struct slice text, const struct typed_game *game);

/* ---- typed_press.c ---- */

/* "from nobody", "from: nobody" */
bool typed_nobody(struct slice text);
/* "press bob: Shall we?" */
bool typed_press(struct typed_line *line, struct slice text);
/* "appeal: My orders were ...", "appeal turn 5: ..." */
bool typed_appeal(struct typed_line *line, struct slice text);
/* "tell mia hello", "mia: hi", "press mia hi": a message to somebody at the table, most likely. It is asked about. */
bool typed_message(struct typed_line *line, struct slice text, const struct typed_game *game);
/* A message to the beginning of a name, "press jana: hi", is most likely for the one who has it, and asked about. */
void typed_whom(struct typed_line *line, const struct typed_game *game);

/* Orders as the language reads them: looks at the lines that are orders, of each game together, and makes those
 * unread that are none (typed_orders.c). */
void typed_check_orders(struct typed *typed, const struct typed_by *by);
/* Does the line begin with an order word of the language, written in full? */
bool typed_begins_order(struct slice line, const struct language *language);
/* Is it one order (or several, with ";") as a whole, without the lines around it? */
bool typed_is_order(struct slice line, const struct language *language);

#endif
