import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { DatedToken } from '../../effects.ts';

/** The tokens of a key that are valid at `now`; the newest, which has no end, comes first. */
export async function listValidTokens(
  db: Db | Tx,
  key: { accountId: string; id: number },
  now: Date,
): Promise<(DatedToken & { createdBy: ActorReference; shownTo: ActorReference | null })[]> {
  const { createdAt, createdBy, replacedUnusedAt, shownTo } = apiKeyTokens;
  return await db
    .select({ createdAt, createdBy, replacedUnusedAt, shownTo })
    .from(apiKeyTokens)
    .where(
      and(
        columnsEqual(apiKeyTokens, { accountId: key.accountId, apiKeyId: key.id }),
        or(isNull(apiKeyTokens.validUntil), gt(apiKeyTokens.validUntil, now)),
      ),
    )
    .orderBy(desc(isNull(apiKeyTokens.validUntil)));
}

/** The secrets of a webhook that sign at `now`, as `listValidTokens` lists tokens. */
export async function listSigningSecrets(
  db: Db | Tx,
  webhook: { accountId: string; id: number },
  now: Date,
): Promise<(DatedToken & { shownTo: ActorReference | null })[]> {
  const { createdAt, shownTo, validUntil } = webhookSecrets;
  const rows = await db
    .select({ createdAt, shownTo })
    .from(webhookSecrets)
    .where(
      and(
        columnsEqual(webhookSecrets, { accountId: webhook.accountId, webhookId: webhook.id }),
        or(isNull(validUntil), gt(validUntil, now)),
      ),
    )
    .orderBy(desc(isNull(validUntil)));
  return rows.map((row) => ({ ...row, replacedUnusedAt: null }));
}

/**
 * Makes concurrent revocations of one person wait for each other, in all accounts, so that the
 * limit is never exceeded. This lock is taken after those of the key and its request, and by no
 * transaction that holds further locks.
 */
export async function lockLeakRevocations(tx: Tx, personId: string): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`leak_revocations:${personId}`}, 0))`,
  );
}

/** When a person revoked keys that they reported as leaked, in all accounts, latest first. */
export async function listLeakRevocationsOf(
  db: Db | Tx,
  { personId, since }: { personId: string; since: Date },
): Promise<Date[]> {
  const rows = await db
    .select({ closedAt: rotationRequests.closedAt })
    .from(rotationRequests)
    .where(
      and(
        eq(rotationRequests.requestedById, personId),
        eq(rotationRequests.reason, 'leaked'),
        eq(rotationRequests.state, 'revoked'),
        sql`${rotationRequests.closedBy} ->> 'id' = ${personId}`,
        gt(rotationRequests.closedAt, since),
      ),
    )
    .orderBy(desc(rotationRequests.closedAt));
  return rows.flatMap(({ closedAt }) => closedAt ?? []);
}
