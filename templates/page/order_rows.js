// The orders as rows: edit, move, remove; suggestions to tap.
import { at, button, fill, make } from "./dom.js";

/** `lines`: the orders, which this changes; `changed`: called after each change. */
export class OrderRows {
  constructor(changed) {
    this.lines = [];
    this.changed = changed;
  }

  set(lines) {
    this.lines = [...lines];
    this.draw();
  }

  add(line, focus) {
    const blank = this.lines.findIndex((one) => !one.trim());
    const place = blank < 0 ? this.lines.length : blank;
    this.lines[place] = line;
    this.draw();
    if (focus) this.input(place)?.focus();
    this.changed();
  }

  input(place) {
    return at("orders").querySelectorAll("input")[place];
  }

  move(place, by) {
    const other = place + by;
    [this.lines[place], this.lines[other]] = [this.lines[other], this.lines[place]];
    this.draw();
    const tools = at("orders").children[other].querySelectorAll(".tools button");
    (tools[by < 0 ? 0 : 1].disabled ? tools[by < 0 ? 1 : 0] : tools[by < 0 ? 0 : 1]).focus();
    this.changed();
  }

  remove(place) {
    this.lines.splice(place, 1);
    this.draw();
    (this.input(Math.min(place, this.lines.length - 1)) ?? at("add")).focus();
    this.changed();
  }

  /** Several lines that are pasted into one row become rows. */
  pasted(event, place) {
    const words = event.clipboardData?.getData("text/plain") ?? "";
    if (!/\n/.test(words.trim())) return;
    event.preventDefault();
    this.lines.splice(place, 1, ...words.split(/\r?\n/).filter((line) => line.trim()).slice(0, 200));
    this.draw();
    this.changed();
  }

  row(line, place) {
    const input = make("input", {
      value: line, maxlength: 200, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": `Order ${place + 1}`, "aria-describedby": `why-${place}`,
      on: {
        input: () => {
          this.lines[place] = input.value;
          this.changed();
        },
        keydown: (event) => {
          if (event.key === "Enter") this.add("", true);
        },
        paste: (event) => this.pasted(event, place),
      },
    });
    const tool = (sign, words, act, disabled) => make("button", { type: "button", look: "quiet", text: sign, "aria-label": `${words} order ${place + 1}`, disabled, on: { click: act } });
    const tools = make("span", { look: "tools" },
      tool("↑", "Move up", () => this.move(place, -1), place === 0),
      tool("↓", "Move down", () => this.move(place, 1), place === this.lines.length - 1),
      tool("✕", "Remove", () => this.remove(place), false));
    return make("li", {}, input, tools, make("p", { look: "why", id: `why-${place}` }));
  }

  draw() {
    fill("orders", ...this.lines.map((line, place) => this.row(line, place)));
  }

  /** `wrong`: what checkOrders() gives. */
  mark(wrong) {
    this.lines.forEach((_, place) => {
      const found = wrong.find((one) => one.line === place);
      this.input(place).setAttribute("aria-invalid", found ? "true" : "false");
      const why = found ? `Line ${place + 1}: ${found.why}` : "";
      if (at(`why-${place}`).textContent !== why) at(`why-${place}`).textContent = why;
    });
  }
}

/** Each once; `take`: what a tap does. */
export function drawSuggestions(suggestions, take) {
  fill("suggestions", ...suggestions.map(({ line, note }) => {
    const row = button("", () => take(line));
    row.append(make("code", { text: line }), note);
    return make("li", {}, row);
  }));
  at("suggested").hidden = !suggestions.length;
}
