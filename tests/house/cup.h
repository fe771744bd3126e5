/* A league of four players and a competition of theirs, cup, that is lived through day by day. */
#ifndef TESTS_HOUSE_CUP_H
#define TESTS_HOUSE_CUP_H

#include "house/compete.h"

static struct house house;
static const char *const people[] = {"anna", "bob", "carol", "dora"};

static inline void begin(void)
{
    house_open(&house);
    house_compete_words(&house);
    house_option(&house, "[league]", "missed_robot = 2");
    house_restart(&house);
    for (int i = 0; i < 4; i++)
        house_player(&house, people[i]);
}

static inline void end(void)
{
    house_close(&house);
}

static inline void new_of(const char *name, const char *ruleset, int rounds)
{
    house_compete(&house, name, ruleset, rounds, (struct new_competition){.seats = 2});
    for (int i = 0; i < 4; i++)
        house_entry(&house, name, "enter", people[i]);
    house_empty_spool(&house);
}

static inline void new_one(const char *name, int rounds)
{
    new_of(name, "galactic-contract", rounds);
}

static inline struct competition *cup(void)
{
    return house_competition(&house, "cup");
}

/* Work day by day until then. */
static inline void live(int64_t until)
{
    while (house.now < until)
        house_work(&house, house.now + DAY_SECONDS < until ? house.now + DAY_SECONDS : until);
}

static inline void draw_first(void)
{
    new_one("cup", 2);
    live(cup()->rounds[0].draw);
    ck_assert_int_eq(cup()->round, 1);
}

/* One whose games wait for their players for ever. */
static inline void new_patient_of(const char *ruleset, int rounds, enum compete_adjudge adjudge)
{
    struct schedule never;
    schedule_init(&never);
    house_compete(&house, "cup", ruleset, rounds,
                  (struct new_competition){.seats = 2, .adjudge = adjudge, .clock = &never});
    for (int i = 0; i < 4; i++)
        house_entry(&house, "cup", "enter", people[i]);
    house_empty_spool(&house);
}

static inline void new_patient(int rounds, enum compete_adjudge adjudge)
{
    new_patient_of("galactic-contract", rounds, adjudge);
}

/* A player's journal entry is the same as what is in memory: the folder read anew. */
static inline void same_on_disk(const char *name)
{
    unsigned char head[HEAD_BYTES];
    memcpy(head, house_competition(&house, name)->head, sizeof head);
    house_restart(&house);
    ck_assert_mem_eq(house_competition(&house, name)->head, head, sizeof head);
}

static inline void send_orders(const char *name, const char *id, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: %s\nturn: %d\nfinal: yes\n%s\n#end\n", id,
             house_find(&house, id)->turn, lines);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* A game of two of Galaxy Command to its end: the first seat does something, the second nothing. */
static inline void play_game(const char *id)
{
    int left = 60;
    while (!house_find(&house, id)->over && left--) {
        char one[PLAYER_NAME], two[PLAYER_NAME];
        memcpy(one, house_find(&house, id)->seat[1].player, sizeof one);
        memcpy(two, house_find(&house, id)->seat[2].player, sizeof two);
        send_orders(one, id, "explore near\nbuild");
        if (!house_find(&house, id)->over)
            send_orders(two, id, "bide");
    }
    ck_assert(house_find(&house, id)->over);
}

#endif
