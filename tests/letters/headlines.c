/* What reports say first, and how long they are: in all recorded games and in random ones, for each seat and for who only watches, there is news of a
 * kind that has words, it fits into subject and first line, and nothing of it depends on what the reader may not know.
 * README.md shows how one of them begins; GOLDEN_WRITE=1 writes that again.
 * PROPERTY_GAMES=10000 plays a 500th of that many games of each number of seats: about as many positions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "game/apply.h"
#include "game/game_load.h"
#include "letters/letters_parts.h"
#include "play/headline.h"
#include "play/random_game.h"
#include "play/replies.h"
#include "play/facts.h"
#include "play/step_parts.h"
#include "play/trial.h"
#include "play/typos.h"
#include "report/render.h"
#include "suite.h"

#define RECORDED "games"
#define WRONG    "words" /* a recorded game in which a dozen lines a turn are wrong on purpose */
#define PLAYS    400     /* of a random game, at most */
#define SUBJECT  60
#define LINE     72
#define KINDS    200
/* A table of six players with all that they own, and a turn in which a dozen fleets fight. */
#define MOST       170
#define LENGTHS    600 /* reports of a kind in the recorded games of a ruleset, at most */
#define WORDS_MOST 80  /* before one's choices, of ours */
#define PAGE_MOST  (32 << 10)
#define TEXT_HALF  3100 /* bytes: half of the turn reports */
#define NEWS_MOST  40   /* columns of the news, before what is added while there is room */
#define CHOICES    5    /* that a question shows (intake/reply_act.c) */
/* What the README shows: to seat 3, with the board of games/board.svg. */
#define SHOWN       "galaxy-command"
#define SHOWN_TURN  9
#define SHOWN_SEAT  3
#define SHOWN_LINES 26

static struct templates *templates;
static int positions;
static char seen[KINDS][64]; /* "galaxy_command/lost" */
static int kinds, shown, alerts, ends;

/* How long mails to players are in recorded games: half of them at most as long as this, in lines, and in words before one's choices.
 * Nine of ten, and all receipts and questions (without what proves them, and whose they are), have no more lines than stand with their ruleset. What is longer than 90 and 45 has
 * what its reader needs: a fight in each sector (Command), a round of other moves (Supremacy, Contract), a farm,
 * its ring and what eight representatives want (Farmer), a last turn in which much happens. */
enum kind { TURN, FIRST, OVER, RECEIPT, REMINDER, QUESTION, KINDS_OF_MAIL };
static const char *const kind_names[] = {"turn", "first", "over", "receipt", "reminder", "question"};
static const struct {
    int lines, words;
} half_most[] = {{90, 60}, {65, 60}, {46, 0}, {20, 0}, {40, 60}, {20, 25}};
static const struct {
    const char *ruleset;
    int nine[KINDS_OF_MAIL];
} budgets[] = {{"galaxy-command", {93, 65, 48, 20, 40, 20}},
               {"galactic-supremacy", {88, 65, 48, 20, 46, 20}},
               {"galactic-contract", {92, 65, 46, 20, 44, 20}},
               {"galaxy-farmer", {90, 65, 40, 20, 41, 20}}};
#define BUDGETS (sizeof budgets / sizeof *budgets)
static struct length {
    int count, lines[LENGTHS], words[LENGTHS], bytes[LENGTHS];
} lengths[BUDGETS][KINDS_OF_MAIL];
static bool recorded;

static void note(const struct game *game, const char *what, const struct value *kind)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s/%s/%.*s", game->ruleset->folder, what, (int)kind->name.len,
                   kind->name.p);
    for (int i = 0; i < kinds; i++)
        if (strcmp(seen[i], name) == 0)
            return;
    ck_assert_int_lt(kinds, KINDS);
    (void)snprintf(seen[kinds++], sizeof *seen, "%s", name);
}

/* ---- one report ---- */

struct said {
    struct str subject, first, stakes, text;
};

static void said_release(struct said *said)
{
    str_release(&said->subject);
    str_release(&said->first);
    str_release(&said->stakes);
    str_release(&said->text);
}

static void words(const struct game *game, const char *name, const struct value *facts, struct str *out)
{
    struct err err = ERR_INIT;
    struct rendering what = {.name = name, .out = out};
    ck_ok(templates_render_all(templates, &(struct renderings){game->ruleset->folder, &what, 1}, facts, &err),
          err);
}

/* A fact and what its words may look at beside it: nothing else of a report. */
static const struct value *alone(const struct value *told, const struct value *of)
{
    static const char *const beside[] = {"view", "stakes", "lead"};
    const struct value *kind = value_first(of);
    struct value *facts = value_object(value_arena(told));
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (value_get(told, beside[i]))
            value_put(facts, beside[i], value_get(told, beside[i]));
    value_put_named(facts, &kind->name, kind);
    return facts;
}

/* No other fact of a report is called as a kind is: the words are those of the one kind alone. */
static void check_alone(const struct game *game, const struct post *post, const struct outgoing *mail,
                        struct said *said)
{
    const struct value *stakes = value_get(post->told, "stakes");
    const struct value *headline = value_get(post->told, "headline");
    const struct value *news = headline ? value_get(headline, "news") : NULL;
    struct str piece = STR_INIT;
    if (news) {
        note(game, "news", value_first(news));
        words(game, "headline_news.txt", alone(post->told, news), &piece);
        str_cut(&piece, slice_find(slice_str(&piece), "\n"));
        ck_assert_msg(piece.len > 5 && (strstr(said->first.p, "missed") ||
                                        strncmp(said->first.p, piece.p, piece.len) == 0),
                      "not alone: \"%s\" but %s", piece.p, said->first.p);
        ck_assert_msg(utf8_width(slice_str(&piece)) <= NEWS_MOST, "long news: %s", piece.p);
        str_clear(&piece);
    }
    if (stakes) {
        ck_assert_int_eq((int)value_count(stakes), 1);
        note(game, "stakes", value_first(stakes));
        words(game, "stakes.txt", alone(post->told, stakes), &said->stakes);
        str_addf(&piece, "%s\n\n%s\n", said->first.p, said->stakes.p);
        ck_assert_msg(strncmp(mail->text.p, piece.p, piece.len) == 0, "not alone: \"%s\" but\n%.600s",
                      said->stakes.p, mail->text.p);
    }
    str_release(&piece);
}

static int count_words(struct slice text)
{
    struct slice word;
    int count = 0;
    while (slice_word(&text, &word))
        count++;
    return count;
}

static int count_lines(struct slice text)
{
    struct slice line;
    int count = 0;
    while (slice_line(&text, &line))
        count++;
    return count;
}

static void keep_length(const struct game *game, enum kind kind, struct slice text, int words)
{
    for (size_t i = 0; recorded && i < BUDGETS; i++) {
        struct length *length = &lengths[i][kind];
        if (strcmp(budgets[i].ruleset, game->ruleset->name) != 0)
            continue;
        ck_assert_int_lt(length->count, LENGTHS);
        length->lines[length->count] = count_lines(text);
        length->bytes[length->count] = (int)text.len;
        length->words[length->count++] = words;
    }
}

static int by_size(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void check_lengths_of(size_t ruleset, enum kind kind)
{
    struct length *length = &lengths[ruleset][kind];
    const int count = length->count;
    ck_assert_int_gt(count, 0);
    qsort(length->lines, (size_t)count, sizeof *length->lines, by_size);
    qsort(length->words, (size_t)count, sizeof *length->words, by_size);
    qsort(length->bytes, (size_t)count, sizeof *length->bytes, by_size);
    const int bytes = length->bytes[(count - 1) / 2];
    const int half = length->lines[(count - 1) / 2], nine = length->lines[(count - 1) * 9 / 10];
    const int words = length->words[(count - 1) / 2];
    printf("%s, %s: half have at most %d lines and %d bytes, nine of ten %d lines, all %d; words before the "
           "choice: "
           "half %d, all %d\n",
           budgets[ruleset].ruleset, kind_names[kind], half, bytes, nine, length->lines[count - 1], words,
           length->words[count - 1]);
    ck_assert_int_le(half, half_most[kind].lines);
    ck_assert_int_le(words, half_most[kind].words);
    ck_assert(kind != TURN || bytes <= TEXT_HALF);
    const int most = kind == RECEIPT || kind == QUESTION ? length->lines[count - 1] : nine;
    ck_assert_int_le(most, budgets[ruleset].nine[kind]);
    ck_assert(kind != QUESTION || length->words[count - 1] <= half_most[kind].words);
}

static void check_lengths(void)
{
    for (size_t i = 0; i < BUDGETS; i++)
        for (enum kind kind = TURN; kind < KINDS_OF_MAIL; kind++)
            check_lengths_of(i, kind);
}

/* What is one is not told as several. */
static void check_one(const struct game *game, int seat, struct slice text)
{
    static const char *const several[] = {"points", "cards",   "event cards",   "worlds", "trades",
                                          "orders", "workers", "constructions", "turns",  "cubes"};
    for (size_t i = 0; i < sizeof several / sizeof *several; i++) {
        char wrong[32];
        (void)snprintf(wrong, sizeof wrong, " 1 %s", several[i]);
        const size_t at = slice_find(text, wrong);
        ck_assert_msg(at == (size_t)-1, "%s, turn %d, seat %d: %.60s", game->id, game->turn, seat,
                      text.p + (at == (size_t)-1 ? 0 : at));
    }
}

static void check_length(const struct game *game, int seat, const struct outgoing *mail)
{
    const struct slice text = slice_str(&mail->text);
    const size_t choices = slice_find(text, "\nYOUR CHOICES\n");
    const bool offers = choices != (size_t)-1;
    const int lines = count_lines(text), words = offers ? count_words(slice_sub(text, 0, choices)) : 0;
    ck_assert_msg(mail->html.len < PAGE_MOST, "%s, turn %d, seat %d: a page of %zu bytes", game->id,
                  game->turn, seat, mail->html.len);
    ck_assert_msg(slice_find(text, "\n     Done.\n") == (size_t)-1,
                  "%s, turn %d, seat %d: what did not work was done:\n%s", game->id, game->turn, seat,
                  text.p);
    ck_assert_msg(seat || slice_find(text, "\nYour ") == (size_t)-1,
                  "%s, turn %d: who watches has done nothing:\n%s", game->id, game->turn, text.p);
    if (seat && (game->over || offers))
        keep_length(game, game->over ? OVER : game->turn == 1 ? FIRST : TURN, text, words);
    if (!offers)
        return;
    ck_assert_msg(lines <= MOST, "%s, turn %d, seat %d: %d lines:\n%s", game->id, game->turn, seat, lines,
                  text.p);
    if (slice_find(text, " not work, see below:") < choices) /* which says what the player wrote */
        return;
    ck_assert_msg(words <= WORDS_MOST, "%s, turn %d, seat %d: %d words come before the choices:\n%.*s",
                  game->id, game->turn, seat, words, (int)choices, text.p);
}

/* No small letter, and no cell of a table: what is below it begins there. */
static bool is_heading(struct slice line)
{
    bool letters = line.len > 3 && line.p[0] >= 'A' && line.p[0] <= 'Z';
    for (size_t i = 0; letters && i < line.len; i++)
        letters = !(line.p[i] >= 'a' && line.p[i] <= 'z') && line.p[i] != ':';
    return letters;
}

/* Headings stand apart, and each is there once; so is a turn that something is told of. */
static void check_parts(const struct game *game, int seat, struct slice text)
{
    struct slice rest = text, line, before = {"", 0};
    bool story = false;
    while (slice_line(&rest, &line)) {
        const struct slice turn = slice_sub(line, 0, slice_find(line, ":"));
        const bool names_turn = story && turn.len < line.len && slice_starts(line, "Turn ") && turn.len < 9;
        story |= slice_starts(line, "WHAT HAPPENED");
        ck_assert_msg(!is_heading(line) || !before.len, "%s, turn %d, seat %d: \"%.*s\" follows \"%.*s\"",
                      game->id, game->turn, seat, (int)line.len, line.p, (int)before.len, before.p);
        struct str again = STR_INIT;
        str_addf(&again, "\n%.*s", (int)(names_turn ? turn.len + 1 : line.len), line.p);
        str_adds(&again, names_turn ? "" : "\n");
        ck_assert_msg((!is_heading(line) && !names_turn) || slice_find(rest, again.p) >= rest.len,
                      "%s, turn %d, seat %d: twice:%s", game->id, game->turn, seat, again.p);
        str_release(&again);
        before = line;
    }
}

/* A die is told with what it was rolled for, whoever else is told of between. */
static void check_dice(const struct game *game, int seat, struct slice text)
{
    struct slice rest = text, line, item = {"", 0};
    while (game->ruleset->shown.belong && slice_line(&rest, &line)) {
        item = slice_starts(line, "* ") || !slice_starts(line, "  ") ? line : item;
        const bool rolls = slice_find(line, " roll ") < line.len || slice_find(line, " rolls ") < line.len;
        ck_assert_msg(!rolls || slice_starts(item, "* Red alert: "), "%s, turn %d, seat %d: %.*s", game->id,
                      game->turn, seat, (int)line.len, line.p);
        alerts += rolls;
    }
}

/* One player's turn is told as it happened: what they ordered, then the event. */
static void check_order(const struct game *game, int seat, struct slice text)
{
    const size_t event = slice_find(text, "\n* Event: ");
    const struct slice after = slice_sub(text, event < text.len ? event : text.len, text.len);
    if (strcmp(game->ruleset->name, "galaxy-farmer") != 0 || slice_find(text, "IN TURNS") < text.len)
        return;
    ck_assert_msg(
        slice_find(after, "\n* You fly") >= after.len && slice_find(after, " flies to") >= after.len,
        "%s, turn %d, seat %d: in another order than it happened:\n%s", game->id, game->turn, seat, text.p);
}

/* The table at the end has the players as they came in, and those without a place last. */
static void check_places(const struct game *game, int seat, const struct post *post, struct slice text)
{
    const struct value *list = value_get(post->told, "by_place"), *place;
    int64_t last = 1;
    size_t at = slice_find(text, "\nIt is over"), count = 0;
    struct slice rest = slice_sub(text, at < text.len ? at : 0, text.len);
    for (const struct value *one = list ? value_first(list) : NULL; one; one = one->next, count++) {
        struct str row = STR_INIT;
        place = value_get(one, "place");
        const int64_t number = place->kind == VALUE_INTEGER ? place->number : SEATS_MAX + 1;
        str_adds(&row, "\n");
        if (number <= SEATS_MAX)
            str_addf(&row, "%d ", (int)number);
        str_adds(&row, value_get(one, "who")->text.p);
        at = slice_find(rest, row.p);
        ck_assert_msg(number >= last && at < rest.len, "%s, seat %d: \"%s\" is not in its place:\n%s",
                      game->id, seat, row.p + 1, text.p);
        rest = slice_sub(rest, at + 1, rest.len);
        last = number;
        str_release(&row);
    }
    ck_assert_uint_eq(count, (size_t)(game->seats > 1 || count ? game->seats : 0));
    ends += count > 1;
}

/* For whoever wants to look at them, and for e2e/phone.py: <game>-<turn>-<seat>.<kind>.txt and .html. */
static void dump(const struct game *game, int seat, const struct outgoing *mail, bool receipt)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT, text = STR_INIT;
    const char *kind = receipt           ? "receipt"
                       : !seat           ? "watched"
                       : game->over      ? "over"
                       : game->turn == 1 ? "first"
                                         : "report";
    str_addf(&text, "Subject: %s\n\n%s", mail->subject.p, mail->text.p);
    str_addf(&path, "%s/%s-%02d-%d.%s.txt", getenv("DUMP"), game->id, game->turn, seat, kind);
    ck_ok(file_write_soft(path.p, slice_str(&text), 0644, &err), err);
    str_cut(&path, path.len - strlen("txt"));
    str_adds(&path, "html");
    ck_ok(file_write_soft(path.p, slice_str(&mail->html), 0644, &err), err);
    str_release(&path);
    str_release(&text);
}

/* What happened is told in the same words when the deadline was moved for somebody who is away. */
static void check_away(const struct game *game, struct post *post, const struct draft *draft,
                       struct slice text)
{
    static const char mark[] = "\nWHAT HAPPENED";
    struct err err = ERR_INIT;
    struct outgoing mail = OUTGOING_INIT;
    json_t *away = json_pack("[{s:i,s:s,s:s,s:s}]", "seat", 1, "player", game->seat[1].player, "from",
                             "2026-11-26", "to", "2026-12-03");
    facts_away(post->facts, away, post->seat);
    ck_ok(letters_render(templates, draft, &mail, &err), err);
    const struct slice moved = slice_str(&mail.text);
    const size_t from = slice_find(text, mark), to = slice_find(moved, mark);
    ck_assert_msg(slice_find(moved, post->seat == 1 ? "You are away from Thu 26 Nov to Thu 3 Dec"
                                                    : " is away from Thu 26 Nov to Thu 3 Dec") <
                      (from == (size_t)-1 ? moved.len : to),
                  "%s, turn %d, seat %d: nobody is away:\n%s", game->id, game->turn, post->seat, moved.p);
    if (from != (size_t)-1)
        ck_assert_str_eq(moved.p + to, text.p + from);
    json_object_del(post->facts, "moved");
    json_decref(away);
    outgoing_release(&mail);
}

/* As letters have it, with the place that an answer needs. */
static void say(const struct game *of, int seat, bool missed, struct said *said)
{
    struct game shown_by_reply = *of; /* borrows all that it has */
    const struct game *game = &shown_by_reply;
    static const char boundary[] = "#-aaaaaaaaaaaaaaaa-#";
    struct err err = ERR_INIT;
    struct step step;
    const struct step_keys keys = {0};
    struct outgoing mail = OUTGOING_INIT;
    struct slice rest, line = {"", 0};
    shown_by_reply.table.by_mail = true;
    step_init(&step, &keys, 0);
    if (seat) {
        step_report(&step, game, POST_REPORT, seat, missed);
    } else {
        step_tell(&step, game, POST_TOLD, "observed", 0, "", step_observed(game, game->turn - 1));
    }
    struct post *post = &step.posts[0];
    json_object_set_new(
        post->facts, "by_reply",
        json_pack("{s:s,s:s,s:s}", "boundary", boundary, "game", game->id, "digits", "0123456789abcdef"));
    json_object_set_new(post->facts, "keyless", json_true());
    json_object_set_new(post->facts, "picture", json_true());
    json_object_set_new(post->facts, "league", json_string("Orion League"));
    json_object_set_new(post->facts, "proof_record", json_integer(game->seq));
    json_object_set_new(post->facts, game->turn == 1 ? "welcome" : "later", json_true());
    const struct draft draft = {.name = seat ? "report" : "observed",
                                .folder = game->ruleset->folder,
                                .facts = post->facts,
                                .view = post->view,
                                .told = post->told,
                                .html = true};
    ck_ok(letters_render(templates, &draft, &mail, &err), err);
    if (getenv("DUMP"))
        dump(game, seat, &mail, false);
    check_length(game, seat, &mail);
    check_parts(game, seat, slice_str(&mail.text));
    check_dice(game, seat, slice_str(&mail.text));
    check_order(game, seat, slice_str(&mail.text));
    if (game->over && seat)
        check_places(game, seat, post, slice_str(&mail.text));
    ck_assert_msg(!game->over || !strstr(mail.subject.p, "missed"), "%s", mail.subject.p);
    check_one(game, seat, slice_str(&mail.text));
    check_one(game, seat, slice_str(&mail.subject));
    check_one(game, seat, slice_str(&mail.html));
    if (seat && !game->over)
        check_away(game, post, &draft, slice_str(&mail.text));
    rest = slice_str(&mail.text);
    (void)slice_line(&rest, &line);
    *said = (struct said){STR_INIT, STR_INIT, STR_INIT, STR_INIT};
    str_addslice(&said->text, slice_str(&mail.text));
    str_addslice(&said->subject, letters_reply_subject(slice_str(&mail.subject)));
    str_addslice(&said->first, line);
    if (post->told)
        check_alone(game, post, &mail, said);
    ck_assert_msg(slice_find(line, boundary) != (size_t)-1, "%s", said->first.p);
    outgoing_release(&mail);
    step_release(&step);
}

/* The block of code after "a report begins" in README.md is subject and first lines, without the codes that an answer
 * needs. */
static void check_readme(const struct said *said)
{
    static const char mark[] = "report begins:\n\n", path[] = "README.md";
    struct err err = ERR_INIT;
    struct str page = STR_INIT, now = STR_INIT, whole = STR_INIT;
    struct slice rest = slice_str(&said->text), line;
    ck_ok(file_read(path, (size_t)1 << 20, &page, &err), err);
    size_t begin = slice_find(slice_str(&page), mark);
    ck_assert_msg(begin != (size_t)-1, "README.md has no \"report begins:\"");
    begin += strlen(mark);
    str_addf(&now, "    Subject: %s\n\n", said->subject.p);
    for (int i = 0; i < SHOWN_LINES && slice_line(&rest, &line); i++) {
        const size_t codes = slice_find(line, " #-");
        if (codes != (size_t)-1)
            line.len = codes;
        str_addf(&now, line.len ? "    %.*s\n" : "%.*s\n", (int)line.len, line.p);
    }
    str_adds(&now, "    ...\n");
    const char *end = strstr(page.p + begin, "\n\nTurnpost is for");
    ck_assert_msg(end != NULL, "README.md has no \"Turnpost is for\" after the report");
    const struct slice kept = {page.p + begin, (size_t)(end + 1 - page.p) - begin};
    if (getenv("GOLDEN_WRITE")) {
        str_addslice(&whole, (struct slice){page.p, begin});
        str_addslice(&whole, slice_str(&now));
        str_adds(&whole, end + 1);
        ck_ok(file_write_soft(path, slice_str(&whole), 0644, &err), err);
    } else {
        ck_assert_msg(slice_eq(kept, now.p), "README.md shows another report (make golden):\n%s", now.p);
    }
    str_release(&whole);
    str_release(&now);
    str_release(&page);
}

static void check(const struct game *game, int seat, bool missed)
{
    struct said said;
    say(game, seat, missed, &said);
    const char *news = strstr(said.subject.p, "] ");
    ck_assert_msg(news && strlen(news) > 10 && news[2] != '(' && news[2] != ':',
                  "%s, turn %d, seat %d: no news in \"%s\"", game->id, game->turn, seat, said.subject.p);
    ck_assert_msg(utf8_width(slice_str(&said.subject)) <= SUBJECT && !strchr(said.subject.p, '\n') &&
                      !strstr(said.subject.p, "\xE2\x80\xA6") && !strstr(said.subject.p, "  "),
                  "%s, turn %d, seat %d: subject \"%s\"", game->id, game->turn, seat, said.subject.p);
    struct score scores[SEATS_MAX + 1];
    game_scores(game, scores);
    if (seat && game->over && game->seats == 1) /* for points: nobody is there to lose to */
        ck_assert_msg(scores[1].won || !strstr(said.subject.p, "you lost") == (scores[1].fate != SEAT_LOST),
                      "%s", said.subject.p);
    const char *number = strstr(said.subject.p, "missed turn ");
    if (number)
        number += strlen("missed turn ") + strspn(number + strlen("missed turn "), "0123456789");
    ck_assert_msg(!number || *number != ' ' || number[1] == '(', "a sentence without its end: %s",
                  said.subject.p);
    ck_assert_msg(utf8_width(slice_str(&said.first)) <= LINE, "%s, turn %d, seat %d: first line \"%s\"",
                  game->id, game->turn, seat, said.first.p);
    /* in Supremacy for as long as nobody can harm anybody */
    const bool quiet = !game->ruleset->shown.stakes || strcmp(game->ruleset->name, "galactic-supremacy") == 0;
    ck_assert_msg(!seat || game->over || quiet || said.stakes.len > 20, "%s, turn %d, seat %d: no stakes",
                  game->id, game->turn, seat);
    if (strcmp(game->id, SHOWN) == 0 && game->turn == SHOWN_TURN + 1 && seat == SHOWN_SEAT) {
        check_readme(&said);
        shown++;
    }
    if (getenv("SHOW"))
        printf("%s t%d s%d | %s | %s | %s", game->id, game->turn, seat, said.subject.p, said.first.p,
               said.stakes.len ? said.stakes.p : "\n");
    said_release(&said);
    positions++;
}

/* ---- long names ---- */

static const char long_player[] = "abcdefghijklmnopqrstuvwxyz-01234", long_game[] = "orion-16-letters";

/* Players' names of the greatest length, and a game's that is long, leave room for the news, and for the turn. */
static void check_long_names(const struct game *of, int seat, bool missed)
{
    struct err err = ERR_INIT;
    struct step step;
    const struct step_keys keys = {0};
    struct outgoing mail = OUTGOING_INIT;
    struct game game = *of; /* borrows all that it has */
    (void)snprintf(game.id, sizeof game.id, "%s", long_game);
    for (int i = 1; i <= game.seats; i++) {
        (void)snprintf(game.seat[i].player, sizeof game.seat[i].player, "%s", long_player);
        game.seat[i].player[0] = (char)('a' + i);
    }
    step_init(&step, &keys, 0);
    step_report(&step, &game, POST_REPORT, seat, missed);
    const struct post *post = &step.posts[0];
    json_object_set_new(post->facts, game.turn == 1 ? "welcome" : "later", json_true());
    json_object_set_new(post->facts, "by_reply",
                        json_pack("{s:s,s:s}", "boundary", "#-aaaaaaaaaaaaaaaa-#", "game", game.id));
    const struct draft draft = {.name = "report",
                                .folder = game.ruleset->folder,
                                .facts = post->facts,
                                .view = post->view,
                                .told = post->told};
    ck_ok(letters_render(templates, &draft, &mail, &err), err);
    ck_assert_msg(utf8_width(slice_str(&mail.subject)) <= SUBJECT && !strchr(mail.subject.p, '~') &&
                      !strstr(mail.subject.p, "\xE2\x80\xA6"),
                  "%s, turn %d, seat %d: subject \"%s\"", of->id, game.turn, seat, mail.subject.p);
    const bool out = value_is_true(value_get(value_get(post->told, "headline"), "fallen"));
    ck_assert_msg(game.over || game.turn == 1 || out || strstr(mail.subject.p, "(turn"),
                  "%s, turn %d, seat %d: which turn? \"%s\"", of->id, game.turn, seat, mail.subject.p);
    ck_assert_msg(slice_find(slice_sub(slice_str(&mail.text), 0, slice_find(slice_str(&mail.text), "\n")),
                             "\xE2\x80\xA6") == (size_t)-1,
                  "%s, turn %d, seat %d: the first line is cut: %.90s", of->id, game.turn, seat, mail.text.p);
    if (getenv("SHOW"))
        printf("long %s\n", mail.subject.p);
    outgoing_release(&mail);
    step_release(&step);
}

/* What happens between turns is the subject of its mail, and an offer says how it is answered. */
START_TEST(an_offer_is_the_subject_of_its_mail)
{
    struct err err = ERR_INIT;
    struct outgoing mail = OUTGOING_INIT;
    struct game game;
    templates_open(NULL, &templates);
    random_start(&game, ruleset_newest("galactic-supremacy"), 3, 1);
    json_t *events =
        json_pack("[{s:s,s:i,s:i,s:i,s:s,s:s,s:I}]", "type", "offered", "seat", 2, "to_seat", 1, "number", 4,
                  "give", "1 fleet", "get", "5 credits", "visible", (json_int_t)(SEAT_BIT(1) | SEAT_BIT(2)));
    json_t *facts = facts_game(&game, 1);
    facts_news(facts, &game, 1, events);
    headline_between(facts, &game, 1, events);
    json_object_set_new(facts, "keyless", json_true());
    const struct draft draft = {.name = "notice", .folder = game.ruleset->folder, .facts = facts};
    ck_ok(letters_render(templates, &draft, &mail, &err), err);
    ck_assert_msg(strstr(mail.subject.p, " offers you a deal: offer 4") &&
                      strstr(mail.text.p, "Answer with \"accept 4\" or \"decline 4\"."),
                  "%s\n%s", mail.subject.p, mail.text.p);
    outgoing_release(&mail);
    json_decref(facts);
    json_decref(events);
    game_release(&game);
    templates_close(templates);
}
END_TEST

/* In random games of Supremacy: "ok" is what the robot would do, where that is among the choices; to pass is the last of several; and
 * who is not to move gets no choice that changes nothing. */
START_TEST(the_first_choice_does_something)
{
    int passes = 0, turns = 0;
    for (int number = 0; number < 3; number++) {
        struct game game;
        random_start(&game, ruleset_newest("galactic-supremacy"), 3, number);
        for (int i = 0; i < PLAYS && !game.over; i++) {
            struct events events;
            for (int seat = 1; seat <= game.seats; seat++) {
                struct str lines = STR_INIT;
                view_form(&game, seat, &lines);
                const bool awaited = game.ruleset->awaits(game.state) & SEAT_BIT(seat);
                const bool several = slice_find(slice_str(&lines), "\n") + 1 < lines.len;
                ck_assert_msg(awaited || (!strstr(lines.len ? lines.p : "", "defend all")), "%s", lines.p);
                passes += awaited && several && str_starts(lines.p, "pass\n");
                turns += awaited;
                str_release(&lines);
            }
            events_init(&events);
            random_play(&game, number, &events);
            events_release(&events);
        }
        game_release(&game);
    }
    printf("%d of %d turns begin with a pass\n", passes, turns);
    ck_assert_int_lt(10 * passes, turns);
}
END_TEST

/* A seat that is offered: the game of each ruleset, and a game's name of the greatest length. */
START_TEST(an_offered_seat_is_named_whole)
{
    struct err err = ERR_INIT;
    struct outgoing mail = OUTGOING_INIT;
    const char *title = rulesets[_i]->title;
    templates_open(NULL, &templates);
    json_t *facts =
        json_pack("{s:{s:{s:{s:s,s:s}}},s:{s:s,s:s}}", "joinable", "single", "open", "title", title, "about",
                  "", "by_reply", "boundary", "#-aaaaaaaaaaaaaaaa-#", "game", long_game);
    const struct draft draft = {.name = "invitation", .folder = "", .facts = facts};
    ck_ok(letters_render(templates, &draft, &mail, &err), err);
    const struct slice first = slice_sub(slice_str(&mail.text), 0, slice_find(slice_str(&mail.text), "\n"));
    ck_assert_msg(slice_find(first, title) < first.len && utf8_width(first) <= LINE &&
                      slice_find(first, "\xE2\x80\xA6") == (size_t)-1,
                  "%s", mail.text.p);
    outgoing_release(&mail);
    json_decref(facts);
    templates_close(templates);
}
END_TEST

/* ---- recorded games ---- */

/* What cannot work is told once. */
static void check_told_once(const struct game *game, int seat, struct slice text)
{
    struct slice rest = text, line;
    while (slice_line(&rest, &line)) {
        const size_t end = slice_find(line, ": cannot work");
        if (end == (size_t)-1)
            continue;
        char *told = slice_dup(slice_sub(line, 0, end));
        ck_assert_msg(text.p + slice_find(text, told) == line.p,
                      "%s, turn %d, seat %d: \"%s\" is told twice:\n%s", game->id, game->turn, seat, told,
                      text.p);
        free(told);
    }
}

/* What who has not answered is sent. */
static void check_reminder(const struct game *game, int seat)
{
    struct err err = ERR_INIT;
    struct outgoing mail = OUTGOING_INIT;
    json_t *facts = facts_game(game, seat);
    facts_view(facts, game, seat);
    facts_standing(facts, game, seat);
    json_object_set_new(facts, "reminds", json_true());
    json_object_set_new(facts, "by_reply",
                        json_pack("{s:s,s:s}", "boundary", "#-aaaaaaaaaaaaaaaa-#", "game", game->id));
    json_object_set_new(facts, "keyless", json_true());
    const struct draft draft = {.name = "reminder", .folder = game->ruleset->folder, .facts = facts};
    ck_ok(letters_render(templates, &draft, &mail, &err), err);
    const struct slice text = slice_str(&mail.text);
    const size_t choices = slice_find(text, "\nYOUR CHOICES\n");
    ck_assert_msg(choices != (size_t)-1, "%s", text.p);
    keep_length(game, REMINDER, text, count_words(slice_sub(text, 0, choices)));
    outgoing_release(&mail);
    json_decref(facts);
}

/* What is asked of a player who was not understood, or has mistyped a word: `why`. As letters have it, with one line of theirs. */
static void check_question(const struct game *game, int seat, const char *why)
{
    struct err err = ERR_INIT;
    struct outgoing mail = OUTGOING_INIT;
    struct suggestions suggestions;
    char foot[80];
    const bool can = strcmp(why, "ask_near") == 0;
    json_t *facts = facts_game(game, seat), *list = json_array();
    suggestions_make(&suggestions, game, seat);
    for (size_t i = 0; i < suggestions.count && i < CHOICES; i++)
        json_array_append_new(list,
                              json_pack("{s:i,s:s}", "number", (int)i + 1, "line", suggestions.lines[i]));
    json_object_set_new(facts, why, json_true());
    json_object_set_new(facts, "can_ok", json_boolean(can));
    json_object_set_new(facts, "orders", json_pack("[{s:s},{s:s}]", "line", "explore near", "line", "build"));
    json_object_set_new(facts, "has_doubts", json_boolean(can));
    json_object_set_new(facts, can ? "lines" : "other",
                        can ? json_pack("[{s:s,s:{s:{}}}]", "line", "explor near", "doubt", "doubt_near")
                            : json_string("bob"));
    if (!can)
        json_object_set_new(facts, "offered", json_pack("{s:O}", "choices", list));
    facts_not_read(facts, json_array(), false);
    json_object_set_new(
        facts, "by_reply",
        json_pack("{s:s,s:s,s:b}", "boundary", "#-aaaaaaaaaaaaaaaa-#", "game", game->id, "can_press", !can));
    json_object_set_new(facts, "keyless", json_true());
    const struct draft draft = {.name = "reply_ask", .folder = game->ruleset->folder, .facts = facts};
    ck_ok(letters_render(templates, &draft, &mail, &err), err);
    const struct slice text = slice_str(&mail.text);
    (void)snprintf(foot, sizeof foot, "\n%s, game", game->ruleset->title);
    const size_t choice = slice_find(text, can ? "We understood:" : "Press Reply");
    ck_assert_msg(choice < text.len && slice_find(text, foot) < text.len, "%s", text.p);
    keep_length(game, QUESTION, slice_sub(text, 0, slice_find(text, foot)),
                count_words(slice_sub(text, 0, choice)));
    if (getenv("SHOW"))
        printf("%s", text.p);
    suggestions_release(&suggestions);
    outgoing_release(&mail);
    json_decref(list);
    json_decref(facts);
}

/* The receipt of orders that are in, as a player gets it who plays by reply. */
static void check_receipt(const struct game *game, int seat)
{
    struct err err = ERR_INIT;
    struct outgoing mail = OUTGOING_INIT;
    const struct game_orders *orders = &game->seat[seat].orders;
    struct script *script = script_parse(slice_str(&orders->text), game->ruleset->language);
    struct trial *trial = trial_new(game, seat, script, NULL);
    json_t *facts = facts_game(game, seat);
    typos_facts(facts, game, seat, NULL);
    json_object_set_new(facts, "by_reply",
                        json_pack("{s:s,s:s}", "boundary", "#-aaaaaaaaaaaaaaaa-#", "game", game->id));
    json_object_set_new(facts, "keyless", json_true());
    json_object_set_new(facts, "league", json_string("Orion League")); /* which its page has as its title */
    json_object_set_new(facts, "replaces", json_true());
    json_object_set_new(facts, "proof_record", json_integer(game->seq));
    facts_standing(facts, game, seat);
    const struct draft draft = {
        .name = "receipt", .folder = game->ruleset->folder, .facts = facts, .trial = &trial, .html = true};
    ck_ok(letters_render(templates, &draft, &mail, &err), err);
    const struct slice text = slice_str(&mail.text);
    const size_t proof = slice_find(text, "Receipt: ");
    ck_assert_msg(proof != (size_t)-1, "%s", text.p);
    if (getenv("DUMP"))
        dump(game, seat, &mail, true);
    if (strcmp(game->id, WRONG) != 0)
        keep_length(game, RECEIPT, slice_sub(text, 0, proof), 0);
    check_told_once(game, seat, text);
    outgoing_release(&mail);
    trial_free(trial);
    json_decref(facts);
}

static void play_recorded(const char *id, struct slice lines, const struct sealed_set *sealed)
{
    struct err err = ERR_INIT;
    struct game game;
    struct slice line;
    uint32_t missed = 0;
    game_init(&game);
    (void)snprintf(game.id, sizeof game.id, "%s", id);
    while (slice_line(&lines, &line)) {
        struct record record;
        line.len++;
        ck_ok(record_parse(line, &record, &err), err);
        if (game.turn)
            missed = game_missing(&game);
        struct apply_input input = {&record, game.journal.length + (int64_t)line.len, sealed, NULL, NULL,
                                    true};
        ck_ok(game_apply(&game, &input, &err), err);
        if (strcmp(record.type, "orders") == 0)
            check_receipt(&game, (int)json_integer_value(json_object_get(record.json, "seat")));
        const bool played = strcmp(record.type, "turn") == 0 || strcmp(record.type, "start") == 0;
        for (int seat = game_shown_to(&game, 0) ? 0 : 1; played && seat <= game.seats; seat++)
            check(&game, seat, seat && (missed & SEAT_BIT(seat)));
        for (int seat = 1; played && seat <= game.seats; seat++)
            check_long_names(&game, seat, missed & SEAT_BIT(seat));
        for (int seat = 1; played && !game.over && seat <= game.seats; seat++)
            if ((game_awaited(&game) & SEAT_BIT(seat)) && !game.seat[seat].robot &&
                game_shown_to(&game, seat)) {
                check_reminder(&game, seat);
                check_question(&game, seat, game.turn % 2 ? "ask_near" : "ask_not_read");
            }
        record_release(&record);
    }
    game_release(&game);
}

/* What the boxes of a game that is over hold. */
static void open_all(struct slice lines, struct sealed_set *set)
{
    struct seal_keys keys = {.seals = false};
    struct slice line;
    seal_keys_published(&keys, lines);
    while (slice_line(&lines, &line)) {
        struct err err = ERR_INIT;
        json_t *record = json_read(line, "record", &err);
        sealed_open(set, &keys, record);
        json_decref(record);
    }
}

START_TEST(recorded_games_have_news)
{
    struct err err = ERR_INIT;
    struct file_names names;
    struct store *store = store_open(RECORDED);
    recorded = true;
    templates_open(NULL, &templates);
    ck_ok(store_games(store, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        struct str lines = STR_INIT;
        struct sealed_set sealed = {NULL, 0, 0};
        if (!store_has(store, names.name[i]))
            continue;
        ck_ok(store_read(store, names.name[i], STORE_BEGIN, &lines, &err), err);
        open_all(slice_str(&lines), &sealed);
        play_recorded(names.name[i], slice_str(&lines), &sealed);
        sealed_set_release(&sealed);
        str_release(&lines);
    }
    file_names_free(&names);
    store_close(store);
    templates_close(templates);
    printf("recorded games: %d reports looked at, %d kinds\n", positions, kinds);
    ck_assert_int_gt(positions, 100);
    ck_assert_int_eq(shown, 1);
    ck_assert_int_gt(alerts, 0);
    check_lengths();
    recorded = false;
}
END_TEST

/* ---- what is hidden ---- */

static bool same(const struct str *one, const struct str *other)
{
    return one->len == other->len && (!one->len || memcmp(one->p, other->p, one->len) == 0);
}

static void check_hidden(struct game *game, int seat, int number)
{
    struct said before, after;
    struct chance chance;
    void *state = game->state;
    say(game, seat, false, &before);
    game->state = mem_copy(state, game->ruleset->state_size);
    random_chance(&chance, "conceal", number, game->turn);
    game->ruleset->conceal(game->cards, game->state, seat, &chance);
    say(game, seat, false, &after);
    ck_assert_msg(
        same(&before.subject, &after.subject) && same(&before.first, &after.first) &&
            same(&before.stakes, &after.stakes),
        "%s with %d seats, game %d, turn %d, seat %d: what is hidden changes\n%s\n%s\n%sto\n%s\n%s\n%s",
        game->ruleset->name, game->seats, number, game->turn, seat, before.subject.p, before.first.p,
        before.stakes.len ? before.stakes.p : "", after.subject.p, after.first.p,
        after.stakes.len ? after.stakes.p : "");
    free(game->state);
    game->state = state;
    said_release(&before);
    said_release(&after);
    positions++;
}

static void play_random(const struct ruleset *ruleset, int seats, int number)
{
    struct game game;
    random_start(&game, ruleset, seats, number);
    for (int i = 0; i < PLAYS && !game.over; i++) {
        struct events events;
        events_init(&events);
        random_play(&game, number, &events);
        json_decref(game.told.events);
        game.told.events = events_json(&events, -1);
        events_release(&events);
        for (int seat = 0; seat <= seats && !game.over && (i + number) % (FEW ? 7 : 2) == 0; seat++)
            check_hidden(&game, seat, number);
        for (int seat = 0; seat <= seats; seat++)
            check(&game, seat, i % 5 == 4);
    }
    game_release(&game);
}

START_TEST(nothing_hidden_is_news)
{
    const char *more = getenv("PROPERTY_GAMES");
    int games = more ? (int)strtol(more, NULL, 10) / 500 : FEW ? 1 : 6;
    templates_open(NULL, &templates);
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *ruleset = rulesets[i];
        for (int seats = ruleset->seats_min; seats <= ruleset->seats_max; seats++)
            for (int number = 0; number < games; number++)
                play_random(ruleset, seats, number);
    }
    templates_close(templates);
    printf("random games: %d positions looked at, %d kinds\n", positions, kinds);
    ck_assert_int_gt(positions, 500);
    ck_assert_int_gt(ends, 0);
}
END_TEST

/* Who has missed so many turns that a robot has played is told whose the lines were. */
START_TEST(the_robot_s_orders_are_not_the_player_s)
{
    struct game game;
    struct events events;
    struct said said;
    templates_open(NULL, &templates);
    random_start(&game, ruleset_newest("galaxy-farmer"), 1, 1);
    events_init(&events);
    random_play(&game, 1, &events);
    game.told.events = events_json(&events, -1);
    events_release(&events);
    game.attendance.missed_robot = 3;
    for (int missed = 2; missed <= 4; missed++) {
        game.seat[1].missed = missed;
        say(&game, 1, true, &said);
        const bool robot = strstr(said.text.p, "a robot played for you") != NULL;
        const bool own = strstr(said.text.p, "\nYour ") && strstr(said.text.p, " done.");
        ck_assert_msg(strstr(said.subject.p, "] You missed turn 1. ") && strstr(said.subject.p, " (turn 2"),
                      "missed %d: %s", missed, said.subject.p);
        ck_assert_msg(
            robot == (missed >= 3) && own == !robot && robot == !!strstr(said.text.p, "robot's") &&
                robot == !strstr(said.text.p, "the cautious default turn") &&
                !(robot && (strstr(said.text.p, "The rest:") || strstr(said.text.p, "Skipped, as"))),
            "missed %d: %s", missed, said.text.p);
        said_release(&said);
    }
    game_release(&game);
    templates_close(templates);
}
END_TEST

/* A turn in which more than one thing happened: how many, and what else. Pieces are joined as a long line would. */
static const struct {
    const char *ruleset, *news, *said;
} turns_of_much[] = {
    {"galaxy-farmer",
     "[{'landed': {'planet': 'Solis', 'killed': 1, 'killed_now': 2}},"
     " {'landed': {'planet': 'Rubra', 'killed': 1, 'killed_now': 3}}]",
     "Enemies killed 2, first at Rubra: 3 of 4 workers gone"},
    {"galaxy-farmer",
     "[{'order_done': {'card': 'Green Platter', 'score_now': 4}},"
     " {'order_failed': {'card': 'Dusk Roll', 'failed_now': 1, 'limit': 4}},"
     " {'order_failed': {'card': 'Ash Jelly', 'failed_now': 2, 'limit': 4}}]",
     "Order failed: Ash Jelly and 1 more; done: Green Platter, 2 of 4"},
    {"galaxy-command",
     "[{'attack_won': {'you': true, 'system': 'Kapteyn'}}, {'home_lost': {'who': 'bob'}},"
     " {'revolt_lost': {'you': true, 'system': 'Tau Ceti'}}]",
     "You lost Tau Ceti, but won Kapteyn; bob is out"},
    {"galaxy-command",
     "[{'attack_won': {'you': true, 'system': 'Kruger'}}, {'revolt_lost': {'you': true, 'system': "
     "'Kruger'}}]",
     "You won and lost Kruger"},
    {"galaxy-command",
     "[{'revolt_lost': {'you': true, 'system': 'Kruger'}}, {'attack_won': {'you': true, 'system': "
     "'Kruger'}}]",
     "You won back Kruger: score"},
    {"galactic-contract",
     "[{'traded': {'you': true, 'planet': 'Veld', 'total': 9}},"
     " {'traded': {'you': true, 'planet': 'Yunari', 'total': 11}}]",
     "You made 2 trades, the last at Yunari: points now 11"},
    {"galactic-contract",
     "[{'shipped': {'who': 'hal', 'shipment': 'S3', 'points': 5, 'total': 12}}, {'pile_empty': {'pile': 1}}]",
     "Pile 1 is empty: the second empty one ends the game"},
    {"galaxy-command",
     "[{'explored': {'you': true, 'system': 'Kruger'}}, {'attack_won': {'you': true, 'system': 'Kruger'}}, "
     "{'revolt_held': {'you': true, 'system': 'Kruger'}}]",
     "You won Kruger: score"},
    {"galaxy-command",
     "[{'attack_won': {'who': 'bob', 'system': 'Kruger'}}, {'revolt_lost': {'who': 'bob', 'system': "
     "'Kruger'}}]",
     "bob lost Kruger"},
    {"galaxy-farmer", "[{'order_done': {'card': 'Green Platter', 'points': 3, 'score_now': 4}}]",
     "Order done: Green Platter for 3 points"},
    {"galaxy-command",
     "[{'attack_lost': {'you': true, 'system': 'Lalande'}}, {'seat_resigned': {'who': 'bob'}}]",
     "bob has resigned; a robot plays that seat"},
    {"galactic-contract",
     "[{'shipped': {'who': 'hal', 'shipment': 'S3', 'points': 5, 'total': 12}}, {'seat_resigned': {'who': "
     "'bob'}}]",
     "bob has resigned; a robot plays that seat"},
    {"galactic-supremacy", "[{'offered': {'who': 'bob', 'to_you': true, 'number': 1}}]",
     "bob offers you a deal: offer 1"},
    {"galactic-supremacy",
     "[{'conquered': {'you': true, 'world': 'S1', 'target_name': 'hal'}},"
     " {'home_destroyed': {'who': 'hal', 'target_name': 'bob'}}]",
     "You took S1 from hal: a card to build"},
};

START_TEST(a_turn_of_much_says_how_much)
{
    struct game game;
    struct str pieces = STR_INIT, said = STR_INIT;
    struct arena arena = {NULL, NULL, 0};
    const struct ruleset *ruleset = ruleset_newest(turns_of_much[_i].ruleset);
    json_error_t error;
    struct str quoted = STR_INIT;
    str_adds(&quoted, turns_of_much[_i].news);
    for (size_t i = 0; i < quoted.len; i++)
        quoted.p[i] = quoted.p[i] == '\'' ? '"' : quoted.p[i];
    json_t *json = json_loads(quoted.p, 0, &error);
    ck_assert_msg(json, "%s", error.text);
    templates_open(NULL, &templates);
    random_start(&game, ruleset, ruleset->seats_max > 2 ? 3 : 1, 1);
    game.turn = 9;
    struct value *told = value_object(&arena);
    value_put(value_add_object(value_put_list(told, "turns")), "news", value_of_json(&arena, json));
    struct value *view = value_put_object(told, "view");
    value_put_int(view, "killed_limit", 4);
    value_put_int(view, "goal", 20);
    headline_put(told, &game, 1, false, false);
    words(&game, "headline_news.txt", alone(told, value_get(value_get(told, "headline"), "news")), &pieces);
    struct slice rest = slice_str(&pieces), line;
    while (slice_line(&rest, &line))
        if (!slice_starts(line, "~")) /* a shorter form */
            str_addslice(&said, line);
    ck_assert_str_eq(said.p, turns_of_much[_i].said);
    str_release(&pieces);
    str_release(&said);
    str_release(&quoted);
    json_decref(json);
    arena_release(&arena);
    game_release(&game);
    templates_close(templates);
}
END_TEST

/* What cannot happen soon is not at stake: nobody has a fleet at first, and homes cannot fall in year 1. */
START_TEST(what_is_far_off_is_no_stake)
{
    static const char *const rulesets_of[] = {"galactic-supremacy", "galaxy-command"};
    struct game game;
    struct arena arena = {NULL, NULL, 0};
    random_start(&game, ruleset_newest(rulesets_of[_i]), 3, 1);
    for (int seat = 1; seat <= 3; seat++) {
        const struct value *stakes = game.ruleset->shown.stakes(game.cards, game.state, seat, &arena);
        ck_assert_uint_eq(value_count(stakes), (size_t)_i);
        ck_assert_ptr_null(value_get(stakes, "no_system"));
    }
    arena_release(&arena);
    game_release(&game);
}
END_TEST

/* Galaxy Farmer: all orders that are said to fail do, when nothing is done against it, and no other one. */
START_TEST(all_that_fails_is_named)
{
    int failed = 0, several = 0;
    for (int number = 0; number < 12; number++) {
        struct game game;
        random_start(&game, ruleset_newest("galaxy-farmer"), 1, number);
        while (!game.over && game.turn < 40) {
            struct arena arena = {NULL, NULL, 0};
            struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
            struct events events;
            struct chance chance;
            struct value *stakes = game.ruleset->shown.stakes(game.cards, game.state, 1, &arena);
            const struct value *failing = value_get(stakes, "failing");
            const size_t said = failing ? value_count(value_get(failing, "orders")) : 0;
            size_t count = 0;
            void *state = mem_copy(game.state, game.ruleset->state_size);
            random_chance(&chance, "fails", number, game.turn);
            events_init(&events);
            game.ruleset->play(game.cards, state, &(struct resolution){orders, game.turn, &chance, &events});
            for (size_t i = 0; i < events.count; i++)
                count += slice_eq(events.list[i].type, "order_failed");
            ck_assert_msg(failing ? said == count || !game.ruleset->awaits(state)
                                  : !count || value_get(stakes, "last_worker") ||
                                        value_get(stakes, "last_planet") || value_get(stakes, "last_events"),
                          "game %d, turn %d: %zu said to fail, %zu did", number, game.turn, said, count);
            failed += count > 0;
            several += said > 1;
            events_release(&events);
            arena_release(&arena);
            free(state);
            events_init(&events);
            random_play(&game, number, &events);
            events_release(&events);
        }
        game_release(&game);
    }
    ck_assert_int_gt(failed, 0);
    ck_assert_int_gt(several, 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_robot_s_orders_are_not_the_player_s);
    tcase_add_loop_test(tc, a_turn_of_much_says_how_much, 0, sizeof turns_of_much / sizeof *turns_of_much);
    tcase_add_loop_test(tc, what_is_far_off_is_no_stake, 0, 2);
    tcase_add_test(tc, all_that_fails_is_named);
    tcase_add_test(tc, the_first_choice_does_something);
    tcase_add_test(tc, an_offer_is_the_subject_of_its_mail);
    tcase_add_loop_test(tc, an_offered_seat_is_named_whole, 0, BUDGETS);
    tcase_add_test(tc, recorded_games_have_news);
    tcase_add_test(tc, nothing_hidden_is_news);
}
TEST_MAIN("letters/headlines", cases)
