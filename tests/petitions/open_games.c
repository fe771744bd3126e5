/* Games that wait for players: joining, leaving, waiting lists, the start, resigning. */
#include "house/audited.h"
#include "house/house.h"
#include "house/other_keys.h"

#include "game/turn.h"
#include "game/game_load.h"

static struct house house;

/* A game with these seats; NULL = free. */
static void open_game(const char *id, const char *ruleset, int seats, const char *const *names)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys = batch_keys(&house.batch);
    struct domain domain = {.signs_to = false};
    struct sitter by[SEATS_MAX + 1];
    struct new_game how = {.id = id,
                           .ruleset = ruleset_newest(ruleset),
                           .seats = seats,
                           .turn_length = 86400,
                           .missed_robot = 3};
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    for (int seat = 1; seat <= seats; seat++) {
        const char *name = names[seat - 1];
        how.seat[seat].player = name;
        how.seat[seat].robot = name && str_starts(name, "robot");
    }
    domain_open(&domain, 1);
    house_sitters(&house, &domain, &how, by);
    step_init(&step, &keys, house.now);
    ck_ok(sits_create(&step, &game, &how, by, &err), err);
    domain_close(&domain);
    struct batch_game *entry = batch_add(&house.batch, &game);
    ck_ok(batch_take(&house.batch, entry, &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

static const char *const three[] = {"anna", NULL, NULL};

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_player(&house, "dora");
    open_game("gc-1", "galaxy-command", 3, three);
}

static void end(void)
{
    house_close(&house);
}

static void send(const char *who, const char *verb, const char *more)
{
    char text[300];
    (void)snprintf(text, sizeof text, "#turnpost %s\ngame: gc-1\n%s#end\n", verb, more);
    (void)house_signed(&house, who, who, text);
}

static struct game *found(void)
{
    return house_find(&house, "gc-1");
}

/* What the journal alone gives is what was played, and the cache says the same. */
static void check_replay(void)
{
    struct err err = ERR_INIT;
    struct game cached, replayed;
    struct game live_copy = *found();
    unsigned char head[HEAD_BYTES];
    memcpy(head, live_copy.head, HEAD_BYTES);
    ck_ok(batch_rest(&house.batch, 0, &err), err); /* writes state.json */
    ck_ok(game_load(house.batch.store, "gc-1", house.league.master, &cached, &err), err);
    ck_assert_str_eq(cached.journal.last_type, ""); /* nothing was replayed */
    ck_ok(game_load(house.batch.store, "gc-1", NULL, &replayed, &err), err);
    ck_assert_mem_eq(head, replayed.head, HEAD_BYTES);
    ck_assert_mem_eq(head, cached.head, HEAD_BYTES);
    ck_assert_int_eq(cached.turn, replayed.turn);
    ck_assert_uint_eq(cached.table.waiting_count, replayed.table.waiting_count);
    for (size_t i = 0; i < cached.table.waiting_count; i++) {
        ck_assert_str_eq(cached.table.waiting[i].player, replayed.table.waiting[i].player);
        ck_assert_mem_eq(cached.table.waiting[i].seal, replayed.table.waiting[i].seal, SEAL_BYTES);
        ck_assert_uint_eq(cached.table.waiting[i].key_count, replayed.table.waiting[i].key_count);
        ck_assert(pubkey_equal(&cached.table.waiting[i].keys[0], &replayed.table.waiting[i].keys[0]));
    }
    for (int seat = 1; seat <= cached.seats; seat++) {
        ck_assert_str_eq(cached.seat[seat].player, replayed.seat[seat].player);
        ck_assert_int_eq(cached.seat[seat].robot, replayed.seat[seat].robot);
        ck_assert_int_eq(cached.seat[seat].orders.in, replayed.seat[seat].orders.in);
        ck_assert_mem_eq(cached.seat[seat].orders.seal, replayed.seat[seat].orders.seal, SEAL_BYTES);
    }
    game_release(&cached);
    game_release(&replayed);
}

/* With seats that the texts name, and with drawn ones. */
START_TEST(the_last_seat_begins_the_game)
{
    bool named = _i < 2;
    const char *const seat[] = {_i == 0 ? "seat: 2\n" : "SEAT: P2\n",
                                _i == 0 ? "seat: 3\n" : "seat: 0000003\n"};
    ck_assert_int_eq(found()->turn, 0);
    send("bob", "join", named ? seat[0] : "nonce: 17abc\n");
    house_told(&house, NULL, 2,
               named ? "You have seat 2, bob" : "You are in, bob. Which seat is yours is drawn");
    ck_assert_int_eq(found()->turn, 0);
    check_replay();
    house_restart(&house);
    send("carl", "join", named ? seat[1] : "nonce: xyz\n");
    ck_assert_int_eq(found()->turn, 1);
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "carl", &mails), 2);
    ck_assert_ptr_nonnull(strstr(mails.p, named ? "You have seat 3, carl" : "You are in, carl"));
    ck_assert_ptr_nonnull(strstr(mails.p, "The game has begun"));
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "The game has begun"));
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 4);
    str_release(&mails);
    check_replay();
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    house_told(&house, "bob", 1, "We have your");
}
END_TEST

START_TEST(the_table_hears_of_comings_and_goings)
{
    struct str mails;
    send("bob", "join", "nonce: 17abc\n");
    house_told(&house, "anna", 1,
               "[gc-1] bob has taken a seat bob has taken a seat. Who has which seat is drawn when the game "
               "begins. The game "
               "begins as soon as every seat is taken; 1 of 3 seats is free.");
    send("bob", "leave", "");
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1); /* his own answer */
    str_release(&mails);
    house_told(&house, "anna", 1,
               "It is seat 2. The game begins as soon as every seat is taken; 2 of 3 seats are free.");
    send("bob", "join", "seat: 3\n");
    house_told(&house, "anna", 1, "It is seat 3. The game begins");
    send("carl", "join", "nonce: xyz\n"); /* the last one: the first report says who plays */
    ck_assert_int_gt(house_mails(&house, "carl", &mails), 0);
    ck_assert_ptr_nonnull(strstr(mails.p, "That was the last free seat: the game begins."));
    ck_assert_ptr_null(strstr(mails.p, "as soon as every seat"));
    str_release(&mails);
    house_told(&house, "anna", 1, "The game has begun");
}
END_TEST

/* The deal depends on what the players signed: another nonce, another deal. */
START_TEST(the_texts_have_a_part_in_the_deal)
{
    struct str alpha = STR_INIT, other = STR_INIT;
    send("bob", "join", "nonce: 17abc\n");
    turn_alpha(&alpha, found());
    ck_assert(found()->seat[2].orders.in);
    send("bob", "leave", "");
    ck_assert(!found()->seat[2].orders.in);
    send("bob", "join", "nonce: 17abd\n");
    turn_alpha(&other, found());
    ck_assert_uint_eq(alpha.len, other.len);
    ck_assert(memcmp(alpha.p, other.p, alpha.len) != 0);
    send("carl", "join", "");
    ck_assert(!found()->seat[2].orders.in);
    str_release(&alpha);
    str_release(&other);
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    send("bob", "join", "seat: 1\n");
    house_told(&house, "bob", 1, "Seat 1 is taken");
    send("bob", "join", "seat: 4\n");
    house_told(&house, "bob", 1, "a number from 1 to 3");
    send("bob", "join", "seat: P0\n");
    house_told(&house, "bob", 1, "a number from 1 to 3");
    send("bob", "join", "seat: 22\n");
    house_told(&house, "bob", 1, "a number from 1 to 3");
    send("bob", "join", "sit: 2\n");
    house_told(&house, "bob", 1, "\"sit\" does not belong");
    send("anna", "join", "nonce: again\n");
    house_told(&house, "anna", 1, "You are in: seat 1 of gc-1 is yours.");
    send("bob", "leave", "");
    house_told(&house, "bob", 1, "You have no seat in game gc-1");
    send("bob", "resign", "");
    house_told(&house, "bob", 1, "You have no seat in game gc-1");
    send("anna", "resign", "");
    house_told(&house, "anna", 1, "has not begun");
    (void)house_signed(&house, "bob", "bob", "#turnpost join\ngame: gc-9\n#end\n");
    house_told(&house, "bob", 1, "no game \"gc-9\"");
    (void)house_signed(&house, "bob", "bob", "#turnpost join\n#end\n");
    house_told(&house, "bob", 1, "does not name its game");
    (void)house_mail(&house, "bob", "x", "#turnpost join\ngame: gc-1\n#end\n");
    house_told(&house, "bob", 1, "no signature");
    (void)house_person(&house, "zoe");
    send("zoe", "join", "");
    house_told(&house, "zoe", 1, "league does not know");
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 0\nbide\n#end\n");
    house_told(&house, "anna", 1, "has not begun");
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    house_told(&house, "anna", 1, "has not begun");
    ck_assert_int_eq((int)found()->seq, 2);
}
END_TEST

START_TEST(a_seat_of_one_s_choice_and_texts_that_come_again)
{
    send("bob", "join", "seat: 3\n");
    house_told(&house, "bob", 1, "You have seat 3");
    (void)house_raw(&house, slice_str(&house.last_raw));
    house_told(&house, NULL, 0, NULL);
    send("bob", "leave", "");
    house_told(&house, "bob", 1, "given up your place");
    ck_assert_int_eq(game_free_seats(found()), 2);
    send("bob", "join", "seat: 3\n"); /* by somebody who kept it */
    house_told(&house, "bob", 1, "very same text");
    ck_assert_int_eq(game_free_seats(found()), 2);
    check_replay();
}
END_TEST

START_TEST(the_waiting_list)
{
    send("bob", "join", "");
    send("carl", "join", "");
    house_empty_spool(&house);
    send("dora", "join", "");
    house_told(&house, "dora", 1, "on the waiting list, in place 1");
    check_replay();
    send("dora", "join", "seq: 2\n");
    house_told(&house, "dora", 1, "on the waiting list of game gc-1 already");
    house_restart(&house);
    ck_assert(game_waits(found(), "dora"));
    send("bob", "leave", "");
    house_told(&house, "bob", 1, "has begun. To give up");
    send("dora", "leave", "");
    house_told(&house, "dora", 1, "not on the waiting list of this game any more");
    ck_assert(!game_waits(found(), "dora"));
    send("dora", "join", "");
    house_told(&house, "dora", 1, "very same text");
    check_replay();
}
END_TEST

START_TEST(nobody_waits_for_a_game_that_is_over)
{
    send("bob", "join", "");
    send("carl", "join", "");
    send("dora", "join", "");
    house_rules(&house, "gc-1", "do: void\nreason: A storm.\n");
    ck_assert(found()->over);
    house_empty_spool(&house);
    send("dora", "leave", "");
    house_told(&house, "dora", 1, "Game gc-1 is over");
    check_replay();
}
END_TEST

START_TEST(who_waits_gets_the_seat_that_is_given_up)
{
    found()->clock.held = true; /* as a moderator may have it: full, and not begun */
    send("bob", "join", "");
    send("carl", "join", "");
    send("dora", "join", "");
    ck_assert_int_eq(found()->turn, 0);
    house_empty_spool(&house);
    send("bob", "leave", "");
    ck_assert_str_eq(found()->seat[2].player, "dora");
    ck_assert(found()->seat[2].orders.in);
    ck_assert(!game_waits(found(), "dora"));
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "dora", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "you were the first"));
    str_release(&mails);
    house_told(&house, "bob", 1, "given up your place");
    check_replay();
}
END_TEST

/* "#turnpost VERB", about a key of a person, signed by another one. */
static void about_key(const char *signer, const char *verb, const char *front, const char *person,
                      const char *more)
{
    struct pubkey key;
    struct str text = STR_INIT;
    secret_public(house_person(&house, person), &key);
    str_addf(&text, "#turnpost %s\nplayer: dora\n%s: ", verb, front);
    pubkey_format(&text, &key);
    str_addf(&text, "\n%s#end\n", more);
    (void)house_signed(&house, signer[0] == 'd' ? "dora" : signer, signer, text.p);
    str_release(&text);
}

/* She has taken away the only key that her seat knows: she learns it at once, and a moderator helps. */
START_TEST(the_only_key_of_a_seat_is_taken_away)
{
    struct pubkey fresh;
    secret_public(house_person(&house, "dora's new"), &fresh);
    house_option(&house, "[league]", "moderators = anna");
    house_restart(&house);
    send("bob", "join", "");
    house_key_added(&house, "dora", "dora's new");
    send("dora", "join", "");
    ck_assert_int_eq(found()->turn, 1);
    const int seat = game_seat_of(found(), "dora");
    house_empty_spool(&house);
    about_key("anna", "rekey", "key", "carl", "reason: None of hers.\n");
    house_told(&house, "anna", 1, "registered already");
    about_key("dora's new", "key", "revoke", "dora", "");
    house_told(&house, "dora", 1, "no key of yours counts now: gc-1");
    (void)house_signed(&house, "dora", "dora's new", "#turnpost resign\ngame: gc-1\n#end\n");
    house_told(&house, "dora", 1, "who asks for this one there");
    about_key("anna", "rekey", "key", "dora's new", "reason: Her telephone is gone.\n");
    house_told(&house, "anna", 1, "You have asked for a new key");
    house_empty_spool(&house);
    house_clock(&house, house.now + REKEY_WAIT + 60);
    ck_assert_uint_eq(found()->seat[seat].key_count, 1);
    ck_assert(pubkey_equal(&found()->seat[seat].keys[0], &fresh));
    house_empty_spool(&house);
    about_key("anna", "rekey", "key", "dora's new", "reason: Once more.\n");
    house_told(&house, "anna", 1, "has this key already");
    check_replay();
}
END_TEST

/* Where one seat begins and seats are drawn, the first deadline spares whoever begins, and nobody else. */
START_TEST(the_deal_spares_who_begins)
{
    static const char *const four[] = {"anna", NULL, NULL, NULL};
    static const char *const people[] = {"anna", "bob", "carl", "dora"};
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char text[200];
    open_game("gc-2", "galactic-supremacy", 4, four);
    for (int i = 0; i < 4; i++) {
        (void)snprintf(text, sizeof text, "#turnpost vacation\nfrom: 2026-11-20\nto: 2026-11-2%d\n#end\n",
                       4 + i);
        (void)house_signed(&house, people[i], people[i], text);
        (void)snprintf(text, sizeof text, "#turnpost join\ngame: gc-2\nnonce: %d\n#end\n", _i);
        if (i)
            (void)house_signed(&house, people[i], people[i], text);
    }
    const struct game *game = house_find(&house, "gc-2");
    ck_assert_int_eq(game->turn, 1);
    ck_ok(store_read(house.batch.store, "gc-2", STORE_BEGIN, &lines, &err), err);
    const char *away = strstr(lines.p, "\"away\":[{");
    ck_assert_ptr_nonnull(away);
    const char *player = strstr(away, "\"player\":\"") + strlen("\"player\":\"");
    int seat = 1;
    while (!(game->ruleset->awaits(game->state) & SEAT_BIT(seat)))
        seat++;
    ck_assert_msg(str_starts(player, game->seat[seat].player), "%s begins, and not %.10s",
                  game->seat[seat].player, player);
    ck_assert_uint_eq(slice_find((struct slice){player, strcspn(player, "]")}, "\"player\""), (size_t)-1);
    house_same(&house, "gc-2");
    str_release(&lines);
}
END_TEST

/* The process dies between the record of the last seat and the start. */
START_TEST(a_crash_before_the_start_is_made_good)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(house.dir, "games/gc-1/journal.jsonl");
    send("bob", "join", "");
    ck_ok(batch_rest(&house.batch, 0, &err), err);
    house_shell(&house, "cp -r log log.before"); /* nor had the log more when it died */
    send("carl", "join", "");
    ck_ok(file_read(path, 1 << 20, &text, &err), err);
    ck_assert_int_eq(found()->turn, 1);
    house_end(&house);
    str_cut(&text, text.len - 1);
    char *last = strrchr(text.p, '\n');
    ck_assert_ptr_nonnull(strstr(last, "\"type\":\"start\""));
    ck_ok(file_truncate(path, last + 1 - text.p, &err), err);
    house_shell(&house, "rm -r log && mv log.before log");
    house_empty_spool(&house);
    char *state = path_join(house.dir, "games/gc-1/state.json");
    ck_ok(file_remove(state, &err), err);
    house_begin(&house);
    ck_assert_int_eq(found()->turn, 1);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_told(&house, "anna", 1, "The game has begun");
    check_replay();
    free(path);
    free(state);
    str_release(&text);
}
END_TEST

START_TEST(resigning)
{
    send("bob", "join", "");
    send("carl", "join", "");
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    (void)house_signed(&house, "carl", "carl", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    house_empty_spool(&house);
    ck_assert_int_eq(found()->turn, 1);
    int seat = game_seat_of(found(), "bob"); /* the one that was drawn */
    send("bob", "resign", "");
    ck_assert_int_eq(found()->turn, 2); /* nobody else was awaited */
    ck_assert(found()->seat[seat].robot);
    ck_assert_str_eq(found()->seat[seat].player, "bob");
    house_told(&house, "bob", 1, "a robot plays your seat");
    send("bob", "resign", "seq: 2\n");
    house_told(&house, "bob", 1, "You have no seat");
    check_replay();
}
END_TEST

/* A record that was not made by these rules is no part of a game. */
START_TEST(false_records_are_refused)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = batch_keys(&house.batch);
    static const char *const fields[] = {
        "{\"seat\":1,\"free\":true,\"left\":\"bob\"}",
        "{\"seat\":2,\"free\":true,\"left\":\"\"}",
        "{\"seat\":2,\"player\":\"bob\",\"keys\":[],\"seal\":\"00\"}",
        "{\"seat\":1,\"player\":\"bob\",\"keys\":[],\"seal\":\"00\"}",
        "{\"seat\":2,\"player\":\"anna\",\"keys\":[],\"seal\":\"00\"}",
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        step_init(&step, &keys, house.now);
        err_clear(&err);
        ck_assert_int_eq(step_record(&step, found(), "seat", json_loads(fields[i], 0, NULL), NULL, &err), -1);
        ck_assert_int_eq(err.code, ERR_UNSOUND);
        step_release(&step);
    }
    step_init(&step, &keys, house.now);
    err_clear(&err);
    ck_assert_int_eq(step_record(&step, found(), "note",
                                 json_pack("{s:s,s:s,s:b}", "kind", "wait", "player", "bob", "leave", 1),
                                 NULL, &err),
                     -1);
    step_release(&step);
}
END_TEST

START_TEST(open_games_are_told)
{
    char head[2 * HEAD_BYTES + 1], form[120];
    hex_to(head, found()->journal.create_head, HEAD_BYTES);
    (void)snprintf(form, sizeof form, "#turnpost join game: gc-1 head: %s nonce:", head);
    send("bob", "join", "");
    house_empty_spool(&house);
    (void)house_mail(&house, "dora", "games", "\n");
    house_told(&house, "dora", 1, "gc-1 Galaxy Command 1 of 3 free anna, bob, (free)");
    (void)house_mail(&house, "dora", "games", " \n");
    house_told(&house, "dora", 1, form);
    (void)house_mail(&house, "dora", "status gc-1", "\n");
    house_told(&house, "dora", 1,
               "1 of 3 seats is free. A turn lasts 1 day at most. Seats: anna; bob; (free).");
    (void)house_mail(&house, "dora", "join gc-1", "\n");
    house_told(&house, "dora", 1, form);
}
END_TEST

/* Every ruleset: an undealt game can be told of, kept, and begun. */
START_TEST(every_ruleset_can_be_open)
{
    const char *const nobody[] = {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    const struct ruleset *ruleset = rulesets[_i];
    char text[100];
    int seats = ruleset->seats_max < 3 ? ruleset->seats_max : 3;
    open_game("x-1", ruleset->name, seats, nobody);
    house_empty_spool(&house);
    (void)house_mail(&house, "anna", "status x-1", "\n");
    house_told(&house, "anna", 1, "not begun yet");
    (void)house_mail(&house, "anna", "rules x-1", "\n");
    house_empty_spool(&house);
    house_restart(&house);
    static const char *const people[] = {"anna", "bob", "carl"};
    for (int i = 0; i < seats; i++) {
        ck_assert_int_eq(house_find(&house, "x-1")->turn, 0);
        (void)snprintf(text, sizeof text, "#turnpost join\ngame: x-1\nnonce: n%d\n#end\n", i);
        (void)house_signed(&house, people[i], people[i], text);
    }
    ck_assert_int_eq(house_find(&house, "x-1")->turn, 1);
    house_told(&house, "anna", seats < 3 ? 2 : 3, "The game has begun");
    struct err err = ERR_INIT;
    struct game replayed;
    ck_ok(game_load(house.batch.store, "x-1", NULL, &replayed, &err), err);
    ck_assert_int_eq(replayed.turn, 1);
    game_release(&replayed);
}
END_TEST

/* What keys count as a seat's is said by its player: not by who puts another one into the league's list before they join. */
START_TEST(a_seat_has_the_keys_that_its_player_names)
{
    struct err err = ERR_INIT;
    struct pubkey keys[2];
    struct str line = STR_INIT, more = STR_INIT;
    secret_public(house_person(&house, "bob"), &keys[0]);
    secret_public(house_person(&house, "somebody"), &keys[1]);
    pubkey_format(&line, &keys[1]);
    str_addf(&more, "key: %s\n", line.p);
    send("bob", "join", more.p);
    ck_assert_int_eq(game_seat_of(found(), "bob"), 0);
    house_told(&house, "bob", 1, "is not registered as yours");
    struct registry_change change = {.what = "key", .key_owner = "bob", .keys = keys, .key_count = 2};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    send("bob", "join", "nonce: a\n");
    const struct game_seat *seat = &found()->seat[game_seat_of(found(), "bob")];
    ck_assert_uint_eq(seat->key_count, 1);
    ck_assert(pubkey_equal(&seat->keys[0], &keys[0]));
    send("bob", "leave", "nonce: b\n");
    str_adds(&more, "nonce: c\n");
    send("bob", "join", more.p);
    seat = &found()->seat[game_seat_of(found(), "bob")];
    ck_assert_uint_eq(seat->key_count, 2);
    ck_assert(pubkey_equal(&seat->keys[1], &keys[1]));
    house_same(&house, "gc-1");
    str_release(&line);
    str_release(&more);
}
END_TEST

/* A key that a player has, and a game does not know, signs nothing there until a key of the seat has named it. */
START_TEST(a_seat_s_key_names_the_next_one)
{
    const char *text = "#turnpost resign\ngame: gc-1\n#end\n";
    struct err err = ERR_INIT;
    struct pubkey keys[2];
    struct str line = STR_INIT;
    send("bob", "join", "nonce: a\n");
    send("carl", "join", "nonce: b\n");
    house_empty_spool(&house);
    secret_public(house_key(&house, "bob"), &keys[0]);
    secret_public(house_person(&house, "bob's new"), &keys[1]);
    struct registry_change change = {.what = "key", .key_owner = "bob", .keys = keys, .key_count = 2};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    (void)house_signed(&house, "bob", "bob's new", text);
    house_told(&house, "bob", 1, "does not know this key of yours");
    str_adds(&line, "#turnpost key\nplayer: bob\nadd: ");
    pubkey_format(&line, &keys[1]);
    str_adds(&line, "\n#end\n");
    (void)house_signed(&house, "bob", "bob's new", line.p); /* it names itself */
    house_told(&house, "bob", 1, "has this key already");
    (void)house_signed(&house, "bob", "bob", line.p);
    house_told(&house, "bob", 1, "Good from now on");
    const int seat = game_seat_of(house_find(&house, "gc-1"), "bob");
    ck_assert_uint_eq(house_find(&house, "gc-1")->seat[seat].key_count, 2);
    (void)house_signed(&house, "bob", "bob's new", text);
    ck_assert(house_find(&house, "gc-1")->seat[seat].robot);
    house_same(&house, "gc-1");
    str_release(&line);
}
END_TEST

static void add_word(void *arg, const struct audit_finding *finding)
{
    if (finding->severity == AUDIT_WORD && finding->kind == AUDIT_SIGNATURE)
        str_addf(arg, "%s\n", finding->text);
}

/* Who waits for a seat has brought their keys along: the audit says when another one takes them off the list. */
START_TEST(another_key_of_somebody_who_waits_is_told)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    struct str lines = STR_INIT, words = STR_INIT;
    struct lines journal;
    struct audit audit;
    struct audit_result result;
    send("bob", "join", "nonce: a\n");
    send("carl", "join", "nonce: b\n");
    house_empty_spool(&house);
    secret_public(house_person(&house, "dora's new"), &key);
    struct registry_change change = {.what = "key", .key_owner = "dora", .keys = &key, .key_count = 1};
    send("dora", "join", "nonce: c\n");
    ck_assert(game_waits(found(), "dora"));
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    (void)house_signed(&house, "dora", "dora's new", "#turnpost leave\ngame: gc-1\n#end\n");
    ck_assert(!game_waits(found(), "dora"));
    house_empty_spool(&house);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    lines_memory(&journal, slice_str(&lines));
    audit_init(&audit, &journal);
    audit.found = add_word;
    audit.arg = &words;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_int_eq(result.verdict, AUDIT_PARTLY);
    ck_assert_msg(
        strstr(words.p, "is dora's, who signed record 6 with another one, rests on the operator's word"),
        "%s", words.p);
    str_release(&lines);
    str_release(&words);
}
END_TEST

/* Before the deal there is nothing to watch, to write about or to stand in for; asking changes nothing. */
START_TEST(what_belongs_to_a_turn_comes_later)
{
    send("dora", "observe", "");
    house_told(&house, "dora", 1, "Game gc-1 has not begun");
    send("dora", "standby", "");
    house_told(&house, "dora", 1, "Game gc-1 has not begun");
    send("anna", "press", "turn: 0\nto: all\nhello\n");
    house_told(&house, "anna", 1, "Game gc-1 has not begun");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, 2);
}
END_TEST

/* ---- wishes ---- */

static void wish(const char *who, const char *lines)
{
    char text[300];
    (void)snprintf(text, sizeof text, "#turnpost join\ngame: gk-1\n%s#end\n", lines);
    (void)house_signed(&house, who, who, text);
}

/* Is this text in the journal of gk-1? */
static bool recorded(const char *words)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    ck_ok(store_read(house.batch.store, "gk-1", STORE_BEGIN, &lines, &err), err);
    bool found = strstr(lines.p, words) != NULL;
    str_release(&lines);
    return found;
}

START_TEST(players_choose_their_ships)
{
    static const char *const nobody[] = {NULL, NULL, NULL};
    struct str mails;
    open_game("gk-1", "galactic-contract", 3, nobody);
    wish("bob", "nonce: 1\nSHIP: tinker , SWIFT\n");
    house_told(&house, "bob", 1, "Your wish: Tinker, Swift.");
    ck_assert(recorded("\"wish\":\"Tinker, Swift\""));
    wish("carl", "seat: 2\nship: steadfast\n");
    house_restart(&house);
    ck_assert_int_eq(house_find(&house, "gk-1")->turn, 0);
    house_empty_spool(&house);
    wish("dora", "ship: any\n");
    ck_assert_int_eq(house_find(&house, "gk-1")->turn, 1);
    (void)house_mails(&house, "dora", &mails);
    ck_assert_ptr_nonnull(strstr(mails.p, "bob flies the Tinker, as wished"));
    ck_assert_ptr_nonnull(strstr(mails.p, "carl flies the Steadfast, as wished"));
    ck_assert_ptr_null(strstr(mails.p, "You fly the Steadfast"));
    str_release(&mails);
}
END_TEST

/* Wishes of who waits go with them; a seat that somebody leaves keeps nothing. */
START_TEST(who_waits_keeps_their_wish)
{
    static const char *const nobody[] = {NULL, NULL};
    struct str mails;
    open_game("gk-1", "galactic-contract", 2, nobody);
    house_find(&house, "gk-1")->clock.held = true; /* as a moderator may have it: full, and not begun */
    wish("bob", "ship: swift\n");
    wish("carl", "ship: steadfast\n");
    wish("dora", "ship: swift, packhorse\n");
    house_told(&house, "dora", 1, "on the waiting list, in place 1");
    (void)house_signed(&house, "bob", "bob", "#turnpost leave\ngame: gk-1\n#end\n");
    ck_assert(recorded("\"waited\":true"));
    house_empty_spool(&house);
    house_find(&house, "gk-1")->clock.held = false;
    struct err err = ERR_INIT;
    ck_ok(batch_rest(&house.batch, 0, &err), err);
    house_restart(&house);
    const struct game *game = house_find(&house, "gk-1");
    int seat = game_seat_of(game, "dora");
    ck_assert_uint_eq(game->seat[seat].wishes.of[0], 1);
    ck_assert_uint_eq(game->seat[seat].wishes.of[1], 2);
    (void)house_mails(&house, NULL, &mails);
    str_release(&mails);
}
END_TEST

/* A key that was replaced while its owner waited seats nobody: they join by the one that they have. */
START_TEST(who_waits_sits_down_by_no_key_of_before)
{
    static const char *const nobody[] = {NULL, NULL}, *const people[] = {"bob", "carl", "dora"};
    struct pubkey fresh;
    secret_public(house_person(&house, "dora's new"), &fresh);
    open_game("gk-1", "galactic-contract", 2, nobody);
    house_find(&house, "gk-1")->clock.held = true; /* as a moderator may have it: full, and not begun */
    for (int i = 0; i < 3; i++)
        (void)house_signed(&house, people[i], people[i], "#turnpost join\ngame: gk-1\n#end\n");
    ck_assert(game_waits(house_find(&house, "gk-1"), "dora"));
    house_rekeys(&house, "dora", "dora's new");
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost leave\ngame: gk-1\n#end\n");
    ck_assert(recorded("\"free\":true") && !recorded("\"waited\":true"));
    ck_assert_int_eq(game_seat_of(house_find(&house, "gk-1"), "dora"), 0);
    house_told(&house, "dora", 1, "waited for it with a key that is not yours any more");
    (void)house_signed(&house, "dora", "dora's new", "#turnpost join\ngame: gk-1\nnonce: again\n#end\n");
    int seat = game_seat_of(house_find(&house, "gk-1"), "dora");
    ck_assert_int_gt(seat, 0);
    ck_assert(!game_waits(house_find(&house, "gk-1"), "dora"));
    ck_assert(pubkey_equal(&house_find(&house, "gk-1")->seat[seat].keys[0], &fresh));
    house_empty_spool(&house);
}
END_TEST

/* A key that was taken away by mistake comes back on the next day, and its owner is told so. */
START_TEST(a_key_that_was_taken_away_comes_back_tomorrow)
{
    struct pubkey other;
    secret_public(house_person(&house, "dora's other"), &other);
    send("bob", "join", "");
    send("dora", "join", "");
    ck_assert_int_eq(found()->turn, 1);
    const struct game_seat *seat = &found()->seat[game_seat_of(found(), "dora")];
    house_key_added(&house, "dora", "dora's other");
    ck_assert_uint_eq(seat->key_count, 2);
    about_key("dora", "key", "revoke", "dora's other", "");
    ck_assert_uint_eq(seat->key_count, 1);
    house_empty_spool(&house);
    about_key("dora", "key", "add", "dora's other", "seq: 2\n");
    house_empty_spool(&house);
    about_key("dora's other", "key", "add", "dora's other", "seq: 2\n");
    house_told(&house, "dora", 1, "In these games the key counts again from tomorrow on: gc-1.");
    ck_assert_uint_eq(seat->key_count, 1);
    house_clock(&house, house.now + 86400);
    about_key("dora", "key", "add", "dora's other", "seq: 3\n");
    seat = &found()->seat[game_seat_of(found(), "dora")];
    ck_assert_uint_eq(seat->key_count, 2);
    ck_assert(seat_has_key(seat, &other));
    house_empty_spool(&house);
    check_replay();
}
END_TEST

START_TEST(wishes_that_cannot_be)
{
    static const char *const nobody[] = {NULL, NULL};
    static const struct {
        const char *lines, *words;
    } wrong[] = {
        {"ship: swift, tinkr\n", "does not know \"tinkr\"; did you mean Tinker?"},
        {"ship: enterprise\n", "It takes Swift, Packhorse, Tinker, Steadfast, with commas between, or any."},
        {"ship: swift, Swift\n", "holds a name twice"},
        {"ship: swift\nship: tinker\n", "\"ship:\""},
        {"shop: swift\n", "\"ship:\""},
    };
    open_game("gk-1", "galactic-contract", 2, nobody);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wish("bob", wrong[i].lines);
        house_told(&house, "bob", 1, wrong[i].words);
    }
    send("bob", "join", "ship: swift\n");
    house_told(&house, "bob", 1, "Galaxy Command has no line \"ship:\"");
    (void)house_mail(&house, "bob", "join gk-1", "");
    house_told(&house, "bob", 1, "ship: any #end");
    (void)house_mail(&house, "bob", "join gk-1", "");
    house_told(&house, "bob", 1,
               "holds your wishes, the first one first, with commas between: Swift, Packhorse, Tinker");
    (void)house_mail(&house, "bob", "join gc-1", "");
    house_told(&house, "bob", 1, "some letters and digits of your own #end");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, what_belongs_to_a_turn_comes_later);
    tcase_add_test(tc, a_seat_has_the_keys_that_its_player_names);
    tcase_add_test(tc, a_seat_s_key_names_the_next_one);
    tcase_add_test(tc, another_key_of_somebody_who_waits_is_told);
    tcase_add_test(tc, players_choose_their_ships);
    tcase_add_test(tc, who_waits_keeps_their_wish);
    tcase_add_test(tc, wishes_that_cannot_be);
    tcase_add_loop_test(tc, the_last_seat_begins_the_game, 0, 3);
    tcase_add_test(tc, the_table_hears_of_comings_and_goings);
    tcase_add_test(tc, the_texts_have_a_part_in_the_deal);
    tcase_add_test(tc, what_is_wrong_is_said);
    tcase_add_test(tc, a_seat_of_one_s_choice_and_texts_that_come_again);
    tcase_add_test(tc, the_only_key_of_a_seat_is_taken_away);
    tcase_add_test(tc, the_waiting_list);
    tcase_add_test(tc, nobody_waits_for_a_game_that_is_over);
    tcase_add_test(tc, who_waits_gets_the_seat_that_is_given_up);
    tcase_add_loop_test(tc, the_deal_spares_who_begins, 0, 4);
    tcase_add_test(tc, a_crash_before_the_start_is_made_good);
    tcase_add_test(tc, resigning);
    tcase_add_test(tc, false_records_are_refused);
    tcase_add_test(tc, open_games_are_told);
    tcase_add_test(tc, who_waits_sits_down_by_no_key_of_before);
    tcase_add_test(tc, a_key_that_was_taken_away_comes_back_tomorrow);
    int count = 0;
    while (rulesets[count])
        count++;
    tcase_add_loop_test(tc, every_ruleset_can_be_open, 0, count);
}

TEST_MAIN("petitions/open_games", cases)
