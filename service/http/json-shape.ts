const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);

/** More than any input of the API has: `data` of a test event is at most 64 KiB. */
const mostValues = 5000;
const mostDepth = 32;

/**
 * Whether a JSON text has so few values, nested so little, that reading it costs next to nothing.
 * A megabyte of distinct names takes the parser a tenth of a second, one of nested arrays as long,
 * and whoever walks that afterwards may run out of stack. Reads the bytes once; whether they are
 * JSON at all is for the parser to say, which sees no more of them than is counted here.
 */
export function isModestJson(bytes: Uint8Array): boolean {
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
    if (values > mostValues || depth > mostDepth) return false;
  }
  return true;
}

/** Where the string that begins at `start` ends; beyond the last byte if it doesn't. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}
