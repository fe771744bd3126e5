// The rules of the games, the order language and the audit of Turnpost, as WebAssembly (rules.wasm, `make wasm`): plays
// a game again from its published files, to the same digests. What the program may ask of its surroundings is all
// here: random bytes (for a hash table; they change no result), and words for the console when it stops.

const BAD_DESCRIPTOR = 8; // WASI's EBADF: there are no files, no clock, no network

class Stopped extends Error {}

/** What rules.wasm imports. `reach()` gives its memory. */
function surroundings(reach, said, passed) {
  const bytes = (at, len) => new Uint8Array(reach().buffer, at, len);
  return {
    turnpost: { passed },
    wasi_snapshot_preview1: {
      fd_read: () => BAD_DESCRIPTOR,
      fd_seek: () => BAD_DESCRIPTOR,
      fd_write(descriptor, parts, count, written) {
        const view = new DataView(reach().buffer);
        let total = 0;
        for (let i = 0; i < count; i++) {
          const [at, length] = [view.getUint32(parts + 8 * i, true), view.getUint32(parts + 8 * i + 4, true)];
          said.push(new TextDecoder().decode(bytes(at, length).slice()));
          total += length;
        }
        view.setUint32(written, total, true);
        return 0;
      },
      proc_exit(code) {
        throw new Stopped(`it stopped with code ${code}: ${said.join("").trim()}`);
      },
      random_get(at, length) {
        for (let i = 0; i < length; i += 65536) crypto.getRandomValues(bytes(at + i, Math.min(65536, length - i)));
        return 0;
      },
    },
  };
}

/** A text that ends with a zero byte. */
function textAt(memory, at) {
  const bytes = new Uint8Array(memory.buffer);
  return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
}

function audit(module, journal, key, passed) {
  const said = [];
  let memory;
  const instance = new WebAssembly.Instance(module, surroundings(() => memory, said, passed));
  const program = instance.exports;
  memory = program.memory;
  const put = (bytes) => {
    const at = program.browser_room(bytes.length);
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
    return at;
  };
  try {
    program._initialize();
    const places = [put(journal), journal.length, key ? put(key) : 0];
    const game = put(new Uint8Array(4 * places.length)); // struct browser_game
    new Uint32Array(memory.buffer, game, places.length).set(places);
    return JSON.parse(textAt(memory, program.browser_audit(game)));
  } catch (error) {
    if (error instanceof Stopped || error instanceof WebAssembly.RuntimeError || error instanceof RangeError)
      throw new Error(`rules.wasm could not judge this game: ${error.message}`, { cause: error });
    throw error;
  }
}

/**
 * Compiles rules.wasm. The result's audit(journal, key, passed) takes the bytes of journal.jsonl, the league's key (32 bytes)
 * or null, and a function that is called with the number of each record that holds; it gives {audit} (src/browser/browser.h). Each audit runs in memory of its own.
 */
export async function loadRules(bytes) {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly, or the page may not use it");
  const module = await WebAssembly.compile(bytes);
  return { audit: (journal, key = null, passed = () => {}) => audit(module, journal, key, passed) };
}
