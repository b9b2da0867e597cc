import type { Incident } from '#lib/contract/api-keys/incidents/incident.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { countResults, listIncidentRows } from '../store/incidents.ts';
import { describeIncident } from './describe-incident.ts';

/** How many incidents the dashboard lists. */
const maxListed = 20;

/** The latest 20 incidents of the actor's account, newest first. */
export async function listIncidents(ctx: Context, { accountId }: PersonActor): Promise<Incident[]> {
  const rows = await listIncidentRows(ctx.db, accountId, maxListed);
  const uuids = rows.map(({ uuid }) => uuid);
  const results = await countResults(ctx.db, accountId, uuids);
  return rows.map((row) =>
    describeIncident(
      row,
      results.filter(({ incidentUuid }) => incidentUuid === row.uuid),
    ),
  );
}
