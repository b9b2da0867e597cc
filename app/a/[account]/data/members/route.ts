import { listMembers } from '#lib/api/people/members.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, listMembers);
}
