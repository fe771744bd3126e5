#include "commands/commands.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/version.h"
#include "base/nearest.h"
#include "report/textfmt.h"

#define HELP_WIDTH 80

/* ---- the table of commands ---- */

static const struct command *find_command(const char *name)
{
    for (const struct command *command = commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}

/* Lays a help text out (report/textfmt.h) and prints it. */
static void print_text(FILE *out, struct str *text)
{
    struct str lines = STR_INIT;
    textfmt(&lines, slice_str(text), HELP_WIDTH);
    (void)fwrite(lines.p, 1, lines.len, out);
    str_release(&lines);
    str_release(text);
}

static void print_commands(FILE *out)
{
    struct str text = STR_INIT;
    str_adds(&text,
             "Turnpost plays board games by mail: it sends reports, reads the players' answers, and plays "
             "the turns.\n\nusage: turnpost COMMAND [ARGUMENTS] [OPTIONS]\n\n");
    for (const struct command *command = commands; command->name; command++)
        str_addf(&text, "\t\t%s\t%s\n", command->name, command->help);
    str_adds(&text, "\nMore: turnpost help COMMAND (or COMMAND --help), and man turnpost.\n");
    print_text(out, &text);
}

static int unknown_command(const char *name)
{
    struct nearest search = NEAREST_INIT(name);
    for (const struct command *command = commands; command->name; command++)
        nearest_offer(&search, command->name);
    if (search.best)
        log_error("there is no command \"%s\"; did you mean %s?", name, search.best);
    else
        log_error("there is no command \"%s\"; turnpost --help lists them", name);
    return EXIT_USAGE;
}

int commands_run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    char help[] = "--help";
    char *help_argv[] = {argc > 2 ? argv[2] : help, help, NULL};
    if (!*name) {
        print_commands(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(name, "--version") == 0) {
        (void)printf(
            "turnpost %s\nFree software: GNU General Public License, version 3 or later. No warranty.\n",
            version_text());
        return 0;
    }
    bool for_help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (for_help && argc == 2) {
        print_commands(stdout);
        return 0;
    }
    const struct command *command = find_command(for_help ? argv[2] : name);
    if (!command)
        return unknown_command(for_help ? argv[2] : name);
    return for_help ? command->run(2, help_argv) : command->run(argc - 1, argv + 1);
}

/* ---- standard output ---- */

/* Of this process, like stdout itself. */
static struct {
    FILE *out; /* where it goes; NULL = nothing is kept back */
    char *text;
    size_t len;
} kept;

static void keep_back(void)
{
    FILE *memory = kept.out ? NULL : open_memstream(&kept.text, &kept.len);
    if (!memory)
        return;
    kept.out = stdout;
    stdout = memory;
}

FILE *command_made(void)
{
    return kept.out ? kept.out : stdout;
}

/* A pipe that was closed early (`| head`) is no news; a full disk is. */
int commands_end(int code)
{
    if (kept.out) {
        (void)fclose(stdout);
        stdout = kept.out;
        kept.out = NULL;
        if (code)
            (void)fwrite(kept.text, 1, kept.len, stdout);
        free(kept.text);
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno != EPIPE)
        log_error("cannot write to standard output: %s", strerror(errno));
    return code ? code : 74;
}

int command_fail(const struct err *err)
{
    log_progress_end();
    log_error("%s", err->text);
    return err_exit_code(err);
}

int command_read(const char *name, size_t max, struct str *out, struct err *err)
{
    if (strcmp(name, "-") != 0)
        return file_read_named(name, max, out, err);
    return file_read_fd(STDIN_FILENO, max, out, err) == 0 ? 0 : err_prefix(err, "standard input");
}

const char *flag_league(const char *given)
{
    const char *set = getenv("TURNPOST_LEAGUE");
    return given ? given : set && *set ? set : ".";
}

int64_t flag_now(int64_t given)
{
    return given ? given : clock_system();
}

/* ---- the help of one command ---- */

static void add_flag(struct str *text, const char *name, const char *arg, const char *help)
{
    str_addf(text, "\t\t--%s%s%s\t%s\n", name, arg ? " " : "", arg ? arg : "", help);
}

static void print_help(const char *name, const struct flag *flags, const char *details)
{
    const struct command *command = find_command(name);
    struct str text = STR_INIT;
    str_addf(&text, "usage: turnpost %s%s%s [OPTIONS]\n\n", name, command && *command->args ? " " : "",
             command ? command->args : "");
    if (command)
        str_addf(&text, "%c%s.\n", toupper((unsigned char)command->help[0]), command->help + 1);
    if (details)
        str_addf(&text, "\n%s", details);
    str_adds(&text, "\nOptions:\n");
    for (; flags->name; flags++)
        add_flag(&text, flags->name, flags->arg, flags->help);
    add_flag(&text, "quiet", NULL, "print nothing unless something goes wrong");
    add_flag(&text, "verbose", NULL, "print more; given twice: everything");
    add_flag(&text, "help", NULL, "print this text");
    str_adds(&text,
             "\nExit codes: 0 done; 1 wrong input, or a check failed; 64 wrong use; 65 damaged data; 66 "
             "not found; 74 file error; 75 temporary, try again; 78 configuration; 111 out of memory.\n");
    print_text(stdout, &text);
}

/* ---- parsing ---- */

static int wrong_use(const char *command, const char *problem, const char *what)
{
    log_error("%s: %s%s%s%s (turnpost help %s)", command, problem, what ? " \"" : "", what ? what : "",
              what ? "\"" : "", command);
    return EXIT_USAGE;
}

static int unknown_flag(const char *command, const char *name, const struct flag *flags)
{
    static const char *const common[] = {"help", "quiet", "verbose"};
    struct nearest search = NEAREST_INIT(name);
    for (const struct flag *flag = flags; flag->name; flag++)
        nearest_offer(&search, flag->name);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        nearest_offer(&search, common[i]);
    if (search.best)
        log_error("%s: there is no option --%s; did you mean --%s? (turnpost help %s)", command, name,
                  search.best, command);
    else
        log_error("%s: there is no option --%s (turnpost help %s)", command, name, command);
    return EXIT_USAGE;
}

static bool parse_number(const char *text, int64_t *number)
{
    char *end = NULL;
    bool digits = text[*text == '-'] >= '0' && text[*text == '-'] <= '9';
    if (!digits || strlen(text) > 18)
        return false;
    *number = strtoll(text, &end, 10);
    return *end == '\0';
}

static bool add_item(struct flag_list *list, const char *text)
{
    if (list->count == FLAG_LIST_MAX)
        return false;
    list->item[list->count++] = text;
    return true;
}

/* False when the text is not a value of that kind; *expected says what would be. */
static bool set_flag(const struct flag *flag, const char *text, const char **expected)
{
    *expected = "";
    switch (flag->kind) {
    case FLAG_SWITCH: *(bool *)flag->value = true; return true;
    case FLAG_TEXT: *(const char **)flag->value = text; return true;
    case FLAG_NUMBER: *expected = "a whole number"; return parse_number(text, flag->value);
    case FLAG_TIME:
        *expected = "a time such as 2026-11-20T08:00:00Z";
        return clock_parse(slice_of(text), flag->value);
    case FLAG_DURATION:
        *expected = "a duration such as 90m, 12h or 3d";
        return duration_parse(slice_of(text), flag->value);
    case FLAG_LIST: *expected = "given fewer times"; return add_item(flag->value, text);
    }
    return false;
}

static const struct flag *find_flag(const struct flag *flags, struct slice name)
{
    for (; flags->name; flags++)
        if (slice_eq(name, flags->name))
            return flags;
    return NULL;
}

static int usage_value(const char *command, const struct flag *flag, const char *problem, const char *what)
{
    log_error("%s: --%s %s%s (turnpost help %s)", command, flag->name, problem, what, command);
    return EXIT_USAGE;
}

/* One option at argv[*at], `text` without its dashes; advances *at over a value of its own. -1 = go on. */
static int take_flag(int argc, char **argv, int *at, const char *text, const struct flag *flags)
{
    const char *equals = strchr(text, '=');
    struct slice name = {text, equals ? (size_t)(equals - text) : strlen(text)};
    const struct flag *flag = find_flag(flags, name);
    const char *value = equals ? equals + 1 : NULL;
    const char *expected;
    if (!flag) {
        char *copy = slice_dup(name);
        int code = unknown_flag(argv[0], copy, flags);
        free(copy);
        return code;
    }
    if (flag->kind == FLAG_SWITCH && equals)
        return usage_value(argv[0], flag, "takes no value", "");
    if (flag->kind != FLAG_SWITCH && !value && *at + 1 < argc)
        value = argv[++*at];
    if (flag->kind != FLAG_SWITCH && !value)
        return usage_value(argv[0], flag, "needs ", flag->arg ? flag->arg : "a value");
    return set_flag(flag, value, &expected) ? -1 : usage_value(argv[0], flag, "must be ", expected);
}

/* -h, --help, -q, --quiet, -v, --verbose. */
static bool take_common(const char *text, bool *help, int *level)
{
    if (strcmp(text, "-h") == 0 || strcmp(text, "--help") == 0)
        *help = true;
    else if (strcmp(text, "-q") == 0 || strcmp(text, "--quiet") == 0)
        *level = LOG_QUIET;
    else if (strcmp(text, "-v") == 0 || strcmp(text, "--verbose") == 0)
        *level = *level < LOG_INFO ? LOG_INFO : LOG_DEBUG;
    else
        return false;
    return true;
}

/* Takes the options out of the arguments. -1 = go on. */
static int take_flags(int *argc, char **argv, const struct flag *flags, bool *help, int *level)
{
    int left = 1;
    bool only_arguments = false;
    for (int at = 1; at < *argc; at++) {
        char *text = argv[at];
        if (only_arguments || text[0] != '-' || !text[1] ||
            isdigit((unsigned char)text[1])) { /* -1 is a number */
            argv[left++] = text;
        } else if (strcmp(text, "--") == 0) {
            only_arguments = true;
        } else if (take_common(text, help, level)) {
            continue;
        } else if (strcmp(text, "-o") == 0 && find_flag(flags, slice_of("output"))) {
            int code = take_flag(*argc, argv, &at, "output", flags);
            if (code >= 0)
                return code;
        } else if (text[1] != '-') {
            return wrong_use(argv[0], "there is no option", text);
        } else {
            int code = take_flag(*argc, argv, &at, text + 2, flags);
            if (code >= 0)
                return code;
        }
    }
    *argc = left;
    argv[left] = NULL;
    return -1;
}

/* Of this process, like its log's level. */
static bool verbose;

bool flag_verbose(void)
{
    return verbose;
}

int flags_parse(int *argc, char **argv, const struct flag *flags, int min, int max, const char *details)
{
    bool help = false;
    int level = LOG_WARN;
    int code = take_flags(argc, argv, flags, &help, &level);
    if (code >= 0)
        return code;
    if (help) {
        print_help(argv[0], flags, details);
        return 0;
    }
    log_set_level((enum log_level)level);
    verbose = level > LOG_WARN;
    if (level == LOG_QUIET)
        keep_back();
    if (*argc - 1 < min)
        return wrong_use(argv[0], "something is missing; usage:",
                         find_command(argv[0]) ? find_command(argv[0])->args : NULL);
    if (*argc - 1 > max)
        return wrong_use(argv[0], "too many arguments:", argv[max + 1]);
    return -1;
}

int flags_again(int *argc, char **argv, const struct flag *flags, int min, int max)
{
    bool help = false;
    int level = LOG_WARN;
    int code = take_flags(argc, argv, flags, &help, &level);
    if (code >= 0)
        return code;
    return help || *argc - 1 < min || *argc - 1 > max ? EXIT_USAGE : -1;
}
