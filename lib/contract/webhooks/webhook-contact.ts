import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { success } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';

/** How long a link that confirms an address works, in days. */
export const contactLinkDays = 7;

export const confirmWebhookContact = defineRoute({
  name: 'confirmWebhookContact',
  method: 'POST',
  path: '/api/dashboard/webhook-contact/confirmation',
  summary: 'Confirm that an address is told of the failures of a webhook',
  access: 'dashboard',
  body: z.strictObject({ contact_token: boundedText(200) }),
  response: { 200: success(z.object({ email: z.string(), webhook: z.string() })) },
});
