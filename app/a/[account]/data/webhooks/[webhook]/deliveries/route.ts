import { listDeliveries } from '#lib/api/deliveries.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type DeliveriesRouteContext = { params: Promise<{ webhook: string }> };

export async function GET(request: Request, { params }: DeliveriesRouteContext): Promise<Response> {
  const { webhook } = await params;
  const query = Object.fromEntries(new URL(request.url).searchParams);
  // The service rejects unknown query parameters.
  return await serveRead(request, () => listDeliveries(webhook, query));
}
