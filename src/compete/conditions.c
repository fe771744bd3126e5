#include "compete/conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/version.h"
#include "compete/competition.h"
#include "rating/fixed.h"

void conditions_release(struct conditions *conditions)
{
    free(conditions->invited);
    memset(conditions, 0, sizeof *conditions);
}

bool conditions_rank(const struct conditions *conditions)
{
    return conditions->rated || conditions->games;
}

bool conditions_look(const struct conditions *conditions)
{
    return conditions_rank(conditions) || conditions->prompt || conditions->running;
}

void conditions_invite(struct conditions *conditions, const char *name)
{
    size_t count = conditions->invited_count, at = count;
    while (at && strcmp(conditions->invited[at - 1], name) > 0)
        at--;
    if (strlen(name) >= PLAYER_NAME || (at && strcmp(conditions->invited[at - 1], name) == 0))
        return;
    conditions->invited = mem_resize(conditions->invited, count + 1, sizeof *conditions->invited);
    memmove(conditions->invited + at + 1, conditions->invited + at,
            (count - at) * sizeof *conditions->invited);
    memcpy(conditions->invited[at], name, strlen(name) + 1);
    conditions->invited_count++;
}

/* ---- in `create` ---- */

static void add_number(json_t *json, const char *name, int64_t number)
{
    if (number)
        json_object_set_new(json, name, json_integer((json_int_t)number));
}

json_t *conditions_json(const struct conditions *conditions)
{
    json_t *json = json_object(), *invited = json_array();
    if (conditions->rated)
        json_object_set_new(json, "rating", json_integer((json_int_t)conditions->rating));
    add_number(json, "games", conditions->games);
    add_number(json, "prompt", conditions->prompt);
    add_number(json, "running", conditions->running);
    if (conditions->key)
        json_object_set_new(json, "key", json_true());
    for (size_t i = 0; i < conditions->invited_count; i++)
        json_array_append_new(invited, json_string(conditions->invited[i]));
    if (conditions->invited_count)
        json_object_set(json, "invited", invited);
    json_decref(invited);
    if (json_object_size(json))
        return json;
    json_decref(json);
    return NULL;
}

static int read_invited(struct conditions *conditions, const json_t *list)
{
    size_t i;
    json_t *item;
    if (list && (!json_array_size(list) || json_array_size(list) > COMPETE_PLAYERS))
        return -1;
    json_array_foreach (list, i, item) {
        const char *name = json_string_value(item);
        if (!name || strlen(name) != json_string_length(item) || !name_valid(slice_of(name)) ||
            strlen(name) >= PLAYER_NAME || (i && strcmp(conditions->invited[i - 1], name) >= 0))
            return -1;
        conditions_invite(conditions, name);
    }
    return 0;
}

static int read_number(const json_t *json, const char *name, int most, int *number, struct err *err)
{
    int64_t value = 0;
    if (json_object_get(json, name) && json_need_int(json, name, 1, most, &value, "conditions", err))
        return -1;
    *number = (int)value;
    return 0;
}

int conditions_read(struct conditions *conditions, const json_t *json, const struct record *record,
                    struct err *err)
{
    const char *name;
    json_t *value;
    if (!json)
        return 0;
    json_object_foreach ((json_t *)(uintptr_t)json, name, value)
        if (!word_listed("rating games prompt running key invited", name))
            return version_newer(err, "record %lld (%s): the condition \"%.40s\"", (long long)record->seq,
                                 record->type, name);
    conditions->rated = json_object_get(json, "rating") != NULL;
    conditions->key = json_object_get(json, "key") != NULL;
    if ((conditions->rated && json_need_int(json, "rating", -CONDITION_RATING, CONDITION_RATING,
                                            &conditions->rating, "conditions", err)) ||
        read_number(json, "games", CONDITION_GAMES, &conditions->games, err) ||
        read_number(json, "prompt", 100, &conditions->prompt, err) ||
        read_number(json, "running", CONDITION_RUNNING, &conditions->running, err))
        return -1;
    if (!json_object_size(json) || (conditions->key && !json_is_true(json_object_get(json, "key"))) ||
        read_invited(conditions, json_object_get(json, "invited")))
        return err_set(err, ERR_BROKEN, "record %lld (%s): its conditions cannot be read",
                       (long long)record->seq, record->type);
    return 0;
}

/* ---- in `enter` ---- */

json_t *found_json(const struct entry_found *found, const struct conditions *conditions)
{
    if (!conditions_look(conditions))
        return NULL;
    json_t *json = json_object();
    if (conditions->rated && found->rated)
        json_object_set_new(json, "rating", json_integer((json_int_t)found->rating));
    if (conditions->games)
        json_object_set_new(json, "games", json_integer((json_int_t)found->games));
    if (conditions_rank(conditions))
        json_object_set_new(
            json, "results",
            json_pack("{s:I,s:o}", "seq", (json_int_t)found->seq, "head", json_hex(found->head, HEAD_BYTES)));
    if (conditions->prompt) {
        json_object_set_new(json, "turns", json_integer((json_int_t)found->turns));
        json_object_set_new(json, "missed", json_integer((json_int_t)found->missed));
    }
    if (conditions->running)
        json_object_set_new(json, "running", json_integer((json_int_t)found->running));
    return json;
}

static bool read_count(const json_t *json, const char *name, bool wanted, int64_t *count)
{
    const json_t *value = json_object_get(json, name);
    *count = json_integer_value(value);
    return wanted ? json_is_integer(value) && *count >= 0 && *count <= INT32_MAX : !value;
}

static bool read_results(struct entry_found *found, const json_t *json, bool wanted)
{
    const json_t *results = json_object_get(json, "results");
    const char *head = json_string_value(json_object_get(results, "head"));
    if (!wanted)
        return !results;
    return json_object_size(results) == 2 && read_count(results, "seq", true, &found->seq) && head &&
           strspn(head, "0123456789abcdef") == 2 * sizeof found->head &&
           hex_decode(found->head, sizeof found->head, slice_of(head));
}

bool found_read(struct entry_found *found, const json_t *json, const struct conditions *conditions)
{
    const json_t *rating = json_object_get(json, "rating");
    const char *name;
    json_t *value;
    memset(found, 0, sizeof *found);
    if (!conditions_look(conditions))
        return !json;
    json_object_foreach ((json_t *)(uintptr_t)json, name, value)
        if (!word_listed("rating games results turns missed running", name))
            return false;
    found->rated = rating != NULL;
    found->rating = json_integer_value(rating);
    return (rating ? conditions->rated && json_is_integer(rating) : true) &&
           read_count(json, "games", conditions->games > 0, &found->games) &&
           read_results(found, json, conditions_rank(conditions)) &&
           read_count(json, "turns", conditions->prompt > 0, &found->turns) &&
           read_count(json, "missed", conditions->prompt > 0, &found->missed) &&
           found->missed <= found->turns &&
           read_count(json, "running", conditions->running > 0, &found->running);
}

/* ---- who meets them ---- */

static int by_name(const void *key, const void *name)
{
    return strcmp(key, name);
}

static bool is_invited(const struct conditions *conditions, const char *player)
{
    return !conditions->invited_count || bsearch(player, conditions->invited, conditions->invited_count,
                                                 sizeof *conditions->invited, by_name);
}

enum condition conditions_met(const struct conditions *conditions, const char *player, bool keyed,
                              const struct entry_found *found)
{
    if (!is_invited(conditions, player))
        return CONDITION_INVITED;
    if (conditions->key && !keyed)
        return CONDITION_KEY;
    if (conditions->rated && !found->rated)
        return CONDITION_UNRATED;
    if (conditions->rated && found->rating < conditions->rating)
        return CONDITION_LOW;
    if (found->games < conditions->games)
        return CONDITION_FEW;
    if ((found->turns - found->missed) * 100 < conditions->prompt * found->turns)
        return CONDITION_LATE;
    return conditions->running && found->running > conditions->running ? CONDITION_BUSY : CONDITION_MET;
}

void rating_text(char out[RATING_TEXT], int64_t micro)
{
    int64_t hundredths = fixed_floor(micro + 5000, 10000), whole = hundredths < 0 ? -hundredths : hundredths;
    (void)snprintf(out, RATING_TEXT, "%s%lld.%02lld", hundredths < 0 ? "-" : "", (long long)(whole / 100),
                   (long long)(whole % 100));
}

static bool read_digits(struct slice *rest, int64_t *value, size_t *count)
{
    *value = 0;
    for (*count = 0; rest->len && rest->p[0] >= '0' && rest->p[0] <= '9'; ++*count) {
        *value = *value * 10 + (rest->p[0] - '0');
        *rest = slice_sub(*rest, 1, rest->len);
        if (*count == 6)
            return false;
    }
    return *count > 0;
}

bool rating_figure(struct slice text, int64_t *micro)
{
    bool minus = text.len && text.p[0] == '-';
    struct slice rest = slice_sub(text, minus, text.len);
    int64_t whole, part = 0;
    size_t count = 0;
    if (!read_digits(&rest, &whole, &count))
        return false;
    if (rest.len && rest.p[0] == '.') {
        rest = slice_sub(rest, 1, rest.len);
        if (!read_digits(&rest, &part, &count))
            return false;
        for (; count < 6; count++)
            part *= 10;
    }
    *micro = (minus ? -1 : 1) * (whole * 1000000 + part);
    return rest.len == 0;
}
