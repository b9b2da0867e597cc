import { beforeEach, expect, test } from 'vitest';
import { hourMs } from '#lib/durations.ts';
import { useRotationRequests } from '../../../testing/api-keys/rotation-requests.ts';
import { statusesOf, tokenOf } from '../../../testing/api-keys/tokens.ts';
import { dataOf, detailsOf } from '../../../testing/api.ts';
import type { ApiResponse, TestKey } from '../../../testing/api.ts';
import { named } from '../../../testing/http/repeating-client.ts';
import { auditEntriesOf } from '../../../testing/records/audit-log.ts';

const { ctx, api, requests, account, owner, admin } = useRotationRequests({
  config: { rotationGraceSeconds: 3600 },
});
/** A key without a scope for keys, which an admin lets rotate itself. */
let key: TestKey;

beforeEach(async () => {
  key = await account.key({ name: 'Deploy', type: 'bot' });
  expect((await allow(true)).status).toBe(200);
});

test('a key that may rotate itself gets a new token, and each old one stays valid for the grace period of the installation', async () => {
  const response = await rotate(key.token);
  expect(response.status).toBe(201);
  const second = tokenOf(response);
  expect(dataOf(response)['message']).toBe(
    `Save this token now; it will not be shown again. The old token stays valid for 1 hour, until ${ctx.clock.apiTime(hourMs)}.`,
  );
  const entries = await auditEntriesOf(ctx, account.id);
  expect(entries.slice(-2)).toMatchObject([
    {
      action: 'api_key.updated',
      actor: { kind: 'person', id: admin.personId },
      changes: { may_rotate_itself: { from: false, to: true } },
    },
    { action: 'api_key.rotated', actor: { kind: 'api_key', name: 'Deploy' } },
  ]);
  ctx.clock.advance(hourMs / 2);
  const third = tokenOf(await rotate(second));
  expect(await statusesOf(api, [key.token, second, third])).toEqual([200, 200, 200]);
  ctx.clock.advance(hourMs / 2);
  expect(await statusesOf(api, [key.token, second, third])).toEqual([401, 200, 200]);
});

test('no key may rotate itself once an owner or admin no longer allows it, and no key can say so', async () => {
  const manager = await account.key();
  for (const value of [true, false]) {
    expect((await allow(value, manager)).status).toBe(403);
  }
  await allow(false);
  expect((await rotate(key.token)).status).toBe(403);
  expect(dataOf(await key.get('/api/v1/api-key'))).toMatchObject({
    status: 'active',
    may_rotate_itself: false,
  });
});

test('a token in its grace period cannot rotate its key, except to repeat its own rotation', async () => {
  const lost = tokenOf(await rotate(key.token, 'lost-response'));
  expect((await rotate(key.token)).status).toBe(403);
  expect((await rotate(key.token, 'another')).status).toBe(403);
  const repeated = await rotate(key.token, 'lost-response');
  expect(repeated.status).toBe(201);
  expect(await statusesOf(api, [key.token, lost, tokenOf(repeated)])).toEqual([200, 401, 200]);
});

test('it takes no fields', async () => {
  const response = await key.post('/api/v1/api-key/rotate', { grace_period_seconds: 604_800 });
  expect(response.status).toBe(422);
  expect(await statusesOf(api, [key.token])).toEqual([200]);
});

test('it is refused while someone reports a leak, repeats included', async () => {
  const token = tokenOf(await rotate(key.token, 'before-the-report'));
  ctx.clock.advance(1);
  const report = await requests.make({ apiKey: key.id, reason: 'leaked' });
  for (const refused of [await rotate(token), await rotate(key.token, 'before-the-report')]) {
    expect(detailsOf(refused)['api_key']).toEqual([expect.stringMatching(/reported/)]);
  }
  await requests.decline(admin, report.uuid);
  expect((await rotate(token)).status).toBe(201);
});

test('owners and admins are mailed each time, also of a repeat, with the new token’s last four', async () => {
  const before = ctx.mails.length;
  const tokens = [tokenOf(await rotate(key.token, 'mailed'))];
  ctx.clock.advance(1);
  tokens.push(tokenOf(await rotate(key.token, 'mailed')));
  const mails = ctx.mails.slice(before);
  expect(mails).toHaveLength(4);
  for (const { email } of [owner, admin]) {
    expect(mails.filter(({ to }) => to === email)).toMatchObject(
      tokens.map((token) => ({
        subject: 'The API key "Deploy" rotated itself',
        text: expect.stringContaining(`New token ends in: ${token.slice(-4)}\n`),
      })),
    );
  }
});

async function allow(value: boolean, by: Pick<TestKey, 'patch'> = admin): Promise<ApiResponse> {
  return await by.patch(`/api/v1/api-keys/${key.id}`, { may_rotate_itself: value });
}

async function rotate(token: string, name: string | null = null): Promise<ApiResponse> {
  return await api.as(token).post('/api/v1/api-key/rotate', undefined, named(name));
}
