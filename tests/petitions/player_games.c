/* Games that players make by mail: "open" and "rematch"; what the last report of a game brings; the files of one that
 * is over. */
#include "house/mailed.h"
#include "house/scene.h"

#include "publish/publish.h"

static void begin(void)
{
    scene("mona");
    house_option(&house, "[league]", "player_games = 5");
    house_restart(&house);
}

static void send(const char *who, const char *verb, const char *lines)
{
    char text[400];
    (void)snprintf(text, sizeof text, "#turnpost %s\n%s#end\n", verb, lines);
    (void)house_signed(&house, who, who, text);
}

/* What is wrong is said in words for players: they have no commands. */
START_TEST(what_is_wrong_is_said_to_players)
{
    static const struct {
        const char *lines, *words;
    } wrong[] = {
        {"name: x\nruleset: galaxy-command\nseats: anna, bobb\n",
         "No player of this league is called \"bobb\". Who wants to play registers first"},
        {"name: x\nruleset: galaxy-command\nseats: anna, keyless\n", "keyless has no key at the moment"},
        {"name: x\nruleset: galaxy-command\nseats: anna, b b\n", "\"b b\" is no name"},
        {"name: x\nruleset: galaxy-command\nseats: anna, anna\n", "\"anna\" has two seats"},
        {"name: x\nruleset: galaxy-command\nseats: bob, robot\n", "must name you as well, anna"},
        {"name: x\nruleset: galaxy-commando\n", "no such ruleset"},
        {"name: x\nruleset: galaxy-command\nopen: 7\n", "is for 1 to 4 seats"},
        {"name: x\nruleset: galaxy-command\noption: speed=3\n", "has no option \"speed\""},
        {"name: x\nruleset: galaxy-command\ndeadline: 5m\n", "from 1h to 30d"},
        {"name: registry\nruleset: galaxy-command\n", "cannot name a game"},
        {"name: x\nruleset: galaxy-command\ntrust: mail\n", "This league believes keys only"},
        {"name: x\nruleset: galaxy-command\ntrust: both\n", "\"trust:\" takes signed"},
    };
    struct str mails;
    house_mailer(&house, "keyless");
    send("anna", "open", wrong[_i].lines);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_ptr_null(strstr(mails.p, "`turnpost"));
    str_release(&mails);
    told_all("anna", 1, wrong[_i].words);
    ck_assert(!store_has(house.batch.store, "x"));
}
END_TEST

/* ---- once more ---- */

/* Anna, Bob and a robot, who play one round; Carol has given up her seat. */
static void played(void)
{
    static const char *const names[] = {"anna", "bob", "carol", "robot-hal"};
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 4,
                           .clock = &clock_of,
                           .press = PRESS_GREY,
                           .press_report = true,
                           .second_thoughts = 60,
                           .missed_robot = 7};
    house_game_of(&house, how, names);
    send("carol", "resign", "game: gc-1\n");
    send("mona", "moderate", "game: gc-1\nturn: 1\ndo: void\nreason: a storm\n");
    ck_assert(game_now()->over);
    house_empty_spool(&house);
}

START_TEST(once_more)
{
    char head[2 * HEAD_BYTES + 1];
    struct err err = ERR_INIT;
    played();
    hex_to(head, game_now()->head, HEAD_BYTES);
    send("carol", "rematch", "game: gc-1\n");
    told_all("carol", 1, "You have no seat in game gc-1");
    send("anna", "rematch", "game: gc-1\n");
    told("anna", 1,
         "Game gc-1 is to be played again, with the same people. Seat 1 in a new game is kept for you");
    told_all("bob", 1, "game: gc-1-r2");
    const struct game *made = house_find(&house, "gc-1-r2");
    ck_assert_int_eq(made->turn, 0);
    ck_assert_str_eq(made->table.entry[1], "for:anna");
    ck_assert_str_eq(made->table.entry[2], "for:bob");
    ck_assert_str_eq(made->table.entry[3], "");
    ck_assert_str_eq(made->table.entry[4], "robot:robot-hal");
    ck_assert(made->press.kind == PRESS_GREY && made->press.by_report);
    ck_assert_int_eq(made->clock.second_thoughts, 60);
    ck_assert_int_eq(made->attendance.missed_robot, 7);
    ck_assert_int_eq(made->clock.schedule.length, 3 * DAY);
    struct str lines = STR_INIT;
    ck_ok(store_read(house.batch.store, "gc-1-r2", STORE_BEGIN, &lines, &err), err);
    ck_assert_ptr_nonnull(strstr(lines.p, "\"rematch\":\"gc-1\""));
    ck_assert_ptr_nonnull(strstr(strstr(lines.p, "\"rematch_head\":\""), head));
    str_release(&lines);
}
END_TEST

START_TEST(once_more_is_asked_for_once)
{
    played();
    send("anna", "rematch", "game: gc-1\n");
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&house.last_raw));
    told(NULL, 0, NULL);
    send("anna", "rematch", "game: gc-1\n");
    told_all("anna", 1, "very same text");
    send("bob", "rematch", "game: gc-1\n");
    told_all("bob", 1, "The rematch is made: it is gc-1-r2.");
    ck_assert(!store_has(house.batch.store, "gc-1-r3"));
    send("bob", "rematch", "game: gc-1\nname: best-of-3\n");
    told_all("bob", 1, "Seat 2 in a new game is kept for you");
    send("bob", "rematch", "game: gc-1-r2\n");
    told_all("bob", 1, "You have no seat in game gc-1-r2");
}
END_TEST

/* ---- whose word counts ---- */

/* A league that believes mail domains makes such games, unless a text says otherwise; then somebody without a key can
 * be asked for one. */
START_TEST(what_the_league_believes)
{
    house_option(&house, "[league]", "trust = mail");
    house_restart(&house);
    house_mailer(&house, "keyless");
    send("anna", "open", "name: x1\nruleset: galaxy-command\nseats: anna, keyless\n");
    ck_assert(house_find(&house, "x1")->table.by_mail);
    ck_assert_str_eq(house_find(&house, "x1")->table.entry[2], "for:keyless");
    told_all("keyless", 1, "To take it, press Reply and type: ok ");
    send("anna", "open", "name: x2\nruleset: galaxy-command\ntrust: signed\n");
    ck_assert(!house_find(&house, "x2")->table.by_mail);
    house_empty_spool(&house);
    send("anna", "open", "name: x4\nruleset: galaxy-command\nopen: 1\n");
    send("anna", "open", "name: x5\nruleset: galaxy-command\ntrust: signed\nopen: 1\n");
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "games", "");
    told_all("bob", 1, "1 of 2 free, mail counts");
    house_empty_spool(&house);
    send("anna", "open", "name: x3\nruleset: galaxy-command\ntrust: signed\nseats: anna, keyless\n");
    ck_assert(!store_has(house.batch.store, "x3"));
}
END_TEST

/* The game that is played again is like the first, as far as the league still believes it. */
START_TEST(once_more_by_mail)
{
    static const char *const names[] = {"anna", "keyless"};
    bool believes = _i == 0;
    if (believes) {
        house_option(&house, "[league]", "trust = mail");
        house_restart(&house);
    }
    house_mailer(&house, "keyless");
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .clock = &clock_of,
                                    .by_mail = true,
                                    .missed_robot = 7},
                  names);
    send("mona", "moderate", "game: gc-1\nturn: 1\ndo: void\nreason: a storm\n");
    send("anna", "rematch", "game: gc-1\n");
    const struct game *made = house_find(&house, "gc-1-r2");
    ck_assert(made->table.by_mail == believes);
    ck_assert_str_eq(made->table.entry[2], believes ? "for:keyless" : "");
}
END_TEST

/* ---- the last report ---- */

/* Anna plays one round against a robot; press is sealed and stays so. */
static void play_to_the_end(const char *options)
{
    char text[200];
    send("anna", "open", options);
    send("anna", "join", "game: gc-1\n");
    send("anna", "press", "game: gc-1\nturn: 1\nto: moderators\nThis stays between us.\n");
    for (int i = 0; i < 40 && !game_now()->over; i++) {
        house_empty_spool(&house);
        (void)snprintf(text, sizeof text, "game: gc-1\nturn: %d\nseq: %d\nfinal: yes\nrnd\n",
                       game_now()->turn, i + 1);
        send("anna", "orders", text);
    }
    ck_assert(game_now()->over);
}

/* The file of that name in the only mail to Anna, or an empty text. */
static void attached(const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    struct outgoing mail;
    struct message msg;
    str_init(out);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    ck_assert_uint_eq(list.count, 1);
    ck_ok(spool_load(house.batch.spool, list.path[0], &mail, &err), err);
    ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default,
                        &(struct message_identity){NULL, 0, NULL, 0}, &msg, &err),
          err);
    for (size_t i = 0; i < msg.part_count; i++)
        if (strcmp(msg.parts[i].name, name) == 0)
            str_addslice(out, slice_str(&msg.parts[i].exact));
    message_release(&msg);
    outgoing_release(&mail);
    spool_list_free(&list);
}

/* What "turnpost publish" would write. */
static void attached_as_published(void)
{
    struct err err = ERR_INIT;
    struct bundle bundle = {NULL, 0, 0};
    const struct publish publish = {.store = house.batch.store,
                                    .league = &house.league,
                                    .log = house.batch.tlog,
                                    .templates = house.batch.templates,
                                    .game = "gc-1"};
    int found = 0;
    ck_ok(publish_game(&publish, &bundle, &err), err);
    for (size_t i = 0; i < bundle.count; i++) {
        struct str text;
        if (strcmp(bundle.file[i].name, "journal.jsonl") != 0)
            continue;
        attached(bundle.file[i].name, &text);
        ck_assert_uint_gt(text.len, 1000);
        ck_assert_str_eq(text.p, bundle.file[i].bytes.p);
        ck_assert_ptr_null(strstr(text.p, "between us"));
        ck_assert_ptr_nonnull(strstr(text.p, "\"press\""));
        str_release(&text);
        found++;
    }
    ck_assert_int_eq(found, 1);
    bundle_release(&bundle);
}

START_TEST(the_last_report_brings_the_journal_and_the_next_game)
{
    char form[200], head[2 * HEAD_BYTES + 1];
    play_to_the_end("name: gc-1\nruleset: galactic-supremacy\nseats: anna, robot\noption: rounds=1\n");
    attached_as_published();
    game_answer_head(head, game_now());
    (void)snprintf(form, sizeof form, "#turnpost rematch game: gc-1 head: %s #end", head);
    told("anna", 1, form);
    told("anna", 1, "and attached (journal.jsonl)");
    house_empty_spool(&house);
    (void)snprintf(form, sizeof form, "game: gc-1\nhead: %s\n", head);
    send("anna", "rematch", form);
    told_all("anna", 1, "Seat 1 in a new game is kept for you");
}
END_TEST

/* ---- the files of a game, by mail ---- */

/* The archive's files, unpacked by tar, are those of the bundle. */
static void unpacked_as_published(const struct str *archive)
{
    struct err err = ERR_INIT;
    struct bundle bundle = {NULL, 0, 0};
    const struct publish publish = {.store = house.batch.store,
                                    .league = &house.league,
                                    .log = house.batch.tlog,
                                    .templates = house.batch.templates,
                                    .game = "gc-1"};
    char command[SCRATCH_PATH + 60], *tar = house_path(&house, "got.tar");
    ck_ok(file_write_soft(tar, slice_str(archive), 0600, &err), err);
    (void)snprintf(command, sizeof command, "cd %s && tar xf got.tar", house.dir);
    ck_assert_int_eq(system(command), 0);
    ck_ok(publish_game(&publish, &bundle, &err), err);
    ck_assert_uint_eq(bundle.count, 10);
    for (size_t i = 0; i < bundle.count; i++) {
        struct str path = STR_INIT, text = STR_INIT;
        str_addf(&path, "%s/gc-1.published/%s", house.dir, bundle.file[i].name);
        ck_ok(file_read(path.p, 1 << 20, &text, &err), err);
        ck_assert_uint_eq(text.len, bundle.file[i].bytes.len);
        ck_assert(!text.len || memcmp(text.p, bundle.file[i].bytes.p, text.len) == 0);
        str_release(&path);
        str_release(&text);
    }
    bundle_release(&bundle);
    free(tar);
}

START_TEST(a_game_is_published_by_mail)
{
    struct str archive;
    play_to_the_end("name: gc-1\nruleset: galactic-supremacy\nseats: anna, robot\noption: rounds=1\n");
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "x", "#turnpost publish\ngame: gc-1\n#end\n");
    told_all("bob", 1, "no signature");
    send("bob", "publish", "game: gc-1\n");
    told("bob", 1, "tar xf gc-1.published.tar");
    attached("gc-1.published.tar", &archive);
    unpacked_as_published(&archive);
    str_release(&archive);
    bool more = true;
    for (int i = 0; i < 32 && more; i++) {
        struct str mails;
        char lines[40];
        house_empty_spool(&house);
        (void)snprintf(lines, sizeof lines, "game: gc-1\n# %d\n", i);
        send("bob", "publish", lines);
        (void)house_mails(&house, "bob", &mails);
        more = strstr(mails.p, "tar xf") != NULL;
        str_release(&mails);
    }
    told_all("bob", 1, "You have had as much as can be sent on one day");
    send("anna", "journal", "game: gc-1\n");
    told_all("anna", 1, "is attached");
}
END_TEST

/* ---- wishes ---- */

START_TEST(who_makes_a_game_wishes_in_their_form)
{
    send("anna", "open", "name: gf-1\nruleset: galaxy-farmer\nship: drovr\n");
    told_all("anna", 1, "does not know \"drovr\"; did you mean Drover?");
    send("anna", "open", "name: gf-1\nruleset: galaxy-command\nship: drover\n");
    told_all("anna", 1, "Galaxy Command has no line \"ship:\"");
    send("anna", "open", "name: gf-1\nruleset: galaxy-farmer\noption: ship=2\nship: drover\n");
    told_all("anna", 1, "the options of the game have chosen it");
    ck_assert(!store_has(house.batch.store, "gf-1"));
    send("anna", "open", "name: gf-1\nruleset: galaxy-farmer\nship: drover\n");
    told_all("anna", 1, "ship: Drover #end");
    send("anna", "join", "game: gf-1\nship: drover\n");
    told("anna", 2, "Your wish: Drover.");
    told_all("anna", 2, "Ship Drover at HOME");
    send("mona", "moderate", "game: gf-1\nturn: 1\ndo: void\nreason: a storm\n");
    house_empty_spool(&house);
    send("anna", "rematch", "game: gf-1\nship: bulker, drover\n");
    told_all("anna", 1, "ship: Bulker, Drover #end");
    send("anna", "open", "name: gf-2\nruleset: galaxy-farmer\noption: ship=2\n");
    told_all("anna", 1, "game: gf-2 head:");
    send("anna", "join", "game: gf-2\nship: drover\n");
    told_all("anna", 1, "the options of the game have chosen it");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, what_is_wrong_is_said_to_players, 0, 12);
    tcase_add_test(tc, the_last_report_brings_the_journal_and_the_next_game);
    tcase_add_test(tc, a_game_is_published_by_mail);
    tcase_add_test(tc, once_more);
    tcase_add_test(tc, who_makes_a_game_wishes_in_their_form);
    tcase_add_test(tc, once_more_is_asked_for_once);
    tcase_add_test(tc, what_the_league_believes);
    tcase_add_loop_test(tc, once_more_by_mail, 0, 2);
}

TEST_MAIN("petitions/player_games", cases)
