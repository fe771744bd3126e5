/* The subcommands. One file per subcommand, one row in the table of main.c: name, function, arguments, help
 * line.
 *
 * A command gets its own arguments (argv[0] is its name), prints results on standard output and trouble on
 * standard error, and returns the exit code: 0 done, 1 input wrong or a check failed, 64 usage, 65 damaged
 * data, 66 no such thing, 74 file error, 75 something temporary, 78 configuration, 111 out of memory. */
#ifndef COMMANDS_COMMANDS_H
#define COMMANDS_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"

#define EXIT_USAGE 64

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *args; /* "NAME ADDRESS KEYFILE" */
    const char *help; /* one line */
};
extern const struct command commands[]; /* main.c; ends with name NULL */
/* The program's arguments: --help, --version, help COMMAND, or a row of the table. Returns the exit code. */
int commands_run(int argc, char **argv);

int command_announce(int argc, char **argv);
int command_audit(int argc, char **argv);
int command_backup(int argc, char **argv);
int command_clock(int argc, char **argv);
int command_compete(int argc, char **argv);
int command_daemon(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_draw(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_fairness(int argc, char **argv);
int command_game(int argc, char **argv);
int command_games(int argc, char **argv);
int command_invite(int argc, char **argv);
int command_init(int argc, char **argv);
int command_keygen(int argc, char **argv);
int command_log(int argc, char **argv);
int command_mail(int argc, char **argv);
int command_moderate(int argc, char **argv);
int command_new(int argc, char **argv);
int command_player(int argc, char **argv);
int command_preview(int argc, char **argv);
int command_publish(int argc, char **argv);
int command_ratings(int argc, char **argv);
int command_receipt_check(int argc, char **argv);
int command_restore(int argc, char **argv);
int command_run(int argc, char **argv);
int command_show(int argc, char **argv);
int command_sign(int argc, char **argv);
int command_simulate(int argc, char **argv);
int command_page(int argc, char **argv);
int command_site(int argc, char **argv);
int command_status(int argc, char **argv);
int command_store(int argc, char **argv);
int command_suspicion(int argc, char **argv);
int command_try(int argc, char **argv);
int command_verify(int argc, char **argv);
int command_witness(int argc, char **argv);

/* Options of one command: a table that parses, checks and prints its own help. */
enum flag_kind {
    FLAG_SWITCH /* bool */,
    FLAG_TEXT /* const char * */,
    FLAG_NUMBER /* int64_t */,
    FLAG_TIME /* int64_t, RFC 3339 */,
    FLAG_DURATION /* int64_t seconds */,
    FLAG_LIST /* struct flag_list: may be given several times */
};
#define FLAG_LIST_MAX 16
struct flag_list {
    const char *item[FLAG_LIST_MAX];
    int count;
};
struct flag {
    const char *name; /* "deadline" for --deadline; ends with NULL */
    enum flag_kind kind;
    void *value;
    const char *arg; /* "3d", for help; NULL for switches */
    const char *help;
};
/* Parses options anywhere among the arguments; what is left is moved to the front of argv (argv[0] stays) and
 * *argc is set. Handles --help (prints usage, the options and the exit codes), --quiet, --verbose. Returns -1
 * to continue, else the exit code to return at once. Checks that between `min` and `max` arguments are
 * left. `details` is what --help says between the command's line and its options, in the marks of report/textfmt.h: a
 * line is a paragraph, a row of a list begins with two TABs. */
int flags_parse(int *argc, char **argv, const struct flag *flags, int min, int max, const char *details);
/* The same for arguments that another process has checked so (commands/deed.h): this one's verbosity stays, and
 * nothing is printed. */
int flags_again(int *argc, char **argv, const struct flag *flags, int min, int max);
/* Was --verbose given? */
bool flag_verbose(void);
/* The common flags' defaults: --league DIR (else $TURNPOST_LEAGUE, else "."), --now TIME (else the system's
 * clock). */
const char *flag_league(const char *given);
int64_t flag_now(int64_t given);
/* With --quiet, what is printed on standard output is kept back, and shown only if something went wrong. What a command makes
 * there, and what would be lost, is written to command_made: an invitation's words, a signed text, a picture. */
FILE *command_made(void);
/* At the end of a process: brings standard output out, and returns the exit code, or 74 when it cannot be written. */
int commands_end(int code);
/* Prints "turnpost: <sentence>" on standard error and returns the exit code. */
int command_fail(const struct err *err);
/* The help of --league, which every command about a league has. */
#define FLAG_LEAGUE_HELP "the league's folder (default: $TURNPOST_LEAGUE, else the current folder)"
/* Of --request, which every command that changes one has. */
#define FLAG_REQUEST_HELP "repeat a command by the number that it printed; what it did is not done again"

/* Reads a file an argument names, or standard input for "-", at most `max` bytes. */
int command_read(const char *name, size_t max, struct str *out, struct err *err)
    __attribute__((warn_unused_result));

#endif
