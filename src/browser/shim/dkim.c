/* In place of trust/dkim*.c. The mails by which a domain vouches for orders are never published (item 1001), and where a
 * file holds some, browser.c opens nothing but what all may see: so nothing calls these. Were one called all the same, the
 * program would stop, and the page say so: no such signature passes unchecked. */
#include "trust/dkim.h"

enum outcome dkim_read(struct slice raw, int64_t arrived, struct work *work, struct dkim_claims *claims,
                       json_t **refusal)
{
    (void)raw, (void)arrived, (void)work, (void)claims, (void)refusal;
    __builtin_trap();
}

enum outcome dkim_key_read(struct slice record, struct dkim_key *key, json_t **refusal)
{
    (void)record, (void)key, (void)refusal;
    __builtin_trap();
}

enum outcome dkim_holds(const struct dkim_claim *claim, const struct dkim_key *key, json_t **refusal)
{
    (void)claim, (void)key, (void)refusal;
    __builtin_trap();
}
