#include "mail/fold.h"

#include <stdbool.h>
#include <string.h>

#include "base/encode.h"
#include "base/utf8.h"
#include "mail/header.h"

#define WIDTH      76
#define QUOTED_MAX 60  /* longer display and file names are encoded, which can be folded */
#define WORD_MAX   900 /* keeps what cannot be folded below the 998 bytes of a line (RFC 5322) */

struct line {
    struct str *out;
    size_t col;
};

static struct line begin(struct str *out, const char *name)
{
    str_adds(out, name);
    str_addc(out, ':');
    return (struct line){out, strlen(name) + 1};
}

static void finish(struct line *line)
{
    str_adds(line->out, "\r\n");
}

static void fold(struct line *line)
{
    str_adds(line->out, "\r\n");
    line->col = 0;
}

/* A word with the space before it; on the next line when this one is full. */
static void add_word(struct line *line, struct slice word)
{
    word = slice_sub(word, 0, WORD_MAX);
    if (line->col + 1 + word.len > WIDTH)
        fold(line);
    str_addc(line->out, ' ');
    str_addslice(line->out, word);
    line->col += 1 + word.len;
}

/* ---- RFC 2047 ---- */

/* True when the text can be used in a field as it is, folded at its spaces. */
static bool is_plain(struct slice text)
{
    size_t word = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        bool edge = i == 0 || i + 1 == text.len;
        if (c < ' ' || c == 0x7F || (c == ' ' && (edge || text.p[i - 1] == ' ')))
            return false;
        word = c == ' ' ? 0 : word + 1;
        if (word > QUOTED_MAX)
            return false;
    }
    return slice_find(text, "=?") == (size_t)-1;
}

/* Whole characters only, and not more than 75 columns a word. */
static void add_encoded(struct line *line, struct slice text)
{
    while (text.len) {
        size_t frame = strlen(" =?utf-8?B?") + strlen("?=");
        size_t room = line->col + frame < WIDTH ? (WIDTH - line->col - frame) / 4 * 3 : 0;
        if (room < 12) {
            fold(line);
            room = (WIDTH - frame) / 4 * 3;
        }
        size_t take = 0;
        while (take < text.len) {
            size_t len;
            (void)utf8_next(slice_sub(text, take, text.len), &len);
            if (take + len > room)
                break;
            take += len;
        }
        struct str word = STR_INIT;
        str_adds(&word, "=?utf-8?B?");
        base64_encode(&word, text.p, take);
        str_adds(&word, "?=");
        add_word(line, slice_str(&word));
        str_release(&word);
        text = slice_sub(text, take, text.len);
    }
}

static void add_plain(struct line *line, struct slice text)
{
    struct slice word;
    while (slice_word(&text, &word))
        add_word(line, word);
}

void fold_text(struct str *out, const char *name, const char *text)
{
    struct line line = begin(out, name);
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(text), false);
    if (is_plain(slice_str(&safe)))
        add_plain(&line, slice_str(&safe));
    else
        add_encoded(&line, slice_str(&safe));
    finish(&line);
    str_release(&safe);
}

/* ---- addresses, ids, tokens ---- */

/* Appends printable ASCII; other bytes, and those of `not`, become "_". */
static void add_ascii(struct str *out, const char *text, const char * not )
{
    for (; *text; text++) {
        bool good = *text >= ' ' && *text < 0x7F && !strchr(not, *text);
        if (good)
            str_addc(out, *text);
        else
            str_addc(out, '_');
    }
}

static bool is_atoms(struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        if (strchr("()<>@,;:\\\".[]", text.p[i]))
            return false;
    return true;
}

static void add_display(struct line *line, struct slice name)
{
    if (!is_plain(name) || name.len > QUOTED_MAX) {
        add_encoded(line, name);
    } else if (is_atoms(name)) {
        add_word(line, name);
    } else {
        struct str quoted = STR_INIT;
        str_addc(&quoted, '"');
        for (size_t i = 0; i < name.len; i++) {
            if (name.p[i] == '"' || name.p[i] == '\\')
                str_addc(&quoted, '\\');
            str_addc(&quoted, name.p[i]);
        }
        str_addc(&quoted, '"');
        add_word(line, slice_str(&quoted));
        str_release(&quoted);
    }
}

void fold_mailbox(struct str *out, const char *name, const char *address, const char *display)
{
    struct line line = begin(out, name);
    struct str safe = STR_INIT;
    struct str ascii = STR_INIT;
    utf8_safe(&safe, slice_trim(slice_of(display ? display : "")), false);
    if (safe.len) {
        add_display(&line, slice_str(&safe));
        str_addc(&ascii, '<');
        add_ascii(&ascii, address, " <>,;:()\\\"");
        str_addc(&ascii, '>');
    } else {
        add_ascii(&ascii, address, " <>,;:()\\\"");
    }
    add_word(&line, slice_str(&ascii));
    finish(&line);
    str_release(&ascii);
    str_release(&safe);
}

void fold_words(struct str *out, const char *name, const char *words)
{
    struct line line = begin(out, name);
    struct str ascii = STR_INIT;
    add_ascii(&ascii, words, "");
    add_plain(&line, slice_str(&ascii));
    finish(&line);
    str_release(&ascii);
}

void fold_angle(struct str *out, const char *name, const char *text)
{
    struct line line = begin(out, name);
    struct str ascii = STR_INIT;
    str_addc(&ascii, '<');
    add_ascii(&ascii, text, " <>");
    str_cut(&ascii, WORD_MAX - 1);
    str_addc(&ascii, '>');
    add_word(&line, slice_str(&ascii));
    finish(&line);
    str_release(&ascii);
}

/* ---- RFC 2231 ---- */

static bool is_attribute_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("._-+", c));
}

static bool is_simple_name(struct slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!is_attribute_char(name.p[i]) && name.p[i] != ' ')
            return false;
    return name.len <= QUOTED_MAX;
}

/* filename*0*=utf-8''...; filename*1*=...; a line each. */
static void add_extended(struct line *line, struct slice name)
{
    struct str value = STR_INIT;
    bool one = name.len <= 18; /* at most 54 columns when every byte is encoded */
    size_t i = 0;
    for (size_t n = 0; i < name.len; n++) {
        str_clear(&value);
        if (one)
            str_adds(&value, "filename*=utf-8''");
        else
            str_addf(&value, "filename*%zu*=%s", n, n ? "" : "utf-8''");
        for (; i < name.len && value.len < WIDTH - 5; i++) {
            unsigned char c = (unsigned char)name.p[i];
            if (is_attribute_char((char)c))
                str_addc(&value, (char)c);
            else
                str_addf(&value, "%%%02X", c);
        }
        if (i < name.len)
            str_addc(&value, ';');
        fold(line);
        add_word(line, slice_str(&value));
    }
    str_release(&value);
}

void fold_attachment(struct str *out, const char *file_name)
{
    struct line line = begin(out, "Content-Disposition");
    struct str name = STR_INIT;
    struct str quoted = STR_INIT;
    utf8_safe(&name, slice_trim(slice_of(file_name)), false);
    for (size_t i = 0; i < name.len; i++)
        if (name.p[i] == '/' || name.p[i] == '\\')
            name.p[i] = '_';
    utf8_cut(&name, 200);
    if (!name.len) {
        add_word(&line, slice_of("attachment"));
    } else if (is_simple_name(slice_str(&name))) {
        add_word(&line, slice_of("attachment;"));
        str_addf(&quoted, "filename=\"%s\"", name.p);
        add_word(&line, slice_str(&quoted));
    } else {
        add_word(&line, slice_of("attachment;"));
        add_extended(&line, slice_str(&name));
    }
    finish(&line);
    str_release(&quoted);
    str_release(&name);
}
