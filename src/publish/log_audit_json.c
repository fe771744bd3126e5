/* The result for programs. */
#include "base/encode.h"
#include "base/json.h"
#include "publish/log_audit_parts.h"

const char *log_weight_name(enum log_weight weight)
{
    static const char *const names[LOG_WEIGHTS] = {
        [LOG_WRONG] = "wrong", [LOG_ASK] = "ask", [LOG_NOTE] = "note"};
    return names[weight];
}

const char *log_what_name(enum log_what what)
{
    static const char *const names[LOG_WHATS] = {
        [LOG_CHECKPOINT] = "checkpoint",   [LOG_ENTRY] = "entry",   [LOG_CLOCK] = "clock",
        [LOG_HISTORIES] = "histories",     [LOG_LOST] = "lost",     [LOG_JOURNAL] = "journal",
        [LOG_UNPUBLISHED] = "unpublished", [LOG_RESULT] = "result", [LOG_RECEIPT] = "receipt"};
    return names[what];
}

static json_t *findings_json(const struct log_audit *audit)
{
    json_t *list = json_array();
    for (size_t i = 0; i < audit->finding_count; i++) {
        const struct log_finding *one = &audit->finding[i];
        json_t *json = json_pack("{s:s,s:s,s:s}", "weight", log_weight_name(one->weight), "kind",
                                 log_what_name(one->what), "text", one->text);
        if (*one->name)
            json_object_set_new(json, "name", json_string(one->name));
        if (one->seq)
            json_object_set_new(json, "record", json_integer((json_int_t)one->seq));
        if (one->entry)
            json_object_set_new(json, "entry", json_integer((json_int_t)one->entry));
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *programs_json(const struct log_audit *audit)
{
    json_t *list = json_array();
    for (size_t i = 0; i < audit->program_count; i++) {
        const struct log_program *one = &audit->program[i];
        json_array_append_new(list, json_pack("{s:s,s:o,s:I,s:o}", "version", one->version, "digest",
                                              json_hex(one->digest, ENTRY_DIGEST), "entry",
                                              (json_int_t)one->entry, "time", json_time(one->time)));
    }
    return list;
}

json_t *log_audit_json(const struct log_audit *audit)
{
    json_t *json =
        json_pack("{s:s,s:b,s:I,s:I,s:i,s:I,s:I,s:I,s:o,s:o,s:o}", "log", audit->checkpoint.origin, "signed",
                  audit->is_signed, "size", (json_int_t)audit->checkpoint.size, "entries",
                  (json_int_t)audit->entries, "cosigned", audit->seen.count, "journals",
                  (json_int_t)audit->journal_count, "kept", (json_int_t)audit->kept_count, "silence",
                  (json_int_t)audit->silence, "root", json_hex(audit->checkpoint.root.b, TREE_HASH),
                  "programs", programs_json(audit), "findings", findings_json(audit));
    if (audit->entries) {
        json_object_set_new(json, "begun", json_time(audit->begun));
        json_object_set_new(json, "last", json_time(audit->last));
    }
    for (int weight = 0; weight < LOG_WEIGHTS; weight++)
        json_object_set_new(json, log_weight_name((enum log_weight)weight),
                            json_integer((json_int_t)audit->count[weight]));
    return json;
}
