import { asc, eq, gt } from 'drizzle-orm';
import type { Tx } from '../../../db/open.ts';
import { webhookHeaders } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';

type HeadersRow = typeof webhookHeaders.$inferSelect;
type Webhook = { accountId: string; id: number };

export async function findSealedHeaders(tx: Tx, webhook: Webhook): Promise<HeadersRow | null> {
  const [row] = await tx.select().from(webhookHeaders).where(isOf(webhook));
  return row ?? null;
}

export async function upsertHeaders(tx: Tx, row: HeadersRow): Promise<void> {
  const { uuid, sealed } = row;
  await tx
    .insert(webhookHeaders)
    .values(row)
    .onConflictDoUpdate({
      target: [webhookHeaders.accountId, webhookHeaders.webhookId],
      set: { uuid, sealed },
    });
}

export async function deleteHeaders(tx: Tx, webhook: Webhook): Promise<void> {
  await tx.delete(webhookHeaders).where(isOf(webhook));
}

/** Sealed headers of all accounts, by uuid, locked, for a change of SECRET_KEY. */
export async function lockSealedHeaders(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<HeadersRow[]> {
  return await tx
    .select()
    .from(webhookHeaders)
    .where(after === null ? undefined : gt(webhookHeaders.uuid, after))
    .orderBy(asc(webhookHeaders.uuid))
    .limit(limit)
    .for('update');
}

export async function replaceSealedHeaders(tx: Tx, uuid: string, sealed: Buffer): Promise<void> {
  await tx.update(webhookHeaders).set({ sealed }).where(eq(webhookHeaders.uuid, uuid));
}

function isOf({ accountId, id }: Webhook) {
  return columnsEqual(webhookHeaders, { accountId, webhookId: id });
}
