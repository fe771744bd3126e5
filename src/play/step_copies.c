/* Orders that come again: servers deliver a mail twice, and anybody who has seen a signed text can send it
 * in. The answer to a copy says what happened to the first one. */
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "game/past.h"
#include "play/replies.h"
#include "play/step.h"
#include "play/step_parts.h"
#include "trust/canon.h"

static void open_line(const struct seal_keys *keys, struct slice line, struct sealed_set *set)
{
    struct err ignored = ERR_INIT;
    json_t *record = json_read(line, "record", &ignored);
    sealed_open(set, keys, record);
    json_decref(record);
}

/* The records with the mark of this text, from whichever seat. */
static void find_marked(const struct seal_keys *keys, const struct game *game,
                        const struct orders_input *input, struct slice journal, struct sealed_set *set)
{
    json_t *payload =
        json_pack("{s:o,s:o}", "text", json_text(input->exact), "signature",
                  input->proof ? step_domain_signature(input->proof) : json_incref(input->signature));
    for (int seat = 1; seat <= game->seats; seat++) {
        unsigned char mark[SEAL_BYTES];
        char what[2 * SEAL_BYTES + 16] = "\"seal\":\"";
        struct slice rest = journal, line;
        if (!seal_mark(mark, game->journal.create_head, seat, payload))
            continue;
        hex_to(what + strlen(what), mark, sizeof mark);
        while (slice_find_line(&rest, what, &line))
            open_line(keys, line, set);
    }
    json_decref(payload);
}

/* The records that may have this text. One that the game knows may have been signed with other bytes. */
static void find_records(const struct step *step, const struct game *game, const struct orders_input *input,
                         struct slice journal, struct sealed_set *set)
{
    struct seal_keys keys = {.seals = true};
    struct slice rest = journal, line;
    game_seal_key(keys.seal, step->keys.master, game);
    find_marked(&keys, game, input, journal, set);
    if (!set->count && input->seat && game_knows_text(game, input->seat, input->canonical))
        while (slice_find_line(&rest, "\"type\":\"orders\"", &line))
            open_line(&keys, line, set);
    sodium_memzero(&keys, sizeof keys);
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

/* The record that the box is of. */
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
    int rc = step_read_journal(step, &journal, err);
    if (rc == 0)
        find_records(step, game, input, slice_str(&journal), &set);
    for (size_t i = 0; rc == 0 && i < set.count; i++)
        weigh(game, &set.list[i], input, slice_str(&journal), fate);
    sealed_set_release(&set);
    str_release(&journal);
    return rc;
}
