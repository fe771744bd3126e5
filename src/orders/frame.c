#include "orders/frame.h"

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "base/nearest.h"
#include "base/reason.h"

#define FRAME_LINES 400
#define TURN_MAX    9999
#define SEQ_MAX     999999
#define HEAD_LEAST  8
#define SHOWN       40
#define FIRST_LINE  "#turnpost"
#define LAST_LINE   "#end"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c;
}

/* `out` has room for text.len + 1 bytes. */
static void copy_lower(char *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        out[i] = lower(text.p[i]);
    out[text.len] = '\0';
}

/* ---- the fields ---- */

/* A value that was wrong, as an error shows it. */
struct shown {
    char text[3 * SHOWN + 1];
};
static struct shown show(struct slice value)
{
    struct shown shown;
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_sub(value, 0, SHOWN), false);
    (void)snprintf(shown.text, sizeof shown.text, "%s", safe.p ? safe.p : "");
    str_release(&safe);
    return shown;
}

static bool read_number(struct slice value, int least, int most, int *out)
{
    int number = 0;
    bool good = value.len > 0 && value.len <= 6;
    for (size_t i = 0; i < value.len && good; i++) {
        good = is_digit(value.p[i]);
        number = number * 10 + (value.p[i] - '0');
    }
    if (good && number >= least && number <= most)
        *out = number;
    return good && number >= least && number <= most;
}

static int read_bool(struct slice value, const char *field, bool *out, struct err *err)
{
    *out = slice_caseeq(value, "yes");
    if (!*out && !slice_caseeq(value, "no"))
        return reason_fail(err, "takes_yes_no field=%s value=%s",
                           "the field \"%s:\" has the value \"%s\"; it takes yes or no", field,
                           show(value).text);
    return 0;
}

static int read_game(struct frame *frame, struct slice value, struct err *err)
{
    if (value.len < FRAME_GAME) {
        copy_lower(frame->game, value);
        if (name_valid(slice_of(frame->game)) && strlen(frame->game) == value.len)
            return 0;
    }
    frame->game[0] = '\0';
    return reason_fail(err, "takes_game value=%s",
                       "the field \"game:\" has the value \"%s\"; it takes the name of a game, such as gc-17",
                       show(value).text);
}

static int read_turn(struct frame *frame, struct slice value, struct err *err)
{
    if (read_number(value, 0, TURN_MAX, &frame->turn))
        return 0;
    return reason_fail(err, "takes_turn value=%s",
                       "the field \"turn:\" has the value \"%s\"; it takes the number of the turn, such as 5",
                       show(value).text);
}

static int read_seq(struct frame *frame, struct slice value, struct err *err)
{
    if (read_number(value, 1, SEQ_MAX, &frame->seq))
        return 0;
    return reason_fail(err, "takes_seq value=%s",
                       "the field \"seq:\" has the value \"%s\"; it takes a number from 1 to 999999",
                       show(value).text);
}

static int read_head(struct frame *frame, struct slice value, struct err *err)
{
    bool good = value.len >= HEAD_LEAST && value.len < FRAME_HEAD;
    for (size_t i = 0; i < value.len && good; i++)
        good = is_digit(value.p[i]) || (lower(value.p[i]) >= 'a' && lower(value.p[i]) <= 'f');
    if (!good)
        return reason_fail(err, "takes_head value=%s",
                           "the field \"head:\" has the value \"%s\"; it takes 8 to 64 hexadecimal digits, "
                           "copied from the report",
                           show(value).text);
    copy_lower(frame->head, value);
    return 0;
}

/* Any other line "league: ..." is the text's own, as it was before this was a field. */
static bool is_league(struct slice value)
{
    bool good = slice_starts(value, "SHA256:") && value.len < FRAME_LEAGUE;
    for (size_t i = 0; i < value.len && good; i++)
        good = value.p[i] > ' ' && value.p[i] <= '~';
    return good;
}

static int read_league(struct frame *frame, struct slice value, struct err *err)
{
    (void)err;
    memcpy(frame->league, value.p, value.len);
    frame->league[value.len] = '\0';
    return 0;
}

static int read_nonce(struct frame *frame, struct slice value, struct err *err)
{
    bool good = value.len > 0 && value.len < sizeof frame->nonce;
    for (size_t i = 0; i < value.len && good; i++)
        good = value.p[i] >= ' ' && value.p[i] <= '~';
    if (!good)
        return reason_fail(err, "takes_nonce value=%s",
                           "the field \"nonce:\" has the value \"%s\"; it takes 1 to 64 plain characters",
                           show(value).text);
    memcpy(frame->nonce, value.p, value.len);
    frame->nonce[value.len] = '\0';
    return 0;
}

static int read_wait(struct frame *frame, struct slice value, struct err *err)
{
    int rc = read_bool(value, "wait", &frame->wait, err);
    frame->final = frame->final && !frame->wait;
    return rc;
}

/* The opposite of wait. Whoever says so means the orders as they are, with whatever is wrong in them. */
static int read_final(struct frame *frame, struct slice value, struct err *err)
{
    bool final = true;
    int rc = read_bool(value, "final", &final, err);
    frame->wait = !final;
    frame->final = rc == 0 && final;
    return rc;
}

static int read_json(struct frame *frame, struct slice value, struct err *err)
{
    return read_bool(value, "json", &frame->json, err);
}

static const struct field {
    const char *name;
    int (*read)(struct frame *frame, struct slice value, struct err *err);
    enum { OF_ALL, OF_ORDERS, OF_OTHERS } of;
    bool wide;                        /* its value may be on the next line */
    bool (*fits)(struct slice value); /* with another value it is not our field; NULL: any value */
} fields[] = {{.name = "game", .read = read_game},
              {.name = "turn", .read = read_turn},
              {.name = "head", .read = read_head, .wide = true},
              {.name = "seq", .read = read_seq},
              {.name = "wait", .read = read_wait, .of = OF_ORDERS},
              {.name = "final", .read = read_final, .of = OF_ORDERS},
              {.name = "json", .read = read_json, .of = OF_ORDERS},
              {.name = "nonce", .read = read_nonce},
              {.name = "league", .read = read_league, .of = OF_OTHERS, .wide = true, .fits = is_league}};
#define FIELDS (sizeof fields / sizeof *fields)

static bool belongs(const struct field *field, enum frame_kind kind)
{
    return field->of == OF_ALL || (field->of == OF_ORDERS) == (kind == FRAME_ORDERS);
}

/* The field of the frame that the line is, or FIELDS. *value and *rest move to the next line, if that holds
 * the value. */
static size_t find_field(const struct frame *frame, struct slice name, struct slice *value,
                         struct slice *rest)
{
    for (size_t i = 0; i < FIELDS; i++) {
        struct slice after = *rest;
        struct slice next = {NULL, 0};
        if (!slice_caseeq(name, fields[i].name) || !belongs(&fields[i], frame->kind))
            continue;
        bool moved = fields[i].wide && !value->len && slice_line(&after, &next) &&
                     (next = slice_trim(next)).len && next.p[0] != '#';
        if (fields[i].fits && !fields[i].fits(moved ? next : *value))
            break;
        if (moved) {
            *value = next;
            *rest = after;
        }
        return i;
    }
    return FIELDS;
}

bool frame_owns(const struct frame *frame, struct slice name, struct slice value, struct slice *rest)
{
    return find_field(frame, name, &value, rest) < FIELDS;
}

/* Words of the order language that may begin the first line of a body and have a ':' after them. */
static bool begins_body(struct slice name)
{
    static const char *const words[] = {"say", "status", "standing", "help",   "rules", "resign", "cancel",
                                        "try", "auto",   "when",     "always", "if",    "repeat", "pass"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_caseeq(name, words[i]))
            return true;
    return false;
}

/* Splits "name: value". There may be a space before the ':'. False when it has no one-word name. */
static bool split_field(struct slice line, struct slice *name, struct slice *value, bool *tight)
{
    size_t len = 0;
    while (len < line.len && is_letter(line.p[len]))
        len++;
    struct slice rest = slice_trim(slice_sub(line, len, line.len));
    if (!len || !rest.len || rest.p[0] != ':')
        return false;
    *tight = line.p[len] == ':';
    *name = slice_sub(line, 0, len);
    *value = slice_trim(slice_sub(rest, 1, rest.len));
    return true;
}

bool frame_next_line(struct slice *body, const char *name, struct slice *value)
{
    const struct frame other = {.kind = FRAME_OTHER};
    struct slice line, word, found;
    bool tight;
    while (slice_line(body, &line)) {
        line = slice_trim(line);
        if (!line.len || line.p[0] == '#')
            continue;
        if (!split_field(line, &word, &found, &tight)) {
            *body = slice_sub(*body, body->len, body->len);
            return false;
        }
        if (slice_caseeq(word, name)) {
            *value = found;
            return true;
        }
        (void)frame_owns(&other, word, found, body);
    }
    return false;
}

bool frame_line(struct slice body, const char *name, struct slice *value)
{
    return frame_next_line(&body, name, value);
}

static int fail_field(struct slice name, struct err *err)
{
    char word[32] = "";
    copy_lower(word, slice_sub(name, 0, sizeof word - 1));
    struct nearest nearest = NEAREST_INIT(word);
    struct str known = STR_INIT;
    for (size_t i = 0; i < FIELDS; i++) {
        if (!belongs(&fields[i], FRAME_ORDERS))
            continue;
        nearest_offer(&nearest, fields[i].name);
        str_addf(&known, "%s%s", i ? ", " : "", fields[i].name);
    }
    if (nearest.best)
        reason_fail(err, "field_meant field=%s meant=%s", "there is no field \"%s:\"; did you mean \"%s:\"?",
                    word, nearest.best);
    else
        reason_fail(err, "field_unknown field=%s fields=%s",
                    "there is no field \"%s:\" (fields are %s); an order is written without a colon", word,
                    known.p);
    str_release(&known);
    return -1;
}

/* How far the header has been read. */
struct fields_read {
    struct slice rest; /* what follows the line */
    bool in_body;      /* the line belongs to the body */
    bool end;          /* no field may follow it */
};

static int take_field(struct frame *frame, size_t i, struct slice value, struct err *err)
{
    if (frame->given & 1U << i)
        return reason_fail(err, "field_twice field=%s", "the field \"%s:\" is given twice", fields[i].name);
    frame->given |= 1U << i;
    return fields[i].read(frame, value, err);
}

/* One line of the head. */
static int read_field(struct frame *frame, struct slice line, struct fields_read *at, struct err *err)
{
    struct slice name;
    struct slice value;
    bool tight = false;
    if (!split_field(line, &name, &value, &tight)) {
        at->in_body = at->end = true;
        return 0;
    }
    size_t i = find_field(frame, name, &value, &at->rest);
    if (i < FIELDS)
        return take_field(frame, i, value, err);
    /* Texts other than orders have fields of their own, which their handlers read from the body. */
    at->in_body = frame->kind != FRAME_ORDERS || !tight || begins_body(name);
    at->end = at->in_body && frame->kind == FRAME_ORDERS;
    return at->in_body ? 0 : fail_field(name, err);
}

/* ---- the frame ---- */

static int read_first(struct frame *frame, struct slice line, struct err *err)
{
    struct slice word;
    struct slice verb;
    if (!slice_word(&line, &word) || !slice_caseeq(word, FIRST_LINE))
        return reason_fail(err, "no_first_line", "the text does not begin with \"#turnpost orders\"");
    bool good = slice_word(&line, &verb) && verb.len < sizeof frame->verb;
    for (size_t i = 0; good && i < verb.len; i++)
        good = is_letter(verb.p[i]) || verb.p[i] == '-';
    if (!good)
        return reason_fail(err, "first_word",
                           "after #turnpost comes one word that says what the text is: \"#turnpost orders\"");
    if (slice_trim(line).len)
        return reason_fail(err, "first_line_more",
                           "the first line has more words than \"#turnpost\" and what the text is");
    copy_lower(frame->verb, verb);
    frame->kind = strcmp(frame->verb, "orders") == 0 ? FRAME_ORDERS : FRAME_OTHER;
    return 0;
}

/* Nothing may follow #end: it would be signed but never read. */
static int read_last(struct slice rest, struct err *err)
{
    if (slice_trim(rest).len)
        return reason_fail(err, "after_end", "there is text after \"#end\"");
    return 0;
}

static int check_size(struct slice text, struct err *err)
{
    size_t lines = 0;
    struct slice line;
    if (text.len > FRAME_BYTES)
        return reason_fail(err, "text_bytes most=%d", "the text is longer than %d bytes", FRAME_BYTES);
    if (text.len && memchr(text.p, '\0', text.len))
        return reason_fail(err, "zero_byte", "the text has a byte 0 in it");
    while (slice_line(&text, &line))
        lines++;
    if (lines > FRAME_LINES)
        return reason_fail(err, "text_lines most=%d", "the text has more than %d lines", FRAME_LINES);
    return 0;
}

int frame_parse(struct slice text, struct frame *frame, struct err *err)
{
    *frame = (struct frame){.turn = -1};
    struct fields_read at = {.rest = text};
    struct slice line = {NULL, 0};
    if (check_size(text, err))
        return -1;
    while (!slice_trim(line).len && slice_line(&at.rest, &line))
        continue;
    if (read_first(frame, slice_trim(line), err))
        return -1;
    const char *body = at.rest.p;
    for (;;) {
        const char *begin = at.rest.p;
        if (!slice_line(&at.rest, &line))
            break;
        line = slice_trim(line);
        if (!at.in_body)
            body = begin;
        if (slice_caseeq(line, LAST_LINE)) {
            frame->body = (struct slice){body, (size_t)(begin - body)};
            return read_last(at.rest, err);
        }
        if (slice_casestarts(line, FIRST_LINE))
            return reason_fail(err, "second_text", "there is a second \"#turnpost\" line before \"#end\"");
        if (!at.end && line.len && line.p[0] != '#' && read_field(frame, line, &at, err))
            return -1;
    }
    return reason_fail(err, "no_end", "the text has no \"#end\" line");
}

/* ---- fields among the lines ---- */

/* The field of orders alone that the line is, or FIELDS. */
static size_t late_field(struct slice line, struct slice *value)
{
    struct slice name;
    bool tight;
    size_t i = 0;
    if (!split_field(line, &name, value, &tight))
        return FIELDS;
    while (i < FIELDS && (fields[i].of != OF_ORDERS || !slice_caseeq(name, fields[i].name)))
        i++;
    return i;
}

int frame_spread(struct frame *frame, struct str *body, struct err *err)
{
    struct slice rest = frame->body;
    struct slice line;
    if (frame->kind != FRAME_ORDERS)
        return 0;
    while (slice_line(&rest, &line)) {
        struct slice value;
        size_t i = late_field(slice_trim(line), &value);
        if (i < FIELDS && take_field(frame, i, value, err))
            return -1;
        if (i < FIELDS)
            continue;
        str_addslice(body, line);
        str_addc(body, '\n');
    }
    frame->body = slice_str(body);
    return 0;
}

/* ---- what comes in ---- */

static bool is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0);
}

/* A tab, or the end of a line. */
static bool is_layout(struct slice rest)
{
    return rest.p[0] == '\n' || rest.p[0] == '\t' || slice_starts(rest, "\r\n");
}

static int check_controls(struct slice rest, struct err *err)
{
    int line = 1, column = 1;
    while (rest.len) {
        size_t len;
        uint32_t cp = utf8_next(rest, &len);
        if (is_control(cp) && !is_layout(rest)) {
            char name[16];
            (void)snprintf(name, sizeof name, "U+%04X", (unsigned)cp);
            return reason_fail(err, "control_character line=%d name=%s column=%d",
                               "line %d has a control character (%s) at column %d; texts may have none but "
                               "tabs and line ends",
                               line, name, column);
        }
        column++;
        if (cp == '\n') {
            line++;
            column = 1;
        }
        rest = slice_sub(rest, len, rest.len);
    }
    return 0;
}

int frame_receive(struct slice exact, struct slice text, struct frame *frame, struct err *err)
{
    if (frame_parse(text, frame, err) || check_controls(exact, err))
        return -1;
    size_t size = json_text_size(exact);
    if (size > FRAME_BYTES)
        return reason_fail(
            err, "text_journal size=%zu most=%d",
            "the text would take %zu bytes in the journal, where a quote, a backslash and a line "
            "end take two each; at most %d are allowed",
            size, FRAME_BYTES);
    return 0;
}
