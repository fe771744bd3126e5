// Texts to be signed: put together from a form, and what is wrong with them. The text that this gives is what is shown, signed
// and sent, byte for byte.
import { encode } from "./check/bytes.js";
import { canonicalText } from "./check/forms.js";

const LONGEST_LINE = 72; // keys/README.md: what is longer does not survive mail
const LONGEST_TEXT = 8192;
const WRAP = 70;
// Controls, ends of lines that mail does not know, what turns the direction of writing, and letters that nobody sees.
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u180e\u200e\u200f\u2028-\u202e\u2060-\u206f\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** {name, value} of a line of a form; null: free text. */
export function fieldOf(line) {
  const found = /^([a-z]{2,16}): ?(.*)$/.exec(line);
  return found && { name: found[1], value: found[2] };
}

/** The day (UTC), as texts name it. */
export const today = (now = Date.now()) => new Date(now).toISOString().slice(0, 10);

/** Free text in lines that mail leaves alone. */
export function wrap(words) {
  const lines = [];
  for (const paragraph of words.split("\n")) {
    let line = "";
    for (const word of paragraph.trim().split(/\s+/u)) {
      if (line && line.length + 1 + word.length > WRAP) {
        lines.push(line);
        line = "";
      }
      line += (line ? " " : "") + word;
    }
    lines.push(line);
  }
  return lines.filter((line) => line);
}

/** The whole text, in the form that all readers of it bring it into anyway. `fields`: [[name, value], ...], empty ones are left out. */
export function compose(verb, fields, body) {
  const head = fields.filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${value}`);
  return canonicalText([`#turnpost ${verb}`, ...head, ...body, "#end"].join("\n").normalize("NFC"));
}

/** Sentences on what is wrong with it; none: it can be signed. */
export function faultsOf(text) {
  const lines = text.split("\n").slice(0, -1);
  const faults = [];
  if (encode(text).length > LONGEST_TEXT) faults.push(`The text has more than ${LONGEST_TEXT} bytes.`);
  lines.forEach((line, i) => {
    if ([...line].length > LONGEST_LINE) faults.push(`Line ${i + 1} has more than ${LONGEST_LINE} characters, and mail would break it: "${line.slice(0, 30)}..."`);
    if (UNSEEN.test(line)) faults.push(`Line ${i + 1} has a character that cannot be seen.`);
    if (i > 0 && i < lines.length - 1 && /^#(turnpost|end\b)/i.test(line)) faults.push(`Line ${i + 1} would begin or end a text.`);
  });
  return faults;
}
