import { listRotationRequestHistory } from '#lib/api/rotation-requests.ts';
import { serveRead } from '#lib/api/serve-read.ts';
import { readQueryString } from '#lib/paths/query-string.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, () => listRotationRequestHistory(readQueryString(request)));
}
