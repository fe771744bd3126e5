/* The office: the operator, who asks by the queue for what a command would do (commands/queue.h), and moderators. */
#include "sim/sim.h"

#include <stdlib.h>
#include <time.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/commands.h"
#include "commands/deed.h"
#include "commands/queue_parts.h"

const struct command commands[] = {
    {NULL, NULL, NULL, NULL}}; /* main.c has the program's; nobody types any here */

/* Is that person a player, by the league's folder? */
static bool is_player(const struct person *person)
{
    char name[60];
    (void)snprintf(name, sizeof name, "players/%s.json", person->name);
    char *path = path_join(world.dir, name);
    bool is = file_exists(path);
    free(path);
    return is;
}

/* Puts a command into the queue, as `turnpost COMMAND ...` beside a daemon does. The words end with NULL. */
static void ask(const char *game, const char *text, const char *const *words)
{
    unsigned char id[32];
    char hex[65], head[2 * HEAD_BYTES + 1] = "", name[150];
    struct err err = ERR_INIT;
    struct str json = STR_INIT;
    json_t *args = json_array(), *request;
    for (; words[0] && json_array_size(args) < 30; words++)
        json_array_append_new(args, json_string(*words));
    if (game) {
        struct store *store = NULL;
        char *games = path_join(world.dir, "games");
        store = store_open(games);
        MUST_DO(deed_head(store, game, head, &err), err);
        store_close(store);
        free(games);
    }
    randombytes_buf(id, sizeof id);
    hex_to(hex, id, sizeof id);
    request = json_pack("{s:i,s:s,s:O,s:O,s:s,s:I,s:I}", "v", 1, "id", hex, "command",
                        json_array_get(args, 0), "args", args, "head", head, "made",
                        (json_int_t)(now() + world.wrong), "since", (json_int_t)queue_since());
    if (text)
        json_object_set_new(request, "text", json_string(text));
    json_write(&json, request);
    (void)snprintf(name, sizeof name, QUEUE_FOLDER "/%016llx-%s.request", (unsigned long long)world.ms, hex);
    char *path = path_join(world.dir, name), *folder = path_join(world.dir, QUEUE_FOLDER);
    MUST_DO(file_mkdirs(folder, 0700, &err), err);
    raw_file(path, slice_str(&json), now() + world.wrong);
    tell("office: %s", json.p);
    counted->deeds++;
    json_decref(request);
    json_decref(args);
    str_release(&json);
    free(path);
    free(folder);
}

/* ---- games ---- */

static void new_game(struct dice *luck)
{
    static const char *const kinds[] = {"galaxy-command", "galactic-contract", "galaxy-farmer",
                                        "galactic-supremacy"};
    static const int least[] = {1, 1, 1, 2}, most[] = {4, 4, 1, 6};
    unsigned which = roll(luck, 4), first = roll(luck, (unsigned)world.people);
    int wanted = least[which] + (int)roll(luck, (unsigned)(most[which] - least[which] + 1)), seats = 0;
    struct str list = STR_INIT;
    for (unsigned i = 0; i < (unsigned)world.people && seats < wanted; i++) {
        const struct person *person = &world.person[(first + i) % (unsigned)world.people];
        if (is_player(person) && !person->gone && !person->rules)
            str_addf(&list, "%s%s", seats++ ? "," : "", person->name);
    }
    if (seats >= least[which] && world.games < GAMES_MOST) {
        static int number;
        char id[GAME_NAME];
        (void)snprintf(id, sizeof id, "g%d", ++number);
        const char *words[] = {"new",
                               id,
                               kinds[which],
                               "--seats",
                               list.p,
                               "--trust",
                               "mail",
                               "--deadline",
                               chance(luck, 500) ? "1d" : "2d",
                               "--press",
                               chance(luck, 500) ? "white" : "grey",
                               "--second-thoughts",
                               "30m",
                               NULL,
                               NULL};
        if (!world.on[F_thoughts])
            words[11] = NULL;
        ask(NULL, NULL, words);
    }
    str_release(&list);
}

static bool is_over(const char *game)
{
    char name[60];
    struct str journal;
    (void)snprintf(name, sizeof name, "games/%s/journal.jsonl", game);
    world_slurp(name, &journal);
    bool over = !journal.len || strstr(journal.p, "\"type\":\"end\"");
    str_release(&journal);
    return over;
}

/* A moderator cannot register by mail. */
static void enter_moderator(void)
{
    for (int i = 0; i < world.people; i++) {
        struct person *person = &world.person[i];
        struct pubkey key;
        struct str line = STR_INIT;
        if (!person->rules || person->player)
            continue;
        secret_public(&person->key, &key);
        pubkey_format(&line, &key);
        if (!(person->player = is_player(person)))
            ask(NULL, line.p,
                (const char *const[]){"player", "add", person->name, person->address, "-", NULL});
        str_release(&line);
    }
}

/* One competition after the other, of one kind or another. */
static void new_cup(struct dice *luck)
{
    static int number;
    static const char *const kinds[][3] = {{"tables", "galaxy-command", "4d"},
                                           {"tables", "galactic-contract", "5d"},
                                           {"divisions", "galactic-supremacy", "4d"},
                                           {"duplicate", "galaxy-farmer", "3d"}};
    const char *const *kind = kinds[roll(luck, 4)];
    (void)snprintf(world.cup, sizeof world.cup, "cup%d", ++number);
    ask(NULL, NULL,
        (const char *const[]){
            "compete",     "new",        world.cup,
            "--kind",      kind[0],      "--ruleset",
            kind[1],       "--entries",  "2d",
            "--rounds",    "2",          "--round-length",
            kind[2],       "--protest",  "1d",
            "--cut-short", "--deadline", "12h",
            "--trust",     "mail",       strcmp(kind[0], "duplicate") == 0 ? NULL : "--rated",
            NULL});
}

/* A player's file is spoilt for some days, until the operator has it written again, and sends what they were not told of. */
static void spoil(struct dice *luck, const char *day)
{
    static struct person *whose;
    static long until;
    char name[60];
    struct str text;
    if (!world.spoilt) {
        whose = &world.person[roll(luck, (unsigned)world.people)];
        if (world.calm || !world.on[F_spoilt] || !chance(luck, 60) || !is_player(whose) ||
            whose->spoilt == SPOILT_MOST || !happens("office-spoils-%s", day))
            return;
        until = world.round + (1 + roll(luck, 3)) * 1440 / world.minutes;
        (void)snprintf(name, sizeof name, "players/%s.json", whose->name);
        char *path = path_join(world.dir, name);
        (void)remove(path);
        raw_file(path, slice_of("{\"name\":\"an"), now());
        free(path);
        world.spoilt = true;
        whose->spoilt_from[whose->spoilt] = now();
    } else if (world.calm || world.round >= until) {
        (void)snprintf(name, sizeof name, "players/%s.json", whose->name);
        world_slurp(name, &text);
        world.spoilt = text.len < 20;
        if (world.spoilt) {
            ask(NULL, NULL, (const char *const[]){"player", "restore", whose->name, NULL});
        } else {
            world_close(); /* a daemon counts what was damaged when it began */
            whose->spoilt_until[whose->spoilt++] = now();
            for (int g = 0; g < world.games; g++) {
                char words[60];
                (void)snprintf(words, sizeof words, "resend %s", whose->name);
                if (!is_over(world.game[g]))
                    ask(world.game[g], NULL, (const char *const[]){"moderate", world.game[g], words, NULL});
            }
        }
        str_release(&text);
    }
}

/* ---- acts ---- */

/* {game}, {player}, {other} are filled in; rows without {game} are about none. */
static struct deed_row {
    const char *name;
    unsigned often; /* per mille of the days */
    const char *words[9];
    const char *text;
    bool off;
} deeds[] = {
    {"pause", 40, {"moderate", "{game}", "pause", "--reason", "A test."}, NULL, false},
    {"resume", 80, {"moderate", "{game}", "resume", "--reason", "A test."}, NULL, false},
    {"longer", 40, {"moderate", "{game}", "extend 12h", "--reason", "A test."}, NULL, false},
    {"hold", 20, {"moderate", "{game}", "hold", "--reason", "A test."}, NULL, false},
    {"resolve", 40, {"moderate", "{game}", "resolve", "--reason", "A test."}, NULL, false},
    {"rollback", 30, {"moderate", "{game}", "rollback turn 1", "--reason", "A test."}, NULL, false},
    {"void", 5, {"moderate", "{game}", "void", "--reason", "A test."}, NULL, false},
    {"ban", 4, {"moderate", "any", "ban {player}", "--reason", "A test."}, NULL, false},
    {"unban", 30, {"moderate", "any", "unban {player}", "--reason", "A test."}, NULL, false},
    {"robot", 10, {"moderate", "{game}", "replace {player} by robot", "--reason", "A test."}, NULL, false},
    {"replace",
     10,
     {"moderate", "{game}", "replace {player} by {other}", "--reason", "A test."},
     NULL,
     false},
    {"announce", 10, {"announce", "-", "--title", "News"}, "All is well.\n", false},
};
#define DEEDS (sizeof deeds / sizeof *deeds)

void office_luck(void)
{
    for (size_t i = 0; i < DEEDS; i++) {
        struct dice luck = dice("deed %s", deeds[i].name);
        deeds[i].off = chance(&luck, 500);
    }
}

bool office_option(const char *name, int value)
{
    bool found = false;
    for (size_t i = 0; i < DEEDS; i++)
        if (strcmp(deeds[i].name, name) == 0 || strcmp(name, "all") == 0) {
            found = true;
            deeds[i].off = !value;
        }
    return found;
}

void office_print(FILE *out)
{
    for (size_t i = 0; i < DEEDS; i++)
        if (!deeds[i].off)
            (void)fprintf(out, " %s", deeds[i].name);
}

static const char *fill(const char *word, const char *game, const struct person *player,
                        const struct person *other, char out[100])
{
    const char *const names[] = {"{game}", "{player}", "{other}"}, *const values[] = {game, player->name,
                                                                                      other->name};
    out[0] = '\0';
    for (size_t at = 0; *word && at < 90;) {
        size_t i = 0;
        while (i < 3 && strncmp(word, names[i], strlen(names[i])) != 0)
            i++;
        int n = snprintf(out + at, 100 - at, "%s", i < 3 ? values[i] : (char[2]){*word, '\0'});
        at += (size_t)n;
        word += i < 3 ? strlen(names[i]) : 1;
    }
    return out;
}

static void do_deed(const struct deed_row *row, struct dice *luck)
{
    char filled[9][100];
    const char *words[10] = {NULL};
    const char *game =
        world.game[world.games - 1 - (int)roll(luck, world.games < 4 ? (unsigned)world.games : 4)];
    const struct person *player = &world.person[roll(luck, (unsigned)world.people)],
                        *other = &world.person[roll(luck, (unsigned)world.people)];
    for (int i = 0; i < 9 && row->words[i]; i++)
        words[i] = fill(row->words[i], game, player, other, filled[i]);
    ask(strcmp(words[1], game) == 0 ? game : NULL, row->text, words);
}

void office_pauses(struct dice *luck)
{
    if (world.games)
        do_deed(&deeds[0], luck);
}

/* The answers of what was asked. */
static void read_answers(void)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *folder = path_join(world.dir, QUEUE_FOLDER);
    MUST_DO(file_list(folder, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        char *path = path_join(folder, names.name[i]);
        if (str_ends(path, ".answer")) {
            json_t *answer = queue_read(path, &err);
            MUST(answer, "%s", err.text);
            counted->refused_deeds += json_integer_value(json_object_get(answer, "code")) != 0;
            tell("answer: %lld %s", (long long)json_integer_value(json_object_get(answer, "code")),
                 json_string_value(json_object_get(answer, "words")));
            json_decref(answer);
            (void)remove(path);
        }
        free(path);
    }
    file_names_free(&names);
    free(folder);
}

void office_act(void)
{
    char day[30];
    read_answers();
    if (world.round * world.minutes / 1440 == (world.round - 1) * world.minutes / 1440)
        return;
    (void)snprintf(day, sizeof day, "%ld", world.round * world.minutes / 1440);
    struct dice luck = dice("spoil %s", day);
    spoil(&luck, day);
    if (world.calm)
        return;
    int running = 0;
    for (int g = 0; g < world.games; g++)
        running += !is_over(world.game[g]);
    luck = dice("new %s", day);
    for (int tries = 0; running + tries < world.games_wanted; tries++)
        if (happens("office-new-%s.%d", day, tries))
            new_game(&luck);
    enter_moderator();
    luck = dice("cup %s", day);
    if (world.on[F_cups] && (!*world.cup || chance(&luck, 60)) && happens("office-cup-%s", day))
        new_cup(&luck);
    for (size_t i = 0; i < DEEDS && world.games; i++) {
        luck = dice("%s %s", deeds[i].name, day);
        if (!deeds[i].off && chance(&luck, deeds[i].often) && happens("office-%s-%s", deeds[i].name, day))
            do_deed(&deeds[i], &luck);
    }
}
