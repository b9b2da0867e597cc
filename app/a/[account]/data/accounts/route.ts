import { searchAccounts } from '#lib/api/people/installation-support.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  const search = new URL(request.url).searchParams.get('search') ?? '';
  return await serveRead(request, () => searchAccounts(search));
}
