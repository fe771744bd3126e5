/* Findings and results for programs. */
#include "base/clock.h"
#include "base/encode.h"
#include "audit/audit.h"
#include "audit/audit_parts.h"

const char *audit_kind_name(enum audit_kind kind)
{
    static const char *const names[AUDIT_KINDS] = {
        [AUDIT_FORM] = "form",
        [AUDIT_CHAIN] = "chain",
        [AUDIT_LEAGUE_KEY] = "league-key",
        [AUDIT_TIME] = "time",
        [AUDIT_ORDER] = "order",
        [AUDIT_SEAL] = "seal",
        [AUDIT_SIGNATURE] = "signature",
        [AUDIT_TEXT] = "text",
        [AUDIT_KEYS] = "keys",
        [AUDIT_DRAW] = "draw",
        [AUDIT_RULES] = "rules",
        [AUDIT_REPORT] = "report",
        [AUDIT_DEADLINE] = "deadline",
        [AUDIT_MISSED] = "missed",
        [AUDIT_DEAL] = "deal",
        [AUDIT_PRESS] = "press",
        [AUDIT_INTERVENTION] = "intervention",
        [AUDIT_DOMAIN] = "domain",
        [AUDIT_AGREED] = "agreed",
        [AUDIT_ACT] = "act",
        [AUDIT_LOST] = "lost",
        [AUDIT_UNKNOWN] = "unknown",
        [AUDIT_MAILBOX] = "mailbox",
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
        return "the game is over, and the key to its boxes is not published: the league owes it";
    return "orders and hidden draws are sealed until the game is over";
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
    json_t *witnesses = json_array(), *absent = json_array();
    for (int i = 0; i < result->witnesses.count; i++)
        json_array_append_new(witnesses, json_string(result->witnesses.name[i]));
    for (size_t i = 0; i < result->witnesses.absent_count && i < AUDIT_ABSENT; i++)
        json_array_append_new(absent, json_integer(result->witnesses.absent[i]));
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        ahead += result->orders[seat].ahead;
    json_t *json =
        json_pack("{s:o,s:i,s:o,s:I,s:I,s:I}", "witnesses", witnesses, "quorum", result->witnesses.quorum,
                  "absent", absent, "unwitnessed", (json_int_t)result->witnesses.gave_up, "several",
                  (json_int_t)result->several, "ahead", (json_int_t)ahead);
    if (*result->zone) {
        struct str offsets = STR_INIT;
        audit_offsets(&offsets, &result->years);
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
                  "reports", (json_int_t)result->counts.reports, "boxes", (json_int_t)result->counts.boxes,
                  "mails", (json_int_t)result->counts.mails, "mails_say",
                  (json_int_t)result->counts.mails_say, "mails_withheld",
                  (json_int_t)result->counts.mails_sealed, "press", (json_int_t)result->counts.press,
                  "witnessed", (json_int_t)result->witnesses.answers));
    json_object_set_new(json, "deal",
                        json_pack("{s:i,s:i}", "joined", result->joined, "robots", result->robots));
    json_object_set_new(json, "choice", choice_json(result));
    json_object_set_new(json, "word", word_json(result));
    json_object_set_new(json, "rests", audit_rests(result, NULL));
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
