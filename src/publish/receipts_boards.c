/* Is the board in a report the one that the league's log has? Its proof.txt opens what the turn's record has sealed for the seat
 * (letters/opening.h), and from that the templates make the same words again. */
#include "publish/receipts_parts.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "game/view.h"
#include "journal/seal.h"
#include "letters/opening.h"
#include "report/render.h"

#define OPENINGS_MOST 64 /* of one mail: a digest has several */
#define PIECES        2

static const char *const pieces[PIECES] = {"board_own.txt", "board_table.txt"};

/* ---- what the log has ---- */

struct opening {
    struct record record;
    json_t *how, *told;
    int seat;
    struct str piece[PIECES]; /* the words of its board; empty: it has none */
    bool shown[PIECES], headed[PIECES], other, beside;
};

static void opening_release(struct opening *opening)
{
    record_release(&opening->record);
    json_decref(opening->how);
    json_decref(opening->told);
    for (int i = 0; i < PIECES; i++)
        str_release(&opening->piece[i]);
}

/* Is what was told what the record has sealed for the seat? */
static bool fits(const struct opening *opening, struct slice told)
{
    unsigned char salt[32], digest[32], seal[SEAL_BYTES], want[SEAL_BYTES];
    const char *coded = json_string_value(json_object_get(opening->how, "salt"));
    const char *sealed = json_string_value(
        json_array_get(json_object_get(opening->record.json, "reports"), (size_t)opening->seat - 1));
    char payload[65];
    if (!coded || !sealed || !hex_decode(salt, sizeof salt, slice_of(coded)) ||
        !hex_decode(want, sizeof want, slice_of(sealed)))
        return false;
    crypto_generichash(digest, sizeof digest, (const unsigned char *)told.p, told.len, NULL, 0);
    hex_to(payload, digest, sizeof digest);
    seal_of(seal, salt, slice_of(payload));
    return memcmp(seal, want, sizeof seal) == 0;
}

static bool opening_read(struct opening *opening, struct slice text)
{
    struct slice line, how, told;
    struct err why = ERR_INIT;
    *opening = (struct opening){.piece = {STR_INIT, STR_INIT}};
    if (!slice_whole_line(&text, &line) || record_parse(line, &opening->record, &why) ||
        !slice_line(&text, &how) || !slice_line(&text, &told) || text.len)
        return false;
    opening->how = json_read(how, "", &why);
    opening->told = json_read(told, "", &why);
    opening->seat = (int)json_integer_value(json_object_get(opening->how, "seat"));
    return opening->seat >= 1 && opening->seat <= SEATS_MAX && fits(opening, told);
}

static const char *name_in(const struct opening *opening, int seat)
{
    const char *name =
        json_string_value(json_array_get(json_object_get(opening->how, "names"), (size_t)seat - 1));
    return name ? name : "";
}

/* As a report has it (templates/common/report.txt). */
static void make_pieces(struct opening *opening, struct templates *templates)
{
    const json_t *view = json_object_get(opening->told, "view");
    const char *name = json_string_value(json_object_get(view, "game"));
    const struct ruleset *ruleset = name ? ruleset_newest(name) : NULL;
    struct arena arena = {NULL, NULL, 0};
    struct err why = ERR_INIT;
    if (!ruleset)
        return;
    struct game *names =
        mem_alloc(sizeof *names); /* nothing of it but who sits there, and for whom robots play */
    names->seats = (int)json_array_size(json_object_get(opening->record.json, "reports"));
    for (int seat = 1; seat <= names->seats && seat <= SEATS_MAX; seat++)
        (void)snprintf(names->seat[seat].player, sizeof names->seat[seat].player, "%s",
                       name_in(opening, seat));
    size_t index;
    json_t *robot;
    json_array_foreach (json_object_get(opening->how, "robots"), index, robot) {
        const json_int_t seat = json_integer_value(robot);
        if (seat >= 1 && seat <= SEATS_MAX)
            names->seat[seat].robot = names->seat[seat].resigned = true;
    }
    struct value *facts = value_of_json(&arena, view);
    view_names(facts, names, opening->seat);
    if (json_is_true(json_object_get(opening->how, "standing")))
        value_put_flag(facts, "standing", true);
    struct rendering list[PIECES];
    for (int i = 0; i < PIECES; i++)
        list[i] = (struct rendering){.name = pieces[i], .out = &opening->piece[i]};
    if (templates_render_all(templates, &(struct renderings){ruleset->folder, list, PIECES}, facts, &why))
        for (int i = 0; i < PIECES; i++)
            str_clear(&opening->piece[i]);
    arena_release(&arena);
    free(names);
}

/* ---- what the mail shows ---- */

static bool is_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

/* Letters and digits, with the sign of a number: what quoting, wrapping and pages leave of a text. */
static bool next_word(struct slice *text, struct slice *word)
{
    size_t at = 0, end;
    while (at < text->len && !is_letter(text->p[at]))
        at++;
    for (end = at; end < text->len && is_letter(text->p[end]);)
        end++;
    if (at && at < end && text->p[at] <= '9' && strchr("+-", text->p[at - 1]))
        at--;
    *word = slice_sub(*text, at, end - at);
    *text = slice_sub(*text, end, text->len);
    return word->len > 0;
}

/* Do its words begin with these, in whatever case, as pages have headings of their own? *all: they are no more. */
static bool words_begin(struct slice text, struct slice words, bool *all)
{
    struct slice one, other;
    while (next_word(&words, &one))
        if (!next_word(&text, &other) || one.len != other.len || strncasecmp(one.p, other.p, one.len) != 0)
            return false;
    *all = !next_word(&text, &other);
    return true;
}

static bool is_heading(struct slice line, const struct str *piece)
{
    struct slice rest = slice_trim(slice_str(piece)), first;
    bool all;
    return slice_line(&rest, &first) && words_begin(line, first, &all) && all;
}

/* Each board that begins here has to be one of those. */
static void look_at_line(struct slice from, struct slice line, struct opening *list, size_t count)
{
    bool known = false, all;
    for (size_t i = 0; i < count * PIECES; i++) {
        struct opening *one = &list[i / PIECES];
        const int k = (int)(i % PIECES);
        if (!is_heading(line, &one->piece[k]))
            continue;
        one->headed[k] = true;
        const bool same = words_begin(from, slice_str(&one->piece[k]), &all);
        one->shown[k] |= same;
        known |= same;
    }
    for (size_t i = 0; !known && i < count * PIECES; i++)
        list[i / PIECES].beside |= is_heading(line, &list[i / PIECES].piece[i % PIECES]);
}

static void look_at(struct slice text, struct opening *list, size_t count)
{
    struct slice rest = text, line;
    for (size_t i = 0; i < count; i++)
        memset(list[i].shown, 0, sizeof list[i].shown);
    for (struct slice from = rest; slice_line(&rest, &line); from = rest)
        look_at_line(from, line, list, count);
    for (size_t i = 0; i < count * PIECES; i++)
        list[i / PIECES].other |= list[i / PIECES].headed[i % PIECES] && !list[i / PIECES].shown[i % PIECES];
}

static void keep(struct receipts *receipts, size_t mail, const struct opening *opening,
                 enum receipts_shown shown)
{
    receipts->board =
        mem_grow(receipts->board, receipts->board_count, &receipts->board_cap, sizeof *receipts->board);
    struct receipts_board *board = &receipts->board[receipts->board_count++];
    *board = (struct receipts_board){.mail = mail, .shown = shown, .seat = opening ? opening->seat : 0};
    if (!opening)
        return;
    memcpy(board->head, opening->record.head, HEAD_BYTES);
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        (void)snprintf(board->name[seat], PLAYER_NAME, "%s", name_in(opening, seat));
}

void receipts_take_boards(struct receipts *receipts, size_t mail, const struct evidence *parts, size_t count)
{
    struct opening *list = mem_array(OPENINGS_MOST, sizeof *list);
    struct str text = STR_INIT;
    struct err why = ERR_INIT;
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        struct slice rest = parts[i].shown.len ? parts[i].shown : parts[i].exact;
        enum armored next;
        while (found < OPENINGS_MOST && (next = opening_next(&rest, &text, &why)) != ARMORED_NONE) {
            struct opening *one = &list[found];
            if (!receipts->templates)
                templates_open(NULL, &receipts->templates);
            if (next == ARMORED_GOOD && opening_read(one, slice_str(&text))) {
                make_pieces(one, receipts->templates);
                found++;
                continue;
            }
            keep(receipts, mail, NULL, SHOWN_BROKEN);
            if (next == ARMORED_GOOD)
                opening_release(one);
        }
    }
    for (size_t i = 0; found && i < count; i++)
        if (!*parts[i].name)
            look_at(parts[i].shown.len ? parts[i].shown : parts[i].exact, list, found);
    for (size_t i = 0; i < found; i++) {
        const struct opening *one = &list[i];
        keep(receipts, mail, one,
             one->other                         ? SHOWN_OTHER
             : one->beside                      ? SHOWN_BESIDE
             : one->headed[0] || one->headed[1] ? SHOWN_SAME
                                                : SHOWN_NOT);
        opening_release(&list[i]);
    }
    str_release(&text);
    free(list);
}

/* ---- judging ---- */

/* That of the record which has sealed it; else, as it opens nothing then, any of its mail. */
static const struct receipts_claim *claim_of(const struct receipts *receipts, struct receipts_board *board)
{
    const struct receipts_claim *beside = NULL;
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if (memcmp(claim->head, board->head, HEAD_BYTES) == 0)
            return claim;
        beside = claim->mail == board->mail ? claim : beside;
    }
    board->shown = SHOWN_BROKEN;
    return beside;
}

/* The seat that it calls by another name than the journal; 0 = none. */
static int misnamed(const struct ledger *ledger, const struct receipts_board *board, int64_t seq)
{
    for (int seat = 1; seat <= SEATS_MAX && (size_t)seq <= ledger->count; seat++) {
        const char *sits = ledger_sits(ledger, seq, seat);
        if (*sits && strcmp(sits, board->name[seat]) != 0)
            return seat;
    }
    return 0;
}

static void judge_board(struct receipts *receipts, struct receipts_board *board)
{
    static const struct {
        enum receipts_weight weight;
        const char *words;
    } says[] = {
        [SHOWN_SAME] = {RECEIPTS_GOOD, "the board in this mail is the one that the league's log has"},
        [SHOWN_OTHER] = {RECEIPTS_WRONG, "the board in this mail is not the one that the league's log has"},
        [SHOWN_BESIDE] = {RECEIPTS_ASK, "beside the board that the league's log has this mail shows another"},
        [SHOWN_NOT] = {RECEIPTS_NOTE, "a board of the league's log is proved here, but not shown"},
        [SHOWN_BROKEN] = {RECEIPTS_ASK, "what should prove the board in this mail was cut or changed"}};
    const struct receipts_claim *claim = claim_of(receipts, board);
    if (!claim)
        return;
    const struct ledger *ledger = &receipts->ledger[claim->ledger];
    /* Of a record that was lost the journal says nothing. */
    const bool there = board->shown == SHOWN_SAME && receipts_is_of(ledger, claim);
    const int seat = there ? misnamed(ledger, board, claim->seq) : 0;
    struct receipts_finding *finding =
        receipts_find(receipts, seat ? RECEIPTS_WRONG : says[board->shown].weight, RECEIPTS_BOARD, ledger,
                      claim->seq, board->mail);
    finding->seat = board->seat;
    if (seat)
        (void)snprintf(finding->text, sizeof finding->text,
                       "the board in this mail calls seat %d \"%s\", and the journal \"%s\"", seat,
                       board->name[seat], ledger_sits(ledger, claim->seq, seat));
    else
        (void)snprintf(finding->text, sizeof finding->text, "%s", says[board->shown].words);
}

static bool has_board(const struct receipts *receipts, size_t mail)
{
    for (size_t i = 0; i < receipts->board_count; i++)
        if (receipts->board[i].mail == mail)
            return true;
    return false;
}

void receipts_judge_boards(struct receipts *receipts)
{
    for (size_t i = 0; i < receipts->board_count; i++)
        judge_board(receipts, &receipts->board[i]);
    for (size_t i = 0; i < receipts->claim_count; i++) {
        const struct receipts_claim *claim = &receipts->claim[i];
        if ((claim->kind != ENTRY_TURN && claim->kind != ENTRY_START) || has_board(receipts, claim->mail))
            continue;
        struct receipts_finding *finding =
            receipts_find(receipts, RECEIPTS_NOTE, RECEIPTS_BOARD, &receipts->ledger[claim->ledger],
                          claim->seq, claim->mail);
        (void)snprintf(finding->text, sizeof finding->text, "nothing in this mail proves its board");
    }
}
