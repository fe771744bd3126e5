/* An answer to a digest. Which mail of a game a line answers is known by that mail's boundary in the quote, which
 * binds the number of the orders, too: an old answer displaces nothing. */
#include "intake/reply_parts.h"

#include <stdlib.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"

#define DAYS       14 /* for which a digest can be answered */
#define GAMES_MOST 20 /* of which one answer is read */

struct digest {
    struct visit *visit;
    struct answering game[GAMES_MOST];
    struct typed_game typed_game[GAMES_MOST];
    bool given[GAMES_MOST]; /* the game has the orders of this very mail, and has played on since */
    size_t count;
    struct reply_whole whole;
    struct reply reply;
    struct typed typed, below;
};

/* The digest of the last weeks to whose token the mail was sent. */
static bool find_digest(struct reply_place *place, char day[DATE_TEXT], const struct visit *visit,
                        struct slice token)
{
    const struct batch *batch = visit->batch;
    bool is = false;
    int64_t today = batch->now / DAY_SECONDS; /* and days to come, as the clock may have been put back */
    for (int64_t each = today - DAYS + 1; !is && each < today + DAYS; each++) {
        date_text(day, each);
        reply_digest_place(place, visit->sender->name, day);
        is = reply_token_is(token, batch->league->master, REPLY_WORD_TOKEN, place);
    }
    return is;
}

bool reply_is_digest(const struct visit *visit, struct slice token)
{
    struct reply_place place;
    char day[DATE_TEXT];
    return find_digest(&place, day, visit, token);
}

/* By which its first line is known. */
static void nonce_of(const struct visit *visit, char nonce[REPLY_TOKEN_TEXT])
{
    const struct league *league = visit->batch->league;
    struct reply_place place;
    struct slice token;
    char day[DATE_TEXT];
    *nonce = '\0';
    if (reply_token_in(slice_of(visit->msg->to), league->config.league.address,
                       config_detail(&league->config), &token) &&
        find_digest(&place, day, visit, token))
        reply_token(nonce, league->master, REPLY_WORD_NONCE, &place);
}

/* Which mail of the game is quoted? */
static bool find_quoted(const struct digest *digest, struct answering *a)
{
    const unsigned char *master = digest->visit->batch->league->master;
    struct reply_place place = a->place;
    char head[17];
    bool found = false;
    hex_to(head, place.head, 8);
    if (!reply_whole_holds(&digest->whole, head)) /* which an auditor needs */
        return false;
    for (int most = place.seq; !found && place.seq > 0 && place.seq >= most - ORDERS_TEXTS; place.seq--) {
        char nonce[REPLY_TOKEN_TEXT];
        struct str boundary = STR_INIT;
        reply_nonce(nonce, master, &place, &a->suggestions);
        reply_boundary(&boundary, slice_of(nonce));
        found = reply_whole_holds(&digest->whole, boundary.p);
        if (found)
            a->place.seq = place.seq;
        str_release(&boundary);
    }
    return found;
}

/* Does a line begin with the game? "gc-1: build" */
static bool names(struct slice typed, const char *id)
{
    struct slice line;
    while (slice_line(&typed, &line))
        if (slice_casestarts(slice_trim(line), id))
            return true;
    return false;
}

static int add_game(struct digest *digest, const char *id, struct err *err)
{
    struct err why = ERR_INIT;
    struct answering *a = &digest->game[digest->count];
    *a = (struct answering){.visit = digest->visit};
    if (batch_game(digest->visit->batch, id, &a->entry, &why)) { /* the operator has been told */
        if (names(slice_str(&digest->reply.typed), id))
            reply_keep(digest->visit);
        return 0;
    }
    const struct game *game = &a->entry->game;
    a->seat = game_seat_of(game, digest->visit->sender->name);
    if (!a->seat || !reply_place_now(&a->place, game, a->seat))
        return 0;
    suggestions_make(&a->suggestions, game, a->seat);
    a->bound = find_quoted(digest, a);
    a->game = (struct typed_game){game->id, game->ruleset->language,
                                  (const char *const *)a->suggestions.lines, NULL};
    digest->typed_game[digest->count] = a->game;
    bool *given = &digest->given[digest->count++];
    return a->bound ? 0 : reply_was_given(digest->visit, a->entry, given, err);
}

/* May all of it be taken as it is? */
static bool is_certain(const struct digest *digest)
{
    const struct typed *typed = &digest->typed;
    bool certain = digest->reply.fate == REPLY_TYPED && typed->kind == TYPED_CLEAR && typed->orders &&
                   !typed->press && !typed->resigns && digest->below.kind == TYPED_NOTHING &&
                   (typed->command == TYPED_IS_BLANK || typed->command == TYPED_IS_SHOW);
    for (size_t i = 0; certain && i < digest->count; i++) {
        struct str lines = STR_INIT;
        typed_orders(&lines, typed, &digest->game[i].game, i);
        certain = !lines.len || digest->given[i] ||
                  (digest->game[i].bound && reply_is_plain(&digest->game[i], slice_str(&lines)));
        str_release(&lines);
    }
    return certain;
}

static int give_all(struct digest *digest, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < digest->count; i++) {
        struct str lines = STR_INIT;
        typed_orders(&lines, &digest->typed, &digest->game[i].game, i);
        if (lines.len && digest->given[i])
            reply_seen(digest->visit);
        else if (lines.len)
            rc = reply_give(&digest->game[i], slice_str(&lines),
                            typed_final(&digest->typed, i) ? REPLY_FINAL : REPLY_PLAIN, err);
        str_release(&lines);
    }
    return rc;
}

static int ask(struct digest *digest, struct err *err)
{
    json_t *doubts = reply_doubts(&digest->typed);
    json_t *facts = json_pack("{s:b,s:o}", "has_doubts", json_array_size(doubts) > 0, "lines", doubts);
    struct str what = STR_INIT;
    str_addf(&what, "a digest of %s", digest->visit->sender->name);
    int rc = reply_answer(digest->visit, what.p,
                          &(struct words){.kind = "reply_digest", .folder = "", .facts = facts}, err);
    str_release(&what);
    return rc;
}

/* What was typed, and by which mails of the games it is to be read. */
static int read_digest(struct digest *digest, struct err *err)
{
    struct visit *visit = digest->visit;
    const struct reply_mail *body = &visit->reading->domain->body;
    struct reply_games games;
    char nonce[REPLY_TOKEN_TEXT];
    nonce_of(visit, nonce);
    reply_whole(&digest->whole, body);
    int rc = reply_games(visit, &games, err);
    if (rc == 0)
        rc = reply_cut(REPLY_VERSION, body, slice_of(nonce), &digest->reply, err);
    for (size_t i = 0; rc == 0 && i < games.count && digest->count < GAMES_MOST; i++)
        rc = add_game(digest, games.id[i], err);
    free(games.id);
    if (rc)
        return -1;
    visit_typed(visit, slice_str(&digest->reply.typed), "", 0);
    reply_read(visit, slice_str(&digest->reply.typed), digest->typed_game, digest->count, &digest->typed);
    reply_read(visit, slice_str(&digest->reply.below), digest->typed_game, digest->count, &digest->below);
    return 0;
}

int reply_to_digest(struct visit *visit, struct err *err)
{
    struct digest *digest = mem_alloc(sizeof *digest);
    digest->visit = visit;
    int rc = read_digest(digest, err);
    if (rc == 0 && !visit->kept)
        rc = is_certain(digest) ? give_all(digest, err) : ask(digest, err);
    for (size_t i = 0; i < digest->count; i++)
        suggestions_release(&digest->game[i].suggestions);
    reply_whole_release(&digest->whole);
    reply_release(&digest->reply);
    typed_release(&digest->typed);
    typed_release(&digest->below);
    free(digest);
    return rc;
}
