import { getIncident } from '#lib/api/incidents.ts';
import { serveRead } from '#lib/api/serve-read.ts';

type IncidentRouteContext = { params: Promise<{ incident: string }> };

export async function GET(request: Request, { params }: IncidentRouteContext): Promise<Response> {
  const { incident } = await params;
  return await serveRead(request, () => getIncident(incident));
}
