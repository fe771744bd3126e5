/* The stock signing tools, run in a folder of their own that tools_begin makes and tools_end removes.
 * Both are unchecked fixtures: the folder and the keys are made once a suite, every forked case sees them. */
#ifndef TESTS_TRUST_TOOLS_H
#define TESTS_TRUST_TOOLS_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scratch.h"

#include "base/file.h"
#include "trust/key.h"
#include "trust/signature.h"

enum tool { TOOL_SSH, TOOL_MINISIGN, TOOL_SIGNIFY, TOOLS };

static char tools_dir[SCRATCH_PATH];
static char tools_start[PATH_MAX]; /* where the suite was started: the project's root */

/* The exit status of a shell command in the folder, its output thrown away. */
__attribute__((format(printf, 1, 2), unused)) static int tools_try(const char *fmt, ...)
{
    char command[1900];
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(command, sizeof command, fmt, args);
    va_end(args);
    ck_assert(len > 0 && (size_t)len < sizeof command);
    char quiet[2000];
    (void)snprintf(quiet, sizeof quiet, "{ %s ; } </dev/null >tool.log 2>&1", command);
    return system(quiet); // NOLINT(cert-env33-c)
}

#define tools_run(...) ck_assert_msg(tools_try(__VA_ARGS__) == 0, "a stock tool failed: %s", tools_log())

__attribute__((unused)) static const char *tools_log(void)
{
    static char text[400];
    FILE *f = fopen("tool.log", "r");
    size_t len = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[len] = '\0';
    if (f)
        (void)fclose(f);
    return text;
}

__attribute__((unused)) static void tools_write(const char *path, struct slice bytes)
{
    FILE *f = fopen(path, "w");
    ck_assert(f != NULL);
    ck_assert_uint_eq(fwrite(bytes.p, 1, bytes.len, f), bytes.len);
    ck_assert_int_eq(fclose(f), 0);
}

__attribute__((unused)) static void tools_read(const char *path, struct str *out)
{
    struct err err = ERR_INIT;
    str_clear(out);
    ck_ok(file_read(path, 1 << 20, out, &err), err);
}

/* ssh, ssh.pub; mini.sec, mini.pub; signify.sec, signify.pub; none has a passphrase. */
__attribute__((unused)) static void tools_begin(void)
{
    ck_assert(getcwd(tools_start, sizeof tools_start) != NULL);
    scratch_make(tools_dir, "trust");
    ck_assert_int_eq(chdir(tools_dir), 0);
    tools_run("ssh-keygen -q -t ed25519 -N '' -C player -f ssh");
    tools_run("minisign -G -W -p mini.pub -s mini.sec");
    tools_run("signify-openbsd -G -n -p signify.pub -s signify.sec");
}

__attribute__((unused)) static void tools_end(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    scratch_remove(tools_dir);
}

__attribute__((unused)) static void tools_key(enum tool tool, struct pubkey *key)
{
    static const char *const files[TOOLS] = {"ssh.pub", "mini.pub", "signify.pub"};
    struct str text = STR_INIT;
    struct err err = ERR_INIT;
    bool found = false;
    tools_read(files[tool], &text);
    struct slice rest = slice_str(&text);
    ck_ok(pubkey_next(&rest, key, &found, &err), err);
    ck_assert(found);
    str_release(&text);
}

/* Signs these bytes with the tool as a player would; `armor` gets the signature file. */
__attribute__((unused)) static void tools_sign(enum tool tool, struct slice text, struct str *armor)
{
    tools_write("orders.txt", text);
    (void)unlink("orders.txt.sig");
    switch (tool) {
    case TOOL_SSH: tools_run("ssh-keygen -q -Y sign -n " NS_ORDERS " -f ssh orders.txt"); break;
    case TOOL_MINISIGN: tools_run("minisign -S -s mini.sec -m orders.txt -x orders.txt.sig"); break;
    case TOOL_SIGNIFY: tools_run("signify-openbsd -S -s signify.sec -m orders.txt -x orders.txt.sig"); break;
    case TOOLS: ck_abort(); break;
    }
    tools_read("orders.txt.sig", armor);
}

#endif
