/* The picture of the board in reports and invitations: what it shows, and its words in the page. Whether the mail has it is
 * decided when it is to leave (mail/undecided.h). */
#include <stdlib.h>

#include "base/json.h"
#include "base/log.h"
#include "base/utf8.h"
#include "board/board.h"
#include "letters/letters_parts.h"
#include "mail/illustrate.h"
#include "picture/pictures.h"

#define CID_DIGITS 24 /* of the digest */

void drawn_board_release(struct drawn_board *drawn)
{
    str_release(&drawn->key);
    str_release(&drawn->shows);
    str_release(&drawn->cid);
    str_release(&drawn->page);
}

/* What is not ASCII as HTML has it, so that it fits into a page of any encoding. */
static void put_ascii(struct str *out, struct slice html)
{
    while (html.len) {
        size_t len;
        uint32_t code = utf8_next(html, &len);
        if (code < 0x80)
            str_addc(out, (char)code);
        else
            str_addf(out, "&#%u;", code);
        html = slice_sub(html, len, html.len);
    }
}

/* What it shows, and what the page says in the place for it. */
static int make_page(const struct letters *letters, const struct board *board, struct err *err)
{
    struct drawn_board *drawn = letters->drawn;
    const char *at = strrchr(letters->league->config.league.address, '@');
    struct str html = STR_INIT, alt = STR_INIT;
    int rc = board_keep(board, letters->templates, &drawn->shows, &alt, err);
    pictures_digest(drawn->digest, slice_str(&drawn->shows));
    str_addf(&drawn->cid, "%.*s%s", CID_DIGITS, drawn->digest, at ? at : "@localhost");
    json_t *facts = json_pack("{s:s,s:o}", "cid", drawn->cid.p, "alt", json_text(slice_str(&alt)));
    if (rc == 0)
        rc = templates_render(letters->templates, &(struct template_name){"", "picture.html"}, facts, &html,
                              err);
    put_ascii(&drawn->page, slice_str(&html));
    json_decref(facts);
    str_release(&html);
    str_release(&alt);
    return rc;
}

/* The reports of one turn come one after the other, and show the same unless each player sees their own. */
static int look_at_board(const struct letters *letters, const struct game *game, int seat, struct err *err)
{
    struct drawn_board *drawn = letters->drawn;
    struct board board = board_of(game);
    struct str key = STR_INIT;
    board.seat = game->ruleset->shown.own_picture ? seat : 0;
    str_addf(&key, "%s %lld %d", game->id, (long long)game->seq, board.seat);
    if (drawn->key.len && strcmp(drawn->key.p, key.p) == 0) {
        str_release(&key);
        return 0;
    }
    drawn_board_release(drawn);
    int rc = make_page(letters, &board, err);
    if (rc)
        str_release(&key);
    else
        drawn->key = key;
    return rc;
}

/* What it shows goes along with the first of them. */
static struct outgoing_picture *make_picture(struct drawn_board *drawn)
{
    struct outgoing_picture *picture = outgoing_picture_new();
    memcpy(picture->digest, drawn->digest, PICTURE_DIGEST);
    str_addslice(&picture->cid, slice_str(&drawn->cid));
    str_addslice(&picture->page, slice_str(&drawn->page));
    picture->shows = drawn->shows;
    str_init(&drawn->shows);
    return picture;
}

static void show(const struct letters *letters, const struct game *game, int seat, json_t *facts,
                 struct outgoing *mail)
{
    struct err err = ERR_INIT;
    if (look_at_board(letters, game, seat, &err) == 0)
        mail->picture = make_picture(letters->drawn);
    if (mail->picture)
        json_object_set_new(facts, "picture", json_true());
    else
        log_warn("game %s: a mail leaves without its picture: %s", game->id, err.text);
}

/* Does the game stand as the report tells? A step that plays several turns has reports of each. */
static bool shows_now(const struct game *game, const struct post *post)
{
    return json_integer_value(json_object_get(post->facts, "turn")) == game->turn;
}

/* Do mails of this game have pictures at all? */
static bool have_pictures(const struct letters *letters, const struct game *game)
{
    return letters->drawn && letters->league->config.outgoing.pictures && game->ruleset->shown.picture;
}

static bool wanted(const struct letters *letters, const struct player *player, const struct game *game,
                   const struct post *post)
{
    return have_pictures(letters, game) && player->html && !player->no_pictures && !player->digest &&
           (post->kind == POST_WELCOME || post->kind == POST_REPORT) && game->turn > 0 &&
           shows_now(game, post);
}

void letters_picture(const struct letters *letters, const struct player *player, const struct game *game,
                     struct post *post, struct outgoing *mail)
{
    json_object_del(post->facts, "picture");
    if (wanted(letters, player, game, post))
        show(letters, game, post->seat, post->facts, mail);
}

void letters_example(const struct letters *letters, const struct game *game, json_t *facts,
                     struct outgoing *mail)
{
    if (have_pictures(letters, game))
        show(letters, game, 1, facts, mail);
}

void letters_picture_fits(const struct letters *letters, struct outgoing *mail)
{
    if (!mail->picture || slice_find(slice_str(&mail->html), "\n" ILLUSTRATE_HERE "\n") != (size_t)-1)
        return;
    if (mail->picture->shows.len) { /* for the next one, of the same board */
        letters->drawn->shows = mail->picture->shows;
        str_init(&mail->picture->shows);
    }
    outgoing_picture_free(mail->picture);
    mail->picture = NULL;
}
