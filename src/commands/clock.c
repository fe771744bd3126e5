#include "commands/believed.h"
#include "commands/commands.h"

#include <stdio.h>

#include "base/clock.h"

static const char details[] =
    "Shows the host's time, when work was done last, and whether the time is believed. Work that was "
    "recorded at a wrong time cannot be mended. So nothing is done while the clock is more than a day behind "
    "the last work, or more than 30 days ahead of it, unless the system says that a time server keeps it "
    "right. If the clock is right, --confirm says so; also beside a daemon.\n"
    "Exit codes: 0 the time is believed; 75 it is not.\n";

static void print(const struct believed *believed)
{
    struct str text = STR_INIT;
    str_adds(&text, "the host's clock  ");
    clock_both(&text, believed->now);
    str_adds(&text, believed->kept_right ? ", kept right, says the system\n"
                                         : ", and nothing says that it is kept right\n");
    str_adds(&text, "the last work     ");
    if (believed->last)
        clock_both(&text, believed->last);
    else
        str_adds(&text, "none by this clock");
    str_adds(&text, believed->confirmed ? "; the clock was confirmed since\n" : "\n");
    (void)fputs(text.p, stdout);
    str_release(&text);
}

int command_clock(int argc, char **argv)
{
    const char *dir = NULL;
    bool confirm = false;
    int64_t now = 0;
    struct league league;
    struct believed believed;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"confirm", FLAG_SWITCH, &confirm, NULL, "the clock is right: work goes on by it"},
        {"now", FLAG_TIME, &now, "TIME",
         "confirm this time instead of the clock's, for --now of other commands"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    if (now && !confirm) {
        err_set(&err, ERR_INPUT, "--now goes with --confirm");
        return command_fail(&err);
    }
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = confirm ? believed_confirm(&league, now, &err) : 0;
    if (rc == 0 && !now) {
        believed_look(&league, &believed);
        print(&believed);
        rc = believed_check(&believed, &err);
    }
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
