import { listInvitations } from '#lib/api/people/invitations.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, listInvitations);
}
