import { serveRead } from '#lib/api/serve-read.ts';
import { getSupportDesk } from '#lib/api/support-desk.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, getSupportDesk);
}
