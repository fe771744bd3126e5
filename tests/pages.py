"""The READMEs speak of the code that is there: each file, each name of the sources and each target of make that one quotes is looked for
(make words). X stands for any word."""
import pathlib
import re
import subprocess
import sys

FILE = re.compile(r"[\w/]+\.(c|h|py|sh|js)")
NAME = re.compile(r"(\w*_\w*[a-zA-Z0-9])(\(\))?")
TARGET = re.compile(r"make ([a-z][a-z-]*)\b.*")
OTHERS = {"smtp_accept_queue_per_connection"}  # Exim's
SOURCES = (".c", ".h", ".py", ".sh", ".js", ".html", ".txt", ".1", ".5", ".7", ".sql", "Makefile")


def quoted(page):
    """(number of the line, text) of all that stands in backquotes."""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        for text in re.findall(r"`([^`]+)`", line):
            yield number, text.strip()


def main():
    there = subprocess.run(["find", ".", "-name", "build", "-prune", "-o", "-name", ".git", "-prune", "-o", "-type", "f", "-print"],
                           capture_output=True, text=True, check=True).stdout.split("\n")
    files = {name[2:] for name in there if name}
    words = {word for name in files if name.endswith(SOURCES) for word in re.findall(r"\w+", pathlib.Path(name).read_text(errors="replace"))}
    targets = {name for row in re.findall(r"^([a-z][a-z -]*):", pathlib.Path("Makefile").read_text(), re.M) for name in row.split()}
    looked = faults = 0
    for page in sorted(name for name in files if name.endswith("README.md") and name.startswith(("src/", "tests/", "README"))):
        for number, text in quoted(pathlib.Path(page)):
            if FILE.fullmatch(text):
                known = any(name == text or name.endswith("/" + text) for name in files)
            elif NAME.fullmatch(text):
                known = NAME.fullmatch(text)[1] in words
            elif TARGET.fullmatch(text):
                known = TARGET.fullmatch(text)[1] in targets
            else:
                continue
            if "X" in text.replace("_", "/").replace(".", "/").split("/") or text in OTHERS:
                continue
            looked += 1
            if not known:
                faults += 1
                print("%s:%d: there is no %s" % (page, number, text))
    print("pages: %d names of the code in READMEs, %d unknown" % (looked, faults))
    return 1 if faults or looked < 500 else 0


sys.exit(main())
