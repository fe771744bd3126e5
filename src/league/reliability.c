#include "league/reliability.h"

json_t *reliability_json(const struct catalog_tally *tally)
{
    int64_t percent = tally->awaited ? (tally->awaited - tally->missed) * 100 / tally->awaited : 0;
    return json_pack("{s:I,s:I,s:I,s:I,s:b,s:b}", "percent", (json_int_t)percent, "turns",
                     (json_int_t)tally->awaited, "missed", (json_int_t)tally->missed, "resigned",
                     (json_int_t)tally->resigned, "gave_up", tally->resigned > 0, "new", tally->awaited == 0);
}

int reliability_of(struct catalog *catalog, const char *player, json_t **out, struct err *err)
{
    struct catalog_tally tally;
    if (catalog_reliability(catalog, player, &tally, err))
        return -1;
    *out = reliability_json(&tally);
    return 0;
}
