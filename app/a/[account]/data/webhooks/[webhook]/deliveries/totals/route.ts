import { getDeliveryTotals } from '#lib/api/deliveries.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type TotalsRouteContext = { params: Promise<{ webhook: string }> };

export async function GET(request: Request, { params }: TotalsRouteContext): Promise<Response> {
  const { webhook } = await params;
  return await serveRead(request, () => getDeliveryTotals(webhook));
}
