import type { IncomingMessage } from 'node:http';
import { parseJson } from '#lib/parse-json.ts';
import { isWithinJsonLimits } from '../../input/json-limits.ts';

/**
 * Whether Next, to which the request goes next, can read it. For a server action, Next decodes the
 * arguments before any code of the dashboard runs, and responds with 500 if it cannot.
 *
 * Our pages send only plain values: as JSON, in which React encodes a few other values as text that
 * begins with `$`. Forms without scripts, files and streams have other encodings, which no page
 * uses.
 *
 * The encodings are React’s own and documented nowhere: those below are of the versions in
 * `package.json`, React 19.3.1 and Next 16.4.6. `e2e/failures/server-actions.spec.ts` sends them to
 * Next itself.
 */
export function isReadableByNext(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  body: Buffer,
): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  const type = headers['content-type']?.trimStart().toLowerCase() ?? '';
  if (type.startsWith('multipart/')) return false;
  if (headers['next-action'] === undefined) return true;
  // Next would read the body as a form, and fail to render the page.
  return !type.startsWith('application/x-www-form-urlencoded') && areActionArguments(body);
}

function areActionArguments(body: Buffer): boolean {
  if (!isWithinJsonLimits(body)) return false;
  const args = parseJson(body.toString());
  return Array.isArray(args) && hasKnownTextsOnly(args);
}

/** React's encodings of values that JSON lacks. `$$` stands for a `$` at the beginning. */
const otherValue = /^\$(?:\$|undefined$|NaN$|-?Infinity$|-0$)/;

/** React's encoding of an object that occurred before: its path from the arguments. */
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

/** Undefined for `__proto__`, which React leaves out when it decodes. */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || name === '__proto__') return undefined;
  if (!Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
