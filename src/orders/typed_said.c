/* What a text that was read says to those who do it, or ask about it. */
#include <string.h>

#include "base/utf8.h"
#include "orders/typed_parts.h"

static bool orders(const struct typed_line *line)
{
    return line->is == TYPED_IS_PICK || line->is == TYPED_IS_EDITED || line->is == TYPED_IS_ORDER;
}

bool typed_nth_order(const struct typed_line *line, const struct typed_game *game, size_t n,
                     struct slice *order)
{
    if (!orders(line))
        return false;
    const bool picks = line->is == TYPED_IS_PICK;
    const int number = n == 0 ? line->number : n <= TYPED_ALSO ? line->also[n - 1] : 0;
    if (picks ? !number : n > 0)
        return false;
    *order = picks ? slice_of(game->suggestions[number - 1]) : line->text;
    return true;
}

void typed_orders(struct str *out, const struct typed *typed, const struct typed_game *game, size_t index)
{
    struct slice order;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->game != index || !orders(line) || line->asks)
            continue;
        for (size_t n = 0; typed_nth_order(line, game, n, &order); n++)
            str_addf(out, "%.*s\n", (int)order.len, order.p);
    }
}

void typed_mend(struct typed *typed, const struct typed_game *game, size_t index, struct slice lines)
{
    struct slice was, now;
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        if (line->game != index || !orders(line) || line->asks)
            continue;
        for (size_t n = 0; typed_nth_order(line, game, n, &was) && slice_line(&lines, &now); n++)
            if (line->is == TYPED_IS_ORDER && (was.len != now.len || memcmp(was.p, now.p, now.len) != 0)) {
                typed_is_meant(line, slice_dup(now), DOUBT_NEAR);
                typed->kind = TYPED_UNSURE;
            }
    }
}

void typed_questions(struct str *out, const struct typed *typed, size_t index)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].asks && typed->lines[i].is == TYPED_IS_ORDER && typed->lines[i].game == index)
            str_addf(out, "%.*s\n", (int)typed->lines[i].text.len, typed->lines[i].text.p);
}

/* A line that is as long as folded ones is no part of the next. */
static void add_apart(struct str *out, struct slice line)
{
    str_addf(out, "%.*s%s", (int)line.len, line.p, utf8_width(line) >= TYPED_FOLD ? "\n\n" : "\n");
}

void typed_understood(struct str *out, const struct typed *typed, const struct typed_game *game)
{
    struct str rest = STR_INIT;
    struct slice order;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->asks)
            continue;
        for (size_t n = 0; typed_nth_order(line, game, n, &order); n++) {
            str_clear(&rest);
            if (line->doubt == DOUBT_AUTO)
                typed_without_auto(&rest, order, game->language);
            else
                str_addslice(&rest, order);
            if (rest.len)
                add_apart(out, slice_str(&rest));
        }
        if (!orders(line) && typed_talks(line) && line->is != TYPED_IS_OK && line->is != TYPED_IS_UNDO)
            add_apart(out, line->mended ? slice_of(line->mended) : typed_unbulleted(line->line));
    }
    str_release(&rest);
}

void typed_part(struct str *out, const struct typed *typed, size_t index)
{
    size_t last = 0;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->game != index && line->is != TYPED_IS_NOBODY) /* of all messages, whose names it hides */
            continue;
        str_addf(out, "%s%.*s\n", last + 1 < i ? "\n" : "", (int)line->line.len, line->line.p);
        last = i;
    }
}

bool typed_final(const struct typed *typed, size_t index)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_FINAL && typed->lines[i].game == index)
            return true;
    return false;
}

struct slice typed_wish(const struct typed *typed)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_WISH)
            return typed->lines[i].text;
    return (struct slice){"", 0};
}
