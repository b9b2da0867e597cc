import { listIncidentKeys } from '#lib/api/incidents.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  return await serveRead(request, () => listIncidentKeys(Object.fromEntries(searchParams)));
}
