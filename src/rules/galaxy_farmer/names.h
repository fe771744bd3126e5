/* Reading names and lists in orders and conditions. Refusing functions return ORDER_REFUSED and may be
 * returned as they are. */
#ifndef GALAXY_FARMER_NAMES_H
#define GALAXY_FARMER_NAMES_H

#include "rules/galaxy_farmer/turn.h"
#include "rules/refuse.h"

/* A planet by name or code, or HOME (0). */
enum name_found gf_read_place(const struct gf_turn *turn, struct args *args, int *place,
                              struct str *candidates);
/* An open order by name or code: *slot. */
enum name_found gf_read_open(const struct gf_turn *turn, struct args *args, int *slot,
                             struct str *candidates);
/* Any order of the game: *card. */
enum name_found gf_read_order(const struct gf_turn *turn, struct args *args, int *card);
/* A representative: 1..8. */
enum name_found gf_read_rep(const struct gf_turn *turn, struct args *args, int *rep, struct str *candidates);
/* One resource: its index, or -1 (nothing consumed). */
int gf_read_resource(const struct gf_turn *turn, struct args *args);
/* "2 sunpod 1 emberwort"; amounts are numbers or ARGS_ALL. False when nothing could be read. */
bool gf_read_cubes(const struct gf_turn *turn, struct args *args, int amount[GF_PLANETS]);

/* An order that is not on the table, or none at all: why its name was not found among the open ones. */
enum order_result gf_refuse_order(const struct gf_turn *turn, struct args *args, struct refusal *why);

/* struct language.counters and .have: HAVE 2 SUNPOD. */
extern const struct counter gf_counters[];
bool gf_have(void *turn, struct args *args, bool *known);

/* Checks and reasons that several verbs share. */
bool gf_on_planet(const struct gf_turn *turn, struct refusal *why);
bool gf_at_home(const struct gf_turn *turn, struct refusal *why);

/* The verbs of the enemy and the representatives (orders_meet.c), of HOME (orders_home.c, orders_lock.c). */
enum order_result gf_run_fight(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_quest(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_partner(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_hold(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_load(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_store(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_plant(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_uproot(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_harvest(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_lock(void *arg, struct args *args, struct refusal *why, bool *rolled);
enum order_result gf_run_convert(void *arg, struct args *args, struct refusal *why, bool *rolled);

#endif
