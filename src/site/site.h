/* The league's own site: static pages that any web server can serve, made from the catalog and the games' files. It
 * only reads them, and shows what everybody may know: what observers are told of a running game, and of a finished
 * one whose seals are open each of its turns. Nobody's address is on it, and nothing that is sealed.
 *
 *   index.html, index.json    what this is, how to join, free seats, what is played, news
 *   games/<id>.html, .json    a game
 *   boards/<id>.svg           its boards: of a running game the last, of a finished one those of its turns (#turn-3),
 *                             or of every second, third, ... turn of a long one
 *   boards/<id>.png           for previews of links, where mails had it as a picture
 *   running-N.html            all running games, SITE_LIST to a page; one that there was stays, maybe empty
 *   results/<month>.html      the games that ended in that month
 *   players/<name>.html, .json those who allow it (prefs: public)
 *   ratings.html, .json       the lists of ratings, where the league keeps them
 *   competitions/<name>.html, .json
 *   rules/<ruleset>.html      the rules, and the order language
 *   archive/<month>/<id>.tar  the proof of a game that ended in that month, and index.html; never written again
 *   feed.xml, competitions/<name>.xml   Atom
 *   site.css, icon.svg, card.png  the one style, the icon, the picture for previews of links; a league may have its own
 *                             in templates/site/
 *
 * Whatever a page has led to stays where it is, but for what somebody may not show any more (players/, private games). All links
 * are relative, so the folder can be served from anywhere. A page that has not changed is not made again:
 * the file .turnpost-site in the folder holds, for each game and page, a digest of all that it is made from
 * (site_out.h). */
#ifndef SITE_SITE_H
#define SITE_SITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "journal/catalog.h"
#include "journal/store.h"
#include "league/league.h"
#include "league/league_log.h"
#include "league/registry.h"
#include "report/render.h"

#define SITE_LIST 200 /* games to a page of a list */

/* What it is made from; all borrowed. */
struct site {
    const struct league *league;
    struct league_log *log; /* with the league's keys */
    const char *folder;     /* where it is written; made if it is not there */
    struct store *store;
    struct catalog *catalog;
    const struct registry *registry;
    struct templates *templates;
    int64_t now;
    int64_t
        patience; /* milliseconds after which no further game and page of a list is rendered; 0 = it takes as long as it takes */
};

struct site_sum {
    size_t rendered;         /* games and pages that were made again */
    size_t written, removed; /* files */
    size_t left;             /* games for which there was no time: those come with the next call */
    size_t late;             /* pages of lists, the same */
    size_t broken;           /* games that cannot be read; they keep the page that they had */
};

/* Writes what has changed and removes what is gone. Each file is replaced as a whole, so a visitor never sees half
 * of one; what a crash has left undone is done by the next call. */
int site_write(const struct site *site, struct site_sum *sum, struct err *err)
    __attribute__((warn_unused_result));

#endif
