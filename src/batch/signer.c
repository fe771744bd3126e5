#include "batch/signer.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trust/canon.h"

/* The registered keys that the signature may be from, in the order in which they are tried. */
struct order {
    const struct keyring_entry *key[SIGNER_KEYS];
    size_t count;
    size_t likely; /* the first of these belong to somebody whom the mail names */
};

static void add(struct order *order, const struct keyring_entry *entry)
{
    for (size_t i = 0; i < order->count; i++)
        if (order->key[i] == entry)
            return;
    if (order->count < SIGNER_KEYS)
        order->key[order->count++] = entry;
}

static void add_player(struct order *order, const struct keyring_entry *const *entries, size_t count,
                       struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slice_caseeq(name, entries[i]->player))
            add(order, entries[i]);
}

/* Players that the text names. */
static void add_named(struct order *order, const struct keyring_entry *const *entries, size_t count,
                      struct envelope *envelope)
{
    static const char *const fields[] = {"player:", "name:"};
    struct str text = STR_INIT;
    struct slice line;
    canon_text(&text, envelope_candidate(envelope, 0));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct slice rest = slice_str(&text);
        bool found = false;
        while (!found && slice_line(&rest, &line)) {
            found = slice_casestarts(line, fields[i]);
            if (found)
                add_player(order, entries, count, slice_trim(slice_sub(line, strlen(fields[i]), line.len)));
        }
    }
    str_release(&text);
}

/* One key of each player, then another one. Entries of one player are adjacent. */
static void add_others(struct order *order, const struct keyring_entry *const *entries, size_t count,
                       const struct signature *sig, bool fits)
{
    for (size_t depth = 0; depth < KEYS_PER_PLAYER; depth++) {
        size_t of_player = 0;
        for (size_t i = 0; i < count; i++) {
            bool same = i && strcmp(entries[i]->player, entries[i - 1]->player) == 0;
            of_player = same ? of_player : 0;
            if ((entries[i]->key.kind == signature_kind(sig)) == fits && of_player++ == depth)
                add(order, entries[i]);
        }
    }
}

static void make_order(struct order *order, const struct keyring_entry *const *entries, size_t count,
                       struct envelope *envelope, const char *sender)
{
    if (sender)
        add_player(order, entries, count, slice_of(sender));
    if (count > 1)
        add_named(order, entries, count, envelope);
    if (count == 1) /* the only one is the likeliest */
        add(order, entries[0]);
    order->likely = order->count;
    add_others(order, entries, count, &envelope->sig, true);
    add_others(order, entries, count, &envelope->sig, false);
}

static bool opens(struct envelope *envelope, const struct keyring_entry *entry, struct signer *signer)
{
    struct err why = ERR_INIT;
    if (envelope_open(envelope, &entry->key, NS_ORDERS,
                      &(struct envelope_text){&signer->exact, &signer->text}, &why) == 0) {
        (void)snprintf(signer->player, sizeof signer->player, "%s", entry->player);
        signer->key = entry->key;
        return true;
    }
    if (signer->why.code == ERR_NONE)
        signer->why = why;
    return false;
}

/* Candidate by candidate, so that the likely texts are tried with all keys before the far-fetched ones. */
static bool open_others(struct envelope *envelope, const struct order *order, struct signer *signer)
{
    struct err why = ERR_INIT;
    struct slice text;
    for (size_t i = 0; (text = envelope_candidate(envelope, i)).len; i++)
        for (size_t k = order->likely; k < order->count; k++) {
            if (!work_take(envelope->work, text.len + WORK_CHECK)) {
                (void)work_refuse(&signer->why);
                return false;
            }
            if (signature_verify(&envelope->sig, &order->key[k]->key, NS_ORDERS, text, &why) == 0)
                return opens(envelope, order->key[k], signer);
            if (signer->why.code == ERR_NONE)
                signer->why = why;
            err_clear(&why);
        }
    return false;
}

/* `count` keys share the number that the signature names. */
static bool find_numbered(const struct keyring_entry *const *entries, size_t count, struct envelope *envelope,
                          struct signer *signer)
{
    struct order order = {.count = 0};
    make_order(&order, entries, count, envelope, signer->sender);
    for (size_t i = 0; i < order.likely; i++)
        if (opens(envelope, order.key[i], signer))
            return true;
    return open_others(envelope, &order, signer);
}

enum signer_fate signer_find(const struct keyring *ring, struct envelope *envelope, struct signer *signer)
{
    bool numbered = signature_is_numbered(&envelope->sig);
    const struct keyring_entry *only;
    bool good = false;
    err_clear(&signer->why);
    if (keyring_lookup(ring, &envelope->sig, &only, 1) == 0)
        return SIGNER_UNKNOWN;
    if (!numbered) {
        good = opens(envelope, only, signer);
    } else {
        const struct keyring_entry **entries = mem_array(ring->count, sizeof(struct keyring_entry *));
        size_t count = keyring_lookup(ring, &envelope->sig, entries, ring->count);
        good = find_numbered(entries, count, envelope, signer);
        free(entries);
    }
    if (!good && signer->why.code == ERR_NONE)
        (void)err_set(&signer->why, ERR_INPUT,
                      "too many signatures of minisign or signify stand in this mail; send this text alone");
    return good ? SIGNER_GOOD : SIGNER_BAD;
}
