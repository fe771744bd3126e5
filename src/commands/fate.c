#include "commands/fate.h"

#include "base/clock.h"

struct fate fate_of(const struct catalog_delivery *delivery)
{
    struct fate fate = {*delivery, "", ""};
    switch (delivery->state) {
    case DELIVERY_SENT: fate.state = fate.said = "sent"; break;
    case DELIVERY_LATER:
        fate.state = "retrying";
        fate.said = "to be tried again";
        break;
    case DELIVERY_REFUSED: fate.state = fate.said = "refused"; break;
    case DELIVERY_EXPIRED:
        fate.state = "expired";
        fate.said = "given up";
        break;
    case DELIVERY_BOUNCED:
        fate.state = "bounced";
        fate.said = "came back";
        break;
    case DELIVERY_DROPPED:
        fate.state = "dropped";
        fate.said = "not sent, it was too late for it";
        break;
    }
    return fate;
}

void fate_pause(struct str *out, const struct spool_pause *pause, size_t waiting)
{
    char since[CLOCK_TEXT], until[CLOCK_TEXT];
    clock_utc(since, pause->since);
    clock_utc(until, pause->until);
    str_addf(out,
             "the mail server takes none of our mails since %s, and %zu wait: %s; the next try is due at %s "
             "(at once: "
             "turnpost mail retry all)",
             since, waiting, pause->words, until);
}
