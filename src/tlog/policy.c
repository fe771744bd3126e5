#include "tlog/policy.h"

#include <string.h>

#include "base/utf8.h"
#include "tlog/strict.h"

#define MEMBERS_MOST 64 /* of a group */

/* ---- reading ---- */

struct reading {
    struct policy *policy;
    const char *file;
    int line;
    bool member[2 * POLICY_MOST]; /* is in a group already */
    bool quorum;                  /* has been told */
    struct err *err;
};

static int bad(const struct reading *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int bad(const struct reading *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)err_vset(r->err, ERR_CONFIG, fmt, args);
    va_end(args);
    return err_prefix(r->err, "%s, line %d", r->file, r->line);
}

/* The number of a witness, or POLICY_MOST and that of a group; -1: neither has this name. */
static int find(const struct policy *policy, struct slice name)
{
    for (int i = 0; i < policy->witnesses; i++)
        if (slice_eq(name, policy->witness[i].name))
            return i;
    for (int i = 0; i < policy->groups; i++)
        if (slice_eq(name, policy->group[i].name))
            return POLICY_MOST + i;
    return -1;
}

static int read_key(const struct reading *r, struct slice *rest, enum vkey_type type, struct vkey *key)
{
    struct slice word;
    if (!slice_word(rest, &word))
        return bad(r, "the key is missing; write NAME+ID+KEY, as the log or the witness shows it");
    struct err why = ERR_INIT;
    if (vkey_parse(word, key, &why))
        return bad(r, "%s", why.text);
    if (key->type == type)
        return 0;
    return type == VKEY_SIGNER ? bad(r, "this is the key of a witness, and a log's is needed")
                               : bad(r, "this is the key of a log, and a witness's is needed");
}

static int read_url(const struct reading *r, struct slice *rest, char url[POLICY_URL])
{
    struct slice word;
    if (!slice_word(rest, &word))
        return 0;
    if (word.len >= POLICY_URL)
        return bad(r, "the URL has more than %d bytes; shorten it", POLICY_URL - 1);
    memcpy(url, word.p, word.len);
    return 0;
}

/* The name of a witness or group, which has to be new. */
static int read_name(const struct reading *r, struct slice *rest, char name[POLICY_NAME])
{
    struct slice word;
    if (!slice_word(rest, &word) || word.len >= POLICY_NAME)
        return bad(r, "a name of 1 to %d bytes is missing", POLICY_NAME - 1);
    if (slice_eq(word, "none") || find(r->policy, word) >= 0)
        return bad(r, "the name %.*s is taken; choose another one", (int)word.len, word.p);
    memcpy(name, word.p, word.len);
    return 0;
}

static bool same_key(const struct vkey *a, const struct vkey *b)
{
    return memcmp(a->public, b->public, VKEY_PUBLIC) == 0;
}

static int read_log(struct reading *r, struct slice *rest)
{
    struct policy *policy = r->policy;
    if (policy->logs == POLICY_MOST)
        return bad(r, "there are more than %d logs; take some out", POLICY_MOST);
    struct policy_log *log = &policy->log[policy->logs];
    if (read_key(r, rest, VKEY_SIGNER, &log->key) || read_url(r, rest, log->url))
        return -1;
    for (int i = 0; i < policy->logs; i++)
        if (strcmp(log->key.name, policy->log[i].key.name) == 0) /* one key may have signed several */
            return bad(r, "this log is there already; take one of the two lines out");
    policy->logs++;
    return 0;
}

static int read_witness(struct reading *r, struct slice *rest)
{
    struct policy *policy = r->policy;
    if (policy->witnesses == POLICY_MOST)
        return bad(r, "there are more than %d witnesses; take some out", POLICY_MOST);
    struct policy_witness *witness = &policy->witness[policy->witnesses];
    if (read_name(r, rest, witness->name) || read_key(r, rest, VKEY_COSIGNER, &witness->key) ||
        read_url(r, rest, witness->url))
        return -1;
    for (int i = 0; i < policy->witnesses; i++)
        if (same_key(&witness->key, &policy->witness[i].key))
            return bad(r, "this is the key of %s, too; take one of the two lines out",
                       policy->witness[i].name);
    policy->witnesses++;
    return 0;
}

static int read_group(struct reading *r, struct slice *rest)
{
    struct policy *policy = r->policy;
    struct slice need, word;
    int64_t number = 0;
    if (policy->groups == POLICY_MOST)
        return bad(r, "there are more than %d groups; take some out", POLICY_MOST);
    struct policy_group *group = &policy->group[policy->groups];
    if (read_name(r, rest, group->name))
        return -1;
    if (!slice_word(rest, &need) ||
        !(slice_eq(need, "any") || slice_eq(need, "all") || strict_number(need, 1, MEMBERS_MOST, &number)))
        return bad(r, "after the group's name comes how many must agree: a number, any or all");
    while (slice_word(rest, &word)) {
        int member = find(policy, word);
        if (member < 0)
            return bad(r, "no line before this one has a witness or group %.*s", (int)word.len, word.p);
        if (r->member[member])
            return bad(r, "%.*s is in a group already, and may be in one only", (int)word.len, word.p);
        r->member[member] = true;
        group->member[group->count++] = member;
    }
    group->need = number ? (int)number : slice_eq(need, "any") ? 1 : group->count;
    if (!group->count || group->need > group->count)
        return bad(r, "the group has fewer members than must agree; add some");
    policy->groups++;
    return 0;
}

static int read_quorum(struct reading *r, struct slice *rest)
{
    struct slice word;
    if (r->quorum)
        return bad(r, "there is a second quorum; take one of the two lines out");
    if (!slice_word(rest, &word))
        return bad(r, "after \"quorum\" comes the name of a witness or group, or none");
    r->quorum = true;
    r->policy->quorum = slice_eq(word, "none") ? POLICY_NONE : find(r->policy, word);
    if (r->policy->quorum == POLICY_NONE && !slice_eq(word, "none"))
        return bad(r, "no line before this one has a witness or group %.*s", (int)word.len, word.p);
    return 0;
}

static int read_line(struct reading *r, struct slice line)
{
    static const struct {
        const char *word;
        int (*read)(struct reading *r, struct slice *rest);
    } kinds[] = {
        {"log", read_log}, {"witness", read_witness}, {"group", read_group}, {"quorum", read_quorum}};
    struct slice word;
    for (size_t i = 0; i < line.len; i++)
        if (((unsigned char)line.p[i] < ' ' && line.p[i] != '\t') || line.p[i] == 0x7F)
            return bad(r, "a control character is in this line; write it anew");
    if (!utf8_valid(line))
        return bad(r, "this line is not UTF-8; write it anew");
    if (!slice_word(&line, &word) || word.p[0] == '#')
        return 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (slice_eq(word, kinds[i].word)) {
            if (kinds[i].read(r, &line))
                return -1;
            return slice_word(&line, &word)
                       ? bad(r, "there is more in this line than belongs there, from %.*s on", (int)word.len,
                             word.p)
                       : 0;
        }
    return bad(r, "a line begins with log, witness, group, quorum or #");
}

int policy_parse(struct slice text, const char *file, struct policy *policy, struct err *err)
{
    struct reading r = {.policy = policy, .file = file, .err = err};
    struct slice line;
    memset(policy, 0, sizeof *policy);
    policy->quorum = POLICY_NONE;
    while (text.len) {
        r.line++;
        if (!strict_line(&text, &line))
            return bad(&r, "the file ends within a line; it may have been cut off");
        if (read_line(&r, line))
            return -1;
    }
    return r.quorum ? 0
                    : err_set(err, ERR_CONFIG,
                              "%s has no line \"quorum\"; add one with a group, a witness or none", file);
}

/* ---- writing ---- */

static const char *member_name(const struct policy *policy, int member)
{
    return member == POLICY_NONE  ? "none"
           : member < POLICY_MOST ? policy->witness[member].name
                                  : policy->group[member - POLICY_MOST].name;
}

static void add_key(struct str *out, const struct vkey *key, const char *url)
{
    str_addc(out, ' ');
    vkey_write(out, key);
    str_addf(out, "%s%s\n", *url ? " " : "", url);
}

void policy_write(struct str *out, const struct policy *policy)
{
    for (int i = 0; i < policy->logs; i++) {
        str_adds(out, "log");
        add_key(out, &policy->log[i].key, policy->log[i].url);
    }
    for (int i = 0; i < policy->witnesses; i++) {
        str_addf(out, "witness %s", policy->witness[i].name);
        add_key(out, &policy->witness[i].key, policy->witness[i].url);
    }
    for (int i = 0; i < policy->groups; i++) {
        const struct policy_group *group = &policy->group[i];
        str_addf(out, "group %s %d", group->name, group->need);
        for (int k = 0; k < group->count; k++)
            str_addf(out, " %s", member_name(policy, group->member[k]));
        str_addc(out, '\n');
    }
    str_addf(out, "quorum %s\n", member_name(policy, policy->quorum));
}

void policy_need(struct policy *policy, int need)
{
    policy->groups = need ? 1 : 0;
    policy->quorum = need ? POLICY_MOST : POLICY_NONE;
    if (!need)
        return;
    struct policy_group *group = &policy->group[0];
    *group = (struct policy_group){.name = "quorum", .need = need, .count = policy->witnesses};
    for (int i = 0; i < policy->witnesses; i++)
        group->member[i] = i;
}

/* ---- verifying ---- */

/* When this member had witnessed it; 0: has not. Of a group, when the last one came that was needed. Groups stand after their
 * members, so that one pass is enough. */
static int64_t witnessed(const struct policy *policy, const int64_t time[POLICY_MOST], int member)
{
    int64_t when[2 * POLICY_MOST] = {0};
    memcpy(when, time, POLICY_MOST * sizeof *time);
    for (int i = 0; i < policy->groups; i++) {
        const struct policy_group *group = &policy->group[i];
        int64_t sorted[2 * POLICY_MOST] = {0};
        int count = 0;
        for (int k = 0; k < group->count; k++) {
            int64_t t = when[group->member[k]];
            int at = count;
            if (!t)
                continue;
            for (; at > 0 && sorted[at - 1] > t; at--)
                sorted[at] = sorted[at - 1];
            sorted[at] = t;
            count++;
        }
        when[POLICY_MOST + i] = count >= group->need ? sorted[group->need - 1] : 0;
    }
    return when[member];
}

bool policy_agrees(const struct policy *policy, uint32_t witnesses)
{
    int64_t time[POLICY_MOST];
    for (int i = 0; i < POLICY_MOST; i++)
        time[i] = witnesses >> i & 1;
    return policy->quorum == POLICY_NONE || witnessed(policy, time, policy->quorum) != 0;
}

int policy_verify(const struct policy *policy, struct slice note, struct checkpoint *checkpoint,
                  struct policy_seen *seen, struct err *err)
{
    struct vkey keys[2 * POLICY_MOST];
    struct note_seen found[2 * POLICY_MOST];
    memset(seen, 0, sizeof *seen);
    for (int i = 0; i < policy->logs; i++)
        keys[i] = policy->log[i].key;
    for (int i = 0; i < policy->witnesses; i++)
        keys[policy->logs + i] = policy->witness[i].key;
    if (checkpoint_parse(note, checkpoint, err) ||
        note_verify(note, keys, (size_t)policy->logs + (size_t)policy->witnesses, found, err))
        return -1;
    while (seen->log < policy->logs &&
           !(found[seen->log].good && strcmp(keys[seen->log].name, checkpoint->origin) == 0))
        seen->log++;
    if (seen->log == policy->logs)
        return err_set(err, ERR_INPUT, "no log that the policy names has signed this checkpoint of %s",
                       checkpoint->origin);
    for (int i = 0; i < policy->witnesses; i++) {
        int64_t time = found[policy->logs + i].time;
        seen->time[i] = time;
        seen->count += time != 0;
        if (time && (!seen->earliest || time < seen->earliest))
            seen->earliest = time;
    }
    seen->enough = policy->quorum == POLICY_NONE ? 0 : witnessed(policy, seen->time, policy->quorum);
    seen->quorum = policy->quorum == POLICY_NONE || seen->enough;
    return 0;
}
