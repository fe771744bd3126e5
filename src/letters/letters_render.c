/* The words of a mail. It may contain what others have written, so it can become long: then the words are
 * shortened first, and in the end the mail is cut. It says so, and is still sent. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "letters/letters_parts.h"
#include "play/trial.h"
#include "game/view.h"

#define NAME_MOST 64
#define TEXT_MOST ((size_t)200 << 10) /* bytes of a mail's text, before it is broken into lines */
#define HTML_MOST ((size_t)240 << 10) /* of its page; a longer page is left out */
#define ELLIPSIS  "\xE2\x80\xA6"

/* ---- shortening ---- */

/* How much of what somebody wrote is kept. */
struct cuts {
    size_t text;  /* bytes of a value */
    size_t lines; /* of a message */
};
static const struct cuts stages[] = {{0, 0}, {400, 40}, {100, 5}}; /* the first level keeps everything */
#define STAGES (sizeof stages / sizeof *stages)

static void shorten_text(struct value *out, struct arena *arena, struct slice text, size_t most)
{
    struct str cut = STR_INIT;
    str_addslice(&cut, utf8_start(text, most));
    str_adds(&cut, ELLIPSIS);
    value_set_text(out, arena, slice_str(&cut));
    str_release(&cut);
}

/* Lines of prose: [{"line":"..."}, ...], the member "lines" of a message. */
static bool is_prose(const struct value *value)
{
    const struct value *first = value_first(value);
    return value->kind == VALUE_LIST && slice_eq((struct slice){value->name.p, value->name.len}, "lines") &&
           first && first->kind == VALUE_OBJECT && value_count(first) == 1 && value_get(first, "line");
}

static void add_more(struct value *list, size_t left)
{
    struct value *line = value_put_object(value_add_object(list), "line");
    value_put_int(value_put_object(line, "more_lines"), "count", (int64_t)left); /* words of a template */
}

/* A copy, NOLINTBEGIN(misc-no-recursion): facts are shallow. */
static struct value *shortened(struct arena *arena, const struct value *value, const struct cuts *cuts)
{
    struct value *out = value->kind == VALUE_OBJECT ? value_object(arena)
                        : value->kind == VALUE_LIST ? value_list(arena)
                                                    : NULL;
    size_t left = value_count(value), kept = is_prose(value) ? cuts->lines : left;
    if (!out) {
        out = arena_take(arena, sizeof *out);
        *out = *value;
        out->next = out->other = NULL;
        if (value->kind == VALUE_TEXT && value->text.len > cuts->text)
            shorten_text(out, arena, value->text, cuts->text);
        return out;
    }
    for (const struct value *each = value_first(value); each && kept; each = each->next, kept--, left--) {
        struct value *copy = shortened(arena, each, cuts);
        if (value->kind == VALUE_OBJECT)
            value_put(out, each->name.p, copy);
        else
            value_add(out, copy);
    }
    if (left)
        add_more(out, left);
    return out;
}
/* NOLINTEND(misc-no-recursion) */

/* ---- rendering ---- */

bool draft_has_foot(const struct draft *draft)
{
    return json_object_get(draft->facts, "goes_silent") || json_object_get(draft->facts, "contact");
}

/* Templates of a draft that are rendered together, in this order. */
struct sheet {
    char names[2][NAME_MOST]; /* the draft's own */
    struct rendering list[8];
    size_t count, named;
};

static void sheet_add(struct sheet *sheet, const char *name, struct str *out, size_t most)
{
    sheet->list[sheet->count++] = (struct rendering){.name = name, .out = out, .most = most};
}

/* "receipt" and ".txt" */
static void sheet_add_own(struct sheet *sheet, const struct draft *draft, const char *ending, struct str *out,
                          size_t most)
{
    char *name = sheet->names[sheet->named++];
    (void)snprintf(name, NAME_MOST, "%s%s", draft->name, ending);
    sheet_add(sheet, name, out, most);
}

static int sheet_render(struct sheet *sheet, struct templates *templates, const struct draft *draft,
                        const struct value *facts, struct err *err)
{
    return templates_render_all(templates, &(struct renderings){draft->folder, sheet->list, sheet->count},
                                facts, err);
}

/* ---- the news ---- */

#define SUBJECT_MOST 60 /* columns, without the digits of end_subject */
#define LINE_MOST    72

static bool joins(struct slice piece)
{
    return piece.len && strchr(",;:.", piece.p[0]);
}

static bool ends(struct slice piece)
{
    return slice_starts(piece, "(");
}

/* "~ ...": what is said in place of the piece before it where that has no room. */
static bool is_shorter(struct slice *piece)
{
    const bool shorter = slice_starts(*piece, "~");
    if (shorter)
        *piece = slice_trim(slice_sub(*piece, 1, piece->len));
    return shorter;
}

/* The first of what is in parentheses that has room; empty when none has. */
static struct slice find_end(struct slice pieces, size_t room)
{
    struct slice line;
    while (slice_line(&pieces, &line))
        if (ends(slice_trim(line)) && 1 + utf8_width(slice_trim(line)) <= room)
            return slice_trim(line);
    return (struct slice){"", 0};
}

/* "[gc-1]" or "[gc-1] Again:", in a line of its own before the pieces: it stays. Moves on behind it. */
static struct slice take_head(struct slice *pieces)
{
    struct slice rest = *pieces, line;
    while (slice_line(&rest, &line)) {
        const struct slice head = slice_trim(line);
        if (!head.len)
            continue;
        if (!slice_starts(head, "[") || !strchr("]:", head.p[head.len - 1]))
            break;
        *pieces = rest;
        return head;
    }
    return (struct slice){"", 0};
}

/* How it goes on: the longest form of the first piece beside which an end has room, else that has room alone. *whole: it is the
 * longest of all, so that other pieces may follow. */
static struct slice find_first(struct slice pieces, size_t most, bool *whole)
{
    struct slice line, first = {"", 0}, alone = {"", 0};
    struct slice rest = pieces;
    *whole = true;
    while (slice_line(&rest, &line)) {
        struct slice piece = slice_trim(line);
        if (!piece.len || ends(piece))
            continue;
        if (!is_shorter(&piece) && first.len)
            break;
        const size_t width = utf8_width(piece);
        const bool ended = width <= most && find_end(pieces, most - width).len;
        if (ended || (width <= most && !alone.len)) {
            alone = piece;
            *whole = !first.len;
        }
        if (ended)
            break;
        if (!first.len)
            first = piece;
    }
    return alone.len ? alone : first;
}

/* Columns of the second piece where it is a sentence of its own, ". Order failed", which counts for more than a long end. */
static size_t find_sentence(struct slice pieces)
{
    struct slice line;
    int said = 0;
    while (slice_line(&pieces, &line)) {
        struct slice piece = slice_trim(line);
        said += piece.len && !ends(piece) && !is_shorter(&piece);
        if (said == 2)
            return slice_starts(piece, ".") ? utf8_width(piece) : 0;
    }
    return 0;
}

/* Pieces, one a line, become one: the first of them, what is in parentheses as its end, and as many of the others as there
 * is room for. */
static void fit(struct str *text, struct slice pieces, size_t most)
{
    struct slice line, replaced = {"", 0};
    int said = 0;
    bool room = true, whole;
    const struct slice head = take_head(&pieces);
    if (head.len)
        str_addf(text, "%.*s ", (int)head.len, head.p);
    const size_t taken = utf8_width(slice_str(text));
    str_addslice(text, find_first(pieces, most > taken ? most - taken : 0, &whole));
    const size_t width = utf8_width(slice_str(text));
    const size_t more = width + (whole ? find_sentence(pieces) : 0);
    struct slice end = find_end(pieces, most > more ? most - more : 0);
    if (!end.len)
        end = find_end(pieces, most > width ? most - width : 0);
    const size_t kept = end.len ? 1 + utf8_width(end) : 0;
    for (struct slice rest = pieces; whole && slice_line(&rest, &line);) {
        struct slice piece = slice_trim(line);
        if (!piece.len || ends(piece))
            continue;
        const bool shorter = is_shorter(&piece);
        said += !shorter;
        if (said <= 1 || (shorter && room))
            continue;
        if (!shorter && !room)
            break;
        if (!shorter)
            replaced = piece;
        const size_t before = text->len;
        const bool follows = shorter && joins(replaced) && !joins(piece); /* as that would have */
        str_addf(text, "%.*s%s%.*s", follows, replaced.p, joins(piece) ? "" : " ", (int)piece.len, piece.p);
        room = utf8_width(slice_str(text)) + kept <= most;
        if (!room)
            str_cut(text, before);
    }
    if (utf8_width(slice_str(text)) > most) {
        utf8_cut(text, most - 1);
        str_adds(text, ELLIPSIS);
    }
    if (end.len)
        str_addf(text, " %.*s", (int)end.len, end.p);
}

static void fit_subject(struct str *subject)
{
    struct str pieces = *subject;
    str_init(subject);
    fit(subject, slice_str(&pieces), SUBJECT_MOST);
    str_release(&pieces);
}

/* Some mails say first what is not their subject ("receipt.first.txt"); such a subject has more pieces than there is room for. */
static bool says_first(struct templates *templates, const struct draft *draft)
{
    char name[NAME_MOST];
    (void)snprintf(name, sizeof name, "%s.first", draft->name);
    return templates_have(templates, draft->folder, name);
}

/* Columns of the first line, beside the boundary of an answer, and the game's name or the day after it. */
static size_t first_line_room(const struct value *facts)
{
    const struct value *reply = value_get(facts, "by_reply");
    const struct value *boundary = reply ? value_get(reply, "boundary") : NULL;
    const struct value *game = reply ? value_get(reply, "game") : NULL;
    const struct value *behind = reply && !game ? value_get(reply, "day") : game;
    const size_t taken = boundary && behind ? 2 + utf8_width(boundary->text) + utf8_width(behind->text) : 0;
    return LINE_MOST - 1 - taken;
}

/* The news as a sentence, for the first line: facts "headline": {"sentence"}. "[GAME]" of a subject is left out. */
static void put_sentence(struct slice pieces, struct value *facts)
{
    struct slice words = slice_trim(pieces);
    struct str sentence = STR_INIT;
    const char *bracket = slice_starts(words, "[") ? memchr(words.p, ']', words.len) : NULL;
    if (bracket)
        words = slice_sub(words, (size_t)(bracket + 1 - words.p), words.len);
    fit(&sentence, words, first_line_room(facts));
    if (sentence.len && !strchr("?!.", sentence.p[sentence.len - 1]))
        str_addc(&sentence, '.');
    struct value *headline = value_get(facts, "headline");
    value_put_slice(headline ? headline : value_put_object(facts, "headline"), "sentence",
                    slice_str(&sentence));
    str_release(&sentence);
}

/* The digits by which an answer is bound to the turn, should its text not have them. */
static void end_subject(const struct value *facts, bool pieces, struct str *subject)
{
    const struct value *reply = value_get(facts, "by_reply");
    const struct value *digits = reply ? value_get(reply, "digits") : NULL;
    if (pieces && !value_get(facts, "subject")) /* what its reader wrote stays whole */
        fit_subject(subject);
    str_trim(subject);
    if (digits) {
        str_adds(subject, " #");
        str_addslice(subject, digits->text);
    }
}

/* The subject, and what the mail says first: its own words for that, or the subject. */
static int render_news(struct templates *templates, const struct draft *draft, struct value *facts,
                       struct str *subject, struct err *err)
{
    struct sheet sheet = {.count = 0};
    struct str first = STR_INIT;
    const bool own = says_first(templates, draft);
    sheet_add_own(&sheet, draft, ".subject.txt", subject, 0);
    if (own)
        sheet_add_own(&sheet, draft, ".first.txt", &first, 0);
    for (size_t i = 0; i < sheet.count; i++)
        sheet.list[i].unbroken = true;
    int rc = sheet_render(&sheet, templates, draft, facts, err);
    if (rc == 0) {
        put_sentence(slice_str(own ? &first : subject), facts);
        end_subject(facts, own, subject);
    }
    str_release(&first);
    return rc;
}

static int render_text(struct templates *templates, const struct draft *draft, const struct value *facts,
                       struct str *text, bool *cut, struct err *err)
{
    struct sheet sheet = {.count = 0};
    sheet_add(&sheet, "news_first.txt", text, 0);
    sheet_add_own(&sheet, draft, ".txt", text, TEXT_MOST);
    int rc = sheet_render(&sheet, templates, draft, facts, err);
    *cut = sheet.list[1].cut;
    return rc;
}

/* What follows the text, and the page; one that would be too long is left out. */
static int render_rest(struct templates *templates, const struct draft *draft, const struct value *facts,
                       bool short_words, struct outgoing *mail, struct err *err)
{
    struct sheet sheet = {.count = 0};
    if (short_words)
        sheet_add(&sheet, "shortened.txt", &mail->text, 0);
    if (draft->elsewhere)
        sheet_add(&sheet, "origin.txt", &mail->text, 0);
    if (draft->unread)
        sheet_add(&sheet, "not_read_below.txt", &mail->text, 0);
    sheet_add(&sheet, "place.txt", &mail->text, 0);
    if (draft_has_foot(draft))
        sheet_add(&sheet, "foot.txt", &mail->text, 0);
    if (draft->html)
        sheet_add_own(&sheet, draft, ".html", &mail->html, HTML_MOST);
    int rc = sheet_render(&sheet, templates, draft, facts, err);
    if (draft->html && sheet.list[sheet.count - 1].cut)
        str_clear(&mail->html);
    return rc;
}

/* Renders repeatedly, keeping less of what was written, until it is short enough. */
static int render_until_short(struct templates *templates, const struct draft *draft, struct value *facts,
                              struct outgoing *mail, struct err *err)
{
    for (size_t stage = 0;; stage++) {
        struct value *some = stage ? shortened(value_arena(facts), facts, &stages[stage]) : facts;
        bool cut;
        outgoing_drop_words(mail);
        if (render_news(templates, draft, some, &mail->subject, err) ||
            render_text(templates, draft, some, &mail->text, &cut, err))
            return -1;
        if (cut && stage + 1 < STAGES)
            continue;
        value_put_flag(some, "is_cut", cut);
        return render_rest(templates, draft, some, stage > 0, mail, err);
    }
}

int letters_render(struct templates *templates, const struct draft *draft, struct outgoing *mail,
                   struct err *err)
{
    struct str *text = &mail->text;
    struct arena own = {NULL, NULL, 0};
    struct arena *arena = draft->view ? &draft->view->arena : &own;
    json_t *tried = draft->trial && *draft->trial ? trial_facts(*draft->trial) : NULL;
    struct value *facts = value_of_json(arena, draft->facts);
    for (const struct value *more = draft->told ? value_first(draft->told) : NULL; more; more = more->next)
        value_put(facts, more->name.p, more);
    if (tried)
        value_put_json(facts, tried);
    int rc = render_until_short(templates, draft, facts, mail, err);
    arena_release(&own);
    json_decref(tried);
    if (rc)
        return -1;
    while (text->len > 1 && text->p[text->len - 1] == '\n' && text->p[text->len - 2] == '\n')
        str_cut(text, text->len - 1);
    mail->state = OUTGOING_WORDED;
    return 0;
}
