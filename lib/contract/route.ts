import type { z } from 'zod';
import type { Act } from './rights/roles.ts';
import type { Scope } from './api-keys/scopes.ts';

/**
 * Who may call a route.
 *
 * - `{ scope, act }`: a key needs `scope`, a person in the dashboard needs a role with `act`.
 * - `{ scope: null, act }`: a person in the dashboard whose role has `act`; no key.
 * - `api-key`: any valid API key, regardless of its scopes; no person.
 * - `person`: a signed-in member, regardless of their role; no key.
 * - `session`: someone who is signed in, a member of any account or of none; no key.
 * - `dashboard`: the dashboard's server before anyone is signed in; no key.
 * - `provisioner`: a provisioner, which creates accounts for tests. Others learn of no such route.
 * - `public`: anyone, no credential.
 */
export type RouteAccess =
  | { scope: Scope; act: Act }
  | { scope: null; act: Act }
  | 'api-key'
  | 'person'
  | 'session'
  | 'dashboard'
  | 'provisioner'
  | 'public';

export type RouteDefinition = {
  /** Unique; the operation id in the OpenAPI document. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{parameters}` in braces, from the root: `/api/v1/webhooks/{webhook}`. */
  path: `/${string}`;
  summary: string;
  /** What a caller should know beyond the summary, in Markdown. */
  description?: string;
  access: RouteAccess;
  /** Whether the dashboard calls this route, which keys can call too. Other routes are its own. */
  inDashboard?: true;
  /** Whether the response has a token, secret or code that no other has; it is never cached. */
  oneTime?: true;
  /**
   * Whether a person must have given a fresh proof: for acts that show a secret, widen or end what
   * a key may do, or say where messages are sent (OWASP ASVS 5.0, 7.5.3). With `fields`: only if
   * the body has one of them. Keys authenticate with each call, so they need none.
   */
  needsProof?: true | { fields: readonly string[] };
  /**
   * Whether a person may call it with a session token that was replaced a moment ago, although the
   * call changes something. Otherwise such a token may only read.
   */
  takesReplacedSession?: true;
  /**
   * Whether a key's calls count only against the key, not against its account: for acts that end
   * the rights of someone else, so that a flood of calls cannot prevent them.
   */
  isExemptFromAccountLimit?: true;
  /** For signing out, which must not have to wait. A key's calls count as always. */
  isExemptFromPersonLimit?: true;
  /**
   * Whether an owner can call it in an account that is being deleted. Owners can always call routes
   * about their own person. All other routes respond as if the account did not exist.
   */
  worksInDeletedAccount?: true;
  /** Whether it counts against the limits of creations an hour of the caller and the account. */
  isCreationLimited?: true;
  query?: z.ZodType;
  /**
   * A route without `body` ignores the request's body. If the schema accepts `{}`, the body is
   * optional, and white space, `[]` and `null` count as no body.
   */
  body?: z.ZodType;
  /**
   * The type and size of what `body` has, for a form whose errors the service alone can find all:
   * the dashboard checks no more than this, so that a person sees them at the same time.
   */
  bodyDraft?: z.ZodType;
  /**
   * What a route that accepts `Idempotency-Key` does when a request is sent again with it.
   * `same-response`: it repeats the response. `fresh-secret`: the response contained a token or
   * secret that is stored nowhere, so a fresh one replaces it if it was never used.
   */
  onRepeat?: 'same-response' | 'fresh-secret';
  /** `details` of the 422 response of a route without input whose target is in the wrong state. */
  stateRefusal?: Readonly<Record<string, readonly string[]>>;
  /**
   * For a route that responds with a text of any length, which is sent while it is created: an
   * example of each media type. Its `response` is null.
   */
  streams?: Readonly<Record<string, string>>;
  /** Whether that text goes on until someone ends it. */
  isEndless?: true;
  /**
   * Whether the response is the same for every caller while the service runs. It is then sent
   * compressed to clients that accept that, with an `ETag`, and as 304 to clients that send that in
   * `If-None-Match`.
   */
  isConstant?: true;
  /** Success statuses and bodies; null: no body. Fields that a schema omits are never sent. */
  response: Record<number, z.ZodType | null>;
};

export type DashboardRoute = RouteDefinition &
  (
    | { inDashboard: true }
    | { access: { scope: null; act: Act } | 'person' | 'session' | 'dashboard' }
  );

/** The same as a check. */
export function isDashboardRoute(route: RouteDefinition): route is DashboardRoute {
  const { access, inDashboard } = route;
  if (typeof access === 'object') return access.scope === null || inDashboard === true;
  return access === 'person' || access === 'session' || access === 'dashboard';
}

/** Declares one operation of the API, which the service mounts and the dashboard calls. */
export function defineRoute<const Route extends RouteDefinition>(route: Route): Route {
  return route;
}

/** The names in braces of a path, as an object of strings. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : unknown;

export type RouteParams<Route extends RouteDefinition> = PathParams<Route['path']>;

/** What a caller sends, before defaults and transforms. */
export type RouteBodyInput<Route extends RouteDefinition> = Route extends {
  body: infer Body extends z.ZodType;
}
  ? z.input<Body>
  : undefined;

/** What the service works with, after defaults and transforms. */
export type RouteBody<Route extends RouteDefinition> = Route extends {
  body: infer Body extends z.ZodType;
}
  ? z.output<Body>
  : undefined;

/** What a caller can send in the query; undefined for a route that takes no parameter there. */
export type RouteQueryInput<Route extends RouteDefinition> = Route extends {
  query: infer Query extends z.ZodType;
}
  ? z.input<Query> extends Record<string, never>
    ? undefined
    : z.input<Query>
  : undefined;

export type RouteQuery<Route extends RouteDefinition> = Route extends {
  query: infer Query extends z.ZodType;
}
  ? z.output<Query>
  : undefined;

/** Everything that a caller sends, with only the parts that the route has. */
export type RouteInput<Route extends RouteDefinition> = object &
  Part<'params', RouteParams<Route>> &
  Part<'query', RouteQueryInput<Route>> &
  Part<'body', RouteBodyInput<Route>> &
  (Route extends { onRepeat: string } ? { idempotencyKey: string } : unknown);

type Part<Name extends string, Value> = unknown extends Value
  ? unknown
  : [Value] extends [undefined]
    ? unknown
    : Partial<Value> extends Value
      ? { [Key in Name]?: Value }
      : Value extends Record<string, never>
        ? { [Key in Name]?: Value }
        : { [Key in Name]: Value };

/** The input as an argument, which is optional if the route requires nothing. */
export type InputArgument<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

/** A text that is sent while it is created. Creation stops when nobody reads it any longer. */
export type TextStream = { headers: Record<string, string>; text: AsyncIterable<string> };

/** Every success response of a route as `{ status, body }`, without `body` if it has none. */
export type RouteResponse<Route extends RouteDefinition> = {
  [Status in keyof Route['response'] & number]: Route['response'][Status] extends infer Body extends
    z.ZodType
    ? { status: Status; body: z.input<Body> }
    : Route extends { streams: object }
      ? { status: Status; stream: TextStream }
      : { status: Status };
}[keyof Route['response'] & number];

/** The data of a body that is only `{ success, data }`; void without body; else never. */
export type RouteData<Route extends RouteDefinition> = {
  [Status in keyof Route['response'] & number]: Route['response'][Status] extends infer Body extends
    z.ZodType
    ? z.input<Body> extends { success: true; data: infer Data }
      ? Exclude<keyof z.input<Body>, 'success' | 'data'> extends never
        ? Data
        : never
      : never
    : Route extends { streams: object }
      ? never
      : void;
}[keyof Route['response'] & number];

/** The success body as a caller reads it; undefined for a route without one. */
export type RouteResponseBody<Route extends RouteDefinition> = {
  [Status in keyof Route['response'] & number]: Route['response'][Status] extends infer Body extends
    z.ZodType
    ? z.output<Body>
    : undefined;
}[keyof Route['response'] & number];
