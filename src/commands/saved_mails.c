#include "commands/saved_mails.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "commands/commands.h"
#include "mail/mbox.h"

#define FILE_LONGEST ((size_t)1 << 30)

static int take_file(const char *path, saved_mail *each, void *arg, struct err *err)
{
    struct str raw = STR_INIT;
    int rc = strcmp(path, "-") == 0 ? command_read(path, FILE_LONGEST, &raw, err)
                                    : file_read(path, FILE_LONGEST, &raw, err);
    struct slice rest = slice_str(&raw);
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (rc == 0 && mbox_likely(rest)) {
        struct slice mail;
        struct str label = STR_INIT;
        for (int number = 1; mbox_next(&rest, &mail); number++) {
            str_clear(&label);
            str_addf(&label, "%s, mail %d", name, number);
            each(arg, label.p, mail);
        }
        str_release(&label);
    } else if (rc == 0) {
        each(arg, name, rest);
    }
    str_release(&raw);
    return rc;
}

static int take_folder(const char *path, saved_mail *each, void *arg, struct err *err)
{
    struct file_names names;
    int rc = file_list(path, &names, err);
    if (rc)
        return -1;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *file = path_join(path, names.name[i]);
        if (file_is_plain(file))
            rc = take_file(file, each, arg, err);
        free(file);
    }
    file_names_free(&names);
    return rc;
}

int saved_mails(const char *path, saved_mail *each, void *arg, struct err *err)
{
    static const char *const rooms[] = {"new", "cur"};
    if (strcmp(path, "-") == 0 || file_is_plain(path))
        return take_file(path, each, arg, err);
    if (!file_exists(path))
        return err_set(err, ERR_MISSING, "%s does not exist", path);
    int rc = take_folder(path, each, arg, err);
    for (size_t i = 0; rc == 0 && i < sizeof rooms / sizeof *rooms; i++) {
        char *room = path_join(path, rooms[i]);
        rc = take_folder(room, each, arg, err); /* a missing one is empty */
        free(room);
    }
    return rc;
}
