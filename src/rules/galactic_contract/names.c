/* What players may call things. */
#include "rules/galactic_contract/names.h"

#include "base/str.h"

bool gk_ready(const struct gk_turn *turn, struct refusal *why)
{
    if (!turn->gift && !turn->state->over && !turn->paused)
        return true;
    no(why, turn->gift ? "not_in_a_reaction" : turn->state->over ? "game_over" : "turn_paused");
    return false;
}

enum name_found gk_read_place(const struct gk_turn *turn, struct args *args, bool gcc, int *place,
                              struct str *candidates)
{
    struct named named[GK_PLANETS + 1];
    struct code code[GK_PLANETS + 1];
    size_t count = 0;
    if (gcc)
        named[count++] = (struct named){"GCC", "GCC", GK_GCC};
    for (int i = 1; i <= turn->state->planets; i++) {
        code[i] = code_of('P', turn->state->ring[i - 1].card);
        named[count++] = (struct named){gk_place_name(turn->cards, turn->state, i), code[i].p, i};
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
        no(why, args_end(args) ? "place_missing words=%s" : "unknown_place words=%s", args_words(args).p);
    str_release(&candidates);
    return found == NAME_ONE;
}

enum name_found gk_read_upgrade(const struct gk_turn *turn, struct args *args, int *upgrade,
                                struct str *candidates)
{
    struct named named[GK_UPGRADES];
    struct code code[GK_UPGRADES];
    for (int i = 0; i < GK_UPGRADES; i++) {
        code[i] = code_of('U', i + 1);
        named[i] = (struct named){gk_upgrade_card(turn->cards, i + 1)->name, code[i].p, i + 1};
    }
    return args_name(args, named, GK_UPGRADES, upgrade, candidates);
}

bool gk_read_code(struct args *args, char letter, int last, int *number)
{
    struct named named[GK_TRADES];
    struct code code[GK_TRADES];
    if (args_end(args) || args->word->kind != WORD_TEXT ||
        (args->word->text[0] != letter - 'A' + 'a' && !word_is_filler(args->word->text)))
        return false;
    for (int i = 0; i < last && i < GK_TRADES; i++) {
        code[i] = code_of(letter, i + 1);
        named[i] = (struct named){code[i].p, code[i].p, i + 1};
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
