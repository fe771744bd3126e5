/* A signature as journals keep it has one form. */
#ifndef TESTS_TRUST_KEPT_H
#define TESTS_TRUST_KEPT_H

#include <limits.h>

#include "suite.h"

#include "base/json.h"
#include "trust/signature.h"

__attribute__((unused)) static void kept_refused(const json_t *json, const char *member)
{
    struct signature back;
    struct pubkey key;
    struct err err = ERR_INIT;
    if (signature_read_json(json, &back, &key, &err) == 0)
        ck_abort_msg("it reads as well with another \"%s\": %s", member, json_dumps(json, 0));
}

/* What `json` keeps is read; with any member missing, of another type, too short, too long or out of its range it is not. */
__attribute__((unused)) static void kept_in_one_form(const json_t *json)
{
    struct signature sig;
    struct pubkey key;
    struct err err = ERR_INIT;
    char many[300], longer[100];
    memset(many, 'A', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    (void)snprintf(longer, sizeof longer, "%.84sAAAA", json_string_value(json_object_get(json, "sig")));
    json_t *odd = json_pack("[n,b,b,s,s,s,s,s,i,i,i,I,[],{}]", 1, 0, "", "x", many, longer, "sha256 ", -1,
                            256, 1000, (json_int_t)UINT32_MAX + 1);
    ck_ok(signature_read_json(json, &sig, &key, &err), err);
    json_t *whole = json_deep_copy(json);
    const char *name;
    json_t *value, *other;
    size_t i;
    json_object_foreach (whole, name, value) {
        json_t *changed = json_copy(whole);
        json_object_del(changed, name);
        kept_refused(changed, name);
        json_array_foreach (odd, i, other) {
            const json_int_t number = json_integer_value(other);
            const bool fits = (strcmp(name, "counter") == 0 && json_is_integer(other) && number >= 0 &&
                               number <= UINT32_MAX) ||
                              (strcmp(name, "namespace") == 0 && json_string_length(other) &&
                               json_string_length(other) < 100) ||
                              (json_is_boolean(other) && json_is_boolean(value));
            json_object_set(changed, name, other);
            if (!fits)
                kept_refused(changed, name);
        }
        json_decref(changed);
    }
    json_object_set_new(whole, "more", json_true());
    kept_refused(whole, "more");
    json_decref(whole);
    json_decref(odd);
}

#endif
