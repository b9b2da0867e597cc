import { getDelivery } from '#lib/api/deliveries.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type DeliveryRouteContext = { params: Promise<{ delivery: string }> };

export async function GET(request: Request, { params }: DeliveryRouteContext): Promise<Response> {
  const { delivery } = await params;
  return await serveRead(request, () => getDelivery(delivery));
}
