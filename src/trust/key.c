#include "trust/key.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "trust/wire.h"

#define SSH_NAME    "ssh-ed25519"
#define SSH_SK_NAME "sk-ssh-ed25519@openssh.com"
#define HOW_TO_MAKE "Turnpost takes Ed25519 keys: make one with ssh-keygen -t ed25519"

/* Every kind of SSH key that is not for us: by the beginning of its name. */
static const struct refusal {
    const char *prefix, *name;
} refusals[] = {
    {"ssh-rsa", "an RSA key"},
    {"rsa-sha2-", "an RSA key"},
    {"ssh-dss", "a DSA key"},
    {"ecdsa-sha2-", "an ECDSA key"},
    {"sk-ecdsa-sha2-", "an ECDSA key of a security token (ssh-keygen -t ed25519-sk makes the fitting kind)"},
    {"ssh-ed448", "an Ed448 key"},
    {"ssh-ed25519-cert-", "a certificate and not a key"},
    {"sk-ssh-ed25519-cert-", "a certificate and not a key"},
};

static const struct refusal *refused(struct slice name)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
        if (slice_starts(name, refusals[i].prefix))
            return &refusals[i];
    return NULL;
}

static int check_point(const struct pubkey *key, struct err *err)
{
    if (crypto_core_ed25519_is_valid_point(key->point))
        return 0;
    return err_set(
        err, ERR_INPUT,
        "this public key is not a safe point of the curve; make a new one with the tool's own command");
}

void pubkey_blob(struct str *out, const struct pubkey *key)
{
    wire_put_text(out, key->kind == KEY_SSH_SK ? SSH_SK_NAME : SSH_NAME);
    wire_put_string(out, key->point, sizeof key->point);
    if (key->kind == KEY_SSH_SK)
        wire_put_text(out, key->application);
}

static bool take_application(struct wire *wire, struct pubkey *key)
{
    struct slice app = wire_string(wire);
    if (!app.len || app.len >= sizeof key->application)
        return false;
    for (size_t i = 0; i < app.len; i++)
        if (app.p[i] <= ' ' || app.p[i] > '~')
            return false;
    memcpy(key->application, app.p, app.len);
    return true;
}

int pubkey_from_blob(struct slice blob, struct pubkey *key, struct err *err)
{
    struct wire wire = wire_of(blob);
    struct slice name = wire_string(&wire);
    memset(key, 0, sizeof *key);
    const struct refusal *no = refused(name);
    if (no)
        return err_set(err, ERR_INPUT, "this is %s; " HOW_TO_MAKE, no->name);
    if (slice_eq(name, SSH_NAME))
        key->kind = KEY_SSH;
    else if (slice_eq(name, SSH_SK_NAME))
        key->kind = KEY_SSH_SK;
    else
        return err_set(err, ERR_INPUT, "this key is damaged or of an unknown kind; " HOW_TO_MAKE);
    struct slice point = wire_string(&wire);
    bool good = point.len == sizeof key->point;
    if (good)
        memcpy(key->point, point.p, sizeof key->point);
    if (good && key->kind == KEY_SSH_SK)
        good = take_application(&wire, key);
    if (!good || !wire_end(&wire))
        return err_set(err, ERR_INPUT, "this %s key is damaged; copy the whole line of the .pub file",
                       key->kind == KEY_SSH_SK ? SSH_SK_NAME : SSH_NAME);
    return 0;
}

/* libsodium's base64 decoder takes the bytes 0xAB and 0xAF for '+' and '/'. */
static bool decode(struct str *out, struct slice base64)
{
    for (size_t i = 0; i < base64.len; i++)
        if ((unsigned char)base64.p[i] >= 0x80)
            return false;
    return base64_decode(out, base64);
}

static int parse_ssh(struct slice name, struct slice base64, struct pubkey *key, struct err *err)
{
    struct str blob = STR_INIT;
    int rc = -1;
    if (!decode(&blob, base64) || !blob.len) {
        err_set(err, ERR_INPUT,
                "the key after \"%.*s\" is cut or damaged; copy the whole line of the .pub file",
                (int)name.len, name.p);
        goto out;
    }
    if (pubkey_from_blob(slice_str(&blob), key, err))
        goto out;
    if (!slice_eq(name, key->kind == KEY_SSH ? SSH_NAME : SSH_SK_NAME)) {
        err_set(err, ERR_INPUT, "the first word of this key and the kind inside it differ");
        goto out;
    }
    rc = check_point(key, err);
out:
    str_release(&blob);
    return rc;
}

/* minisign and signify: base64("Ed" || number8 || point32), 56 characters. */
static int parse_numbered(enum key_kind kind, struct slice base64, struct pubkey *key, struct err *err)
{
    struct str raw = STR_INIT;
    int rc = -1;
    memset(key, 0, sizeof *key);
    key->kind = kind;
    if (!decode(&raw, base64) || raw.len < 2 || raw.p[0] != 'E') {
        err_set(err, ERR_INPUT,
                "this is not a whole minisign or signify public key; the line begins with RW and has 56 "
                "characters");
        goto out;
    }
    if (raw.len != 2 + sizeof key->id + sizeof key->point) {
        err_set(err, ERR_INPUT,
                raw.len == 74 ? "this is a signature and not a public key"
                              : "this is not a public key; never send the file of a secret key");
        goto out;
    }
    if (raw.p[1] != 'd') {
        err_set(err, ERR_INPUT,
                "this public key is of an unknown kind; minisign's and signify's begin with RW");
        goto out;
    }
    memcpy(key->id, raw.p + 2, sizeof key->id);
    memcpy(key->point, raw.p + 2 + sizeof key->id, sizeof key->point);
    rc = check_point(key, err);
out:
    str_release(&raw);
    return rc;
}

/* "minisign RW...", "signify:RW..." as we write them. */
static bool take_tool(struct slice line, enum key_kind *kind, struct slice *base64)
{
    static const struct {
        const char *word;
        enum key_kind kind;
    } tools[] = {{"minisign", KEY_MINISIGN}, {"signify", KEY_SIGNIFY}};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        size_t len = strlen(tools[i].word);
        if (!slice_starts(line, tools[i].word) || line.len == len || !strchr(" \t:", line.p[len]))
            continue;
        struct slice rest = slice_sub(line, len + 1, line.len);
        *kind = tools[i].kind;
        return slice_word(&rest, base64);
    }
    return false;
}

static enum key_kind kind_by_comment(struct slice comment)
{
    static const char tail[] = "public key";
    comment = slice_trim(comment);
    if (slice_find(comment, "minisign") != (size_t)-1 || comment.len < sizeof tail - 1)
        return KEY_MINISIGN;
    return slice_eq(slice_sub(comment, comment.len - (sizeof tail - 1), comment.len), tail) ? KEY_SIGNIFY
                                                                                            : KEY_MINISIGN;
}

static int refuse_line(struct slice line, struct err *err)
{
    struct slice rest = line;
    struct slice word;
    if (slice_find(line, "PRIVATE KEY") != (size_t)-1 || slice_find(line, "secret key") != (size_t)-1)
        return err_set(err, ERR_INPUT,
                       "this is a secret key: keep it to yourself, make a new pair and send the .pub file");
    if (slice_find(line, "BEGIN SSH2 PUBLIC KEY") != (size_t)-1)
        return err_set(err, ERR_INPUT,
                       "this key is in the form of another SSH program; turn it into one line with "
                       "ssh-keygen -i -f FILE");
    if (slice_find(line, "BEGIN PGP") != (size_t)-1)
        return err_set(err, ERR_INPUT, "PGP keys are not taken; " HOW_TO_MAKE);
    for (bool first = true; slice_word(&rest, &word); first = false) {
        const struct refusal *no = refused(word);
        if (no)
            return err_set(err, ERR_INPUT, "this is %s; " HOW_TO_MAKE, no->name);
        if (!first && (slice_eq(word, SSH_NAME) || slice_eq(word, SSH_SK_NAME)))
            return err_set(err, ERR_INPUT,
                           "names or options stand in front of the key; begin the line with \"%.*s\"",
                           (int)word.len, word.p);
    }
    return err_set(err, ERR_INPUT,
                   "this line is no public key; it begins with ssh-ed25519, sk-ssh-ed25519@openssh.com, "
                   "minisign or signify");
}

static int parse_line(struct slice line, enum key_kind kind, struct pubkey *key, struct err *err)
{
    struct slice rest = line;
    struct slice word, base64;
    if (take_tool(line, &kind, &base64))
        return parse_numbered(kind, base64, key, err);
    if (!slice_word(&rest, &word))
        return refuse_line(line, err);
    if (slice_eq(word, SSH_NAME) || slice_eq(word, SSH_SK_NAME)) {
        if (!slice_word(&rest, &base64))
            return err_set(err, ERR_INPUT,
                           "nothing stands after \"%.*s\"; copy the whole line of the .pub file",
                           (int)word.len, word.p);
        return parse_ssh(word, base64, key, err);
    }
    if (slice_starts(word, "RW") || slice_starts(word, "RU"))
        return parse_numbered(kind, word, key, err);
    return refuse_line(line, err);
}

int pubkey_next(struct slice *rest, struct pubkey *key, bool *found, struct err *err)
{
    enum key_kind kind = KEY_MINISIGN;
    bool comment = false;
    struct slice line;
    *found = false;
    memset(key, 0, sizeof *key);
    while (slice_line(rest, &line)) {
        line = slice_trim(line);
        if (slice_starts(line, "\xEF\xBB\xBF"))
            line = slice_sub(line, 3, line.len);
        if (!line.len || line.p[0] == '#')
            continue;
        if (slice_casestarts(line, "untrusted comment:")) {
            if (slice_find(line, "secret key") != (size_t)-1)
                return refuse_line(line, err);
            kind = kind_by_comment(line);
            comment = true;
            continue;
        }
        if (parse_line(line, kind, key, err))
            return -1;
        *found = true;
        return 0;
    }
    return comment ? err_set(err, ERR_INPUT, "after the comment line the line with the key is missing") : 0;
}

void pubkey_format(struct str *out, const struct pubkey *key)
{
    struct str raw = STR_INIT;
    if (key_is_ssh(key->kind)) {
        pubkey_blob(&raw, key);
        str_addf(out, "%s ", key->kind == KEY_SSH ? SSH_NAME : SSH_SK_NAME);
    } else {
        str_adds(&raw, "Ed");
        str_add(&raw, key->id, sizeof key->id);
        str_add(&raw, key->point, sizeof key->point);
        str_adds(out, key->kind == KEY_MINISIGN ? "minisign " : "signify ");
    }
    base64_encode(out, raw.p, raw.len);
    str_release(&raw);
}

void pubkey_fingerprint(char out[KEY_FINGERPRINT], const struct pubkey *key)
{
    struct str text = STR_INIT;
    if (key_is_ssh(key->kind)) {
        struct str blob = STR_INIT;
        unsigned char hash[crypto_hash_sha256_BYTES];
        pubkey_blob(&blob, key);
        crypto_hash_sha256(hash, (const unsigned char *)blob.p, blob.len);
        str_adds(&text, "SHA256:");
        base64_encode(&text, hash, sizeof hash);
        while (text.p[text.len - 1] == '=')
            str_cut(&text, text.len - 1);
        str_release(&blob);
    } else {
        str_adds(&text, key->kind == KEY_MINISIGN ? "minisign:" : "signify:");
        unsigned long long number = 0;
        for (size_t i = sizeof key->id; i > 0; i--)
            number = number << 8 | key->id[i - 1];
        /* minisign prints no leading zeros */
        str_addf(&text, key->kind == KEY_MINISIGN ? "%llX" : "%016llX", number);
    }
    (void)snprintf(out, KEY_FINGERPRINT, "%s", text.p);
    str_release(&text);
}

void pubkey_show(char out[KEY_SHOWN], const struct pubkey *key)
{
    struct str line = STR_INIT;
    if (key_is_ssh(key->kind)) {
        pubkey_fingerprint(out, key);
        return;
    }
    pubkey_format(&line, key);
    (void)snprintf(out, KEY_SHOWN, "%s", line.p);
    str_release(&line);
}

bool pubkey_equal(const struct pubkey *a, const struct pubkey *b)
{
    return a->kind == b->kind && memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->id, b->id, sizeof a->id) == 0 && strcmp(a->application, b->application) == 0;
}
