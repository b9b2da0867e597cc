import { serveRead } from '#lib/api/serve-read.ts';
import { getSupportDesk } from '#lib/api/support.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, getSupportDesk);
}
