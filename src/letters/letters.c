#include "letters/letters_parts.h"
#include "letters/opening.h"
#include "letters/tools.h"

#include <sodium.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "play/facts.h"
#include "play/press.h"
#include "play/replies.h"
#include "game/view.h"
#include "game/entry.h"
#include "game/witness.h"
#include "league/cosigning.h"
#include "tlog/armor.h"
#include "tlog/proof.h"

/* Answers to mails that anybody may have sent: at most this long, or this many times the mail. */
#define ANSWER_LEAST   2000
#define ANSWER_TIMES   3
#define ANSWER_MOST    12000 /* the longest that is no report, order words, has 10.5 KB; rules come in parts */
#define PARAGRAPH_MOST 600
#define SUBJECT_MOST   60 /* bytes of a subject that such an answer repeats */

static size_t answer_most(const struct letters *letters)
{
    size_t times = ANSWER_TIMES * letters->came;
    if (!letters->unproved)
        return 0;
    return times < ANSWER_LEAST ? ANSWER_LEAST : times > ANSWER_MOST ? ANSWER_MOST : times;
}

/* Without what answer.subject.txt and reply_not_done.subject.txt have put before it, which an answer to such an answer repeats. */
static struct slice without_verdict(struct slice subject)
{
    static const char *const verdicts[] = {"Not done: ", "Not signed: ", "Your message was not sent: "};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (slice_starts(subject, verdicts[i])) {
            subject = subject_bare(slice_sub(subject, strlen(verdicts[i]), subject.len));
            i = (size_t)-1;
        }
    return subject;
}

/* What the subject of an answer repeats. `known`: a player's address; to strangers it repeats nothing that
 * somebody else may have written. */
static void add_subject(const struct letters *letters, const struct message *answered, bool known,
                        json_t *facts)
{
    struct str subject = STR_INIT;
    if (answered && (known || !letters->unproved))
        utf8_safe(&subject, letters_reply_subject(without_verdict(subject_bare(slice_of(answered->subject)))),
                  false);
    if (letters->unproved)
        utf8_cut(&subject, SUBJECT_MOST);
    if (subject.len)
        json_object_set_new(facts, "subject", json_text(slice_str(&subject)));
    str_release(&subject);
}

#define FILES_MOST    6
#define RECORD_DIGITS 12 /* of a head, that mails show */

struct attached {
    struct letter_file list[FILES_MOST];
    struct str bytes[FILES_MOST]; /* of those that are no text */
    size_t count;
};

static void add_file(const json_t *attach, struct attached *files)
{
    const char *text = json_string_value(json_object_get(attach, "text"));
    const char *base64 = json_string_value(json_object_get(attach, "base64"));
    if (files->count == FILES_MOST)
        return;
    struct str *bytes = &files->bytes[files->count];
    if (!text && (!base64 || !base64_decode(bytes, slice_of(base64))))
        return;
    files->list[files->count++] = (struct letter_file){json_string_value(json_object_get(attach, "name")),
                                                       json_string_value(json_object_get(attach, "type")),
                                                       text ? slice_of(text) : slice_str(bytes)};
}

static void add_attached(const json_t *attach, struct attached *files)
{
    size_t i;
    json_t *one;
    add_file(attach, files);
    json_array_foreach (attach, i, one)
        add_file(one, files);
}

/* For programs: view.json. */
static void write_view(struct str *out, const struct draft *draft)
{
    json_t *json =
        draft->view ? value_json(draft->view->root) : json_incref(json_object_get(draft->facts, "view"));
    json_write_pretty(out, json);
    json_decref(json);
}

/* Does a section of the rules begin there ("8. THE EVENT")? Its number; else 0. */
static int section_at(struct slice line)
{
    struct slice word = {"", 0}, digits;
    int64_t number = 0;
    bool begins = line.len && line.p[0] != ' ' && slice_word(&line, &word) && word.len > 1 &&
                  word.p[word.len - 1] == '.';
    digits = begins ? slice_sub(word, 0, word.len - 1) : (struct slice){"", 0};
    return begins && slice_number(&digits, &number) && number < 100 ? (int)number : 0;
}

/* Where the section begins: the first one of that number or, with 0, of any; text->len: there is none. */
static size_t find_section(const struct str *text, int number)
{
    struct slice rest = slice_str(text), line;
    while (slice_line(&rest, &line))
        if (section_at(line) && (!number || section_at(line) == number))
            return (size_t)(line.p - text->p);
    return text->len;
}

/* Of rules that are asked for from a section on, those before it are left out. */
static void begin_with(const json_t *facts, struct str *text)
{
    int number = (int)json_integer_value(json_object_get(facts, "section"));
    size_t first = find_section(text, 0), begin = number ? find_section(text, number) : first;
    struct str rest = STR_INIT;
    if (begin == first || begin == text->len)
        return;
    str_addslice(&rest, slice_sub(slice_str(text), begin, text->len));
    str_cut(text, first);
    str_addslice(text, slice_str(&rest));
    str_release(&rest);
}

/* The last section that begins before that place, but not the first one of the text. *begin is where. */
static int last_section(const struct str *text, size_t most, size_t *begin)
{
    struct slice rest = slice_sub(slice_str(text), 0, most), line;
    size_t first = find_section(text, 0);
    int number = 0;
    while (slice_line(&rest, &line))
        if (section_at(line) && line.p > text->p + first) {
            number = section_at(line);
            *begin = (size_t)(line.p - text->p);
        }
    return number;
}

/* Cuts an answer that is too long for its recipient, at a section of the rules, or between two paragraphs if one ends
 * near there, and says how the rest is to be had. */
static int shorten(const struct letters *letters, const struct draft *draft, struct str *text,
                   struct err *err)
{
    struct str words = STR_INIT;
    if (!draft->most || text->len <= draft->most)
        return 0;
    size_t line = draft->most, end;
    int next = json_object_get(draft->facts, "rules") ? last_section(text, line, &line) : 0;
    json_object_set_new(draft->facts, "next", next ? json_integer(next) : json_false());
    while (line && text->p[line - 1] != '\n')
        line--;
    for (end = line; !next && end > 1 && line - end < PARAGRAPH_MOST && text->p[end - 2] != '\n';)
        for (end--; end && text->p[end - 1] != '\n'; end--) {
        }
    str_cut(text, end > 1 && text->p[end - 2] == '\n' ? end : line);
    int rc = templates_render(letters->templates, &(struct template_name){draft->folder, "cut.txt"},
                              draft->facts, &words, err);
    str_addc(text, '\n');
    if (rc == 0 && draft_has_foot(draft))
        rc = templates_render(letters->templates, &(struct template_name){draft->folder, "foot.txt"},
                              draft->facts, &words, err);
    str_addslice(text, slice_str(&words));
    str_release(&words);
    return rc;
}

static void hash_text(crypto_generichash_state *state, struct slice text)
{
    const uint64_t len = text.len;
    crypto_generichash_update(state, (const unsigned char *)&len, sizeof len);
    crypto_generichash_update(state, (const unsigned char *)text.p, text.len);
}

/* A mail of no record is known by what it says, beside what it answers: made again of the same it is the same mail, and two
 * that differ have two ids. */
static struct mail_id id_of_words(const struct mail_id *about, const struct outgoing *mail,
                                  const struct attached *files)
{
    const char *const ends[] = {mail->envelope_to, mail->reply_to, mail->proof};
    unsigned char digest[32];
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    hash_text(&state, (struct slice){(const char *)about->digest, sizeof about->digest});
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        hash_text(&state, slice_of(ends[i] ? ends[i] : ""));
    hash_text(&state, slice_str(&mail->subject));
    hash_text(&state, slice_str(&mail->text));
    hash_text(&state, slice_str(&mail->html));
    for (size_t i = 0; i < files->count; i++) {
        hash_text(&state, slice_of(files->list[i].name));
        hash_text(&state, files->list[i].bytes);
    }
    crypto_generichash_final(&state, digest, sizeof digest);
    return mail_id_digested(digest, about->number);
}

/* Addresses and signs it, and puts it into MIME form with its files; one without files may wait for that. */
static void compose_with_files(const struct letters *letters, const struct draft *draft,
                               const struct addressing *how, struct outgoing *mail)
{
    struct addressing now = *how;
    struct str view = STR_INIT;
    struct attached files = {.count = 0};
    if (draft->json)
        write_view(&view, draft);
    if (view.len)
        files.list[files.count++] = (struct letter_file){"view.json", "application/json", slice_str(&view)};
    add_attached(draft->attach, &files);
    if (now.id.kind == MAIL_ID_DIGESTED)
        now.id = id_of_words(&how->id, mail, &files);
    letters_address(letters, &now, mail);
    if (!letters->later || files.count)
        letters_compose(letters, &(struct files){files.list, files.count}, mail);
    for (size_t i = 0; i < FILES_MOST; i++)
        str_release(&files.bytes[i]);
    str_release(&view);
}

/* The words and what follows, as far as it is not left for later. */
static int finish(const struct letters *letters, const struct draft *draft, const struct addressing *how,
                  struct outgoing *mail, struct err *err)
{
    if (letters->later && draft_keeps(draft)) {
        letters_address(letters, how, mail);
        mail->draft = draft_keep(draft);
        return 0;
    }
    int rc = letters_render(letters->templates, draft, mail, err);
    begin_with(draft->facts, &mail->text);
    if (rc || shorten(letters, draft, &mail->text, err)) {
        outgoing_release(mail);
        return -1;
    }
    letters_picture_fits(letters, mail);
    compose_with_files(letters, draft, how, mail);
    return 0;
}

/* Times are also shown by the reader's clock. The facts may have served another reader before. */
static void add_zone(json_t *facts, const struct player *player, bool before)
{
    struct err ignored = ERR_INIT; /* a zone that the system no longer knows */
    struct zone *zone = NULL;
    if (player && *player->zone && zone_load(player->zone, &zone, &ignored))
        zone = NULL;
    if (zone || before)
        facts_zone(facts, zone);
    zone_free(zone);
}

/* The valid signature came in a mail from an address that is not the player's: the player's own is told. */
static bool add_origin(json_t *facts, const struct player *player, const struct message *answered)
{
    bool other = player && answered && *answered->from && !player_has_address(player, answered->from);
    if (other)
        json_object_set_new(facts, "from_other", json_string(answered->from));
    else
        json_object_del(facts, "from_other");
    return other;
}

const struct player *letters_reader(const struct registry *registry, const struct post *post)
{
    return registry_find(registry, post->player);
}

static const char *post_template(const struct post *post)
{
    switch (post->kind) {
    case POST_WELCOME:
    case POST_REPORT: return "report";
    case POST_AGAIN: return *post->words ? post->words : "report";
    case POST_RECEIPT:
    case POST_TRIED: return post->brief ? "receipt_short" : post->prose ? "receipt_prose" : "receipt";
    case POST_NOTICE: return "notice";
    case POST_ANSWER:
    case POST_TOLD: return post->words;
    }
    return post->words;
}

/* A mail without a record of its own gets its id from the mail that it answers, and from the game's record that it was made
 * after: its words may be made later. */
static struct mail_id post_id(const struct letters *letters, const struct game *game, const struct post *post)
{
    if (post_of_record(post) || !letters->answered)
        return mail_id_record(game->id, post->seq, post->number + (letters->second ? POST_SECONDS : 0));
    struct str about = STR_INIT;
    str_addf(&about, "%s %d of ", game->id, post->kind);
    str_add(&about, (const char *)letters->answered->digest, MESSAGE_DIGEST);
    str_add(&about, (const char *)post->head, HEAD_BYTES);
    const struct mail_id id = mail_id_about(slice_str(&about), post->kind == POST_TRIED ? 0 : post->number);
    str_release(&about);
    return id;
}

/* One more file; takes ownership. */
static void post_attach(struct post *post, json_t *file)
{
    json_t *list = json_array();
    if (json_is_array(post->attach))
        json_array_extend(list, post->attach);
    else if (post->attach)
        json_array_append(list, post->attach);
    json_array_append_new(list, file);
    json_decref(post->attach); /* the reports of several seats share it */
    post->attach = list;
}

/* With the head that orders have to name, where the mail has a form for them; else its own. */
static void add_page(const struct letters *letters, const struct game *game, const struct post *post)
{
    char head[2 * HEAD_BYTES + 1];
    const char *answer = json_string_value(json_object_get(post->facts, "answer_head"));
    hex_to(head, post->head, HEAD_BYTES);
    letters_add_page(
        letters,
        &(struct page_place){
            .game = game->id, .turn = game->turn, .seat = post->seat, .head = answer ? answer : head},
        post->facts);
}

/* Does the mail show its reader's suggestions (form.txt)? Reports do where there is something to order, and other mails
 * have them among their own facts if they do. */
static bool offers(const struct post *post)
{
    bool reports = post->told && value_get(post->told, "form") &&
                   json_is_true(json_object_get(post->facts, "can_order"));
    return reports || json_object_get(post->facts, "form");
}

/* What "ok" takes in answer to it, where it asks for something: a seat, a vote for another deadline, or for a game without witnesses. */
static void add_held(struct str *held, const struct post *post)
{
    if (strcmp(post_template(post), "witness_late") == 0)
        str_adds(held, "unwitness"); /* the turn is closed, so it is a wish (reply_place_wish) */
    if (strcmp(post_template(post), "offer") == 0)
        str_adds(held, "take");
    if (strcmp(post_template(post), "vote_asked") == 0)
        reply_vote(held, json_integer_value(json_object_get(post->facts, "hours")));
}

static void add_place(struct str *lines, const struct letters *letters, const char *name,
                      struct proof_place place)
{
    (void)snprintf(place.name, sizeof place.name, "%s", name);
    proof_place_write(lines, &place, letters->league->master);
}

static char *place_of(const struct letters *letters, const char *name, int64_t seq, int64_t time)
{
    struct str line = STR_INIT;
    add_place(&line, letters, name, (struct proof_place){.seq = seq, .time = time});
    return str_detach(&line);
}

/* Puts it into the proof of a close, as its witness' answer has none. */
static void add_extra(struct str *text, const struct step_extra *extra)
{
    struct slice line, proof;
    struct log_proof read = LOG_PROOF_INIT;
    struct err ignored = ERR_INIT;
    struct str out = STR_INIT;
    if (extra->len && log_proof_cut(slice_str(text), &line, &proof) &&
        log_proof_parse(proof, &read, &ignored) == 0) {
        str_add(&read.extra, extra->bytes, extra->len);
        str_addslice(&out, line);
        str_addc(&out, '\n');
        log_proof_write(&out, &read);
        str_clear(text);
        str_addslice(text, slice_str(&out));
    }
    log_proof_release(&read);
    str_release(&out);
}

/* Others than the game's witnesses may have cosigned the same checkpoint. */
static void add_others(struct str *text, const struct league *league)
{
    struct slice line, proof;
    struct log_proof read = LOG_PROOF_INIT;
    struct checkpoint checkpoint;
    struct err ignored = ERR_INIT;
    int64_t size = 0;
    if (log_proof_cut(slice_str(text), &line, &proof) && log_proof_parse(proof, &read, &ignored) == 0 &&
        checkpoint_parse(read.note, &checkpoint, &ignored) == 0)
        size = checkpoint.size;
    log_proof_release(&read);
    if (size)
        cosigning_lines(league, size, text);
}

/* The entry and proof of the close that the report is of, in the checkpoint that its witnesses have cosigned; where that was not one, in each. */
static void add_cosigned(struct str *lines, const struct league *league, const struct game *game,
                         const struct step_extra *extra)
{
    for (int i = 0; i < game->witnesses.count; i++) {
        struct str text = STR_INIT;
        const bool any = quorum_proof(&game->witnesses, i, &text);
        if (any)
            add_others(&text, league);
        if (any)
            add_extra(&text, extra);
        if (any)
            armored_write(lines, PROOF_ARMOR, slice_str(&text));
        str_release(&text);
    }
}

/* What proves a mail of a record: by which keys mail domains vouch for the orders that it tells of, in words; then places in the
 * log, that of its own record last. NULL on failure. */
static char *proof_of(const struct letters *letters, const struct game *game, const struct post *post,
                      struct err *err)
{
    struct str lines = STR_INIT;
    char name[GAME_NAME];
    game_log_name(name, game);
    if ((json_object_get(post->facts, "vouched") || json_object_get(post->facts, "voucher")) &&
        templates_render(letters->templates,
                         &(struct template_name){game->ruleset->folder, "proof_vouched.txt"}, post->facts,
                         &lines, err)) {
        str_release(&lines);
        return NULL;
    }
    if (post->kind == POST_REPORT || post->kind == POST_WELCOME)
        add_cosigned(&lines, letters->league, game, &post->extra);
    for (int i = 0; i < POST_PROVES; i++) {
        struct proof_place place = {.seq = post->proves[i], .time = post->time};
        if (i == POST_CLOSE) {
            place.extra_len = post->extra.len;
            memcpy(place.extra, post->extra.bytes, post->extra.len);
        }
        if (place.seq)
            add_place(&lines, letters, name, place);
    }
    add_place(&lines, letters, name, (struct proof_place){.seq = post->seq, .time = post->time});
    /* A league that words boards itself has nothing that another program could compare with. */
    if (post->opens.len && !templates_own(letters->templates, game->ruleset->folder))
        opening_write(&lines, slice_str(&post->opens));
    return str_detach(&lines);
}

static void add_named(const struct letters *letters, const json_t *facts, struct outgoing *mail)
{
    const json_t *named = json_object_get(facts, "named");
    if (!named)
        return;
    mail->named = place_of(letters, json_string_value(json_object_get(named, "log_name")),
                           json_integer_value(json_object_get(named, "seq")),
                           json_integer_value(json_object_get(named, "time")));
    mail->named_head = mem_strdup(json_string_value(json_object_get(named, "head")));
}

/* Banned players no longer watch anything. Of press, only what the reader has not muted stays. */
static bool is_wanted(const struct game *game, struct post *post, const struct player *player)
{
    if ((player->banned && post->kind == POST_TOLD && !post->seat) || (player->quiet && post->optional))
        return false;
    return post->kind == POST_ANSWER || press_mute(post->press, game->id, player->mutes) ||
           post->kind == POST_REPORT;
}

int letters_post(const struct letters *letters, const struct game *game, struct post *post,
                 struct outgoing *mail, struct err *err)
{
    *mail = (struct outgoing)OUTGOING_INIT;
    const struct player *player = letters_reader(letters->registry, post);
    if (!player && registry_damaged(letters->registry, post->player))
        log_warn("game %s: %s is not told of record %lld, because players/%s.json cannot be read; when it is "
                 "mended: turnpost moderate %s resend %s",
                 game->id, post->player, (long long)post->seq, post->player, game->id, post->player);
    if (!player || !is_wanted(game, post, player))
        return 0;
    json_t *press = post->kind != POST_ANSWER && !letters->second ? press_attached(post->press) : NULL;
    if (press)
        post_attach(post, press);
    press_facts_put(post->facts, post->press);
    json_object_set_new(post->facts, "proof_record", json_integer(post->seq));
    json_object_set_new(post->facts, "proof_digits", json_hex(post->head, RECORD_DIGITS / 2));
    letters_add_league(letters, post->facts);
    add_page(letters, game, post);
    add_zone(post->facts, player, false);
    /* A report that comes again is of no seat, as whoever had it may have lost it since. */
    const int seat = post->kind == POST_AGAIN ? game_seat_of(game, player->name) : post->seat;
    struct str held = STR_INIT;
    add_held(&held, post);
    letters_reply(
        letters,
        &(struct answer_game){.game = game, .seat = seat, .held = slice_str(&held), .offers = offers(post)},
        player->name, post->facts, mail);
    str_release(&held);
    tools_add_of(post->facts, letters->keyring, player->name);
    if (post->prose) /* help and rules: written as text, so that the page is made of the words */
        facts_language(post->facts, game->ruleset);
    letters_picture(letters, player, game, post, mail);
    bool first = post->kind == POST_WELCOME || post->welcome;
    json_object_set_new(post->facts, first ? "welcome" : "later", json_true());
    bool reply = post->kind == POST_RECEIPT || post->kind == POST_TRIED || post->kind == POST_ANSWER ||
                 post->kind == POST_AGAIN || post->replies;
    bool elsewhere = reply && add_origin(post->facts, player, letters->answered);
    const struct draft draft = {
        .name = post_template(post),
        .folder = game->ruleset->folder,
        .facts = post->facts,
        .view = post->view,
        .told = post->told,
        .trial = &post->trial,
        .html = player->html,
        .json = !post->brief && !*post->words && (player->json || post->json),
        .elsewhere = elsewhere,
        .attach = post->attach,
    };
    const struct addressing how = {post_id(letters, game, post), post->seat ? post->seat : post->number,
                                   reply ? letters->answered : NULL};
    mail->state = OUTGOING_ASKED;
    mail->of_record = post_of_record(post);
    mail->ordered = mail->of_record;
    mail->past = post->past;
    mail->until = reply ? 1 : post->until > 1 ? post->until : 0;
    mail->reply = reply;
    mail->game = mem_strdup(game->id);
    if (!(mail->proof = proof_of(letters, game, post, err)))
        return -1;
    add_named(letters, post->facts, mail);
    mail->envelope_to = mem_strdup(letters->second ? player->address2
                                   : post->kind == POST_AGAIN && letters->answered
                                       ? player_answer_address(player, letters->answered->from)
                                       : player->address);
    mail->to_name = mem_strdup(player->name);
    return finish(letters, &draft, &how, mail, err);
}

/* What was sent and signed is not done: all answers but those to a question, to mails that want nothing as far
 * as one can tell, and to copies of what was done before. */
static bool turns_down(const char *kind)
{
    static const char *const others[] = {"nothing",         "unsigned",    "copied_petition", "seen_text",
                                         "replaced",        "copied",      "undone",          "reply_digest",
                                         "reply_elsewhere", "reply_later", "failed_again",    NULL};
    for (int i = 0; others[i]; i++)
        if (strcmp(kind, others[i]) == 0)
            return false;
    return !str_starts(kind, "ask_");
}

int letters_answer(const struct letters *letters, const struct answer *answer, struct outgoing *mail,
                   struct err *err)
{
    json_t *facts = answer->facts;
    const struct player *player = *answer->to_name ? registry_find(letters->registry, answer->to_name) : NULL;
    letters_add_league(letters, facts);
    add_zone(facts, player, true);
    *mail = (struct outgoing)OUTGOING_INIT;
    letters_reply(letters, answer->about, answer->to_name, facts, mail);
    tools_add_of(facts, letters->keyring, answer->to_name);
    json_object_set_new(facts, answer->kind, json_true());
    if (str_starts(answer->kind, "ask_") || strcmp(answer->kind, "reply_later") == 0)
        json_object_set_new(facts, "request", json_true());
    json_object_set_new(facts, "turned_down", json_boolean(turns_down(answer->kind)));
    add_subject(letters, letters->answered, *answer->to_name != '\0', facts);
    if (answer->shows)
        letters_example(letters, answer->shows, facts, mail);
    bool elsewhere = add_origin(facts, player, letters->answered);
    const struct draft draft = {
        .name = templates_have(letters->templates, answer->folder, answer->kind) ? answer->kind : "answer",
        .folder = answer->folder,
        .facts = facts,
        .html = (player ? player->html : answer->shows != NULL) && !letters->unproved,
        .unread = json_object_get(facts, "not_read") != NULL,
        .elsewhere = elsewhere,
        .attach = answer->attach,
        .most = answer_most(letters),
    };
    mail->state = OUTGOING_ASKED;
    mail->reply = letters->answered != NULL;
    if (answer->of)
        mail->proof = place_of(letters, answer->of, answer->seq, answer->time);
    add_named(letters, facts, mail);
    mail->envelope_to = mem_strdup(answer->to);
    mail->to_name = mem_strdup(answer->to_name);
    if (answer->reply_to && *answer->reply_to && !mail->reply_to)
        mail->reply_to = mem_strdup(answer->reply_to);
    return finish(letters, &draft, &(struct addressing){answer->id, 0, letters->answered}, mail, err);
}
