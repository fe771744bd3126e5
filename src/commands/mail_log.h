/* The log of mails, in and out (`turnpost mail`). */
#ifndef COMMANDS_MAIL_LOG_H
#define COMMANDS_MAIL_LOG_H

#include "journal/catalog.h"
#include "league/league.h"

struct mail_log_wish {
    const char *player, *id; /* as typed; NULL = not */
    int64_t since;           /* seconds; 0 = a day, or everything of that player or mail */
    int64_t now;             /* 0 = the system's */
    bool unanswered;         /* only mails of players who may wait for an answer, and get none */
};
/* ERR_MISSING when a mail, or a player without mails, is asked for that is not known. */
int mail_log_show(const struct league *league, struct catalog *catalog, const struct mail_log_wish *wish,
                  bool json, struct err *err) __attribute__((warn_unused_result));

#endif
