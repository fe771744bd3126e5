"""Boards as pictures, by the program: PNGs of recorded games (not blank, the seats' colours, nothing at the edges, and in
each part as light and as coloured as they were); a running game, of which there is none; explain --html; what is refused.

GOLDEN_WRITE=1 writes tests/golden/board/pixels.json anew."""
import collections
import json
import os
import pathlib
import shutil
import sys
import xml.etree.ElementTree

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
sys.path.insert(0, str(TESTS / "board"))
from league import *
import png

GROUND = (0xF7, 0xF1, 0xE3)
SEAT = [None, (0x00, 0x72, 0xB2), (0xD5, 0x5E, 0x00), (0x00, 0x9E, 0x73), (0xCC, 0x79, 0xA7)]
PARTS = 12  # in each direction
TOLERANCE = 9  # of 255, for another librsvg
EDGE = 5  # pixels of ground round a picture
GAMES = [("galaxy-command", 12, (1, 2, 3, 4)), ("galactic-supremacy", 30, (1, 2, 3, 4)),
         ("galactic-contract", 21, (1, 2, 3)), ("galaxy-farmer", 7, (1,))]
RECORDED = TESTS.parent / "games"
REFERENCE = TESTS / "golden/board/pixels.json"


def draw(*args):
    done = subprocess.run([os.environ["TURNPOST"], "draw", *map(str, args)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr.decode()


def drawn(*args):
    code, out, said = draw(*args)
    check(code == 0, "draw %s: %d %s" % (args, code, said))
    return out


def parts(width, height, rows):
    """The mean colour of each part."""
    means = []
    for j in range(PARTS):
        some = b"".join
        lines = rows[j * height // PARTS:(j + 1) * height // PARTS]
        for i in range(PARTS):
            area = some(line[3 * (i * width // PARTS):3 * ((i + 1) * width // PARTS)] for line in lines)
            means.append([round(sum(area[c::3]) / (len(area) // 3)) for c in range(3)])
    return means


def look(name, turn, seats):
    path = WORK / (name + ".png")
    drawn(RECORDED / name, "--turn", turn, "-o", path)
    width, height, rows = png.read(path.read_bytes())
    check(width == 720 and 300 < height < 2200, "%s is %d x %d" % (name, width, height))
    ground = bytes(GROUND)
    for y, row in enumerate(rows):
        if y < EDGE or y >= height - EDGE:
            check(row == ground * width, "%s: something at the upper or lower edge, row %d" % (name, y))
        check(row[:3 * EDGE] == ground * EDGE and row[-3 * EDGE:] == ground * EDGE, "%s: something at the side, row %d" % (name, y))
    pixels = collections.Counter()
    for row in rows:
        pixels.update(zip(row[::3], row[1::3], row[2::3]))
    ink = 1 - pixels[GROUND] / (width * height)
    check(0.05 < ink < 0.7, "%s: %.2f of it is not ground" % (name, ink))
    for seat in seats:
        found = pixels[SEAT[seat]]
        check(found > 60, "%s: %d pixels of the colour of seat %d" % (name, found, seat))
    return parts(width, height, rows)


def compare(name, now, was):
    for place, (a, b) in enumerate(zip(now, was)):
        check(max(abs(x - y) for x, y in zip(a, b)) <= TOLERANCE, "%s: part %d is %s, was %s" % (name, place, a, b))


seen = {name: look(name, turn, seats) for name, turn, seats in GAMES}
if os.environ.get("GOLDEN_WRITE"):
    REFERENCE.write_text("{\n" + ",\n".join('"%s": %s' % (name, json.dumps(means, separators=(",", ":"))) for name, means in seen.items()) + "\n}\n")
for name, means in json.loads(REFERENCE.read_text()).items():
    compare(name, seen[name], means)

# The same bytes each time; each turn another picture, which says which one it is.
first, second = drawn(RECORDED / "galaxy-command", "--turn", 5), drawn(RECORDED / "galaxy-command", "--turn", 6)
check(first == drawn(RECORDED / "galaxy-command/journal.jsonl", "--turn", 5), "the same picture has other bytes")
check(b"after turn 5<" in first and b"after turn 6<" in second, "the turn is not in the title")
check(b"at the start" in drawn(RECORDED / "galaxy-farmer", "--turn", 0), "turn 0 is not the start")
for name in sorted(p.name for p in RECORDED.iterdir() if (p / "journal.jsonl").exists()):
    xml.etree.ElementTree.fromstring(drawn(RECORDED / name))

# A game that still runs: without its league's secret there is no board.
copy = WORK / "running"
copy.mkdir()
lines = (RECORDED / "galactic-supremacy/journal.jsonl").read_text().splitlines(True)[:130]
(copy / "journal.jsonl").write_text("".join(lines))
code, _, said = draw(copy)
check(code == 1 and "key to its boxes" in said, "a board from a journal alone: %d %s" % (code, said))

# In the page of a turn, once, and the page is whole.
page = WORK / "turn.html"
done = subprocess.run([os.environ["TURNPOST"], "explain", str(RECORDED / "galaxy-command"), "5", "--html", str(page)], stdout=subprocess.DEVNULL)
text = page.read_text()
check(done.returncode == 0 and text.count("<svg") == 1 and text[text.index("<svg"):text.index("</svg>") + 7] == first.decode(), "explain --html has another board")

for args, want in [((RECORDED / "galaxy-command", "--turn", 99), "the last one is 13"), ((RECORDED / "galaxy-command", "-o", WORK / "x.gif"), ".svg or .png"),
                   ((RECORDED / "galaxy-command", "--width", 5), "100 to 4000"), ((WORK / "nothing",), "no")]:
    code, _, said = draw(*args)
    check(code not in (0, 139) and want in said, "draw %s: %d %s" % (args, code, said))
print("%d boards by pixel, the rest by their bytes" % len(GAMES))
