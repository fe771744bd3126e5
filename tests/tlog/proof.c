/* A receipt and a report from the mail to the verdict: armor, entry, proof, policy; and what happens to mails on their way. */
#include "tlog/made.h"

#include "tlog/armor.h"

#define SIZE 300

struct scene {
    struct made_log *log;
    struct made_key witness[3];
    struct policy policy;
    struct str note; /* of SIZE entries, cosigned by two */
};

static void scene_begin(struct scene *s)
{
    static const char *const names[] = {"carol", "dave", "wim"};
    memset(s, 0, sizeof *s);
    str_init(&s->note);
    s->log = make_log(SIZE);
    s->policy.log[s->policy.logs++].key = s->log->key.key;
    for (int i = 0; i < 3; i++) {
        char name[32];
        struct policy_witness *witness = &s->policy.witness[s->policy.witnesses++];
        (void)snprintf(name, sizeof name, "%s.example/w", names[i]);
        (void)snprintf(witness->name, sizeof witness->name, "%s", names[i]);
        make_key(&s->witness[i], name, VKEY_COSIGNER);
        witness->key = s->witness[i].key;
    }
    policy_need(&s->policy, 2);
    made_note(s->log, SIZE, &s->note);
    made_cosign(&s->note, &s->witness[2], 1796116000);
    made_cosign(&s->note, &s->witness[0], 1796116060);
}

static void scene_end(struct scene *s)
{
    free(s->log);
    str_release(&s->note);
}

/* Entry and proof, as a mail has them. */
static void mail_text(struct scene *s, int64_t index, struct str *out)
{
    make_line(out, index);
    str_addc(out, '\n');
    made_proof(s->log, index, SIZE, &s->note, out);
}

/* -1, or the index that was proved. */
static int64_t judge(const struct scene *s, struct slice text, struct policy_seen *seen)
{
    struct slice entry, proof_text;
    struct log_proof proof = LOG_PROOF_INIT;
    struct checkpoint checkpoint;
    struct err err = ERR_INIT;
    int64_t index = -1;
    if (log_proof_cut(text, &entry, &proof_text) && !log_proof_parse(proof_text, &proof, &err) &&
        !log_proof_verify(&proof, entry, &s->policy, &checkpoint, seen, &err))
        index = proof.index;
    ck_assert(index >= 0 || (err.code == ERR_INPUT && err.text[0]) || !text.len ||
              !memchr(text.p, '\n', text.len));
    log_proof_release(&proof);
    return index;
}

START_TEST(a_receipt_is_proved)
{
    struct scene s;
    struct policy_seen seen;
    struct str text = STR_INIT;
    scene_begin(&s);
    for (int64_t i = 0; i < SIZE; i += 13) {
        str_clear(&text);
        mail_text(&s, i, &text);
        ck_assert_int_eq(judge(&s, slice_str(&text), &seen), i);
        ck_assert(seen.quorum && seen.count == 2 && seen.log == 0);
        ck_assert(seen.time[0] == 1796116060 && seen.time[1] == 0 && seen.time[2] == 1796116000);
        ck_assert(seen.earliest == 1796116000 && seen.enough == 1796116060);
    }
    str_release(&text);
    scene_end(&s);
}
END_TEST

/* A bit of each byte of entry and proof (MANY=1: every bit): it proves nothing, or less (a witness's signature that is one of an unknown key). */
START_TEST(a_damaged_one_is_not)
{
    struct scene s;
    struct policy_seen seen;
    struct str text = STR_INIT;
    scene_begin(&s);
    mail_text(&s, 123, &text);
    for (size_t bit = 0; bit < text.len * 8; bit += FEW ? 9 : 1) {
        text.p[bit / 8] ^= (char)(1U << bit % 8);
        if (judge(&s, slice_str(&text), &seen) >= 0 && seen.quorum)
            ck_abort_msg("bit %zu", bit);
        text.p[bit / 8] ^= (char)(1U << bit % 8);
    }
    for (size_t len = 0; len < text.len; len += FEW ? 3 : 1)
        if (judge(&s, slice_sub(slice_str(&text), 0, len), &seen) >= 0 && seen.quorum)
            ck_abort_msg("%zu bytes", len);
    str_release(&text);
    scene_end(&s);
}
END_TEST

/* The proof of one entry is none of another, nor at another place, nor of another log with the same name. */
START_TEST(nor_another_entrys)
{
    struct scene s;
    struct policy_seen seen;
    struct str text = STR_INIT;
    struct made_key other;
    scene_begin(&s);
    make_line(&text, 7);
    str_addc(&text, '\n');
    made_proof(s.log, 8, SIZE, &s.note, &text);
    ck_assert_int_eq(judge(&s, slice_str(&text), &seen), -1);
    str_clear(&text);
    mail_text(&s, 8, &text);
    ck_assert_int_eq(judge(&s, slice_str(&text), &seen), 8);
    make_key(&other, "other.example/turnpost", VKEY_SIGNER);
    vkey_make(&s.policy.log[0].key, slice_of(LOG_NAME), VKEY_SIGNER, other.key.public);
    ck_assert_int_eq(judge(&s, slice_str(&text), &seen), -1);
    /* a second log of that name, which did sign: the key was changed, and the policy names both */
    s.policy.log[1].key = s.log->key.key;
    s.policy.logs = 2;
    ck_assert_int_eq(judge(&s, slice_str(&text), &seen), 8);
    ck_assert_int_eq(seen.log, 1);
    str_release(&text);
    scene_end(&s);
}
END_TEST

START_TEST(fewer_than_the_quorum)
{
    struct scene s;
    struct policy_seen seen;
    struct str text = STR_INIT;
    scene_begin(&s);
    mail_text(&s, 8, &text);
    policy_need(&s.policy, 3);
    ck_assert_int_eq(judge(&s, slice_str(&text), &seen), 8);
    ck_assert(!seen.quorum && seen.count == 2 && seen.enough == 0 && seen.earliest == 1796116000);
    policy_need(&s.policy, 1);
    ck_assert_int_eq(judge(&s, slice_str(&text), &seen), 8);
    ck_assert(seen.quorum && seen.enough == 1796116000);
    policy_need(&s.policy, 0);
    ck_assert_int_eq(judge(&s, slice_str(&text), &seen), 8);
    ck_assert(seen.quorum && seen.enough == 0 && seen.count == 2);
    str_release(&text);
    scene_end(&s);
}
END_TEST

START_TEST(what_a_close_opens)
{
    struct scene s;
    struct str text = STR_INIT, again = STR_INIT;
    struct log_proof proof = LOG_PROOF_INIT;
    struct err err = ERR_INIT;
    scene_begin(&s);
    proof.index = 6;
    proof.note = slice_str(&s.note);
    str_add(&proof.extra, "\0base\xFF", 6);
    log_proof_write(&text, &proof);
    ck_assert(slice_find(slice_str(&text), "@v1\nextra AGJhc2X/\nindex 6\n\n" LOG_NAME "\n") != (size_t)-1);
    log_proof_release(&proof);
    ck_ok(log_proof_parse(slice_str(&text), &proof, &err), err);
    ck_assert(proof.extra.len == 6 && memcmp(proof.extra.p, "\0base\xFF", 6) == 0);
    log_proof_write(&again, &proof);
    ck_assert_str_eq(again.p, text.p);
    log_proof_release(&proof);
    str_release(&text);
    str_release(&again);
    scene_end(&s);
}
END_TEST

#define FIRST "c2sp.org/tlog-proof@v1\n"
#define HASH  "wXKXQD9Sw/dnC72e3sXZKWyZ0Y1UhvWN5lLENUTsO2c=\n"
static const char *const no_proofs[] = {
    "",
    "c2sp.org/tlog-proof@v1",
    "c2sp.org/tlog-proof@v2\nindex 0\n\nx",
    FIRST "\nx",
    FIRST "index\n\nx",
    FIRST "index 00\n\nx",
    FIRST "index -1\n\nx",
    FIRST "index 0\n",
    FIRST "index 0\n\n",
    FIRST "index 0\n" HASH,
    FIRST "index 0\n" HASH "\n",
    FIRST "index 0\nabcd\n\nx",
    FIRST "extra \nindex 0\n\nx",
    FIRST "extra =\nindex 0\n\nx",
    FIRST "index 0\nextra AAAA\n\nx",
    FIRST "extra AAAA\nextra AAAA\nindex 0\n\nx",
};

START_TEST(no_proof)
{
    struct log_proof proof = LOG_PROOF_INIT;
    struct err err = ERR_INIT;
    ck_assert_msg(log_proof_parse(slice_of(no_proofs[_i]), &proof, &err) != 0, "%s", no_proofs[_i]);
    ck_assert_int_eq(err.code, ERR_INPUT);
    log_proof_release(&proof);
}
END_TEST

START_TEST(too_many_hashes)
{
    struct log_proof proof = LOG_PROOF_INIT;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    str_adds(&text, FIRST "index 0\n");
    for (int i = 0; i < TREE_MOST; i++)
        str_adds(&text, HASH);
    size_t here = text.len;
    str_adds(&text, "\nx");
    ck_ok(log_proof_parse(slice_str(&text), &proof, &err), err);
    str_cut(&text, here);
    str_adds(&text, HASH "\nx");
    ck_assert(log_proof_parse(slice_str(&text), &proof, &err) != 0);
    log_proof_release(&proof);
    str_release(&text);
}
END_TEST

/* ---- on its way ---- */

/* What programs do to a text: each turns `in` into `out`. */
static void as_it_is(struct slice in, struct str *out)
{
    str_addslice(out, in);
}

static void each_line(struct slice in, struct str *out, const char *before, const char *after)
{
    struct slice line;
    while (slice_line(&in, &line)) {
        str_adds(out, before);
        str_addslice(out, line);
        str_adds(out, after);
    }
}

static void quoted(struct slice in, struct str *out)
{
    each_line(in, out, "> ", "\n");
}

static void quoted_thrice(struct slice in, struct str *out)
{
    each_line(in, out, "> >> ", "\n");
}

static void crlf(struct slice in, struct str *out)
{
    each_line(in, out, "", "\r\n");
}

static void empty_lines(struct slice in, struct str *out)
{
    each_line(in, out, "\n", "\n \n");
}

static void no_break_spaces(struct slice in, struct str *out)
{
    each_line(in, out, "\xC2\xA0\xC2\xA0\xC2\xA0\xC2\xA0", "\xC2\xA0\n");
}

static void one_line(struct slice in, struct str *out)
{
    each_line(in, out, "", " ");
}

static void no_line_ends_but_spaces_in_markers(struct slice in, struct str *out)
{
    struct slice line;
    while (slice_line(&in, &line)) {
        str_addslice(out, line);
        if (slice_starts(line, "-----"))
            str_addc(out, ' ');
    }
}

static void wrap(struct slice in, struct str *out, size_t width, const char *before)
{
    struct slice line;
    while (slice_line(&in, &line))
        do {
            str_adds(out, before);
            str_addslice(out, slice_sub(line, 0, width));
            str_addc(out, '\n');
            line = slice_sub(line, width, line.len);
        } while (line.len);
}

static void wrapped_at_60(struct slice in, struct str *out)
{
    wrap(in, out, 60, "");
}

static void wrapped_and_quoted(struct slice in, struct str *out)
{
    wrap(in, out, 37, "> ");
}

/* A program that breaks lines at blanks breaks those of the armor as well. */
static void narrow(struct slice in, struct str *out)
{
    struct slice line, word;
    while (slice_line(&in, &line))
        while (slice_word(&line, &word)) {
            str_adds(out, ">> ");
            str_addslice(out, word);
            str_adds(out, "\r\n");
        }
}

static void typographic(struct slice in, struct str *out)
{
    for (size_t i = 0; i < in.len; i++)
        if (slice_starts(slice_sub(in, i, in.len), "--")) {
            str_adds(out, "\xE2\x80\x94");
            i++;
        } else if (in.p[i] == ' ')
            str_adds(out, "\xC2\xA0");
        else
            str_addc(out, in.p[i]);
}

static void all_at_once(struct slice in, struct str *out)
{
    struct str a = STR_INIT, b = STR_INIT;
    typographic(in, &a);
    wrapped_and_quoted(slice_str(&a), &b);
    empty_lines(slice_str(&b), out);
    str_release(&a);
    str_release(&b);
}

static void (*const ways[])(struct slice in, struct str *out) = {
    as_it_is,      quoted,
    quoted_thrice, crlf,
    empty_lines,   no_break_spaces,
    one_line,      no_line_ends_but_spaces_in_markers,
    wrapped_at_60, wrapped_and_quoted,
    narrow,        typographic,
    all_at_once,
};

/* Three proofs in one mail, with words between them that speak of armors. */
START_TEST(found_however_it_came)
{
    struct scene s;
    struct policy_seen seen;
    struct str mail = STR_INIT, came = STR_INIT, text = STR_INIT;
    struct err err = ERR_INIT;
    scene_begin(&s);
    str_adds(&mail, "Your orders for turn 1 count. BEGIN with END TURNPOST PROOF and BEGINS TURNPOST PROOF "
                    "mean nothing.\n--\n");
    for (int64_t i = 100; i < 103; i++) {
        str_clear(&text);
        mail_text(&s, i, &text);
        armored_write(&mail, PROOF_ARMOR, slice_str(&text));
        str_adds(&mail, "BEGIN TURNPOST PROOFS is no such line. This text goes on.\n");
        armored_write(&mail, "REQUEST", slice_str(&text));
    }
    ways[_i](slice_str(&mail), &came);
    struct slice rest = slice_str(&came);
    for (int64_t i = 100; i < 103; i++) {
        ck_assert_int_eq(armored_next(&rest, PROOF_ARMOR, &text, &err), ARMORED_GOOD);
        ck_assert_int_eq(judge(&s, slice_str(&text), &seen), i);
    }
    ck_assert_int_eq(armored_next(&rest, PROOF_ARMOR, &text, &err), ARMORED_NONE);
    ck_assert(rest.len == 0 && text.len == 0);
    str_release(&mail);
    str_release(&came);
    str_release(&text);
    scene_end(&s);
}
END_TEST

/* What is broken is told, and what comes after it is found. */
START_TEST(a_torn_one_hides_nothing)
{
    struct str mail = STR_INIT, out = STR_INIT;
    struct err err = ERR_INIT;
    str_adds(&mail, "-----BEGIN TURNPOST PROOF-----\nAAAA\n");
    armored_write(&mail, "PROOF", slice_of("first"));
    str_adds(&mail, "-----BEGIN TURNPOST PROOF-----\nAAAAA\n-----END TURNPOST PROOF-----\n");
    str_adds(&mail, "-----BEGIN TURNPOST PROOF-----\n-----END TURNPOST PROOF-----\n");
    armored_write(&mail, "PROOF", slice_of("second"));
    str_adds(&mail, "-----BEGIN TURNPOST PROOF-----\nAAAA\n");
    struct slice rest = slice_str(&mail);
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_DAMAGED);
    ck_assert_str_eq(err.text, "a block BEGIN TURNPOST PROOF has no end");
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_GOOD);
    ck_assert_str_eq(out.p, "first");
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_DAMAGED);
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_DAMAGED);
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_GOOD);
    ck_assert_str_eq(out.p, "second");
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_DAMAGED);
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_NONE);
    str_release(&mail);
    str_release(&out);
}
END_TEST

/* A megabyte of beginnings, or of ends, is read in no time. */
START_TEST(many_that_never_end)
{
    struct err err = ERR_INIT;
    struct str mail = STR_INIT, out = STR_INIT;
    size_t found = 0;
    enum armored what;
    while (mail.len < 1 << 20)
        str_adds(&mail, "BEGIN TURNPOST PROOF ");
    for (struct slice rest = slice_str(&mail); (what = armored_next(&rest, "PROOF", &out, &err)); found++)
        ck_assert_int_eq(what, ARMORED_DAMAGED);
    ck_assert_uint_eq(found, mail.len / 21);
    str_clear(&mail);
    while (mail.len < 1 << 20)
        str_adds(&mail, "BEGIN END TURNPOST BEGIN TURNPOST ");
    struct slice rest = slice_str(&mail);
    ck_assert_int_eq(armored_next(&rest, "PROOF", &out, &err), ARMORED_NONE);
    str_release(&mail);
    str_release(&out);
}
END_TEST

/* The size of a receipt at 131,072 entries is what the format promises. */
START_TEST(a_receipt_is_small)
{
    struct made_key key;
    struct str note = STR_INIT, text = STR_INIT, mail = STR_INIT;
    struct checkpoint checkpoint = {.origin = LOG_NAME, .size = 131072};
    struct log_proof proof = LOG_PROOF_INIT;
    make_key(&key, LOG_NAME, VKEY_SIGNER);
    checkpoint_note(&note, &checkpoint, &key.key, key.secret);
    make_line(&text, 123456);
    str_addc(&text, '\n');
    proof.index = 123456;
    proof.path.count = 17;
    proof.note = slice_str(&note);
    log_proof_write(&text, &proof);
    armored_write(&mail, PROOF_ARMOR, slice_str(&text));
    ck_assert_uint_le(mail.len, 1740);
    str_release(&note);
    str_release(&text);
    str_release(&mail);
    log_proof_release(&proof);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void add_cases(TCase *tc)
{
    tcase_add_test(tc, a_receipt_is_proved);
    tcase_add_test(tc, a_damaged_one_is_not);
    tcase_add_test(tc, nor_another_entrys);
    tcase_add_test(tc, fewer_than_the_quorum);
    tcase_add_test(tc, what_a_close_opens);
    tcase_add_loop_test(tc, no_proof, 0, COUNT(no_proofs));
    tcase_add_test(tc, too_many_hashes);
    tcase_add_loop_test(tc, found_however_it_came, 0, COUNT(ways));
    tcase_add_test(tc, a_torn_one_hides_nothing);
    tcase_add_test(tc, many_that_never_end);
    tcase_add_test(tc, a_receipt_is_small);
}

TEST_MAIN_TOGETHER("tlog/proof", add_cases)
