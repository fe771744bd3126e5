/* The folder of pictures of a league: <digest>.json, what those show that are still to be painted, and
 * <digest>.png, the pictures, by the digest of what they show. All of it may be lost at any time: mails then leave
 * without. So nothing here is synced, and no backup holds it. */
#ifndef PICTURE_PICTURES_H
#define PICTURE_PICTURES_H

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

#define PICTURES_FOLDER "pictures"          /* of the league */
#define PICTURES_MOST   ((int64_t)64 << 20) /* bytes that the folder keeps */
#define PICTURES_DIGEST 65                  /* of hex digits, with NUL */

/* The name here of a picture that shows this. */
void pictures_digest(char digest[PICTURES_DIGEST], struct slice shows);
/* Keeps what a picture shows until it is painted. Nothing happens when that, or the picture, is there already. */
int pictures_keep(const char *dir, const char *digest, struct slice shows, struct err *err)
    __attribute__((warn_unused_result));
/* Appends what it shows; ERR_MISSING when that is not there, or not what has this digest. */
int pictures_shown(const char *dir, const char *digest, struct str *shows, struct err *err)
    __attribute__((warn_unused_result));
/* The picture is there from now on, and what it shows is not; an empty one: there will be none. */
int pictures_put(const char *dir, const char *digest, struct slice png, struct err *err)
    __attribute__((warn_unused_result));
/* Is it there? */
bool pictures_have(const char *dir, const char *digest);
/* Appends it. ERR_MISSING when it is not there. */
int pictures_get(const char *dir, const char *digest, struct str *png, struct err *err)
    __attribute__((warn_unused_result));
/* Drops what is oldest until the folder holds no more than `most` bytes. */
int pictures_tidy(const char *dir, int64_t most, struct err *err) __attribute__((warn_unused_result));

#endif
