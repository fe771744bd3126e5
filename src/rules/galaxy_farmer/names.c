/* What players may call things. */
#include "rules/galaxy_farmer/names.h"

#include <string.h>

#include "base/str.h"

/* "tower" is Festival Tower where nothing begins with it. */
static enum name_found by_last_word(struct args *args, struct named *named, size_t count, int *value)
{
    for (size_t i = 0; i < count; i++) {
        const char *blank = strrchr(named[i].name, ' ');
        named[i] = (struct named){blank ? blank + 1 : named[i].name, NULL, named[i].value};
    }
    return args_name(args, named, count, value, NULL) == NAME_ONE ? NAME_ONE : NAME_NONE;
}

enum name_found gf_read_place(const struct gf_turn *turn, struct args *args, int *place,
                              struct str *candidates)
{
    char code[GF_PLANETS + 1][GF_CODE];
    struct named named[GF_PLANETS + 1];
    for (int n = 0; n <= GF_PLANETS; n++) {
        gf_code(code[n], 'P', n);
        named[n] = (struct named){turn->cards->planet[n].name, n ? code[n] : NULL, n};
    }
    enum name_found found = args_name(args, named, GF_PLANETS + 1, place, candidates);
    if (found == NAME_ONE && *place == GF_HOME)
        args_keyword(args, "planet", 6);
    return found;
}

enum name_found gf_read_open(const struct gf_turn *turn, struct args *args, int *slot, struct str *candidates)
{
    char code[GF_OPEN][GF_CODE];
    struct named named[GF_OPEN];
    size_t count = 0;
    for (int i = 0; i < GF_OPEN; i++) {
        int card = turn->state->open[i].card;
        if (!card)
            continue;
        gf_code(code[count], 'O', card);
        named[count] = (struct named){turn->cards->order[card].name, code[count], i};
        count++;
    }
    enum name_found found = args_name(args, named, count, slot, candidates);
    return found == NAME_NONE ? by_last_word(args, named, count, slot) : found;
}

enum name_found gf_read_order(const struct gf_turn *turn, struct args *args, int *card)
{
    char code[GF_ORDERS][GF_CODE];
    struct named named[GF_ORDERS];
    int slot;
    if (gf_read_open(turn, args, &slot, NULL) == NAME_ONE) { /* those on the table take precedence */
        *card = turn->state->open[slot].card;
        return NAME_ONE;
    }
    for (int n = 1; n <= turn->cards->orders; n++) {
        gf_code(code[n - 1], 'O', n);
        named[n - 1] = (struct named){turn->cards->order[n].name, code[n - 1], n};
    }
    enum name_found found = args_name(args, named, (size_t)turn->cards->orders, card, NULL);
    return found == NAME_NONE ? by_last_word(args, named, (size_t)turn->cards->orders, card) : found;
}

enum name_found gf_read_rep(const struct gf_turn *turn, struct args *args, int *rep, struct str *candidates)
{
    char code[GF_PLANETS][GF_CODE];
    struct named named[GF_PLANETS];
    for (int n = 1; n <= GF_PLANETS; n++) {
        gf_code(code[n - 1], 'R', n);
        named[n - 1] = (struct named){turn->cards->rep[n].name, code[n - 1], n};
    }
    return args_name(args, named, GF_PLANETS, rep, candidates);
}

static void resource_names(const struct gf_turn *turn, const char *names[GF_PLANETS])
{
    for (int i = 0; i < GF_PLANETS; i++)
        names[i] = turn->cards->planet[i + 1].resource;
}

int gf_read_resource(const struct gf_turn *turn, struct args *args)
{
    int amount[GF_PLANETS];
    const char *names[GF_PLANETS];
    struct args one = {args->word, args->count ? 1 : 0};
    resource_names(turn, names);
    if (!args_resources(&one, names, GF_PLANETS, amount))
        return -1;
    args->word++;
    args->count--;
    for (int i = 0; i < GF_PLANETS; i++) {
        if (amount[i])
            return i;
    }
    return -1;
}

/* The words with the states taken out ("2 dark sunpod"), which reports use and players repeat. Stops at a
 * state that its cubes do not have now; `from` says where each remaining word was. */
static size_t drop_states(const struct gf_turn *turn, const struct args *args, struct word *kept,
                          size_t *from)
{
    size_t count = 0;
    for (size_t i = 0; i < args->count && i < WORDS_PER_LINE; i++) {
        struct args next = {args->word + i, args->count - i};
        bool dark = args_keyword(&next, "dark", 4);
        if (dark || args_keyword(&next, "light", 5)) {
            int resource = gf_read_resource(turn, &next);
            if (resource < 0 || gf_dark(turn->state, resource) != dark)
                break;
            continue;
        }
        from[count] = i;
        kept[count++] = args->word[i];
    }
    return count;
}

bool gf_read_cubes(const struct gf_turn *turn, struct args *args, int amount[GF_PLANETS])
{
    struct word kept[WORDS_PER_LINE];
    size_t from[WORDS_PER_LINE];
    const char *names[GF_PLANETS];
    struct args plain = {kept, drop_states(turn, args, kept, from)};
    size_t count = plain.count;
    resource_names(turn, names);
    if (!args_resources(&plain, names, GF_PLANETS, amount))
        return false;
    size_t used = from[count - plain.count - 1] + 1;
    args->word += used;
    args->count -= used;
    return true;
}

enum order_result gf_refuse_order(const struct gf_turn *turn, struct args *args, struct refusal *why)
{
    struct str candidates = STR_INIT;
    struct args open = *args;
    struct args any = *args;
    int found;
    if (gf_read_open(turn, &open, &found, &candidates) == NAME_MANY) {
        refuse_many(why, args, &candidates);
    } else if (gf_read_order(turn, &any, &found) == NAME_ONE && args_end(&any)) {
        no(why, "order_not_open card=%s", turn->cards->order[found].name);
    } else {
        no(why, "unknown_order words+=%s", args_words(args).p);
    }
    str_release(&candidates);
    return ORDER_REFUSED;
}
