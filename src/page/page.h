/* The order page as files: a static folder, on which players sign in their browsers (templates/page/). The same program
 * and the same league give the same bytes.
 *
 *   index.html, *.js, ...     of templates/page/, as they are; index.html and other .html are Mustache templates
 *   check/NAME.js, icon.svg   what it shares with the league's site (templates/site/)
 *   league.json               {"league","address","key","fingerprint","page","application","verified",
 *                             "rulesets":[{"ruleset","title","version","language","file"}]}
 *   words/RULESET-N.json      the order words of a game, for order language N (page_words.c)
 *   forms.json                the texts that a player can send (page_forms.c)
 *   version.json              {"version","sha256","files":[{"file","sha256"}]}
 *
 * `files` are all the others, by name as bytes; `sha256` is the SHA-256 of what sha256sum prints of them in this order: lines
 * of 64 hex digits, two spaces and the name. The version goes up when that changes (league/page_url.h). */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "league/league.h"
#include "league/page_url.h"

#define PAGE_VERSION "version.json"

struct page_file {
    char *name; /* "check/bytes.js"; owned */
    struct str bytes;
    char sha256[PAGE_DIGEST];
};
struct page {
    struct page_file *list; /* by name */
    size_t count, cap;
    char sha256[PAGE_DIGEST];
    char url[PAGE_URL_MOST + 1]; /* where it is to be served */
};

/* All files but version.json, of a league with a page_url whose keys were read (league_keys). ERR_CONFIG without one. */
int page_make(struct page *page, const struct league *league, struct err *err)
    __attribute__((warn_unused_result));
/* Appends version.json; the list is not in order any more. */
void page_number(struct page *page, int version);
/* Safe on a zeroed struct. */
void page_release(struct page *page);

struct page_sum {
    size_t written, removed; /* files */
};
/* Writes what has changed, and removes what an older version had. ERR_INPUT: the folder is the league's site. */
int page_put(const struct page *page, const char *folder, struct page_sum *sum, struct err *err)
    __attribute__((warn_unused_result));

#endif
