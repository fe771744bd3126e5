/* What each kind of record does to a competition, and what it must be like. */
#include "compete/apply.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/version.h"
#include "compete/draw.h"
#include "compete/step.h"
#include "game/members.h"
#include "game/seat_keys.h"

#define ENTRY "player:s mark:h mail:h text:h by:s signed:o? said:s? vouched:o?"

static const struct compete_record kinds[] = {
    {"create",
     "kind:s ruleset:s version:i options:o seats:i league_key:h vrf_key:h nonce:h pairing:i zone:s "
     "entries_until:t confirm_until:t? rounds:l protest:i bye:i most:i? adjudge:s rated:T? "
     "trust:s? "
     "director:s? clock:o divisions:l? promote:i? division_size:i? walkover:i? field:i? outside:l? "
     "previous:s? "
     "previous_head:h? next:i? request:h? conditions:o? witnesses:W? quorum:i? log:s? unwitnessed:i?",
     compete_apply_create, false},
    {"enter", ENTRY " found:o?", compete_apply_entry, false},
    {"confirm", ENTRY, compete_apply_entry, false},
    {"withdraw", "player:s mark:h mail:h? text:h? by:s? signed:o? said:s? vouched:o? request:h?",
     compete_apply_entry, true},
    {COMPETE_FIXED, "round:i", compete_apply_fixed, false},
    {"witness", "round:i witness:s pi:p proof:s", compete_apply_witness, true},
    {"late", "round:i", compete_apply_late, true},
    {"round", "round:i attempt:i pi:p tables:i byes:l digest:h opens:t? outside:l?", compete_apply_round,
     true},
    {"made", "round:i games:l", compete_apply_made, false},
    {"result", "round:i table:i create:h end:i? head:h? ranks:l points:l left:l? adjudged:T? void:T?",
     compete_apply_result, false},
    {"field", "round:i scores:l", compete_apply_field, false},
    {"adjust", "do:s reason:s by:s player:s? halves:i? round:i? table:i? ranks:l? request:h?",
     compete_apply_adjust, true},
    {"close", "players:i table:h best:l", compete_apply_close, false},
};

const struct compete_record *compete_records(size_t *count)
{
    *count = sizeof kinds / sizeof *kinds;
    return kinds;
}

int compete_broken(const struct record *record, struct err *err, const char *why)
{
    return err_set(err, ERR_BROKEN, "record %lld (%s): %s", (long long)record->seq, record->type, why);
}

const char *compete_text(const struct record *record, const char *member)
{
    const char *text = json_string_value(json_object_get(record->json, member));
    return text ? text : "";
}

bool compete_hex(const struct record *record, const char *member, void *out, size_t len)
{
    return hex_decode(out, len, slice_of(compete_text(record, member)));
}

bool compete_time(const struct record *record, const char *member, int64_t *time)
{
    return clock_parse(slice_of(compete_text(record, member)), time) && *time > 0;
}

/* ---- members ---- */

static int check_members(const struct compete_record *kind, const struct record *record, struct err *err)
{
    const char *name;
    char missing[MEMBER_NAME];
    json_t *value;
    json_object_foreach (record->json, name, value) {
        char letter = members_kind(kind->members, name);
        if (!letter && !members_common(record, name))
            return version_newer(err, "record %lld (%s): its \"%.40s\"", (long long)record->seq, record->type,
                                 name);
        if (letter && !members_fit(value, letter)) {
            (void)compete_broken(record, err, "a member is not of its form");
            return err_prefix(err, "\"%s\"", name);
        }
    }
    if (members_missing(kind->members, record, missing))
        return err_set(err, ERR_BROKEN, "record %lld (%s): its \"%s\" is missing", (long long)record->seq,
                       record->type, missing);
    return 0;
}

/* A text counts once, and for one player: what was signed has the same mark under any name. */
static bool is_copy(const struct competition *c, const struct record *record, const char *member)
{
    unsigned char digest[32];
    return compete_hex(record, member, digest, sizeof digest) && competition_seen(c, digest);
}

static void see(struct competition *c, const struct record *record, const char *member)
{
    unsigned char digest[32];
    if (!compete_hex(record, member, digest, sizeof digest))
        return;
    c->seen.list = mem_grow(c->seen.list, c->seen.count, &c->seen.cap, sizeof *c->seen.list);
    memcpy(c->seen.list[c->seen.count++], digest, sizeof digest);
}

int compete_apply(struct competition *c, const struct record *record, struct err *err)
{
    const struct compete_record *kind = NULL;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !kind; i++)
        kind = strcmp(kinds[i].type, record->type) == 0 ? &kinds[i] : NULL;
    if (!kind)
        return version_newer(err, "record %lld: its type \"%s\" in a competition", (long long)record->seq,
                             record->type);
    if ((record->seq == 1) != (kind == &kinds[0]))
        return compete_broken(record, err, "a competition begins with `create`, and has no other");
    if (c->closed)
        return compete_broken(record, err, "nothing comes after `close`");
    if (record->time < c->time)
        return compete_broken(record, err, "it is older than the record before it");
    if (c->fixed.seq && !kind->while_fixed)
        return compete_broken(record, err, "it comes between a round's players and its draw");
    if (check_members(kind, record, err))
        return -1;
    const bool is_signed = json_object_get(record->json, "signed");
    if (is_copy(c, record, "mail") || is_copy(c, record, "text") || (is_signed && is_copy(c, record, "mark")))
        return compete_broken(record, err, "the same text was accepted before");
    if (kind->apply(c, record, err))
        return -1;
    see(c, record, "mail");
    see(c, record, "text");
    if (is_signed)
        see(c, record, "mark");
    c->seq = record->seq;
    c->time = record->time;
    memcpy(c->head, record->head, HEAD_BYTES);
    if (c->entries && record->seq > c->entries->after)
        competition_entry(c->entries->out, c, record);
    return 0;
}

/* ---- enter, confirm, withdraw ---- */

int compete_mark(unsigned char mark[SEAL_BYTES], const struct competition *c, const json_t *evidence)
{
    const json_t *text = json_object_get(evidence, "signed");
    memset(mark, 0, SEAL_BYTES);
    return !text || seal_mark(mark, c->keys.nonce, 0, text) ? 0 : -1;
}

/* The mark of a mail's word cannot be seen, as the mail is private; of a signed text it can. */
static bool mark_fits(const struct competition *c, const struct record *record,
                      unsigned char mark[SEAL_BYTES])
{
    unsigned char own[SEAL_BYTES];
    if (!compete_hex(record, "mark", mark, SEAL_BYTES) || compete_mark(own, c, record->json))
        return false;
    return json_object_get(record->json, "vouched") != NULL || memcmp(own, mark, SEAL_BYTES) == 0;
}

static struct entrant *add_entrant(struct competition *c, const char *name)
{
    size_t at = 0, high = c->entrant_count;
    while (at < high) {
        size_t middle = (at + high) / 2;
        if (strcmp(c->entrants[middle].name, name) < 0)
            at = middle + 1;
        else
            high = middle;
    }
    c->entrants = mem_grow(c->entrants, c->entrant_count, &c->entrant_cap, sizeof *c->entrants);
    memmove(c->entrants + at + 1, c->entrants + at, (c->entrant_count - at) * sizeof *c->entrants);
    c->entrant_count++;
    memset(&c->entrants[at], 0, sizeof c->entrants[at]);
    memcpy(c->entrants[at].name, name, strlen(name) + 1);
    return &c->entrants[at];
}

/* How many are in; no more than that may be. */
static size_t count_in(const struct competition *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->entrant_count; i++)
        count += c->entrants[i].in;
    return count;
}

/* Is it another key than those of the text by which they are in, or the word of a mail domain in place of a key? */
static bool other_key(const struct entrant *entrant, const json_t *text)
{
    struct pubkey had[KEYS_PER_PLAYER], has[KEYS_PER_PLAYER];
    size_t before = 0, count = 0;
    struct err ignored = ERR_INIT;
    return seat_keys(json_object_get(entrant->entry, "signed"), had, &before, &ignored) == 0 &&
           seat_keys(json_object_get(text, "signed"), has, &count, &ignored) == 0 &&
           (count ? !keys_hold(had, before, &has[0]) : before > 0);
}

/* A table of theirs has no game yet, whose seat names the text that they are drawn by. */
static bool is_being_seated(const struct competition *c, const char *player)
{
    const struct compete_table *table = c->round ? competition_table_of(c, c->round, player) : NULL;
    return table && !table->made;
}

const char *compete_entry_wrong(const struct competition *c, const char *type, const char *player,
                                const json_t *text, int64_t now)
{
    const struct entrant *entrant = competition_entrant(c, player);
    bool enters = strcmp(type, "enter") == 0;
    if (c->closed)
        return "closed";
    if (entrant && entrant->removed)
        return "removed";
    if (!enters && (!entrant || !entrant->in))
        return "not_in";
    if (strcmp(type, "withdraw") == 0)
        return NULL;
    if (c->fixed.seq)
        return "too_late";
    if (is_being_seated(c, player))
        return "is_drawn";
    if (enters && entrant && entrant->in)
        return "is_in";
    if (enters && compete_entries_end(c) <= now)
        return "too_late";
    if (enters && count_in(c) >= (size_t)(c->terms.most ? c->terms.most : COMPETE_PLAYERS))
        return "full";
    if (enters)
        return NULL;
    if (c->terms.confirm_until && !entrant->confirmed)
        return now >= c->terms.confirm_until ? "too_late" : NULL;
    if (!other_key(entrant, text))
        return c->terms.confirm_until ? "is_confirmed" : "no_confirm";
    const int64_t fixed = competition_fixed_at(c);
    return fixed && now >= fixed ? "too_late" : NULL;
}

int64_t compete_entries_end(const struct competition *c)
{
    if (c->kind == COMPETE_DIVISIONS || c->round == 0)
        return c->round == 0 ? c->terms.entries_until : 0;
    return competition_fixed_at(c);
}

void compete_leave(const struct competition *c, struct entrant *entrant, const struct record *record)
{
    int64_t fixed = competition_fixed_at(c);
    if (fixed && record->time >= fixed && entrant_plays(c, entrant))
        entrant->late = c->round + 1;
    entrant->in = entrant->confirmed = false;
    entrant->seq = record->seq;
}

/* What was found of them meets the conditions, and follows from results that are no older than those of the entry before. */
static int check_found(struct competition *c, const struct record *record, struct err *err)
{
    struct entry_found found;
    bool keyed = !json_object_get(record->json, "vouched");
    if (strcmp(record->type, "withdraw") != 0 && c->conditions.key && !keyed)
        return compete_broken(record, err, "no key has signed it");
    if (strcmp(record->type, "enter") != 0)
        return 0;
    if (!found_read(&found, json_object_get(record->json, "found"), &c->conditions))
        return compete_broken(record, err, "what was found of the player is not what the conditions ask for");
    if (conditions_met(&c->conditions, compete_text(record, "player"), keyed, &found) != CONDITION_MET)
        return compete_broken(record, err, "this player does not meet the conditions");
    if (found.seq < c->conditions.results)
        return compete_broken(record, err, "it names older results than an entry before it");
    c->conditions.results = found.seq;
    return 0;
}

json_t *compete_entry_text(const json_t *record)
{
    static const char *const members[] = {"by", "mail", "text", "signed", "said"};
    json_t *entry = json_object(), *vouched = json_copy(json_object_get(record, "vouched"));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (json_object_get(record, members[i]))
            json_object_set(entry, members[i], json_object_get(record, members[i]));
    (void)json_object_del(vouched, "box");
    if (vouched)
        json_object_set_new(entry, "vouched", vouched);
    return entry;
}

/* Who enters once rounds are played has nothing to confirm. */
static void come(const struct competition *c, struct entrant *entrant, const struct record *record,
                 const unsigned char mark[SEAL_BYTES])
{
    entrant->in = true;
    entrant->entered += strcmp(record->type, "enter") == 0;
    entrant->confirmed = strcmp(record->type, "confirm") == 0 || (c->terms.confirm_until && c->round > 0);
    entrant->seq = record->seq;
    memcpy(entrant->mark, mark, SEAL_BYTES);
    json_decref(entrant->entry);
    entrant->entry = compete_entry_text(record->json);
}

/* Nobody else puts a player into a competition. */
static bool is_asked(const struct record *record)
{
    const json_t *json = record->json;
    const bool said = json_object_get(json, "said");
    return strcmp(compete_text(record, "by"), compete_text(record, "player")) == 0 &&
           said == (json_object_get(json, "vouched") != NULL) &&
           said != (json_object_get(json, "signed") != NULL);
}

int compete_apply_entry(struct competition *c, const struct record *record, struct err *err)
{
    const char *player = compete_text(record, "player");
    unsigned char mark[SEAL_BYTES];
    struct pubkey keys[KEYS_PER_PLAYER]; /* of their seats */
    size_t count;
    struct err why = ERR_INIT;
    if (!name_valid(slice_of(player)) || strlen(player) >= PLAYER_NAME)
        return compete_broken(record, err, "\"player\" is no name");
    if (strcmp(record->type, "withdraw") != 0 && !is_asked(record))
        return compete_broken(record, err, "it has no text of its player");
    if (!mark_fits(c, record, mark))
        return compete_broken(record, err, "its mark is not that of its text");
    if (seat_keys(json_object_get(record->json, "signed"), keys, &count, &why))
        return compete_broken(record, err, why.text);
    if (compete_entry_wrong(c, record->type, player, record->json, record->time))
        return compete_broken(record, err, "this player cannot do that here and now");
    if (check_found(c, record, err))
        return -1;
    struct entrant *entrant = competition_entrant(c, player);
    if (!entrant)
        entrant = add_entrant(c, player);
    if (strcmp(record->type, "withdraw") == 0)
        compete_leave(c, entrant, record);
    else
        come(c, entrant, record, mark);
    return 0;
}

/* ---- the whole journal ---- */

static int read_one(struct competition *c, struct slice line, struct err *err)
{
    struct record record;
    if (record_parse(line, &record, err))
        return -1;
    int rc = record_follows(&record, &(struct record_place){c->name, c->seq + 1, c->head}, err);
    if (rc == 0)
        rc = compete_apply(c, &record, err);
    record_release(&record);
    return rc;
}

int competition_read_on(struct competition *c, const char *name, struct slice journal, size_t proved,
                        struct err *err)
{
    struct slice rest = journal, line;
    int rc = 0;
    if (!compete_name_valid(slice_of(name)))
        return err_set(err, ERR_BROKEN, "\"%s\" cannot name a competition", name);
    memcpy(c->name, name, strlen(name) + 1);
    while (rc == 0 && slice_whole_line(&rest, &line)) {
        c->believed = (size_t)(rest.p - journal.p) <= proved;
        c->ahead = rest;
        rc = read_one(c, line, err);
    }
    c->believed = false;
    c->ahead = (struct slice){NULL, 0};
    if (rc == 0 && c->seq == 0)
        rc = err_set(err, ERR_BROKEN, "there is no record");
    return rc ? err_prefix(err, "competition %s", name) : 0;
}

int competition_read(struct competition *c, const char *name, struct slice journal, struct err *err)
{
    return competition_read_on(c, name, journal, 0, err);
}

int competition_entries(struct str *out, const char *name, struct slice journal, int64_t after,
                        struct err *err)
{
    const struct compete_entries entries = {out, after};
    struct competition *c = mem_alloc(sizeof *c);
    competition_init(c);
    c->entries = &entries;
    int rc = competition_read(c, name, journal, err);
    competition_release(c);
    free(c);
    return rc;
}
