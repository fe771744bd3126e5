/* A game that is over as `turnpost publish` writes it, as one file of a mail: for those who put games on pages, or
 * check signatures with stock tools. */
#include <stdio.h>

#include "base/encode.h"
#include "petitions/handout.h"
#include "publish/tar.h"

/* The folder in it, GAME.published, is also the archive's name. */
static json_t *archive_of(const struct hearing *hearing, const struct bundle *bundle, size_t *size)
{
    const struct game *game = &hearing->entry->game;
    char folder[GAME_NAME + 16], name[GAME_NAME + 20];
    struct str bytes = STR_INIT, text = STR_INIT;
    json_t *attach = NULL;
    (void)snprintf(folder, sizeof folder, "%s.published", game->id);
    (void)snprintf(name, sizeof name, "%s.tar", folder);
    if (tar_write(&bytes, bundle, folder, game->time)) {
        base64_encode(&text, bytes.p, bytes.len);
        attach = json_pack("[{s:s,s:s,s:s%}]", "name", name, "type", "application/x-tar", "base64", text.p,
                           text.len);
    }
    *size = bytes.len;
    str_release(&bytes);
    str_release(&text);
    return attach;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct bundle bundle = {.count = 0};
    size_t size = 0;
    enum outcome done = handout_bundle(hearing, &bundle, err);
    json_t *attach = done == OUTCOME_DONE ? archive_of(hearing, &bundle, &size) : NULL;
    bundle_release(&bundle);
    if (done == OUTCOME_DONE && !attach)
        return hearing_refuse(hearing, "journal_large game=%s", hearing->entry->game.id);
    if (done == OUTCOME_DONE)
        done = handout_charge(hearing, size, err);
    if (done == OUTCOME_DONE)
        handout_answer(hearing, "publish", attach);
    else
        json_decref(attach);
    return done;
}

const struct petition petition_publish = {
    .verb = "publish",
    .needs = PETITION_ASKS | PETITION_GAME | PETITION_MAIL,
    .fields = {NULL},
    .act = act,
};
