#include "mail/order.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "mail/mail_id.h"
#include "mail/spool_parts.h"

#define NONE ((size_t)-1)

struct order_mail {
    size_t next; /* behind it in its row, or NONE */
    bool begins; /* its row, or is in none */
    bool due;    /* may be tried */
    bool waits;  /* when one before it is put off */
    bool holds;  /* those behind it, when it is put off, or is so already */
    bool held;   /* one before it was put off */
    bool past;   /* it is not sent */
};

/* ---- rows ---- */

/* One mail, as long as rows are made. */
struct seen {
    size_t index;
    struct mail_id id;
    char *to;
    int64_t until, past; /* of its envelope */
};
struct seen_list {
    struct seen *list;
    size_t count, cap;
};

/* By row, then in the order in which the steps have asked for them. */
static int compare_seen(const void *a, const void *b)
{
    const struct seen *one = a, *two = b;
    int by = strcmp(one->id.name, two->id.name);
    if (by == 0)
        by = strcmp(one->to, two->to);
    if (by == 0)
        by = (one->id.seq > two->id.seq) - (one->id.seq < two->id.seq);
    return by ? by : one->id.number - two->id.number;
}

static bool same_row(const struct seen *one, const struct seen *two)
{
    return strcmp(one->id.name, two->id.name) == 0 && strcmp(one->to, two->to) == 0;
}

/* Has it been put off for less than others wait for it? The file's time is that of the first try. */
static bool was_put_off_lately(const char *spool, const char *path, int64_t now)
{
    struct stat st;
    char *full = path_join(spool, path);
    bool lately = stat(full, &st) == 0 && now - (int64_t)st.st_mtime < ORDER_PATIENCE;
    free(full);
    return lately;
}

/* What its name and its envelope say; those that cannot be read are in no row, and sending says what is wrong
 * with them. */
static void see(const char *spool, int64_t now, struct order *order, size_t index, struct seen_list *seen)
{
    const char *path = order->list.path[index];
    struct order_mail *mail = &order->mail[index];
    struct place place;
    struct spool_envelope envelope;
    struct seen one = {.index = index};
    *mail = (struct order_mail){.next = NONE, .begins = true};
    if (!spool_place(path, &place))
        return;
    mail->due = spool_place_due(&place, now);
    if (mail_id_read(&one.id, place.id) != MAIL_ID_RECORD || !spool_envelope(spool, path, &envelope))
        return;
    mail->past = envelope.past && envelope.past <= now;
    mail->due &= !mail->past && !envelope.undecided;
    order->undecided += envelope.undecided && !mail->past;
    mail->waits = !envelope.until || envelope.until > now + ORDER_URGENT;
    bool lately = !place.tries || was_put_off_lately(spool, path, now);
    mail->holds = lately && (mail->due || !place.alone); /* of one that is due, the next try decides */
    one.to = envelope.to;
    one.until = envelope.until;
    one.past = envelope.past;
    if (!envelope.ordered || mail->past) {
        free(one.to);
        return;
    }
    seen->list = mem_grow(seen->list, seen->count, &seen->cap, sizeof *seen->list);
    seen->list[seen->count++] = one;
}

/* What a mail tells of a deadline is past, too, when one behind it in its row tells of a later one: the turn was
 * played meanwhile, or has more time. */
static void drop_overtaken(struct order *order, struct seen_list *seen)
{
    int64_t latest = 0; /* deadline that the mails behind this one tell of */
    size_t kept = 0;
    for (size_t i = seen->count; i > 0; i--) {
        struct seen *one = &seen->list[i - 1];
        if (i < seen->count && !same_row(one, &seen->list[i]))
            latest = 0;
        order->mail[one->index].past = one->past && one->past < latest;
        order->mail[one->index].due &= !order->mail[one->index].past;
        latest = one->until > latest ? one->until : latest;
    }
    for (size_t i = 0; i < seen->count; i++) {
        if (!order->mail[seen->list[i].index].past)
            seen->list[kept++] = seen->list[i];
        else
            free(seen->list[i].to);
    }
    seen->count = kept;
}

static void make_rows(struct order *order, struct seen_list *seen)
{
    if (seen->count)
        qsort(seen->list, seen->count, sizeof *seen->list, compare_seen);
    drop_overtaken(order, seen);
    for (size_t i = 1; i < seen->count; i++)
        if (same_row(&seen->list[i - 1], &seen->list[i])) {
            order->mail[seen->list[i - 1].index].next = seen->list[i].index;
            order->mail[seen->list[i].index].begins = false;
        }
    for (size_t i = 0; i < seen->count; i++)
        free(seen->list[i].to);
    free(seen->list);
}

/* ---- one after the other ---- */

/* From that mail of a row on, the first that may be tried. */
static void go_on(struct order *order, size_t from, bool held)
{
    for (size_t i = from; i != NONE; i = order->mail[i].next) {
        struct order_mail *mail = &order->mail[i];
        if (!mail->due) {
            held |= mail->holds;
        } else if (held && mail->waits) {
            order->held++;
        } else {
            mail->held = held;
            order->ready[order->count++] = i;
            return;
        }
    }
}

int order_read(const char *spool, int64_t now, struct order *order, struct err *err)
{
    struct seen_list seen = {.count = 0};
    *order = (struct order){.first = 0};
    if (spool_due(spool, INT64_MAX, &order->list, err))
        return -1;
    order->mail = mem_array(order->list.count + 1, sizeof *order->mail);
    order->ready = mem_array(order->list.count + 1, sizeof *order->ready);
    for (size_t i = 0; i < order->list.count; i++)
        see(spool, now, order, i, &seen);
    make_rows(order, &seen);
    for (size_t i = 0; i < order->list.count; i++)
        if (order->mail[i].begins)
            go_on(order, i, false);
    return 0;
}

bool order_is_past(const struct order *order, size_t index)
{
    return order->mail[index].past;
}

bool order_take(struct order *order, size_t *index)
{
    if (order->first == order->count)
        return false;
    *index = order->ready[order->first++];
    order->in_hand++;
    return true;
}

void order_done(struct order *order, size_t index, enum spool_fate fate)
{
    const struct order_mail *mail = &order->mail[index];
    order->in_hand--;
    go_on(order, mail->next, mail->held || (fate == SPOOL_LATER && mail->holds));
}

void order_free(struct order *order)
{
    free(order->mail);
    free(order->ready);
    spool_list_free(&order->list);
    *order = (struct order){.first = 0};
}
