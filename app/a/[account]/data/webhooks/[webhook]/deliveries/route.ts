import { listDeliveries } from '#lib/api/deliveries.ts';
import { serveRead } from '#lib/api/serve-read.ts';
import { readQueryString } from '#lib/paths/query-string.ts';

type DeliveriesRouteContext = { params: Promise<{ webhook: string }> };

export async function GET(request: Request, { params }: DeliveriesRouteContext): Promise<Response> {
  const { webhook } = await params;
  return await serveRead(request, () => listDeliveries(webhook, readQueryString(request)));
}
