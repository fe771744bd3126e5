// What stands in the files, as the format page (src/journal/README.md) describes it: JSON, keys, signatures, canonical
// text, frames. Each function gives the value or throws a Fault with the reason.
import { be32, decode, encode, fromBase64, fromHex, join, toBase64, toBase64url, toHex } from "./bytes.js";
import * as ed25519 from "./curve.js";
import * as p256 from "./p256.js";
import { blake2b, sha256, sha512 } from "./hashes.js";

/** Something is wrong. */
export class Fault extends Error {}
/** Something of a later version, which cannot be judged here. */
export class Newer extends Error {}

export function must(good, why) {
  if (!good) throw new Fault(why);
}

// ---- JSON (section 1): whole numbers, no name twice, nothing that JSON.parse would pass over ----

const LONGEST_NUMBER = 20;
const DEEPEST = 2048;

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.depth = 0;
  }

  blank() {
    while (" \t\n\r".includes(this.text[this.at] ?? "x")) this.at++;
  }

  take(sign) {
    this.blank();
    if (this.text[this.at] !== sign) return false;
    this.at++;
    return true;
  }

  value() {
    this.blank();
    must(++this.depth <= DEEPEST, "it nests too deep");
    const rest = this.text[this.at];
    let out;
    if (rest === "{") out = this.object();
    else if (rest === "[") out = this.list();
    else if (rest === '"') out = this.string();
    else out = this.word();
    this.depth--;
    return out;
  }

  object() {
    const out = new Map();
    this.at++;
    if (this.take("}")) return Object.create(null);
    do {
      this.blank();
      must(this.text[this.at] === '"', "a name is no text");
      const name = this.string();
      must(!out.has(name), "a name stands twice in an object");
      must(this.take(":"), "a name without a value");
      out.set(name, this.value());
    } while (this.take(","));
    must(this.take("}"), "an object without its end");
    const object = Object.create(null);
    for (const [name, value] of out) object[name] = value;
    return object;
  }

  list() {
    const out = [];
    this.at++;
    if (this.take("]")) return out;
    do out.push(this.value());
    while (this.take(","));
    must(this.take("]"), "a list without its end");
    return out;
  }

  string() {
    const found = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
    found.lastIndex = this.at;
    const word = found.exec(this.text);
    must(word, "a text that is none");
    this.at = found.lastIndex;
    const out = JSON.parse(word[0]);
    must(!out.includes("\0") && !/\p{Surrogate}/u.test(out), "a text with a character that is none");
    return out;
  }

  word() {
    const found = /true|false|null|-?(?:0|[1-9][0-9]*)(?![0-9.eE])/y;
    found.lastIndex = this.at;
    const word = found.exec(this.text)?.[0];
    must(word, "a value that is none, or a number that is not whole");
    this.at = found.lastIndex;
    if (/^[tfn]/.test(word)) return JSON.parse(word);
    must(word.length <= LONGEST_NUMBER && BigInt.asIntN(64, BigInt(word)) === BigInt(word), "a number that is too large");
    const number = Number(word) + 0; // -0 is 0
    return Number.isSafeInteger(number) ? (number === 0 ? 0 : number) : BigInt(word);
  }
}

export function textOf(bytes) {
  try {
    return decode(bytes);
  } catch {
    throw new Fault("it is not UTF-8");
  }
}

/** The object in these bytes or this text. */
export function readJson(data) {
  const reader = new Reader(typeof data === "string" ? data : textOf(data));
  reader.blank();
  must(reader.text[reader.at] === "{", "it is no JSON object");
  const out = reader.value();
  reader.blank();
  must(reader.at === reader.text.length, "something stands after the JSON object");
  return out;
}

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const ESCAPES = { '"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const quoted = (text) =>
  `"${text.replace(/["\\\u0000-\u001f]/g, (c) => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`)}"`;

/** By the bytes of their UTF-8, which is by code points. */
function byBytes(a, b) {
  const [x, y] = [[...a], [...b]];
  for (let i = 0; i < Math.min(x.length, y.length); i++) if (x[i] !== y[i]) return x[i].codePointAt(0) - y[i].codePointAt(0);
  return x.length - y.length;
}

/** Canonical JSON (section 7). */
export function canonicalJson(value) {
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return String(value);
  const names = Object.keys(value).sort(byBytes);
  return `{${names.map((name) => `${quoted(name)}:${canonicalJson(value[name])}`).join(",")}}`;
}

// ---- members ----

export function number(record, name, least, most) {
  const value = record[name];
  must(Number.isInteger(value) && value >= least && value <= most, `"${name}" must be a number from ${least} to ${most}`);
  return value;
}

export function text(record, name) {
  must(typeof record[name] === "string", `"${name}" must be a text`);
  return record[name];
}

export function hexBytes(value, size, what) {
  const out = fromHex(value, size);
  must(out, `${what} must be ${2 * size} hex digits`);
  return out;
}

export const hex32 = (record, name) => hexBytes(record[name], 32, `"${name}"`);
export const isName = (value) => typeof value === "string" && /^[a-z0-9][a-z0-9._-]{0,31}$/.test(value) && !value.includes("..");

export function name(record, member) {
  must(isName(record[member]), `"${member}" must be a name`);
  return record[member];
}

/** Seconds since 1970. */
export function time(record, member) {
  const value = record[member];
  const form = typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);
  const milliseconds = form ? Date.parse(value) : NaN;
  const real = milliseconds > 0 && new Date(milliseconds).toISOString() === value.replace("Z", ".000Z");
  must(real, `"${member}" must be a time`);
  return milliseconds / 1000;
}

/** Has exactly these members; a ? after a name: it may be absent. */
export function only(object, members, what) {
  must(isObject(object), `${what} must be an object`);
  const names = members.split(" ");
  for (const member of names) must(member.endsWith("?") || member in object, `${what} lacks "${member}"`);
  for (const member of Object.keys(object)) must(names.includes(member) || names.includes(`${member}?`), `${what} has a member "${member.slice(0, 20)}"`);
}

// ---- keys and signatures (section 4) ----

/** Bytes with their length before them (RFC 4251). */
export const wire = (bytes) => join(be32(bytes.length), bytes);

/** [such bytes at `at`, where they end] */
export function unwire(data, at) {
  must(at + 4 <= data.length, "a key is cut");
  const size = new DataView(data.buffer, data.byteOffset).getUint32(at);
  must(at + 4 + size <= data.length, "a key is cut");
  return [data.slice(at + 4, at + 4 + size), at + 4 + size];
}

/** The fields of an OpenSSH key after its word, which must be that of the line. */
function sshFields(word, data, count) {
  const fields = [];
  let at = 0;
  for (let i = 0; i <= count; i++) {
    let field;
    [field, at] = unwire(data, at);
    fields.push(field);
  }
  must(at === data.length && String(fields[0]) === String(encode(word)), "a key of another kind than its line says");
  return fields.slice(1);
}

/** What SSHSIG signs. */
export function sshSigned(namespace, hash, data) {
  const digest = hash === "sha512" ? sha512(data) : sha256(data);
  return join(encode("SSHSIG"), wire(encode(namespace)), wire(encode("")), wire(encode(hash)), wire(digest));
}

function ofPlayers(signature, data) {
  must(signature.hash === "sha512" || signature.hash === "sha256", "an unknown hash in a signature");
  must(signature.namespace === "orders@turnpost", "a signature for another namespace");
  return sshSigned("orders@turnpost", signature.hash, data);
}

function sigBytes(signature) {
  const out = fromBase64(signature.sig);
  must(out, "a signature is not base64");
  return out;
}

/** The point of a minisign or signify key. */
function numbered(data) {
  must(data.length === 42 && data[0] === 0x45 && data[1] === 0x64, "a damaged key of minisign or signify");
  return { number: data.slice(2, 10), point: data.slice(10) };
}

/** Of a FIDO token or a passkey. */
function applicationOf(bytes) {
  const application = String.fromCharCode(...bytes);
  must(/^[!-~]{1,63}$/.test(application), "a key without its application");
  return bytes;
}

function curvePoint(name, point) {
  must(String(name) === String(encode("nistp256")), "a key of another curve");
  must(point.length === 65 && point[0] === 4, "a point that is not written in whole");
  return point.slice(1);
}

/** What a token signs: the digest of what it is given, with what it adds. */
function tokenSigned(key, signature, given) {
  const flags = number(signature, "flags", 0, 255);
  must(flags & 1, "the token was not touched");
  const counter = be32(number(signature, "counter", 0, 2 ** 32 - 1));
  return join(sha256(key.application), new Uint8Array([flags]), counter, sha256(given));
}

const CLIENT_TEXT = '"[ !#-\\[\\]-~]*"';
const CLIENT_DATA = new RegExp(
  '^\\{"type":T,"challenge":T,"origin":T(?:,T:(?:T|true|false|null|0|[1-9][0-9]{0,14}))*\\}$'.replaceAll("T", CLIENT_TEXT),
);

/** What a browser says of the page on which a passkey signs. */
function clientData(words, challenge, host) {
  must(CLIENT_DATA.test(words) && words.length <= 1024, "client data of another form");
  const data = readJson(words);
  must(Object.keys(data).length <= 8 && !("" in data), "client data of another form");
  must(data.type === "webauthn.get", "client data of another type");
  must(data.challenge === toBase64url(challenge), "a passkey's signature of something else");
  must(data.origin === `https://${host}`, "a passkey's signature for another page");
  must((!("crossOrigin" in data) || data.crossOrigin === false) && !("topOrigin" in data), "a passkey's signature inside another page");
  return encode(words);
}

/** A passkey; `verified`: of which each signature must be. */
function passkey(verified) {
  return {
    curve: p256,
    read(data) {
      const key = FORMATS["sk-ecdsa-sha2-nistp256@openssh.com"].read(data);
      const host = String.fromCharCode(...key.application);
      must(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(host) && !host.includes(".."), "a passkey that is for no page");
      return { ...key, host };
    },
    members: "hash namespace flags counter client_data",
    signed(key, signature, data) {
      const flags = number(signature, "flags", 0, 255);
      must(!(flags & 0xc0), "a passkey's signature with data that belongs to none");
      must(!verified || flags & 4, "a passkey's signature that was not verified");
      return tokenSigned(key, signature, clientData(text(signature, "client_data"), ofPlayers(signature, data), key.host));
    },
  };
}

/*
 * The formats of keys, by the first word of their line (and the third, where it has one). `read` takes the bytes of the
 * second, and gives the point and what else there is; `members`: those that a signature has beside `key` and `sig`; `signed`:
 * the bytes under a signature of a text; `curve`: its verify(point, signature, bytes) and isPoint(point). Another format
 * is another row.
 */
export const FORMATS = {
  "ssh-ed25519": {
    curve: ed25519,
    read: (data) => ({ point: sshFields("ssh-ed25519", data, 1)[0] }),
    members: "hash namespace",
    signed: (key, signature, data) => ofPlayers(signature, data),
  },
  "sk-ssh-ed25519@openssh.com": {
    curve: ed25519,
    read(data) {
      const [point, application] = sshFields("sk-ssh-ed25519@openssh.com", data, 2);
      return { point, application: applicationOf(application) };
    },
    members: "hash namespace flags counter",
    signed: (key, signature, data) => tokenSigned(key, signature, ofPlayers(signature, data)),
  },
  minisign: {
    curve: ed25519,
    read: numbered,
    members: "prehashed",
    signed(key, signature, data) {
      must(signature.prehashed === true, "a signature of another kind than its key");
      return blake2b(data, 64);
    },
  },
  signify: {
    curve: ed25519,
    read: numbered,
    members: "prehashed",
    signed(key, signature, data) {
      must(signature.prehashed === false, "a signature of another kind than its key");
      return data;
    },
  },
  "ecdsa-sha2-nistp256": {
    curve: p256,
    read: (data) => ({ point: curvePoint(...sshFields("ecdsa-sha2-nistp256", data, 2)) }),
    members: "hash namespace",
    signed: (key, signature, data) => ofPlayers(signature, data),
  },
  "sk-ecdsa-sha2-nistp256@openssh.com": {
    curve: p256,
    read(data) {
      const [name, point, application] = sshFields("sk-ecdsa-sha2-nistp256@openssh.com", data, 3);
      return { point: curvePoint(name, point), application: applicationOf(application) };
    },
    members: "hash namespace flags counter",
    signed: (key, signature, data) => tokenSigned(key, signature, ofPlayers(signature, data)),
  },
  "sk-ecdsa-sha2-nistp256@openssh.com webauthn": passkey(false),
  "sk-ecdsa-sha2-nistp256@openssh.com webauthn-verified": passkey(true),
};

/** Of the line of a key; two keys are equal when their lines are, as base64 has one form here. */
export function keyOf(line) {
  const [word, coded, ...more] = typeof line === "string" ? line.split(" ") : [];
  const kind = [word, ...more].join(" ");
  const format = Object.hasOwn(FORMATS, kind) ? FORMATS[kind] : null;
  must(format, "a key of an unknown kind");
  const data = fromBase64(coded);
  must(data, "a key is not base64");
  const key = { line, format, ...format.read(data) };
  must(format.curve.isPoint(key.point), "a key that is no safe point of its curve");
  return key;
}

export function keyList(record) {
  const value = record.keys;
  must(Array.isArray(value) && value.length <= 4, '"keys" must be a list of at most four keys');
  return value.map(keyOf);
}

/** The line of a key without the comment that may be behind it. */
export function uncommented(value) {
  const [word, coded, form] = value.split(" ");
  return [word, coded, ...(Object.hasOwn(FORMATS, `${word} ${form}`) ? [form] : [])].join(" ");
}

/** Is it the key (its line) that a line `add:` or `revoke:` means: by its own line, or by what ssh-keygen, minisign and signify print of it? */
export function isNamed(line, value) {
  const [word, coded, form] = line.split(" ");
  const said = uncommented(value).split(" ");
  if (said[0] === word && said[1] === coded) return form === said[2];
  const data = fromBase64(coded);
  if (word === "minisign" || word === "signify") {
    const number = toHex(data.slice(2, 10).reverse()).toUpperCase().replace(/^0+/, "");
    return value === `${word}:${number || "0"}`;
  }
  const print = fingerprint(data);
  return value === print || (form === "webauthn-verified" && value === `${print} verified`);
}

/** The same of a line `add:`, in which a number means no key: who makes one chooses it. */
export const isAdded = (line, value) => isNamed(line, value) && !/^(minisign|signify):/.test(value);

/** The digest by which a text names a league, or a key of OpenSSH's. */
export const fingerprint = (blob) => `SHA256:${toBase64(sha256(blob)).replace(/=+$/, "")}`;

/** Days since 1970 of a line `date:`. */
export function dayOf(value) {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(value ?? "") ? Date.parse(`${value}T00:00:00Z`) : NaN;
  must(milliseconds && new Date(milliseconds).toISOString().startsWith(value), "a text without a real date");
  return milliseconds / 86400000;
}

/** Verifies the signature of a text, and gives the line of the key that made it. */
export function signerOf(signature, words) {
  must(isObject(signature) && typeof words === "string", "a text without a signature");
  const key = keyOf(signature.key);
  only(signature, `key sig ${key.format.members}`, "a signature");
  const signed = key.format.signed(key, signature, encode(words));
  must(key.format.curve.verify(key.point, sigBytes(signature), signed), "the signature is not that of the text");
  return key.line;
}

// ---- canonical text, frames ----

const GLYPHS = [
  [/[\u000d\ufeff\u200b]/g, ""],
  [/[\u0009\u00a0\u2007\u202f]/g, " "],
  [/[\u2018-\u201b\u2032\u2039\u203a]/g, "'"],
  [/[\u201c-\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, "-"],
];

export function canonicalText(words) {
  const plain = GLYPHS.reduce((out, [glyph, becomes]) => out.replace(glyph, becomes), words);
  const lines = plain.split("\n").map((line) => line.replace(/ +/g, " ").replace(/^[ >]+/, "").replace(/ $/, ""));
  return lines.filter((line) => line).map((line) => `${line}\n`).join("");
}

const small = (value) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
const OURS = ["game", "turn", "head", "seq", "nonce", "wait", "final", "json"];
const OF_ORDERS = ["wait", "final", "json"];
const BEGINS_BODY = "say status standing help rules resign cancel try auto when always if repeat pass".split(" "); // with a colon behind it, too

/** {verb, fields, others, body} of a text as it was signed. */
export function frameOf(words) {
  const whole = canonicalText(words);
  const lines = whole.split("\n").slice(0, -1);
  must(lines.length <= 400 && encode(whole).length <= 65536, "the text is too long");
  const first = /^#turnpost ([A-Za-z-]{1,16})$/i.exec(lines[0] ?? "");
  must(first, 'the text does not begin with "#turnpost"');
  const end = lines.findIndex((line) => small(line) === "#end");
  must(end === lines.length - 1 && end > 0, 'the text does not end with "#end"');
  must(!lines.slice(1).some((line) => small(line).startsWith("#turnpost")), "a second #turnpost line");
  const frame = { verb: small(first[1]), fields: {}, others: {}, keys: [], body: [] };
  let at = 1;
  while (at < end) {
    const taken = lines[at].startsWith("#") ? 1 : takeField(frame, lines[at], at + 1 < end ? lines[at + 1] : "");
    if (!taken) break;
    at += taken;
  }
  frame.body = lines.slice(at, end);
  return frame;
}

/** How many lines it takes; 0 when the line ends the head. */
function takeField(frame, line, after) {
  const orders = frame.verb === "orders";
  const found = /^([A-Za-z]+) ?: ?(.*)$/s.exec(line); // s: U+2028 ends no line
  if (!found) return 0;
  const member = small(found[1]);
  const isLeague = (value) => /^SHA256:[!-~]{1,56}$/.test(value);
  const wide = member === "head" || (member === "league" && !orders && isLeague(after));
  const two = wide && !found[2] && after && !after.startsWith("#");
  const value = two ? after : found[2];
  const ours = (member === "league" && !orders && isLeague(value)) || (OURS.includes(member) && (orders || !OF_ORDERS.includes(member)));
  if (!ours) {
    if (!Object.hasOwn(frame.others, member)) frame.others[member] = value;
    if (member === "key") frame.keys.push(value);
    must(!orders || line[member.length] !== ":" || BEGINS_BODY.includes(member), `there is no field "${member}:"`);
    return orders ? 0 : 1;
  }
  must(!Object.hasOwn(frame.fields, member), `the field "${member}:" is given twice`);
  if (member === "turn" || member === "seq") must(/^[0-9]{1,6}$/.test(value), `the field "${member}:" has no number`);
  if (member === "turn" || member === "seq") must(member === "turn" ? Number(value) <= 9999 : Number(value) > 0, `the field "${member}:" is out of range`);
  if (member === "head") must(/^[0-9A-Fa-f]{8,64}$/.test(value), 'the field "head:" is no head');
  if (member === "game") must(isName(small(value)), 'the field "game:" is no name');
  if (member === "nonce") must(/^[ -~]{1,64}$/.test(value), 'the field "nonce:" takes 1 to 64 plain characters');
  if (OF_ORDERS.includes(member)) must(["yes", "no"].includes(small(value)), `the field "${member}:" takes yes or no`);
  frame.fields[member] = member === "turn" || member === "seq" ? Number(value) : member === "league" ? value : small(value);
  return two ? 2 : 1;
}
