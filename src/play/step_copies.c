/* Orders that come again: servers deliver a mail twice, and anybody who has seen a signed text can send it
 * in. The answer to a copy says what happened to the first one. */
#include <stdio.h>

#include "base/json.h"
#include "game/past.h"
#include "play/replies.h"
#include "play/step.h"
#include "play/step_parts.h"
#include "trust/canon.h"

/* What the payload of these orders ends with, as it is in a line of sealed.jsonl. */
static void add_needle(struct str *out, const struct orders_input *input)
{
    struct str payload = STR_INIT, quoted = STR_INIT;
    json_t *text = json_pack("{s:o}", "text", json_text(input->exact));
    json_write(&payload, text);
    json_write_string(&quoted, payload.p + 1, payload.len - 1); /* the signature comes before it */
    str_addf(out, "%s,\"s", quoted.p + 1);
    json_decref(text);
    str_release(&payload);
    str_release(&quoted);
}

/* The lines that may belong to this text. A text that the game knows may have been signed with other
 * bytes. */
static int read_sealed(const struct step *step, const struct game *game, const struct orders_input *input,
                       struct sealed_set *set, struct err *err)
{
    struct str lines = STR_INIT, needle = STR_INIT;
    struct slice line;
    int rc = step_read_sealed(step, &lines, err);
    struct slice rest = slice_str(&lines);
    add_needle(&needle, input);
    while (rc == 0 && slice_find_line(&rest, needle.p, &line))
        sealed_set_read(set, line);
    if (rc == 0 && !set->count && input->seat && game_knows_text(game, input->seat, input->canonical))
        sealed_set_read(set, slice_str(&lines));
    str_release(&lines);
    str_release(&needle);
    return rc;
}

/* Is it this text, from this seat or by this key? */
static bool is_text(const struct sealed *sealed, const json_t *payload, const struct orders_input *input)
{
    const char *text = json_string_value(json_object_get(payload, "text"));
    struct str canonical = STR_INIT;
    if (sealed->item != SEAL_ORDERS || !text ||
        (sealed->seat != input->seat &&
         !json_equal(json_object_get(json_object_get(payload, "signature"), "key"),
                     json_object_get(input->signature, "key"))))
        return false;
    canon_text(&canonical, slice_of(text));
    bool same = slice_eq(input->canonical, canonical.p);
    str_release(&canonical);
    return same;
}

/* The record that the line belongs to; none, if a run ended before it was written. */
static bool find_record(const struct game *game, const struct sealed *sealed, const json_t *payload,
                        struct slice journal, struct slice *line)
{
    unsigned char seal[SEAL_BYTES];
    char what[48];
    (void)snprintf(what, sizeof what, "\"seq\":%lld,\"prev\":\"", (long long)sealed->seq);
    if (sealed->salted)
        seal_of(seal, sealed->salt, slice_str(&sealed->payload));
    else if (!seal_mark(seal, game->journal.create_head, sealed->seat, payload))
        return false;
    return slice_find_line(&journal, what, line) && record_lines_hold(*line, "seal", seal);
}

/* What happened to the orders of that record. */
static enum orders_fate fate_of(const struct game *game, const struct sealed *sealed,
                                const struct orders_input *input, struct slice journal)
{
    const struct game_seat *seat = &game->seat[sealed->seat];
    bool plays = !game->over && (!seat->robot || seat->late);
    if (past_undone(journal, sealed->seq))
        return ORDERS_UNDONE;
    if (plays && seat->orders.in && seat->orders.record == sealed->seq)
        return ORDERS_SEEN_TEXT;
    return !game->over && input->frame->turn == game->turn ? ORDERS_REPLACED : ORDERS_COPY;
}

/* A text has more than one record where two players have had one seat: then
 * the last one that no rollback has undone is reported. */
static void weigh(const struct game *game, const struct sealed *sealed, const struct orders_input *input,
                  struct slice journal, enum orders_fate *fate)
{
    struct err ignored = ERR_INIT;
    struct slice line;
    json_t *payload = json_read(slice_str(&sealed->payload), "orders", &ignored);
    if (sealed->seat <= game->seats && is_text(sealed, payload, input) &&
        find_record(game, sealed, payload, journal, &line) && *fate != ORDERS_SEEN_MAIL) {
        enum orders_fate found = record_lines_hold(line, "mail", input->mail)
                                     ? ORDERS_SEEN_MAIL
                                     : fate_of(game, sealed, input, journal);
        if (found != ORDERS_UNDONE || !orders_copied(*fate))
            *fate = found;
    }
    json_decref(payload);
}

int step_mail_counted(const struct step *step, const struct game *game, const struct orders_input *input,
                      bool *counted, struct err *err)
{
    struct str lines = STR_INIT;
    int rc = step_read_journal(step, &lines, err);
    *counted = rc == 0 && reply_counted(game, input->seat, input->proof, slice_str(&lines));
    str_release(&lines);
    return rc;
}

bool orders_copied(enum orders_fate fate)
{
    return fate == ORDERS_SEEN_MAIL || fate == ORDERS_SEEN_TEXT || fate == ORDERS_REPLACED ||
           fate == ORDERS_COPY || fate == ORDERS_UNDONE;
}

int step_copy(const struct step *step, const struct game *game, const struct orders_input *input,
              enum orders_fate *fate, struct err *err)
{
    struct sealed_set set = {NULL, 0, 0};
    struct str journal = STR_INIT;
    int rc = read_sealed(step, game, input, &set, err);
    if (rc == 0 && set.count)
        rc = step_read_journal(step, &journal, err);
    for (size_t i = 0; rc == 0 && i < set.count; i++)
        weigh(game, &set.list[i], input, slice_str(&journal), fate);
    sealed_set_release(&set);
    str_release(&journal);
    return rc;
}
