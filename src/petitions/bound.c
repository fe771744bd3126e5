#include "petitions/bound.h"

#include <stdarg.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "league/registry_marks.h"

/* ---- what a text has to name ---- */

/* Its signer has seen the history up to there. */
static bool wants_head(const struct hearing *hearing, const struct petition *petition)
{
    return hearing->entry && !(petition->needs & PETITION_ASKS);
}

/* A text that no head binds to this league names the league. */
static bool wants_league(const struct hearing *hearing, const struct petition *petition)
{
    return !hearing->entry && !(petition->needs & (PETITION_ASKS | PETITION_GAME));
}

bool bound_registers(const struct hearing *hearing, const struct petition *petition)
{
    return wants_league(hearing, petition) || (hearing->entry && (petition->needs & PETITION_REGISTRY));
}

/* ---- the head ---- */

/* Is it the head of any record of the game, or the beginning of one? */
static bool journal_has_head(const struct hearing *hearing, const char *hex)
{
    const struct game *game = &hearing->entry->game;
    struct str lines = STR_INIT, what = STR_INIT;
    struct err ignored = ERR_INIT;
    char last[2 * HEAD_BYTES + 1];
    hex_to(last, game->head, HEAD_BYTES);
    bool read = hearing->before.journal(hearing->before.arg, &lines, &ignored) == 0;
    str_addf(&what, "\"prev\":\"%s", hex);
    bool has = (read && slice_find(slice_str(&lines), what.p) != (size_t)-1) || str_starts(last, hex);
    str_release(&lines);
    str_release(&what);
    return has;
}

/* The head that a form shows. */
static void form_head(char head[2 * HEAD_BYTES + 1], const struct petition *petition, const struct game *game)
{
    game_answer_head(head, game);
    if (strcmp(petition->verb, "join") == 0)
        hex_to(head, game->journal.create_head, HEAD_BYTES);
}

void bound_head(struct hearing *hearing, const struct petition *petition)
{
    const struct game *game = &hearing->entry->game;
    const char *head = hearing->frame->head;
    bool any_turn = petition->needs & PETITION_ANY_TURN;
    bool joins = strcmp(petition->verb, "join") == 0;
    char create[2 * HEAD_BYTES + 1];
    if (!any_turn && !joins && *head && !game_knows_head(game, head)) {
        (void)hearing_refuse(hearing, "head_unknown game=%s", game->id);
        return;
    }
    if (!hearing->msg || !wants_head(hearing, petition))
        return;
    form_head(create, petition, game);
    if (!game_whole_head(head))
        (void)hearing_refuse(hearing, "head_missing game=%s", game->id);
    else if (joins && strcmp(head, create) != 0)
        (void)hearing_refuse(hearing, "head_not_first game=%s", game->id);
    else if (any_turn && !journal_has_head(hearing, head))
        (void)hearing_refuse(hearing, "head_never game=%s", game->id);
}

/* ---- the league ---- */

void bound_league(struct hearing *hearing, const struct petition *petition)
{
    char print[KEY_FINGERPRINT];
    if (!hearing->msg || !wants_league(hearing, petition))
        return;
    league_fingerprint(hearing->batch->league, print);
    if (!*hearing->frame->league)
        (void)hearing_refuse(hearing, petition->needs & PETITION_MAYBE_GAME ? "league_or_game_missing"
                                                                            : "league_missing");
    else if (strcmp(hearing->frame->league, print) != 0)
        (void)hearing_refuse(hearing, "other_league");
}

/* ---- the day ---- */

bool bound_takes_date(const struct hearing *hearing, const struct petition *petition)
{
    return bound_registers(hearing, petition) || !(petition->needs & PETITION_TEXT);
}

void bound_date(struct hearing *hearing, const struct petition *petition)
{
    const int64_t today = hearing->batch->now / DAY_SECONDS;
    char now[DATE_TEXT];
    int64_t day;
    date_text(now, today);
    if (!hearing->msg || (!hearing->others.date.p && !bound_registers(hearing, petition)))
        return;
    if (!hearing->others.date.p)
        (void)hearing_refuse(hearing, "date_missing date=%s", now);
    else if (!date_parse(hearing->others.date, &day))
        (void)hearing_refuse(hearing, "date_form date=%s", now);
    else if (day < today - BOUND_DAYS)
        (void)hearing_refuse(hearing, "date_old days=%d date=%s", BOUND_DAYS, now);
    else if (day > today + BOUND_AHEAD)
        (void)hearing_refuse(hearing, "date_ahead date=%s", now);
}

/* ---- forms ---- */

void bound_line(json_t *lines, const char *fmt, ...)
{
    struct str line = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&line, fmt, args);
    va_end(args);
    json_array_append_new(lines, json_pack("{s:s}", "line", line.p));
    str_release(&line);
}

void bound_words(json_t *lines, const char *code, bool anywhere)
{
    json_array_append_new(lines,
                          json_pack("{s:b,s:{s:{s:b}}}", "line", 0, "to_fill", code, "anywhere", anywhere));
}

static void add_date(json_t *lines, int64_t now)
{
    char day[DATE_TEXT];
    date_text(day, now / DAY_SECONDS);
    bound_line(lines, "date: %s", day);
}

void bound_form_league(json_t *lines, const struct league *league, int64_t now)
{
    char print[KEY_FINGERPRINT];
    league_fingerprint(league, print);
    bound_line(lines, "league: %s", print);
    add_date(lines, now);
}

void bound_form(json_t *lines, const struct hearing *hearing, const struct petition *petition)
{
    char head[2 * HEAD_BYTES + 1];
    if (wants_league(hearing, petition)) {
        bound_form_league(lines, hearing->batch->league, hearing->batch->now);
        return;
    }
    if (wants_head(hearing, petition)) {
        form_head(head, petition, &hearing->entry->game);
        bound_line(lines, "head: %s", head);
    }
    if (bound_registers(hearing, petition))
        add_date(lines, hearing->batch->now);
}
