/* Fills leagues for the figures, quickly and always alike.
 *
 *     league players DIR COUNT
 *         players p0, p1 ... with keys
 *
 *     league games DIR RULESET FIRST COUNT SEATS [DAYS]
 *         games g<FIRST>..., dealt at NOW, due a day later, or so many; no mails
 *
 *     league mails DIR MAILDIR GAMES SEATS COUNT
 *         COUNT signed order mails in a Maildir's new/, never of the last seat: no turn is complete
 *
 *     league spool DIR COUNT
 *         COUNT reports of a game's second turn in spool/new, for the four players p0 to p3, in rows of 25: mails
 *         of one game to one address, which leave one after the other
 *
 *     league clock DIR
 *         resolves what is due two days later, as run does; prints wall seconds, turns, mails and the calls
 *         of syncfs, fsync and fdatasync
 *
 * Seat s of game g is played by player (4g + s) of all players, round and round. */
#include "bench.h"
#include "../sits.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "work/work.h"
#include "batch/batch.h"
#include "mail/message.h"

#define GAMES_A_BATCH 500
#define ROW           25 /* mails of a game to an address in the spool */
#define READERS       4  /* of a game's mails there */

static size_t syncs;

/* In place of the C library's: counted. */
int syncfs(int fd)
{
    syncs++;
    return (int)syscall(SYS_syncfs, fd);
}

int fsync(int fd)
{
    syncs++;
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    syncs++;
    return (int)syscall(SYS_fdatasync, fd);
}

static void open_batch(struct batch *batch, struct league *league, const char *dir, int64_t now)
{
    struct err err = ERR_INIT;
    if (league_open(dir, true, league, &err) || batch_open(batch, league, now, &err))
        fail(&err);
}

static int number(const char *text)
{
    return (int)strtol(text, NULL, 10);
}

static void player_name(char name[PLAYER_NAME], int n)
{
    (void)snprintf(name, PLAYER_NAME, "p%d", n);
}

static void game_name(char name[GAME_NAME], int n)
{
    (void)snprintf(name, GAME_NAME, "g%d", n);
}

static int player_of(int game, int seat, int players)
{
    return (4 * game + seat) % players;
}

static void make_players(const char *dir, int count)
{
    struct err err = ERR_INIT;
    for (int i = 0; i < count; i++) {
        struct player player = {.html = true, .since = NOW};
        struct secret secret;
        struct pubkey key;
        struct str line = STR_INIT, path = STR_INIT;
        player_name(player.name, i);
        (void)snprintf(player.address, sizeof player.address, "p%d@players.test", i);
        player_secret(&secret, i);
        secret_public(&secret, &key);
        pubkey_format(&line, &key);
        str_addc(&line, '\n');
        str_addf(&path, "%s/keys/p%d.pub", dir, i);
        if (player_save(dir, &player, &err) || file_write_soft(path.p, slice_str(&line), 0644, &err))
            fail(&err);
        str_release(&line);
        str_release(&path);
    }
}

static void new_game(const struct batch *batch, const char *ruleset, int number, int seats, int days,
                     struct game *game, struct step *step)
{
    struct err err = ERR_INIT;
    char id[GAME_NAME], names[SEATS_MAX + 1][PLAYER_NAME];
    struct secret secret[SEATS_MAX + 1];
    struct sitter by[SEATS_MAX + 1] = {{NULL}};
    struct new_game how = {
        .id = id, .ruleset = ruleset_newest(ruleset), .seats = seats, .turn_length = days * DAY};
    game_name(id, number);
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = bench_option(&how.ruleset->options[i]);
    for (int seat = 1; seat <= seats; seat++) {
        const int player = player_of(number, seat, (int)batch->registry.count);
        player_name(names[seat], player);
        player_secret(&secret[seat], player);
        how.seat[seat].player = names[seat];
        by[seat].secret = &secret[seat];
    }
    if (sits_create(step, game, &how, by, &err))
        fail(&err);
}

static void make_games(const char *dir, const char *ruleset, int first, int count, int seats, int days)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    open_batch(&batch, &league, dir, NOW);
    struct step_keys keys = batch_keys(&batch);
    for (int i = 0; i < count; i++) {
        struct game game;
        struct step step;
        step_init(&step, &keys, NOW);
        new_game(&batch, ruleset, first + i, seats, days, &game, &step);
        struct batch_game *entry = batch_add(&batch, &game);
        str_addslice(&entry->records, slice_str(&step.records));
        step_release(&step);
        if ((i + 1) % GAMES_A_BATCH && i + 1 < count)
            continue;
        if (batch_commit(&batch, &err))
            fail(&err);
        batch_reset(&batch, true);
        if (batch_rest(&batch, 0, &err))
            fail(&err);
    }
    batch_close(&batch);
    league_close(&league);
    open_batch(&batch, &league, dir, NOW); /* which enters them in the list of what was made */
    batch_close(&batch);
    league_close(&league);
}

/* ---- mails ---- */

/* As Dovecot names what it delivers: time, microseconds, process, size, size with CRLF. (Names that only
 * count all hash to the same few values there, and moving such mails takes it ten times as long.) */
static void delivered_name(struct str *path, const char *maildir, int number, struct slice mail)
{
    size_t lines = 0;
    for (size_t i = 0; i < mail.len; i++)
        lines += mail.p[i] == '\n';
    str_addf(path, "%s/new/%d.M%06dP%d.bench,S=%zu,W=%zu", maildir, 1795176000 + number,
             (int)(number * 7919LL % 1000000), 500 + (int)(number * 104729LL % 30000), mail.len,
             mail.len + lines);
}

static void write_mail(const char *maildir, int number, int game, const char *head, int player, int seq)
{
    static const char *const lines[] = {"explore near or conquer best or bide\nbuild", "bide",
                                        "explore near\nbuild or bide"};
    struct err err = ERR_INIT;
    struct secret secret;
    struct str text = STR_INIT, mail = STR_INIT, path = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: g%d\nturn: 1\nhead: %s\nseq: %d\n\n%s\n#end\n", game, head, seq,
             lines[seq % 3]);
    str_addf(&mail,
             "From: Player %d <p%d@players.test>\nTo: orders@game.test\nSubject: Re: Galaxy Command, g%d\n"
             "Date: Fri, 20 Nov 2026 08:00:00 +0000\nMessage-ID: <%d@players.test>\n"
             "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
             "Content-Transfer-Encoding: 7bit\n\nDear league,\n\n%s",
             player, player, game, number, text.p);
    player_secret(&secret, player);
    sshsig_sign(&mail, secret.key, NS_ORDERS, slice_str(&text));
    str_addf(&mail, "\nBest wishes\nPlayer %d\n", player);
    delivered_name(&path, maildir, number, slice_str(&mail));
    if (file_write_soft(path.p, slice_str(&mail), 0644, &err))
        fail(&err);
    str_release(&text);
    str_release(&mail);
    str_release(&path);
}

/* Every mail of a batch is for another game, as far as there are enough. */
static void make_mails(const char *dir, const char *maildir, int games, int seats, int count)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    struct batch_game *entry;
    char id[GAME_NAME], head[2 * HEAD_BYTES + 1];
    open_batch(&batch, &league, dir, NOW);
    for (int i = 0; i < count; i++) {
        int round = i / games;
        int game = (int)((long)(i % games) * 7919 % games);
        int seat = 1 + round % (seats - 1);
        game_name(id, game);
        if (batch_game(&batch, id, &entry, &err))
            fail(&err);
        game_answer_head(head, &entry->game);
        write_mail(maildir, i, game, head, player_of(game, seat, (int)batch.registry.count), 1 + round);
    }
    batch_close(&batch);
    league_close(&league);
}

/* The report as one of many: whose it is, of which game and record. */
static void spool_again(const char *spool, struct outgoing *mail, int number, int64_t seq)
{
    struct err err = ERR_INIT;
    struct str id = STR_INIT, to = STR_INIT;
    int row = number / ROW;
    str_addf(&id, "g%d.%lld.%d", row / READERS, (long long)seq + number % ROW, row % READERS + 1);
    str_addf(&to, "p%d@players.test", row % READERS);
    free(mail->id);
    free(mail->envelope_to);
    mail->id = str_detach(&id);
    mail->envelope_to = str_detach(&to);
    if (spool_stage(spool, mail, &err) || spool_promote(spool, mail->id, &err))
        fail(&err);
}

/* Takes the report of a turn, and spools it again and again. */
static void make_spool(const char *dir, int count)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    struct game game;
    struct step step;
    struct outgoing mail;
    open_batch(&batch, &league, dir, NOW);
    struct step_keys keys = batch_keys(&batch);
    struct letters letters = batch_letters(&batch);
    step_init(&step, &keys, NOW);
    new_game(&batch, "galaxy-command", 0, 3, 1, &game, &step);
    if (step_resolve(&step, &game, &err) || step_resolve(&step, &game, &err))
        fail(&err);
    struct post *post = &step.posts[step.post_count - 1];
    if (letters_post(&letters, &game, post, &mail, &err) || !mail.id)
        fail(&err);
    for (int i = 0; i < count; i++)
        spool_again(batch.spool, &mail, i, post->seq);
    printf("bytes %zu\n", mail.mail.len);
    outgoing_release(&mail);
    step_release(&step);
    game_release(&game);
    batch_close(&batch);
    league_close(&league);
}

static double wall(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void run_clock(const char *dir)
{
    struct err err = ERR_INIT;
    struct league league;
    struct batch batch;
    struct work_sum sum = {0};
    struct spool_counts spooled;
    double began = wall();
    open_batch(&batch, &league, dir, NOW + 2 * DAY);
    if (work_clock(&batch, &sum, &err))
        fail(&err);
    batch_close(&batch);
    double spent = wall() - began;
    char *spool = league_path(&league, "spool");
    if (spool_count(spool, &spooled, &err))
        fail(&err);
    printf("seconds %.6f\nturns %zu\nmails %zu\nsyncs %zu\n", spent, sum.turns, spooled.waiting, syncs);
    free(spool);
    league_close(&league);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    mail_begin();
    if (strcmp(what, "players") == 0 && argc == 4)
        make_players(argv[2], number(argv[3]));
    else if (strcmp(what, "games") == 0 && (argc == 7 || argc == 8))
        make_games(argv[2], argv[3], number(argv[4]), number(argv[5]), number(argv[6]),
                   argc == 8 ? number(argv[7]) : 1);
    else if (strcmp(what, "mails") == 0 && argc == 7)
        make_mails(argv[2], argv[3], number(argv[4]), number(argv[5]), number(argv[6]));
    else if (strcmp(what, "spool") == 0 && argc == 4)
        make_spool(argv[2], number(argv[3]));
    else if (strcmp(what, "clock") == 0 && argc == 3)
        run_clock(argv[2]);
    else {
        (void)fprintf(stderr, "league players|games|mails|spool|clock ...: see the head of league.c\n");
        return 64;
    }
    return 0;
}
