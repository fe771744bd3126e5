// What OpenSSH writes: keys, files of secret keys, signatures (PROTOCOL.sshsig, PROTOCOL.u2f, PROTOCOL.key). Bytes in, text out.
import { be32, encode, fromBase64, join, same, toBase64 } from "./check/bytes.js";
import { Fault, keyOf, must, sshSigned, textOf, unwire, wire } from "./check/forms.js";
import { lower } from "./check/p256.js";
import { sha256 } from "./check/hashes.js";

export const ED25519 = "ssh-ed25519";
const TOKEN = "sk-ecdsa-sha2-nistp256@openssh.com";
const COLUMNS = 70;
const ofText = (text) => wire(encode(text));

/** The lines between which OpenSSH puts base64. */
function armored(what, bytes) {
  const coded = toBase64(bytes);
  const rows = [];
  for (let at = 0; at < coded.length; at += COLUMNS) rows.push(coded.slice(at, at + COLUMNS));
  return [`-----BEGIN ${what}-----`, ...rows, `-----END ${what}-----`, ""].join("\n");
}

/** The bytes between them; spaces and line ends in it may be anywhere. */
function unarmored(what, text) {
  const found = new RegExp(`-----BEGIN ${what}-----([A-Za-z0-9+/=\\s]*)-----END ${what}-----`).exec(text);
  const bytes = found && fromBase64(found[1].replace(/\s/g, ""));
  must(bytes, `these are not the lines from BEGIN ${what} to END ${what}`);
  return bytes;
}

// ---- public keys, as lines of a .pub file ----

export const ed25519Line = (point) => `${ED25519} ${toBase64(join(ofText(ED25519), wire(point)))}`;

/** Of a passkey. `point`: x ‖ y; `verified`: each of its signatures has to be. */
export function passkeyLine(point, application, verified) {
  const blob = join(ofText(TOKEN), ofText("nistp256"), wire(join(new Uint8Array([4]), point)), ofText(application));
  return `${TOKEN} ${toBase64(blob)} ${verified ? "webauthn-verified" : "webauthn"}`;
}

const blobOf = (line) => fromBase64(line.split(" ")[1]);

/** The 32 bytes of an Ed25519 key. */
export const pointOf = (line) => keyOf(line).point;

/** As ssh-keygen -l shows it. */
export const fingerprint = (line) => `SHA256:${toBase64(sha256(blobOf(line))).replace(/=+$/, "")}`;

/** As texts name a key: what no signature says of it is said there. */
export const shownKey = (line) => fingerprint(line) + (line.endsWith(" webauthn-verified") ? " verified" : "");

// ---- signatures ----

/** What is signed of a text: the same for each kind of key. */
export const signedOf = (text) => sshSigned("orders@turnpost", "sha512", encode(text));

const wrapped = (line, inner) =>
  armored("SSH SIGNATURE", join(encode("SSHSIG"), be32(1), wire(blobOf(line)), ofText("orders@turnpost"), wire(encode("")), ofText("sha512"), wire(inner)));

/** `signature`: the 64 bytes of Ed25519. */
export const ed25519Signature = (line, signature) => wrapped(line, join(ofText(ED25519), wire(signature)));

function mpint(bytes) {
  let from = 0;
  while (from < bytes.length && !bytes[from]) from++;
  const plain = bytes.slice(from);
  return wire(plain[0] & 0x80 ? join(new Uint8Array([0]), plain) : plain);
}

/** r ‖ s with the lower s, of the SEQUENCE of two INTEGERs (DER) that browsers give. */
export function ofDer(der) {
  const numbers = [];
  let at = 2;
  must(der[0] === 0x30 && der[1] === der.length - 2, "the browser gives a signature of another form");
  for (let i = 0; i < 2; i++) {
    const size = der[at + 1];
    must(der[at] === 2 && size > 0 && size <= 33 && at + 2 + size <= der.length, "the browser gives a signature of another form");
    const plain = der.slice(at + 2, at + 2 + size);
    const short = plain[0] === 0 && plain.length === 33 ? plain.slice(1) : plain;
    must(short.length <= 32, "the browser gives a signature of another form");
    numbers.push(join(new Uint8Array(32 - short.length), short));
    at += 2 + size;
  }
  must(at === der.length, "the browser gives a signature of another form");
  return lower(join(...numbers));
}

/** What a browser gives for a passkey: {sig: r ‖ s, flags, counter (4 bytes), client}. */
export function passkeySignature(line, { sig, flags, counter, client }) {
  const { origin } = JSON.parse(textOf(client));
  const inner = [ofText(`webauthn-${TOKEN}`), wire(join(mpint(sig.slice(0, 32)), mpint(sig.slice(32)))), new Uint8Array([flags]), counter];
  return wrapped(line, join(...inner, ofText(origin), wire(client), wire(encode(""))));
}

/** The bytes that a passkey has signed, by which its point can be found. */
export const passkeySigned = (application, { flags, counter, client }) =>
  join(sha256(encode(application)), new Uint8Array([flags]), counter, sha256(client));

// ---- files of secret keys ----

const MAGIC = encode("openssh-key-v1\0");

/** The file that ssh-keygen would write, without a passphrase. `seed`: 32 bytes; `check`: 4 random ones. */
export function secretFile(seed, point, comment, check) {
  const body = join(check, check, ofText(ED25519), wire(point), wire(join(seed, point)), ofText(comment));
  const padding = Uint8Array.from({ length: (8 - (body.length % 8)) % 8 }, (_, i) => i + 1);
  const blob = join(ofText(ED25519), wire(point));
  return armored("OPENSSH PRIVATE KEY", join(MAGIC, ofText("none"), ofText("none"), wire(encode("")), be32(1), wire(blob), wire(join(body, padding))));
}

/** {seed, point} of such a file. */
export function ofSecretFile(text) {
  const bytes = unarmored("OPENSSH PRIVATE KEY", text);
  must(same(bytes.slice(0, MAGIC.length), MAGIC), "this is no key file of OpenSSH");
  let at = MAGIC.length;
  const take = (from = bytes) => {
    let field;
    [field, at] = unwire(from, at);
    return field;
  };
  const [cipher, kdf] = [textOf(take()), textOf(take())];
  take();
  if (cipher !== "none" || kdf !== "none") {
    throw new Fault("this key file has a passphrase, which this page cannot open; make a copy without one: ssh-keygen -p -N \"\" -f COPY");
  }
  must(same(bytes.slice(at, at + 4), be32(1)), "this file does not hold exactly one key");
  at += 4;
  const blob = take();
  const secret = take();
  at = 8;
  must(secret.length >= 8 && same(secret.slice(0, 4), secret.slice(4, 8)), "this key file is damaged");
  const kind = textOf(take(secret));
  must(kind === ED25519, `this page signs with Ed25519 keys only, and the file holds another one (${kind.slice(0, 40)}); sign with ssh-keygen, or add a new key`);
  const point = take(secret);
  const pair = take(secret);
  must(point.length === 32 && pair.length === 64 && same(pair.slice(32), point), "this key file is damaged");
  must(same(blob, join(ofText(ED25519), wire(point))), "this key file is damaged");
  return { seed: pair.slice(0, 32), point };
}
