/* Every way out of intake: each kind of sender writes each kind of mail, that mail comes again, and another one with the
 * same words. Each is answered, or is not for a reason of the closed list (intake/silence.h); and whoever writes honestly is
 * answered. That no mail of any other suite has another end is looked at in house/house.h. */
#include "house/answers.h"

#include "batch/confirm.h"
#include "batch/stuck.h"
#include "league/registry_marks.h"
#include "petitions/keyless.h"
#include "petitions/petition.h"

#define BIT(silence) (1U << (silence))
#define APART        86400 /* seconds between two mails: what counts for a day counts for each of them alone */

static bool reached[SILENCE_UNKNOWN + 1];

/* ---- who writes ---- */

struct sender {
    const char *what;
    const char *from; /* NULL: the mail has no From */
    const char *key;  /* by which they sign what has to be signed */
    bool signs;       /* their domain signs their mails; it publishes its key for mail.test and example.net */
    bool forged;      /* and then something of it is changed */
    const char *extra;
    unsigned may; /* the reasons for which their first mail of a kind may get no answer */
};

static const struct sender senders[] = {
    {.what = "a player with a key", .from = "bob@example.net", .key = "bob"},
    {.what = "the same, whose domain vouches for it", .from = "bob@example.net", .key = "bob", .signs = true},
    {.what = "a player by mail", .from = "anna@mail.test", .key = "mallory", .signs = true},
    {.what = "the same, forged",
     .from = "anna@mail.test",
     .key = "mallory",
     .signs = true,
     .forged = true,
     .may = BIT(SILENCE_TOLD)},
    {.what = "the same, unsigned", .from = "anna@mail.test", .key = "mallory", .may = BIT(SILENCE_TOLD)},
    {.what = "the same, with a capital",
     .from = "Anna@mail.test",
     .key = "mallory",
     .signs = true,
     .may = BIT(SILENCE_TOLD)},
    {.what = "one whose name servers are down",
     .from = "lena@later.test",
     .key = "mallory",
     .signs = true,
     .may = BIT(SILENCE_TOLD) | BIT(SILENCE_WAITS)},
    {.what = "a stranger whose domain vouches", .from = "zoe@mail.test", .key = "mallory", .signs = true},
    {.what = "a stranger", .from = "zoe@else.test", .key = "mallory"},
    {.what = "a stranger with a player's text",
     .from = "mallory@else.test",
     .key = "bob",
     .may = BIT(SILENCE_SPENT)}, /* ten a day, so that nobody can use up bob's own */
    {.what = "a stranger who wants no mails",
     .from = "yves@mail.test",
     .key = "mallory",
     .may = BIT(SILENCE_STOPPED)},
    {.what = "a banned player", .from = "dave@example.net", .key = "dave", .may = BIT(SILENCE_BANNED)},
    {.what = "a banned player by mail",
     .from = "carl@mail.test",
     .key = "mallory",
     .signs = true,
     .may = BIT(SILENCE_BANNED)},
    {.what = "one whose file is damaged",
     .from = "gina@example.net",
     .key = "gina",
     .may = BIT(SILENCE_WAITS)},
    {.what = "one whose keys are damaged",
     .from = "hugo@example.net",
     .key = "hugo",
     .may = BIT(SILENCE_WAITS)},
    {.what = "a vacation program of a player's",
     .from = "anna@mail.test",
     .key = "mallory",
     .signs = true,
     .extra = "Auto-Submitted: auto-replied\r\n",
     .may = BIT(SILENCE_MACHINE)},
    {.what = "a list",
     .from = "bob@example.net",
     .key = "bob",
     .extra = "List-Id: <games.test>\r\n",
     .may = BIT(SILENCE_MACHINE) | BIT(SILENCE_WITNESS)},
    {.what = "a mailer of a stranger's",
     .from = "mailer-daemon@else.test",
     .key = "mallory",
     .may = BIT(SILENCE_MACHINE)},
    {.what = "a bounce",
     .from = "mx@else.test",
     .key = "mallory",
     .extra = "Return-Path: <>\r\n",
     .may = BIT(SILENCE_MACHINE)},
    {.what = "ourselves", .from = HOUSE_ADDRESS, .key = "mallory", .may = BIT(SILENCE_MACHINE)},
    {.what = "nobody", .from = NULL, .key = "bob", .may = BIT(SILENCE_NO_SENDER)},
    {.what = "two at once",
     .from = "anna@mail.test",
     .key = "mallory",
     .extra = "From: bob@example.net\r\n",
     .may = BIT(SILENCE_NO_SENDER)},
};
#define SENDERS (int)(sizeof senders / sizeof *senders)

/* ---- what they write ---- */

enum where {
    TO_LEAGUE, /* in a mail of its own */
    TO_REPORT, /* in answer to anna's report of the open turn */
    TO_OTHER,  /* in answer to a mail that we never sent */
    TO_DIGEST,
    TO_WISH,  /* to the question whether they want to watch the game */
    TO_LEAVE, /* to one that needs its word */
    TO_JOIN,  /* to the question whether they want to register, */
    TO_INVITE,
    TO_VETO
};

struct piece {
    enum where where;
    const char *subject, *body;
    const char *text;   /* of "#turnpost", to be signed; NULL: none */
    bool spoilt;        /* and changed afterwards */
    const char *fields; /* of the head */
};

#define MAIL(subject_, body_)                  \
    {                                          \
        .subject = (subject_), .body = (body_) \
    }
#define SIGNED(text_)                                    \
    {                                                    \
        .subject = "orders", .body = "", .text = (text_) \
    }
#define REPLY(where_, body_)               \
    {                                      \
        .where = (where_), .body = (body_) \
    }
static const struct piece pieces[] = {
    {.subject = "", .body = ""},
    MAIL("hello", "How do I play this?\r\n"),
    MAIL("help", ""),
    MAIL("Re: [EXTERNAL] Help galaxy-command", "\r\n"),
    MAIL("rules galaxy-command", ""),
    MAIL("rules of what", ""),
    MAIL("games", ""),
    MAIL("status gc-1", ""),
    MAIL("status nobody", ""),
    MAIL("results", ""),
    MAIL("rating", ""),
    MAIL("competitions", ""),
    MAIL("table spring", ""),
    MAIL("register zoe", ""),
    MAIL("x", "register\r\n"),
    MAIL("register", "invite: aaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"),
    MAIL("confirm aaaaaaaaaaaaaaaaaaaaaaaaaa", ""),
    MAIL("stop aaaaaaaaaaaaaaaaaaaaaaaaaa", ""),
    MAIL("join gc-1", ""),
    MAIL("observe gc-1", ""),
    MAIL("x", "leave gc-1\r\n"),
    MAIL("enter spring", ""),
    MAIL("press", ""),
    MAIL("a key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIqv3rqFVBDDLYOEPGkPxNHxnSN4Ywql6Vv1rLDCIw9X x\r\n"),
    MAIL("a key", "ssh-ed25519 AAAAC3 x\r\n"),
    MAIL("a key", "-----BEGIN OPENSSH PRIVATE KEY-----\r\n"),
    MAIL("orders", "#turnpost orders\r\ngame: gc-1\r\nturn: 1\r\nbide\r\n#end\r\n"),
    MAIL("orders", "#turnpost press\r\ngame: gc-1\r\nto: bob\r\nHello\r\n#end\r\n"),
    MAIL("orders", "#turnpost nonsense\r\n#end\r\n"),
    MAIL("orders", "-----BEGIN SSH SIGNATURE-----\r\nU1NI\r\n-----END SSH SIGNATURE-----\r\n"),
    SIGNED("#turnpost orders\ngame: gc-1\nturn: 1\nbide\nwait: yes\n#end\n"),
    SIGNED("#turnpost orders\ngame: gc-1\nturn: 1\ntry\nbide\n#end\n"),
    SIGNED("#turnpost orders\ngame: gc-1\nturn: 9\nbide\n#end\n"),
    SIGNED("#turnpost orders\ngame: gc-9\nturn: 1\nbide\n#end\n"),
    SIGNED("#turnpost orders\nbide\n#end\n"),
    SIGNED("#turnpost orders\ngame: gc-1\nhead: 0\n#end\n"),
    SIGNED("#turnpost orders\nno: field\ngame\n#end\n"),
    {.subject = "orders",
     .body = "",
     .text = "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n",
     .spoilt = true},
    SIGNED("#turnpost press\ngame: gc-1\nto: bob\nHello\n#end\n"),
    SIGNED("#turnpost press\ngame: gc-1\nfrom: nobody\nto: anna\nHello\n#end\n"),
    SIGNED("#turnpost prefs\njson: no\n#end\n"),
    SIGNED("#turnpost resend\ngame: gc-1\n#end\n"),
    SIGNED("#turnpost key\nplayer: anna\nadd: ssh-ed25519 AAAA\n#end\n"),
    SIGNED("#turnpost register\nname: mallory\n#end\n"),
    {.subject = "page", .body = "<p>x</p>\r\n", .fields = "MIME-Version: 1.0\r\nContent-Type: text/html\r\n"},
    {.subject = "parts",
     .body = "--b\r\n\r\nx\r\n--b--\r\n",
     .fields = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n"},
    REPLY(TO_REPORT, "explore near\r\n"),
    REPLY(TO_REPORT, "explor near\r\n"),
    REPLY(TO_REPORT, "Could you build something?\r\n"),
    REPLY(TO_REPORT, ""),
    REPLY(TO_REPORT, "ok\r\n"),
    REPLY(TO_REPORT, "2\r\n"),
    REPLY(TO_REPORT, "99\r\n"),
    REPLY(TO_REPORT, "undo\r\n"),
    REPLY(TO_REPORT, "show\r\n"),
    REPLY(TO_REPORT, "help\r\n"),
    REPLY(TO_REPORT, "rules\r\n"),
    REPLY(TO_REPORT, "join\r\n"),
    REPLY(TO_REPORT, "extend\r\n"),
    REPLY(TO_REPORT, "vacation 2027-12-24 to 2027-12-30\r\n"),
    REPLY(TO_REPORT, "vacation someday\r\n"),
    REPLY(TO_REPORT, "digest 18\r\n"),
    REPLY(TO_REPORT, "digest off\r\n"),
    REPLY(TO_REPORT, "press bob: Hello\r\n"),
    REPLY(TO_REPORT, "press nobody: Hello\r\n"),
    REPLY(TO_REPORT, "resign\r\n"),
    {.where = TO_REPORT, .body = "bide\r\n", .fields = "Content-Type: text/html\r\n"},
    {.where = TO_REPORT, .body = "bide\r\n", .fields = "Content-Type: multipart/mixed; boundary=b\r\n"},
    REPLY(TO_OTHER, "explore near\r\n"),
    REPLY(TO_OTHER, ""),
    REPLY(TO_DIGEST, "gc-1: explore near\r\n"),
    REPLY(TO_DIGEST, "What is that?\r\n"),
    REPLY(TO_WISH, "ok\r\n"),
    REPLY(TO_WISH, "why not\r\n"),
    REPLY(TO_LEAVE, "ok\r\n"),
    {.where = TO_JOIN, .subject = "Re: One step more", .body = "What is that?\r\n"},
    {.where = TO_JOIN, .subject = "Re: One step more", .body = "no\r\n"},
    {.where = TO_INVITE, .subject = "x", .body = "ok\r\n"},
    {.where = TO_INVITE, .subject = "x", .body = "Thank you!\r\n"},
    {.where = TO_VETO, .subject = "x", .body = "no\r\n"},
    {.where = TO_VETO, .subject = "x", .body = "yes\r\n"},
};
#define PIECES (int)(sizeof pieces / sizeof *pieces)

static void add_quote(struct str *body)
{
    struct game *game = house_find(&house, "gc-1");
    struct reply_place place;
    struct suggestions suggestions;
    char nonce[REPLY_TOKEN_TEXT], head[17];
    if (!reply_place_now(&place, game, 1))
        return;
    suggestions_make(&suggestions, game, 1);
    reply_nonce(nonce, house.league.master, &place, &suggestions);
    hex_to(head, game->opened.head, 8);
    str_adds(body, "\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n> ");
    reply_boundary(body, slice_of(nonce));
    str_addf(body, " gc-1, turn %d, %s\r\n", game->turn, head);
    suggestions_release(&suggestions);
}

static void write_token(char *out, size_t size, const struct reply_place *place)
{
    char token[REPLY_TOKEN_TEXT];
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, place);
    (void)snprintf(out, size, "league+%s@example.org", token);
}

/* To which address of ours. */
static void write_to(char *to, size_t size, const struct sender *sender, const struct piece *piece)
{
    const char *from = sender->from ? sender->from : "nobody@else.test";
    struct reply_place place = {.game = "gc-1"};
    struct game *game = house_find(&house, "gc-1");
    char name[PLAYER_NAME], day[DATE_TEXT], word[CONFIRM_SHORT];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(from, "@"), from);
    (void)snprintf(to, size, "%s", HOUSE_ADDRESS);
    switch (piece->where) {
    case TO_LEAGUE: break;
    case TO_REPORT:
        if (reply_place_now(&place, game, 1))
            write_token(to, size, &place);
        break;
    case TO_OTHER: (void)snprintf(to, size, "league+aaaaaaaaaaaaaaaa@example.org"); break;
    case TO_DIGEST:
        date_text(day, house.now / DAY_SECONDS);
        reply_digest_place(&place, name, day);
        write_token(to, size, &place);
        break;
    case TO_WISH:
    case TO_LEAVE:
        (void)reply_place_wish(&place, game, name, piece->where == TO_WISH ? "observe" : "leave");
        write_token(to, size, &place);
        break;
    case TO_JOIN: {
        const struct confirm what = {CONFIRM_MAILBOX, "zoe", from, NULL};
        confirm_short(word, &house.league, &what, house.now);
        (void)snprintf(to, size, "league+join.zoe.%s@example.org", word);
        break;
    }
    case TO_INVITE: (void)snprintf(to, size, "league+invite.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org"); break;
    case TO_VETO: (void)snprintf(to, size, "league+veto.anna.aaaaaaaaaaaaaaaa@example.org"); break;
    }
}

/* The mail of that sender with that content, into `mail`. */
static void write_one(const struct sender *sender, const struct piece *piece)
{
    struct str body = STR_INIT;
    char to[160], subject[99], head[17], local[64];
    hex_to(head, house_find(&house, "gc-1")->opened.head, 8);
    write_to(to, sizeof to, sender, piece);
    (void)snprintf(subject, sizeof subject, "Re: [gc-1] Turn is played #%s", head);
    str_adds(&body, piece->body);
    if (piece->where == TO_REPORT || piece->where == TO_DIGEST || piece->where == TO_WISH)
        add_quote(&body);
    if (piece->text)
        house_sign(&house, sender->key, piece->text, &body);
    if (piece->spoilt)
        *strstr(body.p, "bide") = 'h';
    if (!body.len || body.p[body.len - 1] != '\n')
        str_adds(&body, "\r\n");
    str_clear(&mail);
    str_addf(&mail, "X-Number: %d\r\n%s%s", ++house.mails, sender->extra ? sender->extra : "",
             piece->fields ? piece->fields : "");
    if (!piece->text)
        house_travelled(&mail); /* there is a question of how much may be answered to so few bytes */
    if (sender->signs) {
        const char *at = strchr(sender->from, '@');
        (void)snprintf(local, sizeof local, "%.*s", (int)(at - sender->from), sender->from);
        domain_letter(&domain,
                      &(struct domain_letter){local, at + 1, to, piece->subject ? piece->subject : subject,
                                              house.now, body.p, NULL, 0},
                      &mail);
    } else {
        if (sender->from)
            str_addf(&mail, "From: %s\r\n", sender->from);
        str_addf(&mail, "To: %s\r\nSubject: %s\r\nMessage-ID: <%d@else.test>\r\n\r\n%s", to,
                 piece->subject ? piece->subject : subject, house.mails, body.p);
    }
    if (sender->forged)
        mail.p[slice_find(slice_str(&mail), "bh=") + 5] ^= 1;
    str_release(&body);
}

/* ---- what becomes of it ---- */

/* The reason that the line of the log gives. */
static enum silence silence_in(const char *words)
{
    enum silence found = SILENCE_NONE;
    const char *at = strstr(words, "no answer: ");
    for (int i = SILENCE_NONE + 1; at && i <= SILENCE_UNKNOWN; i++)
        if (strcmp(at + strlen("no answer: "), silence_words((enum silence)i)) == 0)
            found = (enum silence)i;
    ck_assert_msg(!at || found != SILENCE_NONE, "a reason that is on no list: %s", words);
    return found;
}

static enum silence take(struct incoming *incoming)
{
    struct err err = ERR_INIT;
    struct reading reading = {0};
    enum intake_fate fate;
    house.batch.now = house.now;
    ck_ok(intake_mail(&house.batch, incoming, &reading, &fate, &err), err);
    ck_assert_uint_eq(house.batch.news.logged_count, 1);
    const struct catalog_mail line = house.batch.news.logged[0];
    const bool waits = fate == INTAKE_KEPT || fate == INTAKE_WAITS;
    const enum silence silence = waits ? SILENCE_WAITS : silence_in(line.words);
    reached[silence] = true;
    ck_assert_msg(silence != SILENCE_UNKNOWN, "%s", line.words);
    ck_assert_msg(silence != SILENCE_NONE || house.batch.mails.count > 0, "answered, and no mail leaves: %s",
                  line.words);
    ck_assert_msg(!*line.answer || silence == SILENCE_NONE || waits, "answered, and silent: %s", line.words);
    ck_assert_msg(line.unanswered == (line.of_player && silence_is_felt(silence)) ||
                      silence == SILENCE_MACHINE,
                  "to be looked at? %s", line.words);
    reading_release(&reading);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_empty_spool(&house);
    return silence;
}

static enum silence take_mail(void)
{
    struct incoming incoming = {.arrived = house.now, .size = mail.len, .raw = STR_INIT};
    str_addslice(&incoming.raw, slice_str(&mail));
    enum silence silence = take(&incoming);
    str_release(&incoming.raw);
    return silence;
}

static void write_and_take(const struct sender *sender, const struct piece *piece)
{
    house.now += APART;
    write_one(sender, piece);
    enum silence silence = take_mail();
    ck_assert_msg(silence == SILENCE_NONE || (sender->may & BIT(silence)),
                  "%s writes \"%s\", and is not answered: %s\n%s", sender->what,
                  piece->text ? piece->text : piece->body, silence_words(silence), mail.p);
    (void)take_mail(); /* the same mail */
    write_one(sender, piece);
    (void)take_mail(); /* the same in another mail, at once */
    write_one(sender, piece);
    lose_game("gc-1");
    (void)take_mail(); /* and while its game cannot be read */
}

/* ---- the league ---- */

static void believe(void)
{
    struct err err = ERR_INIT;
    struct config *config = &house.league.config;
    config->league.trust = TRUST_MAIL;
    config->league.registration = REGISTRATION_OPEN;
    config->limits.replies_per_day = 1000;
    config->limits.stranger_replies = 100;
    config->limits.strangers_per_day = 10000;
    if (!house.league.resolver)
        ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    resolver_tell(house.league.resolver, "mail._domainkey.mail.test", domain.record.p, clock_system());
    resolver_tell(house.league.resolver, "mail._domainkey.example.net", domain.record.p, clock_system());
}

static void add(const char *name, const char *address, bool banned)
{
    struct err err = ERR_INIT;
    struct player player;
    player_init(&player);
    player.by_mail = true;
    player.html = false;
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    (void)snprintf(player.address, sizeof player.address, "%s", address);
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "register", .player = &player}, &err),
          err);
    player.banned = banned;
    if (banned)
        ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "ban", .player = &player}, &err),
              err);
}

static void spoil(const char *name)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, name);
    ck_ok(file_write_soft(path, slice_of("{"), 0600, &err), err);
    free(path);
}

static void begin_walk(void)
{
    struct err err = ERR_INIT;
    begin();
    house.unproved = true; /* it ends in the middle of everything */
    (void)house_person(&house, "mallory");
    house_player(&house, "dave");
    house_player(&house, "gina");
    house_player(&house, "hugo");
    add("lena", "lena@later.test", false);
    add("carl", "carl@mail.test", true);
    struct player dave = *registry_find(&house.batch.registry, "dave");
    dave.banned = true;
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "ban", .player = &dave}, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    spoil("players/gina.json");
    spoil("keys/hugo.pub");
    house_restart(&house);
    believe();
    house_empty_spool(&house);
    domain.signs_to = true; /* what stops our mails at once is signed as a mail to us */
    write_one(&(struct sender){.from = "yves@mail.test", .signs = true}, &(struct piece)MAIL("stop", ""));
    (void)take_mail();
    domain.signs_to = false;
}

START_TEST(every_sender_and_every_content)
{
    const struct sender *sender = &senders[_i];
    for (int i = 0; i < PIECES; i++)
        write_and_take(sender, &pieces[i]);
    for (int i = 0; petitions[i]; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "#turnpost %s\n#end\n", petitions[i]->verb);
        write_and_take(sender, &(struct piece)SIGNED(text));
    }
    write_and_take(sender,
                   &(struct piece)REPLY(TO_REPORT, "stop\r\n")); /* no stranger gets mails after that */
}
END_TEST

/* ---- each reason ---- */

static const struct sender anna = {.what = "anna", .from = "anna@mail.test", .key = "mallory", .signs = true};

static enum silence reply(const struct sender *sender, const char *typed)
{
    write_one(sender, &(struct piece)REPLY(TO_REPORT, typed));
    return take_mail();
}

/* It has failed for four days, and no person wrote it. */
static enum silence give_up(void)
{
    struct err err = ERR_INIT, why = ERR_INIT;
    struct incoming incoming = {.arrived = house.now, .raw = STR_INIT};
    struct reading reading = {0};
    write_one(&(struct sender){.from = "zoe@else.test", .extra = "List-Id: <x>\r\n"},
              &(struct piece)MAIL("help", ""));
    str_addslice(&incoming.raw, slice_str(&mail));
    incoming.size = mail.len;
    reading_make(&reading, &incoming, &house.league);
    (void)err_set(&why, ERR_BROKEN, "a shelf fell down");
    for (int day = 0; day < 2; day++) {
        ck_ok(stuck_mail(&house.batch, &incoming, &reading, &why, &err), err);
        house.batch.now = house.now += 4 * (int64_t)86400;
    }
    reading_release(&reading);
    enum silence silence = take(&incoming);
    str_release(&incoming.raw);
    return silence;
}

/* All that the list has but SILENCE_WITNESS, which is a witness's (play/witness.c): none of them is left over. */
START_TEST(each_reason_has_its_mail)
{
    const struct sender forged = {.from = "anna@mail.test", .signs = true, .forged = true};
    (void)give_up();
    (void)reply(&anna, "explor near\r\n");
    (void)take_mail(); /* SEEN */
    (void)reply(&anna, "Explor  near\r\n");
    (void)reply(&anna, "explor  near\r\n"); /* SAME */
    (void)reply(&anna, "Your ticket is one\r\n");
    (void)reply(&anna, "Your ticket is two\r\n");
    (void)reply(&anna, "Your ticket is three\r\n");
    (void)reply(&anna, "Your ticket is four\r\n"); /* PAUSED */
    (void)reply(&forged, "explore near\r\n");
    (void)reply(&forged, "explore near\r\n"); /* TOLD */
    for (int i = 0; i < 101; i++)
        (void)reply(&(struct sender){.from = "zoe@else.test"}, "hello\r\n");             /* SPENT */
    (void)reply(&(struct sender){.from = "yves@mail.test", .signs = true}, "hello\r\n"); /* STOPPED */
    (void)reply(&(struct sender){.from = "carl@mail.test", .signs = true}, "hello\r\n");
    (void)reply(&(struct sender){.from = "carl@mail.test", .signs = true}, "hello again\r\n"); /* BANNED */
    (void)reply(&(struct sender){.from = "anna@mail.test", .extra = "List-Id: <x>\r\n"},
                "hello\r\n");                                 /* MACHINE */
    (void)reply(&(struct sender){.from = NULL}, "hello\r\n"); /* NO_SENDER */
    (void)reply(&(struct sender){.from = "lena@later.test", .signs = true},
                ""); /* no player's token: answered */
    write_one(&(struct sender){.from = "gina@example.net", .key = "gina"},
              &(struct piece)SIGNED("#turnpost prefs\njson: no\n#end\n")); /* WAITS */
    (void)take_mail();
    for (int i = SILENCE_NONE; i < SILENCE_UNKNOWN; i++)
        ck_assert_msg(reached[i] || i == SILENCE_WITNESS, "no mail is unanswered for: %s",
                      silence_words((enum silence)i));
}
END_TEST

/* The same list for people. */
START_TEST(the_page_has_the_list)
{
    struct err err = ERR_INIT;
    struct str page = STR_INIT;
    ck_ok(file_read("src/intake/README.md", 1 << 20, &page, &err), err);
    for (int i = SILENCE_NONE + 1; i <= SILENCE_UNKNOWN; i++)
        ck_assert_msg(slice_find(slice_str(&page), silence_words((enum silence)i)) != (size_t)-1,
                      "src/intake/README.md does not say: %s", silence_words((enum silence)i));
    str_release(&page);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin_walk, end);
    tcase_add_test(tc, each_reason_has_its_mail);
    tcase_add_test(tc, the_page_has_the_list);
    tcase_add_loop_test(tc, every_sender_and_every_content, 0, SENDERS);
}
TEST_MAIN("intake/exits", cases)
