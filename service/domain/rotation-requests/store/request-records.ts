import { and, desc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { SupportAccess } from '#lib/contract/rights/member-rights.ts';
import type { MailPreference } from '#lib/contract/people/mail-preference-table.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts, supportAccess } from '../../../db/schema/people/accounts.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { members } from '../../../db/schema/people/members.ts';
import { people } from '../../../db/schema/people/people.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { webhooks } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import type { AccountId } from '../../account-id.ts';
import {
  keyTarget,
  webhookTarget,
  type RequestTarget,
  type RotationRequestRow,
} from './requests.ts';

/** A request with what it is about. */
export type RotationRequestRecord = {
  request: RotationRequestRow;
  /** The key to rotate; null for the acts on a webhook. */
  key: typeof apiKeys.$inferSelect | null;
  /** The last four of the key's newest token. */
  lastFour: string | null;
  /** The webhook of the other acts. */
  webhook: Pick<typeof webhooks.$inferSelect, 'accountId' | 'id' | 'uuid' | 'name'> | null;
  requestedBy: { id: string; name: string; email: string; turnedOffMails: MailPreference[] };
  /** Null if the person left the account, or is installation support. */
  requesterRole: Role | null;
  /** Whether the author is installation support, and the account allows that. */
  isOfInstallationSupport: boolean;
  member: { id: string; name: string; email: string };
  /** The role of the named member; null if they left the account. */
  memberRole: Role | null;
  support: SupportAccess;
};

export function targetOf({
  key,
  webhook,
}: Pick<RotationRequestRecord, 'key' | 'webhook'>): RequestTarget & { id: number; uuid: string } {
  if (key) return { ...keyTarget(key), id: key.id, uuid: key.uuid };
  if (webhook) return { ...webhookTarget(webhook), id: webhook.id, uuid: webhook.uuid };
  throw new Error('a request is about nothing');
}

export async function findRotationRequest(
  db: Db | Tx,
  accountId: AccountId,
  uuid: string,
): Promise<RotationRequestRecord | null> {
  const [record] = await selectRecords(db).where(
    columnsEqual(rotationRequests, { accountId, uuid }),
  );
  return record ?? null;
}

/** Open requests that a person made or that name them, and every report of a leak. */
export async function listOpenRequestsOf(
  db: Db,
  accountId: AccountId,
  { personId, now }: { personId: string; now: Date },
): Promise<RotationRequestRecord[]> {
  return await selectRecords(db)
    .where(
      and(
        columnsEqual(rotationRequests, { accountId, state: 'open' }),
        gt(rotationRequests.expiresAt, now),
        or(
          eq(rotationRequests.requestedById, personId),
          eq(rotationRequests.memberId, personId),
          eq(rotationRequests.reason, 'leaked'),
        ),
      ),
    )
    .orderBy(desc(rotationRequests.createdAt), desc(rotationRequests.uuid));
}

/** Requests stored as open, expired or not, that a person made or that name them. */
export async function listStoredOpenRequestsOf(
  tx: Tx,
  accountId: AccountId,
  personId: string,
): Promise<RotationRequestRecord[]> {
  return await selectRecords(tx)
    .where(
      and(
        columnsEqual(rotationRequests, { accountId, state: 'open' }),
        or(eq(rotationRequests.requestedById, personId), eq(rotationRequests.memberId, personId)),
      ),
    )
    .orderBy(rotationRequests.uuid)
    .for('update', { of: rotationRequests });
}

/**
 * A page of requests, newest first, plus one: all, or those of one person as requester or named
 * member and the reports of a leak.
 */
export async function listRequestRecords(
  db: Db,
  accountId: AccountId,
  page: {
    personId: string | null;
    before: { createdAt: Date; uuid: string } | null;
    limit: number;
  },
): Promise<RotationRequestRecord[]> {
  const { personId, before, limit } = page;
  return await selectRecords(db)
    .where(
      and(
        eq(rotationRequests.accountId, accountId),
        personId === null
          ? undefined
          : or(
              eq(rotationRequests.requestedById, personId),
              eq(rotationRequests.memberId, personId),
              eq(rotationRequests.reason, 'leaked'),
            ),
        before === null
          ? undefined
          : sql`(${rotationRequests.createdAt}, ${rotationRequests.uuid}) < (${before.createdAt}, ${before.uuid})`,
      ),
    )
    .orderBy(desc(rotationRequests.createdAt), desc(rotationRequests.uuid))
    .limit(limit);
}

export async function listRecordsOf(
  db: Db,
  { accountIds, uuids }: { accountIds: readonly AccountId[]; uuids: readonly string[] },
): Promise<RotationRequestRecord[]> {
  return await selectRecords(db).where(
    and(
      inArray(rotationRequests.accountId, [...accountIds]),
      inArray(rotationRequests.uuid, [...uuids]),
    ),
  );
}

/** Requests of these keys that are stored as open, expired or not, newest first. */
export async function listStoredOpenRequestsOfKeys(
  db: Db,
  { accountIds, keyIds }: { accountIds: readonly AccountId[]; keyIds: readonly number[] },
): Promise<RotationRequestRecord[]> {
  return await selectRecords(db)
    .where(
      and(
        inArray(rotationRequests.accountId, [...accountIds]),
        inArray(rotationRequests.apiKeyId, [...keyIds]),
        eq(rotationRequests.state, 'open'),
      ),
    )
    .orderBy(desc(rotationRequests.createdAt), desc(rotationRequests.uuid));
}

/** All requests that are stored as open, of all accounts: they end within 72 hours. */
export async function listEveryOpenRequest(db: Db): Promise<RotationRequestRecord[]> {
  return await selectRecords(db).where(eq(rotationRequests.state, 'open'));
}

export function selectRecords(db: Db | Tx) {
  const askers = alias(people, 'askers');
  const named = alias(people, 'named');
  return db
    .select({
      request: rotationRequests,
      key: apiKeys,
      lastFour: apiKeyTokens.lastFour,
      webhook: {
        accountId: webhooks.accountId,
        id: webhooks.id,
        uuid: webhooks.uuid,
        name: webhooks.name,
      },
      requestedBy: {
        id: askers.id,
        name: askers.name,
        email: askers.email,
        turnedOffMails: askers.turnedOffMails,
      },
      // A subquery in the row, because joins of this many tables take long to plan.
      requesterRole: sql<Role | null>`(select role from members where account_id = ${rotationRequests.accountId} and person_id = ${rotationRequests.requestedById})`,
      isOfInstallationSupport: sql<boolean>`${accounts.allowsInstallationSupport} and exists (select from installation_support where person_id = ${rotationRequests.requestedById})`,
      member: { id: named.id, name: named.name, email: named.email },
      memberRole: members.role,
      support: supportAccess,
    })
    .from(rotationRequests)
    .innerJoin(accounts, eq(accounts.id, rotationRequests.accountId))
    .leftJoin(
      apiKeys,
      columnsEqual(apiKeys, {
        accountId: rotationRequests.accountId,
        id: rotationRequests.apiKeyId,
      }),
    )
    .leftJoin(
      apiKeyTokens,
      and(
        columnsEqual(apiKeyTokens, { accountId: apiKeys.accountId, apiKeyId: apiKeys.id }),
        // Every token except the newest has an end.
        isNull(apiKeyTokens.validUntil),
      ),
    )
    .leftJoin(
      webhooks,
      columnsEqual(webhooks, {
        accountId: rotationRequests.accountId,
        id: rotationRequests.webhookId,
      }),
    )
    .innerJoin(askers, eq(askers.id, rotationRequests.requestedById))
    .innerJoin(named, eq(named.id, rotationRequests.memberId))
    .leftJoin(
      members,
      columnsEqual(members, {
        accountId: rotationRequests.accountId,
        personId: rotationRequests.memberId,
      }),
    )
    .$dynamic();
}
