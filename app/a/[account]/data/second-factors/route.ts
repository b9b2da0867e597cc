import { getSecondFactors } from '#lib/api/people/second-factors.ts';
import { serveRead } from '#lib/api/serve-read.ts';

export async function GET(request: Request): Promise<Response> {
  return await serveRead(request, getSecondFactors);
}
