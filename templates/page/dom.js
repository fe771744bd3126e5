// Elements from text. Nothing here, and nothing in page.js, takes markup: what others wrote is shown as it is written.

export const at = (id) => document.getElementById(id);

/** make("p", {text: "...", look: "bad", id, on: {click: f}, ...attributes}, child, ...) */
export function make(tag, { text, look, on = {}, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (look) node.className = look;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== undefined) node.setAttribute(name, String(value));
  }
  for (const [event, act] of Object.entries(on)) node.addEventListener(event, act);
  node.append(...children);
  return node;
}

export const fill = (id, ...children) => at(id).replaceChildren(...children);

/** Said to those who see and those who listen. */
export function say(id, text, look = "") {
  at(id).replaceChildren(...(text ? [make("p", { text, look })] : []));
}

export const button = (text, click, look = "") => make("button", { type: "button", text, look, on: { click } });

/** A choice: {value: words}. */
export const options = (rows) => rows.map(([value, text]) => make("option", { value, text }));
