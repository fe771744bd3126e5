/* What was typed, in the frames of mail programs and in many languages: exactly that is cut out, whatever press is in the
 * quote and however its lines are folded. */
#include "frames.h"
#include "mails.h"

#include "mail/reply.h"

static struct reply cut(const char *type, bool is_signed, struct slice body, const char *nonce)
{
    struct reply reply;
    struct err err = ERR_INIT;
    const struct reply_mail mail = {slice_of(type), slice_of("8bit"), is_signed, is_signed, false, body};
    ck_ok(reply_cut(REPLY_VERSION, &mail, slice_of(nonce), &reply, &err), err);
    return reply;
}

static void expect(const char *about, const char *type, const char *body, const char *typed,
                   const char *below)
{
    struct reply reply = cut(type, true, slice_of(body), FRAME_NONCE);
    ck_assert_msg(reply.fate == REPLY_TYPED && reply.ours, "%s: %d in\n%s", about, reply.fate, body);
    ck_assert_msg(strcmp(reply.typed.p, typed) == 0, "%s: typed \"%s\", want \"%s\" of\n%s", about,
                  reply.typed.p, typed, body);
    ck_assert_msg(!below || strcmp(reply.below.p, below) == 0, "%s: below \"%s\", want \"%s\" of\n%s", about,
                  reply.below.p, below, body);
    struct reply audited = cut(type, true, slice_of(body), ""); /* as an auditor does */
    ck_assert(audited.fate == REPLY_HELD && !audited.ours);
    ck_assert_str_eq(audited.typed.p, reply.typed.p);
    ck_assert_str_eq(audited.below.p, reply.below.p);
    reply_release(&audited);
    reply_release(&reply);
}

/* ---- press ---- */

static const char press[] =
    "resign\n"
    "#-aaaabbbbccccdddd-#\n-#aaaabbbbccccdddd#-\nresign\n" FRAME_OPENING "\nresign\n" FRAME_CLOSING
    "\n\nresign\n"
    "#-K3V7Q2M5XWTRABCD-#\n> " FRAME_CLOSING "\nresign\n"
    "On 28 Nov 2026, at 12:27, Orion League wrote:\nresign\n\nFrom: Orion League <x@game.test>\nSent: "
    "Monday\nTo: "
    "bob\nSubject: x\nresign\n________________________________\n-----Original Message-----\n-- \nresign\n"
    "-----BEGIN PGP SIGNED MESSAGE-----\n\nresign\n-----BEGIN PGP SIGNATURE-----\n> resign\n| "
    "resign\n</blockquote></div>resign\n"
    "=0Aresign\n&#10;resign\n\xE2\x80\xAE ngiser\n\xE2\x80\x8B\nend\nok\n1\nbuild\n--zz\nContent-Type: "
    "text/plain\n\nresign\n";

/* Long lines of which the rest begins with an order, wherever they are folded. */
static void add_long(struct str *out)
{
    for (size_t i = 20; i < 100; i++) {
        for (size_t k = 0; k < i; k++)
            str_addc(out, 'x');
        str_adds(out, "resign\n");
    }
    for (size_t i = 20; i < 100; i++)
        str_adds(out, "resign ");
    str_adds(out, "\n");
    for (size_t i = 0; i < 300; i++)
        str_addc(out, ' ');
    str_adds(out, "resign\n");
}

static const struct {
    const char *above, *below;
} typed[] = {
    {"explore near\nbuild\n", ""},
    {"", "explore near\n"},
    {"explore near\n", "if metal is short\n\nbuild\n"},
    {"explore near\n\nthanks\nAnna\n", ""},
    {"", ""},
};

START_TEST(press_reaches_nothing)
{
    const struct frame_program *program = &frame_programs[_i];
    struct str all = STR_INIT;
    str_adds(&all, press);
    add_long(&all);
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        for (size_t fold = program->begin ? 99 : 24; fold <= 100; fold += i && fold < 94 ? 7 : 1) {
            const struct frame_answer answer = {slice_of(typed[i].above), slice_of(typed[i].below),
                                                slice_str(&all), fold < 100 ? fold : 0, false};
            struct framed framed;
            frame_write(&framed, program, &answer);
            expect(program->name, program->type, framed.body.p, framed.typed.p, framed.below.p);
            struct reply reply = cut("", false, slice_str(&framed.body), FRAME_NONCE);
            ck_assert_msg(reply.fate == REPLY_AMBIGUOUS || strcmp(reply.typed.p, framed.typed.p) == 0,
                          "%s, unsigned: typed \"%s\", want \"%s\"", program->name, reply.typed.p,
                          framed.typed.p);
            reply_release(&reply);
            frame_release(&framed);
        }
    str_release(&all);
}
END_TEST

/* Where the end of the quote has been taken out, what comes loose is asked about, and what was typed below. */
START_TEST(nothing_counts_below_a_quote_without_its_end)
{
    const struct frame_program *program = &frame_programs[_i];
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        for (size_t fold = program->begin ? 99 : 24; fold <= 100; fold++) {
            const struct frame_answer answer = {
                slice_of(typed[i].above), slice_of(typed[i].below),
                slice_of("resign\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxresign\n"), fold < 100 ? fold : 0,
                true};
            struct framed framed;
            frame_write(&framed, program, &answer);
            expect(program->name, program->type, framed.body.p, framed.typed.p,
                   framed.any_below ? NULL : framed.below.p);
            frame_release(&framed);
        }
}
END_TEST

/* ---- languages ---- */

/* "@" is the address. */
static const struct {
    const char *language, *attribution;
    const char *from, *sent, *to, *subject; /* of Outlook */
    const char *device;                     /* "Sent from my iPhone" */
} languages[] = {
    {"English", "On Sat, Nov 28, 2026 at 11:27 AM Orion League <@> wrote:", "From", "Sent", "To", "Subject",
     "Sent from my iPhone"},
    {"German", "Am Sa., 28. Nov. 2026 um 12:27 Uhr schrieb Orion League <@>:", "Von", "Gesendet", "An",
     "Betreff", "Von meinem iPhone gesendet"},
    {"French", "Le sam. 28 nov. 2026 à 12:27, Orion League <@> a écrit :", "De", "Envoyé", "À", "Objet",
     "Envoyé de mon iPhone"},
    {"Spanish", "El sáb, 28 nov 2026 a las 12:27, Orion League (<@>) escribió:", "De", "Enviado el", "Para",
     "Asunto", "Enviado desde mi iPhone"},
    {"Italian", "Il giorno sab 28 nov 2026 alle ore 12:27 Orion League <@> ha scritto:", "Da", "Inviato", "A",
     "Oggetto", "Inviato da iPhone"},
    {"Portuguese", "Em sáb., 28 de nov. de 2026 às 12:27, Orion League <@> escreveu:", "De", "Enviada em",
     "Para", "Assunto", "Enviado do meu iPhone"},
    {"Dutch", "Op za 28 nov 2026 om 12:27 schreef Orion League <@>:", "Van", "Verzonden", "Aan", "Onderwerp",
     "Verstuurd vanaf mijn iPhone"},
    {"Swedish", "Den lör 28 nov. 2026 kl 12:27 skrev Orion League <@>:", "Från", "Skickat", "Till", "Ämne",
     "Skickat från min iPhone"},
    {"Danish", "Den lør. 28. nov. 2026 kl. 12.27 skrev Orion League <@>:", "Fra", "Sendt", "Til", "Emne",
     "Sendt fra min iPhone"},
    {"Norwegian", "lør. 28. nov. 2026 kl. 12:27 skrev Orion League <@>:", "Fra", "Dato", "Til", "Emne",
     "Sendt fra min iPad"},
    {"Finnish", "la 28. marrask. 2026 klo 12.27 Orion League (@) kirjoitti:", "Lähettäjä", "Lähetetty",
     "Vastaanottaja", "Aihe", "Lähetetty iPhonesta"},
    {"Icelandic", "Þann lau., 28. nóv. 2026 kl. 12:27 skrifaði Orion League <@>:", "Frá", "Sent", "Til",
     "Efni", "Sent úr iPhone"},
    {"Polish", "sob., 28 lis 2026 o 12:27 Orion League <@> napisał(a):", "Od", "Wysłano", "Do", "Temat",
     "Wysłane z iPhone'a"},
    {"Czech", "so 28. 11. 2026 v 12:27 odesílatel Orion League <@> napsal:", "Od", "Odesláno", "Komu",
     "Předmět", "Odesláno z iPhonu"},
    {"Slovak", "so 28. 11. 2026 o 12:27 Orion League <@> napísal(a):", "Od", "Odoslané", "Komu", "Predmet",
     "Odoslané z iPhonu"},
    {"Hungarian", "Orion League <@> ezt írta (időpont: 2026. nov. 28., Szo, 12:27):", "Feladó", "Elküldve",
     "Címzett", "Tárgy", "Az iPhone-omról küldve"},
    {"Romanian", "sâm., 28 nov. 2026 la 12:27, Orion League <@> a scris:", "De la", "Trimis", "Către",
     "Subiect", "Trimis de pe iPhone"},
    {"Bulgarian", "На сб, 28.11.2026 г. в 12:27 Orion League <@> написа:", "От", "Изпратено", "До", "Относно",
     "Изпратено от моя iPhone"},
    {"Russian", "сб, 28 нояб. 2026 г. в 14:27, Orion League <@>:", "От", "Отправлено", "Кому", "Тема",
     "Отправлено с iPhone"},
    {"Ukrainian", "сб, 28 лист. 2026 р. о 12:27 Orion League <@> пише:", "Від", "Надіслано", "Кому", "Тема",
     "Надіслано з iPhone"},
    {"Serbian", "суб, 28. нов 2026. у 12:27 Orion League <@> је написао/ла:", "Од", "Послато", "За", "Тема",
     "Послато са iPhone-а"},
    {"Croatian", "sub, 28. stu 2026. u 12:27 Orion League <@> napisao je:", "Šalje", "Poslano", "Prima",
     "Predmet", "Poslano s mog iPhonea"},
    {"Slovenian", "V V sob., 28. nov. 2026 ob 12:27 je oseba Orion League <@> napisala:", "Od", "Poslano",
     "Za", "Zadeva", "Poslano iz mojega iPhona"},
    {"Lithuanian", "2026-11-28, št, 12:27 Orion League <@> rašė:", "Nuo", "Išsiųsta", "Kam", "Tema",
     "Išsiųsta iš mano „iPhone“"},
    {"Latvian", "sestd., 2026. g. 28. nov., plkst. 12:27 — lietotājs Orion League (<@>) rakstīja:", "No",
     "Nosūtīts", "Kam", "Tēma", "Nosūtīts no mana iPhone"},
    {"Estonian", "Kuupäev L, 28. november 2026 kell 12:27 kirjutas Orion League <@>:", "Saatja", "Saadetud",
     "Adressaat", "Teema", "Saadetud minu iPhone'ist"},
    {"Greek", "Στις Σάβ 28 Νοε 2026 στις 12:27 μ.μ., ο/η Orion League <@> έγραψε:", "Από", "Στάλθηκε", "Προς",
     "Θέμα", "Εστάλη από το iPhone μου"},
    {"Turkish", "Orion League <@>, 28 Kas 2026 Cmt, 12:27 tarihinde şunu yazdı:", "Gönderen", "Gönderildi",
     "Kime", "Konu", "iPhone'umdan gönderildi"},
    {"Hebrew",
     "‫בתאריך שבת, 28 בנוב׳ 2026 ב-12:27 מאת ‪Orion League‬‏ <‪@‬‏>:‬",
     "מאת", "נשלח", "אל", "נושא", "נשלח מה-iPhone שלי"},
    {"Arabic", "في السبت، 28 نوفمبر 2026 في 12:27 م تمت كتابة ما يلي بواسطة Orion League <@>:", "من",
     "تاريخ الإرسال", "إلى", "الموضوع", "أُرسلت من الـ iPhone"},
    {"Persian", "در تاریخ شنبه ۲۸ نوامبر ۲۰۲۶ ساعت ۱۲:۲۷ Orion League <@> نوشت:", "از", "ارسال شده", "به",
     "موضوع", "ارسال از iPhone من"},
    {"Hindi", "शनि, 28 नव॰ 2026 को 12:27 pm बजे को Orion League <@> ने लिखा:", "प्रेषक", "भेजा गया", "प्रति",
     "विषय", "मेरे iPhone से भेजा गया"},
    {"Bengali", "শনি, ২৮ নভেম্বর, ২০২৬ তারিখে ১২:২৭ PM এ Orion League <@> লিখেছেন:", "থেকে", "প্রেরিত", "প্রতি",
     "বিষয়", "আমার iPhone থেকে পাঠানো"},
    {"Tamil", "சனி, 28 நவ., 2026 அன்று, பிற்பகல் 12:27 மணிக்கு, Orion League <@> எழுதியது:", "அனுப்புநர்",
     "அனுப்பப்பட்டது", "பெறுநர்", "பொருள்", "எனது iPhone இலிருந்து அனுப்பப்பட்டது"},
    {"Thai", "ในวันที่ ส. 28 พ.ย. 2026 เวลา 12:27 Orion League <@> เขียนว่า:", "จาก", "ส่ง", "ถึง", "เรื่อง",
     "ส่งจาก iPhone ของฉัน"},
    {"Vietnamese", "Vào Th 7, 28 thg 11, 2026 vào lúc 12:27 Orion League <@> đã viết:", "Từ", "Đã gửi", "Đến",
     "Chủ đề", "Đã gửi từ iPhone của tôi"},
    {"Indonesian", "Pada tanggal Sab, 28 Nov 2026 pukul 12.27 Orion League <@> menulis:", "Dari", "Dikirim",
     "Kepada", "Subjek", "Dikirim dari iPhone saya"},
    {"Malay", "Pada Sab, 28 Nov 2026 pada 12:27 PTG Orion League <@> menulis:", "Daripada", "Dihantar",
     "Kepada", "Perkara", "Dihantar daripada iPhone saya"},
    {"Japanese", "2026年11月28日(土) 12:27 Orion League <@>:", "差出人", "送信日時", "宛先", "件名",
     "iPhoneから送信"},
    {"Korean", "2026년 11월 28일 (토) 오후 12:27, Orion League <@>님이 작성:", "보낸 사람", "보낸 날짜",
     "받는 사람", "제목", "나의 iPhone에서 보냄"},
    {"Chinese", "Orion League <@> 于2026年11月28日周六 19:27写道：", "发件人", "发送时间", "收件人", "主题",
     "发自我的 iPhone"},
    {"Chinese of Taiwan", "Orion League <@> 於 2026年11月28日 週六 下午7:27寫道：", "寄件者", "寄件日期",
     "收件者", "主旨", "從我的 iPhone 傳送"},
    {"Catalan", "Missatge de Orion League <@> del dia ds., 28 de nov. 2026 a les 12:27:", "De", "Enviat",
     "Per a", "Assumpte", "Enviat des del meu iPhone"},
    {"Basque", "Orion League <@> igorleak hau idatzi du (2026 aza. 28, lr. (12:27)):", "Nork", "Bidalia",
     "Nori", "Gaia", "Nire iPhone-tik bidalia"},
    {"Galician", "O sáb, 28 nov 2026 ás 12:27, Orion League (<@>) escribiu:", "De", "Enviado", "Para",
     "Asunto", "Enviado dende o meu iPhone"},
    {"Afrikaans", "Op Sa. 28 Nov. 2026 om 12:27 het Orion League <@> geskryf:", "Van", "Gestuur", "Aan",
     "Onderwerp", "Gestuur van my iPhone af"},
    {"Georgian", "შაბ, 28 ნოე. 2026, 12:27-ზე Orion League <@> დაწერა:", "ვისგან", "გაგზავნილია", "ვის",
     "თემა", "გაგზავნილია iPhone-იდან"},
    {"Armenian", "շբթ, նոյ. 28, 2026, 12:27 Orion League <@> գրել է:", "Ում կողմից", "Ուղարկված է", "Ում",
     "Թեմա", "Ուղարկված է իմ iPhone-ից"},
    {"Swahili", "Mnamo Jumamosi, 28 Nov 2026 saa 12:27 Orion League <@> aliandika:", "Kutoka", "Imetumwa",
     "Kwa", "Mada", "Imetumwa kutoka iPhone yangu"},
};
#define LANGUAGES (int)(sizeof languages / sizeof *languages)

/* Folded at blanks, as near to the column as can be. */
static void fold(struct str *out, const char *text, size_t column)
{
    struct slice rest = slice_of(text), word;
    size_t from = out->len;
    while (slice_word(&rest, &word)) {
        bool over = out->len > from && out->len - from + 1 + word.len > column;
        str_addf(out, "%s%.*s", over ? "\n" : out->len > from ? " " : "", (int)word.len, word.p);
        from = over ? out->len - word.len : from;
    }
    str_addc(out, '\n');
}

static void with_address(struct str *out, const char *text)
{
    size_t at = strcspn(text, "@");
    str_addf(out, "%.*s" FRAME_ADDRESS "%s", (int)at, text, text[at] ? text + at + 1 : "");
}

/* Without the marks of text direction, which are not seen. */
static void drop_marks(struct str *text)
{
    size_t kept = 0;
    for (size_t i = 0; i < text->len; i++) {
        unsigned char third = i + 2 < text->len ? (unsigned char)text->p[i + 2] : 0;
        if (memcmp(text->p + i, "\xE2\x80", 2) == 0 && (third == 0x8F || (third >= 0xAA && third <= 0xAC)))
            i += 2;
        else
            text->p[kept++] = text->p[i];
    }
    str_cut(text, kept);
}

static void add_ours(struct str *out, const char *mark)
{
    const struct frame_program program = {.mark = mark};
    frame_text(out, &program, &(struct frame_answer){.press = slice_of("resign\n")});
}

/* An attribution that is folded behind a colon of its own looks as if text came below it: then it is not taken for one
 * that stands above the quote, and the orders are the same. */
START_TEST(attributions_of_all_languages_leave_the_orders_alone)
{
    struct str attribution = STR_INIT, folded = STR_INIT, body = STR_INIT, told = STR_INIT;
    with_address(&attribution, languages[_i].attribution);
    for (size_t column = 20; column < 120; column++)
        for (int i = 0; i < 4; i++) {
            bool gap = i & 1, is_signed = i & 2; /* Gmail signs no type */
            str_clear(&folded);
            str_clear(&body);
            str_clear(&told);
            fold(&folded, attribution.p, column);
            str_addf(&body, "explore near\n\n%s%s", folded.p, gap ? "\n" : "");
            add_ours(&body, "> ");
            drop_marks(&folded);
            const char *colon = strstr(folded.p, ":\n");
            struct reply reply = cut(FRAME_TEXT, is_signed, slice_str(&body), FRAME_NONCE);
            size_t orders = strlen("explore near\n");
            ck_assert_msg(reply.fate == REPLY_TYPED && str_starts(reply.typed.p, "explore near\n"), "%s: %s",
                          languages[_i].language, reply.typed.p);
            str_addf(&told, "%s%s", reply.typed.p + orders + (reply.typed.len > orders), reply.below.p);
            ck_assert_str_eq(told.p, folded.p);
            if (!colon || !colon[2])
                ck_slice_eq(slice_sub(slice_str(&reply.typed), reply.lead, reply.lead_end), folded.p);
            reply_release(&reply);
        }
    str_release(&attribution);
    str_release(&folded);
    str_release(&body);
    str_release(&told);
}
END_TEST

/* A head of Outlook's, as it comes and with its lines folded. */
static void add_head(struct str *out, int language, const char *colon, size_t column)
{
    struct str line = STR_INIT;
    const char *const fields[][2] = {
        {languages[language].from, "Orion League <" FRAME_ADDRESS ">"},
        {languages[language].sent, "28.11.2026 12:27"},
        {languages[language].to, "Anna Example <anna@players.test>; Berta Example <berta@players.test>"},
        {languages[language].subject, "RE: [gc-1] Turn 4 is played #0123456789abcdef"},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        str_clear(&line);
        str_addf(&line, "%s%s%s", fields[i][0], colon, fields[i][1]);
        fold(out, line.p, column);
    }
    str_release(&line);
}

START_TEST(heads_of_all_languages_end_what_was_typed)
{
    static const char *const colons[] = {": ", "\xC2\xA0: ", " : ", "\xEF\xBC\x9A", ":* "};
    struct str body = STR_INIT;
    for (size_t column = 64; column < 120; column += 8)
        for (size_t i = 0; i < sizeof colons / sizeof *colons; i++)
            for (int rule = 0; rule < 2; rule++) {
                str_clear(&body);
                str_addf(&body, "explore near\n\n%s", rule ? "________________________________\n" : "");
                add_head(&body, _i, colons[i], column);
                str_addc(&body, '\n');
                add_ours(&body, "");
                expect(languages[_i].language, FRAME_TEXT, body.p, "explore near\n", NULL);
            }
    /* and of a mail that is none of ours, whose text is not quoted: it is asked about */
    str_clear(&body);
    str_adds(&body, "explore near\n\n");
    add_head(&body, _i, ": ", 100);
    str_adds(&body, "\nresign\n\n");
    add_ours(&body, "> ");
    expect(languages[_i].language, FRAME_TEXT, body.p, "explore near\n", NULL);
    str_release(&body);
}
END_TEST

START_TEST(what_devices_add_leaves_the_orders_alone)
{
    struct str body = STR_INIT, want = STR_INIT;
    str_addf(&want, "explore near\n\n%s\n", languages[_i].device);
    for (int i = 0; i < 2; i++) {
        str_clear(&body);
        str_addf(&body, "%s\n", want.p);
        add_ours(&body, i ? "> " : "");
        expect(languages[_i].language, FRAME_TEXT, body.p, want.p, "");
    }
    str_release(&body);
    str_release(&want);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_loop_test(tc, press_reaches_nothing, 0, (int)FRAME_PROGRAMS);
    tcase_add_loop_test(tc, nothing_counts_below_a_quote_without_its_end, 0, (int)FRAME_PROGRAMS);
    tcase_add_loop_test(tc, attributions_of_all_languages_leave_the_orders_alone, 0, LANGUAGES);
    tcase_add_loop_test(tc, heads_of_all_languages_end_what_was_typed, 0, LANGUAGES);
    tcase_add_loop_test(tc, what_devices_add_leaves_the_orders_alone, 0, LANGUAGES);
}
TEST_MAIN_TOGETHER("mail/reply_frames", cases)
