// Ed25519 (RFC 8032, strict as the format page has it), ristretto255 (RFC 9496) and the proofs of draws
// (ECVRF-RISTRETTO255-SHA512). Nothing here is secret, so nothing need be in constant time; what a public key is
// multiplied with is looked up in tables. WebCrypto's Ed25519 is not used: not every browser has it, and those that
// have it do not all refuse the same made-up signatures.
import { same as sameBytes, encode, join } from "./bytes.js";
import { sha512 } from "./hashes.js";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const mod = (a) => {
  const b = a % P;
  return b < 0n ? b + P : b;
};

function power(base, exponent) {
  let out = 1n;
  for (let a = mod(base), e = exponent; e; e >>= 1n, a = (a * a) % P) if (e & 1n) out = (out * a) % P;
  return out;
}

const inverse = (a) => power(a, P - 2n);
const D = mod(-121665n * inverse(121666n));
const D2 = mod(2n * D);
const I = power(2n, (P - 1n) / 4n); // the root of -1

function number(bytes) {
  let out = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) out = (out << 8n) | BigInt(bytes[i]);
  return out;
}

function bytesOf(n) {
  const out = new Uint8Array(32);
  for (let i = 0, rest = n; i < 32; i++, rest >>= 8n) out[i] = Number(rest & 255n);
  return out;
}

// ---- points of the curve: [X, Y, Z, T], x = X/Z, y = Y/Z, T = XY/Z ----

const NEUTRAL = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = ((y1 - x1) * (y2 - x2)) % P;
  const b = ((y1 + x1) * (y2 + x2)) % P;
  const c = (((t1 * D2) % P) * t2) % P;
  const d = (2n * z1 * z2) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

function double([x, y, z]) {
  const xx = (x * x) % P;
  const yy = (y * y) % P;
  const h = xx + yy;
  const e = h - (((x + y) * (x + y)) % P);
  const g = xx - yy;
  const f = ((2n * z * z) % P) + g;
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

const negate = ([x, y, z, t]) => [-x, y, z, -t];
const samePoint = (a, b) => mod(a[0] * b[2] - b[0] * a[2]) === 0n && mod(a[1] * b[2] - b[1] * a[2]) === 0n;
const isSmall = (a) => samePoint(double(double(double(a))), NEUTRAL);

/** The multiples of a point by 0 to 15. */
function rowOf(point) {
  const row = [NEUTRAL, point];
  while (row.length < 16) row.push(add(row[row.length - 1], point));
  return row;
}

/** n·a, four bits at a time. */
function multiply(n, a) {
  const row = rowOf(a);
  let out = NEUTRAL;
  for (let shift = 252n; shift >= 0n; shift -= 4n) {
    if (out !== NEUTRAL) out = double(double(double(double(out))));
    const digit = Number((n >> shift) & 15n);
    if (digit) out = add(out, row[digit]);
  }
  return out;
}

/** A point that is multiplied often: its multiples by d·16^i. */
class Table {
  constructor(point) {
    this.rows = [];
    for (let i = 0, at = point; i < 64; i++, at = double(double(double(double(at))))) this.rows.push(rowOf(at));
  }

  times(n) {
    let out = NEUTRAL;
    for (let i = 0, rest = n; rest; i++, rest >>= 4n) {
      const digit = Number(rest & 15n);
      if (digit) out = add(out, this.rows[i][digit]);
    }
    return out;
  }
}

/** The first `most` that were asked for are remembered. */
function remembered(make, most) {
  const known = new Map();
  return (bytes) => {
    const name = String(bytes);
    if (!known.has(name)) {
      if (known.size >= most) known.delete(known.keys().next().value);
      known.set(name, make(bytes));
    }
    return known.get(name);
  };
}

/** [there is a root of u/v, the root or that of I·u/v, even] */
function rootOfRatio(u, v) {
  const v3 = (((v * v) % P) * v) % P;
  const v7 = (((v3 * v3) % P) * v) % P;
  let r = mod(((u * v3) % P) * power(u * v7, (P - 5n) / 8n));
  const check = mod(v * ((r * r) % P));
  const [right, turned] = [check === mod(u), check === mod(-u)];
  if (turned || check === mod(-u * I)) r = (r * I) % P;
  return [right || turned, magnitude(r)];
}

function magnitude(a) {
  const b = mod(a);
  return b & 1n ? P - b : b;
}

/** The point of a canonical encoding, or null. */
function pointOf(bytes) {
  const all = number(bytes);
  const y = all & (2n ** 255n - 1n);
  const sign = all >> 255n;
  if (y >= P) return null;
  const [there, root] = rootOfRatio(mod(y * y - 1n), mod(D * y * y + 1n));
  if (!there || (root === 0n && sign)) return null;
  const x = (root & 1n) === sign ? root : P - root;
  return [x, y, 1n, (x * y) % P];
}

function pointBytes([x, y, z]) {
  const i = inverse(z);
  return bytesOf(mod(y * i) | ((mod(x * i) & 1n) << 255n));
}

const BASE = new Table(pointOf(bytesOf(mod(4n * inverse(5n)))));

// ---- Ed25519 ----

const negativeKey = remembered((bytes) => {
  const point = bytes.length === 32 ? pointOf(bytes) : null;
  return point && !isSmall(point) ? new Table(negate(point)) : null;
}, 64);

/** Is it the encoding of a point that can be a player's key, one of the group of order L? */
export const isPoint = remembered((bytes) => {
  const table = negativeKey(bytes);
  return table !== null && samePoint(table.times(L), NEUTRAL);
}, 64);

export function verify(key, signature, message) {
  const table = negativeKey(key);
  if (!table || signature.length !== 64) return false;
  const s = number(signature.subarray(32));
  if (s >= L) return false;
  const k = number(sha512(join(signature.subarray(0, 32), key, message))) % L;
  const r = add(BASE.times(s), table.times(k));
  return !isSmall(r) && sameBytes(pointBytes(r), signature.subarray(0, 32));
}

// ---- ristretto255 ----

const SQRT_AD_1 = P - rootOfRatio(mod(-D - 1n), 1n)[1];
const INVERSE_SQRT_A_D = rootOfRatio(1n, mod(-1n - D))[1];

/** The element of a valid encoding, or null (4.3.1). */
function elementOf(bytes) {
  const s = number(bytes);
  if (bytes.length !== 32 || s >= P || s & 1n) return null;
  const [u1, u2] = [mod(1n - s * s), mod(1n + s * s)];
  const v = mod(-D * ((u1 * u1) % P) - u2 * u2);
  const [there, root] = rootOfRatio(1n, mod(v * ((u2 * u2) % P)));
  const x = magnitude(2n * s * ((root * u2) % P));
  const y = mod(((((u1 * root) % P) * root) % P) * ((u2 * v) % P));
  const t = (x * y) % P;
  return there && !(t & 1n) && y ? [x, y, 1n, t] : null;
}

/** 4.3.2 */
function elementBytes([x0, y0, z0, t0]) {
  const u1 = mod((z0 + y0) * (z0 - y0));
  const u2 = mod(x0 * y0);
  const root = rootOfRatio(1n, mod(u1 * ((u2 * u2) % P)))[1];
  const [d1, d2] = [(root * u1) % P, (root * u2) % P];
  const z = mod(((d1 * d2) % P) * t0);
  const turned = mod(t0 * z) & 1n;
  const [x, y, d] = turned ? [mod(y0 * I), mod(x0 * I), (d1 * INVERSE_SQRT_A_D) % P] : [x0, y0, d2];
  return bytesOf(magnitude(d * (z0 - (mod(x * z) & 1n ? -y : y))));
}

function half(bytes) {
  const t = (number(bytes) & (2n ** 255n - 1n)) % P;
  const r = mod(I * ((t * t) % P));
  const u = mod((r + 1n) * mod(1n - D * D));
  const v = mod(mod(-1n - r * D) * (r + D));
  let [there, s] = rootOfRatio(u, v);
  if (!there) s = mod(-magnitude(s * t));
  const c = there ? -1n : r;
  const n = mod(mod(c * (r - 1n)) * mod((D - 1n) * (D - 1n)) - v);
  const [w0, w1, w2, w3] = [mod(2n * s * v), mod(n * SQRT_AD_1), mod(1n - s * s), mod(1n + s * s)];
  return [(w0 * w3) % P, (w2 * w1) % P, (w1 * w3) % P, (w0 * w2) % P];
}

const isNeutral = (a) => mod(a[0]) === 0n || mod(a[1]) === 0n;

// ---- proofs of draws ----

const SUITE = join(new Uint8Array([0xff]), encode("c2sp.org/vrf-r255"));
const ZERO = new Uint8Array(1);
const hash = (tag, ...parts) => sha512(join(SUITE, new Uint8Array([tag]), ...parts));

const elementTable = remembered((bytes) => {
  const element = elementOf(bytes);
  return element && !isNeutral(element) ? new Table(element) : null;
}, 16);

export const isDrawKey = (bytes) => elementTable(bytes) !== null;

/** The 64 bytes that follow from a proof (80 bytes) over `alpha`, or null when it does not hold. */
export function proofOutput(key, proof, alpha) {
  const table = elementTable(key);
  const gammaBytes = proof.subarray(0, 32);
  const gamma = proof.length === 80 ? elementOf(gammaBytes) : null;
  if (!table || !gamma || isNeutral(gamma)) return null;
  const c = number(proof.subarray(32, 48));
  const s = number(proof.subarray(48));
  if (s >= L) return null;
  const hashed = hash(0x82, key, alpha);
  const h = add(half(hashed.subarray(0, 32)), half(hashed.subarray(32)));
  const parts = [BASE.times(s), table.times(c), multiply(s, h), multiply(c, gamma)];
  const u = add(parts[0], negate(parts[1]));
  const v = add(parts[2], negate(parts[3]));
  if ([...parts, u, v].some(isNeutral)) return null;
  const again = hash(0x02, key, elementBytes(h), gammaBytes, elementBytes(u), elementBytes(v), ZERO).subarray(0, 16);
  return sameBytes(again, proof.subarray(32, 48)) ? hash(0x03, gammaBytes, ZERO) : null;
}
