#include "mail/illustrate.h"

#include "mail/compose.h"
#include "mail/transfer.h"

#define NOWHERE ((size_t)-1)
#define TYPE    "Content-Type: "

/* Where things are in the mail. */
struct places {
    struct slice boundary; /* of the multipart/alternative that holds the page */
    size_t part;           /* the page's fields begin */
    size_t here;           /* the line that gives way to the picture */
    size_t after;          /* what follows that line */
    size_t end;  /* of the page, with its last line end: the next delimiter line follows after another */
    bool quoted; /* the page is in quoted-printable */
};

static size_t find_from(struct slice mail, size_t from, const char *what)
{
    size_t found = slice_find(slice_sub(mail, from, mail.len), what);
    return found == NOWHERE ? NOWHERE : from + found;
}

/* The fields from `at` on say that what follows is a multipart of that kind: its boundary. */
static bool read_multipart(struct slice mail, size_t at, const char *kind, struct slice *boundary)
{
    struct str line = STR_INIT;
    size_t end = find_from(mail, at, "\r\n\r\n");
    str_addf(&line, TYPE "multipart/%s;\r\n boundary=\"", kind);
    size_t type = end == NOWHERE ? NOWHERE : find_from(slice_sub(mail, 0, end), at, line.p);
    size_t from = type == NOWHERE ? NOWHERE : type + line.len;
    size_t to = from == NOWHERE ? NOWHERE : find_from(mail, from, "\"");
    str_release(&line);
    if (to == NOWHERE || to > end)
        return false;
    *boundary = slice_sub(mail, from, to - from);
    return true;
}

/* Where the part after the next such delimiter line begins. */
static size_t part_after(struct slice mail, size_t from, struct slice boundary)
{
    struct str line = STR_INIT;
    str_addf(&line, "--%.*s\r\n", (int)boundary.len, boundary.p);
    size_t at = find_from(mail, from, line.p);
    size_t len = line.len;
    str_release(&line);
    return at == NOWHERE ? NOWHERE : at + len;
}

/* The alternative is the mail itself, or the first part of a mixed one, whose other parts are files. */
static bool find_alternative(struct slice mail, size_t *at, struct slice *boundary)
{
    struct slice mixed;
    *at = 0;
    if (read_multipart(mail, 0, "mixed", &mixed))
        *at = part_after(mail, 0, mixed);
    return *at != NOWHERE && read_multipart(mail, *at, "alternative", boundary);
}

/* The page is the second part of the alternative, and the last. */
static bool find_page(struct slice mail, struct places *places)
{
    size_t at;
    struct str last = STR_INIT;
    if (!find_alternative(mail, &at, &places->boundary))
        return false;
    size_t text = part_after(mail, at, places->boundary);
    places->part = text == NOWHERE ? NOWHERE : part_after(mail, text, places->boundary);
    if (places->part == NOWHERE || !slice_starts(slice_sub(mail, places->part, mail.len), TYPE "text/html;"))
        return false;
    str_addf(&last, "\r\n--%.*s--\r\n", (int)places->boundary.len, places->boundary.p);
    places->end = find_from(mail, places->part, last.p);
    str_release(&last);
    return places->end != NOWHERE;
}

static bool find_places(struct slice mail, struct places *places)
{
    if (!find_page(mail, places))
        return false;
    struct slice page = slice_sub(mail, 0, places->end);
    size_t body = find_from(page, places->part, "\r\n\r\n");
    if (body == NOWHERE)
        return false;
    size_t encoding = find_from(slice_sub(mail, 0, body), places->part, "quoted-printable");
    places->quoted = encoding != NOWHERE;
    places->here = find_from(page, body, "\r\n" ILLUSTRATE_HERE "\r\n");
    if (places->here == NOWHERE)
        return false;
    places->here += strlen("\r\n");
    places->after = places->here + strlen(ILLUSTRATE_HERE "\r\n");
    return true;
}

/* Never one that the mail holds already. */
static void make_boundary(struct str *boundary, struct slice mail, struct slice other)
{
    for (unsigned tries = 0;; tries++) {
        struct str seed = STR_INIT;
        str_addf(&seed, "r%u ", tries);
        str_addslice(&seed, other);
        compose_boundary(boundary, slice_str(&seed));
        str_release(&seed);
        if (slice_find(mail, boundary->p) == NOWHERE)
            return;
    }
}

static void put_page(struct str *out, struct slice mail, const struct places *places, struct slice shown)
{
    str_addslice(out, slice_sub(mail, places->part, places->here - places->part));
    if (places->quoted)
        transfer_quoted(out, shown);
    else
        transfer_crlf(out, shown);
    str_addslice(out, slice_sub(mail, places->after, places->end - places->after));
}

static void put_picture(struct str *out, const struct illustration *picture)
{
    str_adds(out, TYPE "image/png\r\n");
    str_addf(out, "Content-ID: <%s>\r\n", picture->cid);
    str_adds(out, "Content-Disposition: inline; filename=\"board.png\"\r\n"
                  "Content-Transfer-Encoding: base64\r\n\r\n");
    transfer_base64(out, picture->png);
}

bool illustrate(struct str *out, struct slice mail, const struct illustration *picture)
{
    struct places places;
    struct str boundary = STR_INIT;
    if (!find_places(mail, &places))
        return false;
    make_boundary(&boundary, mail, places.boundary);
    str_reserve(out, mail.len + picture->page.len + picture->png.len * 3 / 2 + 512);
    str_addslice(out, slice_sub(mail, 0, places.part));
    str_addf(out, TYPE "multipart/related; type=\"text/html\";\r\n boundary=\"%s\"\r\n\r\n--%s\r\n",
             boundary.p, boundary.p);
    put_page(out, mail, &places, picture->page);
    str_addf(out, "\r\n--%s\r\n", boundary.p);
    put_picture(out, picture);
    str_addf(out, "\r\n--%s--\r\n", boundary.p);
    str_addslice(out, slice_sub(mail, places.end, mail.len));
    str_release(&boundary);
    return true;
}
