// Order lines, checked by the words of a game without its table: a line that is named here is one that the league would not
// understand. It is not the other way round: whether a system exists, or is named so, only the league knows.

// What the league reads as a space (src/orders/words.c), and as nothing at all.
const BLANKS = /[\s\u007f,.:;"*+&%\u00a0\u2007\u202f\u00ab\u00bb\u00b7\u2022\u201c-\u201f\u2033\u2010-\u2015\u2212-]+/u;
const NOTHING = /['`\u00b4\u02bc\u2018-\u201b\u2032\u00ad\u200b\ufeff]/gu;

/** The words of a line: small letters, operators and numbers apart. */
function split(line) {
  const plain = line.replace(NOTHING, "").replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return plain
    .replace(/[<>=\u2264\u2265]+/gu, " $& ")
    .split(BLANKS)
    .map((word) => word.replace(/[!?]+$/, ""))
    .filter((word) => word);
}

/** An entry of a table by its name, or by a beginning of it of `least` letters that no other shares. */
function find(table, word, least) {
  const exact = table.find((one) => one.name === word);
  if (exact) return exact;
  const begins = word.length >= least ? table.filter((one) => one.name.startsWith(word)) : [];
  return begins.length === 1 ? begins[0] : null;
}

/** How many letters have to be changed, at most 3. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}

function nearest(names, word) {
  const [best] = names.map((name) => [distance(name, word), name]).sort(([a], [b]) => a - b);
  return best && 3 * best[0] <= word.length ? best[1] : null;
}

class Line {
  constructor(words, language) {
    this.words = words;
    this.language = language;
    this.at = 0;
  }

  get word() {
    return this.words[this.at];
  }

  take(word) {
    if (this.word !== word) return false;
    this.at++;
    return true;
  }

  skip() {
    while (this.language.fillers.includes(this.word)) this.at++;
  }

  verbs(standing) {
    return this.language.verbs.filter((verb) => standing || !verb.standing);
  }

  isVerb(standing, least) {
    return this.word !== undefined && find(this.verbs(standing), this.word, least) !== null;
  }

  /** Why no order can begin here. */
  noVerb(standing) {
    const { word } = this;
    if (word === undefined) return "The line ends where an order is expected.";
    const verbs = this.verbs(standing);
    const several = verbs.filter((verb) => verb.name.startsWith(word)).map((verb) => `"${verb.name}"`);
    if (several.length > 1 || (several.length && word.length < 2)) return `"${word}" could mean ${several.join(", ")}: write more letters.`;
    if (find(this.language.verbs, word, 2)) return `"${word}" is an answer to what others do; it needs "when" before it.`;
    const near = nearest([...verbs.map((verb) => verb.name), ...this.language.line_words, ...this.language.common], word);
    return `There is no order "${word}" in this game${near ? `; did you mean "${near}"?` : "."}`;
  }

  /** One order or several alternatives, a condition before or after it, ELSE. */
  statement(standing) {
    this.skip();
    if (this.take("if")) {
      const wrong = this.condition();
      if (wrong) return wrong;
      const isThen = (word, i) => word === "then" || (i > this.at && find(this.verbs(standing), word, 3) !== null) || word === "repeat";
      const order = this.words.findIndex((word, i) => i >= this.at && isThen(word, i));
      if (order < 0) return null; // a block, or words that only the league can tell apart
      this.at = order;
      this.take("then");
      this.skip();
      if (this.word === undefined) return null;
    }
    if (this.take("repeat")) {
      this.skip();
      if (!this.isVerb(standing, 2)) this.at++; // its number
      this.take("times");
      this.skip();
    }
    return this.isVerb(standing, 2) ? this.orElse(standing) : this.noVerb(standing);
  }

  orElse(standing) {
    const other = this.words.indexOf("else", this.at);
    if (other < 0) return null;
    this.at = other + 1;
    return this.statement(standing);
  }

  /** Only its first word is looked at. */
  condition() {
    while (this.language.fillers.includes(this.word) || ["not", "is", "are", "than"].includes(this.word)) this.at++;
    const { word } = this;
    if (word === undefined) return '"if" needs a condition.';
    if (["ok", "fail", "turn"].includes(word) || (word === "have" && this.language.have)) return null;
    if (find(this.language.counters, word, 2)) return null;
    const near = nearest(this.language.counters.map((counter) => counter.name), word);
    return `"if" does not know "${word}" in this game${near ? `; did you mean "${near}"?` : "."}`;
  }

  when() {
    this.skip();
    if (this.word === undefined || !find(this.language.triggers, this.word, 2)) {
      const known = this.language.triggers.map((trigger) => `"${trigger.name}"`).join(", ");
      return known ? `"when" needs one of ${known} after it.` : 'This game has no "when".';
    }
    return null;
  }

  read() {
    this.skip();
    if (this.word === undefined) return "There is no order in this line.";
    if (["endif", "end", "else"].includes(this.word)) return null;
    if (this.take("when")) return this.when();
    if (this.take("always")) {
      this.skip();
      return this.word === "auto" ? null : this.statement(false);
    }
    const common = this.language.common.includes(this.word);
    if (common && !this.verbs(false).some((verb) => verb.name === this.word)) {
      return this.word === "say" && this.words.length < 3 ? "SAY needs a name and a text: SAY ALL Good luck!" : null;
    }
    return this.statement(false);
  }
}

const isSay = (line) => /^\s*say\b/i.test(line);

/** Does one IF that stands alone lack its ENDIF? The number of its line, from 0; -1: none. */
function openBlock(all) {
  const open = [];
  for (const { number, words } of all) {
    if (words[0] === "endif" || (words[0] === "end" && words[1] === "if")) open.pop();
    else if (words[0] === "if" && words.includes("then") && words[words.length - 1] === "then") open.push(number);
  }
  return open.length ? open[0] : -1;
}

/** [{line: from 0, why}] of lines that would not be understood. `language`: a file of words/. */
export function checkOrders(lines, language) {
  const { limits: most } = language;
  const wrong = [];
  const all = [];
  lines.forEach((line, number) => {
    if (!line.trim() || line.trim().startsWith("#")) return;
    for (const part of isSay(line) ? [line] : line.split(";").filter((one) => one.trim())) {
      const words = split(part);
      all.push({ number, words });
      const why = words.length > most.words && !isSay(part) ? `This line has more than ${most.words} words.` : new Line(words, language).read();
      if (why && !wrong.some((one) => one.line === number)) wrong.push({ line: number, why });
    }
  });
  if (all.length > most.lines) wrong.push({ line: all[most.lines].number, why: `No more than ${most.lines} orders are read.` });
  const open = openBlock(all);
  if (open >= 0) wrong.push({ line: open, why: 'This "if" has no "endif".' });
  return wrong;
}

/** Does the line give up the seat? By the rules for lines: the word alone, and words that mean nothing ("please") around it. */
export const resigns = (line, language) =>
  line.split(";").some((part) => split(part).filter((word) => !language.fillers.includes(word)).join(" ") === "resign");
