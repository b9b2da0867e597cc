import 'server-only';
import * as contract from '../contract/webhooks/webhook-statistics.ts';
import type {
  StatisticsWindow,
  WebhookStatistics,
} from '../contract/webhooks/webhook-statistics.ts';
import { request } from './client/client.ts';
import { keysOf } from '#lib/object-keys.ts';

/**
 * Statistics about the attempts of the webhook with this id or uuid, in total and in buckets, and
 * compared with the same span of time before. @throws ApiError
 */
export async function getWebhookStatistics(
  webhook: string,
  window: StatisticsWindow,
): Promise<WebhookStatistics> {
  const route = contract.getWebhookStatistics;
  return (await request(route, { params: { webhook }, query: { window, include: 'previous' } }))
    .data;
}

/** The window that a URL asks for; the shortest if it names no valid window. */
export function statisticsWindowOf(asked: unknown): StatisticsWindow {
  const windows = keysOf(contract.statisticsWindows);
  return windows.find((window) => window === asked) ?? '24h';
}
