/* Signed mails that hold several texts, of all that players send, in any order: whatever they are, what is recorded proves
 * itself to the audit, and no text about the turn that its mail was written in comes too late for that mail's own orders. */
#include "house/house.h"
#include "luck.h"

#include "base/date.h"

#define MAILS 25 /* of a league */
#define TEXTS 4  /* of a mail */
#define DAY   DAY_SECONDS

static struct house house;
static uint64_t luck;
static const char *const people[] = {"anna", "bob", "carl"};
static int number; /* each text is another one */

static size_t draw(size_t most)
{
    luck = luck * 6364136223846793005U + 1442695040888963407U;
    return (size_t)(luck >> 33) % most;
}

static void begin(void)
{
    static const char *const two[] = {"anna", "bob"}, *const free_seats[] = {"carl", NULL};
    house_open(&house);
    for (size_t i = 0; i < 3; i++)
        house_player(&house, people[i]);
    house_game(&house, "gc-1", "galaxy-command", DAY, 2, two);
    house_game(&house, "gc-2", "galaxy-command", DAY, 3, people);
    house_game(&house, "gc-3", "galaxy-command", DAY, 2, free_seats);
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house); /* which audits all games */
}

/* With "%s" the game, and with a line about its open turn where the text is about one. */
static const struct {
    const char *verb, *lines;
    bool turn;
} texts[] = {
    {"orders", "explore near\n", true},
    {"orders", "build\n", true},
    {"orders", "explore near\nresign\n", true},
    {"orders", "wait: yes\nbuild\n", true},
    {"orders", "explor near\n", true},
    {"orders", "try\nexplore near\n", true},
    {"press", "to: all\nShall we?\n", true},
    {"press", "to: P2\nfrom: me\nShall we?\n", true},
    {"extend", "hours: 12\n", true},
    {"observe", "", false},
    {"unobserve", "", false},
    {"standby", "", false},
    {"resign", "", false},
    {"leave", "", false},
    {"join", "nonce: x\n", false},
    {"resend", "", false},
    {"preview", "", true},
    {"journal", "", false},
};

static void add_text(struct str *body, const char *who)
{
    const size_t row = draw(sizeof texts / sizeof *texts);
    const size_t kind = draw(2) ? row : draw(2) ? 0 : 6; /* most of all orders and press */
    struct str text = STR_INIT;
    char id[8];
    (void)snprintf(id, sizeof id, "gc-%zu", draw(2) ? 1 : 1 + draw(3));
    str_addf(&text, "#turnpost %s\ngame: %s\n", texts[kind].verb, id);
    if (texts[kind].turn)
        str_addf(&text, "turn: %d\n", house_find(&house, id)->turn);
    if (strcmp(texts[kind].verb, "orders") == 0)
        str_addf(&text, "seq: %d\n", ++number);
    str_addf(&text, "%s#end\n", texts[kind].lines);
    house_sign(&house, who, text.p, body);
    str_release(&text);
}

/* No text was too late: all name the turn and the head that were there when the mail was written. */
static void none_came_too_late(const struct str *body)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing letter;
        ck_ok(spool_load(house.batch.spool, list.path[i], &letter, &err), err);
        bool late = house_says(letter.mail.p, "The text is for turn") ||
                    house_says(letter.mail.p, "has issued no report");
        ck_assert_msg(!late || house_says(letter.mail.p, "#turnpost resign"), "%s\n\nanswers\n\n%s",
                      letter.mail.p, body->p);
        outgoing_release(&letter);
    }
    spool_list_free(&list);
    house_empty_spool(&house);
}

START_TEST(any_texts_in_any_order)
{
    luck = luck_seed(_i);
    for (int i = 0; i < MAILS; i++) {
        struct str body = STR_INIT;
        const char *who = people[draw(3)];
        house.now += 60;
        if (draw(6) == 0)
            house_clock(&house, house.now + DAY + 1);
        house_empty_spool(&house);
        for (size_t count = 1 + draw(TEXTS); count > 0; count--)
            add_text(&body, who);
        (void)house_mail(&house, who, "orders", body.p);
        none_came_too_late(&body);
        str_release(&body);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, any_texts_in_any_order, 0, FEW ? 6 : 300);
}
TEST_MAIN("intake/texts_property", cases)
