// BLAKE2b (RFC 7693), SHA-512 and SHA-256 (FIPS 180-4): a number of 64 bits is two of 32, the high half first. SHA-512's
// constants are the first 64 bits of the fractions of cube roots of primes, and are computed so.

const primes = (() => {
  const found = [];
  for (let n = 2; found.length < 80; n++) if (found.every((p) => n % p)) found.push(n);
  return found;
})();

/** The first 64 bits after the point of the `power`th root of n. */
function fraction(n, power) {
  const wide = BigInt(n) << (64n * power);
  let root = 0n;
  for (let bit = 1n << 68n; bit; bit >>= 1n) if ((root | bit) ** power <= wide) root |= bit;
  return root & 0xffffffffffffffffn;
}

const halves = (numbers) => Uint32Array.from(numbers.flatMap((n) => [Number(n >> 32n), Number(n & 0xffffffffn)]));
const START = halves(primes.slice(0, 8).map((p) => fraction(p, 2n)));
const K = halves(primes.map((p) => fraction(p, 3n)));

// ---- BLAKE2b ----

const ORDER = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];
const PLACES = [
  [0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15],
  [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14],
];

/** v[a] += v[b] + m[x] (x < 0: nothing) */
function sum(v, a, b, m, x) {
  let low = v[2 * a + 1] + v[2 * b + 1];
  let high = v[2 * a] + v[2 * b];
  if (x >= 0) {
    low += m[2 * x + 1];
    high += m[2 * x];
  }
  v[2 * a + 1] = low;
  v[2 * a] = high + Math.floor(low / 0x100000000);
}

/** v[d] = (v[d] ^ v[a]) turned right by 32, 24, 16 or 63 bits */
function turn(v, d, a, by) {
  const high = v[2 * d] ^ v[2 * a];
  const low = v[2 * d + 1] ^ v[2 * a + 1];
  if (by === 32) {
    v[2 * d] = low;
    v[2 * d + 1] = high;
  } else if (by === 63) {
    v[2 * d] = (high << 1) | (low >>> 31);
    v[2 * d + 1] = (low << 1) | (high >>> 31);
  } else {
    v[2 * d] = (high >>> by) | (low << (32 - by));
    v[2 * d + 1] = (low >>> by) | (high << (32 - by));
  }
}

function blakeBlock(h, block, count, last) {
  const v = new Uint32Array(32);
  const m = new Uint32Array(32);
  const view = new DataView(block.buffer, block.byteOffset, 128);
  for (let i = 0; i < 16; i++) {
    m[2 * i] = view.getUint32(8 * i + 4, true);
    m[2 * i + 1] = view.getUint32(8 * i, true);
  }
  v.set(h);
  v.set(START, 16);
  v[25] ^= count;
  v[24] ^= Math.floor(count / 0x100000000);
  if (last) {
    v[28] = ~v[28];
    v[29] = ~v[29];
  }
  for (let round = 0; round < 12; round++) {
    const order = ORDER[round % 10];
    for (let i = 0; i < 8; i++) {
      const [a, b, c, d] = PLACES[i];
      sum(v, a, b, m, order[2 * i]);
      turn(v, d, a, 32);
      sum(v, c, d, m, -1);
      turn(v, b, c, 24);
      sum(v, a, b, m, order[2 * i + 1]);
      turn(v, d, a, 16);
      sum(v, c, d, m, -1);
      turn(v, b, c, 63);
    }
  }
  for (let i = 0; i < 16; i++) h[i] ^= v[i] ^ v[16 + i];
}

/** `size` bytes, 1 to 64; `key`: none, or up to 64 bytes. */
export function blake2b(data, size = 32, key = new Uint8Array(0)) {
  const h = START.slice();
  h[1] ^= 0x01010000 ^ (key.length << 8) ^ size;
  let input = data;
  if (key.length) {
    input = new Uint8Array(128 + data.length);
    input.set(key);
    input.set(data, 128);
  }
  let at = 0;
  for (; at + 128 < input.length; at += 128) blakeBlock(h, input.subarray(at, at + 128), at + 128, false);
  const block = new Uint8Array(128);
  block.set(input.subarray(at));
  blakeBlock(h, block, input.length, true);
  const out = new DataView(new ArrayBuffer(64));
  for (let i = 0; i < 8; i++) {
    out.setUint32(8 * i, h[2 * i + 1], true);
    out.setUint32(8 * i + 4, h[2 * i], true);
  }
  return new Uint8Array(out.buffer, 0, size);
}

// ---- SHA-2 ----

/** The input with its padding, in whole blocks of `size` bytes. */
function padded(data, size) {
  const whole = new Uint8Array(Math.ceil((data.length + 1 + size / 8) / size) * size);
  whole.set(data);
  whole[data.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(whole.length - 8, Math.floor(data.length / 0x20000000));
  view.setUint32(whole.length - 4, data.length << 3);
  return view;
}

/** The halves of a 64-bit number turned right by `by` (below 32). */
const turnHigh = (high, low, by) => (high >>> by) | (low << (32 - by));
/** The exclusive or of three turns; by more than 32: with the halves changed over. */
function turns(high, low, bys, shift) {
  let [outHigh, outLow] = [0, 0];
  for (const by of bys) {
    const [h, l, n] = by < 32 ? [high, low, by] : [low, high, by - 32];
    outHigh ^= turnHigh(h, l, n);
    outLow ^= turnHigh(l, h, n);
  }
  if (shift) {
    outHigh ^= high >>> shift;
    outLow ^= turnHigh(low, high, shift);
  }
  return [outHigh >>> 0, outLow >>> 0];
}

function sha512Block(h, view, from) {
  const w = new Uint32Array(160);
  for (let i = 0; i < 32; i++) w[i] = view.getUint32(from + 4 * i);
  for (let i = 16; i < 80; i++) {
    const [aHigh, aLow] = turns(w[2 * i - 30], w[2 * i - 29], [1, 8], 7);
    const [bHigh, bLow] = turns(w[2 * i - 4], w[2 * i - 3], [19, 61], 6);
    const low = w[2 * i - 31] + w[2 * i - 13] + aLow + bLow;
    w[2 * i + 1] = low;
    w[2 * i] = w[2 * i - 32] + w[2 * i - 14] + aHigh + bHigh + Math.floor(low / 0x100000000);
  }
  const s = h.slice();
  for (let i = 0; i < 80; i++) {
    const [eHigh, eLow] = turns(s[8], s[9], [14, 18, 41], 0);
    const [aHigh, aLow] = turns(s[0], s[1], [28, 34, 39], 0);
    const chooseHigh = ((s[8] & s[10]) ^ (~s[8] & s[12])) >>> 0;
    const chooseLow = ((s[9] & s[11]) ^ (~s[9] & s[13])) >>> 0;
    const mostHigh = ((s[0] & s[2]) ^ (s[0] & s[4]) ^ (s[2] & s[4])) >>> 0;
    const mostLow = ((s[1] & s[3]) ^ (s[1] & s[5]) ^ (s[3] & s[5])) >>> 0;
    const oneLow = s[15] + eLow + chooseLow + K[2 * i + 1] + w[2 * i + 1];
    const oneHigh = s[14] + eHigh + chooseHigh + K[2 * i] + w[2 * i] + Math.floor(oneLow / 0x100000000);
    const twoLow = aLow + mostLow;
    const twoHigh = aHigh + mostHigh + Math.floor(twoLow / 0x100000000);
    s.copyWithin(2, 0, 14);
    const fourth = s[9] + (oneLow >>> 0);
    s[9] = fourth;
    s[8] = s[8] + oneHigh + Math.floor(fourth / 0x100000000);
    const first = (oneLow >>> 0) + (twoLow >>> 0);
    s[1] = first;
    s[0] = oneHigh + twoHigh + Math.floor(first / 0x100000000);
  }
  for (let i = 0; i < 16; i += 2) {
    const low = h[i + 1] + s[i + 1];
    h[i + 1] = low;
    h[i] = h[i] + s[i] + Math.floor(low / 0x100000000);
  }
}

function words(h) {
  const out = new DataView(new ArrayBuffer(4 * h.length));
  h.forEach((word, i) => out.setUint32(4 * i, word));
  return new Uint8Array(out.buffer);
}

export function sha512(data) {
  const h = START.slice();
  const view = padded(data, 128);
  for (let at = 0; at < view.byteLength; at += 128) sha512Block(h, view, at);
  return words(h);
}

const right = (x, n) => (x >>> n) | (x << (32 - n));

/** Its constants are the first halves of those of SHA-512. */
export function sha256(data) {
  const h = START.filter((_, i) => i % 2 === 0);
  const view = padded(data, 64);
  const w = new Uint32Array(64);
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] = w[i - 16] + w[i - 7] + ((right(x, 7) ^ right(x, 18) ^ (x >>> 3)) >>> 0) + ((right(y, 17) ^ right(y, 19) ^ (y >>> 10)) >>> 0);
    }
    const s = h.slice();
    for (let i = 0; i < 64; i++) {
      const one = s[7] + ((right(s[4], 6) ^ right(s[4], 11) ^ right(s[4], 25)) >>> 0) + (((s[4] & s[5]) ^ (~s[4] & s[6])) >>> 0) + K[2 * i] + w[i];
      const two = ((right(s[0], 2) ^ right(s[0], 13) ^ right(s[0], 22)) >>> 0) + (((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])) >>> 0);
      s.copyWithin(1, 0, 7);
      s[4] += one;
      s[0] = one + two;
    }
    for (let i = 0; i < 8; i++) h[i] += s[i];
  }
  return words(h);
}
