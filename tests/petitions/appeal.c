/* Appeals and rulings: who is told what, that moderators who play see no more than their seats may, and that
 * the records are where they may be. */
#include "house/audited.h"
#include "house/house.h"

#include "base/json.h"
#include "history/casefile.h"

static struct house house;
static const char *const table[] = {"anna", "bob", "carol"};

static void begin_with(const char *moderators)
{
    house_open(&house);
    for (int i = 0; i < 3; i++)
        house_player(&house, table[i]);
    house_player(&house, "mod");
    house_player(&house, "dora");
    house_option(&house, "[league]", moderators);
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_option(&house, "[limits]", "press_size = 300");
    house_restart(&house);
    house_game(&house, "gc-1", "galaxy-command", 86400, 3, table);
    house_empty_spool(&house);
}

static void begin(void)
{
    begin_with("moderators = mod carol");
}

static void end(void)
{
    house_close(&house);
}

static void order(const char *name, int turn, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s#end\n", turn, lines);
    ck_assert_int_eq(house_signed(&house, name, name, text.p), INTAKE_PROCESSED);
    str_release(&text);
}

static void play_turn(int turn)
{
    order("anna", turn, "explore near\n");
    order("bob", turn, "research robots or bide\n");
    order("carol", turn, "explore far or bide\n");
    house_empty_spool(&house);
}

static void appeal(const char *name, int turn, const char *words)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost appeal\ngame: gc-1\nturn: %d\n%s\n#end\n", turn, words);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

static void rule(const char *name, int64_t number, const char *words)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost ruling\ngame: gc-1\nappeal: %lld\n%s\n#end\n", (long long)number, words);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

static int64_t seq(void)
{
    return house_find(&house, "gc-1")->seq;
}

/* All parts of the one mail to NAME that is there, each after its file name; ["gone"] of the spool. */
static void one_mail(const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char address[PLAYER_ADDRESS];
    int count = 0;
    str_init(out);
    (void)snprintf(address, sizeof address, "%s@example.net", name);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        if (strcmp(mail.envelope_to, address) == 0) {
            count++;
            ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default, &(struct message_identity){0},
                                &msg, &err),
                  err);
            for (size_t part = 0; part < msg.part_count; part++)
                str_addf(out, "== %s\n%s\n", msg.parts[part].name, msg.parts[part].shown.p);
            message_release(&msg);
        }
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    ck_assert_msg(count == 1, "%s has %d mails", name, count);
}

/* A file of the one mail to NAME, byte for byte; empty if it has none of that name. */
static void file_of(const char *name, const char *file, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char address[PLAYER_ADDRESS];
    str_init(out);
    (void)snprintf(address, sizeof address, "%s@example.net", name);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default, &(struct message_identity){0},
                            &msg, &err),
              err);
        for (size_t part = 0; strcmp(mail.envelope_to, address) == 0 && part < msg.part_count; part++)
            if (strcmp(msg.parts[part].name, file) == 0)
                str_addslice(out, slice_str(&msg.parts[part].exact));
        message_release(&msg);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
}

static struct audit_result audited_files(const struct str *journal, const struct str *opened)
{
    struct err err = ERR_INIT;
    struct lines one;
    struct audit audit;
    struct audit_result result;
    struct seal_openings only = {NULL, 0, 0};
    lines_memory(&one, slice_str(journal));
    seal_openings_read(&only, "gc-1", slice_str(opened));
    audit_init(&audit, &one);
    audit.only = &only;
    ck_ok(audit_run(&audit, &result, &err), err);
    seal_openings_release(&only);
    return result;
}

#define JOINED 3 /* texts by which they sat down */

/* What the mail to NAME brings is read as it arrives, by the command that it names: `texts` signed orders are checked, and
 * a digit of a key that is changed is found. */
static void reads_as_it_arrives(const char *name, int64_t texts)
{
    struct str mail, journal, opened;
    one_mail(name, &mail);
    ck_assert_ptr_nonnull(strstr(mail.p, "turnpost audit journal.jsonl"));
    str_release(&mail);
    file_of(name, "journal.jsonl", &journal);
    file_of(name, OPENED_NAME, &opened);
    struct audit_result result = audited_files(&journal, &opened);
    ck_assert_msg(result.verdict == AUDIT_PARTLY, "%s", result.first.text);
    ck_assert_int_eq(result.records, seq() - 1); /* all before the appeal */
    ck_assert_int_eq(result.counts.signatures, JOINED + texts);
    struct casefile file;
    struct err err = ERR_INIT;
    ck_ok(casefile_open_lines(slice_str(&journal), NULL, &file, &err), err);
    casefile_close(&file);
    if (opened.len) {
        char *digit = strchr(opened.p, '\n') - 1;
        *digit = (char)(*digit == '0' ? '1' : '0');
        result = audited_files(&journal, &opened);
        ck_assert_int_eq(result.verdict, AUDIT_REFUTED);
    }
    str_release(&journal);
    str_release(&opened);
}

static void check(const struct str *text, const char *words, bool there)
{
    struct str flat = STR_INIT; /* however the lines are broken */
    for (const char *p = text->p; *p; p++)
        str_addc(&flat, (char)(*p == '\n' ? ' ' : *p));
    bool is = strstr(text->p, words) || strstr(flat.p, words);
    str_release(&flat);
    if (is == there)
        return;
    (void)fprintf(stderr, "%s\n", text->p);
    ck_abort_msg("%s \"%s\" in it", there ? "no" : "there is", words);
}
#define holds(text, words) check(&(text), words, true)
#define lacks(text, words) check(&(text), words, false)

/* ---- the usual case ---- */

START_TEST(the_moderators_get_the_evidence)
{
    struct str mail;
    play_turn(1);
    appeal("anna", 1, "My explorer was lost, and the dice are odd.");
    house_same(&house, "gc-1");
    reads_as_it_arrives("mod", 3);
    reads_as_it_arrives("carol", 1);
    one_mail("mod", &mail);
    holds(mail, "anna appeals turn 1");
    holds(mail, "| My explorer was lost");
    holds(mail, "== turn-1.txt");
    holds(mail, "WHAT HAPPENED");
    holds(mail, "== journal.jsonl\n{\"game\":\"gc-1\",\"seq\":1,");
    holds(mail, "== opened.txt\nopen gc-1 ");
    holds(mail, "explore far or bide"); /* carol's orders */
    holds(mail, "research robots or bide");
    holds(mail, "#turnpost ruling\ngame: gc-1\nhead: ");
    holds(mail, "\nappeal: ");
    lacks(mail, "You have a seat");
    str_release(&mail);
    /* carol is a moderator, too, and plays. */
    one_mail("carol", &mail);
    holds(mail, "You have a seat in this game");
    holds(mail, "go to the moderators who have no part");
    lacks(mail, "My explorer");
    holds(mail, "explore far or bide"); /* her own */
    lacks(mail, "research robots or bide");
    lacks(mail, "\"seat\":2,\"seq\"");
    lacks(mail, "\"seat\":1,\"seq\"");
    str_release(&mail);
    one_mail("anna", &mail);
    holds(mail, "is record ");
    holds(mail, "One moderator has");
    holds(mail, "Those who have a part in this game");
    str_release(&mail);
    house_told(&house, "bob", 0, NULL);
}
END_TEST

START_TEST(the_words_are_sealed)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    play_turn(1);
    appeal("anna", 1, "Bob told me his password.");
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    ck_assert_ptr_null(strstr(lines.p, "password"));
    ck_assert_ptr_nonnull(strstr(lines.p, "\"about\":1"));
    ck_assert_ptr_nonnull(strstr(lines.p, "\"kind\":\"appeal\""));
    str_release(&lines);
    house_empty_spool(&house);
}
END_TEST

START_TEST(of_the_open_turn_only_his_own_orders_are_opened)
{
    struct str mail;
    play_turn(1);
    order("anna", 2, "explore near\n");
    order("bob", 2, "research robots or bide\n");
    house_empty_spool(&house);
    appeal("anna", 2, "My orders were read wrong.");
    reads_as_it_arrives("mod", 1);
    reads_as_it_arrives("carol", 0);
    one_mail("mod", &mail);
    holds(mail, "The turn is still open");
    lacks(mail, "== turn-2.txt");
    holds(mail, "explore near");
    lacks(mail, "research robots");
    str_release(&mail);
    one_mail("carol", &mail);
    lacks(mail, "explore near");
    lacks(mail, "== opened.txt");
    str_release(&mail);
    house_empty_spool(&house);
    appeal("anna", 0, "The deal.");
    one_mail("mod", &mail);
    holds(mail, "appeals the deal");
    holds(mail, "== turn-0.txt");
    holds(mail, "\"type\":\"create\"");
    str_release(&mail);
}
END_TEST

/* A turn that the same mail has resolved, and that is in no file yet. */
START_TEST(what_is_not_committed_yet)
{
    struct str body = STR_INIT, mail;
    static const char *const texts[] = {
        "#turnpost orders\ngame: gc-1\nturn: 1\nexplore far or bide\n#end\n",
        "#turnpost appeal\ngame: gc-1\nturn: 1\nToo quick.\n#end\n",
    };
    order("anna", 1, "explore near\n");
    order("bob", 1, "bide\n");
    house_empty_spool(&house);
    for (int i = 0; i < 2; i++) {
        house_sign(&house, "carol", texts[i], &body);
        str_addc(&body, '\n');
    }
    (void)house_mail(&house, "carol", "both", body.p);
    one_mail("mod", &mail);
    holds(mail, "== turn-1.txt");
    holds(mail, "\"type\":\"turn\"");
    str_release(&mail);
    str_release(&body);
    house_same(&house, "gc-1");
}
END_TEST

/* ---- moderators who are involved ---- */

START_TEST(who_would_stand_in_sees_what_everybody_sees)
{
    struct str mail;
    house_empty_spool(&house);
    (void)house_signed(&house, "mod", "mod", "#turnpost standby\ngame: any\n#end\n");
    play_turn(1);
    appeal("anna", 1, "Odd.");
    one_mail("mod", &mail);
    holds(mail, "You may come to play in this game");
    holds(mail, "| Odd."); /* nobody else is there to judge */
    lacks(mail, "research robots or bide");
    lacks(mail, "explore far or bide");
    lacks(mail, "== opened.txt");
    holds(mail, "== turn-1.txt");
    str_release(&mail);
    house_told(&house, "anna", 1, "All moderators of this league have a part");
}
END_TEST

/* ---- whose key it is ---- */

static void count_words(void *arg, const struct audit_finding *finding)
{
    struct str *all = arg;
    if (finding->severity == AUDIT_WORD && finding->kind == AUDIT_SIGNATURE)
        str_addf(all, "%lld: %s\n", (long long)finding->seq, finding->text);
}

/* All remarks on keys that only the league knows. */
static void remarks(struct str *all)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct lines journal;
    struct audit audit;
    struct audit_result result;
    str_clear(all);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    lines_memory(&journal, slice_str(&lines));
    audit_init(&audit, &journal);
    audit.found = count_words;
    audit.arg = all;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_int_eq(result.verdict, AUDIT_PARTLY);
    str_release(&lines);
}

/* The journal holds their key by then: another one under the same name is named, with the record of the first. */
START_TEST(another_key_of_a_moderator_is_told)
{
    struct str all = STR_INIT;
    char words[200];
    play_turn(1);
    appeal("anna", 1, "One.");
    rule("mod", seq(), "It stands.");
    const int64_t first = seq();
    appeal("anna", 1, "Two.");
    rule("mod", seq(), "It stands, I say.");
    remarks(&all);
    lacks(all, "another one"); /* the same key */
    house_rekeys(&house, "mod", "later");
    appeal("anna", 1, "Three.");
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost ruling\ngame: gc-1\nappeal: %lld\nIt stands still.\n#end\n", (long long)seq());
    (void)house_signed(&house, "mod", "later", text.p);
    str_release(&text);
    remarks(&all);
    (void)snprintf(words, sizeof words,
                   "is mod's, who signed record %lld with another one, rests on the operator's word",
                   (long long)first);
    holds(all, words);
    str_release(&all);
    house_empty_spool(&house);
}
END_TEST

START_TEST(without_moderators)
{
    house_close(&house);
    begin_with("moderators =");
    appeal("anna", 1, "Odd.");
    house_told(&house, NULL, 1, "has no moderators. Write to its");
}
END_TEST

/* ---- what is wrong ---- */

START_TEST(what_is_wrong_is_said_and_changes_nothing)
{
    static const struct {
        const char *who, *text, *words;
    } cases[] = {
        {"anna", "#turnpost appeal\ngame: gc-1\nOdd.\n#end\n", "which turn it is about"},
        {"anna", "#turnpost appeal\ngame: gc-1\nturn: 3\nOdd.\n#end\n",
         "has had no turn 3; the last one is turn 2"},
        {"anna", "#turnpost appeal\ngame: gc-1\nturn: 1\n#end\n", "The appeal is empty"},
        {"anna", "#turnpost appeal\ngame: gc-9\nturn: 1\nOdd.\n#end\n", "no game \"gc-9\""},
        {"anna", "#turnpost appeal\nturn: 1\nOdd.\n#end\n", "does not name its game"},
        {"dora", "#turnpost appeal\ngame: gc-1\nturn: 1\nOdd.\n#end\n", "You have no seat"},
        {"anna", "#turnpost ruling\ngame: gc-1\nappeal: 7\nNo.\n#end\n", "Only the moderators"},
        {"mod", "#turnpost ruling\ngame: gc-1\nNo.\n#end\n", "on which appeal"},
        {"mod", "#turnpost ruling\ngame: gc-1\nappeal: two\nNo.\n#end\n", "takes a number"},
        {"mod", "#turnpost ruling\ngame: gc-1\nappeal: 7\nNo.\n#end\n",
         "Record 7 of game gc-1 is not an appeal"},
        {"mod", "#turnpost ruling\ngame: gc-1\nappeal: 700\nNo.\n#end\n",
         "Record 700 of game gc-1 is not an appeal"},
    };
    struct str text = STR_INIT;
    play_turn(1);
    int64_t before = seq();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)house_signed(&house, cases[i].who, cases[i].who, cases[i].text);
        ck_assert_int_eq(seq(), before);
        house_told(&house, NULL, 1, cases[i].words);
    }
    for (int i = 0; i < 301; i++)
        str_addc(&text, 'x');
    appeal("anna", 1, text.p);
    house_told(&house, NULL, 1, "has 301 bytes; at most 300");
    (void)house_mail(&house, "anna", "x", "#turnpost appeal\ngame: gc-1\nturn: 1\nOdd.\n#end\n");
    house_told(&house, NULL, 1, "no signature");
    ck_assert_int_eq(seq(), before);
    str_release(&text);
}
END_TEST

START_TEST(twice_it_counts_once)
{
    struct str raw = STR_INIT;
    char head[2 * HEAD_BYTES + 1], odd[100];
    play_turn(1);
    game_answer_head(head, house_find(&house, "gc-1"));
    (void)snprintf(odd, sizeof odd, "head: %s\nOdd.", head);
    appeal("anna", 1, odd);
    int64_t before = seq();
    str_addslice(&raw, slice_str(&house.last_raw));
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&raw));
    house_told(&house, NULL, 0, NULL);
    appeal("anna", 1, odd);
    house_told(&house, NULL, 1, "very same text");
    play_turn(2); /* and in later turns, too */
    play_turn(3);
    house_restart(&house);
    before = seq();
    appeal("anna", 1, odd);
    house_told(&house, NULL, 1, "very same text");
    ck_assert_int_eq(seq(), before);
    appeal("anna", 1, "Odd, I say.");
    appeal("anna", 1, "Odd, I say again.");
    house_empty_spool(&house);
    appeal("anna", 1, "And again.");
    house_told(&house, NULL, 1, "have appealed against turn 1 3 times");
    appeal("anna", 2, "Another turn.");
    house_told(&house, "mod", 1, "appeals turn 2");
    appeal("bob", 1, "Odd.");
    house_told(&house, "mod", 1, "bob appeals turn 1");
    str_release(&raw);
}
END_TEST

START_TEST(not_too_many_at_once)
{
    play_turn(1);
    int64_t first = 0;
    for (int i = 0; i < 5; i++) {
        appeal("anna", i % 2, i < 2 ? "One." : i < 4 ? "Two." : "Three.");
        first = first ? first : seq();
    }
    ck_assert_int_eq(seq(), first + 4);
    house_empty_spool(&house);
    appeal("anna", 2, "And this turn, too.");
    house_told(&house, NULL, 1, "5 of your appeals have no ruling yet");
    rule("mod", first, "It stands.");
    house_empty_spool(&house);
    appeal("anna", 2, "And this turn, too.");
    house_told(&house, "mod", 1, "appeals turn 2");
}
END_TEST

/* ---- rulings, and the end ---- */

START_TEST(all_seats_are_told_the_ruling)
{
    play_turn(1);
    appeal("anna", 1, "Odd.");
    int64_t number = seq();
    house_empty_spool(&house);
    rule("mod", number, "The dice are proved; turn 1 stands.");
    struct str told;
    ck_assert_int_eq(house_mails(&house, NULL, &told), 4); /* three seats, mod */
    holds(told, "mod, a moderator of the\nleague, rules:\n\n| The dice are proved");
    holds(told, "anna (seat 1) has appealed turn 1");
    str_release(&told);
    house_empty_spool(&house);
    rule("carol", number, "I think so, too.");
    house_told(&house, "bob", 1, "who plays seat 3 of this game, rules:\n\n| I think so");
    /* Nobody rules on their own appeal. */
    appeal("carol", 1, "Odd.");
    house_empty_spool(&house);
    rule("carol", seq(), "I am right.");
    house_told(&house, NULL, 1, "The appeal is your own");
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(the_turn_was_taken_back)
{
    play_turn(1);
    play_turn(2);
    appeal("anna", 3, "Odd.");
    int64_t number = seq();
    house_rules(&house, "gc-1", "do: rollback turn 1\nreason: The dice fell off the table.\n");
    house_empty_spool(&house);
    int64_t before = seq();
    rule("mod", number, "It stands.");
    house_told(&house, "mod", 1, "taken back turn 3 of game gc-1");
    ck_assert_int_eq(seq(), before);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(when_the_game_is_over)
{
    struct str mail;
    play_turn(1);
    for (int turn = 0; !house_find(&house, "gc-1")->over; turn++) {
        ck_assert_int_lt(turn, 60);
        house_clock(&house, house.now + 86401);
    }
    house_empty_spool(&house);
    int64_t before = seq();
    int last = house_find(&house, "gc-1")->turn - 1;
    appeal("anna", last + 1, "Too late.");
    house_told(&house, NULL, 1, "has had no turn");
    appeal("anna", last, "The last turn was odd.");
    one_mail("carol", &mail); /* its seals are open */
    holds(mail, "| The last turn was odd.");
    lacks(mail, "You have a seat");
    str_release(&mail);
    ck_assert_int_eq(seq(), before + 1);
    house_empty_spool(&house);
    rule("mod", seq(), "It stands.");
    house_told(&house, "bob", 1, "| It stands.");
    house_restart(&house);
    house_clock(&house, house.now + 86401); /* nothing is made up after it */
    ck_assert_int_eq(seq(), before + 2);
    house_same(&house, "gc-1");
    house_told(&house, NULL, 0, NULL);
    appeal("bob", 1, "And this one.");
    ck_assert_int_eq(seq(), before + 3);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, the_moderators_get_the_evidence);
    tcase_add_test(tc, the_words_are_sealed);
    tcase_add_test(tc, of_the_open_turn_only_his_own_orders_are_opened);
    tcase_add_test(tc, what_is_not_committed_yet);
    tcase_add_test(tc, who_would_stand_in_sees_what_everybody_sees);
    tcase_add_test(tc, another_key_of_a_moderator_is_told);
    tcase_add_test(tc, without_moderators);
    tcase_add_test(tc, what_is_wrong_is_said_and_changes_nothing);
    tcase_add_test(tc, twice_it_counts_once);
    tcase_add_test(tc, not_too_many_at_once);
    tcase_add_test(tc, all_seats_are_told_the_ruling);
    tcase_add_test(tc, the_turn_was_taken_back);
    tcase_add_test(tc, when_the_game_is_over);
}
TEST_MAIN("petitions/appeal", cases)
