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
 * Evaluates the filters of webhooks on the events that a transaction writes, and queues the
 * deliveries that they let through. @returns the webhooks that get one
 */
export async function applyFilters(tx: Tx, filtered: readonly FilteredEvent[]): Promise<number[]> {
  const decisions = await decide(tx, filtered);
  const sent = decisions.filter(({ filteredOut }) => filteredOut === null);
  if (sent.length > 0) await insertFilteredDeliveries(tx, accountsOf(filtered), sent);
  return [...new Set(sent.map(({ webhookId }) => webhookId))];
}

/**
 * What the filter of each webhook decides about its event, in the same order. What they leave out
 * is recorded in the events, so that their outcomes can be explained.
 */
export async function decide(
  tx: Tx,
  filtered: readonly FilteredEvent[],
): Promise<FilterDecision[]> {
  const results = await evaluateFilters(filtered);
  const decisions = filtered.flatMap(({ eventId, webhookId }, index) => {
    const result = results[index];
    if (!result) return [];
    const { isSent, clause, error } = result;
    return { eventId, webhookId, filteredOut: isSent ? null : (clause ?? ''), error };
  });
  const left = decisions.filter(({ filteredOut }) => filteredOut !== null);
  if (left.length > 0) await storeFilteredOut(tx, accountsOf(filtered), left);
  return decisions;
}

function accountsOf(filtered: readonly FilteredEvent[]): string[] {
  return [...new Set(filtered.map(({ accountId }) => accountId))];
}

/** For how many milliseconds evaluating filters may keep other calls waiting. */
const maxBlockMs = 5;

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
