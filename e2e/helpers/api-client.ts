import { expect } from '@playwright/test';
import type { APIRequestContext, PlaywrightWorkerArgs } from '@playwright/test';

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
  const response = await api.post(path, { data });
  expect(response.status(), await failureOf(response)).toBe(201);
  const body = (await response.json()) as { data: Made };
  return body.data;
}

async function failureOf(
  response: Awaited<ReturnType<APIRequestContext['post']>>,
): Promise<string> {
  return response.ok() ? '' : await response.text();
}
