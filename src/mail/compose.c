#include "mail/compose.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

#include "base/encode.h"
#include "base/utf8.h"
#include "mail/fold.h"
#include "mail/transfer.h"

#define BOUNDARY_BYTES 16           /* as hex in a boundary */
#define LAST_SECOND    253402300799 /* 9999-12-31 */
#define HEAD_USUAL     2048         /* roughly the size of a mail's header */

/* The text and the page as they go out: valid UTF-8 with a line end at the end. */
struct bodies {
    struct slice text, html;
    struct str made[2]; /* only for a body that had to be fixed */
};

static void put_date(struct str *out, int64_t date)
{
    static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t t = (time_t)(date < 0 ? 0 : date > LAST_SECOND ? LAST_SECOND : date);
    struct tm tm;
    if (!gmtime_r(&t, &tm))
        return;
    str_addf(out, "Date: %s, %d %s %d %02d:%02d:%02d +0000\r\n", days[tm.tm_wday], tm.tm_mday,
             months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* RFC 2369 with RFC 6068: <mailto:league@example.org?subject=stop>. */
static void put_unsubscribe(struct str *out, const char *address)
{
    struct str url = STR_INIT;
    str_adds(&url, "mailto:");
    for (const char *p = address; *p; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        if (plain || strchr("@.-_", *p))
            str_addc(&url, *p);
        else
            str_addf(&url, "%%%02X", (unsigned)(unsigned char)*p);
    }
    str_adds(&url, "?subject=stop");
    fold_angle(out, "List-Unsubscribe", url.p);
    str_release(&url);
}

static void put_head(struct str *out, const struct letter *letter)
{
    put_date(out, letter->date);
    fold_mailbox(out, "From", letter->from, letter->from_name);
    fold_mailbox(out, "To", letter->to, letter->to_name);
    if (letter->reply_to)
        fold_mailbox(out, "Reply-To", letter->reply_to, NULL);
    fold_text(out, "Subject", letter->subject);
    fold_angle(out, "Message-ID", letter->message_id);
    if (letter->in_reply_to && *letter->in_reply_to)
        fold_angle(out, "In-Reply-To", letter->in_reply_to);
    if (letter->references && *letter->references)
        fold_words(out, "References", letter->references);
    if (letter->list_id) {
        fold_angle(out, "List-Id", letter->list_id);
        put_unsubscribe(out, letter->from); /* reply_to may be for answers to this mail alone */
    }
    if (!letter->person) {
        fold_words(out, "Auto-Submitted", letter->reply ? "auto-replied" : "auto-generated");
        fold_words(out, "X-Auto-Response-Suppress", "All");
        fold_words(out, "x-ms-reactions", "disallow");
    }
    if (letter->loop)
        fold_words(out, "X-Loop", letter->loop);
    str_adds(out, "MIME-Version: 1.0\r\n");
}

/* ---- bodies ---- */

static struct slice make_body(const char *text, struct str *made)
{
    struct slice body = slice_of(text);
    bool valid = utf8_valid(body);
    if (valid && body.len && body.p[body.len - 1] == '\n')
        return body;
    if (valid)
        str_addslice(made, body);
    else
        utf8_safe(made, body, true);
    if (!made->len || made->p[made->len - 1] != '\n')
        str_addc(made, '\n');
    return slice_str(made);
}

/* Content fields, the empty line and the body. */
static void put_text(struct str *out, const char *type, struct slice text)
{
    bool plain = transfer_is_7bit(text);
    str_addf(out, "Content-Type: %s; charset=%s\r\n", type, plain ? "us-ascii" : "utf-8");
    str_addf(out, "Content-Transfer-Encoding: %s\r\n\r\n", plain ? "7bit" : "quoted-printable");
    if (plain)
        transfer_crlf(out, text);
    else
        transfer_quoted(out, text);
}

/* The caller's own word, but it cannot inject anything. */
static void put_type(struct str *out, const char *type)
{
    str_adds(out, "Content-Type: ");
    for (const char *p = type; *p; p++) {
        bool token = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        if (token || strchr("/.+-", *p))
            str_addc(out, *p);
    }
}

static void put_file(struct str *out, const struct letter_file *file)
{
    bool text = strcmp(file->type, "text/plain") == 0;
    bool plain = text && transfer_is_7bit(file->bytes) && transfer_is_robust(file->bytes);
    put_type(out, file->type);
    if (text && utf8_valid(file->bytes))
        str_adds(out, "; charset=utf-8");
    str_adds(out, "\r\n");
    fold_attachment(out, file->name);
    str_addf(out, "Content-Transfer-Encoding: %s\r\n\r\n", plain ? "7bit" : "base64");
    if (plain)
        transfer_crlf(out, file->bytes);
    else
        transfer_base64(out, file->bytes);
}

/* ---- boundaries ---- */

static bool occurs(const struct letter *letter, const struct bodies *bodies, const char *boundary)
{
    if (slice_find(bodies->text, boundary) != (size_t)-1 || slice_find(bodies->html, boundary) != (size_t)-1)
        return true;
    for (size_t i = 0; i < letter->file_count; i++)
        if (slice_find(letter->files[i].bytes, boundary) != (size_t)-1)
            return true;
    return false;
}

void compose_boundary(struct str *boundary, struct slice seed)
{
    unsigned char hash[BOUNDARY_BYTES];
    (void)crypto_generichash(hash, sizeof hash, (const unsigned char *)seed.p, seed.len, NULL, 0);
    str_clear(boundary);
    str_adds(boundary, "=_");
    hex_encode(boundary, hash, sizeof hash);
}

/* From the Message-ID, so that the same letter gives the same bytes; and never a string that occurs in the
 * letter, because players, who write parts of it, can compute it too. */
static void make_boundary(struct str *boundary, const struct letter *letter, const struct bodies *bodies,
                          char level)
{
    for (unsigned tries = 0;; tries++) {
        struct str seed = STR_INIT;
        str_addf(&seed, "%c%u ", level, tries);
        str_adds(&seed, letter->message_id);
        compose_boundary(boundary, slice_str(&seed));
        str_release(&seed);
        if (!occurs(letter, bodies, boundary->p))
            return;
    }
}

static void put_multipart(struct str *out, const char *subtype, const struct str *boundary)
{
    str_addf(out, "Content-Type: multipart/%s;\r\n boundary=\"%s\"\r\n\r\n", subtype, boundary->p);
}

static void put_alternative(struct str *out, const struct letter *letter, const struct bodies *bodies)
{
    if (!letter->html) {
        put_text(out, "text/plain", bodies->text);
        return;
    }
    struct str boundary = STR_INIT;
    make_boundary(&boundary, letter, bodies, 'a');
    put_multipart(out, "alternative", &boundary);
    str_addf(out, "--%s\r\n", boundary.p);
    put_text(out, "text/plain", bodies->text);
    str_addf(out, "\r\n--%s\r\n", boundary.p);
    put_text(out, "text/html", bodies->html);
    str_addf(out, "\r\n--%s--\r\n", boundary.p);
    str_release(&boundary);
}

void compose(struct str *out, const struct letter *letter)
{
    struct bodies bodies = {.made = {STR_INIT, STR_INIT}};
    struct str boundary = STR_INIT;
    bodies.text = make_body(letter->text ? letter->text : "", &bodies.made[0]);
    if (letter->html)
        bodies.html = make_body(letter->html, &bodies.made[1]);
    /* Quoting makes it longer, but not by much. */
    str_reserve(out, HEAD_USUAL + (bodies.text.len + bodies.html.len) * 9 / 8);
    put_head(out, letter);
    if (!letter->file_count) {
        put_alternative(out, letter, &bodies);
    } else {
        make_boundary(&boundary, letter, &bodies, 'm');
        put_multipart(out, "mixed", &boundary);
        str_addf(out, "--%s\r\n", boundary.p);
        put_alternative(out, letter, &bodies);
        for (size_t i = 0; i < letter->file_count; i++) {
            str_addf(out, "\r\n--%s\r\n", boundary.p);
            put_file(out, &letter->files[i]);
        }
        str_addf(out, "\r\n--%s--\r\n", boundary.p);
    }
    str_release(&boundary);
    str_release(&bodies.made[0]);
    str_release(&bodies.made[1]);
}
