import { openAuditLogExport } from '#lib/api/audit-log.ts';
import { serveStream } from '#lib/api/serve-read.ts';

/** The audit log as a file, sent to the browser while the service reads it. */
export async function GET(request: Request): Promise<Response> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  // The service rejects unknown query parameters.
  return await serveStream(request, () => openAuditLogExport(query, request.signal));
}
