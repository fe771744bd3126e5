#include "petitions/requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/moment.h"
#include "base/nearest.h"
#include "game/game_seats.h"
#include "batch/competing.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "petitions/reply_petition.h"
#include "petitions/requests_compete.h"
#include "petitions/requests_log.h"
#include "petitions/requests_rating.h"
#include "league/reliability.h"
#include "league/token.h"

#define GAMES_LISTED   100
#define RESULTS_LISTED 20

const struct petition *request_text(const struct message *msg)
{
    for (size_t i = 0; i < msg->part_count; i++) {
        struct slice shown = slice_str(&msg->parts[i].shown);
        size_t at = slice_find(shown, "#turnpost ");
        struct slice rest, word;
        if (at == (size_t)-1)
            continue;
        rest = slice_sub(shown, at + strlen("#turnpost "), shown.len);
        if (!slice_line(&rest, &word))
            return NULL;
        rest = word;
        if (!slice_word(&rest, &word))
            return NULL;
        char *verb = slice_dup(slice_sub(word, 0, 20));
        const struct petition *petition = petition_find(verb);
        free(verb);
        return petition;
    }
    return NULL;
}

char *request_name(struct slice what)
{
    char *name = slice_dup(what);
    for (char *p = name; *p; p++)
        *p = ascii_lower(*p);
    return name;
}

/* ---- the answers ---- */

struct listing {
    json_t *games, *open;
    struct catalog *catalog;
};

/* What sort of game it is, in a clause: templates/common/about.txt. */
static json_t *about(const struct ruleset *ruleset)
{
    return ruleset ? json_pack("{s:{s:b}}", "about", ruleset->folder, 1) : json_null();
}

/* A game that waits for players. */
static json_t *open_facts(const struct catalog_game *row, const struct ruleset *ruleset, const char *title)
{
    int free_seats = 0;
    for (int seat = 1; seat <= row->seats && seat <= SEATS_MAX; seat++)
        free_seats += strcmp(row->player[seat], CATALOG_FREE) == 0;
    return free_seats ? json_pack("{s:s,s:s,s:i,s:i,s:o}", "game", row->id, "title", title, "free",
                                  free_seats, "of", row->seats, "about", about(ruleset))
                      : NULL;
}

/* Who sits where: "robot", "free" or "name", and in how many of 100 turns the player was in time, if any have
 * waited for them. All members are present, because templates would otherwise find outer ones of the same
 * name. */
static int seat_facts(const struct listing *list, const char *player, json_t **seat, struct err *err)
{
    bool is_free = strcmp(player, CATALOG_FREE) == 0;
    bool person = *player && !is_free;
    json_t *figure = NULL;
    if (person && reliability_of(list->catalog, player, &figure, err))
        return -1;
    *seat = json_pack("{s:b,s:b,s:s,s:b}", "robot", !*player, "free", is_free, "name", person ? player : "",
                      "percent", 0);
    if (figure && !json_is_true(json_object_get(figure, "new")))
        json_object_set(*seat, "percent", json_object_get(figure, "percent"));
    json_decref(figure);
    return 0;
}

static int list_game(void *arg, const struct catalog_game *row, struct err *err)
{
    struct listing *list = arg;
    if (json_array_size(row->turn || row->withheld ? list->games : list->open) >= GAMES_LISTED)
        return 0;
    const struct ruleset *ruleset = ruleset_newest(row->ruleset);
    const char *title = ruleset ? ruleset->title : row->ruleset;
    json_t *players = json_array();
    for (int seat = 1; seat <= row->seats && seat <= SEATS_MAX; seat++) {
        json_t *one;
        if (seat_facts(list, row->player[seat], &one, err)) {
            json_decref(players);
            return -1;
        }
        json_object_set_new(one, "more", json_boolean(seat < row->seats && seat < SEATS_MAX));
        json_array_append_new(players, one);
    }
    json_t *game = row->turn || row->withheld
                       ? json_pack("{s:s,s:s,s:i,s:b}", "game", row->id, "title", title, "turn",
                                   row->withheld ? 0 : row->turn, "withheld", row->withheld)
                       : open_facts(row, ruleset, title);
    if (game) {
        json_object_set(game, "players", players);
        json_array_append_new(row->turn || row->withheld ? list->games : list->open, game);
    }
    json_decref(players);
    return 0;
}

/* In which of them mail counts, and how long a turn lasts at most. */
static void add_terms(struct batch *batch, json_t *open)
{
    size_t i;
    json_t *game;
    json_array_foreach (open, i, game) {
        struct batch_game *entry;
        struct err why = ERR_INIT;
        bool known = batch_game(batch, json_string_value(json_object_get(game, "game")), &entry, &why) == 0;
        json_object_set_new(game, "takes_mail", json_boolean(known && entry->game.table.by_mail));
        json_object_set_new(game, "pace", known ? facts_pace(&entry->game) : json_false());
    }
}

/* The games that wait for players, and what the form for the first of them names. */
static json_t *joinable(struct batch *batch, json_t *open)
{
    const char *first = json_string_value(json_object_get(json_array_get(open, 0), "game"));
    struct batch_game *entry;
    struct err why = ERR_INIT;
    json_t *facts =
        json_pack("{s:O,s:s,s:b}", "open", open, "game", first, "single", json_array_size(open) == 1);
    add_terms(batch, open);
    if (batch_game(batch, first, &entry, &why) == 0) {
        facts_answer(facts, &entry->game, 0);
        facts_wish(facts, &entry->game, 0);
    }
    return facts;
}

/* A name that may be one; an answer repeats nothing else that a stranger has made up. */
static void add_unknown(json_t *facts, struct slice what)
{
    if (name_valid(what))
        json_object_set_new(facts, "what", json_text(what));
    else if (what.len)
        json_object_set_new(facts, "unnamed", json_true());
}

int request_add_games(struct batch *batch, json_t *facts, struct err *err)
{
    struct listing list = {json_array(), json_array(), batch->catalog};
    json_t *titles = json_array();
    int rc = catalog_each_game(batch->catalog, &(struct catalog_filter){NULL, true}, list_game, &list, err);
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *one = rulesets[i];
        json_array_append_new(titles,
                              json_pack("{s:s,s:s,s:o,s:i,s:i,s:b,s:b,s:b}", "name", one->name, "title",
                                        one->title, "about", about(one), "least", one->seats_min, "most",
                                        one->seats_max, "several", one->seats_max > one->seats_min, "plural",
                                        one->seats_max > 1, "more", rulesets[i + 1] != NULL));
    }
    json_object_set_new(facts, "rulesets", titles);
    json_object_set_new(facts, "games", list.games);
    if (json_array_size(list.open))
        json_object_set_new(facts, "joinable", joinable(batch, list.open));
    json_decref(list.open);
    return rc;
}

static int ask_games(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    (void)what;
    request->kind = "ask_games";
    json_object_set_new(request->facts, "may_open",
                        json_boolean(batch->league->config.league.player_games > 0));
    return request_add_games(batch, request->facts, err) || request_add_open(batch, request->facts, err) ? -1
                                                                                                         : 0;
}

const struct ruleset *request_ruleset(struct batch *batch, const char *name)
{
    struct err why = ERR_INIT;
    struct batch_game *game;
    if (*name && batch_game(batch, name, &game, &why) == 0)
        return game->game.ruleset;
    for (int i = 0; *name && rulesets[i]; i++)
        if (slice_caseeq(slice_of(name), rulesets[i]->name) ||
            slice_caseeq(slice_of(name), rulesets[i]->folder) ||
            slice_caseeq(slice_of(name), rulesets[i]->title))
            return rulesets[i];
    return NULL;
}

static void list_petitions(json_t *facts)
{
    json_t *verbs = json_array();
    for (int i = 0; petitions[i]; i++)
        json_array_append_new(
            verbs, json_pack("{s:s,s:o}", "verb", petitions[i]->verb, "help", petition_about(petitions[i])));
    json_object_set_new(facts, "petitions", verbs);
}

static int ask_help(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    (void)err;
    char *name = request_name(what);
    const struct ruleset *ruleset = request_ruleset(batch, name);
    free(name);
    request->kind = ruleset ? "ask_verbs" : "ask_help";
    if (!ruleset) {
        list_petitions(request->facts);
        return 0;
    }
    request->folder = ruleset->folder;
    json_object_set_new(request->facts, "title", json_string(ruleset->title));
    facts_language(request->facts, ruleset);
    return 0;
}

/* "galaxy-command 8": from that section on. */
static int cut_section(struct slice *what)
{
    const char *space = what->len ? memrchr(what->p, ' ', what->len) : NULL;
    struct slice last =
        space ? slice_sub(*what, (size_t)(space - what->p), what->len) : (struct slice){"", 0};
    int64_t number = 0;
    if (!slice_number(&last, &number) || slice_trim(last).len || number < 1 || number > 99)
        return 0;
    *what = slice_trim(slice_sub(*what, 0, (size_t)(space - what->p)));
    return (int)number;
}

/* There is no game of that name: these there are. */
static int ask_unknown(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    int rc = ask_games(batch, what, request, err);
    request->kind = "ask_unknown";
    add_unknown(request->facts, what);
    return rc;
}

static int ask_rules(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    int section = cut_section(&what);
    char *name = request_name(what);
    const struct ruleset *ruleset = request_ruleset(batch, name);
    free(name);
    if (!ruleset)
        return ask_unknown(batch, what, request, err);
    request->kind = "ask_rules";
    request->folder = ruleset->folder;
    json_object_set_new(request->facts, "title", json_string(ruleset->title));
    json_object_set_new(request->facts, "rules", json_string(ruleset->name));
    json_object_set_new(request->facts, "section", json_integer(section));
    return 0;
}

/* How reliable the players at the table are. */
static int add_figures(struct batch *batch, const struct game *game, json_t *facts, struct err *err)
{
    json_t *list = json_array();
    int rc = 0;
    for (int seat = 1; rc == 0 && seat <= game->seats; seat++) {
        json_t *figure = NULL;
        if (game->seat[seat].robot)
            continue;
        rc = reliability_of(batch->catalog, game->seat[seat].player, &figure, err);
        if (rc == 0) {
            json_object_set_new(figure, "name", json_string(game->seat[seat].player));
            json_array_append_new(list, figure);
        }
    }
    if (json_array_size(list) > 0)
        json_object_set(facts, "reliability", list);
    json_decref(list);
    return rc;
}

/* ---- a player ---- */

struct games {
    const char *player;
    json_t *running, *over;
};

static int add_game(void *arg, const struct catalog_game *row, struct err *err)
{
    struct games *history = arg;
    (void)err;
    json_t *list = row->over ? history->over : history->running;
    const struct ruleset *ruleset = ruleset_newest(row->ruleset);
    const int played = row->turn > 0 ? row->turn - 1 : 0;
    if (json_array_size(list) < GAMES_LISTED)
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:i,s:i,s:b,s:b,s:b}", "game", row->id, "title",
                                        ruleset ? ruleset->title : row->ruleset, "turn",
                                        row->withheld ? 0 : row->turn, "turns", played, "one", played == 1,
                                        "begun", row->turn > 0 || row->withheld, "withheld", row->withheld));
    return 0;
}

/* What anybody may know of a player: how reliable they are, and where they play and have played. */
static int ask_player(struct batch *batch, const struct player *player, struct request *request,
                      struct err *err)
{
    const char *name = player->name;
    struct games history = {name, json_array(), json_array()};
    json_t *figure = NULL;
    int rc = reliability_of(batch->catalog, name, &figure, err);
    if (rc == 0)
        rc =
            catalog_each_game(batch->catalog, &(struct catalog_filter){name, false}, add_game, &history, err);
    request_history(batch, player, request->facts);
    request->kind = "ask_player";
    json_object_set_new(request->facts, "name", json_string(name));
    if (*player->display)
        json_object_set_new(request->facts, "called", json_pack("{s:s}", "display", player->display));
    json_object_set_new(request->facts, "running", history.running);
    json_object_set_new(request->facts, "has_over", json_boolean(json_array_size(history.over) > 0));
    json_object_set_new(request->facts, "over", history.over);
    if (figure)
        json_object_update(request->facts, figure);
    json_decref(figure);
    return rc;
}

static bool is_competition(const struct batch *batch, struct slice what)
{
    char *name = request_name(what);
    bool is = competing_has(batch, name);
    free(name);
    return is;
}

/* One whose files cannot be read is one, too. */
static bool is_game(struct batch *batch, struct slice what)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    char *name = request_name(what);
    bool is = batch_game(batch, name, &entry, &why) == 0 || why.code != ERR_MISSING;
    free(name);
    return is;
}

static int ask_status(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    struct err why = ERR_INIT;
    struct batch_game *game;
    char *name = request_name(what);
    int missing = batch_game(batch, name, &game, &why);
    const struct player *player = missing ? registry_find(&batch->registry, name) : NULL;
    free(name);
    if (player)
        return ask_player(batch, player, request, err);
    if (missing && is_competition(batch, what))
        return request_table(batch, what, request, err);
    if (missing)
        return ask_unknown(batch, what, request, err);
    json_decref(request->facts);
    request->kind = "ask_status";
    request->folder = game->game.ruleset->folder;
    request->facts = facts_game(&game->game, 0);
    if (!game->game.turn && game_shown_to(&game->game, 0))
        return 0;
    facts_view(request->facts, &game->game, 0);
    return add_figures(batch, &game->game, request->facts, err);
}

/* ---- how games ended ---- */

static json_t *result_facts(struct batch *batch, const struct catalog_game *row)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    if (batch_game(batch, row->id, &entry, &why))
        return NULL; /* the operator has been told */
    json_t *facts = json_pack("{s:s,s:s,s:o,s:b}", "game", row->id, "title", entry->game.ruleset->title,
                              "ended", moment_dated_json(row->ended), "voided", entry->game.voided);
    json_object_set_new(facts, "outcome", json_null());
    facts_ending(facts, &entry->game, 0);
    return facts;
}

/* The last games that have ended. */
static int ask_results(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    struct catalog_game *list = mem_array(RESULTS_LISTED, sizeof *list);
    json_t *results = json_array();
    size_t count = 0;
    (void)what;
    int rc = catalog_ended(batch->catalog, list, RESULTS_LISTED, &count, err);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        json_t *one = result_facts(batch, &list[i]);
        if (one)
            json_array_append_new(results, one);
    }
    free(list);
    request->kind = "ask_results";
    json_object_set_new(request->facts, "results", results);
    return rc;
}

static const struct {
    const char *word;
    enum { TAKES_NOTHING, TAKES_GAME, TAKES_NAME, TAKES_ANY } takes; /* what may follow it */
    int (*answer)(struct batch *batch, struct slice what, struct request *request, struct err *err);
} words[] = {
    {"help", TAKES_GAME, ask_help},
    {"games", TAKES_NOTHING, ask_games},
    {"rules", TAKES_ANY, ask_rules},
    {"status", TAKES_ANY, ask_status},
    {"deadline", TAKES_ANY, ask_status},
    {"results", TAKES_NOTHING, ask_results},
    {"competitions", TAKES_NOTHING, request_competitions},
    {"table", TAKES_NAME, request_table},
    {"rating", TAKES_ANY, request_rating},
    {"log", TAKES_ANY, request_log},
    {"proof", TAKES_ANY, request_proof},
    {NULL, TAKES_NOTHING, NULL},
};

static bool may_name(struct slice what)
{
    char *name = request_name(what);
    bool may = name_valid(slice_of(name));
    free(name);
    return may;
}

static bool names_game(struct batch *batch, struct slice what)
{
    char *name = request_name(what);
    bool known = request_ruleset(batch, name) != NULL;
    free(name);
    return known;
}

/* How somebody says it who has no key: none of these where it needs one. */
static void add_how(json_t *facts, const struct petition *petition)
{
    static const struct {
        const char *verb, *how;
    } typed[] = {{"press", "how_press"},   {"prefs", "how_prefs"},   {"vacation", "how_vacation"},
                 {"extend", "how_extend"}, {"resend", "how_resend"}, {"veto", "how_veto"},
                 {"open", "how_open"},     {"mute", "how_mute"},     {"unmute", "how_unmute"},
                 {"journal", "how_files"}, {"publish", "how_files"}, {"rematch", "how_game"},
                 {"appeal", "how_appeal"}};
    struct str how = STR_INIT;
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        if (strcmp(petition->verb, typed[i].verb) == 0)
            str_adds(&how, typed[i].how);
    for (int i = 0; reply_wishes[i]; i++)
        if (strcmp(petition->verb, reply_wishes[i]) == 0)
            str_adds(&how, "how_game");
    for (int i = 0; reply_compete_wishes[i]; i++)
        if (strcmp(petition->verb, reply_compete_wishes[i]) == 0)
            str_adds(&how, "how_compete");
    if (how.len)
        json_object_set_new(facts, "how", json_pack("{s:b}", how.p, 1));
    str_release(&how);
}

/* "join gc-17", without a signature: what the text would look like. The answer goes to `sender`, or to a
 * stranger. */
static void answer_verb(struct batch *batch, const struct player *sender, const struct petition *petition,
                        struct slice what, struct request *request)
{
    bool own = sender && !(petition->needs & PETITION_MODERATOR);
    struct hearing hearing = {.batch = batch, .player = own ? sender->name : NULL};
    struct frame frame = {.kind = FRAME_OTHER};
    struct err why = ERR_INIT;
    (void)snprintf(frame.verb, sizeof frame.verb, "%s", petition->verb);
    char *name = request_name(what);
    if (name_valid(slice_of(name)))
        (void)snprintf(frame.game, sizeof frame.game, "%s", name);
    free(name);
    if (*frame.game && batch_game(batch, frame.game, &hearing.entry, &why))
        hearing.entry = NULL;
    if (hearing.entry &&
        !game_shown_to(&hearing.entry->game,
                       hearing.player ? game_seat_of(&hearing.entry->game, hearing.player) : 0))
        hearing.entry = NULL; /* a form names turn and head */
    hearing.frame = &frame;
    request->kind = "ask_petition";
    json_object_set_new(request->facts, "verb", json_string(petition->verb));
    add_how(request->facts, petition);
    json_object_set_new(request->facts, "about", petition_about(petition));
    petition_help(request->facts, &hearing);
}

/* A request that is looked for in a mail. */
struct asking {
    struct batch *batch;
    const struct player *sender; /* to whom the answer goes; NULL = a stranger */
    struct request *request;
};

/* "confirm WORD", which is a line of a text to be signed, and "confirm spring" of a competition that is not there: the answer
 * to that says which there are. */
static int answer_no_competition(struct asking *asking, struct slice what, struct err *err)
{
    char token[TOKEN_TEXT];
    json_t *why = NULL;
    if (!token_read(token, what))
        return request_table(asking->batch, what, asking->request, err);
    reason_set(&why, "confirm_unsigned");
    asking->request->kind = "not_confirmed";
    json_object_set_new(asking->request->facts, "why", why);
    return 0;
}

/* A verb, alone or with the name of what it is about. */
static int answer_petition(struct asking *asking, struct slice word, struct slice what, bool *found,
                           struct err *err)
{
    char *verb = request_name(slice_sub(word, 0, 20));
    const bool shows = strcmp(verb, "show") == 0 || strcmp(verb, "map") == 0 || strcmp(verb, "board") == 0;
    const struct petition *petition = petition_find(shows ? "resend" : verb);
    const unsigned needs = petition ? petition->needs : 0;
    free(verb);
    *found = petition && (!what.len || ((needs & (PETITION_GAME | PETITION_MAYBE_GAME | PETITION_COMPETES)) &&
                                        may_name(what)));
    if (*found && what.len && (needs & PETITION_GAME) && !is_game(asking->batch, what))
        return ask_unknown(asking->batch, what, asking->request, err);
    if (*found && what.len && (needs & PETITION_COMPETES) && !is_competition(asking->batch, what))
        return answer_no_competition(asking, what, err);
    if (*found)
        answer_verb(asking->batch, asking->sender, petition, what, asking->request);
    return 0;
}

/* The words are the whole line: "help me with my broken mailer" is not a request. */
static int answer_line(struct asking *asking, struct slice line, bool *found, struct err *err)
{
    struct batch *batch = asking->batch;
    struct request *request = asking->request;
    struct slice rest = line;
    struct slice word;
    if (!slice_word(&rest, &word))
        return 0;
    struct slice what = slice_trim(rest);
    for (int i = 0; words[i].word; i++) {
        if (!slice_caseeq(word, words[i].word) || what.len > 64 ||
            (what.len && words[i].takes == TAKES_NOTHING))
            continue;
        if (what.len && words[i].takes == TAKES_NAME && !may_name(what))
            continue;
        if (what.len && words[i].takes == TAKES_GAME && !names_game(batch, what))
            continue;
        if (!what.len && words[i].answer == ask_status && asking->sender)
            what = slice_of(asking->sender->name);
        *found = true;
        return words[i].answer(batch, what, request, err);
    }
    return answer_petition(asking, word, what, found, err);
}

int request_line(struct batch *batch, const struct player *sender, struct slice line, bool *is_request,
                 struct request *request, struct err *err)
{
    struct asking asking = {batch, sender, request};
    *request = (struct request){"", "", json_object()};
    *is_request = false;
    int rc = answer_line(&asking, line, is_request, err);
    if (rc || !*is_request) {
        json_decref(request->facts);
        request->facts = NULL;
    }
    return rc;
}

int request_read(struct batch *batch, const struct message *msg, bool *is_request, struct request *request,
                 struct err *err)
{
    const struct player *sender = registry_by_address(&batch->registry, msg->from);
    struct slice lines[2];
    message_words(msg, lines);
    int rc = request_line(batch, sender, lines[0], is_request, request, err);
    if (rc == 0 && !*is_request)
        rc = request_line(batch, sender, lines[1], is_request, request, err);
    return rc;
}

/* The nearest word to the first one of a line of at most two, as requests are. */
static const char *line_meant(struct slice line)
{
    static const char *const others[] = {"register", "stop"}; /* newcomer.h, stop.h */
    struct slice rest = line, word, more;
    if (!slice_word(&rest, &word) || (slice_word(&rest, &more) && slice_trim(rest).len))
        return NULL;
    char *typed = slice_dup(slice_sub(word, 0, 20));
    struct nearest nearest = NEAREST_INIT(typed);
    for (int i = 0; words[i].word; i++)
        nearest_offer(&nearest, words[i].word);
    for (int i = 0; petitions[i]; i++)
        nearest_offer(&nearest, petitions[i]->verb);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        nearest_offer(&nearest, others[i]);
    bool near = nearest.best && 3 * nearest.distance <= strlen(typed);
    free(typed);
    return near ? nearest.best : NULL;
}

const char *request_meant(const struct message *msg)
{
    struct slice lines[2];
    message_words(msg, lines);
    const char *meant = line_meant(lines[0]);
    return meant ? meant : line_meant(lines[1]);
}

static bool has_word(struct slice line, const char *listed)
{
    struct slice word;
    while (slice_word(&line, &word)) {
        while (word.len && strchr(".,:;!?\"'()", word.p[word.len - 1]))
            word.len--;
        struct slice rest = slice_of(listed), one;
        while (slice_word(&rest, &one))
            if (word.len == one.len && strncasecmp(word.p, one.p, one.len) == 0)
                return true;
    }
    return false;
}

const char *request_topic(const struct message *msg)
{
    static const struct {
        const char *topic, *words;
    } topics[] = {
        {"topic_key", "key keys passkey passkeys password token phone telephone signature sign"},
        {"topic_address", "address addresses e-mail email mailbox account"},
        {"topic_away",
         "away holiday holidays travel travelling traveling trip absence absent ill sick hospital"},
        {"topic_late", "late time deadline deadlines delay extension postpone"},
        {"topic_leave", "quit leave leaving unsubscribe cancel delete remove withdraw"},
        {"topic_wrong", "wrong mistake error bug unfair cheat cheating complaint"},
        {"topic_game", "game games play playing turn orders rules seat"},
    };
    struct slice lines[2];
    message_words(msg, lines);
    for (size_t i = 0; i < sizeof topics / sizeof *topics; i++)
        if (has_word(lines[0], topics[i].words) || has_word(lines[1], topics[i].words))
            return topics[i].topic;
    return "topic_any";
}
