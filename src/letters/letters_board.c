/* The picture of the board in reports: what it shows, and its words in the page. Whether the mail has it is
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
    str_release(&drawn->alt);
}

/* The reports of one turn show the same, and come one after the other. */
static int look_at_board(const struct letters *letters, const struct game *game, struct err *err)
{
    struct drawn_board *drawn = letters->drawn;
    const struct board board = board_of(game);
    struct str key = STR_INIT;
    str_addf(&key, "%s %lld", game->id, (long long)game->seq);
    if (drawn->key.len && strcmp(drawn->key.p, key.p) == 0) {
        str_release(&key);
        return 0;
    }
    drawn_board_release(drawn);
    json_t *facts = board_facts(&board);
    json_write(&drawn->shows, facts);
    int rc =
        templates_render(letters->templates, &(struct template_name){game->ruleset->folder, "board_alt.txt"},
                         facts, &drawn->alt, err);
    json_decref(facts);
    if (rc) {
        str_release(&key);
        return -1;
    }
    str_trim(&drawn->alt);
    pictures_digest(drawn->digest, slice_str(&drawn->shows));
    drawn->key = key;
    return 0;
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

static int make_page(const struct letters *letters, const char *cid, struct str *page, struct err *err)
{
    struct str html = STR_INIT;
    json_t *facts = json_pack("{s:s,s:o}", "cid", cid, "alt", json_text(slice_str(&letters->drawn->alt)));
    int rc =
        templates_render(letters->templates, &(struct template_name){"", "picture.html"}, facts, &html, err);
    put_ascii(page, slice_str(&html));
    json_decref(facts);
    str_release(&html);
    return rc;
}

static struct outgoing_picture *make_picture(const struct letters *letters, struct err *err)
{
    const char *at = strrchr(letters->league->config.league.address, '@');
    struct outgoing_picture *picture = outgoing_picture_new();
    memcpy(picture->digest, letters->drawn->digest, PICTURE_DIGEST);
    str_addf(&picture->cid, "%.*s%s", CID_DIGITS, picture->digest, at ? at : "@localhost");
    str_addslice(&picture->shows, slice_str(&letters->drawn->shows));
    if (make_page(letters, picture->cid.p, &picture->page, err) == 0)
        return picture;
    outgoing_picture_free(picture);
    return NULL;
}

/* Does the game stand as the report tells? A step that plays several turns has reports of each. */
static bool shows_now(const struct game *game, const struct post *post)
{
    return json_integer_value(json_object_get(post->facts, "turn")) == game->turn;
}

static bool wanted(const struct letters *letters, const struct player *player, const struct game *game,
                   const struct post *post)
{
    return letters->drawn && letters->league->config.outgoing.pictures && player->html &&
           !player->no_pictures && !player->digest &&
           (post->kind == POST_WELCOME || post->kind == POST_REPORT) && game->turn > 0 &&
           shows_now(game, post);
}

void letters_picture(const struct letters *letters, const struct player *player, const struct game *game,
                     struct post *post, struct outgoing *mail)
{
    struct err err = ERR_INIT;
    json_object_del(post->facts, "picture");
    if (!wanted(letters, player, game, post))
        return;
    if (look_at_board(letters, game, &err) == 0)
        mail->picture = make_picture(letters, &err);
    if (mail->picture)
        json_object_set_new(post->facts, "picture", json_true());
    else
        log_warn("game %s: reports leave without a picture: %s", game->id, err.text);
}

void letters_picture_fits(struct outgoing *mail)
{
    if (!mail->picture || slice_find(slice_str(&mail->html), "\n" ILLUSTRATE_HERE "\n") != (size_t)-1)
        return;
    outgoing_picture_free(mail->picture);
    mail->picture = NULL;
}
