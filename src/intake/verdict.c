#include "intake/verdict.h"

#include <stdio.h>

#include "base/utf8.h"

void verdict_init(struct verdict *verdict)
{
    *verdict = (struct verdict){.words = STR_INIT, .about = STR_INIT};
}

void verdict_release(struct verdict *verdict)
{
    str_release(&verdict->words);
    str_release(&verdict->about);
}

void verdict_about(struct verdict *verdict, const struct frame *frame)
{
    verdict->told = false;
    str_clear(&verdict->about);
    str_adds(&verdict->about, frame->kind == FRAME_ORDERS ? "orders" : frame->verb);
    if (*frame->game)
        str_addf(&verdict->about, " %s", frame->game);
    if (frame->kind == FRAME_ORDERS)
        str_addf(&verdict->about, " turn %d", frame->turn);
}

void verdict_say(struct verdict *verdict, const char *word, const json_t *why)
{
    const char *code = json_object_iter_key(json_object_iter((json_t *)(uintptr_t)why));
    if (verdict->told)
        return;
    verdict->told = true;
    str_adds(&verdict->words, verdict->words.len ? "; " : "");
    if (verdict->about.len)
        str_addf(&verdict->words, "%s: ", verdict->about.p);
    str_adds(&verdict->words, word);
    if (code)
        str_addf(&verdict->words, " (%s)", code);
}

/* What it is, when that alone is why nobody is answered. */
static const char *kind_word(enum message_kind kind)
{
    switch (kind) {
    case MAIL_PERSON: return "";
    case MAIL_BULK: return "bulk";
    case MAIL_AUTO: return "auto";
    case MAIL_NAMED: return "auto, by its sender's name or List-Unsubscribe";
    case MAIL_LIST: return "list";
    case MAIL_BOUNCE: return "bounce";
    case MAIL_REACTION: return "a reaction";
    case MAIL_OWN: return "own";
    }
    return "";
}

enum silence verdict_silence(const struct verdict *verdict, const struct verdict_end *end)
{
    if (end->answered)
        return SILENCE_NONE;
    if (end->fate == INTAKE_KEPT || end->fate == INTAKE_WAITS)
        return SILENCE_WAITS;
    if (end->known)
        return SILENCE_SEEN;
    if (end->fate == INTAKE_FAILED && !end->ours)
        return SILENCE_GIVEN_UP;
    if (verdict->silence)
        return verdict->silence;
    if (end->kind != MAIL_PERSON && end->kind != MAIL_NAMED)
        return SILENCE_MACHINE;
    return end->spent ? SILENCE_SPENT : SILENCE_UNKNOWN;
}

/* Also what a player has signed, in a mail that looks as if no person had written it. */
bool verdict_is_felt(const struct verdict *verdict, const struct verdict_end *end)
{
    enum silence silence = verdict_silence(verdict, end);
    return silence_is_felt(silence) || (silence == SILENCE_MACHINE && end->ours);
}

enum catalog_verdict verdict_of(const struct verdict *verdict, const struct verdict_end *end)
{
    bool silent = verdict_silence(verdict, end) != SILENCE_NONE;
    switch (end->fate) {
    case INTAKE_KEPT:
    case INTAKE_WAITS: return VERDICT_WAITS;
    case INTAKE_FAILED: return VERDICT_GIVEN_UP;
    case INTAKE_PROCESSED: return end->kind == MAIL_BOUNCE ? VERDICT_IGNORED : VERDICT_TAKEN;
    case INTAKE_REJECTED: return silent && !end->ours ? VERDICT_IGNORED : VERDICT_REFUSED;
    }
    return VERDICT_WAITS;
}

void verdict_words(const struct verdict *verdict, const struct verdict_end *end, char *out, size_t size)
{
    struct str all = STR_INIT, safe = STR_INIT;
    const enum silence silence = verdict_silence(verdict, end);
    const char *parts[] = {end->fate == INTAKE_REJECTED || end->kind == MAIL_BOUNCE ? kind_word(end->kind)
                                                                                    : "",
                           verdict->words.p ? verdict->words.p : ""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (*parts[i])
            str_addf(&all, "%s%s", all.len ? "; " : "", parts[i]);
    if (silence != SILENCE_NONE && silence != SILENCE_WAITS)
        str_addf(&all, "%sno answer: %s", all.len ? "; " : "", silence_words(silence));
    utf8_safe(&safe, slice_str(&all), false);
    utf8_cut(&safe, size - 1);
    (void)snprintf(out, size, "%s", safe.p ? safe.p : "");
    str_release(&all);
    str_release(&safe);
}
