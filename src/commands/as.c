/* `turnpost as`: what players send as "#turnpost ..." texts, typed by the operator in a player's name. */
#include "commands/deed.h"
#include "intake/dictated.h"
#include "orders/frame.h"
#include "trust/canon.h"

#define TEXT_MOST ((size_t)64 * 1024)

static const char details[] =
    "For a player who called and cannot send a mail. FILE (default: standard input) has a text such as\n"
    "\n"
    "|  #turnpost vacation\n"
    "|  from: 2026-12-20\n"
    "|  to: 2027-01-03\n"
    "|  #end\n"
    "\n"
    "The answer is printed, and mailed to the player as well. Records and answer say that the operator did "
    "it. Orders cannot be given like this, nor texts that need the player's own signature: register, join, "
    "key, press, witness. For what moderators do: turnpost moderate.\n";

struct wishes {
    const char *player;
};

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    int code = deed_flags_alone(deed, &argc, argv, (const int[]){1, 2}, details);
    if (code >= 0)
        return code;
    wishes->player = argv[1];
    deed->file = argc > 2 ? argv[2] : "-";
    deed->most = TEXT_MOST;
    return -1;
}

static void about(struct deed *deed)
{
    struct str canonical = STR_INIT;
    struct frame frame;
    struct err ignored = ERR_INIT; /* act() says what is wrong */
    canon_text(&canonical, slice_str(&deed->text));
    if (frame_receive(slice_str(&canonical), slice_str(&canonical), &frame, &ignored) == 0)
        deed_about(deed, slice_of(frame.game));
    str_release(&canonical);
}

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    struct str answer = STR_INIT;
    int rc = dictated_hear(deed->batch, wishes->player, slice_str(&deed->text), &answer, err);
    if (rc == 0)
        deed_say(deed, "%s%s", answer.p, answer.len ? "\n" : "");
    str_release(&answer);
    return rc;
}

static void say(struct deed *deed)
{
    size_t mails = deed->batch->mails.count;
    deed_say(deed, "Done; %zu mail%s to be sent.\n", mails, PLURAL(mails));
}

const struct deed_kind deed_as = {
    .name = "as", .size = sizeof(struct wishes), .read = read, .about = about, .act = act, .say = say};

int command_as(int argc, char **argv)
{
    return deed_run(&deed_as, argc, argv);
}
