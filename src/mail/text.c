#include "mail/text.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* windows-1252 from 0x80 to 0x9F; 0 = undefined. */
static const uint16_t cp1252[32] = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                    0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

/* GB 18030 without the characters of four bytes, whose table changed in glibc 2.39: those beyond the BMP, emoji, are put in by the
 * standard's formula (four_bytes). */
static const char GBK[] = "GBK";

/* The labels of real mail, and what iconv is to decode them as. NULL: UTF-8 or windows-1252, see
 * text_decode. A list of what is allowed, because iconv loads code for any name that it is given; each decodes every sequence of
 * two bytes in the same way on all systems (tests/mail/charsets.c). */
static const struct charset {
    const char *label, *name;
} charsets[] = {
    {"windows-1250", "CP1250"},
    {"cp1250", "CP1250"},
    {"iso-8859-2", "ISO-8859-2"},
    {"windows-1251", "CP1251"},
    {"cp1251", "CP1251"},
    {"windows-1253", "CP1253"},
    {"windows-1254", "CP1254"},
    {"windows-1255", "CP1255"},
    {"windows-1256", "CP1256"},
    {"windows-1257", "CP1257"},
    {"windows-1258", "CP1258"},
    {"iso-8859-3", "ISO-8859-3"},
    {"iso-8859-4", "ISO-8859-4"},
    {"iso-8859-5", "ISO-8859-5"},
    {"iso-8859-6", "ISO-8859-6"},
    {"iso-8859-7", "ISO-8859-7"},
    {"iso-8859-8", "ISO-8859-8"},
    {"iso-8859-8-i", "ISO-8859-8"},
    {"iso-8859-9", "CP1254"},
    {"iso-8859-10", "ISO-8859-10"},
    {"iso-8859-11", "CP874"},
    {"iso-8859-13", "ISO-8859-13"},
    {"iso-8859-14", "ISO-8859-14"},
    {"iso-8859-15", "ISO-8859-15"},
    {"iso-8859-16", "ISO-8859-16"},
    {"latin2", "ISO-8859-2"},
    {"latin9", "ISO-8859-15"},
    {"koi8-r", "KOI8-R"},
    {"koi8-u", "KOI8-U"},
    {"tis-620", "CP874"},
    {"windows-874", "CP874"},
    {"ibm437", "CP437"},
    {"cp437", "CP437"},
    {"ibm850", "CP850"},
    {"cp850", "CP850"},
    {"ibm852", "CP852"},
    {"ibm866", "CP866"},
    {"cp866", "CP866"},
    {"macintosh", "MACINTOSH"},
    {"shift_jis", "CP932"},
    {"shift-jis", "CP932"},
    {"sjis", "CP932"},
    {"x-sjis", "CP932"},
    {"windows-31j", "CP932"},
    {"cp932", "CP932"},
    {"euc-jp", "EUC-JP"},
    {"iso-2022-jp", "ISO-2022-JP"},
    {"euc-kr", "CP949"},
    {"ks_c_5601-1987", "CP949"},
    {"iso-2022-kr", "ISO-2022-KR"},
    {"gb2312", GBK},
    {"gbk", GBK},
    {"gb18030", GBK},
    {"big5", "BIG5-HKSCS"},
    {"big5-hkscs", "BIG5-HKSCS"},
    {"utf-7", "UTF-7"},
    {"utf-16", "UTF-16"},
    {"utf-16le", "UTF-16LE"},
    {"utf-16be", "UTF-16BE"},
    {"utf-32", "UTF-32"},
};

static const char *charset_find(const char *label)
{
    for (size_t i = 0; label && i < sizeof charsets / sizeof *charsets; i++)
        if (strcasecmp(charsets[i].label, label) == 0)
            return charsets[i].name;
    return NULL;
}

/* A character of four bytes: 90 30 81 30 is U+10000, and so on. 0: the text does not begin with one. */
static uint32_t four_bytes(const char *text, size_t len)
{
    const unsigned char *in = (const unsigned char *)text;
    if (len < 4 || in[0] < 0x90 || in[1] < 0x30 || in[1] > 0x39 || in[2] < 0x81 || in[2] == 0xFF ||
        in[3] < 0x30 || in[3] > 0x39)
        return 0;
    const uint32_t number =
        ((in[0] - 0x90U) * 10 + (in[1] - 0x30U)) * 1260 + (in[2] - 0x81U) * 10 + (in[3] - 0x30U);
    return number < 0x100000 ? 0x10000 + number : 0;
}

/* Appends what can be converted, U+FFFD for each byte that cannot, and returns how many those are. */
static size_t convert(struct str *out, struct slice in, iconv_t cd, bool chinese)
{
    char buffer[4096];
    char *from = (char *)(uintptr_t)in.p; /* iconv does not write there, its prototype is older than const */
    size_t left = in.len, bad = 0;
    for (;;) {
        char *to = buffer;
        size_t room = sizeof buffer;
        bool flush = !left;
        size_t got = iconv(cd, flush ? NULL : &from, flush ? NULL : &left, &to, &room);
        int why = got == (size_t)-1 ? errno : 0;
        str_add(out, buffer, sizeof buffer - room);
        if (why == E2BIG)
            continue;
        const uint32_t wide = why && chinese && !flush ? four_bytes(from, left) : 0;
        if (wide) {
            utf8_put(out, wide);
            from += 4;
            left -= 4;
            continue;
        }
        if (why) { /* EILSEQ, or EINVAL: cut off within a character */
            str_add(out, replacement, 3);
            bad++;
        }
        if (flush)
            return bad;
        /* glibc's decoder of euc-kr takes A2 E8 off the text, and then says that it is wrong. */
        if (why && left) {
            from++;
            left--;
        }
    }
}

/* Like utf8_valid, but NULs are allowed: they are shown as U+FFFD later. */
static bool is_utf8(struct slice s)
{
    for (;;) {
        size_t len = utf8_printable(s);
        s = slice_sub(s, len, s.len);
        if (!s.len)
            return true;
        if (utf8_next(s, &len) == UTF8_BAD)
            return false;
        s = slice_sub(s, len, s.len);
    }
}

uint32_t text_cp1252(unsigned char byte)
{
    if (byte < 0x80 || byte >= 0xA0)
        return byte;
    return cp1252[byte - 0x80] ? cp1252[byte - 0x80] : 0xFFFD;
}

static void from_cp1252(struct str *out, struct slice in)
{
    for (size_t i = 0; i < in.len; i++)
        utf8_put(out, text_cp1252((unsigned char)in.p[i]));
}

/* For the CRs that begin at `i`, unless LF comes next; gives the last of them. */
static size_t add_line_end(struct str *out, struct slice in, size_t i)
{
    while (i + 1 < in.len && in.p[i + 1] == '\r')
        i++;
    if (i + 1 == in.len || in.p[i + 1] != '\n')
        str_addc(out, '\n');
    return i;
}

/* One LF for each line end, whether LF, CRLF, CR CR LF (some gateways) or CR (old Macs). */
static void add_clean(struct str *out, struct slice in)
{
    if (slice_starts(in, "\xEF\xBB\xBF"))
        in = slice_sub(in, 3, in.len);
    for (size_t i = 0; i < in.len; i++) {
        size_t plain = utf8_printable(slice_sub(in, i, in.len));
        str_add(out, in.p + i, plain);
        i += plain;
        if (i == in.len)
            break;
        if (in.p[i] == '\0')
            str_add(out, replacement, 3);
        else if (in.p[i] != '\r')
            str_addc(out, in.p[i]);
        else
            i = add_line_end(out, in, i);
    }
}

/* The converter from this charset, opened once; (iconv_t)-1 when there is none, or no room for one more. */
static iconv_t converter(struct text_decoder *decoder, const char *name)
{
    for (size_t i = 0; i < decoder->count; i++)
        if (decoder->name[i] == name)
            return decoder->cd[i];
    if (decoder->count == TEXT_CHARSETS)
        return (iconv_t)-1;
    decoder->name[decoder->count] = name;
    decoder->cd[decoder->count] = iconv_open("UTF-8", name);
    return decoder->cd[decoder->count++];
}

void text_decoder_release(struct text_decoder *decoder)
{
    for (size_t i = 0; i < decoder->count; i++)
        if (decoder->cd[i] != (iconv_t)-1)
            (void)iconv_close(decoder->cd[i]);
    decoder->count = 0;
}

static bool try_iconv(struct text_decoder *decoder, struct str *out, struct slice bytes, const char *name)
{
    iconv_t cd = converter(decoder, name);
    if (cd == (iconv_t)-1)
        return false;
    (void)iconv(cd, NULL, NULL, NULL, NULL); /* resets it */
    size_t bad = convert(out, bytes, cd, name == GBK);
    return bad <= bytes.len / 50; /* a damaged byte here and there does not make the label wrong */
}

/* Labels of windows-1252, and of Latin 1, by which mail programs mean windows-1252. */
static bool is_latin(const char *label)
{
    static const char *const names[] = {"iso-8859-1", "windows-1252", "cp1252", "latin1", "iso8859-1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], label) == 0)
            return true;
    return false;
}

void text_decode_with(struct text_decoder *decoder, struct str *out, struct slice bytes, const char *charset)
{
    struct str text = STR_INIT;
    const char *name = charset_find(charset);
    if (bytes.len >= 2 && (memcmp(bytes.p, "\xFF\xFE", 2) == 0 || memcmp(bytes.p, "\xFE\xFF", 2) == 0))
        name = "UTF-16"; /* what Windows editors save as "Unicode" */
    bool latin = charset && is_latin(charset);
    if (!name || !try_iconv(decoder, &text, bytes, name)) {
        str_clear(&text);
        if (!latin && is_utf8(bytes))
            str_addslice(&text, bytes);
        else
            from_cp1252(&text, bytes);
    }
    add_clean(out, slice_str(&text));
    str_release(&text);
}

void text_decode(struct str *out, struct slice bytes, const char *charset)
{
    struct text_decoder decoder = {.count = 0};
    text_decode_with(&decoder, out, bytes, charset);
    text_decoder_release(&decoder);
}

/* ---- format=flowed ---- */

static size_t quote_depth(struct slice *line)
{
    size_t depth = 0;
    while (depth < line->len && line->p[depth] == '>')
        depth++;
    *line = slice_sub(*line, depth, line->len);
    return depth;
}

void text_unflow(struct str *out, struct slice text, bool delsp)
{
    struct slice line;
    size_t open = 0; /* depth of the paragraph that goes on */
    bool flowing = false;
    while (slice_line(&text, &line)) {
        size_t depth = quote_depth(&line);
        if (slice_starts(line, " "))
            line = slice_sub(line, 1, line.len); /* space-stuffed */
        bool signature = slice_eq(line, "-- ");
        if (flowing && (depth != open || signature)) {
            str_addc(out, '\n'); /* a flowed line whose paragraph does not go on: taken as a fixed one */
            flowing = false;
        }
        for (size_t i = 0; !flowing && i < depth; i++)
            str_adds(out, "> ");
        bool flowed = line.len && line.p[line.len - 1] == ' ' && !signature;
        str_add(out, line.p, line.len - (flowed && delsp ? 1 : 0));
        if (!flowed)
            str_addc(out, '\n');
        flowing = flowed;
        open = depth;
    }
    if (flowing)
        str_addc(out, '\n');
}
