import { serveRead } from '#lib/api/serve-read.ts';

type DataRouteContext = { params: Promise<{ route: string }> };

export async function GET(request: Request, { params }: DataRouteContext): Promise<Response> {
  return await serveRead(request, (await params).route);
}
