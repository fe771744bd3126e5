#include "mails.h"

#include "base/encode.h"

START_TEST(reads_a_plain_mail)
{
    static const char text[] = "Return-Path: <alice@example.org>\r\n"
                               "Delivered-To: league+gc-17@Example.ORG\r\n"
                               "From: Alice Example <Alice@EXAMPLE.org>\r\n"
                               "To: league@example.org\r\n"
                               "Subject: orders for\r\n gc-17\r\n"
                               "Message-ID: <m1@example.org>\r\n"
                               "References: <a@x> <b@x>\r\n"
                               "Content-Type: text/plain; charset=utf-8\r\n"
                               "\r\n"
                               "#turnpost orders\r\nbuild\r\n#end\r\n";
    struct parsed p = mail_good(text);
    ck_assert_int_eq(p.msg.kind, MAIL_PERSON);
    ck_assert_str_eq(p.msg.from, "Alice@example.org");
    ck_assert_str_eq(p.msg.from_name, "Alice Example");
    ck_assert_str_eq(p.msg.to, "league+gc-17@example.org");
    ck_assert_str_eq(p.msg.subject, "orders for gc-17");
    ck_assert_str_eq(p.msg.message_id, "m1@example.org");
    ck_assert_str_eq(p.msg.references, "<a@x> <b@x> <m1@example.org>");
    ck_assert_str_eq(p.msg.bounce.message_id, "");
    ck_assert_uint_eq(p.msg.part_count, 1);
    ck_assert_str_eq(p.msg.parts[0].type, "text/plain");
    ck_assert_str_eq(p.msg.parts[0].name, "");
    ck_str_eq(p.msg.parts[0].exact, "#turnpost orders\r\nbuild\r\n#end\r\n");
    ck_str_eq(p.msg.parts[0].shown, "#turnpost orders\nbuild\n#end\n");
    ck_assert_uint_eq(p.msg.parts[0].flat.len, 0);
    mail_free(&p);
}
END_TEST

/* printf 'From: a@b.c\n\nhi\n' | b2sum -l 256 */
START_TEST(digest_is_b2sum)
{
    struct slice raw = slice_of("From: a@b.c\n\nhi\n");
    unsigned char digest[MESSAGE_DIGEST];
    char hex[2 * MESSAGE_DIGEST + 1];
    message_digest(digest, raw);
    hex_to(hex, digest, sizeof digest);
    ck_assert_str_eq(hex, "f63126d1946236686b586165202e2ff456b1c803d05e49dd4fc090d82c0a9c8c");
    struct parsed p = mail_read(raw);
    ck_assert_mem_eq(p.msg.digest, digest, sizeof digest);
    mail_free(&p);
}
END_TEST

static const struct {
    const char *field, *shown;
} subjects[] = {
    {"Subject: =?utf-8?Q?Z=C3=BCge_f=C3=BCr?= gc-17", "Z\xC3\xBCge f\xC3\xBCr gc-17"},
    {"Subject: =?UTF-8?B?WsO8Z2U=?=\n =?UTF-8?B?IGbDvHI=?=", "Z\xC3\xBCge f\xC3\xBCr"},
    {"Subject: =?utf-8?B?WsM=?= =?utf-8?B?vGdl?=", "Z\xC3\xBCge"}, /* a character split over two words */
    {"Subject: =?iso-8859-1?Q?Z=FCge?=", "Z\xC3\xBCge"},
    {"Subject: =?utf-8?B?WsO8Z2U?=", "Z\xC3\xBCge"}, /* no padding */
    {"Subject: =?utf-8?Q?Z?=\t=?utf-8?Q?=C3=BC?= ge =?utf-8?Q?x_?= y", "Z\xC3\xBC ge x  y"},
    {"Subject: =?utf-8*en?q?a b?=c", "a bc"}, /* a space within, nothing between */
    {"Subject: =?iso-8859-1?Q?=FC?= =?utf-8?Q?=C3=BC?=", "\xC3\xBC\xC3\xBC"},
    {"Subject: =?utf-8?X?a?= =?utf-8??a?= =??Q?a?= =?utf-8?Q?=ZZ=?=",
     "=?utf-8?X?a?= =?utf-8??a?= =??Q?a?= =ZZ="},
    {"Subject: =?=?=?", "=?=?=?"},
    {"Subject: Z\xC3\xBCge", "Z\xC3\xBCge"}, /* raw UTF-8 */
    {"Subject: Z\xFCge", "Z\xC3\xBCge"},     /* raw windows-1252 */
    {"Subject: =?x-nonsense?Q?Z?=", "Z"},
    {"Subject: =?utf-8?Q?broken", "=?utf-8?Q?broken"},
    {"Subject : blank before the colon", "blank before the colon"},
    {"SUBJECT:no blank", "no blank"},
    {"Subject: one\nSubject: two", "one"},
    {"Subject: =?utf-8?Q?a=0D=0ABcc:_x?=", "a Bcc: x"},
    {"Subject: =?utf-8?Q?a=E2=80=AEb?=", "a\xEF\xBF\xBD"
                                         "b"}, /* right-to-left override */
    {"Subject:", ""},
    {"X-Subject: other", ""},
};

START_TEST(subjects_are_decoded)
{
    struct parsed p = mail_with(subjects[_i].field, "\n");
    ck_assert_str_eq(p.msg.subject, subjects[_i].shown);
    mail_free(&p);
}
END_TEST

START_TEST(long_subject_is_cut_between_characters)
{
    struct str field = STR_INIT;
    str_adds(&field, "Subject: x");
    for (int i = 0; i < 200; i++)
        str_adds(&field, "\xC3\xBC");
    struct parsed p = mail_with(field.p, "\n");
    ck_assert_uint_eq(strlen(p.msg.subject), 249);
    ck_assert(str_ends(p.msg.subject, "\xC3\xBC"));
    mail_free(&p);
    str_release(&field);
}
END_TEST

static const struct {
    const char *fields, *from, *name;
} senders[] = {
    {"From: bob@Example.ORG", "bob@example.org", ""},
    {"From: <bob@example.org>", "bob@example.org", ""},
    {"From: Bob <bob@example.org>", "bob@example.org", "Bob"},
    {"From: \"Bob, the Builder\" <bob@example.org>", "bob@example.org", "Bob, the Builder"},
    {"From: bob@example.org (Bob)", "bob@example.org", "Bob"},
    {"From: =?utf-8?Q?J=C3=BCrg?= <j@example.org>", "j@example.org", "J\xC3\xBCrg"},
    {"From: \"carol@good.example\" <bob@example.org>", "bob@example.org", "carol@good.example"},
    {"From: Bob\n <bob@example.org>", "bob@example.org", "Bob"},
    /* nobody, because it is not clear who */
    {"From: bob@example.org\nFrom: bob@example.org", "", ""},
    {"From: bob@example.org, carol@example.org", "", ""},
    {"From: <bob@example.org> <carol@example.org>", "", ""},
    {"From: friends: bob@example.org;", "", ""},
    {"From: bob", "", ""},
    {"From: @example.org", "", ""},
    {"From: \"bob builder\"@example.org", "", ""},
    {"From: b\xC3\xB6"
     "b@example.org",
     "", ""},
    {"From:", "", ""},
    {"X-From: bob@example.org", "", ""},
};

START_TEST(senders_are_one_address_or_nobody)
{
    struct str text = STR_INIT;
    str_addf(&text, "%s\n\nhello\n", senders[_i].fields);
    struct parsed p = mail_good(text.p);
    ck_assert_str_eq(p.msg.from, senders[_i].from);
    ck_assert_str_eq(p.msg.from_name, senders[_i].name);
    mail_free(&p);
    str_release(&text);
}
END_TEST

static const struct {
    const char *field, *id;
} ids[] = {
    {"Message-ID: <a@b>", "a@b"},
    {"Message-Id: a@b", "a@b"},
    {"Message-ID:\n <a@b>", "a@b"},
    {"Message-ID: <a@b> (comment)", "a@b"},
    {"Message-ID: <a b@c>", ""},
    {"Message-ID: <ab>", ""},
    {"Message-ID: <@b>", ""},
    {"Message-ID: <a@>", ""},
    {"Message-ID: <a\xC3\xBC@b>", ""},
    {"Message-ID: ", ""},
    {"Date: now", ""},
};

START_TEST(ids_are_sane_or_absent)
{
    struct parsed p = mail_with(ids[_i].field, "\n");
    ck_assert_str_eq(p.msg.message_id, ids[_i].id);
    mail_free(&p);
}
END_TEST

START_TEST(long_id_is_no_id)
{
    struct str field = STR_INIT;
    str_adds(&field, "Message-ID: <");
    for (int i = 0; i < 248; i++)
        str_addc(&field, 'x');
    str_adds(&field, "@b>");
    struct parsed p = mail_with(field.p, "\n");
    ck_assert_uint_eq(strlen(p.msg.message_id), 250);
    mail_free(&p);
    str_cut(&field, field.len - 1);
    str_adds(&field, "b>");
    p = mail_with(field.p, "\n");
    ck_assert_str_eq(p.msg.message_id, "");
    mail_free(&p);
    str_release(&field);
}
END_TEST

START_TEST(references_keep_the_last_twenty)
{
    struct str field = STR_INIT;
    struct str want = STR_INIT;
    str_adds(&field, "References:");
    for (int i = 0; i < 30; i++)
        str_addf(&field, "\n <%d@x> junk <in sane>", i);
    str_adds(&field, " <25@x>\nMessage-ID: <me@x>");
    for (int i = 10; i < 30; i++)
        if (i != 25 && i != 10)
            str_addf(&want, "<%d@x> ", i);
    str_adds(&want, "<25@x> <me@x>");
    struct parsed p = mail_with(field.p, "\n");
    ck_assert_str_eq(p.msg.references, want.p);
    mail_free(&p);
    p = mail_with("In-Reply-To: <parent@x>\nMessage-ID: <me@x>", "\n");
    ck_assert_str_eq(p.msg.references, "<parent@x> <me@x>");
    mail_free(&p);
    p = mail_with("In-Reply-To: your mail of yesterday", "\n");
    ck_assert_str_eq(p.msg.references, "");
    mail_free(&p);
    str_release(&want);
    str_release(&field);
}
END_TEST

static const struct {
    const char *fields;
    enum message_kind kind;
} kinds[] = {
    {"From: alice@example.org", MAIL_PERSON},
    {"From: alice@example.org\nAuto-Submitted: no", MAIL_PERSON},
    {"From: alice@example.org\nAuto-Submitted: No (really)", MAIL_PERSON},
    {"From: alice@example.org\nPrecedence: first-class", MAIL_PERSON},
    {"From: alice@example.org\nX-Loop: somebody.else", MAIL_PERSON},
    {"From: alice@example.org\nReturn-Path: <bounces+SRS=x@forwarder.example>", MAIL_PERSON},
    {"From: alice@example.org\nAuto-Submitted: auto-replied", MAIL_AUTO},
    {"From: alice@example.org\nSubject: Automatic reply: turn 4", MAIL_AUTO},
    {"From: alice@example.org\nSubject: =?utf-8?q?R=C3=A9ponse_automatique_:_turn_4?=", MAIL_AUTO},
    {"From: alice@example.org\nSubject: Re: Automatic reply: turn 4", MAIL_PERSON},
    {"From: alice@example.org\nX-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent", MAIL_AUTO},
    {"From: alice@example.org\nauto-submitted:\n auto-generated; why", MAIL_AUTO},
    {"From: alice@example.org\nAuto-Submitted:", MAIL_AUTO},
    {"From: alice@example.org\nPrecedence: bulk", MAIL_BULK},
    {"From: alice@example.org\nPRECEDENCE: Bulk (vacation)", MAIL_BULK},
    {"From: alice@example.org\nPrecedence: bulk\nAuto-Submitted: auto-replied", MAIL_AUTO},
    {"From: alice@example.org\nPrecedence: bulk\nReturn-Path: <>", MAIL_AUTO},
    {"From: alice@example.org\nPrecedence: bulk\nSubject: Out of office: turn 4", MAIL_AUTO},
    {"From: alice@example.org\nPrecedence: auto_reply", MAIL_AUTO},
    {"From: alice@example.org\nPrecedence: JUNK", MAIL_AUTO},
    {"From: alice@example.org\nPrecedence: list", MAIL_AUTO},
    {"From: alice@example.org\nX-Auto-Response-Suppress: DR, OOF", MAIL_PERSON},
    {"From: alice@example.org\nX-Auto-Response-Suppress: All", MAIL_PERSON},
    {"From: alice@example.org\nX-Auto-Response-Suppress: All\nAuto-Submitted: auto-generated", MAIL_AUTO},
    {"From: alice@example.org\nX-Auto-Response-Suppress: All\nSubject: Automatic reply: x", MAIL_AUTO},
    {"From: alice@example.org\nReturn-Path: <>", MAIL_AUTO},
    {"From: alice@example.org\nX-Failed-Recipients: bob@example.org", MAIL_AUTO},
    {"From: alice@example.org\nContent-Type: multipart/report; boundary=b", MAIL_AUTO},
    {"From: alice@example.org\nSender: owner-list@example.org", MAIL_AUTO},
    {"From: MAILER-DAEMON@example.net", MAIL_NAMED},
    {"From: postmaster@example.net", MAIL_NAMED},
    {"From: no-reply@example.net", MAIL_NAMED},
    {"From: NoReply-17@example.net", MAIL_NAMED},
    {"From: club-bounces@example.net", MAIL_NAMED},
    {"From: club-bounce@example.net", MAIL_NAMED},
    {"From: gmail-noreply@example.net", MAIL_NAMED},
    {"From: news-DoNotReply@example.net", MAIL_NAMED},
    {"From: calendar.no-reply@example.net", MAIL_NAMED},
    {"From: shop_do_not_reply@example.net", MAIL_NAMED},
    {"From: do.not.reply@example.net", MAIL_NAMED},
    {"From: alerts-noreply+a1b2c3@example.net", MAIL_NAMED},
    {"From: news-noreply-de@example.net", MAIL_NAMED},
    {"From: news.no-reply.de+7@example.net", MAIL_NAMED},
    {"From: notreply@example.net", MAIL_NAMED},
    {"From: nepasrepondre@example.net", MAIL_NAMED},
    {"From: ne-pas-repondre@example.net", MAIL_NAMED},
    {"From: keineantwort@example.net", MAIL_NAMED},
    {"From: shop_keine.antwort@example.net", MAIL_NAMED},
    {"From: autoresponder@example.net", MAIL_NAMED},
    {"From: auto-reply@example.net", MAIL_NAMED},
    {"From: autoreply@example.net", MAIL_NAMED},
    {"From: vacation-autoreply@example.net", MAIL_NAMED},
    {"From: LISTSERV@example.net", MAIL_NAMED},
    {"From: majordomo@example.net", MAIL_NAMED},
    {"From: majordomo-users@example.net", MAIL_NAMED},
    {"From: list-bounces+anna=example.org@example.net", MAIL_NAMED},
    {"From: mrs.noreply-fan@example.net", MAIL_NAMED},
    {"From: owner-club@example.net", MAIL_NAMED},
    {"From: bounces+7@example.net", MAIL_NAMED},
    {"From: club-request@example.net", MAIL_PERSON},
    {"From: club-request+7@example.net", MAIL_PERSON},
    {"From: club-owner@example.net", MAIL_PERSON},
    {"From: dog-owner@example.net", MAIL_PERSON},
    {"From: song-request@example.net", MAIL_PERSON},
    {"From: club-owner@example.net\nList-Id: <club.example.net>", MAIL_LIST},
    {"From: club-request@example.net\nPrecedence: bulk", MAIL_BULK},
    {"From: noreply@example.net\nPrecedence: bulk", MAIL_AUTO},
    {"From: noreply@example.net\nAuto-Submitted: auto-replied", MAIL_AUTO},
    {"From: owner-anna@example.net\nReturn-Path: <owner-anna@example.net>", MAIL_NAMED},
    {"From: alice@example.org\nReturn-Path: <owner-anna@example.net>", MAIL_AUTO},
    {"From: casinoreply@example.net", MAIL_PERSON},
    {"From: anna+noreply@example.net", MAIL_PERSON},
    {"From: anna@noreply.example.net", MAIL_PERSON},
    {"From: homeowner@example.net", MAIL_PERSON},
    {"From: request@example.net", MAIL_PERSON},
    {"From: alice@example.org\nReturn-Path: <MAILER-DAEMON>", MAIL_AUTO},
    {"From: alice@example.org\nList-Id: <club.example.org>", MAIL_LIST},
    {"From: alice@example.org\nlist-unsubscribe: <mailto:x@y>", MAIL_NAMED},
    {"From: alice@example.org\nList-Unsubscribe: <mailto:x@y>\nList-Unsubscribe-Post: "
     "List-Unsubscribe=One-Click",
     MAIL_NAMED},
    {"From: alice@example.org\nlist-unsubscribe: <mailto:x@y>\nPrecedence: bulk", MAIL_AUTO},
    {"From: alice@example.org\nList-Unsubscribe: <mailto:x@y>\nList-Id: <club.example.org>", MAIL_LIST},
    {"From: alice@example.org\nList-Post: <mailto:x@y>\nList-Unsubscribe: <mailto:x@y>", MAIL_LIST},
    {"From: alice@example.org\nList-Help: <mailto:x@y>", MAIL_LIST},
    {"From: alice@example.org\nX-Loop: other\nX-Loop: LEAGUE.example.org", MAIL_OWN},
    {"From: league@example.org", MAIL_OWN},
    {"From: League <league+gc-17@EXAMPLE.ORG>", MAIL_OWN},
    {"From: alice@example.org\nReturn-Path: <bounces+77@example.org>", MAIL_OWN},
    {"From: leagues@example.org", MAIL_PERSON},
    {"From: league@example.net", MAIL_PERSON},
};

START_TEST(kinds_follow_the_manners)
{
    struct str text = STR_INIT;
    str_addf(&text, "%s\n\nhello\n", kinds[_i].fields);
    struct parsed p = mail_good(text.p);
    ck_assert_msg(p.msg.kind == kinds[_i].kind, "%s: kind %d", kinds[_i].fields, (int)p.msg.kind);
    mail_free(&p);
    str_release(&text);
}
END_TEST

#define BUTTON "text/vnd.google.email-reaction+json"
#define GMAIL                                                                                 \
    "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; "      \
    "charset=\"UTF-8\"\n\n"                                                                   \
    "\xF0\x9F\x91\x8D\n\nAlice reacted via Gmail\n\nOn Tue, Nov 24, 2026 League wrote:\n\n> " \
    "report\n--b\nContent-Type: " BUTTON                                                      \
    "; charset=\"UTF-8\"\n%s\n{\"emoji\":\"x\",\"version\":1}\n--b\nContent-Type: "           \
    "text/html\n\n<p>x</p>\n--b--\n"
#define RULE "________________________________\n"

/* What follows the fields of a mail from a person. */
static const struct {
    const char *mail;
    enum message_kind kind;
} reactions[] = {
    {"Content-Type: " BUTTON "\n\n{\"emoji\":\"x\",\"version\":1}\n", MAIL_REACTION},
    {"Precedence: bulk\nContent-Type: " BUTTON "\n\n{}\n", MAIL_REACTION},
    {"Auto-Submitted: auto-replied\nContent-Type: " BUTTON "\n\n{}\n", MAIL_AUTO},
    {"List-Id: <a.b>\nContent-Type: " BUTTON "\n\n{}\n", MAIL_LIST},
    /* Outlook's, and what others made of it */
    {"\n[like]  Alice Example reacted to your message:\n" RULE "From: League <l@x>\nSent: Monday\n",
     MAIL_REACTION},
    {"\n\n  Alice reacted to your message:\n\n" RULE "Von: League <l@x>\n", MAIL_REACTION},
    {"\nAlice liked your message:\n\n> report\n", MAIL_REACTION},
    {"\nAlice reacted to your message:\n", MAIL_REACTION},
    {"\nAlice Example hat auf Ihre Nachricht reagiert:\nVon: League <l@x>\n", MAIL_REACTION},
    {"Content-Type: text/plain; charset=utf-8\n\n[heart] Alice a r\xC3\xA9"
     "agi \xC3\xA0 votre message :\n" RULE,
     MAIL_REACTION},
    {"\n[heart] Alice reageerde:\n" RULE, MAIL_REACTION},
    {"Content-Type: text/html\n\n<table><tr><td><img alt=\"0\" src=\"\"> </td><td><b>Alice Example</b> "
     "<span>reacted to your message:</span></td></tr></table><hr><div><b>From:</b> League</div>",
     MAIL_REACTION},
    /* what somebody has typed is no reaction */
    {"\nAlice reacted to your message:\nexplore near\n", MAIL_PERSON},
    {"\nexplore near\n\n[like] Alice reacted to your message:\n" RULE, MAIL_PERSON},
    {"\nAlice reacted to your message\n", MAIL_PERSON},
    {"\n> [like] Alice reacted to your message:\n> " RULE, MAIL_PERSON},
    {"\n[like]\n", MAIL_PERSON},
    {"\n[x] explore near\n" RULE, MAIL_PERSON},
    {"Content-Type: message/rfc822\n\nFrom: bob@example.org\n\n[like] Bob reacted to your message:\n" RULE,
     MAIL_PERSON},
    {"Content-Type: message/rfc822\n\nFrom: bob@example.org\nContent-Type: " BUTTON "\n\n{}\n", MAIL_PERSON},
};

START_TEST(reactions_are_no_texts)
{
    struct str text = STR_INIT;
    str_addf(&text, "From: alice@example.org\n%s", reactions[_i].mail);
    struct parsed p = mail_good(text.p);
    ck_assert_msg(p.msg.kind == reactions[_i].kind, "%s: kind %d", reactions[_i].mail, (int)p.msg.kind);
    mail_free(&p);
    str_release(&text);
}
END_TEST

START_TEST(gmails_reaction_is_a_part_that_is_no_attachment)
{
    struct str text = STR_INIT;
    str_addf(&text, "From: alice@example.org\n" GMAIL, "");
    struct parsed p = mail_good(text.p);
    ck_assert_int_eq(p.msg.kind, MAIL_REACTION);
    mail_free(&p);
    str_clear(&text);
    str_addf(&text, "From: alice@example.org\n" GMAIL, "Content-Disposition: Attachment; filename=a\n");
    p = mail_good(text.p);
    ck_assert_int_eq(p.msg.kind, MAIL_PERSON);
    mail_free(&p);
    str_release(&text);
}
END_TEST

START_TEST(only_the_top_header_counts)
{
    struct parsed p =
        mail_with("Content-Type: message/rfc822\n", "From: league@example.org\nX-Loop: league.example.org\n"
                                                    "Subject: inner\nAuto-Submitted: auto-replied\n\ntext\n");
    ck_assert_int_eq(p.msg.kind, MAIL_PERSON);
    ck_assert_str_eq(p.msg.from, "alice@example.org");
    ck_assert_str_eq(p.msg.subject, "");
    ck_assert_uint_eq(p.msg.part_count, 1);
    ck_str_eq(p.msg.parts[0].shown, "text\n");
    mail_free(&p);
    p = mail_with("", "X-Loop: league.example.org\n");
    ck_assert_int_eq(p.msg.kind, MAIL_PERSON);
    mail_free(&p);
}
END_TEST

static const struct {
    const char *fields, *to;
} recipients[] = {
    {"To: league@example.org", "league@example.org"},
    {"To: Bob <bob@example.org>, League <League+Gc-17@example.org>", "League+Gc-17@example.org"},
    {"To: bob@example.org\nCc: league@example.org", "league@example.org"},
    {"To: league@example.org\nDelivered-To: bounces+77@example.org", "bounces+77@example.org"},
    {"To: league@example.org\nX-Original-To: league+a@example.org\nDelivered-To: root@localhost",
     "league+a@example.org"},
    {"To: league+gc-17.3@example.org\nDelivered-To: league@example.org", "league+gc-17.3@example.org"},
    {"To: league@example.org\nDelivered-To: bounces@example.org", "league@example.org"},
    {"Cc: bounces@example.org", "bounces@example.org"},
    {"To: players: bob@example.org, league@example.org;", ""},
    {"To: league@example.net", ""},
    {"", ""},
};

START_TEST(recipient_is_one_of_ours)
{
    struct str fields = STR_INIT;
    str_addf(&fields, "%s%s", recipients[_i].fields, *recipients[_i].fields ? "\n" : "");
    struct parsed p = mail_with(fields.p, "x");
    ck_assert_str_eq(p.msg.to, recipients[_i].to);
    mail_free(&p);
    str_release(&fields);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_test(tc, reads_a_plain_mail);
    tcase_add_test(tc, digest_is_b2sum);
    tcase_add_loop_test(tc, subjects_are_decoded, 0, sizeof subjects / sizeof *subjects);
    tcase_add_test(tc, long_subject_is_cut_between_characters);
    tcase_add_loop_test(tc, senders_are_one_address_or_nobody, 0, sizeof senders / sizeof *senders);
    tcase_add_loop_test(tc, ids_are_sane_or_absent, 0, sizeof ids / sizeof *ids);
    tcase_add_test(tc, long_id_is_no_id);
    tcase_add_test(tc, references_keep_the_last_twenty);
    tcase_add_loop_test(tc, kinds_follow_the_manners, 0, sizeof kinds / sizeof *kinds);
    tcase_add_loop_test(tc, reactions_are_no_texts, 0, sizeof reactions / sizeof *reactions);
    tcase_add_test(tc, gmails_reaction_is_a_part_that_is_no_attachment);
    tcase_add_test(tc, only_the_top_header_counts);
    tcase_add_loop_test(tc, recipient_is_one_of_ours, 0, sizeof recipients / sizeof *recipients);
}
TEST_MAIN_TOGETHER("mail/message", cases)
