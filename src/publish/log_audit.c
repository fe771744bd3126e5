#include "publish/log_audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "publish/log_audit_parts.h"
#include "tlog/entries.h"

void log_audit_init(struct log_audit *audit, const char *dir, const struct policy *policy)
{
    *audit = (struct log_audit){.dir = dir, .policy = policy, .names = json_object()};
}

void log_audit_release(struct log_audit *audit)
{
    for (size_t i = 0; i < audit->name_count; i++) {
        free(audit->name[i]->lost);
        free(audit->name[i]);
    }
    for (size_t i = 0; i < audit->journal_count; i++) {
        free(audit->journal[i]->path);
        free(audit->journal[i]);
    }
    for (size_t i = 0; i < audit->kept_count; i++)
        free(audit->kept[i].label);
    free(audit->name);
    free(audit->journal);
    free(audit->kept);
    free(audit->program);
    free(audit->finding);
    json_decref(audit->names);
    *audit = (struct log_audit){.dir = NULL};
}

void log_find(struct log_audit *audit, enum log_weight weight, enum log_what what,
              const struct log_place *place, const char *fmt, ...)
{
    struct str text = STR_INIT, safe = STR_INIT;
    va_list args;
    if (audit->count[weight]++ >= LOG_FINDINGS)
        return;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    utf8_safe(&safe, slice_str(&text), false);
    audit->finding =
        mem_grow(audit->finding, audit->finding_count, &audit->finding_cap, sizeof *audit->finding);
    struct log_finding *finding = &audit->finding[audit->finding_count++];
    *finding = (struct log_finding){.weight = weight, .what = what, .seq = place->seq, .entry = place->entry};
    (void)snprintf(finding->name, sizeof finding->name, "%s", place->name ? place->name : "");
    (void)snprintf(finding->text, sizeof finding->text, "%s", safe.p);
    str_release(&text);
    str_release(&safe);
}

struct log_name *log_name_find(const struct log_audit *audit, const char *name)
{
    const json_t *place = json_object_get(audit->names, name);
    return place ? audit->name[json_integer_value(place)] : NULL;
}

struct log_name *log_name_need(struct log_audit *audit, const char *name)
{
    struct log_name *known = log_name_find(audit, name);
    if (known)
        return known;
    json_object_set_new(audit->names, name, json_integer((json_int_t)audit->name_count));
    audit->name = mem_grow(audit->name, audit->name_count, &audit->name_cap, sizeof *audit->name);
    known = audit->name[audit->name_count++] = mem_alloc(sizeof *known);
    (void)snprintf(known->name, sizeof known->name, "%s", name);
    return known;
}

int log_read(struct log_audit *audit, log_each *each, struct err *err)
{
    struct entries entries;
    struct slice line;
    struct log_entry entry;
    struct err why = ERR_INIT; /* it was a finding already */
    int rc = entries_open(&entries, audit->dir, audit->checkpoint.size, err);
    for (int64_t number = 1; rc == 0 && (rc = entries_next(&entries, &line, err)) == 0 && line.len; number++)
        if (log_entry_parse(slice_sub(line, 0, line.len - 1), &entry, &why) == 0)
            rc = each(audit, &entry, number, err);
    entries_close(&entries);
    return rc;
}
