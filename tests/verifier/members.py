"""Which members the records have (src/journal/README.md, section 3)."""
import functools

from forms import Unknown, must, number, text

# The members of each type besides those that all have; "?" = may be missing. Of notes and seats by what they are about.
COMMON = "game seq prev type time"
SIGNED = " by signed text mail"
SAID = " by said vouched text mail"  # by a player without a key, whose mail domain vouches for them
MEMBERS = {
    "create": "ruleset version cards card_data? options seats league_key vrf_key seal_key turn_length missed_robot missed_standby press"
    " press_delivery observers clock? witnesses? quorum? log? views language"
    " format nonce table answer_by? press_signed? typo_wait? second_thoughts? trust? request? rematch? rematch_head? compete? lockstep?",
    "seat entered": "seat player why" + SIGNED,
    "seat robot": "seat robot",
    "seat joined": "seat player mark wish? drawn? signature?" + SIGNED,
    "seat free": "seat free left" + SIGNED,
    "seat waited": "seat player mark waited left drawn" + SIGNED,
    "seat resigned": "seat robot why" + SIGNED,
    "seat resigned by orders": "seat robot why",
    "seat standby": "seat player why" + SIGNED,
    "seat back": "seat player why" + SIGNED,
    "key signed": "seat keys" + SIGNED,
    "key asked": "seat keys asked",
    "start": "turn pi hidden state events reports deadline? away? drawn?",
    "turn": "turn pi hidden state events reports deadline? away? told? waits?",
    "orders": "turn seat mail seal box made? vouched? waits?",
    "close": "turn seals missed set deal rollbacks",
    "end": "turns reason scores",
    "open": "seal_key",
    "note wait": "kind player mark wish? signature?" + SIGNED,
    "note wait leave": "kind player leave" + SIGNED,
    "note instant": "kind turn seat state events",
    "note press seat": "kind turn to seal box mail text seat",
    "note press grey": "kind turn to seal box mail text grey",
    "note press by": "kind turn to seal box mail text by",
    "note observe": "kind turn player stop" + SIGNED,
    "note standby": "kind turn player stop" + SIGNED,
    "note offer": "kind turn seat to until",
    "note offer nobody": "kind turn seat",
    "note reminder": "kind turn seats deadline",
    "note shift vacation": "kind turn why from deadline away",
    "note shift outage": "kind turn why from deadline seconds",
    "note vote": "kind turn seat seconds deadline?" + SIGNED,
    "note hold": "kind turn missing awaited until?",
    "note hold released": "kind turn released",
    "note question": "kind turn seat mail vouched",
    "note appeal": "kind turn about seat seal box mail text",
    "note ruling": "kind turn about appeal" + SIGNED,
    "note witness": "kind turn witness pi proof",
    "note late": "kind turn",
    "note unwitness": "kind turn seat deadline?" + SIGNED,
    "note rekey": "kind seat keys by",
    "note veto": "kind seat by",
    "note mailbox": "kind seat by",
    "note lost": "kind turn rollbacks deadline?",
    "moderate pause": "",
    "moderate resume": "deadline?",
    "moderate extend": "deadline",
    "moderate hold": "",
    "moderate resolve": "",
    "moderate replace": "seat robot? to? until?",
    "moderate ban": "seat robot",
    "moderate ban, free": "seat free left",
    "moderate ban, waited": "seat player mark waited left drawn",
    "moderate ban, waiting": "player leave",
    "moderate orders": "seat seal box",
    "moderate resend": "seat",
    "moderate rollback": "record from state deadline?",
    "moderate correct": "changes state seal? box?",
    "moderate void": "",
}
CLOCK = (
    "schedule zone offset? changes? grace minimum extension early vote weekends_off? holidays? starts?"
)
NAMES = frozenset(word.rstrip("?") for word in " ".join([COMMON, "do reason", SIGNED, SAID, CLOCK, *MEMBERS.values()]).split())

# What the rulesets of this page are like: version, seats, options.
RULESETS = {
    "galaxy-command": (2, (1, 4), {"solo18": (0, 1), "coop": (1, 3)}),
    "galactic-supremacy": (4, (2, 6), {"decks": (0, 2), "advanced": (0, 1), "rounds": (0, 500)}),
    "galactic-contract": (2, (1, 4), {"short": (0, 1), "finish_round": (0, 1), "ship1": (0, 4), "ship2": (0, 4), "ship3": (0, 4), "ship4": (0, 4)}),
    "galaxy-farmer": (2, (1, 1), {"difficulty": (0, 2), "ship": (0, 2), "lenient": (0, 1)}),
}


def known(record):
    """Raises Unknown if it, or its clock, has a member that no record of the page has."""
    clock = record.get("clock")
    for name in [*record, *(clock if isinstance(clock, dict) else ())]:
        if name not in NAMES:
            raise Unknown('this verifier does not know the member "%.20s"' % name)


def take_ruleset(record):
    """Its ruleset is one that this verifier knows, with these options. The numbers of seats that it can have."""
    if text(record, "ruleset") not in RULESETS:
        raise Unknown("this verifier does not know the ruleset")
    version, seats, options = RULESETS[record["ruleset"]]
    if number(record, "version", version, 2**31 - 1) > version:
        raise Unknown("this verifier does not know that version of the ruleset")
    must(isinstance(record["options"], dict), '"options" must be an object')
    for option in record["options"]:
        if option not in options:
            raise Unknown('this verifier does not know the option "%.20s"' % option)
        number(record["options"], option, *options[option])
    return seats


@functools.lru_cache(256)
def _shape(words):
    words = words.split()
    return frozenset(w for w in words if w[-1] != "?"), frozenset(w.rstrip("?") for w in words)


def only(value, words, what):
    """The object has these members and no others."""
    least, most = _shape(words)
    names = value.keys()
    must(least <= names, "%s lacks %s" % (what, ", ".join(sorted(least - names))))
    must(names <= most, "%s has members that do not belong there: %s" % (what, ", ".join(sorted(names - most))))
