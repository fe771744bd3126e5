// What others wrote: a link's fragment, and a mail of the league that somebody pasted. Nothing of it is believed but what is proved to
// be in the league's log, and that are the heads of records. All else is offered to be looked at, never put into a text by itself.
import { Fault, canonicalText, frameOf, isName } from "./check/forms.js";
import { proofsIn } from "./proof.js";
import { pointOf } from "./sshsig.js";

const LONGEST_FRAGMENT = 200;
const LONGEST_MAIL = 512 * 1024;
const LONGEST_LINE = 1000;
const MOST_LINES = 20000;
const MOST_TEXTS = 40;
const MOST_SUGGESTIONS = 40;
const LONGEST_SUGGESTION = 120;
const FAR_IN = 4; // columns: a line goes on there
const DASHES = /[\u2010-\u2015\u2212]/gu;

// ---- the link ----

/** {game, turn, head, seat} as far as the fragment has them. Programs on the way write capitals, other dashes, and put things after it. */
export function readFragment(hash) {
  const plain = decoded(hash.slice(0, LONGEST_FRAGMENT)).replace(/^#/, "").replace(DASHES, "-").replace(/&amp;/gi, "&").toLowerCase();
  const out = {};
  for (const [name, value] of plain.split("&").map((part) => part.split(/=(.*)/s))) {
    const word = /^[a-z0-9._-]*/.exec(value ?? "")[0].replace(/[.]+$/, "");
    if (name === "g" && isName(word)) out.game = word;
    if (name === "t" && /^[0-9]{1,6}$/.test(word)) out.turn = Number(word);
    if (name === "h" && /^[0-9a-f]{8,64}$/.test(word)) out.head = word;
    if (name === "s" && /^[0-9]{1,2}$/.test(word) && Number(word)) out.seat = Number(word);
  }
  return out;
}

/** Without percent signs, of which a link in a link has two layers. */
function decoded(text) {
  let out = text;
  try {
    for (let i = 0; i < 2 && out.includes("%"); i++) out = decodeURIComponent(out);
  } catch {
    // a sequence that is none, or cut: as it stands
  }
  return out;
}

// ---- a mail ----

/** {lines: as a reader sees them, indents: of each}: marks of quoting removed, quoted-printable of a mail's source decoded. */
function linesOf(pasted) {
  let text = pasted.slice(0, LONGEST_MAIL).replace(/\r\n?/g, "\n").replace(/[\u00a0\u2007\u202f]/gu, " ").replace(/[\u200b\ufeff]/gu, "");
  if (/^content-transfer-encoding: *quoted-printable/im.test(text) && /=3D|=\n/.test(text)) {
    text = text.replace(/=\n/g, "").replace(/=([2-7][0-9A-F])/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  }
  const plain = text.split("\n", MOST_LINES).map((line) => line.slice(0, LONGEST_LINE).replace(/^[ \t]*(?:[>|] ?)+/, ""));
  return { lines: plain.map((line) => line.trim()), indents: plain.map((line) => line.length - line.trimStart().length) };
}

/** The texts to be signed, each with the line at which it begins. */
function framesOf(lines) {
  const frames = [];
  for (let at = 0; at < lines.length && frames.length < MOST_TEXTS; at++) {
    if (!/^#turnpost [a-z-]{1,16}$/i.test(lines[at])) continue;
    let end = at + 1;
    while (end < lines.length && !/^#end$/i.test(lines[end])) end++;
    if (end === lines.length) break;
    try {
      frames.push({ ...frameOf(lines.slice(at, end + 1).join("\n")), begin: at });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
    at = end;
  }
  return frames;
}

/** Those that stand in the form itself. */
const suggestionsIn = (body) =>
  body.filter((line) => line.length <= LONGEST_SUGGESTION).slice(0, MOST_SUGGESTIONS).map((line) => ({ line, note: "" }));

/** The choices that a mail lists above its form, each with a note in a column of its own; `to`: where the form begins. */
function suggestionsAbove({ lines, indents }, to) {
  const found = [];
  const cut = (words) => words.trim().slice(0, LONGEST_SUGGESTION);
  let from = to;
  while (from > 0 && !/^your choices$/i.test(lines[from - 1])) from--;
  for (let i = from; from > 0 && i < to && found.length < MOST_SUGGESTIONS && !/^answer /i.test(lines[i]); i++) {
    const last = found[found.length - 1];
    if (last?.note && indents[i] >= FAR_IN) {
      last.note = cut(`${last.note} ${lines[i]}`);
      continue;
    }
    const [order, note = ""] = lines[i].split(/\t+| {2,}(.*)/s);
    const line = canonicalText(order).trim();
    if (line && line.length <= LONGEST_SUGGESTION) found.push({ line, note: cut(note) });
  }
  return found;
}

/**
 * What a pasted mail shows, as
 *   heads: Map of a game's name to the newest {head, record} that the mail proves to be in our league's log
 *   texts: [{verb, fields, others, body, suggestions, proved: {game, head, record} that is proved so in the mail, and the text names;
 *     null: none}]
 *   foreign, broken: proofs of other logs, and those that do not hold
 *   title: of titles, the one that the mail names with the game
 * `league`: league.json.
 */
export function readMail(pasted, league) {
  const seen = linesOf(pasted);
  const { lines } = seen;
  const out = { heads: new Map(), signed: new Map(), texts: [], foreign: 0, broken: 0, titles: new Map() };
  for (const proof of proofsIn(lines.join("\n"), pointOf(league.key))) takeProof(out, proof);
  if (out.signed.size) out.foreign = out.broken = 0; // what else looks like a proof is somebody's words
  lines.forEach((line) => {
    for (const { title } of league.rulesets) {
      const named = line.includes(title) && /\bgame ([a-z0-9._-]{1,32})/i.exec(line);
      if (named) out.titles.set(named[1].toLowerCase().replace(/[.]+$/, ""), title);
    }
  });
  for (const frame of framesOf(lines)) {
    const { game, head } = frame.fields;
    const known = [...out.signed.values()].find((one) => head?.length >= 16 && one.head.startsWith(head));
    if (known && known.record >= (out.heads.get(game)?.record ?? 0)) out.heads.set(game, { head: known.head, record: known.record });
    const suggestions = frame.verb === "orders" ? [...suggestionsIn(frame.body), ...suggestionsAbove(seen, frame.begin)] : [];
    out.texts.push({ ...frame, suggestions: unique(suggestions), proved: known ? { ...known, game } : null });
  }
  return out;
}

function unique(suggestions) {
  const byLine = new Map();
  for (const one of suggestions) if (!byLine.get(one.line)?.note) byLine.set(one.line, one);
  return [...byLine.values()];
}

/** Entries of records alone; the log has another name for a game that is withheld: "turn gc-1 7 2026-12-01T09:03:00Z HEAD ..." */
function takeProof(out, { entry, good, foreign }) {
  const [, game, number, head] = /^[a-z]+ ([a-z0-9._-]+) ([0-9]{1,9}) [0-9TZ:-]{20} ([0-9a-f]{64})(?: |$)/.exec(entry) ?? [];
  const record = Number(number);
  if (foreign) out.foreign++;
  else if (!good) out.broken++;
  else if (isName(game ?? "")) {
    out.signed.set(head, { game, head, record });
    if (record >= (out.heads.get(game)?.record ?? 0)) out.heads.set(game, { head, record });
  }
}
