import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { sessions } from '../../../db/schema/people/sessions.ts';
import { TestApi } from '../../../testing/api.ts';
import type { ApiResponse } from '../../../testing/api.ts';
import { TestPerson } from '../../../testing/http/test-person.ts';
import { useApi } from '../../../testing/use-api.ts';

const halfAnHour = 1_800_000;
const key = { name: 'New', type: 'bot' };

const { ctx, api, account, viewer } = useApi();
let owner: TestPerson;

beforeEach(async () => {
  owner = await TestPerson.signedIn(ctx, { accountId: account.id, role: 'owner' });
});

test('the order of checks is: who calls, how often, whether they may, what they sent, then whether their proof is fresh', async () => {
  const provedAt = new Date(ctx.clock.now().getTime() - halfAnHour);
  await ctx.db.update(sessions).set({ provedAt }).where(eq(sessions.personId, owner.id));
  const state = { limit: 1, remaining: 0, resetSeconds: 5, name: 'call' as const };
  const consume = async () => ({ allowed: false, ...state, windowSeconds: 60 });
  const overLimit = new TestApi({ ...ctx, limiter: { ...ctx.limiter, consume } });
  const make = async (session: string, on = api, body: unknown = { scopes: 'all' }) =>
    codeOf(await on.as({ personId: session }).post('/api/v1/api-keys', body));
  expect(await make(`${owner.session}x`, overLimit)).toBe('UNAUTHORIZED');
  expect(await make(owner.session, overLimit)).toBe('RATE_LIMIT_EXCEEDED');
  expect(codeOf(await viewer.post('/api/v1/api-keys', { scopes: 'all' }))).toBe('FORBIDDEN');
  expect(await make(owner.session)).toBe('VALIDATION_ERROR');
  expect(await make(owner.session, api, key)).toBe('PROOF_REQUIRED');
});

function codeOf({ body }: ApiResponse): string {
  return (body as { error: { code: string } }).error.code;
}
