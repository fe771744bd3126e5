/* Where what was typed ends (reply.h). A line is looked at once, and with at most three after it, none of them
 * beyond a boundary: what is below it has no part in where the text above ends. */
#include <string.h>

#include "mail/reply_parts.h"

#define ATTRIBUTION_MAX   400 /* bytes, in at most ATTRIBUTION_LINES */
#define ATTRIBUTION_LINES 3
#define HEADER_LINES      4   /* in which "From:" and "Sent:" are found */
#define BOUNDARY_LINES    12  /* of a mail program's own, above the first line of our mail */
#define SIGNED_MAX        120 /* bytes of a line such as "Sent from my iPhone" */
#define NBSP              "\xC2\xA0"

/* ---- words of mail programs ---- */

/* How an attribution begins, and a word that it holds. */
static const struct {
    const char *begins, *holds;
} attributions[] = {
    {"On ", "wrote"},      {"Am ", "schrieb"},  {"Le ", "\303\251crit"}, {"El ", "escribi"},
    {"Il ", "ha scritto"}, {"Op ", "schreef"},  {"Em ", "escreveu"},     {"Den ", "skrev"},
    {"W dniu ", "napisa"}, {"Dnia ", "napisa"}, {"Dne ", "napsal"},
};

static const char *const senders[] = {"From", "Von", "De", "Da", "Van", "Fr\303\245n", "Fra", "Od", NULL};
static const char *const dates[] = {"Sent",    "Date",  "Gesendet", "Datum",          "Envoy\303\251",
                                    "Enviado", "Fecha", "Inviato",  "Data",           "Verzonden",
                                    "Skickat", "Sendt", "Dato",     "Wys\305\202ano", NULL};

/* How lines begin by which mail programs recommend themselves. */
static const char *const signatures[] = {
    "Sent from my ",
    "Sent from Yahoo",
    "Sent from Proton",
    "Sent from Outlook",
    "Sent from Mail for ",
    "Sent from the ",
    "Sent with Proton",
    "Sent via ",
    "Sent with [Proton",
    "Sent from [Proton",
    "[Sent from ",
    "Get Outlook for ",
    "Get BlueMail",
    "Yahoo Mail: ",
    "Von meinem ",
    "Von Outlook ",
    "Gesendet von ",
    "Gesendet mit ",
    "Holen Sie sich Outlook",
    "Outlook f\303\274r ",
    "Diese Nachricht wurde von meinem ",
    "Envoy\303\251 de mon ",
    "Envoy\303\251 depuis ",
    "Envoy\303\251 \303\240 partir ",
    "T\303\251l\303\251charger Outlook",
    "Obtenez Outlook",
    "Enviado desde ",
    "Enviado do meu ",
    "Obtener Outlook",
    "Inviato da",
    "Scarica Outlook",
    "Verstuurd vanaf ",
    "Verzonden vanaf ",
    "Skickat fr\303\245n ",
    "Sendt fra ",
    "L\303\244hetetty ",
    "Wys\305\202ane z ",
    "Odesl\303\241no z ",
    NULL,
};

static bool begins_any(struct slice line, const char *const *list)
{
    for (; *list; list++)
        if (slice_casestarts(line, *list))
            return true;
    return false;
}

/* ---- kinds of lines ---- */

/* Without spaces at both ends; mail programs write no-break ones for empty lines. */
static struct slice trim(struct slice line)
{
    for (;;) {
        line = slice_trim(line);
        bool front = slice_starts(line, NBSP);
        bool back = line.len >= 2 && memcmp(line.p + line.len - 2, NBSP, 2) == 0;
        if (!front && !back)
            return line;
        line = slice_sub(line, front ? 2 : 0, line.len - 2);
    }
}

static bool is_quoted(struct slice line)
{
    return slice_starts(line, ">") || slice_starts(line, "|");
}

static bool has_boundary(struct slice line)
{
    struct slice nonce;
    return reply_boundary_find(line, &nonce) != NOWHERE;
}

static bool is_signature(struct slice line)
{
    return slice_eq(line, "--") || slice_eq(line, "\xE2\x80\x94"); /* a telephone's dash */
}

/* "From: ...", "*Von:* ...", "De : ..." */
static bool is_field(struct slice line, const char *const *names)
{
    size_t stars = slice_starts(line, "*");
    line = slice_sub(line, stars, line.len);
    for (; *names; names++) {
        if (!slice_starts(line, *names))
            continue;
        struct slice tail = slice_sub(line, strlen(*names), line.len);
        if (slice_starts(tail, NBSP))
            tail = slice_sub(tail, strlen(NBSP), tail.len);
        tail = slice_trim(tail);
        if (slice_starts(tail, ":") || slice_starts(tail, "*:"))
            return true;
    }
    return false;
}

/* Cuts off the next line that is not empty. */
static bool next_line(struct slice *rest, struct slice *line)
{
    do
        if (!slice_line(rest, line))
            return false;
    while (!slice_trim(*line).len);
    *line = slice_trim(*line);
    return true;
}

/* "From: ..." and, in one of the next lines, "Sent: ..." */
static bool begins_header(struct slice rest)
{
    struct slice line;
    if (!next_line(&rest, &line) || !is_field(line, senders))
        return false;
    for (int i = 1; i < HEADER_LINES && slice_line(&rest, &line) && !has_boundary(line); i++)
        if (is_field(trim(line), dates))
            return true;
    return false;
}

/* "-----Original Message-----" in any language; a rule, with the header of the quoted mail under it. */
static bool begins_original(struct slice line, struct slice rest)
{
    if (slice_starts(line, "-----") && line.len > 12 && slice_eq(slice_sub(line, line.len - 3, 3), "---"))
        return true;
    bool rule = line.len > 9;
    for (size_t i = 0; rule && i < line.len; i++)
        rule = line.p[i] == '_';
    return rule && begins_header(rest);
}

static size_t count_digits(struct slice text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++)
        digits += text.p[i] >= '0' && text.p[i] <= '9';
    return digits;
}

static bool is_attribution(struct slice text)
{
    if (!text.len || text.p[text.len - 1] != ':' || !count_digits(text))
        return false;
    for (size_t i = 0; i < sizeof attributions / sizeof *attributions; i++)
        if (slice_starts(text, attributions[i].begins) && slice_find(text, attributions[i].holds) != NOWHERE)
            return true;
    return false;
}

/* Is the line an attribution, alone or with the next ones? */
static bool begins_attribution(struct slice line, struct slice rest)
{
    struct str joined = STR_INIT;
    bool found = false;
    for (int i = 0; !found && i < ATTRIBUTION_LINES && line.len && joined.len + line.len < ATTRIBUTION_MAX;
         i++) {
        if (i)
            str_addc(&joined, ' ');
        str_addslice(&joined, line);
        found = is_attribution(slice_str(&joined));
        if (!slice_line(&rest, &line) || has_boundary(line))
            break;
        line = trim(line);
    }
    str_release(&joined);
    return found;
}

/* ---- attributions that only their place tells ---- */

/* The last line of the text, which is cut off. */
static struct slice last_line(struct slice *text)
{
    const char *feed = text->len ? memrchr(text->p, '\n', text->len - 1) : NULL;
    size_t from = feed ? (size_t)(feed + 1 - text->p) : 0;
    struct slice line = slice_trim(slice_sub(*text, from, text->len));
    *text = slice_sub(*text, 0, from);
    return line;
}

/* Cuts off a line before the quote that ends with a colon and holds a date, or a paragraph of two such lines:
 * an attribution in whatever language. */
static bool drop_attribution(struct str *typed)
{
    str_trim(typed);
    struct slice rest = slice_str(typed);
    struct slice line = last_line(&rest);
    if (!line.len || line.len > ATTRIBUTION_MAX || line.p[line.len - 1] != ':')
        return false;
    if (count_digits(line) < 4) {
        struct slice first = last_line(&rest), before = rest;
        if (count_digits(first) < 4 || last_line(&before).len)
            return false;
    }
    str_cut(typed, rest.len);
    return true;
}

/* ---- the whole ---- */

/* How a line ends the text. */
enum cut { CUT_NOT, CUT_QUOTE, CUT_ATTRIBUTION };

static enum cut cut_at(struct slice line, struct slice rest)
{
    if (!line.len)
        return CUT_NOT;
    if (has_boundary(line) || is_quoted(line))
        return CUT_QUOTE;
    struct slice from = {line.p, (size_t)(rest.p + rest.len - line.p)};
    bool attributed = begins_header(from) || begins_original(line, rest) || begins_attribution(line, rest);
    return attributed ? CUT_ATTRIBUTION : CUT_NOT;
}

static bool is_boundary_of(struct slice line, struct slice want)
{
    struct slice nonce;
    while (has_boundary(line)) {
        size_t at = reply_boundary_find(line, &nonce);
        bool same = nonce.len == want.len;
        for (size_t i = 0; same && i < want.len; i++)
            same = (nonce.p[i] | 0x20) == (want.p[i] | 0x20);
        if (same)
            return true;
        line = slice_sub(line, at + 1, line.len);
    }
    return false;
}

/* How many lines there are from the cut to the boundary of our mail, empty ones left out; NOWHERE without. */
static size_t lines_to_boundary(struct slice text, struct slice nonce)
{
    struct slice line;
    for (size_t lines = 0; slice_line(&text, &line); lines += trim(line).len != 0)
        if (is_boundary_of(line, nonce))
            return lines;
    return NOWHERE;
}

static void trim_front(struct str *text)
{
    size_t blank = 0;
    while (blank < text->len && text->p[blank] == '\n')
        blank++;
    memmove(text->p, text->p + blank, text->len - blank);
    str_cut(text, text->len - blank);
}

bool reply_end(struct str *typed, const struct reply_text *seen, struct slice nonce,
               struct reply_ended *ended)
{
    struct slice text = slice_str(&seen->text), rest = text, line;
    enum cut cut = CUT_NOT;
    bool is_signed = false;
    *ended = (struct reply_ended){text.len, false};
    for (size_t at = 0; slice_line(&rest, &line); at = text.len - rest.len) {
        line = trim(line);
        cut = at >= seen->quote_at ? CUT_QUOTE : cut_at(line, rest);
        if (cut != CUT_NOT) {
            ended->at = at;
            break;
        }
        is_signed = is_signed || is_signature(line);
        if (is_signed || (line.len < SIGNED_MAX && begins_any(line, signatures)))
            continue;
        str_addslice(typed, line);
        str_addc(typed, '\n');
    }
    size_t lines = lines_to_boundary(slice_sub(text, ended->at, text.len), nonce);
    bool attributed = cut == CUT_ATTRIBUTION || (cut == CUT_QUOTE && !is_signed && drop_attribution(typed));
    str_trim(typed);
    if (typed->len)
        str_addc(typed, '\n');
    trim_front(typed);
    ended->ours = lines != NOWHERE && lines <= BOUNDARY_LINES;
    return lines == NOWHERE ? attributed : ended->ours;
}
