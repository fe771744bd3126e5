/* When the server takes nothing of ours: no mail is tried for a while (mail/spool.h). */
#include "mail/spool_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/utf8.h"

#define FILE_MODE  0600
#define FILE_MOST  8192
#define TRIES_MOST 1000

bool spool_paused(const char *dir, struct spool_pause *pause)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    const char *words = "";
    int64_t tries = 0;
    char *path = path_join(dir, SPOOL_PAUSE);
    *pause = (struct spool_pause){0};
    json_t *json = file_exists(path) && file_read(path, FILE_MOST, &text, &err) == 0
                       ? json_read(slice_str(&text), path, &err)
                       : NULL;
    if (json && (json_need_int(json, "since", 0, INT64_MAX, &pause->since, path, &err) ||
                 json_need_int(json, "until", 0, INT64_MAX, &pause->until, path, &err) ||
                 json_need_int(json, "tries", 1, TRIES_MOST, &tries, path, &err) ||
                 json_need_string(json, "words", &words, path, &err)))
        *pause = (struct spool_pause){0};
    pause->tries = (int)tries;
    (void)snprintf(pause->words, sizeof pause->words, "%s", pause->until ? words : "");
    if (err.code)
        log_warn("%s; the mails are tried", err.text);
    json_decref(json);
    str_release(&text);
    free(path);
    return pause->until != 0;
}

bool spool_pause_lasts(const struct spool_pause *pause, int64_t now)
{
    return pause->until > now && pause->until - now <= SPOOL_DELAY_MOST;
}

int spool_pause_on(const char *dir, struct spool_pause *pause, const char *words, int64_t now,
                   struct err *err)
{
    struct str safe = STR_INIT, text = STR_INIT;
    char *path = path_join(dir, SPOOL_PAUSE);
    if (!pause->tries)
        pause->since = now;
    pause->tries += pause->tries < TRIES_MOST;
    pause->until = now + spool_delay(pause->tries);
    utf8_safe(&safe, slice_of(words), false);
    utf8_cut(&safe, sizeof pause->words - 1);
    (void)snprintf(pause->words, sizeof pause->words, "%s", safe.p);
    json_t *json = json_pack("{s:I,s:I,s:i,s:s}", "since", (json_int_t)pause->since, "until",
                             (json_int_t)pause->until, "tries", pause->tries, "words", pause->words);
    json_write(&text, json);
    str_addc(&text, '\n');
    int rc = file_write_soft(path, slice_str(&text), FILE_MODE, err);
    json_decref(json);
    str_release(&safe);
    str_release(&text);
    free(path);
    return rc;
}

int spool_pause_off(const char *dir, struct err *err)
{
    char *path = path_join(dir, SPOOL_PAUSE);
    int rc = file_exists(path) ? file_remove(path, err) : 0;
    free(path);
    return rc;
}
