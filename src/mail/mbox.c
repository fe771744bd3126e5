#include "mail/mbox.h"

#include "mail/header.h"
#include "mail/message.h"
#include "mail/structured.h"

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

#define LAST_SECOND 253402300799 /* 9999-12-31: no record can hold a later time */

/* The date in the first field of that name, after its last `after`; '\0' = the field has nothing else. */
static int64_t date_in(struct slice raw, const char *field, char after)
{
    struct header header;
    struct str value = STR_INIT;
    int64_t time = 0;
    header_scan(&header, slice_sub(raw, mail_start(raw), raw.len), message_limits_default.header_bytes,
                message_limits_default.header_count);
    bool is = header_value(&header, field, &value);
    const char *last = is && after ? strrchr(value.p, after) : NULL;
    is = is && (last || !after) && structured_date(last ? slice_of(last + 1) : slice_str(&value), &time);
    header_release(&header);
    str_release(&value);
    return is && time > 0 && time <= LAST_SECOND ? time : 0;
}

int64_t mail_date(struct slice raw)
{
    return date_in(raw, "Date", '\0');
}

int64_t mail_arrival(struct slice raw)
{
    return date_in(raw, "Received", ';');
}
