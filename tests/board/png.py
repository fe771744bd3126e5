"""PNG files without a library: pixels of those that cairo writes (8 bits, RGB or RGBA, not interlaced), and writing them."""
import struct
import zlib


def _row(kind, row, before, step):
    if kind == 1:
        for i in range(step, len(row)):
            row[i] = (row[i] + row[i - step]) & 255
    elif kind == 2:
        row[:] = bytes((a + b) & 255 for a, b in zip(row, before))
    elif kind == 3:
        for i in range(len(row)):
            row[i] = (row[i] + ((row[i - step] if i >= step else 0) + before[i]) // 2) & 255
    elif kind == 4:
        for i in range(len(row)):
            a = row[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            row[i] = (row[i] + (a if pa <= pb and pa <= pc else b if pb <= pc else c)) & 255


def read(data):
    """(width, height, rows): a row is the bytes R, G, B of each pixel."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no PNG")
    at, packed, head = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    width, height, bits, colours, _, _, interlaced = head
    if bits != 8 or colours not in (2, 6) or interlaced:
        raise ValueError("not such a PNG as cairo writes")
    step = 3 if colours == 2 else 4
    raw, rows, before = zlib.decompress(packed), [], bytearray(width * step)
    for y in range(height):
        line = y * (width * step + 1)
        row = bytearray(raw[line + 1:line + 1 + width * step])
        _row(raw[line], row, before, step)
        rows.append(bytes(row) if step == 3 else bytes(b for i, b in enumerate(row) if i % 4 != 3))
        before = row
    return width, height, rows


def grey(rows):
    """The same in grey: rows of one byte a pixel (BT.601)."""
    return [bytes((299 * r + 587 * g + 114 * b + 500) // 1000 for r, g, b in zip(row[::3], row[1::3], row[2::3])) for row in rows]


def write(width, height, rows, colours):
    """colours: 0 for grey rows, 2 for RGB."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colours, 0, 0, 0)) + \
        chunk(b"IDAT", packed) + chunk(b"IEND", b"")
