#!/bin/bash
# The signatures of mails' domains as python3-dkim has them, and where we are stricter by a rule that is named: some
# hundred mails (the short form of `make dkim`); and answers whose unsigned parts are changed on the way (that of `make
# matrix`). Debian's own Python, because python3-dkim is a package of it.
set -euo pipefail
judge=$(dirname "$TURNPOST")/tests/dkim/judge
/usr/bin/python3 "$TESTS/dkim/replies.py" "$judge" 7
/usr/bin/python3 "$TESTS/dkim/differential.py" "$judge" 150
