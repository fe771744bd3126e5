"""People who have only a mailbox: answers to our mails in the form that each mail program gives them, signed as each provider
signs (DKIM). The forms are those of tests/mail/replies; which fields are signed, and whether once more than they are there
("oversigning"), is as in mails of public archives. For Debian's own Python, whose package python3-dkim signs."""
import base64
import datetime
import email
import email.policy
import email.quoprimime
import email.utils
import hashlib
import html
import importlib.util
import os
import pathlib
import re
import sys
import time

if importlib.util.find_spec("dkim") is None and sys.executable != "/usr/bin/python3":
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "dkim"))
import people
from signing import Key, canonical_body, signature, split, with_signature

DAY = 86400


# ---- providers: what they sign ----

class Provider:
    def __init__(self, selector, names, header="relaxed", body="relaxed", lasts=None, kind=b"rsa", adds=()):
        self.selector, self.names, self.way, self.lasts, self.kind, self.adds = selector, names.split(":"), (header.encode(), body.encode()), lasts, kind, adds


WAY = "what the servers of a provider say of a mail on its way through them, which nobody who answers it needs to know"
PROVIDERS = {
    "gmail": Provider("20230601", "to:subject:message-id:date:from:in-reply-to:references:mime-version:from:to:cc:subject:date:message-id:reply-to",
                      lasts=7 * DAY, adds=["X-Google-DKIM-Signature", "X-Gm-Message-State", "X-Google-Smtp-Source", "X-Received"]),
    "icloud": Provider("1a1hai", "Content-Type:From:Mime-Version:Subject:Date:Message-Id:To", adds=["X-Proofpoint-GUID", "X-Proofpoint-Virus-Version"]),
    "microsoft": Provider("selector1", "From:Date:Subject:Message-ID:Content-Type:MIME-Version:X-MS-Exchange-SenderADCheck",
                          adds=["ARC-Seal", "ARC-Message-Signature", "X-MS-Exchange-MessageSentRepresentingType", "X-MS-TrafficTypeDiagnostic",
                                "X-Microsoft-Antispam", "X-Microsoft-Antispam-Message-Info", "X-MS-Exchange-Transport-CrossTenantHeadersStamped"]),
    "posteo": Provider("2017", "Message-ID:Date:MIME-Version:Subject:To:From:From", body="simple"),
    "proton": Provider("protonmail3", "Date:To:From:Cc:Subject:Message-ID:In-Reply-To:References:Feedback-ID:From:To:Cc:Date:Subject:Reply-To:Feedback-ID"
                       ":Message-ID:BIMI-Selector", lasts=3 * DAY, adds=["Feedback-ID", "X-Pm-Message-ID"]),
    "yahoo": Provider("s2048", "Date:From:To:Subject:References:From:Subject:Reply-To", adds=["X-YMail-OSG", "X-Sonic-MF"]),
    "gmx": Provider("s31663417", "X-UI-Sender-Class:MIME-Version:Message-ID:From:To:Subject:Date:In-Reply-To:References:cc:content-transfer-encoding"
                    ":content-type:date:from:message-id:mime-version:reply-to:subject:to", lasts=7 * DAY, adds=["X-Provags-ID", "UI-OutboundReport"]),
    # rspamd on a host of one's own
    "own": Provider("mail", "from:from:reply-to:subject:subject:date:date:message-id:message-id:to:to:cc:mime-version:mime-version:content-type:content-type"
                    ":content-transfer-encoding:content-transfer-encoding:in-reply-to:in-reply-to:references:references",
                    header="simple", body="simple", kind=b"ed25519"),
}


class Keys:
    """Made once: an RSA key that all providers share, and an Ed25519 one."""

    def __init__(self):
        self.keys = {b"rsa": Key(b"rsa", 2048), b"ed25519": Key(b"ed25519")}

    def of(self, provider):
        return self.keys[PROVIDERS[provider].kind]

    def record(self, provider):
        key = self.of(provider)
        return "v=DKIM1; k=%s; p=%s" % (key.kind.decode(), key.p.decode())

    def records(self, domain, names=PROVIDERS):
        """What the domain publishes, as tests/servers/names.py wants it."""
        return [(domain, PROVIDERS[name].selector + "._domainkey", self.record(name)) for name in names]


def sign(mail, provider, domain, key, now=None, **tags):
    """The mail (CRLF) below its DKIM-Signature. `tags` are other ones than the provider's: x, l, i, h, d, s, t; None leaves one out."""
    p, now = PROVIDERS[provider], int(now or time.time())
    fields, body = split(mail)
    canon = canonical_body(p.way, body)
    part = canon[:int(tags["l"])] if tags.get("l") else canon
    given = {"v": "1", "a": p.kind.decode() + "-sha256", "c": b"/".join(p.way).decode(), "d": domain, "s": p.selector, "t": str(now),
             "x": str(now + p.lasts) if p.lasts else None, "h": ":".join(p.names), "l": None, "i": None,
             "bh": base64.b64encode(hashlib.sha256(part).digest()).decode()}
    given.update(tags)
    names = [n.strip().lower().encode() for n in given["h"].split(":")]
    given["h"] = "\r\n\t :".join(":".join(names_of) for names_of in pieces(given["h"].split(":"), 7))
    value = (" " + ";\r\n\t".join("%s=%s" % (n, v) for n, v in given.items() if v is not None) + "; b=").encode()
    b = signature(key, p.way, fields, names, value)
    b = b"\r\n\t ".join(b[i:i + 64] for i in range(0, len(b), 64))
    return b"DKIM-Signature:" + with_signature(value, b) + b"\r\n" + mail


def pieces(items, most):
    return [items[i:i + most] for i in range(0, len(items), most)]


# ---- what is answered ----

class Answered:
    """A mail of ours, as its reader's program knows it."""

    def __init__(self, raw):
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        sender = mail["From"].addresses[0]
        self.name, self.address = sender.display_name, sender.addr_spec
        self.to = (mail["Reply-To"] or mail["From"]).addresses[0].addr_spec
        self.subject, self.id = mail["Subject"], mail["Message-ID"].strip()
        self.references = " ".join([*(mail["References"] or "").split(), self.id])
        self.date = mail["Date"].datetime.astimezone(datetime.timezone.utc)
        self.lines = mail.get_body(preferencelist=("plain",)).get_content().replace("\r\n", "\n").rstrip("\n").split("\n")
        page = mail.get_body(preferencelist=("html",))
        inner = re.search(r"<body[^>]*>(.*)</body>", page.get_content(), re.S) if page else None
        self.page = inner[1].strip().replace("\r\n", "\n") if inner else "<br>".join(html.escape(line) for line in self.lines)

    def who(self):
        return "%s <%s>" % (self.name, self.to)

    def quote(self, mark="> "):
        return "\n".join((mark + line).rstrip() for line in self.lines)

    def at(self, form, hours=0, days="", months=""):
        """The time, so many hours east of Greenwich, as strftime has it; %o is as in 23rd, and %A and %B are these words, if there are any."""
        date = self.date + datetime.timedelta(hours=hours)
        order = "th" if 10 < date.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(date.day % 10, "th")
        form = form.replace("%A", days.split()[date.weekday()] if days else "%A").replace("%B", months.split()[date.month - 1] if months else "%B")
        return date.strftime(form.replace("%o", str(date.day) + order))


# ---- mail programs ----

def plain(text):
    return html.escape(text, quote=False)


def lines_in(tag, typed, between=""):
    """Each line in a block of its own."""
    return between.join("<%s>%s</%s>" % (tag, plain(line) or "<br>", tag.split()[0]) for line in typed.split("\n"))


def encoded(text, how):
    if how == "quoted-printable":
        return email.quoprimime.body_encode(text.encode().decode("latin-1"), eol="\r\n")
    if how == "base64":
        return base64.encodebytes(text.encode()).decode().replace("\n", "\r\n")
    return text.replace("\n", "\r\n")


def part(kind, how, text):
    head = "Content-Type: %s\r\n" % kind + ("Content-Transfer-Encoding: %s\r\n" % how if how else "")
    return head + "\r\n" + encoded(text, how)


def alternative(boundary, *parts, also=""):
    """The fields of a mail with text and page, and its body."""
    body = "".join("--%s\r\n%s\r\n" % (boundary, p) for p in parts) + "--%s--\r\n" % boundary
    return also + 'Content-Type: multipart/alternative;\r\n\tboundary="%s"\r\n' % boundary, body


def quote_html(answered, kind, style=""):
    return '<blockquote %s%s>%s</blockquote>' % (kind, ' style="%s"' % style if style else "", answered.page)


def gmail(answered, typed, by, page):
    """`page`: what was typed, and the class of the quote."""
    text = "%s\n\n%s\n\n%s\n" % (typed, by if len(by) < 78 else by.replace(" wrote:", "\nwrote:"), answered.quote())
    page = '%s<br><div class="gmail_quote%s"><div dir="ltr" class="gmail_attr">%s<br></div>%s</div>\n' % (
        *page, plain(by).replace("&lt;%s&gt;" % answered.to, '&lt;<a href="mailto:%s">%s</a>&gt;' % (
            answered.to.replace("+", "%2B"), answered.to)),
        quote_html(answered, 'class="gmail_quote"', "margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"))
    return alternative("000000000000" + mark(answered, typed)[:16], part('text/plain; charset="UTF-8"', "quoted-printable" if not text.isascii() else "", text),
                       part('text/html; charset="UTF-8"', "quoted-printable", page))


def gmail_web(answered, typed, me):
    return gmail(answered, typed, answered.at("On %a, %b %-d, %Y at %-I:%M\u202f%p ") + answered.who() + " wrote:",
                 ('<div dir="ltr">%s</div>' % lines_in("div", typed), " gmail_quote_container"))


def gmail_android(answered, typed, me):
    by = answered.at("On %a, %-d %b %Y, %H:%M ") + "%s, <%s> wrote:" % (answered.name, answered.to)
    first, _, rest = typed.partition("\n")
    return gmail(answered, typed, by, ('<div dir="auto">%s%s</div>' % (plain(first), lines_in('div dir="auto"', rest) if rest else ""), ""))


def apple_ios(answered, typed, me):
    by = answered.at("On %-d %b %Y, at %H:%M, ") + answered.who() + " wrote:"
    quote = answered.quote().replace("> ", "> \ufeff", 1)
    page = ('<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto"><div dir="ltr"></div>%s<div dir="ltr">'
            '<br></div><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">%s<br><br></blockquote></div>'
            '<blockquote type="cite"><div dir="ltr">\ufeff%s</div></blockquote></body></html>' % (lines_in('div dir="ltr"', typed), plain(by), answered.page))
    return alternative("Apple-Mail-" + mark(answered, typed).upper()[:32], part("text/plain;\r\n\tcharset=utf-8", "quoted-printable",
                       "%s\n\nSent from my iPhone\n\n> %s\n> \n%s\n" % (typed, by, quote)),
                       part("text/html;\r\n\tcharset=utf-8", "quoted-printable", page), also="X-Mailer: iPhone Mail (22A3354)\r\nContent-Transfer-Encoding: 7bit\r\n")


def apple_macos(answered, typed, me):
    by = answered.at("Am %d.%m.%Y um %H:%M schrieb ") + answered.who() + ":"
    first, _, rest = typed.partition("\n")
    page = ('<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; '
            '-webkit-nbsp-mode: space; line-break: after-white-space;">%s%s<div><br><blockquote type="cite"><div>%s</div>'
            '<br class="Apple-interchange-newline"><div>%s</div></blockquote></div><br></body></html>' % (
                plain(first), lines_in("div", rest) if rest else "", plain(by), answered.page))
    return alternative("Apple-Mail=_" + mark(answered, typed).upper()[:32], part("text/plain;\r\n\tcharset=utf-8", "quoted-printable",
                       "%s\n\n> %s\n> \n%s\n\n" % (typed, by, answered.quote())),
                       part("text/html;\r\n\tcharset=utf-8", "quoted-printable", page), also="X-Mailer: Apple Mail (2.3826.200.121)\r\n")


def outlook_head(answered, me, style="%s %s"):
    return [("From:", answered.who()), ("Sent:", answered.at("%A, %B %-d, %Y %-I:%M %p")), ("To:", me), ("Subject:", answered.subject)]


WORD = ('<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta http-equiv="Content-Type" content='
        '"text/html; charset=us-ascii"><meta name="Generator" content="Microsoft Word 15 (filtered medium)"><!--[if !mso]><style>v\\:* {behavior:'
        'url(#default#VML);}</style><![endif]--><style><!--\n/* Style Definitions */\np.MsoNormal, li.MsoNormal, div.MsoNormal\n\t{margin:0in;\n\t'
        'font-size:11.0pt;\n\tfont-family:"Calibri",sans-serif;}\n@page WordSection1\n\t{size:8.5in 11.0in;}\ndiv.WordSection1\n\t{page:WordSection1;}\n--></style>'
        '</head><body lang="EN-US" link="#0563C1" vlink="#954F72" style="word-wrap:break-word"><div class="WordSection1">%s</div></body></html>')


def outlook_desktop(answered, typed, me):
    head = outlook_head(answered, me)
    text = "%s\n\n \n\n%s\n\n%s\n" % (typed.replace("\n", "\n\n"), "\n".join("%s %s" % h for h in head).replace("\nSent:", " \nSent:"), "\n".join(answered.lines))
    page = WORD % ("".join('<p class="MsoNormal">%s<o:p></o:p></p>' % (plain(line) or "<o:p>&nbsp;</o:p>") for line in (typed + "\n").split("\n")) +
                   '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">%s<o:p></o:p></p></div>%s' % (
                       "<br>".join("<b>%s</b> %s" % (n, plain(v)) for n, v in head), answered.page))
    return alternative("_000_%s_" % mark(answered, typed).upper(), part('text/plain; charset="utf-8"', "quoted-printable", text),
                       part('text/html; charset="utf-8"', "quoted-printable", page), also="Thread-Topic: x\r\nAccept-Language: en-US\r\nx-ms-has-attach:\r\n")


def outlook_mobile(answered, typed, me):
    head = outlook_head(answered, me)
    text = "%s\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n%s\n%s\n\n%s\n" % (typed, "_" * 32, "\n".join("%s %s" % h for h in head), "\n".join(answered.lines))
    page = ('<html>\n<head>\n<meta http-equiv="Content-Type" content="text/html; charset=us-ascii">\n<style type="text/css" style="display:none;"> P '
            '{margin-top:0;margin-bottom:0;} </style>\n</head>\n<body dir="ltr">\n%s<div id="ms-outlook-mobile-signature"><br>Get <a href='
            '"https://aka.ms/o0ukef">Outlook for iOS</a></div>\n<hr style="display:inline-block;width:98%%" tabindex="-1">\n<div id="divRplyFwdMsg" dir="ltr">'
            '<font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">%s</font><div>&nbsp;</div></div>\n%s</body>\n</html>\n' % (
                lines_in('div dir="auto" style="color: rgb(33, 33, 33); background-color: rgb(255, 255, 255);"', typed),
                "<br>".join("<b>%s</b> %s" % (n, plain(v)) for n, v in head), answered.page))
    return alternative("_000_%s_" % mark(answered, typed).upper(), part('text/plain; charset="utf-8"', "quoted-printable", text),
                       part('text/html; charset="utf-8"', "quoted-printable", page))


def thunderbird(answered, typed, me):
    text = "%s\n\n%s\n%s\n" % (typed, answered.at("Am %d.%m.%y um %H:%M schrieb ") + answered.name + ":", answered.quote())
    stuffed = "\n".join(" " + line if line.startswith((" ", "From ")) else line.rstrip() if not line.startswith(">") else line for line in text.split("\n"))
    return ("User-Agent: Mozilla Thunderbird\r\nContent-Language: de-DE\r\nContent-Transfer-Encoding: 8bit\r\n"
            "Content-Type: text/plain; charset=UTF-8; format=flowed\r\n", encoded(stuffed, "8bit"))


def k9(answered, typed, me):
    by = answered.at("On %-d %B %Y %H:%M:%S UTC, ") + answered.who() + " wrote:"
    own = "Sent from my Android device with K-9 Mail. Please excuse my brevity."
    page = ('<!DOCTYPE html><html><body><div dir="auto">%s<br></div><div class="k9mail-signature">-- <br>%s</div><br><br><div class="gmail_quote"><div '
            'dir="auto">%s</div>%s</div></body></html>' % (plain(typed).replace("\n", "<br>"), own, plain(by), quote_html(
                answered, 'class="gmail_quote"', "margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid rgb(204, 204, 204); padding-left: 1ex;")))
    return alternative("----" + mark(answered, typed).upper()[:30], part("text/plain;\r\n charset=utf-8", "quoted-printable",
                       "%s\n-- \n%s\n\n%s\n%s\n" % (typed, own, by, answered.quote(">"))),
                       part("text/html;\r\n charset=utf-8", "quoted-printable", page), also="User-Agent: K-9 Mail for Android\r\n")


def proton(answered, typed, me):
    by = answered.at("On %A, %B %o, %Y at %-I:%M %p, ") + answered.who() + " wrote:"
    font = "font-family: Arial, sans-serif; font-size: 14px;"
    page = ('<div style="%s">%s</div><div class="protonmail_signature_block" style="%s"><div class="protonmail_signature_block-proton">Sent with <a target="_blank" '
            'href="https://proton.me/mail/home">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">%s<br>%s</div>' % (
                font, plain(typed).replace("\n", "<br>"), font, plain(by), quote_html(answered, 'class="protonmail_quote" type="cite"')))
    text = "%s\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n%s\n\n%s\n" % (typed, by, answered.quote())
    return alternative("b1=_" + mark(answered, typed)[:20], part("text/plain; charset=utf-8", "base64", text), part("text/html; charset=utf-8", "base64", page))


def yahoo(answered, typed, me):
    by = answered.at("On %A, %B %-d, %Y at %I:%M:%S %p GMT, ") + answered.who() + " wrote:"
    page = ('<html><head></head><body><div class="ydp1a2b3c4dyahoo-style-wrap" style="font-family:Helvetica Neue, Helvetica, Arial, sans-serif;font-size:16px;">'
            '%s<div><br></div></div><div id="ydp5e6f7a8byahoo_quoted_1234567890" class="ydp5e6f7a8byahoo_quoted"><div style="font-family:Helvetica;font-size:'
            '13px;color:#26282a;"><div>%s</div><div>%s</div></div></div></body></html>' % (
                lines_in('div dir="ltr" data-setdir="false"', typed), plain(by), answered.page))
    text = " %s\n\n    %s  \n \n %s\n  " % (typed, by, "\n".join(answered.lines))
    return alternative("----=_Part_1234567_" + mark(answered, typed)[:12], part("text/plain; charset=UTF-8", "7bit" if text.isascii() else "quoted-printable", text),
                       part("text/html; charset=UTF-8", "quoted-printable", page))


def mutt(answered, typed, me):
    by = answered.at("On %a, %b %d, %Y at %I:%M:%S%p +0000, ") + answered.name + " wrote:"
    text = "%s\n\n%s\n%s\n\n-- \nanna\n" % (typed, by, answered.quote())
    charset = "us-ascii" if text.isascii() else "utf-8"
    return ("Content-Disposition: inline\r\n%sUser-Agent: Mutt/2.2.12\r\nContent-Type: text/plain; charset=%s\r\n" % (
        "" if text.isascii() else "Content-Transfer-Encoding: 8bit\r\n", charset), encoded(text, "8bit"))


# ---- the same in other languages, and what programs write around a text that is no more than that ----

def as_text(text, charset="UTF-8"):
    return "Content-Transfer-Encoding: 8bit\r\nContent-Type: text/plain; charset=%s\r\n" % charset, encoded(text, "8bit")


ENGLISH = "On %a, %b %d, %Y at %I:%M %p {who} wrote:"


def attributed(by, own="", **words):
    """{who} is the league, {id} its mail; `own`: a signature."""
    def write(answered, typed, me):
        head = answered.at(by, **words).format(who=answered.who(), name=answered.name, id=answered.id)
        return as_text("%s\n\n%s%s\n\n%s\n" % (typed, own and own + "\n\n", head, answered.quote()))
    return write


def headed(head, **words):
    """Outlook's, which does not quote."""
    def write(answered, typed, me):
        over = answered.at(head, **words).format(who=answered.who(), me=me, subject=answered.subject)
        return as_text("%s\n\n\n%s\n\n%s\n" % (typed, over, "\n".join(answered.lines)))
    return write


DAYS = {"de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag", "es": "lunes martes miércoles jueves viernes sábado domingo",
        "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche", "zh": "周一 周二 周三 周四 周五 周六 周日",
        "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo"}
MONTHS = {"de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
          "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
          "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
          "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
          "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"}


def of(language, hours=1):
    return {"hours": hours, "days": DAYS.get(language, ""), "months": MONTHS.get(language, "")}


def gmx_html(answered, typed, me):
    """A page alone."""
    head = [("Gesendet:", answered.at("%A, %-d. %B %Y um %H:%M Uhr", **of("de"))), ("Von:", '"%s" <%s>' % (answered.name, answered.to)),
            ("An:", me.split("<")[1].rstrip(">")), ("Betreff:", answered.subject)]
    page = ('<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">%s\n<div>&nbsp;\n<div name="quote" style="margin:10px 5px 5px 10px; '
            'padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;">\n<div style="margin:0 0 10px 0;">%s</div>\n<div name="quoted-content">%s</div></div></div>'
            '</div></body></html>\n' % (lines_in("div", typed), "<br/>\n".join("<b>%s</b>&nbsp;%s" % (n, plain(v)) for n, v in head), answered.page))
    return "Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/html; charset=UTF-8\r\n", encoded(page, "quoted-printable")


def empty_plain(answered, typed, me):
    """A text that says nothing beside a page that does."""
    by = answered.at(ENGLISH.replace("{who}", "")).replace("  ", " %s " % answered.who())
    page = '<html><body>%s<br><div class="gmail_quote"><div class="gmail_attr">%s</div>%s</div></body></html>' % (
        lines_in("div", typed), plain(by), quote_html(answered, 'class="gmail_quote"'))
    return alternative("X", part("text/plain; charset=utf-8", "", " \n"), part("text/html; charset=utf-8", "", page))


def pgp_mime(answered, typed, me):
    fields, text = attributed(ENGLISH)(answered, typed, me)
    parts = part("text/plain; charset=utf-8", "", text.replace("\r\n", "\n")), part("application/pgp-signature; name=signature.asc", "", PGP)
    return ('Content-Type: multipart/signed; micalg=pgp-sha256; protocol="application/pgp-signature"; boundary="S1"\r\n',
            "--S1\r\n%s\r\n--S1\r\n%s--S1--\r\n" % parts)


PGP = "-----BEGIN PGP SIGNATURE-----\n\niQEz\n-----END PGP SIGNATURE-----\n"


def typed_below(answered, typed, me):
    """The first line above the quote, all others below it."""
    above, _, below = typed.partition("\n")
    return as_text("%s\n\n%s%s:\n%s\n\n%s\n" % (above, answered.at("Am %d.%m.%y um %H:%M schrieb ", 1), answered.name, answered.quote(), below.strip("\n")))


# named as in tests/mail/replies
OTHERS = {
    "gmail_chinese": (attributed("{who} 于%Y年%-m月%-d日%A %H:%M写道：", **of("zh", 8)), "gmail", "Re: "),
    "gmail_wrapped": (attributed("{who} schrieb am %A, %-d. %B %Y\num %H:%M Uhr:", hours=1, days="Mo. Di. Mi. Do. Fr. Sa. So.",
                                 months="Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."), "gmail", "Re: "),
    "iphone_russian": (attributed(ENGLISH, "Отправлено с iPhone"), "gmail", "Re: "),
    "signature_block": (attributed(ENGLISH, "Anna Berg\nAcme Ltd, +49 30 1234567"), "gmail", "Re: "),
    "message_id": (attributed("In message {id} {name} writes:"), "gmail", "Re: "), "no_date": (attributed("{name} wrote:"), "gmail", "Re: "),
    "outlook_chinese": (headed("发件人: {who}\n发送时间: %Y年%-m月%-d日 %H:%M\n收件人: {me}\n主题: {subject}", hours=8), "microsoft", "Re: "),
    "outlook_french": (headed("De : {who}\nEnvoyé le : %A %-d %B %Y à %H:%M\nÀ : {me}\nObjet : {subject}", **of("fr")), "microsoft", "Re: "),
    "outlook_portuguese": (headed("De: {who}\nEnviada em: %A, %-d de %B de %Y %H:%M\nPara: {me}\nAssunto: {subject}", **of("pt")), "microsoft", "Re: "),
    "outlook_russian": (headed("От: {who}\nОтправлено: %-d %B %Y г. %H:%M\nКому: {me}\nТема: {subject}", **of("ru", 3)), "microsoft", "Re: "),
    "outlook_spanish": (headed("De: {who}\nEnviado el: %A, %-d de %B de %Y %H:%M\nPara: {me}\nAsunto: {subject}", **of("es")), "microsoft", "Re: "),
    "gmx_html": (gmx_html, "gmx", "Re: "), "empty_plain": (empty_plain, "microsoft", "Re: "), "pgp_mime": (pgp_mime, "proton", "Re: "),
    "typed_below": (typed_below, "posteo", "Re: "),
}

AWAY = "Thank you for your mail. I am out of the office until 30 November.\n\n%s\n\nAnna"


def away(answered, typed, me):
    text = AWAY % typed
    page = "<html><head></head><body><p>%s</p></body></html>" % plain(text).replace("\n\n", "</p><p>").replace("\n", "<br>")
    return alternative("_000_%s_" % mark(answered, typed), part('text/plain; charset="us-ascii"', "quoted-printable", text + "\n"),
                       part('text/html; charset="us-ascii"', "quoted-printable", page))


AWAY_MARKS = "X-Auto-Response-Suppress: All\r\nauto-submitted: auto-generated\r\nX-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent\r\n"

# program -> what writes the text, whose servers send and sign it, and what stands before the subject
CLIENTS = {
    "gmail_web": (gmail_web, "gmail", "Re: "), "gmail_android": (gmail_android, "gmail", "Re: "), "apple_ios": (apple_ios, "icloud", "Re: "),
    "apple_macos": (apple_macos, "icloud", "Re: "), "outlook_desktop": (outlook_desktop, "microsoft", "RE: "),
    "outlook_mobile": (outlook_mobile, "microsoft", "Re: "), "thunderbird": (thunderbird, "posteo", "Re: "), "k9": (k9, "posteo", "Re: "),
    "proton": (proton, "proton", "Re: "), "yahoo": (yahoo, "yahoo", "Re: "), "mutt": (mutt, "own", "Re: "),
}
AUTOMATIC = {"exchange_away": (away, "microsoft", "Automatic reply: ")}


def mark(answered, typed):
    """Letters and digits that stand in no other answer."""
    return hashlib.sha256(("%s %s" % (answered.id, typed)).encode()).hexdigest()


def folded(name, value):
    """A field as programs fold it, at spaces; not ASCII: in encoded words."""
    if not value.isascii():
        value = email.header.Header(value, "utf-8").encode()
    lines, line = [], name + ":"
    for word in value.split():
        if len(line) + 1 + len(word) > 76 and line != name + ":":
            lines.append(line)
            line = ""
        line += " " + word
    return "\r\n".join(lines + [line]) + "\r\n"


class Mailbox:
    """Somebody with an address and no keys of their own: `domain` signs what they send."""

    def __init__(self, name, domain, keys, full_name=None):
        self.name, self.domain, self.keys = name, domain, keys
        self.address, self.full_name = "%s@%s" % (name, domain), full_name or name.title() + " Example"
        self.count, self.seen = 0, 0
        people.known[name] = self

    def joins(self, league, game, asked, now):
        return self.reply("gmail_web", asked.as_bytes(), "ok", now=now)

    def mail(self, provider, to, subject, content, more="", now=None, sender=None, date=None, **tags):
        """A whole mail, signed; `content` = fields of the body and the body. `sender`, `date`: another From, and by another clock."""
        p, now = PROVIDERS[provider], now or time.time()
        self.count += 1
        fields, body = content
        raw = "".join("%s: %s %d\r\n" % (name, WAY, self.count) for name in p.adds)
        raw += folded("From", sender or email.utils.formataddr((self.full_name, self.address))) + "To: %s\r\n" % to + folded("Subject", subject)
        raw += "Date: %s\r\nMessage-ID: <%s-%d@%s>\r\n%sMIME-Version: 1.0\r\n%s\r\n%s" % (
            email.utils.formatdate(date or now), self.name, self.count, self.domain, more, fields, body)
        return sign(raw.encode(), provider, self.domain, self.keys.of(provider), now, **tags)

    def reply(self, client, ours, typed, marks=True, before=None, to=None, also="", **tags):
        """The answer to `ours`, a mail of ours as it was delivered; without its marks, an automatic one looks like a person's. `before` and `to`:
        another beginning of the subject, another address than the Reply-To; `also`: more fields."""
        write, provider, usual = (CLIENTS | OTHERS | AUTOMATIC)[client]
        answered = Answered(ours)
        subject = answered.subject if usual == "Re: " and re.match("(?i)re: ", answered.subject) else (before or usual) + answered.subject
        more = "In-Reply-To: %s\r\n" % answered.id + folded("References", answered.references) + also
        if client in AUTOMATIC and marks:
            more += AWAY_MARKS
        content = write(answered, typed, "%s <%s>" % (self.full_name, self.address))
        return self.mail(provider, to or "%s <%s>" % (answered.name, answered.to), subject, content, more, **tags)

    def write(self, provider, to, subject, text, **tags):
        """A mail that answers none."""
        fields = "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n"
        return self.mail(provider, to, subject, (fields, encoded(text, "8bit")), **tags)
