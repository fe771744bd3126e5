/* Between the files of page/; for no others. */
#ifndef PAGE_PAGE_PARTS_H
#define PAGE_PAGE_PARTS_H

#include <jansson.h>

#include "page/page.h"
#include "report/render.h"

/* A file more; its bytes are taken over. */
void page_add(struct page *page, const char *name, struct str *bytes);
/* The same of JSON, which is used up. */
void page_add_json(struct page *page, const char *name, json_t *json);

/* The files words/, and the list "rulesets" of league.json. New reference; NULL on error. */
json_t *page_words(struct page *page, struct err *err);
/* forms.json; new reference. NULL on error. */
json_t *page_forms(struct templates *templates, struct err *err);

#endif
