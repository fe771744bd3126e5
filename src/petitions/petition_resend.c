/* A player's reports again, to their registered address. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "petitions/petition.h"
#include "play/resend.h"

#define GAMES_MOST 100

struct games {
    char (*id)[GAME_NAME];
    size_t count, cap;
};

static int note_game(void *arg, const struct catalog_game *row, struct err *err)
{
    struct games *games = arg;
    (void)err;
    if (row->turn == 0 || games->count == GAMES_MOST)
        return 0;
    games->id = mem_grow(games->id, games->count, &games->cap, sizeof *games->id);
    memcpy(games->id[games->count++], row->id, GAME_NAME);
    return 0;
}

/* What came of all games together. */
struct sending {
    size_t sent, unread; /* games whose report is sent, and those that cannot be read */
    json_t *refusal;     /* why one is not sent; NULL = there is none such */
};

/* The last report of one game, by a step of its own. */
static int resend_of(struct hearing *hearing, const char *id, struct sending *sending, struct err *err)
{
    struct batch *batch = hearing->batch;
    struct batch_game *entry;
    struct step step;
    struct err why = ERR_INIT;
    if (batch_game(batch, id, &entry, &why)) {
        sending->unread++; /* the operator has been told */
        return 0;
    }
    batch_step(batch, entry, &step);
    const struct resend wish = {hearing->player, RESEND_LAST, POST_AGAINS + (int)sending->sent};
    int rc = resend_report(&step, &entry->game, &wish, &sending->refusal, err) == OUTCOME_FAILED ? -1 : 0;
    sending->sent += step.post_count > 0;
    if (rc == 0)
        rc = step_finish(&step, &entry->game, err);
    if (rc == 0)
        rc = batch_take(batch, entry, &step, hearing->msg, err);
    step_release(&step);
    return rc;
}

static enum outcome resend_all(struct hearing *hearing, struct err *err)
{
    struct games games = {.count = 0};
    struct sending sending = {.sent = 0};
    int rc = catalog_each_game(hearing->batch->catalog, &(struct catalog_filter){hearing->player, true},
                               note_game, &games, err);
    if (rc == 0 && games.count == 0)
        rc = hearing_refuse(hearing, "resend_none");
    for (size_t i = 0; rc == 0 && i < games.count; i++)
        rc = resend_of(hearing, games.id[i], &sending, err);
    free(games.id);
    if (rc != 0 || sending.sent) { /* those of some games are better than none */
        reason_clear(&sending.refusal);
        return rc;
    }
    hearing->known.kept = sending.unread > 0;
    hearing->refusal = sending.refusal;
    return sending.refusal ? OUTCOME_REFUSED : hearing_refuse(hearing, "resend_none");
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    int turn = hearing->frame->turn < 0 ? RESEND_LAST : hearing->frame->turn;
    if (!hearing->entry && turn != RESEND_LAST)
        return hearing_refuse(hearing, "resend_which turn=%d", turn);
    if (!hearing->entry)
        return resend_all(hearing, err);
    const struct resend wish = {hearing->player, turn, POST_AGAINS};
    return resend_report(&hearing->step, &hearing->entry->game, &wish, &hearing->refusal, err);
}

const struct petition petition_resend = {
    .verb = "resend",
    .needs = PETITION_ASKS | PETITION_MAYBE_GAME | PETITION_CLOSED | PETITION_ANY_TURN | PETITION_MAIL,
    .fields = {NULL},
    .act = act,
};
