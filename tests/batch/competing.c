/* Competitions of a league: drawn, made, played and closed by rounds of work; and whatever goes wrong stops one of them
 * alone, and no game. */
#include "batch/competing_mails.h"
#include "house/compete.h"

static struct house house;
static const char *const people[] = {"anna", "bob", "carol", "dora"};

static void begin(void)
{
    house_open(&house);
    house_compete_words(&house);
    house_option(&house, "[league]", "missed_robot = 2");
    house_restart(&house);
    for (int i = 0; i < 4; i++)
        house_player(&house, people[i]);
}

static void end(void)
{
    house_close(&house);
}

static void new_of(const char *name, const char *ruleset, int rounds)
{
    house_compete(&house, name, ruleset, rounds, (struct new_competition){.seats = 2});
    for (int i = 0; i < 4; i++)
        house_entry(&house, name, "enter", people[i]);
    house_empty_spool(&house);
}

static void new_one(const char *name, int rounds)
{
    new_of(name, "galactic-contract", rounds);
}

static struct competition *cup(void)
{
    return house_competition(&house, "cup");
}

/* Work day by day until then. */
static void live(int64_t until)
{
    while (house.now < until)
        house_work(&house, house.now + DAY_SECONDS < until ? house.now + DAY_SECONDS : until);
}

static void draw_first(void)
{
    new_one("cup", 2);
    live(cup()->rounds[0].draw);
    ck_assert_int_eq(cup()->round, 1);
}

/* One whose games wait for their players for ever. */
static void new_patient_of(const char *ruleset, int rounds, enum compete_adjudge adjudge)
{
    struct schedule never;
    schedule_init(&never);
    house_compete(&house, "cup", ruleset, rounds,
                  (struct new_competition){.seats = 2, .adjudge = adjudge, .clock = &never});
    for (int i = 0; i < 4; i++)
        house_entry(&house, "cup", "enter", people[i]);
    house_empty_spool(&house);
}

static void new_patient(int rounds, enum compete_adjudge adjudge)
{
    new_patient_of("galactic-contract", rounds, adjudge);
}

/* A player's journal entry is the same as what is in memory: the folder read anew. */
static void same_on_disk(const char *name)
{
    unsigned char head[HEAD_BYTES];
    memcpy(head, house_competition(&house, name)->head, sizeof head);
    house_restart(&house);
    ck_assert_mem_eq(house_competition(&house, name)->head, head, sizeof head);
}

static void send_orders(const char *name, const char *id, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: %s\nturn: %d\nfinal: yes\n%s\n#end\n", id,
             house_find(&house, id)->turn, lines);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* A game of two of Galaxy Command to its end: the first seat does something, the second nothing. */
static void play_game(const char *id)
{
    int left = 60;
    while (!house_find(&house, id)->over && left--) {
        char one[PLAYER_NAME], two[PLAYER_NAME];
        memcpy(one, house_find(&house, id)->seat[1].player, sizeof one);
        memcpy(two, house_find(&house, id)->seat[2].player, sizeof two);
        send_orders(one, id, "explore near\nbuild");
        if (!house_find(&house, id)->over)
            send_orders(two, id, "bide");
    }
    ck_assert(house_find(&house, id)->over);
}

START_TEST(a_competition_runs_by_itself)
{
    new_of("cup", "galaxy-command", 1);
    live(cup()->rounds[0].draw - 1);
    ck_assert_int_eq(cup()->round, 0);
    house_told(&house, NULL, 0, NULL);
    live(cup()->rounds[0].draw);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    ck_assert_int_eq(house_mails_with(&house, "PAIRING"), 4);
    play_game("cup.1.1");
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    play_game("cup.1.2");
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    house_empty_spool(&house);
    live(cup()->rounds[0].end + cup()->terms.protest - 1);
    ck_assert(!cup()->closed);
    house_told(&house, NULL, 0, NULL);
    live(cup()->rounds[0].end + cup()->terms.protest);
    ck_assert(cup()->closed);
    ck_assert_int_eq(house_mails_with(&house, "OVER"), 4);
    same_on_disk("cup");
}
END_TEST

/* ---- something is in the way ---- */

/* A round that is drawn by itself, without its games. */
static void only_draw(const char *name)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    house.now = house.batch.now = house_competition(&house, name)->rounds[0].draw;
    ck_ok(competing_find(&house.batch, name, &entry, &err), err);
    competing_step(&house.batch, &step);
    ck_ok(compete_round(&step, &entry->c, &err), err);
    competing_take(entry, &step);
    compete_step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

static void ban(const char *name, bool yes)
{
    struct err err = ERR_INIT;
    struct player player = *registry_find(&house.batch.registry, name);
    player.banned = yes ? house.now : 0;
    struct registry_change change = {.what = yes ? "ban" : "unban", .player = &player};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Stands still; everything else goes on: another competition, and a game. */
static void others_go_on(const char *fallen)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    ck_assert_int_ne(competing_find(&house.batch, fallen, &entry, &err), 0);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_uint_ge(house.batch.broken, 1);
    ck_assert_int_eq(house_competition(&house, "other")->rounds[0].made, 2);
    ck_assert_int_gt(house_find(&house, "gc-9")->turn, 1);
    house.batch.broken = 0;
}

/* Beside "cup": another competition with the same calendar, and a game whose turns come by themselves. */
static void begin_others(void)
{
    struct schedule clock;
    schedule_init(&clock);
    clock.length = DAY_SECONDS;
    house.clock = &clock;
    new_one("other", 1);
    house_game(&house, "gc-9", "galaxy-command", 0, 2, people);
    house.clock = NULL;
}

/* The game of that name is somebody else's: nothing is overwritten. When it is gone the rest is made, once. */
START_TEST(a_game_is_in_the_way)
{
    unsigned char head[HEAD_BYTES], round[HEAD_BYTES];
    new_one("cup", 1);
    begin_others();
    house_game(&house, "cup.1.2", "galaxy-command", DAY_SECONDS, 2, people);
    memcpy(head, house_find(&house, "cup.1.2")->journal.create_head, sizeof head);
    live(cup()->rounds[0].draw + DAY_SECONDS);
    others_go_on("cup");
    ck_assert_mem_eq(house_find(&house, "cup.1.2")->journal.create_head, head, sizeof head);
    house_end(&house);
    house_remove(&house, "games/cup.1.2");
    house_remove_catalog(&house);
    house_begin(&house);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].made, 0);
    memcpy(round, cup()->head, sizeof round);
    memcpy(head, house_find(&house, "cup.1.1")->journal.create_head, sizeof head);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    ck_assert_mem_eq(cup()->rounds[0].head, round, sizeof round);
    ck_assert_mem_eq(cup()->tables[0].create, head, sizeof head);
    ck_assert_uint_eq(house.batch.broken, 0);
}
END_TEST

/* Whoever is gone a day before a draw is not in it; who goes later has a robot: before it, or between the draw and the
 * games. */
START_TEST(players_are_gone)
{
    new_one("cup", 1);
    if (_i == 0) {
        ban("bob", true);
        house_work(&house, cup()->rounds[0].draw - DAY_SECONDS - 60);
        ck_assert(!competition_entrant(cup(), "bob")->in);
        live(cup()->rounds[0].draw);
        ck_assert(!competition_entrant(cup(), "bob")->in);
        ck_assert_uint_eq(cup()->rounds[0].count, 1);
        ck_assert_uint_eq(cup()->rounds[0].bye_count, 1);
        return;
    }
    if (_i == 1 || _i == 3) {
        house_work(&house, cup()->rounds[0].draw - DAY_SECONDS);
        ban("bob", true);
        for (size_t i = 0; _i == 3 && i < cup()->entrant_count; i++) /* robots play alone */
            ban(cup()->entrants[i].name, true);
        live(cup()->rounds[0].draw);
        ck_assert(!competition_entrant(cup(), "bob")->in);
    } else {
        only_draw("cup");
        ban("bob", true);
        house_work(&house, house.now + 60);
    }
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    const struct compete_table *table = competition_table_of(cup(), 1, "bob");
    char id[GAME_NAME];
    compete_game_name(id, cup(), 1, table->number);
    const struct game_seat *seat = &house_find(&house, id)->seat[compete_seat_of(table, "bob")];
    ck_assert_str_eq(seat->player, "bob");
    ck_assert(seat->robot);
    same_on_disk("cup");
}
END_TEST

/* A game that cannot be written: none of them is made with this commit, nothing of it stays, and nobody is told. When
 * the way is free all of them are there, once. */
START_TEST(a_game_cannot_be_written)
{
    struct err err = ERR_INIT;
    struct file_names left;
    unsigned char head[HEAD_BYTES];
    new_one("cup", 1);
    begin_others();
    char *path = house_path(&house, "games/cup.1.2"), *tmp = path_join(house.batch.spool, "tmp");
    ck_ok(file_write_soft(path, slice_of("what is this?\n"), 0644, &err), err);
    live(cup()->rounds[0].draw);
    others_go_on("cup");
    ck_ok(file_list(tmp, &left, &err), err);
    ck_assert_uint_eq(left.count, 0);
    file_names_free(&left);
    free(tmp);
    ck_assert_int_eq(house_mails_with(&house, "PAIRING"), 8);
    house_end(&house);
    scratch_remove(path);
    free(path);
    house_begin(&house);
    ck_assert(!store_has(house.batch.store, "cup.1.1"));
    ck_assert_int_eq(cup()->round, 1);
    memcpy(head, cup()->head, sizeof head);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    ck_assert_mem_eq(cup()->rounds[0].head, head, sizeof head);
    ck_assert_int_eq(house_mails_with(&house, "PAIRING"), 8);
    ck_assert_uint_eq(house.batch.broken, 0);
}
END_TEST

/* A journal that cannot be read: its competition stands still, also after a start. */
START_TEST(a_journal_is_damaged)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    new_one("cup", 1);
    begin_others();
    house_end(&house);
    char *path = house_path(&house, "competitions/cup/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    lines.p[lines.len / 2] ^= 1;
    ck_ok(file_write_soft(path, slice_str(&lines), 0644, &err), err);
    house_begin(&house);
    live(house_competition(&house, "other")->rounds[0].draw + 2 * DAY_SECONDS);
    others_go_on("cup");
    house_restart(&house);
    house_work(&house, house.now + 60);
    others_go_on("cup");
    lines.p[lines.len / 2] ^= 1;
    house_end(&house);
    ck_ok(file_write_soft(path, slice_str(&lines), 0644, &err), err);
    house_begin(&house);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    str_release(&lines);
    free(path);
}
END_TEST

/* Half a line at the end, as a crash leaves it, is cut. */
START_TEST(half_a_line_is_cut)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    unsigned char head[HEAD_BYTES];
    draw_first();
    memcpy(head, cup()->head, sizeof head);
    house_end(&house);
    char *path = house_path(&house, "competitions/cup/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    str_adds(&lines, "{\"v\":1,\"game\":\"cup\",\"seq\":9");
    ck_ok(file_write_soft(path, slice_str(&lines), 0644, &err), err);
    house_begin(&house);
    ck_assert_mem_eq(cup()->head, head, sizeof head);
    live(cup()->rounds[0].end);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    same_on_disk("cup");
    str_release(&lines);
    free(path);
}
END_TEST

/* Changes one byte of a file after the first such words, while nobody works with it. */
static void damage(const char *file, const char *after)
{
    struct err err = ERR_INIT;
    struct str bytes = STR_INIT;
    house_end(&house);
    char *path = house_path(&house, file);
    ck_ok(file_read(path, 1 << 20, &bytes, &err), err);
    char *at = strstr(bytes.p, after);
    ck_assert_ptr_nonnull(at);
    at[strlen(after)] ^= 1;
    ck_ok(file_write_soft(path, slice_str(&bytes), 0644, &err), err);
    house_begin(&house);
    str_release(&bytes);
    free(path);
}

/* How much of its journal did not have to be proved again? -1: it cannot be read. */
static int64_t proved_before(const char *name)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    return competing_find(&house.batch, name, &entry, &err) ? -1 : entry->proved;
}

/* The mark of a journal that was proved: with it nothing is proved again, with another one all, and it hides no change. */
START_TEST(what_was_proved)
{
    new_one("cup", 2);
    live(cup()->rounds[1].end + cup()->terms.protest + DAY_SECONDS);
    ck_assert(cup()->closed);
    same_on_disk("cup");
    int64_t length = proved_before("cup");
    ck_assert_int_gt(length, 4000);
    damage("competitions/cup/state.json", "\"mark\":\"");
    ck_assert_int_eq(proved_before("cup"), 0);
    damage("competitions/cup/state.json", "\"mark\":\"");
    ck_assert_int_eq(proved_before("cup"), length);
    damage("competitions/cup/journal.jsonl", "\"sig\":\"");
    ck_assert_int_eq(proved_before("cup"), -1);
    damage("competitions/cup/journal.jsonl", "\"sig\":\"");
    ck_assert_int_eq(proved_before("cup"), length);
}
END_TEST

/* ---- the batch ---- */

/* What is rolled back has not happened: an entry, and a competition that was new. */
START_TEST(rolled_back)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    unsigned char head[HEAD_BYTES];
    new_one("cup", 1);
    memcpy(head, cup()->head, sizeof head);
    ck_ok(batch_begin(&house.batch, &err), err);
    ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
    competing_step(&house.batch, &step);
    ck_ok(compete_entry(&step, &entry->c, "withdraw", "anna", NULL, &err), err);
    competing_take(entry, &step);
    compete_step_release(&step);
    ck_assert(competing_records(&house.batch));
    ck_ok(competing_stage(&house.batch, &err), err);
    ck_ok(batch_rewind(&house.batch, &err), err);
    ck_assert(!competing_records(&house.batch));
    ck_assert_mem_eq(cup()->head, head, sizeof head);
    ck_assert(competition_entrant(cup(), "anna")->in);
    same_on_disk("cup");
}
END_TEST

/* What was committed stays loaded, what was not is forgotten. */
START_TEST(forgotten)
{
    struct err err = ERR_INIT;
    new_one("cup", 1);
    new_one("other", 1);
    ck_ok(competing_all(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.competitions.count, 2);
    batch_reset(&house.batch, true);
    ck_assert_uint_eq(house.batch.competitions.count, 2);
    batch_reset(&house.batch, false);
    ck_assert_uint_eq(house.batch.competitions.count, 0);
    ck_assert(competing_has(&house.batch, "cup"));
    ck_assert(!competing_has(&house.batch, "cap"));
    ck_assert(!competing_has(&house.batch, "../cup"));
    ck_ok(competing_all(&house.batch, &err), err);
    ck_assert_uint_eq(house.batch.competitions.count, 2);
    ck_assert_int_eq(competing_committed(&house.batch, "cup", cup()->seq), SPOOL_COMMITTED);
    ck_assert_int_eq(competing_committed(&house.batch, "cup", cup()->seq + 1), SPOOL_MISSING);
    ck_assert_int_eq(competing_committed(&house.batch, "cap", 1), SPOOL_MISSING);
}
END_TEST

/* A league of before has no folder of competitions. */
START_TEST(an_old_league)
{
    house_end(&house);
    house_remove(&house, "competitions");
    house_begin(&house);
    house_work(&house, house.now + 60);
    new_one("cup", 1);
    live(cup()->rounds[0].draw);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
}
END_TEST

/* ---- ends ---- */

/* The league does not decide: it waits for a moderator, and goes on. Work that has nothing to do does nothing. */
START_TEST(a_table_waits_for_a_ruling)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    new_patient(1, ADJUDGE_MODERATOR);
    live(cup()->rounds[0].end + DAY_SECONDS);
    ck_assert_int_eq(cup()->rounds[0].done, 0);
    const int64_t seq = cup()->seq;
    ck_assert_int_eq(house.batch.competitions.next, 0);
    for (int table = 1; table <= 2; table++) {
        ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
        competing_step(&house.batch, &step);
        ck_ok(compete_adjust(&step, &entry->c,
                             json_pack("{s:s,s:s,s:i,s:i,s:[ii]}", "do", "rank", "reason", "By the board.",
                                       "round", 1, "table", table, "ranks", 2, 1),
                             &err),
              err);
        competing_take(entry, &step);
        compete_step_release(&step);
        ck_ok(batch_commit(&house.batch, &err), err);
        batch_reset(&house.batch, true);
    }
    ck_assert_int_eq(cup()->seq, seq + 2);
    live(cup()->rounds[0].end + cup()->terms.protest);
    ck_assert(cup()->closed);
}
END_TEST

/* The last turn of a game is due when its round ends: it is played before anybody decides that the game has lasted too
 * long. */
START_TEST(a_game_ends_with_its_round)
{
    struct schedule clock;
    char name[PLAYER_NAME];
    schedule_init(&clock);
    clock.length = 4 * HOUSE_WEEK; /* its only turn takes the whole round */
    house_compete(&house, "cup", "galactic-supremacy", 1,
                  (struct new_competition){.seats = 2, .clock = &clock});
    for (int i = 0; i < 2; i++)
        house_entry(&house, "cup", "enter", people[i]);
    live(cup()->rounds[0].draw);
    memcpy(name, cup()->tables[0].player[1], sizeof name);
    (void)house_signed(&house, name, name, "#turnpost resign\ngame: cup.1.1\n#end\n");
    live(cup()->rounds[0].end - 1);
    ck_assert_int_eq(house_find(&house, "cup.1.1")->clock.deadline, cup()->rounds[0].end);
    live(cup()->rounds[0].end);
    ck_assert(house_find(&house, "cup.1.1")->over);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    ck_assert(!cup()->tables[0].adjudged);
}
END_TEST

/* ---- a backup that is older than the rest ---- */

static void keep(const char *what, const char *to)
{
    char *from = house_path(&house, what), *there = house_path(&house, to);
    scratch_remove(there);
    scratch_copy(from, there);
    free(from);
    free(there);
}

/* The journal of the competition, or its games, as they were some time ago: nothing is drawn, mailed or adjudged, and all
 * else goes on. */
START_TEST(a_backup_in_the_middle_of_a_season)
{
    static const struct {
        const char *old, *words;
        bool before_draw;
    } cases[] = {
        {"competitions/cup", "is older than its games", true},
        {"games/cup.1.1", "is not over", false},
        {"games/cup.1.1", "is not there", true},
    };
    const char *old = cases[_i].old;
    new_of("cup", "galaxy-command", 2);
    live(cup()->rounds[0].draw - 1);
    if (cases[_i].before_draw && _i == 0)
        keep(old, "kept");
    live(cup()->rounds[0].draw);
    if (!cases[_i].before_draw)
        keep(old, "kept");
    if (_i == 1) {
        play_game("cup.1.1");
        live(house.now + 60);
        ck_assert_int_eq(cup()->tables[0].fate, TABLE_DONE);
    }
    house_empty_spool(&house);
    if (_i == 2) {
        char *path = house_path(&house, old);
        scratch_remove(path);
        free(path);
    } else {
        keep("kept", old);
    }
    char *catalog = house_path(&house, "catalog.sqlite");
    scratch_remove(catalog);
    free(catalog);
    house_restart(&house);
    struct store *games = house.batch.store;
    struct err err = ERR_INIT;
    ck_assert_int_eq(competing_compare(&(struct competing_files){games, house.batch.catalog}, cup(), &err),
                     -1);
    ck_assert_msg(strstr(err.text, cases[_i].words) != NULL, "%s", err.text);
    size_t broken = house.batch.broken;
    house_work(&house, house.now + 60);
    ck_assert_uint_gt(house.batch.broken, broken);
    ck_assert_int_eq(house_mails_with(&house, "Subject: cup"), 0);
    house.unproved = true;
}
END_TEST

/* ---- what is told of rulings ---- */

static void narrow(const char *mail)
{
    struct slice rest = slice_of(mail), line;
    while (slice_line(&rest, &line))
        ck_assert_msg(line.len <= 78 && (line.len <= 72 || slice_find(line, ":") < 20), "%.*s", (int)line.len,
                      line.p);
}

/* Each table that the league adjudges is told to those who sat there, once. */
START_TEST(what_is_adjudged_is_told)
{
    struct str told;
    new_patient(1, ADJUDGE_TIE);
    live(cup()->rounds[0].end + DAY_SECONDS);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    for (int i = 0; i < 4; i++) {
        (void)house_mails(&house, people[i], &told);
        const char *mail = strstr(told.p, "was not over in time");
        ck_assert_msg(mail && !strstr(mail + 1, "was not over in time"), "%s", told.p);
        ck_assert(house_says(told.p, "A moderator can change it until"));
        narrow(mail);
        str_release(&told);
    }
}
END_TEST

/* A ruling, told to whom it concerns and to nobody else. */
static const struct {
    struct competing_ruling ruling; /* of anna; with `table` NULL */
    bool table;
    const char *words;
} rulings[] = {
    {{.player = "anna", .by = "dora", .reason = "Two accounts."},
     false,
     "dora, a moderator, has taken you out of this competition, anna"},
    {{.player = "anna", .by = "operator", .halves = 2, .reason = "A bye."},
     false,
     "The operator has given you 1 point, anna. The table counts it from now on."},
    {{.player = "anna", .by = "operator", .halves = -3, .reason = "Late."},
     false,
     "The operator has taken 1.5 points from you, anna."},
    {{.by = "dora", .reason = "By the board."},
     true,
     "dora, a moderator, has decided how table 1 of round 1"},
};

START_TEST(a_ruling_is_told)
{
    struct err err = ERR_INIT;
    struct competing_ruling ruling = rulings[_i].ruling;
    struct batch_competition *entry;
    draw_first();
    house_empty_spool(&house);
    ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
    const struct compete_table *table = competition_table_of(&entry->c, 1, "anna");
    ck_assert_ptr_nonnull(table);
    if (rulings[_i].table)
        ruling.table = competition_table(&entry->c, 1, 1);
    ck_ok(competing_tell_ruling(&house.batch, entry, &ruling, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert_int_eq(house_mails_with(&house, "The decision is in the journal"), rulings[_i].table ? 2 : 1);
    struct str told;
    (void)house_mails(&house, NULL, &told);
    ck_assert_msg(house_says(told.p, rulings[_i].words), "%s", told.p);
    ck_assert(house_says(told.p, ruling.reason));
    narrow(told.p);
    str_release(&told);
}
END_TEST

/* ---- what can happen in a game ---- */

static void draw_played(void)
{
    new_of("cup", "galaxy-command", 1);
    live(cup()->rounds[0].draw);
    house_empty_spool(&house);
}

/* Somebody else plays on for who has gone: the seat is last, and its points are nobody's. */
START_TEST(a_substitute_wins_nothing)
{
    char gone[PLAYER_NAME], stands_in[PLAYER_NAME];
    draw_played();
    memcpy(gone, cup()->tables[0].player[1], sizeof gone);
    memcpy(stands_in, cup()->tables[1].player[1], sizeof stands_in);
    struct str lines = STR_INIT;
    str_addf(&lines, "do: replace %s by %s\nreason: %s has no time.\n", gone, stands_in, gone);
    house_rules(&house, "cup.1.1", lines.p);
    str_release(&lines);
    ck_assert_str_eq(house_find(&house, "cup.1.1")->seat[1].player, stands_in);
    play_game("cup.1.1");
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(table->fate, TABLE_DONE);
    ck_assert_uint_eq(table->left, SEAT_BIT(1));
    ck_assert(table->rank[1] == 2 && table->rank[2] == 1);
    struct ranking ranking;
    ranking_make(&ranking, cup());
    ck_assert_int_eq(ranking_of(&ranking, gone)->points, 0);
    ck_assert_int_eq(ranking_of(&ranking, stands_in)->points, 0);
    ck_assert_int_eq(ranking_of(&ranking, table->player[2])->points, 2);
    ranking_release(&ranking);
}
END_TEST

START_TEST(who_resigns_is_last)
{
    char name[PLAYER_NAME];
    draw_played();
    memcpy(name, cup()->tables[0].player[2], sizeof name);
    (void)house_signed(&house, name, name, "#turnpost resign\ngame: cup.1.1\n#end\n");
    for (int i = 0; i < 40 && !house_find(&house, "cup.1.1")->over; i++)
        live(house.now + DAY_SECONDS);
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert(table->fate == TABLE_DONE && table->left == SEAT_BIT(2) && table->rank[2] == 2);
}
END_TEST

START_TEST(a_void_game_gives_nothing)
{
    draw_played();
    house_rules(&house, "cup.1.1", "do: void\nreason: Two tables were mixed up.\n");
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(table->fate, TABLE_VOID);
    struct ranking ranking;
    ranking_make(&ranking, cup());
    ck_assert_int_eq(ranking_of(&ranking, table->player[1])->points, 0);
    ranking_release(&ranking);
}
END_TEST

/* A game that was taken back counts once, as it ends; one that has ended is not taken back any more. */
START_TEST(a_game_that_was_rolled_back_counts_once)
{
    char one[PLAYER_NAME], two[PLAYER_NAME];
    draw_played();
    memcpy(one, house_find(&house, "cup.1.1")->seat[1].player, sizeof one);
    memcpy(two, house_find(&house, "cup.1.1")->seat[2].player, sizeof two);
    for (int i = 0; i < 3; i++) {
        send_orders(one, "cup.1.1", "explore near");
        send_orders(two, "cup.1.1", "bide");
    }
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, 4);
    house_rules(&house, "cup.1.1", "do: rollback turn 2\nreason: A wrong card.\n");
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, 2);
    play_game("cup.1.1");
    int64_t seq = house_find(&house, "cup.1.1")->seq;
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(table->fate, TABLE_DONE);
    int64_t told = table->seq;
    struct frame frame;
    struct err err = ERR_INIT;
    enum petition_fate fate;
    static const char again[] =
        "#turnpost moderate\ngame: cup.1.1\ndo: rollback turn 2\nreason: Once more.\n#end\n";
    ck_ok(frame_parse(slice_of(again), &frame, &err), err);
    struct hearing hearing = {.batch = &house.batch,
                              .player = OPERATOR,
                              .frame = &frame,
                              .exact = slice_of(again),
                              .canonical = slice_of(again)};
    ck_ok(petition_hear(&hearing, &fate, &err), err);
    ck_assert_int_ne(fate, PETITION_HEARD);
    hearing_release(&hearing);
    live(house.now + DAY_SECONDS);
    ck_assert_int_eq(house_find(&house, "cup.1.1")->seq, seq);
    ck_assert_int_eq(cup()->tables[0].seq, told);
}
END_TEST

/* One that was adjudged runs on, is taken back and ends: what was counted stays. */
START_TEST(an_adjudged_game_that_is_rolled_back_changes_nothing)
{
    new_patient_of("galaxy-command", 1, ADJUDGE_TIE);
    live(cup()->rounds[0].draw);
    const struct game *game = house_find(&house, "cup.1.1");
    for (int i = 0; i < 2; i++) {
        send_orders(game->seat[1].player, "cup.1.1", "explore near");
        send_orders(game->seat[2].player, "cup.1.1", "bide");
    }
    live(cup()->rounds[0].end + DAY_SECONDS);
    struct compete_table before = cup()->tables[0];
    ck_assert(before.fate == TABLE_DONE && before.adjudged);
    house_rules(&house, "cup.1.1", "do: rollback turn 2\nreason: A wrong card.\n");
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, 2);
    play_game("cup.1.1");
    ck_assert(house_find(&house, "cup.1.1")->over);
    live(house.now + DAY_SECONDS);
    const struct compete_table *after = &cup()->tables[0];
    ck_assert(after->fate == TABLE_DONE && after->adjudged);
    ck_assert_int_eq(after->seq, before.seq);
    ck_assert_mem_eq(after->rank, before.rank, sizeof before.rank);
}
END_TEST

/* ---- games that end with their round ---- */

#define TURN (5 * DAY_SECONDS)

/* One round of four weeks, in which turns take five days, and nobody acts unless it is said. */
static void new_scored(void)
{
    struct schedule clock;
    schedule_init(&clock);
    clock.length = TURN;
    clock.grace = DAY_SECONDS;
    house_compete(&house, "cup", "galaxy-command", 1,
                  (struct new_competition){.seats = 2, .adjudge = ADJUDGE_SCORES, .clock = &clock});
    for (int i = 0; i < 4; i++)
        house_entry(&house, "cup", "enter", people[i]);
    live(cup()->rounds[0].draw);
    house_empty_spool(&house);
}

static int64_t round_end(void)
{
    return cup()->rounds[0].end;
}

/* Whoever sits there ends all their turns at once; the points of the others stay as they are. */
static void explore(const char *id, int seat)
{
    char name[PLAYER_NAME];
    memcpy(name, house_find(&house, id)->seat[seat].player, sizeof name);
    send_orders(name, id, "explore near\nbuild");
}

/* Nobody misses a turn because the round ends: the game ends as it stands, by the points that it has then. */
START_TEST(a_game_is_cut_short)
{
    new_scored();
    struct game *game = house_find(&house, "cup.1.1");
    ck_assert_int_eq(game->table.place.until, round_end());
    while (house.now + TURN < round_end()) {
        explore("cup.1.1", 1);
        explore("cup.1.1", 2);
        live(house.now + TURN);
    }
    game = house_find(&house, "cup.1.1");
    int turn = game->turn;
    ck_assert(turn > 1 && !game->over);
    live(round_end() - 1);
    game = house_find(&house, "cup.1.1");
    ck_assert_int_le(game->clock.deadline, round_end());
    turn = game->turn;
    int missed = game->seat[1].missed;
    house_empty_spool(&house);
    live(round_end());
    game = house_find(&house, "cup.1.1");
    ck_assert(game->over && !game->voided && game_cut_short(game));
    ck_assert_int_eq(game->turn, turn);
    ck_assert_int_eq(game->seat[1].missed, missed);
    ck_assert_str_eq(game_ending(game), GAME_ROUND_OVER);
    ck_assert_int_eq(house_mails_with(&house, "The round of the competition is over, and with it this game"),
                     4);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    ck_assert(table->fate == TABLE_DONE && !table->adjudged);
    ck_assert_int_eq(table->rank[1]<table->rank[2], table->points[1]> table->points[2]);
    same_on_disk("cup");
}
END_TEST

/* All orders are in, but for those who may think again: the turn is played, and then the game ends. */
START_TEST(a_last_turn_with_all_orders_is_played)
{
    new_scored();
    live(round_end() - 3600);
    struct game *game = house_find(&house, "cup.1.1");
    int turn = game->turn;
    char one[PLAYER_NAME], two[PLAYER_NAME];
    memcpy(one, game->seat[1].player, sizeof one);
    memcpy(two, game->seat[2].player, sizeof two);
    for (int i = 0; i < 2; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "#turnpost orders\ngame: cup.1.1\nturn: %d\nwait: yes\nexplore near\n#end\n", turn);
        (void)house_signed(&house, i ? two : one, i ? two : one, text.p);
        str_release(&text);
    }
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, turn);
    live(round_end());
    game = house_find(&house, "cup.1.1");
    ck_assert(game->over && game_cut_short(game));
    ck_assert_int_eq(game->turn, turn + 1);
}
END_TEST

/* Whatever moves deadlines, none lies after the round: a vacation, a vote, a moderator's word; and no pause puts off the
 * end. */
START_TEST(nothing_puts_off_the_end_of_a_round)
{
    char one[PLAYER_NAME], from[DATE_TEXT], to[DATE_TEXT];
    struct str text = STR_INIT;
    new_scored();
    live(round_end() - 2 * DAY_SECONDS);
    struct game *game = house_find(&house, "cup.1.1");
    memcpy(one, game->seat[1].player, sizeof one);
    date_text(from, house.now / DAY_SECONDS);
    date_text(to, house.now / DAY_SECONDS + 9);
    str_addf(&text, "#turnpost vacation\nfrom: %s\nto: %s\n#end\n", from, to);
    (void)house_signed(&house, one, one, text.p);
    live(house.now + 60);
    ck_assert_int_le(house_find(&house, "cup.1.1")->clock.deadline, round_end());
    (void)house_signed(&house, one, one, "#turnpost extend\ngame: cup.1.1\ndays: 3\n#end\n");
    ck_assert_int_le(house_find(&house, "cup.1.1")->clock.deadline, round_end());
    house_rules(&house, "cup.1.1", "do: pause\nreason: A question of the rules.\n");
    ck_assert(house_find(&house, "cup.1.1")->clock.paused);
    live(round_end());
    ck_assert(house_find(&house, "cup.1.1")->over);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    str_release(&text);
}
END_TEST

START_TEST(a_moderator_cannot_go_beyond_the_round)
{
    struct str told, text = STR_INIT;
    new_scored();
    live(round_end() - DAY_SECONDS);
    int64_t deadline = house_find(&house, "cup.1.1")->clock.deadline;
    house_option(&house, "[league]", "moderators = dora");
    house_restart(&house);
    house_empty_spool(&house);
    str_addf(&text, "#turnpost moderate\ngame: cup.1.1\nturn: %d\ndo: extend 5d\nreason: They asked.\n#end\n",
             house_find(&house, "cup.1.1")->turn);
    (void)house_signed(&house, "dora", "dora", text.p);
    str_release(&text);
    ck_assert_int_eq(house_find(&house, "cup.1.1")->clock.deadline, deadline);
    ck_assert_int_ge(house_mails(&house, "dora", &told), 1);
    ck_assert_msg(house_says(told.p, "its deadline cannot be put off beyond that"), "%s", told.p);
    str_release(&told);
}
END_TEST

/* The service stood still when the round ended: who could not send orders is not made to miss a turn. */
START_TEST(an_outage_over_the_end_of_a_round)
{
    new_scored();
    live(round_end() - 4 * DAY_SECONDS);
    struct game *game = house_find(&house, "cup.1.1");
    int turn = game->turn, missed = game->seat[1].missed;
    house_work(&house, round_end() + 2 * DAY_SECONDS);
    game = house_find(&house, "cup.1.1");
    ck_assert(game->over && game_cut_short(game));
    ck_assert_int_eq(game->turn, turn);
    ck_assert_int_eq(game->seat[1].missed, missed);
}
END_TEST

/* Reading one means to prove it: a turn that is played beside it does not make everybody wait for that again. */
START_TEST(stays_in_memory)
{
    new_of("cup", "galaxy-command", 1);
    live(cup()->rounds[0].draw);
    play_game("cup.1.1");
    const struct competition *before = cup();
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    house_work(&house, house.now + DAY_SECONDS);
    ck_assert_uint_eq(house.batch.games.count, 0);
    ck_assert_uint_eq(house.batch.competitions.count, 1);
    ck_assert_ptr_eq(cup(), before);
}
END_TEST

/* Too few have entered: it ends at its first draw, and nothing is drawn. */
START_TEST(nobody_comes)
{
    house_compete(&house, "cup", "galactic-contract", 3, (struct new_competition){.seats = 2});
    house_entry(&house, "cup", "enter", "anna");
    live(cup()->rounds[0].draw);
    ck_assert(cup()->closed);
    ck_assert_int_eq(cup()->round, 0);
    ck_assert_int_eq(house_mails_with(&house, "OVER anna"), 1);
}
END_TEST

/* A mailbox that cannot be read, or a clock that may be wrong: nothing is drawn, and nothing ends. */
START_TEST(deaf)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    new_one("cup", 1);
    house.now = cup()->rounds[0].draw;
    ck_ok(batch_round(&house.batch, house.now, &err), err);
    house.batch.outside.deaf = true;
    ck_ok(work_clock(&house.batch, &sum, &err), err);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->round, 1);
}
END_TEST

/* The service stood still over draws, rounds and ends: everything comes in its order, once. */
START_TEST(a_long_outage)
{
    new_one("cup", 2);
    house_work(&house, house.now);
    house_restart(&house);
    house_work(&house, cup()->rounds[1].end + 10 * HOUSE_WEEK);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + DAY_SECONDS - 60);
    ck_assert_int_eq(cup()->round, 0);
    house_work(&house, house.now + 60);
    ck_assert_int_eq(cup()->rounds[0].made, 2);
    same_on_disk("cup");
    live(house.now + 10 * HOUSE_WEEK);
    ck_assert(cup()->closed);
    ck_assert_int_eq(cup()->round, 2);
}
END_TEST

/* A game has ended, and the clock of the host is months ahead for some hours; and is put right: nothing was drawn, adjudged or
 * closed by it, and no record bears its time, which all later ones would have to. */
START_TEST(a_clock_that_jumps)
{
    new_patient(2, ADJUDGE_TIE);
    live(cup()->rounds[0].draw);
    const int64_t then = house.now;
    house_rules(&house, "cup.1.1", "do: void\nreason: Two tables were mixed up.\n");
    for (int hours = 0; hours < 20; hours++)
        house_work(&house, cup()->rounds[1].end + 10 * HOUSE_WEEK + hours * 3600);
    ck_assert_int_eq(cup()->round, 1);
    ck_assert_int_eq(cup()->rounds[0].done, 0);
    house.now = then;
    live(cup()->rounds[0].end - 1);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    live(cup()->rounds[1].end + cup()->terms.protest);
    ck_assert_int_eq(cup()->round, 2);
    ck_assert(cup()->closed);
    ck_assert_int_lt(cup()->time, cup()->rounds[1].end + cup()->terms.protest + 60);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_competition_runs_by_itself);
    tcase_add_test(tc, a_game_is_in_the_way);
    tcase_add_loop_test(tc, players_are_gone, 0, 4);
    tcase_add_test(tc, a_game_cannot_be_written);
    tcase_add_test(tc, a_journal_is_damaged);
    tcase_add_test(tc, half_a_line_is_cut);
    tcase_add_test(tc, what_was_proved);
    tcase_add_test(tc, rolled_back);
    tcase_add_test(tc, forgotten);
    tcase_add_test(tc, an_old_league);
    tcase_add_test(tc, a_table_waits_for_a_ruling);
    tcase_add_test(tc, a_game_ends_with_its_round);
    tcase_add_loop_test(tc, a_backup_in_the_middle_of_a_season, 0, 3);
    tcase_add_test(tc, what_is_adjudged_is_told);
    tcase_add_loop_test(tc, a_ruling_is_told, 0, sizeof rulings / sizeof *rulings);
    tcase_add_test(tc, a_substitute_wins_nothing);
    tcase_add_test(tc, who_resigns_is_last);
    tcase_add_test(tc, a_void_game_gives_nothing);
    tcase_add_test(tc, a_game_that_was_rolled_back_counts_once);
    tcase_add_test(tc, an_adjudged_game_that_is_rolled_back_changes_nothing);
    tcase_add_test(tc, a_game_is_cut_short);
    tcase_add_test(tc, a_last_turn_with_all_orders_is_played);
    tcase_add_test(tc, nothing_puts_off_the_end_of_a_round);
    tcase_add_test(tc, a_moderator_cannot_go_beyond_the_round);
    tcase_add_test(tc, an_outage_over_the_end_of_a_round);
    tcase_add_test(tc, stays_in_memory);
    tcase_add_test(tc, nobody_comes);
    tcase_add_test(tc, deaf);
    tcase_add_test(tc, a_long_outage);
    tcase_add_test(tc, a_clock_that_jumps);
}
TEST_MAIN("batch/competing", cases)
