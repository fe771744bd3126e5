/* Numbers for moderators who suspect that players are one person, or play for each other. Nothing follows
 * from them by itself, and no rule of the program uses them.
 *
 * What is examined, for each two players who share a game:
 * - networks: the catalog keeps, for `paths` of league.ini, a keyed digest of the network that each signed
 *   mail came from (message.origin) and when it arrived; never the address itself, and nothing of it is in a
 *   game file. Counts the mails of each that came from a network which both used, and how many other players
 *   used one of these: providers and mobile networks have many users.
 * - minutes: the mails of each that came within five minutes of one of the other's, compared with the same
 *   for the other players of their games, on average: all who wait for one report are quick together.
 * - misses: the turns that awaited both and that both missed, compared with what chance would give.
 * - orders: events of one seat that name another (parameters "..._seat"), by type: how many named the
 *   partner, compared with an even share of all that named anybody; and what was given and got in such events
 *   ("give_...", "get_..."). In unfinished games only what everybody was told is counted. */
#ifndef PUBLISH_SUSPICION_H
#define PUBLISH_SUSPICION_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "journal/catalog.h"
#include "journal/store.h"
#include "league/config.h"
#include "league/registry.h"

#define SUSPICION_NEAR 300 /* seconds */

/* The digest of a network; zeros for "". */
void suspicion_path(unsigned char digest[CATALOG_PATH], const unsigned char master[32], const char *origin);

/* The whole report: of one game, or of all (NULL). Games that cannot be replayed are left out and named in
 * "broken". Averages and shares are in tenths. New reference; NULL with an error.
 *
 *   {"games":N,"running":N,"broken":["gc-3"],"since":seconds or null,"pairs":[{"a":"anna","b":"bob",
 *    "games":["gc-1"],"notable":true,
 *    "network":{"a":{"mails","shared"},"b":{..},"others":N},
 *    "minutes":{"a":{"mails","near","others_tenths"},"b":{..}},
 *    "misses":{"turns","a","b","both","chance_tenths"},
 *    "orders":[{"by":"anna","at":"bob","type":"attacked","count","of","share_tenths"}],
 *    "trades":[{"by":"anna","at":"bob","what":"credits","gave","got"}]}]} */
json_t *suspicion_report(struct store *store, struct catalog *catalog, const char *game, struct err *err);
/* Adds to pairs of players without keys who share a domain that is nobody else's ([league] shared_domains), or, with
 * plus and dots folded away, one mailbox: "domain": {"name":"example.net","mailbox":false}. They are notable. */
void suspicion_domains(json_t *report, const struct registry *registry, const struct config *config);

#endif
