#include "compete/played.h"

#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "compete/placing.h"

/* Who has a seat. */
struct tenant {
    char name[PLAYER_NAME];
    bool robot;
};
struct reading {
    struct played *played;
    struct tenant now[SEATS_MAX + 1], dealt[SEATS_MAX + 1];
    bool begun;
    int64_t seq;
    unsigned char head[HEAD_BYTES];
    unsigned char key[32]; /* of the league */
};

static int broken(const struct record *record, struct err *err, const char *why)
{
    return err_set(err, ERR_BROKEN, "record %lld (%s): %s", (long long)record->seq, record->type, why);
}

static const char *text_of(const json_t *json, const char *member)
{
    const char *text = json_string_value(json_object_get(json, member));
    return text ? text : "";
}

static int read_create(struct reading *reading, const struct record *record, struct err *err)
{
    struct results_game *game = &reading->played->game;
    const char *ruleset = text_of(record->json, "ruleset");
    const char *competition = text_of(json_object_get(record->json, "compete"), "name");
    unsigned char key[32];
    int64_t version, seats;
    if (!hex_decode(key, sizeof key, slice_of(text_of(record->json, "league_key"))) ||
        memcmp(key, reading->key, sizeof key) != 0)
        return broken(record, err, "it names another league's key");
    if (json_need_int(record->json, "version", 1, INT32_MAX, &version, "create", err) ||
        json_need_int(record->json, "seats", 1, SEATS_MAX, &seats, "create", err))
        return -1;
    if (!name_valid(slice_of(ruleset)) || strlen(ruleset) >= sizeof game->ruleset ||
        strlen(competition) >= sizeof reading->played->competition)
        return broken(record, err, "its \"ruleset\" or \"compete\" cannot be read");
    memcpy(game->of, record->game, strlen(record->game) + 1);
    memcpy(game->create, record->head, HEAD_BYTES);
    memcpy(game->ruleset, ruleset, strlen(ruleset) + 1);
    memcpy(reading->played->competition, competition, strlen(competition) + 1);
    game->version = (int)version;
    game->seats = (int)seats;
    return 0;
}

/* The records that say who has a seat from now on: `seat`, and what moderators do to one. */
static int sits(struct reading *reading, const struct record *record, struct err *err)
{
    const char *robot = text_of(record->json, "robot"), *player = text_of(record->json, "player");
    const char *name = *robot ? robot : player;
    bool free_again = json_is_true(json_object_get(record->json, "free"));
    int64_t seat;
    if (!*name && !free_again)
        return 0; /* a ban of somebody who only waited, or another thing that a moderator did */
    if (!json_object_get(record->json, "seat"))
        return 0;
    if (json_need_int(record->json, "seat", 1, reading->played->game.seats, &seat, record->type, err))
        return -1;
    if (strlen(name) >= PLAYER_NAME)
        return broken(record, err, "it names nobody");
    struct tenant *tenant = &reading->now[seat];
    *tenant = (struct tenant){.robot = !free_again && *robot};
    if (!free_again)
        memcpy(tenant->name, name, strlen(name) + 1);
    return 0;
}

/* The deal: who was only waiting for a seat has got one, and from now on it is theirs. */
static int deal(struct reading *reading, const struct record *record, struct err *err)
{
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(record->json, "drawn"), i, one) {
        const char *player = text_of(one, "player");
        int64_t seat;
        if (json_need_int(one, "seat", 1, reading->played->game.seats, &seat, "drawn", err))
            return -1;
        if (strlen(player) >= PLAYER_NAME)
            return broken(record, err, "it names nobody");
        reading->now[seat] = (struct tenant){.robot = false};
        memcpy(reading->now[seat].name, player, strlen(player) + 1);
    }
    reading->begun = true;
    memcpy(reading->dealt, reading->now, sizeof reading->dealt);
    return 0;
}

static bool same(const struct tenant *a, const struct tenant *b)
{
    return a->robot == b->robot && strcmp(a->name, b->name) == 0;
}

static int read_end(struct reading *reading, const struct record *record, struct err *err)
{
    struct results_game *game = &reading->played->game;
    struct placing placing;
    uint32_t left = 0;
    bool ranked = reading->begun && strcmp(text_of(record->json, "reason"), "void") != 0;
    const struct tenant *owners = reading->begun ? reading->dealt : reading->now;
    for (int seat = 1; seat <= game->seats && ranked; seat++)
        if (!same(&reading->dealt[seat], &reading->now[seat]))
            left |= SEAT_BIT(seat);
    if (placing_read(&placing, record, game->seats, left, err))
        return -1;
    for (int seat = 1; seat <= game->seats; seat++) {
        struct results_seat *one = &game->seat[seat];
        *one = (struct results_seat){.robot = owners[seat].robot,
                                     .left = (left & SEAT_BIT(seat)) != 0,
                                     .rank = ranked ? placing.rank[seat] : 0};
        memcpy(one->name, owners[seat].name, sizeof one->name);
    }
    if (!ranked)
        game->unrated =
            strcmp(text_of(record->json, "reason"), "void") == 0 ? UNRATED_VOID : UNRATED_UNANSWERED;
    game->end = record->seq;
    game->ended = record->time;
    memcpy(game->head, record->head, HEAD_BYTES);
    return 0;
}

static int take(struct reading *reading, const struct record *record, struct err *err)
{
    const char *type = record->type;
    if (record->seq == 1)
        return strcmp(type, "create") == 0 ? read_create(reading, record, err)
                                           : broken(record, err, "a game begins with `create`");
    if (json_object_get(record->json, "vouched") &&
        (strcmp(type, "orders") == 0 || strcmp(type, "seat") == 0 ||
         strcmp(text_of(record->json, "kind"), "wait") == 0))
        reading->played->vouched = true;
    if (strcmp(type, "seat") == 0 || strcmp(type, "moderate") == 0)
        return sits(reading, record, err);
    if (strcmp(type, "start") == 0)
        return deal(reading, record, err);
    return strcmp(type, "end") == 0 ? read_end(reading, record, err) : 0;
}

static int read_line(struct reading *reading, const char *name, struct slice line, struct err *err)
{
    struct record record;
    if (record_parse(line, &record, err))
        return -1;
    int rc = record_follows(&record, &(struct record_place){name, reading->seq + 1, reading->head}, err);
    if (rc == 0)
        rc = take(reading, &record, err);
    reading->seq = record.seq;
    memcpy(reading->head, record.head, HEAD_BYTES);
    record_release(&record);
    return rc;
}

int played_read(struct played *played, const char *name, struct slice journal, const unsigned char key[32],
                struct err *err)
{
    struct reading reading = {.played = played};
    struct slice rest = journal, line;
    int rc = 0;
    memset(played, 0, sizeof *played);
    memcpy(reading.key, key, sizeof reading.key);
    while (rc == 0 && !played->game.end && slice_whole_line(&rest, &line))
        rc = read_line(&reading, name, line, err);
    if (rc == 0 && !played->game.end)
        rc = err_set(err, ERR_MISSING, "it has no `end`");
    return rc ? err_prefix(err, "game %s", name) : 0;
}

void played_rate(struct played *played, const struct results_terms *terms, bool competition_rated)
{
    struct results_game *game = &played->game;
    int people = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        people += *game->seat[seat].name && !game->seat[seat].robot;
    if (game->unrated == UNRATED_VOID || game->unrated == UNRATED_UNANSWERED)
        return;
    game->unrated = RATED;
    if (game->seats == 1)
        game->unrated = UNRATED_SOLO;
    else if (people < 2)
        game->unrated = UNRATED_PEOPLE;
    else if (played->vouched && !terms->by_mail)
        game->unrated = UNRATED_TRUST;
    else if (*played->competition && !competition_rated)
        game->unrated = UNRATED_COMPETITION;
}
