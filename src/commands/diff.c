#include <stdio.h>

#include "base/json.h"
#include "commands/look.h"
#include "history/explain.h"

static const char details[] = "A and B are turns (5; 0 is the deal) or records (r70). To compare the states "
                              "after them, the game is played again from its records.\n"
                              "\n" LOOK_DETAILS;

int command_diff(int argc, char **argv)
{
    struct look_flags look_flags = {.as = NULL};
    struct explain_point from, to;
    struct look look;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        LOOK_FLAGS(look_flags), LOOK_TOLD(look_flags), {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    char joined[16];
    look_join(&argc, argv, joined);
    int code = flags_parse(&argc, argv, flags, 3, 3, details);
    if (code >= 0)
        return code;
    if (explain_point_read(argv[2], &from, &err) || explain_point_read(argv[3], &to, &err))
        return command_fail(&err);
    if ((code = look_open(argv[1], &look_flags, &look)) != 0)
        return code;
    json_t *facts = explain_difference(&look.file, &(struct explain_for){&look.reader, look_flags.told},
                                       &from, &to, &err);
    int rc = facts ? explain_words(facts, look.templates, "", false, &err) : -1;
    if (rc == 0)
        rc = look_print(look.templates, "", look_flags.json ? NULL : "diff.txt", facts, &err);
    json_decref(facts);
    look_close(&look);
    return rc ? command_fail(&err) : 0;
}
