/* Which parts of a mail a person types into, and their text. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mail/entity.h"
#include "mail/reply_parts.h"
#include "mail/text.h"

struct seeing {
    struct reply_text plain; /* of all parts of type text/plain, in the order of the mail */
    bool is_plain;
    struct reply_text page; /* of the first part that is HTML */
    bool is_page;
};

/* A file, or something that a person saves as one. */
static bool is_file(const struct entity *entity)
{
    struct str value = STR_INIT;
    bool named = entity_param(entity, "name", &value);
    bool file = header_value(entity->header, "Content-Disposition", &value) &&
                (!slice_casestarts(slice_str(&value), "inline") || strcasestr(value.p, "filename") != NULL);
    str_release(&value);
    return named || file;
}

static bool param_is(const struct entity *entity, const char *name, const char *want)
{
    struct str value = STR_INIT;
    bool same = entity_param(entity, name, &value) && strcasecmp(value.p, want) == 0;
    str_release(&value);
    return same;
}

static void see_plain(struct seeing *seeing, const struct entity *entity, struct slice text)
{
    struct str *out = &seeing->plain.text;
    if (seeing->is_plain)
        reply_text_mark(&seeing->plain, out->len, REPLY_PART);
    seeing->is_plain = true;
    if (param_is(entity, "format", "flowed"))
        text_unflow(out, text, param_is(entity, "delsp", "yes"));
    else
        str_addslice(out, text);
    if (out->len && out->p[out->len - 1] != '\n')
        str_addc(out, '\n');
}

/* UTF-16 by its mark, which beats any label (text.h): no mail program writes it. */
static bool is_wide(struct slice bytes)
{
    return slice_starts(bytes, "\xFF\xFE") || slice_starts(bytes, "\xFE\xFF");
}

static int on_leaf(void *arg, const struct entity *entity, struct err *err)
{
    struct seeing *seeing = arg;
    bool plain = strcmp(entity->type, "text/plain") == 0, page = strcmp(entity->type, "text/html") == 0;
    if (entity->mails || (!plain && !page) || is_file(entity))
        return 0;
    struct str exact = STR_INIT, text = STR_INIT, charset = STR_INIT;
    entity_decode(&exact, entity);
    bool bad = exact.len > message_limits_default.part_bytes || is_wide(slice_str(&exact));
    int rc = bad ? err_set(err, ERR_INPUT, "This part is not read.") : 0;
    if (rc == 0) {
        (void)entity_param(entity, "charset", &charset);
        text_decode(&text, slice_str(&exact), charset.p);
        page = page || (!entity->labelled && html_sniff(slice_str(&text)));
        if (!page)
            see_plain(seeing, entity, slice_str(&text));
        else if (!seeing->is_page)
            reply_see_html(&seeing->page, slice_str(&text));
        seeing->is_page = seeing->is_page || page;
    }
    str_release(&charset);
    str_release(&text);
    str_release(&exact);
    return rc;
}

/* What a reader sees is the same without it. */
static bool is_nothing(uint32_t cp)
{
    return cp == 0xAD || cp == 0x61C || (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x202A && cp <= 0x202C) ||
           cp == 0x2060 || (cp >= 0x2066 && cp <= 0x2069) || cp == 0xFEFF;
}

static bool is_ascii(struct slice text)
{
    unsigned char bits = 0;
    for (size_t i = 0; i < text.len; i++)
        bits |= (unsigned char)text.p[i];
    return bits < 0x80;
}

/* The marks move with the text. */
static void drop_nothings(struct reply_text *seen)
{
    struct str kept = STR_INIT;
    struct slice all = slice_str(&seen->text), rest = all;
    size_t mark = 0;
    if (is_ascii(all))
        return;
    for (size_t at = 0, len; rest.len; at += len, rest = slice_sub(rest, len, rest.len)) {
        uint32_t cp = utf8_next(rest, &len);
        for (; mark < seen->count && seen->marks[mark].at <= at; mark++)
            seen->marks[mark].at = kept.len;
        if (!is_nothing(cp))
            str_add(&kept, rest.p, len);
    }
    for (; mark < seen->count; mark++)
        seen->marks[mark].at = kept.len;
    str_release(&seen->text);
    seen->text = kept;
}

bool reply_is_blank(struct slice text)
{
    while (text.len) {
        size_t len;
        uint32_t cp = utf8_next(text, &len);
        if (cp > ' ' && cp != 0xA0 && !is_nothing(cp))
            return false;
        text = slice_sub(text, len, text.len);
    }
    return true;
}

#define UNSEEN_MOST \
    100 /* lines of a page that nobody sees; with as many of them, no line of the text counts */

/* Mail programs make the text of the page, and not all of them leave out what cannot be seen there. */
static void mark_unseen(struct reply_text *plain, const struct reply_text *page)
{
    struct slice unseen[UNSEEN_MOST] = {{NULL, 0}};
    size_t count = 0;
    struct reply_line line;
    for (struct reply_lines lines = {.seen = page}; count < UNSEEN_MOST && reply_line_next(&lines, &line);)
        if (line.unseen && line.text.len)
            unseen[count++] = line.text;
    struct reply_text marked = {.text = STR_INIT};
    size_t mark = 0;
    for (struct reply_lines lines = {.seen = plain}; count && reply_line_next(&lines, &line);) {
        for (; mark < plain->count && plain->marks[mark].at <= line.at; mark++)
            reply_text_mark(&marked, plain->marks[mark].at, plain->marks[mark].is);
        bool hidden = count == UNSEEN_MOST;
        for (size_t i = 0; i < count && !hidden; i++)
            hidden = unseen[i].len == line.text.len && memcmp(unseen[i].p, line.text.p, line.text.len) == 0;
        if (hidden)
            reply_text_mark(&marked, line.at, REPLY_UNSEEN);
    }
    for (; mark < plain->count; mark++)
        reply_text_mark(&marked, plain->marks[mark].at, plain->marks[mark].is);
    free(plain->marks);
    plain->marks = marked.marks;
    plain->count = marked.count;
    plain->cap = marked.cap;
    str_release(&marked.text);
}

static bool walk(const struct reply_mail *mail, struct slice fields, struct seeing *seeing)
{
    struct walker walker = {.limits = &message_limits_default, .leaf = on_leaf, .arg = seeing};
    struct header header;
    struct err err = ERR_INIT;
    header_scan(&header, fields, message_limits_default.header_bytes, message_limits_default.header_count);
    bool good = !header.over && mail->body.len <= message_limits_default.size &&
                entity_walk(&walker, &header, mail->body, &err) == 0;
    header_release(&header);
    return good;
}

bool reply_see(const struct reply_mail *mail, const char *type, const char *encoding, struct reply_text *seen)
{
    struct seeing seeing = {.plain = {.text = STR_INIT}, .page = {.text = STR_INIT}};
    struct str fields = STR_INIT;
    str_addf(&fields, "%s%s\n", *type ? "Content-Type: " : "X: ", type);
    str_addf(&fields, "%s%s\n\n", *encoding ? "Content-Transfer-Encoding: " : "X: ", encoding);
    bool good = walk(mail, slice_str(&fields), &seeing) && (seeing.is_plain || seeing.is_page);
    bool page = seeing.is_page && reply_is_blank(slice_str(&seeing.plain.text));
    *seen = (struct reply_text){.text = STR_INIT};
    if (good && !page && seeing.is_page)
        mark_unseen(&seeing.plain, &seeing.page);
    if (good) {
        *seen = page ? seeing.page : seeing.plain;
        *(page ? &seeing.page : &seeing.plain) = (struct reply_text){.text = STR_INIT};
    }
    drop_nothings(seen);
    reply_text_release(&seeing.plain);
    reply_text_release(&seeing.page);
    str_release(&fields);
    return good;
}

void reply_text_mark(struct reply_text *seen, size_t at, enum reply_mark_is is)
{
    seen->marks = mem_grow(seen->marks, seen->count, &seen->cap, sizeof *seen->marks);
    seen->marks[seen->count++] = (struct reply_mark){at, is};
}

void reply_text_release(struct reply_text *seen)
{
    str_release(&seen->text);
    free(seen->marks);
    *seen = (struct reply_text){.text = STR_INIT};
}
