// A player's key: a passkey, which signs itself, or an Ed25519 key that this browser keeps and gives to nobody.
//   {kind: "passkey", line, application, verified, id: of the credential}
//   {kind: "ed25519", line, secret: CryptoKey that cannot be exported}
// `line` is that of its .pub file.
import { fromBase64url, join, same } from "./check/bytes.js";
import { Fault, keyOf, must } from "./check/forms.js";
import * as p256 from "./check/p256.js";
import {
  ed25519Line, ed25519Signature, ofDer, ofSecretFile, passkeyLine, passkeySignature, passkeySigned, secretFile, signedOf,
} from "./sshsig.js";

const random = (size) => crypto.getRandomValues(new Uint8Array(size));

// ---- what this browser can do ----

const IN_APPS = /\bFB(AN|AV|IOS)\b|Instagram|\bLine\/|Snapchat|TikTok|musical_ly|MicroMessenger|LinkedInApp|\bGSA\/|Twitter for|Pinterest\/|; wv\)/;

/** A browser inside an app: what it keeps goes with the app's next cleaning, and nobody can say who else reads it. */
export function inApp(agent = navigator.userAgent) {
  const bareWebKit = /iPhone|iPad|iPod/.test(agent) && /AppleWebKit/.test(agent) && !/Safari\//.test(agent);
  return IN_APPS.test(agent) || bareWebKit;
}

/** Passkeys are for the page's own host, over https at its usual port, and not inside another page. */
export const canPasskey = (application) =>
  location.origin === `https://${application}` && window.top === window && typeof PublicKeyCredential === "function";

export async function canEd25519() {
  try {
    await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    return true;
  } catch {
    return false;
  }
}

// ---- passkeys ----

const SPKI = fromBase64url("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"); // of P-256, before x ‖ y

function pointOf(response) {
  const spki = new Uint8Array(response.getPublicKey() ?? 0);
  must(response.getPublicKeyAlgorithm() === -7 && spki.length === SPKI.length + 64 && same(spki.slice(0, SPKI.length), SPKI), "this passkey is not on the curve P-256");
  const point = spki.slice(SPKI.length);
  must(p256.isPoint(point), "this passkey is no point of its curve");
  return point;
}

/** Asks the browser for a new one. `name`: as the passkey's list shows it. */
export async function makePasskey({ league, application, verified }, name) {
  must(!inApp(), "no key is made in the browser of an app");
  const made = await navigator.credentials.create({
    publicKey: {
      rp: { id: application, name: league },
      user: { id: random(16), name, displayName: `${name} in ${league}` },
      challenge: random(32),
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      authenticatorSelection: { residentKey: "required", userVerification: verified ? "required" : "preferred" },
      attestation: "none",
    },
  });
  return { kind: "passkey", line: passkeyLine(pointOf(made.response), application, verified), application, verified, id: made.id };
}

/** One touch: what the passkey signs of a text. Without `id` the browser lets the player choose. */
async function touch(text, application, verified, id) {
  const got = await navigator.credentials.get({
    publicKey: {
      rpId: application,
      challenge: signedOf(text),
      allowCredentials: id ? [{ type: "public-key", id: fromBase64url(id) }] : [],
      userVerification: verified ? "required" : "preferred",
    },
  });
  const data = new Uint8Array(got.response.authenticatorData);
  must(data.length === 37, "the passkey adds data that belongs to no signature");
  return {
    id: got.id,
    sig: ofDer(new Uint8Array(got.response.signature)),
    flags: data[32],
    counter: data.slice(33, 37),
    client: new Uint8Array(got.response.clientDataJSON),
  };
}

/**
 * A passkey that this browser has forgotten, or that came from another device: passkeys do not say their public half, but two
 * signatures do.
 */
export async function findPasskey({ application, verified }) {
  const points = [];
  let id = null;
  for (const nth of ["first", "second"]) {
    const text = `turnpost: the ${nth} touch, by which this page finds your passkey again\n`;
    const given = await touch(text, application, verified, id);
    id = given.id;
    points.push(p256.signers(given.sig, passkeySigned(application, given)));
  }
  const point = points[0].find((one) => points[1].some((other) => same(one, other)));
  must(point, "these were two different passkeys");
  return { kind: "passkey", line: passkeyLine(point, application, verified), application, verified, id };
}

// ---- Ed25519 ----

const PKCS8 = fromBase64url("MC4CAQAwBQYDK2VwBCIEIA"); // before the seed

const importSeed = (seed) => crypto.subtle.importKey("pkcs8", join(PKCS8, seed), { name: "Ed25519" }, false, ["sign"]);

/** {key: null as yet, file: its backup}: it becomes a key when ofFile() has read that file back. */
export async function makeEd25519(comment) {
  must(!inApp(), "no key is made in the browser of an app");
  const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]);
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey));
  const point = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  must(pkcs8.length === PKCS8.length + 32 && same(pkcs8.slice(0, PKCS8.length), PKCS8), "this browser writes Ed25519 keys in another form");
  const file = secretFile(pkcs8.slice(PKCS8.length), point, comment, random(4));
  pkcs8.fill(0);
  return { line: ed25519Line(point), file };
}

/** The key in a file of ssh-keygen or of ours; it cannot be taken out of the browser again. `expected`: the line that it must have. */
export async function ofFile(text, expected = null) {
  must(!inApp(), "no key is kept in the browser of an app");
  const { seed, point } = ofSecretFile(text);
  const line = ed25519Line(point);
  must(!expected || line === expected, "this is the file of another key");
  const key = { kind: "ed25519", line, secret: await importSeed(seed) };
  seed.fill(0);
  await sign(key, "turnpost: does this key sign?\n"); // throws if secret and public half do not belong together
  return key;
}

// ---- signing ----

/** The signature file (SSHSIG) of a text. */
export async function sign(key, text) {
  const { point, format } = keyOf(key.line);
  if (key.kind === "passkey") {
    const given = await touch(text, key.application, key.verified, key.id);
    if (!p256.verify(point, given.sig, passkeySigned(key.application, given))) throw new Fault("this was another passkey than the one that this page knows");
    return passkeySignature(key.line, given);
  }
  const signature = new Uint8Array(await crypto.subtle.sign({ name: "Ed25519" }, key.secret, signedOf(text)));
  must(format.curve.verify(point, signature, signedOf(text)), "this key's two halves do not belong together");
  return ed25519Signature(key.line, signature);
}
