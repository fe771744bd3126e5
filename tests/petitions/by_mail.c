/* Petitions that no key has signed, but the domain of the player's mail: those that may come so do what they do when
 * they are signed, and prove themselves; all others are refused, and not a byte changes. */
#include "house/mailed.h"
#include "house/rows.h"
#include "seat_gets.h"

#include "base/json.h"
#include "petitions/reply_own.h"

#define PAGE "src/petitions/README.md"

static struct domain domain;

static void begin(void)
{
    rows_by_mail = true;
    begin_league(NULL);
    domain_open(&domain, 1);
}

static void stop(void)
{
    domain_close(&domain);
    end();
}

/* From now on the player has no key, neither in the league nor in a game. */
static void lose_keys(const char *who)
{
    struct err err = ERR_INIT;
    struct player player = *registry_find(&house.batch.registry, who);
    player.by_mail = true;
    const struct registry_change change = {.what = "key", .player = &player, .key_owner = who};
    struct file_names names;
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(store_games(house.batch.store, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        struct batch_game *entry;
        struct step step;
        ck_ok(batch_game(&house.batch, names.name[i], &entry, &err), err);
        int seat = game_seat_of(&entry->game, who);
        if (!seat || entry->game.over || !entry->game.table.by_mail)
            continue;
        batch_step(&house.batch, entry, &step);
        ck_ok(seat_signs(&step, &entry->game, seat, house_key(&house, who), NULL, &err), err);
        ck_ok(step_finish(&step, &entry->game, &err), err);
        ck_ok(batch_take(&house.batch, entry, &step, NULL, &err), err);
        step_release(&step);
    }
    file_names_free(&names);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* What became of a mail. */
struct heard {
    struct mailed said;
    bool changed;
};

static struct heard by_mail(const char *who, const char *text, bool agreed)
{
    struct str before = STR_INIT, after = STR_INIT;
    struct heard heard;
    snapshot(&before);
    heard.said = house_says_by_mail(&house, &domain, who, text, agreed);
    snapshot(&after);
    heard.changed = strcmp(before.p, after.p) != 0;
    str_release(&before);
    str_release(&after);
    return heard;
}

static void refused(const char *who, const char *text, bool agreed, const char *why)
{
    const struct heard heard = by_mail(who, text, agreed);
    ck_assert_msg(heard.said.fate == PETITION_REFUSED && strcmp(heard.said.why, why) == 0,
                  "not %s but %d, %s:\n%s", why, heard.said.fate, heard.said.why, text);
    ck_assert_msg(!heard.changed, "refused, and something has changed:\n%s", text);
}

static void set_by_mail(bool by_mail)
{
    struct err err = ERR_INIT;
    static const char *const games[] = {"gc-1", "gc-2", "gc-3", "gc-4"};
    for (size_t i = 0; i < 4; i++) {
        struct batch_game *entry;
        if (store_has(house.batch.store, games[i])) {
            ck_ok(batch_game(&house.batch, games[i], &entry, &err), err);
            entry->game.table.by_mail = by_mail;
        }
    }
}

/* ---- each of them ---- */

/* As it should be: it counts, once, and its answer says so. */
static void taken(const struct row *row, const char *text)
{
    struct str told;
    house_empty_spool(&house);
    struct heard heard = by_mail(row->who, text, true);
    ck_assert_msg(heard.said.fate == PETITION_HEARD, "%s: %s", row->verb, heard.said.why);
    ck_assert_msg(heard.changed == (row->kind != ASKS), "%s: what has changed?", row->verb);
    (void)house_mails(&house, row->who, &told);
    ck_assert_msg(*heard.said.answer || house_says(told.p, row->good_words), "%s: not answered", row->verb);
    str_release(&told);
    if (row->kind == ASKS)
        return;
    heard = by_mail(row->who, text, true);
    ck_assert_msg(heard.said.fate == PETITION_REFUSED && heard.said.copy && !heard.changed,
                  "%s: obeyed twice", row->verb);
}

START_TEST(each_text)
{
    const struct row *row = &rows[_i];
    const struct petition *petition = petition_find(row->verb);
    struct str text = STR_INIT;
    const char *who = strcmp(row->who, "nemo") == 0 ? "anna" : row->who;
    if (!petition || is_left_out(_i))
        return;
    if (row->prepare)
        row->prepare();
    fill(&text, row->verb, row->good);
    refused(who, text.p, true, petition->needs & PETITION_MAIL ? "has_own_key" : "own_key");
    lose_keys(who);
    if (!(petition->needs & PETITION_MAIL)) {
        refused(who, text.p, true, "own_key");
    } else {
        if (petition->needs & PETITION_WORD)
            refused(who, text.p, false, "word_missing");
        if (names_game(row) && row->kind != ASKS && strcmp(row->verb, "rematch") != 0) {
            set_by_mail(false);
            refused(who, text.p, true, "game_signed");
            set_by_mail(true);
        }
        if (strcmp(row->verb, "back") ==
            0) /* the seat was hers with a key, so it comes back with that alone */
            refused(who, text.p, true, "back_key");
        else
            taken(row, text.p);
    }
    str_release(&text);
}
END_TEST

/* Of a league that nothing has to be prepared in, whatever is refused. */
static bool is_plainly_refused(const struct row *row)
{
    const struct petition *petition = petition_find(row->verb);
    return petition && !(petition->needs & PETITION_MAIL) && !row->prepare;
}

/* The short form refuses them all in one league. */
START_TEST(each_that_is_refused)
{
    static const char *const people[] = {"anna", "bob", "carl", "mona"};
    for (int lost = 0; lost < 2; lost++) {
        for (int i = 0; i < (int)ROWS; i++) {
            struct str text = STR_INIT;
            if (!is_plainly_refused(&rows[i]))
                continue;
            fill(&text, rows[i].verb, rows[i].good);
            refused(strcmp(rows[i].who, "nemo") == 0 ? "anna" : rows[i].who, text.p, true, "own_key");
            str_release(&text);
        }
        for (size_t i = 0; !lost && i < sizeof people / sizeof *people; i++)
            lose_keys(people[i]);
    }
}
END_TEST

/* What a verb may do by mail, but not with that. */
START_TEST(what_needs_a_key)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"#turnpost prefs\nhtml: no\nconfirm: abcd\n#end\n", "own_key_line"},
        {"#turnpost veto\nplayer: bob\n#end\n", "own_key"},
        {"#turnpost press\ngame: gc-1\nturn: 2\nto: all\nfrom: moderators\nThe server moves.\n#end\n",
         "own_key"},
    };
    lose_keys("anna");
    lose_keys("mona");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        refused("anna", cases[i].text, true, cases[i].why);
        refused("mona", cases[i].text, true, cases[i].why);
    }
    refused("anna", "#turnpost prefs\naddress: eve@example.org\n#end\n", false, "word_missing");
    refused("anna", "#turnpost prefs\nhtml: no\nsecond: eve@example.org\n#end\n", false, "word_missing");
    house_find(&house, "gc-1")->press.proved = true;
    refused("anna", "#turnpost press\ngame: gc-1\nturn: 2\nto: bob\nHello\n#end\n", true, "own_key");
    house_find(&house, "gc-1")->press.proved = false;
}
END_TEST

/* A key that the game knows, or that nobody can read, is one. */
START_TEST(any_key_is_above_it)
{
    static const char text[] = "#turnpost press\ngame: gc-1\nturn: 2\nto: bob\nHello\n#end\n";
    struct err err = ERR_INIT;
    struct pubkey kept;
    lose_keys("anna");
    secret_public(house_key(&house, "anna"), &kept);
    struct game_seat *seat = &house_find(&house, "gc-1")->seat[1];
    seat->keys[0] = kept;
    seat->key_count = 1;
    refused("anna", text, true, "has_own_key");
    seat = &house_find(&house, "gc-1")->seat[1];
    seat->key_count = 0;
    ck_assert_int_eq(by_mail("anna", text, true).said.fate, PETITION_HEARD);
    char *path = house_path(&house, "keys/bob.pub");
    ck_ok(file_write_soft(path, slice_of("no key\n"), 0600, &err), err);
    house_restart(&house);
    const struct heard heard = by_mail("bob", "#turnpost prefs\ndigest: yes\n#end\n", true);
    ck_assert_int_eq(heard.said.fate, PETITION_KEPT);
    ck_assert(!heard.changed);
    free(path);
}
END_TEST

/* ---- what is kept of it ---- */

/* The last line of a file of the league. */
static void last_line(const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char *path = house_path(&house, name);
    ck_ok(file_read(path, (size_t)16 << 20, &lines, &err), err);
    struct slice rest = slice_str(&lines), line;
    while (slice_line(&rest, &line)) {
        str_clear(out);
        str_addslice(out, line);
    }
    free(path);
    str_release(&lines);
}

START_TEST(grey_press_says_nothing_of_its_writer)
{
    struct str line = STR_INIT, other = STR_INIT;
    lose_keys("anna");
    ck_assert_int_eq(
        by_mail("anna", "#turnpost press\ngame: gc-1\nturn: 2\nto: all\nfrom: nobody\nWho?\n#end\n", true)
            .said.fate,
        PETITION_HEARD);
    last_line("games/gc-1/journal.jsonl", &line);
    said("bob", "#turnpost press\ngame: gc-1\nturn: 2\nto: all\nfrom: nobody\nHello\n#end\n");
    last_line("games/gc-1/journal.jsonl", &other);
    ck_assert_ptr_nonnull(strstr(line.p, "\"grey\":true"));
    ck_assert_ptr_null(strstr(line.p, "vouched"));
    ck_assert_ptr_null(strstr(line.p, "said"));
    ck_assert_uint_eq(line.len, other.len);
    str_release(&line);
    str_release(&other);
}
END_TEST

START_TEST(the_registry_keeps_it_sealed)
{
    struct err err = ERR_INIT;
    struct str line = STR_INIT;
    struct player zoe;
    player_init(&zoe);
    memcpy(zoe.name, "zoe", 4);
    memcpy(zoe.address, "zoe@example.net", 16);
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "register", .player = &zoe}, &err),
          err);
    ck_assert_int_eq(by_mail("zoe", "#turnpost prefs\ndigest: yes\n#end\n", true).said.fate, PETITION_HEARD);
    last_line("registry/journal.jsonl", &line);
    ck_assert_ptr_nonnull(strstr(line.p, "\"what\":\"prefs\""));
    ck_assert_ptr_nonnull(strstr(line.p, "\"sealed\":"));
    ck_assert_ptr_nonnull(strstr(line.p, "\"vouched\":{\"arrived\":\""));
    ck_assert_ptr_null(strstr(line.p, "said"));
    ck_assert_ptr_null(strstr(line.p, "\"mail\":\"RE"));
    house_restart(&house);
    ck_assert(registry_find(&house.batch.registry, "zoe")->digest);
    str_release(&line);
}
END_TEST

/* ---- the page ---- */

/* The row of the page's table that has the verb in its first column. */
static bool row_of(struct slice page, const char *verb, struct slice *row)
{
    struct str name = STR_INIT;
    bool found = false;
    str_addf(&name, "`%s`", verb);
    while (!found && slice_line(&page, row)) {
        size_t end = row->len > 2 ? slice_find(slice_sub(*row, 2, row->len), " | ") : (size_t)-1;
        found = slice_starts(*row, "| ") && end != (size_t)-1 &&
                slice_find(slice_sub(*row, 0, end + 2), name.p) != (size_t)-1;
    }
    str_release(&name);
    return found;
}

START_TEST(the_page_says_the_same)
{
    struct err err = ERR_INIT;
    struct str page = STR_INIT;
    ck_ok(file_read(PAGE, 1 << 20, &page, &err), err);
    for (int i = 0; petitions[i]; i++) {
        const struct petition *petition = petitions[i];
        const char *level = !(petition->needs & PETITION_MAIL) ? " | no | "
                            : petition->needs & PETITION_WORD  ? " | with a word | "
                                                               : " | yes | ";
        struct slice row;
        ck_assert_msg(row_of(slice_str(&page), petition->verb, &row), PAGE " has no row for %s",
                      petition->verb);
        ck_assert_msg(slice_find(row, level) != (size_t)-1, PAGE ": %s is%s", petition->verb, level);
        for (int k = 0; petition->fields[k]; k++) {
            struct str name = STR_INIT;
            str_addf(&name, "`%s`", petition->fields[k]);
            bool named = slice_find(slice_sub(row, slice_find(row, level), row.len), name.p) != (size_t)-1;
            ck_assert_msg(named == ((petition->keyed & PETITION_FIELD(k)) != 0), PAGE ": %s, %s",
                          petition->verb, name.p);
            str_release(&name);
        }
    }
    str_release(&page);
}
END_TEST

/* What players read of it: how each text is said without a key, or that it takes one. */
START_TEST(the_players_page_says_how)
{
    struct err err = ERR_INIT;
    struct str page = STR_INIT, table = STR_INIT;
    ck_ok(file_read("games/PLAYING.md", 1 << 20, &page, &err), err);
    str_adds(&table, "| text | without a key |\n|---|---|\n");
    for (int i = 0; petitions[i]; i++) {
        const char *said = petition_said(petitions[i]), *mark = said && strchr(said, '(') ? "" : "`";
        str_addf(&table, "| `%s` | %s%s%s |\n", petitions[i]->verb, said ? mark : "", said ? said : "a key",
                 said ? mark : "");
        /* A newcomer's registration and first key are no petitions by mail (petitions/keyless.h). */
        bool early = strcmp(petitions[i]->verb, "register") == 0 || strcmp(petitions[i]->verb, "key") == 0;
        ck_assert_msg(early || (said != NULL) == ((petitions[i]->needs & PETITION_MAIL) != 0), "%s",
                      petitions[i]->verb);
    }
    ck_assert_msg(slice_find(slice_str(&page), table.p) != (size_t)-1,
                  "games/PLAYING.md lacks this table:\n%s", table.p);
    str_release(&page);
    str_release(&table);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, begin, stop);
    tcase_add_test(tc, each_petition_has_a_row);
    for (int i = 0; i < (int)ROWS; i++)
        if (!FEW || (petition_find(rows[i].verb) && !is_plainly_refused(&rows[i])))
            tcase_add_loop_test(tc, each_text, i, i + 1);
    if (FEW)
        tcase_add_test(tc, each_that_is_refused);
    tcase_add_test(tc, what_needs_a_key);
    tcase_add_test(tc, any_key_is_above_it);
    tcase_add_test(tc, grey_press_says_nothing_of_its_writer);
    tcase_add_test(tc, the_registry_keeps_it_sealed);
    tcase_add_test(tc, the_page_says_the_same);
    tcase_add_test(tc, the_players_page_says_how);
}
TEST_MAIN("petitions/by_mail", cases)
