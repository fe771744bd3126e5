/* For leagues of tests in which nothing else is said: keys alone count in them, and no name server is asked. */
#ifndef TESTS_KEYS_ALONE_H
#define TESTS_KEYS_ALONE_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

/* After league_init: takes the line out of league.ini by which players may answer by mail. */
static inline bool keys_alone(const char *dir)
{
    static const char by_mail[] = "\ntrust = mail\n";
    struct err err = ERR_INIT;
    struct str text = STR_INIT, changed = STR_INIT;
    char *path = path_join(dir, "league.ini");
    const char *at = file_read(path, 1 << 20, &text, &err) == 0 ? strstr(text.p, by_mail) : NULL;
    if (at)
        str_addf(&changed, "%.*s\n%s", (int)(at - text.p), text.p, at + strlen(by_mail));
    bool done = at && file_write_soft(path, slice_str(&changed), 0600, &err) == 0;
    free(path);
    str_release(&text);
    str_release(&changed);
    return done;
}

#endif
