/* Orders: everything that live play checks before they are accepted (step_orders.c), checked again. */
#include <string.h>

#include "base/json.h"
#include "audit/audit_parts.h"
#include "game/turn.h"

static bool says(const struct script *script, const char *word)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind == LINE_COMMON && strcmp(line->verb, word) == 0)
            return true;
    }
    return false;
}

/* The lines themselves; what must come after the record is noted. */
int audit_lines(struct auditing *a, int seat, struct slice body)
{
    const struct game *game = &a->game;
    struct slice later;
    struct str named = STR_INIT;
    int rc = 0;
    turn_names(&named, game, body);
    struct script *script =
        script_parse(turn_block(slice_str(&named), game->turn, &later), game->ruleset->language);
    int next = later.len ? turn_line(later) : game->turn;
    if (turn_content(script) == CONTENT_NOTHING || says(script, "try"))
        rc = audit_broken(a, AUDIT_TEXT, seat, "the signed text holds nothing that could be accepted");
    else if (next != game->turn && !(game->seats == 1 && next == game->turn + 1))
        rc = audit_broken(a, AUDIT_TEXT, seat, "the signed text holds orders for other turns");
    a->resigns = rc == 0 && says(script, "resign") ? seat : 0;
    a->instant = rc == 0 && game->ruleset->instant && script_has_instant(script) ? seat : 0;
    script_free(script);
    str_release(&named);
    return rc;
}

int audit_waits(struct auditing *a, int seat, const struct script *script, bool final)
{
    bool unread = false, waits = audit_has(a, "waits");
    bool may = a->game.clock.typo_wait && !final && turn_may_wait(script);
    for (size_t i = 0; i < script_line_count(script); i++)
        unread |= turn_line_unread(script_line(script, i));
    if (waits && !may)
        return audit_broken(a, AUDIT_ORDER, seat, "orders are said to wait for better ones that may not");
    if (unread && may && !waits)
        return audit_broken(a, AUDIT_ORDER, seat,
                            "a line was not understood, and the orders do not wait for better ones");
    return 0;
}

static int check_text(struct auditing *a, int seat, const struct audit_signed *text)
{
    const struct game *game = &a->game;
    const struct game_orders *before = &game->seat[seat].orders;
    const bool by_mail = text->vouched.cutter != 0;
    const int64_t named = game_head_time(game, text->frame.head);
    const int64_t written = by_mail ? vouched_written(text->vouched.sent, text->vouched.arrived, named) : 0;
    const struct turn_rank rank = {by_mail, text->frame.seq, written};
    if (text->frame.turn != game->turn)
        return audit_broken(a, AUDIT_TEXT, seat, "the signed text does not name the open turn");
    if (!a->full)
        return 0;
    if (!game_may_order(game, seat))
        return audit_broken(a, AUDIT_RULES, seat, "orders of a seat that is not awaited were accepted");
    if (game_knows_text(game, seat, slice_str(&text->text)))
        return audit_broken(a, AUDIT_TEXT, seat, "the same text was accepted before in this turn");
    if (turn_outranks(before, &rank) && rank.by_mail != before->by_mail)
        return audit_broken(a, AUDIT_TEXT, seat,
                            "a mail domain vouches for it, and it replaces orders that a key has signed");
    if (turn_outranks(before, &rank) && by_mail)
        return audit_broken(
            a, AUDIT_TEXT, seat,
            "the mail that vouches for it was written before the one whose orders it replaces");
    if (turn_outranks(before, &rank))
        return audit_broken(
            a, AUDIT_TEXT, seat,
            "the signed text has number %d and replaces one with number %d, which is not lower",
            text->frame.seq, before->seq);
    return audit_lines(a, seat, text->frame.body);
}

/* `length`: of the text as it was signed. */
static int check_waits(struct auditing *a, int seat, const struct frame *frame, size_t length)
{
    const struct game *game = &a->game;
    struct slice later;
    struct str named = STR_INIT;
    if (!a->full && frame->final && audit_has(a, "waits"))
        return audit_broken(a, AUDIT_ORDER, seat, "orders that are final are said to wait for better ones");
    if (!a->full || (!game->clock.typo_wait && !audit_has(a, "waits"))) /* else audit_public.c */
        return 0;
    turn_names(&named, game, frame->body);
    struct script *script =
        script_parse(turn_block(slice_str(&named), game->turn, &later), game->ruleset->language);
    int rc = audit_waits(a, seat, script, frame->final || !game_leaves_room(game, seat, length));
    script_free(script);
    str_release(&named);
    return rc;
}

static void note_page(struct audit_orders *orders, const char *page)
{
    size_t i = 0;
    while (i < AUDIT_PAGES && *orders->pages[i] && strcmp(orders->pages[i], page) != 0)
        i++;
    if (i < AUDIT_PAGES)
        memcpy(orders->pages[i], page, strlen(page) + 1);
}

/* Which of its keys has signed may be sealed. */
static void note_pages(struct auditing *a, int seat)
{
    const struct game_seat *owner = &a->game.seat[seat];
    for (size_t i = 0; i < owner->key_count; i++) {
        const char *page = pubkey_page(&owner->keys[i]);
        if (page)
            note_page(&a->out->orders[seat], page);
    }
}

/* With a second text for one turn whoever takes them in can choose between them, and nobody sees it but the seat. */
static void count_text(struct auditing *a, int seat)
{
    struct audit_texts *texts = &a->texts[seat];
    if (memcmp(texts->head, a->game.opened.head, HEAD_BYTES) != 0)
        texts->count = 0;
    memcpy(texts->head, a->game.opened.head, HEAD_BYTES);
    a->out->orders[seat].keys += !audit_has(a, "vouched");
    note_pages(a, seat);
    a->out->several += ++texts->count == 2;
}

static int check_orders(struct auditing *a)
{
    struct audit_signed text = {.text = STR_INIT, .body = STR_INIT};
    int seat = audit_seat(a);
    const struct audit_signer signer = audit_signer(a, seat);
    if (a->game.seat[seat].robot)
        return audit_broken(a, AUDIT_ORDER, seat, "orders of a seat that a robot plays");
    if (audit_vouched(a, seat))
        return -1;
    if (!audit_has(a, "vouched") && !signer.count)
        return audit_broken(a, AUDIT_SIGNATURE, seat, "no key could have signed it: the seat has none");
    count_text(a, seat);
    if (!audit_may_open(a, seat, SEAL_ORDERS))
        return 0;
    json_t *payload;
    const struct sealed *sealed = audit_signed_payload(a, seat, seat, audit_text(a, "seal"), &payload);
    if (!sealed)
        return audit_box_wrong(a, seat, SEAL_ORDERS);
    int rc =
        json_object_size(payload) != 2 ? audit_broken(a, AUDIT_FORM, seat, "its payload cannot be read") : 0;
    if (rc == 0)
        rc = audit_canonical(a, seat, sealed, payload);
    if (rc == 0)
        rc = audit_has(a, "vouched")
                 ? audit_vouched_text(a, json_object_get(a->record->json, "vouched"), payload,
                                      &(struct audit_mailed){seat, "orders"}, &text)
                 : audit_signed(a, payload, "orders", &signer, &text);
    if (rc == 0)
        rc = check_text(a, seat, &text);
    if (rc == 0)
        rc = check_waits(a, seat, &text.frame, json_string_length(json_object_get(payload, "text")));
    audit_signed_release(&text);
    json_decref(payload);
    return rc;
}

/* A text counts once. Its mark shows that, even where the text is sealed. */
int audit_orders(struct auditing *a)
{
    unsigned char mark[32];
    if (check_orders(a))
        return -1;
    bool again = audit_hex(a, "seal", mark) && !digests_add(&a->seen.marks, mark);
    return again ? audit_broken(a, AUDIT_TEXT, audit_seat(a), "the same text was accepted before") : 0;
}
