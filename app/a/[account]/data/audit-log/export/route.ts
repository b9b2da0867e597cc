import { openAuditLogExport } from '#lib/api/audit-log.ts';
import { serveStream } from '#lib/api/serve-read.ts';
import { readQueryString } from '#lib/paths/query-string.ts';

/** The audit log as a file, sent to the browser while the service reads it. */
export async function GET(request: Request): Promise<Response> {
  return await serveStream(request, () =>
    openAuditLogExport(readQueryString(request), request.signal),
  );
}
