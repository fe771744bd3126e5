/* Signed notes, cosignatures and checkpoints, against notes of others and each damage. */
#include "tlog/made.h"

#include "base/encode.h"

/* c2sp.org/signed-note, and the example of Go's golang.org/x/mod/sumdb/note. */
static const char *const published[][2] = {
    {"example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
     "This is an example message.\n\n"
     "— example.com/foo "
     "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"},
    {"PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
     "If you think cryptography is the answer to your problem,\n"
     "then you don't know what your problem is.\n\n"
     "— PeterNeumann "
     "x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"},
};

START_TEST(published_notes)
{
    struct vkey key;
    struct note_seen seen;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    ck_ok(vkey_parse(slice_of(published[_i][0]), &key, &err), err);
    vkey_write(&text, &key);
    ck_assert_str_eq(text.p, published[_i][0]);
    ck_ok(note_verify(slice_of(published[_i][1]), &key, 1, &seen, &err), err);
    ck_assert(seen.good && seen.time == 0);
    /* its sentence has one letter in capitals */
    str_clear(&text);
    str_adds(&text, published[_i][1]);
    text.p[0] ^= 0x20;
    ck_assert(note_verify(slice_str(&text), &key, 1, &seen, &err) != 0);
    ck_assert_str_eq(err.text, _i ? "the signature of PeterNeumann is wrong"
                                  : "the signature of example.com/foo is wrong");
    str_release(&text);
}
END_TEST

static void sign_example(struct str *out, struct made_key *log, struct made_key *carol)
{
    struct checkpoint checkpoint = {.origin = LOG_NAME, .size = 100007};
    make_key(log, LOG_NAME, VKEY_SIGNER);
    make_key(carol, "carol.example/w", VKEY_COSIGNER);
    checkpoint_note(out, &checkpoint, &log->key, log->secret);
    made_cosign(out, carol, 1796115784);
}

START_TEST(cosigned)
{
    struct made_key log, carol, dave;
    struct note_seen seen[3];
    struct err err = ERR_INIT;
    struct str note = STR_INIT;
    sign_example(&note, &log, &carol);
    make_key(&dave, "dave.example/w", VKEY_COSIGNER);
    struct vkey keys[] = {log.key, carol.key, dave.key};
    ck_ok(note_verify(slice_str(&note), keys, 3, seen, &err), err);
    ck_assert(seen[0].good && seen[0].time == 0);
    ck_assert(seen[1].good && seen[1].time == 1796115784);
    ck_assert(!seen[2].good && seen[2].time == 0);
    /* of two cosignatures of one witness the earlier one tells when it saw this first */
    made_cosign(&note, &carol, 1796115700);
    made_cosign(&note, &carol, 1796115999);
    ck_ok(note_verify(slice_str(&note), keys, 3, seen, &err), err);
    ck_assert_int_eq(seen[1].time, 1796115700);
    str_release(&note);
}
END_TEST

/* No byte can be another one (by one of its bits; MANY=1: by each): the note is refused, or it is one that this log and witness have not signed. */
START_TEST(each_byte_counts)
{
    struct made_key log, carol;
    struct note_seen seen[2];
    struct str note = STR_INIT;
    sign_example(&note, &log, &carol);
    struct vkey keys[] = {log.key, carol.key};
    for (size_t bit = 0; bit < note.len * 8; bit += FEW ? 9 : 1) {
        struct err err = ERR_INIT;
        note.p[bit / 8] ^= (char)(1U << bit % 8);
        if (!note_verify(slice_str(&note), keys, 2, seen, &err) && seen[0].good && seen[1].good)
            ck_abort_msg("bit %zu", bit);
        note.p[bit / 8] ^= (char)(1U << bit % 8);
    }
    for (size_t len = 0; len < note.len; len++) {
        struct err err = ERR_INIT;
        if (!note_verify(slice_sub(slice_str(&note), 0, len), keys, 2, seen, &err) && seen[1].good)
            ck_abort_msg("%zu bytes", len);
    }
    str_release(&note);
}
END_TEST

#define S "— a.example/x AAAAAAAA\n"
static const char *const no_notes[] = {
    "",
    "\n",
    "\n\n",
    "text\n",
    "text\n\n",
    "\n" S,
    "text\n" S,
    "text\n\n" S "more\n",
    "text\n\n" S "\n",
    "text\n\n— a.example/x AAAAAAAA",
    "text\n\n- a.example/x AAAAAAAA\n",
    "text\n\n—a.example/x AAAAAAAA\n",
    "text\n\n— a.example/x  AAAAAAAA\n",
    "text\n\n— a.example/x AAAAAAAA \n",
    "text\n\n— a+b AAAAAAAA\n",
    "text\n\n— a.example/x AAAAAAA\n",
    "text\n\n— a.example/x AAAA\n",
    "text\n\n— a.example/x AAAAAB==\n",
    "te\rxt\n\n" S,
    "te\txt\n\n" S,
    "te\xFFxt\n\n" S,
};

START_TEST(no_note)
{
    struct slice text, signatures;
    ck_assert(!note_split(slice_of(no_notes[_i]), &text, &signatures));
}
END_TEST

/* The last empty line is where the text ends. */
START_TEST(a_text_may_have_empty_lines)
{
    struct slice text, signatures;
    ck_assert(note_split(slice_of("a\n\nb\n\n" S), &text, &signatures));
    ck_slice_eq(text, "a\n\nb\n");
    ck_slice_eq(signatures, S);
}
END_TEST

/* Signatures of keys that are not known, and keys of one name, are passed over; there may be many. */
START_TEST(others_signatures)
{
    struct made_key log, carol, other;
    struct note_seen seen[2];
    struct err err = ERR_INIT;
    struct str note = STR_INIT, more = STR_INIT;
    struct slice text, signatures;
    sign_example(&note, &log, &carol);
    ck_assert(note_split(slice_str(&note), &text, &signatures));
    for (int i = 0; i < 40; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "w%d.example/w", i);
        make_key(&other, name, i % 2 ? VKEY_COSIGNER : VKEY_SIGNER);
        if (i % 2)
            note_cosign(&more, text, &other.key, other.secret, 1 + i);
        else
            note_sign(&more, text, &other.key, other.secret);
    }
    /* carol's key as a log's: another id */
    vkey_make(&other.key, slice_of("carol.example/w"), VKEY_SIGNER, carol.key.public);
    note_sign(&more, text, &other.key, carol.secret);
    str_addslice(&note, slice_str(&more));
    struct vkey keys[] = {carol.key, log.key};
    ck_ok(note_verify(slice_str(&note), keys, 2, seen, &err), err);
    ck_assert(seen[0].time == 1796115784 && seen[1].good);
    str_release(&note);
    str_release(&more);
}
END_TEST

/* A cosignature says when: never at 0, nor after the year 9999. */
START_TEST(times_of_cosignatures)
{
    static const int64_t times[] = {0, 1, 253402300799, 253402300800, INT64_MAX};
    struct made_key carol;
    make_key(&carol, "carol.example/w", VKEY_COSIGNER);
    for (size_t i = 0; i < 5; i++) {
        struct err err = ERR_INIT;
        struct note_seen seen;
        struct str note = STR_INIT;
        str_adds(&note, "text\n\n");
        note_cosign(&note, slice_of("text\n"), &carol.key, carol.secret, times[i]);
        int rc = note_verify(slice_str(&note), &carol.key, 1, &seen, &err);
        ck_assert_int_eq(rc == 0, i == 1 || i == 2);
        str_release(&note);
    }
}
END_TEST

static const char *const no_keys[] = {
    "",
    "example.com/foo",
    "example.com/foo+530d903a",
    "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "exam ple+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "exam\xC2\xA0ple+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k=",
    "example.com/foo+530d903a+BekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", /* another type, this id */
    "example.com/foo+530d903a+AukyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", /* ECDSA */
    "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3Q==",
};

START_TEST(no_key)
{
    struct vkey key;
    struct err err = ERR_INIT;
    ck_assert_msg(vkey_parse(slice_of(no_keys[_i]), &key, &err) != 0, "%s", no_keys[_i]);
    ck_assert_int_eq(err.code, ERR_INPUT);
}
END_TEST

#define R "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="

/* c2sp.org/tlog-checkpoint */
START_TEST(published_checkpoint)
{
    struct checkpoint checkpoint;
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    const char *note =
        "example.com/behind-the-sofa\n20852163\n" R "\n\n"
        "— example.com/behind-the-sofa "
        "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
        "— witness.example.com/w1 "
        "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+"
        "mbIUBkBIfZ+qnA==\n";
    ck_ok(checkpoint_parse(slice_of(note), &checkpoint, &err), err);
    ck_assert_str_eq(checkpoint.origin, "example.com/behind-the-sofa");
    ck_assert_int_eq(checkpoint.size, 20852163);
    checkpoint_text(&text, &checkpoint);
    ck_assert(slice_starts(slice_of(note), text.p));
    str_release(&text);
}
END_TEST

static const char *const no_checkpoints[] = {
    "a\n1\n\n" S,
    "a\n1\n" R "\nmore\n\n" S,
    "a b\n1\n" R "\n\n" S,
    "a\n01\n" R "\n\n" S,
    "a\n-1\n" R "\n\n" S,
    "a\n1 \n" R "\n\n" S,
    "a\n1000000000000000\n" R "\n\n" S,
    "a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n\n" S,
    "a\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n\n" S,
    "a\n1\n" R "\n",
};

START_TEST(no_checkpoint)
{
    struct checkpoint checkpoint;
    struct err err = ERR_INIT;
    ck_assert(checkpoint_parse(slice_of(no_checkpoints[_i]), &checkpoint, &err) != 0);
    ck_assert_int_eq(err.code, ERR_INPUT);
}
END_TEST

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void add_cases(TCase *tc)
{
    tcase_add_loop_test(tc, published_notes, 0, COUNT(published));
    tcase_add_test(tc, cosigned);
    tcase_add_test(tc, each_byte_counts);
    tcase_add_loop_test(tc, no_note, 0, COUNT(no_notes));
    tcase_add_test(tc, a_text_may_have_empty_lines);
    tcase_add_test(tc, others_signatures);
    tcase_add_test(tc, times_of_cosignatures);
    tcase_add_loop_test(tc, no_key, 0, COUNT(no_keys));
    tcase_add_test(tc, published_checkpoint);
    tcase_add_loop_test(tc, no_checkpoint, 0, COUNT(no_checkpoints));
}

TEST_MAIN_TOGETHER("tlog/note", add_cases)
