import { and, desc, eq, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import type { RotationRequestState } from '#lib/contract/api-keys/rotation-reasons.ts';
import type { Role } from '#lib/contract/rights/roles.ts';
import type { Db } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import type { Searcher } from '../rules.ts';
import { accessOf, hasRole, isOpenTo, isOwnMembership } from './access.ts';

export type OwnRequestRow = Awaited<ReturnType<typeof findOwnRequests>>[number];

/** Filters for the requests. */
type Wanted = {
  /** The roles that are shown requests. */
  roles: readonly Role[];
  state: RotationRequestState | null;
  /** Uuids of requests that are stored as open but have expired. */
  overdue: readonly string[];
  before: { createdAt: Date; uuid: string } | null;
  limit: number;
};

/**
 * Requests that a person made in accounts that they can open, newest first, and those that were
 * withdrawn because an owner closed the account to installation support.
 */
export async function findOwnRequests(
  db: Db,
  searcher: Searcher,
  { roles, state, overdue, before, limit }: Wanted,
) {
  return await db
    .select({
      access: accessOf(searcher),
      uuid: rotationRequests.uuid,
      createdAt: rotationRequests.createdAt,
      canOpen: sql<boolean>`${isOpenTo(searcher)}`,
    })
    .from(rotationRequests)
    .innerJoin(accounts, eq(accounts.id, rotationRequests.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(
      and(
        eq(rotationRequests.requestedById, searcher.personId),
        isIn(state, overdue),
        before === null
          ? undefined
          : sql`(${rotationRequests.createdAt}, ${rotationRequests.uuid}) < (${before.createdAt}, ${before.uuid})`,
        or(isOpenTo(searcher), isWithdrawnByClosing(searcher)),
        hasRole(roles),
      ),
    )
    .orderBy(desc(rotationRequests.createdAt), desc(rotationRequests.uuid))
    .limit(limit);
}

function isWithdrawnByClosing({ isSupporter }: Searcher) {
  if (!isSupporter) return sql`false`;
  return and(
    eq(rotationRequests.closedBecause, 'closed_to_support'),
    eq(accounts.allowsInstallationSupport, false),
    isNull(accounts.deletedAt),
    isNull(members.role),
  );
}

function isIn(state: RotationRequestState | null, overdue: readonly string[]) {
  if (state === null) return undefined;
  const isStoredSo = eq(rotationRequests.state, state);
  if (overdue.length === 0) return isStoredSo;
  if (state === 'open') return and(isStoredSo, notInArray(rotationRequests.uuid, [...overdue]));
  return state === 'expired'
    ? or(isStoredSo, inArray(rotationRequests.uuid, [...overdue]))
    : isStoredSo;
}
