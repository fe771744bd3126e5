/* The words of every game's language, for those who write about it elsewhere (page/page_words.c). Lists end with
 * NULL. */
#ifndef ORDERS_VOCABULARY_H
#define ORDERS_VOCABULARY_H

extern const char *const order_common_words[]; /* SAY, STATUS, ...: the first word of a line */
extern const char *const order_line_words[];   /* IF, ELSE, ...: likewise, of lines that hold orders */
extern const char *const order_fillers[];      /* are dropped (word_is_filler) */
extern const char *const order_numbers[];      /* one, two, ... */

#endif
