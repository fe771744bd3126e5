/* The people: each reads what was mailed to them, and nothing else, and does one thing or another about it. */
#include "sim/people.h"

#include "base/encode.h"
#include "trust/canon.h"

/* ---- doing something ---- */

/* "anna-press-5f3a01": who does what about which mail, or on which day. */
bool people_decide(char event[60], const struct person *me, const char *what, const struct ours *ours)
{
    unsigned char hash[4] = {0};
    char hex[9];
    if (ours)
        crypto_generichash(hash, sizeof hash, (const unsigned char *)ours->id, strlen(ours->id), NULL, 0);
    hex_to(hex, hash, sizeof hash);
    if (ours && ours->again)
        (void)snprintf(event, 60, "%s-%s-%s-%lld", me->name, what, hex, ours->again);
    else if (ours)
        (void)snprintf(event, 60, "%s-%s-%s", me->name, what, hex);
    else
        (void)snprintf(event, 60, "%s-%s-%lld", me->name, what, (long long)now() / 86400);
    return happens("%s", event);
}

static void do_act(struct person *me, const struct act *act, const struct ours *ours)
{
    char event[60];
    struct dice luck =
        dice("%s %s %s %lld", me->name, act->name, ours ? ours->id : "", ours ? 0 : (long long)now() / 86400);
    bool signs = me->keyed || (act->typed && !*act->typed); /* a first key */
    const char *text = signs ? act->text : act->typed;
    if (!people_acts.on[act - people_does] || !text || (me->keyed && act->typed && !*act->typed))
        return;
    if (!chance(&luck, act->often * (act->when == ORDERS ? 1 : (unsigned)world.bustle)))
        return;
    struct str filled = STR_INIT;
    if (people_fill(&filled, text, me, ours, &luck) && people_decide(event, me, act->name, ours)) {
        if (act->when != RULES || !strstr(text, "rekey"))
            letter_slip(&filled, event);
        me->unreminded |= strstr(filled.p, "reminder: no") || strstr(filled.p, "optional: no") ||
                          strcmp(filled.p, "stop") == 0;
        if (!*text) { /* they have lost their key, and make a new one */
            secret_new(&me->key);
            me->lost = true;
        } else if (signs && strstr(filled.p, "#turnpost "))
            letter_sign(me, event, filled.p, ours ? ours->game : "");
        else
            letter_type(me, event, filled.p, ours);
        struct person *lost = me->rules && strcmp(act->name, "rekey") == 0 ? people_loser() : NULL;
        if (lost)
            lost->lost = false;
    }
    str_release(&filled);
}

/* Orders as the mail asks for them: its form, or an answer to it. */
static void order(struct person *me, const struct ours *ours)
{
    char event[60];
    struct str text = STR_INIT;
    struct dice luck = dice("%s %s", me->name, ours->id);
    bool receipt = says(ours->subject, "We have your ") != NULL;
    if (!chance(&luck, receipt ? 40 : me->zeal) || !people_decide(event, me, "orders", ours))
        return;
    unsigned how = roll(&luck, 100);
    if (me->keyed) {
        const char *form = says(ours->text.p, "#turnpost orders\n"), *end = strstr(form, "\n#end\n");
        str_addf(&text, "%.*s\n", (int)(end - form), form);
        if (how < 80) {
            people_add_line(&text, ours, &luck);
            str_addc(&text, '\n');
        }
        str_addf(&text, "# %u\n#end\n", roll(&luck, 1U << 30));
        letter_slip(&text, event);
        letter_sign(me, event, text.p, ours->game);
    } else {
        if (how < 40)
            str_adds(&text, "ok");
        else if (how < 65)
            str_addf(&text, "%u", 1 + roll(&luck, 5));
        else
            people_add_line(&text, ours, &luck);
        letter_slip(&text, event);
        letter_type(me, event, text.p, ours);
    }
    str_release(&text);
}

/* A text in the mail that is ready to be signed, other than orders. */
static bool ready_text(const struct ours *ours, char verb[20], struct str *text)
{
    for (const char *at = ours->text.p; (at = strstr(at, "\n#turnpost ")); at++) {
        const char *end = strstr(at, "\n#end\n");
        (void)snprintf(verb, 20, "%.*s", (int)strcspn(at + 11, "\n"), at + 11);
        if (!end || strcmp(verb, "orders") == 0)
            continue;
        str_addf(text, "%.*s", (int)(end + 6 - (at + 1)), at + 1);
        return true;
    }
    return false;
}

/* The word, or two, that the mail asks to type: "ok", or "no" to what somebody wants to be done in their name, which it mostly is. Some
 * say no to a question; whoever may wish for something does. */
static bool asked_word(const struct ours *ours, struct str *word)
{
    struct dice luck = dice("word %s", ours->id);
    const char *type = says(ours->text.p, "type: ok"), *one = says(ours->flat.p, "the one word "),
               *wish = says(ours->flat.p, "Type it below \"ok\": \""),
               *names = says(ours->flat.p, "There are ");
    if (!type && says(ours->flat.p, "and type: ok"))
        type = "type: ok";
    if (!type && !one)
        return false;
    if (type && chance(&luck, 80)) {
        str_adds(word, "no");
    } else if (type) { /* perhaps with a word of its own */
        str_addf(word, "%.*s", (int)strcspn(type + 6, "\n"), type + 6);
        if (wish && names)
            str_addf(word, "\n%.*s: %.*s", (int)strcspn(wish + 22, ":"), wish + 22,
                     (int)strcspn(names + 10, ",."), names + 10);
    } else {
        one += strlen("the one word ");
        str_addf(word, "%.2s", one + (*one == '"'));
    }
    return strcmp(word->p, "no") != 0 || chance(&luck, 300);
}

/* What the mail asks its reader to do: to sign a text, to type a word, to send a subject. */
static bool answer(struct person *me, const struct ours *ours)
{
    char verb[20], event[60];
    struct str text = STR_INIT;
    const char *send = says(ours->flat.p, "send a mail with \"");
    bool signs = (me->keyed || me->has_spare) && ready_text(ours, verb, &text);
    const char *digest = !me->keyed ? says(ours->flat.p, "as in \"") : NULL;
    if (digest && says(ours->subject, " mail") && people_decide(event, me, "digest", ours)) {
        static const char *const typed[] = {"{example}",
                                            "{which}:\nexplore near\nexplore far",
                                            "explore near\ndigest no",
                                            "{which}: {line}",
                                            "{which}:\nI will think about it\n",
                                            "vacation {day} to {later}\nstandby any\nprefs\nhtml: no",
                                            "vacation cancel\ndigest 18:00\nstatus\nrules {n}",
                                            "{which}: show\nunstandby any\nhello",
                                            "stop"};
        struct dice luck = dice("digest %s", ours->id);
        (void)people_fill(&text, typed[roll(&luck, sizeof typed / sizeof *typed)], me, ours, &luck);
        letter_type(me, event, text.p, ours);
        str_clear(&text);
    }
    bool takes = !me->keyed && send && says(ours->subject, "Will you take over");
    if (signs && people_decide(event, me, verb, ours))
        letter_sign(me, event, text.p, ours->game);
    str_clear(&text);
    bool types = !me->keyed && asked_word(ours, &text);
    if (types && people_decide(event, me, "ok", ours))
        letter_type(me, event, text.p, ours);
    if (takes && people_decide(event, me, "take", ours)) {
        str_clear(&text);
        str_addf(&text, "%.*s", (int)strcspn(send + 18, "\""), send + 18);
        letter_type(me, event, text.p, NULL);
    }
    str_release(&text);
    return signs || types || takes || digest;
}

/* ---- a mail comes ---- */

static void take_news(struct person *me, const struct ours *ours)
{
    if (says(ours->subject, "Welcome, ") == ours->subject)
        me->player = true;
    if (says(ours->subject, "You have left ") == ours->subject) {
        me->gone = true;
        me->player = false;
    }
    const bool changed = says(ours->subject, "The keys of ") == ours->subject;
    struct str print = STR_INIT;
    people_add_key(&print, me, &me->spare, false);
    if (me->has_spare && strstr(ours->flat.p, print.p) && (changed || says(ours->flat.p, " is in force: "))) {
        me->had_key = me->keyed;
        me->old = me->key;
        me->key = me->spare;
        me->keyed = true;
        me->has_spare = false;
    }
    str_release(&print);
    if (says(ours->subject, "Where your mail goes") == ours->subject)
        ours_line(ours->flat.p, "Your addresses are now: ", me->address, sizeof me->address);
    if (changed && says(ours->flat.p, "There is no key any more"))
        me->keyed = false;
    if (*ours->game && !strchr(ours->game, ' '))
        (void)snprintf(me->game, sizeof me->game, "%s", ours->game);
    if (says(ours->flat.p, "Seats are free in"))
        ours_line(says(ours->flat.p, "Seats are free in"), "as in \"join ", me->free, sizeof me->free);
    if (says(ours->flat.p, "Seats are free in") && !*me->free)
        ours_line(ours->flat.p, "or send \"join ", me->free, sizeof me->free);
    me->free[strcspn(me->free, "\"")] = '\0';
}

/* "register", with the key as its tool wrote it; the answer has a text that is to be signed. `token`: an invitation, or NULL. */
static void paste_key(struct person *me, const char *event, const char *token)
{
    struct str text = STR_INIT;
    str_addf(&text, "register %s\n", me->name);
    people_add_key(&text, me, &me->key, true);
    if (token)
        str_addf(&text, "\ninvite: %.*s", (int)strcspn(token, ".@"), token);
    letter_type(me, event, text.p, NULL);
    str_release(&text);
}

/* Who is invited comes without a key, or pastes it; some have one later. */
static void accept(struct person *me, const struct ours *ours)
{
    char event[60], text[40];
    const char *token = says(ours->to, "invite.");
    struct dice luck = dice("come %s", ours->id);
    if (me->player || !people_decide(event, me, "come", ours))
        return;
    if (me->keyed && token && chance(&luck, 500)) {
        paste_key(me, event, token + strlen("invite."));
        return;
    }
    if (chance(&luck, 150)) {
        const bool no = chance(&luck, 500);
        letter_type(me, event, no ? "no" : "stop", no ? ours : NULL);
        return;
    }
    me->keyed = false;
    (void)snprintf(text, sizeof text, "register %s", me->name);
    letter_type(me, event, text, ours);
}

static void read_mail(struct person *me, const struct str *raw, bool again)
{
    struct ours ours;
    ours_read(raw, &ours);
    ours.again = again ? (long long)now() / 86400 : 0;
    if (!again && json_object_get(me->seen, ours.id)) {
        ours_release(&ours);
        return;
    }
    json_object_set_new(me->seen, ours.id, json_true());
    tell("%s reads %s (to %s) %s", me->name, ours.subject, ours.to, ours.id);
    if (!again)
        people_hear(me, &ours);
    take_news(me, &ours);
    if (ours.asked.len && me->witness && !world.calm)
        witness_answers(me, &ours);
    if (!world.calm && says(ours.subject, "You are invited") == ours.subject)
        accept(me, &ours);
    bool asks = world.calm  ? false
                : me->keyed ? says(ours.text.p, "#turnpost orders\n") != NULL
                            : strchr(ours.to, '+') != NULL;
    if (world.calm || answer(me, &ours) || !me->player || !*ours.game)
        asks = false;
    if (asks)
        order(me, &ours);
    for (size_t i = 0; !world.calm && me->player && *ours.game && i < people_acts.count; i++)
        if ((people_does[i].when == ORDERS && asks) || (people_does[i].when == GAME && *ours.head) ||
            (people_does[i].when == RULES && me->rules && *ours.head))
            do_act(me, &people_does[i], &ours);
    ours_release(&ours);
}

/* ---- coming into the league ---- */

static void come(struct person *me, int number)
{
    static const char *const names[PEOPLE_MOST] = {"anna", "bert", "carl", "dora",
                                                   "emil", "fred", "gina", "hugo"};
    struct dice luck = dice("person %s", names[number]);
    me->rules = world.on[F_rules] && number + 1 == world.people;
    me->witness = world.on[F_witness] && !me->rules && number + 1 + world.on[F_rules] == world.people;
    const char *name = me->rules ? "mona" : me->witness ? "wilma" : names[number];
    (void)snprintf(me->name, sizeof me->name, "%s", name);
    (void)snprintf(me->address, sizeof me->address, "%s@%s.test", name, number % 3 == 2 ? "post" : "mail");
    me->keyed = me->rules || me->witness || (world.on[F_keyed] && (!world.on[F_keyless] || number % 2 == 0));
    me->seen = json_object();
    me->zeal = 600 + roll(&luck, 400);
    me->signify = !me->rules && !me->witness && chance(&luck, 250);
    if (me->keyed)
        secret_new(&me->key);
    if (me->witness) {
        vrf_keygen(me->vrf_secret, me->vrf_public);
        secret_new(&me->cosigner);
        vkey_make(&me->vkey, slice_of("mail.test/wilma"), VKEY_COSIGNER, me->cosigner.point);
    }
}

void people_begin(void)
{
    for (int i = 0; i < world.people; i++)
        come(&world.person[i], i);
}

static void apply(struct person *me)
{
    char event[60];
    struct str text = STR_INIT;
    struct dice none = {0}, luck = dice("register %s", me->name);
    if (world.on[F_invited] || !people_decide(event, me, "register", NULL))
        return;
    if (me->keyed && chance(&luck, 400)) {
        paste_key(me, event, NULL);
    } else if (me->keyed) {
        (void)people_fill(&text, "#turnpost register\nleague: {league}\ndate: {today}\nname: {me}\n", me,
                          NULL, &none);
        str_addf(&text, "address: %s\nkey: ", me->address);
        people_add_key(&text, me, &me->key, true);
        str_adds(&text, "\n#end\n");
        letter_sign(me, event, text.p, "");
    } else {
        str_addf(&text, "register %s", me->name);
        letter_type(me, event, text.p, NULL);
    }
    str_release(&text);
}

void people_act(void)
{
    bool morning =
        world.round == 1 || world.round * world.minutes / 1440 != (world.round - 1) * world.minutes / 1440;
    for (int p = 0; p < world.people; p++) {
        struct person *me = &world.person[p];
        for (; me->read < me->count; me->read++) {
            if (me->mails[me->read].own)
                continue;
            struct str raw;
            post_read(&me->mails[me->read], &raw);
            read_mail(me, &raw, false);
            str_release(&raw);
        }
        if (!morning || world.calm)
            continue;
        if (!me->player && !me->gone && !me->rules)
            apply(me);
        for (size_t i = 0; me->player && i < people_acts.count; i++)
            if (people_does[i].when == DAY)
                do_act(me, &people_does[i], NULL);
        struct dice luck = dice("stale %s %ld", me->name, world.round);
        const size_t back = 1 + roll(&luck, 12);
        if (world.on[F_stale] && me->player && chance(&luck, 200) && me->count > back &&
            !me->mails[me->count - back].own) {
            struct str raw; /* an older mail is answered, perhaps once more */
            post_read(&me->mails[me->count - back], &raw);
            read_mail(me, &raw, true);
            str_release(&raw);
        }
    }
}
