/* Keys whose number somebody else has chosen, too; keys that are to serve two formats, or two players; and
 * files of keys that hold such. */
#include <sodium.h>

#include "house/house.h"
#include "petitions/registration.h"
#include "petitions/rekey.h"
#include "batch/signer.h"
#include "league/token.h"

static struct house house;

/* A key of minisign or signify. */
struct numbered {
    struct pubkey key;
    unsigned char secret[64];
};

static const unsigned char number[8] = {0x96, 0x26, 0xe1, 0x85, 0x5d, 0x26, 0x0e, 0xce};

#define NUMBER "minisign:CE0E265D85E12696"

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = anna mona");
    house_player(&house, "anna");
    house_player(&house, "mallory");
    house_restart(&house);
}

static void end(void)
{
    house_close(&house);
}

static struct numbered numbered_new(enum key_kind kind)
{
    struct numbered n = {.key = {.kind = kind}};
    crypto_sign_keypair(n.key.point, n.secret);
    memcpy(n.key.id, number, sizeof number);
    return n;
}

/* An SSH key of a person in minisign's form. */
static struct numbered numbered_of(const char *person)
{
    struct numbered n = {.key = {.kind = KEY_MINISIGN}};
    const struct secret *secret = house_key(&house, person);
    memcpy(n.key.point, secret->point, sizeof n.key.point);
    memcpy(n.secret, secret->key, sizeof n.secret);
    memcpy(n.key.id, number, sizeof number);
    return n;
}

/* As minisign and signify do it; the comments are no part of what we read. */
static void numbered_sign(struct str *body, const struct numbered *n, struct slice text)
{
    struct str raw = STR_INIT;
    unsigned char digest[crypto_generichash_BYTES_MAX], sig[crypto_sign_BYTES];
    const unsigned char *bytes = (const unsigned char *)text.p;
    unsigned long long len = text.len;
    if (n->key.kind == KEY_MINISIGN) {
        crypto_generichash(digest, sizeof digest, bytes, len, NULL, 0);
        bytes = digest;
        len = sizeof digest;
    }
    crypto_sign_detached(sig, NULL, bytes, len, n->secret);
    str_adds(&raw, n->key.kind == KEY_MINISIGN ? "ED" : "Ed");
    str_add(&raw, n->key.id, sizeof n->key.id);
    str_add(&raw, sig, sizeof sig);
    str_adds(body, "untrusted comment: signature\n");
    base64_encode(body, raw.p, raw.len);
    str_adds(body, "\n");
    str_release(&raw);
}

/* "#turnpost key" for a player, as the league wants it. */
static void key_text(struct str *text, const char *player, const struct numbered *n)
{
    struct str plain = STR_INIT;
    str_clear(text);
    str_addf(&plain, "#turnpost key\nplayer: %s\nadd: ", player);
    pubkey_format(&plain, &n->key);
    str_adds(&plain, "\n#end\n");
    house_headed(&house, plain.p, text);
    str_release(&plain);
}

/* A text with up to two signatures, from NAME@example.net. */
static enum intake_fate send_signed(const char *name, const char *text, const char *person,
                                    const struct numbered *n)
{
    struct str body = STR_INIT;
    str_adds(&body, text);
    if (person)
        sshsig_sign(&body, house_key(&house, person)->key, NS_ORDERS, slice_of(text));
    if (n)
        numbered_sign(&body, n, slice_of(text));
    enum intake_fate fate = house_mail(&house, name, "a text", body.p);
    str_release(&body);
    return fate;
}

/* The same of a text that still lacks the league. */
static enum intake_fate say(const char *name, const char *text, const struct numbered *n)
{
    struct str headed = STR_INIT;
    house_headed(&house, text, &headed);
    enum intake_fate fate = send_signed(name, headed.p, NULL, n);
    str_release(&headed);
    return fate;
}

/* The line by which NAME@example.net is proved, as it was mailed there. */
static void add_confirm(struct str *text, const char *name, const struct pubkey *key)
{
    struct applicant applicant = {.key = *key};
    char word[TOKEN_TEXT];
    (void)snprintf(applicant.name, sizeof applicant.name, "%s", name);
    (void)snprintf(applicant.address, sizeof applicant.address, "%s@example.net", name);
    struct confirm what = registration_confirms(&applicant);
    confirm_word(word, &house.league, &what, house.now);
    str_addf(text, "confirm: %s\n", word);
}

static size_t keys_of(const char *name)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    return keyring_of(&house.batch.keyring, name, keys);
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

/* By the operator: these keys in place of the player's. */
static void set_keys(const char *name, const struct pubkey *keys, size_t count)
{
    struct err err = ERR_INIT;
    struct player player;
    player_init(&player);
    player.html = false;
    player.since = house.now;
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    (void)snprintf(player.address, sizeof player.address, "%s@example.net", name);
    struct registry_change change = {
        .what = "register", .player = &player, .key_owner = name, .keys = keys, .key_count = count};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Players before anna in the order of names, each with four keys of the number. */
static void squat(int players)
{
    for (int p = 0; p < players; p++) {
        char name[PLAYER_NAME];
        struct pubkey keys[KEYS_PER_PLAYER];
        (void)snprintf(name, sizeof name, "aa%02d", p);
        for (size_t k = 0; k < KEYS_PER_PLAYER; k++)
            keys[k] = numbered_new(KEY_MINISIGN).key;
        set_keys(name, keys, KEYS_PER_PLAYER);
    }
}

static void invite(char token[TOKEN_TEXT])
{
    struct str mails;
    char text[64];
    (void)snprintf(text, sizeof text, "#turnpost invite\nfor: friend %d\n#end\n", house.mails);
    (void)house_signed(&house, "anna", "anna", text);
    (void)house_mails(&house, "anna", &mails);
    const char *at = strstr(mails.p, "invite: ");
    ck_assert_ptr_nonnull(at);
    (void)snprintf(token, TOKEN_TEXT, "%.26s", at + 8);
    str_release(&mails);
    house_empty_spool(&house);
}

/* ---- while a key is added ---- */

START_TEST(a_key_of_the_same_number_does_not_take_the_account)
{
    struct numbered hers = numbered_new(_i ? KEY_MINISIGN : KEY_SIGNIFY);
    struct numbered forged = numbered_new(hers.key.kind);
    struct str text = STR_INIT, other = STR_INIT;
    key_text(&text, "anna", &hers);
    (void)send_signed("anna", text.p, "anna", NULL);
    house_told(&house, "anna", 1, "one signature more");
    key_text(&other, "anna", &forged);
    (void)send_signed("mallory", other.p, NULL, &forged); /* a text of his own */
    ck_assert_uint_eq(keys_of("anna"), 1);
    (void)send_signed("mallory", text.p, NULL, &forged); /* hers, below which his key has signed */
    ck_assert_uint_eq(keys_of("anna"), 1);
    (void)send_signed("mallory", text.p, "anna", &forged); /* hers with her signature */
    ck_assert_uint_eq(keys_of("anna"), 1);
    str_adds(&text, "\n");
    str_addslice(&text, slice_str(&other)); /* two texts below each other */
    (void)send_signed("mallory", text.p, NULL, &forged);
    ck_assert_uint_eq(keys_of("anna"), 1);
    house_empty_spool(&house);
    key_text(&text, "anna", &hers);
    (void)send_signed("anna", text.p, NULL, &hers);
    house_told(&house, "anna", 1, "added");
    ck_assert(has_key("anna", &hers.key));
    house_restart(&house);
    (void)say("anna", "#turnpost prefs\njson: yes\n#end\n", &hers);
    house_told(&house, "anna", 1, "json      yes");
    str_release(&text);
    str_release(&other);
}
END_TEST

START_TEST(the_new_key_signs_the_very_text_of_the_old_one)
{
    struct numbered hers = numbered_new(KEY_MINISIGN);
    struct str text = STR_INIT, changed = STR_INIT;
    key_text(&text, "anna", &hers);
    (void)send_signed("anna", text.p, "anna", NULL);
    house_empty_spool(&house);
    house_put_line(text.p, text.p, "why", "it is mine", &changed);
    (void)send_signed("anna", changed.p, NULL, &hers);
    house_told(&house, "anna", 1, "have both signed");
    ck_assert_uint_eq(keys_of("anna"), 1);
    (void)send_signed("anna", text.p, NULL, &hers);
    house_told(&house, "anna", 1, "added");
    str_release(&text);
    str_release(&changed);
}
END_TEST

START_TEST(a_number_alone_adds_no_key)
{
    struct numbered forged = numbered_new(KEY_MINISIGN);
    struct str text = STR_INIT, other = STR_INIT;
    house_headed(&house, "#turnpost key\nplayer: anna\nadd: " NUMBER "\n#end\n", &text);
    (void)send_signed("anna", text.p, "anna", NULL);
    house_told(&house, "anna", 1, "the whole key");
    key_text(&other, "anna", &forged);
    (void)send_signed("mallory", other.p, NULL, &forged);
    struct str body = STR_INIT; /* her text with both signatures, and the forged key in another text */
    str_addf(&body, "%s\n", other.p);
    str_addslice(&body, slice_str(&text));
    sshsig_sign(&body, house_key(&house, "anna")->key, NS_ORDERS, slice_str(&text));
    numbered_sign(&body, &forged, slice_str(&text));
    (void)house_mail(&house, "mallory", "a text", body.p);
    ck_assert_uint_eq(keys_of("anna"), 1);
    str_release(&body);
    str_release(&text);
    str_release(&other);
}
END_TEST

START_TEST(nobody_stands_in_the_way_of_a_key_that_waits)
{
    struct numbered hers = numbered_new(KEY_MINISIGN), his = numbered_new(KEY_MINISIGN);
    struct str text = STR_INIT, other = STR_INIT;
    key_text(&text, "anna", &hers);
    (void)send_signed("anna", text.p, "anna", NULL);
    key_text(&other, "mallory", &his); /* the same number */
    (void)send_signed("mallory", other.p, "mallory", NULL);
    key_text(&other, "mallory", &hers); /* and her very key */
    (void)send_signed("mallory", other.p, "mallory", NULL);
    house_empty_spool(&house);
    (void)send_signed("anna", text.p, NULL, &hers);
    house_told(&house, "anna", 1, "added");
    ck_assert(has_key("anna", &hers.key));
    ck_assert_uint_eq(keys_of("mallory"), 1);
    str_release(&text);
    str_release(&other);
}
END_TEST

START_TEST(which_key_is_revoked_has_to_be_clear)
{
    struct numbered one = numbered_new(KEY_MINISIGN), two = numbered_new(KEY_MINISIGN);
    struct pubkey keys[KEYS_PER_PLAYER];
    struct str line = STR_INIT, text = STR_INIT;
    ck_assert_uint_eq(keyring_of(&house.batch.keyring, "anna", keys), 1);
    keys[1] = one.key;
    keys[2] = two.key;
    set_keys("anna", keys, 3);
    (void)house_signed(&house, "anna", "anna", "#turnpost key\nrevoke: " NUMBER "\n#end\n");
    house_told(&house, "anna", 1, "several keys with that number");
    pubkey_format(&line, &two.key);
    str_addf(&text, "#turnpost key\nrevoke: %s\n#end\n", line.p);
    (void)house_signed(&house, "anna", "anna", text.p);
    house_told(&house, "anna", 1, line.p + strlen("minisign ")); /* the mail names the whole key, no number */
    ck_assert(has_key("anna", &one.key) && !has_key("anna", &two.key));
    (void)house_signed(&house, "anna", "anna", "#turnpost key\nrevoke: " NUMBER "\nseq: 2\n#end\n");
    house_told(&house, "anna", 1, "revoked"); /* now it is clear */
    ck_assert_uint_eq(keys_of("anna"), 1);
    str_release(&line);
    str_release(&text);
}
END_TEST

/* ---- squatted numbers ---- */

static struct numbered anna_squatted(int players)
{
    struct numbered hers = numbered_new(KEY_MINISIGN);
    squat(players);
    set_keys("anna", &hers.key, 1);
    house_restart(&house);
    return hers;
}

START_TEST(players_with_a_number_do_not_shut_its_owner_out)
{
    static const int players[] = {4, 20, 40};
    struct numbered hers = anna_squatted(players[_i]), fresh = numbered_new(KEY_SIGNIFY);
    struct str text = STR_INIT, line = STR_INIT;
    (void)say("anna", "#turnpost prefs\njson: yes\n#end\n", &hers);
    house_told(&house, NULL, 1, "json      yes");
    /* from an address that nobody knows: few enough are tried one after the other */
    if (players[_i] < 32) {
        (void)say("work", "#turnpost prefs\njson: no\nseq: 2\n#end\n", &hers);
        house_told(&house, NULL, 1, "json      no");
    }
    /* or the text names her */
    pubkey_format(&line, &fresh.key);
    str_addf(&text, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", line.p);
    (void)say("work", text.p, &hers);
    house_told(&house, "anna", 1, "one signature more");
    str_release(&text);
    str_release(&line);
}
END_TEST

/* Eight signatures below a long text, with a number that 160 keys have: the work is bounded, and no budget is
 * left for anybody. */
START_TEST(a_mail_pays_for_a_number_of_tries)
{
    struct numbered nobody = numbered_new(KEY_MINISIGN);
    struct evidence part = {"", {NULL, 0}, {NULL, 0}, {NULL, 0}};
    struct envelopes found;
    struct err err = ERR_INIT;
    struct str body = STR_INIT;
    squat(40);
    str_adds(&body, "#turnpost press\n");
    while (body.len < 60000)
        str_adds(&body, "  > words that a mail program may have changed =20\n");
    str_adds(&body, "#end\n");
    for (int i = 0; i < ENVELOPES_MAX; i++) {
        char other[32];
        (void)snprintf(other, sizeof other, "another text %d", i);
        numbered_sign(&body, &nobody, slice_of(other));
    }
    part.exact = part.shown = slice_str(&body);
    struct work work = WORK_INIT;
    ck_ok(envelope_find(&part, 1, &work, &found, &err), err);
    ck_assert_uint_eq(found.count, ENVELOPES_MAX);
    for (size_t i = 0; i < found.count; i++) {
        size_t before = work.left;
        struct signer signer = {.sender = "aa07", .exact = STR_INIT, .text = STR_INIT};
        ck_assert_int_eq(signer_find(&house.batch.keyring, &found.list[i], &signer), SIGNER_BAD);
        ck_assert_int_eq(signer.why.code, ERR_INPUT);
        ck_assert(i || before - work.left >= SIGNER_KEYS * WORK_CHECK);
        envelope_release(&found.list[i]);
    }
    ck_assert(work_over(&work));
    str_release(&body);
}
END_TEST

/* A bad signature below a text is reported to the sender only, and to nobody who has a key with that
 * number. */
START_TEST(a_number_below_a_text_drains_no_budget)
{
    struct numbered hers = anna_squatted(4), nobody = numbered_new(KEY_MINISIGN);
    char text[100];
    for (int i = 0; i < 60; i++) {
        (void)snprintf(text, sizeof text, "#turnpost prefs\njson: yes\nseq: %d\n#end\n", i + 1);
        (void)say("stranger", text, &nobody);
        house_told(&house, "anna", 0, NULL);
        house_told(&house, "aa00", 0, NULL);
    }
    (void)say("anna", "#turnpost prefs\njson: yes\n#end\n", &nobody); /* and by her name */
    house_told(&house, "anna", 1, "does not fit");
    (void)say("anna", "#turnpost prefs\njson: yes\n#end\n", &hers);
    house_told(&house, "anna", 1, "json      yes");
}
END_TEST

START_TEST(a_squatted_number_keeps_no_newcomer_out)
{
    struct numbered hers = numbered_new(KEY_MINISIGN);
    struct str text = STR_INIT, addressed = STR_INIT;
    char token[TOKEN_TEXT];
    squat(4);
    invite(token);
    str_adds(&text, "#turnpost register\nname: zoe\nkey: ");
    pubkey_format(&text, &hers.key);
    str_addf(&text, "\ninvite: %s\n", token);
    add_confirm(&text, "zoe", &hers.key);
    str_adds(&text, "#end\n");
    house_addressed("zoe", text.p, &addressed);
    (void)say("zoe", addressed.p, &hers);
    house_told(&house, NULL, 1, "You are registered, zoe");
    ck_assert(has_key("zoe", &hers.key));
    str_release(&text);
    str_release(&addressed);
}
END_TEST

/* A signature by a number says nothing without the key: the answer names the line that is missing. */
START_TEST(a_text_without_its_key)
{
    static const enum key_kind kinds[] = {KEY_MINISIGN, KEY_SIGNIFY};
    static const char *const lines[] = {"key: minisign RW...", "key: signify RW..."};
    for (int i = 0; i < 2; i++) {
        struct numbered hers = numbered_new(kinds[i]);
        (void)say("zoe", "#turnpost register\nname: zoe\n#end\n", &hers);
        house_told(&house, "zoe", 1, lines[i]);
        (void)say("zoe", "#turnpost prefs\njson: yes\n#end\n", &hers); /* nothing that newcomers sign */
        house_told(&house, "zoe", 1, "a key that the league does not know");
    }
}
END_TEST

/* A new key whose number others have, too: in one mail with the old one, in either order. */
START_TEST(a_squatted_number_may_be_added)
{
    struct numbered hers = numbered_new(KEY_MINISIGN);
    struct str text = STR_INIT, body = STR_INIT;
    squat(4);
    key_text(&text, "anna", &hers);
    str_addslice(&body, slice_str(&text));
    numbered_sign(&body, &hers, slice_str(&text));
    sshsig_sign(&body, house_key(&house, "anna")->key, NS_ORDERS, slice_str(&text));
    (void)house_mail(&house, "anna", "a text", body.p);
    house_told(&house, NULL, 1, "added");
    ck_assert(has_key("anna", &hers.key));
    str_release(&text);
    str_release(&body);
}
END_TEST

/* ---- one point, one format, one player ---- */

START_TEST(a_key_is_not_added_in_another_format)
{
    struct numbered same = numbered_of("anna");
    struct str text = STR_INIT;
    key_text(&text, "anna", &same);
    if (_i) {
        (void)send_signed("anna", text.p, "anna", &same);
    } else {
        (void)send_signed("anna", text.p, "anna", NULL);
        house_empty_spool(&house);
        (void)send_signed("anna", text.p, NULL, &same);
    }
    ck_assert_uint_eq(keys_of("anna"), 1);
    house_restart(&house); /* what was written can be read */
    house_empty_spool(&house);
    (void)send_signed("anna", text.p, "anna", &same);
    house_told(&house, "anna", 1, "already, in another format");
    (void)house_signed(&house, "mallory", "mallory", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "mallory", 1, "json      yes");
    str_release(&text);
}
END_TEST

/* He has her secret key, or they work together. */
START_TEST(nor_for_another_player)
{
    struct numbered same = numbered_of("anna");
    struct str text = STR_INIT;
    key_text(&text, "mallory", &same);
    (void)send_signed("mallory", text.p, "mallory", NULL);
    house_told(&house, "mallory", 1, "registered already");
    (void)send_signed("mallory", text.p, NULL, &same);
    (void)send_signed("mallory", text.p, "mallory", &same);
    ck_assert_uint_eq(keys_of("mallory"), 1);
    house_restart(&house);
    ck_assert_uint_eq(keys_of("anna"), 1);
    str_release(&text);
}
END_TEST

/* The fingerprint does not say which point it is; the signature does. */
START_TEST(nor_by_its_fingerprint)
{
    struct pubkey key;
    struct numbered same;
    char print[KEY_FINGERPRINT], text[200];
    secret_public(house_person(&house, "new"), &key);
    pubkey_fingerprint(print, &key);
    same = numbered_of("new");
    set_keys("anna", &same.key, 1); /* she has it as a key of minisign */
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", print);
    (void)say("anna", text, &same);
    house_told(&house, "anna", 1, "one signature more");
    (void)house_signed(&house, "anna", "new", text);
    house_told(&house, "anna", 1, "already, in another format");
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: mallory\nadd: %s\n#end\n", print);
    (void)house_signed(&house, "mallory", "mallory", text);
    house_empty_spool(&house);
    (void)house_signed(&house, "mallory", "new", text);
    house_told(&house, "mallory", 1, "registered already");
    house_restart(&house);
    ck_assert(has_key("anna", &same.key));
}
END_TEST

/* In one batch: nothing of the first is in a file yet. */
START_TEST(two_newcomers_share_no_key)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT, addressed = STR_INIT, headed = STR_INIT, raw = STR_INIT;
    char token[TOKEN_TEXT], second[TOKEN_TEXT];
    struct str plain = STR_INIT;
    (void)house_person(&house, "zoe");
    struct numbered same = numbered_of("zoe");
    invite(token);
    invite(second);
    str_addf(&plain, "#turnpost register\nname: zoe\naddress: zoe@example.net\ninvite: %s\n", token);
    struct pubkey of_zoe;
    secret_public(house_person(&house, "zoe"), &of_zoe);
    add_confirm(&plain, "zoe", &of_zoe);
    str_adds(&plain, "#end\n");
    str_adds(&raw, "From: zoe@example.net\r\nTo: " HOUSE_ADDRESS "\r\nMessage-ID: <z@example.net>\r\n\r\n");
    house_sign(&house, "zoe", plain.p, &raw);
    str_release(&plain);
    (void)house_take(&house, slice_str(&raw));
    str_adds(&text, "#turnpost register\nname: yan\nkey: ");
    pubkey_format(&text, &same.key);
    str_addf(&text, "\ninvite: %s\n", second);
    add_confirm(&text, "yan", &same.key);
    str_adds(&text, "#end\n");
    house_addressed("yan", text.p, &addressed);
    house_headed(&house, addressed.p, &headed);
    str_clear(&raw);
    str_adds(&raw, "From: yan@example.net\r\nTo: " HOUSE_ADDRESS "\r\nMessage-ID: <y@example.net>\r\n\r\n");
    str_addslice(&raw, slice_str(&headed));
    numbered_sign(&raw, &same, slice_str(&headed));
    (void)house_take(&house, slice_str(&raw));
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_told(&house, "yan", 1, "registered already");
    house_restart(&house);
    ck_assert_uint_eq(keys_of("zoe"), 1);
    ck_assert_uint_eq(keys_of("yan"), 0);
    str_release(&text);
    str_release(&addressed);
    str_release(&headed);
    str_release(&raw);
}
END_TEST

START_TEST(a_moderator_asks_for_no_second_format)
{
    struct numbered same = numbered_of("anna");
    struct str text = STR_INIT;
    house_player(&house, "mona");
    str_adds(&text, "#turnpost rekey\nplayer: anna\nkey: ");
    pubkey_format(&text, &same.key);
    str_adds(&text, "\nwhy: lost\n#end\n");
    (void)house_signed(&house, "mona", "mona", text.p);
    house_told(&house, "mona", 1, "has this key already");
    str_release(&text);
}
END_TEST

/* ---- files that hold such keys all the same ---- */

static void write_keys(const char *name, const struct pubkey *keys, size_t count)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT, path = STR_INIT;
    for (size_t i = 0; i < count; i++) {
        pubkey_format(&text, &keys[i]);
        str_addc(&text, '\n');
    }
    str_addf(&path, "%s/keys/%s.pub", house.dir, name);
    ck_ok(file_write(path.p, slice_str(&text), 0644, &err), err);
    str_release(&text);
    str_release(&path);
}

/* As former versions of the program left it. */
START_TEST(a_poisoned_file_stops_nobody)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    ck_assert_uint_eq(keyring_of(&house.batch.keyring, "anna", keys), 1);
    keys[1] = numbered_of("anna").key;
    keys[2] = numbered_new(KEY_MINISIGN).key;
    write_keys("anna", keys, 3);
    house_restart(&house);
    ck_assert_uint_eq(house.batch.keyring.fault_count, 1);
    ck_assert_ptr_nonnull(strstr(house.batch.keyring.faults[0], "keys/anna.pub line 2"));
    ck_assert(has_key("anna", &keys[0]) && has_key("anna", &keys[2]) && keys_of("anna") == 2);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "json      yes");
    (void)house_signed(&house, "anna", "anna", "#turnpost key\nrevoke: " NUMBER "\n#end\n");
    house_told(&house, "anna", 1, "revoked"); /* and the file is rewritten, without it */
    house_restart(&house);
    ck_assert_uint_eq(house.batch.keyring.fault_count, 0);
    ck_assert_uint_eq(keys_of("anna"), 1);
}
END_TEST

START_TEST(two_files_with_one_key_stop_nobody_else)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    struct numbered same = numbered_of("anna"), fresh = numbered_new(KEY_MINISIGN);
    house_player(&house, "bob");
    ck_assert_uint_eq(keyring_of(&house.batch.keyring, "mallory", keys), 1);
    keys[1] = same.key;
    write_keys("mallory", keys, 2);
    house_restart(&house);
    ck_assert_uint_eq(house.batch.keyring.fault_count, 2);
    ck_assert_ptr_nonnull(strstr(house.batch.keyring.faults[0], "anna.pub and mallory.pub"));
    ck_assert_ptr_nonnull(keyring_damaged(&house.batch.keyring, "anna")); /* she has no other one */
    ck_assert_ptr_null(keyring_damaged(&house.batch.keyring, "mallory"));
    ck_assert_uint_eq(keys_of("anna"), 0); /* whose it is nobody knows */
    ck_assert_uint_eq(keys_of("mallory"), 1);
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "bob", 1, "json      yes");
    (void)house_signed(&house, "mallory", "mallory", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "mallory", 1, "json      yes");
    (void)say("mallory", "#turnpost prefs\njson: no\n#end\n", &same);
    house_told(&house, "mallory", 0, NULL); /* it may be anna's, who has no other: the mail waits */
    struct str text = STR_INIT;             /* nor can anybody else have it now */
    key_text(&text, "bob", &same);
    (void)send_signed("bob", text.p, "bob", &same);
    house_told(&house, "bob", 1, "registered already");
    set_keys("anna", &fresh.key, 1);
    set_keys("mallory", keys, 1);
    house_restart(&house);
    ck_assert_uint_eq(house.batch.keyring.fault_count, 0);
    ck_assert(has_key("anna", &fresh.key));
    str_release(&text);
}
END_TEST

/* The thief of a key has requested another one meanwhile. */
static void stolen_key_asks(const struct numbered *evil, struct str *text)
{
    key_text(text, "anna", evil);
    (void)send_signed("mallory", text->p, "anna", NULL);
    house_empty_spool(&house);
}

static struct numbered evil_key(void)
{
    struct numbered evil = numbered_new(KEY_MINISIGN);
    evil.key.id[0] ^= 1;
    return evil;
}

START_TEST(a_stolen_key_adds_none_when_it_is_revoked)
{
    struct numbered own = numbered_new(KEY_SIGNIFY), evil = evil_key();
    struct str text = STR_INIT, asked = STR_INIT, revoke = STR_INIT;
    struct pubkey stolen;
    char shown[KEY_SHOWN];
    key_text(&text, "anna", &own);
    (void)send_signed("anna", text.p, "anna", &own);
    ck_assert_uint_eq(keys_of("anna"), 2);
    stolen_key_asks(&evil, &asked);
    secret_public(house_person(&house, "anna"), &stolen);
    pubkey_show(shown, &stolen);
    str_addf(&revoke, "#turnpost key\nplayer: anna\nrevoke: %s\n#end\n", shown);
    (void)say("anna", revoke.p, &own);
    ck_assert_uint_eq(keys_of("anna"), 1);
    house_empty_spool(&house);
    (void)send_signed("mallory", asked.p, NULL, &evil);
    ck_assert_uint_eq(keys_of("anna"), 1);
    ck_assert(!has_key("anna", &evil.key));
    str_release(&text);
    str_release(&asked);
    str_release(&revoke);
}
END_TEST

START_TEST(nor_when_a_moderator_has_replaced_it)
{
    struct numbered fresh = numbered_new(KEY_SIGNIFY), evil = evil_key();
    struct str asked = STR_INIT, rekey = STR_INIT;
    house_player(&house, "mona");
    str_adds(&rekey, "#turnpost rekey\nplayer: anna\nkey: ");
    pubkey_format(&rekey, &fresh.key);
    str_adds(&rekey, "\nwhy: lost\n#end\n");
    (void)house_signed(&house, "mona", "mona", rekey.p);
    stolen_key_asks(&evil, &asked);
    house_clock(&house, house.now + REKEY_WAIT + 10);
    ck_assert(has_key("anna", &fresh.key));
    (void)send_signed("mallory", asked.p, NULL, &evil);
    ck_assert(!has_key("anna", &evil.key));
    str_release(&asked);
    str_release(&rekey);
}
END_TEST

/* What has the front of a fingerprint and not its digits is no key. */
START_TEST(a_fingerprint_has_all_its_digits)
{
    static const char *const bad[] = {"SHA256:xyz",
                                      "SHA256:", "SHA256:0123456789012345678901234567890123456789_12"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str text = STR_INIT, told;
        str_addf(&text, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", bad[i]);
        house_empty_spool(&house);
        (void)house_signed(&house, "anna", "anna", text.p);
        ck_assert_int_eq(house_mails(&house, "anna", &told), 1);
        ck_assert_msg(house_says(told.p, "takes a public key, or the fingerprint"), "%s", told.p);
        str_release(&text);
        str_release(&told);
    }
}
END_TEST

/* "reason" is the word, as in other texts of moderators; "why" is understood. */
START_TEST(a_reason_by_either_word)
{
    static const char *const words[] = {"reason", "why"};
    house_player(&house, "mona");
    for (size_t i = 0; i < 2; i++) {
        struct numbered fresh = numbered_new(KEY_SIGNIFY);
        struct str rekey = STR_INIT, told;
        str_adds(&rekey, "#turnpost rekey\nplayer: anna\nkey: ");
        pubkey_format(&rekey, &fresh.key);
        str_addf(&rekey, "\n%s: lost\n#end\n", words[i]);
        house_empty_spool(&house);
        (void)house_signed(&house, "mona", "mona", rekey.p);
        ck_assert_int_eq(house_mails(&house, "mona", &told), 1);
        ck_assert_msg(house_says(told.p, i ? "already" : "It comes into force"), "%s", told.p);
        str_release(&rekey);
        str_release(&told);
    }
}
END_TEST

/* A text that asked once asks no more: an older one does not replace a newer one. */
START_TEST(what_asked_before_asks_no_more)
{
    struct numbered older = numbered_new(KEY_SIGNIFY), newer = evil_key();
    struct str first = STR_INIT, second = STR_INIT;
    key_text(&first, "anna", &older);
    key_text(&second, "anna", &newer);
    (void)send_signed("anna", first.p, "anna", NULL);
    (void)send_signed("anna", second.p, "anna", NULL);
    int64_t records = house.batch.log.seq;
    (void)send_signed("mallory", first.p, "anna", NULL);
    ck_assert_int_eq(house.batch.log.seq, records);
    house_empty_spool(&house);
    (void)send_signed("anna", second.p, NULL, &newer);
    ck_assert(has_key("anna", &newer.key));
    str_release(&first);
    str_release(&second);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, a_key_of_the_same_number_does_not_take_the_account, 0, 2);
    tcase_add_test(tc, the_new_key_signs_the_very_text_of_the_old_one);
    tcase_add_test(tc, a_number_alone_adds_no_key);
    tcase_add_test(tc, nobody_stands_in_the_way_of_a_key_that_waits);
    tcase_add_test(tc, which_key_is_revoked_has_to_be_clear);
    tcase_add_loop_test(tc, players_with_a_number_do_not_shut_its_owner_out, 0, 3);
    tcase_add_test(tc, a_mail_pays_for_a_number_of_tries);
    tcase_add_test(tc, a_number_below_a_text_drains_no_budget);
    tcase_add_test(tc, a_squatted_number_keeps_no_newcomer_out);
    tcase_add_test(tc, a_text_without_its_key);
    tcase_add_test(tc, a_squatted_number_may_be_added);
    tcase_add_loop_test(tc, a_key_is_not_added_in_another_format, 0, 2);
    tcase_add_test(tc, nor_for_another_player);
    tcase_add_test(tc, nor_by_its_fingerprint);
    tcase_add_test(tc, a_stolen_key_adds_none_when_it_is_revoked);
    tcase_add_test(tc, nor_when_a_moderator_has_replaced_it);
    tcase_add_test(tc, a_fingerprint_has_all_its_digits);
    tcase_add_test(tc, a_reason_by_either_word);
    tcase_add_test(tc, what_asked_before_asks_no_more);
    tcase_add_test(tc, two_newcomers_share_no_key);
    tcase_add_test(tc, a_moderator_asks_for_no_second_format);
    tcase_add_test(tc, a_poisoned_file_stops_nobody);
    tcase_add_test(tc, two_files_with_one_key_stop_nobody_else);
}
TEST_MAIN("petitions/key_change", cases)
