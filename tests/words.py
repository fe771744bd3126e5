#!/usr/bin/env python3
"""Codes and their words: each code that the sources give (base/reason.h) has its section in the template, each
section its code, and the parameters that the words name are those that every place in the sources gives. Each text
that players send has its row on the pages for them.

    tests/words.py [--root DIR]     exit 1 and a line for each fault

Mails, pages (the README and those of games/ and cron/, too), manual pages and help texts (--text) have none of the phrases that are worn (WORN), and tables have COLUMNS at
most: a telephone shows no more (e2e/phone.py)."""
import argparse
import pathlib
import re
import sys

# the words, the sources, and in these the functions with the place of the format among their arguments
TABLE = [
    ("templates/common/refused.txt", ["src/petitions/*.c", "src/play/*.c", "src/trust/*.c", "src/letters/*.c", "src/intake/*.c", "src/base/reason.c"],
     {"hearing_refuse": 1, "reason_set": 1, "reason_make": 0}),
    ("templates/common/errors.txt",
     ["src/mail/*.c", "src/trust/*.c", "src/orders/*.c", "src/league/*.c", "src/batch/*.c", "src/petitions/*.c"],
     {"reason_fail": 1}),
    ("templates/common/unread.txt", ["src/orders/*.c"], {"reader_fail": 1, "node_fail": 1}),
    ("templates/common/refusals_all.txt", ["src/rules/refuse.c", "src/orders/script_run.c"], {"no": 1}),
]
AUTO_FIRST = {"galaxy_farmer"}  # for which a choice is added (shown.auto_first)
NOTES = {"suggest": 2, "event_odds": 1}  # what a line would do, of a form and of a receipt
# Each game: its sources and its templates. The last is that of the page "how to write a game" (src/rules/README.md).
def games(root):
    for path in sorted(root.glob("src/rules/*/ruleset.c")):
        yield f"src/rules/{path.parent.name}", f"templates/{path.parent.name}"
    if (root / "tests/rules/toy/ruleset.c").exists():
        yield "tests/rules/toy", "tests/rules/toy/templates"


# What the rules of each game say (rules/say.h) and refuse (orders/verbs.h), and what templates know of each event beside its parameters.
SAID = {"say": 3, "say_to": 4}
REFUSED = {"no": 1}
ANY_EVENT = {"seat", "who", "you", "dice", "label", "value", "target_name", "to_name", "target_you", "to_you", "stranger", "then"}  # those of another player follow from target_seat and to_seat
# Words under a name of the sources: the words, the sources and what finds the names there, what comes before each
# in its code, and the parameters that words may name.
VERB = ("src/petitions/petition_*.c", r'\.verb = "(\w+)"')
NAMED = [
    ("templates/common/verbs.txt", [(*VERB, "verb_")], set()),
    ("templates/common/forms.txt", [(*VERB, "form_"), ("src/petitions/registration.c", r'"line_(\w+)"', "line_")], {"anywhere"}),
    ("templates/common/actions.txt", [("src/petitions/petition_moderate.c", r'\{"(\w+)", "do: ', "action_")], set()),
    ("templates/common/about.txt", [("src/rules/*/ruleset.c", r'\.folder = "(\w+)"', "")], set()),
    ("templates/galaxy_command/ranks.txt", [("src/rules/galaxy_command/ruleset.c", r'\{"[A-Z][A-Za-z ]+", "(\w+)"\}', ""),
                                            ("src/rules/rank.c", r'value_put_slice\(words, "(\w+)"', "")], {"name"}),
    ("templates/common/weekday.txt", [("src/base/moment.c", r'"((?:sun|mon|tues|wednes|thurs|fri|satur)day)"', "")], set()),
    ("templates/common/month.txt", [("src/base/moment.c", r'"((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)"', "")], set()),
]
# What reports say first (rules/headline.h): each kind of news and stakes of a ruleset.
AROUND = {"who", "you", "target_name", "to_name", "more", "both_ways", "count", "all", "one", "own", "tie", "level", "solo", "points", "view.own.score", "view.goal", "view.killed_limit"}


def first_words(root):
    for here, templates in games(root):
        folder = root / here
        sources = "".join(path.read_text() for path in sorted(folder.glob("*.c")))
        stakes = (folder / "stakes.c").read_text() if (folder / "stakes.c").exists() else ""
        params = set(re.findall(r'\b([a-z][a-z0-9_]*)[+]?=%', sources))
        kinds = {"stakes." + kind for kind in re.findall(r'\(stakes, "(\w+)"', stakes)}
        also = {"also." + kind for kind in re.findall(r'HEADLINE_[A-Z]+, "(\w+)"', (folder / "ruleset.c").read_text())}
        yield (f"{templates}/headline_news.txt",
               [(f"{here}/ruleset.c", r'HEADLINE_[A-Z]+, "(\w+)"', ""), ("src/play/headline.c", r'kind = "(\w+)"', "")], params | kinds | also | AROUND)
        yield (f"{templates}/stakes.txt", [(f"{here}/stakes.c", r'\(stakes, "(\w+)"', "")],
               set(re.findall(r'\w+_put_\w+\([^;"]*"(\w+)"', stakes)) | set(re.findall(r'\b([a-z][a-z0-9_]*)[?+]?=%', stakes)) | AROUND | {"lead"})


# What style says of words: phrases that no mail, no page, no manual page and no help text has, and what they have in place of
# them. Quoted order words, forms and rules are not looked at.
WORN = [
    (r"whoever", "anyone who; the player who; a name"), (r"that very", "the noun again"), (r"anew\b|once more", "again"),
    (r"thereby|in their stead", "nothing"), (r"anybody", "anyone"), (r"\bput(s|ting)?\b[^.]{0,40}\boff\b", "extend; move to"),
    (r"carried out", "done; cannot work"), (r"word of (a|their|your) mail domain|by the word of", "your mail provider vouches; by reply"),
    (r"\bstands? by\b|standby list", "waiting list"), (r"awaited from", "still to answer"), (r"holds? a key\b|has signed with a key", "plays with a key"),
    (r"keyless|lockstep|\bpetition|\bforks?\b", "no name of ours"), (r"digest of (its|the) key|key's digest", "fingerprint of the key"),
    (r"no order of the game", "not an order I know"), (r"need not\b|need do nothing", "do not have to; nothing"),
    (r"(?-i:REFUSED)", "cannot work; did not work"), (r"some(body|one) whom|whom somebody", "a name; the player who"),
    (r"of that kind\b", "the noun again"), (r"a line of (them|it|theirs) has", "one order needs a fix"),
    (r"rollback (that )?nobody|not all were told", "two different histories"), (r"signed word", "keep this mail to prove what you ordered"),
]

COLUMNS = 5


# Phrases that only the texts for players do without: for hosts, these are names of things.
WORN_MAILS = [
    (r"\b(the|that|a) turn (is|has been|was) played", "what happened, or comes"), (r"\bvacations?\b(?! \d| cancel)", "time off"),
    (r"(?-i:\bheads?\b)(?!:| -c)", 'record; the line "head:"'), (r"\bduplicate", "the same deal for everyone"),
    (r"\bsuch an?\b", "the noun again"), (r"\bstandby\b(?! any)", "waiting list"), (r"trust = mail|\bvouched\b(?! for)", "plays by reply"),
    (r"\bprefs\b|\brequests\b|\bthe press\b|press (text|item)", "settings; message"), (r"\b(un)?aligned\b", "held, won; not yours"),
    (r"Remains? a Commander", "keeps the command"), (r"\bplayer \d", "the name"),
]
MANUAL = (".1", ".5")
PAGES = ".md"


def shown(path, line):
    """What a reader sees of a line, without what is set there as it is typed, and what is quoted."""
    if path.suffix in MANUAL:
        line = "" if line.startswith((".B", ".I", ".SS")) else re.sub(r"\\f[BI].*?\\f[RP]", "", line)
    elif line.startswith("    ") if path.suffix == PAGES else line.startswith(("|", "{{!")):
        line = ""
    return re.sub(r'\{\{[^}]*\}\}|<(b|code)>[^<]*</(b|code)>|<[^>]*>|`[^`]*`|--[a-z-]+|"[^"]*"', " ", line)


def worn(path, name):
    """Phrases of the lists above in a mail, a page, a manual page or a help text."""
    phrases = WORN + (WORN_MAILS if path.suffix in (".txt", ".html") and path.name != "ranks.txt" else [])
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for phrase, better in phrases:
            found = re.search(phrase, shown(path, line), re.I)
            if found:
                yield f'{name}:{number}: "{found[0]}": {better}'


def broad(path, name):
    """Tables of a mail or a page that are too broad, and pieces of lines that end a line."""
    if path.name.endswith(".first.txt"):
        for line in path.read_text().splitlines():
            if "{{player}}" in line and re.sub(r"\{\{[^}]*\}\}|[, ]", "", line):
                yield f"{name}: the player's name is no piece of its own, so a long one cuts the line"
    if path.read_text().endswith("{{!\n}}\n"):
        yield f"{name}: it ends within a line, so nothing may stand behind its last comment, not even a line end"
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("=\t") and line.count("\t") > COLUMNS:
            yield f"{name}:{number}: a table of {line.count(chr(9))} columns, of which telephones show {COLUMNS}"


def worn_words(root):
    for path in sorted([root / "README.md", *root.glob("games/*.md"), *root.glob("cron/*.md")]):
        if path.exists():
            yield from worn(path, path.relative_to(root))
    for path in sorted(root.glob("templates/**/*")) + sorted(root.glob("src/commands/man/*")):
        if path.suffix in (".txt", ".html", *MANUAL) and path.name != "rules.txt":
            yield from worn(path, path.relative_to(root))
        if path.suffix in (".txt", ".html") and path.name != "rules.txt":
            yield from broad(path, path.relative_to(root))


# Pages that tell of each text that players send, and what finds the rows there: the first finds the part, the second its rows.
TOLD = [
    ("games/PLAYING.md", r"^## All texts$(.*?)^## ", r"^\| (`[^|]*) \|"),
    ("src/commands/man/turnpost.1", r"^\.SH WHAT PLAYERS SEND$(.*?)^\.SH ", r"^\.TP\n\.BR? (.*#turnpost .*)$"),
]
NO_VERBS = {"turnpost", "orders"}
READER = {"keyless", "who"}  # what every mail knows of its reader, and of a seat (game/view.h)
SENTENCES = {"reason_fail"}  # functions that have, after the code, the sentence that the words are in English
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
FORMAT = re.compile(r"^[a-z][a-z0-9_]*( [a-z][a-z0-9_]*([?@~+]?=%(d|zu|lld)|[+]?=%s))*$")
DEFINED = re.compile(r'^#define (\w+)\s+(?:\\\n\s*)?("(?:[^"\\]|\\.)*")$', re.M)  # what several formats end with
QUOTED = re.compile(r"\{\{#(unread|error)\}\}[^{]*\{\{(>unread|error)\}\}\{\{/\1\}\}")  # a reason whose words another file has
TAG = re.compile(r"\{\{(?P<kind>[#^/>!{&]?)\s*(?P<name>[^}]*?)\s*\}?\}\}")


def arguments(text, at):
    """Those of the call whose "(" is at `at`, as texts."""
    depth, begin, found, i = 0, at + 1, [], at
    while i < len(text):
        c = text[i]
        if c == '"':
            i = LITERAL.match(text, i).end()
            continue
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if (c == "," and depth == 1) or depth == 0:
            found.append(text[begin:i].strip())
            begin = i + 1
            if depth == 0:
                break
        i += 1
    return found


def codes_of(root, globs, functions, faults):
    """{code: [(place, {parameters}), ...]}"""
    codes = {}
    pattern = re.compile(r"\b(%s)\(" % "|".join(functions))
    for path in sorted(p for g in globs for p in root.glob(g)):
        text = path.read_text()
        for name, literal in DEFINED.findall(text):
            text = re.sub(rf'(?<=" ){name}\b', lambda _: literal, text)
        for call in pattern.finditer(text):
            args = arguments(text, call.end() - 1)
            place = f"{path.relative_to(root)}:{text.count(chr(10), 0, call.start()) + 1}"
            if args[-1] in ("...", "va_list args") or "args" in args or len(args) <= functions[call[1]]:
                continue  # the function itself, or one that hands a format on; a word of a comment
            literals = LITERAL.findall(re.sub(r'"\s+"', "", args[functions[call[1]]]))  # adjacent ones are one
            if not literals:
                faults.append(f"{place}: the code is not written here, so its words cannot be checked")
            for literal in literals:
                if not FORMAT.match(literal):
                    faults.append(f'{place}: "{literal}" is no code with parameters (base/reason.h)')
                    continue
                code, *params = literal.split(" ")
                codes.setdefault(code, []).append((place, {re.split("[?@~+=]", p)[0] for p in params}))
    return codes


def sentences_of(root, globs, codes, faults):
    """{code: the sentence of the sources, with the names of its parameters in tags}"""
    defined = {name: value for path in root.glob("src/*/*.h")
               for name, value in re.findall(r'^#define (\w+)\s+"((?:[^"\\]|\\.)*)"$', path.read_text(), re.M)}
    found = {}
    for path in sorted(p for g in globs for p in root.glob(g)):
        text = path.read_text()
        for call in re.finditer(r"\b(%s)\(" % "|".join(SENTENCES), text):
            args = arguments(text, call.end() - 1)
            code, *params = LITERAL.search(args[1])[1].split(" ")
            sentence = "".join(defined.get(name, "?") if name else literal
                               for literal, name in re.findall(LITERAL.pattern + r"|\b([A-Za-z_]\w*)", args[2]))
            for param in params:
                sentence = re.sub("%(s|d|zu|lld)", "{{%s}}" % re.split("[?@~=]", param)[0], sentence, count=1)
            sentence = sentence.replace('\\"', '"')
            if found.setdefault(code, sentence) != sentence:
                faults.append(f"{codes[code][0][0]}: {code} is given with two sentences")
    return found


def check_sentences(root, file, globs, codes, faults):
    words = (root / file).read_text()
    for code, sentence in sentences_of(root, globs, codes, faults).items():
        if "{{#%s}}" % code in words and "{{#%s}}%s{{/%s}}" % (code, sentence, code) not in words:
            faults.append(f"{codes[code][0][0]}: the words of {code} in {file} are not its sentence: {sentence}")


def words_of(path, faults):
    """{code: {parameters that its words name}}"""
    words, open_, names = {}, [], set()
    for tag in TAG.finditer(QUOTED.sub("", path.read_text())):
        kind, name = tag["kind"], tag["name"]
        if kind in "#^" and kind:
            if open_:
                names.add(name)
            elif name in words:
                faults.append(f"{path.name}: {name} has words twice")
            open_.append(name)
        elif kind == "/":
            open_.pop()
            if not open_:
                words[name], names = names, set()
        elif kind not in ("!", ">") and name != ".":
            names.add(name)
    return words


def always_of(path):
    """{code: {parameters that its words name in any case, not only in a section of some parameter}}"""
    always, open_ = {}, []
    for tag in TAG.finditer(QUOTED.sub("", path.read_text())):
        kind, name = tag["kind"], tag["name"]
        if kind in "#^" and kind:
            open_.append(name)
            always.setdefault(open_[0], set())
        elif kind == "/":
            open_.pop()
        elif kind not in ("!", ">") and "." not in name and set(open_[1:]) <= ANY_EVENT:
            always[open_[0]].add(name)
    return always


def check(root, file, globs, functions):
    faults = []
    codes = codes_of(root, globs, functions, faults)
    words = words_of(root / file, faults)
    for code in sorted(codes.keys() - words.keys()):
        faults.append(f"{codes[code][0][0]}: {code} has no words in {file}")
    for code in sorted(words.keys() - codes.keys()):
        faults.append(f"{file}: {code} is a code that nothing gives")
    for code in sorted(codes.keys() & words.keys()):
        for place, params in codes[code]:
            for name in sorted(words[code] - params - READER):
                faults.append(f"{place}: {code} does not give {{{{{name}}}}}, which its words in {file} name")
        for name in sorted(set.union(*(params for _, params in codes[code])) - words[code] - ({"seat"} if "who" in words[code] else set())):
            faults.append(f"{codes[code][0][0]}: the words of {code} in {file} do not name {{{{{name}}}}}")
    if SENTENCES & functions.keys():
        check_sentences(root, file, globs, codes, faults)
    return len(codes), faults


def said(root, here, templates):
    """Events and refusals of a game: each code has its words; what these name in any case is given wherever the code is, always,
    and what they ask for somewhere; and each parameter that is given is known, to words or to the sources."""
    faults = []
    words = {name: (root / f"{templates}/{name}").read_text() for name in ("events.txt", "refusals.txt")}
    known = "".join(path.read_text() for path in sorted(root.glob(f"{templates}/*.txt")) + sorted(root.glob("templates/common/*.txt")))
    sources = "".join(path.read_text() for path in sorted(root.glob(f"{here}/*.c")))
    count = 0
    for file, functions in (("events.txt", SAID), ("refusals.txt", REFUSED)):
        codes = codes_of(root, [f"{here}/*.c"], functions, faults)
        tags = words_of(root / f"{templates}/{file}", faults)
        always = always_of(root / f"{templates}/{file}")
        count += len(codes)
        faults += [f"{codes[code][0][0]}: {code} has no words in {templates}/{file}" for code in sorted(codes.keys() - tags.keys())]
        faults += [f"{templates}/{file}: {code} is a code that nothing gives" for code in sorted(tags.keys() - codes.keys())]
        for code in sorted(codes.keys() & tags.keys()):
            given = set.union(*(params for _, params in codes[code]))
            faults += [f"{codes[code][0][0]}: {code} never gives {{{{{name}}}}}, which its words in {templates}/{file} ask for"
                       for name in sorted(tags[code] - given - ANY_EVENT) if "." not in name]
            for place, params in codes[code]:
                faults += [f"{place}: {code} does not give {{{{{name}}}}}, which its words in {templates}/{file} name"
                           for name in sorted(always[code] - params - ANY_EVENT)]
                faults += [f"{place}: nobody knows {{{{{name}}}}} of {code}" for name in sorted(params)
                           if not re.search(r"\{\{[#^&/]?(?:[a-z_]+\.)*%s\}\}" % re.sub("_seat$", "_(seat|name|you)", name), known) and f'"{name}"' not in sources
                           and not re.search(r"\bput\([^;]*\b%s[?+]?=%%" % name, sources)]
    return count, faults


def named(root, file, sources, params):
    """Each name has its words, no other one has, and words name no parameter that is not given."""
    faults = []
    words = words_of(root / file, faults)
    given = {front + name for glob, pattern, front in sources for path in root.glob(glob)
             for name in re.findall(pattern, path.read_text())}
    faults += [f"{file}: no words for {code}" for code in sorted(given - words.keys())]
    faults += [f"{file}: {code} is no name of the sources" for code in sorted(words.keys() - given)]
    faults += [f"{file}: {code} is not given {{{{{name}}}}}" for code in sorted(words) for name in sorted(words[code] - params)]
    return len(given), faults


def told(root, file, part, row):
    """Each verb has its row, and each row is of verbs."""
    verbs = {name for path in root.glob(VERB[0]) for name in re.findall(VERB[1], path.read_text())}
    found = re.search(part, (root / file).read_text(), re.M | re.S)
    rows = {name for line in re.findall(row, found[1] if found else "", re.M) for name in re.findall(r"\w+", line)} - NO_VERBS
    faults = [f'{file}: nothing is said of "#turnpost {verb}"' for verb in sorted(verbs - rows)]
    return len(verbs), faults + [f'{file}: "#turnpost {verb}" is no text that the sources know' for verb in sorted(rows - verbs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--text", type=pathlib.Path, help="a text that the program printed: is a worn phrase in it?")
    args = parser.parse_args()
    if args.text:
        faults = list(worn(args.text, args.text.name))
        print("\n".join(faults))
        return bool(faults)
    count, faults = 0, []
    rulesets = list(games(args.root))
    notes = [(f"{words}/notes.txt", [f"{here}/*.c", *(["src/game/view.c"] if pathlib.Path(here).name in AUTO_FIRST else [])], NOTES) for here, words in rulesets]
    unused = [(f"{words}/unused.txt", [f"{here}/*.c"], {"event_unused": 1}) for here, words in rulesets]
    for judge, table in ((check, TABLE + notes + unused), (named, NAMED + list(first_words(args.root))), (told, TOLD)):
        for row in table:
            if args.root.joinpath(row[0]).exists():
                codes, found = judge(args.root, *row)
                count += codes
                faults += found
    for here, words in rulesets:
        codes, found = said(args.root, here, words)
        count += codes
        faults += found
    faults += worn_words(args.root)
    print("\n".join(faults + [f"words: {count} codes, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
