/* What all checks share: reading the record, reporting what was found. */
#include "audit/audit_parts.h"
#include "game/seat_keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/utf8.h"

static void tell(struct auditing *a, enum audit_severity severity, enum audit_kind kind, int seat,
                 const char *fmt, va_list args) __attribute__((format(printf, 5, 0)));
/* Whose keys or mailbox somebody else's word has changed, so that each of them can be named. */
static void note_changed(struct auditing *a, const struct audit_finding *finding)
{
    struct audit_changed *changed =
        finding->kind == AUDIT_KEYS ? &a->out->changed_keys : &a->out->changed_mailboxes;
    const char *player = a->game.seat[finding->seat].player;
    if (!finding->seat || (finding->kind != AUDIT_KEYS && finding->kind != AUDIT_MAILBOX))
        return;
    for (size_t i = 0; i < changed->count && i < AUDIT_CHANGED; i++)
        if (changed->list[i].seat == finding->seat && strcmp(changed->list[i].player, player) == 0)
            return;
    if (changed->count < AUDIT_CHANGED) {
        struct audit_first *one = &changed->list[changed->count];
        *one = (struct audit_first){.seq = finding->seq, .seat = finding->seat, .turn = finding->turn};
        memcpy(one->player, player, sizeof one->player);
    }
    changed->count++;
}

/* The first one of a seat says more than one of no seat. */
static void note_word(struct auditing *a, const struct audit_finding *finding)
{
    struct audit_first *first = &a->out->first_word[finding->kind];
    a->out->word[finding->kind]++;
    note_changed(a, finding);
    if (first->seq && (first->seat || !finding->seat))
        return;
    *first = (struct audit_first){.seq = finding->seq, .seat = finding->seat, .turn = finding->turn};
    if (finding->seat)
        memcpy(first->player, a->game.seat[finding->seat].player, sizeof first->player);
}

static void tell(struct auditing *a, enum audit_severity severity, enum audit_kind kind, int seat,
                 const char *fmt, va_list args)
{
    struct audit_finding finding = {
        .severity = severity, .kind = kind, .seq = a->at, .seat = seat, .turn = a->game.turn};
    if (a->record && a->record->seq == a->at)
        memcpy(finding.type, a->record->type, sizeof finding.type);
    struct str text = STR_INIT, safe = STR_INIT;
    str_vaddf(&text, fmt, args);
    utf8_safe(&safe, slice_str(&text), false); /* it may contain words of strangers */
    (void)snprintf(finding.text, sizeof finding.text, "%s", safe.p);
    str_release(&text);
    str_release(&safe);
    a->out->findings[severity]++;
    if (severity == AUDIT_WORD)
        note_word(a, &finding);
    if (severity == AUDIT_BROKEN)
        a->out->first = finding;
    if (a->in->found)
        a->in->found(a->in->arg, &finding);
}

void audit_note(struct auditing *a, enum audit_severity severity, enum audit_kind kind, int seat,
                const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tell(a, severity, kind, seat, fmt, args);
    va_end(args);
}

void audit_word(struct auditing *a, enum audit_kind kind, int seat, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    tell(a, AUDIT_WORD, kind, seat, fmt, args);
    va_end(args);
}

int audit_broken(struct auditing *a, enum audit_kind kind, int seat, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!a->out->findings[AUDIT_BROKEN])
        tell(a, AUDIT_BROKEN, kind, seat, fmt, args);
    va_end(args);
    return -1;
}

int audit_newer(struct auditing *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!a->out->findings[AUDIT_BROKEN]) {
        a->out->newer = true;
        tell(a, AUDIT_BROKEN, AUDIT_UNKNOWN, 0, fmt, args);
    }
    va_end(args);
    return -1;
}

const char *audit_text(const struct auditing *a, const char *key)
{
    const char *text = json_string_value(json_object_get(a->record->json, key));
    return text ? text : "";
}

bool audit_has(const struct auditing *a, const char *key)
{
    return json_object_get(a->record->json, key) != NULL;
}

bool audit_is(const struct auditing *a, const char *type)
{
    return strcmp(a->record->type, type) == 0;
}

bool audit_kind_is(const struct auditing *a, enum record_id id)
{
    return a->kind == &record_kinds[id];
}

int64_t audit_number(const struct auditing *a, const char *key)
{
    return json_integer_value(json_object_get(a->record->json, key));
}

int audit_seat(const struct auditing *a)
{
    int64_t seat = audit_number(a, "seat");
    return seat >= 1 && seat <= a->game.seats ? (int)seat : 0;
}

bool audit_hex(const struct auditing *a, const char *key, unsigned char out[32])
{
    return hex_decode(out, 32, slice_of(audit_text(a, key)));
}
