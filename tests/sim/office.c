/* The office: the operator, who asks by the queue for what a command would do (commands/queue.h), and moderators. */
#include "sim/sim.h"

#include <stdlib.h>
#include <time.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "commands/commands.h"
#include "commands/deed.h"
#include "commands/queue_parts.h"
#include "league/token.h"
#include "league/witnesses.h"

const struct command commands[] = {
    {NULL, NULL, NULL, NULL}}; /* main.c has the program's; nobody types any here */

static bool has(const char *folder, const char *name, const char *end)
{
    char *path = world_path("%s/%s%s", folder, name, end);
    bool is = file_exists(path);
    free(path);
    return is;
}

/* Is that person a player, by the league's folder? */
static bool is_player(const struct person *person)
{
    return has("players", person->name, ".json");
}

/* In the place of a file, past the program. */
static void put(const char *name, struct slice bytes)
{
    char *path = path_join(world.dir, name);
    (void)remove(path);
    raw_file(path, bytes, now());
    free(path);
    disk_forget(); /* no power failure takes that back */
}

/* Puts a command into the queue, as `turnpost COMMAND ...` beside a daemon does. The words end with NULL. */
static void ask(const char *game, const char *text, const char *const *words)
{
    struct dice luck = dice("slip %s %lld %s", words[0], (long long)world.ms, words[1]);
    const bool slips =
        world.on[F_slips] && strcmp(words[0], "player") != 0 && strcmp(words[0], "invite") != 0;
    const unsigned odd = slips && chance(&luck, 80) ? 1 + roll(&luck, 12) : 0; /* this word is */
    unsigned char id[32];
    char hex[65], head[2 * HEAD_BYTES + 1] = "";
    struct err err = ERR_INIT;
    struct str json = STR_INIT;
    json_t *args = json_array(), *request;
    for (unsigned i = 0; words[i] && i < 40; i++)
        json_array_append_new(args, json_string(odd && i == odd ? people_odd(&luck) : words[i]));
    if (game && strstr(world.unread, game))
        return; /* the command itself says that it cannot be read */
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
    char *path = world_path(QUEUE_FOLDER "/%016llx-%s.request", (unsigned long long)world.ms, hex),
         *folder = world_path(QUEUE_FOLDER);
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
        if (is_player(person) && !person->gone && !person->rules && !person->witness)
            str_addf(&list, "%s%s", seats++ ? "," : "", person->name);
    }
    if (seats >= least[which] && world.games < GAMES_MOST) {
        static int number;
        char id[GAME_NAME];
        (void)snprintf(id, sizeof id, "g%d", ++number);
        const char *words[40] = {"new",
                                 id,
                                 kinds[which],
                                 "--seats",
                                 list.p,
                                 "--trust",
                                 "mail",
                                 "--deadline",
                                 (const char *const[]){"6h", "12h", "1d", "2d"}[roll(luck, 4)],
                                 "--press",
                                 chance(luck, 500) ? "white" : "grey",
                                 NULL};
        int n = 11;
        if (chance(luck, 250)) {
            words[7] = "--schedule";
            words[8] = chance(luck, 500) ? "daily 02:30" : "mon thu 20:00";
        }
        static const char *const more[][2] = {
            {"--open", "1"}, /* which waits until somebody joins */
            {"--no-observers"}, {"--press", "signed"},  {"--press", "none"}, {"--no-early"},
            {"--grace", "12h"}, {"--minimum", "6h"},    {"--weekends-off"},  {"--press-delivery", "report"},
            {"--no-typo-wait"}, {"--holidays", "12-25"}};
        for (size_t i = 0; i < sizeof more / sizeof *more; i++)
            if (chance(luck, i ? 150 : 50)) {
                words[n++] = more[i][0];
                if (more[i][1])
                    words[n++] = more[i][1];
            }
        if ((which == 3 || (which == 1 && seats < 3)) && chance(luck, 400)) { /* those that end soon */
            words[n++] = "--option";
            words[n++] = which == 3 ? "rounds=6" : "short=1";
        }
        if (world.on[F_thoughts]) {
            words[n++] = "--second-thoughts";
            words[n++] = "30m";
        }
        for (int i = 0; i < world.people; i++)
            if (world.person[i].witness && chance(luck, 500)) {
                words[n++] = "--witness";
                words[n++] = world.person[i].name;
            }
        ask(NULL, NULL, words);
    }
    str_release(&list);
}

static bool is_over(const char *game)
{
    struct str journal;
    world_slurp(&journal, "games/%s/journal.jsonl", game);
    bool over = !journal.len || strstr(journal.p, "\"type\":\"end\"");
    str_release(&journal);
    return over;
}

/* The operator knows the witness, also after a copy that does not. */
static void know_witness(const struct person *person)
{
    struct err err = ERR_INIT;
    struct league_witness witness = {.key = person->vkey};
    struct str line = STR_INIT;
    char *path = path_join(world.dir, LEAGUE_WITNESSES);
    (void)snprintf(witness.name, sizeof witness.name, "%s", person->name);
    (void)snprintf(witness.address, sizeof witness.address, "%s", person->address);
    memcpy(witness.vrf, person->vrf_public, VRF_PUBLIC);
    witness_line(&line, &witness);
    str_addc(&line, '\n');
    if (!file_exists(path))
        MUST_DO(file_write_soft(path, slice_str(&line), 0600, &err), err);
    str_release(&line);
    free(path);
}

/* A moderator cannot register by mail; where nobody comes without an invitation, a witness is entered as well, and others are invited. */
static void enter_people(void)
{
    for (int i = 0; i < world.people; i++) {
        struct person *person = &world.person[i];
        struct pubkey key;
        struct str line = STR_INIT;
        if (person->witness)
            know_witness(person);
        if (person->player || person->gone || !(person->rules || world.on[F_invited]))
            continue;
        if (!person->rules && !person->witness) {
            char word[TOKEN_TEXT];
            token_new(word);
            ask(NULL, word, (const char *const[]){"invite", "--to", person->address, NULL});
            continue;
        }
        secret_public(&person->key, &key);
        pubkey_format(&line, &key);
        if (!(person->player = is_player(person)))
            ask(NULL, line.p,
                (const char *const[]){"player", "add", person->name, person->address, "-", NULL});
        str_release(&line);
    }
}

/* One competition after the other, of one kind or another; half of them with all players from the start. */
static void new_cup(struct dice *luck)
{
    static int number;
    static const char *const more[][2] = {
        {"--confirm", "12h"},       {"--adjudge", "moderator"}, {"--adjudge", "tie"},
        {"--again", "6d"},          {"--most-running", "3"},    {"--least-prompt", "20"},
        {"--least-games", "1"},     {"--weekends-off"},         {"--director", world.person[0].name},
        {"--least-rating", "1000"}, {"--again", "6d"}};
    static const char *const kinds[][5] = {{"tables", "galaxy-command", "2d", "--rated", NULL},
                                           {"tables", "galactic-contract", "2d", "--rated", NULL},
                                           {"divisions", "galactic-supremacy", "2d", "--rated", NULL},
                                           {"duplicate", "galaxy-farmer", "2d", "--field", "2"}};
    const char *const *kind = kinds[roll(luck, 4)];
    struct str all = STR_INIT;
    char before[COMPETE_NAME];
    const char *words[40] = {"compete",
                             "new",
                             world.cup,
                             "--kind",
                             kind[0],
                             "--ruleset",
                             kind[1],
                             "--entries",
                             "36h",
                             "--rounds",
                             chance(luck, 500) ? "1" : "2",
                             "--protest",
                             "12h",
                             "--cut-short",
                             "--deadline",
                             chance(luck, 500) ? "6h" : "12h",
                             "--trust",
                             "mail",
                             "--round-length",
                             kind[2],
                             kind[3],
                             kind[4]};
    int n = kind[4] ? 22 : 21;
    for (int i = 0; i < world.people; i++)
        if (is_player(&world.person[i]) && !world.person[i].rules)
            str_addf(&all, "%s%s", all.len ? "," : "", world.person[i].name);
    (void)snprintf(before, sizeof before, "%s", world.cup);
    (void)snprintf(world.cup, sizeof world.cup, "cup%d", ++number);
    for (size_t i = 0; i < sizeof more / sizeof *more && n < 26; i++)
        if (chance(luck, 80)) { /* of conditions, each keeps somebody out */
            words[n++] = more[i][0];
            if (more[i][1])
                words[n++] = more[i][1];
        }
    for (int i = 0; i < world.people; i++)
        if (world.person[i].witness && chance(luck, 500)) {
            words[n++] = "--witness";
            words[n++] = world.person[i].name;
            break;
        }
    if (all.len && chance(luck, 500)) {
        words[n++] = "--invite";
        words[n++] = all.p;
    } else if (*before && chance(luck, 500)) {
        words[n++] = "--after"; /* a season */
        words[n++] = before;
    }
    ask(NULL, NULL, words);
    str_release(&all);
}

/* A player's file is spoilt for some days, until the operator has it written again, and sends what they were not told of. */
static void spoil(struct dice *luck, const char *day)
{
    static struct person *whose;
    static bool keys; /* theirs, in place of the file with their address */
    static long until;
    char name[60];
    struct str text;
    if (!world.spoilt) {
        whose = &world.person[roll(luck, (unsigned)world.people)];
        if (world.calm || !world.on[F_spoilt] || !chance(luck, 120) || !is_player(whose) ||
            whose->spoilt == SPOILT_MOST || !happens("office-spoils-%s", day))
            return;
        until = world.round + (1 + roll(luck, 3)) * 1440 / world.minutes;
        world_slurp(&text, "players/%s.json", whose->name);
        whose->reached = strstr(text.p, whose->address) && !strstr(text.p, "new.test");
        str_release(&text);
        (void)snprintf(name, sizeof name, "keys/%s.pub", whose->name);
        keys = has("keys", whose->name, ".pub") && chance(luck, 400);
        if (!keys)
            (void)snprintf(name, sizeof name, "players/%s.json", whose->name);
        struct str other = STR_INIT; /* that of somebody else's, or none, or a part */
        char another[60];
        (void)snprintf(another, sizeof another, "players/%s.json",
                       world.person[roll(luck, (unsigned)world.people)].name);
        if (keys || chance(luck, 400)) {
            put(name, slice_of("{\"name\":\"an"));
        } else if (chance(luck, 500)) {
            put(name, slice_of(""));
            char *path = path_join(world.dir, name);
            (void)remove(path);
            free(path);
        } else {
            world_slurp(&other, "%s", another);
            put(name, slice_sub(slice_str(&other), 0, 15));
        }
        str_release(&other);
        world.spoilt = counted->had[F_spoilt] = true;
        whose->spoilt_from[whose->spoilt] = now();
    } else if (world.calm || world.round >= until) {
        world_slurp(&text, keys ? "keys/%s.pub" : "players/%s.json", whose->name);
        world.spoilt = text.len < 20;
        if (world.spoilt) {
            whose->reached = false; /* when it is written again they may move on at once */
            ask(NULL, NULL, (const char *const[]){"player", "restore", whose->name, NULL});
        } else {
            world_close(); /* a daemon counts what was damaged when it began */
            whose->spoilt_until[whose->spoilt++] = now();
            for (int g = 0; g < world.games; g++) {
                char words[60];
                (void)snprintf(words, sizeof words, "resend %s", whose->name);
                if (!is_over(world.game[g]))
                    ask(world.game[g], NULL,
                        (const char *const[]){"moderate", world.game[g], words, "--reason", "Yours.", NULL});
            }
        }
        str_release(&text);
    }
}

/* A game's journal, or that of a competition, cannot be read for some days, as its disk gives other bytes, or has lost its folder; then it is
 * as it was. */
static void misread(struct dice *luck, const char *day)
{
    static long until;
    char folder[60];
    if (!*world.unread) {
        if (world.calm || !world.on[F_unread] || !world.games || !chance(luck, 80) ||
            !happens("office-misreads-%s", day))
            return;
        char name[60];
        const unsigned which = roll(luck, world.games < 3 ? (unsigned)world.games : 3);
        if (chance(luck, 200) && has("competitions", world.cup, "/journal.jsonl"))
            (void)snprintf(name, sizeof name, "competitions/%s/journal.jsonl", world.cup);
        else
            (void)snprintf(name, sizeof name, "games/%s/journal.jsonl",
                           world.game[world.games - 1 - (int)which]);
        world_close();
        world_slurp(&world.unread_is, "%s", name);
        (void)snprintf(world.unread, sizeof world.unread, "%s", name);
        counted->had[F_unread] = true;
        world.unread_gone = chance(luck, 300);
        world.was_gone |= world.unread_gone;
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(name, '/') - name), name);
        if (world.unread_gone)
            world_shell("mv '%s/%s' '%s.gone'", world.dir, folder, world.dir);
        else
            put(name, slice_of("\1\2\3"));
        until = world.round + (1 + roll(luck, 4)) * 1440 / world.minutes;
    } else if (world.calm || world.round >= until) {
        world_close();
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(world.unread, '/') - world.unread),
                       world.unread);
        if (world.unread_gone)
            world_shell("rm -rf '%s/%s' && mv '%s.gone' '%s/%s'", world.dir, folder, world.dir, world.dir,
                        folder);
        else
            put(world.unread, slice_str(&world.unread_is));
        str_release(&world.unread_is);
        *world.unread = '\0';
        world.unread_until = now();
    }
}

/* One of the league's secrets is another's for some rounds: nothing works, and nothing is lost. */
static void lock(struct dice *luck, const char *day)
{
    static const char *const files[] = {"keys/secret/league", "keys/secret/vrf", "keys/secret/master"};
    static const char *name;
    static struct str right;
    if (world.locked) {
        world.locked = false;
        put(name, slice_str(&right));
        str_release(&right);
    } else if (!world.calm && world.on[F_secret] && chance(luck, 150) && happens("office-locks-%s", day)) {
        name = files[roll(luck, 3)];
        struct str wrong = STR_INIT;
        world_close(); /* a daemon is started anew */
        world_slurp(&right, "%s", name);
        str_addslice(&wrong, slice_str(&right));
        size_t digit = strcspn(wrong.p, "0123456789");
        wrong.p[digit] = wrong.p[digit] == '1' ? '2' : '1';
        put(name, slice_str(&wrong));
        str_release(&wrong);
        world.locked = counted->had[F_secret] = true;
    }
}

/* ---- backup and restore ---- */

static int64_t backed_up; /* when; 0 = there is no copy */
static struct person kept[PEOPLE_MOST];

static void back_up(void)
{
    char copy[120];
    (void)snprintf(copy, sizeof copy, "%s.backup", world.dir);
    world_close();
    world_shell("rm -rf '%s'", copy);
    int code =
        world_command(command_backup, (const char *const[]){"backup", "--league", world.dir, copy, NULL});
    MUST(code == 0, "turnpost backup: exit code %d", code);
    backed_up = now();
    memcpy(kept, world.person, sizeof kept);
}

/* Of a copy that is older than the log's beginning no log goes on. */
static bool same_log(const char *copy)
{
    struct str is, was = STR_INIT;
    struct err err = ERR_INIT;
    char *path = path_join(copy, "keys/league.policy");
    world_slurp(&is, "keys/league.policy");
    const bool same = file_exists(path) && file_read(path, 65536, &was, &err) == 0 && is.len == was.len &&
                      (!is.len || memcmp(is.p, was.p, is.len) == 0);
    free(path);
    str_release(&is);
    str_release(&was);
    return same;
}

/* The host is lost; what is left is the copy, and the mailbox; and, if `log`, the league's log: else another one begins. People are
 * as the copy has them: they find their older keys. */
static void restore(bool log)
{
    char copy[120], new[120], left[120];
    (void)snprintf(copy, sizeof copy, "%s.backup", world.dir);
    (void)snprintf(new, sizeof new, "%s.new", world.dir);
    (void)snprintf(left, sizeof left, "%s/log", world.dir);
    world_close();
    log = log && same_log(copy);
    world.relogged |= !log;
    counted->had[F_restore] = true;
    int code = world_command(command_restore,
                             (const char *const[]){"restore", copy, new, log ? "--log" : NULL, left, NULL});
    MUST(code == 0, "turnpost restore: exit code %d", code);
    world_shell("rm -rf '%s/mail' && mv '%s/mail' '%s/mail' && rm -rf '%s' && mv '%s' '%s'", new, world.dir,
                new, world.dir, new, world.dir);
    char since[20]; /* players are promised that what came after the copy is read again */
    (void)snprintf(since, sizeof since, "%lldd", (long long)(now() - backed_up) / 86400 + 2);
    code = world_command(
        command_mail, (const char *const[]){"mail", "--league", world.dir, "again", "--since", since, NULL});
    MUST(code == 0, "turnpost mail again: exit code %d", code);
    for (int i = 0; i < world.people; i++) {
        struct person *person = &world.person[i], was = kept[i];
        was.mails = person->mails;
        was.count = person->count;
        was.cap = person->cap;
        was.read = person->read;
        memcpy(was.spoilt_from, person->spoilt_from, sizeof was.spoilt_from);
        memcpy(was.spoilt_until, person->spoilt_until, sizeof was.spoilt_until);
        was.spoilt = person->spoilt;
        *person = was;
    }
    people_forget(backed_up);
    for (int g = 0; g < world.games; g++)
        if (!has("games", world.game[g], "/journal.jsonl"))
            str_addf(&world.lost, " %s ", world.game[g]);
    world_recount();
    judge_log_restored();
    tell("restored from the copy of %lld%s", (long long)backed_up, log ? ", but for the log" : "");
}

static void copies(struct dice *luck, const char *day)
{
    if (world.calm || world.spoilt || *world.unread || world.locked || world.wrong || !world.on[F_restore])
        return;
    if (chance(luck, 250) && happens("office-backup-%s", day))
        back_up();
    else if (backed_up && chance(luck, 80) && happens("office-restore-%s", day))
        restore(chance(luck, 500));
}

/* ---- acts ---- */

/* {game}, {player}, {other}, {cup}, {later} are filled in, and in texts {key}, a new one of that player's; rows without {game} are about
 * none. */
static const struct deed_row {
    const char *name;
    unsigned often; /* per mille of the days */
    const char *words[10];
    const char *text;
} deeds[] = {
    {"pause", 40, {"moderate", "{game}", "pause", "--reason", "A test."}, NULL},
    {"resume", 80, {"moderate", "{game}", "resume", "--reason", "A test."}, NULL},
    {"longer", 40, {"moderate", "{game}", "extend 12h", "--reason", "A test."}, NULL},
    {"hold", 20, {"moderate", "{game}", "hold", "--reason", "A test."}, NULL},
    {"resolve", 40, {"moderate", "{game}", "resolve", "--reason", "A test."}, NULL},
    {"rollback", 30, {"moderate", "{game}", "rollback turn 1", "--reason", "A test."}, NULL},
    {"void", 10, {"moderate", "{game}", "void", "--reason", "A test."}, NULL},
    {"ban", 10, {"moderate", "any", "ban {player}", "--reason", "A test."}, NULL},
    {"unban", 30, {"moderate", "any", "unban {player}", "--reason", "A test."}, NULL},
    {"robot", 10, {"moderate", "{game}", "replace {player} by robot", "--reason", "A test."}, NULL},
    {"replace", 10, {"moderate", "{game}", "replace {player} by {other}", "--reason", "A test."}, NULL},
    {"mend", 30, {"moderate", "{game}", "correct player[0].metal = 2", "--reason", "A test."}, NULL},
    {"refuels", 30, {"moderate", "{game}", "correct fuel = 1", "--reason", "A test."}, NULL},
    {"redo", 10, {"moderate", "{game}", "rollback 4", "--reason", "A test."}, NULL},
    {"told", 20, {"moderate", "{game}", "resend {player}", "--reason", "A test."}, NULL},
    {"late", 20, {"moderate", "{game}", "orders {player}", "--lines", "-", "--reason", "A test."}, "pass\n"},
    {"until", 30, {"moderate", "{game}", "extend {later} 18:00", "--reason", "A test."}, NULL},
    {"lost", 10, {"player", "key", "{player}", "-", "--reason", "Lost."}, "{key}"},
    {"rekeyed", 4, {"player", "key", "{player}", "-", "--at-once", "--reason", "Lost."}, "{key}"},
    {"mailbox", 10, {"player", "address", "{player}", "{player}@new.test", "--reason", "Lost."}, NULL},
    {"addresses",
     5,
     {"player", "address", "{player}", "{player}@new.test", "{player}@two.test", "--at-once", "--reason",
      "Lost."},
     NULL},
    {"removes", 3, {"player", "remove", "{player}"}, NULL},
    {"retries", 20, {"mail", "retry", "all"}, NULL},
    {"invited", 40, {"compete", "invite", "{cup}", "{player}"}, NULL},
    {"scratched", 20, {"compete", "withdraw", "{cup}", "{player}"}, NULL},
    {"removed", 20, {"compete", "remove", "{cup}", "{player}", "--reason", "A test."}, NULL},
    {"points", 20, {"compete", "points", "{cup}", "{player}", "-1", "--reason", "A test."}, NULL},
    {"ranked", 40, {"compete", "rank", "{cup}", "1", "1", "1,2", "--reason", "A test."}, NULL},
    {"announce", 10, {"announce", "-", "--title", "News"}, "All is well.\n"},
    {"to-game", 10, {"announce", "-", "--game", "{game}"}, "All is well.\n"},
    {"to-cup", 10, {"announce", "-", "--competition", "{cup}"}, "All is well.\n"},
};
#define DEEDS (sizeof deeds / sizeof *deeds)

static bool deeds_on[DEEDS];
const struct switches office_deeds = {"deed", deeds, sizeof *deeds, DEEDS, 500, 1000, deeds_on};

/* Whom and what a deed is about. */
struct about {
    const char *game;
    struct person *player;
    const struct person *other;
};

static bool about_value(void *arg, struct str *out, const char *name)
{
    const struct about *about = arg;
    char later[DATE_TEXT];
    date_text(later, now() / 86400 + 5);
    const struct {
        const char *name, *value;
    } words[] = {{"game", about->game},
                 {"player", about->player->name},
                 {"other", about->other->name},
                 {"cup", world.cup},
                 {"later", later}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i].name) == 0)
            str_adds(out, words[i].value);
    if (strcmp(name, "key") == 0)
        people_new_key(about->player, out);
    return true;
}

static void do_deed(const struct deed_row *row, struct dice *luck)
{
    struct str filled[10] = {STR_INIT}, text = STR_INIT;
    const char *words[11] = {NULL};
    const char *game =
        world.game[world.games - 1 - (int)roll(luck, world.games < 4 ? (unsigned)world.games : 4)];
    struct about about = {game, NULL, NULL};
    about.player = &world.person[roll(luck, (unsigned)world.people)];
    about.other = &world.person[roll(luck, (unsigned)world.people)];
    for (int i = 0; i < 10 && row->words[i]; i++) {
        (void)fill_braces(&filled[i], row->words[i], about_value, &about);
        words[i] = filled[i].p;
    }
    if (row->text)
        (void)fill_braces(&text, row->text, about_value, &about);
    ask(strcmp(words[1], game) == 0 ? game : NULL, row->text ? text.p : NULL, words);
    for (int i = 0; i < 10; i++)
        str_release(&filled[i]);
    str_release(&text);
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
            MUST(answer || world.on[F_power], "%s", err.text); /* else who waited for it is gone as well */
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

/* What only looks: it never fails, and the league is as it was. */
static void look(struct dice *luck)
{
    static const char *const looks[][3] = {{"status"},        {"games"},   {"mail"},
                                           {"mail", "list"},  {"ratings"}, {"compete", "list"},
                                           {"player", "list"}};
    static int (*const commands_of[])(int argc, char **argv) = {
        command_status,  command_games,   command_mail,  command_mail,
        command_ratings, command_compete, command_player};
    const unsigned which = roll(luck, sizeof looks / sizeof *looks);
    const char *words[5] = {looks[which][0], looks[which][1]};
    int n = words[1] ? 2 : 1;
    words[n++] = "--league";
    words[n++] = world.dir;
    world_close();
    int code = world_command(commands_of[which], words);
    MUST(code >= 0 && code < 64, "turnpost %s %s: exit code %d", words[0], looks[which][1] ? words[1] : "",
         code);
}

void office_act(void)
{
    char day[30];
    /* Leagues of several hosts are short: people are entered and games are made in their first hours. */
    const bool early = hosts_many() && world.round < 24 && world.round % 4 == 2;
    const long today = world.round * world.minutes / 1440;
    read_answers();
    if (!early && today == (world.round - 1) * world.minutes / 1440)
        return;
    (void)snprintf(day, sizeof day, early ? "%ld.%ld" : "%ld", today, world.round);
    struct dice luck = dice("spoil %s", day);
    spoil(&luck, day);
    luck = dice("misread %s", day);
    misread(&luck, day);
    luck = dice("lock %s", day);
    lock(&luck, day);
    luck = dice("copies %s", day);
    copies(&luck, day);
    luck = dice("look %s", day);
    if (!hosts_many() && !world.locked && chance(&luck, 150) && happens("office-looks-%s", day))
        look(&luck);
    if (world.calm)
        return;
    int running = 0;
    for (int g = 0; g < world.games; g++)
        running += !is_over(world.game[g]);
    luck = dice("new %s", day);
    for (int tries = 0; running + tries < world.games_wanted; tries++)
        if (happens("office-new-%s.%d", day, tries))
            new_game(&luck);
    enter_people();
    luck = dice("cup %s", day);
    if (world.on[F_cups] && (!*world.cup || chance(&luck, 150)) && happens("office-cup-%s", day))
        new_cup(&luck);
    for (size_t i = 0; i < DEEDS && world.games; i++) {
        luck = dice("%s %s", deeds[i].name, day);
        if (deeds_on[i] && chance(&luck, deeds[i].often * (unsigned)world.bustle) &&
            happens("office-%s-%s", deeds[i].name, day))
            do_deed(&deeds[i], &luck);
    }
}
