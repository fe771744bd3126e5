/* What people type into answers, line by line; and that whatever is not understood stores nothing. */
#include "orders/typed.h"

#include "base/utf8.h"
#include "orders/mock.h"
#include "mail/replies.h"

static const char *const suggestions[] = {"explore near", "build", NULL};
static const char *const names[] = {"anna", "Anna Example", NULL};
static const struct typed_game one[] = {{"gc-1", &command_language, suggestions, NULL, NULL}};
static const struct typed_game two[] = {{"gc-1", &command_language, suggestions, NULL, NULL},
                                        {"gs-2", &supremacy_language, NULL, NULL, NULL}};
static const struct typed_game ships[] = {{"gc-1", &command_language, suggestions, "ship", NULL}};
static const struct typed_by by_ships = {ships, 1, names};
static const struct typed_by by_one = {one, 1, names}, by_two = {two, 2, names}, by_none = {NULL, 0, names};

static const char *const kinds[] = {"nothing", "asks", "clear", "UNSURE"};
static const char *const is[] = {
    "-",    "",         "greeting", "form",      "order", "edited", "pick",  "press",  "nobody",  "appeal",
    "mute", "unmute",   "standby",  "unstandby", "prefs", "final",  "wish",  "ok",     "undo",    "stop",
    "join", "vacation", "digest",   "extend",    "show",  "help",   "rules", "status", "deadline"};
static const char *const doubts[] = {"",       "",       "short", "question", "sentence", "order",
                                     "odd",    "field",  "game",  "number",   "times",    "near",
                                     "folded", "edited", "block", "mixed",    "auto",     "message"};

static void tell_line(struct str *out, const struct typed_line *line)
{
    if (line->is == TYPED_IS_BLANK)
        return;
    str_addf(out, " | %s%s%s", is[line->is], line->doubt ? "!" : "", doubts[line->doubt]);
    if (line->is == TYPED_IS_PRESS || line->is == TYPED_IS_PREFS)
        str_addf(out, "(%.*s%s)", (int)line->name.len, line->name.p, line->nameless ? ", nameless" : "");
    if (line->polite)
        str_adds(out, " polite");
    if (line->number)
        str_addf(out, " %d", line->number);
    for (size_t i = 0; i < TYPED_ALSO && line->also[i]; i++)
        str_addf(out, " and %d", line->also[i]);
    if (line->text.len && line->is != TYPED_IS_UNREAD)
        str_addf(out, " %.*s", (int)line->text.len, line->text.p);
    if (line->game == 1)
        str_adds(out, " @gs-2");
}

/* "clear | order build | greeting" */
static void expect(const struct typed_by *by, const char *text, const char *want)
{
    struct typed typed;
    struct str told = STR_INIT;
    typed_read(slice_of(text), by, &typed);
    str_adds(&told, kinds[typed.kind]);
    if (typed.resigns)
        str_adds(&told, " resigns");
    for (size_t i = 0; i < typed.count; i++)
        tell_line(&told, &typed.lines[i]);
    ck_assert_msg(strcmp(told.p, want) == 0, "\"%s\": %s, want %s", text, told.p, want);
    str_release(&told);
    typed_release(&typed);
}

static const struct {
    const char *text, *want;
} texts[] = {
    /* orders */
    {"build\n", "clear | order build"},
    {"Explore far or bide.\nBuild\n", "clear | order Explore far or bide. | order Build"},
    {"Hello!\n\nexplore far\n\nThanks,\nAnna\n",
     "clear | greeting | order explore far | greeting | greeting"},
    {"- build\n* swap metal\n", "clear | order build | order swap metal"},
    {"build\xC2\xA0 military\n", "clear | order build military"},
    {"research \xE2\x80\x9C"
     "banking\xE2\x80\x9D\n",
     "clear | order research \xE2\x80\x9C"
     "banking\xE2\x80\x9D"},
    {"if metal >= 3 swap metal else bide\n", "clear | order if metal >= 3 swap metal else bide"},
    {"if metal >= 3\nswap metal\nendif\n", "clear | order if metal >= 3 | order swap metal | order endif"},
    {"always bide\n", "clear | order always bide"},
    {"say all Well played; again?\n", "clear | order say all Well played; again?"},
    {"status\n", "asks | order status"},
    {"resign\n", "clear resigns | order resign"},
    {"build\nend\nresign\n", "clear | order build"},
    {"build\nEnd.\nblah blah\n", "clear | order build"},
    {"build\n#end\nblah blah\n", "clear | order build"},
    {"build\nfinal: yes\n", "clear | order build | final"},
    {"Build\nFinal.\n", "clear | order Build | final"},
    {"1\nfinal : yes\n", "clear | pick 1 | final"},
    {"final\n", "clear | final"},
    {"ok\nfinal\n", "UNSURE | ok!mixed | final!mixed"},
    {"undo\nfinal\n", "UNSURE | undo!mixed | final!mixed"},
    {"[ ] build military\nfinal\n", "UNSURE | edited!edited build military | final"},
    {"build\nfinal: no\n", "clear | order build | -!"},
    {"build\nfinal answer\n", "clear | order build | -!"},
    {"ok falcon\nship: swift\n", "clear | ok falcon | -!"}, /* nobody joins here */
    {"build; bide\nfinal\n", "clear | order build; bide | final"},
    /* a robot plays all or nothing */
    {"auto\n", "clear | order auto"},
    {"Auto, please.\nfinal\n", "clear | order Auto, please. | final"},
    {"build\nauto\n", "UNSURE | order build | order!auto auto"},
    {"1; auto\n", "nothing | -!"},
    {"build; auto\n", "UNSURE | order!auto build; auto"},
    {"2\nauto\nhelp\n", "UNSURE | pick 2 | order!auto auto | order help"},
    {"auto\nsay all hi\nalways bide\n", "clear | order auto | order say all hi | order always bide"},
    {"always bide\nalways auto\nbuild\n",
     "UNSURE | order always bide | order!auto always auto | order build"},
    {"always auto\nbuild\n", "clear | order always auto | order build"},
    /* one word is mistyped: asked about */
    {"explor near\n", "UNSURE | order!near explore near"},
    {"Exlpore near.\n", "UNSURE | order!near explore near."},
    {"build\nresaerch banking\n", "UNSURE | order build | order!near research banking"},
    {"if metal >= 3 swap metal els bide\n", "clear | order if metal >= 3 swap metal els bide"},
    {"alwys bide\n", "UNSURE | order!near always bide"},
    {"pres bob: hi\n", "UNSURE | press!near(bob) hi"},
    /* appeals, and what is the player's own */
    {"appeal: My order was lost", "clear | appeal -1 My order was lost"},
    {"Appeal turn 5: it was lost\nbuild", "clear | appeal 5 it was lost | order build"},
    {"appeal 5 : lost", "clear | appeal 5 lost"},
    {"appeal five: lost", "nothing | -!"},
    {"appeal: from: nobody", "nothing | -!field"},
    {"I appeal to you: be kind", "nothing | -!"},
    {"mute bob\nunmute carl.", "clear | mute bob | unmute carl"},
    {"mute\nmute bob and carl", "nothing | -! | -!"},
    {"standby any\nok", "clear | standby any | ok"},
    {"standby gc-17", "nothing | -!"},
    {"unstandby any", "clear | unstandby any"},
    {"Reports: each move\npictures: no\nbuild",
     "clear | prefs(Reports) each move | prefs(pictures) no | order build"},
    {"reports:", "nothing | -!"},
    {"address: mallory@example.net", "nothing | -!"},
    {"unmut bob", "UNSURE | unmute!near bob"},
    /* messages without a name: what may be meant so never goes out under it */
    {"press bob from nobody: hi\n", "clear | press(bob, nameless) hi"},
    {"press bob, carl from Nobody: hi", "clear | press(bob, carl, nameless) hi"},
    {"press bob: hi\nFrom: nobody\npress carl: ho",
     "clear | press(bob, nameless) hi | nobody | press(carl, nameless) ho"},
    {"from nobody\nbuild\npress all: hi", "clear | nobody | order build | press(all, nameless) hi"},
    {"form: nobody\npress all: hi", "UNSURE | nobody!near | press(all, nameless) hi"},
    {"press bob: hi\nfrom: nobdy", "UNSURE | press(bob, nameless) hi | nobody!near"},
    {"from: nobody\nbuild", "UNSURE | nobody!mixed | order!mixed build"},
    {"press nobody: hi", "clear | press(nobody) hi"},
    {"hepl\n", "UNSURE | order!near help"},
    {"vacaton 2026-12-01 to 2026-12-10\n", "UNSURE | vacation!near 2026-12-01 to 2026-12-10"},
    {"explode near\n", "UNSURE | order!near explore near"},
    {"exploded near\n", "nothing | -!"}, /* two letters */
    {"bild\n", "UNSURE | order!near build"},
    {"bid\n", "nothing | -!"},     /* too short a word to be sure of */
    {"rebuild\n", "nothing | -!"}, /* it begins otherwise */
    /* what is none */
    {"Bu\n", "nothing | -!"},
    {"Please help\n", "asks | order help"},
    {"please build\n", "clear | order build"},
    {"build\nI think bob is weak\n", "clear | order build | -!"},
    {"explore far or bu\n", "nothing | -!short"},
    {"if metal >= 3 exp far\n", "nothing | -!short"},
    {"build; bide\n", "clear | order build; bide"},
    {"build?\n", "nothing | -!question"},
    {"build\nturn 7\nbuild\n", "UNSURE | order!block build | -!order | order!block build"},
    {"if metal >= 3\nswap metal\n", "nothing | -!order | -!order"},
    {"endif\n", "nothing | -!order"},
    {"repeat\n", "nothing | -!order"},
    {"> build\n", "nothing | -!"},
    {"|| build\n", "nothing | -!"},
    {"# build\n", "nothing | -!"},
    {"#turnpost orders\nbuild\n#end\n", "clear | -! | order build"},
    {"bui\xE2\x80\xAEld\n", "nothing | -!odd"},
    {"build \xE2\x80\x8F\n", "nothing | -!odd"},
    {"build\x07\n", "nothing | -!odd"},
    {"build \xFF\n", "nothing | -!odd"},
    {"b\xD1\x83ild\n", "nothing | -!"}, /* a Cyrillic letter */
    {"\xE2\x80\x9C"
     "build\xE2\x80\x9D\n",
     "nothing | -!"},
    {"1. build\n", "nothing | -!"},
    {"On Monday bob wrote:\nbuild\n", "clear | -! | order build"},
    {"Research shows that our customers prefer it\n", "nothing | -!sentence"},
    {"Build trust with bob\n", "clear | order Build trust with bob"}, /* the game finds words left over */
    {"If you are not the intended recipient\n", "nothing | -!order"},
    {"end users\nto vote\n", "nothing | -! | -!"},
    {"iff metal >= 3\nbuild\nendif\n", "UNSURE | -! | order!block build | -!order"},
    /* commands */
    {"ok", "clear | ok"},
    {"OK.\n\nAnna", "clear | ok | greeting"},
    {"ok falcon", "clear | ok falcon"},
    {"ok I will do that", "nothing | -!"},
    {"Undo!", "clear | undo"},
    {"undo it", "nothing | -!"},
    {"show", "asks | show"},
    {"stop", "clear | stop"},
    {"Stop attacking me", "nothing | -!"},
    {"join", "clear | join"},
    {"help", "asks | order help"},
    {"help build", "asks | order help build"},
    {"Help BUILD?", "asks | order Help BUILD"},
    {"help gc-1", "asks | order help"},
    {"help me with this", "asks | order help me with this"},
    {"vacation 2026-12-01 to 2026-12-10", "clear | vacation 2026-12-01 to 2026-12-10"},
    {"extend 24", "clear | extend 24"},
    {"Extend", "clear | extend"},
    {"extend it by two days", "nothing | -!times"},
    {"digest daily 20:00", "clear | digest daily 20:00"},
    {"vacation from 24 December", "nothing | -!times"},
    {"No, thank you!", "nothing | greeting"},
    {"no", "nothing | greeting"},
    {"no way, bob", "nothing | -!"},
    {"\xD0\xA2\xD0\xB0\xD0\xBA", "clear | ok polite"}, /* in Ukrainian */
    {"When's the deadline?", "asks | deadline"},
    {"How long do I have?", "asks | deadline"},
    {"ok\nundo", "UNSURE | ok!mixed | undo!mixed"},
    {"ok\nbuild", "UNSURE | ok!mixed | order!mixed build"},
    {"ok.", "clear | ok"},
    {"Yes", "clear | ok polite"},
    {"okay!", "clear | ok polite"},
    {"yes, please", "clear | ok polite"},
    {"OK, thanks", "clear | ok polite"},
    {"ok falcon thanks", "clear | ok polite falcon"},
    {"yes falcon", "nothing | -!"},
    {"Yes, that's right.", "clear | ok polite"},
    {"ok but only if bob agrees", "nothing | -!"},
    {"Ja, bitte", "clear | ok polite"},
    {"Map", "asks | show"},
    {"board\n", "asks | show"},
    {"When is the deadline?", "asks | deadline"},
    {"status", "asks | order status"},
    {"show\nbuild", "clear | show | order build"},
    {"extend 24\nbuild", "clear | extend 24 | order build"},
    {"vacation is what I need", "nothing | -!times"},
    {"digest of the news", "nothing | -!times"},
    /* questions, which go with everything */
    {"Help!", "asks | order Help"},
    {"help?", "asks | order help"},
    {"rules", "asks | order rules"},
    {"Rules galaxy-command", "asks | rules galaxy-command"},
    {"status gc-2", "asks | status gc-2"},
    {"standing", "asks | order standing"},
    {"Show gc-1?", "asks | show gc-1"},
    {"show me the map", "nothing | -!"},
    {"deadline?", "asks | deadline"},
    {"map\nhelp\nThanks", "asks | show | order help | greeting"},
    {"build\nhelp", "clear | order build | order help"},
    {"help\n1\nmap", "clear | order help | pick 1 | show"},
    {"ok\nhelp\ndeadline?", "clear | ok | order help | deadline"},
    {"press bob: hi\n\nrules", "clear | press(bob) hi | order rules"},
    {"ok?", "nothing | -!"},
    {"ok\nundo\nhelp", "UNSURE | ok!mixed | undo!mixed | order help"},
    {"stop\nbuild", "UNSURE | stop!mixed | order!mixed build"},
    {"ok\nok\n", "clear | ok | ok"},
    {"ok falcon\nok eagle\n", "UNSURE | ok!mixed falcon | ok!mixed eagle"},
    {"vacation 2026-12-01\nextend 24\n", "UNSURE | vacation!mixed 2026-12-01 | extend!mixed 24"},
    /* press */
    {"press bob: Shall we? ;-)", "clear | press(bob) Shall we? ;-)"},
    {"Press all: hi\nbuild", "clear | press(all) hi | order build"},
    {"press bob: hi\nok", "clear | press(bob) hi | ok"},
    {"press bob", "nothing | -!"},
    {"press bob:", "nothing | -!"},
    {"press: hi", "nothing | -!"},
    {"press bob: hi\xE2\x80\xAE", "nothing | -!odd"},
    {"press bob: Re: your offer", "nothing | -!field"},
    {"press bob: > from: nobody\npress bob: > #end\npress bob: >", "nothing | -!field | -!field | -!field"},
    /* numbers */
    {"1", "clear | pick 1"},
    {"1.\n2\n", "clear | pick 1 | pick 2"},
    {"3", "nothing | -!number"},
    {"0", "nothing | -!number"},
    {"99999999999999999999", "nothing | -!"},
    {"1\nbuild", "clear | pick 1 | order build"},
    {"#2", "clear | pick 2"},
    {"2) build", "clear | pick 2"},
    {"2) explore near", "nothing | -!"},
    {"1\n#2\n", "clear | pick 1 | pick 2"},
    {"1 and 2", "clear | pick 1 and 2"},
    {"2, 1.", "clear | pick 2 and 1"},
    {"1,2\nThanks!", "clear | pick 1 and 2 | greeting"},
    {"#1 & #2, 1", "clear | pick 1 and 2 and 1"},
    {"1 2", "clear | pick 1 and 2"},
    {"1, 3", "nothing | -!number"},
    {"1,1,1,1,1,1,1,1", "clear | pick 1 and 1 and 1 and 1 and 1 and 1 and 1 and 1"},
    {"1,1,1,1,1,1,1,1,1", "nothing | -!number"},
    {"1 and", "nothing | -!"},
    {"1, build", "nothing | -!"},
    {"1.2", "nothing | -!"},
    {"+49 30 5551234", "nothing | -!number"},
    {"1-2", "nothing | -!"},
    /* the form */
    {"[ ] explore near\n[ ] build\n", "nothing | form explore near | form build"},
    {"  1 [ ] explore near\n  2 [ ] build\n", "nothing | form explore near | form build"},
    {"* 2 [ ] build\n", "nothing | form build"},
    {"1 [ ] build\n", "nothing | form build"}, /* of another mail, maybe */
    {"1 [x] explore near\n2 [ ] build\n", "clear | pick 1 explore near | form build"},
    {"1 [ ] explore far\n", "UNSURE | edited!edited explore far"},
    {"1 [ ] explore near (unknown system, 2 of 6)\n", "nothing | form explore near"},
    {"1 [x] explore near (unknown system, 2 of 6)\n", "clear | pick 1 explore near"},
    {"1 [ ] explore near\n   (unknown system,\n   2 of 6)\n2 [ ] build\n   (resign)\n",
     "nothing | form explore near | form build"},
    {"1 [x] explore near\n   (unknown system)\n", "clear | pick 1 explore near"},
    {"1 [ ] explore near\n   (unknown system,\nbuild\n", "clear | form explore near | order build"},
    {"1 [ ] explore near\n   (unknown)\nxyzzy\n", "nothing | form explore near | -!"},
    {"(build)\n", "nothing | -!"},
    {"build\n(or not)\n", "clear | order build | -!"},
    {"9 [ ] build\n", "nothing | form build"},
    {"1 explore near\n", "clear | pick 1"},
    {"[1] explore near\n", "clear | pick 1 explore near"},
    {"[] Explore  near\n", "nothing | form Explore near"},
    {"[x] explore near\n[ ] build\n", "clear | pick 1 explore near | form build"},
    {"[ ] explore far\n", "UNSURE | edited!edited explore far"},
    {"[ ] who knows\n", "nothing | -!"},
    {"[x] explore near\nbuild\n", "clear | pick 1 explore near | order build"},
    {"[x] turn 3\n", "nothing | -!order"},
    {"99 [x] explore far\n", "UNSURE | edited!edited explore far"},
    /* nothing */
    {"", "nothing"},
    {"\n\nHallo,\n\nViele Gr\xC3\xBC\xC3\x9F"
     "e\nAnna Example\n",
     "nothing | greeting | greeting | greeting"},
    {"Hi bob\n", "nothing | greeting"},
    {"Dear Mr Jones,\n", "nothing | greeting"},
    {"Cheers, Anna\n", "nothing | greeting"},
    {"hi near\n", "nothing | -!"},
    {"Hello you all out there\n", "nothing | -!"},
    {"sorry, no time\n", "nothing | greeting"},
    {"No, thank you. Maybe next time\n", "nothing | greeting"},
    {"no metal for him\n", "nothing | -!"},
    {"Oh sorry, yes please, count me in!\n", "clear | ok polite"},
    {"Yes, I'm in!\n", "clear | ok polite"},
    {"Yes but not today\n", "nothing | -!"},
    {"OK, I would like to play. Thanks!\nAnna\n", "clear | ok polite | greeting"},
    {"sure why not. who else plays?\n", "clear | ok polite"},
    {"y\n", "clear | ok polite"},
    {"Yes! Thanks for the invitation\n", "clear | ok polite"},
    {"yes thats what i ment\n", "clear | ok polite"},
    {"sure, no problem\n", "clear | ok polite"},
    {"ok plz\n", "clear | ok polite"},
    {"ok, not with me\n", "nothing | -!"},
    {"sure, no\n", "nothing | -!"},
    {"yes, but why not build?\n", "nothing | -!"},
    {"thanks for the game all\nbuild\n", "clear | greeting | order build"},
    {"hello?\n1\n", "clear | greeting | pick 1"},
    {"sorry, busy week\n", "nothing | greeting"},
    {"thanks, I build\nthanks explore all\n", "nothing | -! | -!"}, /* the game's own words */
    {"thanks gliese\n", "nothing | -!"},
    {"option 2\n", "clear | pick 2"},
    {"(1)\n", "clear | pick 1"},
    {"two, please\n", "clear | pick 2"},
    {"2 then 1\n", "clear | pick 2 and 1"},
    {"both 1 and 2\n", "clear | pick 1 and 2"},
    {"1 - explore near\n", "clear | pick 1"},
    {"ten\n", "nothing | -!"},
    {"take back\n", "clear | undo"},
};

START_TEST(a_text_means_what_it_says)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(&by_one, texts[i].text, texts[i].want);
}
END_TEST

/* What a text means for whoever acts on it. */
static void tell_meaning(struct str *out, const struct typed *typed)
{
    struct str understood = STR_INIT;
    typed_understood(&understood, typed, &one[0]);
    str_addf(out, "%s %d %zu %zu %d %d\n%s", kinds[typed->kind], (int)typed->command, typed->orders,
             typed->press, typed->final, typed->resigns, understood.p);
    str_release(&understood);
}

/* What an OK takes of a text with AUTO are the lines that AUTO would not play. */
START_TEST(auto_is_no_line_among_others)
{
    static const struct {
        const char *text, *understood;
    } rows[] = {{"build\nauto\n", "build\n"},
                {"auto; build\n1\n", "build\nexplore near\n"},
                {"always auto\nalways bide\n", "always bide\n"},
                {"auto\npress bob: hi\n", "auto\npress bob: hi\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct typed typed;
        struct str understood = STR_INIT;
        typed_read(slice_of(rows[i].text), &by_one, &typed);
        typed_understood(&understood, &typed, &one[0]);
        ck_assert_str_eq(understood.p, rows[i].understood);
        str_release(&understood);
        typed_release(&typed);
    }
}
END_TEST

/* Above, below and between the lines of any text, matter that is none of ours, in whatever language: nothing changes. */
START_TEST(unread_matter_changes_nothing)
{
    static const char *const matter[] = {
        "I will attack bob",
        "see you at 5",
        "\xD0\x9E\xD1\x82\xD0\xBF\xD1\x80\xD0\xB0\xD0\xB2\xD0\xBB\xD0\xB5\xD0\xBD\xD0\xBE \xD1\x81 iPhone",
        "On Mon, 3 Nov 2026 at 10:00, Orion League <orders@example.org> wrote:",
        "\xE5\x8F\x91\xE8\x87\xAA\xE6\x88\x91\xE7\x9A\x84iPhone",
        "If you are not the intended recipient of this message, you are asked",
        "to delete it and to tell its sender. End users may not vote on the basis of",
        "Explore the many ways in which our company can serve you better",
        "12"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t k = 0; k < sizeof matter / sizeof *matter; k++) {
            struct str text = STR_INIT, with = STR_INIT, without = STR_INIT;
            struct typed typed;
            typed_read(slice_of(texts[i].text), &by_one, &typed);
            tell_meaning(&without, &typed);
            typed_release(&typed);
            str_addf(&text, "%s\n\n%s\n\n%s\n", matter[k], texts[i].text, matter[k]);
            typed_read(slice_str(&text), &by_one, &typed);
            tell_meaning(&with, &typed);
            typed_release(&typed);
            ck_assert_msg(strcmp(with.p, without.p) == 0, "%s: %s, without %s", text.p, with.p, without.p);
            str_release(&text);
            str_release(&with);
            str_release(&without);
        }
    }
}
END_TEST

/* An "ok" to our question takes what was understood: it is read again without a doubt. */
START_TEST(what_was_understood_is_certain)
{
    size_t seen = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct str text = STR_INIT, again = STR_INIT;
        struct typed typed;
        typed_read(slice_of(texts[i].text), &by_one, &typed);
        typed_understood(&text, &typed, &one[0]);
        bool mixed = false;
        for (size_t k = 0; k < typed.count; k++)
            mixed |= typed.lines[k].doubt == DOUBT_MIXED || typed.lines[k].doubt == DOUBT_BLOCK;
        typed_release(&typed);
        typed_read(slice_str(&text), &by_one, &typed);
        ck_assert_msg(mixed || typed.kind == (text.len ? TYPED_CLEAR : TYPED_NOTHING), "%s", text.p);
        typed_understood(&again, &typed, &one[0]);
        ck_assert_str_eq(text.p, again.p);
        seen += text.len > 0;
        typed_release(&typed);
        str_release(&text);
        str_release(&again);
    }
    ck_assert_uint_gt(seen, 50);
}
END_TEST

/* Whoever does not know what was suggested finds the same orders, and where others may be. */
/* Spaces of every width, as mail programs put them between words and at the ends of lines. */
START_TEST(wide_spaces)
{
    static const uint32_t spaces[] = {'\t',   0xA0,   0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
                                      0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x202F, 0x205F, 0x3000};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        struct str text = STR_INIT;
        utf8_put(&text, spaces[i]);
        str_adds(&text, "explore");
        utf8_put(&text, spaces[i]);
        utf8_put(&text, spaces[i]);
        str_adds(&text, "near");
        utf8_put(&text, spaces[i]);
        str_addc(&text, '\n');
        expect(&by_one, text.p, "clear | order explore near");
        str_release(&text);
    }
    for (uint32_t cp = 0x1FFF; cp <= 0x3001; cp += cp == 0x1FFF ? 0x200B - 0x1FFF : 0x3001 - 0x200B) {
        struct str text = STR_INIT;
        struct typed typed;
        str_adds(&text, "explore");
        utf8_put(&text, cp);
        str_adds(&text, "near\n");
        typed_read(slice_str(&text), &by_one, &typed);
        ck_assert_msg(typed.kind != TYPED_CLEAR, "U+%04X is no space", cp);
        typed_release(&typed);
        str_release(&text);
    }
}
END_TEST

START_TEST(suggestions_that_are_not_known)
{
    static const struct typed_game open = {"gc-1", &command_language, NULL, NULL, NULL};
    static const struct typed_by by = {&open, 1, names};
    expect(&by, "build\n2\n#3\n", "clear | order build | -!number | -!number");
    expect(&by, "1 [x] explore near\n   (unknown\n   system)\nbuild\n",
           "clear | form!number explore near | order build");
    expect(&by, "[ ] explore near\n[x] who knows\n", "nothing | form!number explore near | -!");
    expect(&by, "2. explore near\n5 May\n", "nothing | -!number | -!");
}
END_TEST

START_TEST(who_joins_may_wish)
{
    expect(&by_ships, "ok falcon\nship: swift, steadfast.\n", "clear | ok falcon | wish swift, steadfast");
    expect(&by_ships, "Ship: Swift\n\nOk falcon\nAnna\n", "clear | wish Swift | ok falcon | greeting");
    expect(&by_ships, "ship: swift\n", "UNSURE | wish!mixed swift");
    expect(&by_ships, "ok falcon\nship: swift\nship: steadfast\n",
           "UNSURE | ok!mixed falcon | wish!mixed swift | wish!mixed steadfast");
    expect(&by_ships, "ok falcon\nship swift\n", "clear | ok falcon | -!");
    expect(&by_ships, "ok falcon\nship:\n", "clear | ok falcon | -!");
    expect(&by_ships, "build\nship: swift\n", "UNSURE | order!mixed build | wish!mixed swift");
}
END_TEST

/* ---- folded lines ---- */

#define LONG52 "explore far or conquer one or conquer two or conquer"

static const struct {
    const char *text, *want;
} folds[] = {
    /* "else" may have been parted from what it belongs to, or a condition from its order */
    {LONG52 " sol or\nbide\n", "UNSURE | order!folded " LONG52 " sol or bide"},
    {"if metal >= 3 and wealth >= 3 and military >= 3 then bide else\nbuild\n",
     "UNSURE | order!folded if metal >= 3 and wealth >= 3 and military >= 3 then bide else build"},
    {LONG52 " sol\n\nbide\n", "clear | order " LONG52 " sol | order bide"},
    {"press bob: shall we attack the one who has grown so much since\nspring?\n",
     "clear | press(bob) shall we attack the one who has grown so much since spring?"},
    {"press bob: shall we attack the one who has grown so much since\nspring and who never answers letters "
     "of "
     "mine, not even of\nthanks\n\nbuild\n",
     "clear | press(bob) shall we attack the one who has grown so much since spring and who never answers "
     "letters of mine, not even of thanks | order build"},
    {"press bob: shall we attack the one who has grown so much, and\nbuild\n",
     "UNSURE | press!folded(bob) shall we attack the one who has grown so much, and | order!folded build"},
    {"press bob: shall we attack\nthe one who has grown so much since\n",
     "UNSURE | press!folded(bob) shall we attack | -!"},
    {"say bob shall we attack the one who has grown so much since\nspring?\n",
     "clear | order say bob shall we attack the one who has grown so much since spring?"},
};

START_TEST(folded_lines_are_joined_or_asked_about)
{
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++)
        expect(&by_one, folds[i].text, folds[i].want);
}
END_TEST

/* ---- digests ---- */

static const struct {
    const char *text, *want;
} digests[] = {
    {"gc-1: build\ngs-2: draw\n", "clear | order build | order draw @gs-2"},
    {"GS-2:\ndraw\nresearch\n\ngc-1: build\ndraw\n",
     "clear | order draw @gs-2 | order research @gs-2 | order build | order draw @gs-2"},
    {"build\n", "UNSURE | -!game"},
    {"gc-1: draw\n", "nothing | -!"},
    {"gc-1: explor near\ngs-2: draw\n", "UNSURE | order!near explore near | order draw @gs-2"},
    {"gx-9: build\n", "nothing | -!"},
    {"gc-1: 2\n", "clear | pick 2"},
    {"gs-2: 1\n", "nothing | -!number @gs-2"},
    {"gs-2: resign\ngc-1: build\n", "clear resigns | order resign @gs-2 | order build"},
    {"ok\n", "clear | ok"},
    {"gs-2: press bob: hi: there\n", "clear | press(bob) hi: there @gs-2"},
};

START_TEST(digests_name_the_game)
{
    for (size_t i = 0; i < sizeof digests / sizeof *digests; i++)
        expect(&by_two, digests[i].text, digests[i].want);
    expect(&by_none, "stop\n", "clear | stop");
    expect(&by_none, "build\n", "nothing | -!");
    expect(&by_two, "help\n", "asks | help");
    expect(&by_two, "gc-1: help\ngs-2: map\n", "asks | order help | show @gs-2");
    expect(&by_none, "help\nrules gc-1\n", "asks | help | rules gc-1");
}
END_TEST

/* ---- the whole ---- */

START_TEST(limits_are_kept)
{
    struct str text = STR_INIT;
    struct typed typed;
    for (int i = 0; i < TYPED_LINES; i++)
        str_adds(&text, "build\n");
    typed_read(slice_str(&text), &by_one, &typed);
    ck_assert_uint_eq(typed.orders, TYPED_LINES);
    typed_release(&typed);
    str_adds(&text, "build\n");
    typed_read(slice_str(&text), &by_one, &typed);
    ck_assert_uint_eq(typed.orders, TYPED_LINES);
    ck_assert_int_eq(typed.lines[TYPED_LINES].doubt, DOUBT_ODD);
    typed_release(&typed);
    str_clear(&text);
    str_adds(&text, "say bob ");
    for (int i = 0; i < TYPED_BYTES; i++)
        str_addc(&text, 'x');
    expect(&by_one, text.p, "nothing | -!odd");
    str_release(&text);
}
END_TEST

/* The replies of real mail programs, as the cutter leaves them. */
static void see_mail(const char *name, struct slice raw, const json_t *want)
{
    struct str text = STR_INIT, orders = STR_INIT, told = STR_INIT;
    const struct typed_game game = {"gc-1", &command_language, suggestions, NULL, NULL};
    struct typed typed;
    (void)raw;
    replies_lines(&text, want, "typed");
    replies_lines(&orders, want, "orders");
    typed_read(slice_str(&text), &(struct typed_by){&game, 1, names}, &typed);
    typed_orders(&told, &typed, &game, 0);
    const char *means = replies_text(want, "means");
    ck_assert_msg(strcmp(kinds[typed.kind], means) == 0, "%s: %s, want %s", name, kinds[typed.kind], means);
    ck_assert_msg(strcmp(told.p, orders.p) == 0, "%s: %s, want %s", name, told.p, orders.p);
    typed_release(&typed);
    str_release(&text);
    str_release(&orders);
    str_release(&told);
}

START_TEST(replies_of_real_programs_are_understood)
{
    replies_each(see_mail);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, wide_spaces);
    tcase_add_test(tc, suggestions_that_are_not_known);
    tcase_add_test(tc, who_joins_may_wish);
    tcase_add_test(tc, a_text_means_what_it_says);
    tcase_add_test(tc, auto_is_no_line_among_others);
    tcase_add_test(tc, unread_matter_changes_nothing);
    tcase_add_test(tc, what_was_understood_is_certain);
    tcase_add_test(tc, folded_lines_are_joined_or_asked_about);
    tcase_add_test(tc, digests_name_the_game);
    tcase_add_test(tc, limits_are_kept);
    tcase_add_test(tc, replies_of_real_programs_are_understood);
}
TEST_MAIN("orders/typed", cases)
