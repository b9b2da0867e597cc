const mostHeaders = 50;
const mostCharacters = 4096;
const mostCharactersEach = 512;

/** What may open a door, to the receiver or to a person's session there. */
const secretHeaders = new Set([
  'set-cookie',
  'set-cookie2',
  'authorization',
  'proxy-authorization',
  'www-authenticate',
  'proxy-authenticate',
  'authentication-info',
]);

/** Kept whatever else a receiver sends. */
const importantHeaders = new Set(['retry-after', 'content-type']);

/** By lower-case name; a name that came more than once has several values. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The headers of a response as they are stored: without secrets, and bounded. */
export function keptHeaders(headers: ReceivedHeaders): Record<string, string> {
  const harmless = Object.keys(headers).filter((name) => !secretHeaders.has(name));
  const names = [
    ...harmless.filter((name) => importantHeaders.has(name)),
    ...harmless.filter((name) => !importantHeaders.has(name)),
  ];
  const kept: [name: string, value: string][] = [];
  let room = mostCharacters;
  for (const name of names.slice(0, mostHeaders)) {
    const value = textOf(headers[name]);
    room -= name.length + value.length;
    if (room < 0) break;
    kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}

function textOf(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return text.replaceAll('\0', '').slice(0, mostCharactersEach);
}
