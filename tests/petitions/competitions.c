/* Competitions by mail: entering, withdrawing, confirming, once each; the word of a mail domain; what players are told
 * of a competition from its first entry to its end; what can be asked of it. */
#include "house/compete.h"
#include "house/mailed.h"

#include "audit/audit_compete.h"
#include "base/json.h"
#include "batch/digest.h"

static struct house house;
static struct domain domain;

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "trust = mail");
    house_option(&house, "[limits]", "stranger_replies = 100");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carol");
    domain_open(&domain, 1);
}

static void end(void)
{
    domain_close(&domain);
    house_close(&house);
}

static void spring_of(struct new_competition how)
{
    how.seats = 2;
    house_compete(&house, "spring", "galactic-contract", 2, how);
}

static struct competition *spring(void)
{
    return house_competition(&house, "spring");
}

static void says(const char *who, const char *verb)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost %s\ncompetition: spring\n#end\n", verb);
    (void)house_signed(&house, who, who, text.p);
    str_release(&text);
}

static bool is_in(const char *who)
{
    const struct entrant *entrant = competition_entrant(spring(), who);
    return entrant && entrant->in;
}

#define told(who, words)                                                      \
    do {                                                                      \
        struct str told_;                                                     \
        ck_assert_int_eq(house_mails(&house, who, &told_), 1);                \
        ck_assert_msg(house_says(told_.p, words), "%s:\n%s", words, told_.p); \
        str_release(&told_);                                                  \
        house_empty_spool(&house);                                            \
    } while (0)

/* The journal alone gives what is in memory. */
static void same_from_disk(void)
{
    char seen[64], again[64];
    (void)snprintf(seen, sizeof seen, "%zu %zu", spring()->entrant_count, competition_players(spring()));
    house_restart(&house);
    house.batch.now = house.now;
    (void)snprintf(again, sizeof again, "%zu %zu", spring()->entrant_count, competition_players(spring()));
    ck_assert_str_eq(seen, again);
}

/* ---- entries ---- */

START_TEST(enter_withdraw_enter)
{
    spring_of((struct new_competition){0});
    says("anna", "enter");
    told("anna", "You are in, anna");
    ck_assert(is_in("anna"));
    (void)house_signed(&house, "anna", "anna", "#turnpost enter\nseq: 9\ncompetition: spring\n#end\n");
    told("anna", "You are in the competition spring already");
    says("anna", "withdraw");
    told("anna", "You are not drawn any more");
    ck_assert(!is_in("anna"));
    (void)house_signed(&house, "anna", "anna", "#turnpost enter\nseq: 2\ncompetition: Spring\n#end\n");
    told("anna", "You are in, anna");
    says("anna", "confirm");
    told("anna", "nobody has to confirm");
    same_from_disk();
}
END_TEST

/* An entry that names a game would be in no seat: the games of its table could not be made. */
START_TEST(an_entry_is_for_no_game)
{
    spring_of((struct new_competition){0});
    struct str words = STR_INIT, text = STR_INIT;
    house_entry_words(&house, &words, "enter", "spring");
    str_addf(&text, "#turnpost enter\ngame: nosuch%s", strchr(words.p, '\n'));
    (void)house_signed(&house, "anna", "anna", text.p);
    told("anna", "An entry is about the whole competition");
    ck_assert(!is_in("anna"));
    (void)house_signed(&house, "anna", "anna", words.p);
    told("anna", "You are in, anna");
    str_release(&words);
    str_release(&text);
}
END_TEST

static bool knows_seat_of(const char *who)
{
    char name[GAME_NAME];
    const struct compete_table *table = competition_table_of(spring(), spring()->round, who);
    compete_game_name(name, spring(), table->round, table->number);
    return !house_find(&house, name)->seat[compete_seat_of(table, who)].robot;
}

/* They have two keys for a moment, and take the first one away. */
static void changes_keys(const char *who, const char *person)
{
    struct err err = ERR_INIT;
    struct pubkey keys[2];
    struct str text = STR_INIT;
    char print[KEY_FINGERPRINT];
    secret_public(house_person(&house, who), &keys[0]);
    secret_public(house_person(&house, person), &keys[1]);
    pubkey_fingerprint(print, &keys[0]);
    ck_ok(batch_change(
              &house.batch,
              &(struct registry_change){.what = "key", .key_owner = who, .keys = keys, .key_count = 2}, &err),
          err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_empty_spool(&house);
    str_addf(&text, "#turnpost key\nrevoke: %s\n#end\n", print);
    (void)house_signed(&house, who, who, text.p);
    str_release(&text);
}

/* Seats have the keys of the text by which their player is in: who has other ones now says so, once, and in time. */
START_TEST(another_key_confirms)
{
    static const char again[] = "#turnpost confirm\ncompetition: spring\nseq: 2\n#end\n";
    struct audit_competition_result result;
    struct str journal = STR_INIT;
    struct lines lines;
    struct err err = ERR_INIT;
    spring_of((struct new_competition){0});
    says("anna", "enter");
    says("bob", "enter");
    changes_keys("anna", "a new key");
    told("anna", "a mail with \"confirm spring\" as its subject brings the text");
    house_work(&house, spring()->rounds[0].draw - DAY_SECONDS);
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "a new key", again);
    told("anna", "Who plays in the next round of spring, and with which key, is fixed");
    house_work(&house, spring()->rounds[0].draw);
    told("anna", "A robot has your seat in it");
    house_work(&house, house.now + HOUR_SECONDS);
    ck_assert(!knows_seat_of("anna"));
    ck_assert(knows_seat_of("bob"));
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "a new key", again);
    told("anna", "Your games are made for the key that has signed this");
    (void)house_signed(&house, "anna", "a new key", "#turnpost confirm\ncompetition: spring\nseq: 3\n#end\n");
    told("anna", "nobody has to confirm");
    same_from_disk();
    while (spring()->round < 2)
        house_work(&house, house.now + 12 * HOUR_SECONDS);
    house_work(&house, house.now + HOUR_SECONDS);
    ck_assert(knows_seat_of("anna"));
    ck_ok(store_read(house.batch.competitions.store, "spring", STORE_BEGIN, &journal, &err), err);
    lines_memory(&lines, slice_str(&journal));
    ck_ok(audit_competition_run(&(struct audit_competition){.journal = &lines}, &result, &err), err);
    ck_assert_int_eq(result.verdict, AUDIT_PARTLY);
    ck_assert_int_eq(result.counts.strangers, 1); /* that it is hers, nobody but the league says */
    str_release(&journal);
}
END_TEST

/* Coming and going leaves records that stay for ever: it ends some time, and on the side of those who go. */
START_TEST(in_and_out)
{
    spring_of((struct new_competition){0});
    for (int i = 1; i <= 6; i++) {
        struct str text = STR_INIT;
        house_empty_spool(&house);
        str_addf(&text, "#turnpost enter\nseq: %d\ncompetition: spring\n#end\n", i);
        (void)house_signed(&house, "anna", "anna", text.p);
        ck_assert(is_in("anna") == (i < 6));
        str_clear(&text);
        if (i == 6)
            told("anna", "entered the competition spring 5 times already");
        str_addf(&text, "#turnpost withdraw\nseq: %d\ncompetition: spring\n#end\n", i);
        (void)house_signed(&house, "anna", "anna", text.p);
        ck_assert(!is_in("anna"));
        str_release(&text);
    }
    house_empty_spool(&house);
    house_entry(&house, "spring", "enter", "anna");
    ck_assert(is_in("anna"));
    same_from_disk();
}
END_TEST

/* Who leaves the league leaves its competitions: whoever gets the name later has entered nothing. */
START_TEST(a_name_with_another_player)
{
    spring_of((struct new_competition){0});
    says("anna", "enter");
    says("bob", "enter");
    (void)house_signed(&house, "bob", "bob", "#turnpost erase\nplayer: bob\n#end\n");
    ck_assert_ptr_null(registry_find(&house.batch.registry, "bob"));
    ck_assert(!is_in("bob"));
    ck_assert(is_in("anna"));
    house_player(&house, "bob");
    house_work(&house, spring()->rounds[0].draw);
    ck_assert(!is_in("bob"));
    same_from_disk();
}
END_TEST

/* The mail that a server delivers twice is not answered again, with the catalog lost as well; a text that somebody
 * else sends again is a copy. */
START_TEST(once)
{
    struct str mail = STR_INIT, body = STR_INIT;
    spring_of((struct new_competition){0});
    house_sign(&house, "anna", "#turnpost enter\ncompetition: spring\n#end\n", &body);
    (void)house_mail(&house, "anna", "enter", body.p);
    str_addslice(&mail, slice_str(&house.last_raw));
    house_empty_spool(&house);
    says("anna", "withdraw");
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&mail));
    house_told(&house, NULL, 0, NULL);
    house_end(&house);
    house_remove_catalog(&house);
    house_begin(&house);
    (void)house_raw(&house, slice_str(&mail));
    house_told(&house, NULL, 0, NULL);
    ck_assert(!is_in("anna"));
    (void)house_mail(&house, "bob", "copied", body.p);
    ck_assert(!is_in("anna"));
    told("anna", "very same text was obeyed before");
    str_release(&mail);
    str_release(&body);
}
END_TEST

START_TEST(what_is_refused)
{
    spring_of((struct new_competition){.most = 2});
    says("anna", "enter");
    says("carol", "enter");
    house_empty_spool(&house);
    says("bob", "enter");
    told("bob", "The competition spring is full");
    (void)house_signed(&house, "bob", "bob", "#turnpost enter\ncompetition: srping\n#end\n");
    told("bob", "did you mean \"competition: spring\"?");
    house_game(&house, "gc-1", "galaxy-command", DAY_SECONDS, 2, (const char *const[]){"anna", "carol"});
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost enter\ncompetition: gc-1\n#end\n");
    told("bob", "gc-1 is a game, and no competition");
    says("anna", "withdraw");
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob",
                       "#turnpost enter\n# bob@example.net\ncompetition: spring\n#end\n");
    told("bob", "holds a mail address");
    house.now += HOUSE_WEEK;
    says("bob", "enter");
    told("bob", "Entries for the competition spring are closed");
}
END_TEST

START_TEST(one_that_cannot_be_read)
{
    struct err err = ERR_INIT;
    spring_of((struct new_competition){0});
    char *path = house_path(&house, "competitions/spring/journal.jsonl");
    ck_ok(file_write_soft(path, slice_of("{}\n"), 0600, &err), err);
    free(path);
    house_restart(&house);
    struct str body = STR_INIT;
    house_sign(&house, "anna", "#turnpost enter\ncompetition: spring\n#end\n", &body);
    str_clear(&house.last_raw);
    str_addf(&house.last_raw, "From: anna@example.net\r\nTo: " HOUSE_ADDRESS "\r\nSubject: enter\r\n\r\n%s",
             body.p);
    ck_assert_int_eq(house_take(&house, slice_str(&house.last_raw)), INTAKE_KEPT);
    str_release(&body);
    house.unproved = true;
}
END_TEST

/* ---- by the word of a mail domain ---- */

static const char enter[] = "#turnpost enter\ncompetition: spring\n#end\n";

START_TEST(by_the_word_of_a_domain)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    house_mailer(&house, "dora");
    spring_of((struct new_competition){.by_mail = true});
    ck_assert_int_eq(house_says_by_mail(&house, &domain, "dora", enter, true).fate, PETITION_HEARD);
    ck_assert(is_in("dora"));
    told("dora", "send a mail with \"withdraw spring\" as its subject");
    ck_assert_str_eq(house_says_by_mail(&house, &domain, "anna", enter, true).why, "has_own_key");
    char *path = house_path(&house, "competitions/spring/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    ck_assert_ptr_nonnull(strstr(lines.p, "\"vouched\":{"));
    ck_assert_ptr_null(strstr(lines.p, "@example.net"));
    free(path);
    str_release(&lines);
    same_from_disk();
}
END_TEST

START_TEST(keys_where_keys_are_wanted)
{
    house_mailer(&house, "dora");
    spring_of((struct new_competition){0});
    ck_assert_str_eq(house_says_by_mail(&house, &domain, "dora", enter, true).why, "compete_signed");
    ck_assert(!is_in("dora"));
}
END_TEST

/* ---- conditions ---- */

/* Each is refused in its own words, with the figure; who meets all of them is in, and the record has what was found. */
START_TEST(conditions_are_told_with_the_figure)
{
    static const struct {
        struct conditions asked;
        const char *words; /* NULL = anna is in */
    } cases[] = {
        {{.rated = true, .rating = 17500000},
         "takes players with a rating of at least 17.50 in Galactic Contract; anna has no rated game yet."},
        {{.games = 2}, "at least 2 games of Galactic Contract to their end; of anna the league knows 0."},
        {{.prompt = 90, .running = 1}, NULL},
        {{.key = true}, NULL},
    };
    struct conditions asked = cases[_i].asked;
    spring_of((struct new_competition){.conditions = &asked});
    says("anna", "enter");
    told("anna", cases[_i].words ? cases[_i].words : "You are in, anna");
    ck_assert(is_in("anna") == (cases[_i].words == NULL));
    if (cases[_i].asked.prompt) {
        struct err err = ERR_INIT;
        struct str lines = STR_INIT;
        char *path = house_path(&house, "competitions/spring/journal.jsonl");
        ck_ok(file_read(path, 1 << 20, &lines, &err), err);
        ck_assert_ptr_nonnull(strstr(lines.p, "\"found\":{\"missed\":0,\"running\":0,\"turns\":0}"));
        free(path);
        str_release(&lines);
    }
    same_from_disk();
}
END_TEST

START_TEST(a_key_is_asked_for)
{
    struct conditions asked = {.key = true};
    house_mailer(&house, "dora");
    spring_of((struct new_competition){.by_mail = true, .conditions = &asked});
    ck_assert_str_eq(house_says_by_mail(&house, &domain, "dora", enter, true).why, "said");
    ck_assert(!is_in("dora"));
    says("anna", "enter");
    ck_assert(is_in("anna"));
}
END_TEST

START_TEST(only_who_is_invited)
{
    struct conditions asked = {.rated = false};
    conditions_invite(&asked, "bob");
    spring_of((struct new_competition){.conditions = &asked});
    says("anna", "enter");
    told("anna", "The competition spring is for invited players, and anna is not among them.");
    says("bob", "enter");
    ck_assert(!is_in("anna") && is_in("bob"));
    conditions_release(&asked);
}
END_TEST

/* In two games already. */
START_TEST(too_busy)
{
    struct conditions asked = {.running = 1};
    const char *const two[] = {"anna", "bob"};
    house_game(&house, "gc-1", "galaxy-command", DAY_SECONDS, 2, two);
    house_game(&house, "gc-2", "galaxy-command", DAY_SECONDS, 2, two);
    house_empty_spool(&house);
    spring_of((struct new_competition){.conditions = &asked});
    says("anna", "enter");
    told("anna", "takes players who are in no more than 1 running games; anna is in 2.");
    ck_assert(!is_in("anna"));
}
END_TEST

/* ---- what is told ---- */

/* Whoever has not confirmed is reminded a day before, once, whatever happens to the catalog's memory of mails. */
START_TEST(reminded_once)
{
    spring_of((struct new_competition){.confirm_until = house.now + HOUSE_WEEK});
    says("anna", "enter");
    told("anna", "One step is left");
    says("bob", "enter");
    says("bob", "confirm");
    house_empty_spool(&house);
    house_work(&house, house.now + 5 * DAY_SECONDS);
    house_told(&house, NULL, 0, NULL);
    house_work(&house, house.now + DAY_SECONDS);
    told("anna",
         "You are in, anna, but you have not confirmed yet that you play. A player who has not confirmed");
    house_work(&house, house.now + 3600);
    house_told(&house, NULL, 0, NULL);
    house_restart(&house);
    house_work(&house, house.now + 3600);
    house_told(&house, NULL, 0, NULL);
    says("anna", "confirm");
    told("anna", "You have confirmed that you play, anna.");
    ck_assert_uint_eq(competition_players(spring()), 2);
}
END_TEST

/* In the last day before a draw its players are fixed, and who leaves is told so. */
START_TEST(leaves_too_late)
{
    spring_of((struct new_competition){.bye = 2});
    says("anna", "enter");
    says("bob", "enter");
    says("carol", "enter");
    house_empty_spool(&house);
    says("carol", "withdraw");
    told("carol", "You are not drawn any more.");
    house_work(&house, spring()->rounds[0].draw - DAY_SECONDS);
    says("bob", "withdraw");
    told("bob", "fixed already");
    ck_assert_uint_eq(competition_players(spring()), 2);
    house_work(&house, spring()->rounds[0].draw);
    ck_assert_int_eq(spring()->round, 1);
    ck_assert(spring()->tables[0].gone != 0);
}
END_TEST

/* All its players resign, so that it is over. */
static void give_up(const char *game)
{
    const struct compete_table *table = &spring()->tables[0];
    char names[2][PLAYER_NAME];
    memcpy(names, table->player + 1, sizeof names);
    for (int i = 0; i < 2; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "#turnpost resign\ngame: %s\n#end\n", game);
        (void)house_signed(&house, names[i], names[i], text.p);
        str_release(&text);
    }
    ck_assert(house_find(&house, game)->over);
}

/* The pages in the mails to Anna. */
static void pages(struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    str_init(out);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        size_t at = slice_find(slice_str(&mail.mail), "Content-Type: text/html");
        if (at != (size_t)-1 && strcmp(mail.envelope_to, "anna@example.net") == 0)
            str_adds(out, mail.mail.p + at);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
}

/* Pairing, the table after a round with what has changed, the end with one's own rounds; one signed head each. */
START_TEST(from_the_draw_to_the_end)
{
    spring_of((struct new_competition){0});
    says("anna", "enter");
    says("bob", "enter");
    says("carol", "enter");
    house_empty_spool(&house);
    house_work(&house, spring()->rounds[0].draw);
    for (int i = 0; i < 3; i++) {
        struct str mails;
        const char *who = (const char *const[]){"anna", "bob", "carol"}[i];
        bool bye = !competition_table_of(spring(), 1, who);
        ck_assert_int_eq(house_mails(&house, who, &mails), bye ? 1 : 2);
        ck_assert(house_says(mails.p, bye ? "there is no table for you, and you get 1 point for it."
                                          : "Round 1 is drawn"));
        ck_assert(bye || house_says(mails.p, "This game is table 1 of round 1 of the competition spring."));
        str_release(&mails);
        house_proofs(&house, who, &mails);
        ck_assert(house_says(mails.p, PROOF_PLACE "spring "));
        if (getenv("SHOW"))
            puts(mails.p);
        str_release(&mails);
    }
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nhtml: yes\n#end\n");
    give_up("spring.1.1");
    house_empty_spool(&house);
    for (int64_t at = house.now; at < spring()->rounds[1].draw; at += DAY_SECONDS)
        house_work(&house, at);
    house_empty_spool(&house);
    house_work(&house, spring()->rounds[1].draw);
    struct str mails;
    pages(&mails);
    ck_assert(house_says(mails.p, ">The table</h2>"));
    str_release(&mails);
    (void)house_mails(&house, NULL, &mails);
    ck_assert(house_says(mails.p, "Your round 1: "));
    ck_assert(house_says(mails.p, "THE TABLE"));
    str_release(&mails);
    house_empty_spool(&house);
    for (int64_t at = house.now; !spring()->closed; at += DAY_SECONDS) {
        house_empty_spool(&house);
        house_work(&house, at);
        ck_assert_int_lt(at, spring()->rounds[1].end + 2 * HOUSE_WEEK);
    }
    ck_assert_int_ge(house_mails(&house, NULL, &mails), 3);
    ck_assert(house_says(mails.p, "The competition is over."));
    ck_assert(house_says(mails.p, "THE FINAL TABLE"));
    ck_assert(house_says(mails.p, "YOUR ROUNDS"));
    str_release(&mails);
}
END_TEST

/* Whoever wants one mail a day gets the pairing with the first report, at their hour. */
START_TEST(with_a_digest)
{
    spring_of((struct new_competition){0});
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\ndigest: 18:00\n#end\n");
    says("anna", "enter");
    says("bob", "enter");
    house_empty_spool(&house);
    house_work(&house, spring()->rounds[0].draw);
    house_told(&house, "bob", 0, NULL);
    house_work(&house, house.now + 6 * 3600);
    struct err err = ERR_INIT;
    ck_ok(digest_send(&house.batch, &err), err);
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert(house_says(mails.p, "[spring] Round 1 of 2: you play anna"));
    ck_assert(house_says(mails.p, "[spring.1.1] The game has begun"));
    ck_assert(house_says(mails.p, "Round 1 is drawn, bob"));
    str_release(&mails);
}
END_TEST

/* To the end of two competitions at once: whoever wants one mail a day gets no more than that, and somebody else
 * gets more on some days. */
START_TEST(one_mail_a_day)
{
    struct err err = ERR_INIT;
    int most[2] = {0, 0}, all = 0;
    static const char *const who[] = {"bob", "anna"};
    struct schedule clock;
    schedule_init(&clock);
    clock.length = 5 * DAY_SECONDS; /* what is due sooner than the next digest does not wait for it */
    spring_of((struct new_competition){.clock = &clock});
    house_compete(&house, "autumn", "galactic-contract", 2,
                  (struct new_competition){.seats = 2, .clock = &clock});
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\ndigest: 18:00\n#end\n");
    for (int i = 0; i < 2; i++) {
        house_entry(&house, "spring", "enter", who[i]);
        house_entry(&house, "autumn", "enter", who[i]);
    }
    while (!spring()->closed) {
        house_empty_spool(&house);
        for (int hour = 0; hour < 24; hour += 6) {
            house_work(&house, house.now + 6 * HOUR_SECONDS);
            ck_ok(digest_send(&house.batch, &err), err);
        }
        for (int i = 0; i < 2; i++) {
            struct str mails;
            int day = house_mails(&house, who[i], &mails);
            str_release(&mails);
            most[i] = day > most[i] ? day : most[i];
            all += i == 0 ? day : 0;
        }
    }
    ck_assert_int_eq(most[0], 1);
    ck_assert_int_gt(most[1], 1);
    ck_assert_int_ge(all, 5);
}
END_TEST

/* ---- what can be asked ---- */

static void asked(const char *who, const char *subject, const char *words)
{
    (void)house_mail(&house, who, subject, "");
    if (getenv("SHOW")) {
        struct str mails;
        (void)house_mails(&house, who, &mails);
        puts(mails.p);
        str_release(&mails);
    }
    told(who, words);
}

START_TEST(what_can_be_asked)
{
    asked("anna", "competitions", "There is no competition here now");
    spring_of((struct new_competition){.by_mail = true});
    says("anna", "enter");
    says("bob", "enter");
    says("carol", "enter");
    house_empty_spool(&house);
    asked("anna", "competitions", "Competitions that can be entered:");
    asked("anna", "games", "spring: Galactic Contract, 2 rounds; 3 in; mail counts.");
    asked("anna", "table spring", "3 in: anna, bob, carol.");
    asked("anna", "table sprung", "Did you mean \"spring\"?");
    asked("anna", "enter spring", "competition: spring");
    asked("anna", "confirm spring", "competition: spring");
    asked("anna", "tabel spring", "Did you mean \"table\"");
    house_work(&house, spring()->rounds[0].draw);
    house_empty_spool(&house);
    asked("anna", "Table SPRING", "round 1 of 2");
    asked("anna", "status spring", "Bye: ");
    asked("anna", "competitions", "Competitions that can be entered");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, enter_withdraw_enter);
    tcase_add_test(tc, an_entry_is_for_no_game);
    tcase_add_test(tc, another_key_confirms);
    tcase_add_test(tc, in_and_out);
    tcase_add_test(tc, a_name_with_another_player);
    tcase_add_test(tc, once);
    tcase_add_test(tc, what_is_refused);
    tcase_add_test(tc, one_that_cannot_be_read);
    tcase_add_test(tc, by_the_word_of_a_domain);
    tcase_add_test(tc, keys_where_keys_are_wanted);
    tcase_add_loop_test(tc, conditions_are_told_with_the_figure, 0, 4);
    tcase_add_test(tc, a_key_is_asked_for);
    tcase_add_test(tc, only_who_is_invited);
    tcase_add_test(tc, too_busy);
    tcase_add_test(tc, reminded_once);
    tcase_add_test(tc, leaves_too_late);
    tcase_add_test(tc, from_the_draw_to_the_end);
    tcase_add_test(tc, with_a_digest);
    tcase_add_test(tc, one_mail_a_day);
    tcase_add_test(tc, what_can_be_asked);
}
TEST_MAIN("petitions/competitions", cases)
