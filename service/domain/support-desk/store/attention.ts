import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  isNotNull,
  isNull,
  lte,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { failingFrom } from '#lib/contract/webhooks/failing.ts';
import type { Db } from '../../../db/open.ts';
import { apiKeyTokens } from '../../../db/schema/api-keys/api-key-tokens.ts';
import { apiKeys } from '../../../db/schema/api-keys/api-keys.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { members } from '../../../db/schema/people/members.ts';
import { notices } from '../../../db/schema/people/notices.ts';
import { people } from '../../../db/schema/people/people.ts';
import { lanes } from '../../../db/schema/webhooks/lanes.ts';
import { webhooks, webhookSecrets } from '../../../db/schema/webhooks/webhooks.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { sqlInstant } from '../../../db/statements/instants.ts';
import type { MailRefusal } from '../../../mail/mail.ts';
import type { FindInput, Searcher } from '../rules.ts';
import { accessOf, hasRole, isOpenTo, isOwnMembership } from './access.ts';

/*
 * What needs attention in all accounts that a person can open. Each list is read from a partial
 * index that has only such rows, however many others there are.
 */

type ListInput = Pick<FindInput, 'roles' | 'limit'>;

/** How many rows there are without the limit. */
const total = sql`count(*) over ()`.mapWith(Number);

const webhookColumns = { id: webhooks.id, name: webhooks.name, url: webhooks.url };

/** Webhooks that are failing by the rule of `isFailing`, the longest first. */
export async function listFailingWebhooks(db: Db, searcher: Searcher, { roles, limit }: ListInput) {
  return await db
    .select({ access: accessOf(searcher), total, ...webhookColumns, since: lanes.failingSince })
    .from(lanes)
    .innerJoin(webhooks, eq(webhooks.id, lanes.webhookId))
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(isFailing(searcher), isOpenTo(searcher), hasRole(roles)))
    .orderBy(asc(lanes.failingSince), asc(webhooks.id))
    .limit(limit);
}

function isFailing({ now }: Searcher): SQL | undefined {
  const failingBefore = new Date(now.getTime() - failingFrom.ms);
  return and(
    isNotNull(lanes.failingSince),
    eq(webhooks.isActive, true),
    gt(lanes.failureCount, 0),
    or(
      gte(lanes.failureCount, failingFrom.attempts),
      lte(lanes.failingSince, sqlInstant(failingBefore)),
    ),
  );
}

function isDeactivated(after: Date): SQL | undefined {
  return and(
    sql`not ${webhooks.isActive} and ${webhooks.inactiveReason} not in ('setup', 'paused')`,
    gt(webhooks.inactiveSince, sqlInstant(after)),
  );
}

/** The accounts with the most webhooks that are failing or were deactivated after a moment. */
export async function listFailingAccounts(
  db: Db,
  searcher: Searcher,
  { roles, limit, deactivatedAfter }: ListInput & { deactivatedAfter: Date },
) {
  const none = sql<number>`0`;
  const ofAccount = { accountId: webhooks.accountId };
  const troubled = db
    .select({
      ...ofAccount,
      failing: sql<number>`1`.as('failing'),
      deactivated: none.as('deactivated'),
      failureCount: sql<number>`${lanes.failureCount}`.as('failure_count'),
    })
    .from(lanes)
    .innerJoin(webhooks, eq(webhooks.id, lanes.webhookId))
    .where(isFailing(searcher))
    .unionAll(
      db
        .select({
          ...ofAccount,
          failing: none.as('failing'),
          deactivated: sql<number>`1`.as('deactivated'),
          failureCount: none.as('failure_count'),
        })
        .from(webhooks)
        .where(isDeactivated(deactivatedAfter)),
    )
    .as('troubled');
  const sumOf = (column: SQL.Aliased<number>, name: string) =>
    sql<number>`sum(${column})`.mapWith(Number).as(name);
  const counted = db
    .select({
      accountId: troubled.accountId,
      failing: sumOf(troubled.failing, 'failing'),
      deactivated: sumOf(troubled.deactivated, 'deactivated'),
      failedAttempts: sumOf(troubled.failureCount, 'failed_attempts'),
    })
    .from(troubled)
    .groupBy(troubled.accountId)
    .as('counted');
  return await db
    .select({
      access: accessOf(searcher),
      total,
      failing: counted.failing,
      deactivated: counted.deactivated,
      failedAttempts: counted.failedAttempts,
      webhooks:
        sql`(select count(*) from ${webhooks} where ${webhooks.accountId} = ${accounts.id})`.mapWith(
          Number,
        ),
    })
    .from(counted)
    .innerJoin(accounts, eq(accounts.id, counted.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(isOpenTo(searcher), hasRole(roles)))
    .orderBy(
      desc(sql`${counted.failing} + ${counted.deactivated}`),
      desc(counted.failedAttempts),
      asc(accounts.id),
    )
    .limit(limit);
}

/** Webhooks that were deactivated after a moment, the latest first. */
export async function listDeactivatedWebhooks(
  db: Db,
  searcher: Searcher,
  { roles, limit, after }: ListInput & { after: Date },
) {
  return await db
    .select({ access: accessOf(searcher), total, ...webhookColumns, since: webhooks.inactiveSince })
    .from(webhooks)
    .innerJoin(accounts, eq(accounts.id, webhooks.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(isDeactivated(after), isOpenTo(searcher), hasRole(roles)))
    .orderBy(desc(webhooks.inactiveSince), desc(webhooks.id))
    .limit(limit);
}

/**
 * Reports of a leak, the latest first, while a token or secret still works that existed when it was
 * made, as `isLeakReportFinished` decides. The 72 hours of a request do not end a leak.
 */
export async function listLeakReports(db: Db, searcher: Searcher, input: ListInput) {
  const at = sqlInstant(searcher.now);
  const isLeaked = (table: typeof apiKeyTokens | typeof webhookSecrets, of: SQL, madeAt: SQL) =>
    sql`exists (select from ${table} where ${and(
      of,
      sql`${madeAt} <= ${rotationRequests.createdAt}`,
      or(isNull(table.validUntil), gt(table.validUntil, at)),
    )})`;
  const ofKey = sql`${apiKeyTokens.accountId} = ${rotationRequests.accountId} and ${apiKeyTokens.apiKeyId} = ${rotationRequests.apiKeyId}`;
  const ofWebhook = sql`${webhookSecrets.accountId} = ${rotationRequests.accountId} and ${webhookSecrets.webhookId} = ${rotationRequests.webhookId}`;
  const made = sql`coalesce(${apiKeyTokens.replacedUnusedAt}, ${apiKeyTokens.createdAt})`;
  return await selectRequests(db, searcher, {
    ...input,
    order: desc(rotationRequests.createdAt),
    condition: and(
      sql`${rotationRequests.state} in ('open', 'expired') and ${rotationRequests.reason} = 'leaked'`,
      isNull(apiKeys.revokedAt),
      or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, at)),
      or(
        isLeaked(apiKeyTokens, ofKey, made),
        isLeaked(webhookSecrets, ofWebhook, sql`${webhookSecrets.createdAt}`),
      ),
    ),
  });
}

/** Open requests except reports of a leak, those that expire first at the beginning. */
export async function listUnansweredRequests(db: Db, searcher: Searcher, input: ListInput) {
  return await selectRequests(db, searcher, {
    ...input,
    order: asc(rotationRequests.createdAt),
    condition: and(
      sql`${rotationRequests.state} = 'open' and ${rotationRequests.reason} <> 'leaked'`,
      gt(rotationRequests.expiresAt, sqlInstant(searcher.now)),
    ),
  });
}

async function selectRequests(
  db: Db,
  searcher: Searcher,
  { roles, limit, order, condition }: ListInput & { order: SQL; condition: SQL | undefined },
) {
  return await db
    .select({
      access: accessOf(searcher),
      total,
      uuid: rotationRequests.uuid,
      keyId: rotationRequests.apiKeyId,
    })
    .from(rotationRequests)
    .innerJoin(accounts, eq(accounts.id, rotationRequests.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .leftJoin(
      apiKeys,
      columnsEqual(apiKeys, {
        accountId: rotationRequests.accountId,
        id: rotationRequests.apiKeyId,
      }),
    )
    .where(and(condition, isOpenTo(searcher), hasRole(roles)))
    .orderBy(order, asc(rotationRequests.uuid))
    .limit(limit);
}

/** Keys that expire after one moment and until another, the first to expire first. */
export async function listExpiringKeys(
  db: Db,
  searcher: Searcher,
  { roles, limit, after, until }: ListInput & { after: Date; until: Date },
) {
  return await db
    .select({
      access: accessOf(searcher),
      total,
      id: apiKeys.id,
      uuid: apiKeys.uuid,
      name: apiKeys.name,
      responsible: apiKeys.responsibleName,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(
      and(
        // As in the index. The third announcement is made after the key has expired.
        sql`${apiKeys.revokedAt} is null and ${apiKeys.expiryNotices} < 3`,
        gt(apiKeys.expiresAt, sqlInstant(after)),
        lte(apiKeys.expiresAt, sqlInstant(until)),
        isOpenTo(searcher),
        hasRole(roles),
      ),
    )
    .orderBy(asc(apiKeys.expiresAt), asc(apiKeys.id))
    .limit(limit);
}

/** Members to whom an email could not be delivered, and none since; the longest first. */
export async function listUndeliverableEmails(
  db: Db,
  searcher: Searcher,
  { roles, limit }: ListInput,
) {
  const { accountId, personId, undeliverableSince, refusal, mail } = notices;
  const recipient = db
    .select({
      accountId,
      personId,
      since: sql`min(${undeliverableSince})`.mapWith(undeliverableSince).as('since'),
      latest:
        sql<MailRefusal | null>`(array_agg(${refusal} order by ${undeliverableSince} desc) filter (where ${refusal} is not null))[1]`.as(
          'latest',
        ),
      waiting: sql`count(${mail})`.mapWith(Number).as('waiting'),
    })
    .from(notices)
    .where(isNotNull(undeliverableSince))
    .groupBy(accountId, personId)
    .as('recipient');
  const membership = alias(members, 'membership');
  return await db
    .select({
      access: accessOf(searcher),
      total,
      id: people.id,
      name: people.name,
      email: people.email,
      since: recipient.since,
      refusal: recipient.latest,
      waiting: recipient.waiting,
    })
    .from(recipient)
    .innerJoin(
      membership,
      columnsEqual(membership, { accountId: recipient.accountId, personId: recipient.personId }),
    )
    .innerJoin(people, eq(people.id, membership.personId))
    .innerJoin(accounts, eq(accounts.id, membership.accountId))
    .leftJoin(members, isOwnMembership(searcher))
    .where(and(isOpenTo(searcher), hasRole(roles)))
    .orderBy(asc(recipient.since), asc(people.id))
    .limit(limit);
}
