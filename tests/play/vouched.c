/* Orders that no key has signed, but the player's mail domain: whose they may be, what they replace and what
 * replaces them, what the journal says of them, and what an auditor finds. */
#include "house/sits_mailed.h"
#include "house/table.h"
#include "seat_gets.h"

#include "base/json.h"
#include "game/game_seats.h"
#include "game/vouched.h"
#include "play/replies.h"
#include "play/step_parts.h"
#include "publish/publish.h"
#include "publish/reply_says.h"

static struct table t;
static struct domain domain;
static const char *local_part = "alice";

/* Alice has no key, bob has one. */
static void begin(void)
{
    struct err err = ERR_INIT;
    struct step step;
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .turn_length = 86400,
                           .missed_robot = 3,
                           .by_mail = true,
                           .seats = 2};
    table_open(&t);
    domain_open(&domain, 1);
    struct step_keys keys = table_keys(&t);
    for (int i = 0; how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    how.seat[1].player = "alice";
    how.seat[2].player = "bob";
    const struct sitter by[SEATS_MAX + 1] = {
        [1] = {.domain = &domain, .mails = sits_by_mail}, [2] = {.secret = &t.players[1]}};
    step_init(&step, &keys, NOON);
    ck_ok(sits_create(&step, &t.game, &how, by, &err), err);
    table_commit(&t, &step, 0, 0);
}

static void end(void)
{
    domain_close(&domain);
    table_close(&t);
}

/* Her answer to a mail of the open turn, by default to the one that opened it. */
static void answer_to(struct str *mail, const struct domain *by, const char *local, int64_t sent,
                      const char *lines, const char *head)
{
    struct str body = STR_INIT;
    struct slice rest = slice_of(lines), line;
    while (slice_line(&rest, &line))
        str_addf(&body, "%.*s\r\n", (int)line.len, line.p);
    str_addf(&body, "\r\n> #-k3v7q2m5xwtrabcd-# gc-1, turn %d, %.16s\r\n", t.game.turn, head);
    domain_mail(by, local, sent, body.p, mail);
    str_release(&body);
}

static void answer(struct str *mail, const struct domain *by, const char *local, int64_t sent,
                   const char *lines)
{
    char head[2 * HEAD_BYTES + 1];
    game_answer_head(head, &t.game);
    answer_to(mail, by, local, sent, lines, head);
}

/* A mail with orders of a seat. */
struct coming {
    int seat, seq;
    int64_t sent, arrived, read; /* by its own clock, by our server's, by ours */
    bool names_last;             /* it quotes a mail that was made after the last record */
};

static enum orders_fate come(const struct coming *coming, const char *lines)
{
    struct err err = ERR_INIT;
    char head[2 * HEAD_BYTES + 1];
    struct str text = STR_INIT, mail = STR_INIT;
    struct frame frame;
    struct step step;
    struct step_keys keys = table_keys(&t);
    struct dkim_claims claims;
    unsigned char digest[32] = {0};
    enum orders_fate fate = ORDERS_TAKEN;
    int64_t length = t.game.journal.length, last = t.game.seq;
    game_answer_head(head, &t.game);
    if (coming->names_last)
        hex_to(head, t.game.head, HEAD_BYTES);
    answer_to(&mail, &domain, local_part, coming->sent, lines, head);
    struct mail_proof proof = domain_proof(&domain, &mail, coming->sent, &claims);
    proof.arrived = coming->arrived;
    reply_text(&text, &t.game,
               &(struct reply_orders){coming->seq, proof.content, REPLY_PLAIN, slice_of(lines), head});
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    digest[0] = (unsigned char)++t.mails;
    const struct orders_input input = {.seat = coming->seat,
                                       .frame = &frame,
                                       .exact = slice_str(&text),
                                       .canonical = slice_str(&text),
                                       .mail = digest,
                                       .proof = &proof};
    step_init(&step, &keys, coming->read);
    step.before = table_before(&t);
    ck_ok(step_orders(&step, &t.game, &input, &fate, &err), err);
    table_commit(&t, &step, length, last);
    str_release(&text);
    str_release(&mail);
    return fate;
}

/* Orders of a seat by a mail of that time, when all clocks agree. */
static enum orders_fate reply(int seat, int seq, int64_t sent, const char *lines)
{
    return come(&(struct coming){seat, seq, sent, sent, sent, false}, lines);
}

static const char *text_of(int seat)
{
    return t.game.seat[seat].orders.text.p;
}

START_TEST(counts_without_a_key_only)
{
    ck_assert(game_takes_mail(&t.game, 1));
    ck_assert(!game_takes_mail(&t.game, 2));
    ck_assert_int_eq(reply(2, 1, NOON + 60, "bide\n"), ORDERS_BELOW);
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    ck_assert_str_eq(text_of(1), "bide\n");
    ck_assert(t.game.seat[1].orders.by_mail);
    table_check_replay(&t);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "bide\n", NOON + 120, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 2);
    table_check_replay(&t);
}
END_TEST

/* ---- which of two is later ---- */

/* She changes by the receipt, and then answers the report again: what she wrote last counts, whatever it answers. */
START_TEST(the_later_one_counts)
{
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 2, NOON + 90, "explore near\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 1, NOON + 120, "build\n"), ORDERS_TAKEN);
    ck_assert_str_eq(text_of(1), "build\n");
    ck_assert_int_eq(reply(1, 3, NOON + 100, "explore far\n"), ORDERS_EARLIER);
    table_check_replay(&t);
}
END_TEST

/* Her computer is two hours ahead; ten minutes later she corrects it by telephone. */
START_TEST(a_clock_that_is_ahead_bars_no_correction)
{
    const int64_t first = NOON + 60, second = NOON + 660;
    ck_assert_int_eq(come(&(struct coming){1, 1, first + 7200, first, first, false}, "bide\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 1, second, "explore near\n"), ORDERS_TAKEN);
    ck_assert_str_eq(text_of(1), "explore near\n");
    ck_assert_int_eq(come(&(struct coming){1, 1, second + 7260, second + 60, second + 60, false}, "build\n"),
                     ORDERS_TAKEN);
    table_check_replay(&t);
}
END_TEST

START_TEST(of_two_in_one_second_the_last_counts)
{
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 1, NOON + 60, "explore near\n"), ORDERS_TAKEN);
    ck_assert_str_eq(text_of(1), "explore near\n");
    ck_assert_int_eq(reply(1, 2, NOON + 60, "build\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\nbuild\n"), ORDERS_EARLIER);
    ck_assert_str_eq(text_of(1), "build\n");
    table_check_replay(&t);
}
END_TEST

/* Her provider's server is turned away at first, and tries again: the second mail takes another way and is here first. */
START_TEST(a_server_that_turns_mails_away_reverses_nothing)
{
    ck_assert_int_eq(
        come(&(struct coming){1, 1, NOON + 120, NOON + 121, NOON + 121, false}, "explore near\n"),
        ORDERS_TAKEN);
    ck_assert_int_eq(come(&(struct coming){1, 1, NOON + 60, NOON + 960, NOON + 960, false}, "bide\n"),
                     ORDERS_EARLIER);
    ck_assert_str_eq(text_of(1), "explore near\n");
    table_check_replay(&t);
}
END_TEST

/* Nor does the league, by reading the mails in another order, or one of them a day later. */
START_TEST(reading_late_reverses_nothing)
{
    ck_assert_int_eq(
        come(&(struct coming){1, 1, NOON + 120, NOON + 121, NOON + 130, false}, "explore near\n"),
        ORDERS_TAKEN);
    ck_assert_int_eq(come(&(struct coming){1, 1, NOON + 60, NOON + 61, NOON + 80000, false}, "bide\n"),
                     ORDERS_EARLIER);
    ck_assert_str_eq(text_of(1), "explore near\n");
    table_check_replay(&t);
}
END_TEST

/* Her computer is an hour behind. What answers a mail that was made after other orders was written after them. */
START_TEST(a_clock_that_is_behind_bars_no_correction)
{
    ck_assert_int_eq(reply(1, 1, NOON + 7200, "bide\n"), ORDERS_TAKEN);
    ck_assert_int_eq(come(&(struct coming){1, 2, NOON + 3660, NOON + 7260, NOON + 7260, false}, "build\n"),
                     ORDERS_EARLIER);
    ck_assert_int_eq(come(&(struct coming){1, 2, NOON + 3670, NOON + 7270, NOON + 7270, true}, "build\n"),
                     ORDERS_TAKEN);
    ck_assert_int_eq(come(&(struct coming){1, 3, NOON + 7100, NOON + 7300, NOON + 7300, false}, "bide\n"),
                     ORDERS_EARLIER);
    ck_assert_str_eq(text_of(1), "build\n");
    table_check_replay(&t);
}
END_TEST

/* Whatever the mail server says of it, it comes after what it answers and before its record. */
static const struct {
    int64_t said, read;
    bool names_last;
    int64_t recorded;
} arrivals[] = {
    {NOON + 80, NOON + 90, false, NOON + 80},
    {NOON + 9000, NOON + 90, false, NOON + 90},
    {NOON - 50, NOON + 90, false, NOON},
    {0, NOON + 90, false, NOON},
    {-1, NOON + 90, false, NOON},
    {NOON + 50, NOON + 90, true, NOON + 70},
    {NOON + 80, NOON + 10, true, NOON + 70}, /* our clock was put back */
};

START_TEST(when_it_came_is_bounded)
{
    struct vouched vouched;
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\nwait: yes\n", "bide\n", NOON + 70, NULL), ORDERS_TAKEN);
    const struct coming coming = {
        1, 1, NOON + 90, arrivals[_i].said, arrivals[_i].read, arrivals[_i].names_last};
    ck_assert_int_eq(come(&coming, "bide\n"), ORDERS_TAKEN);
    ck_assert(vouched_read(t.game.seat[1].orders.vouched, &vouched));
    ck_assert_int_eq(vouched.arrived, arrivals[_i].recorded);
    table_check_replay(&t);
}
END_TEST

/* The same mail again, sent to the token of a later mail of ours: nobody signed that address. */
START_TEST(a_mail_counts_once)
{
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 2, NOON + 90, "explore near\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 3, NOON + 60, "bide\n"), ORDERS_SEEN_TEXT);
    ck_assert_str_eq(text_of(1), "explore near\n");
    table_check_replay(&t);
}
END_TEST

/* Her key comes while a reply is in force: what it signs counts, and replies no more. */
#define LATER (NOON + SEAT_REKEY_WAIT) /* when a key that was asked for counts */

START_TEST(a_key_is_above_it)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(&t);
    struct pubkey key;
    ck_assert_int_eq(reply(1, 7, NOON + 60, "bide\n"), ORDERS_TAKEN);
    int64_t length = t.game.journal.length, last = t.game.seq;
    secret_public(&t.players[0], &key);
    step_init(&step, &keys, NOON + 80);
    ck_ok(seat_gets(&step, &t.game, 1, &key, &err), err);
    table_commit(&t, &step, length, last);
    ck_assert_int_eq(reply(1, 8, LATER + 90, "explore near\n"), ORDERS_BELOW);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\nseq: 1\n", "explore near\n", LATER + 100, NULL),
                     ORDERS_TAKEN);
    ck_assert_str_eq(text_of(1), "explore near\n");
    ck_assert(!t.game.seat[1].orders.by_mail);
    table_check_replay(&t);
    /* And takes it back again: what it has signed stays in this turn. */
    length = t.game.journal.length;
    last = t.game.seq;
    step_init(&step, &keys, LATER + 110);
    ck_ok(seat_signs(&step, &t.game, 1, &t.players[0], NULL, &err), err);
    table_commit(&t, &step, length, last);
    ck_assert_int_eq(reply(1, 9, LATER + 120, "bide\n"), ORDERS_BELOW);
    table_check_replay(&t);
}
END_TEST

static void one_step(int (*make)(struct step *step, int seat, struct err *err), int seat, int64_t now)
{
    struct err err = ERR_INIT;
    struct step step;
    struct step_keys keys = table_keys(&t);
    int64_t length = t.game.journal.length, last = t.game.seq;
    step_init(&step, &keys, now);
    ck_ok(make(&step, seat, &err), err);
    table_commit(&t, &step, length, last);
}

static int ask_key(struct step *step, int seat, struct err *err)
{
    struct pubkey key;
    secret_public(&t.players[seat == 1 ? 0 : 2], &key);
    return step_rekey(step, &t.game, seat, &key, OPERATOR, err);
}

static int get_key(struct step *step, int seat, struct err *err)
{
    return step_rekeyed(step, &t.game, seat, err);
}

/* Standing lines last no longer than the word of the domain does; a key that follows another changes none. */
START_TEST(a_first_key_ends_what_stands)
{
    ck_assert_int_eq(reply(1, 1, NOON + 60, "always build\n"), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "always build\n", NOON + 70, NULL), ORDERS_TAKEN);
    ck_assert_uint_ne(t.game.seat[1].standing.len, 0);
    ck_assert_uint_ne(t.game.seat[2].standing.len, 0);
    one_step(ask_key, 1, NOON + 80);
    one_step(ask_key, 2, NOON + 90);
    one_step(get_key, 1, LATER + 80);
    one_step(get_key, 2, LATER + 90);
    ck_assert_uint_eq(t.game.seat[1].standing.len, 0);
    ck_assert_uint_ne(t.game.seat[2].standing.len, 0);
    table_check_replay(&t);
}
END_TEST

/* ---- what an auditor finds ---- */

struct found {
    int words, notes;
    char last[480];
};

static void note(void *arg, const struct audit_finding *finding)
{
    struct found *found = arg;
    found->notes += finding->kind == AUDIT_DOMAIN && finding->severity == AUDIT_NOTE;
    if (finding->kind != AUDIT_DOMAIN || finding->severity == AUDIT_NOTE)
        return;
    found->words += finding->severity == AUDIT_WORD;
    (void)snprintf(found->last, sizeof found->last, "%s", finding->text);
}

static void run_audit(struct slice journal, enum audit_view view, struct audit_result *result,
                      struct found *found)
{
    struct err err = ERR_INIT;
    struct lines one;
    struct audit audit;
    memset(found, 0, sizeof *found);
    lines_memory(&one, journal);
    audit_init(&audit, &one);
    audit.master = t.master;
    audit.view = view;
    audit.found = note;
    audit.says = reply_says;
    audit.arg = found;
    ck_ok(audit_run(&audit, result, &err), err);
}

/* One of the lines on whose word it rests. */
static void must_rest(const struct audit_result *result, const char *says)
{
    json_t *rests = audit_rests(result, NULL), *one;
    bool said = false;
    size_t i;
    json_array_foreach (rests, i, one)
        said |= strcmp(json_string_value(one), says) == 0;
    ck_assert_msg(said, "it is not said: %s", says);
    json_decref(rests);
}

START_TEST(several_texts_can_be_chosen_among)
{
    struct err err = ERR_INIT;
    struct audit_result result;
    struct found found;
    struct str journal = STR_INIT;
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 2, NOON + 90, "explore near\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 3, NOON + 95, "explore far\n"), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\nfinal: yes\n", "bide\n", NOON + 99, NULL), ORDERS_TAKEN);
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    run_audit(slice_str(&journal), AUDIT_PUBLIC, &result, &found);
    ck_assert_int_eq(result.several, 1);
    must_rest(&result,
              "No witness: the operator could leave out a text before the dice were known (1 time a player "
              "sent more than one for a turn), and with a friend at the table choose dice.");
    str_release(&journal);
}
END_TEST

START_TEST(an_auditor_sees_whose_word_it_is)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    struct found found;
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    run_audit(slice_str(&journal), AUDIT_MODERATOR, &result, &found);
    ck_assert_int_eq(result.verdict, AUDIT_PROVED);
    ck_assert_int_eq(result.counts.mails, 2); /* and that by which she joined */
    ck_assert_int_eq(result.counts.mails_say, 1);
    ck_assert_int_eq(result.orders[1].mails, 1);
    ck_assert_int_eq(result.orders[1].keys, 0);
    ck_assert_int_eq(found.words, 2);
    ck_assert_ptr_nonnull(strstr(found.last, "the mail domain example.org vouches for them"));
    must_rest(&result, "alice's orders rest on the word of a mail provider, example.org.");
    must_rest(
        &result,
        "No witness: the operator could leave out a text before the dice were known, and with a friend at "
        "the table choose dice.");
    run_audit(slice_str(&journal), AUDIT_PUBLIC, &result, &found);
    ck_assert_int_eq(found.words, 2);
    ck_assert_int_eq(result.counts.mails, 0);
    ck_assert(slice_find(slice_str(&journal), "alice@") == (size_t)-1);
    str_release(&journal);
}
END_TEST

START_TEST(mailboxes_are_compared)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    struct found found;
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    local_part = "mallory";
    ck_assert_int_eq(reply(1, 2, NOON + 90, "explore near\n"), ORDERS_TAKEN);
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    run_audit(slice_str(&journal), AUDIT_MODERATOR, &result, &found);
    ck_assert_int_eq(result.verdict, AUDIT_PROVED);
    ck_assert_int_eq(found.notes, 1);
    str_release(&journal);
}
END_TEST

/* The league makes the whole record itself: with another key, another mail, another text than the mail's. */
static const char *forged(struct mail_proof *proof, const char *lines, const char *head)
{
    static struct audit_result result;
    struct err err = ERR_INIT;
    struct str text = STR_INIT, journal = STR_INIT;
    struct frame frame;
    struct step step;
    struct step_keys keys = table_keys(&t);
    struct found found;
    unsigned char digest[32] = {99};
    enum orders_fate fate;
    reply_text(&text, &t.game, &(struct reply_orders){1, proof->content, REPLY_PLAIN, slice_of(lines), head});
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    const struct orders_input input = {.seat = 1,
                                       .frame = &frame,
                                       .exact = slice_str(&text),
                                       .canonical = slice_str(&text),
                                       .mail = digest,
                                       .proof = proof};
    step_init(&step, &keys, NOON + 60);
    ck_ok(step_orders(&step, &t.game, &input, &fate, &err), err);
    ck_assert_int_eq(fate, ORDERS_TAKEN);
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    str_addslice(&journal, slice_str(&step.records));
    run_audit(slice_str(&journal), AUDIT_MODERATOR, &result, &found);
    ck_assert_int_eq(result.verdict, AUDIT_REFUTED);
    ck_assert_str_eq(result.first.type, "orders");
    step_release(&step);
    str_release(&text);
    str_release(&journal);
    return result.first.text;
}

START_TEST(forgeries_are_found)
{
    struct str mail = STR_INIT, other = STR_INIT;
    struct dkim_claims claims;
    struct domain second = {.signs_to = false};
    char opening[2 * HEAD_BYTES + 1], last[2 * HEAD_BYTES + 1];
    int turn = _i;
    domain_open(&second, 2);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\nwait: yes\n", "bide\n", NOON + 50, NULL), ORDERS_TAKEN);
    game_answer_head(opening, &t.game);
    hex_to(last, t.game.head, HEAD_BYTES);
    answer_to(&mail, &domain, "alice", NOON + 60, "bide\n", turn == 6 ? last : opening);
    answer(&other, &second, "alice", NOON + 60, "bide\n");
    struct mail_proof proof = domain_proof(&domain, &mail, NOON + 60, &claims);
    if (turn == 0)
        proof.raw = slice_str(&other); /* another mail than was signed */
    if (turn == 1)
        proof.record = slice_str(&second.record); /* not the key that the record names */
    if (turn == 2)
        proof.key[5] ^= 1;
    if (turn == 3)
        memcpy(proof.domain, "example.com", 12);
    if (turn == 4)
        proof.content[0] ^= 1;
    const char *orders = turn == 5 ? "explore near\n" : "bide\n"; /* not what the mail says */
    const char *head = turn == 7 ? last : opening;                /* the mail names another record */
    ck_assert_ptr_nonnull(strstr(forged(&proof, orders, head), "the mail that vouches for its orders"));
    domain_close(&second);
    str_release(&mail);
    str_release(&other);
}
END_TEST

/* ---- records that the league has changed and signed again ---- */

/* The last line of the journal; *rest is what is before it. */
static struct slice last_line(struct slice journal, struct slice *rest)
{
    size_t at = journal.len - 1;
    while (at && journal.p[at - 1] != '\n')
        at--;
    *rest = slice_sub(journal, 0, at);
    return slice_sub(journal, at, journal.len);
}

/* The record's own members. */
static json_t *fields_of(const struct record *record)
{
    static const char *const common[] = {"game", "seq", "prev", "type", "time"};
    json_t *fields = json_deep_copy(record->json);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        (void)json_object_del(fields, common[i]);
    return fields;
}

/* What the audit finds when the last record is changed so; "twice": it comes once more. */
static void audit_changed(const char *how, enum audit_view view, struct audit_result *result)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT, changed = STR_INIT;
    struct slice rest;
    struct record record;
    struct found found;
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    struct slice line = last_line(slice_str(&journal), &rest);
    ck_ok(record_parse(line, &record, &err), err);
    json_t *fields = fields_of(&record), *vouched = json_object_get(fields, "vouched");
    int64_t seq = record.seq;
    unsigned char head[HEAD_BYTES];
    str_addslice(&changed, rest);
    memcpy(head, record.prev, HEAD_BYTES);
    if (strcmp(how, "twice") == 0) {
        str_addslice(&changed, line);
        memcpy(head, record.head, HEAD_BYTES);
        seq++;
    } else if (strcmp(how, "dropped") == 0) {
        (void)json_object_del(fields, "vouched");
        (void)json_object_del(fields, "made");
    } else if (strcmp(how, "made") == 0) {
        (void)json_object_set(fields, "made", json_object_get(fields, "mail"));
    } else if (strcmp(how, "seat") == 0) {
        (void)json_object_set_new(fields, "seat", json_integer(2));
    } else if (strcmp(how, "evidence") == 0) {
        (void)json_object_set(vouched, "evidence", json_object_get(fields, "mail"));
    } else if (strcmp(how, "sent") == 0) {
        (void)json_object_set_new(vouched, "sent", json_string("2026-11-20T12:00:01Z"));
    } else if (strcmp(how, "key") == 0) {
        (void)json_object_set(vouched, "key", json_object_get(fields, "mail"));
    } else if (strcmp(how, "arrived after") == 0) {
        (void)json_object_set_new(vouched, "arrived", json_time(record.time + 1));
    } else if (strcmp(how, "arrived before") == 0) {
        (void)json_object_set_new(vouched, "arrived", json_time(t.game.opened.at - 1));
    } else if (strcmp(how, "arrived before the other") == 0) {
        (void)json_object_set_new(vouched, "arrived", json_time(NOON + 29));
    } else if (strcmp(how, "arrived earlier") == 0) {
        (void)json_object_set_new(vouched, "arrived", json_time(record.time - 1));
    }
    const struct record_text text = {{"gc-1", seq, head}, "orders", record.time, fields};
    record_write(&changed, &text, head);
    run_audit(slice_str(&changed), view, result, &found);
    json_decref(fields);
    record_release(&record);
    str_release(&journal);
    str_release(&changed);
}

static const struct {
    const char *how;
    bool in_public; /* without any seal */
    const char *says;
} changes[] = {
    {"as it is", false, NULL},
    {"dropped", true, "the seat has none"},
    {"made", false, "does not hold"},
    {"seat", true, "for a player who has a key"},
    {"evidence", false, ""},
    {"sent", false, "says something else"},
    {"key", false, "another key than the record names"},
    {"twice", true, ""},
    {"arrived after", true, "come after the record was made"},
    {"arrived before", true, "come before the record that it answers"},
    {"arrived before the other", false, "written before the one whose orders it replaces"},
    {"arrived earlier", false, NULL}, /* that is the league's word */
};

START_TEST(changed_records_are_found)
{
    struct audit_result result;
    const char *says = changes[_i].says;
    ck_assert_int_eq(reply(1, 2, NOON + 30, "explore near\n"), ORDERS_TAKEN);
    ck_assert_int_eq(reply(1, 2, NOON + 60, "bide\n"), ORDERS_TAKEN);
    audit_changed(changes[_i].how, AUDIT_MODERATOR, &result);
    ck_assert_int_eq(result.verdict, says ? AUDIT_REFUTED : AUDIT_PROVED);
    ck_assert_msg(!says || strstr(result.first.text, says), "%s: %s", changes[_i].how, result.first.text);
    audit_changed(changes[_i].how, AUDIT_PUBLIC, &result);
    ck_assert_int_eq(result.verdict, changes[_i].in_public ? AUDIT_REFUTED : AUDIT_PARTLY);
}
END_TEST

/* What is published of the game opens to no mail, and proves itself all the same. */
START_TEST(mails_are_never_published)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_TAKEN);
    for (int turn = 1; turn <= 14 && !t.game.over; turn++) {
        ck_assert_int_eq(table_send(&t, 2,
                                    turn == 1   ? "turn: 1\n"
                                    : turn == 2 ? "turn: 2\n"
                                                : "turn: 3\n",
                                    turn == 3 ? "resign\n" : "bide\n", NOON + 60 + turn, NULL),
                         ORDERS_TAKEN);
        if (turn == 3)
            break;
        ck_assert_int_eq(reply(1, 1, NOON + 60 + turn, "bide\n"), ORDERS_TAKEN);
    }
    ck_ok(store_read(t.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    audited_bytes(slice_str(&journal), t.master, &result);
    ck_assert_int_gt(result.counts.mails, 0);
    ck_assert(!t.game.over);
    audited_bytes(slice_str(&journal), NULL, &result);
    ck_assert_int_eq(result.verdict, AUDIT_PARTLY);
    ck_assert_int_eq(result.counts.mails, 0);
    str_release(&journal);
    table_check_replay(&t);
}
END_TEST

/* Games that do not say otherwise know keys only. */
START_TEST(other_games_know_keys_only)
{
    table_close(&t);
    table_open(&t);
    table_new(&t, "ab", 86400);
    t.game.seat[1].key_count = 0;
    ck_assert(!game_takes_mail(&t.game, 1));
    ck_assert_int_eq(reply(1, 1, NOON + 60, "bide\n"), ORDERS_BELOW);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, counts_without_a_key_only);
    tcase_add_test(tc, the_later_one_counts);
    tcase_add_test(tc, a_clock_that_is_ahead_bars_no_correction);
    tcase_add_test(tc, of_two_in_one_second_the_last_counts);
    tcase_add_test(tc, a_server_that_turns_mails_away_reverses_nothing);
    tcase_add_test(tc, reading_late_reverses_nothing);
    tcase_add_test(tc, a_clock_that_is_behind_bars_no_correction);
    tcase_add_loop_test(tc, when_it_came_is_bounded, 0, sizeof arrivals / sizeof *arrivals);
    tcase_add_test(tc, a_mail_counts_once);
    tcase_add_test(tc, a_key_is_above_it);
    tcase_add_test(tc, a_first_key_ends_what_stands);
    tcase_add_test(tc, several_texts_can_be_chosen_among);
    tcase_add_test(tc, an_auditor_sees_whose_word_it_is);
    tcase_add_test(tc, mailboxes_are_compared);
    tcase_add_loop_test(tc, forgeries_are_found, 0, 8);
    tcase_add_loop_test(tc, changed_records_are_found, 0, sizeof changes / sizeof *changes);
    tcase_add_test(tc, mails_are_never_published);
    tcase_add_test(tc, other_games_know_keys_only);
}
TEST_MAIN("play/vouched", cases)
