// The page: fetches or takes the files, has them checked (worker.js), shows what came out. Whatever comes from files is
// shown as text, never as markup.
import { faultOfLog, leagueLogOf } from "./check.js";
import { toHex } from "./bytes.js";
import { sha256 } from "./hashes.js";
import { unpack } from "./tar.js";

const MOST = 64 * 1024 * 1024; // bytes of a file
const NAMES = ["journal.jsonl", "HEAD", "HEAD.tlog-proof", "league.policy"];
const at = (id) => document.getElementById(id);
const game = { files: new Map(), wasm: null, log: null };

function add(parent, tag, words, look = "") {
  const node = document.createElement(tag);
  node.textContent = words;
  if (look) node.className = look;
  parent.append(node);
  return node;
}

function fill(id, lines) {
  at(id).replaceChildren();
  for (const line of lines) add(at(id), "li", line);
  at(`${id}-head`).hidden = !lines.length;
}

// ---- what the browser lacks ----

function lacking() {
  const lacks = [];
  if (typeof WebAssembly !== "object") lacks.push("WebAssembly: the rules cannot be played again here. All else can be checked.");
  if (typeof Worker !== "function") lacks.push("workers: nothing can be checked here.");
  if (!isSecureContext) lacks.push("a secure address (https): what reaches you over http can be changed on the way, this page as well.");
  return lacks;
}

// ---- the files ----

/** Of the same server as this page; null: it is not there. */
async function fetched(url) {
  const answer = await fetch(url, { credentials: "omit", redirect: "error" });
  if (answer.status === 404) return null;
  if (!answer.ok) throw new Error(`${url.pathname}: the server answers ${answer.status}`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes.length > MOST) throw new Error(`${url.pathname} is larger than ${MOST / 1048576} MiB`);
  return bytes;
}

function ready() {
  const names = [...game.files.keys()];
  at("start").disabled = !game.files.has("journal.jsonl");
  if (!names.length) return;
  const missing = game.files.has("journal.jsonl") ? "" : " journal.jsonl is still missing.";
  at("from").textContent = `Here: ${names.join(", ")}.${missing}`;
}

/** Takes the files that are needed out of one that was chosen or fetched: a published game, or one file of it. */
function keep(name, bytes) {
  const files = name.endsWith(".tar") ? unpack(bytes) : new Map([[name, bytes]]);
  for (const wanted of NAMES) if (files.has(wanted)) game.files.set(wanted, files.get(wanted));
}

async function fetchGame(tar) {
  const url = new URL(tar, location.href);
  if (url.origin !== location.origin) throw new Error("This page reads the games of its own server only. Choose the files by hand.");
  at("from").textContent = `Fetching ${url.pathname} ...`;
  const bytes = await fetched(url);
  if (!bytes) throw new Error(`There is no ${url.pathname} on this server.`);
  keep(url.pathname, bytes);
  if (!game.files.has("journal.jsonl")) throw new Error(`There is no journal.jsonl in ${url.pathname}.`);
}

async function take(list) {
  for (const file of list) {
    if (file.size > MOST) throw new Error(`${file.name} is larger than ${MOST / 1048576} MiB`);
    keep(file.name, new Uint8Array(await file.arrayBuffer()));
  }
  ready();
}

async function fetchRules() {
  try {
    game.wasm = await fetched(new URL("rules.wasm", import.meta.url));
  } catch {
    game.wasm = null;
  }
  at("digest").textContent = game.wasm ? toHex(sha256(game.wasm)) : "there is no rules.wasm here, so the rules are not played again";
}

// ---- the verdict ----

const WORDS = {
  holds: ["good", "Chain, signatures, boxes and draws hold"],
  sealed: ["good", "Chain, signatures and draws hold, as far as the game is opened: the journal gives the key to its boxes when it is over"],
  broken: ["bad", "Broken"],
  newer: ["bad", "Cannot be judged: a newer version of the program made it"],
};
const PLAYED = {
  proved: ["good", "Proved: every turn, played again by the rules, gives what the league says"],
  "proved as far as opened": ["good", "Proved as far as opened: the rules were not played again, because orders are still secret"],
};

function say([look, words], more = "") {
  const line = add(at("verdicts"), "li", "");
  add(line, "span", words, look);
  if (more) add(line, "span", more);
}

const where = (record, why) => (record ? ` at record ${record}: ${why}` : `: ${why}`);

const words = (name) => new TextDecoder().decode(game.files.get(name));
const proofOf = () => (game.files.has("HEAD") && game.files.has("HEAD.tlog-proof") ? words("HEAD") + words("HEAD.tlog-proof") : "");

function showCheck(check) {
  const counts = `${check.records.length} records, ${check.counts.signatures} texts signed by players, ${check.counts.proofs} proofs of draws, ${check.counts.boxes} boxes`;
  say(WORDS[check.verdict], check.why ? where(check.record, check.why) : `: ${counts}.`);
  const fault = check.why ? "" : faultOfLog(check, proofOf(), game.log);
  if (fault) say(["bad", "Nothing shows whose journal this is"], `: ${fault}. Anybody could have made it.`);
  else if (!check.why) say(["good", "The league's log has all of it"], `: ${game.log.name}.`);
  const key = `whether the league.policy beside the game is your league's; the key is ${check.league}`;
  fill("left", [...check.leftOut.slice(game.wasm ? 1 : 0), ...(check.league ? [key] : [])]);
  at("records").replaceChildren();
  for (const { seq, type, kind, time, holds } of check.records) {
    const row = add(at("records"), "tr", "");
    for (const words of [seq, kind ? `${type}, ${kind}` : type, time, holds.join(", ")]) add(row, "td", String(words));
  }
  if (check.record) add(add(at("records"), "tr", ""), "td", `${check.record}: ${check.why}`, "bad").colSpan = 4;
  at("details").hidden = false;
}

function showRules({ audit }) {
  const known = PLAYED[audit.verdict];
  say(known ?? ["bad", audit.verdict === "broken" ? "Broken" : "Cannot be judged: a newer version of the program made it"], known ? "." : where(audit.record, audit.why));
  const lines = (severity) => (audit.findings ?? []).filter((one) => one.severity === severity).map((one) => `${one.record ? `record ${one.record}: ` : ""}${one.text}`);
  fill("rests", [...audit.rests, ...lines("word")]);
  fill("notes", [...lines("sealed"), ...lines("note")]);
}

function show(message) {
  if (message.step) at("progress").textContent = `${message.step === "check" ? "Checking signatures and draws" : "Playing the turns again"}: record ${message.passed} ...`;
  if (message.check) showCheck(message.check);
  if (message.rules) showRules(message.rules);
  if (message.rulesFailed) say(["bad", "The rules were not played again"], `: ${message.rulesFailed}`);
  if (message.failed) say(["bad", "This page has failed, so nothing is shown"], `: ${message.failed}`);
  if (message.done || message.failed) {
    at("progress").textContent = "Done.";
    at("start").disabled = false;
    document.body.dataset.state = "done";
  }
}

function start() {
  at("verdicts").replaceChildren();
  at("outcome").hidden = false;
  at("start").disabled = true;
  document.body.dataset.state = "busy";
  try {
    game.log = game.files.has("league.policy") ? leagueLogOf(words("league.policy")) : null;
  } catch (error) {
    show({ failed: `league.policy cannot be read: ${error.message}` });
    return;
  }
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    show(data);
    if (data.done || data.failed) worker.terminate();
  });
  worker.addEventListener("error", (event) => show({ failed: event.message || "a file of the page is missing" }));
  worker.postMessage({ journal: game.files.get("journal.jsonl"), key: game.log?.key ?? null, wasm: game.wasm });
  if (!game.wasm) say(["bad", "The rules were not played again"], ": there is no rules.wasm beside this page.");
}

// ---- wiring ----

const failed = (error) => (at("from").textContent = error.message);
at("lacks").replaceChildren();
for (const lack of lacking()) add(at("lacks"), "p", `This browser lacks ${lack}`);
at("files").addEventListener("change", () => take(at("files").files).catch(failed));
at("start").addEventListener("click", start);
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  take(event.dataTransfer.files).catch(failed);
});
await fetchRules();
const tar = new URLSearchParams(location.search).get("game");
if (tar) {
  try {
    await fetchGame(tar);
    ready();
    at("choose").hidden = true;
  } catch (error) {
    failed(error);
  }
}
document.body.dataset.state ??= "ready";
