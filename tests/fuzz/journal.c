/* Fuzz target: the lines of a game file. A line "+TYPE {...}" is a
 * record that is signed here, by the league's own key and at the place where it stands, and then applied:
 * the owner of the key may write anything, and those who audit the journal must still only get a sentence.
 * Every other line is a journal's line as it is found on disk.
 *
 * Seeds: those of tests/fuzz/audit.c, which have the same form, and the first lines of recorded games. */
#include "fixed.h"

#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/utf8.h"
#include "game/apply.h"
#include "journal/record.h"

#define LINES_MOST 40

static struct fixed fixed;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    fixed_init(&fixed);
    return 0;
}

/* ---- lines as they are ---- */

static void need_sentence(const struct err *err)
{
    need((err->code == ERR_BROKEN || err->code == ERR_NEWER) && err->text[0] &&
         utf8_valid(slice_of(err->text)) && !strchr(err->text, '\n'));
}

static void raw_line(struct slice line)
{
    struct record record;
    struct err err = ERR_INIT;
    if (record_parse(line, &record, &err)) {
        need_sentence(&err);
        need(record.json == NULL);
        return;
    }
    need(record.seq >= 1 && name_valid(slice_of(record.game)) && json_is_object(record.json));
    const struct record_place next = {record.game, record.seq + 1, record.prev};
    need(record_follows(&record, &(struct record_place){record.game, record.seq, record.prev}, &err) == 0 &&
         record_follows(&record, &next, &err) != 0);
    need_sentence(&err);
    record_release(&record);
}

/* ---- records made here ---- */

static bool made_line(struct game *game, struct slice text, struct seal_keys *keys)
{
    char type[12] = "";
    struct slice word;
    struct err err = ERR_INIT;
    struct record record;
    struct str line = STR_INIT;
    unsigned char head[HEAD_BYTES];
    bool on = false;
    if (!slice_word(&text, &word) || word.len >= sizeof type)
        return true;
    memcpy(type, word.p, word.len);
    for (const char *p = type; *p; p++)
        if (*p < 'a' || *p > 'z')
            return true;
    json_t *fields = json_read(slice_trim(text), "fields", &err);
    if (!json_is_object(fields)) {
        json_decref(fields);
        return true;
    }
    record_write(&line, &(struct record_text){{"gc-1", game->seq + 1, game->head}, type, NOON, fields}, head);
    err_clear(&err);
    if (record_parse(slice_str(&line), &record, &err)) {
        need_sentence(&err);
    } else {
        need(memcmp(record.head, head, sizeof head) == 0);
        struct sealed_set opened = {NULL, 0, 0};
        struct apply_input input = {&record, game->journal.length + (int64_t)line.len, &opened, NULL, NULL,
                                    false};
        struct seal_promise promise;
        if (game->seq == 0 && seal_promise_read(&promise, "gc-1", record.json))
            seal_keys_of(keys, fixed.master, &promise);
        sealed_open(&opened, keys, record.json);
        /* What the fields repeat ("seq": 7) may not fit its place any more. */
        if (record_follows(&record, &(struct record_place){"gc-1", game->seq + 1, game->head}, &err) == 0 &&
            game_apply(game, &input, &err) == 0) {
            on = true;
        } else {
            need(err.code != ERR_NONE && err.text[0] && utf8_valid(slice_of(err.text)));
        }
        sealed_set_release(&opened);
        record_release(&record);
    }
    json_decref(fields);
    str_release(&line);
    return on;
}

/* What is asked of a game that an auditor has loaded. */
static void look_at(const struct game *game)
{
    struct score scores[SEATS_MAX + 1];
    unsigned char digest[32];
    if (!game->state || game->turn == 0)
        return;
    memset(scores, 0, sizeof scores);
    game->ruleset->end.scores(game->cards, game->state, scores);
    fields_digest(game->ruleset->fields, game->state, digest);
    struct arena arena = {0};
    for (int seat = 0; seat <= game->seats; seat++)
        (void)game->ruleset->view(game->cards, game->state, seat, &arena);
    arena_release(&arena);
    need(game->ruleset->end.ending(game->state) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice rest = {(const char *)data, size};
    struct slice line;
    struct seal_keys keys = {.seals = false};
    struct game game;
    bool on = true;
    int count = 0;
    game_init(&game);
    memcpy(game.id, "gc-1", sizeof "gc-1");
    while (slice_line(&rest, &line) && count++ < LINES_MOST) {
        if (line.len && line.p[0] == '+')
            on = on && made_line(&game, slice_sub(line, 1, line.len), &keys);
        else if (line.p + line.len < (const char *)data + size)
            raw_line((struct slice){line.p, line.len + 1});
    }
    look_at(&game);
    game_release(&game);
    return 0;
}
