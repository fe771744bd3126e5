// The fields of a text, from its form: inputs for its lines, and one for its words.
import { at, fill, make } from "./dom.js";
import { toHex } from "./check/bytes.js";
import { fieldOf } from "./texts.js";

// Of these the page knows the values itself.
const OWN = { register: ["key"] };
const NONCE = 6; // bytes

/** The lines that a form shows as examples: of some they depend on whether a game is named. */
const linesOf = (verb, named) => (verb.about === "either" && !named ? verb.anywhere : verb.lines);

/** Does its text name a turn? Of some that is the open one, of others any. */
export const namesTurn = (verb) => verb.turn || (verb.lines ?? []).some((line) => fieldOf(line)?.name === "turn");

function field({ name, value }, changed) {
  const id = `field-${name}`;
  const input = make("input", { id, maxlength: 200, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: value, on: { input: changed } });
  return make("p", {}, make("label", { for: id, text: name }), input);
}

/** Those that are rarely wanted come last. */
function inputs(verb, examples, changed) {
  const shown = examples.filter((one) => one && one.name !== "turn");
  const rare = verb.fields.filter((name) => !shown.some((one) => one.name === name) && !(OWN[verb.verb] ?? []).includes(name));
  const more = make("details", { open: verb.verb === "register" }, make("summary", { text: "More lines" }), ...rare.map((name) => field({ name, value: "" }, changed)));
  return [...shown.map((one) => field(one, changed)), ...(rare.length ? [more] : [])];
}

/** `named`: there is a game; `values`: what is in the lines; `changed`: called after each change. */
export function drawInputs(verb, { named, values }, changed) {
  const lines = linesOf(verb, named);
  const examples = lines.map(fieldOf);
  const parts = inputs(verb, examples, changed);
  if (verb.text || examples.includes(null)) {
    const example = lines.filter((line) => !fieldOf(line)).join(" ");
    const body = make("textarea", { id: "body", rows: 4, maxlength: 6000, placeholder: example, on: { input: changed } });
    parts.push(make("p", {}, make("label", { for: "body", text: "Your words" }), body));
  }
  fill("fields", ...parts);
  const kept = { ...values };
  if (at("field-nonce")) kept.nonce ??= toHex(crypto.getRandomValues(new Uint8Array(NONCE)));
  if (examples.some((one) => one?.name === "game" && one.value === "any")) kept.game ??= "any";
  for (const [name, value] of Object.entries(kept)) if (at(`field-${name}`)) at(`field-${name}`).value = value;
}

/** [[name, value], ...] */
export function valuesNow() {
  return [...at("fields").querySelectorAll("input")].map((input) => [input.id.replace("field-", ""), input.value.trim().replace(/[\r\n]/g, " ")]);
}
