/* A league in a language of its own: its templates are files in its folder, and what its
 * players read is in their words and not in the program's. */
#include "house/scene.h"

/* The league's own template of that name (under templates/). */
static void write_template(const char *name, const char *words)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    str_addf(&path, "%s/templates/%s", house.league.dir, name);
    char *slash = strrchr(path.p, '/');
    *slash = '\0';
    ck_ok(file_mkdirs(path.p, 0700, &err), err);
    *slash = '/';
    ck_ok(file_write_soft(path.p, slice_of(words), 0600, &err), err);
    str_release(&path);
    house_restart(&house);
}

static void begin(void)
{
    scene("mona");
    (void)new_game(3);
}

/* What a mail with this subject brings. */
static void asked(const char *name, const char *subject, const char *words)
{
    (void)house_mail(&house, name, subject, "\n");
    told_all(name, 1, words);
}

START_TEST(forms_of_texts)
{
    struct str template = STR_INIT;
    for (int i = 0; petitions[i]; i++)
        str_addf(&template, "{{#form_%s}}\n|wort: %s{{#anywhere}}, ohne Spiel{{/anywhere}}\n{{/form_%s}}\n",
                 petitions[i]->verb, petitions[i]->verb, petitions[i]->verb);
    write_template("common/forms.txt", template.p);
    for (int i = 0; petitions[i]; i++) {
        struct str words = STR_INIT;
        str_addf(&words, "\nwort: %s, ohne Spiel\n#end\n", petitions[i]->verb);
        /* mona is registered, and told so; and prefs has the lines of her own settings */
        if (strcmp(petitions[i]->verb, "register") != 0 && strcmp(petitions[i]->verb, "prefs") != 0)
            asked("mona", petitions[i]->verb, words.p);
        str_release(&words);
    }
    asked("anna", "resend gc-1", "\nwort: resend\n#end\n");
    str_release(&template);
}
END_TEST

START_TEST(lines_that_a_newcomer_completes)
{
    house_option(&house, "[league]", "registration = invite");
    write_template("common/forms.txt",
                   "{{#line_name}}\n|name: wie du heissen willst\n{{/line_name}}\n"
                   "{{#line_invite}}\n|invite: das Wort deiner Einladung\n{{/line_invite}}\n");
    struct pubkey key;
    struct str line = STR_INIT;
    secret_public(house_person(&house, "robot"), &key);
    pubkey_format(&line, &key);
    (void)house_mail(&house, "robot", "register", line.p); /* nobody can be called so */
    str_release(&line);
    told("robot", 1,
         "\nname: wie du heissen willst\naddress: robot@example.net\n"
         "invite: das Wort deiner Einladung\n#end\n");
}
END_TEST

START_TEST(what_moderators_can_do)
{
    struct str template = STR_INIT;
    for (const struct moderate_action *action = moderate_actions; action->word; action++)
        str_addf(&template, "{{#action_%s}}Tat %s{{/action_%s}}{{!\n}}", action->word, action->word,
                 action->word);
    write_template("common/actions.txt", template.p);
    for (const struct moderate_action *action = moderate_actions; action->word; action++) {
        struct str words = STR_INIT;
        str_addf(&words, "Tat %s\n", action->word);
        asked("mona", "moderate", words.p);
        str_release(&words);
    }
    str_release(&template);
}
END_TEST

START_TEST(times)
{
    write_template("common/weekday.txt", "{{#monday}}Montag{{/monday}}");
    write_template("common/month.txt", "{{#november}}November{{/november}}");
    write_template("common/moment.txt",
                   "{{#here}}{{#weekday}}{{>weekday}}{{/weekday}}, {{day}}. {{#month}}{{>month}}"
                   "{{/month}}{{#year}} {{year}}{{/year}}, {{clock}} Uhr{{/here}}");
    asked("anna", "status gc-1", "is due Montag, 23. November, 12:00 Uhr");
}
END_TEST

START_TEST(durations)
{
    write_template("common/duration.txt",
                   "{{#units}}{{count}} {{#day}}Tage{{/day}}{{#hour}}Stunden{{/hour}}{{/units}}");
    (void)house_signed(&house, "anna", "anna", "#turnpost extend\ngame: gc-1\nturn: 1\ndays: 100\n#end\n");
    told_all("anna", 1, "can be extended by 3 Tage at most");
    (void)house_signed(&house, "anna", "anna", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n#end\n");
    told_all("bob", 1, "by 12 Stunden.");
}
END_TEST

/* What is wrong with a mail, its signature, or the text that was signed. */
START_TEST(errors)
{
    struct str body = STR_INIT;
    write_template(
        "common/errors.txt",
        "{{#changed_text}}nach der Unterschrift verändert{{/changed_text}}{{!\n"
        "}}{{#ssh_cut}}zu kurz{{/ssh_cut}}{{!\n"
        "}}{{#takes_turn}}{{value}} ist kein Zug{{/takes_turn}}{{!\n"
        "}}{{#mail_parts}}mehr als {{most}} Teile{{/mail_parts}}{{!\n"
        "}}{{#option_unknown}}{{name}} kennt {{ruleset}} nicht, nur {{options}}{{/option_unknown}}{{!\n"
        "}}{{#rsa_key}}ein RSA-Schlüssel{{/rsa_key}}{{!\n"
        "}}{{#no_address}}{{address}} ist keine Adresse{{/no_address}}");
    house_sign(&house, "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n", &body);
    memcpy(strstr(body.p, "bide"), "pass", 4);
    (void)house_mail(&house, "anna", "orders", body.p);
    told_all("anna", 1, "were not accepted: nach der Unterschrift verändert.");
    (void)house_mail(
        &house, "anna", "orders",
        "#turnpost orders\n#end\n-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n");
    told_all("anna", 1, "could not be read: zu kurz.");
    (void)house_signed(&house, "anna", "anna", "#turnpost orders\ngame: gc-1\nturn: drei\nbide\n#end\n");
    told_all("anna", 1, "as a whole: drei ist kein Zug.");
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\naddress: anna\n#end\n");
    told_all("anna", 1, "anna ist keine Adresse");
    house.league.config.league.player_games = 1;
    (void)house_signed(
        &house, "anna", "anna",
        "#turnpost open\nname: neu\nruleset: galaxy-command\nseats: anna\noption: nix\n#end\n");
    told_all("anna", 1, "nix kennt Galaxy Command nicht, nur solo18 coop");
    (void)house_mail(&house, "zoe", "register", "ssh-rsa AAAA zoe\n");
    told_all("zoe", 1, "cannot be used: ein RSA-Schlüssel.");
    str_clear(&body);
    str_adds(&body, "From: anna@example.net\r\nSubject: x\r\nMessage-ID: <parts@example.net>\r\n"
                    "Content-Type: multipart/mixed; boundary=b\r\n\r\n");
    for (int i = 0; i < 200; i++)
        str_adds(&body, "--b\r\n\r\nx\r\n");
    (void)house_raw(&house, slice_str(&body));
    told_all("anna", 1, "could not be read. mehr als ");
    str_release(&body);
}
END_TEST

START_TEST(ranks)
{
    static const char *const alone[] = {"anna"}; /* who has their score and rank in each report */
    write_template("galaxy_command/ranks.txt", "{{#demoted}}Degradiert{{/demoted}}");
    house_game(&house, "gc-2", "galaxy-command", 0, 1, alone);
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost resend\ngame: gc-2\nturn: 0\n#end\n");
    told_all("anna", 1, "Rank: Degradiert.");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, forms_of_texts);
    tcase_add_test(tc, lines_that_a_newcomer_completes);
    tcase_add_test(tc, what_moderators_can_do);
    tcase_add_test(tc, times);
    tcase_add_test(tc, durations);
    tcase_add_test(tc, errors);
    tcase_add_test(tc, ranks);
}

TEST_MAIN("petitions/language", cases)
