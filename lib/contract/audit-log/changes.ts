import { z } from 'zod';
import { page, pageQuery } from '../fields/fields.ts';
import { defineRoute } from '../route.ts';
import { auditEntry } from './audit-log.ts';

/** An audit entry about a key or webhook without where it was done from. */
const recordedChange = auditEntry.pick({
  id: true,
  at: true,
  actor: true,
  action: true,
  target: true,
  changes: true,
});

export type RecordedChange = z.infer<typeof recordedChange>;

const listed = {
  method: 'GET',
  access: { scope: null, act: 'changes.read' },
  query: z.object(pageQuery),
  response: { 200: page(recordedChange) },
} as const;

export const listChangesOfKey = defineRoute({
  ...listed,
  name: 'listChangesOfKey',
  path: '/api/dashboard/api-keys/{apiKey}/changes',
  summary: 'List what was changed about a key, newest first',
  description:
    'The audit entries about the key and about requests to rotate it, without addresses and browsers. For everyone who looks after keys, whether or not they may read the audit log.',
});

export const listChangesOfWebhook = defineRoute({
  ...listed,
  name: 'listChangesOfWebhook',
  path: '/api/dashboard/webhooks/{webhook}/changes',
  summary: 'List what was changed about a webhook, newest first',
  description:
    'The audit entries about the webhook and about requests to change it, without addresses and browsers. For everyone who looks after webhooks, whether or not they may read the audit log. People who cannot change webhooks see the scheme and host of URLs.',
});
