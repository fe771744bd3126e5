/* The handlers of the verbs, for the table in orders.c. */
#ifndef GALACTIC_CONTRACT_VERBS_H
#define GALACTIC_CONTRACT_VERBS_H

#include "orders/verbs.h"

/* orders.c */
enum order_result gk_run_move(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_stay(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_pause(void *turn, struct args *args, struct refusal *why, bool *rolled);
/* orders_deliver.c */
enum order_result gk_run_ship(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_trade(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_take(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_refuse(void *turn, struct args *args, struct refusal *why, bool *rolled);
/* orders_cargo.c */
enum order_result gk_run_buy(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_swap(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_discard(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_load(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_store(void *turn, struct args *args, struct refusal *why, bool *rolled);
/* orders_standing.c */
enum order_result gk_run_collect(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_keep(void *turn, struct args *args, struct refusal *why, bool *rolled);
enum order_result gk_run_place(void *turn, struct args *args, struct refusal *why, bool *rolled);

#endif
