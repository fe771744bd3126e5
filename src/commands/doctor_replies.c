/* Players by mail: what they need who have only a mailbox ([league] trust = mail). */
#include "commands/doctor.h"

#include <string.h>

#include "base/clock.h"
#include "batch/absent.h"
#include "dns/resolver.h"
#include "league/registry.h"
#include "letters/vouching.h"
#include "trust/keyring.h"

#define CHECK "replies"

static const char *domain_of(const char *address)
{
    const char *at = strrchr(address, '@');
    return at ? at + 1 : "";
}

/* Players without a key whose domain's word counts for nothing. */
static void find_own(struct findings *findings, const struct league *league, const struct registry *registry,
                     const struct keyring *ring)
{
    for (size_t i = 0; i < registry->count; i++) {
        const struct player *player = &registry->players[i];
        struct pubkey keys[KEYS_PER_PLAYER];
        struct mailbox mailbox;
        if (!keyring_damaged(ring, player->name) && !keyring_of(ring, player->name, keys) &&
            mailbox_parse(slice_of(player->address), &mailbox) &&
            vouching_own(league, mailbox.local, mailbox.domain))
            findings_add(
                findings, FINDING_WARNING, CHECK,
                "%s has no key, and mails from %s prove nothing, as you could send them: they need another "
                "address, or a key",
                player->name, player->address);
    }
}

static void check_players(struct findings *findings, const struct league *league)
{
    struct registry registry = {0};
    struct keyring ring = {0};
    struct err err = ERR_INIT;
    if (registry_load(league->dir, &registry, &err) == 0 &&
        absent_keys(league->dir, &registry, &ring, &err) == 0)
        find_own(findings, league, &registry, &ring);
    registry_release(&registry);
    keyring_release(&ring);
}

/* The answer does not matter, only whether there is one. */
static void say_answer(struct findings *findings, const char *domain, const struct dns_answer *answer)
{
    struct err err = ERR_INIT;
    if (answer->found == DNS_LATER) {
        err_set(&err, ERR_TEMP,
                "the name servers do not answer (%s: %s), and until they do mails of players without keys "
                "are not counted; see [dns] server",
                domain, answer->why);
        findings_fail(findings, CHECK, &err);
    } else if (answer->found == DNS_FORGED) {
        err_set(&err, ERR_CONFIG,
                "what the name servers say of %s contradicts DNSSEC (%s): mend [dns] root_key, the host's "
                "clock or the name server",
                domain, answer->why);
        findings_fail(findings, CHECK, &err);
    } else {
        findings_add(findings, FINDING_OK, CHECK, "the name servers answer");
    }
}

static void check_names(struct findings *findings, const struct league *league)
{
    const struct config_dns *dns = &league->config.dns;
    const char *domain = domain_of(league->config.league.address);
    struct dns_answer answer = DNS_ANSWER_INIT;
    struct resolver *resolver;
    struct err err = ERR_INIT;
    if (!*dns->root_key)
        findings_add(
            findings, FINDING_WARNING, CHECK,
            "[dns] root_key is empty: no domain's key is proved by DNSSEC, so all rest on your word");
    if (resolver_open(&(struct dns_way){dns->server, dns->root_key, dns->timeout}, &resolver, &err)) {
        findings_fail(findings, CHECK, &err);
        return;
    }
    resolver_text(resolver, domain, NULL, clock_system(), &answer);
    say_answer(findings, domain, &answer);
    dns_answer_release(&answer);
    resolver_close(resolver);
}

void doctor_replies(struct findings *findings, const struct league *league)
{
    const struct config *config = &league->config;
    if (config->league.trust != TRUST_MAIL)
        return;
    check_names(findings, league);
    const char *address = config->league.address, *domain = domain_of(address);
    findings_add(
        findings, FINDING_OK, CHECK,
        "mails from %s%s%s prove nothing, as you could send them: players there need keys; name all other "
        "domains of yours in [league] own_domains",
        config_shares(config, domain) ? address : domain, *config->league.own_domains ? ", " : "",
        config->league.own_domains);
    check_players(findings, league);
}
