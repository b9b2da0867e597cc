import { canSeeAllRequests } from '#lib/contract/api-keys/can-see-all-requests.ts';
import type { RotationRequest } from '#lib/contract/api-keys/rotation-requests.ts';
import { memberMay } from '#lib/contract/rights/member-rights.ts';
import {
  maxAttentionOfKind,
  type Attention,
  type AttentionItem,
} from '#lib/contract/support-desk/attention.ts';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/open.ts';
import { mintAccountId } from '../account-id.ts';
import type { SignedInPerson } from '../actor.ts';
import { excerptOf } from '../deliveries/describe-delivery.ts';
import { listFailuresOfWebhooks, type WebhookFailure } from '../deliveries/read-deliveries.ts';
import { readRotationRequests } from '../rotation-requests/read-requests.ts';
import { describeFound, rightsIn } from './describe-found.ts';
import { readSearcher } from './read-searcher.ts';
import { rolesThatMay, type Searcher } from './rules.ts';
import {
  listDeactivatedWebhooks,
  listExpiringKeys,
  listFailingWebhooks,
  listLeakReports,
  listUnansweredRequests,
  listUndeliverableEmails,
} from './store/attention.ts';
import { listLastUses } from './store/keys.ts';

/**
 * What needs attention in all accounts that a person can open, by urgency. It shows what a search
 * would: of an account that asks for a reason, no more than names, hosts and status codes. So it is
 * not recorded.
 *
 * @throws ServiceError UNAUTHORIZED if the session ended in the meantime
 */
export async function listAttention(
  ctx: Context,
  person: SignedInPerson,
  sessionToken: string,
): Promise<Attention> {
  const searcher = await readSearcher(ctx, person, sessionToken);
  const { now } = searcher;
  const after = (days: number) => new Date(now.getTime() + days * dayMs);
  const { db } = ctx;
  const shown = (act: Parameters<typeof rolesThatMay>[0]) => ({
    roles: rolesThatMay(act),
    limit: maxAttentionOfKind,
  });
  const keys = shown('api-keys.read');
  const hooks = shown('webhooks.read');
  const requests = shown('requests.make');
  const [leaks, deactivated, failing, unanswered, ending, emails, expiring] = await Promise.all([
    listLeakReports(db, searcher, requests),
    // Events are kept as long, and only until then can they be replayed.
    listDeactivatedWebhooks(db, searcher, { ...hooks, after: after(-ctx.config.retentionDays) }),
    listFailingWebhooks(db, searcher, hooks),
    listUnansweredRequests(db, searcher, requests),
    listExpiringKeys(db, searcher, { ...keys, after: now, until: after(1) }),
    listUndeliverableEmails(db, searcher, shown('team.read')),
    listExpiringKeys(db, searcher, { ...keys, after: after(1), until: after(7) }),
  ]);
  const facts = await readFacts(db, searcher, {
    requests: [...leaks, ...unanswered],
    webhooks: [...deactivated, ...failing],
    keys: [...ending, ...expiring],
  });
  return {
    as_of: formatApiTime(now),
    now: groupOf(
      listed(leaks, (row) => describeLeak(row, facts)),
      listed(deactivated, (row) => describeWebhook('webhook_deactivated', row, facts)),
      listed(failing, (row) => describeWebhook('webhook_failing', row, facts)),
    ),
    today: groupOf(
      listed(unanswered, (row) => describeRequest(row, facts, searcher)),
      listed(ending, (row) => describeKey(row, facts)),
      listed(emails, describeEmail),
    ),
    this_week: groupOf(listed(expiring, (row) => describeKey(row, facts))),
  };
}

type Listed = { total: number; items: AttentionItem[] };

/** Rows that ended since they were read are left out. */
function listed<Row extends { total: number }>(
  rows: readonly Row[],
  describe: (row: Row) => AttentionItem | null,
): Listed {
  const items = rows.flatMap((row) => describe(row) ?? []);
  return { items, total: (rows[0]?.total ?? 0) - (rows.length - items.length) };
}

function groupOf(...lists: readonly Listed[]): Listed {
  return {
    total: lists.reduce((sum, { total }) => sum + total, 0),
    items: lists.flatMap(({ items }) => items),
  };
}

type RequestRow = Awaited<ReturnType<typeof listLeakReports>>[number];
type WebhookRow = Awaited<ReturnType<typeof listFailingWebhooks>>[number];
type KeyRow = Awaited<ReturnType<typeof listExpiringKeys>>[number];
type EmailRow = Awaited<ReturnType<typeof listUndeliverableEmails>>[number];

/** What is read of all rows together. */
type Facts = {
  requests: ReadonlyMap<string, RotationRequest>;
  failures: ReadonlyMap<number, WebhookFailure>;
  lastUses: ReadonlyMap<number, { at: Date; ip: string | null }>;
};

async function readFacts(
  db: Db,
  { now }: Searcher,
  rows: { requests: RequestRow[]; webhooks: WebhookRow[]; keys: KeyRow[] },
): Promise<Facts> {
  const keyIds = [...rows.requests.map(({ keyId }) => keyId), ...rows.keys.map(({ id }) => id)];
  const [requests, failures, lastUses] = await Promise.all([
    readRotationRequests(db, {
      accountIds: rows.requests.map(({ access }) => mintAccountId(access.accountId)),
      uuids: rows.requests.map(({ uuid }) => uuid),
      now,
    }),
    listFailuresOfWebhooks(
      db,
      rows.webhooks.map(({ id }) => id),
    ),
    listLastUses(
      db,
      keyIds.filter((id) => id !== null),
    ),
  ]);
  return { requests, failures, lastUses };
}

function describeLeak({ access, uuid, keyId }: RequestRow, facts: Facts): AttentionItem | null {
  const request = facts.requests.get(uuid);
  if (!request) return null;
  const item = {
    kind: 'leak_reported' as const,
    request: uuid,
    target: targetOf(request),
    since: request.created_at,
  };
  return describeFound(access, item, () => ({
    asked: request.member.name,
    ...lastUseOf(keyId, facts),
  }));
}

function describeRequest(
  { access, uuid }: RequestRow,
  facts: Facts,
  { personId }: Searcher,
): AttentionItem | null {
  const request = facts.requests.get(uuid);
  if (request?.state !== 'open') return null;
  const item = {
    kind: 'request_open' as const,
    target: targetOf(request),
    since: request.created_at,
  };
  const isSeen =
    canSeeAllRequests(rightsIn(access).role) ||
    [request.requested_by.id, request.member.id].includes(personId);
  return describeFound(access, item, () => ({
    request: isSeen ? uuid : null,
    act: request.act,
    asked: isSeen ? request.member.name : null,
    reason: isSeen ? request.reason : null,
    expires_at: request.expires_at,
  }));
}

function targetOf({ act, target: { uuid, name } }: RotationRequest) {
  return { kind: act === 'rotate' ? ('api_key' as const) : ('webhook' as const), uuid, name };
}

function describeWebhook(
  kind: 'webhook_deactivated' | 'webhook_failing',
  { access, id, name, url, since }: WebhookRow,
  { failures }: Facts,
): AttentionItem | null {
  // It works again, or was deleted.
  if (since === null) return null;
  const failure = failures.get(id);
  const item = {
    kind,
    id,
    name,
    host: new URL(url).host,
    status_code: failure?.statusCode ?? null,
    since: formatApiTime(since),
  };
  return describeFound(access, item, () => ({
    error: failure?.errorMessage ?? null,
    body_excerpt: memberMay(rightsIn(access), 'error-texts.read')
      ? excerptOf(failure?.responseBody ?? '')
      : null,
    waiting: failure?.waiting ?? 0,
    next_attempt_at: failure?.nextAttemptAt ? formatApiTime(failure.nextAttemptAt) : null,
  }));
}

function describeKey(
  { access, id, uuid, name, expiresAt, responsible }: KeyRow,
  facts: Facts,
): AttentionItem | null {
  if (expiresAt === null) return null;
  const item = {
    kind: 'key_expiring' as const,
    uuid,
    name,
    expires_at: formatApiTime(expiresAt),
  };
  return describeFound(access, item, () => ({ ...lastUseOf(id, facts), responsible }));
}

function describeEmail({ access, id, name, ...row }: EmailRow): AttentionItem {
  const item = {
    kind: 'email_undeliverable' as const,
    id,
    name,
    since: formatApiTime(row.since),
  };
  return describeFound(access, item, () => ({
    email: row.email,
    status_code: row.refusal?.code ?? null,
    reply: row.refusal?.text ?? null,
    waiting: row.waiting,
  }));
}

function lastUseOf(keyId: number | null, { lastUses }: Facts) {
  const use = keyId === null ? undefined : lastUses.get(keyId);
  return {
    last_used_at: use ? formatApiTime(use.at) : null,
    last_used_ip: use?.ip ?? null,
  };
}
