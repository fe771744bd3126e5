/* Answers to a mail of ours as mail programs write them: what was typed above and below it, their attribution or head, and our
 * mail in their way of quoting, with press that a co-player wrote. */
#ifndef TESTS_MAIL_FRAMES_H
#define TESTS_MAIL_FRAMES_H

#include <string.h>

#include "base/str.h"

#define FRAME_NONCE   "k3v7q2m5xwtrabcd"
#define FRAME_OPENING "#-" FRAME_NONCE "-#"
#define FRAME_CLOSING "-#" FRAME_NONCE "#-"
#define FRAME_ADDRESS "orders+vrlighuqsiwjwfnt@game.test"

/* A mail program. Texts quote by marks, pages by blocks. */
struct frame_program {
    const char *name;
    const char *type;        /* Content-Type */
    const char *attribution; /* lines above the quote */
    const char *mark;        /* in front of quoted lines; "": it does not quote */
    const char *begin, *end; /* of a page: what is around the quote; NULL: a text */
    bool kept;               /* the attribution is part of what was typed, as far as the cutter can tell */
    bool head;               /* it is a head, and shows among what is below */
    bool stripped;           /* it leaves signatures out of quotes */
};

#define FRAME_TEXT "text/plain; charset=utf-8"
#define FRAME_PAGE "text/html; charset=utf-8"
#define FRAME_QUOTED                                                                       \
    "From: Orion League <" FRAME_ADDRESS ">\nSent: Saturday, November 28, 2026 12:27 PM\n" \
    "To: Anna Example <anna@players.test>\nSubject: [gc-1] Turn 4 is played #0123456789abcdef\n"
#define FRAME_QUOTED_PAGE                                                                           \
    "<b>From:</b> Orion League &lt;" FRAME_ADDRESS "&gt;<br><b>Sent:</b> Saturday, November 28, "   \
    "2026 12:27 PM<br><b>To:</b> Anna Example &lt;anna@players.test&gt;<br><b>Subject:</b> [gc-1] " \
    "Turn 4 is played #0123456789abcdef"

static const struct frame_program frame_programs[] = {
    {"Gmail", FRAME_TEXT, "On Sat, Nov 28, 2026 at 11:27 AM Orion League <" FRAME_ADDRESS ">\nwrote:\n\n",
     "> ", NULL, NULL, true, false, false},
    {"Gmail, telephone", FRAME_TEXT,
     "On Sat, 28 Nov 2026, 11:27 Orion League, <" FRAME_ADDRESS "> wrote:\n\n", "> ", NULL, NULL, true, false,
     false},
    {"Apple Mail", FRAME_TEXT, "> On 28 Nov 2026, at 12:27, Orion League <" FRAME_ADDRESS "> wrote:\n> \n",
     "> ", NULL, NULL, false, false, false},
    {"Outlook", FRAME_TEXT, FRAME_QUOTED "\n", "", NULL, NULL, false, true, false},
    {"Outlook, telephone", FRAME_TEXT, "________________________________\n" FRAME_QUOTED "\n", "", NULL, NULL,
     false, true, false},
    {"Thunderbird", FRAME_TEXT "; format=flowed", "On 28/11/26 12:27, Orion League wrote:\n", "> ", NULL,
     NULL, true, false, true},
    {"K-9", FRAME_TEXT, "Am 28. November 2026 12:27:00 MEZ schrieb Orion League <" FRAME_ADDRESS ">:\n", ">",
     NULL, NULL, true, false, true},
    {"mutt", FRAME_TEXT, "On Sat, Nov 28, 2026 at 11:27:00AM +0000, Orion League wrote:\n", "> ", NULL, NULL,
     true, false, false},
    {"Yahoo", FRAME_TEXT,
     "    On Saturday, November 28, 2026 at 12:27:00 PM GMT+1, Orion League <" FRAME_ADDRESS
     "> wrote:  \n \n",
     "", NULL, NULL, true, false, false},
    {"Proton", FRAME_TEXT,
     "On Saturday, November 28th, 2026 at 12:27 PM, Orion League <" FRAME_ADDRESS "> wrote:\n\n", "> ", NULL,
     NULL, true, false, false},
    {"Gmail, page", FRAME_PAGE, "", "b",
     "<br><div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" class=\"gmail_attr\">On Sat, Nov "
     "28, 2026 at 11:27 AM "
     "Orion League &lt;" FRAME_ADDRESS
     "&gt; wrote:<br></div><blockquote class=\"gmail_quote\" style=\"margin:0px 0px 0px "
     "0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex\">",
     "</blockquote></div>", false, false, false},
    {"Apple Mail, page", FRAME_PAGE, "", "b",
     "<div><br><blockquote type=\"cite\"><div>On 28 Nov 2026, at 12:27, Orion League &lt;" FRAME_ADDRESS
     "&gt; wrote:</div><br class=\"Apple-interchange-newline\"><div>",
     "</div></blockquote></div>", false, false, false},
    {"Outlook, page", FRAME_PAGE, FRAME_QUOTED, "",
     "<div><div style=\"border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in\"><p "
     "class=\"MsoNormal\">" FRAME_QUOTED_PAGE
     "<o:p></o:p></p></div></div><p class=\"MsoNormal\"><o:p>&nbsp;</o:p></p>",
     "", false, true, false},
    {"Outlook, web", FRAME_PAGE, FRAME_QUOTED, "",
     "<div id=\"appendonsend\"></div><hr style=\"display:inline-block;width:98%\" tabindex=\"-1\"><div "
     "id=\"divRplyFwdMsg\" "
     "dir=\"ltr\"><font face=\"Calibri, sans-serif\" style=\"font-size:11pt\" "
     "color=\"#000000\">" FRAME_QUOTED_PAGE "</font><div>&nbsp;</div></div>",
     "", false, true, false},
    {"Thunderbird, page", FRAME_PAGE, "", "b",
     "<div class=\"moz-cite-prefix\">On 28/11/26 12:27, Orion League wrote:<br></div><blockquote "
     "type=\"cite\" "
     "cite=\"mid:gc-1.9.1@game.test\">",
     "</blockquote>", false, false, false},
    {"GMX, page", FRAME_PAGE, "", "b",
     "<div>&nbsp;\n<div name=\"quote\" style=\"margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; "
     "border-left:2px solid "
     "#C3D9E5;\">\n<div style=\"margin:0 0 10px 0;\"><b>Gesendet:</b>&nbsp;Samstag, 28. November 2026 um "
     "12:27 "
     "Uhr<br/>\n<b>Von:</b>&nbsp;\"Orion League\" &lt;" FRAME_ADDRESS
     "&gt;</div>\n<div name=\"quoted-content\">",
     "</div></div></div>", false, false, false},
    {"Yahoo, page", FRAME_PAGE, "", "b",
     "<div id=\"ydp1yahoo_quoted_2\" class=\"ydp1yahoo_quoted\"><div "
     "style=\"font-family:Helvetica;font-size:13px;\"><div>On "
     "Saturday, November 28, 2026 at 12:27:00 PM GMT+1, Orion League &lt;" FRAME_ADDRESS
     "&gt; wrote:</div><div>",
     "</div></div></div>", false, false, false},
    {"Proton, page", FRAME_PAGE, "", "b",
     "<div class=\"protonmail_quote\">On Saturday, November 28th, 2026 at 12:27 PM, Orion League "
     "&lt;" FRAME_ADDRESS "&gt; wrote:<br><blockquote class=\"protonmail_quote\" type=\"cite\">",
     "</blockquote></div>", false, false, false},
};
#define FRAME_PROGRAMS (sizeof frame_programs / sizeof *frame_programs)

struct frame_answer {
    struct slice above, below; /* typed: lines with LF, each of words with a space between, or empty */
    struct slice press;        /* lines with LF, in the mail that is quoted */
    size_t fold;               /* where quoted lines are folded, their rest without a mark; 0: nowhere */
    bool trimmed;              /* the end of the quote has been taken out */
};

/* The whole of it, and what has to come of it. */
struct framed {
    struct str body, typed, below;
    bool any_below; /* what comes loose from the quote shows in `below`, too */
};

/* A line of our mail, as the program quotes it. */
static inline void frame_quote(struct str *out, const struct frame_program *program, size_t fold,
                               struct slice line)
{
    size_t room = fold ? fold - strlen(program->mark) : line.len;
    str_addf(out, "%s%.*s\n", program->mark, (int)(line.len < room ? line.len : room), line.p);
    while (fold && line.len > room) {
        line = slice_sub(line, room, line.len);
        room = fold;
        str_addf(out, "%.*s\n", (int)(line.len < room ? line.len : room), line.p);
    }
}

static inline void frame_quote_all(struct str *out, const struct frame_program *program, size_t fold,
                                   struct slice lines)
{
    struct slice line;
    while (slice_line(&lines, &line))
        frame_quote(out, program, fold, line);
}

static inline void frame_text(struct str *out, const struct frame_program *program,
                              const struct frame_answer *answer)
{
    struct slice press = answer->press, line;
    struct str said = STR_INIT;
    frame_quote_all(out, program, answer->fold,
                    slice_of(FRAME_OPENING
                             " gc-1, turn 5, 0123456789abcdef\nOrion League\nGalaxy Command, game gc-1\n\n"
                             "MESSAGES\n\nbob writes to all:\n\n"));
    while (slice_line(&press, &line)) {
        str_clear(&said);
        str_addf(&said, "|| %.*s", (int)line.len, line.p);
        frame_quote(out, program, answer->fold, slice_str(&said));
    }
    if (!answer->trimmed)
        frame_quote_all(out, program, answer->fold,
                        slice_of("\nYOUR NEXT ORDERS\n\n  1 [ ] explore near\n\n" FRAME_CLOSING "\n"));
    if (!answer->trimmed && !program->stripped)
        frame_quote_all(
            out, program, answer->fold,
            slice_of("\n-- \nhead: gc-1 9 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"
                     "-----BEGIN SSH SIGNATURE-----\nU1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAg54n\n"
                     "-----END SSH SIGNATURE-----\n" FRAME_CLOSING "\n"));
    str_release(&said);
}

static inline void frame_escape(struct str *out, struct slice line, const char *begin, const char *end)
{
    str_adds(out, begin);
    for (size_t i = 0; i < line.len; i++)
        if (line.p[i] == '<' || line.p[i] == '&')
            str_adds(out, line.p[i] == '<' ? "&lt;" : "&amp;");
        else
            str_addc(out, line.p[i]);
    str_adds(out, end);
}

static inline void frame_escape_all(struct str *out, struct slice lines)
{
    struct slice line;
    while (slice_line(&lines, &line))
        frame_escape(out, line.len ? line : slice_of(""), "<div>", line.len ? "</div>\n" : "<br></div>\n");
}

static inline void frame_page(struct str *out, const struct frame_answer *answer)
{
    struct slice press = answer->press, line;
    str_adds(out, "<p class=\"muted\"><small>" FRAME_OPENING
                  " gc-1, turn 5, 0123456789abcdef\n</small></p><h1>Galaxy "
                  "Command</h1><p>bob writes to all:</p><blockquote>");
    while (slice_line(&press, &line))
        frame_escape(out, line, "", "<br>\n");
    str_adds(out, "</blockquote><p>[ ] explore near</p>");
    if (!answer->trimmed)
        str_adds(out, "<p class=\"muted\"><small>" FRAME_CLOSING "\n</small></p>");
}

/* Appends lines without blanks at their ends; those of a paragraph after an empty one. */
static inline void frame_expect(struct str *out, struct slice lines, bool apart)
{
    struct slice line;
    bool first = true;
    while (slice_line(&lines, &line)) {
        line = slice_trim(line);
        if (first && !line.len)
            continue;
        if (first && apart && out->len)
            str_addc(out, '\n');
        first = false;
        str_addf(out, "%.*s\n", (int)line.len, line.p);
    }
    while (out->len > 1 && out->p[out->len - 2] == '\n')
        str_cut(out, out->len - 1);
}

static inline void frame_expect_below(struct str *out, struct slice lines)
{
    struct slice line;
    while (slice_line(&lines, &line))
        if (slice_trim(line).len)
            str_addf(out, "%.*s\n", (int)slice_trim(line).len, slice_trim(line).p);
}

/* The caller releases it. */
static inline void frame_write(struct framed *out, const struct frame_program *program,
                               const struct frame_answer *answer)
{
    bool marks = *program->mark != '\0', counts = marks && !answer->trimmed;
    *out = (struct framed){STR_INIT, STR_INIT, STR_INIT, marks && answer->trimmed && answer->fold};
    if (program->begin) {
        str_adds(&out->body, "<html><head></head><body>");
        frame_escape_all(&out->body, answer->above);
        str_adds(&out->body, program->begin);
        frame_page(&out->body, answer);
        str_adds(&out->body, program->end);
        frame_escape_all(&out->body, answer->below);
        str_adds(&out->body, "</body></html>\n");
    } else {
        str_addf(&out->body, "%.*s\n%s", (int)answer->above.len, answer->above.p, program->attribution);
        frame_text(&out->body, program, answer);
        str_addf(&out->body, "\n%.*s", (int)answer->below.len, answer->below.p);
    }
    frame_expect(&out->typed, answer->above, false);
    if (program->kept)
        frame_expect(&out->typed, slice_of(program->attribution), true);
    if (program->head)
        frame_expect_below(&out->below, slice_of(program->attribution));
    if (counts)
        frame_expect(&out->typed, answer->below, true);
    else if (marks || !answer->trimmed)
        frame_expect_below(&out->below, answer->below);
}

static inline void frame_release(struct framed *framed)
{
    str_release(&framed->body);
    str_release(&framed->typed);
    str_release(&framed->below);
}

#endif
