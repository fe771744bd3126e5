#include "rules/event.h"

#include <string.h>

#include "base/json.h"
#include "base/reason.h"
#include "rules/say.h"
#include "suite.h"

static void expect_json(const struct events *events, int seat, const char *want)
{
    struct str got = STR_INIT;
    json_t *json = events_json(events, seat);
    json_write(&got, json);
    ck_assert_str_eq(got.p, want);
    json_decref(json);
    str_release(&got);
}

START_TEST(parameters_and_dice_become_members)
{
    const char *none = NULL;
    struct chance chance;
    struct events events;
    events_init(&events);
    chance_scripted(&chance, (const int[]){4}, 1, "seed", 4);
    ck_assert_int_eq(event_roll(&events, &chance, 6, "attack/s%d", 2), 4);
    say(&events, 2, "Step 1", "explored vp=%d system=%s metal+=%d wealth+=%d note+=%s", -3, "Wolf 359", 0, 2,
        none);
    events.list[0].line = 7;
    expect_json(
        &events, 1,
        "[{\"dice\":[{\"label\":\"attack/s2\",\"value\":4}],\"line\":7,\"rule\":\"Step 1\",\"seat\":2,"
        "\"system\":\"Wolf 359\",\"type\":\"explored\",\"vp\":-3,\"wealth\":2}]");
    say(&events, 2, "", "next");
    ck_assert_int_eq(events.list[1].dice, 0); /* they are the first one's */
    events_release(&events);
    ck_assert_uint_eq(events.count, 0);
}
END_TEST

/* A code and, for templates, why, which no bytes hold. */
START_TEST(why_a_line_was_not_understood)
{
    struct script_line bad = {.number = 4, .text = slice_of("frob"), .kind = LINE_BAD};
    bad.why = reason_make("verb_unknown word=%s", "frob");
    struct str bytes = STR_INIT;
    struct events events;
    events_init(&events);
    event_line(&events, 1, &bad, ORDER_REFUSED, NULL, (struct slice){NULL, 0});
    expect_json(
        &events, 1,
        "[{\"dice\":[],\"error\":\"not_understood\",\"line\":4,\"order\":\"frob\",\"rule\":\"\",\"seat\":1,"
        "\"type\":\"refused\",\"unread\":{\"verb_unknown\":{\"word\":\"frob\"}}}]");
    events_write(&bytes, &events, 1);
    ck_assert_ptr_null(strstr(bytes.p, "unread"));
    ck_assert_ptr_nonnull(strstr(bytes.p, "\"not_understood\""));
    str_release(&bytes);
    events_release(&events);
    json_decref(bad.why);
}
END_TEST

START_TEST(only_what_a_seat_may_know)
{
    struct events events;
    events_init(&events);
    say(&events, 0, "", "all");
    say_to(&events, SEAT_BIT(1), 1, "", "one");
    say_to(&events, SEAT_BIT(2) | SEAT_BIT(3), 2, "", "two");
    static const struct {
        int seat;
        size_t count;
    } row[] = {{0, 1}, {1, 2}, {2, 2}, {3, 2}, {4, 1}, {-1, 3}};
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        json_t *json = events_json(&events, row[i].seat);
        ck_assert_uint_eq(json_array_size(json), row[i].count);
        ck_assert_int_eq(json_object_get(json_array_get(json, 0), "visible") != NULL, row[i].seat < 0);
        json_decref(json);
    }
    events_release(&events);
}
END_TEST

START_TEST(many_events_stay_in_order)
{
    struct events events;
    events_init(&events);
    for (int i = 0; i < 1000; i++)
        say(&events, 0, "", "n i=%d", i);
    json_t *json = events_json(&events, 0);
    for (size_t i = 0; i < 1000; i++)
        ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(json, i), "i")), (json_int_t)i);
    json_decref(json);
    events_release(&events);
}
END_TEST

START_TEST(long_labels_are_cut_and_bad_bytes_made_safe)
{
    struct chance chance;
    struct events events;
    events_init(&events);
    chance_seeded(&chance, "seed", 4);
    (void)event_roll(&events, &chance, 6, "a label that is very much longer than any label of a draw can be");
    say(&events, 0, "", "x text=%s", "a\xff");
    ck_assert_uint_eq(strlen(events.list[0].die[0].label), sizeof events.list[0].die[0].label - 1);
    json_t *json = events_json(&events, 0);
    ck_assert_ptr_nonnull(json_object_get(json_array_get(json, 0), "text"));
    json_decref(json);
    events_release(&events);
}
END_TEST

START_TEST(the_fate_of_a_line)
{
    const struct script_line good = {.number = 3, .text = {"build", 5}, .kind = LINE_ORDERS, .verb = "build"};
    struct refusal why;
    struct events events;
    events_init(&events);
    (void)no(&why, "research_poor technology=%s cost=%d", "Capital Ships", 3);
    event_line(&events, 1, &good, ORDER_DONE, NULL, slice_of("build"));
    event_line(&events, 1, &good, ORDER_FAILED, NULL, slice_of("conquer n1"));
    event_line(&events, 1, &good, ORDER_REFUSED, &why, slice_of("research capital"));
    event_line(&events, 1, &good, ORDER_SKIPPED, NULL, (struct slice){NULL, 0});
    expect_json(&events, 2, "[]");
    expect_json(
        &events, 1,
        "[{\"dice\":[],\"line\":3,\"order\":\"build\",\"rule\":\"\",\"seat\":1,\"type\":\"done\"},"
        "{\"dice\":[],\"line\":3,\"order\":\"conquer n1\",\"rule\":\"\",\"seat\":1,\"type\":\"failed\"},"
        "{\"cost\":3,\"dice\":[],\"line\":3,\"order\":\"research capital\",\"reason\":\"research_poor\","
        "\"rule\":\"\",\"seat\":1,\"technology\":\"Capital Ships\",\"type\":\"refused\"},"
        "{\"dice\":[],\"line\":3,\"order\":\"build\",\"rule\":\"\",\"seat\":1,\"type\":\"skipped\"}]");
    events_release(&events);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, parameters_and_dice_become_members);
    tcase_add_test(tc, why_a_line_was_not_understood);
    tcase_add_test(tc, only_what_a_seat_may_know);
    tcase_add_test(tc, many_events_stay_in_order);
    tcase_add_test(tc, long_labels_are_cut_and_bad_bytes_made_safe);
    tcase_add_test(tc, the_fate_of_a_line);
}
TEST_MAIN("rules/event", cases)
