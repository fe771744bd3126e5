/* The words of a text template as the body of a page, for mails that have no page of their own. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "base/str.h"

/* Appends `text` (as a text template gives it, before its layout: textfmt.h) as HTML: rows and circles become tables, lines
 * of capitals headings (those with a number before them a level deeper), items lists, preformatted lines stay so, and others are paragraphs. */
void page_body(struct str *out, struct slice text);
/* Appends text with &, < and > as entities. */
void page_escape(struct str *out, struct slice text);

#endif
