import { and, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Db, Tx } from '../../../db/open.ts';
import { accounts } from '../../../db/schema/people/accounts.ts';
import { rotationRequests } from '../../../db/schema/api-keys/rotation-requests.ts';
import { columnsEqual } from '../../../db/statements/columns-equal.ts';
import { selectRecords } from './request-records.ts';
import type { RotationRequestRecord } from './request-records.ts';
import { isAbout, type RequestTarget, type RotationRequestRow } from './requests.ts';

/**
 * Makes transactions that email about the requests of one key or webhook wait for each other. This
 * lock is taken after those of the target and its requests.
 */
export async function lockRequestMails(
  tx: Tx,
  { apiKeyId, webhookId }: Pick<RequestTarget, 'apiKeyId' | 'webhookId'>,
): Promise<void> {
  const name = apiKeyId === null ? `webhook:${webhookId}` : String(apiKeyId);
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`rotation_request_mails:${name}`}, 0))`,
  );
}

const isHeldLeakReport = and(
  eq(rotationRequests.reason, 'leaked'),
  isNull(rotationRequests.mailedAt),
);

/** The keys and webhooks of leak reports that were not emailed, of accounts that remain. */
export async function listTargetsOfHeldLeakReports(db: Db): Promise<Omit<RequestTarget, 'name'>[]> {
  const { accountId, apiKeyId, webhookId } = rotationRequests;
  return await db
    .selectDistinct({ accountId, apiKeyId, webhookId })
    .from(rotationRequests)
    .innerJoin(accounts, eq(accounts.id, accountId))
    .where(and(isHeldLeakReport, isNull(accounts.deletedAt)));
}

/** Those reports about one of them, latest first. */
export async function listHeldLeakReports(
  tx: Tx,
  target: Omit<RequestTarget, 'name'>,
): Promise<RotationRequestRecord[]> {
  return await selectRecords(tx)
    .where(and(isAbout(target), isHeldLeakReport))
    .orderBy(desc(rotationRequests.createdAt), desc(rotationRequests.uuid));
}

/** Records that these reports were emailed. */
export async function recordLeakMails(
  tx: Tx,
  { target, at }: { target: Omit<RequestTarget, 'name'>; at: Date },
): Promise<void> {
  await tx
    .update(rotationRequests)
    .set({ mailedAt: at })
    .where(and(isAbout(target), isHeldLeakReport));
}

/** How many reports of a leak were emailed after `since`. */
export async function countLeakMails(
  tx: Tx,
  { target, since }: { target: RequestTarget; since: Date },
): Promise<number> {
  const isMailedLeak = and(
    isAbout(target),
    eq(rotationRequests.reason, 'leaked'),
    isNotNull(rotationRequests.mailedAt),
    gt(rotationRequests.mailedAt, since),
  );
  return await tx.$count(rotationRequests, isMailedLeak);
}

/** Emails that a person got about requests since: as the named member, and about outcomes. */
export async function countRequestMails(
  tx: Tx,
  { target, personId, since }: { target: RequestTarget; personId: string; since: Date },
): Promise<number> {
  const rows = await tx
    .select({
      isAsked: sql<boolean>`${rotationRequests.memberId} = ${personId} and ${rotationRequests.mailedAt} > ${since}`,
      isTold: sql<boolean>`${rotationRequests.outcomeMailedTo} = ${personId} and ${rotationRequests.outcomeMailedAt} > ${since}`,
    })
    .from(rotationRequests)
    .where(
      and(
        isAbout(target),
        or(gt(rotationRequests.mailedAt, since), gt(rotationRequests.outcomeMailedAt, since)),
      ),
    );
  return rows.reduce((sum, { isAsked, isTold }) => sum + Number(isAsked) + Number(isTold), 0);
}

/** Some requests, of all accounts that are not being deleted, whose outcome has to be emailed. */
export async function listRequestsWithUnsentOutcome(
  db: Db,
  limit: number,
): Promise<{ accountId: string; uuid: string }[]> {
  return await db
    .select({ accountId: rotationRequests.accountId, uuid: rotationRequests.uuid })
    .from(rotationRequests)
    .innerJoin(accounts, eq(accounts.id, rotationRequests.accountId))
    .where(and(sql`owes_outcome`, isNull(accounts.deletedAt)))
    .limit(limit);
}

/** Records who got the email about a request's outcome, or that nobody does (`to` null). */
export async function recordOutcomeMail(
  tx: Tx,
  request: RotationRequestRow,
  mailed: { to: string | null; at: Date },
): Promise<void> {
  await tx
    .update(rotationRequests)
    .set({
      isOutcomeMailPending: false,
      ...(mailed.to !== null && { outcomeMailedAt: mailed.at, outcomeMailedTo: mailed.to }),
    })
    .where(columnsEqual(rotationRequests, { accountId: request.accountId, uuid: request.uuid }));
}
