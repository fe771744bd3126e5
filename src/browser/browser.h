/* The audit of a game in a browser: the journal in, the verdict out, as JSON. It is audit/audit.h with the
 * rules and the order language, compiled to WebAssembly (`make wasm`); templates/site/check/rules.js calls it. Pure: no
 * files, no network, no clock. The same for the same bytes, wherever it runs. */
#ifndef BROWSER_BROWSER_H
#define BROWSER_BROWSER_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

#ifdef __wasm__
#define BROWSER_EXPORT(name) __attribute__((export_name(name)))
#define BROWSER_IMPORT(name) __attribute__((import_module("turnpost"), import_name(name)))
#else
#define BROWSER_EXPORT(name)
#define BROWSER_IMPORT(name)
#endif

/* ---- what the page calls ---- */

/* Room for `len` bytes, which browser_audit frees; never NULL. */
void *browser_room(size_t len) BROWSER_EXPORT("browser_room");

/* Takes the bytes over. `key` NULL: the league's key (32 bytes) is not known. What the journal publishes the key to is opened
 * (as by `turnpost audit`). The result, which ends with a NUL and stays until the program is thrown away: {"audit":{...}},
 * audit_json with its findings (at most 1,000, "left_out" counts the others). */
struct browser_game {
    char *journal;
    uint32_t journal_len;
    unsigned char *key;
};
const char *browser_audit(const struct browser_game *game) BROWSER_EXPORT("browser_audit");

/* ---- what the page gives ---- */

/* After each record that holds. */
void browser_passed(int32_t seq) BROWSER_IMPORT("passed");

#endif
