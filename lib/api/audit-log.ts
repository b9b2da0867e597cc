import 'server-only';
import { exportAuditLog } from '../contract/audit-log.ts';
import type { RouteQueryInput } from '../contract/route.ts';
import { requestStream } from './client.ts';

/** Begins an export of the audit log. @throws ApiError */
export async function openAuditLogExport(
  query: RouteQueryInput<typeof exportAuditLog>,
  signal: AbortSignal,
): Promise<Response> {
  return await requestStream(exportAuditLog, { query }, signal);
}
