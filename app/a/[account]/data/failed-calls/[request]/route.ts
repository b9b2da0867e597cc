import { findFailedCalls } from '#lib/api/failed-calls.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type FoundCallsRouteContext = { params: Promise<{ request: string }> };

export async function GET(request: Request, { params }: FoundCallsRouteContext): Promise<Response> {
  const { request: requestId } = await params;
  return await serveRead(request, () => findFailedCalls(requestId));
}
