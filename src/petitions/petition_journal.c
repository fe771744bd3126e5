/* The journal of a game that is over, as files of a mail: all that anybody needs to replay and prove it. */
#include <limits.h>
#include <stdio.h>

#include "batch/budget.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "publish/publish.h"

#define CHUNK      ((size_t)64 << 10) /* bytes: what a day's budget counts */
#define CHUNKS_DAY 32                 /* a player and day */

/* What the audit needs; the texts as they were signed are in sealed.jsonl. */
static const char *const sent[] = {"journal.jsonl", "sealed.jsonl", "cards.json",
                                   "league.pub",    "HEAD",         "HEAD.sig"};

static size_t size_of(const json_t *attach)
{
    size_t i, size = 0;
    json_t *file;
    json_array_foreach (attach, i, file)
        size += json_string_length(json_object_get(file, "text"));
    return size;
}

static json_t *files_of(const struct bundle *bundle)
{
    json_t *attach = json_array();
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
        for (size_t k = 0; k < bundle->count; k++)
            if (strcmp(bundle->file[k].name, sent[i]) == 0)
                json_array_append_new(attach,
                                      json_pack("{s:s,s:s,s:o}", "name", sent[i], "type", "text/plain",
                                                "text", json_text(slice_str(&bundle->file[k].bytes))));
    return attach;
}

/* Has the player had so much today that this is too much? It is charged otherwise. */
static int charge(struct hearing *hearing, size_t size, bool *allowed, struct err *err)
{
    struct catalog *catalog = hearing->batch->catalog;
    char name[PLAYER_NAME + 16];
    const struct catalog_reply one = {name, hearing->batch->now, INT_MAX};
    int given = 0, chunks = (int)(size / CHUNK) + 1;
    (void)snprintf(name, sizeof name, "journals of %s", hearing->player);
    if (catalog_budget_given(catalog, name, one.now, &given, err))
        return -1;
    *allowed = given + chunks <= CHUNKS_DAY;
    for (int i = 0; *allowed && i < chunks; i++)
        if (catalog_budget(catalog, &one, allowed, err))
            return -1;
    return 0;
}

static int act(struct hearing *hearing, struct err *err)
{
    const struct batch *batch = hearing->batch;
    const struct game *game = &hearing->entry->game;
    const struct publish publish = {batch->store, batch->league, batch->templates, game->id, false};
    struct bundle bundle = {.count = 0};
    bool allowed = true;
    if (!game->over)
        return hearing_refuse(hearing, "journal_running game=%s", game->id);
    int rc = publish_game(&publish, &bundle, err);
    hearing->attach = files_of(&bundle);
    bundle_release(&bundle);
    size_t size = size_of(hearing->attach);
    if (rc == 0 && size > CHUNKS_DAY * CHUNK)
        return hearing_refuse(hearing, "journal_large game=%s", game->id);
    if (rc == 0)
        rc = charge(hearing, size, &allowed, err);
    if (rc || !allowed)
        return rc ? rc : hearing_refuse(hearing, "journal_enough most=%d", (int)(CHUNKS_DAY * CHUNK >> 20));
    hearing->answer = "journal";
    hearing->folder = game->ruleset->folder;
    hearing->facts = facts_game(game, 0);
    return 0;
}

const struct petition petition_journal = {
    .verb = "journal",
    .needs = PETITION_ASKS | PETITION_GAME | PETITION_SIGNED,
    .fields = {NULL},
    .act = act,
};
