// The proofs in a mail of the league: each is an entry of its log and the proof that it is there (c2sp.org/tlog-proof), in an armor that
// survives whatever mail programs do to a text.
import { encode, fromBase64, join, same } from "./check/bytes.js";
import { verify } from "./check/curve.js";
import { textOf } from "./check/forms.js";
import { sha256 } from "./check/hashes.js";

const ARMOR = /BEGIN TURNPOST PROOF((?:(?!BEGIN TURNPOST)[^]){0,8000}?)END TURNPOST PROOF/g;
const MOST = 100; // that are looked into: each takes some milliseconds
const SIGNER = 1; // the kind of a log's own signature
const MOST_HASHES = 63;

const leafOf = (entry) => sha256(join(new Uint8Array([0]), encode(entry)));
const nodeOf = (left, right) => sha256(join(new Uint8Array([1]), left, right));

/** The root of a tree of `size` leaves with this one at `index` (RFC 9162, 2.1.3.2); null: the path is of another length. */
function rootOf(leaf, index, size, path) {
  let [at, last, hash] = [index, size - 1, leaf];
  for (const one of path) {
    if (last === 0) return null;
    if (at % 2 || at === last) {
      hash = nodeOf(one, hash);
      while (at % 2 === 0 && at) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      hash = nodeOf(hash, one);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash : null;
}

/** {ours: the league's key has signed this note, foreign: another one's stands there in its place}. */
function signedBy(point, origin, text, lines) {
  const id = sha256(join(encode(`${origin}\n`), new Uint8Array([SIGNER]), point)).slice(0, 4);
  for (const line of lines) {
    const [dash, name, coded] = line.split(" ");
    const bytes = dash === "\u2014" && name === origin && fromBase64(coded ?? "");
    if (bytes && bytes.length === 68 && same(bytes.slice(0, 4), id)) return { ours: verify(point, bytes.slice(4), encode(text)), foreign: false };
  }
  return { ours: false, foreign: true };
}

/** `text`: entry and proof, as the armor holds them. `point`: the league's key. Null: it is neither. */
function read(text, point) {
  const [entry, version, ...rest] = text.split("\n");
  if (rest[0]?.startsWith("extra ")) rest.shift();
  const index = /^index (0|[1-9][0-9]{0,14})$/.exec(rest.shift() ?? "");
  const path = rest.splice(0, rest.indexOf("")).map(fromBase64);
  const [, origin, count, root, empty, ...signatures] = rest;
  const size = /^[1-9][0-9]{0,14}$/.test(count ?? "") ? Number(count) : 0;
  if (version !== "c2sp.org/tlog-proof@v1" || !index || empty !== "" || path.length > MOST_HASHES || path.some((one) => one?.length !== 32)) return null;
  const made = Number(index[1]) < size ? rootOf(leafOf(`${entry}\n`), Number(index[1]), size, path) : null;
  const stated = fromBase64(root);
  const { ours, foreign } = signedBy(point, origin, `${origin}\n${count}\n${root}\n`, signatures);
  return { entry, foreign, good: ours && Boolean(made && stated) && same(made, stated) };
}

/** Of each proof in the text: {entry: the line, good: it is in the log of the league with that key, foreign: in another one's, if in any}. */
export function proofsIn(text, point) {
  const found = [];
  for (const [, armor] of text.matchAll(ARMOR)) {
    if (found.length === MOST) break;
    const bytes = fromBase64(armor.replace(/[^A-Za-z0-9+/=]/g, ""));
    let one = null;
    try {
      one = bytes && read(textOf(bytes), point);
    } catch {
      // whatever is wrong with it
    }
    found.push(one ?? { entry: "", good: false, foreign: false });
  }
  return found;
}
