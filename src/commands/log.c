#include <stdio.h>

#include "base/json.h"
#include "base/log.h"
#include "commands/look.h"
#include "history/chronicle.h"

static const char details[] =
    "Prints one short paragraph a record: who did what, and when. Each record is checked to follow the one "
    "before it and to be signed by the league. The first one that fails ends the log (exit code 65).\n"
    "\n" LOOK_DETAILS;

/* Whose templates have the words. */
static const char *folder_of(const struct chronicle *chronicle)
{
    return chronicle->ruleset ? chronicle->ruleset->folder : "";
}

/* Records are printed one by one, so that a journal may be as long as it likes. */
static int print_records(struct look *look, struct chronicle *chronicle, struct err *err)
{
    struct record record;
    int got;
    while ((got = casefile_next(&look->file, &record, NULL, err)) > 0) {
        json_t *facts = chronicle_take(chronicle, &record);
        record_release(&record);
        int rc = look_print(look->templates, folder_of(chronicle), "log_record.txt", facts, err);
        json_decref(facts);
        if (rc)
            return -1;
    }
    return got;
}

static int print_json(struct look *look, struct chronicle *chronicle, struct err *err)
{
    json_t *records = json_array();
    struct record record;
    int got;
    while ((got = casefile_next(&look->file, &record, NULL, err)) > 0) {
        json_array_append_new(records, chronicle_take(chronicle, &record));
        record_release(&record);
    }
    json_t *facts = chronicle_heading(chronicle);
    json_object_set_new(facts, "records", records);
    if (got == 0)
        got = look_print(look->templates, folder_of(chronicle), NULL, facts, err);
    json_decref(facts);
    return got;
}

/* The first record and who has which seat at first, for the heading. */
static int print_heading(struct look *look, struct err *err)
{
    struct chronicle chronicle;
    struct record record;
    chronicle_init(&chronicle, &look->file, &look->reader);
    while (casefile_next(&look->file, &record, NULL, err) > 0) {
        json_decref(chronicle_take(&chronicle, &record));
        record_release(&record);
    }
    err_clear(err); /* damage is reported when its turn comes */
    json_t *facts = chronicle_heading(&chronicle);
    int rc = look_print(look->templates, folder_of(&chronicle), "log.txt", facts, err);
    json_decref(facts);
    casefile_rewind(&look->file);
    return rc;
}

int command_log(int argc, char **argv)
{
    struct look_flags look_flags = {.as = NULL};
    struct look look;
    struct chronicle chronicle;
    struct err err = ERR_INIT;
    const struct flag flags[] = {LOOK_FLAGS(look_flags), {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    char joined[16];
    look_join(&argc, argv, joined);
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if ((code = look_open(argv[1], &look_flags, &look)) != 0)
        return code;
    chronicle_init(&chronicle, &look.file, &look.reader);
    int rc = look_flags.json ? print_json(&look, &chronicle, &err) : print_heading(&look, &err);
    if (rc == 0 && !look_flags.json)
        rc = print_records(&look, &chronicle, &err);
    look_close(&look);
    return rc ? command_fail(&err) : 0;
}
