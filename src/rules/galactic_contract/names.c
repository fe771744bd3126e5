/* What players may call things. */
#include "rules/galactic_contract/names.h"

#include "base/str.h"

enum order_result gk_refuse_goods(struct refusal *why, const char *name, const struct gk_goods *goods)
{
    struct str text = STR_INIT;
    gk_goods_text(&text, goods);
    refuse_text(why, name, text.len ? text.p : "nothing");
    str_release(&text);
    return ORDER_REFUSED;
}

bool gk_ready(const struct gk_turn *turn, struct refusal *why)
{
    const char *reason = turn->gift          ? "not_in_a_reaction"
                         : turn->state->over ? "game_over"
                         : turn->paused      ? "turn_paused"
                                             : NULL;
    if (reason)
        refuse(why, reason);
    return !reason;
}

enum name_found gk_read_place(const struct gk_turn *turn, struct args *args, bool gcc, int *place,
                              struct str *candidates)
{
    struct named named[GK_PLANETS + 1];
    char code[GK_PLANETS + 1][GK_CODE];
    size_t count = 0;
    if (gcc)
        named[count++] = (struct named){"GCC", "GCC", GK_GCC};
    for (int i = 1; i <= turn->state->planets; i++) {
        gk_code(code[i], 'P', turn->state->ring[i - 1].card);
        named[count++] = (struct named){gk_place_name(turn->cards, turn->state, i), code[i], i};
    }
    return args_name(args, named, count, place, candidates);
}

bool gk_need_place(const struct gk_turn *turn, struct args *args, bool gcc, int *place, struct refusal *why)
{
    struct str candidates = STR_INIT;
    enum name_found found = gk_read_place(turn, args, gcc, place, &candidates);
    if (found == NAME_MANY)
        refuse_many(why, args, &candidates);
    else if (found == NAME_NONE)
        refuse_words(why, args_end(args) ? "place_missing" : "unknown_place", args);
    str_release(&candidates);
    return found == NAME_ONE;
}

enum name_found gk_read_upgrade(const struct gk_turn *turn, struct args *args, int *upgrade,
                                struct str *candidates)
{
    struct named named[GK_UPGRADES];
    char code[GK_UPGRADES][GK_CODE];
    for (int i = 0; i < GK_UPGRADES; i++) {
        gk_code(code[i], 'U', i + 1);
        named[i] = (struct named){gk_upgrade_card(turn->cards, i + 1)->name, code[i], i + 1};
    }
    return args_name(args, named, GK_UPGRADES, upgrade, candidates);
}

bool gk_read_code(struct args *args, char letter, int last, int *number)
{
    struct named named[GK_TRADES];
    char code[GK_TRADES][GK_CODE];
    if (args_end(args) || args->word->kind != WORD_TEXT ||
        (args->word->text[0] != letter - 'A' + 'a' && !word_is_filler(args->word->text)))
        return false;
    for (int i = 0; i < last && i < GK_TRADES; i++) {
        gk_code(code[i], letter, i + 1);
        named[i] = (struct named){code[i], code[i], i + 1};
    }
    struct args one = *args;
    if (args_name(&one, named, (size_t)last, number, NULL) != NAME_ONE)
        return false;
    *args = one;
    return true;
}

bool gk_read_kind(struct args *args, int *kind)
{
    int amounts[GK_KINDS];
    struct args one = {args->word, 1};
    if (args_end(args) || args->word->kind != WORD_TEXT || !args_resources(&one, gk_kinds, GK_KINDS, amounts))
        return false;
    for (int k = 0; k < GK_KINDS; k++) {
        if (amounts[k])
            *kind = k;
    }
    args->word++;
    args->count--;
    return true;
}
