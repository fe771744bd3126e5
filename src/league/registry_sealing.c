#include "league/registry_sealing.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"

#define KEY_MODE 0600
#define KEY_MOST 4096
#define KEY_ID   32 /* bytes of the digest that its name is the beginning of: */
#define NAMED_BY 8  /* bytes */
#define LABEL    "turnpost/sealing"

/* Members that are sealed as they are. */
static const char *const alone[] = {"signed", "said", "evidence"};

/* ---- keys ---- */

static char *key_path(const char *league_dir, const char *player)
{
    char *dir = path_join(league_dir, SEALING_DIR);
    char *path = path_join(dir, player);
    free(dir);
    return path;
}

/* By which a key is known, since who comes again under the same name has another one: 16 hex digits. */
static void key_name(const unsigned char key[crypto_secretbox_KEYBYTES], struct str *out)
{
    unsigned char digest[KEY_ID];
    crypto_generichash(digest, sizeof digest, key, crypto_secretbox_KEYBYTES, (const unsigned char *)LABEL,
                       sizeof LABEL - 1);
    hex_encode(out, digest, NAMED_BY);
    str_addc(out, '.');
}

static int key_make(const char *league_dir, const char *path, unsigned char key[crypto_secretbox_KEYBYTES],
                    struct err *err)
{
    struct str hex = STR_INIT;
    char *dir = path_join(league_dir, SEALING_DIR);
    randombytes_buf(key, crypto_secretbox_KEYBYTES);
    key_name(key, &hex);
    hex_encode(&hex, key, crypto_secretbox_KEYBYTES);
    str_addc(&hex, '\n');
    int rc = file_mkdirs(dir, 0700, err) || file_write(path, slice_str(&hex), KEY_MODE, err) ? -1 : 0;
    sodium_memzero(hex.p, hex.len);
    str_release(&hex);
    free(dir);
    return rc;
}

static int key_read(const char *path, unsigned char key[crypto_secretbox_KEYBYTES], struct err *err)
{
    struct str line = STR_INIT, name = STR_INIT;
    int rc = file_read(path, KEY_MOST, &line, err);
    const struct slice text = slice_trim(slice_str(&line)),
                       digits = slice_sub(text, 2 * NAMED_BY + 1, text.len);
    const bool is_key = rc == 0 && hex_decode(key, crypto_secretbox_KEYBYTES, digits);
    if (is_key)
        key_name(key, &name);
    if (rc == 0 && (!is_key || !slice_starts(text, name.p)))
        rc = err_set(err, ERR_BROKEN, "%s is damaged: it is not the key that it names; take it from a backup",
                     path);
    if (line.len)
        sodium_memzero(line.p, line.len);
    str_release(&line);
    str_release(&name);
    return rc;
}

/* ---- what is sealed ---- */

static void document_path(const char *player, struct str *path)
{
    str_addf(path, "players/%s.json", player);
}

/* Takes it out of the record; NULL = there is none of it. New reference. */
static json_t *take_out(json_t *fields, const char *player)
{
    struct str path = STR_INIT;
    json_t *inner = json_object();
    document_path(player, &path);
    json_t *document = json_object_get(json_object_get(fields, "files"), path.p);
    if (json_is_object(document)) {
        json_t *others = json_copy(json_object_get(fields, "files")); /* the caller's stay as they are */
        json_object_set_new(inner, "files", json_pack("{s:O}", path.p, document));
        json_object_del(others, path.p);
        json_object_set_new(fields, "files", others);
    }
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (json_object_get(fields, alone[i])) {
            json_object_set(inner, alone[i], json_object_get(fields, alone[i]));
            json_object_del(fields, alone[i]);
        }
    str_release(&path);
    if (json_object_size(inner))
        return inner;
    json_decref(inner);
    return NULL;
}

static void put_back(json_t *fields, const json_t *inner)
{
    json_t *files = json_object_get(fields, "files");
    json_object_update(files, json_object_get(inner, "files"));
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (json_object_get(inner, alone[i]))
            json_object_set(fields, alone[i], json_object_get(inner, alone[i]));
    json_object_del(fields, "sealed");
}

/* Makes the text longer by so many bytes, whatever they are. */
static unsigned char *make_room(struct str *s, size_t len)
{
    str_reserve(s, len);
    unsigned char *room = (unsigned char *)s->p + s->len;
    s->len += len;
    s->p[s->len] = '\0';
    return room;
}

static void lock(const unsigned char key[crypto_secretbox_KEYBYTES], struct slice text, struct str *out)
{
    struct str box = STR_INIT;
    unsigned char *bytes =
        make_room(&box, crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES + text.len);
    randombytes_buf(bytes, crypto_secretbox_NONCEBYTES);
    (void)crypto_secretbox_easy(bytes + crypto_secretbox_NONCEBYTES, (const unsigned char *)text.p, text.len,
                                bytes, key);
    key_name(key, out);
    base64_encode(out, box.p, box.len);
    str_release(&box);
}

static bool unlock(const unsigned char key[crypto_secretbox_KEYBYTES], struct slice sealed, struct str *out)
{
    const size_t front = crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES;
    struct str box = STR_INIT;
    bool good = base64_decode(&box, sealed) && box.len > front;
    if (good) {
        const unsigned char *bytes = (const unsigned char *)box.p;
        good =
            crypto_secretbox_open_easy(make_room(out, box.len - front), bytes + crypto_secretbox_NONCEBYTES,
                                       box.len - crypto_secretbox_NONCEBYTES, bytes, key) == 0;
    }
    str_release(&box);
    return good;
}

/* Opens it with that key; *other: it was sealed under another one. */
static int open_with(const unsigned char key[crypto_secretbox_KEYBYTES], const char *sealed, json_t *fields,
                     bool *other, struct err *err)
{
    struct str name = STR_INIT, text = STR_INIT;
    int rc = 0;
    key_name(key, &name);
    *other = !str_starts(sealed, name.p);
    if (!*other && !unlock(key, slice_of(sealed + name.len), &text))
        rc = err_set(err, ERR_BROKEN, "what it seals cannot be opened");
    json_t *inner = rc == 0 && !*other ? json_read(slice_str(&text), "what it seals", err) : NULL;
    if (inner)
        put_back(fields, inner);
    else if (!*other)
        rc = -1;
    json_decref(inner);
    str_release(&name);
    str_release(&text);
    return rc;
}

int registry_seal(const char *league_dir, json_t *fields, struct err *err)
{
    unsigned char key[crypto_secretbox_KEYBYTES];
    struct str text = STR_INIT, sealed = STR_INIT;
    const char *player = json_string_value(json_object_get(fields, "player"));
    json_t *inner = player ? take_out(fields, player) : NULL;
    if (!inner)
        return 0;
    char *path = key_path(league_dir, player);
    int rc = file_exists(path) ? key_read(path, key, err) : key_make(league_dir, path, key, err);
    if (rc == 0) {
        json_write(&text, inner);
        lock(key, slice_str(&text), &sealed);
        json_object_set_new(fields, "sealed", json_string(sealed.p));
    }
    sodium_memzero(key, sizeof key);
    free(path);
    json_decref(inner);
    str_release(&text);
    str_release(&sealed);
    return rc;
}

int registry_unseal(const char *league_dir, json_t *fields, bool *erased, struct err *err)
{
    unsigned char key[crypto_secretbox_KEYBYTES];
    const char *player = json_string_value(json_object_get(fields, "player"));
    const char *sealed = json_string_value(json_object_get(fields, "sealed"));
    *erased = false;
    if (!sealed)
        return 0;
    if (!player || !name_valid(slice_of(player)))
        return err_set(err, ERR_BROKEN, "it is sealed for nobody");
    char *path = key_path(league_dir, player);
    *erased = !file_exists(path);
    int rc = *erased ? 0 : key_read(path, key, err);
    if (rc == 0 && !*erased)
        rc = open_with(key, sealed, fields, erased, err);
    sodium_memzero(key, sizeof key);
    free(path);
    return rc;
}

/* ---- leaving ---- */

/* Is it bob.json.before, or bob.pub.before.2? */
static bool is_kept_copy(const char *file, const char *player)
{
    size_t len = strlen(player);
    return strncmp(file, player, len) == 0 &&
           (str_starts(file + len, ".json.before") || str_starts(file + len, ".pub.before"));
}

int registry_sealing_destroy(const char *league_dir, const char *player, struct err *err)
{
    struct file_names names = {NULL, 0};
    char *path = key_path(league_dir, player);
    char *dir = path_join(league_dir, "registry");
    int rc = file_exists(path) ? file_remove(path, err) : 0;
    if (rc == 0 && file_exists(dir))
        rc = file_list(dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *copy = path_join(dir, names.name[i]);
        if (is_kept_copy(names.name[i], player))
            rc = file_remove(copy, err);
        free(copy);
    }
    file_names_free(&names);
    free(path);
    free(dir);
    return rc;
}
