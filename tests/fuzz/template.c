/* Fuzz target: bytes as a Mustache template over fixed JSON, in both modes, with itself and a fixed one as
 * partials; what comes out goes through textfmt. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "report/mustache.h"
#include "report/textfmt.h"

#define OUTPUT_MAX 20000

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char data_text[] =
    "{\"game\":\"gc-17\",\"turn\":5,\"real\":2.5,\"yes\":true,\"no\":false,\"null\":null,\"empty\":[],"
    "\"text\":\"<b>&\\u202E\\n\\t|東京 `'\\\"\",\"o\":{\"a\":{\"b\":\"deep\"},\"l\":[]},"
    "\"l\":[{\"a\":1,\"b\":\"Vega\"},{\"a\":-22,\"b\":\"a name that is rather long for a table with only few "
    "columns\"},"
    "\"x\",null,[1,[2,3]]]}";

struct pair {
    const struct mustache *self;
    const struct mustache *row;
};

static const struct mustache *pair_find(void *arg, const struct value_name *name)
{
    const struct pair *pair = arg;
    const struct slice named = {name->p, name->len};
    if (slice_eq(named, "self"))
        return pair->self;
    return slice_eq(named, "row") ? pair->row : NULL;
}

static void one_mode(struct slice source, enum mustache_escape escape, const json_t *data)
{
    struct err err = ERR_INIT;
    struct str out = STR_INIT;
    struct str laid = STR_INIT;
    struct mustache *row = NULL;
    struct mustache *template = NULL;
    if (mustache_compile("row", slice_of("\t{{a}}\t{{b}}{{.}}\n{{#l}}\n\t{{.}}\n{{/l}}\n"), escape, &row,
                         &err) != 0)
        abort();
    if (mustache_compile("fuzz", source, escape, &template, &err) == 0) {
        struct pair pair = {template, row};
        struct mustache_partials partials = {pair_find, &pair};
        struct arena arena = {NULL, NULL, 0};
        const struct value *value = value_of_json(&arena, data);
        if (mustache_render(template, &(struct mustache_data){value, &partials, OUTPUT_MAX}, &out, &err) !=
                0 &&
            out.len)
            abort();
        arena_release(&arena);
        if (out.len > OUTPUT_MAX)
            abort();
        textfmt(&laid, slice_str(&out), escape == MUSTACHE_TEXT ? TEXTFMT_WIDTH : 24);
        if (laid.len && laid.p[laid.len - 1] != '\n')
            abort();
    } else if (err.code == ERR_NONE || !err.text[0]) {
        abort();
    }
    mustache_free(template);
    mustache_free(row);
    str_release(&out);
    str_release(&laid);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct err err = ERR_INIT;
    struct slice source = {(const char *)bytes, len};
    struct str laid = STR_INIT;
    json_t *data = json_read(slice_of(data_text), "data", &err);
    if (!data)
        abort();
    one_mode(source, MUSTACHE_TEXT, data);
    one_mode(source, MUSTACHE_HTML, data);
    textfmt(&laid, source, 30);
    str_release(&laid);
    json_decref(data);
    return 0;
}
