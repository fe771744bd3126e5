#include "league/domain_root.h"

#include <stdbool.h>
#include <string.h>

#include "base/str.h"

/* Does the name's label before a country's two letters say only what kind of name is below it ("co.uk")? */
static bool is_kind(struct slice label, const char *last)
{
    static const char *const kinds[] = {"ac",  "asn", "co",  "com", "edu", "gen", "go",
                                        "gob", "gov", "gv",  "id",  "ltd", "me",  "mil",
                                        "net", "ne",  "nom", "or",  "org", "plc", "sch"};
    for (size_t i = 0; strlen(last) == 2 && i < sizeof kinds / sizeof *kinds; i++)
        if (slice_caseeq(label, kinds[i]))
            return true;
    return false;
}

/* Where the label begins that ends at `end`. */
static const char *label_at(const char *domain, const char *end)
{
    while (end > domain && end[-1] != '.')
        end--;
    return end;
}

const char *domain_root(const char *domain)
{
    const char *last = label_at(domain, domain + strlen(domain));
    if (last == domain)
        return domain;
    const char *second = label_at(domain, last - 1);
    struct slice label = {second, (size_t)(last - 1 - second)};
    return second > domain && is_kind(label, last) ? label_at(domain, second - 1) : second;
}
