#include "commands/findings.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/str.h"
#include "base/utf8.h"

void findings_add(struct findings *findings, enum finding_state state, const char *check, const char *fmt,
                  ...)
{
    struct str text = STR_INIT;
    struct str safe = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    utf8_safe(&safe, slice_str(&text), false);
    str_release(&text);
    findings->list = mem_grow(findings->list, findings->count, &findings->cap, sizeof *findings->list);
    findings->list[findings->count++] = (struct finding){state, check, str_detach(&safe)};
}

void findings_fail(struct findings *findings, const char *check, const struct err *err)
{
    if (err->code == ERR_TEMP || err->code == ERR_STALE)
        findings->temporary = true;
    else
        findings->lasting = true;
    findings_add(findings, FINDING_FAILED, check, "%s", err->text);
}

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        free(findings->list[i].text);
    free(findings->list);
}
