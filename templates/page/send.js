// How a signed text leaves: as a mail that waits in the player's own mail program, by the system's share sheet, or copied.

const LONGEST_MAILTO = 1900; // programs fail near 2,000

/** The subject says what it is; the league does not need it. */
export const subjectOf = (verb, game) => (game ? `${verb} ${game}` : verb);

/** The link that opens a mail program with everything in it. */
export function mailto(address, subject, body) {
  const coded = (text) => encodeURIComponent(text.replace(/\n/g, "\r\n"));
  return `mailto:${encodeURIComponent(address).replaceAll("%40", "@")}?subject=${coded(subject)}&body=${coded(body)}`;
}

export const fits = (link) => link.length <= LONGEST_MAILTO;

export const canShare = (text) => typeof navigator.share === "function" && (navigator.canShare?.({ text }) ?? true);

/** True when it was handed over; false when the player thought better of it. */
export async function share(title, text) {
  try {
    await navigator.share({ title, text });
    return true;
  } catch (error) {
    if (error.name === "AbortError") return false;
    throw error;
  }
}

/** True when it is in the clipboard. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
