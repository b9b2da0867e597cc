import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import type { Role } from '#lib/contract/rights/roles.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { supportVisits } from '../../../db/schema/people/support.ts';
import type { DeskSearch, Searcher } from '../rules.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import { isUuid } from '../../resource-reference.ts';

// Searches read many accounts at the same time: `isOpenTo` decides for each of them.

/** The columns of each row that decide what a person sees of an account and may do there. */
export function accessOf(searcher: Searcher) {
  return {
    accountId: accounts.id,
    accountName: accounts.name,
    role: members.role,
    needsReason: sql<boolean>`not ${isOpened(searcher)}`,
    supportTokens: accounts.supportTokens,
    supportPayloads: accounts.supportPayloads,
    supportErrorTexts: accounts.supportErrorTexts,
    installationSupportTokens: accounts.installationSupportTokens,
    installationSupportPayloads: accounts.installationSupportPayloads,
    installationSupportErrorTexts: accounts.installationSupportErrorTexts,
  };
}

/** Whether the person belongs to the account, or gave a reason in this session that still counts. */
export function isOpened({ personId, sessionId, now }: Searcher): SQL {
  return sql`(${members.role} is not null or exists (select from ${supportVisits} where ${and(
    columnsEqual(supportVisits, { personId, accountId: accounts.id, sessionId }),
    gt(supportVisits.endsAt, now),
  )}))`;
}

export function isOwnMembership({ personId }: Searcher): SQL | undefined {
  return columnsEqual(members, { accountId: accounts.id, personId });
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

export function contains(column: AnyColumn | SQL, text: string): SQL {
  return sql`strpos(lower(${column}), lower(${text}::text)) > 0`;
}

/** Whether the search is in all accounts, or in this one. */
export function isSearched({ account }: DeskSearch): SQL | undefined {
  if (account === null) return undefined;
  return isUuid(account) ? eq(accounts.id, account) : contains(accounts.name, account);
}

/**
 * Whether each word is a part of what is searched or of its account's name, and at least one of
 * what is searched.
 */
export function hasWords(words: readonly string[], isIn: (word: string) => SQL | undefined) {
  if (words.length === 0) return sql`false`;
  return and(
    or(...words.map(isIn)),
    ...words.map((word) => or(isIn(word), contains(accounts.name, word))),
  );
}

/** Sorts what has exactly the name that was searched for first, then what has some words of it. */
export function equalNamesFirst(name: AnyColumn, words: readonly string[]): SQL[] {
  if (words.length === 0) return [];
  return [
    desc(sql`lower(${name}) = lower(${words.join(' ')}::text)`),
    desc(hasEqualName(name, words)),
  ];
}

/** Whether successive words of the search, and nothing else, are the name. */
export function hasEqualName(name: AnyColumn, words: readonly string[]): SQL {
  const names = words.flatMap((_, from) =>
    words.slice(from, from + longestName).map((_word, at) => words.slice(from, from + at + 1)),
  );
  return sql`lower(${name}) in ${names.map((each) => sql`lower(${each.join(' ')}::text)`)}`;
}

/** In words. Without a limit, a search of a hundred letters would look for thousands of names. */
const longestName = 8;

/** Installation support has the role support in accounts to which it does not belong. */
export function hasRole(roles: readonly Role[]): SQL | undefined {
  return or(
    inArray(members.role, [...roles]),
    roles.includes('support') ? isNull(members.role) : undefined,
  );
}
