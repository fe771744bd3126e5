/* Who asks the servers of the DNS, and validates what they say: libunbound, with a thread of its own. Private to dns/: what is
 * remembered, and how much is asked, is the resolver's matter. */
#ifndef DNS_NETWORK_H
#define DNS_NETWORK_H

#include "dns/resolver.h"

struct network;
/* Starts the thread. ERR_CONFIG: a server or file that cannot be used; ERR_TEMP: it does not start. */
int network_open(const struct dns_way *way, struct network **network, struct err *err)
    __attribute__((warn_unused_result));
void network_close(struct network *network);
/* The TXT record of `name`, into an answer that is empty: all but `unasked` and `until`. It takes at most so many milliseconds.
 * Returns the seconds for which the domain says that the answer may be kept. One thread at a time. */
int64_t network_ask(struct network *network, const char *name, int64_t most, struct dns_answer *answer);

#endif
