import { listRotators } from '#lib/api/rotation-requests.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type RotatorsRouteContext = { params: Promise<{ apiKey: string }> };

export async function GET(request: Request, { params }: RotatorsRouteContext): Promise<Response> {
  const { apiKey } = await params;
  return await serveRead(request, () => listRotators(apiKey));
}
