/* A witness's answer (tlog/witness.h), which stands in a mail in an armor. Who sent it does not matter: what it says is signed by the
 * witness's key, or means nothing. It is not answered, as two programs talk here. */
#include "batch/witnessing.h"
#include "intake/intake_parts.h"
#include "tlog/armor.h"
#include "tlog/witness.h"

static bool find(const struct message *msg, struct str *text)
{
    for (size_t i = 0; i < msg->part_count; i++) {
        struct slice rest = slice_str(&msg->parts[i].exact);
        struct err ignored = ERR_INIT;
        if (armored_next(&rest, WITNESS_ANSWER, text, &ignored) == ARMORED_GOOD)
            return true;
    }
    return false;
}

int visit_witness(struct visit *visit, bool *found, struct err *err)
{
    struct str text = STR_INIT;
    const char *what = NULL;
    int rc = 0;
    *found = find(visit->msg, &text);
    if (*found) {
        rc = witnessing_take(visit->batch, slice_str(&text), &what, &visit->taken, err);
        if (rc == 0)
            verdict_say(&visit->verdict, what, NULL);
        visit->verdict.silence = SILENCE_WITNESS;
    }
    str_release(&text);
    return rc;
}
