#include "report/textfmt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define WIDTH_LEAST 20
#define GAP         2  /* spaces between columns */
#define LAST_LEAST  16 /* a last column that must be wrapped gets at least this */
#define CELL_LEAST  6  /* and any other column, where that is not enough */

struct cell {
    struct slice text;
    size_t width;
    bool number;
};

struct column {
    size_t at; /* where it begins */
    size_t width;
    bool number;
};

struct row {
    size_t first; /* index of its first cell */
};

/* Rows that follow each other; slices point into the input. */
struct table {
    struct cell *cell; /* of all rows, row by row */
    size_t cell_count, cell_cap;
    struct row *row;
    size_t row_count, row_cap;
    struct column *column;
    size_t column_count, column_cap;
};

/* How a text that may take several lines is laid out. */
struct layout {
    size_t first; /* columns left in the line that `out` ends with */
    size_t rest;  /* columns of each line after it */
    size_t hang;  /* spaces in front of those */
    bool cut;     /* cut a word that is longer than a line */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void add_blanks(struct str *out, size_t count)
{
    static const char blanks[] = "                                ";
    while (count) {
        size_t part = count < sizeof blanks - 1 ? count : sizeof blanks - 1;
        str_add(out, blanks, part);
        count -= part;
    }
}

static void add_text(struct str *out, struct slice text)
{
    size_t from = out->len;
    str_addslice(out, text);
    for (char *tab = out->p + from; (tab = memchr(tab, '\t', out->len - (size_t)(tab - out->p))) != NULL;)
        *tab = ' ';
}

/* line_fit where the first room + 1 bytes are printable ASCII: breaks at the last space among them. False
 * when there is none. */
static bool plain_fit(struct slice s, size_t room, size_t *end, size_t *next)
{
    if (utf8_printable(slice_sub(s, 0, room + 1)) <= room)
        return false;
    size_t at = room;
    while (at > 0 && s.p[at] != ' ')
        at--;
    for (*next = at; *next < s.len && is_blank(s.p[*next]);)
        ++*next;
    while (at > 0 && s.p[at - 1] == ' ')
        at--;
    *end = at;
    return at > 0;
}

/* How many bytes of `s` (which does not begin with a space) go on a line of `room` columns; `*next` is where
 * the next line begins. Takes at least one character. */
static size_t line_fit(struct slice s, size_t room, bool cut, size_t *next)
{
    size_t best = 0; /* end of the text before the last place to break, which is *next */
    size_t end = 0;  /* end of the last character that is not blank */
    size_t width = 0;
    bool wide_before = false;
    size_t len;
    if (s.len > room && plain_fit(s, room, &end, next))
        return end;
    *next = s.len;
    if (s.len <= room) /* a character never takes more columns than bytes */
        return s.len;
    end = 0;
    for (size_t at = 0; at < s.len; at += len) {
        (void)utf8_next(slice_sub(s, at, s.len), &len);
        size_t columns = len == 1 ? 1 : utf8_width(slice_sub(s, at, len));
        width += columns;
        if (is_blank(s.p[at])) {
            wide_before = false;
            continue;
        }
        bool wide = columns == 2;
        if (at > end || (at && wide && wide_before)) {
            best = end;
            *next = at;
        }
        if (width > room && columns && at) {
            if (best)
                return best;
            if (cut) {
                *next = at;
                return at;
            }
        }
        wide_before = wide || (wide_before && !columns);
        end = at + len;
    }
    *next = s.len;
    return end;
}

/* Adds `text`, with an LF after each of its lines. */
static void add_lines(struct str *out, struct slice text, const struct layout *layout)
{
    size_t room = layout->first;
    for (;;) {
        size_t next;
        size_t len = line_fit(text, room, layout->cut, &next);
        add_text(out, slice_sub(text, 0, len));
        str_addc(out, '\n');
        if (next >= text.len)
            return;
        text = slice_sub(text, next, text.len);
        add_blanks(out, layout->hang);
        room = layout->rest;
    }
}

/* "* ", "- ", "12. ": what a list's item begins with. */
static size_t marker_width(struct slice text)
{
    size_t digits = 0;
    if (slice_starts(text, "* ") || slice_starts(text, "- "))
        return 2;
    while (digits < text.len && digits < 4 && text.p[digits] >= '0' && text.p[digits] <= '9')
        digits++;
    return digits && slice_starts(slice_sub(text, digits, text.len), ". ") ? digits + 2 : 0;
}

static void add_prose(struct str *out, struct slice line, size_t width)
{
    size_t indent = 0;
    while (indent < line.len && is_blank(line.p[indent]))
        indent++;
    struct slice text = slice_trim(line);
    size_t hang = indent;
    hang += marker_width(text);
    if (hang > width / 2)
        hang = width / 2;
    add_blanks(out, indent);
    struct layout layout = {.first = indent < width ? width - indent : 1, .rest = width - hang, .hang = hang};
    add_lines(out, text, &layout);
}

/* "12", "-3", "+1,234", "7.5", "40%" */
static bool is_number(struct slice s)
{
    if (!s.len || (s.p[0] >= 'A' && s.p[0] <= 'z')) /* a word, as most cells are */
        return false;
    if (slice_starts(s, "\xE2\x88\x92")) /* U+2212, the minus sign */
        s = slice_sub(s, 3, s.len);
    else if (s.len && (s.p[0] == '-' || s.p[0] == '+'))
        s = slice_sub(s, 1, s.len);
    if (s.len && s.p[s.len - 1] == '%')
        s.len--;
    bool digit = false;
    for (size_t i = 0; i < s.len; i++) {
        bool here = s.p[i] >= '0' && s.p[i] <= '9';
        if (!here && s.p[i] != '.' && s.p[i] != ',')
            return false;
        digit = digit || here;
    }
    return digit;
}

static bool is_neutral(struct slice s)
{
    return !s.len || slice_eq(s, "-") || slice_eq(s, "\xE2\x80\x93") || slice_eq(s, "\xE2\x80\x94");
}

static void table_add(struct table *t, struct slice line)
{
    size_t count = 0;
    t->row = mem_grow(t->row, t->row_count, &t->row_cap, sizeof *t->row);
    t->row[t->row_count++] = (struct row){t->cell_count};
    while (line.len) {
        line = slice_sub(line, 1, line.len); /* the TAB in front */
        const char *tab = line.len ? memchr(line.p, '\t', line.len) : NULL;
        struct slice text = slice_sub(line, 0, tab ? (size_t)(tab - line.p) : line.len);
        line = slice_sub(line, text.len, line.len);
        t->cell = mem_grow(t->cell, t->cell_count, &t->cell_cap, sizeof *t->cell);
        struct cell *cell = &t->cell[t->cell_count++];
        cell->text = slice_trim(text);
        cell->width = utf8_width(cell->text);
        cell->number = is_number(cell->text);
        count++;
    }
    while (t->column_count < count) {
        t->column = mem_grow(t->column, t->column_count, &t->column_cap, sizeof *t->column);
        t->column[t->column_count++] = (struct column){0};
    }
}

static size_t row_end(const struct table *t, size_t row)
{
    return row + 1 < t->row_count ? t->row[row + 1].first : t->cell_count;
}

static void table_measure(struct table *t)
{
    for (size_t row = 0; row < t->row_count; row++)
        for (size_t i = t->row[row].first; i < row_end(t, row); i++) {
            struct column *column = &t->column[i - t->row[row].first];
            if (t->cell[i].width > column->width)
                column->width = t->cell[i].width;
            column->number = column->number || t->cell[i].number;
        }
    for (size_t row = 1; row < t->row_count; row++)
        for (size_t i = t->row[row].first; i < row_end(t, row); i++)
            if (!t->cell[i].number && !is_neutral(t->cell[i].text))
                t->column[i - t->row[row].first].number = false;
}

/* Finds where each column begins. */
static void table_place(struct table *t)
{
    size_t at = 0;
    for (size_t i = 0; i < t->column_count; i++) {
        t->column[i].at = at;
        at += t->column[i].width + GAP;
    }
}

enum fit {
    FIT_LINES, /* every row is one line; only the last column may be wrapped */
    FIT_CELLS, /* all cells are wrapped within their columns */
    FIT_NONE   /* rows are prose */
};

/* Makes the widest columns narrower, until all fit or none can. */
static bool table_narrow(struct table *t, size_t width)
{
    size_t total = GAP * (t->column_count - 1);
    for (size_t i = 0; i < t->column_count; i++)
        total += t->column[i].width;
    while (total > width) {
        struct column *widest = t->column;
        for (size_t i = 1; i < t->column_count; i++)
            if (t->column[i].width > widest->width)
                widest = &t->column[i];
        if (widest->width <= CELL_LEAST)
            return false;
        widest->width--;
        widest->number = false;
        total--;
    }
    return true;
}

static enum fit table_fit(struct table *t, size_t width)
{
    struct column *last = &t->column[t->column_count - 1];
    table_place(t);
    if (last->at + last->width <= width)
        return FIT_LINES;
    last->number = false;
    if (last->at + LAST_LEAST <= width)
        return FIT_LINES;
    if (!table_narrow(t, width))
        return FIT_NONE;
    table_place(t);
    return FIT_CELLS;
}

static void row_add(struct str *out, const struct table *t, size_t row, size_t width)
{
    size_t at = 0;
    for (size_t i = t->row[row].first; i < row_end(t, row); i++) {
        const struct cell *cell = &t->cell[i];
        const struct column *column = &t->column[i - t->row[row].first];
        size_t from = column->at + (column->number ? column->width - cell->width : 0);
        if (!cell->text.len)
            continue;
        add_blanks(out, from - at);
        if (i - t->row[row].first == t->column_count - 1) {
            struct layout layout = {width - from, width - column->at, column->at, true};
            add_lines(out, cell->text, &layout);
            return;
        }
        add_text(out, cell->text);
        at = from + cell->width;
    }
    str_addc(out, '\n');
}

/* The next line of a row whose cells are wrapped: what of them is left goes on in the lines below. */
static bool row_add_line(struct str *out, struct table *t, size_t row)
{
    bool more = false;
    size_t at = 0;
    for (size_t i = t->row[row].first; i < row_end(t, row); i++) {
        struct cell *cell = &t->cell[i];
        const struct column *column = &t->column[i - t->row[row].first];
        size_t next, len, from;
        if (!cell->text.len)
            continue;
        len = line_fit(cell->text, column->width, true, &next);
        struct slice piece = slice_sub(cell->text, 0, len);
        from = column->at + (column->number ? column->width - utf8_width(piece) : 0);
        add_blanks(out, from - at);
        add_text(out, piece);
        at = from + utf8_width(piece);
        cell->text = slice_sub(cell->text, next, cell->text.len);
        more = more || cell->text.len;
    }
    str_addc(out, '\n');
    return more;
}

static void row_add_wrapped(struct str *out, struct table *t, size_t row)
{
    while (row_add_line(out, t, row)) {
    }
}

/* A row of a table that is too wide for columns. */
static void row_add_prose(struct str *out, const struct table *t, size_t row, size_t width)
{
    struct str line = STR_INIT;
    for (size_t i = t->row[row].first; i < row_end(t, row); i++) {
        if (line.len && t->cell[i].text.len)
            add_blanks(&line, GAP);
        str_addslice(&line, t->cell[i].text);
    }
    struct layout layout = {.first = width, .rest = width - GAP, .hang = GAP};
    add_lines(out, slice_str(&line), &layout);
    str_release(&line);
}

/* Adds the rows collected so far and forgets them. */
static void table_end(struct str *out, struct table *t, size_t width)
{
    if (!t->row_count)
        return;
    table_measure(t);
    enum fit fit = table_fit(t, width);
    for (size_t row = 0; row < t->row_count; row++) {
        if (fit == FIT_LINES)
            row_add(out, t, row, width);
        else if (fit == FIT_CELLS)
            row_add_wrapped(out, t, row);
        else
            row_add_prose(out, t, row, width);
    }
    t->row_count = 0;
    t->cell_count = 0;
    t->column_count = 0;
}

void textfmt(struct str *out, struct slice text, size_t width)
{
    struct table table = {0};
    struct slice line;
    bool blank_before = out->len > 1 && str_ends(out->p, "\n\n");
    if (width < WIDTH_LEAST)
        width = WIDTH_LEAST;
    str_reserve(out, text.len + text.len / 8);
    while (slice_line(&text, &line)) {
        bool blank = !slice_trim(line).len;
        if (slice_starts(line, "!\t"))
            continue;
        const bool heads = slice_starts(line, "=\t");
        if (heads)
            table_end(out, &table, width);
        if (!blank && (line.p[0] == '\t' || heads)) {
            table_add(&table, slice_sub(line, line.p[0] == '=', line.len));
            blank_before = false;
            continue;
        }
        table_end(out, &table, width);
        if (!blank && line.p[0] == '|') {
            str_addslice(out, slice_sub(line, 1, line.len));
            str_addc(out, '\n');
        } else if (!blank) {
            add_prose(out, line, width);
        } else if (!blank_before) {
            str_addc(out, '\n');
        }
        blank_before = blank;
    }
    table_end(out, &table, width);
    free(table.cell);
    free(table.row);
    free(table.column);
}
