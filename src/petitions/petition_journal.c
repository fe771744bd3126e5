/* The journal of a game that is over, as files of a mail: all that anybody needs to replay and prove it. */
#include <string.h>

#include "petitions/handout.h"

/* What the audit needs; the texts as they were signed are in the journal's boxes. */
static const char *const sent[] = {"journal.jsonl", "cards.json", "HEAD", "HEAD.tlog-proof", "league.policy"};

static size_t size_of(const json_t *attach)
{
    size_t i, size = 0;
    json_t *file;
    json_array_foreach (attach, i, file)
        size += json_string_length(json_object_get(file, "text"));
    return size;
}

static json_t *files_of(const struct bundle *bundle)
{
    json_t *attach = json_array();
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++)
        for (size_t k = 0; k < bundle->count; k++)
            if (strcmp(bundle->file[k].name, sent[i]) == 0)
                json_array_append_new(attach,
                                      json_pack("{s:s,s:s,s:o}", "name", sent[i], "type", "text/plain",
                                                "text", json_text(slice_str(&bundle->file[k].bytes))));
    return attach;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct bundle bundle = {.count = 0};
    enum outcome done = handout_bundle(hearing, &bundle, err);
    json_t *attach = files_of(&bundle);
    bundle_release(&bundle);
    if (done == OUTCOME_DONE)
        done = handout_charge(hearing, size_of(attach), err);
    if (done == OUTCOME_DONE)
        handout_answer(hearing, "journal", attach);
    else
        json_decref(attach);
    return done;
}

const struct petition petition_journal = {
    .verb = "journal",
    .needs = PETITION_ASKS | PETITION_GAME | PETITION_MAIL,
    .fields = {NULL},
    .act = act,
};
