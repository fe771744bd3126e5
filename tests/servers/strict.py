"""What RFC 3501 and 9051 (and 2177, 4315, 4959, 6851) let a client send: the formal syntax of each command, as far as clients
of mail need them, and in which state it may be sent.

    wrong(line, capabilities, state)   what is wrong with a command line, or None

`line` is the whole line as bytes, with its end. `state` is "new" before the login, "in" behind it and "selected". Literals are not
taken: nothing that is wanted here needs them."""
import base64
import re

LONGEST = 8192  # RFC 7162, section 4

ATOM_CHAR = r'[!#$&\'+,\-./0-9:;<=>?@A-Z\[^_`a-z|}~]'
ATOM = ATOM_CHAR + "+"
ASTRING_CHAR = r'(?:' + ATOM_CHAR + r'|\])'
QUOTED = r'"(?:[\x01-\x09\x0b\x0c\x0e-\x21\x23-\x5b\x5d-\x7f]|\\["\\])*"'
ASTRING = "(?:" + ASTRING_CHAR + "+|" + QUOTED + ")"
LIST_MAILBOX = "(?:(?:" + ASTRING_CHAR + "|[%*])+|" + QUOTED + ")"
TAG = r'(?:(?!\+)' + ASTRING_CHAR + ")+"
BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
NUMBER = r"(?:0|[1-9][0-9]{0,9})"
NZ_NUMBER = r"[1-9][0-9]{0,9}"
SEQ = "(?:" + NZ_NUMBER + r"|\*)"
SET = SEQ + "(?::" + SEQ + ")?(?:," + SEQ + "(?::" + SEQ + ")?)*"
FLAG = r"\\?" + ATOM
FLAGS = r"(?:\((?:" + FLAG + "(?: " + FLAG + r")*)?\)|" + FLAG + "(?: " + FLAG + ")*)"
HEADERS = r"HEADER\.FIELDS(?:\.NOT)? \(" + ASTRING + "(?: " + ASTRING + r")*\)"
SECTION = r"\[(?:HEADER|TEXT|" + HEADERS + "|" + NZ_NUMBER + r"(?:\." + NZ_NUMBER + r")*(?:\.(?:HEADER|TEXT|MIME|" + HEADERS + r"))?)?\]"
FETCH_ATT = (r"(?:ENVELOPE|FLAGS|INTERNALDATE|RFC822(?:\.HEADER|\.SIZE|\.TEXT)?|UID|BODY(?:\.PEEK)?" + SECTION +
             "(?:<" + NUMBER + r"\." + NZ_NUMBER + ">)?|BODYSTRUCTURE|BODY)")
FETCH = r"(?:ALL|FULL|FAST|" + FETCH_ATT + r"|\(" + FETCH_ATT + "(?: " + FETCH_ATT + r")*\))"
KEY = (r"(?:ALL|ANSWERED|DELETED|FLAGGED|NEW|OLD|RECENT|SEEN|UNANSWERED|UNDELETED|UNFLAGGED|UNSEEN|DRAFT|UNDRAFT|(?:UN)?KEYWORD " + ATOM +
       "|(?:BCC|BODY|CC|FROM|SUBJECT|TEXT|TO) " + ASTRING + "|(?:LARGER|SMALLER) " + NUMBER + "|UID " + SET + "|" + SET + ")")
SEARCH = KEY + "(?: " + KEY + ")*"

# Verb: the rest of its line, the states in which it may come, the capability that it needs.
ANY, IN = ("new", "in", "selected"), ("in", "selected")
COMMANDS = {
    "CAPABILITY": ("", ANY, None), "NOOP": ("", ANY, None), "LOGOUT": ("", ANY, None),
    "AUTHENTICATE": (" (?P<mechanism>" + ATOM + ")(?P<initial> (?:=|" + BASE64 + "))?", ("new",), None),
    "LOGIN": (" " + ASTRING + " " + ASTRING, ("new",), None),
    "SELECT": (" (?P<mailbox>" + ASTRING + ")", IN, None), "EXAMINE": (" (?P<mailbox>" + ASTRING + ")", IN, None),
    "CREATE": (" (?P<mailbox>" + ASTRING + ")", IN, None), "SUBSCRIBE": (" (?P<mailbox>" + ASTRING + ")", IN, None),
    "LIST": (" " + ASTRING + " (?P<mailbox>" + LIST_MAILBOX + ")", IN, None),
    "IDLE": ("", IN, "IDLE"),
    "CLOSE": ("", ("selected",), None), "EXPUNGE": ("", ("selected",), None),
    "UID FETCH": (" (?P<set>" + SET + ") " + FETCH, ("selected",), None),
    "UID STORE": (" (?P<set>" + SET + r") [+-]?FLAGS(?:\.SILENT)? " + FLAGS, ("selected",), None),
    "UID COPY": (" (?P<set>" + SET + ") (?P<mailbox>" + ASTRING + ")", ("selected",), None),
    "UID MOVE": (" (?P<set>" + SET + ") (?P<mailbox>" + ASTRING + ")", ("selected",), "MOVE"),
    "UID EXPUNGE": (" (?P<set>" + SET + ")", ("selected",), "UIDPLUS"),
    "UID SEARCH": (" " + SEARCH, ("selected",), None),
}
RULES = {verb: re.compile(rest, re.I) for verb, (rest, _, _) in COMMANDS.items()}


def unquoted(text):
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text.startswith('"') else text


def mailbox_name(text):
    """The name of an astring in modified UTF-7 (RFC 3501, section 5.1.3), as UTF-8; ValueError when it is none."""
    def shifted(match):
        if match[1] == "":
            return "&"
        digits = match[1].replace(",", "/")
        data = base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)
        name = data.decode("utf-16-be")
        again = base64.b64encode(data).decode().rstrip("=").replace("/", ",")
        if again != match[1] or any(" " <= char <= "~" for char in name):
            raise ValueError
        return name
    text = unquoted(text)
    if any(not " " <= char <= "~" for char in text) or "&" in re.sub("&[A-Za-z0-9+,]*-", "", text) or \
            re.search("&[A-Za-z0-9+,]+-&[A-Za-z0-9+,]", text):
        raise ValueError
    return re.sub("&([A-Za-z0-9+,]*)-", shifted, text)


def details_wrong(match, verb, capabilities):
    found = match.groupdict()
    for number in re.findall("[0-9]+", found.get("set") or ""):
        if int(number) > 0xffffffff:
            return "a number in the set is too large"
    if found.get("initial") and "SASL-IR" not in capabilities:
        return "an initial response, which is not on offer"
    if found.get("mechanism") and "AUTH=" + found["mechanism"].upper() not in capabilities:
        return "a mechanism that is not on offer"
    if found.get("mailbox"):
        try:
            mailbox_name(found["mailbox"])
        except ValueError:
            return "a mailbox name that is not in modified UTF-7"
    return None


def wrong(line, capabilities, state):
    if not line.endswith(b"\r\n"):
        return "the line does not end with CR LF"
    if len(line) > LONGEST:
        return "the line is too long"
    try:
        text = line[:-2].decode("ascii")
    except UnicodeDecodeError:
        return "the line is not ASCII"
    if "\r" in text or "\0" in text:
        return "the line has CR or NUL in it"
    match = re.fullmatch("(" + TAG + r") ((?:UID )?[A-Za-z]+)(.*)", text, re.S)
    if not match:
        return "no tag and command"
    verb = match[2].upper()
    if verb not in COMMANDS:
        return "unknown command " + verb
    if match[3].endswith(" "):
        return "a blank at the end of " + verb
    rest = RULES[verb].fullmatch(match[3])
    if not rest:
        return "unexpected arguments of " + verb
    _, states, capability = COMMANDS[verb]
    if state not in states:
        return verb + " may not be sent now"
    if capability and capability not in capabilities:
        return verb + " is not on offer"
    return details_wrong(rest, verb, capabilities)
