/* The signature of a mail's domain (DKIM), as receivers check it: by the bytes that came and the key that the domain
 * publishes now. */
#include "commands/doctor.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/reason.h"
#include "dns/resolver.h"
#include "report/render.h"
#include "trust/dkim.h"

#define CHECK "dkim"

/* Players read the same words. */
static void say_reason(struct findings *findings, const struct league *league, const json_t *reason)
{
    struct str words = STR_INIT;
    struct err err = ERR_INIT;
    struct templates *templates;
    char *own = league_path(league, "templates");
    templates_open(own, &templates);
    if (templates_piece(templates, &(struct template_name){"", "refused.txt"}, reason, &words, &err))
        findings_fail(findings, CHECK, &err);
    str_trim(&words);
    if (words.len)
        findings_add(findings, FINDING_WARNING, CHECK, "%s", words.p);
    templates_close(templates);
    str_release(&words);
    free(own);
}

static void say_holds(struct findings *findings, const struct dkim_claim *claim, bool secure)
{
    findings_add(findings, FINDING_OK, CHECK,
                 "the mail's signature of %s holds (%s._domainkey); its key is %s", claim->from.domain,
                 claim->selector,
                 secure ? "proved by DNSSEC" : "not proved by DNSSEC: receivers have the name servers' word");
}

/* Is the key there? What else there is, is said. */
static bool key_found(struct findings *findings, const char *name, const struct dns_answer *answer)
{
    switch (answer->found) {
    case DNS_FOUND: return true;
    case DNS_NONE:
        findings_add(findings, FINDING_WARNING, CHECK,
                     "the mail is signed, but its key is not in the DNS: publish it as a TXT record of %s",
                     name);
        break;
    case DNS_SEVERAL:
        findings_add(findings, FINDING_WARNING, CHECK,
                     "%s has more than one TXT record, or one that is too long: leave the one with the key",
                     name);
        break;
    case DNS_FORGED:
        findings_add(findings, FINDING_WARNING, CHECK,
                     "what the DNS says of %s contradicts DNSSEC, so receivers will not use it: %s", name,
                     answer->why);
        break;
    case DNS_LATER:
        findings_add(findings, FINDING_WARNING, CHECK,
                     "the mail is signed, but its key could not be asked for (%s: %s); see [dns] server",
                     name, answer->why);
        break;
    }
    return false;
}

/* Does one of its signatures hold? `reason` becomes that of the last one that does not. */
static bool try_claim(struct findings *findings, struct resolver *resolver, const struct dkim_claim *claim,
                      json_t **reason)
{
    char name[DKIM_KEY_NAME];
    struct dns_answer answer = DNS_ANSWER_INIT;
    struct dkim_key key;
    dkim_key_name(name, claim);
    resolver_text(resolver, name, NULL, clock_system(), &answer);
    bool good = key_found(findings, name, &answer);
    if (good) {
        reason_clear(reason);
        good = dkim_key_read(slice_str(&answer.text), &key, reason) == OUTCOME_DONE &&
               dkim_holds(claim, &key, reason) == OUTCOME_DONE;
    }
    if (good)
        say_holds(findings, claim, answer.secure);
    dns_answer_release(&answer);
    return good;
}

static void try_claims(struct findings *findings, const struct league *league,
                       const struct dkim_claims *claims)
{
    const struct config_dns *dns = &league->config.dns;
    struct resolver *resolver;
    struct err err = ERR_INIT;
    json_t *reason = NULL;
    bool good = false;
    if (resolver_open(&(struct dns_way){dns->server, dns->root_key, dns->timeout}, &resolver, &err)) {
        findings_add(findings, FINDING_WARNING, CHECK,
                     "the mail is signed, but its key cannot be asked for: %s", err.text);
        return;
    }
    for (size_t i = 0; i < claims->count && !good; i++)
        good = try_claim(findings, resolver, &claims->list[i], &reason);
    if (!good && reason)
        say_reason(findings, league, reason);
    reason_clear(&reason);
    resolver_close(resolver);
}

void doctor_dkim(struct findings *findings, const struct league *league, struct slice mail, int64_t arrived)
{
    struct dkim_claims *claims = mem_alloc(sizeof *claims);
    struct work work = WORK_INIT;
    json_t *reason = NULL;
    if (dkim_read(mail, arrived, &work, claims, &reason) == OUTCOME_DONE)
        try_claims(findings, league, claims);
    else if (json_object_get(reason, "dkim_none"))
        findings_add(
            findings, FINDING_OK, CHECK,
            "the mail came back without a DKIM signature; a server that signs what leaves it may leave "
            "out what stays with it");
    else
        say_reason(findings, league, reason);
    reason_clear(&reason);
    free(claims);
}
