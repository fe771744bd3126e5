/* How people come into a league by mail: registration, invitations, keys, addresses. */
#include "batch/budget.h"
#include "house/house.h"
#include "petitions/registration.h"
#include "petitions/rekey.h"
#include "league/token.h"

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = anna dora mona");
    house_player(&house, "anna");
    house_restart(&house);
}

static void open_league(void)
{
    house_option(&house, "[league]", "registration = open\nplayer_invites = 2");
    house_restart(&house);
}

static void end(void)
{
    house_close(&house);
}

static bool is_player(const char *name)
{
    return registry_find(&house.batch.registry, name) != NULL;
}

/* A text in which %s is replaced. */
static enum intake_fate sign(const char *name, const char *fmt, const char *value)
{
    struct str text = STR_INIT;
    const char *at = strstr(fmt, "%s");
    str_addf(&text, "%.*s%s%s", (int)(at - fmt), fmt, value, at + 2);
    enum intake_fate fate = house_signed(&house, name, name, text.p);
    str_release(&text);
    return fate;
}

/* The token in the mails to that person: the 26 letters after `front`. */
static void find_token(const char *name, const char *front, char token[TOKEN_TEXT])
{
    struct str mails;
    (void)house_mails(&house, name, &mails);
    const char *at = strstr(mails.p, front);
    ck_assert_msg(at != NULL, "no token in\n%s", mails.p);
    (void)snprintf(token, TOKEN_TEXT, "%.26s", at + strlen(front));
    str_release(&mails);
    house_empty_spool(&house);
}

/* The text that a mail to that person holds, ready to be signed: from "#turnpost" to "#end". */
static void take_form(const char *name, struct str *text)
{
    struct str mails;
    ck_assert_int_eq(house_mails(&house, name, &mails), 1);
    const char *at = strstr(mails.p, "#turnpost "), *end = at ? strstr(at, "#end\n") : NULL;
    ck_assert_msg(end != NULL, "no text in\n%s", mails.p);
    str_init(text);
    str_addf(text, "%.*s", (int)(end + 5 - at), at);
    str_release(&mails);
    house_empty_spool(&house);
}

/* Signs the text that came in the confirmation. */
static enum intake_fate confirm(const char *name, const char *signer)
{
    struct str text;
    take_form(name, &text);
    ck_assert_ptr_nonnull(strstr(text.p, "\nconfirm: "));
    enum intake_fate fate = house_signed(&house, name, signer, text.p);
    str_release(&text);
    return fate;
}

static void invite(const char *by, char token[TOKEN_TEXT])
{
    char text[64];
    (void)snprintf(text, sizeof text, "#turnpost invite\nfor: friend %d\n#end\n", house.mails);
    (void)house_signed(&house, by, by, text);
    find_token(by, "invite: ", token);
}

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

static size_t count_files(const char *folder)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *dir = path_join(house.dir, folder);
    ck_ok(file_list(dir, &names, &err), err);
    size_t count = names.count;
    file_names_free(&names);
    free(dir);
    return count;
}

/* ---- tokens ---- */

START_TEST(tokens_are_read_as_they_are_written)
{
    char text[TOKEN_TEXT], other[TOKEN_TEXT], name[TOKEN_NAME], again[TOKEN_NAME];
    struct str loud = STR_INIT;
    token_new(text);
    token_new(other);
    ck_assert_uint_eq(strlen(text), 26);
    ck_assert_str_ne(text, other);
    ck_assert(token_name(name, TOKEN_INVITE, slice_of(text)));
    ck_assert(name_valid(slice_of(name)));
    ck_assert_ptr_null(strstr(name, text));
    for (int i = 0; text[i]; i++)
        str_addf(&loud, "%s%c", i % 4 ? "" : "-", text[i] >= 'a' ? text[i] - 'a' + 'A' : text[i]);
    ck_assert(token_name(again, TOKEN_INVITE, slice_str(&loud)));
    ck_assert_str_eq(name, again);
    ck_assert(token_name(again, TOKEN_CONFIRM, slice_of(text)));
    ck_assert_str_ne(name, again);
    ck_assert(!token_name(again, TOKEN_INVITE, slice_of("abc")));
    ck_assert(!token_name(again, TOKEN_INVITE, slice_of("abcdefghijklmnopqrstuvwxy1")));
    ck_assert(!token_name(again, TOKEN_INVITE, slice_of("abcdefghijklmnopqrstuvwxyza")));
    str_release(&loud);
}
END_TEST

/* ---- registration ---- */

START_TEST(an_invitation_and_an_address_that_answers_make_a_player)
{
    char token[TOKEN_TEXT];
    (void)house_person(&house, "zoe");
    invite("anna", token);
    ck_assert_uint_eq(count_files("tokens"), 1);
    int64_t seq = house.batch.log.seq;
    ck_assert_int_eq(sign("zoe", "#turnpost register\nname: Zoe\ninvite: %s\n#end\n", token),
                     INTAKE_PROCESSED);
    ck_assert(!is_player("zoe"));
    ck_assert_uint_eq(count_files("tokens"), 1);
    ck_assert_int_eq(house.batch.log.seq, seq); /* nothing is written for an unproved one */
    house_restart(&house);
    ck_assert_int_eq(confirm("zoe", "zoe"), INTAKE_PROCESSED);
    ck_assert(is_player("zoe"));
    ck_assert_uint_eq(count_files("tokens"), 0);
    house_told(&house, "zoe", 1, "You are registered, zoe");
    house_restart(&house);
    ck_assert(is_player("zoe"));
    ck_assert_str_eq(registry_find(&house.batch.registry, "zoe")->address, "zoe@example.net");
    (void)house_signed(&house, "zoe", "zoe", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "zoe", 1, "json yes");
}
END_TEST

/* Somebody with an invitation names somebody else's address: its owner gets a small mail, and nothing follows
 * without them. */
START_TEST(an_invited_stranger_proves_the_address_too)
{
    char token[TOKEN_TEXT];
    struct str mails;
    (void)house_person(&house, "eve");
    invite("anna", token);
    for (int i = 0; i < 40; i++) {
        char text[160];
        (void)snprintf(
            text, sizeof text,
            "#turnpost register\nseq: %d\nname: eve\naddress: carol@example.net\ninvite: %s\n#end\n", i + 1,
            token);
        (void)house_signed(&house, "carol", "eve", text);
    }
    ck_assert(!is_player("eve"));
    ck_assert_int_eq(house_mails(&house, "carol", &mails), BUDGET_FEW);
    str_release(&mails);
}
END_TEST

START_TEST(an_invitation_is_good_once_and_for_a_time)
{
    char token[TOKEN_TEXT], second[TOKEN_TEXT];
    struct str text;
    (void)house_person(&house, "zoe");
    (void)house_person(&house, "yan");
    invite("anna", token);
    invite("anna", second);
    (void)sign("yan", "#turnpost register\nname: yan\ninvite: %s\n#end\n", token);
    take_form("yan", &text);
    (void)sign("zoe", "#turnpost register\nname: zoe\ninvite: %s\n#end\n", token);
    (void)confirm("zoe", "zoe");
    ck_assert(is_player("zoe"));
    house_empty_spool(&house);
    (void)house_signed(&house, "yan", "yan", text.p);
    ck_assert(!is_player("yan"));
    house_told(&house, "yan", 1, "used already");
    (void)house_raw(&house, slice_str(&house.last_raw)); /* the same mail again */
    house_told(&house, "yan", 0, NULL);
    house.now += 9 * 86400;
    (void)sign("yan", "#turnpost register\nname: yan\ninvite: %s\n#end\n", second);
    ck_assert(!is_player("yan"));
    house_told(&house, "yan", 1, "has expired");
    str_release(&text);
}
END_TEST

/* A damaged invitation is for the operator to fix, and not the mail's fault: the mail waits, and is not
 * answered that the word has expired. */
static const char *const damages[] = {
    "echo '{' >$f",
    ": >$f",
    "echo '[]' >$f",
    "sed -i 's/expires/what/; s/\"what\": \"invite\",//' $f",
    "sed -i 's/20[0-9]*-/20xx-/' $f",
    "rm $f && mkdir $f",
};

START_TEST(a_damaged_invitation_keeps_its_mail_waiting)
{
    char token[TOKEN_TEXT], name[TOKEN_NAME];
    struct err err = ERR_INIT;
    struct str command = STR_INIT;
    json_t *document = NULL;
    invite("anna", token);
    ck_assert(token_name(name, TOKEN_INVITE, slice_of(token)));
    house_end(&house);
    str_addf(&command, "cd %s && f=tokens/%s.json && test -f $f && %s", house.dir, name, damages[_i]);
    ck_assert_msg(system(command.p) == 0, "%s", command.p);
    house_begin(&house);
    ck_assert_int_eq(batch_token(&house.batch, name, &document, &err), -1);
    ck_assert_msg(err.code == ERR_IO, "%s", err.text); /* which stuck_mail does not let grow old */
    ck_assert_ptr_nonnull(strstr(err.text, name));
    ck_assert_ptr_nonnull(strstr(err.text, "take it from a backup"));
    str_release(&command);
}
END_TEST

START_TEST(what_is_wrong_with_a_registration_is_said)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"#turnpost register\n#end\n", "by which name"},
        {"#turnpost register\nname: zoe\n#end\n", "you need an invitation"},
        {"#turnpost register\nname: z/e\n#end\n", "takes a name"},
        {"#turnpost register\nname: league\n#end\n", "word of the program"},
        {"#turnpost register\nname: anna\n#end\n", "There is a player anna already"},
        {"#turnpost register\nname: Mona\n#end\n", "The name mona is kept for a moderator"},
        {"#turnpost register\nname: zoe\ninvite: abc\n#end\n", "The word of the invitation is not known"},
        {"#turnpost register\nname: p3\n#end\n", "\"p3\" is what seats are called"},
        {"#turnpost register\nname: 3\n#end\n", "\"3\" is what seats are called"},
        {"#turnpost register\nname: m0derator\n#end\n", "looks like one"},
        {"#turnpost register\nname: An-Na\n#end\n", "looks like that of the player anna"},
        {"#turnpost register\nname: d0ra\n#end\n", "kept for a moderator"},
        {"#turnpost register\nname: zoe\nconfirm: abc\n#end\n", "you need an invitation"},
        {"#turnpost register\nname: zoe\nkey: "
         "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n#end\n",
         "is not the key that signed"},
        {"#turnpost register\nnmae: zoe\n#end\n", "did you mean \"name:\""},
    };
    (void)house_person(&house, "zoe");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        house.now += 86400;
        (void)house_signed(&house, "zoe", "zoe", cases[i].text);
        ck_assert(!is_player("zoe"));
        house_told(&house, "zoe", 1, cases[i].words);
    }
    (void)house_signed(&house, "anna", "anna", "#turnpost register\nname: ann\n#end\n");
    house_told(&house, "anna", 1, "registered already, as anna");
    (void)house_signed(&house, "anna", "zoe", "#turnpost register\nname: zoe\n#end\n");
    house_told(&house, "anna", 1, "belongs to the player anna");
}
END_TEST

START_TEST(two_mails_prove_address_and_key)
{
    struct str text, mails;
    open_league();
    (void)house_person(&house, "zoe");
    (void)house_signed(&house, "zoe", "zoe", "#turnpost register\nname: zoe\n#end\n");
    ck_assert(!is_player("zoe"));
    (void)house_mails(&house, "zoe", &mails);
    ck_assert_ptr_nonnull(strstr(mails.p, "Subject: One step more, zoe\n"));
    str_release(&mails);
    house_restart(&house);
    take_form("zoe", &text);
    /* The word alone, and the text without its signature, are nothing. */
    (void)house_mail(&house, "zoe", "Re: One step more, zoe", text.p);
    ck_assert(!is_player("zoe"));
    house_told(&house, "zoe", 1, "confirm: ");
    ck_assert_int_eq(house_signed(&house, "zoe", "zoe", text.p), INTAKE_PROCESSED);
    ck_assert(is_player("zoe"));
    house_told(&house, "zoe", 1, "You are registered, zoe");
    (void)house_raw(&house, slice_str(&house.last_raw));
    house_told(&house, "zoe", 0, NULL);
    (void)house_signed(&house, "zoe", "zoe", text.p);
    house_told(&house, "zoe", 1, "very same text was obeyed before");
    str_release(&text);
}
END_TEST

/* The text with one line in another form. */
static void changed(const struct str *text, const char *line, const char *value, struct str *out)
{
    const char *at = strstr(text->p, line);
    ck_assert_ptr_nonnull(at);
    str_init(out);
    str_addf(out, "%.*s%s%s%s", (int)(at - text->p), text->p, line, value, at + strcspn(at, "\n"));
}

START_TEST(a_word_is_for_one_league_name_address_key_and_week)
{
    struct str text, other;
    open_league();
    (void)house_person(&house, "zoe");
    (void)house_person(&house, "yan");
    (void)house_signed(&house, "zoe", "zoe", "#turnpost register\nname: zoe\n#end\n");
    take_form("zoe", &text);
    (void)house_signed(&house, "zoe", "yan", text.p); /* another key */
    house_told(&house, "zoe", 1, "one step is left");
    changed(&text, "name: ", "zora", &other);
    (void)house_signed(&house, "zoe", "zoe", other.p);
    house_told(&house, "zoe", 1, "one step is left");
    str_release(&other);
    changed(&text, "address: ", "yan@example.net", &other);
    (void)house_signed(&house, "yan", "zoe", other.p);
    house_told(&house, "yan", 1, "one step is left");
    str_release(&other);
    unsigned char master[32];
    memcpy(master, house.league.master, sizeof master);
    house.league.master[0] ^= 1; /* another league's secret */
    changed(&text, "#end", "", &other);
    (void)house_signed(&house, "zoe", "zoe", other.p);
    house_told(&house, "zoe", 1, "one step is left");
    memcpy(house.league.master, master, sizeof master);
    house.now += 9 * 86400;
    (void)house_signed(&house, "zoe", "zoe", other.p);
    house_told(&house, "zoe", 1, "one step is left");
    ck_assert(!is_player("zoe") && !is_player("zora") && !is_player("yan"));
    house.now -= 2 * 86400;
    (void)house_signed(&house, "zoe", "zoe", other.p);
    ck_assert(is_player("zoe"));
    str_release(&other);
    str_release(&text);
}
END_TEST

/* The key in a mail, the text that comes back, and they are in; only their own tool is explained. */
START_TEST(a_pasted_key_and_one_text)
{
    struct pubkey key;
    struct str line = STR_INIT, text, mails;
    open_league();
    secret_public(house_person(&house, "zoe"), &key);
    pubkey_format(&line, &key);
    (void)house_mail(&house, "zoe", "register Zed", line.p);
    ck_assert_int_eq(house_mails(&house, "zoe", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "-f ~/.ssh/id_ed25519 text.txt"));
    ck_assert_ptr_null(strstr(mails.p, "minisign"));
    ck_assert_ptr_null(strstr(mails.p, "signify"));
    str_release(&mails);
    take_form("zoe", &text);
    (void)house_mail(&house, "yan", "register Zed", line.p); /* another word at another address */
    house_empty_spool(&house);
    (void)house_signed(&house, "zoe", "zoe", text.p);
    house_told(&house, "zoe", 1, "You are registered, zed");
    ck_assert(is_player("zed"));
    str_release(&text);
    str_release(&line);
}
END_TEST

/* The same by minisign's and signify's keys. */
START_TEST(a_pasted_key_of_another_tool)
{
    static const char base64[] = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    static const char *const tools[] = {"minisign", "signify"};
    open_league();
    for (int i = 0; i < 2; i++) {
        struct str body = STR_INIT, mails;
        str_addf(&body, "untrusted comment: %s public key\n%s\n", tools[i], base64);
        (void)house_mail(&house, "zoe", "hello", body.p);
        ck_assert_int_eq(house_mails(&house, "zoe", &mails), 1);
        ck_assert_ptr_nonnull(
            strstr(mails.p, i ? "\nsignify -S -s your.sec -m text.txt\n" : "\nminisign -S -m text.txt\n"));
        ck_assert_ptr_null(strstr(mails.p, "ssh-keygen"));
        ck_assert_ptr_null(strstr(mails.p, i ? "minisign -" : "signify -"));
        ck_assert_ptr_nonnull(strstr(mails.p, "\nconfirm: "));
        house_empty_spool(&house);
        str_release(&mails);
        str_release(&body);
    }
}
END_TEST

/* What an older program wrote for one that waits. */
static void keep_document(const char *token, json_t *document)
{
    struct err err = ERR_INIT;
    char name[TOKEN_NAME];
    ck_assert(token_name(name, TOKEN_CONFIRM, slice_of(token)));
    token_set_expiry(document, house.now, 7 * 86400);
    json_t *tokens = json_pack("{s:o}", name, document);
    struct registry_change change = {.what = "confirm", .tokens = tokens};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    json_decref(tokens);
}

START_TEST(words_of_older_programs_count_until_they_expire)
{
    struct pubkey key;
    struct str line = STR_INIT;
    open_league();
    secret_public(house_person(&house, "zoe"), &key);
    secret_public(house_person(&house, "yan"), &key);
    pubkey_format(&line, &key);
    keep_document("abcdefghijklmnopqrstuvwxya",
                  json_pack("{s:s,s:s,s:s,s:s}", "what", "register", "name", "yan", "key", line.p, "address",
                            "yan@example.net"));
    keep_document("abcdefghijklmnopqrstuvwxyb", json_pack("{s:s,s:s,s:s,s:b}", "what", "address", "player",
                                                          "anna", "address", "ann@example.net", "second", 1));
    house_restart(&house);
    (void)house_signed(&house, "zoe", "zoe",
                       "#turnpost register\nconfirm: abcdefghijklmnopqrstuvwxya\n#end\n");
    house_told(&house, "zoe", 1, "with another key");
    (void)house_mail(&house, "yan", "Re: confirm abcdefghijklmnopqrstuvwxya", "> all of it\n");
    ck_assert(is_player("yan"));
    house_told(&house, "yan", 1, "You are registered, yan");
    (void)house_mail(&house, "ann", "Re: confirm abcdefghijklmnopqrstuvwxyb", "\n");
    ck_assert_str_eq(registry_find(&house.batch.registry, "anna")->address2, "ann@example.net");
    house_empty_spool(&house);
    ck_assert_uint_eq(count_files("tokens"), 0);
    (void)house_mail(&house, "yan", "Re: confirm abcdefghijklmnopqrstuvwxya", "again\n");
    house_told(&house, "yan", 1, "Sign the text that contains it");
    str_release(&line);
}
END_TEST

START_TEST(a_closed_league_takes_nobody)
{
    char token[TOKEN_TEXT];
    invite("anna", token);
    house_option(&house, "[league]", "registration = closed");
    house_restart(&house);
    (void)house_person(&house, "zoe");
    (void)sign("zoe", "#turnpost register\nname: zoe\ninvite: %s\n#end\n", token);
    ck_assert(!is_player("zoe"));
    house_told(&house, "zoe", 1, "takes no registrations by mail");
    (void)house_mail(&house, "zoe", "register", "\n");
    house_told(&house, "zoe", 1, "takes no registrations by mail");
    (void)house_signed(&house, "anna", "anna", "#turnpost invite\nfor: zoe\n#end\n");
    house_told(&house, "anna", 1, "only the operator invites");
}
END_TEST

START_TEST(strangers_cost_a_bounded_number_of_mails)
{
    struct str mails;
    open_league();
    (void)house_person(&house, "zoe");
    for (int i = 0; i < 20; i++)
        (void)house_signed(&house, "zoe", "zoe", "#turnpost register\nname: zoe\n#end\n");
    ck_assert_int_eq(house_mails(&house, "zoe", &mails), house.league.config.limits.stranger_replies);
    str_release(&mails);
}
END_TEST

/* What our mail server says about the sender, on top of a mail from NAME@example.net. */
static void mail_vouched(const char *name, const char *signer, const char *text)
{
    struct str body = STR_INIT, addressed = STR_INIT, raw = STR_INIT;
    house_addressed(name, text, &addressed);
    house_sign(&house, signer, addressed.p, &body);
    str_addf(&raw,
             "Authentication-Results: mx.example.org; dkim=pass header.d=example.net\r\n"
             "From: %s@example.net\r\nTo: " HOUSE_ADDRESS
             "\r\nSubject: me\r\nMessage-ID: <%d@example.net>\r\n\r\n%s",
             name, ++house.mails, body.p);
    (void)house_raw(&house, slice_str(&raw));
    str_release(&raw);
    str_release(&addressed);
    str_release(&body);
}

/* 200 forged mails to register: they send what strangers may have, and take nothing from those who are
 * invited, vouched for, or players already. */
START_TEST(forged_registrations_shut_nobody_out)
{
    char token[TOKEN_TEXT], name[16], text[64];
    struct str mails;
    open_league();
    house_option(&house, "[limits]", "strangers_per_day = 20");
    house_option(&house, "[incoming]", "authserv = mx.example.org");
    house_restart(&house);
    (void)house_person(&house, "zoe");
    (void)house_person(&house, "yan");
    (void)house_person(&house, "eve");
    invite("anna", token);
    for (int i = 0; i < 200; i++) {
        secret_new(&house.person[house.people - 1].key); /* somebody else */
        (void)snprintf(name, sizeof name, "stranger%c%c", 'a' + i / 16, 'a' + i % 16);
        (void)snprintf(text, sizeof text, "#turnpost register\nname: %s\n#end\n", name);
        (void)house_signed(&house, name, "eve", text);
    }
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 20);
    str_release(&mails);
    ck_assert_uint_eq(count_files("tokens"), 1); /* the invitation */
    house_empty_spool(&house);
    (void)house_signed(&house, "eve", "eve", "#turnpost register\nname: eve\n#end\n");
    house_told(&house, "eve", 0, NULL); /* a sender who cannot be told from them waits until tomorrow */
    (void)sign("zoe", "#turnpost register\nname: zoe\ninvite: %s\n#end\n", token);
    (void)confirm("zoe", "zoe");
    ck_assert(is_player("zoe"));
    house_empty_spool(&house);
    mail_vouched("yan", "yan", "#turnpost register\nname: yan\n#end\n");
    (void)confirm("yan", "yan");
    ck_assert(is_player("yan"));
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nsecond: ann@example.net\n#end\n");
    (void)confirm("ann", "anna");
    ck_assert_str_eq(registry_find(&house.batch.registry, "anna")->address2, "ann@example.net");
}
END_TEST

/* An invited newcomer whose address somebody else has written into his mails. */
START_TEST(forged_mails_from_an_address_leave_its_owner_the_invitation)
{
    char token[TOKEN_TEXT];
    (void)house_person(&house, "zoe");
    invite("anna", token);
    for (int i = 0; i < 30; i++)
        (void)house_mail(&house, "zoe", "help", "");
    house_empty_spool(&house);
    (void)house_mail(&house, "zoe", "register", "");
    house_told(&house, "zoe", 0, NULL);
    char text[64];
    (void)snprintf(text, sizeof text, "invite: %s\n", token);
    (void)house_mail(&house, "zoe", "register zoe", text);
    house_told(&house, "zoe", 1, token);
}
END_TEST

START_TEST(a_pasted_key_brings_the_text_to_sign)
{
    struct pubkey key;
    struct str line = STR_INIT;
    secret_public(house_person(&house, "zoe"), &key);
    pubkey_format(&line, &key);
    str_adds(&line, " zoe@phone\n");
    (void)house_mail(&house, "zoe", "hello", line.p);
    house_told(&house, "zoe", 1, " name: zoe address: zoe@example.net invite: the word");
    char *blank = strchr(line.p, ' ');
    *blank = '\n'; /* as some mail programs wrap it */
    (void)house_mail(&house, "zoe", "register zed", line.p);
    house_told(&house, "zoe", 1, " name: zed ");
    (void)house_mail(&house, "zoe", "register anna", "please\n");
    house_told(&house, "zoe", 1, "The name anna is taken");
    (void)house_mail(&house, "zoe", "register", "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n");
    house_empty_spool(&house);
    (void)house_mail(&house, "zoe", "hello",
                     "untrusted comment: minisign public key CE0E265D85E12696\n"
                     "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n");
    house_told(&house, "zoe", 1, " key: minisign RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3 ");
    (void)house_mail(&house, "zoe", "key", "ssh-rsa AAAAB3NzaC1yc2E zoe\n");
    house_told(&house, "zoe", 1, "cannot be used");
    *blank = ' ';
    (void)house_mail(&house, "anna", "new key", line.p);
    house_told(&house, "anna", 1, " player: anna add: SHA256:");
    str_release(&line);
}
END_TEST

/* ---- keys ---- */

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
    house_told(&house, "anna", 1, "Your preferences");
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
    house_told(&house, "anna", 1, "Your preferences");
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

/* What people write when they are new, and send by mistake. */
START_TEST(first_mails_of_newcomers)
{
    static const struct {
        const char *subject, *body, *words;
    } cases[] = {
        {"Register!", "", "with \"register zoe\" as the subject. The answer holds the text"},
        {"Re: [EXTERNAL] register zed", "", "with \"register zed\" as"},
        {"register zed minisign", "", "with minisign: minisign -G Its public half"},
        {"register signify", "",
         "the file your.pub. Send the public half, pasted or attached, in a mail from this "
         "address, with \"register zoe\""},
        {"I want to play", "How do I register?", "a mail with the subject \"register\""},
        {"my key", "-----BEGIN OPENSSH PRIVATE KEY-----\r\nAAAA\r\n", "must never leave your hands"},
        {"my key", "untrusted comment: signify secret key\r\nRWRC\r\n", "must never leave your hands"},
        {"games.", "", "What can be played"},
        {"gaems", "", "Did you mean \"games\" as the subject?"},
        {"Re: stauts gc-17", "", "Did you mean \"status\" as the subject?"},
        {"regsiter zed", "", "Did you mean \"register\" as the subject?"},
        {"Hello there", "", "found in your mail. \"help\" as"},
    };
    open_league();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)house_mail(&house, "zoe", cases[i].subject, cases[i].body);
        house_told(&house, "zoe", 1, cases[i].words);
        house.now += 86400; /* the budget of a day */
    }
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
    house_told(&house, "bob", 1, "Your preferences");
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\njson: no\n#end\n");
    house_told(&house, "bob", 1, "league does not know");
    (void)house_signed(&house, "bob", "new", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    house_told(&house, "bob", 1, "accepted");
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
    house_told(&house, "bob", 1, "Your preferences");
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
    ck_assert_ptr_nonnull(
        strstr(form.p, "\nhtml: yes\njson: no\nreports: decisions\noptional: yes\ndigest: 07:00\n"
                       "reminder: 6\nzone: Europe/Berlin\npublic: no\n# address: anna@example.net\n"));
    (void)house_signed(&house, "anna", "anna", strstr(form.p, "#turnpost prefs\n"));
    house_told(&house, "anna", 1, "Your preferences are now");
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

START_TEST(invitations_of_players_are_counted)
{
    char token[TOKEN_TEXT];
    open_league();
    house_player(&house, "bob");
    invite("bob", token);
    (void)house_signed(&house, "bob", "bob", "#turnpost invite\nseq: 2\n#end\n");
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost invite\nseq: 3\n#end\n");
    house_told(&house, "bob", 1, "your 2 invitations");
    house.now += 20 * 86400;
    (void)house_signed(&house, "bob", "bob", "#turnpost invite\nseq: 4\n#end\n");
    house_told(&house, "bob", 1, "invite: ");
}
END_TEST

START_TEST(and_not_there_when_the_operator_does_not_want_them)
{
    house_player(&house, "bob");
    (void)house_signed(&house, "bob", "bob", "#turnpost invite\n#end\n");
    house_told(&house, "bob", 1, "only the operator invites");
}
END_TEST

START_TEST(forms_are_sent_to_whoever_asks)
{
    (void)house_mail(&house, "anna", "Join", "\n");
    house_told(&house, "anna", 1, "#turnpost join game: gc-17 nonce:");
    (void)house_mail(&house, "anna", "help", "\n");
    house_told(&house, "anna", 1, "rekey");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, tokens_are_read_as_they_are_written);
    tcase_add_test(tc, an_invitation_and_an_address_that_answers_make_a_player);
    tcase_add_test(tc, an_invited_stranger_proves_the_address_too);
    tcase_add_test(tc, an_invitation_is_good_once_and_for_a_time);
    tcase_add_loop_test(tc, a_damaged_invitation_keeps_its_mail_waiting, 0,
                        (int)(sizeof damages / sizeof *damages));
    tcase_add_test(tc, what_is_wrong_with_a_registration_is_said);
    tcase_add_test(tc, a_pasted_key_brings_the_text_to_sign);
    tcase_add_test(tc, a_key_is_added_by_two_signatures_in_one_mail);
    tcase_add_test(tc, or_by_two_mails);
    tcase_add_test(tc, a_revoked_key_does_not_come_back);
    tcase_add_test(tc, keys_are_revoked_but_never_the_last);
    tcase_add_test(tc, nobody_changes_another_s_keys_but_moderators_who_revoke);
    tcase_add_test(tc, a_lost_key_is_replaced_after_two_days);
    tcase_add_test(tc, the_old_key_keeps_its_owner);
    tcase_add_test(tc, a_moderator_keeps_a_key);
    tcase_add_test(tc, first_mails_of_newcomers);
    tcase_add_test(tc, preferences_are_kept);
    tcase_add_test(tc, a_second_address_counts_when_it_has_answered);
    tcase_add_test(tc, nobody_learns_whether_an_address_is_registered);
    tcase_add_test(tc, a_mail_from_elsewhere_counts_and_is_told);
    tcase_add_test(tc, and_not_there_when_the_operator_does_not_want_them);
    tcase_add_test(tc, forms_are_sent_to_whoever_asks);
    tcase_add_test(tc, two_mails_prove_address_and_key);
    tcase_add_test(tc, a_pasted_key_and_one_text);
    tcase_add_test(tc, a_pasted_key_of_another_tool);
    tcase_add_test(tc, a_word_is_for_one_league_name_address_key_and_week);
    tcase_add_test(tc, words_of_older_programs_count_until_they_expire);
    tcase_add_test(tc, a_closed_league_takes_nobody);
    tcase_add_test(tc, strangers_cost_a_bounded_number_of_mails);
    tcase_add_test(tc, forged_registrations_shut_nobody_out);
    tcase_add_test(tc, forged_mails_from_an_address_leave_its_owner_the_invitation);
    tcase_add_test(tc, invitations_of_players_are_counted);
}

TEST_MAIN("petitions/joining", cases)
