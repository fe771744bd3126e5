// The page: what is pasted and typed becomes a text, the text a signature, both a mail. mail.js reads what others wrote, texts.js
// puts a text together, keys.js signs it, send.js hands it over.
import { at, button, fill, make, options, say } from "./dom.js";
import { Fault, isName } from "./check/forms.js";
import { drawInputs, namesTurn, valuesNow } from "./fields.js";
import { KeyPanel } from "./key_panel.js";
import { sign } from "./keys.js";
import { readFragment, readMail } from "./mail.js";
import { OrderRows, drawSuggestions } from "./order_rows.js";
import { checkOrders, resigns } from "./orders.js";
import * as send from "./send.js";
import { shownKey } from "./sshsig.js";
import * as store from "./store.js";
import { compose, faultsOf, today, wrap } from "./texts.js";
import { showVersion } from "./version.js";

// No mail leads to these by itself: who wants them chooses them. Nor to any text that is not about a game: a proved head says nothing of it.
const NEVER_OFFERED = ["resign", "leave", "moderate", "excuse", "ruling", "witness"];
const ORDERS = { verb: "orders", help: "your orders for a turn of a game", about: "game", turn: true };
const DIGITS = 64;

const HIGHEST_SEQ = 999000; // that is taken from a mail: orders with the last number there is could never be corrected
const MOST_GAMES = 200; // that this browser remembers
const LONGEST_CHOICE = 40; // characters: a telephone shows no more

const shortened = (words) => (words.length > LONGEST_CHOICE ? `${words.slice(0, LONGEST_CHOICE - 3)}...` : words);
const json = async (name) => (await fetch(name, { credentials: "omit" })).json();

const [league, forms, version] = await Promise.all(["league.json", "forms.json", "version.json"].map(json));
const verbs = [ORDERS, ...forms.verbs.filter((one) => one.who !== "witness")];
const verbOf = (name) => verbs.find((one) => one.verb === name);
const state = { link: readFragment(location.hash), proof: "", games: new Map(), me: {}, seq: 1, proved: null, signedText: null, languages: new Map(), key: null };
const rows = new OrderRows(show);
const panel = new KeyPanel(league, (key) => {
  state.key = key;
  show();
});

// ---- which text ----

const chosen = () => verbOf(at("verb").value);

/** What the page knows itself of the lines of a text. */
function known(verb) {
  const out = verb.verb === "register" ? { ...state.me } : {};
  if (verb.fields.includes("player") && ["key", "erase"].includes(verb.verb)) out.player = state.me.name ?? "";
  return out;
}

/** The fields of another text than orders; `values`: what is in them. */
function drawFields(values = {}) {
  const verb = chosen();
  const orders = verb === ORDERS;
  at("orders-form").hidden = !orders;
  at("of-game").hidden = verb.about === "league" || verb.about === "nothing" || verb.verb === "register";
  at("verb-help").textContent = shortened(`${verb.verb}: ${verb.help}`).endsWith("...") ? verb.help : "";
  if (orders) fill("fields");
  else drawInputs(verb, { named: Boolean(valueOf("game")), values: { ...known(verb), ...values } }, show);
  show();
}

// ---- the game ----

const valueOf = (id) => at(id).value.trim().toLowerCase();

/** Does the league's signature stand for game and head as they are in the fields? */
const isProved = () => state.proved !== null && state.proved.game === valueOf("game") && state.proved.head === valueOf("head");

function gameLines(verb) {
  const game = valueOf("game");
  if (verb.about === "league" || verb.verb === "register" || (verb.about === "either" && !game)) return [["league", league.fingerprint], ["date", today()]];
  if (verb.about === "nothing") return [];
  const out = [["game", game]];
  if (namesTurn(verb)) out.push(["turn", valueOf("turn")]);
  out.push(["head", valueOf("head")]);
  if (verb.verb === "mute" || verb.verb === "unmute") out.push(["date", today()]);
  return out;
}

/** What is missing in a text about a game. */
function gameFaults(verb) {
  const lines = gameLines(verb);
  const has = (name) => lines.find(([one]) => one === name)?.[1];
  const faults = [];
  if (has("game") !== undefined && !isName(has("game"))) return ["The text needs a game: paste a mail of the league, or write its name by hand."];
  if (has("turn") !== undefined && !/^[0-9]{1,6}$/.test(has("turn"))) faults.push("The text needs the number of the turn.");
  if (has("head") !== undefined && !new RegExp(`^[0-9a-f]{${DIGITS}}$`).test(has("head"))) {
    faults.push(`The text needs the ${DIGITS} digits of the head, which a link has no room for: paste the mail.`);
  }
  return faults;
}

function showGame() {
  const game = valueOf("game");
  const words = game ? `${game}${valueOf("turn") ? `, turn ${valueOf("turn")}` : ""}` : "No game yet: paste a mail of the league.";
  const proof = isProved() ? ["The record that it answers is in the league's log.", "good"] : ["Nothing shows that this head is the league's.", "bad"];
  fill("of-game-said", make("strong", { text: words }), ...(valueOf("head") ? [" ", make("span", { text: proof[0], look: proof[1] })] : []));
}

// ---- the text ----

function compile() {
  const verb = chosen();
  if (verb === ORDERS) {
    const lines = rows.lines.filter((line) => line.trim());
    return compose("orders", [...gameLines(verb), ["seq", String(state.seq)], ["final", at("final").checked ? "yes" : ""]], lines);
  }
  const own = valuesNow().filter(([name]) => name !== "game" || !valueOf("game"));
  if (verb.verb === "register") own.splice(2, 0, ["key", state.key ? shownKey(state.key.line) : ""]);
  return compose(verb.verb, [...gameLines(verb), ...own], at("body") ? wrap(at("body").value) : []);
}

function languageNow() {
  return state.languages.get(at("ruleset").value) ?? null;
}

function faultsNow(text) {
  const verb = chosen();
  const faults = [...gameFaults(verb), ...faultsOf(text)];
  const value = Object.fromEntries(valuesNow());
  if (verb.verb === "register" && !(isName(value.name) && /^[^\s@]+@[^\s@]+$/.test(value.address))) faults.push("To register you need a name (small letters and digits) and your mail address.");
  if (verb === ORDERS) {
    const language = languageNow();
    const wrong = language ? checkOrders(rows.lines, language) : [];
    rows.mark(wrong);
    if (valueOf("game") && !rows.lines.some((line) => line.trim())) faults.push("There is no order yet.");
    for (const { line, why } of wrong) faults.push(`Order ${line + 1}: ${why} It can be sent all the same; the league's receipt is what counts.`);
    if (language && rows.lines.some((line) => resigns(line, language))) faults.push("The line RESIGN gives up your seat. If you mean it, sign.");
  }
  return faults;
}

const mayBeSent = (fault) => /^Order |^The line RESIGN/.test(fault);

/** The text as it is now; orders that were signed and then changed get the next number. */
function textNow() {
  const text = compile();
  if (chosen() !== ORDERS || state.signedText === null || text === state.signedText) return text;
  state.signedText = null;
  state.seq++;
  return compile();
}

/** Brings everything that follows from the fields up to date. */
function show() {
  if (!at("verb").value) return;
  showGame();
  const text = textNow();
  const faults = faultsNow(text);
  if (at("text").textContent !== text) {
    at("text").textContent = text;
    at("send").hidden = true;
    at("sign-said").textContent = "";
  }
  const said = faults.join("\n");
  if (at("faults").dataset.said !== said) {
    at("faults").dataset.said = said;
    fill("faults", ...faults.map((fault) => make("li", { text: fault })));
  }
  at("sign").disabled = !state.key || !faults.every(mayBeSent);
  at("sign").textContent = state.key ? (state.key.kind === "passkey" ? "Sign with the passkey" : "Sign") : "Sign (you have no key here yet)";
}

// ---- a mail that was pasted ----

const mayLead = (verb) => verb && ["game", "either"].includes(verb.about) && !NEVER_OFFERED.includes(verb.verb);

/** Orders that answer the record of the link that led here, if it is proved: the link alone has too few of its digits. */
function linked(mail) {
  const { game, turn, head } = state.link;
  const proved = head && [...mail.signed.values()].find((one) => one.head.startsWith(head));
  if (!game || turn === undefined || !proved) return null;
  mail.heads.set(game, { head: proved.head, record: proved.record });
  return { verb: "orders", fields: { game, turn }, suggestions: [], proved };
}

/** Of texts whose heads the mail proves, the one that the mail leads to; those with newer heads come first. */
function offered(mail) {
  const wanted = state.link.game;
  const fits = mail.texts.filter((text) => text.proved && mayLead(verbOf(text.verb))).sort((a, b) => b.proved.record - a.proved.record);
  return fits.find((text) => text.verb === "orders" && text.fields.game === wanted) ?? fits.find((text) => text.verb === "orders") ?? fits[0] ?? linked(mail);
}

/** Of answers to a registration, which nothing signs: single words, and only where the rest is what was asked for here. */
function wordsOf(mail, pasted) {
  const text = mail.texts.find((one) => one.verb === "register" && one.fields.league === league.fingerprint);
  const ours = text && text.others.name === state.me.name && (text.others.address ?? "").toLowerCase() === (state.me.address ?? "").toLowerCase();
  if (ours && /^[A-Za-z0-9._-]{4,64}$/.test(text.others.confirm ?? "")) return { invite: text.others.invite ?? state.me.invite ?? "", confirm: text.others.confirm };
  const invite = /^[ \t>|]*invite: *([A-Za-z0-9._-]{4,64}) *$/m.exec(pasted.slice(0, 65536));
  return invite && !mail.texts.length ? { invite: invite[1] } : null;
}

function sayMail(mail, taken, older) {
  const said = [];
  if (older) said.push(["bad", "You have pasted a later mail of this game here before. The league refuses orders that answer an earlier one."]);
  if (taken) said.push(["good", "This mail proves the record that it shows. The rest of it is not proved: read what you sign."]);
  if (mail.foreign) said.push(["bad", "This mail proves something, but of another league than this page's. Nothing was taken from it."]);
  else if (mail.broken) said.push(["bad", "A proof in this mail does not hold: it was changed, or not copied in whole. Nothing of it was taken."]);
  else if (!taken) said.push(["bad", mail.signed.size ? "These proofs are of no text in this mail, so nothing was taken from it. Copy the whole mail." : "No proof of the league was found, so nothing was taken from this text. Open the mail's attachment proof.txt, too."]);
  const { game, head } = state.link;
  if (taken?.fields.game === game && head && !taken.proved.head.startsWith(head)) said.push(["bad", "It is another mail than the one whose link you followed: an earlier or a later one of this game."]);
  fill("mail-said", ...said.map(([look, text]) => make("p", { look, text })));
}

/** Of each game: {head, record: the newest that a mail has proved, if any; turn, seq, file: of the orders signed last}. */
const storeGames = () => store.put("games", Object.fromEntries([...state.games].slice(-MOST_GAMES)));

async function remember(mail) {
  for (const [game, { head, record }] of mail.heads) {
    const known = state.games.get(game);
    if (record >= (known?.record ?? 0)) state.games.set(game, { ...known, head, record });
  }
  await storeGames().catch(() => null);
}

async function takeMail() {
  const pasted = `${at("pasted").value}\n${state.proof}`;
  if (!pasted.trim()) return;
  const mail = readMail(pasted, league);
  const text = mail.foreign || mail.broken ? null : offered(mail);
  const words = text ? null : wordsOf(mail, pasted);
  const { game } = text?.fields ?? {};
  const older = Boolean(text) && state.games.get(game)?.record > text.proved.record;
  clear();
  const quiet = text || mail.foreign || mail.broken ? null : mail.texts.find((one) => one.proved);
  if (text) {
    await remember(mail);
    await takeText(text, mail);
  } else if (quiet) {
    await remember(mail);
    takeGame(quiet);
    fill("mail-said", make("p", { look: "good", text: `This mail proves the record that it shows. Its text "${quiet.verb}" gives something up: if you want it, choose it above.` }));
    drawFields();
    return;
  } else if (words) {
    at("verb").value = "register";
    drawFields(words);
    fill("mail-said", make("p", { text: "One word was taken from this mail, which nothing has signed. It makes you a player of this league and does nothing else." }));
    return;
  }
  sayMail(mail, text, older);
  show();
  if (text) at("what-head").focus();
}

function takeGame({ fields: { game, turn }, proved: { head } }) {
  state.proved = { game, head };
  at("game").value = game;
  at("turn").value = turn ?? "";
  at("head").value = head;
}

async function takeText(text, mail) {
  const { game, turn, seq } = text.fields;
  takeGame(text);
  at("verb").value = text.verb;
  const known = state.games.get(game);
  state.seq = Math.max(Math.min(seq ?? 1, HIGHEST_SEQ), known.turn === turn ? (known.seq ?? 0) + 1 : 1);
  if (text.verb !== "orders") {
    drawFields(text.others); // its words are the player's to write
    return;
  }
  drawFields();
  const title = mail.titles.get(game);
  const row = league.rulesets.find((one) => (title ? one.title === title : one.file === known.file)) ?? league.rulesets[0];
  at("ruleset").value = row.file;
  await useRuleset();
  const language = languageNow();
  drawSuggestions(text.suggestions.filter(({ line }) => !checkOrders([line], language).length && !resigns(line, language)), (line) => rows.add(line, false));
}

function clear() {
  state.proved = null;
  state.signedText = null;
  state.seq = 1;
  for (const id of ["game", "turn", "head"]) at(id).value = "";
  at("final").checked = false;
  rows.set([]);
  drawSuggestions([], null);
  fill("mail-said");
  at("send").hidden = true;
}

/** What a link says is no more than where to begin. */
function takeLink() {
  const { game, turn, head } = state.link;
  const known = state.games.get(game);
  if (!game) return;
  at("game").value = game;
  at("turn").value = turn ?? "";
  if (head && known?.head?.startsWith(head)) {
    at("head").value = known.head;
    state.proved = { game, head: known.head };
    state.seq = known.turn === turn ? (known.seq ?? 0) + 1 : 1;
  } else {
    at("head").value = head ?? "";
    say("mail-said", `The link is about ${game}${turn === undefined ? "" : `, turn ${turn}`}. Paste the mail that it came with, or open its proof.txt; the link alone is not enough.`);
  }
}

// ---- the words of a game ----

async function useRuleset() {
  const { file } = league.rulesets.find((one) => one.file === at("ruleset").value);
  if (!state.languages.has(file)) state.languages.set(file, await json(file));
  const entry = ({ name, args, help }) => [make("dt", { text: `${name}${args ? ` ${args}` : ""}` }), make("dd", { text: help })];
  const language = state.languages.get(file);
  fill("words", ...language.verbs.flatMap(entry), ...language.triggers.flatMap((one) => entry({ ...one, name: `when ${one.name}` })), ...language.counters.flatMap((one) => entry({ ...one, name: `if ${one.name}` })));
}

// ---- signing and sending ----

async function signNow() {
  const text = at("text").textContent;
  at("sign").disabled = true;
  try {
    const signature = await sign(state.key, text);
    if (at("text").textContent !== text) throw new Fault("the text has changed while you were asked; look at it, and sign again");
    await signed(text, signature);
  } catch (error) {
    say("sign-said", error instanceof Fault ? `Not signed: ${error.message}.` : `Not signed (${error.name}). Try again.`, "bad");
  }
  show();
}

async function signed(text, signature) {
  const verb = chosen();
  const game = verb.about === "league" || verb.verb === "register" ? "" : valueOf("game");
  if (verb.verb === "register") {
    const { name, address, invite } = Object.fromEntries(valuesNow());
    state.me = { name, address, invite };
    await store.put("me", state.me);
  } else if (verb === ORDERS) {
    state.games.set(game, { ...state.games.get(game), turn: Number(valueOf("turn")), seq: state.seq, file: at("ruleset").value });
    await storeGames();
    state.signedText = text;
  }
  handOver(send.subjectOf(verb.verb, game), text + signature);
}

function handOver(subject, whole) {
  const link = send.mailto(league.address, subject, whole);
  const share = async () => {
    if (await send.share(subject, whole)) say("send-said", `Handed over. The mail goes to ${league.address}.`);
  };
  const copy = async () => {
    if (await send.copy(whole)) say("send-said", `Copied. Paste it into a mail to ${league.address}.`);
    else say("send-said", "This browser does not let the page copy. Open \u201cText and signature\u201d below, and copy it by hand.", "bad");
  };
  const small = send.fits(link);
  const ways = small ? [make("a", { id: "mailto", look: "button main", href: link, text: "Open my mail program" })] : [];
  if (send.canShare(whole)) ways.push(button("Share", share, ways.length ? "" : "main"));
  ways.push(button("Copy", copy, ways.length ? "" : "main"));
  at("signed").textContent = whole;
  at("recipient").textContent = league.address;
  fill("ways", ...ways);
  say("send-said", small ? "" : "The text is too long for a link to your mail program.");
  say("sign-said", "Signed.", "good");
  at("send").hidden = false;
  at("send-head").focus();
}

// ---- wiring ----

/** Both sides of the clipboard may refuse; then there are the keys and menus of the system. */
async function pasteNow() {
  try {
    at("pasted").value = await navigator.clipboard.readText();
  } catch {
    at("pasted").focus();
    say("mail-said", "This browser does not let the page read what you have copied. Paste it into the field yourself.", "bad");
    return;
  }
  await takeMail();
}

async function begin() {
  const choices = (rows) => options(rows.map(({ verb, help }) => [verb, shortened(`${verb}: ${help}`)]));
  const own = (one) => one.who !== "moderator";
  fill("verb", ...choices(verbs.filter(own)), make("optgroup", { label: "For moderators" }, ...choices(verbs.filter((one) => !own(one)))));
  fill("ruleset", ...options(league.rulesets.map(({ file, title }) => [file, title])));
  await panel.begin();
  state.key = panel.key;
  state.games = new Map(Object.entries((await store.get("games").catch(() => null)) ?? {}));
  state.me = (await store.get("me").catch(() => null)) ?? {};
  at("verb").value = state.key || state.link.game ? "orders" : "register";
  await useRuleset();
  rows.set([]);
  drawSuggestions([], null);
  takeLink();
  drawFields();
  at("verb").addEventListener("change", () => drawFields());
  at("pasted").addEventListener("input", takeMail);
  at("paste").addEventListener("click", pasteNow);
  at("proof").addEventListener("change", async () => {
    state.proof = (await at("proof").files[0]?.text()) ?? "";
    await takeMail();
  });
  at("empty").addEventListener("click", () => {
    at("pasted").value = at("proof").value = state.proof = "";
    clear();
    show();
  });
  at("ruleset").addEventListener("change", async () => {
    await useRuleset();
    show();
  });
  at("add").addEventListener("click", () => rows.add("", true));
  at("final").addEventListener("change", show);
  for (const id of ["game", "turn", "head"]) at(id).addEventListener("input", show);
  at("sign").addEventListener("click", signNow);
  addEventListener("hashchange", () => location.reload()); // another mail's link
  at("starting").hidden = true;
  at("work").hidden = false;
  document.body.dataset.state = "ready";
  await showVersion(version);
}

// A policy in the page itself cannot forbid frames, and not every server sends headers.
if (window.top === window) await begin();
else at("starting").textContent = "This page is shown inside another page, so it does nothing. Open it by itself.";
