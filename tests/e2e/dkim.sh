#!/bin/bash
# The signatures of mails' domains as python3-dkim has them, and where we are stricter by a rule that is named: some
# hundred mails (the short form of `make dkim`). Debian's own Python, because python3-dkim is a package of it.
set -euo pipefail
/usr/bin/python3 "$TESTS/dkim/differential.py" "$(dirname "$TURNPOST")/tests/dkim/judge" 400
