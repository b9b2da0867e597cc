/** The white space of JSON, as bytes. */
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Longer than any empty body, apart from the white space around it. */
const maxBytes = 64;

/**
 * Whether a body has no content: no bytes, white space, `{}`, `[]` (PHP's empty array) or `null`
 * (which axios sends). Clients send these with any content type.
 */
export function isEmptyBody(bytes: Buffer): boolean {
  let start = 0;
  let end = bytes.length;
  while (start < end && whiteSpace.has(bytes[start] ?? 0)) start += 1;
  while (end > start && whiteSpace.has(bytes[end - 1] ?? 0)) end -= 1;
  if (end - start > maxBytes) return false;
  return /^(?:null|\[\s*\]|\{\s*\})?$/.test(bytes.toString('latin1', start, end));
}
