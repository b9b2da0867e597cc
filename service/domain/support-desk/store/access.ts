import { and, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import type { Searcher } from '../searcher.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';

// Searches read many accounts at once: `isOpenTo` decides for each of them.

/** The columns that decide what a person may do in an account; each row of a search has them. */
export const access = {
  accountId: accounts.id,
  accountName: accounts.name,
  role: members.role,
  supportTokens: accounts.supportTokens,
  supportPayloads: accounts.supportPayloads,
  supportErrorTexts: accounts.supportErrorTexts,
  installationSupportTokens: accounts.installationSupportTokens,
  installationSupportPayloads: accounts.installationSupportPayloads,
  installationSupportErrorTexts: accounts.installationSupportErrorTexts,
};

export function isOwnMembership({ personId }: Searcher): SQL | undefined {
  return and(eq(members.accountId, accounts.id), eq(members.personId, personId));
}

/**
 * Whether the person can open an account, by the same rules as `findPerson` and `authorize`: it is
 * not being deleted, they belong to it or support it, their session is not older than it allows,
 * and they have the second factor that it requires.
 */
export function isOpenTo({
  isSupporter: supports,
  hasFactor,
  sessionBegan,
  now,
}: Searcher): SQL | undefined {
  const at = sqlInstant(now);
  return and(
    isNull(accounts.deletedAt),
    or(
      isNotNull(members.role),
      supports ? eq(accounts.allowsInstallationSupport, true) : undefined,
    ),
    hasFactor
      ? undefined
      : or(isNull(accounts.secondFactorRequiredFrom), gt(accounts.secondFactorRequiredFrom, at)),
    sql`${sqlInstant(sessionBegan)} + make_interval(hours => ${accounts.sessionHours}) > ${at}`,
  );
}

export function contains(column: AnyColumn, text: string): SQL {
  return sql`strpos(lower(${column}), lower(${text}::text)) > 0`;
}

/** Installation support has the role support in accounts to which it does not belong. */
export function hasRole(roles: readonly Role[]): SQL | undefined {
  return or(
    inArray(members.role, [...roles]),
    roles.includes('support') ? isNull(members.role) : undefined,
  );
}
