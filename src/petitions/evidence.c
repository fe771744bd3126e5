#include "petitions/evidence.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/log.h"
#include "history/explain.h"
#include "league/name_list.h"

#define ATTACHED_MOST ((size_t)256 << 10) /* bytes of one of them, */
#define JOURNAL_MOST  ((size_t)1 << 20)   /* of the journal */

enum evidence_view evidence_view_of(const struct batch *batch, const struct game *game, const char *moderator,
                                    int *seat)
{
    const struct player *player = registry_find(&batch->registry, moderator);
    bool may = game_waits(game, moderator) || names_hold(game->attendance.standby.p, moderator) ||
               (player && player->standby);
    *seat = game->over ? 0 : game_seat_of(game, moderator);
    if (game->over) /* its seals are open */
        return EVIDENCE_ALL;
    if (*seat)
        return EVIDENCE_SEAT;
    for (int i = 1; i <= game->seats; i++)
        may = may || strcmp(game->seat[i].offered, moderator) == 0 ||
              strcmp(game->seat[i].owner, moderator) == 0;
    return may ? EVIDENCE_PUBLIC : EVIDENCE_ALL;
}

int evidence_journal(struct batch *batch, const struct batch_game *entry, struct str *lines, struct err *err)
{
    const char *id = entry->game.id;
    if (store_has(batch->store, id) && store_read(batch->store, id, STORE_BEGIN, lines, err))
        return -1;
    str_addslice(lines, slice_str(&entry->records));
    return 0;
}

/* ---- records and seals ---- */

/* The turn that a record belongs to; `open` is the one that is open before it. */
static int turn_of(const struct record *record, int open)
{
    const json_t *turn = json_object_get(record->json, "turn");
    return json_is_integer(turn) ? (int)json_integer_value(turn) : open;
}

static bool may_open(const struct casefile *file, const struct evidence_wish *wish, bool played,
                     const struct sealed *sealed)
{
    if (seal_is_private(sealed->item))
        return false;
    if (file->opened)
        return true;
    if (wish->view == EVIDENCE_ALL)
        return played || sealed->seat == wish->appellant;
    return wish->view == EVIDENCE_SEAT && sealed->seat == wish->seat && sealed->item < SEAL_HIDDEN;
}

/* The lines of those seals of the turn's records that the reader may know. */
static int take_seals(struct casefile *file, const struct evidence_wish *wish, bool played, struct str *seals,
                      struct err *err)
{
    struct record record;
    struct slice line;
    int open = 0;
    int got;
    casefile_rewind(file);
    while ((got = casefile_next(file, &record, &line, err)) > 0) {
        bool opens = strcmp(record.type, "start") == 0 || strcmp(record.type, "turn") == 0;
        bool wanted = turn_of(&record, open) == wish->turn;
        for (size_t i = 0; wanted && i < file->sealed.count; i++)
            if (file->sealed.list[i].seq == record.seq && may_open(file, wish, played, &file->sealed.list[i]))
                seal_opening_write(seals, file->id, &file->sealed.list[i]);
        open = opens ? turn_of(&record, open) + 1 : open;
        record_release(&record);
    }
    return got;
}

/* ---- the story ---- */

static int tell_story(struct batch *batch, const struct game *game, struct casefile *file,
                      const struct evidence_wish *wish, struct str *story, struct err *err)
{
    struct reader reader = {wish->view == EVIDENCE_ALL    ? READER_MODERATOR
                            : wish->view == EVIDENCE_SEAT ? READER_SEAT
                                                          : READER_PUBLIC,
                            wish->view == EVIDENCE_SEAT ? wish->seat : 0};
    bool told = wish->view != EVIDENCE_ALL;
    const char *folder = game->ruleset->folder;
    if (casefile_choose(file, &reader, told, err))
        return -1;
    const struct explain_point at = {false, wish->turn};
    json_t *facts = explain_turn(file, &(struct explain_for){&reader, told}, &at, 0, err);
    int rc = facts ? explain_words(facts, batch->templates, folder, false, err) : -1;
    if (rc == 0)
        rc = templates_render(batch->templates, &(struct template_name){folder, "explain.txt"}, facts, story,
                              err);
    json_decref(facts);
    return rc;
}

/* Whatever is too long for a mail is left out, as the mail says. */
static void attach(json_t *list, const char *name, const struct str *text, size_t most)
{
    if (text->len && text->len <= most)
        json_array_append_new(list, json_pack("{s:s,s:s,s:o}", "name", name, "type", "text/plain", "text",
                                              json_text(slice_str(text))));
}

json_t *evidence_attachments(struct batch *batch, struct batch_game *entry, const struct evidence_wish *wish,
                             struct err *err)
{
    const struct game *game = &entry->game;
    struct str lines = STR_INIT, seals = STR_INIT, story = STR_INIT;
    struct casefile file;
    json_t *list = NULL;
    bool played = wish->turn < game->turn;
    char name[32];
    int rc = evidence_journal(batch, entry, &lines, err);
    if (rc == 0)
        rc = casefile_open_lines(slice_str(&lines), store_master(batch->store), &file, err);
    if (rc == 0) {
        rc = take_seals(&file, wish, played, &seals, err);
        if (rc == 0 && played)
            rc = tell_story(batch, game, &file, wish, &story, err);
        casefile_close(&file);
    }
    if (rc == 0) {
        list = json_array();
        (void)snprintf(name, sizeof name, "turn-%d.txt", wish->turn);
        attach(list, name, &story, ATTACHED_MOST);
        attach(list, "journal.jsonl", &lines, JOURNAL_MOST);
        attach(list, OPENED_NAME, &seals, ATTACHED_MOST);
    }
    str_release(&lines);
    str_release(&seals);
    str_release(&story);
    return list;
}
