/* The judge of the league's log: what src/journal/README.md, "The log", promises of it; nothing of src/tlog is asked. It knows every
 * checkpoint that was shown to anyone: in a mail, on the site, beside the entries. Each is a beginning of the log, whatever has
 * crashed since. Where an older copy is put back, the log goes on, or another one begins, with another name. */
#include "sim/sim.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

/* ---- the tree (RFC 6962) ---- */

struct hash {
    unsigned char b[32];
};
struct tree {
    int64_t size;
    struct hash full[63]; /* of the full subtrees, by their height */
};

static void leaf_of(struct hash *out, struct slice entry)
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    crypto_hash_sha256_update(&state, (const unsigned char *)"", 1);
    crypto_hash_sha256_update(&state, (const unsigned char *)entry.p, entry.len);
    crypto_hash_sha256_final(&state, out->b);
}

static void node_of(struct hash *out, const struct hash *left, const struct hash *right)
{
    unsigned char both[65] = {1};
    memcpy(both + 1, left->b, 32);
    memcpy(both + 33, right->b, 32);
    crypto_hash_sha256(out->b, both, sizeof both);
}

static void grow(struct tree *tree, struct hash hash)
{
    int height = 0;
    for (; tree->size >> height & 1; height++)
        node_of(&hash, &tree->full[height], &hash);
    tree->full[height] = hash;
    tree->size++;
}

static void root_of(const struct tree *tree, struct hash *out)
{
    int height = 0;
    crypto_hash_sha256(out->b, NULL, 0);
    while (tree->size >> height && !(tree->size >> height & 1))
        height++;
    if (tree->size)
        *out = tree->full[height];
    for (height++; tree->size >> height; height++)
        if (tree->size >> height & 1)
            node_of(out, &tree->full[height], out);
}

/* ---- what was shown ---- */

static struct {
    char name[128];
    unsigned char id[4];
} policy;
static json_t *shown;    /* by size: {"root","where"} */
static json_t *followed; /* names of earlier logs: mails still come with their proofs */
static json_t *proved;   /* entries that mails have proved since the log was looked at last: where */
static bool restored;    /* an older copy was put back at some time, */
static bool follows;     /* and another log has begun */

/* Of the key that signs, under that name. */
static void id_of(unsigned char id[4], const char *name)
{
    unsigned char hash[32], named[200];
    size_t len = (size_t)snprintf((char *)named, sizeof named, "%s\n\1", name);
    memcpy(named + len, world.key, 32);
    crypto_hash_sha256(hash, named, len + 32);
    memcpy(id, hash, 4);
}

static void read_policy(void)
{
    struct str text;
    char key[64] = "";
    unsigned char raw[33], own[4];
    unsigned id = 0;
    world_slurp(&text, "keys/league.policy");
    MUST(text.len && sscanf(text.p, "log %127[^+ ]+%8x+%63s", policy.name, &id, key) == 3 &&
             base64_decode_to(raw, sizeof raw, slice_of(key)) && raw[0] == 1,
         "keys/league.policy names no log");
    id_of(own, policy.name);
    put_be32(policy.id, id);
    MUST(memcmp(own, policy.id, 4) == 0 && memcmp(raw + 1, world.key, 32) == 0,
         "the policy's key is not the league's");
    str_release(&text);
}

static bool is_signed(const char *name, struct slice text, struct slice line)
{
    struct str front = STR_INIT, bytes = STR_INIT;
    unsigned char id[4];
    id_of(id, name);
    str_addf(&front, "\xE2\x80\x94 %s ", name);
    bool good = slice_starts(line, front.p) && base64_decode(&bytes, slice_sub(line, front.len, line.len)) &&
                bytes.len == 68 && memcmp(bytes.p, id, 4) == 0 &&
                crypto_sign_verify_detached((const unsigned char *)bytes.p + 4, (const unsigned char *)text.p,
                                            text.len, world.key) == 0;
    str_release(&front);
    str_release(&bytes);
    return good;
}

/* All lines that follow are cosignatures of a witness of this world, whom the judge knows from its own host. */
static bool are_cosigned(struct slice text, struct slice lines)
{
    struct slice line;
    while (slice_line(&lines, &line)) {
        bool good = false;
        for (int i = 0; i < world.people && !good; i++) {
            struct str front = STR_INIT, bytes = STR_INIT, message = STR_INIT;
            str_addf(&front, "\xE2\x80\x94 %s ", world.person[i].witness ? world.person[i].vkey.name : "");
            if (world.person[i].witness && slice_starts(line, front.p) &&
                base64_decode(&bytes, slice_sub(line, front.len, line.len)) && bytes.len == 76) {
                const unsigned char *b = (const unsigned char *)bytes.p;
                const long long time = (long long)get_be32(b + 4) << 32 | get_be32(b + 8);
                str_addf(&message, "cosignature/v1\ntime %lld\n", time);
                str_addslice(&message, text);
                good = crypto_sign_verify_detached(b + 12, (const unsigned char *)message.p, message.len,
                                                   world.person[i].cosigner.point) == 0;
            }
            str_release(&front);
            str_release(&bytes);
            str_release(&message);
        }
        if (!good)
            return false;
    }
    return true;
}

/* A checkpoint of the league's, which it has to stand by from now on. Gives its size. *old: it is of a log that this one follows. */
static int64_t take_checkpoint(const char *where, struct slice note, struct hash *root, bool *old)
{
    struct slice rest = note, name, size, hash, empty, line;
    char key[24], hex[65], called[128] = "";
    if (!*policy.name)
        read_policy();
    MUST(slice_line(&rest, &name) && slice_line(&rest, &size) && slice_line(&rest, &hash) &&
             slice_line(&rest, &empty) && empty.len == 0 && slice_line(&rest, &line) &&
             snprintf(called, sizeof called, "%.*s", (int)name.len, name.p) > 0 &&
             base64_decode_to(root->b, sizeof root->b, hash) &&
             is_signed(called, slice_sub(note, 0, (size_t)(empty.p - note.p)), line) &&
             are_cosigned(slice_sub(note, 0, (size_t)(empty.p - note.p)), rest),
         "%s has no checkpoint that the log's key has signed: %.*s", where, (int)note.len, note.p);
    (void)snprintf(key, sizeof key, "%.*s", (int)size.len, size.p);
    *old = json_object_get(followed, called);
    MUST(*old || strcmp(called, policy.name) == 0, "%s is of a log that the policy does not name: %s", where,
         called);
    if (*old)
        return atoll(key);
    hex_to(hex, root->b, sizeof root->b);
    json_t *was = json_object_get(shown, key);
    const char *before = json_string_value(json_object_get(was, "root"));
    MUST(!before || strcmp(before, hex) == 0, "two histories of %s entries: %s shows another one than %s",
         key, where, json_string_value(json_object_get(was, "where")));
    if (!shown)
        shown = json_object();
    if (!was)
        json_object_set_new(shown, key, json_pack("{s:s,s:s}", "root", hex, "where", where));
    return atoll(key);
}

bool judge_log_shown(const char *path, bool torn)
{
    struct str note = STR_INIT;
    struct err err = ERR_INIT;
    struct hash root;
    bool old;
    if (file_exists(path))
        MUST_DO(file_read(path, 65536, &note, &err), err);
    const char *signature = note.len ? strstr(note.p, "\n\n") : NULL;
    const bool whole = signature && strchr(signature + 2, '\n');
    if (whole || (note.len && !torn))
        (void)take_checkpoint(path, slice_str(&note), &root, &old);
    str_release(&note);
    return whole;
}

/* ---- proofs in mails ---- */

/* By the path, from the entry to the root (RFC 9162, 2.1.3.2). */
static bool leads_to(struct hash hash, int64_t at, int64_t last, struct slice *path, const struct hash *root)
{
    struct slice line;
    while (slice_line(path, &line) && line.len) {
        struct hash other;
        if (!last || !base64_decode_to(other.b, sizeof other.b, line))
            return false;
        if (at & 1 || at == last) {
            node_of(&hash, &other, &hash);
            for (; !(at & 1) && at; at >>= 1)
                last >>= 1;
        } else {
            node_of(&hash, &hash, &other);
        }
        at >>= 1;
        last >>= 1;
    }
    return last == 0 && memcmp(hash.b, root->b, 32) == 0;
}

/* Notes what is proved as "SEQ HEAD\n". */
static void judge_proof(const char *where, struct slice text, struct str *proves)
{
    struct slice rest = text, entry, first, index, path, note;
    struct hash leaf, root;
    MUST(slice_line(&rest, &entry) && slice_line(&rest, &first) &&
             slice_eq(first, "c2sp.org/tlog-proof@v1") && slice_line(&rest, &index) &&
             (!slice_starts(index, "extra ") || slice_line(&rest, &index)) && slice_starts(index, "index "),
         "%s has a proof that is none: %.*s", where, (int)text.len, text.p);
    const int64_t at = atoll(index.p + strlen("index "));
    const size_t end = index.len && *rest.p == '\n' ? 0 : slice_find(rest, "\n\n") + 1;
    path = slice_sub(rest, 0, end);
    note = slice_sub(rest, end + 1, rest.len);
    bool old;
    const int64_t size = take_checkpoint(where, note, &root, &old);
    leaf_of(&leaf, slice_sub(text, 0, entry.len + 1));
    const bool witnessed = size > at && slice_starts(entry, "close "); /* as it was when they saw it */
    MUST((size == at + 1 || witnessed) && leads_to(leaf, at, size - 1, &path, &root),
         "%s has a proof that does not lead to its checkpoint: %.*s", where, (int)text.len, text.p);
    if (!proved)
        proved = json_object();
    if (!old)
        json_object_setn_new(proved, entry.p, entry.len, json_string(where));
    char seq[20] = "", head[65] = "";
    (void)sscanf(text.p, "%*s %*s %19s %*s %64s", seq, head);
    str_addf(proves, "%s %s\n", seq, head);
}

/* A mail that names a record by its number and some digits of its head has the proof. */
static void judge_named(const char *where, const char *at, const char *proves)
{
    while ((at = says(at, "Proof: record "))) {
        char digits[13], wanted[40];
        long long seq;
        at += strlen("Proof: record ");
        if (sscanf(at, "%lld (%12[0-9a-f]", &seq, digits) == 2) { /* else it is cut by quoted-printable */
            (void)snprintf(wanted, sizeof wanted, "%lld %s", seq, digits);
            MUST(strstr(proves, wanted), "%s does not prove record %s, as it says, but %s", where, wanted,
                 proves);
        }
    }
}

void judge_log_mail(const char *who, const struct str *raw)
{
    static const char begin[] = "-----BEGIN TURNPOST PROOF-----", end[] = "-----END TURNPOST PROOF-----";
    char where[200];
    const char *at = raw->p;
    struct str proves = STR_INIT;
    (void)snprintf(where, sizeof where, "a mail to %s (%.*s)", who, (int)strcspn(raw->p, "\n"), raw->p);
    while ((at = strstr(at, begin))) {
        struct str text = STR_INIT, bytes = STR_INIT;
        const char *stop = strstr(at += strlen(begin), end);
        MUST(stop, "%s has a proof without an end", where);
        for (; at < stop; at++)
            if (*at != '\n')
                str_addc(&text, *at);
        MUST(base64_decode(&bytes, slice_str(&text)), "%s has a proof that is no base64: %s", where, text.p);
        judge_proof(where, slice_str(&bytes), &proves);
        str_release(&text);
        str_release(&bytes);
    }
    MUST(!strstr(raw->p, "[proof ") && !strstr(raw->p, "(The log cannot prove"), "%s has no proof", where);
    judge_named(where, raw->p, proves.p);
    str_release(&proves);
}

/* ---- entries ---- */

struct entry {
    char kind[9], name[33], time[21], head[65], mark[65];
    long long seq;
    int turn, rollbacks, seat;
};
/* Those of a name that are in force. */
struct chain {
    char name[33];
    struct entry *entry;
    size_t count, cap;
    bool seen; /* it has a journal */
};
static struct chain *chains;
static size_t chain_count, chain_cap;

static struct chain *chain_of(const char *name)
{
    for (size_t i = 0; i < chain_count; i++)
        if (strcmp(chains[i].name, name) == 0)
            return &chains[i];
    chains = mem_grow(chains, chain_count, &chain_cap, sizeof *chains);
    chains[chain_count] = (struct chain){.entry = NULL};
    (void)snprintf(chains[chain_count].name, sizeof chains->name, "%s", name);
    return &chains[chain_count++];
}

static void forget_chains(void)
{
    for (size_t i = 0; i < chain_count; i++)
        free(chains[i].entry);
    chain_count = 0;
}

/* What is read is written again, and must be the same. */
static void read_entry(const char *line, struct entry *e)
{
    struct str again = STR_INIT;
    char version[64], last[65] = "";
    *e = (struct entry){.seq = 0};
    int n = sscanf(line, "%8s %32s %lld %20s %64s turn %d.%d %*s %64s mark %64s", e->kind, e->name, &e->seq,
                   e->time, e->head, &e->turn, &e->rollbacks, last, e->mark);
    str_addf(&again, "%s %s %lld %s", e->kind, e->name, e->seq, e->time);
    if (strcmp(e->kind, "program") == 0) {
        n = sscanf(line, "program %20s %63s %64s", e->time, version, e->head) == 3 ? 5 : 0;
        *e->name = '\0';
        str_clear(&again);
        str_addf(&again, "program %s %s %s", e->time, version, e->head);
    } else if (strcmp(e->kind, "log") == 0) { /* VKEY SIZE ROOT; the first one */
        char vkey[200], root[50];
        long long size;
        n = sscanf(line, "log %20s %199s %lld %49s", e->time, vkey, &size, root) == 4 ? 5 : 0;
        *e->name = '\0';
        str_clear(&again);
        str_addf(&again, "log %s %s %lld %s", e->time, vkey, size, root);
        vkey[strcspn(vkey, "+")] = '\0';
        MUST(json_object_get(followed, vkey), "the log follows one that nobody knows: %s", line);
        (void)snprintf(e->head, sizeof e->head, "%064d", 0);
    } else if (strcmp(e->kind, "lost") != 0) {
        str_addf(&again, " %s", e->head);
        if (strcmp(e->kind, "head") != 0)
            str_addf(&again, " turn %d.%d", e->turn, e->rollbacks);
        if (strcmp(e->kind, "close") == 0)
            str_addf(&again, " alpha %s", last);
        else if (strcmp(e->kind, "receipt") == 0 || strcmp(e->kind, "kept") == 0)
            str_addf(&again, " seat %d mark %s", e->seat = atoi(last), e->mark);
    } else {
        n++;
    }
    int64_t time;
    MUST(n >= 5 && strlen(line) <= 400 && strcmp(again.p, line) == 0 &&
             clock_parse(slice_of(e->time), &time) &&
             strspn(e->head, "0123456789abcdef") == (strcmp(e->kind, "lost") == 0 ? 0 : 64),
         "the log has an entry that is none: %s", line);
    str_release(&again);
}

static json_t *closed; /* each "NAME TURN.ROLLBACKS": once, whatever was lost */

/* Numbers go up by one, in the registry by more; `lost` takes some back. */
static void add_entry(const struct entry *e)
{
    struct chain *chain = chain_of(e->name);
    const bool registry = strcmp(e->name, "registry") == 0;
    const long long last = chain->count ? chain->entry[chain->count - 1].seq : 0;
    if (strcmp(e->kind, "lost") == 0) {
        MUST(restored || world.was_gone,
             "the log says that %s has lost record %lld, and no older copy was put back", e->name, e->seq);
        MUST(e->seq >= 1 && (follows || e->seq <= last),
             "the log says that %s has lost record %lld, and it had %lld", e->name, e->seq, last);
        while (chain->count && chain->entry[chain->count - 1].seq >= e->seq)
            chain->count--;
        return;
    }
    char turn[80];
    (void)snprintf(turn, sizeof turn, "%s %d.%d", e->name, e->turn, e->rollbacks);
    if (strcmp(e->kind, "close") == 0) {
        MUST(!json_object_get(closed, turn), "the log closes %s twice", turn);
        json_object_set_new(closed, turn, json_true());
    }
    MUST(registry ? e->seq > last : e->seq == last + 1, "record %lld of %s follows record %lld in the log",
         e->seq, e->name, last);
    chain->entry = mem_grow(chain->entry, chain->count, &chain->cap, sizeof *chain->entry);
    chain->entry[chain->count++] = *e;
}

/* All entries, and with each whether a checkpoint that was shown is of what is there so far. */
static int64_t judge_entries(struct slice log, struct hash *root, struct hash **leaves)
{
    struct tree tree = {.size = 0};
    char before[21] = "", key[24];
    json_decref(closed);
    closed = json_object();
    size_t cap = 0, met = 0;
    struct slice line;
    MUST(!log.len || log.p[log.len - 1] == '\n', "the log ends with half a line");
    root_of(&tree, root);
    while (slice_line(&log, &line)) {
        struct entry entry;
        char *text = slice_dup(line), hex[65];
        read_entry(text, &entry);
        MUST(strcmp(before, entry.time) <= 0, "the log runs back, from %s: %s", before, text);
        memcpy(before, entry.time, sizeof before);
        MUST((strcmp(entry.kind, "log") == 0) == (tree.size == 0 && follows),
             "a log says first whom it follows: %s", text);
        if (*entry.name)
            add_entry(&entry);
        free(text);
        *leaves = mem_grow(*leaves, (size_t)tree.size, &cap, sizeof **leaves);
        leaf_of(&(*leaves)[tree.size], (struct slice){line.p, line.len + 1});
        grow(&tree, (*leaves)[tree.size]);
        root_of(&tree, root);
        hex_to(hex, root->b, sizeof root->b);
        (void)snprintf(key, sizeof key, "%lld", (long long)tree.size);
        const json_t *was = json_object_get(shown, key);
        met += was != NULL;
        MUST(!was || strcmp(json_string_value(json_object_get(was, "root")), hex) == 0,
             "the log's first %s entries are not what %s shows", key,
             json_string_value(json_object_get(was, "where")));
    }
    const char *size;
    json_t *was;
    if (met < json_object_size(shown))
        json_object_foreach (shown, size, was)
            MUST(atoll(size) <= tree.size, "%s shows a log of %s entries, and it has %lld",
                 json_string_value(json_object_get(was, "where")), size, (long long)tree.size);
    return tree.size;
}

/* ---- journals ---- */

static void head_of(char hex[65], const char *domain, const void *bytes, size_t len)
{
    unsigned char head[32];
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof head);
    crypto_generichash_update(&state, (const unsigned char *)domain, strlen(domain) + 1);
    crypto_generichash_update(&state, bytes, len);
    crypto_generichash_final(&state, head, sizeof head);
    hex_to(hex, head, sizeof head);
}

/* A private game, and one in lockstep, has another name. */
static void name_in_log(char name[33], const char *journal, const json_t *create, const char *head)
{
    unsigned char raw[32];
    char hex[65];
    (void)snprintf(name, 33, "%s", journal);
    if (!json_is_false(json_object_get(create, "observers")) && !json_object_get(create, "lockstep"))
        return;
    MUST(hex_decode(raw, sizeof raw, slice_of(head)), "%s is no head", head);
    head_of(hex, "turnpost/name", raw, sizeof raw);
    (void)snprintf(name, 33, "h%.24s", hex);
}

static void judge_record(const char *name, bool game, const json_t *record, const char *head,
                         const struct entry *entry, int rollbacks)
{
    const char *own = json_string_value(json_object_get(record, "type")), *type = game ? own : "",
               *mark = json_string_value(json_object_get(record, "seal")),
               *time = json_string_value(json_object_get(record, "time"));
    const bool fixed = !game && strcmp(own, "fixed") == 0, /* of a competition: its witnesses are asked */
        orders = strcmp(type, "orders") == 0, end = strcmp(type, "end") == 0,
               turned = orders || end || strcmp(type, "close") == 0 || strcmp(type, "start") == 0 ||
                        strcmp(type, "turn") == 0;
    MUST(strcmp(entry->head, head) == 0 && strcmp(entry->time, time) >= 0,
         "the log has record %lld of %s with another head, or earlier", entry->seq, name);
    MUST(orders ? strcmp(entry->kind, "receipt") == 0 || strcmp(entry->kind, "kept") == 0
                : strcmp(entry->kind, turned  ? type
                                      : fixed ? "close"
                                              : "head") == 0,
         "the log calls record %lld of %s, which is %s, %s", entry->seq, name, own, entry->kind);
    MUST(!fixed ||
             (entry->turn == json_integer_value(json_object_get(record, "round")) && entry->rollbacks == 1),
         "the log says that record %lld of %s is of round %d", entry->seq, name, entry->turn);
    MUST(!turned || (entry->turn == json_integer_value(json_object_get(record, end ? "turns" : "turn")) &&
                     entry->rollbacks == rollbacks),
         "the log says that record %lld of %s is of turn %d.%d", entry->seq, name, entry->turn,
         entry->rollbacks);
    MUST(!orders || (entry->seat == json_integer_value(json_object_get(record, "seat")) &&
                     (!mark || strcmp(entry->mark, mark) == 0)),
         "the log has record %lld of %s with another seat or mark", entry->seq, name);
}

/* Each record has one entry; of the registry some have none, but the last one has. */
static void judge_journal(const char *folder, const char *journal)
{
    char name[33] = "";
    struct str lines;
    struct slice rest, line;
    struct chain *chain = NULL;
    size_t at = 0;
    int rollbacks = 0;
    bool last = true;      /* has the last record one? */
    bool given_up = false; /* a turn may be open again, without witnesses */
    const bool registry = strcmp(folder, "registry") == 0;
    world_slurp(&lines, registry ? "%s/journal.jsonl" : "%s/%s/journal.jsonl", folder, journal);
    for (rest = slice_str(&lines); slice_line(&rest, &line);) {
        char head[65];
        struct err err = ERR_INIT;
        json_t *record = json_read(line, "record", &err);
        const long long seq = json_integer_value(json_object_get(record, "seq"));
        head_of(head, "turnpost/log", line.p, line.len + 1);
        if (!chain) {
            name_in_log(name, journal, record, head);
            chain = chain_of(name);
            chain->seen = true;
        }
        while (registry && at < chain->count && chain->entry[at].seq < seq)
            at++; /* in an archive */
        const struct entry *entry = at < chain->count ? &chain->entry[at] : NULL;
        last = entry && entry->seq == seq;
        MUST(registry || last, "record %lld of %s (%s) is not in the log", seq, journal, name);
        if (last && given_up && entry->rollbacks == rollbacks + 1) {
            rollbacks++;
            given_up = false;
        }
        if (last) {
            judge_record(journal, strcmp(folder, "games") == 0, record, head, entry, rollbacks);
            at++;
        }
        const char *deed = json_string_value(json_object_get(record, "do"));
        rollbacks += deed && strcmp(deed, "rollback") == 0;
        const char *kind = json_string_value(json_object_get(record, "kind"));
        given_up |= kind && strcmp(kind, "unwitness") == 0;
        if (kind && strcmp(kind, "lost") == 0)
            rollbacks = (int)json_integer_value(json_object_get(record, "rollbacks"));
        json_decref(record);
    }
    MUST(last, "the last record of %s is not in the log", journal);
    MUST(!chain || at == chain->count, "the log has records of %s that its journal has not, from %lld on",
         journal, at < chain->count ? chain->entry[at].seq : 0);
    str_release(&lines);
}

static void judge_each(const char *folder)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *path = path_join(world.dir, folder);
    MUST_DO(file_list(path, &names, &err), err);
    for (size_t i = 0; i < names.count; i++)
        judge_journal(folder, names.name[i]);
    file_names_free(&names);
    free(path);
}

static void judge_journals(void)
{
    const char *line, *where;
    json_t *value;
    judge_each("games");
    judge_each("competitions");
    judge_journal("registry", "registry");
    for (size_t i = 0; i < chain_count; i++)
        MUST(chains[i].seen || !chains[i].count, "the log has records of %s, which has no journal",
             chains[i].name);
    json_object_foreach (proved, line, value) {
        struct entry entry;
        bool is = false;
        where = json_string_value(value);
        read_entry(line, &entry);
        const struct chain *chain = chain_of(entry.name);
        for (size_t i = 0; i < chain->count && !is; i++)
            is = chain->entry[i].seq == entry.seq && strcmp(chain->entry[i].head, entry.head) == 0;
        MUST(is, "%s proves what no journal has: %s", where, line);
    }
    json_decref(proved);
    proved = NULL;
}

/* ---- the files that show it ---- */

static void judge_tile(const char *folder, const char *kind, int64_t index, int64_t width, struct slice bytes)
{
    char path[100];
    struct str is;
    int n = snprintf(path, sizeof path, "%s/tile/%s/%03lld", folder, kind, (long long)index);
    if (width < 256)
        (void)snprintf(path + n, sizeof path - (size_t)n, ".p/%lld", (long long)width);
    world_slurp(&is, "%s", path);
    MUST(is.len == bytes.len && memcmp(is.p, bytes.p, is.len) == 0, "%s is not of the log's entries", path);
    str_release(&is);
}

/* Of the two lowest levels (65,536 entries). */
static void judge_tiles(const char *folder, struct slice log, const struct hash *leaves, int64_t size)
{
    struct hash above[256];
    for (int64_t i = 0; i * 256 < size; i++) {
        const int64_t width = size - i * 256 < 256 ? size - i * 256 : 256;
        struct str bundle = STR_INIT;
        struct tree tree = {.size = 0};
        struct slice line;
        for (int64_t k = 0; k < width && slice_line(&log, &line); k++) {
            str_addc(&bundle, (char)((line.len + 1) >> 8));
            str_addc(&bundle, (char)((line.len + 1) & 255));
            str_add(&bundle, line.p, line.len + 1);
            grow(&tree, leaves[i * 256 + k]);
        }
        judge_tile(folder, "0", i, width, (struct slice){(const char *)&leaves[i * 256], (size_t)width * 32});
        judge_tile(folder, "entries", i, width, slice_str(&bundle));
        root_of(&tree, &above[i & 255]);
        str_release(&bundle);
    }
    if (size >= 256)
        judge_tile(folder, "1", 0, size / 256,
                   (struct slice){(const char *)above, (size_t)(size / 256) * 32});
}

/* A folder that shows the log shows all of it. */
static void judge_folder(const char *folder, struct slice log, const struct hash *leaves, int64_t size,
                         const struct hash *root)
{
    char name[60];
    struct str note;
    struct hash has;
    world_slurp(&note, "%s/checkpoint", folder);
    if (size) {
        bool old;
        const int64_t shows = take_checkpoint(name, slice_str(&note), &has, &old);
        MUST(!old && shows == size && memcmp(has.b, root->b, 32) == 0,
             "%s is of %lld entries, and the log has %lld", name, (long long)shows, (long long)size);
        judge_tiles(folder, log, leaves, size);
    }
    str_release(&note);
}

/* When nothing is half done. `whole`: each journal can be read as well. */
void judge_log(bool whole)
{
    struct str log;
    struct hash root, *leaves = NULL;
    world_slurp(&log, "log/entries");
    const int64_t size = judge_entries(slice_str(&log), &root, &leaves);
    if (whole)
        judge_journals();
    if (!hosts_many()) {
        judge_folder("log", slice_str(&log), leaves, size, &root);
        if (world.on[F_site] && whole)
            judge_folder("site/log", slice_str(&log), leaves, size, &root);
    }
    forget_chains();
    free(leaves);
    str_release(&log);
}

/* ---- an older copy was put back ---- */

/* Where the log goes on, all of it does. */
void judge_log_restored(void)
{
    char name[sizeof policy.name];
    memcpy(name, policy.name, sizeof name);
    restored = true;
    json_decref(proved);
    proved = NULL;
    if (!*name)
        return;
    read_policy();
    if (strcmp(name, policy.name) == 0)
        return;
    if (!followed)
        followed = json_object();
    json_object_set_new(followed, name, json_true());
    json_decref(shown);
    shown = NULL;
    follows = true;
}
