import 'server-only';
import { exportAuditLog, listAuditEntries as contract } from '../contract/audit-log/audit-log.ts';
import type { AuditEntry } from '../contract/audit-log/audit-log.ts';
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
