/* What the three ways out share: one mail of the spool, loaded and settled. */
#include "mail/sink_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/mem.h"

bool address_valid(const char *address)
{
    size_t len = strlen(address);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)address[i];
        if (c < 0x21 || c == 0x7F || c == '<' || c == '>')
            return false;
    }
    const char *at = strrchr(address, '@');
    return at && at > address && at[1] && len <= 254;
}

#define DOUBT_TRIES 3

void sink_forget_doubts(struct sink_answers *answers)
{
    while (answers->doubted_count)
        free(answers->doubted[--answers->doubted_count]);
}

void sink_taken(struct sink_answers *answers)
{
    answers->taken++;
    sink_forget_doubts(answers);
}

static void doubt(struct sink_answers *answers, const char *to)
{
    for (size_t i = 0; i < answers->doubted_count; i++)
        if (strcasecmp(answers->doubted[i], to) == 0)
            return;
    if (answers->doubted_count < SINK_DOUBTED)
        answers->doubted[answers->doubted_count++] = mem_strdup(to);
    answers->paused |= answers->doubted_count == SINK_DOUBTED;
}

bool sink_refused(struct sink_answers *answers, const struct outgoing *mail, enum answer_about about,
                  const char *words, enum spool_fate *fate)
{
    switch (about) {
    case ABOUT_RECIPIENT:
    case ABOUT_MAIL: *fate = SPOOL_REFUSED; return true;
    case ABOUT_NOW: *fate = SPOOL_LATER; return true;
    case ABOUT_US: answers->paused = true; break;
    case ABOUT_UNSURE:
        *fate = mail->tries >= DOUBT_TRIES && answers->taken ? SPOOL_REFUSED : SPOOL_LATER_ALONE;
        if (*fate == SPOOL_LATER_ALONE)
            doubt(answers, mail->envelope_to);
        break;
    }
    if (answers->paused)
        (void)snprintf(answers->words, sizeof answers->words, "%s", words);
    return about == ABOUT_UNSURE;
}

int sink_settle(struct sink_run *run, size_t index, enum spool_fate fate, const char *words, struct err *err)
{
    const char *path = run->order->list.path[index];
    switch (fate) {
    case SPOOL_SENT: run->counts->sent++; break;
    case SPOOL_LATER:
    case SPOOL_LATER_ALONE: run->counts->later++; break;
    case SPOOL_REFUSED: run->counts->refused++; break;
    case SPOOL_DROPPED: run->counts->dropped++; break;
    }
    struct sink_news news = {
        .fate = fate, .words = words ? words : "", .to = run->to[index] ? run->to[index] : ""};
    const struct spool_try one = {fate, words, run->round->now, run->sink->expire};
    if (spool_settle(run->round->spool, path, &one, &news.gave_up, err))
        return -1;
    char *id = spool_id(path);
    news.id = id;
    if (run->round->told && id)
        run->round->told(run->round->arg, &news);
    free(id);
    return 0;
}

int sink_load(struct sink_run *run, size_t index, struct outgoing *mail, struct err *err)
{
    struct err mine = ERR_INIT;
    if (run->round->may && !run->round->may())
        return err_set(err, ERR_TEMP, "another host may be sending by now, so this one does not");
    if (spool_load(run->round->spool, run->order->list.path[index], mail, &mine)) {
        outgoing_release(mail);
        if (mine.code == ERR_MISSING)
            return 1;
        /* One damaged file must not keep the others from leaving. */
        if (mine.code == ERR_BROKEN || mine.code == ERR_INPUT)
            return sink_settle(run, index, SPOOL_REFUSED, mine.text, err) ? -1 : 1;
        /* Nor may one that we cannot handle: made by a newer Turnpost, or unreadable for this user. */
        if (mine.code == ERR_NEWER || mine.code == ERR_IO) {
            log_error("%s; it stays in the spool, the others leave", mine.text);
            run->counts->left++;
            return 1;
        }
        return err_pass(err, &mine);
    }
    if (run->round->complete)
        run->round->complete(run->round->complete_arg, &mail->mail);
    free(run->to[index]);
    run->to[index] = mem_strdup(mail->envelope_to);
    const char *bad = !address_valid(mail->envelope_to)                               ? mail->envelope_to
                      : mail->envelope_from[0] && !address_valid(mail->envelope_from) ? mail->envelope_from
                                                                                      : NULL;
    if (!bad)
        return 0;
    err_set(&mine, ERR_INPUT, "not sent: \"%s\" is no mail address", bad);
    outgoing_release(mail);
    return sink_settle(run, index, SPOOL_REFUSED, mine.text, err) ? -1 : 1;
}

void sink_lf(struct str *out, struct slice mail)
{
    for (size_t i = 0; i < mail.len; i++)
        if (mail.p[i] != '\r' || i + 1 == mail.len || mail.p[i + 1] != '\n')
            str_addc(out, mail.p[i]);
}
