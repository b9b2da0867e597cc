import 'server-only';
import { exportAuditLog, listAuditEntries as contract } from '../contract/audit-log/audit-log.ts';
import type { AuditEntry } from '../contract/audit-log/audit-log.ts';
import * as changes from '../contract/audit-log/changes.ts';
import type { RecordedChange } from '../contract/audit-log/changes.ts';
import type { RouteQueryInput } from '../contract/route.ts';
import { request, requestStream } from './client/client.ts';

/** Begins an export of the audit log. @throws ApiError */
export async function openAuditLogExport(
  query: RouteQueryInput<typeof exportAuditLog>,
  signal: AbortSignal,
): Promise<Response> {
  return await requestStream(exportAuditLog, { query }, signal);
}

/** Some of the account's audit entries, newest first. */
export type AuditPage = {
  entries: AuditEntry[];
  /** Where the next older ones begin; null if these are the oldest. */
  older: string | null;
};

/**
 * The newest fifty audit entries that match, or the next hundred after `cursor`. @throws ApiError
 */
export async function listAuditEntries(
  query: Omit<RouteQueryInput<typeof contract>, 'limit'>,
): Promise<AuditPage> {
  const limit = query.cursor === undefined ? 50 : 100;
  const response = await request(contract, { query: { limit, ...query } });
  return { entries: response.data, older: response.next_cursor };
}

/** Some of what was changed about a key or webhook, newest first. */
export type ChangesPage = {
  changes: RecordedChange[];
  /** Where the next older ones begin; null if these are the oldest. */
  older: string | null;
};

type ChangesQuery = { cursor?: string | undefined };

/** What was changed about a key: the newest ten, or the next fifty after `cursor`. @throws ApiError */
export async function listChangesOfKey(apiKey: string, query: ChangesQuery): Promise<ChangesPage> {
  const input = { params: { apiKey }, query: withLimit(query) };
  return toChangesPage(await request(changes.listChangesOfKey, input));
}

/** The same for a webhook. @throws ApiError */
export async function listChangesOfWebhook(
  webhook: string,
  query: ChangesQuery,
): Promise<ChangesPage> {
  const input = { params: { webhook }, query: withLimit(query) };
  return toChangesPage(await request(changes.listChangesOfWebhook, input));
}

function withLimit({ cursor }: ChangesQuery) {
  return cursor === undefined ? { limit: 10 } : { limit: 50, cursor };
}

function toChangesPage(response: {
  data: RecordedChange[];
  next_cursor: string | null;
}): ChangesPage {
  return { changes: response.data, older: response.next_cursor };
}
