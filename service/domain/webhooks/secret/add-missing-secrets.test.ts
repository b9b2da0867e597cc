import { afterAll, beforeAll, expect, test } from 'vitest';
import { bootContext } from '../../../boot/boot-context.ts';
import type { webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { dataOf, itemsOf, TestApi } from '../../../testing/api.ts';
import { createTestContext } from '../../../testing/context.ts';
import type { TestContext } from '../../../testing/context.ts';
import { addWebhooksWithoutSecret } from '../../../testing/records/webhooks-without-secret.ts';
import { addMissingSecrets } from './add-missing-secrets.ts';

let ctx: TestContext;
let api: TestApi;
beforeAll(async () => {
  ctx = await createTestContext();
  api = new TestApi(ctx);
});
afterAll(() => ctx.dispose());

test('at the start every webhook without a secret gets one that nobody is shown, and the others keep theirs', async () => {
  const account = await api.account();
  const { token } = await account.key();
  const [bare] = await addWebhooksWithoutSecret(ctx.db, account.id, 1);
  const { id: other } = await account.webhook();
  await api.call('POST', `/api/v1/webhooks/${other}/regenerate-secret`, { token });
  const before = await ctx.db.query.webhookSecrets.findMany();
  const path = `/api/v1/webhooks/${bare?.id}`;
  expect(dataOf(await api.call('GET', path, { token }))).toMatchObject({
    secret: { created_at: null, was_shown: false, previous_valid_until: null },
  });

  await bootContext({ ...ctx, log: ctx.silentLog });

  expect(dataOf(await api.call('GET', path, { token }))).toMatchObject({
    secret: { created_at: expect.any(String), was_shown: false, previous_valid_until: null },
  });
  const after = await ctx.db.query.webhookSecrets.findMany();
  const added = after.filter(({ webhookId }) => webhookId === bare?.id);
  expect(added.map(openSecret)).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
  expect(after.filter(({ webhookId }) => webhookId !== bare?.id)).toEqual(before);
  expect(itemsOf(await api.call('GET', '/api/v1/audit-log', { token }))[0]).toMatchObject({
    action: 'webhook.secret_created',
    actor: { kind: 'system', name: 'Upgrade' },
    target: { id: bare?.uuid },
    changes: { secret: { was_shown: false } },
  });
});

test('more webhooks than fit in a batch all get one, and nothing is done again', async () => {
  const account = await api.account();
  await addWebhooksWithoutSecret(ctx.db, account.id, 101);
  expect(await addMissingSecrets(ctx)).toBe(101);
  const rows = await ctx.db.query.webhookSecrets.findMany();
  expect(new Set(rows.filter((row) => row.accountId === account.id).map(openSecret)).size).toBe(
    101,
  );
  expect(await addMissingSecrets(ctx)).toBe(0);
  expect(await ctx.db.query.webhookSecrets.findMany()).toEqual(rows);
});

function openSecret({ sealed, uuid, accountId }: typeof webhookSecrets.$inferSelect): string {
  return ctx.cipher.open(sealed, { table: 'webhook_secrets', uuid, accountId });
}
