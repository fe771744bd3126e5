/* Changes of the state as players read them: "bob, N2, aligned: no -> yes, as number 2" for
 * player[1].near[1].aligned, by the words of its field table (rules/field.h). */
#include <stdlib.h>

#include "base/json.h"
#include "history/explain_parts.h"
#include "rules/field.h"

/* A member of a path being turned into words. */
struct member {
    const struct field *table, *field;
    int64_t index; /* from 1; 0 = not an element of a list */
};

static void spell_name(const struct explaining *x, struct str *out, int64_t seat)
{
    if (seat >= 1 && seat <= x->game.seats)
        /* cppcheck-suppress arrayIndexOutOfBoundsCond ; there are at most SEATS_MAX seats */
        str_adds(out, x->game.seat[seat].player);
    else
        str_adds(out, "nobody");
}

static void spell_names(const struct explaining *x, struct str *out, int64_t bits)
{
    size_t before = out->len;
    for (int seat = 1; seat <= x->game.seats; seat++) {
        if (!(bits & SEAT_BIT(seat)))
            continue;
        str_adds(out, out->len > before ? " and " : "");
        spell_name(x, out, seat);
    }
    if (out->len == before)
        str_adds(out, "none");
}

static void spell(const struct explaining *x, struct str *out, spell_number *how, int64_t number)
{
    if (how == spell_seat)
        spell_name(x, out, number);
    else if (how == spell_seats)
        spell_names(x, out, number);
    else if (how)
        how(out, x->game.cards, x->shown ? x->shown : x->game.state, number);
    else
        str_addn(out, number);
}

static bool is_unsaid(const struct member *member)
{
    return member->field->unsaid || field_counts(member->table, member->field);
}

/* Reads the next member of a path, "near[1]" or "near[1].open", that leads on from a table; false at its end. */
static bool next_member(const struct field *table, struct slice *path, struct member *member)
{
    if (!path->len || !table)
        return false;
    size_t len = slice_find(*path, ".");
    struct slice part = slice_sub(*path, 0, len == (size_t)-1 ? path->len : len);
    *path = slice_sub(*path, part.len + (len != (size_t)-1), path->len);
    size_t open = slice_find(part, "[");
    bool element = open != (size_t)-1;
    *member = (struct member){table, field_named(table, slice_sub(part, 0, element ? open : part.len)),
                              element ? strtoll(part.p + open + 1, NULL, 10) + 1 : 0};
    return member->field != NULL;
}

/* Its own name, as words: "next_planet" -> "next planet". */
static void plain_words(struct str *out, const struct member *member)
{
    for (const char *p = member->field->name; *p; p++)
        str_addc(out, *p == '_' ? ' ' : *p);
    if (member->index)
        str_addf(out, " %lld", (long long)member->index);
}

static void member_words(const struct explaining *x, struct str *out, const struct member *member)
{
    if (!member->field->words) {
        plain_words(out, member);
        return;
    }
    for (const char *p = member->field->words; *p; p++) {
        if (*p == '#')
            spell(x, out, member->field->index, member->index);
        else
            str_addc(out, *p);
    }
}

/* ---- values ---- */

/* NOLINTNEXTLINE(misc-no-recursion): states nest a few deep. */
static void value_words(const struct explaining *x, struct str *out, const struct member *member,
                        const json_t *value);

/* A list with nothing in it: for counts by kind, all zeros. */
static bool is_nothing(const json_t *value)
{
    size_t i;
    json_t *item;
    if (!json_is_array(value))
        return false;
    json_array_foreach (value, i, item)
        if (!json_is_integer(item) || json_integer_value(item))
            return false;
    return true;
}

/* (Vela Drift (sector), S1) */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void object_words(const struct explaining *x, struct str *out, const struct member *member,
                         const json_t *object)
{
    const char *name;
    json_t *value;
    const char *before = "(";
    json_object_foreach ((json_t *)(uintptr_t)object, name, value) {
        const struct field *table = member->field->sub, *field = field_named(table, slice_of(name));
        const struct member inner = {table, field, 0};
        if (is_unsaid(&inner) || is_nothing(value))
            continue;
        str_adds(out, before);
        if (!json_is_array(value) && (!field->words || *field->words)) {
            member_words(x, out, &inner);
            str_addc(out, ' ');
        }
        value_words(x, out, &inner, value);
        before = ", ";
    }
    str_addc(out, ')');
}

/* An element of a list; `named`: with its own words ("gives leader cards 2"), unless it is 0. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void element_words(const struct explaining *x, struct str *out, const struct member *member,
                          const json_t *item, bool named)
{
    if (named && json_is_integer(item) && !json_integer_value(item))
        return;
    if (named) {
        member_words(x, out, member);
        str_addc(out, ' ');
    }
    value_words(x, out, member, item);
}

/* Equal ones that follow each other are counted: "a research card (10 times)". */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void list_words(const struct explaining *x, struct str *out, const struct member *member,
                       const json_t *list, bool named)
{
    struct str last = STR_INIT, next = STR_INIT;
    int times = 0;
    bool told = false;
    for (size_t i = 0; i <= json_array_size(list); i++) {
        struct member one = *member;
        one.index = (int64_t)i + 1;
        str_clear(&next);
        if (i < json_array_size(list))
            element_words(x, &next, &one, json_array_get(list, i), named);
        bool same = next.len && next.len == last.len && memcmp(next.p, last.p, next.len) == 0;
        if (same)
            times++;
        else if (times > 1)
            str_addf(out, " (%d times)", times);
        if (same || !next.len)
            continue;
        str_adds(out, told ? ", " : "");
        str_addslice(out, slice_str(&next));
        str_clear(&last);
        str_addslice(&last, slice_str(&next));
        times = 1;
        told = true;
    }
    if (!told)
        str_adds(out, "none");
    str_release(&last);
    str_release(&next);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static void value_words(const struct explaining *x, struct str *out, const struct member *member,
                        const json_t *value)
{
    if (!value)
        str_adds(out, "none");
    else if (json_is_boolean(value))
        str_adds(out, json_is_true(value) ? "yes" : "no");
    else if (json_is_integer(value))
        spell(x, out, member->field->value, json_integer_value(value));
    else if (json_is_array(value))
        list_words(x, out, member, value, !member->index);
    else if (json_is_object(value))
        object_words(x, out, member, value);
    else if (json_is_string(value))
        str_adds(out, json_string_value(value));
}

/* ---- changes ---- */

static void put_value(const struct explaining *x, json_t *change, const struct member *member,
                      const char *from, const char *to)
{
    struct str text = STR_INIT;
    value_words(x, &text, member, json_object_get(change, from));
    json_object_set_new(change, to, json_text(slice_str(&text)));
    str_release(&text);
}

/* "place", "was" and "is" of a change; false when it is not worth showing. */
static bool spell_change(const struct explaining *x, json_t *change)
{
    struct slice path = slice_of(json_string_value(json_object_get(change, "path")));
    struct member member = {.field = NULL};
    struct str place = STR_INIT;
    bool told = true;
    for (const struct field *table = x->game.ruleset->fields; next_member(table, &path, &member);
         table = member.field->sub) {
        told = told && !is_unsaid(&member);
        if (!told)
            break;
        str_adds(&place, place.len ? ", " : "");
        member_words(x, &place, &member);
    }
    if (told) {
        json_object_set_new(change, "place", json_text(slice_str(&place)));
        put_value(x, change, &member, "before", "was");
        put_value(x, change, &member, "after", "is");
        told = !json_equal(json_object_get(change, "was"), json_object_get(change, "is"));
    }
    str_release(&place);
    return told;
}

void explain_spell(const struct explaining *x, json_t *changes)
{
    size_t i;
    json_t *change;
    bool first = true;
    json_array_foreach (changes, i, change) {
        bool told = spell_change(x, change);
        json_object_set_new(change, "spelled", json_boolean(told));
        json_object_set_new(change, "first", json_boolean(told && first));
        first = first && !told;
    }
}
