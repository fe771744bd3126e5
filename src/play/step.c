#include "play/step.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/mem.h"
#include "game/apply.h"
#include "game/entry.h"
#include "play/facts.h"
#include "play/step_parts.h"
#include "play/trial.h"
#include "game/view.h"

void step_init(struct step *step, const struct step_keys *keys, int64_t now)
{
    memset(step, 0, sizeof *step);
    step->keys = *keys;
    step->now = now;
    str_init(&step->records);
    str_init(&step->entries);
}

static void post_release(struct post *post)
{
    json_decref(post->attach);
    json_decref(post->facts);
    json_decref(post->press);
    trial_free(post->trial);
    view_drop(post->view);
    str_release(&post->opens);
}

void step_drop_post(struct step *step, size_t at)
{
    post_release(&step->posts[at]);
    memmove(&step->posts[at], &step->posts[at + 1], (step->post_count - at - 1) * sizeof *step->posts);
    step->post_count--;
}

void step_release(struct step *step)
{
    for (size_t i = 0; i < step->post_count; i++)
        post_release(&step->posts[i]);
    free(step->posts);
    json_decref(step->begun);
    str_release(&step->records);
    str_release(&step->entries);
    sealed_set_release(&step->opened);
}

int step_read_journal(const struct step *step, struct str *lines, struct err *err)
{
    return step->before.journal ? step->before.journal(step->before.arg, lines, err) : 0;
}

/* Time in a journal never runs backwards, no matter what the host's clock does; deadlines are counted from
 * it. */
int64_t step_time(const struct step *step, const struct game *game)
{
    return step->now > game->time ? step->now : game->time;
}

static void note_entry(struct step *step, const struct game *game, const struct record *record, size_t from)
{
    struct step_proofs *proofs = &step->proofs;
    game_entry(&step->entries, game, record);
    if (strcmp(record->type, "orders") == 0) {
        proofs->text = record->seq;
        proofs->text_seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    }
    if (strcmp(record->type, "close") == 0)
        proofs->close = record->seq;
    if (strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0) {
        const int turn = (int)json_integer_value(json_object_get(record->json, "turn"));
        proofs->turn = record->seq;
        proofs->line = from;
        proofs->extra.len = game_entry_extra(proofs->extra.bytes, game, turn);
    }
}

/* Beside its own record. */
static void add_proofs(const struct step *step, struct post *post)
{
    const struct step_proofs *proofs = &step->proofs;
    const bool reports = post->kind == POST_REPORT || post->kind == POST_WELCOME;
    const int64_t records[POST_PROVES] = {post->seat && post->seat == proofs->text_seat ? proofs->text : 0,
                                          reports ? proofs->close : 0, reports ? proofs->turn : 0};
    for (int i = 0; i < POST_PROVES; i++)
        post->proves[i] = records[i] == post->seq ? 0 : records[i];
    if (reports)
        post->extra = proofs->extra;
}

int step_record(struct step *step, struct game *game, const char *type, json_t *fields,
                struct turn_result *result, struct err *err)
{
    struct record record;
    size_t from = step->records.len;
    int64_t time = step_time(step, game);
    if (record_make(&step->records,
                    &(struct record_text){{game->id, game->seq + 1, game->head}, type, time, fields}, &record,
                    err))
        return -1;
    struct apply_input input = {&record,       game->journal.length + (int64_t)(step->records.len - from),
                                &step->opened, result,
                                step->past,    false};
    int rc = step->gate.before ? step->gate.before(step->gate.arg, game, &input, err) : 0;
    if (rc == 0)
        rc = game_apply(game, &input, err);
    if (rc == 0)
        note_entry(step, game, &record, from);
    if (rc == 0 && step->gate.after)
        rc = step->gate.after(step->gate.arg, game, err);
    if (rc && err->code == ERR_BROKEN) /* replay would refuse it */
        err->code = ERR_UNSOUND;
    record_release(&record);
    return rc;
}

json_t *step_seal(struct step *step, const struct game *game, int seat, int item, struct slice payload)
{
    unsigned char key[32], seal[SEAL_BYTES];
    game_seal_key(key, step->keys.master, game);
    seal_put(&step->opened, key, &(struct sealed_place){game->seq + 1, seat, item}, payload, seal, NULL);
    sodium_memzero(key, sizeof key);
    return json_hex(seal, SEAL_BYTES);
}

static void set_box(json_t *into, const struct str *box)
{
    json_object_set_new(into, "box", json_stringn(box->p, box->len));
}

void step_box_json(struct step *step, const struct game *game, const struct step_boxed *what,
                   json_t *document, json_t *into)
{
    unsigned char key[32], seal[SEAL_BYTES];
    struct str payload = STR_INIT, box = STR_INIT;
    json_write(&payload, document);
    while (payload.len % what->round)
        str_addc(&payload, ' ');
    (what->private ? game_press_key : game_seal_key)(key, step->keys.master, game);
    seal_put(&step->opened, key, &(struct sealed_place){game->seq + 1, what->seat, what->item},
             slice_str(&payload), seal, &box);
    step->opened.list[step->opened.count - 1].document = document;
    json_object_set_new(into, "seal", json_hex(seal, SEAL_BYTES));
    set_box(into, &box);
    sodium_memzero(key, sizeof key);
    str_release(&payload);
    str_release(&box);
}

void step_box_orders(struct step *step, const struct game *game, int seat, json_t *document, json_t *into)
{
    unsigned char key[32], mark[SEAL_BYTES], made[SEAL_BYTES];
    struct str payload = STR_INIT, box = STR_INIT;
    bool good = seal_mark(mark, game->journal.create_head, seat, document);
    assert(good); /* the signature was verified */
    (void)good;
    bool by_mail = seal_made(made, document);
    json_write(&payload, document);
    game_seal_key(key, step->keys.master, game);
    seal_put_text(&step->opened, key, &(struct sealed_place){game->seq + 1, seat, SEAL_ORDERS},
                  slice_str(&payload), by_mail ? made : mark, &box);
    step->opened.list[step->opened.count - 1].document = document;
    json_object_set_new(into, "seal", json_hex(mark, SEAL_BYTES));
    if (by_mail)
        json_object_set_new(into, "made", json_hex(made, SEAL_BYTES));
    set_box(into, &box);
    sodium_memzero(key, sizeof key);
    str_release(&payload);
    str_release(&box);
}

/* Until when the seat can send what the turn waits for; 0 = it does not, or without an end. */
static int64_t awaited_until(const struct game *game, int seat)
{
    if (!((game_missing(game) | game_unsettled(game)) & SEAT_BIT(seat)))
        return 0;
    int64_t until = game_delay(game, seat).until;
    return game->clock.deadline || until == DELAY_NO_END ? game->clock.deadline : until;
}

/* What tells the mails of the game's last record apart: the seat, where it has no mail of this record yet. */
static int post_number(const struct step *step, const struct game *game, int seat)
{
    bool taken = !seat;
    int next = POST_OTHERS;
    for (size_t i = 0; i < step->post_count; i++) {
        const struct post *post = &step->posts[i];
        taken |= post->seq == game->seq && post->number == seat;
        if (post->seq == game->seq && post->number >= next && post->number < POST_AGAINS)
            next = post->number + 1;
    }
    return taken ? next : seat;
}

void step_post(struct step *step, const struct game *game, enum post_kind kind, int seat, json_t *facts)
{
    const int number = post_number(step, game, seat);
    step->posts = mem_grow(step->posts, step->post_count, &step->post_cap, sizeof *step->posts);
    struct post *post = &step->posts[step->post_count++];
    *post = (struct post){.kind = kind,
                          .seat = seat,
                          .number = number,
                          .words = "",
                          .opens = STR_INIT,
                          .seq = game->seq,
                          .time = game->time,
                          .until = seat ? awaited_until(game, seat) : 0,
                          .facts = facts};
    (void)snprintf(post->player, sizeof post->player, "%s", game->seat[seat].player);
    memcpy(post->head, game->head, HEAD_BYTES);
    add_proofs(step, post);
}

void step_urgent(struct step *step, int64_t until)
{
    step->posts[step->post_count - 1].until = until;
}

void step_passing(struct step *step, size_t from, int64_t past)
{
    for (size_t i = from; i < step->post_count; i++)
        step->posts[i].past = past;
}

void step_tell(struct step *step, const struct game *game, enum post_kind kind, const char *words, int seat,
               const char *player, json_t *facts)
{
    step_post(step, game, kind, seat, facts);
    struct post *post = &step->posts[step->post_count - 1];
    post->words = words;
    if (!seat)
        (void)snprintf(post->player, sizeof post->player, "%s", player);
}

static bool has_seat(const struct game *game, struct slice player)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && slice_eq(player, game->seat[seat].player))
            return true;
    return false;
}

void step_tell_all(struct step *step, const struct game *game, const char *words, json_t *extra)
{
    const struct outside *outside = step->keys.outside;
    struct slice rest = slice_of(outside ? outside->config->league.moderators : "");
    struct slice name;
    for (int seat = 1; seat <= game->seats; seat++) {
        if (game->seat[seat].robot)
            continue;
        json_t *facts = facts_game(game, seat);
        json_object_update(facts, extra);
        if (outside && config_moderator(outside->config, game->seat[seat].player))
            json_object_set_new(facts, "moderator", json_true());
        step_tell(step, game, POST_TOLD, words, seat, "", facts);
    }
    while (slice_word(&rest, &name)) {
        if (has_seat(game, name) || name.len >= PLAYER_NAME)
            continue;
        char *player = slice_dup(name);
        json_t *facts = facts_game(game, 0);
        json_object_update(facts, extra);
        json_object_set_new(facts, "moderator", json_true());
        step_tell(step, game, POST_TOLD, words, 0, player, facts);
        step_urgent(step, 1);
        free(player);
    }
    json_decref(extra);
}

json_t *step_keys_json(const struct pubkey *keys, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        struct str line = STR_INIT;
        pubkey_format(&line, &keys[i]);
        json_array_append_new(list, json_stringn(line.p, line.len));
        str_release(&line);
    }
    return list;
}
