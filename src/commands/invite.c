#include "commands/commands.h"

#include <stdio.h>

#include "commands/change.h"
#include "league/league.h"
#include "league/token.h"

#define INVITES_MOST 1000
#define DAYS_MOST    366

static const char details[] =
    "Makes invitations and prints them, one word per line. A new player mails a signed text \"#turnpost\n"
    "register\" with the line \"invite: WORD\", gets it back with a word that proves the address, and\n"
    "signs that, too. Each invitation is valid for one player. Only a hash of it is kept, so write the\n"
    "words down.\n";

static int make(const char *dir, int64_t now, int64_t count, int64_t seconds, struct err *err)
{
    json_t *tokens = json_object();
    json_t *evidence = json_pack("{s:s}", "by", "operator");
    struct str words = STR_INIT;
    bool waits = false;
    for (int64_t i = 0; i < count; i++) {
        char text[TOKEN_TEXT], name[TOKEN_NAME];
        token_new(text);
        (void)token_name(name, TOKEN_INVITE, slice_of(text));
        json_t *document = json_pack("{s:s,s:s}", "what", "invite", "by", "operator");
        token_set_expiry(document, now, seconds);
        json_object_set_new(tokens, name, document);
        str_addf(&words, "%s\n", text);
    }
    struct registry_change change = {.what = "invite", .tokens = tokens, .evidence = evidence};
    int rc = change_make(dir, now, &change, &waits, err);
    if (rc == 0)
        (void)printf("%s", words.p);
    str_release(&words);
    json_decref(tokens);
    json_decref(evidence);
    return rc;
}

int command_invite(int argc, char **argv)
{
    const char *dir = NULL;
    int64_t count = 1, days = 0, now = 0;
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"count", FLAG_NUMBER, &count, "N", "how many (default: 1)"},
        {"days", FLAG_NUMBER, &days, "N",
         "for how many days they are good (default: token_expire of league.ini)"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    if (count < 1 || count > INVITES_MOST || days < 0 || days > DAYS_MOST) {
        err_set(&err, ERR_INPUT, "--count takes 1 to %d, --days 1 to %d", INVITES_MOST, DAYS_MOST);
        return command_fail(&err);
    }
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = make(flag_league(dir), flag_now(now), count,
                  days ? days * 86400 : league.config.league.token_expire, &err);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
