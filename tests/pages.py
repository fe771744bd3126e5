#!/usr/bin/env python3
"""Do the links of the pages (*.md) lead somewhere, and is everything there that the pages of src/ and tests/ name: files, with or
without their folder, and functions, types and tables (names with a `_`)? Does a table of a room's files have all of them?"""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"`((?:[\w-]+/)+[\w.-]+\.(?:c|h|py|sh|json|txt|md|ini))`")
BARE = re.compile(r"`([\w*-]+\.(?:c|h|py|sh|mjs|pml|svg|ini))`")
CODE = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"\b[A-Za-z][A-Za-z0-9]*_\w+")
PLACEHOLDER = re.compile(r"(?:^|[/_])(?:X|NAME)(?:$|[/._])")
FOLDERS = ["cron", "games", "keys", "src", "tests"]
OTHERS = {"smtp_accept_queue_per_connection"}  # names of other programs' options


def known():
    """Every name of a file, and every word in one, of src/, tests/ and templates/ and beside them."""
    files = [path for folder in ("src", "tests", "templates", "cron") for path in (ROOT / folder).rglob("*") if path.is_file()] + [ROOT / "Makefile"]
    words = {path.stem for path in files}
    for path in files:
        if path.suffix not in (".md", ".pyc") and path.stat().st_size < 1 << 20:
            words.update(NAME.findall(path.read_text(errors="replace")))
    return {path.name for path in files}, words


def anchors(page):
    """Headings as GitHub names them."""
    for line in page.read_text().splitlines():
        if line.startswith("#"):
            yield re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")


def faults(page, names, words):
    text = re.sub(r"^    .*$", "", page.read_text(), flags=re.M)  # no blocks of code
    for target in LINK.findall(text):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        to = (page.parent / path).resolve() if path else page
        if not to.exists():
            yield f"the link {target} leads nowhere"
        elif anchor and anchor not in anchors(to):
            yield f"{target}: there is no such heading"
    if page.is_relative_to(ROOT / "src") or page.is_relative_to(ROOT / "tests"):
        for name in NAMED.findall(text):
            if not PLACEHOLDER.search(name) and not any((place / name).exists() for place in (ROOT, ROOT / "src", ROOT / "tests", ROOT / "templates", page.parent)):
                yield f"there is no file {name}"
        for name in BARE.findall(text):
            if not PLACEHOLDER.search(name) and not fnmatch.filter(names, name):
                yield f"there is no file {name}"
        if re.search(r"^\| `\w+\.c`", text, re.M):  # it has a table of the room's files
            yield from (f"it does not name {path.name}" for path in sorted(page.parent.glob("*.c")) if path.name not in text)
        for name in sorted({name for code in CODE.findall(text) for name in NAME.findall(code)} - words - OTHERS):
            if not PLACEHOLDER.search(name):
                yield f"nothing is called {name}"


def main():
    pages = [ROOT / "README.md"] + sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.md"))
    names, words = known()
    found = [f"{page.relative_to(ROOT)}: {fault}" for page in pages for fault in faults(page, names, words)]
    print("\n".join(found) or f"{len(pages)} pages: every link leads somewhere, and what they name is there")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
