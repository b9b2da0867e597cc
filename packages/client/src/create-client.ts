import createOpenApiClient from 'openapi-fetch';
import type { Client as OpenApiClient } from 'openapi-fetch';
import type { paths } from './generated/api.ts';
import { repeatingFetch } from './repeating-fetch.ts';
import type { RepeatOptions, SendRequest } from './repeating-fetch.ts';
import { tokenProblem } from './token.ts';

export type Client = OpenApiClient<paths>;

export type ClientOptions = RepeatOptions & {
  /** The address of the service, without `/api/v1`, such as `https://messaging.example.com`. */
  baseUrl: string;
  /** The token of an API key. It may be undefined so that it can come from `process.env`. */
  token: string | undefined;
  /** Used in place of the global `fetch`. */
  fetch?: SendRequest;
};

/**
 * Creates a client whose calls have the types of the API. A call returns `{ data, error, response }`
 * for every response, and throws only if there is none.
 *
 * @throws TypeError if the token is missing or cannot be one
 */
export function createClient({ baseUrl, token, fetch, ...repeat }: ClientOptions): Client {
  if (!token) throw new TypeError('The token of an API key is missing: pass it as `token`.');
  const problem = tokenProblem(token);
  if (problem) throw new TypeError(problem);
  return createOpenApiClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    // Looked up for each call, so that a test or a tracing library can replace the global one.
    fetch: repeatingFetch(fetch ?? ((request) => globalThis.fetch(request)), repeat),
  });
}
