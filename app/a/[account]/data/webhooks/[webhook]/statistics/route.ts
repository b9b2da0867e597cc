import { serveRead } from '#lib/api/serve-read.ts';
import { getWebhookStatistics, statisticsWindowOf } from '#lib/api/webhook-statistics.ts';

type StatisticsRouteContext = { params: Promise<{ webhook: string }> };

export async function GET(request: Request, { params }: StatisticsRouteContext): Promise<Response> {
  const { webhook } = await params;
  const window = statisticsWindowOf(new URL(request.url).searchParams.get('window'));
  return await serveRead(request, () => getWebhookStatistics(webhook, window));
}
