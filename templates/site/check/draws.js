// What the proofs of draws are over, and dice and shuffles from them (section 6 of the format page).
import { compare, encode, join, le32 } from "./bytes.js";
import { blake2b } from "./hashes.js";

const words = (text) => encode(`${text}\0`);

/** What the proof of a turn is over. `over`: {root (head of create, or nonce), deal, rollbacks, turn, seals}. */
export function alphaOf({ root, deal, rollbacks, turn, seals }) {
  return join(words("turnpost/dice"), root, deal, le32(rollbacks), le32(turn), le32(seals.length), ...seals);
}

/** The same of a witness. `log`: the vkey of the log, `turn`: "T.R", `alpha`: of the turn, in hex, as the entry of its close has it. */
export function witnessInput({ log, name, turn, alpha }) {
  return join(words("turnpost/witness"), encode(`${log}\nclose ${name} turn ${turn} alpha ${alpha}\n`));
}

/** R: `betas` are the output of the league's proof and of those of the witnesses who answered. */
export const rootOf = (betas) => blake2b(join(words("turnpost/roll"), ...betas), 64);
export const hiddenAlpha = (root, label) => join(words("turnpost/hide"), root, encode(label));

const left = (x, n) => (x << n) | (x >>> (32 - n));

/** One block of ChaCha20 (RFC 8439, 2.3), as 16 numbers. */
function chachaBlock(key, counter, nonce) {
  const bytes = join(encode("expand 32-byte k"), key, le32(counter), nonce);
  const view = new DataView(bytes.buffer);
  const start = Uint32Array.from({ length: 16 }, (_, i) => view.getUint32(4 * i, true));
  const s = start.slice();
  const quarter = (a, b, c, d) => {
    for (const [x, y, z, by] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
      s[x] += s[y];
      s[z] = left(s[z] ^ s[x], by);
    }
  };
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 4; i++) quarter(i, i + 4, i + 8, i + 12);
    for (let i = 0; i < 4; i++) quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
  }
  return s.map((word, i) => word + start[i]);
}

/** `bytes` with the stream of a key and the nonce 0: what is in a box, or the box of it. */
export function turned(key, bytes) {
  const out = bytes.slice();
  for (let at = 0; at < out.length; at += 64) {
    chachaBlock(key, at / 64, new Uint8Array(12)).forEach((word, i) => {
      for (let byte = 0; byte < 4 && at + 4 * i + byte < out.length; byte++) out[at + 4 * i + byte] ^= word >>> (8 * byte);
    });
  }
  return out;
}

const DRAWS = encode("LibsodiumDRG");

class Stream {
  constructor(root, label) {
    this.key = blake2b(join(words("turnpost/draw"), encode(label)), 32, root.subarray(0, 32));
    this.used = 0;
  }

  word() {
    if (this.used % 16 === 0) this.block = chachaBlock(this.key, this.used / 16, DRAWS);
    return this.block[this.used++ % 16];
  }

  below(most) {
    for (;;) {
      const word = this.word();
      if (word >= 2 ** 32 % most) return word % most;
    }
  }
}

export const die = (root, label, sides) => new Stream(root, label).below(sides) + 1;

export function shuffle(root, label, items) {
  const stream = new Stream(root, label);
  const out = [...items];
  for (let i = out.length; i >= 2; i--) {
    const j = stream.below(i);
    [out[i - 1], out[j]] = [out[j], out[i - 1]];
  }
  return out;
}

/** `held`: {seat, player, mark} of each seat that is drawn, in the order of their marks. */
export const inOrderOfMarks = (held) => [...held].sort((a, b) => compare(a.mark, b.mark));

/** {seat, player} in rising order of seats: who sits where after the draw. */
export function seated(root, held) {
  const players = shuffle(root, "seats", inOrderOfMarks(held).map((one) => one.player));
  const seats = held.map((one) => one.seat).sort((a, b) => a - b);
  return seats.map((seat, i) => ({ player: players[i], seat }));
}
