/* What became of the receipts that somebody kept, by the order of the log alone: no journal is needed, which nobody has while a game
 * runs. */
#include <string.h>

#include "publish/log_audit_parts.h"

static bool is_turn(const struct turn_number *a, const struct turn_number *b)
{
    return a->turn == b->turn && a->rollbacks == b->rollbacks;
}

/* An entry of the same game that comes after the receipt. */
static void follow(struct log_kept *kept, const struct log_entry *entry, int64_t number)
{
    const bool turn = is_turn(&entry->turn, &kept->entry.turn);
    if (entry->kind == ENTRY_LOST && entry->seq <= kept->entry.seq && !kept->lost)
        kept->lost = number;
    if (entry->kind == ENTRY_RECEIPT && turn && entry->seat == kept->entry.seat && !kept->closed &&
        !kept->later)
        kept->later = number;
    if (entry->kind == ENTRY_CLOSE && turn && !kept->closed)
        kept->closed = number;
}

static int take(struct log_audit *audit, const struct log_entry *entry, int64_t number, struct err *err)
{
    const struct log_name *name = *entry->name ? log_name_find(audit, entry->name) : NULL;
    (void)err;
    for (size_t i = 0; name && name->receipted && i < audit->kept_count; i++) {
        struct log_kept *kept = &audit->kept[i];
        if (kept->number && kept->number < number && strcmp(kept->entry.name, entry->name) == 0)
            follow(kept, entry, number);
    }
    return 0;
}

static bool is_kept(const struct log_audit *audit, int64_t number)
{
    for (size_t i = 0; i < audit->kept_count; i++)
        if (audit->kept[i].number == number)
            return true;
    return false;
}

static void say(struct log_audit *audit, const struct log_kept *kept)
{
    const struct log_place place = {kept->entry.name, kept->entry.seq, kept->number};
    const int turn = kept->entry.turn.turn, seat = kept->entry.seat;
    if (kept->lost)
        log_find(audit, LOG_ASK, LOG_RECEIPT, &place,
                 "the orders of seat %d for turn %d had this receipt, and the record was lost (entry %lld). "
                 "Ask whether "
                 "they are back",
                 seat, turn, (long long)kept->lost);
    else if (kept->later && !is_kept(audit, kept->later))
        log_find(audit, LOG_ASK, LOG_RECEIPT, &place,
                 "the orders of seat %d for turn %d were replaced by a later text of that seat (entry %lld), "
                 "whose "
                 "receipt was not kept. Ask the player whether they sent it",
                 seat, turn, (long long)kept->later);
    else if (kept->later)
        log_find(audit, LOG_NOTE, LOG_RECEIPT, &place,
                 "the orders of seat %d for turn %d were replaced by a later text of that seat (entry %lld), "
                 "whose "
                 "receipt was kept as well",
                 seat, turn, (long long)kept->later);
    else if (kept->closed)
        log_find(audit, LOG_NOTE, LOG_RECEIPT, &place,
                 "the orders of seat %d for turn %d were the last of that seat when the turn was closed "
                 "(entry %lld)",
                 seat, turn, (long long)kept->closed);
    else
        log_find(audit, LOG_NOTE, LOG_RECEIPT, &place,
                 "the orders of seat %d are in force, and turn %d is not closed", seat, turn);
}

int log_receipts(struct log_audit *audit, struct err *err)
{
    int rc = 0;
    bool any = false;
    for (size_t i = 0; i < audit->kept_count; i++) {
        struct log_kept *kept = &audit->kept[i];
        struct log_name *name = kept->number && kept->same ? log_name_find(audit, kept->entry.name) : NULL;
        kept->number = name ? kept->number : 0; /* of another log, or a later state of it: that was said */
        if (name)
            any = name->receipted = true;
    }
    if (any)
        rc = log_read(audit, take, err);
    for (size_t i = 0; rc == 0 && i < audit->kept_count; i++)
        if (audit->kept[i].number && (i == 0 || audit->kept[i].number != audit->kept[i - 1].number))
            say(audit, &audit->kept[i]);
    return rc;
}
