// The test vectors of the format page against the modules of the check: vectors.mjs CHECK, the folder as it is published.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

globalThis.crypto ??= crypto.webcrypto; // Node 18 has it there alone
const folder = path.resolve(process.argv[2]);
const load = (name) => import(pathToFileURL(path.join(folder, name)).href);
const bytes = await load("bytes.js");
const hashes = await load("hashes.js");
const curve = await load("curve.js");
const p256 = await load("p256.js");
const draws = await load("draws.js");
const forms = await load("forms.js");
const { unpack } = await load("tar.js");
const { loadRules } = await load("rules.js");
const vectors = JSON.parse(fs.readFileSync(new URL("../verifier/vectors.json", import.meta.url)));

const hex = (text) => bytes.fromHex(text, text.length / 2);
const words = (text) => bytes.encode(`${text}\0`);
const blake = (...parts) => bytes.toHex(hashes.blake2b(bytes.join(...parts)));
let count = 0;
const same = (is, should, what) => {
  count++;
  assert.deepEqual(is, should, what);
};

// Hashes, at every length around the ends of blocks.
for (let length = 0; length < 400; length++) {
  const data = new Uint8Array(crypto.randomBytes(length));
  const by = (name) => crypto.createHash(name).update(data).digest("hex");
  same(bytes.toHex(hashes.sha512(data)), by("sha512"), `SHA-512 of ${length} bytes`);
  same(bytes.toHex(hashes.sha256(data)), by("sha256"), `SHA-256 of ${length} bytes`);
  same(bytes.toHex(hashes.blake2b(data, 64)), by("blake2b512"), `BLAKE2b of ${length} bytes`);
  same(bytes.fromBase64(bytes.toBase64(data)), data, `base64 of ${length} bytes`);
}
for (let length = 0; length < 50; length++) {
  const data = new Uint8Array(crypto.randomBytes(length));
  same(bytes.toBase64url(data), Buffer.from(data).toString("base64url"), `base64url of ${length} bytes`);
}

// Signatures on P-256: in either form, and the points under which they hold.
for (let i = 0; i < 20; i++) {
  const { privateKey, publicKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const point = new Uint8Array(Buffer.concat([x, y].map((half) => Buffer.from(half, "base64url"))));
  const message = new Uint8Array(crypto.randomBytes(i));
  const given = new Uint8Array(crypto.sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" }));
  const low = p256.lower(given);
  const found = p256.signers(low, message);
  same(p256.lower(low), low, "the lower form of it");
  same(p256.verify(point, low, message), true, "a signature that holds");
  same(found.length, 2, "two points");
  same(found.filter((one) => bytes.same(one, point)).length, 1, "one of them is the signer's");
  same(found.every((one) => p256.verify(one, low, message)), true, "the signature holds under both");
  same(p256.signers(low, bytes.join(message, message, bytes.encode("!"))).some((one) => bytes.same(one, point)), false, "not of another text");
}
same(p256.signers(new Uint8Array(64), new Uint8Array(1)), [], "no signature, no signers");
for (const wrong of ["A", "AB", "AB=", "AB===", "AA=A", "AB==", "A A=", "AAAA\n", "QQ", "-_-_"]) same(bytes.fromBase64(wrong), null, `no base64: ${wrong}`);

for (const { line, head } of vectors.records) same(blake(words("turnpost/log"), bytes.encode(line)), head);
const { seal_key: key, commitment } = vectors.commitment;
same(blake(words("turnpost/kseal"), hex(key)), commitment);
for (const { seq, seat, item, salt, payload, seal } of vectors.seals) {
  const numbers = [seq, seat, item].map(bytes.le32);
  const digest = hashes.blake2b(bytes.encode(payload));
  same(bytes.toHex(hashes.blake2b(bytes.join(words("turnpost/salt"), ...numbers, digest), 32, hex(key))), salt);
  same(blake(words("turnpost/seal"), hex(salt), bytes.encode(payload)), seal);
}

// Proofs and draws.
const mark = (seal) => (seal ? hex(seal) : new Uint8Array(32));
const { turn, hidden } = vectors;
same(bytes.toHex(draws.alphaOf({ root: hex(turn.create_head), deal: hex(turn.deal), rollbacks: turn.rollbacks, turn: turn.turn, seals: turn.seals.map(mark) })), turn.alpha);
const beta = curve.proofOutput(hex(turn.vrf_key), hex(turn.pi), hex(turn.alpha));
same(bytes.toHex(beta), turn.beta);
const root = draws.rootOf([beta]);
same(bytes.toHex(root), turn.root);
for (const { label, sides, value } of turn.dice) same(draws.die(root, label, sides), value, label);
for (const { label, of, value } of turn.picks) same(draws.die(root, label, of) - 1, value, label);
same(draws.shuffle(root, turn.shuffle.label, turn.shuffle.items), turn.shuffle.shuffled);
same(bytes.toHex(curve.proofOutput(hex(turn.vrf_key), hex(hidden.proof), draws.hiddenAlpha(hex(hidden.root), hidden.label))), hidden.output);
for (let i = 0; i < 80; i++) {
  const damaged = hex(turn.pi);
  damaged[i] ^= 1 << i % 8;
  same(curve.proofOutput(hex(turn.vrf_key), damaged, hex(turn.alpha)), null, `a proof with its byte ${i} changed`);
}
const high = hex(turn.pi);
high[31] |= 0x80;
same(curve.proofOutput(hex(turn.vrf_key), high, hex(turn.alpha)), null, "an encoding of 256 bits is none");
for (const one of vectors.alphas) {
  const over = { root: hex(one.create_head), deal: hex(one.deal), rollbacks: one.rollbacks, turn: one.turn, seals: one.seals.map(mark) };
  same(bytes.toHex(draws.alphaOf(over)), one.alpha, one.name);
}
for (const { log, close, over } of vectors.witness_inputs) {
  const [, name, , , , , turn, , alpha] = close.split(" ");
  same(bytes.toHex(draws.witnessInput({ log, name, turn, alpha })), over);
}
for (const { name, root: from, held, drawn } of vectors.seatings) {
  const seats = held.map((one) => ({ ...one, mark: hex(one.mark) }));
  same(draws.seated(hex(from), seats), drawn.map(({ player, seat }) => ({ player, seat })), name);
}

// Signatures, marks, texts, frames, JSON.
for (const { name, text, signature, good } of vectors.signatures) {
  let holds = true;
  try {
    forms.signerOf(signature, text);
  } catch (error) {
    assert(error instanceof forms.Fault, error);
    holds = false;
  }
  same(holds, good, name);
}
for (const { name, create_head: head, seat, text, sig, mark } of vectors.marks.filter((one) => one.signature?.key)) {
  same(blake(words("turnpost/mark"), hex(head), bytes.le32(seat), hex(sig), bytes.encode(text)), mark, name);
}
for (const one of vectors.canonical) {
  const data = hex(one.bytes);
  let text = null;
  try {
    text = bytes.decode(data);
  } catch {
    continue; // what is no UTF-8 is in no journal
  }
  same(forms.canonicalText(text), one.text);
}
for (const one of vectors.frames) {
  if (one.verb === null) {
    assert.throws(() => forms.frameOf(one.text), forms.Fault, one.text);
    continue;
  }
  const frame = forms.frameOf(one.text);
  same([frame.verb, frame.fields.game ?? "", frame.fields.turn ?? 0, frame.fields.head ?? ""], [one.verb, one.game, one.turn, one.head], one.text);
}
for (const { value, canonical, digest } of vectors.json) {
  same(forms.canonicalJson(value), canonical);
  same(forms.canonicalJson(forms.readJson(canonical)), canonical);
  same(blake(bytes.encode(canonical)), digest);
}
for (const text of vectors.no_json) assert.throws(() => forms.readJson(text), forms.Fault, text);

// A long line takes no long time.
const began = performance.now();
same(forms.canonicalText(`>  x${" ".repeat(1e6)}y  \n`), "x y\n");
assert(performance.now() - began < 5000, "blanks within a line");

// A game as stock tar packs it, and as our site does: its files. What is cut or changed is said.
const games = fileURLToPath(new URL("../../games", import.meta.url));
const tar = new Uint8Array(execFileSync("tar", ["--format=ustar", "-C", games, "-c", "words"]));
const packed = unpack(tar);
same([...packed.keys()].filter(Boolean).sort(), ["HEAD", "HEAD.tlog-proof", "journal.jsonl", "league.policy"]);
same(bytes.toHex(hashes.sha256(packed.get("journal.jsonl"))), bytes.toHex(hashes.sha256(fs.readFileSync(`${games}/words/journal.jsonl`))));
assert.throws(() => unpack(tar.slice(0, 5000)), /cut short/);
for (const at of [3, 130, 150]) assert.throws(() => unpack(tar.map((byte, i) => byte ^ (i === at))), /no tar file/);
assert.throws(() => unpack(new Uint8Array(fs.readFileSync(`${games}/words/journal.jsonl`))), /no tar file/);
same(unpack(new Uint8Array(0)).size, 0);

// A program that may do nothing: it imports no more than this.
const module = await WebAssembly.compile(fs.readFileSync(path.join(folder, "rules.wasm")));
const wanted = WebAssembly.Module.imports(module).map((one) => `${one.module}.${one.name}`);
const wasi = ["fd_read", "fd_seek", "fd_write", "proc_exit", "random_get"].map((name) => `wasi_snapshot_preview1.${name}`);
same(wanted.sort(), ["turnpost.passed", ...wasi]);
const rules = await loadRules(fs.readFileSync(path.join(folder, "rules.wasm")));
same(rules.audit(new Uint8Array(0), null).audit.verdict, "broken", "no journal at all");

console.log(`${count} checks of the modules`);
