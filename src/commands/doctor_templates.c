/* Templates of the league's own (LEAGUE/templates): one that cannot be read would hold up every mail that needs it,
 * one with a name that nothing asks for would never be used. */
#include "commands/doctor.h"

#include <stdlib.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/nearest.h"
#include "report/mustache.h"

#define TEMPLATE_MOST ((size_t)1 << 18) /* report/render.c */
#define FRONT         "templates/"

static bool built_in(const char *front, const char *name)
{
    struct str path = STR_INIT;
    str_addf(&path, FRONT "%s%s", front, name);
    bool is = embed_find(path.p).p != NULL;
    str_release(&path);
    return is;
}

/* Is there a built-in template in that folder? */
static bool is_folder(const char *folder)
{
    struct str front = STR_INIT;
    bool is = false;
    str_addf(&front, FRONT "%s/", folder);
    for (const struct embed *entry = embed_table; entry->path && !is; entry++)
        is = str_starts(entry->path, front.p);
    str_release(&front);
    return is;
}

/* A ruleset's folder may have what "common" has; "x.html" takes the place of the words in "x.txt". */
static bool is_asked_for(const char *folder, const char *name)
{
    struct str own = STR_INIT, words = STR_INIT;
    str_addf(&own, "%s/", folder);
    str_addf(&words, "%.*s.txt", (int)(strlen(name) - strlen(strrchr(name, '.'))), name);
    bool is = built_in(own.p, name) || built_in("common/", name) || built_in(own.p, words.p) ||
              built_in("common/", words.p);
    str_release(&own);
    str_release(&words);
    return is;
}

static void say_unused(struct findings *findings, const char *path, const char *folder, const char *name)
{
    struct nearest search = NEAREST_INIT(name);
    struct str own = STR_INIT;
    str_addf(&own, FRONT "%s/", folder);
    for (const struct embed *entry = embed_table; entry->path; entry++)
        if (str_starts(entry->path, own.p))
            nearest_offer(&search, entry->path + own.len);
    findings_add(findings, FINDING_WARNING, "templates",
                 "%s: no mail asks for it, so it is used only if another of your templates includes it%s%s%s",
                 path, search.best ? "; did you mean " : "", search.best ? search.best : "",
                 search.best ? "?" : "");
    str_release(&own);
}

static bool check_one(struct findings *findings, const char *dir, const char *folder, const char *name)
{
    struct str source = STR_INIT;
    struct err err = ERR_INIT;
    struct mustache *template = NULL;
    char *path = path_join(dir, name);
    enum mustache_escape escape = str_ends(name, ".txt") ? MUSTACHE_TEXT : MUSTACHE_HTML;
    bool good = false;
    if (!str_ends(name, ".txt") && !str_ends(name, ".html") && !str_ends(name, ".svg")) {
        findings_add(findings, FINDING_WARNING, "templates",
                     "%s ends in none of .txt, .html and .svg: nobody reads it", path);
    } else if (file_read(path, TEMPLATE_MOST, &source, &err) ||
               mustache_compile(path, slice_str(&source), escape, &template, &err)) {
        struct err why = ERR_INIT;
        err_set(&why, ERR_CONFIG, "%s; mend it, or take it away (mails that need it wait)", err.text);
        findings_fail(findings, "templates", &why);
    } else {
        good = true;
        if (!is_asked_for(folder, name))
            say_unused(findings, path, folder, name);
    }
    mustache_free(template);
    str_release(&source);
    free(path);
    return good;
}

static size_t check_folder(struct findings *findings, const char *templates, const char *folder)
{
    struct file_names names;
    struct err err = ERR_INIT;
    size_t good = 0;
    char *dir = path_join(templates, folder);
    if (!is_folder(folder)) {
        findings_add(findings, FINDING_WARNING, "templates",
                     "%s: nobody reads it; templates lie in common, or in a folder named like a ruleset "
                     "(galaxy_command)",
                     dir);
    } else if (file_list(dir, &names, &err)) {
        findings_fail(findings, "templates", &err);
    } else {
        for (size_t i = 0; i < names.count; i++)
            good += check_one(findings, dir, folder, names.name[i]);
        file_names_free(&names);
    }
    free(dir);
    return good;
}

void doctor_templates(struct findings *findings, const struct league *league)
{
    struct file_names folders;
    struct err err = ERR_INIT;
    size_t good = 0;
    char *dir = league_path(league, "templates");
    if (file_list(dir, &folders, &err)) {
        findings_fail(findings, "templates", &err);
    } else {
        for (size_t i = 0; i < folders.count; i++)
            good += check_folder(findings, dir, folders.name[i]);
        if (good)
            findings_add(findings, FINDING_OK, "templates", "%zu of the league's own can be read", good);
        file_names_free(&folders);
    }
    free(dir);
}
