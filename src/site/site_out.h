/* The folder of a site: files are written only where their bytes have changed, and removed when what they show is
 * gone. A unit is what is made together, as a game with its page and its JSON; its key is a digest of all that it is
 * made from. The units of the last time are in the file .turnpost-site of the folder (mode 0600, as digests of what
 * pages do not show could be guessed from):
 *
 *     turnpost-site 1\n
 *     KEY32 NAME TAB PATH TAB PATH ...\n
 *
 * One process at a time works on a folder (SITE_LOCK). The state is written when all others are on the disk, so that what a crash
 * or a power cut has left undone is made again; what it has made by then is named in SITE_MADE, so that it goes when it is gone. A file like
 * that which cannot be read counts as empty: then everything is made again, and only what has changed is written. */
#ifndef SITE_SITE_OUT_H
#define SITE_SITE_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

#define SITE_KEY   16
#define SITE_STATE ".turnpost-site"
#define SITE_LOCK  ".turnpost-site.lock"
#define SITE_MADE  ".turnpost-site.made" /* paths of new files that the state may not know yet, a line each */
#define SITE_PAGE  "page" /* the only unit of the order page, whose folder is no site's (page/page.h) */

struct site_unit {
    char *name;  /* "game/gc-1"; owned */
    char *paths; /* each with a TAB before it; owned */
    unsigned char key[SITE_KEY];
    bool kept; /* of the old ones: it is among the new ones, too */
};
struct site_units {
    struct site_unit *list;
    size_t count, cap;
};
struct site_out {
    char *folder;
    int lock;                   /* -1 = none */
    int made;                   /* SITE_MADE, -1 = nothing is new */
    struct site_units old, now; /* the old ones by name */
    json_t *index;              /* name -> place in `now` */
    bool
        trusts; /* the files of units that need not be made are there: nobody looks (a year of games has thousands) */
    size_t written, removed;
};

/* Makes the folder, and reads what was written last. ERR_TEMP: another process is writing there. */
int site_out_open(struct site_out *out, const char *folder, struct err *err)
    __attribute__((warn_unused_result));
/* Is what was written last the order page, and not a site? */
bool site_out_is_page(const struct site_out *out);
/* Does the unit have to be made? If so it begins here, and what is put next belongs to it; else it stays as it is. */
bool site_out_begin(struct site_out *out, const char *name, const unsigned char key[SITE_KEY]);
/* Begins it in any case: what it puts is compared with the files, which somebody may have changed. */
void site_out_renew(struct site_out *out, const char *name, const unsigned char key[SITE_KEY]);
/* The same of a unit that is never made again once it has files, as long as they are there. */
bool site_out_once(struct site_out *out, const char *name, const unsigned char key[SITE_KEY]);
/* The first file of such a unit now, "" = none; the caller frees it. */
char *site_out_file(const struct site_out *out, const char *name) __attribute__((warn_unused_result));
/* The last one with that ending, "" = none; the caller frees it. */
char *site_out_last(const struct site_out *out, const char *name, const char *ending)
    __attribute__((warn_unused_result));
/* Writes a file of the unit, if it holds other bytes. */
int site_out_put(struct site_out *out, const char *path, struct slice bytes, struct err *err)
    __attribute__((warn_unused_result));
/* The unit stays as it was the last time, whatever has changed since; nothing if there was none. */
void site_out_leave(struct site_out *out, const char *name);
/* Takes back the unit that has begun: as site_out_leave. */
void site_out_drop(struct site_out *out);
/* Did the unit stay as it was the last time? */
bool site_out_kept(const struct site_out *out, const char *name);
/* Was there such a unit the last time? */
bool site_out_had(const struct site_out *out, const char *name);
/* Is there such a unit now? */
bool site_out_has(const struct site_out *out, const char *name);
/* Removes what is gone, and writes what there is now. */
int site_out_end(struct site_out *out, struct err *err) __attribute__((warn_unused_result));
void site_out_release(struct site_out *out);

#endif
