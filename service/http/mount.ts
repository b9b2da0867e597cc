import type { Hono } from 'hono';
import type { ErrorDetails } from '#lib/contract/error-codes.ts';
import type {
  RouteAccess,
  RouteBody,
  RouteBodyInput,
  RouteData,
  RouteDefinition,
  RouteParams,
  RouteQuery,
  RouteResponse,
  TextStream,
} from '#lib/contract/route.ts';
import type { Context } from '../context.ts';
import type { AccountId } from '../domain/account-id.ts';
import type {
  Actor,
  ApiKeyActor,
  Origin,
  PersonActor,
  Provisioner,
  SignedInPerson,
} from '../domain/actor.ts';
import { ServiceError, problemsOf, invalid, invalidFields } from '../domain/errors.ts';
import type { Call } from './call.ts';
import { makeConstantResponse, sendConstantResponse } from './constant-response.ts';
import type { ConstantResponse } from './constant-response.ts';
import { authorize, authorizeSlowCall, needsSlot } from './middleware/authorize.ts';
import { limitCreations } from './middleware/limit-rate.ts';
import { requireCurrentSession, requireProof } from './middleware/require-proof.ts';
import { readBody } from './input/read-body.ts';
import { handleCall } from './handle-call.ts';
import type { z } from 'zod';
import { idempotencyKey as givenKey, pathParameter } from '#lib/contract/route-input.ts';
import { checkQuery } from './input/check-input.ts';

type ActorOf<Access extends RouteAccess> = Access extends 'api-key'
  ? ApiKeyActor
  : Access extends 'person' | { scope: null }
    ? PersonActor
    : Access extends 'session'
      ? SignedInPerson
      : Access extends 'provisioner'
        ? Provisioner
        : Access extends 'public' | 'dashboard'
          ? null
          : Actor;

/** The input of a handler, checked and parsed with the definition of its route. */
type RouteCall<Route extends RouteDefinition> = {
  actor: ActorOf<Route['access']>;
  params: RouteParams<Route>;
  query: RouteQuery<Route>;
  body: RouteBody<Route>;
  origin: Origin;
  /** The session for which the dashboard calls; null for API keys and before sign-in. */
  sessionToken: ActorOf<Route['access']> extends PersonActor | SignedInPerson
    ? string
    : string | null;
  /** The `Last-Event-ID` with which a client of server-sent events connects again. */
  lastEventId: string | undefined;
  /** The `Idempotency-Key` of the request, on routes that accept one; otherwise null. */
  idempotencyKey: string | null;
  /** The body before it was parsed, to compare with that of an earlier request. */
  sentBody: unknown;
};

/** The `BodyRules` of a route, which also know who calls, about what and from where. */
type Rules<Route extends RouteDefinition> = (
  given: Partial<RouteBodyInput<Route>>,
  call: { accountId: AccountId | null; params: RouteParams<Route>; origin: Origin },
) => ErrorDetails | Promise<ErrorDetails>;

type Handle<Route extends RouteDefinition, Result> = (
  handler: (call: RouteCall<Route>) => Promise<Result>,
  rules?: Rules<Route>,
) => void;

/**
 * Serves one operation of the contract: authorizes the caller, parses the input, calls the handler
 * and sends its response, of which only the fields in the route's schema leave the service. It
 * takes two calls, so that the compiler knows the route when it checks the handler's response.
 *
 * @returns `respond` for a route with one success status: the handler returns its data, if it has
 *   any. `handle` for other routes, such as lists with a cursor: the handler returns the response
 */
export function mount<const Route extends RouteDefinition>(
  app: Hono,
  ctx: Context,
  route: Route,
): { respond: Handle<Route, RouteData<Route>>; handle: Handle<Route, RouteResponse<Route>> } {
  return {
    respond(handler, rules) {
      const [status, ...others] = Object.keys(route.response).map(Number);
      if (others.length > 0) throw new Error(`${route.name} has several success statuses`);
      const handle = async (call: RouteCall<Route>) => {
        const response = { status, body: { success: true, data: await handler(call) } };
        // `RouteData` has a type only for routes that respond in this form.
        return response as unknown as RouteResponse<Route>;
      };
      this.handle(handle, rules);
    },
    handle(handler, rules = () => ({})) {
      const hasParams = route.path.includes('{');
      let constant: Promise<ConstantResponse> | undefined;
      const act = async (call: Call): Promise<Response> => {
        const { actor: caller, sessionToken } = await authorize(ctx, call, route);
        const checkedAt = ctx.clock.now();
        refuseHeadOfStream(route, call);
        requireCurrentSession(route, caller);
        const { origin } = call;
        const params = hasParams ? readParams(call.params) : {};
        const query = route.query && readQuery(call, route.query);
        const readKey = () => (route.onRepeat ? readIdempotencyKey(call) : null);
        const { body, sentBody } =
          (route.body &&
            (await readBody(call, route.body, {
              workload: ctx.workload,
              rules: async (given) => ({
                // The route's schema accepts these fields, so they have its types.
                ...(await rules(given as Partial<RouteBodyInput<Route>>, {
                  accountId: accountIdOf(caller),
                  params: params as RouteParams<Route>,
                  origin,
                })),
                ...(await problemsOf(readKey)),
              }),
            }))) ??
          noBody;
        const idempotencyKey = readKey();
        const actor =
          route.body && isKey(caller)
            ? await authorizeSlowCall(ctx, call, { route, key: caller, checkedAt })
            : caller;
        requireProof(ctx, { route, actor, body });
        if (route.isCreationLimited && actor && 'kind' in actor) {
          await limitCreations(ctx, { actor, route: route.name, key: idempotencyKey });
        }
        const repeat = { idempotencyKey, sentBody };
        const lastEventId = call.header('Last-Event-ID');
        const input = { actor, params, query, body, origin, sessionToken, lastEventId, ...repeat };
        // The contract's types describe the input that was just checked at run time.
        const work = () => handler(input as unknown as RouteCall<Route>);
        const isBounded = isKey(actor) && needsSlot(route);
        const response = isBounded ? await ctx.workload.run(actor.accountId, work) : await work();
        if (!route.isConstant) return send(call, route, response);
        constant ??= makeConstantResponse(bodyText(route, response));
        return sendConstantResponse(call, await constant, { needsCaller: true });
      };
      app.on(route.method, honoPath(route.path), handleCall(ctx, route, act));
    },
  };
}

/** Hono serves HEAD with the handler for GET, which would produce a text that nobody reads. */
function refuseHeadOfStream(route: RouteDefinition, call: Call): void {
  if (!route.streams || call.method !== 'HEAD') return;
  call.setHeader('Allow', route.method);
  throw new ServiceError('METHOD_NOT_ALLOWED');
}

const noBody = { body: undefined, sentBody: undefined };

type Caller = Actor | SignedInPerson | Provisioner;

function accountIdOf(actor: Caller | null): AccountId | null {
  return actor !== null && 'accountId' in actor ? actor.accountId : null;
}

function isKey(actor: Caller | null): actor is ApiKeyActor {
  return actor !== null && 'keyId' in actor;
}

function send(
  call: Call,
  route: RouteDefinition,
  response: { status: number; body?: unknown; stream?: TextStream },
): Response {
  if (response.stream) return sendStream(call, response.status, response.stream);
  const schema = route.response[response.status];
  if (!schema) return call.respond(response.status, null);
  return call.respondWithJson(response.status, schema.parse(response.body));
}

function bodyText(route: RouteDefinition, response: { status: number; body?: unknown }): string {
  return JSON.stringify(route.response[response.status]?.parse(response.body));
}

/**
 * Each piece is produced when the client can receive it, and none after the client disconnected.
 *
 * If producing a piece fails, its producer logs why. The HTTP server prints the error of a
 * stream, so the stream ends with one that names no statement or parameter.
 */
function sendStream(call: Call, status: number, { headers, text }: TextStream): Response {
  const pieces = text[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await pieces.next().catch(() => null);
        if (piece === null) controller.error(new Error('a streamed response broke off'));
        else if (piece.done) controller.close();
        else controller.enqueue(Buffer.from(piece.value));
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
  for (const [name, value] of Object.entries(headers)) call.setHeader(name, value);
  return call.respond(status, body);
}

/** A path such as `/webhooks/{webhook}` in Hono's notation: `/webhooks/:webhook`. */
export function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/**
 * Reads the path parameters. A parameter that cannot name anything, because it is too long or
 * contains NUL, is read as an empty name, so that it later gets the response for a resource that
 * does not exist.
 */
function readParams(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const { success } = pathParameter.safeParse(value);
      return [name, success ? value : ''];
    }),
  );
}

/**
 * Parses the query string with the route's schema. If a parameter is given twice, the first one
 * counts.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
function readQuery(call: Call, schema: z.ZodType): unknown {
  const checked = checkQuery(schema, call.query);
  if ('parsed' in checked) return checked.parsed;
  throw invalidFields(checked.details);
}

/**
 * Reads the `Idempotency-Key` of the request; null if it has none.
 *
 * @throws ServiceError VALIDATION_ERROR
 */
function readIdempotencyKey(call: Call): string | null {
  const key = call.header('Idempotency-Key');
  if (key === undefined) return null;
  const { error } = givenKey.safeParse(key);
  if (!error) return key;
  throw invalid('Idempotency-Key', error.issues[0]?.message ?? '', 'idempotency_key');
}
