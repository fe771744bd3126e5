/* Fuzz target: a frame, its order script in the languages of all four games, a run through all phases, the
 * standing orders.
 *
 *     turnpost-fuzz-orders -dict=tests/fuzz/orders.dict CORPUS tests/fuzz/seeds/orders
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "orders/frame.h"
#include "orders/mock.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

struct counts {
    struct mock mock;
    size_t told;
};

static void count_line(void *arg, const struct script_line *line, enum order_result result,
                       const struct refusal *why, struct slice order)
{
    struct counts *counts = arg;
    must(line->kind == LINE_ORDERS || line->kind == LINE_BAD);
    must((result == ORDER_REFUSED && line->kind == LINE_ORDERS) == (why != NULL));
    must(!why || why->reason.len);
    must(order.len > 0);
    counts->told++;
}

/* Every line is reported once, with a reason if it is bad. */
static void run(const struct script *script, const struct language *language)
{
    struct counts counts = {.mock = MOCK_INIT};
    counts.mock.refuse = "build|trade|move home|quest";
    counts.mock.fail = "explore|attack|fight|ship best";
    counts.mock.roll = "conquer|draw|research";
    counts.mock.values =
        "metal=2|wealth=3|fleets=4|credits=10|fuel=1|afford trade=1|aligned=1|enemy=2|odds=50|left=3";
    counts.mock.have = "sector|fleet|2 metal";
    struct script_listener listener = {count_line, &counts};
    struct script_run *script_run = script_run_new(script, language, &counts, 5, &listener);
    for (int phase = 0; phase < language->phases; phase++)
        script_run_phase(script_run, phase);
    script_run_free(script_run);
    size_t expected = 0;
    must(script_line_count(script) <= SCRIPT_LINES);
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        struct refusal why;
        expected += line->kind == LINE_ORDERS || line->kind == LINE_BAD;
        must((line->kind == LINE_BAD) == (line->why != NULL));
        must(line->number > 0 && line->text.len > 0);
        if (line->kind == LINE_WHEN)
            (void)script_react(script, i, language, &counts, 5, &why);
    }
    must(counts.told == expected);
    mock_release(&counts.mock);
}

/* Standing orders stay readable, and the same mail twice changes nothing. */
static void stand(const struct script *script, const struct language *language)
{
    struct str standing = STR_INIT;
    struct str again = STR_INIT;
    standing_update(&standing, script, language);
    str_addslice(&again, slice_str(&standing));
    struct script *read = script_parse(slice_str(&standing), language);
    must(script_errors(read) == 0);
    script_free(read);
    standing_update(&again, script, language);
    must(slice_eq(slice_str(&again), standing.p));
    str_clear(&again);
    standing_always(&again, slice_str(&standing), language);
    read = script_parse(slice_str(&again), language);
    must(script_errors(read) == 0);
    script_free(read);
    str_release(&again);
    str_release(&standing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct language *const languages[] = {&command_language, &supremacy_language,
                                                       &contract_language, &farmer_language};
    struct slice text = {(const char *)data, size};
    struct frame frame;
    struct err err = ERR_INIT;
    struct slice body = text;
    if (frame_parse(text, &frame, &err) == 0)
        body = frame.body;
    else
        must(err.text[0] && utf8_valid(slice_of(err.text)));
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        struct script *script = script_parse(body, languages[i]);
        run(script, languages[i]);
        if (!body.len || !memchr(body.p, '\0', body.len))
            stand(script, languages[i]);
        script_free(script);
    }
    return 0;
}
