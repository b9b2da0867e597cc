import { getAccountUsage } from '#lib/api/people/account-usage.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, getAccountUsage);
}
