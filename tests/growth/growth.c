/* Every parser of strangers' bytes over every family of bytes (families.h), n, 2n and 4n of them: how fast
 * the counted work grows. 1 is linear; more than 1.3 fails.
 *
 *     build/count/tests/growth/growth            a table of what grows fastest, and what fails
 *     GROWTH_SIZE=65536 ... growth               4n is so many bytes (default 49152)
 *     ... growth PARSER [FAMILY]                 these alone, with their figures
 *
 * What a family is to a parser that does not know it is garbage, and worth a look, too. Jansson is not counted,
 * which reads what is not ours only beyond base/json_read.c. */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "families.h"
#include "growth.h"

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/zone.h"
#include "league/config.h"
#include "petitions/newcomer.h"
#include "publish/receipts.h"
#include "league/schedule.h"
#include "tlog/witness.h"
#include "league/token.h"
#include "journal/record.h"
#include "mail/mbox.h"
#include "mail/message.h"
#include "orders/frame.h"
#include "orders/script.h"
#include "orders/typed.h"
#include "rules/field_path.h"
#include "rules/ruleset.h"
#include "trust/canon.h"
#include "trust/dkim.h"
#include "trust/envelope.h"
#include "publish/claims.h"
#include "trust/keyring.h"
#include "trust/secret.h"

#define MOST  1.3
#define LEAST 20.0 /* blocks for each byte of 4n below which no growth is worth a word: bounded, then */
#define SIZE  49152
#define GAME  "games/galaxy-command"

static struct secret player;
static struct pubkey key;
static struct str armor;     /* of player, under a text that is nowhere */
static struct ledger ledger; /* of GAME, as gc-1 */
static struct league league; /* nothing but its options */
static char scratch[] = "/tmp/turnpost-growth-XXXXXX";

/* ---- the parsers ---- */

/* What intake does with a part that holds these bytes and a signature. */
static void search_texts(struct slice in, struct slice sig)
{
    struct str both = STR_INIT, exact = STR_INIT, text = STR_INIT;
    str_addslice(&both, in);
    str_addslice(&both, sig);
    struct evidence parts[] = {{"a.txt", slice_str(&both), slice_str(&both), {NULL, 0}},
                               {"b", in, in, {NULL, 0}}};
    struct work work = {UNBOUNDED};
    struct envelopes found;
    struct err err = ERR_INIT;
    if (envelope_find(parts, 2, &work, &found, &err))
        found.count = 0;
    for (size_t i = 0; i < found.count; i++) {
        struct pubkey other;
        err_clear(&err);
        envelope_foresee(&found.list[i]);
        (void)signature_key(&found.list[i].sig, &other);
        (void)!envelope_open(&found.list[i],
                             signature_is_numbered(&found.list[i].sig) ? &found.list[i].sig.key : &key,
                             NS_ORDERS, &(struct envelope_text){&exact, &text}, &err);
        envelope_release(&found.list[i]);
    }
    str_release(&both);
    str_release(&exact);
    str_release(&text);
}
static void search_alone(struct slice in)
{
    search_texts(in, (struct slice){NULL, 0});
}
static void search_signed(struct slice in)
{
    search_texts(in, slice_str(&armor));
}

static void parse_signature(struct slice in)
{
    struct signature sig;
    struct err err = ERR_INIT;
    (void)!signature_parse(in, &sig, &err);
}

static void parse_keys(struct slice in)
{
    struct pubkey keys[KEYS_PER_PLAYER], one;
    size_t count;
    struct err err = ERR_INIT;
    (void)!keys_parse(in, "keys", keys, &count, &err);
    for (bool found = true; found;) {
        err_clear(&err);
        if (pubkey_next(&in, &one, &found, &err))
            found = true;
    }
}

static void parse_proofs(struct slice in)
{
    struct claim claim;
    struct err err = ERR_INIT;
    while (claim_next(&in, &claim, &err) != CLAIM_NONE)
        claim_release(&claim);
    claim_release(&claim);
}

/* As a mail, and as a key's record. */
static void read_dkim(struct slice in)
{
    struct work work = {UNBOUNDED};
    struct dkim_claims claims;
    struct dkim_key domain;
    json_t *refusal = NULL;
    (void)!dkim_read(in, 0, &work, &claims, &refusal);
    (void)!dkim_key_read(in, &domain, &refusal);
    json_decref(refusal);
}

static void make_canonical(struct slice in)
{
    struct str out = STR_INIT;
    canon_text(&out, in);
    str_clear(&out);
    utf8_safe(&out, in, true);
    str_release(&out);
}

static void parse_frame(struct slice in)
{
    struct frame frame;
    struct err err = ERR_INIT;
    (void)!frame_parse(in, &frame, &err);
}

static struct slice body_of(struct slice in)
{
    size_t at = slice_starts(in, FORM) ? strlen(FORM) : 0;
    return slice_sub(in, at, in.len);
}

static void parse_script(struct slice in)
{
    for (size_t i = 0; rulesets[i]; i++) {
        struct str standing = STR_INIT, always = STR_INIT;
        struct script *script = script_parse(body_of(in), rulesets[i]->language);
        standing_update(&standing, script, rulesets[i]->language);
        standing_update(&standing, script, rulesets[i]->language);
        standing_always(&always, slice_str(&standing), rulesets[i]->language);
        script_free(script);
        str_release(&standing);
        str_release(&always);
    }
}

/* A turn in which one seat sent these. */
static void play_script(const struct ruleset *rules, struct slice body)
{
    int options[GAME_OPTIONS] = {0};
    struct err err = ERR_INIT;
    struct chance chance;
    struct events events;
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    json_t *json = json_read(ruleset_cards(rules), "cards", &err);
    void *cards = mem_alloc(rules->cards_size), *state = mem_alloc(rules->state_size);
    for (int i = 0; i < GAME_OPTIONS && rules->options[i].name; i++)
        options[i] = rules->options[i].initial;
    chance_seeded(&chance, "growth", 6);
    if (!json || rules->cards_load(json, cards, &err) ||
        rules->init(cards, rules->seats_min, options, state, &err))
        abort();
    events_init(&events);
    rules->deal(cards, state, NULL, &chance, &events);
    struct script *script = script_parse(body, rules->language);
    orders[1].script = orders[1].standing = script;
    rules->play(cards, state, &(struct resolution){orders, 1, &chance, &events});
    script_free(script);
    events_release(&events);
    json_decref(json);
    free(cards);
    free(state);
}
static void play_scripts(struct slice in)
{
    for (size_t i = 0; rulesets[i]; i++)
        play_script(rulesets[i], body_of(in));
}

static void read_typed(struct slice in)
{
    static const char *const suggestions[] = {"explore near", NULL};
    for (size_t i = 0; rulesets[i]; i++) {
        const struct typed_game game = {"gc-1", rulesets[i]->language, suggestions, NULL, NULL};
        struct typed typed;
        typed_read(body_of(in), &(struct typed_by){&game, 1, NULL}, &typed);
        typed_release(&typed);
    }
}

static void read_receipts(struct slice in)
{
    struct receipts receipts;
    struct slice mail;
    receipts_init(&receipts, &ledger, 1, NULL);
    if (!mbox_likely(in))
        receipts_mail(&receipts, "file", in);
    else
        while (mbox_next(&in, &mail))
            receipts_mail(&receipts, "mbox", mail);
    receipts_end(&receipts);
    receipts_release(&receipts);
}

static void answer_newcomer(struct slice in)
{
    static struct batch batch = {.league = &league};
    struct message_part part = {.name = str_empty, .type = str_empty};
    struct message msg = {.subject = slice_dup(slice_starts(in, "Subject: ") ? slice_sub(in, 9, in.len) : in),
                          .from = str_empty,
                          .from_name = str_empty,
                          .parts = &part,
                          .part_count = 1};
    struct request request;
    bool found = false;
    char name[TOKEN_NAME];
    str_init(&part.shown);
    str_addslice(&part.shown, in);
    newcomer_request(&batch, &msg, NULL, &found, &request);
    json_decref(request.facts);
    (void)request_text(&msg);
    (void)subject_words(slice_of(msg.subject));
    (void)token_name(name, TOKEN_INVITE, in);
    free(msg.subject);
    str_release(&part.shown);
}

static void read_json(struct slice in)
{
    struct err err = ERR_INIT;
    json_decref(json_read(in, "text", &err));
}

static void read_records(struct slice in)
{
    struct slice line, rest = in;
    while (slice_line(&rest, &line)) {
        struct record record;
        struct err err = ERR_INIT;
        line = slice_sub((struct slice){line.p, (size_t)(rest.p - line.p)}, 0, RECORD_MAX + 1);
        if (record_parse(line, &record, &err) == 0)
            record_release(&record);
    }
}

/* A journal, as somebody hands it to receipt-check. */
static void open_ledger(struct slice in)
{
    struct err err = ERR_INIT;
    struct ledger one;
    char *path = path_join(scratch, "journal.jsonl");
    if (file_write_soft(path, in, 0600, &err))
        abort();
    if (ledger_open(path, &one, &err) == 0)
        ledger_close(&one);
    free(path);
}

static void read_witness(struct slice in)
{
    struct witness_state state = WITNESS_STATE_INIT;
    struct witness_request request = {.closes = 0};
    struct witness_answer answer = {.count = 0};
    struct err err = ERR_INIT;
    (void)!witness_state_parse(in, &state, &err);
    (void)!witness_request_parse(in, &request, &err);
    (void)!witness_answer_parse(in, &answer, &err);
    witness_state_release(&state);
    witness_request_release(&request);
    witness_answer_release(&answer);
}

static void read_zone(struct slice in)
{
    static const char magic[] = "TZif2";
    struct zone *zone = NULL;
    struct err err = ERR_INIT;
    struct str bytes = STR_INIT;
    str_adds(&bytes, magic);
    str_addslice(&bytes, in);
    if (zone_read(slice_str(&bytes), "Some/Where", &zone, &err) == 0)
        zone_free(zone);
    str_release(&bytes);
}

static void read_schedule(struct slice in)
{
    struct schedule schedule;
    struct err err = ERR_INIT;
    schedule_init(&schedule);
    (void)!schedule_parse(in, "UTC", &schedule, &err);
    (void)!schedule_holidays(in, &schedule, &err);
}

static void read_config(struct slice in)
{
    struct err err = ERR_INIT;
    struct config config;
    char *path = path_join(scratch, "league.ini");
    if (file_write_soft(path, in, 0600, &err))
        abort();
    (void)!config_load(path, &config, &err);
    config_release(&config);
    free(path);
}

static void find_path(struct slice in)
{
    struct err err = ERR_INIT;
    json_t *document = json_pack("{s:[{s:i}]}", "player", "metal", 1);
    (void)field_path_get(document, in, &err);
    json_decref(document);
}

static const struct parser {
    const char *name;
    void (*parse)(struct slice in);
} parsers[] = {
    {"message", parse_message},
    {"texts", search_alone},
    {"signed texts", search_signed},
    {"signature", parse_signature},
    {"keys", parse_keys},
    {"proofs", parse_proofs},
    {"dkim", read_dkim},
    {"canonical", make_canonical},
    {"frame", parse_frame},
    {"script", parse_script},
    {"turn", play_scripts},
    {"html", reduce_html},
    {"words", decode_words},
    {"charsets", decode_text},
    {"transfer", decode_transfer},
    {"structured", read_structured},
    {"header", scan_header},
    {"bounce", read_bounce},
    {"receipts", read_receipts},
    {"newcomer", answer_newcomer},
    {"json", read_json},
    {"records", read_records},
    {"ledger", open_ledger},
    {"witness", read_witness},
    {"zone", read_zone},
    {"schedule", read_schedule},
    {"config", read_config},
    {"path", find_path},
    {"uids", collect_uids},
    {"reply", cut_reply},
    {"typed", read_typed},
};
#define PARSERS (sizeof parsers / sizeof *parsers)

/* ---- measuring ---- */

static void add_unit(struct str *out, const char *unit, size_t number)
{
    if (!*unit) /* of the NULs */
        str_addc(out, '\0');
    for (; *unit; unit++) {
        if (*unit == '@')
            str_addf(out, "%zu", number);
        else
            str_addc(out, *unit);
    }
}

static void make(struct str *out, const struct family *family, size_t bytes)
{
    str_clear(out);
    while (family->lead && out->len < bytes / 2)
        add_unit(out, family->lead, out->len);
    str_adds(out, family->before);
    bytes += strlen(family->before);
    for (size_t i = 0; out->len < bytes; i++)
        add_unit(out, family->unit, i);
    str_adds(out, family->after);
}

static uint64_t cost(const struct parser *parser, const struct str *in)
{
    uint64_t before = counted;
    parser->parse(slice_str(in));
    return counted - before;
}

/* The steeper of the two doublings: limits may end a growth within 4n. */
static double exponent(const uint64_t work[3])
{
    double first = log2((double)work[1] / (double)work[0]), second = log2((double)work[2] / (double)work[1]);
    return first > second ? first : second;
}

struct worst {
    double exponent, a_byte;
    const char *family, *dearest;
};

static bool measure(const struct parser *parser, const struct family *family, size_t size, bool tell,
                    struct worst *worst)
{
    static struct str in = STR_INIT;
    uint64_t work[3];
    for (size_t i = 0; i < 3; i++) {
        make(&in, family, size / 4 << i);
        work[i] = cost(parser, &in) + 1;
    }
    double a_byte = (double)work[2] / (double)in.len, grows = exponent(work);
    bool bad = grows > MOST && a_byte > LEAST;
    if (a_byte > worst->a_byte) {
        worst->a_byte = a_byte;
        worst->dearest = family->name;
    }
    if (grows > worst->exponent && a_byte > LEAST) {
        worst->exponent = grows;
        worst->family = family->name;
    }
    if (bad || tell)
        (void)printf("%s %-14s %-34s %.2f   %llu, %llu, %llu; %.0f a byte\n", bad ? "FAIL" : "    ",
                     parser->name, family->name, grows, (unsigned long long)work[0],
                     (unsigned long long)work[1], (unsigned long long)work[2], a_byte);
    return bad;
}

static void begin(void)
{
    struct err err = ERR_INIT;
    if (sodium_init() < 0 || !mkdtemp(scratch) || ledger_open(GAME, &ledger, &err)) {
        (void)fprintf(stderr, "cannot begin: %s\n", err.text);
        exit(2);
    }
    (void)snprintf(ledger.file.id, sizeof ledger.file.id, "gc-1");
    mail_begin();
    secret_new(&player);
    secret_public(&player, &key);
    str_init(&armor);
    sshsig_sign(&armor, player.key, NS_ORDERS, slice_of("a text that is nowhere\n"));
}

static void end(void)
{
    struct str command = STR_INIT;
    str_addf(&command, "rm -rf %s", scratch);
    if (system(command.p) != 0) // NOLINT(cert-env33-c)
        (void)fprintf(stderr, "%s stays\n", scratch);
    str_release(&command);
    str_release(&armor);
    ledger_close(&ledger);
}

int main(int argc, char **argv)
{
    const char *given = getenv("GROWTH_SIZE");
    size_t size = given ? strtoul(given, NULL, 10) : SIZE, bad = 0;
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    begin();
    if (argc == 1)
        (void)printf("%-14s %-9s %-34s %-8s %s\n", "parser", "exponent", "of", "a byte", "of");
    for (size_t p = 0; p < PARSERS; p++) {
        struct worst worst = {0, 0, "-", "-"};
        if (argc > 1 && strcmp(argv[1], parsers[p].name) != 0)
            continue;
        struct str first = STR_INIT; /* what is made only once is not counted */
        make(&first, &families[0], 100);
        (void)cost(&parsers[p], &first);
        str_release(&first);
        for (size_t f = 0; f < family_count; f++)
            if (argc < 3 || strcmp(argv[2], families[f].name) == 0)
                bad += measure(&parsers[p], &families[f], size, argc > 1, &worst);
        if (argc == 1)
            (void)printf("%-14s %-9.2f %-34s %-8.0f %s\n", parsers[p].name, worst.exponent, worst.family,
                         worst.a_byte, worst.dearest);
    }
    end();
    (void)printf("%zu families in %zu parsers: %zu grow faster than %.1f\n", family_count, PARSERS, bad,
                 MOST);
    return bad != 0;
}
