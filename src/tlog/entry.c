#include "tlog/entry.h"

#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "tlog/strict.h"

/* The fields after the word of a kind, a letter each. */
#define FIELD_NAME    'n'
#define FIELD_SEQ     's'
#define FIELD_TIME    't'
#define FIELD_HEAD    'h'
#define FIELD_TURN    'T'
#define FIELD_PLACE   'P' /* turn and seat, or neither */
#define FIELD_MARK    'M'
#define FIELD_MAIL    'm' /* may be missing; the last one */
#define FIELD_ALPHA   'A'
#define FIELD_DIGEST  'd'
#define FIELD_VERSION 'v'
#define FIELD_LOG     'k'
#define FIELD_SIZE    'z'
#define FIELD_ROOT    'r'

static const struct {
    const char *word, *fields;
} kinds[] = {
    [ENTRY_HEAD] = {"head", "nsth"},      [ENTRY_RECEIPT] = {"receipt", "nsthPMm"},
    [ENTRY_KEPT] = {"kept", "nsthPMm"},   [ENTRY_CLOSE] = {"close", "nsthTA"},
    [ENTRY_START] = {"start", "nsthT"},   [ENTRY_TURN] = {"turn", "nsthT"},
    [ENTRY_END] = {"end", "nsthT"},       [ENTRY_LOST] = {"lost", "nst"},
    [ENTRY_PROGRAM] = {"program", "tvd"}, [ENTRY_LOG] = {"log", "tkzr"},
};
#define KINDS       (sizeof kinds / sizeof *kinds)
#define NUMBER_MOST 999999999
#define SEAT_MOST   999

const char *entry_word(enum entry_kind kind)
{
    return kinds[kind].word;
}

/* ---- writing ---- */

static void add_digest(struct str *out, const char *word, const unsigned char digest[ENTRY_DIGEST])
{
    str_adds(out, word);
    hex_encode(out, digest, ENTRY_DIGEST);
}

static void add_turn(struct str *out, const struct turn_number *turn)
{
    str_adds(out, " turn ");
    turn_number_add(out, turn);
}

static void add_field(struct str *out, char field, const struct log_entry *entry)
{
    char time[CLOCK_TEXT];
    switch (field) {
    case FIELD_NAME: str_addf(out, " %s", entry->name); break;
    case FIELD_SEQ: str_addf(out, " %lld", (long long)entry->seq); break;
    case FIELD_TIME:
        clock_utc(time, entry->time);
        str_addf(out, " %s", time);
        break;
    case FIELD_HEAD: add_digest(out, " ", entry->head); break;
    case FIELD_TURN: add_turn(out, &entry->turn); break;
    case FIELD_PLACE:
        if (entry->seat) {
            add_turn(out, &entry->turn);
            str_addf(out, " seat %d", entry->seat);
        }
        break;
    case FIELD_MARK: add_digest(out, " mark ", entry->mark); break;
    case FIELD_MAIL:
        if (entry->has_mail)
            add_digest(out, " mail ", entry->mail);
        break;
    case FIELD_ALPHA: add_digest(out, " alpha ", entry->alpha); break;
    case FIELD_DIGEST: add_digest(out, " ", entry->digest); break;
    case FIELD_VERSION: str_addf(out, " %s", entry->version); break;
    case FIELD_LOG:
        str_addc(out, ' ');
        vkey_write(out, &entry->log);
        break;
    case FIELD_SIZE: str_addf(out, " %lld", (long long)entry->size); break;
    default: /* FIELD_ROOT */ str_addc(out, ' '); base64_encode(out, entry->root.b, TREE_HASH);
    }
}

void log_entry_write(struct str *out, const struct log_entry *entry)
{
    str_adds(out, kinds[entry->kind].word);
    for (const char *field = kinds[entry->kind].fields; *field; field++)
        add_field(out, *field, entry);
}

void turn_number_add(struct str *out, const struct turn_number *turn)
{
    str_addf(out, "%d.%d", turn->turn, turn->rollbacks);
}

/* ---- reading ---- */

static bool read_int(struct slice text, int least, int most, int *out)
{
    int64_t number;
    if (!strict_number(text, least, most, &number))
        return false;
    *out = (int)number;
    return true;
}

bool turn_number_read(struct slice text, struct turn_number *turn)
{
    struct slice number;
    return strict_before(&text, '.', &number) && read_int(number, 0, NUMBER_MOST, &turn->turn) &&
           read_int(text, 0, NUMBER_MOST, &turn->rollbacks);
}

/* The word, and what stands after it. */
static bool named(struct slice *rest, const char *word, struct slice *value)
{
    return strict_field(rest, value) && slice_eq(*value, word) && strict_field(rest, value);
}

static bool read_digest(struct slice text, unsigned char out[ENTRY_DIGEST])
{
    return hex_decode(out, ENTRY_DIGEST, text);
}

static bool read_version(struct slice text, char out[ENTRY_VERSION])
{
    if (!text.len || text.len >= ENTRY_VERSION)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.p[i] <= ' ' || text.p[i] > '~')
            return false;
    memcpy(out, text.p, text.len);
    return true;
}

static bool read_turn(struct slice *rest, struct turn_number *turn)
{
    struct slice value;
    return named(rest, "turn", &value) && turn_number_read(value, turn);
}

/* False: the field is not what it should be, or not there. */
static bool read_field(struct slice *rest, char field, struct log_entry *entry)
{
    struct slice value;
    struct err ignored = ERR_INIT;
    switch (field) {
    case FIELD_TURN: return read_turn(rest, &entry->turn);
    case FIELD_PLACE:
        return !slice_starts(*rest, "turn ") ||
               (read_turn(rest, &entry->turn) && named(rest, "seat", &value) &&
                read_int(value, 1, SEAT_MOST, &entry->seat));
    case FIELD_MARK: return named(rest, "mark", &value) && read_digest(value, entry->mark);
    case FIELD_MAIL:
        entry->has_mail = rest->p != NULL;
        return !entry->has_mail || (named(rest, "mail", &value) && read_digest(value, entry->mail));
    case FIELD_ALPHA: return named(rest, "alpha", &value) && read_digest(value, entry->alpha);
    default: break;
    }
    if (!strict_field(rest, &value))
        return false;
    switch (field) {
    case FIELD_NAME:
        if (!name_valid(value))
            return false;
        memcpy(entry->name, value.p, value.len);
        return true;
    case FIELD_SEQ: return strict_number(value, 1, STRICT_MOST, &entry->seq);
    case FIELD_TIME: return clock_parse(value, &entry->time) && entry->time >= 0;
    case FIELD_HEAD: return read_digest(value, entry->head);
    case FIELD_DIGEST: return read_digest(value, entry->digest);
    case FIELD_VERSION: return read_version(value, entry->version);
    case FIELD_LOG: return vkey_parse(value, &entry->log, &ignored) == 0 && entry->log.type == VKEY_SIGNER;
    case FIELD_SIZE: return strict_number(value, 0, STRICT_MOST, &entry->size);
    default: return tree_hash_read(&entry->root, value); /* FIELD_ROOT */
    }
}

static const char *field_name(char field)
{
    static const struct {
        char field;
        const char *name;
    } names[] = {{FIELD_NAME, "NAME"},     {FIELD_SEQ, "SEQ"},         {FIELD_TIME, "TIME"},
                 {FIELD_HEAD, "HEAD"},     {FIELD_TURN, "turn"},       {FIELD_PLACE, "turn and seat"},
                 {FIELD_MARK, "mark"},     {FIELD_MAIL, "mail"},       {FIELD_ALPHA, "alpha"},
                 {FIELD_DIGEST, "DIGEST"}, {FIELD_VERSION, "VERSION"}, {FIELD_LOG, "VKEY"},
                 {FIELD_SIZE, "SIZE"},     {FIELD_ROOT, "ROOT"}};
    size_t i = 0;
    while (names[i].field != field)
        i++;
    return names[i].name;
}

int log_entry_parse(struct slice line, struct log_entry *entry, struct err *err)
{
    struct slice word;
    size_t kind = 0;
    memset(entry, 0, sizeof *entry);
    if (line.len > ENTRY_MOST)
        return err_set(err, ERR_INPUT, "an entry of a log has at most %d bytes", ENTRY_MOST);
    if (!strict_field(&line, &word))
        return err_set(err, ERR_INPUT, "an entry of a log is missing");
    while (kind < KINDS && !slice_eq(word, kinds[kind].word))
        kind++;
    if (kind == KINDS)
        return err_set(err, ERR_INPUT, "this is no entry of a log: none begins with this word");
    entry->kind = (enum entry_kind)kind;
    for (const char *field = kinds[kind].fields; *field; field++)
        if (!read_field(&line, *field, entry))
            return err_set(err, ERR_INPUT,
                           "an entry \"%s\" of a log has no %s where it should be, or a wrong one",
                           kinds[kind].word, field_name(*field));
    if (line.p)
        return err_set(err, ERR_INPUT, "an entry \"%s\" of a log has more than it should", kinds[kind].word);
    return 0;
}
