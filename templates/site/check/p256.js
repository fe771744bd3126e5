// ECDSA over P-256 (FIPS 186-4) with SHA-256, strict as the format page has it (section 4). Nothing here is secret.
import { join } from "./bytes.js";
import { sha256 } from "./hashes.js";

const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;
const BASE = [
  0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
];
const INFINITY = [1n, 1n, 0n]; // [X, Y, Z], x = X/Z², y = Y/Z³

const number = (bytes) => bytes.reduce((out, byte) => (out << 8n) | BigInt(byte), 0n);
const mod = (a, m = P) => ((a % m) + m) % m;

const bytesOf = (n) => Uint8Array.from({ length: 32 }, (_, i) => Number((n >> BigInt(8 * (31 - i))) & 255n));

function power(base, exponent) {
  let out = 1n;
  for (let a = mod(base), e = exponent; e; e >>= 1n, a = mod(a * a)) if (e & 1n) out = mod(out * a);
  return out;
}

function inverse(a, m) {
  let [low, high, x, y] = [mod(a, m), m, 1n, 0n];
  while (low) [high, low, y, x] = [low, high % low, x, y - (high / low) * x];
  return mod(y, m);
}

const onCurve = (x, y) => x < P && y < P && mod(y * y - x * x * x + 3n * x - B) === 0n;

function double([x, y, z]) {
  const yy = mod(y * y);
  const s = mod(4n * x * yy);
  const m = mod(3n * (x - z * z) * (x + z * z));
  const x3 = mod(m * m - 2n * s);
  return [x3, mod(m * (s - x3) - 8n * yy * yy), mod(2n * y * z)];
}

function add(a, b) {
  if (!a[2] || !b[2]) return a[2] ? a : b;
  const [za, zb] = [mod(a[2] * a[2]), mod(b[2] * b[2])];
  const [u, v] = [mod(a[0] * zb), mod(b[0] * za)];
  const [s, t] = [mod(a[1] * zb * b[2]), mod(b[1] * za * a[2])];
  if (u === v) return s === t ? double(a) : INFINITY;
  const [h, r] = [v - u, t - s];
  const hh = mod(h * h);
  const [hhh, w] = [mod(h * hh), mod(u * hh)];
  const x = mod(r * r - hhh - 2n * w);
  return [x, mod(r * (w - x) - s * hhh), mod(a[2] * b[2] * h)];
}

/** Is it x ‖ y of a point of the curve? */
export const isPoint = (point) => point.length === 64 && onCurve(number(point.subarray(0, 32)), number(point.subarray(32)));

/** u·a + v·b of points [x, y], as [x, y]; null: the point at infinity. */
function sumOf(u, a, v, b) {
  const [one, two] = [[...a, 1n], [...b, 1n]];
  const both = add(one, two);
  let sum = INFINITY;
  for (let bit = 255n; bit >= 0n; bit--) {
    const [first, second] = [(u >> bit) & 1n, (v >> bit) & 1n];
    sum = double(sum);
    if (first || second) sum = add(sum, first && second ? both : first ? one : two);
  }
  if (!sum[2]) return null;
  const z = inverse(sum[2], P);
  return [mod(sum[0] * z * z), mod(sum[1] * z * z * z)];
}

/** r and s, of which s is the lower one; null: none that could hold. */
function numbersOf(signature) {
  const [r, s] = [number(signature.subarray(0, 32)), number(signature.subarray(32))];
  return signature.length !== 64 || r <= 0n || r >= N || s <= 0n || s > N / 2n ? null : [r, s];
}

/** `point`: x ‖ y; `signature`: r ‖ s with the lower s. */
export function verify(point, signature, message) {
  const rs = numbersOf(signature);
  if (!isPoint(point) || !rs) return false;
  const w = inverse(rs[1], N);
  const key = [number(point.subarray(0, 32)), number(point.subarray(32))];
  const sum = sumOf(mod(number(sha256(message)) * w, N), BASE, mod(rs[0] * w, N), key);
  return sum !== null && mod(sum[0], N) === rs[0];
}

/** r ‖ s with the lower s, of a signature in either form. */
export function lower(signature) {
  const s = number(signature.subarray(32));
  return join(signature.subarray(0, 32), bytesOf(s > N / 2n ? N - s : s));
}

/** The points x ‖ y under which the signature holds: two as a rule, of which its maker has one. (Others need an r that is greater than
 * the order of the curve, which nobody meets.) */
export function signers(signature, message) {
  const rs = numbersOf(signature);
  if (!rs) return [];
  const [r, s] = rs;
  const square = mod(r * r * r - 3n * r + B);
  const root = power(square, (P + 1n) / 4n);
  if (mod(root * root) !== square) return [];
  const w = inverse(r, N);
  const z = number(sha256(message));
  const points = [root, P - root].map((y) => sumOf(mod(s * w, N), [r, y], mod(-z * w, N), BASE));
  return points.filter((point) => point).map(([x, y]) => join(bytesOf(x), bytesOf(y)));
}
