#include "trust/envelope.h"

#include <ctype.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "base/reason.h"
#include "trust/canon.h"
#include "trust/scan.h"
#include "trust/shape.h"
#include "trust/variant.h"

#define VIEWS       3 /* exact, shown, flat */
#define DIGESTS_MAX 64
#define FORESEEN    4  /* candidates; nearly always it is the first or the second */
#define LOOK        16 /* the cost of looking at one thing found; comparing 16 bytes costs one */

/* All that was found so far. */
struct search {
    const struct evidence *parts;
    size_t count;
    struct work *work;
    struct scan (*scans)[VIEWS]; /* one row per part; a view that repeats another is empty */
    struct envelope *out;
    size_t found;
};

static bool same_bytes(struct slice a, struct slice b)
{
    return a.len == b.len && (!a.len || memcmp(a.p, b.p, a.len) == 0);
}

/* As same_bytes, charged to the work. */
static bool same_text(struct work *work, struct slice a, struct slice b)
{
    (void)work_take(work, LOOK + (a.len == b.len ? a.len / LOOK : 0));
    return same_bytes(a, b);
}

static void scan_parts(struct search *s, struct err *broken)
{
    s->scans = mem_array(s->count + 1, sizeof *s->scans);
    for (size_t i = 0; i < s->count; i++) {
        const struct evidence *part = &s->parts[i];
        const struct slice views[VIEWS] = {part->exact, part->shown, part->flat};
        for (size_t v = 0; v < VIEWS; v++) {
            bool repeated = false;
            for (size_t w = 0; w < v; w++)
                repeated = repeated || same_text(s->work, views[w], views[v]);
            if (!repeated)
                scan_text(&s->scans[i][v], views[v], s->work, broken);
        }
    }
}

static bool same_signature(const struct signature *a, const struct signature *b)
{
    return memcmp(a->sig, b->sig, sizeof a->sig) == 0 && pubkey_compare_points(&a->key, &b->key) == 0 &&
           memcmp(a->key.id, b->key.id, sizeof a->key.id) == 0 && strcmp(a->ns, b->ns) == 0;
}

/* The envelope of this signature, a new one if need be; SCAN_NONE when there is no more room. */
static size_t envelope_of(struct search *s, const struct signature *sig)
{
    for (size_t i = 0; i < s->found; i++)
        if (same_signature(&s->out[i].sig, sig))
            return i;
    if (s->found == ENVELOPES_MAX)
        return SCAN_NONE;
    s->out[s->found] = (struct envelope){.sig = *sig, .work = s->work};
    return s->found++;
}

static void add_source(struct search *s, size_t e, struct slice whole, struct slice block)
{
    struct envelope *envelope = &s->out[e];
    if (whole.len > ENVELOPE_TEXT_MAX)
        whole = (struct slice){NULL, 0};
    if (!whole.len && !block.len)
        return;
    for (size_t i = 0; i < envelope->source_count; i++) {
        const struct source *known = &envelope->sources[i];
        if (same_text(s->work, known->block, block) &&
            (!whole.len || same_text(s->work, known->whole, whole)))
            return;
    }
    if (envelope->source_count == SOURCES_MAX)
        return;
    bool small = block.len <= VARIANT_SMALL && work_take(s->work, block.len);
    envelope->sources[envelope->source_count++] =
        (struct source){whole, block, small ? shape_shows(block) : 0};
}

/* The text in front of an inline signature: the nearest one, then the earlier ones that nobody signed (the
 * form of a quoted report may be in between). */
static void add_inline(struct search *s, size_t e, struct scan *scan, size_t nearest)
{
    for (size_t f = nearest + 1; f-- > 0 && work_take(s->work, LOOK);) {
        struct frame *frame = &scan->frames[f];
        if (f != nearest && frame->sealed)
            continue;
        frame->claimed = true;
        add_source(s, e, (struct slice){NULL, 0}, frame->block);
    }
}

enum wanted { UNSEALED, FRAMED, ANY };

static bool part_offers(const struct search *s, size_t part, enum wanted wanted)
{
    bool offers = wanted == ANY && s->parts[part].exact.len;
    for (size_t v = 0; v < VIEWS; v++) {
        const struct scan *scan = &s->scans[part][v];
        (void)work_take(s->work, LOOK + scan->frame_count);
        if (wanted == ANY && scan->mark_count)
            return false; /* a second signature is not a text */
        for (size_t f = 0; f < scan->frame_count; f++)
            offers = offers || wanted == FRAMED || (wanted == UNSEALED && !scan->frames[f].sealed);
    }
    return offers;
}

/* A part as a signed file, and the texts in it. A view without a text is not the file if another view has one
 * (HTML). */
static void add_part(struct search *s, size_t e, size_t part, enum wanted wanted)
{
    for (size_t v = 0; v < VIEWS; v++) {
        struct scan *scan = &s->scans[part][v];
        struct slice whole = scan->text;
        if (!work_take(s->work, LOOK))
            return;
        if (!scan->frame_count && wanted == ANY)
            add_source(s, e, whole, (struct slice){NULL, 0});
        for (size_t f = 0; f < scan->frame_count; f++) {
            if (wanted == UNSEALED && scan->frames[f].sealed)
                continue;
            scan->frames[f].claimed = true;
            add_source(s, e, whole, scan->frames[f].block);
            whole = (struct slice){NULL, 0};
        }
    }
}

/* "orders.txt.sig" extends "orders.txt". */
static bool extends(const char *longer, const char *name)
{
    size_t len = strlen(name);
    if (!len || strlen(longer) <= len || longer[len] != '.')
        return false;
    for (size_t i = 0; i < len; i++)
        if (tolower((unsigned char)longer[i]) != tolower((unsigned char)name[i]))
            return false;
    return true;
}

static bool add_named(struct search *s, size_t e, size_t part)
{
    size_t before = s->out[e].source_count;
    for (size_t i = 0; i < s->count && work_take(s->work, LOOK); i++)
        if (i != part && extends(s->parts[part].name, s->parts[i].name))
            add_part(s, e, i, part_offers(s, i, FRAMED) ? FRAMED : ANY);
    return s->out[e].source_count > before;
}

/* The text of a signature that is alone in a part: by name, else the nearest before it, else the nearest
 * after it. */
static void add_detached(struct search *s, size_t e, size_t part)
{
    static const enum wanted order[] = {UNSEALED, FRAMED, ANY};
    if (add_named(s, e, part))
        return;
    for (size_t w = 0; w < sizeof order / sizeof *order; w++) {
        size_t before = s->out[e].source_count;
        for (size_t i = part; i-- > 0;)
            if (part_offers(s, i, order[w]))
                add_part(s, e, i, order[w]);
        for (size_t i = part; i < s->count; i++)
            if (part_offers(s, i, order[w]))
                add_part(s, e, i, order[w]);
        if (s->out[e].source_count > before)
            return;
    }
}

static void collect(struct search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        for (size_t v = 0; v < VIEWS; v++) {
            struct scan *scan = &s->scans[i][v];
            for (size_t m = 0; m < scan->mark_count && work_take(s->work, LOOK); m++) {
                size_t e = envelope_of(s, &scan->marks[m].sig);
                if (e == SCAN_NONE)
                    continue;
                if (scan->marks[m].frame == SCAN_NONE)
                    add_detached(s, e, i);
                else
                    add_inline(s, e, scan, scan->marks[m].frame);
            }
        }
    }
}

static bool is_known(const struct envelope *envelope, const struct str *text)
{
    for (size_t i = 0; i < envelope->candidate_count; i++)
        if (same_text(envelope->work, slice_str(&envelope->candidates[i]), slice_str(text)))
            return true;
    return false;
}

static size_t most_guesses(const struct envelope *envelope)
{
    size_t most = 0;
    for (size_t i = 0; i < envelope->source_count; i++) {
        size_t count = variant_count(&envelope->sources[i]);
        most = count > most ? count : most;
    }
    return most;
}

/* The next candidate. One guess over all places before the next, so that the likely ones of every place come
 * before the far-fetched ones of the first. */
static bool add_candidate(struct envelope *envelope)
{
    if (!envelope->candidates)
        envelope->candidates = mem_array(CANDIDATES_MAX, sizeof *envelope->candidates);
    size_t guesses = most_guesses(envelope) * envelope->source_count;
    while (envelope->next < guesses && envelope->candidate_count < CANDIDATES_MAX) {
        size_t guess = envelope->next / envelope->source_count;
        const struct source *source = &envelope->sources[envelope->next % envelope->source_count];
        struct str text = STR_INIT;
        envelope->next++;
        if (variant_make(guess, source, envelope->work, &text) && text.len && !is_known(envelope, &text)) {
            envelope->candidates[envelope->candidate_count++] = text;
            return true;
        }
        str_release(&text);
    }
    return false;
}

struct slice envelope_candidate(struct envelope *envelope, size_t n)
{
    while (n >= envelope->candidate_count)
        if (!add_candidate(envelope))
            return (struct slice){NULL, 0};
    return slice_str(&envelope->candidates[n]);
}

/* Envelopes without any candidate are dropped. */
static void drop_empty(struct search *s, struct err *broken)
{
    size_t kept = 0;
    for (size_t e = 0; e < s->found; e++) {
        struct envelope envelope = s->out[e];
        if (add_candidate(&envelope)) {
            s->out[kept++] = envelope;
        } else {
            envelope_release(&envelope);
            reason_fail(broken, "signature_alone",
                        "there is a signature, but no text from #turnpost to #end that it could belong to");
        }
    }
    s->found = kept;
}

/* Texts are told apart by their canonical form. */
struct digests {
    unsigned char hash[DIGESTS_MAX][crypto_generichash_BYTES];
    size_t count;
};

static bool digest_add(struct digests *digests, struct slice block)
{
    unsigned char hash[crypto_generichash_BYTES];
    struct str canon = STR_INIT;
    canon_text(&canon, block);
    crypto_generichash(hash, sizeof hash, (const unsigned char *)canon.p, canon.len, NULL, 0);
    str_release(&canon);
    for (size_t i = 0; i < digests->count; i++)
        if (memcmp(digests->hash[i], hash, sizeof hash) == 0)
            return false;
    if (digests->count == DIGESTS_MAX)
        return false;
    memcpy(digests->hash[digests->count++], hash, sizeof hash);
    return true;
}

/* What the person saw: the raw bytes of an HTML part hold the same text with marks in it. */
static const struct scan *seen_scan(const struct search *s, size_t part)
{
    return &s->scans[part][s->scans[part][1].text.len ? 1 : 0];
}

static bool all_claimed(const struct search *s)
{
    for (size_t i = 0; i < s->count; i++)
        for (size_t f = 0; f < seen_scan(s, i)->frame_count; f++)
            if (!seen_scan(s, i)->frames[f].claimed)
                return false;
    return true;
}

static size_t count_unsigned(const struct search *s)
{
    struct digests digests = {.count = 0};
    size_t count = 0;
    if (all_claimed(s))
        return 0;
    for (size_t e = 0; e < s->found; e++)
        for (size_t i = 0; i < s->out[e].source_count; i++)
            if (work_take(s->work, s->out[e].sources[i].block.len))
                (void)digest_add(&digests, s->out[e].sources[i].block);
    for (size_t i = 0; i < s->count; i++) {
        const struct scan *scan = seen_scan(s, i);
        for (size_t f = 0; f < scan->frame_count; f++)
            if (!scan->frames[f].claimed && work_take(s->work, scan->frames[f].block.len))
                count += digest_add(&digests, scan->frames[f].block);
    }
    return count;
}

/* All or nothing: which texts an envelope has must not depend on how much else is in the mail. */
static int give_up(struct search *s, struct envelopes *found, struct err *err)
{
    for (size_t e = 0; e < s->found; e++)
        envelope_release(&s->out[e]);
    found->count = found->unsigned_frames = 0;
    return work_refuse(err);
}

int envelope_find(const struct evidence *parts, size_t count, struct work *work, struct envelopes *found,
                  struct err *err)
{
    struct err broken = ERR_INIT;
    struct search *s = mem_alloc(sizeof *s);
    s->parts = parts;
    s->count = count;
    s->work = work;
    s->out = found->list;
    scan_parts(s, &broken);
    collect(s);
    drop_empty(s, &broken);
    found->count = s->found;
    found->unsigned_frames = count_unsigned(s);
    int rc = found->count || broken.code == ERR_NONE ? 0 : -1;
    if (work_over(work))
        rc = give_up(s, found, err);
    else if (rc)
        rc = err_pass(err, &broken);
    for (size_t i = 0; i < count; i++)
        for (size_t v = 0; v < VIEWS; v++)
            scan_release(&s->scans[i][v]);
    free(s->scans);
    free(s);
    return rc;
}

void envelope_release(struct envelope *envelope)
{
    for (size_t i = 0; i < envelope->candidate_count; i++)
        str_release(&envelope->candidates[i]);
    free(envelope->candidates);
    envelope->candidates = NULL;
    envelope->candidate_count = 0;
}

/* signature_verify, charged to the work. */
static bool holds(struct envelope *envelope, const struct pubkey *key, const char *ns, struct slice text,
                  struct err *why)
{
    return work_take(envelope->work, WORK_CHECK + text.len) &&
           signature_verify(&envelope->sig, key, ns, text, why) == 0;
}

void envelope_foresee(struct envelope *envelope)
{
    const struct signature *sig = &envelope->sig;
    struct slice candidate;
    for (size_t i = 0; !signature_is_numbered(sig) && i < FORESEEN && !envelope->good; i++) {
        struct err ignored = ERR_INIT;
        candidate = envelope_candidate(envelope, i);
        if (candidate.len && holds(envelope, &sig->key, sig->ns, candidate, &ignored))
            envelope->good = i + 1;
    }
}

/* Is it already known which candidate this key signed? */
static bool foreseen(const struct envelope *envelope, const struct pubkey *key, const char *ns)
{
    return envelope->good && !signature_is_numbered(&envelope->sig) &&
           pubkey_names(&envelope->sig.key, key) && strcmp(ns, envelope->sig.ns) == 0;
}

int envelope_open(struct envelope *envelope, const struct pubkey *key, const char *ns,
                  const struct envelope_text *text, struct err *err)
{
    struct err why = ERR_INIT;
    struct slice candidate;
    bool known = foreseen(envelope, key, ns);
    if (work_over(envelope->work))
        return work_refuse(err);
    if (signature_fits(&envelope->sig, key, ns, err))
        return -1;
    for (size_t i = 0; (candidate = envelope_candidate(envelope, i)).len; i++) {
        err_clear(&why);
        if (known ? i + 1 != envelope->good : !holds(envelope, key, ns, candidate, &why))
            continue;
        if (utf8_valid(candidate)) {
            str_clear(text->exact);
            str_clear(text->canonical);
            str_addslice(text->exact, candidate);
            canon_text(text->canonical, candidate);
            return 0;
        }
        return reason_fail(
            err, "not_utf8",
            "the signature is good, but the text is not UTF-8; save it as UTF-8 and sign again");
    }
    if (work_over(envelope->work))
        return work_refuse(err);
    if (why.code == ERR_NONE)
        return reason_fail(err, "no_text", "there is no text that the signature could belong to");
    return err_pass(err, &why);
}
