/* The games that a suite plays are also audited. */
#ifndef TESTS_HOUSE_AUDITED_H
#define TESTS_HOUSE_AUDITED_H

#include <stdio.h>
#include <string.h>

#include "audit/audit.h"
#include "publish/publish.h"
#include "publish/reply_says.h"
#include "suite.h"
#include "sits.h"
#include "trust/secret.h"

static inline void audited_bytes(struct slice journal, const unsigned char *master,
                                 struct audit_result *result)
{
    struct err err = ERR_INIT;
    struct lines one;
    struct audit audit;
    lines_memory(&one, journal);
    audit_init(&audit, &one);
    audit.master = master;
    ck_ok(audit_run(&audit, result, &err), err);
}

/* `make test` looks at a fourth of the games from all sides, which follows from what is in them; `make many` at all. */
static inline bool audited_chosen(struct slice journal)
{
    unsigned sum = 0;
    for (size_t i = 0; i < journal.len; i++)
        sum += (unsigned char)journal.p[i];
    return !FEW || sum % 4 == 0;
}

/* If it is chosen, the game proves itself to moderators, a player and the public, as far as it may; if not, `always` to moderators.
 * Returns whether it is chosen. */
static inline bool audited(struct store *store, const char *id, bool always)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    ck_ok(store_read(store, id, STORE_BEGIN, &journal, &err), err);
    const bool chosen = audited_chosen(slice_str(&journal));
    const enum audit_view last = chosen ? AUDIT_PUBLIC : AUDIT_MODERATOR;
    for (enum audit_view view = AUDIT_MODERATOR; (chosen || always) && view <= last; view++) {
        struct lines one;
        struct audit audit;
        lines_memory(&one, slice_str(&journal));
        audit_init(&audit, &one);
        audit.master = store_master(store);
        audit.view = view;
        audit.seat = 1;
        audit.says = reply_says;
        ck_ok(audit_run(&audit, &result, &err), err);
        ck_assert_msg(result.verdict ==
                          (view == AUDIT_MODERATOR || result.opened ? AUDIT_PROVED : AUDIT_PARTLY),
                      "%s, view %d: %s at record %lld (%s), %s", id, view, audit_verdict_name(result.verdict),
                      (long long)result.first.seq, result.first.type, result.first.text);
    }
    str_release(&journal);
    return chosen;
}

/* ---- what is published of it ---- */

/* A file of the bundle; nothing when it is not there. */
static inline struct slice bundle_file(const struct bundle *bundle, const char *name)
{
    for (size_t i = 0; i < bundle->count; i++)
        if (strcmp(bundle->file[i].name, name) == 0)
            return slice_str(&bundle->file[i].bytes);
    return (struct slice){NULL, 0};
}

static inline size_t bundle_lines(const struct bundle *bundle, const char *name, const char *has,
                                  const char *lacks)
{
    struct slice rest = bundle_file(bundle, name), line;
    size_t count = 0;
    while (rest.len && slice_line(&rest, &line))
        count += slice_find(line, has) != (size_t)-1 && (!lacks || slice_find(line, lacks) == (size_t)-1);
    return count;
}

/* The world's copy proves itself, too, and each sealed text that a player signed is in it as a file.
 */
static inline void published_bundle(const struct bundle *bundle, const char *id)
{
    struct err err = ERR_INIT;
    struct audit_result result;
    const bool open = slice_find(bundle_file(bundle, "journal.jsonl"), "\"type\":\"open\"") != (size_t)-1;
    struct lines one;
    struct audit audit;
    lines_memory(&one, bundle_file(bundle, "journal.jsonl"));
    audit_init(&audit, &one);
    audit.view = AUDIT_PUBLIC;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_msg(result.verdict == (open ? AUDIT_PROVED : AUDIT_PARTLY) && result.opened == open,
                  "%s, published: %s at record %lld (%s), %s", id, audit_verdict_name(result.verdict),
                  (long long)result.first.seq, result.first.type, result.first.text);
    ck_assert_msg(!open || bundle_lines(bundle, "signed/index", " ", NULL) ==
                               bundle_lines(bundle, "journal.jsonl", "\"type\":\"orders\"", "\"made\":\""),
                  "%s, published: signed/ does not hold what players signed", id);
}

/* Nobody's address is in it. Words of players are theirs, but suites do not put addresses into them. */
static inline void published_discreetly(const struct bundle *bundle, const struct registry *registry,
                                        const char *id)
{
    for (size_t i = 0; registry && i < registry->count; i++) {
        const struct player *player = &registry->players[i];
        const char *const addresses[] = {player->address, player->address2};
        for (size_t k = 0; k < 2; k++)
            for (size_t file = 0; *addresses[k] && file < bundle->count; file++)
                ck_assert_msg(slice_find(slice_str(&bundle->file[file].bytes), addresses[k]) == (size_t)-1,
                              "%s, published: the address of %s is in %s", id, player->name,
                              bundle->file[file].name);
    }
}

/* `registry`: whose addresses must not be in it; or NULL. */
static inline void published(struct store *store, const struct league *league, struct templates *templates,
                             const struct registry *registry, const char *id)
{
    struct err err = ERR_INIT;
    struct bundle bundle = {NULL, 0, 0};
    const struct publish how = {.store = store, .league = league, .templates = templates, .game = id};
    int rc = publish_game(&how, &bundle, &err);
    ck_assert_msg(rc == 0, "%s cannot be published: %s", id, err.text);
    published_bundle(&bundle, id);
    published_discreetly(&bundle, registry, id);
    bundle_release(&bundle);
}

#endif
