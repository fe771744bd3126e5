/* Keys, addresses and preferences of players, and how they change by mail. */
#include "house/newcomers.h"
#include "petitions/rekey.h"

/* ---- keys ---- */

/* Two signatures below one text. */
static void sign_twice(const char *name, const char *first, const char *second, const char *text)
{
    struct str body = STR_INIT, headed = STR_INIT;
    house_headed(&house, text, &headed);
    str_addslice(&body, slice_str(&headed));
    sshsig_sign(&body, house_key(&house, first)->key, NS_ORDERS, slice_str(&headed));
    sshsig_sign(&body, house_key(&house, second)->key, NS_ORDERS, slice_str(&headed));
    str_release(&headed);
    (void)house_mail(&house, name, "keys", body.p);
    str_release(&body);
}

static void print_of(const char *name, char print[KEY_FINGERPRINT])
{
    struct pubkey key;
    secret_public(house_key(&house, name), &key);
    pubkey_fingerprint(print, &key);
}

START_TEST(a_key_is_added_by_two_signatures_in_one_mail)
{
    char print[KEY_FINGERPRINT], text[200];
    (void)house_person(&house, "new");
    print_of("new", print);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", print);
    sign_twice("anna", "new", "anna", text); /* in any order */
    house_told(&house, NULL, 1, "added");
    house_restart(&house);
    (void)house_signed(&house, "anna", "new", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "Your settings");
}
END_TEST

START_TEST(or_by_two_mails)
{
    char print[KEY_FINGERPRINT], text[200];
    (void)house_person(&house, "new");
    print_of("new", print);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", print);
    (void)house_signed(&house, "anna", "new", text);
    house_told(&house, "anna", 1, "have both signed");
    (void)house_signed(&house, "anna", "anna", text);
    house_told(&house, "anna", 1, "one signature more");
    house_restart(&house);
    (void)house_signed(&house, "anna", "new", "#turnpost key\nplayer: bob\nadd: x\n#end\n");
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "new", text);
    house_told(&house, "anna", 1, "added");
    struct pubkey keys[KEYS_PER_PLAYER];
    ck_assert_uint_eq(keyring_of(&house.batch.keyring, "anna", keys), 2);
    ck_assert_uint_eq(count_files("tokens"), 0);
}
END_TEST

/* A revoked key, together with the mail by which it was added, is of no use. */
START_TEST(a_revoked_key_does_not_come_back)
{
    char print[KEY_FINGERPRINT], text[200], later[200];
    struct pubkey keys[KEYS_PER_PLAYER];
    (void)house_person(&house, "new");
    print_of("new", print);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", print);
    (void)house_signed(&house, "anna", "anna", text);
    (void)house_signed(&house, "anna", "new", text);
    ck_assert_uint_eq(keyring_of(&house.batch.keyring, "anna", keys), 2);
    (void)snprintf(later, sizeof later, "#turnpost key\nrevoke: %s\n#end\n", print);
    (void)house_signed(&house, "anna", "anna", later);
    house_empty_spool(&house);
    (void)house_signed(&house, "mallory", "anna", text); /* as it was */
    house_told(&house, "anna", 1, "very same text");
    (void)snprintf(later, sizeof later, "#turnpost key\nplayer: anna\nadd: %s\nseq: 2\n#end\n", print);
    (void)house_signed(&house, "mallory", "new", later);
    ck_assert_uint_eq(keyring_of(&house.batch.keyring, "anna", keys), 1);
}
END_TEST

START_TEST(keys_are_revoked_but_never_the_last)
{
    char print[KEY_FINGERPRINT], old[KEY_FINGERPRINT], text[300];
    (void)house_person(&house, "new");
    print_of("new", print);
    print_of("anna", old);
    (void)snprintf(text, sizeof text, "#turnpost key\nrevoke: %s\n#end\n", old);
    (void)house_signed(&house, "anna", "anna", text);
    house_told(&house, "anna", 1, "the only key");
    /* a rotation in one text */
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: anna\nadd: %s\nrevoke: %s\n#end\n", print, old);
    sign_twice("anna", "anna", "new", text);
    house_told(&house, "anna", 1, "revoked");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "league does not know");
    (void)house_signed(&house, "anna", "new", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "Your settings");
}
END_TEST

START_TEST(nobody_changes_another_s_keys_but_moderators_who_revoke)
{
    char print[KEY_FINGERPRINT], own[KEY_FINGERPRINT], text[300];
    house_player(&house, "bob");
    (void)house_person(&house, "new");
    print_of("new", print);
    print_of("bob", own);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", print);
    sign_twice("bob", "bob", "new", text);
    house_told(&house, "bob", 1, "your own keys only");
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: bob\nadd: %s\n#end\n", print);
    sign_twice("bob", "bob", "new", text);
    house_empty_spool(&house);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: bob\nrevoke: %s\nwhy: stolen\n#end\n", own);
    (void)house_signed(&house, "anna", "anna", text); /* a moderator */
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "Why: stolen"));
    ck_assert_ptr_null(strstr(mails.p, "anna@"));
    str_release(&mails);
    struct pubkey keys[KEYS_PER_PLAYER];
    ck_assert_uint_eq(keyring_of(&house.batch.keyring, "bob", keys), 1);
    print_of("anna", own);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: bob\nadd: %s\n#end\n", own);
    house_empty_spool(&house);
    sign_twice("bob", "new", "anna", text);
    house_told(&house, "bob", 1, "registered already");
}
END_TEST

/* ---- lost keys ---- */

static void ask_rekey(void)
{
    struct pubkey key;
    struct str text = STR_INIT;
    const char *const names[] = {"bob", "carl"};
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_game(&house, "gc-1", "galaxy-command", 30 * 86400, 2, names);
    house_empty_spool(&house);
    secret_public(house_person(&house, "new"), &key);
    str_adds(&text, "#turnpost rekey\nplayer: bob\nkey: ");
    pubkey_format(&text, &key);
    str_adds(&text, "\nwhy: he lost it\n#end\n");
    (void)house_signed(&house, "carl", "carl", text.p);
    house_told(&house, "carl", 1, "Only the moderators");
    (void)house_signed(&house, "anna", "anna", text.p);
    str_release(&text);
}

START_TEST(a_lost_key_is_replaced_after_two_days)
{
    struct str mails;
    ask_rekey();
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "#turnpost veto"));
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, "carl", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "because you play with bob"));
    str_release(&mails);
    house_told(&house, "anna", 1, "You have asked");
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + REKEY_WAIT - 1);
    house_told(&house, NULL, 0, NULL);
    (void)house_signed(&house, "bob", "new", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "bob", 1, "league does not know");
    house_clock(&house, HOUSE_NOON + REKEY_WAIT);
    house_told(&house, NULL, 2, "in force");
    house_clock(&house, HOUSE_NOON + REKEY_WAIT + 1);
    house_told(&house, NULL, 0, NULL);
    house_restart(&house);
    (void)house_signed(&house, "bob", "new", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "bob", 1, "Your settings");
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\njson: no\n#end\n");
    house_told(&house, "bob", 1, "league does not know");
    (void)house_signed(&house, "bob", "new", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    house_told(&house, "bob", 1, "We have your");
}
END_TEST

START_TEST(the_old_key_keeps_its_owner)
{
    ask_rekey();
    house_empty_spool(&house);
    (void)house_signed(&house, "carl", "carl", "#turnpost veto\n#end\n");
    house_told(&house, "carl", 1, "No other key has been asked for");
    (void)house_signed(&house, "carl", "carl", "#turnpost veto\nplayer: bob\n#end\n");
    house_told(&house, "carl", 1, "your own keys only");
    (void)house_signed(&house, "bob", "bob", "#turnpost veto\n#end\n");
    ck_assert_int_eq(house_answers(&house), 1);
    house_told(&house, NULL, 3, "The keys of bob stay");
    house_clock(&house, HOUSE_NOON + REKEY_WAIT);
    house_told(&house, NULL, 0, NULL);
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "bob", 1, "Your settings");
}
END_TEST

/* A moderator other than the one who was talked into it. */
START_TEST(a_moderator_keeps_a_key)
{
    house_player(&house, "dora");
    ask_rekey();
    house_empty_spool(&house);
    (void)house_signed(&house, "dora", "dora", "#turnpost veto\nplayer: bob\n#end\n");
    ck_assert_int_eq(house_answers(&house), 1);
    house_told(&house, "dora", 1, "The keys of bob stay");
}
END_TEST

/* ---- addresses and preferences ---- */

START_TEST(preferences_are_kept)
{
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost prefs\nhtml: yes\ndigest: yes\nreminder: 6\nzone: Europe/Berlin\n#end\n");
    house_told(&house, "anna", 1, "Europe/Berlin");
    house_restart(&house);
    const struct player *anna = registry_find(&house.batch.registry, "anna");
    ck_assert(anna->html && anna->digest && !anna->json);
    ck_assert_int_eq(anna->reminder_hours, 6);
    ck_assert_str_eq(anna->zone, "Europe/Berlin");
    /* The form shows them, and changes nothing. */
    struct str form;
    int64_t before = house.batch.log.seq;
    (void)house_mail(&house, "anna", "prefs", "");
    take_form("anna", &form);
    ck_assert_ptr_nonnull(strstr(
        form.p, "\nhtml: yes\njson: no\nreports: decisions\noptional: yes\ndigest: 07:00\n"
                "reminder: 6\nzone: Europe/Berlin\npublic: no\ndisplay: no\n# address: anna@example.net\n"));
    (void)house_signed(&house, "anna", "anna", strstr(form.p, "#turnpost prefs\n"));
    house_told(&house, "anna", 1, "Your settings");
    ck_assert_int_eq(house.batch.log.seq, before);
    str_release(&form);
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"#turnpost prefs\nzone: Europe/Bärlin\n#end\n", "name of a time zone"},
        {"#turnpost prefs\nzone: ../../etc/passwd\n#end\n", "name of a time zone"},
        {"#turnpost prefs\nreminder: 1000\n#end\n", "number from 0 to 336"},
        {"#turnpost prefs\nsecond: nonsense\n#end\n", "no mail address"},
        {"#turnpost prefs\naddress: a@b.c\nsecond: d@b.c\n#end\n", "One address at a time"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)house_signed(&house, "anna", "anna", cases[i].text);
        house_told(&house, "anna", 1, cases[i].words);
    }
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nzone: no\nreminder: no\n#end\n");
    anna = registry_find(&house.batch.registry, "anna");
    ck_assert_int_eq(anna->reminder_hours, 0);
    ck_assert_str_eq(anna->zone, "");
}
END_TEST

START_TEST(a_second_address_counts_when_it_has_answered)
{
    house_player(&house, "bob");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nsecond: ann@example.net\n#end\n");
    ck_assert_str_eq(registry_find(&house.batch.registry, "anna")->address2, "");
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
    ck_assert_ptr_null(strstr(mails.p, "confirm "));
    str_release(&mails);
    struct str text, other;
    take_form("ann", &text);
    (void)house_signed(&house, "anna", "bob", text.p);
    (void)house_mail(&house, "ann", "Re: A new address for anna", text.p);
    house_empty_spool(&house);
    changed(&text, "second: ", "amy@example.net", &other);
    (void)house_signed(&house, "anna", "anna", other.p);
    house_told(&house, "anna", 1, "not the one for this address");
    str_release(&other);
    changed(&text, "second: ", "ann@example.net\naddress: ann@example.net", &other);
    (void)house_signed(&house, "anna", "anna", other.p);
    house_told(&house, "anna", 1, "One address at a time");
    ck_assert_str_eq(registry_find(&house.batch.registry, "anna")->address2, "");
    (void)house_signed(&house, "ann", "anna", text.p);
    str_release(&other);
    str_release(&text);
    ck_assert_str_eq(registry_find(&house.batch.registry, "anna")->address2, "ann@example.net");
    house_told(&house, NULL, 2, "ann@example.net");
    ck_assert_ptr_eq(registry_by_address(&house.batch.registry, "Ann@example.net"),
                     registry_find(&house.batch.registry, "anna"));
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nsecond: no\n#end\n");
    house_told(&house, "ann", 1, "Your addresses are now"); /* which loses it */
    ck_assert_ptr_null(registry_by_address(&house.batch.registry, "ann@example.net"));
}
END_TEST

START_TEST(nobody_learns_whether_an_address_is_registered)
{
    struct str free_one, taken;
    house_player(&house, "bob");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nsecond: bob@example.net\n#end\n");
    ck_assert_int_eq(house_mails(&house, "bob", &taken), 0);
    str_release(&taken);
    (void)house_mails(&house, "anna", &taken);
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nsecond: boo@example.net\n#end\n");
    (void)house_mails(&house, "anna", &free_one);
    char *at = strstr(free_one.p, "boo@");
    ck_assert_ptr_nonnull(at);
    at[2] = 'b';
    ck_assert_str_eq(free_one.p, taken.p);
    str_release(&free_one);
    str_release(&taken);
}
END_TEST

START_TEST(a_mail_from_elsewhere_counts_and_is_told)
{
    (void)house_signed(&house, "elsewhere", "anna", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, NULL, 1, "came from elsewhere@example.net");
    ck_assert(registry_find(&house.batch.registry, "anna")->json);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: no\n#end\n");
    struct str mails;
    (void)house_mails(&house, "anna", &mails);
    ck_assert_ptr_null(strstr(mails.p, "came from"));
    str_release(&mails);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, a_key_is_added_by_two_signatures_in_one_mail);
    tcase_add_test(tc, or_by_two_mails);
    tcase_add_test(tc, a_revoked_key_does_not_come_back);
    tcase_add_test(tc, keys_are_revoked_but_never_the_last);
    tcase_add_test(tc, nobody_changes_another_s_keys_but_moderators_who_revoke);
    tcase_add_test(tc, a_lost_key_is_replaced_after_two_days);
    tcase_add_test(tc, the_old_key_keeps_its_owner);
    tcase_add_test(tc, a_moderator_keeps_a_key);
    tcase_add_test(tc, preferences_are_kept);
    tcase_add_test(tc, a_second_address_counts_when_it_has_answered);
    tcase_add_test(tc, nobody_learns_whether_an_address_is_registered);
    tcase_add_test(tc, a_mail_from_elsewhere_counts_and_is_told);
}
TEST_MAIN("petitions/keys_and_addresses", cases)
