#include "league/name_list.h"

bool names_hold(const char *list, const char *name)
{
    return word_listed(list, name);
}

size_t names_count(const char *list)
{
    struct slice rest = slice_of(list);
    struct slice word;
    size_t count = 0;
    while (slice_word(&rest, &word))
        count++;
    return count;
}

void names_add(struct str *list, const char *name)
{
    if (!names_hold(list->p, name))
        str_addf(list, "%s%s", list->len ? " " : "", name);
}

void names_drop(struct str *list, const char *name)
{
    struct str kept = STR_INIT;
    struct slice rest = slice_str(list);
    struct slice word;
    while (slice_word(&rest, &word))
        if (!slice_eq(word, name))
            str_addf(&kept, "%s%.*s", kept.len ? " " : "", (int)word.len, word.p);
    str_release(list);
    *list = kept;
}
