/* What people hear of their own mails. */
#include "sim/people.h"

/* What a mail of ours says of theirs, which the judge holds against the journals. */
static void believe(struct written *mail, const struct ours *ours)
{
    enum { COUNTS, CHANGED_NOTHING, TOO_LATE, WAITS };
    static const struct {
        const char *subject, *words;
        int what; /* COUNTS: it is in a journal then */
    } rows[] = {{"] We have your orders for turn", "", COUNTS},
                {"] We have your standing orders", "", COUNTS},
                {"] Your orders for turn", " are final", COUNTS},
                {"] Turn ", " waits for you", COUNTS},
                {"", "Nothing has been changed by your mail", CHANGED_NOTHING},
                {"", "came too late: turn", TOO_LATE},
                {"", "Your answer has come, and waits", WAITS}};
    /* A copy of a mail that counted, by a key that was dropped since, or of somebody who was erased, is a stranger's. */
    const bool stranger = says(ours->flat.p, "a key that the league does not know") ||
                          says(ours->flat.p, "No player is known here by the address");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((rows[i].what == COUNTS && ours->subject[0] != '[') ||
            (*rows[i].subject && !says(ours->subject, rows[i].subject)) ||
            (*rows[i].words && !says(ours->subject, rows[i].words) && !says(ours->flat.p, rows[i].words)))
            continue;
        if (world.verbose)
            tell("of %s is said: %s | %s", mail->id, ours->subject, ours->flat.p);
        counted->receipts += rows[i].what == COUNTS && !mail->received;
        mail->received |= rows[i].what == COUNTS;
        mail->unchanged |= rows[i].what == CHANGED_NOTHING && !stranger;
        mail->late |= rows[i].what == TOO_LATE;
        if (rows[i].what == WAITS && world.disturbed < 2 && !HAD(F_smtp)) /* else it has left later */
            mail->waits = now();
        mail->heard = now();
        (void)snprintf(mail->said, sizeof mail->said, "%.60s", ours->subject);
    }
}

void people_forget(int64_t since)
{
    witness_forget(since);
    for (size_t i = 0; i < written_count; i++)
        if (written[i].heard >= since) {
            written[i].received = written[i].unchanged = written[i].late = false;
            written[i].waits = 0;
        }
}

/* The registry's journal knows by heart whose file cannot be read: their mails wait, and they are no strangers. */
static void judge_stranger(const struct person *me, const struct written *mail, const struct ours *ours)
{
    const int64_t from = me->spoilt < SPOILT_MOST ? me->spoilt_from[me->spoilt] : 0;
    MUST(!world.spoilt || !me->reached || !from || mail->at < from || HAD(F_restore) || world.on[F_slips] ||
             !says(ours->flat.p, "No player is known here by the address"),
         "%s, whose file cannot be read, is told to be unknown (%s)", me->name, mail->id);
}

/* An answer to a mail of theirs. */
void people_hear(const struct person *me, const struct ours *ours)
{
    char ref[200];
    if (!mail_field(ours->raw, "In-Reply-To", ref, sizeof ref))
        return;
    for (size_t i = written_count; i-- > 0;) {
        size_t len = strlen(written[i].id);
        if (strncmp(ref + 1, written[i].id, len) != 0 || ref[1 + len] != '>')
            continue;
        believe(&written[i], ours);
        judge_stranger(me, &written[i], ours);
        return;
    }
}
