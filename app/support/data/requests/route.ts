import { serveRead } from '#lib/api/serve-read.ts';
import { listDeskRequests } from '#lib/api/support-desk.ts';

export async function GET(request: Request): Promise<Response> {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  // The service rejects unknown query parameters.
  return await serveRead(request, () => listDeskRequests(query));
}
