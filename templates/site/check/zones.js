// Time zones as files of the tz database have them (TZif, RFC 8536), made from what the browser knows: rules.wasm reads
// such files, and has none of its own.

const FROM = Date.UTC(1970, 0, 1) / 1000;
const TO = Date.UTC(2100, 0, 1) / 1000;
const STEP = 7 * 86400; // no zone changes its clock twice within a week

/** Seconds east of UTC at a time (seconds since 1970). */
function offsetOf(format, time) {
  const at = {};
  for (const { type, value } of format.formatToParts(time * 1000)) at[type] = Number(value);
  return Date.UTC(at.year, at.month - 1, at.day, at.hour % 24, at.minute, at.second) / 1000 - time;
}

/** The [time, offset] of each change of the clock; the first at FROM. */
function changesOf(format) {
  const changes = [[FROM, offsetOf(format, FROM)]];
  for (let time = FROM; time < TO; time += STEP) {
    const before = changes[changes.length - 1][1];
    if (offsetOf(format, time + STEP) === before) continue;
    let low = time;
    let high = time + STEP;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetOf(format, middle) === before) low = middle;
      else high = middle;
    }
    changes.push([high, offsetOf(format, high)]);
  }
  return changes;
}

/**
 * Is it written as the database has it? Browsers pass over the case of letters, and give the name of the zone or the one that
 * it is another name for.
 */
function isExact(name, known) {
  return known.toLowerCase() === name.toLowerCase() ? known === name : !/(^|\/)[^A-Z]/.test(name);
}

/** The bytes of a TZif file, or null when the browser knows no such zone. */
export function zoneFile(name) {
  let format;
  try {
    const fields = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric" };
    format = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", { timeZone: name, hourCycle: "h23", ...fields });
  } catch {
    return null;
  }
  if (!isExact(name, format.resolvedOptions().timeZone)) return null;
  const changes = changesOf(format);
  const types = [...new Set(changes.map(([, offset]) => offset))];
  if (types.length > 255) return null;
  const first = 44 + 6 + 1; // an empty block of version 1: one type, one byte of a name
  const file = new Uint8Array(first + 44 + changes.length * 9 + types.length * 6 + 1 + 2);
  const view = new DataView(file.buffer);
  const header = (at, times, kinds) => {
    file.set([0x54, 0x5a, 0x69, 0x66, 0x32], at); // "TZif2"
    view.setUint32(at + 32, times);
    view.setUint32(at + 36, kinds);
    view.setUint32(at + 40, 1);
  };
  header(0, 0, 1);
  header(first, changes.length, types.length);
  let at = first + 44;
  for (const [time] of changes) {
    view.setBigInt64(at, BigInt(time));
    at += 8;
  }
  for (const [, offset] of changes) file[at++] = types.indexOf(offset);
  for (const offset of types) {
    view.setInt32(at, offset);
    at += 6;
  }
  file.set([0x0a, 0x0a], at + 1); // no rule after the last change
  return file;
}
