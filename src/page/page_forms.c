/* The texts other than orders that a player can send: from the table of petitions, with the lines and the words that answers by
 * mail show of them (templates/common/forms.txt, verbs.txt). */
#include <string.h>

#include "page/page_parts.h"
#include "petitions/petition.h"

/* A piece of a text template whose facts are {"FRONT_VERB": {"anywhere": ...}}. */
static int piece(struct templates *templates, const char *name, json_t *facts, struct str *out,
                 struct err *err)
{
    int rc = templates_piece(templates, &(struct template_name){"", name}, facts, out, err);
    json_decref(facts);
    return rc;
}

/* Its lines without the "|" before each (report/textfmt.h). New reference; NULL on error. */
static json_t *form_lines(struct templates *templates, const struct petition *petition, bool anywhere,
                          struct err *err)
{
    struct str text = STR_INIT, member = STR_INIT;
    struct slice rest, line;
    str_addf(&member, "form_%s", petition->verb);
    int rc =
        piece(templates, "forms.txt", json_pack("{s:{s:b}}", member.p, "anywhere", anywhere), &text, err);
    json_t *lines = rc == 0 ? json_array() : NULL;
    rest = slice_str(&text);
    while (lines && slice_line(&rest, &line))
        if (slice_starts(line, "|"))
            json_array_append_new(lines, json_text(slice_sub(line, 1, line.len)));
    str_release(&text);
    str_release(&member);
    return lines;
}

static json_t *about_words(struct templates *templates, const struct petition *petition, struct err *err)
{
    struct str text = STR_INIT;
    int rc = piece(templates, "verbs.txt", petition_about(petition), &text, err);
    json_t *words = rc == 0 ? json_text(slice_trim(slice_str(&text))) : NULL;
    str_release(&text);
    return words;
}

static const char *about(unsigned needs)
{
    return needs & PETITION_GAME ? "game" : needs & PETITION_MAYBE_GAME ? "either" : "league";
}

static const char *sender(const struct petition *petition)
{
    return petition->needs & PETITION_NEWCOMER      ? "newcomer"
           : petition->needs & PETITION_MODERATOR   ? "moderator"
           : strcmp(petition->verb, "witness") == 0 ? "witness"
                                                    : "player";
}

static json_t *fields_list(const struct petition *petition)
{
    json_t *list = json_array();
    for (int i = 0; petition->fields[i]; i++)
        json_array_append_new(list, json_string(petition->fields[i]));
    return list;
}

static json_t *form_of(struct templates *templates, const struct petition *petition, struct err *err)
{
    const unsigned needs = petition->needs;
    json_t *lines = form_lines(templates, petition, false, err);
    json_t *anywhere = lines ? form_lines(templates, petition, true, err) : NULL;
    json_t *help = anywhere ? about_words(templates, petition, err) : NULL;
    if (!help) {
        json_decref(lines);
        json_decref(anywhere);
        return NULL;
    }
    return json_pack("{s:s,s:o,s:s,s:b,s:b,s:b,s:b,s:b,s:s,s:o,s:o,s:o}", "verb", petition->verb, "help",
                     help, "about", about(needs), "bound", !(needs & PETITION_ASKS), "dated",
                     (needs & PETITION_REGISTRY) != 0, "turn", (needs & PETITION_TURN) != 0, "text",
                     (needs & PETITION_TEXT) != 0, "wishes", petition->wishes, "who", sender(petition),
                     "fields", fields_list(petition), "lines", lines, "anywhere", anywhere);
}

json_t *page_forms(struct templates *templates, struct err *err)
{
    json_t *list = json_array(), *form;
    for (int i = 0; petitions[i]; i++) {
        form = form_of(templates, petitions[i], err);
        if (!form) {
            json_decref(list);
            return NULL;
        }
        json_array_append_new(list, form);
    }
    return json_pack("{s:o}", "verbs", list);
}
