import 'server-only';
import { headers } from 'next/headers';
import { unstable_rethrow } from 'next/navigation';
import { ApiError } from '../api/api-error.ts';
import { requireSessionToken } from '../api/call-credentials.ts';
import { type ServiceResponse, call } from '../api/call.ts';
import { inputProblems } from '../api/input-problems.ts';
import { errorTable } from '../contract/error-codes.ts';
import type {
  DashboardRoute,
  InputArgument,
  RouteBodyInput,
  RouteDefinition,
  RouteInput,
  RouteResponseBody,
} from '../contract/route.ts';
import { routeInput } from '../contract/route-input.ts';
import { routes } from '../contract/routes.ts';
import { isSameOrigin } from '../session/same-origin.ts';
import type { ActionFailure, ActionResult } from './action-result.ts';
import { isSmallInput } from './is-small-input.ts';

/** What an action does besides the call, most of it where cookies take part. */
type ActionOptions<Route extends RouteDefinition, Added, Value> = {
  /** Null if it does not matter on the page of which account the action is called. */
  account?: null;
  /** Called with what the service sent. */
  onResponse?: (response: ServiceResponse) => void;
  /** Fields of the body that the browser does not give, such as a token in a cookie. */
  add?: () => Promise<Added>;
  /** Null to make the call; otherwise what the browser gets without one. */
  skip?: (input: RouteInput<Route>) => Promise<Value | null>;
  /** Handles the response, and returns what the browser gets of it. */
  respond?: (response: RouteResponseBody<Route>, input: RouteInput<Route>) => Promise<Value>;
};

/** The body of an action's input may lack what `add` gives. */
type ActionInput<Route extends RouteDefinition, Added> = [Added] extends [never]
  ? RouteInput<Route>
  : Exclude<keyof RouteBodyInput<Route>, keyof Added> extends never
    ? object
    : { body: Omit<RouteBodyInput<Route>, keyof Added> };

type Whole<Route extends RouteDefinition> =
  RouteResponseBody<Route> extends object ? RouteResponseBody<Route> : object;

/**
 * Makes the server action of a route that changes something, which anyone can call with any
 * arguments. It rejects calls from other sites, then large input where nobody needs to belong to an
 * account, then calls without a session, and then parses the input with the schemas of the
 * contract. Only then it builds the call. Errors of the service are returned as values.
 *
 * @throws Error for a call from another site and for unexpected errors
 */
export function action<
  const Route extends DashboardRoute,
  Added extends object = never,
  Value extends object = Whole<Route>,
>(
  route: Route,
  { add, skip, respond, ...options }: ActionOptions<Route, Added, Value> = {},
): (...given: InputArgument<ActionInput<Route, Added>>) => Promise<ActionResult<Value>> {
  const schema = routeInput(route);
  return async (...args) => {
    await refuseOtherSites();
    if (isOpenToAnyone(route) && !isSmallInput(args, maxUnitsFromAnyone)) return tooLarge;
    return await asResult(async () => {
      await requireSessionFor(route);
      const given: unknown = args[0] ?? {};
      const parsed = await schema.safeParseAsync(add ? withBody(given, await add()) : given);
      if (!parsed.success) return invalidInput(inputProblems(parsed.error));
      const input = parsed.data as RouteInput<Route>;
      const skipped = await skip?.(input);
      if (skipped) return { ok: true, ...skipped };
      const response = await call(route, input, options);
      const value = respond ? await respond(response, input) : ((response ?? {}) as Value);
      return { ok: true, ...value };
    });
  };
}

async function refuseOtherSites(): Promise<void> {
  if (!isSameOrigin(await headers()))
    throw new Error('A server action was called from another site.');
}

/** Whether callers need no account. Next accepts an action's call on any page, unchecked. */
function isOpenToAnyone({ access }: RouteDefinition): boolean {
  return access === 'dashboard' || access === 'session';
}

const maxUnitsFromAnyone = 16_384;

const tooLarge: ActionFailure = {
  ok: false,
  code: 'PAYLOAD_TOO_LARGE',
  message: 'Send at most 16 KiB.',
};

async function requireSessionFor({ access }: RouteDefinition): Promise<void> {
  if (access === 'dashboard') return;
  // A person of installation support may belong to no account, in which `getSession` finds them.
  if (access === 'session') await requireSessionToken();
  else await call(routes.getSession, {});
}

/** The same input with more fields in its body. It was not checked yet, so it can be anything. */
function withBody(given: unknown, added: object): object {
  const { body, ...input } = Object(given) as { body?: unknown };
  return { ...input, body: { ...(Object(body) as object), ...added } };
}

async function asResult<Result extends ActionResult>(
  act: () => Promise<Result>,
): Promise<Result | ActionFailure> {
  try {
    return await act();
  } catch (error) {
    unstable_rethrow(error);
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details, retryAfter, requestId } = error;
    return { ok: false, code, message, details, retryAfter, requestId };
  }
}

function invalidInput(details: ActionFailure['details']): ActionFailure {
  return {
    ok: false,
    code: 'VALIDATION_ERROR',
    message: errorTable.VALIDATION_ERROR.message,
    details,
  };
}
