import { expect } from '@playwright/test';
import type {
  APIRequestContext,
  APIResponse,
  Cookie,
  PlaywrightWorkerArgs,
} from '@playwright/test';
import { asDashboard } from '../pages/people/identity.ts';
import { readData } from './read-data.ts';

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

type KeyOfPerson = {
  name: string;
  service: { credential: string | null };
  /** Those of the person, to whom the token counts as shown. */
  cookies: readonly Cookie[];
  accountId: string;
};

/** Creates a full key as the dashboard does for a person. */
export async function createKeyAs(
  api: APIRequestContext,
  { name, service, cookies, accountId }: KeyOfPerson,
): Promise<Made> {
  const headers = { ...asDashboard(service, cookies), 'X-Dashboard-Account': accountId };
  return await readMade(
    await api.post('/api/v1/api-keys', { headers, data: { name, type: 'full' } }),
  );
}

async function readMade(response: APIResponse): Promise<Made> {
  expect(response.status(), await failureOf(response)).toBe(201);
  return await readData<Made>(response);
}

async function failureOf(response: APIResponse): Promise<string> {
  return response.ok() ? '' : await response.text();
}
