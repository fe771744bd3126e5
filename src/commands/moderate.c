/* `turnpost moderate` and `turnpost preview`: what moderators do by mail, done by the operator. The same
 * petitions are handled (petitions/petition.h), without a mail and a signature. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "commands/deed.h"
#include "commands/look.h"
#include "commands/moderate.h"
#include "petitions/moderate.h"
#include "play/preview.h"
#include "report/render.h"

#define LINES_MOST ((size_t)64 * 1024)

/* ---- moderate ---- */

static char *moderate_help(void)
{
    struct str text = STR_INIT;
    struct err why = ERR_INIT;
    struct templates *templates;
    templates_open(NULL, &templates);
    str_adds(
        &text,
        "Does what moderators do by mail, in the operator's name. The game's journal gets a record with the "
        "reason, and every player a mail. GAME is \"any\" to ban or unban a player.\n\n");
    for (const struct moderate_action *action = moderate_actions; action->word; action++) {
        json_t *about = moderate_about(action);
        str_addf(&text, "\t\t%s\t", action->form + strlen("do: "));
        if (templates_piece(templates, &(struct template_name){"", "actions.txt"}, about, &text, &why))
            str_adds(&text, why.text);
        str_addc(&text, '\n');
        json_decref(about);
    }
    templates_close(templates);
    str_adds(&text, "\nLines of orders and further corrections come from --lines.\n");
    return str_detach(&text);
}

void moderate_line(struct str *text, const char *front, const char *value)
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

static void write_text(struct str *text, const struct typed *typed, struct slice lines)
{
    struct str action = STR_INIT;
    for (int i = 2; i < typed->argc; i++)
        str_addf(&action, "%s%s", i > 2 ? " " : "", typed->argv[i]);
    str_adds(text, "#turnpost moderate\n");
    moderate_line(text, "game: ", typed->argv[1]);
    moderate_line(text, "do: ", action.p);
    if (typed->reason)
        moderate_line(text, "reason: ", typed->reason);
    str_addslice(text, lines);
    if (text->p[text->len - 1] != '\n')
        str_addc(text, '\n');
    str_adds(text, "#end\n");
    str_release(&action);
}

int moderate_hear(struct batch *batch, struct slice text, struct err *err)
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

static void say(struct deed *deed)
{
    struct err why = ERR_INIT;
    struct batch_game *entry;
    size_t mails = deed->batch->mails.count;
    if (*deed->game && batch_game(deed->batch, deed->game, &entry, &why) == 0)
        deed_say(deed, "%s: done (record %lld); the game is %s%s in turn %d. %zu mail%s to be sent.\n",
                 deed->game, (long long)entry->game.seq, entry->game.over ? "over" : "open",
                 entry->game.clock.paused ? ", paused,"
                 : entry->game.clock.held ? ", held,"
                                          : "",
                 entry->game.turn, mails, PLURAL(mails));
    else
        deed_say(deed, "Done; %zu mail%s to be sent.\n", mails, PLURAL(mails));
}

static int read(struct deed *deed, int argc, char **argv)
{
    struct typed *typed = deed->wishes;
    const struct flag flags[] = {
        {"reason", FLAG_TEXT, &typed->reason, "TEXT",
         "why (required); it goes to all players and into the journal"},
        {"lines", FLAG_TEXT, &typed->lines, "FILE",
         "orders or corrections, one a line (- for standard input)"},
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    char *help = moderate_help();
    int code = deed_flags(deed, &argc, argv, flags, (const int[]){2, 20}, help);
    free(help);
    if (code >= 0)
        return code;
    typed->argc = argc;
    typed->argv = argv;
    deed->file = typed->lines;
    deed->most = LINES_MOST;
    if (strcmp(argv[1], "any") != 0)
        deed_about(deed, slice_of(argv[1]));
    return -1;
}

static int act(struct deed *deed, struct err *err)
{
    struct str text = STR_INIT;
    write_text(&text, deed->wishes, slice_str(&deed->text));
    int rc = moderate_hear(deed->batch, slice_str(&text), err);
    str_release(&text);
    return rc;
}

const struct deed_kind deed_moderate = {
    .name = "moderate", .size = sizeof(struct typed), .read = read, .act = act, .say = say};

int command_moderate(int argc, char **argv)
{
    return deed_run(&deed_moderate, argc, argv);
}

/* ---- preview ---- */

static const char preview_details[] =
    "Nothing is played, and the dice are not those that the turn will have. With --seat it shows what that "
    "seat's own orders would do, as its player may know it.\n";

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
