/* What one player may change on a day, by mail: of themselves, which stays for ever, and in games, where others are told. */
#ifndef PETITIONS_ALLOWANCE_H
#define PETITIONS_ALLOWANCE_H

#include "petitions/petition.h"

/* Refuses a text for which nothing is left today. */
int allowance_judge(struct hearing *hearing, const struct petition *petition, struct err *err)
    __attribute__((warn_unused_result));
/* Counts it, if it has left a record. `before`: the number of the registry's last record before it was obeyed. */
int allowance_charge(const struct hearing *hearing, const struct petition *petition, int64_t before,
                     struct err *err) __attribute__((warn_unused_result));

#endif
