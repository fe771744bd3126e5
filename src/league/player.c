#include "league/player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/date.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/reason.h"
#include "base/version.h"
#include "league/address.h"

int player_name_check(const char *name, struct err *err)
{
    static const char *const reserved[] = {"league",   "all",        "everyone", "robot", "moderator",
                                           "operator", "moderators", "nobody",   "me",    "any"};
    if (!name_valid(slice_of(name)))
        return err_set(
            err, ERR_INPUT,
            "\"%.40s\" is no player's name: use small letters, digits, '.', '_' and '-', at most 32, the "
            "first a letter or digit",
            name);
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(name, reserved[i]) == 0)
            return err_set(err, ERR_INPUT, "\"%s\" is a word of the program; choose another name", name);
    return 0;
}

static char *player_path(const char *league_dir, const char *name)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/players/%s.json", league_dir, name);
    return str_detach(&path);
}

/* Copies a string member that fits. */
static int take_text(const json_t *json, const char *key, char *out, size_t size, const char *path,
                     struct err *err)
{
    const char *text = NULL;
    if (json_need_string(json, key, &text, path, err) != 0)
        return -1;
    if (strlen(text) >= size)
        return err_set(err, ERR_BROKEN, "%s: \"%s\" is too long", path, key);
    memcpy(out, text, strlen(text) + 1);
    return 0;
}

static int take_bool(const json_t *json, const char *key, bool *out, const char *path, struct err *err)
{
    const json_t *value = json_object_get(json, key);
    if (!value)
        return 0;
    if (!json_is_boolean(value))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be true or false", path, key);
    *out = json_is_true(value);
    return 0;
}

static int take_number(const json_t *json, const char *key, int most, int *out, const char *path,
                       struct err *err)
{
    int64_t number;
    if (!json_object_get(json, key))
        return 0;
    if (json_need_int(json, key, 0, most, &number, path, err) != 0)
        return -1;
    *out = (int)number;
    return 0;
}

/* An address, or "" when there is none. */
static int take_second(const json_t *json, struct player *player, const char *path, struct err *err)
{
    if (!json_object_get(json, "address2"))
        return 0;
    if (take_text(json, "address2", player->address2, sizeof player->address2, path, err) != 0)
        return -1;
    if (*player->address2 && address_check(player->address2, err) != 0) {
        err->code = ERR_BROKEN;
        return err_prefix(err, "%s", path);
    }
    return 0;
}

/* ["2026-12-20 2027-01-03", ...] */
static int take_vacations(const json_t *json, struct player *player, const char *path, struct err *err)
{
    const json_t *list = json_object_get(json, "vacations");
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        struct vacation *vacation = &player->vacations[i];
        struct slice rest = slice_of(json_is_string(item) ? json_string_value(item) : "");
        struct slice from, to;
        if (i >= PLAYER_VACATIONS || !slice_word(&rest, &from) || !slice_word(&rest, &to) || rest.len ||
            !date_parse(from, &vacation->from) || !date_parse(to, &vacation->to) ||
            vacation->to < vacation->from)
            return err_set(err, ERR_BROKEN,
                           "%s: \"vacations\" must be at most %d texts like \"2026-12-20 2027-01-03\"", path,
                           PLAYER_VACATIONS);
        player->vacation_count++;
    }
    return 0;
}

static int take_rekey(const json_t *json, struct player_rekey *rekey, const char *path, struct err *err)
{
    const char *key, *time, *asked;
    bool found = false;
    if (!json)
        return 0;
    if (json_need_string(json, "key", &key, path, err) != 0 ||
        json_need_string(json, "time", &time, path, err) != 0 ||
        json_need_string(json, "asked", &asked, path, err) != 0 ||
        take_text(json, "by", rekey->by, sizeof rekey->by, path, err) != 0)
        return -1;
    struct slice rest = slice_of(key);
    if (!clock_parse(slice_of(time), &rekey->time) || !clock_parse(slice_of(asked), &rekey->asked) ||
        pubkey_next(&rest, &rekey->key, &found, err) || !found)
        return err_set(err, ERR_BROKEN, "%s: \"rekey\" holds no key or no time", path);
    return 0;
}

/* A time, 0 when there is none. */
static int take_time(const json_t *json, const char *key, int64_t *out, const char *path, struct err *err)
{
    char text[CLOCK_TEXT + 8];
    if (!json_object_get(json, key))
        return 0;
    if (take_text(json, key, text, sizeof text, path, err) != 0)
        return -1;
    return clock_parse(slice_of(text), out)
               ? 0
               : err_set(err, ERR_BROKEN, "%s: \"%s\" must be a time like 2026-11-20T08:00:00Z", path, key);
}

static int take_move(const json_t *json, struct player_move *move, const char *path, struct err *err)
{
    if (!json)
        return 0;
    move->second = json_is_true(json_object_get(json, "second"));
    move->agreed = json_is_true(json_object_get(json, "agreed"));
    if (take_text(json, "address", move->address, sizeof move->address, path, err) ||
        take_text(json, "by", move->by, sizeof move->by, path, err) ||
        take_time(json, "time", &move->time, path, err) || take_time(json, "asked", &move->asked, path, err))
        return -1;
    return !*move->address || address_check(move->address, err) == 0 ? 0 : err_prefix(err, "%s", path);
}

void player_init(struct player *player)
{
    *player = (struct player){.html = true, .digest_hour = PLAYER_MORNING, .reminder_hours = -1};
}

void player_void_asked(struct player *player)
{
    player->move = (struct player_move){.time = 0};
    player->leaves = player->leave_asked = 0;
    if (strcmp(player->rekey.by, player->name) == 0)
        player->rekey = (struct player_rekey){.time = 0};
}

static bool is_second(const struct player *player, const char *address)
{
    return *player->address2 && strcasecmp(player->address2, address) == 0;
}

bool player_has_address(const struct player *player, const char *address)
{
    return strcasecmp(player->address, address) == 0 || is_second(player, address);
}

const char *player_second(const struct player *player, enum player_hears what)
{
    const bool told = what == HEARS_ACCOUNT || (what == HEARS_DONE && player->by_mail);
    return told ? player->address2 : "";
}

const char *player_answer_address(const struct player *player, const char *from)
{
    return is_second(player, from) ? player->address2 : player->address;
}

/* Members that are there only when the player wants them. */
static int take_wishes(const json_t *json, const char *path, struct player *player, struct err *err)
{
    if (json_object_get(json, "display") &&
        take_text(json, "display", player->display, sizeof player->display, path, err) != 0)
        return -1;
    if (json_object_get(json, "mutes") &&
        take_text(json, "mutes", player->mutes, sizeof player->mutes, path, err) != 0)
        return -1;
    return take_time(json, "standby", &player->standby, path, err) ||
                   take_time(json, "banned", &player->banned, path, err) ||
                   take_time(json, "leaves", &player->leaves, path, err) ||
                   take_time(json, "leave_asked", &player->leave_asked, path, err) ||
                   take_move(json_object_get(json, "move"), &player->move, path, err)
               ? -1
               : 0;
}

static json_t *vacations_json(const struct player *player)
{
    json_t *list = json_array();
    for (int i = 0; i < player->vacation_count; i++) {
        char text[2 * DATE_TEXT];
        date_text(text, player->vacations[i].from);
        text[DATE_TEXT - 1] = ' ';
        date_text(text + DATE_TEXT, player->vacations[i].to);
        json_array_append_new(list, json_string(text));
    }
    return list;
}

/* An unknown member may mean that mail must not go there, and would be lost when the file is written. */
static int known_members(const json_t *json, const char *path, struct err *err)
{
    static const char members[] =
        " name address html json optional digest since digest_hour reminder_hours address2 zone "
        "invites invite_month rekey standby banned mutes vacations each_move trust public "
        "pictures display move leaves leave_asked ";
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)json, name, value)
        if (!word_listed(members, name))
            return version_newer(err, "%s: \"%.40s\"", path, name);
    return 0;
}

/* "mail" or nothing: another word may mean that their mails count for less. */
static int take_trust(const json_t *json, struct player *player, const char *path, struct err *err)
{
    const json_t *trust = json_object_get(json, "trust");
    const char *word = json_string_value(trust);
    player->by_mail = word && strcmp(word, "mail") == 0;
    if (!trust || player->by_mail)
        return 0;
    return version_newer(err, "%s: \"trust\": \"%.40s\"", path, word ? word : "");
}

/* What everybody wants who does not say no. */
static int take_refusals(const json_t *json, struct player *player, const char *path, struct err *err)
{
    bool optional = !player->quiet, pictures = !player->no_pictures;
    int rc =
        take_bool(json, "optional", &optional, path, err) || take_bool(json, "pictures", &pictures, path, err)
            ? -1
            : 0;
    player->quiet = !optional;
    player->no_pictures = !pictures;
    return rc;
}

static int take_player(const json_t *json, const char *name, const char *path, struct player *player,
                       struct err *err)
{
    char since[CLOCK_TEXT + 8];
    player_init(player);
    if (known_members(json, path, err) ||
        take_text(json, "name", player->name, sizeof player->name, path, err) != 0 ||
        take_text(json, "address", player->address, sizeof player->address, path, err) != 0 ||
        take_text(json, "since", since, sizeof since, path, err) != 0 ||
        take_bool(json, "html", &player->html, path, err) != 0 ||
        take_bool(json, "json", &player->json, path, err) != 0 ||
        take_refusals(json, player, path, err) != 0 || take_trust(json, player, path, err) != 0 ||
        take_bool(json, "digest", &player->digest, path, err) != 0 ||
        take_bool(json, "each_move", &player->each_move, path, err) != 0 ||
        take_bool(json, "public", &player->is_public, path, err) != 0 ||
        take_number(json, "digest_hour", 23, &player->digest_hour, path, err) != 0 ||
        take_number(json, "reminder_hours", PLAYER_REMINDER, &player->reminder_hours, path, err) != 0 ||
        take_number(json, "invites", INT32_MAX, &player->invites, path, err) != 0 ||
        take_number(json, "invite_month", INT32_MAX, &player->invite_month, path, err) != 0 ||
        take_second(json, player, path, err) != 0 ||
        (json_object_get(json, "zone") &&
         take_text(json, "zone", player->zone, sizeof player->zone, path, err) != 0) ||
        take_rekey(json_object_get(json, "rekey"), &player->rekey, path, err) != 0)
        return -1;
    if (take_vacations(json, player, path, err) != 0 || take_wishes(json, path, player, err) != 0)
        return -1;
    if (strcmp(player->name, name) != 0)
        return err_set(err, ERR_BROKEN, "%s: the name inside is \"%s\"", path, player->name);
    if (address_check(player->address, err) != 0) {
        err->code = ERR_BROKEN;
        return err_prefix(err, "%s", path);
    }
    if (!clock_parse(slice_of(since), &player->since))
        return err_set(err, ERR_BROKEN, "%s: \"since\" must be a time like 2026-11-20T08:00:00Z", path);
    return 0;
}

int player_load(const char *league_dir, const char *name, struct player *player, struct err *err)
{
    if (!name_valid(slice_of(name)))
        return err_set(err, ERR_MISSING, "there is no player \"%.40s\"", name);
    char *path = player_path(league_dir, name);
    json_t *json = NULL;
    int rc = -1;
    if (!file_exists(path)) {
        err_set(err, ERR_MISSING, "there is no player \"%s\"", name);
        goto out;
    }
    json = json_read_file(path, err);
    if (json)
        rc = take_player(json, name, path, player, err);
out:
    json_decref(json);
    free(path);
    return rc;
}

int player_read(struct slice text, const char *name, const char *what, struct player *player, struct err *err)
{
    json_t *json = json_read(text, what, err);
    int rc = json ? take_player(json, name, what, player, err) : -1;
    json_decref(json);
    return rc;
}

static json_t *rekey_document(const struct player_rekey *rekey)
{
    char time[CLOCK_TEXT], asked[CLOCK_TEXT];
    struct str key = STR_INIT;
    clock_utc(time, rekey->time);
    clock_utc(asked, rekey->asked);
    pubkey_format(&key, &rekey->key);
    json_t *json =
        json_pack("{s:s, s:s, s:s, s:s}", "key", key.p, "time", time, "asked", asked, "by", rekey->by);
    str_release(&key);
    return json;
}

static json_t *move_document(const struct player_move *move)
{
    char time[CLOCK_TEXT], asked[CLOCK_TEXT];
    clock_utc(time, move->time);
    clock_utc(asked, move->asked);
    return json_pack("{s:s,s:b,s:b,s:s,s:s,s:s}", "address", move->address, "second", move->second, "agreed",
                     move->agreed, "time", time, "asked", asked, "by", move->by);
}

json_t *player_document(const struct player *player, struct err *err)
{
    char since[CLOCK_TEXT];
    clock_utc(since, player->since);
    json_t *json =
        json_pack("{s:s, s:s, s:b, s:b, s:b, s:s}", "name", player->name, "address", player->address, "html",
                  player->html, "json", player->json, "digest", player->digest, "since", since);
    if (!json) {
        err_set(err, ERR_INPUT, "the address of %s is not UTF-8 text", player->name);
        return NULL;
    }
    if (*player->display)
        json_object_set_new(json, "display", json_string(player->display));
    if (player->by_mail)
        json_object_set_new(json, "trust", json_string("mail"));
    if (player->each_move)
        json_object_set_new(json, "each_move", json_true());
    if (player->is_public)
        json_object_set_new(json, "public", json_true());
    if (player->quiet)
        json_object_set_new(json, "optional", json_false());
    if (player->no_pictures)
        json_object_set_new(json, "pictures", json_false());
    if (player->digest_hour != PLAYER_MORNING)
        json_object_set_new(json, "digest_hour", json_integer(player->digest_hour));
    if (player->reminder_hours >= 0)
        json_object_set_new(json, "reminder_hours", json_integer(player->reminder_hours));
    if (*player->address2)
        json_object_set_new(json, "address2", json_string(player->address2));
    if (*player->zone)
        json_object_set_new(json, "zone", json_string(player->zone));
    if (player->invites) {
        json_object_set_new(json, "invites", json_integer(player->invites));
        json_object_set_new(json, "invite_month", json_integer(player->invite_month));
    }
    if (player->rekey.time)
        json_object_set_new(json, "rekey", rekey_document(&player->rekey));
    if (player->move.time)
        json_object_set_new(json, "move", move_document(&player->move));
    clock_utc(since, player->leaves);
    if (player->leaves)
        json_object_set_new(json, "leaves", json_string(since));
    clock_utc(since, player->leave_asked);
    if (player->leaves)
        json_object_set_new(json, "leave_asked", json_string(since));
    clock_utc(since, player->standby);
    if (player->standby)
        json_object_set_new(json, "standby", json_string(since));
    clock_utc(since, player->banned);
    if (player->banned)
        json_object_set_new(json, "banned", json_string(since));
    if (*player->mutes)
        json_object_set_new(json, "mutes", json_string(player->mutes));
    if (player->vacation_count)
        json_object_set_new(json, "vacations", vacations_json(player));
    return json;
}

int player_save(const char *league_dir, const struct player *player, struct err *err)
{
    struct str text = STR_INIT;
    if (player_name_check(player->name, err) != 0)
        return -1;
    json_t *json = player_document(player, err);
    if (!json)
        return -1;
    json_write_pretty(&text, json);
    if (text.len == 0 || text.p[text.len - 1] != '\n')
        str_addc(&text, '\n');
    char *path = player_path(league_dir, player->name);
    int rc = file_write(path, slice_str(&text), 0600, err);
    free(path);
    str_release(&text);
    json_decref(json);
    return rc;
}
