/* The journal of a game that is over and the payloads of its seals, as files of its last reports: with them
 * anybody can replay and prove it. Press, and mails that stand for a signature, stay sealed. */
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "play/step_parts.h"

#define FILES_MOST ((size_t)256 << 10) /* bytes; of a longer game the text "journal" brings them */

/* The lines of a journal, [seq - 1], with their LF. */
struct lines {
    struct slice *line;
    size_t count, cap;
};

static void lines_read(struct lines *lines, struct slice text)
{
    struct slice line;
    while (slice_line(&text, &line)) {
        line.len++;
        lines->line = mem_grow(lines->line, lines->count, &lines->cap, sizeof *lines->line);
        lines->line[lines->count++] = line;
    }
}

/* The payloads that the journal's seals cover. */
static void add_opened(struct str *out, const struct lines *journal, struct slice sealed)
{
    struct slice line;
    unsigned char create[HEAD_BYTES];
    record_head(create, journal->line[0]);
    while (slice_line(&sealed, &line)) {
        struct sealed one;
        struct err ignored = ERR_INIT;
        bool good = sealed_parse(line, &one, &ignored) == 0 && one.seq >= 1 &&
                    (size_t)one.seq <= journal->count &&
                    sealed_may_open(&one, journal->line[one.seq - 1], create);
        if (good) {
            str_addslice(out, line);
            str_addc(out, '\n');
        }
        sealed_release(&one);
    }
}

static json_t *file_of(const char *name, const struct str *text)
{
    return json_pack("{s:s,s:s,s:o}", "name", name, "type", "text/plain", "text", json_text(slice_str(text)));
}

int step_files(const struct step *step, const struct game *game, json_t **files, struct err *err)
{
    struct str journal = STR_INIT, sealed = STR_INIT, opened = STR_INIT;
    struct lines lines = {NULL, 0, 0};
    *files = NULL;
    if (game_withheld(game))
        return 0;
    int rc = step_read_journal(step, &journal, err) || step_read_sealed(step, &sealed, err) ? -1 : 0;
    str_addslice(&journal, slice_str(&step->records));
    str_addslice(&sealed, slice_str(&step->sealed));
    if (rc == 0 && journal.len + sealed.len <= FILES_MOST)
        lines_read(&lines, slice_str(&journal));
    if (lines.count && lines.count == (size_t)game->seq) { /* nothing that came before is missing */
        add_opened(&opened, &lines, slice_str(&sealed));
        *files = json_pack("[o,o]", file_of("journal.jsonl", &journal), file_of("sealed.jsonl", &opened));
    }
    free(lines.line);
    str_release(&journal);
    str_release(&sealed);
    str_release(&opened);
    return rc;
}
