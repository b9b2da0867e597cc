import { setImmediate } from 'node:timers/promises';
import type { FilterRule } from '#lib/contract/webhooks/filter-rule.ts';
import type { Tx } from '../../db/open.ts';
import { evaluateFilter, readPayload, type FilteredPayload, type FilterResult } from './filter.ts';
import { insertFilteredDeliveries, storeFilteredOut, type FilterDecision } from './store.ts';

/** An event that a webhook gets if its filter lets it through. */
export type FilteredEvent = {
  accountId: string;
  eventId: number;
  payload: string;
  webhookId: number;
  filter: FilterRule;
};

/**
 * Evaluates the filters of webhooks on the events that a transaction writes, queues the deliveries
 * that they let through and records what they leave out.
 *
 * @returns the webhooks that get one
 */
export async function applyFilters(tx: Tx, filtered: readonly FilteredEvent[]): Promise<number[]> {
  if (filtered.length === 0) return [];
  const decisions = await decide(filtered);
  const accountIds = [...new Set(filtered.map(({ accountId }) => accountId))];
  const sent = decisions.filter(({ filteredOut }) => filteredOut === null);
  if (sent.length > 0) await insertFilteredDeliveries(tx, accountIds, sent);
  if (sent.length < decisions.length) await recordFilteredOut(tx, accountIds, decisions);
  return [...new Set(sent.map(({ webhookId }) => webhookId))];
}

/** Records which events were left out, so that their outcome can be explained. */
export async function recordFilteredOut(
  tx: Tx,
  accountIds: readonly string[],
  decisions: readonly FilterDecision[],
): Promise<void> {
  const left = decisions.filter(({ filteredOut }) => filteredOut !== null);
  if (left.length > 0) await storeFilteredOut(tx, accountIds, left);
}

/** For how many milliseconds evaluating filters may keep other calls waiting. */
const maxBlockMs = 5;

/** What the filter of each webhook decides about its event. */
export async function decide(
  filtered: readonly Omit<FilteredEvent, 'accountId'>[],
): Promise<FilterDecision[]> {
  const results = await evaluateFilters(filtered);
  return filtered.flatMap(({ eventId, webhookId }, index) => {
    const result = results[index];
    if (!result) return [];
    const { isSent, clause, error } = result;
    return { eventId, webhookId, filteredOut: isSent ? null : (clause ?? ''), error };
  });
}

/** The results of filters, in the same order. */
export async function evaluateFilters(
  filtered: readonly Pick<FilteredEvent, 'eventId' | 'payload' | 'filter'>[],
): Promise<FilterResult[]> {
  const payloads = new Map<number, FilteredPayload>();
  const results: FilterResult[] = [];
  let begunAt = performance.now();
  for (const { eventId, filter, payload } of filtered) {
    const read = payloads.get(eventId) ?? readPayload(payload);
    payloads.set(eventId, read);
    results.push(evaluateFilter(filter, read));
    if (performance.now() - begunAt > maxBlockMs) {
      await setImmediate();
      begunAt = performance.now();
    }
  }
  return results;
}
