/* What is in the bundle of a game for the world, and what is not. */
#include "base/json.h"
#include "house/house.h"
#include "house/gives.h"

#include "publish/publish.h"

static struct house house;
static const char *const table[] = {"anna", "bob"};

static void begin(void)
{
    house_open(&house);
    for (int i = 0; i < 2; i++)
        house_player(&house, table[i]);
    house_player(&house, "mod");
    house_option(&house, "[league]", "moderators = mod");
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost press\ngame: gc-1\nturn: 1\nto: bob\nThe private words.\n#end\n");
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near or bide\n#end\n");
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

static void play_to_the_end(void)
{
    for (int turn = 0; !house_find(&house, "gc-1")->over; turn++) {
        ck_assert_int_lt(turn, 60);
        house_clock(&house, house.now + 86401);
        house_empty_spool(&house);
    }
}

static int publish(const char *game, bool redact, struct bundle *bundle, struct err *err)
{
    struct publish how = {.store = house.batch.store,
                          .league = &house.league,
                          .log = house.batch.tlog,
                          .templates = house.batch.templates,
                          .game = game,
                          .redact = redact};
    *bundle = (struct bundle){NULL, 0, 0};
    return publish_game(&how, bundle, err);
}

/* The bytes of a file; NULL when it is not there. */
static const char *file_of(const struct bundle *bundle, const char *name)
{
    for (size_t i = 0; i < bundle->count; i++)
        if (strcmp(bundle->file[i].name, name) == 0)
            return bundle->file[i].bytes.p;
    return NULL;
}

static bool has(const struct bundle *bundle, const char *words)
{
    for (size_t i = 0; i < bundle->count; i++)
        if (slice_find(slice_str(&bundle->file[i].bytes), words) != (size_t)-1)
            return true;
    return false;
}

/* Some box of the journal, which is open, holds these words. */
static void in_boxes(const struct bundle *bundle, const char *words)
{
    struct seal_keys keys = {.seals = false};
    struct slice rest = slice_of(file_of(bundle, "journal.jsonl")), line;
    bool found = false;
    seal_keys_published(&keys, rest);
    while (slice_line(&rest, &line)) {
        struct err err = ERR_INIT;
        struct sealed_set set = {NULL, 0, 0};
        json_t *record = json_read(line, "record", &err);
        sealed_open(&set, &keys, record);
        for (size_t i = 0; i < set.count; i++)
            found |= slice_find(slice_str(&set.list[i].payload), words) != (size_t)-1;
        sealed_set_release(&set);
        json_decref(record);
    }
    ck_assert_msg(found, "no box holds %s", words);
}

START_TEST(a_running_game_opens_nothing)
{
    struct bundle bundle;
    struct err err = ERR_INIT;
    ck_ok(publish("gc-1", false, &bundle, &err), err);
    ck_assert_ptr_nonnull(file_of(&bundle, "journal.jsonl"));
    ck_assert_ptr_nonnull(file_of(&bundle, "HEAD.tlog-proof"));
    ck_assert_ptr_null(file_of(&bundle, "signed/index"));
    ck_assert(!has(&bundle, "explore near or bide"));
    ck_assert(!has(&bundle, "private words"));
    ck_assert(!has(&bundle, "example.net"));
    ck_assert_ptr_nonnull(strstr(file_of(&bundle, "README"), "still runs"));
    bundle_release(&bundle);
}
END_TEST

START_TEST(a_finished_game_opens_all_but_press)
{
    struct bundle bundle, again;
    struct err err = ERR_INIT;
    play_to_the_end();
    int64_t seq = house_find(&house, "gc-1")->seq;
    ck_ok(publish("gc-1", false, &bundle, &err), err);
    in_boxes(&bundle, "explore near or bide");
    ck_assert(has(&bundle, "explore near or bide")); /* in signed/ */
    ck_assert(!has(&bundle, "private words"));
    ck_assert_ptr_nonnull(strstr(file_of(&bundle, "signed/index"), " 1 1 anna 20261120120000Z ssh -\n"));
    ck_assert_ptr_nonnull(
        strstr(file_of(&bundle, "allowed_signers"),
               "anna namespaces=\"orders@turnpost\",valid-after=\"20261120120000Z\" ssh-ed25519 "));
    /* An appeal after the end, whose words are nobody else's. */
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost appeal\ngame: gc-1\nturn: 2\nThe sorry words.\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq + 1);
    ck_ok(publish("gc-1", false, &again, &err), err);
    ck_assert(!has(&again, "sorry words"));
    ck_assert_str_eq(file_of(&again, "signed/index"), file_of(&bundle, "signed/index"));
    ck_assert_str_ne(file_of(&again, "journal.jsonl"), file_of(&bundle, "journal.jsonl"));
    bundle_release(&bundle);
    bundle_release(&again);
}
END_TEST

START_TEST(redacted_it_names_nobody_outside_the_journal)
{
    struct bundle bundle;
    struct err err = ERR_INIT;
    play_to_the_end();
    ck_ok(publish("gc-1", false, &bundle, &err), err);
    ck_assert(house_names(slice_of(file_of(&bundle, "allowed_signers")), "bob"));
    bundle_release(&bundle);
    ck_ok(publish("gc-1", true, &bundle, &err), err);
    for (size_t i = 0; i < bundle.count; i++) {
        const char *name = bundle.file[i].name;
        if (strcmp(name, "journal.jsonl") == 0)
            continue;
        ck_assert_msg(!house_names(slice_str(&bundle.file[i].bytes), "anna"), "anna in %s", name);
        ck_assert_msg(!house_names(slice_str(&bundle.file[i].bytes), "bob"), "bob in %s", name);
    }
    ck_assert_ptr_nonnull(strstr(file_of(&bundle, "signed/index"), " seat-1 "));
    ck_assert_ptr_nonnull(strstr(file_of(&bundle, "allowed_signers"), "\nseat-2 "));
    ck_assert_ptr_nonnull(strstr(file_of(&bundle, "README"), "Names are left out"));
    bundle_release(&bundle);
}
END_TEST

static void says(const char *name, const char *text)
{
    (void)house_signed(&house, name, name, text);
    house_empty_spool(&house);
}

/* The first words of each line of signed/index: "5 1 1 anna". */
static void index_of(const struct bundle *bundle, struct str *out)
{
    struct slice rest = slice_of(file_of(bundle, "signed/index")), line, word;
    str_clear(out);
    while (slice_line(&rest, &line)) {
        for (int i = 0; i < 4 && slice_word(&line, &word); i++)
            str_addf(out, "%.*s%s", (int)word.len, word.p, i < 3 ? " " : "\n");
    }
}

static void must_list(const char *game, bool redact, const char *want)
{
    struct bundle bundle;
    struct err err = ERR_INIT;
    struct str got = STR_INIT;
    ck_ok(publish(game, redact, &bundle, &err), err);
    index_of(&bundle, &got);
    ck_assert_str_eq(got.p, want);
    published_bundle(&bundle, game);
    str_release(&got);
    bundle_release(&bundle);
}

/* Moderators' orders are sealed like a player's, but no key that the journal knows has signed them. */
START_TEST(what_moderators_ordered_is_sealed_and_not_listed)
{
    struct bundle bundle;
    struct err err = ERR_INIT;
    house_rules(&house, "gc-1", "do: orders bob\nreason: He is ill.\nexplore near\n");
    says("mod", "#turnpost moderate\ngame: gc-1\nturn: 2\ndo: orders bob\nreason: He wrote to me.\n"
                "explore far or bide\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, 10);
    play_to_the_end();
    ck_ok(publish("gc-1", false, &bundle, &err), err);
    published_bundle(&bundle, "gc-1");
    in_boxes(&bundle, "{\"lines\":\"explore near\"}");
    in_boxes(&bundle, "He wrote to me.");
    const char *readme = file_of(&bundle, "README");
    ck_assert(readme && house_says(readme, "in record 7, 10, which names them"));
    must_list("gc-1", false, "6 1 1 anna\n");
    bundle_release(&bundle);
}
END_TEST

/* However somebody came to a seat, their keys count from then on. */
START_TEST(who_came_later_is_listed_too)
{
    house_player(&house, "dora");
    house_gives(&house, "gc-1", "bob", "dora");
    says("dora", "#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n");
    house_rules(&house, "gc-1", "do: replace dora by robot\nreason: She has gone, too.\n");
    says("anna", "#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n");
    house_gives(&house, "gc-1", "dora", "bob");
    says("bob", "#turnpost orders\ngame: gc-1\nturn: 3\nbide\n#end\n");
    house_rules(&house, "gc-1", "do: rollback turn 2\nreason: It went wrong.\n");
    says("bob", "#turnpost orders\ngame: gc-1\nturn: 2\nbide\n#end\n");
    house_rules(&house, "gc-1", "do: void\nreason: Enough.\n");
    must_list("gc-1", false, "6 1 1 anna\n11 2 2 dora\n13 2 1 anna\n18 3 2 bob\n20 2 2 bob\n");
    must_list("gc-1", true,
              "6 1 1 seat-1\n11 2 2 seat-2.2\n13 2 1 seat-1\n18 3 2 seat-2.3\n20 2 2 seat-2.3\n");
}
END_TEST

START_TEST(who_waited_signs_with_the_key_of_then)
{
    static const char *const seats[] = {"anna", NULL, NULL};
    house_player(&house, "dora");
    house_player(&house, "emil");
    house_game(&house, "gc-2", "galaxy-command", 86400, 3, seats);
    house_rules(&house, "gc-2", "do: hold\nreason: Not yet.\n");
    says("bob", "#turnpost join\ngame: gc-2\nseat: 2\n#end\n");
    says("mod", "#turnpost join\ngame: gc-2\nseat: 3\n#end\n");
    says("dora", "#turnpost join\ngame: gc-2\n#end\n");
    says("emil", "#turnpost join\ngame: gc-2\n#end\n");
    says("bob", "#turnpost leave\ngame: gc-2\n#end\n");
    house_rules(&house, "gc-2", "do: resume\nreason: Now.\n");
    house_clock(&house, house.now + 60);
    says("dora", "#turnpost orders\ngame: gc-2\nturn: 1\nbide\n#end\n");
    house_rules(&house, "gc-2", "do: void\nreason: Enough.\n");
    must_list("gc-2", false, "11 1 2 dora\n");
    must_list("gc-2", true, "11 1 2 seat-2.2\n");
}
END_TEST

/* What is public in a game's journal holds no address, whoever writes it there, and in any place. */
START_TEST(no_address_gets_into_a_journal)
{
    static const struct {
        const char *who, *text;
    } texts[] = {
        {"mod",
         "#turnpost moderate\ngame: gc-1\nturn: 1\ndo: pause\nreason: bob@example.net bounces.\n#end\n"},
        {"mod", "#turnpost moderate\ngame: gc-1\nturn: 1\ndo: orders bob\nreason: x\n# "
                "Bob@Example.NET\nbide\n#end\n"},
        {"mod", "#turnpost moderate\ndo: ban bob\nreason: see mailto:bob@example.net\n#end\n"},
        {"bob", "#turnpost resign\ngame: gc-1\n# write to bob.b@sub.example.org!\n#end\n"},
        {"mod", "#turnpost observe\ngame: gc-1\nnonce: <bob@example.net>\n#end\n"},
        {"bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n# (bob@example.net)\n#end\n"},
    };
    struct game *game = house_find(&house, "gc-1");
    const int64_t seq = game->seq;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        house_empty_spool(&house);
        (void)house_signed(&house, texts[i].who, texts[i].who, texts[i].text);
        ck_assert_msg(house_find(&house, "gc-1")->seq == seq, "taken up: %s", texts[i].text);
        house_told(&house, texts[i].who, 1, "leave the address");
    }
    /* What only looks a little like one, and what is sealed. */
    says("mod",
         "#turnpost moderate\ngame: gc-1\nturn: 1\ndo: pause\nreason: @home, 3@5, a@b, x @ y.z\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq + 1);
    says("bob", "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nI am bob@example.net now.\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq + 2);
    house_rules(&house, "gc-1", "do: void\nreason: Enough.\n");
    struct bundle bundle;
    struct err err = ERR_INIT;
    ck_ok(publish("gc-1", false, &bundle, &err), err);
    published_discreetly(&bundle, &house.batch.registry, "gc-1");
    ck_assert(!has(&bundle, "example.net") && !has(&bundle, "Example.NET"));
    bundle_release(&bundle);
}
END_TEST

/* Record 5 speaks of turn 2 instead of 1. */
static void another_turn(const char *journal)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char *path = house_path(&house, journal);
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    char *at = lines.p;
    for (int line = 1; line < 5; line++)
        at = strchr(at, '\n') + 1;
    at = strstr(at, "\"turn\":1");
    ck_assert(at && at < strchr(at, '\n'));
    at[7] = '2';
    ck_ok(file_write_soft(path, slice_str(&lines), 0600, &err), err);
    free(path);
    str_release(&lines);
}

START_TEST(what_cannot_be_published)
{
    struct bundle bundle;
    struct err err = ERR_INIT;
    char *path = house_path(&house, "games/galaxy-farmer");
    ck_assert_int_eq(publish("gc-9", false, &bundle, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    bundle_release(&bundle);
    scratch_copy("games/galaxy-farmer", path);
    err_clear(&err);
    ck_assert_int_eq(publish("galaxy-farmer", false, &bundle, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "key of another league"));
    bundle_release(&bundle);
    another_turn("games/gc-1/journal.jsonl");
    err_clear(&err);
    ck_assert_int_eq(publish("gc-1", false, &bundle, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_ptr_nonnull(strstr(err.text, "record 5"));
    bundle_release(&bundle);
    house.unproved = true;
    free(path);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_running_game_opens_nothing);
    tcase_add_test(tc, a_finished_game_opens_all_but_press);
    tcase_add_test(tc, redacted_it_names_nobody_outside_the_journal);
    tcase_add_test(tc, what_moderators_ordered_is_sealed_and_not_listed);
    tcase_add_test(tc, who_came_later_is_listed_too);
    tcase_add_test(tc, who_waited_signs_with_the_key_of_then);
    tcase_add_test(tc, no_address_gets_into_a_journal);
    tcase_add_test(tc, what_cannot_be_published);
}
TEST_MAIN("publish/publish", cases)
