import { z } from 'zod';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { delivery } from './delivery.ts';

/** The most deliveries that an id finds: a long conversation has thousands. */
export const maxFoundDeliveries = 20;

export const findDeliveries = defineRoute({
  name: 'findDeliveries',
  method: 'GET',
  path: '/api/dashboard/found-deliveries/{delivery}',
  summary: 'Find deliveries by an id, in all webhooks of the account',
  description:
    'The delivery is named by a `webhook-id`, or the UUID or integer id of a delivery, an event, a message or a conversation. Returns its newest 20 deliveries; none if it was sent to no webhook.',
  access: { scope: null, act: 'events.read' },
  response: { 200: success(z.array(delivery)) },
});
