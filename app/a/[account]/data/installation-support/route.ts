import { getInstallationSupport } from '#lib/api/people/installation-support.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, getInstallationSupport);
}
