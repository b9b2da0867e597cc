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
  lt,
  lte,
  notExists,
  or,
  sql,
} from 'drizzle-orm';
import type { Db, Tx } from '../../db/open.ts';
import { preparedOnce, unnamed } from '../../db/prepared-once.ts';
import { isInLivingAccount } from '../../db/living-account.ts';
import { lanes } from '../../db/schema/lanes.ts';
import { webhooks, webhookSecrets } from '../../db/schema/webhooks.ts';
import type { AccountId } from '../account-id.ts';
import type { ResourceReference } from '../resource-reference.ts';

/** A webhook with what its attempts count, which stands in its lane. */
export type WebhookRow = typeof webhooks.$inferSelect &
  Pick<typeof lanes.$inferSelect, 'failureCount' | 'failingSince' | 'lastTriggeredAt'>;
export type NewWebhookRow = typeof webhooks.$inferInsert;
export type SecretRow = typeof webhookSecrets.$inferSelect;
export type NewSecretRow = typeof webhookSecrets.$inferInsert;

/**
 * When a secret was made, until when it signs (null for the newest), whom it was shown to, and
 * whether they have yet to confirm having it. Never the secret itself.
 */
export type SecretPeriod = Pick<
  SecretRow,
  'webhookId' | 'uuid' | 'createdAt' | 'validUntil' | 'revealedTo' | 'unconfirmedSince'
>;

/** A webhook with its secrets that sign at the time of reading, newest first. */
export type WebhookWithSecrets = { webhook: WebhookRow; secrets: SecretPeriod[] };

const secretPeriod = {
  webhookId: webhookSecrets.webhookId,
  uuid: webhookSecrets.uuid,
  createdAt: webhookSecrets.createdAt,
  validUntil: webhookSecrets.validUntil,
  revealedTo: webhookSecrets.revealedTo,
  unconfirmedSince: webhookSecrets.unconfirmedSince,
};

/** The one without an end is the newest, also where two were made in the same millisecond. */
const newestFirst = [desc(isNull(webhookSecrets.validUntil)), desc(webhookSecrets.createdAt)];

const webhookWithCounters = {
  ...getTableColumns(webhooks),
  failureCount: lanes.failureCount,
  failingSince: lanes.failingSince,
  lastTriggeredAt: lanes.lastTriggeredAt,
};

const webhooksOfAccount = preparedOnce((db) =>
  db
    .select(webhookWithCounters)
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(eq(webhooks.accountId, sql.placeholder('accountId')))
    .orderBy(desc(webhooks.id))
    .prepare(unnamed),
);

/** All webhooks of an account, newest first. */
export async function listWebhookRows(db: Db | Tx, accountId: AccountId): Promise<WebhookRow[]> {
  return await webhooksOfAccount(db).execute({ accountId });
}

/** The secrets of an account's webhooks that sign at `now`, newest first. */
export async function listSecretPeriods(
  db: Db | Tx,
  accountId: AccountId,
  now: Date,
): Promise<SecretPeriod[]> {
  return await db
    .select(secretPeriod)
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
    .select(secretPeriod)
    .from(webhookSecrets)
    .where(
      and(
        eq(webhookSecrets.accountId, webhook.accountId),
        eq(webhookSecrets.webhookId, webhook.id),
        signsAt(now),
      ),
    )
    .orderBy(...newestFirst);
}

export async function findWebhookRow(
  db: Db | Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<WebhookRow | null> {
  const [row] = await db
    .select(webhookWithCounters)
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(isReferred(accountId, reference));
  return row ?? null;
}

/** The webhook, locked until the transaction ends; its lane is not. */
export async function lockWebhook(
  tx: Tx,
  accountId: AccountId,
  reference: ResourceReference,
): Promise<WebhookRow | null> {
  const [row] = await tx
    .select(webhookWithCounters)
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(isReferred(accountId, reference))
    .for('update', { of: webhooks });
  return row ?? null;
}

/** Active webhooks whichever account they belong to, for the service's own acts; locked. */
export async function lockActiveWebhooks(
  tx: Tx,
  webhookIds: readonly number[],
): Promise<WebhookRow[]> {
  return await tx
    .select(webhookWithCounters)
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .where(and(inArray(webhooks.id, [...webhookIds]), eq(webhooks.isActive, true)))
    .orderBy(asc(webhooks.id))
    .for('update', { of: webhooks });
}

/** Active webhooks of all accounts that fail since `failingBy` or longer and had fewer warnings. */
export async function listUnwarnedWebhooks(
  db: Db,
  { failingBy, warningCount }: { failingBy: Date; warningCount: number },
): Promise<{ id: number }[]> {
  return await db
    .select({ id: webhooks.id })
    .from(lanes)
    .innerJoin(webhooks, eq(webhooks.id, lanes.webhookId))
    .where(
      and(
        lte(lanes.failingSince, failingBy),
        lt(lanes.warningCount, warningCount),
        eq(webhooks.isActive, true),
        isInLivingAccount(webhooks.accountId),
      ),
    )
    .orderBy(asc(webhooks.id));
}

/** Counts a warning, unless another process did or the webhook works again; says whether it did. */
export async function countWarning(
  tx: Tx,
  about: { webhookId: number; failingBy: Date; warningCount: number },
): Promise<boolean> {
  const counted = await tx
    .update(lanes)
    .set({ warningCount: about.warningCount })
    .where(
      and(
        eq(lanes.webhookId, about.webhookId),
        lte(lanes.failingSince, about.failingBy),
        lt(lanes.warningCount, about.warningCount),
      ),
    )
    .returning({ webhookId: lanes.webhookId });
  return counted.length > 0;
}

/** Makes creations in one account wait for each other, so that a quota holds under concurrency. */
export async function lockWebhookQuota(tx: Tx, accountId: AccountId): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${accountId}`}, 0))`,
  );
}

export async function countWebhooks(db: Db | Tx, accountId: AccountId): Promise<number> {
  return await db.$count(webhooks, eq(webhooks.accountId, accountId));
}

/** Its lane is made by the caller. */
export async function insertWebhook(tx: Tx, row: NewWebhookRow): Promise<WebhookRow> {
  const [inserted] = await tx.insert(webhooks).values(row).returning();
  if (!inserted) throw new Error('an inserted webhook came back without its row');
  return { ...inserted, failureCount: 0, failingSince: null, lastTriggeredAt: null };
}

export async function updateWebhookRow(
  tx: Tx,
  webhook: WebhookRow,
  change: Partial<NewWebhookRow>,
): Promise<WebhookRow> {
  const [updated] = await tx
    .update(webhooks)
    .set(change)
    .where(and(eq(webhooks.accountId, webhook.accountId), eq(webhooks.id, webhook.id)))
    .returning();
  if (!updated) throw new Error('a locked webhook vanished');
  return { ...webhook, ...updated };
}

export async function deleteWebhookRow(tx: Tx, webhook: WebhookRow): Promise<void> {
  await tx
    .delete(webhooks)
    .where(and(eq(webhooks.accountId, webhook.accountId), eq(webhooks.id, webhook.id)));
}

export async function insertSecrets(tx: Tx, rows: readonly NewSecretRow[]): Promise<void> {
  await tx.insert(webhookSecrets).values([...rows]);
}

/**
 * Webhooks of all accounts that have no secret to sign with, at most `limit`, locked. Concerns the
 * installation, so it takes no account.
 *
 * @returns also how many were found before the lock: another process may have given some of them one
 */
export async function lockWebhooksWithoutSecret(
  tx: Tx,
  limit: number,
): Promise<{ found: number; rows: Pick<WebhookRow, 'accountId' | 'id' | 'uuid' | 'name'>[] }> {
  const newestSecret = tx
    .select({ uuid: webhookSecrets.uuid })
    .from(webhookSecrets)
    .where(
      and(
        eq(webhookSecrets.accountId, webhooks.accountId),
        eq(webhookSecrets.webhookId, webhooks.id),
        isNull(webhookSecrets.validUntil),
      ),
    );
  const found = await tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(notExists(newestSecret))
    .orderBy(asc(webhooks.id))
    .limit(limit)
    .for('update');
  if (found.length === 0) return { found: 0, rows: [] };
  const ids = found.map(({ id }) => id);
  const { accountId, id, uuid, name } = getTableColumns(webhooks);
  const rows = await tx
    .select({ accountId, id, uuid, name })
    .from(webhooks)
    .where(and(inArray(webhooks.id, ids), notExists(newestSecret)))
    .orderBy(asc(webhooks.id));
  return { found: found.length, rows };
}

/** Lets the newest secret sign on until a moment; older ones keep theirs. */
export async function endNewestSecretAt(
  tx: Tx,
  webhook: WebhookRow,
  validUntil: Date,
): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ validUntil })
    .where(
      and(
        eq(webhookSecrets.accountId, webhook.accountId),
        eq(webhookSecrets.webhookId, webhook.id),
        isNull(webhookSecrets.validUntil),
      ),
    );
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
        eq(webhookSecrets.accountId, webhook.accountId),
        eq(webhookSecrets.webhookId, webhook.id),
        inArray(webhookSecrets.uuid, [...uuids]),
      ),
    );
}

/** Every stored secret of a webhook, sealed, newest first; ended ones included. */
export async function listSealedSecrets(tx: Db | Tx, webhook: WebhookRow): Promise<SecretRow[]> {
  return await tx
    .select()
    .from(webhookSecrets)
    .where(
      and(
        eq(webhookSecrets.accountId, webhook.accountId),
        eq(webhookSecrets.webhookId, webhook.id),
      ),
    )
    .orderBy(...newestFirst);
}

/**
 * Sealed secrets of all accounts, by uuid, locked. The one read of webhooks without an account: a
 * change of key concerns the installation, and nothing of it leaves.
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

/** Puts another secret in the place of one, which never signs again. */
export async function replaceSecret(
  tx: Tx,
  { accountId, webhookId, uuid }: SecretRow,
  secret: Pick<SecretRow, 'sealed' | 'revealedTo' | 'unconfirmedSince'>,
): Promise<void> {
  await tx
    .update(webhookSecrets)
    .set({ ...secret, unconfirmedMailedAt: null })
    .where(
      and(
        eq(webhookSecrets.accountId, accountId),
        eq(webhookSecrets.webhookId, webhookId),
        eq(webhookSecrets.uuid, uuid),
      ),
    );
}

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

/** An unconfirmed secret about which no mail was sent. */
export type UnmailedSecret = {
  webhook: Pick<WebhookRow, 'id' | 'uuid' | 'accountId' | 'name' | 'inactiveReason'>;
  revealedTo: SecretPeriod['revealedTo'];
  unconfirmedSince: Date;
};

/** Uuids of the newest secrets of webhooks of all accounts that nobody confirmed since they were shown. */
export async function listUnmailedSecrets(db: Db, shownBefore: Date): Promise<string[]> {
  const rows = await db
    .select({ uuid: webhookSecrets.uuid })
    .from(webhookSecrets)
    .where(isMailDue(shownBefore))
    .orderBy(asc(webhookSecrets.uuid));
  return rows.map(({ uuid }) => uuid);
}

/** Records that a mail is sent about a secret; null if it needs none any more, or another process sends it. */
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
      revealedTo: webhookSecrets.revealedTo,
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
    isInLivingAccount(webhookSecrets.accountId),
  );
}

export async function replaceSealedSecret(tx: Tx, uuid: string, sealed: Buffer): Promise<void> {
  await tx.update(webhookSecrets).set({ sealed }).where(eq(webhookSecrets.uuid, uuid));
}

function isReferred(accountId: AccountId, reference: ResourceReference) {
  return and(
    eq(webhooks.accountId, accountId),
    reference.kind === 'id' ? eq(webhooks.id, reference.id) : eq(webhooks.uuid, reference.uuid),
  );
}

function signsAt(now: Date) {
  return or(isNull(webhookSecrets.validUntil), gt(webhookSecrets.validUntil, now));
}
