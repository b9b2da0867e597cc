import { getReplay } from '#lib/api/replays.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type ReplayRouteContext = { params: Promise<{ replay: string }> };

export async function GET(request: Request, { params }: ReplayRouteContext): Promise<Response> {
  const { replay } = await params;
  return await serveRead(request, () => getReplay(replay));
}
