/* Reading names in orders and conditions. Refusing functions return ORDER_REFUSED and may be returned as they
 * are. */
#ifndef GALAXY_COMMAND_NAMES_H
#define GALAXY_COMMAND_NAMES_H

#include "rules/galaxy_command/turn.h"
#include "rules/refuse.h"

enum gc_store { GC_METAL, GC_WEALTH, GC_KINDS };
extern const char *const gc_kinds[GC_KINDS];

/* N1..N6, F1..F3 as names. */
void gc_slot_codes(struct named named[GC_SLOTS]);
/* Reads a slot code, or the name of a face-up system of this seat. */
enum name_found gc_read_slot(const struct gc_turn *turn, struct args *args, int *slot,
                             struct str *candidates);
/* Reads a technology by its name or by its short name ("banking"). */
enum name_found gc_read_tech(const struct gc_turn *turn, struct args *args, int *tech,
                             struct str *candidates);

/* No face-up system of this seat: says what is wrong with the name without telling what lies face down. */
enum order_result gc_refuse_system(const struct gc_turn *turn, struct args *args, struct refusal *why);

/* struct language.counters and .have: HAVE <technology>, HAVE 2 METAL 1 WEALTH. */
extern const struct counter gc_counters[];
bool gc_have(void *turn, struct args *args, bool *known);

#endif
