"""Prints what Python's email package sees in mails: a second opinion for tests/mail/compose.c.

usage: show_mail.py FILE...; the name of each, then one fact a line, values in hexadecimal.
"""
import email
import email.policy
import os
import sys


def show(name, *values):
    print(name, *[v.encode("utf-8", "surrogateescape").hex() if isinstance(v, str) else v.hex() for v in values])


def show_mail(path):
    with open(path, "rb") as file:
        mail = email.message_from_binary_file(file, policy=email.policy.default)
    show("subject", mail["Subject"])
    for name in ("From", "To", "Reply-To"):
        for address in mail[name].addresses if mail[name] else ():
            show(name.lower(), address.display_name, address.addr_spec)
    show("message-id", str(mail["Message-ID"]))
    show("date", mail["Date"].datetime.isoformat())
    for part in mail.walk():
        if part.defects:
            show("defect", repr(part.defects))
        for name, value in part.items():
            if value.defects:
                show("defect", name + repr(value.defects))
        if part.is_multipart():
            show("tree", part.get_content_type())
        elif part.get_content_disposition() == "attachment":
            show("file", part.get_filename(), part.get_content_type(), part.get_payload(decode=True))
        else:
            show("body", part.get_content_type(), part.get_content())


for path in sys.argv[1:]:
    print(os.path.basename(path))
    show_mail(path)
