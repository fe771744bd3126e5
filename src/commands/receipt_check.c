#include "commands/commands.h"
#include "commands/policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "commands/saved_mails.h"
#include "publish/receipts.h"
#include "mail/message.h"
#include "report/textfmt.h"
#include "trust/keyring.h"

#define KEY_FILE_MAX 65536

static const char details[] =
    "FILE is a saved mail, an mbox, a Maildir or a folder of saved mails: what the league sent you, and "
    "copies of what you sent. --journal is a journal.jsonl, the folder of a published game, or a folder of "
    "such folders; it may be given several times. No league is needed.\n"
    "--policy is the league.policy that the site shows: what your mails prove is then held against it, also "
    "of games whose journal you do not have. Two mails that contradict each other are found without one.\n"
    "Every record that the league signed in a mail must be in the journal as it was. Orders with a receipt "
    "must be there and count. Without --key the journal's own key is used: compare its fingerprint with the "
    "one you know.\n"
    "WRONG contradicts what the league signed. \"ask\" proves nothing, as mails get lost or come late: ask "
    "the operator or the others. If a league has lost records, a record says so, and those of your mails "
    "that "
    "are gone are named and counted.\n"
    "Exit codes: 0 nothing is WRONG and no record is gone; 1 nothing is WRONG, but records are gone; 2 "
    "something is WRONG; 66 no mail "
    "has a signed record of these games.\n";

struct check {
    struct ledger *ledger;
    size_t ledger_count, ledger_cap;
    struct receipts receipts;
    const struct pubkey *key; /* the league's, or NULL = what the journals name */
    struct policy *policy;    /* or NULL */
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

static void add_mail(void *arg, const char *label, struct slice raw)
{
    struct check *check = arg;
    receipts_mail(&check->receipts, label, raw);
}

/* ---- saying ---- */

#define INDENT 6

/* Breaks it into lines that begin below the first; words from mails are made safe. */
static void say_wrapped(const char *text)
{
    struct str safe = STR_INIT, lines = STR_INIT;
    struct slice rest, line;
    utf8_safe(&safe, slice_of(text), false);
    textfmt(&lines, slice_str(&safe), TEXTFMT_WIDTH - INDENT);
    rest = slice_str(&lines);
    while (slice_line(&rest, &line))
        (void)printf("%*s%.*s\n", INDENT, "", (int)line.len, line.p);
    str_release(&safe);
    str_release(&lines);
}

/* "mail: sent.mbox, mail 3: Orders for turn 4" */
static void say_mail(const struct receipts_mail *mail)
{
    struct str words = STR_INIT;
    str_addf(&words, "mail: %s%s%s", mail->label, *mail->subject ? ": " : "", mail->subject);
    say_wrapped(words.p);
    str_release(&words);
}

static void say_finding(const struct receipts *receipts, const struct receipts_finding *one)
{
    static const char *const words[] = {[RECEIPTS_WRONG] = "WRONG",
                                        [RECEIPTS_ASK] = "ask  ",
                                        [RECEIPTS_NOTE] = "note ",
                                        [RECEIPTS_GOOD] = "good "};
    (void)printf("%s %s", words[one->weight], one->game);
    if (one->seq)
        (void)printf(", record %lld", (long long)one->seq);
    (void)printf("\n");
    say_wrapped(one->text);
    if (one->mail != RECEIPTS_NOWHERE)
        say_mail(&receipts->mail[one->mail]);
}

/* Of the same game, weight and kind as the finding before it? */
static bool is_like(const struct receipts *receipts, size_t i)
{
    const struct receipts_finding *one = &receipts->finding[i], *before = one - 1;
    return i && one->weight == before->weight && one->kind == before->kind &&
           strcmp(one->game, before->game) == 0;
}

#define LIKE_MOST 2 /* findings of a kind that are shown; a rewritten history has one for every mail */

/* Says it, or counts it: 1. */
static size_t say_or_count(const struct receipts *receipts, size_t i, bool all)
{
    size_t before = 0;
    for (size_t at = i; before <= LIKE_MOST && is_like(receipts, at); at--)
        before++;
    if (!all && before >= LIKE_MOST)
        return 1;
    say_finding(receipts, &receipts->finding[i]);
    return 0;
}

/* One line, short enough for a chat, that is the same for all players. */
static void say_last(const struct receipts *receipts, size_t at)
{
    bool report;
    const struct receipts_claim *last = receipts_last(receipts, at, &report);
    char hex[2 * HEAD_BYTES + 1];
    if (!last)
        return;
    hex_to(hex, last->head, HEAD_BYTES);
    (void)printf("To compare with the others in a chat, the head of your last %s:\n",
                 report ? "report" : "mail");
    (void)printf("%s %lld %s\n", receipts->ledger[at].file.id, (long long)last->seq, hex);
}

static void say_journal(const struct ledger *ledger)
{
    struct pubkey key;
    if (ledger_is_bare(ledger)) {
        (void)printf("%s: its journal was not given; the proofs are held against the policy\n",
                     ledger->file.id);
        return;
    }
    char print[KEY_FINGERPRINT];
    pubkey_of_league(&key, ledger->file.key);
    pubkey_fingerprint(print, &key);
    (void)printf("%s: %zu records, %s\n", ledger->file.id, ledger->count,
                 ledger->opened ? "its seals are open" : "sealed");
    (void)printf("%*skey %s\n", INDENT, "", print);
}

/* Of each game: how many records that the mails show are gone, by the league's word. */
static void say_lost(const struct receipts *receipts)
{
    for (size_t i = 0; i < receipts->ledger_count; i++) {
        size_t lost = receipts_lost(receipts, i);
        if (lost)
            (void)printf("%s: the league has lost records: %zu that you were shown %s gone\n",
                         receipts->ledger[i].file.id, lost, lost == 1 ? "is" : "are");
    }
}

static void say_mails(const struct receipts *receipts)
{
    (void)printf("%zu mails: %zu proofs and %zu signed orders hold\n", receipts->mail_count,
                 receipts_count(receipts, RECEIPTS_HEAD), receipts_count(receipts, RECEIPTS_ORDERS));
    size_t boards = 0;
    for (size_t i = 0; i < receipts->finding_count; i++)
        boards += receipts->finding[i].kind == RECEIPTS_BOARD && receipts->finding[i].weight == RECEIPTS_GOOD;
    if (boards)
        (void)printf("%zu %s as the league's log has %s\n", boards, boards == 1 ? "board is" : "boards are",
                     boards == 1 ? "it" : "them");
    if (receipts->foreign)
        (void)printf("%zu mails are about games whose journals were not given\n", receipts->foreign);
    if (receipts->unreadable)
        (void)printf("%zu mails could not be read\n", receipts->unreadable);
    say_lost(receipts);
}

static void say_verdict(const struct receipts *receipts)
{
    static const char *const words[] = {
        [RECEIPTS_WRONG] = "The journal is NOT what the league has signed in your mails.",
        [RECEIPTS_ASK] = "The journal is what your mails say; something is to be asked.",
        [RECEIPTS_GOOD] = "The journal is what your mails say."};
    static const char *const bare_words[] = {
        [RECEIPTS_WRONG] = "Your mails prove that the league has contradicted itself.",
        [RECEIPTS_ASK] = "What your mails prove holds; something is to be asked.",
        [RECEIPTS_GOOD] = "What your mails prove is in the league's log."};
    bool bare = true;
    for (size_t i = 0; i < receipts->ledger_count; i++)
        bare = bare && ledger_is_bare(&receipts->ledger[i]);
    if (!receipts->key)
        (void)printf("The key is the one that the journal names: compare it with the one you\n"
                     "know, or use --key.\n");
    bool shown = receipts_verdict(receipts) == RECEIPTS_WRONG; /* nothing is wrong but what mails show */
    for (size_t i = 0; i < receipts->finding_count; i++)
        shown = shown && (receipts->finding[i].weight != RECEIPTS_WRONG ||
                          receipts->finding[i].kind == RECEIPTS_BOARD);
    if (shown)
        (void)puts("What a mail shows is NOT what the league's log has.");
    else if (receipts->claim_count)
        (void)puts((bare ? bare_words : words)[receipts_verdict(receipts)]);
}

static void say(const struct receipts *receipts, bool all)
{
    size_t notes = 0, like = 0;
    for (size_t i = 0; i < receipts->ledger_count; i++)
        say_journal(&receipts->ledger[i]);
    say_mails(receipts);
    for (size_t i = 0; i < receipts->finding_count; i++) {
        enum receipts_weight weight = receipts->finding[i].weight;
        notes += weight == RECEIPTS_NOTE;
        if (all || weight < RECEIPTS_NOTE)
            like += say_or_count(receipts, i, all);
        bool last = i + 1 == receipts->finding_count || !is_like(receipts, i + 1);
        if (like && last)
            (void)printf("%*sand %zu more like these (--all)\n", INDENT, "", like);
        like = last ? 0 : like;
    }
    if (notes && !all)
        (void)printf("%zu more need no asking: --all shows them\n", notes);
    for (size_t i = 0; i < receipts->ledger_count; i++)
        say_last(receipts, i);
    say_verdict(receipts);
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

/* And the key that it names. */
static int read_policy(struct check *check, const char *file, struct pubkey *key, struct err *err)
{
    check->policy = mem_alloc(sizeof *check->policy);
    int rc = command_policy(file, check->policy, err);
    if (rc == 0 && !check->policy->logs)
        rc = err_set(err, ERR_INPUT, "%s names no log", file);
    if (rc == 0)
        pubkey_of_league(key, check->policy->log[0].key.public);
    return rc;
}

static int run(struct check *check, int argc, char **argv, const struct flag_list *journals, struct err *err)
{
    int rc =
        journals->count || check->policy
            ? 0
            : err_set(err, ERR_INPUT,
                      "name what your mails are held against: --journal FOLDER, or --policy league.policy");
    for (int i = 0; rc == 0 && i < journals->count; i++)
        rc = add_journals(check, journals->item[i], err);
    receipts_init(&check->receipts, check->ledger, check->ledger_count, check->key);
    check->receipts.policy = check->policy;
    mail_begin();
    for (int i = 1; rc == 0 && i < argc; i++)
        rc = saved_mails(argv[i], add_mail, check, err);
    if (rc == 0)
        receipts_end(&check->receipts);
    return rc;
}

int command_receipt_check(int argc, char **argv)
{
    const char *key_file = NULL, *policy_file = NULL;
    bool json = false;
    bool all = false;
    struct flag_list journals = {.count = 0};
    struct pubkey key;
    struct check check = {.ledger = NULL};
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"journal", FLAG_LIST, &journals, "WHAT", "the journal, the published game, or a folder of such"},
        {"policy", FLAG_TEXT, &policy_file, "FILE",
         "the league.policy by which the proofs in mails are checked"},
        {"key", FLAG_TEXT, &key_file, "LEAGUE.pub", "the league's public key [the policy's]"},
        {"all", FLAG_SWITCH, &all, NULL, "list also what is good"},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 10000, details);
    if (code >= 0)
        return code;
    int rc = policy_file ? read_policy(&check, policy_file, &key, &err) : 0;
    if (rc == 0 && key_file)
        rc = read_key(key_file, &key, &err);
    check.key = key_file || policy_file ? &key : NULL;
    if (rc == 0)
        rc = run(&check, argc, argv, &journals, &err);
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
    bool wrong = rc == 0 && receipts_verdict(&check.receipts) == RECEIPTS_WRONG;
    if (rc == 0 && !wrong && !check.receipts.claim_count)
        rc = err_set(&err, ERR_MISSING,
                     "no mail has a head of these games that the league signed: nothing was checked");
    bool lost = rc == 0 && (receipts_count(&check.receipts, RECEIPTS_GONE) > 0 ||
                            receipts_count(&check.receipts, RECEIPTS_FORK) > 0);
    code = rc ? command_fail(&err) : wrong ? 2 : lost ? 1 : 0;
    if (rc && code == 1)
        code = EXIT_USAGE; /* for commands that judge, 1 is a verdict */
    receipts_release(&check.receipts);
    for (size_t i = 0; i < check.ledger_count; i++)
        ledger_close(&check.ledger[i]);
    free(check.ledger);
    free(check.policy);
    return code;
}
