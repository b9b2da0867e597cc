import { listShownSecrets } from '#lib/api/people/members.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type ShownSecretsRouteContext = { params: Promise<{ member: string }> };

export async function GET(
  request: Request,
  { params }: ShownSecretsRouteContext,
): Promise<Response> {
  const { member } = await params;
  return await serveRead(request, () => listShownSecrets(member));
}
