import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie, Locator } from '@playwright/test';
import { readData } from 'conversation-service-playwright-kit';
import type { Control } from 'conversation-service-playwright-kit';
import type { Service } from './fixture-types.ts';

/** The service's dashboard credential. */
type Credential = { credential: string };

/** The headers that the dashboard's server would send for the browser with these cookies. */
export function asDashboard(
  service: Credential,
  cookies: readonly Cookie[],
): Record<string, string> {
  const session = cookies.find(({ name }) => name === 'session');
  return {
    Authorization: `Bearer ${service.credential}`,
    'X-Dashboard-Session': decodeURIComponent(session?.value ?? ''),
  };
}

/** Makes sensitive acts need the password again, by moving the service's clock. */
export async function expireProof(control: Pick<Control, 'moveClock'>): Promise<void> {
  await control.moveClock({ ms: proofLastsMs + 1000 });
}

/** How long a proof is fresh by default, without REAUTH_SECONDS. */
const proofLastsMs = 1_800_000;

/** Ends the session on the service, as from another device; the browser does not notice. */
export async function endOnService(
  request: APIRequestContext,
  { service, cookies }: { service: Credential; cookies: readonly Cookie[] },
): Promise<void> {
  const headers = asDashboard(service, cookies);
  const response = await request.delete('/api/dashboard/session', { headers });
  expect(response.status()).toBe(204);
}

/**
 * Presses a control after the session has ended. A read of the page may have asked to sign in
 * already, with a prompt in front of the control.
 */
export async function pressAfterSessionEnd(control: Locator): Promise<void> {
  await control.evaluate((element: HTMLElement) => element.click());
}

type Made = { uuid: string; token: string };

type KeyOfPerson = {
  name: string;
  service: Credential;
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
  const response = await api.post('/api/v1/api-keys', { headers, data: { name, type: 'full' } });
  expect(response.status()).toBe(201);
  return await readData<Made>(response);
}

/** Requests a rotation from the account's owner, as the member with these cookies. */
export async function askOwnerForRotation(
  request: APIRequestContext,
  { service, asker, uuid }: { service: Service; asker: readonly Cookie[]; uuid: string },
): Promise<void> {
  const headers = asDashboard(service, asker);
  const path = `/api/dashboard/api-keys/${uuid}`;
  const response = await request.get(`${path}/rotators`, { headers });
  const data = await readData<{ id: string; name: string }[]>(response);
  const member = data.find(({ name }) => service.owner.email.startsWith(`${name}@`))?.id;
  const made = await request.post(`${path}/rotation-requests`, {
    headers,
    data: { member, reason: 'lost' },
  });
  expect(made.status()).toBe(201);
}
