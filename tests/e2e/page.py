"""The order page in Chromium, with a passkey (virtual authenticator): an invitation, the key and the registration in one go, the league's
answer, orders of two turns by tapping suggestions, press, a seat asked for by mail and given up; the league accepts all of it, and stock ssh-keygen each signature."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from page import *
from page_story import Story


def play(running):
    story = Story(running)
    page = story.chromium()
    story.league.set("league", trust="mail")
    line = story.register(page, "anna")
    check(line.startswith("sk-ecdsa-sha2-nistp256@openssh.com ") and line.endswith(" webauthn-verified"), line)
    story.deal(page, "gc-1", "anna")
    for turn in (1, 2):
        taps, began = page.taps, time.monotonic()
        story.orders(page, "anna", turn, how="button")
        print("turn %d: %d taps and one touch from the report to the signed text, %.1f s; one more for the mail" % (turn, page.taps - taps, time.monotonic() - began))
    story.others(page, "anna")
    story.asked(page, "anna", "gc-2")
    story.no_trouble(page)
    print("%d texts signed by a passkey, all accepted by the league and by ssh-keygen" % story.count)


main(play)
