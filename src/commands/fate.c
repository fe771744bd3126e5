#include "commands/fate.h"

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
