/* The judge: what must hold whatever happens. It knows what people sent and got, and reads the league's files. */
#include "sim/sim.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "audit/audit.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/commands.h"
#include "game/cache.h"
#include "game/game_load.h"
#include "publish/receipts.h"
#include "publish/reply_says.h"

bool mail_field(const struct str *raw, const char *name, char *out, size_t size)
{
    size_t len = strlen(name), n = 0;
    *out = '\0';
    for (const char *line = raw->p; *line && *line != '\n';
         line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncasecmp(line, name, len) != 0 || line[len] != ':')
            continue;
        for (const char *at = line + len + 1 + (line[len + 1] == ' '); *at && n + 1 < size;
             at++) { /* unfolded */
            if (*at == '\n' && at[1] != ' ' && at[1] != '\t')
                break;
            if (*at != '\n')
                out[n++] = *at;
        }
        out[n] = '\0';
        return true;
    }
    return false;
}

/* ---- after each round that nothing disturbed ---- */

static int64_t *worked; /* when one was done, in order */
static size_t worked_count, worked_cap;

/* Has a game's journal been one that cannot be read, so that nothing of it was worked on or mended? */
static bool waits_to_be_read(void)
{
    return *world.unread || now() < world.unread_until + 86400;
}

void judge_round(const struct work_sum *sum, int rc, const struct err *err)
{
    if (rc && (world.wrong || world.deaf)) /* the clock is not believed; no mail comes */
        return;
    MUST(rc || !world.locked, "the league works with a wrong secret");
    if (world.locked)
        return;
    MUST(rc == 0, "a round fails: %s", err->text);
    MUST(!world.batch.torn, "a commit is torn, and the disk was in order");
    MUST(waits_to_be_read() || (!sum->broken && ((!sum->stuck && !sum->left) || world.on[F_faulty]) &&
                                (!sum->damaged || world.spoilt)),
         "a round has %zu broken, %zu stuck, %zu left, %zu damaged", sum->broken, sum->stuck, sum->left,
         sum->damaged);
    worked = mem_grow(worked, worked_count, &worked_cap, sizeof *worked);
    worked[worked_count++] = now();
}

/* ---- journals ---- */

static void audit_view(const char *id, enum audit_view view, const struct str *journal)
{
    struct lines one;
    struct audit audit;
    struct audit_result result;
    struct err err = ERR_INIT;
    lines_memory(&one, slice_str(journal));
    audit_init(&audit, &one);
    audit.master = world.master;
    audit.view = view;
    audit.seat = 1;
    audit.says = reply_says;
    MUST_DO(audit_run(&audit, &result, &err), err);
    counted->audits++;
    MUST(result.verdict == (view == AUDIT_MODERATOR || result.opened ? AUDIT_PROVED : AUDIT_PARTLY),
         "audit of %s, view %d: %s at record %lld (%s): %s", id, (int)view,
         audit_verdict_name(result.verdict), (long long)result.first.seq, result.first.type,
         result.first.text);
}

/* Those that have grown since they were looked at; at the end all, by everybody's eyes. */
static void judge_journals(bool end)
{
    static size_t seen[GAMES_MOST];
    for (int g = 0; g < world.games && (end || !waits_to_be_read()); g++) {
        struct str journal;
        world_slurp(&journal, "games/%s/journal.jsonl", world.game[g]);
        for (int view = AUDIT_MODERATOR;
             journal.len && (end || journal.len != seen[g]) && view <= (end ? AUDIT_PUBLIC : AUDIT_MODERATOR);
             view++)
            audit_view(world.game[g], (enum audit_view)view, &journal);
        seen[g] = journal.len;
        str_release(&journal);
    }
}

/* Whether one journal, they end with a form feed, names it twice; the answer to a mail about all games may be in several. */
static bool named_twice(const char *at, const char *hex)
{
    for (const char *next; at && (next = strstr(at + 1, hex)) != NULL; at = next)
        if (!memchr(at, '\f', (size_t)(next - at)))
            return true;
    return false;
}

/* When the record was made that says this. */
static int64_t record_time(const char *all, const char *at)
{
    int64_t time = 0;
    while (at > all && at[-1] != '\n' && at[-1] != '\f')
        at--;
    at = strstr(at, "\"time\":\"") + strlen("\"time\":\"");
    MUST(clock_parse((struct slice){at, strcspn(at, "\"")}, &time), "a record has no time");
    return time;
}

/* Orders with a receipt are in a journal once, by the digest of their mail; of what has "changed nothing" nothing is, and what waits
 * has not counted in a round before. */
static void judge_orders(bool end)
{
    struct str all = STR_INIT;
    for (int g = 0; g < world.games; g++) {
        struct str journal;
        world_slurp(&journal, "games/%s/journal.jsonl", world.game[g]);
        str_addslice(&all, slice_str(&journal));
        str_adds(&all, "\f");
        str_release(&journal);
    }
    str_adds(&all, "");
    for (size_t i = 0; i < written_count; i++) {
        char hex[65];
        if ((!written[i].received && !written[i].unchanged && !written[i].waits) ||
            (!end && written[i].heard < now() - 3 * 86400))
            continue;
        hex_to(hex, written[i].digest, 32);
        const char *at = strstr(all.p, hex);
        MUST(at || !written[i].received, "a mail of %s counts, says \"%s\", and is in no journal (%s)",
             written[i].who, written[i].said, written[i].id);
        MUST(!at || !written[i].waits || HAD(F_clock) || hosts_many() ||
                 record_time(all.p, at) > written[i].waits - world.minutes * 60,
             "a mail of %s waits, they are told, and counted before (%s)", written[i].who, written[i].id);
        MUST(!named_twice(at, hex), "a mail of %s is in a journal twice (%s)", written[i].who, written[i].id);
        MUST(!at || !written[i].unchanged ||
                 counted->lost_power ||             /* the catalog was younger when it came again */
                 strstr(written[i].id, "-digest-"), /* it asks back, in each game */
             "a mail of %s has changed nothing, they are told, and is in a journal (%s)", written[i].who,
             written[i].id);
    }
    str_release(&all);
}

/* ---- in time ---- */

static const struct written *written_as(const char *hex)
{
    static json_t *all; /* by its digest, the number */
    static size_t known;
    if (!all)
        all = json_object();
    for (; known < written_count; known++) {
        char own[65];
        hex_to(own, written[known].digest, 32);
        json_object_set_new(all, own, json_integer((json_int_t)known));
    }
    const json_t *number = hex ? json_object_get(all, hex) : NULL;
    return number ? &written[json_integer_value(number)] : NULL;
}

/* Mails are read in the order in which they came, and then the clock is looked at. So whoever is told that a turn was played
 * before their orders came had them come after the mail that completed it, or after the round in which it was due. */
static void judge_late(const struct written *mail)
{
    struct str journal;
    struct slice rest, line;
    struct err err = ERR_INIT;
    json_t *record, *before = NULL;
    world_slurp(&journal, "games/%s/journal.jsonl", mail->game);
    bool plain = !strstr(journal.p ? journal.p : "", "\"rollback\"") &&
                 !strstr(journal.p ? journal.p : "", "\"kind\":\"lost\"");
    rest = slice_str(&journal);
    for (bool found = !plain; !found && slice_line(&rest, &line); before = record) {
        record = json_read(line, "record", &err);
        const char *type = json_string_value(json_object_get(record, "type")), *kind;
        if (strcmp(type, "close") == 0 && json_integer_value(json_object_get(record, "turn")) == mail->turn) {
            const struct written *last = written_as(json_string_value(json_object_get(before, "mail")));
            int64_t closed = 0;
            MUST(clock_parse(slice_of(json_string_value(json_object_get(record, "time"))), &closed),
                 "a record has no time");
            kind = json_string_value(json_object_get(before, "kind"));
            found = true;
            if (last)
                MUST(mail->at >= last->at,
                     "a mail of %s (%s) came before that which completed its turn, and was too late",
                     mail->who, mail->id);
            else if (kind && strcmp(kind, "reminder") == 0)
                MUST(mail->at > closed,
                     "a mail of %s (%s) came %lld s before its turn was closed, and was too late", mail->who,
                     mail->id, (long long)(closed - mail->at));
        }
        json_decref(before);
    }
    json_decref(before);
    str_release(&journal);
}

static void judge_times(void)
{
    const bool waited = HAD(F_clock, F_spoilt, F_secret, F_unread, F_faulty);
    for (size_t i = 0; !waited && i < written_count; i++)
        if (written[i].late && written[i].at)
            judge_late(&written[i]);
}

/* ---- mails ---- */

/* All of it, and all but what proves it. */
static void digest_of(const struct str *raw, char hex[129])
{
    unsigned char hash[32];
    const char *after =
        strncmp(raw->p, "Date: ", 6) == 0 ? strchr(raw->p, '\n') : raw->p; /* it says when it left */
    const char *proof = strstr(after, "-----BEGIN TURNPOST PROOF-----"), *end = proof;
    struct str text = STR_INIT;
    for (const char *next = proof; next && (next = strstr(next, "-----END TURNPOST PROOF-----")); next++)
        end = next;
    crypto_generichash(hash, sizeof hash, (const unsigned char *)after, raw->len - (size_t)(after - raw->p),
                       NULL, 0);
    hex_to(hex, hash, sizeof hash);
    str_addf(&text, "%.*s%s", end ? (int)(proof - after) : 0, after, end ? end : after);
    crypto_generichash(hash, sizeof hash, (const unsigned char *)text.p, text.len, NULL, 0);
    hex_to(hex + 64, hash, sizeof hash);
    str_release(&text);
}

/* What a mail says of its game has happened. */
static void judge_news(const struct person *person, const struct str *raw)
{
    static const struct {
        const char *subject, *record;
    } rows[] = {{"] The game has begun", "\"type\":\"start\""},
                {"It is over: you", "\"type\":\"end\""},
                {"It is over: nobody", "\"type\":\"end\""},
                {": your orders)", "\"type\":\"turn\""},
                {"is played now", "\"do\":\"resolve\""},
                {"] Paused by a moderator", "\"do\":\"pause\""},
                {"] Resumed", "\"do\":\"resume\""},
                {"] New deadline of turn", "\"do\":\"extend\""},
                {"] Taken back: turn", "\"do\":\"rollback\""},
                {"] The game is void", "\"do\":\"void\""},
                {"has moved", "\"kind\":\"shift\""},
                {"] Your vote for more time", "\"kind\":\"vote\""},
                {"] Your message", "\"kind\":\"press\""},
                {"] We have your appeal of", "\"kind\":\"appeal\""},
                {"] A ruling about", "\"kind\":\"ruling\""},
                {"asks for more time", "\"kind\":\"vote\""},
                {"] The game goes on without witnesses", "\"kind\":\"unwitness\""},
                {" waits: no answer from its witness", "\"kind\":\"late\""},
                {"] The league has lost records", "\"kind\":\"lost\""}};
    char subject[300];
    struct str journal;
    if (!mail_field(raw, "Subject", subject, sizeof subject) || *subject != '[')
        return;
    world_slurp(&journal, "games/%.*s/journal.jsonl", (int)strcspn(subject + 1, "]"), subject + 1);
    for (size_t i = 0; journal.len && i < sizeof rows / sizeof *rows; i++)
        MUST(!says(subject, rows[i].subject) || strstr(journal.p, rows[i].record),
             "%s is told \"%s\", and no record says %s", person->name, subject, rows[i].record);
    const char *open = says(subject, " (turn "); /* then the one before it has been played */
    int turn = open ? atoi(open + strlen(" (turn ")) - 1 : 0;
    char among[40], last[40]; /* of a record's members */
    (void)snprintf(among, sizeof among, "\"turn\":%d,", turn);
    (void)snprintf(last, sizeof last, "\"turn\":%d}", turn);
    MUST(turn < 1 || !journal.len || strstr(journal.p, among) || strstr(journal.p, last),
         "%s is told \"%s\", and no record has it", person->name, subject);
    str_release(&journal);
}

/* Of each person: what they got under each Message-ID and address; of which records ("GAME.NUMBER"); a digest, at some time. */
static json_t *seen[PEOPLE_MOST], *reported[PEOPLE_MOST];
static bool digested[PEOPLE_MOST];

/* A mail to them was sent under that id: "game.record.number@host". */
static void was_sent(int i, const struct str *raw, const char *id)
{
    char front[200];
    if (!reported[i])
        reported[i] = json_object();
    digested[i] |= says(raw->p, " in one\n") != NULL;
    (void)snprintf(front, sizeof front, "%.*s", (int)strcspn(id + 1, "@"), id + 1);
    if (strrchr(front, '.'))
        *strrchr(front, '.') = '\0';
    json_object_set_new(reported[i], front, json_true());
}

void judge_lost(int i, const struct str *raw)
{
    char id[200];
    if (mail_field(raw, "Message-ID", id, sizeof id))
        was_sent(i, raw, id);
}

/* One Message-ID, one content to each; and one copy, where nothing has died or lied. (That a mail waits for name servers is told each day.) */
static void judge_mail(int i, const struct str *raw)
{
    bool quiet = !HAD(F_smtp) && !world.on[F_dns] && !counted->crashes && !counted->errors;
    const char *name = world.person[i].name;
    char id[400], to[100], hex[129];
    if (!mail_field(raw, "Message-ID", id, 200))
        return;
    (void)mail_field(raw, "To", to, sizeof to);
    strcat(strcat(id, " "), to);
    digest_of(raw, hex);
    const char *was = json_string_value(json_object_get(seen[i], id));
    /* What waited when the copy was made is proved by the log that the restored league has begun. */
    MUST(!was || strcmp(was + (world.relogged ? 64 : 0), hex + (world.relogged ? 64 : 0)) == 0,
         "two mails to %s have the Message-ID %s", name, id);
    MUST(!was || !quiet, "a mail to %s came twice: %s", name, id);
    json_object_set_new(seen[i], id, json_string(hex));
    if (!was) {
        judge_news(&world.person[i], raw);
        judge_log_mail(name, raw);
    }
    was_sent(i, raw, id);
}

static void judge_mails(void)
{
    static size_t looked[PEOPLE_MOST];
    for (int i = 0; i < world.people; i++) {
        if (!seen[i])
            seen[i] = json_object();
        for (; looked[i] < world.person[i].count; looked[i]++) {
            struct str raw;
            post_read(&world.person[i].mails[looked[i]], &raw);
            if (!world.person[i].mails[looked[i]].own)
                judge_mail(i, &raw);
            str_release(&raw);
        }
    }
}

/* ---- at the end ---- */

/* Of games that a copy did not have, and that were made again under the same name by mails that were read again, their players
 * hold records of another game: that is what is called wrong, and it is so. */
static bool was_lost(const char *game)
{
    char name[60];
    (void)snprintf(name, sizeof name, " %s ", game);
    return world.lost.len && strstr(world.lost.p, name);
}

static void judge_receipts(void)
{
    static struct ledger ledgers[GAMES_MOST];
    struct err err = ERR_INIT;
    size_t count = 0;
    for (int g = 0; g < world.games; g++) {
        char *path = world_path("games/%s", world.game[g]);
        if (!was_lost(world.game[g])) {
            MUST_DO(ledger_open(path, &ledgers[count], &err), err);
            count++;
        }
        free(path);
    }
    for (int i = 0; count && i < world.people; i++) {
        struct receipts receipts;
        receipts_init(&receipts, ledgers, count, NULL);
        for (size_t k = 0; k < world.person[i].count; k++) {
            char name[30];
            struct str raw;
            (void)snprintf(name, sizeof name, "%zu", k);
            post_read(&world.person[i].mails[k], &raw);
            receipts_mail(&receipts, name, slice_str(&raw));
            str_release(&raw);
        }
        receipts_end(&receipts);
        for (size_t f = 0; f < receipts.finding_count; f++)
            MUST(receipts.finding[f].weight != RECEIPTS_WRONG, "receipt-check of %s: %s: %s",
                 world.person[i].name, receipts_kind_name(receipts.finding[f].kind),
                 receipts.finding[f].text);
        receipts_release(&receipts);
    }
    while (count)
        ledger_close(&ledgers[--count]);
}

/* Has the person a mail of that record, or of one of so many that came with it? */
static bool was_told(int i, const char *game, size_t seq, size_t more)
{
    bool has = digested[i]; /* a digest may have gathered it */
    for (size_t at = seq; !has && at <= seq + more; at++) {
        char front[80];
        (void)snprintf(front, sizeof front, "%s.%zu", game, at);
        has = json_object_get(reported[i], front);
    }
    return has;
}

/* Whose file could not be read, and the operator was told so: they are sent how the game stands when it can be. */
static bool left_out(const struct person *person, int64_t when)
{
    for (int i = 0; i < person->spoilt; i++)
        if (when >= person->spoilt_from[i] - 86400 && when <= person->spoilt_until[i])
            return true;
    return false;
}

/* Who wants one mail a day has it at their hour. */
static bool waits_for_digest(const struct person *person, int64_t when)
{
    struct str text;
    world_slurp(&text, "players/%s.json", person->name);
    bool waits = when > now() - 86400 && text.len && strstr(text.p, "\"digest\": true");
    str_release(&text);
    return waits;
}

/* Was a round done when everybody was to be reminded who wants it twelve hours before a deadline, or earlier? */
static bool could_remind(int64_t dated, int64_t deadline)
{
    const int64_t half = (dated + deadline) / 2, twelve = deadline - 43200,
                  from = half > twelve ? half : twelve;
    for (size_t i = 0; i < worked_count; i++)
        if (worked[i] >= from && worked[i] <= deadline - 3600)
            return true;
    return false;
}

/* Did rounds follow each other as they should, up to the one of this time? */
static bool worked_until(int64_t time)
{
    size_t i = worked_count;
    while (i > 0 && worked[i - 1] >= time)
        i--;
    return i > 0 && worked[i - 1] >= time - world.minutes * 60;
}

static int64_t time_in(const json_t *record, const char *member)
{
    int64_t time = 0;
    const char *text = json_string_value(json_object_get(record, member));
    MUST(!text || clock_parse(slice_of(text), &time), "%s is no time", text);
    return time;
}

static bool wants_reminders(const char *name)
{
    bool wants = false;
    for (int i = 0; i < world.people; i++)
        wants |= strcmp(world.person[i].name, name) == 0 && !world.person[i].unreminded;
    return wants;
}

/* Nobody misses a turn, by its deadline, of which they were not reminded, and no deadline moves for an outage that was none. */
static void judge_game_clock(const struct ledger *ledger, const char *game, struct slice journal)
{
    struct slice line;
    struct err err = ERR_INIT;
    uint32_t reminded = 0;
    int64_t deadline = 0, dated = 0;
    bool resolved = false; /* a moderator ends the turn */
    for (int64_t seq = 1; slice_line(&journal, &line); seq++) {
        json_t *record = json_read(line, "record", &err), *seat;
        MUST_DO(record ? 0 : -1, err);
        const char *type = json_string_value(json_object_get(record, "type")),
                   *kind = json_string_value(json_object_get(record, "kind"));
        const int64_t time = time_in(record, "time");
        size_t i;
        if (kind && strcmp(kind, "reminder") == 0)
            json_array_foreach (json_object_get(record, "seats"), i, seat)
                reminded |= 1U << json_integer_value(seat);
        else if (kind && strcmp(kind, "question") ==
                             0) /* it names the deadline, and no reminder comes right after it */
            reminded |= 1U << json_integer_value(json_object_get(record, "seat"));
        else if (strcmp(type, "close") == 0 && time >= deadline && !resolved)
            json_array_foreach (json_object_get(record, "missed"), i, seat)
                MUST((reminded >> json_integer_value(seat)) & 1 || !could_remind(dated, deadline) ||
                         !wants_reminders(ledger_sits(ledger, seq, (int)json_integer_value(seat))),
                     "seat %d of %s has missed turn %d without a reminder", (int)json_integer_value(seat),
                     game, (int)json_integer_value(json_object_get(record, "turn")));
        else if (json_object_get(record, "deadline")) {
            deadline = time_in(record, "deadline");
            dated = time;
        }
        const char *does = json_string_value(json_object_get(record, "do"));
        resolved = does && strcmp(does, "resolve") == 0;
        const char *why = json_string_value(json_object_get(record, "why"));
        MUST(!kind || strcmp(kind, "shift") != 0 || strcmp(why, "outage") != 0 || !worked_until(time),
             "%s is told of an outage that was none, in record %lld", game, (long long)seq);
        if (strcmp(type, "start") == 0 || strcmp(type, "turn") == 0)
            reminded = 0;
        json_decref(record);
    }
}

/* Was a round done in that time, so that what waited has left? */
static bool worked_between(int64_t from, int64_t to)
{
    size_t i = worked_count;
    while (i > 0 && worked[i - 1] >= to)
        i--;
    return i > 0 && worked[i - 1] > from;
}

/* Is it a record of which everybody hears, whatever they wish? That a deadline has moved is not told any more when it has passed; of
 * votes to go on without witnesses the one that decides is told, which gives another deadline. */
static bool is_for_all(struct slice line)
{
    static const char *const rows[] = {"\"kind\":\"lost\"", "\"kind\":\"ruling\"", "\"kind\":\"unwitness\""};
    struct err err = ERR_INIT;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (slice_find(line, rows[i]) < line.len)
            return i < 2 || slice_find(line, "\"deadline\"") < line.len;
    if (HAD(F_clock, F_smtp, F_unread) || slice_find(line, "\"kind\":\"shift\"") >= line.len)
        return false;
    json_t *record = json_read(line, "record", &err);
    const bool told = worked_between(time_in(record, "time"), time_in(record, "deadline"));
    json_decref(record);
    return told;
}

/* Whoever has a seat is sent the report of each turn that says so, and what is for all. */
static void judge_told(const struct ledger *ledger, const char *game, struct slice journal)
{
    struct slice line = {NULL, 0};
    for (size_t r = 0; r < ledger->count; r++) {
        (void)slice_line(&journal, &line);
        const bool all = is_for_all(line);
        for (int seat = 1; seat <= SEATS_MAX; seat++)
            for (int i = 0; (all || ledger->record[r].told & (1U << seat)) && i < world.people; i++)
                MUST(strcmp(world.person[i].name, ledger_sits(ledger, (int64_t)r + 1, seat)) != 0 ||
                         was_told(i, game, r + 1, all ? 0 : 4) ||
                         left_out(&world.person[i], ledger->record[r].time) ||
                         waits_for_digest(&world.person[i], ledger->record[r].time),
                     "%s is not told of record %zu of %s", world.person[i].name, r + 1, game);
    }
}

/* Of one round, what came first is recorded first. */
static void judge_order(const struct ledger *ledger, const char *game, struct slice journal)
{
    struct slice line;
    struct err err = ERR_INIT;
    const struct written *before = NULL;
    for (size_t r = 0; r < ledger->count && slice_line(&journal, &line); r++) {
        json_t *record = json_read(line, "record", &err);
        const struct written *mail = written_as(json_string_value(json_object_get(record, "mail")));
        if (r && ledger->record[r].time != ledger->record[r - 1].time)
            before = NULL;
        MUST(!mail || !before || mail->at >= before->at,
             "a mail of %s (%s) came before one of %s (%s), and was read after it, in %s", mail->who,
             mail->id, before->who, before->id, game);
        before = mail ? mail : before;
        json_decref(record);
    }
}

/* What is said of a game by one who reads its journal, in words and as its players do. */
static void judge_games(void)
{
    const bool right = !HAD(F_clock),
               read = right && !HAD(F_spoilt, F_secret, F_unread, F_faulty, F_deaf, F_restore);
    for (int g = 0; g < world.games; g++) {
        struct str journal;
        struct ledger ledger;
        struct err err = ERR_INIT;
        char *path = world_path("games/%s", world.game[g]);
        MUST_DO(ledger_open(path, &ledger, &err), err);
        world_slurp(&journal, "games/%s/journal.jsonl", world.game[g]);
        if (read && !hosts_many())
            judge_game_clock(&ledger, world.game[g], slice_str(&journal));
        if (right && !hosts_many())
            judge_order(&ledger, world.game[g], slice_str(&journal));
        judge_told(&ledger, world.game[g], slice_str(&journal));
        str_release(&journal);
        ledger_close(&ledger);
        free(path);
    }
}

/* The journal alone gives what it and the cache give. */
static void judge_cache(void)
{
    struct err err = ERR_INIT;
    MUST_DO(world_open(&err), err);
    struct store *store = world.batch.store;
    for (int g = 0; g < world.games; g++) {
        const unsigned char *const masters[] = {world.league.master, NULL};
        struct str state[2] = {STR_INIT, STR_INIT};
        for (int i = 0; i < 2; i++) {
            struct game game;
            MUST_DO(game_load(store, world.game[g], masters[i], &game, &err), err);
            MUST_DO(game_save(store, &game, world.league.master, &err), err);
            MUST_DO(store_read_state(store, world.game[g], &state[i], &err), err);
            game_release(&game);
        }
        MUST(strcmp(state[0].p, state[1].p) == 0, "%s: the journal gives another game than its cache",
             world.game[g]);
        str_release(&state[0]);
        str_release(&state[1]);
    }
    world_close();
}

/* Nothing is left lying about. */
static void judge_folders(void)
{
    static const char *const empty[] = {"spool/new", "spool/tmp", "mail/in/new", "mail/in/cur"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        struct file_names names;
        struct err err = ERR_INIT;
        char *path = path_join(world.dir, empty[i]);
        MUST_DO(file_list(path, &names, &err), err);
        MUST(names.count == 0, "%zu files are left in %s, first %s", names.count, empty[i], names.name[0]);
        file_names_free(&names);
        free(path);
    }
}

/* ---- secrets ---- */

static char *secrets[9]; /* the league's three, as bytes, in hex and in base64 */
static size_t secret_len[9];

static void look_for_secrets(const char *where, struct slice bytes)
{
    for (int i = 0; i < 9; i++)
        MUST(!memmem(bytes.p, bytes.len, secrets[i], secret_len[i]), "%s holds secret %d", where, i);
}

static int look_into(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    struct str bytes = STR_INIT;
    struct err err = ERR_INIT;
    (void)at;
    if (kind == FTW_F && st->st_size && !strstr(path, "/keys/secret/")) {
        MUST_DO(file_read(path, (size_t)1 << 30, &bytes, &err), err);
        look_for_secrets(path, slice_str(&bytes));
    }
    str_release(&bytes);
    return 0;
}

/* They are in no file outside of keys/secret, in no mail, and not in the log. */
static void judge_secrets(void)
{
    struct err err = ERR_INIT;
    MUST_DO(world_open(&err), err);
    const unsigned char *const keys[] = {world.league.key.key, world.league.vrf_secret, world.league.master};
    for (int i = 0; i < 9; i++) {
        struct str text = STR_INIT;
        if (i % 3 == 0)
            str_add(&text, (const char *)keys[i / 3], 32);
        else if (i % 3 == 1)
            hex_encode(&text, keys[i / 3], 32);
        else
            base64_encode(&text, keys[i / 3], 30); /* without the end, which hangs on what comes next */
        secret_len[i] = text.len;
        secrets[i] = str_detach(&text);
    }
    world_close();
    (void)nftw(world.dir, look_into, 16, FTW_PHYS);
    char log[120];
    (void)snprintf(log, sizeof log, "%s.log", world.dir);
    struct stat st;
    if (stat(log, &st) == 0)
        (void)look_into(log, &st, FTW_F, NULL);
    for (int i = 0; i < world.people; i++)
        for (size_t k = 0; k < world.person[i].count; k++) {
            struct str raw;
            post_read(&world.person[i].mails[k], &raw);
            look_for_secrets("a mail", slice_str(&raw));
            str_release(&raw);
        }
    for (int i = 0; i < 9; i++)
        free(secrets[i]);
}

/* All games and competitions, and ratings from results, as anybody can: 1 says that something is still sealed. */
static void judge_league(void)
{
    static const char *const audits[][7] = {{"audit", "--league", world.dir, "--jobs", "1", "--quiet", NULL},
                                            {"audit", "--league", world.dir, "--ratings", "--quiet", NULL}};
    char *results = path_join(world.dir, "competitions/results/journal.jsonl");
    for (int i = 0; i < (file_exists(results) ? 2 : 1) && world.games; i++) {
        int code = world_command(command_audit, audits[i]);
        MUST(code == 0 || code == 1, "turnpost audit%s: exit code %d", i ? " --ratings" : "", code);
    }
    free(results);
}

void judge_sometimes(bool undisturbed)
{
    static long orders_at, audit_at;
    static bool disturbed;
    judge_mails();
    if (hosts_many() || (undisturbed && (disturbed || world.round >= audit_at)))
        judge_log(!waits_to_be_read()); /* a database has a commit whole, or nothing of it */
    disturbed = !undisturbed;
    if (undisturbed && world.round >= audit_at) {
        judge_journals(false);
        audit_at = world.round + world.audit;
    }
    if (undisturbed && world.round >= orders_at) {
        judge_orders(false);
        judge_times();
        orders_at = world.round + 2880 / world.minutes;
    }
}

void judge_now(void)
{
    world_recount(); /* a power failure may have taken one back */
    judge_mails();
    judge_journals(false);
    judge_log(!waits_to_be_read());
    judge_orders(true);
}

void judge_end(void)
{
    world_close();
    world_recount();
    judge_journals(true);
    judge_log(true);
    judge_orders(true);
    judge_receipts();
    judge_games();
    judge_cache();
    judge_folders();
    judge_league();
    judge_times();
    judge_secrets();
}
