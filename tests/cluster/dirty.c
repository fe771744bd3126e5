/* What is sent of changed files is enough: files are changed at random, and a database that is told nothing but the
 * list becomes the same as the files are. */
#include "cluster/dirty.h"

#include <jansson.h>

#include "suite.h"

#define NAMES  6
#define STEPS  40
#define ROUNDS 3000

static const char *const names[NAMES] = {"a", "b", "c", "d/e", "d/f", "tmp/g"};

/* A side: the text of each file, NULL where there is none. */
struct side {
    char *text[NAMES];
};

static size_t number_of(const char *name)
{
    for (size_t i = 0; i < NAMES; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    ck_abort_msg("%s is no file", name);
}

static void become(struct side *side, size_t i, const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    free(side->text[i]);
    side->text[i] = copy;
}

static void release(struct side *side)
{
    for (size_t i = 0; i < NAMES; i++)
        free(side->text[i]);
}

static void new_text(char text[9])
{
    (void)snprintf(text, 9, "%08x", luck_word());
}

static void note(struct dirty *dirty, enum keep_kind kind, size_t i, size_t to, int64_t at)
{
    const struct keep_change change = {kind, names[i], kind == KEEP_RENAMED ? names[to] : NULL, at};
    dirty_note(dirty, &change);
}

static void append(struct side *here, struct dirty *dirty, size_t i)
{
    char text[9], longer[400];
    const char *old = here->text[i] ? here->text[i] : "";
    new_text(text);
    (void)snprintf(longer, sizeof longer, "%s%s", old, text);
    note(dirty, KEEP_APPENDED, i, 0, (int64_t)strlen(old));
    become(here, i, longer);
}

static void cut(struct side *here, struct dirty *dirty, size_t i)
{
    if (!here->text[i])
        return;
    size_t length = luck_word() % (strlen(here->text[i]) + 1);
    here->text[i][length] = '\0';
    note(dirty, KEEP_CUT, i, 0, (int64_t)length);
}

static void move(struct side *here, struct dirty *dirty, size_t i)
{
    size_t to = luck_word() % NAMES;
    if (!here->text[i] || to == i)
        return;
    become(here, to, here->text[i]);
    become(here, i, NULL);
    note(dirty, KEEP_RENAMED, i, to, 0);
}

static void change(struct side *here, struct dirty *dirty)
{
    size_t i = luck_word() % NAMES;
    char text[9];
    switch (luck_word() % 6) {
    case 0:
        new_text(text);
        become(here, i, text);
        note(dirty, KEEP_WRITTEN, i, 0, 0);
        break;
    case 1:
    case 2: append(here, dirty, i); break;
    case 3: cut(here, dirty, i); break;
    case 4: move(here, dirty, i); break;
    default: become(here, i, NULL); note(dirty, KEEP_REMOVED, i, 0, 0);
    }
}

/* As cluster/ship.c does: first all moves at once, then what goes, what is new, what is longer. */
static void apply(struct side *there, const struct side *here, const struct dirty *dirty, size_t *sent)
{
    struct side before = {{NULL}};
    for (size_t i = 0; i < NAMES; i++)
        become(&before, i, there->text[i]);
    for (size_t i = 0; i < dirty->count; i++)
        if (dirty->list[i].kind == DIRTY_MOVED)
            become(there, number_of(dirty->list[i].origin), NULL);
    for (size_t i = 0; i < dirty->count; i++) {
        const struct dirty_file *file = &dirty->list[i];
        if (file->kind != DIRTY_MOVED)
            continue;
        ck_assert_msg(before.text[number_of(file->origin)], "%s moves and is not there", file->origin);
        become(there, number_of(file->path), before.text[number_of(file->origin)]);
    }
    for (size_t i = 0; i < dirty->count; i++) {
        const struct dirty_file *file = &dirty->list[i];
        size_t n = number_of(file->path);
        if (file->kind == DIRTY_GONE)
            become(there, n, NULL);
        if (file->kind == DIRTY_WRITTEN) {
            become(there, n, here->text[n]);
            *sent += strlen(here->text[n]);
        }
        if (file->kind != DIRTY_APPENDED)
            continue;
        ck_assert_msg(there->text[n] && strlen(there->text[n]) == (size_t)file->from,
                      "%s does not end at %lld", file->path, (long long)file->from);
        ck_assert(strncmp(here->text[n], there->text[n], (size_t)file->from) == 0);
        become(there, n, here->text[n]);
        *sent += strlen(here->text[n]) - (size_t)file->from;
    }
    release(&before);
}

static void compare(const struct side *here, const struct side *there)
{
    for (size_t i = 0; i < NAMES; i++) {
        ck_assert_int_eq(!here->text[i], !there->text[i]);
        if (here->text[i])
            ck_assert_str_eq(here->text[i], there->text[i]);
    }
}

START_TEST(enough)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct side here = {{NULL}}, there = {{NULL}};
        size_t sent = 0;
        for (int commit = 0; commit < 4; commit++) {
            struct dirty dirty = {NULL, 0, 0};
            uint32_t steps = luck_word() % STEPS;
            for (uint32_t i = 0; i < steps; i++)
                change(&here, &dirty);
            apply(&there, &here, &dirty, &sent);
            dirty_release(&dirty);
            compare(&here, &there);
        }
        release(&here);
        release(&there);
    }
}
END_TEST

/* A batch: a journal grows, a mail is staged, and after the commit it moves; nothing is sent twice. */
START_TEST(little)
{
    struct dirty dirty = {NULL, 0, 0};
    dirty_note(&dirty, &(struct keep_change){KEEP_APPENDED, "games/g/journal.jsonl", NULL, 1000});
    dirty_note(&dirty, &(struct keep_change){KEEP_APPENDED, "games/g/journal.jsonl", NULL, 1200});
    dirty_note(&dirty, &(struct keep_change){KEEP_WRITTEN, "spool/tmp/1.eml", NULL, 0});
    ck_assert_uint_eq(dirty.count, 2);
    ck_assert_int_eq(dirty.list[0].kind, DIRTY_APPENDED);
    ck_assert_int_eq(dirty.list[0].from, 1000);
    dirty_release(&dirty);
    dirty_note(&dirty, &(struct keep_change){KEEP_RENAMED, "spool/tmp/1.eml", "spool/new/1.eml", 0});
    ck_assert_uint_eq(dirty.count, 2);
    ck_assert_int_eq(dirty.list[0].kind, DIRTY_MOVED);
    ck_assert_str_eq(dirty.list[0].origin, "spool/tmp/1.eml");
    ck_assert_int_eq(dirty.list[1].kind, DIRTY_GONE);
    /* what is taken back was never there */
    dirty_release(&dirty);
    dirty_note(&dirty, &(struct keep_change){KEEP_APPENDED, "games/g/journal.jsonl", NULL, 1000});
    dirty_note(&dirty, &(struct keep_change){KEEP_CUT, "games/g/journal.jsonl", NULL, 1000});
    ck_assert_uint_eq(dirty.count, 0);
    dirty_release(&dirty);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, enough);
    tcase_add_test(tc, little);
}
TEST_MAIN("cluster/dirty", cases)
