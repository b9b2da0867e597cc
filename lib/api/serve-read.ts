import 'server-only';
import type { RouteDefinition, RouteInput } from '../contract/route.ts';
import { routeInput } from '../contract/route-input.ts';
import { findRead } from '../contract/routes.ts';
import { accountOf } from '../paths/account-path.ts';
import { readRouteSearch } from '../paths/data-path.ts';
import { isSameOrigin } from '../session/same-origin.ts';
import { ApiError, apiError, errorBody } from './api-error.ts';
import { call } from './call.ts';
import { inputProblems } from './input-problems.ts';

/**
 * Responds to a browser's refetch with what the service responds to a GET route of the contract, or
 * with its error and its status. The request id is sent as `X-Request-Id`. Only for our own pages;
 * never cached. An address that names no account serves only what is read for a person in all
 * accounts.
 *
 * @param name the route's name, as the address has it
 */
export async function serveRead(request: Request, name: string): Promise<Response> {
  return await respondToOwnPage(request, async () => {
    const route = findRead(name);
    const namesAccount = accountOf(new URL(request.url).pathname) !== null;
    if (!route || !(namesAccount || route.access === 'session')) throw apiError('NOT_FOUND');
    return Response.json(await call(route, readInput(request, route)), { headers: noStore });
  });
}

/** The input in the address of a request. @throws ApiError VALIDATION_ERROR */
export function readInput<const Route extends RouteDefinition>(
  request: Request,
  route: Route,
): RouteInput<Route> {
  const given = readRouteSearch(new URL(request.url).searchParams);
  const { error } = routeInput(route).safeParse(given);
  if (error) throw apiError('VALIDATION_ERROR', { details: inputProblems(error) });
  // As it was sent: the service reads the texts of a query.
  return given as RouteInput<Route>;
}

/** Streams a text to the browser: nothing of it is kept, and it stops when the browser does. */
export async function serveStream(
  request: Request,
  open: () => Promise<Response>,
): Promise<Response> {
  return await respondToOwnPage(request, async () => {
    const response = await open();
    const headers = new Headers(noStore);
    for (const name of passedHeaders) {
      const value = response.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (request.method !== 'HEAD') return new Response(response.body, { headers });
    // For HEAD, Next never reads the body, so the service would keep the response open.
    await response.body?.cancel();
    return new Response(null, { headers });
  });
}

/** Responds only to our own pages, to others with 403. Errors of the service become responses. */
export async function respondToOwnPage(
  request: Request,
  respond: () => Promise<Response>,
): Promise<Response> {
  try {
    if (!isSameOrigin(request.headers)) throw apiError('FORBIDDEN');
    return await respond();
  } catch (error) {
    if (error instanceof ApiError) return respondWithError(error);
    throw error;
  }
}

const passedHeaders = ['Content-Type', 'Content-Disposition', 'X-Total-Count', 'X-Request-Id'];

export const noStore = { 'Cache-Control': 'no-store' };

/** The service's error as a response to a browser, with its status. */
export function respondWithError(error: ApiError): Response {
  const { requestId, status } = error;
  return Response.json(errorBody(error), {
    status,
    headers: { ...noStore, ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }) },
  });
}
