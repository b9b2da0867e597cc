import { beforeAll, describe, expect, test } from 'vitest';
import type { AccountId } from '../../../domain/account-id.ts';
import { itemsOf } from '../../../testing/api.ts';
import type { TestAccount, TestKey } from '../../../testing/api.ts';
import { addAccount, addMember } from '../../../testing/records/people.ts';
import { useApi } from '../../../testing/use-api.ts';

/** The owner of the first account also owns a second, empty one. */
const { ctx, api, account: first, owner: ownerOfBoth, caller } = useApi();
let second: AccountId;
let elsewhere: TestAccount;
let strangersKey: TestKey;

beforeAll(async () => {
  await first.webhook();
  elsewhere = await api.account();
  strangersKey = await elsewhere.key();
  ctx.clock.advance(1);
  second = await addAccount(ctx, 'Second');
  await addMember(ctx, { accountId: second, personId: ownerOfBoth.personId, role: 'owner' });
});

describe('a person who belongs to two accounts', () => {
  test('is shown the lists of the account whose page asks', async () => {
    const webhooks = async (pageOf?: string) =>
      itemsOf(await api.as({ ...ownerOfBoth, pageOf }).get('/api/v1/webhooks')).length;
    expect(await webhooks(first.id)).toBe(1);
    expect(await webhooks(second)).toBe(0);
    expect(await webhooks(second.toUpperCase())).toBe(0);
    expect(await webhooks()).toBe(1);
  });

  test('creates resources in the account whose page asks, which is also where they are audited', async () => {
    const body = { name: 'Made in the second', type: 'bot' };
    const made = await api.as({ ...ownerOfBoth, pageOf: second }).post('/api/v1/api-keys', body);
    expect(made.status).toBe(201);
    const entries = await ctx.db.query.auditEntries.findMany();
    expect(entries.find(({ target }) => target.name === body.name)).toMatchObject({
      accountId: second,
      action: 'api_key.created',
    });
  });
});

test('an account that is not theirs gets the same response as one that does not exist', async () => {
  const missing = await ownerOfBoth.get('/api/v1/nothing');
  expect(missing.status).toBe(404);
  for (const pageOf of [elsewhere.id, crypto.randomUUID(), 'x', '', `${first.id}0`]) {
    for (const path of ['/api/v1/webhooks', '/api/dashboard/account', '/api/dashboard/session']) {
      const response = await api.as({ ...ownerOfBoth, pageOf }).get(path);
      expect([response.status, response.text], `${path} of ${pageOf}`).toEqual([404, missing.text]);
    }
  }
});

describe('the account that a request names is ignored', () => {
  test.each(['', 'x', 'another’s'])('with an API key: %j', async (given) => {
    const account = given === 'another’s' ? elsewhere.id : given;
    const response = await caller.get('/api/v1/webhooks', { 'X-Dashboard-Account': account });
    expect(itemsOf(response)).toHaveLength(1);
  });

  test('with the credential of the dashboard and no session, or a session and no credential', async () => {
    const account = { 'X-Dashboard-Account': first.id };
    const session = { 'X-Dashboard-Session': ownerOfBoth.personId };
    const token = ctx.dashboardCredential;
    for (const [options, without] of [
      [{ token, headers: account }, { token }],
      [{ headers: { ...account, ...session } }, { headers: session }],
      [
        { token: strangersKey.token, headers: { ...account, ...session } },
        { token: strangersKey.token, headers: session },
      ],
    ]) {
      const response = await api.call('GET', '/api/v1/webhooks', options);
      const plain = await api.call('GET', '/api/v1/webhooks', without);
      expect([response.status, response.text]).toEqual([plain.status, plain.text]);
    }
  });
});
