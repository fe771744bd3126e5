/* `turnpost moderate` and `turnpost preview`: what moderators do by mail, done by the operator. The same
 * petitions are handled (petitions/petition.h), without a mail and a signature. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "commands/look.h"
#include "batch/batch.h"
#include "petitions/moderate.h"
#include "play/preview.h"
#include "mail/message.h"

#define LINES_MOST ((size_t)64 * 1024)

/* ---- moderate ---- */

static char *moderate_help(void)
{
    struct str text = STR_INIT;
    str_adds(&text,
             "Does what a moderator does by mail, in the operator's name: a record with the reason in the "
             "game's journal,\nand a mail to every player. GAME is \"any\" for what is about a player and no "
             "game. The actions:\n\n");
    for (const struct moderate_action *action = moderate_actions; action->word; action++)
        str_addf(&text, "  %-38s %s\n", action->form + strlen("do: "), action->help);
    str_adds(&text, "\nOrders, and further corrections, are read from --lines, one a line.\n");
    return str_detach(&text);
}

/* One line of a text, without line ends in it. */
static void add_line(struct str *text, const char *front, const char *value)
{
    str_adds(text, front);
    for (; *value; value++)
        str_add(text, *value == '\n' || *value == '\r' ? " " : value, 1);
    str_addc(text, '\n');
}

/* What the command line says. */
struct typed {
    char **argv;
    int argc;
    const char *reason, *lines; /* or NULL */
};

static int write_text(struct str *text, const struct typed *typed, struct err *err)
{
    struct str action = STR_INIT;
    int rc = 0;
    for (int i = 2; i < typed->argc; i++)
        str_addf(&action, "%s%s", i > 2 ? " " : "", typed->argv[i]);
    str_adds(text, "#turnpost moderate\n");
    add_line(text, "game: ", typed->argv[1]);
    add_line(text, "do: ", action.p);
    if (typed->reason)
        add_line(text, "reason: ", typed->reason);
    if (typed->lines) {
        rc = command_read(typed->lines, LINES_MOST, text, err);
        if (rc == 0 && text->p[text->len - 1] != '\n')
            str_addc(text, '\n');
    }
    str_adds(text, "#end\n");
    str_release(&action);
    return rc;
}

static int hear(struct batch *batch, struct slice text, struct err *err)
{
    struct frame frame;
    enum petition_fate fate;
    if (frame_receive(text, text, &frame, err))
        return -1;
    struct batch_game *entry = NULL;
    if (*frame.game && strcmp(frame.game, "any") != 0 && batch_game(batch, frame.game, &entry, err))
        return -1;
    struct hearing hearing = {
        .batch = batch, .player = OPERATOR, .frame = &frame, .exact = text, .canonical = text};
    int rc = petition_hear(&hearing, &fate, err);
    if (rc == 0 && fate != PETITION_HEARD)
        rc = hearing_quote(&hearing, err);
    hearing_release(&hearing);
    return rc;
}

static void say_done(const struct batch *batch, const char *what)
{
    struct err why = ERR_INIT;
    struct batch_game *entry;
    size_t mails = batch->mails.count;
    if (strcmp(what, "any") != 0 && batch_game((struct batch *)(uintptr_t)batch, what, &entry, &why) == 0)
        printf("%s: done (record %lld); the game is %s%s in turn %d. %zu mails leave with the next run.\n",
               what, (long long)entry->game.seq, entry->game.over ? "over" : "open",
               entry->game.clock.paused ? ", paused,"
               : entry->game.clock.held ? ", held,"
                                        : "",
               entry->game.turn, mails);
    else
        printf("Done. %zu mails leave with the next run.\n", mails);
}

static int moderate(struct league *league, const char *game, struct slice text, int64_t now, struct err *err)
{
    struct batch batch;
    if (batch_open(&batch, league, now, err))
        return -1;
    int rc = hear(&batch, text, err);
    if (rc == 0)
        rc = batch_commit(&batch, err);
    if (rc == 0 && batch.broken)
        rc = err_set(err, ERR_IO, "the game could not be written");
    if (rc == 0)
        say_done(&batch, game);
    if (rc == 0)
        rc = batch_rest(&batch, 0, err);
    batch_close(&batch);
    return rc;
}

int command_moderate(int argc, char **argv)
{
    const char *dir = NULL, *reason = NULL, *lines = NULL;
    int64_t now = 0;
    struct league league;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    const struct flag flags[] = {
        {"reason", FLAG_TEXT, &reason, "TEXT", "why; it goes to all players and into the journal"},
        {"lines", FLAG_TEXT, &lines, "FILE", "orders or corrections, one a line (- for standard input)"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    char *help = moderate_help();
    int code = flags_parse(&argc, argv, flags, 2, 20, help);
    free(help);
    if (code >= 0)
        return code;
    int rc = write_text(&text, &(struct typed){argv, argc, reason, lines}, &err);
    if (rc == 0)
        rc = league_open(flag_league(dir), true, &league, &err);
    if (rc == 0) {
        mail_begin();
        rc = moderate(&league, argv[1], slice_str(&text), flag_now(now), &err);
        mail_end();
        league_close(&league);
    }
    str_release(&text);
    return rc ? command_fail(&err) : 0;
}

/* ---- preview ---- */

static const char preview_details[] =
    "Shows what the open turn of a game would do with the orders received so far. Nothing is played,\n"
    "and the dice are not those that the turn will have. With --seat: as that seat's player may know\n"
    "it, that is, what their own orders would do.\n";

static int preview(const struct league *league, const char *id, int64_t seat, bool json, struct err *err)
{
    struct game game;
    json_t *facts = NULL;
    int rc = look_game(league, id, &game, err);
    if (rc)
        goto out;
    if (game.over || game.turn == 0) {
        rc = err_set(err, ERR_INPUT, "game %s %s; there is no turn to look at", id,
                     game.over ? "is over" : "has not begun");
        goto out;
    }
    if (seat < 0 || seat > game.seats || (seat && game.seat[seat].robot)) {
        rc = err_set(err, ERR_INPUT, "--seat takes a seat of a player of %s", id);
        goto out;
    }
    facts = preview_facts(&game, (int)seat);
    json_object_set_new(facts, "league", json_string(league->config.league.name));
    rc = look_show(league, &game, json ? NULL : "preview.txt", facts, err);
out:
    json_decref(facts);
    game_release(&game);
    return rc;
}

int command_preview(int argc, char **argv)
{
    const char *dir = NULL;
    bool json = false;
    int64_t seat = 0;
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {{"seat", FLAG_NUMBER, &seat, "N", "as this seat's player may know it"},
                                 {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
                                 {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, preview_details);
    if (code >= 0)
        return code;
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = preview(&league, argv[1], seat, json, &err);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
