#include "commands/commands.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "orders/frame.h"
#include "trust/canon.h"
#include "trust/secret.h"
#include "trust/signature.h"

#define FILE_LONGEST 65536
#define LINE_LONGEST 70 /* what every mail program leaves alone */
#define NONCE_BYTES  16
#define JOIN         "#turnpost join\n"

static const char details[] =
    "Brings the text in FILE into a form that mail cannot change (spaces, quotes, empty lines), and signs "
    "it. Writes FILE (if that changed it) and FILE.sig: attach both. `ssh-keygen -Y sign -n orders@turnpost` "
    "makes the same signature.\n"
    "--also FILE: public keys of yours that are to count for the seat beside the one that signs, for texts "
    "by which you sit "
    "down (join, take, back). Only you name the keys of your seat: a line \"key:\" that came in a mail is "
    "somebody "
    "else's.\n"
    "With --inline, or \"-\" for standard input, it prints text and signature together, to be pasted into a "
    "mail. The secret key must have no passphrase.\n";

/* The file of the key to sign with; the caller frees it. */
static char *key_path(const char *given, struct err *err)
{
    const char *set = getenv("TURNPOST_KEY");
    const char *home = getenv("HOME");
    if (given)
        return mem_strdup(given);
    if (set && *set)
        return mem_strdup(set);
    if (home && *home)
        return path_join(home, ".ssh/id_ed25519");
    err_set(err, ERR_INPUT, "which key? name its file with --key or in $TURNPOST_KEY");
    return NULL;
}

/* A join text contributes to the chance of the deal: it needs a number that nobody else could choose for its
 * sender. */
static void fill_nonce(struct str *text)
{
    unsigned char nonce[NONCE_BYTES];
    struct slice rest = slice_str(text);
    struct slice line;
    struct str filled = STR_INIT;
    if (!str_starts(text->p, JOIN) || strstr(text->p, "\nnonce: "))
        return;
    randombytes_buf(nonce, sizeof nonce);
    while (slice_line(&rest, &line)) {
        if (slice_eq(line, "nonce:"))
            continue;
        str_addslice(&filled, line);
        str_addc(&filled, '\n');
        if (filled.len == strlen(JOIN)) {
            str_adds(&filled, "nonce: ");
            hex_encode(&filled, nonce, sizeof nonce);
            str_addc(&filled, '\n');
        }
    }
    str_release(text);
    *text = filled;
}

/* The keys in the file, as lines of the text. */
static int add_keys(struct str *text, const char *file, struct err *err)
{
    static const char end[] = "#end\n";
    struct str keys = STR_INIT;
    struct slice rest;
    struct pubkey key;
    bool found = true;
    int rc = file_read(file, FILE_LONGEST, &keys, err);
    size_t at = text->len >= strlen(end) ? text->len - strlen(end) : 0;
    if (rc == 0 && strcmp(text->p + at, end) != 0)
        rc = err_set(err, ERR_INPUT, "the text does not end with \"#end\"");
    if (rc == 0)
        str_cut(text, at);
    for (rest = slice_str(&keys); rc == 0 && found;) {
        rc = pubkey_next(&rest, &key, &found, err);
        if (rc || !found)
            break;
        str_adds(text, "key: ");
        pubkey_format(text, &key);
        str_addc(text, '\n');
    }
    if (rc == 0)
        str_adds(text, end);
    str_release(&keys);
    return rc;
}

static int check_lines(struct slice text, bool attached, struct err *err)
{
    struct slice line;
    for (int number = 1; slice_line(&text, &line); number++) {
        if (line.len > LINE_LONGEST && !(attached && slice_starts(line, "key: "))) {
            struct str shown = STR_INIT;
            utf8_safe(&shown, slice_sub(line, 0, 30), false);
            err_set(err, ERR_INPUT,
                    "line %d (\"%s...\", without empty lines) has %zu bytes; mail programs may break lines "
                    "longer than %d: divide it",
                    number, shown.p, line.len, LINE_LONGEST);
            str_release(&shown);
            return -1;
        }
    }
    return 0;
}

struct wanted {
    const char *name, *also; /* files; NULL: no more keys */
    bool attached;           /* nothing breaks its lines on the way */
};

/* Reads a text and brings it into its canonical form; *changed says whether that differs. */
static int prepare(const struct wanted *wanted, struct str *text, bool *changed, struct err *err)
{
    const char *name = wanted->name;
    struct str raw = STR_INIT;
    struct frame frame;
    int rc = command_read(name, FILE_LONGEST, &raw, err);
    if (rc == 0) {
        canon_text(text, slice_str(&raw));
        fill_nonce(text);
        rc = wanted->also ? add_keys(text, wanted->also, err) : 0;
        *changed = raw.len != text->len || memcmp(raw.p, text->p, text->len) != 0;
    }
    if (rc == 0 && !utf8_valid(slice_str(text)))
        rc = err_set(err, ERR_INPUT, "the text is not UTF-8");
    if (rc == 0)
        rc = check_lines(slice_str(text), wanted->attached, err);
    if (rc == 0)
        rc = frame_receive(slice_str(text), slice_str(text), &frame, err);
    if (rc && err->code == ERR_INPUT)
        err_prefix(err, "%s", strcmp(name, "-") == 0 ? "standard input" : name);
    str_release(&raw);
    return rc;
}

static int write_files(const char *name, const struct str *text, bool changed, const struct str *armor,
                       struct err *err)
{
    struct str beside = STR_INIT;
    int rc = 0;
    str_addf(&beside, "%s.sig", name);
    if (changed)
        rc = file_write(name, slice_str(text), 0644, err);
    if (rc == 0)
        rc = file_write(beside.p, slice_str(armor), 0644, err);
    if (rc == 0 && changed)
        (void)printf("Rewrote %s in the form that is signed (spaces, quotes, empty lines).\n", name);
    if (rc == 0)
        (void)printf("Wrote the signature to %s. Attach both files to your mail.\n", beside.p);
    str_release(&beside);
    return rc;
}

int command_sign(int argc, char **argv)
{
    const char *key_file = NULL, *also = NULL;
    bool together = false;
    bool changed = false;
    struct secret secret = {{0}, {0}};
    struct str text = STR_INIT;
    struct str armor = STR_INIT;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"key", FLAG_TEXT, &key_file, "KEYFILE",
         "the secret key (default: $TURNPOST_KEY, else ~/.ssh/id_ed25519)"},
        {"inline", FLAG_SWITCH, &together, NULL, "print the text and its signature instead of writing files"},
        {"also", FLAG_TEXT, &also, "FILE", "public keys that are to count for your seat as well"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    char *key = key_path(key_file, &err);
    const bool pasted = together || strcmp(argv[1], "-") == 0;
    int rc = key ? prepare(&(struct wanted){argv[1], also, !pasted}, &text, &changed, &err) : -1;
    if (rc == 0 && !key_file && !file_exists(key))
        rc = err_set(&err, ERR_MISSING,
                     "there is no %s; name your key with --key, or make one: turnpost keygen FILE", key);
    if (rc == 0)
        rc = secret_load(key, &secret, &err);
    if (rc == 0)
        sshsig_sign(&armor, secret.key, NS_ORDERS, slice_str(&text));
    if (rc == 0 && pasted)
        (void)fprintf(command_made(), "%s%s", text.p, armor.p);
    else if (rc == 0)
        rc = write_files(argv[1], &text, changed, &armor, &err);
    secret_wipe(&secret);
    str_release(&text);
    str_release(&armor);
    free(key);
    return rc ? command_fail(&err) : 0;
}
