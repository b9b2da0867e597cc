import { getRotationRequest } from '#lib/api/rotation-requests.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type RequestRouteContext = { params: Promise<{ request: string }> };

export async function GET(request: Request, { params }: RequestRouteContext): Promise<Response> {
  const { request: uuid } = await params;
  return await serveRead(request, () => getRotationRequest(uuid));
}
