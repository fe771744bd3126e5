// Checks a game of Turnpost from its published files, record by record, as the format page (src/journal/README.md)
// describes them: the chain, the league's and the players' signatures, the boxes, the proofs of the draws and what
// follows from them. The rules are played by rules.wasm (rules.js), whose audit also asks what is not asked here: what each
// record may hold and where it may come, deadlines, states, reports.
import { alphaOf, hiddenAlpha, inOrderOfMarks, rootOf, seated, turned, witnessInput } from "./draws.js";
import { compare, encode, fromBase64, join, le32, same, toHex } from "./bytes.js";
import { isDrawKey, proofOutput, verify } from "./curve.js";
import { Fault, Newer, canonicalJson, canonicalText, dayOf, fingerprint, frameOf, hex32, hexBytes, isAdded, isNamed, isObject, keyList, must, name, number, only } from "./forms.js";
import { readJson, signerOf, text, textOf, time, uncommented, wire } from "./forms.js";
import { blake2b } from "./hashes.js";
import { entryOf, vkeyOf } from "./tlog.js";

const ZEROS = new Uint8Array(32);
const LONGEST_LINE = 131072;
const SEATS_MOST = 8;
const PROOF = 80;
const PRESS = 1000; // the key to items from here on is never published
const TYPES = ["create", "seat", "key", "start", "turn", "orders", "close", "end", "open", "note", "moderate"];

const words = (what) => encode(`${what}\0`);
const headOf = (line) => blake2b(join(words("turnpost/log"), line));

/** The lines with their LF; `torn`: bytes after the last LF. */
function linesOf(bytes) {
  const lines = [];
  let from = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, end + 1));
    from = end + 1;
  }
  return { lines, torn: from < bytes.length };
}

// ---- boxes (section 5) ----

const sealOf = (salt, payload) => blake2b(join(words("turnpost/seal"), salt, payload));
const boxKey = (key, of) => blake2b(join(words("turnpost/box"), of), 32, key);

function saltOf(key, seq, seat, item, payload) {
  return blake2b(join(words("turnpost/salt"), le32(seq), le32(seat), le32(item), blake2b(payload)), 32, key);
}

/** The key that opens the boxes, if the journal holds the one that `create` promised. */
function openedKey(lines) {
  try {
    const promised = hex32(readJson(lines[0].subarray(0, -1)), "seal_key");
    for (const line of lines.slice(1)) {
      const record = textOf(line).includes('"type":"open"') ? readJson(line.subarray(0, -1)) : {};
      const key = record.type === "open" ? hex32(record, "seal_key") : null;
      if (key && same(blake2b(join(words("turnpost/kseal"), key)), promised)) return key;
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error; // what cannot be read is found when its record is checked
  }
  return null;
}

// ---- the game ----

/** Who has a seat, with which keys, and the seal of the text by which they came. */
const freeSeat = () => ({ player: null, robot: false, keys: [], join: ZEROS, drawn: false, rekey: null, since: 0, changed: 0, gone: [], orders: new Set() });
const keyLines = (record) => keyList(record).map((key) => key.line);

/** The keys of a seat by the text of its player: the one that signed it, and those of its lines `key:`. */
function textKeys(record) {
  if (!("signed" in record)) return [];
  const keys = [record.signed.signature.key, ...frameOf(text(record.signed, "text")).keys.map(uncommented)];
  return keyLines({ keys: [...new Set(keys)] });
}

class Game {
  constructor(sealKey, leagueKey) {
    this.sealKey = sealKey; // null: no box may be opened yet
    this.leagueKey = leagueKey;
    this.seq = 0;
    this.head = ZEROS;
    this.time = 0;
    this.turn = 0;
    this.deal = ZEROS;
    this.rollbacks = 0;
    this.heads = []; // of this turn
    this.madeAt = new Map(); // when their records were
    this.allHeads = [];
    this.waiting = [];
    this.opened = false;
    this.closing = null;
    this.counts = { signatures: 0, proofs: 0, boxes: 0, shut: 0, vouched: 0, strangers: 0 };
  }

  // ---- one record ----

  take(line) {
    this.holds = [];
    const record = this.readLine(line);
    this.record = record;
    if (record.type === "create") this.begin(record);
    this["on_" + record.type](record);
    this.seq++;
    this.time = time(record, "time");
    this.head = headOf(line);
    if (record.type === "start" || record.type === "turn" || record.do === "rollback") this.heads = [];
    this.heads.push(toHex(this.head));
    this.madeAt.set(toHex(this.head), this.time);
    this.allHeads.push(toHex(this.head));
    if (this.seq === 1) this.first = this.head;
    if (record.type === "close") this.closeHead = this.head;
  }

  /** Form, chain, time (section 1). */
  readLine(line) {
    must(line.length <= LONGEST_LINE, "the line is too long");
    const record = readJson(line.subarray(0, -1));
    this.checkKnown(record);
    if (this.seq === 0) {
      must(record.type === "create", 'the first record must be "create"');
      this.league = hex32(record, "league_key");
      this.game = name(record, "game");
      must(!this.leagueKey || same(this.leagueKey, this.league), "it names another league's key than the one that was given");
    }
    must(record.game === this.game, "it belongs to another game");
    must(record.seq === this.seq + 1, `its number is not ${this.seq + 1}`);
    must(same(hex32(record, "prev"), this.head), "it does not follow the record before it");
    must(time(record, "time") >= this.time, "its time runs backwards");
    must(record.type !== "create" || this.seq === 0, '"create" is the first record and no other');
    this.holds.push("chain");
    return record;
  }

  checkKnown(record) {
    if (!TYPES.includes(record.type)) throw new Newer(`this page does not know records of the type "${String(record.type).slice(0, 20)}"`);
  }

  begin(record) {
    if (number(record, "format", 2, 2 ** 31) > 2) throw new Newer(`this page does not know games of format ${record.format}`);
  }

  // ---- boxes ----

  /** Is it the mark of this text? */
  marks(mark, seat, { signature, text: signed }) {
    must(isObject(signature) && typeof signed === "string", "a text without a signature");
    const byMail = "dkim" in signature;
    const sig = byMail ? domainBytes(signature) : fromBase64(signature.sig);
    return sig?.length === 64 && same(blake2b(join(words("turnpost/mark"), this.first, le32(seat), sig, encode(byMail ? "" : signed))), mark);
  }

  /** What is in the box of `one`, of whose key `of` is a part; null: it stays shut. */
  inBox(one, of, item) {
    const box = fromBase64(text(one, "box"));
    must(box, "a box is not base64");
    if (!this.sealKey || item >= PRESS) {
      this.counts.shut++;
      return null;
    }
    this.counts.boxes++;
    this.hold("boxes");
    return turned(boxKey(this.sealKey, of), box);
  }

  /** What a seal covers, as text, or null. */
  payload(one, seat, item) {
    const seal = hex32(one, "seal");
    const payload = this.inBox(one, seal, item);
    if (payload === null) return null;
    const salt = saltOf(this.sealKey, this.seq + 1, seat, item, payload);
    must(same(sealOf(salt, payload), seal), `the box (seat ${seat}, item ${item}) does not hold what its seal says`);
    return textOf(payload);
  }

  hold(what) {
    if (!this.holds.includes(what)) this.holds.push(what);
  }

  textAndSignature(payload) {
    const inside = readJson(payload);
    only(inside, "signature text", "a signed text");
    must(canonicalJson(inside) === payload, "what is sealed is not canonical JSON");
    return inside;
  }

  // ---- signed texts ----

  /** The frame of a text, signed by one of `keys` (lines; null: whose keys are, the journal does not know). */
  signed(signature, signedText, keys) {
    const line = signerOf(signature, signedText);
    must(!keys || keys.includes(line), "a text is signed with a key that was not valid then");
    this.counts.signatures++;
    this.counts.strangers += keys ? 0 : 1;
    this.hold("players' signatures");
    return frameOf(signedText);
  }

  /** Is it for this game, turn and history? */
  fits(frame, { heads = this.heads, turn = this.turn } = {}) {
    must(frame.fields.game === this.game, "a text is for another game");
    must(turn === null || frame.fields.turn === undefined || frame.fields.turn === turn, "a text is for another turn");
    must(heads.some((head) => head.startsWith(frame.fields.head ?? "")), "a text answers a head that is none of those that it may answer");
  }

  /** It counts in several games. */
  fitsLeague(frame) {
    must((frame.fields.game ?? "any") === "any", "a text for one game");
    must(frame.fields.league === fingerprint(join(wire(encode("ssh-ed25519")), wire(this.league))), "a text that does not name this league");
  }

  /**
   * The members of a signed text in the record (section 3). `keys` undefined: those of the seat of `by`; `keyed`: its
   * digest is made with a key that nobody has but the league.
   */
  petition(record, { keys, heads, turn, anyGame = false, keyed = false } = {}) {
    if (!("signed" in record)) return null; // a mail domain vouches for it (vouched), or nobody asked for it
    only(record.signed, "signature text", "a signed text");
    const seat = this.seats.find((one) => one?.player === record.by && !one.robot);
    const frame = this.signed(record.signed.signature, record.signed.text, keys === undefined ? (seat?.keys ?? null) : keys);
    if (!anyGame) this.fits(frame, { heads, turn });
    const digest = blake2b(encode(name(record, "by") + canonicalText(record.signed.text)));
    must(keyed || same(digest, hex32(record, "text")), '"text" is not the digest of the signed text');
    return frame;
  }

  /** A mail domain vouches in place of a key. `answered`: of orders, the head that their text names. */
  vouched(record, seat, answered) {
    if (!isObject(record.vouched)) return false;
    const arrived = time(record.vouched, "arrived");
    must(arrived <= time(this.record, "time"), "a mail came after the record that is made of it");
    must(!answered || arrived >= this.madeAt.get(answered), "a mail came before the record that it answers");
    if ("box" in record.vouched) this.inBox(record.vouched, hex32(record.vouched, "evidence"), 1001);
    this.counts.vouched++;
    return true;
  }

  /** The text by which a player joins, or waits. */
  joinText(record) {
    const mark = hex32(record, "mark");
    const keys = textKeys(record);
    this.petition(record, { keys, heads: [toHex(this.first)] });
    this.vouched(record, 0);
    const asked = record.signed ?? { signature: record.signature, text: record.said };
    must(this.marks(mark, 0, asked), "its mark is not that of its text");
    return { player: name(record, "player"), keys, join: mark };
  }

  /** The text by which a player is in the competition whose game it is. */
  entryText(record) {
    const player = name(record, "player");
    const frame = frameOf(text(isObject(record.signed) ? record.signed : record, isObject(record.signed) ? "text" : "said"));
    const keys = textKeys(record);
    must(record.by === player && ["enter", "confirm"].includes(frame.verb), "a player sits down without a text of their own");
    must(frame.others.competition?.toLowerCase() === this.competition, "a text about another competition");
    this.fitsLeague(frame);
    this.petition(record, { keys, anyGame: true });
    this.vouched(record, 0);
    return { player, keys };
  }

  // ---- who plays ----

  seatOf(record) {
    return this.seats[number(record, "seat", 1, this.n)];
  }

  on_create(record) {
    this.n = number(record, "seats", 1, SEATS_MOST);
    this.seats = [null, ...Array.from({ length: this.n }, freeSeat)];
    this.vrf = hex32(record, "vrf_key");
    must(isDrawKey(this.vrf), '"vrf_key" is no key');
    this.commitment = hex32(record, "seal_key");
    this.byMail = "trust" in record;
    this.kept = new Set();
    (Array.isArray(record.table) ? record.table : []).forEach((entry, i) => String(entry).startsWith("for:") && this.kept.add(i + 1));
    const digest = "card_data" in record ? blake2b(encode(canonicalJson(record.card_data))) : hex32(record, "cards");
    must(same(digest, hex32(record, "cards")), '"cards" is not the digest of "card_data"');
    this.rootOfDraws = isObject(record.compete) ? hex32(record, "nonce") : null;
    this.competition = record.compete?.name;
    this.witnesses = (record.witnesses ?? []).map((one) => ({ name: name(one, "name"), key: vkeyOf(text(one, "vkey"), 4), vrf: hex32(one, "vrf"), answer: null }));
    this.log = this.witnesses.length ? vkeyOf(text(record, "log"), 1) : null;
    must(!this.log || same(this.log.key, this.league), "the log of its witnesses is not the league's");
    this.logText = record.log;
    this.unnamed = record.observers === false || isObject(record.lockstep);
  }

  on_seat(record) {
    const seat = this.seatOf(record);
    if (record.why === "resigned") {
      this.petition(record);
      Object.assign(seat, { robot: true, keys: [] });
    } else if (record.why === "standby" || record.why === "back") {
      const keys = textKeys(record);
      const back = record.why === "back"; // by a key that they had there
      this.petition(record, { keys: back ? seat.ownerKeys : keys });
      must(!back || "signed" in record || !seat.ownerKeys.length, "a mail takes back a seat that a key had");
      this.vouched(record, 0);
      seat.ownerKeys = seat.keys;
      Object.assign(seat, { player: name(record, "player"), robot: false, keys, join: ZEROS });
    } else {
      this.fill(record, seat);
    }
    Object.assign(this.seats[record.seat], { rekey: null, since: this.day(record), changed: 0, gone: [] });
    if (!["standby", "back", "entered"].includes(record.why) && (!("mark" in record) || "waited" in record) && "said" in record) this.vouched(record, 0);
  }

  /** Before the deal. */
  fill(record, seat) {
    const fresh = freeSeat();
    if ("free" in record || "waited" in record) {
      this.petition(record);
      this.leave(record);
      return;
    }
    if ("robot" in record) {
      Object.assign(fresh, { player: name(record, "robot"), robot: true });
    } else if ("mark" in record) {
      Object.assign(fresh, this.joinText(record), { drawn: "drawn" in record });
      if (!fresh.drawn && seat.drawn) this.makeRoom(seat);
      this.waiting = this.waiting.filter((one) => one.player !== fresh.player);
    } else {
      Object.assign(fresh, this.entryText(record));
    }
    this.seats[record.seat] = fresh;
  }

  /** Who holds a seat that is drawn moves to the lowest that is free. */
  makeRoom(seat) {
    const free = this.seats.findIndex((one, i) => i > 0 && one.player === null && !this.kept.has(i));
    must(free > 0, "who holds the seat has no place to move to");
    this.seats[free] = seat;
  }

  /** A seat is free, or goes to who waited longest. */
  leave(record) {
    const fresh = { ...freeSeat(), since: this.day(record) };
    if ("waited" in record) {
      const first = this.waiting.shift();
      must(first && first.player === record.player && same(first.join, hex32(record, "mark")), "it is not who waited longest");
      Object.assign(fresh, first, { drawn: true });
    }
    this.seats[number(record, "seat", 1, this.n)] = fresh;
  }

  on_key(record) {
    const seat = this.seatOf(record);
    const keys = keyLines(record);
    let day = this.day(record);
    must("signed" in record !== "asked" in record, "nobody has signed that the seat has other keys, and nobody asked for them before");
    if ("signed" in record) {
      day = this.keysOf(record, seat, keys);
    } else {
      const asked = seat.rekey?.seq === record.asked && keys.length === 1 && keys[0] === seat.rekey.key;
      must(asked && time(record, "time") - seat.rekey.time >= 7 * 86400, "that key was not asked for seven days before, or somebody has said no");
      seat.rekey = null;
    }
    const gone = day === seat.changed ? seat.gone : [];
    Object.assign(seat, { changed: day, gone: [...gone, ...seat.keys.filter((line) => !keys.includes(line))], keys });
  }

  day(record) {
    return Math.floor(time(record, "time") / 86400);
  }

  /** A text of the player's names other keys; a moderator's takes some away. Its day. */
  keysOf(record, seat, keys) {
    const frame = this.petition(record, { anyGame: true });
    const { add, revoke, trust, player, date } = frame.others;
    const own = record.by === seat.player;
    must(frame.verb === "key", "a text of another kind");
    this.fitsLeague(frame);
    must(player === undefined ? own : player.toLowerCase() === seat.player, "a text about another player's keys");
    must(own || add === undefined, "a text of somebody else adds a key");
    const day = dayOf(date);
    must(day >= seat.since - 1 && day >= seat.changed, "a text that is older than the keys of the seat");
    const left = seat.keys.filter((line) => revoke === undefined || !isNamed(line, revoke));
    const more = add === undefined || left.some((line) => isAdded(line, add)) ? [] : keys.slice(-1);
    must(more.every((line) => isAdded(line, add)), "the key is not the one that the text names");
    must(day !== seat.changed || !seat.gone.includes(more[0]), "another text of that day has taken this key away");
    must(String(keys) === String([...left, ...more]) && String(keys) !== String(seat.keys), "the keys are not what the text says");
    must(keys.length || (own && this.byMail && trust?.toLowerCase() === "mail"), "the seat would have no key");
    return day;
  }

  /** Another key is asked for, or refused; or another mailbox is theirs, which no journal names. */
  noteKey(record) {
    const seat = this.seatOf(record);
    must(seat.player && !seat.robot, "no player has that seat");
    name(record, "by");
    if (record.kind === "mailbox") return;
    const keys = record.kind === "rekey" ? keyLines(record) : [];
    must(record.kind !== "rekey" || keys.length === 1, "one key takes the place of those that are lost");
    if (record.kind === "rekey") seat.rekey = { seq: this.seq + 1, time: time(record, "time"), key: keys[0] };
    else must(seat.rekey, "no other key was asked for");
    if (record.kind === "veto") seat.rekey = null;
  }

  // ---- turns ----

  openTurn(record) {
    must(record.turn === this.turn, "it is not about the open turn");
  }

  on_orders(record) {
    this.openTurn(record);
    const seat = this.seatOf(record);
    const seal = hex32(record, "seal");
    must("vouched" in record || seat.keys.length, "no key could have signed it");
    const opened = this.inBox(record, "made" in record ? hex32(record, "made") : seal, 0);
    let answered = this.heads[0]; // at least, where the text is sealed
    if (opened !== null) {
      const inside = this.textAndSignature(textOf(opened));
      must(this.marks(seal, record.seat, inside), "its box does not hold the text of its mark");
      const { signature, text: ordered } = inside;
      const byMail = "vouched" in record;
      const frame = byMail ? frameOf(ordered) : this.signed(signature, ordered, seat.keys);
      must(frame.verb === "orders", "the text holds no orders");
      this.fits(frame);
      if (byMail) {
        const made = blake2b(join(words("turnpost/made"), domainBytes(signature), encode(ordered)));
        must(same(made, hex32(record, "made")), "the text is not the one that was made of its mail");
        answered = frame.fields.head;
      }
    }
    this.vouched(record, record.seat, answered);
    seat.orders.add(toHex(seal));
  }

  on_close(record) {
    this.openTurn(record);
    must(Array.isArray(record.seals) && record.seals.length === this.n, "it does not have a seal for each seat");
    this.closing = record.seals.map((seal) => (seal === "" ? ZEROS : hexBytes(seal, 32, "a seal")));
    this.closing.forEach((seal, i) => {
      const made = this.turn === 0 ? toHex(this.dealtSeals()[i]) === toHex(seal) : this.seats[i + 1].orders.has(toHex(seal));
      must(record.seals[i] === "" || made, `the seal of seat ${i + 1} is not that of orders of this seat`);
    });
    must(same(hex32(record, "deal"), this.deal), "it names another deal");
    must(record.rollbacks === this.rollbacks, "it names another number of rollbacks");
    for (const one of this.witnesses) one.answer = null;
    this.without = new Set();
    this.closeSeq = this.seq + 1;
  }

  /** {seat, player, mark} of the seats that are drawn. */
  held() {
    return this.seats.flatMap((seat, i) => (seat?.drawn ? [{ seat: i, player: seat.player, mark: seat.join }] : []));
  }

  /** The seals of turn 0. */
  dealtSeals() {
    const seals = this.seats.slice(1).map((seat) => seat.join);
    const marks = inOrderOfMarks(this.held()).map((one) => one.mark);
    this.held().forEach(({ seat }, i) => (seals[seat - 1] = marks[i]));
    return seals;
  }

  alpha() {
    const { deal, rollbacks, turn, closing } = this;
    return alphaOf({ root: this.rootOfDraws ?? this.first, deal, rollbacks, turn, seals: closing });
  }

  on_start(record) {
    must(this.turn === 0, "the game has begun already");
    this.closing = this.dealtSeals();
    this.draw(record);
    this.drawSeats(record);
    this.deal = hexBytes(record.pi, PROOF, '"pi"').slice(0, 32);
    this.opening(record);
  }

  on_turn(record) {
    must(this.closing, '"turn" comes after "close"');
    this.draw(record);
    this.opening(record);
  }

  /** The proof of the turn's draws. */
  draw(record) {
    this.openTurn(record);
    const beta = proofOutput(this.vrf, hexBytes(record.pi, PROOF, '"pi"'), this.alpha());
    must(beta, "the proof of its draws is wrong");
    this.counts.proofs++;
    this.hold("draws");
    this.root = rootOf([beta, ...this.witnesses.filter((one) => one.answer).map((one) => one.answer)]);
  }

  drawSeats(record) {
    const want = seated(this.root, this.held());
    must("drawn" in record === want.length > 0, '"drawn" is missing, or nothing is drawn');
    must(!want.length || canonicalJson(record.drawn) === canonicalJson(want), "the seats are not drawn like that");
    const places = new Map(this.held().map(({ seat, player }) => [player, this.seats[seat]]));
    for (const { seat, player } of want) this.seats[seat] = { ...places.get(player), drawn: false };
  }

  /** Hidden draws and reports; the next turn opens. */
  opening(record) {
    must(Array.isArray(record.hidden) && Array.isArray(record.reports), "hidden draws or reports are missing");
    const labels = record.hidden.map((one, i) => this.hidden(this.payload(one, 0, 2 + i))).filter((label) => label !== null);
    must(new Set(labels).size === labels.length, "two hidden draws have one label");
    record.reports.forEach((seal) => must(seal === "" || hexBytes(seal, 32, "a seal"), "a seal of a report is missing"));
    this.turn++;
    this.closing = null;
  }

  /** Its label. */
  hidden(payload) {
    if (payload === null) return null;
    const inside = readJson(payload);
    only(inside, "label proof", "a hidden draw");
    const label = text(inside, "label");
    const proof = hexBytes(inside.proof, PROOF, "the proof of a hidden draw");
    must(proofOutput(this.vrf, proof, hiddenAlpha(this.root, label)), "the proof of a hidden draw is wrong");
    this.counts.proofs++;
    return label;
  }

  on_end() {}

  on_open(record) {
    const key = hex32(record, "seal_key");
    must(same(blake2b(join(words("turnpost/kseal"), key)), this.commitment), 'it is not the key that "create" promised');
    this.opened = true;
    this.hold("key of the boxes");
  }

  // ---- people and moderators ----

  on_note(record) {
    const known = "wait witness late unwitness instant press observe standby offer reminder lost hold shift vote question appeal ruling rekey veto mailbox".split(" ");
    if (record.kind === "wait") this.noteWait(record);
    else if (record.kind === "witness") this.noteWitness(record);
    else if (record.kind === "unwitness") this.noteUnwitness(record);
    else if (record.kind === "press" || record.kind === "appeal") this.message(record);
    else if (["rekey", "veto", "mailbox"].includes(record.kind)) this.noteKey(record);
    else if (known.includes(record.kind)) this.petition(record, record.kind === "ruling" ? { heads: this.allHeads, turn: null } : {});
    else throw new Newer(`this page does not know notes of the kind "${String(record.kind).slice(0, 20)}"`);
    if (record.kind !== "wait" && ("said" in record || record.kind === "question")) this.vouched(record, 0);
  }

  /** Words that only the league's moderators can open. */
  message(record) {
    this.payload(record, 0, PRESS);
  }

  noteWait(record) {
    if ("leave" in record) {
      this.petition(record);
      if ("said" in record) this.vouched(record, 0);
      this.waiting = this.waiting.filter((one) => one.player !== record.player);
    } else {
      this.waiting.push(this.joinText(record));
    }
  }

  /** The witness has cosigned the log with the entry of this close in it, and gives dice for it. */
  noteWitness(record) {
    const witness = this.witnesses.find((one) => one.name === record.witness && !one.answer);
    must(this.closing && witness, "nothing is waited for from this witness");
    const { line, cosigned } = entryOf(text(record, "proof"), this.log, witness.key);
    const calls = this.unnamed ? `h${toHex(blake2b(join(words("turnpost/name"), this.first))).slice(0, 24)}` : this.game;
    const [turn, alpha] = [`${this.turn}.${this.rollbacks}`, toHex(blake2b(this.alpha()))];
    const [kind, name, seq, when, head, ...rest] = line.split(" ");
    must(`${kind} ${name} ${seq}` === `close ${calls} ${this.closeSeq}` && head === toHex(this.closeHead), "the witness has seen another close");
    must(rest.join(" ") === `turn ${turn} alpha ${alpha}`, "the entry says something else of the close");
    must(Date.parse(when) / 1000 <= cosigned + 300, "the close is dated ahead of when the witness saw it");
    witness.answer = proofOutput(witness.vrf, hexBytes(record.pi, PROOF, '"pi"'), witnessInput({ log: this.logText, name, turn, alpha }));
    must(witness.answer, "the proof of the witness's draw is wrong");
    this.counts.proofs++;
    this.hold("draws");
    this.hold("witnesses' cosignatures");
  }

  /** With the word of a majority of the players the turn opens again, and there are no witnesses any more. */
  noteUnwitness(record) {
    this.petition(record);
    this.without.add(number(record, "seat", 1, this.n));
    const people = this.seats.filter((seat) => seat?.player && !seat.robot).length;
    if (2 * this.without.size <= people) return;
    this.closing = null;
    this.witnesses = [];
    this.rollbacks++;
  }

  on_moderate(record) {
    const resends = record.do === "resend";
    this.petition(record, { keyed: record.do !== "ban", anyGame: record.do === "ban", ...(resends ? { heads: this.allHeads, turn: null } : {}) });
    if (record.do === "orders") this.setOrders(record);
    else if (record.do === "correct" && "seal" in record) this.payload(record, 0, 2);
    else if (record.do === "replace" || (record.do === "ban" && this.turn > 0)) this.replace(record);
    else if (record.do === "ban" && "leave" in record) this.waiting = this.waiting.filter((one) => one.player !== record.player);
    else if (record.do === "ban") this.leave(record);
    else if (record.do === "rollback") this.rollBack(record);
  }

  setOrders(record) {
    const payload = this.payload(record, number(record, "seat", 1, this.n), 0);
    if (payload !== null && record.by !== "operator") {
      const inside = readJson(payload);
      this.fits(this.signed(inside.signature, inside.text, null));
    }
  }

  replace(record) {
    const seat = this.seatOf(record);
    if ("robot" in record) Object.assign(seat, { robot: true, keys: [], rekey: null, since: this.day(record), changed: 0, gone: [] });
  }

  rollBack(record) {
    this.turn = number(record, "turn", 1, this.turn);
    this.rollbacks++;
    this.closing = null;
  }
}

/** What stands for a key's signature in a mark where a mail domain has signed. */
function domainBytes(signature) {
  only(signature, "content dkim", "a domain's signature");
  const sig = fromBase64(signature.dkim);
  must(sig?.length, "a domain's signature is not base64");
  return blake2b(join(words("turnpost/dkim"), hex32(signature, "content"), sig), 64);
}

/** What this check leaves to others, by what it met. */
function leftOut(game) {
  const { vouched, strangers } = game.counts;
  const out = ["the rules, states, reports and deadlines (rules.wasm plays and checks them)"];
  if (vouched) out.push(`${vouched} texts that no key has signed: the word of mail domains (DKIM) is not checked here, as only the league can open the mails`);
  if (strangers) out.push(`${strangers} texts signed by keys that the journal does not know (moderators, people without a seat): that the keys are theirs is the league's word`);
  return out;
}

/** Takes record after record; gives [record, what is wrong], or null. */
function walk(game, lines, result, passed) {
  for (const line of lines) {
    const seq = game.seq + 1;
    try {
      game.take(line);
    } catch (error) {
      if (!(error instanceof Fault) && !(error instanceof Newer)) throw error;
      result.verdict = error instanceof Newer ? "newer" : "broken";
      return [seq, error.message];
    }
    result.records.push({ seq, type: game.record.type, kind: game.record.kind ?? game.record.do ?? "", time: game.record.time, holds: game.holds });
    passed(seq);
  }
  return null;
}

function ending(game, torn) {
  const next = game.seq + 1;
  if (!game.seq) return [1, "there is no record"];
  if (torn) return [next, "the journal ends in the middle of a record"];
  return null;
}

/**
 * `journal`: the bytes of journal.jsonl, whose boxes are opened once it holds their key. `leagueKey`: 32 bytes, if they are known; `passed` is called with the number of each record
 * that holds. Gives {verdict: "holds", "sealed" (it holds as far as it is opened), "broken" or "newer" (made by a later
 * version), record, why, game, head, league, records: [{seq, type, kind, time, holds}], counts, leftOut}.
 */
export function checkGame(journal, { leagueKey = null, passed = () => {} } = {}) {
  const { lines, torn } = linesOf(journal);
  const result = { verdict: "broken", record: 0, why: "", records: [] };
  const sealKey = lines.length ? openedKey(lines) : null;
  const game = new Game(sealKey, leagueKey);
  const wrong = walk(game, lines, result, passed) ?? ending(game, torn);
  if (wrong) [result.record, result.why] = wrong;
  else result.verdict = game.opened ? "holds" : "sealed";
  const { head, league, counts } = game;
  return { ...result, game: game.game ?? "", head: toHex(head), league: league ? toHex(league) : "", counts, leftOut: leftOut(game) };
}

/** The league's log from its league.policy: {name, id, key}. */
export function leagueLogOf(words) {
  const line = words.split("\n").find((one) => one.startsWith("log "));
  must(line, "it names no log");
  return vkeyOf(line.split(" ")[1], 1);
}

/** Why nothing shows that the log has the journal that was checked; "": HEAD and HEAD.tlog-proof (`proof`: one after the other) show it. */
export function faultOfLog({ records, head }, proof, log) {
  if (!proof || !log) return "the files HEAD, HEAD.tlog-proof and league.policy are not beside it";
  try {
    const [, , seq, , entered] = entryOf(proof, log).line.split(" ");
    must(Number(seq) === records.length && entered === head, "the proof is of another record than the last one");
    return "";
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}
