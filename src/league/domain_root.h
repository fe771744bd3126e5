/* Which mail domains one administrator rules: all names below one that somebody has registered. */
#ifndef LEAGUE_DOMAIN_ROOT_H
#define LEAGUE_DOMAIN_ROOT_H

/* "a.club.test" -> "club.test", "a.club.co.uk" -> "club.co.uk"; a part of `domain`. A guess, without a list of all
 * suffixes: for limits and hints, never for what counts. */
const char *domain_root(const char *domain);

#endif
