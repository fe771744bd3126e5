/* Players without a key who sit down by a mail of their own, for which its domain vouches. */
#ifndef TESTS_HOUSE_SITS_MAILED_H
#define TESTS_HOUSE_SITS_MAILED_H

#include "house/domain.h"
#include "sits.h"

/* Somebody sits down by a mail that says "ok" (sits.h). */
static inline int sits_by_mail(const struct domain *domain, struct step *step, struct game *game,
                               struct join_input *input, struct err *err)
{
    struct str mail = STR_INIT;
    struct dkim_claims claims;
    char head[17], subject[64];
    hex_to(head, game->journal.create_head, 8);
    (void)snprintf(subject, sizeof subject, "Re: a mail #%s", head);
    domain_letter(
        domain,
        &(struct domain_letter){input->player, "example.org", "orders@game.test", subject, step->now,
                                "ok\r\n\r\nOn Fri, 20 Nov 2026, Orion League wrote:\r\n> a mail\r\n", NULL,
                                step->now + 3 * 3600},
        &mail);
    const struct mail_proof proof = domain_proof(domain, &mail, step->now, &claims);
    int rc = sits_said(step, game, input, &proof, err);
    str_release(&mail);
    return rc;
}

#endif
