#include "play/replies.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "game/game_seats.h"
#include "game/view.h"
#include "play/step_parts.h"

void suggestions_make(struct suggestions *suggestions, const struct game *game, int seat)
{
    size_t cap = 0;
    struct slice rest, line;
    *suggestions = (struct suggestions){NULL, 0, STR_INIT};
    view_form(game, seat, &suggestions->all);
    rest = slice_str(&suggestions->all);
    for (bool more = true; more;) {
        suggestions->lines =
            mem_grow(suggestions->lines, suggestions->count, &cap, sizeof *suggestions->lines);
        more = slice_line(&rest, &line);
        suggestions->lines[suggestions->count] = more ? slice_dup(line) : NULL;
        suggestions->count += more;
    }
}

void suggestions_release(struct suggestions *suggestions)
{
    for (size_t i = 0; i < suggestions->count; i++)
        free(suggestions->lines[i]);
    free(suggestions->lines);
    str_release(&suggestions->all);
}

bool reply_place_now(struct reply_place *place, const struct game *game, int seat)
{
    const struct game_seat *who = &game->seat[seat];
    if (game->turn == 0 || game->over || game->closed || !game_takes_mail(game, seat) ||
        !game_may_order(game, seat))
        return false;
    *place = (struct reply_place){.game = game->id,
                                  .turn = game->turn,
                                  .head = game->opened.head,
                                  .seat = seat,
                                  .player = who->player,
                                  .seq = who->texts + 1};
    return true;
}

bool reply_place_wish(struct reply_place *place, const struct game *game, const char *player,
                      const char *verb)
{
    if (!game->table.by_mail || game->over)
        return false;
    *place = (struct reply_place){.game = game->id,
                                  .head = game->journal.create_head,
                                  .player = player,
                                  .seq = 1,
                                  .also = slice_of(verb)};
    return true;
}

void reply_place_compete(struct reply_place *place, const char *name, const unsigned char head[HEAD_BYTES],
                         const char *player, const char *verb)
{
    *place =
        (struct reply_place){.game = name, .head = head, .player = player, .seq = 1, .also = slice_of(verb)};
}

void reply_ok_word(char text[REPLY_OK_LETTERS + 1], const unsigned char master[32],
                   const struct reply_place *place)
{
    char word[REPLY_TOKEN_TEXT];
    reply_token(word, master, REPLY_WORD_OK, place);
    memcpy(text, word, REPLY_OK_LETTERS);
    text[REPLY_OK_LETTERS] = '\0';
}

void reply_nonce(char text[REPLY_TOKEN_TEXT], const unsigned char master[32], const struct reply_place *place,
                 const struct suggestions *suggestions)
{
    struct reply_place with = *place;
    with.also = suggestions ? slice_str(&suggestions->all) : (struct slice){"", 0};
    reply_token(text, master, REPLY_WORD_NONCE, &with);
}

void reply_vote(struct str *out, int64_t hours)
{
    str_addf(out, "extend %lld\n", (long long)hours);
}

void reply_digest_place(struct reply_place *place, const char *player, const char *day)
{
    static const unsigned char none[HEAD_BYTES];
    *place = (struct reply_place){.game = "", .head = none, .player = player, .also = slice_of(day)};
}

void reply_text(struct str *out, const struct game *game, const struct reply_orders *orders)
{
    char head[2 * HEAD_BYTES + 1], nonce[17];
    game_answer_head(head, game);
    hex_to(nonce, orders->content, 8);
    str_addf(out, "#turnpost orders\ngame: %s\nturn: %d\nhead: %s\nseq: %d\nnonce: %s\n", game->id,
             game->turn, orders->head ? orders->head : head, orders->seq, nonce);
    if (orders->manner != REPLY_PLAIN)
        str_addf(out, "%s: yes\n", orders->manner == REPLY_WAIT ? "wait" : "final");
    str_addslice(out, orders->lines);
    str_adds(out, "#end\n");
}

bool reply_counted(const struct game *game, int seat, const struct mail_proof *proof, struct slice journal)
{
    unsigned char mark[SEAL_BYTES];
    json_t *payload = json_pack("{s:o,s:s}", "signature", step_domain_signature(proof), "text", "");
    bool counted =
        seal_mark(mark, game->journal.create_head, seat, payload) && record_lines_hold(journal, "seal", mark);
    json_decref(payload);
    return counted;
}
