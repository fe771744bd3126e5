/* Fuzz target: league.ini. What is accepted is within its ranges; what is not is reported with file and
 * line. */
#include "need.h"

#include <string.h>

#include "base/utf8.h"
#include "league/config_private.h"

static void check_option(const struct option *option, const struct config *config)
{
    const char *at = (const char *)config + option->offset;
    switch (option->kind) {
    case OPTION_TEXT:
    case OPTION_ADDRESS: {
        char *text;
        memcpy(&text, at, sizeof text);
        need(text && utf8_valid(slice_of(text)) && !strpbrk(text, "\r\n\x1b"));
        break;
    }
    case OPTION_NUMBER: {
        int number;
        memcpy(&number, at, sizeof number);
        need(number >= option->min && number <= option->max);
        break;
    }
    case OPTION_SIZE:
    case OPTION_DURATION: {
        int64_t number;
        memcpy(&number, at, sizeof number);
        need(number >= option->min && number <= option->max);
        break;
    }
    case OPTION_CHOICE: {
        unsigned word;
        memcpy(&word, at, sizeof word);
        need(word < 3);
        break;
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config config;
    struct err err = ERR_INIT;
    if (config_parse((struct slice){(const char *)data, size}, "league.ini", &config, &err)) {
        need(err.code == ERR_CONFIG && slice_starts(slice_of(err.text), "league.ini") &&
             utf8_valid(slice_of(err.text)) && !strchr(err.text, '\n'));
        return 0;
    }
    need(err.code == ERR_NONE);
    for (const struct option *option = option_table; option->name; option++)
        check_option(option, &config);
    config_release(&config);
    return 0;
}
