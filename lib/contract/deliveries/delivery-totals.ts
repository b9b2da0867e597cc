import { z } from 'zod';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

/** Totals are not counted beyond this number: a webhook may have millions of deliveries. */
export const highestTotal = 1000;

const total = z.object({
  count: z.int().min(0).max(highestTotal).describe('How many there are, up to 1000.'),
  has_more: z.boolean().describe('Whether there are, or may be, more than `count`.'),
});

/** How many deliveries of a webhook each filter of the list would show. */
export const deliveryTotals = z
  .object({
    all: total.describe('All that are kept.'),
    pending: total.describe('Those with the status `pending`.'),
    waiting: total.describe('The pending ones that wait for a retry.'),
    delivered: total.describe('Those with the status `delivered`.'),
    retried: total.describe('Those that `retried=true` lists.'),
    failed: total.describe('Those with the status `failed`.'),
    cancelled: total.describe('Those with the status `cancelled`.'),
    retention_days: z
      .int()
      .positive()
      .describe(
        'For how many days events are kept with their deliveries. Pending deliveries are kept longer.',
      ),
  })
  .meta({
    id: 'DeliveryTotals',
    description: 'How many deliveries a webhook has, in all and by outcome.',
    examples: [
      {
        all: { count: 1000, has_more: true },
        pending: { count: 2, has_more: false },
        waiting: { count: 1, has_more: false },
        delivered: { count: 1000, has_more: true },
        retried: { count: 14, has_more: false },
        failed: { count: 12, has_more: false },
        cancelled: { count: 3, has_more: false },
        retention_days: 30,
      },
    ],
  });

export type DeliveryTotals = z.infer<typeof deliveryTotals>;

export const getDeliveryTotals = defineRoute({
  name: 'getDeliveryTotals',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook}/deliveries/totals',
  summary: 'Count the deliveries of a webhook by outcome',
  description:
    'Counts up to 1000 of each, among all that are kept. A delivered delivery that is retried counts as both.',
  access: { scope: 'events:read', act: 'events.read' },
  inDashboard: true,
  response: { 200: success(deliveryTotals) },
});
