import { serveRead } from '#lib/api/serve-read.ts';
import { getWebhook } from '#lib/api/webhooks.ts';

type WebhookRouteContext = { params: Promise<{ webhook: string }> };

export async function GET(request: Request, { params }: WebhookRouteContext): Promise<Response> {
  const { webhook } = await params;
  return await serveRead(request, () => getWebhook(webhook));
}
