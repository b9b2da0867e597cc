import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { sessions } from '../../../db/schema/people/sessions.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { useApi } from '../../../testing/use-api.ts';

const password = 'correct horse battery';
const halfAnHour = 1_800_000;
const key = { name: 'New', type: 'bot' };

const { ctx, api, account, viewer } = useApi();
let owner: { id: string; session: string };

beforeEach(async () => {
  const passwordHash = await ctx.auth.hashPassword(password);
  const { id, email } = await addPerson(ctx, { passwordHash });
  await addMember(ctx, { accountId: account.id, personId: id, role: 'owner' });
  const signedIn = await api.call('POST', '/api/dashboard/session', {
    token: ctx.dashboardCredential,
    body: { email, password },
  });
  owner = { id, session: String(dataOf(signedIn)['session_token']) };
});

test('signing in counts as giving the password, for half an hour to the millisecond', async () => {
  ctx.clock.advance(halfAnHour - 1);
  expect((await call(['POST', '/api/v1/api-keys', key])).status).toBe(201);
  ctx.clock.advance(1);
  const refused = await call(['POST', '/api/v1/api-keys', key]);
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      success: false,
      error: { code: 'PROOF_REQUIRED', message: 'Confirm that it is you to do this.' },
    },
  ]);
  const proof = await call(['POST', '/api/dashboard/session/proof', { password }]);
  owner.session = String(dataOf(proof)['session_token']);
  expect((await call(['POST', '/api/v1/api-keys', key])).status).toBe(201);
});

test('acts that only read or cannot do harm are never refused because of an old proof', async () => {
  const webhook = await account.webhook();
  ctx.clock.advance(20 * halfAnHour);
  for (const path of ['/api/v1/api-keys', '/api/v1/webhooks', '/api/dashboard/rotation-requests']) {
    expect((await call(['GET', path])).status, path).toBe(200);
  }
  const renamed = { name: 'Renamed', is_active: false };
  expect((await call(['PATCH', `/api/v1/webhooks/${webhook.id}`, renamed])).status).toBe(200);
});

describe('the order of checks', () => {
  test('is: who calls, how often, whether they may, what they sent, then whether their proof is fresh', async () => {
    const provedAt = new Date(ctx.clock.now().getTime() - halfAnHour);
    await ctx.db.update(sessions).set({ provedAt }).where(eq(sessions.personId, owner.id));
    const state = { limit: 1, remaining: 0, resetSeconds: 5, name: 'call' as const };
    const consume = async () => ({ allowed: false, ...state, windowSeconds: 60 });
    const overLimit = new TestApi({ ...ctx, limiter: { ...ctx.limiter, consume } });
    const make = async (session: string, on = api, body: unknown = { scopes: 'all' }) =>
      codeOf(await call(['POST', '/api/v1/api-keys', body], session, on));
    expect(await make(`${owner.session}x`, overLimit)).toBe('UNAUTHORIZED');
    expect(await make(owner.session, overLimit)).toBe('RATE_LIMIT_EXCEEDED');
    expect(codeOf(await viewer.post('/api/v1/api-keys', { scopes: 'all' }))).toBe('FORBIDDEN');
    expect(await make(owner.session)).toBe('VALIDATION_ERROR');
    expect(await make(owner.session, api, key)).toBe('PROOF_REQUIRED');
  });
});

async function call(
  [method, path, body]: [method: string, path: string, body?: unknown],
  session = owner.session,
  on = api,
): Promise<ApiResponse> {
  return await on.call(method, path, {
    token: ctx.dashboardCredential,
    headers: { 'X-Dashboard-Session': session },
    body,
  });
}

function codeOf({ body }: ApiResponse): string {
  return (body as { error: { code: string } }).error.code;
}
