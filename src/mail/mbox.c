#include "mail/mbox.h"

bool mail_likely(struct slice raw)
{
    static const char *const fields[] = {
        "from:", "received:", "return-path:", "message-id:", "mime-version:", "from "};
    struct slice line;
    while (slice_line(&raw, &line) && line.len)
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (slice_casestarts(line, fields[i]))
                return true;
    return false;
}

bool mbox_likely(struct slice raw)
{
    return slice_starts(raw, "From ");
}

bool mbox_next(struct slice *rest, struct slice *mail)
{
    struct slice line;
    bool empty = false;
    if (mbox_likely(*rest))
        (void)slice_line(rest, &line);
    if (!rest->len)
        return false;
    const char *from = rest->p;
    const char *end = rest->p + rest->len;
    while (rest->len) {
        if (empty && mbox_likely(*rest)) {
            end = line.p;
            break;
        }
        (void)slice_line(rest, &line);
        empty = line.len == 0;
    }
    *mail = (struct slice){from, (size_t)(end - from)};
    return true;
}
