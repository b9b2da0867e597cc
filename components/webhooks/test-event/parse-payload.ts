/** The parsed `data` of the event, or what is wrong with it. */
export type ParsedPayload =
  | { ok: true; data: Record<string, unknown> }
  | { ok: false; error: string };

/** Parses a payload: a JSON object of at most 64 KiB. The service checks what is in it. */
export function parsePayload(text: string): ParsedPayload {
  if (text.trim() === '') return { ok: false, error: 'Enter a JSON object.' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, error: `This is not valid JSON${placeOf(error, text)}.` };
  }
  if (!isObject(value)) return { ok: false, error: 'Enter a JSON object: it begins with {.' };
  // The service counts the envelope as well, and refuses a payload that is too large with it.
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  if (bytes > largestBytes) return { ok: false, error: 'A payload has at most 64 KiB.' };
  return { ok: true, data: value };
}

const largestBytes = 65_536;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where the syntax error is, as far as the browser says: `, see line 3`. */
function placeOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  const [, line] = /line (\d+)/.exec(message) ?? [];
  if (line !== undefined) return `, see line ${line}`;
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position === undefined) return '';
  return `, see line ${text.slice(0, Number(position)).split('\n').length}`;
}
