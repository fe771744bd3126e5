/* An answer to a digest. Which mail of a game a line answers is known by that mail's boundary in the quote, to which the
 * numbers of suggestions are bound. */
#include "intake/reply_parts.h"

#include <stdlib.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"
#include "play/facts.h"

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
    struct typed typed, below, general; /* all lines, those below the quote, and those about no game */
    bool homeless; /* a line would be an order of one of the games, and does not say of which */
    bool around;   /* what counts stands above the quote and below it: half of it may be an older answer */
    json_t *unread;
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

/* Does a line begin with the game? "gc-1: build" */
static bool names(struct slice typed, const char *id)
{
    struct slice line;
    while (slice_line(&typed, &line))
        if (slice_casestarts(slice_trim(line), id))
            return true;
    return false;
}

/* No orders of theirs are awaited there; but a seat may be kept for them, or offered, and the digest holds the mail that says so. */
static void add_wish(struct digest *digest, struct answering *a)
{
    const struct game *game = &a->entry->game;
    char digits[REPLY_HEAD + 1];
    a->wish = reply_seat_wish(game, digest->visit->sender->name);
    if (!a->wish || !reply_place_wish(&a->place, game, digest->visit->sender->name, a->wish))
        return;
    hex_to(digits, a->place.head, REPLY_HEAD / 2);
    a->bound = reply_whole_holds(&digest->whole, digits);
    suggestions_make(&a->suggestions, game, a->seat);
    reply_game(a, game->ruleset->words.wish.line);
    digest->typed_game[digest->count++] = a->game;
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
    if (!a->seat || !reply_place_now(&a->place, game, a->seat)) {
        add_wish(digest, a);
        return 0;
    }
    suggestions_make(&a->suggestions, game, a->seat);
    a->bound = reply_find_quoted(a, &digest->whole);
    reply_game(a, NULL);
    digest->typed_game[digest->count] = a->game;
    bool *given = &digest->given[digest->count++];
    return a->bound && !reply_is_late(a) ? 0 : reply_was_given(digest->visit, a->entry, given, err);
}

/* Games that a line begins with, and in which no orders of theirs are awaited. */
static int add_named(struct digest *digest, struct err *err)
{
    struct slice rest = slice_str(&digest->reply.typed), line;
    int rc = 0;
    while (rc == 0 && slice_line(&rest, &line) && digest->count < GAMES_MOST) {
        line = slice_trim(line);
        const size_t colon = slice_find(line, ":");
        struct slice name = slice_trim(slice_sub(line, 0, colon < line.len ? colon : 0));
        char id[GAME_NAME];
        bool known = !name.len || name.len >= GAME_NAME;
        for (size_t i = 0; !known && i < name.len; i++)
            id[i] = (char)(name.p[i] >= 'A' && name.p[i] <= 'Z' ? name.p[i] + 'a' - 'A' : name.p[i]);
        id[known ? 0 : name.len] = '\0';
        for (size_t i = 0; !known && i < digest->count; i++)
            known = slice_caseeq(name, digest->game[i].place.game);
        if (!known && name_valid(slice_of(id)) && store_has(digest->visit->batch->store, id))
            rc = add_game(digest, id, err);
    }
    return rc;
}

/* The lines about that game, or about none, as an answer to a mail about it alone is read. */
static void read_part(const struct digest *digest, size_t index, struct typed *typed)
{
    bool game = index < digest->count;
    struct str lines = STR_INIT;
    typed_part(&lines, &digest->typed, index);
    reply_read(digest->visit, slice_str(&lines), game ? &digest->typed_game[index] : NULL, game, typed);
    str_release(&lines);
}

static bool is_setting(enum typed_is is)
{
    return typed_is_own(is) || is == TYPED_IS_VACATION || is == TYPED_IS_DIGEST || is == TYPED_IS_STOP;
}

/* Of no game are questions, and the player's own settings. */
static bool is_general(const struct typed *typed)
{
    bool own = typed->kind == TYPED_CLEAR;
    for (size_t i = 0; own && i < typed->count; i++)
        own = !typed_talks(&typed->lines[i]) || typed->lines[i].asks || is_setting(typed->lines[i].is);
    return typed->kind == TYPED_NOTHING || typed->kind == TYPED_ASKS || own;
}

static bool says_nothing(const struct answering *a)
{
    return a->typed.kind == TYPED_NOTHING && !(a->wish && a->typed.declines);
}

/* May what was typed for that game be taken as it is? */
static bool is_plain(const struct digest *digest, size_t index)
{
    const struct answering *a = &digest->game[index];
    if (a->wish)
        return says_nothing(a) || a->typed.kind == TYPED_ASKS ||
               (a->bound &&
                (a->typed.declines || (a->typed.kind == TYPED_CLEAR && (a->typed.command == TYPED_IS_OK ||
                                                                        a->typed.command == TYPED_IS_JOIN))));
    struct str lines = STR_INIT;
    typed_orders(&lines, &a->typed, &a->game, 0);
    bool plain = a->typed.kind == TYPED_NOTHING || a->typed.kind == TYPED_ASKS || digest->given[index] ||
                 (a->bound && a->typed.kind == TYPED_CLEAR && reply_is_plain(a, slice_str(&lines)));
    str_release(&lines);
    return plain;
}

/* May all of it? */
static bool is_certain(const struct digest *digest)
{
    bool certain = digest->reply.fate == REPLY_TYPED && digest->below.kind == TYPED_NOTHING &&
                   !digest->homeless && !digest->around && is_general(&digest->general);
    bool any = digest->general.kind != TYPED_NOTHING;
    for (size_t i = 0; i < digest->count; i++) {
        certain = certain && is_plain(digest, i);
        any |= !says_nothing(&digest->game[i]);
    }
    return certain && any;
}

static int act_general(struct digest *digest, struct err *err)
{
    const struct typed *typed = &digest->general;
    int rc = 0;
    bool found = false;
    for (size_t i = 0; rc == 0 && typed->kind == TYPED_CLEAR && i < typed->count; i++)
        if (is_setting(typed->lines[i].is))
            rc = visit_hear_reply(digest->visit, &typed->lines[i], NULL, &found, err);
    return rc ? rc : reply_questions(digest->visit, &(struct reply_asked){.typed = typed}, err);
}

static int act_game(struct digest *digest, size_t index, struct err *err)
{
    struct answering *a = &digest->game[index];
    const struct game *game = &a->entry->game;
    if (says_nothing(a))
        return 0;
    if (a->typed.kind == TYPED_ASKS)
        return reply_questions(digest->visit, &(struct reply_asked){&a->typed, &game, 1, false}, err);
    if (a->wish) {
        digest->visit->answered = false;
        return reply_act_wish(a, err);
    }
    if (digest->given[index]) {
        reply_seen(digest->visit);
        return 0;
    }
    digest->visit->answered = false; /* about another game */
    return reply_act(a, err);
}

static int act_all(struct digest *digest, struct err *err)
{
    int rc = act_general(digest, err);
    for (size_t i = 0; rc == 0 && i < digest->count; i++)
        rc = act_game(digest, i, err);
    return rc;
}

/* The turn of the mail in the digest is over: messages depend on no turn, and go out; of all else it is said. */
static int act_past(struct digest *digest, size_t index, json_t *doubts, bool *heard, struct err *err)
{
    struct answering *a = &digest->game[index];
    const bool may = digest->reply.fate == REPLY_TYPED && visit_is_to_us(digest->visit) &&
                     !reply_is_late(a) &&
                     vouching_names_game(&a->entry->game, digest->visit->msg->subject, &digest->whole);
    bool found = false;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < a->typed.count; i++) {
        const struct typed_line *line = &a->typed.lines[i];
        const bool message = line->is == TYPED_IS_PRESS && line->doubt == DOUBT_NONE && may;
        if (message)
            rc = visit_hear_reply(digest->visit, line, &a->entry->game, &found, err);
        else if (typed_talks(line) || line->doubt == DOUBT_NUMBER)
            json_array_append_new(doubts, json_pack("{s:o,s:{s:{s:s}}}", "line", facts_quote(line->line),
                                                    "doubt", "doubt_past", "game", a->place.game));
        *heard |= message;
    }
    return rc;
}

/* The question is open in each game whose mail is quoted and that a line may be about. */
static int ask(struct digest *digest, struct err *err)
{
    json_t *doubts = reply_doubts(&digest->typed);
    struct answering *asks[GAMES_MOST + 1];
    size_t asked = 0, past = 0;
    bool late = false, heard = false;
    for (size_t i = 0; i < digest->count; i++) {
        struct answering *a = &digest->game[i];
        if (!a->bound && !a->wish && a->typed.kind != TYPED_NOTHING) {
            const size_t before = json_array_size(doubts);
            if (act_past(digest, i, doubts, &heard, err)) {
                json_decref(doubts);
                return -1;
            }
            past += json_array_size(doubts) - before;
            continue;
        }
        if (a->wish)
            continue;
        bool meant = a->typed.kind == TYPED_CLEAR || a->typed.kind == TYPED_UNSURE || digest->homeless ||
                     digest->below.kind != TYPED_NOTHING || digest->reply.fate != REPLY_TYPED;
        if (a->bound && meant && !digest->given[i])
            asks[asked++] = a;
        struct str lines = STR_INIT;
        typed_orders(&lines, &a->typed, &a->game, 0);
        bool wrong;
        json_t *extra = reply_extra_words(a, slice_str(&lines), &wrong);
        json_array_extend(doubts, extra);
        json_decref(extra);
        str_release(&lines);
        late |= a->bound && reply_is_late(a);
    }
    reply_drop_doubted(digest->visit, doubts);
    asks[asked] = NULL;
    json_t *facts = json_pack("{s:b,s:b,s:b,s:b,s:b,s:o}", "late", late, "heard", heard, "all_past",
                              past > 0 && past == json_array_size(doubts), "around", digest->around,
                              "has_doubts", json_array_size(doubts) > 0, "lines", doubts);
    struct str what = STR_INIT;
    str_addf(&what, "a digest of %s", digest->visit->sender->name);
    int rc = reply_ask(digest->visit, asks, what.p,
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
    if (rc == 0)
        rc = add_named(digest, err);
    if (rc)
        return -1;
    reply_read(visit, slice_str(&digest->reply.typed), digest->typed_game, digest->count, &digest->typed);
    reply_read(visit, slice_str(&digest->reply.below), digest->typed_game, digest->count, &digest->below);
    struct answering whole = {.visit = visit,
                              .place = {.game = ""},
                              .reply = digest->reply,
                              .typed = digest->typed,
                              .below = digest->below};
    if (reply_unread(&whole, err)) {
        json_decref(whole.unread);
        return -1;
    }
    digest->unread = whole.unread;
    visit->unread = json_array_size(whole.unread) ? whole.unread : NULL;
    visit->goes_on = whole.goes_on;
    digest->around = typed_talks_around(&digest->typed, slice_str(&digest->reply.typed), digest->reply.under);
    visit->several = reply_asks_several(&digest->typed);
    for (size_t i = 0; i < digest->typed.count; i++)
        digest->homeless |= digest->typed.lines[i].doubt == DOUBT_GAME;
    read_part(digest, digest->count, &digest->general);
    for (size_t i = 0; i < digest->count; i++) {
        struct answering *a = &digest->game[i];
        read_part(digest, i, &a->typed);
        a->reply.fate = digest->reply.fate;
        a->reply.ours = a->bound;
    }
    return 0;
}

int reply_to_digest(struct visit *visit, struct err *err)
{
    struct digest *digest = mem_alloc(sizeof *digest);
    digest->visit = visit;
    int rc = read_digest(digest, err);
    if (rc == 0 && !visit->kept)
        rc = is_certain(digest) ? act_all(digest, err) : ask(digest, err);
    for (size_t i = 0; i < digest->count; i++) {
        suggestions_release(&digest->game[i].suggestions);
        typed_release(&digest->game[i].typed);
    }
    json_decref(digest->unread);
    visit->unread = NULL;
    reply_whole_release(&digest->whole);
    reply_release(&digest->reply);
    typed_release(&digest->typed);
    typed_release(&digest->below);
    typed_release(&digest->general);
    free(digest);
    return rc;
}
