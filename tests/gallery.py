#!/usr/bin/env python3
"""Makes build/gallery/index.html of the pictures in the folders of build/gallery: of each SVG also PNGs at 720 and 360 px, one in grey,
and how it looks to the colour-blind. Other PNGs (screenshots) are shown as they are.

    tests/gallery.py build/gallery"""
import html
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "board"))
import png

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Gallery</title>
<style>body{font-family:sans-serif;background:#777;color:#fff;margin:12px}h2{margin:1.5em 0 .3em}div{display:flex;flex-wrap:wrap;gap:10px;align-items:flex-start}
figure{margin:0}figcaption{font-size:13px}.blind{filter:url(#blind)}</style></head><body>
<svg width="0" height="0"><filter id="blind"><feColorMatrix values=".367 .861 -.228 0 0 .280 .673 .047 0 0 -.012 .043 .969 0 0 0 0 0 1 0"/></filter></svg>
<h1>Gallery</h1>
"""


def paint(svg):
    """The PNGs of a picture."""
    for width in (720, 360):
        subprocess.run(["rsvg-convert", "-w", str(width), str(svg), "-o", str(svg.with_name("%s-%d.png" % (svg.stem, width)))], check=True)
    wide, high, rows = png.read(svg.with_name(svg.stem + "-720.png").read_bytes())
    svg.with_name(svg.stem + "-grey.png").write_bytes(png.write(wide, high, png.grey(rows), 0))


def figure(folder, name, words, kind=""):
    return '<figure><img class="%s" src="%s" alt="" loading="lazy"><figcaption>%s</figcaption></figure>\n' % (
        kind, html.escape("%s/%s" % (folder.name, name)), html.escape(words))


def section(folder):
    made = set()
    yield "<h2>%s</h2>\n" % html.escape(folder.name)
    for svg in sorted(folder.glob("*.svg")):
        paint(svg)
        made |= {svg.stem + end for end in ("-720.png", "-360.png", "-grey.png")}
        yield "<h3>%s</h3><div>\n" % html.escape(svg.stem)
        yield figure(folder, svg.name, "SVG, 360 px, %d KB" % (svg.stat().st_size // 1024))
        yield figure(folder, svg.stem + "-720.png", "PNG, 720 px")
        yield figure(folder, svg.stem + "-grey.png", "in grey")
        yield figure(folder, svg.stem + "-720.png", "without green (deuteranopia)", "blind")
        yield figure(folder, svg.stem + "-360.png", "PNG, 360 px")
        yield "</div>\n"
    others = [p for p in sorted(folder.glob("*.png")) if p.name not in made]
    if others:
        yield "<div>\n" + "".join(figure(folder, p.name, p.stem) for p in others) + "</div>\n"


def main():
    root = pathlib.Path(sys.argv[1])
    page = HEAD
    for folder in sorted(p for p in root.iterdir() if p.is_dir()):
        page += "".join(section(folder))
    (root / "index.html").write_text(page + "</body></html>\n")
    print("Wrote %s" % (root / "index.html"))


if __name__ == "__main__":
    main()
