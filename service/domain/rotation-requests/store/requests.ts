import { and, asc, desc, eq, inArray, or } from 'drizzle-orm';
import type {
  DeclineReason,
  RequestObstacle,
  RotationRequestState,
} from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import type { ActorReference } from '../../../db/schema/columns.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';

export type RotationRequestRow = typeof rotationRequests.$inferSelect;

/** What a request is about: a key, or a webhook. */
export type RequestTarget = Pick<RotationRequestRow, 'accountId' | 'apiKeyId' | 'webhookId'> & {
  name: string;
};

type NamedRow = { accountId: string; id: number; name: string };

export function keyTarget({ accountId, id, name }: NamedRow): RequestTarget {
  return { accountId, apiKeyId: id, webhookId: null, name };
}

export function webhookTarget({ accountId, id, name }: NamedRow): RequestTarget {
  return { accountId, apiKeyId: null, webhookId: id, name };
}

export function isAbout({ accountId, apiKeyId, webhookId }: Omit<RequestTarget, 'name'>) {
  return and(
    eq(rotationRequests.accountId, accountId),
    apiKeyId === null
      ? eq(rotationRequests.webhookId, webhookId ?? 0)
      : eq(rotationRequests.apiKeyId, apiKeyId),
  );
}

export async function insertRotationRequest(
  tx: Tx,
  row: typeof rotationRequests.$inferInsert,
): Promise<RotationRequestRow> {
  const [inserted] = await tx.insert(rotationRequests).values(row).returning();
  if (!inserted) throw new Error('an inserted rotation request was not returned');
  return inserted;
}

export async function lockRotationRequest(
  tx: Tx,
  accountId: AccountId,
  uuid: string,
): Promise<RotationRequestRow | null> {
  const [row] = await tx
    .select()
    .from(rotationRequests)
    .where(columnsEqual(rotationRequests, { accountId, uuid }))
    .for('update');
  return row ?? null;
}

/**
 * The requests about a key or webhook that are stored as open, expired or not: at most one report
 * of a leak from each person, and one other request for each act. They are locked in the order of
 * their uuids.
 */
export async function lockOpenRequests(
  tx: Tx,
  target: RequestTarget,
): Promise<RotationRequestRow[]> {
  return await tx
    .select()
    .from(rotationRequests)
    .where(and(isAbout(target), eq(rotationRequests.state, 'open')))
    .orderBy(asc(rotationRequests.uuid))
    .for('update');
}

/** The requests that the rotations at these moments fulfilled; each has the rotation's time. */
export async function listFulfilledRequests(
  tx: Tx,
  key: { accountId: string; id: number },
  rotatedAt: readonly Date[],
): Promise<RotationRequestRow[]> {
  return await tx
    .select()
    .from(rotationRequests)
    .where(
      and(
        columnsEqual(rotationRequests, {
          accountId: key.accountId,
          apiKeyId: key.id,
          state: 'done',
        }),
        inArray(rotationRequests.closedAt, [...rotatedAt]),
      ),
    )
    .orderBy(asc(rotationRequests.uuid));
}

/** How a request ended. `closedBy` is null if nobody closed it, because it expired. */
export type RequestClosing = {
  state: Exclude<RotationRequestState, 'open'>;
  closedAt: Date;
  closedBy: ActorReference | null;
  closedBecause?: RequestObstacle | null;
  declineReason?: DeclineReason;
  declineMessage?: string | null;
};

/** Ends a request, and marks that its outcome has to be emailed. */
export async function closeRequestRow(
  tx: Tx,
  request: RotationRequestRow,
  closing: RequestClosing,
): Promise<void> {
  await tx
    .update(rotationRequests)
    .set({ ...closing, isOutcomeMailPending: true })
    .where(columnsEqual(rotationRequests, { accountId: request.accountId, uuid: request.uuid }));
}

/** Uuids of the newest requests about the key or webhook with this uuid, up to `limit`. */
export async function listRequestUuids(
  db: Db,
  accountId: AccountId,
  { targetUuid, limit }: { targetUuid: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .select({ uuid: rotationRequests.uuid })
    .from(rotationRequests)
    .leftJoin(
      apiKeys,
      columnsEqual(apiKeys, {
        accountId: rotationRequests.accountId,
        id: rotationRequests.apiKeyId,
      }),
    )
    .leftJoin(
      webhooks,
      columnsEqual(webhooks, {
        accountId: rotationRequests.accountId,
        id: rotationRequests.webhookId,
      }),
    )
    .where(
      and(
        eq(rotationRequests.accountId, accountId),
        or(eq(apiKeys.uuid, targetUuid), eq(webhooks.uuid, targetUuid)),
      ),
    )
    .orderBy(desc(rotationRequests.createdAt))
    .limit(limit);
  return rows.map(({ uuid }) => uuid);
}
