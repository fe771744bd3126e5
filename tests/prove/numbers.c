/* Numbers in texts: of all texts just those of digits are numbers, none overflows, and each is the number that it says. */
#include "prove/prove.h"

#include "base/clock.h"
#include "base/encode.h"
#include "base/str.h"

enum { MOST = 18 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The first word of any text of so many bytes, and what is left of the text. No sum overflows (CBMC looks at each). */
void proof_numbers_are_words_of_digits(void)
{
    char text[MOST];
    const size_t len = any_size(MOST);
    struct slice rest = {text, len};
    int64_t number = -1;
    size_t from = 0;
    while (from < len && is_blank(text[from]))
        from++;
    size_t to = from;
    bool digits = true;
    for (; to < len && !is_blank(text[to]); to++)
        digits &= text[to] >= '0' && text[to] <= '9';
    HOLDS(slice_number(&rest, &number) == (digits && to > from && to - from <= 15));
    HOLDS(number >= 0);
    HOLDS(rest.len == len - to && (!rest.len || rest.p == text + to));
}

void proof_numbers_are_what_they_say(void)
{
    enum { DIGITS = 5 };
    char text[DIGITS];
    const size_t len = any_size(DIGITS);
    struct slice rest = {text, len};
    int64_t number = -1;
    int said = 0;
    for (size_t i = 0; i < len; i++)
        said = said * 10 + (text[i] - '0');
    if (len && slice_number(&rest, &number) && !rest.len && !is_blank(text[0]))
        HOLDS(number == said);
}

/* A length of time: no overflow, and never more than 366 days. */
void proof_durations_are_bounded(void)
{
    char text[12];
    int64_t seconds = 0;
    const size_t len = any_size(sizeof text);
    if (duration_parse((struct slice){text, len}, &seconds))
        HOLDS(len >= 2 && seconds > 0 && seconds <= (int64_t)366 * 86400);
}

void proof_hex_digits(void)
{
    const char c = (char)any_int(-128, 127);
    static const char small[] = "0123456789abcdef", large[] = "0123456789ABCDEF";
    int is = -1;
    for (int i = 0; i < 16; i++)
        if (c == small[i] || c == large[i])
            is = i;
    HOLDS(hex_digit(c) == is);
}

void proof_words_of_four_bytes(void)
{
    unsigned char bytes[4], again[4];
    put_le32(again, get_le32(bytes));
    for (int i = 0; i < 4; i++)
        HOLDS(again[i] == bytes[i]);
    put_be32(again, get_be32(bytes));
    for (int i = 0; i < 4; i++)
        HOLDS(again[i] == bytes[i]);
    HOLDS(get_be32(bytes) ==
          ((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]));
}
