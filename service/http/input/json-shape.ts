const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);

/** More than any input of the API has: `data` of a test event is at most 64 KiB. */
const maxValues = 5000;
const maxDepth = 32;

/**
 * Whether a JSON text has few enough values, nested little enough, to be cheap to parse. A megabyte
 * of distinct names or of nested arrays takes the parser a tenth of a second, and code that walks the
 * result may overflow the stack. This reads the bytes once and does not check that they are JSON;
 * the parser does that.
 */
export function isWithinJsonLimits(bytes: Uint8Array): boolean {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === comma) {
      values += 1;
    } else if (openers.has(byte)) {
      values += 1;
      depth += 1;
    } else if (closers.has(byte)) {
      depth -= 1;
    }
    if (values > maxValues || depth > maxDepth) return false;
  }
  return true;
}

/** Where the string that begins at `start` ends; beyond the last byte if it doesn't. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
