const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);

/** More than any valid input of the API: `data` of a test event is at most 64 KiB. */
export const maxValues = 5000;
export const maxDepth = 32;

/**
 * Whether a JSON text has so few values and levels that it is cheap to parse. For a megabyte of
 * distinct names or of nested arrays, the parser takes long, and code that walks the result may
 * overflow the stack. This function reads the bytes once. It does not check that they are JSON; the
 * parser does that.
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

/** The end of the string that begins at `start`; beyond the last byte if it has none. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
