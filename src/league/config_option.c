#include "league/config_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "league/address.h"
#include "league/registry.h"

#define ADDRESS_LONGEST 254
#define MIB             (1024LL * 1024)

_Static_assert(sizeof(enum config_in) == sizeof(int) && sizeof(enum tls_mode) == sizeof(int) &&
                   sizeof(enum sink_kind) == sizeof(int) && sizeof(enum registration) == sizeof(int),
               "choices are stored as int");

static int set_text(char **where, const char *text, struct err *err)
{
    if (!utf8_valid(slice_of(text)))
        return err_set(err, ERR_CONFIG, "is not UTF-8 text");
    for (const char *p = text; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return err_set(err, ERR_CONFIG, "has a control character");
    free(*where);
    *where = mem_strdup(text);
    return 0;
}

static int set_choice(void *where, const struct option *option, const char *text)
{
    struct slice rest = slice_of(option->choices);
    struct slice word;
    for (int number = 0; slice_word(&rest, &word); number++) {
        if (slice_eq(word, text)) {
            memcpy(where, &number, sizeof number);
            return 0;
        }
    }
    return -1;
}

static bool whole_number(const char *text, int64_t *number, const char **end)
{
    int64_t n = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (n > INT32_MAX)
            return false;
        n = n * 10 + (*p - '0');
    }
    *number = n;
    *end = p;
    return p > text;
}

static bool read_quantity(const struct option *option, const char *text, int64_t *number)
{
    const char *end = text;
    *number = 0;
    if (option->kind == OPTION_DURATION && strcmp(text, "0") == 0)
        return true; /* where the range allows it */
    if (option->kind == OPTION_DURATION)
        return duration_parse(slice_of(text), number);
    if (!whole_number(text, number, &end))
        return false;
    bool size = option->kind == OPTION_SIZE;
    bool kib = size && (*end == 'K' || *end == 'k');
    bool mib = size && (*end == 'M' || *end == 'm');
    *number *= kib ? 1024 : mib ? MIB : 1;
    end += kib || mib;
    return *end == '\0';
}

static void add_quantity(struct str *out, const struct option *option, int64_t number)
{
    if (option->kind == OPTION_DURATION && number)
        duration_add(out, number);
    else if (option->kind == OPTION_SIZE && number % MIB == 0)
        str_addf(out, "%lldM", (long long)(number / MIB));
    else if (option->kind == OPTION_SIZE && number % 1024 == 0)
        str_addf(out, "%lldK", (long long)(number / 1024));
    else
        str_addf(out, "%lld", (long long)number);
}

void option_range(struct str *out, const struct option *option)
{
    struct slice rest = slice_of(option->choices ? option->choices : "");
    struct slice word;
    switch (option->kind) {
    case OPTION_TEXT: break;
    case OPTION_ADDRESS: str_adds(out, "an address such as orders@example.org"); break;
    case OPTION_CHOICE:
        str_adds(out, "one of");
        for (const char *gap = " "; slice_word(&rest, &word); gap = ", ") {
            str_adds(out, gap);
            str_addslice(out, word);
        }
        break;
    case OPTION_NUMBER:
    case OPTION_SIZE:
    case OPTION_DURATION:
        add_quantity(out, option, option->min);
        str_adds(out, " .. ");
        add_quantity(out, option, option->max);
        break;
    }
}

static int set_address(char **where, const char *text, struct err *err)
{
    char address[ADDRESS_LONGEST + 1];
    size_t len = strlen(text);
    if (len > ADDRESS_LONGEST)
        return err_set(err, ERR_CONFIG, "is longer than %d bytes", ADDRESS_LONGEST);
    memcpy(address, text, len + 1);
    if (len && address_check(address, err) != 0) {
        err->code = ERR_CONFIG;
        return -1;
    }
    free(*where);
    *where = mem_strdup(address);
    return 0;
}

int option_set(const struct option *option, struct config *config, const char *text, struct err *err)
{
    char *where = (char *)config + option->offset;
    int64_t number = 0;
    bool good = false;
    switch (option->kind) {
    case OPTION_TEXT: return set_text((char **)(void *)where, text, err);
    case OPTION_ADDRESS: return set_address((char **)(void *)where, text, err);
    case OPTION_CHOICE: good = set_choice(where, option, text) == 0; break;
    case OPTION_NUMBER:
    case OPTION_SIZE:
    case OPTION_DURATION:
        good = read_quantity(option, text, &number) && number >= option->min && number <= option->max;
        break;
    }
    if (!good) {
        struct str range = STR_INIT;
        option_range(&range, option);
        err_set(err, ERR_CONFIG, "\"%s\" is not possible here; it must be %s%s", text,
                option->kind == OPTION_CHOICE ? "" : "in ", range.p);
        str_release(&range);
        return -1;
    }
    int small = (int)number;
    if (option->kind == OPTION_NUMBER)
        memcpy(where, &small, sizeof small);
    else if (option->kind != OPTION_CHOICE)
        memcpy(where, &number, sizeof number);
    return 0;
}
