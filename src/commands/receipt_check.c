#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "engine/receipts.h"
#include "mail/mbox.h"
#include "mail/message.h"
#include "trust/keyring.h"

#define FILE_LONGEST ((size_t)1 << 30)
#define KEY_FILE_MAX 65536

static const char details[] =
    "FILE is a saved mail, an mbox, a Maildir or a folder of saved mails: receipts and reports of the "
    "league, "
    "and copies of\n"
    "what you sent. --journal is a journal.jsonl, the folder of a published game, or a folder of such "
    "folders; it may be\n"
    "given several times. Every head that the league signed in a mail must be that of the journal's record, "
    "and every signed\n"
    "order must be in the journal. Without --key the key that the journal names is used: compare its "
    "fingerprint with the\n"
    "one you know. Needs no league. Exit code 0: the journal is what your mails say; 1: as far as that can "
    "be checked; 2: it\n"
    "is not.\n";

struct check {
    struct ledger *ledger;
    size_t ledger_count, ledger_cap;
    struct receipts receipts;
};

/* ---- journals ---- */

static int add_journal(struct check *check, const char *path, struct err *err)
{
    struct ledger one;
    if (ledger_open(path, &one, err))
        return -1;
    for (size_t i = 0; i < check->ledger_count; i++) {
        if (strcmp(check->ledger[i].file.id, one.file.id) != 0)
            continue;
        ledger_close(&one);
        return err_set(err, ERR_INPUT, "game %s is there twice (%s); name one journal a game",
                       check->ledger[i].file.id, path);
    }
    check->ledger = mem_grow(check->ledger, check->ledger_count, &check->ledger_cap, sizeof *check->ledger);
    check->ledger[check->ledger_count++] = one;
    return 0;
}

static bool has_journal(const char *path)
{
    char *inside = path_join(path, "journal.jsonl");
    bool has = file_is_plain(path) || file_is_plain(inside);
    free(inside);
    return has;
}

/* A journal, the folder of one, or a folder of such folders. */
static int add_journals(struct check *check, const char *path, struct err *err)
{
    struct file_names names;
    size_t before = check->ledger_count;
    if (has_journal(path))
        return add_journal(check, path, err);
    if (!file_exists(path))
        return err_set(err, ERR_MISSING, "%s does not exist", path);
    int rc = file_list(path, &names, err);
    if (rc)
        return -1;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *inside = path_join(path, names.name[i]);
        if (!file_is_plain(inside) && has_journal(inside))
            rc = add_journal(check, inside, err);
        free(inside);
    }
    file_names_free(&names);
    if (rc == 0 && check->ledger_count == before)
        rc = err_set(err, ERR_MISSING, "%s holds no journal.jsonl, nor do the folders in it", path);
    return rc;
}

/* ---- mails ---- */

static int add_file(struct check *check, const char *path, struct err *err)
{
    struct str raw = STR_INIT;
    int rc = strcmp(path, "-") == 0 ? command_read(path, FILE_LONGEST, &raw, err)
                                    : file_read(path, FILE_LONGEST, &raw, err);
    struct slice rest = slice_str(&raw);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (rc == 0 && mbox_likely(rest)) {
        struct slice mail;
        struct str label = STR_INIT;
        for (int number = 1; mbox_next(&rest, &mail); number++) {
            str_clear(&label);
            str_addf(&label, "%s, mail %d", name, number);
            receipts_mail(&check->receipts, label.p, mail);
        }
        str_release(&label);
    } else if (rc == 0) {
        receipts_mail(&check->receipts, name, rest);
    }
    str_release(&raw);
    return rc;
}

static int add_folder(struct check *check, const char *path, struct err *err)
{
    struct file_names names;
    int rc = file_list(path, &names, err);
    if (rc)
        return -1;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *file = path_join(path, names.name[i]);
        if (file_is_plain(file))
            rc = add_file(check, file, err);
        free(file);
    }
    file_names_free(&names);
    return rc;
}

static int add_mails(struct check *check, const char *path, struct err *err)
{
    static const char *const rooms[] = {"new", "cur"};
    if (strcmp(path, "-") == 0 || file_is_plain(path))
        return add_file(check, path, err);
    if (!file_exists(path))
        return err_set(err, ERR_MISSING, "%s does not exist", path);
    int rc = add_folder(check, path, err);
    for (size_t i = 0; rc == 0 && i < sizeof rooms / sizeof *rooms; i++) {
        char *room = path_join(path, rooms[i]);
        rc = add_folder(check, room, err); /* a missing one is empty */
        free(room);
    }
    return rc;
}

/* ---- saying ---- */

static void say_safe(const char *text)
{
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(text), false);
    (void)fputs(safe.p, stdout);
    str_release(&safe);
}

static void say_finding(const struct receipts *receipts, const struct receipts_finding *one)
{
    static const char *const words[] = {
        [RECEIPTS_WRONG] = "WRONG", [RECEIPTS_OPEN] = "open ", [RECEIPTS_GOOD] = "good "};
    (void)printf("%s %s", words[one->weight], one->game);
    if (one->seq)
        (void)printf(", record %lld", (long long)one->seq);
    (void)printf(": ");
    say_safe(one->text);
    (void)printf("\n");
    if (one->mail == RECEIPTS_NOWHERE)
        return;
    const struct receipts_mail *mail = &receipts->mail[one->mail];
    (void)printf("      ");
    say_safe(mail->label);
    if (*mail->id) {
        (void)printf(" <");
        say_safe(mail->id);
        (void)printf(">");
    }
    if (*mail->subject) {
        (void)printf(" ");
        say_safe(mail->subject);
    }
    (void)printf("\n");
}

static void say(const struct receipts *receipts, bool all)
{
    for (size_t i = 0; i < receipts->ledger_count; i++) {
        const struct ledger *ledger = &receipts->ledger[i];
        struct pubkey key = {.kind = KEY_SSH};
        char print[KEY_FINGERPRINT];
        memcpy(key.point, ledger->file.key, sizeof key.point);
        pubkey_fingerprint(print, &key);
        (void)printf("%s: %zu records, %s, key %s\n", ledger->file.id, ledger->count,
                     ledger->opened ? "its seals are open" : "sealed", print);
    }
    (void)printf("%zu mails: %zu signed heads of records and %zu signed orders are in the journals\n",
                 receipts->mail_count, receipts_count(receipts, RECEIPTS_HEAD),
                 receipts_count(receipts, RECEIPTS_ORDERS));
    if (receipts->foreign)
        (void)printf("%zu mails are about games whose journals were not given\n", receipts->foreign);
    if (receipts->unreadable)
        (void)printf("%zu mails could not be read\n", receipts->unreadable);
    for (size_t i = 0; i < receipts->finding_count; i++)
        if (all || receipts->finding[i].weight != RECEIPTS_GOOD)
            say_finding(receipts, &receipts->finding[i]);
    if (!receipts->claim_count)
        (void)printf("No mail bears a head of these games that the league signed: nothing was checked.\n");
    if (!receipts->key)
        (void)printf("The key is the one that the journal names: compare it with the one you know, or use "
                     "--key.\n");
    (void)printf("The journal %s.\n", receipts_verdict(receipts) == RECEIPTS_WRONG
                                          ? "is NOT what your mails say"
                                      : receipts_verdict(receipts) == RECEIPTS_OPEN
                                          ? "is what your mails say, as far as it could be checked"
                                          : "is what your mails say");
}

/* ---- the command ---- */

static int read_key(const char *file, struct pubkey *key, struct err *err)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    struct str text = STR_INIT;
    size_t count = 0;
    int rc = command_read(file, KEY_FILE_MAX, &text, err);
    if (rc == 0)
        rc = keys_parse(slice_str(&text), file, keys, &count, err);
    if (rc == 0 && count != 1)
        rc = err_set(err, ERR_INPUT, "%s holds %zu keys; a league has one", file, count);
    if (rc == 0)
        *key = keys[0];
    str_release(&text);
    return rc;
}

static int run(struct check *check, int argc, char **argv, const struct flag_list *journals,
               const struct pubkey *key, struct err *err)
{
    int rc = journals->count ? 0 : err_set(err, ERR_INPUT, "name what is to be checked: --journal FOLDER");
    for (int i = 0; rc == 0 && i < journals->count; i++)
        rc = add_journals(check, journals->item[i], err);
    receipts_init(&check->receipts, check->ledger, check->ledger_count, key);
    mail_begin();
    for (int i = 1; rc == 0 && i < argc; i++)
        rc = add_mails(check, argv[i], err);
    mail_end();
    if (rc == 0)
        receipts_end(&check->receipts);
    return rc;
}

int command_receipt_check(int argc, char **argv)
{
    const char *key_file = NULL;
    bool json = false;
    bool all = false;
    struct flag_list journals = {.count = 0};
    struct pubkey key;
    struct check check = {.ledger = NULL};
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"journal", FLAG_LIST, &journals, "WHAT", "the journal, published game, or folder of such"},
        {"key", FLAG_TEXT, &key_file, "LEAGUE.pub", "the league's public key"},
        {"all", FLAG_SWITCH, &all, NULL, "also list what is good"},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 10000, details);
    if (code >= 0)
        return code;
    int rc = key_file ? read_key(key_file, &key, &err) : 0;
    if (rc == 0)
        rc = run(&check, argc, argv, &journals, key_file ? &key : NULL, &err);
    if (rc == 0 && json) {
        struct str out = STR_INIT;
        json_t *result = receipts_json(&check.receipts);
        json_write_pretty(&out, result);
        (void)fputs(out.p, stdout);
        json_decref(result);
        str_release(&out);
    } else if (rc == 0) {
        say(&check.receipts, all);
    }
    static const int codes[] = {[RECEIPTS_WRONG] = 2, [RECEIPTS_OPEN] = 1, [RECEIPTS_GOOD] = 0};
    code = rc ? command_fail(&err) : codes[receipts_verdict(&check.receipts)];
    if (rc && code == 1)
        code = EXIT_USAGE; /* 1 is a verdict here */
    receipts_release(&check.receipts);
    for (size_t i = 0; i < check.ledger_count; i++)
        ledger_close(&check.ledger[i]);
    free(check.ledger);
    return code;
}
