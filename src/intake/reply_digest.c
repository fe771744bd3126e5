/* An answer to a digest. Which mail of a game a line answers is known by that mail's boundary in the quote, to which the
 * numbers of suggestions are bound. */
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
    struct typed typed;
};

bool reply_is_digest(const struct visit *visit, struct slice token)
{
    const struct batch *batch = visit->batch;
    bool is = false;
    int64_t today = batch->now / DAY_SECONDS; /* and days to come, as the clock may have been put back */
    for (int64_t day = today - DAYS + 1; !is && day < today + DAYS; day++) {
        struct reply_place place;
        char text[DATE_TEXT];
        date_text(text, day);
        reply_digest_place(&place, visit->sender->name, text);
        is = reply_token_is(token, batch->league->master, REPLY_WORD_TOKEN, &place);
    }
    return is;
}

/* Which mail of the game is quoted? */
static bool find_quoted(const struct digest *digest, struct answering *a)
{
    const unsigned char *master = digest->visit->batch->league->master;
    struct reply_place place = a->place;
    bool found = false;
    if (!vouching_names(a->head, &a->entry->game, digest->visit->msg->subject,
                        &digest->whole)) /* which an auditor needs */
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
    return a->bound && !reply_is_late(a) ? 0 : reply_was_given(digest->visit, a->entry, given, err);
}

/* May all of it be taken as it is? */
static bool is_certain(const struct digest *digest)
{
    enum typed_kind kind = digest->typed.kind;
    bool certain = digest->reply.fate == REPLY_TYPED && (kind == TYPED_ORDERS || kind == TYPED_PICKS);
    for (size_t i = 0; certain && i < digest->count; i++) {
        struct str lines = STR_INIT;
        typed_orders(&lines, &digest->typed, &digest->game[i].game, i);
        certain = !lines.len || digest->given[i] ||
                  (digest->game[i].bound && reply_is_plain(&digest->game[i], slice_str(&lines)));
        str_release(&lines);
    }
    for (size_t i = 0; certain && i < digest->typed.count; i++)
        certain = digest->typed.lines[i].is != TYPED_IS_PRESS;
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
    bool late = false;
    for (size_t i = 0; i < digest->count; i++)
        late |= digest->game[i].bound && reply_is_late(&digest->game[i]);
    json_t *facts =
        json_pack("{s:b,s:b,s:o}", "late", late, "has_doubts", json_array_size(doubts) > 0, "lines", doubts);
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
    reply_whole(&digest->whole, body);
    int rc = reply_games(visit, &games, err);
    if (rc == 0)
        rc = reply_cut(REPLY_VERSION, body, (struct slice){"", 0}, &digest->reply, err);
    for (size_t i = 0; rc == 0 && i < games.count && digest->count < GAMES_MOST; i++)
        rc = add_game(digest, games.id[i], err);
    free(games.id);
    if (rc == 0)
        reply_read(visit, slice_str(&digest->reply.typed), digest->typed_game, digest->count, &digest->typed);
    return rc;
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
    free(digest);
    return rc;
}
