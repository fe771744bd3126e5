// Bytes: Uint8Array in and out.

const utf8 = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const encode = (text) => utf8.encode(text);
/** Throws on bytes that are no UTF-8. */
export const decode = (bytes) => strict.decode(bytes);

export function join(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function same(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** As memcmp, for sort(). */
export function compare(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

export function le32(number) {
  return new Uint8Array([number, number >>> 8, number >>> 16, number >>> 24]);
}

export function be32(number) {
  return le32(number).reverse();
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Of small letters; null when it is not that. */
export function fromHex(text, size) {
  if (typeof text !== "string" || text.length !== 2 * size || !/^[0-9a-f]*$/.test(text)) return null;
  return Uint8Array.from({ length: size }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function toBase64(bytes) {
  let out = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const three = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const left = Math.min(3, bytes.length - i);
    for (let j = 0; j < 4; j++) out += j <= left ? SIGNS[(three >> (18 - 6 * j)) & 63] : "=";
  }
  return out;
}

/** With padding, and in its only form; null when it is not that. */
export function fromBase64(text) {
  if (typeof text !== "string" || text.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const plain = text.replace(/=+$/, "");
  const out = new Uint8Array(Math.floor((plain.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (const sign of plain) {
    bits = ((bits << 6) | SIGNS.indexOf(sign)) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out[at++] = bits >> held;
  }
  return toBase64(out) === text ? out : null;
}

/** base64url without padding. */
export const toBase64url = (bytes) => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** base64url without padding; null when it is not that. */
export function fromBase64url(text) {
  if (typeof text !== "string" || !/^[A-Za-z0-9_-]*$/.test(text)) return null;
  const plain = text.replaceAll("-", "+").replaceAll("_", "/");
  return fromBase64(plain + "=".repeat((4 - (plain.length % 4)) % 4));
}
