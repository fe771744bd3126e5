#include "petitions/reply_petition.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/reason.h"
#include "game/seating.h"
#include "orders/frame.h"
#include "petitions/petition.h"
#include "play/facts.h"
#include "rules/wish.h"
#include "trust/canon.h"

#define NONCE_BYTES 8 /* of the mail's digest */

static void add_line(struct str *out, const char *name, struct slice value)
{
    str_addf(out, "%s: %.*s\n", name, (int)value.len, value.p);
}

/* Which mail it comes from: so two mails with the same words make two texts. */
static void add_nonce(struct str *out, const struct reply_about *about)
{
    char nonce[2 * NONCE_BYTES + 1];
    hex_to(nonce, about->proof->content, NONCE_BYTES);
    str_addf(out, "nonce: %s\n", nonce);
}

static bool begin_turn(struct str *out, const char *verb, int turn, const struct reply_about *about)
{
    const struct game *game = about->game;
    char head[2 * HEAD_BYTES + 1];
    if (!game)
        return false;
    if (strcmp(verb, "join") == 0)
        hex_to(head, game->journal.create_head, HEAD_BYTES);
    else
        game_answer_head(head, game);
    str_addf(out, "#turnpost %s\ngame: %s\nturn: %d\nhead: %s\n", verb, game->id, turn, head);
    add_nonce(out, about);
    return true;
}

/* An appeal is about the turn that was played last. */
static bool begin_game(struct str *out, const char *verb, const struct reply_about *about)
{
    const int turn = about->game ? about->game->turn : 0;
    return begin_turn(out, verb, turn && strcmp(verb, "appeal") == 0 ? turn - 1 : turn, about);
}

/* About no game: it says which league and day it is for. */
static void begin_league(struct str *out, const char *verb, const struct reply_about *about)
{
    char print[KEY_FINGERPRINT], day[DATE_TEXT];
    league_fingerprint(about->league, print);
    date_text(day, about->proof->sent / DAY_SECONDS);
    str_addf(out, "#turnpost %s\nleague: %s\ndate: %s\n", verb, print, day);
    add_nonce(out, about);
}

void reply_begin(struct str *out, const struct petition *petition, const struct reply_about *about)
{
    if (petition->needs & PETITION_ASKS) {
        str_addf(out, "#turnpost %s\n", petition->verb);
        if (about->game)
            str_addf(out, "game: %s\n", about->game->id);
        add_nonce(out, about);
    } else if (!begin_game(out, petition->verb, about)) {
        begin_league(out, petition->verb, about);
    }
}

/* ---- messages ---- */

static bool add_press(struct str *out, const struct typed_line *line, const struct reply_about *about)
{
    if (!begin_game(out, "press", about))
        return false;
    add_line(out, "to", line->name);
    if (line->nameless)
        str_adds(out, "from: nobody\n");
    str_addf(out, "%.*s\n", (int)line->text.len, line->text.p);
    return true;
}

static bool add_appeal(struct str *out, const struct typed_line *line, const struct reply_about *about)
{
    if (line->number < 0 ? !begin_game(out, "appeal", about)
                         : !begin_turn(out, "appeal", line->number, about))
        return false;
    str_addf(out, "%.*s\n", (int)line->text.len, line->text.p);
    return true;
}

/* ---- vacations, digests, other settings ---- */

static bool is_one_of(struct slice word, const char *const *words)
{
    for (int i = 0; words[i]; i++)
        if (slice_caseeq(word, words[i]))
            return true;
    return false;
}

/* "2026-12-24 to 2027-01-02", "from .. until ..", "cancel", "cancel 2026-12-24" */
static void add_days(struct str *out, struct slice rest)
{
    static const char *const between[] = {"from", "to", "till", "until", "-", NULL};
    static const char *const cancels[] = {"cancel", "no", "off", NULL};
    static const char *const fields[] = {"from", "to"};
    struct slice word;
    size_t days = 0;
    bool cancel = false;
    while (slice_word(&rest, &word)) {
        if (!days && !cancel && is_one_of(word, cancels))
            cancel = true;
        else if (days < 2 && !is_one_of(word, between))
            add_line(out, fields[days++], word);
    }
    if (cancel)
        str_adds(out, "cancel: yes\n");
}

static void add_digest(struct str *out, struct slice wish)
{
    static const char *const yes[] = {"", "yes", "on", "daily", NULL}, *const no[] = {"no", "off", NULL};
    if (is_one_of(wish, yes))
        wish = slice_of("yes");
    else if (is_one_of(wish, no))
        wish = slice_of("no");
    add_line(out, "digest", wish);
}

/* It asks, so it is bound to nothing; a turn would be one that was played. */
static void add_show(struct str *out, const struct reply_about *about)
{
    str_adds(out, "#turnpost resend\n");
    if (about->game)
        str_addf(out, "game: %s\n", about->game->id);
    add_nonce(out, about);
}

/* "extend 24": hours. */
static bool add_extend(struct str *out, const struct typed_line *line, const struct reply_about *about)
{
    if (!begin_game(out, "extend", about))
        return false;
    add_line(out, "hours", line->text);
    return true;
}

/* ---- all of them ---- */

static bool add_text(struct str *out, const struct typed_line *line, const struct reply_about *about)
{
    if (line->is == TYPED_IS_PRESS)
        return add_press(out, line, about);
    if (line->is == TYPED_IS_APPEAL)
        return add_appeal(out, line, about);
    if (line->is == TYPED_IS_JOIN)
        return begin_game(out, "join", about);
    if (line->is == TYPED_IS_EXTEND)
        return add_extend(out, line, about);
    if (line->is == TYPED_IS_SHOW) {
        add_show(out, about);
    } else if (line->is == TYPED_IS_VACATION) {
        begin_league(out, "vacation", about);
        add_days(out, line->text);
    } else if (line->is == TYPED_IS_DIGEST) {
        begin_league(out, "prefs", about);
        add_digest(out, slice_trim(line->text));
    } else if (line->is == TYPED_IS_PREFS) {
        char *name = slice_dup(line->name);
        for (char *p = name; *p; p++)
            *p = ascii_lower(*p);
        begin_league(out, "prefs", about);
        add_line(out, name, line->text);
        free(name);
    } else if (line->is == TYPED_IS_MUTE || line->is == TYPED_IS_UNMUTE) {
        begin_league(out, line->is == TYPED_IS_MUTE ? "mute" : "unmute", about);
        add_line(out, "player", line->text);
    } else if (line->is == TYPED_IS_STANDBY || line->is == TYPED_IS_UNSTANDBY) {
        begin_league(out, "standby", about);
        str_adds(out, "game: any\n");
        if (line->is == TYPED_IS_UNSTANDBY)
            str_adds(out, "cancel: yes\n");
    } else if (line->is == TYPED_IS_STOP) {
        begin_league(out, "prefs", about);
        str_adds(out, "optional: no\n");
    } else {
        return false;
    }
    return true;
}

bool reply_petition(struct str *out, const struct typed_line *line, const struct reply_about *about)
{
    struct str text = STR_INIT;
    bool made = add_text(&text, line, about);
    str_adds(&text, "#end\n");
    if (made)
        canon_text(out, slice_str(&text)); /* telephones type quotes and dashes that no text has */
    str_release(&text);
    return made;
}

/* ---- wishes ---- */

bool reply_wish_name(char name[GAME_NAME], struct slice what)
{
    struct slice word;
    if (!slice_word(&what, &word))
        return false;
    word.len -= word.p[word.len - 1] == ',';
    what = slice_trim(what);
    if (!word.len || word.len >= GAME_NAME || (what.len && !slice_caseeq(what, "please")))
        return false;
    for (size_t i = 0; i < word.len; i++)
        name[i] = ascii_lower(word.p[i]);
    name[word.len] = '\0';
    return true;
}

const char *const reply_wishes[] = {"join",    "take",      "leave",  "observe",   "unobserve", "back",
                                    "standby", "unstandby", "resign", "unwitness", NULL};

bool reply_wish_binds(const char *verb)
{
    return strcmp(verb, "resign") == 0 || strcmp(verb, "enter") == 0;
}

int reply_offered_seat(const struct game *game, const char *player)
{
    int seat = game->seats;
    while (seat && strcmp(game->seat[seat].offered, player) != 0)
        seat--;
    return seat;
}

json_t *reply_seated(const struct game *game, const char *player)
{
    struct str names = STR_INIT;
    seating_awaited(&names, game, player);
    const int seat = game_seat_of(game, player);
    json_t *why = reason_make("seat_already game=%s seat=%d drawn?=%d begun?=%d turn=%d waits?=%d names=%s",
                              game->id, seat, game->seat[seat].drawn, game->turn > 0, game->turn,
                              names.len > 0, names.len ? names.p : "");
    str_release(&names);
    return why;
}

static void add_wish(struct str *out, const struct reply_wish *wish, const struct reply_about *about)
{
    const char *line = about->game->ruleset->words.wish.line;
    bool joins = strcmp(wish->verb, "join") == 0, cancels = strcmp(wish->verb, "unstandby") == 0;
    (void)begin_game(out, cancels ? "standby" : wish->verb, about);
    if (cancels)
        str_adds(out, "cancel: yes\n");
    if (strcmp(wish->verb, "take") == 0)
        str_addf(out, "seat: %d\n", reply_offered_seat(about->game, wish->player));
    if (joins && line && wish->names.len)
        add_line(out, line, wish->names);
    str_adds(out, "#end\n");
}

void reply_wish(struct str *out, const struct reply_wish *wish, const struct reply_about *about)
{
    struct str text = STR_INIT;
    add_wish(&text, wish, about);
    canon_text(out, slice_str(&text));
    str_release(&text);
}

json_t *reply_wish_facts(const struct reply_wish *wish, const struct game *game)
{
    struct str names = STR_INIT;
    json_t *facts = json_object();
    bool joins = strcmp(wish->verb, "join") == 0, room = seating_has_room(game, wish->player);
    json_object_set_new(facts, "waits", json_boolean(joins && !room));
    json_object_set_new(facts, "begun", json_boolean(game->turn > 0));
    json_object_set_new(facts, "listed", json_boolean(!game_seat_of(game, wish->player)));
    if (joins && room && facts_may_wish(game, 0))
        wish_names(&names, game->ruleset, game->cards);
    if (names.len)
        json_object_set_new(facts, "wish",
                            json_pack("{s:s,s:s}", "line", game->ruleset->words.wish.line, "names", names.p));
    str_release(&names);
    return facts;
}

const char *const reply_compete_wishes[] = {"enter", "withdraw", "confirm", NULL};

void reply_wish_compete(struct str *out, const char *verb, const char *competition,
                        const struct reply_about *about)
{
    begin_league(out, verb, about);
    str_addf(out, "competition: %s\n#end\n", competition);
}
