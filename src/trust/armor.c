#include "trust/armor.h"

#include <string.h>

#include "base/encode.h"
#include "base/reason.h"
#include "trust/format.h"
#include "trust/glyph.h"

#define BASE64_MAX      16384 /* an RSA signature of 16,384 bits, to be recognised by name, has about 5,700 */
#define NUMBERED_BASE64 100   /* base64 of "ED" || number8 || sig64 */
#define NUMBERED_LOOKS \
    60 /* characters in one line that make a line look like a signature; a public key has 56 */

static bool is_base64(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=';
}

/* Collects base64 over line ends, spaces and quoting; returns the bytes of the text that it went over, up to
 * and with the last character taken. */
static size_t gather(struct slice text, size_t max, struct work *work, struct str *out)
{
    size_t at = 0, used = 0, glyphs = 0;
    while (at < text.len && out->len < max) {
        struct slice rest = slice_sub(text, at, text.len);
        size_t run = 0;
        while (run < rest.len && out->len + run < max && is_base64(rest.p[run]))
            run++;
        if (run) {
            str_add(out, rest.p, run);
            used = at += run;
            continue;
        }
        struct glyph g = glyph_at(rest);
        if (g.kind != GLYPH_BLANK && g.kind != GLYPH_LINE && g.kind != GLYPH_DROP && g.cp != '>')
            break;
        at += g.len;
        glyphs++;
    }
    if (!work_take(work, at + glyphs * WORK_GLYPH))
        str_clear(out);
    return used;
}

static struct slice first_line(struct slice text, size_t *used)
{
    const char *end = memchr(text.p, '\n', text.len);
    *used = end ? (size_t)(end - text.p) + 1 : text.len;
    return slice_sub(text, 0, *used);
}

/* What follows dashes of any sort and spaces. */
static struct slice skip_dashes(struct slice text, size_t *dashes)
{
    *dashes = 0;
    while (text.len) {
        struct glyph g = glyph_at(text);
        if (g.cp != '-' && g.kind != GLYPH_DASH && g.kind != GLYPH_BLANK)
            break;
        *dashes += g.kind != GLYPH_BLANK;
        text = slice_sub(text, g.len, text.len);
    }
    return text;
}

/* Cuts `words` off the front of `*line`; a space in them matches any number of spaces. */
static bool take_words(struct slice *line, const char *words)
{
    struct slice rest = *line;
    for (; *words; words++) {
        bool blank = false;
        while (*words == ' ' && rest.len && glyph_at(rest).kind == GLYPH_BLANK) {
            rest = slice_sub(rest, glyph_at(rest).len, rest.len);
            blank = true;
        }
        if (*words == ' ' ? !blank : !rest.len || rest.p[0] != *words)
            return false;
        if (*words != ' ')
            rest = slice_sub(rest, 1, rest.len);
    }
    *line = rest;
    return true;
}

/* "-----BEGIN SSH SIGNATURE-----", also with dashes that a phone beautified. `*after` is what follows in the
 * line. */
static bool is_begin(struct slice line, const char *words, struct slice *after)
{
    size_t before, behind;
    line = skip_dashes(line, &before);
    if (!before || !take_words(&line, words))
        return false;
    *after = skip_dashes(line, &behind);
    return behind > 0;
}

static enum armor read_ssh(struct slice body, struct work *work, size_t *used, struct signature *sig,
                           struct err *err)
{
    struct str base64 = STR_INIT;
    struct str blob = STR_INIT;
    *used = gather(body, BASE64_MAX, work, &base64);
    enum armor got = ARMOR_BROKEN;
    if (!base64_decode(&blob, slice_str(&base64)))
        reason_fail(err, "ssh_cut",
                    "the SSH signature is cut or damaged; sign again, or attach the .sig file");
    else if (sshsig_parse(slice_str(&blob), sig, err) == 0)
        got = ARMOR_GOOD;
    str_release(&blob);
    str_release(&base64);
    return got;
}

static bool next_is_trusted_comment(struct slice text, struct work *work)
{
    struct slice line;
    while (slice_line(&text, &line) && work_take(work, line.len + 1)) {
        line = glyph_unquote(line);
        if (line.len)
            return slice_casestarts(line, "trusted comment:");
    }
    return false;
}

/* A line "RUQ..." or "RWQ...", broken anywhere by wrapping. */
static enum armor read_numbered(struct slice text, struct work *work, size_t *used, struct signature *sig,
                                struct err *err)
{
    size_t run = 0;
    while (run < text.len && is_base64(text.p[run]))
        run++;
    struct str base64 = STR_INIT;
    struct str raw = STR_INIT;
    size_t taken = gather(text, NUMBERED_BASE64, work, &base64);
    struct slice behind = slice_sub(text, taken, text.len);
    enum armor got = ARMOR_NONE;
    if (base64.len == NUMBERED_BASE64 && base64_decode(&raw, slice_str(&base64)) &&
        numbered_parse(slice_str(&raw), next_is_trusted_comment(behind, work), sig, err) == 0) {
        *used = taken;
        got = ARMOR_GOOD;
    } else if (run >= NUMBERED_LOOKS) {
        reason_fail(err, "numbered_cut",
                    "the minisign or signify signature is cut or damaged; sign again, or attach the file");
        got = ARMOR_BROKEN;
    }
    str_release(&raw);
    str_release(&base64);
    return got;
}

enum armor armor_at(struct slice text, struct work *work, size_t *used, struct signature *sig,
                    struct err *err)
{
    struct slice whole = first_line(text, used);
    struct slice line = glyph_unquote(whole);
    struct slice after;
    if (!line.len)
        return ARMOR_NONE;
    size_t start = (size_t)(line.p - text.p);
    if (line.p[0] == 'R' && line.len > 2 && (line.p[1] == 'U' || line.p[1] == 'W') && line.p[2] >= 'Q' &&
        line.p[2] <= 'T') {
        struct slice rest = slice_sub(text, start, text.len);
        size_t taken = *used - start;
        enum armor got = read_numbered(rest, work, &taken, sig, err);
        *used = start + taken;
        return got;
    }
    if (slice_casestarts(line, "untrusted comment:"))
        return ARMOR_COMMENT;
    if (line.p[0] != '-' && glyph_at(line).kind != GLYPH_DASH)
        return ARMOR_NONE;
    if (is_begin(line, "BEGIN SSH SIGNATURE", &after)) {
        start = (size_t)(after.p - text.p);
        enum armor got = read_ssh(slice_sub(text, start, text.len), work, used, sig, err);
        *used = start + (got == ARMOR_GOOD ? *used : 0);
        return got;
    }
    if (is_begin(line, "BEGIN PGP SIGNATURE", &after)) {
        reason_fail(err, "pgp_signature",
                    "PGP signatures are not taken; sign with ssh-keygen -Y sign -n " NS_ORDERS
                    ", minisign or signify");
        return ARMOR_BROKEN;
    }
    return ARMOR_NONE;
}
