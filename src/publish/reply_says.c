#include "publish/reply_says.h"

#include <string.h>

#include "base/file.h"
#include "letters/vouching.h"
#include "orders/typed.h"
#include "trust/canon.h"

#define GAMES_MOST 20 /* of an answer to a digest */

/* ---- what was typed, line by line ---- */

/* Lines about the game of the record. */
struct said {
    struct str orders; /* each with its LF */
    bool agrees;       /* "ok", a number */
    bool beside;       /* lines that are something else */
};

static bool agrees(const struct typed_line *line)
{
    return line->is == TYPED_IS_OK || line->is == TYPED_IS_PICK ||
           (line->is == TYPED_IS_UNKNOWN && line->doubt == DOUBT_NUMBER);
}

static void sort(struct said *said, const struct typed *typed, size_t games)
{
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->game != 0 && line->game < games)
            continue;
        if (line->is == TYPED_IS_ORDER) {
            str_addslice(&said->orders, line->text);
            str_addc(&said->orders, '\n');
        } else if (agrees(line)) {
            said->agrees = true;
        } else if (line->is != TYPED_IS_BLANK && line->is != TYPED_IS_GREETING && line->is != TYPED_IS_FORM &&
                   line->is != TYPED_IS_PRESS) {
            said->beside = true;
        }
    }
}

/* Signed texts are in canonical form, what was typed need not be. */
static bool same_orders(const struct str *said, struct slice body)
{
    struct str one = STR_INIT, other = STR_INIT;
    canon_text(&one, slice_str(said));
    canon_text(&other, body);
    bool same = one.len == other.len && memcmp(one.p, other.p, one.len) == 0;
    str_release(&one);
    str_release(&other);
    return same;
}

static enum audit_says judge(const struct audit_mail *mail, struct slice text, const struct typed_by *by)
{
    struct typed typed;
    struct said said = {.orders = STR_INIT};
    enum audit_says says = AUDIT_SAYS_OTHER;
    typed_read(text, by, &typed);
    sort(&said, &typed, by->game_count);
    if (said.orders.len && same_orders(&said.orders, mail->frame->body))
        says = said.beside || said.agrees ? AUDIT_SAYS_AMONG : AUDIT_SAYS_SAME;
    else if (!said.orders.len && said.agrees)
        says = AUDIT_SAYS_AGREED;
    str_release(&said.orders);
    typed_release(&typed);
    return says;
}

/* ---- answers to digests ---- */

/* Names in front of lines, "gc-2: build": other games, whose language an auditor does not know. */
struct names {
    char name[GAMES_MOST][FRAME_GAME];
    size_t count;
};

static void add_name(struct names *names, struct slice name, const char *own)
{
    bool known = slice_caseeq(name, own) || !name_valid(name) || name.len >= FRAME_GAME;
    for (size_t i = 0; i < names->count && !known; i++)
        known = slice_caseeq(name, names->name[i]);
    if (known || names->count == GAMES_MOST)
        return;
    memcpy(names->name[names->count], name.p, name.len);
    names->name[names->count++][name.len] = '\0';
}

static void find_names(struct names *names, struct slice text, const char *own)
{
    struct slice line;
    while (slice_line(&text, &line)) {
        const char *colon = line.len ? memchr(line.p, ':', line.len) : NULL;
        if (colon)
            add_name(names, slice_trim((struct slice){line.p, (size_t)(colon - line.p)}), own);
    }
}

static enum audit_says read_typed(const struct audit_mail *mail, struct slice text)
{
    const struct game *game = mail->game;
    const char *const people[] = {game->seat[mail->seat].player, mail->claim->from.local, NULL};
    struct typed_game games[GAMES_MOST + 1] = {{game->id, game->ruleset->language, NULL}};
    struct names names = {.count = 0};
    struct typed_by by = {games, 1, people};
    enum audit_says says = judge(mail, text, &by);
    if (says == AUDIT_SAYS_SAME)
        return says;
    find_names(&names, text, game->id);
    for (size_t i = 0; i < names.count; i++)
        games[by.game_count++] = (struct typed_game){names.name[i], game->ruleset->language, NULL};
    return names.count ? judge(mail, text, &by) : says;
}

/* ---- the whole ---- */

enum audit_says reply_says(const struct audit_mail *mail)
{
    struct reply_mail fields;
    struct reply reply;
    struct str canonical = STR_INIT;
    struct err err = ERR_INIT;
    enum audit_says says = AUDIT_SAYS_OTHER;
    vouching_body(&fields, &canonical, mail->raw, mail->claim);
    if (reply_cut(mail->cutter, &fields, (struct slice){"", 0}, &reply, &err))
        says = AUDIT_SAYS_NEWER;
    else if (!reply_names(mail->raw, &fields, slice_of(mail->game->id),
                          slice_sub(slice_of(mail->frame->head), 0, REPLY_HEAD)))
        says = AUDIT_SAYS_NOWHERE;
    else if (reply.fate == REPLY_TYPED || reply.fate == REPLY_HELD)
        says = read_typed(mail, slice_str(&reply.typed));
    reply_release(&reply);
    str_release(&canonical);
    return says;
}
