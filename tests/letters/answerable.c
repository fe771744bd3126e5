/* Mails that a player without a key gets: where an answer goes, by which line it is known, and that none of them asks
 * for a signature. */
#include "house/domain.h"
#include "house/house.h"
#include "house/mailed.h"
#include "house/masked.h"

#include "base/utf8.h"
#include "base/clock.h"
#include "batch/digest.h"
#include "dns/resolver.h"
#include "mail/reply.h"
#include "orders/typed.h"
#include "play/replies.h"

#define WIDTH 72

static struct house house;
static struct domain domain;
static const char *const seats[] = {"anna", "bob"};

/* What anna wants of her mails. */
static void prefer(bool html, bool digest)
{
    struct err err = ERR_INIT;
    struct player anna = *registry_find(&house.batch.registry, "anna");
    const struct registry_change change = {.what = "prefs", .player = &anna};
    anna.html = html;
    anna.digest = digest;
    anna.digest_hour = 18;
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Anna has only a mailbox, bob has a key. */
static void begin(void)
{
    struct err err = ERR_INIT;
    struct player anna;
    house_open(&house);
    domain_open(&domain, 1);
    house.league.config.league.trust = TRUST_MAIL;
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    resolver_tell(house.league.resolver, "mail._domainkey.example.net", domain.record.p, clock_system());
    player_init(&anna);
    anna.by_mail = true;
    (void)snprintf(anna.name, sizeof anna.name, "anna");
    (void)snprintf(anna.address, sizeof anna.address, "anna@example.net");
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "register", .player = &anna}, &err),
          err);
    house_player(&house, "bob");
}

static void end(void)
{
    house_close(&house);
    domain_close(&domain);
}

static void make(bool by_mail)
{
    static struct schedule clock;
    schedule_init(&clock);
    clock.length = 86400;
    clock.extension = (int64_t)2 * 86400;
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .clock = &clock,
                                    .missed_robot = 3,
                                    .typo_wait = true,
                                    .by_mail = by_mail},
                  seats);
}

static void reply(int seq, const char *lines)
{
    enum orders_fate fate = house_orders_by_mail(&house, &domain, "gc-1", 1, seq, lines);
    ck_assert(fate == ORDERS_TAKEN || fate == ORDERS_TRIED);
}

static void bob(const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s#end\n", house_find(&house, "gc-1")->turn,
             lines);
    ck_assert_int_eq(house_signed(&house, "bob", "bob", text.p), INTAKE_PROCESSED);
    str_release(&text);
}

/* ---- looking at mails ---- */

static const struct message_part *part_of(const struct message *msg, const char *type)
{
    for (size_t i = 0; i < msg->part_count; i++)
        if (strcmp(msg->parts[i].type, type) == 0)
            return &msg->parts[i];
    return NULL;
}

/* Calls `look` for each mail to the player that may leave; how many there were. */
static int each_mail(const char *name, void (*look)(const struct outgoing *, const struct message *, void *),
                     void *arg)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    const char *own[] = {HOUSE_ADDRESS};
    char address[PLAYER_ADDRESS];
    int count = 0;
    (void)snprintf(address, sizeof address, "%s@example.net", name);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        if (strcmp(mail.envelope_to, address) == 0) {
            ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default,
                                &(struct message_identity){own, 1, HOUSE_ADDRESS, 0}, &msg, &err),
                  err);
            look(&mail, &msg, arg);
            message_release(&msg);
            count++;
        }
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    return count;
}

static struct slice line_at(struct slice text, const char *start)
{
    size_t at = slice_find(text, start);
    struct slice rest = at == (size_t)-1 ? (struct slice){"", 0} : slice_sub(text, at, text.len), line = rest;
    (void)slice_line(&rest, &line);
    return slice_trim(line);
}

/* What people read without the league's signature: no frame, no tools. */
static void check_words(struct slice words, const char *subject)
{
    static const char *const never[] = {
        "#turnpost", "ssh-keygen", "minisign", "signify",   "seq:",        "#end",       "orders.txt",
        "final:",    "you sign ",  "sign and", "signed as", "sign a text", "sign this ", "{{"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        ck_assert_msg(slice_find(words, never[i]) == (size_t)-1, "%s: %s\n%.*s", subject, never[i],
                      (int)words.len, words.p);
}

/* The same, in lines that a phone or a terminal can show. */
static void check_text(struct slice text, const char *subject)
{
    struct slice rest = text, line;
    check_words(text, subject);
    while (slice_line(&rest, &line))
        ck_assert_msg(utf8_width(line) <= WIDTH, "%s: %.*s", subject, (int)line.len, line.p);
}

/* How many could be answered. */
struct seen {
    int open, closed;
    int offers; /* suggestions, among those that could */
};

/* Its last line, in each of its forms, closes what the first one opens. */
static void check_end(struct slice text, const struct message_part *html, struct slice nonce)
{
    struct str closing = STR_INIT;
    struct slice page = html ? slice_trim(slice_str(&html->shown)) : (struct slice){"", 0};
    reply_closing(&closing, nonce);
    ck_assert_uint_gt(text.len, closing.len);
    ck_slice_eq(slice_sub(text, text.len - closing.len - 1, closing.len), closing.p);
    if (html)
        ck_slice_eq(slice_sub(page, page.len - closing.len, page.len), closing.p);
    str_release(&closing);
}

/* An answer can be: it goes to the token's address, and begins with the line by which the cutter finds where the quote
 * begins, in each of its forms. */
static void check_mail(const struct outgoing *mail, const struct message *msg, void *arg)
{
    struct seen *seen = arg;
    const struct game *game = house_find(&house, "gc-1");
    const struct message_part *html = part_of(msg, "text/html");
    struct slice text = slice_str(&msg->parts[0].shown), rest = text, first, nonce, token, other;
    struct slice to = line_at(slice_str(&mail->mail), "Reply-To: ");
    struct reply_place place;
    to = slice_trim(slice_sub(to, 10, to.len));
    check_text(text, msg->subject);
    ck_assert(slice_line(&rest, &first));
    if (html)
        check_words(slice_str(&html->exact), msg->subject);
    bool answered = reply_token_in(to, HOUSE_ADDRESS, '+', &token);
    const size_t boundary = reply_boundary_find(first, &nonce);
    ck_assert_msg(answered == (boundary != (size_t)-1), "%s", msg->subject);
    if (!answered) {
        ck_assert_msg(slice_eq(to, HOUSE_ADDRESS), "%.*s", (int)to.len, to.p);
        ck_assert_ptr_null(strstr(msg->subject, " #"));
        seen->closed++;
        return;
    }
    seen->open++;
    ck_assert(reply_place_now(&place, game, 1));
    char digits[17], line[80];
    hex_to(digits, game->head, 8); /* whoever quotes it has written later */
    ck_assert_msg(str_ends(msg->subject, digits), "%s", msg->subject);
    ck_assert_msg(slice_find(first, " gc-1") == boundary + 2 + REPLY_NONCE + 2, "%.*s", (int)first.len,
                  first.p);
    (void)snprintf(line, sizeof line, "%s", digits);
    ck_assert_msg(slice_find(text, line) < text.len, "%.*s", (int)text.len, text.p);
    ck_assert(reply_token_is(token, house.league.master, REPLY_WORD_TOKEN, &place));
    struct suggestions suggestions;
    char want[REPLY_TOKEN_TEXT], offer[200], instead[200];
    suggestions_make(&suggestions, game, 1);
    (void)snprintf(offer, sizeof offer, "\n1  [ ] %s", suggestions.lines[0]);
    (void)snprintf(instead, sizeof instead, "\n  1 [ ] %s", suggestions.lines[0]);
    /* "ok" and numbers choose from what is shown, else nothing */
    bool offers = strstr(msg->parts[0].shown.p, offer) || strstr(msg->parts[0].shown.p, instead);
    reply_nonce(want, house.league.master, &place, offers ? &suggestions : NULL);
    suggestions_release(&suggestions);
    seen->offers += offers;
    ck_assert_msg(slice_eq(nonce, want), "%s %s", msg->subject, offers ? "offers" : "does not offer");
    if (html) {
        ck_assert(reply_boundary_find(slice_str(&html->exact), &other) <
                  slice_find(slice_str(&html->exact), boundary ? "</h1" : "<h1"));
        ck_assert(slice_eq(other, want));
    }
    check_end(text, html, nonce);
}

static struct seen look_at_all(void)
{
    struct seen seen = {0};
    (void)each_mail("anna", check_mail, &seen);
    house_empty_spool(&house);
    return seen;
}

static bool reads(const char *name, const char *words)
{
    struct str mails;
    (void)house_mails(&house, name, &mails);
    bool says = house_says(mails.p, words);
    str_release(&mails);
    return says;
}

/* ---- mails of a game ---- */

START_TEST(a_whole_game)
{
    struct seen seen;
    make(true);
    seen = look_at_all(); /* the first report */
    ck_assert(seen.open == 1 && seen.offers == 1);
    reply(1, "explore near\n");
    seen = look_at_all(); /* the receipt, with the next number */
    ck_assert(seen.open == 1 && seen.offers == 0);
    reply(2, "try\nbuild\nresearch 99\n");
    ck_assert_int_eq(look_at_all().open, 1);
    reply(2, "explore near\nresearch capital ships\nfrobnicate\n"); /* with lines that keep the turn open */
    ck_assert_int_eq(look_at_all().open, 1);
    reply(3, "bide\nhelp\n");
    ck_assert_int_eq(look_at_all().open, 1);
    reply(4, "rules\n");
    ck_assert_int_eq(look_at_all().open, 1);
    reply(4, "always bide\n");
    ck_assert_int_eq(look_at_all().open, 1);
    ck_assert_int_eq(
        house_signed(
            &house, "bob", "bob",
            "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nShall we?\n#-k3v7q2m5xwtrabcd-#\n#end\n"),
        INTAKE_PROCESSED);
    ck_assert(reads("anna", "press bob: your words"));
    seen = look_at_all();
    ck_assert(seen.open == 1 && seen.offers == 0);
    bob("say anna how do you do\nbide\n");
    ck_assert_int_eq(look_at_all().open, 1); /* the report of the turn */
    house_clock(&house, house.now + 86400 - 3600);
    seen = look_at_all(); /* a reminder */
    ck_assert(seen.open == 1 && seen.offers == 1);
    house_clock(&house, house.now + 7200);
    ck_assert_int_eq(look_at_all().open, 1); /* the report of a missed turn */
    for (int turn = 0; turn < 20 && !house_find(&house, "gc-1")->over; turn++) {
        bob("bide\n");
        if (!house_find(&house, "gc-1")->over)
            reply(1, "bide\n");
        if (!house_find(&house, "gc-1")->over)
            house_empty_spool(&house);
    }
    ck_assert(house_find(&house, "gc-1")->over);
    seen = look_at_all();
    ck_assert_int_eq(seen.open, 0);
    ck_assert_int_ge(seen.closed, 1);
}
END_TEST

static void mask_boundaries(struct str *mail)
{
    struct slice nonce;
    size_t at = 0, found;
    while ((found = reply_boundary_find(slice_sub(slice_str(mail), at, mail->len), &nonce)) != (size_t)-1) {
        at += found + 2;
        memset(mail->p + at, '#', REPLY_NONCE);
    }
}

/* The only mail to anna as people read it, what is random by nature masked: as it is written in tests/golden. */
static void check_golden(const char *name)
{
    struct err err = ERR_INIT;
    struct str all, mail = STR_INIT, want = STR_INIT, path = STR_INIT;
    struct slice rest, line;
    ck_assert_int_eq(house_mails(&house, "anna", &all), 1);
    for (rest = slice_str(&all); slice_line(&rest, &line);)
        if (slice_find(line, "first in every round") == (size_t)-1) /* who that is, is drawn */
            str_addf(&mail, "%.*s\n", (int)line.len, line.p);
    mask_hex(&mail);
    mask_boundaries(&mail);
    str_addf(&path, "tests/golden/answerable/%s.txt", name);
    if (getenv("GOLDEN_WRITE"))
        ck_ok(file_write_soft(path.p, slice_str(&mail), 0644, &err), err);
    ck_ok(file_read(path.p, 1 << 20, &want, &err), err);
    ck_assert_str_eq(mail.p, want.p);
    house_empty_spool(&house);
    str_release(&all);
    str_release(&mail);
    str_release(&want);
    str_release(&path);
}

START_TEST(they_read_as_written)
{
    make(true);
    check_golden("report");
    reply(1, "bide\n");
    check_golden("receipt");
}
END_TEST

/* A seat with a key has mails as ever, also at such a table. */
START_TEST(who_has_a_key_signs)
{
    struct str mails;
    make(true);
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "#turnpost orders\n"));
    ck_assert_ptr_nonnull(strstr(mails.p, "ssh-keygen -Y sign"));
    ck_assert_ptr_null(strstr(mails.p, "Press Reply"));
    ck_assert_ptr_null(strstr(mails.p, "#-"));
    str_release(&mails);
}
END_TEST

/* The form as it was mailed counts for nothing, in whatever program it was typed over. */
START_TEST(the_form_counts_for_nothing)
{
    struct str mails, form = STR_INIT;
    struct slice rest, line;
    struct suggestions suggestions;
    struct typed typed;
    make(true);
    const struct game *game = house_find(&house, "gc-1");
    (void)house_mails(&house, "anna", &mails);
    rest = slice_str(&mails);
    while (slice_line(&rest, &line))
        if (slice_find(line, "[ ] ") != (size_t)-1 || form.len)
            str_addf(&form, "%.*s\n", (int)line.len, line.p);
    str_cut(&form, (size_t)(strstr(form.p, "\nOr type orders") - form.p)); /* with its notes */
    ck_assert_ptr_nonnull(strstr(form.p, "1  [ ] explore near  ("));
    suggestions_make(&suggestions, game, 1);
    const struct typed_game one = {"gc-1", game->ruleset->language, (const char *const *)suggestions.lines,
                                   NULL, NULL};
    typed_read(slice_str(&form), &(struct typed_by){&one, 1, (const char *const[]){NULL}}, &typed);
    ck_assert_int_eq(typed.kind, TYPED_NOTHING);
    ck_assert_uint_ge(typed.count, suggestions.count);
    typed_release(&typed);
    suggestions_release(&suggestions);
    str_release(&form);
    str_release(&mails);
}
END_TEST

/* ---- whose word it is ---- */

struct sought {
    const char *words;
    bool told, proved; /* in a mail's own text, in its proof */
};

static void seek(const struct outgoing *mail, const struct message *msg, void *arg)
{
    struct sought *sought = arg;
    (void)mail;
    sought->told |= house_says(msg->parts[0].shown.p, sought->words);
    for (size_t i = 0; i < msg->part_count; i++)
        if (strcmp(msg->parts[i].name, "proof.txt") == 0)
            sought->proved |= house_says(msg->parts[i].shown.p, sought->words);
}

/* The digits of a key prove something to who checks it, and say nothing to who plays. */
static bool only_proved(const char *name, const char *words)
{
    struct sought sought = {.words = words};
    (void)each_mail(name, seek, &sought);
    return sought.proved && !sought.told;
}

START_TEST(all_learn_whose_word_it_was)
{
    char digits[17];
    make(true);
    house_empty_spool(&house);
    reply(1, "bide\n");
    const json_t *vouched = house_find(&house, "gc-1")->seat[1].orders.vouched;
    (void)snprintf(digits, sizeof digits, "%s", json_string_value(json_object_get(vouched, "key")));
    ck_assert(reads("anna", "example.org vouches for your orders."));
    ck_assert(only_proved("anna", digits));
    ck_assert(!reads("bob", "example.org")); /* not before the turn is played */
    bob("bide\n");
    ck_assert(reads("bob", "example.org vouched for anna's orders."));
    ck_assert(only_proved("bob", digits));
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "status gc-1", "");
    ck_assert(reads("bob", "Players can play by reply here"));
    house_empty_spool(&house);
    house_restart(&house); /* from the cache, and it is told once more */
    ck_assert_int_eq((int)json_array_size(house_find(&house, "gc-1")->told.vouched), 1);
}
END_TEST

/* ---- digests ---- */

static void check_digest(const struct outgoing *mail, const struct message *msg, void *arg)
{
    struct slice to = line_at(slice_str(&mail->mail), "Reply-To: "), token, nonce, other;
    struct slice text = slice_str(&msg->parts[0].shown);
    struct reply_place place;
    char day[DATE_TEXT];
    (void)arg;
    check_words(text, msg->subject);
    date_text(day, house.now / 86400);
    reply_digest_place(&place, "anna", day);
    to = slice_trim(slice_sub(to, 10, to.len));
    ck_assert(reply_token_in(to, HOUSE_ADDRESS, '+', &token));
    ck_assert(reply_token_is(token, house.league.master, REPLY_WORD_TOKEN, &place));
    struct slice rest = text, first;
    ck_assert(slice_line(&rest, &first) && reply_boundary_find(first, &nonce) != (size_t)-1);
    ck_assert(reply_token_is(nonce, house.league.master, REPLY_WORD_NONCE, &place));
    check_end(text, part_of(msg, "text/html"), nonce);
    text = rest;
    ck_assert_uint_ne(reply_boundary_find(text, &other), (size_t)-1); /* those of its mails */
    ck_assert(!slice_eq(other, "") && !reply_token_is(other, house.league.master, REPLY_WORD_NONCE, &place));
    ck_assert(house_says(text.p, "begin each line with the game that it is for, as in \"gc-1: ok\""));
}

START_TEST(a_digest_is_answered_by_games)
{
    struct err err = ERR_INIT;
    prefer(true, true);
    make(true);
    house_empty_spool(&house);
    ck_assert_int_eq(house_signed(&house, "bob", "bob",
                                  "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nShall we?\n#end\n"),
                     INTAKE_PROCESSED);
    ck_assert_int_eq(house_signed(&house, "bob", "bob",
                                  "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nTonight.\n#end\n"),
                     INTAKE_PROCESSED);
    house.now = house.batch.now = HOUSE_NOON + 6 * 3600 + 60;
    ck_ok(digest_send(&house.batch, &err), err);
    ck_assert_int_eq(each_mail("anna", check_digest, NULL), 1);
}
END_TEST

/* ---- answers to what was mailed ---- */

struct answered {
    struct str to, subject, text;
};

static void keep_mail(const struct outgoing *mail, const struct message *msg, void *arg)
{
    struct answered *mailed = arg;
    struct slice to = line_at(slice_str(&mail->mail), "Reply-To: ");
    str_clear(&mailed->to);
    str_clear(&mailed->subject);
    str_clear(&mailed->text);
    str_addslice(&mailed->to, slice_trim(slice_sub(to, 10, to.len)));
    str_adds(&mailed->subject, msg->subject);
    str_addslice(&mailed->text, slice_str(&msg->parts[0].shown));
}

/* Anna presses Reply in the last mail that she got; what that was is gone from the spool. */
static void press_reply(const char *typed)
{
    struct answered mailed = {STR_INIT, STR_INIT, STR_INIT};
    struct str body = STR_INIT, subject = STR_INIT, raw = STR_INIT;
    ck_assert_int_ge(each_mail("anna", keep_mail, &mailed), 1);
    house_empty_spool(&house);
    struct slice rest = slice_str(&mailed.text), line;
    str_addf(&subject, "Re: %s", mailed.subject.p);
    str_addf(&body, "%s\r\n\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League wrote:\r\n", typed);
    while (slice_line(&rest, &line))
        str_addf(&body, "> %.*s\r\n", (int)line.len, line.p);
    house.now += 60;
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "example.net", mailed.to.p, subject.p, house.now, body.p, NULL, 0},
        &raw);
    house.mails++;
    (void)house_raw(&house, slice_str(&raw));
    str_release(&mailed.to);
    str_release(&mailed.subject);
    str_release(&mailed.text);
    str_release(&subject);
    str_release(&body);
    str_release(&raw);
}

static const char *orders_now(void)
{
    return house_find(&house, "gc-1")->seat[1].orders.text.p;
}

/* A report, the receipts that follow it, a question of ours, a message, a digest: the orders count. */
START_TEST(each_can_be_answered)
{
    make(true);
    press_reply("2");
    ck_assert_str_eq(orders_now(), "bide\n");
    press_reply("explore near");
    ck_assert_str_eq(orders_now(), "explore near\n");
    press_reply("buidl"); /* which is asked back */
    ck_assert_str_eq(orders_now(), "explore near\n");
    press_reply("ok");
    ck_assert_ptr_nonnull(strstr(orders_now(), "build"));
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob",
                       "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nShall we?\n#end\n");
    press_reply("explore near\r\nbuild");
    ck_assert_str_eq(orders_now(), "explore near\nbuild\n");
    house_empty_spool(&house);
    int64_t deadline = house_find(&house, "gc-1")->clock.deadline;
    (void)house_signed(&house, "bob", "bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 24\n#end\n");
    ck_assert(reads("anna", "If you agree, press Reply and type: ok"));
    press_reply("extend 24");
    ck_assert_int_eq(house_find(&house, "gc-1")->clock.deadline, deadline + 86400);
}
END_TEST

/* Its answer repeats the subject without its digits. */
START_TEST(a_mail_that_was_changed_is_refused)
{
    make(true);
    press_reply("bide\n"); /* a lone LF: not as it was signed */
    ck_assert_str_eq(orders_now(), "");
    ck_assert(reads("anna",
                    "Subject: Not done: Re: [gc-1] The game has begun: nine systems face down\nNothing "
                    "has been changed by your mail."));
}
END_TEST

START_TEST(a_digest_can_be_answered)
{
    struct err err = ERR_INIT;
    prefer(true, true);
    make(true);
    (void)house_signed(&house, "bob", "bob",
                       "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nShall we?\n#end\n");
    house_empty_spool(&house);
    house.now = house.batch.now = HOUSE_NOON + 6 * 3600 + 60;
    ck_ok(digest_send(&house.batch, &err), err);
    press_reply("gc-1: 2");
    ck_assert_str_eq(orders_now(), "bide\n");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_whole_game);
    tcase_add_test(tc, they_read_as_written);
    tcase_add_test(tc, who_has_a_key_signs);
    tcase_add_test(tc, the_form_counts_for_nothing);
    tcase_add_test(tc, all_learn_whose_word_it_was);
    tcase_add_test(tc, a_digest_is_answered_by_games);
    tcase_add_test(tc, each_can_be_answered);
    tcase_add_test(tc, a_mail_that_was_changed_is_refused);
    tcase_add_test(tc, a_digest_can_be_answered);
}

TEST_MAIN("letters/answerable", cases)
