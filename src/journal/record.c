#include "journal/record.h"

#include <sodium.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/version.h"

static const char log_prefix[] = "turnpost/log"; /* with its NUL */

void record_release(struct record *record)
{
    json_decref(record->json);
    record->json = NULL;
}

void record_head(unsigned char head[HEAD_BYTES], struct slice line)
{
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, HEAD_BYTES);
    crypto_generichash_update(&st, (const unsigned char *)log_prefix, sizeof log_prefix);
    crypto_generichash_update(&st, (const unsigned char *)line.p, line.len);
    crypto_generichash_final(&st, head, HEAD_BYTES);
}

void record_write(struct str *out, const struct record_text *text, unsigned char head[HEAD_BYTES])
{
    const struct record_place *place = &text->place;
    struct str body = STR_INIT;
    char when[CLOCK_TEXT], before[2 * HEAD_BYTES + 1];
    size_t from = out->len;

    clock_utc(when, text->time);
    hex_to(before, place->prev, HEAD_BYTES);
    str_addf(out, "{\"game\":\"%s\",\"seq\":%lld,\"prev\":\"%s\",\"type\":\"%s\",\"time\":\"%s\"",
             place->game, (long long)place->seq, before, text->type, when);
    if (text->fields && json_object_size(text->fields) > 0) {
        json_write(&body, text->fields); /* {...} */
        str_addc(out, ',');
        str_add(out, body.p + 1, body.len - 2);
    }
    str_adds(out, "}\n");
    record_head(head, slice_sub(slice_str(out), from, out->len));
    str_release(&body);
}

/* Journals hold whole numbers only. NOLINTBEGIN(misc-no-recursion): the parser has bounded the depth. */
static bool has_real(const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    if (json_is_real(value))
        return true;
    if (json_is_object(value)) {
        json_object_foreach ((json_t *)(uintptr_t)value, key, member)
            if (has_real(member))
                return true;
    }
    if (json_is_array(value)) {
        json_array_foreach (value, i, member)
            if (has_real(member))
                return true;
    }
    return false;
}

/* NOLINTEND(misc-no-recursion) */

int record_make(struct str *out, const struct record_text *text, struct record *record, struct err *err)
{
    const struct record_place *place = &text->place;
    size_t from = out->len;
    memset(record, 0, sizeof *record);
    record_write(out, text, record->head);
    if (out->len - from > RECORD_MAX || has_real(text->fields) || !name_valid(slice_of(place->game)) ||
        !word_listed(RECORD_TYPES, text->type)) {
        json_decref(text->fields);
        str_cut(out, from);
        return err_set(err, ERR_UNSOUND, "record %lld (%s) cannot be written: too long, or with a fraction",
                       (long long)place->seq, text->type);
    }
    record->seq = place->seq;
    record->time = text->time;
    record->json = text->fields;
    memcpy(record->game, place->game, strlen(place->game) + 1);
    memcpy(record->type, text->type, strlen(text->type) + 1);
    memcpy(record->prev, place->prev, HEAD_BYTES);
    return 0;
}

static int read_fields(struct record *record, struct err *err)
{
    const char *game, *type, *prev, *when;
    if (json_need_int(record->json, "seq", 1, INT64_MAX / 2, &record->seq, "record", err) ||
        json_need_string(record->json, "game", &game, "record", err) ||
        json_need_string(record->json, "type", &type, "record", err) ||
        json_need_string(record->json, "prev", &prev, "record", err) ||
        json_need_string(record->json, "time", &when, "record", err))
        return -1;
    if (!name_valid(slice_of(game)))
        return err_set(err, ERR_BROKEN, "record %lld: bad game name", (long long)record->seq);
    if (!hex_decode(record->prev, HEAD_BYTES, slice_of(prev)) ||
        !clock_parse(slice_of(when), &record->time) || record->time <= 0)
        return err_set(err, ERR_BROKEN, "record %lld: bad \"prev\" or \"time\"", (long long)record->seq);
    if (!word_listed(RECORD_TYPES, type))
        return version_newer(err, "record %lld: its type \"%.20s\"", (long long)record->seq, type);
    memcpy(record->game, game, strlen(game) + 1);
    memcpy(record->type, type, strlen(type) + 1);
    return 0;
}

int record_parse(struct slice line, struct record *record, struct err *err)
{
    memset(record, 0, sizeof *record);
    if (line.len > RECORD_MAX || !line.len || line.p[line.len - 1] != '\n')
        return err_set(err, ERR_BROKEN, "record: not a complete line");
    record->json = json_read(slice_sub(line, 0, line.len - 1), "record", err);
    if (!record->json)
        return -1;
    if (!json_is_object(record->json) || has_real(record->json)) {
        err_set(err, ERR_BROKEN, "record: not an object of whole numbers and texts");
        goto fail;
    }
    if (read_fields(record, err))
        goto fail;
    record_head(record->head, line);
    return 0;
fail:
    record_release(record);
    return -1;
}

int record_follows(const struct record *record, const struct record_place *place, struct err *err)
{
    if (strcmp(record->game, place->game) != 0 || record->seq != place->seq)
        return err_set(err, ERR_BROKEN, "record %lld of %s is where record %lld of %s must be",
                       (long long)record->seq, record->game, (long long)place->seq, place->game);
    if (sodium_memcmp(record->prev, place->prev, HEAD_BYTES) != 0)
        return err_set(err, ERR_BROKEN,
                       "record %lld does not follow the record before it (its \"prev\" differs)",
                       (long long)place->seq);
    return 0;
}

bool record_lines_hold(struct slice lines, const char *member, const unsigned char digest[32])
{
    struct str what = STR_INIT;
    str_addf(&what, "\"%s\":\"", member);
    hex_encode(&what, digest, 32);
    bool found = slice_find(lines, what.p) != (size_t)-1;
    str_release(&what);
    return found;
}
