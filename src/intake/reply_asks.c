/* Questions: "help", "rules", "status", "show", "deadline", typed into an answer or in a mail of its own. They change
 * nothing, so each is answered, wherever it stands and however certain the rest of the mail is. */
#include "intake/reply_parts.h"

#include <stdlib.h>
#include <strings.h>

#include "league/name_list.h"
#include "petitions/requests.h"
#include "play/facts.h"

#define QUESTIONS_MOST 5 /* of a mail */

/* The answer can be answered with orders in its turn. */
static int answer(struct visit *visit, const struct request *request, const struct game *game,
                  struct err *err)
{
    const char *player = visit->sender->name;
    const struct answer_game about = {.game = game, .seat = game ? game_seat_of(game, player) : 0};
    visit->taken = true;
    visit->answered = false; /* beside what the mail has done */
    return visit_answer_player_in(visit, player,
                                  &(struct words){.kind = request->kind,
                                                  .folder = request->folder,
                                                  .facts = request->facts,
                                                  .about = about.seat ? &about : NULL,
                                                  .understood = true},
                                  err);
}

/* The form of plain requests: "help", "rules gc-1". */
static int ask(struct visit *visit, const char *word, struct slice what, const struct game *game,
               struct err *err)
{
    struct str line = STR_INIT;
    struct request request;
    bool found = false;
    str_addf(&line, "%s %.*s", word, (int)what.len, what.p);
    int rc = request_line(visit->batch, visit->sender, slice_str(&line), &found, &request, err);
    if (rc == 0 && !found) /* "help me": a word that names nothing */
        rc = request_line(visit->batch, visit->sender, slice_of(word), &found, &request, err);
    str_release(&line);
    return rc || !found ? rc : answer(visit, &request, game, err);
}

/* "help", "help build": the words of the game, or that one. */
static int ask_words(struct visit *visit, const struct game *game, struct slice line, struct err *err)
{
    struct slice word;
    json_t *facts = json_object();
    (void)slice_word(&line, &word);
    facts_language(facts, game->ruleset);
    if (slice_word(&line, &word))
        facts_word(facts, game->ruleset, word);
    const struct request request = {"ask_verbs", game->ruleset->folder, facts};
    return answer(visit, &request, game, err);
}

static int ask_due(struct visit *visit, const struct game *game, struct err *err)
{
    const struct request request = {"ask_due", game->ruleset->folder,
                                    facts_game(game, game_seat_of(game, visit->sender->name))};
    return answer(visit, &request, game, err);
}

/* The game that the question names, else the one that the answered mail is about. */
static const struct game *game_of(struct visit *visit, const struct typed_line *line,
                                  const struct game *about)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    if (!line->text.len || line->is == TYPED_IS_ORDER)
        return about;
    char *name = request_name(line->text);
    bool found = batch_game(visit->batch, name, &entry, &why) == 0;
    free(name);
    return found ? &entry->game : about;
}

/* Who has none gets what anybody may know of the game. */
static bool has_report(const struct game *game, const char *player)
{
    return game->turn > 0 && (game_seat_of(game, player) || names_hold(game->observers.names.p, player));
}

static bool begins(const struct typed_line *line, const char *word)
{
    return line->is == TYPED_IS_ORDER && slice_casestarts(line->text, word);
}

static int ask_one(struct visit *visit, const struct typed_line *line, const struct game *about,
                   struct err *err)
{
    const struct game *game = game_of(visit, line, about);
    struct slice what = line->is != TYPED_IS_ORDER && line->text.len ? line->text
                        : game                                       ? slice_of(game->id)
                                                                     : (struct slice){"", 0};
    bool found = false;
    if (line->is == TYPED_IS_HELP) /* about no game unless it names one */
        return ask(visit, "help", line->text, game, err);
    if (begins(line, "help"))
        return ask_words(visit, game, line->text, err);
    if (line->is == TYPED_IS_RULES || begins(line, "rules"))
        return ask(visit, "rules", what, game, err);
    if (line->is == TYPED_IS_SHOW && (game ? has_report(game, visit->sender->name) : !line->text.len))
        return visit_hear_reply(visit, line, game, &found, err);
    if (line->is == TYPED_IS_DEADLINE && game)
        return ask_due(visit, game, err);
    return ask(visit, "status", what, game, err);
}

static bool same(const struct typed_line *one, const struct typed_line *other)
{
    return one->asks && one->is == other->is && one->game == other->game &&
           one->text.len == other->text.len && strncasecmp(one->text.p, other->text.p, one->text.len) == 0;
}

int reply_questions(struct visit *visit, const struct reply_asked *asked, struct err *err)
{
    const struct typed *typed = asked->typed;
    int rc = 0, left = QUESTIONS_MOST;
    for (size_t i = 0; rc == 0 && left && i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        bool again =
            !line->asks || (asked->given && (line->is == TYPED_IS_ORDER || line->is == TYPED_IS_DEADLINE));
        for (size_t k = 0; !again && k < i; k++)
            again = same(&typed->lines[k], line);
        left -= !again;
        if (!again)
            rc = ask_one(visit, line, line->game < asked->count ? asked->games[line->game] : NULL, err);
    }
    return rc;
}

int reply_questions_in(struct visit *visit, struct slice text, const struct game *about, bool *asked,
                       struct err *err)
{
    struct typed typed;
    reply_read(visit, text, NULL, 0, &typed);
    *asked = false;
    for (size_t i = 0; i < typed.count; i++)
        *asked |= typed.lines[i].asks;
    int rc = reply_questions(visit, &(struct reply_asked){&typed, &about, 1, false}, err);
    typed_release(&typed);
    return rc;
}
