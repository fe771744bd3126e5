#include "rules/galactic_supremacy/state.h"

#include <string.h>

/* ---- setup ---- */

int gs_init(const void *data, int seats, const int options[GAME_OPTIONS], void *to, struct err *err)
{
    const struct gs_cards *cards = data;
    struct gs_state *state = to;
    if (seats < 2 || seats > GS_SEATS)
        return err_set(err, ERR_INPUT, "Galactic Supremacy is for 2 to %d players, not %d", GS_SEATS, seats);
    state->seats = seats;
    state->own_decks = options[GS_OPTION_DECKS] == 2 || (options[GS_OPTION_DECKS] == 0 && seats > 3);
    state->advanced = options[GS_OPTION_ADVANCED] != 0;
    state->round_limit = options[GS_OPTION_ROUNDS];
    state->round = 1;
    state->active = 1;
    state->attacks = 1;
    state->deck_count = state->own_decks ? seats : 1;
    for (int i = 0; i < state->deck_count; i++) {
        state->deck[i].draw_count = GS_CARDS;
        for (int n = 0; n < GS_CARDS; n++)
            state->deck[i].draw[n] = (uint8_t)(n + 1);
    }
    for (int seat = 1; seat <= seats; seat++) {
        struct gs_player *player = gs_player(state, seat);
        state->order[seat - 1] = (uint8_t)seat;
        player->credits = cards->start_credits;
        for (int i = 0; i < GS_TECHS; i++)
            player->tech[i] = (uint16_t)cards->start_level;
    }
    return 0;
}

/* ---- seats ---- */

struct gs_player *gs_player(struct gs_state *state, int seat)
{
    return &state->player[seat >= 1 && seat <= GS_SEATS ? seat - 1 : 0];
}

const struct gs_player *gs_player_const(const struct gs_state *state, int seat)
{
    return &state->player[seat >= 1 && seat <= GS_SEATS ? seat - 1 : 0];
}

int gs_seats(const struct gs_state *state)
{
    return state->seats < 1 ? 1 : state->seats > GS_SEATS ? GS_SEATS : state->seats;
}

bool gs_alive(const struct gs_state *state, int seat)
{
    return seat >= 1 && seat <= gs_seats(state) && !gs_player_const(state, seat)->out;
}

int gs_alive_count(const struct gs_state *state)
{
    int count = 0;
    for (int seat = 1; seat <= gs_seats(state); seat++)
        count += gs_alive(state, seat);
    return count;
}

int gs_only_other(const struct gs_state *state, int seat)
{
    int found = 0;
    for (int other = 1; other <= gs_seats(state); other++) {
        if (other == seat || !gs_alive(state, other))
            continue;
        if (found)
            return 0;
        found = other;
    }
    return found;
}

int gs_seat_after(const struct gs_state *state, int seat, int step)
{
    int seats = gs_seats(state);
    int place = 0;
    for (int i = 0; i < seats; i++) {
        if (state->order[i] == seat)
            place = i;
    }
    int next = state->order[(place + step) % seats];
    return next >= 1 && next <= seats ? next : 1;
}

/* ---- units ---- */

static const struct gs_unit *find_unit(const struct gs_unit *list, int count, int most, int number)
{
    for (int i = 0; i < count && i < most; i++) {
        if (list[i].number == number)
            return &list[i];
    }
    return NULL;
}

const struct gs_unit *gs_sector(const struct gs_player *player, int number)
{
    return find_unit(player->sector, player->sector_count, GS_SECTORS, number);
}

const struct gs_unit *gs_fleet(const struct gs_player *player, int number)
{
    return find_unit(player->fleet, player->fleet_count, GS_FLEETS, number);
}

const struct gs_unit *gs_leader(const struct gs_player *player, int number)
{
    return find_unit(player->leader, player->leader_count, GS_LEADERS, number);
}

const struct gs_unit *gs_leader_at(const struct gs_player *player, int at)
{
    for (int i = 0; i < player->leader_count && i < GS_LEADERS; i++) {
        if (player->leader[i].at == at)
            return &player->leader[i];
    }
    return NULL;
}

bool gs_has_world(const struct gs_player *player, int world)
{
    return !player->out && (world == GS_HOME || gs_sector(player, world) != NULL);
}

struct gs_unit *gs_unit_add(struct gs_unit *list, uint8_t *count, int card, int at)
{
    int place = 0;
    while (place < *count && list[place].number == place + 1)
        place++;
    memmove(&list[place + 1], &list[place], (size_t)(*count - place) * sizeof(*list));
    list[place] = (struct gs_unit){(uint16_t)card, (uint8_t)(place + 1), (uint8_t)at};
    (*count)++;
    return &list[place];
}

void gs_unit_remove(struct gs_unit *list, uint8_t *count, int number)
{
    for (int i = 0; i < *count; i++) {
        if (list[i].number != number)
            continue;
        memmove(&list[i], &list[i + 1], (size_t)(*count - i - 1) * sizeof(*list));
        (*count)--;
        list[*count] = (struct gs_unit){0, 0, 0};
        return;
    }
}

struct code gs_at_code(int at)
{
    if (at == GS_HOME)
        return (struct code){"HOME"};
    return at < GS_ON_FLEET ? code_of('S', at) : code_of('F', at - GS_ON_FLEET);
}

const char *gs_world_card(const struct gs_cards *cards, const struct gs_player *player, int world)
{
    const struct gs_unit *sector = world == GS_HOME ? NULL : gs_sector(player, world);
    return sector ? gs_card(cards, sector->card)->name : "";
}

/* ---- what follows ---- */

int gs_bonus(const struct gs_player *player)
{
    int least = player->tech[GS_TERRAFORMING];
    if (player->tech[GS_INDUSTRY] < least)
        least = player->tech[GS_INDUSTRY];
    if (player->tech[GS_ENERGY] < least)
        least = player->tech[GS_ENERGY];
    return least > 1 ? least - 1 : 0;
}

int gs_hand_limit(const struct gs_cards *cards, const struct gs_player *player)
{
    int limit = cards->hand + gs_bonus(player);
    return limit < GS_HAND - 8 ? limit : GS_HAND - 8; /* some room for what comes between two draw phases */
}

struct gs_income gs_income(const struct gs_cards *cards, const struct gs_player *player)
{
    struct gs_income income = {.home = cards->income_home};
    income.sectors = player->sector_count * cards->income_sector;
    for (int i = 0; i < player->leader_count && i < GS_LEADERS; i++)
        income.leaders += player->leader[i].at < GS_ON_FLEET ? cards->income_leader : 0;
    income.bonus = gs_bonus(player) * cards->income_level * (1 + player->sector_count);
    income.total = income.home + income.sectors + income.leaders + income.bonus;
    return income;
}

int gs_advantages(const struct gs_player *player, const struct gs_player *enemy)
{
    int count = 0;
    for (int i = GS_FIREPOWER; i <= GS_SUBLIGHT; i++)
        count += player->tech[i] > enemy->tech[i];
    return count;
}

int gs_tech_sum(const struct gs_player *player)
{
    int sum = 0;
    for (int i = 0; i < GS_TECHS; i++)
        sum += player->tech[i];
    return sum;
}

int gs_tech_best(const struct gs_state *state, int seat, int tech)
{
    int best = 0;
    for (int other = 1; other <= gs_seats(state); other++) {
        if (other != seat && gs_alive(state, other) && gs_player_const(state, other)->tech[tech] > best)
            best = gs_player_const(state, other)->tech[tech];
    }
    return best;
}

int gs_tech_preferred(const struct gs_player *player)
{
    int best = -1;
    for (int i = 0; i < player->prefer_count && i < GS_TECHS; i++) {
        int tech = player->prefer[i];
        if (tech < GS_TECHS && (best < 0 || player->tech[tech] < player->tech[best]))
            best = tech;
    }
    for (int tech = GS_FIREPOWER; tech <= GS_SUBLIGHT && !player->prefer_count; tech++) {
        if (best < 0 || player->tech[tech] < player->tech[best])
            best = tech;
    }
    return best < 0 ? GS_FIREPOWER : best;
}
