import { serveRead } from '#lib/api/serve-read.ts';
import { listSessions } from '#lib/api/people/session.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, listSessions);
}
