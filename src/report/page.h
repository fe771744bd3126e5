/* The words of a text template as the body of a page: mails have no other pages. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdbool.h>

#include "base/str.h"

/* The style of <pre> in mails: what is long is broken, so that no page is wider than a telephone. */
#define PAGE_AS_IS "white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px;line-height:1.2;margin:6px 0"
/* That of <small> as a paragraph: proofs, codes, whom to ask. Dark screens have a colour of their own for it (head.html). */
#define PAGE_SMALL "display:block;margin:6px 0;font-size:13px;color:#5a6675"
/* Appends `text` (as a text template gives it, before its layout: textfmt.h) as HTML: rows become tables, lines of
 * capitals headings (those with a number before them a level deeper), items lists, preformatted lines stay so but for a link alone, which
 * can be followed, and others are paragraphs. `mail`: with styles in the tags. "!", TAB and a word is the comment of that name: "<!--picture-->" on a
 * line of its own; but "small" says that all up to the next heading is small print. */
void page_body(struct str *out, struct slice text, bool mail);
/* Appends text with &, < and > as entities. */
void page_escape(struct str *out, struct slice text);

#endif
