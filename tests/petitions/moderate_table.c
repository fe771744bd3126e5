/* Moderators roll games back, declare them void, and correct the table. */
#include "house/ruling.h"
#include "house/gives.h"

#include "base/json.h"

static void digest_of(const struct game *game, unsigned char digest[32])
{
    fields_digest(game->ruleset->fields, game->state, digest);
}

/* ---- rollback ---- */

START_TEST(a_turn_is_opened_again)
{
    unsigned char then[32], now[32];
    (void)new_game(3);
    play();
    digest_of(game_now(), then);
    house.now += DAY;
    play();
    house.now += DAY;
    play();
    ck_assert_int_eq(game_now()->turn, 4);
    orders("anna", "bide\n");
    house_empty_spool(&house);
    rule("mona", "do: rollback turn 2\n" WHY);
    ck_assert_int_eq(game_now()->turn, 2);
    digest_of(game_now(), now);
    ck_assert_mem_eq(then, now, 32);
    ck_assert_int_eq(game_now()->clock.deadline, house.now + 3 * DAY);
    ck_assert(!game_now()->seat[1].orders.in);
    show_mails("anna");
    show_mails("mona");
    told("anna", 1, "has taken back turns 2 to 3, and what had happened in turn 4.");
    told("anna", 1, "send yours for turn 2 again, with the line \"head:\" from this mail.");
    told("mona", 1, "Taken back: turn 2 is open again");
    told_all("bob", 1, "YOUR CHOICES");
    house_same(&house, "gc-1");
    house_restart(&house);
    house_same(&house, "gc-1");
    play();
    ck_assert_int_eq(game_now()->turn, 3);
    play();
    play();
    ck_assert_int_eq(game_now()->turn, 5);
    house_same(&house, "gc-1");
}
END_TEST

static char last_head[2 * HEAD_BYTES + 1];

static void note_head(void)
{
    hex_to(last_head, game_now()->opened.head, HEAD_BYTES);
}

START_TEST(back_to_a_record_within_a_turn)
{
    (void)new_game(3);
    orders("anna", "explore near\n");
    int64_t record = game_now()->seq;
    note_head();
    orders("bob", "bide\n");
    orders("anna", "bide\n");
    struct str fields = STR_INIT;
    str_addf(&fields, "do: rollback %lld\n" WHY, (long long)record);
    house_empty_spool(&house);
    rule("mona", fields.p);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_str_eq(game_now()->seat[1].orders.text.p, "explore near\n");
    ck_assert(!game_now()->seat[2].orders.in);
    show_mails("anna");
    told("anna", 1, "The orders that you had sent for turn 1 by then are in force again.");
    told("anna", 1, "has taken back what happened in turn 1 since");
    told_all("bob", 1, "Orders sent since then are gone");
    house_same(&house, "gc-1");
    str_release(&fields);
    /* A head of before is not one of this turn any more. */
    str_addf(&fields, "#turnpost orders\ngame: gc-1\nturn: 1\nhead: %s\nbide\n#end\n", last_head);
    (void)house_signed(&house, "bob", "bob", fields.p);
    str_release(&fields);
    ck_assert(!game_now()->seat[2].orders.in);
    house_empty_spool(&house);
    orders("bob", "bide\n");
    orders("carol", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

/* Otherwise the turn would be played again at once, just as it was. */
START_TEST(with_all_orders_in_the_turn_is_held)
{
    (void)new_game(2);
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    rule("mona", "do: rollback 6\n" WHY); /* create, two seats, start, two orders: the second of these */
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert(game_now()->clock.held && game_now()->seat[1].orders.in && game_now()->seat[2].orders.in);
    house_clock(&house, HOUSE_NOON + 9 * DAY);
    ck_assert_int_eq(game_now()->turn, 1);
    house_same(&house, "gc-1");
    rule("mona", "do: resolve\n" WHY);
    ck_assert_int_eq(game_now()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

/* Mails and texts of before are not obeyed a second time, in whatever turn they come again: their
 * head is an old one. */
START_TEST(old_mails_stay_known)
{
    struct str first = STR_INIT, text = STR_INIT;
    (void)new_game(2);
    play();
    house_headed(&house, "#turnpost orders\ngame: gc-1\nturn: 2\nexplore near\n#end\n", &text);
    (void)house_signed(&house, "anna", "anna", text.p);
    str_addslice(&first, slice_str(&house.last_raw));
    orders("bob", "bide\n");
    play();
    play();
    play();
    house.now += DAY;
    rule("mona", "do: rollback turn 2\n" WHY);
    house_empty_spool(&house);
    house_restart(&house);
    ck_assert_int_eq(game_now()->turn, 2);
    (void)house_raw(&house, slice_str(&first)); /* the mail once more: it is answered by nothing */
    ck_assert(!game_now()->seat[1].orders.in);
    told_all(NULL, 0, NULL);
    (void)house_signed(&house, "bob", "anna", text.p); /* her text, mailed by somebody who has it */
    ck_assert(!game_now()->seat[1].orders.in);
    told_all("anna", 1, "So its orders do not count");
    orders("anna", "explore near\n");
    ck_assert(game_now()->seat[1].orders.in);
    house_same(&house, "gc-1");
    /* nor the moderator's own text */
    str_clear(&first);
    str_clear(&text);
    house_headed(&house, "#turnpost moderate\ngame: gc-1\nturn: 2\ndo: rollback turn 1\n" WHY "#end\n",
                 &text);
    (void)house_signed(&house, "mona", "mona", text.p);
    ck_assert_int_eq(game_now()->turn, 1);
    str_addslice(&first, slice_str(&house.last_raw));
    play();
    house_empty_spool(&house);
    ck_assert_int_eq(game_now()->turn, 2);
    (void)house_raw(&house, slice_str(&first));
    ck_assert_int_eq(game_now()->turn, 2);
    (void)house_signed(&house, "mona", "mona", text.p);
    ck_assert_int_eq(game_now()->turn, 2);
    told_all("mona", 1, "The very same text was obeyed before");
    str_release(&first);
    str_release(&text);
}
END_TEST

/* Who plays, who watches and who waits is not undone; what no longer counts counts for nobody. */
START_TEST(people_stay)
{
    struct err err = ERR_INIT;
    struct catalog_tally sum;
    (void)new_game(3);
    orders("anna", "bide\n");
    orders("carol", "bide\n");
    house_clock(&house, HOUSE_NOON + 3 * DAY); /* bob misses turn 1 */
    ck_assert_int_eq(game_now()->turn, 2);
    ck_ok(catalog_reliability(house.batch.catalog, "bob", &sum, &err), err);
    ck_assert_int_eq(sum.missed, 1);
    (void)house_signed(&house, "mona", "mona", "#turnpost observe\ngame: gc-1\n#end\n");
    rule("mona", "do: replace bob by dora\n" WHY);
    house_takes(&house, "gc-1", "dora");
    rule("mona", "do: pause\n" WHY);
    house_empty_spool(&house);
    house.now += DAY;
    rule("mona", "do: rollback turn 1\n" WHY);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_str_eq(game_now()->seat[2].player, "dora");
    ck_assert_int_eq(game_now()->seat[2].missed, 0);
    ck_assert_str_eq(game_now()->observers.names.p, "mona");
    ck_assert(game_now()->clock.paused);
    ck_assert_int_eq(game_now()->clock.paused_from, house.now);
    ck_ok(catalog_reliability(house.batch.catalog, "bob", &sum, &err), err);
    ck_assert_int_eq(sum.missed, 0);
    ck_assert_int_eq(sum.awaited, 0);
    told("dora", 1, "send yours for turn 1 again");
    told_all("bob", 0, NULL);
    house_same(&house, "gc-1");
    house.now += DAY;
    rule("mona", "do: resume\n" WHY);
    ck_assert_int_eq(game_now()->clock.deadline, house.now + 3 * DAY);
    house_same(&house, "gc-1");
}
END_TEST

/* Rolled back again and again, also to what was rolled back itself. */
START_TEST(rollbacks_of_rollbacks)
{
    unsigned char four[32], now[32];
    (void)new_game(2);
    play();
    play();
    play();
    int64_t record = game_now()->seq;
    digest_of(game_now(), four);
    for (int i = 0; i < 12; i++) {
        struct str fields = STR_INIT;
        int turn = game_now()->turn - i % 3 > 0 ? game_now()->turn - i % 3 : 1;
        str_addf(&fields, "do: rollback turn %d\nreason: Number %d.\n", turn, i);
        rule("mona", fields.p);
        ck_assert_int_eq(game_now()->turn, turn);
        if (i % 4 != 3)
            play();
        house_same(&house, "gc-1");
        str_release(&fields);
    }
    struct str fields = STR_INIT;
    str_addf(&fields, "do: rollback record %lld\n" WHY, (long long)record);
    rule("mona", fields.p);
    str_release(&fields);
    ck_assert_int_eq(game_now()->turn, 4);
    digest_of(game_now(), now);
    ck_assert_mem_eq(four, now, 32);
    house_same(&house, "gc-1");
    house_restart(&house);
    house_same(&house, "gc-1");
}
END_TEST

/* Several mails in one batch: the records that a rollback goes back to are in no file yet. */
START_TEST(within_one_batch)
{
    static const char *const texts[] = {
        "anna#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n",
        "bob#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n",
        "anna#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n",
        "mona#turnpost moderate\ngame: gc-1\nturn: 2\ndo: rollback turn 2\n" WHY "#end\n",
        "anna#turnpost orders\ngame: gc-1\nturn: 2\nexplore near\n#end\n",
        "mona#turnpost moderate\ngame: gc-1\nturn: 2\ndo: rollback turn 1\n" WHY "#end\n",
        "mona#turnpost moderate\ngame: gc-1\nturn: 2\ndo: rollback turn 1\n" WHY "#end\n",
    };
    struct err err = ERR_INIT;
    (void)new_game(2);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char name[PLAYER_NAME];
        size_t len = strcspn(texts[i], "#");
        (void)snprintf(name, sizeof name, "%.*s", (int)len, texts[i]);
        struct str body = STR_INIT, raw = STR_INIT;
        house_sign(&house, name, texts[i] + len, &body);
        str_addf(&raw,
                 "From: %s@example.net\r\nTo: " HOUSE_ADDRESS
                 "\r\nSubject: x\r\nMessage-ID: <b%zu@x>\r\n\r\n%s",
                 name, i, body.p);
        (void)house_take(&house, slice_str(&raw));
        str_release(&raw);
        str_release(&body);
    }
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert(!game_now()->seat[1].orders.in);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(where_no_rollback_goes)
{
    (void)new_game(3);
    play();
    refused("mona", "do: rollback\n" WHY, "takes the turn that is to be open again");
    refused("mona", "do: rollback yesterday\n" WHY, "takes the turn that is to be open again");
    refused("mona", "do: rollback turn 2 now\n" WHY, "takes the turn that is to be open again");
    refused("mona", "do: rollback turn 3\n" WHY, "is in turn 2");
    refused("mona", "do: rollback turn 0\n" WHY, "is in turn 2");
    refused("mona", "do: rollback 99\n" WHY, "has 10 records");
    refused("mona", "do: rollback 10\n" WHY, "has 10 records");
    refused("mona", "do: rollback 2\n" WHY, "Record 2 is not one of an open turn");
    refused("mona", "do: rollback 9\n" WHY, "Record 9 is not one of an open turn"); /* the close */
    refused("mona", "do: rollback 99999999999999999999\n" WHY, "takes the turn");
    refused("anna", "do: rollback turn 1\n" WHY, "Only the moderators");
}
END_TEST

START_TEST(vacations_are_unused_again)
{
    (void)new_game(2);
    play();
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost vacation\nfrom: 2026-11-22\nto: 2026-11-25\n#end\n");
    house_clock(&house, HOUSE_NOON);
    ck_assert_uint_eq(game_now()->clock.away_count, 1);
    rule("mona", "do: rollback turn 1\n" WHY);
    house_clock(&house, HOUSE_NOON); /* moves the new deadline at once */
    ck_assert_uint_eq(game_now()->clock.away_count, 1);
    ck_assert_int_gt(game_now()->clock.deadline, HOUSE_NOON + 5 * DAY);
    house_same(&house, "gc-1");
}
END_TEST

/* ---- void ---- */

START_TEST(a_void_game_is_over_and_counts_for_nobody)
{
    struct err err = ERR_INIT;
    struct catalog_tally sum;
    struct str lines = STR_INIT;
    (void)new_game(3);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    house_empty_spool(&house);
    rule("carol", "do: void\n" WHY);
    ck_assert(game_now()->over && game_now()->voided);
    ck_assert_str_eq(game_now()->journal.last_type, "open");
    show_mails("anna");
    told("anna", 2, "has declared this game void. It is over, has no result");
    told("mona", 1, "The game is void");
    told_all(NULL, 7, NULL); /* and the last reports */
    ck_ok(catalog_reliability(house.batch.catalog, "bob", &sum, &err), err);
    ck_assert_int_eq(sum.awaited, 0);
    house_same(&house, "gc-1");
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    ck_assert(slice_find(slice_str(&lines), "\"reason\":\"void\",\"scores\":[]") != (size_t)-1);
    str_release(&lines);
    refused("mona", "do: rollback turn 1\n" WHY, "Game gc-1 is over");
    refused("mona", "do: void\nreason: Again.\n", "Game gc-1 is over");
    orders("anna", "bide\n");
    told_all("anna", 1, "is over");
    (void)house_mail(&house, "anna", "status gc-1", "");
    show_mails("anna");
    told_all("anna", 1, "it has no result");
}
END_TEST

/* After the moderator's word comes the last report: what was hidden, the journal, how to play again; and only
 * who was not told of the last turn yet hears of it. */
START_TEST(a_void_game_that_was_played_has_a_last_report)
{
    struct str mails;
    (void)new_game(2);
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    bool new_to_bob = game_now()->seat[2].told < 2;
    house_empty_spool(&house);
    rule("mona", "do: void\n" WHY);
    for (int i = 0; i < 2; i++) {
        const char *who = i ? "bob" : "anna";
        ck_assert_int_eq(house_mails(&house, who, &mails), 2);
        ck_assert(strstr(mails.p, "has declared this game void") <
                  strstr(mails.p, "[gc-1] It is over: the game is void"));
        ck_assert_ptr_nonnull(strstr(mails.p, "WHAT WAS HIDDEN"));
        ck_assert_ptr_nonnull(strstr(mails.p, "PLAY AGAIN"));
        ck_assert(!strstr(mails.p, "WHAT HAPPENED") == !(i && new_to_bob));
        ck_assert_ptr_null(strstr(mails.p, "WON"));
        str_release(&mails);
    }
    house_empty_spool(&house);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(a_game_that_has_not_begun_can_be_void)
{
    static const char *const open[] = {"anna", NULL};
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .clock = &clock_of,
                                    .missed_robot = 3},
                  open);
    house_empty_spool(&house);
    rule("mona", "do: void\n" WHY);
    ck_assert(game_now()->over);
    show_mails("anna");
    told_all("anna", 1, "has declared this game void");
    house_same(&house, "gc-1");
    (void)house_signed(&house, "bob", "bob", "#turnpost join\ngame: gc-1\n#end\n");
    told_all("bob", 1, "Game gc-1 is over");
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + 9 * DAY);
    house_same(&house, "gc-1");
}
END_TEST

/* The records after the moderator's word are made when a crash has cut them off. */
START_TEST(a_crash_behind_void)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    (void)new_game(2);
    int64_t seq = game_now()->seq + 1;
    house_shell(&house, "cp -r log log.before"); /* nor had the log more when it crashed */
    rule("mona", "do: void\n" WHY);
    char *path = path_join(house.dir, "games/gc-1/journal.jsonl");
    char *cache = path_join(house.dir, "catalog.sqlite");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    size_t at = 0;
    for (int64_t i = 0; i < seq; i++)
        at += slice_find(slice_sub(slice_str(&lines), at, lines.len), "\n") + 1;
    house_end(&house);
    ck_ok(file_write_soft(path, slice_sub(slice_str(&lines), 0, at), 0600, &err), err);
    ck_ok(file_remove(cache, &err), err);
    house_shell(&house, "rm -r log && mv log.before log");
    house_begin(&house);
    ck_assert(game_now()->over && game_now()->voided);
    ck_assert_int_eq(game_now()->seq, seq + 2);
    house_same(&house, "gc-1");
    free(path);
    free(cache);
    str_release(&lines);
}
END_TEST

/* ---- correct ---- */

static int64_t value_of(const char *name, int seat)
{
    json_t *document = fields_json(game_now()->ruleset->fields, game_now()->state);
    json_t *player = json_array_get(json_object_get(document, "player"), (size_t)seat - 1);
    int64_t value = json_integer_value(json_object_get(player, name));
    json_decref(document);
    return value;
}

static bool journal_holds(const char *words)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    bool holds = slice_find(slice_str(&lines), words) != (size_t)-1;
    str_release(&lines);
    return holds;
}

START_TEST(a_value_is_corrected)
{
    (void)new_game(3);
    rule("mona", "do: correct player[1].metal = 3\n" WHY);
    ck_assert_int_eq(value_of("metal", 2), 3);
    show_mails("bob");
    told("bob", 1, "player[1].metal: 0 -> 3");
    told("bob", 1, "YOUR SECTOR");
    told_all("anna", 1, "player[1].metal: 0 -> 3");
    ck_assert(journal_holds("\"changes\":[{\"after\":3,\"before\":0,\"path\":\"player[1].metal\"}]"));
    house_same(&house, "gc-1");
    rule("carol", "do: correct\n" WHY "player[0].metal 2\nplayer[0].wealth = 1\n\n");
    ck_assert_int_eq(value_of("metal", 1), 2);
    ck_assert_int_eq(value_of("wealth", 1), 1);
    house_same(&house, "gc-1");
    house_restart(&house);
    play();
    house_same(&house, "gc-1");
    /* and a rollback takes it back */
    rule("mona", "do: rollback turn 1\n" WHY);
    ck_assert_int_eq(value_of("metal", 2), 0);
    house_same(&house, "gc-1");
}
END_TEST

/* What is face down is in no mail and in no public record; moderators who do not play are told. */
START_TEST(what_is_hidden_stays_hidden)
{
    (void)new_game(2);
    json_t *document = fields_json(game_now()->ruleset->fields, game_now()->state);
    const json_t *pile = json_object_get(document, "pile");
    int first = (int)json_integer_value(json_array_get(pile, 0));
    int second = (int)json_integer_value(json_array_get(pile, 1));
    struct str fields = STR_INIT, text;
    str_addf(&fields, "do: correct\n" WHY "pile[0] = %d\npile[1] = %d\n", second, first);
    json_decref(document);
    rule("mona", fields.p);
    document = fields_json(game_now()->ruleset->fields, game_now()->state);
    ck_assert_int_eq(json_integer_value(json_array_get(json_object_get(document, "pile"), 0)), second);
    json_decref(document);
    show_mails("anna");
    (void)house_mails(&house, "anna", &text);
    ck_assert(house_says(text.p, "It is something that you may not see."));
    ck_assert(!house_names(slice_str(&text), "pile"));
    str_release(&text);
    show_mails("mona");
    told("mona", 1, "pile[0]: ");
    told_all("carol", 1, "pile[1]: ");
    ck_assert(!journal_holds("pile["));
    house_same(&house, "gc-1");
    str_release(&fields);
}
END_TEST

/* A moderator who plays finds out nothing, whether the guess is right or not. */
START_TEST(who_plays_corrects_what_he_sees)
{
    (void)new_game(3);
    json_t *document = fields_json(game_now()->ruleset->fields, game_now()->state);
    int first = (int)json_integer_value(json_array_get(json_object_get(document, "pile"), 0));
    json_decref(document);
    for (int card = first - 1; card <= first + 1; card++) {
        struct str fields = STR_INIT;
        str_addf(&fields, "do: correct pile[0] = %d\n" WHY, card);
        refused("carol", fields.p, "only values that you see in your own reports");
        str_release(&fields);
    }
    refused("carol", "do: correct player[2].near[0].card = 1\n" WHY, "only values that you see");
    refused("carol", "do: correct player[1].metal = 99\n" WHY, "The rules do not allow the table");
    refused("carol", "do: correct round = 3\n" WHY, "The rules do not allow the table");
    rule("carol", "do: correct player[1].metal = 1\n" WHY);
    ck_assert_int_eq(value_of("metal", 2), 1);
}
END_TEST

START_TEST(corrections_that_cannot_be)
{
    (void)new_game(2);
    refused("mona", "do: correct\n" WHY, "takes a field and its value");
    refused("mona", "do: correct player[1].metal\n" WHY, "does not say what the value is to be");
    refused("mona", "do: correct player[1].metl = 3\n" WHY, "did you mean \"metal\"");
    refused("mona", "do: correct player[2].metal = 3\n" WHY, "the list has 2 elements, counted from 0");
    refused("mona", "do: correct player[1].metal = 99\n" WHY, "player[1].metal must be from 0 to 3, not 99.");
    refused("mona", "do: correct player[1].metal = -1\n" WHY, "player[1].metal must be from 0 to 3, not -1.");
    refused("mona", "do: correct player[1].metal = many\n" WHY, "must be a whole number");
    refused("mona", "do: correct player[1].metal = 0\n" WHY, "has this value already");
    refused("mona", "do: correct seats = 1\n" WHY, "seats");
    refused("mona", "do: correct over = true\n" WHY, "The game would be over");
    refused("mona", "do: correct used_count = 1\n" WHY, "does not have as many elements");
    refused("mona", "do: correct\n" WHY "player[1].metal = 3\nplayer[1].metal = 2\n", "corrected twice");
    refused("mona", "do: correct player[0].near[0].card = 1\n" WHY, "");
    refused("anna", "do: correct player[0].metal = 3\n" WHY, "Only the moderators");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_turn_is_opened_again);
    tcase_add_test(tc, back_to_a_record_within_a_turn);
    tcase_add_test(tc, with_all_orders_in_the_turn_is_held);
    tcase_add_test(tc, old_mails_stay_known);
    tcase_add_test(tc, people_stay);
    tcase_add_test(tc, rollbacks_of_rollbacks);
    tcase_add_test(tc, within_one_batch);
    tcase_add_test(tc, where_no_rollback_goes);
    tcase_add_test(tc, vacations_are_unused_again);
    tcase_add_test(tc, a_void_game_is_over_and_counts_for_nobody);
    tcase_add_test(tc, a_void_game_that_was_played_has_a_last_report);
    tcase_add_test(tc, a_game_that_has_not_begun_can_be_void);
    tcase_add_test(tc, a_crash_behind_void);
    tcase_add_test(tc, a_value_is_corrected);
    tcase_add_test(tc, what_is_hidden_stays_hidden);
    tcase_add_test(tc, who_plays_corrects_what_he_sees);
    tcase_add_test(tc, corrections_that_cannot_be);
}
TEST_MAIN("petitions/moderate_table", cases)
