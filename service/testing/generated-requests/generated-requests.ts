import fc from 'fast-check';
import type { RouteDefinition } from '#lib/contract/route.ts';
import { inputPlaces } from '#lib/testing/input-places.ts';
import { worstTexts } from '#lib/testing/worst-texts.ts';
import { generatedBodies, rightBodyOf, tooLarge } from './generated-bodies.ts';
import { kindOfResource } from './known-names.ts';
import { anyText, oddTextsFor } from './odd-texts.ts';

/** The callers of generated requests. */
export const callers = [
  'key',
  'limited key',
  'bot',
  'person',
  'dashboard',
  'wrong',
  'nobody',
] as const;

export type GeneratedRequest = {
  /** The operation; null if the path belongs to none. */
  route: string | null;
  method: string;
  /** A resource is a parameter name in braces. */
  path: string;
  /**
   * How the resource is named: by one that exists (modulo their number, 0 is the latest), or by a
   * text.
   */
  reference: { met: number } | { text: string };
  query: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  caller: (typeof callers)[number];
};

/**
 * Requests that no client sends, mixed with valid ones, so that code after the first refusals runs
 * too.
 * @param rightBodies valid bodies for routes whose body must name existing things; the contract has
 *   the others
 */
export function generatedRequests(
  routes: readonly RouteDefinition[],
  rightBodies: ReadonlyMap<string, unknown>,
): fc.Arbitrary<GeneratedRequest> {
  const ofRoutes = routes.map((route) => ({
    weight: hashingRoutes.has(route.name) ? 1 : 3,
    arbitrary: requestsOf(route, rightBodies.get(route.name)),
  }));
  return fc.oneof(
    { weight: 9, arbitrary: fc.oneof(...ofRoutes) },
    { weight: 1, arbitrary: requestsOfNoRoute(routes.map(({ path }) => path)) },
  );
}

/** Less frequent than others: hashing a password deliberately takes long. */
const hashingRoutes = new Set([
  'signIn',
  'confirmIdentity',
  'changePassword',
  'finishPasswordReset',
  'setUp',
]);

/** One request for each operation, in an order in which each finds what it acts on. */
export function rightRequests(
  routes: readonly RouteDefinition[],
  rightBodies: ReadonlyMap<string, unknown>,
): GeneratedRequest[] {
  const counts = new Map<string, number>();
  const order = ['GET', 'POST', 'PATCH', 'DELETE'];
  const inOrder = routes.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
  return inOrder.map((route) => {
    const { name, method, path, body } = route;
    const kind = kindOfResource({ route: name, path });
    const met = counts.get(kind) ?? 0;
    counts.set(kind, met + 1);
    return {
      route: name,
      method,
      path,
      reference: { met },
      query: '',
      headers: {},
      body: body ? JSON.stringify(rightBodyOf(body, rightBodies.get(name))) : '',
      caller: rightCallerOf(route),
    };
  });
}

function rightCallerOf({ access, path }: RouteDefinition): GeneratedRequest['caller'] {
  if (access === 'dashboard') return 'dashboard';
  return path.startsWith('/api/dashboard/') ? 'person' : 'key';
}

function requestsOf(route: RouteDefinition, rightBody: unknown): fc.Arbitrary<GeneratedRequest> {
  return fc.record({
    route: fc.constant(route.name),
    method: mostly(fc.constant<string>(route.method), fc.constantFrom(...methods)),
    path: fc.constant(route.path),
    reference: mostly<GeneratedRequest['reference']>(
      fc.nat().map((met) => ({ met })),
      oddReference.map((text) => ({ text })),
    ),
    query: queriesOf(route),
    headers: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: oddHeaders },
    ),
    body: route.body
      ? generatedBodies(route.body, rightBody)
      : mostly(fc.constant(''), fc.constantFrom('null', '[]', '{', tooLarge)),
    caller: mostly(fc.constant(rightCallerOf(route)), fc.constantFrom(...callers)),
  });
}

function requestsOfNoRoute(paths: readonly string[]): fc.Arbitrary<GeneratedRequest> {
  return fc.record({
    route: fc.constant(null),
    method: fc.constantFrom(...methods),
    path: fc.oneof(
      fc.constantFrom(
        '/api',
        '/api/',
        '/api/v1/openapi.json',
        '/api/v1',
        '/api/v2/webhooks',
        '/api/v1/{any}',
        '/api//v1',
      ),
      fc
        .constantFrom(...paths)
        .chain((path) => fc.constantFrom(`${path}/`, `${path}/x`, `/api${path}`)),
    ),
    reference: oddReference.map((text) => ({ text })),
    query: oddQuery,
    headers: oddHeaders,
    body: fc.constantFrom('', '{}', 'x'.repeat(100_000)),
    caller: fc.constantFrom(...callers),
  });
}

const methods = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];

/** What may be sent as a part of a URL; the request line of a client has room for some 14 KB. */
const oddReference = fc.oneof(
  fc.constantFrom('1', '2', '0', '-1', '1e3', '0x1', '01', '1.0', '9'.repeat(30), '2147483648'),
  fc.constantFrom(
    '%00',
    'a%00b',
    '..',
    '%2e%2e',
    '%ff',
    '%',
    '%c0%80',
    '%ed%a0%80',
    'null',
    '{webhook}',
  ),
  fc.uuid(),
  fc
    .constantFrom(...worstTexts(1500).values())
    .map((text) => encodeURIComponent(text.toWellFormed())),
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
);

function queriesOf({ query }: RouteDefinition): fc.Arbitrary<string> {
  const places = query ? inputPlaces(query).filter(({ path }) => /^\w+$/.test(path)) : [];
  if (places.length === 0) return mostly(fc.constant(''), oddQuery);
  const pairs = places.map(({ path, schema }) =>
    fc
      .oneof(rightValues, oddTextsFor(schema, 1000))
      .map((value) => `${path}=${encodeURIComponent(value.toWellFormed())}`),
  );
  const several = fc.array(fc.oneof(...pairs), { maxLength: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    { weight: 4, arbitrary: several.map((given) => given.join('&')) },
    { weight: 1, arbitrary: oddQuery },
  );
}

/** Values that are valid for some parameter. */
const rightValues = fc.constantFrom('1', '100', 'open', 'state', 'failed', '7d', 'webhook.test');

const oddQuery = fc.constantFrom(
  '',
  '&&&',
  '=',
  'limit',
  'limit=%',
  'limit=1&limit=2',
  'cursor=%ff',
  'cursor=%00',
  '__proto__=1',
  'constructor[prototype]=1',
  'x=1&'.repeat(2000),
  `cursor=${'a'.repeat(12_000)}`,
);

/** Texts that an HTTP parser accepts as the value of a header. */
const headerText = fc.oneof(
  fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '')),
  fc.constantFrom(
    'again',
    'é\u00ff\u0080',
    ' '.repeat(3000),
    `${' '.repeat(3000)}x`,
    'x'.repeat(3000),
  ),
);
const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/merge-patch+json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      `application/json;${' '.repeat(3000)}x`,
      `application/json${';charset=utf-8 '.repeat(200)}`,
      '',
    ),
    'Content-Encoding': fc.constantFrom('identity', 'gzip', 'br', ''),
    Accept: fc.constantFrom('*/*', 'application/json', 'text/html'),
    'Idempotency-Key': headerText,
    'X-Request-Id': headerText,
    'X-Dashboard-Session': headerText,
    'X-Dashboard-Client': headerText,
    'X-Forwarded-For': headerText,
    'X-Client-Address': headerText,
    'User-Agent': headerText,
    Cookie: headerText,
  },
  { requiredKeys: [] },
);

/** Valid most of the time, so that several odd values do not always mask one another. */
function mostly<Value>(right: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: odd });
}
