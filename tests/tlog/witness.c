/* A log and its witness: what is asked, what is decided, what is answered. The witness of c2sp.org/tlog-witness first, then what
 * it says about closes. */
#include "tlog/made.h"

#include "tlog/witness.h"

#define CLOCK 1796120000 /* after every entry */

struct scene {
    struct made_log *log;
    struct witness_state state;
    struct witness_ruling ruling;
};

static void scene_begin(struct scene *s, int64_t size)
{
    memset(s, 0, sizeof *s);
    s->log = make_log(size);
}

static void scene_end(struct scene *s)
{
    free(s->log);
    witness_state_release(&s->state);
}

static void add_close(struct scene *s, struct witness_request *request, int64_t index, int64_t size,
                      struct str *line)
{
    struct err err = ERR_INIT;
    struct tree_reader reader = made_reader(s->log);
    struct witness_close *close = &request->close[request->closes++];
    make_line(line, index);
    close->line = slice_str(line);
    close->index = index;
    ck_ok(tree_inclusion(&reader, index, size, &close->path, &err), err);
}

/* The request from `old` to `size`, with a close at `index` (-1: none), as text. */
static void ask(struct scene *s, int64_t old, int64_t size, int64_t index, struct str *out)
{
    struct err err = ERR_INIT;
    struct tree_reader reader = made_reader(s->log);
    struct witness_request request = {.old = old};
    struct str note = STR_INIT, line = STR_INIT;
    made_note(s->log, size, &note);
    request.note = slice_str(&note);
    request.close = calloc(1, sizeof *request.close);
    if (old <= size)
        ck_ok(tree_consistency(&reader, old, size, &request.consistency, &err), err);
    if (index >= 0)
        add_close(s, &request, index, size, &line);
    witness_request_write(out, &request);
    witness_request_release(&request);
    str_release(&note);
    str_release(&line);
}

static int decide(struct scene *s, struct slice text, int64_t now)
{
    struct witness_request request = {0};
    struct err err = ERR_INIT;
    ck_ok(witness_request_parse(text, &request, &err), err);
    witness_decide(&s->state, &s->log->key.key, &request, now, &s->ruling);
    witness_request_release(&request);
    return s->ruling.status;
}

static int ask_and_decide(struct scene *s, int64_t old, int64_t size, int64_t index)
{
    struct str text = STR_INIT;
    ask(s, old, size, index, &text);
    int status = decide(s, slice_str(&text), CLOCK);
    str_release(&text);
    return status;
}

/* The statuses that c2sp.org/tlog-witness has. */
START_TEST(a_witness_of_c2sp)
{
    struct scene s;
    struct str text = STR_INIT;
    scene_begin(&s, 300);
    ck_assert_int_eq(ask_and_decide(&s, 5, 10, -1), 409); /* it has seen nothing yet */
    ck_assert_int_eq(s.ruling.size, 0);
    ck_assert_int_eq(ask_and_decide(&s, 0, 0, -1), 200);
    ck_assert_int_eq(ask_and_decide(&s, 0, 100, -1), 200);
    ck_assert_int_eq(s.state.size, 100);
    ck_assert_int_eq(ask_and_decide(&s, 100, 100, -1), 200); /* the same once more, at another time */
    ck_assert_int_eq(ask_and_decide(&s, 0, 200, -1), 409);
    ck_assert_int_eq(s.ruling.size, 100);
    ck_assert_int_eq(ask_and_decide(&s, 200, 100, -1), 400);
    ck_assert_int_eq(ask_and_decide(&s, 50, 60, -1), 409); /* an older log */
    ck_assert_int_eq(ask_and_decide(&s, 100, 300, -1), 200);
    /* a signature that is wrong, none, an unknown log */
    ask(&s, 300, 300, -1, &text);
    size_t at = slice_find(slice_str(&text), "\xE2\x80\x94");
    text.p[text.len - 10] ^= 1;
    ck_assert_int_eq(decide(&s, slice_str(&text), CLOCK), 403);
    str_cut(&text, at);
    str_adds(&text, "\xE2\x80\x94 someone.example AAAAAAAA\n");
    ck_assert_int_eq(decide(&s, slice_str(&text), CLOCK), 403);
    vkey_make(&s.log->key.key, slice_of("other.example"), VKEY_SIGNER, s.log->key.key.public);
    str_clear(&text);
    ask(&s, 300, 300, -1, &text);
    s.log->key.key.name[0] = 'X';
    ck_assert_int_eq(decide(&s, slice_str(&text), CLOCK), 404);
    ck_assert_int_eq(s.state.size, 300);
    str_release(&text);
    scene_end(&s);
}
END_TEST

/* A log that wrote entry 50 anew: no proof leads from one to the other. */
START_TEST(a_second_history)
{
    struct scene s;
    struct str text = STR_INIT;
    scene_begin(&s, 200);
    ck_assert_int_eq(ask_and_decide(&s, 0, 100, -1), 200);
    struct tree_hash before = s.state.root;
    tree_empty(&s.log->hash[0][50]);
    for (int level = 1; level < MADE_LEVELS; level++)
        for (int64_t i = 0; i < s.log->size >> level; i++)
            tree_node(&s.log->hash[level][i], &s.log->hash[level - 1][2 * i],
                      &s.log->hash[level - 1][2 * i + 1]);
    ck_assert_int_eq(ask_and_decide(&s, 100, 200, -1), 422);
    ck_assert_int_eq(ask_and_decide(&s, 100, 100, -1), 422);
    ck_assert(s.state.size == 100 && tree_hash_equal(&s.state.root, &before));
    /* from nothing it would have been accepted, but no proof belongs there */
    witness_state_release(&s.state);
    ask(&s, 0, 200, -1, &text);
    struct str odd = STR_INIT;
    str_adds(&odd, "old 0\nwXKXQD9Sw/dnC72e3sXZKWyZ0Y1UhvWN5lLENUTsO2c=\n");
    str_addslice(&odd, slice_sub(slice_str(&text), strlen("old 0\n"), text.len));
    ck_assert_int_eq(decide(&s, slice_str(&odd), CLOCK), 422);
    str_release(&text);
    str_release(&odd);
    scene_end(&s);
}
END_TEST

/* Entries 6, 13, 20, ... are the closes of gc, turns 1, 2, 3. */
START_TEST(each_turn_has_dice_once)
{
    struct scene s;
    scene_begin(&s, 300);
    ck_assert_int_eq(ask_and_decide(&s, 0, 10, 6), 200);
    ck_assert_msg(s.ruling.dice[0], "%s", s.ruling.no[0]);
    ck_assert_int_eq(ask_and_decide(&s, 10, 10, 6), 200); /* the answer was lost: asked again */
    ck_assert(s.ruling.dice[0]);
    ck_assert_int_eq(ask_and_decide(&s, 10, 100, 20), 200); /* turn 2 was played without this witness */
    ck_assert(s.ruling.dice[0]);
    ck_assert_int_eq(ask_and_decide(&s, 100, 100, 13), 200); /* and is asked for now, when turn 3 is known */
    ck_assert(!s.ruling.dice[0]);
    ck_assert_str_eq(s.ruling.no[0], "a second close (entry 13 after 20)");
    ck_assert_uint_eq(s.state.count, 1);
    ck_assert(s.state.last[0].index == 20 && s.state.last[0].turn.turn == 3);
    scene_end(&s);
}
END_TEST

/* One request whose log has these closes of gc, one after the other, and what is answered. */
static const struct {
    struct turn_number first, second;
    bool given;
} orders[] = {
    {{1, 0}, {2, 0}, true},  {{1, 0}, {1, 0}, false}, {{2, 0}, {1, 0}, false},
    {{2, 0}, {1, 1}, true},  {{2, 0}, {2, 1}, true},  {{1, 1}, {2, 0}, false},
    {{1, 1}, {1, 1}, false}, {{5, 3}, {6, 3}, true},  {{5, 3}, {900, 2}, false},
};

/* A log of these entries alone, and the request about all of them. */
static int decide_entries(struct scene *s, const struct log_entry *entries, size_t count, int64_t now)
{
    struct str lines[4] = {STR_INIT, STR_INIT, STR_INIT, STR_INIT}, note = STR_INIT, text = STR_INIT;
    struct witness_request request = {0};
    struct err err = ERR_INIT;
    struct tree_reader reader = made_reader(s->log);
    request.close = calloc(count, sizeof *request.close);
    s->log->size = (int64_t)count;
    for (size_t i = 0; i < count; i++) {
        log_entry_write(&lines[i], &entries[i]);
        str_addc(&lines[i], '\n');
        tree_leaf(&s->log->hash[0][i], slice_str(&lines[i]));
        str_cut(&lines[i], lines[i].len - 1);
    }
    for (int level = 1; level < 3; level++)
        for (int64_t i = 0; i < s->log->size >> level; i++)
            tree_node(&s->log->hash[level][i], &s->log->hash[level - 1][2 * i],
                      &s->log->hash[level - 1][2 * i + 1]);
    made_note(s->log, s->log->size, &note);
    request.note = slice_str(&note);
    for (size_t i = 0; i < count; i++) {
        struct witness_close *close = &request.close[request.closes++];
        close->line = slice_str(&lines[i]);
        close->index = (int64_t)i;
        ck_ok(tree_inclusion(&reader, close->index, s->log->size, &close->path, &err), err);
    }
    witness_request_write(&text, &request);
    int status = decide(s, slice_str(&text), now);
    witness_request_release(&request);
    for (int i = 0; i < 4; i++)
        str_release(&lines[i]);
    str_release(&note);
    str_release(&text);
    return status;
}

START_TEST(turns_only_go_on)
{
    struct scene s;
    struct log_entry entries[3];
    scene_begin(&s, 0);
    for (int i = 0; i < 3; i++) {
        make_entry(&entries[i], 6);
        entries[i].seq = 10 + i;
    }
    entries[0].turn = orders[_i].first;
    entries[1].turn = orders[_i].second;
    (void)snprintf(entries[2].name, ENTRY_NAME, "fz"); /* another game has its own turns */
    entries[2].turn = (struct turn_number){1, 0};
    ck_assert_int_eq(decide_entries(&s, entries, 3, CLOCK), 200);
    ck_assert(s.ruling.dice[0] && s.ruling.dice[2]);
    ck_assert_int_eq(s.ruling.dice[1], orders[_i].given);
    ck_assert_uint_eq(s.state.count, 2);
    ck_assert_str_eq(s.state.last[0].name, "fz");
    scene_end(&s);
}
END_TEST

/* Cosigned in any case; dice at most five minutes ahead. What was refused for its date is given when its time has come. */
START_TEST(a_close_ahead_of_the_clock)
{
    struct scene s;
    struct log_entry entry;
    scene_begin(&s, 0);
    make_entry(&entry, 6);
    ck_assert_int_eq(decide_entries(&s, &entry, 1, entry.time - WITNESS_AHEAD - 1), 200);
    ck_assert_str_eq(s.ruling.no[0], "the close is dated ahead of my clock");
    ck_assert(s.state.size == 1 && s.state.count == 0);
    struct str text = STR_INIT, line = STR_INIT, note = STR_INIT;
    struct witness_request request = {.old = 1};
    struct witness_close *close = calloc(1, sizeof *close);
    made_note(s.log, 1, &note);
    log_entry_write(&line, &entry);
    close->line = slice_str(&line);
    request.note = slice_str(&note);
    request.close = close;
    request.closes = 1;
    witness_request_write(&text, &request);
    ck_assert_int_eq(decide(&s, slice_str(&text), entry.time - WITNESS_AHEAD), 200);
    ck_assert(s.ruling.dice[0]);
    witness_request_release(&request);
    str_release(&text);
    str_release(&line);
    str_release(&note);
    scene_end(&s);
}
END_TEST

/* A close that is not in the tree: no dice, whatever it says; the checkpoint is cosigned. */
START_TEST(a_close_that_is_not_there)
{
    struct scene s;
    struct str text = STR_INIT;
    scene_begin(&s, 300);
    ask(&s, 0, 100, 20, &text);
    size_t at = slice_find(slice_str(&text), " alpha ") + 7;
    text.p[at] = text.p[at] == '0' ? '1' : '0';
    ck_assert_int_eq(decide(&s, slice_str(&text), CLOCK), 200);
    ck_assert_str_eq(s.ruling.no[0], "the close is not in the checkpoint");
    ck_assert_uint_eq(s.state.count, 0);
    str_clear(&text);
    ask(&s, 100, 200, 20, &text);
    text.p[slice_find(slice_str(&text), "\nindex 20\n") + 8] = '1';
    ck_assert_int_eq(decide(&s, slice_str(&text), CLOCK), 200);
    ck_assert_str_eq(s.ruling.no[0], "the close is not in the checkpoint");
    str_release(&text);
    scene_end(&s);
}
END_TEST

START_TEST(a_request_is_read_as_it_was_written)
{
    struct scene s;
    struct str text = STR_INIT, again = STR_INIT;
    scene_begin(&s, 300);
    ask(&s, 100, 300, 20, &text);
    struct witness_request request = {0};
    struct err err = ERR_INIT;
    ck_ok(witness_request_parse(slice_str(&text), &request, &err), err);
    ck_assert(request.old == 100 && request.closes == 1 && request.checkpoint.size == 300);
    ck_assert_int_eq(request.close[0].entry.kind, ENTRY_CLOSE);
    witness_request_write(&again, &request);
    ck_assert_str_eq(again.p, text.p);
    witness_request_release(&request);
    /* cut anywhere: refused, or it is a whole request with less in it */
    for (size_t len = 0; len < text.len; len++) {
        struct err why = ERR_INIT;
        struct slice cut = slice_sub(slice_str(&text), 0, len);
        if (!witness_request_parse(cut, &request, &why)) {
            str_clear(&again);
            witness_request_write(&again, &request);
            ck_slice_eq(cut, again.p);
        } else
            ck_assert(why.code == ERR_INPUT);
        witness_request_release(&request);
    }
    str_release(&text);
    str_release(&again);
    scene_end(&s);
}
END_TEST

START_TEST(no_request)
{
    static const char *const from[] = {"old 100\n", "old 100\n", "index 20\n", "index 20\n",
                                       "\nclose ",  "\nclose ",  "close gc",   "turnpost\n"};
    static const char *const to[] = {"old 0100\n", "OLD 100\n", "index 020\n", "",
                                     "\n\nclose ", "close ",    "head gc",     "turnpost\nx\n"};
    struct scene s;
    struct str text = STR_INIT, odd = STR_INIT;
    scene_begin(&s, 300);
    ask(&s, 100, 300, 20, &text);
    size_t at = slice_find(slice_str(&text), from[_i]);
    ck_assert(at != (size_t)-1);
    str_addslice(&odd, slice_sub(slice_str(&text), 0, at));
    str_adds(&odd, to[_i]);
    str_addslice(&odd, slice_sub(slice_str(&text), at + strlen(from[_i]), text.len));
    struct witness_request request = {0};
    struct err err = ERR_INIT;
    ck_assert(witness_request_parse(slice_str(&odd), &request, &err) != 0);
    ck_assert_int_eq(err.code, ERR_INPUT);
    witness_request_release(&request);
    str_release(&text);
    str_release(&odd);
    scene_end(&s);
}
END_TEST

START_TEST(what_it_knows_is_kept)
{
    struct scene s;
    struct witness_state other = WITNESS_STATE_INIT;
    struct str text = STR_INIT, again = STR_INIT;
    struct err err = ERR_INIT;
    scene_begin(&s, 0);
    struct log_entry entries[4];
    for (int i = 0; i < 4; i++) {
        make_entry(&entries[i], 6);
        (void)snprintf(entries[i].name, ENTRY_NAME, "game%d", (i * 3 + 2) % 4);
    }
    ck_assert_int_eq(decide_entries(&s, entries, 4, CLOCK), 200);
    ck_assert_uint_eq(s.state.count, 4);
    witness_state_write(&text, &s.state);
    ck_assert(slice_find(slice_str(&text), "\ngame0 1.0 2\ngame1 1.0 1\ngame2 1.0 0\ngame3 1.0 3\n") !=
              (size_t)-1);
    ck_ok(witness_state_parse(slice_str(&text), &other, &err), err);
    witness_state_write(&again, &other);
    ck_assert_str_eq(again.p, text.p);
    witness_state_release(&other);
    for (size_t len = 0; len < text.len; len++) {
        struct err why = ERR_INIT;
        struct slice cut = slice_sub(slice_str(&text), 0, len);
        bool whole = len && cut.p[len - 1] == '\n';
        ck_assert_int_eq(witness_state_parse(cut, &other, &why) == 0, whole);
        ck_assert(whole || why.code == ERR_BROKEN);
        witness_state_release(&other);
    }
    str_release(&text);
    str_release(&again);
    scene_end(&s);
}
END_TEST

/* From the question to the answer: the log adds the cosignature to its note, and everything is as it was said. */
START_TEST(the_whole_way)
{
    struct scene s;
    struct made_key carol;
    struct str text = STR_INIT, line = STR_INIT, input = STR_INIT, answer_text = STR_INIT, note = STR_INIT;
    struct err err = ERR_INIT;
    struct slice signed_text, signatures;
    scene_begin(&s, 300);
    make_key(&carol, "carol.example/w", VKEY_COSIGNER);
    ask(&s, 0, 300, 20, &text);
    struct witness_request request = {0};
    ck_ok(witness_request_parse(slice_str(&text), &request, &err), err);
    witness_decide(&s.state, &s.log->key.key, &request, CLOCK, &s.ruling);
    ck_assert(s.ruling.status == 200 && s.ruling.dice[0]);
    struct witness_dice dice = {.turn = request.close[0].entry.turn, .given = true};
    memcpy(dice.name, request.close[0].entry.name, ENTRY_NAME);
    witness_dice_input(&input, &s.log->key.key, &request.close[0].entry);
    memset(dice.proof, 0xD6, WITNESS_DICE); /* by the witness's own key, over the input */
    ck_assert(note_split(request.note, &signed_text, &signatures));
    note_cosign(&line, signed_text, &carol.key, carol.secret, CLOCK);
    struct witness_answer answer = {.signatures = slice_str(&line), .dice = &dice, .count = 1};
    witness_answer_write(&answer_text, &answer);

    struct witness_answer came = {0};
    ck_ok(witness_answer_parse(slice_str(&answer_text), &came, &err), err);
    ck_assert(came.count == 1 && came.dice[0].given && came.dice[0].turn.turn == 3);
    ck_assert_str_eq(came.dice[0].name, "gc");
    ck_assert_mem_eq(came.dice[0].proof, dice.proof, WITNESS_DICE);
    made_note(s.log, 300, &note);
    str_addslice(&note, came.signatures);
    struct note_seen seen;
    ck_ok(note_verify(slice_str(&note), &carol.key, 1, &seen, &err), err);
    ck_assert(seen.good && seen.time == CLOCK);

    /* the input is the format's, to the byte */
    struct str want = STR_INIT;
    str_add(&want, "turnpost/witness", 17);
    vkey_write(&want, &s.log->key.key);
    str_adds(&want, "\nclose gc turn 3.0 alpha ");
    str_addslice(&want, slice_sub(request.close[0].line, request.close[0].line.len - 64, 64));
    str_adds(&want, "\n");
    ck_assert(want.len == input.len && memcmp(want.p, input.p, want.len) == 0);
    witness_answer_release(&came);
    witness_request_release(&request);
    str_release(&text);
    str_release(&line);
    str_release(&input);
    str_release(&answer_text);
    str_release(&note);
    str_release(&want);
    scene_end(&s);
}
END_TEST

#define S "\xE2\x80\x94 carol.example/w AAAAAAAA\n"
#define N "size 100007\n"
START_TEST(an_answer_is_read_strictly)
{
    static const char *const good[] = {N S, N S S, N S "no zz 3.0 a second close (entry 32 after 11)\n"};
    static const char *const bad[] = {"",
                                      N,
                                      S,
                                      "size 07\n" S,
                                      "size -1\n" S,
                                      "size x\n" S,
                                      N N S,
                                      N "no zz 3.0 why\n",
                                      N S "\n",
                                      N S "no zz 3.0\n",
                                      N S "no zz 3.0 \n",
                                      N S "no zz 3 why\n",
                                      N S "no ZZ 3.0 why\n",
                                      N S "no zz 3.0 wh\xC3\xA9\n",
                                      N S "no zz 3.0 why",
                                      N S "dice zz 3.0 00\n",
                                      N S "maybe zz 3.0 why\n",
                                      N "\xE2\x80\x94 carol"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct witness_answer answer = {0};
        struct err err = ERR_INIT;
        struct str text = STR_INIT;
        ck_ok(witness_answer_parse(slice_of(good[i]), &answer, &err), err);
        witness_answer_write(&text, &answer);
        ck_assert_str_eq(text.p, good[i]);
        witness_answer_release(&answer);
        str_release(&text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct witness_answer answer = {0};
        struct err err = ERR_INIT;
        ck_assert_msg(witness_answer_parse(slice_of(bad[i]), &answer, &err) != 0, "%s", bad[i]);
        ck_assert_int_eq(err.code, ERR_INPUT);
        witness_answer_release(&answer);
    }
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void add_cases(TCase *tc)
{
    tcase_add_test(tc, a_witness_of_c2sp);
    tcase_add_test(tc, a_second_history);
    tcase_add_test(tc, each_turn_has_dice_once);
    tcase_add_loop_test(tc, turns_only_go_on, 0, COUNT(orders));
    tcase_add_test(tc, a_close_ahead_of_the_clock);
    tcase_add_test(tc, a_close_that_is_not_there);
    tcase_add_test(tc, a_request_is_read_as_it_was_written);
    tcase_add_loop_test(tc, no_request, 0, 8);
    tcase_add_test(tc, what_it_knows_is_kept);
    tcase_add_test(tc, the_whole_way);
    tcase_add_test(tc, an_answer_is_read_strictly);
}

TEST_MAIN_TOGETHER("tlog/witness", add_cases)
