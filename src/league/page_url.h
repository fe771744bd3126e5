/* Where the league's order page is served ([league] page_url), and what mails and the registry say of it. A passkey belongs
 * to the host, so the page has a host name of its own: no port, no other paths that somebody else may write. */
#ifndef LEAGUE_PAGE_URL_H
#define LEAGUE_PAGE_URL_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define PAGE_URL_MOST  60
#define PAGE_LINK_MOST 69 /* columns of a link in a mail: from 70 on, programs break lines */

/* ERR_CONFIG, a sentence about the address: "https://", a host name that a passkey can be for (trust/key.h), a path that
 * ends with "/". */
int page_url_check(const char *url, struct err *err) __attribute__((warn_unused_result));
/* The host of such an address, borrowed. */
struct slice page_url_host(const char *url);
/* Is nothing of the host but the page: is the path "/"? */
bool page_url_alone(const char *url);

/* What a link tells the page of the mail that it is in: all that is public, and no word that opens anything. */
struct page_place {
    const char *game; /* "" = about no game */
    int turn, seat;   /* seat 0 = none */
    const char *head; /* hex, at least 8 digits; NULL = none */
};
/* Appends URL#g=GAME&t=TURN&h=HEAD8&s=SEAT, of which each piece is left out from where the link would be too long. */
void page_link(struct str *out, const char *url, const struct page_place *place);

/* The page as `turnpost page` wrote it last: registry/page.json, written by a record of the registry. */
#define PAGE_DOCUMENT "registry/page.json"
#define PAGE_DIGEST   65
struct page_written {
    int version; /* from 1; 0 = none was written */
    char sha256[PAGE_DIGEST];
    char url[PAGE_URL_MOST + 1];
};
/* None is no error. ERR_BROKEN; ERR_NEWER: a member that is not known here. */
int page_written_read(const char *league_dir, struct page_written *page, struct err *err)
    __attribute__((warn_unused_result));
/* The document; new reference. */
json_t *page_written_document(const struct page_written *page);

#endif
