/* A mail of the league's as its reader sees it, and mails that people write: by hand or with a key, in whatever mail program, with slips. */
#include "sim/people.h"

#include <stdlib.h>

#include "base/encode.h"
#include "base/mem.h"
#include "house/domain.h"
#include "mail/frames.h"
#include "mail/message.h"
#include "tlog/armor.h"
#include "tlog/witness.h"
#include "trust/canon.h"

/* ---- reading ---- */

void ours_release(struct ours *ours)
{
    str_release(&ours->text);
    str_release(&ours->flat);
    str_release(&ours->page);
    str_release(&ours->asked);
}

void ours_line(const char *text, const char *front, char *out, size_t size)
{
    const char *at = says(text, front);
    if (at)
        (void)snprintf(out, size, "%.*s", (int)strcspn(at + strlen(front), "\r\n :)"), at + strlen(front));
}

static void add_crlf(struct str *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            str_addc(out, '\r');
        str_addc(out, *text);
    }
}

void ours_read(const struct str *raw, struct ours *ours)
{
    struct err err = ERR_INIT;
    struct message msg;
    struct str crlf = STR_INIT;
    struct message_limits limits = message_limits_default;
    limits.size = limits.part_bytes = (size_t)1 << 24; /* ours may have a journal attached */
    *ours =
        (struct ours){.raw = raw, .text = STR_INIT, .flat = STR_INIT, .page = STR_INIT, .asked = STR_INIT};
    add_crlf(&crlf, raw->p);
    MUST_DO(message_parse(slice_str(&crlf), &limits, &(struct message_identity){0}, &msg, &err), err);
    (void)snprintf(ours->subject, sizeof ours->subject, "%s", msg.subject);
    if (msg.part_count)
        str_addslice(&ours->text, slice_str(&msg.parts[0].shown));
    for (size_t i = 1; i < msg.part_count; i++) {
        struct slice exact = slice_str(&msg.parts[i].exact);
        if (slice_find(exact, "<html") < 200 && !ours->page.len)
            str_addslice(&ours->page, exact);
    }
    if (msg.part_count) {
        struct slice rest = slice_str(&msg.parts[0].exact);
        struct err none = ERR_INIT;
        if (armored_next(&rest, WITNESS_REQUEST, &ours->asked, &none) != ARMORED_GOOD)
            str_clear(&ours->asked);
    }
    message_release(&msg);
    str_release(&crlf);
    for (size_t i = 0; i < ours->text.len; i++) {
        char c = ours->text.p[i] == '\n' ? ' ' : ours->text.p[i];
        if (c != ' ' || !ours->flat.len || ours->flat.p[ours->flat.len - 1] != ' ')
            str_addc(&ours->flat, c);
    }
    (void)mail_field(raw, "Message-ID", ours->id, sizeof ours->id);
    if (!mail_field(raw, "Reply-To", ours->to, sizeof ours->to))
        (void)mail_field(raw, "From", ours->to, sizeof ours->to);
    (void)mail_field(raw, "To", ours->mine, sizeof ours->mine);
    const char *open = strchr(ours->mine, '<');
    if (open)
        memmove(ours->mine, open + 1, strlen(open));
    ours->mine[strcspn(ours->mine, ">")] = '\0';
    if (ours->subject[0] == '[')
        (void)snprintf(ours->game, sizeof ours->game, "%.*s", (int)strcspn(ours->subject + 1, "]"),
                       ours->subject + 1);
    ours_line(ours->subject, "urn ", ours->turn,
              sizeof ours->turn); /* "(turn 3: your orders)", "of turn 4" */
    ours_line(ours->text.p, "\nturn: ", ours->turn, sizeof ours->turn);
    ours_line(ours->text.p, "\nseat: ", ours->seat, sizeof ours->seat);
    ours_line(ours->text.p, "\nhead: ", ours->head, sizeof ours->head);
    if (*ours->game &&
        strcmp(ours->head, ours->game) == 0) { /* no form, but the signed head below: "head: GAME SEQ HEX" */
        const char *at = says(ours->text.p, "\nhead: ") + strlen("\nhead: ") + strlen(ours->game) + 1;
        (void)snprintf(ours->head, sizeof ours->head, "%.64s", at + strcspn(at, " ") + 1);
    }
}

/* ---- keys ---- */

/* Signs as ssh-keygen or signify does, of which the latter's signatures hold a number, and no key. */
static void sign(struct str *out, const struct person *me, const struct secret *secret, struct slice text)
{
    unsigned char bytes[10 + 64] = "Ed";
    if (!me->signify) {
        sshsig_sign(out, secret->key, NS_ORDERS, text);
        return;
    }
    memcpy(bytes + 2, secret->point, 8);
    crypto_sign_detached(bytes + 10, NULL, (const unsigned char *)text.p, text.len, secret->key);
    str_adds(out, "untrusted comment: verify with mine.pub\n");
    base64_encode(out, bytes, sizeof bytes);
    str_addc(out, '\n');
}

void people_add_key(struct str *out, const struct person *me, const struct secret *secret, bool whole)
{
    struct pubkey key;
    unsigned char bytes[10 + 32] = "Ed";
    if (me->signify) {
        memcpy(bytes + 2, secret->point, 8);
        memcpy(bytes + 10, secret->point, 32);
        base64_encode(out, bytes, sizeof bytes);
        return;
    }
    char print[KEY_FINGERPRINT];
    secret_public(secret, &key);
    pubkey_fingerprint(print, &key);
    if (whole)
        pubkey_format(out, &key);
    else
        str_adds(out, print);
}

void people_new_key(struct person *person, struct str *out)
{
    if (!person->has_spare)
        secret_new(&person->spare);
    person->has_spare = true;
    people_add_key(out, person, &person->spare, true);
}

/* ---- slips ---- */

const char *people_odd(struct dice *luck)
{
    static const char *const odd[] = {
        "yes",        "no",    "all",    "0",
        "-1",         "99999", "nobody", "any",
        "2027-02-30", "25:00", "robot:", "anna",
        "anna, anna", "bert",  "A b/c",  "ssh-ed25519 AAAA",
        "1d",         "none",  "",       "a-name-that-is-much-too-long-for-any-name-here"};
    return odd[roll(luck, sizeof odd / sizeof *odd)];
}

/* One line of what is to be sent is not as it should be: it is missing, is there twice, says something odd, is misspelt. What says which turn
 * it is for stays, since the judge asks about that. */
void letter_slip(struct str *text, const char *event)
{
    struct dice luck = dice("slip %s", event);
    struct str out = STR_INIT;
    struct slice rest = slice_str(text), line;
    unsigned all = 0, at = 0;
    if (!text->len || !world.on[F_slips] || !chance(&luck, 120))
        return;
    while (slice_whole_line(&rest, &line))
        all++;
    const unsigned chosen = roll(&luck, all), how = roll(&luck, 6);
    rest = slice_str(text);
    for (; slice_whole_line(&rest, &line); at++) {
        const char *colon = memchr(line.p, ':', line.len), *end = line.p + line.len;
        const bool fixed = at != chosen || line.p[0] == '#' || slice_starts(line, "turn:") || !line.len;
        if (!fixed && how == 0)
            continue;
        if (!fixed && how == 1)
            str_addslice(&out, line);
        if (!fixed && how == 2)
            str_addf(&out, "colour: %s\n", people_odd(&luck));
        if (!fixed && how == 3 && line.len > 3) { /* a letter is missing */
            str_addf(&out, "%.1s%.*s", line.p, (int)line.len - 2, line.p + 2);
        } else if (!fixed && how >= 4) {
            const char *blank = memrchr(line.p, ' ', line.len), *from = colon   ? colon + 1
                                                                        : blank ? blank
                                                                                : line.p;
            str_addf(&out, "%.*s %s%s", (int)(from - line.p), line.p, people_odd(&luck),
                     end[-1] == '\n' ? "\n" : "");
        } else {
            str_addslice(&out, line);
        }
    }
    str_release(text);
    *text = out;
}

/* ---- writing ---- */

struct written *written;
size_t written_count;
static size_t written_cap;

static void post(struct person *me, const char *event, const char *game, struct str *raw)
{
    written = mem_grow(written, written_count, &written_cap, sizeof *written);
    struct written *mail = &written[written_count++];
    *mail = (struct written){0};
    ours_line(raw->p, "Message-ID: <", mail->id, sizeof mail->id);
    mail->id[strcspn(mail->id, ">")] = '\0';
    (void)snprintf(mail->who, sizeof mail->who, "%s", me->name);
    (void)snprintf(mail->game, sizeof mail->game, "%s", game);
    message_digest(mail->digest, slice_str(raw));
    char turn[12] = "";
    ours_line(raw->p, "\nturn: ", turn, sizeof turn);
    mail->turn = atoi(turn);
    post_send(me, event, slice_str(raw));
    str_release(raw);
}

/* With our address in place of that of tests/mail/frames.h. */
static void add_framed(struct str *out, const char *text, const struct ours *ours)
{
    for (const char *at; (at = strstr(text, FRAME_ADDRESS)); text = at + strlen(FRAME_ADDRESS))
        str_addf(out, "%.*s%s", (int)(at - text), text, ours->to);
    str_adds(out, text);
}

/* `typed` above our mail, as one mail program or another quotes it (tests/mail/frames.h). Its Content-Type. */
static const char *add_answer(struct str *out, const char *event, const char *typed, const struct ours *ours)
{
    struct dice luck = dice("program %s", event);
    const struct frame_program *program = &frame_programs[roll(&luck, FRAME_PROGRAMS)];
    size_t fold = chance(&luck, 200) ? 72 : 0;
    if (!world.on[F_frames] || (program->begin && !ours->page.len))
        program = &frame_programs[0];
    if (program->begin) {
        str_adds(out, "<html><head></head><body>");
        frame_escape_all(out, slice_of(typed));
        add_framed(out, program->begin, ours);
        str_addf(out, "%s%s</body></html>\n", strstr(ours->page.p, "<body"), program->end);
    } else {
        str_addf(out, "%s\n\n", typed);
        add_framed(out, program->attribution, ours);
        frame_quote_all(out, program, fold, slice_str(&ours->text));
    }
    return program->type;
}

/* A mail that its domain signs: above our mail, if that is answered. */
void letter_type(struct person *me, const char *event, const char *typed, const struct ours *ours)
{
    struct str raw = STR_INIT, body = STR_INIT, lf = STR_INIT;
    char subject[320];
    struct dice luck = dice("mailbox %s", event);
    const bool other = world.on[F_slips] && chance(&luck, 15); /* not the one that the league knows */
    const char *to = !ours || (world.on[F_slips] && chance(&luck, 25)) ? "league@example.org" : ours->to;
    str_addf(&raw, "Message-ID: <%s@sim.test>\r\n", event);
    if (ours) {
        str_addf(&raw, "MIME-Version: 1.0\r\nContent-Type: %s\r\nIn-Reply-To: %s\r\n",
                 add_answer(&lf, event, typed, ours), ours->id);
        (void)snprintf(subject, sizeof subject, "Re: %.300s", ours->subject);
    } else {
        str_addf(&lf, "%s\n", typed);
        (void)snprintf(subject, sizeof subject, "%.*s", (int)strcspn(typed, "\n"), typed);
    }
    add_crlf(&body, lf.p);
    domain_letter(&post_domain,
                  &(struct domain_letter){
                      me->name, other ? "else.test" : strchr(ours ? ours->mine : me->address, '@') + 1, to,
                      subject, now(), body.p, NULL, 0},
                  &raw);
    str_release(&body);
    str_release(&lf);
    if (world.verbose)
        tell("%s types: %s", me->name, typed);
    post(me, event, ours ? ours->game : "", &raw);
}

/* A mail with signed texts, each from its "#turnpost" to its "#end". What a new key is to be added by, it signs as well, or, where it
 * is to sign later, in the next mail, alone. */
void letter_sign(struct person *me, const char *event, const char *text, const char *game)
{
    struct str raw = STR_INIT, body = STR_INIT, armored = STR_INIT;
    str_addf(&raw, "Message-ID: <%s@sim.test>\r\n", event);
    if (world.verbose)
        tell("%s signs: %s", me->name, text);
    for (const char *end; (end = strstr(text, "#end\n")); text = end) {
        end += strlen("#end\n");
        const struct slice one = {text, (size_t)(end - text)};
        char *copy = slice_dup(one);
        bool new = str_starts(copy, "#turnpost key\n") && me->has_spare;
        str_clear(&armored);
        if (me->keyed && !(new && me->asked))
            sign(&armored, me, &me->key, one);
        if (new && !me->later)
            sign(&armored, me, &me->spare, one);
        me->asked = new && me->later;
        me->later &= !new;
        struct dice luck = dice("damage %s", event);
        if (world.on[F_slips] && chance(&luck, 15) && strchr(copy, '\n')) /* on its way */
            strchr(copy, '\n')[1] ^= 1;
        add_crlf(&body, copy);
        if (!world.on[F_slips] || !chance(&luck, 10)) /* they forget to */
            add_crlf(&body, armored.p);
        free(copy);
    }
    if (me->keyed)
        str_addf(&raw,
                 "From: %s\r\nTo: league@example.org\r\nSubject: signed\r\nDate: Fri, 20 "
                 "Nov 2026 12:00:00 +0000\r\n\r\n%s",
                 me->address, body.p);
    else /* its domain says whose key it is */
        domain_letter(&post_domain,
                      &(struct domain_letter){me->name, strchr(me->address, '@') + 1, "league@example.org",
                                              "signed", now(), body.p, NULL, 0},
                      &raw);
    str_release(&armored);
    str_release(&body);
    post(me, event, game, &raw);
}
