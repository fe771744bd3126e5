// Keeps the whole page of one version for use offline, and never changes to another one by itself: page.js shows the player what
// is new and sends "take". Each file of a version has to have the digest that its version.json names.
"use strict";

const CURRENT = "turnpost-current"; // which version is in use
const POINTER = "/.version";
const ofVersion = (digest) => `turnpost-${digest}`;

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (bytes) => hex(await crypto.subtle.digest("SHA-256", bytes));
const scoped = (name) => new URL(name, self.registration.scope).href;

async function current() {
  const pointer = await (await caches.open(CURRENT)).match(POINTER);
  return pointer ? pointer.text() : null;
}

async function fetched(name) {
  const answer = await fetch(scoped(name), { cache: "no-store", credentials: "omit", redirect: "error" });
  if (!answer.ok) throw new Error(`${name}: the server answers ${answer.status}`);
  return answer;
}

const isFile = ({ file, sha256: wanted }) => /^[a-z0-9_/-]+\.[a-z]+$/.test(file) && /^[0-9a-f]{64}$/.test(wanted);

/** The version that the server has now: {digest, version, files, answer: version.json}. */
async function offered() {
  const answer = await fetched("version.json");
  const { sha256: digest, version, files } = await answer.clone().json();
  if (!/^[0-9a-f]{64}$/.test(digest) || !Array.isArray(files) || files.length > 200 || !files.every(isFile)) throw new Error("version.json is in no known form");
  const list = files.map((one) => `${one.sha256}  ${one.file}\n`).join("");
  if ((await sha256(new TextEncoder().encode(list))) !== digest) throw new Error("version.json does not fit itself");
  return { digest, version, files, answer };
}

/** Fetches all files of it, and uses it from now on. One that is in use is left alone: what breaks off halfway would be the end of it. */
async function take(digest) {
  const offer = await offered();
  const before = await current();
  if (digest && offer.digest !== digest) throw new Error("the server has changed the page once more");
  if (offer.digest === before) return;
  await caches.delete(ofVersion(offer.digest));
  const cache = await caches.open(ofVersion(offer.digest));
  for (const { file, sha256: wanted } of offer.files) {
    const answer = await fetched(file);
    if ((await sha256(await answer.clone().arrayBuffer())) !== wanted) throw new Error(`${file} is another one than version.json says`);
    await cache.put(scoped(file), answer);
  }
  await cache.put(scoped("version.json"), offer.answer);
  await (await caches.open(CURRENT)).put(POINTER, new Response(offer.digest));
  if (before) await caches.delete(ofVersion(before));
}

let first = null; // while the first version is fetched, or the first one after the browser has cleared all

/** The digest of the version in use. */
async function inUse() {
  const digest = await current();
  if (digest) return digest;
  first ??= take(null).finally(() => (first = null));
  await first;
  return current();
}

async function kept(request) {
  const digest = await inUse();
  const url = new URL(request.url);
  const name = url.href.split(/[?#]/)[0];
  const wanted = name === self.registration.scope ? scoped("index.html") : name;
  const file = await (await caches.open(ofVersion(digest))).match(wanted);
  return file ?? new Response("This is no file of the page.\n", { status: 404, headers: { "Content-Type": "text/plain" } });
}

self.addEventListener("install", (event) => event.waitUntil(inUse()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(self.registration.scope)) event.respondWith(kept(event.request));
});

async function act({ ask, digest }) {
  if (ask === "versions") {
    const { digest: offer, version } = await offered();
    return { current: await current(), offered: offer, version };
  }
  if (ask === "take") await take(digest);
  return {};
}

self.addEventListener("message", (event) => {
  if (new URL(event.source.url).origin !== self.location.origin) return;
  event.waitUntil(
    act(event.data).then(
      (said) => event.ports[0].postMessage(said),
      (error) => event.ports[0].postMessage({ failed: error.message }),
    ),
  );
});
