#include "league/program.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/version.h"

#define SELF  "/proc/self/exe"
#define PIECE ((size_t)1 << 16)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct {
    unsigned char digest[ENTRY_DIGEST];
    bool known;
} self;

static void read_self(void)
{
    crypto_hash_sha256_state state;
    struct err err = ERR_INIT;
    int fd;
    ssize_t got = 1;
    if (file_open(SELF, &fd, &err) == 0) {
        unsigned char *piece = mem_alloc(PIECE);
        crypto_hash_sha256_init(&state);
        while (got > 0 && (got = read(fd, piece, PIECE)) > 0)
            crypto_hash_sha256_update(&state, piece, (unsigned long long)got);
        crypto_hash_sha256_final(&state, self.digest);
        free(piece);
        close(fd);
        if (got < 0)
            err_sys(&err, ERR_IO, "cannot read %s", SELF);
    }
    self.known = !err.code;
    if (err.code)
        log_warn("%s: the league's log cannot name the program that decides", err.text);
}

/* "0.1.0 (4138e389f0cd)" without the blank */
static void put_version(char version[ENTRY_VERSION])
{
    size_t at = 0;
    for (const char *c = version_text(); *c && at < ENTRY_VERSION - 1; c++)
        if (*c == '(')
            version[at++] = '+';
        else if (*c != ' ' && *c != ')')
            version[at++] = *c;
    version[at] = '\0';
}

void program_read(void)
{
    pthread_once(&once, read_self);
}

bool program_entry(struct log_entry *entry, int64_t time)
{
    program_read();
    *entry = (struct log_entry){.kind = ENTRY_PROGRAM, .time = time};
    put_version(entry->version);
    memcpy(entry->digest, self.digest, ENTRY_DIGEST);
    return self.known;
}
