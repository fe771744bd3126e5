/* From an order line to words, and from words to numbers and names. The common order language of all games:
 * case does not matter; , . : and = (outside conditions) and - between words are spaces; filler words are
 * dropped by the verb (unless the verb uses them); names may be cut to any unique beginning; numbers are
 * digits, one..twelve, or all. Apostrophes are dropped from words and names alike ("galaxys edge" is Galaxy's
 * Edge). */
#ifndef ORDERS_WORDS_H
#define ORDERS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

#define WORD_MAX       31 /* longer words are cut; nothing we know is longer */
#define WORDS_PER_LINE 80

enum word_kind { WORD_TEXT, WORD_NUMBER, WORD_OP /* < <= = >= > */ };

struct word {
    enum word_kind kind;
    char text[WORD_MAX + 1]; /* lower case */
    int number;       /* WORD_NUMBER: 0..999999, digits or one..twelve; "all" and "max" stay WORD_TEXT */
    struct slice raw; /* as written; from here to the end of the line is the rest for SAY */
};

/* Splits one line (no ';' in it). At most `max` words; returns the number, or -1 when there are more. "2m"
 * gives the number 2 and the word "m". Operators are recognised everywhere; '=' is kept as WORD_OP and
 * dropped by the verbs' argument reader. */
int words_split(struct slice line, struct word *words, size_t max);

/* A cursor over a verb's arguments. Reading functions advance only on success. */
struct args {
    const struct word *word;
    size_t count;
};
#define ARGS_ALL 1000000

bool args_end(const struct args *args);
/* The next word is this keyword, or a beginning of it of at least `least` letters. */
bool args_keyword(struct args *args, const char *keyword, size_t least);
/* A number; "all" or "max" give ARGS_ALL. */
bool args_number(struct args *args, int *number);
/* The arguments as text, for messages: "epsilon eri". */
void args_text(struct str *out, const struct args *args);

/* "P3": the code of a thing. */
#define CODE_SIZE 16
struct code {
    char p[CODE_SIZE];
};
struct code code_of(char letter, int number);
void code_write(char out[CODE_SIZE], char letter, int number);

/* A thing that can be named: by its code ("n3", exact) or by a unique beginning of its name. */
struct named {
    const char *name; /* "Epsilon Eridani" */
    const char *code; /* "N2", or NULL */
    int value;
};
enum name_found { NAME_NONE, NAME_ONE, NAME_MANY };
/* Reads the longest run of words that names something in the list. An exact name or code wins over
 * beginnings; filler words in names are ignored ("rift" is The Rift). NAME_MANY: `candidates` (if not NULL)
 * gets "Castor, Capella". Several entries with equal value count as one. */
enum name_found args_name(struct args *args, const struct named *list, size_t count, int *value,
                          struct str *candidates);

/* A resource list: "2 metal 1 fuel", "2m 1f", "metal fuel" (1 each), "all metal" (ARGS_ALL). `names` are the
 * kinds; any unique beginning, also one letter. amounts[] is set to 0 first. False (nothing consumed) when no
 * kind could be read. Stops at the first word that is neither number nor kind. */
bool args_resources(struct args *args, const char *const *names, size_t kinds, int *amounts);

/* True for the filler words: the a an to at on in of with from for my and please. */
bool word_is_filler(const char *word);

#endif
