/* What an operator with all keys can do to the draws of a turn: the lines of keys/CHEATS.md about turns. play/steering_deal and play/steering_witness have the others.
 * `make cheats` prints the table. */
#include "house/steering.h"
#include "seat_gets.h"

#include "play/press.h"

#define TRIES 6

static struct signed_text from_a, from_b, again_a;

static void begin_game(void)
{
    table_open(&table);
    steer_make("ab");
    text_orders(&from_a, 1, "");
    text_orders(&again_a, 1, "# better so\n");
    text_orders(&from_b, 2, "");
}

static void end_game(void)
{
    text_release(&from_a);
    text_release(&again_a);
    text_release(&from_b);
    table_close(&table);
}

/* Plays the cheat; what it said and led to is in the result. */
struct played {
    struct tally tally;
    const char *words;
};
static struct played play(void (*cheat)(struct played *))
{
    struct played played = {.words = ""};
    begin_game();
    cheat(&played);
    end_game();
    return played;
}

/* However it is tried, the result is the same. */
static void prevented(const char *what, void (*cheat)(struct played *))
{
    struct played done = play(cheat);
    ck_assert_int_eq(done.tally.draw_kinds, 1);
    ck_assert_int_eq(done.tally.event_kinds, 1);
    steer_row(what, "%s%s%s", tally_say(&done.tally), *done.words ? "; " : "", done.words);
}

/* ---- the order of mails ---- */

static void in_any_order(struct played *played)
{
    for (int i = 0; i < 4; i++) {
        struct history h;
        history_begin(&h);
        (void)history_take(&h, i % 2 ? &from_b : &from_a);
        h.step.now += i / 2 * 20; /* another batch */
        (void)history_take(&h, i % 2 ? &from_a : &from_b);
        history_close(&h);
        tally_add(&played->tally, &h);
        history_end(&h);
    }
}

START_TEST(order_and_batches_of_mails)
{
    prevented("takes the mails up in another order, in other batches", in_any_order);
}
END_TEST

/* ---- records in front ---- */

/* A puppet watches. */
static void observe(struct history *h)
{
    struct err err = ERR_INIT;
    struct signed_text text = {.exact = STR_INIT};
    struct secret puppet;
    char head[2 * HEAD_BYTES + 1];
    secret_new(&puppet);
    game_answer_head(head, &h->game);
    str_addf(&text.exact, "#turnpost observe\ngame: gc-1\nturn: %d\nhead: %s\n#end\n", h->game.turn, head);
    text_finish(&text, &puppet);
    json_t *fields = text_evidence("puppet", &text);
    json_object_set_new(fields, "kind", json_string("observe"));
    json_object_set_new(fields, "turn", json_integer(h->game.turn));
    json_object_set_new(fields, "player", json_string("puppet"));
    json_object_set_new(fields, "stop", json_false());
    ck_ok(step_record(&h->step, &h->game, "note", fields, NULL, &err), err);
    text_release(&text);
}

/* A puppet writes to the moderators. */
static void press(struct history *h)
{
    struct err err = ERR_INIT;
    struct signed_text text = {.exact = STR_INIT};
    struct secret puppet;
    char head[2 * HEAD_BYTES + 1];
    secret_new(&puppet);
    game_answer_head(head, &h->game);
    str_addf(&text.exact, "#turnpost press\ngame: gc-1\nturn: %d\nhead: %s\nto: moderators\nHello.\n#end\n",
             h->game.turn, head);
    text_finish(&text, &puppet);
    struct press message = {.to = PRESS_MODERATORS,
                            .player = "puppet",
                            .words = slice_of("Hello.\n"),
                            .exact = slice_str(&text.exact),
                            .signature = text.signature};
    ck_ok(press_record(&h->step, &h->game, &message, text_marks("puppet", &text), &err), err);
    text_release(&text);
}

static void resend(struct history *h)
{
    struct err err = ERR_INIT;
    json_t *fields = json_pack("{s:s,s:i,s:i,s:s,s:s}", "do", "resend", "turn", h->game.turn, "seat", 1, "by",
                               "operator", "reason", "lost");
    ck_ok(step_record(&h->step, &h->game, "moderate", fields, NULL, &err), err);
}

static void add_key(struct history *h)
{
    struct err err = ERR_INIT;
    struct secret another;
    struct pubkey key;
    secret_new(&another);
    secret_public(&another, &key);
    ck_ok(step_rekey(&h->step, &h->game, 1, &key, OPERATOR, &err), err);
}

static void later(struct history *h)
{
    h->step.now += 7;
}

static void with_records_in_front(struct played *played)
{
    static void (*const fronts[])(struct history *) = {later, observe, press, resend, add_key};
    for (size_t i = 0; i <= sizeof fronts / sizeof *fronts; i++) {
        struct history h;
        history_begin(&h);
        for (size_t k = 0; k < i; k++)
            fronts[k](&h);
        (void)history_take(&h, &from_a);
        (void)history_take(&h, &from_b);
        history_close(&h);
        tally_add(&played->tally, &h);
        history_end(&h);
    }
}

START_TEST(records_of_puppets)
{
    prevented("slips records in: times, observe, press, resend, keys", with_records_in_front);
}
END_TEST

/* ---- what is sealed, and how ---- */

static void payload_of(struct str *out, const struct signed_text *text, json_t *signature)
{
    json_t *json = json_pack("{s:O,s:o}", "signature", signature ? signature : text->signature, "text",
                             json_text(slice_str(&text->exact)));
    str_clear(out);
    json_write(out, json);
    json_decref(json);
}

/* The record of orders with a payload and a seal as the operator writes them; `salting` NULL: a mark, as it should be, else a
 * salted seal by this key. */
static int orders_by_hand(struct history *h, const struct signed_text *text, struct slice payload,
                          const unsigned char salting[32], struct err *err)
{
    unsigned char seal[SEAL_BYTES], mail[32] = {(unsigned char)++table.mails, 9}, key[32];
    struct err ignored = ERR_INIT;
    struct str box = STR_INIT;
    const struct sealed_place place = {h->game.seq + 1, text->seat, SEAL_ORDERS};
    json_t *says = json_read(payload, "payload", &ignored);
    game_seal_key(key, table.master, &h->game);
    ck_assert(seal_mark(seal, h->game.journal.create_head, text->seat, says));
    if (salting)
        seal_put(&h->step.opened, salting, &place, payload, seal, &box);
    else
        seal_put_text(&h->step.opened, key, &place, payload, seal, &box);
    json_decref(says);
    json_t *fields =
        json_pack("{s:i,s:i,s:s}", "turn", h->game.turn, "seat", text->seat, "box", box.p ? box.p : "");
    steer_hex(fields, "mail", mail);
    steer_hex(fields, "seal", seal);
    str_release(&box);
    return step_record(&h->step, &h->game, "orders", fields, NULL, err);
}

/* Spaces between its members. */
static void written_otherwise(struct played *played)
{
    struct err err = ERR_INIT;
    struct str payload = STR_INIT, wide = STR_INIT;
    payload_of(&payload, &from_a, NULL);
    for (int blanks = 0; blanks < TRIES; blanks++) {
        struct history h;
        str_clear(&wide);
        str_addf(&wide, "{%*s%s", blanks, "", payload.p + 1);
        history_begin(&h);
        ck_ok(orders_by_hand(&h, &from_a, slice_str(&wide), NULL, &err), err);
        (void)history_take(&h, &from_b);
        history_close(&h);
        if (!blanks)
            tally_add(&played->tally, &h);
        else
            played->words = history_broken(&h, "canonical");
        history_end(&h);
    }
    str_release(&payload);
    str_release(&wide);
}

START_TEST(the_bytes_of_a_payload)
{
    prevented("writes the sealed payload with blanks", written_otherwise);
}
END_TEST

/* A minisign key of the player in the first seat; its signature of their text. */
static json_t *minisigned(const struct signed_text *text, struct pubkey *key)
{
    struct signature sig = {.kind = KEY_MINISIGN, .prehashed = true};
    unsigned char digest[crypto_generichash_BYTES_MAX];
    *key = text->key;
    key->kind = KEY_MINISIGN;
    crypto_generichash(digest, sizeof digest, (const unsigned char *)text->exact.p, text->exact.len, NULL, 0);
    crypto_sign_detached(sig.sig, NULL, digest, sizeof digest, table_player(&table, text->seat)->key);
    return signature_json(&sig, key);
}

/* The number in front of a minisign key is no part of what is signed, and the operator enters the keys. */
static void other_key_numbers(struct played *played)
{
    struct err err = ERR_INIT;
    struct str payload = STR_INIT;
    for (int number = 0; number < TRIES; number++) {
        struct history h;
        struct pubkey keys[2] = {from_a.key};
        json_t *signature = minisigned(&from_a, &keys[1]);
        struct str line = STR_INIT;
        keys[1].id[0] = (unsigned char)number;
        pubkey_format(&line, &keys[1]);
        json_object_set_new(signature, "key", json_string(line.p));
        payload_of(&payload, &from_a, signature);
        history_begin(&h);
        ck_ok(seat_signs(&h.step, &h.game, 1, table_player(&table, 1), &keys[1], &err), err);
        ck_ok(orders_by_hand(&h, &from_a, slice_str(&payload), NULL, &err), err);
        (void)history_take(&h, &from_b);
        history_close(&h);
        tally_add(&played->tally, &h);
        history_end(&h);
        json_decref(signature);
        str_release(&line);
    }
    str_release(&payload);
}

START_TEST(the_number_of_a_minisign_key)
{
    prevented("gives a minisign key another number", other_key_numbers);
}
END_TEST

/* The game goes on for ever, so its key is never shown. */
static void chosen_salts(struct played *played)
{
    struct str payload = STR_INIT;
    payload_of(&payload, &from_a, NULL);
    for (int i = 0; i < TRIES; i++) {
        struct err err = ERR_INIT;
        struct history h;
        unsigned char salt[32] = {(unsigned char)i};
        history_begin(&h);
        int rc = orders_by_hand(&h, &from_a, slice_str(&payload), salt, &err);
        played->words = rc ? steer_say("replay: %s", err.text) : history_broken(&h, "seal");
        history_end(&h);
    }
    str_release(&payload);
}

START_TEST(salts_in_a_game_that_never_ends)
{
    struct played done = play(chosen_salts);
    ck_assert_int_eq(done.tally.histories, 0);
    steer_row("chooses salts in a game that never ends", "refused; %s", done.words);
}
END_TEST

/* ---- moderators' orders ---- */

static void set_orders(struct history *h, int seat, const char *text)
{
    struct err err = ERR_INIT;
    json_t *fields = json_pack("{s:s,s:i,s:i,s:s,s:s}", "do", "orders", "turn", h->game.turn, "seat", seat,
                               "by", "operator", "reason", "help");
    step_box_json(&h->step, &h->game, &(struct step_boxed){.seat = seat, .item = SEAL_ORDERS, .round = 1},
                  json_pack("{s:s}", "lines", text), fields);
    ck_ok(step_record(&h->step, &h->game, "moderate", fields, NULL, &err), err);
}

static void set_for_a_seat(struct played *played)
{
    struct audit_result result;
    struct str told = STR_INIT;
    for (int i = 0; i <= TRIES + 1; i++) { /* then as the player wanted it, and without anything of theirs */
        struct history h;
        struct str lines = STR_INIT;
        str_addf(&lines, "# %d\nauto\n", i);
        history_begin(&h);
        (void)history_take(&h, &from_a);
        if (i < TRIES)
            set_orders(&h, 2, lines.p);
        else if (i == TRIES)
            (void)history_take(&h, &from_b);
        history_close(&h);
        tally_add(&played->tally, &h);
        if (i < TRIES) {
            history_audit(&h, &result, &told);
            ck_assert_ptr_nonnull(strstr(told.p, "has moderated: orders of the seat of bob"));
        }
        history_end(&h);
        str_release(&lines);
    }
    str_release(&told);
}

START_TEST(orders_that_a_moderator_sets)
{
    struct played done = play(set_for_a_seat);
    ck_assert_int_eq(done.tally.draw_kinds, 2);
    steer_row("sets orders for a seat, with other blanks",
              "%s: of the player's text, and of none; audit: \"has moderated: orders of the seat of bob\"",
              tally_say(&done.tally));
}
END_TEST

/* ---- heads ---- */

/* Somebody with time and two histories finds sixteen digits in both. */
static void short_head(struct played *played)
{
    struct err err = ERR_INIT;
    struct signed_text text;
    struct str payload = STR_INIT;
    struct history h;
    char head[2 * HEAD_BYTES + 1];
    hex_to(head, table.game.opened.head, HEAD_BYTES);
    head[16] = '\0';
    text_orders_of(&text, &table.game, 1, head, "");
    history_begin(&h);
    enum orders_fate fate = history_take(&h, &text);
    ck_assert_int_eq((int)fate, (int)ORDERS_NO_HEAD);
    payload_of(&payload, &text, NULL);
    ck_ok(orders_by_hand(&h, &text, slice_str(&payload), NULL, &err), err);
    played->words = history_broken(&h, "head");
    history_end(&h);
    text_release(&text);
    str_release(&payload);
}

START_TEST(a_head_of_sixteen_digits)
{
    struct played done = play(short_head);
    steer_row("makes another history with the same 16 digits", "refused by the step; %s", done.words);
}
END_TEST

/* The league of the same operator has a game of that name, in the same turn. */
static void from_another_league(struct played *played)
{
    struct err err = ERR_INIT;
    struct str payload = STR_INIT;
    struct signed_text text;
    struct history h;
    const char *head = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    text_orders_of(&text, &table.game, 1, head, "");
    history_begin(&h);
    enum orders_fate fate = history_take(&h, &text);
    ck_assert_int_eq((int)fate, (int)ORDERS_UNKNOWN_HEAD);
    payload_of(&payload, &text, NULL);
    ck_ok(orders_by_hand(&h, &text, slice_str(&payload), NULL, &err), err);
    played->words = history_broken(&h, "head");
    history_end(&h);
    text_release(&text);
    str_release(&payload);
}

START_TEST(a_text_from_another_league)
{
    struct played done = play(from_another_league);
    steer_row("sends a text in from a game of that name in another league", "refused by the step; %s",
              done.words);
}
END_TEST

/* ---- withheld texts ---- */

/* Every choice of the texts, in two orders. */
static void withheld(struct played *played)
{
    const struct signed_text *texts[] = {&from_a, &again_a, &from_b};
    for (int choice = 0; choice < 16; choice++) {
        struct history h;
        history_begin(&h);
        for (int i = 0; i < 3; i++) {
            int which = choice & 8 ? 2 - i : i;
            if (choice & (1 << which))
                (void)history_take(&h, texts[which]);
        }
        history_close(&h);
        tally_add(&played->tally, &h);
        history_end(&h);
    }
}

START_TEST(texts_that_are_withheld)
{
    struct played done = play(withheld);
    ck_assert_int_eq(done.tally.draw_kinds, (2 + 1) * (1 + 1));
    steer_row("withholds texts: two of one seat, one of the other",
              "%s, at most (2 + 1) (1 + 1) = 6; audit: %s", tally_say(&done.tally), done.tally.choice);
}
END_TEST

/* A moderator gives alice's seat to a robot, and keeps the other one for her: without her own text for it, her orders count in neither. */
static void replace_by(struct history *h, int seat, const char *to)
{
    struct err err = ERR_INIT;
    json_t *fields =
        json_pack("{s:s,s:i,s:i,s:s,s:s,s:s}", "do", "replace", "turn", h->game.turn, "seat", seat, "by",
                  "operator", "reason", "better so", "robot", h->game.seat[seat].player);
    if (to)
        json_object_set_new(fields, "to", json_string(to));
    if (to)
        json_object_set_new(fields, "until", json_string("2026-12-24T12:00:00Z"));
    ck_ok(step_record(&h->step, &h->game, "moderate", fields, NULL, &err), err);
}

static void seated_elsewhere(struct played *played)
{
    struct history h;
    struct signed_text text = from_a;
    (void)played;
    history_begin(&h);
    replace_by(&h, 1, NULL);
    replace_by(&h, 2, "alice");
    for (text.seat = 1; text.seat <= 2; text.seat++)
        ck_assert_int_eq((int)history_take(&h, &text), ORDERS_WRONG_KEY);
    history_end(&h);
}

START_TEST(a_player_who_is_seated_elsewhere)
{
    (void)play(seated_elsewhere);
    steer_row("seats a player elsewhere, with the same text",
              "prevented: a seat counts by its player's own text");
}
END_TEST

/* A text that was signed twice, by an ssh key and by a minisign key, counts as done. */
static void signed_twice(struct played *played)
{
    struct err err = ERR_INIT;
    struct str payload = STR_INIT;
    struct pubkey keys[2] = {from_a.key};
    json_t *second = minisigned(&from_a, &keys[1]);
    for (int i = 0; i < 3; i++) {
        struct history h;
        payload_of(&payload, &from_a, i == 1 ? second : NULL);
        history_begin(&h);
        ck_ok(seat_signs(&h.step, &h.game, 1, table_player(&table, 1), &keys[1], &err), err);
        if (i < 2)
            ck_ok(orders_by_hand(&h, &from_a, slice_str(&payload), NULL, &err), err);
        (void)history_take(&h, &from_b);
        history_close(&h);
        tally_add(&played->tally, &h);
        history_end(&h);
    }
    json_decref(second);
    str_release(&payload);
}

START_TEST(a_text_with_two_signatures)
{
    struct played done = play(signed_twice);
    ck_assert_int_eq(done.tally.draw_kinds, 3);
    steer_row("chooses between two signatures of one text", "%s: a text counts as often as it was signed",
              tally_say(&done.tally));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, order_and_batches_of_mails);
    tcase_add_test(tc, records_of_puppets);
    tcase_add_test(tc, the_bytes_of_a_payload);
    tcase_add_test(tc, the_number_of_a_minisign_key);
    tcase_add_test(tc, salts_in_a_game_that_never_ends);
    tcase_add_test(tc, orders_that_a_moderator_sets);
    tcase_add_test(tc, a_head_of_sixteen_digits);
    tcase_add_test(tc, a_text_from_another_league);
    tcase_add_test(tc, texts_that_are_withheld);
    tcase_add_test(tc, a_player_who_is_seated_elsewhere);
    tcase_add_test(tc, a_text_with_two_signatures);
}

TEST_MAIN("play/steering", cases)
