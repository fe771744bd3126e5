/* What an auditor reads in mails that vouch for orders. */
#include "house/domain.h"

#include "base/mem.h"
#include "game/game.h"
#include "publish/reply_says.h"

#define SENT      ((int64_t)1795176000) /* 2026-11-20T12:00:00Z */
#define HEAD_REST "9a0c2b7d1e8a63052c9a4be0d7f1a6c3b85d29e4f07a1b6d8c3e5f9a20b74c"
#define HEAD      "4f" HEAD_REST
#define QUOTE                                                                                               \
    "\r\nOn 2026-11-20 at 10:00, Orion wrote:\r\n> #-k3v7q2m5xwtrabcd-# gc-1, turn 6, 4f9a0c2b7d1e8a63\r\n" \
    "> [ ] build\r\n"
/* Of a digest: its own first line, and somewhere below those of the games. */
#define DIGEST                                                                          \
    "\r\nOn 2026-11-20 at 10:00, Orion wrote:\r\n> #-aaaabbbbccccdddd-# 2026-11-20\r\n" \
    "> #-k3v7q2m5xwtrabcd-# gc-1, turn 6, 4f9a0c2b7d1e8a63\r\n> [ ] build\r\n"          \
    "> #-aaaabbbbccccddde-# gc-2, turn 3, aa9a0c2b7d1e8a63\r\n"

static struct domain domain;
static struct game game;
static const char *above = "";     /* fields on top of the mail */
static int64_t date = SENT;        /* as the record says */
static const char *answers = HEAD; /* the head that the text names */

/* Records of the open turn: the one that opened it, and two after it. */
static void add_heads(void)
{
    struct game_marks *heads = &game.seen.heads;
    for (size_t i = 0; i < 3; i++) {
        heads->list = mem_grow(heads->list, heads->count, &heads->cap, sizeof *heads->list);
        struct game_mark *mark = &heads->list[heads->count++];
        *mark = (struct game_mark){.turn = 6};
        ck_assert(hex_decode(mark->digest, HEAD_BYTES, slice_of(HEAD)));
        mark->digest[0] = (unsigned char)(mark->digest[0] + i);
    }
}

static void begin(void)
{
    domain_open(&domain, 1);
    game_init(&game);
    game.ruleset = ruleset_newest("galaxy-command");
    (void)snprintf(game.id, sizeof game.id, "gc-1");
    (void)snprintf(game.seat[1].player, sizeof game.seat[1].player, "alice");
    add_heads();
}

static void end(void)
{
    domain_close(&domain);
    game_release(&game);
}

/* What the mail with this body says of a text of that verb, with these lines. */
static enum audit_says ask_text(const char *body, const char *verb, const char *lines, int cutter)
{
    struct str mail = STR_INIT, text = STR_INIT;
    struct err err = ERR_INIT;
    struct frame frame;
    struct dkim_claims claims;
    char nonce[17];
    str_adds(&mail, above);
    domain_mail(&domain, "alice", SENT, body, &mail);
    (void)domain_proof(&domain, &mail, SENT, &claims);
    hex_to(nonce, claims.list[0].content, 8);
    bool orders = strcmp(verb, "orders") == 0;
    str_addf(&text, "#turnpost %s\ngame: gc-1\nturn: 6\nhead: %s\n%snonce: %s\n%s#end\n", verb, answers,
             orders ? "seq: 1\n" : "", nonce, lines);
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    enum audit_says says =
        reply_says(&(struct audit_mail){slice_str(&mail), &claims.list[0], date, cutter, &game, 1, &frame});
    str_release(&mail);
    str_release(&text);
    return says;
}

static enum audit_says ask(const char *body, const char *orders, int cutter)
{
    return ask_text(body, "orders", orders, cutter);
}

static const struct {
    const char *body, *orders;
    enum audit_says says;
} rows[] = {
    {"explore near\r\nbuild\r\n" QUOTE, "explore near\nbuild\n", AUDIT_SAYS_SAME},
    {"Hello,\r\n  Explore  near.\r\n\r\nThanks,\r\nAlice\r\n" QUOTE, "Explore near.\n", AUDIT_SAYS_SAME},
    {"gc-1: explore near\r\ngc-2: explore far\r\n" DIGEST, "explore near\n", AUDIT_SAYS_SAME},
    {"gc-1:\r\nexplore near\r\ngc-2:\r\nresign\r\n" DIGEST, "explore near\n", AUDIT_SAYS_SAME},
    {"gc-1:\r\nexplore near\r\ngc-2:\r\nresign\r\n" DIGEST, "explore near\nresign\n", AUDIT_SAYS_OTHER},
    {"Gc-1:\r\nexplore near\r\nGc-2:\r\nresign\r\n" DIGEST, "explore near\n", AUDIT_SAYS_SAME},
    {"gc-1:\r\nOrders:\r\nexplore near\r\n" DIGEST, "explore near\n", AUDIT_SAYS_SAME},
    {"final: yes\r\nexplor near\r\ngc-1: explore near\r\n" DIGEST, "explore near\n", AUDIT_SAYS_SAME},
    {"final: yes\r\nexplore near\r\n" DIGEST, "final: yes\nexplore near\n",
     AUDIT_SAYS_SAME}, /* of one game */
    {"gc-1: build\r\ngc-2: ok\r\n" DIGEST, "explore near\n", AUDIT_SAYS_OTHER},
    {"gc-1: explore near\r\nDear all:\r\n" DIGEST, "explore near\n", AUDIT_SAYS_SAME},
    {"- gc-1: explore near\r\n- GC-2:\r\nbuild\r\n* gc-2:\r\nresign\r\n" DIGEST, "explore near\n",
     AUDIT_SAYS_SAME},
    {"press bob: see you\r\nexplore near\r\n" QUOTE, "explore near\n", AUDIT_SAYS_SAME},
    {"explore near\r\nwhat do you think?\r\n" QUOTE, "explore near\n", AUDIT_SAYS_SAME},
    {"ok\r\n" QUOTE, "build\n", AUDIT_SAYS_AGREED},
    {"OK k3v7q2m5\r\n" QUOTE, "resign\n", AUDIT_SAYS_AGREED},
    {"1\r\n" QUOTE, "explore near\nbuild\n", AUDIT_SAYS_AGREED},
    {"ok\r\nexplore far\r\n" QUOTE, "build\n", AUDIT_SAYS_OTHER},
    {"explore near\r\n" QUOTE, "explore far\n", AUDIT_SAYS_OTHER},
    {"explore near\r\nbuild\r\n" QUOTE, "build\nexplore near\n", AUDIT_SAYS_OTHER},
    {"explore near\r\nbuild\r\n" QUOTE, "explore near\n", AUDIT_SAYS_OTHER},
    {"hello\r\n" QUOTE, "build\n", AUDIT_SAYS_OTHER},
    {"help\r\n" QUOTE, "build\n", AUDIT_SAYS_OTHER},
    {"explore near\r\n" QUOTE, "explore near\nbuild\n", AUDIT_SAYS_OTHER},
    {"explore near\r\n> build\r\n" QUOTE, "explore near\nbuild\n", AUDIT_SAYS_OTHER},
    {"explore near\r\n", "explore near\n", AUDIT_SAYS_NOWHERE},
    {"explore near\r\n> #-k3v7q2m5xwtrabcd-# gc-1, turn 6, 4f9a0c2b7d1e8a64\r\n", "explore near\n",
     AUDIT_SAYS_NOWHERE},
    {"explore near\r\nhelp\r\n" QUOTE, "explore near\nhelp\n", AUDIT_SAYS_SAME},
    {"Help!\r\nexplore near\r\nmap\r\n" QUOTE, "explore near\nHelp\n", AUDIT_SAYS_SAME},
    {"explore near\r\n" QUOTE, "explore near\nhelp\n", AUDIT_SAYS_OTHER},
    {"ok\r\nrules\r\ndeadline?\r\n" QUOTE, "build\n", AUDIT_SAYS_AGREED},
    {"help\r\n" QUOTE, "help\n", AUDIT_SAYS_OTHER},         /* no record is made of it */
    {"undo\r\n" QUOTE, "explore near\n", AUDIT_SAYS_OTHER}, /* it does not wait */
    {"explore near\r\nFinal\r\n" QUOTE, "final: yes\nexplore near\n", AUDIT_SAYS_SAME},
    {"explore near\r\nfinal: yes\r\n" QUOTE, "explore near\n", AUDIT_SAYS_OTHER},
    {"ok\r\n" QUOTE, "final: yes\nbuild\n", AUDIT_SAYS_AGREED}, /* to lines that held FINAL */
    {"undo\r\nfinal\r\n" QUOTE, "final: yes\nexplore near\n", AUDIT_SAYS_OTHER},
    {"gc-1: explore near\r\ngc-2: build\r\ngc-2: final\r\n" DIGEST, "explore near\n", AUDIT_SAYS_SAME},
    {"gc-1: explore near\r\ngc-2: build\r\ngc-2: final\r\n" DIGEST, "final: yes\nexplore near\n",
     AUDIT_SAYS_OTHER},
    /* lines of the form: which of them were mailed is not in the mail */
    {"1 [x] explore near\r\n" QUOTE, "explore near\n", AUDIT_SAYS_AGREED},
    {"[x] explore near (1 of 6 ships)\r\n" QUOTE, "explore near\n", AUDIT_SAYS_AGREED},
    {"2 [ ] explore near\r\nbuild\r\n" QUOTE, "build\n", AUDIT_SAYS_AMONG},
    {"build\r\n9 [x] explore near\r\n" QUOTE, "build\nexplore near\n", AUDIT_SAYS_AGREED},
    {"build\r\n[x] explore near\r\n" QUOTE, "explore near\n", AUDIT_SAYS_OTHER},
    {"[x] who knows\r\n" QUOTE, "explore near\n", AUDIT_SAYS_OTHER},
    {"build\r\n5 May 2026\r\n" QUOTE, "build\n", AUDIT_SAYS_SAME},
};

START_TEST(mails_are_held_against_orders)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        enum audit_says says = ask(rows[i].body, rows[i].orders, REPLY_VERSION);
        ck_assert_msg(says == rows[i].says, "row %zu says %d, want %d", i, says, rows[i].says);
    }
}
END_TEST

/* What may count is believed; a machine's words are not all of it. */
START_TEST(what_the_mail_says_of_itself)
{
    static const struct {
        const char *field;
        enum audit_says says;
    } fields[] = {{"Precedence: bulk\r\n", AUDIT_SAYS_SAME},
                  {"X-Auto-Response-Suppress: All\r\n", AUDIT_SAYS_SAME},
                  {"List-Unsubscribe: <mailto:x@y>\r\n", AUDIT_SAYS_SAME},
                  {"Auto-Submitted: auto-replied\r\n", AUDIT_SAYS_AMONG},
                  {"List-Id: <a.b>\r\n", AUDIT_SAYS_AMONG}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        above = fields[i].field;
        ck_assert_msg(ask("explore near\r\n" QUOTE, "explore near\n", REPLY_VERSION) == fields[i].says, "%s",
                      above);
    }
    above = "";
}
END_TEST

/* Of one that was not understood there is no text; when it was sent decides until when its question is open. */
START_TEST(only_the_date_of_a_question_is_compared)
{
    struct str mail = STR_INIT;
    struct dkim_claims claims;
    domain_mail(&domain, "alice", SENT, "explor near\r\n" QUOTE, &mail);
    (void)domain_proof(&domain, &mail, SENT, &claims);
    for (int64_t sent = SENT - 1; sent <= SENT + 1; sent++)
        ck_assert_int_eq(reply_says(&(struct audit_mail){slice_str(&mail), &claims.list[0], sent,
                                                         REPLY_VERSION, &game, 0, NULL}),
                         sent == SENT ? AUDIT_SAYS_SAME : AUDIT_SAYS_OTHER);
    str_release(&mail);
}
END_TEST

static const struct {
    const char *body, *verb, *lines;
    enum audit_says says;
} texts[] = {
    {"press bob: Shall we?\r\n" QUOTE, "press", "to: bob\nShall we?\n", AUDIT_SAYS_SAME},
    {"build\r\nPress Bob:  Shall  we?\r\npress carl: no\r\n" QUOTE, "press", "to: Bob\nShall we?\n",
     AUDIT_SAYS_SAME},
    {"press bob: Shall we?\r\n" QUOTE, "press", "to: carl\nShall we?\n", AUDIT_SAYS_OTHER},
    {"gc-2: press bob: Shall we?\r\n" DIGEST, "press", "to: bob\nShall we?\n", AUDIT_SAYS_OTHER},
    {"gc-1: press bob: Shall we meet where the two rivers come together\r\ngc-2: move sun\r\n" DIGEST,
     "press", "to: bob\nShall we meet where the two rivers come together\n", AUDIT_SAYS_SAME},
    {"press bob: Shall we?\r\n" QUOTE, "press", "to: bob\nNever.\n", AUDIT_SAYS_OTHER},
    {"press bob: Shall we?\r\nI mean it\r\n" QUOTE, "press", "to: bob\nShall we?\n", AUDIT_SAYS_AMONG},
    {"ok\r\n\r\n> press bob: Shall we?\r\n" QUOTE, "press", "to: bob\nShall we?\n", AUDIT_SAYS_AGREED},
    {"yes, but\r\n\r\n> press bob: Shall we?\r\n" QUOTE, "press", "to: bob\nShall we?\n", AUDIT_SAYS_OTHER},
    /* A name that was to be hidden and is told is a lie like any other. */
    {"press bob: Shall we?\r\n" QUOTE, "press", "to: bob\nfrom: nobody\nShall we?\n", AUDIT_SAYS_OTHER},
    {"press bob from nobody: Shall we?\r\n" QUOTE, "press", "to: bob\nShall we?\n", AUDIT_SAYS_OTHER},
    {"press bob from nobody: Shall we?\r\n" QUOTE, "press", "to: bob\nfrom: nobody\nShall we?\n",
     AUDIT_SAYS_SAME},
    {"press bob: Shall we?\r\nfrom: nobody\r\n" QUOTE, "press", "to: bob\nfrom: nobody\nShall we?\n",
     AUDIT_SAYS_SAME},
    {"press bob: Shall we?\r\n" QUOTE, "press", "to: bob\nre: 3\nShall we?\n",
     AUDIT_SAYS_AGREED}, /* none that is typed */
    {"appeal: It was lost\r\n" QUOTE, "appeal", "It was lost\n", AUDIT_SAYS_SAME},
    {"appeal: It was lost\r\n" QUOTE, "appeal", "It was not lost\n", AUDIT_SAYS_OTHER},
    {"appeal 99: It was lost\r\n" QUOTE, "appeal", "It was lost\n", AUDIT_SAYS_OTHER},
    {"build\r\n" QUOTE, "appeal", "It was lost\n", AUDIT_SAYS_OTHER},
    {"press bob: Shall we?\r\n", "press", "to: bob\nShall we?\n", AUDIT_SAYS_NOWHERE},
    {"press bob: ok\r\n" QUOTE, "resign", "", AUDIT_SAYS_OTHER},
    {"build\r\n" QUOTE, "leave", "", AUDIT_SAYS_OTHER},
    {"ok\r\n" QUOTE, "observe", "", AUDIT_SAYS_AGREED},
    {"ok k3v7q2\r\nAlice\r\n" QUOTE, "take", "seat: 2\n", AUDIT_SAYS_AGREED},
    {"join\r\n" QUOTE, "join", "", AUDIT_SAYS_AGREED},
    {"join\r\n" QUOTE, "leave", "", AUDIT_SAYS_OTHER},
    {"extend 24\r\n" QUOTE, "extend", "hours: 24\n", AUDIT_SAYS_SAME},
    {"extend 24\r\n" QUOTE, "extend", "hours: 240\n", AUDIT_SAYS_OTHER},
};

START_TEST(mails_are_held_against_other_texts)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        enum audit_says says = ask_text(texts[i].body, texts[i].verb, texts[i].lines, REPLY_VERSION);
        ck_assert_msg(says == texts[i].says, "row %zu says %d, want %d", i, says, texts[i].says);
    }
}
END_TEST

START_TEST(ships_are_compared)
{
    game.ruleset = ruleset_newest("galactic-contract");
    const char *body = "ok k3v7q2\r\nShip: Swift, tinker.\r\n" QUOTE;
    ck_assert_int_eq(ask_text(body, "join", "ship: Swift, tinker\n", REPLY_VERSION), AUDIT_SAYS_AGREED);
    ck_assert_int_eq(ask_text("ok k3v7q2\r\nship: swift\r\n" QUOTE, "join", "ship: swift\n", REPLY_VERSION),
                     AUDIT_SAYS_AGREED); /* not the name of a game */
    ck_assert_int_eq(ask_text(body, "join", "ship: tinker\n", REPLY_VERSION), AUDIT_SAYS_OTHER);
    ck_assert_int_eq(ask_text(body, "join", "", REPLY_VERSION), AUDIT_SAYS_OTHER);
    ck_assert_int_eq(ask_text("ok k3v7q2\r\n" QUOTE, "take", "seat: 2\n", REPLY_VERSION), AUDIT_SAYS_AGREED);
    ck_assert_int_eq(ask_text("ok k3v7q2\r\n" QUOTE, "join", "ship: tinker\n", REPLY_VERSION),
                     AUDIT_SAYS_OTHER);
    game.ruleset = ruleset_newest("galaxy-farmer"); /* it is nothing where nobody joins */
    game.seat[1].orders.in = true;
    str_adds(&game.seat[1].orders.text, "resign\n");
    ck_assert_int_eq(ask("undo\r\nship: swift\r\n" QUOTE, "wait: yes\nresign\n", REPLY_VERSION),
                     AUDIT_SAYS_SAME);
}
END_TEST

/* A mail that quotes later ones of ours was written after them, and its text says so: neither more nor less. */
START_TEST(the_last_record_that_it_names_is_answered)
{
    static const char *const heads[] = {HEAD, "50" HEAD_REST, "51" HEAD_REST};
    const char *quotes = "build\r\n" QUOTE "> #-k3v7q2m5xwtrabcd-# gc-1, turn 6, 509a0c2b7d1e8a63\r\n";
    for (int i = 0; i < 3; i++) {
        answers = heads[i];
        ck_assert_int_eq(ask(quotes, "build\n", REPLY_VERSION),
                         i == 1 ? AUDIT_SAYS_SAME : AUDIT_SAYS_NOWHERE);
        ck_assert_int_eq(
            ask_text("press bob: Shall we?\r\n" QUOTE, "press", "to: bob\nShall we?\n", REPLY_VERSION),
            AUDIT_SAYS_SAME);
    }
    answers = HEAD;
}
END_TEST

/* "undo": the orders in force, which wait. */
START_TEST(what_was_undone_is_compared)
{
    game.seat[1].orders.in = true;
    str_adds(&game.seat[1].orders.text, "explore near\n");
    ck_assert_int_eq(ask("undo\r\n" QUOTE, "wait: yes\nexplore near\n", REPLY_VERSION), AUDIT_SAYS_SAME);
    ck_assert_int_eq(ask("undo\r\n" QUOTE, "wait: yes\nexplore far\n", REPLY_VERSION), AUDIT_SAYS_OTHER);
    ck_assert_int_eq(ask("ok\r\n" QUOTE, "wait: yes\nexplore near\n", REPLY_VERSION), AUDIT_SAYS_AGREED);
    ck_assert_int_eq(ask("ok\r\n" QUOTE, "wait: yes\nexplore far\n", REPLY_VERSION), AUDIT_SAYS_OTHER);
    ck_assert_int_eq(ask("explore near\r\n" QUOTE, "wait: yes\nexplore near\n", REPLY_VERSION),
                     AUDIT_SAYS_OTHER);
    ck_assert_int_eq(ask("undo\r\n77\r\n[x] build\r\n" QUOTE, "wait: yes\nexplore near\n", REPLY_VERSION),
                     AUDIT_SAYS_SAME);
    str_clear(&game.seat[1].orders.text);
    ck_assert_int_eq(ask("undo\r\n" QUOTE, "wait: yes\nexplore near\n", REPLY_VERSION), AUDIT_SAYS_AGREED);
}
END_TEST

/* Nothing that the player has not sent is in the text, and the date is the mail's. */
START_TEST(what_the_league_adds_is_found)
{
    date = SENT + 1;
    ck_assert_int_eq(ask(rows[0].body, rows[0].orders, REPLY_VERSION), AUDIT_SAYS_OTHER);
    date = SENT;
    ck_assert_int_eq(ask(rows[0].body, "final: yes\nexplore near\nbuild\n", REPLY_VERSION), AUDIT_SAYS_OTHER);
    ck_assert_int_eq(ask(rows[0].body, "json: yes\nexplore near\nbuild\n", REPLY_VERSION), AUDIT_SAYS_OTHER);
}
END_TEST

START_TEST(other_readers_are_named)
{
    ck_assert_int_eq(ask(rows[0].body, rows[0].orders, REPLY_VERSION + 1), AUDIT_SAYS_NEWER);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, mails_are_held_against_orders);
    tcase_add_test(tc, what_the_mail_says_of_itself);
    tcase_add_test(tc, only_the_date_of_a_question_is_compared);
    tcase_add_test(tc, mails_are_held_against_other_texts);
    tcase_add_test(tc, ships_are_compared);
    tcase_add_test(tc, the_last_record_that_it_names_is_answered);
    tcase_add_test(tc, what_was_undone_is_compared);
    tcase_add_test(tc, what_the_league_adds_is_found);
    tcase_add_test(tc, other_readers_are_named);
}
TEST_MAIN("publish/reply_says", cases)
