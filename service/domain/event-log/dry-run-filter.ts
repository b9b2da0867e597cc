import type { z } from 'zod';
import {
  maxDryRunEvents,
  type dryRunFilter as contract,
  type FilterDryRun,
} from '#lib/contract/webhooks/filter-dry-runs.ts';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import { dayMs } from '#lib/durations.ts';
import { formatApiTime } from '#lib/time.ts';
import type { Context } from '../../context.ts';
import { limitKeyOf, type Actor } from '../actor.ts';
import { excerptOf } from '../deliveries/describe-delivery.ts';
import { evaluateFilters } from '../events/apply-filters.ts';
import type { FilterResult } from '../events/filter.ts';
import { mayReadPayload } from '../events/may-read-payload.ts';
import { refuseOverLimit } from '../refuse-over-limit.ts';
import { findWebhook } from '../webhooks/read-webhooks.ts';
import { listEventsById, listNewestEvents, type EventRow } from './store.ts';

const maxExamples = 3;

/** So few that their payloads fit into memory. */
const eventsAtOnce = 100;

/**
 * What a filter would do, tried on the newest events of the last 24 hours.
 * @throws ServiceError NOT_FOUND for the webhook to compare with; RATE_LIMIT_EXCEEDED beyond 60 dry
 *   runs of the caller in a minute
 */
export async function dryRunFilter(
  ctx: Context,
  actor: Actor,
  { filter, events: types, webhook: id }: z.output<typeof contract.body>,
): Promise<FilterDryRun> {
  const webhook = id === undefined ? null : await findWebhook(ctx, actor, { webhook: String(id) });
  await refuseOverLimit(ctx, [{ limit: 'filter-dry-run', key: limitKeyOf(actor) }]);
  const run: FilterDryRun = {
    is_limited: false,
    total: 0,
    sent: 0,
    not_evaluated: 0,
    in_force: webhook && { sent: 0, newly_sent: 0, no_longer_sent: 0 },
    examples: { sent: [], not_sent: [], newly_sent: [], no_longer_sent: [] },
  };
  return await ctx.heavyReads.run(actor.accountId, async () => {
    const since = new Date(ctx.clock.now().getTime() - dayMs);
    const limit = maxDryRunEvents + 1;
    const newest = await listNewestEvents(ctx.db, actor.accountId, { since, limit });
    const tried = newest.slice(0, maxDryRunEvents).filter(({ type, aboutWebhookId }) => {
      const isChosen = types.some((chosen) => chosen === type);
      const isAboutItself = webhook !== null && aboutWebhookId === webhook.id;
      return isChosen && !isAboutItself && mayReadPayload(actor, type);
    });
    for (let from = 0; from < tried.length; from += eventsAtOnce) {
      const ids = tried.slice(from, from + eventsAtOnce).map((event) => event.id);
      const rows = await listEventsById(ctx.db, actor.accountId, ids);
      const results = await resultsOf(filter, rows);
      const inForce = webhook && (await resultsOf(webhook.filter, rows));
      for (const [index, row] of rows.entries()) {
        const result = results[index];
        if (result) addTo(run, { row, result, before: inForce?.[index] ?? null, actor });
      }
    }
    return { ...run, is_limited: newest.length === limit };
  });
}

async function resultsOf(
  filter: FilterRule | null,
  rows: readonly EventRow[],
): Promise<FilterResult[]> {
  if (filter === null) return rows.map(() => ({ isSent: true, clause: null, error: null }));
  return await evaluateFilters(
    rows.map(({ id: eventId, payload }) => ({ eventId, payload, filter })),
  );
}

type Tried = { row: EventRow; result: FilterResult; before: FilterResult | null; actor: Actor };

function addTo(run: FilterDryRun, { row, result, before, actor }: Tried): void {
  const { isSent } = result;
  run.total += 1;
  if (isSent) run.sent += 1;
  if (result.error !== null) run.not_evaluated += 1;
  const kinds: (keyof FilterDryRun['examples'])[] = [isSent ? 'sent' : 'not_sent'];
  if (run.in_force && before?.isSent) run.in_force.sent += 1;
  if (run.in_force && before && before.isSent !== isSent) {
    const change = isSent ? 'newly_sent' : 'no_longer_sent';
    run.in_force[change] += 1;
    kinds.push(change);
  }
  for (const kind of kinds) {
    if (run.examples[kind].length === maxExamples) continue;
    run.examples[kind].push({
      uuid: row.uuid,
      type: row.type,
      created_at: formatApiTime(row.createdAt),
      excerpt: maySeeExcerpt(actor, row) ? excerptOf(subjectOf(row.payload)) : null,
      clause: result.clause,
    });
  }
}

/** A key may run this without the scope for payloads. */
function maySeeExcerpt(actor: Actor, { type }: EventRow): boolean {
  const isAllowed = actor.kind !== 'api_key' || actor.scopes.includes('events:read');
  return isAllowed && mayReadPayload(actor, type);
}

type Things = Record<string, Record<string, unknown> | undefined>;

/** What people recognize the event by: the text of the message, or else a subject or name. */
function subjectOf(payload: string): string {
  const {
    message,
    conversation,
    api_key: key,
    webhook,
  } = (JSON.parse(payload) as { data: Things }).data;
  const texts = [message?.['text'], conversation?.['subject'], key?.['name'], webhook?.['name']];
  return texts.find((text) => typeof text === 'string') ?? '';
}
