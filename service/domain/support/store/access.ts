import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import type { Role } from '#lib/contract/roles.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import type { Searcher } from '../searcher.ts';

// Searches read many accounts at a time: of each, `isOpenTo` decides whether.

/** What decides what a person may do in an account, of which each row of a search has one. */
export const access = {
  accountId: accounts.id,
  accountName: accounts.name,
  role: members.role,
  supportTokens: accounts.supportTokens,
  supportPayloads: accounts.supportPayloads,
  installationSupportTokens: accounts.installationSupportTokens,
  installationSupportPayloads: accounts.installationSupportPayloads,
};

export function isOwnMembership({ personId }: Searcher): SQL | undefined {
  return and(eq(members.accountId, accounts.id), eq(members.personId, personId));
}

/**
 * Whether the person can open an account, as `findPerson` and `authorize` decide it of one: it is not
 * being deleted, they belong to it or support it, its sessions last this long, and they have the
 * second factor that it requires.
 */
export function isOpenTo({
  isSupporter: supports,
  hasFactor,
  sessionBegan,
  now,
}: Searcher): SQL | undefined {
  const at = sql`${now.toISOString()}::timestamptz`;
  return and(
    isNull(accounts.deletedAt),
    or(
      isNotNull(members.role),
      supports ? eq(accounts.allowsInstallationSupport, true) : undefined,
    ),
    hasFactor
      ? undefined
      : or(isNull(accounts.secondFactorRequiredFrom), gt(accounts.secondFactorRequiredFrom, at)),
    sql`${sessionBegan.toISOString()}::timestamptz + make_interval(hours => ${accounts.sessionHours}) > ${at}`,
  );
}

export function contains(column: AnyColumn, text: string): SQL {
  return sql`strpos(lower(${column}), lower(${text}::text)) > 0`;
}

/** Installation support has the role support where it does not belong to the account. */
export function hasRole(roles: readonly Role[]): SQL | undefined {
  return or(
    inArray(members.role, [...roles]),
    roles.includes('support') ? isNull(members.role) : undefined,
  );
}
