#include "rules/refuse.h"

struct brief args_words(const struct args *args)
{
    struct str words = STR_INIT;
    args_text(&words, args);
    const struct brief brief = brief_cut(slice_str(&words));
    str_release(&words);
    return brief;
}

enum order_result refuse_many(struct refusal *why, const struct args *args, const struct str *candidates)
{
    return no(why, "ambiguous words=%s candidates=%s", args_words(args).p, candidates->p);
}

bool args_finished(const struct args *args, struct refusal *why)
{
    if (args_end(args))
        return true;
    (void)no(why, "extra_words words=%s", args_words(args).p);
    return false;
}
