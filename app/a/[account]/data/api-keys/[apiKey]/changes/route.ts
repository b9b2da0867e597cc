import { listChangesOfKey } from '#lib/api/audit-log.ts';
import { serveRead } from '#lib/api/serve-read.ts';
import { readQueryString } from '#lib/paths/query-string.ts';

type KeyChangesRouteContext = { params: Promise<{ apiKey: string }> };

export async function GET(request: Request, { params }: KeyChangesRouteContext): Promise<Response> {
  const { apiKey } = await params;
  return await serveRead(request, () => listChangesOfKey(apiKey, readQueryString(request)));
}
