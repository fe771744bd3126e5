#include "rules/galactic_supremacy/names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"

/* ---- refusing ---- */

struct brief gs_first_words(const struct args *args)
{
    bool split = args->count > 1 && args->word[1].kind == WORD_NUMBER && strlen(args->word->text) < 3;
    size_t count = args->count > 1 && !split ? 1 : args->count > 2 ? 2 : args->count;
    return args_words(&(struct args){args->word, count});
}

bool gs_enter(struct gs_turn *turn, int phase, struct refusal *why)
{
    if (turn->reaction != GS_OWN_TURN) {
        no(why, "no_answer");
        return false;
    }
    if (turn->state->phase > phase) {
        no(why, "phase_over");
        return false;
    }
    gs_advance(turn, phase);
    return true;
}

/* ---- players ---- */

bool gs_read_seat(const struct gs_turn *turn, struct args *args, int *seat)
{
    char codes[GS_SEATS][CODE_SIZE], name[2 * GS_SEATS][CODE_SIZE];
    struct named named[2 * GS_SEATS];
    int seats = gs_seats(turn->state);
    int number = 0;
    struct args bare = *args;
    const char *text = args_end(args) ? "" : args->word->text;
    bool code = text[0] == 'p' && text[1] > '0' && text[1] <= '9' && (!text[2] || strcmp(text + 2, "s") == 0);
    if (code) { /* P2, P2's */
        number = text[1] - '0';
        bare = (struct args){args->word + 1, args->count - 1};
    }
    if ((code || args_number(&bare, &number)) && number >= 1 && number <= seats) {
        *args = bare;
        *seat = number;
        return true;
    }
    for (int i = 0; i < seats; i++) {
        code_write(codes[i], 'P', i + 1);
        snprintf(name[i], sizeof(name[i]), "Player %d", i + 1);
        snprintf(name[seats + i], sizeof(name[i]), "Seat %d", i + 1);
        named[i] = (struct named){name[i], codes[i], i + 1};
        named[seats + i] = (struct named){name[seats + i], NULL, i + 1};
    }
    return args_name(args, named, (size_t)seats * 2, seat, NULL) == NAME_ONE;
}

bool gs_read_opponent(const struct gs_turn *turn, struct args *args, int *seat, struct refusal *why)
{
    if (!gs_read_seat(turn, args, seat)) {
        *seat = gs_only_other(turn->state, turn->seat);
        if (!*seat) {
            no(why, "which_player words=%s", args_words(args).p);
            return false;
        }
    }
    if (*seat == turn->seat)
        no(why, "not_yourself");
    else if (!gs_alive(turn->state, *seat))
        no(why, "player_out player=%s", code_of('P', *seat).p);
    else
        return true;
    return false;
}

/* ---- units ---- */

/* A code such as "s1", "s 1", "h", "home". */
static bool read_code(struct args *args, struct gs_ref *ref)
{
    struct args rest = *args;
    if (args_keyword(&rest, "home", 4) || args_keyword(&rest, "h", 1) ||
        args_keyword(&rest, "homeworld", 5)) {
        *ref = (struct gs_ref){'w', GS_HOME};
        *args = rest;
        return true;
    }
    if (args_end(args) || args->word->kind != WORD_TEXT)
        return false;
    const char *text = args->word->text;
    char letter = text[0];
    if (letter != 's' && letter != 'f' && letter != 'l')
        return false;
    int number = 0;
    rest = (struct args){args->word + 1, args->count - 1};
    if (!text[1]) {
        if (args_end(&rest) || rest.word->kind != WORD_NUMBER || !args_number(&rest, &number))
            return false;
    }
    for (const char *digit = text + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9' || number > 99)
            return false;
        number = number * 10 + (*digit - '0');
    }
    ref->type = letter;
    if (letter == 's')
        ref->type = 'w';
    ref->number = number;
    *args = rest;
    return number > 0;
}

/* A card is named by the beginning of its name or of the last word of it: "admiral voss", "voss". */
static size_t add_named(struct named *named, size_t count, const char *name, int value)
{
    const char *last = strrchr(name, ' ');
    named[count++] = (struct named){name, NULL, value};
    if (last)
        named[count++] = (struct named){last + 1, NULL, value};
    return count;
}

/* The name on a card in play. */
static bool read_card_name(const struct gs_turn *turn, const struct gs_player *player, struct args *args,
                           struct gs_ref *ref)
{
    struct named named[2 * (GS_SECTORS + GS_FLEETS + GS_LEADERS)];
    const struct gs_unit *const lists[] = {player->sector, player->fleet, player->leader};
    const int counts[] = {player->sector_count, player->fleet_count, player->leader_count};
    int value;
    size_t count = 0;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < counts[t]; i++)
            count = add_named(named, count, gs_card(turn->cards, lists[t][i].card)->name,
                              t * 256 + lists[t][i].number);
    }
    if (args_name(args, named, count, &value, NULL) != NAME_ONE)
        return false;
    *ref = (struct gs_ref){"wfl"[value / 256], value % 256};
    return true;
}

bool gs_read_unit(const struct gs_turn *turn, int seat, struct args *args, struct gs_ref *ref)
{
    const struct gs_player *player = gs_player_const(turn->state, seat);
    struct args rest = *args;
    if (!read_code(&rest, ref) && !read_card_name(turn, player, &rest, ref))
        return false;
    bool there = ref->type == 'w'   ? gs_has_world(player, ref->number)
                 : ref->type == 'f' ? ref->number <= GS_FLEETS && gs_fleet(player, ref->number)
                                    : ref->number <= GS_LEADERS && gs_leader(player, ref->number);
    if (there)
        *args = rest;
    return there;
}

static bool read_typed(const struct gs_turn *turn, int seat, struct args *args, char type, int *number)
{
    struct args rest = *args;
    struct gs_ref ref;
    if (!gs_read_unit(turn, seat, &rest, &ref) || ref.type != type)
        return false;
    *args = rest;
    *number = ref.number;
    return true;
}

bool gs_read_world(const struct gs_turn *turn, int seat, struct args *args, int *world)
{
    return read_typed(turn, seat, args, 'w', world);
}

bool gs_read_fleet(const struct gs_turn *turn, int seat, struct args *args, int *fleet)
{
    return read_typed(turn, seat, args, 'f', fleet);
}

/* ---- words of the cards ---- */

static enum name_found read_word(const struct gs_word *words, size_t count, struct args *args, int *value,
                                 struct str *candidates)
{
    struct named named[2 * GS_USES];
    for (size_t i = 0; i < count && args->count > 0; i++) { /* the usual way to name one */
        if (strcmp(args->word->text, words[i].id) == 0) {
            (void)args_keyword(args, words[i].id, strlen(words[i].id));
            *value = (int)i;
            return NAME_ONE;
        }
    }
    for (size_t i = 0; i < count; i++) {
        named[i] = (struct named){words[i].name, NULL, (int)i};
        named[count + i] = (struct named){words[i].id, NULL, (int)i};
    }
    return args_name(args, named, 2 * count, value, candidates);
}

enum name_found gs_read_tech(const struct gs_cards *cards, struct args *args, int *tech,
                             struct str *candidates)
{
    return read_word(cards->tech, GS_TECHS, args, tech, candidates);
}

enum name_found gs_read_use(const struct gs_cards *cards, struct args *args, int *use, struct str *candidates)
{
    enum name_found found = read_word(cards->use, GS_USES, args, use, candidates);
    /* PEACE TALKS, TACTICAL SUPERIORITY: the second word adds nothing. */
    static const char *const second[] = {"talks",     "superiority", "secrets",
                                         "espionage", "sabotage",    "planning"};
    for (size_t i = 0; found == NAME_ONE && i < sizeof(second) / sizeof(second[0]); i++)
        (void)args_keyword(args, second[i], strlen(second[i]));
    return found;
}

bool gs_read_kind(struct args *args, int *kind)
{
    static const struct {
        const char *word;
        int kind;
    } words[] = {{"research", GS_RESEARCH}, {"science", GS_RESEARCH}, {"command", GS_COMMAND},
                 {"commands", GS_COMMAND},  {"sector", GS_SECTOR},    {"sectors", GS_SECTOR},
                 {"fleet", GS_FLEET},       {"fleets", GS_FLEET},     {"leader", GS_LEADER},
                 {"leaders", GS_LEADER}};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (args_keyword(args, words[i].word, 3)) {
            *kind = words[i].kind;
            return true;
        }
    }
    return false;
}

/* Quick: could the word be the beginning of the name, or of its last word? */
static bool begins_alike(const char *word, const char *name)
{
    const char *last = strrchr(name, ' ');
    return strncasecmp(word, name, 3) == 0 || (last && strncasecmp(word, last + 1, 3) == 0);
}

/* A card by its name: only its kind matters. */
static bool read_named_kind(const struct gs_cards *cards, struct args *args, int *kind)
{
    struct named named[2 * GS_CARDS];
    size_t count = 0;
    if (args_end(args) || strlen(args->word->text) < 3)
        return false;
    for (int card = 1; card <= GS_CARDS; card++) {
        if (begins_alike(args->word->text, cards->card[card].name))
            count = add_named(named, count, cards->card[card].name, (int)cards->card[card].kind);
    }
    return count && args_name(args, named, count, kind, NULL) == NAME_ONE;
}

bool gs_read_hand(const struct gs_turn *turn, struct args *args, int kind, int *index)
{
    struct named named[2 * GS_HAND];
    const struct gs_player *player = turn->player;
    size_t count = 0;
    for (int i = 0; i < player->hand_count && i < GS_HAND; i++) {
        const struct gs_card *card = gs_card(turn->cards, player->hand[i]);
        if (card->name[0] && (kind < 0 || (int)card->kind == kind))
            count = add_named(named, count, card->name, i);
    }
    return args_name(args, named, count, index, NULL) == NAME_ONE;
}

/* "S1", "F", "P2": a letter of a code, with or without its number. */
static bool is_code(const char *word)
{
    return strchr("hpsfl", word[0]) && word[1 + strspn(word + 1, "0123456789")] == '\0';
}

static bool in_name(const char *name, const char *word)
{
    struct slice rest = slice_of(name);
    struct slice part;
    while (slice_word(&rest, &part))
        if (slice_caseeq(part, word))
            return true;
    return false;
}

bool gs_own_word(const void *data, const char *word)
{
    static const char *const others[] = {"home", "homeworld", "player",      "seat",    "science", "command",
                                         "card", "credits",   "megacredits", "nothing", "until"};
    const struct gs_cards *cards = data;
    struct word text = {.kind = WORD_TEXT};
    struct args args = {&text, 1};
    int kind;
    (void)snprintf(text.text, sizeof text.text, "%s", word);
    if (is_code(word) || gs_read_kind(&args, &kind))
        return true;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strcmp(word, others[i]) == 0)
            return true;
    for (int i = 1; i <= GS_CARDS; i++)
        if (in_name(cards->card[i].name, word))
            return true;
    for (int i = 0; i < GS_TECHS; i++)
        if (in_name(cards->tech[i].name, word) || strcmp(cards->tech[i].id, word) == 0)
            return true;
    for (int i = 0; i < GS_USES; i++)
        if (in_name(cards->use[i].name, word) || strcmp(cards->use[i].id, word) == 0)
            return true;
    return false;
}

bool gs_read_list(const struct gs_cards *cards, struct args *args, struct gs_list *list)
{
    bool any = args_keyword(args, "nothing", 7);
    *list = (struct gs_list){{0}, 0};
    for (;;) {
        struct args next = *args;
        int amount = 1;
        int kind;
        (void)args_number(&next, &amount);
        if (gs_read_kind(&next, &kind) || read_named_kind(cards, &next, &kind)) {
            amount = amount > GS_HAND ? GS_HAND : amount;
            list->kind[kind] = list->kind[kind] + amount > UINT8_MAX ? UINT8_MAX : list->kind[kind] + amount;
            (void)(args_keyword(&next, "cards", 5) || args_keyword(&next, "card", 4));
        } else if (args_keyword(&next, "credits", 2) || args_keyword(&next, "megacredits", 4)) {
            list->credits = list->credits + amount > ARGS_ALL ? ARGS_ALL : list->credits + amount;
        } else {
            return any;
        }
        *args = next;
        any = true;
    }
}
