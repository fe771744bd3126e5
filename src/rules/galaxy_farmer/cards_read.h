/* Reading members of the card file. `what` names the object in errors ("order 12"); all return 0 or -1 with
 * ERR_BROKEN. */
#ifndef GALAXY_FARMER_CARDS_READ_H
#define GALAXY_FARMER_CARDS_READ_H

#include <jansson.h>

#include "base/err.h"
#include "rules/galaxy_farmer/cards.h"

#define GF_WHAT 48 /* bytes that name an object in errors */

int gf_need_int(const json_t *object, const char *key, int min, int max, int *out, const char *what,
                struct err *err) __attribute__((warn_unused_result));
/* 1 to size-1 bytes that are safe to show. */
int gf_need_text(const json_t *object, const char *key, char *out, size_t size, const char *what,
                 struct err *err) __attribute__((warn_unused_result));
int gf_need_object(const json_t *object, const char *key, const json_t **out, const char *what,
                   struct err *err) __attribute__((warn_unused_result));
/* One of the words (a NULL ends them); *out is its index. */
int gf_need_word(const json_t *object, const char *key, const char *const *words, int *out, const char *what,
                 struct err *err) __attribute__((warn_unused_result));
/* A list of min to max elements. */
int gf_need_list(const json_t *object, const char *key, size_t min, size_t max, const json_t **out,
                 const char *what, struct err *err) __attribute__((warn_unused_result));
/* "id" must be the letter and the number, as in O7. */
int gf_need_id(const json_t *object, char letter, int number, const char *what, struct err *err)
    __attribute__((warn_unused_result));
/* "source" must be there: one mark, or an object of marks by field (its "note" is free text). */
int gf_need_source(const json_t *object, const char *what, struct err *err)
    __attribute__((warn_unused_result));

#endif
