/* Each field of a mail that any decision reads, changed or put on top by somebody through whose hands an answer of Anna's has
 * passed, who has no key of her domain: nothing of hers is changed by that, and the answer itself counts when it comes after the
 * copy. src/intake/README.md has the same rows (tests/fields.py). */
#include "house/quoted.h"

#define TO_US "league@example.org"

enum end { COUNTS, TOLD, SILENT };

static const struct row {
    const char *name, *value;
    enum end signed_to, open_to; /* what becomes of the copy, where the domain has signed To, and where not */
    bool spoils; /* where not, the answer that comes after it does not count, and its writer is told */
} rows[] = {
    {"From", "eve@mail.test", SILENT, SILENT, false},
    {"From", "anna@mail.test", SILENT, SILENT, false},
    {"Sender", "eve@mail.test", TOLD, TOLD, false},
    {"Sender", "mailer-daemon@mail.test", SILENT, SILENT, false},
    {"Subject", "Re: resign", TOLD, TOLD, false},
    {"Date", "Mon, 23 Nov 2020 10:00:00 +0000", TOLD, TOLD, false},
    {"To", TO_US, TOLD, TOLD, false},
    {"Cc", TO_US, COUNTS, COUNTS, false},
    {"Delivered-To", TO_US, COUNTS, COUNTS,
     false}, /* an address with something behind its name counts first */
    {"Delivered-To", "league+aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org", COUNTS, TOLD, true},
    {"Delivered-To", "eve@mail.test", COUNTS, COUNTS, false},
    {"X-Original-To", "league+aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org", COUNTS, TOLD, true},
    {"Envelope-To", "league+aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org", COUNTS, TOLD, true},
    {"Reply-To", "eve@mail.test", COUNTS, COUNTS, false},
    {"Message-ID", "<other@mail.test>", COUNTS, COUNTS, false},
    {"References", "<other@mail.test>", COUNTS, COUNTS, false},
    {"In-Reply-To", "<other@mail.test>", COUNTS, COUNTS, false},
    {"Content-Type", "text/html", COUNTS, COUNTS, false},
    {"Content-Type", "multipart/mixed; boundary=x", COUNTS, COUNTS, false},
    {"Content-Type", "multipart/report; report-type=delivery-status", SILENT, SILENT, false},
    {"Content-Transfer-Encoding", "base64", COUNTS, COUNTS, false},
    {"Content-Disposition", "attachment; filename=x.txt", COUNTS, COUNTS, false},
    {"DKIM-Signature", "v=1; a=rsa-sha256; d=mail.test; s=x; h=from:date:subject; bh=AAAA; b=AAAA", COUNTS,
     COUNTS, false},
    {"DKIM-Signature", "v=1; a=rsa-sha256; d=other.test; s=x; h=from:date:subject; bh=AAAA; b=AAAA", COUNTS,
     COUNTS, false},
    {"Authentication-Results", "mx.example.org; dmarc=fail header.from=mail.test", COUNTS, COUNTS, false},
    {"Authentication-Results", "mx.example.org; dmarc=pass header.from=mail.test", COUNTS, COUNTS, false},
    {"Received", "from x ([192.0.2.7]) by mx.example.net; Fri, 20 Nov 2026 12:00:00 +0000", COUNTS, COUNTS,
     false},
    {"Return-Path", "<>", SILENT, SILENT, false},
    {"Return-Path", "<mailer-daemon@mail.test>", SILENT, SILENT, false},
    {"Return-Path", "<eve@mail.test>", COUNTS, COUNTS, false},
    {"Auto-Submitted", "auto-replied", SILENT, SILENT, false},
    {"Precedence", "junk", SILENT, SILENT, false},
    {"Precedence", "bulk", COUNTS, COUNTS, false},
    {"List-Id", "<x.mail.test>", SILENT, SILENT, false},
    {"List-Unsubscribe", "<mailto:x@mail.test>", COUNTS, COUNTS, false},
    {"Mailing-List", "x", SILENT, SILENT, false},
    {"X-Loop", "league@example.org", SILENT, SILENT, false},
    {"X-Autoreply", "yes", SILENT, SILENT, false},
    {"X-Autorespond", "yes", SILENT, SILENT, false},
    {"X-Autoresponder", "yes", SILENT, SILENT, false},
    {"X-Failed-Recipients", "eve@mail.test", SILENT, SILENT, false},
    {"X-Mail-Autoreply", "yes", SILENT, SILENT, false},
    {"X-MS-Exchange-Generated-Message-Source", "x", SILENT, SILENT, false},
    {"X-MS-Exchange-Inbox-Rules-Loop", "x", SILENT, SILENT, false},
    {"X-Nobody-Knows", "x", COUNTS, COUNTS, false},
};
#define ROWS (sizeof rows / sizeof *rows)

static enum end end_of(struct slice raw)
{
    struct str mails;
    (void)house_raw(&house, raw);
    bool said = house_mails(&house, NULL, &mails) > 0;
    str_release(&mails);
    house_empty_spool(&house);
    return is_in() ? COUNTS : said ? TOLD : SILENT;
}

/* "build" in answer to a report, written but not sent. */
static void write_build(struct str *raw)
{
    struct ours ours;
    struct str body = STR_INIT;
    (void)write_plain("show", "");
    read_ours(&ours);
    house_empty_spool(&house);
    str_adds(&body, "build\r\n");
    add_quote(&body, &ours);
    house.now += 60;
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", ours.to, ours.subject, house.now, body.p, NULL, 0}, raw);
    house.mails++;
    str_release(&ours.text);
    str_release(&body);
}

START_TEST(a_field_on_top)
{
    const struct row *row = &rows[_i / 2];
    struct str raw = STR_INIT, copy = STR_INIT;
    domain.signs_to = _i % 2;
    write_build(&raw);
    str_addf(&copy, "%s: %s\r\n%s", row->name, row->value, raw.p);
    enum end want = domain.signs_to ? row->signed_to : row->open_to, is = end_of(slice_str(&copy));
    ck_assert_msg(is == want, "%s: %s, To is %ssigned: %d, not %d", row->name, row->value,
                  domain.signs_to ? "" : "not ", is, want);
    (void)house_raw(&house, slice_str(&raw));
    ck_assert_msg(is_in() != (row->spoils && !domain.signs_to), "%s: %s: and then", row->name, row->value);
    if (is_in())
        ck_assert_str_eq(orders_now(), "build\n");
    str_release(&raw);
    str_release(&copy);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, a_field_on_top, 0, 2 * (int)ROWS);
}
TEST_MAIN("intake/fields", cases)
