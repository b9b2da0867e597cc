import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import type { PersonActor } from '../../../domain/actor.ts';
import { dataOf } from '../../../testing/api.ts';
import type { ApiResponse, TestAccount } from '../../../testing/api.ts';
import { tokenOf } from '../../../testing/api-keys/tokens.ts';
import { addMember, addPerson } from '../../../testing/records/people.ts';
import { useApi } from '../../../testing/use-api.ts';

/** How often a race of a few calls is run, because its outcome depends on which call is first. */
const rounds = 4;

/**
 * Concurrent rotations, revocations and creations, on a server that runs transactions concurrently.
 */
const { ctx, api, account, caller } = useApi({
  engine: 'postgresql',
  config: { rateLimitPerMinute: 100_000, failedAuthPerMinute: 100_000 },
});

test('of 50 concurrent rotations, as many get a token as a key can have, and all these are valid', async () => {
  const key = await account.key();
  const responses = await Promise.all(Array.from({ length: 50 }, () => rotate(key.id)));
  const rotated = responses.filter(({ status }) => status === 201);
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(31);
  const tokens = [key.token, ...rotated.map(tokenOf)];
  expect(new Set(tokens).size).toBe(20);
  expect(await countValid(tokens)).toBe(20);
});

test('of 50 concurrent rotations with expected_last_four, one succeeds and the others are told so', async () => {
  const key = await account.key();
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => rotate(key.id, { expected_last_four: key.lastFour })),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(49);
});

test('25 rotations and 25 revocations at the same time leave no token valid', async () => {
  const key = await account.key();
  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, index) => (index % 2 ? rotate(key.id) : revoke(key.id))),
  );
  for (const { status } of responses) expect([201, 204, 422]).toContain(status);
  const tokens = responses.filter(({ status }) => status === 201).map(tokenOf);
  expect(await countValid([key.token, ...tokens])).toBe(0);
});

test('of two keys that revoke each other one survives, without a deadlock', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const [one, other] = [await account.key(), await account.key()];
    const responses = await Promise.all([revoke(other.id, one.token), revoke(one.id, other.token)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
    expect(await countValid([one.token, other.token])).toBe(1);
  }
});

test('the quota of active keys holds for concurrent creations', async () => {
  const full = await api.account();
  await ctx.db.update(accounts).set({ maxKeys: 8 }).where(eq(accounts.id, full.id));
  const [owner] = [await full.key(), await full.key(), await full.key()];
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      api.call('POST', '/api/v1/api-keys', {
        token: owner.token,
        body: { name: 'One of many', type: 'bot' },
      }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(15);
});

test('20 concurrent requests with one Idempotency-Key act once', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      caller.post('/api/v1/conversations', { subject: 'Once' }, { 'Idempotency-Key': 'race' }),
    ),
  );
  expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
  expect(responses[0]?.status).toBe(201);
});

describe('one Idempotency-Key, sent 20 times at the same time,', () => {
  const at20 = (ask: () => Promise<ApiResponse>) => Promise.all(Array.from({ length: 20 }, ask));
  const headers = { 'Idempotency-Key': 'once' };

  test('creates one key, with one valid token', async () => {
    const maker = await account.key();
    const body = { name: 'Made once', type: 'bot' };
    const responses = await at20(() => maker.post('/api/v1/api-keys', body, headers));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(responses.map((response) => dataOf(response).id)).size).toBe(1);
    expect(await countValid(responses.map(tokenOf))).toBe(1);
    const named = eq(apiKeys.name, 'Made once');
    expect(await ctx.db.$count(apiKeys, named)).toBe(1);
  });

  test('rotates a key once, also one that rotates itself, and moves no deadline', async () => {
    const maker = await account.key();
    const other = await account.key();
    for (const key of [other, maker]) {
      const path = `/api/v1/api-keys/${key.id}/rotate`;
      const named = { 'Idempotency-Key': `rotate-${key.id}` };
      const responses = await at20(() => maker.post(path, undefined, named));
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
      expect(await countValid(responses.map(tokenOf))).toBe(1);
      expect(await ctx.db.$count(apiKeyTokens, eq(apiKeyTokens.apiKeyId, key.id))).toBe(2);
      expect(await countValid([key.token])).toBe(1);
    }
  });

  test('regenerates a secret once, and one of the secrets shown is the one that signs', async () => {
    const maker = await account.key();
    const { id } = await account.webhook();
    const path = `/api/v1/webhooks/${id}/regenerate-secret`;
    const responses = await at20(() => maker.post(path, undefined, headers));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    const stored = await ctx.db.query.webhookSecrets.findMany({
      where: eq(webhookSecrets.webhookId, id),
    });
    const shown = stored.filter(({ shownTo }) => shownTo !== null);
    expect([stored.length, shown.length]).toEqual([2, 1]);
    const signing = shown.map(({ sealed, uuid, accountId }) =>
      ctx.cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId }),
    );
    expect(responses.map((response) => dataOf(response)['secret'])).toEqual(
      expect.arrayContaining(signing),
    );
  });

  test('while its token is used for the first time, leaves one valid token', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const key = await account.key();
      const path = `/api/v1/api-keys/${key.id}/rotate`;
      const ask = () => caller.post(path, undefined, { 'Idempotency-Key': `r${key.id}` });
      const first = await ask();
      const [used, again] = await Promise.all([
        api.call('GET', '/api/v1/api-key', { token: tokenOf(first) }),
        ask(),
      ]);
      expect([
        used.status === 200 || again.status === 201,
        [201, 422].includes(again.status),
      ]).toEqual([true, true]);
      const shown = again.status === 201 ? tokenOf(again) : tokenOf(first);
      expect(await countValid([shown, key.token])).toBe(2);
    }
  });
});

test.each([
  ['to an end that is given', { until: '2020-02-01T00:00:00Z' }],
  ['until now', {}],
])(
  'of 20 identical replays at the same time %s one begins, and the others name it',
  async (_what, end) => {
    const { id } = await account.webhook();
    const body = { since: '2020-01-01T00:00:00Z', status: 'all', ...end };
    const responses = await Promise.all(
      Array.from({ length: 20 }, async () => {
        ctx.clock.advance(1);
        return await caller.post(`/api/v1/webhooks/${id}/replays`, body);
      }),
    );
    const begun = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status === 422);
    expect([begun.length, refused.length]).toEqual([1, 19]);
    for (const { text } of refused) expect(text).toContain(uuidsOf(begun)[0]);
  },
);

describe('a rotation request', () => {
  test('is done once by 20 concurrent calls, and one token is made', async () => {
    const { key, uuid, admin } = await asked();
    const responses = await Promise.all(Array.from({ length: 20 }, () => rotateFor(admin, uuid)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(19);
    expect(await ctx.db.$count(apiKeyTokens, eq(apiKeyTokens.apiKeyId, key.id))).toBe(2);
  });

  test('is done or its leaked key is revoked, never both, whichever comes first', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { key, uuid, admin, support } = await asked();
      // A person may revoke three reported keys a day.
      ctx.clock.advance(dayMs);
      const path = `/api/dashboard/rotation-requests/${uuid}/revoke`;
      const responses = await Promise.all([rotateFor(admin, uuid), api.as(support).post(path)]);
      const statuses = responses.map(({ status }) => status);
      expect([
        [201, 422],
        [422, 204],
      ]).toContainEqual(statuses);
      expect(await countValid([key.token])).toBe(statuses[0] === 201 ? 1 : 0);
    }
  });

  test('revokes three leaked keys a day for one person, in however many accounts at the same time', async () => {
    const support = await account.member('support');
    const reports = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const elsewhere = await api.account();
        const { personId } = support;
        await addMember(ctx, { accountId: elsewhere.id, personId, role: 'support' });
        return await asked(elsewhere);
      }),
    );
    // Their revocations in other tests are more than a day ago.
    ctx.clock.advance(2 * dayMs);
    const responses = await Promise.all(
      reports.map(({ uuid, pageOf }) =>
        api.as({ ...support, pageOf }).post(`/api/dashboard/rotation-requests/${uuid}/revoke`),
      ),
    );
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([204, 204, 204, 429, 429, 429]);
  });

  test('is made once by 20 concurrent calls of two people about one key', async () => {
    const key = await account.key();
    const [first, second] = [await account.member('support'), await colleague()];
    const responses = await Promise.all([
      ask(key.id, { by: first, reason: 'lost' }),
      ...Array.from({ length: 19 }, () => ask(key.id, { by: second, reason: 'lost' })),
    ]);
    const made = responses.filter(({ status }) => status === 201);
    const refused = responses.filter(({ status }) => status === 422);
    // The same request of the same person again returns the open one.
    expect([
      [1, 19],
      [19, 1],
    ]).toContainEqual([made.length, refused.length]);
    expect(new Set(uuidsOf(made)).size).toBe(1);
  });

  test('that reports a leak is made once by each person, however many report it at the same time', async () => {
    const key = await account.key();
    const people = [await account.member('support'), await colleague()];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(key.id, { by: people[index % 2] })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(uuidsOf(responses)).size).toBe(2);
    expect(await ctx.db.$count(rotationRequests, eq(rotationRequests.apiKeyId, key.id))).toBe(2);
  });

  test('is closed by the rotation or the revocation that happens at the same time, without a deadlock', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const key = await account.key();
      const responses = await Promise.all([
        ...Array.from({ length: 4 }, () => ask(key.id)),
        rotate(key.id, { grace_period_seconds: 0 }),
        revoke(key.id),
      ]);
      for (const { status } of responses) expect([201, 204, 422]).toContain(status);
      expect(
        await ctx.db.$count(
          rotationRequests,
          and(eq(rotationRequests.apiKeyId, key.id), eq(rotationRequests.state, 'open')),
        ),
      ).toBe(0);
    }
  });

  test('is emailed three times a day, however many people ask and withdraw at the same time', async () => {
    const key = await account.key();
    const admin = await account.member('admin');
    const path = `/api/dashboard/api-keys/${key.id}/rotation-requests`;
    async function askAndWithdraw(): Promise<number> {
      const support = await account.member('support');
      let made = 0;
      for (let count = 0; count < 6; count += 1) {
        const body = { member: admin.personId, reason: 'lost' };
        const response = await api.as(support).post(path, body);
        if (response.status !== 201) continue;
        made += 1;
        const { uuid } = dataOf<{ uuid: string }>(response);
        await api.as(support).delete(`/api/dashboard/rotation-requests/${uuid}`);
      }
      return made;
    }
    const before = ctx.mails.length;
    const made = await Promise.all(Array.from({ length: 8 }, askAndWithdraw));
    expect(made.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(3);
    expect(ctx.mails.slice(before)).toHaveLength(3);
  });

  async function asked(within = account) {
    const key = await within.key();
    const { uuid } = dataOf<{ uuid: string }>(await ask(key.id, { within }));
    const [admin, support] = [await within.member('admin'), await account.member('support')];
    return { key, uuid, admin, support, pageOf: within.id };
  }

  /** Another member of the support staff. */
  async function colleague(): Promise<PersonActor> {
    const { id: personId } = await addPerson(ctx, { name: 'Tim' });
    await addMember(ctx, { accountId: account.id, personId, role: 'support' });
    return { ...(await account.member('support')), personId };
  }

  async function ask(
    apiKeyId: number,
    options: {
      within?: TestAccount;
      by?: PersonActor | undefined;
      reason?: string;
    } = {},
  ): Promise<ApiResponse> {
    const { within = account, reason = 'leaked' } = options;
    const { personId: member } = await within.member('admin');
    const path = `/api/dashboard/api-keys/${apiKeyId}/rotation-requests`;
    const support = { ...(options.by ?? (await account.member('support'))), pageOf: within.id };
    return await api.as(support).post(path, { member, reason });
  }

  async function rotateFor(person: PersonActor, uuid: string): Promise<ApiResponse> {
    const path = `/api/dashboard/rotation-requests/${uuid}/rotate`;
    return await api.as(person).post(path, {});
  }
});

async function rotate(id: number, body: unknown = {}): Promise<ApiResponse> {
  return await caller.post(`/api/v1/api-keys/${id}/rotate`, body);
}

async function revoke(id: number, as = caller.token): Promise<ApiResponse> {
  return await api.call('DELETE', `/api/v1/api-keys/${id}`, { token: as });
}

async function countValid(tokens: readonly string[]): Promise<number> {
  const responses = await Promise.all(
    tokens.map((each) => api.call('GET', '/api/v1/api-key', { token: each })),
  );
  return responses.filter(({ status }) => status === 200).length;
}

function uuidsOf(responses: ApiResponse[]): string[] {
  return responses.map((response) => dataOf<{ uuid: string }>(response).uuid);
}
