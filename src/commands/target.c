#include "commands/target.h"

#include "base/file.h"

int target_begin(const char *dir, mode_t mode, char **part, struct err *err)
{
    struct str name = STR_INIT;
    *part = NULL;
    if (file_exists(dir))
        return err_set(err, ERR_INPUT, "%s exists already; name a folder that does not", dir);
    str_addf(&name, "%s.part", dir);
    *part = str_detach(&name);
    if (file_exists(*part))
        return err_set(err, ERR_INPUT, "%s is left from an earlier try; remove it first", *part);
    return file_mkdirs(*part, mode, err);
}

int target_end(const char *part, const char *dir, struct err *err)
{
    if (file_sync_all(part, err))
        return -1;
    return file_rename(part, dir, err);
}
