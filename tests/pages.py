#!/usr/bin/env python3
"""Do the links of the pages (*.md) lead somewhere, and are the files there that the pages of src/ and tests/ name?"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"`((?:[\w-]+/)+[\w.-]+\.(?:c|h|py|sh|json|txt|md|ini))`")
FOLDERS = ["cron", "games", "keys", "src", "tests"]


def anchors(page):
    """Headings as GitHub names them."""
    for line in page.read_text().splitlines():
        if line.startswith("#"):
            yield re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")


def faults(page):
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
            placeholder = re.search(r"(?:^|[/_])(?:X|NAME)(?:$|[/.])", name)
            if not placeholder and not any((place / name).exists() for place in (ROOT, ROOT / "src", ROOT / "tests", ROOT / "templates", page.parent)):
                yield f"there is no file {name}"


def main():
    pages = [ROOT / "README.md"] + sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.md"))
    found = [f"{page.relative_to(ROOT)}: {fault}" for page in pages for fault in faults(page)]
    print("\n".join(found) or f"{len(pages)} pages: every link leads somewhere")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
