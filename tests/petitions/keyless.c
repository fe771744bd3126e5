/* People who have only a mailbox: they register, keep what is theirs, get a key and give it up. */
#include "base/json.h"
#include "batch/budget.h"
#include "game/vouched.h"
#include "dns/resolver.h"
#include "base/mem.h"
#include "house/domain.h"
#include "house/house.h"
#include "game/game_seats.h"
#include "league/token.h"
#include "league/registry_sealing.h"
#include "petitions/keyless.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct domain domain;

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = mona\nplayer_invites = 2");
    house_player(&house, "mona");
    domain_open(&domain, 5);
    house.by_mail = true;
}

/* As the next run finds it; the name server has been asked already. */
static void restart(void)
{
    struct err err = ERR_INIT;
    house_restart(&house);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    resolver_tell(house.league.resolver, "mail._domainkey.example.net", domain.record.p, clock_system());
}

/* Mail domains are believed, and anybody may come, or only who is invited. */
static void believes(const char *registration)
{
    char lines[64];
    (void)snprintf(lines, sizeof lines, "trust = mail\nregistration = %s", registration);
    house_option(&house, "[league]", lines);
    restart();
}

static void end(void)
{
    house_close(&house);
    domain_close(&domain);
}

/* A mail that the domain of its sender signs, below what a server on its way has put on top of it. */
static enum intake_fate post_below(const char *above, const char *from, const char *to, const char *subject,
                                   const char *text)
{
    struct str body = STR_INIT;
    for (const char *c = text; *c; c++)
        str_addf(&body, "%s%c", *c == '\n' ? "\r" : "", *c);
    if (!body.len || body.p[body.len - 1] != '\n')
        str_adds(&body, "\r\n"); /* signed as it is: no empty line at its end */
    str_clear(&house.last_raw);
    str_adds(&house.last_raw, above);
    house_travelled(&house.last_raw);
    house.mails++;
    const char *at = strrchr(from, '@');
    char local[PLAYER_ADDRESS];
    (void)snprintf(local, sizeof local, "%.*s", (int)(at - from), from);
    domain_letter(
        &domain,
        &(struct domain_letter){local, at + 1, to, subject, house.now + house.mails, body.p, NULL, 0},
        &house.last_raw);
    str_release(&body);
    return house_raw(&house, slice_str(&house.last_raw));
}

static enum intake_fate post_from(const char *from, const char *to, const char *subject, const char *text)
{
    return post_below("", from, to, subject, text);
}

/* It was written to Eve, who has sent it on to that address of ours; the domain has signed To, or not. */
static void pass_on(const char *to, const char *subject, const char *text)
{
    static const char *const fields[] = {"Delivered-To", "X-Original-To", "Envelope-To", "Cc"};
    for (int i = 0; i < 8; i++) {
        char above[200];
        domain.signs_to = i % 2;
        (void)snprintf(above, sizeof above, "%s: %s\r\n", fields[i / 2], to);
        (void)post_below(above, "zoe@example.net", "eve@example.net", subject, text);
    }
    domain.signs_to = false;
}

static enum intake_fate post(const char *name, const char *to, const char *subject, const char *text)
{
    char from[PLAYER_ADDRESS];
    (void)snprintf(from, sizeof from, "%s@example.net", name);
    return post_from(from, to, subject, text);
}

static const struct player *find(const char *name)
{
    return registry_find(&house.batch.registry, name);
}

/* Where an answer to the question goes that was mailed to that person. */
static void reply_to(const char *name, char address[PLAYER_ADDRESS])
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char to[PLAYER_ADDRESS];
    (void)snprintf(to, sizeof to, "%s@example.net", name);
    *address = '\0';
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        size_t at = slice_find(slice_str(&mail.mail), "\nReply-To: ");
        if (strcmp(mail.envelope_to, to) == 0 && at != (size_t)-1) {
            const char *value = mail.mail.p + at + strlen("\nReply-To: ");
            value += *value == '<';
            if (!str_starts(value, HOUSE_ADDRESS))
                (void)snprintf(address, PLAYER_ADDRESS, "%.*s", (int)strcspn(value, "> \r\n"), value);
        }
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    ck_assert_msg(*address, "no mail to %s says where an answer goes", name);
}

/* Two mails and one word typed. */
static void join(const char *name)
{
    char to[PLAYER_ADDRESS], subject[64];
    (void)snprintf(subject, sizeof subject, "register %s", name);
    (void)post(name, HOUSE_ADDRESS, subject, "");
    reply_to(name, to);
    (void)post(name, to, "Re: One step more", "Ok.\n\n> answer this mail with the one word\n>\n> ok");
    ck_assert_ptr_nonnull(find(name));
    house_empty_spool(&house);
}

/* The last record of the registry, with what it seals. The caller releases it. */
static void last_record(struct record *record)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    bool erased;
    ck_ok(store_read(house.batch.log.store, REGISTRY_GAME, STORE_BEGIN, &lines, &err), err);
    const char *begin = memrchr(lines.p, '\n', lines.len - 1);
    begin = begin ? begin + 1 : lines.p;
    ck_ok(record_parse((struct slice){begin, lines.len - (size_t)(begin - lines.p)}, record, &err), err);
    ck_assert(!slice_str(&lines).p ||
              !strstr(begin, "\"evidence\":{\"mail\"")); /* nothing of it in the clear */
    ck_ok(registry_unseal(house.dir, record->json, &erased, &err), err);
    ck_assert(!erased);
    str_release(&lines);
}

/* What stands for a signature in the record is a mail that its domain has signed. */
static void proves(const json_t *fields, const char *from)
{
    const json_t *evidence = json_object_get(fields, "evidence");
    struct vouched vouched;
    struct dkim_claims claims;
    struct dkim_key key;
    struct str mail = STR_INIT, payload = STR_INIT;
    struct work work = WORK_INIT;
    json_t *refusal = NULL;
    unsigned char digest[32];
    ck_assert(vouched_read(json_object_get(fields, "vouched"), &vouched));
    const char *text = json_string_value(json_object_get(evidence, "mail"));
    const char *record = json_string_value(json_object_get(evidence, "record"));
    ck_assert(text && record && base64_decode(&mail, slice_of(text)));
    json_write(&payload, evidence);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)payload.p, payload.len, NULL, 0);
    ck_assert_mem_eq(digest, vouched.evidence, sizeof digest);
    ck_assert_int_eq(dkim_read(slice_str(&mail), house.now, &work, &claims, &refusal), OUTCOME_DONE);
    ck_assert_int_eq(dkim_key_read(slice_of(record), &key, &refusal), OUTCOME_DONE);
    ck_assert_int_eq(dkim_holds(&claims.list[0], &key, &refusal), OUTCOME_DONE);
    ck_assert_str_eq(claims.list[0].from.domain, vouched.domain);
    ck_assert_str_eq(claims.list[0].from.local, from);
    ck_assert_mem_eq(key.digest, vouched.key, 32);
    str_release(&mail);
    str_release(&payload);
}

/* ---- registering ---- */

START_TEST(two_mails_and_a_word_make_a_player)
{
    char to[PLAYER_ADDRESS];
    struct record record;
    int64_t records;
    believes("open");
    records = house.batch.log.seq;
    ck_assert_int_eq(post("zoe", HOUSE_ADDRESS, "Re: [EXTERNAL] Register Zoe!", "Sent from my telephone"),
                     INTAKE_PROCESSED);
    ck_assert_int_eq(house.batch.log.seq, records); /* nothing is stored */
    reply_to("zoe", to);
    ck_assert_msg(str_starts(to, "league+join.zoe."), "%s", to);
    house_told(&house, "zoe", 1, "answer this mail with the one word");
    restart();
    ck_assert_int_eq(post("zoe", to, "Re: One step more, zoe: answer \"ok\"",
                          "Ok\n\nOn Fri, 20 Nov 2026, Orion League wrote:\n> ok"),
                     INTAKE_PROCESSED);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert(find("zoe")->by_mail);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    house_told(&house, "zoe", 1, "You are registered, zoe. We will write to zoe@example.net");
    last_record(&record);
    proves(record.json, "zoe");
    record_release(&record);
    restart();
    ck_assert(find("zoe")->by_mail);
    ck_assert_ptr_null(keyring_damaged(&house.batch.keyring, "zoe"));
    ck_assert_ptr_null(player_absent(&house.batch.outside, "zoe"));
    (void)post("zoe", to, "Re: One step more", "ok"); /* typed again */
    house_told(&house, "zoe", 1, "who is registered already");
}
END_TEST

static const struct {
    const char *from, *to, *subject, *text,
        *words; /* words NULL: no answer of this kind, and nobody registers */
} wrong[] = {
    {"zoe@example.net", NULL, "Re: x", "Yes, but who are you?", "answer with the one word \"ok\""},
    {"zoe@example.net", NULL, "Re: x", "> ok", "answer with the one word \"ok\""},
    {"Zoe@example.net", NULL, "Re: x", "ok",
     "ok"}, /* the case of an address: the word does not fold it away */
    {"zoe+1@example.net", NULL, "Re: x", "ok", NULL},
    {"eve@example.net", NULL, "Re: x", "ok", NULL},
    {"zoe@example.net", "league+join.zoe.aaaaaaaaaaaaaaaa@example.org", "Re: x", "ok", "too old"},
    {"zoe@example.net", "league+join.mia.aaaaaaaaaaaaaaaa@example.org", "Re: x", "ok", "too old"},
};

START_TEST(nobody_else_says_ok)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    reply_to("zoe", to);
    house_empty_spool(&house);
    (void)post_from(wrong[_i].from, wrong[_i].to ? wrong[_i].to : to, wrong[_i].subject, wrong[_i].text);
    if (strcmp(wrong[_i].from, "Zoe@example.net") == 0)
        return;
    ck_assert_ptr_null(find("zoe"));
    ck_assert_ptr_null(find("mia"));
    if (wrong[_i].words)
        house_told(&house, "zoe", 1, wrong[_i].words);
}
END_TEST

/* A forged From, and a mail whose domain says nothing, are what they were. */
START_TEST(without_its_domain_a_mail_registers_nobody)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)house_mail(&house, "zoe", "register zoe", "");
    house_told(&house, "zoe", 1,
               "Without a key somebody can register here whose mail domain signs their mails.");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    reply_to("zoe", to);
    house_empty_spool(&house);
    str_clear(&house.last_raw);
    str_addf(&house.last_raw,
             "From: zoe@example.net\r\nTo: %s\r\nSubject: Re: x\r\nMessage-ID: <7@example.net>\r\nDate: Fri, "
             "20 Nov 2026 12:00:00 +0000\r\n\r\nok\r\n",
             to);
    (void)house_raw(&house, slice_str(&house.last_raw));
    ck_assert_ptr_null(find("zoe"));
}
END_TEST

/* The first question may lie among spam: whoever asks again is asked again, in a mail of their own each time. */
START_TEST(whoever_asks_again_is_asked_again)
{
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    house_told(&house, "zoe", 1, "answer this mail");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    house_told(&house, "zoe", 1, "answer this mail");
    struct str again = STR_INIT; /* the same, with a field that anybody can put on top */
    str_adds(&again, "X-Way: once more\r\n");
    str_addslice(&again, slice_str(&house.last_raw));
    for (int i = 0; i < 5; i++)
        (void)house_raw(&house, slice_str(&again));
    house_told(&house, "zoe", 0, NULL);
    str_release(&again);
}
END_TEST

/* Who runs a domain can sign what they like: it costs so many mails a day, with other names of the mailbox, too. */
START_TEST(a_mailbox_has_so_many_answers_a_day)
{
    char from[64];
    struct str mails;
    believes("open");
    house_option(&house, "\n[limits]", "stranger_replies = 5");
    restart();
    for (int i = 0; i < 20; i++) {
        (void)snprintf(from, sizeof from, "zoe%s%d@example.net", i ? "+" : "", i);
        (void)post_from(i ? from : "zoe@example.net", HOUSE_ADDRESS, "register zoe", "");
    }
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 5);
    ck_assert(house_says(mails.p, "This is our last answer to this address until"));
    str_release(&mails);
    house_empty_spool(&house);
    house.now += DAY;
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    house_told(&house, "zoe", 1, "answer this mail");
}
END_TEST

START_TEST(a_domain_of_ones_own_has_room_for_some)
{
    struct str mails;
    believes("open");
    house_option(&house, "\n[limits]", "players_per_domain = 2");
    restart();
    join("zoe");
    join("mia");
    (void)post("bea", HOUSE_ADDRESS, "register bea", "");
    house_told(&house, "bea", 1, "2 players of this league have their mailbox at example.net already");
    resolver_tell(house.league.resolver, "mail._domainkey.a.example.net", domain.record.p, clock_system());
    (void)post_from("eve@a.example.net", HOUSE_ADDRESS, "register eve", "");
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert(house_says(mails.p, "have their mailbox at example.net already"));
    str_release(&mails);
    house_empty_spool(&house);
    house_option(&house, "[league]", "shared_domains = example.com example.net");
    restart();
    house.now += DAY;
    join("bea");
}
END_TEST

/* They are thanked, the person there for questions hears of it, and "ok" to that answer is not too late. */
START_TEST(no_to_an_invitation)
{
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS];
    struct str mails, told, address = STR_INIT;
    believes("invite");
    free(house.league.config.league.contact);
    house.league.config.league.contact = mem_strdup("petra@example.net");
    (void)house_signed(&house, "mona", "mona", "#turnpost invite\nfor: zoe\n#end\n");
    (void)house_mails(&house, "mona", &mails);
    const char *at = strstr(mails.p, "league+invite.");
    ck_assert_msg(at != NULL, "%s", mails.p);
    (void)snprintf(word, sizeof word, "%.26s", at + strlen("league+invite."));
    house_empty_spool(&house);
    keyless_invitation(&address, &house.league, word, NULL);
    (void)snprintf(to, sizeof to, "%s", address.p);
    (void)post("zoe", to, "Re: You are invited", "No, thank you");
    ck_assert_ptr_null(find("zoe"));
    (void)house_mails(&house, NULL, &told);
    ck_assert_msg(strstr(told.p, "Thank you for your answer") &&
                      strstr(told.p, "zoe@example.net does not want to play"),
                  "%s", told.p);
    str_release(&told);
    domain.signs_to = true;
    (void)post("zoe", to, "Re: Re: You are invited", "ok");
    ck_assert_ptr_nonnull(find("zoe"));
    str_release(&mails);
    str_release(&address);
}
END_TEST

START_TEST(an_invitation_takes_one_mail)
{
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS];
    struct str mails, address = STR_INIT;
    believes("invite");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    ck_assert_ptr_null(find("zoe"));
    house_told(&house, "zoe", 1, "you need an invitation");
    for (int i = 0; i < 2; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "#turnpost invite\nfor: friend %d\n#end\n", i);
        (void)house_signed(&house, "mona", "mona", text);
        (void)house_mails(&house, "mona", &mails);
        const char *at = strstr(mails.p, "league+invite.");
        ck_assert_msg(at != NULL, "%s", mails.p);
        (void)snprintf(word, sizeof word, "%.26s", at + strlen("league+invite."));
        str_release(&mails);
        house_empty_spool(&house);
        str_clear(&address);
        keyless_invitation(&address, &house.league, word, NULL);
        (void)snprintf(to, sizeof to, "%s", address.p);
        if (i == 0) {
            domain.signs_to = true;
            (void)post("zoe", to, "register zoe", "");
            domain.signs_to = false;
            ck_assert(find("zoe") && find("zoe")->by_mail);
            house_told(&house, "zoe", 1, "You are registered, zoe");
        } else { /* "ok", and what the mailbox is called; but not any "ok" that somebody sends on */
            (void)post("bea", to, "Re: Lunch?", "ok");
            ck_assert_ptr_null(find("bea"));
            house_told(&house, "bea", 1, "which invitation");
            char quoted[100];
            (void)snprintf(quoted, sizeof quoted, "ok\n\n> as your mail program quotes it (%s)", word);
            (void)post("bea", to, "Re: An invitation", quoted);
            ck_assert(find("bea") && find("bea")->by_mail);
            house_told(&house, "bea", 1, "You are registered, bea");
        }
        (void)post("eve", to, "register eve", "");
        ck_assert_ptr_null(find("eve"));
        house_told(&house, "eve", 1, "used already");
    }
    str_release(&address);
}
END_TEST

/* What is kept of addresses that want no mail is bounded, for whoever signs for a whole domain. */
START_TEST(so_many_of_a_domain_stop)
{
    char from[40];
    int stopped = 0;
    believes("open");
    domain.signs_to = true;
    for (int i = 0; i < BUDGET_FEW + 5; i++) {
        struct str mails;
        (void)snprintf(from, sizeof from, "z%d@example.net", i);
        (void)post_from(from, HOUSE_ADDRESS, "stop", "");
        (void)house_mails(&house, NULL, &mails);
        stopped += house_says(mails.p, "This is the last mail to this address");
        str_release(&mails);
        house_empty_spool(&house);
    }
    ck_assert_int_eq(stopped, BUDGET_FEW);
}
END_TEST

/* Whoever gets a mail can send it in, and says where it is delivered: what Zoe has written to Eve does nothing here that she
 * is not asked about, whether her domain signs To or not. */
START_TEST(what_was_written_to_others_is_asked_about)
{
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS], text[160];
    struct str mails, address = STR_INIT;
    believes("invite");
    (void)house_signed(&house, "mona", "mona", "#turnpost invite\nfor: a friend\n#end\n");
    (void)house_mails(&house, "mona", &mails);
    (void)snprintf(word, sizeof word, "%.26s", strstr(mails.p, "league+invite.") + strlen("league+invite."));
    str_release(&mails);
    house_empty_spool(&house);
    keyless_invitation(&address, &house.league, word, NULL);
    pass_on(address.p, "register zoe", "");
    ck_assert_uint_eq(house.batch.registry.count, 1);
    reply_to("zoe", to);
    house_empty_spool(&house);
    pass_on(address.p, "Re: Lunch?", "ok");
    pass_on(HOUSE_ADDRESS, "register zoe", "");
    ck_assert_uint_eq(house.batch.registry.count, 1);
    house_empty_spool(&house);
    (void)snprintf(text, sizeof text, "ok\n\n> Your invitation (%s) is good.\n", word);
    (void)post("zoe", to, "Re: Your invitation", text); /* she answers what we have asked her */
    ck_assert_ptr_nonnull(find("zoe"));
    pass_on(HOUSE_ADDRESS, "stop", "");
    ck_assert(!find("zoe")->quiet);
    str_release(&address);
}
END_TEST

/* There was no time to ask Zoe's name servers, as strangers' domains have used it up: her mail waits, at most three days,
 * and counts when they have answered. */
START_TEST(a_newcomer_waits_for_name_servers)
{
    struct err err = ERR_INIT;
    struct str spent = STR_INIT;
    believes("open");
    str_addf(&spent,
             "{\"all\":0,\"asked\":{},\"names\":[],\"others\":[-999999,%lld],\"players\":[0,0],\"window\":0}",
             (long long)clock_system());
    ck_ok(resolver_read(house.league.resolver, slice_str(&spent), &err), err);
    str_release(&spent);
    ck_assert_int_eq(post_from("zoe@away.test", HOUSE_ADDRESS, "register zoe", ""), INTAKE_KEPT);
    house_told(&house, "zoe", 0, NULL);
    ck_assert_int_eq(house_raw(&house, slice_str(&house.last_raw)), INTAKE_KEPT);
    if (_i == 0) {
        resolver_tell(house.league.resolver, "mail._domainkey.away.test", domain.record.p, clock_system());
        ck_assert_int_eq(house_raw(&house, slice_str(&house.last_raw)), INTAKE_PROCESSED);
        house_told(&house, NULL, 1, "answer this mail with the one word");
        return;
    }
    house.arrived = house.now;
    house.now += 3 * DAY + 1;
    ck_assert_int_ne(house_raw(&house, slice_str(&house.last_raw)), INTAKE_KEPT);
    house_told(&house, NULL, 1, "could not be asked for just now");
}
END_TEST

/* A flood of them does not stay: few of a domain, and not many of all. */
START_TEST(few_newcomers_wait)
{
    struct err err = ERR_INIT;
    struct str spent = STR_INIT;
    char from[40];
    size_t kept = 0;
    believes("open");
    str_addf(&spent,
             "{\"all\":0,\"asked\":{},\"names\":[],\"others\":[-999999,%lld],\"players\":[0,0],\"window\":0}",
             (long long)clock_system() + DAY);
    ck_ok(resolver_read(house.league.resolver, slice_str(&spent), &err), err);
    str_release(&spent);
    for (int i = 0; i < 30; i++)
        kept += post_from("zoe@n.away.test", HOUSE_ADDRESS, "register zoe", "") == INTAKE_KEPT;
    ck_assert_uint_eq(kept, 20);
    for (int i = 0; i < 300; i++) {
        (void)snprintf(from, sizeof from, "zoe@n%d.test", i);
        kept += post_from(from, HOUSE_ADDRESS, "register zoe", "") == INTAKE_KEPT;
    }
    ck_assert_uint_eq(kept, 200);
    ck_assert_int_ne(post_from("zoe@new.test", HOUSE_ADDRESS, "help", ""), INTAKE_KEPT); /* needs no domain */
}
END_TEST

/* Above our question "help" brings help, and the question stays as it is. */
START_TEST(a_newcomer_asks_for_help)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "register zoe", "");
    reply_to("zoe", to);
    house_empty_spool(&house);
    (void)post("zoe", to, "Re: One step more", "Help!\n\n> answer this mail with the one word\n");
    house_told(&house, "zoe", 1, "What you can send to");
    (void)post("zoe", to, "Re: One step more", "ok\n\n> answer this mail with the one word\n");
    ck_assert_ptr_nonnull(find("zoe"));
}
END_TEST

/* A name that cannot be written here is proposed in another form, and never taken without an answer. */
START_TEST(a_name_that_cannot_be_written)
{
    static const struct {
        const char *subject, *name, *display;
    } names[] = {{"=?utf-8?q?register_J=C3=BCrgen?=", "juergen", "Jürgen"},
                 {"=?utf-8?q?register_Ju=CC=88rgen?=", "juergen", "Jürgen"}, /* the mark after its letter */
                 {"=?utf-8?b?cmVnaXN0ZXIgxYF1a2FzeiBOb3dhaw==?=", "lukasz-nowak", "Łukasz Nowak"},
                 {"=?utf-8?b?cmVnaXN0ZXIg0JLQu9Cw0LTQuNC80LjRgA==?=", "zoe", "Владимир"}, /* the mailbox's */
                 {"register Anna Maria", "anna-maria", "Anna Maria"},
                 {"register =?utf-8?q?J=C3=BCrgen_=E2=80=AEx?=", "juergen-x", ""}}; /* turned round */
    char word[TOKEN_TEXT] = "", to[PLAYER_ADDRESS], text[160];
    struct str mails;
    believes("invite");
    (void)house_signed(&house, "mona", "mona", "#turnpost invite\nfor: a friend\n#end\n");
    (void)house_mails(&house, "mona", &mails);
    (void)snprintf(word, sizeof word, "%.26s", strstr(mails.p, "league+invite.") + strlen("league+invite."));
    str_release(&mails);
    house_empty_spool(&house);
    (void)snprintf(text, sizeof text, "invite: %s\n", word);
    (void)post("zoe", HOUSE_ADDRESS, names[_i].subject, text);
    ck_assert_uint_eq(house.batch.registry.count, 1);
    reply_to("zoe", to);
    (void)snprintf(text, sizeof text, "To play as %s, press Reply and type: ok", names[_i].name);
    house_told(&house, "zoe", 1, text);
    house_empty_spool(&house);
    (void)snprintf(text, sizeof text, "ok\n\n> Your invitation (%s) is good.\n", word);
    (void)post("zoe", to, names[_i].subject, text);
    ck_assert_ptr_nonnull(find(names[_i].name));
    ck_assert_str_eq(find(names[_i].name)->display, names[_i].display);
    ck_assert_uint_eq(house.batch.registry.count, 2);
    restart();
    ck_assert_str_eq(find(names[_i].name)->display, names[_i].display);
}
END_TEST

/* Where anybody may register, too: they are asked with the name, and the subject of the answer says how it is written. */
START_TEST(a_name_beside_it)
{
    static const char subject[] =
        "Re: Register =?utf-8?q?Jos=C3=A9_Mar=C3=ADa=3F?= One step more: answer \"ok\"";
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)post("zoe", HOUSE_ADDRESS, "=?utf-8?q?register_Jos=C3=A9_Mar=C3=ADa?=", "");
    reply_to("zoe", to);
    ck_assert_msg(str_starts(to, "league+join.jose-maria."), "%s", to);
    house_told(&house, "zoe", 1, "to play in this league as José María (jose-maria), by mails from");
    (void)post("zoe", to, subject, "ok");
    ck_assert_ptr_nonnull(find("jose-maria"));
    ck_assert_str_eq(find("jose-maria")->display, "José María");
    house_told(&house, "zoe", 1, "You are called José María where people read it, and jose-maria in orders");
    (void)post("zoe", HOUSE_ADDRESS, "status", "");
    house_told(&house, "zoe", 1, "José María (jose-maria): no turn has waited");
}
END_TEST

/* Their domain says that it is they who want no more, so it needs no word. */
START_TEST(stop_works_at_once)
{
    believes("open");
    join("zoe");
    (void)post("zoe", "eve@example.net", "Stop", "");
    (void)post("zoe", HOUSE_ADDRESS, "Re: hello", "Stop joking");
    ck_assert(!find("zoe")->quiet);
    house_empty_spool(&house);
    (void)post("zoe", HOUSE_ADDRESS, "stop", ""); /* it may have gone to a friend, who has sent it here */
    ck_assert(!find("zoe")->quiet);
    house_told(&house, "zoe", 1, "Nothing has been changed yet");
    domain.signs_to = true;
    (void)post("zoe", HOUSE_ADDRESS, "Stop.", "");
    ck_assert(find("zoe")->quiet);
    house_told(&house, "zoe", 1, "You get no more mails");
    (void)post("eve", HOUSE_ADDRESS, "unsubscribe", "");
    house_told(&house, "eve", 1, "This is the last mail to this address");
    restart();
    (void)post("eve", HOUSE_ADDRESS, "games", "");
    (void)house_mail(&house, "eve", "register", "");
    house_told(&house, "eve", 0, NULL);
    join("eve"); /* they want it again */
    (void)post("eve", HOUSE_ADDRESS, "games", "");
    house_told(&house, "eve", 1, NULL);
}
END_TEST

/* ---- the first key ---- */

static void print_of(const char *name, char print[KEY_FINGERPRINT])
{
    struct pubkey key;
    secret_public(house_key(&house, name), &key);
    pubkey_fingerprint(print, &key);
}

/* The text that asks for it, signed by that key, in a mail from the address. */
static void ask_key(const char *from)
{
    char print[KEY_FINGERPRINT], text[200];
    struct str body = STR_INIT;
    print_of("zoe", print);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: zoe\nadd: %s\n#end\n", print);
    house_sign(&house, "zoe", text, &body);
    (void)post_from(from, HOUSE_ADDRESS, "my key", body.p);
    str_release(&body);
}

/* The same text, for the key of somebody who has sent it to Zoe: she asks them what it is, or the league. */
static void quote_key(const char *to, const char *front, const char *mark)
{
    char print[KEY_FINGERPRINT], text[200];
    struct str body = STR_INIT, all = STR_INIT;
    struct slice rest, line;
    print_of("eve", print);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: zoe\nadd: %s\n#end\n", print);
    house_sign(&house, "eve", text, &body);
    str_adds(&all, front);
    for (rest = slice_str(&body); slice_line(&rest, &line);)
        str_addf(&all, "%s%.*s\n", mark, (int)line.len, line.p);
    (void)post_from("zoe@example.net", to, "Re: hello", all.p);
    str_release(&body);
    str_release(&all);
}

static size_t count_keys(const char *name)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    return keyring_of(&house.batch.keyring, name, keys);
}

START_TEST(a_first_key_waits_and_then_it_alone_counts)
{
    static const char *const pair[] = {"zoe", "bob"};
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    house_player(&house, "bob");
    house_game(&house, "gc-1", "galaxy-command", 5 * DAY, 2, pair);
    ck_assert(game_takes_mail(house_find(&house, "gc-1"), 1));
    house_empty_spool(&house);
    ask_key("eve@example.net");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    house_empty_spool(&house);
    house.now += DAY / 24;
    ask_key("Zoe@example.net"); /* as telephones write it */
    if (!find("zoe")->rekey.time)
        house_told(&house, "zoe", 1, "in force");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert(house_says(mails.p, "has sent mails without a key until now"));
    str_release(&mails);
    house_told(&house, "zoe", 1, "It comes into force");
    house_clock(&house, house.now + REKEY_WAIT - 60);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    house_clock(&house, house.now + 120);
    ck_assert_uint_eq(count_keys("zoe"), 1);
    ck_assert(!find("zoe")->by_mail);
    ck_assert_uint_eq(house_find(&house, "gc-1")->seat[1].key_count, 1);
    ck_assert(!game_takes_mail(house_find(&house, "gc-1"), 1));
    restart();
    ck_assert_uint_eq(count_keys("zoe"), 1);
    (void)house_signed(&house, "zoe", "zoe", "#turnpost prefs\njson: yes\n#end\n");
    ck_assert(find("zoe")->json);
}
END_TEST

START_TEST(what_is_quoted_asks_for_no_key)
{
    believes("open");
    (void)house_person(&house, "zoe");
    (void)house_person(&house, "eve");
    join("zoe");
    quote_key("eve@example.net", "What is that?\n\nOn Fri, 20 Nov 2026 at 12:00, Eve wrote:\n", "> ");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    house_told(&house, "zoe", 1, "what zoe quotes or passes on");
    quote_key(HOUSE_ADDRESS, "What is that?\n\n-----Original Message-----\nFrom: Eve\nSent: today\n\n", "");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    quote_key(HOUSE_ADDRESS, "", "");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
}
END_TEST

START_TEST(an_answer_stops_it)
{
    char to[PLAYER_ADDRESS];
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    ask_key("zoe@example.net");
    reply_to("zoe", to);
    house_empty_spool(&house);
    ck_assert_msg(str_starts(to, "league+veto.zoe."), "%s", to);
    (void)post("eve", to, "Re: A first key", "no");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    (void)post("zoe", to, "Re: A first key", "yes please");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    house_empty_spool(&house);
    (void)post("zoe", to, "Re: A first key", "No.\n\n> no");
    ck_assert_int_eq(find("zoe")->rekey.time, 0);
    house_told(&house, "zoe", 1, "has said no to the new key for zoe");
    house_clock(&house, house.now + 3 * DAY);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    ck_assert(find("zoe")->by_mail);
}
END_TEST

/* ---- giving it up ---- */

static void drop_key(const char *name, const char *line)
{
    char print[KEY_FINGERPRINT], text[200];
    print_of(name, print);
    (void)snprintf(text, sizeof text, "#turnpost key\nrevoke: %s\n%s#end\n", print, line);
    (void)house_signed(&house, name, name, text);
}

START_TEST(only_a_signed_text_gives_the_last_key_up)
{
    static const char *const pair[] = {"bob", "carl"};
    believes("open");
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_game(&house, "gc-1", "galaxy-command", 5 * DAY, 2, pair);
    house_empty_spool(&house);
    drop_key("bob", "");
    house_told(&house, "bob", 1, "puts in the line \"trust: mail\"");
    drop_key("bob", "trust: none\n");
    house_told(&house, "bob", 1, "The line \"trust:\" takes \"mail\"");
    drop_key("mona", "trust: mail\n");
    house_told(&house, "mona", 1, "Moderators need a key");
    (void)house_signed(&house, "bob", "bob", "#turnpost key\nplayer: bob\ntrust: mail\n#end\n");
    house_told(&house, "bob", 1, "names no key to add or to revoke");
    ck_assert_uint_eq(count_keys("bob"), 1);
    drop_key("bob", "trust: mail\n");
    house_told(&house, "bob", 1, "There is no key any more");
    ck_assert_uint_eq(count_keys("bob"), 0);
    ck_assert(find("bob")->by_mail);
    ck_assert_uint_eq(house_find(&house, "gc-1")->seat[1].key_count, 0);
    ck_assert(game_takes_mail(house_find(&house, "gc-1"), 1));
    restart();
    ck_assert(find("bob")->by_mail);
    ck_assert_ptr_null(player_absent(&house.batch.outside, "bob"));
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", "#turnpost prefs\njson: yes\n#end\n");
    ck_assert(!find("bob")->json);
}
END_TEST

START_TEST(a_game_of_keys_keeps_the_key)
{
    static const char *const pair[] = {"bob", "carl"};
    believes("open");
    house.by_mail = false;
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_game(&house, "gc-1", "galaxy-command", 5 * DAY, 2, pair);
    house_empty_spool(&house);
    drop_key("bob", "trust: mail\n");
    house_told(&house, "bob", 1, "In game gc-1 only keys count");
    ck_assert_uint_eq(count_keys("bob"), 1);
}
END_TEST

/* ---- a league of keys ---- */

START_TEST(a_league_of_keys_is_as_it_was)
{
    house_option(&house, "[league]", "registration = open");
    house_restart(&house);
    (void)house_mail(&house, "zoe", "register zoe", "");
    struct str mails;
    (void)house_mails(&house, "zoe", &mails);
    ck_assert_ptr_null(strstr(mails.p, "mail domain"));
    str_release(&mails);
    house_player(&house, "bob");
    house_empty_spool(&house);
    drop_key("bob", "trust: mail\n");
    house_told(&house, "bob", 1, "In this league only keys count");
}
END_TEST

/* ---- addresses, and leaving ---- */

/* Answers the last mail to that address of ours, from another one. */
static void answer_from(const char *from, const char *to_whom, const char *text)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char to[PLAYER_ADDRESS] = "", subject[200] = "";
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing letter;
        ck_ok(spool_load(house.batch.spool, list.path[i], &letter, &err), err);
        const char *reply = strstr(letter.mail.p, "\nReply-To: "),
                   *title = strstr(letter.mail.p, "Subject: ");
        if (strcmp(letter.envelope_to, to_whom) == 0 && reply && title) {
            reply += strlen("\nReply-To: ");
            reply += *reply == '<';
            (void)snprintf(to, sizeof to, "%.*s", (int)strcspn(reply, "> \r\n"), reply);
            (void)snprintf(subject, sizeof subject, "Re: %.*s", (int)strcspn(title + 9, "\r\n"), title + 9);
        }
        outgoing_release(&letter);
    }
    spool_list_free(&list);
    ck_assert_msg(*to, "no mail to %s says where an answer goes", to_whom);
    (void)post_from(from, to, subject, text);
}

static void wish(const char *name, const char *words)
{
    domain.signs_to = true;
    house_empty_spool(&house);
    (void)post(name, HOUSE_ADDRESS, words, "");
}

/* Zoe answers our question with "ok" and the word that it names. */
static void answer_with_word(void)
{
    char word[80];
    struct str mails;
    (void)house_mails(&house, "zoe", &mails);
    (void)snprintf(word, sizeof word, "ok %.6s", strstr(mails.p, "type: ok ") + strlen("type: ok "));
    str_release(&mails);
    answer_from("zoe@example.net", "zoe@example.net", word);
}

/* Nobody makes us write to somebody who wants no mail from us. */
START_TEST(who_said_stop_is_not_asked_for_their_address)
{
    believes("open");
    join("zoe");
    domain.signs_to = true;
    (void)post("eve", HOUSE_ADDRESS, "stop", "");
    wish("zoe", "address eve@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    ck_assert_str_eq(find("zoe")->move.address, "eve@example.net");
    house_told(&house, "eve", 0, NULL);
}
END_TEST

/* Both mailboxes have to say it, and no other one. */
START_TEST(an_address_moves_when_both_agree)
{
    believes("open");
    join("zoe");
    wish("zoe", "address zoe-new@example.net");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    ck_assert(find("zoe")->move.time);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    answer_from("zoe@example.net", "zoe-new@example.net", "ok");
    answer_from("eve@example.net", "zoe-new@example.net", "ok");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "What is this?");
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    restart();
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    struct str mails;
    (void)house_mails(&house, "zoe", &mails);
    ck_assert(house_says(mails.p, "Your addresses are now"));
    str_release(&mails);
    /* The old one is nobody's now, and an answer to its mails does nothing. */
    answer_from("zoe@example.net", "zoe@example.net", "no");
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
}
END_TEST

START_TEST(no_ends_a_move)
{
    believes("open");
    join("zoe");
    wish("zoe", "address zoe-new@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("eve@example.net", "zoe@example.net", "no");
    ck_assert(find("zoe")->move.time);
    answer_from("zoe@example.net", "zoe@example.net", "no");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
}
END_TEST

/* A second address is added when both agree; replaced, or given up, it is after a week in which it can say no. */
START_TEST(a_second_address)
{
    believes("open");
    join("zoe");
    wish("zoe", "second zoe-2@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("zoe-2@example.net", "zoe-2@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
    for (int says_no = 1; says_no >= 0; says_no--) {
        wish("zoe", "second no");
        answer_from("zoe@example.net", "zoe@example.net", "ok");
        ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
        house_clock(&house, house.now + MOVE_WAIT - 3600);
        ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
        if (says_no)
            answer_from("zoe-2@example.net", "zoe-2@example.net", "No");
        house_empty_spool(&house);
        house_clock(&house, house.now + 7200);
        ck_assert_str_eq(find("zoe")->address2, says_no ? "zoe-2@example.net" : "");
    }
    house_told(&house, "zoe-2", 1, "Your addresses are now"); /* it is hers no more */
    /* From there a first address is not moved. */
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
}
END_TEST

static void add_second(void)
{
    join("zoe");
    wish("zoe", "second zoe-2@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("zoe-2@example.net", "zoe-2@example.net", "ok");
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
}

/* Who has stolen the first mailbox can drop what comes there. */
START_TEST(what_is_done_is_told_at_the_second)
{
    static const char *const mails[][2] = {{"display Queen Zoe", "Queen Zoe"},
                                           {"mute mona", "mona"},
                                           {"vacation 2026-12-24 to 2026-12-28", "2026-12-24"}};
    believes("open");
    add_second();
    for (size_t i = 0; i < sizeof mails / sizeof *mails; i++) {
        wish("zoe", mails[i][0]);
        house_told(&house, "zoe-2", 1, mails[i][1]);
    }
    wish("zoe", "help"); /* nothing is done */
    house_told(&house, "zoe-2", 0, NULL);
}
END_TEST

/* For as long as it waits, however short other words of the league are valid. */
START_TEST(a_no_is_good_to_the_end)
{
    house_option(&house, "[league]", "token_expire = 1h");
    believes("open");
    add_second();
    wish("zoe", "second no");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    answer_from("zoe-2@example.net", "zoe-2@example.net", "no");
    house_clock(&house, house.now + 7200);
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
}
END_TEST

/* Whoever runs a domain cannot have people come by another one and move to it. */
START_TEST(a_full_domain_is_no_place_to_move_to)
{
    house_option(&house, "\n[limits]", "players_per_domain = 2");
    believes("open");
    join("zoe");
    join("mia");
    resolver_tell(house.league.resolver, "mail._domainkey.elsewhere.test", domain.record.p, clock_system());
    (void)post_from("bea@elsewhere.test", HOUSE_ADDRESS, "register bea", "");
    answer_from("bea@elsewhere.test", "bea@elsewhere.test", "ok");
    ck_assert_ptr_nonnull(find("bea"));
    for (int full = 1; full >= 0; full--) {
        house_empty_spool(&house);
        domain.signs_to = true;
        (void)post_from("bea@elsewhere.test", HOUSE_ADDRESS, "address bea@example.net", "");
        answer_from("bea@elsewhere.test", "bea@elsewhere.test", "ok");
        answer_from("bea@example.net", "bea@example.net", "ok");
        ck_assert_str_eq(find("bea")->address, full ? "bea@elsewhere.test" : "bea@example.net");
        house.league.config.limits.players_per_domain = 3;
    }
}
END_TEST

/* Whose mailbox is lost: a moderator asks, the new one agrees, and a week passes in which the old one can say no. */
START_TEST(a_lost_mailbox)
{
    static const char text[] =
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n";
    believes("open");
    join("zoe");
    for (int says_no = 1; says_no >= 0; says_no--) {
        house.now += 60;
        (void)house_signed(&house, "mona", "mona", text);
        ck_assert(find("zoe")->move.time);
        answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
        ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
        house_clock(&house, house.now + MOVE_WAIT - 3600);
        ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
        if (says_no)
            answer_from("zoe@example.net", "zoe@example.net", "no");
        house_clock(&house, house.now + 7200);
        ck_assert_str_eq(find("zoe")->address, says_no ? "zoe@example.net" : "zoe-new@example.net");
        house_empty_spool(&house);
    }
}
END_TEST

/* Never without the new mailbox, however long it takes. */
START_TEST(a_mailbox_that_does_not_agree)
{
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    (void)house_signed(&house, "mona", "mona",
                       "#turnpost rekey\nplayer: zoe\naddress: eve@example.net\nreason: she called\n#end\n");
    ask_key("zoe@example.net"); /* it waits no longer than the others could agree */
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    house_clock(&house, house.now + 2 * MOVE_WAIT);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    ck_assert_uint_eq(count_keys("zoe"), 1);
}
END_TEST

/* It takes a word, and 72 hours in which any of their addresses can stop it. */
START_TEST(leaving_waits)
{
    believes("open");
    join("zoe");
    for (int says_no = 1; says_no >= 0; says_no--) {
        wish("zoe", "erase");
        answer_from("zoe@example.net", "zoe@example.net", "ok");
        ck_assert_int_eq(find("zoe")->leaves, 0);
        answer_with_word();
        ck_assert_int_eq(find("zoe")->leaves, house.now + LEAVE_WAIT);
        house_clock(&house, house.now + LEAVE_WAIT - 3600);
        ck_assert_ptr_nonnull(find("zoe"));
        if (says_no)
            answer_from("zoe@example.net", "zoe@example.net", "no");
        house_clock(&house, house.now + 7200);
        ck_assert((find("zoe") != NULL) == says_no);
    }
    house_told(&house, "zoe", 1, "You are no player");
}
END_TEST

/* Zoe, who is to be erased, and whose mailbox somebody wants to replace: that one has agreed already. */
static void leaves_and_moves(void)
{
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    wish("zoe", "erase");
    answer_with_word();
    ck_assert_int_eq(find("zoe")->leaves, house.now + LEAVE_WAIT);
    (void)house_signed(
        &house, "mona", "mona",
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    ck_assert(find("zoe")->move.agreed);
}

/* Nobody who is banned is gone three days later, and free to come again. */
START_TEST(a_ban_ends_them)
{
    leaves_and_moves();
    (void)house_signed(&house, "mona", "mona", "#turnpost moderate\ndo: ban zoe\nreason: Two seats.\n#end\n");
    ck_assert(find("zoe")->banned);
    house_clock(&house, house.now + 2 * MOVE_WAIT);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
}
END_TEST

/* A mailbox that is said to be lost: who has it gets no key of their own first, has nobody erased, and asks for nothing that would
 * end the move without a word. */
START_TEST(a_lost_mailbox_wins_no_race)
{
    leaves_and_moves();
    ask_key("zoe@example.net");
    wish("zoe", "address eve@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    ck_assert_str_eq(find("zoe")->move.address, "zoe-new@example.net");
    house_told(&house, "zoe", 2, "The moderator mona says that your mailbox is lost");
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_uint_eq(count_keys("zoe"), 0);
    house_clock(&house, house.now + 7200);
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
    house_clock(&house, house.now + 2 * MOVE_WAIT);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_uint_eq(count_keys("zoe"), 0);
}
END_TEST

/* A "no" ends the move; what was asked for comes then, as the mailbox is theirs. */
START_TEST(a_mailbox_that_is_not_lost)
{
    struct str to = STR_INIT;
    leaves_and_moves();
    ask_key("zoe@example.net");
    keyless_veto_move(&to, &house.league, find("zoe"), house.now);
    (void)post_from("zoe@example.net", to.p, "Re: A new address", "no");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    house_clock(&house, house.now + LEAVE_WAIT - 60);
    ck_assert_ptr_nonnull(find("zoe"));
    house_clock(&house, house.now + 120);
    ck_assert_ptr_null(find("zoe"));
    str_release(&to);
}
END_TEST

/* What another "ok" would leave in the journal, of whoever has that mailbox. */
START_TEST(it_agrees_once)
{
    struct str to = STR_INIT;
    leaves_and_moves();
    const int64_t seq = house.batch.log.seq;
    keyless_move(&to, &house.league, find("zoe"), house.now);
    (void)post_from("zoe-new@example.net", to.p, "Re: that address", "ok");
    (void)post_from("zoe-new@example.net", to.p, "Re: that address", "Yes!");
    ck_assert_int_eq(house.batch.log.seq, seq);
    str_release(&to);
}
END_TEST

/* Who stops it for them is answered, and their address is told to nobody. */
START_TEST(a_moderator_stops_it)
{
    struct str mails;
    leaves_and_moves();
    house_empty_spool(&house);
    (void)house_signed(&house, "mona", "mona", "#turnpost veto\nplayer: zoe\n#end\n");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    ck_assert_int_eq(house_mails(&house, "mona", &mails), 1);
    ck_assert(house_says(mails.p, "The addresses of zoe stay as they are"));
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, "zoe", &mails), 1);
    ck_assert(house_says(mails.p, "The addresses of zoe stay as they are"));
    ck_assert(!house_says(mails.p, "mona@example"));
    ck_assert_ptr_null(strstr(mails.p, "In-Reply-To"));
    str_release(&mails);
}
END_TEST

/* Whoever has the mailbox that agreed has become another player within the week. */
START_TEST(an_address_is_taken_meanwhile)
{
    believes("open");
    join("zoe");
    (void)house_signed(
        &house, "mona", "mona",
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    house_empty_spool(&house);
    join("zoe-new");
    house_clock(&house, house.now + MOVE_WAIT + 60);
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    ck_assert_int_eq(find("zoe")->move.time, 0);
    for (int moderator = 0; moderator < 2; moderator++) {
        struct str mails;
        ck_assert_int_eq(house_mails(&house, moderator ? "mona" : "zoe", &mails), 1);
        ck_assert(house_says(
            mails.p, "zoe-new@example.net belongs to another player by now. The addresses of zoe stay"));
        str_release(&mails);
    }
}
END_TEST

/* Her file was damaged the day before she would have been erased, or moved; a day later it is put back, and a day is left in
 * which she may say no. */
START_TEST(who_was_not_heard_has_what_was_left)
{
    believes("open");
    join("zoe");
    if (_i) {
        (void)house_signed(
            &house, "mona", "mona",
            "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
        answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    } else {
        wish("zoe", "erase");
        answer_with_word();
    }
    const int64_t until = _i ? find("zoe")->move.time : find("zoe")->leaves;
    house_clock(&house, until - 86400);
    house_end(&house);
    house_shell(&house, "mv players/zoe.json . && echo '{' >players/zoe.json");
    house_begin(&house);
    house_clock(&house, until + 86400);
    house_end(&house);
    house_shell(&house, "mv zoe.json players/");
    house_begin(&house);
    house_restart(&house);
    house_clock(&house, house.now + 86400 - 10);
    ck_assert_ptr_nonnull(find("zoe"));
    ck_assert_str_eq(find("zoe")->address, "zoe@example.net");
    house_clock(&house, house.now + 20);
    ck_assert(_i ? strcmp(find("zoe")->address, "zoe-new@example.net") == 0 : !find("zoe"));
}
END_TEST

/* Both addresses hear of it, also whoever does not read the first one any more. */
START_TEST(both_addresses_are_told_that_all_is_erased)
{
    struct str mails;
    believes("open");
    join("zoe");
    wish("zoe", "second zoe-2@example.net");
    answer_from("zoe@example.net", "zoe@example.net", "ok");
    answer_from("zoe-2@example.net", "zoe-2@example.net", "ok");
    wish("zoe", "erase");
    answer_with_word();
    house_empty_spool(&house);
    ck_assert_str_eq(find("zoe")->address2, "zoe-2@example.net");
    house_clock(&house, house.now + LEAVE_WAIT + 60);
    ck_assert_ptr_null(find("zoe"));
    for (int second = 0; second < 2; second++) {
        ck_assert_int_eq(house_mails(&house, second ? "zoe-2" : "zoe", &mails), 1);
        ck_assert(house_says(mails.p, "You are no player"));
        str_release(&mails);
    }
}
END_TEST

/* What somebody asked for from the mailbox that is lost is void with it: whoever has the new one was not told of that. */
START_TEST(a_lost_mailbox_asks_for_a_key)
{
    believes("open");
    (void)house_person(&house, "zoe");
    join("zoe");
    (void)house_signed(
        &house, "mona", "mona",
        "#turnpost rekey\nplayer: zoe\naddress: zoe-new@example.net\nreason: she called\n#end\n");
    answer_from("zoe-new@example.net", "zoe-new@example.net", "ok");
    house_clock(&house, house.now + MOVE_WAIT - 3600);
    ask_key("zoe@example.net");
    ck_assert_int_ne(find("zoe")->rekey.time, 0);
    house_clock(&house, house.now + 7200);
    ck_assert_str_eq(find("zoe")->address, "zoe-new@example.net");
    house_clock(&house, house.now + 2 * REKEY_WAIT);
    ck_assert_uint_eq(count_keys("zoe"), 0);
    ck_assert(find("zoe")->by_mail);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, two_mails_and_a_word_make_a_player);
    tcase_add_loop_test(tc, nobody_else_says_ok, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tc, without_its_domain_a_mail_registers_nobody);
    tcase_add_test(tc, whoever_asks_again_is_asked_again);
    tcase_add_test(tc, a_mailbox_has_so_many_answers_a_day);
    tcase_add_test(tc, a_domain_of_ones_own_has_room_for_some);
    tcase_add_test(tc, a_first_key_waits_and_then_it_alone_counts);
    tcase_add_test(tc, what_is_quoted_asks_for_no_key);
    tcase_add_test(tc, an_answer_stops_it);
    tcase_add_test(tc, only_a_signed_text_gives_the_last_key_up);
    tcase_add_test(tc, a_game_of_keys_keeps_the_key);
    tcase_add_test(tc, no_to_an_invitation);
    tcase_add_test(tc, an_invitation_takes_one_mail);
    tcase_add_test(tc, a_newcomer_asks_for_help);
    tcase_add_loop_test(tc, a_name_that_cannot_be_written, 0, 6);
    tcase_add_test(tc, a_name_beside_it);
    tcase_add_test(tc, who_said_stop_is_not_asked_for_their_address);
    tcase_add_test(tc, an_address_moves_when_both_agree);
    tcase_add_test(tc, no_ends_a_move);
    tcase_add_test(tc, a_second_address);
    tcase_add_test(tc, a_lost_mailbox);
    tcase_add_test(tc, a_mailbox_that_does_not_agree);
    tcase_add_test(tc, leaving_waits);
    tcase_add_test(tc, a_ban_ends_them);
    tcase_add_test(tc, a_lost_mailbox_wins_no_race);
    tcase_add_test(tc, a_mailbox_that_is_not_lost);
    tcase_add_test(tc, what_is_done_is_told_at_the_second);
    tcase_add_test(tc, a_no_is_good_to_the_end);
    tcase_add_test(tc, a_full_domain_is_no_place_to_move_to);
    tcase_add_test(tc, it_agrees_once);
    tcase_add_test(tc, a_moderator_stops_it);
    tcase_add_test(tc, a_lost_mailbox_asks_for_a_key);
    tcase_add_test(tc, an_address_is_taken_meanwhile);
    tcase_add_loop_test(tc, who_was_not_heard_has_what_was_left, 0, 2);
    tcase_add_test(tc, both_addresses_are_told_that_all_is_erased);
    tcase_add_test(tc, stop_works_at_once);
    tcase_add_test(tc, so_many_of_a_domain_stop);
    tcase_add_test(tc, what_was_written_to_others_is_asked_about);
    tcase_add_loop_test(tc, a_newcomer_waits_for_name_servers, 0, 2);
    tcase_add_test(tc, few_newcomers_wait);
    tcase_add_test(tc, a_league_of_keys_is_as_it_was);
}

TEST_MAIN("petitions/keyless", cases)
