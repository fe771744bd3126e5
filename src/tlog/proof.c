#include "tlog/proof.h"

#include "base/encode.h"
#include "tlog/strict.h"

#define FIRST_LINE "c2sp.org/tlog-proof@v1"

void log_proof_release(struct log_proof *proof)
{
    str_release(&proof->extra);
}

void log_proof_write(struct str *out, const struct log_proof *proof)
{
    str_adds(out, FIRST_LINE "\n");
    if (proof->extra.len) {
        str_adds(out, "extra ");
        base64_encode(out, proof->extra.p, proof->extra.len);
        str_addc(out, '\n');
    }
    str_addf(out, "index %lld\n", (long long)proof->index);
    tree_path_lines(out, &proof->path);
    str_addc(out, '\n');
    str_addslice(out, proof->note);
}

int log_proof_parse(struct slice text, struct log_proof *proof, struct err *err)
{
    struct slice line;
    str_clear(&proof->extra);
    if (!strict_line(&text, &line) || !slice_eq(line, FIRST_LINE))
        return err_set(err, ERR_INPUT, "this is no proof of a log: it does not begin with " FIRST_LINE);
    if (slice_starts(text, "extra ") && (!strict_line(&text, &line) || !strict_prefix(&line, "extra ") ||
                                         !line.len || !base64_decode(&proof->extra, line)))
        return err_set(err, ERR_INPUT, "the line \"extra\" of a proof is wrong");
    if (!strict_line(&text, &line) || !strict_prefix(&line, "index ") ||
        !strict_number(line, 0, STRICT_MOST, &proof->index))
        return err_set(err, ERR_INPUT, "the line \"index\" of a proof is missing or wrong");
    if (!tree_path_read(&text, &proof->path) || !text.len)
        return err_set(err, ERR_INPUT, "the hashes of a proof are wrong, or no checkpoint follows them");
    proof->note = text;
    return 0;
}

int log_proof_verify(const struct log_proof *proof, struct slice entry, const struct policy *policy,
                     struct checkpoint *checkpoint, struct policy_seen *seen, struct err *err)
{
    struct str line = STR_INIT;
    struct tree_hash leaf;
    if (policy_verify(policy, proof->note, checkpoint, seen, err))
        return -1;
    str_addslice(&line, entry);
    str_addc(&line, '\n');
    tree_leaf(&leaf, slice_str(&line));
    str_release(&line);
    return tree_includes(&leaf, proof->index, &proof->path, checkpoint->size, &checkpoint->root)
               ? 0
               : err_set(err, ERR_INPUT, "the proof does not show that this entry is in the log %s",
                         checkpoint->origin);
}

bool log_proof_cut(struct slice text, struct slice *entry, struct slice *proof)
{
    if (!strict_line(&text, entry))
        return false;
    *proof = text;
    return true;
}
