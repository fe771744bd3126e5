#include "petitions/opening.h"

#include <string.h>

#include "base/encode.h"
#include "base/json.h"

enum outcome opening_refuse(struct hearing *hearing, const struct err *why)
{
    if (!hearing->refusal)
        reason_err(&hearing->refusal, why);
    return OUTCOME_REFUSED;
}

/* ---- may they? ---- */

static int count_one(void *arg, const struct catalog_game *row, struct err *err)
{
    (void)err;
    *(int *)arg += row->turn == 0;
    return 0;
}

static enum outcome judge_player(struct hearing *hearing, struct err *err)
{
    const struct batch *batch = hearing->batch;
    int most = batch->league->config.league.player_games, waiting = 0;
    if (!most)
        return hearing_refuse(hearing, "open_operator");
    if (catalog_each_game(batch->catalog, &(struct catalog_filter){hearing->player, true}, count_one,
                          &waiting, err))
        return OUTCOME_FAILED;
    return waiting < most ? OUTCOME_DONE : hearing_refuse(hearing, "open_most most=%d", most);
}

static bool has_digest(const json_t *create, const char *member, const unsigned char digest[32])
{
    const char *value = json_string_value(json_object_get(create, member));
    char hex[65];
    hex_to(hex, digest, 32);
    return value && strcmp(value, hex) == 0;
}

json_t *opening_create(struct hearing *hearing, const char *name, struct err *err)
{
    struct batch_game *entry;
    struct str lines = STR_INIT;
    struct slice rest, line = {"", 0};
    json_t *create = NULL;
    if (batch_game(hearing->batch, name, &entry, err) == 0 &&
        store_read_with(hearing->batch->store, name, slice_str(&entry->records), &lines, err) == 0) {
        rest = slice_str(&lines);
        (void)slice_line(&rest, &line);
        create = json_read(line, name, err);
    }
    str_release(&lines);
    return create;
}

bool opening_obeyed(struct hearing *hearing, const json_t *create)
{
    hearing->known.copy = has_digest(create, "request", hearing->text);
    hearing->known.again = hearing->known.copy && has_digest(create, "nonce", hearing->mail);
    hearing->known.stale |= hearing->known.copy;
    if (hearing->known.copy)
        (void)hearing_refuse(hearing, "obeyed_before");
    return hearing->known.copy;
}

static enum outcome refuse_name(struct hearing *hearing, const char *name, struct err *err)
{
    json_t *create = opening_create(hearing, name, err);
    if (!create)
        return OUTCOME_FAILED;
    if (!opening_obeyed(hearing, create))
        (void)hearing_refuse(hearing, "open_taken name=%s", name);
    json_decref(create);
    return OUTCOME_REFUSED;
}

bool opening_taken(struct batch *batch, const char *name)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    return name_valid(slice_of(name)) &&
           (batch_game(batch, name, &entry, &why) == 0 || why.code != ERR_MISSING);
}

enum outcome opening_judge(struct hearing *hearing, const char *name, struct err *err)
{
    struct err why = ERR_INIT;
    if (opening_taken(hearing->batch, name))
        return refuse_name(hearing, name, err);
    if (making_name(hearing->batch, name, &why))
        return opening_refuse(hearing, &why);
    return judge_player(hearing, err);
}

/* ---- doing it ---- */

/* Whoever makes the game may wish for something as well: it goes into the form by which they join. */
static enum outcome read_wishes(struct hearing *hearing, struct new_game *how, struct err *err)
{
    struct game like; /* for its cards */
    struct wish_list wishes;
    if (!hearing->others.wish_line)
        return OUTCOME_DONE;
    game_init(&like);
    like.ruleset = how->ruleset;
    enum outcome done = game_set_cards(&like, how->cards, err) ? OUTCOME_FAILED : OUTCOME_DONE;
    if (done == OUTCOME_DONE && !hearing_wishes(hearing, like.ruleset, like.cards, &wishes))
        done = OUTCOME_REFUSED;
    for (int seat = 1; done == OUTCOME_DONE && wishes.of[0] && seat <= how->seats; seat++) {
        if (!how->seat[seat].player || strcmp(how->seat[seat].player, hearing->player) != 0)
            continue;
        if (like.ruleset->words.wish.chosen(how->options, seat))
            done = hearing_refuse(hearing, "wish_chosen line=%s", hearing->others.wish_line);
        how->seat[seat].wishes = wishes;
    }
    game_release(&like);
    return done;
}

enum outcome opening_make(struct hearing *hearing, struct new_game *how, struct batch_game **made,
                          struct err *err)
{
    struct err why = ERR_INIT;
    const struct making_asked asked = {hearing->player, hearing->msg};
    enum outcome done = read_wishes(hearing, how, err);
    if (done != OUTCOME_DONE)
        return done;
    how->request = hearing->text;
    memcpy(how->nonce, hearing->mail, sizeof how->nonce); /* so that this mail is known, too */
    making_keep(how, hearing->batch->now + hearing->batch->league->config.clock.answer);
    if (making_take(hearing->batch, how, &asked, made, &why)) {
        if (why.code == ERR_INPUT)
            return opening_refuse(hearing, &why);
        *err = why;
        return OUTCOME_FAILED;
    }
    hearing->recorded = true;
    return OUTCOME_DONE;
}
