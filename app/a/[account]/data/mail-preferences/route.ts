import { getMailPreferences } from '#lib/api/people/profile.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, getMailPreferences);
}
