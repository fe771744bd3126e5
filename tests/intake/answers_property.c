/* Whatever is typed into answers to our mails, and however these are quoted: each is answered, and of what is recorded the audit
 * finds that the mails say it. */
#include "house/audited.h"
#include "house/quoted.h"

#define MAILS  20 /* of a game */
#define RECENT 5  /* mails of ours, one of which is answered */

static uint64_t luck;
static struct ours recent[RECENT];
static size_t recent_count;
static struct str diary; /* what was done, for who reads the failure */

static size_t draw(size_t most)
{
    luck = luck * 6364136223846793005U + 1442695040888963407U;
    return (size_t)(luck >> 33) % most;
}

/* ---- what is typed ---- */

static const char *const lines[] = {
    /* orders, well and badly typed */
    "explore near",
    "build",
    "research robots",
    "Explore far.",
    "- build",
    "please build",
    "explor near",
    "buidl",
    "conquer N1",
    "explore near or bide",
    "explore",
    "always build",
    "repeat",
    "else",
    "endif",
    "turn 2",
    "resign",
    "if metal is short",
    "build trust with bob",
    "build?",
    "explore near; build",
    "gc-1: build",
    "gc-1:",
    "gc-2: build",
    "say Let\xE2\x80\x99s go",
    "\xE2\x80\x9C"
    "build\xE2\x80\x9D",
    "build \xE2\x80\x93",
    "e\xE2\x80\x8Bxplore near",
    "\xC2\xA0"
    "build",
    "say aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa",
    /* numbers, and lines of the form, as they were mailed or changed */
    "1",
    "2",
    "#2",
    "2.",
    "1)",
    "77",
    "0",
    "1, 2",
    "1-2",
    "5 May",
    "[x] explore near",
    "[ ] explore near",
    "1 [x] explore near",
    "2 [x] build",
    "2 [ ] build",
    "99 [x] build",
    "[x] explore near (1 of 6 cards)",
    "[x] explore far",
    "[ ] explor near",
    "[x] build (note",
    "1. explore near",
    "2 explore far",
    "(1 of 6)",
    "[x] turn 3",
    "[x]",
    "1 [x] resign",
    /* what agrees, undoes, ends */
    "ok",
    "OK, thanks",
    "yes",
    "Yes, please",
    "undo",
    "final",
    "final: yes",
    "ok falcon",
    "no",
    "#end",
    /* messages, questions, commands */
    "press bob: Shall we?",
    "press all: hello \xE2\x80\x94 there",
    "press carl: hi",
    "press bob: > x",
    "press bob: from: nobody",
    "press bob: aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa aaaa",
    "help",
    "rules",
    "status",
    "standing",
    "show",
    "when is the deadline?",
    "vacation 2026-12-24 to 2027-01-02",
    "digest 18",
    "extend 24",
    "extend",
    "join",
    "stop",
    "ship: swift",
    /* unread matter */
    "Sent from my iPhone",
    "and then conquer all",
    "Anna",
    "Best regards",
    "Room 5",
    "-- ",
    "=3D",
    "wait: yes",
    "seq: 9",
    "game: gc-1",
    "#turnpost orders",
    "> explore far",
    "| build",
    "On Mon, Bob wrote:",
};

/* Something of our own mails, out of its place. */
static void add_ours(struct str *out)
{
    struct slice rest = slice_str(&recent[draw(recent_count)].text), line = {"", 0};
    for (size_t left = draw(30); slice_line(&rest, &line) && left > 0; left--)
        continue;
    str_addslice(out, slice_trim(line));
}

/* The word that the last mail of ours asks for, if it asks for one. */
static void add_word(struct str *out)
{
    const char *text = recent_count ? recent[recent_count - 1].text.p : "", *at = strstr(text, "type: ok");
    str_addf(out, "%.*s", at ? (int)strcspn(at + 6, "\n") : 2, at ? at + 6 : "ok");
}

static void add_typed(struct str *out)
{
    for (size_t i = 0, count = 1 + draw(4); i < count; i++) {
        str_adds(out, !i ? "" : draw(3) ? "\r\n" : "\r\n\r\n");
        if (draw(8) == 0)
            add_word(out);
        else if (draw(8) == 0)
            add_ours(out);
        else
            str_adds(out, lines[draw(sizeof lines / sizeof *lines)]);
    }
}

/* ---- how it is quoted ---- */

/* Some mail programs mark no lines, and people cut the quote short, at its beginning or its end. */
static void quote_carelessly(struct str *out, const struct ours *ours)
{
    const char *mark = draw(3) ? "> " : "";
    const size_t from = draw(4) ? 0 : draw(20), till = draw(4) ? 1000 : draw(40);
    struct slice rest = slice_str(&ours->text), line;
    str_adds(out, "\r\nOn Fri, 20 Nov 2026 at 12:00, Orion League <league@example.org> wrote:\r\n");
    for (size_t i = 0; slice_line(&rest, &line); i++)
        if (i >= from && i < till)
            str_addf(out, "%s%.*s\r\n", mark, (int)line.len, line.p);
}

static void keep_ours(void)
{
    struct ours ours;
    if (!find_ours(&ours, NULL))
        return;
    if (recent_count == RECENT) {
        str_release(&recent[0].text);
        memmove(recent, recent + 1, sizeof recent - sizeof *recent);
        recent_count--;
    }
    recent[recent_count++] = ours;
}

static void write_answer(void)
{
    const struct ours *ours = &recent[draw(3) ? recent_count - 1 : draw(recent_count)];
    struct str body = STR_INIT, below = STR_INIT;
    add_typed(&body);
    str_adds(&body, "\r\n");
    if (draw(10))
        quote_carelessly(&body, ours);
    if (draw(10) == 0)
        add_typed(&below);
    str_addf(&body, "%s%s", below.p, below.len ? "\r\n" : "");
    str_addf(&diary, "--- to %s [%s]\n%s", ours->to, ours->subject, body.p);
    house.now += 60;
    str_clear(&mail);
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", "mail.test", ours->to, ours->subject, house.now, body.p, NULL, 0},
        &mail);
    house_empty_spool(&house);
    (void)house_raw(&house,
                    slice_str(&mail)); /* it fails where there is no answer and no reason for silence */
    keep_ours();
    str_release(&body);
    str_release(&below);
}

/* ---- the game ---- */

static void others_move(void)
{
    house_empty_spool(&house);
    if (draw(3) == 0) {
        house_clock(&house, house.now + 86401);
    } else {
        char text[99];
        (void)snprintf(text, sizeof text, "#turnpost orders\ngame: gc-1\nturn: %d\nexplore near\n#end\n",
                       house_find(&house, "gc-1")->turn);
        (void)house_signed(&house, "bob", "bob", text);
    }
    keep_ours();
}

static void audit_all(void)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct lines one;
    struct audit audit;
    struct audit_result result;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    lines_memory(&one, slice_str(&journal));
    audit_init(&audit, &one);
    audit.master = house.league.master;
    audit.says = reply_says;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_msg(result.verdict == AUDIT_PROVED, "%s at record %lld (%s), %s, after:\n%s",
                  audit_verdict_name(result.verdict), (long long)result.first.seq, result.first.type,
                  result.first.text, diary.len > 3000 ? diary.p + diary.len - 3000 : diary.p);
    str_release(&journal);
}

START_TEST(the_audit_believes_what_was_typed)
{
    luck = luck_seed(_i);
    str_init(&diary);
    (void)write_plain("show", "");
    keep_ours();
    for (int i = 0; i < MAILS; i++) {
        if (draw(8) == 0)
            others_move();
        const int64_t seq = house_find(&house, "gc-1")->seq;
        write_answer();
        if (house_find(&house, "gc-1")->seq != seq)
            audit_all();
    }
    while (recent_count)
        str_release(&recent[--recent_count].text);
    str_release(&diary);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, the_audit_believes_what_was_typed, 0, FEW ? 6 : 300);
}
TEST_MAIN("intake/answers_property", cases)
