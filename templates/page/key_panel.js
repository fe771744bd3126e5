// "Your key": makes one, finds one again, takes one from a file; shows which one signs.
import { at, button, fill, make } from "./dom.js";
import { Fault } from "./check/forms.js";
import * as keys from "./keys.js";
import { fingerprint } from "./sshsig.js";
import * as store from "./store.js";

const IN_APP =
  "This page is open inside an app. What is kept here is lost when the app cleans up, so no key is made or kept. Open the page in your " +
  "telephone's own browser: by the menu of the app, or by copying its address.";

/** `league`: league.json; `changed(key)`: called with the key that signs, or null. */
export class KeyPanel {
  constructor(league, changed) {
    this.league = league;
    this.changed = changed;
    this.key = null;
    this.made = null; // an Ed25519 key whose backup was not read back yet
    this.address = null; // of its file
  }

  async begin() {
    this.can = { passkey: keys.canPasskey(this.league.application), ed25519: await keys.canEd25519(), none: keys.inApp() };
    this.key = (await store.get("key").catch(() => null)) ?? null;
    this.draw();
  }

  async use(key) {
    this.key = key;
    this.made = null;
    await store.put("key", key);
    this.draw();
    this.changed(key);
    store.keep(); // some browsers ask the player, who need not answer
  }

  /** Runs what a button does, and says what went wrong. */
  act(what) {
    return async () => {
      this.said("");
      try {
        await what();
      } catch (error) {
        const words = error instanceof Fault ? error.message : `it did not work (${error.name}: ${error.message})`;
        this.said(`No key: ${words}.`);
      }
    };
  }

  said(words) {
    at("key-said").textContent = words;
  }

  draw() {
    if (!this.made) this.addressOf(null);
    const said = make("p", { id: "key-said", look: "bad", role: "status" });
    if (this.key) fill("key", ...this.current(), said);
    else if (this.can.none) fill("key", make("p", { look: "warning", text: IN_APP }), button("Copy the page's address", () => navigator.clipboard.writeText(location.href)), said);
    else if (this.made) fill("key", ...this.backup(), said);
    else fill("key", ...this.choices(), said);
  }

  current() {
    const { line, kind } = this.key;
    const what = kind === "passkey" ? "A passkey for this page. Each text asks you once." : "An Ed25519 key that this browser keeps and gives to nobody.";
    const away = button("Use another key", this.act(async () => {
      this.key = null;
      await store.put("key", null);
      this.draw();
      this.changed(null);
    }), "quiet");
    const more = make("details", {}, make("summary", { text: "Its public half, and other keys" }), make("p", { look: "digits", text: fingerprint(line) }), make("pre", { text: line, tabindex: 0, "aria-label": "Public key" }),
      make("p", { text: kind === "passkey" ? "The passkey stays with your browser or telephone; the page can find it again." : "The page forgets this key; your backup brings it back." }), make("p", { look: "row" }, away));
    return [make("p", { look: "good", text: what }), more];
  }

  choices() {
    const { league, can } = this;
    const name = () => at("field-name")?.value.trim() || "player";
    const parts = [];
    if (can.passkey) {
      parts.push(make("p", { text: "A passkey signs with your finger, face or PIN, and comes with you to your other devices." }),
        make("p", { look: "row" }, make("button", { type: "button", id: "make-passkey", look: "main", text: "Make a passkey", on: { click: this.act(async () => this.use(await keys.makePasskey(league, name()))) } }),
          make("button", { type: "button", id: "find-passkey", text: "I have one (two touches)", on: { click: this.act(async () => this.use(await keys.findPasskey(league))) } })));
    } else {
      parts.push(make("p", { text: `Passkeys work at https://${league.application} alone, in a browser that has them.` }));
    }
    const ed25519 = [];
    if (can.ed25519) {
      ed25519.push(make("p", { text: "A key in a file: you save a copy, and this browser keeps the key. It can be used with ssh-keygen, too." }),
        make("p", { look: "row" }, make("button", { type: "button", id: "make-ed25519", text: "Make a key file", on: { click: this.act(async () => {
          this.made = await keys.makeEd25519(name());
          this.draw();
        }) } })),
        this.reader("Use a key file that you have (OpenSSH, Ed25519, without a passphrase):", null));
    } else {
      ed25519.push(make("p", { text: "This browser cannot keep Ed25519 keys; those of 2025 and later can." }));
    }
    parts.push(make("details", can.passkey ? {} : { open: true }, make("summary", { text: "Without a passkey" }), ...ed25519));
    return parts;
  }

  /** A file to choose, or its text to paste. */
  reader(words, expected) {
    const take = async (text) => this.use(await keys.ofFile(text, expected));
    const file = make("input", { type: "file", id: "key-file", on: { change: this.act(async () => {
      if (file.files.length && file.files[0].size < 65536) await take(await file.files[0].text());
    }) } });
    const pasted = make("textarea", { id: "key-pasted", rows: 2, autocomplete: "off", spellcheck: "false", "aria-label": "Text of the key file" });
    return make("div", {}, make("p", {}, make("label", { for: "key-file", text: words }), file),
      make("details", {}, make("summary", { text: "Paste the file's text instead" }), pasted, make("p", { look: "row" }, make("button", { type: "button", id: "key-read", text: "Read it", on: { click: this.act(() => take(pasted.value)) } }))));
  }

  /** The address of the file that is to be saved, which is gone as soon as nothing is. */
  addressOf(file) {
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = file && URL.createObjectURL(new Blob([file], { type: "application/octet-stream" }));
    return this.address;
  }

  backup() {
    const { file, line } = this.made;
    const save = make("a", { look: "button main", id: "save-key", download: "turnpost-key", href: this.addressOf(file), text: "Save the backup" });
    return [
      make("p", { text: "1. Save this file where only you can read it, and not only on this device. It has no passphrase." }),
      make("p", { look: "row" }, save, button("Copy its text", () => navigator.clipboard.writeText(file))),
      make("details", {}, make("summary", { text: "Show its text" }), make("pre", { id: "key-text", text: file, tabindex: 0, "aria-label": "Text of the key file" })),
      make("p", { text: "2. Show that you have it: read the saved file back. Only then does this browser take the key." }),
      this.reader("The file that you have saved:", line),
      make("p", { look: "row" }, button("Make none", () => {
        this.made = null;
        this.draw();
      }, "quiet")),
    ];
  }
}
