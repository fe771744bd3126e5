/* What the audit of a competition finds. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "audit/audit_compete_parts.h"

static void tell(struct competing *a, enum audit_severity severity, enum audit_kind kind, const char *text)
{
    struct audit_finding finding = {.severity = severity, .kind = kind, .seq = a->out->records + 1};
    if (a->record)
        memcpy(finding.type, a->record->type, sizeof finding.type);
    (void)snprintf(finding.text, sizeof finding.text, "%s", text);
    if (severity == AUDIT_BROKEN)
        a->out->first = finding;
    if (a->in->found)
        a->in->found(a->in->arg, &finding);
}

int competing_broken(struct competing *a, enum audit_kind kind, const char *format, ...)
{
    char text[480];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    a->out->verdict = AUDIT_REFUTED;
    tell(a, AUDIT_BROKEN, kind, text);
    return -1;
}

void competing_word(struct competing *a, enum audit_kind kind, const char *format, ...)
{
    char text[480];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tell(a, AUDIT_WORD, kind, text);
}
