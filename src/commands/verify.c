#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "commands/policy.h"
#include "letters/reading.h"
#include "mail/mbox.h"
#include "orders/frame.h"
#include "publish/claims.h"
#include "trust/canon.h"
#include "trust/keyring.h"

#define FILE_LONGEST (4U << 20)
#define KEY_FILE_MAX 65536
#define CLAIMS_MOST  64 /* proofs of one text that are checked */

static const char details[] =
    "FILE is a whole saved mail, or a signed text with its signature after it or beside it (FILE.sig, "
    "FILE.minisig). In a mail of the league what its proof.txt proves is checked. Without --key the key "
    "inside the "
    "signature is used: compare its fingerprint with the one you know. Signatures of minisign and signify "
    "need --key.\n"
    "Exit codes: 0 all signatures are good; 1 one is not, or there is none.\n";

/* What is asked for, and what was found so far. */
struct verify {
    const char *name; /* of the file, for people */
    const char *ns;   /* NULL: as it should be for the kind of text */
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t key_count;      /* 0: the key inside each signature */
    struct policy *policy; /* of the league's log; NULL: by its key */
    size_t claims, proved; /* proofs that were found; good ones */
    struct err unproved;   /* what is wrong with the others */
    char log[VKEY_NAME];   /* that was named last */
    size_t good, bad;
};

/* ---- saying ---- */

static void say_good(struct verify *verify, const char *what, const char *ns, const struct signature *sig,
                     const struct pubkey *key)
{
    char print[KEY_FINGERPRINT];
    bool ssh = !signature_is_numbered(sig);
    pubkey_fingerprint(print, key);
    (void)printf("good signature over %s%s%s, key %s\n", what, ssh ? ", namespace " : "", ssh ? ns : "",
                 print);
    verify->good++;
}

static void say_bad(struct verify *verify, const char *what, const struct err *why)
{
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(why->text), false);
    (void)printf("BAD: %s: %s\n", what, safe.p);
    str_release(&safe);
    verify->bad++;
}

/* ---- keys ---- */

/* The keys to try for a signature; none when it names none and none was given. */
static size_t keys_for(const struct verify *verify, const struct signature *sig, const struct pubkey **keys)
{
    *keys = verify->key_count ? verify->keys : &sig->key;
    if (verify->key_count)
        return verify->key_count;
    return signature_is_numbered(sig) ? 0 : 1;
}

static int no_key(struct err *err)
{
    return err_set(err, ERR_INPUT,
                   "a minisign or signify signature does not hold its key; name it with --key");
}

/* ---- texts ---- */

static void describe(struct str *what, const struct str *text)
{
    struct frame frame;
    struct err err = ERR_INIT;
    if (frame_parse(slice_str(text), &frame, &err) != 0)
        str_addf(what, "a text of %zu bytes", text->len);
    else if (frame.kind == FRAME_ORDERS)
        str_addf(what, "orders for %s, turn %d", frame.game[0] ? frame.game : "no game", frame.turn);
    else
        str_addf(what, "a text \"#turnpost %s\"", frame.verb);
}

static void check_envelope(struct verify *verify, struct envelope *envelope)
{
    const char *ns = verify->ns ? verify->ns : NS_ORDERS;
    const struct pubkey *keys;
    size_t count = keys_for(verify, &envelope->sig, &keys);
    struct str exact = STR_INIT;
    struct str text = STR_INIT;
    struct str what = STR_INIT;
    struct err err = ERR_INIT;
    bool good = false;
    for (size_t i = 0; i < count && !good; i++) {
        err_clear(&err);
        good = envelope_open(envelope, &keys[i], ns, &(struct envelope_text){&exact, &text}, &err) == 0;
        if (good) {
            describe(&what, &text);
            say_good(verify, what.p, ns, &envelope->sig, &keys[i]);
        }
    }
    if (count == 0)
        no_key(&err);
    if (!good)
        say_bad(verify, "a signed text", &err);
    str_release(&exact);
    str_release(&text);
    str_release(&what);
}

static void check_texts(struct verify *verify, const struct evidence *parts, size_t count)
{
    struct envelopes found;
    struct err err = ERR_INIT;
    struct work work = WORK_INIT;
    if (envelope_find(parts, count, &work, &found, &err) != 0)
        say_bad(verify, "a signature", &err);
    for (size_t i = 0; i < found.count; i++) {
        check_envelope(verify, &found.list[i]);
        envelope_release(&found.list[i]);
    }
    /* A league's mail holds a form to fill in: that one is unsigned. */
    if (found.unsigned_frames && verify->claims == 0) {
        err_clear(&err);
        err_set(&err, ERR_INPUT, "%zu without any signature", found.unsigned_frames);
        say_bad(verify, "#turnpost texts", &err);
    }
}

/* ---- proofs ---- */

#define DIGITS 12 /* of a digest, enough to find it */

/* "  entry 20: record 7 of gc-2 (receipt of turn 3, seat 2), 2026-12-01T09:03:00Z, mark 14cb47515cad"; of other records the head. */
static void say_proved(struct verify *verify, const struct claim *claim)
{
    const struct log_entry *entry = &claim->entry;
    const bool accepts = entry->kind == ENTRY_RECEIPT || entry->kind == ENTRY_KEPT;
    char time[CLOCK_TEXT], digits[DIGITS + 1];
    clock_utc(time, entry->time);
    hex_to(digits, accepts ? entry->mark : entry->head, DIGITS / 2);
    if (strcmp(verify->log, claim->checkpoint.origin) != 0)
        (void)printf("proved by the log of %s:\n", claim->checkpoint.origin);
    (void)snprintf(verify->log, sizeof verify->log, "%s", claim->checkpoint.origin);
    (void)printf("  entry %lld: record %lld of %s (%s", (long long)claim->number, (long long)entry->seq,
                 entry->name, entry_word(entry->kind));
    if (entry->seat)
        (void)printf(" of turn %d, seat %d", entry->turn.turn, entry->seat);
    else if (entry->kind == ENTRY_CLOSE)
        (void)printf(" of turn %d", entry->turn.turn);
    else if (entry->kind == ENTRY_TURN)
        (void)printf(" %d", entry->turn.turn);
    (void)printf("), %s, %s %s\n", time, accepts ? "mark" : "head", digits);
    verify->good++;
}

static int check_claim(const struct verify *verify, struct claim *claim, struct err *err)
{
    struct err why = ERR_INIT;
    if (verify->policy)
        return claim_verify(claim, verify->policy, err);
    for (size_t i = 0; i < verify->key_count; i++)
        if (claim_verify_key(claim, verify->keys[i].point, &why) == 0)
            return 0;
    return verify->key_count
               ? err_pass(err, &why)
               : err_set(err, ERR_INPUT, "name the league's policy with --policy, or its key with --key");
}

static void check_claims(struct verify *verify, struct slice text)
{
    struct claim claim;
    struct err err = ERR_INIT;
    enum claim_found found;
    size_t count = 0;
    while ((found = claim_next(&text, &claim, &err)) != CLAIM_NONE && ++count <= CLAIMS_MOST) {
        if (found == CLAIM_FOUND && check_claim(verify, &claim, &err) == 0) {
            say_proved(verify, &claim);
            verify->proved++;
        } else {
            (void)err_pass(&verify->unproved, &err);
        }
        claim_release(&claim);
        err_clear(&err);
    }
    claim_release(&claim);
    verify->claims += count;
}

/* What looks like a proof and is none may be somebody's words in a mail that proves what it has to. */
static void say_unproved(struct verify *verify)
{
    if (verify->unproved.code && verify->proved)
        (void)printf("note: something else there looks like a proof, and is none: %s\n",
                     verify->unproved.text);
    else if (verify->unproved.code)
        say_bad(verify, "a proof of the league's log", &verify->unproved);
}

/* ---- a signature in a file of its own ---- */

/* Over exactly these bytes as ssh-keygen has it, else over their canonical form as orders are read. */
static void check_detached(struct verify *verify, struct slice bytes, struct slice armor)
{
    const char *ns = verify->ns ? verify->ns : NS_ORDERS;
    struct signature sig;
    const struct pubkey *keys;
    struct str canonical = STR_INIT;
    struct str what = STR_INIT;
    struct err err = ERR_INIT;
    bool good = false;
    canon_text(&canonical, bytes);
    if (signature_parse(armor, &sig, &err) == 0) {
        size_t count = keys_for(verify, &sig, &keys);
        for (size_t i = 0; i < 2 * count && !good; i++) {
            struct slice text = i < count ? bytes : slice_str(&canonical);
            struct err why = ERR_INIT;
            good = signature_verify(&sig, &keys[i % count], ns, text, &why) == 0;
            if (i == 0)
                err = why;
            if (!good)
                continue;
            str_addf(&what, "%s%s", verify->name,
                     i < count ? "" : " in its canonical form (the file differs from it)");
            say_good(verify, what.p, ns, &sig, &keys[i % count]);
        }
        if (count == 0)
            no_key(&err);
    }
    if (!good)
        say_bad(verify, verify->name, &err);
    str_release(&canonical);
    str_release(&what);
}

/* ---- the file ---- */

static int check_mail(struct verify *verify, struct slice raw, struct err *err)
{
    struct message msg;
    mail_begin();
    int rc = message_parse(raw, &message_limits_default, &(struct message_identity){0}, &msg, err);
    if (rc == 0) {
        struct evidence *parts = reading_parts(&msg);
        for (size_t i = 0; i < msg.part_count; i++)
            check_claims(verify, parts[i].shown.len ? parts[i].shown : parts[i].exact);
        check_texts(verify, parts, msg.part_count);
        free(parts);
    }
    message_release(&msg);
    return rc;
}

static void check_text(struct verify *verify, struct slice bytes)
{
    struct evidence part = {"", bytes, bytes, {NULL, 0}};
    check_claims(verify, bytes);
    check_texts(verify, &part, 1);
}

/* Reads the signature beside the file, if there is one: FILE.sig, FILE.minisig. */
static int read_beside(const char *file, struct str *armor, struct err *err)
{
    static const char *const endings[] = {".sig", ".minisig"};
    int rc = 0;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && rc == 0 && !armor->len; i++) {
        struct str name = STR_INIT;
        str_addf(&name, "%s%s", file, endings[i]);
        if (strcmp(file, "-") != 0 && file_exists(name.p))
            rc = file_read(name.p, KEY_FILE_MAX, armor, err);
        str_release(&name);
    }
    return rc;
}

static int check_file(struct verify *verify, const char *file, const char *sig_file, struct err *err)
{
    struct str bytes = STR_INIT;
    struct str armor = STR_INIT;
    int rc = command_read(file, FILE_LONGEST, &bytes, err);
    bool mail = rc == 0 && !sig_file && mail_likely(slice_str(&bytes));
    if (rc == 0 && sig_file)
        rc = command_read(sig_file, KEY_FILE_MAX, &armor, err);
    else if (rc == 0 && !mail)
        rc = read_beside(file, &armor, err);
    if (rc == 0 && armor.len)
        check_detached(verify, slice_str(&bytes), slice_str(&armor));
    else if (rc == 0 && mail)
        rc = check_mail(verify, slice_str(&bytes), err);
    else if (rc == 0)
        check_text(verify, slice_str(&bytes));
    say_unproved(verify);
    if (rc == 0 && verify->good + verify->bad == 0)
        rc = err_set(err, ERR_INPUT, "%s holds no signature of ours", verify->name);
    str_release(&bytes);
    str_release(&armor);
    return rc;
}

int command_verify(int argc, char **argv)
{
    const char *sig_file = NULL;
    const char *key_file = NULL, *policy_file = NULL;
    struct verify *verify = mem_alloc(sizeof *verify);
    struct str key_text = STR_INIT;
    struct err err = ERR_INIT;
    int rc = 0;
    const struct flag flags[] = {
        {"sig", FLAG_TEXT, &sig_file, "SIGFILE",
         "the signature, when it is not in FILE, FILE.sig or FILE.minisig"},
        {"key", FLAG_TEXT, &key_file, "PUBFILE", "the public key; of up to four, one must have signed"},
        {"namespace", FLAG_TEXT, &verify->ns, "NS", "the namespace (default: orders@turnpost)"},
        {"policy", FLAG_TEXT, &policy_file, "FILE", "the league.policy by which proofs in mails are checked"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        goto out;
    verify->name = strcmp(argv[1], "-") == 0 ? "standard input" : argv[1];
    if (key_file)
        rc = command_read(key_file, KEY_FILE_MAX, &key_text, &err);
    if (rc == 0 && key_file)
        rc = keys_parse(slice_str(&key_text), key_file, verify->keys, &verify->key_count, &err);
    if (rc == 0 && key_file && verify->key_count == 0)
        rc = err_set(&err, ERR_INPUT, "%s holds no key", key_file);
    if (rc == 0 && policy_file) {
        verify->policy = mem_alloc(sizeof *verify->policy);
        rc = command_policy(policy_file, verify->policy, &err);
    }
    if (rc == 0)
        rc = check_file(verify, argv[1], sig_file, &err);
    if (rc == 0 && verify->good && !key_file && !policy_file)
        (void)printf(
            "The key is the one inside the signature: compare it with the one you know, or use --key.\n");
    code = rc ? command_fail(&err) : verify->bad ? 1 : 0;
out:
    str_release(&key_text);
    free(verify->policy);
    free(verify);
    return code;
}
