/* Boards can be read on a telephone: in every turn of the recorded games, and in random games with the longest names, shown
 * 360 px wide no letter is smaller than 12 px, no words stand on others or on a star, no card or ship stands on a card, nothing is outside of the picture,
 * and words and their ground differ as WCAG's AA wants it (4.5). All of it is read off the finished drawing. */
#include <dirent.h>
#include <glib.h>
#include <librsvg/rsvg.h>
#include <math.h>
#include <stdlib.h>

#include "base/file.h"
#include "board/board.h"
#include "board/glyphs.h"
#include "history/boards.h"
#include "play/random_game.h"

#define LEAST    24 /* units: 12 px of 360 */
#define MARGIN   6  /* units that stay free at the edges */
#define CONTRAST 4.5
#define STAR     11 /* half the width of a star's arms; its halo may touch words */
#define TEXTS    400
#define CARD     100 /* units: what is wider and no ground is a card */
#define SHIP     15  /* half of what a ship covers, or less */
#define AROUND   100 /* units that are looked at outside of the picture */
#define DEPTH    16
#define FOLDERS  40
#define GAMES    50             /* each version with each number of seats, or more */
#define EVERY    (FEW ? 15 : 1) /* turns of which one is painted */
#define PLAYS    120
#define DEALS    150 /* of each ruleset */

struct box {
    double left, top, right, bottom;
};
struct words {
    struct box box;
    double size;
    uint32_t fill;
    char first; /* letters, for messages */
};
/* What is open: a group's place and scale, and the colour of what is in it. */
struct open {
    double x, y, scale;
    uint32_t fill;
};
struct layout {
    const char *what; /* for messages */
    double height;
    struct open open[DEPTH];
    int depth;
    bool defining; /* inside of <defs> */
    struct words words[TEXTS];
    int count, stars;
    struct box star[TEXTS];
    struct box card[TEXTS], ship[TEXTS];
    int cards, ships;
    bool in_words; /* the group that is open is one of letters */
};

/* As ck_assert_msg, which writes a file each time. */
#define must(holds, ...)               \
    do {                               \
        if (!(holds))                  \
            ck_abort_msg(__VA_ARGS__); \
    } while (0)

static struct templates *templates;

/* ---- letters ---- */

/* The highest and the lowest point of a glyph's path ("m1 2l3 4 5 6z", relative), y down. */
static void extent_of(const struct glyph *glyph, double *top, double *bottom)
{
    double y = 0, start = 0;
    bool first = true, across = true;
    *top = *bottom = 0;
    for (const char *at = glyph->path; *at;) {
        char *end;
        if (strchr("mlz ", *at)) {
            if (*at == 'z')
                y = start;
            first = *at == 'm' || (first && *at == ' ');
            at++;
            continue;
        }
        const double number = (double)strtol(at, &end, 10);
        must(end != at, "a glyph's path has %s", at);
        at = end;
        across = !across;
        if (!across)
            continue;
        y += number;
        if (first)
            start = y;
        first = false;
        *top = y < *top ? y : *top;
        *bottom = y > *bottom ? y : *bottom;
    }
}

static void add_letter(struct layout *layout, const char *id, double x)
{
    const struct glyph *glyph =
        glyph_find(*id == 'b' ? glyphs_bold : glyphs_regular, (uint32_t)strtoul(id + 1, NULL, 16));
    const struct open *open = &layout->open[layout->depth - 1];
    struct words *words = &layout->words[layout->count - 1];
    double top, bottom;
    extent_of(glyph, &top, &bottom);
    const double left = open->x + x * open->scale, right = left + glyph->advance * open->scale;
    if (words->size == 0) {
        *words = (struct words){{left, open->y, right, open->y},
                                round(open->scale * GLYPHS_EM * 10) / 10,
                                open->fill,
                                (char)glyph->code};
    }
    words->box.right = right;
    words->box.top = fmin(words->box.top, open->y + top * open->scale);
    words->box.bottom = fmax(words->box.bottom, open->y + bottom * open->scale);
}

/* ---- the drawing ---- */

static const char *attribute(const char **names, const char **values, const char *name)
{
    for (; *names; names++, values++)
        if (strcmp(*names, name) == 0)
            return *values;
    return NULL;
}

/* "translate(1 2)scale(.5)" on top of what is open. A flipped one (scale(1 -1)) holds no words. */
static void transform(struct open *open, const char *text)
{
    double x, y, scale;
    const char *move = text ? strstr(text, "translate(") : NULL, *size = text ? strstr(text, "scale(") : NULL;
    if (move && sscanf(move, "translate(%lf %lf)", &x, &y) == 2) {
        open->x += x * open->scale;
        open->y += y * open->scale;
    }
    if (size && sscanf(size, "scale(%lf", &scale) == 1)
        open->scale *= scale;
}

static double number_of(const char **names, const char **values, const char *name)
{
    const char *text = attribute(names, values, name);
    return text ? strtod(text, NULL) : 0;
}

static void begin(GMarkupParseContext *context, const char *element, const char **names, const char **values,
                  void *arg, GError **error)
{
    struct layout *layout = arg;
    const struct open outer =
        layout->depth ? layout->open[layout->depth - 1] : (struct open){0, 0, 1, 0x1d2433};
    const char *href = attribute(names, values, "href"), *fill = attribute(names, values, "fill");
    (void)context;
    (void)error;
    must(layout->depth < DEPTH, "%s: groups nest too deep", layout->what);
    struct open *open = &layout->open[layout->depth++];
    *open = outer;
    layout->defining |= strcmp(element, "defs") == 0;
    if (fill && *fill == '#')
        open->fill = (uint32_t)strtoul(fill + 1, NULL, 16);
    const char *transformed = attribute(names, values, "transform");
    transform(open, transformed);
    if (layout->defining)
        return;
    if (strcmp(element, "g") == 0 && transformed && strstr(transformed, ")scale(0.")) {
        must(layout->count < TEXTS, "%s: too many words", layout->what);
        layout->words[layout->count++] = (struct words){.size = 0};
        layout->in_words = true;
    } else if (strcmp(element, "g") == 0) {
        layout->in_words = false;
    }
    const double x = number_of(names, values, "x"), y = number_of(names, values, "y");
    const double across = open->x + x * open->scale, down = open->y + y * open->scale;
    const double width = number_of(names, values, "width"), height = number_of(names, values, "height");
    if (strcmp(element, "rect") == 0 && width > CARD && width < BOARD_UNITS && layout->cards < TEXTS)
        layout->card[layout->cards++] = (struct box){across, down, across + width, down + height};
    if (!href || strcmp(element, "use") != 0)
        return;
    if (layout->in_words && (href[1] == 'r' || href[1] == 'b'))
        add_letter(layout, href + 1, x);
    else if (strcmp(href, "#star") == 0 && layout->stars < TEXTS)
        layout->star[layout->stars++] = (struct box){across - STAR, down - STAR, across + STAR, down + STAR};
    else if (strcmp(href, "#ship") == 0 && layout->ships < TEXTS)
        layout->ship[layout->ships++] = (struct box){across - SHIP, down - SHIP, across + SHIP, down + SHIP};
}

static void finish(GMarkupParseContext *context, const char *element, void *arg, GError **error)
{
    struct layout *layout = arg;
    (void)context;
    (void)error;
    layout->depth--;
    if (strcmp(element, "defs") == 0)
        layout->defining = false;
    if (strcmp(element, "g") == 0)
        layout->in_words = false;
}

static bool meet(const struct box *one, const struct box *other)
{
    return one->left < other->right && other->left < one->right && one->top < other->bottom &&
           other->top < one->bottom;
}

static void check_words(const struct layout *layout)
{
    for (int i = 0; i < layout->count; i++) {
        const struct words *one = &layout->words[i];
        if (one->size == 0)
            continue; /* blanks alone */
        must(one->size >= LEAST, "%s: words that begin with %c have %.1f units", layout->what, one->first,
             one->size);
        must(one->box.left >= MARGIN && one->box.right <= BOARD_UNITS - MARGIN && one->box.top >= MARGIN &&
                 one->box.bottom <= layout->height - MARGIN,
             "%s: words that begin with %c at %.0f, %.0f reach %.0f, %.0f", layout->what, one->first,
             one->box.left, one->box.top, one->box.right, one->box.bottom);
        for (int j = i + 1; j < layout->count; j++)
            must(layout->words[j].size == 0 || !meet(&one->box, &layout->words[j].box),
                 "%s: at %.0f, %.0f words that begin with %c stand on others with %c", layout->what,
                 one->box.left, one->box.top, one->first, layout->words[j].first);
        for (int j = 0; j < layout->stars; j++)
            must(!meet(&one->box, &layout->star[j]),
                 "%s: at %.0f, %.0f a star stands on words that begin with %c", layout->what, one->box.left,
                 one->box.top, one->first);
    }
}

static void check_cards(const struct layout *layout)
{
    for (int i = 0; i < layout->cards; i++) {
        const struct box *card = &layout->card[i];
        for (int j = i + 1; j < layout->cards; j++)
            must(!meet(card, &layout->card[j]), "%s: at %.0f, %.0f a card stands on another", layout->what,
                 card->left, card->top);
        for (int j = 0; j < layout->ships; j++)
            must(!meet(card, &layout->ship[j]), "%s: a ship stands on the card at %.0f, %.0f", layout->what,
                 card->left, card->top);
    }
}

/* ---- as pixels ---- */

static double luminance(uint32_t colour)
{
    double sum = 0;
    static const double parts[] = {.2126, .7152, .0722};
    for (int i = 0; i < 3; i++) {
        const double part = (colour >> (16 - 8 * i) & 255) / 255.0;
        sum += parts[i] * (part <= .04045 ? part / 12.92 : pow((part + .055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(uint32_t one, uint32_t other)
{
    const double a = luminance(one), b = luminance(other);
    return (fmax(a, b) + .05) / (fmin(a, b) + .05);
}

struct pixels {
    cairo_surface_t *surface;
    int width, height;
};

static uint32_t pixel(const struct pixels *pixels, int x, int y)
{
    uint32_t colour;
    memcpy(&colour,
           cairo_image_surface_get_data(pixels->surface) +
               (ptrdiff_t)y * cairo_image_surface_get_stride(pixels->surface) + (ptrdiff_t)x * 4,
           sizeof colour);
    return colour & 0xFFFFFF;
}

/* The colour in a box that is not that of its words and that most of its pixels have. */
static uint32_t ground_of(const struct pixels *pixels, const struct words *words)
{
    struct {
        uint32_t colour;
        int count;
    } seen[64] = {{0, 0}};
    int best = 0;
    for (int y = (int)words->box.top - 2; y < (int)words->box.bottom + 2; y++)
        for (int x = (int)words->box.left; x < (int)words->box.right; x++) {
            const uint32_t colour = pixel(pixels, x + AROUND, y + AROUND);
            int i = 0;
            while (i < 63 && seen[i].count && seen[i].colour != colour)
                i++;
            seen[i].colour = colour;
            seen[i].count++;
        }
    for (int i = 1; i < 63; i++)
        if (seen[i].colour != words->fill &&
            (seen[best].colour == words->fill || seen[i].count > seen[best].count))
            best = i;
    return seen[best].colour;
}

/* Painted with a rim around it, in which there must be nothing. */
static void check_pixels(const struct layout *layout, const struct str *svg)
{
    struct str wide = STR_INIT;
    const char *box = strstr(svg->p, "viewBox="), *after = strstr(svg->p, " xmlns=");
    const int width = BOARD_UNITS + 2 * AROUND, height = (int)layout->height + 2 * AROUND;
    str_addf(&wide, "%.*sviewBox=\"-%d -%d %d %d\" width=\"%d\" height=\"%d\"%s", (int)(box - svg->p), svg->p,
             AROUND, AROUND, width, height, width, height, after);
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)wide.p, wide.len, NULL);
    const struct pixels pixels = {cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), width,
                                  height};
    cairo_t *cairo = cairo_create(pixels.surface);
    ck_assert_ptr_nonnull(handle);
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    ck_assert(rsvg_handle_render_document(handle, cairo, &(RsvgRectangle){0, 0, width, height}, NULL));
    g_object_unref(handle);
    cairo_destroy(cairo);
    cairo_surface_flush(pixels.surface);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (x < AROUND || y < AROUND || x >= width - AROUND || y >= height - AROUND)
                must(pixel(&pixels, x, y) == 0xFFFFFF, "%s: something is outside at %d, %d", layout->what,
                     x - AROUND, y - AROUND);
    for (int i = 0; i < layout->count; i++) {
        const struct words *words = &layout->words[i];
        if (words->size == 0)
            continue;
        const uint32_t ground = ground_of(&pixels, words);
        must(contrast(words->fill, ground) >= CONTRAST,
             "%s: words that begin with %c at %.0f, %.0f are #%06x on #%06x: %.1f", layout->what,
             words->first, words->box.left, words->box.top, (unsigned)words->fill, (unsigned)ground,
             contrast(words->fill, ground));
    }
    cairo_surface_destroy(pixels.surface);
    str_release(&wide);
}

static void check_board(const struct board *board, const char *name, bool paint)
{
    static const GMarkupParser parser = {begin, finish, NULL, NULL, NULL};
    struct layout *layout = mem_alloc(sizeof *layout);
    struct str svg = STR_INIT, what = STR_INIT;
    struct err err = ERR_INIT;
    json_t *facts = board_facts(board);
    str_addf(&what, "%s, turn %d, seat %d", name, board->game->turn - 1, board->seat);
    *layout = (struct layout){.what = what.p};
    ck_ok(board_draw(facts, templates, &svg, &err), err);
    layout->height = (double)board_height(slice_str(&svg)) * BOARD_UNITS / BOARD_WIDTH;
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, layout, NULL);
    ck_assert(g_markup_parse_context_parse(context, svg.p, (gssize)svg.len, NULL));
    g_markup_parse_context_free(context);
    ck_assert_int_gt(layout->count, 5);
    check_words(layout);
    check_cards(layout);
    if (paint)
        check_pixels(layout, &svg);
    json_decref(facts);
    str_release(&svg);
    str_release(&what);
    free(layout);
}

/* As everybody sees it, and as the mails to its seats show it. */
static void check_all(const struct board *board, const char *name, bool paint)
{
    struct board one = *board;
    for (one.seat = 0; one.seat <= (board->game->ruleset->shown.own_picture ? board->game->seats : 0);
         one.seat++)
        check_board(&one, name, paint);
}

/* ---- recorded games ---- */

static int see(void *arg, const struct board *board, int turn, struct err *err)
{
    (void)err;
    check_all(board, arg, turn % EVERY == 0 || board->game->over);
    return 0;
}

/* The folders of games/ that hold a journal. */
static int recorded(char names[FOLDERS][64])
{
    DIR *dir = opendir("games");
    int count = 0;
    ck_assert_ptr_nonnull(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char path[128];
        (void)snprintf(path, sizeof path, "games/%.60s/journal.jsonl", entry->d_name);
        if (*entry->d_name == '.' || !file_exists(path))
            continue;
        ck_assert_int_lt(count, FOLDERS);
        (void)snprintf(names[count++], 64, "games/%.50s", entry->d_name);
    }
    (void)closedir(dir);
    return count;
}

START_TEST(recorded_games_can_be_read_on_a_telephone)
{
    static const struct reader everybody = {READER_PUBLIC, 0};
    static char names[FOLDERS][64];
    const int count = recorded(names);
    struct err err = ERR_INIT;
    struct casefile file;
    ck_assert_int_gt(count, 5);
    if (_i >= count)
        return;
    const struct boards_seen seen = {see, names[_i]};
    templates_open(NULL, &templates);
    ck_ok(casefile_open(names[_i], NULL, &file, &err), err);
    ck_ok(casefile_choose(&file, &everybody, true, &err), err);
    ck_ok(boards_show(&file, BOARDS_ALL, &seen, &err), err);
    casefile_close(&file);
    templates_close(templates);
}
END_TEST

/* ---- random games ---- */

static const char *const people[] = {"",
                                     "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
                                     "captain-of-the-far-stars",
                                     "\xe6\x98\x9f\xe9\x9a\x9b\xe8\xa1\x8c\xe5\x95\x86\xe4\xba\xba",
                                     "al",
                                     "mmmmmmmmmmmmmmmmmmmmmmmm",
                                     "i"};

START_TEST(random_games_with_long_names_can_be_read)
{
    int count = 0;
    while (rulesets[count])
        count++;
    const struct ruleset *ruleset = rulesets[_i % count];
    const int seats = ruleset->seats_min + _i / count % (ruleset->seats_max - ruleset->seats_min + 1);
    struct game game;
    if (!ruleset->shown.picture)
        return;
    templates_open(NULL, &templates);
    random_start(&game, ruleset, seats, _i);
    (void)snprintf(game.id, sizeof game.id, "a-game-whose-name-is-long-01");
    for (int seat = 1; seat <= seats; seat++)
        (void)snprintf(game.seat[seat].player, PLAYER_NAME, "%s", people[seat]);
    for (int i = 0; i < PLAYS && !game.over; i++) {
        struct events events;
        void *before = mem_alloc(ruleset->state_size);
        memcpy(before, game.state, ruleset->state_size);
        events_init(&events);
        random_play(&game, _i, &events);
        json_t *told = events_json(&events, -1);
        events_release(&events);
        if (i % 5 == 2 || game.over)
            check_all(&(struct board){&game, before, told, 0}, ruleset->name, i % 40 == 2);
        json_decref(told);
        free(before);
    }
    game_release(&game);
    templates_close(templates);
}
END_TEST

/* Some things are dealt seldom: a ring of seven planets, or eight. */
START_TEST(deals_can_be_read)
{
    templates_open(NULL, &templates);
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *ruleset = rulesets[i];
        for (int deal = 0; ruleset->shown.picture && deal < DEALS; deal++) {
            const int seats = ruleset->seats_min + deal % (ruleset->seats_max - ruleset->seats_min + 1);
            struct game game;
            random_start(&game, ruleset, seats, 1000 + deal);
            check_all(&(struct board){&game, NULL, NULL, 0}, ruleset->name, false);
            game_release(&game);
        }
    }
    templates_close(templates);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, recorded_games_can_be_read_on_a_telephone, 0, FOLDERS);
    tcase_add_test(tc, deals_can_be_read);
    tcase_add_loop_test(tc, random_games_with_long_names_can_be_read, 0, GAMES);
}
TEST_MAIN("board/layout", cases)
