/* What is told of the turns since a report: the seat's own lines, and whose texts were played. */
#include "play/facts.h"

#include "game/vouched.h"

void facts_refused(json_t *facts, const json_t *lines)
{
    json_t *first = json_object_get(facts, "refused_first");
    json_t *list = first ? json_incref(json_object_get(first, "lines")) : json_array();
    json_int_t others = json_integer_value(json_object_get(first, "others"));
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line) {
        json_t *words = json_object_get(line, json_object_get(line, "text") ? "text" : "order");
        size_t count = json_array_size(list);
        if (!json_is_true(json_object_get(line, "refused")))
            continue;
        if (count >= FACTS_REFUSED) {
            others++;
            continue;
        }
        if (count)
            json_object_set_new(json_array_get(list, count - 1), "more", json_true());
        json_array_append_new(list,
                              json_pack("{s:O?,s:O*,s:O?,s:b}", "number", json_object_get(line, "number"),
                                        "letter", json_object_get(line, "letter"), "line", words, "more", 0));
    }
    size_t count = json_array_size(list);
    if (count)
        json_object_set_new(facts, "refused_first",
                            json_pack("{s:O,s:b,s:o,s:I}", "lines", list, "several", count > 1, "others",
                                      others ? json_integer(others) : json_false(), "count",
                                      (json_int_t)count + others));
    json_decref(list);
}

/* Lines that were done show in the news. ("done" is what a line says of itself: a turn that had it would say it for all.) */
static json_t *own_turn(const json_t *turn, const json_t *lines, bool several)
{
    const json_t *first = json_array_get(lines, 0);
    json_t *others = json_array(), *skipped = json_array();
    const size_t count = json_array_size(lines);
    size_t i, done = 0;
    bool tried = true;
    json_t *line;
    json_array_foreach (lines, i, line) {
        tried = tried && json_object_get(line, "failed");
        if (json_object_get(line, "done"))
            done++;
        else
            json_array_append(json_object_get(line, "skipped") ? skipped : others, line);
    }
    json_array_foreach (skipped, i, line)
        json_object_set_new(line, "more", json_boolean(i + 1 < json_array_size(skipped)));
    json_t *own =
        json_pack("{s:O,s:b,s:b,s:b,s:b,s:b,s:I,s:I,s:O?,s:b}", "turn", json_object_get(turn, "turn"),
                  "several", several, "all", done == count, "tried", tried, "one", count == 1, "done_one",
                  done == 1, "done_count", (json_int_t)done, "count", (json_int_t)count, "only",
                  json_object_get(first, "order"), "rest", json_array_size(others) > 0);
    if (json_array_size(skipped))
        json_object_set_new(own, "skipped", json_pack("{s:O}", "lines", skipped));
    json_object_set_new(own, "lines", others);
    json_decref(skipped);
    return own;
}

void facts_own(json_t *facts, const struct game *game, int seat, const json_t *since)
{
    bool several = json_array_size(since) > 1, all = true;
    json_t *turns = json_array();
    size_t i;
    json_t *turn;
    json_array_foreach (since, i, turn) {
        json_t *one = json_object();
        facts_lines(one, game, seat, json_object_get(turn, "events"));
        json_t *lines = json_object_get(json_object_get(one, "orders"), "lines");
        facts_refused(facts, lines);
        if (lines) {
            json_t *own = own_turn(turn, lines, several);
            all = all && json_is_true(json_object_get(own, "all"));
            json_array_append_new(turns, own);
        }
        json_decref(one);
    }
    if (json_array_size(turns))
        json_object_set_new(facts, "own", json_pack("{s:O,s:b}", "turns", turns, "all_done", all));
    json_decref(turns);
    json_object_set(facts, "first_turn", json_object_get(json_array_get(since, 0), "turn"));
    json_object_set_new(facts, "several", json_boolean(several));
}

/* For whom each domain has vouched, everybody once: [{"domain","whose": [{"who","you","comma","and"}],"more"}]. */
static json_t *by_domain(const json_t *list)
{
    json_t *domains = json_array(), *one, *domain, *other;
    size_t i, k;
    json_array_foreach (list, i, one) {
        json_t *whose = NULL, *name = json_object_get(one, "domain"), *who = json_object_get(one, "who");
        json_array_foreach (domains, k, domain)
            if (json_equal(json_object_get(domain, "domain"), name))
                whose = json_object_get(domain, "whose");
        if (!whose) {
            whose = json_array();
            json_array_append_new(domains, json_pack("{s:O,s:o}", "domain", name, "whose", whose));
        }
        bool told = false;
        json_array_foreach (whose, k, other)
            told |= json_equal(json_object_get(other, "who"), who);
        if (!told)
            json_array_append_new(whose,
                                  json_pack("{s:O,s:O}", "who", who, "you", json_object_get(one, "you")));
    }
    json_array_foreach (domains, i, domain) {
        const json_t *whose = json_object_get(domain, "whose");
        const size_t last = json_array_size(whose) - 1;
        json_object_set_new(domain, "more", json_boolean(i + 1 < json_array_size(domains)));
        json_array_foreach (whose, k, other) {
            json_object_set_new(other, "comma", json_boolean(k && k < last));
            json_object_set_new(other, "and", json_boolean(k && k == last));
        }
    }
    return domains;
}

void facts_vouched(json_t *facts, int seat, const json_t *since)
{
    const json_t *player = json_object_get(facts, "player");
    json_t *list = json_array(), *turn, *one;
    size_t i, k;
    json_array_foreach (since, i, turn) {
        json_array_foreach (json_object_get(turn, "vouched"), k, one) {
            json_t *said = vouched_facts(json_object_get(one, "vouched"));
            json_object_set(said, "turn", json_object_get(turn, "turn"));
            json_object_set(said, "who", json_object_get(one, "who"));
            json_object_set_new(said, "several", json_boolean(json_array_size(since) > 1));
            json_object_set_new(said, "you",
                                json_boolean(json_integer_value(json_object_get(one, "seat")) == seat &&
                                             json_equal(json_object_get(one, "who"), player)));
            json_array_append_new(list, said);
        }
    }
    json_array_foreach (list, i, one)
        json_object_set_new(one, "more", json_boolean(i + 1 < json_array_size(list)));
    if (json_array_size(list))
        json_object_set_new(facts, "vouched",
                            json_pack("{s:O,s:o}", "list", list, "domains", by_domain(list)));
    json_decref(list);
}
