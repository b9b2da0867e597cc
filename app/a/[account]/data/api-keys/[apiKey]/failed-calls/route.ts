import { listFailedCalls } from '#lib/api/failed-calls.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type FailedCallsRouteContext = { params: Promise<{ apiKey: string }> };

export async function GET(
  request: Request,
  { params }: FailedCallsRouteContext,
): Promise<Response> {
  const { apiKey } = await params;
  return await serveRead(request, () => listFailedCalls(apiKey));
}
