import { z } from 'zod';
import { isKeyOf, keysOf } from '#lib/object-keys.ts';
import { actorReference } from '../fields/actor-reference.ts';
import { boundedText } from '../fields/bounded-text.ts';
import { followedPage, followedPageQuery, id, success, timestamp } from '../fields/fields.ts';
import { queryInstant } from '../fields/instants.ts';
import { hasNoSecret, isPlainText } from '../fields/plain-text.ts';
import { defineRoute } from '../route.ts';
import { sampleAuditEntry } from '../samples.ts';
import { auditActionGroups, auditActions, isActionFilter } from './audit-actions.ts';

const actionGroups = keysOf(auditActionGroups);

const actionAdvice = `Use an action, such as api_key.rotated, or all actions of one of: ${actionGroups.join(', ')}.`;

/** Advice for a filter by an unknown action: the actions of the group that it begins with. */
function actionsLike(text: string): string {
  const group = text.split('.', 1)[0] ?? '';
  if (!isKeyOf(auditActionGroups, group)) return actionAdvice;
  const actions = keysOf(auditActions).filter((action) => action.startsWith(`${group}.`));
  return `Use one of: ${[group, ...actions].join(', ')}.`;
}

/** An id to compare with. The entry about an export keeps it, so it must not be a token or secret. */
function filterText(advice: string) {
  return boundedText(100, { error: advice })
    .min(1, advice)
    .refine((text) => isPlainText(text) && hasNoSecret(text), advice);
}

export const auditEntry = z
  .object({
    id: id.describe('Integer id of the entry.'),
    at: timestamp.describe('When it was done.'),
    actor: actorReference.describe('Who did it.'),
    action: z.string().describe('What was done, for example `api_key.rotated`.'),
    target: z
      .object({
        kind: z.string().describe('What kind of target it is, for example `api_key`.'),
        id: z.string().describe('Its id: a UUID for resources of this API.'),
        name: z.string().describe('Its name at that time.'),
      })
      .describe('What it was done to.'),
    changes: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'What changed, by the names of the fields; null if nothing is recorded. Never a token or secret. Keys without `webhooks:read` see only the scheme and host of URLs of webhooks, followed by `/…`.',
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
    is_chained: z
      .boolean()
      .describe(
        '`true`, unless the entry is outside the chain that links the entries of the account. The service does not write such an entry: someone else added it to the database.',
      ),
  })
  .meta({
    id: 'AuditEntry',
    description: 'A record of one change: who did what, when and from where.',
    examples: [sampleAuditEntry],
  });

export type AuditEntry = z.infer<typeof auditEntry>;

/** Which audit entries a list or an export has; a filter that is left out matches all. */
export const auditLogFilters = {
  actor: filterText('Use the id of a person, the UUID of a key, person, api_key or system.')
    .optional()
    .describe(
      'Lists only what this actor did: the id of a person, the UUID of a key, or `person`, `api_key` or `system` for all actors of this kind.',
    ),
  action: boundedText(100, { error: actionAdvice })
    .refine(isActionFilter, { error: ({ input }) => actionsLike(String(input)) })
    .optional()
    .describe(
      `Only this action, such as \`api_key.rotated\`, or all actions of one of these groups: ${actionGroups.map((group) => `\`${group}\``).join(', ')}.`,
    ),
  target: filterText('Use the target id of an entry.')
    .optional()
    .describe(
      'Only what was done to the target with this id: a UUID for resources of this API. That of a key or webhook also finds what was done to requests about it.',
    ),
  since: queryInstant.optional().describe('Only what was done at this time or later.'),
  until: queryInstant.optional().describe('Only what was done before this time.'),
};

export type AuditLogFilters = z.output<z.ZodObject<typeof auditLogFilters>>;

export const listAuditEntries = defineRoute({
  name: 'listAuditEntries',
  method: 'GET',
  path: '/api/v1/audit-log',
  summary: 'List audit entries, newest first',
  description: 'Entries are kept for 400 days, unless the operator chose otherwise.',
  access: { scope: 'audit-log:read', act: 'audit-log.read' },
  inDashboard: true,
  query: followedPageQuery(auditLogFilters),
  response: { 200: followedPage(auditEntry) },
});

export const listFormerMembers = defineRoute({
  name: 'listFormerMembers',
  method: 'GET',
  path: '/api/dashboard/former-members',
  summary: 'List the people who left the account or were removed from it, by name',
  description: 'As far as the audit log still has the entry: the latest 100 of each.',
  access: { scope: null, act: 'audit-log.read' },
  response: { 200: success(z.array(z.object({ id: z.string(), name: z.string() }))) },
});

export const exportFormats = ['csv', 'jsonl'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** The media type of each export format. */
export const exportMediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/jsonl; charset=utf-8',
};

export const exportAuditLog = defineRoute({
  name: 'exportAuditLog',
  method: 'GET',
  path: '/api/v1/audit-log/export',
  summary: 'Export audit entries, newest first',
  description:
    'Returns every matching entry that exists when the export begins, as CSV or as JSON lines with an `AuditEntry` in each line. The response is streamed, so its length is not known in advance; `X-Total-Count` is the number of entries. If the export fails midway, the connection is closed. CSV begins with a byte order mark, and a cell that a spreadsheet would take for a formula begins with an apostrophe. Each export is itself an audit entry. An account can be exported 20 times an hour.',
  access: { scope: 'audit-log:read', act: 'audit-log.read' },
  inDashboard: true,
  query: z.strictObject({
    format: z
      .enum(exportFormats, { error: 'Use csv or jsonl.' })
      .default('jsonl')
      .describe('`csv`, or `jsonl` for JSON lines. Default: `jsonl`.'),
    ...auditLogFilters,
  }),
  streams: {
    'text/csv': '\ufeffid,at,actor_kind,…\r\n4711,2026-11-20T10:29:17.123+00:00,person,…\r\n',
    'application/jsonl': '{"id":4711,"at":"2026-11-20T10:29:17.123+00:00",…}\n',
  },
  response: { 200: null },
});
