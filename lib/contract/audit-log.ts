import { z } from 'zod';
import { actorReference } from './api-keys/api-keys.ts';
import { id, page, pageQuery, timestamp } from './fields.ts';
import { defineRoute } from './route.ts';
import { sampleAuditEntry } from './samples.ts';

export const auditEntry = z
  .object({
    id: id.describe('Integer id of the entry.'),
    at: timestamp.describe('When it was done.'),
    actor: actorReference.describe('Who did it.'),
    action: z.string().describe('What was done, for example `api_key.rotated`.'),
    target: z
      .object({
        kind: z.string().describe('What kind of thing it is, for example `api_key`.'),
        id: z.string().describe('Its id: a UUID for resources of this API.'),
        name: z.string().describe('Its name at that time.'),
      })
      .describe('What it was done to.'),
    changes: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'What changed, by the names of the fields; null if nothing is recorded. Never a token or secret.',
      ),
    ip: z
      .string()
      .nullable()
      .describe('The address the request came from; null for the service itself.'),
    user_agent: z
      .string()
      .nullable()
      .describe('`User-Agent` of the request; null if it sent none.'),
    request_id: z
      .string()
      .nullable()
      .describe('`X-Request-Id` of the request; null for the service itself.'),
  })
  .meta({
    id: 'AuditEntry',
    description: 'A record of one change: who did what, when and from where.',
    examples: [sampleAuditEntry],
  });

export type AuditEntry = z.infer<typeof auditEntry>;

export const listAuditEntries = defineRoute({
  name: 'listAuditEntries',
  method: 'GET',
  path: '/api/v1/audit-log',
  summary: 'List audit entries, newest first',
  description: 'Entries are kept for 400 days, unless the operator chose otherwise.',
  access: { scope: 'audit-log:read', act: 'audit-log.read' },
  query: z.object(pageQuery),
  reply: { 200: page(auditEntry) },
});
