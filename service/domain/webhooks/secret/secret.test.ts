import { expect, test } from 'vitest';
import { createCipher } from '../../../secrets/cipher.ts';
import { dataOf, TestApi } from '../../../testing/api.ts';
import { useContext } from '../../../testing/use-api.ts';
import { reencryptSecrets } from './secret.ts';

const ctx = useContext();

test('after a change of key every secret opens with the new key alone, and with no other', async () => {
  const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const before = { ...ctx, cipher: createCipher({ current: old, previous: null }) };
  const api = new TestApi(before);
  const secrets: string[] = [];
  for (let made = 0; made < 3; made += 1) {
    const { token } = await (await api.account()).key();
    const body = { name: 'Hook', url: 'https://example.com/', events: ['message.created'] };
    const hook = await api.call('POST', '/api/v1/webhooks', { token, body });
    const path = `/api/v1/webhooks/${dataOf(hook).id}/regenerate-secret`;
    const alone = { grace_period_seconds: 0 };
    const response = await api.call('POST', path, { token, body: alone });
    secrets.push(dataOf<{ secret: string }>(response).secret);
  }

  const both = createCipher({ current: fresh, previous: old });
  expect(await reencryptSecrets({ db: ctx.db, cipher: both })).toBe(3);

  const alone = createCipher({ current: fresh, previous: null });
  const rows = await ctx.db.query.webhookSecrets.findMany();
  const opened = rows.map(({ uuid, accountId, sealed }) =>
    alone.open(sealed, { table: 'webhook_secrets', uuid, accountId }),
  );
  expect(opened.toSorted()).toEqual(secrets.toSorted());
  for (const { uuid, accountId, sealed } of rows) {
    const about = { table: 'webhook_secrets', uuid, accountId };
    expect(() => before.cipher.open(sealed, about)).toThrow('cannot be opened');
  }
});
