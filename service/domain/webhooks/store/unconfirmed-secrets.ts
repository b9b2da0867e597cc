import { and, asc, eq, getTableColumns, isNotNull, isNull, lte } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import { webhooks, webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import type { SecretPeriod, SecretRow } from './secrets.ts';
import type { WebhookRow } from './webhooks.ts';

/** Marks a secret as confirmed. */
export async function confirmSecretRow(
  tx: Tx,
  { accountId, webhookId, uuid }: SecretRow,
): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ unconfirmedSince: null })
    .where(
      and(
        eq(webhookSecrets.accountId, accountId),
        eq(webhookSecrets.webhookId, webhookId),
        eq(webhookSecrets.uuid, uuid),
      ),
    );
}

/** An unconfirmed secret about which no email was sent. */
export type UnmailedSecret = {
  webhook: Pick<WebhookRow, 'id' | 'uuid' | 'accountId' | 'name' | 'inactiveReason'>;
  shownTo: SecretPeriod['shownTo'];
  unconfirmedSince: Date;
};

/**
 * Uuids of webhooks' newest secrets, of all accounts, that nobody confirmed since they were shown.
 */
export async function listUnmailedSecrets(db: Db, shownBefore: Date): Promise<string[]> {
  const rows = await db
    .select({ uuid: webhookSecrets.uuid })
    .from(webhookSecrets)
    .where(isMailDue(shownBefore))
    .orderBy(asc(webhookSecrets.uuid));
  return rows.map(({ uuid }) => uuid);
}

/**
 * Records that an email about a secret is sent; null if none is due any longer, or another process
 * sends it.
 */
export async function claimSecretMail(
  tx: Tx,
  uuid: string,
  { shownBefore, now }: { shownBefore: Date; now: Date },
): Promise<UnmailedSecret | null> {
  const { id, uuid: webhookUuid, accountId, name, inactiveReason } = getTableColumns(webhooks);
  const [row] = await tx
    .update(webhookSecrets)
    .set({ unconfirmedMailedAt: now })
    .from(webhooks)
    .where(
      and(
        eq(webhookSecrets.uuid, uuid),
        isMailDue(shownBefore),
        eq(webhooks.id, webhookSecrets.webhookId),
      ),
    )
    .returning({
      webhook: { id, uuid: webhookUuid, accountId, name, inactiveReason },
      shownTo: webhookSecrets.shownTo,
      unconfirmedSince: webhookSecrets.unconfirmedSince,
    });
  return row?.unconfirmedSince ? { ...row, unconfirmedSince: row.unconfirmedSince } : null;
}

/** An index holds the secrets that were shown and not confirmed. */
function isMailDue(shownBefore: Date) {
  return and(
    isNotNull(webhookSecrets.unconfirmedSince),
    lte(webhookSecrets.unconfirmedSince, shownBefore),
    isNull(webhookSecrets.unconfirmedMailedAt),
    isNull(webhookSecrets.validUntil),
    isAccountNotDeleted(webhookSecrets.accountId),
  );
}
