import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
} from 'drizzle-orm';
import type { AnyColumn, SQL } from 'drizzle-orm';
import type { Role } from '#lib/contract/roles.ts';
import type { Db } from '../../db/open.ts';
import {
  accounts,
  apiKeys,
  apiKeyTokens,
  installationSupport,
  lanes,
  members,
  people,
  supportVisits,
  webhooks,
} from '../../db/schema.ts';
import type { DeskSearch } from './rules.ts';
import type { Searcher } from './searcher.ts';

// The one store that reads many accounts at a time: of each query, `isOpenTo` decides which.

export type FoundAccountRow = Awaited<ReturnType<typeof findAccounts>>[number];
export type FoundKeyRow = Awaited<ReturnType<typeof findKeys>>[number];

export type FoundTokenRow = Awaited<ReturnType<typeof listTokens>>[number];

/** Whether somebody supports every account that allows it. */
export async function isSupporter(db: Db, personId: string): Promise<boolean> {
  const rows = await db
    .select({ personId: installationSupport.personId })
    .from(installationSupport)
    .where(eq(installationSupport.personId, personId));
  return rows.length > 0;
}

/** What decides what a person may do in an account, of which each row of a search has one. */
const access = {
  accountId: accounts.id,
  accountName: accounts.name,
  role: members.role,
  supportTokens: accounts.supportTokens,
  supportPayloads: accounts.supportPayloads,
  installationSupportTokens: accounts.installationSupportTokens,
  installationSupportPayloads: accounts.installationSupportPayloads,
};

function isOwnMembership({ personId }: Searcher): SQL | undefined {
  return and(eq(members.accountId, accounts.id), eq(members.personId, personId));
}

/**
 * Whether the person can open an account, as `findPerson` and `authorize` decide it of one: it is not
 * being deleted, they belong to it or support it, its sessions last this long, and they have the
 * second factor that it requires.
 */
function isOpenTo({
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

function contains(column: AnyColumn, text: string): SQL {
  return sql`strpos(lower(${column}), lower(${text}::text)) > 0`;
}

export async function countOpenAccounts(db: Db, searcher: Searcher): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(isOpenTo(searcher));
  return row?.total ?? 0;
}

/** Those that a person used last, as a member or as installation support, the latest first. */
export async function listRecentAccounts(
  db: Db,
  searcher: Searcher,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  const lastVisit = sql`(select max(${supportVisits.openedAt}) from ${supportVisits} where ${supportVisits.personId} = ${searcher.personId} and ${supportVisits.accountId} = ${accounts.id})`;
  const lastUse = sql`greatest(${members.lastSeenAt}, ${lastVisit})`;
  const visited = db
    .select({ id: supportVisits.accountId })
    .from(supportVisits)
    .where(eq(supportVisits.personId, searcher.personId));
  return await db
    .select({ id: accounts.id, name: accounts.name })
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(
      and(isOpenTo(searcher), or(isNotNull(members.lastSeenAt), inArray(accounts.id, visited))),
    )
    .orderBy(desc(lastUse), asc(accounts.id))
    .limit(limit);
}

export async function findAccounts(
  db: Db,
  searcher: Searcher,
  { search, limit }: { search: DeskSearch; limit: number },
) {
  const { text, uuid } = search;
  const match =
    uuid !== null
      ? eq(accounts.id, uuid)
      : text !== null
        ? contains(accounts.name, text)
        : undefined;
  if (!match) return [];
  return await db
    .select(access)
    .from(accounts)
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(match, isOpenTo(searcher)))
    .orderBy(sql`lower(${accounts.name})`, asc(accounts.id))
    .limit(limit);
}

/** Keys, those that are alive first, and of these the newest. */
export async function findKeys(
  db: Db,
  searcher: Searcher,
  about: { search: DeskSearch; roles: readonly Role[]; limit: number },
) {
  const { text, uuid, id, lastFour } = about.search;
  const match = or(
    uuid === null ? undefined : eq(apiKeys.uuid, uuid),
    id === null ? undefined : eq(apiKeys.id, id),
    text === null || uuid !== null ? undefined : contains(apiKeys.name, text),
    lastFour === null
      ? undefined
      : inArray(
          apiKeys.id,
          db
            .select({ id: apiKeyTokens.apiKeyId })
            .from(apiKeyTokens)
            .where(sql`lower(${apiKeyTokens.lastFour}) = lower(${lastFour}::text)`),
        ),
  );
  return match ? await selectKeys(db, searcher, { ...about, match }) : [];
}

/** The key to which the token with this digest belongs, and that token's id. */
export async function findKeyByDigest(
  db: Db,
  searcher: Searcher,
  { digest, roles }: { digest: Buffer; roles: readonly Role[] },
): Promise<{ key: FoundKeyRow; tokenId: number } | null> {
  const [token] = await db
    .select({ id: apiKeyTokens.id, apiKeyId: apiKeyTokens.apiKeyId })
    .from(apiKeyTokens)
    .where(eq(apiKeyTokens.digest, digest));
  if (!token) return null;
  const match = eq(apiKeys.id, token.apiKeyId);
  const [key] = await selectKeys(db, searcher, { match, roles, limit: 1 });
  return key ? { key, tokenId: token.id } : null;
}

async function selectKeys(
  db: Db,
  searcher: Searcher,
  about: { match: SQL; roles: readonly Role[]; limit: number },
) {
  const { match, roles, limit } = about;
  const at = sql`${searcher.now.toISOString()}::timestamptz`;
  const isEnded = or(isNotNull(apiKeys.revokedAt), lte(apiKeys.expiresAt, at));
  return await db
    .select({
      access,
      id: apiKeys.id,
      uuid: apiKeys.uuid,
      name: apiKeys.name,
      type: apiKeys.type,
      scopes: apiKeys.scopes,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(match, isOpenTo(searcher), hasRole(roles)))
    .orderBy(asc(sql`coalesce(${isEnded}, false)`), desc(apiKeys.id))
    .limit(limit);
}

/** Installation support has the role support where it does not belong to the account. */
function hasRole(roles: readonly Role[]): SQL | undefined {
  return or(
    inArray(members.role, [...roles]),
    roles.includes('support') ? isNull(members.role) : undefined,
  );
}

/** Every token of keys that a search found, valid or not, the newest first. */
export async function listTokens(db: Db, keys: readonly FoundKeyRow[]) {
  if (keys.length === 0) return [];
  return await db
    .select({
      id: apiKeyTokens.id,
      apiKeyId: apiKeyTokens.apiKeyId,
      lastFour: apiKeyTokens.lastFour,
      validUntil: apiKeyTokens.validUntil,
      lastUsedAt: apiKeyTokens.lastUsedAt,
      lastUsedIp: apiKeyTokens.lastUsedIp,
    })
    .from(apiKeyTokens)
    .where(
      and(
        inArray(apiKeyTokens.accountId, [...new Set(keys.map((key) => key.access.accountId))]),
        inArray(
          apiKeyTokens.apiKeyId,
          keys.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(desc(isNull(apiKeyTokens.validUntil)), desc(apiKeyTokens.id));
}

export async function findWebhooks(
  db: Db,
  searcher: Searcher,
  about: { search: DeskSearch; roles: readonly Role[]; limit: number },
) {
  const { text, uuid, id } = about.search;
  const match = or(
    uuid === null ? undefined : eq(webhooks.uuid, uuid),
    id === null ? undefined : eq(webhooks.id, id),
    text === null || uuid !== null
      ? undefined
      : or(contains(webhooks.name, text), contains(webhooks.url, text)),
  );
  if (!match) return [];
  return await db
    .select({
      access,
      id: webhooks.id,
      name: webhooks.name,
      url: webhooks.url,
      isActive: webhooks.isActive,
      inactiveReason: webhooks.inactiveReason,
      failingSince: lanes.failingSince,
      lastTriggeredAt: lanes.lastTriggeredAt,
    })
    .from(webhooks)
    .innerJoin(lanes, eq(lanes.webhookId, webhooks.id))
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(match, isOpenTo(searcher), hasRole(about.roles)))
    .orderBy(desc(webhooks.id))
    .limit(about.limit);
}

/** Somebody who belongs to two accounts is found in both. */
export async function findPeople(
  db: Db,
  searcher: Searcher,
  about: { search: DeskSearch; roles: readonly Role[]; limit: number },
) {
  const { text } = about.search;
  if (text === null) return [];
  const found = db
    .select({
      personId: sql<string>`${people.id}`.as('found_id'),
      name: people.name,
      email: people.email,
      accountId: sql<string>`${members.accountId}`.as('found_account'),
      role: sql<Role>`${members.role}`.as('found_role'),
      lastSeenAt: sql`${members.lastSeenAt}`.mapWith(members.lastSeenAt).as('found_seen'),
    })
    .from(people)
    .innerJoin(members, eq(members.personId, people.id))
    .where(or(contains(people.name, text), contains(people.email, text), eq(people.id, text)))
    .as('found');
  return await db
    .select({
      access,
      id: found.personId,
      name: found.name,
      email: found.email,
      role: found.role,
      lastSeenAt: found.lastSeenAt,
    })
    .from(found)
    .innerJoin(accounts, eq(accounts.id, found.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(isOpenTo(searcher), hasRole(about.roles)))
    .orderBy(asc(found.name), asc(found.personId), asc(accounts.id))
    .limit(about.limit);
}

/** Of these accounts, those for which the person gave a reason in this session that still counts. */
export async function listOpenVisits(
  db: Db,
  { personId, sessionId, now }: Searcher,
  accountIds: readonly string[],
): Promise<Set<string>> {
  if (accountIds.length === 0) return new Set();
  const rows = await db
    .select({ accountId: supportVisits.accountId })
    .from(supportVisits)
    .where(
      and(
        eq(supportVisits.personId, personId),
        inArray(supportVisits.accountId, [...accountIds]),
        eq(supportVisits.sessionId, sessionId),
        gt(supportVisits.endsAt, now),
      ),
    );
  return new Set(rows.map(({ accountId }) => accountId));
}
