import { serveRead } from '#lib/api/serve-read.ts';
import { listWebhooks } from '#lib/api/webhooks.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, listWebhooks);
}
