#include "league/league.h"

#include <errno.h>
#include <pwd.h>
#include <sodium.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/zone.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "league/config_private.h"
#include "league/helper.h"
#include "league/policy_file.h"
#include "league/shared.h"
#include "base/private.h"
#include "mail/maildir.h"
#include "mail/spool.h"
#include "picture/painter.h"

#define CONFIG_FILE "league.ini"
#define KEY_FILE    "keys/secret/league"
#define PUBLIC_FILE "keys/league.pub"
#define VRF_FILE    "keys/secret/vrf"
#define MASTER_FILE "keys/secret/master"
#define LOCK_FILE   "lock"

#define HOLIDAYS_MOST ((size_t)64 * 1024)

/* ---- init ---- */

/* Folders of a league; what is in it is private until the operator shares it. */
static const char *const folders[] = {"keys",    "keys/secret", "players",     "games",       "mail",
                                      "mail/in", "mail/in/new", "mail/in/cur", "mail/in/tmp", "mail/out"};
/* What shows that there is a league, or half of one. */
static const char *const marks[] = {CONFIG_FILE, "keys", "players", "games", "spool", "mail"};

static int refuse_existing(const char *dir, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && rc == 0; i++) {
        char *path = path_join(dir, marks[i]);
        if (file_exists(path))
            rc = err_set(err, ERR_INPUT, "%s exists already: %s", path,
                         i == 0 ? "this folder holds a league" : "a new league needs a folder without it");
        free(path);
    }
    return rc;
}

/* An empty folder that was made for the league is the league's own; one that holds anything else (a home, a disk) keeps its mode. */
static int make_private(const char *dir, struct err *err)
{
    struct file_names names;
    if (!file_exists(dir))
        return 0;
    int rc = file_list(dir, &names, err);
    if (rc == 0 && names.count == 0)
        rc = file_make_private(dir, err);
    file_names_free(&names);
    return rc;
}

static int make_folders(const char *dir, struct err *err)
{
    int rc = make_private(dir, err) || file_mkdirs(dir, 0700, err) ? -1 : 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && rc == 0; i++) {
        char *path = path_join(dir, folders[i]);
        rc = file_mkdirs(path, 0700, err);
        free(path);
    }
    if (rc == 0) {
        char *spool = path_join(dir, "spool");
        rc = spool_init(spool, err);
        free(spool);
    }
    return rc;
}

/* 32 secret bytes as a line of hex digits. */
static int write_hex(const char *dir, const char *name, const unsigned char bytes[32], struct err *err)
{
    char line[66];
    char *path = path_join(dir, name);
    hex_to(line, bytes, 32);
    line[64] = '\n';
    int rc = file_create(path, (struct slice){line, 65}, 0600, err);
    sodium_memzero(line, sizeof line);
    free(path);
    return rc;
}

static int make_signing_key(const char *dir, struct err *err)
{
    struct secret secret;
    struct pubkey public;
    struct str line = STR_INIT;
    char *key_path = path_join(dir, KEY_FILE);
    char *public_path = path_join(dir, PUBLIC_FILE);
    secret_new(&secret);
    secret_public(&secret, &public);
    pubkey_format(&line, &public);
    str_adds(&line, " league\n");
    int rc = secret_save(key_path, &secret, "league", false, err);
    if (rc == 0)
        rc = file_create(public_path, slice_str(&line), 0644, err);
    secret_wipe(&secret);
    str_release(&line);
    free(key_path);
    free(public_path);
    return rc;
}

static int make_keys(const char *dir, struct err *err)
{
    unsigned char vrf_secret[VRF_SECRET];
    unsigned char vrf_public_key[VRF_PUBLIC];
    unsigned char master[32];
    int rc = make_signing_key(dir, err);
    vrf_keygen(vrf_secret, vrf_public_key);
    randombytes_buf(master, sizeof master);
    if (rc == 0)
        rc = write_hex(dir, VRF_FILE, vrf_secret, err);
    if (rc == 0)
        rc = write_hex(dir, MASTER_FILE, master, err);
    sodium_memzero(vrf_secret, sizeof vrf_secret);
    sodium_memzero(master, sizeof master);
    return rc;
}

/* A name or an address that league.ini cannot carry is refused before anything is made. */
static int make_config(struct str *text, const char *name, const char *address, struct err *err)
{
    struct config config;
    config_sample(text, name, address);
    if (config_parse(slice_str(text), CONFIG_FILE, &config, err) != 0) {
        err->code = ERR_INPUT;
        return -1;
    }
    int rc = 0;
    if (!*name || strcmp(config.league.name, name) != 0)
        rc = err_set(err, ERR_INPUT, "the league's name cannot be empty, nor have a semicolon after a space");
    config_release(&config);
    return rc;
}

int league_init(const char *dir, const char *name, const char *address, struct err *err)
{
    struct str text = STR_INIT;
    char *config_path = path_join(dir, CONFIG_FILE);
    int rc = make_config(&text, name, address, err);
    if (rc == 0)
        rc = refuse_existing(dir, err);
    if (rc == 0)
        rc = make_folders(dir, err);
    if (rc == 0)
        rc = make_keys(dir, err);
    if (rc == 0)
        rc = file_sync_all(dir, err);
    if (rc == 0) /* last: a folder without it is no league */
        rc = file_write(config_path, slice_str(&text), 0600, err);
    str_release(&text);
    free(config_path);
    return rc;
}

/* ---- open ---- */

char *league_path(const struct league *league, const char *name)
{
    return name[0] == '/' ? mem_strdup(name) : path_join(league->dir, name);
}

static int read_hex(const struct league *league, const char *name, const char *what, unsigned char bytes[32],
                    struct err *err)
{
    struct str text = STR_INIT;
    char *path = league_path(league, name);
    int rc = private_read(path, what, &text, err);
    if (err->code == ERR_MISSING) /* it is named by the configuration */
        err->code = ERR_CONFIG;
    if (rc == 0 && !hex_decode(bytes, 32, slice_trim(slice_str(&text))))
        rc = err_set(err, ERR_CONFIG, "%s: %s must hold 64 hex digits; restore it from a backup", what, path);
    private_wipe(&text);
    free(path);
    return rc;
}

/* keys/league.pub is what players are given: it must be the key that signs. */
static int check_public(const struct league *league, struct err *err)
{
    struct str text = STR_INIT;
    struct pubkey mine;
    struct pubkey theirs;
    bool found = false;
    char *path = league_path(league, PUBLIC_FILE);
    secret_public(&league->key, &mine);
    int rc = file_read(path, PRIVATE_MAX, &text, err);
    if (rc == 0) {
        struct slice rest = slice_str(&text);
        rc = pubkey_next(&rest, &theirs, &found, err);
    }
    if (rc == 0 && (!found || !pubkey_equal(&mine, &theirs)))
        rc = err_set(err, ERR_CONFIG, "it does not belong to %s; restore both from a backup", KEY_FILE);
    if (rc) {
        err->code = ERR_CONFIG;
        err_prefix(err, "%s", path);
    }
    str_release(&text);
    free(path);
    return rc;
}

/* From which byte on, how many. */
#define SECRETS     offsetof(struct league, key)
#define SECRETS_LEN (offsetof(struct league, vrf_public) - SECRETS)

int league_keys(struct league *league, struct err *err)
{
    struct stat st;
    char *folder = league_path(league, "keys/secret");
    char *path = league_path(league, KEY_FILE);
    int rc = 0;
    private_process();
    private_lock((char *)league + SECRETS, SECRETS_LEN);
    if (stat(folder, &st) != 0)
        rc = err_sys(err, ERR_CONFIG, "cannot look into %s", folder);
    else if (st.st_mode & 077)
        rc = err_set(err, ERR_CONFIG, "%s is open to others; run: chmod 700 %s", folder, folder);
    if (rc == 0)
        rc = private_owner(&st, "the secret keys", folder, err);
    if (rc == 0 && secret_load(path, &league->key, err) != 0) {
        err->code = ERR_CONFIG; /* a missing key is not ERR_MISSING, which is about an argument */
        rc = -1;
    }
    if (rc == 0)
        rc = read_hex(league, VRF_FILE, "the key of the dice", league->vrf_secret, err);
    if (rc == 0 && !vrf_public(league->vrf_public, league->vrf_secret))
        rc = err_set(err, ERR_CONFIG, "%s/%s is no key; restore it from a backup", league->dir, VRF_FILE);
    if (rc == 0)
        rc = read_hex(league, MASTER_FILE, "the key of the seals", league->master, err);
    if (rc == 0)
        rc = check_public(league, err);
    if (rc == 0)
        rc = policy_file_check(league->dir, league->key.point, err);
    free(folder);
    free(path);
    return rc;
}

bool league_master(const char *dir, unsigned char master[32])
{
    struct err ignored = ERR_INIT;
    struct league league = {.dir = mem_strdup(dir)};
    bool there = read_hex(&league, MASTER_FILE, "the key of the seals", master, &ignored) == 0;
    free(league.dir);
    return there;
}

bool league_master_of(const char *journal, unsigned char master[32])
{
    struct slice rest = slice_of(journal);
    for (int up = 0; up < 3; up++) { /* the file, the game, games/ */
        const char *slash = rest.len ? memrchr(rest.p, '/', rest.len) : NULL;
        if (up < 2 && !slash)
            return false;
        rest.len = slash ? (size_t)(slash - rest.p) : 0;
    }
    char *dir = rest.len ? slice_dup(rest) : mem_strdup(*journal == '/' ? "/" : ".");
    bool there = league_master(dir, master);
    free(dir);
    return there;
}

struct store *league_games(const struct league *league)
{
    unsigned char master[32];
    char *games = league_path(league, "games");
    struct store *store = store_open(games);
    if (!sodium_is_zero(league->master, sizeof league->master))
        store_give_master(store, league->master);
    else if (league_master(league->dir, master))
        store_give_master(store, master);
    sodium_memzero(master, sizeof master);
    free(games);
    return store;
}

/* Options that name files are relative to the league's folder. */
void league_fingerprint(const struct league *league, char print[KEY_FINGERPRINT])
{
    struct pubkey key;
    secret_public(&league->key, &key);
    pubkey_fingerprint(print, &key);
}

static void resolve(const struct league *league, char **path)
{
    if (!**path)
        return;
    char *whole = league_path(league, *path);
    free(*path);
    *path = whole;
}

static void resolve_all(struct league *league)
{
    struct config *config = &league->config;
    char **const paths[] = {&config->incoming.maildir,
                            &config->incoming.server.ca_file,
                            &config->incoming.server.password_file,
                            &config->witness.ca_file,
                            &config->witness.policy,
                            &config->site.folder,
                            &config->store.password_file,
                            &config->outgoing.maildir,
                            &config->outgoing.server.ca_file,
                            &config->outgoing.server.password_file};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        resolve(league, paths[i]);
    if (config->outgoing.pictures == PICTURES_AUTO)
        config->outgoing.pictures = painter_installed() ? PICTURES_YES : PICTURES_NO;
}

/* There may be a league, and it is another user's. */
static void refuse_stranger(const struct league *league, struct err *err)
{
    struct stat st;
    const struct passwd *owner = stat(league->dir, &st) == 0 ? getpwuid(st.st_uid) : NULL;
    err_set(err, ERR_CONFIG,
            "this user may not read %s/%s (permission denied)%s%s: run turnpost as the user whose league "
            "it is, for example with sudo -u %s",
            league->dir, CONFIG_FILE, owner ? "; the folder belongs to " : "", owner ? owner->pw_name : "",
            owner ? owner->pw_name : "USER");
}

static int read_config(struct league *league, struct err *err)
{
    char *path = league_path(league, CONFIG_FILE);
    struct stat st;
    int rc = -1;
    bool there = stat(path, &st) == 0;
    if ((!there && errno == EACCES) || (there && access(path, R_OK) != 0))
        refuse_stranger(league, err);
    else if (!there && errno != ENOENT && errno != ENOTDIR)
        err_sys(err, ERR_CONFIG, "cannot examine %s", path);
    else if (!there)
        err_set(err, ERR_MISSING,
                "%s holds no league (there is no %s); name its folder with --league, or make one: turnpost "
                "init DIR",
                league->dir, CONFIG_FILE);
    else if (config_load(path, &league->config, err) == 0)
        rc = zone_set(league->config.league.timezone, err) == 0
                 ? 0
                 : err_prefix(err, "%s: [league] timezone", path);
    free(path);
    if (rc == 0)
        resolve_all(league);
    return rc;
}

int league_new_life(const char *dir, struct err *err)
{
    struct str word = STR_INIT;
    char *path = path_join(dir, LEAGUE_LIFE_FILE);
    str_addf(&word, "r%llx\n", (unsigned long long)clock_system());
    int rc = file_write_soft(path, slice_str(&word), 0600, err);
    str_release(&word);
    free(path);
    return rc;
}

static int read_life(struct league *league, struct err *err)
{
    struct str text = STR_INIT;
    char *path = league_path(league, LEAGUE_LIFE_FILE);
    int rc = file_exists(path) ? file_read(path, LEAGUE_LIFE, &text, err) : 0;
    struct slice word = slice_trim(slice_str(&text));
    if (rc == 0 && word.len && (word.len >= sizeof league->life || !name_valid(word)))
        rc = err_set(err, ERR_BROKEN, "%s holds no word: restore the backup again", path);
    if (rc == 0 && word.len)
        memcpy(league->life, word.p, word.len);
    str_release(&text);
    free(path);
    return rc;
}

int league_lock(struct league *league, struct err *err)
{
    char *path = league_path(league, LOCK_FILE);
    int rc = file_lock(path, &league->lock, err);
    free(path);
    return rc;
}

enum purpose { TO_READ, TO_CHECK, TO_WORK };

static int open_for(const char *dir, enum purpose purpose, struct league *league, struct err *err)
{
    *league = (struct league){.dir = mem_strdup(dir), .lock = -1, .painter = -1, .helper = -1};
    int rc = read_config(league, err);
    if (rc == 0 && purpose != TO_READ)
        rc = league_lock(league, err) || league_keys(league, err) ? -1 : 0;
    if (rc == 0 && purpose == TO_WORK)
        rc = shared_take(league, err);
    if (rc == 0) /* as all hosts have it by now */
        rc = read_life(league, err);
    if (rc)
        league_close(league);
    return rc;
}

int league_open(const char *dir, bool work, struct league *league, struct err *err)
{
    return open_for(dir, work ? TO_WORK : TO_READ, league, err);
}

int league_open_copy(const char *dir, struct league *league, struct err *err)
{
    return open_for(dir, TO_CHECK, league, err);
}

void league_close(struct league *league)
{
    shared_leave(league);
    free(league->dir);
    config_release(&league->config);
    if (league->lock >= 0)
        close(league->lock);
    private_unlock((char *)league + SECRETS, SECRETS_LEN);
    sodium_memzero(league, sizeof *league);
    league->lock = league->painter = league->helper = -1;
}

/* ---- mail ---- */

static const struct config_server *server_of(const struct league *league, enum league_side side)
{
    return side == LEAGUE_INCOMING ? &league->config.incoming.server : &league->config.outgoing.server;
}

int league_secret(const struct league *league, enum league_side side, char **secret, struct err *err)
{
    const struct config_server *server = server_of(league, side);
    bool token = *server->token_command != '\0';
    const char *which = token                       ? "token_command"
                        : *server->password_command ? "password_command"
                        : *server->password_file    ? "password_file"
                                                    : "password_env";
    struct str what = STR_INIT;
    if (league->helper >= 0)
        return helper_secret(league->helper, side, secret, err);
    str_addf(&what, "league.ini: [%s] %s", side == LEAGUE_INCOMING ? "incoming" : "outgoing", which);
    int rc = config_secret(&(struct config_secret){what.p,
                                                   token ? server->token_command : server->password_command,
                                                   server->password_file, server->password_env},
                           secret, err);
    str_release(&what);
    return rc;
}

static int usual_port(enum league_side side, enum tls_mode tls)
{
    if (side == LEAGUE_INCOMING)
        return tls == TLS_IMPLICIT ? 993 : 143;
    return tls == TLS_IMPLICIT ? 465 : 587;
}

int league_server(const struct league *league, enum league_side side, struct server *server, char **secret,
                  struct err *err)
{
    const struct config_server *config = server_of(league, side);
    bool token = *config->token_command != '\0';
    if (league_secret(league, side, secret, err))
        return -1;
    *server = (struct server){
        .host = config->host,
        .port = config->port ? config->port : usual_port(side, config->tls),
        .tls = config->tls,
        .ca_file = *config->ca_file ? config->ca_file : NULL,
        .user = *config->user ? config->user : NULL,
        .password = token ? NULL : *secret,
        .token = token ? *secret : NULL,
        .timeout = config->timeout,
    };
    return 0;
}

static int imap_source(const struct league *league, const struct folders *names, struct source **out,
                       struct err *err)
{
    const struct config *config = &league->config;
    struct server server;
    char *secret = NULL;
    int rc = league_server(league, LEAGUE_INCOMING, &server, &secret, err);
    server.poll = config->incoming.poll;
    if (rc == 0)
        rc = source_open_imap(&server, names, (size_t)config->limits.mail_size, out, err);
    if (secret)
        sodium_memzero(secret, strlen(secret));
    free(secret);
    return rc;
}

static struct folders folders_of(const struct config *config)
{
    return (struct folders){config->incoming.mailbox,
                            {[MAIL_PROCESSED] = config->incoming.processed,
                             [MAIL_REJECTED] = config->incoming.rejected,
                             [MAIL_FAILED] = config->incoming.failed}};
}

int league_source(const struct league *league, struct source **out, struct err *err)
{
    const struct config *config = &league->config;
    const struct folders names = folders_of(config);
    return config->incoming.type == IN_MAILDIR
               ? source_open_maildir(config->incoming.maildir, (size_t)config->limits.mail_size, out, err)
               : imap_source(league, &names, out, err);
}

/* The folder as the source, and the mailbox as the place where its mails go when done. The folder is named as another
 * place, too: then it is made if it is missing. */
static int take_back_imap(const struct league *league, const struct take_back *what, size_t *count,
                          struct err *err)
{
    const struct folders names = folders_of(&league->config);
    const struct folders swapped = {names.folder[what->from],
                                    {[MAIL_PROCESSED] = names.mailbox,
                                     [MAIL_REJECTED] = names.folder[what->from],
                                     [MAIL_FAILED] = names.folder[MAIL_FAILED]}};
    struct source *source = NULL;
    int rc = imap_source(league, &swapped, &source, err);
    if (rc == 0)
        rc = source_move_since(source, what->since, count, err);
    source_close(source);
    return rc;
}

int league_take_back(const struct league *league, const struct take_back *what, size_t *count,
                     struct err *err)
{
    const struct config *config = &league->config;
    *count = 0;
    return config->incoming.type == IN_MAILDIR ? maildir_take_back(config->incoming.maildir, what, count, err)
                                               : take_back_imap(league, what, count, err);
}

int league_sink(const struct league *league, struct sink *sink, char **secret, struct err *err)
{
    const struct config *config = &league->config;
    *secret = NULL;
    *sink = (struct sink){
        .kind = config->outgoing.type,
        .maildir = config->outgoing.maildir,
        .command = config->outgoing.sendmail,
        .connections = config->outgoing.connections,
        .expire = config->outgoing.expire,
        .run = league->helper >= 0 ? helper_sendmail : NULL,
        .run_arg = league->helper,
    };
    return config->outgoing.type == SINK_SMTP
               ? league_server(league, LEAGUE_OUTGOING, &sink->smtp, secret, err)
               : 0;
}

/* ---- the clock of new games ---- */

int league_clock(const struct league *league, struct schedule *schedule, struct err *err)
{
    const struct config *config = &league->config;
    struct str text = STR_INIT;
    int rc = 0;
    schedule_init(schedule);
    schedule->grace = config->clock.grace;
    schedule->minimum = config->clock.minimum;
    schedule->early = config->clock.early;
    schedule->weekends_off = config->clock.weekends_off;
    schedule->vote = config->clock.vote;
    schedule->extension = config->clock.extension;
    if (*config->clock.schedule) {
        rc = schedule_parse(slice_of(config->clock.schedule), config->league.timezone, schedule, err);
    } else {
        schedule->length = config->league.deadline;
        (void)snprintf(schedule->zone, sizeof schedule->zone, "%s", config->league.timezone);
    }
    if (rc == 0)
        rc = schedule_holidays(slice_of(config->clock.holidays), schedule, err);
    if (rc == 0 && *config->clock.holidays_file) {
        char *path = league_path(league, config->clock.holidays_file);
        rc = file_read(path, HOLIDAYS_MOST, &text, err);
        if (rc == 0 && schedule_holidays(slice_str(&text), schedule, err))
            rc = err_prefix(err, "%s", path);
        free(path);
    }
    str_release(&text);
    return rc;
}
