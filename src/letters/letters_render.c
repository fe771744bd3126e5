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

/* The templates of a draft, in the order in which they are rendered. */
struct sheet {
    char subject_name[NAME_MOST], text_name[NAME_MOST], html_name[NAME_MOST];
    struct rendering list[10];
    size_t count;
};

static void sheet_add(struct sheet *sheet, const char *name, struct str *out, size_t most)
{
    sheet->list[sheet->count++] = (struct rendering){.name = name, .out = out, .most = most};
}

static void sheet_of(struct sheet *sheet, const struct draft *draft, struct outgoing *mail, bool short_words)
{
    sheet->count = 0;
    (void)snprintf(sheet->subject_name, NAME_MOST, "%s.subject.txt", draft->name);
    (void)snprintf(sheet->text_name, NAME_MOST, "%s.txt", draft->name);
    (void)snprintf(sheet->html_name, NAME_MOST, "%s.html", draft->name);
    sheet_add(sheet, sheet->subject_name, &mail->subject, 0);
    sheet_add(sheet, "news_first.txt", &mail->text, 0);
    sheet_add(sheet, sheet->text_name, &mail->text, TEXT_MOST);
    if (short_words)
        sheet_add(sheet, "shortened.txt", &mail->text, 0);
    if (draft->elsewhere)
        sheet_add(sheet, "origin.txt", &mail->text, 0);
    if (draft->unread)
        sheet_add(sheet, "not_read_below.txt", &mail->text, 0);
    sheet_add(sheet, "place.txt", &mail->text, 0);
    if (draft_has_foot(draft))
        sheet_add(sheet, "foot.txt", &mail->text, 0);
    if (draft->html)
        sheet_add(sheet, sheet->html_name, &mail->html, HTML_MOST);
}

/* A page that would be too long is left out. */
static void drop_long_page(const struct sheet *sheet, struct outgoing *mail)
{
    const struct rendering *last = &sheet->list[sheet->count - 1];
    if (last->out == &mail->html && last->cut)
        str_clear(&mail->html);
}

/* ---- the news ---- */

#define SUBJECT_MOST 60 /* columns, without the digits of end_subject */
#define LINE_MOST    72

static bool joins(struct slice piece)
{
    return piece.len && strchr(",;:.", piece.p[0]);
}

/* What is in parentheses among the pieces, with a blank before it; empty when there is none. */
static void find_end(struct str *end, struct slice pieces)
{
    struct slice line;
    while (slice_line(&pieces, &line))
        if (slice_starts(line, "("))
            str_addf(end, " %.*s", (int)slice_trim(line).len, line.p);
}

/* Pieces, one a line, become one: the first of them, what is in parentheses as its end, and as many of the others as there
 * is room for. */
static void fit(struct str *text, struct slice pieces, size_t most)
{
    struct str end = STR_INIT;
    struct slice line;
    bool room = true;
    find_end(&end, pieces);
    while (room && slice_line(&pieces, &line)) {
        const struct slice piece = slice_trim(line);
        const bool first = text->len == 0;
        const char *blank = first || joins(piece) ? "" : " ";
        const size_t width = utf8_width(slice_str(text)) + strlen(blank) + utf8_width(piece);
        if (!piece.len || slice_starts(piece, "("))
            continue;
        if (first && width + utf8_width(slice_str(&end)) > most)
            str_clear(&end);
        room = first || width + utf8_width(slice_str(&end)) <= most;
        if (room)
            str_addf(text, "%s%.*s", blank, (int)piece.len, piece.p);
    }
    if (utf8_width(slice_str(text)) > most) {
        utf8_cut(text, most - 1);
        str_adds(text, ELLIPSIS);
    }
    str_addslice(text, slice_str(&end));
    str_release(&end);
}

static void fit_subject(struct str *subject)
{
    struct str pieces = *subject;
    str_init(subject);
    fit(subject, slice_str(&pieces), SUBJECT_MOST);
    str_release(&pieces);
}

/* The news as a sentence, for the first line: facts "headline": {"sentence"}; its words are those of the template: "[GAME]" of
 * a subject is left out. There is room for the boundary of an answer, and the game's name or the day after it. */
static int put_sentence(struct templates *templates, const struct draft *draft, const char *name,
                        struct value *facts, struct err *err)
{
    const struct value *reply = value_get(facts, "by_reply");
    struct str pieces = STR_INIT, sentence = STR_INIT;
    struct rendering what = {.name = name, .out = &pieces};
    const struct value *boundary = reply ? value_get(reply, "boundary") : NULL;
    const struct value *game = reply ? value_get(reply, "game") : NULL;
    const struct value *behind = reply && !game ? value_get(reply, "day") : game;
    size_t room = LINE_MOST - 1;
    if (boundary && behind)
        room -= 2 + utf8_width(boundary->text) + utf8_width(behind->text);
    int rc = templates_render_all(templates, &(struct renderings){draft->folder, &what, 1}, facts, err);
    if (rc == 0) {
        struct slice words = slice_trim(slice_str(&pieces));
        const char *bracket = slice_starts(words, "[") ? memchr(words.p, ']', words.len) : NULL;
        if (bracket)
            words = slice_sub(words, (size_t)(bracket + 1 - words.p), words.len);
        fit(&sentence, words, room);
        if (sentence.len && !strchr("?!.", sentence.p[sentence.len - 1]))
            str_addc(&sentence, '.');
        struct value *headline = value_get(facts, "headline");
        value_put_slice(headline ? headline : value_put_object(facts, "headline"), "sentence",
                        slice_str(&sentence));
    }
    str_release(&pieces);
    str_release(&sentence);
    return rc;
}

/* What the mail says first: "receipt.first.txt" of a receipt, the headline that a report has among its facts, or the subject. */
struct news {
    char name[NAME_MOST];
    bool pieces; /* more of them than a subject has room for */
};

static struct news news_of(struct templates *templates, const struct draft *draft, const struct value *facts)
{
    struct news news = {.pieces = true};
    (void)snprintf(news.name, sizeof news.name, "%s.first", draft->name);
    if (templates_have(templates, draft->folder, news.name)) {
        (void)snprintf(news.name, sizeof news.name, "%s.first.txt", draft->name);
        return news;
    }
    news.pieces = value_get(facts, "headline") != NULL;
    (void)snprintf(news.name, sizeof news.name, "%s%s", news.pieces ? "headline" : draft->name,
                   news.pieces ? ".txt" : ".subject.txt");
    return news;
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

/* Renders repeatedly, keeping less of what was written, until it is short enough. */
static int render_until_short(struct templates *templates, const struct draft *draft, const char *news,
                              struct value *facts, struct outgoing *mail, struct err *err)
{
    struct sheet sheet;
    bool cut = true;
    for (size_t stage = 0; cut && stage < STAGES; stage++) {
        struct value *some = stage ? shortened(value_arena(facts), facts, &stages[stage]) : facts;
        outgoing_drop_words(mail);
        sheet_of(&sheet, draft, mail, stage > 0);
        if (put_sentence(templates, draft, news, some, err) ||
            templates_render_all(templates, &(struct renderings){draft->folder, sheet.list, 3}, some, err))
            return -1;
        cut = sheet.list[2].cut;
        if (cut && stage + 1 < STAGES)
            continue;
        value_put_flag(some, "is_cut", cut);
        const struct renderings rest = {draft->folder, sheet.list + 3, sheet.count - 3};
        if (templates_render_all(templates, &rest, some, err))
            return -1;
        drop_long_page(&sheet, mail);
    }
    return 0;
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
    const struct news news = news_of(templates, draft, facts);
    int rc = render_until_short(templates, draft, news.name, facts, mail, err);
    end_subject(facts, news.pieces, &mail->subject);
    arena_release(&own);
    json_decref(tried);
    if (rc)
        return -1;
    while (text->len > 1 && text->p[text->len - 1] == '\n' && text->p[text->len - 2] == '\n')
        str_cut(text, text->len - 1);
    mail->state = OUTGOING_WORDED;
    return 0;
}
