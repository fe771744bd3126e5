/* Passkeys of players: a signature names its key without saying whether each of its signatures is to be verified, so the
 * texts say it, and what is registered is as strict as its text, in every way in which a key can come. */
#include "house/house.h"
#include "petitions/registration.h"
#include "petitions/rekey.h"
#include "trust/softkey.h"

static struct house house;
static struct softkey soft;

#define HOST     "orders.example.org"
#define PRESENT  0x01
#define VERIFIED 0x05

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = anna mona");
    house_option(&house, "[league]", "registration = open");
    house_player(&house, "anna");
    house_player(&house, "mallory");
    house_player(&house, "mona");
    house_restart(&house);
    soft = softkey_new();
}

static void end(void)
{
    softkey_free(&soft);
    house_close(&house);
}

/* Those of NAME (NULL: of everybody) are that many and have these words. */
static void told(const char *name, const char *words)
{
    struct str mails;
    (void)house_mails(&house, name, &mails);
    if (!house_says(mails.p, words))
        ck_abort_msg("not told \"%s\" but:\n%s", words, mails.p);
    str_release(&mails);
    house_empty_spool(&house);
}

/* The key in the form of this word after its line: "", "webauthn", "webauthn-verified". */
static struct pubkey key_as(const char *form)
{
    struct str line = STR_INIT;
    struct pubkey key;
    struct err err = ERR_INIT;
    bool found = false;
    soft_line(&line, &soft, HOST, form);
    struct slice rest = slice_str(&line);
    ck_ok(pubkey_next(&rest, &key, &found, &err), err);
    ck_assert(found);
    str_release(&line);
    return key;
}

/* A mail of NAME's with the text, signed by the keys of the house's person and by the passkey, if flags are given. */
static void send(const char *name, const char *text, const char *person, int flags)
{
    struct str body = STR_INIT, armor = STR_INIT;
    str_adds(&body, text);
    if (person)
        sshsig_sign(&body, house_key(&house, person)->key, NS_ORDERS, slice_of(text));
    if (flags >= 0) {
        const struct soft how = {
            .word = SOFT_WEBAUTHN, .application = HOST, .text = text, .flags = (unsigned char)flags};
        soft_sign(&armor, &soft, &how);
        str_addslice(&body, slice_str(&armor));
    }
    (void)house_mail(&house, name, "a text", body.p);
    str_release(&body);
    str_release(&armor);
}

/* The same of a text that still lacks the league. */
static void say(const char *name, const char *text, int flags)
{
    struct str headed = STR_INIT;
    house_headed(&house, text, &headed);
    send(name, headed.p, NULL, flags);
    str_release(&headed);
}

static bool has_key(const char *name, const struct pubkey *key)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = keyring_of(&house.batch.keyring, name, keys);
    for (size_t i = 0; i < count; i++)
        if (pubkey_equal(&keys[i], key))
            return true;
    return false;
}

static size_t keys_of(const char *name)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    return keyring_of(&house.batch.keyring, name, keys);
}

/* Whole, or as mails show it. */
static void key_text(struct str *text, const struct pubkey *key, bool whole)
{
    struct str plain = STR_INIT;
    char shown[KEY_SHOWN];
    str_clear(text);
    str_adds(&plain, "#turnpost key\nplayer: anna\nadd: ");
    pubkey_show(shown, key);
    if (whole)
        pubkey_format(&plain, key);
    else
        str_adds(&plain, shown);
    str_adds(&plain, "\n#end\n");
    house_headed(&house, plain.p, text);
    str_release(&plain);
}

static void add(const struct pubkey *key)
{
    struct str text = STR_INIT;
    key_text(&text, key, false);
    send("anna", text.p, "anna", VERIFIED);
    ck_assert(has_key("anna", key));
    house_empty_spool(&house);
    str_release(&text);
}

static const char *const forms[] = {"webauthn", "webauthn-verified"};

/* ---- keys that are added ---- */

/* By text and passkey in one mail, or in two; named whole, or by what is shown; each of these for both forms. */
START_TEST(is_added_as_it_was_named)
{
    const struct pubkey key = key_as(forms[_i & 1]);
    struct str text = STR_INIT;
    key_text(&text, &key, _i & 2);
    if (_i & 4) {
        send("anna", text.p, "anna", -1);
        told("anna", "one signature more");
        ck_assert_uint_eq(keys_of("anna"), 1);
    }
    send("anna", text.p, _i & 4 ? NULL : "anna", key.kind == KEY_WEBAUTHN ? PRESENT : VERIFIED);
    ck_assert(has_key("anna", &key));
    house_restart(&house); /* what was written can be read */
    ck_assert(has_key("anna", &key));
    str_release(&text);
}
END_TEST

START_TEST(is_not_added_unverified)
{
    const struct pubkey key = key_as("webauthn-verified");
    struct str text = STR_INIT;
    key_text(&text, &key, _i & 2);
    if (_i & 1)
        send("anna", text.p, "anna", -1);
    send("anna", text.p, _i & 1 ? NULL : "anna", PRESENT);
    ck_assert_uint_eq(keys_of("anna"), 1);
    str_release(&text);
}
END_TEST

/* A token's line is not proved by what a browser signed. */
START_TEST(token_is_no_passkey)
{
    const struct pubkey token = key_as("");
    struct str text = STR_INIT;
    key_text(&text, &token, true);
    if (_i)
        send("anna", text.p, "anna", -1);
    send("anna", text.p, _i ? NULL : "anna", VERIFIED);
    ck_assert_uint_eq(keys_of("anna"), 1);
    str_release(&text);
}
END_TEST

/* ---- and what they sign then ---- */

START_TEST(signs_as_it_is_registered)
{
    const struct pubkey key = key_as(forms[_i]);
    add(&key);
    say("anna", "#turnpost prefs\njson: yes\n#end\n", VERIFIED);
    told("anna", "json      yes");
    say("anna", "#turnpost prefs\njson: no\n#end\n", PRESENT);
    told("anna", _i ? "without asking for PIN, finger or face" : "json      no");
    const struct soft token = {
        .word = SOFT_TOKEN, .application = HOST, .text = "#turnpost help\n#end\n", .flags = VERIFIED};
    struct str body = STR_INIT, armor = STR_INIT;
    soft_sign(&armor, &soft, &token);
    str_addf(&body, "%s%s", token.text, armor.p);
    (void)house_mail(&house, "anna", "a text", body.p);
    told("anna", "registered for another way of signing");
    str_release(&body);
    str_release(&armor);
}
END_TEST

/* Who gets the key's mail learns where it was made, and whether the operator serves that. */
START_TEST(is_told_with_its_page)
{
    static const char *const urls[] = {"page_verified = no", "page_url = https://" HOST "/",
                                       "page_url = https://play.example.net/"};
    const struct pubkey key = key_as("webauthn");
    struct str text = STR_INIT, mails;
    house_option(&house, "[league]", urls[_i]);
    house_restart(&house);
    key_text(&text, &key, false);
    send("anna", text.p, "anna", VERIFIED);
    (void)house_mails(&house, "anna", &mails);
    ck_assert(house_says(mails.p, "made in the page at " HOST));
    ck_assert_int_eq(house_says(mails.p, "made in the page at " HOST ", by the operator"), _i == 1);
    str_release(&text);
    str_release(&mails);
}
END_TEST

/* A key has its own page: the league's may move to another host, and have none, and it signs as before. */
START_TEST(stays_valid_when_the_page_moves)
{
    static const char *const urls[] = {"page_url = https://" HOST "/", "page_url = https://play.example.net/",
                                       ""};
    const struct pubkey key = key_as("webauthn");
    add(&key);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        char *path = house_path(&house, "league.ini");
        char *kept = house_path(&house, "kept.ini");
        scratch_copy(path, kept);
        house_option(&house, "[league]", urls[i]);
        house_restart(&house);
        say("anna", i % 2 ? "#turnpost prefs\njson: yes\n#end\n" : "#turnpost prefs\njson: no\n#end\n",
            VERIFIED);
        told("anna", i % 2 ? "json      yes" : "json      no");
        scratch_copy(kept, path);
        free(path);
        free(kept);
    }
}
END_TEST

/* The fingerprint is the same, and so is what a signature names. */
START_TEST(is_made_no_weaker)
{
    const struct pubkey key = key_as("webauthn-verified");
    struct str text = STR_INIT;
    add(&key);
    for (int i = 0; i < 4; i++) {
        const struct pubkey weaker = key_as(i & 1 ? "webauthn" : "");
        key_text(&text, &weaker, i & 2);
        send("anna", text.p, "anna", VERIFIED);
        told("anna", "already");
        ck_assert_uint_eq(keys_of("anna"), 2);
        ck_assert(has_key("anna", &key));
    }
    key_text(&text, &key, false); /* nor somebody else's */
    char *at = strstr(text.p, "anna");
    struct str hers = STR_INIT;
    str_addf(&hers, "%.*smallory%s", (int)(at - text.p), text.p, at + 4);
    send("mallory", hers.p, "mallory", VERIFIED);
    ck_assert_uint_eq(keys_of("mallory"), 1);
    str_release(&hers);
    str_release(&text);
}
END_TEST

START_TEST(is_revoked_by_either_name)
{
    const struct pubkey key = key_as("webauthn-verified");
    char shown[KEY_SHOWN], text[200];
    add(&key);
    pubkey_show(shown, &key);
    if (_i)
        *strchr(shown, ' ') = '\0';
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: anna\nrevoke: %s\n#end\n", shown);
    (void)house_signed(&house, "anna", "anna", text);
    ck_assert_uint_eq(keys_of("anna"), 1);
}
END_TEST

/* ---- keys that come in other ways ---- */

/* A text to register; `line`: that of the key, `word`: what proves the address of the key in this form. */
static void register_text(struct str *text, const char *line, const struct pubkey *word)
{
    struct str plain = STR_INIT;
    char token[TOKEN_TEXT];
    struct applicant applicant = {.name = "zoe", .address = "zoe@example.net", .key = *word};
    struct confirm what = registration_confirms(&applicant);
    confirm_word(token, &house.league, &what, house.now);
    str_clear(text);
    str_addf(&plain, "#turnpost register\nname: zoe\naddress: zoe@example.net\n%sconfirm: %s\n#end\n", line,
             token);
    house_headed(&house, plain.p, text);
    str_release(&plain);
}

START_TEST(registers_as_it_was_named)
{
    const struct pubkey plain = key_as("webauthn"), verified = key_as("webauthn-verified");
    struct str text = STR_INIT;
    char shown[KEY_SHOWN], line[100];
    pubkey_show(shown, &verified);
    (void)snprintf(line, sizeof line, "key: %s\n", shown);
    if (!_i) {
        register_text(&text, "", &plain);
        send("zoe", text.p, NULL, PRESENT);
        told("zoe", "You are registered, zoe");
        ck_assert(has_key("zoe", &plain));
    } else {
        register_text(&text, line, &verified);
        send("zoe", text.p, NULL, PRESENT);
        told("zoe", "each signature of this passkey must be verified");
        ck_assert_uint_eq(keys_of("zoe"), 0);
        register_text(&text, "", &verified); /* the word is good for the stricter key alone */
        send("zoe", text.p, NULL, VERIFIED);
        ck_assert_uint_eq(keys_of("zoe"), 0);
        register_text(&text, line, &plain);
        send("zoe", text.p, NULL, VERIFIED);
        ck_assert_uint_eq(keys_of("zoe"), 0);
        register_text(&text, line, &verified);
        send("zoe", text.p, NULL, VERIFIED);
        ck_assert(has_key("zoe", &verified));
    }
    str_release(&text);
}
END_TEST

/* A moderator gives it in place of a lost one; and a passkey says no to another. */
START_TEST(replaces_and_vetoes)
{
    const struct pubkey key = key_as("webauthn-verified");
    struct str line = STR_INIT, text = STR_INIT;
    struct pubkey fresh;
    pubkey_format(&line, &key);
    str_addf(&text, "#turnpost rekey\nplayer: mallory\nkey: %s\nreason: lost\n#end\n", line.p);
    (void)house_signed(&house, "mona", "mona", text.p);
    house_clock(&house, house.now + REKEY_WAIT + 10);
    ck_assert(has_key("mallory", &key));
    ck_assert_uint_eq(keys_of("mallory"), 1);
    secret_public(house_person(&house, "thief"), &fresh);
    str_clear(&line);
    str_clear(&text);
    pubkey_format(&line, &fresh);
    str_addf(&text, "#turnpost rekey\nplayer: mallory\nkey: %s\nreason: lost again\n#end\n", line.p);
    (void)house_signed(&house, "mona", "mona", text.p);
    house_empty_spool(&house);
    say("mallory", "#turnpost veto\n#end\n", PRESENT);
    told("mallory", "without asking for PIN");
    say("mallory", "#turnpost veto\n#end\n", VERIFIED);
    house_clock(&house, house.now + REKEY_WAIT + 10);
    ck_assert(has_key("mallory", &key));
    ck_assert_uint_eq(keys_of("mallory"), 1);
    str_release(&line);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, is_added_as_it_was_named, 0, 8);
    tcase_add_loop_test(tc, is_not_added_unverified, 0, 4);
    tcase_add_loop_test(tc, token_is_no_passkey, 0, 2);
    tcase_add_loop_test(tc, signs_as_it_is_registered, 0, 2);
    tcase_add_loop_test(tc, is_told_with_its_page, 0, 3);
    tcase_add_test(tc, stays_valid_when_the_page_moves);
    tcase_add_test(tc, is_made_no_weaker);
    tcase_add_loop_test(tc, is_revoked_by_either_name, 0, 2);
    tcase_add_loop_test(tc, registers_as_it_was_named, 0, 2);
    tcase_add_test(tc, replaces_and_vetoes);
}
TEST_MAIN("petitions/passkeys", cases)
