/* On whose word a game rests, in plain words. */
#include <stdarg.h>
#include <string.h>

#include "audit/audit_parts.h"
#include "base/json.h"

static void add(json_t *list, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(json_t *list, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    json_array_append_new(list, json_vtext(fmt, args));
    va_end(args);
}

/* " (first record 12)"; of one " (record 12)" */
static void add_where(struct str *out, const struct audit_result *result, enum audit_kind kind, int64_t count)
{
    str_addf(out, count == 1 ? " (record %lld)" : " (first record %lld)",
             (long long)result->first_word[kind].seq);
}

/* "bob in seat 2 (from record 12 on) and carol in seat 3 (from record 20 on)"; of one "bob in seat 2" */
static void add_changed(struct str *out, const struct audit_changed *changed)
{
    const size_t shown = changed->count < AUDIT_CHANGED ? changed->count : AUDIT_CHANGED;
    str_clear(out);
    for (size_t i = 0; i < shown; i++) {
        const struct audit_first *one = &changed->list[i];
        str_addf(out, "%s%s in seat %d",
                 !i                       ? ""
                 : i + 1 < changed->count ? ", "
                                          : " and ",
                 one->player, one->seat);
        if (changed->count > 1)
            str_addf(out, " (from record %lld on)", (long long)one->seq);
    }
    if (changed->count > shown)
        str_addf(out, " and %zu more", changed->count - shown);
}

/* Every seat whose keys or mailbox rest on it. */
static void add_all_changed(json_t *list, const struct audit_result *result)
{
    const struct audit_changed *keys = &result->changed_keys, *mailboxes = &result->changed_mailboxes;
    struct str who = STR_INIT;
    add_changed(&who, keys);
    if (keys->count == 1)
        add(list,
            "%s plays with another key from record %lld on. It was asked for seven days before, and nobody "
            "of that seat said no.",
            who.p, (long long)keys->list[0].seq);
    else if (keys->count)
        add(list,
            "%s play with other keys. They were asked for seven days before, and nobody of these seats "
            "said no.",
            who.p);
    add_changed(&who, mailboxes);
    if (mailboxes->count == 1)
        add(list, "%s answers from another mailbox from record %lld on.", who.p,
            (long long)mailboxes->list[0].seq);
    else if (mailboxes->count)
        add(list, "%s answer from other mailboxes.", who.p);
    str_release(&who);
}

/* The operator's own doing: no player or moderator has signed it. */
static void add_operator(json_t *list, const struct audit_result *result)
{
    const int64_t *word = result->word;
    struct str where = STR_INIT;
    if (result->lost)
        add(list,
            "The league lost records of this game %zu time%s, and its turn was drawn anew. What they were, "
            "only "
            "its log and players' mails show: turnpost audit --log, receipt-check.",
            result->lost, PLURAL(result->lost));
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        if (result->asked[seat].record)
            add(list,
                "Another key is asked for in place of those of %s in seat %d (record %lld). Seven days after "
                "that it may take their place, if nobody of that seat says no.",
                result->asked[seat].player, seat, (long long)result->asked[seat].record);
    add_all_changed(list, result);
    if (word[AUDIT_INTERVENTION]) {
        add_where(&where, result, AUDIT_INTERVENTION, word[AUDIT_INTERVENTION]);
        add(list, "The operator alone intervened %lld time%s%s.", (long long)word[AUDIT_INTERVENTION],
            PLURAL(word[AUDIT_INTERVENTION]), where.p);
    }
    if (word[AUDIT_MISSED])
        add(list, "%s missed turn %d by somebody's word or by a clock that was moved (record %lld%s).",
            result->first_word[AUDIT_MISSED].player, result->first_word[AUDIT_MISSED].turn,
            (long long)result->first_word[AUDIT_MISSED].seq,
            word[AUDIT_MISSED] > 1 ? ", and it is not the only one" : "");
    str_release(&where);
}

/* "bob's orders rest on ...", "The orders of bob (a.org) and carol (b.org) rest on ..." */
static void add_providers(json_t *list, const struct audit_result *result)
{
    const struct audit_orders *first = NULL, *last = NULL, *seats = result->orders;
    struct str who = STR_INIT;
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        if (seats[seat].mails) {
            if (last)
                str_addf(&who, "%s%s (%s)", last == first ? "" : ", ", last->player, last->domain);
            first = first ? first : &seats[seat];
            last = &seats[seat];
        }
    if (first && first == last)
        add(list, "%s's orders rest on the word of a mail provider, %s.", first->player, first->domain);
    else if (last)
        add(list, "The orders of %s and %s (%s) rest on the word of their mail providers.", who.p,
            last->player, last->domain);
    else if (result->word[AUDIT_DOMAIN])
        add(list, "%lld text%s on the word of mail providers, first record %lld.",
            (long long)result->word[AUDIT_DOMAIN], result->word[AUDIT_DOMAIN] == 1 ? " rests" : "s rest",
            (long long)result->first_word[AUDIT_DOMAIN].seq);
    str_release(&who);
}

/* What the mails themselves leave open. */
static void add_mails(json_t *list, const struct audit_result *result)
{
    const int64_t sealed = result->counts.mails_sealed, agreed = result->word[AUDIT_AGREED];
    if (sealed)
        add(list,
            "Evidence withheld: %lld mail%s sealed here. That the orders are what the mails say, the "
            "operator says.",
            (long long)sealed, sealed == 1 ? " is" : "s are");
    if (agreed)
        add(list,
            "%lld mail%s not say by %s what was ordered (\"ok\", a number): the operator says what was "
            "meant.",
            (long long)agreed, agreed == 1 ? " does" : "s do", agreed == 1 ? "itself" : "themselves");
}

static void add_deal(json_t *list, const struct audit_result *result)
{
    if (*result->competition)
        add(list, "The deal is that of competition %s: audit that as well.", result->competition);
    else if (result->word[AUDIT_DEAL])
        add(list, "The operator alone dealt: no player's text is in the draw.");
}

static void add_absent(json_t *list, const struct audit_witnesses *witnesses)
{
    struct str turns = STR_INIT;
    for (size_t i = 0; i < witnesses->absent_count && i < AUDIT_ABSENT; i++)
        str_addf(&turns, "%s%d", i ? ", " : "", witnesses->absent[i]);
    if (witnesses->absent_count > AUDIT_ABSENT)
        str_addf(&turns, " and %zu more", witnesses->absent_count - AUDIT_ABSENT);
    add(list,
        "Turn%s %s %s played without one of the witnesses, after a day: without that answer the operator "
        "knew two "
        "results and could choose.",
        PLURAL(witnesses->absent_count), turns.p, witnesses->absent_count == 1 ? "was" : "were");
    str_release(&turns);
}

/* Who could choose among draws. */
static void add_choice(json_t *list, const struct audit_result *result)
{
    const struct audit_witnesses *witnesses = &result->witnesses;
    struct str names = STR_INIT;
    for (int i = 0; i < witnesses->count; i++)
        str_addf(&names, "%s%s", i ? ", " : "", witnesses->name[i]);
    if (witnesses->count)
        add(list,
            "Witness%s: %s%s. Nobody knew the dice of a turn before it was closed%s, unless they work with "
            "the operator. "
            "Ask %s whether the key%s theirs: the operator says so.",
            witnesses->count == 1 ? "" : "es", names.p,
            witnesses->count == 1                   ? ""
            : witnesses->quorum == witnesses->count ? " (all must agree)"
            : witnesses->quorum == 2                ? " (2 must agree)"
                                                    : " (3 must agree)",
            witnesses->gave_up ? " until then" : "", witnesses->count == 1 ? "them" : "each",
            witnesses->count == 1 ? " is" : "s are");
    else if (result->several)
        add(list,
            "No witness: the operator could leave out a text before the dice were known (%lld time%s a "
            "player sent "
            "more than one for a turn), and with a friend at the table choose dice.",
            (long long)result->several, PLURAL(result->several));
    else
        add(list, "No witness: the operator could leave out a text before the dice were known, and with a "
                  "friend at "
                  "the table choose dice.");
    if (witnesses->gave_up)
        add(list,
            "From turn %d on (record %lld) there were no witnesses: too few had answered for three days, and "
            "a majority "
            "of the players wanted to go on. Since then the operator could leave out a text before the dice "
            "were known.",
            witnesses->gave_up_turn, (long long)witnesses->gave_up);
    if (witnesses->absent_count)
        add_absent(list, witnesses);
    str_release(&names);
}

void audit_offsets(struct str *out, const struct zone_years *years)
{
    for (int i = 0; i <= years->count; i++) {
        const int offset = years->offset[i], size = offset < 0 ? -offset : offset;
        int k = 0;
        while (k < i && years->offset[k] != offset)
            k++;
        if (k == i)
            str_addf(out, "%sUTC%c%02d:%02d", i ? ", " : "", offset < 0 ? '-' : '+', size / 3600,
                     size / 60 % 60);
    }
}

/* Deadlines, texts by keys that nobody can place, and what the clock in a zone shows. */
static void add_times_and_texts(json_t *list, const struct audit_result *result)
{
    const int64_t deadlines = result->word[AUDIT_DEADLINE], texts = result->word[AUDIT_SIGNATURE],
                  acts = result->word[AUDIT_ACT];
    struct str text = STR_INIT;
    if (deadlines) {
        add_where(&text, result, AUDIT_DEADLINE, deadlines);
        add(list, "%lld deadline%s moved for a reason that only the operator knows%s.", (long long)deadlines,
            deadlines == 1 ? " was" : "s were", text.p);
    }
    if (acts)
        add(list,
            "%lld act%s of moderators %s here, so that they did it the operator says (first record %lld).",
            (long long)acts, PLURAL(acts), acts == 1 ? "is sealed" : "are sealed",
            (long long)result->first_word[AUDIT_ACT].seq);
    if (texts)
        add(list,
            "%lld text%s signed by keys that the game does not know, of moderators or of people without a "
            "seat (first "
            "record %lld): whose they are, the operator says.",
            (long long)texts, texts == 1 ? " is" : "s are",
            (long long)result->first_word[AUDIT_SIGNATURE].seq);
    if (*result->zone) {
        str_clear(&text);
        audit_offsets(&text, &result->years);
        add(list, "The clock in %s is taken as %s, as the operator's machine had it.", result->zone, text.p);
    }
    str_release(&text);
}

/* The host of a page decides what signs there. */
static void add_pages(json_t *list, const struct audit_result *result, const char *own)
{
    json_t *pages = audit_pages(result), *seats, *seat;
    const char *page;
    size_t i;
    json_object_foreach (pages, page, seats) {
        struct str numbers = STR_INIT;
        json_array_foreach (seats, i, seat)
            str_addf(&numbers, "%s%lld", i ? ", " : "", (long long)json_integer_value(seat));
        add(list,
            "Key made in the page at %s%s: seat%s %s. Anyone who serves that page could show one player "
            "another "
            "one.",
            page, own && strcmp(own, page) == 0 ? ", by the operator" : "", PLURAL(json_array_size(seats)),
            numbers.p);
        str_release(&numbers);
    }
    json_decref(pages);
}

json_t *audit_rests(const struct audit_result *result, const char *own_page)
{
    json_t *list = json_array();
    if (!result->records)
        return list;
    add_operator(list, result);
    add_providers(list, result);
    add_mails(list, result);
    add_deal(list, result);
    add_choice(list, result);
    add_pages(list, result, own_page);
    add_times_and_texts(list, result);
    return list;
}
