/* A duplicate deal that others play still (game/lockstep.h, game_shown_to): every view, asked while a game of it is at its second
 * turn, at its fourth, and after its last one. All of them say the same, byte for byte, but for the day on which they were asked:
 * neither turns nor scores nor dates nor that it is over. When the deal is shown they say more. */
#include "house/compete.h"
#include "site/site.h"

#include <ftw.h>

static struct house h;
static char out[SCRATCH_PATH];
static char game_id[GAME_NAME];

/* ---- views ---- */

/* Mails of a stranger, of other players of the deal and of a moderator who plays it: a subject or, signed, a text. $ is the name of
 * anna's game, # its open turn. */
static const struct {
    const char *by, *text;
} mails[] = {
    {"eve", "games"},
    {"eve", "results"},
    {"eve", "competitions"},
    {"eve", "table week"},
    {"eve", "rating"},
    {"eve", "status $"},
    {"eve", "deadline $"},
    {"eve", "status anna"},
    {"eve", "rating anna"},
    {"eve", "rules $"},
    {"eve", "status nobody"}, /* it lists the games */
    {"eve", "observe $"},
    {"eve", "extend $"},
    {"eve", "journal $"},
    {"eve", "join $"},
    {"bob", "games"},
    {"bob", "status $"},
    {"bob", "status"},
    {"bob", "status anna"},
    {"bob", "resend $"},
    {"bob", "press $"},
    {"bob", "appeal $"},
    {"mona", "moderate $"},
    {"carl", "#turnpost observe\ngame: $\n#end\n"},
    {"dora", "#turnpost observe\ngame: $\nturn: 1\n#end\n"},
    {"bob", "#turnpost observe\ngame: $\nturn: 99\n#end\n"},
    {"carl", "#turnpost unobserve\ngame: $\n#end\n"},
    {"dora", "#turnpost standby\ngame: $\n#end\n"},
    {"bob", "#turnpost take\ngame: $\n#end\n"},
    {"carl", "#turnpost join\ngame: $\n#end\n"},
    {"dora", "#turnpost leave\ngame: $\n#end\n"},
    {"bob", "#turnpost resign\ngame: $\nturn: 3\n#end\n"},
    {"carl", "#turnpost back\ngame: $\n#end\n"},
    {"dora", "#turnpost extend\ngame: $\nturn: 3\nhours: 5\n#end\n"},
    {"bob", "#turnpost appeal\ngame: $\nturn: 3\nIt went wrong.\n#end\n"},
    {"carl", "#turnpost press\ngame: $\nto: anna\nHow far are you?\n#end\n"},
    {"dora", "#turnpost press\ngame: $\nturn: 3\nto: anna\nHow far are you?\n#end\n"},
    {"bob", "#turnpost mute\ngame: $\nwho: anna\n#end\n"},
    {"carl", "#turnpost resend\ngame: $\n#end\n"},
    {"dora", "#turnpost resend\ngame: $\nturn: 2\n#end\n"},
    {"bob", "#turnpost preview\ngame: $\nturn: 3\nbide\n#end\n"},
    {"carl", "#turnpost journal\ngame: $\n#end\n"},
    {"dora", "#turnpost publish\ngame: $\n#end\n"},
    {"bob", "#turnpost rematch\ngame: $\n#end\n"},
    {"carl", "#turnpost orders\ngame: $\nturn: 3\nbide\n#end\n"},
    {"dora", "#turnpost moderate\ngame: $\nturn: 3\ndo: pause\nreason: Why not.\n#end\n"},
    {"mona", "#turnpost observe\ngame: $\nturn: 99\n#end\n"},
    {"mona", "#turnpost journal\ngame: $\n#end\n"},
    {"mona", "#turnpost appeal\ngame: $\nturn: 3\nIt went wrong.\n#end\n"},
    {"mona", "#turnpost resend\ngame: $\n#end\n"},
};
#define MAILS (sizeof mails / sizeof *mails)

static void fill_in(struct str *text, const char *pattern)
{
    str_clear(text);
    for (const char *p = pattern; *p; p++)
        if (*p == '$')
            str_adds(text, game_id);
        else
            str_addc(text, *p);
}

/* The day on which it was asked, in forms, is no news. */
static void mask(struct str *text, int64_t day)
{
    char date[DATE_TEXT], today[DATE_TEXT + 8];
    struct str masked = STR_INIT;
    date_text(date, day);
    (void)snprintf(today, sizeof today, "date: %s", date);
    for (size_t i = 0; i < text->len;) {
        bool here = text->len - i >= strlen(today) && memcmp(text->p + i, today, strlen(today)) == 0;
        if (here)
            str_adds(&masked, "date: TODAY");
        else
            str_addc(&masked, text->p[i]);
        i += here ? strlen(today) : 1;
    }
    str_release(text);
    *text = masked;
}

static void ask(size_t i, struct str *answer)
{
    struct str text = STR_INIT;
    house_empty_spool(&h);
    fill_in(&text, mails[i].text);
    if (*text.p == '#')
        (void)house_signed(&h, mails[i].by, mails[i].by, text.p);
    else
        (void)house_mail(&h, mails[i].by, text.p, "");
    int count = house_mails(&h, mails[i].by, answer);
    ck_assert_msg(count == 1, "%d mails to %s: %s\n%s", count, mails[i].by, text.p, answer->p);
    ck_assert_msg(answer->len > 80, "no answer to %s: %s", text.p, answer->p);
    mask(answer, h.now / DAY_SECONDS);
    str_release(&text);
}

/* ---- the site: all its files, one after the other ---- */

static struct str pages;

static int add_file(const char *path, const struct stat *st, int type, struct FTW *where)
{
    struct err err = ERR_INIT;
    (void)st;
    if (type == FTW_F && path[where->base] != '.') /* our own notes, which nobody is served */ {
        str_addf(&pages, "\n=== %s\n", path + strlen(out));
        struct str text = STR_INIT;
        ck_ok(file_read(path, 1 << 22, &text, &err), err);
        if (str_ends(path, ".png") || str_ends(path, ".css"))
            str_addf(&pages, "%zu bytes", text.len);
        else
            str_addslice(&pages, slice_str(&text));
        str_release(&text);
    }
    return 0;
}

static void write_pages(struct str *all)
{
    struct err err = ERR_INIT;
    struct site_sum sum;
    const struct site site = {.league = &h.league,
                              .folder = out,
                              .store = h.batch.store,
                              .catalog = h.batch.catalog,
                              .registry = &h.batch.registry,
                              .templates = h.batch.templates,
                              .now = h.now};
    ck_ok(site_write(&site, &sum, &err), err);
    str_init(&pages);
    ck_assert_int_eq(nftw(out, add_file, 16, FTW_PHYS), 0);
    mask(&pages, h.now / DAY_SECONDS);
    *all = pages;
}

/* ---- the deal ---- */

static const struct game *annas(void)
{
    return house_find(&h, game_id);
}

static void begin(void)
{
    static const char *const people[] = {"anna", "bob", "carl", "dora", "mona"};
    static struct schedule hours;
    house_open(&h);
    scratch_make(out, "pages");
    house_option(&h, "[league]", "moderators = mona\nratings = signed");
    house_option(&h, "[site]", "url = https://orion.example.org/\nawaited = yes");
    house_option(&h, "[limits]", "stranger_replies = 100\nstrangers_per_day = 1000\nreplies_per_day = 1000");
    house_restart(&h);
    for (size_t i = 0; i < sizeof people / sizeof *people; i++)
        house_player(&h, people[i]);
    (void)house_person(&h, "eve");
    schedule_init(&hours);
    hours.length = DAY_SECONDS;
    house_compete(
        &h, "week", "galaxy-farmer", 1,
        (struct new_competition){.kind = COMPETE_DUPLICATE, .seats = 1, .clock = &hours, .field = 3});
    for (size_t i = 0; i < sizeof people / sizeof *people; i++)
        house_entry(&h, "week", "enter", people[i]);
    for (house_work(&h, house_competition(&h, "week")->rounds[0].draw);
         house_competition(&h, "week")->rounds[0].made < 5;)
        house_work(&h, h.now + 60);
    const struct competition *c = house_competition(&h, "week");
    compete_game_name(game_id, c, 1, competition_table_of(c, 1, "anna")->number);
    house_work(&h, c->rounds[0].opens);
}

static void end(void)
{
    house_close(&h);
    scratch_remove(out);
}

static void snapshot(struct str answers[MAILS + 1])
{
    for (size_t i = 0; i < MAILS; i++)
        ask(i, &answers[i]);
    write_pages(&answers[MAILS]);
    house_empty_spool(&h);
}

START_TEST(no_view_tells)
{
    static struct str first[MAILS + 1], other[MAILS + 1];
    size_t differ = 0;
    begin();
    for (int world = 0; world < 4; world++) {
        while (world < 2 && annas()->turn < 2 + 2 * world)
            house_work(&h, h.now + DAY_SECONDS);
        while (world == 2 && !annas()->over)
            house_work(&h, h.now + DAY_SECONDS);
        ck_assert_int_eq(annas()->over, world >= 2);
        if (world == 3) {
            const int64_t closes = house_competition(&h, "week")->rounds[0].end;
            while (h.now + DAY_SECONDS < closes)
                house_work(&h, h.now + DAY_SECONDS);
            house_work(&h, closes);
            house_work(&h, closes + 60);
        }
        ck_assert_int_eq(game_withheld(annas()), world < 3);
        snapshot(world ? other : first);
        for (size_t i = 0; world && i <= MAILS; i++) {
            const char *view = i < MAILS ? mails[i].text : "the site";
            size_t at = 0;
            while (at < first[i].len && at < other[i].len && first[i].p[at] == other[i].p[at])
                at++;
            bool same = at == first[i].len && at == other[i].len;
            at -= at < 300 ? at : 300;
            ck_assert_msg(world == 3 || same, "world %d: %s\n...%.600s...\n-----\n...%.600s...", world, view,
                          first[i].p + at, other[i].p + at);
            differ += world == 3 && !same;
            str_release(&other[i]);
        }
    }
    ck_assert_uint_gt(differ, MAILS / 2); /* what could have told does when it may */
    for (size_t i = 0; i <= MAILS; i++)
        str_release(&first[i]);
    ck_assert(compete_round_done(house_competition(&h, "week"), 1));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, end);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, no_view_tells);
}
TEST_MAIN("site/withheld", cases)
