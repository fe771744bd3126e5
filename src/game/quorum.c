#include "game/quorum.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "tlog/policy.h"
#include "tlog/proof.h"
#include "tlog/witness.h"

/* ---- create ---- */

static bool read_key(const json_t *text, enum vkey_type type, struct vkey *key)
{
    struct err ignored = ERR_INIT;
    const char *value = json_string_value(text);
    return value && vkey_parse(slice_of(value), key, &ignored) == 0 && key->type == type;
}

/* One friend under two names would be two. */
static bool is_new(const struct quorum *quorum, const struct witness *witness)
{
    for (int i = 0; i < quorum->count; i++) {
        const struct witness *other = &quorum->list[i];
        if (strcmp(other->name, witness->name) == 0 || memcmp(other->vrf, witness->vrf, VRF_PUBLIC) == 0 ||
            memcmp(other->key.public, witness->key.public, VKEY_PUBLIC) == 0)
            return false;
    }
    return true;
}

static const char *read_witness(struct quorum *quorum, const json_t *item)
{
    const char *name = json_string_value(json_object_get(item, "name"));
    const char *vrf = json_string_value(json_object_get(item, "vrf"));
    struct witness *witness = &quorum->list[quorum->count];
    if (json_object_size(item) != 3)
        return "a witness has members that do not belong there";
    if (!name || !name_valid(slice_of(name)) || strlen(name) >= sizeof witness->name)
        return "bad name of a witness";
    if (!vrf || !hex_decode(witness->vrf, VRF_PUBLIC, slice_of(vrf)) || !vrf_key_good(witness->vrf) ||
        !read_key(json_object_get(item, "vkey"), VKEY_COSIGNER, &witness->key))
        return "the keys of a witness cannot be read";
    memcpy(witness->name, name, strlen(name) + 1);
    if (!is_new(quorum, witness))
        return "a witness is named twice";
    quorum->count++;
    return NULL;
}

const char *quorum_read(struct quorum *quorum, const json_t *create, const unsigned char league_key[32])
{
    const json_t *list = json_object_get(create, "witnesses");
    const json_t *need = json_object_get(create, "quorum");
    const json_t *log = json_object_get(create, "log");
    const char *wrong = NULL;
    size_t i;
    json_t *item;
    if ((list != NULL) != (need != NULL) || (list != NULL) != (log != NULL))
        return "its witnesses, their log and how many have to answer go together";
    if (!list)
        return NULL;
    if (json_array_size(list) == 0 || json_array_size(list) > WITNESSES_MAX)
        return "it has no witnesses, or too many";
    if (!read_key(log, VKEY_SIGNER, &quorum->log) || memcmp(quorum->log.public, league_key, VKEY_PUBLIC) != 0)
        return "the log of its witnesses is not the league's";
    json_array_foreach (list, i, item)
        if (!wrong)
            wrong = read_witness(quorum, item);
    const json_int_t least = json_integer_value(need);
    if (!wrong && (2 * least <= quorum->count || least > quorum->count))
        wrong = "its quorum is no majority of its witnesses";
    quorum->need = wrong ? 0 : (int)least;
    return wrong;
}

static json_t *vkey_json(const struct vkey *key)
{
    struct str text = STR_INIT;
    vkey_write(&text, key);
    json_t *json = json_string(text.p);
    str_release(&text);
    return json;
}

void quorum_write(json_t *create, const struct quorum *quorum)
{
    json_t *list = json_array();
    for (int i = 0; i < quorum->count; i++) {
        const struct witness *who = &quorum->list[i];
        json_array_append_new(list, json_pack("{s:s,s:o,s:o}", "name", who->name, "vkey",
                                              vkey_json(&who->key), "vrf", json_hex(who->vrf, VRF_PUBLIC)));
    }
    if (quorum->count)
        json_object_update_new(create, json_pack("{s:O,s:i,s:o}", "witnesses", list, "quorum", quorum->need,
                                                 "log", vkey_json(&quorum->log)));
    json_decref(list);
}

void quorum_release(struct quorum *quorum)
{
    for (int i = 0; i < quorum->count; i++)
        str_release(&quorum->list[i].proof);
    memset(quorum, 0, sizeof *quorum);
}

void quorum_ask(struct quorum *quorum)
{
    quorum_settle(quorum);
    for (int i = 0; i < quorum->count; i++)
        str_clear(&quorum->list[i].proof);
}

void quorum_settle(struct quorum *quorum)
{
    quorum->late = false;
    for (int i = 0; i < quorum->count; i++)
        quorum->list[i].answered = false;
}

int quorum_of(const struct quorum *quorum, const char *name)
{
    for (int i = 0; i < quorum->count; i++)
        if (strcmp(quorum->list[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- an answer ---- */

static bool is_close(const struct log_entry *entry, const struct log_entry *close)
{
    return entry->kind == ENTRY_CLOSE && strcmp(entry->name, close->name) == 0 && entry->seq == close->seq &&
           entry->time >= close->time && memcmp(entry->head, close->head, sizeof close->head) == 0 &&
           entry->turn.turn == close->turn.turn && entry->turn.rollbacks == close->turn.rollbacks &&
           memcmp(entry->alpha, close->alpha, sizeof close->alpha) == 0;
}

/* Of the log and that witness alone: the others' cosignatures are in their own records. */
static int verify_proof(const struct quorum *quorum, int witness, struct slice entry, struct slice proof,
                        int64_t *cosigned, struct err *err)
{
    struct policy *policy = mem_alloc(sizeof *policy);
    struct policy_seen *seen = mem_alloc(sizeof *seen);
    struct log_proof read = LOG_PROOF_INIT;
    struct checkpoint checkpoint;
    policy->log[policy->logs++].key = quorum->log;
    policy->witness[policy->witnesses++].key = quorum->list[witness].key;
    policy->quorum = POLICY_NONE;
    int rc = log_proof_parse(proof, &read, err);
    if (rc == 0)
        rc = log_proof_verify(&read, entry, policy, &checkpoint, seen, err);
    *cosigned = seen->time[0];
    if (rc == 0 && (!seen->time[0] || read.extra.len))
        rc = err_set(err, ERR_INPUT, "the witness %s has not cosigned that checkpoint",
                     quorum->list[witness].name);
    log_proof_release(&read);
    free(policy);
    free(seen);
    return rc;
}

int quorum_check(const struct quorum *quorum, const struct log_entry *close, const struct witness_said *said,
                 struct witness_answered *out, struct err *err)
{
    const struct witness *who = &quorum->list[said->witness];
    struct slice line, text;
    struct log_entry entry;
    if (!log_proof_cut(said->proof, &line, &text))
        return err_set(err, ERR_INPUT, "there is no entry of the log");
    if (log_entry_parse(line, &entry, err))
        return -1;
    if (!is_close(&entry, close))
        return err_set(err, ERR_INPUT, "it is not about the close of the open turn");
    if (verify_proof(quorum, said->witness, line, text, &out->cosigned, err))
        return -1;
    if (entry.time > out->cosigned + WITNESS_AHEAD)
        return err_set(err, ERR_INPUT, "the close is dated ahead of when %s saw it", who->name);
    struct str input = STR_INIT;
    witness_dice_input(&input, &quorum->log, &entry);
    const bool good = vrf_verify(out->beta, who->vrf, said->dice, slice_str(&input));
    str_release(&input);
    return good ? 0 : err_set(err, ERR_INPUT, "the proof of the witness's draw is wrong");
}

json_t *quorum_record(const struct quorum *quorum, const struct witness_said *said)
{
    return json_pack("{s:s,s:o,s:o}", "witness", quorum->list[said->witness].name, "pi",
                     json_hex(said->dice, VRF_PROOF), "proof", json_text(said->proof));
}

int quorum_answer(struct quorum *quorum, const struct log_entry *close, const json_t *members,
                  struct err *err)
{
    const char *name = json_string_value(json_object_get(members, "witness"));
    const char *pi = json_string_value(json_object_get(members, "pi"));
    const char *proof = json_string_value(json_object_get(members, "proof"));
    unsigned char dice[VRF_PROOF];
    struct witness_answered answered;
    const int number = name ? quorum_of(quorum, name) : -1;
    if (number < 0 || quorum->list[number].answered)
        return err_set(err, ERR_INPUT, "nothing is waited for from this witness");
    if (!pi || !proof || !hex_decode(dice, sizeof dice, slice_of(pi)))
        return err_set(err, ERR_INPUT, "its proof is no hex");
    if (quorum_check(quorum, close, &(struct witness_said){number, slice_of(proof), dice}, &answered, err))
        return -1;
    struct witness *witness = &quorum->list[number];
    witness->answered = true;
    witness->cosigned = answered.cosigned;
    memcpy(witness->beta, answered.beta, sizeof witness->beta);
    str_clear(&witness->proof);
    str_adds(&witness->proof, proof);
    return 0;
}

/* ---- waiting ---- */

static int answers(const struct quorum *quorum)
{
    int count = 0;
    for (int i = 0; i < quorum->count; i++)
        count += quorum->list[i].answered;
    return count;
}

/* When so many as have to had seen the close; there are so many. */
static int64_t enough_at(const struct quorum *quorum)
{
    int64_t times[WITNESSES_MAX] = {0};
    int count = 0;
    for (int i = 0; i < quorum->count; i++) {
        const struct witness *who = &quorum->list[i];
        if (!who->answered)
            continue;
        int at = count++;
        for (; at > 0 && times[at - 1] > who->cosigned; at--)
            times[at] = times[at - 1];
        times[at] = who->cosigned;
    }
    return times[quorum->need - 1];
}

bool quorum_lacks(const struct quorum *quorum)
{
    return answers(quorum) < quorum->need;
}

bool quorum_waits(const struct quorum *quorum, int64_t time)
{
    if (answers(quorum) == quorum->count)
        return false;
    return quorum_lacks(quorum) || time < enough_at(quorum) + WITNESS_DAY;
}

int64_t quorum_due(const struct quorum *quorum, int64_t closed)
{
    if (answers(quorum) == quorum->count)
        return 1;
    if (!quorum_lacks(quorum))
        return enough_at(quorum) + WITNESS_DAY;
    return quorum->late ? 0 : closed + WITNESS_LATE;
}

/* ---- what follows from the answers ---- */

void quorum_mix(struct quorum_dice *dice, const struct quorum *quorum, const unsigned char beta[VRF_OUTPUT])
{
    dice->count = 1;
    memcpy(dice->beta, beta, VRF_OUTPUT);
    for (int i = 0; i < quorum->count; i++)
        if (quorum->list[i].answered)
            memcpy(dice->beta + VRF_OUTPUT * dice->count++, quorum->list[i].beta, VRF_OUTPUT);
}

/* Without its last line, the cosignature. */
static struct slice without_cosignature(const struct str *proof)
{
    size_t end = proof->len ? proof->len - 1 : 0;
    while (end > 0 && proof->p[end - 1] != '\n')
        end--;
    return slice_sub(slice_str(proof), 0, end);
}

static bool same(struct slice a, struct slice b)
{
    return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

bool quorum_proof(const struct quorum *quorum, int witness, struct str *text)
{
    const struct witness *list = quorum->list;
    const struct slice own = without_cosignature(&list[witness].proof);
    for (int i = 0; i < witness; i++)
        if (same(own, without_cosignature(&list[i].proof)))
            return false;
    if (!own.len)
        return false;
    str_addslice(text, own);
    for (int i = witness; i < quorum->count; i++)
        if (same(own, without_cosignature(&list[i].proof)))
            str_addslice(text, slice_sub(slice_str(&list[i].proof), own.len, list[i].proof.len));
    return true;
}

json_t *quorum_names(const struct quorum *quorum, bool lacking)
{
    json_t *list = json_array();
    for (int i = 0; i < quorum->count; i++)
        if (!lacking || !quorum->list[i].answered)
            json_array_append_new(list, json_pack("{s:s}", "name", quorum->list[i].name));
    return list;
}
