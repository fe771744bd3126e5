/* Findings and results for programs. */
#include "base/clock.h"
#include "base/encode.h"
#include "audit/audit.h"

const char *audit_kind_name(enum audit_kind kind)
{
    static const char *const names[AUDIT_KINDS] = {
        [AUDIT_FORM] = "form",         [AUDIT_CHAIN] = "chain",         [AUDIT_LEAGUE_KEY] = "league-key",
        [AUDIT_TIME] = "time",         [AUDIT_ORDER] = "order",         [AUDIT_SEAL] = "seal",
        [AUDIT_SALT] = "salt",         [AUDIT_SIGNATURE] = "signature", [AUDIT_TEXT] = "text",
        [AUDIT_KEYS] = "keys",         [AUDIT_DRAW] = "draw",           [AUDIT_RULES] = "rules",
        [AUDIT_REPORT] = "report",     [AUDIT_DEADLINE] = "deadline",   [AUDIT_MISSED] = "missed",
        [AUDIT_DEAL] = "deal",         [AUDIT_PRESS] = "press",         [AUDIT_INTERVENTION] = "intervention",
        [AUDIT_DOMAIN] = "domain",     [AUDIT_AGREED] = "agreed",       [AUDIT_ACT] = "act",
        [AUDIT_RESTORED] = "restored", [AUDIT_UNKNOWN] = "unknown",
    };
    return kind < AUDIT_KINDS ? names[kind] : "";
}

const char *audit_owed(const struct audit_result *result)
{
    if (result->replayed)
        return "";
    if (result->over && result->withheld)
        return "the game is over, and others may still play its deal: its seals are opened when that is "
               "closed";
    if (result->over && !result->opened)
        return "the game is over, and the key to its seals is not published: the league owes it, and "
               "sealed.jsonl";
    if (result->over)
        return result->sealed_missing
                   ? "the game is over and the key to its seals is published, but there is no sealed.jsonl: "
                     "whoever gave you this game owes it"
                   : "the game is over and the key to its seals is published, but lines of sealed.jsonl were "
                     "left out";
    return result->sealed_missing ? "there is no sealed.jsonl"
                                  : "orders and hidden draws are sealed until the game is over";
}

const char *audit_severity_name(enum audit_severity severity)
{
    static const char *const names[] = {
        [AUDIT_BROKEN] = "broken", [AUDIT_SEALED] = "sealed", [AUDIT_WORD] = "word", [AUDIT_NOTE] = "note"};
    return names[severity];
}

const char *audit_verdict_name(enum audit_verdict verdict)
{
    static const char *const names[] = {[AUDIT_PROVED] = "proved",
                                        [AUDIT_PARTLY] = "proved as far as opened",
                                        [AUDIT_REFUTED] = "broken",
                                        [AUDIT_NEWER] = "cannot be judged"};
    return names[verdict];
}

json_t *audit_finding_json(const struct audit_finding *finding)
{
    json_t *json = json_pack("{s:s,s:s,s:I,s:i,s:s}", "severity", audit_severity_name(finding->severity),
                             "kind", audit_kind_name(finding->kind), "record", (json_int_t)finding->seq,
                             "turn", finding->turn, "text", finding->text);
    if (finding->seat)
        json_object_set_new(json, "seat", json_integer(finding->seat));
    if (*finding->type)
        json_object_set_new(json, "type", json_string(finding->type));
    return json;
}

static void add_hex(json_t *json, const char *name, const unsigned char bytes[32])
{
    char text[65];
    hex_to(text, bytes, 32);
    json_object_set_new(json, name, json_string(text));
}

static void add_time(json_t *json, const char *name, int64_t time)
{
    char text[CLOCK_TEXT];
    clock_utc(text, time);
    json_object_set_new(json, name, json_string(text));
}

static void add_excused(struct str *out, const struct audit_result *result)
{
    str_addf(out, "; excused in turn%s", PLURAL(result->witnesses.excused_count));
    for (size_t i = 0; i < result->witnesses.excused_count && i < AUDIT_EXCUSED; i++)
        str_addf(out, "%s %d", i ? "," : "", result->witnesses.excused[i]);
    if (result->witnesses.excused_count > AUDIT_EXCUSED)
        str_addf(out, " and %zu more", result->witnesses.excused_count - AUDIT_EXCUSED);
    str_adds(out, ": there the operator could choose, as without that witness");
}

void audit_words(struct str *out, const struct audit_result *result)
{
    static const struct {
        enum audit_kind kind;
        const char *one, *more;
    } words[] = {
        {AUDIT_MISSED, "missed turn", "missed turns"},
        {AUDIT_KEYS, "key", "keys"},
        {AUDIT_SIGNATURE, "signature by a key that the journal does not know",
         "signatures by keys that the journal does not know"},
        {AUDIT_DOMAIN, "text for which a mail domain vouches", "texts for which mail domains vouch"},
        {AUDIT_AGREED, "mail that does not say by itself what its orders are",
         "mails that do not say by themselves what their orders are"},
        {AUDIT_ACT, "act by a moderator whose signature is sealed in this view",
         "acts by moderators whose signature is sealed in this view"},
        {AUDIT_INTERVENTION, "intervention of the operator", "interventions of the operator"},
        {AUDIT_DEADLINE, "moved deadline", "moved deadlines"},
        {AUDIT_DEAL, "the deal", ""},
    };
    size_t start = out->len;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        int64_t count = result->word[words[i].kind];
        if (!count)
            continue;
        str_adds(out, out->len > start ? ", " : "");
        if (*words[i].more)
            str_addf(out, "%lld ", (long long)count);
        str_adds(out, count == 1 || !*words[i].more ? words[i].one : words[i].more);
    }
}

/* Without a witness: what somebody could withhold to choose among draws. */
static void add_choosable(struct str *out, const struct audit_result *result)
{
    int64_t mails = 0;
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        mails += result->orders[seat].mails;
    str_addf(out, "; no witness: the operator could choose which of the signed texts %scount",
             mails ? "and mails " : "");
    if (result->several)
        str_addf(out, " (%lld time%s a player sent more than one for a turn)", (long long)result->several,
                 result->several == 1 ? "" : "s");
}

/* "UTC+01:00, UTC+02:00": each offset of the zone once, as they come. */
static void add_offsets(struct str *out, const struct zone_years *years)
{
    for (int i = 0; i <= years->count; i++) {
        const int offset = years->offset[i], size = offset < 0 ? -offset : offset;
        int k = 0;
        while (k < i && years->offset[k] != offset)
            k++;
        if (k == i)
            str_addf(out, "%sUTC%c%02d:%02d", i ? ", " : "", offset < 0 ? '-' : '+', size / 3600,
                     size / 60 % 60);
    }
}

void audit_choice(struct str *out, const struct audit_result *result)
{
    if (!result->records)
        return;
    if (!result->witnesses.count)
        add_choosable(out, result);
    for (int i = 0; i < result->witnesses.count; i++)
        str_addf(out, "%s%s", i ? ", " : "; witnessed by ", result->witnesses.name[i]);
    if (result->witnesses.excused_count)
        add_excused(out, result);
    if (result->restored)
        str_addf(out, "; restored %zu time%s from an older copy", result->restored, PLURAL(result->restored));
    if (*result->zone) {
        str_addf(out, "; the clock in %s is taken as ", result->zone);
        add_offsets(out, &result->years);
    }
    if (*result->competition)
        str_addf(out, "; the deal is that of competition %s", result->competition);
    else if (result->joined + result->entered + result->robots && !result->joined)
        str_adds(out, "; the deal rests on the operator's word");
}

json_t *audit_pages(const struct audit_result *result)
{
    json_t *pages = json_object();
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        for (size_t i = 0; i < AUDIT_PAGES && *result->orders[seat].pages[i]; i++) {
            const char *page = result->orders[seat].pages[i];
            if (!json_object_get(pages, page))
                json_object_set_new(pages, page, json_array());
            json_array_append_new(json_object_get(pages, page), json_integer(seat));
        }
    return pages;
}

static json_t *choice_json(const struct audit_result *result)
{
    int64_t ahead = 0;
    json_t *witnesses = json_array(), *excused = json_array();
    for (int i = 0; i < result->witnesses.count; i++)
        json_array_append_new(witnesses, json_string(result->witnesses.name[i]));
    for (size_t i = 0; i < result->witnesses.excused_count && i < AUDIT_EXCUSED; i++)
        json_array_append_new(excused, json_integer(result->witnesses.excused[i]));
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        ahead += result->orders[seat].ahead;
    json_t *json = json_pack("{s:o,s:o,s:I,s:I}", "witnesses", witnesses, "excused", excused, "several",
                             (json_int_t)result->several, "ahead", (json_int_t)ahead);
    if (*result->zone) {
        struct str offsets = STR_INIT;
        add_offsets(&offsets, &result->years);
        json_object_set_new(json, "clock",
                            json_pack("{s:s,s:s}", "zone", result->zone, "taken_as", offsets.p));
        str_release(&offsets);
    }
    return json;
}

/* {"keys":2}: what rests on the operator's word, counted by the kind of finding. */
static json_t *word_json(const struct audit_result *result)
{
    json_t *json = json_object();
    for (int kind = 0; kind < AUDIT_KINDS; kind++)
        if (result->word[kind])
            json_object_set_new(json, audit_kind_name((enum audit_kind)kind),
                                json_integer((json_int_t)result->word[kind]));
    return json;
}

json_t *audit_json(const struct audit_result *result, json_t *findings)
{
    json_t *json =
        json_pack("{s:s,s:s,s:I,s:i,s:b,s:b,s:b}", "game", result->game, "verdict",
                  audit_verdict_name(result->verdict), "records", (json_int_t)result->records, "turn",
                  result->turn, "over", result->over, "opened", result->opened, "replayed", result->replayed);
    json_object_set_new(
        json, "checked",
        json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "signatures",
                  (json_int_t)result->counts.signatures, "proofs", (json_int_t)result->counts.proofs,
                  "hidden", (json_int_t)result->counts.hidden, "turns", (json_int_t)result->counts.turns,
                  "reports", (json_int_t)result->counts.reports, "salts", (json_int_t)result->counts.salts,
                  "mails", (json_int_t)result->counts.mails, "mails_say",
                  (json_int_t)result->counts.mails_say, "mails_withheld",
                  (json_int_t)result->counts.mails_sealed, "press", (json_int_t)result->counts.press,
                  "witnessed", (json_int_t)result->witnesses.answers));
    json_object_set_new(json, "deal",
                        json_pack("{s:i,s:i,s:i}", "joined", result->joined, "entered", result->entered,
                                  "robots", result->robots));
    json_object_set_new(json, "choice", choice_json(result));
    json_object_set_new(json, "word", word_json(result));
    json_object_set_new(json, "pages", audit_pages(result));
    if (result->ruleset)
        json_object_set_new(json, "ruleset", json_string(result->ruleset->name));
    if (*result->game)
        add_hex(json, "league_key", result->league_key);
    if (result->records) {
        add_hex(json, "head", result->head);
        add_time(json, "begun", result->begun);
        add_time(json, "last", result->ended);
    }
    if (result->findings[AUDIT_BROKEN])
        json_object_update_new(json,
                               json_pack("{s:I,s:s,s:s}", "record", (json_int_t)result->first.seq, "why",
                                         result->first.text, "kind", audit_kind_name(result->first.kind)));
    if (findings)
        json_object_set_new(json, "findings", findings);
    return json;
}
