// Which version of the page this is; it changes only when the player says so (sw.js).
import { at, button, fill, make, say } from "./dom.js";

/** The worker's answer. */
function ask(worker, question) {
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", ({ data }) => (data.failed ? reject(new Error(data.failed)) : resolve(data)));
    port1.start();
    worker.postMessage(question, [port2]);
  });
}

/** The only script that is named by a text (Trusted Types). */
function workerUrl() {
  const url = new URL("sw.js", import.meta.url).href;
  return globalThis.trustedTypes ? trustedTypes.createPolicy("turnpost-sw", { createScriptURL: (text) => (text === url ? text : "") }).createScriptURL(url) : url;
}

function offer(worker, { current, offered, version }) {
  const digits = (text) => make("code", { look: "digits", text });
  const box = make("div", { look: "notice", id: "changed" },
    make("p", { text: `The server has another version of this page (version ${version}). You still use the one that you had. Before you take the other, compare its digits with those in the league's newest mails.` }),
    make("p", { text: "You have: " }, digits(current)), make("p", { text: "Offered: " }, digits(offered)),
    make("p", { look: "row" }, button("Take the other version", async () => {
      try {
        await ask(worker, { ask: "take", digest: offered });
        location.reload();
      } catch (error) {
        say("notices", `The other version was not taken: ${error.message}.`, "warning");
      }
    }), button("Keep mine", () => box.remove(), "quiet")));
  fill("notices", box);
}

/** Shows version and digest; registers the worker, where there can be one, and asks when the server has another version. */
export async function showVersion({ version, sha256 }) {
  at("version").textContent = String(version);
  at("digest").textContent = sha256;
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register(workerUrl());
    const { active } = await navigator.serviceWorker.ready;
    const versions = await ask(active, { ask: "versions" });
    if (versions.current && versions.current !== versions.offered) offer(active, versions);
  } catch {
    // offline, or no workers here: the page works as it is
  }
}
