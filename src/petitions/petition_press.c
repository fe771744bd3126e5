#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/utf8.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "play/press.h"
#include "game/seating.h"
#include "play/step_parts.h"

enum { TO, FROM, RE };

#define SIGNED_MORE 1024   /* bytes of a signed text in addition to the message: its frame */
#define RE_MOST     999999 /* the number of a record */

/* The next name of "bob, carol P3". */
static bool next_name(struct slice *rest, char *name, size_t size)
{
    size_t len = 0;
    while (rest->len && (rest->p[0] == ' ' || rest->p[0] == ','))
        *rest = slice_sub(*rest, 1, rest->len);
    while (len < rest->len && rest->p[len] != ' ' && rest->p[len] != ',')
        len++;
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_sub(*rest, 0, len), false);
    (void)snprintf(name, size, "%s", safe.p);
    str_release(&safe);
    *rest = slice_sub(*rest, len, rest->len);
    return len > 0;
}

/* A seat as "P3" or as "3", else by its player's name; 0 = none. The code comes first: it means one seat at
 * every table, and an older player's name ("p3") does not take it away from that seat. */
static int seat_of(const struct game *game, const char *name)
{
    int code = seating_named(slice_of(name));
    if (code && code <= game->seats)
        return code;
    for (int seat = 1; seat <= game->seats; seat++)
        if (strcasecmp(game->seat[seat].player, name) == 0)
            return seat;
    return 0;
}

static uint32_t all_seats(const struct game *game)
{
    uint32_t all = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        all |= SEAT_BIT(seat);
    return all;
}

/* Adds whom one word of `to:` means; false with a refusal. */
static bool add_name(struct hearing *hearing, const char *name, uint32_t *to)
{
    const struct game *game = &hearing->entry->game;
    if (strcasecmp(name, "all") == 0) {
        *to |= all_seats(game);
        return true;
    }
    if (strcasecmp(name, "moderators") == 0 || strcasecmp(name, "moderator") == 0) {
        *to |= PRESS_MODERATORS;
        if (!*hearing->batch->league->config.league.moderators)
            (void)hearing_refuse(hearing, "no_moderators contact=%s",
                                 hearing->batch->league->config.league.contact);
        return !hearing->refusal;
    }
    int seat = seat_of(game, name);
    if (!seat)
        (void)hearing_refuse(hearing, "press_unknown name=%s game=%s", name, game->id);
    else if (game->seat[seat].robot)
        (void)hearing_refuse(hearing, "press_robot seat=%d name=%s", seat, game->seat[seat].player);
    *to |= SEAT_BIT(seat);
    return !hearing->refusal;
}

static bool read_to(struct hearing *hearing, uint32_t *to)
{
    const struct game *game = &hearing->entry->game;
    struct slice rest = hearing->value[TO];
    char name[4 * PLAYER_NAME];
    uint32_t reached = PRESS_MODERATORS;
    *to = 0;
    while (next_name(&rest, name, sizeof name))
        if (!add_name(hearing, name, to))
            return false;
    for (int seat = 1; seat <= game->seats; seat++)
        if (seat != hearing->seat && !game->seat[seat].robot)
            reached |= SEAT_BIT(seat);
    if (!*to)
        (void)hearing_refuse(hearing, "press_to");
    else if (!(*to & reached))
        (void)hearing_refuse(hearing, "press_nobody");
    else if (*to == all_seats(game))
        *to = EVENT_PUBLIC;
    return !hearing->refusal;
}

/* Under which name; false with a refusal. */
static bool read_from(struct hearing *hearing, struct press *press)
{
    const struct game *game = &hearing->entry->game;
    struct slice from = hearing->value[FROM];
    press->seat = hearing->seat;
    if (slice_caseeq(from, "moderators") || slice_caseeq(from, "moderator")) {
        press->seat = 0;
        if (hearing_wants_key(hearing))
            return false;
        if (!petition_moderator(hearing->batch->league, hearing->player))
            (void)hearing_refuse(hearing, "press_for_moderators");
    } else if (slice_caseeq(from, "nobody")) {
        press->grey = true;
        if (game->press.kind != PRESS_GREY)
            (void)hearing_refuse(hearing, "press_name game=%s", game->id);
    } else if (from.len && !slice_caseeq(from, "me")) {
        (void)hearing_refuse(hearing, "from_takes");
    }
    if (!hearing->refusal && !hearing->seat && (press->seat || press->grey || !slice_casestarts(from, "mod")))
        (void)hearing_refuse(hearing,
                             petition_moderator(hearing->batch->league, hearing->player)
                                 ? "press_as_moderator game=%s"
                                 : "no_seat game=%s",
                             game->id);
    return !hearing->refusal;
}

/* ---- what it answers ---- */

/* Did the message of this line reach its hearer, or is it their own? That of a grey one is nobody's. */
static bool is_theirs(const struct hearing *hearing, struct slice line, uint32_t *to)
{
    struct err ignored = ERR_INIT;
    json_t *json = json_read(line, "record", &ignored);
    const char *kind = json_string_value(json_object_get(json, "kind"));
    bool message = kind && strcmp(kind, "press") == 0 &&
                   press_to_read(json_object_get(json, "to"), hearing->entry->game.seats, to);
    bool own = message && hearing->seat && json_integer_value(json_object_get(json, "seat")) == hearing->seat;
    uint32_t reader = hearing->seat ? SEAT_BIT(hearing->seat) : 0;
    if (petition_moderator(hearing->batch->league, hearing->player))
        reader |= PRESS_MODERATORS;
    json_decref(json);
    return message && (own || (*to & reader));
}

/* The line "re:" names a message. Without a name only one that all have got may be answered: the answer would
 * say who wrote it. */
static enum outcome read_re(struct hearing *hearing, struct press *press, struct err *err)
{
    const struct game *game = &hearing->entry->game;
    struct str lines = STR_INIT;
    struct slice rest, line = {"", 0};
    uint32_t to = 0;
    int number;
    if (!hearing->value[RE].p)
        return OUTCOME_DONE;
    if (!hearing_number(hearing, RE, 1, RE_MOST, &number))
        return OUTCOME_REFUSED;
    int rc = hearing->before.journal(hearing->before.arg, &lines, err);
    rest = slice_str(&lines);
    for (int i = 0; rc == 0 && i < number; i++)
        if (!slice_line(&rest, &line))
            line = (struct slice){"", 0};
    if (rc == 0 && !is_theirs(hearing, line, &to))
        (void)hearing_refuse(hearing, "press_re record=%d game=%s", number, game->id);
    else if (rc == 0 && press->grey && to != EVENT_PUBLIC)
        (void)hearing_refuse(hearing, "press_re_grey record=%d", number);
    press->re = number;
    str_release(&lines);
    return rc ? OUTCOME_FAILED : hearing->refusal ? OUTCOME_REFUSED : OUTCOME_DONE;
}

static void check_limits(struct hearing *hearing, const struct press *press)
{
    const struct game *game = &hearing->entry->game;
    const struct config *config = &hearing->batch->league->config;
    if (game->press.proved && hearing_wants_key(hearing))
        return; /* it goes to the others with its signature */
    if (game->over || game->turn == 0)
        (void)hearing_refuse(hearing, game->over ? "over game=%s" : "not_begun game=%s", game->id);
    else if (game->press.kind == PRESS_NONE && press->seat && press->to != PRESS_MODERATORS)
        (void)hearing_refuse(hearing, "press_moderators game=%s", game->id);
    else if (!press->words.len)
        (void)hearing_refuse(hearing, "press_empty");
    else if ((int64_t)press->words.len > config->limits.press_size)
        (void)hearing_refuse(hearing, "press_long size=%zu most=%lld", press->words.len,
                             (long long)config->limits.press_size);
    else if (game->press.proved && (int64_t)press->exact.len > config->limits.press_size + SIGNED_MORE)
        (void)hearing_refuse(hearing, "press_signed_long size=%zu most=%lld", press->exact.len,
                             (long long)config->limits.press_size + SIGNED_MORE);
    else if (press->seat && game->seat[press->seat].press >= config->limits.press_per_turn)
        (void)hearing_refuse(hearing, "press_most count=%d", game->seat[press->seat].press);
}

/* The message goes along with the mail that was asked for last. */
static void enclose(struct step *step, const struct game *game, const struct press *press, int reader)
{
    struct post *post = &step->posts[step->post_count - 1];
    post->press = json_array();
    json_array_append_new(post->press, press_facts(game, press, reader));
    json_object_set_new(post->facts, "at_table", json_boolean(reader != 0));
}

static void tell(struct step *step, const struct game *game, const struct press *press, int seat,
                 const char *moderator)
{
    step_tell(step, game, POST_TOLD, "press", seat, moderator, facts_game(game, seat));
    enclose(step, game, press, seat);
}

/* To its sender. */
static void confirm(struct hearing *hearing, const struct press *press, bool later)
{
    const struct game *game = &hearing->entry->game;
    json_t *facts = facts_game(game, hearing->seat);
    json_object_set_new(facts, "later_on", json_boolean(later && (press->to & ~PRESS_MODERATORS)));
    step_tell(&hearing->step, game, POST_ANSWER, "press_sent", hearing->seat,
              hearing->seat ? "" : hearing->player, facts);
    enclose(&hearing->step, game, press, hearing->seat);
}

/* In the order of seats and moderators, no matter who writes, and with numbers that do not depend on the
 * writer. */
static void post(struct hearing *hearing, const struct press *press)
{
    struct step *step = &hearing->step;
    const struct game *game = &hearing->entry->game;
    bool later = game->press.by_report && press->seat;
    struct slice rest = slice_of(hearing->batch->league->config.league.moderators);
    struct slice name;
    for (int seat = 1; seat <= game->seats; seat++) {
        if (seat == hearing->seat)
            confirm(hearing, press, later);
        else if ((press->to & SEAT_BIT(seat)) && !game->seat[seat].robot && !later)
            tell(step, game, press, seat, "");
    }
    if (!hearing->seat)
        confirm(hearing, press, later);
    bool moderators = press->to != EVENT_PUBLIC && (press->to & PRESS_MODERATORS);
    for (int number = POST_OTHERS + 1; moderators && slice_word(&rest, &name); number++) {
        char *moderator = slice_dup(name);
        tell(step, game, press, 0, moderator);
        step->posts[step->post_count - 1].number = number;
        free(moderator);
    }
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct press press = {.player = hearing->player,
                          .words = hearing->rest,
                          .exact = hearing->exact,
                          .signature = hearing->signature,
                          .proof = hearing->proof};
    if (!read_from(hearing, &press) || !read_to(hearing, &press.to))
        return OUTCOME_REFUSED;
    check_limits(hearing, &press);
    if (hearing->refusal)
        return OUTCOME_REFUSED;
    enum outcome done = read_re(hearing, &press, err);
    if (done != OUTCOME_DONE)
        return done;
    if (press_record(&hearing->step, &hearing->entry->game, &press, hearing_marks(hearing), err))
        return OUTCOME_FAILED;
    press.record = hearing->entry->game.seq;
    post(hearing, &press);
    return OUTCOME_DONE;
}

const struct petition petition_press = {
    .verb = "press",
    .needs =
        PETITION_GAME | PETITION_TURN | PETITION_TEXT | PETITION_SECRET | PETITION_CLOSED | PETITION_MAIL,
    .fields = {[TO] = "to", [FROM] = "from", [RE] = "re"},
    .act = act,
};
