#include "rules/refuse.h"

enum order_result refuse_words(struct refusal *why, const char *reason, const struct args *args)
{
    struct str words = STR_INIT;
    args_text(&words, args);
    refuse(why, reason);
    refuse_text(why, "words", words.p);
    str_release(&words);
    return ORDER_REFUSED;
}

enum order_result refuse_many(struct refusal *why, const struct args *args, const struct str *candidates)
{
    refuse_words(why, "ambiguous", args);
    return refuse_text(why, "candidates", candidates->p);
}

bool args_finished(const struct args *args, struct refusal *why)
{
    if (args_end(args))
        return true;
    refuse_words(why, "extra_words", args);
    return false;
}
