/* Kinds of damage that mail does to a text: each function writes the text as it arrives. */
#ifndef TESTS_TRUST_MANGLE_H
#define TESTS_TRUST_MANGLE_H

#include <stdbool.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "suite.h"

static void replace(struct str *out, struct slice in, const char *what, const char *with)
{
    size_t at;
    while ((at = slice_find(in, what)) != (size_t)-1) {
        str_addslice(out, slice_sub(in, 0, at));
        str_adds(out, with);
        in = slice_sub(in, at + strlen(what), in.len);
    }
    str_addslice(out, in);
}

static void nothing(struct str *out, struct slice in)
{
    str_addslice(out, in);
}

static void tabs_to_blanks(struct str *out, struct slice in)
{
    replace(out, in, "\t", "        ");
}

static void tails_cut(struct str *out, struct slice in)
{
    struct slice line;
    while (slice_line(&in, &line)) {
        while (line.len && strchr(" \t", line.p[line.len - 1]))
            line.len--;
        str_addslice(out, line);
        str_addc(out, '\n');
    }
}

static void tails_added(struct str *out, struct slice in)
{
    replace(out, in, "\n", "  \n");
}

static void nbsp_runs(struct str *out, struct slice in)
{
    for (size_t i = 0; i < in.len; i++) {
        bool start = i == 0 || in.p[i - 1] == '\n';
        bool run = i + 1 < in.len && in.p[i + 1] == ' ';
        if (in.p[i] == ' ' && (run || start))
            str_adds(out, "\xC2\xA0");
        else
            str_addc(out, in.p[i]);
    }
}

static void nbsp_all(struct str *out, struct slice in)
{
    replace(out, in, " ", "\xC2\xA0");
}

static void smart_quotes(struct str *out, struct slice in)
{
    bool open = true;
    for (size_t i = 0; i < in.len; i++) {
        if (in.p[i] == '\'') {
            str_adds(out, "\xE2\x80\x99");
        } else if (in.p[i] == '"') {
            str_adds(out, open ? "\xE2\x80\x9C" : "\xE2\x80\x9D");
            open = !open;
        } else {
            str_addc(out, in.p[i]);
        }
    }
}

/* As phones do; they get at the armor's dashes too. */
static void smart_dashes(struct str *out, struct slice in)
{
    struct str pairs = STR_INIT;
    replace(&pairs, in, "--", "\xE2\x80\x94");
    replace(out, slice_str(&pairs), " - ", " \xE2\x80\x93 ");
    str_release(&pairs);
}

/* As word processors do: two hyphens between spaces are an en dash. */
static void en_dashes(struct str *out, struct slice in)
{
    replace(out, in, " -- ", " \xE2\x80\x93 ");
}

static void from_quoted(struct str *out, struct slice in)
{
    replace(out, in, "\nFrom ", "\n>From ");
}

static void quote_with(struct str *out, struct slice in, const char *mark, const char *empty)
{
    struct slice line;
    str_adds(out, "On Monday, the player wrote:\n");
    while (slice_line(&in, &line)) {
        str_adds(out, line.len ? mark : empty);
        str_addslice(out, line);
        str_addc(out, '\n');
    }
}

static void quoted(struct str *out, struct slice in)
{
    quote_with(out, in, "> ", "> ");
}

static void quoted_trimmed(struct str *out, struct slice in)
{
    quote_with(out, in, "> ", ">");
}

static void quoted_twice(struct str *out, struct slice in)
{
    quote_with(out, in, "> > ", "> >");
}

static void quoted_tightly(struct str *out, struct slice in)
{
    quote_with(out, in, ">", ">");
}

static void indented(struct str *out, struct slice in)
{
    quote_with(out, in, "    ", "");
}

static void footer(struct str *out, struct slice in)
{
    str_addslice(out, in);
    str_adds(out, "\n_______________________________________________\nGame mailing list\n"
                  "https://lists.example.org/game\n");
}

static void with_bom(struct str *out, struct slice in)
{
    str_adds(out, "\xEF\xBB\xBF");
    str_addslice(out, in);
}

/* Breaks lines at spaces before `width`, and where there is no space at `width`. `soft` keeps the space at
 * the end. */
static void break_lines(struct str *out, struct slice in, size_t width, bool at_blanks, bool soft)
{
    struct slice line;
    while (slice_line(&in, &line)) {
        while (line.len > width) {
            size_t at = width;
            while (at_blanks && at > 1 && line.p[at - 1] != ' ')
                at--;
            bool blank = at_blanks && at > 1;
            if (!blank)
                at = width;
            str_addslice(out, slice_sub(line, 0, blank && !soft ? at - 1 : at));
            str_addc(out, '\n');
            line = slice_sub(line, at, line.len);
        }
        str_addslice(out, line);
        str_addc(out, '\n');
    }
}

static void wrapped_72(struct str *out, struct slice in)
{
    break_lines(out, in, 72, true, false);
}

static void cut_76(struct str *out, struct slice in)
{
    break_lines(out, in, 76, false, false);
}

/* RFC 3676: stuffed, soft line breaks (a word too long stays whole). */
static void flowed(struct str *out, struct slice in)
{
    struct str stuffed = STR_INIT;
    struct slice line;
    while (slice_line(&in, &line)) {
        if (slice_starts(line, " ") || slice_starts(line, ">") || slice_starts(line, "From "))
            str_addc(&stuffed, ' ');
        str_addslice(&stuffed, line);
        str_addc(&stuffed, '\n');
    }
    struct slice rest = slice_str(&stuffed);
    while (slice_line(&rest, &line)) {
        struct slice with_end = {line.p, line.len + 1};
        if (memchr(line.p, ' ', line.len))
            break_lines(out, with_end, 72, true, true);
        else
            str_addslice(out, with_end);
    }
    str_release(&stuffed);
}

/* What is left of a text when every line was a paragraph of HTML. */
static void paragraphs(struct str *out, struct slice in)
{
    struct slice line;
    while (slice_line(&in, &line)) {
        struct slice word;
        bool any = false;
        while (slice_word(&line, &word)) {
            str_addf(out, "%s%.*s", any ? " " : "", (int)word.len, word.p);
            any = true;
        }
        str_adds(out, any ? "\n\n" : "");
    }
}

static void phone(struct str *out, struct slice in)
{
    struct str a = STR_INIT;
    struct str b = STR_INIT;
    smart_quotes(&a, in);
    smart_dashes(&b, slice_str(&a));
    str_clear(&a);
    nbsp_runs(&a, slice_str(&b));
    tails_added(out, slice_str(&a));
    str_release(&a);
    str_release(&b);
}

static void phone_quoted_wrapped(struct str *out, struct slice in)
{
    struct str a = STR_INIT;
    struct str b = STR_INIT;
    phone(&a, in);
    quoted(&b, slice_str(&a));
    footer(out, slice_str(&b));
    str_release(&a);
    str_release(&b);
}

/* Quoted in a quoted mail, and wrapped after it or before. */
static void quoted_wrapped(struct str *out, struct slice in)
{
    struct str a = STR_INIT;
    quote_with(&a, in, ">> ", ">>");
    wrapped_72(out, slice_str(&a));
    str_release(&a);
}

static void wrapped_quoted(struct str *out, struct slice in)
{
    struct str a = STR_INIT;
    break_lines(&a, in, 69, true, false);
    quote_with(out, slice_str(&a), ">> ", ">>");
    str_release(&a);
}

/* Outlook: each line is a paragraph. */
static void doubled(struct str *out, struct slice in)
{
    replace(out, in, "\n", "\n\n");
}

/* Programs that show text as HTML and back: each empty line is two. */
static void empty_doubled(struct str *out, struct slice in)
{
    struct slice line;
    while (slice_line(&in, &line)) {
        str_addslice(out, line);
        str_adds(out, line.len ? "\n" : "\n\n");
    }
}

static void with(struct str *out, struct slice in, void (*first)(struct str *, struct slice),
                 void (*then)(struct str *, struct slice))
{
    struct str a = STR_INIT;
    first(&a, in);
    then(out, slice_str(&a));
    str_release(&a);
}

static void doubled_typographic(struct str *out, struct slice in)
{
    struct str a = STR_INIT;
    with(&a, in, smart_quotes, smart_dashes);
    doubled(out, slice_str(&a));
    str_release(&a);
}

static void doubled_quoted(struct str *out, struct slice in)
{
    with(out, in, doubled, quoted_trimmed);
}

static void doubled_indented(struct str *out, struct slice in)
{
    with(out, in, doubled, indented);
}

static void doubled_nbsp(struct str *out, struct slice in)
{
    with(out, in, nbsp_runs, doubled);
}

/* A phone's keyboard: each line begins with a capital. Not those of the armor, which would be no signature.
 */
static void capitals(struct str *out, struct slice in)
{
    struct slice line;
    bool armor = false;
    while (slice_line(&in, &line)) {
        size_t at = 0;
        armor = armor || slice_starts(line, "-----BEGIN") || slice_starts(line, "untrusted comment");
        while (at < line.len && line.p[at] == ' ')
            at++;
        str_add(out, line.p, at);
        if (at < line.len)
            str_addc(out,
                     !armor && line.p[at] >= 'a' && line.p[at] <= 'z' ? (char)(line.p[at] - 32) : line.p[at]);
        str_addslice(out, slice_sub(line, at + 1, line.len));
        str_addc(out, '\n');
    }
}

/* The same for each word, as forms on the web can ask for. */
__attribute__((unused)) static void capitals_words(struct str *out, struct slice in)
{
    struct slice line;
    bool armor = false;
    while (slice_line(&in, &line)) {
        armor = armor || slice_starts(line, "-----BEGIN") || slice_starts(line, "untrusted comment");
        for (size_t i = 0; i < line.len; i++) {
            bool begins = i == 0 || line.p[i - 1] == ' ';
            str_addc(out, !armor && begins && line.p[i] >= 'a' && line.p[i] <= 'z' ? (char)(line.p[i] - 32)
                                                                                   : line.p[i]);
        }
        str_addc(out, '\n');
    }
}

static void capitals_typographic(struct str *out, struct slice in)
{
    with(out, in, capitals, phone);
}

static void capitals_quoted(struct str *out, struct slice in)
{
    with(out, in, capitals, quoted_trimmed);
}

static void capitals_doubled(struct str *out, struct slice in)
{
    with(out, in, capitals, doubled);
}

static void capitals_flowed(struct str *out, struct slice in)
{
    with(out, in, capitals, flowed);
}

static void quoted_typographic(struct str *out, struct slice in)
{
    struct str a = STR_INIT;
    with(&a, in, smart_quotes, smart_dashes);
    quoted_trimmed(out, slice_str(&a));
    str_release(&a);
}

static void quoted_capitals_typographic(struct str *out, struct slice in)
{
    with(out, in, capitals_typographic, quoted_trimmed);
}

static void flowed_typographic(struct str *out, struct slice in)
{
    struct str a = STR_INIT;
    with(&a, in, smart_quotes, smart_dashes);
    flowed(out, slice_str(&a));
    str_release(&a);
}

static void blank_lines_behind(struct str *out, struct slice in)
{
    str_addslice(out, in);
    str_adds(out, "\n\n\n");
}

static void no_last_line_end(struct str *out, struct slice in)
{
    str_addslice(out, slice_sub(in, 0, in.len - 1));
}

/* windows-1252 has them where Latin-1 has control characters. */
static unsigned char to_1252(uint32_t cp)
{
    switch (cp) {
    case 0x2018: return 0x91;
    case 0x2019: return 0x92;
    case 0x201C: return 0x93;
    case 0x201D: return 0x94;
    case 0x2013: return 0x96;
    case 0x2014: return 0x97;
    default: ck_assert_uint_le(cp, 0xFF); return (unsigned char)cp;
    }
}

static void to_latin1(struct str *out, struct slice in)
{
    while (in.len) {
        size_t len;
        str_addc(out, (char)to_1252(utf8_next(in, &len)));
        in = slice_sub(in, len, in.len);
    }
}

static void to_html(struct str *out, struct slice in)
{
    struct slice line;
    str_adds(out, "<html><body>\n");
    while (slice_line(&in, &line)) {
        str_adds(out, "<p>");
        for (size_t i = 0; i < line.len; i++) {
            if (line.p[i] == '>' || line.p[i] == '"')
                str_adds(out, line.p[i] == '>' ? "&gt;" : "&quot;");
            else
                str_addc(out, line.p[i]);
        }
        str_adds(out, "</p>\n");
    }
}

#endif
