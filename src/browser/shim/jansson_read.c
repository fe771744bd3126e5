/* Texts as JSON values (shim/jansson.h): what is read, what is refused, where and in which words are jansson's, so that
 * the audit says the same about a damaged file wherever it runs. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jansson.h"

#include "base/str.h"
#include "base/utf8.h"

#define DEPTH_MOST   2048
#define CONTEXT_MOST 20 /* bytes of the last word that an error shows */
#define END          (-1)
#define WRONG        (-2)

enum token {
    TOKEN_INVALID = -1,
    TOKEN_EOF = 0,
    TOKEN_STRING = 256,
    TOKEN_INTEGER,
    TOKEN_REAL,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_NULL
};

struct reader {
    struct slice rest;
    int ended;   /* END or WRONG: nothing more comes */
    char one[5]; /* the character that is being given out, byte by byte */
    size_t one_at;
    int line, column, column_before;
    struct str word; /* the last token as it stands in the text */
    int token;       /* enum token, or one of {}[]:, */
    struct str text; /* of TOKEN_STRING */
    json_int_t integer;
    double real;
    size_t depth;
    json_error_t *error;
    size_t flags;
};

__attribute__((format(printf, 2, 3))) static void say(struct reader *in, const char *fmt, ...)
{
    struct str text = STR_INIT;
    va_list args;
    if (*in->error->text)
        return;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    if (in->word.len && in->word.p[0]) {
        if (in->word.len <= CONTEXT_MOST)
            str_addf(&text, " near '%s'", in->word.p);
    } else if (in->ended != WRONG) {
        str_adds(&text, " near end of file");
    }
    in->error->line = in->line;
    in->error->column = in->column;
    (void)snprintf(in->error->text, sizeof in->error->text - 1, "%s", text.p);
    str_release(&text);
}

/* ---- characters ---- */

static bool begins_character(int c)
{
    unsigned char byte = (unsigned char)c;
    return byte < 0x80 || (byte >= 0xC2 && byte <= 0xF4);
}

/* The next whole character into `one`. */
static int fill(struct reader *in)
{
    size_t len = 1;
    if (!in->rest.len) {
        in->ended = END;
        return END;
    }
    if ((unsigned char)in->rest.p[0] >= 0x80 && utf8_next(in->rest, &len) == UTF8_BAD) {
        in->ended = WRONG;
        say(in, "unable to decode byte 0x%x", (unsigned char)in->rest.p[0]);
        return WRONG;
    }
    memcpy(in->one, in->rest.p, len);
    in->one[len] = '\0';
    in->one_at = 0;
    in->rest = slice_sub(in->rest, len, in->rest.len);
    return 0;
}

static int get(struct reader *in)
{
    if (in->ended)
        return in->ended;
    if (!in->one[in->one_at] && fill(in))
        return in->ended;
    int c = (unsigned char)in->one[in->one_at++];
    if (c == '\n') {
        in->line++;
        in->column_before = in->column;
        in->column = 0;
    } else if (begins_character(c)) {
        in->column++;
    }
    return c;
}

static void unget(struct reader *in, int c)
{
    if (c < 0)
        return;
    if (c == '\n') {
        in->line--;
        in->column = in->column_before;
    } else if (begins_character(c)) {
        in->column--;
    }
    in->one_at--;
}

static int get_keep(struct reader *in)
{
    int c = get(in);
    if (c >= 0)
        str_addc(&in->word, (char)c);
    return c;
}

static void unget_keep(struct reader *in, int c)
{
    if (c < 0)
        return;
    unget(in, c);
    str_cut(&in->word, in->word.len - 1);
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_hex(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* ---- texts ---- */

static bool scan_escape(struct reader *in, int *c)
{
    *c = get_keep(in);
    if (*c == 'u') {
        *c = get_keep(in);
        for (int i = 0; i < 4; i++) {
            if (!is_hex(*c))
                return false;
            *c = get_keep(in);
        }
        return true;
    }
    if (*c < 0 || !*c || !strchr("\"\\/bfnrt", *c))
        return false;
    *c = get_keep(in);
    return true;
}

/* Up to the closing quote; false with the error said. */
static bool scan_quoted(struct reader *in)
{
    int c = get_keep(in);
    while (c != '"') {
        if (c == WRONG)
            return false;
        if (c == END) {
            say(in, "premature end of input");
            return false;
        }
        if (c <= 0x1F) {
            unget_keep(in, c);
            if (c == '\n')
                say(in, "unexpected newline");
            else
                say(in, "control character 0x%x", (unsigned)c);
            return false;
        }
        if (c != '\\') {
            c = get_keep(in);
        } else if (!scan_escape(in, &c)) {
            say(in, "invalid escape");
            return false;
        }
    }
    return true;
}

static uint32_t hex_four(const char *digits)
{
    char four[5] = {digits[0], digits[1], digits[2], digits[3], '\0'};
    return (uint32_t)strtoul(four, NULL, 16);
}

/* `*at` stands on the u. */
static bool take_code(struct reader *in, const char **at)
{
    uint32_t value = hex_four(*at + 1);
    *at += 5;
    if (value >= 0xD800 && value <= 0xDBFF && (*at)[0] == '\\' && (*at)[1] == 'u') {
        uint32_t second = hex_four(*at + 2);
        *at += 6;
        if (second < 0xDC00 || second > 0xDFFF) {
            say(in, "invalid Unicode '\\u%04X\\u%04X'", value, second);
            return false;
        }
        value = ((value - 0xD800) << 10) + (second - 0xDC00) + 0x10000;
    } else if (value >= 0xD800 && value <= 0xDFFF) {
        say(in, "invalid Unicode '\\u%04X'", value);
        return false;
    }
    utf8_put(&in->text, value);
    return true;
}

static void scan_string(struct reader *in)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    in->token = TOKEN_INVALID;
    if (!scan_quoted(in))
        return;
    str_clear(&in->text);
    const char *at = in->word.p + 1;
    while (*at != '"') {
        if (*at != '\\') {
            str_addc(&in->text, *at++);
            continue;
        }
        at++;
        const char *letter = strchr(letters, *at);
        if (*at == 'u') {
            if (!take_code(in, &at))
                return;
            continue;
        }
        str_addc(&in->text, letter ? meant[letter - letters] : *at);
        at++;
    }
    in->token = TOKEN_STRING;
}

/* ---- numbers ---- */

static void skip_digits(struct reader *in, int *c)
{
    do
        *c = get_keep(in);
    while (is_digit(*c));
}

static void read_integer(struct reader *in)
{
    errno = 0;
    json_int_t value = strtoll(in->word.p, NULL, 10);
    if (errno == ERANGE) {
        say(in, value < 0 ? "too big negative integer" : "too big integer");
        return;
    }
    in->token = TOKEN_INTEGER;
    in->integer = value;
}

static void read_real(struct reader *in)
{
    errno = 0;
    double value = strtod(in->word.p, NULL);
    if (errno == ERANGE && value != 0 && (value > 1 || value < -1)) {
        say(in, "real number overflow");
        return;
    }
    in->token = TOKEN_REAL;
    in->real = value;
}

static void scan_number(struct reader *in, int c)
{
    in->token = TOKEN_INVALID;
    if (c == '-')
        c = get_keep(in);
    if (c == '0') {
        c = get_keep(in);
        if (is_digit(c)) {
            unget_keep(in, c);
            return;
        }
    } else if (is_digit(c)) {
        skip_digits(in, &c);
    } else {
        unget_keep(in, c);
        return;
    }
    if (c != '.' && c != 'E' && c != 'e') {
        unget_keep(in, c);
        read_integer(in);
        return;
    }
    if (c == '.') {
        c = get(in);
        if (!is_digit(c)) {
            unget(in, c);
            return;
        }
        str_addc(&in->word, (char)c);
        skip_digits(in, &c);
    }
    if (c == 'E' || c == 'e') {
        c = get_keep(in);
        if (c == '+' || c == '-')
            c = get_keep(in);
        if (!is_digit(c)) {
            unget_keep(in, c);
            return;
        }
        skip_digits(in, &c);
    }
    unget_keep(in, c);
    read_real(in);
}

/* ---- words ---- */

static void scan_word(struct reader *in)
{
    int c;
    do
        c = get_keep(in);
    while (is_letter(c));
    unget_keep(in, c);
    in->token = strcmp(in->word.p, "true") == 0    ? TOKEN_TRUE
                : strcmp(in->word.p, "false") == 0 ? TOKEN_FALSE
                : strcmp(in->word.p, "null") == 0  ? TOKEN_NULL
                                                   : TOKEN_INVALID;
}

static void scan(struct reader *in)
{
    int c;
    str_clear(&in->word);
    do
        c = get(in);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r');
    if (c < 0) {
        in->token = c == END ? TOKEN_EOF : TOKEN_INVALID;
        return;
    }
    str_addc(&in->word, (char)c);
    if (c && strchr("{}[]:,", c)) {
        in->token = c;
    } else if (c == '"') {
        scan_string(in);
    } else if (is_digit(c) || c == '-') {
        scan_number(in, c);
    } else if (is_letter(c)) {
        scan_word(in);
    } else { /* the rest of the character, for the error */
        str_adds(&in->word, in->one + in->one_at);
        in->one_at += strlen(in->one + in->one_at);
        in->token = TOKEN_INVALID;
    }
}

/* ---- values. NOLINTBEGIN(misc-no-recursion): DEPTH_MOST bounds it. ---- */

static json_t *read_value(struct reader *in);

/* From the name to its value; false with the error said. */
static bool read_member(struct reader *in, json_t *object)
{
    if (in->token != TOKEN_STRING) {
        say(in, "string or '}' expected");
        return false;
    }
    struct str key = STR_INIT;
    str_addslice(&key, slice_str(&in->text));
    json_t *value = NULL;
    if (memchr(key.p ? key.p : "", '\0', key.len)) {
        say(in, "NUL byte in object key not supported");
    } else if ((in->flags & JSON_REJECT_DUPLICATES) &&
               json_object_getn(object, key.len ? key.p : "", key.len)) {
        say(in, "duplicate object key");
    } else {
        scan(in);
        if (in->token != ':') {
            say(in, "':' expected");
        } else {
            scan(in);
            value = read_value(in);
        }
    }
    bool good = value && json_object_setn_new_nocheck(object, key.len ? key.p : "", key.len, value) == 0;
    str_release(&key);
    return good;
}

static json_t *read_object(struct reader *in)
{
    json_t *object = json_object();
    scan(in);
    if (in->token == '}')
        return object;
    while (read_member(in, object)) {
        scan(in);
        if (in->token == '}')
            return object;
        if (in->token != ',') {
            say(in, "'}' expected");
            break;
        }
        scan(in);
    }
    json_decref(object);
    return NULL;
}

static json_t *read_array(struct reader *in)
{
    json_t *array = json_array();
    scan(in);
    if (in->token == ']')
        return array;
    while (in->token != TOKEN_EOF) {
        json_t *value = read_value(in);
        if (!value || json_array_append_new(array, value)) {
            json_decref(array);
            return NULL;
        }
        scan(in);
        if (in->token == ']')
            return array;
        if (in->token != ',')
            break;
        scan(in);
    }
    say(in, "']' expected");
    json_decref(array);
    return NULL;
}

static json_t *read_text(struct reader *in)
{
    if (in->text.len && memchr(in->text.p, '\0', in->text.len)) {
        say(in, "\\u0000 is not allowed without JSON_ALLOW_NUL");
        return NULL;
    }
    return json_stringn_nocheck(in->text.len ? in->text.p : "", in->text.len);
}

static json_t *read_value(struct reader *in)
{
    json_t *value = NULL;
    if (++in->depth > DEPTH_MOST) {
        say(in, "maximum parsing depth reached");
        return NULL;
    }
    switch (in->token) {
    case TOKEN_STRING: value = read_text(in); break;
    case TOKEN_INTEGER: value = json_integer(in->integer); break;
    case TOKEN_REAL: value = json_real(in->real); break;
    case TOKEN_TRUE: value = json_true(); break;
    case TOKEN_FALSE: value = json_false(); break;
    case TOKEN_NULL: value = json_null(); break;
    case '{': value = read_object(in); break;
    case '[': value = read_array(in); break;
    case TOKEN_INVALID: say(in, "invalid token"); break;
    default: say(in, "unexpected token"); break;
    }
    if (value)
        in->depth--;
    return value;
}
/* NOLINTEND(misc-no-recursion) */

json_t *json_loadb(const char *bytes, size_t len, size_t flags, json_error_t *error)
{
    struct reader in = {.rest = {bytes, len}, .line = 1, .word = STR_INIT, .text = STR_INIT, .flags = flags};
    json_t *value = NULL;
    json_error_t unwanted = {.line = -1, .column = -1};
    in.error = error ? error : &unwanted;
    *in.error = unwanted;
    scan(&in);
    if (in.token != '[' && in.token != '{') {
        say(&in, "'[' or '{' expected");
    } else if ((value = read_value(&in))) {
        scan(&in);
        if (in.token != TOKEN_EOF) {
            say(&in, "end of file expected");
            json_decref(value);
            value = NULL;
        }
    }
    str_release(&in.word);
    str_release(&in.text);
    return value;
}

json_t *json_loads(const char *text, size_t flags, json_error_t *error)
{
    return json_loadb(text, strlen(text), flags, error);
}
