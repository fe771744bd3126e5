// What proves that an entry is in the league's log, and who has cosigned that (section 15 of the format page; c2sp.org/tlog-proof).
import { encode, fromBase64, join, le32, toBase64, toHex } from "./bytes.js";
import { verify } from "./curve.js";
import { must } from "./forms.js";
import { blake2b, sha256 } from "./hashes.js";

const VERSION = "c2sp.org/tlog-proof@v1";
const NUMBER = /^(0|[1-9][0-9]{0,14})$/;
const leafOf = (line) => sha256(join(Uint8Array.of(0), encode(`${line}\n`)));
const nodeOf = (left, right) => sha256(join(Uint8Array.of(1), left, right));

/** The root of a tree with this leaf (RFC 9162, 2.1.3.2); null: the path has another length. */
function rootOf(leaf, index, size, path) {
  let [node, at, last] = [leaf, index, size - 1];
  for (const one of path) {
    if (last === 0) return null;
    if (at % 2 === 1 || at === last) {
      node = nodeOf(one, node);
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      node = nodeOf(node, one);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? node : null;
}

/** {name, id, key} of a vkey; `sort`: 1 a log's, 4 a witness's. */
export function vkeyOf(text, sort) {
  const [, name, id, coded] = /^([^\s+]{1,127})\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const data = coded ? fromBase64(coded) : null;
  must(data?.length === 33 && data[0] === sort, "a vkey that is none, or of another sort");
  must(toHex(sha256(join(encode(`${name}\n`), data)).slice(0, 4)) === id, "a vkey with another number");
  return { name, id, key: data.slice(1) };
}

/** Does ALPHA of a close follow from what its proof has beside: base, D, and a mark a seat? */
function opens(line, extra) {
  const [, turn, rollbacks, digest] = /^close .* turn ([0-9]+)\.([0-9]+) alpha ([0-9a-f]{64})$/.exec(line) ?? [];
  const seats = (extra?.length ?? 0) / 32 - 2;
  if (!digest || !Number.isInteger(seats) || seats < 1 || seats > 8) return false;
  const alpha = join(encode("turnpost/dice\0"), extra.slice(0, 64), le32(Number(rollbacks)), le32(Number(turn)), le32(seats), extra.slice(64));
  return toHex(blake2b(alpha)) === digest;
}

/** {line, cosigned}: the entry that `text` proves, and when the witness had cosigned the checkpoint (seconds). `log`, `witness`: vkeys; without a witness nobody need have. */
export function entryOf(text, log, witness = null) {
  const [line, version, ...after] = text.split("\n");
  const extra = after[0]?.startsWith("extra ") ? after.shift().slice(6) : null;
  must(extra === null || (!witness && opens(line, fromBase64(extra))), "what stands beside the proof is not what ALPHA follows from");
  const [index, ...rest] = after;
  const place = /^index (.*)$/.exec(index ?? "")?.[1] ?? "";
  const blank = rest.indexOf("");
  must(version === VERSION && NUMBER.test(place) && blank >= 0, "no proof of a log");
  const path = rest.slice(0, blank).map(fromBase64);
  const [origin, size, root, empty, ...signatures] = rest.slice(blank + 1);
  must(origin === log.name && NUMBER.test(size ?? "") && Number(place) < Number(size) && empty === "", "no checkpoint of the log");
  must(path.every((one) => one?.length === 32), "the path is none");
  const made = rootOf(leafOf(line), Number(place), Number(size), path);
  must(made && toBase64(made) === root, "the entry is not in the tree of its checkpoint");
  must(signatures.pop() === "" && signatures.length, "the checkpoint is not signed");
  const note = `${origin}\n${size}\n${root}\n`;
  let [signed, cosigned] = [false, null];
  for (const one of signatures) {
    const [, name, coded] = /^\u2014 (\S+) (\S+)$/.exec(one) ?? [];
    const data = coded ? fromBase64(coded) : null;
    must(data && data.length > 4, "no signature of a note");
    const is = (key) => name === key.name && toHex(data.slice(0, 4)) === key.id;
    if (is(log)) {
      must(verify(log.key, data.slice(4), encode(note)), "the league's signature under the checkpoint is wrong");
      signed = true;
    }
    if (witness && is(witness)) {
      must(data.length === 76, "a cosignature without a time");
      const time = Number(new DataView(data.buffer, data.byteOffset + 4, 8).getBigUint64(0));
      must(verify(witness.key, data.slice(12), encode(`cosignature/v1\ntime ${time}\n${note}`)), "the cosignature is wrong");
      cosigned = cosigned === null ? time : Math.min(cosigned, time);
    }
  }
  must(signed, "the checkpoint is not signed by the league");
  must(!witness || cosigned !== null, "the witness has not cosigned it");
  return { line, cosigned };
}
