#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/game_seats.h"
#include "game/vouched.h"
#include "play/facts.h"
#include "play/headline.h"
#include "play/step.h"
#include "play/step_parts.h"
#include "play/trial.h"
#include "play/typos.h"
#include "trust/mail_proof.h"

/* Does any record come after one with this head? Rare: for mails that answer an old turn. */
static int journal_holds_head(const struct step *step, const char *head, bool *holds, struct err *err)
{
    struct str lines = STR_INIT, what = STR_INIT;
    str_addf(&what, "\"prev\":\"%s", head);
    int rc = step_read_journal(step, &lines, err);
    *holds = rc == 0 && slice_find(slice_str(&lines), what.p) != (size_t)-1;
    str_release(&what);
    str_release(&lines);
    return rc;
}

/* Was it lost? Then nobody has mistyped anything. */
static int journal_was_lost(const struct step *step, bool *lost, struct err *err)
{
    struct str lines = STR_INIT;
    int rc = step_read_journal(step, &lines, err);
    *lost = rc == 0 && slice_find(slice_str(&lines), "\"kind\":\"lost\"") != (size_t)-1;
    str_release(&lines);
    return rc;
}

static int judge_turn(const struct step *step, const struct game *game, const struct orders_input *input,
                      enum orders_fate *fate, struct err *err)
{
    const struct frame *frame = input->frame;
    bool holds = false;
    int rc = 0;
    *fate = ORDERS_TAKEN;
    if (game->turn == 0)
        *fate = ORDERS_NOT_BEGUN;
    else if (frame->turn < 0)
        *fate = ORDERS_NO_TURN;
    else if (frame->turn > game->turn && !game->over)
        *fate = game->clock.lockstep.on ? ORDERS_NOT_OPEN : ORDERS_FUTURE_TURN;
    else if (frame->turn < game->turn || game->over)
        *fate = game->over ? ORDERS_GAME_OVER : ORDERS_OLD_TURN;
    else if (frame->head[0] && !game_knows_head(game, frame->head)) {
        rc = journal_holds_head(step, frame->head, &holds, err);
        *fate = holds ? ORDERS_OLD_HEAD : ORDERS_UNKNOWN_HEAD;
        if (rc == 0 && !holds)
            rc = journal_was_lost(step, &holds, err);
        if (rc == 0 && holds && *fate == ORDERS_UNKNOWN_HEAD)
            *fate = ORDERS_LOST_HEAD;
    }
    return rc;
}

/* Bytes of a text as JSON writes it, for which the box in its record has room; beside a mail that vouches for it. */
#define SIGNED_MOST  90112
#define VOUCHED_MOST 24576
#define JSON_LONGEST 6 /* bytes that JSON may write for one */

static bool too_many(const struct game_seat *seat, struct slice text, bool by_mail)
{
    const size_t most = by_mail ? VOUCHED_MOST : SIGNED_MOST;
    return seat->texts >= ORDERS_TEXTS || seat->text_bytes + (int64_t)text.len > ORDERS_BYTES ||
           (text.len > most / JSON_LONGEST && json_text_size(text) > most);
}

/* When the mail came: not before what it answers, and not after the record that is made of it, whatever the clocks
 * say. */
static int64_t arrived(const struct step *step, const struct game *game, const struct orders_input *input)
{
    int64_t now = step_time(step, game), named = game_head_time(game, input->frame->head);
    int64_t time = input->proof->arrived < now ? input->proof->arrived : now;
    return time > named ? time : named;
}

static struct turn_rank rank_of(const struct step *step, const struct game *game,
                                const struct orders_input *input)
{
    struct turn_rank rank = {.by_mail = input->proof != NULL, .seq = input->frame->seq};
    if (input->proof)
        rank.written = vouched_written(input->proof->sent, arrived(step, game, input),
                                       game_head_time(game, input->frame->head));
    return rank;
}

/* Everything that can be wrong with well-signed orders, in the order in which a player should hear of it. */
static int judge_new(const struct step *step, const struct game *game, const struct orders_input *input,
                     enum orders_fate *fate, struct err *err)
{
    const struct game_seat *seat = &game->seat[input->seat];
    const struct turn_rank rank = rank_of(step, game, input);
    if (judge_turn(step, game, input, fate, err))
        return -1;
    if (*fate != ORDERS_TAKEN)
        return 0;
    if (input->proof ? !game_takes_mail(game, input->seat) : !seat_has_key(seat, input->key))
        *fate = input->proof ? ORDERS_BELOW : ORDERS_WRONG_KEY;
    else if (game->closed)
        *fate = ORDERS_CLOSED;
    else if (!game_may_order(game, input->seat))
        *fate = ORDERS_NOT_AWAITED;
    else if (game_knows_text(game, input->seat, input->canonical))
        *fate = ORDERS_SEEN_TEXT;
    else if (turn_outranks(&seat->orders, &rank))
        *fate = !input->proof ? ORDERS_LOWER_SEQ : seat->orders.by_mail ? ORDERS_EARLIER : ORDERS_BELOW;
    else if (!game_whole_head(input->frame->head))
        *fate = ORDERS_NO_HEAD;
    else if (too_many(seat, input->exact, input->proof != NULL))
        *fate = ORDERS_TOO_MANY;
    bool counted = false;
    if (input->proof && (*fate == ORDERS_TAKEN || *fate == ORDERS_EARLIER) &&
        step_mail_counted(step, game, input, &counted, err))
        return -1;
    if (counted)
        *fate = ORDERS_SEEN_TEXT;
    return 0;
}

/* Can orders that are refused for this reason have been accepted earlier? */
static bool had_its_time(const struct game *game, const struct orders_input *input, enum orders_fate fate)
{
    return fate == ORDERS_OLD_TURN || fate == ORDERS_GAME_OVER || fate == ORDERS_CLOSED ||
           fate == ORDERS_OLD_HEAD || fate == ORDERS_UNKNOWN_HEAD || fate == ORDERS_LOST_HEAD ||
           fate == ORDERS_NOT_AWAITED || fate == ORDERS_WRONG_KEY || fate == ORDERS_SEEN_TEXT ||
           (fate == ORDERS_FUTURE_TURN && input->frame->turn <= game->opened.undone);
}

/* A copy of accepted orders is reported as a copy and nothing else. Texts that may be accepted now are not
 * copies: they name a head that was issued since the turn was opened, or opened again by a rollback, and the
 * game knows those accepted since then. */
static int judge(const struct step *step, const struct game *game, const struct orders_input *input,
                 enum orders_fate *fate, struct err *err)
{
    int rc = judge_new(step, game, input, fate, err);
    if (rc == 0 && had_its_time(game, input, *fate))
        rc = step_copy(step, game, input, fate, err);
    return rc;
}

static bool asks_for(const struct script *script, const char *word)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->kind == LINE_COMMON && strcmp(line->verb, word) == 0)
            return true;
    }
    return false;
}

/* Lines "turn 6" among the orders say for which turn they are, as the frame does. Only the player of a solo
 * game may write for several turns at once, unless it is in lockstep. */
static bool names_other_turn(const struct game *game, struct slice rest, enum orders_fate *fate)
{
    int number = rest.len ? turn_line(rest) : game->turn;
    if (game->clock.lockstep.on && number > game->turn) {
        *fate = ORDERS_NOT_OPEN;
        return true;
    }
    if (number == game->turn || (game->seats == 1 && number == game->turn + 1))
        return false;
    *fate = ORDERS_OTHER_TURN;
    return true;
}

int step_instant(struct step *step, struct game *game, int seat, json_t **list, struct err *err)
{
    struct events events;
    unsigned char state_digest[32], events_digest[32];
    void *state = mem_copy(game->state, game->ruleset->state_size);
    uint32_t told = 0;
    events_init(&events);
    turn_instant(game, seat, state, &events);
    fields_digest(game->ruleset->fields, state, state_digest);
    *list = events_json(&events, -1);
    turn_events_digest(events_digest, &events);
    for (size_t i = 0; i < events.count; i++)
        told |= events.list[i].visible;
    json_t *fields = json_pack("{s:s,s:i,s:i,s:o,s:o}", "kind", "instant", "turn", game->turn, "seat", seat,
                               "state", json_hex(state_digest, 32), "events", json_hex(events_digest, 32));
    int rc = step_record(step, game, "note", fields, NULL, err);
    for (int other = 1; rc == 0 && other <= game->seats; other++) {
        if (other == seat || game->seat[other].robot || !(told & SEAT_BIT(other)))
            continue;
        json_t *facts = facts_game(game, other);
        facts_news(facts, game, other, *list);
        headline_between(facts, game, other, *list);
        step_post(step, game, POST_NOTICE, other, facts);
    }
    events_release(&events);
    free(state);
    return rc;
}

/* How the text wants to be treated, and what it is. */
struct manner {
    int seat;
    struct script *script; /* owned; NULL once a receipt owns it */
    bool again;            /* after a crash */
    bool resigned;         /* so it is recorded already */
    bool wait, final, json, replaces;
    bool kept; /* they are the orders in force, given again */
    enum content content;
    struct slice later; /* "turn n" and what follows */
    json_t *wrong;      /* owned: the lines for which it waits (or would), NULL = it does not (or `again`) */
    const json_t *unread; /* orders_input has them */
    bool unsettled;       /* it waits because of them */
};

/* Only questions: HELP, RULES, STATUS, STANDING. */
static bool asks_only(const struct script *script)
{
    for (size_t i = 0; i < script_line_count(script); i++)
        if (script_line(script, i)->kind != LINE_COMMON)
            return false;
    return script_line_count(script) > 0;
}

/* Only what is done at once, whoever's turn it is. */
static bool deals_only(const struct script *script)
{
    for (size_t i = 0; i < script_line_count(script); i++)
        if (!script_line_instant(script, i))
            return false;
    return script_line_count(script) > 0;
}

/* How much more may be sent, if that is not much. */
static void facts_left(json_t *facts, const struct game_seat *seat)
{
    int64_t bytes = ORDERS_BYTES - seat->text_bytes;
    int texts = ORDERS_TEXTS - seat->texts;
    bool few = texts <= ORDERS_WARN || bytes < ORDERS_WARN * ORDERS_BYTES / ORDERS_TEXTS;
    json_object_set_new(facts, "few_left", json_boolean(few));
    json_object_set_new(facts, "texts_left", json_integer(texts > 0 ? texts : 0));
    json_object_set_new(facts, "kb_left", json_integer(bytes > 0 ? bytes / 1024 : 0));
}

/* A receipt that is cheap, however much its player sends. */
static void post_short_receipt(struct step *step, const struct game *game, int seat, json_t *facts)
{
    json_object_set_new(facts, "whole_receipts", json_integer(RECEIPTS_WHOLE));
    step_post(step, game, POST_RECEIPT, seat, facts);
    step->posts[step->post_count - 1].brief = true;
}

/* "help conquer": that word alone. */
static void facts_help(json_t *facts, const struct game *game, const struct script *script)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        struct slice rest = line->rest, word;
        if (line->kind == LINE_COMMON && strcmp(line->verb, "help") == 0 && slice_word(&rest, &word) &&
            !slice_trim(rest).len)
            facts_word(facts, game->ruleset, word);
    }
}

#define INSTEAD_MOST 5

/* Suggestions that may be taken in place of orders that need a fix; their numbers are those of the report. */
static void facts_instead(json_t *facts, const struct game *game, int seat)
{
    facts_view(facts, game, seat);
    const json_t *lines = json_object_get(json_object_get(facts, "form"), "lines");
    json_t *instead = json_array();
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line)
        if (i < INSTEAD_MOST)
            json_array_append(instead, line);
    if (json_array_size(instead))
        json_object_set_new(facts, "instead", json_pack("{s:O}", "lines", instead));
    json_decref(instead);
}

/* What became of the text as a whole. */
static void facts_manner(json_t *facts, const struct game *game, const struct manner *manner)
{
    bool nothing = manner->content == CONTENT_NOTHING, standing = manner->content == CONTENT_STANDING;
    bool open = game_missing(game) & SEAT_BIT(manner->seat);
    json_object_set_new(facts, "replaces", json_boolean(manner->replaces && !manner->kept));
    json_object_set_new(facts, "wait", json_boolean(manner->wait));
    json_object_set_new(facts, "kept_final", json_boolean(manner->kept && manner->final));
    json_object_set_new(facts, "kept_open", json_boolean(manner->kept && manner->wait));
    json_object_set_new(facts, "nothing_taken", json_boolean(nothing));
    json_object_set_new(facts, "questions", json_boolean(nothing && asks_only(manner->script)));
    facts_later(facts, manner->later);
    json_object_set_new(facts, "standing_only", json_boolean(standing));
    json_object_set_new(facts, "still_open", json_boolean(standing && open));
}

static void post_receipt(struct step *step, const struct game *game, enum post_kind kind,
                         struct manner *manner, const json_t *told)
{
    int seat = manner->seat;
    struct script *script = manner->script;
    json_t *facts = facts_game(game, seat);
    if (told) {
        facts_news(facts, game, seat, told);
        json_object_set_new(facts, "has_news",
                            json_boolean(json_array_size(json_object_get(facts, "news")) > 0));
        if (manner->content == CONTENT_STANDING && deals_only(script))
            headline_between(facts, game, seat, told);
    }
    json_object_set_new(facts, "at_once", json_boolean(json_object_get(facts, "headline") != NULL));
    facts_manner(facts, game, manner);
    json_object_set_new(facts, "tried", json_boolean(kind == POST_TRIED));
    if (kind == POST_RECEIPT && manner->content == CONTENT_ORDERS && game->seat[seat].orders.vouched)
        json_object_set_new(facts, "voucher", vouched_facts(game->seat[seat].orders.vouched));
    facts_left(facts, &game->seat[seat]);
    if (manner->unread)
        facts_not_read(facts, manner->unread, manner->unsettled);
    if (kind == POST_RECEIPT && manner->content == CONTENT_ORDERS && (manner->wrong || !manner->unsettled))
        typos_facts(facts, game, seat, manner->wrong);
    else if (manner->wrong)
        json_object_set_new(facts, "would_wait",
                            json_pack("{s:b}", "several", json_array_size(manner->wrong) > 1));
    if (json_object_get(facts, "typo") && game_takes_mail(game, seat))
        facts_instead(facts, game, seat);
    if (kind == POST_RECEIPT && game->seat[seat].texts > RECEIPTS_WHOLE) {
        post_short_receipt(step, game, seat, facts);
        return;
    }
    json_object_set_new(facts, "resigned", json_boolean(game->seat[seat].robot));
    bool help = asks_for(script, "help"), rules = asks_for(script, "rules");
    json_object_set_new(facts, "wants_help", json_boolean(help));
    facts_help(facts, game, script);
    json_object_set_new(facts, "wants_rules", json_boolean(rules));
    json_object_set_new(facts, "wants_status", json_boolean(asks_for(script, "status")));
    if (asks_for(script, "status") || manner->json)
        facts_view(facts, game, seat);
    facts_standing(facts, game, seat);
    step_post(step, game, kind, seat, facts);
    struct post *post = &step->posts[step->post_count - 1];
    post->prose = help || rules;
    post->json = manner->json;
    post->trial = trial_new(game, seat, script, told);
    manner->script = NULL;
}

static json_t *orders_fields(struct step *step, const struct game *game, const struct orders_input *input,
                             bool waits)
{
    json_t *text =
        json_pack("{s:o,s:o}", "text", json_text(input->exact), "signature",
                  input->proof ? step_domain_signature(input->proof) : json_incref(input->signature));
    json_t *fields = json_pack("{s:i,s:i,s:o}", "turn", game->turn, "seat", input->seat, "mail",
                               json_hex(input->mail, 32));
    step_box_orders(step, game, input->seat, text, fields);
    if (input->proof) {
        struct mail_proof proof = *input->proof;
        proof.arrived = arrived(step, game, input);
        json_object_set_new(fields, "vouched", step_vouched(step, game, input->seat, &proof, VOUCHED_KEPT));
    }
    if (waits)
        json_object_set_new(fields, "waits", json_true());
    return fields;
}

/* Only a question, or a resignation, is answered apart from the report. */
static bool may_merge(const struct script *script)
{
    static const char *const apart[] = {"help", "rules", "status", "resign", NULL};
    for (int i = 0; apart[i]; i++)
        if (asks_for(script, apart[i]))
            return false;
    return true;
}

bool step_may_merge(const struct game *game)
{
    struct script *script = script_parse(slice_str(&game->journal.led_lines), game->ruleset->language);
    bool may = may_merge(script);
    script_free(script);
    return may;
}

#define NO_RECEIPT SIZE_MAX

/* When a report of the turn leaves in the same step, it is the receipt as well, and says what was not read; also when
 * a crash came between the two, which has left none. */
static void merge_receipt(struct step *step, size_t receipt, int seat)
{
    for (size_t i = receipt == NO_RECEIPT ? 0 : receipt + 1; i < step->post_count; i++) {
        struct post *post = &step->posts[i];
        if (post->kind != POST_REPORT || post->seat != seat)
            continue;
        post->replies = true;
        json_object_set_new(post->facts, "receipt", json_true());
        if (receipt != NO_RECEIPT) {
            json_t *unread = json_object_get(step->posts[receipt].facts, "not_read");
            if (unread)
                json_object_set(post->facts, "not_read", unread);
            step_drop_post(step, receipt);
        }
        return;
    }
}

/* What follows the record: resigning, deals, the receipt, the turn if all are in. After a crash the receipt
 * is already in the spool unless another record was to follow. */
static int finish_orders(struct step *step, struct game *game, struct manner *manner, struct err *err)
{
    int seat = manner->seat;
    bool resigns = asks_for(manner->script, "resign");
    bool deals = game->ruleset->instant && script_has_instant(manner->script);
    bool merge = may_merge(manner->script);
    size_t receipt = NO_RECEIPT;
    json_t *told = NULL;
    int rc = resigns && !manner->resigned ? step_resign_record(step, game, seat, NULL, err) : 0;
    if (rc == 0 && deals)
        rc = step_instant(step, game, seat, &told, err);
    if (rc == 0 && (!manner->again || resigns || deals)) {
        receipt = step->post_count;
        post_receipt(step, game, POST_RECEIPT, manner, told);
    }
    json_decref(told);
    if (rc)
        return -1;
    /* In lockstep the clock plays the turn, when all that came before its deadline has been read. */
    if (game->clock.lockstep.on || !step_ripe(step, game) || !(game_awaited(game) || resigns))
        return 0;
    rc = step_resolve(step, game, err);
    if (rc == 0 && merge)
        merge_receipt(step, receipt, seat);
    return rc;
}

void step_merge_receipt(struct step *step, int seat)
{
    merge_receipt(step, NO_RECEIPT, seat);
}

int step_orders_continue(struct step *step, struct game *game, struct err *err)
{
    const struct game_seat *seat = &game->seat[game->journal.last_seat];
    const bool resigned = strcmp(game->journal.last_type, "seat") == 0;
    bool fresh = seat->orders.in && seat->orders.record == game->seq - resigned;
    struct manner manner = {
        .seat = game->journal.last_seat,
        .script = script_parse(fresh ? slice_str(&seat->orders.text) : slice_str(&game->journal.led_lines),
                               game->ruleset->language),
        .again = true,
        .resigned = resigned,
        .wait = seat->orders.wait,
        .json = seat->orders.json,
        .content = fresh ? CONTENT_ORDERS : CONTENT_STANDING,
        .later = fresh ? slice_str(&seat->orders.later) : (struct slice){NULL, 0},
    };
    int rc = finish_orders(step, game, &manner, err);
    script_free(manner.script);
    return rc;
}

int step_orders(struct step *step, struct game *game, const struct orders_input *input,
                enum orders_fate *fate, struct err *err)
{
    const struct frame *frame = input->frame;
    int rc = judge(step, game, input, fate, err);
    /* A dry run stores nothing, so it need neither be newer than what is in force nor name a head. */
    bool current = *fate == ORDERS_TAKEN || *fate == ORDERS_LOWER_SEQ || *fate == ORDERS_EARLIER ||
                   *fate == ORDERS_SEEN_TEXT || *fate == ORDERS_NO_HEAD || *fate == ORDERS_TOO_MANY;
    if (rc || !current)
        return rc;
    struct slice later;
    struct str named = STR_INIT;
    turn_names(&named, game, frame->body);
    const struct slice now = turn_block(slice_str(&named), game->turn, &later);
    struct script *script = script_parse(now, game->ruleset->language);
    struct manner manner = {.seat = input->seat,
                            .script = script,
                            .wait = frame->wait,
                            .final = frame->final,
                            .json = frame->json,
                            .content = turn_content(script),
                            .later = later,
                            .unread = input->unread};
    bool dry = asks_for(script, "try") || manner.content == CONTENT_NOTHING;
    if (names_other_turn(game, later, fate) || (*fate != ORDERS_TAKEN && !dry))
        goto out;
    if (dry) {
        *fate = ORDERS_TRIED;
        manner.wrong = typos_wait(game, input->seat, script, frame->final);
        post_receipt(step, game, POST_TRIED, &manner, NULL);
        goto out;
    }
    const struct game_orders *before = &game->seat[input->seat].orders;
    manner.replaces = manner.content == CONTENT_ORDERS && before->in;
    manner.kept = manner.replaces && before->text.len == now.len && !later.len &&
                  memcmp(before->text.p, now.p, now.len) == 0;
    if (game_leaves_room(game, input->seat, input->exact.len)) { /* for better ones */
        manner.wrong = typos_wait(game, input->seat, script, frame->final);
        manner.unsettled = input->goes_on && game->clock.typo_wait && !frame->final && turn_may_wait(script);
    }
    rc = step_record(step, game, "orders", orders_fields(step, game, input, manner.wrong || manner.unsettled),
                     NULL, err);
    if (rc)
        goto out;
    step->orders++;
    rc = finish_orders(step, game, &manner, err);
out:
    script_free(manner.script);
    json_decref(manner.wrong);
    str_release(&named);
    return rc;
}
