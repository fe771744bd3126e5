#include <signal.h>
#include <sodium.h>

#include "base/log.h"
#include "base/version.h"
#include "commands/commands.h"

/* Made by the Makefile, so that a new commit compiles one file. */
extern const char turnpost_commit[];

const struct command commands[] = {
    {"init", command_init, "DIR", "make a league: folders, keys and league.ini"},
    {"player", command_player, "add|list|show|key|address|remove|restore ...",
     "enter, list and change players: addresses and keys"},
    {"invite", command_invite, "", "invite new players by mail"},
    {"new", command_new, "GAME RULESET", "make a game of players and robots"},
    {"compete", command_compete, "ACTION ...", "run competitions: draw rounds, make games, keep tables"},
    {"run", command_run, "", "do one batch of work and exit (for cron or a timer)"},
    {"daemon", command_daemon, "", "stay and do the work: wait for mail, play turns, send reports"},
    {"game", command_game, "forget|restore NAME ...",
     "bring back a game that is gone or damaged, or forget it"},
    {"games", command_games, "", "list the games: turn, deadline, who is still to answer"},
    {"ratings", command_ratings, "[RULESET]", "list the players by their ratings"},
    {"show", command_show, "GAME", "show a game as everyone or one seat sees it"},
    {"moderate", command_moderate, "GAME ACTION ...",
     "pause a game, extend, roll back, replace, ban and more"},
    {"announce", command_announce, "FILE|-", "write to all players, or to those of a game or a competition"},
    {"preview", command_preview, "GAME", "show what the open turn would do with the orders so far"},
    {"audit", command_audit, "[GAME|DIR|FILE ...]", "prove games from their files alone, record by record"},
    {"fairness", command_fairness, "[GAME|DIR|FILE ...]", "test whether dice and shuffles look like chance"},
    {"draw", command_draw, "GAME", "draw a game's board as a picture"},
    {"explain", command_explain, "GAME [TURN [EVENT]]", "tell a turn as a story, with the evidence"},
    {"diff", command_diff, "GAME A B", "show what changed between two turns or records"},
    {"log", command_log, "GAME", "print a game's journal in plain words"},
    {"publish", command_publish, "GAME", "write all that anyone needs to check a game"},
    {"page", command_page, "DIR", "write the page on which players sign in their browsers"},
    {"site", command_site, "[DIR]", "write the league's own site: static pages for a web server"},
    {"receipt-check", command_receipt_check, "FILE...", "compare your mails with a published journal"},
    {"suspicion", command_suspicion, "[GAME]", "show signs that two players are one, or play for each other"},
    {"status", command_status, "[PLAYER]", "show deadlines, mails and problems; for monitoring"},
    {"mail", command_mail, "[list|retry [WHAT]|again]",
     "show what became of mails, and try failed ones again"},
    {"backup", command_backup, "DIR", "copy a league, even while it is at work"},
    {"restore", command_restore, "BACKUP DIR", "check a backup and make a league from it"},
    {"store", command_store, "status|copy|accept|intact|agree",
     "let several hosts serve a league from PostgreSQL"},
    {"clock", command_clock, "", "show or confirm whether the host's clock is right"},
    {"doctor", command_doctor, "", "check a league: keys, options, mail servers, spool"},
    {"try", command_try, "RULESET STATE.json", "play one turn of a ruleset on a state"},
    {"simulate", command_simulate, "[RULESET]", "let robots play many games"},
    {"keygen", command_keygen, "FILE", "make a key pair to sign orders with"},
    {"sign", command_sign, "FILE|-", "sign orders and other texts"},
    {"verify", command_verify, "FILE|-", "check a saved mail, signed orders, or a record in a mail"},
    {"witness", command_witness, "", "mix dice of your own into another league's games"},
    {NULL, NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    if (sodium_init() < 0) {
        log_error("libsodium cannot start");
        return 70;
    }
    version_commit(turnpost_commit);
    (void)signal(SIGPIPE, SIG_IGN); /* a connection that breaks is an error value */
    return commands_end(commands_run(argc, argv));
}
