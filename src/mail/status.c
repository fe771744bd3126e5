#include "mail/status.h"

/* One to three digits at `at`; 0 = none. */
static size_t number(struct slice text, size_t at, int *value)
{
    size_t n = 0;
    for (*value = 0; at + n < text.len && text.p[at + n] >= '0' && text.p[at + n] <= '9'; n++)
        *value = n < 3 ? *value * 10 + (text.p[at + n] - '0') : *value;
    return n <= 3 ? n : 0;
}

size_t status_read(struct slice text, struct mail_status *status)
{
    struct mail_status found;
    size_t one = number(text, 0, &found.class);
    if (one != 1 || (found.class != 2 && found.class != 4 && found.class != 5) || text.len < 5 ||
        text.p[1] != '.')
        return 0;
    size_t two = number(text, 2, &found.subject), end = 2 + two;
    if (!two || end >= text.len || text.p[end] != '.')
        return 0;
    size_t three = number(text, end + 1, &found.detail);
    if (!three)
        return 0;
    *status = found;
    return end + 1 + three;
}
