#include "play/resend.h"

#include <stdio.h>
#include <string.h>

#include "base/reason.h"
#include "play/facts.h"
#include "league/name_list.h"
#include "play/step_parts.h"

/* Where a turn was played: the record of its result, and the seats that its `close` names as missing. */
struct played {
    int64_t seq;
    int turn;
    uint32_t missed;
};

static uint32_t seats_of(const json_t *list)
{
    uint32_t seats = 0;
    size_t i;
    const json_t *item;
    json_array_foreach (list, i, item) {
        json_int_t seat = json_integer_value(item);
        if (seat >= 1 && seat <= SEATS_MAX)
            seats |= SEAT_BIT(seat);
    }
    return seats;
}

static bool is_type(struct slice line, const char *type)
{
    struct str what = STR_INIT;
    str_addf(&what, "\"type\":\"%s\"", type);
    bool found = slice_find(slice_sub(line, 0, 300), what.p) != (size_t)-1;
    str_release(&what);
    return found;
}

/* The last record that played this turn (RESEND_LAST: any); played->seq is 0 when there is none. */
static int find_played(struct slice lines, int turn, struct played *played, struct err *err)
{
    uint32_t missed = 0;
    struct slice rest = lines, line;
    *played = (struct played){.seq = 0};
    while (slice_line(&rest, &line)) {
        struct record record;
        bool close = is_type(line, "close");
        if (!close && !is_type(line, "turn") && !is_type(line, "start"))
            continue;
        line.len++; /* its LF */
        if (record_parse(line, &record, err))
            return -1;
        int number = (int)json_integer_value(json_object_get(record.json, "turn"));
        if (strcmp(record.type, "close") == 0)
            missed = seats_of(json_object_get(record.json, "missed"));
        else if (strcmp(record.type, "note") != 0 && (turn == RESEND_LAST || number == turn))
            *played = (struct played){record.seq, number, number ? missed : 0};
        record_release(&record);
    }
    return 0;
}

struct resending {
    struct step *step;
    const struct game *now;
    const struct resend *wish;
    struct slice lines; /* of the journal */
    struct played played;
};

/* The mail, from the game as it is now or was then. */
static enum outcome ask(const struct resending *doing, const struct game *game, json_t **refusal)
{
    struct step *step = doing->step;
    const struct game *now = doing->now;
    const char *player = doing->wish->player;
    const struct played *played = &doing->played;
    int seat = game_seat_of(game, player);
    if (seat) {
        step_report(step, game, POST_AGAIN, seat, (played->missed & SEAT_BIT(seat)) != 0);
    } else if (names_hold(game->observers.names.p, player)) {
        step_tell(step, game, POST_AGAIN, "observed", 0, player,
                  step_observed(game, game->told.watched_before));
    } else {
        reason_set(refusal, game == now ? "resend_no_seat game=%s" : "resend_no_seat_then game=%s", game->id);
        return OUTCOME_REFUSED;
    }
    struct post *post = &step->posts[step->post_count - 1];
    bool old = played->turn + 1 != now->turn;
    (void)snprintf(post->player, sizeof post->player, "%s", player);
    post->seat = 0;
    post->number = doing->wish->number;
    json_object_set_new(post->facts, "again",
                        json_pack("{s:b,s:i,s:b}", "old", old, "now", now->turn, "ended", now->over));
    post->welcome = played->turn == 0;
    if (old) /* its form would be refused */
        json_object_set_new(post->facts, "can_order", json_false());
    return OUTCOME_DONE;
}

enum outcome resend_report(struct step *step, const struct game *game, const struct resend *wish,
                           json_t **refusal, struct err *err)
{
    struct resending doing = {.step = step, .now = game, .wish = wish};
    int turn = wish->turn;
    struct str lines = STR_INIT;
    struct game then;
    struct err why = ERR_INIT;
    enum outcome outcome = OUTCOME_FAILED;
    if (game->turn == 0) {
        reason_set(refusal, "not_begun_report game=%s", game->id);
        return OUTCOME_REFUSED;
    }
    if (step_read_journal(step, &lines, err) || find_played(slice_str(&lines), turn, &doing.played, err))
        goto out;
    doing.lines = slice_str(&lines);
    outcome = OUTCOME_REFUSED;
    if (turn == RESEND_LAST || turn == game->turn - 1) {
        doing.played.turn = game->turn - 1;
        outcome = ask(&doing, game, refusal);
    } else if (turn >= game->turn) {
        reason_set(refusal, "not_played turn=%d game=%s", turn, game->id);
    } else if (!doing.played.seq || !step->before.game ||
               step->before.game(step->before.arg, doing.played.seq, &then, &why)) {
        /* Played just now, in the current batch, or not by records of this form. */
        reason_set(refusal, "report_later turn=%d game=%s", turn, game->id);
    } else {
        outcome = ask(&doing, &then, refusal);
        game_release(&then);
    }
out:
    str_release(&lines);
    return outcome;
}
