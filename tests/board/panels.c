/* board/panels: what a template says of places is carried out. */
#include "board/panels.h"

#include "suite.h"

static struct str out;

/* What becomes of it in a picture of 100 units, 50 px wide: without the line of its <svg>, and without line ends. */
static const char *placed(const char *inside)
{
    struct err err = ERR_INIT;
    struct str svg = STR_INIT, all = STR_INIT;
    str_addf(&svg, "<svg data-lay=\"down\">%s</svg>", inside);
    ck_ok(panels(&all, slice_str(&svg), 100, 50, &err), err);
    str_clear(&out);
    for (const char *at = strchr(all.p, '\n'); *at && !str_starts(at, "</svg>"); at++)
        if (*at != '\n')
            str_addc(&out, *at);
    str_release(&svg);
    str_release(&all);
    return out.p;
}

#define AT(x, y, inside) "<g transform=\"translate(" #x " " #y ")\">" inside "</g>"

START_TEST(groups_stand_below_one_another)
{
    ck_assert_str_eq(placed("<g data-high=\"20\"><path/></g><g data-high=\"30\"/><g><circle/></g>"),
                     "<path/>" AT(0, 50, "<circle/>"));
    /* what is no group is where it says, and takes no room; other attributes stay */
    ck_assert_str_eq(
        placed("<g data-high=\"20\"><path/></g><rect x=\"7\"/><g fill=\"red\" id=\"a\"><circle/></g>"),
        "<path/><rect x=\"7\"/>" AT(0, 20, "<g fill=\"red\" id=\"a\"><circle/></g>"));
    /* a group is as high as what is in it, and its own place counts for nothing */
    ck_assert_str_eq(
        placed(
            "<g data-lay=\"down\" transform=\"translate(9 9)\"><g data-high=\"5\"/><g data-high=\"6\"/></g>"
            "<g><circle/></g>"),
        AT(0, 11, "<circle/>"));
    ck_assert_str_eq(placed("<g><g data-high=\"5\"/><g data-high=\"8\"><path/></g></g><g><circle/></g>"),
                     "<path/>" AT(0, 8, "<circle/>"));
}
END_TEST

START_TEST(groups_stand_beside_one_another)
{
    static const char cubes[] =
        "<g data-wide=\"10\"><a/></g><g data-wide=\"16\"/><g data-wide=\"11\"><b/></g>";
    struct str group = STR_INIT;
    str_addf(&group, "<g data-lay=\"across\">%s</g>", cubes);
    ck_assert_str_eq(placed(group.p), "<a/>" AT(26, 0, "<b/>"));
    str_clear(&group);
    str_addf(&group, "<g data-lay=\"across middle\">%s</g>", cubes); /* 37 wide */
    ck_assert_str_eq(placed(group.p), AT(-18, 0, "<a/>") AT(8, 0, "<b/>"));
    str_clear(&group);
    str_addf(&group, "<g data-lay=\"across end\">%s</g>", cubes);
    ck_assert_str_eq(placed(group.p), AT(-37, 0, "<a/>") AT(-11, 0, "<b/>"));
    str_release(&group);
}
END_TEST

/* As many in a row as there is room for; a row is as high as the highest in it. */
START_TEST(rows_and_spots)
{
    ck_assert_str_eq(placed("<g data-lay=\"rows 2 40\" data-after=\"5\"><g data-high=\"10\"><a/></g><g "
                            "data-high=\"12\"><b/></g>"
                            "<g data-high=\"9\"><c/></g></g><g><d/></g>"),
                     "<a/>" AT(40, 0, "<b/>") AT(0, 12, "<c/>") AT(0, 26, "<d/>"));
    ck_assert_str_eq(
        placed("<g data-lay=\"spots 20 30 60 10\" data-high=\"70\"><g><a/></g><g><b/></g></g><g><c/></g>"),
        AT(20, 30, "<a/>") AT(60, 10, "<b/>") AT(0, 70, "<c/>"));
    /* an empty one has nothing below it */
    ck_assert_str_eq(placed("<g data-lay=\"rows 2 40\" data-after=\"5\"> </g><g><a/></g>"), "<a/>");
}
END_TEST

START_TEST(the_same_again)
{
    static const char two[] = "<g data-wide=\"10\"><a/></g><g data-wide=\"10\"><b/></g></g>";
    struct str group = STR_INIT;
    str_addf(&group, "<g data-lay=\"across\" data-times=\"1 3\">%s", two);
    ck_assert_str_eq(placed(group.p), "<a/>" AT(10, 0, "<b/>") AT(20, 0, "<b/>"));
    str_clear(&group);
    str_addf(&group, "<g data-lay=\"across\" data-times=\"2\">%s", two);
    ck_assert_str_eq(placed(group.p), "<a/>" AT(10, 0, "<a/>"));
    str_clear(&group);
    str_addf(&group, "<g data-lay=\"across\" data-times=\"0\">%s", two);
    ck_assert_str_eq(placed(group.p), "");
    str_release(&group);
}
END_TEST

START_TEST(the_picture_gets_its_size)
{
    struct err err = ERR_INIT;
    str_clear(&out);
    ck_ok(panels(&out,
                 slice_of("<svg xmlns=\"x\" data-lay=\"down\" role=\"img\"><title>T</title><rect "
                          "width=\"720\" height=\"all\"/>"
                          "<g data-high=\"301\"/></svg>\n"),
                 720, 360, &err),
          err);
    ck_assert_str_eq(out.p,
                     "<svg viewBox=\"0 0 720 301\" width=\"360\" height=\"150\" xmlns=\"x\" role=\"img\">\n"
                     "<title>T</title>\n<rect width=\"720\" height=\"301\"/>\n</svg>\n");
}
END_TEST

START_TEST(what_is_wrong_is_said)
{
    static const char *const wrong[] = {
        "<g data-lay=\"down 3\"/>",
        "<g data-lay=\"sideways\"/>",
        "<g data-lay=\"\"/>",
        "<g data-lay=\"across left\"/>",
        "<g data-lay=\"rows 0 10\"/>",
        "<g data-lay=\"rows 3\"/>",
        "<g data-lay=\"rows 3 10 4\"/>",
        "<g data-lay=\"spots 1 2\"><g/><g/></g>", /* there is none for the second */
        "<g data-high=\"-1\"/>",
        "<g data-high=\"1e9\"/>",
        "<g data-high=\"100001\"/>",
        "<g data-wide=\"\"/>",
        "<g data-tall=\"3\"/>",
        "<g data-times=\"\"><g/></g>",
        "<g data-times=\"2\"></g>",
        "<g data-times=\"2 3\"><g/></g>",
        "<g data-times=\"1 2 3\"><g/><g/></g>",
        "<g data-high=5/>",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = ERR_INIT;
        struct str svg = STR_INIT;
        str_addf(&svg, "<svg data-lay=\"down\">%s</svg>", wrong[i]);
        str_clear(&out);
        ck_assert_msg(panels(&out, slice_str(&svg), 720, 360, &err) == -1, "%s", wrong[i]);
        ck_assert_int_eq(err.code, ERR_CONFIG);
        ck_assert_uint_eq(out.len, 0);
        str_release(&svg);
    }
    struct err err = ERR_INIT;
    ck_assert_int_eq(panels(&out, slice_of("<svg><g></svg>"), 720, 360, &err), -1);
    ck_assert_str_eq(err.text, "a picture is no <svg>, or has no </svg>");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, groups_stand_below_one_another);
    tcase_add_test(tc, groups_stand_beside_one_another);
    tcase_add_test(tc, rows_and_spots);
    tcase_add_test(tc, the_same_again);
    tcase_add_test(tc, the_picture_gets_its_size);
    tcase_add_test(tc, what_is_wrong_is_said);
}
TEST_MAIN("board/panels", cases)
