#!/usr/bin/env python3
"""Does tests/words.py find codes without words, words without a code, and parameters that are not given?"""
import pathlib
import subprocess
import sys
import tempfile

WORDS = pathlib.Path(__file__).resolve().parent / "words.py"
SOURCE, FILE = "src/petitions/x.c", "templates/common/refused.txt"
GOOD = "{{#full}}\nGame {{game}} is full.\n{{/full}}\n"
CALL = 'return hearing_refuse(h, %s);\n'

CASES = [
    ("all is well", '"full game=%s", id', GOOD, None),
    ("one of two codes", 'over ? "over game=%s" : "full game=%s", id', GOOD, "x.c:1: over has no words"),
    ("two codes", 'over ? "over game=%s" : "full game=%s", id', GOOD + "{{#over}}\n{{game}}\n{{/over}}\n", None),
    ("a code without words", '"empty game=%s", id', GOOD, "x.c:1: empty has no words"),
    ("words without a code", '"full game=%s", id', GOOD + "{{#over}}\nOver.\n{{/over}}\n", "over is a code that nothing gives"),
    ("words that come twice", '"full game=%s", id', GOOD + GOOD, "full has words twice"),
    ("a parameter that is not given", '"full"', GOOD, "x.c:1: full does not give {{game}}"),
    ("one by another name", '"full id=%s", id', GOOD, "x.c:1: full does not give {{game}}"),
    ("one in a section", '"full game=%s", id', GOOD.replace(" is", "{{#late}} is{{/late}}"), "does not give {{late}}"),
    ("a reason with words elsewhere", '"full game=%s", id', GOOD.replace("full.", "full: {{#unread}}{{>unread}}{{/unread}}"), None),
    ("one that is not named", '"full game=%s turn=%d", id, turn', GOOD, "do not name {{turn}}"),
    ("a sentence in place of a code", '"Game %s is full.", id', GOOD, "is no code with parameters"),
    ("a table of five columns", '"full game=%s", id', GOOD + "\n=\ta\tb\tc\td\te\n", None),
    ("a table of six columns", '"full game=%s", id', GOOD + "\n=\ta\tb\tc\td\te\tf\n", "a table of 6 columns"),
    ("a piece of a line", '"full game=%s", id', GOOD + "{{!\n}}", None),
    ("a piece that ends its line", '"full game=%s", id', GOOD + "{{!\n}}\n", "ends within a line"),
    ("a worn phrase", '"full game=%s", id', GOOD.replace("full.", "full for whoever asks."), '"whoever": anyone'),
    ("a word for hosts in a mail", '"full game=%s", id', GOOD.replace("full.", "full: take a vacation."), '"vacation": time off'),
    ("as it is typed", '"full game=%s", id', GOOD.replace("full.", "full.\n\tvacation 2026-12-24 to 2027-01-02"), None),
    ("a quoted order word", '"full game=%s", id', GOOD.replace("full.", 'full: "lockstep".'), None),
    ("a code from elsewhere", "why.text", GOOD, "the code is not written here"),
]

# What style does not want, literally: none of it may stand in a mail.
NOT = ["by the word of a mail domain", "the word of their mail domains", "trust = mail", "keyless", "orders that are vouched", "holds a key",
       "has signed with a key", "for whoever", "somebody whom", "that very name", "such a name", "of that kind", "anew", "once more", "stands by",
       "standby", "put off a deadline", "a line of them has to be corrected", "carried out", "cannot be carried out", "the turn is played",
       "the turn has been played", "orders are awaited from bob", "a petition", "the press", "prefs", "requests", "the head of the record",
       "digest of its key", "forks", "a rollback nobody was told of", "of player 2", "in lockstep", "duplicate", "no order of the game",
       "aligned", "unaligned", "Remain a Commander", "vacation", "the league's signed word"]
CASES += [("worn: " + phrase, '"full game=%s", id', GOOD.replace("full.", "full, " + phrase + "."), '": ') for phrase in NOT]

SENTENCE = 'return reason_fail(err, "full game=%s", "%s" TAIL, id);\n'
SENTENCES = [
    ("words that are the sentence", SENTENCE.replace('"%s" TAIL', '"game %s is \\"full\\"" TAIL'), None),
    ("words that are not", SENTENCE.replace('"%s" TAIL', '"%s is full"'), "the words of full in templates/common/errors.txt are not"),
    ("two sentences for a code", SENTENCE.replace('"%s" TAIL', '"game %s is \\"full\\"" TAIL') + SENTENCE, "full is given with two sentences"),
]

VERBS = [
    ("a verb with words", "{{#verb_x}}asks{{/verb_x}}", None),
    ("a verb without words", "", "no words for verb_x"),
    ("words of no verb", "{{#verb_x}}asks{{/verb_x}}{{#verb_y}}asks{{/verb_y}}", "verb_y is no name of the sources"),
    ("words with a parameter", "{{#verb_x}}asks {{whom}}{{/verb_x}}", "verb_x is not given {{whom}}"),
]

TOLD = "## All texts\n\n| `#turnpost ...` | what it does |\n|---|---|\n| `orders` | your orders |\n%s\n## More\n\n| `z` | no text |\n## End\n"
MANUAL = [
    ("a worn phrase in a manual page", "Mails of whoever\nasks.\n", 'x.1:1: "whoever": anyone'),
    ("the name of an option", ".BR \\-\\-lockstep\nwith \\fIlockstep\\fR\n", None),
]

PAGES = [
    ("a page that tells of a verb", TOLD % "| `x` | asks |\n", None),
    ("a page that does not", TOLD % "", 'PLAYING.md: nothing is said of "#turnpost x"'),
    ("a worn phrase on a page", TOLD % "| `x` | whoever asks |\n", '"whoever": anyone'),
    ("what is typed on a page", (TOLD % "| `x` | asks |\n") + "\n    vacation for whoever\n", None),
    ("a page that tells of a text that is none", TOLD % "| `x` `y` | asks |\n", '"#turnpost y" is no text'),
]


def judged(what, files, fault):
    """1 where words.py does not say what it should of these files."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        done = subprocess.run([sys.executable, WORDS, "--root", root], stdout=subprocess.PIPE, text=True)
    if done.returncode == (fault is not None) and (fault or " 0 faults") in done.stdout:
        return 0
    print(f"words.py, {what}: exit {done.returncode}\n{done.stdout}")
    return 1


def main():
    bad = sum(judged(what, {SOURCE: CALL % call, FILE: words}, fault) for what, call, words, fault in CASES)
    bad += sum(judged(what, {"src/trust/x.c": source, "src/trust/x.h": '#define TAIL ", really"\n', "templates/common/errors.txt":
                             '{{#full}}game {{game}} is "full", really{{/full}}'}, fault) for what, source, fault in SENTENCES)
    bad += sum(judged(what, {"src/petitions/petition_x.c": '    .verb = "x",\n', "templates/common/verbs.txt": words}, fault)
               for what, words, fault in VERBS)
    bad += sum(judged(what, {"src/petitions/petition_x.c": '    .verb = "x",\n', "games/PLAYING.md": page}, fault)
               for what, page, fault in PAGES)
    bad += sum(judged(what, {"src/commands/man/x.1": page}, fault) for what, page, fault in MANUAL)
    print(f"words: {len(CASES) + len(MANUAL) + len(SENTENCES) + len(VERBS) + len(PAGES)} checks, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
