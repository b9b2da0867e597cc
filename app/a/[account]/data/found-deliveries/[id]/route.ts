import { findDeliveries } from '#lib/api/deliveries.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type FoundDeliveriesRouteContext = { params: Promise<{ id: string }> };

export async function GET(
  request: Request,
  { params }: FoundDeliveriesRouteContext,
): Promise<Response> {
  const { id } = await params;
  return await serveRead(request, () => findDeliveries(id));
}
