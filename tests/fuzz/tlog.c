/* Fuzz target: what strangers send about a league's log. The bytes are a mail's body with armors, and each of the texts of src/tlog.
 * What is read is, written again, the same bytes; and of the log that the seeds are of, only its one checkpoint is ever proved. */
#include "need.h"

#include <sodium.h>
#include <string.h>

#include "base/utf8.h"
#include "tlog/armor.h"
#include "tlog/proof.h"
#include "tlog/witness.h"

static const char policy_text[] =
    "log orion.example/turnpost+562fe43e+AQObqbp6uLvVlEJyVBukobVsPahwDmGAOSL45Ayj5mNp\n"
    "witness carol carol.example/w+3579aafe+BLtasITf/Hq4EdQhX9rOBAr3y8ZVbNigKY5YxvJry/N6\n"
    "witness dave dave.example/w+c74814df+BOCWNGLtA/1J0VycCuEcFsuiMJBm7Vq3NdsMsczP3lNP\n"
    "group quorum 2 carol dave\n"
    "quorum quorum\n";
static const char checkpoint_lines[] =
    "orion.example/turnpost\n40\nrYQiA71sZT1jN2LnaLMWMfXXBFDzmSOxIVO0Z5xVkqo=\n";
static struct policy policy;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct err err = ERR_INIT;
    (void)argc;
    (void)argv;
    need(sodium_init() >= 0);
    need(policy_parse(slice_of(policy_text), "league.policy", &policy, &err) == 0);
    return 0;
}

static void need_error(const struct err *err, enum err_code code)
{
    need(err->code == code && err->text[0] && utf8_valid(slice_of(err->text)));
}

/* `text` is what was read; frees what was written. */
static void need_same(struct slice text, struct str *written)
{
    need(written->len == text.len && (!text.len || memcmp(written->p, text.p, text.len) == 0));
    str_release(written);
}

static void an_entry(struct slice text)
{
    struct log_entry entry;
    struct err err = ERR_INIT;
    struct str written = STR_INIT;
    if (log_entry_parse(text, &entry, &err)) {
        need_error(&err, ERR_INPUT);
        return;
    }
    log_entry_write(&written, &entry);
    need_same(text, &written);
}

static void a_note(struct slice text)
{
    struct checkpoint checkpoint;
    struct policy_seen seen;
    struct err err = ERR_INIT;
    struct str written = STR_INIT;
    if (policy_verify(&policy, text, &checkpoint, &seen, &err)) {
        need_error(&err, ERR_INPUT);
        return;
    }
    checkpoint_text(&written, &checkpoint);
    need_same(slice_of(checkpoint_lines), &written);
    need(seen.log == 0 && seen.count <= 2 && seen.quorum == (seen.count == 2));
}

static void a_proof(struct slice entry, struct slice text)
{
    struct log_proof proof = LOG_PROOF_INIT;
    struct checkpoint checkpoint;
    struct policy_seen seen;
    struct log_entry read;
    struct err err = ERR_INIT;
    struct str written = STR_INIT;
    if (log_proof_parse(text, &proof, &err)) {
        need_error(&err, ERR_INPUT);
    } else {
        log_proof_write(&written, &proof);
        need_same(text, &written);
        if (log_proof_verify(&proof, entry, &policy, &checkpoint, &seen, &err) == 0)
            need(checkpoint.size == 40 && log_entry_parse(entry, &read, &err) == 0 &&
                 read.seq == proof.index + 1);
    }
    log_proof_release(&proof);
}

static void a_mail(struct slice body)
{
    static const char *const words[] = {PROOF_ARMOR, "REQUEST", "ANSWER"};
    for (size_t i = 0; i < 3; i++) {
        struct slice rest = body, entry, proof;
        struct str bytes = STR_INIT;
        size_t before = body.len + 1;
        for (;;) {
            struct err err = ERR_INIT;
            enum armored found = armored_next(&rest, words[i], &bytes, &err);
            need(rest.len < before || found == ARMORED_NONE);
            before = rest.len;
            if (found == ARMORED_NONE)
                break;
            if (found == ARMORED_DAMAGED)
                need_error(&err, ERR_INPUT);
            else if (log_proof_cut(slice_str(&bytes), &entry, &proof))
                a_proof(entry, proof);
        }
        need(rest.len == 0);
        str_release(&bytes);
    }
}

static void a_request(struct slice text)
{
    struct witness_request request = {0};
    struct witness_state state = WITNESS_STATE_INIT;
    struct witness_ruling ruling;
    struct err err = ERR_INIT;
    struct str written = STR_INIT;
    if (witness_request_parse(text, &request, &err)) {
        need_error(&err, ERR_INPUT);
    } else {
        witness_request_write(&written, &request);
        need_same(text, &written);
        witness_decide(&state, &policy.log[0].key, &request, 1796200000, &ruling);
        need(ruling.status == 200 ? request.checkpoint.size == 40 && state.size == 40 : state.size == 0);
        for (size_t i = 0; i < request.closes; i++)
            need(!ruling.dice[i] || ruling.status == 200);
    }
    witness_request_release(&request);
    witness_state_release(&state);
}

static void an_answer(struct slice text)
{
    struct witness_answer answer = {0};
    struct err err = ERR_INIT;
    struct str written = STR_INIT;
    if (witness_answer_parse(text, &answer, &err)) {
        need_error(&err, ERR_INPUT);
    } else {
        witness_answer_write(&written, &answer);
        need_same(text, &written);
    }
    witness_answer_release(&answer);
}

static void a_state(struct slice text)
{
    struct witness_state state = WITNESS_STATE_INIT;
    struct err err = ERR_INIT;
    struct str written = STR_INIT;
    if (witness_state_parse(text, &state, &err)) {
        need_error(&err, ERR_BROKEN);
    } else {
        witness_state_write(&written, &state);
        need_same(text, &written);
    }
    witness_state_release(&state);
}

/* Blanks, comments and the order of lines are free: what was written once, is written again the same. */
static void a_policy(struct slice text)
{
    static struct policy read, again;
    struct err err = ERR_INIT;
    struct str first = STR_INIT, second = STR_INIT;
    if (policy_parse(text, "league.policy", &read, &err)) {
        need_error(&err, ERR_CONFIG);
        return;
    }
    policy_write(&first, &read);
    need(policy_parse(slice_str(&first), "league.policy", &again, &err) == 0);
    policy_write(&second, &again);
    need_same(slice_str(&first), &second);
    str_release(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data, size}, entry, proof;
    an_entry(text);
    a_note(text);
    if (log_proof_cut(text, &entry, &proof))
        a_proof(entry, proof);
    a_mail(text);
    a_request(text);
    an_answer(text);
    a_state(text);
    a_policy(text);
    return 0;
}
