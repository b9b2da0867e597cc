import { expect, test } from 'vitest';
import { dayMs } from '#lib/durations.ts';
import { itemsOf, refusedFields } from '../../../testing/api.ts';
import { useApi } from '../../../testing/use-api.ts';

const { ctx, account, owner, admin, support } = useApi({ accountFor: 'test' });

const inDays = (days: number) => new Date(ctx.clock.now().getTime() + days * dayMs).toISOString();

const notices = () => ctx.mails.filter(({ kind }) => kind === 'api_key.expiry_noticed');

async function notify({ uuid }: { uuid: string }) {
  const path = `/api/dashboard/api-keys/${uuid}/expiry-notices`;
  return await support.as({ ...support, pageOf: account.id }).post(path);
}

test('support notifies the owners, and nobody else, that a key expires, once a day for each key', async () => {
  await account.member('admin');
  const key = await account.key({ name: 'Returns kiosk', expiresAt: inDays(3) });
  expect((await notify(key)).status).toBe(204);
  await ctx.mail.close();
  expect(notices()).toMatchObject([
    {
      to: owner.email,
      kind: 'api_key.expiry_noticed',
      subject: expect.stringContaining('Returns kiosk'),
    },
  ]);
  expect(notices()[0]?.text).toContain(`Ida support (${support.email}, Support)`);

  const again = await notify(key);
  expect(again.status).toBe(429);
  expect((await notify(await account.key({ expiresAt: inDays(3) }))).status).toBe(204);

  const log = await admin.as((await account.key()).token).get('/api/v1/audit-log');
  const entries = itemsOf(log).filter(({ action }) => action === 'api_key.owners_notified');
  expect(entries).toHaveLength(2);
});

test('nobody is notified about a key that does not expire within 7 days, or has expired', async () => {
  const { length } = notices();
  for (const key of [await account.key(), await account.key({ expiresAt: inDays(8) })]) {
    expect(refusedFields(await notify(key))).toEqual(['api_key']);
  }
  const expired = await account.key({ expiresAt: inDays(1) });
  ctx.clock.advance(dayMs);
  expect(refusedFields(await notify(expired))).toEqual(['api_key']);
  expect(notices()).toHaveLength(length);
});
