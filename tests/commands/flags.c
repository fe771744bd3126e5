#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "commands/commands.h"

static int last_argc;
static char last_argv1[64];

static int command_probe(int argc, char **argv)
{
    last_argc = argc;
    (void)snprintf(last_argv1, sizeof last_argv1, "%s", argc > 1 ? argv[1] : "");
    return 7;
}

/* The program's table is in main.c, which is no part of the tests. */
const struct command commands[] = {
    {"probe", command_probe, "NAME [OTHER]", "try the options"},
    {"other", command_probe, "", "another one"},
    {NULL, NULL, NULL, NULL},
};

static bool html;
static const char *text;
static int64_t number, when, length;
static struct flag_list list;
static const struct flag flags[] = {
    {"html", FLAG_SWITCH, &html, NULL, "wants HTML"},
    {"text", FLAG_TEXT, &text, "WORD", "a word"},
    {"number", FLAG_NUMBER, &number, "N", "a number"},
    {"when", FLAG_TIME, &when, "TIME", "a time"},
    {"length", FLAG_DURATION, &length, "3d", "a duration"},
    {"item", FLAG_LIST, &list, "ITEM", "may be given several times"},
    {NULL, FLAG_SWITCH, NULL, NULL, NULL},
};

#define ARGS_MAX 40
static char *args[ARGS_MAX + 1];
static int args_count;
static struct str said = STR_INIT;

static void setup(void)
{
    html = false;
    text = NULL;
    number = when = length = 0;
    list = (struct flag_list){.count = 0};
}

/* Splits a line at spaces into argv; quotes are not known. */
static void split(const char *line)
{
    static char copy[1024];
    struct slice rest = slice_of(line);
    struct slice word;
    char *out = copy;
    args_count = 0;
    while (slice_word(&rest, &word)) {
        memcpy(out, word.p, word.len);
        out[word.len] = '\0';
        args[args_count++] = out;
        out += word.len + 1;
    }
    args[args_count] = NULL;
}

/* Runs with one of the standard streams caught in `said`. */
static int catch (int fd, int (*run)(void))
{
    FILE *file = tmpfile();
    struct err err = ERR_INIT;
    (void)fflush(NULL);
    int saved = dup(fd);
    ck_assert_int_ge(dup2(fileno(file), fd), 0);
    int code = run();
    (void)fflush(NULL);
    ck_assert_int_ge(dup2(saved, fd), 0);
    close(saved);
    ck_assert_int_eq((int)lseek(fileno(file), 0, SEEK_SET), 0);
    str_clear(&said);
    ck_ok(file_read_fd(fileno(file), 1 << 16, &said, &err), err);
    (void)fclose(file);
    return code;
}

static int parse_now(void)
{
    return flags_parse(&args_count, args, flags, 1, 2,
                       "More about it.\n\n\t\tprobe WORD\ta row of a list that is too long for a line of "
                       "eighty columns, and so goes on below its words\n");
}

static int parse(const char *line)
{
    split(line);
    return catch (STDERR_FILENO, parse_now);
}

static int all_now(void)
{
    return commands_run(args_count, args);
}

START_TEST(options_stand_anywhere)
{
    ck_assert_int_eq(
        parse("probe --text one a --number=-5 b --html --when 2026-11-20T08:00:00Z --length=1d12h"), -1);
    ck_assert_int_eq(args_count, 3);
    ck_assert_str_eq(args[0], "probe");
    ck_assert_str_eq(args[1], "a");
    ck_assert_str_eq(args[2], "b");
    ck_assert_ptr_null(args[3]);
    ck_assert(html);
    ck_assert_str_eq(text, "one");
    ck_assert_int_eq(number, -5);
    ck_assert_int_eq(when, 1795161600);
    ck_assert_int_eq(length, 129600);
    ck_assert_str_eq(said.p, "");
}
END_TEST

START_TEST(a_dash_and_what_follows_two_are_arguments)
{
    ck_assert_int_eq(parse("probe - -- --html"), -1);
    ck_assert_int_eq(args_count, 3);
    ck_assert_str_eq(args[1], "-");
    ck_assert_str_eq(args[2], "--html");
    ck_assert(!html);
    ck_assert_int_eq(parse("probe --text --html a"), -1);
    ck_assert_str_eq(text, "--html");
    ck_assert_int_eq(parse("probe --text= a"), -1);
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(lists_collect)
{
    ck_assert_int_eq(parse("probe a --item x --item=y"), -1);
    ck_assert_int_eq(list.count, 2);
    ck_assert_str_eq(list.item[0], "x");
    ck_assert_str_eq(list.item[1], "y");
    list.count = FLAG_LIST_MAX;
    ck_assert_int_eq(parse("probe a --item x"), EXIT_USAGE);
    ck_assert_ptr_nonnull(strstr(said.p, "--item must be given fewer times"));
}
END_TEST

START_TEST(wrong_use_is_told)
{
    static const struct {
        const char *line, *words;
    } cases_[] = {
        {"probe", "something is missing; usage: \"NAME [OTHER]\""},
        {"probe a b c", "too many arguments: \"c\""},
        {"probe a --hmtl", "there is no option --hmtl; did you mean --html?"},
        {"probe a --zzzzzz", "there is no option --zzzzzz (turnpost help probe)"},
        {"probe a --verbos", "did you mean --verbose?"},
        {"probe a --html=yes", "--html takes no value"},
        {"probe a --text", "--text needs WORD"},
        {"probe a --number x", "--number must be a whole number"},
        {"probe a --number 5x", "--number must be a whole number"},
        {"probe a --number=", "--number must be a whole number"},
        {"probe a --number +5", "--number must be a whole number"},
        {"probe a --number 9999999999999999999", "--number must be a whole number"},
        {"probe a --when now", "--when must be a time such as"},
        {"probe a --length 3", "--length must be a duration such as"},
        {"probe a -x", "there is no option \"-x\""},
    };
    for (size_t i = 0; i < sizeof cases_ / sizeof *cases_; i++) {
        ck_assert_msg(parse(cases_[i].line) == EXIT_USAGE, "%s", cases_[i].line);
        ck_assert_msg(strstr(said.p, cases_[i].words), "\"%s\" says \"%s\"", cases_[i].line, said.p);
    }
}
END_TEST

START_TEST(help_is_printed_for_one_command)
{
    split("probe --help");
    ck_assert_int_eq(catch (STDOUT_FILENO, parse_now), 0);
    ck_assert(str_starts(
        said.p, "usage: turnpost probe NAME [OTHER] [OPTIONS]\n\nTry the options.\n\nMore about it.\n"));
    for (const struct flag *flag = flags; flag->name; flag++) {
        struct str row = STR_INIT;
        str_addf(&row, "  --%s", flag->name);
        ck_assert_msg(strstr(said.p, row.p) && strstr(said.p, flag->help), "help lacks --%s", flag->name);
        str_release(&row);
    }
    ck_assert_ptr_nonnull(strstr(said.p, "Exit codes:"));
    /* Lists and paragraphs are folded, rows of lists below their words. */
    ck_assert_ptr_nonnull(
        strstr(said.p, "\n  probe WORD  a row of a list that is too long for a line of eighty columns, and\n"
                       "              so goes on below its words\n"));
    split("probe a --html -h");
    ck_assert_int_eq(catch (STDOUT_FILENO, parse_now), 0);
}
END_TEST

START_TEST(the_program_finds_its_commands)
{
    split("turnpost probe x --y");
    ck_assert_int_eq(catch (STDERR_FILENO, all_now), 7);
    ck_assert_int_eq(last_argc, 3);
    ck_assert_str_eq(last_argv1, "x");
    split("turnpost help probe");
    ck_assert_int_eq(catch (STDERR_FILENO, all_now), 7);
    ck_assert_str_eq(last_argv1, "--help");
    split("turnpost --version");
    ck_assert_int_eq(catch (STDOUT_FILENO, all_now), 0);
    ck_assert(str_starts(said.p, "turnpost " TURNPOST_VERSION "\n"));
    split("turnpost --help");
    ck_assert_int_eq(catch (STDOUT_FILENO, all_now), 0);
    ck_assert(strstr(said.p, "  probe  try the options\n  other  another one\n"));
    split("turnpost");
    ck_assert_int_eq(catch (STDERR_FILENO, all_now), EXIT_USAGE);
    split("turnpost prob");
    ck_assert_int_eq(catch (STDERR_FILENO, all_now), EXIT_USAGE);
    ck_assert_ptr_nonnull(strstr(said.p, "did you mean probe?"));
    split("turnpost help zzzzz");
    ck_assert_int_eq(catch (STDERR_FILENO, all_now), EXIT_USAGE);
    ck_assert_ptr_nonnull(strstr(said.p, "no command \"zzzzz\""));
}
END_TEST

START_TEST(common_flags_have_defaults)
{
    ck_assert_int_eq(unsetenv("TURNPOST_LEAGUE"), 0);
    ck_assert_str_eq(flag_league(NULL), ".");
    ck_assert_int_eq(setenv("TURNPOST_LEAGUE", "/srv/orion", 1), 0);
    ck_assert_str_eq(flag_league(NULL), "/srv/orion");
    ck_assert_str_eq(flag_league("here"), "here");
    ck_assert_int_eq(flag_now(5), 5);
    int64_t now = clock_system();
    ck_assert_int_le(now, flag_now(0));
    ck_assert_int_ge(now + 5, flag_now(0));
}
END_TEST

static int fail_now(void)
{
    struct err err = ERR_INIT;
    err_set(&err, ERR_CONFIG, "keys are open to \x1b[31mothers");
    return command_fail(&err);
}

START_TEST(failures_print_one_safe_line)
{
    ck_assert_int_eq(catch (STDERR_FILENO, fail_now), 78);
    ck_assert(str_starts(said.p, "2")); /* it is written to a file, so the time comes first */
    ck_assert(str_starts(said.p + strlen("2026-11-20T08:00:00Z "), "turnpost: keys are open to "));
    ck_assert_ptr_null(strchr(said.p, '\x1b'));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, options_stand_anywhere);
    tcase_add_test(tc, a_dash_and_what_follows_two_are_arguments);
    tcase_add_test(tc, lists_collect);
    tcase_add_test(tc, wrong_use_is_told);
    tcase_add_test(tc, help_is_printed_for_one_command);
    tcase_add_test(tc, the_program_finds_its_commands);
    tcase_add_test(tc, common_flags_have_defaults);
    tcase_add_test(tc, failures_print_one_safe_line);
}
TEST_MAIN("commands/flags", cases)
