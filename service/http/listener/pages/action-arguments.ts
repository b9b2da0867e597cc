import type { IncomingMessage } from 'node:http';
import { isWithinJsonLimits } from '../../input/json-shape.ts';

/**
 * Whether Next, which gets this request next, can read it. For a server action it decodes the
 * arguments before any code of the dashboard runs, and answers 500 if it cannot.
 *
 * Our pages send plain values only: as JSON, in which React writes a few others as text that begins
 * with `$`. Forms without scripts, files and streams have encodings of their own, which no page uses.
 */
export function isReadableByNext(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  body: Buffer,
): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const type = headers['content-type']?.trimStart().toLowerCase() ?? '';
  if (type.startsWith('multipart/')) return false;
  if (headers['next-action'] === undefined) return true;
  // Next would read the body as a form, and fail to render its page.
  return !type.startsWith('application/x-www-form-urlencoded') && areActionArguments(body);
}

function areActionArguments(body: Buffer): boolean {
  if (!isWithinJsonLimits(body)) return false;
  const args = parseJson(body.toString());
  return Array.isArray(args) && hasKnownTextsOnly(args);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What React writes for values that JSON lacks. `$$` stands for a `$` at the beginning. */
const otherValue = /^\$(?:\$|undefined$|NaN$|-?Infinity$|-0$)/;

/** What React writes for an object that it wrote before: the way to it from the arguments. */
const reference = /^\$0(?::|$)/;

function hasKnownTextsOnly(args: readonly unknown[]): boolean {
  const written = new Set<object>();

  function isKnown(value: unknown): boolean {
    if (typeof value === 'string') return !value.startsWith('$') || isKnownText(value);
    if (typeof value !== 'object' || value === null) return true;
    const isEachKnown = Object.values(value).every(isKnown);
    written.add(value);
    return isEachKnown;
  }

  function isKnownText(text: string): boolean {
    if (otherValue.test(text)) return true;
    if (!reference.test(text)) return false;
    const [, ...path] = text.split(':');
    const found = path.reduce<unknown>(memberOf, args);
    return typeof found === 'object' && found !== null && written.has(found);
  }

  return isKnown(args);
}

/** Undefined for `__proto__`, which React leaves out of what it reads. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || name === '__proto__') return undefined;
  if (!Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
