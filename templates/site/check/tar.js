// A published game as one file (POSIX ustar): what is in it, by name.
import { decode } from "./bytes.js";

const BLOCK = 512;

const upToNul = (bytes) => decode(bytes.subarray(0, bytes.includes(0) ? bytes.indexOf(0) : bytes.length));

/** Regular files of the one folder, by their names without it: a Map of bytes. Throws an Error at what is no such file. */
export function unpack(tar) {
  const files = new Map();
  for (let at = 0; at + BLOCK <= tar.length && tar[at]; ) {
    const header = tar.subarray(at, at + BLOCK);
    const [name, digits] = [header.subarray(0, 100), header.subarray(124, 135)].map(upToNul);
    const sum = header.reduce((all, byte, i) => all + (i >= 148 && i < 156 ? 32 : byte), 0);
    const size = parseInt(digits, 8);
    if (sum !== parseInt(upToNul(header.subarray(148, 156)), 8) || !/^[0-7]{11}$/.test(digits)) throw new Error("this is no tar file, or it is damaged");
    if (at + BLOCK + size > tar.length) throw new Error("the tar file is cut short");
    if (header[156] === 48) files.set(name.slice(name.indexOf("/") + 1), tar.slice(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
