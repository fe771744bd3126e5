"""Every field of a mail that the sources read has a row in src/intake/README.md ("Fields"), which says what a change of it can do, and
one in tests/intake/fields.c, which tries that; and no row is left over (make words)."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
# Ways to a header block; a file with one of these reads fields.
WAYS = re.compile(r"\b(header_(value|next|count|scan)|field_unfold|dkim_field_find|dkim_mail_split)\b")
CALL = re.compile(r"\b\w*(?:header|field)\w*\s*\([^;{}\"]*\"([A-Za-z][A-Za-z-]*)\"")
WORD = re.compile(r'"([A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-?)"')
ALONE = {"From", "To", "Cc", "Bcc", "Subject", "Date", "Sender", "Received", "Precedence", "References", "Comments", "Keywords"}
# Of a report within a mail that came back (RFC 3464), not of a mail; and of our own mails only.
ELSEWHERE = {"Action", "Status", "Final-Recipient", "Original-Recipient", "Diagnostic-Code"}


def read():
    found = {}
    for path in sorted((ROOT / "src").rglob("*.c")):
        text = path.read_text()
        if not WAYS.search(text):
            continue
        names = set(CALL.findall(text)) | {w for w in WORD.findall(text) if "-" in w or w in ALONE}
        for name in names:
            found.setdefault(name.rstrip("-"), set()).add(str(path.relative_to(ROOT)))
    return found


def main():
    fields = read()
    page = (ROOT / "src/intake/README.md").read_text().partition("## Fields")[2]
    first = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ")]
    rows = {name.rstrip("*").rstrip("-") for cell in first for name in re.findall(r"`([^`]+)`", cell)}
    tried = set(re.findall(r'^    \{"([A-Za-z-]+)", ', (ROOT / "tests/intake/fields.c").read_text(), re.M))
    tried |= {"List"} if any(t.startswith("List-") for t in tried) else set()
    faults = []
    for name in sorted(set(fields) - ELSEWHERE):
        if name not in rows:
            faults.append("%s reads the field %s, of which src/intake/README.md says nothing under \"Fields\"" % (", ".join(sorted(fields[name])), name))
        if name not in tried:
            faults.append("the field %s, which %s reads, has no row in tests/intake/fields.c" % (name, ", ".join(sorted(fields[name]))))
    faults += ["src/intake/README.md has a row for %s, which nothing reads" % name for name in sorted(rows - set(fields))]
    print("\n".join(faults + ["fields: %d of a mail are read, %d faults" % (len(set(fields) - ELSEWHERE), len(faults))]))
    sys.exit(bool(faults))


main()
