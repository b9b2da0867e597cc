import { expect } from '@playwright/test';
import type { APIRequestContext, APIResponse, PlaywrightWorkerArgs } from '@playwright/test';

/** The API, called with this token. */
export async function apiWith(
  { request }: PlaywrightWorkerArgs['playwright'],
  { origin, token }: { origin: string; token: string },
): Promise<APIRequestContext> {
  return await request.newContext({
    baseURL: origin,
    extraHTTPHeaders: { Authorization: `Bearer ${token}`, Accept: 'application/json' },
  });
}

type Made = { uuid: string; token: string };

/** Creates something with the API. */
export async function post(api: APIRequestContext, path: string, data: object): Promise<Made> {
  return await readMade(await api.post(path, { data }));
}

async function readMade(response: APIResponse): Promise<Made> {
  expect(response.status(), await failureOf(response)).toBe(201);
  return await readData<Made>(response);
}

async function failureOf(response: APIResponse): Promise<string> {
  return response.ok() ? '' : await response.text();
}

/** The `data` of a successful response of the API, of whose type the test is sure. */
export async function readData<Data>(response: {
  json: () => Promise<unknown>;
}): Promise<NoInfer<Data>> {
  return ((await response.json()) as { data: Data }).data;
}
