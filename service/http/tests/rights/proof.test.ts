import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
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

test('the order of checks is: who calls, how often, whether they may, what they sent, then whether their proof is fresh', async () => {
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
