/* A player says that something went wrong in a turn. The moderators get the words and the evidence, each as
 * much as they may know, because moderators may play too. The words are sealed like a message to them. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "petitions/evidence.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "play/press.h"
#include "play/step_parts.h"

#define APPEALS_MOST 3 /* per seat about a turn */
#define APPEALS_OPEN 5 /* per seat, without a ruling */
#define COLUMNS      70

/* ---- may the player appeal? ---- */

/* Appeals of the seat: about this turn, and those without a ruling. */
static int appeals_before(struct hearing *hearing, int *here, int *open, struct err *err)
{
    struct str lines = STR_INIT;
    struct slice rest, line;
    json_t *waiting = json_object(); /* by the numbers of their records */
    int rc = evidence_journal(hearing->batch, hearing->entry, &lines, err);
    rest = slice_str(&lines);
    *here = 0;
    while (rc == 0 && slice_line(&rest, &line)) {
        struct err ignored = ERR_INIT;
        char number[24];
        bool appeal = slice_find(line, "\"kind\":\"appeal\"") != (size_t)-1;
        if (!appeal && slice_find(line, "\"kind\":\"ruling\"") == (size_t)-1)
            continue;
        json_t *json = json_read(line, "record", &ignored);
        (void)snprintf(number, sizeof number, "%lld",
                       (long long)json_integer_value(json_object_get(json, appeal ? "seq" : "appeal")));
        bool his = json_integer_value(json_object_get(json, "seat")) == hearing->seat;
        if (!appeal)
            (void)json_object_del(waiting, number);
        else if (his)
            json_object_set_new(waiting, number, json_true());
        *here += appeal && his && json_integer_value(json_object_get(json, "about")) == hearing->frame->turn;
        json_decref(json);
    }
    *open = (int)json_object_size(waiting);
    json_decref(waiting);
    str_release(&lines);
    return rc;
}

static enum outcome judge(struct hearing *hearing, struct err *err)
{
    const struct game *game = &hearing->entry->game;
    const struct config *config = &hearing->batch->league->config;
    int turn = hearing->frame->turn;
    int last = game->over ? game->turn - 1 : game->turn;
    int before = 0, open = 0;
    if (!*config->league.moderators)
        return hearing_refuse(hearing, "no_moderators contact=%s", config->league.contact);
    if (game->turn == 0)
        return hearing_refuse(hearing, "not_begun game=%s", game->id);
    if (game_withheld(game))
        return hearing_withheld(hearing, game);
    if (turn < 0)
        return hearing_refuse(hearing, "appeal_turn last=%d", last);
    if (turn > last)
        return hearing_refuse(hearing, "appeal_later game=%s turn=%d last=%d", game->id, turn, last);
    if (!hearing->rest.len)
        return hearing_refuse(hearing, "appeal_empty");
    if ((int64_t)hearing->rest.len > config->limits.press_size)
        return hearing_refuse(hearing, "appeal_long size=%zu most=%lld", hearing->rest.len,
                              (long long)config->limits.press_size);
    if (appeals_before(hearing, &before, &open, err))
        return OUTCOME_FAILED;
    if (before >= APPEALS_MOST)
        return hearing_refuse(hearing, "appealed_often turn=%d times=%d", turn, before);
    if (open >= APPEALS_OPEN)
        return hearing_refuse(hearing, "appeals_open open=%d", open);
    return OUTCOME_DONE;
}

/* ---- the record ---- */

static int record(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    struct step *step = &hearing->step;
    const struct press words = {.player = hearing->player,
                                .seat = hearing->seat,
                                .words = hearing->rest,
                                .exact = hearing->exact,
                                .signature = hearing->signature,
                                .proof = hearing->proof};
    json_t *fields = hearing_marks(hearing);
    json_object_update_new(fields, json_pack("{s:s,s:i,s:i,s:i}", "kind", "appeal", "turn", game->turn,
                                             "about", hearing->frame->turn, "seat", hearing->seat));
    press_box(step, game, &words, fields);
    return step_record(step, game, "note", fields, NULL, err);
}

/* ---- the mails ---- */

static json_t *appeal_facts(const struct hearing *hearing, int reader)
{
    const struct game *game = &hearing->entry->game;
    json_t *facts = facts_game(game, reader);
    json_object_set_new(facts, "about", json_integer(hearing->frame->turn));
    json_object_set_new(facts, "deal", json_boolean(hearing->frame->turn == 0));
    json_object_set_new(facts, "appeal", json_integer(game->seq));
    json_object_set_new(facts, "appellant", json_string(hearing->player));
    json_object_set_new(facts, "appellant_seat", json_integer(hearing->seat));
    return facts;
}

static bool next_moderator(struct slice *rest, char name[PLAYER_NAME])
{
    struct slice word;
    while (slice_word(rest, &word)) {
        if (word.len >= PLAYER_NAME)
            continue;
        memcpy(name, word.p, word.len);
        name[word.len] = '\0';
        return true;
    }
    return false;
}

/* Is there a file whose name begins like that? */
static bool attached(const json_t *files, const char *name)
{
    size_t i;
    const json_t *file;
    json_array_foreach (files, i, file)
        if (str_starts(json_string_value(json_object_get(file, "name")), name))
            return true;
    return false;
}

/* A moderator gets the words unless they play and somebody else can judge. */
static int tell_moderator(struct hearing *hearing, const char *moderator, bool impartial, struct err *err)
{
    struct evidence_wish wish = {.turn = hearing->frame->turn, .appellant = hearing->seat};
    wish.view = evidence_view_of(hearing->batch, &hearing->entry->game, moderator, &wish.seat);
    json_t *files = evidence_attachments(hearing->batch, hearing->entry, &wish, err);
    if (!files)
        return -1;
    json_t *facts = appeal_facts(hearing, 0);
    if (wish.view == EVIDENCE_ALL || !impartial)
        json_object_set_new(facts, "words", json_pack("{s:o}", "lines", press_lines(hearing->rest, COLUMNS)));
    json_object_set_new(facts, "partial", json_boolean(wish.view != EVIDENCE_ALL));
    json_object_set_new(facts, "plays", json_boolean(wish.view == EVIDENCE_SEAT));
    json_object_set_new(facts, "played", json_boolean(wish.turn < hearing->entry->game.turn));
    json_object_set_new(facts, "story", json_boolean(attached(files, "turn-")));
    json_object_set_new(facts, "journal", json_boolean(attached(files, "journal.jsonl")));
    json_object_set_new(facts, "seals", json_boolean(attached(files, OPENED_NAME)));
    step_tell(&hearing->step, &hearing->entry->game, POST_TOLD, "appealed", 0, moderator, facts);
    hearing->step.posts[hearing->step.post_count - 1].attach = files;
    return 0;
}

static int tell(struct hearing *hearing, struct err *err)
{
    const struct game *game = &hearing->entry->game;
    const char *moderators = hearing->batch->league->config.league.moderators;
    struct slice rest = slice_of(moderators);
    char name[PLAYER_NAME];
    int seat, impartial = 0, all = 0;
    while (next_moderator(&rest, name)) {
        all++;
        impartial += evidence_view_of(hearing->batch, game, name, &seat) == EVIDENCE_ALL &&
                     strcmp(name, hearing->player) != 0;
    }
    rest = slice_of(moderators);
    while (next_moderator(&rest, name))
        if (strcmp(name, hearing->player) != 0 && tell_moderator(hearing, name, impartial > 0, err))
            return -1;
    json_t *facts = appeal_facts(hearing, hearing->seat);
    json_object_set_new(facts, "words", json_pack("{s:o}", "lines", press_lines(hearing->rest, COLUMNS)));
    json_object_set_new(facts, "impartial", json_integer(impartial));
    json_object_set_new(facts, "nobody_impartial", json_boolean(!impartial));
    json_object_set_new(facts, "one", json_boolean(impartial == 1));
    json_object_set_new(facts, "partial", json_boolean(impartial && impartial < all));
    step_tell(&hearing->step, game, POST_ANSWER, "appeal_sent", hearing->seat, "", facts);
    return 0;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    enum outcome judged = judge(hearing, err);
    if (judged != OUTCOME_DONE)
        return judged;
    return record(hearing, err) || tell(hearing, err) ? OUTCOME_FAILED : OUTCOME_DONE;
}

const struct petition petition_appeal = {
    .verb = "appeal",
    .needs =
        PETITION_GAME | PETITION_SEAT | PETITION_TEXT | PETITION_SECRET | PETITION_ANY_TURN | PETITION_MAIL,
    .fields = {NULL},
    .act = act,
};
