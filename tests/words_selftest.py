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
    ("a code from elsewhere", "why.text", GOOD, "the code is not written here"),
]

VERBS = [
    ("a verb with words", "{{#verb_x}}asks{{/verb_x}}", None),
    ("a verb without words", "", "no words for verb_x"),
    ("words of no verb", "{{#verb_x}}asks{{/verb_x}}{{#verb_y}}asks{{/verb_y}}", "verb_y is no name of the sources"),
    ("words with a parameter", "{{#verb_x}}asks {{whom}}{{/verb_x}}", "verb_x is not given {{whom}}"),
]


def main():
    bad = 0
    for what, call, words, fault in CASES:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, text in ((SOURCE, CALL % call), (FILE, words)):
                (root / path).parent.mkdir(parents=True)
                (root / path).write_text(text)
            done = subprocess.run([sys.executable, WORDS, "--root", root], stdout=subprocess.PIPE, text=True)
        if done.returncode != (fault is not None) or (fault or " 0 faults") not in done.stdout:
            print(f"words.py, {what}: exit {done.returncode}\n{done.stdout}")
            bad += 1
    for what, words, fault in VERBS:
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for path, text in (("src/petitions/petition_x.c", '    .verb = "x",\n'), ("templates/common/verbs.txt", words)):
                (root / path).parent.mkdir(parents=True)
                (root / path).write_text(text)
            done = subprocess.run([sys.executable, WORDS, "--root", root], stdout=subprocess.PIPE, text=True)
        if done.returncode != (fault is not None) or (fault or " 0 faults") not in done.stdout:
            print(f"words.py, {what}: exit {done.returncode}\n{done.stdout}")
            bad += 1
    print(f"words: {len(CASES) + len(VERBS)} checks, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
