/* How people come into a league by mail: first mails, registration, invitations. */
#include "batch/budget.h"
#include "house/newcomers.h"
#include "league/token.h"
#include "petitions/registration.h"

static void open_league(void)
{
    house_option(&house, "[league]", "registration = open\nplayer_invites = 2");
    house_restart(&house);
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
    ck_assert(token_name(again, TOKEN_KEY, slice_of(text)));
    ck_assert_str_ne(name, again);
    ck_assert(!token_name(again, TOKEN_INVITE, slice_of("abc")));
    ck_assert(!token_name(again, TOKEN_INVITE, slice_of("abcdefghijklmnopqrstuvwxy1")));
    ck_assert(!token_name(again, TOKEN_INVITE, slice_of("abcdefghijklmnopqrstuvwxyza")));
    str_release(&loud);
}
END_TEST

/* ---- first mails ---- */

/* What people write when they are new, and send by mistake. */
START_TEST(first_mails_of_newcomers)
{
    static const struct {
        const char *subject, *body, *words;
    } cases[] = {
        {"Register!", "", "with \"register zoe\" as the subject. The answer holds the text"},
        {"Re: [EXTERNAL] register zed", "", "with \"register zed\" as"},
        {"register zed minisign", "", "with minisign: minisign -G Its public half"},
        {"register zed ssh_sk", "", "a security token: ssh-keygen -t ed25519-sk Its public half"},
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
        {"Hello there", "", "found in your mail. A program reads these mails"},
    };
    open_league();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)house_mail(&house, "zoe", cases[i].subject, cases[i].body);
        house_told(&house, "zoe", 1, cases[i].words);
        house.now += 86400; /* the budget of a day */
    }
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
    (void)house_mail(&house, "zoe", "hello",
                     "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\nThanks, Zoe\n");
    house_told(&house, "zoe", 1, " key: minisign RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3 ");
    (void)house_mail(&house, "zoe", "key",
                     "ssh-ed25519AAAAC3NzaC1lZDI1NTE5AAAA zoe\n"); /* its blank was lost */
    house_told(&house, "zoe", 1, "cannot be used");
    (void)house_mail(&house, "zoe", "key", "ssh-rsa AAAAB3NzaC1yc2E zoe\n");
    house_told(&house, "zoe", 1, "cannot be used");
    *blank = ' ';
    (void)house_mail(&house, "anna", "new key", line.p);
    house_told(&house, "anna", 1, " player: anna add: SHA256:");
    str_release(&line);
}
END_TEST

/* ---- forged mails ---- */

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

/* ---- invitations of players ---- */

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
    tcase_add_test(tc, first_mails_of_newcomers);
    tcase_add_test(tc, and_not_there_when_the_operator_does_not_want_them);
    tcase_add_test(tc, forms_are_sent_to_whoever_asks);
    tcase_add_test(tc, two_mails_prove_address_and_key);
    tcase_add_test(tc, a_pasted_key_and_one_text);
    tcase_add_test(tc, a_pasted_key_of_another_tool);
    tcase_add_test(tc, a_word_is_for_one_league_name_address_key_and_week);
    tcase_add_test(tc, a_closed_league_takes_nobody);
    tcase_add_test(tc, strangers_cost_a_bounded_number_of_mails);
    tcase_add_test(tc, forged_registrations_shut_nobody_out);
    tcase_add_test(tc, forged_mails_from_an_address_leave_its_owner_the_invitation);
    tcase_add_test(tc, invitations_of_players_are_counted);
}
TEST_MAIN("petitions/joining", cases)
