import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
} from 'drizzle-orm';
import { isAccountNotDeleted } from '../../../db/account-not-deleted.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks, webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';
import type { WebhookRow } from './webhooks.ts';

export type SecretRow = typeof webhookSecrets.$inferSelect;
export type NewSecretRow = typeof webhookSecrets.$inferInsert;

/**
 * When a secret was created, until when it signs (null for the newest), to whom it was shown, and
 * whether they still have to confirm it. The secret itself is encrypted.
 */
export type SecretPeriod = Omit<SecretRow, 'unconfirmedMailedAt'>;

/** A webhook with its secrets that sign at the time of reading, newest first. */
export type WebhookWithSecrets = { webhook: WebhookRow; secrets: SecretPeriod[] };

/** The secret without an end is the newest, even if two have the same creation time. */
const newestFirst = [desc(isNull(webhookSecrets.validUntil)), desc(webhookSecrets.createdAt)];

/** The secrets of an account's webhooks that sign at `now`, newest first. */
export async function listSecretPeriods(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<SecretPeriod[]> {
  return await db
    .select()
    .from(webhookSecrets)
    .where(and(eq(webhookSecrets.accountId, accountId), signsAt(now)))
    .orderBy(...newestFirst);
}

export async function secretPeriodsOf(
  db: Db | Tx,
  webhook: WebhookRow,
  now: Date,
): Promise<SecretPeriod[]> {
  return await db
    .select()
    .from(webhookSecrets)
    .where(
      and(
        columnsEqual(webhookSecrets, { accountId: webhook.accountId, webhookId: webhook.id }),
        signsAt(now),
      ),
    )
    .orderBy(...newestFirst);
}

export async function insertSecrets(tx: Tx, rows: readonly NewSecretRow[]): Promise<void> {
  await tx.insert(webhookSecrets).values([...rows]);
}

/** Sets until when a secret signs; the others keep their deadlines. */
export async function endSecretAt(
  tx: Tx,
  { accountId, webhookId, uuid }: SecretRow,
  validUntil: Date,
): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ validUntil })
    .where(columnsEqual(webhookSecrets, { accountId, webhookId, uuid }));
}

/** Removes secrets for good; a removed one can never sign again. */
export async function deleteSecrets(
  tx: Tx,
  webhook: WebhookRow,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length === 0) return;
  await tx
    .delete(webhookSecrets)
    .where(
      and(
        columnsEqual(webhookSecrets, { accountId: webhook.accountId, webhookId: webhook.id }),
        inArray(webhookSecrets.uuid, [...uuids]),
      ),
    );
}

/** Every stored secret of a webhook, encrypted, newest first, including those that have ended. */
export async function listSealedSecrets(tx: Db | Tx, webhook: WebhookRow): Promise<SecretRow[]> {
  return await tx
    .select()
    .from(webhookSecrets)
    .where(columnsEqual(webhookSecrets, { accountId: webhook.accountId, webhookId: webhook.id }))
    .orderBy(...newestFirst);
}

/** Every stored secret of an account, encrypted, newest first, including those that have ended. */
export async function listSealedSecretsOfAccount(
  db: Db,
  accountId: AccountId,
): Promise<SecretRow[]> {
  return await db
    .select()
    .from(webhookSecrets)
    .where(eq(webhookSecrets.accountId, accountId))
    .orderBy(...newestFirst);
}

/**
 * Encrypted secrets of all accounts, by uuid, locked. This is the only read of secrets without an
 * account: a change of SECRET_KEY concerns the installation, and nothing of it leaves the service.
 */
export async function lockSealedSecrets(
  tx: Tx,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ uuid: string; accountId: string; sealed: Buffer }[]> {
  return await tx
    .select({
      uuid: webhookSecrets.uuid,
      accountId: webhookSecrets.accountId,
      sealed: webhookSecrets.sealed,
    })
    .from(webhookSecrets)
    .where(after === null ? undefined : gt(webhookSecrets.uuid, after))
    .orderBy(asc(webhookSecrets.uuid))
    .limit(limit)
    .for('update');
}

/** Replaces a secret with another one; the replaced secret never signs again. */
export async function replaceSecret(
  tx: Tx,
  { accountId, webhookId, uuid }: SecretRow,
  secret: Pick<SecretRow, 'sealed' | 'shownTo' | 'unconfirmedSince'>,
): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ ...secret, unconfirmedMailedAt: null })
    .where(columnsEqual(webhookSecrets, { accountId, webhookId, uuid }));
}

export async function replaceSealedSecret(tx: Tx, uuid: string, sealed: Buffer): Promise<void> {
  await tx.update(webhookSecrets).set({ sealed }).where(eq(webhookSecrets.uuid, uuid));
}

function signsAt(now: Date) {
  return or(isNull(webhookSecrets.validUntil), gt(webhookSecrets.validUntil, now));
}

/** Marks a secret as confirmed. */
export async function confirmSecretRow(
  tx: Tx,
  { accountId, webhookId, uuid }: SecretRow,
): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ unconfirmedSince: null })
    .where(columnsEqual(webhookSecrets, { accountId, webhookId, uuid }));
}

/** An unconfirmed secret about which no email was sent. */
export type UnmailedSecret = {
  webhook: Pick<WebhookRow, 'id' | 'uuid' | 'accountId' | 'name' | 'inactiveReason'>;
  shownTo: SecretPeriod['shownTo'];
  unconfirmedSince: Date;
};

/** Newest secrets of webhooks of all accounts that nobody confirmed since they were shown. */
export async function listUnmailedSecrets(
  db: Db,
  { shownBefore }: { shownBefore: Date },
): Promise<string[]> {
  const rows = await db
    .select({ uuid: webhookSecrets.uuid })
    .from(webhookSecrets)
    .where(isMailDue(shownBefore))
    .orderBy(asc(webhookSecrets.uuid));
  return rows.map(({ uuid }) => uuid);
}

/** Records that an email about a secret is sent; null if none is due, or another process sends. */
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

/**
 * Whether an attempt to a webhook began at or after a moment, or may be in progress now. Locks its
 * lane, so that no attempt begins until the transaction ends.
 */
export async function mayHaveSentSince(
  tx: Tx,
  webhook: { id: number },
  since: Date,
): Promise<boolean> {
  const [lane] = await tx
    .select({ owner: lanes.owner, lastTriggeredAt: lanes.lastTriggeredAt })
    .from(lanes)
    .where(eq(lanes.webhookId, webhook.id))
    .for('update');
  if (!lane) return false;
  return lane.owner !== null || (lane.lastTriggeredAt !== null && lane.lastTriggeredAt >= since);
}
