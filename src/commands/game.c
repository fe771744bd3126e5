/* `turnpost game forget`; and `restore`, which needs more than a deed may do (game_restore.c). */
#include "commands/game.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "batch/missing.h"
#include "compete/results.h"

static const char details[] =
    "\t\tgame restore NAME [BACKUP]\tbring back a game that is gone or damaged, from the folder of a backup. "
    "Without BACKUP it goes on from its own journal as it is, such as an older one that was put back\n"
    "\t\tgame forget NAME\ta game whose folder is gone for good is no longer missed; its name stays taken\n"
    "\n"
    "restore audits the game first. What stood there is kept beside it (journal.jsonl.before). If the game "
    "has lost something, a record says so, and a mail tells its players. Stop the daemon before you restore. "
    "--now and --request are for forget.\n";

struct wishes {
    const char *name;
};

int game_forget(struct deed *deed, enum roster_kind kind, const char *name, struct err *err)
{
    struct batch *batch = deed->batch;
    const char *what = kind == ROSTER_GAME ? "game" : "competition";
    const char *dir = batch->league->dir;
    char time[CLOCK_TEXT];
    if (!name_valid(slice_of(name)) || roster_state(dir, kind, name) == ROSTER_NEW)
        return err_set(err, ERR_MISSING, "there was no %s \"%.40s\"", what, name);
    if (roster_there(dir, kind, name))
        return err_set(
            err, ERR_INPUT,
            "%s %s is there, and nothing was changed: only one that is gone can be forgotten; to take it "
            "away, move its folder out of the league first",
            what, name);
    if (roster_state(dir, kind, name) == ROSTER_FORGOTTEN)
        return err_set(err, ERR_INPUT, "%s %s was forgotten already", what, name);
    char *document = roster_document(kind, name);
    clock_utc(time, batch->now);
    /* Results begin anew, under the name that they always have. */
    json_t *own = kind == ROSTER_COMPETITION && strcmp(name, RESULTS_NAME) == 0
                      ? json_pack("{s:n}", document)
                      : json_pack("{s:{s:s}}", document, "forgotten", time);
    json_t *evidence = json_pack("{s:s}", "by", "operator");
    struct registry_change change = {.what = "forgotten", .own = own, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    if (rc == 0)
        rc = missing_forget(batch, kind, name, err);
    json_decref(own);
    json_decref(evidence);
    free(document);
    if (rc == 0)
        deed_say(deed, "%s %s is forgotten. Its name stays taken.\n",
                 kind == ROSTER_GAME ? "Game" : "Competition", name);
    return rc;
}

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    int code = deed_flags_alone(deed, &argc, argv, (const int[]){1, 3}, details);
    if (code >= 0)
        return code;
    if (strcmp(argv[1], "forget") != 0 || argc != 3) {
        log_error("usage: turnpost game forget NAME, or turnpost game restore NAME [BACKUP]");
        return EXIT_USAGE;
    }
    wishes->name = argv[2];
    return -1;
}

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    return game_forget(deed, ROSTER_GAME, wishes->name, err);
}

const struct deed_kind deed_game = {.name = "game", .size = sizeof(struct wishes), .read = read, .act = act};

int command_game(int argc, char **argv)
{
    return argc > 1 && strcmp(argv[1], "restore") == 0 ? game_restore(argc, argv, details)
                                                       : deed_run(&deed_game, argc, argv);
}
