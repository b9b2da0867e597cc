import type { QueryFilters } from '@tanstack/react-query';
import type { ReadName } from '../contract/routes.ts';

/** Reads that a change of one of the noun's resources makes stale together. */
const readsByNoun = {
  apiKeys: [
    'listApiKeys',
    'getApiKey',
    'listFailedCalls',
    'listTokenUse',
    'listOldTokens',
    'listTokensOfLeavers',
  ],
  webhooks: [
    'listWebhooks',
    'getWebhook',
    'listDeliveries',
    'getDeliveryTotals',
    'getWebhookStatistics',
  ],
  events: ['listEvents', 'getEvent'],
  rotationRequests: ['listRotationRequests', 'listRotationRequestHistory', 'getRotationRequest'],
  incidents: ['listIncidents', 'getIncident'],
} as const satisfies Record<string, readonly ReadName[]>;

/** What is in the cache about a noun, to invalidate it or to cancel its reads. */
export function queriesAbout(noun: keyof typeof readsByNoun, accountId: string): QueryFilters {
  const names: readonly unknown[] = readsByNoun[noun];
  return {
    predicate: ({ queryKey: [route, account] }) => account === accountId && names.includes(route),
  };
}
