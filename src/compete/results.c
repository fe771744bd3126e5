#include "compete/results.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/version.h"
#include "compete/conditions.h"
#include "game/members.h"

#define PROVISIONAL  1000
#define ANCHORS_MOST 64

static const char *const words[UNRATED_COUNT] = {
    [RATED] = "",
    [UNRATED_VOID] = "void",
    [UNRATED_UNANSWERED] = "unanswered",
    [UNRATED_SOLO] = "solo",
    [UNRATED_PEOPLE] = "people",
    [UNRATED_TRUST] = "trust",
    [UNRATED_COMPETITION] = "competition",
};

const char *unrated_word(enum unrated why)
{
    return words[why];
}

static int broken(const struct record *record, struct err *err, const char *why)
{
    return err_set(err, ERR_BROKEN, "record %lld (%s): %s", (long long)record->seq, record->type, why);
}

static const char *text_of(const json_t *json, const char *member)
{
    const json_t *value = json_object_get(json, member);
    const char *text = json_string_value(value);
    return text && strlen(text) == json_string_length(value) ? text : "";
}

static bool read_hex(const json_t *json, const char *member, void *out, size_t len)
{
    const char *text = text_of(json, member);
    return strlen(text) == 2 * len && strspn(text, "0123456789abcdef") == 2 * len &&
           hex_decode(out, len, slice_of(text));
}

static bool read_name(const json_t *json, const char *member, char *out, size_t size)
{
    const char *text = text_of(json, member);
    if (!name_valid(slice_of(text)) || strlen(text) >= size)
        return false;
    memcpy(out, text, strlen(text) + 1);
    return true;
}

/* Has it no member but those of the list, and those of every record where it is one? */
static int check_members(const json_t *json, const char *members, const struct record *record,
                         struct err *err)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)json, name, value)
        if (!word_listed(members, name) && !(json == record->json && members_common(record, name)))
            return version_newer(err, "record %lld (%s): its \"%.40s\"", (long long)record->seq, record->type,
                                 name);
    return 0;
}

/* Members that must be there. */
static int need_members(const struct record *record, const char *members, struct err *err)
{
    char missing[MEMBER_NAME];
    if (!members_missing(members, record, missing))
        return 0;
    return err_set(err, ERR_BROKEN, "record %lld (%s): its \"%s\" is missing", (long long)record->seq,
                   record->type, missing);
}

/* ---- create ---- */

void results_terms_release(struct results_terms *terms)
{
    free(terms->anchors);
    memset(terms, 0, sizeof *terms);
}

static int read_anchors(struct results_terms *terms, const struct record *record, struct err *err)
{
    const json_t *list = json_object_get(record->json, "anchors");
    struct rating rating;
    size_t i;
    json_t *one;
    if (!json_is_array(list) || json_array_size(list) > ANCHORS_MOST)
        return broken(record, err, "\"anchors\" is no list, or too long");
    terms->anchors = mem_array(json_array_size(list) + 1, sizeof *terms->anchors);
    json_array_foreach (list, i, one) {
        struct results_anchor *anchor = &terms->anchors[terms->anchor_count];
        if (check_members(one, "robot mu sigma", record, err) ||
            json_need_int(one, "mu", INT64_MIN, INT64_MAX, &anchor->mu, "anchors", err) ||
            json_need_int(one, "sigma", INT64_MIN, INT64_MAX, &anchor->sigma, "anchors", err))
            return -1;
        if (!read_name(one, "robot", anchor->robot, sizeof anchor->robot) ||
            !rating_read(&rating, anchor->mu, anchor->sigma))
            return broken(record, err, "an anchor has no such name or rating");
        if (i && strcmp(anchor[-1].robot, anchor->robot) >= 0)
            return broken(record, err, "its anchors are not in the order of their names");
        terms->anchor_count++;
    }
    return 0;
}

static int add_anchor(struct results_terms *terms, struct slice text, struct err *err)
{
    struct slice rest = text, name, mu, sigma, more;
    struct results_anchor anchor;
    struct rating rating;
    size_t at = terms->anchor_count;
    memset(&anchor, 0, sizeof anchor);
    if (!slice_word(&rest, &name) || !slice_word(&rest, &mu) || !slice_word(&rest, &sigma) ||
        slice_word(&rest, &more) || !name_valid(name) || name.len >= sizeof anchor.robot ||
        !rating_figure(mu, &anchor.mu) || !rating_figure(sigma, &anchor.sigma) ||
        !rating_read(&rating, anchor.mu, anchor.sigma))
        return err_set(err, ERR_CONFIG, "\"%.*s\" is no robot with a rating, such as robot1 25 1",
                       (int)(text.len < 60 ? text.len : 60), text.p);
    memcpy(anchor.robot, name.p, name.len);
    while (at && strcmp(terms->anchors[at - 1].robot, anchor.robot) > 0)
        at--;
    if ((at && strcmp(terms->anchors[at - 1].robot, anchor.robot) == 0) ||
        terms->anchor_count == ANCHORS_MOST)
        return err_set(err, ERR_CONFIG, "%s is there twice, or there are more than %d robots", anchor.robot,
                       ANCHORS_MOST);
    terms->anchors = mem_resize(terms->anchors, terms->anchor_count + 1, sizeof *terms->anchors);
    memmove(terms->anchors + at + 1, terms->anchors + at,
            (terms->anchor_count - at) * sizeof *terms->anchors);
    terms->anchors[at] = anchor;
    terms->anchor_count++;
    return 0;
}

int results_anchors(struct results_terms *terms, const char *text, struct err *err)
{
    struct slice rest = slice_of(text);
    while (rest.len) {
        size_t len = slice_find(rest, ",");
        len = len == (size_t)-1 ? rest.len : len;
        struct slice one = slice_trim(slice_sub(rest, 0, len));
        rest = slice_sub(rest, len + (len < rest.len), rest.len);
        if (one.len && add_anchor(terms, one, err))
            return -1;
    }
    return 0;
}

int results_terms_read(struct results_terms *terms, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    int64_t version, provisional;
    memset(terms, 0, sizeof *terms);
    if (record->seq != 1 || strcmp(record->type, "create") != 0)
        return broken(record, err, "results begin with `create`");
    if (check_members(json, "kind league_key rating trust anchors provisional", record, err) ||
        need_members(record, "kind league_key rating trust anchors provisional", err))
        return -1;
    const char *kind = text_of(json, "kind"), *trust = text_of(json, "trust");
    if (strcmp(kind, RESULTS_NAME) != 0)
        return version_newer(err, "results of the kind \"%.40s\"", kind);
    if (json_need_int(json, "rating", 1, INT64_MAX, &version, "create", err) ||
        json_need_int(json, "provisional", 0, PROVISIONAL, &provisional, "create", err))
        return -1;
    terms->by_mail = strcmp(trust, "mail") == 0;
    if (version > RATING_VERSION)
        return version_newer(err, "version %lld of ratings", (long long)version);
    if (!terms->by_mail && strcmp(trust, "signed") != 0)
        return version_newer(err, "\"trust\": \"%.40s\"", trust);
    if (!read_hex(json, "league_key", terms->league_key, 32))
        return broken(record, err, "it has no \"league_key\"");
    terms->provisional = (int)provisional;
    int rc = read_anchors(terms, record, err);
    if (rc)
        results_terms_release(terms);
    return rc;
}

json_t *results_create_json(const struct results_terms *terms)
{
    json_t *anchors = json_array();
    for (size_t i = 0; i < terms->anchor_count; i++)
        json_array_append_new(anchors, json_pack("{s:s,s:I,s:I}", "robot", terms->anchors[i].robot, "mu",
                                                 (json_int_t)terms->anchors[i].mu, "sigma",
                                                 (json_int_t)terms->anchors[i].sigma));
    return json_pack("{s:s,s:o,s:i,s:s,s:o,s:i}", "kind", RESULTS_NAME, "league_key",
                     json_hex(terms->league_key, 32), "rating", RATING_VERSION, "trust",
                     terms->by_mail ? "mail" : "signed", "anchors", anchors, "provisional",
                     terms->provisional);
}

/* ---- result ---- */

static json_t *seat_json(const struct results_seat *seat)
{
    json_t *json = json_pack("{s:i}", "rank", seat->rank);
    if (*seat->name)
        json_object_set_new(json, seat->robot ? "robot" : "name", json_string(seat->name));
    if (seat->left)
        json_object_set_new(json, "left", json_true());
    return json;
}

json_t *results_game_json(const struct results_game *game)
{
    char ended[CLOCK_TEXT];
    json_t *players = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        json_array_append_new(players, seat_json(&game->seat[seat]));
    clock_utc(ended, game->ended);
    json_t *json = json_pack("{s:s,s:o,s:I,s:o,s:s,s:s,s:i,s:o}", "of", game->of, "create",
                             json_hex(game->create, HEAD_BYTES), "end", (json_int_t)game->end, "head",
                             json_hex(game->head, HEAD_BYTES), "ended", ended, "ruleset", game->ruleset,
                             "version", game->version, "players", players);
    if (game->unrated)
        json_object_set_new(json, "unrated", json_string(unrated_word(game->unrated)));
    return json;
}

static int read_seat(struct results_seat *seat, const json_t *json, const struct record *record,
                     struct err *err)
{
    const json_t *left = json_object_get(json, "left");
    int64_t rank;
    if (check_members(json, "name robot rank left", record, err) ||
        json_need_int(json, "rank", 0, SEATS_MAX, &rank, "players", err))
        return -1;
    bool name = json_object_get(json, "name") != NULL;
    seat->robot = json_object_get(json, "robot") != NULL;
    seat->left = left != NULL;
    seat->rank = (int)rank;
    if ((name && seat->robot) || (left && !json_is_true(left)) ||
        ((name || seat->robot) && !read_name(json, name ? "name" : "robot", seat->name, sizeof seat->name)))
        return broken(record, err, "a seat is nobody's");
    return 0;
}

static int people_of(const struct results_game *game)
{
    int people = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        people += *game->seat[seat].name && !game->seat[seat].robot;
    return people;
}

/* Every seat's rank is 1 and the number of those that are better; who left ties for the last one. */
static bool ranks_good(const struct results_game *game)
{
    bool none = game->unrated == UNRATED_VOID || game->unrated == UNRATED_UNANSWERED;
    int stayed = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        stayed += !game->seat[seat].left;
    for (int seat = 1; seat <= game->seats; seat++) {
        const struct results_seat *one = &game->seat[seat];
        int better = 0;
        for (int other = 1; other <= game->seats; other++)
            better += game->seat[other].rank < one->rank;
        if (none ? one->rank != 0 : one->rank != better + 1 || !*one->name || (one->left && better != stayed))
            return false;
    }
    return true;
}

static bool names_differ(const struct results_game *game)
{
    for (int seat = 1; seat <= game->seats; seat++)
        for (int other = 1; other < seat; other++)
            if (*game->seat[seat].name && game->seat[seat].robot == game->seat[other].robot &&
                strcmp(game->seat[seat].name, game->seat[other].name) == 0)
                return false;
    return true;
}

/* What the record alone shows of why it is rated, or not. */
static bool unrated_good(const struct results_game *game)
{
    enum unrated why = game->unrated;
    if (why == UNRATED_VOID || why == UNRATED_UNANSWERED)
        return true;
    if (game->seats == 1 || why == UNRATED_SOLO)
        return game->seats == 1 && why == UNRATED_SOLO;
    return (people_of(game) < 2) == (why == UNRATED_PEOPLE);
}

static bool read_unrated(const json_t *json, enum unrated *why)
{
    *why = RATED;
    if (!json_object_get(json, "unrated"))
        return true;
    for (int i = RATED + 1; i < UNRATED_COUNT; i++)
        if (strcmp(words[i], text_of(json, "unrated")) == 0)
            *why = (enum unrated)i;
    return *why != RATED;
}

static int read_players(struct results_game *game, const struct record *record, struct err *err)
{
    const json_t *list = json_object_get(record->json, "players");
    size_t count = json_array_size(list);
    if (count < 1 || count > SEATS_MAX)
        return broken(record, err, "\"players\" is no list of a game's seats");
    game->seats = (int)count;
    for (size_t i = 0; i < count; i++)
        if (read_seat(&game->seat[i + 1], json_array_get(list, i), record, err))
            return -1;
    if (!names_differ(game) || !ranks_good(game))
        return broken(record, err, "its ranks cannot be, or somebody has two seats");
    return unrated_good(game) ? 0 : broken(record, err, "whether it is rated does not follow from its seats");
}

int results_game_read(struct results_game *game, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    int64_t version;
    memset(game, 0, sizeof *game);
    if (strcmp(record->type, "result") != 0)
        return broken(record, err, "a journal has one `create`, its first record");
    if (check_members(json, "of create end head ended ruleset version players unrated", record, err) ||
        need_members(record, "of create end head ended ruleset version players", err))
        return -1;
    if (!read_unrated(json, &game->unrated))
        return version_newer(err, "record %lld: its \"unrated\"", (long long)record->seq);
    if (json_need_int(json, "version", 1, INT32_MAX, &version, "result", err) ||
        json_need_int(json, "end", 2, INT64_MAX / 2, &game->end, "result", err))
        return -1;
    game->version = (int)version;
    if (!read_name(json, "of", game->of, sizeof game->of) ||
        !read_name(json, "ruleset", game->ruleset, sizeof game->ruleset) ||
        !read_hex(json, "create", game->create, HEAD_BYTES) ||
        !read_hex(json, "head", game->head, HEAD_BYTES) ||
        !clock_parse(slice_of(text_of(json, "ended")), &game->ended) || game->ended <= 0)
        return broken(record, err, "a member is not of its form");
    if (game->ended > record->time)
        return broken(record, err, "its game ended later");
    return read_players(game, record, err);
}

static const char *seats_differ(const struct results_game *a, const struct results_game *b)
{
    if (a->seats != b->seats)
        return "players";
    for (int seat = 1; seat <= a->seats; seat++) {
        const struct results_seat *x = &a->seat[seat], *y = &b->seat[seat];
        if (strcmp(x->name, y->name) != 0 || x->robot != y->robot || x->left != y->left || x->rank != y->rank)
            return "players";
    }
    return NULL;
}

const char *results_differ(const struct results_game *a, const struct results_game *b)
{
    if (strcmp(a->of, b->of) != 0)
        return "of";
    if (memcmp(a->create, b->create, HEAD_BYTES) != 0)
        return "create";
    if (a->end != b->end)
        return "end";
    if (memcmp(a->head, b->head, HEAD_BYTES) != 0)
        return "head";
    if (a->ended != b->ended)
        return "ended";
    if (strcmp(a->ruleset, b->ruleset) != 0)
        return "ruleset";
    if (a->version != b->version)
        return "version";
    const char *member = seats_differ(a, b);
    return member || a->unrated == b->unrated ? member : "unrated";
}

/* ---- the games that are there ---- */

static size_t slot_of(const struct results *results, const unsigned char create[HEAD_BYTES])
{
    static const unsigned char none[HEAD_BYTES];
    size_t at;
    memcpy(&at, create, sizeof at); /* heads are digests */
    for (at &= results->known_size - 1;; at = (at + 1) & (results->known_size - 1))
        if (memcmp(results->known[at], none, HEAD_BYTES) == 0 ||
            memcmp(results->known[at], create, HEAD_BYTES) == 0)
            return at;
}

bool results_has(const struct results *results, const unsigned char create[HEAD_BYTES])
{
    return results->known_size && memcmp(results->known[slot_of(results, create)], create, HEAD_BYTES) == 0;
}

static void know(struct results *results, const unsigned char create[HEAD_BYTES])
{
    static const unsigned char none[HEAD_BYTES];
    if (2 * (results->known_count + 1) > results->known_size) {
        unsigned char(*old)[HEAD_BYTES] = results->known;
        size_t size = results->known_size;
        results->known_size = size ? 2 * size : 64;
        results->known = mem_array(results->known_size, sizeof *results->known);
        for (size_t i = 0; i < size; i++)
            if (memcmp(old[i], none, HEAD_BYTES) != 0)
                memcpy(results->known[slot_of(results, old[i])], old[i], HEAD_BYTES);
        free(old);
    }
    memcpy(results->known[slot_of(results, create)], create, HEAD_BYTES);
    results->known_count++;
}

/* ---- the fold ---- */

void results_init(struct results *results)
{
    memset(results, 0, sizeof *results);
}

void results_release(struct results *results)
{
    for (size_t i = 0; i < results->ladder_count; i++) {
        ladder_release(&results->ladders[i]->ladder);
        free(results->ladders[i]);
    }
    free(results->ladders);
    free(results->known);
    results_terms_release(&results->terms);
    results_init(results);
}

const struct results_ladder *results_ladder(const struct results *results, const char *ruleset)
{
    for (size_t i = 0; i < results->ladder_count; i++)
        if (strcmp(results->ladders[i]->ruleset, ruleset) == 0)
            return results->ladders[i];
    return NULL;
}

static struct results_ladder *ladder_for(struct results *results, const char *ruleset)
{
    size_t at = 0;
    while (at < results->ladder_count && strcmp(results->ladders[at]->ruleset, ruleset) < 0)
        at++;
    if (at < results->ladder_count && strcmp(results->ladders[at]->ruleset, ruleset) == 0)
        return results->ladders[at];
    results->ladders =
        mem_grow(results->ladders, results->ladder_count, &results->ladder_cap, sizeof *results->ladders);
    memmove(results->ladders + at + 1, results->ladders + at,
            (results->ladder_count - at) * sizeof *results->ladders);
    results->ladder_count++;
    struct results_ladder *ladder = results->ladders[at] = mem_alloc(sizeof *ladder);
    memcpy(ladder->ruleset, ruleset, strlen(ruleset) + 1);
    return ladder;
}

/* A robot's fixed rating; false = it has none, and its seat is left out. */
static bool anchor_of(const struct results_terms *terms, const char *robot, struct rating *rating)
{
    for (size_t i = 0; i < terms->anchor_count; i++)
        if (strcmp(terms->anchors[i].robot, robot) == 0)
            return rating_read(rating, terms->anchors[i].mu, terms->anchors[i].sigma);
    return false;
}

static const struct ladder *rate(struct results *results, const struct results_game *game)
{
    struct ladder_seat seats[SEATS_MAX];
    struct rating anchors[SEATS_MAX];
    if (game->unrated)
        return NULL;
    for (int i = 0; i < game->seats; i++) {
        const struct results_seat *seat = &game->seat[i + 1];
        bool anchored = seat->robot && !seat->left && anchor_of(&results->terms, seat->name, &anchors[i]);
        seats[i] = (struct ladder_seat){.player = seat->robot ? NULL : seat->name,
                                        .anchor = anchored ? &anchors[i] : NULL,
                                        .rank = seat->rank};
    }
    struct results_ladder *ladder = ladder_for(results, game->ruleset);
    bool rated = ladder_add(&ladder->ladder, &(struct ladder_game){game->ended, seats, (size_t)game->seats});
    ladder->games += rated;
    return rated ? &ladder->ladder : NULL;
}

int results_apply(struct results *results, const struct record *record, struct results_game *game,
                  const struct ladder **ladder, struct err *err)
{
    *ladder = NULL;
    memset(game, 0, sizeof *game);
    if (record->time < results->time)
        return broken(record, err, "it is older than the record before it");
    if (results->seq == 0) {
        if (results_terms_read(&results->terms, record, err))
            return -1;
    } else {
        if (results_game_read(game, record, err))
            return -1;
        if (results_has(results, game->create))
            return broken(record, err, "its game has a result already");
        if (game->unrated == UNRATED_TRUST && results->terms.by_mail)
            return broken(record, err, "games in which a mail domain's word counted are rated here");
        know(results, game->create);
        *ladder = rate(results, game);
    }
    results->seq = record->seq;
    results->time = record->time;
    memcpy(results->head, record->head, HEAD_BYTES);
    return 0;
}

int results_line(struct results *results, struct slice line, const struct results_reading *how, bool *past,
                 struct err *err)
{
    struct results_game game;
    const struct ladder *ladder;
    struct record record;
    if (record_parse(line, &record, err))
        return -1;
    *past = how->until && record.time > how->until;
    int rc = 0;
    if (strcmp(record.type, "create") != 0 && strcmp(record.type, "result") != 0)
        rc =
            version_newer(err, "record %lld: its type \"%s\" in results", (long long)record.seq, record.type);
    else
        rc = record_follows(&record, &(struct record_place){RESULTS_NAME, results->seq + 1, results->head},
                            err);
    if (rc == 0 && !*past)
        rc = results_apply(results, &record, &game, &ladder, err);
    if (rc == 0 && !*past && record.seq > 1 && how->each)
        rc = how->each(how->arg, record.seq, &game, ladder, err);
    record_release(&record);
    return rc;
}

int results_read(struct results *results, struct slice journal, const struct results_reading *how,
                 struct err *err)
{
    struct slice rest = journal, line;
    bool past = false;
    int rc = 0;
    while (rc == 0 && !past && slice_whole_line(&rest, &line))
        rc = results_line(results, line, how, &past, err);
    if (rc == 0 && results->seq == 0 && !past)
        rc = err_set(err, ERR_BROKEN, "there is no record");
    return rc ? err_prefix(err, "results") : 0;
}
