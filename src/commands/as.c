/* `turnpost as`: what players send as "#turnpost ..." texts, typed by the operator in a player's name. */
#include <stdio.h>

#include "commands/commands.h"
#include "intake/typed.h"
#include "mail/message.h"

#define TEXT_MOST ((size_t)64 * 1024)

static const char details[] =
    "Does what PLAYER could do with a signed mail, for a player who called and cannot send one: reads a\n"
    "text such as\n"
    "  #turnpost vacation\n"
    "  from: 2026-12-20\n"
    "  to: 2027-01-03\n"
    "  #end\n"
    "from FILE (default: standard input) and prints the answer, which is mailed to the player as well.\n"
    "Records and answer say that the operator did it. Orders, and texts that need the player's own\n"
    "signature (register, join, key, press, witness), are refused; for what moderators do see turnpost\n"
    "moderate.\n";

static int hear(struct league *league, const char *player, struct slice text, int64_t now, struct err *err)
{
    struct batch batch;
    struct str answer = STR_INIT;
    size_t mails = 0;
    if (batch_open(&batch, league, now, err))
        return -1;
    int rc = typed_hear(&batch, player, text, &answer, err);
    if (rc == 0)
        rc = batch_commit(&batch, err);
    mails = batch.mails.count;
    if (rc == 0 && batch.broken)
        rc = err_set(err, ERR_IO, "the game could not be written; nothing has changed in it");
    if (rc == 0)
        rc = batch_rest(&batch, 0, err);
    batch_close(&batch);
    if (rc == 0)
        printf("%s%sDone; %zu mail%s to be sent.\n", answer.p, answer.len ? "\n" : "", mails, PLURAL(mails));
    str_release(&answer);
    return rc;
}

int command_as(int argc, char **argv)
{
    const char *dir = NULL;
    int64_t now = 0;
    struct league league;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    const struct flag flags[] = {
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 2, details);
    if (code >= 0)
        return code;
    int rc = command_read(argc > 2 ? argv[2] : "-", TEXT_MOST, &text, &err);
    if (rc == 0)
        rc = league_open(flag_league(dir), true, &league, &err);
    if (rc == 0) {
        mail_begin();
        rc = hear(&league, argv[1], slice_str(&text), flag_now(now), &err);
        mail_end();
        league_close(&league);
    }
    str_release(&text);
    return rc ? command_fail(&err) : 0;
}
