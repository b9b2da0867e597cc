import { listChangesOfWebhook } from '#lib/api/audit-log.ts';
import { serveRead } from '#lib/api/serve-read.ts';
import { readQueryString } from '#lib/paths/query-string.ts';

type WebhookChangesRouteContext = { params: Promise<{ webhook: string }> };

export async function GET(
  request: Request,
  { params }: WebhookChangesRouteContext,
): Promise<Response> {
  const { webhook } = await params;
  return await serveRead(request, () => listChangesOfWebhook(webhook, readQueryString(request)));
}
