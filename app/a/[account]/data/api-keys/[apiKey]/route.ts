import { getApiKey } from '#lib/api/api-keys.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type ApiKeyRouteContext = { params: Promise<{ apiKey: string }> };

export async function GET(request: Request, { params }: ApiKeyRouteContext): Promise<Response> {
  const { apiKey } = await params;
  return await serveRead(request, () => getApiKey(apiKey));
}
