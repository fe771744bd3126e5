#include "commands/commands.h"
#include "commands/queue.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/log.h"
#include "league/league.h"

static const char details[] =
    "Makes a league in DIR: league.ini with every option explained, secret keys, and folders for players, "
    "games and mail. DIR is a new folder, or one that holds no league yet.\n"
    "Until league.ini says otherwise, mail comes in through the Maildir mail/in and goes out to mail/out.\n";

static void say_what_next(const char *dir, const char *name, bool address_given)
{
    (void)printf("Made the league \"%s\" in %s:\n"
                 "  league.ini         its options, each with an explanation\n"
                 "  keys/league.pub    its public key: for players and moderators\n"
                 "  keys/secret/       its secret keys: keep a copy in a safe place, give them to nobody\n"
                 "  players/ games/    who plays, and what\n"
                 "  mail/in mail/out   where mail comes in and goes out, until league.ini says otherwise\n",
                 name, dir);
    if (!address_given)
        (void)printf("Its address is orders@localhost until you write another one into league.ini.\n");
    (void)printf(
        "\nNext:\n"
        "  turnpost doctor --league %s                                      what is missing, and how to mend "
        "it\n"
        "  turnpost invite --to alice@example.org --league %s               she answers \"ok\"\n"
        "  turnpost new gc-1 galaxy-command --seats alice,robot --league %s\n"
        "\nA witness makes the dice safe from you as well: somebody whom the players trust, on a host of "
        "their own\n(turnpost-witness(1); [witness] default in league.ini).\n",
        dir, dir, dir);
}

int command_init(int argc, char **argv)
{
    const char *name = "Turnpost";
    const char *address = NULL;
    struct err err = ERR_INIT;
    struct stat st;
    const struct flag flags[] = {
        {"name", FLAG_TEXT, &name, "NAME", "the league's name, shown in every mail (default: Turnpost)"},
        {"address", FLAG_TEXT, &address, "ADDRESS", "where players write to (default: orders@localhost)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if (queue_refuse(argv[1], &err) != 0 ||
        league_init(argv[1], name, address ? address : "orders@localhost", &err) != 0)
        return command_fail(&err);
    say_what_next(argv[1], name, address != NULL);
    if (stat(argv[1], &st) == 0 && st.st_mode & 077)
        log_warn("%s held other things, so it stays as it is: others may see which files the league has, not "
                 "what is "
                 "in them. If nobody else needs it: chmod 700 %s",
                 argv[1], argv[1]);
    return 0;
}
