#include "commands/audit.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "audit/audit_results.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "commands/audit_dns.h"
#include "commands/audit_log.h"
#include "commands/commands.h"
#include "commands/policy.h"
#include "league/page_url.h"
#include "history/casefile.h"
#include "league/config.h"
#include "league/league.h"
#include "publish/reply_says.h"
#include "trust/keyring.h"

static const char details[] =
    "Needs only the game's file, journal.jsonl, and what shows that it is the league's: HEAD and "
    "HEAD.tlog-proof beside it. No league, no "
    "configuration and no network (but for --dns). Of a game that is not over it opens what it has keys to: "
    "the "
    "league's own, in a league; and those in a file opened.txt beside the journal, as an appeal's mail "
    "brings it. It checks every record: the chain, the players' orders and keys, the seals, the proofs of "
    "the draws, the rules (all turns are "
    "played again), the reports and the deadlines.\n"
    "Name a game or competition of the league, a journal, a folder with a journal, or a folder of such "
    "folders. Without a name, all games and competitions of the league are audited. A competition is checked "
    "together with its games.\n"
    "The first line is the verdict. At most five lines follow that say on whose word the game rests beside "
    "what is proved; --verbose has everything.\n"
    "With --log it reads the league's whole log (the folder log of a league, or a copy of the one on its "
    "site): whether an entry was changed, the clock was put back, somebody was shown another log, a game was "
    "not published, or a result left out. Names are of the journals to be compared; without one, those that "
    "lie beside the log.\n"
    "Exit codes: 0 proved; 1 proved as far as opened (something is still sealed), or sound, but nothing "
    "shows whose it is; 2 broken, with the first "
    "record that is wrong; 3 made by a newer Turnpost, which has to judge "
    "it. Of several games the worst counts. Of a log: 0 it holds; 1 something is to be asked; 2 something is "
    "wrong.\n";

#define KEY_LONGEST   ((size_t)65536)
#define FINDINGS_MOST 1000 /* findings of one game that are printed */
#define RETRIES       3

/* ---- one game ---- */

struct look {
    const struct audit_how *how;
    const char *name;
    const char *league; /* the folder of the game's league, or NULL */
    struct audit_logged logged;
    json_t *findings;
    struct domain_keys domains;
    struct str notes, words;      /* what rests on the operator's word */
    int64_t told_notes, left_out; /* findings; beyond FINDINGS_MOST they are only counted */
    struct lines *journal;
    int64_t size;
    time_t told;
};

static void found(void *arg, const struct audit_finding *finding)
{
    struct look *look = arg;
    if (finding->severity != AUDIT_BROKEN && look->told_notes++ >= FINDINGS_MOST) {
        look->left_out++;
        return;
    }
    if (look->findings)
        json_array_append_new(look->findings, audit_finding_json(finding));
    if (finding->severity == AUDIT_BROKEN || finding->severity == AUDIT_SEALED)
        return;
    struct str *list = finding->severity == AUDIT_WORD ? &look->words : &look->notes;
    str_adds(list, "- ");
    if (finding->seq)
        str_addf(list, "record %lld: ", (long long)finding->seq);
    str_addf(list, "%s\n", finding->text);
}

static void passed(void *arg, const struct record *record, const struct game *game,
                   const struct sealed_set *opened)
{
    struct look *look = arg;
    struct timespec now;
    (void)game;
    (void)opened;
    domain_keys_note(&look->domains, record);
    if (look->how->brief)
        return;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || now.tv_sec == look->told)
        return;
    if (look->told && look->size)
        log_progress("%s: record %lld, %lld %%", look->name, (long long)record->seq,
                     (long long)(look->journal->read * 100 / look->size));
    look->told = now.tv_sec;
}

static void add_checked(struct str *out, const struct audit_result *result)
{
    str_addf(out,
             "Checked: the chain of %lld record%s; %lld signed text%s of players; "
             "the proofs of %lld draw%s",
             (long long)result->records, PLURAL(result->records), (long long)result->counts.signatures,
             PLURAL(result->counts.signatures), (long long)result->counts.proofs,
             PLURAL(result->counts.proofs));
    if (result->counts.hidden)
        str_addf(out, " and of %lld hidden one%s", (long long)result->counts.hidden,
                 PLURAL(result->counts.hidden));
    if (result->replayed)
        str_addf(out, "; %lld turn%s played again by the rules", (long long)result->counts.turns,
                 PLURAL(result->counts.turns));
    if (result->counts.mails)
        str_addf(out, "; the domain's signature of %lld mail%s, of which %lld say line by line what was done",
                 (long long)result->counts.mails, PLURAL(result->counts.mails),
                 (long long)result->counts.mails_say);
    str_addf(out, "; %lld report%s", (long long)result->counts.reports, PLURAL(result->counts.reports));
    if (result->counts.boxes)
        str_addf(out, "; %lld sealed thing%s opened", (long long)result->counts.boxes,
                 PLURAL(result->counts.boxes));
    str_adds(out, ".\n");
}

static void add_game(struct str *out, const struct audit_result *result)
{
    char begun[CLOCK_TEXT], ended[CLOCK_TEXT];
    clock_utc(begun, result->begun);
    clock_utc(ended, result->ended);
    str_addf(out, "%s, %d seat%s; %lld record%s from %.10s to %.10s; ",
             result->ruleset ? result->ruleset->title : "An unknown game", result->seats,
             PLURAL(result->seats), (long long)result->records, PLURAL(result->records), begun, ended);
    if (result->over)
        str_addf(out, "over after %d turn%s.\n", result->turn, PLURAL(result->turn));
    else if (result->turn)
        str_addf(out, "turn %d is open.\n", result->turn);
    else
        str_adds(out, "not begun.\n");
}

/* "gc-17: proved" and, where it is not, why. */
static void add_verdict(struct str *out, const struct look *look, const struct audit_result *result,
                        size_t rests)
{
    const struct audit_finding *first = &result->first;
    str_addf(out, "%s: %s", look->name, audit_logged_verdict(&look->logged, result->verdict));
    if (result->findings[AUDIT_BROKEN]) {
        str_addf(out, result->newer ? " from record %lld on" : " at record %lld", (long long)first->seq);
        if (*first->type)
            str_addf(out, " (%s%s%.0d)", first->type, first->turn ? ", turn " : "", first->turn);
        str_addf(out, " because %s", first->text);
    } else if (result->verdict == AUDIT_PARTLY) {
        str_addf(out, ": %s, so the rules were not played again", audit_owed(result));
    } else {
        str_addf(out, " (%lld record%s, %lld turn%s)", (long long)result->records, PLURAL(result->records),
                 (long long)result->counts.turns, PLURAL(result->counts.turns));
    }
    if (look->how->brief && rests && !result->findings[AUDIT_BROKEN])
        str_addf(out, "; %zu thing%s on somebody's word", rests, rests == 1 ? " rests" : "s rest");
    str_addc(out, '\n');
}

/* The host of the league's own page, which its operator serves. The caller frees it; NULL: nobody knows. */
static char *own_page(const char *league)
{
    struct config config;
    struct err ignored = ERR_INIT;
    char *path = league ? path_join(league, "league.ini") : NULL, *host = NULL;
    if (path && file_exists(path) && config_load(path, &config, &ignored) == 0) {
        const char *url = config.league.page_url;
        if (*url)
            host = slice_dup(page_url_host(url));
        config_release(&config);
    }
    free(path);
    return host;
}

#define RESTS_SHOWN 5 /* lines on whose word the game rests */

static void add_rests(struct str *out, const json_t *rests, bool all)
{
    const size_t count = json_array_size(rests),
                 shown = all || count <= RESTS_SHOWN ? count : RESTS_SHOWN - 1;
    for (size_t i = 0; i < shown; i++)
        str_addf(out, "- %s\n", json_string_value(json_array_get(rests, i)));
    if (shown < count)
        str_addf(out, "- And %zu more: turnpost audit --verbose.\n", count - shown);
}

/* What was checked, and each thing that was found. */
static void add_all(struct str *out, const struct look *look, const struct audit_result *result)
{
    if (result->ruleset)
        add_game(out, result);
    add_checked(out, result);
    domain_keys_text(out, &look->domains, result);
    if (look->words.len)
        str_addf(out, "On the operator's word alone:\n%s", look->words.p);
    if (look->notes.len)
        str_addf(out, "To be known:\n%s", look->notes.p);
    if (look->left_out)
        str_addf(out, "- and %lld more of that\n", (long long)look->left_out);
}

static void add_text(struct str *out, const struct look *look, const struct audit_result *result)
{
    char *page = own_page(look->league);
    json_t *rests = audit_rests(result, page);
    const bool broken = result->findings[AUDIT_BROKEN] > 0, verbose = look->how->verbose;
    add_verdict(out, look, result, json_array_size(rests));
    if (broken && !look->how->brief)
        str_adds(out, result->records ? "What comes before that record is good as far as it goes; what comes "
                                        "after it proves nothing.\n"
                                      : "So nothing of it is proved.\n");
    if ((!look->how->brief && !broken) || verbose)
        add_rests(out, rests, verbose);
    if (!broken && (!look->how->brief || verbose || look->logged.how != AUDIT_LOGGED))
        audit_logged_text(out, &look->logged);
    if (*result->game && !look->how->brief)
        audit_key_text(out, look->how, result->league_key);
    if (verbose)
        add_all(out, look, result);
    else if (!look->how->brief && look->how->dns)
        domain_keys_text(out, &look->domains, result);
    json_decref(rests);
    free(page);
}

/* Somebody is working on the league: what is missing at the end may come at any moment. */
static bool is_busy(const struct audit_game *game)
{
    char *path = game->league ? path_join(game->league, "lock") : NULL;
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    bool busy = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0;
    if (fd >= 0)
        close(fd);
    free(path);
    return busy;
}

/* The lines beside the journal that open single boxes of it. */
static int read_opened(const char *path, struct lines *journal, struct seal_openings *only, struct err *err)
{
    struct str text = STR_INIT;
    struct slice line;
    struct record record;
    struct err ignored = ERR_INIT; /* the audit says it */
    int rc = casefile_opened(path, &text, err);
    if (rc == 0)
        rc = lines_next(journal, &line, err);
    if (rc == 0 && line.len && record_parse(line, &record, &ignored) == 0) {
        seal_openings_read(only, record.game, slice_str(&text));
        record_release(&record);
    }
    str_release(&text);
    return rc;
}

static int look_once(const struct audit_game *game, struct look *look, struct audit_result *result,
                     struct err *err)
{
    struct lines journal;
    struct audit audit;
    unsigned char master[32];
    struct seal_openings only = {NULL, 0, 0};
    look->size = file_size(game->journal);
    if (lines_open(game->journal, RECORD_MAX + 1, &journal, err))
        return -1;
    int rc = read_opened(game->journal, &journal, &only, err);
    if (rc == 0) {
        audit_init(&audit, &journal);
        audit.view = look->how->view;
        audit.seat = look->how->seat;
        audit.only = &only;
        audit.master = league_master_of(game->journal, master) ? master : NULL;
        audit.league_key = look->how->league_key;
        audit.game = game->id;
        audit.found = found;
        audit.passed = passed;
        audit.says = reply_says;
        audit.arg = look;
        look->journal = &journal;
        rc = audit_run(&audit, result, err);
        look->journal = NULL;
    }
    sodium_memzero(master, sizeof master);
    seal_openings_release(&only);
    lines_close(&journal);
    return rc ? err_prefix(err, "%s", game->journal) : 0;
}

int audit_one(const struct audit_game *game, const struct audit_how *how, struct str *out,
              enum audit_verdict *verdict, struct err *err)
{
    struct look look = {.how = how, .name = game->name, .league = game->league};
    struct audit_result result;
    int rc = 0;
    if (game->games)
        return audit_begins(game->journal, audit_is_results)
                   ? audit_one_results(game, how, out, verdict, err)
                   : audit_one_competition(game, how, out, verdict, err);
    str_init(&look.notes);
    str_init(&look.words);
    for (int i = 0; i < RETRIES; i++) {
        json_decref(look.findings);
        domain_keys_release(&look.domains);
        look.findings = how->json ? json_array() : NULL;
        look.told_notes = look.left_out = 0;
        str_clear(&look.notes);
        str_clear(&look.words);
        rc = look_once(game, &look, &result, err);
        bool at_end = rc == 0 && result.verdict == AUDIT_REFUTED && result.first.seq == result.records + 1;
        if (!at_end || !is_busy(game))
            break;
        (void)nanosleep(&(struct timespec){1, 0}, NULL);
    }
    log_progress_end();
    if (rc == 0) {
        const struct audit_whole whole = {result.game, result.records, result.ended,
                                          result.head, result.create,  result.league_key};
        look.logged = audit_logged(game, &whole, how);
    }
    if (rc == 0 && how->dns)
        rc = domain_keys_ask(&look.domains, how->dns, err);
    if (rc == 0 && how->json) {
        json_t *json = audit_json(&result, json_incref(look.findings));
        json_object_set_new(json, "name", json_string(game->name));
        json_object_update_new(json, domain_keys_json(&look.domains, &result));
        json_object_set_new(json, "verdict", json_string(audit_logged_verdict(&look.logged, result.verdict)));
        json_object_set_new(json, "logged", json_boolean(look.logged.how == AUDIT_LOGGED));
        json_object_set_new(json, "exit",
                            json_integer((json_int_t)audit_logged_code(&look.logged, result.verdict)));
        json_object_set_new(json, "key_given", json_boolean(how->league_key != NULL));
        if (look.left_out)
            json_object_set_new(json, "left_out", json_integer(look.left_out));
        json_write(out, json);
        str_addc(out, '\n');
        json_decref(json);
    } else if (rc == 0) {
        add_text(out, &look, &result);
    }
    *verdict = rc ? AUDIT_REFUTED : audit_logged_code(&look.logged, result.verdict);
    json_decref(look.findings);
    domain_keys_release(&look.domains);
    str_release(&look.notes);
    str_release(&look.words);
    return rc;
}

/* ---- the command ---- */

/* "moderator", "public", "seat 2" or "seat2". */
static int read_view(const char *as, struct audit_how *how, struct err *err)
{
    const char *digits = str_starts(as, "seat") ? as + 4 + (as[4] == ' ' || as[4] == ':') : "";
    how->view = AUDIT_MODERATOR;
    if (strcmp(as, "moderator") == 0)
        return 0;
    how->view = AUDIT_PUBLIC;
    if (strcmp(as, "public") == 0)
        return 0;
    how->view = AUDIT_SEAT;
    how->seat = digits[0] >= '1' && digits[0] <= '0' + SEATS_MAX && !digits[1] ? digits[0] - '0' : 0;
    return how->seat ? 0
                     : err_set(err, ERR_INPUT,
                               "--as takes moderator, public, or a seat (--as seat 2), not \"%s\"", as);
}

/* "--as seat 2" comes as three words: they are put together in `joined`. */
static void join_seat(int *argc, char **argv, char joined[16])
{
    for (int i = 1; i + 2 < *argc; i++) {
        if (strcmp(argv[i], "--as") != 0 || strcmp(argv[i + 1], "seat") != 0 || strlen(argv[i + 2]) != 1)
            continue;
        (void)snprintf(joined, 16, "seat %s", argv[i + 2]);
        argv[i + 1] = joined;
        for (int k = i + 2; k < *argc; k++) /* with the NULL after the last one */
            argv[k] = argv[k + 1];
        (*argc)--;
    }
}

static int read_key(const char *file, unsigned char point[32], struct err *err)
{
    struct str text = STR_INIT;
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = 0;
    int rc = command_read(file, KEY_LONGEST, &text, err);
    if (rc == 0)
        rc = keys_parse(slice_str(&text), file, keys, &count, err);
    if (rc == 0 && (count != 1 || !pubkey_may_be_of_league(&keys[0])))
        rc = err_set(err, ERR_INPUT, "%s must hold one key, the league's (ssh-ed25519 ...)", file);
    if (rc == 0)
        memcpy(point, keys[0].point, 32);
    str_release(&text);
    return rc;
}

/* It must name a log, and by the key that was given, if one was. */
static int read_policy(const char *file, struct policy *policy, const unsigned char *key, struct err *err)
{
    if (command_policy(file, policy, err))
        return -1;
    if (!policy->logs)
        return err_set(err, ERR_INPUT, "%s names no log", file);
    return !key || memcmp(key, policy->log[0].key.public, VKEY_PUBLIC) == 0
               ? 0
               : err_set(err, ERR_INPUT, "%s names another key than --key", file);
}

static void say_sum(const struct audit_games *games, const size_t counts[AUDIT_VERDICTS])
{
    size_t competitions = 0;
    for (size_t i = 0; i < games->count; i++)
        competitions += games->list[i].games != NULL;
    size_t all = counts[AUDIT_PROVED] + counts[AUDIT_PARTLY] + counts[AUDIT_REFUTED] + counts[AUDIT_NEWER];
    (void)printf("%zu games", all - competitions);
    if (competitions)
        (void)printf(" and %zu competition%s", competitions, PLURAL(competitions));
    (void)printf(": %zu proved, %zu proved as far as opened, %zu broken", counts[AUDIT_PROVED],
                 counts[AUDIT_PARTLY], counts[AUDIT_REFUTED]);
    if (counts[AUDIT_NEWER])
        (void)printf(", %zu made by a newer Turnpost", counts[AUDIT_NEWER]);
    (void)puts("");
}

static int jobs_of(int64_t given)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t jobs = given ? given : cores;
    return jobs < 1 ? 1 : jobs > AUDIT_JOBS ? AUDIT_JOBS : (int)jobs;
}

/* Whom to ask for the keys of mail domains: those whom the league asks, where there is one, else the host's. `config`
 * is released by the caller. */
static int read_way(const char *league, struct config *config, struct dns_way *way, struct err *err)
{
    char *path = path_join(league, "league.ini");
    int rc = 0;
    *way = (struct dns_way){"", file_exists(DNS_ANCHOR) ? DNS_ANCHOR : "", DNS_SECONDS};
    if (file_exists(path)) {
        rc = config_load(path, config, err);
        if (rc == 0)
            *way = (struct dns_way){config->dns.server, config->dns.root_key, config->dns.timeout};
    }
    free(path);
    return rc;
}

/* What is audited: the league's games, or those that the command line names. */
struct audited {
    int argc;
    char **argv;
    const char *league;
    bool ratings;
};

static int run(const struct audited *audited, struct audit_how *how, size_t counts[AUDIT_VERDICTS],
               struct err *err)
{
    struct audit_games games = {NULL, 0, 0};
    const char *all = audited->ratings ? RESULTS_NAME : audited->league;
    int rc = audited->argc == 1 ? audit_games_add(&games, all, audited->league, err) : 0;
    for (int i = 1; rc == 0 && i < audited->argc; i++)
        rc = audit_games_add(&games, audited->argv[i], audited->league, err);
    how->brief = games.count > 1;
    if (rc == 0)
        rc = audit_many(&games, how, counts, err);
    if (rc == 0 && games.count > 1 && !how->json)
        say_sum(&games, counts);
    audit_games_release(&games);
    return rc;
}

int command_audit(int argc, char **argv)
{
    const char *league = NULL, *key = NULL, *as = "moderator";
    struct audit_how how = {.view = AUDIT_MODERATOR};
    unsigned char point[32];
    char joined[16];
    bool dns = false, ratings = false;
    struct flag_list kept = {.count = 0};
    struct audit_log_how log = {.kept = &kept, .how = &how};
    struct config config = {0};
    struct dns_way way;
    int64_t jobs = 0;
    size_t counts[AUDIT_VERDICTS] = {0};
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"as", FLAG_TEXT, &as, "WHO",
         "for whom: moderator (default: all that there are keys to), public, or seat N"},
        {"key", FLAG_TEXT, &key, "LEAGUE.pub", "the league's public key, which the game must name"},
        {"dns", FLAG_SWITCH, &dns, NULL,
         "ask name servers for the keys of the mail domains that vouched for orders"},
        {"ratings", FLAG_SWITCH, &ratings, NULL,
         "the league's results, and the ratings computed again from them"},
        {"log", FLAG_TEXT, &log.folder, "FOLDER",
         "the league's whole log, and what was published against it"},
        {"policy", FLAG_TEXT, &log.policy, "FILE",
         "your league.policy: the log that has to have it (--log: default the one in FOLDER or beside it)"},
        {"kept", FLAG_LIST, &kept, "FILE",
         "--log: a checkpoint, proof, mail or mailbox that somebody kept; may be repeated"},
        {"missing", FLAG_SWITCH, &log.missing, NULL,
         "--log: only print which files of the log FOLDER lacks, to fetch them"},
        {"json", FLAG_SWITCH, &how.json, NULL, "print JSON, a line for each game"},
        {"jobs", FLAG_NUMBER, &jobs, "N", "processes for several games (default: one per processor)"},
        {"league", FLAG_TEXT, &league, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    join_seat(&argc, argv, joined);
    int code = flags_parse(&argc, argv, flags, 0, argc, details);
    if (code >= 0)
        return code;
    how.jobs = jobs_of(jobs);
    how.verbose = flag_verbose();
    if (read_view(as, &how, &err)) {
        (void)command_fail(&err);
        return EXIT_USAGE;
    }
    if (key && read_key(key, point, &err))
        return command_fail(&err);
    how.league_key = key ? point : NULL;
    if (log.folder) {
        log.name = argv + 1;
        log.named = argc - 1;
        log.league = flag_league(league);
        return audit_log(&log);
    }
    if (kept.count || log.missing) {
        log_error("audit: --kept and --missing go with --log (turnpost help audit)");
        return EXIT_USAGE;
    }
    struct policy *policy = log.policy ? mem_alloc(sizeof *policy) : NULL;
    if (policy && read_policy(log.policy, policy, how.league_key, &err)) {
        free(policy);
        return command_fail(&err);
    }
    if (policy) {
        how.policy = policy;
        how.league_key = policy->log[0].key.public;
    }
    how.dns = dns ? &way : NULL;
    if (dns && read_way(flag_league(league), &config, &way, &err))
        return command_fail(&err);
    if (run(&(struct audited){argc, argv, flag_league(league), ratings}, &how, counts, &err))
        return command_fail(&err);
    config_release(&config);
    free(policy);
    return counts[AUDIT_REFUTED] ? 2 : counts[AUDIT_NEWER] ? 3 : counts[AUDIT_PARTLY] ? 1 : 0;
}
