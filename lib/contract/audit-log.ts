import { z } from 'zod';
import { actorReference } from './api-keys.ts';
import { id, page, pageQuery, timestamp } from './fields.ts';
import { defineRoute } from './route.ts';
import { sampleAuditEntry } from './samples.ts';

export const auditEntry = z
  .object({
    id,
    at: timestamp,
    actor: actorReference,
    action: z.string().describe('What was done, as `api_key.rotated`.'),
    target: z.object({ kind: z.string(), id: z.string(), name: z.string() }),
    changes: z.record(z.string(), z.unknown()).nullable(),
    ip: z.string().nullable(),
    user_agent: z.string().nullable(),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry', examples: [sampleAuditEntry] });

export type AuditEntry = z.infer<typeof auditEntry>;

export const listAuditEntries = defineRoute({
  name: 'listAuditEntries',
  method: 'GET',
  path: '/api/v1/audit-log',
  summary: 'List audit entries, newest first',
  access: { scope: 'audit-log:read', act: 'audit-log.read' },
  query: z.object(pageQuery),
  reply: { 200: page(auditEntry) },
});
