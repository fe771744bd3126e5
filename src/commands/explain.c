#include "history/explain.h"

#include <stdio.h>

#include "base/file.h"
#include "base/json.h"
#include "commands/look.h"

static const char details[] =
    "TURN is by default the last one; 0 is the deal. Each event comes with the order line that caused it, "
    "its record, its dice, the section of the rules, and what it changed. Then come the draws and how to "
    "check them. EVENT picks one event by its number in the story.\n"
    "If a turn was taken back and played again, the play that holds is told. For another one, TURN is the "
    "record that played it (r40).\n"
    "The game is played again from its records. A damaged journal is not explained (exit code 65).\n"
    "\n" LOOK_DETAILS;

/* TURN, or the record that played it, and EVENT. */
static int read_numbers(int argc, char **argv, struct explain_point *turn, int *event, struct err *err)
{
    struct explain_point number = {false, 0};
    if (argc > 2 && explain_point_read(argv[2], turn, err))
        return -1;
    if (argc > 3 && (explain_point_read(argv[3], &number, err) || number.record || !number.number))
        return err_set(err, ERR_INPUT, "EVENT is the number of an event in the story, not \"%s\"", argv[3]);
    *event = (int)number.number;
    return 0;
}

/* The page: even where JSON or text is printed, so that one run gives both. */
static int write_page(const struct look *look, const char *folder, const json_t *facts, const char *path,
                      struct err *err)
{
    struct str page = STR_INIT;
    int rc =
        templates_render(look->templates, &(struct template_name){folder, "explain.html"}, facts, &page, err);
    if (rc == 0)
        rc = file_write_soft(path, slice_str(&page), 0644, err);
    if (rc == 0)
        (void)printf("Wrote %s\n", path);
    str_release(&page);
    return rc;
}

int command_explain(int argc, char **argv)
{
    struct look_flags look_flags = {.as = NULL};
    const char *html = NULL;
    struct explain_point turn = {false, EXPLAIN_LAST};
    int event = 0;
    struct look look;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        LOOK_FLAGS(look_flags),
        LOOK_TOLD(look_flags),
        {"html", FLAG_TEXT, &html, "FILE", "write one HTML page with everything in it, to be forwarded"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    char joined[16];
    look_join(&argc, argv, joined);
    int code = flags_parse(&argc, argv, flags, 1, 3, details);
    if (code >= 0)
        return code;
    if (read_numbers(argc, argv, &turn, &event, &err))
        return command_fail(&err);
    if ((code = look_open(argv[1], &look_flags, &look)) != 0)
        return code;
    json_t *facts =
        explain_turn(&look.file, &(struct explain_for){&look.reader, look_flags.told}, &turn, event, &err);
    const char *folder = facts ? json_string_value(json_object_get(facts, "folder")) : NULL;
    int rc = facts ? 0 : -1;
    if (rc == 0)
        rc = explain_words(facts, look.templates, folder ? folder : "", html != NULL, &err);
    if (rc == 0 && html)
        rc = write_page(&look, folder ? folder : "", facts, html, &err);
    else if (rc == 0)
        rc = look_print(look.templates, folder ? folder : "", look_flags.json ? NULL : "explain.txt", facts,
                        &err);
    json_decref(facts);
    look_close(&look);
    return rc ? command_fail(&err) : 0;
}
