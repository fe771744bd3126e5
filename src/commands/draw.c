#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands/look.h"
#include "history/boards.h"
#include "picture/painter.h"
#include "picture/painting.h"

static const char details[] = "Draws the board after a turn as everyone may see it, and marks what the turn "
                              "changed. Without --output the SVG is printed.\n"
                              "GAME is a game of the league, a journal, or a folder with one; the last two "
                              "need no league. A running game is drawn with the secret of its league. "
                              "What is hidden in the game has no influence on the picture.\n";

struct drawing {
    struct templates *templates;
    bool opened; /* the game's seals are: all of it may be seen */
    int seat;
    struct str svg;
};

static int draw_board(void *arg, const struct board *board, int turn, struct err *err)
{
    struct drawing *drawing = arg;
    (void)turn;
    if (!board->game->ruleset->shown.picture)
        return err_set(err, ERR_INPUT, "boards of %s have no picture", board->game->ruleset->title);
    if (!drawing->opened && !board_public(board->game))
        return err_set(err, ERR_INPUT, "nobody may watch %s, so there is no picture of it before it is over",
                       board->game->id);
    struct board shown = *board;
    shown.seat = drawing->seat;
    if (shown.seat > board->game->seats)
        return err_set(err, ERR_INPUT, "%s has no seat %d", board->game->id, shown.seat);
    return board_svg(&shown, drawing->templates, &drawing->svg, err);
}

/* By the painter, as pictures in mails are. */
static int paint(struct slice svg, unsigned width, struct str *png, struct err *err)
{
    struct painter painter;
    if (painter_begin(NULL, &painter, err))
        return -1;
    int rc = painter_paint(painter.fd, svg, width, png, err);
    painter_end(&painter);
    return rc;
}

static int write_picture(const struct str *svg, const char *path, int64_t width, struct err *err)
{
    struct str png = STR_INIT;
    int rc = 0;
    if (!path)
        return fwrite(svg->p, 1, svg->len, command_made()) == svg->len
                   ? 0
                   : err_set(err, ERR_IO, "cannot write the picture");
    if (str_ends(path, ".png"))
        rc = paint(slice_str(svg), (unsigned)width, &png, err);
    else if (!str_ends(path, ".svg"))
        rc = err_set(err, ERR_INPUT, "%s: the name of a picture ends with .svg or .png", path);
    if (rc == 0)
        rc = file_write_soft(path, slice_str(str_ends(path, ".png") ? &png : svg), 0644, err);
    if (rc == 0)
        (void)printf("Wrote %s\n", path);
    str_release(&png);
    return rc;
}

int command_draw(int argc, char **argv)
{
    struct look_flags look_flags = {.told = true};
    const char *path = NULL;
    int64_t turn = BOARDS_LAST, width = 720, seat = 0;
    struct look look;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"turn", FLAG_NUMBER, &turn, "N", "after this turn (default: the last one)"},
        {"seat", FLAG_NUMBER, &seat, "N", "as mails to this seat show it (default: as everyone sees it)"},
        {"output", FLAG_TEXT, &path, "FILE", "write FILE, which ends in .svg or .png (also -o)"},
        {"width", FLAG_NUMBER, &width, "PIXELS", "width of a PNG, 100 to 4000 (default: 720)"},
        {"league", FLAG_TEXT, &look_flags.league, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if (width < 100 || width > PAINTING_WIDTH_MOST) {
        err_set(&err, ERR_INPUT, "--width is 100 to 4000 pixels");
        return command_fail(&err);
    }
    if (seat < 0 || seat > SEATS_MAX) {
        err_set(&err, ERR_INPUT, "--seat is 1 to %d", SEATS_MAX);
        return command_fail(&err);
    }
    if ((code = look_open(argv[1], &look_flags, &look)) != 0)
        return code;
    struct drawing drawing = {look.templates, look.file.opened, (int)seat, STR_INIT};
    const struct boards_seen seen = {draw_board, &drawing};
    int rc = boards_show(&look.file, (int)turn, &seen, &err);
    if (rc == 0)
        rc = write_picture(&drawing.svg, path, width, &err);
    str_release(&drawing.svg);
    look_close(&look);
    return rc ? command_fail(&err) : 0;
}
