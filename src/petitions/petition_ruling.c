/* A moderator's word on an appeal, told to all seats. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "petitions/evidence.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "play/press.h"
#include "play/step_parts.h"

enum { APPEAL };

#define COLUMNS 70

/* The record of that number, if it is an appeal. */
static int find_appeal(struct hearing *hearing, int number, int *about, int *seat, struct err *err)
{
    struct str lines = STR_INIT;
    struct slice rest, line = {"", 0};
    int seq = 0;
    *seat = 0;
    if (evidence_journal(hearing->batch, hearing->entry, &lines, err)) {
        str_release(&lines);
        return -1;
    }
    rest = slice_str(&lines);
    while (seq < number && slice_line(&rest, &line))
        seq++;
    if (seq == number && slice_find(line, "\"kind\":\"appeal\"") != (size_t)-1) {
        struct err ignored = ERR_INIT;
        json_t *json = json_read(line, "record", &ignored);
        *about = (int)json_integer_value(json_object_get(json, "about"));
        *seat = (int)json_integer_value(json_object_get(json, "seat"));
        json_decref(json);
    }
    str_release(&lines);
    return 0;
}

static int rule(struct hearing *hearing, int number, int about, int seat, struct err *err)
{
    struct game *game = &hearing->entry->game;
    json_t *fields = hearing_evidence(hearing);
    json_object_update_new(fields, json_pack("{s:s,s:i,s:i,s:i}", "kind", "ruling", "turn", game->turn,
                                             "about", about, "appeal", number));
    if (step_record(&hearing->step, game, "note", fields, NULL, err))
        return -1;
    json_t *extra =
        json_pack("{s:i,s:b,s:i,s:s,s:i,s:s}", "about", about, "deal", about == 0, "appeal", number,
                  "appellant", game->seat[seat].player, "appellant_seat", seat, "ruler", hearing->player);
    json_object_set_new(extra, "words", json_pack("{s:o}", "lines", press_lines(hearing->rest, COLUMNS)));
    json_object_set_new(extra, "ruler_seat", json_integer(hearing->seat));
    json_object_set_new(extra, "ruler_plays", json_boolean(hearing->seat != 0));
    step_tell_all(&hearing->step, game, "ruling", extra);
    return 0;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    const struct game *game = &hearing->entry->game;
    int number, about = 0, seat = 0;
    if (!hearing->value[APPEAL].p)
        return hearing_refuse(hearing, "ruling_appeal");
    if (!hearing_number(hearing, APPEAL, 1, 999999, &number))
        return OUTCOME_REFUSED;
    if (find_appeal(hearing, number, &about, &seat, err))
        return OUTCOME_FAILED;
    if (!seat || seat > game->seats)
        return hearing_refuse(hearing, "not_appeal record=%d game=%s", number, game->id);
    if (hearing->seat == seat)
        return hearing_refuse(hearing, "ruling_own");
    if (about > (game->over ? game->turn - 1 : game->turn))
        return hearing_refuse(hearing, "ruling_taken_back turn=%d game=%s", about, game->id);
    if (!hearing->rest.len)
        return hearing_refuse(hearing, "ruling_empty");
    if ((int64_t)hearing->rest.len > hearing->batch->league->config.limits.press_size)
        return hearing_refuse(hearing, "ruling_long size=%zu most=%lld", hearing->rest.len,
                              (long long)hearing->batch->league->config.limits.press_size);
    return rule(hearing, number, about, seat, err);
}

const struct petition petition_ruling = {
    .verb = "ruling",
    .needs = PETITION_GAME | PETITION_MODERATOR | PETITION_TEXT | PETITION_ANY_TURN,
    .fields = {[APPEAL] = "appeal"},
    .act = act,
};
