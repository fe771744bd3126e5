// rules.wasm and check.js as a server, for thousands of journals in one process: server.mjs CHECK, the folder as it is
// published. In: as tests/wasm/twin.c; out: {"rules": what rules.wasm gives, "check": what check.js gives, without its records,
// "milliseconds": [of the one, of the other]}, a line for each.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

globalThis.crypto ??= crypto.webcrypto; // Node 18 has it there alone
const folder = path.resolve(process.argv[2]);
const load = (name) => import(pathToFileURL(path.join(folder, name)).href);
const { checkGame } = await load("check.js");
const { loadRules } = await load("rules.js");
const { fromHex } = await load("bytes.js");
const rules = await loadRules(fs.readFileSync(path.join(folder, "rules.wasm")));

function answer(journal, key) {
  const began = performance.now();
  const passed = [];
  const played = rules.audit(journal, key, (seq) => passed.push(seq));
  const middle = performance.now();
  const { records, ...check } = checkGame(journal, { leagueKey: key });
  const milliseconds = [middle - began, performance.now() - middle].map(Math.round);
  return { rules: played, check: { ...check, passed: records.length }, passed: passed.length, milliseconds };
}

let held = Buffer.alloc(0);
for await (const chunk of process.stdin) {
  held = Buffer.concat([held, chunk]);
  for (let end = held.indexOf(10); end >= 0; end = held.indexOf(10)) {
    const [length, hex] = held.subarray(0, end).toString().split(" ");
    const whole = end + 1 + Number(length);
    if (held.length < whole) break;
    const journal = new Uint8Array(held.subarray(end + 1, whole));
    process.stdout.write(`${JSON.stringify(answer(journal, fromHex(hex, 32)))}\n`);
    held = held.subarray(whole);
  }
}
