import type { Incident, IncidentWithKeys } from '#lib/contract/api-keys/incident.ts';
import type { Context } from '../../../context.ts';
import type { PersonActor } from '../../actor.ts';
import { notFound } from '../../errors.ts';
import { parseUuid } from '../../resource-reference.ts';
import { countResults, findIncident, listIncidentRows } from '../store/incidents.ts';
import { describeIncident, describeWithKeys } from './describe-incident.ts';

/**
 * One incident of the actor's account, with the result of each key. @throws ServiceError NOT_FOUND
 */
export async function getIncident(
  ctx: Context,
  { accountId }: PersonActor,
  input: { incident: string },
): Promise<IncidentWithKeys> {
  const row = await findIncident(ctx.db, { accountId, uuid: parseUuid(input.incident) });
  if (!row) throw notFound();
  return await describeWithKeys(ctx.db, row);
}

const listed = 20;

/** The latest incidents of the actor's account, newest first. */
export async function listIncidents(ctx: Context, { accountId }: PersonActor): Promise<Incident[]> {
  const rows = await listIncidentRows(ctx.db, accountId, listed);
  const uuids = rows.map(({ uuid }) => uuid);
  const results = await countResults(ctx.db, accountId, uuids);
  return rows.map((row) =>
    describeIncident(
      row,
      results.filter(({ incidentUuid }) => incidentUuid === row.uuid),
    ),
  );
}
