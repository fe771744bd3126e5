/* A league, the mails that one of its players has saved, and journals to hold them against: those of the
 * league, and what an operator with all keys makes of them. */
#ifndef TESTS_HOUSE_MAILBOX_H
#define TESTS_HOUSE_MAILBOX_H

#include "house/house.h"

#include "base/json.h"
#include "publish/receipts.h"

static struct house house;
static const char *const table[] = {"anna", "bob"};
static struct str sent; /* what anna sent and the league mailed her, one mail after the other, NUL between */
static int sent_count;

/* The game has that clock; NULL = turns of a day, and nothing else. */
static inline void begin_with(const struct schedule *clock)
{
    house_open(&house);
    house.clock = clock;
    for (int i = 0; i < 2; i++)
        house_player(&house, table[i]);
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    str_init(&sent);
    sent_count = 0;
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
}

static inline void begin(void)
{
    begin_with(NULL);
}

static inline void end(void)
{
    str_release(&sent);
    house_close(&house);
}

static inline void keep(struct slice mail)
{
    str_addslice(&sent, mail);
    str_addc(&sent, '\0');
    sent_count++;
}

/* The mails to anna, as she saves them; the spool is emptied. */
static inline void keep_mails(void)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        league_log_complete(house.batch.tlog, &mail.mail);
        if (strcmp(mail.envelope_to, "anna@example.net") == 0)
            keep(slice_str(&mail.mail));
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    house_empty_spool(&house);
}

/* Anna's copy of what she sent is not the mail as it arrived: servers put lines in front. */
static inline void keep_sent(void)
{
    struct str copy = STR_INIT;
    str_adds(&copy, "X-Mailer: hers\r\n");
    str_addslice(&copy, slice_str(&house.last_raw));
    keep(slice_str(&copy));
    str_release(&copy);
}

static inline void order(const char *name, int turn, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s#end\n", turn, lines);
    (void)house_signed(&house, name, name, text.p);
    if (strcmp(name, "anna") == 0)
        keep_sent();
    str_release(&text);
}

/* Two turns with orders of both, a third with anna's. */
static inline void play(void)
{
    for (int turn = 1; turn <= 2; turn++) {
        order("anna", turn, "explore near\n");
        order("bob", turn, "explore near\nresearch robots\n");
    }
    order("anna", 3, "explore near or bide\n");
    keep_mails();
}

static inline void play_to_the_end(void)
{
    for (int turn = 0; !house_find(&house, "gc-1")->over; turn++) {
        ck_assert_int_lt(turn, 60);
        house_clock(&house, house.now + 86401);
        keep_mails();
    }
}

/* ---- holding them against a journal ---- */

static struct ledger ledger;
static struct receipts receipts;

/* All that she has kept. */
static inline enum receipts_weight judge_mails(void)
{
    const char *at = sent.p;
    for (int i = 0; i < sent_count; i++) {
        char label[16];
        struct slice mail = slice_of(at);
        (void)snprintf(label, sizeof label, "mail %d", i + 1);
        receipts_mail(&receipts, label, mail);
        at += mail.len + 1;
    }
    receipts_end(&receipts);
    return receipts_verdict(&receipts);
}

static inline enum receipts_weight hold_path(const char *path, const struct pubkey *key)
{
    struct err err = ERR_INIT;
    ck_ok(ledger_open(path, &ledger, &err), err);
    receipts_init(&receipts, &ledger, 1, key);
    return judge_mails();
}

/* Without a journal. */
static inline enum receipts_weight hold_alone(const struct policy *policy)
{
    ledger = (struct ledger){.count = 0};
    receipts_init(&receipts, NULL, 0, NULL);
    receipts.policy = policy;
    return judge_mails();
}

static inline void let_go(void)
{
    receipts_release(&receipts);
    ledger_close(&ledger);
}

static inline char *game_dir(void)
{
    return path_join(house.dir, "games/gc-1");
}

static inline enum receipts_weight hold(void)
{
    char *path = game_dir();
    enum receipts_weight verdict = hold_path(path, NULL);
    free(path);
    return verdict;
}

static inline const struct receipts_finding *first(enum receipts_kind kind)
{
    for (size_t i = 0; i < receipts.finding_count; i++)
        if (receipts.finding[i].kind == kind)
            return &receipts.finding[i];
    ck_abort_msg("nothing of that kind was found, but: %s",
                 receipts.finding_count ? receipts.finding[0].text : "nothing");
    return NULL;
}

/* The journal with its records from `seq` on signed again by the league's own key, after a change of that one:
 * a member that is set (NULL = the record is left out). In a folder of its own. */
static inline char *rewrite(int64_t seq, const char *name, json_t *value)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT, out = STR_INIT;
    unsigned char prev[HEAD_BYTES] = {0};
    int64_t number = 0;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    for (const char *at = lines.p; at < lines.p + lines.len; at = strchr(at, '\n') + 1) {
        static const char *const own[] = {"game", "seq", "prev", "type", "time"};
        struct record record;
        ck_ok(record_parse((struct slice){at, (size_t)(strchr(at, '\n') - at) + 1}, &record, &err), err);
        json_t *fields = json_deep_copy(record.json);
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            json_object_del(fields, own[i]);
        if (record.seq == seq && name)
            json_object_set(fields, name, value);
        if (record.seq != seq || name)
            record_write(&out,
                         &(struct record_text){{"gc-1", ++number, prev}, record.type, record.time, fields},
                         prev);
        json_decref(fields);
        record_release(&record);
    }
    json_decref(value);
    char *dir = path_join(house.dir, "rewritten");
    char *path = path_join(dir, "journal.jsonl");
    ck_ok(file_mkdirs(dir, 0700, &err), err);
    ck_ok(file_write_soft(path, slice_str(&out), 0600, &err), err);
    free(path);
    str_release(&lines);
    str_release(&out);
    return dir;
}

static inline int64_t last_of(const char *type)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct str what = STR_INIT;
    int64_t seq = 0, found = 0;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    str_addf(&what, "\"type\":\"%s\"", type);
    struct slice rest = slice_str(&lines), line;
    while (slice_line(&rest, &line)) {
        seq++;
        if (slice_find(line, what.p) != (size_t)-1)
            found = seq;
    }
    str_release(&lines);
    str_release(&what);
    return found;
}

#endif
