import { serveRead } from '#lib/api/serve-read.ts';
import { listDeskRequests } from '#lib/api/support-desk.ts';
import { readQueryString } from '#lib/paths/query-string.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, () => listDeskRequests(readQueryString(request)));
}
