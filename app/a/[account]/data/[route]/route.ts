import { serveChange } from '#lib/actions/serve-change.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type DataRouteContext = { params: Promise<{ route: string }> };

export async function GET(request: Request, { params }: DataRouteContext): Promise<Response> {
  return await serveRead(request, (await params).route);
}

/** For the documentation. The dashboard itself calls server actions. */
export async function POST(request: Request, { params }: DataRouteContext): Promise<Response> {
  return await serveChange(request, (await params).route);
}
