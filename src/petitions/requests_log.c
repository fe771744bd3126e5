#include "petitions/requests_log.h"

#include "batch/tell.h"
#include "league/league_log.h"

#define PART  "LOG" /* the armors in mails */
#define PROOF "OLDER"

/* Alone on its line, 1 to `most`; 0: it is something else. */
static int64_t number_of(struct slice what, int64_t most)
{
    int64_t number;
    return slice_number(&what, &number) && !slice_trim(what).len && number >= 1 && number <= most ? number
                                                                                                  : 0;
}

int request_log(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    const int64_t size = league_log_size(batch->tlog), first = number_of(what, size);
    const int64_t last = first && first + LOG_ASKED - 1 < size ? first + LOG_ASKED - 1 : size;
    struct str text = STR_INIT;
    request->kind = "ask_log";
    json_object_update_new(request->facts, json_pack("{s:I,s:s}", "size", (json_int_t)size, "site",
                                                     batch->league->config.site.url));
    int rc = first ? league_log_lines(batch->tlog, first - 1, last, &text, err) : 0;
    str_addc(&text, '\n');
    if (rc == 0 && first)
        rc = league_log_cosigned(batch->tlog, size, (struct slice){"", 0}, &text, err);
    if (rc == 0 && first) {
        json_object_set_new(request->facts, "part",
                            json_pack("{s:I,s:I}", "first", (json_int_t)first, "last", (json_int_t)last));
        if (last < size)
            json_object_set_new(request->facts, "next", json_integer((json_int_t)last + 1));
        json_object_set_new(request->facts, "armor", tell_armor(PART, &text));
    }
    str_release(&text);
    return rc;
}

int request_proof(struct batch *batch, struct slice what, struct request *request, struct err *err)
{
    const int64_t size = league_log_size(batch->tlog), old = number_of(what, size);
    struct str text = STR_INIT;
    request->kind = "ask_proof";
    json_object_set_new(request->facts, "size", json_integer((json_int_t)size));
    int rc = old ? league_log_request(batch->tlog, old, NULL, 0, &text, err) : 0;
    if (rc == 0 && old) {
        json_object_set_new(request->facts, "old", json_integer((json_int_t)old));
        json_object_set_new(request->facts, "armor", tell_armor(PROOF, &text));
    }
    str_release(&text);
    return rc;
}
