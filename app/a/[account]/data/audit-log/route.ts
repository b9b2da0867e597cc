import { listAuditEntries } from '#lib/api/audit-log.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  // The service rejects unknown query parameters.
  return await serveRead(request, () => listAuditEntries(query));
}
