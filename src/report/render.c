#include "report/render.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/mem.h"
#include "report/mustache.h"
#include "report/page.h"
#include "report/textfmt.h"

#define TEXT_WIDTH    72
#define RENDER_MAX    ((size_t)1 << 20)
#define TEMPLATE_MAX  ((size_t)1 << 18)
#define TEMPLATE_NAME 96
#define BUCKETS       64

/* One compiled template, or one that was looked for and does not exist (template NULL). */
struct entry {
    struct entry *next; /* in its bucket */
    struct mustache *template;
    bool borrowed; /* a page that has no template of its own: it is made of the words */
    size_t len;
    char name[TEMPLATE_NAME]; /* "galaxy_command/board.txt" */
};

/* What {{>name}} means in templates with this ending, for games with this folder. */
struct partial {
    struct partial *next;            /* in its bucket */
    const struct mustache *template; /* of an entry; or NULL */
    size_t len;
    char name[TEMPLATE_NAME];
};

struct shelf {
    struct shelf *next;
    char folder[TEMPLATE_NAME];
    const char *ending;                /* text_ending, html_ending or picture_ending */
    struct partial *partials[BUCKETS]; /* by value_name.place */
};

struct templates {
    char *own_dir;
    struct entry *entries[BUCKETS]; /* by entry_bucket */
    struct shelf *shelves;
    struct str raw;      /* before its layout; kept for the next one */
    struct err *err;     /* of the current rendering: the error of a partial's compilation */
    struct shelf *shelf; /* of that rendering */
};

static const char text_ending[] = ".txt", html_ending[] = ".html", picture_ending[] = ".svg";

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

static void shelves_free(struct shelf *shelf)
{
    while (shelf) {
        struct shelf *next = shelf->next;
        for (size_t i = 0; i < BUCKETS; i++)
            while (shelf->partials[i]) {
                struct partial *partial = shelf->partials[i];
                shelf->partials[i] = partial->next;
                free(partial);
            }
        free(shelf);
        shelf = next;
    }
}

void templates_close(struct templates *templates)
{
    if (!templates)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        entries_free(templates->entries[i]);
    shelves_free(templates->shelves);
    free(templates->own_dir);
    str_release(&templates->raw);
    free(templates);
}

bool templates_own(const struct templates *templates, const char *folder)
{
    char *path = templates->own_dir ? path_join(templates->own_dir, folder) : NULL;
    const bool own = path && file_exists(path);
    free(path);
    return own;
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
static bool source_of(const struct templates *templates, const char *full, struct str *source, bool *borrowed,
                      struct err *err)
{
    char words[TEMPLATE_NAME];
    if (source_find(templates, full, source, err))
        return true;
    if (!str_ends(full, ".html"))
        return false;
    (void)snprintf(words, sizeof words, "%.*s.txt", (int)(strlen(full) - 5), full);
    *borrowed = source_find(templates, words, source, err);
    return *borrowed;
}

static void compile(struct templates *templates, struct entry *entry)
{
    struct str source = STR_INIT;
    enum mustache_escape escape = str_ends(entry->name, text_ending) ? MUSTACHE_TEXT : MUSTACHE_HTML;
    if (source_of(templates, entry->name, &source, &entry->borrowed, templates->err) &&
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

static const struct entry *look(struct templates *templates, const char *folder, const char *name)
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
            return entry;
    struct entry *entry = mem_alloc(sizeof *entry);
    memcpy(entry->name, full, len + 1);
    entry->len = len;
    compile(templates, entry);
    entry->next = *bucket;
    *bucket = entry;
    return entry;
}

static const char *ending_of(const char *name)
{
    if (str_ends(name, text_ending))
        return text_ending;
    return str_ends(name, picture_ending) ? picture_ending : html_ending;
}

static const struct mustache *lookup(struct templates *templates, const char *folder, const char *name)
{
    const struct entry *entry = look(templates, folder, name);
    return entry ? entry->template : NULL;
}

static struct shelf *shelf_of(struct templates *templates, const char *folder, const char *ending)
{
    struct shelf *shelf = templates->shelves;
    while (shelf && (shelf->ending != ending || strcmp(shelf->folder, folder) != 0))
        shelf = shelf->next;
    if (shelf)
        return shelf;
    shelf = mem_alloc(sizeof *shelf);
    (void)snprintf(shelf->folder, sizeof shelf->folder, "%s", folder);
    shelf->ending = ending;
    shelf->next = templates->shelves;
    return templates->shelves = shelf;
}

/* The folder's own one, or that of all. */
static const struct mustache *find_first(struct templates *templates, const char *name)
{
    const struct shelf *shelf = templates->shelf;
    char full[TEMPLATE_NAME];
    const struct mustache *found = NULL;
    (void)snprintf(full, sizeof full, "%s%s", name, shelf->ending);
    if (*shelf->folder)
        found = lookup(templates, shelf->folder, full);
    return found ? found : lookup(templates, "common", full);
}

static const struct mustache *find_partial(void *arg, const struct value_name *name)
{
    struct templates *templates = arg;
    struct partial **bucket = &templates->shelf->partials[name->place % BUCKETS];
    if (name->len + strlen(templates->shelf->ending) >= TEMPLATE_NAME)
        return NULL;
    for (const struct partial *partial = *bucket; partial; partial = partial->next)
        if (partial->len == name->len && memcmp(partial->name, name->p, name->len) == 0)
            return partial->template;
    struct partial *partial = mem_alloc(sizeof *partial);
    memcpy(partial->name, name->p, name->len);
    partial->len = name->len;
    partial->template = find_first(templates, partial->name);
    partial->next = *bucket;
    return (*bucket = partial)->template;
}

bool templates_have(struct templates *templates, const char *folder, const char *name)
{
    struct err err = ERR_INIT; /* a faulty template counts as there; rendering it will report the fault */
    char full[TEMPLATE_NAME];
    (void)snprintf(full, sizeof full, "%s.txt", name);
    templates->err = &err;
    bool found =
        (*folder && lookup(templates, folder, full)) || lookup(templates, "common", full) || err.code;
    templates->err = NULL;
    return found;
}

/* A line with "+" and TAB (textfmt.h) goes on in the item above it. */
static void join_items(struct str *text)
{
    struct slice rest = slice_str(text), line;
    struct str joined = STR_INIT;
    bool item = false;
    if (slice_find(rest, "+\t") == (size_t)-1)
        return;
    while (slice_line(&rest, &line)) {
        const bool goes_on = slice_starts(line, "+\t");
        if (goes_on && item)
            joined.p[joined.len - 1] = ' '; /* the end of the line above */
        else if (goes_on)
            str_adds(&joined, "* ");
        str_addslice(&joined, slice_sub(line, goes_on ? 2 : 0, line.len));
        str_addc(&joined, '\n');
        item = goes_on || slice_starts(line, "* ");
    }
    str_release(text);
    *text = joined;
}

/* Renders the template of that name into templates->raw, without the layout. */
static int render_template(struct templates *templates, const char *folder, struct rendering *what,
                           const struct value *facts, struct err *err)
{
    const char *name = what->name;
    struct mustache_partials partials = {find_partial, templates};
    struct mustache_data data = {facts, &partials, what->most ? what->most : RENDER_MAX};
    templates->err = err;
    templates->shelf = shelf_of(templates, folder, ending_of(name));
    str_clear(&templates->raw);
    const struct mustache *template = *folder ? lookup(templates, folder, name) : NULL;
    if (!template)
        template = lookup(templates, "common", name);
    int rc = -1;
    if (!template)
        err_set(err, ERR_CONFIG, "there is no template %s", name);
    else if (what->most)
        rc = mustache_render_some(template, &data, &templates->raw, &what->cut, err);
    else
        rc = mustache_render(template, &data, &templates->raw, err);
    join_items(&templates->raw);
    return rc == 0 && err->code != ERR_NONE ? -1 : rc;
}

/* A page that has no template of its own is made of the words. The league's name, with which words may begin, is in what
 * stands around them. */
static int render_words(struct templates *templates, const char *folder, struct rendering *what, bool mail,
                        const struct value *facts, struct err *err)
{
    char words[TEMPLATE_NAME];
    struct str body = STR_INIT;
    const struct value *league = value_get(facts, "league");
    (void)snprintf(words, sizeof words, "%.*s%s", (int)(strlen(what->name) - strlen(html_ending)), what->name,
                   text_ending);
    struct rendering inner = {.name = words, .most = what->most};
    int rc = render_template(templates, folder, &inner, facts, err);
    what->cut = inner.cut;
    struct slice rest = slice_str(&templates->raw), line;
    if (!league || league->kind != VALUE_TEXT || !slice_line(&rest, &line) || line.len != league->text.len ||
        !slice_starts(line, league->text.p))
        rest = slice_str(&templates->raw);
    page_body(&body, rest, mail);
    what->cut = what->cut || (what->most && body.len > what->most);
    str_clear(&templates->raw);
    str_addslice(&templates->raw, slice_str(&body));
    str_release(&body);
    return rc;
}

/* The same between head and foot. */
static int render_page(struct templates *templates, const char *folder, struct rendering *what,
                       const struct value *facts, struct err *err)
{
    struct rendering foot = {.name = "foot.html"}, head = {.name = "head.html"};
    struct str body = STR_INIT, page = STR_INIT;
    if (render_words(templates, folder, what, true, facts, err))
        return -1;
    str_addslice(&body, slice_str(&templates->raw));
    int rc = render_template(templates, folder, &head, facts, err);
    str_addslice(&page, slice_str(&templates->raw));
    str_addslice(&page, slice_str(&body));
    if (rc == 0)
        rc = render_template(templates, folder, &foot, facts, err);
    str_addslice(&page, slice_str(&templates->raw));
    str_clear(&templates->raw);
    str_addslice(&templates->raw, slice_str(&page));
    str_release(&page);
    str_release(&body);
    return rc;
}

static bool is_borrowed(struct templates *templates, const char *folder, const char *name, struct err *err)
{
    templates->err = err;
    const struct entry *entry = *folder ? look(templates, folder, name) : NULL;
    if (!entry || !entry->template)
        entry = look(templates, "common", name);
    return entry && entry->borrowed;
}

enum around { WHOLE, PIECE };

static int render(struct templates *templates, const char *folder, struct rendering *what, enum around around,
                  const struct value *facts, struct err *err)
{
    if (!is_borrowed(templates, folder, what->name, err))
        return render_template(templates, folder, what, facts, err);
    return around == WHOLE ? render_page(templates, folder, what, facts, err)
                           : render_words(templates, folder, what, false, facts, err);
}

/* Appends it to what->out, texts with the layout. */
static int render_out(struct templates *templates, const struct renderings *all, struct rendering *what,
                      const struct value *facts, struct err *err)
{
    if (render(templates, all->folder, what, WHOLE, facts, err))
        return -1;
    if (str_ends(what->name, text_ending))
        textfmt(what->out, slice_str(&templates->raw), what->unbroken ? TEMPLATE_MAX : TEXT_WIDTH);
    else
        str_addslice(what->out, slice_str(&templates->raw));
    return 0;
}

int templates_render_all(struct templates *templates, const struct renderings *all, const struct value *facts,
                         struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < all->count && rc == 0; i++)
        rc = render_out(templates, all, &all->list[i], facts, err);
    return rc;
}

int templates_render(struct templates *templates, const struct template_name *name, const json_t *facts,
                     struct str *out, struct err *err)
{
    struct arena arena = {NULL, NULL, 0};
    struct rendering what = {.name = name->name, .out = out};
    const struct renderings all = {.folder = name->folder};
    int rc = render_out(templates, &all, &what, value_of_json(&arena, facts), err);
    arena_release(&arena);
    return rc;
}

int templates_piece(struct templates *templates, const struct template_name *name, const json_t *facts,
                    struct str *out, struct err *err)
{
    struct arena arena = {NULL, NULL, 0};
    struct rendering what = {.name = name->name, .out = out};
    int rc = render(templates, name->folder, &what, PIECE, value_of_json(&arena, facts), err);
    if (rc == 0)
        str_addslice(out, slice_str(&templates->raw));
    arena_release(&arena);
    return rc;
}

/* The words of such a value, a new reference; NULL: it is another one. */
static json_t *words_of(struct templates *templates, const char *folder, const json_t *value, struct err *err)
{
    static const char *const names[][2] = {
        {"moment", "moment.txt"}, {"duration", "duration.txt"}, {"ranks", "ranks.txt"}};
    struct str words = STR_INIT;
    json_t *said = NULL;
    for (size_t i = 0; json_object_size(value) == 1 && !said && i < sizeof names / sizeof *names; i++) {
        const json_t *inside = json_object_get(value, names[i][0]);
        const struct template_name name = {folder, names[i][1]};
        if (json_is_object(inside) && templates_piece(templates, &name, inside, &words, err) == 0)
            said = json_text(slice_trim(slice_str(&words)));
    }
    str_release(&words);
    return said;
}

/* NOLINTNEXTLINE(misc-no-recursion): facts are ours, and no deeper than templates use them */
int templates_say(struct templates *templates, const char *folder, json_t *facts, struct err *err)
{
    const char *key;
    size_t i;
    json_t *value, *said;
    void *next;
    json_object_foreach_safe (facts, next, key, value) {
        said = words_of(templates, folder, value, err);
        if (said)
            json_object_set_new(facts, key, said);
        else if (err->code || templates_say(templates, folder, value, err))
            return -1;
    }
    json_array_foreach (facts, i, value) {
        said = words_of(templates, folder, value, err);
        if (said)
            json_array_set_new(facts, i, said);
        else if (err->code || templates_say(templates, folder, value, err))
            return -1;
    }
    return 0;
}
