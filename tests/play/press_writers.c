/* Messages between players, and who wrote them: grey press does not reveal it, not even in the journal, and signed press
 * proves it to anybody. */
#include "house/masked.h"
#include "house/press.h"

#include "game/apply.h"
#include "game/game_load.h"

static void read_file(const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    char *path = path_join(house.dir, name);
    str_clear(out);
    ck_ok(file_read(path, 1 << 22, out, &err), err);
    free(path);
}

/* ---- who wrote it ---- */

/* Everything of a league that others than the writer can see after a grey message: the last record, and the
 * mails to those who did not write it, with digits that are random by nature masked. */
static void last_record(struct str *out)
{
    struct str all = STR_INIT;
    read_file("games/gc-1/journal.jsonl", &all);
    str_trim(&all);
    const char *line = strrchr(all.p, '\n');
    str_adds(out, line + 1);
    mask_hex(out);
    mask_between(out, "\"sig\":\"", "\"}");
    char *box = strstr(out->p, "\"box\":\"");
    for (char *p = box ? box + 7 : NULL; p && *p != '"'; p++) /* its length is to be seen */
        *p = 'x';
    str_release(&all);
}

/* The same league twice; in one anna writes, in the other bob does. */
static void compare_writers(const char *fields, bool report)
{
    struct str record[2] = {STR_INIT, STR_INIT}, mails[2] = {STR_INIT, STR_INIT};
    char copy[80];
    game_of(PRESS_GREY, report);
    (void)snprintf(copy, sizeof copy, "%s-copy", house.dir);
    house_restart(&house);
    house_end(&house);
    scratch_copy(house.dir, copy);
    house_begin(&house);
    int64_t noon = house.now;
    for (int i = 0; i < 2; i++) {
        house.now = noon;
        ck_assert_int_eq(say(i ? "bob" : "anna", fields), INTAKE_PROCESSED);
        last_record(&record[i]);
        if (report) {
            house_empty_spool(&house);
            house_clock(&house, noon + 86401);
        }
        others_mails(&house, "anna", "bob", &mails[i]);
        if (i == 0) {
            house_end(&house);
            scratch_remove(house.dir);
            ck_assert_int_eq(rename(copy, house.dir), 0);
            house.mails = 0;
            house_begin(&house);
        }
    }
    ck_assert_uint_gt(mails[0].len, 500);
    ck_assert_str_eq(record[0].p, record[1].p);
    if (strcmp(mails[0].p, mails[1].p) != 0) {
        size_t at = 0;
        while (mails[0].p[at] == mails[1].p[at])
            at++;
        at -= at > 200 ? 200 : at;
        ck_abort_msg("what others get differs:\n%.400s\n---\n%.400s", mails[0].p + at, mails[1].p + at);
    }
    for (int i = 0; i < 2; i++) {
        str_release(&record[i]);
        str_release(&mails[i]);
    }
}

START_TEST(grey_press_does_not_tell_who_wrote_it)
{
    static const char *const to[] = {"to: carol\nfrom: nobody\nHello\n", "to: all\nfrom: nobody\nHello\n",
                                     "to: moderators\nfrom: nobody\nHello\n",
                                     "to: all moderators\nfrom: nobody\nHello\n"};
    compare_writers(to[_i % 4], _i >= 4);
}
END_TEST

/* The marks are no hashes of what can be guessed, and not those of the mail's orders. */
START_TEST(the_marks_can_not_be_guessed)
{
    static const char text[] =
        "#turnpost press\ngame: gc-1\nturn: 1\nto: carol\nfrom: nobody\nYes, tonight!\n#end\n";
    static const char orders[] = "#turnpost orders\ngame: gc-1\nturn: 1\npass\n#end\n";
    struct str body = STR_INIT, journal = STR_INIT, hex = STR_INIT, headed = STR_INIT;
    unsigned char digest[32];
    game_of(PRESS_GREY, false);
    house_headed(&house, text, &headed);
    house_sign(&house, "anna", text, &body);
    str_addc(&body, '\n');
    house_sign(&house, "anna", orders, &body);
    (void)house_mail(&house, "anna", "both", body.p);
    ck_assert(house_find(&house, "gc-1")->seat[1].orders.in);
    read_file("games/gc-1/journal.jsonl", &journal);
    ck_assert_ptr_nonnull(strstr(journal.p, "\"kind\":\"press\""));
    ck_assert_ptr_null(strstr(journal.p, "Yes, tonight!"));
    for (int seat = 0; seat <= 3; seat++) {
        game_text_digest(digest, house_find(&house, "gc-1"), seat, slice_str(&headed));
        str_clear(&hex);
        hex_encode(&hex, digest, 32);
        ck_assert_ptr_null(strstr(journal.p, hex.p));
    }
    message_digest(digest, slice_str(&house.last_raw));
    str_clear(&hex);
    hex_encode(&hex, digest, 32);
    const char *once = strstr(journal.p, hex.p); /* in the `orders` record */
    ck_assert_ptr_nonnull(once);
    ck_assert_ptr_null(strstr(once + 1, hex.p));
    /* What is sealed is not sealed with the key that is published at the end. */
    struct seal_keys keys = {.seals = true}, press = {.presses = true};
    struct sealed_set set = {NULL, 0, 0};
    const char *line = strstr(journal.p, "\"kind\":\"press\"");
    while (line[-1] != '\n')
        line--;
    struct err err = ERR_INIT;
    json_t *record = json_read((struct slice){line, strcspn(line, "\n")}, "record", &err);
    game_seal_key(keys.seal, house.league.master, house_find(&house, "gc-1"));
    game_press_key(press.press, house.league.master, house_find(&house, "gc-1"));
    sealed_open(&set, &keys, record);
    ck_assert_uint_eq(set.count, 0);
    sealed_open(&set, &press, record);
    ck_assert_uint_eq(set.count, 1);
    ck_assert(set.list[0].item == SEAL_PRESS && set.list[0].seat == 0);
    unsigned char key[32], press_key[32], salt[32];
    memcpy(key, keys.seal, 32);
    memcpy(press_key, press.press, 32);
    const struct sealed_place place = {set.list[0].seq, 0, SEAL_PRESS};
    seal_salt(salt, key, &place, slice_str(&set.list[0].payload));
    ck_assert_mem_ne(salt, set.list[0].salt, 32);
    seal_salt(salt, press_key, &place, slice_str(&set.list[0].payload));
    ck_assert_mem_eq(salt, set.list[0].salt, 32);
    ck_assert_ptr_nonnull(strstr(set.list[0].payload.p, "\"player\":\"anna\""));
    json_decref(record);
    sealed_set_release(&set);
    str_release(&body);
    str_release(&headed);
    str_release(&journal);
    str_release(&hex);
}
END_TEST

/* Press opens to nobody but the league: the journal must replay without it. */
START_TEST(a_journal_replays_without_its_press)
{
    struct err err = ERR_INIT;
    struct slice line, rest;
    struct str journal = STR_INIT;
    struct seal_keys keys = {.seals = true};
    struct game game;
    game_of(PRESS_GREY, true);
    (void)say("anna", "to: carol\nfrom: nobody\nHello\n");
    (void)say("bob", "to: all\nHello\n");
    play("anna", 1);
    house_clock(&house, house.now + 86401);
    game_seal_key(keys.seal, house.league.master, house_find(&house, "gc-1"));
    read_file("games/gc-1/journal.jsonl", &journal);
    game_init(&game);
    memcpy(game.id, "gc-1", 5);
    rest = slice_str(&journal);
    while (slice_whole_line(&rest, &line)) {
        struct record record;
        struct sealed_set set = {NULL, 0, 0};
        ck_ok(record_parse(line, &record, &err), err);
        sealed_open(&set, &keys, record.json);
        ck_ok(game_apply(&game,
                         &(struct apply_input){&record, game.journal.length + (int64_t)line.len, &set, NULL,
                                               NULL, false},
                         &err),
              err);
        sealed_set_release(&set);
        record_release(&record);
    }
    ck_assert_mem_eq(game.head, house_find(&house, "gc-1")->head, 32);
    ck_assert_int_eq(game.turn, 2);
    game_release(&game);
    str_release(&journal);
}
END_TEST

/* ---- signed ---- */

static void signed_game(bool report)
{
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 3,
                                    .turn_length = 86400,
                                    .press_report = report,
                                    .press_signed = true},
                  table);
}

/* The raw mails to NAME with this file in them. */
static int with_file(const char *name, const char *file, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char address[PLAYER_ADDRESS];
    int count = 0;
    (void)snprintf(address, sizeof address, "%s@example.net", name);
    str_clear(out);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default, &(struct message_identity){0},
                            &msg, &err),
              err);
        for (size_t p = 0; strcmp(mail.envelope_to, address) == 0 && p < msg.part_count; p++) {
            if (strcmp(msg.parts[p].name, file) != 0)
                continue;
            str_addslice(out, slice_str(&msg.parts[p].shown));
            count++;
        }
        message_release(&msg);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    return count;
}

/* Text and signature, as anybody can check them. */
static void ck_signed(const struct str *file, const char *who, const char *words)
{
    struct err err = ERR_INIT;
    struct signature sig;
    struct pubkey key;
    const char *armor = strstr(file->p, "-----BEGIN SSH SIGNATURE");
    ck_assert_ptr_nonnull(armor);
    ck_assert_ptr_nonnull(strstr(file->p, words));
    secret_public(house_key(&house, who), &key);
    ck_ok(signature_parse(slice_of(armor), &sig, &err), err);
    ck_ok(signature_verify(&sig, &key, NS_ORDERS, (struct slice){file->p, (size_t)(armor - file->p)}, &err),
          err);
}

START_TEST(signed_press_can_be_shown_to_anybody)
{
    struct str file = STR_INIT;
    signed_game(false);
    house_told(&house, "bob", 1, "can prove that you wrote it"); /* before anybody writes */
    (void)say("anna", "to: bob moderators\nI shall not attack you.\n");
    ck_assert_int_eq(with_file("bob", "signed.txt", &file), 1);
    ck_signed(&file, "anna", "\nI shall not attack you.\n");
    ck_assert_int_eq(with_file("mod", "signed.txt", &file), 1);
    ck_assert_int_eq(with_file("carol", "signed.txt", &file), 1); /* as a moderator */
    ck_assert_int_eq(with_file("anna", "signed.txt", &file), 0);
    house_told(&house, "anna", 1, "can prove that you wrote it");
    (void)say("anna", "to: bob\nfrom: nobody\nPsst.\n");
    house_told(&house, NULL, 1, "carry the sender's name");
    house_same(&house, "gc-1");
    str_release(&file);
}
END_TEST

START_TEST(signed_press_comes_with_the_report)
{
    struct str file = STR_INIT;
    signed_game(true);
    house_empty_spool(&house);
    (void)say("anna", "to: bob\nOne.\n");
    (void)say("carol", "to: all\nTwo.\n");
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost mute\ngame: gc-1\nplayer: carol\n#end\n");
    house_restart(&house);
    house_empty_spool(&house);
    house_clock(&house, house.now + 86401);
    ck_assert_int_eq(with_file("bob", "signed.txt", &file), 1);
    ck_signed(&file, "anna", "\nOne.\n");
    ck_assert_ptr_null(strstr(file.p, "Two.")); /* whom they do not want to hear */
    ck_assert_int_eq(with_file("anna", "signed.txt", &file), 1);
    ck_signed(&file, "carol", "\nTwo.\n");
    house_same(&house, "gc-1");
    str_release(&file);
}
END_TEST

/* A sender can pad nothing but their own words: the text goes out as it is. */
START_TEST(a_signed_text_is_not_much_longer_than_its_message)
{
    struct str fields = STR_INIT;
    signed_game(false);
    house_empty_spool(&house);
    for (int i = 0; i < 40; i++)
        str_adds(&fields, "# a line of the head that nobody reads, again and again\n");
    str_adds(&fields, "to: bob\nHello\n");
    (void)say("anna", fields.p);
    house_told(&house, NULL, 1, "goes out with the message");
    str_release(&fields);
}
END_TEST

START_TEST(unsigned_press_has_no_file)
{
    struct str file = STR_INIT;
    game_of(PRESS_WHITE, false);
    (void)say("anna", "to: bob\nHello\n");
    ck_assert_int_eq(with_file("bob", "signed.txt", &file), 0);
    house_told(&house, "anna", 1, "on its way");
    str_release(&file);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, signed_press_can_be_shown_to_anybody);
    tcase_add_test(tc, signed_press_comes_with_the_report);
    tcase_add_test(tc, a_signed_text_is_not_much_longer_than_its_message);
    tcase_add_test(tc, unsigned_press_has_no_file);
    tcase_add_loop_test(tc, grey_press_does_not_tell_who_wrote_it, 0, 8);
    tcase_add_test(tc, the_marks_can_not_be_guessed);
    tcase_add_test(tc, a_journal_replays_without_its_press);
}
TEST_MAIN("play/press_writers", cases)
