/**
 * Parses JSON from outside; undefined if it is none. The parser's own error quotes the text, which
 * may contain a token.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
