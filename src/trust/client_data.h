/* What a browser has a passkey sign (WebAuthn, 5.8.1 CollectedClientData), by a grammar that leaves nothing to interpret: one
 * flat object of 3 to 8 members without blanks, that begins with type, challenge and origin in this order (as OpenSSH's
 * PROTOCOL.u2f demands); texts of printable ASCII without escapes, true, false, null, or digits; no name twice. */
#ifndef TRUST_CLIENT_DATA_H
#define TRUST_CLIENT_DATA_H

#include <stdbool.h>

#include "base/str.h"

struct client_data { /* borrowed from the text */
    struct slice type, challenge, origin;
    bool crosses; /* the page was inside one of another origin */
};

/* False: anything else, or longer than CLIENT_DATA_MAX (trust/signature.h). */
bool client_data_read(struct slice text, struct client_data *data) __attribute__((warn_unused_result));

#endif
