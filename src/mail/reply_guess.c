/* How a body is to be read whose Content-Type or Content-Transfer-Encoding are not signed.
 *
 * Whoever carries the mail could change them without breaking the signature, so what they say counts for
 * nothing: the forms that mail programs give to a body are told from the body alone. All readings that remain
 * have to give the same text (reply.c), else the mail is answered and not counted. */
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/utf8.h"
#include "mail/reply_parts.h"
#include "mail/text.h"
#include "mail/transfer.h"

#define PREAMBLE      "This is a multi-part message in MIME format."
#define DELIMITER_MAX 70 /* bytes, RFC 2046 */
#define WORD_LINE     40 /* bytes of a line of base64 alphabet that can be no word */

struct guess {
    const struct reply_mail *mail;
    struct reading *readings;
    size_t count;
};

/* With single spaces: how a field is folded is not signed either. */
static void add(struct guess *guess, struct slice type, const char *encoding)
{
    struct reading *reading = &guess->readings[guess->count++];
    struct slice word;
    size_t len = 0;
    while (slice_word(&type, &word))
        len += (size_t)snprintf(reading->type + len, sizeof reading->type - len, "%s%.*s", len ? " " : "",
                                (int)word.len, word.p);
    reading->type[len] = '\0';
    reading->encoding = encoding;
}

/* ---- multiparts ---- */

/* "--TOKEN", with a field of a part in the next line. */
static bool is_delimiter(struct slice line, struct slice rest)
{
    struct slice next;
    if (!slice_starts(line, "--") || line.len < 3 || line.len > 2 + DELIMITER_MAX ||
        !slice_line(&rest, &next))
        return false;
    for (size_t i = 2; i < line.len; i++)
        if (line.p[i] < ' ' || line.p[i] > '~' || line.p[i] == '"' || line.p[i] == '\\')
            return false;
    return slice_casestarts(next, "Content-");
}

/* The first delimiter line; *first: there is nothing before it. Empty when there is none. */
static struct slice find_delimiter(struct slice body, bool *first)
{
    struct slice line;
    *first = true;
    while (slice_line(&body, &line)) {
        if (is_delimiter(line, body))
            return line;
        line = slice_trim(line);
        *first = *first && (!line.len || slice_eq(line, PREAMBLE));
    }
    return (struct slice){"", 0};
}

/* ---- encodings ---- */

/* What a text of a mail may hold, whatever its charset. */
static bool is_text(struct slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if ((unsigned char)bytes.p[i] < ' ' && !strchr("\t\r\n\f", bytes.p[i] ? bytes.p[i] : 1))
            return false;
    return true;
}

/* Is it nothing but lines of base64, whose bytes are a text? *longest: bytes of its longest line. */
static bool may_be_base64(struct slice body, size_t *longest)
{
    struct str bytes = STR_INIT;
    struct slice rest = body, line;
    size_t count = 0, padding = 0;
    *longest = 0;
    while (slice_line(&rest, &line))
        for (size_t i = 0; i < line.len; i++) {
            char c = line.p[i];
            bool letter =
                (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || strchr("+/", c);
            if (!c || (!letter && c != '=') || (letter && padding))
                return false;
            padding += !letter;
            count++;
            *longest = i + 1 > *longest ? i + 1 : *longest;
        }
    if (!count || count % 4 || padding > 2)
        return false;
    transfer_from_base64(&bytes, body);
    bool text = bytes.len && utf8_valid(slice_str(&bytes)) && is_text(slice_str(&bytes));
    str_release(&bytes);
    return text;
}

/* Does it have "=", and each where quoted-printable has one? */
static bool may_be_quoted(struct slice body)
{
    bool found = false;
    struct slice line;
    while (slice_line(&body, &line)) {
        size_t len = line.len;
        while (len && (line.p[len - 1] == ' ' || line.p[len - 1] == '\t'))
            len--;
        for (size_t i = 0; i < len; i++) {
            if (line.p[i] != '=')
                continue;
            if (i + 1 < len && (i + 2 >= len || hex_digit(line.p[i + 1]) < 0 || hex_digit(line.p[i + 2]) < 0))
                return false;
            found = true;
        }
    }
    return found;
}

/* ---- types ---- */

static bool begins_tag(struct slice text)
{
    return text.len > 1 && text.p[0] == '<' &&
           (((text.p[1] | 0x20) >= 'a' && (text.p[1] | 0x20) <= 'z') || strchr("!/?", text.p[1]));
}

/* "<orders+abc@example.org>", "<https://example.org>": one word with signs that no name of a tag has. */
static bool is_bracketed(struct slice text)
{
    for (size_t i = 1; i < text.len && !strchr(" \t\r\n>", text.p[i]); i++)
        if (text.p[i] == '@' || text.p[i] == ':')
            return true;
    return false;
}

static bool is_page(struct slice text)
{
    text = slice_trim(text);
    return begins_tag(text) && !is_bracketed(text);
}

bool reply_has_tag(struct slice line)
{
    for (size_t i = 0; i < line.len; i++)
        if (line.p[i] == '<' && is_page(slice_sub(line, i, line.len)))
            return true;
    return false;
}

/* The types of a single text. A page begins with a tag, and a plain text does not: whoever types one gets an
 * answer. A text that is not UTF-8 is in a charset that nobody names: two that agree on ASCII alone. */
static void add_types(struct guess *guess, const char *encoding)
{
    static const char *const plain[] = {"text/plain", "text/plain; format=flowed",
                                        "text/plain; format=flowed; delsp=yes"};
    struct str decoded = STR_INIT;
    if (strcmp(encoding, "base64") == 0)
        transfer_from_base64(&decoded, guess->mail->body);
    else if (strcmp(encoding, "quoted-printable") == 0)
        transfer_from_quoted(&decoded, guess->mail->body);
    else
        str_addslice(&decoded, guess->mail->body);
    struct slice text = slice_str(&decoded);
    bool page = is_page(text);
    if (is_text(text)) {
        for (size_t i = 0; !page && i < sizeof plain / sizeof *plain; i++)
            add(guess, slice_of(plain[i]), encoding);
        if (page)
            add(guess, slice_of("text/html"), encoding);
        if (!utf8_valid(text))
            add(guess, slice_of(page ? "text/html; charset=koi8-r" : "text/plain; charset=koi8-r"), encoding);
    }
    str_release(&decoded);
}

static void add_single(struct guess *guess, const char *encoding)
{
    if (guess->mail->type_signed)
        add(guess, guess->mail->type, encoding);
    else
        add_types(guess, encoding);
}

/* The attributes of a page that is not encoded have "=" where quoted-printable cannot. */
static void add_encodings(struct guess *guess)
{
    const struct reply_mail *mail = guess->mail;
    size_t longest;
    bool base64 = may_be_base64(mail->body, &longest), quoted = !base64 && may_be_quoted(mail->body);
    if (base64 && longest > WORD_LINE)
        add_single(guess, "base64");
    if (!base64 && !(quoted && is_page(mail->body)))
        add_single(guess, "");
    if (quoted)
        add_single(guess, "quoted-printable");
}

/* "base64", as entity.c reads it, and one of three words of ours. */
static const char *encoding_of(struct slice value)
{
    value = slice_trim(value);
    if (slice_casestarts(value, "base64"))
        return "base64";
    return slice_casestarts(value, "quoted-printable") ? "quoted-printable" : "";
}

static void add_all(struct guess *guess)
{
    const struct reply_mail *mail = guess->mail;
    bool first = false;
    struct slice delimiter = mail->type_signed ? (struct slice){"", 0} : find_delimiter(mail->body, &first);
    char type[READING_TYPE];
    if (mail->type.len >= READING_TYPE)
        return;
    if (delimiter.len) {
        int len = snprintf(type, sizeof type, "multipart/mixed; boundary=\"%.*s\"", (int)delimiter.len - 2,
                           delimiter.p + 2);
        if (first)
            add(guess, (struct slice){type, (size_t)len}, "");
    } else if (mail->type_signed && slice_casestarts(slice_trim(mail->type), "multipart/")) {
        add(guess, mail->type, ""); /* its parts have encodings of their own */
    } else if (mail->encoding_signed) {
        add_single(guess, encoding_of(mail->encoding));
    } else {
        add_encodings(guess);
    }
}

size_t reply_guess(const struct reply_mail *mail, struct reading readings[READINGS])
{
    struct guess guess = {mail, readings, 0};
    add_all(&guess);
    return guess.count;
}
