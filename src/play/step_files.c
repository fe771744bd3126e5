/* The journal of a game that is over, as a file of its last reports: with it anybody can replay and prove the game. Press, and
 * mails that stand for a signature, stay sealed. */
#include "base/json.h"
#include "play/step_parts.h"

#define FILES_MOST ((size_t)256 << 10) /* bytes; of a longer game the text "journal" brings it */

/* Lines with their LF. */
static int64_t count_lines(struct slice text)
{
    struct slice line;
    int64_t count = 0;
    while (slice_line(&text, &line))
        count++;
    return count;
}

int step_files(const struct step *step, const struct game *game, json_t **files, struct err *err)
{
    struct str journal = STR_INIT;
    *files = NULL;
    if (game_withheld(game))
        return 0;
    int rc = step_read_journal(step, &journal, err);
    str_addslice(&journal, slice_str(&step->records));
    /* Nothing that came before is missing. */
    if (rc == 0 && journal.len <= FILES_MOST && count_lines(slice_str(&journal)) == game->seq)
        *files = json_pack("[{s:s,s:s,s:o}]", "name", "journal.jsonl", "type", "text/plain", "text",
                           json_text(slice_str(&journal)));
    str_release(&journal);
    return rc;
}
