#include "report/render.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/mem.h"
#include "report/mustache.h"
#include "report/textfmt.h"

#define TEXT_WIDTH    72
#define RENDER_MAX    ((size_t)1 << 20)
#define TEMPLATE_MAX  ((size_t)1 << 18)
#define TEMPLATE_NAME 96
#define BUCKETS       64

/* One compiled template, also one that was looked for and does not exist (template NULL). */
struct entry {
    struct entry *next; /* in its bucket */
    struct mustache *template;
    size_t len;
    char name[TEMPLATE_NAME]; /* "galaxy_command/board.txt" */
};

struct templates {
    char *own_dir;
    struct entry *entries[BUCKETS]; /* by entry_bucket */
    struct str raw;                 /* before its layout; kept for the next one */
    struct err *err;                /* of the render under way: what a partial's compilation met */
    const char *folder;             /* of that render */
    const char *ending;             /* ".txt" or ".html" */
};

void templates_open(const char *own_dir, struct templates **out)
{
    struct templates *templates = mem_alloc(sizeof *templates);
    templates->own_dir = own_dir ? mem_strdup(own_dir) : NULL;
    str_init(&templates->raw);
    *out = templates;
}

static void entries_free(struct entry *entry)
{
    while (entry) {
        struct entry *next = entry->next;
        mustache_free(entry->template);
        free(entry);
        entry = next;
    }
}

void templates_close(struct templates *templates)
{
    if (!templates)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        entries_free(templates->entries[i]);
    free(templates->own_dir);
    str_release(&templates->raw);
    free(templates);
}

/* The source of "galaxy_command/board.txt"; false when there is none. */
static bool source_find(const struct templates *templates, const char *name, struct str *source,
                        struct err *err)
{
    struct str path = STR_INIT;
    bool found = false;
    if (templates->own_dir) {
        str_addf(&path, "%s/%s", templates->own_dir, name);
        found = file_exists(path.p) && file_read(path.p, TEMPLATE_MAX, source, err) == 0;
        str_clear(&path);
    }
    str_addf(&path, "templates/%s", name);
    struct slice built_in = embed_find(path.p);
    if (!found && built_in.len && err->code == ERR_NONE) {
        str_addslice(source, built_in);
        found = true;
    }
    str_release(&path);
    return found;
}

/* Where "report.html" has no template of its own, "report.txt" serves: words alone, escaped. */
static bool source_of(const struct templates *templates, const char *full, struct str *source,
                      struct err *err)
{
    char words[TEMPLATE_NAME];
    if (source_find(templates, full, source, err))
        return true;
    if (!str_ends(full, ".html"))
        return false;
    (void)snprintf(words, sizeof words, "%.*s.txt", (int)(strlen(full) - 5), full);
    return source_find(templates, words, source, err);
}

static void compile(struct templates *templates, struct entry *entry)
{
    struct str source = STR_INIT;
    enum mustache_escape escape = str_ends(entry->name, ".html") ? MUSTACHE_HTML : MUSTACHE_TEXT;
    if (source_of(templates, entry->name, &source, templates->err) &&
        mustache_compile(entry->name, slice_str(&source), escape, &entry->template, templates->err) != 0)
        entry->template = NULL;
    str_release(&source);
}

static struct entry **entry_bucket(struct templates *templates, const char *name, size_t len)
{
    unsigned mixed = 0;
    for (size_t i = 0; i < len; i++)
        mixed = mixed * 31 + (unsigned char)name[i];
    return &templates->entries[mixed % BUCKETS];
}

static const struct mustache *lookup(struct templates *templates, const char *folder, const char *name)
{
    char full[TEMPLATE_NAME];
    size_t front = strlen(folder), len = front + 1 + strlen(name);
    if (len >= sizeof full)
        return NULL;
    memcpy(full, folder, front);
    full[front] = '/';
    memcpy(full + front + 1, name, len - front);
    struct entry **bucket = entry_bucket(templates, full, len);
    for (struct entry *entry = *bucket; entry; entry = entry->next)
        if (entry->len == len && memcmp(entry->name, full, len) == 0)
            return entry->template;
    struct entry *entry = mem_alloc(sizeof *entry);
    memcpy(entry->name, full, len + 1);
    entry->len = len;
    compile(templates, entry);
    entry->next = *bucket;
    *bucket = entry;
    return entry->template;
}

static const struct mustache *find_partial(void *arg, const char *name)
{
    struct templates *templates = arg;
    char full[TEMPLATE_NAME];
    const struct mustache *found = NULL;
    if (snprintf(full, sizeof full, "%s%s", name, templates->ending) >= (int)sizeof full)
        return NULL;
    if (*templates->folder)
        found = lookup(templates, templates->folder, full);
    return found ? found : lookup(templates, "common", full);
}

bool templates_have(struct templates *templates, const char *folder, const char *name)
{
    struct err err = ERR_INIT; /* a template with a fault is there; rendering it will say so */
    char full[TEMPLATE_NAME];
    (void)snprintf(full, sizeof full, "%s.txt", name);
    templates->err = &err;
    return (*folder && lookup(templates, folder, full)) || lookup(templates, "common", full) || err.code;
}

/* `layout`: a text passes through textfmt. */
static int render(struct templates *templates, const char *folder, struct rendering *what,
                  const struct value *facts, bool layout, struct err *err)
{
    const char *name = what->name;
    struct str *out = what->out;
    static const char text_ending[] = ".txt", html_ending[] = ".html";
    struct mustache_partials partials = {find_partial, templates};
    bool text = str_ends(name, text_ending);
    templates->err = err;
    templates->folder = folder;
    templates->ending = text ? text_ending : html_ending;
    str_clear(&templates->raw);
    const struct mustache *template = *folder ? lookup(templates, folder, name) : NULL;
    if (!template)
        template = lookup(templates, "common", name);
    int rc = -1;
    if (!template)
        err_set(err, ERR_CONFIG, "there is no template %s", name);
    else if (what->most)
        rc = mustache_render_some(template, facts, &partials, what->most, &templates->raw, &what->cut, err);
    else
        rc = mustache_render(template, facts, &partials, RENDER_MAX, &templates->raw, err);
    if (rc == 0 && err->code != ERR_NONE)
        rc = -1;
    if (rc == 0 && text && layout)
        textfmt(out, slice_str(&templates->raw), TEXT_WIDTH);
    else if (rc == 0)
        str_addslice(out, slice_str(&templates->raw));
    return rc;
}

int templates_render_all(struct templates *templates, const char *folder, struct rendering *list,
                         size_t count, const struct value *facts, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++)
        rc = render(templates, folder, &list[i], facts, true, err);
    return rc;
}

int templates_render(struct templates *templates, const char *folder, const char *name, const json_t *facts,
                     struct str *out, struct err *err)
{
    struct arena arena = {NULL, NULL, 0};
    struct rendering what = {.name = name, .out = out};
    int rc = render(templates, folder, &what, value_of_json(&arena, facts), true, err);
    arena_release(&arena);
    return rc;
}

int templates_piece(struct templates *templates, const char *folder, const char *name, const json_t *facts,
                    struct str *out, struct err *err)
{
    struct arena arena = {NULL, NULL, 0};
    struct rendering what = {.name = name, .out = out};
    int rc = render(templates, folder, &what, value_of_json(&arena, facts), false, err);
    arena_release(&arena);
    return rc;
}
