/** Undefined for text that is not JSON. The parser's own error quotes the text: perhaps a token. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
