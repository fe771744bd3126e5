#include "trust/key.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/reason.h"
#include "trust/format.h"

bool ed25519_point_good(const struct pubkey *key)
{
    return crypto_core_ed25519_is_valid_point(key->point) == 1;
}

static int check_point(const struct pubkey *key, struct err *err)
{
    if (key_format(key->kind)->point_good(key))
        return 0;
    return reason_fail(
        err, "unsafe_key",
        "this public key is not a safe point of the curve; make a new one with the tool's own command");
}

/* "minisign RW...", "signify:RW...", "ssh-ed25519 AAAA...", "sk-ecdsa-... AAAA... webauthn" as we write them. */
static bool take_word(struct slice line, enum key_kind *kind, struct slice *base64)
{
    struct slice rest = line, word, form;
    size_t end = 0;
    while (end < line.len && !strchr(" \t:", line.p[end]))
        end++;
    word = slice_sub(line, 0, end);
    if (!key_kind_of(word, kind) || (end < line.len && line.p[end] == ':' && key_format(*kind)->ssh))
        return false;
    rest = slice_sub(line, end + (end < line.len), line.len);
    if (!slice_word(&rest, base64))
        *base64 = slice_of("");
    if (slice_word(&rest, &form))
        *kind = key_kind_formed(*kind, form);
    return true;
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
        return reason_fail(
            err, "secret_key",
            "this is a secret key: keep it to yourself, make a new pair and send the .pub file");
    if (slice_find(line, "BEGIN SSH2 PUBLIC KEY") != (size_t)-1)
        return reason_fail(err, "ssh2_key",
                           "this key is in the form of another SSH program; turn it into one line with "
                           "ssh-keygen -i -f FILE");
    if (slice_find(line, "BEGIN PGP") != (size_t)-1)
        return reason_fail(err, "pgp_key", "PGP keys are not taken; " HOW_TO_MAKE);
    for (bool first = true; slice_word(&rest, &word); first = false) {
        enum key_kind kind;
        if (ssh_refuse(word, err))
            return -1;
        if (!first && key_kind_of(word, &kind))
            return reason_fail(err, "front_of_key word=%s",
                               "names or options stand in front of the key; begin the line with \"%s\"",
                               key_format(kind)->word);
    }
    return reason_fail(err, "no_key",
                       "this line is no public key; it begins with ssh-ed25519, ecdsa-sha2-nistp256, "
                       "sk-ssh-ed25519@openssh.com, sk-ecdsa-sha2-nistp256@openssh.com, minisign or signify");
}

bool pubkey_begins(struct slice line)
{
    struct err foreign = ERR_INIT;
    struct slice rest = line, word = {"", 0};
    enum key_kind named;
    if (slice_casestarts(line, "untrusted comment:"))
        return slice_find(line, "public key") != (size_t)-1;
    for (int kind = 0; key_kind_known(kind); kind++) {
        const struct key_format *format = key_format((enum key_kind)kind);
        if (format->ssh && slice_starts(line, format->word))
            return true;
    }
    while (slice_word(&rest, &word) && key_kind_of(word, &named)) {
    }
    return ssh_refuse(word, &foreign) || (slice_starts(word, "RW") && word.len == 56);
}

static int parse_line(struct slice line, enum key_kind kind, struct pubkey *key, struct err *err)
{
    struct slice rest = line;
    struct slice base64;
    if (take_word(line, &kind, &base64)) {
        if (!base64.len)
            return reason_fail(err, "key_ends word=%s",
                               "nothing follows \"%s\"; copy the whole line of the .pub file",
                               key_format(kind)->word);
    } else if (slice_word(&rest, &base64) && (slice_starts(base64, "RW") || slice_starts(base64, "RU"))) {
        /* a line of a key file of minisign or signify */
    } else {
        return refuse_line(line, err);
    }
    return key_format(kind)->parse_key(kind, base64, key, err) || check_point(key, err) ? -1 : 0;
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
    return comment
               ? reason_fail(err, "comment_alone", "after the comment line the line with the key is missing")
               : 0;
}

void pubkey_format(struct str *out, const struct pubkey *key)
{
    const struct key_format *format = key_format(key->kind);
    struct str raw = STR_INIT;
    format->put_key(&raw, key);
    str_addf(out, "%s ", format->word);
    base64_encode(out, raw.p, raw.len);
    if (format->form)
        str_addf(out, " %s", format->form);
    str_release(&raw);
}

void pubkey_fingerprint(char out[KEY_FINGERPRINT], const struct pubkey *key)
{
    struct str text = STR_INIT;
    key_format(key->kind)->fingerprint(&text, key);
    (void)snprintf(out, KEY_FINGERPRINT, "%s", text.p);
    str_release(&text);
}

void pubkey_show(char out[KEY_SHOWN], const struct pubkey *key)
{
    struct str line = STR_INIT;
    if (!pubkey_is_numbered(key)) {
        char print[KEY_FINGERPRINT];
        pubkey_fingerprint(print, key);
        (void)snprintf(out, KEY_SHOWN, "%s%s", print, key->kind == KEY_WEBAUTHN_VERIFIED ? " verified" : "");
        return;
    }
    pubkey_format(&line, key);
    (void)snprintf(out, KEY_SHOWN, "%s", line.p);
    str_release(&line);
}

const char *pubkey_page(const struct pubkey *key)
{
    return key->kind == KEY_WEBAUTHN || key->kind == KEY_WEBAUTHN_VERIFIED ? key->application : NULL;
}

void pubkey_of_league(struct pubkey *key, const unsigned char point[32])
{
    *key = (struct pubkey){.kind = KEY_SSH};
    memcpy(key->point, point, sizeof key->point);
}

bool pubkey_may_be_of_league(const struct pubkey *key)
{
    return key->kind == KEY_SSH;
}

int pubkey_compare_names(const struct pubkey *a, const struct pubkey *b)
{
    bool numbered = pubkey_is_numbered(a);
    if (numbered != pubkey_is_numbered(b))
        return numbered ? 1 : -1;
    if (numbered)
        return memcmp(a->id, b->id, sizeof a->id);
    return pubkey_compare_points(a, b);
}

int pubkey_compare_points(const struct pubkey *a, const struct pubkey *b)
{
    int order = memcmp(a->point, b->point, sizeof a->point);
    return order ? order : memcmp(a->y, b->y, sizeof a->y);
}

bool pubkey_equal(const struct pubkey *a, const struct pubkey *b)
{
    return a->kind == b->kind && pubkey_compare_points(a, b) == 0 &&
           memcmp(a->id, b->id, sizeof a->id) == 0 && strcmp(a->application, b->application) == 0;
}

bool pubkey_names(const struct pubkey *named, const struct pubkey *key)
{
    const char *word = key_format(key->kind)->word;
    return pubkey_equal(named, key) ||
           (!pubkey_is_numbered(key) && strcmp(key_format(named->kind)->word, word) == 0 &&
            pubkey_compare_points(named, key) == 0 && strcmp(named->application, key->application) == 0);
}

bool pubkey_demand_verified(struct pubkey *key)
{
    if (key->kind != KEY_WEBAUTHN && key->kind != KEY_WEBAUTHN_VERIFIED)
        return false;
    key->kind = KEY_WEBAUTHN_VERIFIED;
    return true;
}

bool pubkey_needs_line(const struct pubkey *key)
{
    return pubkey_is_numbered(key) || key->kind == KEY_WEBAUTHN_VERIFIED;
}
