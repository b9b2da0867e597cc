import { callStream } from '#lib/api/call.ts';
import { readInput, serveStream } from '#lib/api/serve-read.ts';
import { routes } from '#lib/contract/routes.ts';

/** The audit log as a file, sent to the browser while the service reads it. */
export async function GET(request: Request): Promise<Response> {
  const route = routes.exportAuditLog;
  return await serveStream(request, () =>
    callStream(route, readInput(request, route), request.signal),
  );
}
