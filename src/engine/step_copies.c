/* Orders that come again: servers deliver a mail twice, and anybody can send a signed text in who has seen
 * it. */
#include <stdlib.h>

#include "base/encode.h"
#include "base/json.h"
#include "engine/step.h"
#include "engine/step_parts.h"

/* Format 2: the record's seal is the mark of text and signature. */
static bool holds_mark(const struct str *lines, const struct game *game, int seat,
                       const struct orders_input *input)
{
    unsigned char mark[SEAL_BYTES];
    json_t *document = json_pack("{s:o,s:O}", "text", json_text(input->exact), "signature", input->signature);
    bool found = seal_mark(mark, game_marked(game), seat, document) &&
                 record_lines_hold(slice_str(lines), "seal", mark);
    json_decref(document);
    return found;
}

static bool is_text(const struct sealed *sealed, int seat, struct slice exact)
{
    struct err ignored = ERR_INIT;
    if (sealed->seat != seat || sealed->item != SEAL_ORDERS)
        return false;
    json_t *payload = json_read(slice_str(&sealed->payload), "orders", &ignored);
    const char *text = json_string_value(json_object_get(payload, "text"));
    bool same = text && slice_eq(exact, text);
    json_decref(payload);
    return same;
}

/* The text itself stands in sealed.jsonl. */
static int sealed_holds(const struct step *step, const struct game *game, struct store *store, int seat,
                        struct slice exact, bool *found, struct err *err)
{
    struct str lines = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    int rc = store_read_sealed(store, game->id, &lines, err);
    *found = false;
    str_addslice(&lines, step->pending_sealed);
    sealed_set_read(&set, slice_str(&lines));
    for (size_t i = 0; rc == 0 && i < set.count && !*found; i++)
        *found = is_text(&set.list[i], seat, exact);
    sealed_set_release(&set);
    str_release(&lines);
    return rc;
}

static int journal_holds_mail(const struct step *step, const struct game *game, struct store *store,
                              const struct orders_input *input, struct str *lines, enum orders_copy *copy,
                              struct err *err)
{
    *copy = COPY_NONE;
    if (store_read_with(store, game->id, step->pending, lines, err))
        return -1;
    if (record_lines_hold(slice_str(lines), "mail", input->mail))
        *copy = COPY_MAIL;
    return 0;
}

int step_copy_undone(const struct step *step, const struct game *game, struct store *store,
                     const struct orders_input *input, enum orders_copy *copy, struct err *err)
{
    struct str lines = STR_INIT;
    bool found = false;
    int rc = journal_holds_mail(step, game, store, input, &lines, copy, err);
    if (rc == 0 && *copy == COPY_NONE)
        rc = sealed_holds(step, game, store, input->seat, input->exact, &found, err);
    if (found)
        *copy = COPY_TEXT;
    str_release(&lines);
    return rc;
}

int step_copy(const struct step *step, const struct game *game, struct store *store,
              const struct orders_input *input, enum orders_copy *copy, struct err *err)
{
    struct str lines = STR_INIT;
    bool found = false;
    int rc = journal_holds_mail(step, game, store, input, &lines, copy, err);
    if (rc == 0 && *copy == COPY_NONE && input->seat && game_marked(game))
        found = holds_mark(&lines, game, input->seat, input);
    else if (rc == 0 && *copy == COPY_NONE && input->seat)
        rc = sealed_holds(step, game, store, input->seat, input->exact, &found, err);
    if (found)
        *copy = COPY_TEXT;
    str_release(&lines);
    return rc;
}
