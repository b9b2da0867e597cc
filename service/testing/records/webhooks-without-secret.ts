import type { Db } from '../../db/open.ts';
import { lanes } from '../../db/schema/webhooks/lanes.ts';
import { webhooks } from '../../db/schema/webhooks/webhooks.ts';
import type { AccountId } from '../../domain/account-id.ts';

/** Adds webhooks as earlier versions created them; returns them by id. */
export async function addWebhooksWithoutSecret(
  db: Db,
  accountId: AccountId,
  count: number,
): Promise<{ id: number; uuid: string }[]> {
  const at = new Date('2026-11-01T10:00:00.000Z');
  const rows = Array.from({ length: count }, (_, index) => ({
    accountId,
    name: `Old ${index}`,
    url: 'https://example.com/hook',
    events: ['message.created' as const],
    isActive: true,
    createdAt: at,
    updatedAt: at,
  }));
  const added = await db
    .insert(webhooks)
    .values(rows)
    .returning({ id: webhooks.id, uuid: webhooks.uuid });
  await db.insert(lanes).values(added.map(({ id }) => ({ webhookId: id, accountId })));
  return added.toSorted((a, b) => a.id - b.id);
}
