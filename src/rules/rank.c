#include "rules/rank.h"

static const char *code_of(const struct rank_code *codes, struct slice rank)
{
    while (codes && codes->name && !slice_eq(rank, codes->name))
        codes++;
    return codes && codes->name ? codes->code : NULL;
}

void rank_words(struct value *out, const struct rank_code *codes, struct slice rank)
{
    const char *code = code_of(codes, rank);
    struct value *words = value_put_object(out, "ranks");
    if (code)
        (void)value_put_object(words, code);
    else
        value_put_slice(words, "name", rank);
}

json_t *rank_json(const struct rank_code *codes, struct slice rank)
{
    if (!codes)
        return json_text(rank);
    struct arena arena = {NULL, NULL, 0};
    struct value *out = value_object(&arena);
    rank_words(out, codes, rank);
    json_t *json = value_json(out);
    arena_release(&arena);
    return json;
}
