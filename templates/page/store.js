// What the page remembers, in this browser only (IndexedDB): keys, the player's name and address, and the last head of each game.
// A browser may forget all of it; nothing here is the only copy of anything.

const NAME = "turnpost";
const ALL = "all";

const asked = (request) =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error));
  });

async function open() {
  const request = indexedDB.open(NAME, 1);
  request.addEventListener("upgradeneeded", () => request.result.createObjectStore(ALL));
  return asked(request);
}

async function within(mode, act) {
  const db = await open();
  try {
    const change = db.transaction(ALL, mode);
    const done = new Promise((resolve, reject) => {
      change.addEventListener("complete", resolve);
      change.addEventListener("abort", () => reject(change.error));
    });
    const out = await asked(act(change.objectStore(ALL)));
    await done;
    return out;
  } finally {
    db.close();
  }
}

export const get = (name) => within("readonly", (all) => all.get(name));
export const put = (name, value) => within("readwrite", (all) => all.put(value, name));
export const forget = () => within("readwrite", (all) => all.clear());

/** Asks the browser not to clear it by itself. */
export async function keep() {
  try {
    return (await navigator.storage?.persist?.()) ?? false;
  } catch {
    return false;
  }
}
