import { expect } from '@playwright/test';
import type { APIRequestContext, Cookie } from '@playwright/test';
import type { Service } from './fixtures.ts';

/** Calls in the signed-in person's name until the service refuses more for this minute. */
export async function useUpCalls(
  request: APIRequestContext,
  { service, session }: { service: Service; session: Cookie[] },
): Promise<void> {
  const [cookie] = session.filter(({ name }) => name === 'session');
  const headers = {
    Authorization: `Bearer ${service.credential}`,
    'X-Dashboard-Session': decodeURIComponent(cookie?.value ?? ''),
  };
  await expect
    .poll(async () => (await request.get('/api/dashboard/session', { headers })).status(), {
      intervals: [0],
    })
    .toBe(429);
}
