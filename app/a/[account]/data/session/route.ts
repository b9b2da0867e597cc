import { serveRead } from '#lib/api/serve-read.ts';
import { getSession } from '#lib/api/people/session.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, getSession);
}
