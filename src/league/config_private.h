/* The option table of league.ini: the one place where an option is described. */
#ifndef LEAGUE_CONFIG_PRIVATE_H
#define LEAGUE_CONFIG_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "league/config.h"

enum option_kind {
    OPTION_TEXT,    /* char * */
    OPTION_ADDRESS, /* char *, "" or an address */
    OPTION_CHOICE,  /* an enum: the number of the word in `choices` */
    OPTION_NUMBER,  /* int */
    OPTION_SIZE,    /* int64_t bytes: 64K, 1M */
    OPTION_DURATION /* int64_t seconds: 45m, 3d */
};

struct option {
    const char *section;
    const char *name;
    enum option_kind kind;
    size_t offset;       /* in struct config */
    int64_t min, max;    /* NUMBER, SIZE, DURATION */
    const char *choices; /* CHOICE: "maildir imap" */
    const char *value;   /* the default as it would be written */
    const char *help;    /* sentences for the operator, lines up to 100 bytes separated by LF */
};
extern const struct option option_table[]; /* grouped by section; ends with name NULL */

/* Gives an option its value from text. ERR_CONFIG with what is allowed. */
int option_set(const struct option *option, struct config *config, const char *text, struct err *err)
    __attribute__((warn_unused_result));
/* What is allowed, for people: "one of maildir, imap", "1h .. 366d"; nothing for texts. */
void option_range(struct str *out, const struct option *option);
/* Reads a whole file's text; `path` is for errors. On an error `config` is empty. */
int config_parse(struct slice text, const char *path, struct config *config, struct err *err)
    __attribute__((warn_unused_result));

#endif
