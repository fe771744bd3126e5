"""Telephones, and a desk, of people whose mail programs speak other languages than lib/replier.py's: what they write round what was
typed. An iPhone that is set to plain text, Gmail on an Android telephone in Ukrainian with a signature of its own, and Outlook in
French. There are no samples of theirs in tests/mail/replies."""
from replier import CLIENTS, WORD, alternative, encoded, lines_in, mark, part, plain, quote_html

DAYS_UK, MONTHS_UK = "пн вт ср чт пт сб нд".split(), "січ. лют. бер. квіт. трав. черв. лип. серп. вер. жовт. лист. груд.".split()
DAYS_FR = "lundi mardi mercredi jeudi vendredi samedi dimanche".split()
MONTHS_FR = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()


def iphone_text(answered, typed, above):
    quote = "> On %s%s wrote:\n> \n%s" % (answered.at("%-d %b %Y, at %H:%M, "), answered.who(), answered.quote())
    text = "%s\n\nSent from my iPhone\n\n%s\n" % (typed, quote) if above else "%s\n\n%s\n\nSent from my iPhone\n" % (quote, typed)
    return ("X-Mailer: iPhone Mail (22A3354)\r\nContent-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain;\r\n\tcharset=utf-8\r\n",
            encoded(text, "quoted-printable"))


def iphone(answered, typed, me):
    return iphone_text(answered, typed, True)


def iphone_below(answered, typed, me):
    return iphone_text(answered, typed, False)


def gmail_uk(answered, typed, me):
    day, sign = answered.date, "Надіслано з мого Android"
    by = "%s, %d %s %d р. о %s %s пише:" % (DAYS_UK[day.weekday()], day.day, MONTHS_UK[day.month - 1], day.year, answered.at("%H:%M"), answered.who())
    text = "%s\n\n%s\n\n%s\n\n%s\n" % (typed, sign, by if len(by) < 78 else by.replace(" пише:", "\nпише:"), answered.quote())
    first, _, rest = typed.partition("\n")
    page = '<div dir="auto">%s%s<br><br>%s</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">%s<br></div>%s</div>\n' % (
        plain(first), lines_in('div dir="auto"', rest) if rest else "", sign, plain(by),
        quote_html(answered, 'class="gmail_quote"', "margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex"))
    return alternative("000000000000" + mark(answered, typed)[:16], part('text/plain; charset="UTF-8"', "base64", text),
                       part('text/html; charset="UTF-8"', "quoted-printable", page))


def head_fr(answered, me):
    day = answered.date
    sent = "%s %d %s %d %s" % (DAYS_FR[day.weekday()], day.day, MONTHS_FR[day.month - 1], day.year, answered.at("%H:%M"))
    return [("De :", answered.who()), ("Envoyé :", sent), ("À :", me), ("Objet :", answered.subject)]


def outlook_fr(answered, typed, me):
    head = head_fr(answered, me)
    text = "%s\n\nObtenez Outlook pour iOS<https://aka.ms/o0ukef>\n%s\n%s\n\n%s\n" % (
        typed, "_" * 32, "\n".join("%s %s" % field for field in head), "\n".join(answered.lines))
    page = ('<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\n<style type="text/css" style="display:none;"> P '
            '{margin-top:0;margin-bottom:0;} </style>\n</head>\n<body dir="ltr">\n%s<div id="ms-outlook-mobile-signature"><br>Obtenez <a href='
            '"https://aka.ms/o0ukef">Outlook pour iOS</a></div>\n<hr style="display:inline-block;width:98%%" tabindex="-1">\n<div id="divRplyFwdMsg" dir="ltr">'
            '<font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">%s</font><div>&nbsp;</div></div>\n%s</body>\n</html>\n' % (
                lines_in('div dir="auto"', typed), "<br>".join("<b>%s</b> %s" % (n, plain(v)) for n, v in head), answered.page))
    return alternative("_000_%s_" % mark(answered, typed).upper(), part('text/plain; charset="utf-8"', "quoted-printable", text),
                       part('text/html; charset="utf-8"', "quoted-printable", page))


def outlook_fr_desk(answered, typed, me):
    head = head_fr(answered, me)
    text = "%s\n\n \n\n%s\n\n%s\n" % (typed.replace("\n", "\n\n"), "\n".join("%s %s" % field for field in head), "\n".join(answered.lines))
    page = WORD % ("".join('<p class="MsoNormal">%s<o:p></o:p></p>' % (plain(line) or "<o:p>&nbsp;</o:p>") for line in (typed + "\n").split("\n")) +
                   '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">%s<o:p></o:p></p></div>%s' % (
                       "<br>".join("<b>%s</b> %s" % (n, plain(v)) for n, v in head), answered.page))
    return alternative("_000_%s_" % mark(answered, typed).upper(), part('text/plain; charset="utf-8"', "quoted-printable", text),
                       part('text/html; charset="utf-8"', "quoted-printable", page))


CLIENTS.update({"iphone": (iphone, "icloud", "Re: "), "iphone_below": (iphone_below, "icloud", "Re: "), "gmail_uk": (gmail_uk, "gmail", "Re: "),
                "outlook_fr": (outlook_fr, "microsoft", "RE: "), "outlook_fr_desk": (outlook_fr_desk, "microsoft", "RE: ")})
