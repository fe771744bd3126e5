#include "letters/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reason.h"
#include "play/press.h"

struct evidence *reading_parts(const struct message *msg)
{
    struct evidence *parts = mem_array(msg->part_count, sizeof *parts);
    for (size_t i = 0; i < msg->part_count; i++) {
        const struct message_part *part = &msg->parts[i];
        parts[i] = (struct evidence){part->name, slice_str(&part->exact), slice_str(&part->shown),
                                     slice_str(&part->flat)};
    }
    return parts;
}

static void find_texts(struct reading *reading)
{
    const struct message *msg = &reading->msg;
    struct evidence *parts = reading_parts(msg);
    struct envelopes found;
    struct err why = ERR_INIT;
    reading->broken = envelope_find(parts, msg->part_count, &reading->work, &found, &why) != 0;
    if (reading->broken)
        reading->why = reason_said(&why);
    reading->envelope_count = found.count;
    reading->unsigned_frames = found.unsigned_frames;
    free(parts);
    if (!reading->envelope_count)
        return;
    reading->envelopes = mem_array(reading->envelope_count, sizeof *reading->envelopes);
    memcpy(reading->envelopes, found.list, found.count * sizeof *found.list);
    for (size_t i = 0; i < reading->envelope_count; i++)
        envelope_foresee(&reading->envelopes[i]);
}

static bool is_about_keys(struct slice text)
{
    struct slice line, verb;
    return slice_line(&text, &line) && slice_word(&line, &verb) && slice_caseeq(verb, "#turnpost") &&
           slice_caseeq(slice_trim(line), "key");
}

/* Of mails that are signed only those matter that ask for a key: it may be the first of somebody whose mail domain
 * has vouched for them until now. */
static bool asks_domain(const struct reading *reading)
{
    enum message_kind kind = reading->msg.kind;
    bool person = kind == MAIL_PERSON || kind == MAIL_NAMED || kind == MAIL_BULK;
    return person &&
           (!reading->envelope_count ||
            (reading->envelope_count == 1 && is_about_keys(envelope_candidate(&reading->envelopes[0], 0))));
}

/* Whoever passes a mail on decides where it is delivered; to whom it was written, only its writer, where that is signed: then
 * a mail that was written to others answers none of ours. */
static void ask_domain(struct reading *reading, const struct incoming *mail, const struct league *league)
{
    struct message *msg = &reading->msg;
    reading->domain = vouching_make(league, slice_str(&mail->raw), mail->arrived, &reading->work);
    const struct vouching *domain = reading->domain;
    if (!domain || domain->state != VOUCHING_GOOD || (domain->claim.open & DKIM_OPEN_TO))
        return;
    free(msg->to);
    msg->to = mem_strdup(vouching_to_us(domain, msg, league) ? msg->written_to : "");
}

static size_t most(const struct reading *reading)
{
    return reading->spare ? WORK_SPARE : WORK_MAIL;
}

bool reading_is_dear(const struct reading *reading)
{
    return reading->spare && work_over(&reading->work);
}

size_t reading_cost(const struct reading *reading)
{
    return reading->made ? most(reading) - reading->work.left : 0;
}

void reading_make(struct reading *reading, const struct incoming *mail, const struct league *league)
{
    const struct config *config = &league->config;
    const char *own[] = {config->league.address, config->outgoing.bounce_address};
    struct message_limits limits = message_limits_default;
    struct err why = ERR_INIT;
    if (reading->made)
        return;
    limits.size = (size_t)config->limits.mail_size;
    reading->made = true;
    reading->work.left = most(reading);
    (void)work_take(&reading->work, WORK_READ * mail->raw.len);
    reading->unreadable =
        message_parse(
            slice_str(&mail->raw), &limits,
            &(struct message_identity){own, *own[1] ? 2 : 1, config->league.address, config_detail(config)},
            &reading->msg, &why) != 0;
    if (reading->unreadable)
        reading->why = reason_said(&why);
    if (!mail->oversize)
        message_vouched(&reading->msg, slice_str(&mail->raw), config->incoming.authserv, reading->vouched);
    enum message_kind kind = reading->msg.kind;
    bool heard = kind != MAIL_BOUNCE && kind != MAIL_OWN && kind != MAIL_REACTION;
    if (!mail->oversize && !reading->unreadable && heard)
        find_texts(reading);
    if (!mail->oversize && !reading->unreadable && asks_domain(reading))
        ask_domain(reading, mail, league);
    reading->fresh = reading->work;
}

static bool parts_hide(const struct message *msg)
{
    bool hides = false;
    for (size_t i = 0; i < msg->part_count && !hides; i++)
        hides = press_hides(slice_str(&msg->parts[i].shown)) || press_hides(slice_str(&msg->parts[i].exact));
    return hides;
}

/* By the likeliest form of each text; the forms differ in blanks and line ends, which press_hides overlooks. Texts
 * that no signature claims are still in the parts. */
bool reading_hides_sender(const struct reading *reading)
{
    bool hides = false;
    for (size_t i = 0; i < reading->envelope_count && !hides; i++)
        hides = press_hides(envelope_candidate(&reading->envelopes[i], 0));
    return hides || ((reading->unsigned_frames || reading->broken) && parts_hide(&reading->msg));
}

void reading_release(struct reading *reading)
{
    for (size_t i = 0; i < reading->envelope_count; i++)
        envelope_release(&reading->envelopes[i]);
    free(reading->envelopes);
    json_decref(reading->why);
    vouching_free(reading->domain);
    if (reading->made)
        message_release(&reading->msg);
    *reading = (struct reading){0};
}
