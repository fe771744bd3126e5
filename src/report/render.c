#include "report/render.h"

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

/* One compiled template, also one that was looked for and does not exist (template NULL). */
struct entry {
    char name[TEMPLATE_NAME]; /* "galaxy_command/board.txt" */
    struct mustache *template;
};

struct templates {
    char *own_dir;
    struct entry *list;
    size_t count, cap;
    struct err *err; /* of the render under way: what a partial's compilation met */
    const char *folder;
    const char *ending; /* ".txt" or ".html" */
};

void templates_open(const char *own_dir, struct templates **out)
{
    struct templates *templates = mem_alloc(sizeof *templates);
    templates->own_dir = own_dir ? mem_strdup(own_dir) : NULL;
    *out = templates;
}

void templates_close(struct templates *templates)
{
    if (!templates)
        return;
    for (size_t i = 0; i < templates->count; i++)
        mustache_free(templates->list[i].template);
    free(templates->list);
    free(templates->own_dir);
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

static const struct mustache *lookup(struct templates *templates, const char *folder, const char *name)
{
    char full[TEMPLATE_NAME];
    struct str source = STR_INIT;
    if (snprintf(full, sizeof full, "%s/%s", folder, name) >= (int)sizeof full)
        return NULL;
    for (size_t i = 0; i < templates->count; i++)
        if (strcmp(templates->list[i].name, full) == 0)
            return templates->list[i].template;
    templates->list = mem_grow(templates->list, templates->count, &templates->cap, sizeof *templates->list);
    struct entry *entry = &templates->list[templates->count];
    memcpy(entry->name, full, sizeof full);
    entry->template = NULL;
    bool found = source_find(templates, full, &source, templates->err);
    if (!found && str_ends(full, ".html")) { /* words alone serve both: refusals.txt, escaped */
        char words[TEMPLATE_NAME];
        (void)snprintf(words, sizeof words, "%.*s.txt", (int)(strlen(full) - 5), full);
        found = source_find(templates, words, &source, templates->err);
    }
    if (found &&
        mustache_compile(full, slice_str(&source), str_ends(name, ".html") ? MUSTACHE_HTML : MUSTACHE_TEXT,
                         &entry->template, templates->err) != 0)
        entry->template = NULL;
    templates->count++;
    str_release(&source);
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

int templates_render(struct templates *templates, const char *folder, const char *name, const json_t *facts,
                     struct str *out, struct err *err)
{
    struct mustache_partials partials = {find_partial, templates};
    struct str raw = STR_INIT;
    bool text = str_ends(name, ".txt");
    templates->err = err;
    templates->folder = folder;
    templates->ending = text ? ".txt" : ".html";
    const struct mustache *template = *folder ? lookup(templates, folder, name) : NULL;
    if (!template)
        template = lookup(templates, "common", name);
    int rc = -1;
    if (!template)
        err_set(err, ERR_CONFIG, "there is no template %s", name);
    else
        rc = mustache_render(template, facts, &partials, RENDER_MAX, &raw, err);
    if (rc == 0 && err->code != ERR_NONE)
        rc = -1;
    if (rc == 0 && text)
        textfmt(out, slice_str(&raw), TEXT_WIDTH);
    else if (rc == 0)
        str_addslice(out, slice_str(&raw));
    str_release(&raw);
    return rc;
}
