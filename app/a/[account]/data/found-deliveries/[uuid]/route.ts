import { findDeliveries } from '#lib/api/deliveries.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type FoundDeliveriesRouteContext = { params: Promise<{ uuid: string }> };

export async function GET(
  request: Request,
  { params }: FoundDeliveriesRouteContext,
): Promise<Response> {
  const { uuid } = await params;
  return await serveRead(request, () => findDeliveries(uuid));
}
